//! Rulebooks of mods, made in the background and saved as a page or PDF.

use std::path::PathBuf;

use book::BookForm;
use egui::Context;
use table::shown_path;

use super::App;
use super::drawing::DrawnFile;
use crate::actions::BookAction;
use crate::jobs::{BookJob, BookMade};
use crate::notifications::Tone;

impl App {
    /// Performs an action on rulebooks.
    pub(super) fn act_on_books(&mut self, ctx: &Context, action: BookAction) {
        match action {
            BookAction::Ask(ids) => self.dialogs.files.ask_book(ids),
            BookAction::Make(ids, file) => self.make_book(ctx, ids, file),
        }
    }

    /// Asks for the file in which to save the rulebook of the mods in this game.
    pub(super) fn ask_book_of_game(&mut self) {
        let mods = &self.snapshot.loaded().catalogue().mods;
        let ids = mods.iter().map(|info| info.id.clone()).collect();
        self.dialogs.files.ask_book(ids);
    }

    fn make_book(&mut self, ctx: &Context, ids: Vec<String>, file: PathBuf) {
        let library = self.snapshot.library().clone();
        let Some(form) = BookForm::of_file(&file) else {
            let text = format!("{}: name a file that ends in .html or .pdf", shown_path(&file));
            return self.notify(Tone::Bad, text);
        };
        let job = BookJob { library, ids, address: self.settings.address_of_books(), form };
        self.draw_into(ctx, "making the rulebook", file, job, |made: BookMade| {
            let gaps = match made.n_unexplained {
                0 => String::new(),
                n => format!("; not explained yet: {n}"),
            };
            DrawnFile { bytes: made.file, note: format!("{} examples{gaps}", made.n_examples) }
        });
    }
}
