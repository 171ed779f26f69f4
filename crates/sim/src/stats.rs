//! Statistics of many games. The sums are integers, so they do not depend on the order in which
//! threads finish games.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::calls::FunctionCalls;
use crate::interval::{DEFAULT_LEVEL, Interval, level_of_each, win_rate_interval};
use crate::measure::{Measure, wins};
use crate::moments::{Histogram, Moments};
use crate::plan::Plan;
use crate::result::GameResult;
use crate::tally::{Details, OptionUse};
use crate::thinking::ThinkingTime;

/// The maximum number of failed games that a report stores with their records.
const MAX_STORED_FAULTS: usize = 20;

/// The values of one measure in all finished games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MeasureStats {
    /// The measure.
    pub measure: Measure,
    /// Statistics of the values, which are multiplied by [`Measure::scale`].
    pub moments: Moments,
    /// The distribution of the values, which are multiplied by [`Measure::scale`]. Empty for wins.
    pub histogram: Histogram,
}

impl MeasureStats {
    fn of(measure: Measure) -> MeasureStats {
        MeasureStats { measure, moments: Moments::default(), histogram: Histogram::default() }
    }

    fn add(&mut self, game: &GameResult) {
        let value = self.measure.value_in(game);
        self.moments.add(value, game.number);
        if !self.measure.is_win() {
            self.histogram.add(value, game.number);
        }
    }

    /// Returns the mean of the measure. The mean of wins is the win rate.
    pub fn mean(&self) -> f64 {
        self.moments.mean() / self.measure.scale()
    }

    /// Returns the interval of the mean at confidence `level`: Wilson's for wins, Student's for
    /// other measures. Student's interval is `None` for fewer than two games.
    pub fn interval(&self, level: f64) -> Option<Interval> {
        if self.measure.is_win() {
            return Some(win_rate_interval(wins(self.moments.sum()), self.moments.n(), level));
        }
        Some(self.moments.interval(level)?.scale(1.0 / self.measure.scale()))
    }
}

/// The results of a seat, or of a player at all its seats.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Standing<'r> {
    /// The name of the seat or player.
    pub name: &'r str,
    /// The name of the player at the seat, or `all` if the players move from seat to seat. For the
    /// results of a player, equal to `name`.
    pub player: &'r str,
    wins: &'r Moments,
    /// The scores of the seat or player.
    pub score: &'r Moments,
    /// The distribution of the scores of the seat or player.
    pub scores: &'r Histogram,
}

impl Standing<'_> {
    /// Returns the number of finished games.
    pub fn n_games(self) -> u64 {
        self.score.n()
    }

    /// Returns the number of wins; a tie between two players counts as half a win for each.
    pub fn wins(self) -> f64 {
        wins(self.wins.sum())
    }

    /// Returns the win rate, from 0 to 1.
    pub fn win_rate(self) -> f64 {
        self.wins() / self.n_games().max(1) as f64
    }

    /// Returns Wilson's interval of the win rate at confidence `level`.
    pub fn win_rate_interval(self, level: f64) -> Interval {
        win_rate_interval(self.wins(), self.n_games(), level)
    }

    /// Returns the number of the first game that the seat or player won alone. If all wins were
    /// ties, returns the first of the ties with the fewest winners. `None` if there was no win.
    pub fn first_won_game(self) -> Option<u64> {
        self.wins.game_with_max().filter(|_| self.wins.max() > 0)
    }

    /// Returns the mean score.
    pub fn mean(self) -> f64 {
        self.score.mean()
    }
}

/// A game that did not finish.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FailedGame {
    /// The number of the game, counted from 0.
    pub number: u64,
    /// The seed of the game.
    pub seed: u64,
    /// The message of the failure.
    pub message: String,
    /// The record of the game up to the failure.
    pub record: String,
}

/// The results of a simulation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// The name of each seat, and the name of the player at the seat.
    pub(crate) seats: Vec<(String, String)>,
    /// The names of the players if the players move from seat to seat; otherwise empty.
    pub(crate) players: Vec<String>,
    /// The measures of finished games.
    pub measured: Vec<MeasureStats>,
    /// The number of games played, including games that did not finish.
    pub n_games: u64,
    /// The number of games that ended in a tie.
    pub n_shared: u64,
    /// The number of answers by players.
    pub n_choices: u64,
    /// The number of answers by players and by chance.
    pub n_answers: u64,
    /// The number of turns.
    pub n_turns: u64,
    /// The number of games that did not finish.
    pub n_faults: u64,
    /// The failed games with the lowest numbers, at most 20.
    pub faults: Vec<FailedGame>,
    /// The number of games in which a mod failed while a bot was thinking. Such a failure does not
    /// end the game.
    pub n_bot_faults: u64,
    /// The first failure of a mod while a bot was thinking: the number of the game, and a message.
    /// `None` if there was no such failure.
    pub bot_fault: Option<(u64, String)>,
    /// The results of tiles and the sources of points; `None` if the plan does not collect details.
    pub details: Option<Details>,
    /// For each player of the plan: how often the player could choose a watched option, and how
    /// often it did. Empty unless the plan watches options.
    #[serde(default)]
    pub option_uses: Vec<OptionUse>,
    /// The time that each player of the plan spent on its choices; empty if all players are equal
    /// bots.
    #[serde(default)]
    pub thinking: Vec<ThinkingTime>,
    /// Calls of mods' functions, the most frequent first; empty unless the plan counts calls.
    pub calls: Vec<FunctionCalls>,
    /// The number of threads that played.
    pub n_threads: usize,
    /// The time spent on playing games, without loading.
    pub took: Duration,
}

impl Report {
    /// Makes an empty report for the games of `plan`.
    pub fn new(plan: &Plan) -> Report {
        let player_of = |seat: usize| match plan.rotates {
            true => "all".to_owned(),
            false => plan.players.get(seat).map_or_else(String::new, |p| p.name.to_string()),
        };
        let seats = plan.setup.players.iter().enumerate();
        let players = if plan.rotates { 0..plan.players.len() } else { 0..0 };
        Report {
            seats: seats.map(|(i, name)| (name.clone(), player_of(i))).collect(),
            players: players.map(|n| plan.player_label(n)).collect(),
            measured: Measure::of_plan(plan).into_iter().map(MeasureStats::of).collect(),
            details: plan.details.then(Details::default),
            ..Report::default()
        }
    }

    /// Returns the results of a measure; `None` if the games do not have this measure.
    pub fn stats_of(&self, measure: Measure) -> Option<&MeasureStats> {
        self.measured.iter().find(|it| it.measure == measure)
    }

    /// Returns the name of a measure, with the names of seats and players in these games.
    pub fn name_of(&self, measure: Measure) -> String {
        let seat = |n: u8| self.seats.get(usize::from(n)).map_or_else(String::new, |(name, _)| name.clone());
        measure.name(seat, |n| self.players.get(usize::from(n)).cloned().unwrap_or_default())
    }

    /// Returns the results of each seat.
    pub fn seats(&self) -> Vec<Standing<'_>> {
        let names = self.seats.iter().map(|(name, player)| (name.as_str(), player.as_str()));
        self.standings(names, Measure::Win, Measure::Score)
    }

    /// Returns the results of each player at all its seats. Empty if the players stay at their
    /// seats.
    pub fn players(&self) -> Vec<Standing<'_>> {
        let names = self.players.iter().map(|name| (name.as_str(), name.as_str()));
        self.standings(names, Measure::PlayerWin, Measure::PlayerScore)
    }

    fn standings<'r>(
        &'r self,
        names: impl Iterator<Item = (&'r str, &'r str)>,
        win: fn(u8) -> Measure,
        score: fn(u8) -> Measure,
    ) -> Vec<Standing<'r>> {
        let of = |(n, (name, player)): (usize, (&'r str, &'r str))| {
            let (wins, score) = (self.stats_of(win(n as u8))?, self.stats_of(score(n as u8))?);
            Some(Standing { name, player, wins: &wins.moments, score: &score.moments, scores: &score.histogram })
        };
        names.enumerate().filter_map(of).collect()
    }

    /// Adds the result of a game.
    pub(crate) fn add(&mut self, result: &GameResult) {
        self.n_games += 1;
        self.n_choices += u64::from(result.n_choices);
        self.n_answers += u64::from(result.n_answers);
        self.n_turns += u64::from(result.n_turns);
        if let Some(message) = &result.bot_fault {
            self.n_bot_faults += 1;
            self.store_bot_fault(Some((result.number, message.clone())));
        }
        if let Some(message) = &result.fault {
            self.n_faults += 1;
            self.store_fault(FailedGame {
                number: result.number,
                seed: result.seed,
                message: message.clone(),
                record: result.record.clone().unwrap_or_default(),
            });
            return;
        }
        self.n_shared += u64::from(result.winners().nth(1).is_some());
        self.measured.iter_mut().for_each(|measured| measured.add(result));
    }

    /// Adds the results of other games of the same plan.
    pub fn merge(&mut self, other: Report) {
        for (own, more) in self.measured.iter_mut().zip(&other.measured) {
            own.moments.merge(&more.moments);
            own.histogram.merge(&more.histogram);
        }
        self.n_games += other.n_games;
        self.n_shared += other.n_shared;
        self.n_choices += other.n_choices;
        self.n_answers += other.n_answers;
        self.n_turns += other.n_turns;
        self.n_faults += other.n_faults;
        self.n_bot_faults += other.n_bot_faults;
        self.store_bot_fault(other.bot_fault);
        other.faults.into_iter().for_each(|fault| self.store_fault(fault));
        if let (Some(own), Some(more)) = (&mut self.details, other.details) {
            own.merge(more);
        }
        if self.option_uses.is_empty() {
            self.option_uses = other.option_uses;
        } else {
            self.option_uses.iter_mut().zip(other.option_uses).for_each(|(own, more)| own.merge(more));
        }
        if self.thinking.is_empty() {
            self.thinking = other.thinking;
        } else {
            self.thinking.iter_mut().zip(&other.thinking).for_each(|(own, more)| own.merge(more));
        }
        for more in other.calls {
            match self.calls.iter_mut().find(|c| (&c.owner, &c.function) == (&more.owner, &more.function)) {
                Some(calls) => {
                    calls.n += more.n;
                    calls.took += more.took;
                    calls.n_restarted += more.n_restarted;
                }
                None => self.calls.push(more),
            }
        }
        self.calls.sort_by(|a, b| (b.n, &a.owner, &a.function).cmp(&(a.n, &b.owner, &b.function)));
        self.n_threads = self.n_threads.max(other.n_threads);
        self.took += other.took;
    }

    /// Stores a fault. If there are more than [`MAX_STORED_FAULTS`] faults, drops the faults with
    /// the highest game numbers. So the result does not depend on the order of the faults.
    fn store_fault(&mut self, fault: FailedGame) {
        let at = self.faults.partition_point(|f| f.number < fault.number);
        self.faults.insert(at, fault);
        self.faults.truncate(MAX_STORED_FAULTS);
    }

    /// Stores a failure, unless the stored failure is from a game with a lower number.
    fn store_bot_fault(&mut self, other: Option<(u64, String)>) {
        self.bot_fault = [self.bot_fault.take(), other].into_iter().flatten().min();
    }

    /// Returns the number of games per second.
    pub fn games_per_second(&self) -> f64 {
        self.n_games as f64 / self.took.as_secs_f64().max(1e-9)
    }

    /// Returns half the width of the widest interval of a win rate at confidence `level`. 0.01
    /// means one percentage point.
    pub fn widest_half_width(&self, level: f64) -> f64 {
        self.seats()
            .into_iter()
            .chain(self.players())
            .map(|it| it.win_rate_interval(level).half_width())
            .fold(0.0, f64::max)
    }

    /// Returns whether all players are bots with the same name, so that only luck and the seats
    /// decide.
    pub(crate) fn has_equal_players(&self) -> bool {
        let mut names: Vec<&str> = match self.players.is_empty() {
            true => self.seats.iter().map(|(_, player)| player.as_str()).collect(),
            // Players with the same name have labels such as `greedy 1` and `greedy 2`.
            false => self.players.iter().map(|label| label.split(' ').next().unwrap_or(label)).collect(),
        };
        names.dedup();
        names.len() == 1
    }

    /// Returns whether different bots play and each of them keeps its seat. The effects of seats
    /// and bots cannot be separated then.
    pub fn is_mixed(&self) -> bool {
        self.players.is_empty() && !self.has_equal_players()
    }

    /// Describes the seats with a significant advantage or disadvantage, each in a sentence without
    /// a full stop.
    pub fn unfair_seat_texts(&self) -> Vec<String> {
        let fair = 1.0 / self.seats().len().max(1) as f64;
        let text = |seat: Standing<'_>| {
            let how = if seat.win_rate() > fair { "more" } else { "less" };
            format!("{} wins significantly {how} often than the fair {:.1}%", seat.name, 100.0 * fair)
        };
        self.unfair_seats().into_iter().map(text).collect()
    }

    /// Returns the seats with a significant advantage or disadvantage. For these seats, the
    /// interval of the win rate does not contain the fair rate. All intervals together are correct
    /// with confidence [`DEFAULT_LEVEL`].
    pub fn unfair_seats(&self) -> Vec<Standing<'_>> {
        let seats = self.seats();
        let n = seats.len().max(1) as f64;
        let level = level_of_each(DEFAULT_LEVEL, seats.len());
        seats.into_iter().filter(|seat| !seat.win_rate_interval(level).contains(1.0 / n)).collect()
    }
}

/// Merges the new results `found` into `known`.
pub fn merge_into<T>(known: &mut Option<T>, found: T, merge: impl FnOnce(&mut T, T)) {
    match known {
        Some(known) => merge(known, found),
        None => *known = Some(found),
    }
}

#[cfg(test)]
mod tests {
    use rules::Setup;

    use super::*;

    fn game(number: u64, scores: &[i64]) -> GameResult {
        GameResult { number, scores: scores.to_vec(), ..GameResult::default() }
    }

    fn report(n_seats: usize) -> Report {
        let random = players::PLAYERS[0].clone();
        Report::new(&Plan::new(Setup::of(&[], n_seats), Vec::new(), vec![random; n_seats], 0))
    }

    #[test]
    fn shares_and_moments() {
        let (mut all, mut one, mut other) = (report(2), report(2), report(2));
        for (i, scores) in [[2, 4], [4, 4], [9, -1], [1, 1]].iter().enumerate() {
            all.add(&game(i as u64, scores));
            if i % 2 == 0 { &mut one } else { &mut other }.add(&game(i as u64, scores));
        }
        other.merge(one);
        assert_eq!(other, all);
        let seats = all.seats();
        assert_eq!((seats[0].wins(), seats[1].wins(), all.n_shared), (2.0, 2.0, 2));
        assert_eq!((seats[0].mean(), seats[1].score.min(), seats[0].score.max()), (4.0, -1, 9));
        assert!((seats[0].score.standard_deviation() - 9.5f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn seats_of_different_bots_are_mixed_unless_the_bots_rotate() {
        let [random, greedy] = [players::PLAYERS[0].clone(), players::PLAYERS[1].clone()];
        let plan = Plan::new(Setup::of(&[], 2), Vec::new(), vec![random, greedy], 0);
        assert!(Report::new(&plan).is_mixed());
        assert!(!Report::new(&Plan { rotates: true, ..plan }).is_mixed());
        assert!(!report(2).is_mixed());
    }

    #[test]
    fn games_with_faults_count_apart() {
        let mut report = report(1);
        for number in (0..50).rev() {
            report.add(&GameResult { fault: Some("broke".into()), ..game(number, &[3]) });
        }
        assert_eq!((report.n_faults, report.faults.len(), report.seats()[0].n_games()), (50, 20, 0));
        assert_eq!(report.faults[19].number, 19);
    }
}
