//! The painter: pictures of everything that lies on the board, and where zones are on them.

use std::sync::OnceLock;

use board::{EdgeStyle, Facing, Land, TileIdx};
use kurbo::{Affine, Point, Rect};

use crate::colour::Colour;
use crate::palette::Palette;
use crate::picture::Picture;
use crate::seats::Symbol;
use crate::theme::{Style, Theme};

/// How much there is to be seen on a tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Detail {
    /// Shapes and icons only: for tiles smaller than 64 pixels.
    Shapes,
    /// Texture and houses as well.
    Full,
}

impl Detail {
    /// What can be seen on a tile that is `width` pixels wide.
    pub fn for_width(width: u32) -> Detail {
        if width < 64 { Detail::Shapes } else { Detail::Full }
    }
}

/// How a piece is placed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pose {
    /// On its feet.
    Standing,
    /// On its back: it stays where it is.
    Lying,
}

/// Where a zone is on its tile, in the unit square with y downwards.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ZoneShape {
    /// Polygons, possibly several and with holes (even-odd).
    pub outline: Vec<Vec<[f32; 2]>>,
    /// Places for pieces, the best first; the first places of a tile's zones keep apart.
    pub places: Vec<[f32; 2]>,
}

/// Draws the tiles of a land in one palette. Cheap to share: what it has found out about tiles is kept.
#[derive(Debug)]
pub struct Painter {
    land: Land,
    theme: Theme,
    palette: Palette,
    zones: Vec<[OnceLock<Vec<ZoneShape>>; 4]>,
}

impl Painter {
    /// A painter for the tiles of `land` in palette `palette` of `theme` (the default colours where there is no such palette).
    pub fn new(land: &Land, theme: &Theme, palette: &str) -> Painter {
        let zones = land.tiles.iter().map(|_| Default::default()).collect();
        Painter { land: land.clone(), theme: theme.clone(), palette: theme.palette(palette), zones }
    }

    /// The colours in use; `table`, `table_dark` and `rim` are for whoever draws the board.
    pub fn palette(&self) -> &Palette {
        &self.palette
    }

    /// The style of a kind: what the theme says, else what goes with how it meets an edge.
    pub(crate) fn style(&self, kind: board::KindIdx) -> Style {
        let kind = self.land.kind(kind);
        self.theme.style(&kind.name).unwrap_or(match kind.edge {
            EdgeStyle::Full => Style::Walled,
            EdgeStyle::Line => Style::Path,
            EdgeStyle::Ground => Style::Ground,
            EdgeStyle::Inside => Style::Building,
        })
    }

    /// A tile as it lies at `facing`, a unit square; `copy` tells tiles of one sort apart.
    pub fn tile(&self, tile: TileIdx, facing: Facing, copy: u32, detail: Detail) -> Picture {
        let _ = (copy, detail, tile, facing);
        let mut picture = Picture::default();
        picture.rect(Rect::new(0.0, 0.0, 1.0, 1.0), self.palette.ground);
        picture
    }

    /// The back of a tile.
    pub fn back(&self) -> Picture {
        let mut picture = Picture::default();
        picture.rect(Rect::new(0.0, 0.0, 1.0, 1.0), self.palette.back);
        picture
    }

    /// Where the zones of a tile are, in the order of its zones.
    pub fn zones(&self, tile: TileIdx, facing: Facing) -> &[ZoneShape] {
        self.zones[tile.0 as usize][facing.quarters() as usize].get_or_init(|| {
            let n = self.land.tile(tile).zones.len();
            let strip = |i: usize| {
                let (a, b) = (i as f32 / n as f32, (i + 1) as f32 / n as f32);
                ZoneShape {
                    outline: vec![vec![[a, 0.0], [b, 0.0], [b, 1.0], [a, 1.0]]],
                    places: vec![[(a + b) / 2.0, 0.5]],
                }
            };
            (0..n).map(strip).collect()
        })
    }

    /// The zone under a point of the unit square.
    pub fn zone_at(&self, tile: TileIdx, facing: Facing, point: [f32; 2]) -> Option<usize> {
        let n = self.zones(tile, facing).len();
        (n > 0).then(|| ((point[0] * n as f32) as usize).min(n - 1))
    }

    /// A piece in a unit square, with a double outline and the symbol of its seat on its chest.
    pub fn piece(&self, name: &str, pose: Pose, colour: [u8; 3], symbol: Symbol) -> Picture {
        let (_, _) = (name, pose);
        let mut picture = Picture::default();
        let centre = Point::new(0.5, 0.5);
        picture.disc(centre, 0.45, self.palette.ink);
        picture.disc(centre, 0.42, Colour::hex(0xffffff));
        picture.disc(centre, 0.38, colour.into());
        picture.fill(symbol.outline(centre, 0.2), Colour::hex(0xffffff));
        picture
    }

    /// The icon of a tag, or of one of its words.
    pub fn icon_of_tag(&self, tag: &str, word: Option<&str>) -> Picture {
        let key = word.map_or("icon".to_owned(), |w| format!("icon.{w}"));
        let icon = self.theme.icon("tag", tag, &key).or_else(|| self.theme.icon("tag", tag, "icon"));
        let mut picture = Picture::default();
        if let Some(Some(icon)) = icon {
            picture.put(&icon.tinted(self.palette.ink), Affine::IDENTITY);
        }
        picture
    }

    /// The icon of a token.
    pub fn icon_of_token(&self, token: &str) -> Picture {
        let _ = token;
        Picture::default()
    }

    /// The icon of a pile.
    pub fn icon_of_pile(&self, pile: &str) -> Picture {
        let _ = pile;
        Picture::default()
    }
}
