//! The window that turns a position into a test: expectations, name and preview.

use std::path::PathBuf;

use egui::{Button, Checkbox, ComboBox, Context, Grid, RichText, ScrollArea, TextEdit, Ui, vec2};
use platform::fs;
use table::{Snapshot, shown_path};
use workshop::{FrozenPosition, TestBeginning, counts_of, file_name_of, free_name, why_name_refused};

use super::place;
use crate::actions::{Action, NewTest, TestAction};
use crate::panels::widgets::{labelled_row, pluralized, request_on_click, signed};
use crate::ui_context::UiContext;

/// The height of the rows above and below the two columns, in points.
const FOOTER_HEIGHT: f32 = 74.0;

/// The window and the user's choices in it.
#[derive(Default)]
pub struct FreezeWindow {
    frozen: Option<FrozenPosition>,
    is_wanted: Vec<bool>,
    beginning: Option<TestBeginning>,
    title: String,
    name: String,
    /// True if the user has typed a name. The name is then no longer derived from the title.
    is_named: bool,
    /// The mods to which the test may belong: the title and folder of each mod.
    places: Vec<(String, PathBuf)>,
    place: usize,
    preview: String,
}

impl FreezeWindow {
    /// Opens the window for a position. Proposes the mod `wanted` for the test, if it is in play;
    /// otherwise, proposes the last mod in load order.
    pub fn begin(&mut self, frozen: FrozenPosition, session: &Snapshot, wanted: Option<&str>) {
        let mods = session.view().mods();
        let wanted = wanted.and_then(|id| mods.iter().find(|info| info.id == id)).map(|info| info.title.clone());
        let titled = mods.iter().enumerate();
        let places: Vec<(String, PathBuf)> =
            titled.filter_map(|(i, info)| Some((info.title.clone(), session.mod_folder(i)?.to_owned()))).collect();
        *self = FreezeWindow {
            is_wanted: frozen.expectations.iter().map(|it| it.is_usual).collect(),
            beginning: Some(frozen.default_beginning()),
            title: frozen.title.clone(),
            place: places
                .iter()
                .position(|(title, _)| Some(title) == wanted.as_ref())
                .unwrap_or(places.len().saturating_sub(1)),
            places,
            frozen: Some(frozen),
            ..FreezeWindow::default()
        };
        self.update_name();
        self.update_preview();
    }

    fn update_name(&mut self) {
        if !self.is_named {
            self.name = match self.places.get(self.place) {
                Some((_, folder)) => free_name(folder, &self.title),
                None => file_name_of(&self.title),
            };
        }
    }

    fn update_preview(&mut self) {
        if let (Some(frozen), Some(beginning)) = (&self.frozen, self.beginning) {
            self.preview = frozen.text(beginning, &self.title, &self.is_wanted);
        }
    }

    /// Draws the window, if it is open.
    pub fn show(&mut self, ctx: &Context, cx: &mut UiContext<'_>) {
        if !cx.view_state.windows.freeze {
            return;
        }
        let mut is_open = true;
        place::centred(ctx, "Freeze this position", [860.0, 520.0]).open(&mut is_open).show(ctx, |ui| {
            let before = (self.is_wanted.clone(), self.beginning, self.title.clone(), self.place);
            let room = vec2(ui.available_width(), (ui.available_height() - FOOTER_HEIGHT).max(120.0));
            Self::turn_label(ui, cx);
            ui.allocate_ui(room, |ui| {
                ui.set_max_height(room.y);
                ui.columns(2, |columns| {
                    let [left, right] = columns else { return };
                    self.fields(left);
                    self.expectation_checkboxes(left);
                    self.text(right);
                });
            });
            self.foot(ui, cx);
            if before != (self.is_wanted.clone(), self.beginning, self.title.clone(), self.place) {
                self.update_name();
                self.update_preview();
            }
        });
        cx.view_state.windows.freeze &= is_open;
    }

    /// Draws the turn of the current position. If points were scored before this position, also
    /// draws a button that goes to the position after the last scoring answer.
    fn turn_label(ui: &mut Ui, cx: &mut UiContext<'_>) {
        let session = cx.session;
        let (line, at) = (session.steps(), session.position_index());
        ui.horizontal(|ui| {
            ui.weak(format!("Current position: turn {}, after {}.", session.turn(), pluralized(at, "move", "moves")));
            let scored = line.get(..at).and_then(|line| line.iter().rposition(|step| !step.awards.is_empty()));
            if let Some((i, step)) = scored.and_then(|i| Some((i, line.get(i)?))).filter(|(i, _)| i + 1 < at) {
                let points: Vec<String> = step
                    .awards
                    .iter()
                    .map(|it| format!("{} {} {}", session.view().name(it.player), signed(it.points), it.reason))
                    .collect();
                let button = ui.button(format!("Use the last scoring turn: {}", step.turn));
                let button = button.on_hover_text(points.join("\n"));
                request_on_click(cx, &button, Action::Tests(TestAction::FreezeAt(i + 1)));
            }
        });
    }

    fn fields(&mut self, ui: &mut Ui) {
        // The labels take the rest of the column.
        let width = (ui.available_width() - 90.0).clamp(120.0, 280.0);
        Grid::new("new test").num_columns(2).spacing([10.0, 6.0]).show(ui, |ui| {
            let field = TextEdit::singleline(&mut self.title).desired_width(width);
            let about = "One sentence, the first line of the file.";
            labelled_row(ui, "Description", |ui| ui.add(field)).on_hover_text(about);
            let chosen = self.places.get(self.place).map_or("", |(title, _)| title.as_str());
            let combo = ComboBox::from_id_salt("mod of the test").selected_text(chosen).width(width);
            let entries = |ui: &mut Ui| {
                for (i, (title, folder)) in self.places.iter().enumerate() {
                    ui.selectable_value(&mut self.place, i, title).on_hover_text(shown_path(folder));
                }
            };
            labelled_row(ui, "Mod", |ui| combo.show_ui(ui, entries).response);
            let field = TextEdit::singleline(&mut self.name).desired_width(width);
            self.is_named |= labelled_row(ui, "File", |ui| ui.add(field)).changed();
            let names = [
                (TestBeginning::Start, "with the first move of the game"),
                (TestBeginning::Position, "with the position before the last turn"),
            ];
            let chosen = names.iter().find(|(it, _)| Some(*it) == self.beginning).map_or("", |(_, name)| name);
            let has_position = self.frozen.as_ref().is_some_and(FrozenPosition::has_position);
            let combo = ComboBox::from_id_salt("beginning").selected_text(chosen).width(width);
            let entries = |ui: &mut Ui| {
                for (beginning, name) in names {
                    let can = beginning == TestBeginning::Start || has_position;
                    let entry = ui.add_enabled_ui(can, |ui| {
                        ui.selectable_value(&mut self.beginning, Some(beginning), name);
                    });
                    entry.response.on_disabled_hover_text("A test cannot describe the position before the last turn.");
                }
            };
            labelled_row(ui, "Begins", |ui| combo.show_ui(ui, entries).response);
        });
    }

    /// Draws the possible expectations as checkboxes.
    fn expectation_checkboxes(&mut self, ui: &mut Ui) {
        let Some(frozen) = &self.frozen else { return };
        ui.separator();
        ui.strong("Expectations");
        ScrollArea::vertical().id_salt("expectations").auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            let mut about = None;
            for (expectation, is_wanted) in frozen.expectations.iter().zip(&mut self.is_wanted) {
                if about != Some(expectation.about) {
                    about = Some(expectation.about);
                    ui.add_space(3.0);
                    ui.weak(expectation.about.name());
                }
                ui.add(Checkbox::new(is_wanted, RichText::new(&expectation.text).monospace().size(12.5)));
            }
        });
    }

    fn text(&self, ui: &mut Ui) {
        ui.strong("Preview");
        let frame = egui::Frame::new().fill(ui.visuals().extreme_bg_color).inner_margin(6).corner_radius(4);
        frame.show(ui, |ui| {
            ScrollArea::both().id_salt("preview").auto_shrink(false).show(ui, |ui| {
                let text = RichText::new(&self.preview).monospace().size(12.0);
                ui.add(egui::Label::new(text).extend().selectable(true));
            });
        });
    }

    fn foot(&self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        ui.add_space(4.0);
        let problem = self.problem();
        ui.horizontal(|ui| {
            let button = Button::new(RichText::new("Write the test").strong()).min_size(vec2(120.0, 28.0));
            if ui.add_enabled(problem.is_none(), button).clicked()
                && let Some((_, folder)) = self.places.get(self.place)
            {
                let (folder, name, text) = (folder.clone(), self.name.clone(), self.preview.clone());
                let new = NewTest { folder, name, text };
                cx.request_action(Action::Tests(TestAction::Write(Box::new(new))));
            }
            let said = problem.unwrap_or_else(|| {
                let (n_answers, n_expected) = counts_of(&self.preview);
                let folder = self.places.get(self.place).map(|(_, folder)| shown_path(&folder.join("tests")));
                let (answers, expected) =
                    (pluralized(n_answers, "move", "moves"), pluralized(n_expected, "expectation", "expectations"));
                format!("{answers}, {expected}, into {}", folder.unwrap_or_default())
            });
            ui.add(egui::Label::new(RichText::new(said).weak()).truncate());
        });
    }

    fn problem(&self) -> Option<String> {
        let Some((_, folder)) = self.places.get(self.place) else {
            return Some("no mod can contain the test: make a mod first".to_owned());
        };
        if let Some(why) = why_name_refused(&self.name) {
            return Some(why.to_owned());
        }
        let file = folder.join("tests").join(format!("{}.game", self.name));
        if fs::exists(&file) {
            return Some(format!("{} already exists", shown_path(&file)));
        }
        let (_, n_expected) = counts_of(&self.preview);
        (n_expected == 0).then(|| "tick at least one expectation, so that the test can fail".to_owned())
    }
}
