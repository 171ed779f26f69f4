//! One simulated game: bots answer its decisions until the game is over.

use platform::time::Instant;
use players::{AnswerHistory, Player, Restriction, Rng, View};
use rules::{Actor, Dealer, Fault, Game, Panic, Seat, Status, catch_panic, redacted_for};

use crate::detail::GameObserver;
use crate::plan::Plan;
use crate::result::GameResult;
use crate::tally::OptionUse;
use crate::thinking::ThinkingTime;

/// The maximum number of answers in a game. A longer game counts as endless, and ends with a fault.
pub const MAX_ANSWERS: usize = 100_000;

/// The players of a game: a bot for each seat, and chance.
pub(crate) struct GamePlayers {
    players: Vec<Box<dyn Player>>,
    /// The number of seats by which the players are shifted in this game.
    rotated_by: usize,
    dealer: Dealer,
    /// The number of answers by players in this game.
    n_choices: u32,
    /// The first fault of a mod that occurred while a bot was thinking in this game; `None` if
    /// there was none.
    bot_fault: Option<Box<Fault>>,
    /// The observer of the decisions; `None` if the plan does not collect details.
    pub watch: Option<GameObserver>,
    /// Selects the options whose uses are counted.
    watched: Restriction,
    /// The uses of these options so far, by player.
    pub option_uses: Vec<OptionUse>,
    /// The time of the choices so far, by player; empty if the times are not measured.
    pub thinking: Vec<ThinkingTime>,
}

impl GamePlayers {
    pub fn new(plan: &Plan) -> GamePlayers {
        let n_players = plan.players.len();
        GamePlayers {
            players: plan.players.iter().map(|p| p.make(0)).collect(),
            rotated_by: 0,
            dealer: Dealer::new(0),
            n_choices: 0,
            bot_fault: None,
            watch: plan.details.then(GameObserver::default),
            watched: plan.watched.clone(),
            option_uses: if plan.watched.is_empty() { Vec::new() } else { vec![OptionUse::default(); n_players] },
            thinking: ThinkingTime::of_plan(plan),
        }
    }

    fn begin(&mut self, seed: u64, rotated_by: usize) {
        self.dealer = Dealer::new(seed);
        self.rotated_by = rotated_by;
        self.n_choices = 0;
        self.bot_fault = None;
        if let Some(watch) = &mut self.watch {
            watch.begin();
        }
        for seat in 0..self.players.len() {
            let player = self.player_at(seat);
            self.players[player].reset(Rng::seat_seed(seed, seat));
        }
    }

    /// Returns the index of the player at `seat`.
    fn player_at(&self, seat: usize) -> usize {
        (seat + self.rotated_by) % self.players.len().max(1)
    }

    /// Returns the number of the option that the bot at `seat` chooses.
    ///
    /// # Errors
    /// Returns [`UnfinishedGame::Bot`] if the bot cannot choose.
    fn choose(&mut self, seat: Seat, n_options: usize, view: &View<'_>) -> Result<usize, UnfinishedGame> {
        self.n_choices += 1;
        if let Some(watch) = &mut self.watch {
            watch.record_decision(view, seat, n_options);
        }
        let at = self.player_at(seat.idx());
        let player = &mut self.players[at];
        let chosen = match self.thinking.get_mut(at) {
            Some(time) => {
                let began = Instant::now();
                let chosen = player.choose(view);
                time.add(began.elapsed());
                chosen
            }
            None => player.choose(view),
        };
        self.bot_fault = self.bot_fault.take().or_else(|| player.take_fault());
        let failure = player.take_failure();
        if let Some(uses) = self.option_uses.get_mut(at) {
            let (ruleset, state) = (&view.rules.ruleset, view.state);
            let allowed = self.watched.allowed(ruleset, state, view.decision, &view.decision.options(ruleset, state));
            if allowed.contains(&false) {
                let is_taken = allowed.get(chosen) == Some(&false);
                uses.merge(OptionUse { n_offered: 1, n_taken: u64::from(is_taken) });
            }
        }
        failure.map_or(Ok(chosen), |why| Err(UnfinishedGame::Bot(why)))
    }

    /// Passes the history of the game's answers to the bot at `seat`.
    fn notify(&mut self, seat: Seat, game: &Game) {
        let player = self.player_at(seat.idx());
        self.players[player].observe_history(&|| AnswerHistory::of(game, seat));
    }

    /// Notifies all players that the game is over.
    fn end(&mut self, game: &Game) {
        for seat in game.state().seats() {
            self.notify(seat, game);
            let player = self.player_at(seat.idx());
            self.players[player].notify_game_over(game.state());
        }
    }
}

/// The reason why a game cannot be finished.
#[derive(Debug, thiserror::Error)]
enum UnfinishedGame {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("{0}; report it with the record")]
    Panic(#[from] Panic),
    #[error("a decision of chance has no options")]
    ChanceWithoutOptions,
    /// The player with this name has no options.
    #[error("{0} must decide but has no options")]
    NoOptions(String),
    #[error("the game did not end within {MAX_ANSWERS} decisions")]
    TooLong,
    /// A bot cannot choose, for the reason that it gives.
    #[error("{0}")]
    Bot(String),
}

/// Plays `game` from its start to its end, and returns the result.
pub(crate) fn play(game: &mut Game, bots: &mut GamePlayers, number: u64, seed: u64, rotated_by: usize) -> GameResult {
    bots.begin(seed, rotated_by);
    // A panic of the engine or a fault of a mod ends only this game, not the simulation.
    let played = catch_panic(|| finish(game, bots));
    let fault = played.unwrap_or_else(|panic| Err(panic.into())).err();
    let state = game.state();
    let mut result = GameResult {
        number,
        seed,
        rotated_by: rotated_by as u8,
        scores: state.seats().map(|seat| state.score(seat)).collect(),
        named_winners: state.named_winners().map(|named| named.seats().map(Seat::idx).collect()),
        n_turns: state.turn().map_or(0, |t| t.number),
        n_choices: bots.n_choices,
        n_answers: game.log().len() as u32,
        detail: None,
        fault: fault.map(|fault| fault.to_string()),
        bot_fault: bots.bot_fault.take().map(|fault| fault.to_string()),
        record: None,
    };
    if let Some(watch) = &bots.watch {
        let winners: Vec<usize> = result.winners().collect();
        result.detail = Some(watch.detail(game, &winners));
    }
    result
}

/// Plays until the game is over: bots answer for players, and the dealer answers for chance.
///
/// # Errors
/// Returns the reason if the game cannot be finished.
fn finish(game: &mut Game, bots: &mut GamePlayers) -> Result<(), UnfinishedGame> {
    loop {
        game.deal(&mut bots.dealer);
        let decision = match game.status() {
            Status::Decision(decision) => decision,
            Status::Fault(fault) => return Err(fault.clone().into()),
            Status::Over => {
                bots.end(game);
                return Ok(());
            }
        };
        let Actor::Player(seat) = decision.who else {
            return Err(UnfinishedGame::ChanceWithoutOptions);
        };
        let n_options = decision.n_options(game.state());
        if n_options == 0 {
            return Err(UnfinishedGame::NoOptions(game.state().name(seat).to_owned()));
        }
        if game.log().len() >= MAX_ANSWERS {
            return Err(UnfinishedGame::TooLong);
        }
        let state = &*redacted_for(game.rules(), game.state(), seat.into());
        bots.notify(seat, game);
        let n = bots.choose(seat, n_options, &View { rules: game.rules(), state, decision })?;
        game.answer_nth(n.min(n_options - 1));
    }
}
