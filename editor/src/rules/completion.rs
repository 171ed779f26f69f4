//! The completion list below the cursor.

use egui::{Align, Area, Color32, Frame, Id, Order, Pos2, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2};
use workshop::rule_text::{Completion, Doc};

use crate::panels::{label_with_code, text_with_code};

/// The maximum number of words shown at once. The user scrolls to see the other words.
const MAX_ROWS: f32 = 8.0;
/// The height of a row with a word, in points.
const ROW_HEIGHT: f32 = 19.0;

/// The offered words and the selected word.
pub struct CompletionList {
    /// The offered words, and the range of the text that a word replaces.
    pub completion: Completion,
    /// The index of the selected word.
    pub selected: usize,
    /// True if the user selected a word or requested the list. Enter then inserts the selected
    /// word. If false, Enter begins a new line.
    pub is_chosen: bool,
    /// True if the list scrolls to the selected word in the next frame.
    shows: bool,
}

impl CompletionList {
    /// Makes a list of the words of a completion; `is_asked` is true if the user requested the
    /// list.
    pub fn new(completion: Completion, is_asked: bool) -> CompletionList {
        CompletionList { completion, selected: 0, is_chosen: is_asked, shows: true }
    }

    /// Selects the next word or, if `is_down` is false, the previous word.
    pub fn move_selection(&mut self, is_down: bool) {
        let n = self.completion.items.len();
        self.selected = (self.selected + if is_down { 1 } else { n - 1 }) % n.max(1);
        self.shows = true;
        self.is_chosen = true;
    }

    /// Draws the list below `at`, or above the line of text if there is no room below. `line` is
    /// the height of a line of text, in points. Beside the list, describes the selected word.
    /// Returns the index of the word that the user clicked, if any.
    pub fn show(&mut self, ui: &Ui, id: Id, at: Pos2, line: f32) -> Option<usize> {
        let mut clicked = None;
        let screen = ui.ctx().content_rect();
        let height = (self.completion.items.len() as f32).min(MAX_ROWS) * ROW_HEIGHT;
        let is_above = at.y + height + 60.0 > screen.bottom();
        let place = if is_above { Pos2::new(at.x, at.y - line - height - 24.0) } else { at };
        let place = Pos2::new(place.x.min(screen.right() - 470.0).max(screen.left()), place.y);
        Area::new(id).order(Order::Foreground).fixed_pos(place).show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).inner_margin(3).show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    clicked = ui.vertical(|ui| self.list(ui, height)).inner;
                    if let Some(item) = self.completion.items.get(self.selected) {
                        ui.vertical(|ui| {
                            ui.set_max_width(250.0);
                            ui.set_max_height(height.max(3.0 * ROW_HEIGHT));
                            short_doc(ui, &item.doc);
                        });
                    }
                });
                let takes = if self.is_chosen { "Tab or Enter inserts it" } else { "Tab inserts it, arrows select" };
                ui.weak(RichText::new(format!("{takes}, Escape closes")).small());
            });
        });
        clicked
    }

    fn list(&mut self, ui: &mut Ui, height: f32) -> Option<usize> {
        let mut clicked = None;
        let scroll = ScrollArea::vertical().id_salt("words").max_height(height).auto_shrink([true, true]);
        scroll.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (i, item) in self.completion.items.iter().enumerate() {
                let (rect, response) = ui.allocate_exact_size(vec2(180.0, ROW_HEIGHT), Sense::click());
                response.widget_info(|| {
                    WidgetInfo::selected(Role::Button, true, i == self.selected, format!("word {}", item.label))
                });
                let fill = match i == self.selected {
                    true => ui.visuals().selection.bg_fill,
                    false if response.hovered() => ui.visuals().faint_bg_color,
                    false => Color32::TRANSPARENT,
                };
                ui.painter().rect_filled(rect, 3.0, fill);
                let (font, colour) = (egui::FontId::monospace(12.5), ui.visuals().text_color());
                let at = rect.left_center() + vec2(5.0, 0.0);
                let painter = ui.painter().with_clip_rect(rect);
                painter.text(at, egui::Align2::LEFT_CENTER, &item.label, font, colour);
                if i == self.selected && self.shows {
                    response.scroll_to_me(Some(Align::Center));
                }
                if response.clicked() {
                    clicked = Some(i);
                }
            }
            self.shows = false;
        });
        clicked
    }
}

/// Draws a short description of a word.
fn short_doc(ui: &mut Ui, doc: &Doc) {
    ui.add(egui::Label::new(RichText::new(&doc.signature).monospace().size(12.0)).wrap());
    ui.weak(RichText::new(&doc.kind).small());
    if !doc.about.is_empty() {
        let about = doc.about.split_inclusive(". ").take(2).collect::<String>();
        let about = text_with_code(&about, 12.0, ui.visuals().text_color());
        ui.add(egui::Label::new(about).wrap());
    }
}

/// Draws the full description of a word.
pub fn full_doc(ui: &mut Ui, doc: &Doc) {
    ui.add(egui::Label::new(RichText::new(&doc.signature).monospace().strong()).wrap());
    ui.weak(&doc.kind);
    if !doc.about.is_empty() {
        label_with_code(ui, &doc.about, false);
    }
    for line in &doc.more {
        label_with_code(ui, line, true);
    }
    if !doc.example.is_empty() {
        Frame::new().fill(ui.visuals().extreme_bg_color).inner_margin(5).corner_radius(3).show(ui, |ui| {
            ui.add(egui::Label::new(RichText::new(&doc.example).monospace().size(12.0)).wrap());
        });
    }
}
