//! The final scores if the game ended now, including the points of complete features that are not
//! scored yet. The count records no derivations of points, and reuses earlier results that cannot
//! have changed.
#![expect(clippy::indexing_slicing, reason = "each list has an entry for each seat")]

use std::rc::Rc;

use board::{Extent, FeatureRef, KindIdx, KindSet, LayerIdx, LayoutDifference, ZoneRef};

use crate::agenda;
use crate::call::Rules;
use crate::catalogue::{Factor, Handler};
use crate::ending;
use crate::event::RuleEvent;
use crate::fault::Fault;
use crate::hooks::{Hook, HookClass};
use crate::indices::{PileIdx, TokenIdx};
use crate::invoke::{CallOutcome, flush_queue, proposals_of, run_function};
use crate::position::{Location, Piece, PilePlace, Position};
use crate::reads::ReadSet;
use crate::ruleset::Ruleset;
use crate::scoring::{DueFormula, awaits_scoring, compute_points, due_formula, majority};
use crate::shared_list::SharedList;
use crate::state::State;
use crate::step::FinalStage;
use crate::value::{MAX_SEATS, PieceRef};

/// A number for each seat.
pub(crate) type BySeat = [i64; MAX_SEATS];

/// The final scores in one position, and the results from which they follow.
#[derive(Clone, Debug, Default)]
pub(crate) struct FinalCount {
    /// The score of each player after the final count.
    pub scores: BySeat,
    /// The points of each feature that has a piece on it and whose kind of land has a formula.
    features: Vec<FeaturePayment>,
    /// The points that each function of `final_scoring` pays, in mod order; empty if the functions
    /// were not called.
    late: Rc<[FinalPoints]>,
    /// True if a later count cannot reuse these results, because a function failed or the engine
    /// had to play the whole final count. The engine plays the whole count if a `final_scoring`
    /// function asks, fails or reads unknown parts of the game, or if a `scored` function runs in
    /// the final count.
    cannot_reuse: bool,
}

/// The points that a feature pays each player.
#[derive(Clone, Copy, Debug)]
struct FeaturePayment {
    layer: LayerIdx,
    extent: Extent,
    /// True if a running part of the turn still has to score the feature.
    awaits_scoring: bool,
    pays: BySeat,
    /// The parts of the game on which the points in `pays` may depend.
    reads: ReadSet,
    /// The kinds of land whose adjacent features count in the formula of the feature.
    touching: KindSet,
}

/// The points that a function of `final_scoring` pays after the features have paid.
#[derive(Clone, Copy, Debug)]
struct FinalPoints {
    pays: BySeat,
    reads: ReadSet,
    /// The tokens and piles that the function has changed.
    changes: ReadSet,
    /// True if the function did nothing but propose points.
    only_proposes: bool,
}

impl FinalCount {
    /// Computes the final scores in `state`. `base` contains an earlier state, from which `state`
    /// was reached, and its count. Reuses the results of `base` that cannot have changed. If a
    /// function fails while the features are counted, no feature pays anything, as in the final
    /// count itself.
    pub fn count(&mut self, rules: &Rules, state: &mut State, base: Option<(&State, &FinalCount)>) {
        self.count_booked(state);
        if state.is_final || state.is_over {
            return;
        }
        rules.hooks.reset_budget();
        state.is_final = true;
        if let Some(scores) = self.count_all(rules, state, base) {
            self.scores = scores;
        }
        state.is_final = false;
    }

    /// Sets the scores to the points booked so far and discards all other results.
    pub(crate) fn count_booked(&mut self, state: &State) {
        self.features.clear();
        self.late = Rc::default();
        self.cannot_reuse = false;
        self.scores = booked_scores(state);
    }

    fn count_all(&mut self, rules: &Rules, state: &mut State, base: Option<(&State, &FinalCount)>) -> Option<BySeat> {
        let catalogue = rules.catalogue();
        let runs_scored = catalogue.handlers(Hook::Scored).iter().any(|handler| !handler.filter.only_playing);
        self.cannot_reuse = runs_scored || base.is_some_and(|(_, count)| count.cannot_reuse);
        if self.cannot_reuse {
            return Some(play_final_count(rules, state));
        }
        let base = base.filter(|(from, _)| rules.ruleset.can_reuse_counts && state.turn_order == from.turn_order);
        let base = base.map(|(from, count)| (from, count, changed_parts(from, state)));
        let is_all_known =
            base.is_some_and(|(from, count, changed)| self.reuse_results(rules, state, from, count, changed));
        if !is_all_known && self.count_features(rules, state).is_err() {
            // A later count must not reuse a partial count.
            self.cannot_reuse = true;
            return None;
        }
        let mut scores = self.scores;
        self.features.iter().for_each(|feature| add(&mut scores, &feature.pays));
        if !catalogue.has(Hook::FinalScoring) {
            return Some(scores);
        }
        let known = base.map(|(_, count, changed)| (&count.late, changed));
        let Some(late) = function_points(rules, state, &scores, known) else {
            self.cannot_reuse = true;
            return Some(play_final_count(rules, state));
        };
        late.iter().for_each(|late| add(&mut scores, &late.pays));
        self.late = late;
        Some(scores)
    }

    /// Reuses the results of `count` that cannot differ between `from`, the state of `count`, and
    /// `state`. `changed` contains the parts of the game that may differ. Returns whether the
    /// reused results cover all features.
    fn reuse_results(
        &mut self,
        rules: &Rules,
        state: &State,
        from: &State,
        count: &FinalCount,
        changed: ReadSet,
    ) -> bool {
        let LayoutDifference { n_tiles, kinds } = state.board.difference_from(&from.board);
        let is_like = state.more_zones.is_empty()
            && from.more_zones.is_empty()
            && state.tile_tags == from.tile_tags
            && state.kept_open == from.kept_open;
        if !is_like {
            return false;
        }
        let is_changed = n_tiles > 0 || !kinds.is_empty();
        let moved = changed_pieces(&rules.ruleset, state, from);
        let tile_set = &rules.catalogue().tile_set;
        for feature in &count.features {
            let FeaturePayment { layer, extent, reads, touching, .. } = *feature;
            let root = FeatureRef { layer, anchor: extent.root };
            let is_concerned = |kind: KindIdx| if layer.0 == 0 { kinds.contains(kind) } else { !kinds.is_empty() };
            let is_new = reads.meets(ReadSet::ADJACENT) && (is_changed || !moved.is_empty())
                || reads.meets(changed)
                || n_tiles > 0 && state.board.extent(tile_set, root) != extent
                || is_changed && (kinds.intersects(touching) || completion_differs(touching, state, from))
                || is_concerned(state.board.kind(extent.root))
                || moved.contains(&(layer, extent.root))
                || awaits_scoring(&rules.ruleset, state, root) != feature.awaits_scoring;
            if !is_new {
                self.features.push(*feature);
            }
        }
        moved.is_empty() && self.features.len() == count.features.len()
    }

    /// Computes the points of all features that have pieces on them and whose results were not
    /// reused.
    fn count_features(&mut self, rules: &Rules, state: &mut State) -> Result<(), Box<Fault>> {
        for i in 0..state.pieces.len() {
            let Some(Piece { kind, place: Location::Zone(first), .. }) = state.pieces[i] else { continue };
            self.count_feature(rules, state, state.feature_under(&rules.ruleset, kind, first))?;
            // Adds the features under the further zones of the piece. Only few pieces occupy
            // several zones.
            for n in 0..state.more_zones.len() {
                let (piece, anchor) = state.more_zones[n];
                if piece == PieceRef(i as u32) {
                    self.count_feature(rules, state, state.feature_under(&rules.ruleset, kind, anchor))?;
                }
            }
        }
        Ok(())
    }

    /// Computes the points of a feature, unless the count contains the feature already.
    fn count_feature(&mut self, rules: &Rules, state: &mut State, feature: FeatureRef) -> Result<(), Box<Fault>> {
        let FeatureRef { layer, anchor } = feature;
        let root = state.board.root(feature);
        if self.features.iter().any(|other| (other.layer, other.extent.root) == (layer, root)) {
            return Ok(());
        }
        let points = rules.ruleset.points(layer, state.board.kind(anchor));
        let Some(points) = points.filter(|points| points.at_end.is_some() || points.complete.is_some()) else {
            return Ok(());
        };
        rules.reads.take();
        let due = due_formula(rules, state, feature)?;
        let pays = match due {
            Some(due) => due.with_final_flag(state, |state| payments(rules, state, feature, due))?,
            None => [0; MAX_SEATS],
        };
        let formula = if due == Some(DueFormula::Completed) { &points.complete } else { &points.at_end };
        let factors = formula.iter().flat_map(|formula| &formula.terms).flat_map(|term| &term.factors);
        let mut reads = rules.reads.take();
        let mut touching = KindSet::default();
        for factor in factors {
            if let Factor::Touching { kinds, only_complete } = *factor {
                touching = KindSet(touching.0 | kinds.0);
                // Adjacent features may merge, which changes the number of adjacent features.
                reads = if only_complete { reads } else { reads.union(ReadSet::ADJACENT) };
            }
        }
        // If mods decide whether other features are complete, the points can depend on any part of
        // the game.
        if rules.catalogue().has(Hook::IsComplete) && (!touching.is_empty() || reads.meets(ReadSet::COMPLETE)) {
            reads = ReadSet::ANYTHING;
        }
        let extent = state.board.extent(&rules.catalogue().tile_set, feature);
        let awaits_scoring = awaits_scoring(&rules.ruleset, state, feature);
        self.features.push(FeaturePayment { layer, extent, awaits_scoring, pays, reads, touching });
        Ok(())
    }
}

/// Returns the points that a feature pays each player.
fn payments(rules: &Rules, state: &mut State, feature: FeatureRef, due: DueFormula) -> Result<BySeat, Box<Fault>> {
    let mut by_seat = [0; MAX_SEATS];
    let (winners, _) = majority(rules, state, feature)?;
    for player in winners.seats() {
        by_seat[player.idx()] = compute_points(rules, state, due.unfinished_award(feature, player))?;
    }
    Ok(by_seat)
}

/// Lists the features, as layer and root, on which a piece has appeared, changed or disappeared
/// between the states.
fn changed_pieces(ruleset: &Ruleset, state: &State, from: &State) -> Vec<(LayerIdx, ZoneRef)> {
    let mut changed = Vec::new();
    for i in 0..state.pieces.len().max(from.pieces.len()) {
        let piece = PieceRef(i as u32);
        let (now, before) = (state.piece(piece), from.piece(piece));
        if now == before {
            continue;
        }
        for (it, zones) in [(now, state.zones_of_piece(piece)), (before, from.zones_of_piece(piece))] {
            let Some(it) = it else { continue };
            for anchor in zones {
                let feature = state.feature_under(ruleset, it.kind, anchor);
                changed.push((feature.layer, state.board.root(feature)));
            }
        }
    }
    changed
}

/// Returns whether the states differ in the number of complete features of at least one of `kinds`.
fn completion_differs(kinds: KindSet, one: &State, other: &State) -> bool {
    let mut pairs = (0..).map(KindIdx).zip(one.board.n_complete_by_kind().iter().zip(other.board.n_complete_by_kind()));
    !kinds.is_empty() && pairs.any(|(kind, (n, m))| n != m && kinds.contains(kind))
}

/// Returns the parts of the game that may differ between the two states. Always includes
/// [`ReadSet::OTHER`], the parts that this function does not compare.
fn changed_parts(one: &State, other: &State) -> ReadSet {
    let is_like = one.board.n_complete_by_kind() == other.board.n_complete_by_kind();
    let complete = if is_like { ReadSet::NOTHING } else { ReadSet::COMPLETE };
    ReadSet::OTHER.union(complete).union(Holdings::of(one).differences(&Holdings::of(other)))
}

/// The tokens and piles in a state.
struct Holdings<'s> {
    n_seats: u8,
    tokens: &'s SharedList<u32>,
    piles: &'s SharedList<(PilePlace, PileIdx, u32)>,
    pile_stock: &'s SharedList<u32>,
}

impl Holdings<'_> {
    fn of(state: &State) -> Holdings<'_> {
        let Position { n_seats, tokens, piles, pile_stock, .. } = &state.position;
        Holdings { n_seats: *n_seats, tokens, piles, pile_stock }
    }

    /// Returns the kinds of tokens whose counts differ from those in `other`, and
    /// [`ReadSet::PILES`] if the piles differ.
    fn differences(&self, other: &Holdings<'_>) -> ReadSet {
        let are_like = self.piles == other.piles && self.pile_stock == other.pile_stock;
        let piles = if are_like { ReadSet::NOTHING } else { ReadSet::PILES };
        if self.tokens == other.tokens {
            return piles;
        }
        let n = usize::from(self.n_seats) + 1;
        let each = (0..=u8::MAX).map(TokenIdx).zip(self.tokens.chunks(n).zip(other.tokens.chunks(n)));
        each.filter(|(_, (held, before))| held != before)
            .fold(piles, |all, (token, _)| all.union(ReadSet::token(token)))
    }
}

fn booked_scores(state: &State) -> BySeat {
    let mut scores = [0; MAX_SEATS];
    state.seats().for_each(|seat| scores[seat.idx()] = state.score(seat));
    scores
}

fn add(scores: &mut BySeat, more: &BySeat) {
    scores.iter_mut().zip(more).for_each(|(score, more)| *score += more);
}

/// Plays the whole final count as the game would and returns the scores.
fn play_final_count(rules: &Rules, state: &State) -> BySeat {
    let mut end = state.clone();
    ending::go_to_final(&mut end, FinalStage::Features);
    // If a function fails, only the points booked until then count.
    let _ = agenda::advance(rules, &mut end);
    booked_scores(end.view())
}

/// Returns the points that each function of `final_scoring` pays after the features have raised the
/// scores to `scores`. Returns `None` if the engine must play the whole final count instead.
/// `known` contains earlier results, and the parts of the game that have changed since. Reuses the
/// results that cannot have changed.
fn function_points(
    rules: &Rules,
    state: &mut State,
    scores: &BySeat,
    known: Option<(&Rc<[FinalPoints]>, ReadSet)>,
) -> Option<Rc<[FinalPoints]>> {
    let Some((known, changed)) = known else { return rerun_functions(rules, state, scores, &[], &[]) };
    let mut is_anew: Vec<bool> = known.iter().map(|it| it.reads.meets(changed)).collect();
    if !known.is_empty() && !is_anew.contains(&true) {
        return Some(known.clone());
    }
    // A function runs again if it reads a part of the game that a rerun function changes, or if it
    // changes a part that a rerun function reads.
    while let Some(next) = (0..known.len()).find(|i| {
        let it = known[*i];
        let mut others = known.iter().zip(&is_anew).filter(|(_, is_anew)| **is_anew);
        !is_anew[*i] && others.any(|(other, _)| it.reads.meets(other.changes) || it.changes.meets(other.reads))
    }) {
        is_anew[next] = true;
    }
    let late = rerun_functions(rules, state, scores, known, &is_anew)?;
    // If a function changed more parts of the game than before, functions that did not run again
    // may depend on these parts. In this case, runs all functions again.
    let changes_no_more = late.iter().zip(known.iter()).all(|(now, before)| before.changes.includes(now.changes));
    if changes_no_more { Some(late) } else { rerun_functions(rules, state, scores, &[], &[]) }
}

/// Runs the functions of `final_scoring` that are marked in `is_anew` or have no entry in `known`,
/// and copies the results of the others from `known`. Returns `None` if a function fails, asks, or
/// reads unknown parts of the game.
fn rerun_functions(
    rules: &Rules,
    state: &mut State,
    scores: &BySeat,
    known: &[FinalPoints],
    is_anew: &[bool],
) -> Option<Rc<[FinalPoints]>> {
    // The state for functions that do more than propose points, which is rare.
    let mut end: Option<State> = None;
    let handlers = rules.catalogue().handlers(Hook::FinalScoring).iter().enumerate();
    let each = handlers.map(|(i, handler)| {
        let before = known.get(i).copied();
        if let Some(before) = before.filter(|_| !is_anew[i]) {
            return Some(before);
        }
        let may_only_propose = before.is_none_or(|before| before.only_proposes);
        let proposed =
            may_only_propose.then(|| proposed_points(rules, end.as_mut().unwrap_or(state), handler)).flatten();
        let late = proposed.or_else(|| run(rules, end.get_or_insert_with(|| end_state(state, scores)), handler))?;
        (!late.reads.includes(ReadSet::ANYTHING)).then_some(late)
    });
    each.collect()
}

/// Returns the state at the end of the game, after the features have paid.
fn end_state(state: &State, scores: &BySeat) -> State {
    let mut end = state.clone();
    // The count does not need the earlier awards. With them, the first new award would copy the
    // whole list.
    end.awards = SharedList::default();
    let n_markers = end.markers.len() / usize::from(end.n_seats.max(1));
    for seat in end.seats() {
        let more = scores[seat.idx()] - end.score(seat);
        end.markers[seat.idx() * n_markers] += more;
    }
    end
}

/// Runs a function of `final_scoring` to find the points that it pays. Returns `None` if the
/// function fails, asks or does more than propose points.
fn proposed_points(rules: &Rules, state: &mut State, handler: &Handler) -> Option<FinalPoints> {
    rules.reads.take();
    let mut pays = [0; MAX_SEATS];
    if RuleEvent::FinalScoring.passes(rules, state, handler) {
        let args = RuleEvent::FinalScoring.args(rules, state, handler);
        // The recorded answers belong to another call, which may be waiting for an answer in this
        // state. The function called here must not receive them.
        let answers = std::mem::take(&mut state.machine.answers);
        let proposals = proposals_of(rules, state, handler.function, &args);
        state.machine.answers = answers;
        for (player, points) in proposals? {
            pays[player.idx()] += points;
        }
    }
    Some(FinalPoints { pays, reads: take_reads(rules), changes: ReadSet::NOTHING, only_proposes: true })
}

/// Runs a function of `final_scoring` at the end of the game. Returns `None` if it fails or asks.
fn run(rules: &Rules, end: &mut State, handler: &Handler) -> Option<FinalPoints> {
    let (tokens, piles, pile_stock) = (end.tokens.clone(), end.piles.clone(), end.pile_stock.clone());
    let scores = booked_scores(end);
    rules.reads.take();
    end.is_over = false;
    ending::go_to_final(end, FinalStage::Winners);
    if RuleEvent::FinalScoring.passes(rules, end, handler) {
        let args = RuleEvent::FinalScoring.args(rules, end, handler);
        let ended = run_function(rules, end, handler.function, &args, HookClass::Effect);
        let Ok(CallOutcome::Finished { .. }) = ended else { return None };
        flush_queue(end);
        agenda::advance(rules, end).ok().filter(|()| !end.machine.is_waiting)?;
    }
    let mut pays = booked_scores(end);
    pays.iter_mut().zip(scores).for_each(|(pays, before)| *pays -= before);
    let reads = take_reads(rules);
    let now = Holdings::of(end);
    let before = Holdings { tokens: &tokens, piles: &piles, pile_stock: &pile_stock, ..now };
    Some(FinalPoints { pays, reads, changes: now.differences(&before), only_proposes: false })
}

/// Returns the parts of the game that functions have read since `rules.reads` was last emptied, and
/// empties it.
fn take_reads(rules: &Rules) -> ReadSet {
    let reads = rules.reads.take();
    // If mods decide whether features are complete, the number of complete features can depend on
    // any part of the game.
    let asks_mods = rules.catalogue().has(Hook::IsComplete) && reads.meets(ReadSet::COMPLETE);
    if asks_mods { ReadSet::ANYTHING } else { reads }
}
