//! One game: bots answer until it is over.

use players::{Player, Rng, View};
use rules::{Dealer, Fault, Game, Seat, Status, Who, caught, seen_by};

/// A game with more answers than this is taken for one that never ends.
pub const MAX_ANSWERS: usize = 100_000;

/// What chance is answered from in game number `n` of a simulation with base seed `seed`: the `seed` of the game's record.
///
/// It has 48 bits, so that spreadsheets and JSON readers keep every digit.
pub(crate) fn seed_of_game(seed: u64, n: u64) -> u64 {
    Rng::derived(seed, n) >> 16
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
    /// What went wrong while players chose, without harm to the game: the first mod's `hint` that failed.
    pub failed_hint: Option<String>,
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

/// Who answers: a bot for each seat, and chance.
pub(crate) struct Bots {
    players: Vec<Box<dyn Player>>,
    dealer: Dealer,
    /// Answers given by players in this game.
    n_choices: u32,
    /// The first hint that failed in this game.
    failed_hint: Option<Box<Fault>>,
}

impl Bots {
    pub fn new(players: Vec<Box<dyn Player>>) -> Bots {
        Bots { players, dealer: Dealer::new(0), n_choices: 0, failed_hint: None }
    }

    fn begin(&mut self, seed: u64) {
        self.dealer = Dealer::new(seed);
        self.n_choices = 0;
        self.failed_hint = None;
        for (seat, player) in self.players.iter_mut().enumerate() {
            player.begin(Rng::of_seat(seed, seat));
        }
    }

    fn choose(&mut self, seat: Seat, view: &View<'_>) -> usize {
        self.n_choices += 1;
        let player = &mut self.players[seat.idx()];
        let chosen = player.choose(view);
        self.failed_hint = self.failed_hint.take().or_else(|| player.take_fault());
        chosen
    }
}

/// Plays `game`, which stands at its start, to the end.
pub(crate) fn play(game: &mut Game, bots: &mut Bots, number: u64, seed: u64) -> GameResult {
    bots.begin(seed);
    // A mistake of ours costs its game as one of a mod does, and not the simulation.
    let played = caught(|| finish(game, bots));
    let fault = played.unwrap_or_else(|panic| Err(format!("{panic}; please report it with the record"))).err();
    let state = game.state();
    GameResult {
        number,
        seed,
        scores: state.seats().map(|seat| state.score(seat)).collect(),
        n_turns: state.turn().map_or(0, |t| t.number),
        n_choices: bots.n_choices,
        n_answers: game.log().len() as u32,
        fault,
        failed_hint: bots.failed_hint.take().map(|fault| fault.to_string()),
        record: None,
    }
}

/// Lets bots and chance answer until the game is over.
///
/// # Errors
/// Where it does not come there: why not.
fn finish(game: &mut Game, bots: &mut Bots) -> Result<(), String> {
    loop {
        game.deal(&mut bots.dealer);
        let decision = match game.status() {
            Status::Decision(decision) => decision,
            Status::Fault(fault) => return Err(fault.to_string()),
            Status::Over => return Ok(()),
        };
        let Who::Player(seat) = decision.who else {
            return Err("chance was asked and had nothing to answer".to_owned());
        };
        let n_options = decision.n_options(game.state());
        if n_options == 0 {
            return Err(format!("{} was asked and nothing was offered", game.state().name(seat)));
        }
        if game.log().len() >= MAX_ANSWERS {
            return Err(format!("the game went on after {MAX_ANSWERS} answers"));
        }
        let state = &*seen_by(game.rules(), game.state(), seat.into());
        let n = bots.choose(seat, &View { rules: game.rules(), state, decision });
        game.answer_nth(n.min(n_options - 1));
    }
}
