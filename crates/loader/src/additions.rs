//! Adds `[add.kind.<name>]` and `[add.piece.<name>]` of all mods to the land and pieces that other
//! mods declare. The additions of several mods add up.

use std::collections::BTreeMap;

use board::{MergeRule, Tile, TileSet, ZoneTag};
use rules::{Catalogue, Formula, ModIdx, PieceKind, PointFormulas};

use crate::declared::{Additions, Decl};
use crate::folder::ModFiles;
use crate::formula::FormulaNames;
use crate::names::{kind_set, report_unknown, zone_tag};
use crate::pieces::piece_kinds;
use crate::problem::{Problems, Spanned};
use crate::reader::KeyValue;
use crate::zones;

/// The maximum number of tags that the additions of all mods give to the zones of all tiles.
const MAX_ADDED_TAGS: usize = 1_000_000;

/// Iterates over all mods: their indices, files and additions.
fn additions_by_mod(mods: &[ModFiles]) -> impl Iterator<Item = (ModIdx, &ModFiles, &Additions)> {
    (0..=u8::MAX).zip(mods).map(|(i, files)| (ModIdx(i), files, &files.manifest.additions))
}

/// Reports `name` as unknown, because no mod in play declares it. Reports nothing if a mod that
/// `files` lists as optional is not in play, because that mod may declare the name.
fn report_undeclared<'a>(
    p: &mut Problems,
    mods: &[ModFiles],
    files: &ModFiles,
    what: &str,
    name: &Spanned<String>,
    known: impl Iterator<Item = &'a str>,
) {
    let is_in_play = |id: &str| mods.iter().any(|other| other.manifest.id.value == id);
    if files.manifest.optional.iter().all(|it| is_in_play(&it.id.value)) {
        report_unknown(p, what, name, known);
    }
}

/// Adds the points in the `[add.kind.*]` tables of all mods to `points`. `points` contains the
/// points of each kind in the order of the tile set.
pub(crate) fn add_points(p: &mut Problems, names: &FormulaNames<'_>, mods: &[ModFiles], points: &mut [PointFormulas]) {
    for (owner, files, additions) in additions_by_mod(mods) {
        for Decl { name, body, .. } in &additions.kinds {
            let kind = names.tile_set.kind_named(&name.value);
            let Some(points) = kind.and_then(|kind| points.get_mut(usize::from(kind.0))) else {
                let known = names.tile_set.kinds.iter().map(|kind| kind.name.as_str());
                report_undeclared(p, mods, files, "kind", name, known);
                continue;
            };
            let mut add = |to: &mut Option<Formula>, written: &Option<crate::formula::ParsedFormula>| {
                let Some(written) = written else { return };
                to.get_or_insert_default().terms.extend(written.resolve(p, names, owner).terms);
            };
            add(&mut points.complete, &body.points.complete);
            add(&mut points.at_end, &body.points.at_end);
        }
    }
}

/// Adds the additions of all mods to the pieces of the catalogue. Additions are kinds of land on
/// which a piece may stand, pieces that block it, and copies of it.
pub(crate) fn add_to_pieces(p: &mut Problems, all: &mut Catalogue, mods: &[ModFiles]) {
    let mut pieces = all.pieces.clone();
    for (_, files, additions) in additions_by_mod(mods) {
        for Decl { name, body, .. } in &additions.kinds {
            // `add_points` has reported unknown kinds.
            let Some(kind) = all.tile_set.kind_named(&name.value) else { continue };
            let held = piece_kinds(p, all, &body.holds);
            for_each_piece(&mut pieces, held.0, |piece| piece.stands_on.0 |= 1 << kind.0);
        }
        for Decl { name, body, .. } in &additions.pieces {
            let Some(meant) = all.piece_named(&name.value) else {
                report_undeclared(p, mods, files, "piece", name, all.pieces.iter().map(|piece| piece.name.as_str()));
                continue;
            };
            let lands = kind_set(p, &all.tile_set, &body.stands_on);
            let blocking = piece_kinds(p, all, &body.blocked_by);
            for_each_piece(&mut pieces, all.kinds_counting_as(meant).0, |piece| {
                piece.stands_on.0 |= lands.0;
                piece.blocked_by.0 |= blocking.0;
            });
            if let Some(piece) = pieces.get_mut(meant.idx()) {
                piece.per_player = piece.per_player.saturating_add(body.per_player);
                piece.neutral = piece.neutral.saturating_add(body.neutral);
            }
        }
    }
    all.pieces = pieces;
}

/// Calls `change` for each piece whose index is in the bit set `kinds`.
fn for_each_piece(pieces: &mut [PieceKind], kinds: u32, change: impl FnMut(&mut PieceKind)) {
    let chosen = pieces.iter_mut().enumerate().filter(|(i, _)| kinds >> i & 1 == 1);
    chosen.map(|(_, piece)| piece).for_each(change);
}

/// Adds the tags in the `[add.kind.*]` tables of all mods to the zones of `tiles`. A zone that
/// declares the same tag keeps its own value.
pub(crate) fn add_tags(p: &mut Problems, tile_set: &TileSet, mods: &[ModFiles], tiles: &mut [Tile]) {
    let mut of_kinds: BTreeMap<u8, Vec<ZoneTag>> = BTreeMap::new();
    for (_, _, additions) in additions_by_mod(mods) {
        for Decl { name, body, .. } in &additions.kinds {
            let Some(kind) = tile_set.kind_named(&name.value) else { continue };
            for KeyValue { key, node } in &body.tags {
                let Some(tag) = zone_tag(p, tile_set, key) else { continue };
                let added = zones::zone_tag(p, tile_set, tag, node);
                let known = of_kinds.entry(kind.0).or_default();
                added.into_iter().for_each(|it| merge(tile_set, known, it));
            }
        }
    }
    let added_to =
        |tile: &Tile| -> usize { tile.zones.iter().filter_map(|zone| of_kinds.get(&zone.kind.0)).map(Vec::len).sum() };
    let n_added: usize = tiles.iter().map(added_to).sum();
    if n_added > MAX_ADDED_TAGS {
        p.general_error(format!(
            "[add.kind] adds {n_added} tags to the zones of all tiles; at most {MAX_ADDED_TAGS} are allowed"
        ));
        return;
    }
    let tag_of = |it: &ZoneTag| tile_set.columns.get(usize::from(it.column.0)).map(|column| column.tag);
    for zone in tiles.iter_mut().flat_map(|tile| &mut tile.zones) {
        let Some(added) = of_kinds.get(&zone.kind.0) else { continue };
        let own = zone.tags.clone();
        let missing = added.iter().filter(|it| own.iter().all(|has| tag_of(has) != tag_of(it)));
        zone.tags.extend(missing.copied());
    }
}

/// Adds the tag `added` to `known`, the tags that mods add to the zones of one kind. If `known`
/// already contains the tag, merges both values.
fn merge(tile_set: &TileSet, known: &mut Vec<ZoneTag>, added: ZoneTag) {
    let Some(same) = known.iter_mut().find(|it| it.column == added.column) else { return known.push(added) };
    let merge = tile_set.columns.get(usize::from(added.column.0)).map(|column| tile_set.tag(column.tag).merge);
    same.value = match merge {
        Some(MergeRule::Sum | MergeRule::Multiset) => same.value.saturating_add(added.value),
        _ => same.value.max(added.value),
    };
}
