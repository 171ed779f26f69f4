//! A session: a game in progress, with operations that give answers, go to other positions, change
//! mods and save.
//!
//! The file is long because every operation must keep the timeline, the branches, the record and
//! the view consistent.

use std::ops::Deref;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use diagnostic::never;
use loader::{Library, Loaded, Problems};
use platform::fs;
use players::{AnswerHistory, BotInfo, Player, Rng, View, player_named};
use record::{GivenErrors, Record};
use rules::{
    Actor, Answer, Dealer, Game, NotOffered, Seal, Seat, SeatSet, Setup, State, Status, option_with_text, redacted_for,
};

use crate::available_mods::{ModOnDisk, mods_on_disk};
use crate::changes::RuleChanges;
use crate::excursion::{Excursion, ExcursionError};
use crate::reasoning::BotReasoning;
use crate::record_file::{RecordFile, SaveError};
use crate::reload::{DivergedGame, ReloadOutcome, ReplayOutcome, RulesChoice, replay_under};
use crate::revision::Revision;
use crate::seen::{AwaitedActor, SeenGame};
use crate::snapshot::{Divergence, RunTimeProblem, SaveLocation, Snapshot};
use crate::step::Step;
use crate::stop_flag::{StopFlag, stoppable};
use crate::timeline::{AnswerEffect, Timeline};

/// A reason why a draw cannot be replaced.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DrawError {
    /// The turn has no draw up to the current position.
    #[error("{0} cannot be drawn in this turn")]
    NoDraw(String),
    /// The draws of the turn do not offer this tile or card.
    #[error(transparent)]
    NotOffered(#[from] NotOffered),
}

/// A game in progress, with its rules. A session stays on one thread.
///
/// A session has one timeline of answers, and the current position may be anywhere on it. A player
/// may answer at a position before the end. If this answer differs from the next answer of the
/// timeline, it replaces all later answers. If the replaced answers belong to more than one turn,
/// the old timeline becomes a branch.
///
/// The visible state is a [`Snapshot`], which any thread may read.
pub struct Session {
    /// The visible state, always up to date.
    seen: Snapshot,
    /// The full state, from which [`Session::change`] makes `seen`.
    contents: SessionContents,
    dealer: Dealer,
    stop: StopFlag,
    hurry: StopFlag,
    interrupted: Rc<dyn Fn() -> bool>,
    saved_at: Option<Revision>,
    is_held: bool,
    /// The reason why a bot could not answer, until [`Session::take_bot_failure`] returns it.
    bot_failure: Option<String>,
}

/// The full state of a session, including everything that is hidden from the viewers.
struct SessionContents {
    library: Library,
    loaded: Arc<Loaded>,
    /// The revision at which the session last read mods; `None` if it has read mods since the last
    /// snapshot.
    loaded_at: Option<Revision>,
    problems: Arc<Problems>,
    timeline: Timeline,
    diverged: Option<DivergedGame>,
    /// The effect of the last change of rules, until the user accepts or reverts the change;
    /// otherwise `None`.
    changes: Option<Arc<RuleChanges>>,
    /// The mods before the last change of rules, and the game under these mods; `None` after the
    /// user has accepted or reverted the change.
    before: Option<(Arc<Loaded>, Game)>,
    bots: Vec<Option<Box<dyn Player>>>,
    /// The bots that are separate programs and that the user allows.
    programs: Vec<BotInfo>,
    /// The bots' reasoning, in the order of the timeline.
    reasoning: Arc<Vec<Arc<BotReasoning>>>,
    /// The only viewer: the player to whom the table was handed over. `None` if all human players
    /// are viewers.
    only_viewer: Option<Seat>,
    /// The seats of guests at other computers. Guests are not viewers of this session.
    guests: SeatSet,
    record: Option<RecordFile>,
    save_error: Option<SaveError>,
    /// The mods on disk; `None` until a caller first requests the list. After that, each reload
    /// reads the list again.
    mods_on_disk: Option<Arc<Vec<ModOnDisk>>>,
}

impl SessionContents {
    /// Returns whether the timeline reaches the end of the game. If it does, every player may see
    /// all positions of the timeline.
    fn has_ended(&self) -> bool {
        self.timeline.steps().last().is_some_and(|step| step.ends)
    }

    /// Returns the viewers at this table: all human players except guests, or the player to whom
    /// the table was handed over. If guests play all human seats, returns all seats, so that the
    /// table shows nothing hidden.
    fn viewers(&self) -> SeatSet {
        let seats = self.timeline.game().state().seats().zip(&self.bots);
        let persons = || {
            let is_here = |(seat, bot): &(Seat, &Option<_>)| bot.is_none() && !self.guests.contains(*seat);
            let here: SeatSet = seats.filter(is_here).map(|(seat, _)| seat).collect();
            if self.guests == SeatSet::NONE { here } else { viewers_of(here) }
        };
        self.only_viewer.filter(|seat| !self.guests.contains(*seat)).map_or_else(persons, SeatSet::from)
    }

    /// Returns the game as `viewers` see it. If the timeline reaches the end of the game, nothing
    /// is hidden.
    fn game_for_viewers(&self, revision: Revision, viewers: SeatSet) -> SeenGame {
        let viewers = if self.has_ended() { SeatSet::NONE } else { viewers };
        let at = self.timeline.position_index();
        self.position_for_viewers(revision, viewers, self.timeline.game(), self.timeline.steps(), at)
    }

    /// Returns `game` as `viewers` see it, after the first `at` answers of `line`.
    fn position_for_viewers(
        &self,
        revision: Revision,
        viewers: SeatSet,
        game: &Game,
        line: &[Arc<Step>],
        at: usize,
    ) -> SeenGame {
        SeenGame {
            revision,
            ruleset: game.rules().ruleset.clone(),
            state: redacted_for(game.rules(), game.state(), viewers).into_owned(),
            viewers,
            fault: game.fault().cloned().map(Box::new),
            setup: self.timeline.game().setup().clone(),
            at,
            line: line.iter().map(|step| step.redacted_for(viewers)).collect(),
            line_name: self.timeline.current_branch_name().to_owned(),
            bots: self.bots.iter().map(Option::is_some).collect(),
        }
    }

    fn snapshot(&mut self, revision: Revision) -> Snapshot {
        let seen = self.game_for_viewers(revision, self.viewers());
        Snapshot {
            only_viewer: self.only_viewer,
            guests: self.guests,
            whole_line: self.timeline.steps().to_vec(),
            branches: self.timeline.branches().iter().map(|branch| branch.redacted_for(seen.viewers)).collect(),
            reasoning: self.reasoning.clone(),
            library: self.library.clone(),
            loaded: self.loaded.clone(),
            loaded_at: *self.loaded_at.get_or_insert(revision),
            problems: self.problems.clone(),
            mods_on_disk: self.mods_on_disk.clone(),
            misfit: self.diverged.as_ref().map(|d| Divergence {
                turn: d.turn,
                reason: d.reason.clone(),
                problem: d.game.fault().map(|fault| RunTimeProblem::new(fault, d.loaded.sources())),
            }),
            changes: self.changes.clone(),
            kept_in: self.record.as_ref().map(|record| SaveLocation {
                path: record.path().to_owned(),
                set_aside: record.backup_path().map(ToOwned::to_owned),
            }),
            save_error: self.save_error.clone(),
            seen,
        }
    }

    fn set_loaded(&mut self, loaded: Arc<Loaded>) {
        (self.loaded, self.loaded_at) = (loaded, None);
    }

    /// Reads the list of mods on disk again, if a caller has requested the list before.
    fn reread_mods_on_disk(&mut self) {
        if let Some(mods) = &mut self.mods_on_disk {
            *mods = Arc::new(mods_on_disk(&self.library));
        }
    }
}

impl Deref for Session {
    type Target = Snapshot;

    fn deref(&self) -> &Snapshot {
        &self.seen
    }
}

impl Session {
    /// Makes a session for `game`, which uses the rules of `loaded`.
    pub fn new(library: Library, loaded: Arc<Loaded>, game: Game) -> Session {
        let mut contents = SessionContents {
            library,
            loaded,
            loaded_at: None,
            problems: Arc::default(),
            bots: bots_of(game.setup(), &[]),
            programs: Vec::new(),
            reasoning: Arc::default(),
            only_viewer: None,
            guests: SeatSet::NONE,
            diverged: None,
            changes: None,
            before: None,
            record: None,
            save_error: None,
            mods_on_disk: None,
            timeline: Timeline::new(game),
        };
        let dealer = Dealer::new(contents.timeline.game().setup().seed.unwrap_or(0));
        let seen = contents.snapshot(Revision::of_new_session());
        Session {
            seen,
            contents,
            dealer,
            stop: StopFlag::default(),
            hurry: StopFlag::default(),
            interrupted: Rc::new(|| false),
            saved_at: None,
            is_held: false,
            bot_failure: None,
        }
    }

    /// Changes the full state, makes the visible state from it, and advances the revision. Every
    /// change of the visible state uses this function.
    fn change<T>(&mut self, change: impl FnOnce(&mut SessionContents) -> T) -> T {
        let done = change(&mut self.contents);
        let mut revision = self.seen.revision;
        revision.advance();
        self.seen = self.contents.snapshot(revision);
        done
    }

    /// Changes the timeline or the current position, and ends a hand-over of the table to one
    /// player.
    fn change_position<T>(&mut self, change: impl FnOnce(&mut SessionContents) -> T) -> T {
        self.change(|contents| {
            contents.only_viewer = None;
            change(contents)
        })
    }

    /// Hands the table over to a player, who is then the only viewer. If `seat` is `None`, all
    /// human players become viewers again.
    ///
    /// The hand-over ends before the next decision, unless that decision is secret and the player
    /// may see it.
    pub fn hand_over(&mut self, seat: Option<Seat>) {
        self.change(|contents| contents.only_viewer = seat);
    }

    /// Sets the seats of guests at other computers. Things that only guests may see are hidden from
    /// the viewers of this session.
    pub fn set_guests(&mut self, guests: SeatSet) {
        if self.contents.guests != guests {
            self.change(|contents| contents.guests = guests);
        }
    }

    /// Returns the visible state.
    pub fn snapshot(&self) -> Snapshot {
        self.seen.clone()
    }

    /// Returns the game at the current position, with its rules.
    pub fn game(&self) -> &Game {
        self.contents.timeline.game()
    }

    /// Returns the stable text of answer number `n` of the timeline, counted from 0, even if the
    /// answer is hidden from the viewers. `None` if the timeline has no such answer.
    pub fn answer_text_at(&self, n: usize) -> Option<&str> {
        Some(self.whole_line.get(n)?.text.as_str())
    }

    /// Returns the game for a client that plays `seats`. Omits everything that is hidden from any
    /// of these seats. A spectator plays no seats, and sees only what all players see.
    pub fn game_for_client(&self, seats: SeatSet) -> SeenGame {
        self.contents.game_for_viewers(self.revision(), viewers_of(seats)).for_client()
    }

    /// Returns another position for a client that plays `seats`, without changing the game: the
    /// position after the first `n` answers, and then after the answers with the texts `tried`. The
    /// client answers for all players there. Chance draws at random, unless the next of `tried` is
    /// a draw; these draws do not depend on the seed of the game. Omits the same information as
    /// [`game_for_client`](Session::game_for_client).
    ///
    /// # Errors
    /// Returns an error if the game has no `n` answers before the current position, or if one of
    /// `tried` is not offered or belongs to a question that is hidden from the client.
    pub fn excursion_for_client(&self, seats: SeatSet, n: usize, tried: &[String]) -> Result<SeenGame, ExcursionError> {
        let viewers = if self.contents.has_ended() { SeatSet::NONE } else { viewers_of(seats) };
        let line = self.whole_line.get(..n).filter(|_| n <= self.position_index()).ok_or(ExcursionError::NoPosition)?;
        let hooks = &self.game().rules().hooks;
        let printed = hooks.take_lines();
        let mut excursion = Excursion::new(self.game(), line, viewers, &self.hurry);
        let has_tried = excursion.try_answers(tried);
        // The lines that scripts print in an excursion are not lines of the game.
        drop(hooks.take_lines());
        printed.iter().for_each(|line| hooks.print(line));
        has_tried?;
        let Excursion { game, line, .. } = excursion;
        let seen = self.contents.position_for_viewers(self.revision(), viewers, &game, &line, line.len());
        Ok(SeenGame { bots: vec![false; seen.bots.len()], ..seen.for_client() })
    }

    pub(crate) fn stop_flag(&self) -> &StopFlag {
        &self.stop
    }

    pub(crate) fn hurry_flag(&self) -> &StopFlag {
        &self.hurry
    }

    /// Returns whether the game at the current position meets all of `expectations`. These are
    /// lines of a record that begin with `expect`. Returns false if the lines are not valid.
    pub fn meets(&self, expectations: &str) -> bool {
        let game = self.game();
        let (record, problems) = Record::parse(&(record::record_text(game) + expectations));
        let run = record::replay(game.rules().clone(), &record, |_| {});
        problems.is_empty() && run.is_ok_and(|run| run.failures.is_empty())
    }

    /// Returns a copy of the game at the current position, as the viewers know it. The caller can
    /// try answers and call functions of mods in the copy. If the `hurry` flag is set (see
    /// [`set_stop`](Session::set_stop)), all calls of mods in the copy fail, and its results are
    /// meaningless.
    pub fn game_to_try(&self) -> Game {
        self.game_with(self.seen.state.clone())
    }

    /// Returns a copy of the game like [`game_to_try`](Session::game_to_try), as a client that
    /// plays `seats` knows it; see [`game_for_client`](Session::game_for_client).
    pub fn game_to_try_by(&self, seats: SeatSet) -> Game {
        self.game_with(self.contents.game_for_viewers(self.revision(), viewers_of(seats)).state)
    }

    fn game_with(&self, state: State) -> Game {
        Game::from_position(stoppable(self.game().rules(), &self.hurry), Setup::default(), Arc::new(state))
    }

    /// Sets the stop flags. `stop` ends long operations: replaying under other mods, dealing, and
    /// thinking bots. `hurry` ends calls on copies of the game, as in
    /// [`game_to_try`](Session::game_to_try) and [`describe_effect`](Session::describe_effect).
    pub fn set_stop(&mut self, stop: StopFlag, hurry: StopFlag) {
        (self.stop, self.hurry) = (stop, hurry);
    }

    /// Makes a thinking bot stop without an answer as soon as `interrupted` returns true, for
    /// example because another request is waiting.
    pub fn set_interrupt(&mut self, interrupted: Rc<dyn Fn() -> bool>) {
        self.interrupted = interrupted;
    }

    /// Replaces the library. The mods in play do not change before the next reload.
    pub fn set_library(&mut self, library: Library) {
        self.change(|contents| {
            contents.library = library;
            contents.reread_mods_on_disk();
        });
    }

    /// Reads the list of mods on disk. After this call, each reload reads the list again.
    pub fn read_mods_on_disk(&mut self) {
        if self.contents.mods_on_disk.is_none() {
            self.change(|contents| contents.mods_on_disk = Some(Arc::new(mods_on_disk(&contents.library))));
        }
    }

    /// Restores branches. Each item of `lines` contains all answers of one branch.
    pub(crate) fn restore_branches(&mut self, lines: &[Vec<String>]) {
        self.change(|contents| contents.timeline.restore_branches(lines));
    }

    /// Sets the problems of the mods on disk. They are valid until the session reads the mods
    /// again.
    pub fn set_problems(&mut self, problems: Problems) {
        self.change(|contents| contents.problems = Arc::new(problems));
    }

    /// Removes and returns the lines that functions of mods printed since the last call.
    pub fn take_printed_lines(&self) -> Vec<String> {
        self.game().rules().hooks.take_lines()
    }
}

/// Answers of players, bots and chance.
impl Session {
    /// Gives an answer offered at the current position. Returns true if the old timeline became a
    /// branch.
    ///
    /// # Errors
    /// Returns an error if the answer is not offered; then nothing changes.
    pub fn answer(&mut self, answer: Answer) -> Result<bool, NotOffered> {
        let given = self.change(|contents| {
            let given = contents.timeline.answer(answer);
            let decision = contents.timeline.game().state().decision();
            let asked = decision.map(|decision| decision.seen_by).filter(|seen_by| *seen_by != SeatSet::ALL);
            contents.only_viewer = contents.only_viewer.filter(|seat| asked.is_some_and(|asked| asked.contains(*seat)));
            given
        });
        match given? {
            AnswerEffect::AlongTheLine => Ok(false),
            AnswerEffect::AtTheEnd { branched } => Ok(branched),
        }
    }

    /// Gives the answer with this text; see [`answer`](Session::answer).
    ///
    /// # Errors
    /// Returns an error if no answer with this text is offered; then nothing changes.
    pub fn answer_text(&mut self, text: &str) -> Result<bool, NotOffered> {
        let game = self.game();
        match option_with_text(&game.rules().ruleset, game.state(), text) {
            Some(answer) => self.answer(answer),
            None => Err(game.not_offered(text)),
        }
    }

    /// Replaces a draw of the current turn with a draw of the tile or card `name`. Chooses the last
    /// draw before the current position that can draw `name`, and undoes later answers.
    ///
    /// # Errors
    /// Returns an error if `name` cannot be drawn in this turn; then the position does not change.
    /// If the turn has a draw, the error lists the possible draws.
    pub fn replace_draw(&mut self, name: &str) -> Result<(), DrawError> {
        let (at, turn, text) = (self.position_index(), self.turn(), format!("draw {name}"));
        let of_turn =
            |n: &usize| self.steps().get(*n).is_none_or(|step| step.turn == turn || step.who == Actor::Chance);
        let moments: Vec<usize> = (0..=at).rev().take_while(of_turn).collect();
        let mut refused = DrawError::NoDraw(name.to_owned());
        for n in moments {
            self.go_to(n);
            if self.awaited_actor() == AwaitedActor::Chance {
                match self.answer_text(&text) {
                    Ok(_) => return Ok(()),
                    Err(error) => refused = error.into(),
                }
            }
        }
        self.go_to(at);
        Err(refused)
    }

    /// Gives the next answer if chance or a bot is to move. Returns whether it gave an answer. Does
    /// nothing if the record has reached its maximum length, because the record cannot store more
    /// answers.
    pub fn advance(&mut self) -> bool {
        if matches!(self.save_error(), Some(SaveError::TooLong(_))) {
            return false;
        }
        let game = self.contents.timeline.game();
        let (answer, reasoning) = match self.awaited_actor() {
            AwaitedActor::Chance => (self.dealer.answer(&game.rules().ruleset, game.state()), None),
            AwaitedActor::Bot(seat) => self.bot_answer(seat).unzip(),
            _ => (None, None),
        };
        let step = self.position_index();
        let has_answered = answer.is_some_and(|answer| self.answer(answer).is_ok());
        if let Some(reasoning) = reasoning.flatten().filter(|_| has_answered) {
            self.store_reasoning(BotReasoning { step, ..reasoning });
        }
        has_answered
    }

    /// Stores a bot's reasoning behind an answer. Deletes the reasoning behind later answers.
    fn store_reasoning(&mut self, reasoning: BotReasoning) {
        self.change(|contents| {
            let all = Arc::make_mut(&mut contents.reasoning);
            all.retain(|it| it.step < reasoning.step);
            all.push(Arc::new(reasoning));
        });
    }

    /// Gives the answer, and stores the reasoning, that the bot to move has found on another
    /// thread.
    ///
    /// # Errors
    /// Returns an error if the answer is not offered.
    pub fn answer_for_bot(&mut self, answer: &str, reasoning: Option<BotReasoning>) -> Result<(), NotOffered> {
        let step = self.position_index();
        self.answer_text(answer)?;
        if let Some(reasoning) = reasoning {
            self.store_reasoning(BotReasoning { step, ..reasoning });
        }
        Ok(())
    }

    /// Returns the answer of the bot at a seat, with its reasoning; `None` if the bot was stopped,
    /// fails, or is not to move. If the bot fails, stores the reason, and gives the seat to a
    /// person.
    fn bot_answer(&mut self, seat: Seat) -> Option<(Answer, Option<BotReasoning>)> {
        let SessionContents { bots, timeline, .. } = &mut self.contents;
        let (game, step) = (timeline.game(), timeline.position_index());
        let Status::Decision(decision) = game.status() else { return None };
        let bot = bots.get_mut(seat.idx())?.as_mut()?;
        // The bot's random numbers depend only on the seed and the number of answers. So the bot
        // gives the same answer in the window, in a worker and in a reopened game.
        let seed = game.setup().seed.unwrap_or_default();
        bot.reset(Rng::derived_seed(Rng::seat_seed(seed, seat.idx()), step as u64));
        // A bot tries its answers on copies of the game. The stop flag must also end these calls.
        let rules = stoppable(game.rules(), &self.stop);
        let (stop, interrupted) = (self.stop.clone(), self.interrupted.clone());
        let stops = Rc::new(move || stop.is_requested() || interrupted());
        bot.set_stop(stops.clone());
        bot.observe_history(&|| AnswerHistory::of(game, seat));
        let state = game.state();
        let view = View { rules: &rules, state: &redacted_for(&rules, state, seat.into()), decision };
        let n = bot.choose(&view).min(decision.n_options(state).saturating_sub(1));
        let fault = bot.take_fault();
        // A stopped bot has no answer, and its `fault` only reports the stop.
        if stops() {
            return None;
        }
        if let Some(failure) = bot.take_failure() {
            self.bot_failure = Some(failure);
            self.set_bot(seat, None);
            return None;
        }
        if let Some(fault) = fault {
            game.rules().hooks.print(&fault.to_string());
        }
        let ruleset = &game.rules().ruleset;
        let reasoning = || BotReasoning::of(bot.move_statistics(), ruleset, state, decision);
        decision.nth(ruleset, state, n).map(|chosen| (chosen, reasoning()))
    }

    /// Stops dealing chance automatically, so that a puzzle does not reveal the next draw.
    pub fn pause_chance(&mut self) {
        self.is_held = true;
    }

    /// Answers for chance up to the next decision of a player. Does nothing after
    /// [`pause_chance`](Session::pause_chance).
    pub fn deal(&mut self) {
        while !self.is_held
            && self.awaited_actor() == AwaitedActor::Chance
            && !self.stop.is_requested()
            && self.advance()
        {}
    }

    /// Sets the separate programs that the user allows as bots. If a seat names any other program,
    /// a person plays the seat.
    pub fn set_allowed_programs(&mut self, programs: Vec<BotInfo>) {
        self.change(|contents| {
            contents.programs = programs;
            contents.bots = bots_of(contents.timeline.game().setup(), &contents.programs);
        });
    }

    /// Removes and returns the reason why a bot could not answer, if any. A person now plays the
    /// seat of this bot.
    pub fn take_bot_failure(&mut self) -> Option<String> {
        self.bot_failure.take()
    }

    /// Sets the seals of answers.
    pub(crate) fn change_seals(&mut self, seals: Vec<Seal>) {
        self.change(|contents| contents.timeline.change_seals(seals));
    }

    /// Lets the bot named `bot` play a seat. If `bot` is `None`, a person plays the seat.
    pub fn set_bot(&mut self, seat: Seat, bot: Option<&str>) {
        let mut setup = self.setup().clone();
        let Some(player) = setup.players.get(seat.idx()).cloned() else { return never!("this game has no {seat:?}") };
        setup.bots.retain(|(name, _)| *name != player);
        setup.bots.extend(bot.map(|bot| (player, bot.to_owned())));
        self.change(|contents| {
            contents.bots = bots_of(&setup, &contents.programs);
            contents.timeline.change_bots(setup.bots);
        });
    }
}

/// Returns the seats from which information must not be hidden so that a client that plays `seats`
/// may see it. For a spectator, who plays no seats, returns all seats.
fn viewers_of(seats: SeatSet) -> SeatSet {
    if seats == SeatSet::NONE { SeatSet::ALL } else { seats }
}

/// Makes the bots of a setup, by seat; `None` for a person.
fn bots_of(setup: &Setup, programs: &[BotInfo]) -> Vec<Option<Box<dyn Player>>> {
    let seed = setup.seed.unwrap_or(0);
    let bot = |(i, name): (usize, &String)| {
        let (_, bot) = setup.bots.iter().find(|(player, _)| player == name)?;
        let program = || programs.iter().find(|program| program.name == *bot).cloned();
        player_named(bot).or_else(program).map(|info| info.make(Rng::seat_seed(seed, i)))
    };
    setup.players.iter().enumerate().map(bot).collect()
}

/// Moves between the positions and branches of the game.
impl Session {
    /// Goes to the position after `n` answers.
    pub fn go_to(&mut self, n: usize) {
        self.change_position(|contents| contents.timeline.go_to(n));
    }

    /// Goes back by one answer. At the end of the timeline, also deletes this answer, without
    /// making a branch. Use this function to take back a tile whose placement the player has not
    /// confirmed.
    pub fn undo_unconfirmed(&mut self) {
        let (n, is_live) = (self.position_index().saturating_sub(1), self.is_live());
        self.change_position(|SessionContents { timeline, .. }| {
            timeline.go_to(n);
            if is_live {
                timeline.delete_later_answers();
            }
        });
    }

    /// Deletes the answers after the current position.
    pub fn delete_later_answers(&mut self) {
        if !self.is_live() {
            self.change(|contents| contents.timeline.delete_later_answers());
        }
    }

    /// Goes to the end of the branch at index `branch` of [`Snapshot::branches`]. The current
    /// timeline becomes a branch.
    ///
    /// # Errors
    /// Returns an error if the branch no longer fits the rules; then nothing changes.
    pub fn switch_to(&mut self, branch: usize) -> Result<(), NotOffered> {
        self.change_position(|contents| contents.timeline.switch_to(branch))
    }
}

/// Changes of mods.
impl Session {
    /// Reads the mods again, and replays the game under the new mods.
    pub fn reload_mods(&mut self) -> ReloadOutcome {
        let chosen = RulesChoice::from_setup(self.setup());
        self.change_rules(&chosen)
    }

    /// Returns true if none of `files` has changed since the session last read the mods, so that a
    /// reload would find nothing new.
    pub fn is_up_to_date(&self, files: &[PathBuf]) -> bool {
        let sources = self.problems().sources();
        files.iter().all(|file| match sources.iter().find(|source| source.path == *file) {
            Some(source) => fs::read_to_string(file).is_ok_and(|text| *text == *source.text),
            // A missing file is unchanged if it is not a source of the mods, such as a temporary
            // file of an editor.
            None => !fs::exists(file) && !sources.iter().any(|source| source.path.starts_with(file)),
        })
    }

    /// Reads the mods of `chosen`, and replays the game under these mods with the settings of
    /// `chosen`.
    pub fn change_rules(&mut self, chosen: &RulesChoice) -> ReloadOutcome {
        let (at, is_live, old_len) = (self.position_index(), self.is_live(), self.steps().len());
        let stop = self.stop.clone();
        self.change_position(|contents| {
            let (loaded, problems) = contents.library.load(&chosen.mods);
            (contents.problems, contents.loaded_at) = (Arc::new(problems.clone()), None);
            contents.reread_mods_on_disk();
            let Some(loaded) = loaded.map(Arc::new) else { return ReloadOutcome::Failed(problems) };
            let hashes = |l: &Loaded| l.catalogue().mods.iter().map(|m| (m.id.clone(), m.hash)).collect::<Vec<_>>();
            let has_settings = contents.timeline.game().setup().settings == chosen.settings;
            if has_settings && hashes(&loaded) == hashes(&contents.loaded) {
                // At most a theme has changed, which does not affect the game.
                contents.diverged = None;
                contents.set_loaded(loaded);
                return ReloadOutcome::Untouched;
            }
            let (old_game, old_line) = (contents.timeline.game_at_end(), contents.timeline.steps().to_vec());
            match replay_under(&old_game, &old_line, &contents.loaded, &loaded, chosen, &stop) {
                Ok(ReplayOutcome::Fits(game, outcome)) => {
                    contents.diverged = None;
                    contents.before = Some((contents.loaded.clone(), old_game));
                    contents.set_loaded(loaded);
                    contents.timeline.replace_game(*game);
                    contents.changes = match &outcome {
                        ReloadOutcome::Changed(summary) => {
                            let line = contents.timeline.steps();
                            Some(Arc::new(RuleChanges::between(summary.clone(), &old_line, line)))
                        }
                        _ => None,
                    };
                    if !is_live {
                        // The replay may have added `pass` as the answer to new questions, so the
                        // current position moves by the number of added answers.
                        let n_more = contents.timeline.steps().len().saturating_sub(old_len);
                        contents.timeline.go_to(at + n_more);
                    }
                    outcome
                }
                Ok(ReplayOutcome::Diverged(diverged, summary)) => {
                    contents.diverged = Some(*diverged);
                    ReloadOutcome::Diverged(summary)
                }
                Ok(ReplayOutcome::Stopped) => ReloadOutcome::Stopped,
                Err(failure) => {
                    let mut problems = problems;
                    problems.add_failure(&failure);
                    contents.problems = Arc::new(problems.clone());
                    ReloadOutcome::Failed(problems)
                }
            }
        })
    }

    /// Returns a sentence about the effect that `chosen` would have on this game. Does not change
    /// the game. `None` if the replay was stopped.
    pub fn describe_effect(&self, chosen: &RulesChoice) -> Option<String> {
        let (loaded, problems) = self.contents.library.load(&chosen.mods);
        let Some(loaded) = loaded.map(Arc::new) else {
            let first = problems.list().first().map(|problem| problem.message.clone()).unwrap_or_default();
            return Some(if chosen.mods.is_empty() { first } else { format!("these mods cannot be loaded: {first}") });
        };
        let SessionContents { timeline, loaded: old, .. } = &self.contents;
        match replay_under(&timeline.game_at_end(), timeline.steps(), old, &loaded, chosen, &self.hurry) {
            // The message says "applied", but these rules are not applied yet.
            Ok(ReplayOutcome::Fits(_, ReloadOutcome::Changed(summary))) => {
                Some(summary.strip_prefix("applied: ").unwrap_or(&summary).to_owned())
            }
            Ok(ReplayOutcome::Diverged(_, summary)) => {
                let why = summary.strip_prefix("diverged: ").unwrap_or(&summary);
                Some(format!("a move of this game would become illegal: {why}"))
            }
            Ok(ReplayOutcome::Fits(..)) => Some("no change to this game so far".to_owned()),
            Ok(ReplayOutcome::Stopped) => None,
            Err(failure) => Some(failure.message),
        }
    }

    /// Keeps the old rules until files of the mods change again.
    pub fn keep_old_rules(&mut self) {
        self.change(|contents| contents.diverged = None);
    }

    /// Accepts the new rules and clears the list of changes.
    pub fn accept_changes(&mut self) {
        self.change(|contents| (contents.changes, contents.before) = (None, None));
    }

    /// Reverts to the rules before the last change, until files of the mods change again. Repeats
    /// the answers given since the change, up to the first answer that does not fit. If an answer
    /// does not fit, the current timeline becomes a branch.
    pub fn revert_changes(&mut self) {
        let Some((loaded, mut game)) = self.contents.before.take() else { return };
        self.change_position(|contents| {
            let changed = contents.changes.take();
            let line = contents.timeline.steps();
            let n_before = changed.map_or(line.len(), |changes| changes.n_answers.min(line.len()));
            let since = line.get(n_before..).unwrap_or_default();
            let n_same = since.iter().take_while(|step| game.answer_text(&step.text).is_ok()).count();
            if n_same < since.len() {
                contents.timeline.branch_off(n_before + n_same);
            }
            contents.timeline.replace_game(game);
            contents.set_loaded(loaded);
        });
    }

    /// Continues under the new rules, after the last answer that fits these rules. The old timeline
    /// becomes a branch.
    pub fn continue_to_divergence(&mut self) {
        let Some(DivergedGame { loaded, game, .. }) = self.contents.diverged.take() else { return };
        self.change_position(|contents| {
            (contents.changes, contents.before) = (None, None);
            contents.timeline.branch_off(game.log().len());
            contents.timeline.replace_game(game);
            contents.set_loaded(loaded);
        });
    }

    /// Continues under the new rules from the current position. If the latest answers do not fit
    /// the new rules, continues from an earlier position. From now on, saves to `record`; the old
    /// record does not change.
    ///
    /// # Errors
    /// Returns an error if the position is impossible under the new rules; then nothing changes.
    pub fn continue_from_position(&mut self, record: Option<RecordFile>) -> Result<(), GivenErrors> {
        let Some(diverged) = &self.contents.diverged else { return Ok(()) };
        let game = diverged.continue_from(self.game())?;
        let loaded = diverged.loaded.clone();
        self.change_position(|contents| {
            contents.diverged = None;
            (contents.changes, contents.before) = (None, None);
            contents.record = record;
            contents.timeline.clear_branches();
            contents.timeline.replace_game(game);
            contents.set_loaded(loaded);
        });
        Ok(())
    }
}

/// The record on disk.
impl Session {
    /// Saves the game to `record` from now on; see [`save`](Session::save). Sets
    /// [`save_error`](Snapshot::save_error) immediately if the file cannot be created.
    pub fn save_to(&mut self, record: RecordFile) {
        let error = record.prepare().err();
        self.change(|contents| (contents.record, contents.save_error) = (Some(record), error));
    }

    /// Writes all changes to the record, if the session has one. Call this function after each
    /// change, as soon as the result is on screen, so that a crash loses at most the latest answer.
    ///
    /// Stores a failure in [`save_error`](Snapshot::save_error); the next call tries again. If a
    /// person is to move, waits until the data is on the disk.
    pub fn save(&mut self) {
        if self.saved_at == Some(self.revision()) && self.save_error().is_none() {
            return;
        }
        let (is_begun, is_person_asked) =
            (self.is_worth_saving(), matches!(self.awaited_actor(), AwaitedActor::Person(_)));
        let SessionContents { record, timeline, save_error, .. } = &mut self.contents;
        let Some(record) = record else { return };
        if !record.is_made() && !is_begun {
            return;
        }
        let (setup, line) = (timeline.game().setup(), timeline.steps());
        let texts: Vec<&str> = line.iter().map(|step| step.text.as_str()).collect();
        let (was_in, was_aside) = (record.path().to_owned(), record.backup_path().map(ToOwned::to_owned));
        let prepared = if save_error.is_some() { record.prepare() } else { Ok(()) };
        let kept = prepared.and_then(|()| record.write(&record::header_text(setup), &texts));
        let error = kept.and_then(|()| if is_person_asked { record.sync() } else { Ok(()) }).err();
        let has_moved = was_in != record.path() || was_aside.as_deref() != record.backup_path();
        if has_moved || error != self.contents.save_error {
            self.change(|contents| contents.save_error = error);
        }
        self.saved_at = Some(self.revision());
    }
}
