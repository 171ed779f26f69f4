//! A game in the terminal, with a record of the answers that were already shown.

use std::io::{self, Write};
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;

use diagnostic::Diagnostic;
use table::{Answer, SaveError, Session as Table};

use super::show::{self, ShownAnswers};
use crate::context::{CliError, problem};
use crate::terminal::Terminal;

/// A game that is being played in the terminal.
pub struct PlaySession {
    table: Table,
    shown: ShownAnswers,
    /// True if the open question was not shown yet.
    pub is_question_new: bool,
    /// The reported error about writing the record; `None` once writing succeeds again.
    reported_error: Option<SaveError>,
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
        // Drops the lines that scripts printed while the record was replayed.
        table.take_printed_lines();
        let shown = ShownAnswers::all(&table);
        PlaySession { table, shown, is_question_new: true, reported_error: None, terminal }
    }

    /// Applies a choice among the offered options.
    pub fn choose(&mut self, choice: Answer) -> Result<(), CliError> {
        self.table.answer(choice).map_err(problem)?;
        self.is_question_new = true;
        self.save();
        Ok(())
    }

    /// Lets chance or a bot answer the current decision.
    pub fn advance(&mut self) -> Result<(), CliError> {
        if !self.table.advance() {
            if let Some(failure) = self.table.take_bot_failure() {
                let said = Diagnostic::without_place(failure).with_help("a person plays the bot's seat from now on");
                self.terminal.print_diagnostic(&said.as_warning());
                self.is_question_new = true;
                return Ok(());
            }
            self.try_save()?;
            return Err(problem("the game cannot continue: chance or the bot to move has no answer"));
        }
        self.is_question_new = true;
        self.save();
        Ok(())
    }

    /// Goes to the position after `n` answers.
    pub fn jump_to(&mut self, n: usize) {
        self.table.go_to(n);
        self.is_question_new = true;
        self.shown.unmark_from(n);
    }

    /// Marks all answers so far as shown, and drops the lines that scripts have printed.
    pub fn mark_shown(&mut self) {
        self.shown = ShownAnswers::all(&self.table);
        self.table.take_printed_lines();
        self.is_question_new = true;
    }

    /// Prints the answers since the last call, and the lines that scripts printed. Omits the
    /// answers of people, who know their own answers.
    pub fn show_last_steps(&mut self, out: &mut impl Write) -> io::Result<()> {
        let (table, terminal) = (&self.table, &self.terminal);
        let viewer = table.only_viewer();
        show::print_last_steps(terminal, out, table, &mut self.shown, viewer, |seat| !table.is_bot(seat))?;
        table.take_printed_lines().iter().try_for_each(|line| {
            let line = terminal.faint(format!("print: {line}"));
            writeln!(out, "  {line}")
        })
    }

    /// Writes the game to its file. If that fails, reports the failure once and tries again at the
    /// next call.
    pub fn save(&mut self) {
        let (was, aside) = (self.path(), self.set_aside_path());
        self.table.save();
        let now = self.table.save_error().cloned();
        match &now {
            Some(error) if self.reported_error.is_none() => {
                let help = match error {
                    SaveError::TooLong(_) => "the game is saved up to here; `u` undoes the last choice",
                    _ => "the game continues and saves as soon as it can; free some space on that disk before you quit",
                };
                self.terminal
                    .print_diagnostic(&Diagnostic::without_place(error.to_string()).with_help(help).as_warning());
            }
            None if self.reported_error.is_some() => {
                self.terminal.warn("saving works again; no moves are lost");
            }
            _ => {}
        }
        self.reported_error = now;
        if let Some(path) = self.path().filter(|path| was.is_some_and(|was| was != *path)) {
            let place = path.display();
            self.terminal.warn(format!("another file has replaced the record; the game is now saved in {place}"));
        }
        if let Some(copy) = self.set_aside_path().filter(|copy| Some(copy) != aside.as_ref()) {
            self.terminal.warn(format!("the record was rewritten; a copy of the old one is in {}", copy.display()));
        }
    }

    fn path(&self) -> Option<PathBuf> {
        self.table.save_location().map(|kept| kept.path.clone())
    }

    fn set_aside_path(&self) -> Option<PathBuf> {
        self.table.save_location().and_then(|kept| kept.set_aside.clone())
    }

    /// Writes the game to its file.
    ///
    /// # Errors
    /// Returns an error if the game cannot be written.
    pub fn try_save(&mut self) -> Result<(), CliError> {
        self.table.save();
        self.table.save_error().map_or(Ok(()), |error| Err(save_error(error)))
    }
}

/// Returns the error for a record that cannot be written.
pub fn save_error(error: &SaveError) -> CliError {
    problem(error).with_help("free some space on that disk, or choose a folder that you may write to")
}
