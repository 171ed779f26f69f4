//! Changes that the core and mods make to the state. Each change records the events that the change
//! causes.

use std::sync::Arc;

use board::{TagIdx, TileRef, ZoneRef};

use crate::board_changes::check_not_overlay;
use crate::decks::{DeckState, Group};
use crate::effect_error::EffectError;
use crate::event::{DepartedPiece, Departure, RuleEvent};
use crate::game_limits::{MAX_BYTES_OF_GAME, MAX_PARTS, MAX_ROW, MAX_THINGS};
use crate::hooks::Hook;
use crate::indices::{DeckIdx, ModIdx, PhaseIdx, PieceKindIdx, PileIdx, TokenIdx};
use crate::position::{HeldItem, Item, Location, Piece, PilePlace, Position, Scope};
use crate::ruleset::Ruleset;
use crate::seat_set::SeatSet;
use crate::state::State;
use crate::step::{Consequence, EngineStep};
use crate::turn_order::MAX_TURNS_TO_MISS;
use crate::value::{Memory, PieceRef, Seat};

/// Checks of limits.
impl State {
    /// Checks that mods have not made a list of the game too long.
    ///
    /// # Errors
    /// Returns a message that names the first list that is too long, or that says that the notes
    /// and points take too much memory.
    pub(crate) fn check_growth(&self) -> Result<(), EffectError> {
        let Position { pieces, more_zones, piles, tile_tags, hands, decks, touched, awards, notes, .. } =
            &self.position;
        let n_groups = decks.iter().map(|deck| deck.groups.len()).sum();
        let things = [
            (pieces.len() + more_zones.len(), "zones with pieces"),
            (piles.len(), "places with piles"),
            (tile_tags.len(), "tags of tiles"),
            (hands.len(), "tiles in hands"),
            (n_groups, "groups in decks"),
            (touched.len(), "changed features"),
            (awards.len(), "awards"),
            (notes.len(), "notes"),
        ];
        if self.machine.n_bytes > MAX_BYTES_OF_GAME {
            return Err(EffectError::TooManyBytes);
        }
        match things.into_iter().find(|(n, _)| *n > MAX_THINGS) {
            Some((n, what)) => Err(EffectError::TooLongList { n, what }),
            None => Ok(()),
        }
    }
}

/// Changes to pieces.
impl State {
    /// Takes a piece from the supply of `owner` (or a neutral piece if `owner` is `None`) and puts
    /// it on `place` and on the further zones `more`.
    ///
    /// # Errors
    /// Returns an error if no such piece is left in supply.
    pub fn put_piece(
        &mut self,
        ruleset: &Ruleset,
        kind: PieceKindIdx,
        owner: Option<Seat>,
        place: Location,
        more: &[ZoneRef],
    ) -> Result<PieceRef, EffectError> {
        let at = self.supply_index(owner, kind);
        if self.supply[at] == 0 {
            let owner = owner.map_or("the table", |seat| self.label(seat)).to_owned();
            return Err(EffectError::NotInSupply { owner, piece: ruleset.catalogue.piece(kind).name.clone() });
        }
        self.supply[at] -= 1;
        let piece = self.new_piece(Piece { kind, owner, place, pinned: false });
        self.occupy(ruleset, piece, more);
        self.emit(ruleset, Hook::PiecePlaced, || RuleEvent::PiecePlaced(piece));
        Ok(piece)
    }

    fn new_piece(&mut self, piece: Piece) -> PieceRef {
        match self.pieces.iter().position(Option::is_none) {
            Some(free) => {
                self.pieces[free] = Some(piece);
                PieceRef(free as u32)
            }
            None => {
                self.pieces.push(Some(piece));
                PieceRef(self.pieces.len() as u32 - 1)
            }
        }
    }

    pub(crate) fn occupy(&mut self, ruleset: &Ruleset, piece: PieceRef, more: &[ZoneRef]) {
        let Some(it) = self.piece(piece).copied() else { return };
        let Location::Zone(first) = it.place else { return };
        let layer = self.layer_on(ruleset, it.kind, first);
        self.board.occupy(layer, first, piece.0, it.kind.0);
        for zone in more.iter().filter(|zone| **zone != first) {
            if let Err(at) = self.more_zones.binary_search(&(piece, *zone)) {
                self.more_zones.insert(at, (piece, *zone));
                let layer = self.layer_on(ruleset, it.kind, *zone);
                self.board.occupy(layer, *zone, piece.0, it.kind.0);
            }
        }
    }

    pub(crate) fn vacate(&mut self, ruleset: &Ruleset, piece: PieceRef) {
        let Some(it) = self.piece(piece).copied() else { return };
        let Location::Zone(first) = it.place else { return };
        let layer = self.layer_on(ruleset, it.kind, first);
        self.board.vacate(layer, first, piece.0);
        let from = self.more_zones.partition_point(|(other, _)| *other < piece);
        let to = self.more_zones.partition_point(|(other, _)| *other <= piece);
        let further: Vec<_> = self.more_zones.drain(from..to).collect();
        for (_, zone) in further {
            let layer = self.layer_on(ruleset, it.kind, zone);
            self.board.vacate(layer, zone, piece.0);
        }
    }

    /// Moves a piece in play to `place` and to the further zones `more`, or to a player who keeps
    /// the piece. Functions for `piece_left` receive `reason`.
    ///
    /// # Errors
    /// Returns an error if the piece is not in play any more.
    pub fn move_piece(
        &mut self,
        ruleset: &Ruleset,
        piece: PieceRef,
        place: Location,
        more: &[ZoneRef],
        reason: &str,
    ) -> Result<(), EffectError> {
        let Some(it) = self.piece(piece).copied() else {
            return Err(EffectError::PieceNotInPlay);
        };
        let is_kept = matches!(place, Location::Kept(_));
        let how = if is_kept { Departure::Taken } else { Departure::Moved };
        if ruleset.catalogue.has(Hook::PieceLeft) {
            let departed = self.departed_piece(piece, &it, how, reason);
            self.machine.queue.push(Consequence::Event(RuleEvent::PieceLeft(departed)));
        }
        self.vacate(ruleset, piece);
        if let Some(it) = self.pieces[piece.0 as usize].as_mut() {
            it.place = place;
        }
        if !is_kept {
            self.occupy(ruleset, piece, more);
            self.emit(ruleset, Hook::PiecePlaced, || RuleEvent::PiecePlaced(piece));
        }
        Ok(())
    }

    /// Returns the data about a piece that is about to leave its place, for the event.
    fn departed_piece(&self, piece: PieceRef, it: &Piece, how: Departure, reason: &str) -> DepartedPiece {
        let zones = self.zones_of_piece(piece).collect();
        let piece = (how != Departure::Returned).then_some(piece);
        DepartedPiece { piece, kind: it.kind, owner: it.owner, from: it.place, zones, how, reason: reason.into() }
    }

    /// Puts a piece in play back into the supply of its owner, or into the neutral supply.
    ///
    /// # Errors
    /// Returns an error if the piece is not in play any more.
    pub fn return_piece(&mut self, ruleset: &Ruleset, piece: PieceRef, reason: &str) -> Result<(), EffectError> {
        let Some(it) = self.piece(piece).copied() else {
            return Err(EffectError::PieceNotInPlay);
        };
        type EventConstructor = fn(DepartedPiece) -> RuleEvent;
        let tells: [(Hook, EventConstructor); 2] =
            [(Hook::PieceLeft, RuleEvent::PieceLeft), (Hook::PieceReturned, RuleEvent::PieceReturned)];
        for (_, event) in tells.into_iter().filter(|(hook, _)| ruleset.catalogue.has(*hook)) {
            let departed = self.departed_piece(piece, &it, Departure::Returned, reason);
            self.machine.queue.push(Consequence::Event(event(departed)));
        }
        self.vacate(ruleset, piece);
        self.pieces[piece.0 as usize] = None;
        while self.pieces.last().is_some_and(Option::is_none) {
            self.pieces.pop();
        }
        let at = self.supply_index(it.owner, it.kind);
        self.supply[at] += 1;
        Ok(())
    }

    /// Pins or unpins a piece. A pinned piece stays when its feature is scored.
    ///
    /// # Errors
    /// Returns an error if the piece is not in play any more.
    pub fn set_pinned(&mut self, piece: PieceRef, pinned: bool) -> Result<(), EffectError> {
        let it = self.pieces.get_mut(piece.0 as usize).and_then(Option::as_mut);
        it.ok_or(EffectError::PieceNotInPlay)?.pinned = pinned;
        Ok(())
    }
}

/// Changes to tokens, piles, hands and tags.
impl State {
    /// Gives a player up to `n` tokens from the stock. Returns the number given.
    pub fn give_tokens(&mut self, ruleset: &Ruleset, seat: Seat, token: TokenIdx, n: u32) -> u32 {
        let stock = self.token_index(None, token);
        let n = if ruleset.catalogue.tokens[token.idx()].stock.is_some() { n.min(self.tokens[stock]) } else { n };
        self.tokens[stock] = self.tokens[stock].saturating_sub(n);
        let at = self.token_index(Some(seat), token);
        self.tokens[at] = self.tokens[at].saturating_add(n);
        n
    }

    /// Moves up to `n` tokens from a player to the stock. Returns the number moved.
    pub fn take_tokens(&mut self, ruleset: &Ruleset, seat: Seat, token: TokenIdx, n: u32) -> u32 {
        let at = self.token_index(Some(seat), token);
        let n = n.min(self.tokens[at]);
        self.tokens[at] -= n;
        if ruleset.catalogue.tokens[token.idx()].stock.is_some() {
            let stock = self.token_index(None, token);
            self.tokens[stock] = self.tokens[stock].saturating_add(n);
        }
        n
    }

    /// Moves all tokens of a kind from the players to the stock. Then gives one token to `seat`; if
    /// `seat` is `None`, no player holds the token.
    pub fn set_only_holder(&mut self, ruleset: &Ruleset, token: TokenIdx, seat: Option<Seat>) {
        for other in self.seats() {
            self.take_tokens(ruleset, other, token, u32::MAX);
        }
        if let Some(seat) = seat {
            self.give_tokens(ruleset, seat, token, 1);
        }
    }

    /// Moves up to `n` items from the stock of `pile` to a spot or border. Returns the number
    /// moved.
    pub fn put_pile(&mut self, ruleset: &Ruleset, place: impl Into<PilePlace>, pile: PileIdx, n: u32) -> u32 {
        let place = place.into();
        let limited = ruleset.catalogue.piles[pile.idx()].stock.is_some();
        let n = if limited { n.min(self.pile_stock[pile.idx()]) } else { n };
        self.pile_stock[pile.idx()] = self.pile_stock[pile.idx()].saturating_sub(n);
        self.set_pile(place, pile, self.pile(place, pile).saturating_add(n));
        n
    }

    /// Removes up to `n` items of `pile` from a spot or border, and returns them to the stock if
    /// `to_stock` is true. Returns the number removed.
    pub fn take_pile(&mut self, place: impl Into<PilePlace>, pile: PileIdx, n: u32, to_stock: bool) -> u32 {
        let place = place.into();
        let there = self.pile(place, pile);
        let n = n.min(there);
        self.set_pile(place, pile, there - n);
        if to_stock {
            self.pile_stock[pile.idx()] = self.pile_stock[pile.idx()].saturating_add(n);
        }
        n
    }

    pub(crate) fn set_pile(&mut self, place: PilePlace, pile: PileIdx, n: u32) {
        match self.pile_index(place, pile) {
            Ok(at) if n == 0 => drop(self.piles.remove(at)),
            Ok(at) => self.piles[at].2 = n,
            Err(_) if n == 0 => {}
            Err(at) => self.piles.insert(at, (place, pile, n)),
        }
    }

    /// Sets a tag of a laid tile; `None` restores the value of the tile type.
    pub fn set_tile_tag(&mut self, tile: TileRef, tag: TagIdx, value: Option<i32>) {
        match (self.tile_tags.binary_search_by_key(&(tile, tag), |(tile, tag, _)| (*tile, *tag)), value) {
            (Ok(at), Some(value)) => self.tile_tags[at].2 = value,
            (Ok(at), None) => drop(self.tile_tags.remove(at)),
            (Err(at), Some(value)) => self.tile_tags.insert(at, (tile, tag, value)),
            (Err(_), None) => {}
        }
    }

    /// Adds a tile or card to the hand of its holder.
    pub fn give_item(&mut self, held: HeldItem) {
        let at = self.hands.partition_point(|other| *other < held);
        self.hands.insert(at, held);
    }

    /// Takes a tile or card out of a player's hand.
    ///
    /// # Errors
    /// Returns an error if the player does not hold `item`.
    pub fn take_item(&mut self, seat: Seat, item: Item) -> Result<(), EffectError> {
        let at = self.hand_index(seat, item)?;
        self.hands.remove(at);
        Ok(())
    }

    /// Lets the players in `to` see a tile or card in a player's hand, in addition to the players
    /// who may already see it.
    ///
    /// # Errors
    /// Returns an error if the player does not hold `item`.
    pub fn show_item(&mut self, seat: Seat, item: Item, to: SeatSet) -> Result<(), EffectError> {
        let at = self.hand_index(seat, item)?;
        let held = self.hands.remove(at);
        self.give_item(HeldItem { seen_by: held.seen_by.union(to), ..held });
        Ok(())
    }

    /// Returns the index, in the list of hands, of an item that `seat` holds. If `seat` holds
    /// several equal items, prefers an item that is hidden from some player.
    fn hand_index(&self, seat: Seat, item: Item) -> Result<usize, EffectError> {
        let is_it = |held: &HeldItem| (held.holder, held.item) == (seat, item);
        self.hands.iter().position(is_it).ok_or(EffectError::NotInHand)
    }
}

/// Changes to decks.
impl State {
    /// Puts items underneath a deck as a separate group. Only the players in `seen_by` may see its
    /// contents.
    ///
    /// # Errors
    /// Returns an error if the deck would have too many items.
    pub fn put_under(&mut self, deck: DeckIdx, items: &[u16], seen_by: SeatSet) -> Result<(), EffectError> {
        let (deck, group) = self.new_group(deck, items, seen_by)?;
        deck.groups.extend(group);
        Ok(())
    }

    /// Puts items on top of a deck as a separate group. Only the players in `seen_by` may see its
    /// contents.
    ///
    /// # Errors
    /// Returns an error if the deck would have too many items.
    pub fn put_on_top(&mut self, deck: DeckIdx, items: &[u16], seen_by: SeatSet) -> Result<(), EffectError> {
        let (deck, group) = self.new_group(deck, items, seen_by)?;
        if let Some(group) = group {
            deck.groups.insert(0, group);
        }
        Ok(())
    }

    /// Mixes items into group number `group` of a deck. Groups count from 0 at the top; negative
    /// numbers count from the bottom, where the last group is -1. If the deck is empty, makes its
    /// first group.
    ///
    /// # Errors
    /// Returns an error if there is no such group or the deck would have too many items.
    pub fn put_into(&mut self, deck: DeckIdx, group: i64, items: &[u16]) -> Result<(), EffectError> {
        let state = &self.decks[deck.idx()];
        let n = state.groups.len();
        let at = if group < 0 { group + n as i64 } else { group };
        match usize::try_from(at).ok().filter(|at| *at < n) {
            None if n == 0 && matches!(group, 0 | -1) => return self.put_under(deck, items, SeatSet::ALL),
            None => return Err(EffectError::NoSuchGroup { n, group }),
            Some(_) if state.len() + items.len() > usize::from(u16::MAX) => {
                return Err(EffectError::DeckTooLarge);
            }
            Some(at) => self.decks[deck.idx()].mix_into(at, items),
        }
        Ok(())
    }

    /// Returns a deck and a new group of `items` for the deck; `None` for the group if `items` is
    /// empty.
    fn new_group(
        &mut self,
        deck: DeckIdx,
        items: &[u16],
        seen_by: SeatSet,
    ) -> Result<(&mut DeckState, Option<Group>), EffectError> {
        let deck = &mut self.decks[deck.idx()];
        if deck.len() + items.len() > usize::from(u16::MAX) {
            return Err(EffectError::DeckTooLarge);
        }
        let group = Group { seen_by, ..DeckState::make_group(items.iter().map(|i| (*i, 1)), deck.n_shuffles) };
        Ok((deck, Some(group).filter(|group| !group.stacks.is_empty())))
    }

    /// Removes up to `n` copies of `item` from a deck. Returns the number removed.
    pub fn take_out(&mut self, deck: DeckIdx, item: u16, n: u32) -> u32 {
        (0..n).take_while(|_| self.decks[deck.idx()].take(item)).count() as u32
    }

    /// Puts items at the end of the open row beside a deck.
    ///
    /// # Errors
    /// Returns an error if the row would have more than 100 items.
    pub fn put_in_row(&mut self, deck: DeckIdx, items: &[u16]) -> Result<(), EffectError> {
        let row = &mut self.decks[deck.idx()].row;
        if row.len() + items.len() > MAX_ROW {
            return Err(EffectError::RowTooLong);
        }
        row.extend(items);
        Ok(())
    }

    /// Takes an item out of the open row beside a deck: the first of several equal items.
    ///
    /// # Errors
    /// Returns an error if the item is not in the row.
    pub fn take_from_row(&mut self, deck: DeckIdx, item: u16) -> Result<(), EffectError> {
        let row = &self.decks[deck.idx()].row;
        let at = row.iter().position(|other| *other == item);
        let at = at.ok_or(EffectError::NotInRow)?;
        self.decks[deck.idx()].row.remove(at);
        Ok(())
    }

    /// Merges all groups of a deck into one group, whose order is unknown again.
    pub fn shuffle(&mut self, deck: DeckIdx) {
        self.decks[deck.idx()].shuffle();
    }
}

/// Changes to the turn order.
impl State {
    /// Makes `seats` the order of play. Unless a mod has named the next player, the next turn
    /// belongs to the player who follows the current player in this order.
    ///
    /// # Errors
    /// Returns an error if `seats` does not list every player once.
    pub fn set_order(&mut self, seats: &[Seat]) -> Result<(), EffectError> {
        let mut sorted = seats.to_vec();
        sorted.sort_unstable();
        if !self.seats().eq(sorted) {
            return Err(EffectError::IncompleteOrder);
        }
        self.turn_order.set(seats);
        Ok(())
    }

    /// Gives the next turn to `seat`, after which the order of play continues from `seat`. If
    /// `seat` is `None`, the next turn belongs to the next player in the order of play.
    pub fn set_next_player(&mut self, seat: Option<Seat>) {
        self.turn_order.next = seat;
    }

    /// Makes a player miss their next `n` turns.
    ///
    /// # Errors
    /// Returns an error if `n` is more than 1000.
    pub fn set_turns_to_miss(&mut self, seat: Seat, n: u32) -> Result<(), EffectError> {
        if n > MAX_TURNS_TO_MISS {
            return Err(EffectError::TooManyTurnsToMiss(n));
        }
        self.turn_order.set_turns_to_miss(seat, n);
        Ok(())
    }
}

/// Changes to the current turn.
impl State {
    /// Adds a part to the turn. If `now` is true, the new part runs before anything else continues.
    /// Otherwise the new part waits until all running parts have ended. If no part is running,
    /// `now` makes no difference.
    ///
    /// # Errors
    /// Returns an error if no turn has begun, the game has ended, or the turn has too many parts.
    pub fn add_part(&mut self, reason: &str, deck: DeckIdx, now: bool) -> Result<(), EffectError> {
        if self.machine.agenda.iter().any(|step| matches!(step, EngineStep::Final(_))) {
            return Err(EffectError::GameHasEnded);
        }
        let turn = self.position.turn.as_mut().ok_or(EffectError::NoTurn)?;
        if turn.part_reasons.len() >= MAX_PARTS {
            return Err(EffectError::TooManyParts);
        }
        let reason: Arc<str> = Arc::from(reason);
        turn.part_reasons.push(reason.clone());
        if now && !self.position.parts.is_empty() {
            self.machine.queue.push(Consequence::Part { reason, deck });
        } else {
            turn.waiting.push((reason, deck));
        }
        Ok(())
    }

    /// Puts the drawn tile underneath its deck and makes the core draw another tile.
    ///
    /// # Errors
    /// Returns an error if there is no drawn tile, or if it is already laid.
    pub fn redraw(&mut self, ruleset: &Ruleset) -> Result<(), EffectError> {
        let part = self.parts.last_mut().ok_or(EffectError::NoPart)?;
        let (Some(tile), None) = (part.tile_type, part.tile) else {
            return Err(EffectError::NoDrawnTile);
        };
        part.tile_type = None;
        part.redraw = true;
        let deck = part.deck;
        self.put_under(deck, &[ruleset.catalogue.tile_set.base(tile).0], SeatSet::ALL)
    }

    /// Makes `tile` the tile of the running part of the turn, in place of a draw or as the overlay
    /// variant of the drawn tile.
    ///
    /// # Errors
    /// Returns an error if no part is running, or if the part has another tile or has laid its
    /// tile. Also returns an error if `tile` is an overlay, which lies only over other tiles.
    pub fn play_tile(&mut self, ruleset: &Ruleset, tile: board::TileIdx) -> Result<(), EffectError> {
        check_not_overlay(ruleset, tile)?;
        let tile_set = &ruleset.catalogue.tile_set;
        let part = self.parts.last_mut().ok_or(EffectError::NoPart)?;
        if part.tile.is_some() || part.tile_type.is_some_and(|drawn| tile_set.base(drawn) != tile_set.base(tile)) {
            return Err(EffectError::HasTile);
        }
        part.tile_type = Some(tile);
        self.discard_places();
        Ok(())
    }

    /// Queues an event if a mod has a function for `hook`.
    #[inline]
    pub(crate) fn emit(&mut self, ruleset: &Ruleset, hook: Hook, event: impl FnOnce() -> RuleEvent) {
        if ruleset.catalogue.has(hook) {
            self.machine.queue.push(Consequence::Event(event()));
        }
    }
}

/// Changes to phases, memory and notes.
impl State {
    /// Skips a phase for the rest of the running part of the turn.
    ///
    /// # Errors
    /// Returns an error if no part of a turn is running.
    pub fn skip_phase(&mut self, phase: PhaseIdx) -> Result<(), EffectError> {
        let part = self.parts.last_mut().ok_or(EffectError::NoPart)?;
        if !part.skipped.contains(&phase) {
            part.skipped.push(phase);
        }
        Ok(())
    }

    /// Sets the stored data of mod `owner` in `scope`; `None` removes the data.
    pub fn set_memory(&mut self, owner: ModIdx, scope: Scope, memory: Option<Arc<Memory>>) {
        self.memory[scope as usize].set(owner, memory);
    }

    /// Adds a line to the event log. The line does not affect the game.
    pub fn note(&mut self, text: &str) {
        let now = self.n_answers;
        self.machine.n_bytes += size_of::<(u32, Arc<str>)>() + text.len();
        self.notes.push((now, Arc::from(text)));
    }
}
