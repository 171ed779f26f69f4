//! Files that people choose or that are opened for them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use egui::Context;
use egui_file::FileDialog;
use table::Template;

use crate::app::PackageAction;
use crate::notifications::Tone;
use crate::ui_context::Action;

/// What a file is wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A record to open.
    OpenRecord,
    /// Where to save a copy of the game.
    SaveCopy,
    /// A folder of mods.
    AddMods,
    /// An archive that holds a mod.
    Package,
    /// Where to pack a mod.
    Export,
}

/// The window in which files are chosen.
#[derive(Default)]
pub struct FileWindow {
    open: Option<(Wanted, FileDialog)>,
    /// The folder in which a record was chosen last.
    pub last: Option<PathBuf>,
    /// The folder of the mod that is to be packed.
    packed: PathBuf,
    /// What its archive is called at first.
    name: String,
}

impl FileWindow {
    /// Lets people choose a file: in the folder where one was chosen last, else among the games below `data`.
    pub fn ask(&mut self, wanted: Wanted, data: Option<&Path>) {
        let games = data.map(|data| data.join("games"));
        let last = self.last.clone().filter(|_| wanted != Wanted::AddMods);
        let folder = last.into_iter().chain(games).find(|f| f.is_dir()).or_else(|| std::env::current_dir().ok());
        let is_record = |path: &Path| path.extension().is_some_and(|e| e == "game");
        let is_zip = |path: &Path| path.extension().is_some_and(|e| e == "zip");
        let start = folder.unwrap_or_default();
        let mut dialog = match wanted {
            Wanted::OpenRecord => FileDialog::open_file().title("Open a record").show_files_filter(Box::new(is_record)),
            Wanted::SaveCopy => FileDialog::save_file().title("Save a copy of the game").default_filename("my.game"),
            Wanted::AddMods => FileDialog::select_folder().title("Open a folder of mods"),
            Wanted::Package => FileDialog::open_file()
                .title("Install a mod: choose its zip archive")
                .show_files_filter(Box::new(is_zip)),
            Wanted::Export => {
                FileDialog::save_file().title("Export a mod as a zip archive").default_filename(&self.name)
            }
        };
        dialog.set_path(start);
        dialog.open();
        self.open = Some((wanted, dialog));
    }

    /// Lets people choose where the mod in `mod_folder` is packed, at first under this name.
    pub fn ask_export(&mut self, mod_folder: PathBuf, name: &str) {
        self.packed = mod_folder;
        name.clone_into(&mut self.name);
        self.ask(Wanted::Export, None);
    }

    /// Whether it is shown.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Closes it.
    pub fn close(&mut self) {
        self.open = None;
    }

    /// Draws the window, if it is open; returns what came of it: something to do, or something to tell.
    pub fn show(&mut self, ctx: &Context, record: impl FnOnce() -> String) -> Option<Result<Action, (Tone, String)>> {
        let (wanted, dialog) = self.open.as_mut()?;
        dialog.show(ctx);
        if dialog.visible() {
            return None;
        }
        let (wanted, chosen) = (*wanted, dialog.path().map(Path::to_owned).filter(|_| dialog.selected()));
        self.open = None;
        let path = chosen?;
        if wanted != Wanted::AddMods {
            self.last = path.parent().map(Path::to_owned);
        }
        Some(match wanted {
            Wanted::OpenRecord => Ok(Action::Open(path)),
            Wanted::AddMods => Ok(Action::AddMods(path)),
            Wanted::Package => Ok(Action::Package(PackageAction::LookAt(path))),
            Wanted::Export => Ok(Action::Package(PackageAction::Export(std::mem::take(&mut self.packed), path))),
            Wanted::SaveCopy => Err(match fs::write(&path, record()) {
                Ok(()) => (Tone::Good, format!("saved {}", path.display())),
                Err(error) => (Tone::Bad, format!("{} cannot be written: {error}", path.display())),
            }),
        })
    }
}

/// Opens a file in the program that the system has for it; where `EDITOR_AT` names a program (such as `code -g`), it gets `file:line`.
///
/// Fails with a sentence that says what to do instead.
pub fn open_in_system(path: &Path, line: u32) -> Result<(), String> {
    let at = format!("{}:{}", path.display(), line.max(1));
    let mut command = match std::env::var("EDITOR_AT") {
        Ok(words) if !words.trim().is_empty() => {
            let mut words = words.split_whitespace().map(str::to_owned);
            let mut command = Command::new(words.next().unwrap_or_default());
            command.args(words).arg(&at);
            command
        }
        _ => {
            let opener = if cfg!(target_os = "macos") {
                "open"
            } else if cfg!(windows) {
                "explorer"
            } else {
                "xdg-open"
            };
            let mut command = Command::new(opener);
            command.arg(path);
            command
        }
    };
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.spawn().map(drop).map_err(|_| {
        let shown = table::shown_path(path);
        match path.is_dir() {
            true => format!("no program was found that shows the folder {shown}"),
            false => format!("no program was found to open {shown}, line {}; open it in your text editor", line.max(1)),
        }
    })
}

/// Makes the folder of a small expansion: a few tiles and rules of a few lines.
///
/// Fails with a sentence.
pub fn make_mod(folder: &Path, title: &str, template: &Template) -> Result<(), String> {
    if folder.exists() {
        return Err(format!("{} is there already: choose another id", folder.display()));
    }
    let written = template.write_titled(folder, title);
    written.map(drop).map_err(|(path, e)| format!("{} cannot be written: {e}", path.display()))
}
