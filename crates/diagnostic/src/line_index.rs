//! An index of the lines of a text, to find many places without reading the text from its start
//! each time.

use std::ops::Range;

use crate::span::Span;

/// The start of each line of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineIndex {
    /// For each line, the number of bytes and the number of characters before the line. The last
    /// entry is for the end of the text.
    starts: Vec<(u32, u32)>,
}

impl LineIndex {
    /// Indexes the lines of `text`, which must be shorter than 4 GB.
    pub fn new(text: &str) -> LineIndex {
        let mut starts = vec![(0, 0)];
        let (mut byte, mut character) = (0, 0);
        for line in text.split_inclusive('\n') {
            byte += line.len() as u32;
            character += line.chars().count() as u32;
            starts.push((byte, character));
        }
        if starts.len() == 1 || text.ends_with('\n') {
            starts.push((byte, character));
        }
        LineIndex { starts }
    }

    /// Returns the number of the line that contains the byte at offset `byte`. Lines and bytes
    /// count from 0. An offset past the end of the text is in the last line.
    pub fn line_of(&self, byte: usize) -> usize {
        let last = self.starts.len().saturating_sub(2);
        self.starts.partition_point(|(start, _)| *start as usize <= byte).saturating_sub(1).min(last)
    }

    /// Returns the byte range of a line, including its line ending, and the number of characters
    /// before the line. Lines count from 0; a line past the end means the last line.
    pub fn line_range(&self, line: usize) -> (Range<usize>, usize) {
        let line = line.min(self.starts.len().saturating_sub(2));
        let at = |line: usize| self.starts.get(line).map_or((0, 0), |(byte, n)| (*byte as usize, *n as usize));
        let (start, n_before) = at(line);
        (start..at(line + 1).0, n_before)
    }

    /// Returns the place of the byte range `bytes` in `text`. `text` must be the indexed text;
    /// `file` is the name of its file. Takes time linear in the length of the line.
    pub fn span(&self, file: &str, text: &str, bytes: Range<usize>) -> Span {
        let start = bytes.start.min(text.len());
        let line = self.line_of(start);
        let before = text.get(self.line_range(line).0.start..start).unwrap_or_default();
        Span {
            file: file.to_owned(),
            line: line as u32 + 1,
            column: before.chars().count() as u32 + 1,
            length: text.get(start..bytes.end.min(text.len())).map_or(0, |t| t.chars().count() as u32),
        }
    }

    /// Returns the place of the word that begins at `line` and `column` of `text`. If no word
    /// begins there, returns the place of the character. Line and column count from 1; 0 means 1.
    ///
    /// If `text` has no such line, returns the end of the text. If the line has no such column,
    /// returns the end of the line. Takes time linear in the length of the line.
    pub fn word_span(&self, file: &str, text: &str, line: u32, column: u32) -> Span {
        let line = line.saturating_sub(1) as usize;
        let start = match line < self.starts.len() - 1 {
            true => {
                let bytes = self.line_range(line).0;
                let written = text.get(bytes.clone()).unwrap_or_default().trim_end_matches('\n');
                let written = written.strip_suffix('\r').unwrap_or(written);
                let nth = written.char_indices().nth(column.saturating_sub(1) as usize);
                bytes.start + nth.map_or(written.len(), |(i, _)| i)
            }
            false => text.len(),
        };
        let rest = text.get(start..).unwrap_or_default();
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let first = rest.chars().next().filter(|c| !matches!(c, '\r' | '\n')).map_or(0, char::len_utf8);
        self.span(file, text, start..start + word.max(first))
    }
}

impl Span {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found() {
        let text = "eins\r\nzwölf\n\nende";
        let lines = LineIndex::new(text);
        let shown = |line: usize| text[lines.line_range(line).0].to_owned();
        assert_eq!((0..6).map(shown).collect::<Vec<_>>(), ["eins\r\n", "zwölf\n", "\n", "ende", "ende", "ende"]);
        assert_eq!([0, 5, 6, 12, 13, 14, 99].map(|byte| lines.line_of(byte)), [0, 0, 1, 1, 2, 3, 3]);
        assert_eq!(lines.line_range(3), (14..18, 13));
        assert_eq!(LineIndex::new("").line_range(0), (0..0, 0));
        assert_eq!(LineIndex::new("a\n").line_of(2), 1);
    }

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
}
