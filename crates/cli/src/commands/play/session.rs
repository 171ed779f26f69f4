//! A game at the table, with how much of it the terminal has shown.

use std::ops::{Deref, DerefMut};

use table::{Answer, SaveError, Session as Table};

use crate::context::CliError;
use diagnostic::Diagnostic;

/// A game that is being played in the terminal.
pub struct Session {
    table: Table,
    /// How many answers, and how many awards, were shown.
    pub n_shown: usize,
    pub n_awards_shown: usize,
    /// Whether the question was not shown yet.
    pub is_question_new: bool,
}

impl Deref for Session {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut Table {
        &mut self.table
    }
}

impl Session {
    pub fn new(table: Table) -> Session {
        let (n_shown, n_awards_shown) = (table.at(), table.view().awards().len());
        // What functions printed on the way here is nothing new.
        table.view().take_printed_lines();
        Session { table, n_shown, n_awards_shown, is_question_new: true }
    }

    /// Gives an answer that is offered.
    pub fn choose(&mut self, choice: Answer) -> Result<(), CliError> {
        self.table.answer(choice).map_err(|error| Diagnostic::without_place(error.to_string()))?;
        self.is_question_new = true;
        self.check_saved()
    }

    /// Lets chance or a bot answer, whose turn it is.
    pub fn advance(&mut self) -> Result<(), CliError> {
        if !self.table.advance() {
            return Err(Diagnostic::without_place("chance or a bot was asked and had nothing to answer").into());
        }
        self.is_question_new = true;
        self.check_saved()
    }

    /// Looks at the moment after `n` answers.
    pub fn look_at(&mut self, n: usize) {
        self.table.go_to(n);
        self.is_question_new = true;
        self.n_shown = self.n_shown.min(n);
        self.n_awards_shown = self.n_awards_shown.min(self.table.view().awards().len());
    }

    /// What the game has become was told: nothing of it is to be shown once more.
    pub fn is_told(&mut self) {
        self.n_shown = self.table.at();
        self.n_awards_shown = self.table.view().awards().len();
        self.table.view().take_printed_lines();
        self.is_question_new = true;
    }

    /// Fails where the game could not be written to its file.
    pub fn check_saved(&self) -> Result<(), CliError> {
        self.table.save_error().map_or(Ok(()), |error| Err(cannot_save(error)))
    }
}

/// What is told where the record cannot be written.
pub fn cannot_save(error: &SaveError) -> CliError {
    Diagnostic::without_place(error.to_string()).with_help("name a file in a folder where you may write").into()
}
