//! The search bar of the rule editor.

use std::ops::Range;

use egui::{Key, Ui};

/// The state of the search bar.
#[derive(Clone, Debug, Default)]
pub struct SearchBar {
    /// The search text.
    pub words: String,
    /// True if the search field gets the focus in the next frame.
    pub takes_focus: bool,
    /// True if the search field has the focus.
    pub has_focus: bool,
}

/// A request of the user in the search bar.
pub enum FindRequest {
    /// Go to the next match (true) or to the previous match (false).
    Next(bool),
    /// End the search.
    Close,
}

impl SearchBar {
    /// Returns the byte ranges of the matches in `text`, ignoring the case of ASCII letters.
    /// Returns an empty list if there is no search text.
    pub fn matches(&self, text: &str) -> Vec<Range<usize>> {
        if self.words.is_empty() {
            return Vec::new();
        }
        // Changes only the case of ASCII letters. Other letters may change their length, which
        // would move the matches.
        let (text, words) = (text.to_ascii_lowercase(), self.words.to_ascii_lowercase());
        text.match_indices(&words).map(|(start, found)| start..start + found.len()).collect()
    }

    /// Draws the search bar with the number of matches, `n_found`. Returns the user's request, if
    /// any.
    pub fn show(&mut self, ui: &mut Ui, n_found: usize) -> Option<FindRequest> {
        let mut asked = None;
        ui.horizontal(|ui| {
            let label = ui.label("Find");
            let line = egui::TextEdit::singleline(&mut self.words).desired_width(160.0).hint_text("text");
            let response = ui.add(line).labelled_by(label.id);
            if std::mem::take(&mut self.takes_focus) {
                response.request_focus();
            }
            if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
                asked = Some(FindRequest::Next(!ui.input(|input| input.modifiers.shift)));
                response.request_focus();
            }
            self.has_focus = response.has_focus();
            if ui.small_button("Previous").on_hover_text("Previous match (Shift+Enter)").clicked() {
                asked = Some(FindRequest::Next(false));
            }
            if ui.small_button("Next").on_hover_text("Next match (Enter)").clicked() {
                asked = Some(FindRequest::Next(true));
            }
            match n_found {
                _ if self.words.is_empty() => ui.weak("Enter: next match · Escape: close"),
                0 => ui.weak("no matches"),
                1 => ui.weak("1 match"),
                n => ui.weak(format!("{n} matches")),
            };
            if ui.small_button("Close").clicked() {
                asked = Some(FindRequest::Close);
            }
        });
        asked
    }
}
