//! Points formulas: sums of products such as `2 * tiles + 2 * shield` or `3 * touching(city,
//! complete)`.

use std::ops::Range;

use board::{TagCarrier, TileSet};
use rules::{Factor, Formula, ModIdx, Setting, SettingIdx, SettingValue, Term};

use crate::names::{kind_set, report_unknown};
use crate::problem::{Problems, Spanned};
use crate::reader::range_in_text;
use diagnostic::join_names;

/// Words with a meaning in formulas, which no tag may use as its name.
pub(crate) const RESERVED_WORDS: [&str; 6] = ["tiles", "zones", "spots", "touching", "setting", "complete"];

/// A parsed formula with unresolved names.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct ParsedFormula {
    terms: Vec<ParsedTerm>,
}

#[derive(Clone, PartialEq, Debug, Default)]
struct ParsedTerm {
    times: i64,
    factors: Vec<ParsedFactor>,
}

#[derive(Clone, PartialEq, Debug)]
enum ParsedFactor {
    Word(Spanned<String>),
    Touching(Vec<Spanned<String>>, bool),
    Setting(Spanned<String>),
}

/// Parses a formula and reports mistakes. Returns an empty formula after a syntax error.
pub(crate) fn parse(problems: &mut Problems, text: &Spanned<String>) -> ParsedFormula {
    let mut parser = Parser { tokens: tokens(&text.value), at: 0, text, problems };
    parser.sum().unwrap_or_default()
}

/// The names that a formula may use.
pub(crate) struct FormulaNames<'a> {
    pub(crate) tile_set: &'a TileSet,
    pub(crate) settings: &'a [Setting],
}

impl ParsedFormula {
    /// Resolves the names in the formula. Names of settings mean the settings of the mod `owner`.
    pub(crate) fn resolve(&self, problems: &mut Problems, names: &FormulaNames<'_>, owner: ModIdx) -> Formula {
        let terms = self.terms.iter().map(|term| Term {
            times: term.times,
            factors: term.factors.iter().filter_map(|f| factor(problems, f, names, owner)).collect(),
        });
        Formula { terms: terms.collect() }
    }
}

fn factor(problems: &mut Problems, factor: &ParsedFactor, names: &FormulaNames<'_>, owner: ModIdx) -> Option<Factor> {
    let tile_set = names.tile_set;
    match factor {
        ParsedFactor::Word(word) => match word.value.as_str() {
            "tiles" => Some(Factor::Tiles),
            "zones" => Some(Factor::Zones),
            "spots" => Some(Factor::Spots),
            name => {
                let tag = tile_set.tag_named(name);
                if tag.is_some_and(|t| tile_set.tag(t).on == TagCarrier::Zone) {
                    return tag.map(Factor::Tag);
                }
                let message = match tag {
                    Some(_) => format!("tag `{name}` is a tag of tiles, but a formula counts only tags of zones"),
                    None => format!("unknown word `{name}` in a formula"),
                };
                let zone_tags = tile_set.tags.iter().filter(|t| t.on == TagCarrier::Zone).map(|t| t.name.as_str());
                problems.error(word.range, message).suggest(name, RESERVED_WORDS[..5].iter().copied().chain(zone_tags));
                None
            }
        },
        ParsedFactor::Touching(kinds, only_complete) => {
            let kinds = kind_set(problems, tile_set, kinds);
            Some(Factor::Touching { kinds, only_complete: *only_complete })
        }
        ParsedFactor::Setting(name) => {
            let mine = || names.settings.iter().enumerate().filter(|(_, s)| s.owner == owner);
            match mine().find(|(_, s)| s.name == name.value) {
                Some((_, Setting { default: SettingValue::Text(_), .. })) => {
                    problems.error(name.range, format!("setting `{}` is a text, not a number", name.value));
                    None
                }
                Some((i, _)) => Some(Factor::Setting(SettingIdx(i as u16))),
                None => {
                    report_unknown(problems, "setting", name, mine().map(|(_, s)| s.name.as_str()));
                    None
                }
            }
        }
    }
}

/// A token of a formula, and its range in the text in bytes.
type FormulaToken<'a> = (&'a str, Range<usize>);

/// Splits a formula into words, numbers and single other characters. Drops white space.
fn tokens(text: &str) -> Vec<FormulaToken<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        let word_end = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
        let len = if in_word(first) { word_end } else { first.len_utf8() };
        let (token, after) = rest.split_at(len);
        if !first.is_whitespace() {
            tokens.push((token, at..at + len));
        }
        at += len;
        rest = after;
    }
    tokens
}

struct Parser<'a, 'p> {
    tokens: Vec<FormulaToken<'a>>,
    at: usize,
    text: &'a Spanned<String>,
    problems: &'p mut Problems,
}

/// Each parsing function returns `None` if it has reported a mistake.
impl<'a> Parser<'a, '_> {
    fn sum(&mut self) -> Option<ParsedFormula> {
        let mut terms = Vec::new();
        let mut sign = if self.accept("-") { -1 } else { 1 };
        loop {
            terms.push(self.product(sign)?);
            match self.peek() {
                Some("+") => sign = 1,
                Some("-") => sign = -1,
                Some(_) => return self.fail("expected `+`, `-` or `*` here"),
                None => return Some(ParsedFormula { terms }),
            }
            self.at += 1;
        }
    }

    fn product(&mut self, sign: i64) -> Option<ParsedTerm> {
        let mut term = ParsedTerm { times: sign, factors: Vec::new() };
        loop {
            match self.peek() {
                Some(number) if number.starts_with(|c: char| c.is_ascii_digit()) => {
                    let times = number.parse::<i64>().ok().and_then(|n| term.times.checked_mul(n));
                    let Some(times) = times else { return self.fail("this number is too large") };
                    term.times = times;
                    self.at += 1;
                }
                Some(word) if is_word(word) => term.factors.push(self.factor()?),
                Some("(") => return self.fail("brackets are for `touching(...)` and `setting(...)` only"),
                _ => return self.fail("expected a number or a word here"),
            }
            if !self.accept("*") {
                return Some(term);
            }
        }
    }

    fn factor(&mut self) -> Option<ParsedFactor> {
        let word = self.word()?;
        let is_call = self.peek() == Some("(");
        match (word.value.as_str(), is_call) {
            ("touching", true) => {
                let mut kinds = self.arguments()?;
                let only_complete = kinds.last().is_some_and(|k| k.value == "complete");
                if only_complete {
                    kinds.pop();
                }
                if kinds.is_empty() {
                    self.problems.error(word.range, "`touching` names a kind: `touching(<kind>)`");
                }
                Some(ParsedFactor::Touching(kinds, only_complete))
            }
            ("setting", true) => {
                let mut names = self.arguments()?;
                if names.len() != 1 {
                    self.problems.error(word.range, "`setting` names one setting: `setting(name)`");
                }
                names.pop().map(ParsedFactor::Setting)
            }
            ("touching" | "setting", false) => {
                self.problems.error(word.range, format!("write `{0}(...)` with a name in the brackets", word.value));
                None
            }
            (name, true) => {
                let message = format!("`{name}` cannot be called in a formula");
                let known = [join_names(&["touching(kind)"]), join_names(&["setting(name)"])].join(" and ");
                self.problems.error(word.range, message).help(format!("there are {known}"));
                None
            }
            _ => Some(ParsedFactor::Word(word)),
        }
    }

    /// Parses one or more names in brackets, such as `(city, castle)`. Reports invalid names, and
    /// returns `None` for them.
    fn arguments(&mut self) -> Option<Vec<Spanned<String>>> {
        self.at += 1;
        let mut names = vec![self.word()?];
        while self.accept(",") {
            names.push(self.word()?);
        }
        if self.accept(")") { Some(names) } else { self.fail("expected `,` or `)` here") }
    }

    fn word(&mut self) -> Option<Spanned<String>> {
        match self.tokens.get(self.at).cloned() {
            Some((word, range)) if is_word(word) => {
                self.at += 1;
                Some(Spanned { value: word.to_owned(), range: range_in_text(self.text, range) })
            }
            _ => self.fail("expected a name here"),
        }
    }

    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.at).map(|(token, _)| *token)
    }

    fn accept(&mut self, token: &str) -> bool {
        let is_next = self.peek() == Some(token);
        self.at += usize::from(is_next);
        is_next
    }

    fn fail<T>(&mut self, message: &str) -> Option<T> {
        let end = self.text.value.len();
        let range = self.tokens.get(self.at).map_or(end..end, |(_, range)| range.clone());
        let range = range_in_text(self.text, range);
        let example = "a formula is a sum of products, such as `2 * tiles + shield`";
        self.problems.error(range, message).help(example);
        None
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn check(formula: &str, expected: &str) {
        let mut problems = Problems::default();
        let file = problems.add_source(Path::new("f"), format!("\"{formula}\""));
        let text = Spanned { value: formula.to_owned(), range: file.range(0..formula.len() + 2) };
        let written = parse(&mut problems, &text);
        let mut shown = String::new();
        for ParsedTerm { times, factors } in &written.terms {
            shown += &format!("{times}");
            for factor in factors {
                shown += &match factor {
                    ParsedFactor::Word(w) => format!("*{}", w.value),
                    ParsedFactor::Setting(s) => format!("*setting {}", s.value),
                    ParsedFactor::Touching(k, c) => {
                        format!("*touching {:?} {c}", k.iter().map(|k| k.value.as_str()).collect::<Vec<_>>())
                    }
                };
            }
            shown += ";";
        }
        for problem in problems.list() {
            shown += &format!(" {}: {}", problem.span.column, problem.message);
        }
        assert_eq!(shown, expected, "{formula}");
    }

    #[test]
    fn sums_of_products() {
        check("2 * tiles + 2*shield", "2*tiles;2*shield;");
        check("-3*2 - zones * gem", "-6;-1*zones*gem;");
        check(
            "3 * touching(city, complete) + touching(city, castle)",
            "3*touching [\"city\"] true;1*touching [\"city\", \"castle\"] false;",
        );
        check("setting(bonus) * spots", "1*setting bonus*spots;");
    }

    #[test]
    fn mistakes_have_their_column() {
        check("2 tiles", " 4: expected `+`, `-` or `*` here");
        check("tiles +", " 9: expected a number or a word here");
        check("2 * (tiles + 1)", " 6: brackets are for `touching(...)` and `setting(...)` only");
        check("touching(, city)", " 11: expected a name here");
        check("99999999999999999999", " 2: this number is too large");
        check("tiles / 2", " 8: expected `+`, `-` or `*` here");
        check("", " 2: expected a number or a word here");
    }
}
