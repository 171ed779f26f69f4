//! What is printed where, and with which colours.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use anstyle::{AnsiColor, Color, Style};
use clap::ValueEnum;

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

    /// Prints a message for people. Where nobody can read it any more, that is all right.
    pub fn say(&self, complaint: &Complaint) {
        let (word, colour) =
            if complaint.is_warning { ("warning", AnsiColor::Yellow) } else { ("error", AnsiColor::Red) };
        let word = if self.colour_of_messages {
            let style = coloured(colour);
            format!("{style}{word}{style:#}")
        } else {
            word.to_owned()
        };
        let mut text = complaint.place();
        text += &format!("{word}: {}\n", complaint.message);
        if let Some(help) = &complaint.help {
            text += &format!("  help: {help}\n");
        }
        self.print_message(&text);
    }

    /// Prints a text where messages go.
    pub fn print_message(&self, text: &str) {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

fn coloured(colour: AnsiColor) -> Style {
    Style::new().bold().fg_color(Some(Color::Ansi(colour)))
}

/// A message about something that is wrong, with what to do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Complaint {
    /// The file, if one is to blame.
    pub file: String,
    /// Its line, from 1; 0 for all of it.
    pub line: usize,
    /// What is wrong, a sentence without a full stop.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Whether things go on all the same.
    pub is_warning: bool,
}

impl Complaint {
    pub fn new(message: impl Into<String>) -> Complaint {
        Complaint { message: message.into(), ..Complaint::default() }
    }

    pub fn at(file: &str, line: usize, message: impl Into<String>) -> Complaint {
        Complaint { file: file.to_owned(), line, ..Complaint::new(message) }
    }

    pub fn help(mut self, help: impl Into<String>) -> Complaint {
        self.help = Some(help.into());
        self
    }

    pub fn warning(mut self) -> Complaint {
        self.is_warning = true;
        self
    }

    /// `file:line: `, as far as there is such a thing.
    fn place(&self) -> String {
        match (self.file.is_empty(), self.line) {
            (true, _) => String::new(),
            (false, 0) => format!("{}: ", self.file),
            (false, line) => format!("{}:{line}: ", self.file),
        }
    }
}

impl Display for Complaint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.place(), self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, " ({help})"))
    }
}
