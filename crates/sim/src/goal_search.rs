//! Searches for values of settings and counts for which the games meet [goals](crate::Goal). The
//! state of a search is plain data: it can be stored between games, and its games can be played on
//! several machines.

use diagnostic::ExpectOrDefault;
use players::Rng;
use rules::{Catalogue, RulesFactory};
use serde::{Deserialize, Serialize};

use crate::goal::Goal;
use crate::interval::DEFAULT_LEVEL;
use crate::plan::{Plan, PlanError};
use crate::run::run;
use crate::stats::Report;

/// The number of combinations of values that the first round plays at most. If there are more, it
/// plays random ones.
const N_FIRST: usize = 128;
/// The number of combinations that the first round and the search around its best ones play at
/// most.
const N_TRIED: usize = 512;
/// The number of best combinations whose neighbours are played too.
const N_CLIMBING: usize = 6;
/// The number of combinations in the second round.
const N_SECOND: usize = 16;
/// The number of combinations in the third round, and of results.
const N_THIRD: usize = 5;
/// The minimum number of games of a combination in each round.
const MIN_GAMES: u64 = 20;
/// The loss of games without a value of a goal. It is larger than every loss with a value.
const NO_VALUE_LOSS: f64 = 1e12;
/// The loss of games none of which finishes. Games that do not finish are worse than any finished
/// game.
const FAULT_LOSS: f64 = 1e6;

/// A setting or a count, and the values to try.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Varied {
    /// The name, such as `base.small_city` or `base/K`.
    pub name: String,
    /// The values, in an order in which neighbours give similar games.
    pub values: Vec<String>,
}

/// A function that returns the plan with these names and values of settings and counts.
pub type PlanOf<'p> = dyn Fn(&[(String, String)]) -> Result<Plan, PlanError> + 'p;

/// A combination of values, and the games played with it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Compromise {
    /// The name and value of each varied setting and count.
    pub values: Vec<(String, String)>,
    /// The games of the third round. No earlier round has played them, so the means are not better
    /// by selection.
    pub report: Report,
}

/// The results of a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GoalResults {
    /// The best combinations, the best first; empty before the third round has ended.
    pub best: Vec<Compromise>,
    /// The number of combinations that were played.
    pub n_tried: usize,
    /// The number of possible combinations.
    pub n_possible: usize,
    /// The number of games in all rounds.
    pub n_games: u64,
}

/// The progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GoalProgress {
    /// The number of the round, from 1 to 3.
    pub round: usize,
    /// The number of combinations played in this round.
    pub n_played: usize,
    /// The number of combinations to play in this round, as far as known.
    pub n: usize,
}

/// Games that a search wants to have played with one combination of values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GoalTask {
    /// The number of the task, which [`GoalSearch::add`] expects with the report.
    pub number: usize,
    /// The name and value of each varied setting and count.
    pub values: Vec<(String, String)>,
    /// The number of the first game.
    pub first_game: u64,
    /// The number of games.
    pub n_games: u64,
}

/// A search for the values with which the games of a plan meet goals best.
///
/// The first round plays a sixteenth of the games of the plan with each combination of values. If
/// there are more than 128 combinations, it plays 128 random ones, and then follows neighbouring
/// values of the best ones. The second round plays a quarter of the games with the best 16, and the
/// third round all games of the plan with the best 5. All combinations of a round play with the
/// same seeds.
#[derive(Clone, Debug)]
pub struct GoalSearch {
    goals: Vec<Goal>,
    varied: Vec<Varied>,
    n_games: u64,
    state: GoalState,
}

/// The part of a search that changes. A combination is the index of a value for each varied setting
/// or count.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct GoalState {
    /// The goals, the values and the games of the search, each with a label.
    identity: Vec<(String, String)>,
    /// The number of the round, from 1 to 3, or 4 after the last round.
    round: usize,
    /// The number of the first game of this round.
    first_game: u64,
    /// The combinations to play next; `None` for those that are already played.
    open: Vec<Option<Vec<usize>>>,
    /// The combinations played in this round, with their losses.
    played: Vec<(Vec<usize>, f64)>,
    /// The number of combinations that were played in the first round.
    n_tried: usize,
    /// The combinations of the third round, with their losses and reports.
    found: Vec<(Vec<usize>, f64, Report)>,
    /// The number of games played so far.
    n_games: u64,
}

/// A reason why a stored search cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum GoalStateError {
    /// The text is not the state of a search.
    #[error("this is not the state of a search for goals: {0}")]
    NotAState(#[from] serde_json::Error),
    /// The text names combinations that the search cannot play.
    #[error("this state of a search is damaged")]
    Damaged,
    /// The text belongs to a search that differs in this respect.
    #[error("this is the state of another search: {what} differs: {} and {}", .values[0], .values[1])]
    OtherSearch {
        /// The label of the first difference.
        what: String,
        /// The value in the text, and the value of this search.
        values: [String; 2],
    },
}

impl GoalSearch {
    /// Begins a search for values of `varied` with which the games of `plan` meet `goals`.
    ///
    /// # Errors
    /// Returns an error if there is nothing to vary, or no goal.
    pub fn new(
        catalogue: &Catalogue,
        plan: &Plan,
        goals: Vec<Goal>,
        varied: Vec<Varied>,
    ) -> Result<GoalSearch, PlanError> {
        if goals.is_empty() || varied.is_empty() || varied.iter().any(|it| it.values.is_empty()) {
            return Err(PlanError("a search needs a goal, and a setting or count with values to try".to_owned()));
        }
        let item = |what: &str, value: String| (what.to_owned(), value);
        let mut identity = plan.description(catalogue);
        identity.extend(goals.iter().map(|it| item("goal", format!("{} from {} to {}", it.name, it.low, it.high))));
        identity.extend(varied.iter().map(|it| item("values", format!("{}={}", it.name, it.values.join(",")))));
        identity.push(item("games", plan.n_games.to_string()));
        let state = GoalState { identity, round: 1, first_game: plan.first_game, ..GoalState::default() };
        let mut search = GoalSearch { goals, varied, n_games: plan.n_games, state };
        search.state.open = search.first_combinations(plan.seed).into_iter().map(Some).collect();
        Ok(search)
    }

    /// Returns the state as text, for [`resume`](GoalSearch::resume).
    pub fn text(&self) -> String {
        serde_json::to_string(&self.state).expect_or_default("the state consists of texts and finite numbers")
    }

    /// Continues from the state that [`text`](GoalSearch::text) has returned.
    ///
    /// # Errors
    /// Returns an error if the text is not the state of a search, or if that search has other
    /// goals, values or games. The search then stays as it is.
    pub fn resume(&mut self, text: &str) -> Result<(), GoalStateError> {
        let state: GoalState = serde_json::from_str(text)?;
        let nothing = (String::new(), String::new());
        for i in 0..state.identity.len().max(self.state.identity.len()) {
            let [theirs, ours] = [&state, &self.state].map(|it| it.identity.get(i).unwrap_or(&nothing));
            if theirs != ours {
                let what = if ours.0.is_empty() { &theirs.0 } else { &ours.0 };
                let values = [theirs.1.clone(), ours.1.clone()];
                return Err(GoalStateError::OtherSearch { what: what.clone(), values });
            }
        }
        let is_possible = |it: &[usize]| {
            it.len() == self.varied.len() && it.iter().zip(&self.varied).all(|(at, varied)| *at < varied.values.len())
        };
        let played = state.played.iter().map(|(it, _)| it).chain(state.found.iter().map(|(it, ..)| it));
        if !(1..=4).contains(&state.round) || !state.open.iter().flatten().chain(played).all(|it| is_possible(it)) {
            return Err(GoalStateError::Damaged);
        }
        self.state = state;
        Ok(())
    }

    /// Returns the games to play next, in any order or at the same time; empty after the third
    /// round.
    pub fn tasks(&self) -> Vec<GoalTask> {
        let GoalState { first_game, open, .. } = &self.state;
        let task = |(number, combination): (usize, &Option<Vec<usize>>)| {
            let values = self.values(combination.as_ref()?);
            Some(GoalTask { number, values, first_game: *first_game, n_games: self.n_games_of_round() })
        };
        open.iter().enumerate().filter_map(task).collect()
    }

    /// Adds the report on the games of task `number`. When all tasks are done, the search goes on:
    /// [`tasks`](GoalSearch::tasks) then returns other games. Ignores a task that is done already.
    pub fn add(&mut self, number: usize, report: Report) {
        let Some(combination) = self.state.open.get_mut(number).and_then(Option::take) else { return };
        let loss = self.loss(&report);
        self.state.n_games += report.n_games;
        if self.state.round == 3 {
            self.state.found.push((combination.clone(), loss, report));
        }
        self.state.played.push((combination, loss));
        if self.state.open.iter().all(Option::is_none) {
            self.go_on();
        }
    }

    /// Chooses the next combinations after all open ones are played.
    fn go_on(&mut self) {
        let n_games = self.n_games_of_round();
        let next = match self.state.round {
            1 => {
                let neighbours = self.untried_neighbours();
                if !neighbours.is_empty() {
                    self.state.open = neighbours.into_iter().map(Some).collect();
                    return;
                }
                self.state.n_tried = self.state.played.len();
                self.best(N_SECOND)
            }
            2 => self.best(N_THIRD),
            _ => Vec::new(),
        };
        self.state.round += 1;
        self.state.first_game += n_games;
        self.state.played.clear();
        self.state.open = next.into_iter().map(Some).collect();
    }

    /// Returns the progress.
    pub fn progress(&self) -> GoalProgress {
        let n_played = self.state.played.len();
        let n_open = self.state.open.iter().flatten().count();
        GoalProgress { round: self.state.round.min(3), n_played, n: n_played + n_open }
    }

    /// Returns the results so far.
    pub fn results(&self) -> GoalResults {
        let GoalState { round, played, n_tried, found, n_games, .. } = &self.state;
        let mut sorted: Vec<_> = if *round > 3 { found.iter().collect() } else { Vec::new() };
        sorted.sort_by(|a, b| a.1.total_cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
        let compromise = |(combination, _, report): &(Vec<usize>, f64, Report)| Compromise {
            values: self.values(combination),
            report: report.clone(),
        };
        GoalResults {
            best: sorted.into_iter().map(compromise).collect(),
            n_tried: if *round == 1 { played.len() } else { *n_tried },
            n_possible: self.n_possible(),
            n_games: *n_games,
        }
    }

    /// Returns the goals.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    fn n_games_of_round(&self) -> u64 {
        let n = match self.state.round {
            1 => self.n_games / 16,
            2 => self.n_games / 4,
            _ => self.n_games,
        };
        n.max(MIN_GAMES)
    }

    fn n_possible(&self) -> usize {
        self.varied.iter().fold(1_usize, |n, it| n.saturating_mul(it.values.len()))
    }

    /// Returns all combinations, or random ones if there are too many.
    fn first_combinations(&self, seed: u64) -> Vec<Vec<usize>> {
        let n_possible = self.n_possible();
        let combination = |mut number: usize| -> Vec<usize> {
            let digit = |it: &Varied| {
                let digit = number % it.values.len();
                number /= it.values.len();
                digit
            };
            self.varied.iter().map(digit).collect()
        };
        if n_possible <= N_FIRST {
            return (0..n_possible).map(combination).collect();
        }
        let mut rng = Rng::new(seed);
        let mut found: Vec<Vec<usize>> = Vec::new();
        while found.len() < N_FIRST {
            let random = combination(rng.below(n_possible));
            if !found.contains(&random) {
                found.push(random);
            }
        }
        found
    }

    /// Returns the `n` combinations of this round with the smallest losses, the smallest first.
    fn best(&self, n: usize) -> Vec<Vec<usize>> {
        let mut sorted: Vec<&(Vec<usize>, f64)> = self.state.played.iter().collect();
        sorted.sort_by(|a, b| a.1.total_cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
        sorted.into_iter().take(n).map(|(combination, _)| combination.clone()).collect()
    }

    /// Returns the combinations next to the best ones that are not played yet, as far as the first
    /// round may play them.
    fn untried_neighbours(&self) -> Vec<Vec<usize>> {
        let mut next: Vec<Vec<usize>> = Vec::new();
        for neighbour in self.best(N_CLIMBING).iter().flat_map(|it| self.neighbours(it)) {
            let is_known = self.state.played.iter().any(|(it, _)| *it == neighbour) || next.contains(&neighbour);
            if !is_known && self.state.played.len() + next.len() < N_TRIED {
                next.push(neighbour);
            }
        }
        next
    }

    /// Returns the combinations in which one value is the next or the previous one.
    fn neighbours(&self, of: &[usize]) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        for (i, (at, varied)) in of.iter().zip(&self.varied).enumerate() {
            for next in [at.checked_sub(1), at.checked_add(1)].into_iter().flatten() {
                if next < varied.values.len() {
                    found.push(of.iter().enumerate().map(|(j, at)| if j == i { next } else { *at }).collect());
                }
            }
        }
        found
    }

    fn values(&self, combination: &[usize]) -> Vec<(String, String)> {
        let value = |(at, it): (&usize, &Varied)| {
            let value = it.values.get(*at).cloned();
            (it.name.clone(), value.expect_or_default("a combination has the index of a value"))
        };
        combination.iter().zip(&self.varied).map(value).collect()
    }

    /// Returns the sum of the losses of all goals.
    fn loss(&self, report: &Report) -> f64 {
        let loss =
            |goal: &Goal| goal.value_in(report, DEFAULT_LEVEL).map_or(NO_VALUE_LOSS, |(value, _)| goal.loss(value));
        let faults = report.n_faults as f64 / report.n_games.max(1) as f64;
        self.goals.iter().map(loss).sum::<f64>() + FAULT_LOSS * faults
    }
}

/// Plays the games of `search` on this machine, to its end or until `each` returns false. `plan_of`
/// returns the plan with these values. `each` receives the search before the first games, and after
/// the games of each combination. Also stops as soon as `goes_on`, called after each game, returns
/// false; the search then lacks the games of the current combination.
///
/// # Errors
/// Returns an error if a plan cannot be played.
pub fn search_goals(
    factory: &dyn RulesFactory,
    search: &mut GoalSearch,
    plan_of: &PlanOf<'_>,
    each: &mut dyn FnMut(&GoalSearch) -> bool,
    goes_on: &dyn Fn() -> bool,
) -> Result<(), PlanError> {
    while each(search) {
        let Some(task) = search.tasks().into_iter().next() else { break };
        let GoalTask { number, values, first_game, n_games } = task;
        let plan = Plan { first_game, n_games, details: true, ..plan_of(&values)? };
        let report = run(factory, &plan, Some(&mut |_| goes_on()), &mut |_| {})?;
        if !goes_on() {
            break;
        }
        search.add(number, report);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rules::Setup;

    use super::*;

    /// Returns a search among 400 combinations of two settings.
    fn search(n_games: u64) -> GoalSearch {
        let plan = Plan::new(Setup::of(&[], 2), Vec::new(), vec![players::PLAYERS[0].clone(); 2], n_games);
        let varied =
            ["a", "b"].map(|name| Varied { name: name.to_owned(), values: (0..20).map(|n| n.to_string()).collect() });
        let goals = vec![Goal::parse("points=30", &plan).unwrap()];
        GoalSearch::new(&Catalogue::default(), &plan, goals, varied.into()).unwrap()
    }

    /// Returns a report on games in which both players together score the sum of the values.
    fn report(task: &GoalTask) -> Report {
        let plan = Plan::new(Setup::of(&[], 2), Vec::new(), vec![players::PLAYERS[0].clone(); 2], task.n_games);
        let points: i64 = task.values.iter().map(|(_, value)| value.parse::<i64>().unwrap()).sum();
        let mut report = Report::new(&plan);
        for number in 0..task.n_games {
            let game = crate::GameResult { number, scores: vec![points, 0], ..Default::default() };
            report.add(&game);
        }
        report
    }

    /// Plays all tasks; stores and resumes the search after every `pause` tasks. Returns the text
    /// at the end.
    fn played(pause: usize) -> String {
        let (mut search_now, mut n) = (search(320), 0);
        while let Some(task) = search_now.tasks().pop() {
            search_now.add(task.number, report(&task));
            n += 1;
            if n % pause == 0 {
                let text = search_now.text();
                search_now = search(320);
                search_now.resume(&text).unwrap();
            }
        }
        let results = search_now.results();
        let sums = results.best.iter().map(|it| it.values.iter().map(|(_, n)| n.parse::<i64>().unwrap()).sum::<i64>());
        assert_eq!(sums.collect::<Vec<_>>(), [30; N_THIRD]);
        assert!(results.n_possible == 400 && (N_FIRST..400).contains(&results.n_tried), "{}", results.n_tried);
        search_now.text()
    }

    #[test]
    fn a_resumed_search_comes_to_the_same_results() {
        let whole = played(usize::MAX);
        for pause in [1, 7] {
            assert_eq!(played(pause), whole, "{pause}");
        }
    }

    #[test]
    fn another_or_damaged_state_is_refused() {
        let text = search(320).text();
        let refused = |text: &str| search(320).resume(text).unwrap_err().to_string();
        assert!(refused("tile").contains("not the state of a search"));
        let other = search(640).text();
        assert!(refused(&other).ends_with("games differs: 640 and 320"), "{}", refused(&other));
        assert_eq!(refused(&text.replacen("\"round\":1", "\"round\":9", 1)), "this state of a search is damaged");
        let far = text.replacen("\"open\":[[", "\"open\":[[99,", 1);
        assert_eq!(refused(&far), "this state of a search is damaged");
    }
}
