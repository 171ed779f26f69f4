//! The camera: the visible part of the board, and its scale.

use egui::{Pos2, Rect, Vec2, pos2, vec2};
use table::{Border, Corner, Spot};

/// The smallest width of a tile, in points.
pub const MIN_TILE_WIDTH: f32 = 12.0;

/// The largest width of a tile, in points.
pub const MAX_TILE_WIDTH: f32 = 512.0;

/// The largest width of a tile, in points, when the whole board is fitted into the view. Without
/// this limit, a single tile would fill the window.
const MAX_FITTED_TILE_WIDTH: f32 = 150.0;

/// A view of the board. The unit of board coordinates is a tile: the spot 2,1 covers 2 to 3
/// horizontally and 1 to 2 vertically.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Camera {
    /// The rectangle on the screen, in points, into which the board is fitted. No card of the
    /// window covers it.
    pub view: Rect,
    /// The rectangle on the screen, in points, in which the board is drawn. It contains `view`.
    pub drawn: Rect,
    /// The point of the board in the centre of the view.
    pub middle: Pos2,
    /// The width of a tile on the screen, in points.
    pub zoom: f32,
}

impl Default for Camera {
    fn default() -> Self {
        let view = Rect::from_min_size(Pos2::ZERO, Vec2::splat(1.0));
        Camera { view, drawn: view, middle: pos2(0.5, 0.5), zoom: 128.0 }
    }
}

/// Returns the square of a spot, in tiles.
pub fn square(spot: Spot) -> Rect {
    Rect::from_min_size(pos2(f32::from(spot.x), f32::from(spot.y)), Vec2::splat(1.0))
}

/// Returns the point of the board, in tiles, for a corner at which four spots meet.
pub fn point(corner: Corner) -> Pos2 {
    pos2(f32::from(corner.x), f32::from(corner.y))
}

/// Returns the middle of the edge between two spots, in tiles.
pub fn middle(border: Border) -> Pos2 {
    Pos2::from(border.middle())
}

impl Camera {
    /// Converts a point of the board to the screen.
    pub fn to_screen(self, point: Pos2) -> Pos2 {
        self.view.center() + (point - self.middle) * self.zoom
    }

    /// Converts a point of the screen to the board.
    pub fn to_board(self, place: Pos2) -> Pos2 {
        self.middle + (place - self.view.center()) / self.zoom
    }

    /// Converts a rectangle of the board to the screen.
    pub fn rect_to_screen(&self, part: Rect) -> Rect {
        Rect::from_min_max(self.to_screen(part.min), self.to_screen(part.max))
    }

    /// Returns the rectangle of a spot on the screen.
    pub fn spot_rect(&self, spot: Spot) -> Rect {
        self.rect_to_screen(square(spot))
    }

    /// Returns the spot at a point of the screen; `None` if the point is outside the grid.
    pub fn spot_at(&self, place: Pos2) -> Option<Spot> {
        let point = self.to_board(place).floor();
        let range = f32::from(i16::MIN)..=f32::from(i16::MAX);
        let is_inside = range.contains(&point.x) && range.contains(&point.y);
        is_inside.then(|| Spot::new(point.x as i16, point.y as i16))
    }

    /// Returns the part of the board in `view`.
    pub fn visible_rect(&self) -> Rect {
        Rect::from_min_max(self.to_board(self.view.min), self.to_board(self.view.max))
    }

    /// Returns whether any part of a spot is drawn.
    pub fn is_visible(&self, spot: Spot) -> bool {
        self.drawn.intersects(self.spot_rect(spot))
    }

    /// Returns the camera zoomed by `factor` around the point `place` of the screen.
    pub fn zoomed(self, place: Pos2, factor: f32) -> Camera {
        let held = self.to_board(place);
        let zoom = (self.zoom * factor).clamp(MIN_TILE_WIDTH, MAX_TILE_WIDTH);
        Camera { zoom, middle: held - (place - self.view.center()) / zoom, ..self }
    }

    /// Returns the camera panned by `by`, in points of the screen.
    pub fn panned(self, by: Vec2) -> Camera {
        Camera { middle: self.middle - by / self.zoom, ..self }
    }

    /// Returns a camera that shows all of `part`, given in tiles, with a margin of one tile. If
    /// tiles would be narrower than [`MIN_TILE_WIDTH`], shows only the middle of `part`.
    pub fn fitted(self, part: Rect) -> Camera {
        let part = part.expand(1.0);
        let room = self.view.size() / part.size();
        let zoom = room.min_elem().clamp(MIN_TILE_WIDTH, MAX_FITTED_TILE_WIDTH);
        Camera { zoom, middle: part.center(), ..self }
    }

    /// Returns the camera panned by the smallest distance that brings all of `part`, given in
    /// tiles, into view. If `part` is wider or higher than the view, centres it in this direction.
    pub fn panned_into_view(self, part: Rect) -> Camera {
        let seen = self.visible_rect();
        let along = |seen: [f32; 2], part: [f32; 2]| {
            if part[1] - part[0] > seen[1] - seen[0] {
                return (part[0] + part[1] - seen[0] - seen[1]) / 2.0;
            }
            (part[1] - seen[1]).max(0.0) + (part[0] - seen[0]).min(0.0)
        };
        let x = along([seen.min.x, seen.max.x], [part.min.x, part.max.x]);
        let y = along([seen.min.y, seen.max.y], [part.min.y, part.max.y]);
        Camera { middle: self.middle + vec2(x, y), ..self }
    }

    /// Returns the camera at the fraction `t` of the way to `goal`. Equal steps of `t` change the
    /// zoom by equal factors.
    pub fn moved_towards(self, goal: Camera, t: f32) -> Camera {
        let zoom = self.zoom * (goal.zoom / self.zoom).powf(t);
        Camera { zoom, middle: self.middle + (goal.middle - self.middle) * t, ..self }
    }

    /// Returns whether the difference between this camera and `other` is too small to be visible.
    pub fn is_at(&self, other: &Camera) -> bool {
        (self.zoom / other.zoom - 1.0).abs() < 0.002 && (self.middle - other.middle).length() * self.zoom < 0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn camera() -> Camera {
        let view = Rect::from_min_size(pos2(100.0, 50.0), vec2(800.0, 600.0));
        Camera { view, drawn: view, middle: pos2(2.5, -1.5), zoom: 64.0 }
    }

    fn near(a: Pos2, b: Pos2) -> bool {
        (a - b).length() < 1e-2
    }

    #[test]
    fn what_is_under_the_pointer_is_where_it_is_drawn() {
        let camera = camera();
        for spot in [Spot::new(0, 0), Spot::new(-3, 7), Spot::new(5, -2)] {
            let rect = camera.spot_rect(spot);
            assert_eq!(camera.spot_at(rect.center()), Some(spot));
            assert_eq!(camera.spot_at(rect.min + vec2(0.1, 0.1)), Some(spot));
            assert!((rect.width() - 64.0).abs() < 1e-3);
        }
        let place = pos2(321.0, 456.0);
        assert!(near(camera.to_screen(camera.to_board(place)), place));
        assert_eq!(camera.spot_at(pos2(1e9, 0.0)), None);
    }

    #[test]
    fn zooming_holds_what_is_under_the_pointer() {
        let camera = camera();
        let place = pos2(700.0, 120.0);
        for factor in [0.01, 0.5, 1.3, 100.0] {
            let zoomed = camera.zoomed(place, factor);
            assert!(near(zoomed.to_board(place), camera.to_board(place)), "{factor}");
            assert!((MIN_TILE_WIDTH..=MAX_TILE_WIDTH).contains(&zoomed.zoom));
        }
    }

    #[test]
    fn panning_moves_the_board_with_the_pointer() {
        let camera = camera();
        let point = pos2(1.0, 1.0);
        let moved = camera.panned(vec2(30.0, -12.0));
        assert!(near(moved.to_screen(point), camera.to_screen(point) + vec2(30.0, -12.0)));
    }

    #[test]
    fn fitting_shows_everything_with_a_tile_around() {
        let part = Rect::from_min_max(pos2(-6.0, -2.0), pos2(9.0, 14.0));
        let fitted = camera().fitted(part);
        assert!(fitted.view.expand(0.1).contains_rect(fitted.rect_to_screen(part.expand(1.0))));
        assert!(near(fitted.to_board(fitted.view.center()), part.center()));
        let single = camera().fitted(square(Spot::new(0, 0)));
        assert_eq!(single.zoom, MAX_FITTED_TILE_WIDTH);
        let huge = camera().fitted(Rect::from_min_max(pos2(-500.0, 0.0), pos2(500.0, 3.0)));
        assert_eq!(huge.zoom, MIN_TILE_WIDTH);
    }

    #[test]
    fn bringing_something_into_view_moves_no_more_than_it_must() {
        let camera = camera();
        let seen = square(Spot::new(2, -2));
        assert!(near(camera.panned_into_view(seen).middle, camera.middle));
        let outside = square(Spot::new(40, -2));
        let brought = camera.panned_into_view(outside);
        assert!(brought.view.expand(0.1).contains_rect(brought.rect_to_screen(outside)));
        assert!((brought.middle.y - camera.middle.y).abs() < 1e-4);
    }

    #[test]
    fn a_flight_ends_at_its_goal() {
        let (mut at, goal) = (camera(), camera().fitted(square(Spot::new(9, 9))));
        for _ in 0..40 {
            at = at.moved_towards(goal, 0.3);
        }
        assert!(at.is_at(&goal));
    }
}
