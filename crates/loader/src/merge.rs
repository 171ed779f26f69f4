//! Merges several mods into one catalogue. If two mods declare the same name, equal declarations
//! merge, and unequal declarations are an error that names both mods.
#![expect(clippy::indexing_slicing, reason = "all indices come from the tables that the loader has just built")]

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use board::{Edge, Facing, Kind, KindIdx, KindSet, Layer, Tag, TileIdx, TileSet, TileSetError};
use rules::{
    Catalogue, ItemType, JoinConstraint, ModIdx, Pile, PointFormulas, Setting, SettingValue, Token, Track, TrainedValue,
};

use crate::additions;
use crate::decks;
use crate::declare::most;
use crate::declared::{Decl, KindBody, LayerBody, MergedDecl, PointsBody, TagBody};
use crate::folder::ModFiles;
use crate::formula::FormulaNames;
use crate::functions;
use crate::implicit_switches::IMPLICIT_SWITCHES;
use crate::look_alikes;
use crate::manifest::Manifest;
use crate::names::report_unknown;
use crate::pieces;
use crate::problem::{Problems, Spanned};
use crate::relations;
use crate::tiles::{self, MAX_TILES, TileDecl};
use crate::unused;

/// Makes the catalogue of `mods`, which are in load order, and reports errors. Returns `None` after
/// an error that prevents further steps. The caller must not use the catalogue if `p` contains an
/// error.
///
/// `usual` is the tile set of these mods under the default settings. This function reuses `usual`
/// if the tiles are the same under the current settings. `exists_elsewhere` returns whether a mod
/// that is not in play has a phase with the given name.
pub(crate) fn catalogue(
    p: &mut Problems,
    mods: &[ModFiles],
    usual: Option<&TileSet>,
    exists_elsewhere: impl Fn(&str) -> bool,
) -> Option<Catalogue> {
    let mut values =
        (0..=u8::MAX).map(ModIdx).zip(mods).filter_map(|(owner, it)| Some((owner, it.search_value.clone()?)));
    let search_value = values.next_back().map(|(owner, text)| TrainedValue { owner, text });
    let mut all = Catalogue { mods: relations::infos(mods), search_value, ..Catalogue::default() };
    let kinds = merge_decls(p, mods, "kind", most::KINDS, |m| &m.kinds);
    let tags = merge_decls(p, mods, "tag", most::TAGS, |m| &m.tags);
    let layers = merge_decls(p, mods, "layer", most::LAYERS, |m| &m.layers);
    let pieces = merge_decls(p, mods, "piece", most::PIECES, |m| &m.pieces);
    check_kinds_against_tags(p, &kinds, &tags, &all);

    all.tile_set = tile_set(p, &kinds, &tags, &layers)?;
    add_settings(&mut all, mods);
    let names = FormulaNames { tile_set: &all.tile_set, settings: &all.settings };
    let points = |p: &mut Problems, owner: ModIdx, body: &PointsBody| PointFormulas {
        complete: body.complete.as_ref().map(|f| f.resolve(p, &names, owner)),
        at_end: body.at_end.as_ref().map(|f| f.resolve(p, &names, owner)),
    };
    let mut of_kinds: Vec<PointFormulas> = kinds.iter().map(|k| points(p, k.owner, &k.decl.body.points)).collect();
    let of_layers = layers.iter().map(|l| points(p, l.owner, &l.decl.body.points));
    let of_layers = [PointFormulas::default()].into_iter().chain(of_layers).collect();
    additions::add_points(p, &names, mods, &mut of_kinds);
    (all.points, all.layer_points) = (of_kinds, of_layers);
    all.joining = kinds.iter().enumerate().filter_map(join_constraint).collect();

    all.pieces = pieces::resolve(p, &all, &kinds, &pieces);
    additions::add_to_pieces(p, &mut all, mods);
    let tokens = merge_decls(p, mods, "token", most::TOKENS, |m| &m.tokens);
    all.tokens = tokens
        .iter()
        .map(|t| Token {
            name: t.decl.name.value.clone(),
            stock: t.decl.body.stock,
            per_player: t.decl.body.per_player,
        })
        .collect();
    let piles = merge_decls(p, mods, "pile", most::PILES, |m| &m.piles);
    all.piles = piles.iter().map(|t| Pile { name: t.decl.name.value.clone(), stock: t.decl.body.stock }).collect();

    let places = tile_decls(p, mods)?;
    match usual.filter(|usual| builds_same_tiles(usual, &all.tile_set, mods)) {
        Some(usual) => all.tile_set = usual.clone(),
        None => build_tiles(p, &mut all, mods, &places)?,
    }
    all.track = track(p, mods);
    all.n_players = n_players(mods);
    functions::add_functions(p, &mut all, mods, exists_elsewhere);
    look_alikes::warn(p, mods);
    relations::warn_of_shared_names(p, &all, mods);
    relations::warn_of_awards(p, &all, mods);
    // The following steps need all tiles. If a file of tiles could not be read, these steps would
    // report only consequences of that failure.
    if mods.iter().all(|m| m.tiles_are_whole) {
        decks::add_decks(p, &mut all, mods, &places);
        warn_of_unmet_edges(p, &all, &places);
        unused::warn(p, &all, mods);
    }
    Some(all)
}

/// Merges the declarations that `select` returns for each manifest, in load order. `what` names the
/// type of declaration in messages, and `limit` is the largest number of merged declarations.
pub(crate) fn merge_decls<'a, B: PartialEq>(
    p: &mut Problems,
    mods: &'a [ModFiles],
    what: &str,
    limit: usize,
    select: impl Fn(&'a Manifest) -> &'a [Decl<B>],
) -> Vec<MergedDecl<'a, B>> {
    let mut all: Vec<MergedDecl<'a, B>> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (owner, files) in mods.iter().enumerate() {
        for decl in select(&files.manifest) {
            let owner = ModIdx(owner as u8);
            let place = *places.entry(decl.name.value.as_str()).or_insert(all.len());
            let Some(first) = all.get(place) else {
                all.push(MergedDecl { owner, decl });
                continue;
            };
            if first.decl.body != decl.body {
                let [a, b] = [first.owner, owner].map(|m| &mods[m.idx()].manifest.id.value);
                let note = p.note(first.decl.name.range, format!("`{a}` declares it here"));
                let help = match what {
                    "kind" | "piece" => {
                        let name = &decl.name.value;
                        format!("make both the same, rename one of them, or add to it with `[add.{what}.{name}]`")
                    }
                    _ => "make both the same, or rename one of them".to_owned(),
                };
                let message = format!("{what} `{}` is declared differently by `{a}` and by `{b}`", decl.name.value);
                p.error(decl.name.range, message).help(help).note(note);
            }
        }
    }
    if let Some(over) = all.get(limit) {
        p.error(over.decl.name.range, format!("there are {} {what}s; at most {limit} are allowed", all.len()));
        all.truncate(limit);
    }
    all
}

/// Returns the constraint on connections that a kind of land declares; `None` if it declares no
/// constraint.
fn join_constraint((i, kind): (usize, &MergedDecl<'_, KindBody>)) -> Option<JoinConstraint> {
    let KindBody { joins, u_turns, .. } = kind.decl.body;
    let says = joins.is_some() || !u_turns;
    says.then_some(JoinConstraint { kind: KindIdx(i as u8), owner: kind.owner, n: joins, u_turns })
}

/// Reports each name that both a kind and a tag have, because kinds and tags are keys of the same
/// table on a tile.
fn check_kinds_against_tags<K, T>(
    p: &mut Problems,
    kinds: &[MergedDecl<'_, K>],
    tags: &[MergedDecl<'_, T>],
    all: &Catalogue,
) {
    for tag in tags {
        let name = &tag.decl.name;
        if let Some(kind) = kinds.iter().find(|k| k.decl.name.value == name.value) {
            let owner = &all.mods[kind.owner.idx()].id;
            let note = p.note(kind.decl.name.range, format!("the kind of `{owner}`"));
            let message = format!("`{}` is both a tag and a kind, which share one table on a tile", name.value);
            p.error(name.range, message).help("rename one of them").note(note);
        }
    }
}

/// Makes a tile set with kinds, tags and layers but no tiles. Reports an invalid tile set, and
/// returns `None` for it.
fn tile_set(
    p: &mut Problems,
    kinds: &[MergedDecl<'_, KindBody>],
    tags: &[MergedDecl<'_, TagBody>],
    layers: &[MergedDecl<'_, LayerBody>],
) -> Option<TileSet> {
    let kinds: Vec<Kind> = kinds
        .iter()
        .map(|k| Kind { name: k.decl.name.value.clone(), edge: k.decl.body.edge, closes: k.decl.body.closes })
        .collect();
    let tags: Vec<Tag> = tags
        .iter()
        .map(|t| Tag {
            name: t.decl.name.value.clone(),
            about: t.decl.about.clone(),
            on: t.decl.body.on,
            merge: t.decl.body.merge,
            values: t.decl.body.values.iter().map(|v| v.value.clone()).collect(),
            first_column: board::ColumnIdx(0),
        })
        .collect();
    let mut all_layers = vec![Layer { name: "land".to_owned(), kinds: KindSet::ALL, joins_touching: false }];
    for layer in layers {
        let body = &layer.decl.body;
        let set = body.kinds.iter().filter_map(|name| {
            let found = kinds.iter().position(|k| k.name == name.value);
            if found.is_none() {
                report_unknown(p, "kind", name, kinds.iter().map(|k| k.name.as_str()));
            }
            found.map(|i| KindIdx(i as u8))
        });
        let name = layer.decl.name.value.clone();
        all_layers.push(Layer { name, kinds: set.collect(), joins_touching: body.joins_touching });
    }
    or_report(p, TileSet::new(kinds, tags, all_layers, Vec::new()))
}

/// Returns the tile set. Reports an error, and returns `None` for it.
pub(crate) fn or_report(p: &mut Problems, tile_set: Result<TileSet, TileSetError>) -> Option<TileSet> {
    tile_set
        .map_err(|error| {
            p.general_error(error.to_string());
        })
        .ok()
}

fn add_settings(all: &mut Catalogue, mods: &[ModFiles]) {
    for (owner, files) in mods.iter().enumerate() {
        all.settings.extend(files.manifest.settings.iter().map(|s| Setting {
            owner: ModIdx(owner as u8),
            name: s.name.value.clone(),
            default: s.body.default.clone(),
            choices: s.body.choices.clone(),
            range: s.body.range,
            about: s.about.clone(),
        }));
        let switches = IMPLICIT_SWITCHES.iter().filter(|switch| (switch.has)(files));
        all.settings.extend(switches.map(|switch| Setting {
            owner: ModIdx(owner as u8),
            name: switch.name.to_owned(),
            default: SettingValue::Bool(true),
            choices: Vec::new(),
            range: None,
            about: switch.about.to_owned(),
        }));
    }
}

/// Returns the declarations of all tiles, sorted by mod and then by id. The tile set contains the
/// tiles in the same order. Returns `None` if there are too many tiles.
fn tile_decls<'a>(p: &mut Problems, mods: &'a [ModFiles]) -> Option<Vec<(ModIdx, &'a TileDecl)>> {
    let mut decls: Vec<(ModIdx, &TileDecl)> = Vec::new();
    for (owner, files) in mods.iter().enumerate() {
        let mut first_of: BTreeMap<&str, &TileDecl> = BTreeMap::new();
        for decl in &files.tiles {
            match first_of.entry(&decl.id.value) {
                Entry::Vacant(place) => drop(place.insert(decl)),
                Entry::Occupied(first) => {
                    let note = p.note(first.get().id.range, "the first one");
                    p.error(decl.id.range, format!("tile `{}` is declared twice", decl.id.value)).note(note);
                }
            }
        }
        // Tiles are ordered by id, so that their order in a file does not affect games.
        decls.extend(first_of.into_values().map(|decl| (ModIdx(owner as u8), decl)));
    }
    if decls.len() > MAX_TILES {
        p.general_error(format!("{} tile types; at most {MAX_TILES} are allowed", decls.len()));
        return None;
    }
    Some(decls)
}

/// Returns whether building the tiles again with the kinds, tags and layers of `land` would give
/// the tiles of `usual`. This is true if the kinds, tags and layers are equal, no file of tiles
/// contains conditions, and no mod adds tags to zones.
fn builds_same_tiles(usual: &TileSet, land: &TileSet, mods: &[ModFiles]) -> bool {
    let is_same_land = usual.kinds == land.kinds && usual.tags == land.tags && usual.layers == land.layers;
    let may_differ = |files: &ModFiles| !files.tile_trees.is_empty() || files.manifest.additions.adds_tags();
    is_same_land && !mods.iter().any(may_differ)
}

/// Builds the tiles that `decls` declares and adds them to the tile set, then adds the combined
/// tiles of overlays. Returns `None` after an error.
fn build_tiles(p: &mut Problems, all: &mut Catalogue, mods: &[ModFiles], decls: &[(ModIdx, &TileDecl)]) -> Option<()> {
    let (mut built, mut touches) = (Vec::new(), Vec::new());
    for (owner, decl) in decls {
        let (tile, named) = tiles::build(p, &all.tile_set, &all.mods[owner.idx()].id, decl);
        built.push(tile);
        touches.push(named);
    }
    additions::add_tags(p, &all.tile_set, mods, &mut built);
    let TileSet { kinds, tags, layers, .. } = std::mem::take(&mut all.tile_set);
    all.tile_set = or_report(p, TileSet::new(kinds, tags, layers, built))?;
    for (i, named) in touches.iter().enumerate() {
        tiles::resolve_relations(p, &mut all.tile_set, TileIdx(i as u16), named);
    }
    put_overlays(p, all, decls)
}

/// Adds a combined tile type for each tile and each overlay that fits on the tile. Reports each
/// overlay that fits on no tile. Reports too many tiles, and returns `None` for them.
fn put_overlays(p: &mut Problems, all: &mut Catalogue, decls: &[(ModIdx, &TileDecl)]) -> Option<()> {
    let n_overlays = decls.iter().filter(|(_, decl)| decl.is_overlay).count();
    if n_overlays == 0 {
        return Some(());
    }
    if n_overlays * decls.len() > MAX_TILES {
        let message = format!(
            "{n_overlays} overlays and {} tiles are too many: their product may be at most {MAX_TILES}",
            decls.len()
        );
        p.general_error(message);
        return None;
    }
    all.tile_set = or_report(p, std::mem::take(&mut all.tile_set).with_overlays())?;
    let tiles = &all.tile_set.tiles;
    for (i, (_, decl)) in decls.iter().enumerate().filter(|(_, (_, decl))| decl.is_overlay) {
        let overlay = TileIdx(i as u16);
        let message = match tiles.get(i) {
            Some(tile) if tile.zones.is_empty() => format!("overlay `{}` has no land", decl.id.value),
            _ if tiles.iter().any(|tile| tile.over.is_some_and(|over| over.overlay == overlay)) => continue,
            _ => format!("overlay `{}` fits on no tile", decl.id.value),
        };
        p.error(decl.id.range, message)
            .help("a line needs edges with only ground on the tile below; land that reaches no edge fits every tile");
    }
    Some(())
}

/// Returns the smallest and largest number of players. If an expansion is played only with the mods
/// that it requires and declares numbers of players, these numbers apply. Otherwise the numbers of
/// the game apply.
fn n_players(mods: &[ModFiles]) -> (u8, u8) {
    let needs = |m: &Manifest, other: &Manifest| m.requires.iter().any(|r| r.id.value == other.id.value);
    let is_alone = |m: &Manifest| mods.iter().all(|o| o.manifest.id.value == m.id.value || needs(m, &o.manifest));
    let manifests = || mods.iter().map(|files| &files.manifest);
    let alone = manifests().find(|m| !m.is_game && is_alone(m)).and_then(|m| m.n_players);
    let game = || manifests().find(|m| m.is_game).and_then(|m| m.n_players);
    alone.or_else(game).unwrap_or((1, 8))
}

/// Returns the score track. All mods must agree on the length and on the dark spaces. The number of
/// score markers is the largest that any mod declares, so that a mod can add markers.
fn track(p: &mut Problems, mods: &[ModFiles]) -> Track {
    let mut track = Track::default();
    let length = |n: i64| format!("a track of {n} spaces");
    let dark = |n: i64| format!("a dark space every {n} spaces");
    track.length = declared_number(p, mods, |m| m.track.length, length).unwrap_or(track.length);
    track.dark = declared_number(p, mods, |m| m.track.dark, dark).unwrap_or(track.dark);
    let markers = mods.iter().filter_map(|m| m.manifest.track.n_markers).map(|n| n.value);
    track.n_markers = markers.max().unwrap_or(1) as u8;
    track
}

/// Returns the number that `read` finds in the manifests; `None` if no mod declares it. Reports an
/// error if two mods declare different numbers.
fn declared_number(
    p: &mut Problems,
    mods: &[ModFiles],
    read: impl Fn(&Manifest) -> Option<Spanned<i64>>,
    words: impl Fn(i64) -> String,
) -> Option<u32> {
    let numbers = || mods.iter().filter_map(|m| Some((&m.manifest.id.value, read(&m.manifest)?)));
    let (a, first) = numbers().next()?;
    for (b, other) in numbers().filter(|(_, n)| n.value != first.value) {
        let note = p.note(first.range, format!("`{a}` declares it here"));
        let message = format!("`{a}` declares {}, `{b}` {}", words(first.value), words(other.value));
        p.error(other.range, message).note(note);
    }
    Some(first.value as u32)
}

/// Warns of each tile with an edge that fits no edge of a tile in play.
fn warn_of_unmet_edges(p: &mut Problems, all: &Catalogue, tiles: &[(ModIdx, &TileDecl)]) {
    let mut in_play = vec![false; all.tile_set.tiles.len()];
    for deck in all.decks.iter().filter(|d| d.holds == ItemType::Tiles) {
        deck.items.iter().for_each(|(tile, _)| in_play[*tile as usize] = true);
    }
    if let Some(start) = all.start {
        in_play[start.tile.0 as usize] = true;
    }
    let codes = |tile: usize| all.tile_set.tile(TileIdx(tile as u16)).turned(Facing::default()).edges;
    let mut is_there = vec![false; all.tile_set.n_edge_codes()];
    for tile in (0..in_play.len()).filter(|t| in_play[*t]) {
        for code in codes(tile) {
            match is_there.get_mut(code as usize) {
                Some(there) => *there = true,
                // This tile has an edge that fits anything, so every edge can be matched.
                None => return,
            }
        }
    }
    for tile in (0..in_play.len()).filter(|t| in_play[*t]) {
        let unmet = |edge: &Edge| !is_there[all.tile_set.mirror(codes(tile)[*edge as usize]) as usize];
        if let Some(edge) = Edge::ALL.into_iter().find(unmet) {
            let name = all.tile_set.edge_name(codes(tile)[edge as usize]);
            let id = &tiles[tile].1.id;
            let message = format!("no tile in any deck fits edge `{}` ({name}) of tile `{}`", edge.letter(), id.value);
            p.warning(id.range, message);
        }
    }
}
