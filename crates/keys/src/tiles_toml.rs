//! The keys of `tiles.toml`.

use crate::{Key, ManifestFile, Section, Takes};

/// A file of tiles: `tiles.toml`, `tiles/*.toml`.
pub const TILES: ManifestFile = ManifestFile {
    name: "tiles.toml",
    about: "Tiles of a mod of Bastide.",
    root: &TILE_FILE,
    sections: &[&TILE, &ZONE],
};

/// The top level of the file: the name of its only table.
pub const TILE_FILE: Section = Section::new("", &Key::tables(["tile"]));

/// The keys of `[tile.<id>]`.
pub const TILE: Section = Section::new(
    "tile.<id>",
    &[
        Key::conditional(
            "count",
            Takes::Number(0, 1000),
            "1",
            "The number of copies. With 0, the tile is in no deck, which is a warning. The number may depend on a switch, as in `\"2 if forest\"`.",
        ),
        Key::new(
            "start",
            Takes::Value("true, or `{ instead_of = ... }`"),
            "–",
            "The tile lies at 0,0 at the start, unturned, unless another start tile replaces it. It uses one copy of `count`.",
        ),
        Key::new(
            "deck",
            Takes::Text("a deck"),
            "the first deck of the game",
            "The deck of the tile's copies, which must hold tiles.",
        ),
        Key::new(
            "edges",
            Takes::OneOf(&["any"]),
            "–",
            "The empty edges of the tile fit any edge; see \"Edges that fit anything\".",
        ),
        Key::new(
            "overlay",
            Takes::Flag,
            "false",
            "The tile lies over other tiles, never by itself; see \"Overlays\". An overlay has no `count`, `start`, `deck` or `edges`.",
        ),
        Key::new("about", Takes::Text("a text"), "empty", "A note for readers of the file."),
        Key::new("<kind>", Takes::Value("a zone, or a list of zones"), "none", "The zones of this kind on the tile."),
        Key::new("<tag>", Takes::Value("see below"), "none", "A tag of tiles."),
    ],
);

/// The keys of the table `start` of a tile.
pub const START: Section = Section::new(
    "start",
    &[Key::new("instead_of", Takes::Texts("tiles"), "required", "The start tiles that this tile replaces.")],
);

/// The keys of a zone of a tile. A zone has no fixed path in the file, because its key is the name
/// of a kind.
pub const ZONE: Section = Section::new(
    "zone",
    &[
        Key::new(
            "at",
            Takes::Text("places on the rim"),
            "–",
            "The places of the zone. Zones of kinds with `edge = \"inside\"` have none; all other zones have either this key or `inner`.",
        ),
        Key::new("inner", Takes::Flag, "false", "The zone reaches no edge, like a courtyard, and cannot grow."),
        Key::new(
            "touches",
            Takes::Texts("`\"all\"`, a zone, or a list of zones"),
            "see below",
            "The other zones of the tile that this zone borders.",
        ),
        Key::new(
            "meets",
            Takes::Texts("`\"all\"`, a zone, or a list of zones"),
            "see below",
            "For lines: the other lines of the tile that end at the same point as this line.",
        ),
        Key::new("<tag>", Takes::Value("see below"), "–", "A tag of zones."),
    ],
);
