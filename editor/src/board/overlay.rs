//! Overlays: owners, odds, names, values, the last ten turns, and the grid.

use egui::epaint::Mesh;
use egui::{Color32, FontId, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};
use table::{FeatureView, Revision, Seat, Snapshot, Spot};

use super::board_cache::{BoardCache, Figure};
use super::camera::square;
use super::highlight::{Brushes, lines_around, pattern_of};
use super::paint::{figure_rect, figure_size};
use super::pattern::FillPattern;
use super::scene::{CHIP_COLOUR, Scene, adjusted_for_table, fill};
use crate::cached::Cached;
use crate::settings::HintLevel;
use crate::ui_context::UiContext;

/// The key of the cached areas: the revision, the version of the insights, true if the overlay of
/// grounds is on, true if the overlay of owners is on, and the colours of seats.
type AreasKey = (Revision, u64, bool, bool, Vec<[u8; 3]>);

/// The overlays that are costly to compute, cached until their key changes.
#[derive(Default)]
pub struct OverlayPainter {
    /// The filled areas: a mesh for each fill pattern, then a mesh of the outlines. Coordinates are
    /// in tiles.
    meshes: Cached<AreasKey, Vec<Mesh>>,
    /// The projected score of each piece in [`BoardCache::figures`]; `None` if the score is unknown
    /// or the piece has no score.
    values: Cached<(Revision, u64), Vec<Option<i64>>>,
}

impl OverlayPainter {
    /// Draws the overlays below the pieces: areas, the last ten turns, and the grid.
    pub fn draw_below_pieces(
        &mut self,
        scene: &Scene<'_>,
        cx: &mut UiContext<'_>,
        brushes: &mut Brushes,
        cache: &BoardCache,
    ) {
        let overlays = cx.view_state.overlays;
        let is_purist = cx.hints() == HintLevel::Purist;
        if !is_purist && (overlays.fields || overlays.owners) {
            self.draw_areas(scene, cx, brushes);
        }
        if overlays.recent {
            draw_recent_turns(scene, cx, cache);
        }
        if overlays.grid {
            draw_grid(scene);
        }
    }

    /// Draws the overlays above the pieces: values and names.
    pub fn draw_above_pieces(&mut self, scene: &Scene<'_>, cx: &mut UiContext<'_>, cache: &BoardCache) {
        if cx.view_state.overlays.values && cx.hints() != HintLevel::Purist {
            self.draw_values(scene, cx, cache);
        }
        if cx.view_state.overlays.names {
            draw_names(scene);
        }
    }

    fn draw_areas(&mut self, scene: &Scene<'_>, cx: &mut UiContext<'_>, brushes: &mut Brushes) {
        let overlays = cx.view_state.overlays;
        let key =
            (scene.session.revision(), cx.insight.version(), overlays.fields, overlays.owners, cx.colours.clone());
        let meshes = self.meshes.refresh(key, || find_areas(scene, cx, brushes));
        meshes.iter().for_each(|mesh| scene.board_mesh(mesh));
    }

    fn draw_values(&mut self, scene: &Scene<'_>, cx: &mut UiContext<'_>, cache: &BoardCache) {
        let key = (scene.session.revision(), cx.insight.version());
        let value = |figure: &Figure| cx.insight.piece_value(scene.session, figure.piece);
        let values = self.values.refresh(key, || cache.figures.iter().map(value).collect());
        let size = (figure_size(scene.camera.zoom, scene.screen.ctx().pixels_per_point()) * 0.36).clamp(10.0, 20.0);
        for (figure, value) in cache.figures.iter().zip(values.iter()) {
            let rect = figure_rect(scene, figure);
            if let (Some(value), true) = (value, scene.camera.drawn.intersects(rect)) {
                let at = rect.right_top();
                let fill = if *value > 0 { CHIP_COLOUR } else { Color32::from_rgb(110, 40, 30) };
                scene.badge(at, value.to_string(), size, fill);
            }
        }
    }
}

/// Returns the pattern that fills a feature; `None` if the overlays do not fill the feature.
fn pattern_for(cx: &mut UiContext<'_>, session: &Snapshot, feature: &FeatureView) -> Option<FillPattern> {
    let overlays = cx.view_state.overlays;
    let is_wanted = overlays.fields && feature.is_ground || overlays.owners && feature.has_pieces;
    // Until the game thread has found the owners, fills the feature as a feature without owners.
    let owners = is_wanted.then(|| cx.insight.owners(session, feature.feature).unwrap_or_default())?;
    Some(pattern_of(cx, &owners))
}

fn find_areas(scene: &Scene<'_>, cx: &mut UiContext<'_>, brushes: &mut Brushes) -> Vec<Mesh> {
    let mut meshes: Vec<Mesh> = Vec::new();
    let mut lines = Mesh::default();
    for feature in scene.view.features() {
        let Some(pattern) = pattern_for(cx, scene.session, &feature) else { continue };
        let texture = brushes.patterns.texture(scene.screen.ctx(), &pattern);
        let number = meshes.iter().position(|m| m.texture_id == texture).unwrap_or(meshes.len());
        if number == meshes.len() {
            meshes.push(Mesh::with_texture(texture));
        }
        for zone in feature.zones {
            let placed = scene.view.tile_of_zone(zone);
            let areas = brushes.areas.of(&scene.art, placed.tile, placed.facing);
            let Some(area) = areas.get(placed.local_index(zone)) else { continue };
            let corner = square(placed.spot).min.to_vec2();
            fill(&mut meshes[number], area, corner, Color32::WHITE);
            lines_around(scene.view, placed.spot, area, |line| add_line(&mut lines, line, corner));
        }
    }
    meshes.push(lines);
    meshes
}

/// Adds a thin line to a mesh whose coordinates are in tiles.
fn add_line(mesh: &mut Mesh, line: &[Pos2], corner: Vec2) {
    let ink = Color32::from_black_alpha(130);
    for ends in line.windows(2) {
        let along = ends[1] - ends[0];
        let across = along.normalized().rot90() * 0.007;
        let first = mesh.vertices.len() as u32;
        for point in [ends[0] - across, ends[0] + across, ends[1] - across, ends[1] + across] {
            mesh.colored_vertex(point + corner, ink);
        }
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first + 1, first + 2, first + 3);
    }
}

/// Marks the tiles of the last turns; marks of older turns are fainter.
fn draw_recent_turns(scene: &Scene<'_>, cx: &UiContext<'_>, cache: &BoardCache) {
    for (spot, seat, age) in cache.recent.iter().filter(|(spot, ..)| scene.camera.is_visible(*spot)) {
        let fresh = 1.0 - *age as f32 / 10.0;
        let rect = scene.camera.spot_rect(*spot);
        scene.screen.rect_filled(rect, 0.0, cx.colour(*seat).gamma_multiply(0.12 + 0.4 * fresh));
        if scene.camera.zoom >= 48.0 {
            let text = match age {
                0 => "now".to_owned(),
                n => format!("-{n}"),
            };
            scene.badge(rect.left_bottom() + vec2(18.0, -13.0), text, 11.0, cx.colour(*seat));
        }
    }
}

fn draw_grid(scene: &Scene<'_>) {
    let view = scene.camera.drawn;
    let seen = Rect::from_min_max(scene.camera.to_board(view.min), scene.camera.to_board(view.max));
    let stroke = Stroke::new(1.0, Color32::WHITE.gamma_multiply(0.2));
    let origin = Stroke::new(1.5, Color32::WHITE.gamma_multiply(0.4));
    let mut shapes = Vec::new();
    for x in seen.min.x.floor() as i32..=seen.max.x.ceil() as i32 {
        let at = scene.camera.to_screen(pos2(x as f32, 0.0)).x;
        shapes.push(Shape::vline(at, view.y_range(), if x == 0 { origin } else { stroke }));
    }
    for y in seen.min.y.floor() as i32..=seen.max.y.ceil() as i32 {
        let at = scene.camera.to_screen(pos2(0.0, y as f32)).y;
        shapes.push(Shape::hline(view.x_range(), at, if y == 0 { origin } else { stroke }));
    }
    scene.screen.extend(shapes);
}

/// Draws the names of tiles, without the ids of their mods, and the coordinates of tiles and open
/// spots.
fn draw_names(scene: &Scene<'_>) {
    let zoom = scene.camera.zoom;
    if zoom < 30.0 {
        return;
    }
    let size = (zoom * 0.11).clamp(9.0, 15.0);
    for placed in scene.view.tiles().iter().filter(|t| scene.camera.is_visible(t.spot)) {
        let name = scene.view.tiles_declared().name(placed.tile);
        let short = name.rsplit('/').next().unwrap_or(name);
        draw_label(scene, placed.spot, format!("{short} · {}", placed.spot), size);
    }
    for spot in scene.view.open_spots().filter(|spot| scene.camera.is_visible(*spot)) {
        draw_label(scene, spot, spot.to_string(), size);
    }
}

/// Draws a small text on a dark strip at the upper edge of a spot. Draws nothing if the text is
/// wider than the spot.
fn draw_label(scene: &Scene<'_>, spot: Spot, text: String, size: f32) {
    let room = scene.camera.spot_rect(spot);
    let galley = scene.screen.layout_no_wrap(text, FontId::proportional(size), Color32::WHITE);
    if galley.size().x > room.width() {
        return;
    }
    let middle = room.center_top() + vec2(0.0, size * 0.8);
    let rect = Rect::from_center_size(middle, galley.size() + vec2(6.0, 0.0));
    scene.screen.rect_filled(rect, 2.0, CHIP_COLOUR);
    scene.screen.galley(rect.min + vec2(3.0, 0.0), galley, Color32::WHITE);
}

/// Draws the odds of an open spot: the number of remaining tiles that fit, and `chance`. `chance`
/// is the probability, from 0 to 1, that the player of the turn draws a fitting tile before the end
/// of the game.
pub fn draw_odds(scene: &Scene<'_>, spot: Spot, n_fits: usize, chance: f64) {
    let rect = scene.camera.spot_rect(spot);
    let zoom = scene.camera.zoom;
    if zoom < 24.0 {
        return;
    }
    let white = Color32::WHITE;
    let size = (zoom * 0.22).clamp(10.0, 26.0);
    let at = rect.center() - vec2(0.0, if zoom >= 44.0 { size * 0.3 } else { 0.0 });
    scene.screen.text(at, egui::Align2::CENTER_CENTER, n_fits.to_string(), FontId::proportional(size), white);
    if zoom >= 44.0 {
        let text = format!("{:.0}%", chance * 100.0);
        let at = rect.center() + vec2(0.0, size * 0.6);
        let font = FontId::proportional((size * 0.55).max(9.0));
        scene.screen.text(at, egui::Align2::CENTER_CENTER, text, font, white.gamma_multiply(0.85));
    }
}

/// Returns the colour in which lines on the table show `seat`. Returns white if `seat` is `None`.
pub fn line_colour(cx: &UiContext<'_>, seat: Option<Seat>) -> Color32 {
    seat.map_or(Color32::WHITE, |seat| adjusted_for_table(cx.colour(seat)))
}
