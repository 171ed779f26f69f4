//! Mods as archives: inspecting, installing and packing them.

use std::ffi::OsStr;
use std::path::PathBuf;

use egui::Context;
use platform::fs;
use table::{Diagnostic, shown_path};
use workshop::Package;
use workshop::link::SCHEME;

use super::App;
use crate::actions::{Action, LinkAction, PackageAction};
use crate::files::deliver_file;
use crate::notifications::Tone;
use crate::panels::Pane;
use crate::shown_error::ShownError;
use crate::windows::mods_folders;

impl App {
    /// Performs an action on mods in archives.
    pub(super) fn act_on_packages(&mut self, action: PackageAction) {
        match action {
            PackageAction::LookAt(path) => self.inspect_package(path),
            PackageAction::Install(package, place, replaces) => self.install_package(*package, place, replaces),
            PackageAction::Export(folder, to) => self.export(folder, to),
        }
    }

    /// Reads an archive or a folder and shows the mod in it.
    fn inspect_package(&mut self, path: PathBuf) {
        let library = self.snapshot.library().clone();
        let read = move || {
            let package = Package::read(&path)?;
            let contents = package.inspect(&library)?;
            Ok::<_, Diagnostic>((package, contents))
        };
        self.read_in_background("reading the mod", read, |app, read| {
            let Some((package, contents)) = app.ok_or_notify_refused(read) else { return };
            let places = mods_folders(app.snapshot.library(), app.store.data.as_deref());
            app.dialogs.install.begin(package, contents, places);
            app.view_state.windows.install = true;
        });
    }

    fn install_package(&mut self, package: Package, place: PathBuf, replaces: bool) {
        let looked_in = place.clone();
        let work = move |_: &mut table::Session| {
            // Creates the user's own folder of mods if needed. If this fails, the installation
            // reports the error.
            let _ = fs::create_dir_all(&place);
            package.install(&place, replaces).map(|installed| (installed, package.title))
        };
        self.run_on_game_thread("installing the mod", work, |app, installed| {
            let Some((installed, title)) = app.ok_or_notify_refused(installed) else { return };
            app.view_state.windows.install = false;
            let kept = installed.backup.map(|backup| format!("; the old version is in {}", shown_path(&backup)));
            app.notify(Tone::Good, format!("installed {title}: switch it on in Mods{}", kept.unwrap_or_default()));
            app.add_mods(looked_in);
            app.show_pane(Pane::Mods);
        });
    }

    /// Packs the mod in `folder` into the archive `to`.
    fn export(&mut self, folder: PathBuf, to: PathBuf) {
        let work = move |_: &mut table::Session| {
            let package = Package::from_folder(&folder)?;
            let bytes = package.to_zip()?;
            let cannot = |e| Diagnostic::without_place(format!("{} cannot be written: {e}", to.display()));
            fs::write_output(&to, &bytes).map_err(cannot)?;
            let saved = deliver_file(&to);
            Ok::<_, Diagnostic>((package, saved))
        };
        self.run_on_game_thread("packing the mod", work, |app, packed| {
            let Some((package, saved)) = app.ok_or_notify_refused(packed) else { return };
            let out = match package.left_out.len() {
                0 => String::new(),
                n => format!("; files not included, because they are not part of a mod: {n}"),
            };
            let n = package.files().count();
            app.notify(Tone::Good, format!("{saved}: {} {}, {n} files{out}", package.title, package.version));
        });
    }

    /// Returns the value of `result`. If it is a problem, notifies the user and returns `None`.
    pub(super) fn ok_or_notify_refused<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        self.ok_or_notify(result.map_err(|problem| ShownError::without_place(&problem)))
    }

    /// Handles files dropped onto the window: opens records, and shows the contents of links. For
    /// any other file or folder, shows the mod in it, which the user can then install.
    pub(super) fn handle_dropped_files(&mut self, ctx: &Context) {
        let dropped: Vec<PathBuf> =
            ctx.input(|i| i.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect());
        for path in dropped {
            self.act(ctx, action_to_open_file(path));
        }
    }
}

/// Returns the action that opens an argument of the command line: a file, or an address with a
/// link. For an address, the action first shows the contents of the link and asks the user.
pub fn action_to_open(target: &OsStr) -> Action {
    let Some(text) = target.to_str() else { return action_to_open_file(PathBuf::from(target)) };
    let text = text.trim();
    if let Some((scheme, rest)) = text.split_at_checked(SCHEME.len())
        && scheme.eq_ignore_ascii_case(SCHEME)
    {
        // Some browsers insert slashes after the scheme.
        return Action::Link(LinkAction::LookAt(rest.trim_start_matches('/').to_owned()));
    }
    if ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme)) {
        return Action::Link(LinkAction::LookAt(text.to_owned()));
    }
    action_to_open_file(PathBuf::from(target))
}

/// Returns the action that opens a file: a record, a link, or a mod (any other file).
fn action_to_open_file(path: PathBuf) -> Action {
    if path.extension().is_some_and(|ending| ending == "game" || ending == "link") {
        Action::Open(path)
    } else {
        Action::Package(PackageAction::LookAt(path))
    }
}
