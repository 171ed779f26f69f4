//! Finds the things that words of `given` and `expect` lines name.

use board::{ColumnIdx, LayerIdx, MergeRule, TagCarrier, TagIdx, TileIdx};
use rules::{Catalogue, DeckIdx, Item, PieceKindIdx, PileIdx, TokenIdx};

use crate::line_error::LineError;

/// The declarations of a game. Each function finds the thing with a name; the error suggests a
/// similar name.
#[derive(Clone, Copy)]
pub(crate) struct Names<'c>(pub &'c Catalogue);

impl<'c> Names<'c> {
    pub fn piece(self, name: &str) -> Result<PieceKindIdx, LineError> {
        let known = self.0.pieces.iter().map(|piece| piece.name.as_str());
        self.0.piece_named(name).ok_or_else(|| LineError::unknown("piece", name, known))
    }

    pub fn token(self, name: &str) -> Result<TokenIdx, LineError> {
        let known = self.0.tokens.iter().map(|token| token.name.as_str());
        self.0.token_named(name).ok_or_else(|| LineError::unknown("token", name, known))
    }

    pub fn pile(self, name: &str) -> Result<PileIdx, LineError> {
        let known = self.0.piles.iter().map(|pile| pile.name.as_str());
        self.0.pile_named(name).ok_or_else(|| LineError::unknown("pile", name, known))
    }

    pub fn deck(self, name: &str) -> Result<DeckIdx, LineError> {
        let known = self.0.decks.iter().map(|deck| deck.name.as_str());
        self.0.deck_named(name).ok_or_else(|| LineError::unknown("deck", name, known))
    }

    pub fn tile(self, name: &str) -> Result<TileIdx, LineError> {
        self.0.tile_set.tile_named(name).ok_or_else(|| LineError::unknown("tile", name, self.tiles()))
    }

    pub fn tag(self, name: &str) -> Result<TagIdx, LineError> {
        let known = self.0.tile_set.tags.iter().map(|tag| tag.name.as_str());
        self.0.tile_set.tag_named(name).ok_or_else(|| LineError::unknown("tag", name, known))
    }

    /// Finds the column of a tag of zones, written `<tag>` or `<tag>=<word>` after `line`, such as
    /// `given tag`.
    pub fn zone_column(self, line: &str, name: &str) -> Result<ColumnIdx, LineError> {
        let (name, word) = name.split_once('=').map_or((name, None), |(name, word)| (name, Some(word)));
        let tag = self.0.tile_set.tag(self.tag(name)?);
        if tag.on == TagCarrier::Tile {
            let form = format!("{line} <x>,<y> {name} <value>");
            return Err(LineError::OtherCarrier { tag: name.to_owned(), carrier: "tiles", form });
        }
        let has_words = matches!(tag.merge, MergeRule::Set | MergeRule::Multiset);
        let at = match word {
            Some(word) => tag.values.iter().position(|value| value == word),
            None => (!has_words).then_some(0),
        };
        let at = at.ok_or_else(|| match has_words {
            true => LineError::NeedsWord { tag: name.to_owned(), words: tag.values.clone() },
            false => LineError::HasNoWords(name.to_owned()),
        })?;
        Ok(ColumnIdx(tag.first_column.0 + at as u8))
    }

    /// Finds a tag of tiles after `line`, such as `given tag`.
    pub fn tile_tag(self, line: &str, name: &str) -> Result<TagIdx, LineError> {
        let tag = self.tag(name)?;
        if self.0.tile_set.tag(tag).on == TagCarrier::Zone {
            let form = format!("{line} <x>,<y> <zone> {name} <value>");
            return Err(LineError::OtherCarrier { tag: name.to_owned(), carrier: "zones", form });
        }
        Ok(tag)
    }

    pub fn layer(self, name: &str) -> Result<LayerIdx, LineError> {
        let known = self.0.tile_set.layers.iter().map(|layer| layer.name.as_str());
        self.0.tile_set.layer_named(name).ok_or_else(|| LineError::unknown("layer", name, known))
    }

    /// Finds a tile or a card of any deck.
    pub fn item(self, name: &str) -> Result<Item, LineError> {
        Item::named(self.0, name).ok_or_else(|| self.unknown_item(name))
    }

    /// Finds a tile or a card of this deck.
    pub fn item_of(self, deck: DeckIdx, name: &str) -> Result<u16, LineError> {
        self.0.item_named(deck, name).ok_or_else(|| self.unknown_item(name))
    }

    fn unknown_item(self, name: &str) -> LineError {
        LineError::unknown("tile or card", name, self.tiles().chain(self.cards()))
    }

    fn tiles(self) -> impl Iterator<Item = &'c str> {
        self.0.tile_set.tiles.iter().map(|tile| tile.name.as_str())
    }

    pub fn cards(self) -> impl Iterator<Item = &'c str> {
        self.0.cards.iter().map(|card| card.name.as_str())
    }
}
