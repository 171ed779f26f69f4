//! The window that creates a mod: its title, id, template and folder.

use std::path::{Path, PathBuf};

use egui::{Button, ComboBox, Context, Grid, Response, RichText, TextEdit, Ui, vec2};
use platform::fs;
use table::{Library, RECIPES, TEMPLATES, Template, is_mod_id, shown_path, title_of};

use super::place;
use crate::actions::{Action, NewModRequest};
use crate::panels::widgets::labelled_row;
use crate::settings::own_mods_folder;
use crate::ui_context::UiContext;

/// The default template.
const DEFAULT_TEMPLATE: &str = "scoring";

/// The window and the typed texts.
#[derive(Default)]
pub struct NewModWindow {
    is_open: bool,
    id: String,
    title: String,
    /// True if the user has typed an id. The id is then no longer derived from the title.
    is_named: bool,
    template: Option<&'static Template>,
    /// The name of the mod's piece or land, if the template has one; empty for the name in the
    /// template.
    subject: String,
    places: Vec<PathBuf>,
    place: usize,
}

/// Returns the id for a title, such as `the-old-mill` for `The Old Mill`.
fn id_of(title: &str) -> String {
    let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

/// Returns the folders of mods, in which a mod can be created or installed: those of the library,
/// and then the user's own folder. `data` is the data folder, which contains the own folder.
pub fn mods_folders(library: &Library, data: Option<&Path>) -> Vec<PathBuf> {
    // A path of the library can also be that of a mod.
    let known = library.paths().iter().filter(|path| !fs::exists(&path.join("mod.toml")));
    let mut folders: Vec<PathBuf> = known.cloned().collect();
    folders.extend(data.map(own_mods_folder).filter(|own| !folders.contains(own)));
    folders
}

/// Draws the choice of one of the folders `places`; `chosen` is its index.
pub(super) fn folder_choice(
    ui: &mut Ui,
    (salt, width): (&str, f32),
    places: &[PathBuf],
    chosen: &mut usize,
) -> Response {
    let shown = places.get(*chosen).map_or_else(String::new, |place| shown_path(place));
    let combo = ComboBox::from_id_salt(salt).selected_text(shown).width(width).show_ui(ui, |ui| {
        for (i, place) in places.iter().enumerate() {
            ui.selectable_value(chosen, i, shown_path(place));
        }
    });
    combo.response
}

impl NewModWindow {
    /// Draws the window, if it is open. `data` is the data folder, in which the mod may be created.
    pub fn show(&mut self, ctx: &Context, cx: &mut UiContext<'_>, data: Option<&Path>) {
        if !cx.view_state.windows.new_mod {
            self.is_open = false;
            return;
        }
        let is_new = !self.is_open;
        if is_new {
            self.begin(cx, data);
        }
        let mut is_open = true;
        place::centred(ctx, "New mod", [480.0, 250.0]).open(&mut is_open).resizable(false).show(ctx, |ui| {
            Grid::new("new mod").num_columns(2).spacing([12.0, 8.0]).show(ui, |ui| self.fields(ui, is_new));
            ui.separator();
            self.foot(ui, cx);
        });
        cx.view_state.windows.new_mod &= is_open;
    }

    fn begin(&mut self, cx: &UiContext<'_>, data: Option<&Path>) {
        let places = mods_folders(cx.session.library(), data);
        let free = (1..).map(|n| if n == 1 { "my-mod".to_owned() } else { format!("my-mod-{n}") });
        let id =
            free.into_iter().find(|id| places.iter().all(|place| !fs::exists(&place.join(id)))).unwrap_or_default();
        let title = title_of(&id);
        let place = places.iter().position(|place| Some(place) == cx.settings.new_mods.as_ref()).unwrap_or_default();
        let template = Template::find(DEFAULT_TEMPLATE);
        *self = NewModWindow { is_open: true, place, id, title, template, places, ..NewModWindow::default() };
    }

    /// Draws the fields. If `is_new` is true, the title gets the focus.
    fn fields(&mut self, ui: &mut Ui, is_new: bool) {
        let field = TextEdit::singleline(&mut self.title).desired_width(240.0);
        let title = labelled_row(ui, "Title", |ui| ui.add(field));
        if is_new {
            title.request_focus();
        }
        if title.changed() && !self.is_named {
            self.id = id_of(&self.title);
        }
        let field = TextEdit::singleline(&mut self.id).desired_width(240.0);
        let about = "Lowercase letters, digits and `-`. Used for the folder and in names of tiles.";
        self.is_named |= labelled_row(ui, "Id", |ui| ui.add(field)).on_hover_text(about).changed();
        let label = ui.label("Template");
        let chosen = self.template.map_or("", |template| template.title);
        ui.vertical(|ui| {
            let combo =
                ComboBox::from_id_salt("template").selected_text(chosen).width(240.0).height(420.0).show_ui(ui, |ui| {
                    self.choices(ui, TEMPLATES);
                    ui.separator();
                    ui.weak("Examples");
                    self.choices(ui, RECIPES);
                });
            combo.response.labelled_by(label.id);
            ui.weak(self.template.map_or("", |template| template.about()));
        });
        ui.end_row();
        if let Some((what, example)) = self.template.and_then(|template| template.subject) {
            let name = if what == "piece" { "Piece" } else { "Land" };
            let about = "The name, singular: lowercase letters, digits and `_`.";
            let field = TextEdit::singleline(&mut self.subject).hint_text(example).desired_width(240.0);
            labelled_row(ui, name, |ui| ui.add(field)).on_hover_text(about);
        }
        labelled_row(ui, "Folder", |ui| folder_choice(ui, ("place", 240.0), &self.places, &mut self.place));
    }

    fn choices(&mut self, ui: &mut Ui, templates: &'static [Template]) {
        for template in templates {
            let is_chosen = self.template.is_some_and(|chosen| chosen.name == template.name);
            if ui.selectable_label(is_chosen, template.title).on_hover_text(template.about()).clicked() {
                self.template = Some(template);
            }
        }
    }

    fn foot(&self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        let problem = self.problem();
        ui.horizontal(|ui| {
            let button = Button::new(RichText::new("Make it").strong()).min_size(vec2(110.0, 28.0));
            if ui.add_enabled(problem.is_none(), button).clicked()
                && let (Some(place), Some(template)) = (self.places.get(self.place), self.template)
            {
                cx.settings.new_mods = Some(place.clone());
                let (id, title) = (self.id.clone(), self.title.trim().to_owned());
                let subject = template.subject.map(|_| self.subject.clone()).filter(|name| !name.is_empty());
                let wanted = NewModRequest { id, title, template, subject, place: place.clone() };
                cx.request_action(Action::MakeMod(Box::new(wanted)));
            }
            let text = problem.unwrap_or_else(|| "The running game continues with the new mod.".to_owned());
            ui.add(egui::Label::new(RichText::new(text).weak()).wrap());
        });
    }

    fn problem(&self) -> Option<String> {
        let Some(place) = self.places.get(self.place) else {
            return Some("there is no folder for mods yet: add one in the panel Mods".to_owned());
        };
        if !is_mod_id(&self.id) {
            return Some("an id has lowercase letters, digits and `-`, and begins with a letter".to_owned());
        }
        if self.title.trim().is_empty() || self.title.contains(['"', '\\', '\n', '{', '}']) {
            return Some("a title must not be empty or contain quotes, braces or backslashes".to_owned());
        }
        let is_name = self.subject.is_empty()
            || self.subject.starts_with(|c: char| c.is_ascii_lowercase())
                && self.subject.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if self.template.is_some_and(|template| template.subject.is_some()) && !is_name {
            return Some("a name has lowercase letters, digits and `_`, and begins with a letter".to_owned());
        }
        let folder = place.join(&self.id);
        fs::exists(&folder).then(|| format!("{} already exists", shown_path(&folder)))
    }
}
