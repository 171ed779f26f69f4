//! The board: tiles and pieces, the drawn tile over them, and reactions to the pointer.

mod answer_marks;
mod area;
mod board_cache;
mod camera;
mod chips;
mod cloth;
mod explanation;
mod highlight;
mod meadow;
mod motion;
mod noise;
mod open_spots;
mod overlay;
mod paint;
mod pattern;
mod pointer;
mod recent_points;
mod scene;
mod tooltip;
mod touch;
mod view;

use std::fmt;

use egui::{Id, Pos2, Rect, RectAlign, Response, Role, Sense, Ui, UiBuilder, WidgetInfo};
use table::{Answer, Facing, FeatureRef, PromptKind, Revision, Spot, Target, ZoneRef};

use self::answer_marks::AnswerMark;
use self::board_cache::BoardCache;
use self::cloth::Cloth;
use self::explanation::{CountNumber, Explanation};
use self::highlight::Brushes;
use self::meadow::Meadow;
use self::motion::Motion;
use self::open_spots::{Ghost, IllegalReason};
use self::overlay::OverlayPainter;
use self::pointer::PointerTargets;
use self::scene::{Scene, same_feature};
use self::tooltip::TooltipText;
use self::view::CameraState;
use crate::cached::Cached;
use crate::settings::HintLevel;
use crate::ui_context::UiContext;
use crate::windows::small_tile_shown_large;

/// Hover delay before the tooltip of a zone appears, in seconds.
const HOVER_DELAY: f64 = 0.2;

/// Hover delay over an open spot at the hint level Learn, in seconds. After this delay, the tooltip
/// shows the tiles that fit.
const LEARN_HOVER_DELAY: f64 = 0.6;

/// The key of the cached board: the revision, the number of the painter, and the colours of seats.
type BoardKey = (Revision, u64, Vec<[u8; 3]>);

/// The board: its camera, and the cached drawing of the position.
#[derive(Default)]
pub struct BoardView {
    view: CameraState,
    cache: Cached<BoardKey, BoardCache>,
    brushes: Brushes,
    cloth: Cloth,
    meadow: Meadow,
    motion: Motion,
    overlay: OverlayPainter,
    explanation: Explanation,
    reason: IllegalReason,
    words: TooltipText,
    /// The zone, piece and spot under the pointer, and the time at which hovering began, in
    /// seconds.
    rest: Option<(PointerTargets, f64)>,
    /// The position of the pointer in the last frame, in points of the screen.
    last_pointer: Option<Pos2>,
    /// The choice hovered on the board in the last frame.
    preview: Option<Answer>,
    /// The marks of the last frame: their choices, targets and centres.
    marks: Vec<(Vec<Answer>, Target, Pos2)>,
    /// The position, in the last frame, of the button that confirms a tile placed by touch. `None`
    /// if the button was not shown.
    lay: Option<Pos2>,
    /// The facing, in the last frame, of the drawn tile over an empty spot. `None` if the tile was
    /// not over an empty spot.
    facing: Option<Facing>,
}

impl fmt::Debug for BoardView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoardView").field("camera", &self.view.camera).finish_non_exhaustive()
    }
}

/// Positions on the screen in the last frame.
impl BoardView {
    /// Returns the rectangle of a spot, in points of the screen.
    pub fn screen_rect_of(&self, spot: Spot) -> Rect {
        self.view.camera.spot_rect(spot)
    }

    /// Returns the position of the mark of a choice about `zone`, in points of the screen, if there
    /// is one.
    pub fn screen_pos_of_zone(&self, zone: ZoneRef) -> Option<Pos2> {
        self.marks.iter().find(|(_, target, _)| *target == Target::Zone(zone)).map(|(.., at)| *at)
    }

    /// Returns the position of the mark of a choice, in points of the screen, if there is one.
    pub fn screen_pos_of_option(&self, choice: Answer) -> Option<Pos2> {
        self.marks.iter().find(|(choices, ..)| choices.contains(&choice)).map(|(.., at)| *at)
    }

    /// Returns the position of the button that confirms a tile placed by touch, in points of the
    /// screen; `None` if the button was not shown.
    pub fn screen_pos_of_confirm_button(&self) -> Option<Pos2> {
        self.lay
    }

    /// Returns whether no tile, piece or points move on the board.
    pub fn is_still(&self) -> bool {
        self.motion.is_idle()
    }

    /// Returns the facing of the drawn tile; `None` if it was not over an empty spot.
    pub fn facing_of_ghost(&self) -> Option<Facing> {
        self.facing
    }

    /// Returns the numbers on the elements that the explained awards count, each with the position
    /// of its centre, in points of the screen.
    pub fn screen_pos_of_counts(&self) -> Vec<(usize, Pos2)> {
        let on_screen = |it: &CountNumber| (it.number, self.view.camera.to_screen(it.at));
        self.explanation.numbers().map(on_screen).collect()
    }

    /// Returns the rectangle of the board on the screen, in points.
    pub fn screen_rect(&self) -> Rect {
        self.view.camera.view
    }

    /// Returns the part of the board that no card covers, in points of the screen.
    pub fn free_rect(&self) -> Rect {
        self.view.free.unwrap_or(self.view.camera.view)
    }
}

/// The pointer, its targets and the drawn tile in one frame.
#[derive(Default)]
struct PointerState {
    /// The zone, piece and spot under the pointer.
    pointed: PointerTargets,
    /// The position of the pointer; `None` if it is outside the board or drags the board.
    pointer: Option<Pos2>,
    ghost: Option<Ghost>,
    marks: Vec<AnswerMark>,
    /// The hovered choice, as an index into the list of choices, and the response of its mark for a
    /// tooltip.
    hovered: Option<(usize, Response)>,
}

impl BoardView {
    /// Draws the board and handles the pointer.
    pub fn show(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        let rect = ui.available_rect_before_wrap();
        if !rect.is_positive() {
            return;
        }
        let id = ui.scope_id().with("board");
        ui.allocate_rect(rect, Sense::hover());
        let mut ui = ui.new_child(UiBuilder::new().max_rect(rect));
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        let key = (cx.session.revision(), cx.pictures.painter_number(), cx.colours.clone());
        self.cache.refresh(key, || BoardCache::new(cx));
        let board = ui.interact(rect, id, Sense::CLICK | Sense::DRAG);
        board.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Board"));
        self.view.refresh(&ui, cx, &self.cache, &board);
        let scene = Scene {
            screen: ui.painter().clone(),
            camera: self.view.camera,
            session: cx.session,
            view: cx.session.view(),
            art: cx.pictures.painter().clone(),
            time: ui.input(|i| i.time),
        };
        self.explanation.refresh(&scene, cx);
        let now = self.handle_pointer(&mut ui, cx, &scene, &board, id);
        self.motion.refresh(&ui, cx, &self.cache, &scene);
        self.paint(&scene, cx, &now);
        // The panel of players stores the rectangles of its cards again in each frame.
        cx.view_state.player_cards.clear();
        self.show_tooltip(&ui, cx, &scene, &now);
        let room = self.view.room.unwrap_or(rect);
        let has_bubble = self.explanation.has_bubble(&scene);
        let covered = chips::show(&mut ui, &scene, cx, room, has_bubble);
        if covered != std::mem::replace(&mut self.view.covered, covered) {
            ui.ctx().request_repaint();
        }
        self.facing = now.ghost.as_ref().filter(|ghost| ghost.spot.is_some()).map(|ghost| ghost.facing);
        self.lay = touch::buttons(&mut ui, &scene, cx, &self.cache, now.ghost.as_ref());
        if let Some(middle) = chips::draw_minimap(&mut ui, &scene, cx, &self.cache) {
            self.view.look_at(middle);
        }
    }

    /// Finds the zone, piece and spot under the pointer, and handles clicks.
    fn handle_pointer(
        &mut self,
        ui: &mut Ui,
        cx: &mut UiContext<'_>,
        scene: &Scene<'_>,
        board: &Response,
        id: Id,
    ) -> PointerState {
        let is_over = ui.rect_contains_pointer(board.rect) && !board.dragged();
        let pointer = ui.input(|i| i.pointer.hover_pos()).filter(|_| is_over);
        if pointer::point_for_others(ui, cx, scene, pointer) {
            return PointerState::default();
        }
        let is_right_clicked = pointer::handle_place_clicks(ui, cx, scene, &self.cache, id);
        let marks = answer_marks::lay_out(scene, &self.cache);
        cx.view_state.small_tile = answer_marks::small_tile(scene, &self.cache, &marks);
        let hovered = answer_marks::interact(ui, cx, &self.cache, &marks, id);
        self.store_marks(&marks);
        let is_on_mark = pointer.is_some_and(|p| marks.iter().any(|m| m.rect.contains(p)));
        let mut pointed = PointerTargets::default();
        if let Some(place) = pointer.filter(|_| !is_on_mark) {
            pointed = pointer::find(scene, &self.cache, place);
        }
        self.discard_chosen_place(ui, cx, &pointed, pointer);
        // If the user has chosen a spot with keys, keys turn the tile on this spot and not at the
        // pointer.
        cx.view_state.hover = pointed.spot.filter(|_| cx.view_state.chosen.is_none());
        self.set_preview(cx, hovered.as_ref().map(|(i, _)| *i));
        let secondary =
            board.secondary_clicked() || is_right_clicked || is_on_mark && ui.input(|i| i.pointer.secondary_clicked());
        if secondary {
            pointer::handle_right_click(cx, &self.cache);
        }
        if board.clicked() {
            pointer::handle_left_click(ui, cx, &self.cache, &pointed);
        }
        let ghost =
            open_spots::find(cx, &self.cache, pointed.spot).filter(|g| g.by_keys || pointer.is_some() && !is_on_mark);
        let asks = cx.hints() != HintLevel::Purist;
        self.reason.refresh(cx, ghost.as_ref().filter(|_| asks), scene.time);
        PointerState { pointed, pointer, ghost, marks, hovered }
    }

    /// Discards the spot chosen with keys or a tap when the mouse pointer moves over a legal spot.
    fn discard_chosen_place(
        &mut self,
        ui: &Ui,
        cx: &mut UiContext<'_>,
        pointed: &PointerTargets,
        pointer: Option<Pos2>,
    ) {
        let has_moved = pointer.is_some() && self.last_pointer.is_some() && pointer != self.last_pointer;
        self.last_pointer = pointer;
        if has_moved && !touch::is_finger(ui) && pointed.spot.is_some_and(|spot| self.cache.facings(spot) != 0) {
            cx.view_state.chosen = None;
        }
    }

    fn store_marks(&mut self, marks: &[AnswerMark]) {
        let choices =
            |mark: &AnswerMark| mark.options.iter().filter_map(|i| Some(self.cache.options.get(*i)?.answer)).collect();
        self.marks = marks.iter().map(|m| (choices(m), m.target.clone(), m.rect.center())).collect();
    }

    /// Highlights the choice `hovered` on the board. If it is `None`, keeps a choice that a panel
    /// highlights.
    fn set_preview(&mut self, cx: &mut UiContext<'_>, hovered: Option<usize>) {
        let choice = hovered.and_then(|i| Some(self.cache.options.get(i)?.answer));
        if choice.is_some() {
            cx.view_state.preview = choice;
        } else if self.preview.is_some() && cx.view_state.preview == self.preview {
            cx.view_state.preview = None;
        }
        self.preview = choice;
    }

    fn paint(&mut self, scene: &Scene<'_>, cx: &mut UiContext<'_>, now: &PointerState) {
        self.cloth.draw(scene);
        let dropping = self.motion.dropping_tile(scene.time);
        paint::draw_tiles(scene, cx, &self.cache, dropping.is_none());
        self.meadow.draw(scene, &mut self.brushes.areas, cx.pictures.painter_number());
        paint::draw_links(scene, cx);
        if let Some((_, height)) = dropping {
            paint::draw_last_tile(scene, cx, &self.cache, height);
        }
        self.overlay.draw_below_pieces(scene, cx, &mut self.brushes, &self.cache);
        open_spots::draw_spots(scene, cx, &self.cache, now.pointed.spot);
        self.explanation.below(scene);
        let targets = self.targets(scene, cx, now);
        highlight::draw_below_pieces(scene, cx, &mut self.brushes, &targets);
        paint::draw_corner_marks(scene, cx, &self.cache);
        open_spots::draw_unconfirmed_frame(scene, cx, &self.cache);
        paint::draw_changed_tags(scene, cx, &self.cache);
        paint::draw_piles(scene, cx);
        highlight::draw_above_pieces(scene, &self.cache, &targets);
        paint::draw_figures(scene, cx, &self.cache, |piece| self.motion.is_moving(piece));
        self.overlay.draw_above_pieces(scene, cx, &self.cache);
        paint::draw_changed_points(scene);
        paint::pointings(scene, cx);
        recent_points::draw(scene, cx);
        self.explanation.above(scene);
        let option = now.hovered.as_ref().map(|(i, _)| *i).or_else(|| self.previewed(cx));
        // The large view of a small tile shows the same choices.
        if small_tile_shown_large(cx).is_none() {
            answer_marks::draw(scene, cx, &self.cache, &now.marks, option);
        }
        if let Some(ghost) = &now.ghost {
            open_spots::draw(scene, cx, ghost, &self.reason, now.pointer);
        }
        self.motion.draw(scene, cx);
    }

    /// Returns the choice hovered in a panel or on the board, as an index into the list of choices,
    /// if any.
    fn previewed(&self, cx: &UiContext<'_>) -> Option<usize> {
        let choice = cx.view_state.preview?;
        self.cache.options.iter().position(|s| s.answer == choice)
    }

    /// Returns all targets to highlight: hovered targets on the board or in panels, the features of
    /// explained awards, the highlighted player, the pinned feature, and the clicked piece. If a
    /// player must choose a score marker for the points of a feature, also returns this feature.
    fn targets(&self, scene: &Scene<'_>, cx: &UiContext<'_>, now: &PointerState) -> Vec<Target> {
        let mut targets = cx.view_state.highlighted.clone();
        targets.extend(self.explanation.targets().cloned());
        targets.extend(cx.view_state.lit_player.map(Target::Player));
        targets.extend(cx.view_state.pinned.map(Target::Feature));
        targets.extend(cx.view_state.piece.map(Target::Piece));
        let option = now.hovered.as_ref().map(|(i, _)| *i).or_else(|| self.previewed(cx));
        if let Some(shown) = option.and_then(|i| self.cache.options.get(i)) {
            targets.extend(highlight::targets_of(scene, shown));
        }
        targets.extend(self.pointed_feature(scene, now).map(Target::Feature));
        if let Some(PromptKind::Marker { feature, .. }) = scene.view.prompt().map(|prompt| prompt.kind) {
            targets.extend(feature.map(Target::Feature));
        }
        // Filling the same feature twice would hide the tiles below.
        let mut single: Vec<Target> = Vec::new();
        for target in targets {
            let is_same = |other: &Target| match (other, &target) {
                (Target::Feature(a), Target::Feature(b)) => same_feature(scene.view, *a, *b),
                (a, b) => a == b,
            };
            if !single.iter().any(is_same) {
                single.push(target);
            }
        }
        single
    }

    /// Returns the feature of the hovered piece, or `None` if this feature is complete. If no piece
    /// of a feature is hovered, returns the feature of the hovered zone.
    fn pointed_feature(&self, scene: &Scene<'_>, now: &PointerState) -> Option<FeatureRef> {
        let figure = now.pointed.figure.and_then(|i| self.cache.figures.get(i));
        match figure.and_then(|f| f.feature) {
            Some(feature) => {
                let is_open = !scene.view.is_complete(feature);
                is_open.then_some(feature)
            }
            None => now.pointed.zone.and_then(|zone| scene.view.feature_of(zone)),
        }
    }

    /// Draws tooltips and bubbles.
    fn show_tooltip(&mut self, ui: &Ui, cx: &mut UiContext<'_>, scene: &Scene<'_>, now: &PointerState) {
        self.explanation.bubble(scene, ui, cx);
        let rested = self.hover_time(ui, now);
        if let Some((option, response)) = &now.hovered {
            let cache = &*self.cache;
            egui::Tooltip::for_widget(response).gap(8.0).show(|ui| answer_marks::show_tooltip(ui, cx, cache, *option));
        } else if now.pointer.is_some() {
            self.show_pointer_tooltip(ui, cx, scene, now, rested);
        }
        let figure = cx.view_state.piece.and_then(|piece| self.cache.figures.iter().find(|f| f.piece == piece));
        if let (Some(piece), Some(figure)) = (cx.view_state.piece, figure) {
            let at = paint::figure_rect(scene, figure);
            tooltip::bubble(scene, ui, "Piece", at, RectAlign::TOP, |ui| tooltip::piece(ui, cx, piece));
        }
        if let Some(feature) = cx.view_state.pinned.filter(|f| scene.view.has_feature(*f)) {
            let place = board_cache::piece_position(&scene.art, scene.view, feature.anchor, 0);
            let at = Rect::from_center_size(scene.camera.to_screen(place), egui::vec2(12.0, 12.0));
            tooltip::bubble(scene, ui, "Pinned feature", at, RectAlign::TOP, |ui| {
                self.words.show_tooltip(ui, cx, feature.anchor);
                ui.weak("Ctrl+click or Esc unpins");
            });
        }
    }

    fn show_pointer_tooltip(
        &mut self,
        ui: &Ui,
        cx: &mut UiContext<'_>,
        scene: &Scene<'_>,
        now: &PointerState,
        rested: f64,
    ) {
        let alt = ui.input(|i| i.modifiers.alt);
        let open = now.pointed.spot.filter(|spot| scene.view.tile_at(*spot).is_none());
        let hints = cx.hints();
        let tip = || {
            let id = ui.scope_id().with("tip");
            egui::Tooltip::always_open(ui.ctx().clone(), ui.layer_id(), id, egui::PopupAnchor::Pointer).gap(16.0)
        };
        let wait = |time: f64| {
            if rested < time {
                ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(time - rested + 0.01));
            }
            rested >= time
        };
        if let Some(spot) = open {
            let is_beside = scene.view.open_spots().any(|open| open == spot);
            let wants_odds = is_beside
                && hints != HintLevel::Purist
                && (alt || hints == HintLevel::Learn && wait(LEARN_HOVER_DELAY));
            let has_reason = self.reason.reason().is_some() && now.ghost.as_ref().is_some_and(|g| g.spot == Some(spot));
            if wants_odds || has_reason {
                let reason = if has_reason { &self.reason } else { &IllegalReason::default() };
                tip().show(|ui| tooltip::spot(ui, cx, reason, spot, wants_odds));
            }
        } else if let Some(zone) = now.pointed.zone
            && (alt || wait(HOVER_DELAY))
        {
            tip().show(|ui| self.words.show_tooltip(ui, cx, zone));
        }
    }

    /// Returns the time for which the pointer has rested on the same zone, piece and spot, in
    /// seconds.
    fn hover_time(&mut self, ui: &Ui, now: &PointerState) -> f64 {
        let time = ui.input(|i| i.time);
        match &self.rest {
            Some((pointed, since)) if *pointed == now.pointed => time - since,
            _ => {
                self.rest = Some((now.pointed.clone(), time));
                0.0
            }
        }
    }
}
