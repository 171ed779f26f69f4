//! A game in the terminal, and the part of it that the terminal has shown.

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;

use diagnostic::Diagnostic;
use table::{Answer, SaveError, SeatSet, Session as Table};

use crate::context::CliError;
use crate::terminal::Terminal;

/// A game that is being played in the terminal.
pub struct PlaySession {
    table: Table,
    /// The number of answers that the terminal has shown.
    pub n_shown: usize,
    /// The numbers of shown answers that were hidden from some players.
    pub hidden: Vec<usize>,
    /// True if the question must be shown before the next input.
    pub is_question_new: bool,
    /// The last error that was reported about writing the record.
    told: Option<SaveError>,
    terminal: Terminal,
}

impl Deref for PlaySession {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

impl DerefMut for PlaySession {
    fn deref_mut(&mut self) -> &mut Table {
        &mut self.table
    }
}

impl PlaySession {
    pub fn new(table: Table, terminal: Terminal) -> PlaySession {
        let n_shown = table.at();
        // Drops the lines that scripts printed while the record was replayed.
        table.take_printed_lines();
        let hidden = hidden_on(&table);
        PlaySession { table, n_shown, hidden, is_question_new: true, told: None, terminal }
    }

    /// Answers the open question with `choice`, which must be one of its options.
    pub fn choose(&mut self, choice: Answer) -> Result<(), CliError> {
        self.table.answer(choice).map_err(|error| Diagnostic::without_place(error.to_string()))?;
        self.is_question_new = true;
        self.save();
        Ok(())
    }

    /// Answers the open question for chance or for the bot that is to move.
    pub fn advance(&mut self) -> Result<(), CliError> {
        if !self.table.advance() {
            self.check_saved()?;
            return Err(Diagnostic::without_place("the game waits for chance or a bot, which has no answer").into());
        }
        self.is_question_new = true;
        self.save();
        Ok(())
    }

    /// Goes to the position after `n` answers.
    pub fn look_at(&mut self, n: usize) {
        self.table.go_to(n);
        self.is_question_new = true;
        self.n_shown = self.n_shown.min(n);
        self.hidden.retain(|hidden| *hidden < n);
    }

    /// Marks the current state of the game as shown.
    pub fn is_told(&mut self) {
        self.n_shown = self.table.at();
        self.hidden = hidden_on(&self.table);
        self.table.take_printed_lines();
        self.is_question_new = true;
    }

    /// Writes the game to its file. Reports a failure only the first time; every call tries again.
    pub fn save(&mut self) {
        let (was, aside) = (self.path(), self.aside());
        self.table.save();
        let now = self.table.save_error().cloned();
        match &now {
            Some(error) if self.told.is_none() => {
                let help = match error {
                    SaveError::TooLong(_) => "the game is saved up to here; `u` undoes the last choice",
                    _ => "the game continues and saves as soon as it can; free space there before you quit",
                };
                self.terminal.say(&Diagnostic::without_place(error.to_string()).with_help(help).as_warning());
            }
            None if self.told.is_some() => {
                self.terminal
                    .say(&Diagnostic::without_place("the game is saved again; nothing is missing").as_warning());
            }
            _ => {}
        }
        self.told = now;
        if let Some(path) = self.path().filter(|path| was.is_some_and(|was| was != *path)) {
            let message = format!("another file has replaced the record; the game is now saved in {}", path.display());
            self.terminal.say(&Diagnostic::without_place(message).as_warning());
        }
        if let Some(copy) = self.aside().filter(|copy| Some(copy) != aside.as_ref()) {
            let message = format!("a new record was started; the old one is saved in {}", copy.display());
            self.terminal.say(&Diagnostic::without_place(message).as_warning());
        }
    }

    fn path(&self) -> Option<PathBuf> {
        self.table.kept_in().map(|kept| kept.path.clone())
    }

    fn aside(&self) -> Option<PathBuf> {
        self.table.kept_in().and_then(|kept| kept.set_aside.clone())
    }

    /// Writes the game to its file. Returns an error if that fails.
    pub fn check_saved(&mut self) -> Result<(), CliError> {
        self.table.save();
        self.table.save_error().map_or(Ok(()), |error| Err(cannot_save(error)))
    }
}

/// Returns the numbers of the answers so far that are hidden from some players.
fn hidden_on(table: &Table) -> Vec<usize> {
    let steps = table.line()[..table.at()].iter().enumerate();
    steps.filter(|(_, step)| step.seen_by != SeatSet::ALL).map(|(n, _)| n).collect()
}

/// Returns the error for a record that cannot be written. It says what the user can do.
pub fn cannot_save(error: &SaveError) -> CliError {
    Diagnostic::without_place(error.to_string())
        .with_help("free space there, or choose a folder where you may write")
        .into()
}
