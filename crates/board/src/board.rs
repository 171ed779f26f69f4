//! The board: laid tiles, connected features, and the spots open to the next tile.
//!
//! The file is long because it has all data of a board and all queries about it.

use serde::{Deserialize, Serialize};
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use crate::feature::Features;
use crate::geometry::{Border, Corner, Edge, EdgeSet, Facing, Spot};
use crate::handles::{ColumnIdx, FeatureRef, KindIdx, KindSet, LayerIdx, TileIdx, TileRef, ZoneRef};
use crate::occupancy::{Occupancy, Occupant, PieceKindSet};
use crate::open::{OpenSpot, OpenSpots, Placement};
use crate::sorted_map::serialize_sorted;
use crate::tile::{ANY_EDGE, NO_ZONE};
use crate::tile_set::{CompletionRule, TileSet};
use crate::zones::{ZoneIndex, ZoneSet};

/// A tile on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlacedTile {
    /// The spot under the tile.
    pub spot: Spot,
    /// The tile type.
    pub tile: TileIdx,
    /// The facing of the tile.
    pub facing: Facing,
    /// The first zone of the tile. The other zones of the tile have the following numbers.
    pub first_zone: ZoneRef,
    /// The number of tiles on the eight spots around this tile. The board counts them only for a
    /// tile with a zone whose kind has [`CompletionRule::Surrounded`].
    pub n_neighbours: u8,
    /// True if the tile was taken up or replaced. Its number and the numbers of its zones are never
    /// reused, and the zones belong to no feature.
    pub is_gone: bool,
}

/// Two zones of one kind, anywhere on the board, that a mod has joined in layer 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ZoneLink {
    /// The zone with the smaller number.
    pub a: ZoneRef,
    /// The other zone.
    pub b: ZoneRef,
}

impl ZoneLink {
    /// Makes the link between two zones, given in either order.
    pub fn new(a: ZoneRef, b: ZoneRef) -> ZoneLink {
        ZoneLink { a: a.min(b), b: a.max(b) }
    }

    /// Returns the other end of the link, or `None` if `zone` is not an end of the link.
    pub fn other_end(self, zone: ZoneRef) -> Option<ZoneRef> {
        match zone {
            it if it == self.a => Some(self.b),
            it if it == self.b => Some(self.a),
            _ => None,
        }
    }
}

/// A merge of several features into one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Join {
    /// The merged feature.
    pub feature: FeatureRef,
    /// One zone of each former feature; at least two zones.
    pub parts: Vec<ZoneRef>,
}

/// A reason why a tile cannot be placed on a spot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceError {
    /// The spot holds a tile.
    Taken,
    /// No tile lies beside the spot.
    Apart,
    /// This edge does not match the edge of its neighbour.
    Edge(Edge),
}

/// Counters of the changes made to a layout. Layouts that differ only in these counters are equal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChangeCounters {
    /// The number of tiles laid so far.
    pub n_tiles: u32,
    /// For each kind, the number of changes to its features, modulo 256. Does not count changes
    /// that a laid tile caused.
    by_kind: [u8; KindSet::MAX_KINDS],
}

impl ChangeCounters {
    /// Counts a change of features of these kinds.
    pub fn add(&mut self, kinds: KindSet) {
        for (k, n) in (0..).zip(&mut self.by_kind) {
            *n = n.wrapping_add(u8::from(kinds.contains(KindIdx(k))));
        }
    }

    /// Returns the kinds whose features changed since `before`, apart from changes that a laid tile
    /// caused.
    pub(crate) fn kinds_changed_since(&self, before: &ChangeCounters) -> KindSet {
        if self.by_kind == before.by_kind {
            return KindSet::default();
        }
        let pairs = (0..).map(KindIdx).zip(self.by_kind.iter().zip(&before.by_kind));
        pairs.filter(|(_, (now, then))| now != then).map(|(kind, _)| kind).collect()
    }
}

impl Default for ChangeCounters {
    fn default() -> ChangeCounters {
        ChangeCounters { n_tiles: 0, by_kind: [0; KindSet::MAX_KINDS] }
    }
}

impl PartialEq for ChangeCounters {
    fn eq(&self, _other: &ChangeCounters) -> bool {
        true
    }
}

impl Eq for ChangeCounters {}

/// The bit that marks a value of `Layout::cells` as a position in `Layout::open`.
pub(crate) const OPEN_FLAG: u32 = 1 << 31;

/// The tiles on the table and the pieces that stand on them.
///
/// Copies share the tiles and the pieces until one copy changes them, so cloning is cheap. The
/// default is a board without layers. It is useful only as a placeholder for a board that the
/// caller has moved out. A board dereferences to [`Layout`], which answers all questions about
/// tiles and features.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Board {
    pub(crate) layout: Arc<Layout>,
    pub(crate) occupancy: Arc<Occupancy>,
}

/// The laid tiles and the features they form.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Layout {
    pub(crate) tiles: Vec<PlacedTile>,
    /// The number of `tiles` that were taken up or replaced.
    pub(crate) n_gone: u32,
    /// The content of each spot: the position of its tile in `tiles` or, if the bit [`OPEN_FLAG`]
    /// is set, the position of the open spot in `open`.
    #[serde(serialize_with = "serialize_sorted")]
    pub(crate) cells: FxHashMap<Spot, u32>,
    pub(crate) open: OpenSpots,
    /// The tile and kind of each zone.
    pub(crate) homes: Vec<(TileRef, KindIdx)>,
    /// The tiles that have a zone with [`CompletionRule::Surrounded`] and fewer than eight
    /// neighbours, each with its spot.
    pub(crate) waiting: Vec<(Spot, TileRef)>,
    pub(crate) layers: Vec<Features>,
    /// Bit sets of the zones in layer 0: the zones of incomplete features, and the zones of each
    /// kind.
    pub(crate) zone_index: ZoneIndex,
    pub(crate) links: Vec<ZoneLink>,
    /// Zone tags set during play, which override the zone tags of the tile type.
    pub(crate) zone_tags: Vec<(ZoneRef, ColumnIdx, i32)>,
    #[serde(skip)]
    pub(crate) changes: ChangeCounters,
}

/// The placeholder for a board that the caller has moved out. There is only one such value, because
/// every script call moves a board out and must not allocate memory for the placeholder.
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

/// Queries about pieces.
impl Board {
    pub(crate) fn layout_mut(&mut self) -> &mut Layout {
        Arc::make_mut(&mut self.layout)
    }

    pub(crate) fn occupancy_mut(&mut self) -> &mut Occupancy {
        Arc::make_mut(&mut self.occupancy)
    }

    /// Returns the layout for writing, and the shared pieces, which the caller copies only if it
    /// changes them.
    pub(crate) fn layout_and_occupancy_mut(&mut self) -> (&mut Layout, &mut Arc<Occupancy>) {
        (Arc::make_mut(&mut self.layout), &mut self.occupancy)
    }

    /// Returns the kinds of pieces on the feature.
    pub fn piece_kinds(&self, feature: FeatureRef) -> PieceKindSet {
        self.occupancy.piece_kinds(feature.layer, self.root(feature))
    }

    /// Returns the kinds of pieces anywhere on the board.
    pub fn all_piece_kinds(&self) -> PieceKindSet {
        self.occupancy.all_piece_kinds()
    }

    /// Iterates over the occupants of the feature: one for each zone that a piece occupies.
    pub fn occupants(&self, feature: FeatureRef) -> impl Iterator<Item = &Occupant> + '_ {
        self.occupancy.occupants(feature.layer, self.root(feature))
    }
}

impl PlacedTile {
    /// Returns zone `z` of the tile, counted from 0.
    pub fn zone(&self, z: usize) -> ZoneRef {
        ZoneRef(self.first_zone.0 + z as u32)
    }

    /// Returns the position of `zone` among the zones of this tile, counted from 0.
    pub fn local_index(&self, zone: ZoneRef) -> usize {
        (zone.0 - self.first_zone.0) as usize
    }
}

/// Queries about tiles and features.
impl Layout {
    /// Iterates over the tiles on the board in the order of laying.
    pub fn laid_tiles(&self) -> impl DoubleEndedIterator<Item = (TileRef, &PlacedTile)> + Clone {
        let numbered = self.tiles.iter().enumerate().map(|(i, placed)| (TileRef(i as u32), placed));
        numbered.filter(|(_, placed)| !placed.is_gone)
    }

    /// Returns the number of tiles on the board.
    pub fn n_laid(&self) -> usize {
        self.tiles.len() - self.n_gone as usize
    }

    /// Returns whether a tile was ever taken up or replaced. If so, a stored number may refer to a
    /// tile or zone that is no longer on the board.
    pub fn has_removed_tiles(&self) -> bool {
        self.n_gone > 0
    }

    /// Returns whether `tile` lies on the board; false for numbers that were never used.
    pub fn is_laid(&self, tile: TileRef) -> bool {
        self.tiles.get(tile.0 as usize).is_some_and(|placed| !placed.is_gone)
    }

    /// Returns whether `zone` is on the board; false for numbers that were never used.
    pub fn has_zone(&self, zone: ZoneRef) -> bool {
        let home = self.homes.get(zone.0 as usize);
        home.is_some_and(|(tile, _)| self.n_gone == 0 || !self.tiles[tile.0 as usize].is_gone)
    }

    /// Returns the tile with this number, even if it was taken up or replaced.
    pub fn tile(&self, tile: TileRef) -> &PlacedTile {
        &self.tiles[tile.0 as usize]
    }

    /// Returns the tile on `spot`; `None` if the spot is empty.
    pub fn tile_at(&self, spot: Spot) -> Option<TileRef> {
        self.cells.get(&spot).filter(|cell| **cell & OPEN_FLAG == 0).map(|cell| TileRef(*cell))
    }

    /// Returns the tile beside `spot` across `edge`; `None` if there is no such tile.
    pub fn neighbour(&self, spot: Spot, edge: Edge) -> Option<TileRef> {
        self.tile_at(spot.across(edge)?)
    }

    /// Iterates over the open spots in an unspecified but deterministic order.
    pub fn open_spots(&self) -> impl Iterator<Item = OpenSpot> + '_ {
        self.open.iter()
    }

    /// Counts the placements (spot and facing) of `tile`.
    pub fn n_placements(&self, tile_set: &TileSet, tile: TileIdx) -> usize {
        self.open.count_placements(tile_set.tile(tile))
    }

    /// Returns placement number `n`, counted from 0, in the order of
    /// [`Layout::placements`], without listing the others. Returns `None` if there are
    /// fewer placements.
    pub fn nth_placement(&self, tile_set: &TileSet, tile: TileIdx, n: usize) -> Option<Placement> {
        self.open.nth_placement(tile_set.tile(tile), n)
    }

    /// Lists every open spot and facing at which `tile` matches its neighbours.
    pub fn placements(&self, tile_set: &TileSet, tile: TileIdx) -> Vec<Placement> {
        self.placements_where(tile_set, tile, None, |_, _| true)
    }

    /// Lists the [`Layout::placements`] that `passes` accepts. `passes` receives each
    /// placement with the edges from [`Layout::met_edges`]. If `asked` is given, tries only spots
    /// at which a neighbour requires that edge code.
    pub fn placements_where(
        &self,
        tile_set: &TileSet,
        tile: TileIdx,
        asked: Option<u8>,
        mut passes: impl FnMut(Placement, EdgeSet) -> bool,
    ) -> Vec<Placement> {
        let mut places = Vec::with_capacity(16);
        self.open.for_each_placement(tile_set.tile(tile), asked, |place, met| {
            if passes(place, met) {
                places.push(place);
            }
        });
        places
    }

    /// Returns the edges of `spot` at which a neighbour requires a particular edge code.
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

    /// Lists the neighbouring tiles at which the feature ends because their edge fits every other
    /// edge and has no zone. Lists each tile once, in the order of laying.
    pub fn end_tiles(&self, tile_set: &TileSet, feature: FeatureRef) -> Vec<TileRef> {
        let mut ends = Vec::new();
        for zone in self.zones(feature) {
            let placed = self.tile_at_zone(zone);
            for port in tile_set.tile(placed.tile).zones[placed.local_index(zone)].ports.turned(placed.facing).iter() {
                let Some(other) = self.neighbour(placed.spot, port.edge()) else { continue };
                let there = self.tile(other);
                if tile_set.tile(there.tile).turned(there.facing).zone_at[port.opposite().index()] == NO_ZONE {
                    ends.push(other);
                }
            }
        }
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// Returns the number of the tile that `zone` belongs to.
    pub fn tile_of(&self, zone: ZoneRef) -> TileRef {
        self.homes[zone.0 as usize].0
    }

    /// Returns the tile that `zone` belongs to.
    pub fn tile_at_zone(&self, zone: ZoneRef) -> &PlacedTile {
        &self.tiles[self.homes[zone.0 as usize].0.0 as usize]
    }

    /// Returns the number of zones ever laid; zones are numbered from 0.
    pub fn n_zones(&self) -> usize {
        self.homes.len()
    }

    /// Returns the kind of `zone`.
    #[inline]
    pub fn kind(&self, zone: ZoneRef) -> KindIdx {
        self.homes[zone.0 as usize].1
    }

    /// Returns the name of `zone`, such as `city@n`, without its spot.
    pub fn zone_name(&self, tile_set: &TileSet, zone: ZoneRef) -> String {
        let placed = self.tile_at_zone(zone);
        tile_set.zone_name(placed.tile, placed.facing, placed.local_index(zone))
    }

    /// Iterates over the zones of `tile`, a tile on the board.
    pub fn zones_of(&self, tile_set: &TileSet, tile: TileRef) -> impl Iterator<Item = ZoneRef> + use<> {
        let placed = self.tiles[tile.0 as usize];
        let n = tile_set.tile(placed.tile).zones.len();
        (0..n).map(move |z| placed.zone(z))
    }

    /// Iterates over the zones that border `zone` on its own tile.
    pub fn touching_zones(&self, tile_set: &TileSet, zone: ZoneRef) -> impl Iterator<Item = ZoneRef> + use<> {
        let placed = *self.tile_at_zone(zone);
        let touches = tile_set.tile(placed.tile).zones[placed.local_index(zone)].touches;
        (0..32).filter(move |z| touches >> z & 1 == 1).map(move |z| placed.zone(z))
    }

    /// Iterates over the zones that end at the same point inside the tile as `zone`, such as the
    /// roads at a crossing.
    pub fn meeting_zones(&self, tile_set: &TileSet, zone: ZoneRef) -> impl Iterator<Item = ZoneRef> + use<> {
        let placed = *self.tile_at_zone(zone);
        let meets = tile_set.tile(placed.tile).zones[placed.local_index(zone)].meets;
        (0..32).filter(move |z| meets >> z & 1 == 1).map(move |z| placed.zone(z))
    }

    /// Lists the zones that reach a point where four spots meet. Lists each zone once, tile by tile
    /// in the order of [`Corner::spots`].
    pub fn zones_at(&self, tile_set: &TileSet, corner: Corner) -> Vec<ZoneRef> {
        let mut zones: Vec<ZoneRef> = Vec::new();
        for spot in corner.spots() {
            let Some(tile) = self.tile_at(spot) else { continue };
            let placed = self.tile(tile);
            let zone_at = &tile_set.tile(placed.tile).turned(placed.facing).zone_at;
            // The last half of an edge and the first half of the next edge, clockwise, meet at a
            // corner.
            let edge = match (spot.x < corner.x, spot.y < corner.y) {
                (true, true) => Edge::East,
                (false, true) => Edge::South,
                (false, false) => Edge::West,
                (true, false) => Edge::North,
            };
            let next = Edge::from_index(edge as usize + 1);
            for (edge, half) in [(edge, 2), (next, 0)] {
                let ports = edge.ports();
                // A full zone holds only the middle port but covers both halves.
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

    /// Lists the zones that reach the border between two spots, each zone once. The zones of the
    /// northern or western tile come first.
    pub fn zones_on(&self, tile_set: &TileSet, border: Border) -> Vec<ZoneRef> {
        let mut zones: Vec<ZoneRef> = Vec::new();
        for spot in border.spots() {
            let Some(tile) = self.tile_at(spot) else { continue };
            let is_own = spot == Spot::new(border.x, border.y);
            let edge = if is_own { border.edge() } else { border.edge().opposite() };
            let placed = self.tile(tile);
            let zone_at = &tile_set.tile(placed.tile).turned(placed.facing).zone_at;
            let locals = edge.ports().map(|port| zone_at[port.index()]);
            for local in locals.into_iter().filter(|local| *local != NO_ZONE) {
                let zone = placed.zone(local as usize);
                zones.extend(Some(zone).filter(|zone| !zones.contains(zone)));
            }
        }
        zones
    }

    /// Lists the links that join a zone on one side of a border to a zone on the other side, if
    /// both zones reach the border.
    pub fn links_across(&self, tile_set: &TileSet, border: Border) -> Vec<ZoneLink> {
        if self.links().is_empty() {
            return Vec::new();
        }
        let zones = self.zones_on(tile_set, border);
        let crosses = |link: &&ZoneLink| {
            zones.contains(&link.a) && zones.contains(&link.b) && self.tile_of(link.a) != self.tile_of(link.b)
        };
        self.links().iter().filter(crosses).copied().collect()
    }

    /// Returns the features of `layer`.
    pub fn features(&self, layer: LayerIdx) -> &Features {
        &self.layers[layer.0 as usize]
    }

    /// Returns the number of layers.
    pub fn n_layers(&self) -> usize {
        self.layers.len()
    }

    /// Returns the root of the feature. All handles of a feature have the same root until the board
    /// changes.
    pub fn root(&self, feature: FeatureRef) -> ZoneRef {
        self.layers[feature.layer.0 as usize].root(feature.anchor)
    }

    /// Iterates over the features of `layer` in ascending order of their roots.
    pub fn roots(&self, layer: LayerIdx) -> impl Iterator<Item = FeatureRef> + '_ {
        self.layers[layer.0 as usize].roots().map(move |anchor| FeatureRef { layer, anchor })
    }

    /// Returns the zones of incomplete features of `kinds` in layer 0, except features that contain
    /// a zone of `without`.
    pub fn open_zones(&self, kinds: KindSet, without: impl Iterator<Item = ZoneRef>) -> ZoneSet {
        self.zone_index.open_zones(kinds, without.flat_map(|zone| self.layers[0].zones(zone)))
    }

    /// Returns the number of complete features in layer 0, by kind.
    pub fn n_complete_by_kind(&self) -> &[u32] {
        self.zone_index.n_complete_by_kind()
    }

    /// Counts the complete features of `kind` in layer 0.
    pub fn n_complete(&self, kind: KindIdx) -> usize {
        self.zone_index.n_complete(kind)
    }

    /// Returns whether `layer` includes the kind of `zone`.
    pub fn layer_includes(&self, layer: LayerIdx, zone: ZoneRef) -> bool {
        self.layers[layer.0 as usize].has(zone)
    }

    /// Counts the ports of the feature that face an empty spot.
    pub fn n_open(&self, feature: FeatureRef) -> u32 {
        self.layers[feature.layer.0 as usize].node(self.root(feature)).open
    }

    /// Counts the tiles of the feature.
    pub fn n_tiles(&self, feature: FeatureRef) -> u32 {
        self.layers[feature.layer.0 as usize].node(self.root(feature)).tiles
    }

    /// Counts the zones of the feature.
    pub fn n_zones_in(&self, feature: FeatureRef) -> u32 {
        self.layers[feature.layer.0 as usize].node(self.root(feature)).zones
    }

    /// Counts the tiles that score for the feature: its own tiles and, for a kind that must be
    /// surrounded, the tiles on the eight spots around its tile.
    pub fn n_spots(&self, tile_set: &TileSet, feature: FeatureRef) -> u32 {
        match tile_set.kind(self.kind(feature.anchor)).closes {
            CompletionRule::Surrounded => 1 + u32::from(self.tile_at_zone(feature.anchor).n_neighbours),
            CompletionRule::Ports => self.n_tiles(feature),
        }
    }

    /// Returns whether the feature is complete: it has no open port or, for a kind that must be
    /// surrounded, its tile has eight neighbours.
    pub fn is_complete(&self, tile_set: &TileSet, feature: FeatureRef) -> bool {
        match tile_set.kind(self.kind(feature.anchor)).closes {
            CompletionRule::Ports => self.n_open(feature) == 0,
            CompletionRule::Surrounded => self.tile_at_zone(feature.anchor).n_neighbours == 8,
        }
    }

    /// Returns the value of `column` for the feature.
    pub fn column(&self, feature: FeatureRef, column: ColumnIdx) -> i32 {
        self.layers[feature.layer.0 as usize].column(self.root(feature), column)
    }

    /// Returns the values of the feature in all columns, by column number.
    pub fn columns(&self, feature: FeatureRef) -> &[i32] {
        self.layers[feature.layer.0 as usize].row(self.root(feature))
    }

    /// Lists the zones of the feature in ascending order, so that equal sets give equal lists.
    pub fn sorted_zones(&self, feature: FeatureRef) -> Vec<ZoneRef> {
        let mut zones: Vec<ZoneRef> = self.zones(feature).collect();
        zones.sort_unstable();
        zones
    }

    /// Iterates over the zones of the feature in an unspecified order.
    pub fn zones(&self, feature: FeatureRef) -> impl Iterator<Item = ZoneRef> + '_ {
        self.layers[feature.layer.0 as usize].zones(feature.anchor)
    }

    /// Returns the links that [`Board::relink`] has made, sorted.
    pub fn links(&self) -> &[ZoneLink] {
        &self.links
    }

    /// Returns the zone tags that were set during play and differ from the tile type, as sorted
    /// triples of zone, column and value.
    pub fn zone_tags(&self) -> &[(ZoneRef, ColumnIdx, i32)] {
        &self.zone_tags
    }

    /// Lists the complete features of `kinds` in layer 0 that border `feature`. Two features border
    /// each other if a zone of one touches a zone of the other on the same tile. Lists each feature
    /// once, in an unspecified order.
    pub fn complete_neighbours(&self, tile_set: &TileSet, feature: FeatureRef, kinds: KindSet) -> Vec<FeatureRef> {
        let mut found: Vec<FeatureRef> = Vec::new();
        for zone in self.zones(feature) {
            let placed = self.tile_at_zone(zone);
            let mut touches = tile_set.tile(placed.tile).zones[placed.local_index(zone)].touches;
            while touches != 0 {
                let other = placed.zone(touches.trailing_zeros() as usize);
                touches &= touches - 1;
                if kinds.contains(self.kind(other)) && !self.zone_index.is_open(other) {
                    let root = FeatureRef { layer: LayerIdx(0), anchor: self.layers[0].root(other) };
                    if !found.contains(&root) {
                        found.push(root);
                    }
                }
            }
        }
        found
    }

    /// Adds to `found` the features of `kinds` in layer 0 that border `feature`. Two features
    /// border each other if a zone of one touches a zone of the other on the same tile. Adds each
    /// feature once per call.
    pub fn add_bordering(&self, tile_set: &TileSet, feature: FeatureRef, kinds: KindSet, found: &mut Vec<FeatureRef>) {
        let from = found.len();
        for zone in self.zones(feature) {
            for anchor in self.touching_zones(tile_set, zone) {
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
