//! The keys of `theme.toml`.

use crate::{Key, ManifestFile, Section, Takes};

const STANDING_ICON: Key = Key::new(
    "icon",
    Takes::Icon,
    "letters",
    "The icon of the standing piece, the token, the pile, or the card (a card of the same mod).",
);

/// The file `theme.toml`.
pub const THEME: ManifestFile = ManifestFile {
    name: "theme.toml",
    root: &THEME_FILE,
    about: "The look of a mod of Bastide.",
    sections: &[
        &THEME_KIND,
        &THEME_TAG,
        &THEME_TILE,
        &THEME_PIECE,
        &THEME_TOKEN,
        &THEME_PILE,
        &THEME_CARD,
        &PALETTE,
        &BOARD,
    ],
};

/// The top level of the file: the names of its tables.
pub const THEME_FILE: Section =
    Section::new("", &Key::tables(["kind", "tag", "tile", "piece", "token", "pile", "card", "palette", "board"]));

/// The keys of `[kind.<name>]`.
pub(crate) const THEME_KIND: Section = Section::new(
    "kind.<name>",
    &[
        Key::new(
            "style",
            Takes::OneOf(&["ground", "path", "water", "walled", "wooded", "building", "coloured", "icon"]),
            "see below",
            "The style in which the land is drawn.",
        ),
        Key::new(
            "colour",
            Takes::Colour,
            "one that no other kind has",
            "The colour of the land. Without `style`, it also sets the style `\"coloured\"`; other styles ignore it.",
        ),
        Key::new(
            "pattern",
            Takes::OneOf(&["plain", "rows", "slopes", "waves", "chevrons", "dots", "rings", "crosses", "checks"]),
            "one that no other kind has",
            "The pattern on the colour. Without `style`, it also sets the style `\"coloured\"`; other styles ignore it.",
        ),
        Key::new(
            "edge",
            Takes::Colour,
            "a darker tone of `colour`",
            "The colour of the border, for the style `\"coloured\"`.",
        ),
        Key::new(
            "icon",
            Takes::Icon,
            "none; letters for the style `\"icon\"`",
            "The icon on the land, for the styles `\"coloured\"` and `\"icon\"`.",
        ),
    ],
);

/// The keys of `[tag.<name>]`.
pub(crate) const THEME_TAG: Section = Section::new(
    "tag.<name>",
    &[
        Key::new(
            "icon",
            Takes::IconOrFalse,
            "letters",
            "The icon, a small picture (glyph) on each tile with the tag; `false` hides the icon everywhere, also in lists of tags.",
        ),
        Key::new(
            "icon.<word>",
            Takes::IconOrFalse,
            "letters",
            "The icon for one word of the tag; put a word with spaces in quotes.",
        ),
        Key::new(
            "place",
            Takes::OneOf(&["free", "middle", "ground"]),
            "`\"free\"`",
            "The place of the icon: in the zone (beside a line), in the middle of the tile, or in the largest free space of the tile, preferring open land.",
        ),
        Key::new("size", Takes::Fraction, "0.16", "The width of the icon, relative to the tile."),
        Key::new(
            "link",
            Takes::Icon,
            "a bridge",
            "The icon for links of tiles with the tag, drawn between the two zones that a script linked.",
        ),
        Key::new(
            "turns",
            Takes::Flag,
            "false",
            "If true, the icon turns with the tile. Use this for icons that point in a direction.",
        ),
    ],
);

/// The keys of `[tile.<id>]`.
pub(crate) const THEME_TILE: Section = Section::new(
    "tile.<id>",
    &[Key::new(
        "picture",
        Takes::Icon,
        "drawn from its land",
        "The picture of the whole tile, in place of its land. It turns with the tile; icons of tags are drawn over it.",
    )],
);

/// The keys of `[piece.<name>]`.
pub(crate) const THEME_PIECE: Section = Section::new(
    "piece.<name>",
    &[
        STANDING_ICON,
        Key::new(
            "lying",
            Takes::Icon,
            "`icon` on its side",
            "The icon of the lying piece: a script has pinned the piece, or the piece stands on land in its `lies_on`.",
        ),
    ],
);

/// The keys of `[token.<name>]`.
pub(crate) const THEME_TOKEN: Section = Section::new("token.<name>", &[STANDING_ICON]);

/// The keys of `[pile.<name>]`.
pub(crate) const THEME_PILE: Section = Section::new("pile.<name>", &[STANDING_ICON]);

/// The keys of `[card.<name>]`.
pub(crate) const THEME_CARD: Section = Section::new("card.<name>", &[STANDING_ICON]);

/// The keys of `[palette.<name>]`.
pub(crate) const PALETTE: Section = Section::new(
    "palette.<name>",
    &[
        Key::new("title", Takes::Text("a text"), "its name", "The name that players see."),
        Key::new(
            "bare_trees",
            Takes::Flag,
            "false",
            "If true, most trees are bare, and snow lies on the other trees, on bushes and on roofs.",
        ),
        Key::new("smoke", Takes::Flag, "false", "If true, chimneys smoke."),
        Key::new(
            "plain",
            Takes::Flag,
            "false",
            "If true, land is drawn without texture, and walled land without houses.",
        ),
        Key::new("<colour>", Takes::Colour, "see below", "One of the colours below."),
    ],
);

/// The keys of `[board]`.
pub(crate) const BOARD: Section = Section::new(
    "board",
    &[Key::new(
        "palette",
        Takes::Text("a palette of this mod or of others in play"),
        "the first palette",
        "The palette used until players choose another. If several mods set a palette, the palette of the last mod counts.",
    )],
);
