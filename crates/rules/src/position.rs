//! The position: the contents of the table at one moment.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

use board::{Board, Border, Corner, FeatureRef, LayerIdx, PieceKindSet, Spot, TagIdx, TileIdx, TileRef, ZoneRef};

use crate::awards::Award;
use crate::decks::DeckState;
use crate::indices::{DeckIdx, ModIdx, PhaseIdx, PieceKindIdx, PileIdx, TokenIdx};
use crate::memories::Memories;
use crate::ruleset::Ruleset;
use crate::seat_set::SeatSet;
use crate::shared_list::{SharedList, clone_by_field};
use crate::turn_order::TurnOrder;
use crate::value::{Memory, PieceRef, Seat};

/// The place of a piece in play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Location {
    /// On a zone. For a piece on several zones, this is the first of them.
    Zone(ZoneRef),
    /// On a spot.
    Spot(Spot),
    /// On a point where four spots meet.
    Corner(Corner),
    /// On the edge between two spots.
    Border(Border),
    /// On a space of the score track.
    Space(u32),
    /// With a player who keeps it, beside the board.
    Kept(Seat),
}

/// The place of an amount of a pile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PilePlace {
    /// On a spot.
    Spot(Spot),
    /// On the edge between two spots.
    Border(Border),
}

impl PilePlace {
    /// Returns the key by which piles are sorted: spots row by row, then borders row by row.
    pub fn key(self) -> (bool, i16, i16, bool) {
        match self {
            PilePlace::Spot(spot) => (false, spot.y, spot.x, false),
            PilePlace::Border(border) => (true, border.y, border.x, border.is_west),
        }
    }
}

impl From<Spot> for PilePlace {
    fn from(spot: Spot) -> PilePlace {
        PilePlace::Spot(spot)
    }
}

impl From<Border> for PilePlace {
    fn from(border: Border) -> PilePlace {
        PilePlace::Border(border)
    }
}

impl fmt::Display for PilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PilePlace::Spot(spot) => write!(f, "{spot}"),
            PilePlace::Border(border) => write!(f, "border {border}"),
        }
    }
}

/// A piece in play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// The kind of piece.
    pub kind: PieceKindIdx,
    /// The player who owns the piece; `None` for a neutral piece.
    pub owner: Option<Seat>,
    /// The place of the piece. For a piece on several zones, the first zone.
    pub place: Location,
    /// True if the piece stays in play when the feature under it is scored.
    pub pinned: bool,
}

/// A tile or a card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Item {
    /// A tile type.
    Tile(TileIdx),
    /// A card, as an index into the catalogue's list of cards.
    Card(u16),
}

/// A tile or card in a player's hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct HeldItem {
    /// The player who holds the tile or card.
    pub holder: Seat,
    /// The tile or card.
    pub item: Item,
    /// The players who may see the tile or card.
    pub seen_by: SeatSet,
}

/// A feature completed in a part of a turn, with the players who score it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CompletedFeature {
    /// The feature.
    pub feature: FeatureRef,
    /// The players who score the feature: those with the majority, or those whom a mod chose with
    /// `break_tie`. Empty if no player scores it.
    pub winners: Vec<Seat>,
    /// True if a mod has changed zones of the feature since, so that the same part of the turn can
    /// complete it again.
    pub(crate) is_changed: bool,
}

clone_by_field! {
    /// A running part of a turn.
    #[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct TurnPart {
        /// The reason for this part of the turn: `turn` for the ordinary part, or a text of a mod.
        pub reason: Arc<str>,
        /// The deck from which this part of the turn draws.
        pub deck: DeckIdx,
        /// The drawn or played tile type; `None` before the draw and while another draw is due.
        pub tile_type: Option<TileIdx>,
        /// The laid tile of this part of the turn; `None` before it is laid and after it is
        /// removed.
        pub tile: Option<TileRef>,
        /// The phases that do not run in the rest of this part of the turn.
        pub skipped: Vec<PhaseIdx>,
        /// True if a mod gave the drawn tile back, so that the core must draw another.
        pub redraw: bool,
        /// The length of the position's list `touched` when this part of the turn began. From this
        /// index on, the list contains the features that this part and parts nested in it have
        /// changed.
        pub(crate) touched_from: usize,
        /// The index in the list `touched` of the first feature that this part has changed since
        /// its last scoring.
        pub(crate) unscored_from: usize,
        /// True if this part scores again at its end, because features were completed after its
        /// phase `score`.
        pub(crate) scores_again: bool,
        /// Features, each as its layer and its sorted zones, whose completion does not count as new
        /// in this part of the turn. Each of them was complete before a mod changed its tiles or
        /// links in this part, or was scored in a part nested in this part.
        pub(crate) was_complete: Vec<(LayerIdx, Vec<ZoneRef>)>,
        /// The features completed in this part of the turn.
        pub completed: Vec<CompletedFeature>,
        /// The number of completed features about which mods were told.
        pub(crate) n_announced: usize,
        /// The data that mods had stored for the outer part of the turn, which this part
        /// interrupted.
        pub(crate) outer_memory: Memories,
    }
}

clone_by_field! {
    /// The running turn.
    #[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct Turn {
        /// The player whose turn it is.
        pub player: Seat,
        /// The number of turns begun so far in the game, including this turn.
        pub number: u32,
        /// The reason of each part that mods added to this turn, including the parts that still
        /// wait.
        pub part_reasons: Vec<Arc<str>>,
        /// The reason and the deck of each added part that waits until the running parts of the
        /// turn have ended.
        pub waiting: Vec<(Arc<str>, DeckIdx)>,
    }
}

/// The scope of a mod's stored data.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// The engine deletes the data when the part of the turn ends.
    Part,
    /// The engine deletes the data when the turn ends.
    Turn,
    /// The engine stores the data for the whole game.
    Game,
}

/// The time at which a mod ends the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) enum Ending {
    /// The game ends after the running turn.
    AfterTurn,
    /// The game ends as soon as everything that the running step causes has ended.
    Now,
}

clone_by_field! {
    /// Everything on the table at one moment: all that a rule can know. Scripts store nothing
    /// elsewhere.
    #[derive(PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
    pub struct Position {
        /// The laid tiles and the pieces on them. Copies of a position share the board until one
        /// copy changes it.
        pub board: Board,
        /// The number of players.
        pub n_seats: u8,
        /// The names of the players in records, each a single word, by seat.
        pub(crate) names: Arc<[String]>,
        /// The names of players as people read them, by seat.
        pub(crate) labels: Arc<[String]>,
        /// The player who has the first turn by default.
        pub(crate) first: Seat,
        /// The turn order.
        pub(crate) turn_order: TurnOrder,
        /// The pieces in supply: for each kind of piece, one number for each seat, then the number
        /// of neutral pieces.
        pub(crate) supply: SharedList<u16>,
        /// The tokens that players hold: for each kind of token, one number for each seat, then the
        /// number in stock.
        pub(crate) tokens: SharedList<u32>,
        /// The points of each score marker, by seat and then by marker.
        pub(crate) markers: SharedList<i64>,
        /// The pieces in play, by number; `None` for a number that no piece uses.
        pub(crate) pieces: Vec<Option<Piece>>,
        /// The further zones of pieces that occupy several zones, sorted.
        pub(crate) more_zones: Vec<(PieceRef, ZoneRef)>,
        /// The amounts of piles on spots and borders, sorted by [`PilePlace::key`]. No amount is
        /// zero.
        pub(crate) piles: SharedList<(PilePlace, PileIdx, u32)>,
        /// The amount of each kind of pile left in stock.
        pub(crate) pile_stock: SharedList<u32>,
        /// The tags that were set on laid tiles during play, sorted.
        pub(crate) tile_tags: SharedList<(TileRef, TagIdx, i32)>,
        /// The tiles and cards in the hands of players, sorted.
        pub(crate) hands: SharedList<HeldItem>,
        /// The decks.
        pub(crate) decks: SharedList<DeckState>,
        /// The running turn; `None` before the first turn.
        pub(crate) turn: Option<Turn>,
        /// The running parts of the turn, innermost last.
        pub(crate) parts: Vec<TurnPart>,
        /// The features that the running parts of the turn have changed, those of the innermost
        /// part last. Between parts, the features that were changed since the last scoring, which
        /// the next part scores.
        pub(crate) touched: Vec<FeatureRef>,
        /// The features that were complete before a mod changed them between parts of turns. They
        /// do not count as newly completed in the next part.
        pub(crate) was_complete: Vec<(LayerIdx, Vec<ZoneRef>)>,
        /// The features that would be complete if no mod kept them open with `is_complete`.
        pub(crate) kept_open: Vec<FeatureRef>,
        /// The stored data of mods: for the part of the turn, for the turn and for the game.
        pub(crate) memory: [Memories; 3],
        /// All awards booked so far, in order.
        pub(crate) awards: SharedList<Arc<Award>>,
        /// The time at which a mod ends the game; `None` if no mod ends the game, or if the final
        /// count is already due.
        pub(crate) ending: Option<Ending>,
        /// True if the game has ended.
        pub(crate) is_over: bool,
        /// The winners that mods have named at the end of the game; `None` if no mod has named
        /// winners.
        pub(crate) named_winners: Option<SeatSet>,
        /// True if the final count has begun.
        pub(crate) is_final: bool,
        /// The number of dice rolled.
        pub(crate) n_rolls: u32,
        /// The number of answers given.
        pub(crate) n_answers: u32,
        /// The lines of the event log, each with the number of answers given before the line was
        /// added.
        pub(crate) notes: SharedList<(u32, Arc<str>)>,
        /// The tiles that fitted nowhere and left the game, in order.
        pub(crate) left_out: SharedList<TileIdx>,
    }
}

impl Position {
    /// Returns whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns whether the final count has begun.
    pub fn is_final(&self) -> bool {
        self.is_final
    }

    /// Returns the single word that stands for a player's name in records.
    pub fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.idx()).map_or("nobody", String::as_str)
    }

    /// Returns a player's name in the form that people read.
    pub fn label(&self, seat: Seat) -> &str {
        self.labels.get(seat.idx()).map_or("nobody", String::as_str)
    }

    /// Finds the player whose name in records is `name`, if there is one.
    pub fn seat_named(&self, name: &str) -> Option<Seat> {
        self.names.iter().position(|n| n == name).map(|i| Seat(i as u8))
    }

    /// Iterates over all players by number. This is the order of play unless a mod changes it.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.n_seats).map(Seat)
    }

    /// Iterates over all players in the order of play.
    pub fn order(&self) -> impl Iterator<Item = Seat> + Clone + use<> {
        self.turn_order.seats(self.n_seats)
    }

    /// Iterates over all players in the order of play, starting after `seat`, which comes last.
    pub fn seats_after(&self, seat: Seat) -> impl Iterator<Item = Seat> + Clone + use<> {
        self.turn_order.seats_after(seat, self.n_seats)
    }

    /// Returns the player who would have the next turn if the current turn ended now.
    pub fn next_player(&self) -> Seat {
        let mut turn_order = self.turn_order.clone();
        match &self.turn {
            Some(turn) => turn_order.advance_after(turn.player, self.n_seats),
            None => turn_order.advance_to_first(self.first, self.n_seats),
        }
    }

    /// Returns the player to whom a mod has given the next turn; `None` if no mod has done so.
    pub fn next_player_by_mod(&self) -> Option<Seat> {
        self.turn_order.next
    }

    /// Returns the number of turns that a player will miss.
    pub fn turns_to_miss(&self, seat: Seat) -> u32 {
        self.turn_order.turns_to_miss(seat)
    }

    /// Returns the player of the running turn; the first player before the first turn.
    pub fn player(&self) -> Seat {
        self.turn.as_ref().map_or(self.first, |t| t.player)
    }

    /// Returns the running turn; `None` before the first turn.
    pub fn turn(&self) -> Option<&Turn> {
        self.turn.as_ref()
    }

    /// Returns the innermost running part of the turn; `None` if no part is running.
    pub fn part(&self) -> Option<&TurnPart> {
        self.parts.last()
    }

    /// Returns the features that would be complete if no mod kept them open with `is_complete`. The
    /// core asks the mods again whenever it scores.
    pub fn kept_open(&self) -> &[FeatureRef] {
        &self.kept_open
    }

    /// Returns whether mods keep the feature open, although it would otherwise be complete.
    pub(crate) fn is_kept_open(&self, feature: FeatureRef) -> bool {
        !self.kept_open.is_empty() && self.kept_open.iter().any(|other| self.is_same_feature(*other, feature))
    }

    /// Removes a feature, which the caller has scored, from those that mods keep open.
    pub(crate) fn remove_kept_open(&mut self, feature: FeatureRef) {
        let mut kept_open = std::mem::take(&mut self.kept_open);
        kept_open.retain(|other| !self.is_same_feature(*other, feature));
        self.kept_open = kept_open;
    }

    /// Returns whether `a` and `b` refer to the same feature.
    pub(crate) fn is_same_feature(&self, a: FeatureRef, b: FeatureRef) -> bool {
        a.layer == b.layer && self.board.root(a) == self.board.root(b)
    }

    /// Returns whether a part of the turn has scored the feature already, and no mod has changed
    /// its zones since.
    pub(crate) fn has_scored(&self, part: &TurnPart, feature: FeatureRef) -> bool {
        let mut scored = part.completed.iter().filter(|completed| !completed.is_changed);
        scored.any(|completed| self.is_same_feature(completed.feature, feature))
    }

    /// Returns the points of a player, summed over the player's score markers.
    pub fn score(&self, seat: Seat) -> i64 {
        self.markers_of(seat).iter().sum()
    }

    /// Returns the points of each score marker of a player.
    pub fn markers_of(&self, seat: Seat) -> &[i64] {
        let n = self.markers.len() / self.n_seats.max(1) as usize;
        &self.markers[seat.idx() * n..(seat.idx() + 1) * n]
    }

    /// Returns the number of pieces of `kind` in a player's supply. If `seat` is `None`, returns
    /// the number of neutral pieces in supply.
    pub fn supply(&self, seat: Option<Seat>, kind: PieceKindIdx) -> u16 {
        self.supply[self.supply_index(seat, kind)]
    }

    pub(crate) fn supply_index(&self, seat: Option<Seat>, kind: PieceKindIdx) -> usize {
        kind.idx() * (self.n_seats as usize + 1) + seat.map_or(self.n_seats as usize, Seat::idx)
    }

    /// Returns the number of tokens of a kind that a player holds. If `seat` is `None`, returns the
    /// number in stock.
    pub fn tokens(&self, seat: Option<Seat>, token: TokenIdx) -> u32 {
        self.tokens[self.token_index(seat, token)]
    }

    pub(crate) fn token_index(&self, seat: Option<Seat>, token: TokenIdx) -> usize {
        token.idx() * (self.n_seats as usize + 1) + seat.map_or(self.n_seats as usize, Seat::idx)
    }

    /// Returns the amount of `pile` on a spot or border.
    pub fn pile(&self, place: impl Into<PilePlace>, pile: PileIdx) -> u32 {
        self.pile_index(place.into(), pile).map_or(0, |at| self.piles[at].2)
    }

    /// Finds the index of a pile in the sorted list of piles. If the list lacks the pile, returns
    /// as an error the index at which to insert it.
    pub(crate) fn pile_index(&self, place: PilePlace, pile: PileIdx) -> Result<usize, usize> {
        self.piles.binary_search_by_key(&(place.key(), pile), |(place, pile, _)| (place.key(), *pile))
    }

    /// Returns all piles on the board: first those on spots, then those on borders, row by row.
    pub fn piles(&self) -> &[(PilePlace, PileIdx, u32)] {
        &self.piles
    }

    /// Returns the amount of `pile` left in stock.
    pub fn pile_stock(&self, pile: PileIdx) -> u32 {
        self.pile_stock[pile.idx()]
    }

    /// Iterates over the pieces in play with their numbers.
    pub fn pieces(&self) -> impl Iterator<Item = (PieceRef, &Piece)> {
        self.pieces.iter().enumerate().filter_map(|(i, p)| Some((PieceRef(i as u32), p.as_ref()?)))
    }

    /// Returns the piece with this number, if it is in play.
    pub fn piece(&self, piece: PieceRef) -> Option<&Piece> {
        self.pieces.get(piece.0 as usize)?.as_ref()
    }

    /// Iterates over all zones occupied by a piece.
    pub fn zones_of_piece(&self, piece: PieceRef) -> impl Iterator<Item = ZoneRef> + '_ {
        let first = match self.piece(piece).map(|p| p.place) {
            Some(Location::Zone(zone)) => Some(zone),
            _ => None,
        };
        let more = self.more_zones.iter().filter(move |(p, _)| *p == piece).map(|(_, z)| *z);
        first.into_iter().chain(more)
    }

    /// Iterates over the zones on which pieces of the kinds in `kinds` count in layer 0. Every
    /// feature of layer 0 with such a piece has at least one of these zones.
    pub fn zones_with_pieces(&self, ruleset: &Ruleset, kinds: PieceKindSet) -> impl Iterator<Item = ZoneRef> {
        let stand_anywhere = self.board.all_piece_kinds().intersects(kinds);
        let pieces = self.pieces().filter(move |(_, it)| stand_anywhere && kinds.0 >> it.kind.0 & 1 == 1);
        pieces.flat_map(move |(piece, it)| {
            let zones = self.zones_of_piece(piece);
            zones.filter(move |zone| self.layer_on(ruleset, it.kind, *zone) == LayerIdx(0))
        })
    }

    /// Returns the current state of a deck.
    pub fn deck(&self, deck: DeckIdx) -> &DeckState {
        &self.decks[deck.idx()]
    }

    /// Iterates over the tiles in a player's hand.
    pub fn tiles_in_hand(&self, seat: Seat) -> impl Iterator<Item = TileIdx> + '_ {
        self.held_items(seat).filter_map(|held| if let Item::Tile(tile) = held.item { Some(tile) } else { None })
    }

    /// Iterates over the tiles and cards in a player's hand, with the players who may see them.
    pub fn held_items(&self, seat: Seat) -> impl Iterator<Item = HeldItem> + '_ {
        self.hands.iter().copied().filter(move |held| held.holder == seat)
    }

    /// Returns all awards booked so far, in order.
    pub fn awards(&self) -> &[Arc<Award>] {
        &self.awards
    }

    /// Returns the tiles that fitted nowhere and left the game, in order.
    pub fn discarded_tiles(&self) -> &[TileIdx] {
        &self.left_out
    }

    /// Returns the value of a tag on a laid tile: the value set during play, or else the value of
    /// the tile type. Returns `None` if the tile lacks the tag. For a tag without words, the value
    /// 0 means that the tile lacks the tag.
    #[inline]
    pub fn tile_tag(&self, ruleset: &Ruleset, tile: TileRef, tag: TagIdx) -> Option<i32> {
        let tile_set = &ruleset.catalogue.tile_set;
        let set = self.tile_tags.iter().find(|(t, g, _)| (*t, *g) == (tile, tag)).map(|(_, _, v)| *v);
        let value = set.or_else(|| tile_set.tile(self.board.tile(tile).tile).tag(tag));
        value.filter(|v| *v != 0 || !tile_set.tag(tag).values.is_empty())
    }

    /// Returns the lines that mods and the engine added to the event log. Each line comes with the
    /// number of answers given before the line was added.
    pub fn notes(&self) -> &[(u32, Arc<str>)] {
        &self.notes
    }

    /// Returns the tags that were set on laid tiles during play, with their values, sorted by tile.
    pub fn tile_tags(&self) -> &[(TileRef, TagIdx, i32)] {
        &self.tile_tags
    }

    /// Returns the number of answers that led to this state.
    pub fn n_answers(&self) -> u32 {
        self.n_answers
    }

    /// Returns the data that mod `owner` has stored in `scope`; `None` if it has stored nothing.
    pub fn memory(&self, owner: ModIdx, scope: Scope) -> Option<&Arc<Memory>> {
        self.memory[scope as usize].get(owner)
    }

    /// Returns the layer in which a piece of `kind` on `zone` counts.
    pub fn layer_on(&self, ruleset: &Ruleset, kind: PieceKindIdx, zone: ZoneRef) -> LayerIdx {
        let layer = ruleset.catalogue.piece(kind).layer;
        if layer.0 != 0 && self.board.layer_includes(layer, zone) { layer } else { LayerIdx(0) }
    }

    /// Returns the feature for which a piece of `kind` on `zone` counts.
    pub fn feature_under(&self, ruleset: &Ruleset, kind: PieceKindIdx, zone: ZoneRef) -> FeatureRef {
        FeatureRef { layer: self.layer_on(ruleset, kind, zone), anchor: zone }
    }
}
