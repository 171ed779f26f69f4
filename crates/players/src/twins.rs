//! Options that come to the same: a piece on one zone of a feature or on another of the same, the one of two equal followers or the other.

use std::collections::BTreeMap;

use board::{FeatureRef, LayerIdx, ZoneRef};
use rules::{Answer, Decision, OptionValue, Question, Rules, State, Value, option_value};

/// Returns for each option of a decision the first one that comes to the same: its own number where no earlier one does.
pub(crate) fn first_twins(rules: &Rules, state: &State, decision: &Decision) -> Vec<usize> {
    if matches!(decision.question, Question::Place(_)) && decision.mod_options.is_empty() {
        return (0..decision.n_options(state)).collect();
    }
    let view = state.view();
    let mut first: BTreeMap<Value, usize> = BTreeMap::new();
    let options = decision.options(&rules.ruleset, state);
    let twin = |(i, choice): (usize, &Answer)| match choice {
        Answer::Deploy { .. } | Answer::ModOption(_) => {
            *first.entry(by_feature(rules, view, option_value(decision, *choice))).or_insert(i)
        }
        _ => i,
    };
    options.iter().enumerate().map(twin).collect()
}

/// A value with its zones and pieces told by the features that they are on.
fn by_feature(rules: &Rules, state: &State, value: Value) -> Value {
    let root = |layer: LayerIdx, anchor: ZoneRef| state.board.root(FeatureRef { layer, anchor });
    match value {
        Value::Zone(zone) if state.board.has_zone(zone) => Value::Zone(root(LayerIdx(0), zone)),
        Value::Deployment(kind, zone) => {
            Value::Deployment(kind, root(state.layer_on(&rules.ruleset, kind, zone), zone))
        }
        Value::Piece(piece) => {
            let Some(it) = state.piece(piece) else { return value };
            let mut zones = state.zones_of_piece(piece).peekable();
            if zones.peek().is_none() {
                return value;
            }
            let owner = it.owner.map_or(Value::Unit, Value::Player);
            let zones = zones.map(|zone| Value::Zone(root(state.layer_on(&rules.ruleset, it.kind, zone), zone)));
            Value::list([Value::Int(i64::from(it.kind.0)), Value::Bool(it.pinned), owner].into_iter().chain(zones))
        }
        Value::List(list) => Value::list(list.iter().map(|it| by_feature(rules, state, it.clone()))),
        Value::Option(option) => {
            let OptionValue { word, about, data, .. } = &*option;
            let parts = [about, data].map(|part| by_feature(rules, state, part.clone()));
            Value::list([Value::Text(word.clone())].into_iter().chain(parts))
        }
        other => other,
    }
}
