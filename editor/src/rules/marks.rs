//! Problems at places in a text.

use std::ops::Range;

use table::{Diagnostic, Severity};

/// A problem at a place in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProblemMark {
    /// The place of the problem as a range of bytes, without quotes. If the problem has only a
    /// line, this is the empty range at the beginning of the line.
    pub bytes: Range<usize>,
    /// The severity.
    pub severity: Severity,
    /// The message.
    pub message: String,
    /// A hint on how to fix the problem, if there is one.
    pub help: Option<String>,
    /// Notes about other places, each as text with file and line.
    pub notes: Vec<String>,
}

impl ProblemMark {
    /// Returns the mark of a problem in `text`.
    pub fn from_diagnostic(problem: &Diagnostic, text: &str) -> ProblemMark {
        let bytes = problem.span.bytes(text);
        let start = bytes.start.min(text.len());
        let end = bytes.end.clamp(start, text.len());
        let (start, end) = quoted_range(text, start).unwrap_or((start, end));
        let notes = problem.notes.iter();
        ProblemMark {
            bytes: start..end,
            severity: problem.severity,
            message: problem.message.clone(),
            help: problem.help.clone(),
            notes: notes.map(|note| format!("{}:{}: {}", note.span.file, note.span.line, note.message)).collect(),
        }
    }

    /// Returns the message and the help, if there is any, as one sentence.
    pub fn sentence(&self) -> String {
        match &self.help {
            Some(help) => format!("{}: {help}", self.message),
            None => self.message.clone(),
        }
    }

    /// Returns the word that the help suggests after `did you mean`, if there is one.
    pub fn correction(&self) -> Option<&str> {
        let help = self.help.as_deref()?.strip_prefix("did you mean ")?;
        let (_, rest) = help.split_once('`')?;
        let (word, rest) = rest.split_once('`')?;
        (rest.trim_matches('?').is_empty() && !word.contains(char::is_whitespace)).then_some(word)
    }
}

/// Returns the byte range of the text between the quotes that begin at byte `start`. Returns `None`
/// if there is no quote at `start`, if the text is empty, or if the closing quote is not in the
/// same line.
fn quoted_range(text: &str, start: usize) -> Option<(usize, usize)> {
    let words = text.get(start..)?.strip_prefix('"')?;
    let n = words.lines().next()?.find('"').filter(|n| *n > 0)?;
    Some((start + 1, start + 1 + n))
}

/// Moves the marks from `old` to the same words in `new`. Removes marks whose text was edited.
pub fn move_marks(marks: &mut Vec<ProblemMark>, old: &str, new: &str) {
    if marks.is_empty() || old == new {
        return;
    }
    let (old, new) = (old.as_bytes(), new.as_bytes());
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let changed = start..old.len() - end;
    marks.retain_mut(|mark| {
        if mark.bytes.start >= changed.end {
            mark.bytes.start = mark.bytes.start + new.len() - old.len();
            mark.bytes.end = mark.bytes.end + new.len() - old.len();
            return true;
        }
        mark.bytes.end <= changed.start
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(bytes: Range<usize>, help: Option<&str>) -> ProblemMark {
        let severity = Severity::Error;
        ProblemMark { bytes, severity, message: "wrong".to_owned(), help: help.map(str::to_owned), notes: Vec::new() }
    }

    #[test]
    fn marks_keep_to_their_words() {
        let mut marks = vec![mark(0..1, None), mark(2..4, None), mark(5..6, None)];
        move_marks(&mut marks, "a bb c", "a bxxb c");
        let places: Vec<Range<usize>> = marks.into_iter().map(|mark| mark.bytes).collect();
        assert_eq!(places, [0..1, 7..8]);
        let mut marks = vec![mark(5..6, None)];
        move_marks(&mut marks, "a bb c", "bb c");
        assert_eq!(marks[0].bytes, 3..4);
    }

    #[test]
    fn a_word_in_quotes_is_marked_without_them() {
        let text = "chief(\"cheif\", 1)";
        assert_eq!(quoted_range(text, 6), Some((7, 12)));
        assert_eq!([quoted_range(text, 0), quoted_range("\"\"", 0), quoted_range("\"open", 0)], [None; 3]);
    }

    #[test]
    fn a_word_that_was_meant_can_be_put_in() {
        assert_eq!(mark(0..1, Some("did you mean `score`?")).correction(), Some("score"));
        assert_eq!(mark(0..1, Some("did you mean the hook `score_value`?")).correction(), Some("score_value"));
        assert_eq!(mark(0..1, Some("write `fn a()`")).correction(), None);
        assert_eq!(mark(0..1, None).correction(), None);
    }
}
