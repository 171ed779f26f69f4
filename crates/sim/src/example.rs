//! Example games: replays a game that illustrates a number in a report, and finds the position that
//! illustrates this number best.

use diagnostic::ExpectOrDefault;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

use board::TileIdx;
use rules::{Actor, Award, Catalogue, Game, Status};

use crate::changed_rules::EditedRules;
use crate::compare::Arm;
use crate::detail::{GameObserver, for_each_new_leader, for_each_share, rule_name};
use crate::measure::Measure;
use crate::plan::{Plan, PlanError};
use crate::rule_part::{RulePart, edit_of};
use crate::table::SimThread;
use rules::RulesFactory;

/// The subject that an example game illustrates.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Subject {
    /// A measure of whole games.
    Measure(Measure),
    /// Points for this reason.
    Reason(String),
    /// Points from the scoring rule with this name, as in the table of points by rule.
    Rule(String),
    /// The tile type with this name.
    Tile(String),
    /// The end of the game.
    End,
    /// The position after this number of answers.
    At(usize),
    /// The effect of a part of the rules.
    Part(RulePart),
}

/// A game that illustrates a number in a report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExampleGame {
    /// The number of the game.
    pub game: u64,
    /// The subject that the game illustrates.
    pub subject: Subject,
}

/// The record of a replayed game, and the position that illustrates the subject.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExamplePosition {
    /// The record of the game.
    pub record: String,
    /// The number of answers before the position that illustrates the subject.
    pub at: usize,
}

/// Plays the game of `example` again, and finds the position that illustrates the subject. This is,
/// for example, the largest award, the best placement of a tile, or the last change of the lead. If
/// there is no such position, returns the end of the game.
///
/// # Errors
/// Returns the same errors as [`run`](crate::run).
pub fn replay_example(
    factory: &dyn RulesFactory,
    plan: &Plan,
    example: &ExampleGame,
) -> Result<ExamplePosition, PlanError> {
    if let Subject::Part(part) = &example.subject
        && let Some(edit) = edit_of(factory.catalogue(), part)
    {
        let without = EditedRules { factory, edit };
        return replay_difference(Arm { factory: &without, plan }, Arm { factory, plan }, example.game);
    }
    let plan = example_plan(plan);
    let mut table = SimThread::new(factory, &plan)?;
    let (game, result) = table.play_game(example.game);
    let watch = table.observer().filter(|_| result.fault.is_none());
    let at = watch.and_then(|watch| best_position(table.opening(), &game, watch, &example.subject));
    Ok(ExamplePosition {
        record: result.record.expect_or_default("the plan asks for records"),
        at: at.unwrap_or(game.log().len()),
    })
}

/// Plays game `number` of arms `a` and `b` again. Returns the record of the game in `b`, and the
/// first position at which an answer or a score differs from the game in `a`.
///
/// # Errors
/// Returns the same errors as [`run`](crate::run).
pub fn replay_difference(a: Arm<'_>, b: Arm<'_>, number: u64) -> Result<ExamplePosition, PlanError> {
    let plans = (example_plan(a.plan), example_plan(b.plan));
    let mut tables = (SimThread::new(a.factory, &plans.0)?, SimThread::new(b.factory, &plans.1)?);
    let (game_a, _) = tables.0.play_game(number);
    let (game_b, result) = tables.1.play_game(number);
    let scores = (all_scores(tables.0.opening(), &game_a), all_scores(tables.1.opening(), &game_b));
    let texts = (game_a.log_texts(), game_b.log_texts());
    let other_answer = texts.0.iter().zip(&texts.1).position(|(a, b)| a != b);
    let other_scores = scores.0.iter().zip(&scores.1).position(|(a, b)| a != b);
    let at = [other_answer, other_scores].into_iter().flatten().min();
    Ok(ExamplePosition {
        record: result.record.expect_or_default("the plan asks for records"),
        at: at.unwrap_or(game_b.log().len()),
    })
}

fn example_plan(plan: &Plan) -> Plan {
    Plan { n_threads: 1, with_records: true, details: true, counts_calls: false, ..plan.clone() }
}

/// Gives the answers of `game` again, from `opening` on. Calls `see` before the first answer and
/// after each answer.
fn for_each_position(opening: &Game, game: &Game, mut see: impl FnMut(&Game)) {
    let mut again = opening.clone();
    see(&again);
    for text in game.log_texts().iter().skip(opening.log().len()) {
        if again.answer_text(text).is_err() {
            return;
        }
        see(&again);
    }
}

/// Returns the scores by seat.
pub(crate) fn scores_of(game: &Game) -> Vec<i64> {
    game.state().seats().map(|seat| game.state().score(seat)).collect()
}

/// Returns the scores at each position of `game`, from `opening` on.
pub(crate) fn all_scores(opening: &Game, game: &Game) -> Vec<Vec<i64>> {
    let mut scores = Vec::new();
    for_each_position(opening, game, |game| scores.push(scores_of(game)));
    scores
}

/// Returns the number of answers before the position that illustrates the subject best; `None` if
/// there is no such position.
fn best_position(opening: &Game, game: &Game, watch: &GameObserver, subject: &Subject) -> Option<usize> {
    let catalogue = game.rules().catalogue();
    match subject {
        Subject::Measure(Measure::Taken) => watch.turn_of_most_taken().map(|n| n as usize),
        Subject::Measure(measure) => best_position_for(*measure, opening, game),
        Subject::Reason(reason) => best_award(game, |award| if *award.reason == **reason { award.points } else { 0 }),
        Subject::Rule(name) => best_award(game, |award| points_by(catalogue, award, name)),
        Subject::Tile(name) => {
            let at = catalogue.tile_set.tiles.iter().position(|tile| tile.name == *name)?;
            watch.best_placement(TileIdx(at as u16)).map(|n| n as usize)
        }
        Subject::At(at) => Some(*at),
        Subject::End | Subject::Part(_) => None,
    }
}

fn best_position_for(measure: Measure, opening: &Game, game: &Game) -> Option<usize> {
    match measure {
        Measure::Win(_)
        | Measure::Score(_)
        | Measure::PlayerWin(_)
        | Measure::PlayerScore(_)
        | Measure::Margin
        | Measure::Decided
        | Measure::Comeback
        | Measure::Uncertain
        | Measure::LeadChanges => {
            let mut last = None;
            for_each_new_leader(game.state(), |at| last = Some(at as usize));
            last
        }
        Measure::Options | Measure::Choices | Measure::Obvious => {
            let mut seen: Vec<(usize, usize)> = Vec::new();
            for_each_position(opening, game, |game| {
                let Status::Decision(decision) = game.status() else { return };
                if matches!(decision.who, Actor::Player(_)) {
                    seen.push((decision.n_options(game.state()), game.log().len()));
                }
            });
            match measure {
                Measure::Obvious => seen.into_iter().find(|(n, _)| *n == 1).map(|(_, at)| at),
                _ => seen.into_iter().max_by_key(|(n, at)| (*n, Reverse(*at))).map(|(_, at)| at),
            }
        }
        Measure::Discards => {
            let mut first = None;
            for_each_position(opening, game, |game| {
                if first.is_none() && game.state().discarded_tiles().len() > opening.state().discarded_tiles().len() {
                    first = Some(game.log().len());
                }
            });
            first
        }
        Measure::Points | Measure::Taken | Measure::Turns | Measure::Holes | Measure::Stuck => None,
    }
}

/// Returns the number of answers up to the award with the largest absolute value of `worth`. Of
/// several awards with this value, the first counts. `None` if `worth` is 0 for all awards.
fn best_award(game: &Game, worth: impl Fn(&Award) -> i64) -> Option<usize> {
    let awards = game.state().awards().iter();
    let awards = awards.map(|award| (worth(award).unsigned_abs(), award.decision)).filter(|(n, _)| *n > 0);
    awards.max_by_key(|(n, at)| (*n, Reverse(*at))).map(|(_, at)| at as usize)
}

/// Returns the points that the scoring rule `name` added to an award.
fn points_by(catalogue: &Catalogue, award: &Award, name: &str) -> i64 {
    let mut sum = 0;
    for_each_share(award, |line, share| {
        if rule_name(catalogue, (line.owner, line.function), &line.reason) == name {
            sum += share;
        }
    });
    sum
}
