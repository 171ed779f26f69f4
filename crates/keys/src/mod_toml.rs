//! The keys of `mod.toml`.

use crate::{Key, ManifestFile, Section, Takes};

const NUMBER: Takes = Takes::Number(i64::MIN, i64::MAX);
const PIECE_COUNT: Takes = Takes::Number(0, 1000);
const STOCK: Takes = Takes::Number(0, 100_000);
const ADDED_MEANING: &str = "The number to add to the piece's own number.";
const ORDER_MEANING: &str = "The phases after which, or before which, this phase runs. Phases of mods that are not in play are ignored; an unknown phase is a warning.";

/// The file `mod.toml`.
pub const MOD: ManifestFile = ManifestFile {
    name: "mod.toml",
    root: &MANIFEST,
    about: "The manifest of a mod of Bastide.",
    sections: &[
        &MOD_TABLE, &KIND, &LAYER, &TAG, &PIECE, &ADD_KIND, &ADD_PIECE, &TOKEN, &PILE, &TRACK, &DECK, &SETTING, &PHASE,
        &OPTION, &HOOK, &PLAYTEST,
    ],
};

/// The top level of the file: the names of its tables.
pub const MANIFEST: Section = Section::new(
    "",
    &Key::tables([
        "mod", "kind", "layer", "tag", "piece", "add", "token", "pile", "track", "deck", "setting", "phase", "option",
        "hook", "playtest",
    ]),
);

/// The keys of `[add]`.
pub const ADD: Section = Section::new("add", &Key::tables(["kind", "piece"]));

/// The keys of `[mod]`.
pub const MOD_TABLE: Section = Section::with_about(
    "mod",
    &[
        Key::new("id", Takes::Text("a text"), "required", "The id: the name of the mod's folder."),
        Key::new("version", Takes::Text("a text"), "required", "Three numbers, as in `\"1.0.0\"` (semantic versions)."),
        Key::new(
            "api",
            Takes::Number(1, i64::MAX),
            "1",
            "The version of the modding language that the mod uses; see `bastide docs changes`. Write `api = 1`.",
        ),
        Key::new("title", Takes::Text("a text"), "the id", "The name that players see."),
        Key::new(
            "game",
            Takes::Flag,
            "false",
            "True if the mod is a game of its own. Exactly one mod in play must be a game.",
        ),
        Key::new(
            "players",
            Takes::Value("`[fewest, most]`"),
            "–",
            "The smallest and the largest number of players, from 1 to 8. Required for a game. An expansion's numbers count if it is played with only the mods that it `requires`.",
        ),
        Key::new(
            "without_rules",
            Takes::Flag,
            "false",
            "True if players may turn off the mod's script with the setting `rules`, and play with only the mod's tiles and pieces.",
        ),
        Key::new(
            "requires",
            Takes::Texts("mods"),
            "none",
            "Mods that this mod needs. They are loaded with it, and before it.",
        ),
        Key::new(
            "optional",
            Takes::Texts("mods"),
            "none",
            "Mods that this mod supports but does not need. If such a mod is in play, it is loaded before this mod, and the script may use its names.",
        ),
        Key::new("conflicts", Takes::Texts("mods"), "none", "Mods that cannot be played together with this one."),
    ],
);

/// The keys of `[kind.<name>]`.
pub const KIND: Section = Section::with_about(
    "kind.<name>",
    &[
        Key::new(
            "edge",
            Takes::OneOf(&["full", "line", "ground", "inside"]),
            "required",
            "The way in which the land meets an edge of a tile: it fills the edge, crosses the middle of the edge, lies along halves of the edge, or never reaches the edge.",
        ),
        Key::new(
            "closes",
            Takes::OneOf(&["when no port is open", "when surrounded"]),
            "`\"when no port is open\"`",
            "The condition under which a feature is complete: it has no open end, or tiles lie on all eight spots around its tile.",
        ),
        Key::new("points", Takes::Table(&POINTS), "nothing", "The points of a feature; see below."),
        Key::conditional(
            "holds",
            Takes::Texts("pieces"),
            "none",
            "Pieces that may be deployed on this land, besides the pieces whose `stands_on` names the kind. Pieces that count as a listed piece may be deployed too. Use this key to make land for pieces of other mods.",
        ),
        Key::conditional(
            "joins",
            Takes::Number(0, 4),
            "any number",
            "The exact number of edges at which this kind on a new tile must meet laid tiles. Only if `edge` is `full` or `line`.",
        ),
        Key::conditional(
            "u_turns",
            Takes::Flag,
            "true",
            "True if this kind on a new tile may bend to the same side as on the laid tile that it meets. Only if `edge` is `full` or `line`.",
        ),
    ],
);

/// The keys of the table `points`.
pub const POINTS: Section = Section::new(
    "points",
    &[
        Key::conditional("complete", Takes::Text("a formula"), "none", "Paid when a feature is completed."),
        Key::conditional("final", Takes::Text("a formula"), "none", "Paid in the final count."),
    ],
);

/// The keys of `[layer.<name>]`.
pub const LAYER: Section = Section::with_about(
    "layer.<name>",
    &[
        Key::new(
            "kinds",
            Takes::Texts("kinds"),
            "required",
            "The kinds in this layer; zones of the same kind connect across edges.",
        ),
        Key::new(
            "joins_touching",
            Takes::Flag,
            "false",
            "True if zones that touch each other on one tile also connect, such as a pond and its brooks.",
        ),
        Key::new(
            "points",
            Takes::Table(&POINTS),
            "nothing",
            "The points of a feature in this layer, for the players with pieces in the layer (see `layer` of pieces).",
        ),
    ],
);

/// The keys of `[tag.<name>]`.
pub const TAG: Section = Section::with_about(
    "tag.<name>",
    &[
        Key::new("on", Takes::OneOf(&["zone", "tile"]), "required", "The carriers of the tag: zones or whole tiles."),
        Key::new(
            "merge",
            Takes::OneOf(&["any", "all", "sum", "max", "set", "multiset"]),
            "`\"any\"`",
            "The way in which the tags of a feature's zones merge; see the table below. No effect on tags of tiles.",
        ),
        Key::new(
            "values",
            Takes::Texts("texts, each once"),
            "none",
            "The words that the tag can have as values. Required with `\"set\"` and `\"multiset\"`; otherwise allowed only for tags of tiles.",
        ),
    ],
);

/// The keys of `[piece.<name>]`.
pub const PIECE: Section = Section::with_about(
    "piece.<name>",
    &[
        Key::new("title", Takes::Text("a text"), "the name", "The name that players see, in lowercase and singular."),
        Key::conditional(
            "per_player",
            PIECE_COUNT,
            "0",
            "The number of these pieces that each player has. With 0, players cannot deploy the piece, but scripts can use it.",
        ),
        Key::conditional("neutral", PIECE_COUNT, "0", "The number of neutral pieces, which have no owner."),
        Key::conditional(
            "stands_on",
            Takes::Texts("kinds"),
            "nowhere",
            "The land on which players may deploy the piece, on the tile just placed.",
        ),
        Key::conditional(
            "blocked_by",
            Takes::Texts("pieces"),
            "the same kind",
            "Pieces, of any owner, that keep this piece off a feature. Write `[]` for no pieces. Default: the last piece in the chain of `is`, and all pieces that count as it.",
        ),
        Key::conditional(
            "needs",
            Takes::Texts("pieces"),
            "nothing",
            "The player must already have at least one of these pieces on the feature.",
        ),
        Key::conditional(
            "strength",
            PIECE_COUNT,
            "1",
            "The weight of the piece in a majority. Pieces of strength 0 alone have no majority.",
        ),
        Key::new(
            "layer",
            Takes::Text("a layer"),
            "`\"land\"`",
            "The layer in which the piece claims features. On kinds outside that layer, the piece claims features in `land`.",
        ),
        Key::conditional(
            "goes_home",
            Takes::Flag,
            "true",
            "True if the piece returns to its supply when its feature is scored.",
        ),
        Key::conditional(
            "lies_on",
            Takes::Texts("kinds"),
            "none",
            "The land on which the piece is drawn lying down. No effect on rules.",
        ),
        Key::new(
            "is",
            Takes::Text("a piece"),
            "–",
            "The piece as which this piece counts everywhere. This piece inherits every key that it does not set, including `per_player`.",
        ),
    ],
);

/// The keys of `[add.kind.<name>]`.
pub const ADD_KIND: Section = Section::with_about(
    "add.kind.<name>",
    &[
        Key::new(
            "points",
            Takes::Table(&POINTS),
            "nothing",
            "`complete` and `final` as in `points`: formulas that are added to the formulas of the kind, or become its formulas if it has none.",
        ),
        Key::conditional(
            "holds",
            Takes::Texts("pieces"),
            "none",
            "More pieces that may be deployed on this land. Pieces that count as a listed piece may be deployed too.",
        ),
        Key::new(
            "tags",
            Takes::Value("a table"),
            "none",
            "`tags = { fish = 1 }`: tags that every zone of the kind gets, unless the tile gives the zone the same tag.",
        ),
    ],
);

/// The keys of `[add.piece.<name>]`.
pub const ADD_PIECE: Section = Section::with_about(
    "add.piece.<name>",
    &[
        Key::conditional(
            "stands_on",
            Takes::Texts("kinds"),
            "none",
            "More land on which this piece, and pieces that count as it, may be deployed.",
        ),
        Key::conditional(
            "blocked_by",
            Takes::Texts("pieces"),
            "none",
            "More pieces that block a feature for this piece, and for pieces that count as it.",
        ),
        Key::conditional("per_player", PIECE_COUNT, "0", ADDED_MEANING),
        Key::conditional("neutral", PIECE_COUNT, "0", ADDED_MEANING),
    ],
);

/// The keys of `[token.<name>]`.
pub const TOKEN: Section = Section::with_about(
    "token.<name>",
    &[
        Key::conditional("stock", STOCK, "unlimited", "The number in the common stock at the start."),
        Key::conditional(
            "per_player",
            STOCK,
            "0",
            "The number that each player has at the start, in addition to the stock.",
        ),
    ],
);

/// The keys of `[pile.<name>]`.
pub const PILE: Section = Section::with_about(
    "pile.<name>",
    &[Key::conditional("stock", STOCK, "unlimited", "The number in the common stock at the start.")],
);

/// The keys of `[track]`.
pub const TRACK: Section = Section::new(
    "track",
    &[
        Key::conditional("length", Takes::Number(1, 10_000), "50", "The number of spaces, which are numbered from 0."),
        Key::conditional(
            "dark",
            Takes::Number(1, 10_000),
            "none",
            "The distance between dark spaces, counted from space 0: with 5, the spaces 0, 5, 10 and so on are dark. Scripts read `space.is_dark`.",
        ),
        Key::conditional(
            "markers",
            Takes::Number(1, 8),
            "1",
            "The number of score markers of each player. With more than one, the player chooses the marker that moves.",
        ),
    ],
);

/// The keys of `[deck.<name>]`.
pub const DECK: Section = Section::with_about(
    "deck.<name>",
    &[
        Key::new(
            "holds",
            Takes::OneOf(&["tiles", "cards"]),
            "`\"tiles\"`; `\"cards\"` with `cards`",
            "The type of the deck's items. All mods must agree.",
        ),
        Key::conditional(
            "cards",
            Takes::Value("a table"),
            "none",
            "`cards = { walk = 2, rest = 1 }`: names and numbers of copies, 0 to 1000. To add a description, write a table instead of the number: `walk = { count = 2, about = \"...\" }`; `count` defaults to 1. A card is called `<mod>/<name>`.",
        ),
        Key::conditional(
            "without",
            Takes::Texts("`\"<mod>/<tile or card>\"`, `\"<mod>/*\"`"),
            "nothing",
            "Tiles or cards to remove after all mods have added theirs. Mods that are not in play are ignored. The start tile on the board stays.",
        ),
    ],
);

/// The keys of a card in the table `cards` of a deck.
pub const CARD: Section =
    Section::with_about("card", &[Key::conditional("count", PIECE_COUNT, "1", "The number of copies.")]);

/// The keys of `[setting.<name>]`.
pub const SETTING: Section = Section::with_about(
    "setting.<name>",
    &[
        Key::new(
            "default",
            Takes::Value("true or false, a number, a text"),
            "required",
            "The default value, which also determines the type of the setting.",
        ),
        Key::new("choices", Takes::Value("a list of values"), "any of the type", "The allowed values."),
        Key::new("min", NUMBER, "no bound", "The smallest number."),
        Key::new("max", NUMBER, "no bound", "The largest number."),
    ],
);

/// The keys of `[[phase]]`.
pub const PHASE: Section = Section::with_about(
    "[phase]",
    &[
        Key::new(
            "id",
            Takes::Text("a name"),
            "required",
            "The name of the phase; `draw`, `place`, `piece` and `score` belong to the core.",
        ),
        Key::new(
            "slot",
            Takes::OneOf(&["draw", "drawn", "place", "placed", "piece", "connect", "score", "scored", "end"]),
            "required",
            "The slot of the turn in which the phase runs; the slots run in this order.",
        ),
        Key::new("after", Takes::Texts("phases"), "none", ORDER_MEANING),
        Key::new("before", Takes::Texts("phases"), "none", ORDER_MEANING),
        Key::new(
            "only_...",
            Takes::Value(""),
            "always",
            "The filters that a phase may have: see the table of filters below, and Filters in the script reference.",
        ),
        ONLY_TILE_TAG,
        ONLY_KIND,
        ONLY_PIECE,
        ONLY_TAG,
        ONLY_WITH,
        ONLY_PILE,
        ONLY_PLAYING,
        ONLY_DARK,
        ONLY_BESIDE,
    ],
);

/// The keys of `[option.<name>]`.
pub const OPTION: Section = Section::with_about("option.<name>", &[]);

/// The keys of `[hook.<name>]`.
pub const HOOK: Section = Section::with_about(
    "hook.<name>",
    &[ONLY_TILE_TAG, ONLY_KIND, ONLY_PIECE, ONLY_TAG, ONLY_WITH, ONLY_PILE, ONLY_PLAYING, ONLY_DARK, ONLY_BESIDE],
);

/// The keys of `[playtest.<name>]`.
pub const PLAYTEST: Section = Section::with_about(
    "playtest.<name>",
    &[
        Key::new(
            "type",
            Takes::OneOf(&["scale", "choice", "text"]),
            "required",
            "The answers: a number of a scale, one of `choices`, or any text.",
        ),
        Key::new("min", NUMBER, "1", "The smallest number of a scale."),
        Key::new("max", NUMBER, "5", "The largest number of a scale."),
        Key::new("choices", Takes::Texts("texts, each once"), "none", "The answers of a choice, 2 to 20."),
    ],
);

/// Makes the key of a filter, which limits a mod's function to certain tiles, features or pieces.
/// The tables of keys omit filters, because the script reference describes them.
const fn filter(name: &'static str, takes: Takes) -> Key {
    Key::conditional(name, takes, "always", "")
}

const ONLY_TILE_TAG: Key = filter("only_tile_tag", Takes::Text("a tag of tiles"));
const ONLY_KIND: Key = filter("only_kind", Takes::Texts("kinds"));
const ONLY_PIECE: Key = filter("only_piece", Takes::Texts("pieces"));
const ONLY_TAG: Key = filter("only_tag", Takes::Texts("tags of zones"));
const ONLY_WITH: Key = filter("only_with", Takes::Texts("pieces"));
const ONLY_PILE: Key = filter("only_pile", Takes::Text("a pile"));
const ONLY_PLAYING: Key = filter("only_playing", Takes::Flag);
const ONLY_DARK: Key = filter("only_dark", Takes::Flag);
const ONLY_BESIDE: Key = filter("only_beside", Takes::Texts("pieces"));
