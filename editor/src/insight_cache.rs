//! Facts about the current position, such as projected scores and owners. The game thread computes
//! the facts that may need mods, on request. The window caches all facts.

use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use platform::task;
use platform::time::{Duration, Instant};
use rustc_hash::FxHashMap;
use table::{
    Answer, FeatureRef, PieceRef, PlaceValue, Placement, Projection, Regret, Revision, RulesChoice, Seat, Session,
    Snapshot, SpotOdds, TileIdx, TracedStep, ZoneRef, forbidding_mods, majority_holders, mod_lines_about_piece,
    mod_lines_about_zone, odds, piece_value, place_value, project,
};

use crate::cached::Cached;
use crate::game_thread::Asker;

/// The longest time that a frame waits for answers. Most mods answer within this time, so that the
/// frame that asks already shows their answers.
const MAX_FRAME_WAIT: Duration = Duration::from_millis(6);

/// An answer of the game thread, or the state of the question before the answer arrives.
enum InsightSlot<T> {
    Asked(Receiver<T>),
    Found(T),
    /// The game thread dropped the question, because a change was requested; the next frame asks
    /// again.
    Dropped,
}

/// The calls of mod functions during some steps of the branch.
type TracedSteps = Arc<Vec<TracedStep>>;

/// The cached facts about one position.
#[derive(Default)]
struct PositionInsights {
    projections: FxHashMap<Option<Answer>, InsightSlot<Option<Arc<Projection>>>>,
    place_values: FxHashMap<(Seat, Placement), InsightSlot<Option<PlaceValue>>>,
    owners: FxHashMap<FeatureRef, InsightSlot<Arc<[Seat]>>>,
    about_zones: FxHashMap<ZoneRef, InsightSlot<Vec<String>>>,
    about_pieces: FxHashMap<PieceRef, InsightSlot<Vec<String>>>,
    forbidding: FxHashMap<(TileIdx, Placement), InsightSlot<Vec<String>>>,
    may_pass: Option<bool>,
    under: FxHashMap<RulesChoice, InsightSlot<Option<String>>>,
    traces: FxHashMap<(usize, usize), InsightSlot<Option<TracedSteps>>>,
    regrets: FxHashMap<usize, InsightSlot<Option<Regret>>>,
    odds: Option<Rc<Vec<SpotOdds>>>,
    places: Option<Rc<Vec<Placement>>>,
}

/// Asks the game thread questions, and waits for the answers within a time limit per frame.
struct FrameAsker {
    asker: Asker,
    /// The time until which this frame waits for answers; `None` to wait for every answer.
    until: Option<Instant>,
    n_found: u64,
}

impl FrameAsker {
    fn get<'s, K: Eq + Hash, T: Send + 'static>(
        &mut self,
        slots: &'s mut FxHashMap<K, InsightSlot<T>>,
        key: K,
        revision: Revision,
        question: impl FnOnce(&Session) -> T + Send + 'static,
    ) -> Option<&'s T> {
        let slot = match slots.entry(key) {
            Entry::Vacant(free) => free.insert(InsightSlot::Asked(self.asker.ask(Some(revision), question))),
            Entry::Occupied(slot) => slot.into_mut(),
        };
        match slot {
            InsightSlot::Found(_) => {}
            InsightSlot::Asked(answer) => match self.poll(answer) {
                Ok(found) => {
                    *slot = InsightSlot::Found(found);
                    self.n_found += 1;
                }
                Err(RecvTimeoutError::Timeout) => return None,
                // The game thread dropped the question, so the next frame asks again.
                Err(RecvTimeoutError::Disconnected) => {
                    *slot = InsightSlot::Dropped;
                    return None;
                }
            },
            InsightSlot::Dropped => return None,
        }
        match slot {
            InsightSlot::Found(found) => Some(found),
            InsightSlot::Asked(_) | InsightSlot::Dropped => None,
        }
    }

    fn poll<T>(&self, answer: &Receiver<T>) -> Result<T, RecvTimeoutError> {
        task::wait_for_message(answer, self.until)
    }
}

/// A cache of facts about the current position. A method that needs mods returns `None` until its
/// answer arrives, in the same frame or in a later frame.
pub struct InsightCache {
    found: Cached<Revision, PositionInsights>,
    asking: FrameAsker,
    waits: bool,
}

impl InsightCache {
    /// Creates the cache. If `waits` is true, every answer is available in the frame that asks.
    pub fn new(asker: Asker, waits: bool) -> InsightCache {
        InsightCache { found: Cached::default(), asking: FrameAsker { asker, until: None, n_found: 0 }, waits }
    }

    /// Collects the answers that arrived since the last frame. Call this once per frame.
    pub fn begin_frame(&mut self) {
        self.asking.until = (!self.waits).then(|| Instant::now() + MAX_FRAME_WAIT);
        let PositionInsights {
            projections,
            place_values,
            owners,
            about_zones,
            about_pieces,
            forbidding,
            under,
            traces,
            regrets,
            ..
        } = &mut *self.found;
        let n_heard = poll(projections)
            + poll(place_values)
            + poll(owners)
            + poll(about_zones)
            + poll(about_pieces)
            + poll(forbidding)
            + poll(under)
            + poll(traces)
            + poll(regrets);
        self.asking.n_found += n_heard;
    }

    /// Returns a number that changes with each new answer. If a cached value depends on answers,
    /// its key must contain this number.
    pub fn version(&self) -> u64 {
        self.asking.n_found
    }

    /// Asks the game thread a question that does not depend on the position.
    pub fn ask<T: Send + 'static>(&self, question: impl FnOnce(&Session) -> T + Send + 'static) -> Receiver<T> {
        self.asking.asker.ask(None, question)
    }

    /// Returns the answer to [`ask`](InsightCache::ask) if it arrives before this frame stops
    /// waiting for answers.
    pub fn poll<T>(&self, answer: &Receiver<T>) -> Option<T> {
        self.asking.poll(answer).ok()
    }

    fn insights_at(&mut self, session: &Snapshot) -> (&mut PositionInsights, &mut FrameAsker) {
        (self.found.refresh(session.revision(), PositionInsights::default), &mut self.asking)
    }

    /// Returns the scores and awards if the game ended now. Returns `None` if they are not known
    /// yet or cannot be computed, for example because a mod fails.
    pub fn projection(&mut self, session: &Snapshot) -> Option<Arc<Projection>> {
        self.projected(session, None)
    }

    /// Returns the scores and awards if the game ended after the answer `choice`. Returns `None` in
    /// the same cases as [`projection`](Self::projection).
    pub fn projection_after(&mut self, session: &Snapshot, choice: Answer) -> Option<Arc<Projection>> {
        self.projected(session, Some(choice))
    }

    fn projected(&mut self, session: &Snapshot, after: Option<Answer>) -> Option<Arc<Projection>> {
        let (found, asking) = self.insights_at(session);
        let find = move |session: &Session| project(&session.game_to_try(), after).map(Arc::new);
        asking.get(&mut found.projections, after, session.revision(), find)?.clone()
    }

    /// Returns the increase of the seat's projected score by the answer `choice`. Compares with
    /// passing or, if the player may not pass, with the current position. Returns `None` in the
    /// same cases as [`projection`](Self::projection).
    pub fn gain(&mut self, session: &Snapshot, seat: Seat, choice: Answer) -> Option<i64> {
        let may_pass = *self
            .insights_at(session)
            .0
            .may_pass
            .get_or_insert_with(|| session.view().answers().contains(&Answer::Pass));
        let without = if may_pass { self.projection_after(session, Answer::Pass)? } else { self.projection(session)? };
        let then = self.projection_after(session, choice)?;
        Some(then.scores.get(seat.idx())? - without.scores.get(seat.idx())?)
    }

    /// Returns the gain for `seat` if it places the drawn tile at `place` and deploys the best
    /// piece. `now` is the seat's projected score at the current position. Returns `None` in the
    /// same cases as [`projection`](Self::projection). Returns `Some(None)` if the tile may not be
    /// placed there or if the value cannot be computed.
    pub fn place_value(
        &mut self,
        session: &Snapshot,
        seat: Seat,
        place: Placement,
        now: i64,
    ) -> Option<Option<PlaceValue>> {
        let (found, asking) = self.insights_at(session);
        let find = move |session: &Session| place_value(&session.game_to_try(), seat, place, now);
        asking.get(&mut found.place_values, (seat, place), session.revision(), find).cloned()
    }

    /// Returns the seats with the majority on a feature.
    pub fn owners(&mut self, session: &Snapshot, feature: FeatureRef) -> Option<Arc<[Seat]>> {
        let root = session.view().root(feature);
        let (found, asking) = self.insights_at(session);
        let find = move |session: &Session| majority_holders(&session.game_to_try(), root).into();
        asking.get(&mut found.owners, root, session.revision(), find).cloned()
    }

    /// Returns the lines that mods add to the tooltip of a zone.
    pub fn zone_tooltip_lines(&mut self, session: &Snapshot, zone: ZoneRef) -> Option<Vec<String>> {
        let (found, asking) = self.insights_at(session);
        let find = move |session: &Session| mod_lines_about_zone(&session.game_to_try(), zone);
        asking.get(&mut found.about_zones, zone, session.revision(), find).cloned()
    }

    /// Returns the lines that mods add to the description of a piece.
    pub fn piece_description_lines(&mut self, session: &Snapshot, piece: PieceRef) -> Option<Vec<String>> {
        let (found, asking) = self.insights_at(session);
        let find = move |session: &Session| mod_lines_about_piece(&session.game_to_try(), piece);
        asking.get(&mut found.about_pieces, piece, session.revision(), find).cloned()
    }

    /// Returns the titles of the mods that forbid placing `tile` at `place`, including mods whose
    /// functions fail. The edges of the tile must fit at `place`.
    pub fn who_forbids(&mut self, session: &Snapshot, tile: TileIdx, place: Placement) -> Option<Vec<String>> {
        let (found, asking) = self.insights_at(session);
        let find = move |session: &Session| forbidding_mods(&session.game_to_try(), tile, place);
        asking.get(&mut found.forbidding, (tile, place), session.revision(), find).cloned()
    }

    /// Returns a sentence about the effect on the game if it continued with the mods and settings
    /// of `chosen`.
    pub fn effect_of_rules(&mut self, session: &Snapshot, chosen: &RulesChoice) -> Option<String> {
        let (found, asking) = self.insights_at(session);
        let wanted = chosen.clone();
        let find = move |session: &Session| session.describe_effect(&wanted);
        asking.get(&mut found.under, chosen.clone(), session.revision(), find)?.clone()
    }

    /// Returns the calls of mod functions during `steps` of the branch. Returns `Some(None)` if a
    /// part of the position is hidden from the viewers. The position is the current one or, if
    /// later, the one at the end of `steps`.
    pub fn trace(&mut self, session: &Snapshot, steps: Range<usize>) -> Option<Option<TracedSteps>> {
        let (found, asking) = self.insights_at(session);
        let key = (steps.start, steps.end);
        let find = move |session: &Session| session.trace(steps).map(Arc::new);
        asking.get(&mut found.traces, key, session.revision(), find).cloned()
    }

    /// Returns the points that an answer of the branch loses against the best answer. `step` is the
    /// number of the answer, counted from 0. Returns `Some(None)` if the loss is unknown.
    pub fn regret(&mut self, session: &Snapshot, step: usize) -> Option<Option<Regret>> {
        let (found, asking) = self.insights_at(session);
        let find = move |session: &Session| session.regret(step);
        asking.get(&mut found.regrets, step, session.revision(), find).cloned()
    }

    /// Returns the odds of each open spot: the remaining tiles that fit there, and the
    /// probabilities of drawing them.
    pub fn odds(&mut self, session: &Snapshot) -> Rc<Vec<SpotOdds>> {
        let (found, _) = self.insights_at(session);
        found.odds.get_or_insert_with(|| Rc::new(odds(session.view()))).clone()
    }

    /// Returns the legal placements of the drawn tile, ordered by row and column; empty if there is
    /// no tile to place.
    pub fn places(&mut self, session: &Snapshot) -> Rc<Vec<Placement>> {
        let (found, _) = self.insights_at(session);
        found.places.get_or_insert_with(|| Rc::new(session.view().places())).clone()
    }

    /// Returns the points that the owner of a piece would score for the features under the piece if
    /// the game ended now. Returns `None` if the points are not known, or if the piece is neutral,
    /// not in play, or on no zone.
    pub fn piece_value(&mut self, session: &Snapshot, piece: PieceRef) -> Option<i64> {
        let projection = self.projection(session)?;
        piece_value(session.view(), &projection, piece)
    }
}

/// Stores the answers that have arrived, and returns their number.
fn poll<K, T>(slots: &mut FxHashMap<K, InsightSlot<T>>) -> u64 {
    slots.retain(|_, slot| !matches!(slot, InsightSlot::Dropped));
    let mut n = 0;
    for slot in slots.values_mut() {
        if let InsightSlot::Asked(answer) = slot
            && let Ok(found) = answer.try_recv()
        {
            *slot = InsightSlot::Found(found);
            n += 1;
        }
    }
    n
}
