//! Ablation: measures the effect of each function and each tag by playing games without it. Also
//! finds mods whose order matters.

use diagnostic::ExpectOrDefault;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::VecDeque;

use rules::{Catalogue, Fault, Game, Hook, ModIdx, RulesFactory, Status};

use crate::changed_rules::{EditedRules, RuleEdit};
use crate::compare::{Arm, Comparison, compare};
use crate::example::{all_scores, scores_of};
use crate::measure::Measure;
use crate::plan::{Plan, PlanError};
use crate::rule_part::{self, RulePart};
use crate::run::run;
use crate::stats::{Report, merge_into};
use crate::table::SimThread;

/// The effect of a part of the rules on games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RuleEffect {
    /// The part of the rules.
    pub part: RulePart,
    /// The number of pairs of games. A pair is one game with the part and one game without it.
    pub n_pairs: u64,
    /// The number of pairs with different scores.
    pub n_changed: u64,
    /// The number of pairs with different winners.
    pub n_other_winners: u64,
    /// The points per game that the part adds, as the sum over all players.
    pub points: f64,
    /// The number of calls of the function per game; `None` for a tag.
    pub calls: Option<f64>,
    /// The number of games that fail without the part, minus the number of games that fail with the
    /// part; at least 0.
    pub n_faults: u64,
    /// The number of the first game with different scores; `None` if there is no such game.
    pub first_change: Option<u64>,
}

impl RuleEffect {
    /// Returns a short explanation: the reason why the part has no effect, or a note that games
    /// fail without the part. Empty for a part that only changes scores.
    pub fn explanation(&self) -> &'static str {
        match (self.matters(), self.calls) {
            (true, _) if self.n_faults > 0 => "games without it do not finish",
            (true, _) => "",
            (false, Some(0.0)) => "never called",
            (false, _) => "same scores without it",
        }
    }

    /// Returns whether disabling the part changed the scores of a game or made a game fail.
    pub fn matters(&self) -> bool {
        self.n_changed + self.n_faults > 0
    }
}

/// Two mods whose order affects a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OrderDependence {
    /// The mods, in their normal order.
    pub mods: [String; 2],
    /// The number of the game in which the order matters.
    pub game: u64,
    /// The number of answers after which the reversed order of the mods first leads to other scores
    /// or decisions.
    pub at: usize,
    /// A text about the final scores with each of the two orders of mods. If the same answers do
    /// not finish the game in the reversed order, the text gives the reason instead.
    pub what: String,
    /// The record of the game.
    pub record: String,
}

/// The results of an ablation study.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AblationResults {
    /// The number of games of the plan.
    pub n_games: u64,
    /// The effects of functions and tags, largest first. Before the study reports that a part has
    /// no effect, it plays all games of the plan. It plays no games for a function that is never
    /// called.
    pub effects: Vec<RuleEffect>,
    /// The names of tiles in decks that no player placed.
    pub unlaid: Vec<String>,
    /// The pairs of mods whose order matters.
    pub clashes: Vec<OrderDependence>,
}

/// The number of games that the study first plays to measure the effect of a part. If these games
/// show no effect, the study plays all games of the plan. For a pair of mods, this is the maximum
/// number of games.
const FEW_GAMES: u64 = 100;

/// Plays games with and without each function and each tag of the mods. Also plays games with two
/// mods in both orders, if both mods handle the same hook and neither builds on the other.
///
/// `progress` receives two numbers: the finished parts and pairs of mods, and all parts and pairs.
///
/// # Errors
/// Returns the same errors as [`run`].
pub fn measure_ablation(
    factory: &dyn RulesFactory,
    plan: &Plan,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<AblationResults, PlanError> {
    let mut looking = AblationStudy::new(factory.catalogue(), plan);
    while looking.step(factory, plan.n_games.max(1))? {
        let (n_done, n_all) = looking.progress();
        progress(n_done, n_all);
    }
    Ok(looking.found)
}

/// An ablation study that plays a few games at a time, so that callers can show intermediate
/// results.
#[derive(Clone, Debug)]
pub struct AblationStudy {
    plan: Plan,
    /// The report on games under the full rules, with call counts and placed tiles; `None` before
    /// the first step.
    report: Option<Report>,
    n_counted: u64,
    parts: VecDeque<(RuleEdit, RulePart)>,
    /// The results so far for the first part in `parts`; `None` before the first game without this
    /// part.
    of_part: Option<Comparison>,
    pairs: VecDeque<(ModIdx, ModIdx)>,
    /// The number of games played for the first pair in `pairs`.
    n_of_pair: u64,
    n_all: usize,
    found: AblationResults,
}

impl AblationStudy {
    /// Prepares a study of all parts of the rules in `catalogue`, with the games of `plan`.
    pub fn new(catalogue: &Catalogue, plan: &Plan) -> AblationStudy {
        let parts: VecDeque<(RuleEdit, RulePart)> = rule_part::parts(catalogue).into();
        let pairs: VecDeque<(ModIdx, ModIdx)> = pairs(catalogue).into();
        AblationStudy {
            n_all: parts.len() + pairs.len(),
            plan: Plan { details: false, counts_calls: false, with_records: false, ..plan.clone() },
            report: None,
            n_counted: 0,
            parts,
            of_part: None,
            pairs,
            n_of_pair: 0,
            found: AblationResults { n_games: plan.n_games, ..AblationResults::default() },
        }
    }

    /// Returns the results so far.
    pub fn results(&self) -> &AblationResults {
        &self.found
    }

    /// Returns the report on the games under the full rules; `None` before the first step.
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// Returns the number of finished measurements, and the number of all measurements. There is a
    /// measurement for each part of the rules and for each pair of mods.
    pub fn progress(&self) -> (u64, u64) {
        (self.n_all.saturating_sub(self.parts.len() + self.pairs.len()) as u64, self.n_all as u64)
    }

    /// Plays up to `n_games` more games, or pairs of games. Returns true if there are more games to
    /// play.
    ///
    /// # Errors
    /// Returns the same errors as [`run`].
    pub fn step(&mut self, factory: &dyn RulesFactory, n_games: u64) -> Result<bool, PlanError> {
        if self.n_counted < self.plan.n_games {
            self.count_calls(factory, n_games)?;
        } else if let Some((edit, part)) = self.parts.front().cloned() {
            self.measure_part(factory, edit, part, n_games)?;
        } else if let Some((first, second)) = self.pairs.front().copied() {
            self.compare_orders(factory, first, second, n_games)?;
        }
        Ok(self.n_counted < self.plan.n_games || !self.parts.is_empty() || !self.pairs.is_empty())
    }

    /// Returns a plan for the next games after the first `n_played` games. Plans at most `n_games`
    /// games, and at most `all` games including the first `n_played`.
    fn next_plan(&self, n_played: u64, all: u64, n_games: u64) -> Plan {
        let n_games = n_games.min(all.saturating_sub(n_played));
        Plan { first_game: self.plan.first_game + n_played, n_games, ..self.plan.clone() }
    }

    /// Plays up to `n_games` games under the full rules and counts the calls of functions.
    fn count_calls(&mut self, factory: &dyn RulesFactory, n_games: u64) -> Result<(), PlanError> {
        let next = self.next_plan(self.n_counted, self.plan.n_games, n_games);
        let next = Plan { details: true, counts_calls: true, ..next };
        let report = run(factory, &next, None, &mut |_| {})?;
        self.n_counted += next.n_games;
        merge_into(&mut self.report, report, Report::merge);
        if self.n_counted >= self.plan.n_games {
            self.found.unlaid =
                self.report.as_ref().map_or_else(Vec::new, |report| unlaid(factory.catalogue(), report));
        }
        Ok(())
    }

    /// Returns the number of calls of a function per game; `None` for tags.
    fn calls(&self, part: &RulePart) -> Option<f64> {
        let RulePart::Function { owner, name } = part else { return None };
        let report = self.report.as_ref()?;
        let call = report.calls.iter().find(|call| (&call.owner, &call.function) == (owner, name));
        Some(call.map_or(0.0, |call| call.n as f64 / report.n_games.max(1) as f64))
    }

    /// Compares up to `n_games` more games with and without a part. Finishes the part after
    /// [`FEW_GAMES`] games if these show an effect, otherwise after all games of the plan.
    fn measure_part(
        &mut self,
        factory: &dyn RulesFactory,
        edit: RuleEdit,
        part: RulePart,
        n_games: u64,
    ) -> Result<(), PlanError> {
        let calls = self.calls(&part);
        // A function that is never called has no effect, so the study plays no games without it.
        let is_idle = calls == Some(0.0);
        let n_played = self.of_part.as_ref().map_or(0, |found| found.a.n_games);
        let few = FEW_GAMES.min(self.plan.n_games);
        let all = if n_played < few { few } else { self.plan.n_games };
        if !is_idle {
            let plan = self.next_plan(n_played, all, n_games);
            let without = EditedRules { factory, edit };
            let more = compare(Arm { factory: &without, plan: &plan }, Arm { factory, plan: &plan }, &mut |_| {})?;
            merge_into(&mut self.of_part, more, Comparison::merge);
        }
        let n_played = self.of_part.as_ref().map_or(self.plan.n_games, |found| found.a.n_games);
        let matters = self.of_part.as_ref().is_some_and(|found| found.n_changed + found.a.n_faults > 0);
        if n_played >= self.plan.n_games || (n_played >= few && matters) {
            let found = self.of_part.take();
            self.found.effects.push(effect(part, calls, self.plan.n_games, found.as_ref()));
            let order = |effect: &RuleEffect| Reverse((effect.n_other_winners, effect.n_changed, effect.n_faults));
            self.found.effects.sort_by_key(order);
            self.parts.pop_front();
        }
        Ok(())
    }

    /// Plays games, and replays each game with the same answers and the two mods in reverse order.
    /// Stops at the first game that ends differently.
    fn compare_orders(
        &mut self,
        factory: &dyn RulesFactory,
        first: ModIdx,
        second: ModIdx,
        n_games: u64,
    ) -> Result<(), PlanError> {
        let few = FEW_GAMES.min(self.plan.n_games);
        let plan = Plan { with_records: true, ..self.next_plan(self.n_of_pair, few, n_games) };
        let clash = find_order_dependence(factory, &plan, first, second)?;
        self.n_of_pair += plan.n_games;
        if clash.is_some() || self.n_of_pair >= few {
            self.found.clashes.extend(clash);
            self.pairs.pop_front();
            self.n_of_pair = 0;
        }
        Ok(())
    }
}

/// Lists the tiles in decks that no player placed. The start tile is not listed.
fn unlaid(catalogue: &Catalogue, report: &Report) -> Vec<String> {
    let tiles = report.details.as_ref().map(|details| details.tiles.as_slice()).unwrap_or_default();
    let start = catalogue.start.map(|start| start.tile.0);
    let of_decks = |at: u16| {
        let tiles = catalogue.decks.iter().filter(|deck| deck.holds == rules::ItemType::Tiles);
        tiles.flat_map(|deck| &deck.items).any(|(item, n)| *item == at && *n > 0)
    };
    let unlaid = (0..).zip(tiles).filter(|(at, tile)| tile.n_laid() == 0 && Some(*at) != start && of_decks(*at));
    unlaid.map(|(_, tile)| tile.name.clone()).collect()
}

/// Returns the effect of a part, from a comparison of games without the part (A) and with it (B).
/// If the part needs no comparison, it has no effect in `n_games` games.
fn effect(part: RulePart, calls: Option<f64>, n_games: u64, found: Option<&Comparison>) -> RuleEffect {
    let mut differences = found.into_iter().flat_map(|found| &found.differences);
    let points = differences.find(|difference| difference.measure == Measure::Points);
    RuleEffect {
        part,
        n_pairs: found.map_or(n_games, |found| found.n_pairs),
        n_changed: found.map_or(0, |found| found.n_changed),
        n_other_winners: found.map_or(0, |found| found.n_other_winners),
        points: points.map_or(0.0, |points| points.mean()),
        calls,
        n_faults: found.map_or(0, |found| found.a.n_faults.saturating_sub(found.b.n_faults)),
        first_change: found.and_then(|found| found.first_change),
    }
}

/// Lists the pairs of mods that handle the same hook. Omits pairs in which one mod builds on the
/// other.
fn pairs(catalogue: &Catalogue) -> Vec<(ModIdx, ModIdx)> {
    let n = catalogue.mods.len() as u8;
    let all = (0..n).flat_map(|a| (a + 1..n).map(move |b| (ModIdx(a), ModIdx(b))));
    let meet = |a: ModIdx, b: ModIdx| {
        let asks = |list: &[rules::Handler], owner: ModIdx| list.iter().any(|handler| handler.owner == owner);
        let hooks = Hook::ALL.iter().filter(|hook| !matches!(hook, Hook::Hint | Hook::Describe | Hook::Migrate));
        hooks.map(|hook| catalogue.handlers(*hook)).any(|list| asks(list, a) && asks(list, b))
    };
    all.filter(|(a, b)| !catalogue.are_related(*a, *b) && meet(*a, *b)).collect()
}

/// Plays games, and replays each game with the same answers and the two mods in reverse order.
/// Describes the first game that ends differently; `None` if there is no such game.
fn find_order_dependence(
    factory: &dyn RulesFactory,
    plan: &Plan,
    first: ModIdx,
    second: ModIdx,
) -> Result<Option<OrderDependence>, PlanError> {
    let swapped = EditedRules { factory, edit: RuleEdit::Swapped(first, second) };
    let mut table = SimThread::new(factory, plan)?;
    let other = SimThread::new(&swapped, plan)?;
    for number in plan.first_game..plan.first_game + plan.n_games {
        let (game, result) = table.play_game(number);
        if result.fault.is_some() {
            continue;
        }
        let scores = all_scores(table.opening(), &game);
        let (at, ended) = replay_answers(other.opening(), game.log_texts(), &scores);
        let what = match ended {
            Ok(scores) if scores == result.scores => continue,
            Ok(scores) => {
                format!("it ends {}; in the other order, it ends {}", scores_text(&result.scores), scores_text(&scores))
            }
            Err(why) => format!("in the other order, {why}"),
        };
        let mods = [first, second].map(|at| {
            let info = factory.catalogue().mods.get(at.idx());
            info.map(|info| info.id.clone()).expect_or_default("the mod is in the catalogue")
        });
        let record = result.record.expect_or_default("the plan asks for records");
        return Ok(Some(OrderDependence { mods, game: number, at, what, record }));
    }
    Ok(None)
}

fn scores_text(scores: &[i64]) -> String {
    scores.iter().map(i64::to_string).collect::<Vec<_>>().join(" : ")
}

/// The reason why the answers of one game do not finish another game.
#[derive(Debug, thiserror::Error)]
enum ReplayStop {
    /// After `at` answers, the game asks another question, with this prompt.
    #[error("decision {at} differs ({prompt})")]
    OtherDecision { at: usize, prompt: String },
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// The number of next answers of the other game that the replay tries at each decision. It gives
/// the first answer that the game offers. So each mod gets its own answers, even if two mods ask
/// their questions in a different order than in the other game.
const MAX_LOOKAHEAD: usize = 8;

/// Plays a game from `opening` with `texts`, the answers of another game. `scores` contains the
/// scores of the other game at its first decision and after each answer.
///
/// Returns the number of answers after which the games first differ. Also returns the final scores,
/// or the reason why the answers do not finish the game.
fn replay_answers(
    opening: &Game,
    mut texts: Vec<String>,
    scores: &[Vec<i64>],
) -> (usize, Result<Vec<i64>, ReplayStop>) {
    let mut game = opening.clone();
    texts.drain(..opening.log().len().min(texts.len()));
    let first = opening.log().len();
    let mut differs = None;
    while let Status::Decision(decision) = game.status() {
        let prompt = decision.prompt.to_string();
        let n = texts.len().min(MAX_LOOKAHEAD);
        let fitting = (0..n).find(|at| texts.get(*at).is_some_and(|text| game.answer_text(text).is_ok()));
        let at = game.log().len();
        match fitting {
            Some(fits) => drop(texts.remove(fits)),
            None => return (at, Err(ReplayStop::OtherDecision { at, prompt })),
        }
        if differs.is_none() && scores.get(at - first).is_some_and(|scores| *scores != scores_of(&game)) {
            differs = Some(at);
        }
    }
    let at = differs.unwrap_or(game.log().len());
    match game.status() {
        Status::Fault(fault) => (at, Err(fault.clone().into())),
        _ => (at, Ok(scores_of(&game))),
    }
}
