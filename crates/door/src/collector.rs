//! The playtest of a table: times, notes, thumbs and survey replies of the guests who agree.

use std::collections::BTreeMap;

use platform::time::Instant;
use playtest::{Note, Playtest, TestedRules, Thumb, TimedAnswer};
use serde::{Deserialize, Serialize};
use table::Prompt;

use crate::chat::cleaned;
use crate::client_id::ClientId;
use crate::protocol::PlaytestView;
use crate::rate::RateLimit;
use crate::request_error::RequestError;

/// The number of notes, thumbs, replies and consents that a guest may send at once.
const BURST: u32 = 6;
/// The number of further ones per second.
const PER_SECOND: f64 = 0.5;

/// A guest's answer to the question of whether the host may collect data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Consent {
    /// The guest declines: nothing of this guest is stored.
    Declined,
    /// The guest agrees, and is the person with this number in the playtest.
    Agreed(u32),
}

/// The people at a table who take part in a playtest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Agreements {
    /// By seat: true if the guest agrees, false if it declines; `None` before the guest has said
    /// so, and for free seats.
    pub seats: Vec<Option<bool>>,
    /// The number of connected spectators who agree, without the program that runs the table.
    pub n_spectators: usize,
}

/// A question that a client has received and not answered yet.
struct ShownQuestion {
    client: ClientId,
    n: u32,
    question: String,
    asked_by: Option<String>,
    since: Instant,
}

/// Collects the playtest of a table.
pub(crate) struct Collector {
    pub playtest: Playtest,
    /// The rules in play.
    pub rules: TestedRules,
    /// True if `playtest` has changed since the host stored it.
    pub is_unsaved: bool,
    shown: Option<ShownQuestion>,
    limits: BTreeMap<ClientId, RateLimit>,
}

impl Collector {
    pub fn new(playtest: Playtest, rules: TestedRules) -> Collector {
        Collector { playtest, rules, is_unsaved: false, shown: None, limits: BTreeMap::new() }
    }

    /// Counts a note, a reply or a consent of a client.
    ///
    /// # Errors
    /// Returns an error if the client has sent too many.
    pub fn count(&mut self, client: ClientId, now: Instant) -> Result<(), RequestError> {
        let limit = self.limits.entry(client).or_insert_with(|| RateLimit::new(BURST, PER_SECOND, now));
        if limit.try_take(now) { Ok(()) } else { Err(RequestError::TooManyMessages) }
    }

    /// Forgets a client that has disconnected, and its person if there are no data of this person.
    /// `person` is `None` if the person has a seat, to which the guest can return.
    pub fn disconnect(&mut self, client: ClientId, person: Option<u32>) {
        self.limits.remove(&client);
        if let Some(person) = person.filter(|person| !self.playtest.has_data_of(*person)) {
            self.playtest.forget(person);
            self.is_unsaved = true;
        }
    }

    /// Returns the consent of a guest who now agrees or declines, and whose consent was `before`.
    /// If the guest declines, removes the data of this guest.
    ///
    /// # Errors
    /// Returns an error if the playtest has too many people.
    pub(crate) fn consent(
        &mut self,
        before: Option<Consent>,
        agrees: bool,
        seat: Option<String>,
    ) -> Result<Consent, RequestError> {
        self.is_unsaved = true;
        match (before, agrees) {
            (Some(Consent::Agreed(person)), true) => Ok(Consent::Agreed(person)),
            (_, true) => Ok(Consent::Agreed(self.playtest.add_person(seat)?)),
            (before, false) => {
                if let Some(Consent::Agreed(person)) = before {
                    self.playtest.forget(person);
                }
                Ok(Consent::Declined)
            }
        }
    }

    /// Notes the question that a client has received, unless it is the same question as before.
    /// `None` means that no connected guest must answer.
    pub fn show(&mut self, question: Option<(ClientId, u32, Prompt<'_>)>, now: Instant) {
        let Some((client, n, prompt)) = question else {
            self.shown = None;
            return;
        };
        let is_same = |it: &ShownQuestion| it.client == client && it.n == n && it.question == prompt.text;
        if !self.shown.as_ref().is_some_and(is_same) {
            let asked_by = prompt.asked_by.map(|info| info.id.clone());
            self.shown = Some(ShownQuestion { client, n, question: prompt.text.to_owned(), asked_by, since: now });
        }
    }

    /// Measures the time of the open question from `now` on, because the client was not ready
    /// before.
    pub(crate) fn restart_time(&mut self, client: ClientId, now: Instant) {
        if let Some(shown) = self.shown.as_mut().filter(|shown| shown.client == client) {
            shown.since = now;
        }
    }

    /// Forgets the open question, because the game has gone back or has other rules.
    pub(crate) fn forget_question(&mut self) {
        self.shown = None;
    }

    /// Returns the open question of a client as the number of answers before it; `None` if the
    /// client has none.
    pub(crate) fn open_question(&self, client: ClientId) -> Option<u32> {
        Some(self.shown.as_ref().filter(|shown| shown.client == client)?.n)
    }

    /// Adds a client's answer to the question that it has received.
    pub fn add_answer(&mut self, client: ClientId, consent: Option<Consent>, answer: &str, now: Instant) {
        let Some(shown) = self.shown.take().filter(|shown| shown.client == client) else { return };
        let Some(Consent::Agreed(person)) = consent else { return };
        let Ok(rules) = self.playtest.index_of_rules(&self.rules) else { return };
        // An earlier answer to the same question was undone.
        self.playtest.undo_to(shown.n);
        let ms = now.saturating_duration_since(shown.since).as_millis();
        let answer = TimedAnswer {
            n: shown.n,
            person,
            rules,
            question: shown.question,
            asked_by: shown.asked_by,
            answer: cleaned(answer, playtest::MAX_TEXT),
            ms: u32::try_from(ms).unwrap_or(u32::MAX),
            undone: false,
        };
        // A full playtest takes no more answers; the game goes on.
        self.is_unsaved |= self.playtest.add_answer(answer).is_ok();
    }

    /// Marks the answers from number `n` on as undone.
    pub fn undo_to(&mut self, n: usize) {
        self.forget_question();
        self.playtest.undo_to(n as u32);
        self.is_unsaved = true;
    }

    /// Marks the answers that are no longer in the game as undone. `text_at` returns the text of an
    /// answer of the game by its number.
    pub(crate) fn undo_others_than<'t>(&mut self, text_at: impl Fn(usize) -> Option<&'t str>) {
        let is_in = |answer: &TimedAnswer| {
            text_at(answer.n as usize).is_some_and(|text| cleaned(text, playtest::MAX_TEXT) == answer.answer)
        };
        let undone =
            self.playtest.answers.iter().filter(|answer| !answer.undone && !is_in(answer)).map(|it| it.n).min();
        if let Some(n) = undone {
            self.playtest.undo_to(n);
            self.is_unsaved = true;
        }
    }

    /// Adds a note of a person.
    ///
    /// # Errors
    /// Returns an error if the note is empty, or if the playtest has too many notes.
    pub fn add_note(
        &mut self,
        person: u32,
        n: u32,
        turn: u32,
        about: Option<&str>,
        text: &str,
    ) -> Result<(), RequestError> {
        let text = cleaned(text, playtest::MAX_NOTE);
        if text.is_empty() {
            return Err(RequestError::EmptyNote);
        }
        let about = about.map(|about| cleaned(about, playtest::MAX_TEXT)).filter(|about| !about.is_empty());
        let added = self
            .playtest
            .index_of_rules(&self.rules)
            .and_then(|rules| self.playtest.add_note(Note { n, turn, person, rules, about, text }));
        self.is_unsaved = true;
        Ok(added?)
    }

    /// Sets the opinion of a person about the explanation of a rule.
    ///
    /// # Errors
    /// Returns an error if the rule has no name, or if the playtest has too many thumbs.
    pub fn set_thumb(&mut self, person: u32, n: u32, turn: u32, rule: &str, up: bool) -> Result<(), RequestError> {
        let rule = cleaned(rule, playtest::MAX_TEXT);
        if rule.is_empty() {
            return Err(RequestError::NamelessRule);
        }
        let rules = self.playtest.index_of_rules(&self.rules)?;
        self.is_unsaved = true;
        Ok(self.playtest.set_thumb(Thumb { n, turn, person, rules, rule, up })?)
    }

    /// Sets replies of a person: ids of questions, and the texts that the person typed.
    ///
    /// # Errors
    /// Returns an error if a reply does not answer its question.
    pub fn set_replies(&mut self, person: u32, typed: &[(String, String)]) -> Result<(), RequestError> {
        let mut replies = Vec::new();
        for (id, text) in typed {
            let question = self.rules.survey.iter().find(|question| question.id == *id);
            let question = question.ok_or(RequestError::NoSuchQuestion)?;
            if replies.iter().any(|(known, _)| known == id) {
                return Err(RequestError::AnsweredTwice);
            }
            let text = cleaned(text, playtest::MAX_NOTE);
            let reply = question.parse(&text);
            let reply = reply.map_err(|error| RequestError::Reply { question: question.text.clone(), error })?;
            replies.push((id.clone(), reply));
        }
        let rules = self.playtest.index_of_rules(&self.rules)?;
        self.is_unsaved = true;
        Ok(self.playtest.set_replies(person, rules, replies)?)
    }

    /// Returns the opinions of a person about the rules in play.
    fn thumbs_of(&self, person: Option<u32>) -> Vec<(String, bool)> {
        let rules = self.playtest.rules.iter().position(|rules| *rules == self.rules).map(|i| i as u32);
        let own = self.playtest.thumbs.iter().filter(|it| Some(it.person) == person && Some(it.rules) == rules);
        own.map(|it| (it.rule.clone(), it.up)).collect()
    }

    /// Returns the playtest as a client with this consent sees it.
    pub fn view(&self, consent: Option<Consent>) -> PlaytestView {
        let person = if let Some(Consent::Agreed(person)) = consent { Some(person) } else { None };
        PlaytestView {
            survey: self.rules.survey.clone(),
            agrees: consent.map(|consent| consent != Consent::Declined),
            has_replied: self.playtest.replies.iter().any(|reply| Some(reply.person) == person),
            thumbs: self.thumbs_of(person),
        }
    }
}
