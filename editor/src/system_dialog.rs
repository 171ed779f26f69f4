//! File dialogs of the desktop. A thread waits for the user's choice, so that the window does not
//! stop.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use egui::Context;
use platform::time::{Duration, Instant};
use platform::{fs, task};
use rfd::FileDialog;
use table::STACK_BYTES;

use crate::file_choice::{ChooserKind, FileChoice};

/// The shortest time in which a user could cancel a dialog. If a dialog ends sooner without a
/// choice, the desktop could not show it.
const SOONEST: Duration = Duration::from_millis(400);

/// A file dialog of the desktop.
pub struct SystemDialog {
    answer: Receiver<Option<PathBuf>>,
    opened: Instant,
}

/// The file or folder that a dialog asks for.
pub struct DialogRequest<'a> {
    /// The kind of file or folder.
    pub kind: ChooserKind,
    /// The title of the dialog.
    pub title: &'a str,
    /// The extensions of the files to list; empty for folders.
    pub endings: &'a [&'a str],
    /// The folder to start in.
    pub folder: &'a Path,
    /// The default name of a file to save.
    pub name: &'a str,
}

impl SystemDialog {
    /// Opens a dialog. Returns `None` if the desktop offers no file dialogs.
    pub fn open(ctx: &Context, request: &DialogRequest<'_>) -> Option<SystemDialog> {
        let has_bus = std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some_and(|address| !address.is_empty());
        if !has_bus || !offers_dialogs(&data_folders()) {
            return None;
        }
        let mut dialog = FileDialog::new().set_title(request.title).set_directory(request.folder);
        if !request.endings.is_empty() {
            dialog = dialog.add_filter(request.endings.join(", "), request.endings);
        }
        if request.kind == ChooserKind::Save {
            dialog = dialog.set_file_name(request.name);
        }
        let (sender, answer) = channel();
        let (kind, ctx) = (request.kind, ctx.clone());
        let work = move || async move {
            let chosen = match kind {
                ChooserKind::Open => dialog.pick_file(),
                ChooserKind::Save => dialog.save_file(),
                ChooserKind::Folder => dialog.pick_folder(),
            };
            // Sending fails if the user has closed the window's question with Esc.
            let _ = sender.send(chosen);
            ctx.request_repaint();
        };
        task::spawn("file dialog", STACK_BYTES, work).ok()?;
        Some(SystemDialog { answer, opened: Instant::now() })
    }

    /// Returns the user's choice so far; `None` if the dialog could not be shown.
    pub fn choice(&self) -> Option<FileChoice> {
        match self.answer.try_recv() {
            Ok(Some(path)) => Some(FileChoice::Path(path)),
            Ok(None) if self.opened.elapsed() >= SOONEST => Some(FileChoice::Nothing),
            Ok(None) | Err(TryRecvError::Disconnected) => None,
            Err(TryRecvError::Empty) => Some(FileChoice::NotYet),
        }
    }
}

/// Returns the folders that declare the services of the desktop.
fn data_folders() -> Vec<PathBuf> {
    let folders = std::env::var_os("XDG_DATA_DIRS").filter(|folders| !folders.is_empty());
    std::env::split_paths(&folders.unwrap_or_else(|| "/usr/local/share:/usr/share".into())).collect()
}

/// Returns whether the desktop offers file dialogs. `folders` declare its services; they must
/// contain the desktop portal and an implementation of the portal's file dialogs.
fn offers_dialogs(folders: &[PathBuf]) -> bool {
    let has_portal =
        |folder: &PathBuf| fs::is_file(&folder.join("dbus-1/services/org.freedesktop.portal.Desktop.service"));
    let files = folders.iter().flat_map(|folder| fs::paths_in(folder.join("xdg-desktop-portal/portals")));
    let mut texts = files.filter_map(|file| fs::read_to_string(file).ok());
    folders.iter().any(has_portal) && texts.any(|text| text.contains("org.freedesktop.impl.portal.FileChooser"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn dialogs_need_the_portal_and_an_implementation() {
        let data = tempfile::tempdir().unwrap();
        let folders = [data.path().join("missing"), data.path().to_owned()];
        let write = |file: &str, text: &str| {
            let path = data.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        assert!(!offers_dialogs(&folders));
        write("dbus-1/services/org.freedesktop.portal.Desktop.service", "[D-BUS Service]\n");
        write("xdg-desktop-portal/portals/plain.portal", "Interfaces=org.freedesktop.impl.portal.Settings;\n");
        assert!(!offers_dialogs(&folders));
        write("xdg-desktop-portal/portals/gtk.portal", "Interfaces=org.freedesktop.impl.portal.FileChooser;\n");
        assert!(offers_dialogs(&folders));
    }

    #[test]
    fn a_dialog_that_ends_at_once_could_not_be_shown() {
        let (sender, answer) = channel();
        let mut dialog = SystemDialog { answer, opened: Instant::now() };
        assert!(matches!(dialog.choice(), Some(FileChoice::NotYet)));
        sender.send(None).unwrap();
        assert!(dialog.choice().is_none());
        dialog.opened = Instant::now() - SOONEST;
        sender.send(None).unwrap();
        assert!(matches!(dialog.choice(), Some(FileChoice::Nothing)));
        sender.send(Some(PathBuf::from("my.game"))).unwrap();
        assert!(matches!(dialog.choice(), Some(FileChoice::Path(path)) if path == Path::new("my.game")));
        drop(sender);
        assert!(dialog.choice().is_none());
    }
}
