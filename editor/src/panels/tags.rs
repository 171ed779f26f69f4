//! Tags of tiles and zones as people see them: an icon and a word each.

use board::{TagIdx, TileIdx, TileSet};
use egui::{Color32, RichText, Sense, Ui, Vec2};

use super::widgets::paint_picture;
use crate::pictures::What;
use crate::ui_context::UiContext;

/// A tag with its word or number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TagShown {
    /// Its name.
    pub tag: String,
    /// Its word, for tags with words.
    pub word: Option<String>,
    /// Its number; 1 for what is just there.
    pub number: i32,
}

impl TagShown {
    /// The tag in words: `shield`, `shield × 2`, `wine`.
    pub fn words(&self) -> String {
        let name = self.word.as_ref().unwrap_or(&self.tag).replace('_', " ");
        if self.number == 1 { name } else { format!("{name} × {}", self.number) }
    }
}

fn put(shown: &mut Vec<TagShown>, tile_set: &TileSet, tag: TagIdx, word: Option<usize>, number: i32) {
    let declared = tile_set.tag(tag);
    let word = word.and_then(|w| declared.values.get(w).cloned());
    if number == 0 {
        return;
    }
    match shown.iter_mut().find(|s| s.tag == declared.name && s.word == word) {
        Some(there) => there.number += number,
        None => shown.push(TagShown { tag: declared.name.clone(), word, number }),
    }
}

/// The tags of one zone of a tile.
pub fn tags_of_zone(tile_set: &TileSet, tile: TileIdx, zone: usize) -> Vec<TagShown> {
    let mut shown = Vec::new();
    for tag in tile_set.tile(tile).zones.get(zone).map_or(&[][..], |z| &z.tags) {
        if let Some(column) = tile_set.columns.get(tag.column.0 as usize) {
            put(&mut shown, tile_set, column.tag, column.value.map(usize::from), tag.value);
        }
    }
    shown
}

/// The tags of a tile and of all its zones, those of the whole tile first.
pub fn tags_of_tile(tile_set: &TileSet, tile: TileIdx) -> Vec<TagShown> {
    let mut shown = Vec::new();
    for (tag, value) in &tile_set.tile(tile).tags {
        if tile_set.tag(*tag).values.is_empty() {
            put(&mut shown, tile_set, *tag, None, *value);
        } else {
            put(&mut shown, tile_set, *tag, usize::try_from(*value).ok(), 1);
        }
    }
    for zone in 0..tile_set.tile(tile).zones.len() {
        for tag in tags_of_zone(tile_set, tile, zone) {
            match shown.iter_mut().find(|s| s.tag == tag.tag && s.word == tag.word) {
                Some(there) => there.number += tag.number,
                None => shown.push(tag),
            }
        }
    }
    shown
}

/// Draws tags one after the other: icon and words.
pub fn tags_ui(ui: &mut Ui, cx: &mut UiContext<'_>, tags: &[TagShown]) {
    let theme = cx.session.loaded().theme().clone();
    // What is not to be seen on a tile is only for the rules.
    for tag in tags.iter().filter(|t| theme.shows_tag(&t.tag)) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(16.0), Sense::hover());
            let texture = cx.pictures.get(ui.ctx(), What::Tag(tag.tag.clone(), tag.word.clone()), 16.0);
            if texture.is_some() {
                paint_picture(ui.painter(), texture, rect, Color32::WHITE);
            }
            let words = tag.words();
            let label = egui::Label::new(RichText::new(&words).small()).truncate();
            ui.add(label).on_hover_text(format!("{words} (tag {})", tag.tag));
        });
    }
}
