//! Who plays, by which settings, and the state before the first answer.

use std::sync::Arc;

use board::{Board, Spot};

use crate::agenda::opening;
use crate::catalogue::Catalogue;
use crate::decks::DeckState;
use crate::keywords::record_verbs;
use crate::rules::Rules;
use crate::state::{Machine, Position, State};
use crate::value::{MAX_SEATS, Seat};

/// Names that players have when nobody gives others; also the names of their colours.
pub const COLOURS: [&str; MAX_SEATS] = ["red", "blue", "green", "yellow", "black", "pink", "orange", "white"];

/// The first line of every record, and what it says before the log.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// The mods asked for, with the version and hash they had, where said.
    pub mods: Vec<ModUse>,
    /// The players' names in the order of play.
    pub players: Vec<String>,
    /// Who begins; the first player where nothing is said.
    pub begins: Option<String>,
    /// Settings that differ from their default: `<mod>.<name>` and the value.
    pub settings: Vec<(String, String)>,
    /// The position it starts from: `given` lines without that word. Nothing is the start of the game.
    pub position: Vec<String>,
    /// What chance is answered from once the log ends.
    pub seed: Option<u64>,
    /// Who is played by a bot: the player and the bot.
    pub bots: Vec<(String, String)>,
    /// Colours of players that differ from their names: the player and `#rrggbb` or a name.
    pub colours: Vec<(String, String)>,
}

/// A mod that a record was played with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModUse {
    /// Its id.
    pub id: String,
    /// Its version then.
    pub version: Option<String>,
    /// The hash of its files then, sixteen hexadecimal digits.
    pub hash: Option<String>,
}

/// What keeps a player from being called `name`, if anything.
fn check_name(name: &str) -> Result<(), String> {
    if matches!(name, "chance" | "neutral" | "nobody" | "stock") || record_verbs().any(|verb| verb == name) {
        return Err(format!("a player cannot be called {name}; records use this word"));
    }
    if name.is_empty() || name.contains(|c: char| c.is_whitespace() || matches!(c, '#' | ',')) {
        return Err(format!("`{name}` cannot be a name: names are single words, without # and commas"));
    }
    Ok(())
}

impl Setup {
    /// A game of `n_players` with the names of colours and the given mods.
    pub fn of(mods: &[&str], n_players: usize) -> Setup {
        Setup {
            mods: mods.iter().map(|id| ModUse { id: (*id).to_owned(), ..ModUse::default() }).collect(),
            players: COLOURS[..n_players.min(MAX_SEATS)].iter().map(|c| (*c).to_owned()).collect(),
            ..Setup::default()
        }
    }

    /// What is wrong with the players, if anything.
    pub fn check_players(&self, catalogue: &Catalogue) -> Result<(), String> {
        let (least, most) = catalogue.n_players;
        let n = self.players.len();
        if n == 0 || n > MAX_SEATS {
            return Err(format!("{n} players, 1 to {MAX_SEATS} can play"));
        }
        if n < least as usize || n > most as usize {
            return Err(format!("{n} players, this game is for {least} to {most}"));
        }
        for (i, name) in self.players.iter().enumerate() {
            if self.players[..i].contains(name) {
                return Err(format!("two players are called {name}"));
            }
            check_name(name)?;
        }
        for (word, list) in [("bot", &self.bots), ("colour", &self.colours)] {
            if let Some((name, _)) = list.iter().find(|(name, _)| !self.players.contains(name)) {
                return Err(format!("`{word} {name}`: there is no player {name}"));
            }
        }
        match &self.begins {
            Some(begins) if !self.players.contains(begins) => Err(format!("{begins} begins, but does not play")),
            _ => Ok(()),
        }
    }

    /// Who begins.
    pub fn first(&self) -> Seat {
        let begins = self.begins.as_ref().and_then(|b| self.players.iter().position(|p| p == b));
        Seat(begins.unwrap_or(0) as u8)
    }
}

impl State {
    /// The state before anything happens: the start tile lies (unless told otherwise), everybody has their pieces.
    pub(crate) fn new(rules: &Rules, setup: &Setup, with_start_tile: bool) -> State {
        let catalogue = rules.catalogue();
        let n = setup.players.len();
        let position = Position {
            board: Board::new(&catalogue.tile_set, 80),
            n_seats: n as u8,
            names: Arc::from(setup.players.clone()),
            first: setup.first(),
            ..Position::default()
        };
        let mut state = State { position, machine: Machine::default() };
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
            let group = DeckState::group(deck.items.iter().copied(), 0);
            let groups = if group.stacks.is_empty() { Vec::new() } else { vec![group] };
            state.decks.push(DeckState { groups, n_shuffles: 0 });
        }
        if let Some(start) = catalogue.start.filter(|_| with_start_tile) {
            let mut touched = Vec::new();
            let laid =
                state.board.place(&catalogue.tile_set, Spot::new(0, 0), start.tile, start.facing, &mut touched, None);
            debug_assert!(laid.is_ok(), "an empty board takes any tile");
        }
        state.machine.agenda = opening(rules);
        state
    }
}
