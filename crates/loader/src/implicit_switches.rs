//! The switches that mods get without declaring them.

use crate::folder::ModFiles;

/// A switch (a setting that is true or false) that a mod gets without declaring it.
pub(crate) struct ImplicitSwitch {
    /// The name of the switch.
    pub(crate) name: &'static str,
    /// The description of the switch.
    pub(crate) about: &'static str,
    /// Returns whether a mod gets the switch.
    pub(crate) has: fn(&ModFiles) -> bool,
}

/// The name of the switch for the tiles of a mod. If the switch is off, the mod is played without
/// its tiles.
pub(crate) const TILES: &str = "tiles";

/// The name of the switch for the script of a mod. If the switch is off, the mod is played without
/// its script.
pub(crate) const RULES: &str = "rules";

/// The switches that a mod gets without declaring them, unless the mod declares a setting with the
/// same name.
pub(crate) static IMPLICIT_SWITCHES: [ImplicitSwitch; 2] = [
    ImplicitSwitch { name: TILES, about: "Play with the tiles of the mod.", has: has_tiles_switch },
    ImplicitSwitch { name: RULES, about: "Play with the script of the mod.", has: has_rules_switch },
];

/// Returns whether a mod gets the switch `tiles`: it is not a game, has tiles other than overlays,
/// and declares no setting `tiles`.
pub(crate) fn has_tiles_switch(files: &ModFiles) -> bool {
    !files.manifest.is_game && files.tiles.iter().any(|tile| !tile.is_overlay) && !declares(files, TILES)
}

/// Returns whether a mod gets the switch `rules`: it is not a game, has `without_rules = true`, and
/// declares no setting `rules`.
pub(crate) fn has_rules_switch(files: &ModFiles) -> bool {
    !files.manifest.is_game && files.manifest.without_rules && !declares(files, RULES)
}

fn declares(files: &ModFiles, name: &str) -> bool {
    files.manifest.settings.iter().any(|setting| setting.name.value == name)
}
