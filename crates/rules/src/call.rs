//! The rules of a game, and the call of a mod's function as a transaction. Through the call, the
//! function reads the game, changes the game and asks questions.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;
use std::sync::Arc;

use board::FeatureRef;

use crate::awards::{AwardLine, TermKind};
use crate::catalogue::{Catalogue, PhaseAction, SettingValue};
use crate::fault::{Failure, Halt, Refusal};
use crate::hooks::HookClass;
use crate::indices::{FnIdx, ModIdx};
use crate::reads::ReadSet;
use crate::ruleset::Ruleset;
use crate::state::{Decision, State};
use crate::step::Consequence;
use crate::traced_call::TracedCall;
use crate::value::{Seat, Value};

/// The stack size, in bytes, of a thread that runs functions of mods. It is large enough for any
/// function, because growing the stack during a call would cost more than most calls.
pub const STACK_BYTES: usize = 16 << 20;

/// Runs functions of mods. The crate `script` implements this trait; the engine knows no script
/// language.
pub trait Hooks {
    /// Calls `function` with `args`. `call` contains the state, which the function's effects
    /// change.
    ///
    /// # Errors
    /// Returns [`Halt::Asked`] if the function asks and no answer is recorded; `call` then stores
    /// the question. Returns [`Halt::Failed`] if the function fails.
    fn call(&self, function: FnIdx, args: &[Value], call: &mut Call) -> Result<Value, Halt>;

    /// Returns whether a call of `function` would return at once, without a value and without an
    /// effect, so that the engine can omit the call. An implementation may always return false.
    fn returns_at_once(&self, function: FnIdx, state: &State) -> bool {
        let _ = (function, state);
        false
    }

    /// Resets the budget of operations that functions may use. The engine calls this method before
    /// each action from outside, such as an answer. All calls that the action causes share one
    /// budget.
    fn reset_budget(&self) {}

    /// Returns the share of the budget that functions have used since the last reset, from 0 to 1.
    fn used_budget(&self) -> f64 {
        0.0
    }

    /// Adds a line to the printed lines, which [`take_lines`](Hooks::take_lines) returns.
    fn print(&self, line: &str) {
        let _ = line;
    }

    /// Removes and returns the lines that functions have printed for debugging since the last call
    /// of this method.
    fn take_lines(&self) -> Vec<String> {
        Vec::new()
    }

    /// Starts or stops tracing calls of functions. Returns the calls traced since the last call of
    /// this method.
    fn set_tracing(&self, is_on: bool) -> Vec<TracedCall> {
        let _ = is_on;
        Vec::new()
    }

    /// Evaluates an expression in the script language of the call's mod and returns the result as
    /// text.
    ///
    /// # Errors
    /// Returns an error if the expression is invalid or fails.
    fn evaluate(&self, text: &str, call: &mut Call) -> Result<String, Halt> {
        let _ = (text, call);
        Err(Halt::Failed("these rules have no script language".to_owned().into()))
    }

    /// Returns a function that makes the same hooks on another thread. Returns `None` if these
    /// hooks cannot be made again.
    fn maker(&self) -> Option<HooksMaker> {
        None
    }
}

/// A function that makes hooks on the thread that calls it.
///
/// # Errors
/// Returns an error if the functions of the mods cannot be prepared.
pub type HooksMaker = Box<dyn FnOnce() -> Result<Box<dyn Hooks>, Failure> + Send>;

/// The rules of a game: immutable, and used by one thread. Copies share their data.
#[derive(Clone)]
pub struct Rules {
    /// The declarations and settings, as plain data.
    pub ruleset: Arc<Ruleset>,
    /// The functions of mods.
    pub hooks: Rc<dyn Hooks>,
    /// The parts of the game that functions have read since the last call of
    /// [`ReadRecorder::take`].
    pub(crate) reads: Rc<ReadRecorder>,
}

/// Accumulates the parts of the game that functions have read.
#[derive(Default)]
pub(crate) struct ReadRecorder(Cell<ReadSet>);

impl ReadRecorder {
    pub fn add(&self, reads: ReadSet) {
        self.0.set(self.0.get().union(reads));
    }

    /// Returns the parts of the game that functions have read since the last call of this method.
    pub fn take(&self) -> ReadSet {
        self.0.take()
    }
}

impl Rules {
    /// Makes rules from `catalogue`, with one value for each setting of the catalogue (see
    /// [`Rules::default_settings`]).
    pub fn new(catalogue: Arc<Catalogue>, settings: Vec<SettingValue>, hooks: Box<dyn Hooks>) -> Rules {
        let ruleset = Arc::new(Ruleset::new(catalogue, settings));
        Rules { ruleset, hooks: Rc::from(hooks), reads: Rc::default() }
    }

    /// Returns rules with `catalogue` and a value for each of its settings, but with the functions
    /// of these rules.
    #[must_use]
    pub fn with_catalogue(&self, catalogue: Arc<Catalogue>, settings: Vec<SettingValue>) -> Rules {
        let ruleset = Arc::new(Ruleset::new(catalogue, settings));
        Rules { ruleset, hooks: self.hooks.clone(), reads: Rc::default() }
    }

    /// Returns the default value of each setting of the catalogue.
    pub fn default_settings(catalogue: &Catalogue) -> Vec<SettingValue> {
        catalogue.settings.iter().map(|s| s.default.clone()).collect()
    }

    /// Returns the declarations of the mods.
    pub fn catalogue(&self) -> &Catalogue {
        &self.ruleset.catalogue
    }

    /// Returns a function that makes the same rules on another thread. Returns `None` if the
    /// functions of the mods cannot be made again, as those of [`wrap_calls`](Rules::wrap_calls).
    ///
    /// # Errors
    /// The function returns an error if the functions of the mods cannot be prepared.
    pub fn maker(&self) -> Option<impl FnOnce() -> Result<Rules, Failure> + Send + use<>> {
        let (ruleset, make_hooks) = (self.ruleset.clone(), self.hooks.maker()?);
        Some(move || Ok(Rules { ruleset, hooks: Rc::from(make_hooks()?), reads: Rc::default() }))
    }
}

/// Makes rules. Threads share the factory, but each thread makes rules of its own, because rules
/// cannot move between threads.
pub trait RulesFactory: Send + Sync {
    /// Returns the declarations of the mods.
    fn catalogue(&self) -> &Arc<Catalogue>;

    /// Makes rules with one value for each setting.
    ///
    /// # Errors
    /// Returns an error if the functions of the mods cannot be prepared.
    fn rules(&self, settings: Vec<SettingValue>) -> Result<Rules, Failure>;
}

/// The maximum number of bytes that one call may add to the game. A text counts as its length in
/// bytes; every effect counts as another [`EFFECT_BYTES`] bytes.
pub(crate) const MAX_BYTES: usize = 1 << 20;

/// The number of bytes that each effect counts as, in addition to the bytes of its texts.
const EFFECT_BYTES: usize = 64;

/// The maximum length, in bytes, of a text that stays in the game, such as a note or a reason.
pub(crate) const MAX_TEXT: usize = 1000;

/// The maximum number of answers in one turn. If a turn has more answers, the engine reports that
/// the turn seems never to end.
pub(crate) const MAX_ANSWERS: u32 = 4096;

/// The error message for a turn in which one question follows another without end.
pub(crate) const ENDLESS_QUESTIONS_MESSAGE: &str = "thousands of questions were answered in this turn, and this function asks again; the turn seems never to end: let an answer stop the questions";

/// The maximum number of consecutive draws and rolls without an answer by a player. If there are
/// more, the engine reports that these draws and rolls seem never to end.
pub(crate) const MAX_DEALT: u32 = 4096;

/// The error message for a game in which chance decides without end.
pub(crate) const ENDLESS_CHANCE_MESSAGE: &str =
    "there were thousands of draws and rolls with no question to a player between them; they seem never to end";

/// The award that `score_value` and `score_total` compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnfinishedAward {
    /// The feature.
    pub feature: FeatureRef,
    /// The player who receives the points.
    pub player: Seat,
    /// True if the points are those of the final count, or those that the final count would give
    /// now.
    pub is_final: bool,
    /// True if the feature is complete.
    pub is_complete: bool,
    /// The points after all `score_value` functions and the earlier `score_total` functions; `None`
    /// while a `score_value` function runs.
    pub so_far: Option<i64>,
}

impl UnfinishedAward {
    /// Makes an award to `player` for `feature` during play, with `is_complete` set to false.
    pub fn of(feature: FeatureRef, player: Seat) -> UnfinishedAward {
        UnfinishedAward { feature, player, is_final: false, is_complete: false, so_far: None }
    }
}

/// A running call of a function: the state that the call changes, and the transaction of the call.
pub struct Call<'s> {
    pub(crate) state: &'s mut State,
    pub(crate) own: &'s mut Transaction,
}

/// The context of a call, and all its results except the changed state. Before its first effect,
/// the call saves a copy of the state, so that its effects can be rolled back. For this purpose,
/// proposed points do not count as an effect.
pub struct Transaction {
    /// The rules of the game, including the functions that queries of this call may run.
    pub rules: Rules,
    /// The mod whose function runs.
    pub owner: ModIdx,
    /// The running function; `None` if the call evaluates an expression that a user typed.
    pub function: Option<FnIdx>,
    /// The class of the hook, which determines whether the call may ask and change the state.
    pub class: HookClass,
    /// The parts of the game that the function has read: [`ReadSet::ANYTHING`], unless the
    /// implementation of [`Hooks`] reports less.
    pub reads: ReadSet,
    before: Option<Box<State>>,
    /// The number of awards that the function has proposed; 0 once `before` is saved. These awards
    /// are the last items of the queue, so the call can remove them without a copy of the state.
    n_proposed: usize,
    pub(crate) n_asked: usize,
    pub(crate) question: Option<Decision>,
    scored: Option<UnfinishedAward>,
    /// The terms that `score_value` or `score_total` has submitted; empty for other functions.
    pub(crate) lines: Vec<AwardLine>,
    /// True if the engine must run the phase again.
    pub(crate) repeats: bool,
    n_bytes: usize,
    /// The number of times that the function ran again from the beginning; see
    /// [`roll_back`](Call::roll_back).
    pub n_restarts: usize,
}

impl Transaction {
    /// Begins a call of `function`, a function of mod `owner`.
    pub fn new(rules: Rules, owner: ModIdx, function: FnIdx, class: HookClass) -> Transaction {
        Transaction { function: Some(function), ..Transaction::without_function(rules, owner, class) }
    }

    /// Begins a call by mod `owner` without a function, to evaluate an expression.
    pub(crate) fn without_function(rules: Rules, owner: ModIdx, class: HookClass) -> Transaction {
        Transaction {
            rules,
            owner,
            function: None,
            class,
            reads: ReadSet::ANYTHING,
            before: None,
            n_proposed: 0,
            n_asked: 0,
            question: None,
            scored: None,
            lines: Vec::new(),
            repeats: false,
            n_bytes: 0,
            n_restarts: 0,
        }
    }

    /// Sets the award that the called function, `score_value` or `score_total`, computes.
    pub fn with_award(mut self, scored: UnfinishedAward) -> Transaction {
        self.scored = Some(scored);
        self
    }

    /// Returns the call, which reads and changes `state`.
    pub fn as_call<'s>(&'s mut self, state: &'s mut State) -> Call<'s> {
        Call { state, own: self }
    }

    /// Returns the declarations of the mods and the settings of the game.
    pub fn ruleset(&self) -> &Ruleset {
        &self.rules.ruleset
    }

    /// Returns the name of the running function; empty if no function runs.
    pub(crate) fn function_name(&self) -> &str {
        self.function.map_or("", |function| &self.ruleset().catalogue.functions[function.idx()].name)
    }
}

impl Deref for Call<'_> {
    type Target = Transaction;

    fn deref(&self) -> &Transaction {
        self.own
    }
}

impl DerefMut for Call<'_> {
    fn deref_mut(&mut self) -> &mut Transaction {
        self.own
    }
}

impl Call<'_> {
    /// Returns the same call for a shorter lifetime.
    pub fn reborrow(&mut self) -> Call<'_> {
        Call { state: self.state, own: self.own }
    }

    /// Rolls back all effects of the call, so that its function can run again from the beginning.
    pub fn roll_back(&mut self) {
        if let Some(before) = self.before.take() {
            *self.state = *before;
        }
        self.discard_proposals();
        self.n_asked = 0;
        self.reads = ReadSet::ANYTHING;
        self.question = None;
        self.lines.clear();
        self.repeats = false;
        self.n_bytes = 0;
        self.n_restarts += 1;
    }

    /// Ends the call. If `keep` is false, rolls back the effects of the call. If `keep` is true and
    /// the call waits for an answer, makes its question the open decision. In this case, moves the
    /// effects of the call, if any, to the `view` of the state. Returns whether the call waits for
    /// an answer.
    pub(crate) fn end(&mut self, keep: bool) -> bool {
        let question = self.question.take().filter(|_| keep);
        let asks = question.is_some();
        if asks && self.n_proposed > 0 {
            self.save_state();
        }
        if !keep {
            self.discard_proposals();
        }
        if let Some(mut before) = self.before.take().filter(|_| asks || !keep) {
            std::mem::swap(&mut *before, self.state);
            if asks {
                self.state.machine.view = Some(before);
            }
        }
        if let Some(question) = question {
            self.state.machine.decision = question;
            self.state.machine.is_waiting = true;
        }
        asks
    }

    /// Moves the state and the transaction out of the call, for an implementation of [`Hooks`] that
    /// must own both. The call is unusable until [`restore_parts`](Self::restore_parts).
    pub fn take_parts(&mut self) -> (State, Transaction) {
        let stand_in = Transaction::without_function(self.rules.clone(), self.owner, self.class);
        (std::mem::take(self.state), std::mem::replace(self.own, stand_in))
    }

    /// Puts back the state and the transaction that [`take_parts`](Self::take_parts) returned.
    pub fn restore_parts(&mut self, state: State, own: Transaction) {
        *self.state = state;
        *self.own = own;
    }

    /// Returns the state as the function sees it, including the function's own effects.
    pub fn state(&self) -> &State {
        self.state
    }

    /// Returns whether the function has asked and must end. From then on, every query and every
    /// effect fails.
    pub fn is_unwinding(&self) -> bool {
        self.question.is_some()
    }

    /// Returns the award that `score_value` or `score_total` computes; `None` in other functions.
    pub fn unfinished_award(&self) -> Option<UnfinishedAward> {
        self.scored
    }

    /// Returns the state, which the caller may change. The first change saves a copy of the state.
    ///
    /// # Errors
    /// Returns an error if the function may only read the game (see [`HookClass`]), if a question
    /// waits for its answer, or if the call adds too much to the game.
    pub fn state_mut(&mut self) -> Result<&mut State, Refusal> {
        self.begin_effect()?;
        self.save_state();
        Ok(self.state)
    }

    /// Returns whether the call may have changed the state, apart from proposed points.
    pub(crate) fn has_changed(&self) -> bool {
        self.before.is_some()
    }

    /// Returns the points proposed so far. Returns `None` if any of these points are loot or belong
    /// to a feature, or if the call has had any other effect.
    pub(crate) fn proposals(&self) -> Option<Vec<(Seat, i64)>> {
        let queue = &self.state.machine.queue;
        let proposed = queue.iter().skip(queue.len() - self.n_proposed).map(|queued| match *queued {
            Consequence::Award { player, points, is_loot: false, feature: None, .. } => Some((player, points)),
            _ => None,
        });
        if self.has_changed() { None } else { proposed.collect() }
    }

    fn begin_effect(&mut self) -> Result<(), Refusal> {
        self.checked_state()?;
        if self.class != HookClass::Effect {
            return Err("rules and menus may only look; change things in an event or a phase".into());
        }
        self.count_bytes(EFFECT_BYTES)
    }

    /// Copies the state as it was before the call, unless there already is such a copy.
    fn save_state(&mut self) {
        if self.before.is_none() {
            let mut before = Box::new(self.state.clone());
            let queue = &mut before.machine.queue;
            queue.truncate(queue.len() - self.n_proposed);
            self.n_proposed = 0;
            self.before = Some(before);
        }
    }

    fn discard_proposals(&mut self) {
        let n = std::mem::take(&mut self.n_proposed);
        let queue = &mut self.state.machine.queue;
        queue.truncate(queue.len() - n);
    }

    /// Counts `n_bytes`, which the call is about to add to the game.
    ///
    /// # Errors
    /// Returns an error if the call would add more than 1 MB to the game in total.
    pub fn count_bytes(&mut self, n_bytes: usize) -> Result<(), Refusal> {
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        if self.n_bytes > MAX_BYTES {
            let most = MAX_BYTES >> 20;
            return Err(format!(
                "one call may add at most {most} MB to the game (notes, points, pieces, cards and so on), and this is \
                 more; check that each loop ends"
            )
            .into());
        }
        Ok(())
    }

    /// Adds the length of a text that stays in the game to the bytes that this call has added.
    /// Refuses a text of more than [`MAX_TEXT`] bytes, and a total of more than [`MAX_BYTES`].
    pub(crate) fn count_text(&mut self, text: &str) -> Result<(), Refusal> {
        if text.len() > MAX_TEXT {
            return Err(format!(
                "a text that stays in the game may have at most {MAX_TEXT} bytes, and this one has {}",
                text.len()
            )
            .into());
        }
        self.count_bytes(text.len())
    }

    /// Adds a line to the event log of the game.
    ///
    /// # Errors
    /// Returns an error if the text is too long, or as [`state_mut`](Self::state_mut) does.
    pub fn note(&mut self, text: &str) -> Result<(), Refusal> {
        self.count_text(text)?;
        self.state_mut()?.note(text);
        Ok(())
    }

    /// Returns the state, which the caller may change, and the ruleset.
    ///
    /// # Errors
    /// Returns an error as [`state_mut`](Self::state_mut) does.
    pub fn state_mut_and_ruleset(&mut self) -> Result<(&mut State, &Ruleset), Refusal> {
        self.state_mut()?;
        Ok((self.state, &self.own.rules.ruleset))
    }

    /// Returns the state.
    ///
    /// # Errors
    /// Returns an error if a question waits for its answer, so that the function cannot continue by
    /// accident.
    pub fn checked_state(&self) -> Result<&State, Refusal> {
        if self.question.is_some() { Err(Refusal::Asked) } else { Ok(self.state) }
    }

    /// Submits a term of the award that `score_value` or `score_total` computes.
    ///
    /// # Errors
    /// Returns an error if the running function is neither `score_value` nor `score_total`, or if
    /// `reason` is too long.
    pub fn submit(&mut self, kind: TermKind, amount: i64, reason: &str) -> Result<(), Refusal> {
        self.checked_state()?;
        if self.scored.is_none() {
            return Err(
                "only `score_value` and `score_total` may submit terms; elsewhere use score(player, points, why)"
                    .into(),
            );
        }
        self.count_bytes(EFFECT_BYTES)?;
        self.count_text(reason)?;
        let (owner, function) = (Some(self.owner), self.function);
        self.lines.push(AwardLine { kind, amount, owner, function, reason: Arc::from(reason) });
        Ok(())
    }

    /// Makes the engine run the phase of this function again, after the consequences of this call.
    ///
    /// # Errors
    /// Returns an error if the function does not belong to a phase.
    pub fn repeat_phase(&mut self) -> Result<(), Refusal> {
        let runs = self.function.map(|function| PhaseAction::Function { function });
        if !self.ruleset().catalogue.phases.iter().any(|phase| Some(&phase.runs) == runs.as_ref()) {
            return Err("again() enters a phase again, and this function does not belong to a phase".into());
        }
        self.state_mut()?;
        self.repeats = true;
        Ok(())
    }

    /// Proposes points for a player. After the event, the engine books all points that functions
    /// proposed during the event as one batch, and all loot as another batch. If `feature` is
    /// given, ignores `points` and proposes the points that the feature would pay the player if the
    /// game ended now. The feature keeps its pieces.
    ///
    /// # Errors
    /// Returns an error if `reason` is too long, or if the function may only read.
    pub fn propose_points(
        &mut self,
        player: Seat,
        points: i64,
        reason: &str,
        is_loot: bool,
        feature: Option<FeatureRef>,
    ) -> Result<(), Refusal> {
        self.count_text(reason)?;
        self.begin_effect()?;
        let (owner, function, reason) = (self.owner, self.function, Arc::from(reason));
        let award = Consequence::Award { player, points, reason, owner, function, is_loot, feature };
        self.state.machine.queue.push(award);
        self.n_proposed += usize::from(self.before.is_none());
        Ok(())
    }
}
