//! A value of positions that is learned from games.

use std::sync::{Arc, LazyLock};

use rules::{Catalogue, TrainedValue};

use crate::facts::{Facts, N_PLAYER_FACTS, N_STAKE_FACTS};
use crate::random::Rng;

/// The version of the text form, with its keyword.
const FORMAT: &str = "learned-value 2";
/// The number of points that an output of 1 stands for.
pub const OUTPUT_POINTS: f32 = 10.0;
/// The lead of an untrained value that counts as a win probability of 0.75, in points.
const UNTRAINED_LEAD: f32 = 15.0;
/// The numbers of hidden units for a stake and for a player.
const N_HIDDEN: [usize; 2] = [16, 8];
/// The maximum number of hidden units of a network.
const MAX_HIDDEN: usize = 64;

/// A reason why a text is not a learned value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LearnedValueError {
    /// The text has another form or version.
    #[error("a learned value must begin with `{FORMAT}`")]
    Format,
    /// The lead is missing, or is not a positive number.
    #[error("expected `lead` and a number of points above 0")]
    Lead,
    /// The network with this name does not begin with its name and sizes.
    #[error("expected `{0}`, the number of facts, and the number of hidden units")]
    Header(&'static str),
    /// The network with this name is made for other facts than the expected number of facts.
    #[error("the network `{0}` must read {1} facts; train it again")]
    OtherFacts(&'static str, usize),
    /// The network with this name has fewer numbers than expected, or one that is not a number.
    #[error("the network `{0}` must have {1} numbers")]
    Numbers(&'static str, usize),
    /// This word follows the last weight.
    #[error("`{0}` after the last weight")]
    Rest(String),
}

/// The reason why the trained value of a mod is not used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("search-value.txt of `{id}` is not used: {reason}; make it again with `bastide train {id}`, or remove it")]
pub struct TrainedValueError {
    /// The id of the mod.
    pub id: String,
    /// The mistake in the text.
    pub reason: LearnedValueError,
}

/// Estimates the points that each player will gain beyond the projected score: the sum of one
/// network over the player's stakes, and of another network for the player.
#[derive(Clone, PartialEq, Debug)]
pub struct LearnedValue {
    /// The lead in points that counts as a win probability of 0.75, halfway between a draw and a
    /// win.
    pub lead: f32,
    /// The network for the facts about a stake.
    pub stake: Network,
    /// The network for the facts about a player.
    pub player: Network,
}

/// A network with one hidden layer of rectified linear units, and one output.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    n_inputs: usize,
    n_hidden: usize,
    /// The weights of the inputs (for each input, one weight for each hidden unit), the biases of
    /// the hidden units, their weights for the output, and the bias of the output.
    weights: Vec<f32>,
}

/// The activations of the hidden units of a network.
pub type Activations = [f32; MAX_HIDDEN];

impl Network {
    fn n_weights(n_inputs: usize, n_hidden: usize) -> usize {
        n_inputs * n_hidden + 2 * n_hidden + 1
    }

    /// Makes a network with random weights. Its outputs are close to 0.
    fn new(n_inputs: usize, n_hidden: usize, rng: &mut Rng) -> Network {
        let mut random = |size: f32| (rng.below(2_000_001) as f32 / 1e6 - 1.0) * size;
        let mut weights: Vec<f32> = (0..n_inputs * n_hidden).map(|_| random((3.0 / n_inputs as f32).sqrt())).collect();
        weights.extend(vec![0.0; n_hidden]);
        weights.extend((0..n_hidden).map(|_| random(0.1)));
        weights.push(0.0);
        Network { n_inputs, n_hidden, weights }
    }

    /// Returns the weights.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Returns the weights to change them.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    /// Returns the output for the inputs `x`, and writes the activations of the hidden units.
    pub fn run(&self, x: &[f32], activations: &mut Activations) -> f32 {
        let (of_inputs, rest) = self.weights.split_at(self.n_inputs * self.n_hidden);
        let (biases, rest) = rest.split_at(self.n_hidden);
        let (of_hidden, bias) = rest.split_at(self.n_hidden);
        let (hidden, _) = activations.split_at_mut(self.n_hidden);
        hidden.copy_from_slice(biases);
        for (x, row) in x.iter().zip(of_inputs.chunks_exact(self.n_hidden)).filter(|(x, _)| **x != 0.0) {
            hidden.iter_mut().zip(row).for_each(|(unit, w)| *unit += x * w);
        }
        let mut sum = bias.iter().sum::<f32>();
        for (unit, w) in hidden.iter_mut().zip(of_hidden) {
            *unit = unit.max(0.0);
            sum += *unit * w;
        }
        sum
    }

    /// Adds to `gradient` the derivatives of the output by the weights, times `error`.
    /// `activations` comes from [`run`](Network::run) with the same inputs.
    pub fn add_gradient(&self, x: &[f32], activations: &Activations, error: f32, gradient: &mut [f32]) {
        let n = self.n_inputs * self.n_hidden;
        let of_hidden = self.weights.get(n + self.n_hidden..).unwrap_or_default();
        let (by_inputs, rest) = gradient.split_at_mut(n);
        let (by_biases, rest) = rest.split_at_mut(self.n_hidden);
        let (by_hidden, by_bias) = rest.split_at_mut(self.n_hidden);
        by_bias.iter_mut().for_each(|it| *it += error);
        let mut back = [0.0; MAX_HIDDEN];
        for (((back, unit), w), (by_bias, by_weight)) in
            back.iter_mut().zip(activations).zip(of_hidden).zip(by_biases.iter_mut().zip(by_hidden))
        {
            *back = if *unit > 0.0 { error * w } else { 0.0 };
            *by_weight += error * unit;
            *by_bias += *back;
        }
        for (x, row) in x.iter().zip(by_inputs.chunks_exact_mut(self.n_hidden)).filter(|(x, _)| **x != 0.0) {
            row.iter_mut().zip(&back).for_each(|(it, back)| *it += x * back);
        }
    }
}

impl LearnedValue {
    /// Makes an untrained value with random weights. Its corrections are close to 0.
    pub fn untrained(seed: u64) -> LearnedValue {
        let mut rng = Rng::new(seed);
        let [of_stake, of_player] = N_HIDDEN;
        let stake = Network::new(N_STAKE_FACTS, of_stake, &mut rng);
        LearnedValue { lead: UNTRAINED_LEAD, stake, player: Network::new(N_PLAYER_FACTS, of_player, &mut rng) }
    }

    /// Returns the value that `search` uses in games of mods without a trained value.
    pub fn builtin() -> Arc<LearnedValue> {
        static BUILTIN: LazyLock<Arc<LearnedValue>> = LazyLock::new(|| {
            let value = LearnedValue::parse(include_str!("learned_value.txt"));
            Arc::new(value.expect("the weights in the program are valid"))
        });
        BUILTIN.clone()
    }

    /// Returns the value that `search` uses in games of these mods: their trained value, or the
    /// built-in value if they have none.
    ///
    /// # Errors
    /// Returns an error if the trained value of the mods is not valid.
    pub fn for_mods(catalogue: &Catalogue) -> Result<Arc<LearnedValue>, TrainedValueError> {
        let Some(TrainedValue { owner, text }) = &catalogue.search_value else { return Ok(LearnedValue::builtin()) };
        LearnedValue::parse(text).map(Arc::new).map_err(|reason| {
            let id = catalogue.mods.get(owner.idx()).map_or_else(String::new, |info| info.id.clone());
            TrainedValueError { id, reason }
        })
    }

    /// Returns the points that each player is expected to gain beyond the projected score, by seat.
    pub fn corrections(&self, facts: &Facts) -> Vec<f32> {
        let mut hidden = [0.0; MAX_HIDDEN];
        let mut sums: Vec<f32> = facts.players.iter().map(|x| self.player.run(x, &mut hidden)).collect();
        for (seat, x) in &facts.stakes {
            let more = self.stake.run(x, &mut hidden);
            sums.get_mut(seat.idx()).into_iter().for_each(|sum| *sum += more);
        }
        sums.iter_mut().for_each(|it| *it *= OUTPUT_POINTS);
        sums
    }

    /// Returns the weights as text, for [`parse`](LearnedValue::parse).
    pub fn to_text(&self) -> String {
        let mut text = format!("{FORMAT}\nlead {:.2}\n", self.lead);
        for (name, network) in [("stake", &self.stake), ("player", &self.player)] {
            text += &format!("{name} {} {}\n", network.n_inputs, network.n_hidden);
            for line in network.weights.chunks(10) {
                let numbers: Vec<String> = line.iter().map(|it| format!("{it:.5}")).collect();
                text += &(numbers.join(" ") + "\n");
            }
        }
        text
    }

    /// Parses the text of [`to_text`](LearnedValue::to_text).
    ///
    /// # Errors
    /// Returns an error if the text has another form or version, if it is made for other facts, or
    /// if numbers are missing.
    pub fn parse(text: &str) -> Result<LearnedValue, LearnedValueError> {
        let rest = text.strip_prefix(FORMAT).ok_or(LearnedValueError::Format)?;
        let mut words = rest.split_whitespace();
        let lead = words.next().filter(|word| *word == "lead").and_then(|_| words.next()?.parse().ok());
        let lead = lead.filter(|it: &f32| it.is_finite() && *it > 0.0).ok_or(LearnedValueError::Lead)?;
        let stake = parse_network(&mut words, "stake", N_STAKE_FACTS)?;
        let player = parse_network(&mut words, "player", N_PLAYER_FACTS)?;
        match words.next() {
            Some(word) => Err(LearnedValueError::Rest(word.to_owned())),
            None => Ok(LearnedValue { lead, stake, player }),
        }
    }
}

fn parse_network<'t>(
    words: &mut impl Iterator<Item = &'t str>,
    name: &'static str,
    n_facts: usize,
) -> Result<Network, LearnedValueError> {
    let mut header = || words.next().unwrap_or_default();
    let (found, n_inputs, n_hidden) = (header(), header().parse::<usize>(), header().parse::<usize>());
    let Some(n_hidden) = n_hidden.ok().filter(|n| (1..=MAX_HIDDEN).contains(n)).filter(|_| found == name) else {
        return Err(LearnedValueError::Header(name));
    };
    if n_inputs != Ok(n_facts) {
        return Err(LearnedValueError::OtherFacts(name, n_facts));
    }
    let n = Network::n_weights(n_facts, n_hidden);
    let numbers = words.take(n).map(|it| it.parse().ok().filter(|it: &f32| it.is_finite()));
    match numbers.collect::<Option<Vec<f32>>>() {
        Some(weights) if weights.len() == n => Ok(Network { n_inputs: n_facts, n_hidden, weights }),
        _ => Err(LearnedValueError::Numbers(name, n)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_value_gives_the_value_back() {
        let value = LearnedValue::parse(&LearnedValue::untrained(3).to_text()).unwrap();
        assert_eq!(LearnedValue::parse(&value.to_text()), Ok(value));
        assert_eq!(LearnedValue::parse(&LearnedValue::builtin().to_text()).as_ref(), Ok(&*LearnedValue::builtin()));
    }

    #[test]
    fn a_wrong_text_is_explained() {
        let text = LearnedValue::untrained(3).to_text();
        for (wrong, says) in [
            (text.replacen("value 2", "value 9", 1), "must begin with `learned-value 2`"),
            (text.replacen("lead 15", "lead -3", 1), "expected `lead`"),
            (text.replacen("lead", "leads", 1), "expected `lead`"),
            (text.replacen("stake 20", "stake 21", 1), "the network `stake` must read 20 facts"),
            (text.replacen("player", "players", 1), "expected `player`"),
            (text.trim_end().rsplit_once(' ').unwrap().0.to_owned(), "the network `player` must have 105 numbers"),
            (text.replacen("0.00000", "NaN", 1), "the network `stake` must have 353 numbers"),
            (text + "7", "`7` after the last weight"),
        ] {
            let error = LearnedValue::parse(&wrong).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_output() {
        let mut rng = Rng::new(4);
        let mut network = Network::new(3, 5, &mut rng);
        let (x, mut hidden) = ([0.5, -1.0, 2.0], [0.0; MAX_HIDDEN]);
        let before = network.run(&x, &mut hidden);
        let mut gradient = vec![0.0; network.weights.len()];
        network.add_gradient(&x, &hidden, 1.0, &mut gradient);
        for (i, slope) in gradient.into_iter().enumerate() {
            let weight = network.weights[i];
            network.weights[i] = weight + 0.01;
            let measured = (network.run(&x, &mut [0.0; MAX_HIDDEN]) - before) / 0.01;
            assert!((measured - slope).abs() < 0.01, "weight {i}: {measured}, not {slope}");
            network.weights[i] = weight;
        }
    }
}
