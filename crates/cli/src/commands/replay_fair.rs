//! `bastide replay --fair`: checks that draws and rolls follow from the seed whose hash the host of
//! a table published before the game.

use std::fmt;

use diagnostic::Diagnostic;
use door::Commitment;
use record::ReplayedDecision;
use rules::{Dealer, option_text};
use workshop::RecordOnDisk;

/// Compares the draws and rolls of a record with the results that its seed gives.
pub struct FairnessCheck {
    dealer: Dealer,
    n_checked: usize,
    /// The name of the record's file.
    file: String,
    problem: Option<Diagnostic>,
}

impl FairnessCheck {
    /// Prepares the check of a record. `hash` is the hash that the host published.
    ///
    /// # Errors
    /// Returns an error if the record has no seed or no salt.
    pub fn new(opened: &RecordOnDisk, hash: Commitment) -> Result<FairnessCheck, Diagnostic> {
        let (seed, salt) = opened.record.setup.seed.zip(opened.record.salt.as_ref()).ok_or_else(|| {
            let message = "the record has no salt after its seed, so --fair cannot check it";
            let help = "use the record that a guest saved after the game, with `bastide join --save` or on the page";
            Diagnostic::in_file(&opened.file, 0, message).with_help(help)
        })?;
        let problem = (Commitment::of(seed, salt) != hash).then(|| {
            let message = format!("the seed and salt of the record do not have the hash {hash}");
            let help = "the host has changed the seed, or this is the hash of another table";
            Diagnostic::in_file(&opened.file, 0, message).with_help(help)
        });
        Ok(FairnessCheck { dealer: Dealer::new(seed), n_checked: 0, file: opened.file.clone(), problem })
    }

    /// Checks a decision of the record, if chance made it.
    pub fn take(&mut self, moment: &ReplayedDecision<'_>) {
        let (ruleset, state) = (&moment.game.rules().ruleset, moment.game.state());
        let Some(expected) = self.dealer.answer(ruleset, state) else { return };
        self.n_checked += 1;
        let expected = option_text(ruleset, state, moment.decision, expected);
        if expected != moment.answer {
            let (number, answer) = (moment.n + 1, moment.answer);
            let message =
                format!("answer {number}, `{answer}`, does not follow from the seed, which gives `{expected}`");
            let help = "the host chose this draw, or changed the mods during the game";
            self.problem.get_or_insert_with(|| Diagnostic::in_file(&self.file, 0, message).with_help(help));
        }
    }

    /// Returns the first difference; `None` if there is none.
    pub fn problem(&self) -> Option<&Diagnostic> {
        self.problem.as_ref()
    }
}

impl fmt::Display for FairnessCheck {
    /// Writes the result if there is no problem.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fair: the seed has the published hash, and all {} draws and rolls follow from it.", self.n_checked)
    }
}
