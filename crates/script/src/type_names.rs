//! The names of types in messages.

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
        _ => "something else",
    }
}
