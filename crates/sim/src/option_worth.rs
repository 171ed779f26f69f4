//! Measures the worth of options: a bot plays against a copy of itself that must not choose these
//! options.

use std::collections::BTreeMap;

use players::{BotInfo, Restriction, Rng, player_named};
use rules::{Answer, Catalogue, Dealer, Question, RulesFactory, Status, option_text};

use crate::game::MAX_ANSWERS;
use crate::ladder::plan_of_pair;
use crate::plan::{Plan, PlanError};
use crate::table::SimThread;

/// The bot whose options are measured if all named bots choose at random.
const DEFAULT_BOT: &str = "greedy";
/// The number of random games from which [`option_patterns`] collects options.
const N_GAMES: u64 = 4;

/// Returns patterns for the options that occur in a few random games of `plan`, such as `deploy`,
/// `deploy:follower` and `deploy:field`. A pattern is the first word of an option. For a
/// deployment, there are also patterns of this word with the piece or with the kind of land.
///
/// Omits a pattern if it always matches all options of a decision. Forbidding such a pattern has no
/// effect, because a player whose options are all forbidden may choose any of them.
///
/// # Errors
/// Returns an error if the rules or the setup of `plan` are invalid.
pub fn option_patterns(factory: &dyn RulesFactory, plan: &Plan) -> Result<Vec<String>, PlanError> {
    let table = SimThread::new(factory, plan)?;
    // For each pattern, the number of options that match it. Ignores decisions in which all options
    // match.
    let mut found: BTreeMap<String, u64> = BTreeMap::new();
    for number in 0..N_GAMES {
        let seed = plan.seed_of(number);
        let (mut dealer, mut rng) = (Dealer::new(seed), Rng::new(seed));
        let mut game = table.opening().clone();
        for _ in 0..MAX_ANSWERS {
            game.deal(&mut dealer);
            let Status::Decision(decision) = game.status() else { break };
            let (ruleset, state) = (&game.rules().ruleset, game.state());
            let options = decision.options(ruleset, state);
            let is_deployment = matches!(decision.question, Question::Deploy);
            let text = |option: &Answer| option_text(ruleset, state, decision, *option);
            let sorts: Vec<Vec<String>> = options
                .iter()
                .map(|option| matching_patterns(factory.catalogue(), &text(option), is_deployment))
                .collect();
            let is_common = |sort: &String| sorts.iter().all(|other| other.contains(sort));
            for sort in sorts.iter().flatten().filter(|sort| !is_common(sort)) {
                *found.entry(sort.clone()).or_default() += 1;
            }
            let n = options.len();
            if n == 0 {
                break;
            }
            game.answer_nth(rng.below(n));
        }
    }
    // Omits a narrower pattern that matches the same options as its first word. For example,
    // `deploy:follower` equals `deploy` if there is only one kind of piece.
    let is_narrower = |sort: &String, n: u64| sort.split_once(':').is_none_or(|(all, _)| found.get(all) != Some(&n));
    Ok(found.iter().filter(|(sort, n)| is_narrower(sort, **n)).map(|(sort, _)| sort.clone()).collect())
}

/// Returns the patterns that an option with the text `text` matches.
fn matching_patterns(catalogue: &Catalogue, text: &str, is_deployment: bool) -> Vec<String> {
    let mut words = text.split_whitespace();
    let Some(first) = words.next() else { return Vec::new() };
    let mut sorts = vec![first.to_owned()];
    if is_deployment {
        let names = words.map(|word| word.split('@').next().unwrap_or(word));
        let is_known = |name: &&str| {
            catalogue.tile_set.kind_named(name).is_some() || catalogue.pieces.iter().any(|piece| piece.name == *name)
        };
        sorts.extend(names.filter(is_known).map(|name| format!("{first}:{name}")));
    }
    sorts
}

/// Returns the plans that measure the worth of options, one plan for each of `patterns`. In each
/// plan, a bot plays against a copy of itself that must not choose options that match the pattern.
/// The bot is the first player of `plan` that does not choose at random. If there is none, it is
/// the greedy player.
///
/// # Errors
/// Returns an error if a pattern is invalid. Also returns an error if the player is an external
/// program, because Bastide cannot forbid options to it.
pub fn option_plans(catalogue: &Catalogue, plan: &Plan, patterns: &[String]) -> Result<Vec<Plan>, PlanError> {
    let named = plan.players.iter().map(|it| &*it.name).find(|name| !name.starts_with("random"));
    let name = named.unwrap_or(DEFAULT_BOT);
    let free = player_named(name).ok_or_else(|| {
        PlanError(format!("`{name}` is a program, and Bastide can forbid options only to its own bots"))
    })?;
    let pair = |pattern: &String| {
        let wrong =
            || PlanError(format!("`{pattern}` names no options; write words of their texts, such as `deploy:field`"));
        let bound: BotInfo = player_named(&format!("{name}!{pattern}")).ok_or_else(wrong)?;
        let watched = Restriction::parse(pattern.split('!')).ok_or_else(wrong)?;
        Ok(Plan { watched, ..plan_of_pair(catalogue, plan, &[bound, free.clone()]) })
    };
    patterns.iter().map(pair).collect()
}
