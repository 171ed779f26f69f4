//! Counts of tiles, cards and pieces that players choose for a game, such as `base/K=5`,
//! `river/*=2` and `follower=8`.

use std::ops::RangeInclusive;

use diagnostic::did_you_mean;
use rules::{Catalogue, CountSubject, DeckIdx, PieceKindIdx, SettingValue};

/// The range of counts that players may choose for a tile, a card or a piece.
const COUNT_RANGE: RangeInclusive<u16> = 0..=1000;
/// The range of factors by which players may multiply the tiles and cards of a mod.
const FACTOR_RANGE: RangeInclusive<u16> = 0..=10;

/// Returns whether `name` names a count and not a setting. A count contains a slash, or is the name
/// of a piece. The name of a setting contains a dot and no slash.
pub(crate) fn is_count(catalogue: &Catalogue, name: &str) -> bool {
    name.contains('/') || !name.contains('.') && catalogue.piece_named(name).is_some()
}

/// Reads `text` as the count of the mod, piece, tile or card called `name`.
///
/// # Errors
/// Returns a message if nothing in `catalogue` is called `name`, or if the number is out of range.
pub(crate) fn read_count(catalogue: &Catalogue, name: &str, text: &str) -> Result<SettingValue, String> {
    let of = thing_named(catalogue, name)?;
    let range = if matches!(of, CountSubject::Mod(_)) { FACTOR_RANGE } else { COUNT_RANGE };
    match text.parse::<u16>().ok().filter(|n| range.contains(n)) {
        Some(n) => Ok(SettingValue::Count(of, n)),
        None => Err(format!("`{name}` takes a number from {} to {}, not `{text}`", range.start(), range.end())),
    }
}

/// Finds the mod, piece, tile or card called `name`. Returns a message if there is none.
fn thing_named(catalogue: &Catalogue, name: &str) -> Result<CountSubject, String> {
    let Some((owner, item)) = name.split_once('/') else {
        let piece = catalogue.piece_named(name);
        return piece.map(CountSubject::Piece).ok_or_else(|| format!("there is no piece `{name}` in these mods"));
    };
    let Some(owner) = catalogue.mod_named(owner) else {
        let ids = catalogue.mods.iter().map(|it| it.id.as_str());
        let help = did_you_mean(owner, ids).map_or(String::new(), |help| format!(" ({help})"));
        return Err(format!("the mod `{owner}` is not in this game{help}"));
    };
    if item == "*" {
        return Ok(CountSubject::Mod(owner));
    }
    // A tile without copies is in no deck, so its new copies go into the first deck.
    let tile = catalogue.tile_set.tile_named(name).map(|tile| (DeckIdx(0), tile.0));
    let decks = (0..catalogue.decks.len()).map(|i| DeckIdx(i as u8));
    let mut in_deck = decks.filter_map(|deck| Some((deck, catalogue.item_named(deck, name)?)));
    let holds = |(deck, item): &(DeckIdx, u16)| {
        let deck = catalogue.decks.get(deck.idx());
        deck.is_some_and(|deck| deck.items.iter().any(|(known, _)| known == item))
    };
    let found = in_deck.find(holds).or(tile);
    found.map(|(deck, item)| CountSubject::Item(deck, item)).ok_or_else(|| {
        let tiles = catalogue.tile_set.tiles.iter().map(|tile| tile.name.as_str());
        let names = tiles.chain(catalogue.cards.iter().map(|card| card.name.as_str()));
        let help = did_you_mean(name, names).map_or(String::new(), |help| format!(" ({help})"));
        format!("there is no tile and no card `{name}` in these mods{help}")
    })
}

/// Applies the counts among `settings` to a catalogue: first the factors of whole mods, then the
/// counts of tiles, cards and pieces.
pub(crate) fn apply(catalogue: &mut Catalogue, settings: &[SettingValue]) {
    let counts = || {
        settings.iter().filter_map(|setting| match setting {
            SettingValue::Count(of, n) => Some((*of, *n)),
            _ => None,
        })
    };
    for (of, times) in counts() {
        let CountSubject::Mod(owner) = of else { continue };
        let Some(id) = catalogue.mods.get(owner.idx()).map(|it| it.id.clone()) else { continue };
        for deck in 0..catalogue.decks.len() {
            let is_own = |catalogue: &Catalogue, item: u16| {
                let name = catalogue.item_name(DeckIdx(deck as u8), item);
                name.split_once('/').is_some_and(|(owner, _)| owner == id)
            };
            let items = catalogue.decks.get(deck).map_or_else(Vec::new, |deck| deck.items.clone());
            let items = items.into_iter().map(|(item, n)| match is_own(catalogue, item) {
                true => (item, n.saturating_mul(times)),
                false => (item, n),
            });
            let items: Vec<(u16, u16)> = items.collect();
            if let Some(deck) = catalogue.decks.get_mut(deck) {
                deck.items = items;
            }
        }
    }
    for (of, n) in counts() {
        match of {
            CountSubject::Item(deck, item) => set_item(catalogue, deck, item, n),
            CountSubject::Piece(kind) => set_piece(catalogue, kind, n),
            CountSubject::Mod(_) => {}
        }
    }
}

fn set_item(catalogue: &mut Catalogue, deck: DeckIdx, item: u16, n: u16) {
    let Some(deck) = catalogue.decks.get_mut(deck.idx()) else { return };
    match deck.items.iter_mut().find(|(known, _)| *known == item) {
        Some((_, count)) => *count = n,
        None => {
            deck.items.push((item, n));
            deck.items.sort_unstable();
        }
    }
}

/// Sets the number of pieces of this kind that each player has. If all pieces of this kind are
/// neutral, sets the number of neutral pieces instead.
fn set_piece(catalogue: &mut Catalogue, kind: PieceKindIdx, n: u16) {
    let Some(piece) = catalogue.pieces.get_mut(kind.idx()) else { return };
    match (piece.per_player, piece.neutral) {
        (0, 1..) => piece.neutral = n,
        _ => piece.per_player = n,
    }
}
