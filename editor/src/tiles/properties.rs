//! Properties of the tile (id, number of copies, start tile, tags) and of the selected zone.

use egui::{Button, DragValue, Grid, TextEdit, Ui};
use table::TileSet;
use workshop::{EdgeStyle, LookSection, LookSubject, ManifestValue, MergeRule, TagCarrier, TagIdx, TileDraft, tags_on};

use super::ModTilesView;
use super::document::TileDocument;
use super::look::LookEditor;
use crate::panels::widgets::{declared_name, grid_row, why_not_name};

/// Draws the properties of the tile and of the selected zone. `looks` shows the look of a tag that
/// the user selects or adds.
pub fn properties(ui: &mut Ui, document: &mut TileDocument, view: &ModTilesView, looks: &mut LookEditor) {
    let Some(tile_set) = view.tile_set() else { return };
    Grid::new("tile").num_columns(2).spacing([10.0, 5.0]).show(ui, |ui| {
        let label = ui.label("Id");
        let mut id = document.draft.id.clone();
        let about = "Letters, digits, `-` and `_`. No other tile of the mod may have this id.";
        let field = ui.add(TextEdit::singleline(&mut id).desired_width(140.0)).labelled_by(label.id);
        if field.on_hover_text(about).changed() {
            document.edit("id", |draft| draft.id = id);
        }
        ui.end_row();
        grid_row(ui, "Count", |ui| count(ui, document));
        grid_row(ui, "Start", |ui| start(ui, document));
    });
    tags(ui, document, tile_set, None, looks);
    ui.separator();
    zone(ui, document, tile_set, looks);
}

fn count(ui: &mut Ui, document: &mut TileDocument) {
    let Some(n) = document.draft.count() else {
        ui.weak("depends on a setting").on_hover_text("Edit it in the tile's text below.");
        return;
    };
    ui.horizontal(|ui| {
        let mut new = n;
        if ui.small_button("−").on_hover_text("Remove one copy (key −).").clicked() {
            new -= 1;
        }
        ui.add(DragValue::new(&mut new).range(0..=1000)).on_hover_text("Copies in the deck.");
        if ui.small_button("+").on_hover_text("Add one copy (key +).").clicked() {
            new += 1;
        }
        if new != n {
            document.edit("count", |draft| draft.set_count(new.max(0)));
        }
    });
}

fn start(ui: &mut Ui, document: &mut TileDocument) {
    let said = document.draft.key("start").cloned();
    let is_plain = matches!(said, None | Some(ManifestValue::Bool(_)));
    let mut is_start = !matches!(said, None | Some(ManifestValue::Bool(false)));
    let about = "On the board when a game starts; uses one copy of the count.";
    let text = if is_plain { "start tile" } else { "replaces another start tile" };
    if ui.add_enabled(is_plain, egui::Checkbox::new(&mut is_start, text)).on_hover_text(about).changed() {
        document.edit("", |draft| draft.set_key("start", is_start.then_some(ManifestValue::Bool(true))));
    }
}

/// Draws the properties of the selected zone.
fn zone(ui: &mut Ui, document: &mut TileDocument, tile_set: &TileSet, looks: &mut LookEditor) {
    let chosen = document.selected_zone();
    let tile = document.drawn.tile_set().and_then(|set| set.tiles.first()).cloned();
    let (Some(zone), Some(tile), Some(name)) = (chosen, tile, document.zone.clone()) else {
        ui.strong("Zone");
        ui.weak("Click a zone of the tile for its tags.");
        return;
    };
    ui.horizontal_wrapped(|ui| {
        ui.strong(format!("Zone {name}"));
        let names: Vec<&str> =
            tile.zones.get(zone).into_iter().flat_map(|zone| zone.ports.iter()).map(workshop::Port::name).collect();
        if !names.is_empty() {
            ui.weak(format!("on {}", names.join(" ")));
        }
    });
    let touched = tile.zones.get(zone).map_or(0, |zone| zone.touches);
    if touched != 0
        && let Some(set) = document.drawn.tile_set()
    {
        let others = (0..tile.zones.len()).filter(|other| touched >> other & 1 == 1);
        let names: Vec<String> =
            others.map(|other| set.zone_name(table::TileIdx(0), table::Facing::default(), other)).collect();
        ui.weak(format!("borders {}", names.join(", ")));
    }
    let Some(written) = document.draft.written_zone(tile_set, &tile, zone) else {
        ui.weak("The engine derives this ground from the drawing.");
        let about = "Write every ground zone of the tile into its text, so that each can have its own tags.";
        if ui.button("Write out the ground").on_hover_text(about).clicked() {
            document.edit("", |draft| draft.write_grounds(tile_set));
        }
        return;
    };
    tags(ui, document, tile_set, Some(written), looks);
    let Some(own) = document.draft.zones.get(written) else { return };
    let is_ground = workshop::edge_style(tile_set, &own.kind) == Some(EdgeStyle::Ground);
    let can_split = own.ports(tile_set).len() > 1 && !is_ground;
    ui.horizontal(|ui| {
        let split = ui.add_enabled(can_split, Button::new("Split"));
        if split.on_hover_text("Split this zone into one zone for each edge.").clicked() {
            document.edit("", |draft| draft.split(tile_set, written));
            document.zone = None;
        }
        if ui.button("Remove").on_hover_text("Remove this zone from the tile.").clicked() {
            document.edit("", |draft| draft.remove_zone(tile_set, written));
            document.zone = None;
        }
    });
}

/// Draws the tags of the whole tile or, if `zone` is given, of this zone of the draft.
fn tags(ui: &mut Ui, document: &mut TileDocument, tile_set: &TileSet, zone: Option<usize>, looks: &mut LookEditor) {
    let on = if zone.is_none() { TagCarrier::Tile } else { TagCarrier::Zone };
    ui.weak(if zone.is_none() { "Tags of the tile" } else { "Tags of the zone" });
    let value = |draft: &TileDraft, tag: TagIdx| {
        let name = &tile_set.tag(tag).name;
        let value = match zone {
            None => draft.key(name),
            Some(zone) => draft.zones.get(zone).and_then(|zone| zone.tag(name)),
        };
        value.cloned()
    };
    let (own, others): (Vec<TagIdx>, Vec<TagIdx>) =
        tags_on(tile_set, on).partition(|tag| value(&document.draft, *tag).is_some());
    let mut change: Option<(&'static str, String, Option<ManifestValue>)> = None;
    for tag in own {
        let now = value(&document.draft, tag).unwrap_or(ManifestValue::Bool(true));
        if let Some(new) = tag_row(ui, tile_set, tag, &now, looks) {
            change = Some(("tag", tile_set.tag(tag).name.clone(), new));
        }
    }
    // Undo removes each added tag of the tile separately.
    let what = if zone.is_none() { "" } else { "tag" };
    let i_typed = usize::from(zone.is_none());
    let mut typed = std::mem::take(&mut document.new_tags[i_typed]);
    match add_tag(ui, tile_set, on, &others, &mut typed) {
        Some(NewTag::Declared(tag)) => {
            let name = tile_set.tag(tag).name.clone();
            looks.follow(LookSubject::new(LookSection::Tag, &name));
            change = Some((what, name, Some(first_value(tile_set, tag))));
            typed.clear();
        }
        Some(NewTag::Unknown(name)) => {
            document.declares = Some((name.clone(), on));
            looks.choose(LookSubject::new(LookSection::Tag, name.clone()));
            change = Some((what, name, Some(ManifestValue::Bool(true))));
            typed.clear();
        }
        None => {}
    }
    document.new_tags[i_typed] = typed;
    if let Some((what, name, value)) = change {
        document.edit(what, |draft| match zone {
            None => draft.set_key(&name, value),
            Some(zone) => {
                if let Some(zone) = draft.zones.get_mut(zone) {
                    zone.set_tag(&name, value);
                }
            }
        });
    }
}

/// Returns the initial value of a tag that the user adds.
fn first_value(tile_set: &TileSet, tag: TagIdx) -> ManifestValue {
    let declared = tile_set.tag(tag);
    match (declared.on, declared.merge) {
        (TagCarrier::Zone, MergeRule::Any | MergeRule::All) => ManifestValue::Bool(true),
        (TagCarrier::Zone, MergeRule::Sum | MergeRule::Max) => ManifestValue::Int(1),
        _ => declared.values.first().map_or(ManifestValue::Bool(true), ManifestValue::text),
    }
}

/// Draws a tag with its value. Returns the new value if the user changes it, `Some(None)` if the
/// user removes the tag, and `None` otherwise.
fn tag_row(
    ui: &mut Ui,
    tile_set: &TileSet,
    tag: TagIdx,
    value: &ManifestValue,
    looks: &mut LookEditor,
) -> Option<Option<ManifestValue>> {
    let declared = tile_set.tag(tag);
    let mut new = None;
    ui.horizontal_wrapped(|ui| {
        let subject = LookSubject::new(LookSection::Tag, &declared.name);
        let name = declared.name.replace('_', " ");
        if !looks.has(&subject) {
            ui.label(name);
        } else if ui.link(name).on_hover_text("Show the look of this tag below.").clicked() {
            looks.follow(subject);
        }
        match value {
            ManifestValue::Int(n) => {
                let mut changed = *n;
                if ui.add(DragValue::new(&mut changed).range(0..=1_000_000)).changed() {
                    new = Some(Some(ManifestValue::Int(changed)));
                }
            }
            ManifestValue::Text(_) | ManifestValue::List(_) if !declared.values.is_empty() => {
                let words: Vec<&str> = match value {
                    ManifestValue::List(list) => list.iter().filter_map(ManifestValue::as_text).collect(),
                    other => other.as_text().into_iter().collect(),
                };
                let is_one = declared.on == TagCarrier::Tile;
                for word in &declared.values {
                    let mut has = words.contains(&word.as_str());
                    if ui.toggle_value(&mut has, word).changed() {
                        let mut left: Vec<&str> = words.iter().copied().filter(|it| !is_one && it != word).collect();
                        if has || is_one {
                            left.push(word);
                        }
                        new = Some(match &left[..] {
                            [] => None,
                            [word] => Some(ManifestValue::text(*word)),
                            words => {
                                Some(ManifestValue::List(words.iter().map(|word| ManifestValue::text(*word)).collect()))
                            }
                        });
                    }
                }
            }
            _ => {}
        }
        let close = ui.small_button("×").accessible_name(format!("Without {}", declared.name));
        if close.on_hover_text(format!("Removes the tag {}.", declared.name)).clicked() {
            new = Some(None);
        }
    });
    new
}

/// A tag that the user adds.
enum NewTag {
    /// A tag that is already declared.
    Declared(TagIdx),
    /// A tag that is not declared yet.
    Unknown(String),
}

/// Draws a field for the name of a tag, and the tags whose names begin with the typed text. Returns
/// the tag that the user adds, if any.
fn add_tag(ui: &mut Ui, tile_set: &TileSet, on: TagCarrier, others: &[TagIdx], typed: &mut String) -> Option<NewTag> {
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        let field = TextEdit::singleline(typed).hint_text("add a tag").desired_width(90.0);
        let response = ui.add(field).on_hover_text("A word that rules can test: declared by a mod in play, or new.");
        let entered = response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
        response.accessible_name(if on == TagCarrier::Tile { "Tag of the tile" } else { "Tag of the zone" });
        let name = declared_name(typed);
        let words = name.as_str();
        let fitting: Vec<TagIdx> =
            others.iter().copied().filter(|tag| tile_set.tag(*tag).name.starts_with(words)).collect();
        for (i, tag) in fitting.iter().take(8).enumerate() {
            let is_entered = entered && i == 0 && !words.is_empty();
            if ui.small_button(&tile_set.tag(*tag).name).clicked() || is_entered {
                chosen = Some(NewTag::Declared(*tag));
            }
        }
        let is_taken =
            tile_set.tags.iter().any(|tag| tag.name == words) || tile_set.kinds.iter().any(|kind| kind.name == words);
        match why_not_name(words, is_taken) {
            None => {
                let about = "No mod in play declares this tag. Click to declare it in this mod and add it here.";
                let clicked = ui.small_button(format!("Declare {words}")).on_hover_text(about).clicked();
                if clicked || entered && fitting.is_empty() {
                    chosen = Some(NewTag::Unknown(words.to_owned()));
                }
            }
            Some(why) if !words.is_empty() && fitting.is_empty() => drop(ui.weak(why)),
            Some(_) => {}
        }
    });
    chosen
}
