//! The reference for authors as plain data: hooks, queries, terms, effects and questions.

use std::sync::OnceLock;

use rules::{Hook, HookClass};

use crate::api::{ApiEntry, EntryKind, EntrySyntax, table};
use crate::lex::{ScriptTokenKind, lex};

/// The category of an entry of the reference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ReferenceKind {
    /// A hook that may ask questions and change the game.
    Event,
    /// A hook that returns options.
    Menu,
    /// A hook that reads and returns a value.
    Rule,
    /// A function that only reads the game. Every script function may use a query.
    Query,
    /// A function that changes an award. Only `score_value` and `score_total` may use a term.
    Term,
    /// A function that changes the game. Only events, phases and options may use an effect.
    Effect,
    /// A function that asks a player or chance. Only events, phases and options may use a question.
    Question,
}

impl ReferenceKind {
    /// Returns whether entries of this category are hooks: functions that mods define and the
    /// engine calls.
    pub fn is_hook(self) -> bool {
        matches!(self, ReferenceKind::Event | ReferenceKind::Menu | ReferenceKind::Rule)
    }

    /// Returns the name of this category and a short explanation, such as `effect: in events,
    /// phases and options`.
    pub fn about(self) -> &'static str {
        match self {
            ReferenceKind::Event => "event: may ask questions and change the game",
            ReferenceKind::Menu => "menu: returns a list of options",
            ReferenceKind::Rule => "rule: reads the game and returns a value",
            ReferenceKind::Query => "query: may be used everywhere",
            ReferenceKind::Term => "term: in score_value and score_total",
            ReferenceKind::Effect => "effect: in events, phases and options",
            ReferenceKind::Question => "question: in events, phases and options",
        }
    }
}

/// An entry of the reference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReferenceEntry {
    /// The name of the function, method, property or hook.
    pub name: &'static str,
    /// The category of the entry.
    pub kind: ReferenceKind,
    /// True if scripts write the name after a dot, as in `piece.owner`.
    pub is_member: bool,
    /// True if the entry is a property, which scripts write without brackets.
    pub is_property: bool,
    /// The heading of the entry in the reference; empty for hooks.
    pub topic: &'static str,
    /// The usage, such as `piece.owner`, `supply(player, piece)` or `score_value(feature, score)`.
    pub signature: String,
    /// The type of the result in words; empty if there is no result.
    pub result: String,
    /// The description of the entry, in a sentence or two.
    pub about: &'static str,
    /// Further explanations. For a hook: the way in which the results of several mods combine. For
    /// a function with named options: these options.
    pub more: Vec<String>,
    /// An example: a whole function for a hook, a line for anything else.
    pub example: String,
}

/// The script of a mod with an example of every hook. The tests play this mod like any other.
const EXAMPLES: &str = include_str!("../../../tests/mods/hook-examples/rules.rhai");

/// Returns the example of the hook called `name`, if there is one.
pub(crate) fn example_of(name: &str) -> Option<&'static str> {
    function_in(EXAMPLES, name)
}

/// Returns the reference: hooks first, in the order of the documentation.
pub fn reference() -> &'static [ReferenceEntry] {
    static REFERENCE: OnceLock<Vec<ReferenceEntry>> = OnceLock::new();
    REFERENCE.get_or_init(|| {
        Hook::ALL.iter().map(|hook| hook_entry(*hook)).chain(table().iter().map(reference_entry)).collect()
    })
}

fn hook_entry(hook: Hook) -> ReferenceEntry {
    let info = hook.info();
    ReferenceEntry {
        name: info.name,
        kind: match info.class {
            HookClass::Effect => ReferenceKind::Event,
            HookClass::Options => ReferenceKind::Menu,
            HookClass::Pure => ReferenceKind::Rule,
        },
        is_member: false,
        is_property: false,
        topic: "",
        signature: format!("{}({})", info.name, info.params.join(", ")),
        result: info.result.to_owned(),
        about: info.about,
        more: vec![format!("Several mods: {}.", info.combine)],
        example: example_of(info.name).unwrap_or_default().to_owned(),
    }
}

fn reference_entry(entry: &ApiEntry) -> ReferenceEntry {
    let keys = entry.params.iter().flat_map(|param| param.keys);
    ReferenceEntry {
        name: entry.name,
        kind: match entry.kind {
            EntryKind::Query => ReferenceKind::Query,
            EntryKind::Term => ReferenceKind::Term,
            EntryKind::Effect => ReferenceKind::Effect,
            EntryKind::Question => ReferenceKind::Question,
        },
        is_member: entry.form != EntrySyntax::Function,
        is_property: entry.form == EntrySyntax::Property,
        topic: entry.topic,
        signature: entry.usage(),
        result: entry.result.clone(),
        about: entry.about,
        more: keys.map(|key| format!("{} ({}): {}", key.name, key.takes, key.about)).collect(),
        example: entry.example.to_owned(),
    }
}

/// Returns the text of the function called `name` in a script, with its `///` comment. Returns
/// `None` if there is no such function.
pub(crate) fn function_in<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let words = lex(text);
    let written = |i: usize| words.get(i).and_then(|word| text.get(word.bytes.clone())).unwrap_or_default();
    let begins = (0..words.len()).find(|i| written(*i) == "fn" && written(i + 1) == name)?;
    let is_doc =
        |i: usize| words.get(i).is_some_and(|w| w.kind == ScriptTokenKind::Comment) && written(i).starts_with("///");
    let first = (0..begins).rev().take_while(|i| is_doc(*i)).last().unwrap_or(begins);
    let mut depth = 0usize;
    let last = (begins..words.len()).find(|i| {
        match written(*i) {
            "{" | "#{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && written(*i) == "}"
    })?;
    text.get(words.get(first)?.bytes.start..words.get(last)?.bytes.end)
}
