//! The board: what is laid where, what hangs together, and where the next tile may go.

use crate::feature::{Features, NO_STAND, Occupants};
use crate::geometry::{Edge, Facing, Spot};
use crate::grid::Grid;
use crate::land::{Closes, ColumnIdx, KindIdx, KindSet, Land, LayerIdx};
use crate::open::{OpenSpot, Placement, packed_edges};
use crate::tile::{NO_ZONE, Tile, TileIdx};

/// A tile on the board, in the order of laying. It is never taken up, so the number keeps its meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TileRef(pub u32);

/// A zone on the board: a part of a laid tile. It keeps its meaning, unlike the root of its feature.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ZoneRef(pub u32);

/// A feature: the one that holds the zone `anchor` in `layer`, found anew whenever it is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FeatureRef {
    /// The layer in which its zones are joined.
    pub layer: LayerIdx,
    /// Any zone of it.
    pub anchor: ZoneRef,
}

/// A feature that was touched; the same as a feature handle.
pub type Touch = FeatureRef;

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
}

/// A piece's foot on a feature: a piece on several zones has several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stand {
    /// The zone.
    pub zone: ZoneRef,
    /// The layer in which the piece counts.
    pub layer: LayerIdx,
    /// Which piece; the board gives it no meaning.
    pub piece: u32,
    /// The sort of the piece, its bit in [`Occupants`].
    pub sort: u8,
    next: u32,
}

/// Two zones of one tile joined in layer 0 beyond what its picture says (a ferry).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Link {
    /// One zone.
    pub a: ZoneRef,
    /// The other zone, on the same tile.
    pub b: ZoneRef,
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

const OPEN: u32 = 1 << 31;

/// What is laid. The default is a board without layers, good only as a stand-in for one that has been moved elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Board {
    tiles: Vec<PlacedTile>,
    /// Laid tiles, or with the highest bit positions in `open`.
    cells: Grid,
    open: Vec<OpenSpot>,
    /// The tile and the kind of each zone.
    homes: Vec<(TileRef, KindIdx)>,
    /// How many tiles wait for their eight neighbours.
    n_waiting: u32,
    layers: Vec<Features>,
    stands: Vec<Stand>,
    free_stands: Vec<u32>,
    links: Vec<Link>,
    /// Numbers that differ from what the tile says, set while playing.
    zone_tags: Vec<(ZoneRef, ColumnIdx, i32)>,
}

/// Laying tiles.
impl Board {
    /// An empty board for tiles of `land`, with room for `n_tiles` before memory must grow.
    pub fn new(land: &Land, n_tiles: usize) -> Self {
        let mut board = Board {
            layers: land.layers.iter().map(|_| Features::new(land.columns.len())).collect(),
            ..Board::default()
        };
        board.reserve(n_tiles);
        board
    }

    /// Makes room for `n_tiles` tiles before memory must grow; a copy of a board has room for no more than it holds.
    pub fn reserve(&mut self, n_tiles: usize) {
        self.tiles.reserve(n_tiles.saturating_sub(self.tiles.len()));
        self.cells.reserve(n_tiles * 2);
        self.open.reserve(n_tiles.saturating_sub(self.open.len()));
        let n_zones = (n_tiles * 4).saturating_sub(self.homes.len());
        self.homes.reserve(n_zones);
        self.layers.iter_mut().for_each(|l| l.reserve(n_zones));
    }

    /// Why `tile` cannot lie on `spot` at `facing`, if it cannot.
    pub fn check(&self, land: &Land, spot: Spot, tile: TileIdx, facing: Facing) -> Result<(), PlaceError> {
        match self.cells.get(spot) {
            None if self.tiles.is_empty() => Ok(()),
            None => Err(PlaceError::Apart),
            Some(cell) if cell & OPEN == 0 => Err(PlaceError::Taken),
            Some(cell) => {
                let open = &self.open[(cell & !OPEN) as usize];
                let edges = land.tile(tile).turned(facing).edges;
                let clash =
                    Edge::ALL.into_iter().find(|e| open.needed(*e as usize).is_some_and(|n| n != edges[*e as usize]));
                clash.map_or(Ok(()), |edge| Err(PlaceError::Edge(edge)))
            }
        }
    }

    /// Lays a tile and joins what it joins. Every feature it touches is added to `touched`, and if asked for, the features that became
    /// one are added to `joins`.
    ///
    /// The tile need not touch another one (positions are built that way), but it must agree with those it touches.
    pub fn place(
        &mut self,
        land: &Land,
        spot: Spot,
        tile: TileIdx,
        facing: Facing,
        touched: &mut Vec<Touch>,
        joins: Option<&mut Vec<Join>>,
    ) -> Result<TileRef, PlaceError> {
        match self.check(land, spot, tile, facing) {
            Ok(()) | Err(PlaceError::Apart) => {}
            Err(error) => return Err(error),
        }
        let shape = land.tile(tile);
        let turned = shape.turned(facing);
        let me = TileRef(self.tiles.len() as u32);
        let first = ZoneRef(self.homes.len() as u32);
        self.tiles.push(PlacedTile { spot, tile, facing, first_zone: first, n_neighbours: 0 });
        for (z, zone) in shape.zones.iter().enumerate() {
            let at = ZoneRef(first.0 + z as u32);
            self.homes.push((me, zone.kind));
            for (layer, features) in land.layers.iter().zip(&mut self.layers) {
                features.push(layer.kinds.contains(zone.kind), zone.ports.len() as u32);
                for tag in &zone.tags {
                    features.set_column(at, tag.column, tag.value);
                }
            }
        }
        if let Some(cell) = self.cells.insert(spot, me.0) {
            self.close_open((cell & !OPEN) as usize);
        }
        let mut neighbours = [None; 4];
        for edge in Edge::ALL {
            let Some(across) = spot.across(edge) else { continue };
            match self.cells.get(across) {
                Some(cell) if cell & OPEN == 0 => neighbours[edge as usize] = Some(TileRef(cell)),
                Some(cell) => {
                    let i = (cell & !OPEN) as usize;
                    self.open[i].require(edge.opposite() as usize, land.mirror(turned.edges[edge as usize]));
                }
                None => {
                    let mut open = OpenSpot::new(across);
                    open.require(edge.opposite() as usize, land.mirror(turned.edges[edge as usize]));
                    self.cells.insert(across, OPEN | self.open.len() as u32);
                    self.open.push(open);
                }
            }
        }
        if let Some(joins) = joins {
            self.note_joins(land, me, &neighbours, joins);
        }
        self.join_inside(land, me);
        for edge in Edge::ALL {
            if let Some(other) = neighbours[edge as usize] {
                self.join_across(land, me, edge, other, true);
            }
        }
        self.touch(land, me, shape, touched);
        Ok(me)
    }

    fn close_open(&mut self, i: usize) {
        self.open.swap_remove(i);
        if let Some(moved) = self.open.get(i) {
            self.cells.insert(moved.spot, OPEN | i as u32);
        }
    }

    /// Joins zones of one tile that touch each other, in the layers where touching joins, and its links.
    fn join_inside(&mut self, land: &Land, tile: TileRef) {
        let placed = self.tiles[tile.0 as usize];
        for (l, layer) in land.layers.iter().enumerate().filter(|(_, layer)| layer.joins_touching) {
            let zones = &land.tile(placed.tile).zones;
            for (z, zone) in zones.iter().enumerate() {
                for o in z + 1..zones.len() {
                    if zone.touches >> o & 1 == 1
                        && layer.kinds.contains(zone.kind)
                        && layer.kinds.contains(zones[o].kind)
                    {
                        self.join(land, l, placed.zone(z), placed.zone(o));
                    }
                }
            }
        }
    }

    /// Joins what meets across one edge. With `closes` the ports there stop being open.
    fn join_across(&mut self, land: &Land, me: TileRef, edge: Edge, other: TileRef, closes: bool) {
        let (mine, theirs) = (self.tiles[me.0 as usize], self.tiles[other.0 as usize]);
        let my_zones = &land.tile(mine.tile).turned(mine.facing).zone_at;
        let their_zones = &land.tile(theirs.tile).turned(theirs.facing).zone_at;
        let mut last = (NO_ZONE, NO_ZONE);
        for port in edge.ports() {
            let (a, b) = (my_zones[port.index()], their_zones[port.mirror().index()]);
            if a == NO_ZONE || b == NO_ZONE {
                continue;
            }
            let (za, zb) = (mine.zone(a as usize), theirs.zone(b as usize));
            for l in 0..self.layers.len() {
                let features = &mut self.layers[l];
                if !features.has(za) || !features.has(zb) {
                    continue;
                }
                if closes {
                    for zone in [za, zb] {
                        let root = features.root(zone);
                        features.node_mut(root).open -= 1;
                    }
                }
                // Both halves of an edge often belong to the same two zones.
                if last != (a, b) {
                    self.join(land, l, za, zb);
                }
            }
            last = (a, b);
        }
    }

    /// Joins the features of two zones in layer number `l`, if they are not one already.
    fn join(&mut self, land: &Land, l: usize, a: ZoneRef, b: ZoneRef) {
        let features = &self.layers[l];
        let (a, b) = (features.root(a), features.root(b));
        if a == b {
            return;
        }
        let (small, big) = if features.node(a).zones >= features.node(b).zones { (b, a) } else { (a, b) };
        let shared = self.n_shared_tiles(land, l, small, big);
        let (root, stands) = self.layers[l].join(big, small, shared, &land.columns);
        if stands != NO_STAND {
            self.append_stands(l, root, stands);
        }
    }

    fn append_stands(&mut self, l: usize, root: ZoneRef, list: u32) {
        let mut end = list;
        while self.stands[end as usize].next != NO_STAND {
            end = self.stands[end as usize].next;
        }
        let node = self.layers[l].node_mut(root);
        self.stands[end as usize].next = node.first_stand;
        node.first_stand = list;
    }

    /// How many tiles hold zones of both features, given by their roots. Costs a look at each zone of the smaller one.
    fn n_shared_tiles(&self, land: &Land, l: usize, small: ZoneRef, big: ZoneRef) -> u32 {
        let features = &self.layers[l];
        let mut n = 0;
        for zone in features.zones(small) {
            let placed = self.tile_at_zone(zone);
            let local = zone.0 - placed.first_zone.0;
            let tile = land.tile(placed.tile);
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
                    // An earlier zone of the same tile has been looked at already.
                    in_big = false;
                    break;
                }
                in_big |= root == big;
            }
            n += u32::from(in_big);
        }
        n
    }

    fn touch(&mut self, land: &Land, me: TileRef, shape: &Tile, touched: &mut Vec<Touch>) {
        let placed = self.tiles[me.0 as usize];
        for l in 0..self.layers.len() {
            for z in 0..shape.zones.len() {
                let anchor = placed.zone(z);
                if self.layers[l].has(anchor) {
                    touched.push(Touch { layer: LayerIdx(l as u8), anchor });
                }
            }
        }
        if shape.is_surrounded {
            self.n_waiting += 1;
        } else if self.n_waiting == 0 {
            return;
        }
        for spot in placed.spot.around() {
            let Some(cell) = self.cells.get(spot).filter(|cell| cell & OPEN == 0) else { continue };
            if shape.is_surrounded {
                self.count_neighbour(me);
            }
            let near = TileRef(cell);
            let tile = land.tile(self.tiles[cell as usize].tile);
            if tile.is_surrounded {
                self.count_neighbour(near);
                for (z, zone) in tile.zones.iter().enumerate() {
                    if land.kind(zone.kind).closes == Closes::Surrounded {
                        touched.push(Touch { layer: LayerIdx(0), anchor: self.tiles[near.0 as usize].zone(z) });
                    }
                }
            }
        }
    }

    fn count_neighbour(&mut self, tile: TileRef) {
        let placed = &mut self.tiles[tile.0 as usize];
        placed.n_neighbours += 1;
        self.n_waiting -= u32::from(placed.n_neighbours == 8);
    }

    /// Lists the features that laying `me` is about to join, while they are still apart.
    fn note_joins(&self, land: &Land, me: TileRef, neighbours: &[Option<TileRef>; 4], joins: &mut Vec<Join>) {
        let mine = self.tiles[me.0 as usize];
        let zone_at = &land.tile(mine.tile).turned(mine.facing).zone_at;
        for (l, features) in self.layers.iter().enumerate() {
            let layer = LayerIdx(l as u8);
            // Which zones of the new tile will be one: by themselves, where touching joins, and by a shared old feature.
            let mut groups: Vec<(Vec<ZoneRef>, Vec<ZoneRef>)> = Vec::new();
            for (z, zone) in land.tile(mine.tile).zones.iter().enumerate() {
                let anchor = mine.zone(z);
                if !features.has(anchor) {
                    continue;
                }
                let mut old: Vec<ZoneRef> = Vec::new();
                for edge in Edge::ALL {
                    let Some(other) = neighbours[edge as usize] else { continue };
                    let theirs = self.tiles[other.0 as usize];
                    let their_zones = &land.tile(theirs.tile).turned(theirs.facing).zone_at;
                    for port in edge.ports().into_iter().filter(|p| zone_at[p.index()] as usize == z) {
                        let b = their_zones[port.mirror().index()];
                        if b != NO_ZONE && features.has(theirs.zone(b as usize)) {
                            old.push(features.root(theirs.zone(b as usize)));
                        }
                    }
                }
                let mut group = (vec![anchor], old);
                let mut i = 0;
                while i < groups.len() {
                    let touches = land.layers[l].joins_touching
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

/// Changing what hangs together while playing.
impl Board {
    /// Makes `links` the links of tile `tile` (pairs of its zones, by their numbers in the tile), instead of those it had.
    ///
    /// What was touched is added to `touched`; returned are the features that came apart (as lists of one zone of each part) and those
    /// that became one. The cost is a walk over the features concerned.
    pub fn relink(
        &mut self,
        land: &Land,
        tile: TileRef,
        links: &[(usize, usize)],
        touched: &mut Vec<Touch>,
    ) -> (Vec<Vec<ZoneRef>>, Vec<Join>) {
        let placed = self.tiles[tile.0 as usize];
        let mut ends: Vec<ZoneRef> = Vec::new();
        self.links.retain(|link| {
            let own = self.homes[link.a.0 as usize].0 == tile;
            if own {
                ends.extend([link.a, link.b]);
            }
            !own
        });
        for (a, b) in links {
            let link = Link { a: placed.zone(*a.min(b)), b: placed.zone(*a.max(b)) };
            ends.extend([link.a, link.b]);
            self.links.push(link);
        }
        self.links.sort_unstable();
        let features = &self.layers[0];
        let mut roots: Vec<ZoneRef> = ends.iter().map(|z| features.root(*z)).collect();
        roots.sort_unstable();
        roots.dedup();
        let mut zones: Vec<(ZoneRef, ZoneRef)> = Vec::new();
        for root in &roots {
            zones.extend(features.zones(*root).map(|z| (z, *root)));
        }
        zones.sort_unstable();
        let only: Vec<ZoneRef> = zones.iter().map(|(z, _)| *z).collect();
        self.rejoin(land, &only);
        let features = &self.layers[0];
        let mut splits = Vec::new();
        for root in &roots {
            let mut now: Vec<(ZoneRef, ZoneRef)> = Vec::new();
            for (z, _) in zones.iter().filter(|(_, old)| old == root) {
                let new = features.root(*z);
                if now.iter().all(|(r, _)| *r != new) {
                    now.push((new, *z));
                }
            }
            if now.len() > 1 {
                splits.push(now.into_iter().map(|(_, z)| z).collect());
            }
        }
        let mut joins: Vec<Join> = Vec::new();
        let mut seen: Vec<ZoneRef> = Vec::new();
        for (z, _) in &zones {
            let new = features.root(*z);
            if seen.contains(&new) {
                continue;
            }
            seen.push(new);
            let feature = FeatureRef { layer: LayerIdx(0), anchor: *z };
            touched.push(feature);
            let mut parts: Vec<(ZoneRef, ZoneRef)> = Vec::new();
            for (other, old) in zones.iter().filter(|(other, _)| features.root(*other) == new) {
                if parts.iter().all(|(o, _)| o != old) {
                    parts.push((*old, *other));
                }
            }
            if parts.len() > 1 {
                joins.push(Join { feature, parts: parts.into_iter().map(|(_, z)| z).collect() });
            }
        }
        (splits, joins)
    }

    /// Takes the features that `zones` are the whole of apart and joins them again by what is laid and linked.
    fn rejoin(&mut self, land: &Land, zones: &[ZoneRef]) {
        let mut feet: Vec<u32> = Vec::new();
        for zone in zones {
            if self.layers[0].root(*zone) == *zone {
                let mut at = self.layers[0].node(*zone).first_stand;
                while at != NO_STAND {
                    feet.push(at);
                    at = self.stands[at as usize].next;
                }
            }
        }
        for zone in zones {
            let placed = *self.tile_at_zone(*zone);
            let ports = land.tile(placed.tile).zones[placed.local(*zone)].ports.turned(placed.facing);
            let open = ports.iter().filter(|p| self.neighbour(placed.spot, p.edge()).is_none()).count();
            self.layers[0].reset(*zone, open as u32);
            self.restore_columns(land, *zone);
        }
        for foot in feet {
            self.stands[foot as usize].next = NO_STAND;
            let zone = self.stands[foot as usize].zone;
            self.append_stands(0, zone, foot);
            self.layers[0].node_mut(zone).occupants.0 |= 1 << self.stands[foot as usize].sort;
        }
        for zone in zones {
            let placed = *self.tile_at_zone(*zone);
            let ports = land.tile(placed.tile).zones[placed.local(*zone)].ports.turned(placed.facing);
            for port in ports.iter() {
                let Some(other) = self.neighbour(placed.spot, port.edge()) else { continue };
                let theirs = self.tiles[other.0 as usize];
                let b = land.tile(theirs.tile).turned(theirs.facing).zone_at[port.mirror().index()];
                if b != NO_ZONE {
                    self.join(land, 0, *zone, theirs.zone(b as usize));
                }
            }
        }
        for link in self.links.clone() {
            if zones.binary_search(&link.a).is_ok() {
                self.join(land, 0, link.a, link.b);
            }
        }
    }

    fn restore_columns(&mut self, land: &Land, zone: ZoneRef) {
        let placed = *self.tile_at_zone(zone);
        for tag in &land.tile(placed.tile).zones[placed.local(zone)].tags {
            self.layers[0].set_column(zone, tag.column, tag.value);
        }
        for (z, column, value) in &self.zone_tags {
            if *z == zone {
                self.layers[0].set_column(zone, *column, *value);
            }
        }
    }

    /// Sets the number that `zone` gives to `column`, instead of what its tile says.
    pub fn set_zone_tag(&mut self, land: &Land, zone: ZoneRef, column: ColumnIdx, value: i32) {
        self.zone_tags.retain(|(z, c, _)| (*z, *c) != (zone, column));
        if self.own_value(land, zone, column) != value {
            self.zone_tags.push((zone, column, value));
            self.zone_tags.sort_unstable();
        }
        for l in 0..self.layers.len() {
            if !self.layers[l].has(zone) {
                continue;
            }
            let root = self.layers[l].root(zone);
            let values = self.layers[l].zones(zone).map(|z| self.zone_value(land, z, column));
            let merged = if land.columns[column.0 as usize].is_max { values.max().unwrap_or(0) } else { values.sum() };
            self.layers[l].set_column(root, column, merged);
        }
    }

    fn own_value(&self, land: &Land, zone: ZoneRef, column: ColumnIdx) -> i32 {
        let placed = self.tile_at_zone(zone);
        let tags = &land.tile(placed.tile).zones[placed.local(zone)].tags;
        tags.iter().find(|t| t.column == column).map_or(0, |t| t.value)
    }

    /// The number that `zone` alone gives to `column`.
    pub fn zone_value(&self, land: &Land, zone: ZoneRef, column: ColumnIdx) -> i32 {
        let set = self.zone_tags.iter().find(|(z, c, _)| (*z, *c) == (zone, column));
        set.map_or_else(|| self.own_value(land, zone, column), |(_, _, value)| *value)
    }

    /// Puts a foot of piece `piece` on `zone` in `layer`.
    pub fn stand(&mut self, layer: LayerIdx, zone: ZoneRef, piece: u32, sort: u8) {
        let stand = Stand { zone, layer, piece, sort, next: NO_STAND };
        let at = match self.free_stands.pop() {
            Some(at) => {
                self.stands[at as usize] = stand;
                at
            }
            None => {
                self.stands.push(stand);
                self.stands.len() as u32 - 1
            }
        };
        let features = &mut self.layers[layer.0 as usize];
        let root = features.root(zone);
        features.node_mut(root).occupants.0 |= 1 << sort;
        self.append_stands(layer.0 as usize, root, at);
    }

    /// Takes all feet of piece `piece`, which stands on `zone` in `layer` among others, off the board.
    pub fn leave(&mut self, layer: LayerIdx, zone: ZoneRef, piece: u32) {
        let root = self.layers[layer.0 as usize].root(zone);
        let mut before = NO_STAND;
        let mut at = self.layers[layer.0 as usize].node(root).first_stand;
        let mut occupants = 0;
        while at != NO_STAND {
            let stand = self.stands[at as usize];
            if stand.piece == piece {
                match before {
                    NO_STAND => self.layers[layer.0 as usize].node_mut(root).first_stand = stand.next,
                    _ => self.stands[before as usize].next = stand.next,
                }
                self.free_stands.push(at);
            } else {
                occupants |= 1 << stand.sort;
                before = at;
            }
            at = stand.next;
        }
        self.layers[layer.0 as usize].node_mut(root).occupants = Occupants(occupants);
    }
}

/// Asking.
impl Board {
    /// The tiles in the order in which they were laid.
    pub fn tiles(&self) -> &[PlacedTile] {
        &self.tiles
    }

    /// The tile `tile`.
    pub fn tile(&self, tile: TileRef) -> &PlacedTile {
        &self.tiles[tile.0 as usize]
    }

    /// The tile on `spot`.
    pub fn at(&self, spot: Spot) -> Option<TileRef> {
        self.cells.get(spot).filter(|cell| cell & OPEN == 0).map(TileRef)
    }

    /// The tile beside `spot` across `edge`.
    pub fn neighbour(&self, spot: Spot, edge: Edge) -> Option<TileRef> {
        self.at(spot.across(edge)?)
    }

    /// The open spots, in no order of meaning (but the same for the same history).
    pub fn open_spots(&self) -> &[OpenSpot] {
        &self.open
    }

    /// The open spot at `spot`, if it is one.
    pub fn open_spot(&self, spot: Spot) -> Option<&OpenSpot> {
        self.cells.get(spot).filter(|cell| cell & OPEN != 0).map(|cell| &self.open[(cell & !OPEN) as usize])
    }

    /// Adds every spot and facing at which `tile` agrees with its neighbours to `places`, each as what `make` makes of it.
    #[inline]
    pub fn placements<T: Copy>(&self, land: &Land, tile: TileIdx, places: &mut Vec<T>, make: impl Fn(Placement) -> T) {
        let edges = packed_edges(land.tile(tile));
        // Whether a facing fits is hard to guess for a processor, so each is written down and counted only where it does.
        let nowhere = make(Placement { spot: Spot::new(0, 0), facing: Facing::default() });
        let mut n = places.len();
        places.resize(n + 4 * self.open.len(), nowhere);
        for open in &self.open {
            let Some(out) = places.get_mut(n..n + 4) else { break };
            let mut k = 0;
            for facing in Facing::ALL {
                out[k & 3] = make(Placement { spot: open.spot, facing });
                k += usize::from(open.accepts(edges[facing.quarters() as usize]));
            }
            n += k;
        }
        places.truncate(n);
    }

    /// The tile that `zone` is a part of, and its number.
    pub fn tile_of(&self, zone: ZoneRef) -> TileRef {
        self.homes[zone.0 as usize].0
    }

    /// The tile that `zone` is a part of.
    pub fn tile_at_zone(&self, zone: ZoneRef) -> &PlacedTile {
        &self.tiles[self.homes[zone.0 as usize].0.0 as usize]
    }

    /// How many zones are on the board; they are numbered from 0.
    pub fn n_zones(&self) -> usize {
        self.homes.len()
    }

    /// The kind of `zone`.
    #[inline]
    pub fn kind(&self, zone: ZoneRef) -> KindIdx {
        self.homes[zone.0 as usize].1
    }

    /// What `zone` is called, such as `city@n`, without its spot.
    pub fn zone_name(&self, land: &Land, zone: ZoneRef) -> String {
        let placed = self.tile_at_zone(zone);
        land.zone_name(placed.tile, placed.facing, placed.local(zone))
    }

    /// The zones of `tile` on the board.
    pub fn zones_of(&self, land: &Land, tile: TileRef) -> impl Iterator<Item = ZoneRef> + use<> {
        let placed = self.tiles[tile.0 as usize];
        let n = land.tile(placed.tile).zones.len();
        (0..n).map(move |z| placed.zone(z))
    }

    /// The zones that `zone` borders on its own tile.
    pub fn touching(&self, land: &Land, zone: ZoneRef) -> impl Iterator<Item = ZoneRef> + use<> {
        let placed = *self.tile_at_zone(zone);
        let touches = land.tile(placed.tile).zones[placed.local(zone)].touches;
        (0..32).filter(move |z| touches >> z & 1 == 1).map(move |z| placed.zone(z))
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
    pub fn n_spots(&self, land: &Land, feature: FeatureRef) -> u32 {
        match land.kind(self.kind(feature.anchor)).closes {
            Closes::Surrounded => 1 + u32::from(self.tile_at_zone(feature.anchor).n_neighbours),
            Closes::Ports => self.n_tiles(feature),
        }
    }

    /// The sorts of pieces that stand on the feature.
    pub fn occupants(&self, feature: FeatureRef) -> Occupants {
        self.layers[feature.layer.0 as usize].node(self.root(feature)).occupants
    }

    /// Whether the feature can grow no more: no open port, or all eight neighbours there.
    pub fn is_complete(&self, land: &Land, feature: FeatureRef) -> bool {
        match land.kind(self.kind(feature.anchor)).closes {
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

    /// The zones of the feature, in no order of meaning.
    pub fn zones(&self, feature: FeatureRef) -> impl Iterator<Item = ZoneRef> + '_ {
        self.layers[feature.layer.0 as usize].zones(feature.anchor)
    }

    /// The feet on the feature. A piece may have several there.
    pub fn stands(&self, feature: FeatureRef) -> impl Iterator<Item = &Stand> + '_ {
        let mut at = self.layers[feature.layer.0 as usize].node(self.root(feature)).first_stand;
        std::iter::from_fn(move || {
            let stand = self.stands.get(at as usize)?;
            at = stand.next;
            Some(stand)
        })
    }

    /// The links laid by [`Board::relink`], sorted.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Numbers of zones that differ from what their tile says, sorted.
    pub fn zone_tags(&self) -> &[(ZoneRef, ColumnIdx, i32)] {
        &self.zone_tags
    }

    /// One feature of each of `kinds` that the zones of `feature` border on their own tiles, each once, in the order met.
    pub fn bordering(&self, land: &Land, feature: FeatureRef, kinds: KindSet, found: &mut Vec<FeatureRef>) {
        let from = found.len();
        for zone in self.zones(feature) {
            for anchor in self.touching(land, zone) {
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
