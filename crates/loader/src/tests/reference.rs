//! Compares the reference of manifests and tiles with the code that reads these files.

use std::collections::BTreeSet;

use crate::declare::{TILE_KEYS, ZONE_KEYS};
use crate::{MOD_REFERENCE, TILES_REFERENCE};

/// Returns the keys that a reader requests, according to its source text: the texts after `(p, ` or
/// `get(`.
fn keys(source: &str) -> BTreeSet<&str> {
    let calls = ["text(p, ", "texts(p, ", "number(p, ", "flag(p, ", "choice(p, ", "get(", "need(p, ", "fields, "];
    let after = calls.iter().flat_map(|call| source.split(*call).skip(1));
    let key = after.filter_map(|rest| rest.strip_prefix('"')?.split('"').next());
    key.filter(|key| !key.is_empty()).collect()
}

#[test]
fn every_key_is_in_the_reference() {
    let sources = [include_str!("../manifest.rs"), include_str!("../declare.rs"), include_str!("../filters.rs")];
    let keys: BTreeSet<&str> = sources.into_iter().flat_map(keys).collect();
    assert!(keys.len() > 45 && keys.contains("blocked_by") && keys.contains("only_with"), "{keys:?}");
    let is_said =
        |key: &&str| MOD_REFERENCE.contains(&format!("`{key}`")) || MOD_REFERENCE.contains(&format!("[{key}"));
    let unsaid: Vec<&str> = keys.into_iter().filter(|key| !is_said(key)).collect();
    assert_eq!(unsaid, [] as [&str; 0]);
    for key in TILE_KEYS.into_iter().chain(ZONE_KEYS) {
        assert!(TILES_REFERENCE.contains(&format!("| `{key}` |")), "{key}");
    }
}
