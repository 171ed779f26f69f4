//! The page of the help with the rules of mods: contents, tiles with their numbers, and the
//! sections of READMEs that are for players.

use std::path::PathBuf;

use art::TileVariant;
use egui::{Align, Align2, Color32, ComboBox, FontId, RichText, ScrollArea, Sense, Ui, pos2, vec2};
use table::{Facing, ModOnDisk, TileIdx, link_references, player_sections};

use crate::actions::Action;
use crate::command::Command;
use crate::panels::page;
use crate::panels::widgets::{command_button, contains_all, paint_picture, pluralized};
use crate::ui_context::UiContext;

/// The side of a tile, in points.
const TILE_SIDE: f32 = 52.0;

/// A heading of the page: the index of the mod on the page, and the index of the section. The
/// second index is `None` for the title of the mod.
type Heading = (usize, Option<usize>);

/// Returns whether the rules of a mod contain all words of the search.
pub(super) fn matches_search(row: &ModOnDisk, words: &str) -> bool {
    contains_all(words, &[&row.id, &row.title, &row.about, row.readme.as_deref().unwrap_or_default()])
}

/// Draws the page. `shown` is the folder of the mod whose rules the page shows. If `None`, the page
/// shows the rules of all mods in play.
pub(super) fn rules(ui: &mut Ui, cx: &mut UiContext<'_>, words: &str, shown: &mut Option<PathBuf>) {
    let Some(mods) = cx.session.mods_on_disk().cloned() else {
        cx.request_action(Action::LookAtDisk);
        return;
    };
    let fitting: Vec<&ModOnDisk> = mods.iter().filter(|row| matches_search(row, words)).collect();
    let playing = cx.session.view().mods().iter();
    let in_play: Vec<&ModOnDisk> = playing.filter_map(|info| mods.iter().find(|row| row.id == info.id)).collect();
    ui.horizontal_wrapped(|ui| {
        let about = "The rules of the game in play, with its expansions.";
        if ui.selectable_label(shown.is_none(), "This game").on_hover_text(about).clicked() {
            *shown = None;
        }
        let open = mods.iter().find(|row| Some(&row.folder) == shown.as_ref());
        let title = open.map_or("Choose a mod…", |row| row.title.as_str());
        let combo = ComboBox::from_id_salt("mods").selected_text(title).width(180.0).show_ui(ui, |ui| {
            for row in &fitting {
                ui.selectable_value(shown, Some(row.folder.clone()), &row.title).on_hover_text(&row.about);
            }
        });
        combo.response.accessible_name("Rules of a mod");
        ui.separator();
        command_button(ui, cx, Command::Learn.info().name, Command::Learn);
    });
    ui.separator();
    let pages: Vec<&ModOnDisk> = match shown {
        Some(folder) => mods.iter().filter(|row| row.folder == *folder).collect(),
        None if in_play.iter().any(|row| matches_search(row, words)) => in_play,
        None => fitting.into_iter().take(1).collect(),
    };
    if pages.is_empty() {
        ui.weak("No matching mod.");
        return;
    }
    let target = contents(ui, &pages);
    ui.separator();
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        for (i, row) in pages.iter().enumerate() {
            ui.push_id(&row.folder, |ui| rules_of_mod(ui, cx, row, i, target));
        }
    });
}

/// Draws the list of contents. Returns the clicked heading, if any.
fn contents(ui: &mut Ui, pages: &[&ModOnDisk]) -> Option<Heading> {
    let mut clicked = None;
    ui.horizontal_wrapped(|ui| {
        ui.weak("Contents:");
        for (i, row) in pages.iter().enumerate() {
            if pages.len() > 1 && ui.link(RichText::new(&row.title).strong()).clicked() {
                clicked = Some((i, None));
            }
            let readme = row.readme.as_deref().unwrap_or_default();
            for (n, section) in player_sections(readme).iter().enumerate().filter(|(_, it)| !it.title.is_empty()) {
                if ui.link(section.title).clicked() {
                    clicked = Some((i, Some(n)));
                }
            }
        }
    });
    clicked
}

/// Draws the rules of a mod. Scrolls to the heading `target`, if the mod has it.
fn rules_of_mod(ui: &mut Ui, cx: &mut UiContext<'_>, row: &ModOnDisk, number: usize, target: Option<Heading>) {
    let title = ui.heading(&row.title);
    if target == Some((number, None)) {
        title.scroll_to_me(Some(Align::TOP));
    }
    ui.label(&row.about);
    if row.readme.is_none() {
        ui.weak("This mod has no README.md that explains its rules.");
        tiles(ui, cx, row);
    }
    for (n, section) in player_sections(row.readme.as_deref().unwrap_or_default()).iter().enumerate() {
        ui.push_id(n, |ui| {
            if !section.title.is_empty() {
                ui.add_space(6.0);
                let heading = ui.label(RichText::new(section.title).strong().size(16.0));
                if target == Some((number, Some(n))) {
                    heading.scroll_to_me(Some(Align::TOP));
                }
            }
            page(ui, &link_references(&section.text, |_| None));
            if section.title.is_empty() {
                tiles(ui, cx, row);
            }
        });
    }
    ui.add_space(4.0);
    file_links(ui, cx, row);
    ui.separator();
}

/// Draws the tiles of a mod in play, each with its number of copies.
fn tiles(ui: &mut Ui, cx: &mut UiContext<'_>, row: &ModOnDisk) {
    let view = cx.session.view();
    let declared = view.tiles_declared();
    let decks = view.decks().into_iter().enumerate().filter(|(_, deck)| deck.holds_tiles).map(|(i, _)| i);
    let counts: Vec<(TileIdx, usize)> =
        decks.flat_map(|deck| view.tiles_of_deck(deck, None)).map(|count| (count.tile, count.all)).collect();
    let n_copies = |tile| counts.iter().filter(|(it, _)| *it == tile).map(|(_, n)| n).sum::<usize>();
    let own: Vec<(TileIdx, usize)> = declared.of_mod(&row.id).map(|tile| (tile, n_copies(tile))).collect();
    if own.is_empty() {
        return;
    }
    let n_tiles: usize = own.iter().map(|(_, n)| n).sum();
    ui.add_space(4.0);
    let (tiles, kinds) = (pluralized(n_tiles, "tile", "tiles"), pluralized(own.len(), "kind", "kinds"));
    ui.weak(format!("{tiles} of {kinds} in the bag"));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        for (tile, n) in own {
            let (rect, response) = ui.allocate_exact_size(vec2(TILE_SIDE, TILE_SIDE + 16.0), Sense::hover());
            if ui.is_rect_visible(rect) {
                let picture = egui::Rect::from_min_size(rect.min, vec2(TILE_SIDE, TILE_SIDE));
                let (facing, look) = (Facing::default(), TileVariant::default());
                let texture = cx.pictures.tile(ui.ctx(), tile, facing, look, TILE_SIDE);
                paint_picture(ui.painter(), texture, picture, Color32::WHITE);
                let at = pos2(rect.center().x, rect.bottom());
                let colour = ui.visuals().text_color();
                ui.painter().text(at, Align2::CENTER_BOTTOM, format!("{n} ×"), FontId::proportional(12.0), colour);
            }
            let lines = [declared.name(tile).to_owned()].into_iter().chain(declared.tag_lines(tile));
            response.on_hover_text(lines.collect::<Vec<_>>().join("\n"));
        }
    });
    ui.add_space(4.0);
}

/// Draws links to the files of a mod.
fn file_links(ui: &mut Ui, cx: &mut UiContext<'_>, row: &ModOnDisk) {
    ui.horizontal_wrapped(|ui| {
        ui.weak("For authors:");
        for (name, is_there) in
            [("rules.rhai", row.has_script), ("mod.toml", true), ("README.md", row.readme.is_some())]
        {
            if is_there && ui.link(name).clicked() {
                cx.request_action(Action::OpenFile(row.folder.join(name), 1));
            }
        }
    });
}
