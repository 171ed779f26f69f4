//! Changes of a state that both the core and mods make. Each notes the events it causes.

use std::sync::Arc;

use board::{LayerIdx, Spot, TagIdx, TileRef, ZoneRef};

use crate::decks::DeckState;
use crate::event::{Departed, Event, Left};
use crate::hooks::Hook;
use crate::indices::{DeckIdx, ModIdx, PhaseIdx, PieceKindIdx, PileIdx, TokenIdx};
use crate::position::{Location, Piece, Scope};
use crate::ruleset::Ruleset;
use crate::state::State;
use crate::step::Queued;
use crate::turn_order::MOST_MISSED;
use crate::value::{Memory, PieceRef, Seat};

/// Pieces.
impl State {
    /// Takes a piece from the supply of `owner` (or the neutral ones) and puts it on `place`, and on the further zones `more`.
    pub fn put_piece(
        &mut self,
        ruleset: &Ruleset,
        kind: PieceKindIdx,
        owner: Option<Seat>,
        place: Location,
        more: &[ZoneRef],
    ) -> Result<PieceRef, String> {
        let at = self.supply_at(owner, kind);
        if self.supply[at] == 0 {
            let whose = owner.map_or("the table", |seat| self.name(seat));
            return Err(format!("{whose} has no {} left in supply", ruleset.catalogue.piece(kind).name));
        }
        self.supply[at] -= 1;
        let piece = self.new_piece(Piece { kind, owner, place, pinned: false });
        self.occupy(ruleset, piece, more);
        self.emit(ruleset, Hook::PiecePlaced, || Event::PiecePlaced(piece));
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

    fn occupy(&mut self, ruleset: &Ruleset, piece: PieceRef, more: &[ZoneRef]) {
        let Some(it) = self.piece(piece).copied() else { return };
        let Location::Zone(first) = it.place else { return };
        let layer = self.layer_on(ruleset, it.kind, first);
        self.board.occupy(layer, first, piece.0, it.kind.0);
        for zone in more {
            if *zone != first && !self.more_zones.contains(&(piece, *zone)) {
                self.more_zones.push((piece, *zone));
                let layer = self.layer_on(ruleset, it.kind, *zone);
                self.board.occupy(layer, *zone, piece.0, it.kind.0);
            }
        }
        self.more_zones.sort_unstable();
    }

    fn vacate(&mut self, ruleset: &Ruleset, piece: PieceRef) {
        let Some(it) = self.piece(piece).copied() else { return };
        let Location::Zone(first) = it.place else { return };
        let layer = self.layer_on(ruleset, it.kind, first);
        self.board.vacate(layer, first, piece.0);
        while let Some(at) = self.more_zones.iter().position(|(p, _)| *p == piece) {
            let (_, zone) = self.more_zones.remove(at);
            let layer = self.layer_on(ruleset, it.kind, zone);
            self.board.vacate(layer, zone, piece.0);
        }
    }

    /// Moves a piece in play to another place, or to a player who keeps it.
    ///
    /// # Errors
    /// Where the piece is not in play any more.
    pub fn move_piece(
        &mut self,
        ruleset: &Ruleset,
        piece: PieceRef,
        place: Location,
        more: &[ZoneRef],
        reason: &str,
    ) -> Result<(), String> {
        let Some(it) = self.piece(piece).copied() else {
            return Err("this piece is not in play any more".to_owned());
        };
        let is_kept = matches!(place, Location::Kept(_));
        let how = if is_kept { Left::Taken } else { Left::Moved };
        if ruleset.catalogue.has(Hook::PieceLeft) {
            let departed = self.departed(piece, &it, how, reason);
            self.machine.queue.push(Queued::Event(Event::PieceLeft(departed)));
        }
        self.vacate(ruleset, piece);
        if let Some(it) = self.pieces[piece.0 as usize].as_mut() {
            it.place = place;
        }
        if !is_kept {
            self.occupy(ruleset, piece, more);
            self.emit(ruleset, Hook::PiecePlaced, || Event::PiecePlaced(piece));
        }
        Ok(())
    }

    /// What is told of a piece that is about to leave.
    fn departed(&self, piece: PieceRef, it: &Piece, how: Left, reason: &str) -> Departed {
        let zones = self.zones_of_piece(piece).collect();
        let piece = (how != Left::Returned).then_some(piece);
        Departed { piece, kind: it.kind, owner: it.owner, from: it.place, zones, how, reason: reason.into() }
    }

    /// Sends a piece home to the supply of its owner.
    pub fn return_piece(&mut self, ruleset: &Ruleset, piece: PieceRef, reason: &str) -> Result<(), String> {
        let Some(it) = self.piece(piece).copied() else {
            return Err("this piece is not in play any more".to_owned());
        };
        type Tells = fn(Departed) -> Event;
        let tells: [(Hook, Tells); 2] =
            [(Hook::PieceLeft, Event::PieceLeft), (Hook::PieceReturned, Event::PieceReturned)];
        for (_, event) in tells.into_iter().filter(|(hook, _)| ruleset.catalogue.has(*hook)) {
            let departed = self.departed(piece, &it, Left::Returned, reason);
            self.machine.queue.push(Queued::Event(event(departed)));
        }
        self.vacate(ruleset, piece);
        self.pieces[piece.0 as usize] = None;
        while self.pieces.last().is_some_and(Option::is_none) {
            self.pieces.pop();
        }
        let at = self.supply_at(it.owner, it.kind);
        self.supply[at] += 1;
        Ok(())
    }

    /// Makes a piece stay to the end of the game (or lets it go again).
    pub fn pin_piece(&mut self, piece: PieceRef, pinned: bool) -> Result<(), String> {
        let it = self.pieces.get_mut(piece.0 as usize).and_then(Option::as_mut);
        it.ok_or("this piece is not in play any more")?.pinned = pinned;
        Ok(())
    }
}

/// Tokens, piles, hands, tags.
impl State {
    /// Gives a player up to `n` tokens from the stock; returns how many there were.
    pub fn give(&mut self, ruleset: &Ruleset, seat: Seat, token: TokenIdx, n: u32) -> u32 {
        let stock = self.token_at(None, token);
        let n = if ruleset.catalogue.tokens[token.idx()].stock.is_some() { n.min(self.tokens[stock]) } else { n };
        self.tokens[stock] = self.tokens[stock].saturating_sub(n);
        let at = self.token_at(Some(seat), token);
        self.tokens[at] = self.tokens[at].saturating_add(n);
        n
    }

    /// Takes up to `n` tokens from a player back to the stock; returns how many there were.
    pub fn take(&mut self, ruleset: &Ruleset, seat: Seat, token: TokenIdx, n: u32) -> u32 {
        let at = self.token_at(Some(seat), token);
        let n = n.min(self.tokens[at]);
        self.tokens[at] -= n;
        if ruleset.catalogue.tokens[token.idx()].stock.is_some() {
            let stock = self.token_at(None, token);
            self.tokens[stock] = self.tokens[stock].saturating_add(n);
        }
        n
    }

    /// Makes `seat` the only holder of one token, whoever held it before; the others go back to the stock.
    pub fn award_holder(&mut self, ruleset: &Ruleset, token: TokenIdx, seat: Option<Seat>) {
        for other in self.seats() {
            self.take(ruleset, other, token, u32::MAX);
        }
        if let Some(seat) = seat {
            self.give(ruleset, seat, token, 1);
        }
    }

    /// Puts up to `n` from the stock of `pile` on `spot`; returns how many there were.
    pub fn put_pile(&mut self, ruleset: &Ruleset, spot: Spot, pile: PileIdx, n: u32) -> u32 {
        let limited = ruleset.catalogue.piles[pile.idx()].stock.is_some();
        let n = if limited { n.min(self.pile_stock[pile.idx()]) } else { n };
        self.pile_stock[pile.idx()] = self.pile_stock[pile.idx()].saturating_sub(n);
        self.set_pile(spot, pile, self.pile(spot, pile).saturating_add(n));
        n
    }

    /// Takes up to `n` of `pile` off `spot`; with `to_stock` back to the stock. Returns how many there were.
    pub fn take_pile(&mut self, spot: Spot, pile: PileIdx, n: u32, to_stock: bool) -> u32 {
        let there = self.pile(spot, pile);
        let n = n.min(there);
        self.set_pile(spot, pile, there - n);
        if to_stock {
            self.pile_stock[pile.idx()] = self.pile_stock[pile.idx()].saturating_add(n);
        }
        n
    }

    pub(crate) fn set_pile(&mut self, spot: Spot, pile: PileIdx, n: u32) {
        match self.pile_at(spot, pile) {
            Ok(at) if n == 0 => drop(self.piles.remove(at)),
            Ok(at) => self.piles[at].2 = n,
            Err(_) if n == 0 => {}
            Err(at) => self.piles.insert(at, (spot, pile, n)),
        }
    }

    /// Sets the tag of a laid tile; `None` takes it back to what the tile says.
    pub fn set_tile_tag(&mut self, tile: TileRef, tag: TagIdx, value: Option<i32>) {
        self.tile_tags.retain(|(t, g, _)| (*t, *g) != (tile, tag));
        if let Some(value) = value {
            self.tile_tags.push((tile, tag, value));
            self.tile_tags.sort_unstable();
        }
    }

    /// Gives a tile into a player's hand.
    pub fn give_tile(&mut self, seat: Seat, tile: board::TileIdx) {
        self.hands.push((seat, tile));
        self.hands.sort_unstable();
    }

    /// Takes a tile out of a player's hand.
    pub fn take_tile(&mut self, seat: Seat, tile: board::TileIdx) -> Result<(), String> {
        let at = self.hands.iter().position(|h| *h == (seat, tile)).ok_or("the player does not hold this tile")?;
        self.hands.remove(at);
        Ok(())
    }
}

/// Decks.
impl State {
    /// Puts items underneath a deck as a group of their own.
    pub fn put_under(&mut self, deck: DeckIdx, items: &[u16]) {
        let deck = &mut self.decks[deck.idx()];
        let group = DeckState::group(items.iter().map(|i| (*i, 1)), deck.n_shuffles);
        if !group.stacks.is_empty() {
            deck.groups.push(group);
        }
    }

    /// Puts items on top of a deck as a group of their own.
    pub fn put_on_top(&mut self, deck: DeckIdx, items: &[u16]) {
        let deck = &mut self.decks[deck.idx()];
        let group = DeckState::group(items.iter().map(|i| (*i, 1)), deck.n_shuffles);
        if !group.stacks.is_empty() {
            deck.groups.insert(0, group);
        }
    }

    /// Takes up to `n` of `item` out of a deck; returns how many there were.
    pub fn take_out(&mut self, deck: DeckIdx, item: u16, n: u32) -> u32 {
        (0..n).take_while(|_| self.decks[deck.idx()].take(item)).count() as u32
    }

    /// Merges all groups of a deck into one with a new order.
    pub fn shuffle(&mut self, deck: DeckIdx) {
        self.decks[deck.idx()].shuffle();
    }
}

/// Who plays after whom.
impl State {
    /// Makes `seats` the order of play: after the current turn comes that of whoever follows its player there.
    ///
    /// # Errors
    /// Where not every player is listed once.
    pub fn set_order(&mut self, seats: &[Seat]) -> Result<(), String> {
        let mut sorted = seats.to_vec();
        sorted.sort_unstable();
        if !self.seats().eq(sorted) {
            return Err("an order of play lists every player once".to_owned());
        }
        self.turn_order.set(seats);
        Ok(())
    }

    /// Makes the next turn that of `seat`; `None` makes it that of whoever follows in the order of play. After it the order goes on from there.
    pub fn set_next_player(&mut self, seat: Option<Seat>) {
        self.turn_order.next = seat;
    }

    /// Makes a player miss so many of their next turns.
    ///
    /// # Errors
    /// Where that is more than [`MOST_MISSED`].
    pub fn set_turns_to_miss(&mut self, seat: Seat, n: u32) -> Result<(), String> {
        if n > MOST_MISSED {
            return Err(format!("nobody can miss {n} turns; {MOST_MISSED} are the most"));
        }
        self.turn_order.set_missed(seat, n);
        Ok(())
    }
}

/// Turn and connections.
impl State {
    /// Adds a part to the turn: `now`, before anything else goes on, or after the current part. When the last part has ended there is
    /// nothing to interrupt, and both mean the same.
    pub fn extra_part(&mut self, reason: &str, deck: DeckIdx, now: bool) -> Result<(), String> {
        if self.is_final {
            return Err("the final count has begun, no part can be added".to_owned());
        }
        let turn = self.position.turn.as_mut().ok_or("there is no turn yet")?;
        let reason: Arc<str> = Arc::from(reason);
        turn.part_reasons.push(reason.clone());
        if now && !self.position.parts.is_empty() {
            self.machine.queue.push(Queued::Part { reason, deck });
        } else {
            turn.waiting.push((reason, deck));
        }
        Ok(())
    }

    /// Draws another tile instead of the one drawn, which goes underneath its deck.
    pub fn redraw(&mut self) -> Result<(), String> {
        let part = self.parts.last_mut().ok_or("there is no part yet")?;
        let (Some(tile), None) = (part.tile_type, part.tile) else {
            return Err("there is no drawn tile to give back".to_owned());
        };
        part.tile_type = None;
        part.redraw = true;
        let deck = part.deck;
        self.put_under(deck, &[tile.0]);
        Ok(())
    }

    /// Plays this tile in the part instead of drawing one.
    pub fn play_tile(&mut self, tile: board::TileIdx) -> Result<(), String> {
        let part = self.parts.last_mut().ok_or("there is no part yet")?;
        if part.tile_type.is_some() {
            return Err("this part has a tile already".to_owned());
        }
        part.tile_type = Some(tile);
        self.forget_places();
        Ok(())
    }

    /// Makes `links` (pairs of zones of the tile) the links of a tile instead of those it had.
    pub fn relink(&mut self, ruleset: &Ruleset, tile: TileRef, links: &[(ZoneRef, ZoneRef)]) -> Result<(), String> {
        let placed = *self.board.tile(tile);
        let mut pairs = Vec::with_capacity(links.len());
        let tile_set = &ruleset.catalogue.tile_set;
        for (a, b) in links {
            if self.board.tile_of(*a) != tile || self.board.tile_of(*b) != tile || a == b {
                return Err("a link joins two different zones of one tile".to_owned());
            }
            if self.board.kind(*a) != self.board.kind(*b) {
                return Err("a link joins two zones of one kind".to_owned());
            }
            pairs.push((placed.local(*a), placed.local(*b)));
        }
        self.note_complete(ruleset, tile);
        let mut touched = std::mem::take(&mut self.touched);
        let (splits, joins) = self.board.relink(tile_set, tile, &pairs, &mut touched);
        self.touched = touched;
        let is_complete = |feature: &board::FeatureRef| self.position.board.is_complete(tile_set, *feature);
        let kept_open = self.kept_open.iter().copied().filter(is_complete).collect();
        self.position.kept_open = kept_open;
        for parts in splits {
            self.emit(ruleset, Hook::FeatureSplit, || Event::Split(parts.into()));
        }
        for join in joins {
            self.emit(ruleset, Hook::FeatureJoined, || Event::Joined(join.feature, join.parts.into()));
        }
        Ok(())
    }

    /// Remembers the complete features of a tile that is about to be re-linked: the same zones complete once more are nothing new.
    fn note_complete(&mut self, ruleset: &Ruleset, tile: TileRef) {
        let tile_set = &ruleset.catalogue.tile_set;
        let Some(part) = self.parts.last() else { return };
        let mut found = Vec::new();
        for anchor in self.board.zones_of(tile_set, tile) {
            let feature = board::FeatureRef { layer: LayerIdx(0), anchor };
            let root = self.board.root(feature);
            let touched = self.touched[part.touched_from..].iter();
            let is_touched = touched.filter(|t| t.layer.0 == 0).any(|t| self.board.root(*t) == root);
            if !is_touched && !self.is_kept_open(feature) && self.board.is_complete(tile_set, feature) {
                let complete = (feature.layer, self.board.sorted_zones(feature));
                if !found.contains(&complete) {
                    found.push(complete);
                }
            }
        }
        if let Some(part) = self.parts.last_mut() {
            part.was_complete.extend(found);
        }
    }

    /// Notes an event, if a mod has a function for it.
    #[inline]
    pub(crate) fn emit(&mut self, ruleset: &Ruleset, hook: Hook, event: impl FnOnce() -> Event) {
        if ruleset.catalogue.has(hook) {
            self.machine.queue.push(Queued::Event(event()));
        }
    }
}

/// Phases, memory and notes.
impl State {
    /// Leaves a phase out for the rest of the part.
    pub fn skip_phase(&mut self, phase: PhaseIdx) -> Result<(), String> {
        let part = self.parts.last_mut().ok_or("there is no part yet")?;
        if !part.skipped.contains(&phase) {
            part.skipped.push(phase);
        }
        Ok(())
    }

    /// Makes `memory` what mod `owner` remembers in `scope`.
    pub fn set_memory(&mut self, owner: ModIdx, scope: Scope, memory: Option<Arc<Memory>>) {
        self.memory[scope as usize].set(owner, memory);
    }

    /// Writes a line into the game's log of events, with no effect on the game.
    pub fn note(&mut self, text: &str) {
        let now = self.n_answers;
        self.notes.push((now, Arc::from(text)));
    }
}
