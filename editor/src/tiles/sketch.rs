//! Sketches: the user types the letters of four edges and chooses one of the possible tiles with
//! these edges from their pictures.

use egui::{Color32, ComboBox, FontId, RichText, Role, ScrollArea, Sense, Stroke, TextEdit, Ui, WidgetInfo, vec2};
use table::{Facing, kind_letters};
use workshop::{EdgeStyle, SketchLayout, TileDraft, kinds_of, layouts, read_sketch};

use super::{DrawnTiles, TilesPane};
use crate::cached::Cached;
use crate::panels::widgets::{paint_picture, pluralized};
use crate::ui_context::UiContext;

/// The side of a picture, in points.
const SIDE: f32 = 96.0;

/// The height of the words below a picture, in points: three lines.
const WORDS_HEIGHT: f32 = 44.0;

/// The tiles that were found for a sketch.
#[derive(Default)]
pub struct FoundLayouts {
    error: Option<String>,
    layouts: Vec<SketchLayout>,
    drawn: DrawnTiles,
}

/// The state of the tab for new tiles: the sketch as the user typed it.
#[derive(Default)]
pub struct SketchView {
    text: String,
    inside: Option<String>,
    found: Cached<(String, Option<String>, String, usize), FoundLayouts>,
}

impl TilesPane {
    /// Draws the tab for new tiles.
    pub(super) fn sketch(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        self.choose_target(ui, cx);
        let Some(view) = self.target_mod(cx).cloned() else { return };
        let (Some(tile_set), Some(catalogue)) = (view.tile_set(), &view.shelf.catalogue) else { return };
        let letters = kind_letters(tile_set);
        ui.horizontal_wrapped(|ui| {
            let label = ui.label("Edges");
            let field = TextEdit::singleline(&mut self.sketch.text).hint_text("CFRR").desired_width(80.0);
            ui.add(field)
                .labelled_by(label.id)
                .on_hover_text("The land at the four edges, clockwise from the north: one letter for each edge.");
            for kind in kinds_of(tile_set, &[EdgeStyle::Full, EdgeStyle::Line, EdgeStyle::Ground]) {
                let Some(letter) = letters.get(usize::from(kind.0)) else { continue };
                let name = &tile_set.kind(kind).name;
                let about = format!("Adds a {name} edge.");
                if ui.small_button(format!("{letter} {name}")).on_hover_text(about).clicked() {
                    // After four edges, another edge begins a new sketch.
                    if read_sketch(tile_set, &self.sketch.text).is_ok() {
                        self.sketch.text.clear();
                    }
                    self.sketch.text.push_str(letter);
                }
            }
            if ui.small_button("Clear").on_hover_text("Deletes the letters.").clicked() {
                self.sketch.text.clear();
            }
            let label = ui.label("in the middle");
            let shown = self.sketch.inside.clone().unwrap_or_else(|| "nothing".to_owned());
            let combo = ComboBox::from_id_salt("inside").selected_text(shown).show_ui(ui, |ui| {
                ui.selectable_value(&mut self.sketch.inside, None, "nothing");
                for kind in kinds_of(tile_set, &[EdgeStyle::Inside]) {
                    let name = &tile_set.kind(kind).name;
                    ui.selectable_value(&mut self.sketch.inside, Some(name.clone()), name);
                }
            });
            combo.response.labelled_by(label.id);
        });
        let key = (
            self.sketch.text.clone(),
            self.sketch.inside.clone(),
            view.shelf.id.clone(),
            std::sync::Arc::as_ptr(catalogue) as usize,
        );
        let inside = self.sketch.inside.as_ref().and_then(|name| tile_set.kind_named(name));
        let text = self.sketch.text.clone();
        let old = self.sketch.found.drawn.painter.clone();
        let is_new = {
            let found = self.sketch.found.refresh(key, || match read_sketch(tile_set, &text) {
                Err(error) => FoundLayouts { error: Some(error), ..FoundLayouts::default() },
                Ok(sketch) => {
                    let mut layouts = layouts(tile_set, sketch, inside);
                    layouts.iter_mut().enumerate().for_each(|(i, it)| it.draft.id = format!("l{i}"));
                    let drafts: Vec<&TileDraft> = layouts.iter().map(|it| &it.draft).collect();
                    let drawn = DrawnTiles::new(&view.shelf, cx, &drafts);
                    FoundLayouts { error: None, layouts, drawn }
                }
            });
            found.drawn.painter.as_ref().map(crate::pictures::OtherPainter::number)
        };
        if let Some(old) = old.filter(|old| Some(old.number()) != is_new) {
            cx.pictures.discard_pictures_by(&old);
        }
        self.choices(ui, cx, &view.shelf.id);
    }

    fn choices(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, mod_id: &str) {
        let found = &*self.sketch.found;
        if let Some(error) = &found.error {
            let text = if self.sketch.text.is_empty() {
                "Type the land at the four edges of the tile, clockwise from the north: CFRR is a city, a field and two roads."
            } else {
                error
            };
            ui.add(egui::Label::new(RichText::new(text).weak()).wrap());
            return;
        }
        ui.weak(format!(
            "{} with these edges and no crossings. Click the one you want.",
            pluralized(found.layouts.len(), "layout", "layouts")
        ));
        for problem in &found.drawn.preview.problems {
            ui.colored_label(crate::style::tone_colour(ui, crate::notifications::Tone::Bad), &problem.message);
        }
        let mut chosen = None;
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(10.0, 10.0);
                for (i, layout) in found.layouts.iter().enumerate() {
                    let (rect, response) = ui.allocate_exact_size(vec2(SIDE, SIDE + WORDS_HEIGHT), Sense::click());
                    let (rect, below) = rect.split_top_bottom_at_y(rect.top() + SIDE);
                    response
                        .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Layout {}", layout.words)));
                    let texture = found.drawn.picture(ui.ctx(), cx.pictures, i as u16, Facing::default(), SIDE);
                    paint_picture(ui.painter(), texture, rect, Color32::WHITE);
                    let (font, colour) = (FontId::proportional(11.0), ui.visuals().text_color());
                    let words = ui.painter().layout(layout.words.clone(), font, colour, SIDE);
                    ui.painter().with_clip_rect(below).galley(below.min + vec2(0.0, 2.0), words, colour);
                    if response.hovered() || response.has_focus() {
                        let stroke = Stroke::new(2.0, ui.visuals().selection.stroke.color);
                        ui.painter().rect_stroke(rect.expand(1.0), 2.0, stroke, egui::StrokeKind::Outside);
                    }
                    if response.on_hover_text(&layout.words).clicked() {
                        chosen = Some(layout.draft.clone());
                    }
                }
            });
        });
        if let Some(mut draft) = chosen {
            draft.id = self.free_id(mod_id, &self.sketch.text.to_uppercase());
            self.begin_tile(mod_id, draft, None);
        }
    }
}

impl SketchView {
    /// Replaces the sketch by the letters of edges, `text`, with nothing in the middle.
    pub fn set(&mut self, text: String) {
        (self.text, self.inside) = (text, None);
    }
}
