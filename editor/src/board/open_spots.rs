//! Open spots and the drawn tile over them: the legal spots, the facing of the tile, and the reason
//! why a placement is illegal.

use art::TileVariant;
use egui::epaint::Mesh;
use egui::{Color32, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};
use table::{Edge, Facing, IllegalPlacement, Placement, Revision, Spot, SpotOdds, TileIdx};

use super::board_cache::BoardCache;
use super::overlay::{draw_odds, line_colour};
use super::scene::{Scene, add_dashes, add_frame};
use crate::cached::Cached;
use crate::ghost_tile;
use crate::settings::HintLevel;
use crate::ui_context::UiContext;

/// The duration for which a mismatched edge flashes, in seconds.
const FLASH_DURATION: f64 = 0.7;

/// The ghost: the drawn tile as the board shows it before it is placed.
#[derive(Clone, Debug)]
pub struct Ghost {
    /// The type of the tile.
    pub tile: TileIdx,
    /// The facing of the tile.
    pub facing: Facing,
    /// The empty spot under the tile; `None` if the tile is not over an empty spot.
    pub spot: Option<Spot>,
    /// The legal facings of the tile on `spot`: bit `n` stands for `n` quarter turns.
    pub fits: u8,
    /// True if the user chose the spot with keys or a tap.
    pub by_keys: bool,
}

impl Ghost {
    /// Returns whether the tile may be placed on its spot at its facing.
    pub fn is_legal(&self) -> bool {
        self.fits >> self.facing.quarters() & 1 == 1
    }
}

/// Returns the drawn tile as a ghost on the spot chosen with keys or a tap, or else on `pointed`.
/// Returns `None` if there is no tile to place or the user may not place it.
pub fn find(cx: &mut UiContext<'_>, cache: &BoardCache, pointed: Option<Spot>) -> Option<Ghost> {
    let tile = ghost_tile::tile(cx.session).filter(|_| cache.may_answer)?;
    let by_keys = cx.view_state.chosen.is_some();
    let is_empty = |spot: &Spot| cx.session.view().tile_at(*spot).is_none();
    let spot = cx.view_state.chosen.or(pointed).filter(is_empty);
    let facing = match spot {
        // At the hint level Purist, the tile does not turn automatically.
        Some(spot) if cx.hints() != HintLevel::Purist => {
            ghost_tile::facing_on(cx.view_state, &cx.insight.places(cx.session), spot)
        }
        _ => cx.view_state.facing,
    };
    Some(Ghost { tile, facing, spot, fits: spot.map_or(0, |s| cache.facings(s)), by_keys })
}

/// The reason why the ghost's placement is illegal. The reason is cached, because mods take time to
/// answer.
#[derive(Default)]
pub struct IllegalReason {
    found: Cached<Option<(Revision, Spot, Facing)>, CachedReason>,
}

#[derive(Default)]
struct CachedReason {
    since: f64,
    reason: Option<IllegalPlacement>,
    /// The titles of the mods that forbid the placement; empty until the game thread has found
    /// them.
    by: Vec<String>,
}

impl IllegalReason {
    /// Finds the reason again if the position or the spot or facing of `ghost` has changed. `now`
    /// is the time in seconds.
    pub fn refresh(&mut self, cx: &mut UiContext<'_>, ghost: Option<&Ghost>, now: f64) {
        let session = cx.session;
        let key = ghost.filter(|g| !g.is_legal()).and_then(|g| Some((session.revision(), g.spot?, g.facing)));
        let found = self.found.refresh(key, || {
            let reason = key.zip(ghost).and_then(|((_, spot, facing), ghost)| {
                table::illegal_placement_reason(session.view(), ghost.tile, Placement { spot, facing })
            });
            CachedReason {
                since: now,
                reason: reason.filter(|reason| *reason != IllegalPlacement::Apart),
                by: Vec::new(),
            }
        });
        if let (Some(IllegalPlacement::Rule), true, Some((_, spot, facing)), Some(ghost)) =
            (&found.reason, found.by.is_empty(), key, ghost)
        {
            let place = Placement { spot, facing };
            found.by = cx.insight.who_forbids(session, ghost.tile, place).unwrap_or_default();
        }
    }

    /// Returns the reason. Returns `None` if there is no ghost over an empty spot, if its placement
    /// is legal, or if the spot has no neighbouring tile.
    pub fn reason(&self) -> Option<&IllegalPlacement> {
        self.found.reason.as_ref()
    }

    /// Returns the reason as text without a full stop. Returns `None` in the same cases as
    /// [`reason`](Self::reason).
    pub fn sentence(&self) -> Option<String> {
        match (self.reason()?, &self.found.by[..]) {
            (IllegalPlacement::Rule, [_, ..]) => {
                Some(format!("not allowed by a rule of {}", self.found.by.join(" and ")))
            }
            (reason, _) => Some(reason.sentence()),
        }
    }

    /// Returns the edge at which the tile does not match its neighbour. Returns `None` if the
    /// placement is illegal for another reason.
    fn edge(&self) -> Option<Edge> {
        match self.reason() {
            Some(IllegalPlacement::Edge { edge, .. }) => Some(*edge),
            _ => None,
        }
    }
}

/// Draws frames on the spots where the drawn tile fits. At the hint level Learn, or with the
/// overlay of odds, also draws crosses or odds on open spots. Draws nothing at the hint level
/// Purist.
pub fn draw_spots(scene: &Scene<'_>, cx: &mut UiContext<'_>, cache: &BoardCache, pointed: Option<Spot>) {
    let hints = cx.hints();
    if hints == HintLevel::Purist {
        return;
    }
    let shows_odds = cx.view_state.overlays.odds;
    let is_told = shows_odds || hints == HintLevel::Learn;
    let odds = if is_told { cx.insight.odds(cx.session) } else { Default::default() };
    let fits_one = |spot: Spot| odds.iter().any(|o| o.spot == spot && o.n_fits == 1);
    let colour = line_colour(cx, cache.asked);
    let has_overlay = cx.view_state.overlays.fields || cx.view_state.overlays.owners;
    let mut mesh = Mesh::default();
    for (spot, _) in cache.legal.iter().filter(|(spot, _)| cache.may_answer && scene.camera.is_visible(*spot)) {
        let is_hovered = pointed == Some(*spot) || cx.view_state.chosen == Some(*spot);
        let rect = scene.camera.spot_rect(*spot).shrink(scene.camera.zoom * 0.06);
        // The frames are quiet, and even quieter below an overlay.
        let (line, inside) = match (is_hovered, has_overlay) {
            (true, _) => (1.0, 0.3),
            (false, true) => (0.55, 0.07),
            (false, false) => (0.85, 0.1),
        };
        let line = colour.gamma_multiply(line);
        mesh.add_colored_rect(rect, colour.gamma_multiply(inside));
        add_frame(&mut mesh, rect, (scene.camera.zoom * 0.03).max(if is_hovered { 2.5 } else { 2.0 }), line);
        if fits_one(*spot) {
            add_dashes(&mut mesh, rect.shrink(5.0), 1.3, line);
        }
    }
    scene.screen.add(Shape::mesh(mesh));
    for it in odds.iter().filter(|it| scene.camera.is_visible(it.spot)) {
        draw_cross_or_odds(scene, it, shows_odds);
    }
}

/// Draws a cross on a spot that no remaining tile fits, if the spot has at least two neighbours. On
/// any other spot, draws the odds if `shows_odds` is true.
fn draw_cross_or_odds(scene: &Scene<'_>, it: &SpotOdds, shows_odds: bool) {
    let rect = scene.camera.spot_rect(it.spot);
    if it.n_fits == 0 && it.n_neighbours >= 2 {
        let width = (scene.camera.zoom * 0.03).clamp(1.5, 4.0);
        scene.cross(rect.shrink(scene.camera.zoom * 0.3), Color32::from_gray(225), width);
    } else if shows_odds {
        draw_odds(scene, it.spot, it.n_fits, it.chance_own);
    }
}

/// Draws the ghost on its spot. If the spot is neither legal nor beside a tile, draws the ghost at
/// the pointer.
pub fn draw(scene: &Scene<'_>, cx: &mut UiContext<'_>, it: &Ghost, reason: &IllegalReason, pointer: Option<Pos2>) {
    let is_purist = cx.hints() == HintLevel::Purist;
    let zoom = scene.camera.zoom;
    let view = scene.view;
    // Beside a tile, the ghost is drawn on its spot, so that the user sees edges that do not match.
    let is_beside = |spot: &Spot| Edge::ALL.iter().any(|e| view.neighbour(*spot, *e).is_some());
    let on = it.spot.filter(|spot| it.fits != 0 || is_beside(spot));
    let rect = match (on, pointer) {
        (Some(spot), _) => scene.camera.spot_rect(spot),
        (None, Some(at)) if it.spot.is_some() => Rect::from_center_size(at, Vec2::splat(zoom)),
        // The ghost is hidden while the pointer is over a laid tile.
        _ => return,
    };
    let is_good = it.is_legal() || is_purist && on.is_some();
    let tint =
        if is_good { Color32::WHITE.gamma_multiply(0.62) } else { Color32::from_rgba_unmultiplied(180, 180, 180, 150) };
    if let Some(texture) = cx.pictures.tile(scene.screen.ctx(), it.tile, it.facing, TileVariant::default(), zoom) {
        scene.picture(texture, rect, tint);
    }
    let mut frame = Mesh::default();
    add_frame(&mut frame, rect, 1.0, Color32::from_black_alpha(120));
    scene.screen.add(Shape::mesh(frame));
    if it.by_keys && on.is_some() {
        scene.frame(rect.shrink(1.0), Color32::WHITE, 3.0);
    }
    if is_purist {
        return;
    }
    if it.fits != 0 {
        draw_facing_dots(scene, it, rect);
    }
    if let Some(edge) = reason.edge().filter(|_| on.is_some()) {
        draw_mismatched_edge(scene, cx, reason, rect, edge);
    }
}

/// Draws a dot for each legal facing. The dot of the current facing is filled.
fn draw_facing_dots(scene: &Scene<'_>, it: &Ghost, rect: Rect) {
    let fitting: Vec<Facing> = Facing::ALL.into_iter().filter(|f| it.fits >> f.quarters() & 1 == 1).collect();
    let radius = (rect.width() * 0.035).clamp(2.5, 5.0);
    let gap = radius * 3.2;
    let first = rect.center_bottom() + vec2(-gap * (fitting.len() - 1) as f32 / 2.0, -radius * 2.6);
    for (i, facing) in fitting.iter().enumerate() {
        let at = first + vec2(gap * i as f32, 0.0);
        let fill = if *facing == it.facing { Color32::WHITE } else { Color32::from_black_alpha(120) };
        scene.screen.circle_filled(at, radius + 1.4, Color32::from_black_alpha(170));
        scene.screen.circle(at, radius, fill, Stroke::new(1.2, Color32::WHITE));
    }
}

/// Marks the edge that does not match. The mark flashes twice and then stays.
fn draw_mismatched_edge(scene: &Scene<'_>, cx: &UiContext<'_>, reason: &IllegalReason, rect: Rect, edge: Edge) {
    let age = scene.time - reason.found.since;
    if cx.settings.is_animated() && age < FLASH_DURATION {
        scene.screen.ctx().request_repaint();
        if (age / FLASH_DURATION * 2.0).fract() > 0.5 {
            return;
        }
    }
    let Rect { min, max } = rect;
    let ends = match edge {
        Edge::North => [min, pos2(max.x, min.y)],
        Edge::East => [pos2(max.x, min.y), max],
        Edge::South => [pos2(min.x, max.y), max],
        Edge::West => [min, pos2(min.x, max.y)],
    };
    let width = (rect.width() * 0.05).clamp(3.0, 8.0);
    scene.screen.line_segment(ends, Stroke::new(width + 3.0, Color32::WHITE));
    scene.screen.line_segment(ends, Stroke::new(width, Color32::from_rgb(200, 24, 30)));
    // The cross marks the edge for users who cannot see the colour.
    let middle = ends[0] + (ends[1] - ends[0]) / 2.0;
    let across = Vec2::splat(width * 1.1);
    scene.cross(Rect::from_min_max(middle - across, middle + across), Color32::WHITE, 2.0);
}

/// Draws a dashed frame around the unconfirmed tile.
pub fn draw_unconfirmed_frame(scene: &Scene<'_>, cx: &UiContext<'_>, cache: &BoardCache) {
    let Some(spot) = cache.proposal.filter(|spot| scene.camera.is_visible(*spot)) else { return };
    let rect = scene.camera.spot_rect(spot).expand(scene.camera.zoom * 0.02);
    let mut mesh = Mesh::default();
    add_dashes(&mut mesh, rect.expand(2.5), 4.6, Color32::from_black_alpha(150));
    add_dashes(&mut mesh, rect.expand(1.5), 2.6, line_colour(cx, cache.asked));
    scene.screen.add(Shape::mesh(mesh));
}
