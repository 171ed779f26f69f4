//! Facts about the current position, such as projected scores and owners. The game thread computes
//! the facts that may need mods, on request. The window caches all facts.

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use platform::task;
use platform::time::{Duration, Instant};
use rustc_hash::FxHashMap;
use table::{
    Answer, FeatureRef, Insight, InsightAnswer, PieceRef, PlaceValue, Placement, Projection, Regret, Revision,
    RulesChoice, Seat, Session, Snapshot, SpotOdds, TileIdx, ZoneRef, odds, piece_value,
};

use crate::cached::Cached;
use crate::game_thread::SessionAsker;
use crate::questions::{Asker, Question, QuestionAnswer, Reply, TracedSteps};

/// The longest time that a frame waits for answers. Most mods answer within this time, so that the
/// frame that asks already shows their answers.
pub const MAX_FRAME_WAIT: Duration = Duration::from_millis(6);

/// The cached facts about one position.
#[derive(Default)]
struct PositionInsights {
    /// The answers to the questions of the window; `None` until the answer arrives.
    answers: FxHashMap<Question, Option<QuestionAnswer>>,
    may_pass: Option<bool>,
    odds: Option<Rc<Vec<SpotOdds>>>,
    places: Option<Rc<Vec<Placement>>>,
}

/// A cache of facts about the current position. A method that needs mods returns `None` until its
/// answer arrives, in the same frame or in a later frame.
pub struct InsightCache {
    found: Cached<Revision, PositionInsights>,
    asker: Asker,
    session: SessionAsker,
    /// The longest time that a frame waits for answers; `None` to wait for every answer.
    patience: Option<Duration>,
    /// The time until which this frame waits for answers; `None` to wait for every answer.
    until: Option<Instant>,
    n_found: u64,
}

impl InsightCache {
    /// Creates a cache that asks `asker` questions about positions, and `session` all other
    /// questions. A frame waits for answers at most for `patience`; if it is `None`, every answer
    /// is available in the frame that asks.
    pub fn new(asker: Asker, session: SessionAsker, patience: Option<Duration>) -> InsightCache {
        InsightCache { found: Cached::default(), asker, session, patience, until: None, n_found: 0 }
    }

    /// Collects the answers that arrived since the last frame. Call this once per frame.
    pub fn begin_frame(&mut self) {
        self.until = self.patience.map(|patience| Instant::now() + patience);
        while let Ok(reply) = self.asker.replies.try_recv() {
            self.store(reply);
        }
    }

    /// Returns a number that changes with each new answer. If a cached value depends on answers,
    /// its key must contain this number.
    pub fn version(&self) -> u64 {
        self.n_found
    }

    /// Asks the game thread a question that does not depend on the position.
    pub fn ask<T: Send + 'static>(&self, question: impl FnOnce(&Session) -> T + Send + 'static) -> Receiver<T> {
        self.session.ask(question)
    }

    /// Returns the answer to [`ask`](InsightCache::ask) if it arrives before this frame stops
    /// waiting for answers.
    pub fn poll<T>(&self, answer: &Receiver<T>) -> Option<T> {
        task::wait_for_message(answer, self.until).ok()
    }

    /// Stores the answer of a reply. If the reply has none, the next frame asks again.
    fn store(&mut self, Reply { revision, question, answer }: Reply) {
        let Some(found) = self.found.get_mut(&revision) else { return };
        match answer {
            Some(answer) => {
                found.answers.insert(question, Some(answer));
                self.n_found += 1;
            }
            None => drop(found.answers.remove(&question)),
        }
    }

    fn insights_at(&mut self, session: &Snapshot) -> &mut PositionInsights {
        self.found.refresh(session.revision(), PositionInsights::default)
    }

    /// Returns the answer to a question about the current position. Asks the question if it is new.
    /// Returns `None` until the answer is known.
    fn answer(&mut self, session: &Snapshot, question: Question) -> Option<&QuestionAnswer> {
        let revision = session.revision();
        let answers = &mut self.insights_at(session).answers;
        if !answers.contains_key(&question) {
            answers.insert(question.clone(), None);
            self.asker.ask(revision, question.clone());
        }
        while let Some(None) = self.found.answers.get(&question) {
            match task::wait_for_message(&self.asker.replies, self.until) {
                // A reply without an answer is stored by the next frame, which then asks again.
                Ok(reply) => self.store(reply),
                Err(_) => return None,
            }
        }
        self.found.answers.get(&question)?.as_ref()
    }

    fn insight(&mut self, session: &Snapshot, insight: Insight) -> Option<&InsightAnswer> {
        let QuestionAnswer::Insight(answer) = self.answer(session, Question::Insight(insight))? else { return None };
        Some(answer)
    }

    fn lines(&mut self, session: &Snapshot, insight: Insight) -> Option<Vec<String>> {
        let InsightAnswer::Lines(lines) = self.insight(session, insight)? else { return None };
        Some(lines.clone())
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
        match self.insight(session, Insight::Projection(after))? {
            InsightAnswer::Projection(projection) => projection.clone(),
            _ => None,
        }
    }

    /// Returns the increase of the seat's projected score by the answer `choice`. Compares with
    /// passing or, if the player may not pass, with the current position. Returns `None` in the
    /// same cases as [`projection`](Self::projection).
    pub fn gain(&mut self, session: &Snapshot, seat: Seat, choice: Answer) -> Option<i64> {
        let may_pass =
            *self.insights_at(session).may_pass.get_or_insert_with(|| session.view().answers().contains(&Answer::Pass));
        let without = if may_pass { self.projection_after(session, Answer::Pass)? } else { self.projection(session)? };
        let then = self.projection_after(session, choice)?;
        Some(then.scores.get(seat.idx())? - without.scores.get(seat.idx())?)
    }

    /// Returns the gain for `seat` if it places the drawn tile at `place` and deploys the best
    /// piece. Returns `None` until the answer arrives. Returns `Some(None)` if the tile may not be
    /// placed there or if the value cannot be computed.
    pub fn place_value(&mut self, session: &Snapshot, seat: Seat, place: Placement) -> Option<Option<PlaceValue>> {
        match self.insight(session, Insight::PlaceValue(seat, place))? {
            InsightAnswer::PlaceValue(value) => Some(value.clone()),
            _ => None,
        }
    }

    /// Returns the seats with the majority on a feature. Returns `None` until the answer is known.
    pub fn owners(&mut self, session: &Snapshot, feature: FeatureRef) -> Option<Arc<[Seat]>> {
        let root = session.view().root(feature);
        let InsightAnswer::Seats(seats) = self.insight(session, Insight::Majority(root))? else { return None };
        Some(seats.clone())
    }

    /// Returns the lines that mods add to the tooltip of a zone. Returns `None` until the answer is
    /// known.
    pub fn zone_tooltip_lines(&mut self, session: &Snapshot, zone: ZoneRef) -> Option<Vec<String>> {
        self.lines(session, Insight::AboutZone(zone))
    }

    /// Returns the lines that mods add to the description of a piece. Returns `None` until the
    /// answer is known.
    pub fn piece_description_lines(&mut self, session: &Snapshot, piece: PieceRef) -> Option<Vec<String>> {
        self.lines(session, Insight::AboutPiece(piece))
    }

    /// Returns the titles of the mods that forbid placing `tile` at `place`, including mods whose
    /// functions fail. The edges of the tile must fit at `place`. Returns `None` until the answer
    /// is known.
    pub fn who_forbids(&mut self, session: &Snapshot, tile: TileIdx, place: Placement) -> Option<Vec<String>> {
        self.lines(session, Insight::ForbiddingMods(tile, place))
    }

    /// Returns a sentence about the effect on the game if it continued with the mods and settings
    /// of `chosen`. Returns `None` if there is no such sentence or it is not known yet.
    pub fn effect_of_rules(&mut self, session: &Snapshot, chosen: &RulesChoice) -> Option<String> {
        match self.answer(session, Question::EffectOfRules(chosen.clone()))? {
            QuestionAnswer::EffectOfRules(effect) => effect.clone(),
            _ => None,
        }
    }

    /// Returns the calls of mod functions during `steps` of the branch. Returns `Some(None)` if a
    /// part of the position is hidden from the viewers. The position is the current one or, if
    /// later, the one at the end of `steps`.
    pub fn trace(&mut self, session: &Snapshot, steps: Range<usize>) -> Option<Option<TracedSteps>> {
        let QuestionAnswer::Trace(steps) = self.answer(session, Question::Trace(steps))? else { return None };
        Some(steps.clone())
    }

    /// Returns the points that an answer of the branch loses against the best answer. `step` is the
    /// number of the answer, counted from 0. Returns `Some(None)` if the loss is unknown.
    pub fn regret(&mut self, session: &Snapshot, step: usize) -> Option<Option<Regret>> {
        let QuestionAnswer::Regret(regret) = self.answer(session, Question::Regret(step))? else { return None };
        Some(regret.clone())
    }

    /// Returns the odds of each open spot: the remaining tiles that fit there, and the
    /// probabilities of drawing them.
    pub fn odds(&mut self, session: &Snapshot) -> Rc<Vec<SpotOdds>> {
        let found = self.insights_at(session);
        found.odds.get_or_insert_with(|| Rc::new(odds(session.view()))).clone()
    }

    /// Returns the legal placements of the drawn tile, ordered by row and column; empty if there is
    /// no tile to place.
    pub fn places(&mut self, session: &Snapshot) -> Rc<Vec<Placement>> {
        let found = self.insights_at(session);
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
