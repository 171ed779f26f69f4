//! The chat of a table: short texts of the players.

use std::collections::{BTreeMap, VecDeque};

use platform::time::Instant;
use table::Seat;

use crate::protocol::ChatLine;
use crate::rate::RateLimit;
use crate::request_error::RequestError;

/// The maximum length of a chat line, in characters. Longer lines are cut.
pub const MAX_CHAT_TEXT: usize = 200;

/// The maximum number of stored lines; older lines are dropped. A client receives the stored lines
/// when it connects.
pub const KEPT_CHAT_LINES: usize = 50;

/// The number of lines that a player may write without a pause. Pointing at a spot counts as a
/// line.
const BURST: u32 = 6;
/// The number of further lines per second that a player may write.
const PER_SECOND: f64 = 0.5;

/// The latest lines, and each player's rate limit.
#[derive(Default)]
pub(crate) struct Chat {
    lines: VecDeque<ChatLine>,
    limits: BTreeMap<Seat, RateLimit>,
}

impl Chat {
    /// Returns the latest lines, oldest first.
    pub fn lines(&self) -> Vec<ChatLine> {
        self.lines.iter().cloned().collect()
    }

    /// Counts a chat line of a player, or a pointing at a spot.
    ///
    /// # Errors
    /// Returns an error if the player has exceeded the limit.
    pub fn count(&mut self, seat: Seat, now: Instant) -> Result<(), RequestError> {
        let limit = self.limits.entry(seat).or_insert_with(|| RateLimit::new(BURST, PER_SECOND, now));
        if limit.try_take(now) { Ok(()) } else { Err(RequestError::TooManyMessages) }
    }

    /// Adds a line, and returns it as all players see it.
    ///
    /// # Errors
    /// Returns an error if the text is empty, or if the player has exceeded the limit.
    pub fn add(&mut self, seat: Seat, name: String, text: &str, now: Instant) -> Result<ChatLine, RequestError> {
        let text = cleaned(text, MAX_CHAT_TEXT);
        if text.is_empty() {
            return Err(RequestError::EmptyMessage);
        }
        self.count(seat, now)?;
        let line = ChatLine { seat, name, text };
        if self.lines.len() == KEPT_CHAT_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(line.clone());
        Ok(line)
    }
}

/// Removes invisible characters from a text, replaces each sequence of white space with a space,
/// and cuts the text to `max` characters.
pub(crate) fn cleaned(text: &str, max: usize) -> String {
    let visible: String = text.chars().filter(|c| c.is_whitespace() || !table::is_hidden(*c)).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(max).collect()
}
