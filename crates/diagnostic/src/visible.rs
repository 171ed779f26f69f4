//! Makes invisible and deceptive characters visible, so that no text can pretend to be another.

use std::borrow::Cow;
use std::fmt::Write;

/// Returns whether a character has no visible shape: control characters (line ends and tabs among
/// them), characters that change the direction of writing, zero-width characters and fillers.
///
/// In terms of Unicode, hidden characters are control characters, line separators, interlinear
/// annotations, and characters with the property `Bidi_Control` or `Default_Ignorable_Code_Point`.
/// The variation selectors U+FE00 to U+FE0F are not hidden, because each only chooses a glyph for
/// the character before it.
pub fn is_hidden(c: char) -> bool {
    // Nearly all characters are in this range. Scripts write notes in every turn, so the early
    // return saves time in the benchmark `random_game`.
    if matches!(c, ' '..='~') {
        return false;
    }
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns `text` for display in one line: a space replaces each tab, and `\u{fffd}` replaces each
/// other hidden character.
pub fn visible(text: &str) -> Cow<'_, str> {
    // Nearly all texts are plain ASCII. The fold has no early exit, so that the compiler can
    // compare many bytes at a time.
    let is_plain = text.bytes().fold(true, |is_plain, byte| is_plain & matches!(byte, b' '..=b'~'));
    if is_plain || !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let shown = text.chars().map(|c| match c {
        '\t' => ' ',
        c if is_hidden(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    });
    Cow::Owned(shown.collect())
}

/// Returns `text` for display in several lines: line ends and tabs stay, and `\u{fffd}` replaces
/// each other hidden character. No character moves to another line or column.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    let mut rest = text.chars();
    let mut kept = || {
        let c = rest.next()?;
        // In a terminal, text after a lone carriage return would overwrite the text before it.
        let ends_line = c == '\n' || c == '\r' && rest.as_str().starts_with('\n');
        Some(if ends_line || c == '\t' || !is_hidden(c) { c } else { char::REPLACEMENT_CHARACTER })
    };
    if !text.contains(|c| is_hidden(c) && c != '\n') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(std::iter::from_fn(&mut kept).collect())
}

/// Returns JSON with its hidden characters escaped, except line ends between values. The value of
/// the JSON stays the same.
pub fn visible_json(json: &str) -> Cow<'_, str> {
    if !json.contains(|c| is_hidden(c) && c != '\n') {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if c == '\n' || !is_hidden(c) {
            escaped.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "\\u{unit:04x}");
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_deceives_is_made_visible() {
        for (hidden, expected) in [
            ("\u{1b}[2Jx", "\u{fffd}[2Jx"),
            ("\u{1b}]0;title\u{7}", "\u{fffd}]0;title\u{fffd}"),
            ("one\ntwo\rthree", "one\u{fffd}two\u{fffd}three"),
            ("a\tb", "a b"),
            ("evil\u{202e}cod", "evil\u{fffd}cod"),
            ("\u{2066}a\u{2069}", "\u{fffd}a\u{fffd}"),
            ("ze\u{200b}ro \u{e0041}", "ze\u{fffd}ro \u{fffd}"),
            ("\u{9b}31m\u{85}", "\u{fffd}31m\u{fffd}"),
        ] {
            assert_eq!(visible(hidden), expected);
            assert!(!visible_lines(hidden).contains(|c| is_hidden(c) && !matches!(c, '\n' | '\t')), "{hidden:?}");
        }
    }

    #[test]
    fn honest_texts_stay_as_they_are() {
        for text in ["", "Größe, 森, Ελλάδα, Київ, عربي", "⚔️ 2 × 3 – “so”", "e\u{301}"] {
            assert!(matches!(visible(text), Cow::Borrowed(_)), "{text}");
            assert!(matches!(visible_json(text), Cow::Borrowed(_)), "{text}");
        }
        assert_eq!(visible_lines("a\tb\r\nc\rd\n"), "a\tb\r\nc\u{fffd}d\n");
    }

    #[test]
    fn json_means_the_same() {
        assert_eq!(visible_json("{\"a\":\"\u{202e}\u{e0041}\"}\n"), "{\"a\":\"\\u202e\\udb40\\udc41\"}\n");
    }
}
