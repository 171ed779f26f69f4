//! The board: what is laid where, what hangs together, and where the next tile may go.

use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use crate::feature::{Features, PieceKindSet};
use crate::geometry::{Corner, Edge, EdgeSet, Facing, Spot};
use crate::handles::{ColumnIdx, FeatureRef, KindIdx, KindSet, LayerIdx, TileIdx, TileRef, ZoneRef};
use crate::occupancy::{Occupancy, Occupant};
use crate::open::{OpenSpot, OpenSpots, Placement};
use crate::tile::{ANY_EDGE, NO_ZONE};
use crate::tile_set::{Closes, TileSet};
use crate::zones::{ZoneIndex, ZoneSet};

/// A tile on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedTile {
    /// Where it lies.
    pub spot: Spot,
    /// Which sort it is.
    pub tile: TileIdx,
    /// How it is turned.
    pub facing: Facing,
    /// Its first zone; the others follow.
    pub first_zone: ZoneRef,
    /// How many of the eight spots around it hold a tile. Kept for tiles with a surrounded zone only.
    pub n_neighbours: u8,
    /// Whether it lies there no more: it was taken up, or is another tile now. It and its zones keep their numbers, and join nothing.
    pub is_gone: bool,
}

/// Two zones of one kind, anywhere on the board, joined in layer 0 beyond what their tiles say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Link {
    /// The zone with the smaller number.
    pub a: ZoneRef,
    /// The other zone.
    pub b: ZoneRef,
}

impl Link {
    /// A link between two zones, whichever comes first.
    pub fn new(a: ZoneRef, b: ZoneRef) -> Link {
        Link { a: a.min(b), b: a.max(b) }
    }

    /// The other end, for one of the two.
    pub fn beyond(self, zone: ZoneRef) -> Option<ZoneRef> {
        match zone {
            it if it == self.a => Some(self.b),
            it if it == self.b => Some(self.a),
            _ => None,
        }
    }
}

/// Features that became one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Join {
    /// The feature they are now.
    pub feature: FeatureRef,
    /// One zone of each feature as it was before, at least two.
    pub parts: Vec<ZoneRef>,
}

/// Why a tile cannot lie on a spot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceError {
    /// A tile lies there.
    Taken,
    /// It would touch no tile.
    Apart,
    /// This edge does not agree with its neighbour's.
    Edge(Edge),
}

/// Counts what was done to a layout. It says nothing about what is laid: layouts that differ in it alone are equal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changes {
    /// Tiles laid.
    pub n_tiles: u32,
    /// Changes of what features of a kind are, besides tiles that were laid; by kind.
    by_kind: [u8; KindSet::MOST],
}

impl Changes {
    /// Counts a change of features of these kinds.
    pub fn add(&mut self, kinds: KindSet) {
        for (k, n) in (0..).zip(&mut self.by_kind) {
            *n = n.wrapping_add(u8::from(kinds.contains(KindIdx(k))));
        }
    }

    /// Returns the kinds of which something was changed that was not in `before`.
    pub fn since(&self, before: &Changes) -> KindSet {
        if self.by_kind == before.by_kind {
            return KindSet::default();
        }
        let pairs = (0..).map(KindIdx).zip(self.by_kind.iter().zip(&before.by_kind));
        pairs.filter(|(_, (now, then))| now != then).map(|(kind, _)| kind).collect()
    }
}

impl Default for Changes {
    fn default() -> Changes {
        Changes { n_tiles: 0, by_kind: [0; KindSet::MOST] }
    }
}

impl PartialEq for Changes {
    fn eq(&self, _other: &Changes) -> bool {
        true
    }
}

impl Eq for Changes {}

/// Marks a number in `cells` as a position in `open`.
pub(crate) const OPEN: u32 = 1 << 31;

/// What lies on the table: tiles, and who stands on them.
///
/// Copies share both until one of them changes the one or the other, so a copy costs nothing. The default is a board without layers, good only
/// as a stand-in for one that has been moved elsewhere. Everything about what is laid is asked of [`Layout`], which it dereferences to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    pub(crate) layout: Arc<Layout>,
    pub(crate) occupancy: Arc<Occupancy>,
}

/// What is laid, and what hangs together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    pub(crate) tiles: Vec<PlacedTile>,
    /// How many of `tiles` are gone.
    pub(crate) n_gone: u32,
    /// Laid tiles, or with the highest bit positions in `open`.
    pub(crate) cells: FxHashMap<Spot, u32>,
    pub(crate) open: OpenSpots,
    /// The tile and the kind of each zone.
    pub(crate) homes: Vec<(TileRef, KindIdx)>,
    /// The tiles that wait for their eight neighbours, with where they lie.
    pub(crate) waiting: Vec<(Spot, TileRef)>,
    pub(crate) layers: Vec<Features>,
    /// What the zones of layer 0 are.
    pub(crate) sorts: ZoneIndex,
    pub(crate) links: Vec<Link>,
    /// Numbers that differ from what the tile says, set while playing.
    pub(crate) zone_tags: Vec<(ZoneRef, ColumnIdx, i32)>,
    pub(crate) changes: Changes,
}

/// What stands for a board that has been moved elsewhere; made once, as the interpreter is lent the state at every call.
static NO_BOARD: LazyLock<Board> = LazyLock::new(|| Board { layout: Arc::default(), occupancy: Arc::default() });

impl Default for Board {
    fn default() -> Board {
        NO_BOARD.clone()
    }
}

impl Deref for Board {
    type Target = Layout;

    #[inline]
    fn deref(&self) -> &Layout {
        &self.layout
    }
}

/// Asking who stands where.
impl Board {
    pub(crate) fn laid_mut(&mut self) -> &mut Layout {
        Arc::make_mut(&mut self.layout)
    }

    pub(crate) fn occupancy_mut(&mut self) -> &mut Occupancy {
        Arc::make_mut(&mut self.occupancy)
    }

    /// What is laid, to be changed, and who stands there, of which a copy need be made only where that changes.
    pub(crate) fn both_mut(&mut self) -> (&mut Layout, &mut Arc<Occupancy>) {
        (Arc::make_mut(&mut self.layout), &mut self.occupancy)
    }

    /// The sorts of pieces that stand on the feature.
    pub fn piece_kinds(&self, feature: FeatureRef) -> PieceKindSet {
        self.occupancy.piece_kinds(feature.layer, self.root(feature))
    }

    /// The sorts of pieces that stand anywhere on the board.
    pub fn all_piece_kinds(&self) -> PieceKindSet {
        self.occupancy.sorts()
    }

    /// The feet on the feature. A piece may have several there.
    pub fn occupants(&self, feature: FeatureRef) -> impl Iterator<Item = &Occupant> + '_ {
        self.occupancy.occupants(feature.layer, self.root(feature))
    }
}

impl PlacedTile {
    /// Its zone number `z`.
    pub fn zone(&self, z: usize) -> ZoneRef {
        ZoneRef(self.first_zone.0 + z as u32)
    }

    /// How `zone`, one of its own, is numbered in its tile.
    pub fn local(&self, zone: ZoneRef) -> usize {
        (zone.0 - self.first_zone.0) as usize
    }
}

/// Asking.
impl Layout {
    /// The tiles that lie on the board, in the order in which they were laid.
    pub fn laid(&self) -> impl DoubleEndedIterator<Item = (TileRef, &PlacedTile)> + Clone {
        let numbered = self.tiles.iter().enumerate().map(|(i, placed)| (TileRef(i as u32), placed));
        numbered.filter(|(_, placed)| !placed.is_gone)
    }

    /// How many tiles lie on the board.
    pub fn n_laid(&self) -> usize {
        self.tiles.len() - self.n_gone as usize
    }

    /// Whether anything has ever been taken up, so that numbers may stand for what is gone.
    pub fn has_gone(&self) -> bool {
        self.n_gone > 0
    }

    /// Whether `tile` lies on the board; numbers that never were given stand for none.
    pub fn is_laid(&self, tile: TileRef) -> bool {
        self.tiles.get(tile.0 as usize).is_some_and(|placed| !placed.is_gone)
    }

    /// Whether `zone` is on the board; numbers that never were given stand for none.
    pub fn has_zone(&self, zone: ZoneRef) -> bool {
        let home = self.homes.get(zone.0 as usize);
        home.is_some_and(|(tile, _)| self.n_gone == 0 || !self.tiles[tile.0 as usize].is_gone)
    }

    /// The tile `tile`, as it lies or has lain.
    pub fn tile(&self, tile: TileRef) -> &PlacedTile {
        &self.tiles[tile.0 as usize]
    }

    /// The tile on `spot`.
    pub fn at(&self, spot: Spot) -> Option<TileRef> {
        self.cells.get(&spot).filter(|cell| **cell & OPEN == 0).map(|cell| TileRef(*cell))
    }

    /// The tile beside `spot` across `edge`.
    pub fn neighbour(&self, spot: Spot, edge: Edge) -> Option<TileRef> {
        self.at(spot.across(edge)?)
    }

    /// The open spots, in no order of meaning (but the same for the same history).
    pub fn open_spots(&self) -> impl Iterator<Item = OpenSpot> + '_ {
        self.open.iter()
    }

    /// How many spots and facings there are at which `tile` agrees with its neighbours.
    pub fn n_placements(&self, tile_set: &TileSet, tile: TileIdx) -> usize {
        self.open.count(tile_set.tile(tile))
    }

    /// Number `n` of [`Layout::placements`], without listing the others.
    pub fn nth_placement(&self, tile_set: &TileSet, tile: TileIdx, n: usize) -> Option<Placement> {
        self.open.nth(tile_set.tile(tile), n)
    }

    /// Every spot and facing at which `tile` agrees with its neighbours.
    pub fn placements(&self, tile_set: &TileSet, tile: TileIdx) -> Vec<Placement> {
        self.placements_where(tile_set, tile, None, |_, _| true)
    }

    /// Those of [`Layout::placements`] that pass; asked about with the edges that [`Layout::met_edges`] lists. With `asked` those alone at which a
    /// neighbour asks for that edge code.
    pub fn placements_where(
        &self,
        tile_set: &TileSet,
        tile: TileIdx,
        asked: Option<u8>,
        mut passes: impl FnMut(Placement, EdgeSet) -> bool,
    ) -> Vec<Placement> {
        let mut places = Vec::with_capacity(16);
        self.open.placements(tile_set.tile(tile), asked, |place, met| {
            if passes(place, met) {
                places.push(place);
            }
        });
        places
    }

    /// The edges of `spot` at which a neighbour lies that does not fit anything.
    pub fn met_edges(&self, tile_set: &TileSet, spot: Spot) -> EdgeSet {
        let asks = |edge: &Edge| {
            self.neighbour(spot, *edge).is_some_and(|tile| {
                let placed = self.tile(tile);
                let edges = tile_set.tile(placed.tile).turned(placed.facing).edges;
                edges[edge.opposite() as usize] != ANY_EDGE
            })
        };
        Edge::ALL.into_iter().filter(asks).collect()
    }

    /// The tiles with edges that fit anything which end the feature, each once, in the order of laying.
    pub fn ends(&self, tile_set: &TileSet, feature: FeatureRef) -> Vec<TileRef> {
        let mut ends = Vec::new();
        for zone in self.zones(feature) {
            let placed = self.tile_at_zone(zone);
            for port in tile_set.tile(placed.tile).zones[placed.local(zone)].ports.turned(placed.facing).iter() {
                let Some(other) = self.neighbour(placed.spot, port.edge()) else { continue };
                let there = self.tile(other);
                if tile_set.tile(there.tile).turned(there.facing).zone_at[port.mirror().index()] == NO_ZONE {
                    ends.push(other);
                }
            }
        }
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// The tile that `zone` is a part of, and its number.
    pub fn tile_of(&self, zone: ZoneRef) -> TileRef {
        self.homes[zone.0 as usize].0
    }

    /// The tile that `zone` is a part of.
    pub fn tile_at_zone(&self, zone: ZoneRef) -> &PlacedTile {
        &self.tiles[self.homes[zone.0 as usize].0.0 as usize]
    }

    /// How many zones are or have been on the board; they are numbered from 0.
    pub fn n_zones(&self) -> usize {
        self.homes.len()
    }

    /// The kind of `zone`.
    #[inline]
    pub fn kind(&self, zone: ZoneRef) -> KindIdx {
        self.homes[zone.0 as usize].1
    }

    /// What `zone` is called, such as `city@n`, without its spot.
    pub fn zone_name(&self, tile_set: &TileSet, zone: ZoneRef) -> String {
        let placed = self.tile_at_zone(zone);
        tile_set.zone_name(placed.tile, placed.facing, placed.local(zone))
    }

    /// The zones of `tile` on the board.
    pub fn zones_of(&self, tile_set: &TileSet, tile: TileRef) -> impl Iterator<Item = ZoneRef> + use<> {
        let placed = self.tiles[tile.0 as usize];
        let n = tile_set.tile(placed.tile).zones.len();
        (0..n).map(move |z| placed.zone(z))
    }

    /// The zones that `zone` borders on its own tile.
    pub fn touching(&self, tile_set: &TileSet, zone: ZoneRef) -> impl Iterator<Item = ZoneRef> + use<> {
        let placed = *self.tile_at_zone(zone);
        let touches = tile_set.tile(placed.tile).zones[placed.local(zone)].touches;
        (0..32).filter(move |z| touches >> z & 1 == 1).map(move |z| placed.zone(z))
    }

    /// The zones that end at the same place inside its tile as `zone` does.
    pub fn meeting(&self, tile_set: &TileSet, zone: ZoneRef) -> impl Iterator<Item = ZoneRef> + use<> {
        let placed = *self.tile_at_zone(zone);
        let meets = tile_set.tile(placed.tile).zones[placed.local(zone)].meets;
        (0..32).filter(move |z| meets >> z & 1 == 1).map(move |z| placed.zone(z))
    }

    /// The zones that reach a point where four spots meet, tile by tile as [`Corner::spots`], each once.
    pub fn zones_at(&self, tile_set: &TileSet, corner: Corner) -> Vec<ZoneRef> {
        let mut zones: Vec<ZoneRef> = Vec::new();
        for spot in corner.spots() {
            let Some(tile) = self.at(spot) else { continue };
            let placed = self.tile(tile);
            let zone_at = &tile_set.tile(placed.tile).turned(placed.facing).zone_at;
            // The last half of an edge and the first of the next one, clockwise, meet at a corner of the tile.
            let edge = match (spot.x < corner.x, spot.y < corner.y) {
                (true, true) => Edge::East,
                (false, true) => Edge::South,
                (false, false) => Edge::West,
                (true, false) => Edge::North,
            };
            let next = Edge::from_index(edge as usize + 1);
            for (edge, half) in [(edge, 2), (next, 0)] {
                let ports = edge.ports();
                // A full zone holds the middle alone, and lies on both halves.
                let local = match zone_at[ports[half].index()] {
                    NO_ZONE => zone_at[ports[1].index()],
                    local => local,
                };
                let zone = (local != NO_ZONE).then(|| placed.zone(local as usize));
                zones.extend(zone.filter(|zone| !zones.contains(zone)));
            }
        }
        zones
    }

    /// The features of `layer`.
    pub fn features(&self, layer: LayerIdx) -> &Features {
        &self.layers[layer.0 as usize]
    }

    /// How many layers there are.
    pub fn n_layers(&self) -> usize {
        self.layers.len()
    }

    /// The root of a feature, the same for all its handles until the board changes.
    pub fn root(&self, feature: FeatureRef) -> ZoneRef {
        self.layers[feature.layer.0 as usize].root(feature.anchor)
    }

    /// All features of `layer`, each by its root, in the order in which the roots were laid.
    pub fn roots(&self, layer: LayerIdx) -> impl Iterator<Item = FeatureRef> + '_ {
        self.layers[layer.0 as usize].roots().map(move |anchor| FeatureRef { layer, anchor })
    }

    /// The zones of features of `kinds` in layer 0 that are not complete, but for the features of the zones `without`.
    pub fn open_zones(&self, kinds: KindSet, without: impl Iterator<Item = ZoneRef>) -> ZoneSet {
        self.sorts.open(kinds, without.flat_map(|zone| self.layers[0].zones(zone)))
    }

    /// How many features of each kind in layer 0 are complete.
    pub fn all_complete(&self) -> &[u32] {
        self.sorts.all_complete()
    }

    /// How many features of `kind` in layer 0 are complete.
    pub fn n_complete(&self, kind: KindIdx) -> usize {
        self.sorts.n_complete(kind)
    }

    /// Whether `zone` takes part in `layer`.
    pub fn takes_part(&self, layer: LayerIdx, zone: ZoneRef) -> bool {
        self.layers[layer.0 as usize].has(zone)
    }

    /// Ports of the feature that no neighbour meets yet.
    pub fn n_open(&self, feature: FeatureRef) -> u32 {
        self.layers[feature.layer.0 as usize].node(self.root(feature)).open
    }

    /// Different tiles of the feature.
    pub fn n_tiles(&self, feature: FeatureRef) -> u32 {
        self.layers[feature.layer.0 as usize].node(self.root(feature)).tiles
    }

    /// Zones of the feature.
    pub fn n_zones_in(&self, feature: FeatureRef) -> u32 {
        self.layers[feature.layer.0 as usize].node(self.root(feature)).zones
    }

    /// Laid spots that count for the feature: its tiles, or for a kind that waits to be surrounded its own spot and the laid neighbours.
    pub fn n_spots(&self, tile_set: &TileSet, feature: FeatureRef) -> u32 {
        match tile_set.kind(self.kind(feature.anchor)).closes {
            Closes::Surrounded => 1 + u32::from(self.tile_at_zone(feature.anchor).n_neighbours),
            Closes::Ports => self.n_tiles(feature),
        }
    }

    /// Whether the feature can grow no more: no open port, or all eight neighbours there.
    pub fn is_complete(&self, tile_set: &TileSet, feature: FeatureRef) -> bool {
        match tile_set.kind(self.kind(feature.anchor)).closes {
            Closes::Ports => self.n_open(feature) == 0,
            Closes::Surrounded => self.tile_at_zone(feature.anchor).n_neighbours == 8,
        }
    }

    /// The number in `column` of the feature.
    pub fn column(&self, feature: FeatureRef, column: ColumnIdx) -> i32 {
        self.layers[feature.layer.0 as usize].column(self.root(feature), column)
    }

    /// All numbers of the feature, by column.
    pub fn columns(&self, feature: FeatureRef) -> &[i32] {
        self.layers[feature.layer.0 as usize].row(self.root(feature))
    }

    /// The zones of the feature, sorted: the same set gives the same list.
    pub fn sorted_zones(&self, feature: FeatureRef) -> Vec<ZoneRef> {
        let mut zones: Vec<ZoneRef> = self.zones(feature).collect();
        zones.sort_unstable();
        zones
    }

    /// The zones of the feature, in no order of meaning.
    pub fn zones(&self, feature: FeatureRef) -> impl Iterator<Item = ZoneRef> + '_ {
        self.layers[feature.layer.0 as usize].zones(feature.anchor)
    }

    /// The links made by [`Board::relink`], sorted.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Numbers of zones that differ from what their tile says, sorted.
    pub fn zone_tags(&self) -> &[(ZoneRef, ColumnIdx, i32)] {
        &self.zone_tags
    }

    /// The complete features of `kinds` that the zones of `feature` border on their own tiles, each once, in the order met.
    pub fn complete_beside(&self, tile_set: &TileSet, feature: FeatureRef, kinds: KindSet) -> Vec<FeatureRef> {
        let mut found: Vec<FeatureRef> = Vec::new();
        for zone in self.zones(feature) {
            let placed = self.tile_at_zone(zone);
            let mut touches = tile_set.tile(placed.tile).zones[placed.local(zone)].touches;
            while touches != 0 {
                let other = placed.zone(touches.trailing_zeros() as usize);
                touches &= touches - 1;
                if kinds.contains(self.kind(other)) && !self.sorts.is_open(other) {
                    let root = FeatureRef { layer: LayerIdx(0), anchor: self.layers[0].root(other) };
                    if !found.contains(&root) {
                        found.push(root);
                    }
                }
            }
        }
        found
    }

    /// One feature of each of `kinds` that the zones of `feature` border on their own tiles, each once, in the order met.
    pub fn bordering(&self, tile_set: &TileSet, feature: FeatureRef, kinds: KindSet, found: &mut Vec<FeatureRef>) {
        let from = found.len();
        for zone in self.zones(feature) {
            for anchor in self.touching(tile_set, zone) {
                if !kinds.contains(self.kind(anchor)) {
                    continue;
                }
                let other = FeatureRef { layer: LayerIdx(0), anchor: self.layers[0].root(anchor) };
                if !found[from..].contains(&other) {
                    found.push(other);
                }
            }
        }
    }
}
