//! Movements on the board after a move: a tile drops; pieces land, travel and return to supply;
//! points fly to the card of their player.

use egui::{Align2, Color32, FontId, Id, LayerId, Order, Pos2, Rect, Ui, Vec2, pos2, vec2};
use rustc_hash::FxHashMap;
use table::{PieceRef, Revision, Seat, Snapshot, Spot};

use super::board_cache::{BoardCache, Figure, piece_position};
use super::camera::square;
use super::paint;
use super::scene::{CHIP_COLOUR, Scene, text_colour_on};
use crate::pictures::PictureSubject;
use crate::sounds::Sound;
use crate::ui_context::UiContext;

/// The duration of a dropping tile and of a landing piece, in seconds.
const DROP_DURATION: f64 = 0.24;

/// The duration of the movement of a piece or of points to another place, in seconds.
const TRAVEL_DURATION: f64 = 0.4;

/// The shortest distance, in tiles, over which the board shows a piece travelling. A piece that
/// only makes room for another piece moves less.
const MIN_TRAVEL_DISTANCE: f32 = 0.3;

/// The state of a position from which movements are computed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BoardSnapshot {
    /// The number of the session.
    pub game: u64,
    /// The revision at which the mods were last read.
    pub mods: Option<Revision>,
    /// The number of answers before the position.
    pub at: usize,
    /// The number of the turn.
    pub turn: u32,
    /// The spots of all tiles, in the order in which they were placed.
    pub tiles: Vec<Spot>,
    /// The pieces as they are drawn.
    pub figures: Vec<Figure>,
    /// True if the game is over.
    pub is_over: bool,
}

/// Points that a player received, and the place from which they fly.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gain {
    /// The player.
    pub seat: Seat,
    /// The number of points.
    pub points: i64,
    /// The place of the feature that scored the points, in tiles.
    pub from: Pos2,
}

/// A change of the board that takes time to show.
#[derive(Clone, PartialEq, Debug)]
pub enum Movement {
    /// The tile on this spot drops onto the board.
    Drop(Spot),
    /// A piece lands on its place.
    Land(Figure),
    /// A piece moves to its place from another place, given in tiles.
    Travel(Figure, Pos2),
    /// A piece leaves the board. If a player owns the piece, it flies to the card of this player.
    Leave(Figure),
    /// Points fly to the card of their player.
    Points(Gain),
}

impl Movement {
    /// Returns the duration in seconds.
    fn duration(&self) -> f64 {
        match self {
            Movement::Drop(_) | Movement::Land(_) => DROP_DURATION,
            Movement::Travel(..) | Movement::Leave(_) | Movement::Points(_) => TRAVEL_DURATION,
        }
    }

    fn sound(&self) -> Sound {
        match self {
            Movement::Drop(_) => Sound::Tile,
            Movement::Land(_) | Movement::Travel(..) => Sound::Piece,
            Movement::Leave(_) => Sound::Home,
            Movement::Points(_) => Sound::Points,
        }
    }
}

/// Returns the movements that lead from `before` to `after`, with the points of `gains`. Returns no
/// movements if the game went back, if another game began, or if more than one turn has passed.
pub fn movements(before: &BoardSnapshot, after: &BoardSnapshot, gains: &[Gain]) -> Vec<Movement> {
    let is_next = has_same_game_and_mods(before, after) && after.at > before.at && after.turn <= before.turn + 1;
    if !is_next || after.tiles.len() > before.tiles.len() + 1 {
        return Vec::new();
    }
    let mut found: Vec<Movement> = Vec::new();
    if after.tiles.len() > before.tiles.len() {
        found.extend(after.tiles.last().map(|spot| Movement::Drop(*spot)));
    }
    // Another piece may reuse the index of a returned piece, so compares the owner and the kind
    // too.
    let mut old: FxHashMap<PieceRef, &Figure> = before.figures.iter().map(|figure| (figure.piece, figure)).collect();
    for figure in &after.figures {
        match old.get(&figure.piece).filter(|was| was.owner == figure.owner && is_same_kind(&was.what, &figure.what)) {
            Some(was) => {
                if was.middle.distance(figure.middle) >= MIN_TRAVEL_DISTANCE {
                    found.push(Movement::Travel(figure.clone(), was.middle));
                }
                old.remove(&figure.piece);
            }
            None => found.push(Movement::Land(figure.clone())),
        }
    }
    let left = before.figures.iter().filter(|figure| old.contains_key(&figure.piece));
    found.extend(left.map(|figure| Movement::Leave(figure.clone())));
    found.extend(summed(gains).into_iter().map(Movement::Points));
    found
}

fn has_same_game_and_mods(a: &BoardSnapshot, b: &BoardSnapshot) -> bool {
    (a.game, a.mods) == (b.game, b.mods)
}

/// Returns whether two pictures show the same kind of piece, even in different poses.
fn is_same_kind(a: &PictureSubject, b: &PictureSubject) -> bool {
    matches!((a, b), (PictureSubject::Piece(a, ..), PictureSubject::Piece(b, ..)) if a == b)
}

/// Returns the sounds of movements, each with its delay in seconds, and the sound of the end of the
/// game if the game `ends`. A sound comes when its movement is nearly done; without animation, the
/// sounds come soon after one another.
fn sounds_of(movements: &[Movement], ends: bool, is_animated: bool) -> Vec<(Sound, f32)> {
    let delay = |it: &Movement| match (is_animated, it) {
        (true, _) => it.duration() as f32 * 0.6,
        (false, Movement::Drop(_) | Movement::Leave(_)) => 0.0,
        (false, Movement::Land(_) | Movement::Travel(..)) => 0.08,
        (false, Movement::Points(_)) => 0.16,
    };
    let of_end = ends.then_some((Sound::End, 0.5));
    movements.iter().map(|it| (it.sound(), delay(it))).chain(of_end).collect()
}

/// Adds up the points that a player receives from one place.
fn summed(gains: &[Gain]) -> Vec<Gain> {
    let mut sums: Vec<Gain> = Vec::new();
    for gain in gains {
        match sums.iter_mut().find(|sum| sum.seat == gain.seat && sum.from == gain.from) {
            Some(sum) => sum.points += gain.points,
            None => sums.push(*gain),
        }
    }
    sums.retain(|sum| sum.points != 0);
    sums
}

/// The movements in progress.
#[derive(Default)]
pub struct Motion {
    /// The revision and the state of the last frame; `None` before the first frame.
    last: Option<(Revision, BoardSnapshot)>,
    movements: Vec<Movement>,
    /// The time at which the movements began, in seconds since the start of the window.
    since: f64,
}

impl Motion {
    /// Begins the movements that lead to the current position, and ends finished movements. Any
    /// input of the user ends all movements.
    pub fn refresh(&mut self, ui: &Ui, cx: &mut UiContext<'_>, cache: &BoardCache, scene: &Scene<'_>) {
        let revision = cx.session.revision();
        let is_begun = self.last.as_ref().is_some_and(|(last, _)| *last == revision);
        if is_begun {
            if !cx.settings.is_animated() || has_input(ui) {
                self.movements.clear();
            }
            let passed = scene.time - self.since;
            self.movements.retain(|it| passed < it.duration());
        } else {
            let now = board_snapshot(cx.session, cache);
            match self.last.take() {
                // Some changes, such as saving, change the revision but not the position.
                Some((_, before)) if has_same_game_and_mods(&before, &now) && before.at == now.at => {}
                Some((_, before)) => {
                    let (gains, is_animated) = (gains(scene, before.at), cx.settings.is_animated());
                    self.movements = movements(&before, &now, &gains);
                    let ends = now.is_over && !before.is_over && has_same_game_and_mods(&before, &now);
                    cx.view_state.sounds.extend(sounds_of(&self.movements, ends, is_animated));
                    if !is_animated {
                        self.movements.clear();
                    }
                    self.since = scene.time;
                }
                None => self.movements.clear(),
            }
            self.last = Some((revision, now));
        }
        if !self.movements.is_empty() {
            ui.ctx().request_repaint();
        }
    }

    /// Returns whether no movement is in progress.
    pub fn is_idle(&self) -> bool {
        self.movements.is_empty()
    }

    /// Returns the fraction of a movement that is done, from 0 to 1. Movements are fast at first,
    /// then slow.
    fn progress(&self, movement: &Movement, time: f64) -> f32 {
        let t = ((time - self.since) / movement.duration()).clamp(0.0, 1.0) as f32;
        1.0 - (1.0 - t).powi(3)
    }

    /// Returns the spot of the dropping tile and its height over the board. The height falls from 1
    /// at the beginning to 0 at the end. Returns `None` if no tile drops.
    pub fn dropping_tile(&self, time: f64) -> Option<(Spot, f32)> {
        self.movements.iter().find_map(|it| match it {
            Movement::Drop(spot) => Some((*spot, 1.0 - self.progress(it, time))),
            _ => None,
        })
    }

    /// Returns whether a piece is landing or travelling. The board does not draw such a piece at
    /// its place.
    pub fn is_moving(&self, piece: PieceRef) -> bool {
        let is_it =
            |it: &Movement| matches!(it, Movement::Land(figure) | Movement::Travel(figure, _) if figure.piece == piece);
        self.movements.iter().any(is_it)
    }

    /// Draws the moving pieces and points. Pieces that leave the board and points are drawn above
    /// the cards of the players.
    pub fn draw(&self, scene: &Scene<'_>, cx: &mut UiContext<'_>) {
        if self.is_idle() {
            return;
        }
        let layer = LayerId::new(Order::Middle, Id::unique("moving pieces and points"));
        let above = Scene { screen: scene.screen.ctx().layer_painter(layer), ..scene.clone() };
        for movement in &self.movements {
            let t = self.progress(movement, scene.time);
            match movement {
                Movement::Drop(_) => {}
                Movement::Land(figure) => {
                    let rect = paint::figure_rect(scene, figure);
                    draw_lifted(scene, cx, figure, rect, (1.0 - t) * 0.9, 0.3 + 0.7 * t);
                }
                Movement::Travel(figure, from) => {
                    let to = paint::figure_rect(scene, figure);
                    let middle = scene.camera.to_screen(*from).lerp(to.center(), t);
                    // The piece is highest halfway.
                    let height = 4.0 * t * (1.0 - t) * 0.8;
                    draw_lifted(scene, cx, figure, Rect::from_center_size(middle, to.size()), height, 1.0);
                }
                Movement::Leave(figure) => draw_leaving_piece(&above, cx, figure, t),
                Movement::Points(gain) => draw_flying_points(&above, cx, *gain, t),
            }
        }
    }
}

/// Draws a piece above its shadow. `height` is the distance, in heights of the piece.
fn draw_lifted(scene: &Scene<'_>, cx: &mut UiContext<'_>, figure: &Figure, rect: Rect, height: f32, opacity: f32) {
    let up = rect.height() * height;
    let foot = rect.center_bottom() - vec2(0.0, rect.height() * 0.12);
    let shadow = Rect::from_center_size(foot, rect.size() * vec2(0.6 + 0.3 * height, 0.2 + 0.1 * height));
    let dark = Color32::from_black_alpha((110.0 / (1.0 + 2.0 * height)) as u8);
    scene.screen.rect_filled(shadow, shadow.height() / 2.0, dark);
    paint::draw_piece(scene, cx, &figure.what, rect.translate(vec2(0.0, -up)), opacity);
}

/// Draws a piece on its way to the card of its owner. If there is no card, the piece rises and
/// fades. `t` is the fraction of the way.
fn draw_leaving_piece(scene: &Scene<'_>, cx: &mut UiContext<'_>, figure: &Figure, t: f32) {
    let rect = paint::figure_rect(scene, figure);
    let card = figure.owner.and_then(|seat| card_of(cx, seat));
    let to = card.unwrap_or(rect.center() - vec2(0.0, rect.height()));
    let size = egui::lerp(rect.width()..=rect.width().min(20.0), t);
    let opacity = if card.is_some() { 1.0 - 0.6 * t } else { 1.0 - t };
    let at = Rect::from_center_size(arc(rect.center(), to, t), Vec2::splat(size));
    paint::draw_piece(scene, cx, &figure.what, at, opacity);
}

/// Draws points on their way to the card of their player. If there is no card, the points rise. `t`
/// is the fraction of the way.
fn draw_flying_points(scene: &Scene<'_>, cx: &UiContext<'_>, gain: Gain, t: f32) {
    let from = scene.camera.to_screen(gain.from);
    let to = card_of(cx, gain.seat).unwrap_or(from - vec2(0.0, 60.0));
    let at = arc(from, to, t);
    let text = crate::panels::widgets::signed(gain.points);
    let fill = cx.colour(gain.seat);
    let ink = text_colour_on(fill);
    let galley = scene.screen.layout_no_wrap(text, FontId::proportional(17.0), ink);
    let size = galley.size() + vec2(14.0, 5.0);
    let rect = Rect::from_center_size(at, vec2(size.x.max(size.y), size.y));
    scene.screen.rect_filled(rect.expand(2.0), rect.height() / 2.0 + 2.0, CHIP_COLOUR);
    scene.screen.rect_filled(rect, rect.height() / 2.0, fill);
    scene.screen.galley(Align2::CENTER_CENTER.anchor_size(at, galley.size()).min, galley, ink);
}

/// Returns the point at the fraction `t` of an arc from `from` to `to`, in points of the screen.
fn arc(from: Pos2, to: Pos2, t: f32) -> Pos2 {
    from.lerp(to, t) - vec2(0.0, 4.0 * t * (1.0 - t) * (from.distance(to) * 0.12).min(60.0))
}

/// Returns the position on the card of a player to which pieces and points fly. Returns `None` if
/// the card is not shown.
fn card_of(cx: &UiContext<'_>, seat: Seat) -> Option<Pos2> {
    let (_, rect) = cx.view_state.player_cards.iter().find(|(of, _)| *of == seat)?;
    Some(pos2(rect.left() + 18.0, rect.center().y))
}

/// Returns whether the user pressed a key or a button, or turned the wheel.
fn has_input(ui: &Ui) -> bool {
    let is_input = |event: &egui::Event| match event {
        egui::Event::Key { pressed, .. } | egui::Event::PointerButton { pressed, .. } => *pressed,
        egui::Event::MouseWheel { .. } | egui::Event::Zoom(_) => true,
        egui::Event::Touch { phase, .. } => *phase == egui::TouchPhase::Start,
        _ => false,
    };
    // The commands have already consumed their keys, but the raw input still contains them.
    ui.input(|i| i.raw.events.iter().any(is_input))
}

fn board_snapshot(session: &Snapshot, cache: &BoardCache) -> BoardSnapshot {
    BoardSnapshot {
        game: session.id(),
        mods: Some(session.mods_revision()),
        at: session.position_index(),
        turn: session.turn(),
        tiles: session.view().tiles().iter().map(|tile| tile.spot).collect(),
        figures: cache.figures.clone(),
        is_over: session.view().is_over(),
    }
}

/// Returns the points that players received since the position after `before` answers. Points
/// without a feature on the board fly from the tile that was placed last.
fn gains(scene: &Scene<'_>, before: usize) -> Vec<Gain> {
    let (session, view) = (scene.session, scene.view);
    let last = view.tiles().last().map(|tile| square(tile.spot).center());
    let steps = session.steps().get(before..session.position_index()).unwrap_or_default();
    let gain = |award: &std::sync::Arc<table::Award>| {
        let feature = award.feature.filter(|feature| view.has_feature(*feature));
        let from = feature.map(|feature| piece_position(&scene.art, view, feature.anchor, 0)).or(last)?;
        Some(Gain { seat: award.player, points: award.points, from })
    };
    steps.iter().flat_map(|step| &step.awards).filter_map(gain).collect()
}

#[cfg(test)]
mod tests {
    use art::{Pose, Symbol};

    use super::*;

    fn figure(piece: u32, owner: Option<u8>, name: &str, x: f32) -> Figure {
        let what = PictureSubject::Piece(name.to_owned(), Pose::Standing, [0; 3], Symbol::None);
        Figure { piece: PieceRef(piece), owner: owner.map(Seat), middle: pos2(x, 0.0), what, feature: None }
    }

    fn seen_board(at: usize, tiles: i16, figures: Vec<Figure>) -> BoardSnapshot {
        let tiles = (0..tiles).map(|x| Spot::new(x, 0)).collect();
        BoardSnapshot { at, turn: at as u32, tiles, figures, ..BoardSnapshot::default() }
    }

    #[test]
    fn each_movement_can_be_heard() {
        let gain = Gain { seat: Seat(0), points: 3, from: pos2(0.0, 0.0) };
        let piece = figure(1, Some(0), "follower", 0.0);
        let all = [
            Movement::Drop(Spot::new(0, 0)),
            Movement::Land(piece.clone()),
            Movement::Leave(piece),
            Movement::Points(gain),
        ];
        let kinds = |sounds: &[(Sound, f32)]| sounds.iter().map(|(sound, _)| *sound).collect::<Vec<_>>();
        for is_animated in [true, false] {
            let heard = sounds_of(&all, true, is_animated);
            assert_eq!(kinds(&heard), [Sound::Tile, Sound::Piece, Sound::Home, Sound::Points, Sound::End]);
            assert!(heard.iter().all(|(_, delay)| *delay <= 0.5), "{heard:?}");
        }
        assert_eq!(sounds_of(&[], false, true), []);
    }

    #[test]
    fn each_change_of_the_board_is_a_movement() {
        let before = seen_board(
            3,
            2,
            vec![
                figure(0, Some(0), "follower", 0.5),
                figure(1, None, "dragon", 0.0),
                figure(2, Some(1), "follower", 1.5),
            ],
        );
        let after = seen_board(
            4,
            3,
            vec![figure(1, None, "dragon", 2.0), figure(2, Some(1), "follower", 1.6), figure(3, Some(0), "big", 2.5)],
        );
        let gain = |points| Gain { seat: Seat(0), points, from: pos2(0.5, 0.0) };
        let found = movements(&before, &after, &[gain(3), gain(4), Gain { seat: Seat(1), ..gain(0) }]);
        let expected = [
            Movement::Drop(Spot::new(2, 0)),
            Movement::Travel(figure(1, None, "dragon", 2.0), pos2(0.0, 0.0)),
            Movement::Land(figure(3, Some(0), "big", 2.5)),
            Movement::Leave(figure(0, Some(0), "follower", 0.5)),
            Movement::Points(gain(7)),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_reused_piece_index_is_not_a_move() {
        let before = seen_board(3, 2, vec![figure(0, Some(0), "follower", 0.5)]);
        let after = seen_board(4, 2, vec![figure(0, Some(1), "follower", 4.5)]);
        let expected =
            [Movement::Land(figure(0, Some(1), "follower", 4.5)), Movement::Leave(figure(0, Some(0), "follower", 0.5))];
        assert_eq!(movements(&before, &after, &[]), expected);
    }

    #[test]
    fn nothing_moves_back_or_over_several_turns() {
        let (first, next, far) = (seen_board(3, 2, vec![]), seen_board(4, 3, vec![]), seen_board(6, 5, vec![]));
        assert_eq!(movements(&first, &next, &[]).len(), 1);
        assert!(movements(&next, &first, &[]).is_empty());
        assert!(movements(&first, &far, &[]).is_empty());
        let other = BoardSnapshot { game: 7, ..next.clone() };
        assert!(movements(&first, &other, &[]).is_empty());
    }
}
