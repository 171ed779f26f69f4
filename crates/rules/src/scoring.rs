//! Scoring: the value of features, their winners, and the booking of points as one batch.
//!
//! This file is long because it contains all steps from a feature to its award: majority, terms,
//! formulas, booking.

use std::sync::Arc;

use board::{FeatureRef, KindSet, LayerIdx, ZoneRef};

use crate::awards::{Award, AwardLine, MAX_POINTS, TermKind};
use crate::call::{Rules, Transaction, UnfinishedAward};
use crate::catalogue::{Factor, Formula, Handler, PointFormulas};
use crate::event::{MarkerMove, RuleEvent, Scoring};
use crate::fault::{Failure, Fault};
use crate::handlers::part_has_tag;
use crate::hooks::{Hook, HookClass};
use crate::indices::{ModIdx, PieceKindIdx};
use crate::invoke::{
    CallOutcome, call_read_only, core_fault, fault, flush_queue, missing_step_fault, returned_players, run_call,
    wrong_result_fault,
};
use crate::position::{CompletedFeature, Piece, Position, TurnPart};
use crate::ruleset::Ruleset;
use crate::score_order;
use crate::seat_set::SeatSet;
use crate::state::{Actor, Answer, Question, State};
use crate::step::{Consequence, EngineStep, PhaseStage, Proposal, ScoringBatch, ScoringStage};
use crate::value::{MAX_SEATS, PieceRef, Seat, Value};

/// Runs the next stage of the batch that is on top of the agenda.
#[inline(never)]
pub(crate) fn run_batch(rules: &Rules, state: &mut State) -> Result<(), Box<Fault>> {
    let Some(EngineStep::Batch(batch)) = state.machine.agenda.last_mut() else {
        return Err(missing_step_fault(state, "scoring"));
    };
    match batch.stage {
        ScoringStage::Compute => {
            let (features, proposals) = (batch.features.clone(), batch.proposals.clone());
            let (is_final, is_loot) = (batch.is_final, batch.is_loot);
            compute(rules, state, features, proposals, is_final, is_loot)
        }
        ScoringStage::Markers => {
            let n_markers = rules.catalogue().track.n_markers;
            while batch.awards.get(batch.asked).is_some_and(|a| a.points == 0) {
                batch.asked += 1;
            }
            let next = batch.awards.get(batch.asked).filter(|_| n_markers > 1 && !batch.is_final);
            let Some(award) = next else {
                batch.stage = ScoringStage::Order;
                return Ok(());
            };
            let (player, points, feature) = (award.player, award.points, award.feature);
            let unit = if points == 1 { "point" } else { "points" };
            let prompt = format!("Which score marker gets {points} {unit} ({})?", award.reason);
            state.machine.decision.begin(Actor::Player(player), Question::Marker { points, feature }, prompt);
            state.machine.decision.choices.extend((0..n_markers).map(Answer::Marker));
            state.machine.is_waiting = true;
            Ok(())
        }
        ScoringStage::Order => {
            if !score_order::ask_if_needed(rules, state) {
                score_order::sort_awards(state);
                if let Some(EngineStep::Batch(batch)) = state.machine.agenda.last_mut() {
                    batch.stage = ScoringStage::Book;
                }
            }
            Ok(())
        }
        ScoringStage::Book => {
            state.check_growth().map_err(|error| core_fault(state, error))?;
            if let Some(EngineStep::Batch(batch)) = state.machine.agenda.pop() {
                book(rules, state, *batch);
            }
            flush_queue(state);
            Ok(())
        }
    }
}

/// Computes the awards of the batch on top of the agenda and stores them in the batch. During play,
/// also returns the pieces on the scored features to supply and records these features as
/// completed.
fn compute(
    rules: &Rules,
    state: &mut State,
    features: Vec<FeatureRef>,
    proposals: Vec<Proposal>,
    is_final: bool,
    is_loot: bool,
) -> Result<(), Box<Fault>> {
    let mut awards: Vec<Award> = Vec::new();
    let mut completed: Vec<CompletedFeature> = Vec::new();
    for feature in &features {
        let due = if is_final { due_formula(rules, state, *feature)? } else { Some(DueFormula::Completed) };
        let Some(due) = due else { continue };
        let winners = due.with_final_flag(state, |state| add_awards(rules, state, *feature, due, &mut awards))?;
        let winners = winners.seats().collect();
        completed.push(CompletedFeature { feature: *feature, winners, is_changed: false });
    }
    for proposal in proposals {
        let worth = match proposal.feature {
            Some(feature) => value_at_end(rules, state, feature, proposal.player)?.unwrap_or_default(),
            None => DerivedPoints { points: proposal.points, ..DerivedPoints::default() },
        };
        let DerivedPoints { points, mut lines, clash } = worth;
        log_conflict(rules, state, clash);
        if proposal.feature.is_none() {
            let (amount, owner, reason) = (points, Some(proposal.owner), proposal.reason.clone());
            lines.push(AwardLine { kind: TermKind::Add, amount, owner, function: proposal.function, reason });
        }
        let mut award = award(rules, state, proposal.player, points, lines, proposal.feature, is_final);
        award.reason = proposal.reason;
        award.is_loot = is_loot;
        awards.push(award);
    }
    let (n, active) = (state.n_seats, state.turn_order.place(state.player()));
    awards.sort_by_key(|a| (state.turn_order.place(a.player) + n - active) % n);
    if !is_final && !features.is_empty() {
        return_pieces(rules, state, &features)?;
        let Position { board, parts, .. } = &mut state.position;
        if let Some((part, outer)) = parts.split_last_mut() {
            part.completed.extend(completed);
            for part in outer {
                part.was_complete.extend(features.iter().map(|f| (f.layer, board.sorted_zones(*f))));
            }
        }
        features.iter().for_each(|feature| state.position.remove_kept_open(*feature));
    }
    if let Some(EngineStep::Batch(batch)) = state.machine.agenda.last_mut() {
        batch.stage = ScoringStage::Markers;
        batch.awards = awards;
    }
    Ok(())
}

/// Adds to `awards` the award of a feature for each player with the majority. Returns these
/// players.
fn add_awards(
    rules: &Rules,
    state: &mut State,
    feature: FeatureRef,
    due: DueFormula,
    awards: &mut Vec<Award>,
) -> Result<SeatSet, Box<Fault>> {
    let (winners, clash) = majority(rules, state, feature)?;
    log_conflict(rules, state, clash);
    for player in winners.seats() {
        let scored = due.unfinished_award(feature, player);
        let DerivedPoints { points, lines, clash } = derive_points(rules, state, scored)?.unwrap_or_default();
        log_conflict(rules, state, clash);
        // The engine books an award of 0 points only if a mod has contributed to the award.
        if points != 0 || lines.len() > 1 {
            awards.push(award(rules, state, player, points, lines, Some(feature), scored.is_final));
        }
    }
    Ok(winners)
}

fn award(
    rules: &Rules,
    state: &State,
    player: Seat,
    points: i64,
    lines: Vec<AwardLine>,
    feature: Option<FeatureRef>,
    is_final: bool,
) -> Award {
    let reason = match feature {
        Some(f) if f.layer.0 > 0 => rules.ruleset.layer_names[f.layer.0 as usize].clone(),
        Some(f) => rules.ruleset.kind_names[state.board.kind(f.anchor).0 as usize].clone(),
        None => rules.ruleset.turn_reason.clone(),
    };
    let decision = state.n_answers;
    Award { player, points, feature, reason, lines, is_final, is_loot: false, marker: 0, decision }
}

/// Returns the pieces on scored features to supply, except pinned pieces and kinds of pieces that
/// stay on the board.
fn return_pieces(rules: &Rules, state: &mut State, features: &[FeatureRef]) -> Result<(), Box<Fault>> {
    for feature in features {
        let mut pieces: Vec<PieceRef> = state.board.occupants(*feature).map(|s| PieceRef(s.piece)).collect();
        pieces.sort_unstable();
        pieces.dedup();
        for piece in pieces {
            let goes = state.piece(piece).is_some_and(|p| !p.pinned && rules.catalogue().piece(p.kind).goes_home);
            if goes {
                state.return_piece(&rules.ruleset, piece, "scored").map_err(|m| core_fault(state, m))?;
            }
        }
    }
    Ok(())
}

fn book(rules: &Rules, state: &mut State, batch: ScoringBatch) {
    let n_markers = rules.catalogue().track.n_markers.max(1) as usize;
    let mut moves: Vec<MarkerMove> = Vec::new();
    for award in batch.awards {
        let at = award.player.idx() * n_markers + award.marker as usize;
        let from = state.markers[at];
        state.markers[at] += award.points;
        let to = state.markers[at];
        if award.points != 0 {
            let Award { player, marker, feature, .. } = award;
            moves.push(MarkerMove { player, marker, from, to, feature, reason: award.reason.clone() });
        }
        let texts = award.lines.iter().map(|line| size_of_val(line) + line.reason.len());
        state.machine.n_bytes += size_of::<Award>() + texts.sum::<usize>();
        state.awards.push(Arc::new(award));
    }
    let mut listeners = rules.catalogue().handlers(Hook::Scored).iter();
    let is_heard = listeners.any(|handler| !(handler.filter.only_playing && batch.is_final));
    if is_heard && (!moves.is_empty() || !batch.features.is_empty()) {
        let ScoringBatch { features, is_final, is_loot, .. } = batch;
        let scoring = Scoring { moves, features, is_final, is_loot };
        state.machine.queue.push(Consequence::Event(RuleEvent::Scored(Arc::new(scoring))));
    }
}

/// Returns the features to score in the running part of the turn, each once. First come the newly
/// complete features, in the order in which this part changed them. Then come those features that
/// mods have kept open until now. Omits features without a formula for completion. Records in
/// `kept_open` the features that mods keep open now.
pub(crate) fn features_to_score(rules: &Rules, state: &mut State) -> Result<Vec<FeatureRef>, Box<Fault>> {
    let mut found: Vec<(LayerIdx, ZoneRef, FeatureRef)> = Vec::new();
    let Some(part) = state.parts.last() else { return Ok(Vec::new()) };
    let (from, n_touched) = (part.unscored_from, state.touched.len());
    let n_kept_open = if part.scores_again { 0 } else { state.kept_open.len() };
    for i in from..n_touched + n_kept_open {
        let touch = if i < n_touched { state.touched[i] } else { state.kept_open[i - n_touched] };
        let kind = state.board.kind(touch.anchor);
        let scores = match touch.layer.0 {
            0 => rules.ruleset.completes.contains(kind),
            _ => rules.ruleset.points(touch.layer, kind).is_some_and(|p| p.complete.is_some()),
        };
        if !scores || !state.board.is_complete(&rules.ruleset.catalogue.tile_set, touch) {
            continue;
        }
        let root = state.board.root(touch);
        if found.iter().any(|(layer, r, _)| (*layer, *r) == (touch.layer, root)) {
            continue;
        }
        if state.parts.last().is_some_and(|part| was_complete(state, part, touch) || state.has_scored(part, touch)) {
            continue;
        }
        if !is_complete(rules, state, touch)? {
            if !state.is_kept_open(touch) {
                state.kept_open.push(touch);
            }
            continue;
        }
        found.push((touch.layer, root, touch));
    }
    Ok(found.into_iter().map(|(_, _, feature)| feature).collect())
}

fn was_complete(state: &State, part: &TurnPart, feature: FeatureRef) -> bool {
    contains_feature(state, &part.was_complete, feature)
}

fn contains_feature(state: &State, listed: &[(LayerIdx, Vec<ZoneRef>)], feature: FeatureRef) -> bool {
    !listed.is_empty() && listed.contains(&(feature.layer, state.board.sorted_zones(feature)))
}

/// The formula that applies to a feature if the game ends now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DueFormula {
    /// The formula for completion: a running part of the turn has completed the feature but not
    /// scored it yet.
    Completed,
    /// The formula for the final count.
    AtEnd { is_complete: bool },
}

impl DueFormula {
    /// Returns the award that functions for scoring receive as their argument.
    pub fn unfinished_award(self, feature: FeatureRef, player: Seat) -> UnfinishedAward {
        let (is_final, is_complete) = match self {
            DueFormula::Completed => (false, true),
            DueFormula::AtEnd { is_complete } => (true, is_complete),
        };
        UnfinishedAward { is_final, is_complete, ..UnfinishedAward::of(feature, player) }
    }

    /// Calls `work` with the state's `is_final` set as it will be when the feature pays: false for
    /// a completed feature, true in the final count. Then restores `is_final`.
    pub(crate) fn with_final_flag<T>(self, state: &mut State, work: impl FnOnce(&mut State) -> T) -> T {
        let is_final = std::mem::replace(&mut state.is_final, self != DueFormula::Completed);
        let done = work(state);
        state.is_final = is_final;
        done
    }
}

/// Returns the formula that applies to a feature if the game ends now. Returns `None` if the
/// feature was scored, or if its kind of land pays nothing at the end.
pub(crate) fn due_formula(
    rules: &Rules,
    state: &mut State,
    feature: FeatureRef,
) -> Result<Option<DueFormula>, Box<Fault>> {
    let points = rules.ruleset.points(feature.layer, state.board.kind(feature.anchor));
    let Some(points) = points.filter(|it| it.complete.is_some() || it.at_end.is_some()) else { return Ok(None) };
    let is_complete = is_complete(rules, state, feature)?;
    if is_complete && awaits_scoring(&rules.ruleset, state, feature) {
        return Ok(Some(DueFormula::Completed));
    }
    let has_paid = is_complete && points.complete.is_some() && !state.is_kept_open(feature);
    Ok((points.at_end.is_some() && !has_paid).then_some(DueFormula::AtEnd { is_complete }))
}

/// Returns whether a running part of the turn or, between parts, the next part will score the
/// feature if mods do not keep the feature open. Returns true only for a complete feature that was
/// changed since the last scoring or that mods have kept open until now.
pub(crate) fn awaits_scoring(ruleset: &Ruleset, state: &State, feature: FeatureRef) -> bool {
    let pays = ruleset.points(feature.layer, state.board.kind(feature.anchor)).is_some_and(|it| it.complete.is_some());
    if !pays || !state.board.is_complete(&ruleset.catalogue.tile_set, feature) {
        return false;
    }
    let is_in = |touched: &[FeatureRef]| touched.iter().any(|it| state.is_same_feature(*it, feature));
    if state.parts.is_empty() {
        return is_in(&state.touched) && !contains_feature(state, &state.was_complete, feature);
    }
    // Each running part of the turn has one of these steps on the agenda.
    let are_to_score = state.machine.agenda.iter().filter_map(|step| match *step {
        EngineStep::Phase { at, stage } => {
            Some(at < ruleset.score_phase || at == ruleset.score_phase && stage != PhaseStage::Scored)
        }
        EngineStep::EndPart | EngineStep::ClosePart => Some(false),
        _ => None,
    });
    let ends = state.parts.iter().skip(1).map(|part| part.touched_from).chain([state.touched.len()]);
    state.parts.iter().zip(ends).zip(are_to_score).any(|((part, end), is_to_score)| {
        let is_unscored = || is_in(&state.touched[part.unscored_from..end]) && !state.has_scored(part, feature);
        part.skipped.iter().all(|phase| phase.0 != ruleset.score_phase)
            && (is_unscored() || is_to_score && state.is_kept_open(feature))
            && !was_complete(state, part, feature)
    })
}

/// The time at which a piece on the board can return to supply, according to the manifests. The
/// variants are in the order from the soonest return to the latest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ReturnTime {
    /// The piece returns when the running part of the turn is scored.
    ReturnsNow,
    /// The piece returns when its feature is completed, or whenever a mod decides.
    MayReturn,
    /// The piece stays on the board, because its feature pays only in the final count.
    StaysToEnd,
}

/// Returns the kind and the return time of each piece of `owner` in play. Omits pinned pieces, and
/// kinds of pieces that do not return to supply when a feature is scored.
pub fn return_times(rules: &Rules, state: &State, owner: Seat) -> Vec<(PieceKindIdx, ReturnTime)> {
    let goes = |it: &Piece| it.owner == Some(owner) && !it.pinned && rules.catalogue().piece(it.kind).goes_home;
    let of_feature = |feature: FeatureRef| {
        if awaits_scoring(&rules.ruleset, state, feature) {
            return ReturnTime::ReturnsNow;
        }
        match rules.ruleset.points(feature.layer, state.board.kind(feature.anchor)) {
            Some(PointFormulas { complete: None, at_end: Some(_) }) => ReturnTime::StaysToEnd,
            _ => ReturnTime::MayReturn,
        }
    };
    let own = state.pieces().filter(|(_, it)| goes(it));
    own.map(|(piece, it)| {
        let on_zones = state.zones_of_piece(piece).map(|zone| state.feature_under(&rules.ruleset, it.kind, zone));
        (it.kind, on_zones.map(of_feature).min().unwrap_or(ReturnTime::MayReturn))
    })
    .collect()
}

/// Returns the features that have a piece on them, in the order of the numbers of the pieces.
pub(crate) fn features_with_pieces(ruleset: &Ruleset, state: &State) -> Vec<FeatureRef> {
    let mut found: Vec<(LayerIdx, ZoneRef)> = Vec::new();
    let stands = state.pieces().flat_map(|(piece, it)| state.zones_of_piece(piece).map(|z| (it.kind, z)));
    let features = stands.map(|(kind, anchor)| state.feature_under(ruleset, kind, anchor));
    let is_first_mention = |feature: &FeatureRef| {
        let key = (feature.layer, state.board.root(*feature));
        let is_new = !found.contains(&key);
        found.extend(is_new.then_some(key));
        is_new
    };
    features.filter(is_first_mention).collect()
}

/// Returns the features that have a piece on them and pay if the game ends now, in the order of the
/// numbers of the pieces.
pub(crate) fn features_at_end(rules: &Rules, state: &mut State) -> Result<Vec<FeatureRef>, Box<Fault>> {
    let mut features = Vec::new();
    for feature in features_with_pieces(&rules.ruleset, state) {
        if due_formula(rules, state, feature)?.is_some() {
            features.push(feature);
        }
    }
    Ok(features)
}

/// Returns whether `feature` passes the handler's filter.
fn is_about(rules: &Rules, state: &State, handler: &Handler, feature: FeatureRef) -> bool {
    let filter = &handler.filter;
    filter.fits_feature(rules, state, feature) && filter.tile_tag.is_none_or(|tag| part_has_tag(rules, state, tag))
}

/// Returns whether the award `scored` passes the handler's filter.
fn is_about_award(rules: &Rules, state: &State, handler: &Handler, scored: UnfinishedAward) -> bool {
    !(handler.filter.only_playing && scored.is_final) && is_about(rules, state, handler, scored.feature)
}

/// Returns whether the feature is complete and every mod agrees. A feature is complete if it has no
/// open port or, for some kinds of land, if it is surrounded by tiles.
///
/// # Errors
/// Returns the fault of a function that fails.
pub fn is_complete(rules: &Rules, state: &mut State, feature: FeatureRef) -> Result<bool, Box<Fault>> {
    let catalogue = rules.catalogue();
    if !state.board.is_complete(&catalogue.tile_set, feature) {
        return Ok(false);
    }
    for handler in catalogue.handlers(Hook::IsComplete) {
        if !is_about(rules, state, handler, feature) {
            continue;
        }
        match call_read_only(rules, state, handler.function, &[Value::Feature(feature)], HookClass::Pure)? {
            Value::Bool(true) => {}
            Value::Bool(false) => return Ok(false),
            other => return Err(wrong_result_fault(rules, state, Hook::IsComplete, handler, &other)),
        }
    }
    Ok(true)
}

/// Returns the pieces that count on a feature, each once, in the order of their numbers.
pub fn pieces_on(state: &State, feature: FeatureRef) -> Vec<(PieceRef, Piece)> {
    let mut pieces: Vec<(PieceRef, Piece)> = Vec::new();
    for occupant in state.board.occupants(feature) {
        let piece = PieceRef(occupant.piece);
        if let Some(it) = state.piece(piece).filter(|_| pieces.iter().all(|(p, _)| *p != piece)) {
            pieces.push((piece, *it));
        }
    }
    pieces.sort_unstable_by_key(|(p, _)| *p);
    pieces
}

/// Returns the players with the majority on a feature: those whose pieces have the greatest total
/// weight, if this weight is above 0. In a tie, returns all tied players. Mods can choose other
/// players with `break_tie`.
///
/// # Errors
/// Returns the fault of a function that fails.
pub fn majority_holders(rules: &Rules, state: &mut State, feature: FeatureRef) -> Result<Vec<Seat>, Box<Fault>> {
    majority(rules, state, feature).map(|(winners, _)| winners.seats().collect())
}

/// Two mods that contradict each other about an award, a tie or the winners of the game. The second
/// mod comes later in mod order and prevails.
pub(crate) struct AwardConflict {
    pub mods: [ModIdx; 2],
    pub what: &'static str,
}

/// Adds a note to the event log, once in a game, that two mods contradict each other. Does nothing
/// if the second mod builds on the first, because the contradiction is then intended.
pub(crate) fn log_conflict(rules: &Rules, state: &mut State, clash: Option<AwardConflict>) {
    let Some(AwardConflict { mods: [first, second], what }) = clash else { return };
    if rules.catalogue().mods[second.idx()].builds_on.contains(&first) {
        return;
    }
    let [first, second] = [first, second].map(|it| rules.catalogue().mods[it.idx()].id.as_str());
    let text = format!("{first} and {second} {what}; {second} comes later and prevails");
    if state.notes().iter().all(|(_, note)| **note != *text) {
        state.note(&text);
    }
}

/// Finds two mods that replace the value of one award with different numbers, if the replacement
/// affects the award.
fn find_conflict(lines: &[AwardLine]) -> Option<AwardConflict> {
    let is_zero = lines.iter().any(|line| line.kind == TermKind::Zero);
    let last = lines.iter().rfind(|line| line.kind == TermKind::Replace).filter(|_| !is_zero)?;
    let differs =
        |line: &&AwardLine| line.kind == TermKind::Replace && line.amount != last.amount && line.owner != last.owner;
    let mods = [lines.iter().rfind(differs)?.owner?, last.owner?];
    Some(AwardConflict { mods, what: "replace the value of one award differently" })
}

/// Returns the players with the majority on a feature. Also returns two mods that disagree about
/// these players, if any.
pub(crate) fn majority(
    rules: &Rules,
    state: &mut State,
    feature: FeatureRef,
) -> Result<(SeatSet, Option<AwardConflict>), Box<Fault>> {
    let catalogue = rules.catalogue();
    let mut weights = [0i64; MAX_SEATS];
    let mut owners = SeatSet::NONE;
    let mut strong: Vec<(PieceRef, PieceKindIdx, Seat)> = Vec::new();
    let asks_strength = catalogue.has(Hook::Strength);
    for (i, occupant) in state.board.occupants(feature).enumerate() {
        // Only a piece on several zones can occur twice among the occupants.
        let is_twin = |s: &board::Occupant| s.piece == occupant.piece;
        if !state.more_zones.is_empty() && state.board.occupants(feature).take(i).any(is_twin) {
            continue;
        }
        let Some(it) = state.piece(PieceRef(occupant.piece)) else { continue };
        let Some(owner) = it.owner else { continue };
        weights[owner.idx()] += catalogue.piece(it.kind).strength;
        owners = owners.union(owner.into());
        if asks_strength {
            strong.push((PieceRef(occupant.piece), it.kind, owner));
        }
    }
    if owners == SeatSet::NONE {
        return Ok((owners, None));
    }
    if asks_strength {
        for (piece, sort, owner) in strong {
            for handler in catalogue.handlers(Hook::Strength) {
                if !handler.filter.fits_piece(sort) || !is_about(rules, state, handler, feature) {
                    continue;
                }
                let args = [Value::Piece(piece), Value::Feature(feature)];
                match call_read_only(rules, state, handler.function, &args, HookClass::Pure)? {
                    Value::Int(n) => weights[owner.idx()] = weights[owner.idx()].saturating_add(n),
                    Value::Unit => {}
                    other => return Err(wrong_result_fault(rules, state, Hook::Strength, handler, &other)),
                }
            }
        }
    }
    let most = owners.seats().map(|s| weights[s.idx()]).max().unwrap_or(0);
    let tied: SeatSet = owners.seats().filter(|s| most > 0 && weights[s.idx()] == most).collect();
    if tied != SeatSet::NONE && catalogue.has(Hook::BreakTie) {
        break_tie(rules, state, feature, tied)
    } else {
        Ok((tied, None))
    }
}

/// Asks mods which of the players in `tied` score, and returns the players that they choose. The
/// last mod in mod order prevails. Also returns two mods that choose differently, if any.
fn break_tie(
    rules: &Rules,
    state: &mut State,
    feature: FeatureRef,
    tied: SeatSet,
) -> Result<(SeatSet, Option<AwardConflict>), Box<Fault>> {
    let mut said: Option<(SeatSet, ModIdx)> = None;
    let mut clash = None;
    for handler in rules.catalogue().handlers(Hook::BreakTie) {
        if !is_about(rules, state, handler, feature) {
            continue;
        }
        let args = [Value::Feature(feature), Value::list(tied.seats().map(Value::Player))];
        let value = call_read_only(rules, state, handler.function, &args, HookClass::Pure)?;
        if value == Value::Unit {
            continue;
        }
        let seats = returned_players(rules, state, Hook::BreakTie, handler, &value)?;
        if let Some((_, first)) = said.filter(|(before, _)| *before != seats) {
            clash = Some(AwardConflict { mods: [first, handler.owner], what: "break one tie differently" });
        }
        said = Some((seats, handler.owner));
    }
    Ok((said.map_or(tied, |(seats, _)| seats), clash))
}

/// Returns the points that the formula for the final count would give `player` for a feature if
/// `player` had the majority. Returns `None` if the feature's kind of land pays nothing at the end.
/// Also returns `None` if the feature was already scored on completion, or if a running part of the
/// turn has yet to score it.
pub(crate) fn value_at_end(
    rules: &Rules,
    state: &mut State,
    feature: FeatureRef,
    player: Seat,
) -> Result<Option<DerivedPoints>, Box<Fault>> {
    match due_formula(rules, state, feature)? {
        Some(due @ DueFormula::AtEnd { .. }) => derive_points(rules, state, due.unfinished_award(feature, player)),
        Some(DueFormula::Completed) | None => Ok(None),
    }
}

/// Returns the points that a feature, with its present tiles, would pay `player` if it were
/// complete now and `player` had the majority. Returns `None` if the feature has no formula for
/// completion.
pub(crate) fn value_now(
    rules: &Rules,
    state: &mut State,
    feature: FeatureRef,
    player: Seat,
) -> Result<Option<DerivedPoints>, Box<Fault>> {
    derive_points(rules, state, UnfinishedAward { is_complete: true, ..UnfinishedAward::of(feature, player) })
}

/// The points that a feature pays one player, with their derivation.
#[derive(Default)]
pub(crate) struct DerivedPoints {
    pub points: i64,
    pub lines: Vec<AwardLine>,
    clash: Option<AwardConflict>,
}

/// Returns the points that a feature pays one player, without their derivation.
pub(crate) fn compute_points(rules: &Rules, state: &mut State, scored: UnfinishedAward) -> Result<i64, Box<Fault>> {
    let handlers =
        || [Hook::ScoreValue, Hook::ScoreTotal].into_iter().flat_map(|hook| rules.catalogue().handlers(hook));
    if handlers().any(|handler| is_about_award(rules, state, handler, scored)) {
        return Ok(derive_points(rules, state, scored)?.map_or(0, |worth| worth.points));
    }
    let kind = state.board.kind(scored.feature.anchor);
    let points = rules.ruleset.points(scored.feature.layer, kind);
    let formula =
        points.and_then(|points| if scored.is_final { points.at_end.as_ref() } else { points.complete.as_ref() });
    match formula {
        Some(formula) => evaluate(rules, state, formula, scored.feature),
        None => Ok(0),
    }
}

/// Returns the points that a feature pays one player, with their derivation. Returns `None` if no
/// formula applies to the feature.
pub(crate) fn derive_points(
    rules: &Rules,
    state: &mut State,
    scored: UnfinishedAward,
) -> Result<Option<DerivedPoints>, Box<Fault>> {
    let catalogue = rules.catalogue();
    let kind = state.board.kind(scored.feature.anchor);
    let Some(points) = rules.ruleset.points(scored.feature.layer, kind) else { return Ok(None) };
    let formula = if scored.is_final { &points.at_end } else { &points.complete };
    let Some(formula) = formula else { return Ok(None) };
    let base = evaluate(rules, state, formula, scored.feature)?;
    let reason = rules.ruleset.kind_names[kind.0 as usize].clone();
    let mut lines = vec![AwardLine { kind: TermKind::Formula, amount: base, owner: None, function: None, reason }];
    if !catalogue.has(Hook::ScoreValue) && !catalogue.has(Hook::ScoreTotal) {
        return Ok(Some(DerivedPoints { points: base, lines, clash: None }));
    }
    for handler in catalogue.handlers(Hook::ScoreValue) {
        lines.extend(terms_of(rules, state, handler, scored)?);
    }
    // A stable sort preserves mod order, so the last of several replacements counts.
    lines.sort_by_key(|l| l.kind);
    let clash = find_conflict(&lines);
    let mut total = apply_terms(0, &lines);
    for handler in catalogue.handlers(Hook::ScoreTotal) {
        let mut terms = terms_of(rules, state, handler, UnfinishedAward { so_far: Some(total), ..scored })?;
        terms.sort_by_key(|l| l.kind);
        total = apply_terms(total, &terms);
        lines.extend(terms);
    }
    if total.abs_diff(0) > MAX_POINTS {
        let message = format!("an award of {total} points for {} is too large", lines[0].reason);
        // The fault names the mod that submitted the last term.
        let owner = lines.iter().rev().find_map(|line| line.owner);
        let mut handlers = [Hook::ScoreTotal, Hook::ScoreValue].into_iter().flat_map(|hook| catalogue.handlers(hook));
        return Err(match handlers.find(|handler| Some(handler.owner) == owner) {
            Some(handler) => fault(rules, state, handler.function, Failure::from(message)),
            None => core_fault(state, message),
        });
    }
    Ok(Some(DerivedPoints { points: total, lines, clash }))
}

/// Returns the terms that a mod's function submits for the award `scored`.
fn terms_of(
    rules: &Rules,
    state: &mut State,
    handler: &Handler,
    scored: UnfinishedAward,
) -> Result<Vec<AwardLine>, Box<Fault>> {
    if !is_about_award(rules, state, handler, scored) {
        return Ok(Vec::new());
    }
    let own = Transaction::new(rules.clone(), handler.owner, handler.function, HookClass::Pure);
    let args = [Value::Feature(scored.feature), Value::Score];
    let CallOutcome::Finished { lines, value, .. } =
        run_call(rules, state, handler.function, &args, own.with_award(scored))?
    else {
        return Err(core_fault(state, "a function that may only read the game asked a question".to_owned()));
    };
    if let Value::Int(n) = value {
        let message = format!(
            "this function must submit terms with methods such as `score.plus({n}, \"why\")`; it returned {n} instead"
        );
        return Err(fault(rules, state, handler.function, Failure::from(message)));
    }
    Ok(lines)
}

/// Applies the terms in `lines`, which are sorted by kind, to `points`.
fn apply_terms(points: i64, lines: &[AwardLine]) -> i64 {
    lines.iter().fold(points, |total, line| line.apply_to(total))
}

/// Returns the value that a formula gives for a feature.
pub(crate) fn evaluate(
    rules: &Rules,
    state: &mut State,
    formula: &Formula,
    feature: FeatureRef,
) -> Result<i64, Box<Fault>> {
    let mut sum: i64 = 0;
    for term in &formula.terms {
        let mut product = term.times;
        for factor in &term.factors {
            let value = match *factor {
                Factor::Touching { kinds, only_complete } => n_touching(rules, state, feature, kinds, only_complete)?,
                plain => plain_factor(&rules.ruleset, state, plain, feature),
            };
            product = product.saturating_mul(value);
        }
        sum = sum.saturating_add(product);
    }
    Ok(sum)
}

fn plain_factor(ruleset: &Ruleset, state: &State, factor: Factor, feature: FeatureRef) -> i64 {
    let board = &state.board;
    match factor {
        Factor::Tiles => i64::from(board.n_tiles(feature)),
        Factor::Zones => i64::from(board.n_zones_in(feature)),
        Factor::Spots => i64::from(board.n_spots(&ruleset.catalogue.tile_set, feature)),
        Factor::Tag(tag) => ruleset.catalogue.tag_number(tag, board.columns(feature), board.n_zones_in(feature)),
        Factor::Setting(setting) => ruleset.setting_number(setting),
        Factor::Touching { .. } => 0,
    }
}

fn n_touching(
    rules: &Rules,
    state: &mut State,
    feature: FeatureRef,
    kinds: KindSet,
    only_complete: bool,
) -> Result<i64, Box<Fault>> {
    let tile_set = &rules.catalogue().tile_set;
    if only_complete && !rules.catalogue().has(Hook::IsComplete) {
        return Ok(state.board.complete_neighbours(tile_set, feature, kinds).len() as i64);
    }
    let mut found = Vec::new();
    state.board.add_bordering(tile_set, feature, kinds, &mut found);
    if !only_complete {
        return Ok(found.len() as i64);
    }
    let mut n = 0;
    for other in found {
        n += i64::from(is_complete(rules, state, other)?);
    }
    Ok(n)
}
