//! Fair chance: before the game, the table sends a hash of its seed. After the game, it sends the
//! seed. So guests can check that the host did not change draws and rolls during the game.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use record::hex;

/// Random bits that the host adds to the seed before hashing. Without them, guests could find the
/// seed by hashing all small numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Salt([u8; 16]);

impl Salt {
    /// Returns a new salt, from the random numbers of the system; `None` if the system cannot
    /// provide random numbers.
    pub(crate) fn new() -> Option<Salt> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).ok()?;
        Some(Salt(bytes))
    }
}

impl fmt::Display for Salt {
    /// Writes 32 hexadecimal digits, as in records.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::text(&self.0))
    }
}

/// The hash that a table sends before the game. It is the SHA-256 hash of a text: the seed as a
/// decimal number, a space, and the salt as 32 hexadecimal digits. In the record of a guest, this
/// text follows the word `seed`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Commitment([u8; 32]);

impl Commitment {
    /// Returns the hash of a seed and a salt. `salt` has the form that records use.
    pub fn of(seed: u64, salt: &str) -> Commitment {
        Commitment(Sha256::digest(format!("{seed} {salt}")).into())
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::text(&self.0))
    }
}

impl FromStr for Commitment {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Commitment, &'static str> {
        let bytes = hex::bytes(text);
        bytes.map(Commitment).ok_or("a hash has 64 hexadecimal digits: copy the whole hash")
    }
}

/// The secrets of a table, which it sends when the game is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reveal {
    /// The seed of the game.
    pub seed: u64,
    /// The salt that the table added to the seed.
    pub salt: Salt,
    /// The `given` lines of the position from which the game started.
    pub position: Vec<String>,
}

impl Reveal {
    /// Returns the hash that the table must have sent before the game.
    pub fn commitment(&self) -> Commitment {
        Commitment::of(self.seed, &self.salt.to_string())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_other_programs() {
        let reveal = Reveal { seed: 7, salt: Salt([0x0f; 16]), position: Vec::new() };
        // printf '7 0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f' | sha256sum
        let expected = "c140e1aebaf9b95bda408b827e5a5136d411d1b2a1aca1e895ace7904bda9522";
        assert_eq!(reveal.commitment().to_string(), expected);
        assert_eq!(expected.parse::<Commitment>().unwrap(), reveal.commitment());
        assert!("12".parse::<Commitment>().unwrap_err().contains("64 hexadecimal digits"));
        assert_ne!(Commitment::of(8, &reveal.salt.to_string()), reveal.commitment());
    }
}
