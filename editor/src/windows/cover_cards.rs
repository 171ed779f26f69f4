//! Mods as cards with a cover, of which the user chooses one or several.

use std::sync::Arc;

use egui::{
    Color32, FontId, Galley, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, TextureId, Ui, Vec2, WidgetInfo,
    pos2, vec2,
};

use crate::covers::COVER_ASPECT;
use crate::panels::pluralized;
use crate::panels::widgets::paint_picture;

/// The smallest width of a card, in points.
const MIN_WIDTH: f32 = 92.0;
/// The distance between cards, in points.
const GAP: f32 = 8.0;
/// The distance between the border of a card and its content, in points.
const MARGIN: f32 = 4.0;
/// The height of the line with the number of tiles, in points.
const COUNT_HEIGHT: f32 = 15.0;
/// The size of the mark that shows whether a mod is chosen, in points.
const MARK: f32 = 18.0;

/// A mod with its cover.
pub struct CoverCard {
    /// The title of the mod.
    pub title: String,
    /// The number of tiles; `None` until it is known.
    pub n_tiles: Option<usize>,
    /// The cover; `None` until it is painted.
    pub picture: Option<TextureId>,
    /// The tooltip: the description of the mod.
    pub about: String,
    /// [`Role::RadioButton`] if the user chooses one of the cards, or [`Role::CheckBox`] if the
    /// user chooses several.
    pub role: Role,
    /// True if the mod is chosen.
    pub is_chosen: bool,
    /// True if the user cannot change the choice.
    pub is_fixed: bool,
}

/// Draws cards in rows that fill the width. Returns the index of the card that the user clicked, if
/// any.
pub fn cover_cards(ui: &mut Ui, cards: Vec<CoverCard>) -> Option<usize> {
    let room = ui.available_width();
    let n_columns = (((room + GAP) / (MIN_WIDTH + GAP)).floor() as usize).max(1);
    let width = ((room - GAP * (n_columns - 1) as f32) / n_columns as f32).floor();
    let mut clicked = None;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(GAP);
        for (row, of_row) in cards.chunks(n_columns).enumerate() {
            let titles: Vec<Arc<Galley>> = of_row.iter().map(|card| title(ui, card, width)).collect();
            let text_height = titles.iter().map(|title| title.size().y).fold(0.0, f32::max);
            let height = MARGIN + (width - 2.0 * MARGIN) * COVER_ASPECT + 3.0 + text_height + COUNT_HEIGHT + MARGIN;
            ui.horizontal(|ui| {
                for (i, (card, title)) in of_row.iter().zip(titles).enumerate() {
                    let draw = |ui: &mut Ui| draw_card(ui, card, title, vec2(width, height));
                    let response = ui.add_enabled_ui(!card.is_fixed, draw).inner;
                    let response = response.on_hover_text(&card.about).on_disabled_hover_text(&card.about);
                    if response.clicked() {
                        clicked = Some(row * n_columns + i);
                    }
                }
            });
        }
    });
    clicked
}

fn title(ui: &Ui, card: &CoverCard, width: f32) -> Arc<Galley> {
    let font = FontId::proportional(13.5);
    ui.painter().layout(card.title.clone(), font, Color32::PLACEHOLDER, width - 2.0 * MARGIN - 2.0)
}

fn draw_card(ui: &mut Ui, card: &CoverCard, title: Arc<Galley>, size: Vec2) -> Response {
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let is_enabled = ui.is_enabled();
    let count = match card.n_tiles {
        Some(0) => "rules only".to_owned(),
        Some(n) => pluralized(n, "tile", "tiles"),
        None => "…".to_owned(),
    };
    response.widget_info(|| {
        let info = WidgetInfo::selected(card.role, is_enabled, card.is_chosen, &card.title);
        WidgetInfo { current_text_value: Some(count.clone()), ..info }
    });
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let visuals = ui.visuals();
    let look = *ui.style().interact(&response);
    let accent = visuals.selection.bg_fill;
    let fill = if card.is_chosen { accent.gamma_multiply(0.28) } else { look.weak_bg_fill };
    let stroke = if card.is_chosen { Stroke::new(2.0, visuals.selection.stroke.color) } else { look.bg_stroke };
    let (text, weak) = (visuals.text_color(), visuals.weak_text_color());
    let focus = visuals.hyperlink_color;
    let painter = ui.painter().clone();
    painter.rect(rect, 6.0, fill, stroke, StrokeKind::Inside);
    if response.has_focus() {
        painter.rect_stroke(rect.expand(2.0), 8.0, Stroke::new(2.0, focus), StrokeKind::Inside);
    }
    let width = rect.width() - 2.0 * MARGIN;
    let cover = Rect::from_min_size(rect.min + Vec2::splat(MARGIN), vec2(width, width * COVER_ASPECT));
    match card.picture {
        Some(_) => {
            let tint = if card.is_chosen || response.hovered() { Color32::WHITE } else { Color32::from_gray(205) };
            paint_picture(&painter, card.picture, cover, tint);
        }
        None => draw_placeholder(ui, card, cover),
    }
    draw_mark(ui, card, Rect::from_min_size(cover.min + Vec2::splat(4.0), Vec2::splat(MARK)));
    let at = pos2(cover.left() + 1.0, cover.bottom() + 3.0);
    let below = pos2(at.x, at.y + title.size().y);
    painter.galley(at, title, text);
    painter.text(below, egui::Align2::LEFT_TOP, count, FontId::proportional(11.5), weak);
    response
}

/// Draws a quiet picture in the place of a cover that is not painted yet: the mod's colour, and the
/// first letter of its title.
fn draw_placeholder(ui: &Ui, card: &CoverCard, rect: Rect) {
    let (fill, ink) = placeholder_colours(&card.title, ui.visuals().dark_mode);
    ui.painter().rect_filled(rect, 3.0, fill);
    let letter: String = card.title.chars().take(1).collect();
    let font = FontId::proportional(rect.height() * 0.62);
    ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, letter, font, ink);
}

/// Returns the colour of a mod without a cover and the colour of the letter on it. The title
/// determines the hue, so that a mod always has the same colour.
fn placeholder_colours(title: &str, is_dark: bool) -> (Color32, Color32) {
    let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    let hue = (title.bytes().fold(0x811c_9dc5, mix) >> 8) as f32 / (1 << 24) as f32;
    let tone = |s: f32, v: f32| Color32::from(egui::ecolor::HsvaGamma { h: hue, s, v, a: 1.0 });
    if is_dark { (tone(0.32, 0.20), tone(0.26, 0.32)) } else { (tone(0.20, 0.74), tone(0.26, 0.60)) }
}

/// Draws the mark that shows whether a mod is chosen: a box with a tick, or a circle with a dot.
fn draw_mark(ui: &Ui, card: &CoverCard, rect: Rect) {
    let visuals = ui.visuals();
    let radius = if card.role == Role::RadioButton { MARK / 2.0 } else { 4.0 };
    let (dark, light) = (Color32::from_gray(30), Color32::from_gray(250));
    let painter = ui.painter();
    if !card.is_chosen {
        painter.rect(rect, radius, light.gamma_multiply(0.8), Stroke::new(1.5, dark), StrokeKind::Inside);
        return;
    }
    let fill = visuals.selection.stroke.color;
    painter.rect(rect, radius, fill, Stroke::new(1.5, light), StrokeKind::Inside);
    let ink = if fill.intensity() > 0.5 { dark } else { light };
    if card.role == Role::RadioButton {
        painter.circle_filled(rect.center(), MARK * 0.2, ink);
    } else {
        let at = |x: f32, y: f32| rect.min + vec2(x, y) * MARK;
        painter.add(Shape::line(vec![at(0.25, 0.52), at(0.43, 0.7), at(0.76, 0.32)], Stroke::new(2.2, ink)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mod_without_a_cover_has_a_quiet_colour_of_its_own() {
        let titles = ["Base game", "Inns & Cathedrals", "Builders & Traders", "The River", "Gold Mines", "Ferries"];
        for is_dark in [false, true] {
            let all = titles.map(|title| placeholder_colours(title, is_dark));
            let fills: std::collections::BTreeSet<[u8; 4]> = all.iter().map(|(fill, _)| fill.to_array()).collect();
            assert!(fills.len() >= 5, "most mods have a colour of their own: {fills:?}");
            for (i, (fill, ink)) in all.iter().enumerate() {
                let range = if is_dark { 0.08..0.25 } else { 0.55..0.8 };
                assert!(range.contains(&fill.intensity()), "{}: {fill:?} is neither white nor black", titles[i]);
                assert!((fill.intensity() - ink.intensity()).abs() > 0.05, "the letter is visible");
            }
        }
    }
}
