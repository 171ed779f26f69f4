//! The tabs of open files.

use egui::{RichText, Ui};

use super::open_file::OpenFile;

/// The action that a click on the tabs requests.
pub enum TabAction {
    /// Show the file with this index.
    Show(usize),
    /// Close the file with this index.
    Close(usize),
}

/// Draws the tabs of open files. Returns the action that the user's click requests, if any.
pub fn show(ui: &mut Ui, files: &[OpenFile], active: usize) -> Option<TabAction> {
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (i, file) in files.iter().enumerate() {
            let path = file.document.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let unsaved = if file.document.is_changed() { "* " } else { "" };
            let text = RichText::new(format!("{unsaved}{} / {name}", file.mod_id()));
            let about = format!("{}{}", table::shown_path(path), if unsaved.is_empty() { "" } else { "\nnot saved" });
            let tab = ui.selectable_label(i == active, text).on_hover_text(about);
            if tab.clicked() {
                chosen = Some(TabAction::Show(i));
            }
            if tab.middle_clicked() {
                chosen = Some(TabAction::Close(i));
            }
            let close = ui.add(egui::Button::new("×").frame(false).small()).accessible_name(format!("Close {name}"));
            if close.on_hover_text(format!("Close {name}")).clicked() {
                chosen = Some(TabAction::Close(i));
            }
            ui.add_space(6.0);
        }
    });
    chosen
}
