//! The points of the last round or of the final count, beside the features that brought them.

use std::sync::Arc;

use egui::vec2;
use table::{Award, FeatureRef, Step};

use super::board_cache::piece_position;
use super::paint::figure_size;
use super::scene::Scene;
use crate::panels::widgets::signed;
use crate::ui_context::UiContext;

/// The size of a tile on the screen, in points, from which the points are legible.
const VISIBLE_FROM: f32 = 26.0;

/// The opacity of the points of the last round, from 0 to 1. Those of the final count are opaque.
const OPACITY_DURING_GAME: f32 = 0.75;

/// Draws the points that features brought within the last round or, after the game, in the final
/// count, in the colours of the players. Draws nothing while the board explains other points.
pub fn draw(scene: &Scene<'_>, cx: &UiContext<'_>) {
    if scene.camera.zoom < VISIBLE_FROM || !cx.view_state.explained.is_empty() {
        return;
    }
    let session = scene.session;
    let steps = &session.steps()[..session.position_index().min(session.steps().len())];
    let is_over = scene.view.is_over();
    let awards: Vec<&Arc<Award>> = match steps.last() {
        Some(last) if is_over => last.awards.iter().collect(),
        _ => awards_of_round(steps, scene.view.n_seats()),
    };
    let opacity = if is_over { 1.0 } else { OPACITY_DURING_GAME };
    let size = (scene.camera.zoom * 0.2).clamp(11.0, 20.0);
    // The points are above the piece, so that they do not hide whose it is.
    let piece = figure_size(scene.camera.zoom, scene.screen.ctx().pixels_per_point());
    let up = vec2(0.0, (piece + size) * 0.55);
    let mut drawn: Vec<FeatureRef> = Vec::new();
    for award in awards.into_iter().filter(|award| award.points != 0) {
        let Some(feature) = award.feature.filter(|feature| scene.view.has_feature(*feature)) else { continue };
        // The points of several players for one feature are above each other.
        let n_below = drawn.iter().filter(|other| **other == feature).count();
        drawn.push(feature);
        let place = piece_position(&scene.art, scene.view, feature.anchor, 0);
        let at = scene.camera.to_screen(place) - up - vec2(0.0, n_below as f32 * (size + 6.0));
        if scene.camera.drawn.contains(at) {
            scene.badge(at, signed(award.points), size, cx.colour(award.player).gamma_multiply(opacity));
        }
    }
}

/// Returns the awards of the last round: of as many turns as there are seats, up to the last step.
fn awards_of_round(steps: &[Arc<Step>], n_seats: usize) -> Vec<&Arc<Award>> {
    let Some(now) = steps.last().map(|step| step.turn) else { return Vec::new() };
    let is_recent = |step: &&Arc<Step>| now.saturating_sub(step.turn) < n_seats as u32;
    let mut recent: Vec<&Arc<Step>> = steps.iter().rev().take_while(is_recent).collect();
    recent.reverse();
    recent.into_iter().flat_map(|step| &step.awards).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panels::log_rows::tests::{award, line_of, step};

    #[test]
    fn a_round_has_as_many_turns_as_seats() {
        let mut steps: Vec<Step> = (1..=4).map(|turn| step(turn, "pass")).collect();
        steps[0].awards = vec![award(0, 3, "road")];
        steps[2].awards = vec![award(1, 9, "city")];
        steps[3].awards = vec![award(0, 2, "road")];
        let steps = line_of(steps);
        let points = |n: usize| awards_of_round(&steps[..n], 2).iter().map(|it| it.points).collect::<Vec<i64>>();
        assert_eq!(points(4), [9, 2]);
        assert_eq!(points(2), [3]);
        assert!(points(0).is_empty());
    }
}
