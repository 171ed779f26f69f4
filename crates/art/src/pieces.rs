//! Draws pieces and icons, for boards and panels.

use board::{TagIdx, TileIdx};
use kurbo::{Affine, BezPath, Point, Rect, Shape};
use theme::Colour;

use crate::icon::Icon;
use crate::paint::{icon_or_letters, outline};
use crate::painter::Painter;
use crate::picture::Picture;
use crate::seats::Symbol;

/// The pose in which a piece is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pose {
    /// Upright.
    Standing,
    /// Lying down: pinned by a script, or on land in the piece's `lies_on`.
    Lying,
}

/// The distances from a piece to the outer edges of its two outlines, in units of the piece: the
/// inner outline, and the outer outline around it.
const OUTLINES: [f64; 2] = [0.056, 0.118];

/// The size of a piece in the unit square of its picture. The outlines need the rest.
const PIECE_SIZE: f64 = 0.81;

/// Returns the colours of the inner and the outer outline of pieces in `colour`: white and a
/// near-black, so that one of them contrasts with any ground. The inner outline contrasts more with
/// the piece. Symbols on pieces have its colour as well.
fn outline_colours(colour: Colour) -> [Colour; 2] {
    let mut both = [Colour::hex(0x15120e), Colour::hex(0xffffff)];
    both.sort_by(|a, b| b.contrast(colour).total_cmp(&a.contrast(colour)));
    both
}

impl Painter {
    /// Draws a piece in a unit square, with a double outline. Draws `symbol` on the chest of the
    /// piece, if the piece's icon has a place for the symbol.
    ///
    /// A piece without an icon becomes a round pawn with the first two letters of its name. If a
    /// lying piece has no lying icon, the painter draws its upright icon or its pawn turned on its
    /// side.
    pub fn piece(&self, name: &str, pose: Pose, colour: [u8; 3], symbol: Symbol) -> Picture {
        let colour = Colour::from(colour);
        let lying = || self.icons.get("piece", name, "lying").flatten().map(|icon| (icon, false));
        let standing = || self.icons.get("piece", name, "icon").flatten();
        let found = match pose {
            Pose::Standing => standing().map(|icon| (icon, false)),
            Pose::Lying => lying().or_else(|| standing().map(|icon| (icon, true))),
        };
        let (drawn, chest) = match found {
            Some((icon, is_turned)) => turned((icon.tinted(colour), icon.chest), is_turned),
            None => turned(self.pawn(name, colour), pose == Pose::Lying),
        };
        let mut picture = Picture::default();
        // Makes the drawing smaller, to leave room for the outlines around it.
        let margin = (1.0 - PIECE_SIZE) / 2.0;
        let place = Affine::translate((margin, margin)) * Affine::scale(PIECE_SIZE);
        for (width, line) in OUTLINES.into_iter().zip(outline_colours(colour)).rev() {
            outline(&mut picture, &drawn, place, line, width);
        }
        picture.put(&drawn, place);
        if let Some((centre, radius)) = chest {
            let [mark, _] = outline_colours(colour);
            picture.fill(symbol.outline(place * centre, radius * 0.85), mark);
        }
        picture
    }

    /// Draws the fallback for a piece without an icon. Returns the drawing, and the centre and
    /// radius of the symbol on its chest.
    fn pawn(&self, name: &str, colour: Colour) -> Figure {
        let mut body = BezPath::new();
        body.move_to((0.12, 0.96));
        body.curve_to((0.22, 0.70), (0.28, 0.56), (0.34, 0.42));
        body.line_to((0.66, 0.42));
        body.curve_to((0.72, 0.56), (0.78, 0.70), (0.88, 0.96));
        body.close_path();
        let mut pawn = Picture::default();
        pawn.fill(body, colour);
        pawn.disc(Point::new(0.5, 0.27), 0.23, colour);
        let [mark, _] = outline_colours(colour);
        let letters: String = name.chars().take(2).collect();
        pawn.write_centred(&letters, Point::new(0.5, 0.27), 0.18, 0.3, mark.with_alpha(0.99));
        (pawn, Some((Point::new(0.5, 0.74), 0.16)))
    }

    /// Draws the back of a tile.
    pub fn tile_back(&self) -> Picture {
        let colours = &self.palette;
        let mut picture = Picture::default();
        picture.rect(Rect::new(0.0, 0.0, 1.0, 1.0), colours.back);
        // Draws a town seen from above: blocks with streets between them, and a wall with towers
        // around the blocks.
        for row in 0..3 {
            for column in 0..3 {
                let corner = Point::new(0.245 + 0.18 * f64::from(column), 0.245 + 0.18 * f64::from(row));
                let block = Rect::from_origin_size(corner, (0.15, 0.15));
                let is_square = row == 1 && column == 1;
                let tone = if is_square { colours.back.darken(0.12) } else { colours.back_light };
                picture.fill(block.to_rounded_rect(0.02).to_path(0.002), tone);
            }
        }
        picture.line(Rect::new(0.18, 0.18, 0.82, 0.82).to_path(0.1), colours.back_light, 0.03);
        for (x, y) in
            [(0.18, 0.18), (0.82, 0.18), (0.82, 0.82), (0.18, 0.82), (0.5, 0.18), (0.5, 0.82), (0.18, 0.5), (0.82, 0.5)]
        {
            picture.disc(Point::new(x, y), 0.045, colours.back.darken(0.35));
            picture.disc(Point::new(x, y), 0.035, colours.back_light.lighten(0.15));
        }
        picture.line(Rect::new(0.04, 0.04, 0.96, 0.96).to_path(0.1), colours.back.darken(0.2), 0.015);
        picture.line(Rect::new(0.0, 0.0, 1.0, 1.0).to_path(0.1), colours.rim.with_alpha(0.4), 0.012);
        picture
    }

    /// Draws the built-in icon called `name` in a unit square. If there is no such icon, draws the
    /// first letters of the name.
    pub fn builtin_icon(&self, name: &str) -> Picture {
        let icon = theme::builtin_icon(name).and_then(|svg| Icon::read(svg).ok());
        icon_or_letters(icon.as_ref(), name, &self.palette)
    }

    /// Draws the icon with the SVG text `svg` in a unit square. If `svg` is not a valid icon, draws
    /// a question mark.
    pub fn svg_icon(&self, svg: &str) -> Picture {
        icon_or_letters(Icon::read(svg).ok().as_ref(), "?", &self.palette)
    }

    /// Draws the icon of a tag, or of one of its words, in a unit square. If there is no icon,
    /// draws the first letters of the name.
    pub fn icon_of_tag(&self, tag: &str, word: Option<&str>) -> Picture {
        icon_or_letters(self.icons.of_tag(tag, word).flatten(), word.unwrap_or(tag), &self.palette)
    }

    /// Draws the icon of a token, pile or card in a unit square, or the first letters of its name
    /// if it has no icon. `section` is its section in `theme.toml`, such as `token`. The name of a
    /// card is qualified, such as `messages/least_road`.
    pub fn icon_of(&self, section: &str, name: &str) -> Picture {
        let own_name = name.split_once('/').map_or(name, |(_, own_name)| own_name);
        icon_or_letters(self.icons.get(section, name, "icon").flatten(), own_name, &self.palette)
    }

    /// Draws the marker of a link between two zones, for tiles with the tag `tag`, in a unit
    /// square. If the tag has no icon for links, draws the first letters of its name.
    pub fn icon_of_link(&self, tag: &str) -> Picture {
        icon_or_letters(self.icons.get("tag", tag, "link").flatten(), tag, &self.palette)
    }

    /// Returns the first tag of the tile that has an icon for links, if there is one.
    pub fn link_tag(&self, tile: TileIdx) -> Option<&str> {
        let tags = self.tile_set.tags.iter().enumerate();
        let mut own = tags.filter(|(i, _)| self.tile_set.tile(tile).tag(TagIdx(*i as u8)).is_some());
        own.find(|(_, tag)| self.icons.get("tag", &tag.name, "link").is_some()).map(|(_, tag)| tag.name.as_str())
    }
}

/// A drawing of a piece, and the centre and radius of the symbol on its chest; `None` if it has no
/// place for a symbol.
type Figure = (Picture, Option<(Point, f64)>);

/// Turns a drawing on its side if `is_turned` is true.
fn turned((upright, chest): Figure, is_turned: bool) -> Figure {
    if !is_turned {
        return (upright, chest);
    }
    let turn = Affine::rotate_about(-std::f64::consts::FRAC_PI_2, Point::new(0.5, 0.5));
    let mut picture = Picture::default();
    picture.put(&upright, turn);
    (picture, chest.map(|(centre, radius)| (turn * centre, radius)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use theme::Palette;

    use super::*;
    use crate::seats::{named_colour, seat_colour, traditional_colour};

    #[test]
    fn outlines_contrast_with_every_seat_and_every_ground() {
        let named = ["red", "blue", "green", "yellow", "black", "pink", "orange", "white", "brown", "purple", "grey"];
        let named = named.into_iter().flat_map(|name| named_colour(name).unwrap());
        let seats = (0..8).flat_map(|n| [seat_colour(n), traditional_colour(n)]);
        let palette = Palette::default();
        let grounds =
            [palette.ground, palette.ground_light, palette.ground_dark, palette.path, palette.water, palette.town];
        let more = [
            palette.town_dark,
            palette.roof_1,
            palette.roof_2,
            palette.wood,
            palette.wood_1,
            palette.yard,
            palette.wall,
        ];
        for colour in seats.chain(named).map(Colour::from) {
            let [inner, outer] = outline_colours(colour);
            assert!(inner.contrast(colour) >= 4.5, "{colour:?}: {}", inner.contrast(colour));
            for ground in grounds.into_iter().chain(more) {
                let best = inner.contrast(ground).max(outer.contrast(ground));
                assert!(best >= 4.2, "{colour:?} on {ground:?}: {best}");
            }
        }
    }
}
