//! The painter: draws everything that lies on a board, and returns the shapes of zones in the
//! pictures.

use std::fmt;
use std::sync::OnceLock;

use board::{Facing, KindIdx, TileIdx, TileSet};
use kurbo::{Affine, Point, Vec2};
use theme::{LandStyle, Palette, Theme};

use crate::covers::{self, Cover};
use crate::icon::Icons;
use crate::plan::TilePlan;

/// The level of detail of a tile's picture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Detail {
    /// Shapes, large icons, bold walls, and a few very large roofs and trees, for tiles less than
    /// 40 pixels wide. Buildings are signs.
    Shapes,
    /// Also texture, streets, and more roofs and trees, for tiles less than 80 pixels wide.
    Roofs,
    /// Everything: streets, houses, walls and icons in their normal size, and buildings with
    /// windows and yards.
    Full,
}

impl Detail {
    /// Returns the detail that is visible on a tile `width` pixels wide.
    pub fn for_width(width: u32) -> Detail {
        match width {
            0..40 => Detail::Shapes,
            40..80 => Detail::Roofs,
            _ => Detail::Full,
        }
    }

    /// Returns one of three numbers: for shapes, for roofs, or for everything.
    pub(crate) fn choose(self, numbers: [f64; 3]) -> f64 {
        numbers[self as usize]
    }
}

/// The variant of the picture of a tile, among the tiles of its type and facing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TileVariant {
    /// Each number gives a slightly different picture, so that copies of a tile do not look the
    /// same.
    pub copy: u32,
    /// The zones that belong to complete features: bit `n` stands for zone `n`.
    pub complete: u32,
}

impl TileVariant {
    /// Returns the look of copy number `copy` of a tile without complete features.
    pub fn of_copy(copy: u32) -> TileVariant {
        TileVariant { copy, complete: 0 }
    }
}

/// The shape of a zone on its tile, in the unit square. The y coordinate grows downwards.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ZoneShape {
    /// One or more polygons, possibly with holes, filled by the even-odd rule.
    pub outline: Vec<Vec<[f32; 2]>>,
    /// Places for pieces, the best first. The first places of different zones are far apart if
    /// there is room.
    pub places: Vec<[f32; 2]>,
}

/// Draws the tiles of a tile set in one palette. Computes the plan of a tile type at its first use,
/// and then caches the plan.
pub struct Painter {
    pub(crate) tile_set: TileSet,
    pub(crate) theme: Theme,
    pub(crate) icons: Icons,
    pub(crate) palette: Palette,
    /// The style of each kind of land, and the cover of coloured land.
    looks: Vec<(LandStyle, Option<Cover>)>,
    plans: Vec<OnceLock<TilePlan>>,
    zones: Vec<[OnceLock<Vec<ZoneShape>>; 4]>,
}

impl fmt::Debug for Painter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Painter").finish_non_exhaustive()
    }
}

/// The places for a piece in front of a building or an icon, relative to its middle and radius, the
/// best first.
const IN_FRONT: [(f64, f64); 3] = [(0.80, 0.46), (-0.80, 0.46), (0.06, 0.92)];

/// The distance between the places of two zones, in tiles, from which on they do not crowd each
/// other.
const ENOUGH_ROOM: f64 = 0.28;

/// Returns the transformation from the plan of an unturned tile to the tile at `facing`.
pub(crate) fn facing_transform(facing: Facing) -> Affine {
    match facing.quarters() {
        0 => Affine::IDENTITY,
        1 => Affine::new([0.0, 1.0, -1.0, 0.0, 1.0, 0.0]),
        2 => Affine::new([-1.0, 0.0, 0.0, -1.0, 1.0, 1.0]),
        _ => Affine::new([0.0, -1.0, 1.0, 0.0, 0.0, 1.0]),
    }
}

impl Painter {
    /// Makes a painter for the tiles of `tile_set` in palette `palette` of `theme`, or in the
    /// default colours if there is no such palette.
    pub fn new(tile_set: &TileSet, theme: &Theme, palette: &str) -> Painter {
        Painter {
            tile_set: tile_set.clone(),
            theme: theme.clone(),
            icons: Icons::of(theme),
            palette: theme.palette(palette),
            looks: covers::styles_and_covers(tile_set, theme),
            plans: tile_set.tiles.iter().map(|_| OnceLock::new()).collect(),
            zones: tile_set.tiles.iter().map(|_| Default::default()).collect(),
        }
    }

    /// Returns whether a new painter for this tile set, theme and palette would draw the same.
    pub fn draws(&self, tile_set: &TileSet, theme: &Theme, palette: &str) -> bool {
        self.palette == theme.palette(palette) && self.theme == *theme && self.tile_set == *tile_set
    }

    /// Returns the tiles that this painter draws.
    pub fn tile_set(&self) -> &TileSet {
        &self.tile_set
    }

    /// Returns the colours in use, also for callers that draw the board around the tiles.
    pub fn palette(&self) -> &Palette {
        &self.palette
    }

    /// Returns the style in which a kind of land is drawn.
    ///
    /// If the theme gives the kind a style, returns this style. Otherwise, the first kind with each
    /// edge style has a default style, if the theme gives it neither a colour nor a pattern. All
    /// other kinds are coloured.
    pub fn style(&self, kind: KindIdx) -> LandStyle {
        self.looks[usize::from(kind.0)].0
    }

    /// Returns the colours and the pattern of a kind of land; `None` if it is not coloured.
    pub fn cover(&self, kind: KindIdx) -> Option<Cover> {
        self.looks[usize::from(kind.0)].1
    }

    pub(crate) fn plan(&self, tile: TileIdx) -> &TilePlan {
        self.plans[tile.0 as usize].get_or_init(|| {
            let styles = self.tile_set.tile(tile).zones.iter().map(|z| self.style(z.kind)).collect();
            TilePlan::new(&self.tile_set, tile, styles)
        })
    }

    /// Returns the shapes of a tile's zones at `facing`, by zone number. Together the shapes cover
    /// the tile.
    pub fn zones(&self, tile: TileIdx, facing: Facing) -> &[ZoneShape] {
        self.zones[tile.0 as usize][facing.quarters() as usize].get_or_init(|| {
            let plan = self.plan(tile);
            let turn = facing_transform(facing);
            let point = |p: Point| {
                let p = turn * p;
                [p.x as f32, p.y as f32]
            };
            let places = self.places(tile, facing);
            let shape = |(area, places): (&crate::area::Area, Vec<Point>)| ZoneShape {
                outline: area.0.iter().map(|c| c.iter().map(|[x, y]| point(Point::new(*x, *y))).collect()).collect(),
                places: places.into_iter().map(|p| [p.x as f32, p.y as f32]).collect(),
            };
            plan.areas.iter().zip(places).map(shape).collect()
        })
    }

    /// Returns the places for pieces on the tile at `facing`, by zone number. The first place on a
    /// building or an icon is in front of it, so that a piece does not hide it. Buildings and icons
    /// do not turn with their tile, so the plan cannot contain these places.
    fn places(&self, tile: TileIdx, facing: Facing) -> Vec<Vec<Point>> {
        let plan = self.plan(tile);
        let turn = facing_transform(facing);
        let mut places: Vec<Vec<Point>> =
            plan.places.iter().map(|of_zone| of_zone.iter().map(|p| turn * *p).collect()).collect();
        let declared = self.tile_set.tile(tile);
        for (zone, middle, radius) in &plan.insides {
            if matches!(
                self.style(declared.zones[*zone].kind),
                LandStyle::Water | LandStyle::Wooded | LandStyle::Ground
            ) {
                continue;
            }
            let others = places.iter().enumerate().filter(|(other, _)| other != zone);
            let others: Vec<Point> = others.filter_map(|(_, places)| places.first().copied()).collect();
            let room = |p: Point| others.iter().map(|other| (*other - p).hypot()).fold(ENOUGH_ROOM, f64::min);
            let places_in_front = IN_FRONT.map(|(x, y)| turn * *middle + Vec2::new(x, y) * *radius);
            // Of several places with the most room, `max_by` would return the last one.
            let best = places_in_front.into_iter().rev().max_by(|a, b| room(*a).total_cmp(&room(*b)));
            if let (Some(first), Some(best)) = (places[*zone].first_mut(), best) {
                *first = best;
            }
        }
        places
    }

    /// Returns the number of the zone under a point of the unit square. `None` if the point is
    /// outside the square or the tile has no zones.
    pub fn zone_at(&self, tile: TileIdx, facing: Facing, point: [f32; 2]) -> Option<usize> {
        let point = facing_transform(facing).inverse() * Point::new(f64::from(point[0]), f64::from(point[1]));
        if !(0.0..=1.0).contains(&point.x) || !(0.0..=1.0).contains(&point.y) {
            return None;
        }
        let plan = self.plan(tile);
        let inside = plan.areas.iter().position(|area| area.contains(point));
        let nearest = || {
            let distances = plan.areas.iter().enumerate().map(|(zone, area)| (area.distance(point), zone));
            distances.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, zone)| zone)
        };
        inside.or_else(nearest)
    }
}
