//! Questions that a running function asks players and chance.

use std::borrow::Cow;
use std::sync::Arc;

use crate::call::Call;
use crate::check_options::{check_meanings, options_of};
use crate::fault::Refusal;
use crate::hooks::HookClass;
use crate::indices::DeckIdx;
use crate::mod_options::{Meanings, ModOption, OptionPrefix, OptionValues};
use crate::seat_set::SeatSet;
use crate::state::{Actor, Answer, Decision, Question, RecordedAnswer, Round, SecretAnswer};
use crate::value::Seat;

/// The maximum number of questions that one call of a function may ask.
pub const MAX_ASKS: usize = 64;

/// The form of a question to players.
#[derive(Clone, Debug, Default)]
pub struct QuestionForm {
    /// The question in words.
    pub prompt: Arc<str>,
    /// The first words of the options' texts.
    pub words: OptionPrefix,
    /// True if the player may pass. The engine does not ask a player who could only pass.
    pub may_pass: bool,
    /// The meanings of words in the options' texts, for people. The word is the key.
    pub meanings: Meanings,
}

impl Call<'_> {
    /// Asks `who` to choose one of `values`. Returns `None` if the player passes or could only
    /// pass. Only the players in `seen_by` may see the options and the choice.
    ///
    /// The text of an option consists of one of the words, if there are any, and the text of the
    /// value. Options with equal texts become one option.
    ///
    /// # Errors
    /// Returns an error if the function may not ask, if there are neither values nor a pass, or if
    /// an option cannot be written in a record. Returns [`Refusal::Asked`] until there is an
    /// answer.
    pub fn ask(
        &mut self,
        who: Seat,
        values: OptionValues,
        asking: &QuestionForm,
        seen_by: SeatSet,
    ) -> Result<Option<ModOption>, Refusal> {
        if !values.is_empty() {
            check_meanings(&asking.words, [&values].into_iter(), &asking.meanings)?;
        }
        self.ask_one(who, values, asking, seen_by, None)
    }

    /// Asks as [`ask`](Call::ask) does, but does not check `asking.meanings`, which may also
    /// explain options of other players.
    fn ask_one(
        &mut self,
        who: Seat,
        values: OptionValues,
        asking: &QuestionForm,
        seen_by: SeatSet,
        round: Option<Round>,
    ) -> Result<Option<ModOption>, Refusal> {
        self.check_may_ask()?;
        if values.is_empty() {
            return match asking.may_pass {
                true => Ok(None),
                false => Err("there is nothing to choose from: do not ask in this case".into()),
            };
        }
        match self.next_answer()? {
            Some(RecordedAnswer { answer: None | Some(Answer::Sealed), .. }) => {
                let mod_options = options_of(self.own.ruleset(), self.state, who, asking.words.clone(), values)?;
                return Ok(mod_options.get(0));
            }
            Some(RecordedAnswer { answer: Some(Answer::Pass), .. }) if asking.may_pass => return Ok(None),
            Some(RecordedAnswer { option: Some(option), .. }) => return Ok(Some(option)),
            Some(_) => return Err("the recorded answer does not fit this question".into()),
            None => {}
        }
        let Some(function) = self.function else { return Err("no question can be asked here".into()) };
        self.count_text(&asking.prompt)?;
        let mod_options = options_of(self.own.ruleset(), self.state, who, asking.words.clone(), values)?;
        let meanings = (!asking.meanings.is_empty()).then(|| Arc::new(asking.meanings.clone()));
        let choices = if asking.may_pass { vec![Answer::Pass] } else { Vec::new() };
        let seen_by = seen_by.intersection(self.state.viewers_of_options(who, &mod_options));
        let question = self.new_decision(Actor::Player(who), Question::Ask(function), &asking.prompt);
        Err(self.wait_for_answer(Decision { mod_options, choices, meanings, seen_by, round, ..question }))
    }

    /// Asks several players one after the other. `round` contains each player with the values from
    /// which this player chooses. Each choice is hidden from the other players until all players
    /// have answered. Returns the choices in the order of `round`.
    ///
    /// After all players have answered, asks each player whose answer is sealed again. The last of
    /// these players comes first.
    ///
    /// # Errors
    /// Returns an error as [`ask`](Call::ask) does, and if `round` contains a player twice.
    pub fn ask_each(
        &mut self,
        round: Vec<(Seat, OptionValues)>,
        asking: &QuestionForm,
    ) -> Result<Vec<Option<ModOption>>, Refusal> {
        let seats: SeatSet = round.iter().map(|(who, _)| *who).collect();
        if seats.n_seats() < round.len() {
            return Err("a player cannot be asked twice in one round".into());
        }
        let lists = round.iter().map(|(_, values)| values).filter(|values| !values.is_empty());
        if lists.clone().next().is_some() {
            check_meanings(&asking.words, lists, &asking.meanings)?;
        }
        // The answers of one call are consecutive in the log.
        let first_of_call = self.state.first_answer_of_call();
        let first = first_of_call + self.n_asked as u32;
        let mut later: SeatSet = round.iter().filter(|(_, values)| !values.is_empty()).map(|(who, _)| *who).collect();
        let mut chosen = Vec::with_capacity(round.len());
        let mut sealed = Vec::new();
        for (who, values) in round {
            later = later.without(who.into());
            let given = self.state.machine.answers.get(self.n_asked).filter(|_| !values.is_empty());
            if given.is_some_and(|given| given.answer == Some(Answer::Sealed)) {
                sealed.push((chosen.len(), first_of_call + self.n_asked as u32, who, values.clone()));
            }
            let place = Round { first, later, opens: None };
            chosen.push(self.ask_one(who, values, asking, who.into(), Some(place))?);
        }
        for (i, number, who, values) in sealed.into_iter().rev() {
            let place = Round { first, later, opens: Some(number) };
            let opened = self.ask_one(who, values, asking, SeatSet::ALL, Some(place))?;
            if let Some(choice) = chosen.get_mut(i) {
                *choice = opened;
            }
        }
        let given = first..first_of_call + self.n_asked as u32;
        let is_of_round = |secret: &SecretAnswer| given.contains(&secret.answer);
        if self.state.machine.secrets.iter().any(is_of_round) {
            self.state_mut()?.machine.secrets.retain(|secret| !is_of_round(secret));
        }
        Ok(chosen)
    }

    /// Rolls a die with the given faces, which are equally likely.
    ///
    /// # Errors
    /// Returns an error if the function may not ask or there is no face. Returns [`Refusal::Asked`]
    /// until there is an answer.
    pub fn roll(&mut self, faces: &[i32], reason: &str) -> Result<i32, Refusal> {
        self.check_may_ask()?;
        if faces.is_empty() {
            return Err("a die needs a face".into());
        }
        match self.next_answer()?.map(|recorded| recorded.answer) {
            Some(Some(Answer::Roll(n))) if faces.contains(&n) => Ok(n),
            Some(_) => Err("the recorded answer does not fit this roll".into()),
            None => {
                let choices = faces.iter().map(|n| Answer::Roll(*n)).collect();
                let question = self.new_decision(Actor::Chance, Question::Roll, reason);
                Err(self.wait_for_answer(Decision { choices, ..question }))
            }
        }
    }

    /// Draws an item from a deck. Returns `None` if the deck is empty. Only the players in
    /// `seen_by` may see the item.
    ///
    /// # Errors
    /// Returns an error if the function may not ask. Returns [`Refusal::Asked`] until there is an
    /// answer.
    pub fn draw(&mut self, deck: DeckIdx, prompt: &str, seen_by: SeatSet) -> Result<Option<u16>, Refusal> {
        self.check_may_ask()?;
        let Some(first) = self.state.decks[deck.idx()].front().first().map(|stack| Answer::Draw(stack.item)) else {
            return Ok(None);
        };
        match self.next_answer()?.map(|recorded| recorded.answer.unwrap_or(first)) {
            Some(Answer::Draw(item)) if self.state_mut()?.decks[deck.idx()].take(item) => Ok(Some(item)),
            Some(_) => Err("the recorded answer does not fit this draw".into()),
            None => {
                let question = self.new_decision(Actor::Chance, Question::Draw(deck), prompt);
                Err(self.wait_for_answer(Decision { seen_by, ..question }))
            }
        }
    }

    fn check_may_ask(&self) -> Result<(), Refusal> {
        self.checked_state()?;
        match self.class {
            HookClass::Effect => Ok(()),
            _ => Err("rules and menus may not ask; ask in an event or a phase".into()),
        }
    }

    fn next_answer(&mut self) -> Result<Option<RecordedAnswer>, Refusal> {
        if self.n_asked >= MAX_ASKS {
            return Err(format!("this call has asked {MAX_ASKS} times; it seems never to stop").into());
        }
        let answer = self.state.machine.answers.get(self.n_asked).cloned();
        self.own.n_asked += 1;
        Ok(answer)
    }

    /// Stops the call until `question` has an answer. From now on, every query and every effect of
    /// the function fails.
    fn wait_for_answer(&mut self, question: Decision) -> Refusal {
        self.question = Some(question);
        Refusal::Asked
    }

    fn new_decision(&self, who: Actor, question: Question, prompt: &str) -> Decision {
        Decision { who, question, prompt: Cow::Owned(prompt.to_owned()), ..Decision::default() }
    }
}
