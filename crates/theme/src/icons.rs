//! The built-in icons, which every theme can use by name.

/// A group of built-in icons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IconGroup {
    /// The title of the group.
    pub title: &'static str,
    /// The name and the SVG of each icon.
    pub icons: &'static [(&'static str, &'static str)],
}

macro_rules! groups {
    ($($title:literal: $($name:literal)*;)*) => {
        &[$(IconGroup {
            title: $title,
            icons: &[$(($name, include_str!(concat!("../icons/", $name, ".svg")))),*],
        }),*]
    };
}

/// The built-in icons.
pub const ICON_GROUPS: &[IconGroup] = groups! {
    "Buildings and travel":
        "castle" "tower" "house" "church" "mill" "tent" "bridge" "gate" "well" "wagon"
        "ship" "anchor";
    "Court and household":
        "crown" "sword" "shield" "helmet" "bow" "key" "chest" "scroll" "book" "bell"
        "lantern" "goblet" "flag";
    "Tools":
        "hammer" "pickaxe" "axe" "scythe" "anvil" "barrel" "pot";
    "Nature":
        "tree" "fir" "leaf" "flower" "mushroom" "grain" "grapes" "apple" "mountain" "water"
        "drop" "fire";
    "Animals":
        "fish" "bird" "bee" "sheep" "pig" "rabbit" "horse" "paw";
    "Weather":
        "sun" "moon" "cloud" "rain" "snow" "lightning" "wind";
    "Symbols":
        "star" "heart" "coin" "gem" "eye" "hand" "arrow" "die" "cross" "skull";
    "Numbers":
        "one" "two" "three" "four" "five" "six";
};

/// Returns the name and the SVG of each built-in icon.
pub fn builtin_icons() -> impl Iterator<Item = (&'static str, &'static str)> {
    ICON_GROUPS.iter().flat_map(|group| group.icons).copied()
}

/// Returns the SVG of the built-in icon called `name`; `None` if there is no such icon.
pub fn builtin_icon(name: &str) -> Option<&'static str> {
    builtin_icons().find(|(own, _)| *own == name).map(|(_, svg)| svg)
}
