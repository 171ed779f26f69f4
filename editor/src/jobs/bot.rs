//! Bots that think in a worker.

use serde::{Deserialize, Serialize};
use table::BotReasoning;

use super::{Job, RecordedGame, Reporter};
use crate::shown_error::ShownError;

/// Finds the answer of the bot that is to move at the end of a record.
#[derive(Serialize, Deserialize)]
pub struct BotJob(pub RecordedGame);

/// The answer of a bot.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BotAnswer {
    /// The text of the answer.
    pub text: String,
    /// The bot's reasoning.
    pub reasoning: Option<BotReasoning>,
}

impl Job for BotJob {
    type Report = ();
    type Output = BotAnswer;

    const NAME: &'static str = "bot";

    fn run(self, _: &Reporter<'_, ()>) -> Result<BotAnswer, ShownError> {
        let mut session = self.0.open()?;
        let step = session.position_index();
        if !session.advance() {
            return Err(ShownError::new("no bot is to move at the end of the record"));
        }
        let seen = session.snapshot();
        let text = seen.steps().get(step).map(|step| step.text.clone()).unwrap_or_default();
        Ok(BotAnswer { text, reasoning: seen.reasoning(step).cloned() })
    }
}
