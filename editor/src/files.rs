//! Files that people choose or that are opened for them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use egui::Context;
use egui_file::FileDialog;
use table::Template;

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
}

/// The window in which files are chosen.
#[derive(Default)]
pub struct FileWindow {
    open: Option<(Wanted, FileDialog)>,
}

impl FileWindow {
    /// Lets people choose a file, at first in `folder`.
    pub fn ask(&mut self, wanted: Wanted, folder: Option<&Path>) {
        let folder = folder.map(|f| f.join("games")).filter(|f| f.is_dir()).or_else(|| std::env::current_dir().ok());
        let is_record = |path: &Path| path.extension().is_some_and(|e| e == "game");
        let start = folder.unwrap_or_default();
        let mut dialog = match wanted {
            Wanted::OpenRecord => FileDialog::open_file().title("Open a record").show_files_filter(Box::new(is_record)),
            Wanted::SaveCopy => FileDialog::save_file().title("Save a copy of the game").default_filename("my.game"),
            Wanted::AddMods => FileDialog::select_folder().title("Open a folder of mods"),
        };
        dialog.set_path(start);
        dialog.open();
        self.open = Some((wanted, dialog));
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
        Some(match wanted {
            Wanted::OpenRecord => Ok(Action::Open(path)),
            Wanted::AddMods => Ok(Action::AddMods(path)),
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
    quiet.spawn().map(drop).map_err(|_| format!("no program was found to open {at}; open it in your text editor"))
}

/// Makes the folder of a small expansion in `mods`: a few tiles and one rule of a few lines. Returns the folder.
///
/// Fails with a sentence.
pub fn make_mod(mods: &Path) -> Result<PathBuf, String> {
    let free = (1..1000).map(|n| if n == 1 { "my-mod".to_owned() } else { format!("my-mod-{n}") });
    let folder = free.map(|id| mods.join(id)).find(|f| !f.exists()).ok_or("there are a thousand of them already")?;
    let written = Template::Scoring.write(&folder);
    written.map_err(|(path, e)| format!("{} cannot be written: {e}", path.display()))?;
    Ok(folder)
}
