//! Finds equivalent options, such as a piece on either of two zones of one feature, either of two
//! equal followers, or a symmetric tile in either facing.

use std::collections::BTreeMap;

use board::{Facing, FeatureRef, LayerIdx, Placement, ZoneRef};
use rules::{Answer, Decision, OptionValue, Question, Rules, State, Value, option_value};

/// Returns, for each of the `options` of a decision, the position of the first equivalent option.
/// If no earlier option is equivalent, returns the option's own position.
pub(crate) fn first_equivalents(rules: &Rules, state: &State, decision: &Decision, options: &[Answer]) -> Vec<usize> {
    let view = state.view();
    let mut first = BTreeMap::new();
    let mut first_places: BTreeMap<Placement, usize> = BTreeMap::new();
    let same_facings = match decision.question {
        Question::Place(tile) => {
            let tile_set = &rules.catalogue().tile_set;
            let tile = tile_set.tile(tile);
            // A tag of the whole tile may name a direction, such as the direction of a flying
            // machine. No facings of such a tile are equivalent.
            let has_words = tile.tags.iter().any(|(tag, _)| !tile_set.tag(*tag).values.is_empty());
            if has_words { Facing::ALL } else { tile.canonical_facings() }
        }
        _ => Facing::ALL,
    };
    let twin = |(i, choice): (usize, &Answer)| match choice {
        Answer::Place(Placement { spot, facing }) => {
            let facing = same_facings[usize::from(facing.quarters())];
            *first_places.entry(Placement { spot: *spot, facing }).or_insert(i)
        }
        Answer::Deploy { .. } | Answer::ModOption(_) => {
            let offer =
                if let Answer::ModOption(n) = choice { decision.mod_options.get(usize::from(*n)) } else { None };
            let value = canonical_value(rules, view, option_value(decision, *choice));
            *first.entry((offer.map(|it| (it.run, it.word)), value)).or_insert(i)
        }
        _ => i,
    };
    options.iter().enumerate().map(twin).collect()
}

/// Makes equivalent values equal: replaces each zone in a value with its feature, and each piece
/// with its kind, its owner, its features and whether it is pinned.
fn canonical_value(rules: &Rules, state: &State, value: Value) -> Value {
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
        // A list of several zones, such as the two ends of a connection, means these zones and not
        // their features. Therefore the list stays unchanged.
        Value::List(list) if list.iter().filter(|it| matches!(it, Value::Zone(_))).count() > 1 => Value::List(list),
        Value::List(list) => Value::list(list.iter().map(|it| canonical_value(rules, state, it.clone()))),
        Value::Option(option) => {
            let OptionValue { word, about, data, .. } = &*option;
            let parts = [about, data].map(|part| canonical_value(rules, state, part.clone()));
            Value::list([Value::Text(word.clone())].into_iter().chain(parts))
        }
        other => other,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::rc::Rc;

    use loader::Library;
    use rules::{Dealer, RulesFactory, Setup, Status};

    use super::*;
    use crate::random::Rng;

    /// A flying machine tile with a straight road looks the same after half a turn, but the machine
    /// then flies in the opposite direction.
    #[test]
    fn a_tile_that_names_a_direction_has_no_equal_facings() {
        let mods = ["base", "flying-machines"];
        let (loaded, problems) = Library::builtin().load(&mods);
        let loaded = loaded.unwrap_or_else(|| panic!("{problems}"));
        let rules = Rc::new(loaded.rules(Rules::default_settings(loaded.catalogue())).unwrap());
        let mut game = record::start_game(rules, Setup::of(&mods, 2)).unwrap();
        let (mut dealer, mut rng, mut n_seen) = (Dealer::new(3), Rng::new(3), 0);
        loop {
            game.deal(&mut dealer);
            let Status::Decision(decision) = game.status() else { break };
            let options = decision.options(&game.rules().ruleset, game.state());
            if let Question::Place(tile) = decision.question
                && game.rules().catalogue().tile_set.tile(tile).name == "flying-machines/FM-B"
            {
                let twins = first_equivalents(game.rules(), game.state(), decision, &options);
                assert!(twins.iter().enumerate().all(|(i, first)| i == *first), "{twins:?}");
                n_seen += 1;
            }
            let n = rng.below(options.len());
            game.answer_nth(n);
        }
        assert!(n_seen > 0, "no such tile was drawn");
    }
}
