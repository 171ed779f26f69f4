#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod invalid_value;
mod survey;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;

use diagnostic::ExpectOrDefault as _;
use serde::{Deserialize, Serialize};

use self::invalid_value::check_length;
pub use invalid_value::{InvalidValue, ReplyError, TooLong};
pub use survey::{Reply, SurveyAnswers, SurveyQuestion};

/// The word that begins the format's name in every file.
const FORMAT: &str = "bastide playtest";
/// The version of the format.
const VERSION: u32 = 1;

/// The end of the names of files with playtests.
pub const FILE_ENDING: &str = ".playtest.json";

/// The maximum size of a file, in bytes.
pub const MAX_BYTES: u64 = 32 << 20;
/// The maximum length of a note and of a text in a survey, in characters.
pub const MAX_NOTE: usize = 500;
/// The maximum length of other texts, such as questions and answers of the game, in characters.
pub const MAX_TEXT: usize = 200;
/// The maximum number of questions in a survey.
pub const MAX_QUESTIONS: usize = 64;
/// The maximum number of choices of a question.
pub const MAX_CHOICES: usize = 20;
const MAX_RULES: usize = 100;
const MAX_MODS: usize = 255;
/// The maximum number of people in a file.
pub(crate) const MAX_PEOPLE: usize = 200;
const MAX_ANSWERS: usize = 10_000;
const MAX_NOTES: usize = 2_000;
const MAX_REPLIES: usize = 2_000;
const MAX_THUMBS: usize = 2_000;
/// The maximum number of notes of a person.
const MAX_NOTES_OF_PERSON: usize = 200;
/// The maximum number of thumbs of a person.
const MAX_THUMBS_OF_PERSON: usize = 200;

/// The data of a game that people tried.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Playtest {
    format: String,
    version: u32,
    /// The name of the file with the record, in the same folder.
    pub record: String,
    /// The rules of the game, in the order in which they were in play.
    pub rules: Vec<TestedRules>,
    /// The people who agreed.
    pub people: Vec<Person>,
    /// The answers of these people, in the order of time.
    pub answers: Vec<TimedAnswer>,
    /// The notes of these people, in the order of time.
    pub notes: Vec<Note>,
    /// The replies of these people to the survey.
    pub replies: Vec<SurveyReply>,
    /// The opinions of these people about explanations of rules, in the order of time.
    #[serde(default)]
    pub thumbs: Vec<Thumb>,
}

/// The mods in play, and the survey that they declare.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestedRules {
    /// The mods, in load order.
    pub mods: Vec<TestedMod>,
    /// The questions of the mods.
    pub survey: Vec<SurveyQuestion>,
}

/// A version of a mod.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestedMod {
    /// The id.
    pub id: String,
    /// The version in the manifest.
    pub version: String,
    /// The hash of the mod's files, 16 hexadecimal digits.
    pub hash: String,
}

/// A person who agreed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// The number of the person in this file, from 1.
    pub id: u32,
    /// The colour of the person's seat; `None` for a spectator.
    pub seat: Option<String>,
}

/// An answer of a person in the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimedAnswer {
    /// The number of answers before this one.
    pub n: u32,
    /// The person.
    pub person: u32,
    /// The index of the rules.
    pub rules: u32,
    /// The text of the question.
    pub question: String,
    /// The id of the mod that asks the question; `None` if the engine asks.
    pub asked_by: Option<String>,
    /// The text of the answer, as in the record.
    pub answer: String,
    /// The time from the moment at which the question was sent until the answer arrived, in
    /// milliseconds.
    pub ms: u32,
    /// True if the answer was undone.
    pub undone: bool,
}

/// A note of a person at a moment of the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// The number of answers before the moment.
    pub n: u32,
    /// The turn, counted from 1; 0 before the first turn.
    pub turn: u32,
    /// The person.
    pub person: u32,
    /// The index of the rules.
    pub rules: u32,
    /// The subject, such as a question or the reason of points; `None` if the note is about the
    /// moment.
    pub about: Option<String>,
    /// The text.
    pub text: String,
}

/// A person's opinion of the explanation of a rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thumb {
    /// The number of answers before the moment.
    pub n: u32,
    /// The turn, counted from 1; 0 before the first turn.
    pub turn: u32,
    /// The person.
    pub person: u32,
    /// The index of the rules.
    pub rules: u32,
    /// The name of the rule: the reason of the points that the person looked at.
    pub rule: String,
    /// True if the person understood the explanation.
    pub up: bool,
}

/// A reply of a person to a question of the survey.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurveyReply {
    /// The person.
    pub person: u32,
    /// The index of the rules.
    pub rules: u32,
    /// The id of the question.
    pub question: String,
    /// The reply.
    pub reply: Reply,
}

/// The reason why a text is not a playtest.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadPlaytestError {
    /// The text is empty.
    #[error("the file is empty")]
    Empty,
    /// The text is longer than [`MAX_BYTES`].
    #[error("the file is larger than the limit of {} MB", MAX_BYTES >> 20)]
    TooLarge,
    /// The text is not JSON, or has other fields than the format.
    #[error("line {line}: {message}")]
    Malformed {
        /// The line, counted from 1.
        line: usize,
        /// The problem.
        message: String,
    },
    /// The text is JSON of another format.
    #[error("this is not a playtest: `format` must be \"{FORMAT}\"")]
    OtherFormat,
    /// The file has a version that this program does not know.
    #[error("the file has version {0} of the format; this program reads version {VERSION}")]
    OtherVersion(u64),
    /// A value contradicts another one or exceeds a limit.
    #[error(transparent)]
    Invalid(#[from] InvalidValue),
}

/// The reason why an entry cannot be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this playtest has no room for more")]
pub struct Full;

/// The fields that every version of the format has.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    format: String,
    #[serde(default)]
    version: u64,
}

impl Playtest {
    /// Makes a playtest without data for the game with this record.
    pub fn new(record: String) -> Playtest {
        Playtest { format: FORMAT.to_owned(), version: VERSION, record, ..Playtest::default() }
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// Returns an error if the text is too long, is no playtest, has another version, or if its
    /// values contradict each other or exceed a limit.
    pub fn read(text: &str) -> Result<Playtest, ReadPlaytestError> {
        if text.len() as u64 > MAX_BYTES {
            return Err(ReadPlaytestError::TooLarge);
        }
        if text.trim().is_empty() {
            return Err(ReadPlaytestError::Empty);
        }
        let malformed = |error: serde_json::Error| {
            // The message of the library ends with the place.
            let message = error.to_string();
            let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message).to_owned();
            ReadPlaytestError::Malformed { line: error.line(), message }
        };
        let head: Head = serde_json::from_str(text).map_err(malformed)?;
        if head.format != FORMAT {
            return Err(ReadPlaytestError::OtherFormat);
        }
        if head.version != u64::from(VERSION) {
            return Err(ReadPlaytestError::OtherVersion(head.version));
        }
        let read: Playtest = serde_json::from_str(text).map_err(malformed)?;
        read.check()?;
        Ok(read)
    }

    /// Returns the text of the file.
    pub fn text(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect_or_default("all keys are texts, and nothing is written to a device") + "\n"
    }

    /// Returns whether the file contains nothing that people did or said.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty() && self.notes.is_empty() && self.replies.is_empty() && self.thumbs.is_empty()
    }

    /// Adds a person at a seat, or a spectator, and returns the number of the person.
    ///
    /// # Errors
    /// Returns an error if the file has too many people.
    pub fn add_person(&mut self, seat: Option<String>) -> Result<u32, Full> {
        if self.people.len() >= MAX_PEOPLE {
            return Err(Full);
        }
        let id = self.people.iter().map(|person| person.id).max().unwrap_or(0).checked_add(1).ok_or(Full)?;
        self.people.push(Person { id, seat });
        Ok(id)
    }

    /// Sets the seat of a person.
    pub fn set_seat(&mut self, person: u32, seat: String) {
        if let Some(person) = self.people.iter_mut().find(|it| it.id == person) {
            person.seat = Some(seat);
        }
    }

    /// Removes a person with everything that the person did and said.
    pub fn forget(&mut self, person: u32) {
        self.people.retain(|it| it.id != person);
        self.answers.retain(|it| it.person != person);
        self.notes.retain(|it| it.person != person);
        self.replies.retain(|it| it.person != person);
        self.thumbs.retain(|it| it.person != person);
    }

    /// Returns whether a person has done or said something.
    pub fn has_data_of(&self, person: u32) -> bool {
        self.answers.iter().any(|it| it.person == person)
            || self.notes.iter().any(|it| it.person == person)
            || self.replies.iter().any(|it| it.person == person)
            || self.thumbs.iter().any(|it| it.person == person)
    }

    /// Returns the index of `rules`, after adding them if they are new.
    ///
    /// # Errors
    /// Returns an error if the file has too many rules.
    pub fn index_of_rules(&mut self, rules: &TestedRules) -> Result<u32, Full> {
        let known = self.rules.iter().position(|known| known == rules);
        let index = known.unwrap_or(self.rules.len());
        if known.is_none() {
            if self.rules.len() >= MAX_RULES {
                return Err(Full);
            }
            self.rules.push(rules.clone());
        }
        Ok(index as u32)
    }

    /// Adds an answer.
    ///
    /// # Errors
    /// Returns an error if the file has too many answers.
    pub fn add_answer(&mut self, answer: TimedAnswer) -> Result<(), Full> {
        if self.answers.len() >= MAX_ANSWERS {
            return Err(Full);
        }
        let TimedAnswer { question, answer: text, .. } = answer;
        let answer = TimedAnswer { question: cut(&question, MAX_TEXT), answer: cut(&text, MAX_TEXT), ..answer };
        self.answers.push(answer);
        Ok(())
    }

    /// Marks the answers from number `n` on as undone.
    pub fn undo_to(&mut self, n: u32) {
        self.answers.iter_mut().filter(|answer| answer.n >= n).for_each(|answer| answer.undone = true);
    }

    /// Adds a note.
    ///
    /// # Errors
    /// Returns an error if the file or the person has too many notes.
    pub fn add_note(&mut self, note: Note) -> Result<(), Full> {
        let n_own = self.notes.iter().filter(|it| it.person == note.person).count();
        if self.notes.len() >= MAX_NOTES || n_own >= MAX_NOTES_OF_PERSON {
            return Err(Full);
        }
        let about = note.about.map(|about| cut(&about, MAX_TEXT));
        self.notes.push(Note { about, text: cut(&note.text, MAX_NOTE), ..note });
        Ok(())
    }

    /// Adds a thumb. Replaces the earlier thumb of the person about the same rule of these rules.
    ///
    /// # Errors
    /// Returns an error if the file or the person has too many thumbs.
    pub fn set_thumb(&mut self, thumb: Thumb) -> Result<(), Full> {
        let thumb = Thumb { rule: cut(&thumb.rule, MAX_TEXT), ..thumb };
        let key = |it: &Thumb| (it.person, it.rules, it.rule.clone());
        self.thumbs.retain(|it| key(it) != key(&thumb));
        let n_own = self.thumbs.iter().filter(|it| it.person == thumb.person).count();
        if self.thumbs.len() >= MAX_THUMBS || n_own >= MAX_THUMBS_OF_PERSON {
            return Err(Full);
        }
        self.thumbs.push(thumb);
        Ok(())
    }

    /// Replaces the replies of a person to the questions of these replies.
    ///
    /// # Errors
    /// Returns an error if the file has too many replies.
    pub fn set_replies(&mut self, person: u32, rules: u32, replies: Vec<(String, Reply)>) -> Result<(), Full> {
        let is_other = |it: &&SurveyReply| it.person != person || replies.iter().all(|(id, _)| *id != it.question);
        if self.replies.iter().filter(is_other).count() + replies.len() > MAX_REPLIES {
            return Err(Full);
        }
        self.replies.retain(|it| is_other(&it));
        let reply = |(question, reply)| SurveyReply { person, rules, question, reply };
        self.replies.extend(replies.into_iter().map(reply));
        Ok(())
    }

    /// Checks limits and references.
    ///
    /// # Errors
    /// Returns an error about the first value that is wrong.
    fn check(&self) -> Result<(), InvalidValue> {
        let name = self.record.as_str();
        if name.is_empty() || name.len() > 255 || name.contains(['/', '\\', '\0']) || name.starts_with('.') {
            return Err(InvalidValue::RecordName);
        }
        for (list, n, max) in [
            ("rules", self.rules.len(), MAX_RULES),
            ("people", self.people.len(), MAX_PEOPLE),
            ("answers", self.answers.len(), MAX_ANSWERS),
            ("notes", self.notes.len(), MAX_NOTES),
            ("replies", self.replies.len(), MAX_REPLIES),
            ("thumbs", self.thumbs.len(), MAX_THUMBS),
        ] {
            if n > max {
                return Err(InvalidValue::TooManyEntries { list, n, max });
            }
        }
        for (i, rules) in self.rules.iter().enumerate() {
            rules.check().map_err(InvalidValue::in_entry(format!("rules {i}")))?;
        }
        for (i, person) in self.people.iter().enumerate() {
            if self.people.iter().take(i).any(|other| other.id == person.id) {
                return Err(InvalidValue::PersonTwice(person.id));
            }
            check_length(person.seat.as_deref().unwrap_or_default(), MAX_TEXT)
                .map_err(InvalidValue::in_entry(format!("person {}", person.id)))?;
        }
        for (i, answer) in self.answers.iter().enumerate() {
            let texts = [&answer.question, answer.asked_by.as_ref().unwrap_or(&answer.question), &answer.answer];
            self.check_entry(answer.person, answer.rules, texts.map(|text| (text.as_str(), MAX_TEXT)))
                .map_err(InvalidValue::in_entry(format!("answer {i}")))?;
        }
        for (i, note) in self.notes.iter().enumerate() {
            let texts = [(note.text.as_str(), MAX_NOTE), (note.about.as_deref().unwrap_or_default(), MAX_TEXT)];
            self.check_entry(note.person, note.rules, texts).map_err(InvalidValue::in_entry(format!("note {i}")))?;
        }
        for (i, reply) in self.replies.iter().enumerate() {
            self.check_reply(reply).map_err(InvalidValue::in_entry(format!("reply {i}")))?;
        }
        for (i, thumb) in self.thumbs.iter().enumerate() {
            self.check_entry(thumb.person, thumb.rules, [(thumb.rule.as_str(), MAX_TEXT)])
                .map_err(InvalidValue::in_entry(format!("thumb {i}")))?;
        }
        Ok(())
    }

    fn check_entry<'t>(
        &self,
        person: u32,
        rules: u32,
        texts: impl IntoIterator<Item = (&'t str, usize)>,
    ) -> Result<(), InvalidValue> {
        if self.people.iter().all(|it| it.id != person) {
            return Err(InvalidValue::NoPerson(person));
        }
        if self.rules.get(rules as usize).is_none() {
            return Err(InvalidValue::NoRules(rules));
        }
        Ok(texts.into_iter().try_for_each(|(text, max)| check_length(text, max))?)
    }

    fn check_reply(&self, reply: &SurveyReply) -> Result<(), InvalidValue> {
        self.check_entry(reply.person, reply.rules, [(reply.question.as_str(), MAX_TEXT)])?;
        let rules = self.rules.get(reply.rules as usize).ok_or(InvalidValue::NoRules(reply.rules))?;
        let question = rules.survey.iter().find(|it| it.id == reply.question);
        let question = question.ok_or_else(|| InvalidValue::NoQuestion(reply.question.clone()))?;
        Ok(question.check(&reply.reply)?)
    }
}

impl TestedRules {
    fn check(&self) -> Result<(), InvalidValue> {
        if self.mods.len() > MAX_MODS || self.survey.len() > MAX_QUESTIONS {
            return Err(InvalidValue::TooManyMods);
        }
        for it in &self.mods {
            [&it.id, &it.version, &it.hash].into_iter().try_for_each(|text| check_length(text, MAX_TEXT))?;
        }
        self.survey.iter().try_for_each(|question| {
            question.check_declaration().map_err(InvalidValue::in_entry(format!("question `{}`", question.id)))
        })
    }

    /// Returns a short name, such as `base 1.0.0, river 1.0.1`.
    pub fn label(&self) -> String {
        let mods: Vec<String> = self.mods.iter().map(|it| format!("{} {}", it.id, it.version)).collect();
        mods.join(", ")
    }
}

fn cut(text: &str, max: usize) -> String {
    text.chars().take(max).collect()
}
