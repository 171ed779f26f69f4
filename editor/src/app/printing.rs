//! Sheets to print: asking for a file, and writing the PDF.

use egui::Context;

use super::App;
use super::drawing::DrawnFile;
use crate::actions::PrintAction;
use crate::file_choice::FilePurpose;
use crate::jobs::{SheetsJob, SheetsPart};

impl App {
    /// Performs an action on the sheets to print.
    pub(super) fn act_on_sheets(&mut self, ctx: &Context, action: PrintAction) {
        match action {
            PrintAction::Ask => self.dialogs.files.ask_output(FilePurpose::SaveSheets, &self.dialogs.print.file_name()),
            PrintAction::Write(path) => {
                let Some(wanted) = self.dialogs.print.wanted().cloned() else { return };
                let job = SheetsJob { wanted, part: SheetsPart::Pdf };
                self.draw_into(ctx, "drawing the sheets", path, job, |made| DrawnFile::of(made.file));
            }
        }
    }

    /// Returns the number of pages of the sheets in the window that prints; `None` until the window
    /// shows a page.
    pub fn n_pages_to_print(&self) -> Option<usize> {
        self.dialogs.print.n_pages()
    }
}
