//! Places in texts.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A place in a file, with lines and columns counted from 1. The default is no place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Serialize, Deserialize)]
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

    #[test]
    fn what_is_not_known_is_left_out() {
        assert_eq!(Span::of_line(3).to_string(), "line 3");
        assert!(!Span::of_line(0).is_known());
        assert_eq!(Span { file: "a".to_owned(), ..Span::default() }.to_string(), "a");
    }
}
