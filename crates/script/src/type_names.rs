//! The names of types, and numbers of things, in messages.

use crate::handles::{Handle, for_all_handles};

/// Returns the words of the reference for a type that the interpreter calls `name`.
pub(crate) fn type_in_words(name: &str) -> &'static str {
    match name.trim().trim_start_matches("&mut ") {
        "int" | "i64" | "INT" => "a number",
        "bool" => "a truth value",
        "char" => "a character",
        "string" | "String" | "ImmutableString" | "&str" | "&str | ImmutableString | String" => "a text",
        "array" | "Array" => "a list",
        "map" | "Map" => "a map",
        "()" => "nothing",
        "Fn" | "FnPtr" => "a function",
        "range" | "range=" | "Range" | "RangeInclusive" => "a range",
        "Player" => "a player",
        "Spot" => "a spot",
        "TileType" => "a kind of tile",
        "Tile" => "a tile",
        "Zone" => "a zone",
        "Feature" => "a feature",
        "Piece" => "a piece",
        "Space" => "a space",
        "Corner" => "a corner of spots",
        "Border" => "a border between spots",
        "Deck" => "a deck",
        "Card" => "a card",
        "Place" => "a place for a tile",
        "Deployment" => "a deployment",
        "Option" => "an option",
        "Zones" => "a set of zones",
        "Score" => "an award",
        "Turn" => "the turn",
        "Settings" => "the settings",
        path => handle_in_words(path).unwrap_or("something else"),
    }
}

/// Returns the words for a type of handle that the interpreter calls by its path in Rust. Some
/// errors of the interpreter contain such paths. Returns `None` for any other path.
fn handle_in_words(path: &str) -> Option<&'static str> {
    macro_rules! handle_in_words {
        ($($type:ty),*) => {
            $(if path == std::any::type_name::<$type>() {
                return Some(type_in_words(<$type as Handle>::TYPE));
            })*
        };
    }
    for_all_handles!(handle_in_words);
    None
}

/// Returns a number and a noun, in the plural unless the number is 1.
pub(crate) fn counted(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
