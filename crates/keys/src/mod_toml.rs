//! The keys of `mod.toml`.

use crate::{Key, ManifestFile, Section, Takes};

const NUMBER: Takes = Takes::Number(i64::MIN, i64::MAX);
const PIECE_COUNT: Takes = Takes::Number(0, 1000);
const STOCK: Takes = Takes::Number(0, 100_000);
const ADDED_MEANING: &str = "The number to add to the piece's own number.";
const ORDER_MEANING: &str = "The phases after which, or before which, it runs. Phases of mods that are not in play are ignored; an unknown phase is a warning.";

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
    &[
        Key::table("mod"),
        Key::table("kind"),
        Key::table("layer"),
        Key::table("tag"),
        Key::table("piece"),
        Key::table("add"),
        Key::table("token"),
        Key::table("pile"),
        Key::table("track"),
        Key::table("deck"),
        Key::table("setting"),
        Key::table("phase"),
        Key::table("option"),
        Key::table("hook"),
        Key::table("playtest"),
    ],
);

/// The keys of `[add]`.
pub const ADD: Section = Section::new("add", &[Key::table("kind"), Key::table("piece")]);

/// The keys of `[mod]`.
pub const MOD_TABLE: Section = Section::new(
    "mod",
    &[
        Key::new("id", Takes::Text("a text"), "required", "The id: the name of the mod's folder."),
        Key::new("version", Takes::Text("a text"), "required", "Three numbers, as in `\"1.0.0\"` (semantic versions)."),
        Key::new(
            "api",
            Takes::Number(1, i64::MAX),
            "1",
            "The version of the language that the mod is written in, see `bastide docs changes`. Write `api = 1`.",
        ),
        Key::new("title", Takes::Text("a text"), "the id", "The name that players see."),
        Key::new(
            "game",
            Takes::Flag,
            "false",
            "Whether the mod is a game of its own. Exactly one mod in play must be a game.",
        ),
        Key::new(
            "players",
            Takes::Value("`[fewest, most]`"),
            "–",
            "How many players, from 1 to 8. Required for a game. An expansion's numbers count if it is played with only the mods that it `requires`.",
        ),
        Key::new(
            "without_rules",
            Takes::Flag,
            "false",
            "Whether players may turn off its script with the setting `rules`, and play with only its tiles and pieces.",
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
            "Mods that this mod works with. If they are in play, they come first, and the script may use their names.",
        ),
        Key::new("conflicts", Takes::Texts("mods"), "none", "Mods that cannot be played together with this one."),
    ],
)
.with_about();

/// The keys of `[kind.<name>]`.
pub const KIND: Section = Section::new(
    "kind.<name>",
    &[
        Key::new(
            "edge",
            Takes::OneOf(&["full", "line", "ground", "inside"]),
            "required",
            "How it meets an edge of a tile: it fills the edge, crosses its middle, lies along its halves, or never reaches it.",
        ),
        Key::new(
            "closes",
            Takes::OneOf(&["when no port is open", "when surrounded"]),
            "`\"when no port is open\"`",
            "When a feature is complete: it has no open end, or all eight spots around its tile are taken.",
        ),
        Key::new("points", Takes::Table(&POINTS), "nothing", "The points of a feature, see below."),
        Key::new(
            "holds",
            Takes::Texts("pieces"),
            "none",
            "More pieces that may be deployed on it, besides those whose `stands_on` names the kind; also pieces that count as them. Use it to make land for pieces of other mods.",
        )
        .conditional(),
        Key::new(
            "joins",
            Takes::Number(0, 4),
            "any number",
            "The exact number of edges at which this kind on a new tile must meet laid tiles. Only `full` and `line`.",
        )
        .conditional(),
        Key::new(
            "u_turns",
            Takes::Flag,
            "true",
            "Whether this kind on a new tile may bend to the same side as on the laid tile that it meets. Only `full` and `line`.",
        )
        .conditional(),
    ],
)
.with_about();

/// The keys of the table `points`.
pub const POINTS: Section = Section::new(
    "points",
    &[
        Key::new("complete", Takes::Text("a formula"), "none", "Paid when a feature is completed.").conditional(),
        Key::new("final", Takes::Text("a formula"), "none", "Paid in the final count.").conditional(),
    ],
);

/// The keys of `[layer.<name>]`.
pub const LAYER: Section = Section::new(
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
            "Whether zones that touch each other on one tile also connect, such as a pond and its brooks.",
        ),
        Key::new(
            "points",
            Takes::Table(&POINTS),
            "nothing",
            "The points of a feature in this layer, for the players with pieces in the layer (see `layer` of pieces).",
        ),
    ],
)
.with_about();

/// The keys of `[tag.<name>]`.
pub const TAG: Section = Section::new(
    "tag.<name>",
    &[
        Key::new("on", Takes::OneOf(&["zone", "tile"]), "required", "Whether zones or tiles carry it."),
        Key::new(
            "merge",
            Takes::OneOf(&["any", "all", "sum", "max", "set", "multiset"]),
            "`\"any\"`",
            "How the tags of a feature's zones merge, see the table below. No effect on tags of tiles.",
        ),
        Key::new(
            "values",
            Takes::Texts("texts, each once"),
            "none",
            "The words it can have. Required with `\"set\"` and `\"multiset\"`; otherwise for tags of tiles only.",
        ),
    ],
)
.with_about();

/// The keys of `[piece.<name>]`.
pub const PIECE: Section = Section::new(
    "piece.<name>",
    &[
        Key::new(
            "per_player",
            PIECE_COUNT,
            "0",
            "How many each player has. Players deploy only pieces with 1 or more; scripts use the others.",
        )
        .conditional(),
        Key::new("neutral", PIECE_COUNT, "0", "How many neutral ones there are, without an owner.").conditional(),
        Key::new(
            "stands_on",
            Takes::Texts("kinds"),
            "nowhere",
            "The land on which it may be deployed, on the tile just placed.",
        )
        .conditional(),
        Key::new(
            "blocked_by",
            Takes::Texts("pieces"),
            "the same kind",
            "Pieces, of any owner, that keep it off a feature. `[]`: none. Default: pieces of the same basic kind, following `is`.",
        )
        .conditional(),
        Key::new(
            "needs",
            Takes::Texts("pieces"),
            "nothing",
            "The player must have one of these on the feature already.",
        )
        .conditional(),
        Key::new(
            "strength",
            PIECE_COUNT,
            "1",
            "Its weight in a majority. Pieces of strength 0 alone have no majority.",
        )
        .conditional(),
        Key::new(
            "layer",
            Takes::Text("a layer"),
            "`\"land\"`",
            "The layer in which it claims features. On kinds outside that layer, it claims them in `land`.",
        ),
        Key::new(
            "goes_home",
            Takes::Flag,
            "true",
            "Whether it is returned to its supply when its feature is scored.",
        )
        .conditional(),
        Key::new(
            "lies_on",
            Takes::Texts("kinds"),
            "none",
            "The land on which it is drawn lying down. No effect on rules.",
        )
        .conditional(),
        Key::new(
            "is",
            Takes::Text("a piece"),
            "–",
            "It counts as that piece everywhere, and inherits every key that it does not set, including `per_player`.",
        ),
    ],
)
.with_about();

/// The keys of `[add.kind.<name>]`.
pub const ADD_KIND: Section = Section::new(
    "add.kind.<name>",
    &[
        Key::new(
            "points",
            Takes::Table(&POINTS),
            "nothing",
            "`complete` and `final` as in `points`: formulas that are added to those of the kind; if it has none, they become its formulas.",
        ),
        Key::new(
            "holds",
            Takes::Texts("pieces"),
            "none",
            "More pieces that may be deployed on it; also pieces that count as them.",
        )
        .conditional(),
        Key::new(
            "tags",
            Takes::Value("a table"),
            "none",
            "`tags = { fish = 1 }`: tags that every zone of the kind gets, unless its tile gives it that tag.",
        ),
    ],
)
.with_about();

/// The keys of `[add.piece.<name>]`.
pub const ADD_PIECE: Section = Section::new(
    "add.piece.<name>",
    &[
        Key::new(
            "stands_on",
            Takes::Texts("kinds"),
            "none",
            "More land on which it, and pieces that count as it, may be deployed.",
        )
        .conditional(),
        Key::new(
            "blocked_by",
            Takes::Texts("pieces"),
            "none",
            "More pieces that keep it, and pieces that count as it, off a feature.",
        )
        .conditional(),
        Key::new("per_player", PIECE_COUNT, "0", ADDED_MEANING).conditional(),
        Key::new("neutral", PIECE_COUNT, "0", ADDED_MEANING).conditional(),
    ],
)
.with_about();

/// The keys of `[token.<name>]`.
pub const TOKEN: Section = Section::new(
    "token.<name>",
    &[
        Key::new("stock", STOCK, "unlimited", "How many there are in the common stock.").conditional(),
        Key::new("per_player", STOCK, "0", "How many each player begins with, in addition to the stock.").conditional(),
    ],
)
.with_about();

/// The keys of `[pile.<name>]`.
pub const PILE: Section = Section::new(
    "pile.<name>",
    &[Key::new("stock", STOCK, "unlimited", "How many there are in the common stock.").conditional()],
)
.with_about();

/// The keys of `[track]`.
pub const TRACK: Section = Section::new(
    "track",
    &[
        Key::new("length", Takes::Number(1, 10_000), "50", "Number of spaces. They are numbered from 0.").conditional(),
        Key::new(
            "dark",
            Takes::Number(1, 10_000),
            "none",
            "The distance between dark spaces, from 0 on: 5 makes 0, 5, 10 and so on dark. Scripts read `space.is_dark`.",
        )
        .conditional(),
        Key::new(
            "markers",
            Takes::Number(1, 8),
            "1",
            "Score markers per player. With more than one, the player chooses the marker that moves.",
        )
        .conditional(),
    ],
);

/// The keys of `[deck.<name>]`.
pub const DECK: Section = Section::new(
    "deck.<name>",
    &[
        Key::new(
            "holds",
            Takes::OneOf(&["tiles", "cards"]),
            "`\"tiles\"`; `\"cards\"` with `cards`",
            "Its contents. All mods must agree.",
        ),
        Key::new(
            "cards",
            Takes::Value("a table"),
            "none",
            "`cards = { walk = 2, rest = 1 }`: names and numbers of copies, 0 to 1000. To add a description, write a table instead of the number: `walk = { count = 2, about = \"...\" }`; `count` defaults to 1. A card is called `<mod>/<name>`.",
        )
        .conditional(),
        Key::new(
            "without",
            Takes::Texts("`\"<mod>/<tile or card>\"`, `\"<mod>/*\"`"),
            "nothing",
            "Tiles or cards to remove after all mods have added theirs. Mods that are not in play are ignored. The start tile on the board stays.",
        )
        .conditional(),
    ],
)
.with_about();

/// The keys of a card in the table `cards` of a deck.
pub const CARD: Section =
    Section::new("card", &[Key::new("count", PIECE_COUNT, "1", "How many copies there are.").conditional()])
        .with_about();

/// The keys of `[setting.<name>]`.
pub const SETTING: Section = Section::new(
    "setting.<name>",
    &[
        Key::new(
            "default",
            Takes::Value("true or false, a number, a text"),
            "required",
            "Its default value, which also determines its type.",
        ),
        Key::new("choices", Takes::Value("a list of values"), "any of the type", "The allowed values."),
        Key::new("min", NUMBER, "no bound", "The smallest number."),
        Key::new("max", NUMBER, "no bound", "The largest number."),
    ],
)
.with_about();

/// The keys of `[[phase]]`.
pub const PHASE: Section = Section::new(
    "[phase]",
    &[
        Key::new(
            "id",
            Takes::Text("a name"),
            "required",
            "Its name; `draw`, `place`, `piece` and `score` belong to the core.",
        ),
        Key::new(
            "slot",
            Takes::OneOf(&["draw", "drawn", "place", "placed", "piece", "connect", "score", "scored", "end"]),
            "required",
            "When it runs, in this order.",
        ),
        Key::new("after", Takes::Texts("phases"), "none", ORDER_MEANING),
        Key::new("before", Takes::Texts("phases"), "none", ORDER_MEANING),
        Key::new(
            "only_...",
            Takes::Value(""),
            "always",
            "The filters that a phase may have: see the table of filters below, and Filters in the reference of scripts.",
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
)
.with_about();

/// The keys of `[option.<name>]`.
pub const OPTION: Section = Section::new("option.<name>", &[]).with_about();

/// The keys of `[hook.<name>]`.
pub const HOOK: Section = Section::new(
    "hook.<name>",
    &[ONLY_TILE_TAG, ONLY_KIND, ONLY_PIECE, ONLY_TAG, ONLY_WITH, ONLY_PILE, ONLY_PLAYING, ONLY_DARK, ONLY_BESIDE],
)
.with_about();

/// The keys of `[playtest.<name>]`.
pub const PLAYTEST: Section = Section::new(
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
)
.with_about();

/// Makes the key of a filter, which limits a mod's function to certain tiles, features or pieces.
/// The tables of keys omit filters, because the reference of scripts describes them.
const fn filter(name: &'static str, takes: Takes) -> Key {
    Key::new(name, takes, "always", "").conditional()
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
