//! The window that asks for the name of a new file of a mod, or for the new name of a file.

use egui::{Button, Context, RichText, TextEdit, Ui, vec2};
use platform::fs;
use table::shown_path;
use workshop::mod_files::{FileKind, renamed};
use workshop::why_name_refused;

use crate::app::FileAction;
use crate::ui_context::{Action, UiContext};
use crate::view_state::FileNaming;

/// The window and the typed name.
#[derive(Default)]
pub struct NameFileWindow {
    /// The file for which the name was typed.
    asked: Option<FileNaming>,
    name: String,
}

impl NameFileWindow {
    /// Draws the window, if it is open.
    pub fn show(&mut self, ctx: &Context, cx: &mut UiContext<'_>) {
        let wanted = cx.view_state.windows.name_file.clone();
        let is_new = self.asked != wanted;
        self.asked.clone_from(&wanted);
        let Some(naming) = wanted else { return };
        if is_new {
            self.name = match &naming {
                FileNaming::New(..) => String::new(),
                FileNaming::Rename(_, path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            };
        }
        let title = match &naming {
            FileNaming::New(_, FileKind::Test) => "New test",
            FileNaming::New(..) => "New icon",
            FileNaming::Rename(..) => "Rename file",
        };
        let mut is_open = true;
        super::centred(ctx, title, [400.0, 110.0]).open(&mut is_open).resizable(false).show(ctx, |ui| {
            self.body(ui, cx, &naming, is_new);
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
        let confirms = ui
            .horizontal(|ui| {
                let label = ui.label("Name");
                let field = ui.add(TextEdit::singleline(&mut self.name).desired_width(240.0)).labelled_by(label.id);
                if is_new {
                    field.request_focus();
                }
                ui.weak(path.extension().map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy())));
                field.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter))
            })
            .inner;
        let is_same = matches!(naming, FileNaming::Rename(_, old) if *old == path);
        let problem = match why_name_refused(&self.name) {
            // Shows no message for an empty name, because the field for a new file begins empty.
            Some(_) if self.name.is_empty() => Some(String::new()),
            Some(why) => Some(why.to_owned()),
            None if is_same => Some(String::new()),
            None => fs::exists(&path).then(|| format!("{} exists already", shown_path(&path))),
        };
        ui.add(egui::Label::new(RichText::new(problem.as_deref().unwrap_or_default()).weak()).wrap());
        ui.horizontal(|ui| {
            let button = Button::new(RichText::new(verb).strong()).min_size(vec2(110.0, 28.0));
            let is_clicked = ui.add_enabled(problem.is_none(), button).clicked();
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
}
