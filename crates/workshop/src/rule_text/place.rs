//! The syntactic position of a cursor.

use std::ops::Range;

use keys::{Key, ManifestFile};

use super::{Language, SpanKind, TextSpan};

/// The syntactic position of a cursor, which determines the completions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum CursorContext {
    /// In a comment, in a number, or in a file of an unknown language.
    Nowhere,
    /// In a quoted text.
    Text,
    /// After a dot. The text is the name before the dot.
    Member(String),
    /// At the name of a function definition.
    Definition,
    /// Anywhere else in a script.
    Code,
    /// In the heading of a table of this file.
    Heading(&'static ManifestFile),
    /// At a key in this file. The text is the first part of the heading of its table, such as
    /// `kind`.
    Key(&'static ManifestFile, String),
    /// At a value in a manifest.
    Value,
}

/// Returns the range, in bytes, of the name that contains byte `at` or that ends at this byte. The
/// range is empty if there is no name.
pub fn name_at(text: &str, at: usize) -> Range<usize> {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let bytes = text.as_bytes();
    let before = bytes.iter().take(at).rev().take_while(|b| is_part(b)).count();
    let after = bytes.iter().skip(at).take_while(|b| is_part(b)).count();
    at - before..at + after
}

/// Returns the syntactic position of a cursor at byte `at`. The name at the cursor begins at byte
/// `start`.
pub(super) fn cursor_context(
    language: Language,
    text: &str,
    spans: &[TextSpan],
    start: usize,
    at: usize,
) -> CursorContext {
    // A span that ends at the cursor also counts, because a text without a closing quote continues
    // there.
    let span = spans.iter().find(|span| span.bytes.start < at && at <= span.bytes.end);
    let kind = span.map_or(SpanKind::Plain, |span| span.kind);
    let is_inside = span.is_some_and(|span| at < span.bytes.end || !is_terminated(text, span));
    match kind {
        SpanKind::Comment => return CursorContext::Nowhere,
        SpanKind::Text if is_inside => return CursorContext::Text,
        _ => {}
    }
    let before = text.get(..start).unwrap_or_default();
    // An odd number of quotes before the cursor in its line means that the cursor is in a text
    // without a closing quote.
    let line = before.rsplit('\n').next().unwrap_or_default();
    if line.matches('"').count() % 2 == 1 {
        return CursorContext::Text;
    }
    match language {
        Language::Plain => CursorContext::Nowhere,
        Language::Rhai => {
            let is_digit = |c: char| c.is_ascii_digit();
            if before.ends_with(is_digit) || text.get(start..at).is_some_and(|name| name.starts_with(is_digit)) {
                return CursorContext::Nowhere;
            }
            let trimmed = before.trim_end();
            if let Some(of) = trimmed.strip_suffix('.')
                && !of.ends_with('.')
            {
                return CursorContext::Member(receiver(of).to_owned());
            }
            if before.ends_with(char::is_whitespace) && last_word(trimmed) == "fn" {
                CursorContext::Definition
            } else {
                CursorContext::Code
            }
        }
        Language::Toml(file) => {
            if line.trim_start().starts_with('[') {
                CursorContext::Heading(file)
            } else if line.contains('=') {
                CursorContext::Value
            } else {
                CursorContext::Key(file, last_table(before))
            }
        }
    }
}

/// Returns the key whose value begins at byte `start`. `None` if the file is not a manifest or has
/// no such key. For the key `icon.<word>`, returns the key `icon`.
pub(super) fn value_key(language: Language, text: &str, start: usize) -> Option<&'static Key> {
    let Language::Toml(file) = language else { return None };
    let before = text.get(..start)?;
    let (key, _) = before.rsplit('\n').next()?.split_once('=')?;
    let name = key.trim().split('.').next()?;
    super::entry::keys(file, &last_table(before)).find(|key| key.name == name)
}

/// Returns whether a quoted text has its closing quote.
fn is_terminated(text: &str, span: &TextSpan) -> bool {
    let written = text.get(span.bytes.clone()).unwrap_or_default();
    let quote = written.chars().next();
    written.chars().count() > 1 && quote.is_some_and(|quote| written.ends_with(quote))
}

/// Returns the name at the end of a text; empty if the text does not end with a name.
fn last_word(text: &str) -> &str {
    text.get(name_at(text, text.len())).unwrap_or_default()
}

/// Returns the name of the receiver at the end of `of`, which is the text before a dot. The
/// receiver is a variable, a property, or the result of the named function.
fn receiver(of: &str) -> &str {
    let of = of.trim_end();
    let Some(rest) = of.strip_suffix(')') else { return last_word(of) };
    // Finds the function call to which the brackets belong.
    let mut depth = 1;
    let open = rest.char_indices().rev().find(|(_, c)| {
        depth += i32::from(*c == ')') - i32::from(*c == '(');
        depth == 0
    });
    open.and_then(|(i, _)| rest.get(..i)).map_or("", last_word)
}

/// Returns the first part of the last heading in `before`, such as `kind` for `[kind.city]`.
fn last_table(before: &str) -> String {
    let heading = before.lines().rev().map(str::trim_start).find(|line| line.starts_with('['));
    let name = heading.unwrap_or_default().trim_start_matches('[');
    name.split(['.', ']']).next().unwrap_or_default().trim().to_owned()
}
