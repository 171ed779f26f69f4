//! Answers simple queries about a tile for its drawing, such as the zone that fills an edge.

use board::{Edge, EdgeStyle, NO_ZONE, Port, Tile, TileSet};
use theme::LandStyle;

/// An unturned tile with the styles of its zones.
pub(crate) struct StyledTile<'a> {
    tile_set: &'a TileSet,
    tile: &'a Tile,
    styles: Vec<LandStyle>,
}

impl<'a> StyledTile<'a> {
    pub(crate) fn new(tile_set: &'a TileSet, tile: &'a Tile, styles: Vec<LandStyle>) -> StyledTile<'a> {
        StyledTile { tile_set, tile, styles }
    }

    pub(crate) fn n_zones(&self) -> usize {
        self.tile.zones.len()
    }

    pub(crate) fn style(&self, zone: usize) -> LandStyle {
        self.styles[zone]
    }

    fn edge_style(&self, zone: usize) -> EdgeStyle {
        self.tile_set.kind(self.tile.zones[zone].kind).edge
    }

    pub(crate) fn is_full(&self, zone: usize) -> bool {
        self.edge_style(zone) == EdgeStyle::Full && self.n_edges(zone) > 0
    }

    pub(crate) fn is_line(&self, zone: usize) -> bool {
        self.edge_style(zone) == EdgeStyle::Line && self.n_edges(zone) > 0
    }

    pub(crate) fn is_ground(&self, zone: usize) -> bool {
        self.edge_style(zone) == EdgeStyle::Ground
    }

    /// Returns whether the zone belongs to an overlay that lies over the tile.
    pub(crate) fn is_overlaid(&self, zone: usize) -> bool {
        self.tile.over.is_some_and(|over| zone >= usize::from(over.first_zone))
    }

    /// Returns whether the zone is an inside zone: not ground, and not at the rim of the tile.
    pub(crate) fn is_inside(&self, zone: usize) -> bool {
        !self.is_full(zone) && !self.is_line(zone) && !self.is_ground(zone)
    }

    /// Returns the number of edges whose middle is in the zone.
    pub(crate) fn n_edges(&self, zone: usize) -> usize {
        self.edges(zone).count()
    }

    /// Returns the edges whose middle is in the zone.
    pub(crate) fn edges(&self, zone: usize) -> impl Iterator<Item = Edge> + use<> {
        let ports = self.tile.zones[zone].ports;
        Edge::ALL.into_iter().filter(move |e| ports.contains(e.ports()[1]))
    }

    fn zone_at(&self, port: Port) -> Option<usize> {
        let zones = &self.tile.zones;
        let zone = (0..zones.len()).find(|z| zones[*z].ports.contains(port) && *z != NO_ZONE as usize);
        zone.filter(|z| !self.is_inside(*z))
    }

    /// Returns the zone that fills an edge; `None` if no zone fills it.
    pub(crate) fn full_at(&self, edge: Edge) -> Option<usize> {
        self.zone_at(edge.ports()[1]).filter(|z| self.is_full(*z))
    }

    /// Returns the ground zone at `port`; `None` if the zone there is not a ground.
    pub(crate) fn ground_at(&self, port: Port) -> Option<usize> {
        self.zone_at(port).filter(|z| self.is_ground(*z))
    }

    pub(crate) fn touches(&self, zone: usize, other: usize) -> bool {
        self.tile.zones[zone].touches >> other & 1 == 1
    }

    /// Returns the inside zone into which `line` runs: the only inside zone that touches the line
    /// and has the same style. Returns `None` if there is no such zone or if there are several.
    pub(crate) fn own_inside(&self, line: usize) -> Option<usize> {
        let mut touched = (0..self.n_zones())
            .filter(|z| self.is_inside(*z) && self.style(*z) == self.style(line) && self.touches(line, *z));
        touched.next().filter(|_| touched.next().is_none())
    }

    /// Returns the number of inside zones drawn in `style`.
    pub(crate) fn n_insides(&self, style: LandStyle) -> usize {
        (0..self.n_zones()).filter(|z| self.is_inside(*z) && self.style(*z) == style).count()
    }

    /// Returns the ports of a ground zone. Each port of a ground zone is one half of an edge.
    pub(crate) fn halves(&self, zone: usize) -> impl Iterator<Item = Port> + use<> {
        let ports = self.tile.zones[zone].ports;
        ports.iter().filter(|p| !p.is_middle()).collect::<Vec<_>>().into_iter()
    }

    /// Returns the ground zones that do not reach the rim.
    pub(crate) fn inner_grounds(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.n_zones()).filter(|z| self.is_ground(*z) && self.tile.zones[*z].ports.is_empty())
    }

    pub(crate) fn has_inner_ground(&self) -> bool {
        self.inner_grounds().next().is_some()
    }

    /// Returns a full zone that borders both ground zones, `a` and `b`, if there is one.
    pub(crate) fn shared_full(&self, a: usize, b: usize) -> Option<usize> {
        (0..self.n_zones()).find(|z| self.is_full(*z) && self.touches(a, *z) && self.touches(b, *z))
    }
}
