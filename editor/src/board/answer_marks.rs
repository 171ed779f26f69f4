//! Marks on the board for choices: deploying a piece, and other choices about a spot, feature,
//! corner, border or piece.

use art::Pose;
use egui::{
    Color32, Id, Key, Modifiers, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, vec2,
};
use table::{Answer, OptionView, Spot, Target};

use super::board_cache::{BoardCache, piece_position, piece_subject};
use super::camera::{middle, point, square};
use super::overlay::line_colour;
use super::paint::draw_piece;
use super::scene::{CHIP_COLOUR, Scene};
use crate::actions::Action;
use crate::panels::widgets::request_on_click;
use crate::settings::HintLevel;
use crate::ui_context::UiContext;
use crate::view_state::SmallTile;

/// The number of choices on the board above which marks may become smaller than usual.
const MAX_FULL_SIZE_CHOICES: usize = 24;

/// The number of choices on the board above which choices about one place always share a mark.
const MAX_SEPARATE_CHOICES: usize = 4;

/// The smallest distance between the centres of two marks at which neither counts as hidden, as a
/// fraction of a mark's width.
const MIN_MARK_DISTANCE: f32 = 0.75;

/// The scales of marks. The layout tries all of them, in this order, before more choices share a
/// mark.
const MARK_SCALES: [f32; 3] = [1.0, 0.8, 0.6];

/// The minimum width of a mark after scaling by [`MARK_SCALES`], in points, so that the user can
/// click it.
const MIN_MARK_WIDTH: f32 = 22.0;

/// The keys of the first nine choices, in the order of the choices.
const CHOICE_KEYS: [Key; 9] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];

/// The width of a tile on the screen, in points, below which the tile counts as small. If the user
/// must choose between several marks on a small tile, it also appears large in a corner of the
/// board.
const SMALL_TILE: f32 = 64.0;

/// A mark on the board that the user can click to make a choice.
#[derive(Clone, Debug)]
pub struct AnswerMark {
    /// The choices of the mark, as indices into [`BoardCache::options`].
    pub options: Vec<usize>,
    /// The rectangle of the mark on the screen, in points.
    pub rect: Rect,
    /// The target of the choices, such as a zone or a piece on the board.
    pub target: Target,
}

/// Returns the place of a target on the board, in tiles; `None` if the target has no single place
/// on the board.
fn place_of(scene: &Scene<'_>, cache: &BoardCache, shown: &OptionView, target: &Target) -> Option<Pos2> {
    let view = scene.view;
    match target {
        Target::Zone(zone) if view.has_zone(*zone) => {
            // A piece to deploy is shown at its future place on the zone.
            let n = if matches!(shown.answer, Answer::Deploy { .. }) { view.n_pieces_on(*zone) } else { 0 };
            Some(piece_position(&scene.art, view, *zone, n))
        }
        Target::Feature(feature) if view.has_feature(*feature) => {
            Some(piece_position(&scene.art, view, feature.anchor, 0))
        }
        Target::Spot(spot) => Some(square(*spot).center()),
        Target::Corner(corner) => Some(point(*corner)),
        Target::Border(border) => Some(middle(*border)),
        Target::Piece(piece) => cache.figures.iter().find(|f| f.piece == *piece).map(|f| f.middle),
        _ => None,
    }
}

/// Returns the width of a mark in points: large enough to click, small enough to leave the board
/// visible, and, except on very small tiles, not wider than a tile. `zoom` is the width of a tile.
fn mark_size(zoom: f32, is_crowded: bool) -> f32 {
    (zoom * 0.36).clamp(if is_crowded { 17.0 } else { 24.0 }, 72.0).min(zoom.max(12.0))
}

/// The rule that determines which choices share a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sharing {
    /// Each choice has its own mark. Marks at one place are side by side.
    None,
    /// Choices about one place share a mark.
    Place,
    /// Choices about one tile share a mark.
    Tile,
}

/// A choice as an index into [`BoardCache::options`], its target, and its place on the board, in
/// tiles.
type PlacedChoice<'c> = (usize, &'c Target, Pos2);

/// Lays out the marks for all choices on the board.
///
/// - With more than [`MAX_SEPARATE_CHOICES`] choices, choices about one place share a mark.
/// - Otherwise, choices about one place share a mark only if separate marks would hide each other
///   or extend beyond their zones.
/// - If marks hide each other at every scale, all choices about one tile share a mark.
pub fn lay_out(scene: &Scene<'_>, cache: &BoardCache) -> Vec<AnswerMark> {
    if !cache.may_answer {
        return Vec::new();
    }
    let placed = |(i, shown)| {
        let target = OptionView::first_target(shown)?;
        Some((i, target, place_of(scene, cache, shown, target)?))
    };
    let placed: Vec<PlacedChoice<'_>> = cache.options.iter().enumerate().filter_map(placed).collect();
    let size = mark_size(scene.camera.zoom, placed.len() > MAX_FULL_SIZE_CHOICES);
    let sizes = || MARK_SCALES.map(|part| (size * part).max(MIN_MARK_WIDTH.min(size)));
    let ways: &[Sharing] =
        if placed.len() > MAX_SEPARATE_CHOICES { &[Sharing::Place] } else { &[Sharing::None, Sharing::Place] };
    let ways = ways.iter().copied().flat_map(|sharing| sizes().map(|size| (sharing, size)));
    let mut fitting = ways.filter_map(|(sharing, size)| {
        let marks = group_choices(scene, &placed, sharing, size);
        let is_astray = sharing == Sharing::None && marks.iter().any(|mark| extends_beyond_zone(scene, mark));
        (!is_astray && !is_any_hidden(&marks)).then_some(marks)
    });
    fitting.next().unwrap_or_else(|| group_choices(scene, &placed, Sharing::Tile, size))
}

/// Returns whether the centre of a zone's mark is outside the zone, or the mark extends beyond the
/// zone's tile.
fn extends_beyond_zone(scene: &Scene<'_>, mark: &AnswerMark) -> bool {
    let Target::Zone(zone) = mark.target else { return false };
    let placed = scene.view.tile_of_zone(zone);
    let at = scene.camera.to_board(mark.rect.center()) - square(placed.spot).min;
    let core = mark.rect.shrink(mark.rect.width() * 0.2);
    !scene.camera.spot_rect(placed.spot).contains_rect(core)
        || scene.art.zone_at(placed.tile, placed.facing, [at.x, at.y]) != Some(placed.local_index(zone))
}

/// Groups choices into marks, each `size` points wide. `sharing` determines which choices share a
/// mark.
fn group_choices(scene: &Scene<'_>, placed: &[PlacedChoice<'_>], sharing: Sharing, size: f32) -> Vec<AnswerMark> {
    let tile_of = |place: Pos2| place.floor();
    let mut groups: Vec<Vec<PlacedChoice<'_>>> = Vec::new();
    for &it in placed {
        let is_same = |other: &PlacedChoice<'_>| match sharing {
            Sharing::Tile => tile_of(other.2) == tile_of(it.2),
            Sharing::None | Sharing::Place => other.1 == it.1,
        };
        match groups.iter_mut().find(|group| is_same(&group[0])) {
            Some(group) => group.push(it),
            None => groups.push(vec![it]),
        }
    }
    let mark = |options: Vec<usize>, target: Target, middle: Pos2| {
        let rect = Rect::from_center_size(middle, Vec2::splat(size));
        AnswerMark { options, rect, target }
    };
    let mut marks = Vec::new();
    for group in groups {
        let (target, place) = (group[0].1.clone(), group[0].2);
        let middle = scene.camera.to_screen(place);
        let options: Vec<usize> = group.iter().map(|it| it.0).collect();
        match sharing {
            Sharing::None => {
                let n = options.len();
                marks.extend(options.into_iter().enumerate().map(|(i, option)| {
                    let aside = (i as f32 - (n - 1) as f32 / 2.0) * size * 0.94;
                    mark(vec![option], target.clone(), middle + vec2(aside, 0.0))
                }));
            }
            Sharing::Place => marks.push(mark(options, target, middle)),
            Sharing::Tile => {
                let corner = tile_of(place);
                let spot = Spot::new(corner.x as i16, corner.y as i16);
                let target = if options.len() > 1 { Target::Spot(spot) } else { target };
                marks.push(mark(options, target, scene.camera.spot_rect(spot).center()));
            }
        }
    }
    marks
}

/// Returns whether any mark hides another mark.
fn is_any_hidden(marks: &[AnswerMark]) -> bool {
    let hides = |a: &AnswerMark, b: &AnswerMark| {
        (a.rect.center() - b.rect.center()).length() < a.rect.width() * MIN_MARK_DISTANCE
    };
    marks.iter().enumerate().any(|(i, mark)| marks[..i].iter().any(|other| hides(mark, other)))
}

/// Returns the unconfirmed tile if it is too small on the screen for the marks of its choices. The
/// window then shows the tile large in a corner of the board.
pub fn small_tile(scene: &Scene<'_>, cache: &BoardCache, marks: &[AnswerMark]) -> Option<SmallTile> {
    let spot = cache.proposal?;
    let tile = scene.camera.spot_rect(spot);
    let here: Vec<&AnswerMark> = marks.iter().filter(|mark| tile.contains(mark.rect.center())).collect();
    let n_answers: usize = here.iter().map(|mark| mark.options.len()).sum();
    let is_shared = here.iter().any(|mark| mark.options.len() > 1 && matches!(mark.target, Target::Spot(_)));
    // If there are choices about other tiles, the large view could hide their marks.
    let is_all = here.len() == marks.len();
    let is_small = is_all && n_answers > 1 && (is_shared || scene.camera.zoom < SMALL_TILE);
    is_small.then_some(SmallTile { spot, tile, board: scene.camera.view })
}

/// Handles the pointer and clicks on the marks. If the mark of a single choice is hovered or
/// focused, returns the index of the choice, and the response of the mark for its tooltip.
pub fn interact(
    ui: &mut Ui,
    cx: &mut UiContext<'_>,
    cache: &BoardCache,
    marks: &[AnswerMark],
    id: Id,
) -> Option<(usize, Response)> {
    let mut hovered = None;
    for mark in marks {
        let Some(shown) = mark.options.first().and_then(|i| cache.options.get(*i)) else { continue };
        let response = ui.interact(mark.rect, id.with(&shown.text), Sense::click());
        let is_list = mark.options.len() > 1;
        let label = match is_list {
            false => format!("On the board: {}", shown.text),
            true => format!("On the board: {} choices", mark.options.len()),
        };
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
        if is_list {
            if response.hovered() {
                cx.view_state.highlight(mark.target.clone());
            }
            draw_choice_menu(cx, cache, mark, &response);
        } else {
            request_on_click(cx, &response, Action::Answer(shown.answer));
            if response.hovered() || response.has_focus() {
                hovered = Some((mark.options[0], response));
            }
        }
    }
    hovered
}

/// Draws the choices of a shared mark as a menu, which opens when the user clicks the mark.
fn draw_choice_menu(cx: &mut UiContext<'_>, cache: &BoardCache, mark: &AnswerMark, response: &Response) {
    let options: Vec<(usize, &OptionView)> =
        mark.options.iter().filter_map(|i| Some((*i, cache.options.get(*i)?))).collect();
    egui::Popup::menu(response).show(|ui| {
        for (i, shown) in options {
            let key = if i < CHOICE_KEYS.len() { format!("{}  ", i + 1) } else { String::new() };
            let button = ui.button(format!("{key}{}", shown.label)).on_hover_text(&shown.about);
            if button.hovered() {
                shown.targets.iter().for_each(|t| cx.view_state.highlight(t.clone()));
            }
            let is_key = |ui: &Ui, key: &Key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, *key));
            if button.clicked() || CHOICE_KEYS.get(i).is_some_and(|key| is_key(ui, key)) {
                cx.request_action(Action::Answer(shown.answer));
                ui.close();
            }
        }
    });
}

/// Draws the marks, and emphasises the mark of the choice `hovered`.
pub fn draw(
    scene: &Scene<'_>,
    cx: &mut UiContext<'_>,
    cache: &BoardCache,
    marks: &[AnswerMark],
    hovered: Option<usize>,
) {
    for mark in marks.iter().filter(|m| scene.camera.drawn.intersects(m.rect)) {
        let is_hovered = hovered.is_some_and(|i| mark.options.contains(&i));
        let grow = if is_hovered { mark.rect.width() * 0.08 } else { 0.0 };
        let rect = mark.rect.expand(grow);
        let Some(first) = mark.options.first().copied() else { continue };
        match cache.options.get(first).map(|s| s.answer) {
            Some(Answer::Deploy { kind, zone }) if is_deployment_mark(cache, mark) => {
                let pose = if scene.view.would_stay(kind, zone) { Pose::Lying } else { Pose::Standing };
                let what = piece_subject(scene.view.piece_name(kind), pose, cache.asked, &cx.colours);
                if is_hovered {
                    scene.screen.circle_filled(rect.center(), rect.width() * 0.56, Color32::from_white_alpha(110));
                }
                draw_piece(scene, cx, &what, rect, if is_hovered { 1.0 } else { 0.65 });
                if let Some(text) = keys_of(&mark.options) {
                    draw_badge(scene, cx, cache, rect, text);
                }
            }
            _ => draw_disc(scene, cx, cache, mark, rect, is_hovered),
        }
    }
}

/// Returns whether all choices of a mark deploy a piece on the same zone. Such a mark is drawn as a
/// piece.
fn is_deployment_mark(cache: &BoardCache, mark: &AnswerMark) -> bool {
    let is_deploy = |i: &usize| matches!(cache.options.get(*i).map(|it| it.answer), Some(Answer::Deploy { .. }));
    matches!(mark.target, Target::Zone(_)) && mark.options.iter().all(is_deploy)
}

/// Returns the keys of one or two choices, such as `1` or `1·4`. If there are more choices, or if
/// one of two has no key, returns their number, such as `3×`. Returns `None` for a single choice
/// without a key.
fn keys_of(options: &[usize]) -> Option<String> {
    let key = |i: &usize| (*i < CHOICE_KEYS.len()).then(|| (i + 1).to_string());
    let keys: Vec<String> = options.iter().filter_map(key).collect();
    match options.len() {
        1 => keys.into_iter().next(),
        2 if keys.len() == 2 => Some(keys.join("·")),
        n => Some(format!("{n}×")),
    }
}

/// Draws the keys of a mark's choices at its upper right.
fn draw_badge(scene: &Scene<'_>, cx: &UiContext<'_>, cache: &BoardCache, rect: Rect, text: String) {
    let size = (rect.width() * 0.3).clamp(10.0, 15.0);
    let at = rect.right_top() + vec2(-size * 0.25, size * 0.35);
    let fill = cache.asked.map_or(CHIP_COLOUR, |seat| cx.colour(seat));
    scene.badge(at, text, size, fill);
}

/// Draws a mark that is not drawn as a piece: a disc with the key of its choice or the number of
/// its choices.
fn draw_disc(
    scene: &Scene<'_>,
    cx: &UiContext<'_>,
    cache: &BoardCache,
    mark: &AnswerMark,
    rect: Rect,
    is_hovered: bool,
) {
    let colour = line_colour(cx, cache.asked);
    if let Target::Spot(spot) = mark.target {
        let frame = scene.camera.spot_rect(spot).shrink(scene.camera.zoom * 0.04);
        let fill = colour.gamma_multiply(if is_hovered { 0.4 } else { 0.16 });
        scene.screen.rect(frame, 4.0, fill, Stroke::new(2.0, colour), StrokeKind::Inside);
    }
    let fill = cache.asked.map_or(CHIP_COLOUR, |seat| cx.colour(seat));
    let ink = super::scene::text_colour_on(fill);
    let radius = rect.width() * 0.4;
    scene.screen.circle_filled(rect.center(), radius + 2.5, Color32::from_black_alpha(190));
    let strength = if is_hovered { 1.0 } else { 0.82 };
    scene.screen.circle(rect.center(), radius, fill.gamma_multiply(strength), Stroke::new(1.5, Color32::WHITE));
    let text = keys_of(&mark.options).unwrap_or_else(|| "·".to_owned());
    let font = egui::FontId::proportional(radius * 1.05);
    scene.screen.text(rect.center(), egui::Align2::CENTER_CENTER, text, font, ink);
}

/// Describes a choice and its value in the tooltip of its mark.
pub fn show_tooltip(ui: &mut Ui, cx: &mut UiContext<'_>, cache: &BoardCache, option: usize) {
    let Some(shown) = cache.options.get(option) else { return };
    ui.strong(&shown.label);
    if !shown.about.is_empty() {
        ui.label(&shown.about);
    }
    if let (Some(seat), true) = (cache.asked, cx.hints() != HintLevel::Purist)
        && let Some(gain) = cx.insight.gain(cx.session, seat, shown.answer)
    {
        ui.label(super::tooltip::projected_points_text(gain));
    }
    if option < 9 {
        ui.weak(format!("Click, or press {}", option + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_names_the_keys_of_one_or_two_choices() {
        let text = |options: &[usize]| keys_of(options);
        assert_eq!(text(&[0]).as_deref(), Some("1"));
        assert_eq!(text(&[0, 3]).as_deref(), Some("1·4"));
        assert_eq!(text(&[0, 1, 2]).as_deref(), Some("3×"));
        // Only the first nine choices have keys.
        assert_eq!(text(&[9]), None);
        assert_eq!(text(&[8, 9]).as_deref(), Some("2×"));
    }
}
