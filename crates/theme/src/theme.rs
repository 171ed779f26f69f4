//! A theme: the look of kinds, tags, tiles, pieces, tokens, piles and cards of some mods, and
//! palettes of colours.

use std::collections::BTreeMap;
use std::sync::Arc;

use board::EdgeStyle;
use diagnostic::Span;
use serde::{Deserialize, Serialize};

use crate::colour::Colour;
use crate::palette::Palette;

/// The drawing style of a kind of land. Mods choose a style for each kind, because the painter
/// knows no kind by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum LandStyle {
    /// Open land, below all other styles.
    Ground,
    /// A way on land, with darker sides.
    Path,
    /// Flowing or standing water.
    Water,
    /// Houses within a wall.
    Walled,
    /// Crowns of trees.
    Wooded,
    /// A single building in its yard.
    Building,
    /// One colour with a pattern.
    Coloured,
    /// Only the kind's icon.
    Icon,
}

impl LandStyle {
    /// The styles, with their names in theme files.
    pub const ALL: [(&'static str, LandStyle); 8] = [
        ("ground", LandStyle::Ground),
        ("path", LandStyle::Path),
        ("water", LandStyle::Water),
        ("walled", LandStyle::Walled),
        ("wooded", LandStyle::Wooded),
        ("building", LandStyle::Building),
        ("coloured", LandStyle::Coloured),
        ("icon", LandStyle::Icon),
    ];

    /// Returns whether this style can draw land whose kind has the edge style `edge`. If the style
    /// cannot draw the land, the painter draws it plainly or not at all.
    pub fn can_draw(self, edge: EdgeStyle) -> bool {
        match edge {
            EdgeStyle::Full => {
                matches!(self, LandStyle::Walled | LandStyle::Wooded | LandStyle::Water | LandStyle::Coloured)
            }
            EdgeStyle::Line => matches!(self, LandStyle::Path | LandStyle::Water | LandStyle::Coloured),
            EdgeStyle::Ground => matches!(self, LandStyle::Ground | LandStyle::Coloured),
            EdgeStyle::Inside => !matches!(self, LandStyle::Walled | LandStyle::Path),
        }
    }
}

/// The pattern on land of the style [`LandStyle::Coloured`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum LandPattern {
    /// No pattern.
    Plain,
    /// Straight lines, such as the rows of a vineyard.
    Rows,
    /// Slanted lines.
    Slopes,
    /// Wavy lines.
    Waves,
    /// Zigzag lines.
    Chevrons,
    /// Discs.
    Dots,
    /// Circles.
    Rings,
    /// Upright crosses.
    Crosses,
    /// Squares.
    Checks,
}

impl LandPattern {
    /// The patterns, with their names in theme files.
    pub const ALL: [(&'static str, LandPattern); 9] = [
        ("plain", LandPattern::Plain),
        ("rows", LandPattern::Rows),
        ("slopes", LandPattern::Slopes),
        ("waves", LandPattern::Waves),
        ("chevrons", LandPattern::Chevrons),
        ("dots", LandPattern::Dots),
        ("rings", LandPattern::Rings),
        ("crosses", LandPattern::Crosses),
        ("checks", LandPattern::Checks),
    ];
}

/// The place of a tag's icon on its zone or tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum IconSpot {
    /// In the zone with the tag or, if the zone is a line, beside the zone. For a tag of the whole
    /// tile, the same as [`IconSpot::Ground`].
    Free,
    /// In the middle of the tile.
    Middle,
    /// Anywhere free on the tile, preferably on open land.
    Ground,
}

/// The words for [`IconSpot`] in themes.
pub(crate) const ICON_SPOTS: [(&str, IconSpot); 3] =
    [("free", IconSpot::Free), ("middle", IconSpot::Middle), ("ground", IconSpot::Ground)];

/// One value of a theme.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum ThemeValue {
    Style(LandStyle),
    Pattern(LandPattern),
    Spot(IconSpot),
    /// The text of an SVG file.
    Icon(Arc<str>),
    NoIcon,
    Colour(Colour),
    Number(f64),
    Flag(bool),
    Text(String),
}

/// The section, name and key of a value, such as `tag`, `crown` and `icon`. For the icon of a word
/// of a tag, the key is `icon.` followed by the word.
pub type ThemeKey = [String; 3];

/// A name for which a theme file has a table, such as the name of a tag or piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThemeEntry {
    /// The section: `kind`, `tag`, `piece`, `token`, `pile`, `card` or `tile`.
    pub section: &'static str,
    /// The name. The name of a card or tile begins with the id of its mod.
    pub name: String,
    /// The place of the name in the file.
    pub span: Span,
    /// The keys of the table, each with its place in the file.
    pub keys: Vec<(String, Span)>,
}

/// The look of everything that the painter draws, merged from the theme files of several mods. The
/// default theme sets no value.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Theme {
    pub(crate) values: BTreeMap<ThemeKey, ThemeValue>,
    /// Names of the palettes, in the order in which mods declare them.
    pub(crate) palettes: Vec<String>,
    pub(crate) suggested: Option<String>,
    /// Only the loader of mods needs the names, so serialization omits them.
    #[serde(skip)]
    pub(crate) names: Vec<ThemeEntry>,
}

impl Theme {
    fn value(&self, section: &str, name: &str, key: &str) -> Option<&ThemeValue> {
        self.values.get(&[section, name, key].map(str::to_owned))
    }

    /// Returns the style that the theme sets for a kind; `None` if the theme sets none.
    pub fn style(&self, kind: &str) -> Option<LandStyle> {
        let Some(ThemeValue::Style(style)) = self.value("kind", kind, "style") else { return None };
        Some(*style)
    }

    /// Returns the colour that the theme sets for a kind; `None` if the theme sets none.
    pub fn kind_colour(&self, kind: &str) -> Option<Colour> {
        self.colour("kind", kind, "colour")
    }

    /// Returns the colour that the theme sets for the border of a kind; `None` if the theme sets
    /// none.
    pub fn kind_edge(&self, kind: &str) -> Option<Colour> {
        self.colour("kind", kind, "edge")
    }

    /// Returns the pattern that the theme sets for a kind; `None` if the theme sets none.
    pub fn kind_pattern(&self, kind: &str) -> Option<LandPattern> {
        let Some(ThemeValue::Pattern(pattern)) = self.value("kind", kind, "pattern") else { return None };
        Some(*pattern)
    }

    fn colour(&self, section: &str, name: &str, key: &str) -> Option<Colour> {
        let Some(ThemeValue::Colour(colour)) = self.value(section, name, key) else { return None };
        Some(*colour)
    }

    /// Returns a copy of this theme with the looks of `other` for each entry whose section and name
    /// `is_replaced` accepts, such as `tag` and `crown`.
    pub fn with_looks_of(&self, other: &Theme, is_replaced: impl Fn(&str, &str) -> bool) -> Theme {
        let is_replaced = |[section, name, _]: &ThemeKey| is_replaced(section, name);
        let mut theme = self.clone();
        theme.values.retain(|key, _| !is_replaced(key));
        let new = other.values.iter().filter(|(key, _)| is_replaced(key));
        theme.values.extend(new.map(|(key, value)| (key.clone(), value.clone())));
        theme
    }

    /// Returns the SVG of the icon of `name`: `None` if the theme does not set the icon,
    /// `Some(None)` if the theme hides it with `false`.
    ///
    /// `section` and `key` are names from `theme.toml`, such as `tag` and `icon`. For a word of a
    /// tag, the key is, for example, `icon.deer`.
    pub fn icon(&self, section: &str, name: &str, key: &str) -> Option<Option<&str>> {
        icon_of(self.value(section, name, key)?)
    }

    /// Iterates over all icons that the theme sets or hides. Each item contains the section, name
    /// and key of an icon, and its SVG. The SVG is `None` if the theme hides the icon.
    pub fn icons(&self) -> impl Iterator<Item = (&ThemeKey, Option<&str>)> {
        self.values.iter().filter_map(|(key, value)| Some((key, icon_of(value)?)))
    }

    /// Returns the width of a tag's icon as a fraction of the tile; `None` if the theme does not
    /// set the width.
    pub fn icon_size(&self, tag: &str) -> Option<f64> {
        let Some(ThemeValue::Number(n)) = self.value("tag", tag, "size") else { return None };
        Some(*n)
    }

    /// Returns whether the icon of a tag turns with the tile.
    pub fn icon_turns(&self, tag: &str) -> bool {
        matches!(self.value("tag", tag, "turns"), Some(ThemeValue::Flag(true)))
    }

    /// Returns the place of a tag's icon on its zone or tile, [`IconSpot::Free`] if the theme sets
    /// none.
    pub fn icon_spot(&self, tag: &str) -> IconSpot {
        match self.value("tag", tag, "place") {
            Some(ThemeValue::Spot(spot)) => *spot,
            _ => IconSpot::Free,
        }
    }

    /// Returns the names for which the theme has tables, so that the caller can report names that
    /// no mod declares.
    pub fn names(&self) -> &[ThemeEntry] {
        &self.names
    }

    /// Returns whether a tag is visible: true unless the theme sets `icon = false`.
    pub fn shows_tag(&self, tag: &str) -> bool {
        !matches!(self.icon("tag", tag, "icon"), Some(None))
    }

    /// Returns the names and titles of the palettes, in the order in which mods declare them. If no
    /// mod declares a palette, returns only the palette `plain`.
    pub fn palettes(&self) -> Vec<(String, String)> {
        if self.palettes.is_empty() {
            return vec![("plain".to_owned(), "Plain".to_owned())];
        }
        let title = |name: &String| match self.value("palette", name, "title") {
            Some(ThemeValue::Text(title)) => title.clone(),
            _ => name.clone(),
        };
        self.palettes.iter().map(|name| (name.clone(), title(name))).collect()
    }

    /// Returns the name of the palette that the last mod with a suggestion suggests. If no mod
    /// suggests a palette, returns the first palette, or `plain` if there is no palette.
    pub fn suggested_palette(&self) -> &str {
        self.suggested.as_deref().or(self.palettes.first().map(String::as_str)).unwrap_or("plain")
    }

    /// Returns the palette `name`. Colours that the theme does not set have their default values.
    /// If there is no such palette, returns the default palette.
    pub fn palette(&self, name: &str) -> Palette {
        let mut palette = Palette::default();
        for ([section, of, key], value) in &self.values {
            if section != "palette" || of != name {
                continue;
            }
            match (key.as_str(), value) {
                (_, ThemeValue::Colour(colour)) => palette.set(key, *colour),
                ("bare_trees", ThemeValue::Flag(flag)) => palette.bare_trees = *flag,
                ("smoke", ThemeValue::Flag(flag)) => palette.smoke = *flag,
                ("plain", ThemeValue::Flag(flag)) => palette.plain = *flag,
                _ => {}
            }
        }
        palette
    }
}

fn icon_of(value: &ThemeValue) -> Option<Option<&str>> {
    match value {
        ThemeValue::Icon(svg) => Some(Some(svg)),
        ThemeValue::NoIcon => Some(None),
        _ => None,
    }
}
