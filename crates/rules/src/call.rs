//! Rules with the functions of mods, and one call of one function: what it may see, change and ask, as a transaction.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;
use std::sync::Arc;

use board::FeatureRef;

use crate::awards::{AwardLine, TermKind};
use crate::catalogue::{Catalogue, Runs, SettingValue};
use crate::fault::{Failure, Halt, Refusal};
use crate::hooks::HookClass;
use crate::indices::{FnIdx, ModIdx};
use crate::reads::Reads;
use crate::ruleset::Ruleset;
use crate::state::{Decision, State};
use crate::step::Queued;
use crate::trace::TracedCall;
use crate::value::{Seat, Value};

/// How many bytes of stack a thread has that runs functions of mods: enough for any of them, so that none has to make room for itself at each
/// call, which costs more than most calls do.
pub const STACK: usize = 16 << 20;

/// Runs mods' functions. The script crate implements it; the engine knows no script language.
pub trait Hooks {
    /// Calls `function` with `args`. The call has the state, to which it does what the function does.
    ///
    /// Where the function asks and no answer is recorded, the call notes the question and the result is [`Halt::Asked`].
    fn call(&self, function: FnIdx, args: &[Value], call: &mut Call) -> Result<Value, Halt>;

    /// Begins to add up anew what calls spend: something from outside is done, such as answering, and all calls that it leads to share what
    /// they may spend.
    fn begin(&self) {}

    /// Adds a line to those that functions have printed.
    fn print(&self, line: &str) {
        let _ = line;
    }

    /// Takes the lines that functions have printed since the last time, for whoever looks for a mistake in them.
    fn take_lines(&self) -> Vec<String> {
        Vec::new()
    }

    /// Begins to note what functions do, or ends it; returns what was noted until now.
    fn trace(&self, is_on: bool) -> Vec<TracedCall> {
        let _ = is_on;
        Vec::new()
    }

    /// Evaluates what somebody asks in the words of the mod that the call is of, and returns it as text.
    ///
    /// # Errors
    /// Where it is nothing that can be evaluated, and where that fails.
    fn evaluate(&self, text: &str, call: &mut Call) -> Result<String, Halt> {
        let _ = (text, call);
        Err(Halt::Failed("these rules know no language".to_owned().into()))
    }
}

/// Hooks with something around each call of a function.
struct Around<F> {
    hooks: Rc<dyn Hooks>,
    around: F,
}

impl<F: Fn(&dyn Hooks, FnIdx, &[Value], &mut Call) -> Result<Value, Halt>> Hooks for Around<F> {
    fn call(&self, function: FnIdx, args: &[Value], call: &mut Call) -> Result<Value, Halt> {
        (self.around)(&*self.hooks, function, args, call)
    }

    fn begin(&self) {
        self.hooks.begin();
    }

    fn print(&self, line: &str) {
        self.hooks.print(line);
    }

    fn take_lines(&self) -> Vec<String> {
        self.hooks.take_lines()
    }

    fn trace(&self, is_on: bool) -> Vec<TracedCall> {
        self.hooks.trace(is_on)
    }

    fn evaluate(&self, text: &str, call: &mut Call) -> Result<String, Halt> {
        self.hooks.evaluate(text, call)
    }
}

/// Everything that decides what may happen: immutable, for one thread. A copy shares what it copies.
#[derive(Clone)]
pub struct Rules {
    /// The plain part.
    pub ruleset: Arc<Ruleset>,
    /// The functions of mods.
    pub hooks: Rc<dyn Hooks>,
    /// What functions have looked at since somebody wanted to know.
    pub(crate) reads: Rc<Noted>,
}

/// Adds up what functions have looked at.
#[derive(Default)]
pub(crate) struct Noted(Cell<Reads>);

impl Noted {
    pub fn add(&self, reads: Reads) {
        self.0.set(self.0.get().with(reads));
    }

    /// Returns what was looked at since the last time.
    pub fn take(&self) -> Reads {
        self.0.take()
    }
}

impl Rules {
    /// Rules by `catalogue` with one value for each of its settings (see [`Rules::default_settings`]).
    pub fn new(catalogue: Arc<Catalogue>, settings: Vec<SettingValue>, hooks: Box<dyn Hooks>) -> Rules {
        let ruleset = Arc::new(Ruleset::new(catalogue, settings));
        Rules { ruleset, hooks: Rc::from(hooks), reads: Rc::default() }
    }

    /// Returns rules by another catalogue, and values of its settings, with the functions of these.
    #[must_use]
    pub fn with_catalogue(&self, catalogue: Arc<Catalogue>, settings: Vec<SettingValue>) -> Rules {
        let ruleset = Arc::new(Ruleset::new(catalogue, settings));
        Rules { ruleset, hooks: self.hooks.clone(), reads: Rc::default() }
    }

    /// Returns the same rules with `around` called in the place of each function. It is given the hooks that call the function, with what they
    /// need for it, and may note, time or leave out the call.
    #[must_use]
    pub fn around_calls(
        &self,
        around: impl Fn(&dyn Hooks, FnIdx, &[Value], &mut Call) -> Result<Value, Halt> + 'static,
    ) -> Rules {
        let hooks = Rc::new(Around { hooks: self.hooks.clone(), around });
        Rules { ruleset: self.ruleset.clone(), hooks, reads: Rc::default() }
    }

    /// The settings as they are when nobody says otherwise.
    pub fn default_settings(catalogue: &Catalogue) -> Vec<SettingValue> {
        catalogue.settings.iter().map(|s| s.default.clone()).collect()
    }

    /// What mods declare.
    pub fn catalogue(&self) -> &Catalogue {
        &self.ruleset.catalogue
    }
}

/// What makes rules: shared by threads, of which each makes its own.
pub trait RulesFactory: Send + Sync {
    /// What mods declare.
    fn catalogue(&self) -> &Arc<Catalogue>;

    /// Rules with one value for each setting.
    fn rules(&self, settings: Vec<SettingValue>) -> Result<Rules, Failure>;
}

/// How many bytes one call may bring into the game: texts as long as they are, everything else [`EFFECT`] for each effect.
pub const MAX_BYTES: usize = 1 << 20;

/// What an effect counts for, besides its texts.
const EFFECT: usize = 64;

/// How long a text may be that stays in the game: a note, a reason.
pub const MAX_TEXT: usize = 1000;

/// How many answers may be given in one turn before the engine says that it never ends.
pub const MAX_ANSWERS: u32 = 4096;

/// Why a game stops in which questions follow each other and no turn ends.
pub(crate) const NEVER_ENDS: &str = "thousands of questions were answered in this turn, and this asks again; it seems never to end: let some answer end it";

/// How many draws and rolls may follow each other, with no answer of a player between them, before the engine says that they never end.
pub const MAX_DEALT: u32 = 4096;

/// Why a game stops in which only chance is asked.
pub(crate) const NEVER_ASKS: &str =
    "there were thousands of draws and rolls with no question to a player between them; they seem never to end";

/// What `score_value` and `score_total` are asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scored {
    /// The feature.
    pub feature: FeatureRef,
    /// Who receives the points.
    pub player: Seat,
    /// Whether it is the final count (or a count as at the end).
    pub is_final: bool,
    /// Whether the feature is complete.
    pub is_complete: bool,
    /// What the award has come to by `score_value`, for `score_total`.
    pub so_far: Option<i64>,
}

impl Scored {
    /// A feature that is scored while playing and not complete.
    pub fn of(feature: FeatureRef, player: Seat) -> Scored {
        Scored { feature, player, is_final: false, is_complete: false, so_far: None }
    }
}

/// A running call: the state that it works on, and what it is about.
pub struct Call<'s> {
    pub(crate) state: &'s mut State,
    pub(crate) own: &'s mut Transaction,
}

/// What a call is about, and what came of it so far besides the state. The first effect makes a copy of the state to go back to.
pub struct Transaction {
    /// The rules of the table, with the functions that queries of this call may lead to.
    pub rules: Rules,
    /// The mod whose function runs.
    pub owner: ModIdx,
    /// The function; none where somebody asks something in the mod's words.
    pub function: Option<FnIdx>,
    /// What it may do.
    pub class: HookClass,
    /// What the function has looked at; anything, unless its host says that it was less.
    pub reads: Reads,
    before: Option<Box<State>>,
    /// How many points were proposed before the first other effect. They stand last in the queue and can be taken off it again without a copy.
    n_proposed: usize,
    pub(crate) n_asked: usize,
    pub(crate) question: Option<Decision>,
    scored: Option<Scored>,
    lines: Vec<AwardLine>,
    repeats: bool,
    n_bytes: usize,
}

/// What became of a call, besides the state.
pub(crate) struct Outcome {
    /// The terms that `score_value` submitted.
    pub lines: Vec<AwardLine>,
    /// Whether the phase is to be entered again.
    pub repeats: bool,
    /// Whether the call waits for an answer, which is then the state's open decision.
    pub asks: bool,
}

impl Transaction {
    /// Begins a call of `function`, a function of mod `owner`; the engine does, and tests of hosts.
    pub fn new(rules: Rules, owner: ModIdx, function: FnIdx, class: HookClass) -> Transaction {
        Transaction { function: Some(function), ..Transaction::of_nobody(rules, owner, class) }
    }

    /// Begins a call in the name of mod `owner` that is of none of its functions.
    pub fn of_nobody(rules: Rules, owner: ModIdx, class: HookClass) -> Transaction {
        Transaction {
            rules,
            owner,
            function: None,
            class,
            reads: Reads::ANYTHING,
            before: None,
            n_proposed: 0,
            n_asked: 0,
            question: None,
            scored: None,
            lines: Vec::new(),
            repeats: false,
            n_bytes: 0,
        }
    }

    /// Makes it a call about an award in the making, for `score_value`.
    pub fn about(mut self, scored: Scored) -> Transaction {
        self.scored = Some(scored);
        self
    }

    /// Returns the call, working on `state`.
    pub fn call<'s>(&'s mut self, state: &'s mut State) -> Call<'s> {
        Call { state, own: self }
    }

    /// Returns what mods declare and the settings of the table.
    pub fn ruleset(&self) -> &Ruleset {
        &self.rules.ruleset
    }

    /// Returns what the function is called; nothing where it is none.
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
    /// Returns the same call for a while.
    pub fn reborrow(&mut self) -> Call<'_> {
        Call { state: self.state, own: self.own }
    }

    /// Takes back all that the call has done, so that its function can be run from the beginning once more.
    pub fn begin_again(&mut self) {
        if let Some(before) = self.before.take() {
            *self.state = *before;
        }
        self.take_back_proposals();
        self.n_asked = 0;
        self.reads = Reads::ANYTHING;
        self.question = None;
        self.lines.clear();
        self.repeats = false;
        self.n_bytes = 0;
    }

    /// Ends the call. With `keep` its effects stay, if it did not ask.
    pub(crate) fn end(&mut self, keep: bool) -> Outcome {
        let question = self.question.take().filter(|_| keep);
        let asks = question.is_some();
        if asks && self.n_proposed > 0 {
            self.copy_before();
        }
        if !keep {
            self.take_back_proposals();
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
        Outcome { lines: std::mem::take(&mut self.lines), repeats: self.repeats, asks }
    }

    /// Takes the state and what the call is about out of their places, for hosts that must own what they work on. What stays behind is of no use
    /// until they are given back.
    pub fn lend(&mut self) -> (State, Transaction) {
        let stand_in = Transaction::of_nobody(self.rules.clone(), self.owner, self.class);
        (std::mem::take(self.state), std::mem::replace(self.own, stand_in))
    }

    /// Puts back what was lent.
    pub fn give_back(&mut self, state: State, own: Transaction) {
        *self.state = state;
        *self.own = own;
    }

    /// The state as the function sees it: its own effects are done.
    pub fn state(&self) -> &State {
        self.state
    }

    /// The state with no transaction around it, for functions that put it back as it was.
    pub(crate) fn scratch(&mut self) -> &mut State {
        self.state
    }

    /// Whether the function has asked and must end. Every query and effect fails from then on.
    pub fn is_unwinding(&self) -> bool {
        self.question.is_some()
    }

    /// What `score_value` is asked about.
    pub fn scored(&self) -> Option<Scored> {
        self.scored
    }

    /// The state, to be changed. Fails in rules and menus, which may only look.
    pub fn change(&mut self) -> Result<&mut State, Refusal> {
        self.begin_effect()?;
        self.copy_before();
        Ok(self.state)
    }

    /// Whether the state may be another one than it was before the call, but for proposed points.
    pub(crate) fn has_changed(&self) -> bool {
        self.before.is_some()
    }

    /// Returns the points that it has proposed so far, besides those of features and loot; nothing where it has done anything else.
    pub(crate) fn proposals(&self) -> Option<Vec<(Seat, i64)>> {
        let queue = &self.state.machine.queue;
        let proposed = queue.iter().skip(queue.len() - self.n_proposed).map(|queued| match *queued {
            Queued::Award { player, points, is_loot: false, feature: None, .. } => Some((player, points)),
            _ => None,
        });
        if self.has_changed() { None } else { proposed.collect() }
    }

    fn begin_effect(&mut self) -> Result<(), Refusal> {
        self.look()?;
        if self.class != HookClass::Effect {
            return Err("rules and menus may only look; change things in an event or a phase".into());
        }
        self.bring(EFFECT)
    }

    /// Copies the state as it was before the call, if that was not done.
    fn copy_before(&mut self) {
        if self.before.is_none() {
            let mut before = Box::new(self.state.clone());
            let queue = &mut before.machine.queue;
            queue.truncate(queue.len() - self.n_proposed);
            self.n_proposed = 0;
            self.before = Some(before);
        }
    }

    fn take_back_proposals(&mut self) {
        let n = std::mem::take(&mut self.n_proposed);
        let queue = &mut self.state.machine.queue;
        queue.truncate(queue.len() - n);
    }

    /// Counts bytes that the call brings into the game, before it does.
    pub fn bring(&mut self, n_bytes: usize) -> Result<(), Refusal> {
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        if self.n_bytes > MAX_BYTES {
            let most = MAX_BYTES >> 20;
            return Err(format!(
                "one call may bring {most} MB into the game (notes, points, pieces, cards and so on), and this is more"
            )
            .into());
        }
        Ok(())
    }

    /// Counts a text that stays in the game.
    pub(crate) fn bring_text(&mut self, text: &str) -> Result<(), Refusal> {
        if text.len() > MAX_TEXT {
            return Err(format!(
                "a text that stays in the game may have {MAX_TEXT} bytes, this one has {}",
                text.len()
            )
            .into());
        }
        self.bring(text.len())
    }

    /// Writes a line into the game's log of events.
    pub fn note(&mut self, text: &str) -> Result<(), Refusal> {
        self.bring_text(text)?;
        self.change()?.note(text);
        Ok(())
    }

    /// The state with the rules, to be changed.
    pub fn change_by_rules(&mut self) -> Result<(&mut State, &Ruleset), Refusal> {
        self.change()?;
        Ok((self.state, &self.own.rules.ruleset))
    }

    /// Fails while a question waits, so that no function goes on by accident.
    pub fn look(&self) -> Result<&State, Refusal> {
        if self.question.is_some() { Err(Refusal::Asked) } else { Ok(self.state) }
    }

    /// Submits a term of the award that `score_value` is asked about.
    pub fn submit(&mut self, kind: TermKind, amount: i64, reason: &str) -> Result<(), Refusal> {
        self.look()?;
        if self.scored.is_none() {
            return Err(
                "only `score_value` and `score_total` may submit terms; elsewhere use score(player, points, why)"
                    .into(),
            );
        }
        self.bring(EFFECT)?;
        self.bring_text(reason)?;
        let (owner, function) = (Some(self.owner), self.function);
        self.lines.push(AwardLine { kind, amount, owner, function, reason: Arc::from(reason) });
        Ok(())
    }

    /// Has the running phase entered again after what this call causes.
    pub fn again(&mut self) -> Result<(), Refusal> {
        let runs = self.function.map(|function| Runs::Function { function });
        if !self.ruleset().catalogue.phases.iter().any(|phase| Some(&phase.runs) == runs.as_ref()) {
            return Err("again() enters a phase again, and this function is none".into());
        }
        self.change()?;
        self.repeats = true;
        Ok(())
    }

    /// Proposes points for a player: a batch of awards after this event.
    pub fn score(&mut self, player: Seat, points: i64, reason: &str, is_loot: bool) -> Result<(), Refusal> {
        self.propose(player, points, reason, is_loot, None)
    }

    /// Proposes what `feature` would pay `player` by the formula for the end, without taking anything off it.
    pub fn score_as_at_end(&mut self, player: Seat, feature: FeatureRef, reason: &str) -> Result<(), Refusal> {
        self.propose(player, 0, reason, false, Some(feature))
    }

    fn propose(
        &mut self,
        player: Seat,
        points: i64,
        reason: &str,
        is_loot: bool,
        feature: Option<FeatureRef>,
    ) -> Result<(), Refusal> {
        self.bring_text(reason)?;
        self.begin_effect()?;
        let (owner, function, reason) = (self.owner, self.function, Arc::from(reason));
        let award = Queued::Award { player, points, reason, owner, function, is_loot, feature };
        self.state.machine.queue.push(award);
        self.n_proposed += usize::from(self.before.is_none());
        Ok(())
    }
}
