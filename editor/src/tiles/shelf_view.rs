//! The tiles of a mod and drafts of tiles, with their painters.

use std::sync::Arc;

use art::{Painter, TileVariant};
use egui::{Context, TextureId};
use table::{Facing, TileIdx, TileSet, TilesView};
use workshop::{ModTiles, TileDraft};

use crate::pictures::{OtherPainter, Pictures};
use crate::ui_context::UiContext;

/// The painter for the tiles of a mod.
#[derive(Clone, Debug)]
pub enum ModTilesPainter {
    /// The painter of the game. Used if the mod is in play, or if it cannot be loaded.
    Game,
    /// Another painter. Used if the mod is loaded but not in play.
    Other(OtherPainter),
}

/// The tiles of a mod and their painter.
#[derive(Clone, Debug)]
pub struct ModTilesView {
    /// The mod and its tiles.
    pub shelf: ModTiles,
    /// The painter of the tiles.
    pub brush: ModTilesPainter,
    /// The cached looks of the tiles, in the order of the tiles.
    pub looks: Arc<Vec<TileLook>>,
    /// True if the mod is a bundled mod that the user may not change now.
    pub is_locked: bool,
}

/// Cached facts about the look of a tile.
#[derive(Clone, Debug)]
pub struct TileLook {
    /// The number of facings at which the tile looks different.
    pub n_facings: usize,
    /// The letters of the tile's edges, clockwise, such as `CFRR`. All rotations of a tile have the
    /// same letters.
    pub pattern: String,
    /// The name and the tags of the tile in lower case, for the search.
    pub words: String,
}

impl ModTilesView {
    /// Makes the view of `shelf`: computes the looks of its tiles and, if the mod is loaded but not
    /// in play, makes a painter for them.
    pub fn new(shelf: ModTiles) -> ModTilesView {
        let brush = match &shelf.catalogue {
            Some(catalogue) if !shelf.is_played => {
                let palette = shelf.theme.suggested_palette().to_owned();
                ModTilesPainter::Other(OtherPainter::new(Painter::new(&catalogue.tile_set, &shelf.theme, &palette)))
            }
            _ => ModTilesPainter::Game,
        };
        let look = |tile: &TileIdx| {
            let set = shelf.tile_set()?;
            let view = TilesView::of(set);
            let tags = view.tags(*tile).into_iter().map(|tag| format!("{} {}", tag.tag, tag.label()));
            let words = std::iter::once(view.name(*tile).to_owned()).chain(tags).collect::<Vec<_>>().join(" ");
            Some(TileLook {
                n_facings: workshop::n_distinct_facings(set.tile(*tile)),
                pattern: view.edge_pattern(*tile),
                words: words.to_lowercase(),
            })
        };
        let looks = Arc::new(shelf.tiles.iter().filter_map(look).collect());
        ModTilesView { shelf, brush, looks, is_locked: false }
    }

    /// Returns the picture of a tile of the mod, `points` wide. Returns `None` until the picture is
    /// ready, and while the rules in play do not have the tile.
    pub fn picture(
        &self,
        ctx: &Context,
        pictures: &mut Pictures,
        tile: TileIdx,
        facing: Facing,
        points: f32,
    ) -> Option<TextureId> {
        match &self.brush {
            // The rules in play may be older than the files, so the tile may have another number.
            ModTilesPainter::Game => {
                let name = &self.tile_set()?.tile(tile).name;
                let in_play = pictures.painter().tile_set();
                let is_same = in_play.tiles.get(usize::from(tile.0)).is_some_and(|tile| tile.name == *name);
                let tile = if is_same { tile } else { in_play.tile_named(name)? };
                pictures.tile(ctx, tile, facing, TileVariant::default(), points)
            }
            ModTilesPainter::Other(other) => pictures.tile_by(ctx, other, tile, facing, points),
        }
    }

    /// Returns whether the user may change the tiles of the mod.
    pub fn can_change(&self) -> bool {
        self.shelf.is_writable && !self.is_locked
    }

    /// Returns the tile set of the mod; `None` if the mod cannot be loaded.
    pub fn tile_set(&self) -> Option<&TileSet> {
        self.shelf.tile_set()
    }

    /// Returns the name of the first piece that another mod declares, usually the follower. Returns
    /// `None` if there is no such piece.
    pub fn first_piece_of_others(&self) -> Option<String> {
        let catalogue = self.shelf.catalogue.as_ref()?;
        let is_other = |owner: usize| catalogue.mods.get(owner).is_some_and(|owner| owner.id != self.shelf.id);
        catalogue.pieces.iter().find(|piece| is_other(piece.owner.idx())).map(|piece| piece.name.clone())
    }

    /// Returns whether the user has made the mod in this program and may change it. The user may
    /// have made it in an earlier run.
    pub fn is_own(&self, cx: &UiContext<'_>) -> bool {
        let is_made_here = cx.settings.own_mods.contains(&self.shelf.folder);
        let guide = cx.settings.guide.as_ref().is_some_and(|guide| guide.folder == self.shelf.folder);
        self.can_change() && (is_made_here || guide)
    }
}

/// Drafts loaded as tiles, with their painter.
#[derive(Clone, Debug, Default)]
pub struct DrawnTiles {
    /// The result of loading the drafts.
    pub preview: Arc<workshop::DraftPreview>,
    /// The painter; `None` if the drafts have errors.
    pub painter: Option<OtherPainter>,
    /// The duplicates and mirror images of the first draft.
    pub likes: workshop::Duplicates,
}

impl DrawnTiles {
    /// Loads drafts of the mod of `shelf` together with the other tiles of the mod's catalogue.
    pub fn new(shelf: &ModTiles, cx: &UiContext<'_>, drafts: &[&TileDraft]) -> DrawnTiles {
        let Some(catalogue) = &shelf.catalogue else { return DrawnTiles::default() };
        let preview = workshop::preview(catalogue, &shelf.id, drafts);
        let palette = cx.settings.palette.as_deref().unwrap_or(shelf.theme.suggested_palette());
        let painter = preview.tile_set.as_ref().map(|set| OtherPainter::new(Painter::new(set, &shelf.theme, palette)));
        let likes = preview.tile_set.as_ref().map(|set| workshop::find_duplicates(set, TileIdx(0))).unwrap_or_default();
        DrawnTiles { preview: Arc::new(preview), painter, likes }
    }

    /// Returns the tile set, in which the drafts are the first tiles. Returns `None` if the drafts
    /// have errors.
    pub fn tile_set(&self) -> Option<&TileSet> {
        self.preview.tile_set.as_ref()
    }

    /// Returns the picture of draft number `n`, counted from 0. Returns `None` if the drafts have
    /// errors, or until the picture is ready.
    pub fn picture(
        &self,
        ctx: &Context,
        pictures: &mut Pictures,
        n: u16,
        facing: Facing,
        points: f32,
    ) -> Option<TextureId> {
        pictures.tile_by(ctx, self.painter.as_ref()?, TileIdx(n), facing, points)
    }
}
