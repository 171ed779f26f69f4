//! Choosing a file on disk: a window in the window.

use std::path::{Path, PathBuf};

use egui::Context;
use egui_file::FileDialog;

use crate::files::Wanted;

/// What has become of choosing.
pub enum Chosen {
    /// It goes on.
    NotYet,
    /// Nothing was chosen.
    Nothing,
    /// This was.
    Path(PathBuf),
}

/// Lets people choose a file.
pub struct Chooser(FileDialog);

impl Chooser {
    /// Begins in the folder `start`; a new file is called `name` at first.
    pub fn open(wanted: Wanted, start: PathBuf, name: &str) -> Chooser {
        let is_record = |path: &Path| path.extension().is_some_and(|e| e == "game" || e == "link");
        let is_zip = |path: &Path| path.extension().is_some_and(|e| e == "zip");
        let mut dialog = match wanted {
            Wanted::OpenRecord => FileDialog::open_file().title("Open a record").show_files_filter(Box::new(is_record)),
            Wanted::SaveCopy => FileDialog::save_file().title("Save a copy of the game").default_filename("my.game"),
            Wanted::SaveLink => FileDialog::save_file().title("Save the game as a link").default_filename("my.link"),
            Wanted::SaveBalance => FileDialog::save_file().title("Export the balance").default_filename(name),
            Wanted::AddMods => FileDialog::select_folder().title("Open a folder of mods"),
            Wanted::CompareFolder => FileDialog::select_folder().title("Compare with the mods in a folder"),
            Wanted::Package => FileDialog::open_file()
                .title("Install a mod: choose its zip archive")
                .show_files_filter(Box::new(is_zip)),
            Wanted::Export => FileDialog::save_file().title("Export a mod as a zip archive").default_filename(name),
        };
        dialog.set_path(start);
        dialog.open();
        Chooser(dialog)
    }

    /// Draws it; returns what has become of it.
    pub fn show(&mut self, ctx: &Context) -> Chosen {
        let Chooser(dialog) = self;
        dialog.show(ctx);
        if dialog.visible() {
            return Chosen::NotYet;
        }
        let path = dialog.path().filter(|_| dialog.selected());
        path.map_or(Chosen::Nothing, |path| Chosen::Path(path.to_owned()))
    }
}
