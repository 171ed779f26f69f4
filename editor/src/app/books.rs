//! Rulebooks of mods, made in the background and saved as a page or PDF.

use std::path::PathBuf;

use book::BookForm;
use egui::Context;
use table::shown_path;

use super::App;
use super::drawing::DrawnFile;
use crate::file_choice::FilePurpose;
use crate::jobs::{BookJob, BookMade};
use crate::notifications::Tone;
use crate::panels::pluralized;

impl App {
    /// Asks for the file in which to save the rulebook of the mods in this game.
    pub(super) fn ask_book_of_game(&mut self) {
        let mods = &self.snapshot.loaded().catalogue().mods;
        let ids: Vec<String> = mods.iter().map(|info| info.id.clone()).collect();
        let name = format!("{}.html", ids.last().map_or("rules", String::as_str));
        self.dialogs.files.ask_output(FilePurpose::SaveBook(ids), &name);
    }

    /// Starts to make the rulebook of the mods `ids`, and to save it in `file`.
    pub(super) fn make_book(&mut self, ctx: &Context, ids: Vec<String>, file: PathBuf) {
        let library = self.snapshot.library().clone();
        let Some(form) = BookForm::of_file(&file) else {
            let text = format!("{}: name a file that ends in .html or .pdf", shown_path(&file));
            return self.notify(Tone::Bad, text);
        };
        let job = BookJob { library, ids, address: self.settings.address_of_books(), form };
        self.draw_into(ctx, "making the rulebook", file, job, |made: BookMade| {
            let note = book_note(made.n_examples, made.n_unexplained);
            DrawnFile { bytes: made.file, note }
        });
    }
}

/// Describes a rulebook by the number of its examples, and of the things that it does not explain.
fn book_note(n_examples: usize, n_unexplained: usize) -> String {
    let examples = pluralized(n_examples, "example", "examples");
    if n_unexplained == 0 {
        return examples;
    }
    let things = pluralized(n_unexplained, "thing is", "things are");
    format!("{examples}; {things} not explained yet, see the end of each chapter")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_says_what_is_not_explained() {
        assert_eq!(book_note(15, 0), "15 examples");
        assert_eq!(book_note(1, 4), "1 example; 4 things are not explained yet, see the end of each chapter");
    }
}
