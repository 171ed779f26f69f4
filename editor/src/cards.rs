//! The cards on the board in the workspace [`Play`](crate::settings::Workspace::Play): the drawn
//! tile, the question, the players and, if the user wants it, the log.

use egui::{Area, Context, Frame, Id, Margin, Order, Rect, Ui, UiBuilder, Vec2, pos2, vec2};

use crate::layout;
use crate::panels;
use crate::panels::Pane;
use crate::ui_context::UiContext;

/// The board, and the panels that are always cards. The log is a card only if the user shows it.
pub const PANES: [Pane; 4] = [Pane::Board, Pane::Next, Pane::Prompt, Pane::Players];

/// The size of the smallest wide window with room for cards, in points.
const MIN_WINDOW_SIZE: Vec2 = vec2(680.0, 380.0);

/// The size of the smallest tall window with room for cards, in points.
const MIN_TALL_WINDOW_SIZE: Vec2 = vec2(340.0, 560.0);

/// The smallest and the largest width of the column of cards, in points.
const WIDTHS: [f32; 2] = [204.0, 284.0];

/// The width of the column of cards on a small board, as a fraction of the width of the board.
const COLUMN_SHARE: f32 = 0.34;

/// The gap between cards, and between a card and the edge of the board, in points.
const GAP: f32 = 8.0;

/// The height of the card with the drawn tile, in points.
const NEXT_TILE_HEIGHT: f32 = 124.0;

/// The smallest height of the drawn tile and the players in a tall window, in points.
const MIN_ROW_HEIGHT: f32 = 124.0;

/// The width of the drawn tile in a tall window, as a fraction of the width of the window.
const NEXT_TILE_SHARE: f32 = 0.36;

/// The height of a usual question, as a fraction of the height of a tall board.
const USUAL_QUESTION_SHARE: f32 = 0.25;

/// The maximum height of a question, as a fraction of the height of a tall board. A longer question
/// scrolls.
const MAX_QUESTION_SHARE: f32 = 0.35;

/// The largest height of a player's row, in points.
const MAX_ROW_HEIGHT: f32 = 50.0;

/// The size of the card with the log, in points.
const LOG_SIZE: Vec2 = vec2(480.0, 210.0);

/// Returns whether a window of this size, in points, has room for cards.
pub fn has_room(window: Vec2) -> bool {
    let least = if layout::is_tall(window) { MIN_TALL_WINDOW_SIZE } else { MIN_WINDOW_SIZE };
    window.x >= least.x && window.y >= least.y
}

/// The rectangles of the cards, in points of the screen.
struct CardRects {
    next: Rect,
    /// The largest rectangle that the card of the question may take. The card is only as high as
    /// its content.
    question: Rect,
    players: Rect,
    log: Rect,
    /// The part of the board beside or above the cards.
    free: Rect,
}

impl CardRects {
    /// Places the cards on the board. `question_height` is the height of the whole question, in
    /// points; `None` before it was drawn.
    fn new(board: Rect, n_seats: usize, is_tall: bool, question_height: Option<f32>) -> CardRects {
        if is_tall { CardRects::below(board, n_seats, question_height) } else { CardRects::beside(board, n_seats) }
    }

    /// Places the cards at the bottom of a tall board: the drawn tile beside the players, and the
    /// question over the whole width below them. The question is as high as its content, but the
    /// free part of the board leaves room for a usual question, so that it seldom changes.
    fn below(board: Rect, n_seats: usize, question_height: Option<f32>) -> CardRects {
        let usual = board.height() * USUAL_QUESTION_SHARE;
        let question = question_height.unwrap_or(usual).min(board.height() * MAX_QUESTION_SHARE);
        let cards = CardRects::above_question(board, n_seats, question);
        let CardRects { free, log, .. } = CardRects::above_question(board, n_seats, question.max(usual));
        CardRects { free, log, ..cards }
    }

    fn above_question(board: Rect, n_seats: usize, question: f32) -> CardRects {
        let inner = board.shrink(GAP);
        let row = panels::players_heights(n_seats, MAX_ROW_HEIGHT).0.max(MIN_ROW_HEIGHT);
        let (above, question) = inner.split_top_bottom_at_y(inner.bottom() - question);
        let (above, row) = above.split_top_bottom_at_y(above.bottom() - GAP - row);
        let row = row.with_max_y(row.bottom() - GAP);
        let (next, players) = row.split_left_right_at_fraction(NEXT_TILE_SHARE);
        let free = board.with_max_y(above.bottom() - GAP);
        let log = Rect::from_min_max(pos2(inner.left(), above.center().y), above.max - vec2(0.0, GAP));
        CardRects { next: next.with_max_x(next.right() - GAP), question, players, log, free }
    }

    /// Places the cards in a column at the right of the board.
    fn beside(board: Rect, n_seats: usize) -> CardRects {
        let [narrow, wide] = WIDTHS;
        let left = board.right() - (board.width() * COLUMN_SHARE).clamp(narrow, wide) - GAP;
        let column = Rect::from_min_max(pos2(left, board.top() + GAP), board.max - Vec2::splat(GAP));
        let (least, most) = panels::players_heights(n_seats, MAX_ROW_HEIGHT);
        let players = most.min(column.height() * 0.45).max(least.min(column.height() * 0.5));
        let (next, rest) = column.split_top_bottom_at_y(column.top() + NEXT_TILE_HEIGHT);
        let (question, players) = rest.split_top_bottom_at_y(rest.bottom() - players);
        let question = Rect::from_min_max(question.min + vec2(0.0, GAP), question.max - vec2(0.0, GAP));
        let free = Rect::from_min_max(board.min, pos2(column.left(), board.bottom()));
        let log = Rect::from_min_max(
            pos2(free.left() + GAP, (free.bottom() - GAP - LOG_SIZE.y).max(free.center().y)),
            pos2((free.left() + GAP + LOG_SIZE.x).min(free.right() - GAP), free.bottom() - GAP),
        );
        CardRects { next, question, players, log, free }
    }
}

/// Draws the cards over the board, whose rectangle is `board`, in points of the screen. In a tall
/// window, they are at the bottom, otherwise at the right.
pub fn show(ctx: &Context, cx: &mut UiContext<'_>, board: Rect) {
    let is_tall = cx.settings.is_tall;
    let height = cx.view_state.question_height;
    let rects = CardRects::new(board, cx.session.view().n_seats(), is_tall, height);
    card(ctx, "next", rects.next, true, |ui| panels::next_tile(ui, cx));
    // In a tall window, the question may grow beyond the lower edge while it is measured.
    let room = board.height() * MAX_QUESTION_SHARE;
    let question = if is_tall { rects.question.with_max_y(rects.question.top() + room) } else { rects.question };
    card(ctx, "question", question, false, |ui| panels::prompt(ui, cx));
    if is_tall && cx.view_state.question_height != height {
        ctx.request_discard("the height of the question");
    }
    card(ctx, "players", rects.players, true, |ui| panels::players(ui, cx));
    if cx.settings.shows_log {
        card(ctx, "log", rects.log, true, |ui| panels::log(ui, cx));
    }
}

/// Returns the largest part of a board with the rectangle `board` that no card covers.
pub fn uncovered_rect(board: Rect, cx: &UiContext<'_>) -> Rect {
    let (n_seats, is_tall) = (cx.session.view().n_seats(), cx.settings.is_tall);
    let CardRects { free, log, .. } = CardRects::new(board, n_seats, is_tall, cx.view_state.question_height);
    if cx.settings.shows_log { Rect::from_min_max(free.min, pos2(free.right(), log.top())) } else { free }
}

/// Draws a card. If `is_filled` is true, the card fills `rect`; otherwise it is only as high as its
/// content.
fn card(ctx: &Context, name: &str, rect: Rect, is_filled: bool, add: impl FnOnce(&mut Ui)) {
    let id = Id::unique("card").with(name);
    // The area takes clicks and drags between the widgets of the card, so that they do not reach
    // the board.
    let area = Area::new(id).order(Order::Background).movable(false).constrain(false).fixed_pos(rect.min);
    let area = area.sense(egui::Sense::click_and_drag());
    area.show(ctx, |ui| {
        let visuals = ui.visuals();
        let stroke = visuals.widgets.noninteractive.bg_stroke;
        let frame = Frame::new().fill(visuals.panel_fill).stroke(stroke).corner_radius(8).shadow(visuals.popup_shadow);
        let mut child = ui.new_child(UiBuilder::new().max_rect(rect));
        child.set_clip_rect(rect.expand(GAP));
        frame.inner_margin(Margin::same(1)).show(&mut child, |ui| {
            ui.set_min_width(ui.available_width());
            if is_filled {
                ui.set_min_height(ui.available_height());
            }
            add(ui);
        });
        ui.expand_to_include_rect(child.min_rect());
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_leave_most_of_the_window_to_the_board() {
        let window = vec2(1366.0, 768.0);
        // The rectangle of the board: the window without the menu bar and the status line.
        let board = Rect::from_min_max(pos2(0.0, 25.0), pos2(1366.0, 744.0));
        let rects = CardRects::new(board, 4, false, None);
        // The size of a question with four choices.
        let question = vec2(WIDTHS[1], 150.0);
        let covered: f32 = [rects.next.size(), question, rects.players.size()].iter().map(|size| size.x * size.y).sum();
        assert!((board.area() - covered) / (window.x * window.y) > 0.8);
        assert!(rects.question.height() > 250.0);
    }

    #[test]
    fn no_card_covers_another_one() {
        for (size, n_seats) in [
            (MIN_WINDOW_SIZE, 2),
            (MIN_WINDOW_SIZE, 6),
            (vec2(1024.0, 600.0), 6),
            (vec2(2560.0, 1440.0), 3),
            (MIN_TALL_WINDOW_SIZE, 6),
            (vec2(390.0, 844.0), 2),
            (vec2(800.0, 1200.0), 6),
        ] {
            assert!(has_room(size));
            let board = Rect::from_min_size(pos2(0.0, 24.0), size - vec2(0.0, 46.0));
            for question_height in [None, Some(90.0), Some(130.0), Some(900.0)] {
                let CardRects { next, question, players, log, free } =
                    CardRects::new(board, n_seats, layout::is_tall(size), question_height);
                let all = [next, question, players, log];
                for (i, a) in all.iter().enumerate() {
                    assert!(a.is_positive() && board.contains_rect(*a), "{size} {n_seats}: {a}");
                    assert!(all[..i].iter().all(|b| !a.intersects(*b)), "{size} {n_seats}: {all:?}");
                }
                assert!(
                    [next, question, players].iter().all(|card| !card.intersects(free.shrink(0.5))),
                    "{size}: {all:?}"
                );
                if layout::is_tall(size) {
                    // Only a very long question takes more of the board.
                    let least = if question_height == Some(900.0) { 0.28 } else { 0.33 };
                    assert!(free.width() >= size.x && free.height() > least * size.y, "{size} {n_seats}: {free}");
                } else {
                    assert!(free.width() > 440.0);
                }
            }
        }
    }

    #[test]
    fn on_a_phone_the_question_is_as_high_as_its_content_and_the_board_stays() {
        let board = Rect::from_min_max(pos2(0.0, 50.0), pos2(390.0, 820.0));
        let rects = |height: f32| CardRects::new(board, 2, true, Some(height));
        for height in [80.0, 150.0, 190.0] {
            let of_height = rects(height);
            assert_eq!(of_height.question.height(), height);
            assert_eq!(of_height.question.bottom(), board.bottom() - GAP);
            assert_eq!(of_height.free, rects(80.0).free, "the view of the board does not jump");
        }
        // Six choices, the question and the player fit without scrolling.
        assert!(rects(260.0).question.height() == 260.0 && rects(900.0).question.height() < 300.0);
    }
}
