//! Spots of the grid, facings of a tile and the twelve ports on its rim.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{BitOr, BitOrAssign};

/// A cell of the grid: `x` grows to the east, `y` to the south.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Spot {
    /// Columns east of the origin.
    pub x: i16,
    /// Rows south of the origin.
    pub y: i16,
}

impl Spot {
    /// Makes the spot `x` columns east and `y` rows south of the origin.
    pub const fn new(x: i16, y: i16) -> Self {
        Spot { x, y }
    }

    /// Returns the spot across `edge`; `None` if the result would be outside the grid. The grid
    /// contains every spot with `i16` coordinates.
    pub fn across(self, edge: Edge) -> Option<Spot> {
        let (dx, dy) = edge.step();
        self.offset(dx, dy)
    }

    /// Returns the spot `dx` columns east and `dy` rows south of this spot; `None` if the result
    /// would be outside the grid.
    pub fn offset(self, dx: i16, dy: i16) -> Option<Spot> {
        Some(Spot::new(self.x.checked_add(dx)?, self.y.checked_add(dy)?))
    }

    /// Iterates clockwise from the north-west over the spot's corners: four, or fewer at the limit
    /// of the grid.
    pub fn corners(self) -> impl Iterator<Item = Corner> {
        let steps = [(0, 0), (1, 0), (1, 1), (0, 1)].into_iter();
        steps.filter_map(move |(dx, dy)| self.offset(dx, dy).map(|spot| Corner { x: spot.x, y: spot.y }))
    }

    /// Iterates row by row from the north-west over the spots around this spot: eight, or fewer at
    /// the limit of the grid.
    pub fn surrounding_spots(self) -> impl Iterator<Item = Spot> {
        const STEPS: [(i16, i16); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
        STEPS.into_iter().filter_map(move |(dx, dy)| self.offset(dx, dy))
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// A point where four spots meet: the north-west corner of the spot with the same column and row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Corner {
    /// The column of the spots east of the corner.
    pub x: i16,
    /// The row of the spots south of the corner.
    pub y: i16,
}

impl Corner {
    /// Iterates row by row from the north-west over the spots that meet at the corner: four, or
    /// fewer at the limit of the grid.
    pub fn spots(self) -> impl Iterator<Item = Spot> {
        let south_east = Spot::new(self.x, self.y);
        [(-1, -1), (0, -1), (-1, 0), (0, 0)].into_iter().filter_map(move |(dx, dy)| south_east.offset(dx, dy))
    }
}

impl fmt::Display for Corner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// The edge between two spots: the northern or western edge of the spot in column `x` and row `y`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Border {
    /// The column of the spot south or east of the border.
    pub x: i16,
    /// The row of the spot south or east of the border.
    pub y: i16,
    /// True if the border is the western edge of the spot, false if it is the northern edge.
    pub is_west: bool,
}

impl Border {
    /// Returns the border of a spot at `edge`; `None` at the eastern and southern limits of the
    /// grid.
    pub fn from_edge(spot: Spot, edge: Edge) -> Option<Border> {
        let (dx, dy) = match edge {
            Edge::North | Edge::West => (0, 0),
            Edge::East | Edge::South => edge.step(),
        };
        let is_west = matches!(edge, Edge::East | Edge::West);
        spot.offset(dx, dy).map(|Spot { x, y }| Border { x, y, is_west })
    }

    /// Returns the edge at which the border lies on the spot `x`, `y`: the western or northern
    /// edge.
    pub const fn edge(self) -> Edge {
        if self.is_west { Edge::West } else { Edge::North }
    }

    /// Returns the point halfway along the border. A spot is the unit square that begins at its
    /// column and row.
    pub fn middle(self) -> [f32; 2] {
        let [x, y] = if self.is_west { [0.0, 0.5] } else { [0.5, 0.0] };
        [f32::from(self.x) + x, f32::from(self.y) + y]
    }

    /// Iterates over the spots on both sides of the border, the northern or western spot first. At
    /// the limit of the grid, a border has only one spot.
    pub fn spots(self) -> impl Iterator<Item = Spot> {
        let spot = Spot::new(self.x, self.y);
        let (dx, dy) = self.edge().step();
        spot.offset(dx, dy).into_iter().chain([spot])
    }
}

impl fmt::Display for Border {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{} {}", self.x, self.y, self.edge().letter())
    }
}

/// One of the four edges of a tile, clockwise from the north.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Edge {
    /// Towards smaller `y`.
    North,
    /// Towards larger `x`.
    East,
    /// Towards larger `y`.
    South,
    /// Towards smaller `x`.
    West,
}

impl Edge {
    /// All edges, clockwise from the north.
    pub const ALL: [Edge; 4] = [Edge::North, Edge::East, Edge::South, Edge::West];

    /// Returns the edge with number `n` modulo four.
    pub const fn from_index(n: usize) -> Edge {
        Self::ALL[n % 4]
    }

    /// Returns the edge of the neighbouring tile that meets this edge.
    pub const fn opposite(self) -> Edge {
        Self::from_index(self as usize + 2)
    }

    /// Returns the step to the neighbour across this edge, as columns east and rows south.
    pub const fn step(self) -> (i16, i16) {
        match self {
            Edge::North => (0, -1),
            Edge::East => (1, 0),
            Edge::South => (0, 1),
            Edge::West => (-1, 0),
        }
    }

    /// Returns the letter of the edge: `n`, `e`, `s` or `w`.
    pub const fn letter(self) -> &'static str {
        ["n", "e", "s", "w"][self as usize]
    }

    /// Returns the three ports of this edge, clockwise.
    pub fn ports(self) -> [Port; 3] {
        let first = self as u8 * 3;
        [Port(first), Port(first + 1), Port(first + 2)]
    }
}

/// A set of edges with one bit for each edge. The lowest bit is the north.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct EdgeSet(pub u8);

impl EdgeSet {
    /// Makes the set of edges whose byte in `mask` is all ones. The lowest byte is the north.
    pub(crate) const fn from_mask(mask: u32) -> EdgeSet {
        EdgeSet((mask & 1 | mask >> 7 & 2 | mask >> 14 & 4 | mask >> 21 & 8) as u8)
    }

    /// Returns the edges that are in both sets.
    pub const fn and(self, other: EdgeSet) -> EdgeSet {
        EdgeSet(self.0 & other.0)
    }

    /// Returns the set without `edge`.
    pub const fn without(self, edge: Edge) -> EdgeSet {
        EdgeSet(self.0 & !(1 << edge as u8))
    }

    /// Returns the edges to which these edges move when the tile is turned by `facing`.
    pub const fn turned(self, facing: Facing) -> EdgeSet {
        EdgeSet((self.0 << facing.0 | self.0 >> (4 - facing.0)) & 0xf)
    }

    /// Returns the number of edges.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the edges clockwise from north.
    pub fn iter(self) -> impl Iterator<Item = Edge> {
        Edge::ALL.into_iter().filter(move |edge| self.0 >> *edge as u8 & 1 == 1)
    }
}

impl FromIterator<Edge> for EdgeSet {
    fn from_iter<I: IntoIterator<Item = Edge>>(edges: I) -> Self {
        EdgeSet(edges.into_iter().fold(0, |set, edge| set | 1 << edge as u8))
    }
}

/// A number of clockwise quarter-turns of a tile, 0 to 3.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Facing(u8);

impl Facing {
    /// The four facings, unturned first.
    pub const ALL: [Facing; 4] = [Facing(0), Facing(1), Facing(2), Facing(3)];

    /// Makes a facing of `n` clockwise quarter-turns (modulo four).
    pub const fn from_quarters(n: u8) -> Facing {
        Facing(n % 4)
    }

    /// Returns the facing of 0, 90, 180 or 270 degrees clockwise; `None` for any other number.
    pub fn from_degrees(degrees: i64) -> Option<Facing> {
        Facing::ALL.into_iter().find(|facing| i64::from(facing.degrees()) == degrees)
    }

    /// Returns the number of clockwise quarter-turns, 0 to 3.
    pub const fn quarters(self) -> u8 {
        self.0
    }

    /// Returns the degrees clockwise: 0, 90, 180 or 270.
    pub const fn degrees(self) -> u16 {
        self.0 as u16 * 90
    }
}

impl fmt::Display for Facing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.degrees())
    }
}

/// One of the twelve places on a tile's rim, clockwise from the west half of the north edge:
/// `n1 n n2 e1 e e2 s1 s s2 w1 w w2`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Port(u8);

impl Port {
    /// The names of the ports, in rim order.
    pub const NAMES: [&'static str; 12] = ["n1", "n", "n2", "e1", "e", "e2", "s1", "s", "s2", "w1", "w", "w2"];

    /// Iterates over the twelve ports in rim order.
    pub fn all() -> impl Iterator<Item = Port> {
        (0..12).map(Port)
    }

    /// Returns the port with number `n` modulo twelve in rim order.
    pub const fn from_index(n: usize) -> Port {
        Port((n % 12) as u8)
    }

    /// Returns the port called `name`, such as `n1`; `None` if no port has this name.
    pub fn from_name(name: &str) -> Option<Port> {
        Self::NAMES.iter().position(|n| *n == name).map(Self::from_index)
    }

    /// Returns the port's name, such as `n1`.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self.0 as usize]
    }

    /// Returns the port's position in rim order, 0 to 11.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the edge that the port lies on.
    pub const fn edge(self) -> Edge {
        Edge::from_index(self.0 as usize / 3)
    }

    /// Returns whether the port is the middle of its edge, not one of the halves.
    pub const fn is_middle(self) -> bool {
        self.0 % 3 == 1
    }

    /// Returns the port of the neighbouring tile that meets this port: first halves meet second
    /// halves.
    pub const fn opposite(self) -> Port {
        Port((self.0 / 3 + 2) % 4 * 3 + 2 - self.0 % 3)
    }

    /// Returns the other edge at the corner where this port, a half of its edge, ends.
    pub fn adjacent_edge(self) -> Edge {
        Edge::from_index(self.edge() as usize + if self.0.is_multiple_of(3) { 3 } else { 1 })
    }

    /// Returns the port to which this port moves when the tile is turned by `facing`.
    pub const fn turned(self, facing: Facing) -> Port {
        Port((self.0 + 3 * facing.quarters()) % 12)
    }
}

/// A set of ports of one tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct PortSet(u16);

impl PortSet {
    /// The empty set.
    pub const EMPTY: PortSet = PortSet(0);

    /// Returns whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of ports.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether `port` is in the set.
    pub const fn contains(self, port: Port) -> bool {
        self.0 >> port.0 & 1 == 1
    }

    /// Adds `port`.
    pub fn insert(&mut self, port: Port) {
        self.0 |= 1 << port.0;
    }

    /// Returns whether the two sets share a port.
    pub const fn intersects(self, other: PortSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Iterates over the ports in rim order.
    pub fn iter(self) -> impl Iterator<Item = Port> {
        Port::all().filter(move |p| self.contains(*p))
    }

    /// Returns the first port in rim order; `None` if the set is empty.
    pub fn first(self) -> Option<Port> {
        (self.0 != 0).then(|| Port(self.0.trailing_zeros() as u8))
    }

    /// Returns the ports to which these ports move when the tile is turned by `facing`.
    pub const fn turned(self, facing: Facing) -> PortSet {
        let n = 3 * facing.quarters() as u32;
        PortSet((self.0 << n | self.0 >> (12 - n)) & 0xfff)
    }
}

impl FromIterator<Port> for PortSet {
    fn from_iter<T: IntoIterator<Item = Port>>(ports: T) -> Self {
        let mut set = PortSet::EMPTY;
        ports.into_iter().for_each(|p| set.insert(p));
        set
    }
}

impl BitOr for PortSet {
    type Output = PortSet;
    fn bitor(self, other: PortSet) -> PortSet {
        PortSet(self.0 | other.0)
    }
}

impl BitOrAssign for PortSet {
    fn bitor_assign(&mut self, other: PortSet) {
        self.0 |= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_ports_meet() {
        for port in Port::all() {
            assert_eq!(port.opposite().opposite(), port);
            assert_eq!(port.opposite().edge(), port.edge().opposite());
        }
        assert_eq!(Port::from_name("n1").map(Port::opposite), Port::from_name("s2"));
    }

    #[test]
    fn four_quarter_turns_are_none() {
        let set: PortSet = ["n1", "e", "w2"].into_iter().filter_map(Port::from_name).collect();
        let mut turned = set;
        for _ in 0..4 {
            turned = turned.turned(Facing::from_quarters(1));
        }
        assert_eq!(turned, set);
        let names: Vec<_> = set.turned(Facing::from_quarters(1)).iter().map(Port::name).collect();
        assert_eq!(names, ["n2", "e1", "s"]);
    }
}
