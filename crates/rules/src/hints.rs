//! Advice from mods: the points that an option promises, and descriptions. Asking for advice does
//! not change the game.

use diagnostic::visible;

use crate::call::Rules;
use crate::fault::Fault;
use crate::hooks::{Hook, HookClass};
use crate::invoke::{call_read_only, wrong_result_fault};
use crate::state::{Answer, Decision, Question, State};
use crate::value::Value;

/// Returns the value that scripts receive for an option: a placement, a deployment, the value of a
/// mod's option, the number that a die shows, or the number of a score marker. Returns
/// [`Value::Unit`] for passing and for draws.
pub fn option_value(decision: &Decision, choice: Answer) -> Value {
    match choice {
        Answer::Place(place) => match decision.question {
            Question::Place(tile) => Value::Placement(tile, place),
            _ => Value::Unit,
        },
        Answer::Deploy { kind, zone } => Value::Deployment(kind, zone),
        Answer::ModOption(i) => decision.mod_options.get(i as usize).map_or(Value::Unit, |offer| offer.value),
        Answer::Roll(n) => Value::Int(i64::from(n)),
        Answer::Marker(n) => Value::Int(i64::from(n)),
        Answer::Pass | Answer::Draw(_) | Answer::Sealed => Value::Unit,
    }
}

/// Returns the points that an option of the open decision promises, which is the sum of the results
/// of all `hint` functions. Returns 0 if no mod has such a function. Does not reset the operation
/// budget of scripts, so all options of a decision share one budget.
///
/// # Errors
/// Returns the fault of a function that fails.
pub fn hint(rules: &Rules, state: &State, choice: Answer) -> Result<i64, Box<Fault>> {
    let mut sum: i64 = 0;
    let Some(decision) = state.decision().filter(|_| rules.catalogue().has(Hook::Hint)) else { return Ok(sum) };
    let option = option_value(decision, choice);
    let mut view = state.view().clone();
    for handler in rules.catalogue().handlers(Hook::Hint) {
        match call_read_only(rules, &mut view, handler.function, std::slice::from_ref(&option), HookClass::Pure)? {
            Value::Int(n) => sum = sum.saturating_add(n),
            Value::Unit => {}
            other => return Err(wrong_result_fault(rules, state, Hook::Hint, handler, &other)),
        }
    }
    Ok(sum)
}

/// Returns the lines that the mods' `describe` functions return for `thing`, which is a feature, a
/// piece, a tile or an option.
///
/// # Errors
/// Returns the fault of a function that fails.
pub fn describe(rules: &Rules, state: &State, thing: &Value) -> Result<Vec<String>, Box<Fault>> {
    let mut lines = Vec::new();
    if !rules.catalogue().has(Hook::Describe) {
        return Ok(lines);
    }
    rules.hooks.reset_budget();
    let mut view = state.view().clone();
    for handler in rules.catalogue().handlers(Hook::Describe) {
        let said = call_read_only(rules, &mut view, handler.function, std::slice::from_ref(thing), HookClass::Pure)?;
        match said {
            Value::Text(line) if !line.is_empty() => lines.push(visible(&line).into_owned()),
            Value::List(list) => lines.extend(list.iter().filter_map(|v| match v {
                Value::Text(line) => Some(visible(line).into_owned()),
                _ => None,
            })),
            _ => {}
        }
    }
    Ok(lines)
}
