//! A bot that is thinking in a worker.

use platform::time::{Duration, Instant};
use table::{Revision, Snapshot};

use crate::game_thread::BUSY_MESSAGE_DELAY;
use crate::remote::{BotAnswer, BotWorker, NoAnswer};

/// A bot that is thinking in a worker. Dropping this value stops the bot.
pub(super) struct ThinkingBot {
    /// The revision of the position that the bot thinks about.
    revision: Revision,
    since: Instant,
    worker: BotWorker,
}

impl ThinkingBot {
    /// Lets the bot that is to move think in a worker. Returns `None` if there are no workers.
    pub fn begin(seen: &Snapshot) -> Option<ThinkingBot> {
        let worker = BotWorker::begin(seen)?;
        Some(ThinkingBot { revision: seen.revision(), since: Instant::now(), worker })
    }

    /// Returns whether the bot thinks about the position of `seen`.
    pub fn is_about(&self, seen: &Snapshot) -> bool {
        self.revision == seen.revision()
    }

    /// Returns the answer of the bot.
    ///
    /// # Errors
    /// Returns an error if there is no answer yet, if the bot failed, or if the worker is gone.
    pub fn poll_answer(&self) -> Result<BotAnswer, NoAnswer> {
        self.worker.poll_answer()
    }

    /// Returns the busy message and the thinking time so far. Returns `None` if the bot started too
    /// recently for a message.
    pub fn status(&self) -> Option<(&'static str, Duration)> {
        let long = self.since.elapsed();
        (long >= BUSY_MESSAGE_DELAY).then_some(("a bot is thinking", long))
    }
}
