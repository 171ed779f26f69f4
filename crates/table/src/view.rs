//! Views: all data of a game that a window or a terminal can read, as plain values.
//!
//! The file is long because it contains all queries except the queries about decisions, which are
//! in `prompt.rs`.
#![expect(clippy::indexing_slicing, reason = "indices come from the catalogue and the board")]

use std::sync::Arc;

use board::{
    Board, Border, Edge, EdgeStyle, Facing, FeatureRef, LayerIdx, PlacedTile, Spot, TagCarrier, TagIdx, TileIdx,
    TileSet, ZoneRef,
};
use rules::{
    Award, Card, Catalogue, DeckIdx, Fault, Game, HeldItem, Item, ItemType, Location, ModInfo, PieceKindIdx, PieceRef,
    PilePlace, Ruleset, Seat, SeatSet, State, TokenIdx, deck_of,
};

use crate::tiles::TilesView;

/// A view of a game at one position, as its viewers see it.
///
/// Windows and terminals read a game only through this view; the internals of the state stay
/// private.
#[derive(Clone, Copy)]
pub struct GameView<'g> {
    /// The state with the open decision. While a function of a mod asks a question, [`State::view`]
    /// also contains the effects of that function so far.
    pub(crate) state: &'g State,
    /// The viewers. Information that is hidden from any viewer is redacted.
    pub(crate) viewers: SeatSet,
    pub(crate) ruleset: &'g Ruleset,
    pub(crate) fault: Option<&'g Fault>,
}

/// A piece in play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceView<'g> {
    /// The piece.
    pub piece: PieceRef,
    /// The kind of the piece.
    pub kind: PieceKindIdx,
    /// The name of the kind.
    pub name: &'g str,
    /// The name of the kind that players see.
    pub title: &'g str,
    /// The owner of the piece; `None` for a neutral piece.
    pub owner: Option<Seat>,
    /// The place of the piece. If the piece stands on several zones, its first zone.
    pub place: Location,
    /// The feature that the piece occupies; `None` if the piece stands on no zone.
    pub feature: Option<FeatureRef>,
    /// True if the piece is drawn lying down, because it will stay at its place for long: a mod has
    /// pinned the piece, or [`would_stay`](GameView::would_stay) returns true for its kind and
    /// zone.
    pub stays: bool,
    /// True if pieces of this kind return to their owner's supply when their feature is scored.
    pub goes_home: bool,
}

/// A kind of item in a player's supply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SupplyKind {
    /// Pieces of this kind in supply.
    Piece(PieceKindIdx),
    /// Tokens; [`SupplyItem::name`] says which kind.
    Token,
}

/// An item in a player's supply, with its amount.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SupplyItem {
    /// The kind of item.
    pub kind: SupplyKind,
    /// The name of the kind of item.
    pub name: String,
    /// The name of the kind of item that players see.
    pub title: String,
    /// The current number of items.
    pub n: u32,
    /// The number of pieces at the start of the game; 0 for tokens.
    pub n_at_start: u32,
}

/// A deck and its remaining items.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeckView<'g> {
    /// The name of the deck.
    pub name: &'g str,
    /// True if the deck contains tiles, false if it contains cards.
    pub holds_tiles: bool,
    /// The number of remaining tiles or cards.
    pub n_left: usize,
    /// The number of tiles or cards at the start of the game.
    pub n_all: usize,
}

/// An open row of tiles or cards beside a deck.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowView<'g> {
    /// The name of the deck.
    pub deck: &'g str,
    /// The names of the tiles or cards in the row, in order.
    pub names: Vec<&'g str>,
    /// The tiles in the row, in order; empty for a row of cards.
    pub tiles: Vec<TileIdx>,
}

/// A tile type in a deck, with the current and the initial number of copies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TileCount {
    /// The tile type.
    pub tile: TileIdx,
    /// The number of copies that are in the deck or hidden in players' hands.
    pub left: usize,
    /// The number of copies in the deck at the start of the game.
    pub all: usize,
    /// True if the tile fits on the spot given to [`GameView::tiles_of_deck`]. If no spot was
    /// given, true if the tile fits on any open spot.
    pub fits: bool,
}

/// A card in a deck, with the current and the initial number of copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CardCount<'g> {
    /// The qualified name of the card.
    pub name: &'g str,
    /// The text of the card.
    pub about: &'g str,
    /// The number of copies that are in the deck or hidden in players' hands.
    pub left: usize,
    /// The number of copies in the deck at the start of the game.
    pub all: usize,
}

/// A feature, with the data for highlighting it on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FeatureView {
    /// The feature.
    pub feature: FeatureRef,
    /// The zones of the feature.
    pub zones: Vec<ZoneRef>,
    /// True if the feature is ground, such as a field.
    pub is_ground: bool,
    /// True if a piece stands on the feature.
    pub has_pieces: bool,
}

/// The tile or zone that has a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagPlace {
    /// The tile on this spot.
    Tile(Spot),
    /// The zone.
    Zone(ZoneRef),
}

/// A tag on the board that a mod has added, changed or removed, compared to the declaration of the
/// tile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TagChange {
    /// The tile or zone that has the tag, or that had the tag before a mod removed it.
    pub place: TagPlace,
    /// The name of the tag.
    pub tag: String,
    /// The word that is the value of the tag; `None` for a tag without words.
    pub word: Option<String>,
    /// True if the mod has removed the tag.
    pub is_gone: bool,
}

/// Queries about rules and declarations.
impl<'g> GameView<'g> {
    /// Makes a view of `game` in which nothing is hidden.
    pub fn of(game: &'g Game) -> GameView<'g> {
        let ruleset = &game.rules().ruleset;
        GameView { state: game.state(), viewers: SeatSet::NONE, ruleset, fault: game.fault() }
    }

    /// Makes a view of `state` for `viewers`, for callers without a [`Game`]. `state` must be the
    /// result of [`rules::redacted_for`] for these viewers.
    pub fn of_state(ruleset: &'g Ruleset, state: &'g State, viewers: SeatSet) -> GameView<'g> {
        GameView { state, viewers, ruleset, fault: None }
    }

    /// Makes a view of `game` for `viewers`. `state` must be the result of [`rules::redacted_for`]
    /// for these viewers.
    pub fn for_viewers(game: &'g Game, state: &'g State, viewers: SeatSet) -> GameView<'g> {
        GameView { state, viewers, ..GameView::of(game) }
    }

    pub(crate) fn state(self) -> &'g State {
        self.state.view()
    }

    /// Returns whether the viewers may see an item that is visible only to the players `seen_by`.
    /// When the game is over, all players may see everything.
    pub(crate) fn shows(self, seen_by: SeatSet) -> bool {
        self.state.is_over() || seen_by.includes(self.viewers)
    }

    pub(crate) fn ruleset(self) -> &'g Ruleset {
        self.ruleset
    }

    pub(crate) fn catalogue(self) -> &'g Catalogue {
        &self.ruleset.catalogue
    }

    pub(crate) fn board(self) -> &'g Board {
        &self.state().board
    }

    /// Returns the tile set of the mods in play, for painting.
    pub fn tile_set(self) -> &'g TileSet {
        &self.catalogue().tile_set
    }

    /// Returns the mods in play, in load order.
    pub fn mods(self) -> &'g [ModInfo] {
        &self.catalogue().mods
    }

    /// Returns a view of the tiles that the mods in play declare.
    pub fn tiles_declared(self) -> TilesView<'g> {
        TilesView::of(self.tile_set())
    }

    /// Returns the name of a kind of piece.
    pub fn piece_name(self, kind: PieceKindIdx) -> &'g str {
        &self.catalogue().piece(kind).name
    }

    /// Returns the name of a kind of piece that players see.
    pub fn piece_title(self, kind: PieceKindIdx) -> &'g str {
        &self.catalogue().piece(kind).title
    }

    /// Returns the name that players see of the kind of piece called `name`. Returns `name` if
    /// there is no such piece.
    pub fn title_of_piece<'t>(self, name: &'t str) -> &'t str
    where
        'g: 't,
    {
        self.catalogue().piece_named(name).map_or(name, |kind| self.piece_title(kind))
    }

    /// Returns the name of each kind of piece, with the number of pieces that each player has at
    /// the start.
    pub fn piece_kinds(self) -> impl Iterator<Item = (&'g str, u16)> {
        self.catalogue().pieces.iter().map(|p| (p.name.as_str(), p.per_player))
    }

    /// Returns the names of the kinds of piece that a mod declares.
    pub fn pieces_of_mod(self, mod_id: &str) -> Vec<&'g str> {
        let catalogue = self.catalogue();
        let is_own =
            |piece: &&rules::PieceKind| catalogue.mods.get(piece.owner.idx()).is_some_and(|it| it.id == mod_id);
        catalogue.pieces.iter().filter(is_own).map(|piece| piece.name.as_str()).collect()
    }

    /// Returns the number of spaces of the score track.
    pub fn track_length(self) -> u32 {
        self.catalogue().track.length
    }

    /// Returns the space of the score track for a marker with `points`.
    pub fn space_of(self, points: i64) -> u32 {
        self.catalogue().track.space(points)
    }

    /// Returns whether a space of the score track is dark.
    pub fn is_dark(self, space: u32) -> bool {
        self.catalogue().track.is_dark(space)
    }

    /// Returns the fault that stopped the game, if any.
    pub fn fault(self) -> Option<&'g Fault> {
        self.fault
    }

    /// Returns the position as lines of text, in the format of the `given` lines of a record.
    pub fn position_lines(self) -> Vec<String> {
        record::given_lines(self.ruleset, self.state)
    }
}

/// Queries about players and turns.
impl<'g> GameView<'g> {
    /// Iterates over the seats in the initial order of play.
    pub fn seats(self) -> impl Iterator<Item = Seat> + use<> {
        self.state().seats()
    }

    /// Iterates over the seats in the current order of play.
    pub fn order(self) -> impl Iterator<Item = Seat> + use<> {
        self.state().order()
    }

    /// Returns the player of the next turn, if a mod has chosen this player.
    pub fn next_player_by_mod(self) -> Option<Seat> {
        self.state().next_player_by_mod()
    }

    /// Returns the number of turns that a player must miss.
    pub fn turns_to_miss(self, seat: Seat) -> u32 {
        self.state().turns_to_miss(seat)
    }

    /// Returns the number of players.
    pub fn n_seats(self) -> usize {
        usize::from(self.state().n_seats)
    }

    /// Returns the name of a player as shown to people.
    pub fn name(self, seat: Seat) -> &'g str {
        self.state().label(seat)
    }

    /// Returns the name of a player as records write it.
    pub fn record_name(self, seat: Seat) -> &'g str {
        self.state().name(seat)
    }

    /// Returns the points of a player.
    pub fn score(self, seat: Seat) -> i64 {
        self.state().score(seat)
    }

    /// Returns the points of all players.
    pub fn scores(self) -> Vec<i64> {
        self.seats().map(|seat| self.score(seat)).collect()
    }

    /// Returns the points of each score marker of a player.
    pub fn markers(self, seat: Seat) -> &'g [i64] {
        self.state().markers_of(seat)
    }

    /// Returns the player whose turn it is.
    pub fn player(self) -> Seat {
        self.state().player()
    }

    /// Returns the number of the turn, counted from 1; 0 before the first turn.
    pub fn turn(self) -> u32 {
        self.state().turn().map_or(0, |t| t.number)
    }

    /// Returns whether the game is over.
    pub fn is_over(self) -> bool {
        self.state().is_over()
    }

    /// Returns the players who would win if the game ended with the current points; see
    /// [`rules::Position::winners`].
    pub fn winners(self) -> SeatSet {
        self.state().winners()
    }

    /// Returns all awards so far, in order.
    pub fn awards(self) -> &'g [Arc<Award>] {
        self.state().awards()
    }

    /// Returns all notes that mods have written so far, in order.
    pub fn notes(self) -> impl ExactSizeIterator<Item = &'g str> {
        self.state().notes().iter().map(|(_, text)| &**text)
    }

    /// Returns a player's supply of pieces and tokens.
    pub fn supply(self, seat: Seat) -> Vec<SupplyItem> {
        let state = self.state();
        let pieces = self.catalogue().pieces.iter().enumerate().map(|(i, kind)| {
            let idx = PieceKindIdx(i as u8);
            let (n, n_at_start) = (u32::from(state.supply(Some(seat), idx)), u32::from(kind.per_player));
            SupplyItem {
                kind: SupplyKind::Piece(idx),
                name: kind.name.clone(),
                title: kind.title.clone(),
                n,
                n_at_start,
            }
        });
        let tokens = self.catalogue().tokens.iter().enumerate().map(|(i, token)| {
            let n = state.tokens(Some(seat), TokenIdx(i as u8));
            let title = token.name.replace('_', " ");
            SupplyItem { kind: SupplyKind::Token, name: token.name.clone(), title, n, n_at_start: 0 }
        });
        pieces.chain(tokens).filter(|item| item.n > 0 || item.n_at_start > 0).collect()
    }

    /// Returns the tiles in a player's hand that the viewers may see.
    pub fn tiles_in_hand(self, seat: Seat) -> impl Iterator<Item = TileIdx> + 'g {
        self.shown_in_hand(seat).filter_map(|item| if let Item::Tile(tile) = item { Some(tile) } else { None })
    }

    /// Returns the names of the cards in a player's hand that the viewers may see.
    pub fn cards_in_hand(self, seat: Seat) -> impl Iterator<Item = &'g str> {
        let cards = self.shown_in_hand(seat).filter(|item| item.item_type() == ItemType::Cards);
        cards.map(move |card| card.name(self.catalogue()))
    }

    /// Returns the number of hidden tiles and cards in a player's hand.
    pub fn n_hidden_in_hand(self, seat: Seat) -> usize {
        self.state().held_items(seat).filter(|held| !self.shows(held.seen_by)).count()
    }

    fn shown_in_hand(self, seat: Seat) -> impl Iterator<Item = Item> + 'g {
        self.state().held_items(seat).filter(move |held| self.shows(held.seen_by)).map(|held| held.item)
    }

    /// Returns the type of the tile to place in the current part of the turn; `None` if there is no
    /// such tile or a player has placed it.
    pub fn unplaced_tile(self) -> Option<TileIdx> {
        self.state().part().filter(|p| p.tile.is_none())?.tile_type
    }

    /// Returns the tile that a player has placed in the current part of the turn, if any.
    pub fn tile_of_part(self) -> Option<PlacedTile> {
        self.state().part()?.tile.map(|tile| *self.board().tile(tile))
    }

    /// Returns the reason for the current part of the turn, if a mod added this part.
    pub fn extra_part_reason(self) -> Option<&'g str> {
        self.state().part().map(|part| &*part.reason).filter(|reason| *reason != "turn")
    }
}

/// Queries about decks.
impl<'g> GameView<'g> {
    /// Returns the decks in order. Players usually draw tiles from the first deck.
    pub fn decks(self) -> Vec<DeckView<'g>> {
        (0..self.catalogue().decks.len()).map(|i| self.deck(DeckIdx(i as u8))).collect()
    }

    fn deck(self, deck: DeckIdx) -> DeckView<'g> {
        let declared = &self.catalogue().decks[deck.idx()];
        let n_left = self.state().deck(deck).len();
        let n_all: usize = declared.items.iter().map(|(_, n)| usize::from(*n)).sum();
        DeckView {
            name: &declared.name,
            holds_tiles: declared.holds == ItemType::Tiles,
            n_left,
            n_all: n_all.max(n_left),
        }
    }

    /// Returns the open rows that are not empty.
    pub fn rows(self) -> Vec<RowView<'g>> {
        let rows = (0..=u8::MAX).map(DeckIdx).zip(&self.catalogue().decks).map(|(deck, declared)| {
            let row = &self.state().deck(deck).row;
            let tiles = row.iter().filter(|_| declared.holds == ItemType::Tiles);
            RowView {
                deck: &declared.name,
                names: row.iter().map(|item| self.catalogue().item_name(deck, *item)).collect(),
                tiles: tiles.map(|tile| TileIdx(*tile)).collect(),
            }
        });
        rows.filter(|row| !row.names.is_empty()).collect()
    }

    /// Returns the number of unseen copies of a tile or card: in its deck, or hidden in players'
    /// hands. The viewers cannot distinguish these two places.
    pub(crate) fn n_unseen(self, deck: DeckIdx, item: u16) -> usize {
        let state = self.state();
        let is_it = |held: &HeldItem| {
            held.item.number() == item
                && !self.shows(held.seen_by)
                && deck_of(self.catalogue(), held.item) == Some(deck)
        };
        state.deck(deck).count(item) + state.seats().flat_map(|seat| state.held_items(seat)).filter(is_it).count()
    }

    /// Returns the number of tiles left in the first deck.
    pub fn n_tiles_left(self) -> usize {
        self.state().deck(DeckIdx(0)).len()
    }

    /// Returns the number of tiles or cards left in the deck from which the current part of the
    /// turn draws; 0 if no part is in progress.
    pub fn n_left_to_draw(self) -> usize {
        self.state().part().map_or(0, |part| self.state().deck(part.deck).len())
    }

    /// Returns the number of copies of `tile` that are hidden in players' hands or in the deck from
    /// which the current part of the turn draws. If no part is in progress, uses the first deck.
    /// `None` if the deck contains cards.
    pub fn n_left_of(self, tile: TileIdx) -> Option<usize> {
        let deck = self.state().part().map_or(DeckIdx(0), |p| p.deck);
        let holds_tiles = self.catalogue().decks.get(deck.idx()).is_some_and(|d| d.holds == ItemType::Tiles);
        holds_tiles.then(|| self.n_unseen(deck, tile.0))
    }

    /// Returns the tiles of deck number `deck`, counted from 0. [`TileCount::fits`] says whether a
    /// tile fits on the spot `here` or, if `here` is `None`, on any open spot.
    pub fn tiles_of_deck(self, deck: usize, here: Option<Spot>) -> Vec<TileCount> {
        let deck = DeckIdx(deck as u8);
        let Some(declared) = self.catalogue().decks.get(deck.idx()) else { return Vec::new() };
        let open: Vec<Spot> = match here {
            Some(spot) => vec![spot],
            None => self.open_spots().collect(),
        };
        let mut found: Vec<TileCount> = Vec::new();
        let state = self.state().deck(deck);
        let at_first = declared.items.iter().map(|(item, n)| (*item, usize::from(*n)));
        // If the game started from a given position, a deck may contain tiles beyond its
        // declaration.
        let there = state.groups.iter().flat_map(|g| &g.stacks).map(|s| (s.item, 0));
        for (item, all) in at_first.chain(there) {
            let tile = TileIdx(item);
            match found.iter_mut().find(|s| s.tile == tile) {
                Some(count) => count.all += all,
                None => {
                    let left = self.n_unseen(deck, item);
                    let fits = open.iter().any(|spot| self.fits(tile, *spot));
                    found.push(TileCount { tile, left, all: all.max(left), fits });
                }
            }
        }
        found
    }

    /// Returns the cards of deck number `deck`, counted from 0.
    pub fn cards_of_deck(self, deck: usize) -> Vec<CardCount<'g>> {
        let deck = DeckIdx(deck as u8);
        let items = self.catalogue().decks.get(deck.idx()).map_or(&[][..], |d| &d.items);
        let card = |(item, all): &(u16, u16)| {
            let Card { name, about } = &self.catalogue().cards[usize::from(*item)];
            CardCount { name, about, left: self.n_unseen(deck, *item), all: usize::from(*all) }
        };
        items.iter().map(card).collect()
    }
}

/// Queries about tiles, spots and piles.
impl<'g> GameView<'g> {
    /// Returns the tiles on the board, in the order in which players placed them.
    pub fn tiles(self) -> Vec<&'g PlacedTile> {
        self.board().laid_tiles().map(|(_, placed)| placed).collect()
    }

    /// Returns the tile on a spot, if any.
    pub fn tile_at(self, spot: Spot) -> Option<&'g PlacedTile> {
        self.board().tile_at(spot).map(|tile| self.board().tile(tile))
    }

    /// Returns the tile across an edge of a spot, if any.
    pub fn neighbour(self, spot: Spot, edge: Edge) -> Option<&'g PlacedTile> {
        self.board().neighbour(spot, edge).map(|tile| self.board().tile(tile))
    }

    /// Returns the empty spots beside tiles, in an unspecified but deterministic order.
    pub fn open_spots(self) -> impl Iterator<Item = Spot> + 'g {
        self.board().open_spots().map(|open| open.spot)
    }

    /// Returns the edges of an open spot at which a neighbouring tile requires a kind of land, each
    /// with the name of this kind.
    pub fn needed_edges(self, spot: Spot) -> Vec<(Edge, String)> {
        let Some(open) = self.board().open_spots().find(|open| open.spot == spot) else { return Vec::new() };
        let needed = |edge: Edge| Some((edge, self.tile_set().edge_name(open.required_code(edge as usize)?)));
        Edge::ALL.into_iter().filter_map(needed).collect()
    }

    /// Returns whether the edges of a tile fit on a spot in some facing, ignoring the rules of
    /// mods.
    pub fn fits(self, tile: TileIdx, spot: Spot) -> bool {
        Facing::ALL.iter().any(|facing| self.board().check(self.tile_set(), spot, tile, *facing).is_ok())
    }

    /// Returns the piles on the board, each with its place, its name and its amount.
    pub fn piles(self) -> impl Iterator<Item = (PilePlace, &'g str, u32)> {
        let name = move |pile: rules::PileIdx| self.catalogue().piles[pile.idx()].name.as_str();
        self.state().piles().iter().map(move |(place, pile, n)| (*place, name(*pile), *n))
    }

    /// Returns the border across which a mod has connected two zones; `None` if no mod has
    /// connected them across a border.
    pub fn border_of_link(self, [a, b]: [ZoneRef; 2]) -> Option<Border> {
        let spot = self.tile_of_zone(a).spot;
        let borders = Edge::ALL.into_iter().filter_map(|edge| Border::from_edge(spot, edge));
        let mut across = borders.filter(|border| {
            let links = self.board().links_across(self.tile_set(), *border);
            links.iter().any(|link| [link.a, link.b] == [a, b])
        });
        across.next()
    }

    /// Iterates over the pairs of zones that mods have connected.
    pub fn links(self) -> impl Iterator<Item = [ZoneRef; 2]> + 'g {
        self.board().links().iter().map(|link| [link.a, link.b])
    }

    /// Returns the tags on the board that mods have changed.
    pub fn tag_changes(self) -> Vec<TagChange> {
        let (state, tile_set) = (self.state(), self.tile_set());
        let mut changes = Vec::new();
        let word = |tag: &board::Tag, value: i32| tag.values.get(usize::try_from(value).ok()?).cloned();
        for (tile, placed) in self.board().laid_tiles() {
            for (t, tag) in tile_set.tags.iter().enumerate().filter(|(_, tag)| tag.on == TagCarrier::Tile) {
                let idx = TagIdx(t as u8);
                let before = tile_set.tile(placed.tile).tag(idx).filter(|v| *v != 0 || !tag.values.is_empty());
                let now = state.tile_tag(self.ruleset(), tile, idx);
                if before != now {
                    let place = TagPlace::Tile(placed.spot);
                    let word = word(tag, now.or(before).unwrap_or_default());
                    changes.push(TagChange { place, tag: tag.name.clone(), word, is_gone: now.is_none() });
                }
            }
        }
        for (zone, column, value) in self.board().zone_tags() {
            let placed = self.tile_of_zone(*zone);
            let at = placed.local_index(*zone) * tile_set.columns.len() + column.0 as usize;
            if tile_set.tile(placed.tile).columns.get(at) == Some(value) {
                continue;
            }
            let declared = tile_set.columns[column.0 as usize];
            let tag = tile_set.tag(declared.tag);
            let word = declared.value.and_then(|v| tag.values.get(usize::from(v)).cloned());
            let place = TagPlace::Zone(*zone);
            changes.push(TagChange { place, tag: tag.name.clone(), word, is_gone: *value == 0 });
        }
        changes
    }
}

/// Queries about zones and features.
impl<'g> GameView<'g> {
    /// Returns whether a zone is on the board at this position. Use this function for a zone from
    /// another position of the game.
    pub fn has_zone(self, zone: ZoneRef) -> bool {
        self.board().has_zone(zone)
    }

    /// Returns whether a feature is on the board at this position. Use this function for a feature
    /// from another position of the game.
    pub fn has_feature(self, feature: FeatureRef) -> bool {
        usize::from(feature.layer.0) < self.board().n_layers()
            && self.has_zone(feature.anchor)
            && self.board().layer_includes(feature.layer, feature.anchor)
    }

    /// Returns the tile of a zone.
    ///
    /// # Panics
    /// Panics if the zone is not on the board.
    pub fn tile_of_zone(self, zone: ZoneRef) -> &'g PlacedTile {
        self.board().tile_at_zone(zone)
    }

    /// Returns the kind of land of a zone, by name.
    pub fn zone_kind(self, zone: ZoneRef) -> &'g str {
        &self.tile_set().kind(self.board().kind(zone)).name
    }

    /// Returns the name of a zone on its tile, such as `city@n`.
    pub fn zone_name(self, zone: ZoneRef) -> String {
        self.board().zone_name(self.tile_set(), zone)
    }

    /// Finds the zone called `name` on the tile at `spot`, if there is one.
    pub fn zone_named(self, spot: Spot, name: &str) -> Option<ZoneRef> {
        let tile = self.board().tile_at(spot)?;
        self.board().zones_of(self.tile_set(), tile).find(|zone| self.zone_name(*zone) == name)
    }

    /// Iterates over the features that contain a zone: one for each layer to which the zone
    /// belongs.
    pub fn features_of(self, zone: ZoneRef) -> impl Iterator<Item = FeatureRef> + 'g {
        let layers = (0..self.board().n_layers()).map(|layer| LayerIdx(layer as u8));
        layers
            .filter(move |layer| self.board().layer_includes(*layer, zone))
            .map(move |layer| FeatureRef { layer, anchor: zone })
    }

    /// Returns the feature of the first layer that contains a zone; `None` if the zone is not in
    /// that layer.
    pub fn feature_of(self, zone: ZoneRef) -> Option<FeatureRef> {
        self.features_of(zone).find(|feature| feature.layer.0 == 0)
    }

    /// Returns the feature that a piece of `kind` occupies if the piece stands on `zone`.
    pub fn feature_under(self, kind: PieceKindIdx, zone: ZoneRef) -> FeatureRef {
        let layer = self.catalogue().piece(kind).layer;
        let layer = if self.board().layer_includes(layer, zone) { layer } else { LayerIdx(0) };
        FeatureRef { layer, anchor: zone }
    }

    /// Returns the canonical reference to a feature: equal for all references to the same feature.
    pub fn root(self, feature: FeatureRef) -> FeatureRef {
        FeatureRef { layer: feature.layer, anchor: self.board().root(feature) }
    }

    /// Returns the zones of a feature.
    pub fn zones(self, feature: FeatureRef) -> impl Iterator<Item = ZoneRef> + 'g {
        self.board().zones(feature)
    }

    /// Returns whether a feature is complete on the board, ignoring the rules of mods.
    pub fn is_complete(self, feature: FeatureRef) -> bool {
        self.board().is_complete(self.tile_set(), feature)
    }

    /// Returns all features, layer by layer.
    pub fn features(self) -> Vec<FeatureView> {
        let layers = (0..self.board().n_layers()).map(|layer| LayerIdx(layer as u8));
        let view = |feature: FeatureRef| {
            let style = self.tile_set().kind(self.board().kind(feature.anchor)).edge;
            FeatureView {
                feature,
                zones: self.zones(feature).collect(),
                is_ground: feature.layer.0 == 0 && style == EdgeStyle::Ground,
                has_pieces: self.board().occupants(feature).next().is_some(),
            }
        };
        layers.flat_map(|layer| self.board().roots(layer)).map(view).collect()
    }
}

/// Queries about pieces.
impl<'g> GameView<'g> {
    /// Returns the pieces in play.
    pub fn pieces(self) -> impl Iterator<Item = PieceView<'g>> {
        self.state().pieces().map(move |(piece, it)| self.piece_view(piece, it))
    }

    /// Returns a piece; `None` if it is not in play.
    pub fn piece(self, piece: PieceRef) -> Option<PieceView<'g>> {
        self.state().piece(piece).map(|it| self.piece_view(piece, it))
    }

    fn piece_view(self, piece: PieceRef, it: &rules::Piece) -> PieceView<'g> {
        let kind = self.catalogue().piece(it.kind);
        let zone = if let Location::Zone(zone) = it.place { Some(zone) } else { None };
        PieceView {
            piece,
            kind: it.kind,
            name: &kind.name,
            title: &kind.title,
            owner: it.owner,
            place: it.place,
            feature: zone.map(|zone| self.feature_under(it.kind, zone)),
            stays: it.pinned || zone.is_some_and(|zone| self.would_stay(it.kind, zone)),
            goes_home: kind.goes_home,
        }
    }

    /// Returns the zones that a piece occupies.
    pub fn zones_of_piece(self, piece: PieceRef) -> impl Iterator<Item = ZoneRef> + 'g {
        self.state().zones_of_piece(piece)
    }

    /// Returns the pieces on a feature.
    pub fn pieces_on(self, feature: FeatureRef) -> Vec<PieceRef> {
        rules::pieces_on(self.state(), feature).into_iter().map(|(piece, _)| piece).collect()
    }

    /// Returns the number of pieces whose first zone is `zone`.
    pub fn n_pieces_on(self, zone: ZoneRef) -> usize {
        self.state().pieces().filter(|(_, piece)| piece.place == Location::Zone(zone)).count()
    }

    /// Returns whether a piece of `kind` would stay on `zone` for long. It does if the manifest
    /// lists the zone's kind of land in the key `lies_on` of the piece.
    pub fn would_stay(self, kind: PieceKindIdx, zone: ZoneRef) -> bool {
        self.catalogue().piece(kind).lies_on.contains(self.board().kind(zone))
    }
}
