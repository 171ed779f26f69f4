//! Places in texts.

use std::fmt;
use std::ops::Range;

use crate::line_index::LineIndex;

/// A place in a file, with lines and columns counted from 1. The default is no place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Span {
    /// The name of the file in messages; empty if there is no file, or if readers of a message know
    /// the file anyway.
    pub file: String,
    /// The line, counted from 1; 0 for the whole file.
    pub line: u32,
    /// The column in characters, counted from 1; 0 for the whole line.
    pub column: u32,
    /// The length in characters, line endings included.
    pub length: u32,
}

impl Span {
    /// Returns the place of a whole line, without a file name. `line` counts from 1; 0 gives the
    /// default, which is no place.
    pub fn of_line(line: usize) -> Span {
        Span { line: line as u32, ..Span::default() }
    }

    /// Returns the place of the byte range `bytes` in `text`, the content of `file`. Takes time
    /// linear in the length of `text`. For many places in the same text, use a [`LineIndex`].
    pub fn of_bytes(file: &str, text: &str, bytes: Range<usize>) -> Span {
        LineIndex::new(text).span(file, text, bytes)
    }

    /// Returns the place of the word that begins at `line` and `column` of `text`. If no word
    /// begins there, returns the place of the character. Line and column count from 1; 0 means 1.
    ///
    /// If `text` has no such line, returns the end of the text. If the line has no such column,
    /// returns the end of the line.
    pub fn from_word(file: &str, text: &str, line: u32, column: u32) -> Span {
        LineIndex::new(text).word_span(file, text, line, column)
    }

    /// Returns the byte range of this place in `text`, which must be the content of the file.
    pub fn bytes(&self, text: &str) -> Range<usize> {
        let start = offset(text, self.line, self.column);
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.char_indices().nth(self.length as usize).map_or(rest.len(), |(i, _)| i);
        start..start + length
    }

    /// Returns whether the place has a file or a line.
    pub fn is_known(&self) -> bool {
        !self.file.is_empty() || self.line > 0
    }
}

/// Returns the byte offset of `line` and `column` in `text`. Both count from 1, and 0 means 1. If
/// `text` has no such line, returns the end of the text. If the line has no such column, returns
/// the end of the line.
fn offset(text: &str, line: u32, column: u32) -> usize {
    let line_start = match line.saturating_sub(1) {
        0 => 0,
        n => text.match_indices('\n').nth(n as usize - 1).map_or(text.len(), |(i, _)| i + 1),
    };
    let rest = text.get(line_start..).unwrap_or_default().lines().next().unwrap_or_default();
    line_start + rest.char_indices().nth(column.saturating_sub(1) as usize).map_or(rest.len(), |(i, _)| i)
}

/// Writes `file:line:column`, without those parts that are unknown. Without a file, writes only the
/// line, such as `line 3`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file.is_empty(), self.line, self.column) {
            (true, 0, _) => Ok(()),
            (true, line, _) => write!(f, "line {line}"),
            (false, 0, _) => f.write_str(&self.file),
            (false, line, 0) => write!(f, "{}:{line}", self.file),
            (false, line, column) => write!(f, "{}:{line}:{column}", self.file),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the line, the column, the length and the text of a span.
    fn told(text: &str, span: &Span) -> (u32, u32, u32, String) {
        (span.line, span.column, span.length, text[span.bytes(text)].to_owned())
    }

    #[test]
    fn words_are_found_by_line_and_column() {
        for end in ["\n", "\r\n"] {
            let text = ["fn a() {", "  äh(b_ç);", "}"].join(end);
            assert_eq!(told(&text, &Span::from_word("", &text, 2, 6)), (2, 6, 3, "b_ç".to_owned()));
            assert_eq!(told(&text, &Span::from_word("", &text, 2, 5)), (2, 5, 1, "(".to_owned()));
            assert_eq!(told(&text, &Span::from_word("", &text, 2, 99)), (2, 11, 0, String::new()));
            assert_eq!(told(&text, &Span::from_word("", &text, 9, 9)).0, 3);
        }
    }

    #[test]
    fn bytes_and_back() {
        for end in ["\n", "\r\n"] {
            let text = ["eins", "zwölf = \"fünf\"", "drei"].join(end);
            let at = text.find("\"fünf\"").unwrap_or_default();
            let span = Span::of_bytes("a", &text, at..at + "\"fünf\"".len());
            assert_eq!(told(&text, &span), (2, 9, 6, "\"fünf\"".to_owned()));
            assert_eq!(span.to_string(), "a:2:9");
            let all = Span::of_bytes("a", &text, 0..text.len());
            assert_eq!(all.bytes(&text), 0..text.len());
        }
    }

    #[test]
    fn what_is_not_known_is_left_out() {
        assert_eq!(Span::of_line(3).to_string(), "line 3");
        assert!(!Span::of_line(0).is_known());
        assert_eq!(Span { file: "a".to_owned(), ..Span::default() }.to_string(), "a");
    }
}
