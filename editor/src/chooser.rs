//! The dialog in which the user chooses a file or a folder on disk: a dialog of the desktop if
//! there is one, and otherwise a dialog inside the window.

use std::path::{Path, PathBuf};

use egui::{Button, Context, Key, RichText, ScrollArea, TextEdit, Ui};
use platform::fs;

use crate::file_choice::{ChooserKind, FileChoice, FilePurpose};
use crate::notifications::Tone;
use crate::shown_error::ShownError;
use crate::style::tone_colour;
#[cfg(target_os = "linux")]
use crate::system_dialog::{DialogRequest, SystemDialog};
use crate::windows::place;

/// The maximum number of entries that are read from a folder.
const MAX_ENTRIES: usize = 2_000;

/// A window in which the user chooses a file or a folder, by clicking or by typing a path.
pub struct Chooser {
    /// True until the first frame if the chooser first tries to open a dialog of the desktop.
    #[cfg(target_os = "linux")]
    tries_system: bool,
    /// The dialog of the desktop, while it is open.
    #[cfg(target_os = "linux")]
    system: Option<SystemDialog>,
    kind: ChooserKind,
    title: &'static str,
    /// The extensions of the files to list; empty if the list contains only folders.
    endings: &'static [&'static str],
    folder: PathBuf,
    /// The entries of the folder, folders first, or the reason why the folder cannot be read.
    entries: Result<Vec<FolderEntry>, ShownError>,
    /// The name or path that the user has typed.
    typed: String,
    /// The reason why the path that the user confirmed cannot be chosen, if there is one.
    why_not: Option<String>,
    /// The existing file that the user's choice overwrites if the user confirms again; `None` if no
    /// confirmation is pending.
    replaces: Option<PathBuf>,
    /// True if the text field takes the focus in the next frame.
    takes_focus: bool,
}

struct FolderEntry {
    name: String,
    path: PathBuf,
    is_folder: bool,
}

impl Chooser {
    /// Opens the dialog in the folder `start`. `name` is the default name of a file to save. If
    /// `uses_system` is true, prefers a dialog of the desktop.
    #[cfg_attr(not(target_os = "linux"), expect(unused_variables, reason = "only Linux has other dialogs"))]
    pub fn open(wanted: &FilePurpose, start: PathBuf, name: &str, uses_system: bool) -> Chooser {
        let (kind, title, endings): (ChooserKind, &str, &[&str]) = match wanted {
            FilePurpose::OpenRecord => (ChooserKind::Open, "Open a record", &["game", "link"]),
            FilePurpose::SaveCopy => (ChooserKind::Save, "Save a copy of the game", &["game"]),
            FilePurpose::SaveLink => (ChooserKind::Save, "Save the game as a link", &["link"]),
            FilePurpose::SaveBalance => {
                (ChooserKind::Save, "Export the balance results", &["html", "csv", "jsonl", "parquet"])
            }
            FilePurpose::SaveBook(_) => (ChooserKind::Save, "Save the rulebook as a page or PDF", &["html", "pdf"]),
            FilePurpose::SavePicture(_) => (ChooserKind::Save, "Save a picture of the game", &["png", "gif"]),
            FilePurpose::SaveSheets => (ChooserKind::Save, "Save the sheets to print", &["pdf"]),
            FilePurpose::AddMods => (ChooserKind::Folder, "Add a folder of mods", &[]),
            FilePurpose::CompareFolder => (ChooserKind::Folder, "Compare with the mods in a folder", &[]),
            FilePurpose::RecordsFolder => (ChooserKind::Folder, "Replay the records in a folder", &[]),
            FilePurpose::Playtest => (ChooserKind::Open, "Show a playtest", &["json"]),
            FilePurpose::PlaytestFolder => (ChooserKind::Folder, "Show the playtests in a folder", &[]),
            FilePurpose::Package => (ChooserKind::Open, "Install a mod: choose its zip archive", &["zip"]),
            FilePurpose::Export(_) => (ChooserKind::Save, "Export a mod as a zip archive", &["zip"]),
        };
        let mut chooser = Chooser {
            #[cfg(target_os = "linux")]
            tries_system: uses_system,
            #[cfg(target_os = "linux")]
            system: None,
            kind,
            title,
            endings,
            folder: PathBuf::new(),
            entries: Ok(Vec::new()),
            typed: if kind == ChooserKind::Save { name.to_owned() } else { String::new() },
            why_not: None,
            replaces: None,
            takes_focus: true,
        };
        chooser.enter(start);
        chooser
    }

    /// Opens the dialog of the desktop on the first call, if [`Chooser::open`] was asked to use it.
    /// Returns the user's choice so far, or `None` if no such dialog is open.
    #[cfg(target_os = "linux")]
    fn ask_system(&mut self, ctx: &Context) -> Option<FileChoice> {
        if std::mem::take(&mut self.tries_system) {
            let Chooser { kind, title, endings, folder, typed, .. } = &*self;
            let request = DialogRequest { kind: *kind, title, endings, folder, name: typed };
            self.system = SystemDialog::open(ctx, &request);
        }
        let choice = self.system.as_ref()?.choice();
        if choice.is_none() {
            self.system = None;
        }
        choice
    }

    /// Draws the window unless a dialog of the desktop is open, and returns the user's choice.
    pub fn show(&mut self, ctx: &Context) -> FileChoice {
        #[cfg(target_os = "linux")]
        if let Some(choice) = self.ask_system(ctx) {
            return choice;
        }
        let (mut is_open, mut chosen) = (true, FileChoice::NotYet);
        place::centred(ctx, self.title, [560.0, 420.0]).open(&mut is_open).show(ctx, |ui| chosen = self.body(ui));
        if is_open { chosen } else { FileChoice::Nothing }
    }

    fn body(&mut self, ui: &mut Ui) -> FileChoice {
        self.places(ui);
        ui.separator();
        let chosen = self.list(ui);
        ui.separator();
        let label = ui.label(match self.kind {
            ChooserKind::Open => "File name or path",
            ChooserKind::Save => "Name or path",
            ChooserKind::Folder => "Folder name or path",
        });
        let field = TextEdit::singleline(&mut self.typed).desired_width(f32::INFINITY);
        let field = ui.add(field).labelled_by(label.id);
        if std::mem::take(&mut self.takes_focus) {
            field.request_focus();
        }
        if field.changed() {
            (self.why_not, self.replaces) = (None, None);
        }
        let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if let Some(why_not) = &self.why_not {
            ui.colored_label(tone_colour(ui, Tone::Bad), why_not);
        }
        let (mut is_confirmed, mut is_cancelled) = (is_entered, false);
        ui.horizontal(|ui| {
            let name = match (self.kind, &self.replaces) {
                (ChooserKind::Open, _) => "Open",
                (ChooserKind::Save, None) => "Save",
                (ChooserKind::Save, Some(_)) => "Replace",
                (ChooserKind::Folder, _) => "Choose",
            };
            is_confirmed |= ui.add(Button::new(RichText::new(name).strong())).clicked();
            is_cancelled = ui.button("Cancel").clicked();
        });
        match chosen {
            _ if is_cancelled => FileChoice::Nothing,
            Some(path) => FileChoice::Path(path),
            None if is_confirmed => self.confirm(),
            None => FileChoice::NotYet,
        }
    }

    /// Draws the path of the folder, and buttons that open other folders.
    fn places(&mut self, ui: &mut Ui) {
        let mut to = None;
        ui.horizontal_wrapped(|ui| {
            let above = self.folder.parent().map(Path::to_owned);
            if ui.add_enabled(above.is_some(), Button::new("Up")).on_hover_text("Parent folder").clicked() {
                to = above;
            }
            for (name, place) in [("Home", std::env::home_dir()), ("Here", std::env::current_dir().ok())] {
                if let Some(place) = place
                    && ui.button(name).on_hover_text(place.display().to_string()).clicked()
                {
                    to = Some(place);
                }
            }
            ui.add(egui::Label::new(self.folder.display().to_string()).truncate());
        });
        if let Some(folder) = to {
            self.enter(folder);
        }
    }

    /// Draws the list of entries. If the dialog opens files, returns the file that the user
    /// double-clicked. A double click on a folder opens the folder.
    fn list(&mut self, ui: &mut Ui) -> Option<PathBuf> {
        let entries = match &self.entries {
            Ok(entries) => entries,
            Err(why) => {
                ui.colored_label(tone_colour(ui, Tone::Bad), why.to_string());
                return None;
            }
        };
        let (mut clicked, mut chosen) = (None, None);
        let height = (ui.available_height() - 110.0).max(80.0);
        ScrollArea::vertical().id_salt(&self.folder).max_height(height).auto_shrink(false).show(ui, |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Truncate);
            if entries.is_empty() {
                let has_files = self.kind != ChooserKind::Folder;
                ui.weak(if has_files { "No matching files." } else { "No folders here." });
            }
            for entry in entries {
                let name = if entry.is_folder { format!("{}/", entry.name) } else { entry.name.clone() };
                let row = ui.selectable_label(self.typed == entry.name, name);
                if row.double_clicked() {
                    chosen = Some((entry.path.clone(), entry.is_folder));
                } else if row.clicked() {
                    clicked = Some(entry.name.clone());
                }
            }
        });
        if let Some(name) = clicked {
            (self.typed, self.why_not, self.replaces) = (name, None, None);
        }
        match chosen {
            Some((folder, true)) => {
                self.enter(folder);
                None
            }
            Some((file, false)) if self.kind == ChooserKind::Open => Some(file),
            _ => None,
        }
    }

    /// Goes to a folder and reads its entries.
    fn enter(&mut self, folder: PathBuf) {
        (self.why_not, self.replaces) = (None, None);
        let read = fs::list(&folder);
        let read = read.map_err(|error| ShownError::new(format!("{} cannot be read: {error}", folder.display())));
        self.entries = read.map(|found| {
            let mut entries: Vec<FolderEntry> =
                found.iter().take(MAX_ENTRIES).filter_map(|entry| self.entry(&entry.path)).collect();
            entries.sort_by_key(|entry| (!entry.is_folder, entry.name.to_lowercase()));
            entries
        });
        if self.kind != ChooserKind::Save {
            self.typed.clear();
        }
        self.folder = folder;
    }

    /// Returns the entry for a path; `None` if the path is hidden, or is a file that the dialog
    /// does not offer.
    fn entry(&self, path: &Path) -> Option<FolderEntry> {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let is_folder = fs::is_dir(path);
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_wanted = is_folder || self.kind != ChooserKind::Folder && self.endings.contains(&ending);
        (is_wanted && !name.starts_with('.')).then(|| FolderEntry { name, path: path.to_owned(), is_folder })
    }

    /// Returns the path that the user typed. `~/` stands for the home folder. Other relative paths
    /// begin in the shown folder.
    fn path(&self) -> PathBuf {
        let typed = self.typed.trim();
        match typed.strip_prefix('~').map(|below| below.trim_start_matches('/')).zip(std::env::home_dir()) {
            Some((below, home)) => home.join(below),
            None => self.folder.join(typed),
        }
    }

    /// Chooses the typed path, or shows the reason why it cannot be chosen. If the dialog asks for
    /// a file and the path is a folder, opens the folder.
    fn confirm(&mut self) -> FileChoice {
        let path = self.path();
        let (is_folder, is_there) = (fs::is_dir(&path), fs::exists(&path));
        self.takes_focus = true;
        let why_not = match self.kind {
            ChooserKind::Folder if is_folder => return FileChoice::Path(path),
            ChooserKind::Open | ChooserKind::Save if is_folder && !self.typed.trim().is_empty() => {
                self.enter(path);
                self.typed.clear();
                return FileChoice::NotYet;
            }
            _ if self.typed.trim().is_empty() => "type a name, or choose a file above".to_owned(),
            ChooserKind::Folder => format!("there is no folder {}", path.display()),
            ChooserKind::Open if is_there => return FileChoice::Path(path),
            ChooserKind::Open => format!("there is no file {}", path.display()),
            ChooserKind::Save if !path.parent().is_some_and(fs::is_dir) => {
                format!("the folder for {} does not exist", path.display())
            }
            ChooserKind::Save if !is_there || self.replaces.as_ref() == Some(&path) => return FileChoice::Path(path),
            ChooserKind::Save => {
                self.replaces = Some(path.clone());
                format!("{} already exists: Replace overwrites it", path.display())
            }
        };
        self.why_not = Some(why_not);
        FileChoice::NotYet
    }
}
