//! Movement of the camera: by the user, by commands, and automatically when the board grows.

use egui::{PointerButton, Pos2, Rect, Response, Ui, Vec2};

use super::board_cache::BoardCache;
use table::Spot;

use super::camera::{Camera, square};
use crate::ghost_tile;
use crate::ui_context::UiContext;
use crate::view_state::ViewMove;

/// The camera and its destination.
#[derive(Debug, Default)]
pub struct CameraState {
    /// The current camera.
    pub camera: Camera,
    /// The destination, while the camera moves automatically.
    goal: Option<Camera>,
    /// True if the user has moved the view. If false, the whole board stays in view.
    is_free: bool,
    /// The size of the view in the last frame, in points; `None` before the first frame.
    size: Option<Vec2>,
    /// The part of the wheel movement that has had no effect yet, as a fraction of a notch.
    turned: f32,
}

impl CameraState {
    /// Moves the camera in response to pointer input and commands, and to keep new tiles in view.
    pub fn refresh(&mut self, ui: &Ui, cx: &mut UiContext<'_>, cache: &BoardCache, board: &Response) {
        let free = cx.view_state.uncovered.unwrap_or(board.rect).intersect(board.rect);
        let view = if free.is_positive() { free } else { board.rect };
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
        let places = cache.legal.iter().map(|(spot, _)| square(*spot)).fold(bounds, Rect::union);
        self.keep_in_sight(bounds, places, cx.settings.is_animated());
        self.animate_to_goal(ui);
    }

    /// Centres the view on a point of the board.
    pub fn look_at(&mut self, middle: Pos2) {
        self.goal = None;
        self.is_free = true;
        self.camera.middle = middle;
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

    /// Keeps all tiles (within `bounds`) and all legal spots of the next tile (within `places`) in
    /// view, unless the user has moved the view.
    fn keep_in_sight(&mut self, bounds: Rect, places: Rect, motion: bool) {
        let size = self.camera.view.size();
        let is_resized = self.size != Some(size);
        let is_first = self.size.is_none();
        if !self.is_free {
            let fit = self.camera.fitted(bounds);
            let now = self.goal.unwrap_or(self.camera);
            // Allows a small margin, because `fitted` may be off by a rounding error.
            let shows_all = now.visible_rect().expand(0.01).contains_rect(bounds.expand(0.7).union(places));
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
        it.keep_in_sight(row, places, false);
        assert!(it.camera.visible_rect().expand(0.01).contains_rect(places));
        // Tests that the view stays if the user has moved it.
        let mut it = CameraState { camera, size: Some(view.size()), is_free: true, ..CameraState::default() };
        it.keep_in_sight(row, places, false);
        assert_eq!(it.camera, camera);
    }
}
