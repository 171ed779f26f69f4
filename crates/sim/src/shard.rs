//! Shards: files with the statistics of some games of a plan. Merging the shards of all games gives
//! the statistics of the whole plan.

use rules::Catalogue;
use serde::{Deserialize, Serialize};

use crate::plan::Plan;
use crate::stats::Report;

/// The name and version of the file format. The version changes when older programs can no longer
/// read the files.
const FORMAT: &str = "bastide simulation 2";

/// The results of some games of a plan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Shard {
    format: String,
    /// The description of the simulation ([`Plan::description`]).
    game: Vec<(String, String)>,
    /// The numbers of the games as half-open ranges, sorted.
    games: Vec<(u64, u64)>,
    /// The results.
    pub report: Report,
}

impl Shard {
    /// Makes a shard from the report of a finished plan.
    pub fn new(catalogue: &Catalogue, plan: &Plan, report: Report) -> Shard {
        let n_games = report.n_games;
        Shard {
            format: FORMAT.to_owned(),
            game: plan.description(catalogue),
            games: vec![(plan.first_game, plan.first_game + n_games)],
            report,
        }
    }

    /// Returns the text of the file.
    pub fn text(&self) -> String {
        serde_json::to_string(self).map_or_else(|_| String::new(), |text| text + "\n")
    }

    /// Reads the text of a shard file.
    ///
    /// # Errors
    /// Returns an error with the reason if the text is not a shard.
    pub fn parse(text: &str) -> Result<Shard, ShardError> {
        let part: Shard = serde_json::from_str(text)?;
        match part.format == FORMAT {
            true => Ok(part),
            false => Err(ShardError::OtherFormat(part.format)),
        }
    }

    /// Merges two shards.
    ///
    /// # Errors
    /// Returns an error if the shards belong to different simulations or contain the same game.
    pub fn merge(mut self, other: Shard) -> Result<Shard, ShardError> {
        for ((what, value), (_, other)) in self.game.iter().zip(&other.game) {
            if value != other {
                let (what, values) = (what.clone(), [value.clone(), other.clone()]);
                return Err(ShardError::OtherSimulation { what, values });
            }
        }
        let overlaps = |(from, to): &&(u64, u64)| other.games.iter().any(|(f, t)| from < t && f < to);
        if let Some((from, to)) = self.games.iter().find(overlaps) {
            return Err(ShardError::SameGames { first: *from, last: to.saturating_sub(1) });
        }
        self.games.extend(other.games);
        self.games.sort_unstable();
        let ranges = std::mem::take(&mut self.games);
        for (from, to) in ranges.into_iter().filter(|(from, to)| from < to) {
            match self.games.last_mut().filter(|(_, end)| *end == from) {
                Some((_, end)) => *end = to,
                None => self.games.push((from, to)),
            }
        }
        self.report.merge(other.report);
        Ok(self)
    }

    /// Returns the description of the simulation. Each item is a label and a value.
    pub fn description(&self) -> &[(String, String)] {
        &self.game
    }

    /// Returns the missing games: the games before the last game of this shard that the shard does
    /// not contain. Each item is an inclusive range of game numbers, counted from 0.
    pub fn missing(&self) -> Vec<(u64, u64)> {
        let gaps = self.games.windows(2).filter_map(|pair| match pair {
            [(_, end), (from, _)] if end < from => Some((*end, from - 1)),
            _ => None,
        });
        let before = self.games.first().filter(|(from, _)| *from > 0).map(|(from, _)| (0, from - 1));
        before.into_iter().chain(gaps).collect()
    }
}

/// The reason why a shard cannot be read, or why two shards cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The text is not a shard.
    #[error("this file was not written by `bastide sim --save`: {0}")]
    NotAShard(#[from] serde_json::Error),
    /// The shard has this format, which the program does not read.
    #[error("its format is `{0}`; this program reads `{FORMAT}`")]
    OtherFormat(String),
    /// The shards belong to different simulations.
    #[error("{what} differs: {} and {}", .values[0], .values[1])]
    OtherSimulation {
        /// The label of the first difference.
        what: String,
        /// The value in each of the two simulations.
        values: [String; 2],
    },
    /// Both shards contain the games from `first` to `last`, or some of them.
    #[error("games {first} to {last} are in both files")]
    SameGames {
        /// The number of the first game.
        first: u64,
        /// The number of the last game.
        last: u64,
    },
}
