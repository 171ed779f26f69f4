//! Warns of declarations that can never matter in a game, such as a piece of which there are no
//! copies. The message says what to write, because such a declaration usually lacks a key.
#![expect(clippy::indexing_slicing, reason = "all indices come from the catalogue of these mods")]

use board::{ColumnIdx, TagCarrier, TagIdx, TileSet};
use rules::{Catalogue, Hook, PieceKind};

use crate::declared::{Decl, FilterBody, KindBody, PieceBody, SettingBody};
use crate::folder::ModFiles;
use crate::problem::Problems;

/// The functions with which a script puts pieces on land. Some of them also allow land that no
/// manifest allows.
const DEPLOYING: [&str; 3] = ["deploy", "move_piece", "place_piece"];
/// The functions with which a script pays for a feature without pieces.
const PAYING: [&str; 3] = ["score_as_at_end", "value_at_end", "value_now"];

/// Warns of pieces, kinds of land, settings and tags of filters that can never matter in a game
/// with these mods. Does nothing if there are errors, because they may be the cause.
pub(crate) fn warn(p: &mut Problems, all: &Catalogue, mods: &[ModFiles]) {
    let is_whole = |files: &ModFiles| files.script_is_whole && files.tiles_are_whole && files.tile_trees.is_empty();
    if p.n_errors() > 0 || !mods.iter().all(is_whole) {
        return;
    }
    let calls = |names: &[&str]| mods.iter().any(|files| names.iter().any(|name| files.calls.contains(*name)));
    let may_stand_anywhere = calls(&DEPLOYING) || all.has(Hook::PieceTargets);
    let may_pay = may_stand_anywhere || calls(&PAYING);
    // Skips mods with values that depend on switches, because these values may be different in
    // another game.
    for manifest in mods.iter().map(|files| &files.manifest).filter(|manifest| manifest.tree.is_none()) {
        manifest.pieces.iter().for_each(|decl| piece(p, all, decl, may_stand_anywhere));
        manifest.kinds.iter().filter(|_| !may_pay).for_each(|decl| kind(p, all, decl));
        manifest.settings.iter().for_each(|decl| setting(p, decl, mods));
        let of_hooks = manifest.hooks.iter().map(|decl| &decl.body.filter);
        let of_phases = manifest.phases.iter().map(|decl| &decl.body.filter);
        of_hooks.chain(of_phases).for_each(|filter| tags_of_filter(p, &all.tile_set, filter, mods));
    }
}

/// Warns of a piece without copies, and of a piece that no player can deploy.
fn piece(p: &mut Problems, all: &Catalogue, decl: &Decl<PieceBody>, may_stand_anywhere: bool) {
    let name = &decl.name;
    let Some(idx) = all.piece_named(&name.value) else { return };
    let PieceKind { per_player, neutral, stands_on, .. } = &all.pieces[idx.idx()];
    // If other pieces count as this piece, it may exist only as their common name.
    if all.kinds_counting_as(idx).0.count_ones() > 1 {
        return;
    }
    if *per_player == 0 && *neutral == 0 {
        let help = "write how many each player has, `per_player = 1`, or how many have no owner, `neutral = 1`";
        p.warning(name.range, format!("there are no copies of the piece `{}`", name.value)).help(help);
    } else if *per_player > 0 && stands_on.0 == 0 && !may_stand_anywhere {
        let kinds: Vec<String> = all.tile_set.kinds.iter().take(2).map(|kind| format!("\"{}\"", kind.name)).collect();
        let help = format!("write `stands_on = [{}]`, or place the piece in a script", kinds.join(", "));
        p.warning(name.range, format!("the piece `{}` can stand nowhere", name.value)).help(help);
    }
}

/// Warns of a kind of land that is on a tile but whose points no piece can earn.
fn kind(p: &mut Problems, all: &Catalogue, decl: &Decl<KindBody>) {
    let name = &decl.name;
    let Some(idx) = all.tile_set.kind_named(&name.value) else { return };
    let points = &all.points[usize::from(idx.0)];
    let is_on_tile = all.tile_set.tiles.iter().flat_map(|tile| &tile.zones).any(|zone| zone.kind == idx);
    let pays = points.complete.is_some() || points.at_end.is_some();
    if is_on_tile && pays && !all.pieces.iter().any(|piece| piece.stands_on.contains(idx)) {
        let help = format!("write `holds = [\"{}\"]`, or leave the points out", first_piece(all));
        let message = format!("the kind `{}` pays points, but no piece can stand on it", name.value);
        p.warning(name.range, message).help(help);
    }
}

/// Warns of a setting that no script and no formula can read, because its name is nowhere else.
fn setting(p: &mut Problems, decl: &Decl<SettingBody>, mods: &[ModFiles]) {
    let name = &decl.name;
    let is_in_manifest = n_words(&p.source(name.range.file()).text, &name.value) > 1;
    if !is_in_manifest && mods.iter().all(|files| n_words(&files.script.text, &name.value) == 0) {
        let help = format!("read it in a script, `settings.{0}`, or in a formula, `setting({0})`", name.value);
        p.warning(name.range, format!("the setting `{}` changes nothing", name.value)).help(help);
    }
}

/// Warns of a tag in a filter that is on no tile and that no script sets, because its name is in no
/// script.
fn tags_of_filter(p: &mut Problems, tile_set: &TileSet, filter: &FilterBody, mods: &[ModFiles]) {
    for name in filter.tags.iter().flatten().chain(&filter.tile_tag) {
        let (Some(tag), text) = (tile_set.tag_named(&name.value), &name.value) else { continue };
        if is_on_tile(tile_set, tag) || mods.iter().any(|files| files.script.text.contains(text)) {
            continue;
        }
        let carrier = if tile_set.tag(tag).on == TagCarrier::Tile { "tile" } else { "zone" };
        let message = format!("this filter looks for the tag `{text}`, which no {carrier} has");
        let help =
            format!("add it to a {carrier} in tiles.toml, or write `set_tag({carrier}, \"{text}\", 1)` in a script");
        p.warning(name.range, message).help(help);
    }
}

/// Returns whether a tile type or a zone of one has the tag.
fn is_on_tile(tile_set: &TileSet, tag: TagIdx) -> bool {
    let is_of_tag = |column: ColumnIdx| tile_set.columns[usize::from(column.0)].tag == tag;
    tile_set.tiles.iter().any(|tile| {
        tile.tags.iter().any(|(own, _)| *own == tag)
            || tile.zones.iter().flat_map(|zone| &zone.tags).any(|own| is_of_tag(own.column))
    })
}

/// Returns how often a text contains the word `name`.
fn n_words(text: &str, name: &str) -> usize {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| *word == name).count()
}

/// Returns the name of the first piece that players deploy.
fn first_piece(all: &Catalogue) -> &str {
    all.pieces.iter().find(|piece| piece.per_player > 0).map_or("follower", |piece| piece.name.as_str())
}
