//! The fields of a look: the style and colours of land, and the icons of pieces and tags.

use art::{Colour, Cover, LandPattern, LandStyle, Painter};
use egui::{ComboBox, DragValue, Grid, Image, TextEdit, Ui, Vec2};
use table::TileSet;
use workshop::mod_files::FileKind;
use workshop::{LookSection, ManifestValue};

use super::LookEditor;
use crate::notifications::Tone;
use crate::panels::icon_list::{icon_list, icon_subject};
use crate::panels::widgets::{controls_row, grid_row};
use crate::style::tone_colour;
use crate::ui_context::UiContext;
use crate::view_state::FileNaming;

/// The words for the place of a tag's icon.
const PLACES: [&str; 3] = ["free", "middle", "ground"];
/// The width of a tag's icon if the theme sets none, as a fraction of the tile.
const DEFAULT_SIZE: f64 = 0.16;

impl LookEditor {
    /// Draws the fields of the chosen look.
    pub(super) fn fields(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, tile_set: &TileSet, painter: &Painter) {
        let Some(subject) = self.subject.clone() else { return };
        Grid::new("look").num_columns(2).spacing([10.0, 5.0]).show(ui, |ui| match subject.section {
            LookSection::Kind => self.land(ui, cx, tile_set, painter, &subject.name),
            LookSection::Piece => {
                self.icon(ui, cx, "Standing", "icon", "letters");
                self.icon(ui, cx, "Lying", "lying", "on its side");
                let colour = grid_row(ui, "Colour", |ui| ui.weak("of its player"));
                colour.on_hover_text("Each player chooses a colour for all pieces.");
            }
            LookSection::Tag => self.tag(ui, cx, tile_set, &subject.name),
        });
    }

    fn land(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, tile_set: &TileSet, painter: &Painter, name: &str) {
        let Some(kind) = tile_set.kind_named(name) else { return };
        let (style, cover) = (painter.style(kind), painter.cover(kind));
        let edge = tile_set.kind(kind).edge;
        let fitting = LandStyle::ALL.into_iter().filter(|(_, style)| style.can_draw(edge));
        let styles: Vec<&'static str> = fitting.map(|(name, _)| name).collect();
        let now = LandStyle::ALL.iter().find(|it| it.1 == style).map_or("", |it| it.0);
        self.choice(ui, "Style", "style", &styles, now);
        if let Some(cover) = cover {
            self.cover(ui, &cover);
        }
        if matches!(style, LandStyle::Coloured | LandStyle::Icon) {
            self.icon(ui, cx, "Icon", "icon", "none");
        }
    }

    fn tag(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, tile_set: &TileSet, name: &str) {
        let words = tile_set.tag_named(name).map(|tag| tile_set.tag(tag).values.clone()).unwrap_or_default();
        // A theme has either one icon for the whole tag, or an icon for each word.
        let now = self.value("icon");
        let has_words = matches!(now, Some(ManifestValue::Table(_)));
        if !has_words {
            self.icon(ui, cx, "Icon", "icon", "letters");
        }
        if now.is_none() || has_words {
            for word in &words {
                self.icon(ui, cx, word, &format!("icon.{word}"), "letters");
            }
        }
        let is_hidden = now == Some(ManifestValue::Bool(false));
        ui.label("Hidden");
        let mut hides = is_hidden;
        let about = "Show no icon for this tag on tiles and in lists.";
        if ui.add_enabled(!has_words, egui::Checkbox::without_text(&mut hides)).on_hover_text(about).changed() {
            self.set("icon", hides.then_some(ManifestValue::Bool(false)));
        }
        ui.end_row();
        if is_hidden {
            return;
        }
        let place = self.value("place").as_ref().and_then(ManifestValue::as_text).map(str::to_owned);
        let place = place.unwrap_or_else(|| PLACES[0].to_owned());
        self.choice(ui, "Place", "place", &PLACES, &place);
        let label = ui.label("Size");
        ui.horizontal(|ui| {
            let size = match self.value("size") {
                Some(ManifestValue::Other(number)) => number.parse().unwrap_or(DEFAULT_SIZE),
                Some(ManifestValue::Int(_)) => 1.0,
                _ => DEFAULT_SIZE,
            };
            let mut percent = (size * 100.0).round() as i64;
            let field = ui.add(DragValue::new(&mut percent).range(5..=100).suffix(" %")).labelled_by(label.id);
            if field.on_hover_text("The width of the icon, relative to the tile.").changed() {
                let text = format!("{}.{:02}", percent / 100, percent % 100);
                self.set("size", Some(ManifestValue::Other(text)));
            }
            self.reset(ui, "Size", "size");
        });
        ui.end_row();
        let mut turns = self.value("turns") == Some(ManifestValue::Bool(true));
        let about = "Turn the icon with the tile, for icons that point in a direction.";
        if grid_row(ui, "Turns", |ui| ui.checkbox(&mut turns, "")).on_hover_text(about).changed() {
            self.set("turns", turns.then_some(ManifestValue::Bool(true)));
        }
    }

    fn value(&self, key: &str) -> Option<ManifestValue> {
        self.looks.as_ref().zip(self.subject.as_ref()).and_then(|(looks, subject)| looks.value(subject, key))
    }

    /// Draws a button that removes a key from the look. Draws nothing if the look does not set the
    /// key.
    fn reset(&mut self, ui: &mut Ui, label: &str, key: &str) {
        if self.value(key).is_none() {
            return;
        }
        let close = ui.small_button("×").accessible_name(format!("Default {label}"));
        if close.on_hover_text("Back to the default.").clicked() {
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
        controls_row(ui, label, |ui| {
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
    }

    /// Draws a row with an icon. `default` describes the picture if the look does not set the icon.
    fn icon(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, label: &str, key: &str, default: &str) {
        controls_row(ui, label, |ui| {
            let value = self.value(key);
            let name = value.as_ref().and_then(ManifestValue::as_text);
            let subject = name.and_then(|name| icon_subject(name, &self.own_icons));
            if let Some(texture) = subject.and_then(|what| cx.pictures.get(ui.ctx(), what, 20.0)) {
                ui.add(Image::new((texture, Vec2::splat(20.0))));
            }
            let is_open = self.chooses_icon.as_deref() == Some(key);
            let button = ui.selectable_label(is_open, format!("{}…", name.unwrap_or(default)));
            let about = if is_open { "Hides the icons." } else { "Shows the icons." };
            if button.on_hover_text(about).clicked() {
                self.chooses_icon = (!is_open).then(|| key.to_owned());
            }
            self.reset(ui, label, key);
            let about = "Add an icon to this mod: a copy of a built-in icon, or your own drawing.";
            if is_open && ui.small_button("New icon…").on_hover_text(about).clicked() {
                cx.view_state.windows.name_file = Some(FileNaming::New(self.folder.clone(), FileKind::Icon));
            }
        });
    }

    /// Draws the icons in the folder of the mod and the built-in icons. A click chooses one.
    pub(super) fn icons(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, height: f32) {
        let chosen = icon_list(ui, cx, &mut self.words, &self.own_icons, "", height);
        if let Some(name) = chosen
            && let Some(key) = self.chooses_icon.take()
        {
            self.set(&key, Some(ManifestValue::text(name)));
        }
    }
}
