//! Rulebooks of mods, made in the background and saved as a page or PDF.

use std::path::PathBuf;

use book::BookForm;
use paper::Paper;
use platform::{fs, outside};
use table::{Diagnostic, shown_path};

use super::App;
use crate::notifications::Tone;

/// An action on rulebooks.
#[derive(Clone, Debug)]
pub enum BookAction {
    /// Ask for the file in which to save the rulebook of these mods.
    Ask(Vec<String>),
    /// Make the rulebook of these mods, and save it in this file.
    Make(Vec<String>, PathBuf),
}

impl App {
    /// Performs an action on rulebooks.
    pub(super) fn act_on_books(&mut self, action: BookAction) {
        match action {
            BookAction::Ask(ids) => self.dialogs.files.ask_book(ids),
            BookAction::Make(ids, file) => self.make_book(ids, file),
        }
    }

    /// Asks for the file in which to save the rulebook of the mods in this game.
    pub(super) fn ask_book_of_game(&mut self) {
        let mods = &self.snapshot.loaded().catalogue().mods;
        let ids = mods.iter().map(|info| info.id.clone()).collect();
        self.dialogs.files.ask_book(ids);
    }

    fn make_book(&mut self, ids: Vec<String>, file: PathBuf) {
        let library = self.snapshot.library().clone();
        let Some(form) = BookForm::of_file(&file) else {
            let text = format!("{}: name a file that ends in .html or .pdf", shown_path(&file));
            return self.notify(Tone::Bad, text);
        };
        let address = self.settings.address_of_links();
        let make = move || {
            let book = book::book(&library, &ids, &address)?;
            let refused = |message| vec![Diagnostic::without_place(message)];
            let bytes = book.to_bytes(form, Paper::A4).map_err(refused)?;
            let cannot = |error| refused(format!("{} cannot be written: {error}", shown_path(&file)));
            fs::write_output(&file, &bytes).map_err(cannot)?;
            Ok::<_, Vec<Diagnostic>>((file, book.n_examples, book.unexplained.len()))
        };
        self.read_in_background("making the rulebook", make, |app, made| match made {
            Ok((file, n_examples, n_unexplained)) => {
                outside::offer_download(&file);
                let gaps = match n_unexplained {
                    0 => String::new(),
                    n => format!("; not explained yet: {n}"),
                };
                app.notify(Tone::Good, format!("saved {}: {n_examples} examples{gaps}", shown_path(&file)));
            }
            Err(problems) => {
                let first = problems.first().map(ToString::to_string).unwrap_or_default();
                let more = match problems.len() {
                    0 | 1 => String::new(),
                    n => format!(" (and {} more)", n - 1),
                };
                app.notify(Tone::Bad, format!("no rulebook was made: {first}{more}"));
            }
        });
    }
}
