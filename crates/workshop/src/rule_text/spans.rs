//! Splits texts into spans for syntax highlighting.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use script::{ScriptToken, ScriptTokenKind, reference};
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

use super::Language;

/// The category of a span.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpanKind {
    /// White space, punctuation, or an unknown name.
    Plain,
    /// A comment.
    Comment,
    /// A quoted text.
    Text,
    /// A number, a date, `true` or `false`.
    Value,
    /// A keyword.
    Keyword,
    /// The name of a function at its definition.
    Definition,
    /// A function or property that the engine offers to scripts.
    Known,
    /// A call of a function that the engine does not offer.
    Call,
    /// A variable of the engine: `turn`, `mem`, `settings`, `nobody`.
    Variable,
    /// The heading of a table in a manifest.
    Heading,
    /// A key of a manifest.
    Key,
    /// A syntax error.
    Wrong,
}

/// A span of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextSpan {
    /// The range of the span in bytes.
    pub bytes: Range<usize>,
    /// The category of the span.
    pub kind: SpanKind,
}

/// Splits a text into spans, in order and without gaps. The text may be invalid.
pub fn spans(language: Language, text: &str) -> Vec<TextSpan> {
    let found = match language {
        Language::Rhai => script_spans(text),
        Language::Toml(_) => manifest_spans(text),
        Language::Plain => Vec::new(),
    };
    fill_gaps(found, text.len())
}

/// Fills the gaps between spans with [`SpanKind::Plain`], and merges neighbours of the same kind.
fn fill_gaps(found: Vec<TextSpan>, length: usize) -> Vec<TextSpan> {
    let mut all: Vec<TextSpan> = Vec::with_capacity(found.len() * 2);
    let mut push = |bytes: Range<usize>, kind: SpanKind| match all.last_mut() {
        _ if bytes.is_empty() => {}
        Some(last) if last.kind == kind => last.bytes.end = bytes.end,
        _ => all.push(TextSpan { bytes, kind }),
    };
    let mut end = 0;
    for span in found {
        let start = span.bytes.start.max(end);
        push(end..start, SpanKind::Plain);
        push(start..span.bytes.end.max(start), span.kind);
        end = span.bytes.end.max(start);
    }
    push(end..length, SpanKind::Plain);
    all
}

/// The names of all functions and properties that the engine offers to scripts.
static KNOWN_NAMES: LazyLock<BTreeSet<&str>> = LazyLock::new(|| reference().iter().map(|entry| entry.name).collect());

/// The variables that scripts can use without declaring them.
const VARIABLES: [&str; 4] = ["turn", "settings", "mem", "nobody"];

fn script_spans(text: &str) -> Vec<TextSpan> {
    let words = script::lex(text);
    let written = |word: Option<&ScriptToken>| word.and_then(|word| text.get(word.bytes.clone())).unwrap_or_default();
    let at = |i: Option<usize>| written(i.and_then(|i| words.get(i)));
    let kind = |(i, word): (usize, &ScriptToken)| match word.kind {
        ScriptTokenKind::Comment => SpanKind::Comment,
        ScriptTokenKind::Text => SpanKind::Text,
        ScriptTokenKind::Number => SpanKind::Value,
        ScriptTokenKind::Keyword if matches!(written(Some(word)), "true" | "false") => SpanKind::Value,
        ScriptTokenKind::Keyword => SpanKind::Keyword,
        ScriptTokenKind::Sign => SpanKind::Plain,
        ScriptTokenKind::Unknown => SpanKind::Wrong,
        ScriptTokenKind::Name => {
            let (name, before, after) = (written(Some(word)), at(i.checked_sub(1)), at(Some(i + 1)));
            let is_called = after.starts_with('(');
            match before {
                "fn" => SpanKind::Definition,
                "." if KNOWN_NAMES.contains(name) => SpanKind::Known,
                "." if is_called => SpanKind::Call,
                _ if is_called && KNOWN_NAMES.contains(name) => SpanKind::Known,
                _ if is_called => SpanKind::Call,
                _ if VARIABLES.contains(&name) => SpanKind::Variable,
                _ => SpanKind::Plain,
            }
        }
    };
    words.iter().enumerate().map(|it| TextSpan { bytes: it.1.bytes.clone(), kind: kind(it) }).collect()
}

fn manifest_spans(text: &str) -> Vec<TextSpan> {
    let source = Source::new(text);
    let mut found: Vec<TextSpan> = Vec::new();
    // `line` is the index in `found` of the first span of the line. `is_heading` is true after the
    // start of a heading in the line, and `has_value` after the start of a value. `depth` counts
    // open brackets in values.
    let (mut line, mut is_heading, mut has_value, mut depth) = (0, false, false, 0usize);
    for token in source.lex() {
        let bytes = token.span().start()..token.span().end();
        let kind = match token.kind() {
            TokenKind::Newline => {
                (line, is_heading) = (found.len(), false);
                has_value &= depth > 0;
                continue;
            }
            TokenKind::Comment => SpanKind::Comment,
            TokenKind::Whitespace | TokenKind::Eof => continue,
            TokenKind::Equals if depth == 0 => {
                found.iter_mut().skip(line).for_each(|span| span.kind = SpanKind::Key);
                (has_value, is_heading) = (true, false);
                SpanKind::Plain
            }
            TokenKind::Equals => {
                // The span before this `=` is a key of an inline table.
                if let Some(key) = found.last_mut() {
                    key.kind = SpanKind::Key;
                }
                SpanKind::Plain
            }
            TokenKind::LeftSquareBracket if !has_value => {
                is_heading = true;
                SpanKind::Heading
            }
            TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => {
                depth += 1;
                SpanKind::Plain
            }
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket if !is_heading => {
                depth = depth.saturating_sub(1);
                SpanKind::Plain
            }
            _ if is_heading => SpanKind::Heading,
            TokenKind::LiteralString
            | TokenKind::BasicString
            | TokenKind::MlLiteralString
            | TokenKind::MlBasicString => SpanKind::Text,
            TokenKind::Atom if has_value => SpanKind::Value,
            _ => SpanKind::Plain,
        };
        found.push(TextSpan { bytes, kind });
    }
    found
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn shown(language: Language, text: &str) -> String {
        let spans = spans(language, text);
        assert_eq!(spans.first().map_or(0, |span| span.bytes.start), 0);
        assert!(spans.windows(2).all(|pair| pair[0].bytes.end == pair[1].bytes.start), "they cover the text");
        assert_eq!(spans.last().map_or(0, |span| span.bytes.end), text.len());
        let told = spans.iter().filter(|span| span.kind != SpanKind::Plain);
        told.map(|span| format!("{:?} {:?}\n", span.kind, &text[span.bytes.clone()])).collect()
    }

    #[test]
    fn scripts_are_told_apart() {
        let text = "/// Ö\nfn score_value(f, score) {\n  if f.n_tiles == 2 { score.plus(own(turn.player), `x ${f.kind} y`); }\n}";
        expect![[r#"
            Comment "/// Ö"
            Keyword "fn"
            Definition "score_value"
            Keyword "if"
            Known "n_tiles"
            Value "2"
            Known "plus"
            Call "own"
            Variable "turn"
            Known "player"
            Text "`x $"
            Known "kind"
            Text " y`"
        "#]]
        .assert_eq(&shown(Language::Rhai, text));
    }

    #[test]
    fn manifests_are_told_apart() {
        let text =
            "# Ö\n[mod]\nid = \"x\"\n[[tile]]\nedges.\"a b\" = [1,\n  true] # y\nat = { n = 1 }\nbroken\n[a = 2\n";
        expect![[r##"
            Comment "# Ö"
            Heading "[mod]"
            Key "id"
            Text "\"x\""
            Heading "[[tile]]"
            Key "edges.\"a b\""
            Value "1"
            Value "true"
            Comment "# y"
            Key "at"
            Key "n"
            Value "1"
            Key "[a"
            Value "2"
        "##]]
        .assert_eq(&shown(Language::Toml(&keys::MOD), text));
        assert_eq!(shown(Language::Plain, "[mod]"), "");
    }
}
