//! Edits of whole lines: comments and indentation.

use std::ops::Range;

use super::Language;

/// One level of indentation.
const INDENT: &str = "    ";

/// Comments out the lines that `selected` touches. If all these lines are comments, removes the
/// comment signs instead. Returns the new text and selection.
pub fn toggle_comments(language: Language, text: &str, selected: Range<usize>) -> (String, Range<usize>) {
    let sign = language.comment_prefix();
    let lines = lines_at(text, &selected);
    let all = text.get(lines.clone()).unwrap_or_default();
    let is_full = |line: &&str| !line.trim().is_empty();
    let are_comments = all.lines().filter(is_full).all(|line| line.trim_start().starts_with(sign));
    let indent = |line: &str| line.len() - line.trim_start().len();
    let least = all.lines().filter(is_full).map(indent).min().unwrap_or(0);
    let change = |line: &str| match (line.trim().is_empty(), are_comments) {
        (true, _) => line.to_owned(),
        (_, true) => {
            let (before, rest) = line.split_at(indent(line));
            let rest = rest.strip_prefix(sign).unwrap_or(rest);
            format!("{before}{}", rest.strip_prefix(' ').unwrap_or(rest))
        }
        (_, false) => match line.split_at_checked(least) {
            Some((before, rest)) => format!("{before}{sign} {rest}"),
            None => format!("{sign} {line}"),
        },
    };
    changed(text, lines, selected, change)
}

/// Indents the lines that `selected` touches, or removes a level of indentation if `is_left` is
/// true. If nothing is selected, indenting inserts spaces up to the next level. Returns the new
/// text and selection.
pub fn indented(language: Language, text: &str, selected: Range<usize>, is_left: bool) -> (String, Range<usize>) {
    let step = if language == Language::Plain { "  " } else { INDENT };
    let lines = lines_at(text, &selected);
    if selected.is_empty() && !is_left {
        let column = text.get(lines.start..selected.start).map_or(0, |before| before.chars().count());
        let spaces = " ".repeat(step.len() - column % step.len());
        let mut new = text.to_owned();
        new.insert_str(selected.start, &spaces);
        let at = selected.start + spaces.len();
        return (new, at..at);
    }
    let change = |line: &str| {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        match (line.trim().is_empty(), is_left) {
            (true, false) => line.to_owned(),
            (_, false) => format!("{step}{line}"),
            (_, true) if line.starts_with('\t') => line.get(1..).unwrap_or_default().to_owned(),
            (_, true) => line.get(spaces.min(step.len())..).unwrap_or_default().to_owned(),
        }
    };
    changed(text, lines, selected, change)
}

/// Replaces the selection with a line break. The new line gets the indentation of the previous
/// line. After an opening bracket, it gets one more level. Returns the new text and the cursor.
pub fn with_new_line(language: Language, text: &str, selected: Range<usize>) -> (String, Range<usize>) {
    let start = lines_at(text, &(selected.start..selected.start)).start;
    let before = text.get(start..selected.start).unwrap_or_default();
    let indent: String = before.chars().take_while(|c| *c == ' ' || *c == '\t').collect();
    let opens = language != Language::Plain && before.trim_end().ends_with(['{', '[', '(']);
    let step = if opens { INDENT } else { "" };
    let mut inserted = format!("\n{indent}{step}");
    let at = selected.start + inserted.len();
    // Moves the closing bracket to a separate line.
    if opens && text.get(selected.end..).is_some_and(|after| after.starts_with(['}', ']', ')'])) {
        inserted.push('\n');
        inserted.push_str(&indent);
    }
    let mut new = text.to_owned();
    if text.get(selected.clone()).is_some() {
        new.replace_range(selected, &inserted);
    }
    (new, at..at)
}

/// Aligns a closing bracket that ends at byte `at`, if it is the first character of its line. The
/// line gets the indentation of the line with the opening bracket. Returns the new text and the
/// cursor; `None` if the text does not change.
pub fn with_aligned_bracket(language: Language, text: &str, at: usize) -> Option<(String, usize)> {
    let start = lines_at(text, &(at..at)).start;
    let typed = text.get(start..at)?;
    let (indent, bracket) = typed.split_at(typed.len() - typed.trim_start_matches([' ', '\t']).len());
    if language == Language::Plain || !matches!(bracket, "}" | "]" | ")") {
        return None;
    }
    let mut n_open = 0;
    let opener = text.get(..start)?.char_indices().rev().find(|(_, c)| {
        n_open += match c {
            '}' | ']' | ')' => 1,
            '{' | '[' | '(' => -1,
            _ => 0,
        };
        n_open < 0
    })?;
    let line = lines_at(text, &(opener.0..opener.0)).start;
    let wanted: String = text.get(line..opener.0)?.chars().take_while(|c| *c == ' ' || *c == '\t').collect();
    // Never increases the indentation, because the author chose the smaller indentation.
    (indent.len() > wanted.len()).then(|| {
        let mut new = text.to_owned();
        new.replace_range(start..start + indent.len(), &wanted);
        (new, start + wanted.len() + bracket.len())
    })
}

/// Returns the byte to which the Home key moves the cursor from byte `at`: the start of the first
/// word in the line. If `at` is already there, returns the start of the line.
pub fn home_position(text: &str, at: usize) -> usize {
    let start = lines_at(text, &(at..at)).start;
    let rest = text.get(start..).unwrap_or_default();
    let word = start + rest.len() - rest.trim_start_matches([' ', '\t']).len();
    if at == word { start } else { word }
}

/// Returns the range of the whole lines that a selection touches, without the last line break.
fn lines_at(text: &str, selected: &Range<usize>) -> Range<usize> {
    let before = text.get(..selected.start).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    // A selection that ends at the start of a line does not include that line.
    let last = if selected.end > selected.start && text.get(..selected.end).is_some_and(|t| t.ends_with('\n')) {
        selected.end - 1
    } else {
        selected.end
    };
    let end = text.get(last..).and_then(|rest| rest.find('\n')).map_or(text.len(), |i| last + i);
    start..end.max(start)
}

fn changed(
    text: &str,
    lines: Range<usize>,
    selected: Range<usize>,
    change: impl Fn(&str) -> String,
) -> (String, Range<usize>) {
    let old = text.get(lines.clone()).unwrap_or_default();
    let new: Vec<String> = old.split('\n').map(change).collect();
    let new = new.join("\n");
    let mut all = text.to_owned();
    all.replace_range(lines.clone(), &new);
    if !selected.is_empty() {
        return (all, lines.start..lines.start + new.len());
    }
    // The cursor keeps its distance from the end of the changed lines, so it stays at the same
    // word.
    let behind = lines.end.saturating_sub(selected.end);
    let at = (lines.start + new.len()).saturating_sub(behind).max(lines.start);
    (all, at..at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_come_and_go() {
        let text = "a\n  b é\n\n    c\nd";
        let all = 0..text.len() - 2;
        let (once, selected) = toggle_comments(Language::Rhai, text, 3..text.len() - 2);
        assert_eq!(once, "a\n  // b é\n\n  //   c\nd");
        assert_eq!(toggle_comments(Language::Rhai, &once, selected).0, text);
        assert_eq!(toggle_comments(Language::Toml(&keys::MOD), text, all).0, "# a\n#   b é\n\n#     c\nd");
        let (line, at) = toggle_comments(Language::Rhai, "  ab", 3..3);
        assert_eq!((line.as_str(), at), ("  // ab", 6..6));
    }

    #[test]
    fn what_closes_goes_below_what_it_closes() {
        let close = |text: &str| with_aligned_bracket(Language::Rhai, text, text.len());
        assert_eq!(close("fn a() {\n    b();\n    }"), Some(("fn a() {\n    b();\n}".to_owned(), 19)));
        assert_eq!(close("  if x {\n    y[1] = (2);\n    }"), Some(("  if x {\n    y[1] = (2);\n  }".to_owned(), 28)));
        for text in ["fn a() {\n}", "fn a() {\n    b }", "    }", "x\n    ]"] {
            assert_eq!(close(text), None, "{text}");
        }
    }

    #[test]
    fn lines_move() {
        let text = "a\nb\n\nc";
        let (right, selected) = indented(Language::Rhai, text, 0..5, false);
        assert_eq!((right.as_str(), selected.clone()), ("    a\n    b\n\nc", 0..12));
        assert_eq!(indented(Language::Rhai, &right, selected, true).0, text);
        assert_eq!(indented(Language::Rhai, "ab", 1..1, false), ("a   b".to_owned(), 4..4));
        assert_eq!(indented(Language::Rhai, "\t x", 3..3, true).0, " x");
    }
}
