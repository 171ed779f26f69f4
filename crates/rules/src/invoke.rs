//! Runs functions of mods and puts their consequences on the agenda.

use crate::awards::AwardLine;
use crate::call::{Rules, Transaction};
use crate::catalogue::Handler;
use crate::fault::{Failure, Fault, Halt};
use crate::hooks::{Hook, HookClass};
use crate::indices::FnIdx;
use crate::seat_set::SeatSet;
use crate::state::{EngineState, State};
use crate::step::{Consequence, EngineStep, Proposal, ScoringBatch};
use crate::value::{Seat, Value};

/// The result of a call that did not fail.
pub(crate) enum CallOutcome {
    Finished { value: Value, lines: Vec<AwardLine>, repeats: bool },
    Asked,
}

/// Runs a function of a mod as one transaction on `state`.
pub(crate) fn run_function(
    rules: &Rules,
    state: &mut State,
    function: FnIdx,
    args: &[Value],
    class: HookClass,
) -> Result<CallOutcome, Box<Fault>> {
    let owner = rules.catalogue().functions[function.idx()].owner;
    let own = Transaction::new(rules.clone(), owner, function, class);
    run_call(rules, state, function, args, own)
}

/// Calls a function and returns the points that it proposes, without changing the state. Returns
/// `None` if the function fails or does anything else, such as proposing loot or the points of a
/// feature.
pub(crate) fn proposals_of(
    rules: &Rules,
    state: &mut State,
    function: FnIdx,
    args: &[Value],
) -> Option<Vec<(Seat, i64)>> {
    let owner = rules.catalogue().functions[function.idx()].owner;
    let mut own = Transaction::new(rules.clone(), owner, function, HookClass::Effect);
    let mut call = own.as_call(state);
    let result = rules.hooks.call(function, args, &mut call);
    rules.reads.add(call.reads);
    let proposals = call.proposals().filter(|_| result.is_ok() && !call.is_unwinding());
    call.end(false);
    proposals
}

/// Calls `function` in the transaction `own`, which the caller has prepared.
pub(crate) fn run_call(
    rules: &Rules,
    state: &mut State,
    function: FnIdx,
    args: &[Value],
    mut own: Transaction,
) -> Result<CallOutcome, Box<Fault>> {
    let changes = own.class == HookClass::Effect;
    let mut call = own.as_call(state);
    let result = rules.hooks.call(function, args, &mut call);
    rules.reads.add(call.reads);
    let unwinding = call.is_unwinding();
    let result = match result {
        Ok(_) if call.has_changed() => {
            call.state().check_growth().map_err(|error| Halt::Failed(error.into())).and(result)
        }
        result => result,
    };
    let keep = match &result {
        Ok(_) => !unwinding,
        Err(halt) => *halt == Halt::Asked,
    };
    let asks = call.end(changes && keep);
    match result {
        Ok(_) if unwinding => {
            let message = "the function asked a question, but went on instead of ending there";
            Err(fault(rules, state, function, Failure::from(message.to_owned())))
        }
        Ok(value) => {
            if changes {
                state.machine.answers.clear();
                state.discard_places();
            }
            Ok(CallOutcome::Finished { value, lines: own.lines, repeats: own.repeats })
        }
        Err(Halt::Asked) if asks => Ok(CallOutcome::Asked),
        Err(Halt::Asked) => {
            let message = "the function ended as if it had asked, but it did not ask";
            Err(fault(rules, state, function, Failure::from(message.to_owned())))
        }
        Err(Halt::Failed(failure)) => Err(fault(rules, state, function, failure)),
    }
}

#[cold]
pub(crate) fn fault(rules: &Rules, state: &State, function: FnIdx, failure: Failure) -> Box<Fault> {
    let catalogue = rules.catalogue();
    let function = &catalogue.functions[function.idx()];
    // A failure without a place concerns the function as a whole, so it is reported at the
    // function's name.
    let failure = match failure.file.is_empty() {
        true => Failure { file: function.file.clone(), line: function.line, column: function.column, ..failure },
        false => failure,
    };
    Box::new(Fault {
        failure,
        mods: vec![catalogue.mods[function.owner.idx()].id.clone()],
        function: function.name.clone(),
        decision: state.n_answers as usize,
    })
}

/// Returns the fault of a handler for `hook` that returned `got`, a value of a wrong type.
#[cold]
pub(crate) fn wrong_result_fault(
    rules: &Rules,
    state: &State,
    hook: Hook,
    handler: &Handler,
    got: &Value,
) -> Box<Fault> {
    let expected = hook.info().expected_result();
    let message = format!("this function must return {expected}, but it returned {}", got.type_name());
    fault(rules, state, handler.function, Failure::from(message))
}

/// Returns the items of the list that a handler for `hook` returned. `is_right` tests an item.
///
/// # Errors
/// Returns a fault if the value is no list, or if an item is not right.
pub(crate) fn returned_list<'v>(
    rules: &Rules,
    state: &State,
    hook: Hook,
    handler: &Handler,
    value: &'v Value,
    is_right: fn(&Value) -> bool,
) -> Result<&'v [Value], Box<Fault>> {
    let Value::List(list) = value else {
        return Err(wrong_result_fault(rules, state, hook, handler, value));
    };
    match list.iter().find(|item| !is_right(item)) {
        Some(item) => {
            let expected = hook.info().expected_result();
            let message = format!("this function must return {expected}, but its list contains {}", item.type_name());
            Err(fault(rules, state, handler.function, Failure::from(message)))
        }
        None => Ok(list),
    }
}

/// Returns the players in the list that a handler for `hook` returned.
///
/// # Errors
/// Returns a fault if the value is no list of players.
pub(crate) fn returned_players(
    rules: &Rules,
    state: &State,
    hook: Hook,
    handler: &Handler,
    value: &Value,
) -> Result<SeatSet, Box<Fault>> {
    let list = returned_list(rules, state, hook, handler, value, |item| matches!(item, Value::Player(_)))?;
    Ok(list.iter().filter_map(|item| if let Value::Player(seat) = item { Some(*seat) } else { None }).collect())
}

#[cold]
pub(crate) fn core_fault(state: &State, failure: impl Into<Failure>) -> Box<Fault> {
    Box::new(Fault { failure: failure.into(), decision: state.n_answers as usize, ..Fault::default() })
}

/// Returns an internal fault: the agenda lacks the step that the engine runs.
#[cold]
pub(crate) fn missing_step_fault(state: &State, step: &str) -> Box<Fault> {
    core_fault(state, format!("internal error: the current {step} is missing"))
}

/// Calls a function that may only read the game and returns its value.
pub(crate) fn call_read_only(
    rules: &Rules,
    state: &mut State,
    function: FnIdx,
    args: &[Value],
    class: HookClass,
) -> Result<Value, Box<Fault>> {
    match run_function(rules, state, function, args, class)? {
        CallOutcome::Finished { value, .. } => Ok(value),
        CallOutcome::Asked => {
            Err(core_fault(state, "a function that may only read the game asked a question".to_owned()))
        }
    }
}

/// Moves the consequences of the finished step to the agenda, so that they run next, in the order
/// in which the step caused them. All points form one batch, and all loot forms another, even if
/// the step caused other events in between.
pub(crate) fn flush_queue(state: &mut State) {
    if state.machine.queue.is_empty() {
        return;
    }
    let from = state.machine.agenda.len();
    let is_final = state.is_final;
    let EngineState { agenda, queue, .. } = &mut state.machine;
    for queued in queue.drain(..) {
        match queued {
            Consequence::Event(event) => agenda.push(EngineStep::Event { event, next: 0 }),
            Consequence::Part { reason, deck } => agenda.push(EngineStep::BeginPart { reason, deck }),
            Consequence::Award { player, points, reason, owner, function, is_loot, feature } => {
                let proposal = Proposal { player, points, reason, owner, function, feature };
                let batch = agenda[from..].iter_mut().find_map(|step| match step {
                    EngineStep::Batch(batch) if batch.is_loot == is_loot => Some(batch),
                    _ => None,
                });
                match batch {
                    Some(batch) => batch.proposals.push(proposal),
                    None => {
                        agenda.push(EngineStep::Batch(Box::new(ScoringBatch::of_proposal(proposal, is_loot, is_final))))
                    }
                }
            }
        }
    }
    // The engine runs the last item first.
    agenda[from..].reverse();
}

pub(crate) fn replace(state: &mut State, step: EngineStep) {
    if let Some(top) = state.machine.agenda.last_mut() {
        *top = step;
    }
}
