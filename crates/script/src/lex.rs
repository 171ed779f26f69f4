//! Splits a script into tokens with their places, for display and for migration. Uses the
//! interpreter's own lexer.

use std::ops::Range;

use rhai::{Position, Token};

/// The category of a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScriptTokenKind {
    /// A comment.
    Comment,
    /// A quoted text or character, or the part of a text before or after an interpolated value.
    Text,
    /// A number.
    Number,
    /// A keyword.
    Keyword,
    /// A name.
    Name,
    /// An operator, a bracket or another sign.
    Sign,
    /// A token that is not valid in a script.
    Unknown,
}

/// A token of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptToken {
    /// The range of the token in the text, in bytes.
    pub bytes: Range<usize>,
    /// The category of the token.
    pub kind: ScriptTokenKind,
}

/// Splits a script, valid or not, into its tokens, in the order of the text. Only white space lies
/// between tokens.
pub fn lex(text: &str) -> Vec<ScriptToken> {
    let engine = crate::engine::bare_engine();
    let texts = [text];
    let (mut tokens, control) = engine.lex(&texts);
    tokens.state.include_comments = true;
    let (mut places, mut braces) = (PositionConverter::new(text), Braces::default());
    let mut words: Vec<(ScriptToken, Option<usize>)> = Vec::new();
    // The lexer reports the end of an unterminated text or comment repeatedly.
    for _ in 0..=text.len() {
        let Some((token, at)) = tokens.next().filter(|(token, _)| *token != Token::EOF) else { break };
        braces.process(&token, || control.borrow_mut().is_within_text = true);
        let start = places.byte_offset(at);
        set_last_end(text, &mut words, start);
        words.push((ScriptToken { bytes: start..start, kind: kind_of(&token) }, length_of(&token)));
    }
    set_last_end(text, &mut words, text.len());
    let words: Vec<ScriptToken> =
        words.into_iter().map(|(word, _)| word).filter(|word| !word.bytes.is_empty()).collect();
    add_file_comments(text, words)
}

/// Returns whether `word` has a meaning in the language, so that no variable, function or property
/// can have this name.
pub fn is_reserved_word(word: &str) -> bool {
    matches!(&lex(word)[..], [token] if token.kind == ScriptTokenKind::Keyword)
}

/// Adds the comments on the whole file (`//!`), which the lexer drops.
fn add_file_comments(text: &str, words: Vec<ScriptToken>) -> Vec<ScriptToken> {
    let mut heads = Vec::new();
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        let start = line_start + (line.len() - line.trim_start().len());
        let bytes = start..(line_start + line.trim_end().len()).max(start);
        line_start += line.len();
        let is_known = || words.iter().any(|word| word.bytes.start < bytes.end && bytes.start < word.bytes.end);
        if line.trim_start().starts_with("//!") && !is_known() {
            heads.push(ScriptToken { bytes, kind: ScriptTokenKind::Comment });
        }
    }
    heads.extend(words);
    heads.sort_by_key(|word| word.bytes.start);
    heads
}

/// Sets the end of the last token in `words`, at byte `limit` or before. The lexer reports only the
/// beginnings of tokens, and only white space lies between tokens.
fn set_last_end(text: &str, words: &mut [(ScriptToken, Option<usize>)], limit: usize) {
    let Some((word, length)) = words.last_mut() else { return };
    let start = word.bytes.start;
    let written = text.get(start..limit).map_or(0, |between| between.trim_end().len());
    // The lexer reports a following unterminated text too late. Therefore the end is calculated
    // from the length of the token, if that length is known.
    word.bytes.end = start + length.map_or(written, |length| length.min(written));
}

/// Returns the length of a token in bytes, if known.
fn length_of(token: &Token) -> Option<usize> {
    match token {
        Token::Identifier(name) | Token::Reserved(name) => Some(name.len()),
        token if token.is_literal() => Some(token.literal_syntax().len()),
        _ => None,
    }
}

fn kind_of(token: &Token) -> ScriptTokenKind {
    match token {
        Token::Comment(_) => ScriptTokenKind::Comment,
        Token::StringConstant(_) | Token::InterpolatedString(_) | Token::CharConstant(_) => ScriptTokenKind::Text,
        Token::IntegerConstant(_) => ScriptTokenKind::Number,
        Token::True | Token::False => ScriptTokenKind::Keyword,
        Token::Identifier(_) => ScriptTokenKind::Name,
        Token::LexError(_) => ScriptTokenKind::Unknown,
        Token::Reserved(word) | Token::Custom(word) if word.starts_with(char::is_alphabetic) => {
            ScriptTokenKind::Keyword
        }
        token if token.is_standard_keyword() => ScriptTokenKind::Keyword,
        _ => ScriptTokenKind::Sign,
    }
}

/// Tracks braces to find the ends of interpolated values such as `${n}`, after which the text
/// around the value continues. The lexer does not find these ends itself.
#[derive(Default)]
pub(crate) struct Braces {
    /// The number of open braces.
    pub depth: usize,
    /// For each interpolated value that is still open, the number of braces that were open when it
    /// began. The innermost value is last.
    open_values: Vec<usize>,
}

impl Braces {
    /// Processes a token. Calls `go_on` if the token ends an interpolated value, so that a text
    /// continues after it.
    pub fn process(&mut self, token: &Token, go_on: impl FnOnce()) {
        match token {
            Token::LeftBrace | Token::MapStart => self.depth += 1,
            Token::RightBrace => {
                self.depth = self.depth.saturating_sub(1);
                if self.open_values.last() == Some(&self.depth) {
                    self.open_values.pop();
                    go_on();
                }
            }
            Token::InterpolatedString(_) => self.open_values.push(self.depth),
            _ => {}
        }
    }
}

/// Converts positions, in ascending order, to byte offsets.
pub(crate) struct PositionConverter<'t> {
    text: &'t str,
    /// The last converted position: its line, its column and its byte offset.
    line: usize,
    column: usize,
    last: usize,
}

impl<'t> PositionConverter<'t> {
    pub(crate) fn new(text: &'t str) -> PositionConverter<'t> {
        PositionConverter { text, line: 1, column: 1, last: 0 }
    }

    /// Returns the byte offset of a position. If the position lies before the last converted
    /// position, or is unknown, returns the last converted offset.
    pub(crate) fn byte_offset(&mut self, at: Position) -> usize {
        let (Some(line), column) = (at.line(), at.position().unwrap_or(1)) else { return self.last };
        while self.line < line {
            let rest = self.text.get(self.last..).unwrap_or_default();
            let Some(end) = rest.find('\n') else { break };
            (self.line, self.column, self.last) = (self.line + 1, 1, self.last + end + 1);
        }
        if let Some(n) = column.checked_sub(self.column).filter(|_| self.line == line) {
            let rest = self.text.get(self.last..).unwrap_or_default();
            self.last = rest.char_indices().nth(n).map_or(self.text.len(), |(i, _)| self.last + i);
            self.column = column;
        }
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(&str, ScriptTokenKind)> {
        lex(text).into_iter().map(|word| (&text[word.bytes], word.kind)).collect()
    }

    #[test]
    fn words_of_the_language_are_reserved() {
        for word in ["until", "new", "default", "fn", "as", "true", "this"] {
            assert!(is_reserved_word(word), "{word}");
        }
        for word in ["farmers", "tile", "x", "", "a b", "new one"] {
            assert!(!is_reserved_word(word), "{word}");
        }
    }

    #[test]
    fn words_have_their_places() {
        use ScriptTokenKind::*;
        let text = "// Größe\nconst N = 0x1f;\nfn a(o) {\n  `é ${o.n + 1} b` != this /* x */\n}\n";
        let expected = [
            ("// Größe", Comment),
            ("const", Keyword),
            ("N", Name),
            ("=", Sign),
            ("0x1f", Number),
            (";", Sign),
            ("fn", Keyword),
            ("a", Name),
            ("(", Sign),
            ("o", Name),
            (")", Sign),
            ("{", Sign),
        ];
        assert_eq!(words(text)[..12], expected);
        let rest: Vec<&str> = words(text)[12..].iter().map(|(word, _)| *word).collect();
        assert_eq!(rest, ["`é $", "{", "o", ".", "n", "+", "1", "}", " b`", "!=", "this", "/* x */", "}"]);
    }

    #[test]
    fn what_is_said_of_the_whole_file_is_a_comment() {
        let text = "//! The head.\n  //! Größe\nconst N = \"//! no\"; /*\n//! inside */\n";
        let comments: Vec<_> = words(text).into_iter().filter(|(_, kind)| *kind == ScriptTokenKind::Comment).collect();
        assert_eq!(
            comments.iter().map(|it| it.0).collect::<Vec<_>>(),
            ["//! The head.", "//! Größe", "/*\n//! inside */"]
        );
    }

    #[test]
    fn broken_scripts_have_words_too() {
        for text in
            ["fn a( { let x = \"abc\nfn b() {}", "let @ = #; §", "/* never", "\"a ${ b", "`x ${", "'", "}}}", ""]
        {
            let words = lex(text);
            assert!(words.windows(2).all(|pair| pair[0].bytes.end <= pair[1].bytes.start), "{text}: {words:?}");
            assert!(words.iter().all(|word| text.get(word.bytes.clone()).is_some()), "{text}");
        }
    }
}
