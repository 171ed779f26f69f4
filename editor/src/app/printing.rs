//! Sheets to print: writing the PDF.

use std::path::PathBuf;

use egui::Context;

use super::App;
use super::drawing::DrawnFile;
use crate::jobs::{SheetsJob, SheetsPart};

impl App {
    /// Starts to write the sheets to `file`, with the choices of the window.
    pub(super) fn write_sheets(&mut self, ctx: &Context, file: PathBuf) {
        let Some(wanted) = self.dialogs.print.wanted().cloned() else { return };
        let job = SheetsJob { wanted, part: SheetsPart::Pdf };
        self.draw_into(ctx, "drawing the sheets", file, job, |made| DrawnFile::of(made.file));
    }

    /// Returns the number of pages of the sheets in the window that prints; `None` until the window
    /// shows a page.
    pub fn n_pages_to_print(&self) -> Option<usize> {
        self.dialogs.print.n_pages()
    }
}
