//! Icons: converts the SVG texts of mods to pictures in a unit square.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use kurbo::{Affine, BezPath, Point, Shape as _};
use theme::{Colour, Theme, ThemeKey};
use usvg::tiny_skia_path::PathSegment;

use crate::icon_error::IconError;
use crate::icon_limits::MAX_SEGMENTS;
use crate::picture::Picture;
use crate::svg_shapes;

/// Checks whether the painter can draw an SVG as an icon, for [`Theme::read`].
///
/// # Errors
/// Returns an error if the text is not a valid SVG or exceeds a limit for icons.
pub fn check_icon(svg: &str) -> Result<(), Box<dyn Error>> {
    Icon::read(svg)?;
    Ok(())
}

/// The icons of a theme, by section, name and key; `None` if the theme declares that there is no
/// icon.
pub(crate) struct Icons(BTreeMap<ThemeKey, Option<Arc<Icon>>>);

impl Icons {
    /// Reads the icons of `theme`. Treats an invalid icon as missing, because [`check_icon`]
    /// reports such an icon.
    pub(crate) fn of(theme: &Theme) -> Icons {
        // Names with the same SVG text share one drawing.
        let mut drawings: BTreeMap<&str, Option<Arc<Icon>>> = BTreeMap::new();
        let mut icons = BTreeMap::new();
        for (key, svg) in theme.icons() {
            let Some(svg) = svg else {
                icons.insert(key.clone(), None);
                continue;
            };
            let drawing = drawings.entry(svg).or_insert_with(|| Icon::read(svg).ok().map(Arc::new));
            if let Some(icon) = drawing {
                icons.insert(key.clone(), Some(icon.clone()));
            }
        }
        Icons(icons)
    }

    /// Returns an icon by section, name and key of the theme. `None` if the theme does not mention
    /// the icon or the icon is invalid; `Some(None)` if the theme declares that there is no icon.
    pub(crate) fn get(&self, section: &str, name: &str, key: &str) -> Option<Option<&Icon>> {
        self.0.get(&[section, name, key].map(str::to_owned)).map(Option::as_deref)
    }

    /// Returns the icon of a tag, or of one of its words. A word without its own icon has the icon
    /// of its tag. Returns `None` and `Some(None)` in the same cases as [`get`](Self::get).
    pub(crate) fn of_tag(&self, tag: &str, word: Option<&str>) -> Option<Option<&Icon>> {
        let of_word = word.and_then(|word| self.get("tag", tag, &format!("icon.{word}")));
        of_word.or_else(|| self.get("tag", tag, "icon"))
    }
}

/// The colour that stands for the owner's colour in an icon. `Icon::read` replaces `currentColor`
/// with this placeholder, and [`Icon::tinted`] replaces the placeholder with the owner's colour.
const SEAT_PLACEHOLDER: Colour = Colour::hex(0x01_fe03);

/// The largest distance of a shape from the origin along either axis. The unit is the longer side
/// of the icon.
const MAX_COORDINATE: f64 = 1000.0;

/// An icon that was read from an SVG.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Icon {
    picture: Picture,
    /// The centre and the radius of the area in which the symbol of the owner is drawn. The shape
    /// with the id `symbol` in the SVG marks this area; `None` if the icon has no such shape.
    pub(crate) chest: Option<(Point, f64)>,
}

impl Icon {
    /// Reads an SVG. Replaces gradients with their first colour, and ignores text, images and
    /// filters. Opens no file and downloads nothing.
    pub(crate) fn read(svg: &str) -> Result<Icon, IconError> {
        let style_sheet = Some(format!("svg {{ color: {SEAT_PLACEHOLDER} }}"));
        // The library's default would open any file that an image names.
        let image_href_resolver =
            usvg::ImageHrefResolver { resolve_data: Box::new(|_, _, _| None), resolve_string: Box::new(|_, _| None) };
        let options = usvg::Options { style_sheet, image_href_resolver, ..usvg::Options::default() };
        let shapes = svg_shapes::sanitize_svg(svg)?;
        let tree = usvg::Tree::from_str(&shapes, &options)?;
        let (w, h) = (f64::from(tree.size().width()), f64::from(tree.size().height()));
        let scale = 1.0 / w.max(h);
        let place = Affine::translate(((1.0 - w * scale) / 2.0, (1.0 - h * scale) / 2.0)) * Affine::scale(scale);
        let mut icon = Icon { picture: Picture::default(), chest: None };
        icon.read_group(tree.root(), place, 1.0);
        let n_segments: usize = icon.picture.shapes().iter().map(|shape| shape.path.elements().len()).sum();
        if n_segments > MAX_SEGMENTS {
            return Err(IconError::Points(n_segments));
        }
        let bounds = icon.picture.shapes().iter().map(|shape| shape.path.bounding_box());
        let is_far =
            |b: kurbo::Rect| [b.x0, b.y0, b.x1, b.y1].iter().any(|at| !(-MAX_COORDINATE..=MAX_COORDINATE).contains(at));
        if bounds.into_iter().any(is_far) {
            return Err(IconError::FarShapes);
        }
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
        let outline = place * to_bez_path(path.data());
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
            self.picture.line(outline, colour, width.min(MAX_COORDINATE));
        }
    }

    /// Returns the icon in the owner's colour: `seat` replaces the placeholder
    /// [`SEAT_PLACEHOLDER`].
    pub(crate) fn tinted(&self, seat: Colour) -> Picture {
        let tint = |c: Colour| if c.rgb() == SEAT_PLACEHOLDER.rgb() { Colour { a: c.a, ..seat } } else { c };
        self.picture.clone().with_colours(tint)
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
    Colour::from([c.red, c.green, c.blue]).with_alpha(opacity)
}

fn to_bez_path(path: &usvg::tiny_skia_path::Path) -> BezPath {
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
    use crate::picture::Paint;

    const HEAD: &str =
        r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 20 20">"#;

    /// Returns the number of shapes of the icon, or the error message if the icon cannot be read.
    fn n_shapes(inside: &str) -> Result<usize, String> {
        let icon = Icon::read(&format!("{HEAD}{inside}</svg>"));
        icon.map(|icon| icon.picture.shapes().len()).map_err(|error| error.to_string())
    }

    #[test]
    #[cfg(unix)]
    fn no_file_is_opened() {
        // Reading this device would never end.
        let image =
            r#"<image width="9" height="9" href="/dev/zero"/><image width="9" height="9" xlink:href="/dev/zero"/>"#;
        assert_eq!(n_shapes(&format!("{image}<rect width=\"3\" height=\"3\"/>")), Ok(1));
        let effect =
            r##"<filter id="f"><feImage href="/dev/zero"/></filter><rect width="3" height="3" filter="url(#f)"/>"##;
        assert_eq!(n_shapes(effect), Ok(1));
        let data = r#"<image width="9" height="9" href="data:image/svg+xml,%3Csvg/%3E"/>"#;
        assert_eq!(n_shapes(data), Ok(0));
    }

    #[test]
    fn entities_are_refused() {
        let svg = format!("<!DOCTYPE svg [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>{HEAD}<title>&x;</title></svg>");
        assert_eq!(Icon::read(&svg).unwrap_err().to_string(), "it declares entities, which are not allowed in icons");
        let plain =
            "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">";
        let svg = format!("{plain}{HEAD}<rect width=\"3\" height=\"3\"/></svg>");
        assert_eq!(Icon::read(&svg).unwrap().picture.shapes().len(), 1);
    }

    #[test]
    fn bombs_are_refused() {
        let rect = "<rect width=\"3\" height=\"3\"/>";
        let deep = format!("{}{rect}{}", "<g>".repeat(100), "</g>".repeat(100));
        assert_eq!(n_shapes(&deep).unwrap_err(), "its elements are nested more than 64 deep");
        assert!(n_shapes(&rect.repeat(8_000)).unwrap_err().contains("nodes limit"), "many elements");
        let uses = |i: usize| format!("<g id=\"a{}\">{}</g>", i + 1, format!("<use xlink:href=\"#a{i}\"/>").repeat(10));
        let bomb: String = (0..9).map(uses).collect();
        assert_eq!(
            n_shapes(&format!("<g id=\"a0\">{rect}</g>{bomb}")).unwrap_err(),
            "it is too large once every `use` is expanded"
        );
        let itself = "<g id=\"a\"><use href=\"#a\"/></g>";
        assert_eq!(n_shapes(itself).unwrap_err(), "its elements are nested more than 64 deep");
        let long = format!("<path d=\"M0 0{}\"/>", "h1v1".repeat(10_000));
        assert_eq!(n_shapes(&long).unwrap_err(), "its outlines have 20001 points; at most 5000 are allowed");
        let longer = format!("<path d=\"M0 0{}\"/>", "h1v1".repeat(20_000));
        assert_eq!(n_shapes(&longer).unwrap_err(), "its paths have more than 30000 numbers");
        // The SVG library would take seconds for the outlines of such curves.
        let far = format!("<path stroke=\"red\" d=\"M0 0C1 1 1 1 1 {}\"/>", 4_181_748);
        assert_eq!(n_shapes(&far).unwrap_err(), "it has shapes far outside of its picture");
        let often = format!("<defs><g id=\"p\">{}</g></defs>{}", rect.repeat(100), "<use href=\"#p\"/>".repeat(1000));
        assert_eq!(n_shapes(&often).unwrap_err(), "it is too large once every `use` is expanded");
        let pattern =
            "<pattern id=\"p\" width=\"1\" height=\"1\"><rect width=\"1\" height=\"1\" fill=\"url(#p)\"/></pattern>";
        assert_eq!(n_shapes(&format!("{pattern}{rect}")), Ok(1));
        assert_eq!(
            n_shapes("<rect x=\"1e30\" width=\"3\" height=\"3\"/>").unwrap_err(),
            "it has shapes far outside of its picture"
        );
        // The SVG library would take seconds and gigabytes for these shapes.
        for far in [
            "<ellipse rx=\"100\" ry=\"1e38\"/>",
            "<circle r=\"+.9e+38\" stroke=\"red\"/>",
            "<rect width=\"3\" height=\"3\" style=\"fill: red; stroke-width:1e38\"/>",
            "<style>rect { stroke-width/**/:1E38 }</style><rect width=\"3\" height=\"3\"/>",
            "<path stroke=\"red\" d=\"M0 0L1 9e9\"/>",
            "<path stroke=\"red\" d=\"M999999999.0.1\"/>",
            "<g transform=\"scale(1e9)\"><rect width=\"3\" height=\"3\"/></g>",
        ] {
            assert_eq!(n_shapes(far).unwrap_err(), "it has shapes far outside of its picture", "{far}");
        }
        for near in [
            "<rect width=\"3\" height=\"3e0\" style=\"fill: #999999; stroke-width: 2em\"/>",
            "<style>.c999999 { fill: #999999 }</style><rect width=\"3\" height=\"3\"/>",
            "<path d=\"M1.5.5h3v3e0z\"/>",
        ] {
            assert_eq!(n_shapes(near), Ok(1), "{near}");
        }
        assert_eq!(n_shapes(&" ".repeat(300_000)).unwrap_err(), "it is larger than 256 kB");
    }

    #[test]
    fn namespaces_and_attributes_are_counted_before_they_are_read() {
        let rect = "<rect width=\"3\" height=\"3\"/>";
        let attributes = |n: usize| (0..n).map(|i| format!(" a{i}='>'")).collect::<String>();
        assert_eq!(n_shapes(&format!("<g{}>{rect}</g>", attributes(100))), Ok(1));
        let too_many = "one of its elements has more than 100 attributes";
        assert_eq!(n_shapes(&format!("<g{}>{rect}</g>", attributes(101))).unwrap_err(), too_many);
        // An unbalanced quote in the text before an element must not hide the attributes of the
        // element.
        for before in ["<!-- don't <g -->", "<![CDATA[ don't ]]>", "<?say don't ?>", "<title>don't</title>"] {
            assert_eq!(n_shapes(&format!("{before}<g{}>{rect}</g>", attributes(101))).unwrap_err(), too_many);
            assert_eq!(n_shapes(&format!("{before}{rect}")), Ok(1), "{before}");
        }
        let subset = format!("<!DOCTYPE svg [<!-- ' -->]>{HEAD}<g{}>{rect}</g></svg>", attributes(200));
        assert_eq!(
            Icon::read(&subset).unwrap_err().to_string(),
            "its document type contains declarations, which are not allowed in icons"
        );
        let nested = |n: usize| format!("{}{rect}{}", "<g xmlns:_=\"1\">".repeat(n), "</g>".repeat(n));
        assert_eq!(n_shapes(&nested(18)), Ok(1));
        assert_eq!(n_shapes(&nested(19)).unwrap_err(), "it declares more than 20 namespaces");
    }

    #[test]
    fn what_is_left_out_takes_nothing_with_it() {
        let clipped = r##"<clipPath id="c"><rect width="1" height="1"/></clipPath><mask id="m"><rect width="1" height="1"/></mask>
            <g clip-path="url(#c)"><rect width="3" height="3" mask="url(#m)"/></g><text>x</text>
            <path d="M0 0h9v9" marker-end="url(#c)"/><style>rect { fill: #f00 }</style>"##;
        assert_eq!(n_shapes(clipped), Ok(2));
    }

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
