//! Lets bots move: in a page in a worker, otherwise on the game thread.

use egui::Context;
use platform::time::Instant;
use table::{SaveError, Session};

use super::App;
use super::start::store_if_unstored;
use super::state::ThinkingBot;
use crate::jobs::{BotAnswer, BotJob, JobHandle, RecordedGame};
use crate::notifications::Tone;

/// The notification after the user has stopped a bot that was thinking.
const STOPPED_MESSAGE: &str = "the bot was stopped; press Space to restart it";

impl App {
    /// Lets the bot that is to move think and answer. Does nothing while a bot thinks in a worker.
    pub(super) fn let_bot_answer(&mut self, ctx: &Context) {
        if self.play.thinker.is_some() {
            return;
        }
        let revision = self.snapshot.revision();
        if cfg!(target_family = "wasm") {
            let job = JobHandle::start(ctx, BotJob(RecordedGame::of(&self.snapshot)));
            self.play.thinker = Some(ThinkingBot { revision, since: Instant::now(), job });
            return;
        }
        let games = self.games_to_store_in();
        let work = move |session: &mut Session| {
            let goes_on = session.revision() != revision || session.advance();
            store_if_unstored(session, games.as_ref());
            goes_on
        };
        self.run_on_game_thread("a bot is thinking", work, |app, has_answered| {
            app.play.last_move = app.frames.started.elapsed();
            if has_answered {
                return;
            }
            app.play.is_paused = true;
            match app.snapshot.save_error() {
                Some(error @ SaveError::TooLong(_)) => app.notify(Tone::Bad, error.to_string()),
                _ => app.notify(Tone::Changed, STOPPED_MESSAGE),
            }
        });
    }

    /// Polls the bot in the worker, and plays its answer. Stops the bot if the game has changed or
    /// bots are paused.
    pub(super) fn receive_bot_answer(&mut self) {
        let Some(thinker) = &self.play.thinker else { return };
        if thinker.revision != self.snapshot.revision() || self.play.is_paused {
            self.play.thinker = None;
            return;
        }
        let Some(found) = thinker.job.poll(drop) else { return };
        self.play.thinker = None;
        match found {
            Ok(BotAnswer { text, reasoning }) => {
                let (revision, games) = (self.snapshot.revision(), self.games_to_store_in());
                let work = move |session: &mut Session| {
                    // If the game has changed, drops the answer. The bot then starts again.
                    let given = (session.revision() == revision).then(|| session.answer_for_bot(&text, reasoning));
                    store_if_unstored(session, games.as_ref());
                    given
                };
                self.run_on_game_thread("playing the bot's move", work, |app, given| {
                    app.play.last_move = app.frames.started.elapsed();
                    if let Some(Err(error)) = given {
                        app.play.is_paused = true;
                        app.notify(Tone::Bad, error.to_string());
                    }
                });
            }
            Err(why) => {
                self.play.is_paused = true;
                self.notify(Tone::Bad, format!("the bot cannot move: {why}"));
            }
        }
    }

    /// Stops the bot in the worker and pauses the bots; returns whether a bot was thinking there.
    pub(super) fn stop_thinker(&mut self) -> bool {
        let stops = self.play.thinker.take().is_some();
        if stops {
            self.play.is_paused = true;
            self.notify(Tone::Changed, STOPPED_MESSAGE);
        }
        stops
    }
}
