//! Counts of tiles, cards and pieces that players choose for a game, such as `base/K=5`,
//! `river/*=2` and `follower=8`.

use std::ops::RangeInclusive;

use diagnostic::{did_you_mean, nearest, there_are};
use rules::{Catalogue, CountSubject, DeckIdx, PieceKindIdx, SettingValue};

use crate::setting_error::SettingError;

/// The range of counts that players may choose for a tile, a card or a piece.
const COUNT_RANGE: RangeInclusive<u16> = 0..=1000;
/// The range of factors by which players may multiply the tiles and cards of a mod.
const FACTOR_RANGE: RangeInclusive<u16> = 0..=10;

/// Reads `text` as the count of the mod, piece, tile or card called `name`.
///
/// # Errors
/// Returns an error if nothing in `catalogue` is called `name`, or if the number is out of range.
pub(crate) fn read_count(catalogue: &Catalogue, name: &str, text: &str) -> Result<SettingValue, SettingError> {
    let of = thing_named(catalogue, name)?;
    let range = if matches!(of, CountSubject::Mod(_)) { FACTOR_RANGE } else { COUNT_RANGE };
    match text.parse::<u16>().ok().filter(|n| range.contains(n)) {
        Some(n) => Ok(SettingValue::Count(of, n)),
        None => Err(SettingError::CountOutOfRange { name: name.to_owned(), text: text.to_owned(), range }),
    }
}

/// Finds the mod, piece, tile or card called `name`. Returns an error if there is none.
fn thing_named(catalogue: &Catalogue, name: &str) -> Result<CountSubject, SettingError> {
    let Some((owner, item)) = name.split_once('/') else {
        return catalogue.piece_named(name).map(CountSubject::Piece).ok_or_else(|| unknown_name(catalogue, name));
    };
    let Some(owner) = catalogue.mod_named(owner) else {
        let ids = catalogue.mods.iter().map(|it| it.id.as_str());
        let help = did_you_mean(owner, ids);
        return Err(SettingError::ModNotInGame { name: name.to_owned(), owner: owner.to_owned(), help });
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
    found.map(|(deck, item)| CountSubject::Item(deck, item)).ok_or_else(|| unknown_name(catalogue, name))
}

/// Returns the error for a name that is neither a setting nor the name of a count. Suggests the
/// setting, piece, tile or card with a similar name.
pub(crate) fn unknown_name(catalogue: &Catalogue, name: &str) -> SettingError {
    let settings: Vec<String> = (0..catalogue.settings.len()).map(|i| setting_name(catalogue, i)).collect();
    let pieces: Vec<&str> = catalogue.pieces.iter().map(|piece| piece.name.as_str()).collect();
    let mut all: Vec<(&str, &str)> = settings.iter().map(|name| ("setting", name.as_str())).collect();
    all.extend(pieces.iter().map(|name| ("piece", *name)));
    all.extend(catalogue.tile_set.tiles.iter().map(|tile| ("tile", tile.name.as_str())));
    all.extend(catalogue.cards.iter().map(|card| ("card", card.name.as_str())));
    // People may leave out the mod, as in `K` for `base/K`, or write the wrong sign after it.
    let has_mod = name.contains(['.', '/']);
    let written = |full: &str| match full.split_once(['.', '/']) {
        Some((_, end)) if !has_mod => end.to_owned(),
        _ => full.replace('/', "."),
    };
    let names: Vec<String> = all.iter().map(|(_, full)| written(full)).collect();
    let plain = name.replace('/', ".");
    let is_long = name.chars().count() > 2;
    let similar = || nearest(&plain, names.iter().map(String::as_str)).filter(|_| is_long);
    let near = names.iter().map(String::as_str).find(|known| *known == plain).or_else(similar);
    let near = near.and_then(|near| all.iter().zip(&names).find(|(_, known)| *known == near).map(|(thing, _)| thing));
    let expected = match name {
        _ if name.contains('/') => ["tile", "card"],
        _ if name.contains('.') => ["setting"; 2],
        _ => [""; 2],
    };
    let owner = name.split_once('.').map_or("", |(owner, _)| owner);
    let is_own = |setting: &String| setting.split_once('.').is_some_and(|(id, _)| id == owner);
    let has_no_settings = catalogue.mod_named(owner).is_some() && !settings.iter().any(is_own);
    let help = match near {
        Some((noun, full)) if expected.contains(noun) => format!("did you mean `{full}`?"),
        Some((noun, full)) => format!("did you mean the {noun} `{full}`?"),
        None if name.contains('/') => "`bastide tiles` lists all tiles".to_owned(),
        None if settings.is_empty() => format!("these mods have no settings; of pieces {}", there_are(&pieces)),
        None if has_no_settings => format!("`{owner}` has no settings"),
        None if name.contains('.') => there_are(&settings),
        None => format!("of settings {}; of pieces {}", there_are(&settings), there_are(&pieces)),
    };
    SettingError::Unknown { name: name.to_owned(), help }
}

/// Returns the name of a setting with the id of its mod, such as `base.farmers`.
pub(crate) fn setting_name(catalogue: &Catalogue, i: usize) -> String {
    let Some(setting) = catalogue.settings.get(i) else { return String::new() };
    let owner = catalogue.mods.get(setting.owner.idx()).map_or("", |owner| owner.id.as_str());
    format!("{owner}.{}", setting.name)
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
        let Some(id) = catalogue.mods.get(owner.idx()).map(|it| &it.id) else { continue };
        let mut decks = catalogue.decks.clone();
        for (deck, it) in decks.iter_mut().enumerate() {
            for (item, n) in &mut it.items {
                let name = catalogue.item_name(DeckIdx(deck as u8), *item);
                if name.split_once('/').is_some_and(|(owner, _)| owner == id) {
                    *n = n.saturating_mul(times);
                }
            }
        }
        catalogue.decks = decks;
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
