//! What is printed where, and with which colours.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use anstyle::{AnsiColor, Color, Style};
use clap::ValueEnum;
use diagnostic::{Diagnostic, Severity};

/// When colours are used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The two streams of the program.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Whether results are printed in colour.
    pub colour: bool,
    /// Whether messages are.
    pub colour_of_messages: bool,
}

impl Terminal {
    pub fn new(choice: ColorChoice) -> Terminal {
        let wanted = |is_terminal: bool| match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
        };
        Terminal { colour: wanted(io::stdout().is_terminal()), colour_of_messages: wanted(io::stderr().is_terminal()) }
    }

    /// Where results are written. Everything is out once it is dropped or flushed.
    pub fn out(&self) -> BufWriter<StdoutLock<'static>> {
        BufWriter::new(io::stdout().lock())
    }

    /// `text` in `style` for the results, if they are in colour.
    pub fn styled(&self, text: impl Display, style: Style) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_string() }
    }

    pub fn bold(&self, text: impl Display) -> String {
        self.styled(text, Style::new().bold())
    }

    pub fn faint(&self, text: impl Display) -> String {
        self.styled(text, Style::new().dimmed())
    }

    pub fn good(&self, text: impl Display) -> String {
        self.styled(text, coloured(AnsiColor::Green))
    }

    pub fn bad(&self, text: impl Display) -> String {
        self.styled(text, coloured(AnsiColor::Red))
    }

    /// Prints a message for people: the place, what is wrong and, on a line of its own, what to do.
    ///
    /// Where nobody can read it any more, that is all right.
    pub fn say(&self, diagnostic: &Diagnostic) {
        let Diagnostic { span, severity, message, help, .. } = diagnostic;
        let word = match (self.colour_of_messages, severity) {
            (false, _) => severity.to_string(),
            (true, Severity::Error) => painted(severity, AnsiColor::Red),
            (true, Severity::Warning) => painted(severity, AnsiColor::Yellow),
        };
        let place = if span.is_known() { format!("{span}: ") } else { String::new() };
        let help = help.as_ref().map_or_else(String::new, |help| format!("  help: {help}\n"));
        self.print_message(&format!("{place}{word}: {message}\n{help}"));
    }

    /// Prints a text where messages go.
    pub fn print_message(&self, text: &str) {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

fn painted(text: impl Display, colour: AnsiColor) -> String {
    let style = coloured(colour);
    format!("{style}{text}{style:#}")
}

fn coloured(colour: AnsiColor) -> Style {
    Style::new().bold().fg_color(Some(Color::Ansi(colour)))
}
