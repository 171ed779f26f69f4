//! What bots have considered for their answers.

use players::Thought;
use rules::{Decision, Ruleset, State, option_text};
use serde::{Deserialize, Serialize};

/// The most options of a decision that are remembered.
const MOST_OPTIONS: usize = 12;

/// What a bot has considered for an answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Considered {
    /// The answer it was for, from 0.
    pub(crate) step: usize,
    /// Its stable text.
    pub(crate) answer: String,
    /// The options that mattered, the one that was taken first.
    pub options: Vec<ConsideredOption>,
    /// How many there were in all.
    pub n_options: usize,
}

/// What a bot thinks of an option.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ConsideredOption {
    /// Its stable text.
    pub text: String,
    /// How many lines of play were tried after it; none by a bot that only looks at what would be paid at once.
    pub n_lines: u32,
    /// How many points the bot would be ahead of the others, on an average of these lines or at once.
    pub lead: f64,
    /// How well these lines have come out, from 0 for lost to 1 for won.
    pub chance: Option<f64>,
}

impl Considered {
    /// Puts what a bot thinks of options of `decision` into words; nothing where it thinks of none.
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
