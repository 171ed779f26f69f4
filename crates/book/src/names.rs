//! The names of tiles, cards and other things as the book writes them.

/// Returns the name of a tile or card without the id of its mod.
pub fn short_name(name: &str) -> &str {
    name.split_once('/').map_or(name, |(_, short)| short)
}

/// Returns a name with spaces instead of underscores.
pub(crate) fn spaced_name(name: &str) -> String {
    name.replace('_', " ")
}
