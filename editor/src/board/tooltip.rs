//! Tooltips for features, pieces and open spots.

use art::TileVariant;
use egui::{Align2, Color32, FontId, Rect, RectAlign, Sense, Ui, Vec2, vec2};
use table::{
    Edge, Facing, PieceRef, Revision, Spot, SpotOdds, TileIdx, ZoneDescription, ZoneRef, capitalize, describe_location,
    describe_piece, describe_zone,
};

use super::open_spots::IllegalReason;
use super::scene::{CHIP_COLOUR, Scene, WHOLE_TEXTURE};
use crate::cached::Cached;
use crate::settings::HintLevel;
use crate::ui_context::UiContext;

/// Returns a phrase such as "would score 3 now".
pub fn projected_points_text(points: i64) -> String {
    match points {
        0 => "would score nothing now".to_owned(),
        1.. => format!("would score {points} now"),
        _ => format!("would cost {} now", -points),
    }
}

/// The tooltip of a zone. Its text is cached until the zone, the position, the known facts about
/// the position, or the hint level changes.
#[derive(Default)]
pub struct TooltipText {
    lines: Cached<(Revision, u64, ZoneRef, HintLevel), TooltipLines>,
}

#[derive(Default)]
struct TooltipLines {
    /// A line for each feature that contains the zone.
    features: Vec<String>,
    /// The projected scores of the pieces on the features, and the lines that mods add about the
    /// zone.
    others: Vec<String>,
}

impl TooltipText {
    /// Draws the tooltip of a zone: its features, their pieces, and the lines that mods add.
    pub fn show_tooltip(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, zone: ZoneRef) {
        let key = (cx.session.revision(), cx.insight.version(), zone, cx.hints());
        let lines = self.lines.refresh(key, || TooltipLines::find(cx, zone));
        for (i, line) in lines.features.iter().enumerate() {
            if i == 0 {
                ui.strong(line)
            } else {
                ui.label(line)
            };
        }
        lines.others.iter().for_each(|line| drop(ui.label(line)));
    }
}

impl TooltipLines {
    fn find(cx: &mut UiContext<'_>, zone: ZoneRef) -> TooltipLines {
        let view = cx.session.view();
        let ZoneDescription { features, pieces } = describe_zone(view, zone);
        let said = cx.insight.zone_tooltip_lines(cx.session, zone).unwrap_or_default();
        let (mut others, has_points) = (Vec::new(), shows_points(cx));
        for piece in pieces.into_iter().filter(|_| has_points) {
            if let Some(value) = cx.insight.piece_value(cx.session, piece) {
                others.push(format!("{} {}", describe_piece(view, piece), projected_points_text(value)));
            }
        }
        others.extend(said);
        TooltipLines { features, others }
    }
}

/// Returns whether tooltips show projected points. They do not at the hint level Purist or after
/// the end of the game.
fn shows_points(cx: &UiContext<'_>) -> bool {
    cx.hints() != HintLevel::Purist && !cx.session.view().is_over()
}

/// Draws the details of a clicked piece.
pub fn piece(ui: &mut Ui, cx: &mut UiContext<'_>, piece: PieceRef) {
    let view = cx.session.view();
    let Some(it) = view.piece(piece) else { return };
    ui.strong(capitalize(&describe_piece(view, piece)));
    ui.label(describe_location(view, it.place));
    if shows_points(cx)
        && let Some(value) = cx.insight.piece_value(cx.session, piece)
    {
        ui.label(capitalize(&projected_points_text(value)));
    }
    ui.label(match (it.stays, it.goes_home) {
        (true, _) => "Stays here until the end of the game",
        (false, true) => "Returns to its player when its feature is scored",
        (false, false) => "Stays here when its feature is scored",
    });
    let said = cx.insight.piece_description_lines(cx.session, piece).unwrap_or_default();
    said.iter().for_each(|line| drop(ui.label(line)));
    ui.weak("Esc or a click elsewhere closes this");
}

/// Draws the tooltip of an open spot: the reason why the drawn tile may not be placed there. If
/// `wants_odds` is true, also draws the odds, and the remaining tiles that fit.
pub fn spot(ui: &mut Ui, cx: &mut UiContext<'_>, reason: &IllegalReason, at: Spot, wants_odds: bool) {
    if let Some(reason) = reason.sentence() {
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(10.0), Sense::hover());
            let red = egui::Stroke::new(2.0, ui.visuals().error_fg_color);
            ui.painter().line_segment([rect.left_top(), rect.right_bottom()], red);
            ui.painter().line_segment([rect.right_top(), rect.left_bottom()], red);
            ui.strong(capitalize(&reason));
        });
    }
    if !wants_odds {
        return;
    }
    let odds = cx.insight.odds(cx.session);
    if let Some(it) = odds.iter().find(|it| it.spot == at) {
        show_odds(ui, cx, it);
    }
}

fn show_odds(ui: &mut Ui, cx: &mut UiContext<'_>, it: &SpotOdds) {
    let view = cx.session.view();
    let n_left = view.n_tiles_left() + usize::from(view.unplaced_tile().is_some());
    ui.strong(match it.n_fits {
        0 => format!("None of the {n_left} remaining tiles fits here"),
        n => format!("{n} of {n_left} remaining tiles fit here"),
    });
    if it.n_fits > 0 {
        let percent = |chance: f64| format!("{:.0}%", chance * 100.0);
        ui.label(format!(
            "{} chance that {} draws a fitting tile before the end",
            percent(it.chance_own),
            view.name(view.player())
        ));
        ui.label(format!("{} chance that the next tile fits", percent(it.chance_next)));
    }
    for line in needed_edges(cx, it.spot) {
        ui.weak(line);
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        it.fits.iter().take(18).for_each(|(tile, n)| thumbnail(ui, cx, *tile, *n));
        if it.fits.len() > 18 {
            ui.weak(format!("and {} more kinds", it.fits.len() - 18));
        }
    });
}

/// Returns a line for each edge of an open spot that faces a neighbour. The line names the kind of
/// edge that a tile needs there.
fn needed_edges(cx: &UiContext<'_>, spot: Spot) -> Vec<String> {
    let names = ["north", "east", "south", "west"];
    let line = |(edge, name): (Edge, String)| format!("{} edge: {name}", names[edge as usize]);
    cx.session.view().needed_edges(spot).into_iter().map(line).collect()
}

/// Draws a small picture of a tile with its number of copies.
fn thumbnail(ui: &mut Ui, cx: &mut UiContext<'_>, tile: TileIdx, n: usize) {
    let side = 38.0;
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    let painter = ui.painter();
    if let Some(texture) = cx.pictures.tile(ui.ctx(), tile, Facing::default(), TileVariant::default(), side) {
        painter.image(texture, rect, WHOLE_TEXTURE, Color32::WHITE);
    }
    let text = format!("×{n}");
    let galley = painter.layout_no_wrap(text, FontId::proportional(11.0), Color32::WHITE);
    let at = Align2::RIGHT_BOTTOM.anchor_size(rect.right_bottom(), galley.size() + vec2(5.0, 1.0));
    painter.rect_filled(at, 3.0, CHIP_COLOUR);
    painter.galley(at.min + vec2(2.5, 0.5), galley, Color32::WHITE);
}

/// Draws a bubble at the side `side` of the rectangle `at`, which surrounds a piece or feature on
/// the screen. The bubble stays until the user closes it.
pub fn bubble(scene: &Scene<'_>, ui: &Ui, name: &str, at: Rect, side: RectAlign, add: impl FnOnce(&mut Ui)) {
    if !scene.camera.view.intersects(at) {
        return;
    }
    let id = ui.scope_id().with(name);
    egui::Popup::new(id, ui.ctx().clone(), at, ui.layer_id())
        .close_behavior(egui::PopupCloseBehavior::IgnoreClicks)
        .align(side)
        .gap(6.0)
        .width(260.0)
        .accessible_name(name)
        .show(|ui| {
            ui.set_max_width(300.0);
            add(ui);
        });
}
