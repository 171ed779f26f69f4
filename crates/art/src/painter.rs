//! The painter: draws everything that lies on a board, and returns the shapes of zones in the
//! pictures.

use std::fmt;
use std::sync::OnceLock;

use board::{Facing, KindIdx, TileIdx, TileSet};
use kurbo::{Affine, Point};
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
            let shape = |(area, places): (&crate::area::Area, &Vec<Point>)| ZoneShape {
                outline: area.0.iter().map(|c| c.iter().map(|[x, y]| point(Point::new(*x, *y))).collect()).collect(),
                places: places.iter().map(|p| point(*p)).collect(),
            };
            plan.areas.iter().zip(&plan.places).map(shape).collect()
        })
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
