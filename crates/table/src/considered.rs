//! The reasoning of bots behind their answers.

use players::Thought;
use rules::{Decision, Ruleset, State, option_text};
use serde::{Deserialize, Serialize};

/// The most options of a decision that are stored.
const MOST_OPTIONS: usize = 12;

/// A bot's reasoning behind an answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Considered {
    /// The index of the answer, from 0.
    pub(crate) step: usize,
    /// Its stable text.
    pub(crate) answer: String,
    /// The most important options, the chosen one first.
    pub options: Vec<ConsideredOption>,
    /// The number of all options.
    pub n_options: usize,
}

/// A bot's judgement of an option.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ConsideredOption {
    /// Its stable text.
    pub text: String,
    /// The number of simulations after it; 0 for a bot that only evaluates the position.
    pub n_lines: u32,
    /// The expected lead of the bot in points: the mean over the simulations, or at once.
    pub lead: f64,
    /// The mean result of the simulations, from 0 for a loss to 1 for a win.
    pub chance: Option<f64>,
}

impl Considered {
    /// Converts a bot's thoughts about the options of `decision` to text; `None` if it has none.
    pub(crate) fn of(
        thoughts: &[Thought],
        ruleset: &Ruleset,
        state: &State,
        decision: &Decision,
    ) -> Option<Considered> {
        let option = |thought: &Thought| {
            let answer = decision.nth(ruleset, state, thought.option)?;
            let text = option_text(ruleset, state, decision, answer);
            let Thought { n_lines, lead, chance, .. } = *thought;
            Some(ConsideredOption { text, n_lines, lead, chance })
        };
        let options: Vec<ConsideredOption> = thoughts.iter().take(MOST_OPTIONS).filter_map(option).collect();
        let answer = options.first()?.text.clone();
        Some(Considered { step: 0, answer, options, n_options: decision.n_options(state) })
    }
}
