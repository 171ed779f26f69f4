//! Spots of the grid, facings of a tile and the twelve ports on its rim.

use std::fmt;
use std::ops::{BitOr, BitOrAssign};

/// A cell of the grid: `x` grows to the east, `y` to the south.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Spot {
    /// Columns east of the first tile.
    pub x: i16,
    /// Rows south of the first tile.
    pub y: i16,
}

impl Spot {
    /// The spot `x` columns east and `y` rows south of the origin.
    pub const fn new(x: i16, y: i16) -> Self {
        Spot { x, y }
    }

    /// The spot across `edge`, or `None` beyond the end of the grid (`i16`).
    pub fn across(self, edge: Edge) -> Option<Spot> {
        let (dx, dy) = edge.step();
        self.offset(dx, dy)
    }

    /// The spot `dx` columns east and `dy` rows south, or `None` beyond the end of the grid.
    pub fn offset(self, dx: i16, dy: i16) -> Option<Spot> {
        Some(Spot::new(self.x.checked_add(dx)?, self.y.checked_add(dy)?))
    }

    /// Its up to four corners, clockwise from the north-west.
    pub fn corners(self) -> impl Iterator<Item = Corner> {
        let steps = [(0, 0), (1, 0), (1, 1), (0, 1)].into_iter();
        steps.filter_map(move |(dx, dy)| self.offset(dx, dy).map(|spot| Corner { x: spot.x, y: spot.y }))
    }

    /// The up to eight spots around this one, row by row from the north-west.
    pub fn around(self) -> impl Iterator<Item = Spot> {
        const STEPS: [(i16, i16); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
        STEPS.into_iter().filter_map(move |(dx, dy)| self.offset(dx, dy))
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// A point where four spots meet: the north-west corner of the spot of the same column and row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Corner {
    /// The column of the spots east of it.
    pub x: i16,
    /// The row of the spots south of it.
    pub y: i16,
}

impl Corner {
    /// The up to four spots that meet there, row by row from the north-west.
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

/// One of the four edges of a tile, clockwise from the north.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
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
    /// All edges, clockwise.
    pub const ALL: [Edge; 4] = [Edge::North, Edge::East, Edge::South, Edge::West];

    /// The edge with number `n` modulo four.
    pub const fn from_index(n: usize) -> Edge {
        Self::ALL[n % 4]
    }

    /// The edge that meets this one on the neighbouring tile.
    pub const fn opposite(self) -> Edge {
        Self::from_index(self as usize + 2)
    }

    /// Columns east and rows south to the neighbour across this edge.
    pub const fn step(self) -> (i16, i16) {
        match self {
            Edge::North => (0, -1),
            Edge::East => (1, 0),
            Edge::South => (0, 1),
            Edge::West => (-1, 0),
        }
    }

    /// `n`, `e`, `s` or `w`.
    pub const fn letter(self) -> &'static str {
        ["n", "e", "s", "w"][self as usize]
    }

    /// The three ports of this edge, clockwise.
    pub fn ports(self) -> [Port; 3] {
        let first = self as u8 * 3;
        [Port(first), Port(first + 1), Port(first + 2)]
    }
}

/// Some of the four edges, one bit each, the north lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct EdgeSet(pub u8);

impl EdgeSet {
    /// The edges whose bytes are all ones, the north in the lowest.
    pub(crate) const fn of_mask(mask: u32) -> EdgeSet {
        EdgeSet((mask & 1 | mask >> 7 & 2 | mask >> 14 & 4 | mask >> 21 & 8) as u8)
    }

    /// The edges that are in both.
    pub const fn and(self, other: EdgeSet) -> EdgeSet {
        EdgeSet(self.0 & other.0)
    }

    /// All but `edge`.
    pub const fn without(self, edge: Edge) -> EdgeSet {
        EdgeSet(self.0 & !(1 << edge as u8))
    }

    /// Where they are once their tile is turned to `facing`.
    pub const fn turned(self, facing: Facing) -> EdgeSet {
        EdgeSet((self.0 << facing.0 | self.0 >> (4 - facing.0)) & 0xf)
    }

    /// How many there are.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// They, clockwise.
    pub fn iter(self) -> impl Iterator<Item = Edge> {
        Edge::ALL.into_iter().filter(move |edge| self.0 >> *edge as u8 & 1 == 1)
    }
}

impl FromIterator<Edge> for EdgeSet {
    fn from_iter<I: IntoIterator<Item = Edge>>(edges: I) -> Self {
        EdgeSet(edges.into_iter().fold(0, |set, edge| set | 1 << edge as u8))
    }
}

/// How far a tile is turned: a number of clockwise quarter-turns, 0 to 3.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Facing(u8);

impl Facing {
    /// The four facings, unturned first.
    pub const ALL: [Facing; 4] = [Facing(0), Facing(1), Facing(2), Facing(3)];

    /// `n` clockwise quarter-turns (modulo four).
    pub const fn from_quarters(n: u8) -> Facing {
        Facing(n % 4)
    }

    /// The facing of 0, 90, 180 or 270 degrees clockwise; `None` for any other number.
    pub const fn from_degrees(degrees: i64) -> Option<Facing> {
        match degrees {
            0 => Some(Facing(0)),
            90 => Some(Facing(1)),
            180 => Some(Facing(2)),
            270 => Some(Facing(3)),
            _ => None,
        }
    }

    /// Clockwise quarter-turns, 0 to 3.
    pub const fn quarters(self) -> u8 {
        self.0
    }

    /// Degrees clockwise: 0, 90, 180 or 270.
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Port(u8);

impl Port {
    /// Names of the ports in rim order.
    pub const NAMES: [&'static str; 12] = ["n1", "n", "n2", "e1", "e", "e2", "s1", "s", "s2", "w1", "w", "w2"];

    /// All twelve ports in rim order.
    pub fn all() -> impl Iterator<Item = Port> {
        (0..12).map(Port)
    }

    /// The port with number `n` modulo twelve in rim order.
    pub const fn from_index(n: usize) -> Port {
        Port((n % 12) as u8)
    }

    /// The port called `name` (`n1`, `n`, `n2`, ...).
    pub fn from_name(name: &str) -> Option<Port> {
        Self::NAMES.iter().position(|n| *n == name).map(Self::from_index)
    }

    /// Its name, such as `n1`.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self.0 as usize]
    }

    /// Its place in rim order, 0 to 11.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The edge it lies on.
    pub const fn edge(self) -> Edge {
        Edge::from_index(self.0 as usize / 3)
    }

    /// Whether it is the middle of its edge (and not one of the halves).
    pub const fn is_middle(self) -> bool {
        self.0 % 3 == 1
    }

    /// The port of the neighbouring tile that meets this one: first halves meet second halves.
    pub const fn mirror(self) -> Port {
        Port((self.0 / 3 + 2) % 4 * 3 + 2 - self.0 % 3)
    }

    /// Where this port lies once its tile is turned.
    pub const fn turned(self, facing: Facing) -> Port {
        Port((self.0 + 3 * facing.quarters()) % 12)
    }
}

/// A set of ports of one tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PortSet(u16);

impl PortSet {
    /// No port.
    pub const EMPTY: PortSet = PortSet(0);

    /// Whether no port is in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many ports are in it.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether `port` is in it.
    pub const fn contains(self, port: Port) -> bool {
        self.0 >> port.0 & 1 == 1
    }

    /// Adds `port`.
    pub fn insert(&mut self, port: Port) {
        self.0 |= 1 << port.0;
    }

    /// Whether the two sets share a port.
    pub const fn meets(self, other: PortSet) -> bool {
        self.0 & other.0 != 0
    }

    /// The ports in rim order.
    pub fn iter(self) -> impl Iterator<Item = Port> {
        Port::all().filter(move |p| self.contains(*p))
    }

    /// The first port in rim order.
    pub fn first(self) -> Option<Port> {
        (self.0 != 0).then(|| Port(self.0.trailing_zeros() as u8))
    }

    /// The set as it lies once its tile is turned.
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
            assert_eq!(port.mirror().mirror(), port);
            assert_eq!(port.mirror().edge(), port.edge().opposite());
        }
        assert_eq!(Port::from_name("n1").map(Port::mirror), Port::from_name("s2"));
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
