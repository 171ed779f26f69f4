//! The window that asks for the name of a new file of a mod, or for the new name of a file.

use std::path::Path;

use egui::{Button, Context, Image, Response, RichText, TextEdit, Ui, Vec2, vec2};
use platform::fs;
use table::shown_path;
use workshop::mod_files::{FileKind, renamed};
use workshop::{builtin_icons, why_name_refused};

use super::place;
use crate::actions::{Action, FileAction, NewIcon};
use crate::panels::icon_list::{icon_list, icon_subject};
use crate::ui_context::UiContext;
use crate::view_state::FileNaming;

/// The height of the list of icons, in points.
const ICONS_HEIGHT: f32 = 190.0;

/// The window and the typed name.
#[derive(Default)]
pub struct NameFileWindow {
    /// The file for which the name was typed.
    asked: Option<FileNaming>,
    name: String,
    /// The built-in icon from which a new icon begins.
    icon: Option<String>,
    /// The search text of the list of icons.
    words: String,
}

impl NameFileWindow {
    /// Draws the window, if it is open.
    pub fn show(&mut self, ctx: &Context, cx: &mut UiContext<'_>) {
        let wanted = cx.view_state.windows.name_file.clone();
        let is_new = self.asked != wanted;
        let Some(naming) = wanted else {
            self.asked = None;
            return;
        };
        if is_new {
            let name = match &naming {
                FileNaming::New(..) => String::new(),
                FileNaming::Rename(_, path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            };
            *self = NameFileWindow { asked: Some(naming.clone()), name, ..NameFileWindow::default() };
        }
        let (title, height) = match &naming {
            FileNaming::New(_, FileKind::Test) => ("New test", 110.0),
            FileNaming::New(..) => ("New icon", 150.0 + ICONS_HEIGHT),
            FileNaming::Rename(..) => ("Rename file", 110.0),
        };
        let mut is_open = true;
        place::centred(ctx, title, [400.0, height]).open(&mut is_open).resizable(false).show(ctx, |ui| match &naming {
            FileNaming::New(folder, FileKind::Icon) => self.icon_body(ui, cx, folder),
            naming => self.body(ui, cx, naming, is_new),
        });
        if !is_open {
            cx.view_state.windows.name_file = None;
        }
    }

    fn body(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, naming: &FileNaming, is_new: bool) {
        let (folder, path, verb) = match naming {
            FileNaming::New(folder, kind) => (folder, kind.path(folder, &self.name), "Create"),
            FileNaming::Rename(folder, path) => (folder, renamed(path, &self.name), "Rename"),
        };
        let field = self.name_field(ui, &path);
        if is_new {
            field.request_focus();
        }
        let confirms = field.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
        let problem = match naming {
            // The name does not change.
            FileNaming::Rename(_, old) if *old == path => Some(String::new()),
            _ => self.problem(&path),
        };
        ui.add(egui::Label::new(RichText::new(problem.as_deref().unwrap_or_default()).weak()).wrap());
        ui.horizontal(|ui| {
            let button = Button::new(RichText::new(verb).strong()).min_size(vec2(110.0, 28.0));
            let button = ui.add_enabled(problem.is_none(), button);
            let is_clicked = button.on_disabled_hover_text("Type a new name first.").clicked();
            if problem.is_none() && (is_clicked || confirms) {
                let name = self.name.clone();
                cx.request_action(Action::Files(match naming {
                    FileNaming::New(_, kind) => FileAction::Create(folder.clone(), *kind, name),
                    FileNaming::Rename(_, old) => FileAction::Rename(folder.clone(), old.clone(), name),
                }));
            }
            if ui.button("Cancel").clicked() {
                cx.view_state.windows.name_file = None;
            }
        });
    }

    /// Draws the content of the window for a new icon: the built-in icons, the name, and two ways
    /// to continue.
    fn icon_body(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, folder: &Path) {
        ui.label("Choose an icon to copy:");
        let chosen = ui.scope(|ui| {
            // A search that finds few icons does not move the fields below.
            ui.set_min_height(ICONS_HEIGHT + ui.spacing().interact_size.y);
            icon_list(ui, cx, &mut self.words, &[], "", ICONS_HEIGHT)
        });
        if let Some(icon) = chosen.inner {
            // The name follows the icon until the user types another name.
            if self.name.is_empty() || self.icon.as_ref() == Some(&self.name) {
                self.name.clone_from(&icon);
            }
            self.icon = Some(icon);
        }
        ui.separator();
        let path = FileKind::Icon.path(folder, &self.name);
        let subject = self.icon.as_deref().and_then(|name| icon_subject(name, &[]));
        ui.horizontal(|ui| {
            if let Some(texture) = subject.and_then(|what| cx.pictures.get(ui.ctx(), what, 24.0)) {
                ui.add(Image::new((texture, Vec2::splat(24.0))));
            }
            self.name_field(ui, &path);
        });
        let problem = self.problem(&path);
        ui.add(egui::Label::new(RichText::new(problem.as_deref().unwrap_or_default()).weak()).wrap());
        ui.horizontal_wrapped(|ui| {
            let why_not = if self.icon.is_none() { "Choose an icon first." } else { "Type a name first." };
            let create = Button::new(RichText::new("Create").strong()).min_size(vec2(110.0, 28.0));
            let create = ui.add_enabled(problem.is_none() && self.icon.is_some(), create);
            let draw = ui.add_enabled(problem.is_none(), Button::new("Draw it as SVG…"));
            let about = "Create the file, and open its text for you to draw in.";
            let draw = draw.on_hover_text(about).on_disabled_hover_text("Type a name first.");
            if create.on_disabled_hover_text(why_not).clicked() || draw.clicked() {
                let builtin = builtin_icons().find(|(name, _)| self.icon.as_deref() == Some(name));
                let icon = NewIcon {
                    name: self.name.clone(),
                    svg: builtin.map(|(_, svg)| svg.into()),
                    opens_text: draw.clicked(),
                };
                cx.request_action(Action::Files(FileAction::CreateIcon(folder.to_owned(), icon)));
            }
            if ui.button("Cancel").clicked() {
                cx.view_state.windows.name_file = None;
            }
        });
    }

    /// Draws the field for the name, followed by the extension of `path`.
    fn name_field(&mut self, ui: &mut Ui, path: &Path) -> Response {
        let row = ui.horizontal(|ui| {
            let label = ui.label("Name");
            let field = ui.add(TextEdit::singleline(&mut self.name).desired_width(220.0)).labelled_by(label.id);
            ui.weak(path.extension().map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy())));
            field
        });
        row.inner
    }

    /// Returns the reason why no file can be created at `path`; empty if the name is empty, because
    /// the field for a new file begins empty. Returns `None` if the file can be created.
    fn problem(&self, path: &Path) -> Option<String> {
        match why_name_refused(&self.name) {
            Some(_) if self.name.is_empty() => Some(String::new()),
            Some(why) => Some(why.to_owned()),
            None => fs::exists(path).then(|| format!("{} exists already", shown_path(path))),
        }
    }
}
