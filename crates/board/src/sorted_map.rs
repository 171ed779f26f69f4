//! Serializes maps in the order of their keys.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Serialize, Serializer};

/// Writes a map in the order of its keys, so that equal maps have equal bytes.
pub(crate) fn serialize_sorted<K: Ord + Serialize, V: Serialize, S: Serializer>(
    map: &FxHashMap<K, V>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(map.iter().collect::<BTreeMap<_, _>>())
}
