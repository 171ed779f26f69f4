//! Puzzles: positions in which one move is clearly best. A move is a placement and a deployment.
//!
//! Playouts determine the value of a move. In each playout, greedy players continue the game for
//! some turns. The result is the lead that the player would have if the game ended then. The
//! playouts of all moves use the same draws, so a few playouts distinguish good moves from bad
//! moves. The random numbers have a fixed seed, so a puzzle has the same solution on every machine.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::rc::Rc;

use players::{Greedy, Player as _, Restriction, Rng, View, draw_option, rank_options};
use record::saved_setup;
use rules::{
    Actor, Answer, Catalogue, Game, Question, Rules, Seat, Setup, State, Status, Trial, option_text, option_with_text,
    redacted_for, redeal_hidden,
};
use serde::{Deserialize, Serialize};

/// The maximum number of answers in a move.
const MAX_ANSWERS_PER_MOVE: usize = 4;

/// The maximum number of options to examine in the first decision of a move. The search examines
/// the options that the greedy player ranks highest.
const MAX_FIRST_OPTIONS: usize = 16;
/// The maximum number of options to examine in each further decision of a move.
const MAX_FURTHER_OPTIONS: usize = 6;

/// The maximum number of moves to judge with playouts, not counting a move that the caller gives.
const MAX_JUDGED_MOVES: usize = 24;

/// The number of playouts for each move at first. Only the best moves get more playouts.
const FEW_PLAYOUTS: u64 = 6;
/// The total number of playouts for each of the best moves.
const N_PLAYOUTS: u64 = 30;

/// The number of best moves that get [`N_PLAYOUTS`] playouts. Several moves with equal results
/// count as one move.
const N_BEST: usize = 6;

/// The number of turns that each player takes in a playout.
const PLAYOUT_ROUNDS: u32 = 2;

/// The minimum lead of a puzzle's best move over the next best move, in points.
const MIN_MARGIN: f64 = 1.0;

/// The maximum number of positions of a game to judge with playouts.
const MAX_JUDGED_POSITIONS: usize = 12;

/// The minimum number of options in the first decision of a puzzle.
const MIN_OPTIONS: usize = 4;

/// A move and its value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JudgedMove {
    /// The answers of the move, as in records.
    pub answers: Vec<String>,
    /// The player's mean lead in points at the end of the playouts.
    pub points: f64,
    /// The mean, over the playouts, of the best move's lead minus the lead of this move, in points.
    pub behind: f64,
    /// The standard error of `behind`, in points.
    pub error: f64,
}

/// The values of the moves in a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Solution {
    /// The seat of the player to move, counted from 0.
    pub seat: u8,
    /// The judged moves, the best first.
    pub judged: Vec<JudgedMove>,
}

impl Solution {
    /// Returns the best move; `None` if no move was judged.
    pub fn best(&self) -> Option<&JudgedMove> {
        self.judged.first()
    }

    /// Returns the best of the moves that are worse than the best move; `None` if no move is worse.
    pub fn next_best(&self) -> Option<&JudgedMove> {
        self.judged.iter().find(|judged| judged.behind > 0.0)
    }

    /// Returns the lead of the best move over [`next_best`](Solution::next_best), in points; 0 if
    /// there is no next best move.
    pub fn margin(&self) -> f64 {
        self.next_best().map_or(0.0, |next| next.behind)
    }

    /// Returns whether the best move is clearly better than the next best move, so that the
    /// position is a puzzle.
    pub fn is_puzzle(&self) -> bool {
        self.next_best().is_some_and(|next| next.behind >= MIN_MARGIN && next.behind >= 2.0 * next.error)
    }

    /// Returns the value of the move with these answers; `None` if the move was not judged.
    pub fn find_move(&self, answers: &[String]) -> Option<&JudgedMove> {
        self.judged.iter().find(|judged| judged.answers == answers)
    }
}

/// A position of a game that is suitable as a puzzle.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PuzzleCandidate {
    /// The number of answers before the position.
    pub at: usize,
    /// The number of the turn, counted from 1.
    pub turn: u32,
    /// The values of the moves.
    pub solution: Solution,
}

/// A reason why a position is not a puzzle. The text is a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the texts say what is wrong")]
pub enum NoPuzzle {
    #[error("there is nothing to choose in this position")]
    NoDecision,
    #[error("the next decision in this position belongs to chance, not to a player")]
    ForChance,
    #[error("there is only one move in this position")]
    OneMove,
    #[error("no move is possible here in every simulated game; choose another position")]
    NoMove,
    #[error("`{0}` is not possible in this position")]
    NotPossible(String),
}

/// Judges the moves of the player to move in the current position of `game`. The move `given` gets
/// all playouts, even if it is not among the best moves. Returns `None` as soon as `goes_on`
/// returns false.
///
/// # Errors
/// Returns an error if no player is to move, or if there is only one option. Also returns an error
/// if `given` is not legal, or if no move can be tried.
pub fn solve(game: &Game, given: Option<&[String]>, goes_on: impl Fn() -> bool) -> Result<Option<Solution>, NoPuzzle> {
    let Status::Decision(decision) = game.status() else { return Err(NoPuzzle::NoDecision) };
    let Actor::Player(seat) = decision.who else { return Err(NoPuzzle::ForChance) };
    if decision.n_options(game.state()) < 2 {
        return Err(NoPuzzle::OneMove);
    }
    let position = PuzzlePosition { rules: game.rules(), state: game.state(), seat };
    let mut open = position.candidates();
    if let Some(given) = given {
        let path = position.path_of(given)?;
        open.retain(|answer| answer.path != path);
        open.push(CandidateMove { path, is_given: true, results: Vec::new() });
    }
    for playout in 0..N_PLAYOUTS {
        if playout == FEW_PLAYOUTS {
            keep_best(&mut open);
        }
        if !goes_on() {
            return Ok(None);
        }
        for answer in &mut open {
            answer.results.push(position.run_playout(&answer.path, playout));
        }
    }
    let can_be_given = |answer: &CandidateMove| answer.results.iter().all(Option::is_some);
    open.retain(can_be_given);
    open.sort_by(|a, b| b.sum_of_leads().total_cmp(&a.sum_of_leads()).then_with(|| a.path.cmp(&b.path)));
    let best = open.first().cloned().ok_or(NoPuzzle::NoMove)?;
    let judged = open.iter().filter_map(|answer| {
        let n = N_PLAYOUTS as f64;
        let behind: Vec<f64> = best.leads().zip(answer.leads()).map(|(best, own)| best - own).collect();
        let mean = behind.iter().sum::<f64>() / n;
        let scatter: f64 = behind.iter().map(|it| (it - mean) * (it - mean)).sum();
        let error = (scatter / (n * (n - 1.0))).sqrt();
        Some(JudgedMove {
            answers: position.texts(&answer.path)?,
            points: answer.sum_of_leads() / n,
            behind: mean,
            error,
        })
    });
    Ok(Some(Solution { seat: seat.0, judged: judged.collect() }))
}

/// Searches the most promising positions of a game for puzzles. Returns the puzzles, sorted by
/// falling margin. Calls `each` with the progress in percent. Returns `None` as soon as `each`
/// returns false.
pub fn find(game: &Game, mut each: impl FnMut(u8) -> bool) -> Option<Vec<PuzzleCandidate>> {
    let mut promising = Vec::new();
    let mut now = Game::from_position(game.rules().clone(), game.setup().clone(), game.start().clone());
    let mut asked_before = None;
    for (at, answer) in game.log().iter().enumerate() {
        let asked = now.state().decision().map(|decision| decision.who);
        if let (Some(Actor::Player(seat)), true) = (asked, asked != asked_before) {
            promising.extend(placement_margin(&now, seat).map(|margin| (Reverse(margin), at)));
        }
        asked_before = asked;
        if !each((at * 30 / game.log().len()) as u8) {
            return None;
        }
        if now.answer(*answer).is_err() {
            break;
        }
    }
    promising.sort();
    promising.truncate(MAX_JUDGED_POSITIONS);
    let mut found = Vec::new();
    for (n, (_, at)) in promising.iter().enumerate() {
        if !each((30 + n * 70 / promising.len()) as u8) {
            return None;
        }
        let now = game.after(*at);
        let turn = now.state().turn().map_or(0, |turn| turn.number);
        let solution = solve(&now, None, || true).ok().flatten();
        found.extend(solution.filter(Solution::is_puzzle).map(|solution| PuzzleCandidate { at: *at, turn, solution }));
    }
    found.sort_by(|a, b| b.solution.margin().total_cmp(&a.solution.margin()).then(a.at.cmp(&b.at)));
    Some(found)
}

/// Compares the immediate values of placements. Returns the lead of the best placement over the
/// next best placement, in tenths of a point. Ignores placements that are equivalent to the best
/// placement because the tile is symmetric. Returns `None` if the position is unlikely to be a
/// puzzle.
fn placement_margin(game: &Game, seat: Seat) -> Option<i64> {
    let position = PuzzlePosition { rules: game.rules(), state: game.state(), seat };
    let state = position.visible_state();
    let decision = state.decision()?;
    if decision.n_options(&state) < MIN_OPTIONS || !matches!(decision.question, Question::Place(_)) {
        return None;
    }
    let spot = |option: usize| match decision.nth(&game.rules().ruleset, &state, option) {
        Some(Answer::Place(place)) => Some(place.spot),
        _ => None,
    };
    let thoughts = rank_options(&View { rules: game.rules(), state: &state, decision });
    let best = thoughts.first()?;
    // A symmetric tile has equivalent placements on the same spot.
    let is_twin =
        |other: &players::OptionAssessment| other.lead == best.lead && spot(other.option) == spot(best.option);
    let next = thoughts.iter().skip(1).find(|other| !is_twin(other))?;
    let margin = best.lead - next.lead;
    (margin >= MIN_MARGIN).then_some((margin * 10.0) as i64)
}

/// Returns the setup of a puzzle for `seat`: a person plays this seat, and bots play the other
/// seats. The setup contains the hashes of the mods, so that the program can report mods with
/// different files.
pub fn setup_for(catalogue: &Catalogue, setup: &Setup, seat: Seat) -> Setup {
    let mut setup = saved_setup(catalogue, setup);
    let bot_of = |player: &String| setup.bots.iter().find(|(name, _)| name == player).map(|(_, bot)| bot.clone());
    let others = setup.players.iter().enumerate().filter(|(i, _)| *i != seat.idx());
    let bots = others.map(|(_, player)| (player.clone(), bot_of(player).unwrap_or_else(|| "greedy".to_owned())));
    setup.bots = bots.collect();
    setup
}

/// A move that the solver judges with playouts.
#[derive(Clone)]
struct CandidateMove {
    /// The index of the chosen option in each decision of the move, in order.
    path: Vec<usize>,
    is_given: bool,
    /// The player's lead at the end of each playout, in points; `None` if the move was not legal in
    /// that playout.
    results: Vec<Option<f64>>,
}

impl CandidateMove {
    fn leads(&self) -> impl Iterator<Item = f64> {
        self.results.iter().map(|lead| lead.unwrap_or(0.0))
    }

    fn sum_of_leads(&self) -> f64 {
        self.leads().sum()
    }
}

/// Keeps the [`N_BEST`] best moves, all moves with the same results as one of these, and the move
/// that the caller gave. Removes all other moves, including every other move that was not legal in
/// a playout.
fn keep_best(open: &mut Vec<CandidateMove>) {
    open.retain(|answer| answer.results.iter().all(Option::is_some) || answer.is_given);
    open.sort_by(|a, b| b.sum_of_leads().total_cmp(&a.sum_of_leads()).then_with(|| a.path.cmp(&b.path)));
    let mut n_different = 0;
    let mut last: Option<Vec<Option<f64>>> = None;
    open.retain(|answer| {
        if last.as_ref() != Some(&answer.results) {
            n_different += 1;
            last = Some(answer.results.clone());
        }
        n_different <= N_BEST || answer.is_given
    });
}

/// A position with a player to move.
struct PuzzlePosition<'g> {
    rules: &'g Rc<Rules>,
    state: &'g State,
    seat: Seat,
}

impl PuzzlePosition<'_> {
    /// Returns the state as the player knows it.
    fn visible_state(&self) -> Cow<'_, State> {
        redacted_for(self.rules, self.state, self.seat.into())
    }

    /// Returns the moves with the best immediate values. Their playouts have not run yet.
    fn candidates(&self) -> Vec<CandidateMove> {
        let mut found: Vec<(i64, Vec<usize>)> = Vec::new();
        self.expand(&self.visible_state(), &mut Vec::new(), &mut found);
        found.sort_by(|(a, a_path), (b, b_path)| b.cmp(a).then_with(|| a_path.cmp(b_path)));
        let candidate = |(_, path)| CandidateMove { path, is_given: false, results: Vec::new() };
        found.into_iter().take(MAX_JUDGED_MOVES).map(candidate).collect()
    }

    /// Adds the moves that begin with `path` to `found`. Each item is the immediate value in tenths
    /// of a point, and the complete path. `state` is the state after `path`.
    fn expand(&self, state: &State, path: &mut Vec<usize>, found: &mut Vec<(i64, Vec<usize>)>) {
        let Some(decision) = state.decision() else { return };
        let most = if path.is_empty() { MAX_FIRST_OPTIONS } else { MAX_FURTHER_OPTIONS };
        for thought in rank_options(&View { rules: self.rules, state, decision }).into_iter().take(most) {
            let mut trial = Trial::new(self.rules, state);
            trial.answer(thought.option);
            if trial.has_failed() {
                continue;
            }
            path.push(thought.option);
            let asks_again = trial.decision().is_some_and(|next| next.who == Actor::Player(self.seat));
            if asks_again && path.len() < MAX_ANSWERS_PER_MOVE {
                self.expand(trial.state(), path, found);
            } else {
                found.push(((thought.lead * 10.0) as i64, path.clone()));
            }
            path.pop();
        }
    }

    /// Returns the path of a move: the index of the option that each of its answers chooses.
    fn path_of(&self, answers: &[String]) -> Result<Vec<usize>, NoPuzzle> {
        let mut trial = Trial::new(self.rules, &self.visible_state());
        let mut path = Vec::new();
        for text in answers {
            let refused = || NoPuzzle::NotPossible(text.clone());
            let state = trial.state();
            let decision = trial.decision().ok_or_else(refused)?;
            let ruleset = &self.rules.ruleset;
            let answer = option_with_text(ruleset, state, text).ok_or_else(refused)?;
            let option = decision.options(ruleset, state).iter().position(|it| *it == answer).ok_or_else(refused)?;
            trial.answer(option);
            path.push(option);
        }
        Ok(path)
    }

    /// Returns the answers of a path, as in records; `None` if the path is not legal.
    fn texts(&self, path: &[usize]) -> Option<Vec<String>> {
        let mut trial = Trial::new(self.rules, &self.visible_state());
        let mut texts = Vec::new();
        for option in path {
            let (decision, ruleset) = (trial.decision()?, &self.rules.ruleset);
            let answer = decision.nth(ruleset, trial.state(), *option)?;
            texts.push(option_text(ruleset, trial.state(), decision, answer));
            trial.answer(*option);
        }
        Some(texts)
    }

    /// Runs playout number `playout` after the move `path`. Returns the player's lead at the end of
    /// the playout, in points; `None` if the move is not legal.
    fn run_playout(&self, path: &[usize], playout: u64) -> Option<f64> {
        let mut hidden = Rng::new(playout);
        let state = redeal_hidden(self.rules, self.state, self.seat.into(), |n| hidden.below(n));
        let mut trial = Trial::new(self.rules, state.as_ref().unwrap_or(self.state));
        for option in path {
            let decision = trial.decision()?;
            if *option >= decision.n_options(trial.state()) {
                return None;
            }
            trial.answer(*option);
        }
        let turn = |trial: &Trial| trial.state().turn().map_or(0, |turn| turn.number);
        let n_seats = trial.scores().len() as u32;
        let until = turn(&trial) + PLAYOUT_ROUNDS * n_seats;
        let mut players: Vec<Greedy> =
            (0..n_seats).map(|seat| Greedy::new(Rng::seat_seed(playout, seat as usize), Restriction::NONE)).collect();
        while let Some(decision) = trial.decision() {
            let option = match decision.who {
                Actor::Chance if turn(&trial) >= until => break,
                // The random numbers depend only on the number of the playout and the turn. So the
                // draws of a turn do not depend on earlier draws.
                Actor::Chance => {
                    draw_option(&trial, &mut Rng::new(Rng::derived_seed(playout, u64::from(turn(&trial)))))
                }
                Actor::Player(seat) => {
                    let view = View { rules: self.rules, state: trial.state(), decision };
                    players.get_mut(seat.idx())?.choose(&view)
                }
            };
            trial.answer(option);
        }
        let scores = trial.scores();
        let own = *scores.get(self.seat.idx())?;
        let others = scores.iter().sum::<i64>() - own;
        Some(own as f64 - others as f64 / (scores.len().max(2) - 1) as f64)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use loader::Library;
    use rules::{Dealer, RulesFactory as _};

    use super::*;

    /// Plays `n_turns` turns of the base game between greedy players, and returns the game.
    fn played(n_turns: u32) -> Game {
        let loaded = Library::builtin().load(&["base"]).0.unwrap();
        let rules = Rc::new(loaded.rules(Rules::default_settings(loaded.catalogue())).unwrap());
        let setup = Setup { seed: Some(5), ..Setup::of(&["base"], 2) };
        let mut game = record::start_game(rules, setup).unwrap();
        let mut dealer = Dealer::new(5);
        let mut players = [1, 2].map(|seed| Greedy::new(seed, Restriction::NONE));
        loop {
            game.deal(&mut dealer);
            let state = game.state();
            let Some(decision) = state.decision() else { return game };
            if state.turn().unwrap().number > n_turns {
                return game;
            }
            let Actor::Player(seat) = decision.who else { panic!("chance has drawn") };
            let option = players[seat.idx()].choose(&View { rules: game.rules(), state, decision });
            game.answer_nth(option);
        }
    }

    #[test]
    fn a_game_has_moments_at_which_one_answer_is_best() {
        let game = played(24);
        let mut done = 0;
        let found = find(&game, |percent| {
            done = percent;
            true
        });
        let found = found.unwrap();
        assert!(done > 50);
        let first = found.first().expect("a puzzle");
        assert!(first.solution.margin() >= MIN_MARGIN && first.solution.is_puzzle());
        assert!(found.is_sorted_by(|a, b| a.solution.margin() >= b.solution.margin()));
        let best = first.solution.best().unwrap();
        assert!(best.answers[0].starts_with("place "), "{:?}", best.answers);
        // The same position has the same solution. `solve` also judges a given move that is not
        // among the best.
        let mut now = Game::from_position(game.rules().clone(), game.setup().clone(), game.start().clone());
        game.log().iter().take(first.at).for_each(|answer| drop(now.answer(*answer)));
        let again = solve(&now, None, || true).unwrap().unwrap();
        assert_eq!(again, first.solution);
        let decision = now.state().decision().unwrap();
        let last = decision.n_options(now.state()) - 1;
        let answer = decision.nth(&now.rules().ruleset, now.state(), last).unwrap();
        let place = option_text(&now.rules().ruleset, now.state(), decision, answer);
        let given = [place, "pass".to_owned()];
        let judged = solve(&now, Some(&given), || true).unwrap().unwrap();
        assert_eq!(judged.best(), first.solution.best());
        assert!(judged.find_move(&given).unwrap().behind > 0.0);
    }

    #[test]
    fn what_cannot_be_a_puzzle_says_why() {
        let game = played(3);
        let solved = |game: &Game, given: &[&str]| {
            let given: Vec<String> = given.iter().map(|text| (*text).to_owned()).collect();
            solve(game, Some(&given), || true)
        };
        assert_eq!(
            solved(&game, &["place 99,99 0"]).unwrap_err().to_string(),
            "`place 99,99 0` is not possible in this position"
        );
        assert_eq!(solve(&game, None, || false), Ok(None));
        let mut drawing = game.clone();
        drawing.answer_nth(0);
        while matches!(drawing.status(), Status::Decision(decision) if decision.who != Actor::Chance) {
            drawing.answer_nth(0);
        }
        assert_eq!(solved(&drawing, &[]).unwrap_err(), NoPuzzle::ForChance);
    }

    #[test]
    fn a_person_sits_where_the_puzzle_is_and_bots_elsewhere() {
        let mut setup = Setup::of(&["base"], 3);
        setup.bots =
            vec![(setup.players[0].clone(), "random".to_owned()), (setup.players[1].clone(), "search".to_owned())];
        let game = played(1);
        let of_puzzle = setup_for(game.rules().catalogue(), &setup, Seat(1));
        assert!(of_puzzle.mods[0].hash.is_some());
        let names: Vec<(&str, &str)> = of_puzzle.bots.iter().map(|(name, bot)| (name.as_str(), bot.as_str())).collect();
        assert_eq!(names, [(setup.players[0].as_str(), "random"), (setup.players[2].as_str(), "greedy")]);
    }
}
