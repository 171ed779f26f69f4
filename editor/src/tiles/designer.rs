//! The designer. It shows one tile large, with its duplicates, problems and text, and draws all of
//! this again after every change.

use std::sync::Arc;

use egui::{Button, Color32, RichText, ScrollArea, Sense, Ui, Vec2, vec2};
use table::{Diagnostic, Facing, RulesChoice, Severity, TileIdx};
use workshop::{
    LookSection, LookSubject, TileDraft, change_tile, n_distinct_facings, neighbours, new_tile_text, rename_tile,
};

use super::TilesPane;
use super::canvas::paint_tile;
use super::document::TileDocument;
use super::shelf_view::{DrawnTiles, ModTilesView};
use crate::actions::{Action, Declaration, TileSaveRequest, TilesAction};
use crate::notifications::Tone;
use crate::panels::widgets::{ButtonIcon, icon_button, paint_picture, pluralized};
use crate::shown_error::ShownError;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// The side of the pictures of the four facings, in points.
const FACING_SIDE: f32 = 52.0;

impl TilesPane {
    /// Draws the designer for the document with this number.
    pub(super) fn design(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, number: u64) {
        let Some(at) = self.documents.iter().position(|it| it.number == number) else { return };
        let Some(mut document) = self.documents.get_mut(at).map(std::mem::take) else { return };
        if std::mem::take(&mut document.is_stale)
            && !document.is_changed()
            && let Some((id, _)) = &document.before
        {
            let (folder, id) = (document.folder.clone(), id.clone());
            cx.request_action(Action::Tiles(TilesAction::LookAgain { number, folder, id }));
        }
        let view = self.mod_view(&document.mod_id).cloned();
        let mut wish = DesignerActions::default();
        match view {
            Some(mut view) if view.shelf.catalogue.is_some() => {
                self.looks.open(cx, &view);
                view.shelf.theme = self.looks.theme(&view.shelf);
                refresh(&mut document, &view, cx);
                bar(ui, cx, &mut document, &view, &mut wish);
                questions(ui, cx, &mut document, &view, &mut wish);
                let room = ui.available_size();
                let side = (room.x * 0.46).min(room.y - 4.0).clamp(190.0, 460.0);
                let down = egui::Layout::top_down(egui::Align::Min);
                ui.horizontal_top(|ui| {
                    ui.allocate_ui_with_layout(vec2(side, room.y), down, |ui| {
                        ScrollArea::vertical().id_salt("left").auto_shrink(false).show(ui, |ui| {
                            let side = (side - 16.0).min(room.y - 130.0).max(150.0);
                            let before = document.zone.clone();
                            super::canvas::canvas(ui, cx, &mut document, &view, side);
                            if document.zone != before
                                && let Some(kind) = document.selected_kind()
                            {
                                self.looks.follow(LookSubject::new(LookSection::Kind, kind));
                            }
                            problems(ui, &document);
                            facings(ui, cx, &mut document);
                        });
                    });
                    ui.separator();
                    ui.allocate_ui_with_layout(ui.available_size(), down, |ui| {
                        ScrollArea::vertical().id_salt("right").auto_shrink(false).show(ui, |ui| {
                            super::properties::properties(ui, &mut document, &view, &mut self.looks);
                            self.looks.show(ui, cx, &document.drawn, &view);
                            text(ui, &mut document, &view);
                            ui.separator();
                            duplicates(ui, &mut document, &view, &mut wish);
                            neighbourhood(ui, cx, &mut document);
                        });
                    });
                });
                if let Some((name, on)) = document.declares.take() {
                    let folder = view.shelf.folder.clone();
                    cx.request_action(Action::Tiles(TilesAction::Declare(folder, name, Declaration::Tag(on))));
                }
                self.save_if_requested(cx, &mut document, &view);
            }
            Some(view) => {
                let why = view.shelf.error.unwrap_or_default();
                let text = format!("{} cannot be loaded now: {why}", view.shelf.title);
                ui.colored_label(tone_colour(ui, Tone::Bad), text);
            }
            None => {
                ui.weak(format!("The mod {} was removed. Your drawing stays here.", document.mod_id));
            }
        }
        if let Some(place) = self.documents.get_mut(at) {
            *place = document;
        }
        if let Some((draft, after)) = wish.new_tile {
            let mod_id = self.documents.get(at).map(|it| it.mod_id.clone()).unwrap_or_default();
            let id = self.free_id(&mod_id, &draft.id);
            self.begin_tile(&mod_id, TileDraft { id, ..draft }, after);
        }
        if wish.closes {
            self.close(number);
        }
    }

    fn save_if_requested(&mut self, cx: &mut UiContext<'_>, document: &mut TileDocument, view: &ModTilesView) {
        if !std::mem::take(&mut document.wants_save) || document.is_saving || !document.is_changed() {
            return;
        }
        if view.is_locked {
            document.error = Some(format!("not saved: {} is a bundled mod and read-only", view.shelf.title));
            return;
        }
        if let Some(problem) = errors(&document.drawn).next() {
            document.error = Some(format!("not saved, because this is not a valid tile: {}", problem.message));
            return;
        }
        save(cx, document, view, false);
    }
}

/// Actions to perform after the designer is drawn.
#[derive(Default)]
struct DesignerActions {
    new_tile: Option<(TileDraft, Option<String>)>,
    closes: bool,
}

fn save(cx: &mut UiContext<'_>, document: &mut TileDocument, view: &ModTilesView, overwrites: bool) {
    document.is_saving = true;
    document.conflict = None;
    let tile = document.to_save(overwrites);
    let wanted = TileSaveRequest { number: document.number, shelf: view.shelf.clone(), tile };
    cx.request_action(Action::Tiles(TilesAction::Save(Box::new(wanted))));
}

fn errors(drawn: &DrawnTiles) -> impl Iterator<Item = &Diagnostic> {
    drawn.preview.problems.iter().filter(|problem| problem.severity == Severity::Error)
}

/// Loads the draft again and makes a new painter for it, if the draft, the mod's declarations, the
/// theme or the palette have changed.
fn refresh(document: &mut TileDocument, view: &ModTilesView, cx: &mut UiContext<'_>) {
    let catalogue = view.shelf.catalogue.as_ref().map_or(0, |it| Arc::as_ptr(it) as usize);
    let addresses = [catalogue, Arc::as_ptr(&view.shelf.theme) as usize];
    let before = document.drawn.painter.clone();
    let draft = &document.draft;
    let drawn = document.drawn.refresh((draft.clone(), addresses, cx.settings.palette.clone()), || {
        DrawnTiles::new(&view.shelf, cx, &[draft])
    });
    let now = drawn.painter.as_ref().map(|it| it.number());
    let shown = document.shown.as_ref().map(|it| it.number());
    if let Some(before) = before.filter(|it| Some(it.number()) != now && Some(it.number()) != shown) {
        cx.pictures.discard_pictures_by(&before);
    }
}

/// Draws the bar with buttons, for example to save, to undo, and to draw this tile in the game.
fn bar(
    ui: &mut Ui,
    cx: &mut UiContext<'_>,
    document: &mut TileDocument,
    view: &ModTilesView,
    wish: &mut DesignerActions,
) {
    ui.horizontal_wrapped(|ui| {
        let can_save = document.is_changed() && !document.is_saving;
        let button = ui.add_enabled(can_save, Button::new(RichText::new("Save tile").strong()));
        let about = "Save to the mod's file (Ctrl+S); the running game reloads.";
        document.wants_save |= button.on_hover_text(about).on_disabled_hover_text("No unsaved changes.").clicked();
        let [can_undo, can_redo] = document.can_undo_redo();
        let about = "Undo the last change to this tile (Ctrl+Z).";
        if icon_button(ui, ButtonIcon::Undo, "Undo in this tile", about, can_undo, 22.0).clicked() {
            document.undo();
        }
        let about = "Redo the last undone change (Ctrl+Shift+Z).";
        if icon_button(ui, ButtonIcon::Redo, "Redo in this tile", about, can_redo, 22.0).clicked() {
            document.redo();
        }
        let name = document.title();
        let is_there = view.shelf.is_played && cx.session.tile_set().tile_named(&name).is_some();
        let can_draw = is_there && !document.is_changed() && !cx.session.view().is_over();
        let button = ui.add_enabled(can_draw, Button::new("Draw it now"));
        let why_not = match () {
            () if !view.shelf.is_played => "Its mod is not in play.",
            () if cx.session.view().is_over() => "The game is over.",
            () => "Save it first.",
        };
        let about = "Draw this tile in the game instead of the one drawn this turn, and show the board.";
        if button.on_hover_text(about).on_disabled_hover_text(why_not).clicked() {
            cx.request_action(Action::DrawTile(name));
            cx.request_action(Action::Tiles(TilesAction::ShowBoard));
        }
        let about = "Add the mod to the running game, which is replayed with it.";
        if !view.shelf.is_played && ui.button("Play with its mod").on_hover_text(about).clicked() {
            let mut chosen = RulesChoice::from_setup(cx.session.setup());
            chosen.mods.push(view.shelf.id.clone());
            cx.request_action(Action::PlayBy(chosen));
        }
        if ui.button("Duplicate").on_hover_text("Start a copy as a new tile, after this one in the file.").clicked() {
            let after = document.before.as_ref().map(|(id, _)| id.clone());
            wish.new_tile = Some((document.draft.clone(), after));
        }
        if document.before.is_some() && ui.button("Delete…").on_hover_text("Delete this tile from its file.").clicked()
        {
            document.is_deleting = true;
        }
        if document.is_changed() {
            ui.weak(if document.before.is_some() { "changed" } else { "not in a file yet" });
        }
    });
}

/// Draws the error, if there is one, and the questions that the user must answer, for example about
/// unsaved changes.
fn questions(
    ui: &mut Ui,
    cx: &mut UiContext<'_>,
    document: &mut TileDocument,
    view: &ModTilesView,
    wish: &mut DesignerActions,
) {
    if let Some(error) = &document.error {
        ui.add(egui::Label::new(RichText::new(error).color(tone_colour(ui, Tone::Bad))).wrap());
    }
    if document.is_closing {
        ui.horizontal_wrapped(|ui| {
            ui.strong("Close this tile? Your changes are not saved.");
            wish.closes |= ui.button("Discard").clicked();
            document.is_closing &= !ui.button("Keep editing").clicked();
        });
    }
    if document.is_deleting {
        ui.horizontal_wrapped(|ui| {
            ui.strong("Delete this tile from its file?");
            if ui.button("Delete it").clicked()
                && let Some(opened) = document.before.clone()
            {
                document.is_deleting = false;
                let (number, folder) = (document.number, document.folder.clone());
                cx.request_action(Action::Tiles(TilesAction::Delete { number, folder, opened: Box::new(opened) }));
            }
            document.is_deleting &= !ui.button("Keep it").clicked();
        });
    }
    if let Some(theirs) = document.conflict.clone() {
        conflict(ui, cx, document, view, theirs);
    }
}

fn conflict(
    ui: &mut Ui,
    cx: &mut UiContext<'_>,
    document: &mut TileDocument,
    view: &ModTilesView,
    theirs: Option<workshop::OpenedTile>,
) {
    let Some(tile_set) = view.tile_set() else { return };
    egui::Frame::group(ui.style()).show(ui, |ui| {
        match &theirs {
            Some(theirs) => {
                ui.strong("Another program changed this tile. Your version is not saved yet.");
                ui.horizontal_wrapped(|ui| ui.monospace(format!("theirs: {}", theirs.text.trim())));
                ui.horizontal_wrapped(|ui| ui.monospace(format!("yours:  {}", file_lines(document, view))));
            }
            None => {
                ui.strong("Another program deleted this tile from its file.");
            }
        }
        ui.horizontal_wrapped(|ui| {
            if let Some(theirs) = &theirs
                && ui.button("Take theirs").on_hover_text("Undo restores your drawing.").clicked()
            {
                document.take_theirs(tile_set, theirs);
            }
            if ui.button("Write mine").on_hover_text("Overwrites the other program's change.").clicked() {
                save(cx, document, view, true);
            }
            if ui.button("Not now").clicked() {
                document.conflict = None;
            }
        });
    });
}

/// Draws the loader's messages about the draft.
fn problems(ui: &mut Ui, document: &TileDocument) {
    for problem in &document.drawn.preview.problems {
        let tone = if problem.severity == Severity::Error { Tone::Bad } else { Tone::Changed };
        let help = problem.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        let text = RichText::new(format!("{}{help}", problem.message)).color(tone_colour(ui, tone));
        ui.add(egui::Label::new(text).wrap());
    }
}

/// Draws the tile at its four facings, and the number of facings that look different.
fn facings(ui: &mut Ui, cx: &mut UiContext<'_>, document: &mut TileDocument) {
    let n = document.drawn.tile_set().and_then(|set| set.tiles.first()).map(n_distinct_facings);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for facing in Facing::ALL {
            let (rect, response) = ui.allocate_exact_size(Vec2::splat(FACING_SIDE), Sense::hover());
            paint_tile(ui, cx, document, rect, facing);
            response.on_hover_text(format!("Turned by {} degrees. R turns the drawing.", facing.degrees()));
        }
    });
    if let Some(n) = n {
        let text =
            if n == 1 { "Looks the same in every rotation.".to_owned() } else { format!("{n} different rotations.") };
        ui.weak(text);
    }
}

/// Lists the duplicates and the mirror images of the tile.
fn duplicates(ui: &mut Ui, document: &mut TileDocument, view: &ModTilesView, wish: &mut DesignerActions) {
    let drawn = document.drawn.clone();
    let Some(set) = drawn.tile_set() else { return };
    let found = &drawn.likes;
    let names = |tiles: &[TileIdx]| {
        let names: Vec<&str> = tiles.iter().take(6).map(|tile| set.tile(*tile).name.as_str()).collect();
        names.join(", ")
    };
    let line = |ui: &mut Ui, text: String| ui.add(egui::Label::new(text).wrap());
    if !found.same.is_empty() {
        line(ui, format!("The same tile exists: {}.", names(&found.same)));
    }
    if found.is_own_mirror {
        ui.weak("It is its own mirror image.");
    } else if !found.mirrored.is_empty() {
        line(ui, format!("Its mirror image is {}.", names(&found.mirrored)));
    } else {
        ui.horizontal_wrapped(|ui| {
            ui.weak("No other tile is its mirror image.");
            let about = "Start a new tile: the mirror image of this one.";
            if ui.small_button("Make it").on_hover_text(about).clicked()
                && let Some(tile_set) = view.tile_set()
            {
                let mut draft = document.draft.clone();
                draft.mirror(tile_set);
                draft.id.push_str("-mirror");
                wish.new_tile = Some((draft, document.before.as_ref().map(|(id, _)| id.clone())));
            }
        });
    }
}

/// Draws the tile on a small board with neighbours that fit.
fn neighbourhood(ui: &mut Ui, cx: &mut UiContext<'_>, document: &mut TileDocument) {
    let drawn = document.drawn.clone();
    let (Some(set), Some(painter)) = (drawn.tile_set(), &drawn.painter) else { return };
    ui.horizontal(|ui| {
        ui.strong("With neighbours");
        if ui.small_button("Others").on_hover_text("Shuffles the neighbours (N).").clicked() {
            document.shuffle_neighbours();
        }
    });
    let laid =
        *document.around.refresh((painter.number(), document.seed), || neighbours(set, TileIdx(0), document.seed));
    let side = (ui.available_width().min(240.0) / 3.0).floor();
    let (all, response) = ui.allocate_exact_size(Vec2::splat(side * 3.0), Sense::hover());
    for (i, place) in laid.into_iter().enumerate() {
        let at = all.min + vec2((i % 3) as f32 * side, (i / 3) as f32 * side);
        let rect = egui::Rect::from_min_size(at, Vec2::splat(side));
        match place {
            Some((tile, facing)) => {
                let texture = cx.pictures.tile_by(ui.ctx(), painter, tile, facing, side);
                paint_picture(ui.painter(), texture, rect, Color32::WHITE);
            }
            None => {
                let stroke = ui.visuals().widgets.noninteractive.bg_stroke;
                ui.painter().rect_stroke(rect.shrink(2.0), 2.0, stroke, egui::StrokeKind::Inside);
            }
        }
    }
    let n = pluralized(laid.iter().flatten().count() - 1, "tile", "tiles");
    response.on_hover_text(format!("{n} around it, chosen at random from the tiles that fit."));
}

/// Returns the lines that saving would write for the tile.
fn file_lines(document: &TileDocument, view: &ModTilesView) -> String {
    let Some(tile_set) = view.tile_set() else { return String::new() };
    let entries = document.draft.entries(tile_set);
    let new = || new_tile_text(&document.draft.id, &entries).0;
    let Some((id, _)) = document.before.as_ref().filter(|_| !document.before_text.is_empty()) else { return new() };
    let is_table = document.before_text.starts_with('[');
    let alone = if is_table { document.before_text.clone() } else { format!("[tile]\n{}", document.before_text) };
    let changes = document.draft.changes_since(tile_set, &document.saved);
    let changed = change_tile(&alone, id, &changes).and_then(|text| match *id == document.draft.id {
        true => Ok(text),
        false => rename_tile(&text, id, &document.draft.id),
    });
    match changed {
        Ok(text) => {
            text.strip_prefix("[tile]\n").filter(|_| !is_table).map(str::to_owned).unwrap_or(text).replace('\r', "")
        }
        Err(_) => new(),
    }
}

/// Draws a field in which the user can edit the text of the tile.
fn text(ui: &mut Ui, document: &mut TileDocument, view: &ModTilesView) {
    let Some(tile_set) = view.tile_set() else { return };
    ui.separator();
    ui.horizontal_wrapped(|ui| {
        ui.strong("Text in the file");
        ui.weak("edit as text").on_hover_text("Comments typed here are not saved; write them in the file.");
    });
    let mut shown = std::mem::take(&mut document.typed);
    let mut typed = shown.refresh(document.draft.clone(), || file_lines(document, view)).clone();
    document.typed = shown;
    let field = egui::TextEdit::multiline(&mut typed).code_editor().desired_rows(2).desired_width(f32::INFINITY);
    if ui.add(field).accessible_name("Text of the tile").changed() {
        document.typed_error = None;
        match parse_typed(&typed) {
            Ok((id, entries)) => {
                document.edit("typed", |draft| *draft = TileDraft::read(tile_set, &id, &entries));
            }
            Err(error) => document.typed_error = Some(error.to_string()),
        }
        // Keeps the text in the field as the user typed it. Without this, the text generated from
        // the draft would replace it.
        document.typed = crate::cached::Cached::default();
        document.typed.refresh(document.draft.clone(), || typed);
    }
    if let Some(error) = &document.typed_error {
        ui.colored_label(tone_colour(ui, Tone::Bad), error);
    }
}

fn parse_typed(typed: &str) -> Result<(String, workshop::Entries), ShownError> {
    let alone = if typed.trim_start().starts_with('[') { typed.to_owned() } else { format!("[tile]\n{typed}") };
    let ids = workshop::tile_ids(&alone).map_err(|error| match error {
        workshop::EditError::NotToml { message, .. } => ShownError::new(format!("not TOML yet: {message}")),
        other => other.into(),
    })?;
    let [id] = &ids[..] else {
        return Err(ShownError::new(format!("write exactly one tile here, not {}", ids.len())));
    };
    let entries = workshop::read_tile(&alone, id).ok().flatten();
    let form = || ShownError::new("write the tile as `id = { ... }`, or as a table `[tile.id]`");
    Ok((id.clone(), entries.ok_or_else(form)?))
}
