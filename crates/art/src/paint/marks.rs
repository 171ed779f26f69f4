//! Chooses, places and draws the icons on tiles.

use board::{EdgeStyle, Facing, TagCarrier, TileIdx};
use kurbo::{Affine, Point};
use theme::{Colour, IconSpot, LandStyle, Palette};

use super::brush::Brush;
use crate::icon::Icon;
use crate::lines::path_point;
use crate::painter::{Detail, Painter, facing_transform};
use crate::picture::{Paint, Picture};
use crate::raster::distance_to_rim;

/// The default size of icons relative to the tile.
const SIZE: f64 = 0.16;

/// An icon to draw on a tile, with its position on the unturned tile.
pub(super) struct IconMark {
    pub(super) at: Point,
    pub(super) size: f64,
    icon: Picture,
    turns: bool,
}

/// Returns the icons of a tile, with their positions. Leaves out the icons of kinds for zones
/// inside the tile: [`paint`] draws them in the middle of these zones.
pub(super) fn find(painter: &Painter, tile: TileIdx) -> Vec<IconMark> {
    let (tile_set, theme) = (&painter.tile_set, &painter.theme);
    let declared = tile_set.tile(tile);
    let mut marks: Vec<IconMark> = Vec::new();
    for (z, zone) in declared.zones.iter().enumerate() {
        let is_inside = painter.plan(tile).insides.iter().any(|(inside, ..)| *inside == z);
        let kind = &tile_set.kind(zone.kind).name;
        let icon = painter.icons.get("kind", kind, "icon").flatten();
        if let Some(icon) = icon.filter(|_| painter.style(zone.kind) == LandStyle::Coloured && !is_inside) {
            let at = find_free_position(painter, tile, &marks, Some(z), SIZE).unwrap_or(Point::new(0.5, 0.5));
            marks.push(IconMark { at, size: SIZE, icon: icon.tinted(painter.palette.ink), turns: false });
        }
    }
    let mut add = |tag: &board::Tag, word: Option<&String>, zone: Option<usize>| {
        let word = word.map(String::as_str);
        if painter.icons.of_tag(&tag.name, word) == Some(None) {
            return;
        }
        let size = theme.icon_size(&tag.name).unwrap_or(SIZE);
        let spot = theme.icon_spot(&tag.name);
        let at = match (spot, zone) {
            (IconSpot::Middle, _) => Some(Point::new(0.5, 0.5)),
            (IconSpot::Ground, _) | (IconSpot::Free, None) => find_free_position(painter, tile, &marks, None, size),
            (IconSpot::Free, Some(zone)) => find_free_position(painter, tile, &marks, Some(zone), size),
        };
        let turns = theme.icon_turns(&tag.name);
        let at = at.unwrap_or(Point::new(0.5, 0.5));
        marks.push(IconMark { at, size, icon: painter.icon_of_tag(&tag.name, word), turns });
    };
    for (tag, value) in &declared.tags {
        let tag = tile_set.tag(*tag);
        debug_assert_eq!(tag.on, TagCarrier::Tile);
        add(tag, usize::try_from(*value).ok().and_then(|i| tag.values.get(i)), None);
    }
    for (z, zone) in declared.zones.iter().enumerate() {
        for value in &zone.tags {
            let column = tile_set.columns[value.column.0 as usize];
            let tag = tile_set.tag(column.tag);
            let word = column.value.and_then(|i| tag.values.get(usize::from(i)));
            // The value of the tag is the number of icons, at most three.
            for _ in 0..value.value.clamp(0, 3) {
                add(tag, word, Some(z));
            }
        }
    }
    marks
}

/// Returns a position for an icon of `size`, away from the places of pieces. The position is in
/// `zone`, or beside it if the zone is a line. If `zone` is `None`, prefers open ground.
fn find_free_position(
    painter: &Painter,
    tile: TileIdx,
    marks: &[IconMark],
    zone: Option<usize>,
    size: f64,
) -> Option<Point> {
    let plan = painter.plan(tile);
    let zones = &painter.tile_set.tile(tile).zones;
    let is_open: Vec<bool> = zones.iter().map(|z| painter.tile_set.kind(z.kind).edge == EdgeStyle::Ground).collect();
    let half = size / 2.0;
    let places: Vec<Point> = plan.places.iter().filter_map(|p| p.first()).copied().collect();
    let beside = zone.filter(|z| plan.lines.iter().any(|l| l.zone == *z));
    let line: Vec<Point> = (plan.lines.iter().filter(|l| Some(l.zone) == beside))
        .flat_map(|l| (1..20).map(|i| path_point(&l.path, f64::from(i) / 20.0)))
        .collect();
    let worth = |p: Point, here: u8, clear: f64| -> Option<f64> {
        let is_open = *is_open.get(usize::from(here))?;
        let is_here = match (beside, zone) {
            (Some(_), _) => is_open,
            (None, Some(zone)) => usize::from(here) == zone,
            (None, None) => true,
        };
        if !is_here {
            return None;
        }
        let crowd = |list: &mut dyn Iterator<Item = (Point, f64)>| {
            list.map(|(o, r)| (half + r - (o - p).hypot()).max(0.0)).fold(0.0, f64::max)
        };
        // An icon across the border of two zones is ambiguous, which is worse than an icon close to
        // a piece.
        let mut worth = clear.min(half) * 3.0 + clear.min(half + 0.05) + distance_to_rim(p).min(half + 0.03);
        worth -= (p - Point::new(0.5, 0.5)).hypot() * 0.05;
        worth -= crowd(&mut places.iter().map(|p| (*p, 0.15))) * 3.0;
        worth -= crowd(&mut marks.iter().map(|m| (m.at, m.size / 2.0))) * 6.0;
        worth -= crowd(&mut plan.gates.iter().map(|g| (g.1, 0.05))) * 2.0;
        if beside.is_some() {
            let far = line.iter().map(|l| (*l - p).hypot()).fold(1.0, f64::min);
            worth -= (far - half - 0.085).abs() * 2.0;
        }
        if zone.is_none() {
            // Icons of the whole tile prefer open ground.
            worth += if is_open { 0.1 } else { 0.0 };
            worth -= if clear < half * 0.5 { 0.1 } else { 0.0 };
        }
        Some(worth)
    };
    let cells = plan.raster.cells().filter(|(p, ..)| distance_to_rim(*p) > half + 0.025);
    let offers = cells.filter_map(|(p, here, clear)| Some((worth(p, here, clear)?, p)));
    offers.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, p)| p)
}

/// The size from which on an icon is a picture of the whole tile, on which other objects may lie.
const PICTURE: f64 = 0.5;

impl Painter {
    /// Returns the icons and buildings on a tile at `facing` as circles, each with its centre in
    /// the unit square and its radius. Leaves out icons that cover most of the tile.
    pub fn icon_circles(&self, tile: TileIdx, facing: Facing) -> Vec<([f64; 2], f64)> {
        let zones = &self.tile_set.tile(tile).zones;
        let has_icon = |zone: &usize| {
            zones.get(*zone).is_some_and(|zone| match self.style(zone.kind) {
                LandStyle::Icon | LandStyle::Building => true,
                LandStyle::Coloured => {
                    self.icons.get("kind", &self.tile_set.kind(zone.kind).name, "icon").flatten().is_some()
                }
                _ => false,
            })
        };
        let insides = self.plan(tile).insides.iter().filter(|(zone, ..)| has_icon(zone)).map(|(_, at, r)| (*at, *r));
        let marks = find(self, tile).into_iter().filter(|mark| mark.size < PICTURE);
        let marks = marks.map(|mark| (mark.at, mark.size / 2.0));
        let turn = facing_transform(facing);
        let turned = |(at, radius): (Point, f64)| {
            let at = turn * at;
            ([at.x, at.y], radius)
        };
        insides.chain(marks).map(turned).collect()
    }
}

/// Draws the icons of a tile.
pub(super) fn paint(
    brush: &Brush<'_>,
    painter: &Painter,
    picture: &mut Picture,
    tile: TileIdx,
    marks: &[IconMark],
    detail: Detail,
) {
    for (zone, p, r) in &brush.plan.insides {
        let kind = &painter.tile_set.kind(painter.tile_set.tile(tile).zones[*zone].kind).name;
        let icon = painter.icons.get("kind", kind, "icon").flatten();
        let place = |scale: f64| square_transform(brush.map_point(*p), r * scale);
        match (brush.styles[*zone], icon) {
            (LandStyle::Icon, _) => picture.put(&icon_or_letters(icon, kind, brush.colours), place(1.8)),
            (LandStyle::Coloured, Some(icon)) => picture.put(&icon.tinted(brush.colours.ink), place(1.2)),
            _ => {}
        }
    }
    for mark in marks {
        let size = drawn_size(mark.size, detail);
        let place = square_transform(brush.map_point(mark.at), size);
        let angle = if mark.turns { f64::from(brush.facing.degrees()).to_radians() } else { 0.0 };
        let turned = Affine::rotate_about(angle, Point::new(0.5, 0.5));
        if detail != Detail::Full && mark.size < PICTURE {
            // A light line separates the icon from roofs and trees.
            outline(picture, &mark.icon, place * turned, brush.colours.wall_light, HALO);
        }
        picture.put(&mark.icon, place * turned);
    }
}

/// The width of the light line around the icons of small tiles, relative to the icon.
const HALO: f64 = 0.09;

/// Returns the size of an icon on a tile with this detail. Icons may be the only visible difference
/// between small tiles, so icons are larger on small tiles.
pub(super) fn drawn_size(size: f64, detail: Detail) -> f64 {
    (size * detail.choose([2.0, 1.75, 1.0])).min(0.5).max(size)
}

/// Draws a line of `width` around the opaque shapes of `drawing`. The width is measured in the
/// drawing, before `place` transforms it.
pub(crate) fn outline(picture: &mut Picture, drawing: &Picture, place: Affine, colour: Colour, width: f64) {
    let scale = place.determinant().abs().sqrt();
    for shape in drawing.shapes() {
        let own = match shape.paint {
            // Translucent shapes are shading, so they get no outline.
            Paint::Fill(c) if c.a == 255 => 0.0,
            Paint::Line { colour, width } if colour.a == 255 => width,
            _ => continue,
        };
        picture.line(place * shape.path.clone(), colour, (own + width * 2.0) * scale);
    }
}

/// Maps the unit square to a square around `centre`.
fn square_transform(centre: Point, size: f64) -> Affine {
    Affine::translate(centre.to_vec2() - kurbo::Vec2::new(size, size) / 2.0) * Affine::scale(size)
}

/// Returns an icon in neutral colours in the unit square. If there is no icon, returns a disc with
/// the first letters of `name`.
pub(crate) fn icon_or_letters(icon: Option<&Icon>, name: &str, colours: &Palette) -> Picture {
    icon.map_or_else(|| letter_disc(name, colours), |icon| icon.tinted(colours.ink))
}

/// Draws a disc with the first letters of a name, as a fallback icon.
fn letter_disc(name: &str, colours: &Palette) -> Picture {
    let mut picture = Picture::default();
    let centre = Point::new(0.5, 0.5);
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let letters: String = match words[..] {
        [one] => one.chars().take(2).collect(),
        _ => words.iter().filter_map(|w| w.chars().next()).take(2).collect(),
    };
    picture.disc(centre, 0.48, colours.ink);
    picture.disc(centre, 0.42, colours.building);
    picture.write_centred(&letters, centre, 0.36, 0.6, colours.ink);
    picture
}
