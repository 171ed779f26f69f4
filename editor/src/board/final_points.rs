//! The points of the final count, beside the features that brought them.

use egui::vec2;

use super::board_cache::piece_position;
use super::scene::Scene;
use crate::panels::widgets::signed;
use crate::ui_context::UiContext;

/// The size of a tile on the screen, in points, from which the points are legible.
const VISIBLE_FROM: f32 = 26.0;

/// Draws the points that each feature brought at the end of the game, in the colour of the player.
/// Draws nothing during the game, at past positions, and while the board explains other points.
pub fn draw(scene: &Scene<'_>, cx: &UiContext<'_>) {
    let is_shown = scene.view.is_over() && scene.session.is_live() && cx.view_state.explained.is_empty();
    let Some(last) = scene.session.steps().last().filter(|_| is_shown && scene.camera.zoom >= VISIBLE_FROM) else {
        return;
    };
    let size = (scene.camera.zoom * 0.2).clamp(11.0, 20.0);
    let mut drawn: Vec<table::FeatureRef> = Vec::new();
    for award in last.awards.iter().filter(|award| award.points != 0) {
        let Some(feature) = award.feature.filter(|feature| scene.view.has_feature(*feature)) else { continue };
        // The points of several players for one feature are below each other.
        let n_above = drawn.iter().filter(|other| **other == feature).count();
        drawn.push(feature);
        let place = piece_position(&scene.art, scene.view, feature.anchor, 0) + vec2(0.24, -0.2);
        let at = scene.camera.to_screen(place) + vec2(0.0, n_above as f32 * (size + 6.0));
        if scene.camera.drawn.contains(at) {
            scene.badge(at, signed(award.points), size, cx.colour(award.player));
        }
    }
}
