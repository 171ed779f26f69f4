//! What lies on the table at one moment.

use std::sync::Arc;

use board::{Board, Corner, FeatureRef, LayerIdx, PieceKindSet, Spot, TagIdx, TileIdx, TileRef, ZoneRef};

use crate::awards::Award;
use crate::decks::DeckState;
use crate::indices::{DeckIdx, ModIdx, PhaseIdx, PieceKindIdx, PileIdx, TokenIdx};
use crate::memories::Memories;
use crate::ruleset::Ruleset;
use crate::seat_set::SeatSet;
use crate::shared::{Shared, clone_by_field};
use crate::turn_order::TurnOrder;
use crate::value::{Memory, PieceRef, Seat};

/// Where a piece in play is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Location {
    /// On a zone (and perhaps further ones).
    Zone(ZoneRef),
    /// On a spot.
    Spot(Spot),
    /// On a point where four spots meet.
    Corner(Corner),
    /// On a space of the score track.
    Space(u32),
    /// With a player who keeps it, beside the board.
    Kept(Seat),
}

/// A piece in play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Its kind.
    pub kind: PieceKindIdx,
    /// Its owner; `None` for a neutral one.
    pub owner: Option<Seat>,
    /// Where it is; for a piece on several zones the first.
    pub place: Location,
    /// True if it stays to the end even when what it stands on is scored.
    pub pinned: bool,
}

/// A tile or a card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Item {
    /// A sort of tile.
    Tile(TileIdx),
    /// A card: a position in the catalogue's cards.
    Card(u16),
}

/// A tile or card that a player holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Held {
    /// Who holds it.
    pub holder: Seat,
    /// What it is.
    pub item: Item,
    /// Who may see it.
    pub seen_by: SeatSet,
}

/// A feature completed in a part, with who scored it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completed {
    /// The feature.
    pub feature: FeatureRef,
    /// Who has the majority; empty where nobody stands on it.
    pub winners: Vec<Seat>,
}

/// A part of a turn that is going on.
#[derive(PartialEq, Eq, Debug)]
pub struct Part {
    /// Why it is played: `turn` for the ordinary part, or what a mod said.
    pub reason: Arc<str>,
    /// The deck it draws from.
    pub deck: DeckIdx,
    /// The tile drawn or played.
    pub tile_type: Option<TileIdx>,
    /// The same once it lies on the board.
    pub tile: Option<TileRef>,
    /// Phases that are left out.
    pub skipped: Vec<PhaseIdx>,
    /// True if another tile is to be drawn instead.
    pub redraw: bool,
    /// Where the features touched in this part begin in the list of those that the state keeps.
    pub touched_from: usize,
    /// Zone sets (sorted) that are not new when they are complete: they were so before they were
    /// re-linked in this part, or were scored in a part within it.
    pub was_complete: Vec<(LayerIdx, Vec<ZoneRef>)>,
    /// What was completed.
    pub completed: Vec<Completed>,
    /// What mods remembered for the part that this one interrupted.
    pub(crate) outer_memory: Memories,
}

clone_by_field!(Part {
    reason,
    deck,
    tile_type,
    tile,
    skipped,
    redraw,
    touched_from,
    was_complete,
    completed,
    outer_memory,
});

/// Whose turn it is.
#[derive(PartialEq, Eq, Debug)]
pub struct Turn {
    /// The player.
    pub player: Seat,
    /// Turns begun so far, this one included.
    pub number: u32,
    /// Why each part of this turn is or was played, those waiting included.
    pub part_reasons: Vec<Arc<str>>,
    /// Parts that come after the current one.
    pub waiting: Vec<(Arc<str>, DeckIdx)>,
}

clone_by_field!(Turn { player, number, part_reasons, waiting });

/// The scope of a mod's memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// Forgotten when the part ends.
    Part,
    /// Forgotten when the turn ends.
    Turn,
    /// Kept for the whole game.
    Game,
}

/// What lies on the table at one moment: all that a rule can know. Scripts keep nothing of their
/// own.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct Position {
    /// What is laid and who stands there. Shared by copies until one of them changes it.
    pub board: Board,
    /// How many play.
    pub n_seats: u8,
    /// The words for their names in records, by seat.
    pub(crate) names: Arc<[String]>,
    /// Their names as people read them, by seat.
    pub(crate) labels: Arc<[String]>,
    /// Who begins.
    pub(crate) first: Seat,
    /// Who plays after whom.
    pub(crate) turn_order: TurnOrder,
    /// Pieces at home: for each kind a number for each seat, then one for the neutral ones.
    pub(crate) supply: Shared<u16>,
    /// Tokens held: for each token a number for each seat, then one for the stock.
    pub(crate) tokens: Shared<u32>,
    /// Points by seat and marker.
    pub(crate) markers: Shared<i64>,
    /// Pieces in play; `None` where a number waits to be used again.
    pub(crate) pieces: Vec<Option<Piece>>,
    /// Further zones on which pieces stand, besides their place.
    pub(crate) more_zones: Vec<(PieceRef, ZoneRef)>,
    /// Amounts on spots, row by row, none of them zero.
    pub(crate) piles: Shared<(Spot, PileIdx, u32)>,
    /// What is left of each pile in stock.
    pub(crate) pile_stock: Shared<u32>,
    /// Tags of laid tiles that differ from what the tile says, sorted.
    pub(crate) tile_tags: Shared<(TileRef, TagIdx, i32)>,
    /// Tiles and cards in hand, sorted.
    pub(crate) hands: Shared<Held>,
    /// The decks.
    pub(crate) decks: Shared<DeckState>,
    /// Whose turn it is.
    pub(crate) turn: Option<Turn>,
    /// The parts going on: the innermost last.
    pub(crate) parts: Vec<Part>,
    /// Features touched, those of the innermost part last.
    pub(crate) touched: Vec<FeatureRef>,
    /// Features that lack nothing but the consent of mods (`is_complete`), and so were not scored
    /// when they were completed.
    pub(crate) kept_open: Vec<FeatureRef>,
    /// What mods remember: for the part, the turn and the game.
    pub(crate) memory: [Memories; 3],
    /// All points booked so far.
    pub(crate) awards: Shared<Arc<Award>>,
    /// True if the game has ended.
    pub(crate) is_over: bool,
    /// True if the final count has begun.
    pub(crate) is_final: bool,
    /// How many dice were rolled.
    pub(crate) n_rolls: u32,
    /// How many answers were given.
    pub(crate) n_answers: u32,
    /// Lines for the event log: the answer they belong to and the text.
    pub(crate) notes: Shared<(u32, Arc<str>)>,
    /// Tiles that fitted nowhere and left the game.
    pub(crate) left_out: Shared<TileIdx>,
}

clone_by_field!(Position {
    board,
    n_seats,
    names,
    labels,
    first,
    turn_order,
    supply,
    tokens,
    markers,
    pieces,
    more_zones,
    piles,
    pile_stock,
    tile_tags,
    hands,
    decks,
    turn,
    parts,
    touched,
    kept_open,
    memory,
    awards,
    is_over,
    is_final,
    n_rolls,
    n_answers,
    notes,
    left_out,
});

impl Position {
    /// Returns whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns whether the final count has begun.
    pub fn is_final(&self) -> bool {
        self.is_final
    }

    /// Returns the word for a player's name in records.
    pub fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.idx()).map_or("nobody", String::as_str)
    }

    /// Returns a player's name as people read it.
    pub fn label(&self, seat: Seat) -> &str {
        self.labels.get(seat.idx()).map_or("nobody", String::as_str)
    }

    /// The player called `name`.
    pub fn seat_named(&self, name: &str) -> Option<Seat> {
        self.names.iter().position(|n| n == name).map(|i| Seat(i as u8))
    }

    /// All players by number: in the order of play as long as no mod changes it.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.n_seats).map(Seat)
    }

    /// Returns all players in the order of play.
    pub fn order(&self) -> impl Iterator<Item = Seat> + Clone + use<> {
        self.turn_order.seats(self.n_seats)
    }

    /// Returns all players in the order of play from the one after `seat` on; `seat` comes last.
    pub fn seats_after(&self, seat: Seat) -> impl Iterator<Item = Seat> + Clone + use<> {
        self.turn_order.seats_after(seat, self.n_seats)
    }

    /// Returns who has the next turn, as things stand.
    pub fn next_player(&self) -> Seat {
        let mut turn_order = self.turn_order.clone();
        match &self.turn {
            Some(turn) => turn_order.take_after(turn.player, self.n_seats),
            None => turn_order.take_first(self.first, self.n_seats),
        }
    }

    /// Returns who has the next turn, where a mod has said so.
    pub fn named_next(&self) -> Option<Seat> {
        self.turn_order.next
    }

    /// Returns how many turns a player is to miss.
    pub fn turns_to_miss(&self, seat: Seat) -> u32 {
        self.turn_order.missed(seat)
    }

    /// Whose turn it is; the first player before the first turn.
    pub fn player(&self) -> Seat {
        self.turn.as_ref().map_or(self.first, |t| t.player)
    }

    /// The turn that is being played.
    pub fn turn(&self) -> Option<&Turn> {
        self.turn.as_ref()
    }

    /// The innermost part that is going on.
    pub fn part(&self) -> Option<&Part> {
        self.parts.last()
    }

    /// Features that lack nothing but the consent of mods (`is_complete`). The core asks them again
    /// whenever it scores.
    pub fn kept_open(&self) -> &[FeatureRef] {
        &self.kept_open
    }

    /// Returns whether mods have kept the feature from being complete until now.
    pub(crate) fn is_kept_open(&self, feature: FeatureRef) -> bool {
        !self.kept_open.is_empty() && self.kept_open.iter().any(|other| self.are_same(*other, feature))
    }

    /// Forgets that mods have kept the feature open: it is scored, or was taken apart.
    pub(crate) fn forget_kept_open(&mut self, feature: FeatureRef) {
        let mut kept_open = std::mem::take(&mut self.kept_open);
        kept_open.retain(|other| !self.are_same(*other, feature));
        self.kept_open = kept_open;
    }

    /// Returns whether both are one feature.
    pub(crate) fn are_same(&self, a: FeatureRef, b: FeatureRef) -> bool {
        a.layer == b.layer && self.board.root(a) == self.board.root(b)
    }

    /// All points of a player: those of all markers.
    pub fn score(&self, seat: Seat) -> i64 {
        self.markers_of(seat).iter().sum()
    }

    /// The points of each marker of a player.
    pub fn markers_of(&self, seat: Seat) -> &[i64] {
        let n = self.markers.len() / self.n_seats.max(1) as usize;
        &self.markers[seat.idx() * n..(seat.idx() + 1) * n]
    }

    /// How many pieces of `kind` a player has at home; `None` asks for the neutral ones.
    pub fn supply(&self, seat: Option<Seat>, kind: PieceKindIdx) -> u16 {
        self.supply[self.supply_at(seat, kind)]
    }

    pub(crate) fn supply_at(&self, seat: Option<Seat>, kind: PieceKindIdx) -> usize {
        kind.idx() * (self.n_seats as usize + 1) + seat.map_or(self.n_seats as usize, Seat::idx)
    }

    /// How many tokens a player holds; `None` asks for the stock.
    pub fn tokens(&self, seat: Option<Seat>, token: TokenIdx) -> u32 {
        self.tokens[self.token_at(seat, token)]
    }

    pub(crate) fn token_at(&self, seat: Option<Seat>, token: TokenIdx) -> usize {
        token.idx() * (self.n_seats as usize + 1) + seat.map_or(self.n_seats as usize, Seat::idx)
    }

    /// How much of `pile` lies on `spot`.
    pub fn pile(&self, spot: Spot, pile: PileIdx) -> u32 {
        self.pile_at(spot, pile).map_or(0, |at| self.piles[at].2)
    }

    /// Which of the piles on the board it is, or which it would be.
    pub(crate) fn pile_at(&self, spot: Spot, pile: PileIdx) -> Result<usize, usize> {
        self.piles.binary_search_by_key(&(spot.y, spot.x, pile), |(s, p, _)| (s.y, s.x, *p))
    }

    /// All piles on the board, sorted by spot.
    pub fn piles(&self) -> &[(Spot, PileIdx, u32)] {
        &self.piles
    }

    /// How much of `pile` is left in stock.
    pub fn pile_stock(&self, pile: PileIdx) -> u32 {
        self.pile_stock[pile.idx()]
    }

    /// The pieces in play with their numbers.
    pub fn pieces(&self) -> impl Iterator<Item = (PieceRef, &Piece)> {
        self.pieces.iter().enumerate().filter_map(|(i, p)| Some((PieceRef(i as u32), p.as_ref()?)))
    }

    /// The pieces that a player keeps, with their numbers.
    pub fn kept_by(&self, seat: Seat) -> impl Iterator<Item = (PieceRef, &Piece)> {
        self.pieces().filter(move |(_, piece)| piece.place == Location::Kept(seat))
    }

    /// The piece with this number, if it is in play.
    pub fn piece(&self, piece: PieceRef) -> Option<&Piece> {
        self.pieces.get(piece.0 as usize)?.as_ref()
    }

    /// All zones on which a piece stands.
    pub fn zones_of_piece(&self, piece: PieceRef) -> impl Iterator<Item = ZoneRef> + '_ {
        let first = match self.piece(piece).map(|p| p.place) {
            Some(Location::Zone(zone)) => Some(zone),
            _ => None,
        };
        let more = self.more_zones.iter().filter(move |(p, _)| *p == piece).map(|(_, z)| *z);
        first.into_iter().chain(more)
    }

    /// Zones on which pieces of `sorts` stand and count in layer 0, one or more of each feature
    /// that has any.
    pub fn zones_with(&self, ruleset: &Ruleset, sorts: PieceKindSet) -> impl Iterator<Item = ZoneRef> {
        let stand_anywhere = self.board.all_piece_kinds().meets(sorts);
        let pieces = self.pieces().filter(move |(_, it)| stand_anywhere && sorts.0 >> it.kind.0 & 1 == 1);
        pieces.flat_map(move |(piece, it)| {
            let zones = self.zones_of_piece(piece);
            zones.filter(move |zone| self.layer_on(ruleset, it.kind, *zone) == LayerIdx(0))
        })
    }

    /// A deck.
    pub fn deck(&self, deck: DeckIdx) -> &DeckState {
        &self.decks[deck.idx()]
    }

    /// The tiles a player holds in hand.
    pub fn hand(&self, seat: Seat) -> impl Iterator<Item = TileIdx> + '_ {
        self.held(seat).filter_map(|held| if let Item::Tile(tile) = held.item { Some(tile) } else { None })
    }

    /// Returns the tiles and cards a player holds in hand, and who may see them.
    pub fn held(&self, seat: Seat) -> impl Iterator<Item = Held> + '_ {
        self.hands.iter().copied().filter(move |held| held.holder == seat)
    }

    /// All points booked so far, in order.
    pub fn awards(&self) -> &[Arc<Award>] {
        &self.awards
    }

    /// Tiles that fitted nowhere and left the game, in order.
    pub fn left_out(&self) -> &[TileIdx] {
        &self.left_out
    }

    /// The tag of a laid tile: what was set while playing, or what the tile says. The number 0 is
    /// no tag.
    #[inline]
    pub fn tile_tag(&self, ruleset: &Ruleset, tile: TileRef, tag: TagIdx) -> Option<i32> {
        let tile_set = &ruleset.catalogue.tile_set;
        let set = self.tile_tags.iter().find(|(t, g, _)| (*t, *g) == (tile, tag)).map(|(_, _, v)| *v);
        let value = set.or_else(|| tile_set.tile(self.board.tile(tile).tile).tag(tag));
        value.filter(|v| *v != 0 || !tile_set.tag(tag).values.is_empty())
    }

    /// The lines mods wrote, each with how many answers the log held then.
    pub fn notes(&self) -> &[(u32, Arc<str>)] {
        &self.notes
    }

    /// Tags of laid tiles that differ from what the tile says, sorted by tile.
    pub fn tile_tags(&self) -> &[(TileRef, TagIdx, i32)] {
        &self.tile_tags
    }

    /// How many answers were given to reach this state.
    pub fn n_answers(&self) -> u32 {
        self.n_answers
    }

    /// What mod `owner` remembers.
    pub fn memory(&self, owner: ModIdx, scope: Scope) -> Option<&Arc<Memory>> {
        self.memory[scope as usize].get(owner)
    }

    /// The layer in which a piece of `kind` counts on `zone`.
    pub fn layer_on(&self, ruleset: &Ruleset, kind: PieceKindIdx, zone: ZoneRef) -> LayerIdx {
        let layer = ruleset.catalogue.piece(kind).layer;
        if layer.0 != 0 && self.board.takes_part(layer, zone) { layer } else { LayerIdx(0) }
    }

    /// The feature for which a piece of `kind` counts on `zone`.
    pub fn feature_under(&self, ruleset: &Ruleset, kind: PieceKindIdx, zone: ZoneRef) -> FeatureRef {
        FeatureRef { layer: self.layer_on(ruleset, kind, zone), anchor: zone }
    }
}
