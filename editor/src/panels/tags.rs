//! Tags of tiles and zones, each with an icon and a word.

use egui::{Color32, Id, Label, RichText, Sense, Ui, Vec2};
use table::{Snapshot, TagView, TileIdx};

use super::widgets::{cached, paint_picture};
use crate::pictures::PictureSubject;
use crate::ui_context::UiContext;

/// Draws tags one below the other, each as an icon and a word.
pub fn tags_ui(ui: &mut Ui, cx: &mut UiContext<'_>, tags: &[TagView]) {
    let theme = cx.session.loaded().theme().clone();
    // Skips tags that only rules use, because tiles do not show them.
    for tag in tags.iter().filter(|t| theme.shows_tag(&t.tag)) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(16.0), Sense::hover());
            let texture = cx.pictures.get(ui.ctx(), PictureSubject::Tag(tag.tag.clone(), tag.word.clone()), 16.0);
            if texture.is_some() {
                paint_picture(ui.painter(), texture, rect, Color32::WHITE);
            }
            let words = tag.label();
            let label = Label::new(RichText::new(&words).small()).truncate();
            let about = meaning(cx.session, tag).map_or_else(String::new, |about| format!("\n{about}"));
            ui.add(label).on_hover_text(format!("{words} (tag {}){about}", tag.tag));
        });
    }
}

/// Draws the meanings of the tags of the drawn tile `tile` that no laid tile has. A player can thus
/// read about a tag when it appears for the first time.
pub fn new_tags(ui: &mut Ui, cx: &mut UiContext<'_>, tile: TileIdx) {
    let id = Id::unique("new tags of the drawn tile");
    let session = cx.session;
    let lines = cached(ui.ctx(), id, session, || new_tags_of(session, tile));
    for line in lines.iter() {
        ui.add(Label::new(RichText::new(line).weak()).wrap());
    }
}

/// Returns a line with the meaning of each visible tag of `tile` that no laid tile has.
fn new_tags_of(session: &Snapshot, tile: TileIdx) -> Vec<String> {
    let (view, theme) = (session.view(), session.loaded().theme());
    let declared = view.tiles_declared();
    let is_laid = |tag: &TagView| {
        let mut laid = view.tiles().into_iter();
        laid.any(|placed| declared.tags(placed.tile).iter().any(|it| it.tag == tag.tag))
    };
    let tags = declared.tags(tile);
    let new = tags.iter().filter(|tag| theme.shows_tag(&tag.tag) && !is_laid(tag));
    new.filter_map(|tag| Some(format!("New: {}. {}", tag.label(), meaning(session, tag)?))).collect()
}

/// Returns the meaning of a tag, if its mod explains it.
fn meaning<'s>(session: &'s Snapshot, tag: &TagView) -> Option<&'s str> {
    let declared = session.view().tile_set().tags.iter().find(|it| it.name == tag.tag)?;
    Some(declared.about.as_str()).filter(|about| !about.is_empty())
}
