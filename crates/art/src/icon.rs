//! Icons: SVG texts of mods as shapes of our own, in a unit square.

use std::collections::BTreeMap;

use kurbo::{Affine, BezPath, Point, Shape as _};
use theme::{Colour, Theme, ThemeKey};
use usvg::tiny_skia_path::PathSegment;

use crate::picture::{Paint, Picture};

/// Looks whether an SVG can be drawn, for [`Theme::read`].
///
/// # Errors
/// A sentence without a full stop where it is no SVG.
pub fn check_icon(svg: &str) -> Result<(), String> {
    Icon::read(svg).map(drop)
}

/// The icons of a theme.
pub(crate) struct Icons(BTreeMap<ThemeKey, Option<Icon>>);

impl Icons {
    /// Reads the icons of `theme`. One that cannot be drawn is taken for one that nobody drew: [`check_icon`] tells people of it.
    pub(crate) fn of(theme: &Theme) -> Icons {
        let read = |svg: Option<&str>| svg.map_or(Ok(None), |svg| Icon::read(svg).map(Some));
        Icons(theme.icons().filter_map(|(key, svg)| Some((key.clone(), read(svg).ok()?))).collect())
    }

    /// Returns an icon by section, name and key of the theme: `None` where nobody drew one, `Some(None)` where none is wanted.
    pub(crate) fn get(&self, section: &str, name: &str, key: &str) -> Option<Option<&Icon>> {
        self.0.get(&[section, name, key].map(str::to_owned)).map(Option::as_ref)
    }

    /// Returns the icon of a tag, or of one of its words.
    pub(crate) fn of_tag(&self, tag: &str, word: Option<&str>) -> Option<Option<&Icon>> {
        let of_word = word.and_then(|word| self.get("tag", tag, &format!("icon.{word}")));
        of_word.or_else(|| self.get("tag", tag, "icon"))
    }
}

/// Stands in an icon for the colour of whoever it belongs to (`currentColor` in the SVG).
const SEAT: Colour = Colour::hex(0x01_fe03);

/// A drawing that a mod brings.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Icon {
    picture: Picture,
    /// Where the symbol of the seat goes: centre and radius, from the shape with the id `symbol`.
    pub(crate) chest: Option<(Point, f64)>,
}

impl Icon {
    /// Reads an SVG. Gradients become their first colour; text, images and filters are left out.
    fn read(svg: &str) -> Result<Icon, String> {
        let style_sheet = Some(format!("svg {{ color: {SEAT} }}"));
        let options = usvg::Options { style_sheet, ..usvg::Options::default() };
        let tree = usvg::Tree::from_str(svg, &options).map_err(|e| e.to_string())?;
        let (w, h) = (f64::from(tree.size().width()), f64::from(tree.size().height()));
        let scale = 1.0 / w.max(h);
        let place = Affine::translate(((1.0 - w * scale) / 2.0, (1.0 - h * scale) / 2.0)) * Affine::scale(scale);
        let mut icon = Icon { picture: Picture::default(), chest: None };
        icon.read_group(tree.root(), place, 1.0);
        Ok(icon)
    }

    fn read_group(&mut self, group: &usvg::Group, place: Affine, opacity: f64) {
        let opacity = opacity * f64::from(group.opacity().get());
        for node in group.children() {
            match node {
                usvg::Node::Group(group) => self.read_group(group, place, opacity),
                usvg::Node::Path(path) => self.read_path(path, place, opacity),
                usvg::Node::Image(_) | usvg::Node::Text(_) => {}
            }
        }
    }

    fn read_path(&mut self, path: &usvg::Path, place: Affine, opacity: f64) {
        let t = path.abs_transform();
        let own = [t.sx, t.ky, t.kx, t.sy, t.tx, t.ty].map(f64::from);
        let place = place * Affine::new(own);
        let outline = place * outline(path.data());
        if path.id() == "symbol" {
            let bounds = outline.bounding_box();
            self.chest = Some((bounds.center(), bounds.width().min(bounds.height()) / 2.0));
        }
        if !path.is_visible() {
            return;
        }
        if let Some(fill) = path.fill() {
            let colour = colour(fill.paint(), opacity * f64::from(fill.opacity().get()));
            self.picture.fill(outline.clone(), colour);
        }
        if let Some(stroke) = path.stroke() {
            let colour = colour(stroke.paint(), opacity * f64::from(stroke.opacity().get()));
            let width = f64::from(stroke.width().get()) * place.determinant().abs().sqrt();
            self.picture.line(outline, colour, width);
        }
    }

    /// Returns the icon with `seat` where it has the colour of its owner.
    pub(crate) fn tinted(&self, seat: Colour) -> Picture {
        let tint = |c: Colour| if c.rgb() == SEAT.rgb() { Colour { a: c.a, ..seat } } else { c };
        let mut tinted = Picture::default();
        for shape in self.picture.shapes() {
            let paint = match shape.paint {
                Paint::Fill(colour) => Paint::Fill(tint(colour)),
                Paint::Line { colour, width } => Paint::Line { colour: tint(colour), width },
                Paint::Soft { colour, centre, radius } => Paint::Soft { colour: tint(colour), centre, radius },
            };
            tinted.add(shape.path.clone(), paint);
        }
        tinted
    }
}

fn colour(paint: &usvg::Paint, opacity: f64) -> Colour {
    let first = |stops: &[usvg::Stop]| stops.first().map_or(usvg::Color::black(), |s| s.color());
    let c = match paint {
        usvg::Paint::Color(c) => *c,
        usvg::Paint::LinearGradient(g) => first(g.stops()),
        usvg::Paint::RadialGradient(g) => first(g.stops()),
        usvg::Paint::Pattern(_) => usvg::Color::black(),
    };
    Colour::from([c.red, c.green, c.blue]).alpha(opacity)
}

fn outline(path: &usvg::tiny_skia_path::Path) -> BezPath {
    let at = |p: usvg::tiny_skia_path::Point| Point::new(f64::from(p.x), f64::from(p.y));
    let mut outline = BezPath::new();
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(p) => outline.move_to(at(p)),
            PathSegment::LineTo(p) => outline.line_to(at(p)),
            PathSegment::QuadTo(a, p) => outline.quad_to(at(a), at(p)),
            PathSegment::CubicTo(a, b, p) => outline.curve_to(at(a), at(b), at(p)),
            PathSegment::Close => outline.close_path(),
        }
    }
    outline
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_colour_of_the_owner_is_filled_in() {
        let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">
            <rect width="20" height="10" fill="currentColor"/>
            <circle id="symbol" cx="10" cy="5" r="2" fill="#fff" stroke="currentColor"/></svg>"##;
        let icon = Icon::read(svg).unwrap();
        let (centre, radius) = icon.chest.unwrap();
        assert!((centre - Point::new(0.5, 0.5)).hypot() < 1e-6 && (radius - 0.1).abs() < 1e-3);
        let seat = Colour::hex(0x0072b2);
        let shapes = icon.tinted(seat);
        assert_eq!(shapes.shapes().len(), 3);
        assert_eq!(shapes.shapes()[0].paint, Paint::Fill(seat));
        assert!(Icon::read("<svg").is_err());
    }
}
