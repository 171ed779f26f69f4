//! Balance: games of bots, what they are compared with, files and games that come of it.

use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;

use egui::Context;
use platform::task;
use workshop::balance::{Against, Example, Which};

use super::App;
use crate::balance_bench::mods_of;
use crate::files::Wanted;
use crate::layout::{self, Pane};
use crate::notifications::Tone;
use crate::remote;

/// Something that is to happen to balance.
#[derive(Clone, Debug)]
pub enum BalanceAction {
    /// Play games.
    Run,
    /// Stop playing.
    Stop,
    /// Keep the mods as they are, to compare with after each save.
    Pin,
    /// Compare with this, at once and after each save; or with nothing from the next run on.
    Compare(Against),
    /// Ask for a folder of mods to compare with.
    AskFolder,
    /// Ask where to write all of it; the name of the file ends so.
    Export(&'static str),
    /// Write all of it into this file.
    Write(PathBuf),
    /// Open a game at the moment that shows what it is an example of.
    Open(Example, Which),
}

impl App {
    /// Does what is to be done with balance.
    pub(super) fn act_on_balance(&mut self, ctx: &Context, action: BalanceAction) {
        match action {
            BalanceAction::Run => self.balance.start(&self.snapshot),
            BalanceAction::Stop => self.balance.stop(),
            BalanceAction::Pin => {
                self.balance.compare(Against::Pinned(mods_of(&self.snapshot)));
                self.tell(Tone::Good, "pinned: after each save the new rules are compared with these");
            }
            BalanceAction::Compare(Against::Nothing) => self.balance.compare(Against::Nothing),
            BalanceAction::Compare(against) => {
                self.balance.compare(against);
                self.balance.start(&self.snapshot);
                layout::show(&mut self.tree, Pane::Balance);
            }
            BalanceAction::AskFolder => self.files.ask(Wanted::CompareFolder, None),
            BalanceAction::Export(end) => self.files.ask_balance(&format!("balance.{end}"), self.data.as_deref()),
            BalanceAction::Write(path) => self.write_balance(path),
            BalanceAction::Open(example, which) => self.open_game_of_balance(ctx, example, which),
        }
    }

    fn write_balance(&mut self, path: PathBuf) {
        let (Some(plan), Some(known)) = (self.balance.plan().cloned(), self.balance.known().cloned()) else { return };
        let work = move |_: &mut table::Session| {
            let bytes = plan.file(&known.seen, &path)?;
            written(&path, &bytes).map(|()| path)
        };
        self.at_the_table("exporting the balance", work, |app, path| match path {
            Ok(path) => {
                platform::outside::hand_over(&path);
                app.tell(Tone::Good, format!("saved {}", table::shown_path(&path)));
            }
            Err(error) => app.tell(Tone::Bad, error),
        });
    }

    fn open_game_of_balance(&mut self, ctx: &Context, example: Example, which: Which) {
        let Some(plan) = self.balance.plan().cloned() else { return };
        let folder = self.data.clone().unwrap_or_else(std::env::temp_dir).join("balance");
        let path = folder.join(format!("game-{}.game", example.game));
        let (say, said) = channel();
        let ctx = ctx.clone();
        let work = move || async move {
            let shown = remote::show(&plan, &example, which).await;
            let written = shown.and_then(|shown| written(&path, shown.record.as_bytes()).map(|()| (path, shown.at)));
            // Another game may be wanted by now.
            let _ = say.send(written);
            ctx.request_repaint();
        };
        if task::spawn("a balance game", table::STACK, work).is_ok() {
            self.replayed = Some(said);
        }
    }

    /// Opens the game that was played again, when it is there.
    fn hear_replayed(&mut self) {
        let Some(found) = self.replayed.as_ref().and_then(|replayed| replayed.try_recv().ok()) else { return };
        self.replayed = None;
        match found {
            Ok((path, at)) => self.look_into(path, at),
            Err(error) => self.tell(Tone::Bad, error),
        }
    }

    /// Hears of games, and plays again where something is compared and a mod was saved.
    pub(super) fn move_balance_on(&mut self, ctx: &Context) {
        self.balance.hear(ctx);
        self.hear_replayed();
        if self.balance.compares() && self.balance.is_changed(&self.snapshot) && !self.thread.is_open() {
            self.balance.start(&self.snapshot);
        }
    }
}

/// Writes a file, in a folder that is made if need be.
fn written(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let folder = path.parent().map_or(Ok(()), platform::fs::create_dir_all);
    folder
        .and_then(|()| platform::fs::write_output(path, bytes))
        .map_err(|error| format!("{} cannot be written: {error}", table::shown_path(path)))
}
