//! Explains awards on the board: shows their features, and puts numbers on the tiles, zones or
//! pieces that their formulas count.

use std::sync::Arc;

use egui::epaint::Mesh;
use egui::{Color32, Pos2, Rect, RectAlign, Shape, Ui, vec2};
use rustc_hash::FxHashSet;
use table::{Award, CountedThing, Revision, Spot, Target, counted_things};

use super::board_cache::piece_position;
use super::scene::{CHIP_COLOUR, Scene};
use super::tooltip;
use crate::cached::Cached;
use crate::panels::log::explain_award;
use crate::panels::widgets::signed;
use crate::ui_context::UiContext;
use crate::windows;

/// The colours of the numbers: the first for the first factor of a formula, the second for all
/// other factors.
const NUMBERS: [Color32; 2] = [CHIP_COLOUR, Color32::from_rgb(240, 190, 90)];

/// The width of a tile on the screen, in points, below which there is no room for numbers.
const NUMBERS_FROM: f32 = 20.0;

/// A number on an element of the board that a formula counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CountNumber {
    /// The number, counted from 1 for each factor of a formula.
    pub number: usize,
    /// The centre of the number, in tiles.
    pub at: Pos2,
    /// True unless the number belongs to the first factor, which usually counts tiles.
    pub is_further: bool,
}

/// An award that the board explains.
#[derive(Debug)]
struct ExplainedAward {
    award: Arc<Award>,
    numbers: Vec<CountNumber>,
    /// The spots of the feature, and of the elements that the award's formula counts.
    spots: Vec<Spot>,
    /// The features to highlight.
    targets: Vec<Target>,
}

/// The awards that the board explains, with their numbers.
#[derive(Debug, Default)]
pub struct Explanation {
    awards: Cached<(Revision, Vec<Arc<Award>>), Vec<ExplainedAward>>,
}

impl Explanation {
    /// Finds the elements that the chosen awards count. Omits awards whose feature is not on the
    /// board at the current position.
    pub fn refresh(&mut self, scene: &Scene<'_>, cx: &UiContext<'_>) {
        let chosen = &cx.view_state.explained;
        let explain = |award: &Arc<Award>| explained(scene, award);
        let key = (cx.session.revision(), chosen.clone());
        self.awards.refresh(key, || chosen.iter().filter_map(explain).collect());
    }

    /// Returns the features to highlight.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        self.awards.iter().flat_map(|it| &it.targets)
    }

    /// Returns the numbers of all awards, one award after the other.
    pub fn numbers(&self) -> impl Iterator<Item = &CountNumber> {
        self.awards.iter().flat_map(|it| &it.numbers)
    }

    /// Darkens the tiles that no explained award counts.
    pub fn below(&self, scene: &Scene<'_>) {
        if self.awards.is_empty() {
            return;
        }
        let counted: FxHashSet<Spot> = self.awards.iter().flat_map(|it| &it.spots).copied().collect();
        let mut shade = Mesh::default();
        for placed in scene.view.tiles().iter().filter(|it| !counted.contains(&it.spot)) {
            if scene.camera.is_visible(placed.spot) {
                shade.add_colored_rect(scene.camera.spot_rect(placed.spot), Color32::from_black_alpha(120));
            }
        }
        scene.screen.add(Shape::mesh(shade));
    }

    /// Draws the numbers. If the board explains several awards, also draws the points of each
    /// award.
    pub fn above(&self, scene: &Scene<'_>) {
        let zoom = scene.camera.zoom;
        let size = (zoom * 0.19).clamp(10.0, 20.0);
        for number in self.numbers().filter(|_| zoom >= NUMBERS_FROM) {
            let at = scene.camera.to_screen(number.at);
            if scene.camera.drawn.contains(at) {
                scene.badge(at, number.number.to_string(), size, NUMBERS[usize::from(number.is_further)]);
            }
        }
        if self.awards.len() > 1 {
            for it in self.awards.iter() {
                if let Some(place) = it.bounds(scene) {
                    scene.badge(place.center(), signed(it.award.points), size * 1.5, Color32::WHITE);
                }
            }
        }
    }

    /// Returns whether a bubble explains the points: if the board explains a single award and its
    /// feature is in view. There is no need for a legend then.
    pub fn has_bubble(&self, scene: &Scene<'_>) -> bool {
        let [it] = &self.awards[..] else { return false };
        it.bounds(scene).is_some_and(|place| place.intersects(scene.camera.view))
    }

    /// Draws a bubble with the calculation of an award beside its feature, if the board explains a
    /// single award.
    pub fn bubble(&self, scene: &Scene<'_>, ui: &Ui, cx: &mut UiContext<'_>) {
        let [it] = &self.awards[..] else { return };
        let Some(place) = it.bounds(scene).filter(|_| self.has_bubble(scene)) else { return };
        let place = place.intersect(scene.camera.view);
        // A bubble above the feature could cover the legends of overlays.
        tooltip::bubble(scene, ui, "Points", place, RectAlign::RIGHT, |ui| {
            explain_award(ui, cx.session, &it.award);
            windows::thumbs(ui, cx, &it.award.reason);
            if ui.button("Close").on_hover_text("Esc").clicked() {
                cx.view_state.explained.clear();
            }
        });
    }
}

impl ExplainedAward {
    /// Returns the rectangle around the spots of the award, in points of the screen. Returns `None`
    /// if the award has no spots.
    fn bounds(&self, scene: &Scene<'_>) -> Option<Rect> {
        self.spots.iter().map(|spot| scene.camera.spot_rect(*spot)).reduce(Rect::union)
    }
}

fn explained(scene: &Scene<'_>, award: &Arc<Award>) -> Option<ExplainedAward> {
    let view = scene.view;
    let feature = award.feature.filter(|feature| view.has_feature(*feature))?;
    let mut spots: Vec<Spot> = view.zones(feature).map(|zone| view.tile_of_zone(zone).spot).collect();
    let mut targets = vec![Target::Feature(feature)];
    let mut numbers = Vec::new();
    for (factor, list) in counted_things(view, award).into_iter().enumerate() {
        let is_further = factor > 0;
        for (n, thing) in list.into_iter().enumerate() {
            let at = match thing {
                CountedThing::Tile(spot) => {
                    spots.push(spot);
                    super::camera::square(spot).min + vec2(0.17, 0.17)
                }
                CountedThing::Zone(zone) => piece_position(&scene.art, view, zone, 0) + vec2(0.17, 0.17),
                CountedThing::Feature(other) => {
                    spots.extend(view.zones(other).map(|zone| view.tile_of_zone(zone).spot));
                    targets.push(Target::Feature(other));
                    piece_position(&scene.art, view, other.anchor, 0)
                }
            };
            numbers.push(CountNumber { number: n + 1, at, is_further });
        }
    }
    Some(ExplainedAward { award: award.clone(), numbers, spots, targets })
}
