//! A player's supply: a small picture for each piece and token. If there is too little room, one
//! picture with a number for each kind.

use egui::{Align2, Color32, FontId, Painter, Rect, Ui, Vec2, pos2, vec2};
use table::{Seat, SupplyItem, SupplyKind};

use super::widgets::{paint_picture, piece_subject};
use crate::pictures::PictureSubject;
use crate::ui_context::UiContext;

/// Returns a player's supply as text, one line for each kind of piece or token.
pub fn supply_lines(items: &[SupplyItem]) -> Vec<String> {
    let line = |item: &SupplyItem| match item.kind {
        SupplyKind::Piece(_) => format!("{}: {} of {} in supply", item.title, item.n, item.n_at_start.max(item.n)),
        SupplyKind::Token => format!("{}: {}", item.title, item.n),
    };
    items.iter().map(line).collect()
}

/// The width of a picture and the number beside it, in widths of the picture.
const NUMBERED_WIDTH: f32 = 2.0;

/// Returns whether the pictures of all items fit into `width`. Each picture is `side` wide, and
/// pictures of one kind overlap by half. Assumes that a kind with 0 or more than 8 items has a
/// single picture with a number.
pub fn fits_one_by_one(counts: &[u32], width: f32, side: f32) -> bool {
    let of_one = |n: &u32| if *n == 0 || *n > 8 { NUMBERED_WIDTH } else { 1.0 + 0.5 * (n - 1) as f32 };
    let all: f32 = counts.iter().map(of_one).sum();
    all * side + 5.0 * counts.len() as f32 <= width
}

/// Returns the width, in points, of a supply with one picture and a number for each kind, in a row
/// with the height `height`.
pub fn width(items: &[SupplyItem], height: f32) -> f32 {
    items.iter().filter(|item| item.n > 0).count() as f32 * (height.min(MAX_SIDE) + NUMBER_WIDTH)
}

/// The largest side of a picture, in points.
const MAX_SIDE: f32 = 20.0;

/// The width of a number and the gaps around it, in points.
const NUMBER_WIDTH: f32 = 17.0;

/// Paints the supply of `seat` into `rect`. If not all kinds fit, paints three dots after the last
/// one.
pub fn paint(ui: &Ui, cx: &mut UiContext<'_>, rect: Rect, items: &[SupplyItem], seat: Seat) {
    let side = rect.height().min(MAX_SIDE);
    // The supplies of all players have the same form.
    let fits = |seat: Seat| {
        let counts: Vec<u32> = cx.session.view().supply(seat).iter().map(|item| item.n).collect();
        fits_one_by_one(&counts, rect.width(), side)
    };
    let one_by_one = cx.session.view().seats().all(fits);
    // If there is little room, omits kinds with no items in supply. The tooltip still shows them.
    let skips_none = one_by_one || items.len() as f32 * (side + NUMBER_WIDTH) <= rect.width();
    let painter = ui.painter_at(rect);
    let mut x = rect.left();
    for item in items.iter().filter(|i| skips_none || i.n > 0) {
        if x + side * 1.6 > rect.right() {
            let weak = ui.visuals().text_color();
            painter.text(pos2(x, rect.center().y), Align2::LEFT_CENTER, "…", FontId::proportional(12.0), weak);
            return;
        }
        let look = match item.kind {
            SupplyKind::Piece(kind) => piece_subject(cx, kind, Some(seat)),
            SupplyKind::Token => PictureSubject::Token(item.name.clone()),
        };
        let texture = cx.pictures.get(ui.ctx(), look, side);
        let at = |x: f32| Rect::from_min_size(pos2(x, rect.center().y - side / 2.0), Vec2::splat(side));
        if one_by_one && item.n <= 8 && item.n > 0 {
            for i in 0..item.n {
                paint_picture(&painter, texture, at(x + 0.5 * side * i as f32), Color32::WHITE);
            }
            x += side * (1.0 + 0.5 * (item.n - 1) as f32) + 5.0;
        } else {
            let tint = if item.n == 0 { Color32::WHITE.gamma_multiply(0.35) } else { Color32::WHITE };
            paint_picture(&painter, texture, at(x), tint);
            x += side + 1.0 + paint_number(&painter, ui, pos2(x + side + 1.0, rect.center().y), item.n) + 5.0;
        }
    }
}

fn paint_number(painter: &Painter, ui: &Ui, at: egui::Pos2, n: u32) -> f32 {
    let colour = if n == 0 { ui.visuals().weak_text_color() } else { ui.visuals().text_color() };
    painter.text(at + vec2(0.0, 0.0), Align2::LEFT_CENTER, n, FontId::proportional(11.5), colour).width()
}

#[cfg(test)]
mod tests {
    use table::PieceKindIdx;

    use super::*;

    #[test]
    fn few_things_are_shown_one_by_one() {
        assert!(fits_one_by_one(&[7], 100.0, 18.0));
        assert!(!fits_one_by_one(&[7, 1, 1, 1], 100.0, 18.0));
        assert!(fits_one_by_one(&[20], 45.0, 18.0));
        assert!(fits_one_by_one(&[], 0.0, 18.0));
    }

    #[test]
    fn supplies_are_told_in_words() {
        let item = |kind, name: &str, title: &str, n, n_at_start| SupplyItem {
            kind,
            name: name.to_owned(),
            title: title.to_owned(),
            n,
            n_at_start,
        };
        let piece = item(SupplyKind::Piece(PieceKindIdx(0)), "large", "large follower", 1, 2);
        let token = item(SupplyKind::Token, "wine", "wine", 2, 0);
        assert_eq!(supply_lines(&[piece, token]), ["large follower: 1 of 2 in supply", "wine: 2"]);
    }
}
