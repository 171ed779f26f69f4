//! The form in which the user declares a new kind of land. The sketch of new tiles and the tab of
//! looks both show it.

use egui::{Button, Key, TextEdit, Ui};
use workshop::EdgeStyle;

use super::ModTilesView;
use crate::actions::{Action, Declaration, TilesAction};
use crate::panels::widgets::{declared_name, name_problem, why_not_name};
use crate::ui_context::UiContext;

/// The edge styles with their names and descriptions for players.
const STYLES: [(EdgeStyle, &str, &str); 4] = [
    (EdgeStyle::Full, "area", "Fills edges of tiles, like a city."),
    (EdgeStyle::Line, "line", "Crosses the middle of edges, like a road."),
    (EdgeStyle::Inside, "centre", "Lies inside a tile and reaches no edge, like a cloister."),
    (EdgeStyle::Ground, "ground", "Fills the space that other land leaves, like a field."),
];

/// The form for a new kind of land.
pub struct NewLand {
    is_open: bool,
    name: String,
    style: EdgeStyle,
}

impl Default for NewLand {
    fn default() -> NewLand {
        NewLand { is_open: false, name: String::new(), style: EdgeStyle::Full }
    }
}

impl NewLand {
    /// Draws the button that opens or closes the form.
    pub fn button(&mut self, ui: &mut Ui) {
        let about = "Add a kind of land to this mod. It gets a colour and a pattern of its own.";
        if ui.add(Button::new("New land…").selected(self.is_open)).on_hover_text(about).clicked() {
            self.is_open = !self.is_open;
        }
    }

    /// Draws the form if it is open. Returns the name and the edge style of the kind that the user
    /// declares.
    pub fn form(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, view: &ModTilesView) -> Option<(String, EdgeStyle)> {
        let catalogue = view.shelf.catalogue.as_ref().filter(|_| self.is_open)?;
        let mut is_declared = false;
        ui.horizontal_wrapped(|ui| {
            for (style, name, about) in STYLES {
                ui.selectable_value(&mut self.style, style, name).on_hover_text(about);
            }
        });
        let why_not = ui.horizontal(|ui| {
            let field = TextEdit::singleline(&mut self.name).hint_text("vineyard").desired_width(90.0);
            let field = ui.add(field).accessible_name("Name of the new land");
            let is_entered = field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
            let name = declared_name(&self.name);
            let set = &catalogue.tile_set;
            let is_taken =
                set.kinds.iter().any(|kind| kind.name == name) || set.tags.iter().any(|tag| tag.name == name);
            let why_not = why_not_name(&name, is_taken);
            let button = ui.add_enabled(why_not.is_none(), Button::new("Add"));
            let about = "Declare the land in mod.toml, with points as for similar land.";
            let button = button.on_hover_text(about).on_disabled_hover_text(why_not.unwrap_or_default());
            button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, why_not.is_none(), "Add the land"));
            is_declared = why_not.is_none() && (is_entered || button.clicked());
            why_not
        });
        name_problem(ui, &self.name, why_not.inner);
        if !is_declared {
            return None;
        }
        let name = declared_name(&std::mem::take(&mut self.name));
        self.is_open = false;
        let land = Declaration::Kind(self.style, view.first_piece_of_others());
        cx.request_action(Action::Tiles(TilesAction::Declare(view.shelf.folder.clone(), name.clone(), land)));
        Some((name, self.style))
    }
}
