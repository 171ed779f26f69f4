//! The limits for values and calls of scripts.

/// The maximum nesting depth of function calls.
pub(crate) const MAX_LEVELS: usize = 32;
/// The maximum length of a text, or of all texts in a list or map together, in bytes. The limit is
/// small because a native function that works on a text cannot be interrupted.
pub(crate) const MAX_STRING: usize = 4 * 1024;
/// The maximum number of items of a list, including those of nested lists.
pub(crate) const MAX_ARRAY: usize = 8 * 1024;
/// The maximum number of entries of a map, including those of nested maps.
pub(crate) const MAX_MAP: usize = 1024;
