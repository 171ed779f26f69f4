//! The window in which the user chooses files.

use std::path::{Path, PathBuf};

use egui::Context;
use platform::fs;
use platform::outside;
use table::{Template, shown_path};
use workshop::balance::ComparedRules;

use crate::actions::{Action, BalanceAction, CorpusAction, LinkAction, PackageAction};
use crate::chooser::Chooser;
use crate::file_choice::{FileChoice, FilePurpose};
use crate::notifications::Tone;
use crate::shown_error::ShownError;

/// The window in which the user chooses a file or a folder.
#[derive(Default)]
pub struct FileChooserWindow {
    open: Option<(FilePurpose, Chooser)>,
    /// The folder of the file that was chosen last; `None` if no file was chosen yet.
    pub last: Option<PathBuf>,
    /// True if the dialogs of the desktop are preferred.
    pub uses_system: bool,
    /// The default name of the file to save.
    name: String,
}

impl FileChooserWindow {
    /// Asks for a file or a folder of mods. For a file, starts in the folder of the file that was
    /// chosen last. If no file was chosen yet and the user opens records, starts in the folder of
    /// games below `data`. In all other cases, starts in the home folder.
    pub fn ask(&mut self, wanted: FilePurpose, data: Option<&Path>) {
        let games = data.map(|data| data.join("games")).filter(|_| is_beside_games(&wanted));
        let last = self.last.clone().filter(|_| !is_mods_folder(&wanted));
        let places = last.into_iter().chain(games).chain(std::env::home_dir());
        let folder = places.into_iter().find(|f| fs::is_dir(f)).or_else(|| std::env::current_dir().ok());
        let chooser = Chooser::open(&wanted, folder.unwrap_or_default(), &self.name, self.uses_system);
        self.open = Some((wanted, chooser));
    }

    /// Asks for an output file; `name` is its default name.
    pub fn ask_output(&mut self, wanted: FilePurpose, name: &str) {
        name.clone_into(&mut self.name);
        self.ask(wanted, None);
    }

    /// Returns whether the window is open.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Closes the window.
    pub fn close(&mut self) {
        self.open = None;
    }

    /// Draws the window if it is open. When the user has chosen a path, returns the action to
    /// perform with it. For a copy of the game, writes the text that `record` returns to the path
    /// itself, and returns the action that shows the result.
    pub fn show(&mut self, ctx: &Context, record: impl FnOnce() -> String) -> Option<Action> {
        let (_, chooser) = self.open.as_mut()?;
        let chosen = chooser.show(ctx);
        if matches!(chosen, FileChoice::NotYet) {
            return None;
        }
        let (wanted, _) = self.open.take()?;
        let FileChoice::Path(path) = chosen else { return None };
        if !is_mods_folder(&wanted) {
            self.last = path.parent().map(Path::to_owned);
        }
        Some(match wanted {
            FilePurpose::OpenRecord => Action::Open(path),
            // On a page, the copy of a chosen folder does not survive a restart, so its mod is
            // installed among the user's mods.
            FilePurpose::AddMods if outside::GIVES_COPIES => Action::Package(PackageAction::LookAt(path)),
            FilePurpose::AddMods => Action::AddMods(path),
            FilePurpose::SaveLink => Action::Link(LinkAction::Write(path)),
            FilePurpose::SavePicture(drawn) => Action::Draw(drawn, path),
            FilePurpose::SaveSheets => Action::Print(path),
            FilePurpose::SaveBalance => Action::Balance(BalanceAction::Write(path)),
            FilePurpose::SaveBook(ids) => Action::MakeBook(ids, path),
            FilePurpose::CompareFolder => Action::Balance(BalanceAction::Compare(ComparedRules::Folder(path))),
            FilePurpose::RecordsFolder => Action::Corpus(CorpusAction::Replay(path)),
            FilePurpose::Playtest | FilePurpose::PlaytestFolder => Action::Balance(BalanceAction::AddPlaytests(path)),
            FilePurpose::Package => Action::Package(PackageAction::LookAt(path)),
            FilePurpose::Export(folder) => Action::Package(PackageAction::Export(folder, path)),
            FilePurpose::SaveCopy => match fs::write_output(&path, record()) {
                Ok(()) => Action::Tell(Tone::Good, deliver_file(&path)),
                Err(error) => Action::Tell(Tone::Bad, format!("{} cannot be written: {error}", path.display())),
            },
        })
    }
}

/// Offers a written file as a download on a page. Returns the message that the file is saved: on a
/// page with its name alone, because the path means nothing to the user there.
pub fn deliver_file(path: &Path) -> String {
    outside::offer_download(path);
    match path.file_name() {
        Some(name) if outside::GIVES_COPIES => format!("downloaded {}", shown_path(Path::new(name))),
        _ => format!("saved {}", shown_path(path)),
    }
}

/// Returns whether the user opens games, or files beside them.
fn is_beside_games(wanted: &FilePurpose) -> bool {
    matches!(
        wanted,
        FilePurpose::OpenRecord | FilePurpose::RecordsFolder | FilePurpose::Playtest | FilePurpose::PlaytestFolder
    )
}

/// Returns whether the user chooses a folder of mods. [`FileChooserWindow::last`] does not store
/// such folders, because they contain no games.
fn is_mods_folder(wanted: &FilePurpose) -> bool {
    matches!(wanted, FilePurpose::AddMods | FilePurpose::CompareFolder)
}

/// Creates the folder of a small expansion from a template. `subject` replaces the name of
/// the piece or land that the template declares, if it declares one.
///
/// # Errors
/// Returns an error if the folder exists already, or if a file cannot be written.
pub fn make_mod(folder: &Path, title: &str, template: &Template, subject: Option<&str>) -> Result<(), ShownError> {
    if fs::exists(folder) {
        return Err(ShownError::new(format!("{} already exists: choose another id", folder.display())));
    }
    let written = template.write_with_names(folder, title, subject);
    let cannot = |(path, error): (PathBuf, _)| format!("{} cannot be written: {error}", path.display());
    written.map(drop).map_err(|failed| ShownError::new(cannot(failed)))
}
