//! Laying tiles and merging the features they connect.

use std::sync::Arc;

use crate::board::{Board, Join, Layout, OPEN_FLAG, PlaceError, PlacedTile};
use crate::feature::Features;
use crate::geometry::{Edge, Facing, Spot};
use crate::handles::{FeatureRef, KindSet, LayerIdx, TileIdx, TileRef, ZoneRef};
use crate::occupancy::Occupancy;
use crate::open::Placement;
use crate::tile::{ANY_EDGE, NO_ZONE, Tile};
use crate::tile_set::{CompletionRule, TileSet};
use crate::zones::ZoneIndex;

/// The offsets of the four spots that touch a given spot only at a corner.
const CORNERS: [(i16, i16); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
/// The order, by row and column, in which `update_waiting_tiles` handles the tiles around a laid
/// tile. The number 8 in the centre stands for the laid tile, which it does not handle.
const NEIGHBOUR_ORDER: [[usize; 3]; 3] = [[4, 0, 5], [3, 8, 1], [6, 2, 7]];

/// A root that stands for no feature.
const NO_ROOT: ZoneRef = ZoneRef(u32::MAX);

/// Placement of tiles.
impl Board {
    /// Makes an empty board for tiles of `tile_set`, with capacity for `n_tiles`.
    pub fn new(tile_set: &TileSet, n_tiles: usize) -> Self {
        let layout = Arc::new(Layout::empty(tile_set));
        let mut board = Board { layout, occupancy: Arc::new(Occupancy::new(tile_set.layers.len())) };
        board.reserve(n_tiles);
        board
    }

    /// Reserves capacity for `n_tiles` tiles. A copy of a board has no spare capacity after its
    /// first change.
    pub fn reserve(&mut self, n_tiles: usize) {
        self.layout_mut().reserve(n_tiles);
    }

    /// Lays a tile and merges the features it connects. Adds to `touched` every feature that the
    /// tile starts, extends, ends or helps to surround. If `joins` is given, adds merges to its
    /// list: all merges in layers other than 0, and some in layer 0. These include all merges whose
    /// kind is in the set in `joins`.
    ///
    /// The tile need not have neighbours, because a caller may build a given position tile by tile.
    ///
    /// # Errors
    /// Returns the reason if the spot is taken or an edge does not match.
    pub fn place(
        &mut self,
        tile_set: &TileSet,
        spot: Spot,
        tile: TileIdx,
        facing: Facing,
        touched: &mut Vec<FeatureRef>,
        joins: Option<(KindSet, &mut Vec<Join>)>,
    ) -> Result<TileRef, PlaceError> {
        match self.check(tile_set, spot, tile, facing) {
            Ok(()) | Err(PlaceError::Apart) => {}
            Err(error) => return Err(error),
        }
        let (layout, occupancy) = self.layout_and_occupancy_mut();
        Ok(layout.place_tile(occupancy, tile_set, tile, Placement { spot, facing }, touched, joins))
    }
}

impl Layout {
    pub(crate) fn empty(tile_set: &TileSet) -> Layout {
        let layers = tile_set.layers.iter().map(|_| Features::new(&tile_set.columns)).collect();
        Layout { layers, zone_index: ZoneIndex::new(tile_set.kinds.len()), ..Layout::default() }
    }

    pub(crate) fn reserve(&mut self, n_tiles: usize) {
        self.tiles.reserve(n_tiles.saturating_sub(self.tiles.len()));
        self.cells.reserve((n_tiles * 2).saturating_sub(self.cells.len()));
        self.open.reserve(n_tiles.saturating_sub(self.open.len()));
        let n_zones = (n_tiles * 6).saturating_sub(self.homes.len());
        self.homes.reserve(n_zones);
        self.zone_index.reserve(n_zones);
        self.layers.iter_mut().for_each(|l| l.reserve(n_zones));
    }

    /// Checks whether `tile` can be placed on `spot` at `facing`.
    ///
    /// # Errors
    /// Returns the reason if the tile cannot be placed there.
    pub fn check(&self, tile_set: &TileSet, spot: Spot, tile: TileIdx, facing: Facing) -> Result<(), PlaceError> {
        match self.cells.get(&spot).copied() {
            None if self.n_laid() == 0 => Ok(()),
            None => Err(PlaceError::Apart),
            Some(cell) if cell & OPEN_FLAG == 0 => Err(PlaceError::Taken),
            Some(cell) => {
                let open = self.open.get((cell & !OPEN_FLAG) as usize);
                let edges = tile_set.tile(tile).turned(facing).edges;
                let clashes = |edge: &Edge| {
                    let own = edges[*edge as usize];
                    own != ANY_EDGE && open.required_code(*edge as usize).is_some_and(|needed| needed != own)
                };
                let clash = Edge::ALL.into_iter().find(clashes);
                clash.map_or(Ok(()), |edge| Err(PlaceError::Edge(edge)))
            }
        }
    }

    /// Checks whether the edges of `tile` at `facing` match the neighbours of `spot`. Ignores any
    /// tile on the spot itself.
    ///
    /// # Errors
    /// Returns the first edge that does not match.
    pub fn check_edges(&self, tile_set: &TileSet, spot: Spot, tile: TileIdx, facing: Facing) -> Result<(), PlaceError> {
        let own = tile_set.tile(tile).turned(facing).edges;
        let clashes = |edge: &Edge| {
            let Some(other) = self.neighbour(spot, *edge) else { return false };
            let there = self.tile(other);
            let asked = tile_set.tile(there.tile).turned(there.facing).edges[edge.opposite() as usize];
            let code = own[*edge as usize];
            asked != ANY_EDGE && code != ANY_EDGE && code != tile_set.mirror(asked)
        };
        Edge::ALL.into_iter().find(clashes).map_or(Ok(()), |edge| Err(PlaceError::Edge(edge)))
    }

    /// Lays a tile on an empty spot. The caller has checked the edges of the tile.
    fn place_tile(
        &mut self,
        occupancy: &mut Arc<Occupancy>,
        tile_set: &TileSet,
        tile: TileIdx,
        place: Placement,
        touched: &mut Vec<FeatureRef>,
        joins: Option<(KindSet, &mut Vec<Join>)>,
    ) -> TileRef {
        let Placement { spot, facing } = place;
        self.changes.n_tiles += 1;
        let me = TileRef(self.tiles.len() as u32);
        let first_zone = ZoneRef(self.homes.len() as u32);
        self.tiles.push(PlacedTile { spot, tile, facing, first_zone, n_neighbours: 0, is_gone: false });
        self.number_zones(tile_set, me);
        self.merge_features(occupancy, tile_set, me, touched, joins);
        me
    }

    /// Gives numbers to the zones of a tile and makes each zone a separate feature. The zones of a
    /// removed tile belong to no feature.
    #[inline]
    pub(crate) fn number_zones(&mut self, tile_set: &TileSet, me: TileRef) {
        let PlacedTile { tile, first_zone, is_gone, .. } = self.tiles[me.0 as usize];
        let shape = tile_set.tile(tile);
        self.homes.extend(shape.zones.iter().map(|zone| (me, zone.kind)));
        if is_gone {
            tile_set
                .layers
                .iter()
                .zip(&mut self.layers)
                .for_each(|(layer, own)| own.extend_removed(shape, layer.kinds));
            return;
        }
        self.zone_index.extend(first_zone, shape);
        for (layer, features) in tile_set.layers.iter().zip(&mut self.layers) {
            features.extend(shape, layer.kinds);
        }
    }

    /// Puts a tile with numbered zones on its spot and merges the features it connects.
    #[inline]
    pub(crate) fn merge_features(
        &mut self,
        occupancy: &mut Arc<Occupancy>,
        tile_set: &TileSet,
        me: TileRef,
        touched: &mut Vec<FeatureRef>,
        joins: Option<(KindSet, &mut Vec<Join>)>,
    ) {
        let PlacedTile { spot, tile, facing, .. } = self.tiles[me.0 as usize];
        let shape = tile_set.tile(tile);
        let turned = shape.turned(facing);
        if let Some(cell) = self.cells.insert(spot, me.0) {
            self.remove_open_spot((cell & !OPEN_FLAG) as usize);
        }
        let mut neighbours = [None; 4];
        for edge in Edge::ALL {
            let Some(across) = spot.across(edge) else { continue };
            let asked = tile_set.mirror(turned.edges[edge as usize]);
            let cell = *self.cells.entry(across).or_insert_with(|| {
                self.open.push(across);
                OPEN_FLAG | (self.open.len() - 1) as u32
            });
            match cell & OPEN_FLAG {
                0 => neighbours[edge as usize] = Some(TileRef(cell)),
                _ => self.open.require((cell & !OPEN_FLAG) as usize, edge.opposite() as usize, asked),
            }
        }
        if let Some((kinds, joins)) = joins {
            self.note_joins(tile_set, me, &neighbours, kinds, joins);
        }
        self.join_inside(occupancy, tile_set, me);
        for edge in Edge::ALL {
            if let Some(other) = neighbours[edge as usize] {
                self.join_across(occupancy, tile_set, me, edge, other, touched);
            }
        }
        self.update_touched(tile_set, me, shape, &neighbours, touched);
    }

    fn remove_open_spot(&mut self, i: usize) {
        if let Some(cell) = self.open.swap_remove(i).and_then(|moved| self.cells.get_mut(&moved)) {
            *cell = OPEN_FLAG | i as u32;
        }
    }

    /// Joins zones of `tile` that touch each other, in the layers that join touching zones.
    fn join_inside(&mut self, occupancy: &mut Arc<Occupancy>, tile_set: &TileSet, tile: TileRef) {
        let placed = self.tiles[tile.0 as usize];
        for (l, layer) in tile_set.layers.iter().enumerate().filter(|(_, layer)| layer.joins_touching) {
            let zones = &tile_set.tile(placed.tile).zones;
            for (z, zone) in zones.iter().enumerate() {
                for (o, other) in zones.iter().enumerate().skip(z + 1) {
                    let touch = zone.touches >> o & 1 == 1;
                    if touch && layer.kinds.contains(zone.kind) && layer.kinds.contains(other.kind) {
                        self.join(occupancy, tile_set, l, placed.zone(z), placed.zone(o));
                    }
                }
            }
        }
    }

    /// Joins the zones that meet across one edge and closes their ports.
    fn join_across(
        &mut self,
        occupancy: &mut Arc<Occupancy>,
        tile_set: &TileSet,
        me: TileRef,
        edge: Edge,
        other: TileRef,
        touched: &mut Vec<FeatureRef>,
    ) {
        let (mine, theirs) = (self.tiles[me.0 as usize], self.tiles[other.0 as usize]);
        let my_zones = &tile_set.tile(mine.tile).turned(mine.facing).zone_at;
        let their_zones = &tile_set.tile(theirs.tile).turned(theirs.facing).zone_at;
        for port in edge.ports() {
            let (a, b) = (my_zones[port.index()], their_zones[port.opposite().index()]);
            if a == NO_ZONE || b == NO_ZONE {
                if a != b {
                    let ended = if a == NO_ZONE { theirs.zone(b as usize) } else { mine.zone(a as usize) };
                    self.end_port(tile_set, ended, touched);
                }
                continue;
            }
            let (a, b) = (mine.zone(a as usize), theirs.zone(b as usize));
            for l in 0..self.layers.len() {
                let features = &mut self.layers[l];
                if !features.has(a) || !features.has(b) {
                    continue;
                }
                let (a, b) = (features.root(a), features.root(b));
                let n_open = features.close_ports(a, b);
                self.join_roots(occupancy, tile_set, l, a, b);
                if n_open == 0 && l == 0 {
                    self.close(tile_set, a);
                }
            }
        }
    }

    /// Closes a port of `zone` at an edge that fits anything, without merging features.
    #[cold]
    fn end_port(&mut self, tile_set: &TileSet, zone: ZoneRef, touched: &mut Vec<FeatureRef>) {
        for l in 0..self.layers.len() {
            let features = &mut self.layers[l];
            if !features.has(zone) {
                continue;
            }
            let node = features.node_mut(features.root(zone));
            node.open -= 1;
            let n_open = node.open;
            touched.push(FeatureRef { layer: LayerIdx(l as u8), anchor: zone });
            if n_open == 0 && l == 0 {
                self.close(tile_set, zone);
            }
        }
    }

    /// Records a feature of layer 0 without open ports as complete, unless its kind must be
    /// surrounded.
    #[inline(never)]
    fn close(&mut self, tile_set: &TileSet, anchor: ZoneRef) {
        let kind = self.kind(anchor);
        if tile_set.kind(kind).closes == CompletionRule::Ports {
            self.zone_index.close(kind, self.layers[0].zones(anchor));
        }
    }

    /// Merges the features of two zones in layer number `l`, unless the two zones already belong to
    /// one feature.
    pub(crate) fn join(
        &mut self,
        occupancy: &mut Arc<Occupancy>,
        tile_set: &TileSet,
        l: usize,
        a: ZoneRef,
        b: ZoneRef,
    ) {
        let features = &self.layers[l];
        self.join_roots(occupancy, tile_set, l, features.root(a), features.root(b));
    }

    fn join_roots(&mut self, occupancy: &mut Arc<Occupancy>, tile_set: &TileSet, l: usize, a: ZoneRef, b: ZoneRef) {
        if a == b {
            return;
        }
        let features = &self.layers[l];
        let (small, big) = if features.node(a).zones >= features.node(b).zones { (b, a) } else { (a, b) };
        let shared = self.n_shared_tiles(tile_set, l, small, big);
        self.layers[l].join(big, small, shared);
        if occupancy.is_occupied(l, small) {
            Arc::make_mut(occupancy).join(l, big, small);
        }
    }

    /// Counts the tiles that have zones of both features, given by their roots. Visits every zone
    /// of the feature `small`.
    fn n_shared_tiles(&self, tile_set: &TileSet, l: usize, small: ZoneRef, big: ZoneRef) -> u32 {
        let features = &self.layers[l];
        let mut n = 0;
        for zone in features.zones(small) {
            let placed = self.tile_at_zone(zone);
            let local = zone.0 - placed.first_zone.0;
            let tile = tile_set.tile(placed.tile);
            let mut twins = if l == 0 {
                tile.zones[local as usize].twins
            } else {
                (1u64 << tile.zones.len()).wrapping_sub(1) as u32 & !(1 << local)
            };
            let mut in_big = false;
            while twins != 0 {
                let twin = twins.trailing_zeros();
                twins &= twins - 1;
                let other = placed.zone(twin as usize);
                if !features.has(other) {
                    continue;
                }
                let root = features.root(other);
                if root == small && twin < local {
                    // The tile was counted at an earlier zone of the same feature.
                    in_big = false;
                    break;
                }
                in_big |= root == big;
            }
            n += u32::from(in_big);
        }
        n
    }

    fn update_touched(
        &mut self,
        tile_set: &TileSet,
        me: TileRef,
        shape: &Tile,
        neighbours: &[Option<TileRef>; 4],
        touched: &mut Vec<FeatureRef>,
    ) {
        let placed = self.tiles[me.0 as usize];
        for l in 0..self.layers.len() {
            for z in 0..shape.zones.len() {
                let anchor = placed.zone(z);
                if self.layers[l].has(anchor) {
                    touched.push(FeatureRef { layer: LayerIdx(l as u8), anchor });
                }
            }
        }
        if !self.waiting.is_empty() {
            self.update_waiting_tiles(tile_set, placed.spot, touched);
        }
        if shape.is_surrounded {
            let corners = CORNERS
                .iter()
                .filter(|(dx, dy)| placed.spot.offset(*dx, *dy).and_then(|at| self.tile_at(at)).is_some());
            let n_neighbours = neighbours.iter().flatten().count() + corners.count();
            self.waiting.push((placed.spot, me));
            (0..n_neighbours).for_each(|_| self.count_neighbour(tile_set, me));
        }
    }

    /// Counts the tile laid on `spot` as a neighbour of the waiting tiles around it, and adds their
    /// features that must be surrounded to `touched`. Begins with the tiles beside `spot`,
    /// clockwise from the north; the tiles at the corners of `spot` follow.
    fn update_waiting_tiles(&mut self, tile_set: &TileSet, spot: Spot, touched: &mut Vec<FeatureRef>) {
        let mut found = [None; 8];
        for (at, tile) in &self.waiting {
            let (dx, dy) = (i32::from(at.x) - i32::from(spot.x), i32::from(at.y) - i32::from(spot.y));
            // Most waiting tiles do not touch `spot`.
            if let (-1..=1, -1..=1) = (dx, dy) {
                found[NEIGHBOUR_ORDER[(dy + 1) as usize][(dx + 1) as usize]] = Some(*tile);
            }
        }
        for tile in found.into_iter().flatten() {
            let placed = self.tiles[tile.0 as usize];
            for (z, zone) in tile_set.tile(placed.tile).zones.iter().enumerate() {
                if tile_set.kind(zone.kind).closes == CompletionRule::Surrounded {
                    touched.push(FeatureRef { layer: LayerIdx(0), anchor: placed.zone(z) });
                }
            }
            self.count_neighbour(tile_set, tile);
        }
    }

    /// Counts one more neighbour of a waiting tile, which stops waiting at the eighth neighbour.
    fn count_neighbour(&mut self, tile_set: &TileSet, tile: TileRef) {
        let placed = &mut self.tiles[tile.0 as usize];
        placed.n_neighbours += 1;
        if placed.n_neighbours < 8 {
            return;
        }
        let placed = *placed;
        self.waiting.retain(|(_, other)| *other != tile);
        for (z, zone) in tile_set.tile(placed.tile).zones.iter().enumerate() {
            if tile_set.kind(zone.kind).closes == CompletionRule::Surrounded {
                self.zone_index.close(zone.kind, std::iter::once(placed.zone(z)));
            }
        }
    }

    /// Returns whether a zone of `me` with a kind in `kinds` would merge different features across
    /// its edges. The result is false for most tiles.
    fn joins_any(
        &self,
        tile_set: &TileSet,
        me: TileRef,
        features: &Features,
        kinds: KindSet,
        neighbours: &[Option<TileRef>; 4],
    ) -> bool {
        let mine = self.tiles[me.0 as usize];
        let shape = tile_set.tile(mine.tile);
        let zone_at = &shape.turned(mine.facing).zone_at;
        // Ground holds both halves of an edge and can meet two features there. All other kinds hold
        // only the middle.
        let ports = if kinds.intersects(tile_set.ground) { 0..3 } else { 1..2 };
        if ports.len() == 1 && neighbours.iter().flatten().count() < 2 {
            return false;
        }
        let mut met = [NO_ROOT; 32];
        for edge in Edge::ALL {
            let Some(other) = neighbours[edge as usize] else { continue };
            let theirs = self.tiles[other.0 as usize];
            let their_zones = &tile_set.tile(theirs.tile).turned(theirs.facing).zone_at;
            for port in &edge.ports()[ports.clone()] {
                let (a, b) = (zone_at[port.index()], their_zones[port.opposite().index()]);
                if a == NO_ZONE || b == NO_ZONE || !kinds.contains(shape.zones[a as usize].kind) {
                    continue;
                }
                if !features.has(theirs.zone(b as usize)) {
                    continue;
                }
                let root = features.root(theirs.zone(b as usize));
                let before = std::mem::replace(&mut met[a as usize], root);
                if before != NO_ROOT && before != root {
                    return true;
                }
            }
        }
        false
    }

    /// Adds to `joins` the merges that laying `me` will cause.
    fn note_joins(
        &self,
        tile_set: &TileSet,
        me: TileRef,
        neighbours: &[Option<TileRef>; 4],
        kinds: KindSet,
        joins: &mut Vec<Join>,
    ) {
        let mine = self.tiles[me.0 as usize];
        let zone_at = &tile_set.tile(mine.tile).turned(mine.facing).zone_at;
        for (l, features) in self.layers.iter().enumerate() {
            let layer = LayerIdx(l as u8);
            // In layer 0 all zones of a feature are of one kind.
            let kinds = if l == 0 { kinds } else { KindSet::ALL };
            if !tile_set.layers[l].joins_touching && !self.joins_any(tile_set, me, features, kinds, neighbours) {
                continue;
            }
            // Each group consists of zones of the new tile that will form one feature, and of the
            // old features that these zones meet. Two zones share a group if both meet the same old
            // feature or, in layers that join touching zones, if they touch each other.
            let mut groups: Vec<(Vec<ZoneRef>, Vec<ZoneRef>)> = Vec::new();
            for (z, zone) in tile_set.tile(mine.tile).zones.iter().enumerate() {
                let anchor = mine.zone(z);
                if !features.has(anchor) {
                    continue;
                }
                let mut old: Vec<ZoneRef> = Vec::new();
                for edge in Edge::ALL {
                    let Some(other) = neighbours[edge as usize] else { continue };
                    let theirs = self.tiles[other.0 as usize];
                    let their_zones = &tile_set.tile(theirs.tile).turned(theirs.facing).zone_at;
                    for port in edge.ports().into_iter().filter(|p| zone_at[p.index()] as usize == z) {
                        let b = their_zones[port.opposite().index()];
                        if b != NO_ZONE && features.has(theirs.zone(b as usize)) {
                            old.push(features.root(theirs.zone(b as usize)));
                        }
                    }
                }
                let mut group = (vec![anchor], old);
                let mut i = 0;
                while i < groups.len() {
                    let touches = tile_set.layers[l].joins_touching
                        && groups[i].0.iter().any(|o| zone.touches >> (o.0 - mine.first_zone.0) & 1 == 1);
                    if touches || groups[i].1.iter().any(|r| group.1.contains(r)) {
                        let gone = groups.swap_remove(i);
                        group.0.extend(gone.0);
                        group.1.extend(gone.1);
                    } else {
                        i += 1;
                    }
                }
                groups.push(group);
            }
            for (zones, mut old) in groups {
                old.sort_unstable();
                old.dedup();
                if old.len() > 1 {
                    joins.push(Join { feature: FeatureRef { layer, anchor: zones[0] }, parts: old });
                }
            }
        }
    }
}
