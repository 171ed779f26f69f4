//! Finds the functions of a script, the definitions of names, and the hooks without a function in
//! the script.

use std::ops::Range;

use script::{ScriptTokenKind, Vocabulary, reference};
use theme::Palette;

use super::entry::{declared, entries, is_name, key_doc, keys};
use super::place::{CursorContext, cursor_context, name_at};
use super::{Doc, Language, TextSpan};

/// A function of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionOutline {
    /// The name of the function.
    pub name: String,
    /// The signature of the function: its name with its parameters.
    pub signature: String,
    /// The range of the function, in bytes. Begins with `fn`.
    pub bytes: Range<usize>,
    /// The start of the function's name, in bytes.
    pub at: usize,
    /// The `///` comment before the function; empty if there is none.
    pub comment: String,
    /// True if the engine calls the function: a hook, a phase or an option.
    pub is_hook: bool,
}

impl FunctionOutline {
    /// Returns the documentation of the function.
    pub fn doc(&self) -> Doc {
        Doc::new(&self.signature, "function of this script", &self.comment)
    }
}

/// Returns the hooks that have filters in a manifest: the name of each hook, and its filters in
/// words. Empty if the manifest is invalid.
pub fn hook_filters(manifest: &str) -> Vec<(String, String)> {
    let Ok(manifest) = manifest.parse::<toml_edit::DocumentMut>() else { return Vec::new() };
    let hooks = manifest.get("hook").and_then(|hooks| hooks.as_table_like());
    let words = |value: &toml_edit::Item| match value.as_array() {
        Some(array) => array.iter().filter_map(|it| it.as_str()).collect::<Vec<_>>().join(" or "),
        None => value.as_str().map_or_else(|| value.to_string().trim().to_owned(), str::to_owned),
    };
    let filter = |hook: &toml_edit::Item| {
        let keys = hook.as_table_like()?.iter();
        let only = keys.filter_map(|(key, value)| Some((key.strip_prefix("only_")?.replace('_', " "), words(value))));
        let all: Vec<String> = only.map(|(key, words)| format!("{key} {words}")).collect();
        (!all.is_empty()).then(|| all.join(", "))
    };
    hooks
        .into_iter()
        .flat_map(|hooks| hooks.iter())
        .filter_map(|(name, hook)| Some((name.to_owned(), filter(hook)?)))
        .collect()
}

/// Returns the functions of a script, in the order of the text. The script may be invalid.
pub fn outline(text: &str) -> Vec<FunctionOutline> {
    let words = script::lex(text);
    let written = |i: usize| words.get(i).and_then(|word| text.get(word.bytes.clone())).unwrap_or_default();
    let begins: Vec<usize> = (0..words.len())
        .filter(|i| written(*i) == "fn" && words.get(i + 1).is_some_and(|w| w.kind == ScriptTokenKind::Name))
        .collect();
    let mut found: Vec<FunctionOutline> = Vec::new();
    for (n, i) in begins.iter().copied().enumerate() {
        let (Some(begin), Some(name)) = (words.get(i), words.get(i + 1)) else { continue };
        let is_doc = |i: &usize| {
            words.get(*i).is_some_and(|w| w.kind == ScriptTokenKind::Comment) && written(*i).starts_with("///")
        };
        let mut comment: Vec<&str> =
            (0..i).rev().take_while(is_doc).map(|i| written(i).trim_start_matches('/').trim()).collect();
        comment.reverse();
        // A function ends with its closing brace. An unfinished function ends before the next
        // function.
        let limit = begins.get(n + 1).copied().unwrap_or(words.len());
        let mut depth = 0i32;
        let last = (i..limit).find(|i| {
            depth += i32::from(matches!(written(*i), "{" | "#{")) - i32::from(written(*i) == "}");
            depth == 0 && written(*i) == "}"
        });
        let last = last.unwrap_or(limit.saturating_sub(1));
        let end = words.get(last).map_or(text.len(), |word| word.bytes.end);
        let brace =
            (i..limit).find(|i| written(*i) == "{").and_then(|i| words.get(i)).map_or(end, |word| word.bytes.start);
        let (own, signature) = (written(i + 1), text.get(name.bytes.start..brace).unwrap_or_default());
        let is_hook =
            own.starts_with("phase_") || own.starts_with("do_") || entries(own, false).any(|e| e.kind.is_hook());
        found.push(FunctionOutline {
            name: own.to_owned(),
            signature: signature.trim().to_owned(),
            bytes: begin.bytes.start..end,
            at: name.bytes.start,
            comment: comment.join(" "),
            is_hook,
        });
    }
    found
}

/// A hook for which a script has no function yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingHook {
    /// The name of the hook.
    pub name: &'static str,
    /// The documentation of the hook.
    pub doc: Doc,
    /// An example of a function for the hook.
    pub snippet: String,
}

/// Returns the hooks for which a script has no function, in the order of the reference.
pub fn missing_hooks(text: &str) -> Vec<MissingHook> {
    let there = outline(text);
    let hooks = reference().iter().filter(|entry| entry.kind.is_hook());
    let unused = hooks.filter(|entry| there.iter().all(|function| function.name != entry.name));
    unused
        .map(|entry| MissingHook {
            name: entry.name,
            doc: Doc::from_entry(entry),
            snippet: format!("{}\n", entry.example),
        })
        .collect()
}

/// The place of a definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Definition {
    /// The definition is at this byte of the same text.
    Here(usize),
    /// A manifest declares this name; see [`find_declared`].
    Declared(String),
}

/// Finds the definition of the name at byte `at`: a function of the script, or a declaration in a
/// manifest. Returns `None` if the name is unknown.
pub fn definition(language: Language, text: &str, at: usize, words: &Vocabulary) -> Option<Definition> {
    let name = text.get(name_at(text, at))?;
    if language == Language::Rhai
        && let Some(function) = outline(text).into_iter().find(|function| function.name == name)
    {
        return Some(Definition::Here(function.at));
    }
    let is_known = declared(words).contains_key(name) || words.settings.iter().any(|setting| setting == name);
    is_known.then(|| Definition::Declared(name.to_owned()))
}

/// Returns the byte offset of `name` at the place in a manifest that declares this name: a heading
/// such as `[tag.inn]`, or the `id` of a phase. `None` if the manifest does not declare the name.
pub fn find_declared(manifest: &str, name: &str) -> Option<usize> {
    let mut start = 0;
    for line in manifest.split_inclusive('\n') {
        let trimmed = line.trim();
        let heading = trimmed.strip_prefix('[').and_then(|rest| rest.split(']').next());
        let is_heading = heading
            .and_then(|it| it.trim_start_matches('[').rsplit_once('.'))
            .is_some_and(|(table, last)| last.trim() == name && table != "hook");
        let is_id = trimmed.split('#').next().is_some_and(|it| {
            it.split_once('=').is_some_and(|(key, value)| key.trim() == "id" && value.trim().trim_matches('"') == name)
        });
        if is_heading || is_id {
            return Some(start + line.find(name).unwrap_or(0));
        }
        start += line.len();
    }
    None
}

/// Returns the range of the word at byte `at`, in bytes, and the documentation of the word. `None`
/// if there is no documentation.
pub fn hover(
    language: Language,
    text: &str,
    spans: &[TextSpan],
    at: usize,
    words: &Vocabulary,
) -> Option<(Range<usize>, Vec<Doc>)> {
    let bytes = name_at(text, at);
    let name = text.get(bytes.clone()).filter(|name| is_name(name))?;
    let own = |what: &str| Doc::new(name, what, "");
    let docs: Vec<Doc> = match cursor_context(language, text, spans, bytes.start, bytes.end) {
        CursorContext::Nowhere | CursorContext::Heading(_) => Vec::new(),
        CursorContext::Text | CursorContext::Value => {
            declared(words).get(name).map(|what| own(what)).into_iter().collect()
        }
        CursorContext::Member(of) if of == "settings" => vec![own("setting of this mod")],
        CursorContext::Member(of) => {
            let all: Vec<_> = entries(name, true).collect();
            let fits = |entry: &&script::ReferenceEntry| entry.signature.starts_with(&format!("{of}."));
            let fitting: Vec<Doc> = all.iter().copied().filter(fits).map(Doc::from_entry).collect();
            if fitting.is_empty() { all.into_iter().map(Doc::from_entry).collect() } else { fitting }
        }
        CursorContext::Definition | CursorContext::Code => {
            let of_reference = entries(name, false).map(Doc::from_entry);
            let functions = outline(text).into_iter().filter(|function| function.name == name);
            let mut docs: Vec<Doc> = of_reference.collect();
            if docs.is_empty() {
                docs.extend(functions.map(|function| function.doc()));
            }
            docs
        }
        CursorContext::Key(file, table) => {
            let found = keys(file, &table).filter(|key| key.name == name);
            let colour = Palette::about(name).filter(|_| file == &keys::THEME && table == "palette");
            let of_colour = colour.map(|about| Doc::new(name, "colour of a palette", about));
            found.map(|key| key_doc(&table, key)).chain(of_colour).collect()
        }
    };
    (!docs.is_empty()).then_some((bytes, docs))
}
