//! The order in which score markers move for features that are scored together. If this order
//! affects the result, the active player chooses it; otherwise awards with more points come first.

use std::cmp::Reverse;

use board::FeatureRef;
use diagnostic::never;

use crate::awards::Award;
use crate::call::Rules;
use crate::filter::Filter;
use crate::hooks::Hook;
use crate::legal_options;
use crate::mod_options::ModOption;
use crate::state::{Actor, Question, State};
use crate::step::{EngineStep, ScoringBatch};
use crate::texts::offer_text;
use crate::value::{Seat, Value};

/// The first word of the options with which the player chooses a feature.
const ORDER_WORD: &str = "first";

/// The maximum number of awards to one score marker for which the engine tries all orders. If there
/// are more awards, the engine assumes that their order affects the result.
const MAX_PERMUTED_AWARDS: usize = 6;

/// Asks the active player which feature to book next, if the order affects the result. Returns
/// whether this function has asked.
pub(crate) fn ask_if_needed(rules: &Rules, state: &mut State) -> bool {
    let Some(EngineStep::Batch(batch)) = state.machine.agenda.last() else {
        never!("the engine asks for the order outside a scoring");
        return false;
    };
    // The options follow the order in which the turn changed the features. Earlier versions of the
    // engine booked the points in this order without asking. Therefore a record of an earlier
    // version replays correctly with the first option.
    let mut offers: Vec<ModOption> = Vec::new();
    for feature in order_dependent_features(rules, state, batch) {
        let value = Value::Feature(feature);
        let offer = ModOption { word: Some(ORDER_WORD.into()), value, run: None, asks_again: false };
        let text = |offer: &ModOption| offer_text(&rules.ruleset, state, None, offer);
        if offers.iter().all(|other| text(other) != text(&offer)) {
            offers.push(offer);
        }
    }
    if offers.len() < 2 {
        return false;
    }
    let player = state.player();
    state.machine.decision.begin(Actor::Player(player), Question::Order, "Which feature is scored first?");
    legal_options::add_offers(state, offers);
    state.machine.is_waiting = true;
    true
}

/// Appends the chosen feature to the order in which the engine books the points of the batch.
pub(crate) fn choose(batch: &mut ScoringBatch, option: Option<ModOption>) {
    match option.map(|option| option.value) {
        Some(Value::Feature(feature)) => batch.order.push(feature),
        other => never!("the answer to the question about the order is not a feature: {other:?}"),
    }
}

/// Sorts the awards by player, beginning with the active player; then by the order that the player
/// chose; then by points, most points first. Therefore neither the facing of a tile nor the order
/// of its zones affects the result.
pub(crate) fn sort_awards(state: &mut State) {
    let (n, active) = (state.n_seats, state.turn_order.place(state.player()));
    let turn_order = &state.position.turn_order;
    let Some(EngineStep::Batch(batch)) = state.machine.agenda.last_mut() else {
        return never!("the engine sorts awards outside a scoring");
    };
    if !can_reorder(batch) {
        return;
    }
    let ScoringBatch { awards, order, .. } = &mut **batch;
    awards.sort_by_key(|award| {
        let chosen = order.iter().position(|it| Some(*it) == award.feature).unwrap_or(order.len());
        ((turn_order.place(award.player) + n - active) % n, chosen, Reverse(award.points))
    });
}

/// Returns whether the engine may reorder the awards of the batch. Points that mods give, and the
/// awards of the final count, keep their order.
fn can_reorder(batch: &ScoringBatch) -> bool {
    !batch.is_final && batch.features.len() > 1
}

/// Returns the features for which the order of booking affects the result.
fn order_dependent_features(rules: &Rules, state: &State, batch: &ScoringBatch) -> Vec<FeatureRef> {
    if !can_reorder(batch) {
        return Vec::new();
    }
    let handlers = rules.catalogue().handlers(Hook::Scored).iter();
    let filters: Vec<&Filter> = handlers.map(|it| &it.filter).filter(|filter| filter.is_about_moves()).collect();
    if filters.is_empty() {
        return Vec::new();
    }
    let is_chosen = |award: &&Award| award.feature.is_some_and(|it| batch.order.contains(&it));
    let mut contested: Vec<FeatureRef> = Vec::new();
    for player in state.seats() {
        for (marker, start) in (0..).zip(state.markers_of(player)) {
            let moves = batch.awards.iter().filter(|it| it.player == player && it.marker == marker && it.points != 0);
            let (before, rest): (Vec<&Award>, Vec<&Award>) = moves.partition(is_chosen);
            let from = start + before.iter().map(|it| it.points).sum::<i64>();
            let points: Vec<i64> = rest.iter().map(|it| it.points).collect();
            if filters.iter().any(|filter| order_matters(rules, state, filter, player, from, &points)) {
                contested.extend(rest.iter().filter_map(|it| it.feature));
            }
        }
    }
    batch.features.iter().copied().filter(|it| contested.contains(it)).collect()
}

/// Returns whether the order in which `player` gets `points` affects which moves of the score
/// marker pass the filter. The marker has `from` points at the start, and moves once for each
/// number in `points`.
fn order_matters(rules: &Rules, state: &State, filter: &Filter, player: Seat, from: i64, points: &[i64]) -> bool {
    if points.iter().all(|it| Some(it) == points.first()) {
        return false;
    }
    if points.len() > MAX_PERMUTED_AWARDS {
        return true;
    }
    let track = &rules.catalogue().track;
    // With the filter `only_dark`, two orders are equal if a move passes in both or in neither.
    // With `only_beside`, the passing moves must also have the same starts and points in both
    // orders.
    let outcome = |order: &[i64]| {
        let mut at = from;
        let mut heard: Vec<(u32, i64)> = Vec::new();
        for points in order {
            if filter.fits_move(rules, state, player, at, at + points) {
                heard.push(if filter.beside.0 == 0 { (0, 0) } else { (track.space(at), *points) });
            }
            at += points;
        }
        heard.sort_unstable();
        if filter.beside.0 == 0 {
            heard.dedup();
        }
        heard
    };
    let usual = outcome(points);
    any_order(&mut points.to_vec(), 0, &mut |order| outcome(order) != usual)
}

/// Returns whether `is_it` returns true for at least one order of `values` in which the first
/// `fixed` values stay in place.
fn any_order(values: &mut [i64], fixed: usize, is_it: &mut dyn FnMut(&[i64]) -> bool) -> bool {
    if fixed + 1 >= values.len() {
        return is_it(values);
    }
    (fixed..values.len()).any(|i| {
        values.swap(fixed, i);
        let found = any_order(values, fixed + 1, is_it);
        values.swap(fixed, i);
        found
    })
}
