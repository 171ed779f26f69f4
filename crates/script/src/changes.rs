//! Changes of the modding language: words and calls that are written differently now, and words
//! whose meaning changed.
//!
//! The linter's help, the page `bastide docs changes` and the rewriting by `bastide migrate` all
//! use one table.
//!
//! The file is long because of this table.

use std::fmt::Write as _;
use std::ops::Range;

use crate::lex::{ScriptToken, ScriptTokenKind, lex};

/// The newest version of the modding language that this program reads: `api` in `mod.toml`.
pub const API_VERSION: u32 = 1;

/// The kind of word that changed, or [`Meaning`](ChangeKind::Meaning) if the word stays and only
/// its meaning changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChangeKind {
    /// A function of `rules.rhai`, called as a function or as a method.
    Function,
    /// A property of a value in `rules.rhai`.
    Property,
    /// A key of `mod.toml`.
    Key,
    /// The word stays, but its meaning changed. The list names the functions of scripts whose calls
    /// the author must check.
    Meaning(&'static [&'static str]),
}

/// The way in which [`migrate`] rewrites a changed word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rewrite {
    /// Replaces the word by `now`. If `of` is given, replaces the word only as a property of the
    /// variable called `of`.
    Name { of: Option<&'static str>, now: &'static str },
    /// Replaces the call `before` by the call `now`, in which the parameters of `before` stand for
    /// the arguments. If a number and a form are given, rewrites only calls in which the argument
    /// with this number has this form. Arguments are numbered from 1. In a call of a method, the
    /// receiver is argument 1.
    Call(Option<(usize, ArgumentForm)>),
    /// Moves a filter from the manifest into the script, as a condition at the beginning of the
    /// function.
    Condition,
    /// Changes nothing, because only the author can decide.
    ByHand,
}

/// The form of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArgumentForm {
    /// A quoted text.
    Text,
    /// A quoted text from this list.
    OneOf(&'static [&'static str]),
    /// Anything except a map in braces.
    NoMap,
}

impl ArgumentForm {
    fn fits(self, argument: &str) -> bool {
        match self {
            ArgumentForm::Text => argument.starts_with('"'),
            ArgumentForm::OneOf(texts) => {
                let inner = argument.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                inner.is_some_and(|inner| texts.contains(&inner))
            }
            ArgumentForm::NoMap => !argument.starts_with("#{"),
        }
    }
}

/// A change of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LanguageChange {
    /// The kind of word that has changed, or `Meaning` if only its meaning has changed.
    pub(crate) place: ChangeKind,
    /// The word, as written in files.
    pub(crate) word: &'static str,
    /// The old form or meaning, as the page of changes shows it.
    pub(crate) before: &'static str,
    /// The current form or meaning.
    pub(crate) now: &'static str,
    /// Further advice to authors: a sentence, or empty.
    pub(crate) about: &'static str,
    /// The way in which [`migrate`] rewrites the word.
    pub(crate) rewrite: Rewrite,
}

impl LanguageChange {
    /// Returns the parameters of the call `before`.
    fn params(&self) -> Vec<&'static str> {
        let (_, params) = self.before.split_once('(').unwrap_or_default();
        params.trim_end_matches(')').split(", ").collect()
    }
}

const fn renamed(word: &'static str, before: &'static str, now: &'static str, name: &'static str) -> LanguageChange {
    let rewrite = Rewrite::Name { of: None, now: name };
    LanguageChange { place: ChangeKind::Function, word, before, now, about: "", rewrite }
}

const fn call(
    word: &'static str,
    before: &'static str,
    now: &'static str,
    only_if: Option<(usize, ArgumentForm)>,
) -> LanguageChange {
    LanguageChange { place: ChangeKind::Function, word, before, now, about: "", rewrite: Rewrite::Call(only_if) }
}

const fn filter(word: &'static str) -> LanguageChange {
    LanguageChange {
        place: ChangeKind::Key,
        word,
        before: word,
        now: "a condition in the first line of the function in `rules.rhai`",
        about: "",
        rewrite: Rewrite::Condition,
    }
}

const fn reason(of: &'static str, before: &'static str, now: &'static str) -> LanguageChange {
    let rewrite = Rewrite::Name { of: Some(of), now: "reason" };
    LanguageChange { place: ChangeKind::Property, word: "why", before, now, about: "", rewrite }
}

const fn meaning(
    word: &'static str,
    calls: &'static [&'static str],
    before: &'static str,
    now: &'static str,
) -> LanguageChange {
    LanguageChange { place: ChangeKind::Meaning(calls), word, before, now, about: "", rewrite: Rewrite::ByHand }
}

/// Every change since the language was first published, up to version 1.
pub(crate) const CHANGES: &[LanguageChange] = &[
    renamed("count_of", "count_of(player, token)", "n_tokens(player, token)", "n_tokens"),
    renamed("stock", "stock(token)", "token_stock(token)", "token_stock"),
    renamed("value_for", "feature.value_for(player)", "feature.value_at_end(player)", "value_at_end"),
    reason("turn", "turn.why", "turn.reason"),
    reason("move", "move.why", "move.reason"),
    LanguageChange {
        place: ChangeKind::Property,
        word: "value",
        before: "feature.value",
        now: "feature.value_at_end()",
        about: "Other values may have a key `value`, which stays.",
        rewrite: Rewrite::ByHand,
    },
    call("ask_or_pass", "ask_or_pass(player, prompt, options)", "ask(player, prompt, options, #{ pass: true })", None),
    call(
        "ask_or_pass",
        "ask_or_pass(player, prompt, word, options)",
        "ask(player, prompt, options, #{ word: word, pass: true })",
        None,
    ),
    call(
        "ask",
        "ask(player, prompt, word, options)",
        "ask(player, prompt, options, #{ word: word })",
        Some((3, ArgumentForm::Text)),
    ),
    call(
        "extra_part",
        "extra_part(reason, \"now\")",
        "extra_part(reason, #{ when: \"now\" })",
        Some((2, ArgumentForm::OneOf(&["now", "after"]))),
    ),
    call(
        "extra_part",
        "extra_part(reason, deck)",
        "extra_part(reason, #{ deck: deck })",
        Some((2, ArgumentForm::NoMap)),
    ),
    call("extra_part", "extra_part(reason, deck, when)", "extra_part(reason, #{ deck: deck, when: when })", None),
    call(
        "open_zones",
        "open_zones(kinds, without)",
        "open_zones(kinds, #{ without: without })",
        Some((2, ArgumentForm::NoMap)),
    ),
    call("return_piece", "return_piece(piece)", "return_piece(piece, \"returned\")", None),
    call("take_pile", "take_pile(pile, spot, n)", "take_pile(pile, #{ from: spot, n: n })", None),
    call(
        "take_pile",
        "take_pile(pile, feature)",
        "take_pile(pile, #{ from: feature })",
        Some((2, ArgumentForm::NoMap)),
    ),
    call("return_pile", "return_pile(pile, spot, n)", "take_pile(pile, #{ from: spot, n: n, to_stock: true })", None),
    filter("only_mem"),
    filter("only_hand"),
    filter("only_larger"),
    filter("only_completed"),
    meaning(
        "filters of a [[phase]] in the slots `scored` and `end`, and of [hook.part_ended]",
        &[],
        "They tested the tile that was laid in this part of the turn.",
        "They test the features that were completed in this part of the turn.",
    ),
    meaning(
        "`value_at_end` and `score_as_at_end` of a complete feature",
        &["score_as_at_end", "value_at_end", "value_for"],
        "They paid what the feature would pay if the game ended now.",
        "They pay 0 if the feature pays on completion, because it was scored already, or will be at the end of this part. Write \
         `if feature.is_complete { score(player, feature.value_now(player), reason) }` for the points of completion.",
    ),
];

/// Returns the help text for a function or property from an earlier version of the language; `None`
/// for other names. `of` is the type of the value that has the property, if it is known.
pub(crate) fn help_for(name: &str, of: Option<&str>) -> Option<String> {
    let is_script = |change: &&LanguageChange| matches!(change.place, ChangeKind::Function | ChangeKind::Property);
    let rows: Vec<&LanguageChange> = CHANGES.iter().filter(is_script).filter(|change| change.word == name).collect();
    let first = *rows.first()?;
    let is_of_type = |row: &&LanguageChange| {
        let owner = if let Rewrite::Name { of, .. } = row.rewrite { of } else { None };
        of.zip(owner).is_some_and(|(of, owner)| of.eq_ignore_ascii_case(owner))
    };
    let own: Vec<&LanguageChange> = rows.iter().copied().filter(is_of_type).collect();
    let rows = if own.is_empty() { rows } else { own };
    // `migrate` does not choose between several replacements of a property.
    let by_hand = first.rewrite == Rewrite::ByHand || first.place == ChangeKind::Property && rows.len() > 1;
    let rewrites = if by_hand { "" } else { ", or run `bastide migrate`" };
    Some(format!("`{name}` was renamed; write {}{rewrites}", successors(&rows)))
}

/// Returns the text to write instead of a changed word. For a property, lists every replacement,
/// because their values may differ. For a function, shows only the first replacement, the usual
/// form.
fn successors(rows: &[&LanguageChange]) -> String {
    let is_shown = |(i, row): &(usize, &&LanguageChange)| *i == 0 || row.place == ChangeKind::Property;
    let shown = rows.iter().enumerate().filter(is_shown).map(|(_, row)| format!("`{}`", row.now));
    shown.collect::<Vec<_>>().join(" or ")
}

/// Returns whether [`migrate`] rewrites a call of `name` with these arguments. An argument that is
/// not a literal may have any text.
pub(crate) fn migrates_call(name: &str, args: &[String]) -> bool {
    let is_call = |change: &LanguageChange| {
        let Rewrite::Call(only_if) = change.rewrite else { return false };
        let fits = |(n, form): (usize, ArgumentForm)| args.get(n - 1).is_some_and(|arg| form.fits(arg));
        change.params().len() == args.len() && only_if.is_none_or(fits)
    };
    CHANGES.iter().any(|change| change.word == name && is_call(change))
}

/// Returns the help text for a manifest key from an earlier version of the language; `None` for
/// other keys.
pub fn help_for_key(key: &str) -> Option<&'static str> {
    let is_filter = CHANGES.iter().any(|change| change.place == ChangeKind::Key && change.word == key);
    is_filter.then_some(
        "put conditions of a rule in the script: `return` in the first line of the function, or run `bastide migrate`",
    )
}

/// Returns the advice about filters of functions that the engine calls after scoring, whose meaning
/// changed.
pub fn advice_on_late_filters() -> String {
    CHANGES.iter().find(|change| change.place == ChangeKind::Meaning(&[])).map_or_else(String::new, new_meaning)
}

/// Returns the page of changes, as Markdown.
pub fn changes() -> String {
    let mut page = include_str!("changes.md").replace("{api}", &API_VERSION.to_string());
    let mut table = |title: &str, heads: [&str; 2], is_meaning: bool| {
        // Writing to a text cannot fail.
        let _ = write!(page, "\n## {title}\n\n| {} | {} | |\n|---|---|---|\n", heads[0], heads[1]);
        for change in CHANGES.iter().filter(|change| matches!(change.place, ChangeKind::Meaning(_)) == is_meaning) {
            let LanguageChange { word, before, now, about, rewrite, .. } = change;
            let _ = match change.place {
                ChangeKind::Meaning(_) => writeln!(page, "| {word} | {before} | {now} |"),
                _ => {
                    let how = if *rewrite == Rewrite::ByHand { "by hand" } else { "`bastide migrate`" };
                    let now = if now.contains(' ') && !now.contains('(') { (*now).into() } else { format!("`{now}`") };
                    let about = if about.is_empty() { String::new() } else { format!(". {about}") };
                    writeln!(page, "| `{before}` | {now}{about} | {how} |")
                }
            };
        }
    };
    table("Words", ["before", "now"], false);
    table("Meanings", ["what", "before"], true);
    page.replace("| what | before | |", "| what | before | now |")
}

/// A place in a script that [`migrate`] has rewritten, or that the author must rewrite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MigratedPlace {
    /// The line in the old text, counted from 1.
    pub line: usize,
    /// The old text at this place.
    pub before: String,
    /// The new text at this place, or the advice to the author; empty if the text is removed.
    pub now: String,
}

/// A script in the current language, as far as a program can rewrite it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Migration {
    /// The new text. Comments, order and spaces are unchanged.
    pub text: String,
    /// The places that [`migrate`] has rewritten, from the first line to the last.
    pub rewritten: Vec<MigratedPlace>,
    /// The places that the author must rewrite, from the first line to the last.
    pub undecided: Vec<MigratedPlace>,
}

/// Rewrites a script of an earlier version of the language. Functions that the script itself
/// defines keep their names.
pub fn migrate(text: &str) -> Migration {
    let mut done = Migration { text: text.to_owned(), ..Migration::default() };
    // Rewrites from the end to the beginning. Therefore a call among the arguments of another call
    // is rewritten first, and the lines that are still to be rewritten keep their numbers.
    let mut before = text.len();
    while let Some(found) = last_change(&done.text, before) {
        let Occurrence { name, whole, now } = found;
        before = name.start;
        let line = line_of(&done.text, name.start);
        let old = done.text.get(whole.clone()).unwrap_or_default().to_owned();
        match now {
            Remedy::Text(now) => {
                done.text.replace_range(whole, &now);
                done.rewritten.push(MigratedPlace { line, before: old, now });
            }
            Remedy::Advice(advice) => done.undecided.push(MigratedPlace { line, before: old, now: advice }),
        }
    }
    done.rewritten.reverse();
    done.undecided.extend(changed_meanings(text));
    done.undecided.sort_by_key(|place| place.line);
    done
}

/// Returns the calls in a script whose meaning changed, with their new meaning. Ignores functions
/// that the script itself defines.
fn changed_meanings(text: &str) -> Vec<MigratedPlace> {
    let words: Vec<ScriptToken> = lex(text);
    let code: Vec<&ScriptToken> = words.iter().filter(|word| word.kind != ScriptTokenKind::Comment).collect();
    let written = |word: &ScriptToken| text.get(word.bytes.clone()).unwrap_or_default();
    let pairs = || code.iter().zip(code.iter().skip(1));
    let own: Vec<&str> = pairs().filter(|(word, _)| written(word) == "fn").map(|(_, name)| written(name)).collect();
    let calls = pairs().filter(|(name, next)| name.kind == ScriptTokenKind::Name && written(next).starts_with('('));
    let changed = calls.filter_map(|(name, _)| Some((name, changed_meaning(written(name))?)));
    let foreign = changed.filter(|(name, _)| !own.contains(&written(name)));
    foreign
        .map(|(name, change)| MigratedPlace {
            line: line_of(text, name.bytes.start),
            before: written(name).to_owned(),
            now: new_meaning(change),
        })
        .collect()
}

/// Returns the change of the meaning of the function `name`, if it changed.
fn changed_meaning(name: &str) -> Option<&'static LanguageChange> {
    let is_it = |change: &&LanguageChange| matches!(change.place, ChangeKind::Meaning(calls) if calls.contains(&name));
    CHANGES.iter().find(is_it)
}

/// Returns the advice about a word whose meaning changed.
fn new_meaning(change: &LanguageChange) -> String {
    format!("the meaning of {} changed. {}", change.word, change.now)
}

/// Returns the number of the line that contains the byte `at`, counted from 1.
fn line_of(text: &str, at: usize) -> usize {
    text.get(..at).map_or(1, |above| above.matches('\n').count() + 1)
}

/// An occurrence of a changed word in a script.
struct Occurrence {
    name: Range<usize>,
    /// The range of the text to replace.
    whole: Range<usize>,
    now: Remedy,
}

/// The remedy for an occurrence of a changed word.
enum Remedy {
    /// The text in place of the whole occurrence.
    Text(String),
    /// The advice to the author, who must change the occurrence.
    Advice(String),
}

/// Returns the last changed word that begins before byte `before`, if there is one.
fn last_change(text: &str, before: usize) -> Option<Occurrence> {
    let words: Vec<ScriptToken> = lex(text);
    let code: Vec<&ScriptToken> = words.iter().filter(|word| word.kind != ScriptTokenKind::Comment).collect();
    let at = |n: usize| code.get(n).and_then(|word| text.get(word.bytes.clone())).unwrap_or_default();
    let is_own = |name: &str| (1..code.len()).any(|n| at(n) == name && at(n - 1) == "fn");
    let names = code.iter().enumerate().rev().filter(|(_, word)| word.kind == ScriptTokenKind::Name);
    names.filter(|(_, word)| word.bytes.start < before).find_map(|(n, word)| {
        let name = word.bytes.clone();
        let (written, last, next) = (at(n), n.checked_sub(1).map_or("", at), at(n + 1));
        let (is_call, is_method) = (next == "(" || next == "()", matches!(last, "." | "?."));
        let place = if is_call { ChangeKind::Function } else { ChangeKind::Property };
        let rows = CHANGES.iter().filter(|change| change.word == written && change.place == place);
        let rows: Vec<&LanguageChange> = rows.collect();
        let first = *rows.first()?;
        if last == "fn" || !is_call && !is_method || is_own(written) {
            return None;
        }
        let about = if first.about.is_empty() { String::new() } else { format!(". {}", first.about) };
        let advice = || format!("write {}{about}", successors(&rows));
        let found = |now| Some(Occurrence { whole: name.clone(), name: name.clone(), now });
        match first.rewrite {
            Rewrite::Name { .. } => {
                let receiver = n.checked_sub(2).map_or("", at);
                let names = rows.iter().filter_map(|change| match change.rewrite {
                    Rewrite::Name { of, now } if of.is_none_or(|of| of == receiver) => Some(now),
                    _ => None,
                });
                // The table names no replacement for a receiver with this name, so the author must
                // decide. However, if the script makes maps with this key, the property is probably
                // such a key and stays.
                let is_own_key = (1..code.len()).any(|n| at(n - 1) == written && matches!(at(n), ":" | "="));
                match names.into_iter().next() {
                    Some(now) => found(Remedy::Text(now.to_owned())),
                    None if is_own_key => None,
                    None => found(Remedy::Advice(advice())),
                }
            }
            Rewrite::ByHand | Rewrite::Condition => found(Remedy::Advice(advice())),
            Rewrite::Call(_) => {
                let call = Arguments::parse(text, &words, name.end);
                let rewritten = call.as_ref().and_then(|call| {
                    let now = rows.iter().find_map(|change| call.rewrite(change, is_method))?;
                    Some(Occurrence { whole: name.start..call.end, name: name.clone(), now: Remedy::Text(now) })
                });
                // No row of the table describes this form of the call. The author must rewrite the
                // call if its name no longer exists, or if it may be a call of an earlier version.
                let is_gone = crate::api::table().iter().all(|entry| entry.name != written);
                let may_be_old = || call.as_ref().is_some_and(|call| rows.iter().any(|it| call.may_be(it, is_method)));
                rewritten.or_else(|| if is_gone || may_be_old() { found(Remedy::Advice(advice())) } else { None })
            }
        }
    })
}

/// The arguments of a call.
struct Arguments {
    texts: Vec<String>,
    /// The offset of the first byte after the closing bracket.
    end: usize,
}

impl Arguments {
    /// Parses the arguments of the call whose name ends at byte `from`. Returns `None` if the call
    /// is not complete, or if it contains comments.
    fn parse(text: &str, words: &[ScriptToken], mut from: usize) -> Option<Arguments> {
        let mut depth = 0usize;
        let mut texts = Vec::new();
        let name_end = from;
        for word in words.iter().skip_while(|word| word.bytes.start < name_end) {
            let written = text.get(word.bytes.clone())?;
            match (word.kind, written) {
                (ScriptTokenKind::Comment, _) => return None,
                // The lexer reads empty brackets as the value `()`.
                (_, "()") if depth == 0 => return Some(Arguments { texts, end: word.bytes.end }),
                (ScriptTokenKind::Sign, "(") if depth == 0 => (depth, from) = (1, word.bytes.end),
                (ScriptTokenKind::Sign, "(" | "[" | "{" | "#{") => depth += 1,
                (ScriptTokenKind::Sign, ")" | "]" | "}") => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        let last = text.get(from..word.bytes.start)?.trim();
                        if !last.is_empty() || !texts.is_empty() {
                            texts.push(last.to_owned());
                        }
                        // A comma may follow the last argument.
                        if texts.last().is_some_and(String::is_empty) {
                            texts.pop();
                        }
                        return Some(Arguments { texts, end: word.bytes.end });
                    }
                }
                (ScriptTokenKind::Sign, ",") if depth == 1 => {
                    texts.push(text.get(from..word.bytes.start)?.trim().to_owned());
                    from = word.bytes.end;
                }
                _ => {}
            }
        }
        None
    }

    /// Returns whether the call could come from an earlier version, although `change` does not
    /// apply. This is so if the call passes a variable or a list of texts in place of the quoted
    /// text that `change` requires. Returns false for a call that ends with named options, because
    /// such a call is of the current version.
    fn may_be(&self, change: &LanguageChange, is_method: bool) -> bool {
        let is_named = self.texts.last().is_some_and(|last| last.starts_with("#{"));
        let is_same_length = self.texts.len() + usize::from(is_method) == change.params().len();
        is_same_length && !is_named && matches!(change.rewrite, Rewrite::Call(Some((_, ArgumentForm::Text))))
    }

    /// Returns the new call without its receiver; `None` if `change` does not apply to this call.
    fn rewrite(&self, change: &LanguageChange, is_method: bool) -> Option<String> {
        let Rewrite::Call(only_if) = change.rewrite else { return None };
        let (params, receiver) = (change.params(), usize::from(is_method));
        if self.texts.len() + receiver != params.len() {
            return None;
        }
        let argument = |i: usize| i.checked_sub(receiver).and_then(|i| self.texts.get(i)).map(String::as_str);
        if only_if.is_some_and(|(n, form)| !argument(n - 1).is_some_and(|text| form.fits(text))) {
            return None;
        }
        let (name, words) = change.now.split_once('(')?;
        let words = words.split(' ').skip(receiver).map(|word| {
            // The colon after a key of the named options tells it from a parameter.
            let (param, end) = word.split_at(word.trim_end_matches([',', ')']).len());
            let given = params.iter().position(|it| *it == param).and_then(argument);
            format!("{}{end}", given.unwrap_or(param))
        });
        Some(format!("{name}({}", words.collect::<Vec<_>>().join(" ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_rewritten_and_everything_else_stays() {
        for (before, now) in [
            ("count_of(p, \"coin\")", "n_tokens(p, \"coin\")"),
            ("p.count_of(\"coin\")", "p.n_tokens(\"coin\")"),
            ("turn.why == \"x\" && map.why", "turn.reason == \"x\" && map.why"),
            ("for move in scoring.moves { note(move.why); }", "for move in scoring.moves { note(move.reason); }"),
            ("ask_or_pass(p, \"?\", [1, 2])", "ask(p, \"?\", [1, 2], #{ pass: true })"),
            ("ask(p, \"?\", \"go\", [[1], [2]])", "ask(p, \"?\", [[1], [2]], #{ word: \"go\" })"),
            ("p.ask(\"?\", \"go\", list)", "p.ask(\"?\", list, #{ word: \"go\" })"),
            ("ask(p, \"?\", list, #{ word: \"go\" })", "ask(p, \"?\", list, #{ word: \"go\" })"),
            ("extra_part(\"a\", \"now\")", "extra_part(\"a\", #{ when: \"now\" })"),
            ("extra_part(\"a\", \"b\", \"now\")", "extra_part(\"a\", #{ deck: \"b\", when: \"now\" })"),
            ("extra_part(\"a\", #{ deck: \"b\" })", "extra_part(\"a\", #{ deck: \"b\" })"),
            ("return_piece(stock(\"x\"))", "return_piece(token_stock(\"x\"), \"returned\")"),
            ("piece.return_piece();", "piece.return_piece(\"returned\");"),
            ("return_pile(\"g\", s, 1 + f(2, 3))", "take_pile(\"g\", #{ from: s, n: 1 + f(2, 3), to_stock: true })"),
            ("// stock(x)\nlet s = \"stock(1)\";  /* why */", "// stock(x)\nlet s = \"stock(1)\";  /* why */"),
            ("fn stock(a) { a }\nlet x = stock(1);", "fn stock(a) { a }\nlet x = stock(1);"),
            ("ask(p, `${stock(\"a\")} left`, list)", "ask(p, `${token_stock(\"a\")} left`, list)"),
        ] {
            assert_eq!(migrate(before).text, now, "{before}");
            assert_eq!(migrate(now).text, now, "rewriting twice changes nothing");
        }
    }

    #[test]
    fn places_have_lines_and_the_author_decides_what_a_program_cannot() {
        let done = migrate("let a = 1;\nlet b = way.value;\n\nreturn_piece( // all\n  piece);\ncount_of(p, \"c\");");
        let places = |list: &[MigratedPlace]| -> Vec<(usize, String)> {
            list.iter().map(|place| (place.line, place.before.clone())).collect()
        };
        assert_eq!(places(&done.rewritten), [(6, "count_of".to_owned())]);
        assert_eq!(places(&done.undecided), [(2, "value".to_owned())], "the call with a comment is a problem of check");
        assert!(done.undecided[0].now.contains("value_at_end()"), "{:?}", done.undecided);
        let own = migrate("let it = #{ why: 1 };\nnote(it.why);");
        assert_eq!(own, Migration { text: own.text.clone(), ..Migration::default() }, "a key of the script's own maps");
        let moves = migrate("scoring.moves.filter(|it| it.why == \"toll\")");
        assert_eq!(moves.undecided[0].now, "write `turn.reason` or `move.reason`");
        let asked = migrate("ask(p, \"?\", [\"a\", \"b\"], zones);\nask(p, \"?\", list, #{ pass: true });");
        assert_eq!(places(&asked.undecided), [(1, "ask".to_owned())], "the words of an earlier version may be a list");
        let paid = migrate("\nscore_as_at_end(p, f, \"a\");\nfn value_at_end(a) { a }\nvalue_at_end(1);");
        assert_eq!(places(&paid.undecided), [(2, "score_as_at_end".to_owned())], "calls whose meaning changed");
    }

    /// Compares the page with its copy in a file, which people can read without the program.
    #[test]
    fn the_page_is_up_to_date() {
        expect_test::expect_file!["../docs/changes.md"].assert_eq(&changes());
    }

    #[test]
    fn every_change_names_a_word_that_is_gone_or_a_call_that_differs() {
        for change in CHANGES {
            let is_known = crate::api::table().iter().any(|entry| entry.name == change.word);
            let may_stay =
                matches!((change.place, change.rewrite), (_, Rewrite::Call(_)) | (ChangeKind::Meaning(_), _));
            assert!(!is_known || may_stay, "{}", change.word);
            assert!(changes().contains(change.before), "{}", change.before);
            let now = match change.rewrite {
                Rewrite::Name { now, .. } => now,
                Rewrite::Call(_) => change.now.split('(').next().unwrap_or_default(),
                Rewrite::Condition | Rewrite::ByHand => continue,
            };
            assert!(crate::api::table().iter().any(|entry| entry.name == now), "{now}");
        }
    }
}
