//! Highlights of features, zones, spots and pieces: fills, frames and rings.

use egui::epaint::Mesh;
use egui::{Color32, Pos2, Shape, Stroke};
use table::{Answer, Edge, FeatureRef, GameView, OptionView, Seat, Spot, Target, ZoneRef};

use super::area::{Areas, ZoneArea};
use super::board_cache::{BoardCache, Figure};
use super::camera::{middle, point, square};
use super::paint;
use super::pattern::{FillPattern, FillPatterns};
use super::scene::{Scene, fill};
use crate::ui_context::UiContext;

/// The colour of all highlights except those of features.
pub const HIGHLIGHT_COLOUR: Color32 = Color32::from_rgb(255, 236, 120);

/// The resources for filling areas.
#[derive(Default)]
pub struct Brushes {
    /// Zones as triangles.
    pub areas: Areas,
    /// Patterns as textures.
    pub patterns: FillPatterns,
}

/// Returns the fill pattern of areas that the seats `owners` own.
pub fn pattern_of(cx: &UiContext<'_>, owners: &[Seat]) -> FillPattern {
    let rgb = |seat: &Seat| cx.rgb(*seat);
    match owners {
        [] => FillPattern::Dots,
        [one] => FillPattern::Owner(rgb(one), art::seat_symbol(one.idx())),
        more => FillPattern::Stripes(more.iter().map(rgb).collect()),
    }
}

/// Fills a feature in the colours of its owners and draws a bright line around it.
pub fn draw_feature(scene: &Scene<'_>, cx: &mut UiContext<'_>, brushes: &mut Brushes, feature: FeatureRef) {
    if !scene.view.has_feature(feature) {
        return;
    }
    let owners = cx.insight.owners(scene.session, feature).unwrap_or_default();
    let (mut mesh, colour) = match &owners[..] {
        [] => (Mesh::default(), Color32::WHITE.gamma_multiply(0.34)),
        [one] => (Mesh::default(), cx.colour(*one).gamma_multiply(0.5)),
        _ => {
            let texture = brushes.patterns.texture(scene.screen.ctx(), &pattern_of(cx, &owners));
            (Mesh::with_texture(texture), Color32::WHITE)
        }
    };
    let mut lines = Vec::new();
    for zone in scene.view.zones(feature) {
        add_zone(scene, brushes, zone, &mut mesh, colour, &mut lines);
    }
    scene.board_mesh(&mesh);
    draw_outline(scene, lines, Color32::WHITE);
}

/// Fills a single zone.
fn draw_zone(scene: &Scene<'_>, brushes: &mut Brushes, zone: ZoneRef) {
    if !scene.view.has_zone(zone) {
        return;
    }
    let (mut mesh, mut lines) = (Mesh::default(), Vec::new());
    add_zone(scene, brushes, zone, &mut mesh, HIGHLIGHT_COLOUR.gamma_multiply(0.45), &mut lines);
    scene.board_mesh(&mesh);
    draw_outline(scene, lines, HIGHLIGHT_COLOUR);
}

fn add_zone(
    scene: &Scene<'_>,
    brushes: &mut Brushes,
    zone: ZoneRef,
    mesh: &mut Mesh,
    colour: Color32,
    lines: &mut Vec<Vec<Pos2>>,
) {
    let placed = scene.view.tile_of_zone(zone);
    if !scene.camera.is_visible(placed.spot) {
        return;
    }
    let areas = brushes.areas.of(&scene.art, placed.tile, placed.facing);
    let Some(area) = areas.get(placed.local_index(zone)) else { return };
    let corner = square(placed.spot).min.to_vec2();
    fill(mesh, area, corner, colour);
    lines_around(scene.view, placed.spot, area, |line| {
        lines.push(line.iter().map(|p| scene.camera.to_screen(*p + corner)).collect());
    });
}

/// Calls `found` with each border line of a zone of the tile on `spot`, in coordinates in which the
/// tile is the unit square. Omits lines on edges that touch a neighbouring tile.
pub fn lines_around(view: GameView<'_>, spot: Spot, area: &ZoneArea, mut found: impl FnMut(&[Pos2])) {
    area.inner.iter().for_each(|line| found(line));
    for (edge, ends) in &area.outer {
        if view.neighbour(spot, Edge::from_index(*edge)).is_none() {
            found(ends);
        }
    }
}

fn draw_outline(scene: &Scene<'_>, lines: Vec<Vec<Pos2>>, colour: Color32) {
    let width = (scene.camera.zoom * 0.018).clamp(1.2, 3.0);
    let dark = Stroke::new(width + 1.6, Color32::from_black_alpha(140));
    scene.screen.extend(lines.iter().map(|line| Shape::line(line.clone(), dark)));
    scene.screen.extend(lines.into_iter().map(|line| Shape::line(line, Stroke::new(width, colour))));
}

/// Draws the highlights of all targets except pieces and players. Call this before drawing the
/// pieces.
pub fn draw_below_pieces(scene: &Scene<'_>, cx: &mut UiContext<'_>, brushes: &mut Brushes, targets: &[Target]) {
    let frame = |spot: Spot| scene.frame(scene.camera.spot_rect(spot).shrink(1.0), HIGHLIGHT_COLOUR, 3.0);
    let ring = |at: Pos2| scene.ring(scene.camera.to_screen(at), scene.camera.zoom * 0.2, HIGHLIGHT_COLOUR, 3.0);
    for target in targets {
        match target {
            Target::Feature(it) => draw_feature(scene, cx, brushes, *it),
            Target::Zone(it) => draw_zone(scene, brushes, *it),
            Target::Spot(spot) => frame(*spot),
            Target::Corner(corner) => ring(point(*corner)),
            Target::Border(border) => ring(middle(*border)),
            Target::Tiles(tile) => {
                let copies = scene.view.tiles().into_iter().filter(|it| it.tile == *tile);
                copies.filter(|it| scene.camera.is_visible(it.spot)).for_each(|it| frame(it.spot));
            }
            Target::Piece(_) | Target::Player(_) => {}
        }
    }
}

/// Draws a ring around each highlighted piece and each piece of a highlighted player.
pub fn draw_above_pieces(scene: &Scene<'_>, cache: &BoardCache, targets: &[Target]) {
    let is_meant = |figure: &&Figure| {
        targets.iter().any(|target| match target {
            Target::Piece(it) => *it == figure.piece,
            Target::Player(seat) => figure.owner == Some(*seat),
            _ => false,
        })
    };
    for figure in cache.figures.iter().filter(is_meant) {
        let rect = paint::figure_rect(scene, figure);
        scene.ring(rect.center(), rect.width() * 0.62, HIGHLIGHT_COLOUR, 2.5);
    }
}

/// Returns the targets to highlight for a choice. For a deployment, the target is the whole feature
/// for which the piece would count.
pub fn targets_of(scene: &Scene<'_>, shown: &OptionView) -> Vec<Target> {
    match shown.answer {
        Answer::Deploy { kind, zone } => vec![Target::Feature(scene.view.feature_under(kind, zone))],
        _ => shown.targets.clone(),
    }
}
