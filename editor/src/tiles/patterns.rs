//! Edge patterns of the tiles in play: the number of tiles with each pattern, missing patterns, and
//! the probability that a hole can be filled.

use egui::{Align2, Color32, FontId, Rect, Role, ScrollArea, Sense, Ui, Vec2, WidgetInfo, vec2};
use table::Facing;
use workshop::{EdgePattern, chance_to_fill, patterns};

use super::shelf_view::ModTilesView;
use crate::cached::Cached;
use crate::panels::widgets::{paint_picture, pluralized};
use crate::ui_context::UiContext;

/// The size of the cell for a pattern, in points.
const CELL_SIZE: Vec2 = vec2(92.0, 92.0);

/// The state of the list of patterns.
#[derive(Default)]
pub struct PatternList {
    only_missing: bool,
    found: Cached<usize, (Vec<EdgePattern>, usize)>,
}

impl PatternList {
    /// Shows the edge patterns of the tiles in play. `view` is a mod in play; `None` before the
    /// mods are read. Returns the pattern that the user wants to sketch.
    pub fn show(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, view: Option<&ModTilesView>) -> Option<String> {
        let Some(view) = view else {
            ui.weak("Reading the mods…");
            return None;
        };
        let (catalogue, tile_set) = view.shelf.catalogue.as_ref().zip(view.tile_set())?;
        let key = std::sync::Arc::as_ptr(catalogue) as usize;
        self.found.refresh(key, || {
            let tiles = view.shelf.all_tiles();
            (patterns(tile_set, &tiles), tiles.iter().map(|(_, n)| n).sum())
        });
        let (all, n_all) = &*self.found;
        let missing = all.iter().filter(|it| it.n_copies == 0).count();
        let mut only_missing = self.only_missing;
        ui.horizontal_wrapped(|ui| {
            ui.label(format!(
                "{} (of {} possible, rotations counted once), {missing} missing, {}",
                pluralized(all.len() - missing, "pattern", "patterns"),
                all.len(),
                pluralized(*n_all, "tile", "tiles")
            ));
            ui.toggle_value(&mut only_missing, "only missing").on_hover_text("Only patterns that no tile has.");
        });
        ui.weak("Click a pattern to make a tile with it.");
        let mut sketched = None;
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(8.0, 8.0);
                for pattern in all.iter().filter(|it| !only_missing || it.n_copies == 0) {
                    if cell(ui, cx, view, pattern, *n_all) {
                        sketched = Some(pattern.name.clone());
                    }
                }
            });
        });
        self.only_missing = only_missing;
        sketched
    }
}

/// Draws the cell of a pattern. Returns whether the user clicked it.
fn cell(ui: &mut Ui, cx: &mut UiContext<'_>, view: &ModTilesView, pattern: &EdgePattern, n_all: usize) -> bool {
    let (rect, response) = ui.allocate_exact_size(CELL_SIZE, Sense::click());
    let label = format!("Pattern {}: {}", pattern.name, pluralized(pattern.n_copies, "tile", "tiles"));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    if !ui.is_rect_visible(rect) {
        return false;
    }
    let bad = crate::style::tone_colour(ui, crate::notifications::Tone::Bad);
    let visuals = ui.visuals();
    // The cell of a rare pattern is redder than the cell of a frequent one.
    let shortage = match pattern.n_copies {
        0 => 0.30,
        1 => 0.16,
        2 => 0.08,
        _ => 0.0,
    };
    let fill = visuals.faint_bg_color.lerp_to_gamma(bad, shortage);
    let stroke = if response.hovered() { visuals.selection.stroke } else { visuals.widgets.noninteractive.bg_stroke };
    ui.painter().rect(rect, 5.0, fill, stroke, egui::StrokeKind::Inside);
    let strong = visuals.strong_text_color();
    let at = rect.min + vec2(6.0, 4.0);
    ui.painter().text(at, Align2::LEFT_TOP, &pattern.name, FontId::proportional(12.5), strong);
    let at = rect.right_top() + vec2(-6.0, 4.0);
    let text = if pattern.n_copies == 0 { "missing".to_owned() } else { format!("×{}", pattern.n_copies) };
    ui.painter().text(at, Align2::RIGHT_TOP, text, FontId::proportional(12.0), visuals.text_color());
    let side = 58.0;
    let picture = Rect::from_min_size(rect.min + vec2(6.0, 24.0), Vec2::splat(side));
    if let Some((tile, _)) = pattern.tiles.first() {
        let texture = view.picture(ui.ctx(), cx.pictures, *tile, Facing::default(), side);
        paint_picture(ui.painter(), texture, picture, Color32::WHITE);
    } else {
        ui.painter().rect_stroke(picture, 2.0, visuals.widgets.noninteractive.bg_stroke, egui::StrokeKind::Inside);
    }
    let clicked = response.clicked();
    response.on_hover_ui(|ui| {
        ui.strong(&label);
        for (tile, n) in &pattern.tiles {
            let name = view.tile_set().map(|tile_set| tile_set.tile(*tile).name.clone()).unwrap_or_default();
            ui.label(format!("{name}: {}", pluralized(*n, "copy", "copies")));
        }
        let chance = |drawn: usize| 100.0 * chance_to_fill(n_all, drawn, pattern.n_fitting);
        ui.label(format!(
            "Chance to fill such a hole: {:.0}% after 1/4 of the tiles, {:.0}% after 1/2, {:.0}% after 3/4",
            chance(n_all / 4),
            chance(n_all / 2),
            chance(n_all * 3 / 4)
        ));
    });
    clicked
}
