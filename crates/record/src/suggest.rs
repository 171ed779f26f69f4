//! Replacements for failed expectations, for authors who have changed a rule on purpose.
#![expect(clippy::indexing_slicing, reason = "handles are positions in the catalogue and the state that made them")]

use rules::{FnIdx, Game, Question, Status, actor_text, parse_spot};

use crate::expect::{ExpectationChecker, check};

/// Returns an expectation that holds now and has the same subject as `text`, without the word
/// `expect`. Returns `None` if no line can state such an expectation. `n_awards_before` is as in
/// [`check`].
pub(crate) fn suggest(game: &Game, text: &str, n_awards_before: usize) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let case = ExpectationChecker::new(game, n_awards_before);
    let new = suggest_number(&case, &words).or_else(|| suggest_words(&case, &words))?;
    check(game, &new, n_awards_before).is_ok().then_some(new)
}

/// Returns the line `words` with the actual number in place of the expected number; `None` if the
/// subject of the line is not a number.
fn suggest_number(case: &ExpectationChecker<'_>, words: &[&str]) -> Option<String> {
    let (_, subject) = words.split_last()?;
    let n = case.number(subject).ok()??;
    Some(format!("{} {n}", subject.join(" ")))
}

fn suggest_words(case: &ExpectationChecker<'_>, words: &[&str]) -> Option<String> {
    let all = words.join(" ");
    let opposite = || Some(words.strip_prefix(&["no"]).map_or_else(|| format!("no {all}"), |rest| rest.join(" ")));
    match words {
        ["space", name, ..] => {
            let spaces: Vec<String> = case.spaces(name).ok()?.iter().map(ToString::to_string).collect();
            Some(format!("space {name} {}", spaces.join(" ")))
        }
        [word @ ("award" | "awards"), name, _, reason @ ..] => {
            Some(award_expectation(case, word, name, &reason.join(" ")))
        }
        ["no", word @ ("award" | "awards"), rest @ ..] => {
            let first = case.awards().find(|a| a.points != 0);
            let name = rest.first().copied().or_else(|| first.map(|a| case.state.name(a.player)))?;
            let reason =
                rest.iter().skip(1).filter(|w| w.parse::<i64>().is_err()).copied().collect::<Vec<_>>().join(" ");
            Some(award_expectation(case, word, name, &reason))
        }
        ["decision", ..] | ["no", "decision"] => Some(decision_expectation(case)),
        ["tile", _, spot, ..] | ["no", "tile", spot] => {
            let tile = case.view.board.tile_at(parse_spot(spot).ok()?).map(|tile| case.view.board.tile(tile));
            Some(tile.map_or_else(
                || format!("no tile {spot}"),
                |it| format!("tile {} {spot} {}", case.rules.catalogue().tile_set.tile(it.tile).name, it.facing),
            ))
        }
        ["row", name, ..] => Some(format!("row {name} {}", case.row(name).ok()?.join(" ")).trim_end().to_owned()),
        ["turn", _] => Some(format!("turn {}", case.state.name(case.view.player()))),
        ["next", _] => Some(format!("next {}", case.state.name(case.view.next_player()))),
        ["order", ..] => {
            let names: Vec<&str> = case.view.order().map(|seat| case.state.name(seat)).collect();
            Some(format!("order {}", names.join(" ")))
        }
        ["over"] => Some("not over".to_owned()),
        ["not", "over"] => Some("over".to_owned()),
        [word @ ("winner" | "winners"), ..] if case.state.is_over() => {
            Some(format!("{word} {}", case.winner_names().join(" ")))
        }
        [_, ..] if words.ends_with(&["fault"]) || words.first() == Some(&"fault") => {
            Some(if case.game.fault().is_some() { "fault" } else { "no fault" }.to_owned())
        }
        ["option" | "piece" | "note" | "seen", ..] | ["no", "option" | "piece" | "note" | "seen", ..] => opposite(),
        _ => None,
    }
}

/// Returns an expectation of an award that the player `name` actually received, preferring an award
/// with the same reason. If the player received none, returns the expectation of no award.
fn award_expectation(case: &ExpectationChecker<'_>, word: &str, name: &str, reason: &str) -> String {
    let of_player = || case.awards().filter(|a| case.state.name(a.player) == name && a.points != 0);
    let is_for = |a: &&rules::Award| *a.reason == *reason || a.lines.iter().any(|line| *line.reason == *reason);
    if let Some(found) = of_player().find(|a| !reason.is_empty() && is_for(a)) {
        return format!("{word} {name} {} {reason}", found.points);
    }
    match of_player().next() {
        Some(found) => format!("{word} {name} {} {}", found.points, found.reason),
        None => format!("no {word} {name}"),
    }
}

/// Returns an expectation of the open decision, with the player who decides, and the kind of
/// decision or the mod that asks. If no decision is open, returns `no decision`.
fn decision_expectation(case: &ExpectationChecker<'_>) -> String {
    let Status::Decision(decision) = case.game.status() else { return "no decision".to_owned() };
    let catalogue = case.rules.catalogue();
    let who = actor_text(case.state, decision.who);
    let owner = |f: FnIdx| &catalogue.mods[catalogue.functions[f.idx()].owner.idx()].id;
    match decision.question {
        Question::Ask(function) => format!("decision {who} {}", owner(function)),
        _ => format!("decision {who} {}", decision.question.name()),
    }
}
