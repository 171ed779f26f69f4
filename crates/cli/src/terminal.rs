//! Output to the terminal: results, messages, colours, and protection from control characters.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use anstyle::{AnsiColor, Color, Style};
use clap::ValueEnum;
use diagnostic::{Diagnostic, Severity, visible, visible_json, visible_lines};

/// The use of colours in the program's output.
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

/// The two output streams of the program: results and messages.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// True if results are coloured.
    pub colour: bool,
    /// True if messages are coloured.
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

    /// Returns the writer for results. It may buffer text until it is flushed or dropped.
    pub fn out(&self) -> Output<StdoutLock<'static>> {
        Output::new(io::stdout().lock(), if self.colour { TextForm::Coloured } else { TextForm::Plain })
    }

    /// Returns the writer for results, which are JSON if `is_json` is true.
    pub fn out_as(&self, is_json: bool) -> Output<StdoutLock<'static>> {
        if is_json { Output::new(io::stdout().lock(), TextForm::Json) } else { self.out() }
    }

    /// Returns `text` for the results, in `style` if the results are coloured.
    pub fn styled(&self, text: impl Display, style: Style) -> String {
        let text = text.to_string();
        // Removes styles that the text itself contains; only the program's own styles reach the
        // terminal.
        if self.colour { format!("{style}{}{style:#}", visible_lines(&text)) } else { text }
    }

    pub fn bold(&self, text: impl Display) -> String {
        self.styled(text, Style::new().bold())
    }

    pub fn faint(&self, text: impl Display) -> String {
        self.styled(text, Style::new().dimmed())
    }

    pub fn green(&self, text: impl Display) -> String {
        self.styled(text, colour_style(AnsiColor::Green))
    }

    pub fn red(&self, text: impl Display) -> String {
        self.styled(text, colour_style(AnsiColor::Red))
    }

    /// Prints a message for people: the place, the problem and, on a separate line, the help.
    ///
    /// Does nothing if the stream is closed.
    pub fn print_diagnostic(&self, diagnostic: &Diagnostic) {
        let Diagnostic { span, severity, message, help, .. } = diagnostic;
        let word = match (self.colour_of_messages, severity) {
            (false, _) => severity.to_string(),
            (true, Severity::Error) => coloured_text(severity, AnsiColor::Red),
            (true, Severity::Warning) => coloured_text(severity, AnsiColor::Yellow),
        };
        let place = if span.is_known() { format!("{}: ", visible(&span.to_string())) } else { String::new() };
        let help = help.as_ref().map_or_else(String::new, |help| format!("  help: {}\n", visible_lines(help)));
        self.print_message(&format!("{place}{word}: {}\n{help}", visible_lines(message)));
    }

    /// Prints several messages for people, such as all problems of a record.
    pub fn print_diagnostics<'d>(&self, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) {
        diagnostics.into_iter().for_each(|diagnostic| self.print_diagnostic(diagnostic));
    }

    /// Prints a warning without a place and without help.
    pub fn warn(&self, message: impl Into<String>) {
        self.print_diagnostic(&Diagnostic::without_place(message).as_warning());
    }

    /// Prints a text on the stream for messages.
    pub fn print_message(&self, text: &str) {
        let form = if self.colour_of_messages { TextForm::Coloured } else { TextForm::Plain };
        let _ = io::stderr().lock().write_all(form.sanitize(text).as_bytes());
    }
}

/// The form of a text, which determines the characters that may reach the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TextForm {
    Plain,
    /// Text with the program's own styles, such as colours.
    Coloured,
    Json,
}

impl TextForm {
    /// Returns `text` in a form that is safe for a terminal: makes visible all characters that
    /// would move the cursor, change the direction of writing or stay invisible.
    fn sanitize(self, text: &str) -> Cow<'_, str> {
        match self {
            TextForm::Json => visible_json(text),
            TextForm::Coloured if text.contains(ESCAPE) => {
                let mut parts = text.split(ESCAPE);
                let mut shown = visible_lines(parts.next().unwrap_or_default()).into_owned();
                for part in parts {
                    let style = style_length(part);
                    shown.push(if style > 0 { ESCAPE } else { char::REPLACEMENT_CHARACTER });
                    shown.push_str(&visible_lines(part));
                }
                Cow::Owned(shown)
            }
            TextForm::Plain | TextForm::Coloured => visible_lines(text),
        }
    }
}

const ESCAPE: char = '\u{1b}';

/// Returns the length of the style after an escape character, such as `[1;31m`; 0 if `text` does
/// not begin with a style.
fn style_length(text: &str) -> usize {
    let numbers = text.strip_prefix('[').unwrap_or_default();
    let end = numbers.find(|c: char| !c.is_ascii_digit() && c != ';');
    end.filter(|end| numbers.as_bytes().get(*end) == Some(&b'm')).map_or(0, |end| end + 2)
}

/// A writer that passes text to the terminal in whole lines, and makes unsafe characters visible.
pub struct Output<W: Write> {
    out: BufWriter<W>,
    form: TextForm,
    /// The unfinished line.
    begun: Vec<u8>,
}

impl<W: Write> Output<W> {
    fn new(out: W, form: TextForm) -> Output<W> {
        Output { out: BufWriter::new(out), form, begun: Vec::new() }
    }

    /// Removes the first `n` bytes from `begun` and writes them.
    fn write_first(&mut self, n: usize) -> io::Result<()> {
        let lines: Vec<u8> = self.begun.drain(..n).collect();
        self.out.write_all(self.form.sanitize(&String::from_utf8_lossy(&lines)).as_bytes())
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let before = self.begun.len();
        self.begun.extend_from_slice(bytes);
        if let Some(last) = bytes.iter().rposition(|b| *b == b'\n') {
            self.write_first(before + last + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_first(self.begun.len())?;
        self.out.flush()
    }
}

impl<W: Write> Drop for Output<W> {
    fn drop(&mut self) {
        // Ignores a failure. A caller that must know whether writing succeeded calls `flush`
        // itself.
        let _ = self.flush();
    }
}

fn coloured_text(text: impl Display, colour: AnsiColor) -> String {
    let style = colour_style(colour);
    format!("{style}{text}{style:#}")
}

fn colour_style(colour: AnsiColor) -> Style {
    Style::new().bold().fg_color(Some(Color::Ansi(colour)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(form: TextForm, pieces: &[&str]) -> String {
        let mut bytes = Vec::new();
        let mut out = Output::new(&mut bytes, form);
        pieces.iter().for_each(|piece| assert_eq!(out.write(piece.as_bytes()).ok(), Some(piece.len())));
        drop(out);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[test]
    fn only_styles_pass_and_only_where_there_are_some() {
        let bold = ["\u{1b}[", "1", "m", "red", "\u{1b}[0m", " \u{1b}[2J\u{1b}]0;x\u{7} \u{202e}é\n", "> "];
        assert_eq!(
            written(TextForm::Coloured, &bold),
            "\u{1b}[1mred\u{1b}[0m \u{fffd}[2J\u{fffd}]0;x\u{fffd} \u{fffd}é\n> "
        );
        assert!(!written(TextForm::Plain, &bold).contains(ESCAPE));
        assert_eq!(written(TextForm::Json, &["{\"a\":\"\u{202e}\"}", "\n"]), "{\"a\":\"\\u202e\"}\n");
        let terminal = Terminal { colour: true, colour_of_messages: true };
        assert_eq!(terminal.bold("a\u{1b}[8mb"), "\u{1b}[1ma\u{fffd}[8mb\u{1b}[0m");
    }
}
