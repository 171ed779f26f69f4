//! Training of the learned value that `search` uses: plays games, records their positions, and fits
//! the value to the final scores.

use std::rc::Rc;

use diagnostic::never;
use players::{
    Activations, FactReader, Facts, LearnedValue, OUTPUT_POINTS, POINT_WORTH, Player, Rng, View, leads,
    projected_worths,
};
use rules::{Actor, Dealer, Game, Question, Rules, RulesFactory, Status, Trial, redacted_for};

use crate::game::MAX_ANSWERS;
use crate::plan::{Plan, PlanError};
use crate::run::{Queue, check, run_on_threads};

/// The percentage of choices that are random, so that the value learns about more positions.
const RANDOM_CHOICES: usize = 10;
/// On average, one position in this number of positions is recorded.
const RECORDED_POSITIONS: usize = 4;
/// The number of positions in a step of the training.
const BATCH: usize = 128;
/// The largest error of a lead that counts, as a multiple of [`LearnedValue::lead`] before the
/// training. Larger errors count as this one, so that few extreme games do not decide the weights.
const MAX_ERROR: f32 = 4.0 / 3.0;
/// The size of the first steps of the training; it falls to almost 0.
const FIRST_RATE: f32 = 0.002;
/// The share by which each weight moves back to its first value in each step, as a multiple of the
/// rate. The final scores of one mod are noisy, so further training must not forget what the
/// value has learned from other games.
const PULL_BACK: f32 = 10.0;
/// The same for a value with random weights, which move to 0.
const DECAY: f32 = 1e-4;
/// One game in this number of games is only for the report on the training.
const TEST_GAMES: u64 = 10;

/// A position of a played game.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordedPosition {
    /// The number of the game.
    pub game: u64,
    /// The facts about the position.
    pub facts: Facts,
    /// The points of each player beyond the projected score, by seat.
    pub gains: Vec<f32>,
}

impl RecordedPosition {
    fn is_for_test(&self) -> bool {
        self.game.is_multiple_of(TEST_GAMES)
    }

    /// Returns, for each seat, the error of the corrections in points: the predicted gain minus the
    /// real gain, each compared with the average of all players.
    fn errors(&self, corrections: &[f32]) -> Vec<f32> {
        let errors: Vec<f32> = corrections.iter().zip(&self.gains).map(|(predicted, real)| predicted - real).collect();
        let mean = errors.iter().sum::<f32>() / errors.len().max(1) as f32;
        errors.iter().map(|error| error - mean).collect()
    }
}

/// The recorded positions of played games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RecordedGames {
    /// The positions, in the order of the games.
    pub positions: Vec<RecordedPosition>,
    /// The final leads of each game, by seat: the score minus the best score of another player.
    pub leads: Vec<Vec<i64>>,
}

impl RecordedGames {
    /// Returns the lead at which a player probably wins with 75%, if final leads are distributed
    /// normally around 0: 0.674 standard deviations. `None` if all games are ties.
    fn lead_of_three_quarters(&self) -> Option<f32> {
        let leads = || self.leads.iter().flatten();
        let n = leads().count().max(1) as f32;
        let deviation = (leads().map(|it| (*it as f32).powi(2)).sum::<f32>() / n).sqrt();
        Some(0.674 * deviation).filter(|it| *it > 0.0)
    }
}

/// Plays the games of `plan` with some random choices and records some of their positions.
/// `progress` receives the number of games played so far. Leaves out games in which a mod or a bot
/// fails.
///
/// # Errors
/// Returns the same errors as [`run`](crate::run()).
pub fn record_positions(
    factory: &dyn RulesFactory,
    plan: &Plan,
    progress: &mut dyn FnMut(u64),
) -> Result<RecordedGames, PlanError> {
    check(factory, plan)?;
    let queue = Queue::new(plan);
    let work = |say: &dyn Fn((u64, PositionsOfGame))| {
        let rules = factory.rules(plan.settings.clone()).map_err(|failure| PlanError(failure.message))?;
        let rules = Rc::new(rules);
        while let Some((_, numbers)) = queue.take() {
            for number in numbers {
                say((number, positions_of_game(&rules, plan, number)?));
            }
        }
        Ok(())
    };
    let mut games = Vec::new();
    run_on_threads(queue.n_threads, work, |game| {
        games.push(game);
        progress(games.len() as u64);
    })?;
    // The result must not depend on the number of threads.
    games.sort_by_key(|(number, _)| *number);
    let mut recorded = RecordedGames::default();
    for (positions, leads) in games.into_iter().filter_map(|(_, game)| game) {
        recorded.positions.extend(positions);
        recorded.leads.push(leads);
    }
    Ok(recorded)
}

/// The positions of a game and its final leads; `None` if the game could not be finished.
type PositionsOfGame = Option<(Vec<RecordedPosition>, Vec<i64>)>;

/// Plays game `number` and returns the recorded positions with the final leads.
fn positions_of_game(rules: &Rc<Rules>, plan: &Plan, number: u64) -> Result<PositionsOfGame, PlanError> {
    let seed = plan.seed_of(number);
    let (mut rng, mut dealer, mut reader) =
        (Rng::new(Rng::derived_seed(seed, u64::MAX)), Dealer::new(seed), FactReader::default());
    let made = record::start_game(rules.clone(), plan.setup.clone());
    let mut game = made.map_err(|error| PlanError(error.to_string()))?;
    let mut bots: Vec<Box<dyn Player>> =
        (0..).zip(&plan.players).map(|(seat, bot)| bot.make(Rng::seat_seed(seed, seat))).collect();
    let mut positions = Vec::new();
    let mut record = |game: &Game, rng: &mut Rng| {
        if rng.below(RECORDED_POSITIONS) == 0 {
            let mut trial = Trial::new(game.rules(), game.state());
            let projected = projected_worths(&mut trial);
            let gains = projected.iter().map(|worth| -*worth as f32 / POINT_WORTH as f32).collect();
            positions.push(RecordedPosition { game: number, facts: reader.read(&mut trial), gains });
        }
    };
    while game.log().len() < MAX_ANSWERS {
        let decision = match game.status() {
            Status::Decision(decision) => decision,
            Status::Fault(_) => return Ok(None),
            Status::Over => {
                let scores: Vec<i64> = game.state().seats().map(|seat| game.state().score(seat)).collect();
                for position in &mut positions {
                    position.gains.iter_mut().zip(&scores).for_each(|(gain, score)| *gain += *score as f32);
                }
                return Ok(Some((positions, leads(&scores))));
            }
        };
        // Bots judge positions before draws and right after placements.
        if !matches!(decision.question, Question::Place(_)) {
            record(&game, &mut rng);
        }
        let Actor::Player(seat) = decision.who else {
            game.deal(&mut dealer);
            continue;
        };
        let n_options = decision.n_options(game.state());
        let chosen = if rng.below(100) < RANDOM_CHOICES {
            rng.below(n_options)
        } else {
            let state = &*redacted_for(game.rules(), game.state(), seat.into());
            let view = View { rules: game.rules(), state, decision };
            bots.get_mut(seat.idx()).map_or(0, |bot| bot.choose(&view)).min(n_options.saturating_sub(1))
        };
        if n_options == 0 {
            break;
        }
        game.answer_nth(chosen);
    }
    Ok(None)
}

/// The error of a value in the games that are not used for training: the root mean square of the
/// errors of the players' leads over the average, in points.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TrainingReport {
    /// The error of the projected scores alone.
    pub projected: f64,
    /// The error of the projected scores with the corrections.
    pub corrected: f64,
}

/// Returns the errors of `value` in the positions for tests.
fn report(value: &LearnedValue, positions: &[RecordedPosition]) -> TrainingReport {
    let (mut projected, mut corrected, mut n) = (0.0, 0.0, 0.0);
    for position in positions.iter().filter(|it| it.is_for_test()) {
        let squares = |corrections: &[f32]| -> f64 {
            position.errors(corrections).iter().map(|error| f64::from(*error).powi(2)).sum()
        };
        projected += squares(&vec![0.0; position.gains.len()]);
        corrected += squares(&value.corrections(&position.facts));
        n += position.gains.len() as f64;
    }
    TrainingReport { projected: (projected / n).sqrt(), corrected: (corrected / n).sqrt() }
}

/// The state of the training (the method Adam): moving averages of the gradient and of its squares.
struct Training {
    means: Vec<f32>,
    squares: Vec<f32>,
    /// The weight that each average has not yet given to any step. A step divides the averages by
    /// the rest of the weight.
    missing: [f32; 2],
    /// The weights to which all weights move back.
    anchor: Vec<f32>,
    /// The share by which they move back in each step, as a multiple of the rate.
    pull: f32,
}

impl Training {
    fn step(&mut self, value: &mut LearnedValue, gradient: &[f32], rate: f32) {
        let [of_mean, of_square] = &mut self.missing;
        *of_mean *= 0.9;
        *of_square *= 0.999;
        let (of_mean, of_square) = (1.0 - *of_mean, 1.0 - *of_square);
        let weights = value.stake.weights_mut().iter_mut().chain(value.player.weights_mut());
        let averages = self.means.iter_mut().zip(&mut self.squares);
        for (((weight, by_weight), (mean, square)), anchor) in weights.zip(gradient).zip(averages).zip(&self.anchor) {
            *mean = 0.9 * *mean + 0.1 * by_weight;
            *square = 0.999 * *square + 0.001 * by_weight * by_weight;
            *weight -= rate * (*mean / of_mean) / ((*square / of_square).sqrt() + 1e-8)
                + rate * self.pull * (*weight - anchor);
        }
    }
}

/// The initial weights.
#[derive(Clone, Copy, Debug)]
pub enum TrainingStart<'v> {
    /// Random weights.
    Random,
    /// The weights of a value.
    Value(&'v LearnedValue),
}

/// Trains a value on the positions of played games, and reads all positions `n_rounds` times.
/// `progress` receives the report after each round. The same games, the same start and the same
/// seed give the same weights.
pub fn train(
    start: TrainingStart<'_>,
    games: &RecordedGames,
    n_rounds: usize,
    seed: u64,
    progress: &mut dyn FnMut(TrainingReport),
) -> LearnedValue {
    let positions = &games.positions;
    let mut value = match start {
        TrainingStart::Random => LearnedValue::untrained(seed),
        TrainingStart::Value(value) => value.clone(),
    };
    let largest_error = MAX_ERROR * value.lead;
    value.lead = games.lead_of_three_quarters().unwrap_or(value.lead);
    let (mut rng, mut hidden): (Rng, Activations) = (Rng::new(Rng::derived_seed(seed, 1)), [0.0; _]);
    let mut order: Vec<&RecordedPosition> = positions.iter().filter(|it| !it.is_for_test()).collect();
    let n_of_stake = value.stake.weights().len();
    let n_weights = n_of_stake + value.player.weights().len();
    let (anchor, pull) = match start {
        TrainingStart::Random => (vec![0.0; n_weights], DECAY),
        TrainingStart::Value(_) => {
            (value.stake.weights().iter().chain(value.player.weights()).copied().collect(), PULL_BACK)
        }
    };
    let mut training =
        Training { means: vec![0.0; n_weights], squares: vec![0.0; n_weights], missing: [1.0; 2], anchor, pull };
    let n_steps = (n_rounds * order.len().div_ceil(BATCH)).max(1) as f32;
    let mut n_done = 0.0;
    for _ in 0..n_rounds {
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i + 1));
        }
        for batch in order.chunks(BATCH) {
            let mut gradient = vec![0.0; n_weights];
            let (of_stake, of_player) = gradient.split_at_mut(n_of_stake);
            for position in batch {
                let errors = position.errors(&value.corrections(&position.facts));
                let scale = 2.0 / (OUTPUT_POINTS * batch.len() as f32);
                let errors: Vec<f32> =
                    errors.iter().map(|error| error.clamp(-largest_error, largest_error) * scale).collect();
                for (seat, x) in &position.facts.stakes {
                    let Some(error) = errors.get(seat.idx()) else {
                        never!("each player has an error");
                        continue;
                    };
                    value.stake.run(x, &mut hidden);
                    value.stake.add_gradient(x, &hidden, *error, of_stake);
                }
                for (error, x) in errors.iter().zip(&position.facts.players) {
                    value.player.run(x, &mut hidden);
                    value.player.add_gradient(x, &hidden, *error, of_player);
                }
            }
            n_done += 1.0;
            training.step(&mut value, &gradient, FIRST_RATE * (1.0 - n_done / n_steps).max(0.02));
        }
        progress(report(&value, positions));
    }
    value
}
