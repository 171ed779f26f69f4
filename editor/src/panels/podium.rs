//! The final scores as a podium: the highest score has the highest column.

use egui::{Align2, FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use table::Seat;

use super::widgets::{paint_seat_mark, paint_truncated, text_colour_on};
use crate::ui_context::UiContext;

/// Returns the rank, the seat and the score of each player, the best first. Players with equal
/// scores share a rank; rank 1 is the best.
pub fn ranking(scores: &[i64]) -> Vec<(usize, Seat, i64)> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by_key(|i| (std::cmp::Reverse(scores[*i]), *i));
    let place = |score: i64| 1 + scores.iter().filter(|s| **s > score).count();
    order.into_iter().map(|i| (place(scores[i]), Seat(i as u8), scores[i])).collect()
}

/// Returns a sentence about the winners `won`, which can be empty, with their points and their
/// lead. Omits points and lead if a mod names other winners than the players with the most points.
pub fn result_text(scores: &[i64], won: &[Seat], name: impl Fn(Seat) -> String) -> String {
    let ranking = ranking(scores);
    let winners: Vec<String> = won.iter().map(|seat| name(*seat)).collect();
    let Some((_, _, best)) = ranking.first() else { return "No players.".to_owned() };
    let is_first = |seat: Seat| ranking.iter().any(|(place, other, _)| *place == 1 && *other == seat);
    let n_first = ranking.iter().filter(|(place, ..)| *place == 1).count();
    if n_first != won.len() || !won.iter().all(|seat| is_first(*seat)) {
        return match winners.len() {
            0 => "Nobody wins.".to_owned(),
            1 => format!("{} wins.", winners.join("")),
            _ => format!("{} share the victory.", winners.join(" and ")),
        };
    }
    match (winners.len(), ranking.iter().find(|(place, ..)| *place > 1)) {
        (1, Some((_, second, score))) => {
            format!("{} wins with {best}, {} ahead of {}.", winners[0], best - score, name(*second))
        }
        (1, None) => format!("{} has {best}.", winners[0]),
        _ => format!("{} tie with {best} each.", winners.join(" and ")),
    }
}

/// Draws the final scores into the available room. A click on a column opens the player's score
/// sheet.
pub fn podium(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let view = cx.session.view();
    let scores = view.scores();
    ui.strong("Final scores");
    let ranking = ranking(&scores);
    let size = vec2(ui.available_width(), (ui.available_height() - 4.0).clamp(60.0, 220.0));
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let width = (area.width() / ranking.len().max(1) as f32).min(76.0);
    let left = area.center().x - width * ranking.len() as f32 / 2.0;
    let best = ranking.first().map_or(1, |r| r.2).max(1) as f32;
    for (i, (place, seat, score)) in ranking.into_iter().enumerate() {
        let cell = Rect::from_min_size(pos2(left + i as f32 * width, area.top()), vec2(width, area.height()));
        column(ui, cx, cell.shrink2(vec2(2.0, 0.0)), (place, seat, score), score.max(0) as f32 / best);
    }
}

fn column(ui: &mut Ui, cx: &mut UiContext<'_>, cell: Rect, (place, seat, score): (usize, Seat, i64), share: f32) {
    let name = cx.session.view().name(seat).to_owned();
    let response = ui.interact(cell, ui.scope_id().with(("podium", seat.0)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{name}: {score}, place {place}")));
    let colour = cx.colour(seat);
    let room = cell.height() - 44.0;
    let height = (room * share).max(18.0);
    let bar = Rect::from_min_max(pos2(cell.left(), cell.bottom() - height), cell.right_bottom());
    let painter = ui.painter();
    let rim = egui::Stroke::new(1.0, ui.visuals().weak_text_color());
    painter.rect(bar, 4.0, colour, rim, egui::StrokeKind::Inside);
    let text = FontId::proportional(11.5);
    let at = bar.center_bottom() - vec2(0.0, 3.0);
    painter.text(at, Align2::CENTER_BOTTOM, place, text.clone(), text_colour_on(colour));
    let above = bar.top();
    let strong = ui.visuals().strong_text_color();
    let at = pos2(cell.center().x - 9.0, above - 11.0);
    painter.text(at, Align2::LEFT_CENTER, score, FontId::proportional(15.0), strong);
    paint_seat_mark(painter, pos2(cell.center().x - 20.0, above - 11.0), 7.0, colour, seat);
    let at = pos2(cell.center().x, above - 26.0);
    paint_truncated(painter, at, Align2::CENTER_CENTER, &name, text, strong, cell.width());
    if response.clicked() {
        cx.view_state.windows.breakdown = Some(seat);
    }
    response.on_hover_text(format!("{name}: {score}, place {place}. Click for the score sheet."));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(seat: Seat) -> String {
        ["red", "blue", "green"][seat.idx()].to_owned()
    }

    #[test]
    fn equal_scores_share_a_place() {
        assert_eq!(ranking(&[3, 9, 9]), [(1, Seat(1), 9), (1, Seat(2), 9), (3, Seat(0), 3)]);
        assert!(ranking(&[]).is_empty());
    }

    #[test]
    fn results_are_told_in_a_sentence() {
        assert_eq!(result_text(&[31, 47], &[Seat(1)], name), "blue wins with 47, 16 ahead of red.");
        assert_eq!(result_text(&[9, 3, 9], &[Seat(0), Seat(2)], name), "red and green tie with 9 each.");
        assert_eq!(result_text(&[5], &[Seat(0)], name), "red has 5.");
        assert_eq!(result_text(&[], &[], name), "No players.");
        assert_eq!(result_text(&[31, 47], &[Seat(0)], name), "red wins.", "a mod may say so");
        assert_eq!(result_text(&[9, 9, 3], &[Seat(1)], name), "blue wins.");
    }
}
