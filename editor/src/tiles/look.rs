//! The section of the designer for the looks of the kinds of land that the mod declares: style,
//! colour, pattern, edge and icon.

use std::path::PathBuf;
use std::sync::Arc;

use art::{Colour, Cover, LandPattern, LandStyle, Theme, check_icon};
use egui::{Button, ComboBox, Grid, Image, Role, ScrollArea, TextEdit, Ui, Vec2, WidgetInfo};
use workshop::{ICON_GROUPS, LandLooks, LookChange, ManifestValue, ModTiles, builtin_icons};

use super::{DrawnTiles, ModTilesView, TilesAction};
use crate::cached::Cached;
use crate::notifications::Tone;
use crate::panels::widgets::{ButtonIcon, icon_button, search_field};
use crate::pictures::PictureSubject;
use crate::style::tone_colour;
use crate::ui_context::{Action, UiContext};

/// The side of the icons in the list of icons, in points.
const ICON_SIDE: f32 = 26.0;

/// A change of a look, with the previous value.
struct LookStep {
    before: LookChange,
    after: LookChange,
}

/// The looks of the kinds of land of one mod, with the user's changes. The editor saves changes
/// when the user has released the pointer and finished typing a colour.
#[derive(Default)]
pub struct LookEditor {
    /// The id of the mod.
    mod_id: String,
    /// The folder of the mod.
    folder: PathBuf,
    /// The looks, with unsaved changes; `None` until they are read.
    looks: Option<LandLooks>,
    /// The theme with these looks. The cache key is the text of the looks, and the address of the
    /// theme without the changes.
    theme: Cached<(String, usize), Arc<Theme>>,
    /// The name of the kind of land that the user changes.
    kind: String,
    undo: Vec<LookStep>,
    redo: Vec<LookStep>,
    unsaved: Vec<LookChange>,
    /// True if the looks were requested since the last change of the files.
    is_asked: bool,
    is_saving: bool,
    /// The colour that the user is typing: the key of the look, such as `edge`, and the text.
    typed: Option<(&'static str, String)>,
    /// True if the list of icons is open.
    chooses_icon: bool,
    /// The search text of the list of icons.
    words: String,
    /// The reason why the looks cannot be read or changed.
    error: Option<String>,
}

impl LookEditor {
    /// Shows the looks of the mod of `view`. Requests them if they have not been requested yet.
    pub fn open(&mut self, cx: &mut UiContext<'_>, view: &ModTilesView) {
        if self.mod_id != view.shelf.id || self.folder != view.shelf.folder {
            let (mod_id, folder) = (view.shelf.id.clone(), view.shelf.folder.clone());
            *self = LookEditor { mod_id, folder, ..LookEditor::default() };
        }
        if !std::mem::replace(&mut self.is_asked, true) {
            let (mod_id, folder) = (self.mod_id.clone(), self.folder.clone());
            cx.request_action(Action::Tiles(TilesAction::ReadLooks { mod_id, folder }));
        }
    }

    /// Requests the looks again, because the files may have changed.
    pub fn request_again(&mut self) {
        self.is_asked = false;
    }

    /// Sets the looks that were read from the files of a mod.
    pub fn set_looks(&mut self, mod_id: &str, looks: Result<LandLooks, String>) {
        if self.mod_id != mod_id || self.is_saving || !self.unsaved.is_empty() {
            return;
        }
        match looks {
            Ok(looks) => (self.looks, self.error) = (Some(looks), None),
            Err(error) => self.error = Some(error),
        }
    }

    /// Handles the result of saving. After an error, discards the unsaved changes and requests the
    /// looks of the files again.
    pub fn handle_saved(&mut self, mod_id: &str, saved: Result<LandLooks, String>) {
        if self.mod_id != mod_id {
            return;
        }
        self.is_saving = false;
        match saved {
            Ok(looks) if self.unsaved.is_empty() => self.looks = Some(looks),
            Ok(_) => {}
            Err(error) => {
                self.unsaved.clear();
                self.is_asked = false;
                self.error = Some(error);
            }
        }
    }

    /// Returns the theme of the mod, including unsaved changes of looks.
    pub fn theme(&mut self, shelf: &ModTiles) -> Arc<Theme> {
        let Some(looks) = self.looks.as_ref().filter(|_| self.mod_id == shelf.id) else { return shelf.theme.clone() };
        let key = (looks.file.text.clone(), Arc::as_ptr(&shelf.theme) as usize);
        self.theme.refresh(key, || Arc::new(looks.applied_to(&shelf.theme, check_icon))).clone()
    }

    fn set(&mut self, key: &'static str, value: Option<ManifestValue>) {
        let Some(looks) = &mut self.looks else { return };
        let before = LookChange { kind: self.kind.clone(), key, value: looks.value(&self.kind, key) };
        let after = LookChange { value, ..before.clone() };
        if before == after {
            return;
        }
        // Undo reverts all changes of one key since the last save together, because a user who
        // drags the pointer makes many changes.
        let is_same = |change: &LookChange| change.kind == after.kind && change.key == key;
        let goes_on = self.unsaved.iter().any(is_same);
        match self.undo.last_mut().filter(|step| goes_on && is_same(&step.after)) {
            Some(step) => step.after = after.clone(),
            None => self.undo.push(LookStep { before, after: after.clone() }),
        }
        self.redo.clear();
        self.apply(after);
    }

    fn apply(&mut self, change: LookChange) {
        let Some(looks) = &mut self.looks else { return };
        match looks.apply(&change) {
            Ok(()) => {
                self.error = None;
                self.unsaved.retain(|other| other.kind != change.kind || other.key != change.key);
                self.unsaved.push(change);
            }
            Err(error) => self.error = Some(error.to_string()),
        }
    }

    fn undo(&mut self) {
        if let Some(step) = self.undo.pop() {
            self.kind.clone_from(&step.before.kind);
            self.apply(step.before.clone());
            self.redo.push(step);
        }
    }

    fn redo(&mut self) {
        if let Some(step) = self.redo.pop() {
            self.kind.clone_from(&step.after.kind);
            self.apply(step.after.clone());
            self.undo.push(step);
        }
    }

    /// Draws the section. `drawn` is the tile in the designer.
    pub fn show(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, drawn: &DrawnTiles, view: &ModTilesView) {
        if let Some(error) = &self.error {
            ui.colored_label(tone_colour(ui, Tone::Bad), error);
        }
        let looks = self.looks.as_ref().filter(|_| view.can_change());
        let kinds = looks.map(|looks| looks.kinds.clone()).unwrap_or_default();
        let Some(first) = kinds.first() else { return };
        if !kinds.contains(&self.kind) {
            // Prefers a kind of land that the tile shows.
            let set = drawn.tile_set();
            let zones = set.and_then(|set| set.tiles.first()).into_iter().flat_map(|tile| &tile.zones);
            let mut names = zones.filter_map(|zone| Some(&set?.kind(zone.kind).name));
            self.kind.clone_from(names.find(|name| kinds.contains(name)).unwrap_or(first));
        }
        ui.separator();
        ui.horizontal_wrapped(|ui| {
            ui.strong("Look of the land")
                .on_hover_text("Looks of the kinds of land that this mod declares, saved in its theme.toml.");
            let (can_undo, can_redo) = (!self.undo.is_empty(), !self.redo.is_empty());
            let about = "Undoes the last change of a look.";
            if icon_button(ui, ButtonIcon::Undo, "Undo in this look", about, can_undo, 20.0).clicked() {
                self.undo();
            }
            let about = "Redoes the last undone change of a look.";
            if icon_button(ui, ButtonIcon::Redo, "Redo in this look", about, can_redo, 20.0).clicked() {
                self.redo();
            }
            for kind in &kinds {
                let chip = ui.selectable_label(self.kind == *kind, kind);
                chip.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Look of {kind}")));
                if chip.clicked() {
                    (self.kind, self.typed) = (kind.clone(), None);
                }
            }
        });
        let kind = drawn.tile_set().or(view.tile_set()).and_then(|set| Some((set, set.kind_named(&self.kind)?)));
        if let (Some((tile_set, kind)), Some(painter)) = (kind, &drawn.painter) {
            let (style, cover) = (painter.painter().style(kind), painter.painter().cover(kind));
            let edge = tile_set.kind(kind).edge;
            let fitting = LandStyle::ALL.into_iter().filter(|(_, style)| style.can_draw(edge));
            let styles: Vec<&'static str> = fitting.map(|(name, _)| name).collect();
            Grid::new("look").num_columns(2).spacing([10.0, 5.0]).show(ui, |ui| {
                let now = LandStyle::ALL.iter().find(|it| it.1 == style).map_or("", |it| it.0);
                self.choice(ui, "Style", "style", &styles, now);
                if let Some(cover) = cover {
                    self.cover(ui, &cover);
                }
                if matches!(style, LandStyle::Coloured | LandStyle::Icon) {
                    self.icon(ui, cx);
                }
            });
            if self.chooses_icon && matches!(style, LandStyle::Coloured | LandStyle::Icon) {
                self.icons(ui, cx);
            }
        }
        self.save_if_settled(ui, cx);
    }

    fn save_if_settled(&mut self, ui: &Ui, cx: &mut UiContext<'_>) {
        let is_changing = ui.input(|i| i.pointer.any_down()) || self.typed.is_some();
        if self.unsaved.is_empty() || self.is_saving || is_changing {
            return;
        }
        self.is_saving = true;
        let changes = std::mem::take(&mut self.unsaved);
        let (mod_id, folder) = (self.mod_id.clone(), self.folder.clone());
        cx.request_action(Action::Tiles(TilesAction::SaveLooks { mod_id, folder, changes }));
    }

    fn value(&self, key: &str) -> Option<ManifestValue> {
        self.looks.as_ref().and_then(|looks| looks.value(&self.kind, key))
    }

    /// Draws a button that removes a key from the look. Draws nothing if the look does not set the
    /// key.
    fn reset(&mut self, ui: &mut Ui, label: &str, key: &'static str) {
        if self.value(key).is_none() {
            return;
        }
        let close = ui.small_button("×").on_hover_text("Back to the default.");
        close.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Default {label}")));
        if close.clicked() {
            self.typed = None;
            self.set(key, None);
        }
    }

    /// Draws a row with a list of words. `now` is the current word.
    fn choice(&mut self, ui: &mut Ui, label: &str, key: &'static str, words: &[&'static str], now: &str) {
        let name = ui.label(label);
        ui.horizontal(|ui| {
            let chosen = self.value(key).is_some();
            let shown = if chosen { now.to_owned() } else { format!("default ({now})") };
            let combo = ComboBox::from_id_salt(("look", key)).selected_text(shown).width(140.0).show_ui(ui, |ui| {
                for word in words {
                    if ui.selectable_label(chosen && *word == now, *word).clicked() {
                        self.set(key, Some(ManifestValue::text(*word)));
                    }
                }
            });
            combo.response.labelled_by(name.id);
            self.reset(ui, label, key);
        });
        ui.end_row();
    }

    /// Draws the rows for coloured land.
    fn cover(&mut self, ui: &mut Ui, cover: &Cover) {
        self.colour(ui, "Colour", "colour", cover.colour);
        let patterns = LandPattern::ALL.map(|(name, _)| name);
        let now = LandPattern::ALL.iter().find(|it| it.1 == cover.pattern).map_or("", |it| it.0);
        self.choice(ui, "Pattern", "pattern", &patterns, now);
        self.colour(ui, "Border", "edge", cover.edge);
    }

    /// Draws a row with a colour: a colour picker and a text field.
    fn colour(&mut self, ui: &mut Ui, label: &str, key: &'static str, now: Colour) {
        ui.label(label);
        ui.horizontal(|ui| {
            let mut rgb = now.rgb();
            if ui.color_edit_button_srgb(&mut rgb).changed() {
                self.set(key, Some(ManifestValue::text(Colour::from(rgb).to_string())));
            }
            let typed = self.typed.as_ref().filter(|(it, _)| *it == key).map(|(_, text)| text.clone());
            let mut text = typed.clone().unwrap_or_else(|| now.to_string());
            let is_colour = Colour::parse(&text).is_some();
            let field = TextEdit::singleline(&mut text).desired_width(78.0).code_editor();
            let field = if is_colour { field } else { field.text_color(tone_colour(ui, Tone::Bad)) };
            let response = ui.add(field).on_hover_text("The colour as #rrggbb.");
            if response.changed() {
                if let Some(colour) = Colour::parse(&text) {
                    self.set(key, Some(ManifestValue::text(colour.to_string())));
                }
                self.typed = Some((key, text));
            } else if typed.is_some() && !response.has_focus() {
                self.typed = None;
            }
            response.accessible_name(format!("{label} of the land"));
            self.reset(ui, label, key);
        });
        ui.end_row();
    }

    /// Draws the row with the icon.
    fn icon(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        ui.label("Icon");
        ui.horizontal(|ui| {
            let value = self.value("icon");
            let name = value.as_ref().and_then(ManifestValue::as_text).unwrap_or("none");
            if let Some((name, _)) = builtin_icons().find(|(own, _)| *own == name) {
                let texture = cx.pictures.get(ui.ctx(), PictureSubject::Icon(name), 20.0);
                if let Some(texture) = texture {
                    ui.add(Image::new((texture, Vec2::splat(20.0))));
                }
            }
            let text = format!("{name}…");
            if ui.selectable_label(self.chooses_icon, text).on_hover_text("Shows the icons.").clicked() {
                self.chooses_icon = !self.chooses_icon;
            }
            self.reset(ui, "Icon", "icon");
        });
        ui.end_row();
    }

    /// Draws the built-in icons and the icons in the folder of the mod.
    fn icons(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        let mut chosen = None;
        let search = search_field(&mut self.words, "Search icons").desired_width(140.0);
        ui.add(search).accessible_name("Search icons");
        let words = self.words.trim().to_lowercase();
        ScrollArea::vertical().id_salt("icons").max_height(150.0).show(ui, |ui| {
            ui.spacing_mut().item_spacing = Vec2::splat(3.0);
            for group in ICON_GROUPS {
                let is_named = group.title.to_lowercase().contains(&words);
                let found: Vec<&str> = group
                    .icons
                    .iter()
                    .map(|(name, _)| *name)
                    .filter(|name| is_named || name.contains(&words))
                    .collect();
                if found.is_empty() {
                    continue;
                }
                ui.weak(group.title);
                ui.horizontal_wrapped(|ui| {
                    for name in found {
                        let texture = cx.pictures.get(ui.ctx(), PictureSubject::Icon(name), ICON_SIDE);
                        let Some(texture) = texture else { continue };
                        let button =
                            ui.add(Button::image(Image::new((texture, Vec2::splat(ICON_SIDE))))).on_hover_text(name);
                        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Icon {name}")));
                        if button.clicked() {
                            chosen = Some(name.to_owned());
                        }
                    }
                });
            }
            let own = self.looks.iter().flat_map(|looks| looks.file.icons.keys());
            let own: Vec<&String> = own.filter(|name| name.to_lowercase().contains(&words)).collect();
            if !own.is_empty() {
                ui.weak("In the folder of the mod");
                ui.horizontal_wrapped(|ui| {
                    for name in own {
                        if ui.small_button(name).clicked() {
                            chosen = Some(name.clone());
                        }
                    }
                });
            }
        });
        if let Some(name) = chosen {
            self.chooses_icon = false;
            self.set("icon", Some(ManifestValue::text(name)));
        }
    }
}
