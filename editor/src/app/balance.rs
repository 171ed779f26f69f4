//! Balance: games of bots, what is pinned, pages and games that come of it.

use std::path::PathBuf;

use egui::Context;
use workshop::balance::{LEVEL, compared_page, page};

use super::App;
use crate::balance_bench::mods_of;
use crate::layout::{self, Pane};
use crate::notifications::Tone;

/// Something that is to happen to balance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BalanceAction {
    /// Play games.
    Run,
    /// Stop playing.
    Stop,
    /// Keep the mods as they are, to compare with.
    Pin,
    /// Compare no more.
    Unpin,
    /// Write all of it as a page.
    Export,
    /// Open the game with this number.
    Open(u64),
}

impl App {
    /// Does what is to be done with balance.
    pub(super) fn act_on_balance(&mut self, ctx: &Context, action: BalanceAction) {
        match action {
            BalanceAction::Run => self.balance.start(ctx, &self.snapshot),
            BalanceAction::Stop => self.balance.stop(),
            BalanceAction::Pin => {
                self.balance.pin(Some(mods_of(&self.snapshot)));
                self.tell(Tone::Good, "pinned: after each save these rules are compared with the new ones");
            }
            BalanceAction::Unpin => self.balance.pin(None),
            BalanceAction::Export => self.export_balance(),
            BalanceAction::Open(number) => self.open_game_of_balance(number),
        }
    }

    /// Where files of balance are written.
    fn balance_folder(&self) -> PathBuf {
        self.data.clone().unwrap_or_else(std::env::temp_dir).join("balance")
    }

    fn export_balance(&mut self) {
        let Some(seen) = self.balance.seen() else { return };
        let mods: Vec<&str> = self.snapshot.view().mods().iter().map(|it| it.id.as_str()).collect();
        let title = mods.join(", ");
        let about = [("seed".to_owned(), "1".to_owned())];
        let text = match &seen.comparison {
            Some(found) => compared_page(&format!("{title}: before against now"), &about, found),
            None => page(&title, &about, &seen.report, LEVEL),
        };
        let path = self.balance_folder().join("balance.html");
        match written(&path, &text) {
            Ok(()) => {
                platform::outside::hand_over(&path);
                self.tell(Tone::Good, format!("wrote {}", table::shown_path(&path)));
            }
            Err(error) => self.tell(Tone::Bad, error),
        }
    }

    fn open_game_of_balance(&mut self, number: u64) {
        let Some(plan) = self.balance.plan().cloned() else { return };
        let path = self.balance_folder().join(format!("game-{number}.game"));
        let work = move |_: &mut table::Session| {
            let record = plan.record_of(number).map_err(|error| error.to_string())?;
            written(&path, &record).map(|()| path)
        };
        self.at_the_table("playing a game again", work, |app, path| match path {
            Ok(path) => {
                app.look_into(path, usize::MAX);
                layout::show(&mut app.tree, Pane::Board);
            }
            Err(error) => app.tell(Tone::Bad, error),
        });
    }

    /// Hears of games, and plays again where something is pinned and the mods have changed.
    pub(super) fn move_balance_on(&mut self, ctx: &Context) {
        self.balance.hear();
        if self.balance.has_baseline() && self.balance.is_stale(&self.snapshot) && !self.thread.is_open() {
            self.balance.start(ctx, &self.snapshot);
        }
    }
}

/// Writes a file, in a folder that is made if need be.
fn written(path: &std::path::Path, text: &str) -> Result<(), String> {
    let folder = path.parent().map_or(Ok(()), platform::fs::create_dir_all);
    folder
        .and_then(|()| platform::fs::write(path, text))
        .map_err(|error| format!("{} cannot be written: {error}", table::shown_path(path)))
}
