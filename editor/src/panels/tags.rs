//! Tags of tiles and zones: an icon and a word each.

use egui::{Color32, RichText, Sense, Ui, Vec2};
use table::TagView;

use super::widgets::paint_picture;
use crate::pictures::PictureSubject;
use crate::ui_context::UiContext;

/// Draws tags one below the other, each as an icon and a word.
pub fn tags_ui(ui: &mut Ui, cx: &mut UiContext<'_>, tags: &[TagView]) {
    let theme = cx.session.loaded().theme().clone();
    // Skips tags that are invisible on a tile, because only rules use them.
    for tag in tags.iter().filter(|t| theme.shows_tag(&t.tag)) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(16.0), Sense::hover());
            let texture = cx.pictures.get(ui.ctx(), PictureSubject::Tag(tag.tag.clone(), tag.word.clone()), 16.0);
            if texture.is_some() {
                paint_picture(ui.painter(), texture, rect, Color32::WHITE);
            }
            let words = tag.words();
            let label = egui::Label::new(RichText::new(&words).small()).truncate();
            ui.add(label).on_hover_text(format!("{words} (tag {})", tag.tag));
        });
    }
}
