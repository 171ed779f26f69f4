//! Suggests completions for a partly written word.

use std::collections::BTreeSet;
use std::ops::Range;

use keys::{Key, ManifestFile, Takes};
use script::{ReferenceEntry, Vocabulary, reference};
use theme::{Palette, builtin_icons};

use super::entry::{declared, key_doc, keys};
use super::place::{CursorContext, cursor_context, name_at, value_key};
use super::{Doc, Language, TextSpan, outline};

/// The maximum number of completions to return.
const MAX_COMPLETIONS: usize = 60;

/// A completion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompletionItem {
    /// The displayed word.
    pub label: String,
    /// The text to insert.
    pub insert: String,
    /// The distance, in bytes, from the cursor after the insertion to the end of the inserted text.
    /// It is 1 if the cursor belongs before a closing bracket.
    pub back: usize,
    /// The documentation of the word.
    pub doc: Doc,
}

/// Completions at a cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// The range of the partly written word, in bytes.
    pub bytes: Range<usize>,
    /// The completions, best first.
    pub items: Vec<CompletionItem>,
}

/// The keywords that completions offer.
const KEYWORDS: [&str; 12] =
    ["let", "const", "fn", "if", "else", "for", "in", "while", "return", "true", "false", "switch"];

/// Returns the completions at byte `at`; `None` if there are none.
///
/// `asked` is true if the user requested completions, and false if the user is only typing. In the
/// second case, the partly written word must have at least two letters or follow a dot.
pub fn complete(
    language: Language,
    text: &str,
    spans: &[TextSpan],
    at: usize,
    words: &Vocabulary,
    asked: bool,
) -> Option<Completion> {
    let start = name_at(text, at).start;
    let written = text.get(start..at)?;
    let place = cursor_context(language, text, spans, start, at);
    let is_member = matches!(place, CursorContext::Member(_));
    let least = if is_member { 0 } else { 2 };
    if !asked && written.len() < least {
        return None;
    }
    let is_called = text.get(at..).is_some_and(|rest| rest.starts_with('('));
    let items = match place {
        CursorContext::Nowhere => return None,
        CursorContext::Text | CursorContext::Value => match value_key(language, text, start) {
            Some(key) => values(key).unwrap_or_else(|| declared_items(words)),
            None => declared_items(words),
        },
        CursorContext::Member(of) => members(&of, words, is_called),
        CursorContext::Definition => definitions(text, words),
        CursorContext::Code => code(text, start, words, is_called),
        CursorContext::Heading(file) => file.root.names().map(|table| plain_item(table, "table")).collect(),
        CursorContext::Key(file, table) => {
            let set = keys_set_around(text, at);
            table_items(file, &table, words).into_iter().filter(|item| !set.contains(&item.label.as_str())).collect()
        }
    };
    let items = matching(items, written);
    let says_nothing = items.len() == 1 && items.first().is_some_and(|item| item.insert == written);
    (!items.is_empty() && !says_nothing).then_some(Completion { bytes: start..at, items })
}

/// Returns the items whose labels contain `written`: first those that begin with it, then those
/// with a later word that begins with it, such as `is_complete` for `c`, and then all others. If
/// `written` is a single letter, omits the others.
fn matching(items: Vec<CompletionItem>, written: &str) -> Vec<CompletionItem> {
    let small = written.to_ascii_lowercase();
    let rank = |item: &CompletionItem| {
        let label = item.label.to_ascii_lowercase();
        match () {
            () if label.starts_with(&small) => Some(0),
            () if label.split('_').any(|word| word.starts_with(&small)) => Some(1),
            () => (small.len() > 1 && label.contains(&small)).then_some(2),
        }
    };
    let mut seen = BTreeSet::new();
    let mut ranked: Vec<(u8, CompletionItem)> =
        items.into_iter().filter_map(|item| Some((rank(&item)?, item))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let items = ranked.into_iter().map(|(_, item)| item).filter(|item| seen.insert(item.label.clone()));
    items.take(MAX_COMPLETIONS).collect()
}

fn plain_item(label: &str, kind: &str) -> CompletionItem {
    CompletionItem { label: label.to_owned(), insert: label.to_owned(), back: 0, doc: Doc::new(label, kind, "") }
}

/// Returns a completion for a function. If `is_called` is true, the text already has brackets after
/// the name; otherwise adds them.
fn function_item(name: &str, signature: &str, is_called: bool, doc: Doc) -> CompletionItem {
    let brackets = if is_called { "" } else { "()" };
    let back = usize::from(!is_called && !signature.ends_with("()"));
    CompletionItem { label: name.to_owned(), insert: format!("{name}{brackets}"), back, doc }
}

/// Returns a completion for an entry of the reference; see [`function_item`] for `is_called`.
fn entry_item(entry: &ReferenceEntry, is_called: bool) -> CompletionItem {
    function_item(entry.name, &entry.signature, entry.is_property || is_called, Doc::from_entry(entry))
}

/// Returns the values of a key whose value is an icon, or one of a few words. Returns `None` for
/// all other keys.
fn values(key: &Key) -> Option<Vec<CompletionItem>> {
    match key.takes {
        Takes::OneOf(values) => {
            let about = format!("value of {}", key.name);
            Some(values.iter().map(|value| plain_item(value, &about)).collect())
        }
        Takes::Icon | Takes::IconOrFalse => {
            Some(builtin_icons().map(|(name, _)| plain_item(name, "built-in icon")).collect())
        }
        _ => None,
    }
}

fn declared_items(words: &Vocabulary) -> Vec<CompletionItem> {
    declared(words).into_iter().map(|(name, what)| plain_item(name, what)).collect()
}

fn members(of: &str, words: &Vocabulary, is_called: bool) -> Vec<CompletionItem> {
    match of {
        "settings" => return words.settings.iter().map(|name| plain_item(name, "setting of this mod")).collect(),
        "mem" => {
            return [
                ("part", "stored data of this mod, cleared when the part of the turn ends"),
                ("turn", "stored data of this mod, cleared when the turn ends"),
                ("game", "stored data of this mod, never cleared"),
            ]
            .map(|(name, about)| plain_item(name, about))
            .to_vec();
        }
        _ => {}
    }
    let receiver = |entry: &ReferenceEntry| entry.signature.split('.').next().map(str::to_owned).unwrap_or_default();
    // Authors usually name a variable after its type. So members come first if their type has the
    // name of the receiver.
    let is_own = |entry: &&ReferenceEntry| {
        !of.is_empty() && (receiver(entry) == of || of.ends_with(&format!("_{}", receiver(entry))))
    };
    let mut found: Vec<&ReferenceEntry> = reference().iter().filter(|entry| entry.is_member).collect();
    found.sort_by_key(|entry| (!is_own(entry), entry.name));
    found.into_iter().map(|entry| entry_item(entry, is_called)).collect()
}

/// Returns completions for hooks, and for the functions of phases and options. Omits functions that
/// the script already has.
fn definitions(text: &str, words: &Vocabulary) -> Vec<CompletionItem> {
    let there: BTreeSet<String> = outline(text).into_iter().map(|function| function.name).collect();
    let hooks = reference()
        .iter()
        .filter(|entry| entry.kind.is_hook())
        .map(|entry| (entry.signature.clone(), Doc::from_entry(entry)));
    let phase = |id: &String| (format!("phase_{}()", id.replace('-', "_")), "Runs this phase.".to_owned());
    let option = |word: &String| {
        (format!("do_{}(choice)", word.replace('-', "_")), "Applies a choice of this option.".to_owned())
    };
    let own = words.phases.iter().map(phase).chain(words.options.iter().map(option));
    let own = own.map(|(signature, about)| {
        let doc = Doc::new(&signature, "function of this mod", about);
        (signature, doc)
    });
    let item = |(signature, doc): (String, Doc)| {
        let name = signature.split('(').next().unwrap_or_default().to_owned();
        let tail = "\n}";
        CompletionItem { label: name, insert: format!("{signature} {{\n    {tail}"), back: tail.len(), doc }
    };
    own.chain(hooks).map(item).filter(|item| !there.contains(&item.label)).collect()
}

/// Returns completions for code: names in the same function, functions of the script, functions of
/// the engine, and keywords.
fn code(text: &str, start: usize, words: &Vocabulary, is_called: bool) -> Vec<CompletionItem> {
    let functions = outline(text);
    let own = functions.iter().find(|function| function.bytes.contains(&start));
    let mut names = BTreeSet::new();
    if let Some(body) = own.and_then(|own| text.get(own.bytes.clone())) {
        let offset = own.map_or(0, |own| own.bytes.start);
        for word in script::lex(body).into_iter().filter(|word| word.kind == script::ScriptTokenKind::Name) {
            let is_this = word.bytes.start + offset == start;
            let behind_dot = body.get(..word.bytes.start).is_some_and(|before| before.ends_with('.'));
            let is_call = body.get(word.bytes.end..).is_some_and(|after| after.starts_with('('));
            if !is_this && !behind_dot && !is_call {
                names.extend(body.get(word.bytes).map(str::to_owned));
            }
        }
    }
    let near = names.iter().map(|name| plain_item(name, "name in this function"));
    let own = functions.iter().filter(|f| reference().iter().all(|entry| entry.name != f.name));
    let own = own.map(|function| function_item(&function.name, &function.signature, is_called, function.doc()));
    let mut known: Vec<&ReferenceEntry> =
        reference().iter().filter(|entry| !entry.is_member && !entry.kind.is_hook()).collect();
    known.sort_by_key(|entry| entry.name);
    let known = known.into_iter().map(|entry| entry_item(entry, is_called));
    let variables = [
        ("turn", "the turn"),
        ("settings", "the settings chosen for this game"),
        ("mem", "the stored data of this mod"),
        ("nobody", "the owner of things that belong to no player"),
    ];
    let variables = variables.iter().filter(|(name, _)| *name != "settings" || !words.settings.is_empty());
    let variables = variables.map(|(name, what)| plain_item(name, what));
    let keywords = KEYWORDS.iter().map(|word| plain_item(word, "keyword"));
    near.chain(own).chain(variables).chain(known).chain(keywords).collect()
}

/// Returns the keys that the table around byte `at` sets, except on the line of `at`.
fn keys_set_around(text: &str, at: usize) -> Vec<&str> {
    let is_heading = |line: &&str| line.trim_start().starts_with('[');
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    // Skips the line that the user is writing.
    let above = before.lines().rev().skip(usize::from(!before.ends_with('\n'))).take_while(|line| !is_heading(line));
    let below = after.lines().skip(1).take_while(|line| !is_heading(line));
    above.chain(below).filter_map(|line| Some(line.split_once('=')?.0.trim())).collect()
}

fn table_items(file: &'static ManifestFile, table: &str, words: &Vocabulary) -> Vec<CompletionItem> {
    let known = keys(file, table).map(|key| {
        let (label, insert) = (key.name.to_owned(), format!("{} = ", key.name));
        CompletionItem { label, insert, back: 0, doc: key_doc(table, key) }
    });
    let colour = |name: &&'static str| {
        let about = Palette::about(name).unwrap_or_default();
        let doc = Doc::new(format!("{name} = \"#rrggbb\""), "colour of a palette", about);
        CompletionItem { label: (*name).to_owned(), insert: format!("{name} = "), back: 0, doc }
    };
    let own: Vec<CompletionItem> = match () {
        () if file == &keys::TILES => declared_items(words),
        () if file == &keys::THEME && table == "palette" => Palette::COLOURS.iter().map(colour).collect(),
        () => Vec::new(),
    };
    known.chain(own).collect()
}
