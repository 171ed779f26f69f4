//! Laying tiles for a try and taking them back, which is cheaper than laying each on a copy.

use std::sync::Arc;

use crate::board::{Board, Changes, Layout, OPEN};
use crate::feature::Node;
use crate::geometry::{Edge, Spot};
use crate::handles::{KindSet, LayerIdx, TileIdx, TileRef, ZoneRef};
use crate::open::{OpenSpots, Placement};
use crate::tile::NO_ZONE;
use crate::tile_set::TileSet;
use crate::zones::ZoneIndex;

/// How a layout differs from the one that it was made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// How many more tiles were laid.
    pub n_tiles: u32,
    /// The kinds of which features may have changed by something else.
    pub kinds: KindSet,
}

/// A copy of what is laid on a board, lent to copies of that board that want to lay a tile.
#[derive(Debug)]
pub struct Scratch {
    pristine: Arc<Layout>,
    own: Option<Arc<Layout>>,
    before: Before,
}

/// What a board has laid, taken off it.
#[derive(Debug)]
pub struct Lent(Arc<Layout>);

impl Scratch {
    /// Returns a scratch of `board`.
    pub fn new(board: &Board) -> Scratch {
        Scratch { pristine: board.layout.clone(), own: None, before: Before::default() }
    }

    /// Lends `board`, which has laid what this is a scratch of, a copy that nobody shares, for laying `tile` at `place` and no more.
    pub fn lend(&mut self, board: &mut Board, tile_set: &TileSet, tile: TileIdx, place: Placement) {
        let own = self.own.take().unwrap_or_else(|| {
            let mut copy = Layout::clone(&self.pristine);
            copy.reserve(copy.tiles.len() + 8);
            Arc::new(copy)
        });
        self.before.note(&own, tile_set, tile, place);
        board.layout = own;
    }

    /// Takes back what was lent, once all that was made of the board is gone. What was laid on it is taken back; where more was done than laying
    /// the one tile another copy will be made.
    pub fn give_back(&mut self, Lent(mut layout): Lent) {
        let Some(own) = Arc::get_mut(&mut layout) else { return };
        let Difference { n_tiles, kinds } = own.differs_from(&self.pristine);
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
    /// Takes off what is laid, to give it back to the scratch that has lent it. The board is good for nothing then.
    pub fn take_lent(&mut self) -> Lent {
        let Board { layout, .. } = Board::default();
        Lent(std::mem::replace(&mut self.layout, layout))
    }
}

impl Layout {
    /// Returns how it differs from `base`, of which it is a copy that was worked on.
    pub fn differs_from(&self, base: &Layout) -> Difference {
        let n_tiles = self.changes.n_tiles.wrapping_sub(base.changes.n_tiles);
        Difference { n_tiles, kinds: self.changes.since(&base.changes) }
    }
}

/// What laying one tile changes, as it was before.
#[derive(Debug, Default)]
struct Before {
    changes: Changes,
    n_tiles: usize,
    n_zones: usize,
    cells: Vec<(Spot, Option<u32>)>,
    open: OpenSpots,
    sorts: ZoneIndex,
    waiting: Vec<(Spot, TileRef)>,
    n_neighbours: Vec<(TileRef, u8)>,
    /// The roots of features that the tile meets; what is joined is joined at its root.
    roots: Vec<(LayerIdx, ZoneRef, Node)>,
    /// Their numbers by column, one after the other.
    rows: Vec<i32>,
}

impl Before {
    /// Notes what laying `tile` at `place` will change.
    fn note(&mut self, layout: &Layout, tile_set: &TileSet, tile: TileIdx, place: Placement) {
        let Placement { spot, facing } = place;
        self.changes = layout.changes;
        self.n_tiles = layout.tiles.len();
        self.n_zones = layout.homes.len();
        self.open.clone_from(&layout.open);
        self.sorts.clone_from(&layout.sorts);
        self.waiting.clone_from(&layout.waiting);
        self.n_neighbours.clear();
        self.n_neighbours.extend(layout.waiting.iter().map(|(_, tile)| (*tile, layout.tile(*tile).n_neighbours)));
        self.cells.clear();
        // The spot leaves the list of open ones, in which the last one takes its place.
        let around = Edge::ALL.into_iter().filter_map(|edge| spot.across(edge));
        for at in around.chain([spot]).chain(layout.open.last()) {
            self.cells.push((at, layout.cells.get(&at).copied()));
        }
        self.roots.clear();
        self.rows.clear();
        let zone_at = &tile_set.tile(tile).turned(facing).zone_at;
        for edge in Edge::ALL {
            let cell = spot.across(edge).and_then(|across| layout.cells.get(&across));
            let Some(there) = cell.filter(|cell| **cell & OPEN == 0).and_then(|cell| layout.tiles.get(*cell as usize))
            else {
                continue;
            };
            let their_zones = &tile_set.tile(there.tile).turned(there.facing).zone_at;
            for port in edge.ports() {
                let theirs = their_zones[port.mirror().index()];
                // Where two ground zones meet at both halves of an edge it is one feature twice.
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

    /// Makes the layout what it was.
    fn restore(&self, layout: &mut Layout) {
        layout.changes = self.changes;
        layout.tiles.truncate(self.n_tiles);
        layout.homes.truncate(self.n_zones);
        layout.open.clone_from(&self.open);
        layout.sorts.clone_from(&self.sorts);
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
            from += features.put_back(*root, *node, &self.rows[from..]);
        }
    }
}
