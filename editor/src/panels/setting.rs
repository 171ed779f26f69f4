//! A control for the value of a setting.

use egui::{ComboBox, DragValue, TextEdit, Ui};
use table::{SettingValue, SettingView};

/// Draws the name of a setting, without the name of its mod, and the control of its value.
pub fn setting(ui: &mut Ui, declared: &SettingView, value: &mut SettingValue) {
    let (_, short) = declared.name.split_once('.').unwrap_or(("", &declared.name));
    let words = match (value.clone(), declared.name.split_once('/')) {
        (SettingValue::Count(..), Some((id, _))) => match declared.name.ends_with("/*") {
            true => format!("{}: copies of each tile", table::capitalize(&id.replace('-', " "))),
            false => declared.name.clone(),
        },
        (SettingValue::Count(..), None) => table::capitalize(&declared.name.replace('_', " ")),
        _ => table::capitalize(&short.replace('_', " ")),
    };
    let label = ui.label(words).on_hover_text(format!("{}\n({})", declared.about, declared.name));
    if !declared.choices.is_empty() {
        let combo = ComboBox::from_id_salt(&declared.name).selected_text(value.to_string()).show_ui(ui, |ui| {
            for choice in &declared.choices {
                ui.selectable_value(value, choice.clone(), choice.to_string());
            }
        });
        combo.response.labelled_by(label.id);
        return;
    }
    match value {
        SettingValue::Bool(on) => {
            ui.checkbox(on, "").labelled_by(label.id).on_hover_text(&declared.about);
        }
        SettingValue::Int(n) => {
            let (least, most) = declared.range.unwrap_or((i64::MIN, i64::MAX));
            ui.add(DragValue::new(n).range(least..=most)).labelled_by(label.id).on_hover_text(&declared.about);
        }
        SettingValue::Count(_, n) => {
            let (least, most) = declared.range.unwrap_or((0, 1000));
            ui.add(DragValue::new(n).range(least..=most)).labelled_by(label.id).on_hover_text(&declared.about);
        }
        SettingValue::Text(text) => {
            ui.add(TextEdit::singleline(text).desired_width(120.0)).labelled_by(label.id);
        }
    }
}
