//! One call of one mod's function: what it may see, change and ask, as a transaction.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use board::FeatureRef;

use crate::answerer::AtOnce;
use crate::awards::{AwardLine, TermKind};
use crate::catalogue::Runs;
use crate::check_options::options_of;
use crate::decision::{Answer, Decision, Kept, Question, RecordedAnswer, Suspended, Who};
use crate::fault::Refusal;
use crate::hooks::HookClass;
use crate::indices::{DeckIdx, FnIdx, ModIdx};
use crate::mod_options::{ModOption, Values, Words};
use crate::ruleset::Ruleset;
use crate::state::State;
use crate::step::Queued;
use crate::value::Seat;

/// How many times one call may ask.
pub const MAX_ASKS: usize = 64;

/// How many draws and rolls may follow each other, with no answer of a player between them, before the engine says that they never end.
pub const MAX_DEALT: u32 = 4096;

/// Why a game stops in which only chance is asked.
pub(crate) const NEVER_ASKS: &str =
    "there were thousands of draws and rolls with no question to a player between them; they seem never to end";

/// What `score_value` is asked about.
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
}

/// A running call: the state that it works on, and what it is about.
pub struct Call<'s> {
    state: &'s mut State,
    own: &'s mut Transaction,
}

/// What a call is about, and what came of it so far besides the state. The first effect makes a copy of the state to go back to, unless somebody
/// answers everything at once.
pub struct Transaction {
    /// The rules of the table.
    pub ruleset: Arc<Ruleset>,
    /// The mod whose function runs.
    pub owner: ModIdx,
    /// The function.
    pub function: FnIdx,
    /// What it may do.
    pub power: HookClass,
    before: Option<Box<State>>,
    has_changed: bool,
    /// How many notes there were before this call.
    n_notes: usize,
    n_asked: usize,
    question: Option<Decision>,
    suspended: Option<Box<Suspended>>,
    at_once: AtOnce,
    /// What was answered at once, for the log.
    said: Vec<Answer>,
    /// The same for the state, where the function may have to run again.
    answered: Vec<RecordedAnswer>,
    scored: Option<Scored>,
    lines: Vec<AwardLine>,
    repeats: bool,
}

/// What became of a call, besides the state.
pub(crate) struct Outcome {
    /// The terms that `score_value` submitted.
    pub lines: Vec<AwardLine>,
    /// Whether the phase is to be entered again.
    pub repeats: bool,
    /// Whether the call waits for an answer, which is then the state's open decision.
    pub asks: bool,
    /// Whether its effects should have been taken back and could not be.
    pub is_lost: bool,
}

impl Transaction {
    /// A call that is about to run on `state`; the engine makes them, and tests of hosts.
    pub fn new(
        ruleset: Arc<Ruleset>,
        owner: ModIdx,
        function: FnIdx,
        power: HookClass,
        state: &mut State,
    ) -> Transaction {
        Transaction {
            ruleset,
            owner,
            function,
            power,
            before: None,
            has_changed: false,
            n_notes: state.notes.len(),
            n_asked: 0,
            question: None,
            suspended: state.suspended.take().filter(|it| it.function == function),
            at_once: std::mem::take(&mut state.at_once),
            said: Vec::new(),
            answered: Vec::new(),
            scored: None,
            lines: Vec::new(),
            repeats: false,
        }
    }

    /// The same about an award in the making, for `score_value`.
    pub fn about(mut self, scored: Scored) -> Transaction {
        self.scored = Some(scored);
        self
    }

    /// The call, on the state for which it was made.
    pub fn call<'s>(&'s mut self, state: &'s mut State) -> Call<'s> {
        Call { state, own: self }
    }

    /// Whether the call has kept no copy of the state that it has changed, or of the answers that it has got, so that nothing but the game's log
    /// leads back.
    fn is_past_return(&self) -> bool {
        let got_answers = self.at_once.no_way_back && !self.said.is_empty();
        got_answers || self.has_changed && self.before.is_none()
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
    /// The same call for a while.
    pub fn reborrow(&mut self) -> Call<'_> {
        Call { state: self.state, own: self.own }
    }

    /// What the host has kept of this call when it asked, if there is an answer now and the call has not begun.
    pub fn kept(&self) -> Option<&Kept> {
        self.suspended.as_ref().map(|it| &it.kept)
    }

    /// Whether somebody answers at once, so that the call will hardly have to be resumed.
    pub fn is_answered_at_once(&self) -> bool {
        self.at_once.answerer.is_some()
    }

    /// Goes on where the call has asked: what it had done is done again, and the next question is the one that was open.
    pub fn resume(&mut self) {
        let Some(suspended) = self.suspended.take() else { return };
        (self.n_asked, self.repeats) = (suspended.n_asked, suspended.repeats);
        if let Some(mut after) = suspended.after {
            after.hear(self.state);
            std::mem::swap(&mut *after, self.state);
            self.before = Some(after);
        }
    }

    /// Keeps something until the open question has its answer and the call can be resumed.
    pub fn suspend(&mut self, kept: Kept) {
        let (function, n_asked, repeats) = (self.function, self.n_asked.saturating_sub(1), self.repeats);
        if let Some(question) = &mut self.question {
            question.suspended = Some(Box::new(Suspended { function, n_asked, repeats, kept, after: None }));
        }
    }

    /// Takes back all that the call has done, so that its function can be run from the beginning once more. Returns whether that was possible.
    #[must_use]
    pub fn begin_again(&mut self) -> bool {
        if self.is_past_return() {
            return false;
        }
        if let Some(before) = self.before.take() {
            *self.state = *before;
        }
        self.has_changed = false;
        self.state.answers.append(&mut self.own.answered);
        self.n_asked = 0;
        self.question = None;
        self.suspended = None;
        self.lines.clear();
        self.repeats = false;
        true
    }

    /// Ends the call. With `keep` its effects stay, if it did not ask.
    pub(crate) fn end(&mut self, keep: bool) -> Outcome {
        let asks = keep && self.question.is_some();
        let is_lost = (asks || !keep) && self.is_past_return();
        if let Some(mut before) = self.before.take().filter(|_| asks || !keep) {
            std::mem::swap(&mut *before, self.state);
            if let Some(question) = self.question.as_mut().filter(|_| asks) {
                question.view = Some(before);
            }
        }
        let Call { state, own } = self;
        state.at_once = std::mem::take(&mut own.at_once);
        state.said.append(&mut own.said);
        if asks || !keep {
            state.answers.append(&mut own.answered);
        }
        if let Some(question) = own.question.take().filter(|_| asks) {
            state.decision = question;
            state.is_waiting = true;
        }
        Outcome { lines: std::mem::take(&mut own.lines), repeats: own.repeats, asks, is_lost }
    }

    /// Takes the state and what the call is about out of their places, for hosts that must own what they work on. What stays behind is of no use
    /// until they are given back.
    pub fn lend(&mut self) -> (State, Transaction) {
        let state = std::mem::take(self.state);
        let Transaction { owner, function, power, .. } = *self.own;
        let stand_in = Transaction::new(self.ruleset.clone(), owner, function, power, self.state);
        (state, std::mem::replace(self.own, stand_in))
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
        self.look()?;
        if self.power != HookClass::Event {
            return Err("rules and menus may only look; change things in an event or a phase".into());
        }
        if !self.has_changed && self.before.is_none() && !self.at_once.no_way_back {
            self.before = Some(Box::new(self.state.clone()));
        }
        self.has_changed = true;
        Ok(self.state)
    }

    /// The state with the rules, to be changed.
    pub fn change_by_rules(&mut self) -> Result<(&mut State, &Ruleset), Refusal> {
        self.change()?;
        Ok((self.state, &self.own.ruleset))
    }

    /// Fails while a question waits, so that no function goes on by accident.
    pub fn look(&self) -> Result<&State, Refusal> {
        if self.question.is_some() { Err(Refusal::Asked) } else { Ok(self.state) }
    }

    /// Asks `who` to choose one of `values`; with `may_pass` also nothing, which gives `None`.
    ///
    /// The text of an option is one of `words` (if there are any) and the handles of its value. Options with equal texts are one. Where nothing can be
    /// chosen but to pass, nobody is asked.
    pub fn ask(
        &mut self,
        who: Seat,
        prompt: &str,
        words: Words,
        values: Values,
        may_pass: bool,
    ) -> Result<Option<ModOption>, Refusal> {
        self.may_ask()?;
        if values.is_empty() {
            return if may_pass { Ok(None) } else { Err("there is nothing to choose from; do not ask then".into()) };
        }
        let recorded = |answered: RecordedAnswer| match answered {
            RecordedAnswer { choice: Answer::Pass, .. } if may_pass => Ok(None),
            RecordedAnswer { offer: Some(offer), .. } => Ok(Some(offer)),
            _ => Err("the recorded answer does not fit this question".into()),
        };
        if let Some(answered) = self.next_answer()? {
            return recorded(answered);
        }
        let mod_options = options_of(&self.ruleset, self.state, who, words, values)?;
        let mut question = self.question_of(Who::Player(who), Question::Ask(self.function));
        question.mod_options = mod_options;
        if may_pass {
            question.choices.push(Answer::Pass);
        }
        recorded(self.answer_to(question, prompt)?)
    }

    /// Rolls a die with the given faces, each equally likely.
    pub fn roll(&mut self, faces: &[i32], why: &str) -> Result<i32, Refusal> {
        self.may_ask()?;
        if faces.is_empty() {
            return Err("a die needs a face".into());
        }
        let answered = match self.next_answer()? {
            Some(answered) => answered,
            None => {
                let mut question = self.question_of(Who::Chance, Question::Roll);
                question.choices.extend(faces.iter().map(|n| Answer::Roll(*n)));
                self.answer_to(question, why)?
            }
        };
        match answered.choice {
            Answer::Roll(n) if faces.contains(&n) => Ok(n),
            _ => Err("the recorded answer does not fit this roll".into()),
        }
    }

    /// Draws an item from a deck; `None` where it is empty.
    pub fn draw(&mut self, deck: DeckIdx) -> Result<Option<u16>, Refusal> {
        self.may_ask()?;
        if self.state.decks[deck.idx()].is_empty() {
            return Ok(None);
        }
        let answered = match self.next_answer()? {
            Some(answered) => answered,
            None => self.answer_to(self.question_of(Who::Chance, Question::Draw(deck)), "")?,
        };
        match answered.choice {
            Answer::Draw(item) if self.change()?.decks[deck.idx()].take(item) => Ok(Some(item)),
            _ => Err("the recorded answer does not fit this draw".into()),
        }
    }

    fn may_ask(&self) -> Result<(), Refusal> {
        self.look()?;
        match self.power {
            HookClass::Event => Ok(()),
            _ => Err("rules and menus may not ask; ask in an event or a phase".into()),
        }
    }

    fn next_answer(&mut self) -> Result<Option<RecordedAnswer>, Refusal> {
        if self.n_asked >= MAX_ASKS {
            return Err(format!("this call has asked {MAX_ASKS} times; does it ever stop?").into());
        }
        let answer = self.state.answers.get(self.n_asked).cloned();
        self.n_asked += 1;
        Ok(answer)
    }

    /// The answer to a question, where somebody can give it at once without knowing its words; else the call ends here.
    fn answer_to(&mut self, mut question: Decision, prompt: &str) -> Result<RecordedAnswer, Refusal> {
        let choice = self.at_once.answerer.as_ref().and_then(|it| {
            let choice = it.borrow_mut().answer(&self.ruleset, self.state, &question)?;
            question.is_legal(&self.ruleset, self.state, choice).then_some(choice)
        });
        let Some(choice) = choice else {
            question.prompt = Cow::Owned(prompt.to_owned());
            self.question = Some(question);
            return Err(Refusal::Asked);
        };
        let n_dealt = if question.who == Who::Chance { self.state.n_dealt + 1 } else { 0 };
        if n_dealt > MAX_DEALT {
            return Err(NEVER_ASKS.into());
        }
        let offer = if let Answer::ModOption(i) = choice { question.mod_options.get(i as usize) } else { None };
        let answered = RecordedAnswer { choice, offer };
        self.said.push(choice);
        if !self.at_once.no_way_back {
            self.answered.push(answered.clone());
        }
        // As if the call had ended here, been answered and come back to this place.
        let Call { state, own } = self;
        let first = own.before.as_deref_mut().unwrap_or(state);
        first.n_answers += 1;
        first.n_rolls += u32::from(matches!(choice, Answer::Roll(_)));
        (first.n_events, first.n_dealt) = (1, n_dealt);
        match &own.before {
            Some(before) => state.hear(before),
            None => state.notes_since(own.n_notes),
        }
        Ok(answered)
    }

    fn question_of(&self, who: Who, question: Question) -> Decision {
        Decision { who, question, ..Decision::default() }
    }

    /// Submits a term of the award that `score_value` is asked about.
    pub fn submit(&mut self, kind: TermKind, amount: i64, why: &str) -> Result<(), Refusal> {
        self.look()?;
        if self.scored.is_none() {
            return Err("only `score_value` may submit terms; elsewhere use score(player, points, why)".into());
        }
        let owner = Some(self.owner);
        self.lines.push(AwardLine { kind, amount, owner, why: Arc::from(why) });
        Ok(())
    }

    /// Has the running phase entered again after what this call causes.
    pub fn again(&mut self) -> Result<(), Refusal> {
        let runs = Runs::Function { function: self.function };
        if !self.ruleset.catalogue.phases.iter().any(|phase| phase.runs == runs) {
            return Err("again() enters a phase again, and this function is none".into());
        }
        self.change()?;
        self.repeats = true;
        Ok(())
    }

    /// Proposes points for a player: a batch of awards after this event.
    pub fn score(&mut self, player: Seat, points: i64, why: &str, is_loot: bool) -> Result<(), Refusal> {
        let owner = self.owner;
        let queue = Queued::Award { player, points, why: Arc::from(why), owner, is_loot, feature: None };
        self.change()?.queue.push(queue);
        Ok(())
    }

    /// Proposes what `feature` would pay `player` if the game ended now, without taking anything off it.
    pub fn score_as_at_end(&mut self, player: Seat, feature: FeatureRef, why: &str) -> Result<(), Refusal> {
        let owner = self.owner;
        let queue =
            Queued::Award { player, points: 0, why: Arc::from(why), owner, is_loot: false, feature: Some(feature) };
        self.change()?.queue.push(queue);
        Ok(())
    }
}
