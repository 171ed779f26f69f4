//! The tiles of all mods as pictures. The user can draw a tile in the game, open it, or copy it.

use egui::{
    Align2, Button, Color32, FontId, Rect, RichText, Role, ScrollArea, Sense, Stroke, Ui, Vec2, WidgetInfo, vec2,
};
use table::{Facing, TileIdx, TilesView};

use super::shelf_view::{ModTilesView, TileLook};
use crate::actions::{Action, TilesAction};
use crate::command::Command;
use crate::notifications::Tone;
use crate::panels::widgets::{action_button, paint_picture, paint_truncated, pluralized, search_field};
use crate::ui_context::UiContext;

/// The side of a tile, in points.
const SIDE: f32 = 46.0;
/// The side of the selected tile, in points.
const SELECTED_SIDE: f32 = 72.0;

/// The state of the tab with all tiles: the search and the selected tile.
#[derive(Default)]
pub struct Browser {
    text: String,
    one_facing: bool,
    only_played: bool,
    /// The selected tile: the id of its mod, and its name.
    chosen: Option<(String, String)>,
}

/// The user's choice about the selected tile.
pub enum BrowserChoice {
    /// Open the tile in the designer.
    Open,
    /// Copy the tile into the mod for new tiles.
    Copy,
}

/// A choice about a tile of a mod.
pub struct ChosenTile {
    /// The mod of the tile.
    pub view: ModTilesView,
    /// The tile.
    pub tile: TileIdx,
    /// The id of the tile in its mod.
    pub id: String,
    /// The choice.
    pub choice: BrowserChoice,
}

impl Browser {
    /// Selects the tile called `name` of the mod `mod_id`.
    pub fn choose(&mut self, mod_id: String, name: String) {
        self.chosen = Some((mod_id, name));
    }

    /// Shows all tiles of `shelves`. `target` is the title of the mod for new tiles. Returns the
    /// user's choice about the selected tile, if any.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        cx: &mut UiContext<'_>,
        shelves: &[ModTilesView],
        target: Option<&str>,
    ) -> Option<ChosenTile> {
        self.filters(ui);
        let choice = self.selected_tile(ui, cx, shelves, target);
        let needle = self.text.trim().to_lowercase();
        let (mut chosen, mut n_shown) = (None, 0);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            for view in shelves.iter().filter(|it| it.shelf.is_played || !self.only_played) {
                let looks = view.shelf.tiles.iter().zip(view.looks.iter());
                let tiles: Vec<(TileIdx, usize)> = looks
                    .filter(|(_, look)| matches_search(look, &needle))
                    .map(|(tile, look)| (*tile, look.n_facings))
                    .collect();
                if tiles.is_empty() && (view.shelf.error.is_none() || !needle.is_empty()) {
                    continue;
                }
                n_shown += tiles.len();
                heading(ui, view, tiles.len());
                ui.horizontal_wrapped(|ui| {
                    ui.spacing_mut().item_spacing = vec2(10.0, 6.0);
                    for (tile, n_facings) in tiles {
                        let n_facings = if self.one_facing { 1 } else { n_facings };
                        if cell(ui, cx, view, tile, n_facings, self.chosen.as_ref()) {
                            let name = view.tile_set().map(|tile_set| tile_set.tile(tile).name.clone());
                            chosen = Some((view.shelf.id.clone(), name.unwrap_or_default()));
                        }
                    }
                });
                ui.add_space(6.0);
            }
            if n_shown == 0 {
                let text = if shelves.is_empty() { "Reading the mods…" } else { "No matching tiles." };
                ui.weak(text);
            }
        });
        if let Some(chosen) = chosen {
            self.chosen = if self.chosen.as_ref() == Some(&chosen) { None } else { Some(chosen) };
        }
        choice
    }

    fn filters(&mut self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            let search = search_field(&mut self.text, "CFRR, an id or a tag").desired_width(150.0);
            ui.add(search)
                .on_hover_text("Edges clockwise in letters (CFRR, or just RR), a part of an id, or a tag.")
                .accessible_name("Find tiles");
            let mut all = !self.one_facing;
            ui.toggle_value(&mut all, "all facings")
                .on_hover_text("Show each tile in every rotation that looks different.");
            self.one_facing = !all;
            ui.toggle_value(&mut self.only_played, "mods in play only")
                .on_hover_text("Only tiles of mods in this game.");
        });
    }

    /// Draws the selected tile, and buttons for its actions. Returns the user's choice, if any.
    fn selected_tile(
        &self,
        ui: &mut Ui,
        cx: &mut UiContext<'_>,
        shelves: &[ModTilesView],
        target: Option<&str>,
    ) -> Option<ChosenTile> {
        let found = self.chosen.as_ref().and_then(|(mod_id, name)| {
            let view = shelves.iter().find(|it| it.shelf.id == *mod_id)?;
            Some((view, view.tile_set()?, view.tile_set()?.tile_named(name)?, name))
        });
        let Some((view, tile_set, tile, name)) = found else {
            ui.weak("Click a tile to draw it now, to open it, or to copy it.");
            return None;
        };
        let mut choice = None;
        let id = name.split_once('/').map_or(name.as_str(), |(_, id)| id);
        ui.horizontal(|ui| {
            for facing in Facing::ALL.into_iter().take(workshop::n_distinct_facings(tile_set.tile(tile))) {
                let (rect, _) = ui.allocate_exact_size(Vec2::splat(SELECTED_SIDE), Sense::hover());
                let texture = view.picture(ui.ctx(), cx.pictures, tile, facing, SELECTED_SIDE);
                paint_picture(ui.painter(), texture, rect, Color32::WHITE);
            }
            ui.vertical(|ui| {
                let tiles = TilesView::of(tile_set);
                let pattern = tiles.edge_pattern(tile);
                let n = view.shelf.n_copies(tile);
                ui.horizontal_wrapped(|ui| {
                    ui.strong(name);
                    ui.weak(format!("{pattern} · {} · {}", pluralized(n, "copy", "copies"), view.shelf.title));
                });
                let tags: Vec<String> = tiles.tags(tile).iter().map(table::TagView::label).collect();
                let zones: Vec<String> =
                    tiles.zones(tile, Facing::default()).into_iter().map(|zone| zone.name).collect();
                let tags = if tags.is_empty() { String::new() } else { format!(" · {}", tags.join(", ")) };
                let text = format!("{}{tags}", zones.join(", "));
                ui.add(egui::Label::new(RichText::new(text).weak()).truncate());
                choice = ui.horizontal_wrapped(|ui| buttons(ui, cx, view, name, target)).inner;
            });
        });
        ui.separator();
        choice.map(|choice| ChosenTile { view: view.clone(), tile, id: id.to_owned(), choice })
    }
}

/// Draws the buttons for the tile called `name`, and returns the user's choice, if any.
fn buttons(
    ui: &mut Ui,
    cx: &mut UiContext<'_>,
    view: &ModTilesView,
    name: &str,
    target: Option<&str>,
) -> Option<BrowserChoice> {
    let mut choice = None;
    let can_be_drawn = view.shelf.is_played && !cx.session.view().is_over();
    let about = "Draw this tile instead of the one drawn this turn. The moves after that draw are undone.";
    let why_not = match view.shelf.is_played {
        true => "The game is over.",
        false => "Not in this game: switch its mod on in Mods first.",
    };
    let draw = ui.add_enabled(can_be_drawn, Button::new(format!("Draw {name} now")));
    if draw.on_hover_text(about).on_disabled_hover_text(why_not).clicked() {
        cx.request_action(Action::DrawTile(name.to_owned()));
        cx.request_action(Action::Tiles(TilesAction::ShowBoard));
    }
    if view.is_locked {
        let about = "Change the mod until the window closes. Restore mods… in the Mods menu undoes changes.";
        action_button(ui, cx, "Allow changes", about, Action::AllowChanges(view.shelf.folder.clone()));
    }
    let open = ui.add_enabled(view.can_change(), Button::new("Open in the designer"));
    let why_not = match view.is_locked {
        true => "Bundled mod: copy the tile into your own mod.",
        false => "This mod is read-only: copy the tile into your own mod.",
    };
    let about = "Change this tile. Saving it writes its file.";
    if open.on_hover_text(about).on_disabled_hover_text(why_not).clicked() {
        choice = Some(BrowserChoice::Open);
    }
    let text = target.map_or_else(|| "New mod for a copy…".to_owned(), |title| format!("Copy into {title}"));
    let about = match target {
        Some(_) => "Starts a new tile as a copy of this one.",
        None => "Makes a mod of your own, into which you can then copy this tile.",
    };
    if ui.button(text).on_hover_text(about).clicked() {
        match target {
            Some(_) => choice = Some(BrowserChoice::Copy),
            None => cx.request_command(Command::NewMod),
        }
    }
    choice
}

fn matches_search(look: &TileLook, needle: &str) -> bool {
    needle.is_empty() || look.words.contains(needle) || table::is_part_of_pattern(&look.pattern, needle)
}

fn heading(ui: &mut Ui, view: &ModTilesView, n: usize) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(&view.shelf.title).strong());
        let state = if view.shelf.is_played { "in play" } else { "not in play" };
        ui.weak(format!("{} · {state}", pluralized(n, "kind of tile", "kinds of tiles")));
        if !view.can_change() {
            ui.weak("· read-only").on_hover_text("Copy a tile into a mod of your own to change it.");
        }
        if let Some(error) = &view.shelf.error {
            ui.colored_label(crate::style::tone_colour(ui, Tone::Bad), "cannot be loaded").on_hover_text(error);
        }
    });
}

/// Draws a tile at its first `n_facings` facings. Returns whether the user clicked it.
fn cell(
    ui: &mut Ui,
    cx: &mut UiContext<'_>,
    view: &ModTilesView,
    tile: TileIdx,
    n_facings: usize,
    chosen: Option<&(String, String)>,
) -> bool {
    let Some(tile_set) = view.tile_set() else { return false };
    let name = &tile_set.tile(tile).name;
    let size = vec2(n_facings as f32 * (SIDE + 2.0) - 2.0, SIDE + 15.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    if !ui.is_rect_visible(rect) {
        return false;
    }
    let n = view.shelf.n_copies(tile);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Tile {name}")));
    for (i, facing) in Facing::ALL.into_iter().take(n_facings).enumerate() {
        let at = rect.min + vec2(i as f32 * (SIDE + 2.0), 0.0);
        let texture = view.picture(ui.ctx(), cx.pictures, tile, facing, SIDE);
        paint_picture(ui.painter(), texture, Rect::from_min_size(at, Vec2::splat(SIDE)), Color32::WHITE);
    }
    let pictures = Rect::from_min_size(rect.min, vec2(size.x, SIDE));
    let is_chosen = chosen.is_some_and(|(mod_id, chosen)| *mod_id == view.shelf.id && chosen == name);
    if is_chosen || response.hovered() {
        let stroke = Stroke::new(2.0, ui.visuals().selection.stroke.color);
        ui.painter().rect_stroke(pictures.expand(1.0), 2.0, stroke, egui::StrokeKind::Outside);
    }
    let id = name.split_once('/').map_or(name.as_str(), |(_, id)| id);
    let (text, font, colour) = (format!("{id} ×{n}"), FontId::proportional(11.0), ui.visuals().weak_text_color());
    paint_truncated(ui.painter(), rect.left_bottom(), Align2::LEFT_BOTTOM, &text, font, colour, size.x);
    response.on_hover_text(format!("{name}: {}", pluralized(n, "copy", "copies"))).clicked()
}
