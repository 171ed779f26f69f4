//! The reasoning of bots behind their answers.

use players::OptionAssessment;
use rules::{Decision, Ruleset, State, option_text};
use serde::{Deserialize, Serialize};

/// The maximum number of options of a decision for which the reasoning is stored.
const MAX_OPTIONS: usize = 12;

/// A bot's reasoning behind an answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BotReasoning {
    /// The index of the answer in the timeline, counted from 0.
    pub(crate) step: usize,
    /// The stable text of the answer.
    pub(crate) answer: String,
    /// The chosen option, followed by the other options, most promising first: at most 12 options
    /// in total.
    pub options: Vec<ReasonedOption>,
    /// The number of all options of the decision.
    pub n_options: usize,
}

/// A bot's judgement of an option.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReasonedOption {
    /// The stable text of the option, as in records.
    pub text: String,
    /// The number of simulations that began with the option; 0 for a bot without simulations, and
    /// if the bot has solved the end of the game.
    pub n_simulations: u32,
    /// The expected lead of the bot over the other players, in points: the mean over the
    /// simulations, or the lead at the end of a solved game. For a bot that does neither, the lead
    /// right after the option.
    pub lead: f64,
    /// The expected result, from 0 for a loss to 1 for a win: the mean over the simulations, or the
    /// result of a solved game. `None` for a bot that does neither.
    pub chance: Option<f64>,
}

impl BotReasoning {
    /// Makes the reasoning from a bot's move statistics for the options of `decision`. The caller
    /// must set `step`. Returns `None` if `thoughts` is empty.
    pub(crate) fn of(
        thoughts: &[OptionAssessment],
        ruleset: &Ruleset,
        state: &State,
        decision: &Decision,
    ) -> Option<BotReasoning> {
        let option = |thought: &OptionAssessment| {
            let answer = decision.nth(ruleset, state, thought.option)?;
            let text = option_text(ruleset, state, decision, answer);
            let OptionAssessment { n_simulations, lead, chance, .. } = *thought;
            Some(ReasonedOption { text, n_simulations, lead, chance })
        };
        let options: Vec<ReasonedOption> = thoughts.iter().take(MAX_OPTIONS).filter_map(option).collect();
        let answer = options.first()?.text.clone();
        Some(BotReasoning { step: 0, answer, options, n_options: decision.n_options(state) })
    }
}
