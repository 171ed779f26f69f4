//! Movement of the camera: by the user, by commands, and automatically when the board grows.

use egui::{PointerButton, Pos2, Rect, Response, Ui, Vec2};

use super::board_cache::BoardCache;
use table::Spot;

use super::camera::{Camera, MIN_TILE_WIDTH, square};
use crate::ghost_tile;
use crate::ui_context::UiContext;
use crate::view_state::ViewMove;

/// The width, in points, below which a tile is hard to recognize. If tiles would be narrower in a
/// view of the whole board, the view follows the play instead.
const MIN_READABLE_TILE: f32 = 40.0;

/// The number of tiles that a view shows in each direction, at least, when it follows the play. In
/// a small view, tiles may therefore be narrower than [`MIN_READABLE_TILE`].
const MIN_TILES_IN_VIEW: f32 = 12.0;

/// The maximum height that is kept free for legends, as a fraction of the board's height.
const MAX_COVERED: f32 = 0.4;

/// The camera and its destination.
#[derive(Debug, Default)]
pub struct CameraState {
    /// The current camera.
    pub camera: Camera,
    /// The part of the board that no card covers, in points of the screen. The camera's view is
    /// smaller if the window with the first steps is open.
    pub free: Option<Rect>,
    /// The part of the board in which notices may lie, in points of the screen. The camera's view
    /// is smaller if it contains legends of overlays.
    pub room: Option<Rect>,
    /// The height of the upper part of `room` that legends covered in the last frame, in points.
    pub covered: f32,
    /// The destination, while the camera moves automatically.
    goal: Option<Camera>,
    /// True if the user has moved the view. If false, the whole board stays in view.
    is_free: bool,
    /// The size of the view in the last frame, in points; `None` before the first frame.
    size: Option<Vec2>,
    /// The last tile and the legal spots of the next tile, in tiles, when the view followed the
    /// play last.
    followed: Option<Rect>,
    /// The part of the wheel movement that has had no effect yet, as a fraction of a notch.
    turned: f32,
}

impl CameraState {
    /// Moves the camera in response to pointer input and commands, and to keep new tiles in view.
    pub fn refresh(&mut self, ui: &Ui, cx: &mut UiContext<'_>, cache: &BoardCache, board: &Response) {
        let free = cx.view_state.uncovered.unwrap_or(board.rect).intersect(board.rect);
        self.free = Some(free);
        let free = cx.view_state.first_steps_rect.map_or(free, |window| largest_part_beside(free, window));
        let room = if free.is_positive() { free } else { board.rect };
        self.room = Some(room);
        let view = room.with_min_y(room.top() + self.covered.min(room.height() * MAX_COVERED));
        (self.camera.view, self.camera.drawn) = (view, board.rect);
        if let Some(goal) = &mut self.goal {
            (goal.view, goal.drawn) = (view, board.rect);
        }
        self.drag(board);
        if ui.rect_contains_pointer(board.rect) {
            self.handle_wheel(ui, cx, cache);
        }
        let bounds = cache.bounds.unwrap_or_else(|| square(Spot::new(0, 0)));
        let moves = std::mem::take(&mut cx.view_state.moves);
        moves.into_iter().for_each(|m| self.apply_move(m, bounds, cx.settings.is_animated()));
        let last = cx.session.view().tiles().last().map_or(bounds, |tile| square(tile.spot));
        let play = cache.legal.iter().map(|(spot, _)| square(*spot)).fold(last, Rect::union);
        let play = (!cx.session.view().is_over()).then_some(play);
        self.keep_in_sight(bounds, play, cx.settings.is_animated());
        self.animate_to_goal(ui);
    }

    /// Centres the view on a point of the board.
    pub fn look_at(&mut self, middle: Pos2) {
        self.set_by_user(Camera { middle, ..self.camera });
    }

    fn drag(&mut self, board: &Response) {
        let is_panning = board.dragged_by(PointerButton::Primary) || board.dragged_by(PointerButton::Middle);
        if is_panning && board.drag_delta() != Vec2::ZERO {
            self.set_by_user(self.camera.panned(board.drag_delta()));
        }
    }

    fn set_by_user(&mut self, camera: Camera) {
        self.goal = None;
        self.is_free = true;
        self.camera = camera;
    }

    /// Handles the wheel. Over a legal spot, the wheel with Shift turns the drawn tile; with the
    /// setting `wheel_turns`, the wheel without Shift turns it. In all other cases, the wheel
    /// zooms.
    fn handle_wheel(&mut self, ui: &Ui, cx: &mut UiContext<'_>, cache: &BoardCache) {
        let (shift, scroll, pinch, place) = ui.input(|i| {
            let scroll = i.smooth_scroll_delta();
            // With Shift, the system reports vertical scrolling as horizontal scrolling.
            (i.modifiers.shift, scroll.x + scroll.y, i.zoom_delta(), i.pointer.hover_pos())
        });
        let Some(place) = place else { return };
        let spot = cx.view_state.chosen.or_else(|| self.camera.spot_at(place));
        let is_on_place = ghost_tile::tile(cx.session).is_some()
            && cache.may_answer
            && spot.is_some_and(|spot| cache.facings(spot) != 0);
        if shift != cx.settings.wheel_turns && is_on_place {
            let n = self.notches(ui);
            (0..n.unsigned_abs()).for_each(|_| ghost_tile::rotate(cx.session, cx.insight, cx.view_state, n < 0));
        } else if scroll != 0.0 {
            self.set_by_user(self.camera.zoomed(place, (scroll * 0.0035).exp()));
        }
        if pinch != 1.0 {
            self.set_by_user(self.camera.zoomed(place, pinch));
        }
    }

    /// Returns the number of whole notches by which the user has turned the wheel; positive numbers
    /// are upwards. Stores the remaining fraction of a notch for the next call.
    fn notches(&mut self, ui: &Ui) -> i32 {
        let turned = |event: &egui::Event| match event {
            egui::Event::MouseWheel { unit, delta, .. } => {
                let notch = if *unit == egui::MouseWheelUnit::Point { 50.0 } else { 1.0 };
                (delta.x + delta.y) / notch
            }
            _ => 0.0,
        };
        self.turned += ui.input(|i| i.events.iter().map(turned).sum::<f32>());
        let n = self.turned.trunc();
        self.turned -= n;
        n as i32
    }

    fn apply_move(&mut self, it: ViewMove, bounds: Rect, motion: bool) {
        let now = self.goal.unwrap_or(self.camera);
        let middle = now.view.center();
        let goal = match it {
            ViewMove::Fit => now.fitted(bounds),
            ViewMove::Zoom100 => now.zoomed(middle, 128.0 / now.zoom),
            ViewMove::Zoom(factor) => now.zoomed(middle, factor),
            ViewMove::Pan(x, y) => now.panned(Vec2::new(x, y)),
            ViewMove::Show(spot) => now.panned_into_view(square(spot).expand(0.25)),
        };
        self.is_free = match it {
            ViewMove::Fit => false,
            ViewMove::Show(_) => self.is_free,
            _ => true,
        };
        self.move_to(goal, motion);
    }

    fn move_to(&mut self, goal: Camera, motion: bool) {
        if self.camera.is_at(&goal) {
            self.goal = None;
        } else if motion && self.size.is_some() {
            self.goal = Some(goal);
        } else {
            (self.camera, self.goal) = (goal, None);
        }
    }

    /// Keeps all tiles (within `bounds`) in view, and the last tile and all legal spots of the next
    /// tile (within `play`), unless the user has moved the view. If tiles would be too small, shows
    /// only the part of the board around `play`, whenever `play` changes. If `play` is `None`, as
    /// after the game, shows all tiles, however small.
    fn keep_in_sight(&mut self, bounds: Rect, play: Option<Rect>, motion: bool) {
        let size = self.camera.view.size();
        let is_resized = self.size != Some(size);
        let is_first = self.size.is_none();
        let fit = self.camera.fitted(bounds);
        let readable = MIN_READABLE_TILE.min(size.min_elem() / MIN_TILES_IN_VIEW).max(MIN_TILE_WIDTH);
        if self.is_free {
            self.followed = play;
        } else if let Some(play) = play.filter(|_| fit.zoom < readable) {
            if is_resized || self.followed.replace(play) != Some(play) {
                let now = self.goal.unwrap_or(self.camera);
                let middle = if is_first { fit.middle } else { now.middle };
                let goal = Camera { zoom: readable, middle, ..now };
                self.move_to(goal.panned_into_view(play.expand(0.7)), motion && !is_resized);
            }
        } else {
            let now = self.goal.unwrap_or(self.camera);
            // Allows a small margin, because `fitted` may be off by a rounding error.
            let shows_all =
                now.visible_rect().expand(0.01).contains_rect(bounds.expand(0.7).union(play.unwrap_or(bounds)));
            let is_far = now.zoom * 1.6 < fit.zoom;
            if is_resized || is_first {
                (self.camera, self.goal) = (fit, None);
            } else if !shows_all || is_far {
                self.move_to(fit, motion);
            }
        }
        self.size = Some(size);
    }

    fn animate_to_goal(&mut self, ui: &Ui) {
        let Some(goal) = self.goal else { return };
        let dt = ui.input(|i| i.stable_dt).min(0.25);
        self.camera = self.camera.moved_towards(goal, 1.0 - (-14.0 * dt).exp());
        if self.camera.is_at(&goal) {
            (self.camera, self.goal) = (goal, None);
        }
        ui.ctx().request_repaint();
    }
}

/// Returns the largest part of `free` that is left of, right of, above or below `window`.
fn largest_part_beside(free: Rect, window: Rect) -> Rect {
    if !free.intersects(window) {
        return free;
    }
    let parts = [
        free.with_max_x(window.left()),
        free.with_min_x(window.right()),
        free.with_max_y(window.top()),
        free.with_min_y(window.bottom()),
    ];
    let area = |part: &Rect| part.width().max(0.0) * part.height().max(0.0);
    parts.into_iter().max_by(|a, b| area(a).total_cmp(&area(b))).unwrap_or(free)
}

#[cfg(test)]
mod tests {
    use egui::{pos2, vec2};

    use super::*;

    #[test]
    fn all_places_of_the_next_tile_are_in_view() {
        let view = Rect::from_min_size(Pos2::ZERO, vec2(1000.0, 600.0));
        let row = Rect::from_min_size(pos2(0.0, 0.0), vec2(5.0, 1.0));
        let camera = Camera { view, drawn: view, middle: row.center(), zoom: 150.0 };
        let places = row.expand(1.0);
        let mut it = CameraState { camera, size: Some(view.size()), ..CameraState::default() };
        assert!(!it.camera.visible_rect().contains_rect(places));
        it.keep_in_sight(row, Some(places), false);
        assert!(it.camera.visible_rect().expand(0.01).contains_rect(places));
        // Tests that the view stays if the user has moved it.
        let mut it = CameraState { camera, size: Some(view.size()), is_free: true, ..CameraState::default() };
        it.keep_in_sight(row, Some(places), false);
        assert_eq!(it.camera, camera);
    }

    #[test]
    fn on_a_large_board_the_view_follows_the_play() {
        let view = Rect::from_min_size(Pos2::ZERO, vec2(1000.0, 600.0));
        let board = Rect::from_min_size(pos2(0.0, 0.0), vec2(60.0, 40.0));
        let mut it =
            CameraState { camera: Camera { view, drawn: view, ..Camera::default() }, ..CameraState::default() };
        for spot in [Spot::new(2, 3), Spot::new(55, 30)] {
            let play = square(spot).expand(2.0);
            it.keep_in_sight(board, Some(play), false);
            assert_eq!(it.camera.zoom, MIN_READABLE_TILE);
            assert!(it.camera.visible_rect().expand(0.01).contains_rect(play));
        }
        // The view stays until the play goes on, for example after the command that shows all.
        it.apply_move(ViewMove::Fit, board, false);
        let all = it.camera;
        it.keep_in_sight(board, Some(square(Spot::new(55, 30)).expand(2.0)), false);
        assert_eq!(it.camera, all);
        it.keep_in_sight(board, Some(square(Spot::new(54, 30))), false);
        assert_eq!(it.camera.zoom, MIN_READABLE_TILE);
        // After the game, the view shows the whole board.
        it.keep_in_sight(board, None, false);
        assert!(it.camera.visible_rect().expand(0.01).contains_rect(board));
    }

    #[test]
    fn the_view_avoids_a_window() {
        let free = Rect::from_min_size(Pos2::ZERO, vec2(1000.0, 600.0));
        let window = Rect::from_min_max(pos2(10.0, 300.0), pos2(340.0, 590.0));
        assert_eq!(largest_part_beside(free, window), free.with_min_x(340.0));
        assert_eq!(largest_part_beside(free, window.translate(vec2(0.0, 900.0))), free);
    }
}
