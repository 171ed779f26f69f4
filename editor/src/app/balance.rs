//! Balance: bot games, the baseline to compare with, exported results and example games.

use std::path::{Path, PathBuf};

use egui::Context;
use workshop::ConfiguredMods;
use workshop::balance::{ComparedRules, ExampleGame, ExamplePosition, ShownRules};

use super::App;
use crate::actions::BalanceAction;
use crate::files::deliver_file;
use crate::jobs::{ExampleJob, JobHandle};
use crate::notifications::Tone;
use crate::panels::Pane;
use crate::shown_error::ShownError;

impl App {
    /// Performs an action that the balance panel requested.
    pub(super) fn act_on_balance(&mut self, ctx: &Context, action: BalanceAction) {
        match action {
            BalanceAction::Run => self.benches.balance.start(ctx, &self.snapshot),
            BalanceAction::Pin => {
                self.benches.balance.set_baseline(ComparedRules::Pinned(ConfiguredMods::of(&self.snapshot)));
                self.notify(Tone::Good, "pinned: after each save, the new rules are compared with the pinned ones");
            }
            // The user first writes goals, and then starts the search.
            BalanceAction::Compare(against @ (ComparedRules::Nothing | ComparedRules::Goals(_))) => {
                self.benches.balance.set_baseline(against);
            }
            BalanceAction::Compare(against) => {
                self.benches.balance.set_baseline(against);
                self.benches.balance.start(ctx, &self.snapshot);
                self.show_pane(Pane::Balance);
            }
            BalanceAction::AddPlaytests(path) => {
                self.benches.balance.playtests.add(ctx, &self.snapshot, path);
                self.show_pane(Pane::Balance);
            }
            BalanceAction::ReadPlaytests => self.benches.balance.playtests.evaluate(ctx, &self.snapshot),
            BalanceAction::ClosePlaytests => self.benches.balance.playtests.close(),
            BalanceAction::Write(path) => self.write_balance(path),
            BalanceAction::Open(example, which) => self.open_game_of_balance(ctx, example, which),
        }
    }

    fn write_balance(&mut self, path: PathBuf) {
        let (Some(plan), Some(known)) = (self.benches.balance.plan().cloned(), self.benches.balance.results().cloned())
        else {
            return;
        };
        let work = move |_: &mut table::Session| {
            let bytes = plan.file_content(&known.seen, &path)?;
            write_file(&path, &bytes).map(|()| path)
        };
        self.run_on_game_thread("exporting the balance results", work, |app, path| {
            let Some(path) = app.ok_or_notify(path) else { return };
            app.notify(Tone::Good, deliver_file(&path));
        });
    }

    fn open_game_of_balance(&mut self, ctx: &Context, example: ExampleGame, which: ShownRules) {
        let Some(plan) = self.benches.balance.plan().cloned() else { return };
        let folder = self.store.data.clone().unwrap_or_else(std::env::temp_dir).join("balance");
        let path = folder.join(format!("game-{}.game", example.game));
        let job = ExampleJob { plan, example, which };
        let write = move |shown: ExamplePosition| write_file(&path, shown.record.as_bytes()).map(|()| (path, shown.at));
        self.tasks.replayed = Some(JobHandle::start_then(ctx, job, write));
    }

    /// Opens the replayed example game once it is ready.
    fn receive_replayed(&mut self) {
        let Some(found) = self.tasks.replayed.as_ref().and_then(|replayed| replayed.poll(drop)) else { return };
        self.tasks.replayed = None;
        if let Some((path, at)) = self.ok_or_notify(found) {
            self.inspect_game(path, at);
        }
    }

    /// Polls the run in progress and the replay of an example game. Starts a new run if there is a
    /// baseline and a mod in play has changed since the last run.
    pub(super) fn poll_balance(&mut self, ctx: &Context) {
        self.benches.balance.poll();
        self.benches.balance.playtests.poll();
        self.receive_replayed();
        if self.benches.balance.compares()
            && self.benches.balance.has_changed_mods(&self.snapshot)
            && !self.thread.has_pending_changes()
        {
            self.benches.balance.start(ctx, &self.snapshot);
        }
    }
}

/// Writes a file, and creates its folder if the folder does not exist.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), ShownError> {
    let folder = path.parent().map_or(Ok(()), platform::fs::create_dir_all);
    let written = folder.and_then(|()| platform::fs::write_output(path, bytes));
    written.map_err(|error| ShownError::new(format!("{} cannot be written: {error}", table::shown_path(path))))
}
