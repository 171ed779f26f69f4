//! Trial placements: the caller lays a tile on a scratch layout and removes it again, which is
//! cheaper than laying each tile on a new copy.

use std::sync::Arc;

use crate::board::{Board, ChangeCounters, Layout, OPEN_FLAG};
use crate::feature::ZoneNode;
use crate::geometry::{Edge, Spot};
use crate::handles::{KindSet, LayerIdx, TileIdx, TileRef, ZoneRef};
use crate::open::{OpenSpots, Placement};
use crate::tile::NO_ZONE;
use crate::tile_set::TileSet;
use crate::zones::ZoneIndex;

/// The difference between a layout and the layout from which it was copied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayoutDifference {
    /// The number of tiles laid since the copy was made.
    pub n_tiles: u32,
    /// The kinds whose features may have changed without a laid tile.
    pub kinds: KindSet,
}

/// A private copy of a board's layout. The scratch lends the copy to other boards, which try a tile
/// on it.
#[derive(Debug)]
pub struct Scratch {
    pristine: Arc<Layout>,
    own: Option<Arc<Layout>>,
    before: Checkpoint,
}

/// A lent layout that [`Board::take_lent`] took off a board.
#[derive(Debug)]
pub struct LentLayout(Arc<Layout>);

impl Scratch {
    /// Makes a scratch for copies of `board`.
    pub fn new(board: &Board) -> Scratch {
        Scratch { pristine: board.layout.clone(), own: None, before: Checkpoint::default() }
    }

    /// Lends an unshared layout to `board`, which must equal the board given to [`Scratch::new`].
    /// The caller may lay `tile` at `place` on the board, and must not change the board otherwise.
    pub fn lend(&mut self, board: &mut Board, tile_set: &TileSet, tile: TileIdx, place: Placement) {
        let own = self.own.take().unwrap_or_else(|| {
            let mut copy = Layout::clone(&self.pristine);
            copy.reserve(copy.tiles.len() + 8);
            Arc::new(copy)
        });
        self.before.note(&own, tile_set, tile, place);
        board.layout = own;
    }

    /// Takes back the lent layout and undoes the placement. If another board still shares the
    /// layout, or if the board changed otherwise, the next [`Scratch::lend`] makes a new copy.
    pub fn give_back(&mut self, LentLayout(mut layout): LentLayout) {
        let Some(own) = Arc::get_mut(&mut layout) else { return };
        let LayoutDifference { n_tiles, kinds } = own.difference_from(&self.pristine);
        if n_tiles > 1 || !kinds.is_empty() {
            return;
        }
        if n_tiles == 1 {
            self.before.restore(own);
        }
        self.own = Some(layout);
    }
}

impl Board {
    /// Takes the lent layout off the board, so that the caller can pass it to
    /// [`Scratch::give_back`]. The board is unusable afterwards.
    pub fn take_lent(&mut self) -> LentLayout {
        let Board { layout, .. } = Board::default();
        LentLayout(std::mem::replace(&mut self.layout, layout))
    }
}

impl Layout {
    /// Returns the difference from `base`. This layout must be a changed copy of `base`.
    pub fn difference_from(&self, base: &Layout) -> LayoutDifference {
        let n_tiles = self.changes.n_tiles.wrapping_sub(base.changes.n_tiles);
        LayoutDifference { n_tiles, kinds: self.changes.kinds_changed_since(&base.changes) }
    }
}

/// The former values of everything that laying one tile changes in a layout.
#[derive(Debug, Default)]
struct Checkpoint {
    changes: ChangeCounters,
    n_tiles: usize,
    n_zones: usize,
    cells: Vec<(Spot, Option<u32>)>,
    open: OpenSpots,
    zone_index: ZoneIndex,
    waiting: Vec<(Spot, TileRef)>,
    n_neighbours: Vec<(TileRef, u8)>,
    /// The roots of the features that the tile meets. A merge changes only the nodes of roots.
    roots: Vec<(LayerIdx, ZoneRef, ZoneNode)>,
    /// The column values of `roots`, one row after the other.
    rows: Vec<i32>,
}

impl Checkpoint {
    /// Records everything that laying `tile` at `place` will change.
    fn note(&mut self, layout: &Layout, tile_set: &TileSet, tile: TileIdx, place: Placement) {
        let Placement { spot, facing } = place;
        self.changes = layout.changes;
        self.n_tiles = layout.tiles.len();
        self.n_zones = layout.homes.len();
        self.open.clone_from(&layout.open);
        self.zone_index.clone_from(&layout.zone_index);
        self.waiting.clone_from(&layout.waiting);
        self.n_neighbours.clear();
        self.n_neighbours.extend(layout.waiting.iter().map(|(_, tile)| (*tile, layout.tile(*tile).n_neighbours)));
        self.cells.clear();
        // Laying the tile removes `spot` from the open spots, and the last open spot takes its
        // number.
        let around = Edge::ALL.into_iter().filter_map(|edge| spot.across(edge));
        for at in around.chain([spot]).chain(layout.open.last()) {
            self.cells.push((at, layout.cells.get(&at).copied()));
        }
        self.roots.clear();
        self.rows.clear();
        let zone_at = &tile_set.tile(tile).turned(facing).zone_at;
        for edge in Edge::ALL {
            let cell = spot.across(edge).and_then(|across| layout.cells.get(&across));
            let Some(there) =
                cell.filter(|cell| **cell & OPEN_FLAG == 0).and_then(|cell| layout.tiles.get(*cell as usize))
            else {
                continue;
            };
            let their_zones = &tile_set.tile(there.tile).turned(there.facing).zone_at;
            for port in edge.ports() {
                let theirs = their_zones[port.opposite().index()];
                // Several ports may meet the same feature; `note_roots` records it once.
                if theirs == NO_ZONE && zone_at[port.index()] == NO_ZONE {
                    continue;
                }
                if theirs != NO_ZONE {
                    self.note_roots(layout, there.zone(theirs as usize));
                }
            }
        }
    }

    fn note_roots(&mut self, layout: &Layout, zone: ZoneRef) {
        for (l, features) in (0..).map(LayerIdx).zip(&layout.layers) {
            if !features.has(zone) {
                continue;
            }
            let root = features.root(zone);
            if self.roots.iter().all(|(layer, noted, _)| (*layer, *noted) != (l, root)) {
                self.roots.push((l, root, *features.node(root)));
                self.rows.extend_from_slice(features.row(root));
            }
        }
    }

    /// Restores the recorded state.
    fn restore(&self, layout: &mut Layout) {
        layout.changes = self.changes;
        layout.tiles.truncate(self.n_tiles);
        layout.homes.truncate(self.n_zones);
        layout.open.clone_from(&self.open);
        layout.zone_index.clone_from(&self.zone_index);
        layout.waiting.clone_from(&self.waiting);
        for (tile, n) in &self.n_neighbours {
            layout.tiles[tile.0 as usize].n_neighbours = *n;
        }
        for (spot, cell) in &self.cells {
            match cell {
                Some(cell) => drop(layout.cells.insert(*spot, *cell)),
                None => drop(layout.cells.remove(spot)),
            }
        }
        layout.layers.iter_mut().for_each(|features| features.truncate(self.n_zones));
        let mut from = 0;
        for (layer, root, node) in &self.roots {
            let features = &mut layout.layers[layer.0 as usize];
            from += features.restore_root(*root, *node, &self.rows[from..]);
        }
    }
}
