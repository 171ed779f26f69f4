//! Turn flow: the agenda is a stack of steps. The engine can stop at any step, and a copy of the
//! state can resume at that step.
//!
//! This file is long because the loop and all steps of a turn are easier to read side by side.
//!
//! Functions marked `inline(never)`, here and in `legal_options.rs` and `scoring.rs`, run in few
//! turns. This attribute shrinks `advance` to a third of its size, and keeps the instructions that
//! run in every turn close together in memory.

use std::sync::Arc;

use board::{Join, KindSet, TileIdx};
use diagnostic::never;

use crate::call::{ENDLESS_CHANCE_MESSAGE, ENDLESS_QUESTIONS_MESSAGE, MAX_ANSWERS, MAX_DEALT, Rules};
use crate::catalogue::{Handler, PhaseAction, Slot};
use crate::ending;
use crate::event::RuleEvent;
use crate::fault::{Failure, Fault};
use crate::handlers::part_has_tag;
use crate::hooks::{Hook, HookClass};
use crate::indices::{DeckIdx, FnIdx};
use crate::invoke::{CallOutcome, core_fault, fault, flush_queue, missing_step_fault, replace, run_function};
use crate::legal_options;
use crate::memories::Memories;
use crate::panics::Panic;
use crate::position::{Location, Position, Scope, Turn, TurnPart};
use crate::reads::ReadSet;
use crate::score_order;
use crate::scoring;
use crate::seat_set::SeatSet;
use crate::state::{Actor, Answer, EngineState, Question, RecordedAnswer, SecretAnswer, State};
use crate::step::{Consequence, EngineStep, PhaseStage, ScoringBatch};

/// The maximum number of events that one answer may cause. An event is the end of a turn, or a call
/// of a mod's function that may change the game. If an answer causes more events, the engine
/// assumes that these events never end, and reports a fault.
pub const MAX_EVENTS: u32 = 256;

/// Returns the agenda with which a new game begins.
pub(crate) fn opening(rules: &Rules) -> Vec<EngineStep> {
    let catalogue = rules.catalogue();
    let mut agenda = vec![EngineStep::BeginTurn];
    if catalogue.has(Hook::ArrangeDeck) {
        let decks = (0..catalogue.decks.len()).rev();
        agenda.extend(decks.map(|d| EngineStep::Event { event: RuleEvent::ArrangeDeck(DeckIdx(d as u8)), next: 0 }));
    }
    if catalogue.has(Hook::Setup) {
        agenda.push(EngineStep::Event { event: RuleEvent::Setup, next: 0 });
    }
    agenda
}

/// Runs the engine until it needs an answer or the game is over. If a function of a mod fails, the
/// engine undoes the effects of that function and returns the fault.
pub(crate) fn advance(rules: &Rules, state: &mut State) -> Result<(), Box<Fault>> {
    while !state.machine.is_waiting && !state.is_over {
        if state.ending.is_some() && state.ends_before_next_step() {
            ending::end_now(rules, state);
        }
        match state.machine.agenda.last() {
            Some(EngineStep::Phase { at, stage }) => {
                let (at, stage) = (*at, *stage);
                run_phase(rules, state, at, stage)?;
            }
            Some(EngineStep::Event { .. }) => run_event(rules, state)?,
            Some(EngineStep::Call { .. }) => run_option(rules, state)?,
            Some(EngineStep::Batch(_)) => scoring::run_batch(rules, state)?,
            Some(EngineStep::BeginTurn) => begin_turn(rules, state),
            Some(EngineStep::BeginPart { .. }) => {
                if let Some(EngineStep::BeginPart { reason, deck }) = state.machine.agenda.pop() {
                    begin_part(state, reason, deck);
                }
            }
            Some(EngineStep::EndPart) => end_part(rules, state)?,
            Some(EngineStep::ClosePart) => close_part(rules, state),
            Some(EngineStep::EndTurn) => {
                replace(state, EngineStep::CloseTurn);
                state.emit(&rules.ruleset, Hook::TurnEnded, || RuleEvent::TurnEnded);
                flush_queue(state);
            }
            Some(EngineStep::CloseTurn) => close_turn(rules, state)?,
            Some(EngineStep::Final(stage)) => {
                let stage = *stage;
                ending::run_final(rules, state, stage)?;
            }
            None => state.is_over = true,
        }
    }
    Ok(())
}

/// Applies an answer to the open decision, and advances to the next decision. The caller must first
/// check that the decision offers this answer.
pub(crate) fn answer(rules: &Rules, state: &mut State, choice: Answer) -> Result<(), Box<Fault>> {
    state.machine.is_waiting = false;
    if state.machine.decision.seen_by != SeatSet::ALL {
        record_viewers(state, choice);
    }
    state.n_answers += 1;
    state.machine.n_events = 0;
    state.machine.n_dealt = if state.machine.decision.who == Actor::Chance { state.machine.n_dealt + 1 } else { 0 };
    state.machine.n_answers += 1;
    let endless = match () {
        () if state.machine.n_dealt > MAX_DEALT => Some(ENDLESS_CHANCE_MESSAGE),
        () if state.machine.n_answers <= MAX_ANSWERS => None,
        () if state.machine.n_dealt > MAX_ANSWERS / 2 => Some(ENDLESS_CHANCE_MESSAGE),
        () => Some(ENDLESS_QUESTIONS_MESSAGE),
    };
    if let Some(message) = endless {
        let functions =
            running_function(rules, state).map_or_else(|| functions_after_draw(rules), |function| vec![function]);
        return Err(fault_of_all(rules, state, &functions, message));
    }
    state.n_rolls += u32::from(matches!(choice, Answer::Roll(_)));
    state.machine.view = None;
    match state.machine.agenda.last_mut() {
        Some(EngineStep::Event { .. } | EngineStep::Call { .. }) => record_answer(state, choice),
        Some(EngineStep::Batch(batch)) => match choice {
            Answer::Marker(marker) => batch.choose_marker(marker),
            Answer::ModOption(n) => score_order::choose(batch, state.machine.decision.mod_options.get(n.into())),
            _ => return Err(unexpected_answer_fault(state, choice)),
        },
        Some(EngineStep::Phase { at, .. }) => {
            let at = *at;
            match rules.catalogue().phases[at as usize].runs {
                PhaseAction::Function { .. } => record_answer(state, choice),
                _ => answer_core(rules, state, at, choice)?,
            }
        }
        _ => return Err(unexpected_answer_fault(state, choice)),
    }
    // From here on, the engine does not read the options of the answered decision. Without these
    // options, later copies of the state are smaller.
    state.machine.decision.choices.clear();
    state.machine.decision.mod_options.clear();
    advance(rules, state)
}

/// If some players may not see the answer, records the players who may see it. The current value of
/// `n_answers` is the number of this answer, so the caller must increase `n_answers` after this
/// call, not before.
#[inline(never)]
fn record_viewers(state: &mut State, choice: Answer) {
    let seen_by = state.machine.decision.answer_seen_by(choice);
    if seen_by != SeatSet::ALL {
        let answer = state.n_answers;
        state.machine.secrets.push(SecretAnswer { answer, seen_by });
    }
}

/// Returns the mod's function that is running or waits for an answer; `None` if the core itself is
/// running or asks.
pub fn running_function(rules: &Rules, state: &State) -> Option<FnIdx> {
    match state.machine.agenda.last()? {
        EngineStep::Call { function, .. } => Some(*function),
        EngineStep::Event { event, next } => {
            let handlers = rules.catalogue().handlers(event.hook());
            handlers.get(*next as usize).map(|handler| handler.function)
        }
        EngineStep::Phase { at, .. } => match rules.catalogue().phases.get(*at as usize)?.runs {
            PhaseAction::Function { function } => Some(function),
            _ => None,
        },
        _ => None,
    }
}

/// Turns a panic of the engine into a fault. If a function of a mod was running, the fault names
/// that function, because nothing else shows what triggered the panic.
#[cold]
pub(crate) fn panic_fault(rules: &Rules, state: &State, panic: Panic) -> Box<Fault> {
    match running_function(rules, state) {
        Some(function) => fault(rules, state, function, panic.into()),
        None => core_fault(state, panic),
    }
}

/// Returns the functions that the engine calls after a tile is drawn. Only these functions can make
/// the core draw tiles endlessly.
fn functions_after_draw(rules: &Rules) -> Vec<FnIdx> {
    let drawn = rules.catalogue().phases.iter().filter(|phase| phase.slot == Slot::Drawn);
    let function = |runs| if let PhaseAction::Function { function } = runs { Some(function) } else { None };
    let phases = drawn.filter_map(|phase| function(phase.runs));
    let handlers = rules.catalogue().handlers(Hook::TileFitsNowhere).iter();
    phases.chain(handlers.map(|handler| handler.function)).collect()
}

/// Records an answer for the function that asked. The engine then runs the function again.
fn record_answer(state: &mut State, answer: Answer) {
    let option =
        if let Answer::ModOption(i) = answer { state.machine.decision.mod_options.get(i as usize) } else { None };
    state.machine.answers.push(RecordedAnswer { answer: Some(answer), option });
}

fn answer_core(rules: &Rules, state: &mut State, at: u16, choice: Answer) -> Result<(), Box<Fault>> {
    let question = state.machine.decision.question;
    match (question, choice) {
        (Question::Draw(deck), Answer::Draw(item)) => {
            state.decks[deck.idx()].take(item);
            legal_options::store_places(rules, state, TileIdx(item))?;
            part_mut(state).tile_type = Some(TileIdx(item));
            if state.has_places() {
                next_phase(state, at);
            } else {
                handle_misfit(rules, state, at, TileIdx(item));
            }
        }
        (Question::Source, Answer::Pass) => set_phase(state, at, PhaseStage::FromDeck),
        (Question::Place(tile), Answer::Place(place)) => place_tile(rules, state, at, tile, place)?,
        (Question::Deploy, Answer::Pass) => next_phase(state, at),
        (Question::Deploy, Answer::Deploy { kind, zone }) => {
            let more = legal_options::further_zones(rules, state, kind, zone)?;
            let player = state.player();
            let put = state.put_piece(&rules.ruleset, kind, Some(player), Location::Zone(zone), &more);
            put.map_err(|message| core_fault(state, message))?;
            next_phase(state, at);
            flush_queue(state);
        }
        (_, Answer::ModOption(i)) => {
            let offer = state.machine.decision.mod_options.get(i as usize);
            let offer = offer.ok_or_else(|| unexpected_answer_fault(state, choice))?;
            if let Some(function) = offer.run {
                if !offer.asks_again && question == Question::Deploy {
                    next_phase(state, at);
                }
                state.machine.agenda.push(EngineStep::Call { function, arg: offer.value });
            }
        }
        _ => return Err(unexpected_answer_fault(state, choice)),
    }
    Ok(())
}

/// Returns an internal fault: the engine accepted `choice`, but no step waits for such an answer.
#[cold]
fn unexpected_answer_fault(state: &State, choice: Answer) -> Box<Fault> {
    core_fault(state, format!("internal error: no step expects the answer {choice:?}"))
}

fn place_tile(
    rules: &Rules,
    state: &mut State,
    at: u16,
    tile: TileIdx,
    place: board::Placement,
) -> Result<(), Box<Fault>> {
    let tile_set = &rules.catalogue().tile_set;
    // Skips handlers whose filter requires certain pieces if none of these pieces is on the board.
    let listeners = rules.catalogue().handlers(Hook::FeatureJoined).iter().filter(|h| h.filter.may_match(state));
    let kinds_with_handlers = listeners.fold(KindSet::default(), |kinds, h| KindSet(kinds.0 | h.filter.kinds.0));
    let mut joins: Vec<Join> = Vec::new();
    let noted = (!kinds_with_handlers.is_empty()).then_some((kinds_with_handlers, &mut joins));
    let Position { board, touched, .. } = &mut state.position;
    let placed = board.place(tile_set, place.spot, tile, place.facing, touched, noted);
    let placed = placed
        .map_err(|error| core_fault(state, format!("internal error: the tile does not fit at {place:?}: {error:?}")))?;
    part_mut(state).tile = Some(placed);
    state.discard_places();
    // Most tiles have no handler, so the engine emits an event only if a handler matches.
    let event = RuleEvent::TilePlaced(placed);
    let handlers = rules.catalogue().handlers(Hook::TilePlaced);
    let hears = |h: &Handler| h.filter.may_match(state) && event.passes(rules, state, h);
    let mut tile_handlers = rules.ruleset.tile_handlers[tile.0 as usize].iter();
    if tile_handlers.any(|h| hears(&handlers[*h as usize])) {
        state.emit(&rules.ruleset, Hook::TilePlaced, || event);
    }
    for join in joins {
        state.machine.queue.push(Consequence::Event(RuleEvent::Joined(join.feature, join.parts.into())));
    }
    next_phase(state, at);
    flush_queue(state);
    Ok(())
}

fn run_phase(rules: &Rules, state: &mut State, at: u16, stage: PhaseStage) -> Result<(), Box<Fault>> {
    let catalogue = rules.catalogue();
    if state.parts.last().is_some_and(|p| p.redraw) {
        part_mut(state).redraw = false;
        draw_another(rules, state);
        return Ok(());
    }
    let Some(phase) = catalogue.phases.get(at as usize) else {
        replace(state, EngineStep::EndPart);
        return Ok(());
    };
    if state.parts.last().is_some_and(|p| p.skipped.iter().any(|s| s.0 == at)) {
        next_phase(state, at);
        return Ok(());
    }
    match phase.runs {
        PhaseAction::Draw | PhaseAction::Place if stage == PhaseStage::FitsNowhere => keep_or_discard(rules, state, at),
        PhaseAction::Draw => phase_draw(rules, state, at, stage),
        PhaseAction::Place => phase_place(rules, state, at),
        PhaseAction::Piece => {
            if !legal_options::ask_deploy(rules, state)? {
                next_phase(state, at);
            }
            Ok(())
        }
        PhaseAction::Score => phase_score(rules, state, at, stage),
        PhaseAction::Function { function } => {
            let filter = &phase.filter;
            let tagged = filter.tile_tag.is_none_or(|tag| part_has_tag(rules, state, tag));
            if !(tagged && filter.fits_part(rules, state, phase.slot >= Slot::Scored)) {
                next_phase(state, at);
                return Ok(());
            }
            count_event(rules, state, Some(function))?;
            if returns_at_once(rules, state, function) {
                next_phase(state, at);
                return Ok(());
            }
            if let CallOutcome::Finished { repeats, .. } = run_function(rules, state, function, &[], HookClass::Effect)?
            {
                if !repeats {
                    next_phase(state, at);
                }
                flush_queue(state);
            }
            Ok(())
        }
    }
}

/// Queues the handlers of mods for `tile`, the tile of this part of the turn, which fits nowhere.
/// If no mod has such a handler, discards the tile.
#[inline(never)]
fn handle_misfit(rules: &Rules, state: &mut State, at: u16, tile: TileIdx) {
    if !rules.catalogue().has(Hook::TileFitsNowhere) {
        return discard(rules, state, tile);
    }
    set_phase(state, at, PhaseStage::FitsNowhere);
    state.emit(&rules.ruleset, Hook::TileFitsNowhere, || RuleEvent::FitsNowhere(tile));
    flush_queue(state);
}

/// Removes the tile of this part of the turn from the game and draws another tile.
fn discard(rules: &Rules, state: &mut State, tile: TileIdx) {
    state.left_out.push(tile);
    part_mut(state).tile_type = None;
    draw_another(rules, state);
}

/// Continues after mods had the chance to handle a tile that fitted nowhere. Keeps the tile if it
/// fits now; otherwise discards it and draws another tile.
#[inline(never)]
fn keep_or_discard(rules: &Rules, state: &mut State, at: u16) -> Result<(), Box<Fault>> {
    let Some(tile) = state.parts.last().and_then(|part| part.tile_type) else {
        draw_another(rules, state);
        return Ok(());
    };
    legal_options::store_places(rules, state, tile)?;
    if state.has_places() {
        let is_drawn = rules.catalogue().phases[at as usize].runs == PhaseAction::Draw;
        set_phase(state, if is_drawn { at + 1 } else { at }, PhaseStage::Begun);
        return Ok(());
    }
    discard(rules, state, tile);
    Ok(())
}

/// Returns to the phase `draw`, which draws another tile for the running part of the turn.
fn draw_another(rules: &Rules, state: &mut State) {
    let draw = rules.catalogue().phases.iter().position(|phase| phase.runs == PhaseAction::Draw).unwrap_or(0);
    set_phase(state, draw as u16, PhaseStage::FromDeck);
}

/// Runs the phase `draw`, which asks chance for a tile. First asks for the source of the tile if
/// there is a choice.
fn phase_draw(rules: &Rules, state: &mut State, at: u16, stage: PhaseStage) -> Result<(), Box<Fault>> {
    let Some(part) = state.parts.last() else { return Err(missing_step_fault(state, "part of the turn")) };
    if part.tile_type.is_some() {
        next_phase(state, at);
        return Ok(());
    }
    let deck = part.deck;
    if stage == PhaseStage::Begun && legal_options::ask_source(rules, state)? {
        return Ok(());
    }
    if state.decks[deck.idx()].is_empty() {
        // The deck is empty, so this part of the turn ends here.
        replace(state, EngineStep::EndPart);
        return Ok(());
    }
    if stage == PhaseStage::Begun {
        set_phase(state, at, PhaseStage::NoChoiceOfSource);
    }
    state.machine.decision.begin(Actor::Chance, Question::Draw(deck), "Which tile is drawn?");
    state.machine.is_waiting = true;
    Ok(())
}

fn phase_place(rules: &Rules, state: &mut State, at: u16) -> Result<(), Box<Fault>> {
    let Some(tile) = state.parts.last().and_then(|p| p.tile_type) else {
        replace(state, EngineStep::EndPart);
        return Ok(());
    };
    if !state.has_places() {
        legal_options::store_places(rules, state, tile)?;
    }
    if !state.has_places() {
        handle_misfit(rules, state, at, tile);
        return Ok(());
    }
    let player = state.player();
    let mut mod_options = Vec::new();
    legal_options::add_menu_options(rules, state, Hook::AnytimeOptions, player, &mut mod_options)?;
    state.machine.decision.begin(Actor::Player(player), Question::Place(tile), "Where does the tile go?");
    let EngineState { decision, places, n_places, .. } = &mut state.machine;
    decision.n_places = *n_places;
    std::mem::swap(&mut decision.choices, places);
    legal_options::add_offers(state, mod_options);
    state.machine.is_waiting = true;
    Ok(())
}

fn phase_score(rules: &Rules, state: &mut State, at: u16, stage: PhaseStage) -> Result<(), Box<Fault>> {
    if stage != PhaseStage::Scored {
        let features = scoring::features_to_score(rules, state)?;
        if features.is_empty() {
            mark_scored(state);
            end_scoring(state, at);
            return Ok(());
        }
        if stage == PhaseStage::Begun && rules.catalogue().has(Hook::BeforeScoring) {
            set_phase(state, at, PhaseStage::BeforeScoring);
            state.emit(&rules.ruleset, Hook::BeforeScoring, || RuleEvent::BeforeScoring(features.into()));
            flush_queue(state);
            return Ok(());
        }
        set_phase(state, at, PhaseStage::Scored);
        mark_scored(state);
        state.machine.agenda.push(EngineStep::Batch(Box::new(ScoringBatch::of_features(features, false))));
        return Ok(());
    }
    end_scoring(state, at);
    let part = part_mut(state);
    let n_before = std::mem::replace(&mut part.n_announced, part.completed.len());
    if rules.catalogue().has(Hook::FeatureCompleted) {
        let completed: Vec<_> = part.completed.iter().skip(n_before).map(|c| c.feature).collect();
        state.machine.queue.extend(completed.into_iter().map(|f| Consequence::Event(RuleEvent::Completed(f))));
        flush_queue(state);
    }
    Ok(())
}

fn skips_scoring(rules: &Rules, part: &TurnPart) -> bool {
    part.skipped.iter().any(|phase| phase.0 == rules.ruleset.score_phase)
}

/// Notes that the running part of the turn scores all features that it has changed until now.
fn mark_scored(state: &mut State) {
    let n_touched = state.touched.len();
    part_mut(state).unscored_from = n_touched;
}

/// Goes from the phase `score`, which has the number `at`, to the next phase, or to the end of the
/// part if this was its second scoring.
fn end_scoring(state: &mut State, at: u16) {
    match std::mem::take(&mut part_mut(state).scores_again) {
        true => replace(state, EngineStep::EndPart),
        false => next_phase(state, at),
    }
}

/// Ends the running part of the turn. If features were completed since its last scoring, first
/// scores them.
fn end_part(rules: &Rules, state: &mut State) -> Result<(), Box<Fault>> {
    let n_touched = state.touched.len();
    let part = part_mut(state);
    if part.unscored_from < n_touched && !skips_scoring(rules, part) {
        part.scores_again = true;
        replace(state, EngineStep::Phase { at: rules.ruleset.score_phase, stage: PhaseStage::Begun });
        return Ok(());
    }
    replace(state, EngineStep::ClosePart);
    state.emit(&rules.ruleset, Hook::PartEnded, || RuleEvent::PartEnded);
    flush_queue(state);
    Ok(())
}

fn run_event(rules: &Rules, state: &mut State) -> Result<(), Box<Fault>> {
    let Some(EngineStep::Event { event, next }) = state.machine.agenda.last() else {
        return Err(missing_step_fault(state, "event"));
    };
    let handlers = rules.catalogue().handlers(event.hook());
    let rest = handlers.iter().enumerate().skip(*next as usize);
    let mut fitting = rest.filter(|(_, h)| event.passes(rules, state, h));
    let Some((i, handler)) = fitting.next() else {
        state.machine.agenda.pop();
        flush_queue(state);
        return Ok(());
    };
    if returns_at_once(rules, state, handler.function) {
        count_event(rules, state, Some(handler.function))?;
        set_next(state, i as u16 + 1);
        return Ok(());
    }
    let args = event.args(rules, state, handler);
    count_event(rules, state, Some(handler.function))?;
    set_next(state, i as u16);
    if let CallOutcome::Finished { .. } = run_function(rules, state, handler.function, &args, HookClass::Effect)? {
        set_next(state, i as u16 + 1);
    }
    Ok(())
}

/// Returns whether the engine can omit a call of `function`, because its first line would return.
fn returns_at_once(rules: &Rules, state: &State, function: FnIdx) -> bool {
    let returns = rules.hooks.returns_at_once(function, state);
    if returns {
        // The first line has read stored data, which no narrower set contains.
        rules.reads.add(ReadSet::ANYTHING);
    }
    returns
}

fn set_next(state: &mut State, i: u16) {
    if let Some(EngineStep::Event { next, .. }) = state.machine.agenda.last_mut() {
        *next = i;
    }
}

#[inline(never)]
fn run_option(rules: &Rules, state: &mut State) -> Result<(), Box<Fault>> {
    let Some(EngineStep::Call { function, arg }) = state.machine.agenda.last() else {
        return Err(missing_step_fault(state, "call"));
    };
    let (function, args) = (*function, [arg.clone()]);
    count_event(rules, state, Some(function))?;
    if let CallOutcome::Finished { .. } = run_function(rules, state, function, &args, HookClass::Effect)? {
        state.machine.agenda.pop();
        flush_queue(state);
    }
    Ok(())
}

/// Counts an event: a call of `function`, or the end of a turn if `function` is `None`. Fails if
/// the last answer causes more than [`MAX_EVENTS`] events.
fn count_event(rules: &Rules, state: &mut State, function: Option<FnIdx>) -> Result<(), Box<Fault>> {
    if state.machine.n_events >= MAX_EVENTS {
        return Err(endless_fault(rules, state, function));
    }
    state.machine.n_events += 1;
    Ok(())
}

#[cold]
fn endless_fault(rules: &Rules, state: &State, function: Option<FnIdx>) -> Box<Fault> {
    let message = format!("one answer caused more than {MAX_EVENTS} calls and ends of turns; they seem never to end");
    match function {
        Some(function) => fault(rules, state, function, Failure::from(message)),
        None => core_fault(state, message),
    }
}

/// Returns the fault of a game that does not end although nothing is left to draw and no player can
/// act. `keeping` contains the functions that keep the game from ending.
#[cold]
fn idle_fault(rules: &Rules, state: &State, keeping: &[FnIdx]) -> Box<Fault> {
    let message =
        "this function keeps the game from ending, although nothing is left to draw and no player can do anything";
    fault_of_all(rules, state, keeping, message)
}

/// Returns a fault with the place of the first of `functions` and the mods of all of them. If
/// `functions` is empty, the fault names no mod.
#[cold]
fn fault_of_all(rules: &Rules, state: &State, functions: &[FnIdx], message: &str) -> Box<Fault> {
    let Some(first) = functions.first() else { return core_fault(state, message.to_owned()) };
    let mut fault = fault(rules, state, *first, Failure::from(message.to_owned()));
    let catalogue = rules.catalogue();
    let owner = |function: &FnIdx| catalogue.mods[catalogue.functions[function.idx()].owner.idx()].id.clone();
    fault.mods = functions.iter().map(owner).collect();
    fault.mods.dedup();
    fault
}

fn next_phase(state: &mut State, at: u16) {
    set_phase(state, at + 1, PhaseStage::Begun);
}

fn set_phase(state: &mut State, next: u16, next_stage: PhaseStage) {
    if let Some(EngineStep::Phase { at, stage }) = state.machine.agenda.last_mut() {
        (*at, *stage) = (next, next_stage);
    }
}

fn part_mut(state: &mut State) -> &mut TurnPart {
    state.parts.last_mut().expect("phases run only within a part of the turn")
}

fn begin_turn(rules: &Rules, state: &mut State) {
    state.machine.agenda.pop();
    state.machine.n_answers = 0;
    match &mut state.turn {
        Some(turn) => {
            turn.number += 1;
            turn.part_reasons.clear();
        }
        None => {
            // Changes of the board before the first turn are part of the start.
            state.touched.clear();
            state.position.was_complete.clear();
            let (first, n_seats) = (state.first, state.n_seats);
            let player = state.turn_order.advance_to_first(first, n_seats);
            state.turn = Some(Turn { player, number: 1, part_reasons: Vec::new(), waiting: Vec::new() })
        }
    }
    if rules.catalogue().decks.is_empty() {
        state.machine.agenda.push(EngineStep::EndTurn);
        return;
    }
    begin_part(state, Arc::clone(&rules.ruleset.turn_reason), DeckIdx(0));
}

fn begin_part(state: &mut State, reason: Arc<str>, deck: DeckIdx) {
    let outer_memory = match state.parts.is_empty() {
        true => Memories::default(),
        false => std::mem::take(&mut state.memory[Scope::Part as usize]),
    };
    state.discard_places();
    let (touched_from, was_complete) = match state.parts.is_empty() {
        true => (0, std::mem::take(&mut state.position.was_complete)),
        false => (state.touched.len(), Vec::new()),
    };
    state.parts.push(TurnPart {
        reason,
        deck,
        tile_type: None,
        tile: None,
        skipped: Vec::new(),
        redraw: false,
        touched_from,
        unscored_from: touched_from,
        scores_again: false,
        was_complete,
        completed: Vec::new(),
        n_announced: 0,
        outer_memory,
    });
    state.machine.agenda.push(EngineStep::Phase { at: 0, stage: PhaseStage::Begun });
}

fn close_part(rules: &Rules, state: &mut State) {
    state.machine.agenda.pop();
    let Some(part) = state.parts.pop() else { return never!("a part of the turn ends that never began") };
    // The part around this one or, if there is none, the next part scores what is left.
    let scored_to = if skips_scoring(rules, &part) { state.touched.len() } else { part.unscored_from };
    state.touched.drain(part.touched_from..scored_to);
    if part.touched_from < state.touched.len() {
        let Position { parts, was_complete, .. } = &mut state.position;
        parts.last_mut().map_or(was_complete, |outer| &mut outer.was_complete).extend(part.was_complete);
    }
    state.discard_places();
    state.memory[Scope::Part as usize] = part.outer_memory;
    if state.parts.is_empty() && !begin_waiting(state) {
        state.machine.agenda.push(EngineStep::EndTurn);
    }
}

/// Begins the first of the waiting parts that mods have added to the turn. Returns false if no part
/// waits.
#[inline(never)]
fn begin_waiting(state: &mut State) -> bool {
    let next = state.turn.as_mut().filter(|t| !t.waiting.is_empty()).map(|t| t.waiting.remove(0));
    next.map(|(reason, deck)| begin_part(state, reason, deck)).is_some()
}

fn close_turn(rules: &Rules, state: &mut State) -> Result<(), Box<Fault>> {
    if state.turn.as_ref().is_some_and(|t| !t.waiting.is_empty()) {
        // A handler added a part when the turn ended, so the turn goes on.
        state.machine.agenda.pop();
        begin_waiting(state);
        return Ok(());
    }
    let is_empty = state.decks.first().is_none_or(|d| d.is_empty());
    // If a mod has ended the game, the engine does not ask `can_end_game`.
    let is_ended = state.ending.is_some();
    let keeping =
        if is_empty && !is_ended { legal_options::functions_preventing_end(rules, state)? } else { Vec::new() };
    state.memory[Scope::Turn as usize] = Memories::default();
    if is_ended || is_empty && keeping.is_empty() {
        ending::end_after_turn(rules, state);
        return Ok(());
    }
    count_event(rules, state, None)
        .map_err(|fault| if keeping.is_empty() { fault } else { idle_fault(rules, state, &keeping) })?;
    let Position { turn, turn_order, n_seats, .. } = &mut state.position;
    if let Some(turn) = turn {
        turn.player = turn_order.advance_after(turn.player, *n_seats);
    }
    replace(state, EngineStep::BeginTurn);
    Ok(())
}
