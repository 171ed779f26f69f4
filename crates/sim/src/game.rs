//! One game: bots answer until it is over.

use players::{Chance, Player, View};
use rules::{Dealer, Game, Setup, Status, Who, saved_setup};

/// A game with more answers than this is taken for one that never ends.
pub const MAX_ANSWERS: usize = 100_000;

/// The seeds of one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seeds {
    /// What chance is answered from: the `seed` of the game's record.
    pub chance: u64,
}

impl Seeds {
    /// The seeds of game number `n` of a simulation with base seed `seed`.
    ///
    /// They have 48 bits, so that spreadsheets and JSON readers keep every digit.
    pub fn of_game(seed: u64, n: u64) -> Seeds {
        Seeds { chance: Chance::derived(seed, n) >> 16 }
    }

    /// What the player of seat number `seat` draws its own chance from.
    pub fn of_player(self, seat: usize) -> u64 {
        Chance::derived(self.chance, 1 + seat as u64)
    }
}

/// How a game went.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameResult {
    /// Its number, from 0.
    pub number: u64,
    /// What chance was answered from.
    pub seed: u64,
    /// The scores by seat.
    pub scores: Vec<i64>,
    /// Turns begun.
    pub n_turns: u32,
    /// Answers given by players.
    pub n_choices: u32,
    /// Answers given, those of chance included.
    pub n_answers: u32,
    /// Why it did not come to its end, if so.
    pub fault: Option<String>,
    /// Its record, where asked for or where it did not come to its end.
    pub record: Option<String>,
}

impl GameResult {
    /// The best score.
    pub fn best(&self) -> i64 {
        self.scores.iter().copied().max().unwrap_or(0)
    }

    /// The seats that share the win; nobody where the game did not come to its end.
    pub fn winners(&self) -> impl Iterator<Item = usize> + '_ {
        let best = self.best();
        let ended = self.fault.is_none();
        self.scores.iter().enumerate().filter(move |(_, s)| ended && **s == best).map(|(seat, _)| seat)
    }
}

/// Plays `game`, which stands at its start, to the end.
pub(crate) fn play(game: &mut Game, players: &mut [Box<dyn Player>], number: u64, seeds: Seeds) -> GameResult {
    let mut dealer = Dealer::new(seeds.chance);
    for (seat, player) in players.iter_mut().enumerate() {
        player.begin(seeds.of_player(seat));
    }
    let mut n_choices = 0;
    let fault = loop {
        game.deal(&mut dealer);
        let decision = match game.status() {
            Status::Decision(decision) => decision,
            Status::Fault(fault) => break Some(fault.to_string()),
            Status::Over => break None,
        };
        let Who::Player(seat) = decision.who else {
            break Some("chance was asked and had nothing to answer".to_owned());
        };
        let n_options = decision.n_options(game.state());
        if n_options == 0 {
            break Some(format!("{} was asked and nothing was offered", game.state().name(seat)));
        }
        if game.log().len() >= MAX_ANSWERS {
            break Some(format!("the game went on after {MAX_ANSWERS} answers"));
        }
        let n = players[seat.idx()].choose(&View { rules: game.rules(), state: game.state(), decision });
        game.answer_nth(n.min(n_options - 1));
        n_choices += 1;
    };
    let state = game.state();
    GameResult {
        number,
        seed: seeds.chance,
        scores: state.seats().map(|seat| state.score(seat)).collect(),
        n_turns: state.turn().map_or(0, |t| t.number),
        n_choices,
        n_answers: game.log().len() as u32,
        fault,
        record: None,
    }
}

/// The record of a game as it stands, with the versions of its mods.
pub fn record_text(game: &Game, setup: &Setup, seed: Option<u64>) -> String {
    let setup = Setup { seed, ..saved_setup(game.rules().catalogue(), setup) };
    let mut text = setup.header();
    for answer in game.log_texts() {
        text += &answer;
        text.push('\n');
    }
    text
}
