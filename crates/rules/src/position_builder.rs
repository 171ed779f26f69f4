//! Builds a position without playing the game up to it.

use std::sync::Arc;

use board::{Board, Facing, FeatureRef, PlaceError, Spot, TileIdx, ZoneRef};
use thiserror::Error;

use crate::agenda::{self, opening};
use crate::awards::MAX_POINTS;
use crate::call::Rules;
use crate::catalogue::ItemType;
use crate::decks::DeckState;
use crate::effect_error::EffectError;
use crate::event::RuleEvent;
use crate::fault::Fault;
use crate::hooks::{Hook, HookClass};
use crate::indices::{DeckIdx, ModIdx, PieceKindIdx, PileIdx, TokenIdx};
use crate::invoke::call_read_only;
use crate::panics::{Panic, catch_panic};
use crate::position::{Location, Position, Scope, Turn};
use crate::seat_set::SeatSet;
use crate::setup::{Setup, player_label};
use crate::shared_list::SharedList;
use crate::state::{EngineState, State};
use crate::step::EngineStep;
use crate::texts::{option_texts, option_with_text};
use crate::value::{PieceRef, Seat, Value};

/// A reason why a starting position cannot be built. The text is a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the texts say what is wrong")]
pub enum PositionError {
    #[error("no mod has a `setup`, or it has run already")]
    NoSetup,
    #[error("no question is open; write `given answer` only for a question of `setup`, after `given setup`")]
    NoQuestion,
    #[error("`{text}` is not offered; `setup` asks \"{question}\" and offers {offered}")]
    NotOffered { text: String, question: String, offered: String },
    #[error("this feature is incomplete, so no mod needs to keep it open")]
    IsOpen,
    #[error("{0} is too large for points")]
    TooManyPoints(i64),
    #[error("`migrate` of {owner} must return a map, but it returned {found}")]
    MigrateReturned { owner: String, found: &'static str },
    #[error(transparent)]
    Fault(#[from] Box<Fault>),
    #[error(transparent)]
    Panic(#[from] Panic),
}

/// A builder of positions. The builder begins with the start of a game and changes this position
/// step by step. Only the setup by mods raises events; other changes raise none.
pub struct PositionBuilder<'r> {
    rules: &'r Rules,
    state: State,
    /// The decks whose items the caller has set.
    decks_set: Vec<DeckIdx>,
    has_turn: bool,
    /// The steps that follow the setup by mods. `None` unless this setup is running.
    after_setup: Option<Vec<EngineStep>>,
}

/// The beginning and the end of building.
impl<'r> PositionBuilder<'r> {
    /// Begins with an empty board, complete decks and all pieces in supply. Ignores
    /// [`Setup::position`].
    pub fn new(rules: &'r Rules, setup: &Setup) -> PositionBuilder<'r> {
        let catalogue = rules.catalogue();
        let n = setup.players.len();
        let position = Position {
            board: Board::new(&catalogue.tile_set, 80),
            n_seats: n as u8,
            names: Arc::from(setup.players.clone()),
            labels: setup.players.iter().map(|word| player_label(word)).collect(),
            first: setup.first_player(),
            ..Position::default()
        };
        let mut state = State { position, machine: EngineState::default() };
        for piece in &catalogue.pieces {
            state.supply.extend(std::iter::repeat_n(piece.per_player, n));
            state.supply.push(piece.neutral);
        }
        for token in &catalogue.tokens {
            state.tokens.extend(std::iter::repeat_n(token.per_player, n));
            state.tokens.push(token.stock.unwrap_or(0));
        }
        state.pile_stock = catalogue.piles.iter().map(|p| p.stock.unwrap_or(0)).collect();
        state.markers = vec![0; n * catalogue.track.n_markers.max(1) as usize].into();
        for deck in &catalogue.decks {
            let group = DeckState::make_group(deck.items.iter().copied(), 0);
            let groups = if group.stacks.is_empty() { Vec::new() } else { vec![group] };
            state.decks.push(DeckState { groups, ..DeckState::default() });
        }
        state.machine.agenda = opening(rules);
        PositionBuilder { rules, state, decks_set: Vec::new(), has_turn: false, after_setup: None }
    }

    /// Returns the state built so far.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the state built so far, for changes that cause no events.
    pub fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// Returns the finished state. The engine has not run its first step yet.
    ///
    /// If [`set_turn`](Self::set_turn) was called and the caller has set the contents of all decks,
    /// the state is in the middle of a game. The engine then skips the opening steps of a game.
    pub fn finish(mut self) -> State {
        if self.has_turn && self.decks_set.len() == self.state.decks.len() {
            self.state.machine.agenda = vec![EngineStep::BeginTurn];
        }
        self.state
    }
}

/// The setup by mods, and the questions of this setup.
impl PositionBuilder<'_> {
    /// Runs the `setup` functions of mods now, so that they do not run when the game begins. If one
    /// of these functions asks, [`question`](Self::question) returns its question.
    ///
    /// # Errors
    /// Returns an error if no mod has such a function, if the functions have already run, or if one
    /// of them fails.
    pub fn run_setup(&mut self) -> Result<(), PositionError> {
        let agenda = std::mem::take(&mut self.state.machine.agenda);
        let is_setup = |step: &EngineStep| matches!(step, EngineStep::Event { event: RuleEvent::Setup, .. });
        let (setup, rest): (Vec<EngineStep>, Vec<EngineStep>) = agenda.into_iter().partition(is_setup);
        if setup.is_empty() {
            self.state.machine.agenda = rest;
            return Err(PositionError::NoSetup);
        }
        self.state.machine.agenda = setup;
        self.after_setup = Some(rest);
        self.run_engine(agenda::advance)
    }

    /// Returns the open question of the setup by mods; `None` if no question is open.
    pub fn question(&self) -> Option<&str> {
        self.state.decision().map(|decision| &*decision.prompt)
    }

    /// Answers the open question of the setup by mods with the option whose text is `text`.
    ///
    /// # Errors
    /// Returns an error if there is no question or no such option, or if a function fails.
    pub fn answer_setup(&mut self, text: &str) -> Result<(), PositionError> {
        let (ruleset, state) = (&self.rules.ruleset, &self.state);
        let Some(question) = self.question() else {
            return Err(PositionError::NoQuestion);
        };
        let Some(choice) = option_with_text(ruleset, state, text) else {
            let offered = option_texts(ruleset, state).join(", ");
            return Err(PositionError::NotOffered { text: text.to_owned(), question: question.to_owned(), offered });
        };
        self.run_engine(|rules, state| agenda::answer(rules, state, choice))
    }

    fn run_engine(
        &mut self,
        work: impl FnOnce(&Rules, &mut State) -> Result<(), Box<Fault>>,
    ) -> Result<(), PositionError> {
        self.rules.hooks.reset_budget();
        catch_panic(|| work(self.rules, &mut self.state))??;
        if self.state.machine.is_waiting {
            return Ok(());
        }
        if let Some(agenda) = self.after_setup.take() {
            // The log of the game begins after this position, so the log contains neither the
            // answers nor the points of the setup.
            self.state.machine = EngineState { agenda, n_bytes: self.state.machine.n_bytes, ..EngineState::default() };
            self.state.awards = SharedList::default();
            self.state.notes.iter_mut().for_each(|(answer, _)| *answer = 0);
            (self.state.is_over, self.state.n_answers, self.state.n_rolls) = (false, 0, 0);
        }
        Ok(())
    }
}

/// Changes to the board.
impl PositionBuilder<'_> {
    /// Lays the start tile, which is in no deck, if the game has one.
    ///
    /// # Errors
    /// Returns an error if a tile lies on the spot already, or an edge does not match a neighbour.
    pub fn lay_start_tile(&mut self) -> Result<(), PlaceError> {
        match self.rules.catalogue().start {
            Some(start) => self.lay_without_deck(start.tile, Spot::new(0, 0), start.facing),
            None => Ok(()),
        }
    }

    /// Lays a tile and takes it out of its deck. The start tile on its own spot comes from no deck.
    /// Mods cannot forbid the placement.
    ///
    /// # Errors
    /// Returns an error if the edges of the tile do not fit or the spot is taken.
    pub fn lay_tile(&mut self, tile: TileIdx, spot: Spot, facing: Facing) -> Result<(), PlaceError> {
        self.lay_without_deck(tile, spot, facing)?;
        let catalogue = self.rules.catalogue();
        // An overlay variant is in no deck, but the tile below it is.
        let tile = catalogue.tile_set.base(tile);
        let is_start = spot == Spot::new(0, 0) && catalogue.start.is_some_and(|s| s.tile == tile);
        for (deck, declared) in self.state.decks.iter_mut().zip(&catalogue.decks) {
            if declared.holds == ItemType::Tiles && !is_start && deck.take(tile.0) {
                break;
            }
        }
        Ok(())
    }

    fn lay_without_deck(&mut self, tile: TileIdx, spot: Spot, facing: Facing) -> Result<(), PlaceError> {
        let tile_set = &self.rules.catalogue().tile_set;
        self.state.board.place(tile_set, spot, tile, facing, &mut Vec::new(), None).map(drop)
    }

    /// Links two zones anywhere on the board, which merges their features.
    ///
    /// # Errors
    /// Returns an error if `a` and `b` are not two different zones of one kind.
    pub fn link(&mut self, a: ZoneRef, b: ZoneRef) -> Result<(), EffectError> {
        self.state.link(&self.rules.ruleset, a, b)?;
        self.state.machine.queue.clear();
        self.state.touched.clear();
        Ok(())
    }

    /// Marks a complete feature as one that mods keep open, so that it is not scored yet.
    ///
    /// # Errors
    /// Returns an error if the feature is incomplete on the board, so that no mod needs to keep it
    /// open.
    pub fn keep_open(&mut self, feature: FeatureRef) -> Result<(), PositionError> {
        if !self.state.board.is_complete(&self.rules.catalogue().tile_set, feature) {
            return Err(PositionError::IsOpen);
        }
        self.state.kept_open.push(feature);
        Ok(())
    }

    /// Sets the amount of `pile` left in stock.
    pub fn set_pile_stock(&mut self, pile: PileIdx, n: u32) {
        self.state.pile_stock[pile.idx()] = n;
    }

    /// Takes a piece from the supply of `owner` (or a neutral piece if `owner` is `None`) and puts
    /// it on `place` and on the further zones `more`.
    ///
    /// # Errors
    /// Returns an error if no piece is left in supply.
    pub fn put_piece(
        &mut self,
        kind: PieceKindIdx,
        owner: Option<Seat>,
        place: Location,
        more: &[ZoneRef],
        is_pinned: bool,
    ) -> Result<PieceRef, EffectError> {
        let piece = self.state.put_piece(&self.rules.ruleset, kind, owner, place, more)?;
        self.state.machine.queue.clear();
        self.state.set_pinned(piece, is_pinned)?;
        Ok(piece)
    }
}

/// Changes to players, decks and the turn.
impl PositionBuilder<'_> {
    /// Sets the points of a player's score markers, in the order of the markers. If `points` has
    /// fewer items than the player has markers, the other markers keep their points.
    ///
    /// # Errors
    /// Returns an error if the absolute value of a number is larger than 2⁴⁰.
    pub fn set_points(&mut self, seat: Seat, points: &[i64]) -> Result<(), PositionError> {
        let n = self.state.markers_of(seat).len();
        if let Some(large) = points.iter().find(|points| points.unsigned_abs() > MAX_POINTS) {
            return Err(PositionError::TooManyPoints(*large));
        }
        self.state.markers[seat.idx() * n..(seat.idx() + 1) * n].iter_mut().zip(points).for_each(|(to, n)| *to = *n);
        Ok(())
    }

    /// Sets the number of pieces of `kind` in a player's supply. If `owner` is `None`, sets the
    /// number of neutral pieces in supply.
    pub fn set_supply(&mut self, owner: Option<Seat>, kind: PieceKindIdx, n: u16) {
        let at = self.state.supply_index(owner, kind);
        self.state.supply[at] = n;
    }

    /// Sets the number of tokens that a player holds. Takes the tokens from the stock. Returns the
    /// number that the player then holds, which is below `n` if the stock was too small. If `owner`
    /// is `None`, sets the number in the stock and returns `n`.
    pub fn set_tokens(&mut self, owner: Option<Seat>, token: TokenIdx, n: u32) -> u32 {
        let Some(seat) = owner else {
            let at = self.state.token_index(None, token);
            self.state.tokens[at] = n;
            return n;
        };
        self.state.take_tokens(&self.rules.ruleset, seat, token, u32::MAX);
        self.state.give_tokens(&self.rules.ruleset, seat, token, n)
    }

    /// Puts a group underneath a deck. `items` contains pairs of an item and its number of copies.
    /// The first group given for a deck replaces the whole deck, and keeps mods from arranging the
    /// deck.
    pub fn put_group(&mut self, deck: DeckIdx, items: &[(u16, u16)], seen_by: SeatSet) {
        if !self.decks_set.contains(&deck) {
            self.decks_set.push(deck);
            self.state.decks[deck.idx()].groups.clear();
            let arranges = |step: &EngineStep| matches!(step, EngineStep::Event { event: RuleEvent::ArrangeDeck(d), .. } if *d == deck);
            self.state.machine.agenda.retain(|step| !arranges(step));
        }
        let state = &mut self.state.decks[deck.idx()];
        let mut group = DeckState::make_group(items.iter().copied(), state.n_shuffles);
        group.seen_by = seen_by;
        for stack in &mut group.stacks {
            // The number of copies includes the copies that have left the deck, so that a seed
            // deals the remaining copies in the same order as in a whole game.
            let declared = self.rules.catalogue().decks[deck.idx()].items.iter().find(|(i, _)| *i == stack.item);
            stack.of = declared.map_or(stack.of, |(_, n)| stack.of.max(*n));
        }
        if !group.stacks.is_empty() {
            state.groups.push(group);
        }
    }

    /// Sets the player and the number of the turn that begins next. Turns are counted from 1.
    pub fn set_turn(&mut self, player: Seat, number: u32) {
        let number = number.saturating_sub(1);
        self.state.turn = Some(Turn { player, number, part_reasons: Vec::new(), waiting: Vec::new() });
        self.has_turn = true;
    }

    /// Lets mod `owner` migrate its stored data, which version `from` of this mod wrote. Does
    /// nothing if the mod has no function `migrate`.
    ///
    /// # Errors
    /// Returns an error if the function fails or returns no map.
    pub fn migrate(&mut self, owner: ModIdx, from: &str) -> Result<(), PositionError> {
        let catalogue = self.rules.catalogue();
        for handler in catalogue.handlers(Hook::Migrate).iter().filter(|handler| handler.owner == owner) {
            let Some(memory) = self.state.memory(owner, Scope::Game).cloned() else { continue };
            let args = [Value::Map(memory), Value::text(from)];
            let migrated = call_read_only(self.rules, &mut self.state, handler.function, &args, HookClass::Pure);
            match migrated? {
                Value::Map(memory) => self.state.set_memory(owner, Scope::Game, Some(memory)),
                other => {
                    let owner = catalogue.mods[owner.idx()].id.clone();
                    return Err(PositionError::MigrateReturned { owner, found: other.type_name() });
                }
            }
        }
        Ok(())
    }
}
