//! Finds functions and properties in the reference and in the language's library.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use crate::api::{ApiEntry, EntrySyntax, table};

/// Returns the names of library functions, each with the numbers of arguments that it takes,
/// including a receiver.
pub(super) fn library() -> &'static BTreeMap<String, BTreeSet<usize>> {
    static LIBRARY: OnceLock<BTreeMap<String, BTreeSet<usize>>> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let mut functions: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for (name, n) in crate::engine::library() {
            functions.entry(name).or_default().insert(n);
        }
        functions
    })
}

/// Returns the property called `name` of the type `of`, or else the method with this name. Returns
/// `None` if there is neither.
pub(super) fn member(of: &str, name: &str) -> Option<&'static ApiEntry> {
    let named = members(of).filter(|entry| entry.name == name);
    named.min_by_key(|entry| entry.form == EntrySyntax::Method)
}

pub(super) fn members(of: &str) -> impl Iterator<Item = &'static ApiEntry> {
    table().iter().filter(move |e| e.form != EntrySyntax::Function && e.params.first().is_some_and(|p| p.name == of))
}

pub(super) fn entries(name: &str) -> impl Iterator<Item = &'static ApiEntry> {
    table().iter().filter(move |entry| entry.form != EntrySyntax::Property && entry.name == name)
}
