//! Reads tiles from an unsaved text, with the kinds and tags of the loaded mods.

use std::path::Path;

use board::{Tile, TileIdx, TileSet};
use rules::{Catalogue, SettingValue};

use crate::conditions::{self, Switches};
use crate::merge;
use crate::problem::Problems;
use crate::reader;
use crate::tiles;

/// Reads `text` as a file of tiles of mod `mod_id`, with the kinds and tags of `catalogue`.
/// Problems refer to the file as `path`.
///
/// Returns a tile set, or `None` if there are errors. The tile set contains the tiles of the text,
/// in the order of the file, and then the other tiles of the catalogue. Does not find problems that
/// depend on the whole mod, such as an unknown deck or an edge that fits no tile.
pub fn read_tiles(catalogue: &Catalogue, mod_id: &str, path: &Path, text: &str) -> (Option<TileSet>, Problems) {
    let mut problems = Problems::default();
    let file = problems.add_source(path, text.to_owned());
    let (root, is_whole) = reader::parse(&mut problems, file);
    let mut found = None;
    if is_whole {
        let settled = conditions::resolve_conditions(&mut problems, &root, &switches(catalogue, mod_id));
        let decls = tiles::read(&mut problems, &settled);
        found = build(&mut problems, catalogue, mod_id, &decls);
    }
    problems.sort();
    (found.filter(|_| problems.n_errors() == 0), problems)
}

/// Returns the settings of a mod by name. The value of a switch (a setting that is true or false)
/// is `Some` with the default; the value of any other setting is `None`.
fn switches(catalogue: &Catalogue, mod_id: &str) -> Switches {
    let own = catalogue.settings.iter().filter(|it| catalogue.mods.get(it.owner.idx()).is_some_and(|m| m.id == mod_id));
    let default = |value: &SettingValue| match value {
        SettingValue::Bool(on) => Some(*on),
        _ => None,
    };
    own.map(|it| (it.name.clone(), default(&it.default))).collect()
}

fn build(p: &mut Problems, catalogue: &Catalogue, mod_id: &str, decls: &[tiles::TileDecl]) -> Option<TileSet> {
    let tile_set = &catalogue.tile_set;
    let (mut all, named): (Vec<Tile>, Vec<_>) =
        decls.iter().map(|decl| tiles::build(p, tile_set, mod_id, decl)).unzip();
    // Tiles with overlapping zones cannot be built.
    if p.n_errors() > 0 {
        return None;
    }
    let is_other = |tile: &&Tile| tile.over.is_none() && !all.iter().any(|own| own.name == tile.name);
    let others: Vec<Tile> = tile_set.tiles.iter().filter(is_other).cloned().collect();
    all.extend(others);
    let made = TileSet::new(tile_set.kinds.clone(), tile_set.tags.clone(), tile_set.layers.clone(), all);
    let mut tile_set = merge::or_report(p, made)?;
    for (i, named) in named.iter().enumerate() {
        tiles::resolve_relations(p, &mut tile_set, TileIdx(i as u16), named);
    }
    Some(tile_set)
}
