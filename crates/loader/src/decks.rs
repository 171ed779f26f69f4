//! Decks with their contents, and the start tile.
#![expect(clippy::indexing_slicing, reason = "all indices come from the tables that the loader has just built")]

use std::collections::{BTreeMap, BTreeSet};

use board::{Facing, TileIdx};
use rules::{Card, Catalogue, Deck, DeckIdx, ItemType, ModIdx, StartTile};

use crate::declared::{CardBody, DeckBody, Decl};
use crate::folder::ModFiles;
use crate::names::report_unknown;
use crate::problem::{Problems, Spanned};
use crate::tiles::TileDecl;

type Decls<'a> = [(ModIdx, &'a TileDecl)];

/// Adds the decks and the start tile to a catalogue that already has tiles and functions. `tiles`
/// contains the declarations of the tiles in the catalogue, in the same order.
pub(crate) fn add_decks(p: &mut Problems, all: &mut Catalogue, mods: &[ModFiles], tiles: &Decls<'_>) {
    let decks = declared_decks(p, mods);
    all.decks =
        decks.iter().map(|(name, holds)| Deck { name: name.clone(), holds: *holds, items: Vec::new() }).collect();
    all.start = start_tile(p, all, mods, tiles);
    for (i, (_, tile)) in tiles.iter().enumerate() {
        let Some(deck) = deck_of(p, all, tile) else { continue };
        // One copy of a start tile is not in the deck: it lies on the board, or stays in the box if
        // another start tile replaces it.
        let count = tile.count.saturating_sub(u16::from(tile.start.is_some()));
        if count > 0 {
            all.decks[deck.idx()].items.push((i as u16, count));
        }
    }
    for files in mods {
        for deck in &files.manifest.decks {
            add_cards(p, all, files, deck);
        }
    }
    // Items are removed after all additions, so that the order of mods does not matter.
    for files in mods {
        files.manifest.decks.iter().for_each(|deck| remove_items(p, all, deck));
    }
}

/// Returns the name of each deck and the type of its items. The decks of the game come first, and
/// the first of them is the draw pile.
fn declared_decks(p: &mut Problems, mods: &[ModFiles]) -> Vec<(String, ItemType)> {
    let (games, others): (Vec<&ModFiles>, Vec<&ModFiles>) = mods.iter().partition(|m| m.manifest.is_game);
    let mut said: Vec<(&ModFiles, &Decl<DeckBody>, Option<bool>)> = Vec::new();
    for files in games.iter().chain(&others) {
        for deck in &files.manifest.decks {
            let holds = deck.body.holds_cards;
            let Some(first) = said.iter_mut().find(|(_, d, _)| d.name.value == deck.name.value) else {
                said.push((files, deck, holds));
                continue;
            };
            match (first.2, holds) {
                (None, Some(_)) => first.2 = holds,
                (Some(a), Some(b)) if a != b => {
                    let [one, other] = [first.0, files].map(|m| &m.manifest.id.value);
                    let note = p.note(first.1.name.range, format!("`{one}` declares it here"));
                    let message =
                        format!("deck `{}` is declared differently by `{one}` and by `{other}`", deck.name.value);
                    p.error(deck.name.range, message).note(note);
                }
                _ => {}
            }
        }
    }
    if let Some(game) = games.first().filter(|g| g.manifest.decks.is_empty()) {
        let help = "write `[deck.land]`: turns draw from the first deck of a game";
        p.error(game.manifest.id.range, format!("the game `{}` has no deck", game.manifest.id.value)).help(help);
    }
    if let Some((_, first, Some(true))) =
        said.first().filter(|_| games.first().is_some_and(|g| !g.manifest.decks.is_empty()))
    {
        let help = "turns draw from the first deck of a game: write a deck of tiles before it";
        p.error(
            first.name.range,
            format!("the first deck, `{}`, must hold tiles, but it holds cards", first.name.value),
        )
        .help(help);
    }
    if let Some((_, over, _)) = said.get(255) {
        p.error(over.name.range, "there are more than 255 decks");
        said.truncate(255);
    }
    let holds = |cards: Option<bool>| if cards == Some(true) { ItemType::Cards } else { ItemType::Tiles };
    said.into_iter().map(|(_, deck, cards)| (deck.name.value.clone(), holds(cards))).collect()
}

fn deck_of(p: &mut Problems, all: &Catalogue, tile: &TileDecl) -> Option<DeckIdx> {
    let Some(name) = &tile.deck else {
        return all.decks.first().filter(|deck| deck.holds == ItemType::Tiles).map(|_| DeckIdx(0));
    };
    let tile_decks = || all.decks.iter().filter(|d| d.holds == ItemType::Tiles).map(|d| d.name.as_str());
    match all.deck_named(&name.value) {
        Some(deck) if all.decks[deck.idx()].holds == ItemType::Tiles => return Some(deck),
        Some(_) => {
            p.error(name.range, format!("deck `{}` holds cards, not tiles", name.value))
                .suggest(&name.value, tile_decks());
        }
        None => report_unknown(p, "deck", name, tile_decks()),
    }
    None
}

/// Adds the cards of a mod to a deck. Sorts the cards by name, so that their order in the file does
/// not matter.
fn add_cards(p: &mut Problems, all: &mut Catalogue, files: &ModFiles, deck: &Decl<DeckBody>) {
    let Some(idx) = all.deck_named(&deck.name.value) else { return };
    let mut known: BTreeMap<String, usize> =
        all.cards.iter().enumerate().map(|(i, card)| (card.name.clone(), i)).collect();
    let cards: BTreeMap<String, &CardBody> = {
        let full_name = |card: &str| format!("{}/{card}", files.manifest.id.value);
        deck.body.cards.iter().map(|card| (full_name(&card.name.value), card)).collect()
    };
    if all.cards.len() + cards.len() > MAX_CARDS {
        p.error(deck.name.range, format!("there are more than {MAX_CARDS} kinds of cards"));
        return;
    }
    for (name, card) in cards {
        let item = *known.entry(name).or_insert_with_key(|name| {
            all.cards.push(Card { name: name.clone(), about: card.about.clone() });
            all.cards.len() - 1
        });
        all.decks[idx.idx()].items.push((item as u16, card.count));
    }
}

/// Removes the items that `decl` lists in `without` from the deck. `base/K` names one item, and
/// `base/*` names all items of a mod.
fn remove_items(p: &mut Problems, all: &mut Catalogue, decl: &Decl<DeckBody>) {
    let Some(idx) = all.deck_named(&decl.name.value).filter(|_| !decl.body.without.is_empty()) else { return };
    let owner_of = |name: &str| name.split_once('/').map_or_else(String::new, |(owner, _)| owner.to_owned());
    let names: Vec<String> = {
        let items = all.decks[idx.idx()].items.iter();
        items.map(|(item, _)| all.item_name(idx, *item).to_owned()).collect()
    };
    let there: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let owners: BTreeSet<String> = names.iter().map(|name| owner_of(name)).collect();
    let mut taken_out: BTreeSet<&str> = BTreeSet::new();
    for pattern in &decl.body.without {
        let Some((owner, item)) = pattern.value.split_once('/') else {
            let message = format!("`{}` must begin with the id of a mod and `/`", pattern.value);
            p.error(pattern.range, message).help("write `base/K` for one tile, `base/*` for all tiles of a mod");
            continue;
        };
        // If the mod is not in play, the deck contains none of its items.
        if all.mod_named(owner).is_none() {
            continue;
        }
        let is_there = if item == "*" { owners.contains(owner) } else { there.contains(pattern.value.as_str()) };
        if !is_there {
            let message = format!("`{}` is not in deck `{}`", pattern.value, decl.name.value);
            let problem = p.warning(pattern.range, message);
            problem.suggest_nearest(&pattern.value, there.iter().copied());
        } else if !taken_out.insert(&pattern.value) {
            p.warning(pattern.range, format!("`{}` is listed twice", pattern.value));
        }
    }
    let stays =
        |name: &String| !taken_out.contains(name.as_str()) && !taken_out.contains(&*format!("{}/*", owner_of(name)));
    let kept: Vec<bool> = names.iter().map(stays).collect();
    let mut kept = kept.into_iter();
    all.decks[idx.idx()].items.retain(|_| kept.next().unwrap_or(true));
}

/// The largest number of kinds of cards in all decks together.
const MAX_CARDS: usize = 10_000;
/// The largest number of tiles declared as start tiles. A game uses only one start tile.
const MAX_STARTS: usize = 100;

/// The word in `instead_of` that stands for all other start tiles.
const ANY: &str = "any";

/// Returns the start tile that no other start tile replaces, if there is one. Reports an error if
/// there are several. A start tile replaces the tiles that its `instead_of` names.
///
/// If `instead_of` contains `any`, the start tile replaces every other start tile with two
/// exceptions: tiles that also have `any`, and tiles that name this start tile.
fn start_tile(p: &mut Problems, all: &Catalogue, mods: &[ModFiles], tiles: &Decls<'_>) -> Option<StartTile> {
    let name = |i: usize| all.tile_set.tiles[i].name.as_str();
    let starts: Vec<usize> = (0..tiles.len()).filter(|i| tiles[*i].1.start.is_some()).collect();
    // This limit keeps the comparison of all pairs fast.
    if let Some(over) = starts.get(MAX_STARTS).and_then(|i| tiles[*i].1.start.as_ref()) {
        p.error(over.range, format!("there are {} start tiles; at most {MAX_STARTS} are allowed", starts.len()));
        return None;
    }
    let instead_of = |i: usize| tiles[i].1.start.iter().flat_map(|s| &s.instead_of);
    for replaced in starts.iter().flat_map(|i| instead_of(*i)).filter(|r| r.value != ANY) {
        check_replaced(p, all, replaced, starts.iter().map(|i| name(*i)));
    }
    let names = |by: usize, other: usize| instead_of(by).any(|r| r.value == name(other));
    let is_any = |i: usize| instead_of(i).any(|r| r.value == ANY);
    let replaces = |by: usize, other: usize| names(by, other) || is_any(by) && !is_any(other) && !names(other, by);
    let is_replaced = |i: usize| starts.iter().any(|by| *by != i && replaces(*by, i));
    let left: Vec<usize> = starts.iter().copied().filter(|i| !is_replaced(*i)).collect();
    match left[..] {
        [] => {
            let defines_setup = mods.iter().any(|m| m.functions.iter().any(|f| f.name == "setup"));
            if let ([], false, Some(game)) = (&starts[..], defines_setup, mods.iter().find(|m| m.manifest.is_game)) {
                let message = format!("the game `{}` has no start tile", game.manifest.id.value);
                p.error(game.manifest.id.range, message).help("add `start = true` to one tile");
            } else if let Some(first) = starts.first().and_then(|i| tiles[*i].1.start.as_ref()) {
                p.error(first.range, "the start tiles replace each other in a cycle");
            }
            None
        }
        [first, ref more @ ..] => {
            for other in more {
                let (Some(a), Some(b)) = (&tiles[first].1.start, &tiles[*other].1.start) else { continue };
                let note = p.note(a.range, format!("`{}` is a start tile", name(first)));
                let message = format!("`{}` and `{}` are both start tiles", name(first), name(*other));
                let written = |by: usize, other: usize| {
                    let other = format!("\"{}\"", name(other));
                    let replaced = if is_any(by) { format!("[\"any\", {other}]") } else { other };
                    format!("`start = {{ instead_of = {replaced} }}`")
                };
                let (by_other, by_first) = (written(*other, first), written(first, *other));
                let help = format!(
                    "write {by_other} here if this tile replaces `{0}`, or {by_first} on `{0}` for the reverse",
                    name(first)
                );
                p.error(b.range, message).help(help).note(note);
            }
            Some(StartTile { tile: TileIdx(first as u16), facing: Facing::default() })
        }
    }
}

/// Checks that `replaced` is the name of a start tile. Ignores names of tiles whose mod is not in
/// play.
fn check_replaced<'a>(
    p: &mut Problems,
    all: &Catalogue,
    replaced: &Spanned<String>,
    starts: impl Iterator<Item = &'a str>,
) {
    let owner = replaced.value.split_once('/').map(|(owner, _)| owner);
    if owner.is_some_and(|owner| all.mod_named(owner).is_none()) {
        return;
    }
    let starts: Vec<&str> = starts.collect();
    if !starts.contains(&replaced.value.as_str()) {
        let message = format!("`{}` is not a start tile", replaced.value);
        p.error(replaced.range, message).suggest(&replaced.value, starts);
    }
}
