//! The declarations of mods under settings other than the defaults.
#![expect(clippy::indexing_slicing, reason = "the catalogue of these mods assigns the indices of settings and owners")]

use board::TileSet;
use diagnostic::{Diagnostic, Severity};
use rules::{Catalogue, ModIdx, SettingIdx, SettingValue};

use crate::conditions;
use crate::folder::ModFiles;
use crate::implicit_switches::{IMPLICIT_SWITCHES, RULES, TILES, has_rules_switch, has_tiles_switch};
use crate::manifest;
use crate::merge;
use crate::problem::Problems;
use crate::tiles;

/// The mods as read from their files. The loader uses them to make the catalogue again under other
/// settings.
#[derive(Debug, Default)]
pub(crate) struct ModSources {
    mods: Vec<ModFiles>,
    /// The files of `mods`, to which problems refer. This list contains no problems.
    sources: Problems,
}

impl ModSources {
    pub(crate) fn new(mods: Vec<ModFiles>, sources: Problems) -> ModSources {
        ModSources { mods, sources }
    }

    /// Returns whether declarations may depend on `setting`. This is true for a switch of a mod
    /// with conditions, and for the switches `tiles` and `rules` that a mod gets without declaring
    /// them.
    pub(crate) fn affects_declarations(&self, catalogue: &Catalogue, setting: SettingIdx) -> bool {
        let setting = &catalogue.settings[setting.idx()];
        let files = &self.mods[setting.owner.idx()];
        let is_switch = matches!(setting.default, SettingValue::Bool(_));
        let is_own = IMPLICIT_SWITCHES.iter().any(|switch| switch.name == setting.name && (switch.has)(files));
        is_switch && (has_conditions(files) || is_own)
    }

    /// Returns the errors that occur if every switch has the opposite of its default. Returns no
    /// errors if no mod has conditional values. `tiles` is the tile set under the default settings.
    pub(crate) fn problems(&self, tiles: Option<&TileSet>) -> Vec<Diagnostic> {
        if !self.mods.iter().any(has_conditions) {
            return Vec::new();
        }
        let usually = |owner: ModIdx, name: &str| self.mods[owner.idx()].manifest.switches.get(name).copied().flatten();
        let (_, problems) = self.catalogue(tiles, |owner, name| usually(owner, name).map(|on| !on));
        problems.list().iter().filter(|it| it.severity == Severity::Error).cloned().collect()
    }

    /// Makes the catalogue for the switches that `chosen` returns. `chosen` returns `None` for a
    /// switch that keeps its default. Reuses `tiles`, the tile set under the default settings, if
    /// the tiles cannot differ.
    pub(crate) fn catalogue(
        &self,
        tiles: Option<&TileSet>,
        chosen: impl Fn(ModIdx, &str) -> Option<bool>,
    ) -> (Option<Catalogue>, Problems) {
        let mut p = self.sources.clone();
        let mut mods = self.mods.clone();
        for (i, files) in mods.iter_mut().enumerate() {
            let owner = ModIdx(i as u8);
            let mut switches = files.manifest.switches.clone();
            for (name, on) in &mut switches {
                *on = on.map(|usual| chosen(owner, name).unwrap_or(usual));
            }
            if let Some((file, root)) = files.manifest.tree.clone() {
                let id = files.manifest.id.value.clone();
                let settled = conditions::resolve_conditions(&mut p, &root, &switches);
                files.manifest = manifest::read(&mut p, file, &settled, &id).unwrap_or_else(|| files.manifest.clone());
            }
            if !files.tile_trees.is_empty() {
                files.tiles.clear();
                for root in &files.tile_trees {
                    let settled = conditions::resolve_conditions(&mut p, root, &switches);
                    files.tiles.extend(tiles::read(&mut p, &settled));
                }
            }
            if has_tiles_switch(files) && chosen(owner, TILES) == Some(false) {
                for tile in &mut files.tiles {
                    (tile.count, tile.start) = (0, None);
                }
            }
            if has_rules_switch(files) && chosen(owner, RULES) == Some(false) {
                files.functions.clear();
                files.manifest.phases.clear();
                files.manifest.options.clear();
                files.manifest.hooks.clear();
            }
        }
        let catalogue = merge::catalogue(&mut p, &mods, tiles, |_| true);
        (catalogue, p)
    }
}

fn has_conditions(files: &ModFiles) -> bool {
    files.manifest.tree.is_some() || !files.tile_trees.is_empty()
}
