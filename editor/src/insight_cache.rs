//! What is known about the moment looked at: found out on the game thread, once, when somebody asks for it.

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
    Snapshot, SpotOdds, TileIdx, TracedStep, ZoneRef, mod_lines_about_piece, mod_lines_about_zone, odds, owners,
    piece_value, place_value, project, who_forbids,
};

use crate::cached::Cached;
use crate::game_thread::Asker;

/// How long a frame waits for answers. What mods say in that time, which is nearly always, is in the frame that asks for it.
const PATIENCE: Duration = Duration::from_millis(6);

/// An answer that has come, or is waited for.
enum Slot<T> {
    Asked(Receiver<T>),
    Found(T),
    /// It was dropped for something more important, and is asked again in the next frame.
    Dropped,
}

/// What functions of mods did in a part of the line.
type Traced = Arc<Vec<TracedStep>>;

/// What was found about one moment.
#[derive(Default)]
struct Found {
    projections: FxHashMap<Option<Answer>, Slot<Option<Arc<Projection>>>>,
    place_values: FxHashMap<(Seat, Placement), Slot<Option<PlaceValue>>>,
    owners: FxHashMap<FeatureRef, Slot<Arc<[Seat]>>>,
    about_zones: FxHashMap<ZoneRef, Slot<Vec<String>>>,
    about_pieces: FxHashMap<PieceRef, Slot<Vec<String>>>,
    forbidding: FxHashMap<(TileIdx, Placement), Slot<Vec<String>>>,
    may_pass: Option<bool>,
    under: FxHashMap<RulesChoice, Slot<Option<String>>>,
    traces: FxHashMap<(usize, usize), Slot<Option<Traced>>>,
    regrets: FxHashMap<usize, Slot<Option<Regret>>>,
    odds: Option<Rc<Vec<SpotOdds>>>,
    places: Option<Rc<Vec<Placement>>>,
}

/// Asks the game thread, and waits for answers as long as a frame can.
struct Asking {
    asker: Asker,
    /// Until when this frame waits; for ever where it has to know.
    until: Option<Instant>,
    n_found: u64,
}

impl Asking {
    fn get<'s, K: Eq + Hash, T: Send + 'static>(
        &mut self,
        slots: &'s mut FxHashMap<K, Slot<T>>,
        key: K,
        revision: Revision,
        question: impl FnOnce(&Session) -> T + Send + 'static,
    ) -> Option<&'s T> {
        let slot = match slots.entry(key) {
            Entry::Vacant(free) => free.insert(Slot::Asked(self.asker.ask(Some(revision), question))),
            Entry::Occupied(slot) => slot.into_mut(),
        };
        match slot {
            Slot::Found(_) => {}
            Slot::Asked(answer) => match self.hear(answer) {
                Ok(found) => {
                    *slot = Slot::Found(found);
                    self.n_found += 1;
                }
                Err(RecvTimeoutError::Timeout) => return None,
                // It was dropped for something more important.
                Err(RecvTimeoutError::Disconnected) => {
                    *slot = Slot::Dropped;
                    return None;
                }
            },
            Slot::Dropped => return None,
        }
        match slot {
            Slot::Found(found) => Some(found),
            Slot::Asked(_) | Slot::Dropped => None,
        }
    }

    fn hear<T>(&self, answer: &Receiver<T>) -> Result<T, RecvTimeoutError> {
        task::wait(answer, self.until)
    }
}

/// What is known about the moment looked at. Whatever mods are asked for is `None` until they have said it; a later frame knows.
pub struct InsightCache {
    found: Cached<Revision, Found>,
    asking: Asking,
    waits: bool,
}

impl InsightCache {
    /// Asks by `asker`; one that `waits` has every answer in the frame that asks for it.
    pub fn new(asker: Asker, waits: bool) -> InsightCache {
        InsightCache { found: Cached::default(), asking: Asking { asker, until: None, n_found: 0 }, waits }
    }

    /// Takes what was found since the last frame. Call it once a frame.
    pub fn begin_frame(&mut self) {
        self.asking.until = (!self.waits).then(|| Instant::now() + PATIENCE);
        let Found {
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
        let n_heard = hear(projections)
            + hear(place_values)
            + hear(owners)
            + hear(about_zones)
            + hear(about_pieces)
            + hear(forbidding)
            + hear(under)
            + hear(traces)
            + hear(regrets);
        self.asking.n_found += n_heard;
    }

    /// Changes whenever more has become known: what is made of answers and kept has it in its key.
    pub fn version(&self) -> u64 {
        self.asking.n_found
    }

    /// Has something found out on the game thread that is about no moment of the game.
    pub fn ask<T: Send + 'static>(&self, question: impl FnOnce(&Session) -> T + Send + 'static) -> Receiver<T> {
        self.asking.asker.ask(None, question)
    }

    /// Returns the answer to [`ask`](InsightCache::ask), if it has come.
    pub fn hear<T>(&self, answer: &Receiver<T>) -> Option<T> {
        self.asking.hear(answer).ok()
    }

    fn at(&mut self, session: &Snapshot) -> (&mut Found, &mut Asking) {
        (self.found.refresh(session.revision(), Found::default), &mut self.asking)
    }

    /// The final count, were the game over now.
    pub fn projection(&mut self, session: &Snapshot) -> Option<Arc<Projection>> {
        self.projected(session, None)
    }

    /// The final count, were the game over after this answer.
    pub fn after(&mut self, session: &Snapshot, choice: Answer) -> Option<Arc<Projection>> {
        self.projected(session, Some(choice))
    }

    fn projected(&mut self, session: &Snapshot, after: Option<Answer>) -> Option<Arc<Projection>> {
        let (found, asking) = self.at(session);
        let find = move |session: &Session| project(&session.game_to_try(), after).map(Arc::new);
        asking.get(&mut found.projections, after, session.revision(), find)?.clone()
    }

    /// How many points more `seat` would have at the end by this answer than by passing, or than now where nobody may pass.
    pub fn gain(&mut self, session: &Snapshot, seat: Seat, choice: Answer) -> Option<i64> {
        let may_pass =
            *self.at(session).0.may_pass.get_or_insert_with(|| session.view().answers().contains(&Answer::Pass));
        let without = if may_pass { self.after(session, Answer::Pass)? } else { self.projection(session)? };
        let then = self.after(session, choice)?;
        Some(then.scores.get(seat.idx())? - without.scores.get(seat.idx())?)
    }

    /// What laying the drawn tile at `place` would bring `seat`, who has `now` points in the final count as it is; `Some(None)` where it may not
    /// lie there or a mod fails.
    pub fn place_value(
        &mut self,
        session: &Snapshot,
        seat: Seat,
        place: Placement,
        now: i64,
    ) -> Option<Option<PlaceValue>> {
        let (found, asking) = self.at(session);
        let find = move |session: &Session| place_value(&session.game_to_try(), seat, place, now);
        asking.get(&mut found.place_values, (seat, place), session.revision(), find).cloned()
    }

    /// Who has the majority on a feature.
    pub fn owners(&mut self, session: &Snapshot, feature: FeatureRef) -> Option<Arc<[Seat]>> {
        let root = session.view().root(feature);
        let (found, asking) = self.at(session);
        let find = move |session: &Session| owners(&session.game_to_try(), root).into();
        asking.get(&mut found.owners, root, session.revision(), find).cloned()
    }

    /// What mods say about what is on a zone.
    pub fn about_zone(&mut self, session: &Snapshot, zone: ZoneRef) -> Option<Vec<String>> {
        let (found, asking) = self.at(session);
        let find = move |session: &Session| mod_lines_about_zone(&session.game_to_try(), zone);
        asking.get(&mut found.about_zones, zone, session.revision(), find).cloned()
    }

    /// What mods say about a piece.
    pub fn about_piece(&mut self, session: &Snapshot, piece: PieceRef) -> Option<Vec<String>> {
        let (found, asking) = self.at(session);
        let find = move |session: &Session| mod_lines_about_piece(&session.game_to_try(), piece);
        asking.get(&mut found.about_pieces, piece, session.revision(), find).cloned()
    }

    /// Which mods forbid `tile` to lie at a place where its edges fit.
    pub fn who_forbids(&mut self, session: &Snapshot, tile: TileIdx, place: Placement) -> Option<Vec<String>> {
        let (found, asking) = self.at(session);
        let find = move |session: &Session| who_forbids(&session.game_to_try(), tile, place);
        asking.get(&mut found.forbidding, (tile, place), session.revision(), find).cloned()
    }

    /// What would be different in the game if it were played by `chosen`, in a sentence.
    pub fn under(&mut self, session: &Snapshot, chosen: &RulesChoice) -> Option<String> {
        let (found, asking) = self.at(session);
        let wanted = chosen.clone();
        let find = move |session: &Session| session.under(&wanted);
        asking.get(&mut found.under, chosen.clone(), session.revision(), find)?.clone()
    }

    /// What functions of mods did in a part of the line; `Some(None)` where something is hidden from those who look.
    pub fn trace(&mut self, session: &Snapshot, steps: Range<usize>) -> Option<Option<Traced>> {
        let (found, asking) = self.at(session);
        let key = (steps.start, steps.end);
        let find = move |session: &Session| session.trace(steps).map(Arc::new);
        asking.get(&mut found.traces, key, session.revision(), find).cloned()
    }

    /// What an answer of the line has cost; `Some(None)` where that cannot be said.
    pub fn regret(&mut self, session: &Snapshot, step: usize) -> Option<Option<Regret>> {
        let (found, asking) = self.at(session);
        let find = move |session: &Session| session.regret(step);
        asking.get(&mut found.regrets, step, session.revision(), find).cloned()
    }

    /// What may still come to each open spot.
    pub fn odds(&mut self, session: &Snapshot) -> Rc<Vec<SpotOdds>> {
        let (found, _) = self.at(session);
        found.odds.get_or_insert_with(|| Rc::new(odds(session.view()))).clone()
    }

    /// Where the drawn tile may lie, by row and column; empty where something else is asked.
    pub fn places(&mut self, session: &Snapshot) -> Rc<Vec<Placement>> {
        let (found, _) = self.at(session);
        found.places.get_or_insert_with(|| Rc::new(session.view().places())).clone()
    }

    /// What a piece would score if the game were over now; `None` where that is not to be known.
    pub fn piece_value(&mut self, session: &Snapshot, piece: PieceRef) -> Option<i64> {
        let projection = self.projection(session)?;
        piece_value(session.view(), &projection, piece)
    }
}

/// Takes the answers that have come; returns how many.
fn hear<K, T>(slots: &mut FxHashMap<K, Slot<T>>) -> u64 {
    slots.retain(|_, slot| !matches!(slot, Slot::Dropped));
    let mut n = 0;
    for slot in slots.values_mut() {
        if let Slot::Asked(answer) = slot
            && let Ok(found) = answer.try_recv()
        {
            *slot = Slot::Found(found);
            n += 1;
        }
    }
    n
}
