//! The limits of icons that messages to authors name.

/// The maximum size of an SVG, in bytes.
pub(crate) const MAX_BYTES: usize = 256 << 10;
/// The maximum nesting depth of elements. An element counts as nested in each `use` that refers to
/// it.
pub(crate) const MAX_DEPTH: usize = 64;
/// The maximum number of namespace declarations in an SVG. The limit is needed because the SVG
/// library compares the declarations of each element with all inherited declarations.
pub(crate) const MAX_NAMESPACES: usize = 20;
/// The maximum count of numbers in all paths together. The limit is needed because the SVG library
/// computes the outline of each line.
pub(crate) const MAX_NUMBERS: usize = 30_000;
/// The maximum number of attributes of an element. The limit is needed because the SVG library
/// compares each attribute with all others.
pub(crate) const MAX_ATTRIBUTES: usize = 100;
/// The maximum number of path elements in an icon. The limit is needed because many tiles may show
/// the same icon.
pub(crate) const MAX_SEGMENTS: usize = 5000;
