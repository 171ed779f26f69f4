//! The setup of a game: players, mods and settings.

use std::fmt;

use diagnostic::{is_hidden, visible};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::catalogue::Catalogue;
use crate::texts::record_keywords;
use crate::value::{MAX_SEATS, Seat};

/// The default names of players, by seat. They are also names of colours.
pub const DEFAULT_NAMES: [&str; MAX_SEATS] = ["red", "blue", "green", "yellow", "black", "pink", "orange", "white"];

/// Returns the word that records use for a player's name: the name with `_` instead of spaces.
pub fn player_word(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join("_")
}

/// Returns the name that people read for a player's word in records: the word with spaces instead
/// of `_`. Returns a word that consists only of `_` unchanged.
pub fn player_label(word: &str) -> String {
    let is_blank = word.bytes().all(|byte| byte == b'_');
    if is_blank { word.to_owned() } else { word.replace('_', " ") }
}

/// The setup of a game: players, mods, settings and starting position, as given before the first
/// answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Setup {
    /// The requested mods, each with its version and hash if the record gives them.
    pub mods: Vec<ModUse>,
    /// The words for the players' names, by seat (see [`player_word`]). Unless a mod changes the
    /// order of play, players take turns in this order.
    pub players: Vec<String>,
    /// The word for the name of the player who begins; `None` for the first of `players`.
    pub begins: Option<String>,
    /// Settings that differ from their default (`<mod>.<name>`) and counts (such as `base/K`), each
    /// with its value.
    pub settings: Vec<(String, String)>,
    /// The starting position: the `given` lines of a record, without the word `given`. The crate
    /// `record` reads these lines. Empty if the game begins without such lines.
    pub position: Vec<String>,
    /// The seed for chance after the end of the log; `None` if the record names none.
    pub seed: Option<u64>,
    /// The bots: pairs of a player and the name of the bot that plays for that player.
    pub bots: Vec<(String, String)>,
    /// The colours of players whose colour differs from their name: pairs of a player and a colour,
    /// which is `#rrggbb` or the name of a colour.
    pub colours: Vec<(String, String)>,
    /// The seals of answers, in the order of the answers. Only games by correspondence have seals.
    #[serde(default)]
    pub seals: Vec<Seal>,
}

/// The seal of an answer in a game by correspondence. The other players get the hash of the answer
/// before they answer, and the answer with the salt after all have answered. So they can check that
/// the player has not changed the answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seal {
    /// The number of the answer in the log, counted from 0.
    pub answer: usize,
    /// The SHA-256 hash of a text, as 64 hexadecimal digits: the text of the answer, a space, and
    /// the salt.
    pub hash: String,
    /// The opening of the seal; `None` if the answer is still secret.
    pub opened: Option<OpenedSeal>,
}

/// The opening of a seal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpenedSeal {
    /// The number of the answer in the log that contains the sealed text, counted from 0. If the
    /// player was the last of the round, this is the sealed answer itself.
    pub answer: usize,
    /// The salt, as 32 hexadecimal digits.
    pub salt: String,
}

/// A mod that a record names.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ModUse {
    /// The id of the mod.
    pub id: String,
    /// The version of the mod in that game; `None` if the record names none.
    pub version: Option<String>,
    /// The hash of the mod's files in that game, as sixteen hexadecimal digits; `None` if the
    /// record names none.
    pub hash: Option<String>,
}

impl fmt::Display for ModUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id)?;
        [&self.version, &self.hash].into_iter().flatten().try_for_each(|word| write!(f, " {word}"))
    }
}

/// A reason why a game cannot have the players of a setup. The text is a sentence without a full
/// stop.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the texts say what is wrong")]
pub enum SetupError {
    #[error("a player cannot be called {0}; records use this word")]
    ReservedName(String),
    #[error("`{}` cannot be a name: a name contains no #, no comma and no invisible character; write `_` for a space", visible(.0))]
    InvalidName(String),
    #[error("there are {0} players, but a game is for 1 to {MAX_SEATS}")]
    NumberOfPlayers(usize),
    #[error("there {} {n} player{}, but this game is for {least} to {most}", if *n == 1 { "is" } else { "are" }, if *n == 1 { "" } else { "s" })]
    NumberForGame { n: usize, least: u8, most: u8 },
    #[error("two players are called {0}")]
    EqualNames(String),
    #[error("`{word} {name}`: there is no player {name}")]
    NoSuchPlayer { word: &'static str, name: String },
}

/// Checks that `name` is allowed as a player's name.
fn check_name(name: &str) -> Result<(), SetupError> {
    if matches!(name, "chance" | "neutral" | "nobody" | "stock") || record_keywords().any(|verb| verb == name) {
        return Err(SetupError::ReservedName(name.to_owned()));
    }
    if name.is_empty() || name.contains(|c: char| c.is_whitespace() || is_hidden(c) || matches!(c, '#' | ',')) {
        return Err(SetupError::InvalidName(name.to_owned()));
    }
    Ok(())
}

impl Setup {
    /// Makes a setup with the given mods and `n_players` players, whose names are colours.
    pub fn of(mods: &[&str], n_players: usize) -> Setup {
        Setup {
            mods: mods.iter().map(|id| ModUse { id: (*id).to_owned(), ..ModUse::default() }).collect(),
            players: DEFAULT_NAMES[..n_players.min(MAX_SEATS)].iter().map(|c| (*c).to_owned()).collect(),
            ..Setup::default()
        }
    }

    /// Checks the number and the names of the players. Also checks that all bots, the colours and
    /// the first player belong to one of these players.
    ///
    /// # Errors
    /// Returns a message about the first problem.
    pub fn check_players(&self, catalogue: &Catalogue) -> Result<(), SetupError> {
        let (least, most) = catalogue.n_players;
        let n = self.players.len();
        if n == 0 || n > MAX_SEATS {
            return Err(SetupError::NumberOfPlayers(n));
        }
        if n < least as usize || n > most as usize {
            return Err(SetupError::NumberForGame { n, least, most });
        }
        for (i, name) in self.players.iter().enumerate() {
            if self.players[..i].contains(name) {
                return Err(SetupError::EqualNames(name.clone()));
            }
            check_name(name)?;
        }
        for (word, list) in [("bot", &self.bots), ("colour", &self.colours)] {
            if let Some((name, _)) = list.iter().find(|(name, _)| !self.players.contains(name)) {
                return Err(SetupError::NoSuchPlayer { word, name: name.clone() });
            }
        }
        match &self.begins {
            Some(begins) if !self.players.contains(begins) => {
                Err(SetupError::NoSuchPlayer { word: "begins", name: begins.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Returns the player who has the first turn.
    pub(crate) fn first_player(&self) -> Seat {
        let begins = self.begins.as_ref().and_then(|b| self.players.iter().position(|p| p == b));
        Seat(begins.unwrap_or(0) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_spaces_are_words_in_records() {
        for (name, word) in
            [("Anna Maria", "Anna_Maria"), ("  red ", "red"), ("a  b c", "a_b_c"), ("\u{540d}", "\u{540d}")]
        {
            assert_eq!(player_word(name), word);
            assert_eq!(check_name(word), Ok(()));
        }
        for (word, label) in [("Anna_Maria", "Anna Maria"), ("red", "red"), ("__", "__")] {
            assert_eq!(player_label(word), label);
        }
        assert!(check_name("Anna Maria").is_err());
    }
}
