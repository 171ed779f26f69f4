//! The eight directions of the grid, which tags of tiles may name.
#![expect(clippy::indexing_slicing, reason = "all indices are below eight")]

use crate::geometry::Facing;

/// One of the eight directions, numbered clockwise from the north.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Direction(u8);

/// The short name, the name in words and the step of each direction.
const DIRECTIONS: [(&str, &str, (i16, i16)); 8] = [
    ("n", "north", (0, -1)),
    ("ne", "north-east", (1, -1)),
    ("e", "east", (1, 0)),
    ("se", "south-east", (1, 1)),
    ("s", "south", (0, 1)),
    ("sw", "south-west", (-1, 1)),
    ("w", "west", (-1, 0)),
    ("nw", "north-west", (-1, -1)),
];

impl Direction {
    /// Returns the direction with this short name, such as `ne`, if there is one.
    pub fn from_name(name: &str) -> Option<Direction> {
        let at = DIRECTIONS.iter().position(|(short, ..)| *short == name)?;
        Some(Direction(at as u8))
    }

    /// Returns the direction after `facing` has turned it.
    pub fn turned(self, facing: Facing) -> Direction {
        Direction((self.0 + 2 * facing.quarters()) % 8)
    }

    /// Returns the short name, such as `ne`.
    pub fn name(self) -> &'static str {
        self.entry().0
    }

    /// Returns the name in words, such as `north-east`.
    pub fn long_name(self) -> &'static str {
        self.entry().1
    }

    /// Returns one step in this direction, as columns east and rows south.
    pub fn step(self) -> (i16, i16) {
        self.entry().2
    }

    const fn entry(self) -> (&'static str, &'static str, (i16, i16)) {
        DIRECTIONS[self.0 as usize]
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn directions_turn_clockwise() {
        let west = Direction::from_name("w").unwrap();
        assert_eq!((west.name(), west.long_name(), west.step()), ("w", "west", (-1, 0)));
        assert_eq!(west.turned(Facing::from_quarters(1)).name(), "n");
        assert_eq!(west.turned(Facing::from_quarters(3)).long_name(), "south");
        assert_eq!(Direction::from_name("north"), None);
    }
}
