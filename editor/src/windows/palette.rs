//! The command palette, in which the user finds a command by typing parts of its name.

use egui::{Align2, Context, Key, Modifiers, RichText, ScrollArea, TextEdit, Ui};

use crate::command::{COMMANDS, CommandInfo};
use crate::ui_context::UiContext;

/// The palette and its search text.
#[derive(Clone, Debug, Default)]
pub struct CommandPalette {
    is_open: bool,
    is_new: bool,
    text: String,
    chosen: usize,
}

impl CommandPalette {
    /// Opens or closes the palette.
    pub fn toggle(&mut self) {
        *self = CommandPalette { is_open: !self.is_open, is_new: true, ..CommandPalette::default() };
    }

    /// Returns whether the palette is open.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Closes the palette.
    pub fn close(&mut self) {
        self.is_open = false;
    }

    /// Draws the palette, if it is open.
    pub fn show(&mut self, ctx: &Context, cx: &mut UiContext<'_>) {
        if !self.is_open {
            return;
        }
        // Keys that move within the list must not reach the text field.
        let (down, up, enter) = ctx.input_mut(|i| {
            let key = |i: &mut egui::InputState, key| i.consume_key(Modifiers::NONE, key);
            (key(i, Key::ArrowDown), key(i, Key::ArrowUp), key(i, Key::Enter))
        });
        let found = matching_commands(&self.text);
        let n = found.len().max(1);
        self.chosen = (self.chosen + usize::from(down) + if up { n - 1 } else { 0 }) % n;
        let mut picked = found.get(self.chosen).copied().filter(|_| enter);
        let screen = ctx.content_rect().size();
        let top = (screen.y * 0.12).min(90.0);
        egui::Window::new("Commands")
            .title_bar(false)
            .resizable(false)
            .anchor(Align2::CENTER_TOP, [0.0, top])
            .fixed_size([460.0, 400.0_f32.min(screen.y - 2.0 * top - 20.0)])
            .show(ctx, |ui| {
                self.field(ui);
                ui.separator();
                ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                    if found.is_empty() {
                        ui.weak("No matching command.");
                    }
                    for (i, info) in found.iter().enumerate() {
                        if row(ui, info, i == self.chosen, (down || up) && i == self.chosen) {
                            picked = Some(info);
                        }
                    }
                });
            });
        if let Some(info) = picked {
            self.close();
            cx.request_command(info.command);
        }
    }

    fn field(&mut self, ui: &mut Ui) {
        let label = ui.label("What do you want to do?");
        let field = TextEdit::singleline(&mut self.text).hint_text("turn, fields, undo …").desired_width(f32::INFINITY);
        let response = ui.add(field).labelled_by(label.id);
        if self.is_new {
            response.request_focus();
            self.is_new = false;
        }
        if response.changed() {
            self.chosen = 0;
        }
    }
}

fn row(ui: &mut Ui, info: &CommandInfo, is_chosen: bool, scrolls: bool) -> bool {
    let key = info.command.key_text(ui.ctx());
    let button = egui::Button::selectable(is_chosen, info.name)
        .right_text(RichText::new(key).weak())
        .min_size(egui::vec2(ui.available_width(), 0.0));
    let response = ui.add(button).on_hover_text(info.about);
    if scrolls {
        response.scroll_to_me(None);
    }
    response.clicked()
}

/// Returns the commands that match `text`, the best match first. Every word of `text` must occur in
/// the name or the description of the command, or begin the name of its menu.
pub fn matching_commands(text: &str) -> Vec<&'static CommandInfo> {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let score = |info: &CommandInfo| -> Option<[bool; 3]> {
        let (name, about) = (info.name.to_lowercase(), info.about.to_lowercase());
        let in_name = |w: &String| name.contains(w.as_str());
        let in_menu = |w: &String| in_name(w) || info.group.name().to_lowercase().starts_with(w.as_str());
        let fits = words.iter().all(|w| in_menu(w) || about.contains(w.as_str()));
        let begins = words.first().is_none_or(|w| name.starts_with(w.as_str()));
        let ranks = [words.iter().all(in_menu), begins, words.iter().all(in_name)];
        fits.then_some(ranks.map(|is_better| !is_better))
    };
    let mut found: Vec<([bool; 3], &CommandInfo)> = COMMANDS.iter().filter_map(|i| Some((score(i)?, i))).collect();
    found.sort_by_key(|(score, _)| *score);
    found.into_iter().map(|(_, info)| info).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_found_by_its_name() {
        for info in COMMANDS {
            assert_eq!(matching_commands(info.name).first().map(|i| i.name), Some(info.name));
        }
        assert_eq!(matching_commands("").len(), COMMANDS.len());
        assert!(matching_commands("no such thing at all").is_empty());
    }
}
