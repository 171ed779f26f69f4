//! Solves the end of a game exactly: all choices of all players, and all orders of the last draws.

use std::cmp::Reverse;
use std::rc::Rc;

use rules::{Actor, Answer, Fault, Question, Rules, Seat, SeatSet, State, Trial};

use crate::judge::{POINT_WORTH, worth};
use crate::player::OptionAssessment;
use crate::random::{Rng, draw_option};
use crate::restriction::SeatRestriction;
use crate::search_tree::{leads, win_probability};
use crate::twins::first_equivalents;

/// The share of the lead in the result of a game. The share is so small that a larger lead hardly
/// ever outweighs a higher chance to win, but decides between options that win equally often.
const LEAD_SHARE: f64 = 0.01;
/// The difference of results below which two options count as equally good. The difference is far
/// larger than all rounding errors.
const EQUAL: f64 = 1e-9;
/// The number of random games that estimate the number of positions.
const N_PROBES: u32 = 4;
/// The maximum number of answers to the end of the game.
const MAX_ANSWERS: usize = 60;
/// The exponent and the factor of the estimated number of positions for two players, who skip most
/// options by pruning. The estimate is the product of the numbers of options, each raised to the
/// exponent, times the factor. Measured in base.
const PRUNED: (f64, f64) = (0.63, 5.0);
/// The limit of positions, as a multiple of the largest estimate with which the solver begins. Thus
/// the solver rarely gives up after it has begun.
const MARGIN: f64 = 2.0;

/// The result of a game for a player.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Outcome {
    /// The expected result, from 0 (lost) to 1 (won).
    result: f64,
    /// The expected lead over the best other player, in tenths of a point.
    lead: f64,
}

/// The range in which the result of the first player matters. Outside of this range, a player has a
/// better choice earlier in the game.
#[derive(Clone, Copy)]
struct Window {
    low: f64,
    high: f64,
}

/// A solver of the end of a game.
pub(crate) struct Endgame<'a> {
    /// The lead that counts as a win probability of 0.75, in tenths of a point.
    lead_scale: f64,
    bound: &'a SeatRestriction,
    stops: &'a dyn Fn() -> bool,
    seats: SeatSet,
    /// The number of positions that the solver may still visit.
    pub n_left: u32,
    /// The best answer found last, by depth and question. The solver tries it first.
    replies: Vec<(usize, Question, Answer)>,
    /// The first fault that a mod caused.
    pub fault: Option<Box<Fault>>,
}

/// An option of a player in the search for the best one.
struct Candidate {
    option: usize,
    answer: Answer,
    /// The outcome for each player if the game ends with this option and the solver has seen it.
    known: Option<Vec<Outcome>>,
    /// The worth of the position after the option, including the most points that a piece deployed
    /// next could claim.
    promise: i64,
}

impl<'a> Endgame<'a> {
    /// Makes a solver that visits at most `n_positions` positions and gives up as soon as `stops`
    /// returns true.
    pub fn new(
        lead_scale: f64,
        bound: &'a SeatRestriction,
        n_positions: u32,
        stops: &'a dyn Fn() -> bool,
    ) -> Endgame<'a> {
        Endgame {
            lead_scale,
            bound,
            stops,
            seats: SeatSet::NONE,
            n_left: n_positions,
            replies: Vec::new(),
            fault: None,
        }
    }

    /// Solves the decision of the player `me`. Returns the best option, followed by the other
    /// options with a known result, the best first.
    ///
    /// Each player takes the option with the best own result, and the first of equal options.
    /// Options that cannot be better than the best one may be missing. Returns `None` if the solver
    /// gives up: if there are too many positions, if anything is hidden from a player, or if a
    /// function of a mod fails.
    pub fn solve(&mut self, rules: &Rc<Rules>, state: &State, me: Seat) -> Option<Vec<OptionAssessment>> {
        self.seats = state.seats().collect();
        if (0..state.n_answers()).any(|n| !state.shows_answer(n, self.seats)) {
            return None;
        }
        let mut trial = Trial::new(rules, state);
        let found = self.is_small(&mut trial).then(|| self.root(&mut trial, me)).flatten();
        self.fault = trial.take_fault();
        found
    }

    fn root(&mut self, trial: &mut Trial, me: Seat) -> Option<Vec<OptionAssessment>> {
        trial.reset();
        let mut found: Vec<(usize, Outcome)> = Vec::new();
        self.choose(trial, me, 0, Window { low: -1.0, high: 2.0 }, &mut |option, outcome| {
            found.push((option, outcome))
        })?;
        found.sort_by(|(_, a), (_, b)| b.result.total_cmp(&a.result));
        let assessment = |(option, outcome): (usize, Outcome)| OptionAssessment {
            option,
            n_simulations: 0,
            lead: outcome.lead / POINT_WORTH as f64,
            chance: Some(outcome.result),
        };
        Some(found.into_iter().map(assessment).collect())
    }

    /// Returns whether the game probably ends within the number of positions that are left.
    /// Estimates their number from the numbers of options in a few random games.
    fn is_small(&mut self, trial: &mut Trial) -> bool {
        let most = f64::from(N_PROBES) * f64::from(self.n_left) / MARGIN;
        let mut rng = Rng::new(0);
        let mut sum = 0.0;
        for _ in 0..N_PROBES {
            trial.reset();
            let Some(n) = self.probe(trial, &mut rng, most - sum) else { return false };
            sum += n;
        }
        true
    }

    /// Plays a random game from the position of `trial`, and returns the estimated number of
    /// positions. Returns `None` if there are more than `most`.
    fn probe(&mut self, trial: &mut Trial, rng: &mut Rng, most: f64) -> Option<f64> {
        let (exponent, mut n_positions) = if self.is_zero_sum() { PRUNED } else { (1.0, 1.0) };
        for _ in 0..MAX_ANSWERS {
            self.visit(trial)?;
            let Some(decision) = trial.decision() else { return Some(n_positions) };
            let answer = match decision.who {
                Actor::Chance => {
                    n_positions *= decision.n_options(trial.state()) as f64;
                    decision.nth(&trial.rules().ruleset, trial.state(), draw_option(trial, rng))?
                }
                Actor::Player(seat) => {
                    let options = self.options(trial, seat);
                    n_positions *= (options.len() as f64).powf(exponent);
                    options.get(rng.below(options.len()))?.1
                }
            };
            if n_positions > most {
                return None;
            }
            trial.answer_only(answer);
        }
        None
    }

    /// Counts the position of `trial`. Returns `None` if the solver must give up.
    fn visit(&mut self, trial: &Trial) -> Option<()> {
        self.n_left = self.n_left.checked_sub(1)?;
        let is_solvable = !trial.has_failed() && !trial.state().hides_from(self.seats) && !(self.stops)();
        is_solvable.then_some(())
    }

    /// Returns whether the results of the players always add up to 1, so that the solver can skip
    /// options that cannot matter.
    fn is_zero_sum(&self) -> bool {
        self.seats.n_seats() == 2
    }

    /// Returns the outcome for each player from the position of `trial`, by seat. If the result for
    /// the first player is not inside `window`, the outcome is only a bound on that side. Returns
    /// `None` if the solver must give up.
    fn outcomes(&mut self, trial: &mut Trial, depth: usize, window: Window) -> Option<Vec<Outcome>> {
        self.visit(trial)?;
        match trial.decision().map(|decision| decision.who) {
            None => self.final_outcomes(trial.state()),
            Some(_) if depth == MAX_ANSWERS => None,
            Some(Actor::Chance) => self.expect(trial, depth, window),
            Some(Actor::Player(seat)) => self.choose(trial, seat, depth, window, &mut |_, _| ()),
        }
    }

    /// Returns the outcome for each player if the game is over; otherwise `None`.
    fn final_outcomes(&self, state: &State) -> Option<Vec<Outcome>> {
        if !state.is_over() {
            return None;
        }
        let scores: Vec<i64> = state.seats().map(|seat| POINT_WORTH * state.score(seat)).collect();
        let winners = state.winners();
        let shared = if winners == SeatSet::NONE { self.seats } else { winners.intersection(self.seats) };
        let outcome = |(seat, lead): (Seat, i64)| {
            let won = if shared.contains(seat) { 1.0 / shared.n_seats() as f64 } else { 0.0 };
            let result = (1.0 - LEAD_SHARE) * won + LEAD_SHARE * win_probability(lead, self.lead_scale);
            Outcome { result, lead: lead as f64 }
        };
        Some(state.seats().zip(leads(&scores)).map(outcome).collect())
    }

    /// Returns the mean over the options of chance, weighted by their probabilities. Returns `None`
    /// if the solver must give up.
    fn expect(&mut self, trial: &mut Trial, depth: usize, window: Window) -> Option<Vec<Outcome>> {
        let decision = trial.decision()?;
        let weights: Vec<f64> = decision.weights(trial.state()).into_iter().map(f64::from).collect();
        let answers = decision.options(&trial.rules().ruleset, trial.state()).into_owned();
        let total: f64 = weights.iter().sum();
        (total > 0.0).then_some(())?;
        let mut next = trial.fork();
        let mut means = vec![Outcome { result: 0.0, lead: 0.0 }; self.seats.n_seats()];
        let mut rest = 1.0;
        for (answer, weight) in answers.into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0) {
            let share = weight / total;
            rest -= share;
            // The other options give at least 0 and at most 1.
            let so_far = means.first()?.result;
            let of_option = Window { low: (window.low - so_far - rest) / share, high: (window.high - so_far) / share };
            next.reset();
            next.answer_only(answer);
            let outcomes = self.outcomes(&mut next, depth + 1, of_option)?;
            for (mean, outcome) in means.iter_mut().zip(outcomes) {
                mean.result += share * outcome.result;
                mean.lead += share * outcome.lead;
            }
            let so_far = means.first()?.result;
            let bounds = [so_far + rest <= window.low + EQUAL, so_far >= window.high - EQUAL];
            if self.is_zero_sum() && bounds != [false; 2] {
                let bound = if bounds[0] { so_far + rest } else { so_far };
                means.iter_mut().zip([bound, 1.0 - bound]).for_each(|(mean, bound)| mean.result = bound);
                break;
            }
        }
        Some(means)
    }

    /// Returns the outcome of the option that is best for `seat`. Calls `each` with every option
    /// whose outcome for `seat` is exact. Returns `None` if the solver must give up.
    fn choose(
        &mut self,
        trial: &mut Trial,
        seat: Seat,
        depth: usize,
        mut window: Window,
        each: &mut dyn FnMut(usize, Outcome),
    ) -> Option<Vec<Outcome>> {
        let options = self.options(trial, seat);
        let question = trial.decision()?.question;
        let reply = self.replies.iter().position(|(at, asked, _)| (*at, *asked) == (depth, question));
        let reply = reply.and_then(|at| self.replies.get(at)).map(|(.., answer)| *answer);
        let candidate = |(option, answer)| Candidate { option, answer, known: None, promise: 0 };
        let mut candidates: Vec<Candidate> = options.into_iter().map(candidate).collect();
        candidates.sort_by_key(|it| self.is_zero_sum() && Some(it.answer) != reply);
        let mut next = trial.fork();
        let mut best: Option<(Answer, Vec<Outcome>)> = None;
        let mut is_sorted = !self.is_zero_sum() || candidates.len() < 3;
        let n_first = usize::from(candidates.first().is_some_and(|it| Some(it.answer) == reply));
        for i in 0..candidates.len() {
            if i >= n_first && !is_sorted {
                self.sort(&mut next, seat, candidates.get_mut(i..)?)?;
                is_sorted = true;
            }
            let Candidate { option, answer, known, .. } = candidates.get_mut(i)?;
            let outcomes = match known.take() {
                Some(known) => known,
                None => {
                    next.reset();
                    next.answer_only(*answer);
                    self.outcomes(&mut next, depth + 1, window)?
                }
            };
            let outcome = *outcomes.get(seat.idx())?;
            let is_better = best
                .as_ref()
                .and_then(|(_, best)| best.get(seat.idx()))
                .is_none_or(|best| outcome.result > best.result + EQUAL);
            if !self.is_zero_sum() || is_better {
                each(*option, outcome);
            }
            if !is_better {
                continue;
            }
            if self.is_zero_sum() && seat == Seat(0) {
                window.low = window.low.max(outcome.result);
            } else if self.is_zero_sum() {
                window.high = window.high.min(1.0 - outcome.result);
            }
            best = Some((*answer, outcomes));
            if window.low >= window.high - EQUAL {
                break;
            }
        }
        let (answer, outcomes) = best?;
        match self.replies.iter_mut().find(|(at, asked, _)| (*at, *asked) == (depth, question)) {
            Some(known) => known.2 = answer,
            None => self.replies.push((depth, question, answer)),
        }
        Some(outcomes)
    }

    /// Returns the numbers of the allowed options with their answers, only one of several
    /// equivalent options.
    fn options(&self, trial: &Trial, seat: Seat) -> Vec<(usize, Answer)> {
        let Some(decision) = trial.decision() else { return Vec::new() };
        let (rules, state) = (trial.rules(), trial.state());
        let options = decision.options(&rules.ruleset, state).into_owned();
        let twins = first_equivalents(rules, state, decision, &options);
        let allowed = self.bound.of(seat).allowed(&rules.ruleset, state, decision, &options);
        let mut seen = vec![false; options.len()];
        let is_new = |(_, twin): &(_, usize)| seen.get_mut(*twin).is_some_and(|seen| !std::mem::replace(seen, true));
        let answers = options.into_iter().enumerate().zip(twins).zip(allowed);
        answers.filter(|(_, allowed)| *allowed).map(|(it, _)| it).filter(is_new).map(|(it, _)| it).collect()
    }

    /// Sorts the options by their promise. `trial` begins at the decision. Returns `None` if the
    /// solver must give up.
    fn sort(&mut self, trial: &mut Trial, seat: Seat, candidates: &mut [Candidate]) -> Option<()> {
        for it in candidates.iter_mut() {
            trial.reset();
            trial.answer_only(it.answer);
            self.visit(trial)?;
            if trial.decision().is_none() {
                let outcomes = self.final_outcomes(trial.state())?;
                it.promise = (outcomes.get(seat.idx())?.result * 1e9) as i64;
                it.known = Some(outcomes);
            } else {
                it.promise = worth(trial, seat) + POINT_WORTH * trial.best_claim();
            }
        }
        candidates.sort_by_key(|it| Reverse(it.promise));
        Some(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use loader::Library;
    use rules::{DeckIdx, Game, Hook, OptionValues, QuestionForm, RulesFactory, SettingValue, Setup, Status, Value};
    use testkit::Kit;

    use super::*;
    use crate::player::{Player, View};
    use crate::restriction::Restriction;
    use crate::search::{Search, SearchLimits};

    const LEAD_SCALE: f64 = 150.0;

    /// Returns the results of an ended game, by seat.
    fn results(state: &State) -> Vec<f64> {
        let scores: Vec<f64> = state.seats().map(|seat| state.score(seat) as f64).collect();
        let winners: Vec<Seat> = state.seats().filter(|seat| state.winners().contains(*seat)).collect();
        let result = |seat: Seat| {
            let others = scores.iter().enumerate().filter(|(i, _)| *i != seat.idx());
            let lead = scores[seat.idx()] - others.map(|(_, score)| *score).reduce(f64::max).unwrap_or(0.0);
            let won = if winners.contains(&seat) { 1.0 / winners.len() as f64 } else { 0.0 };
            0.99 * won + 0.01 * (0.5 + 0.5 * lead / (lead.abs() + LEAD_SCALE / 10.0))
        };
        state.seats().map(result).collect()
    }

    /// Returns the results by seat for each option of the open decision, found by playing every
    /// possible continuation. `None` for an option that the player may not choose.
    fn results_by_option(game: &Game, bound: &SeatRestriction) -> Vec<Option<Vec<f64>>> {
        let Status::Decision(decision) = game.status() else { panic!("the game must go on") };
        let options = decision.options(&game.rules().ruleset, game.state());
        let allowed = match decision.who {
            Actor::Player(seat) => bound.of(seat).allowed(&game.rules().ruleset, game.state(), decision, &options),
            Actor::Chance => vec![true; options.len()],
        };
        let result = |(option, is_allowed): (usize, bool)| {
            is_allowed.then(|| {
                let mut next = game.clone();
                next.answer_nth(option);
                results_after(&next, bound)
            })
        };
        (0..).zip(allowed).map(result).collect()
    }

    /// Returns the results by seat if all players choose best. Equal options count as the first.
    fn results_after(game: &Game, bound: &SeatRestriction) -> Vec<f64> {
        let Status::Decision(decision) = game.status() else {
            assert!(game.state().is_over());
            return results(game.state());
        };
        let of_options = results_by_option(game, bound);
        match decision.who {
            Actor::Player(seat) => best_for(of_options.into_iter().flatten(), seat),
            Actor::Chance => {
                let weights = decision.weights(game.state());
                let total: u32 = weights.iter().sum();
                let mut means = vec![0.0; game.state().seats().count()];
                for (results, weight) in of_options.into_iter().flatten().zip(weights) {
                    means
                        .iter_mut()
                        .zip(results)
                        .for_each(|(mean, it)| *mean += it * f64::from(weight) / f64::from(total));
                }
                means
            }
        }
    }

    fn best_for(results: impl Iterator<Item = Vec<f64>>, seat: Seat) -> Vec<f64> {
        results.reduce(|best, it| if it[seat.idx()] > best[seat.idx()] + EQUAL { it } else { best }).unwrap()
    }

    fn solve(game: &Game, bound: &SeatRestriction, n_positions: u32) -> (Option<Vec<OptionAssessment>>, u32) {
        let mut endgame = Endgame::new(LEAD_SCALE, bound, n_positions, &|| false);
        let found = endgame.solve(game.rules(), game.state(), bound.seat);
        (found, n_positions - endgame.n_left)
    }

    /// Checks the solution of a position, in which a player chooses, against all games that can
    /// follow. Returns the number of options with known results.
    fn check(game: &Game, restriction: &Restriction) -> usize {
        let Actor::Player(seat) = game.state().decision().unwrap().who else { panic!("a player must choose") };
        let bound = SeatRestriction { seat, restriction: restriction.clone() };
        let expected = results_by_option(game, &bound);
        let best = best_for(expected.iter().flatten().cloned(), seat)[seat.idx()];
        let (found, _) = solve(game, &bound, u32::MAX);
        let found = found.unwrap();
        let result = |it: &OptionAssessment| expected[it.option].as_ref().unwrap()[seat.idx()];
        assert!((result(&found[0]) - best).abs() < 1e-6, "{best} {found:?} {expected:?}");
        for it in &found {
            assert!((result(it) - it.chance.unwrap()).abs() < 1e-6, "{it:?} {expected:?}");
        }
        found.len()
    }

    /// Plays at random until only `n_left` tiles are left, and then until a player chooses among
    /// several options.
    fn near_the_end(mut game: Game, n_left: usize, seed: u64) -> Game {
        let mut rng = Rng::new(seed);
        loop {
            let Status::Decision(decision) = game.status() else { panic!("the game has ended") };
            let n = decision.n_options(game.state());
            let is_choice = decision.who != Actor::Chance && n > 1;
            if is_choice && game.state().deck(DeckIdx(0)).len() <= n_left {
                return game;
            }
            let n = rng.below(n);
            game.answer_nth(n);
        }
    }

    /// Begins a game with about five tiles, which depend on `seed`.
    fn short_game(mods: &[&str], n_players: usize, seed: usize) -> Game {
        let (loaded, problems) = Library::builtin().load(mods);
        let loaded = loaded.unwrap_or_else(|| panic!("{problems}"));
        let mut settings = Rules::default_settings(loaded.catalogue());
        let items = &loaded.catalogue().decks[0].items;
        let every = items.len() / 5;
        let count = |(i, (item, _)): (usize, &(u16, u16))| {
            let n = u16::from((i + seed).is_multiple_of(every));
            SettingValue::Count(rules::CountSubject::Item(DeckIdx(0), *item), n)
        };
        settings.extend(items.iter().enumerate().map(count));
        record::start_game(Rc::new(loaded.rules(settings).unwrap()), Setup::of(mods, n_players)).unwrap()
    }

    #[test]
    fn the_solution_is_the_best_of_all_games() {
        for seed in 0..2 {
            for mods in [&["base"][..], &["hunters-gatherers"], &["base", "messages"]] {
                check(&near_the_end(short_game(mods, 2, seed), 1, seed as u64), &Restriction::NONE);
            }
            check(&near_the_end(short_game(&["base"], 3, seed), 0, seed as u64), &Restriction::NONE);
            let forbidden = Restriction::parse(["deploy:field", "place:90"]).unwrap();
            check(&near_the_end(short_game(&["base"], 2, seed), 1, seed as u64), &forbidden);
        }
    }

    /// A die after each tile gives points to the player or to the others, and the player with the
    /// fewest points wins.
    #[test]
    fn dice_and_winners_by_another_rule_are_solved() {
        let kit = || {
            let kit = Kit::small().deck(&[("straight", 2), ("curve", 1), ("cap", 1)]);
            kit.hook(Hook::TilePlaced, |_, call| {
                let n = call.roll(&[1, 1, 4], "How many?")?;
                let player = call.state().player();
                call.propose_points(player, n.into(), "die", false, None)?;
                Ok(Value::Unit)
            })
        };
        let fewest = |kit: Kit| {
            kit.hook(Hook::GameWinners, |_, call| {
                let state = call.state();
                let least = state.seats().map(|seat| state.score(seat)).min();
                Ok(Value::list(state.seats().filter(|seat| Some(state.score(*seat)) == least).map(Value::Player)))
            })
        };
        let mut n_known = 0;
        for seed in 0..3 {
            n_known += check(&near_the_end(kit().game(2), 1, seed), &Restriction::NONE);
            n_known += check(&near_the_end(fewest(kit()).game(2), 1, seed), &Restriction::NONE);
            n_known += check(&near_the_end(kit().game(3), 1, seed), &Restriction::NONE);
            n_known += check(&near_the_end(kit().game(1), 1, seed), &Restriction::NONE);
        }
        assert!(n_known > 30, "{n_known}");
    }

    #[test]
    fn what_is_hidden_is_not_solved() {
        let kit = || Kit::small().deck(&[("straight", 2), ("curve", 1)]);
        let (solved, _) = solve(&near_the_end(kit().game(2), 1, 1), &of_seat(0), 100_000);
        assert!(solved.is_some());
        let hidden_tile = kit().hook(Hook::ArrangeDeck, |_, call| {
            let state = call.state_mut()?;
            state.take_out(DeckIdx(0), 1, 1);
            state.put_under(DeckIdx(0), &[1], Seat(0).into())?;
            Ok(Value::Unit)
        });
        let secret_answers = kit().hook(Hook::TilePlaced, |_, call| {
            let words = || OptionValues::List(vec![Value::text("a"), Value::text("b")].into());
            call.ask_each(vec![(Seat(0), words()), (Seat(1), words())], &QuestionForm::default())?;
            Ok(Value::Unit)
        });
        for kit in [hidden_tile, secret_answers] {
            let game = near_the_end(kit.game(2), 1, 1);
            let Actor::Player(seat) = game.state().decision().unwrap().who else { panic!("a player must choose") };
            let (solved, n) = solve(&game, &of_seat(seat.0), 100_000);
            assert!(solved.is_none() && n < 100, "{n} positions");
        }
    }

    #[test]
    fn a_long_game_costs_few_positions() {
        let (loaded, _) = Library::builtin().load(&["base"]);
        let loaded = loaded.unwrap();
        let rules = Rc::new(loaded.rules(Rules::default_settings(loaded.catalogue())).unwrap());
        let game = near_the_end(record::start_game(rules, Setup::of(&["base"], 2)).unwrap(), 20, 1);
        let Actor::Player(seat) = game.state().decision().unwrap().who else { panic!("a player must choose") };
        let (solved, n) = solve(&game, &of_seat(seat.0), 100_000);
        assert!(solved.is_none() && n < 50, "{n} positions");
    }

    #[test]
    fn the_solver_gives_up_at_the_limit_and_when_it_is_told_to() {
        let game = near_the_end(short_game(&["base"], 2, 0), 1, 0);
        let Actor::Player(seat) = game.state().decision().unwrap().who else { panic!("a player must choose") };
        let bound = of_seat(seat.0);
        let (solved, n) = solve(&game, &bound, u32::MAX);
        assert!(solved.is_some());
        let (again, _) = solve(&game, &bound, 10 * n);
        assert_eq!(again, solved);
        let (none, n_visited) = solve(&game, &bound, n - 1);
        assert!(none.is_none() && n_visited < n, "{n_visited} of {n}");
        let n_asked = std::cell::Cell::new(0);
        let stops = || n_asked.replace(n_asked.get() + 1) > 100;
        let mut endgame = Endgame::new(LEAD_SCALE, &bound, u32::MAX, &stops);
        assert!(endgame.solve(game.rules(), game.state(), seat).is_none() && n > 200);
        assert_eq!(u32::MAX - endgame.n_left, 102);
    }

    /// If a mod fails in some of the games, `search` reports the fault and runs simulations.
    #[test]
    fn faults_end_the_solution_and_not_the_search() {
        let choose = |kit: Kit, seed: u64| {
            let game = near_the_end(kit.deck(&[("straight", 2), ("curve", 1), ("cap", 1)]).game(2), 1, 3);
            let limits = SearchLimits::from_simulations(40);
            let mut bot = Search::new(seed, limits, Restriction::NONE);
            let (state, decision) = (game.state(), game.state().decision().unwrap());
            let chosen = bot.choose(&View { rules: game.rules(), state, decision });
            assert!(chosen < decision.n_options(state));
            (bot.move_statistics().to_vec(), bot.take_fault().is_some())
        };
        let (solved, has_fault) = choose(Kit::small(), 1);
        assert!(solved.iter().all(|it| it.n_simulations == 0 && it.chance.is_some()) && !has_fault, "{solved:?}");
        assert_eq!(choose(Kit::small(), 2).0, solved, "no random numbers");
        let fails = |_: &[Value], call: &mut rules::Call<'_>| {
            if call.state().turn().is_some_and(|turn| turn.number > 3) { Err("broken".into()) } else { Ok(Value::Unit) }
        };
        let (simulated, has_fault) = choose(Kit::small().hook(Hook::TilePlaced, fails), 1);
        assert!(simulated.iter().all(|it| it.n_simulations > 0) && has_fault, "{simulated:?}");
    }

    fn of_seat(seat: u8) -> SeatRestriction {
        SeatRestriction { seat: Seat(seat), restriction: Restriction::NONE }
    }
}
