//! A bot that is thinking in a worker.

use egui::Context;
use platform::time::{Duration, Instant};
use table::{Revision, Snapshot};

use crate::game_thread::BUSY_MESSAGE_DELAY;
use crate::jobs::{BotAnswer, BotJob, JobHandle, RecordedGame};
use crate::shown_error::ShownError;

/// A bot that is thinking in a worker. Dropping this value stops the bot.
pub(super) struct ThinkingBot {
    /// The revision of the position that the bot thinks about.
    revision: Revision,
    since: Instant,
    job: JobHandle<(), BotAnswer>,
}

impl ThinkingBot {
    /// Lets the bot that is to move think.
    pub fn start(ctx: &Context, seen: &Snapshot) -> ThinkingBot {
        let job = JobHandle::start(ctx, BotJob(RecordedGame::of(seen)));
        ThinkingBot { revision: seen.revision(), since: Instant::now(), job }
    }

    /// Returns whether the bot thinks about the position of `seen`.
    pub fn is_about(&self, seen: &Snapshot) -> bool {
        self.revision == seen.revision()
    }

    /// Returns the answer of the bot, or the reason why the bot failed; `None` while it thinks.
    pub fn poll(&self) -> Option<Result<BotAnswer, ShownError>> {
        self.job.poll(drop)
    }

    /// Returns the busy message and the thinking time so far. Returns `None` if the bot started too
    /// recently for a message.
    pub fn status(&self) -> Option<(&'static str, Duration)> {
        let long = self.since.elapsed();
        (long >= BUSY_MESSAGE_DELAY).then_some(("a bot is thinking", long))
    }
}
