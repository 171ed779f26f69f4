//! The state of a game: the position and the open decision, as plain data that is cheap to copy.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use board::{FeatureRef, Placement, TileIdx, ZoneRef};

use crate::decks::ItemStack;
use crate::indices::{DeckIdx, FnIdx, PieceKindIdx};
use crate::memories::Memories;
use crate::mod_options::{Meanings, ModOption, ModOptions};
use crate::position::{Position, TurnPart};
use crate::ruleset::{Ruleset, hash_text};
use crate::seat_set::SeatSet;
use crate::shared_list::{SharedList, clone_by_field};
use crate::step::{Consequence, EngineStep, PhaseStage};
use crate::value::Seat;

clone_by_field! {
    /// A game at one moment, as plain data: the position and the engine's pending work.
    ///
    /// Two states reached by the same answers under the same rules are equal. A state dereferences
    /// to its position, so that all queries of positions work on states.
    #[derive(PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
    pub struct State {
        pub(crate) position: Position,
        pub(crate) machine: EngineState,
    }
}

impl Deref for State {
    type Target = Position;

    #[inline]
    fn deref(&self) -> &Position {
        &self.position
    }
}

impl DerefMut for State {
    #[inline]
    fn deref_mut(&mut self) -> &mut Position {
        &mut self.position
    }
}

clone_by_field! {
    /// The progress of the engine: its pending steps and the open question.
    #[derive(PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
    pub(crate) struct EngineState {
        /// The pending steps. The engine runs the last item next.
        #[serde(skip)]
        pub agenda: Vec<EngineStep>,
        /// The consequences that the running step has caused so far.
        #[serde(skip)]
        pub queue: Vec<Consequence>,
        /// The answers that the running function has received so far, in order. When the function
        /// runs again, each of its questions takes the next answer.
        #[serde(skip)]
        pub answers: Vec<RecordedAnswer>,
        /// The answers that some players may not see, in the order of the log.
        #[serde(skip)]
        pub secrets: SharedList<SecretAnswer>,
        /// The open decision; without meaning unless `is_waiting` is true.
        pub decision: Decision,
        /// True if the engine waits for an answer.
        pub is_waiting: bool,
        /// The number of events since the last answer. An event is the end of a turn, or a call of
        /// a mod's function that may change the game (see `MAX_EVENTS`).
        pub n_events: u32,
        /// The number of answers of chance since the last answer of a player.
        pub n_dealt: u32,
        /// The number of answers in the current turn.
        pub n_answers: u32,
        /// The approximate size of the notes and awards of the game, in bytes.
        pub n_bytes: usize,
        /// The legal placements of the drawn tile, if mods filter placements or if kinds of land on
        /// the tile constrain them. Otherwise empty.
        pub places: Vec<Answer>,
        /// The number of placements of the drawn tile, if matching edges are the only condition.
        /// Otherwise 0.
        pub n_places: usize,
        /// While a function waits for an answer: the state with the function's effects so far.
        /// `None` if there are no such effects.
        #[serde(skip)]
        pub view: Option<Box<State>>,
    }
}

impl State {
    /// Returns the open decision; `None` if the engine does not wait for an answer.
    pub fn decision(&self) -> Option<&Decision> {
        self.machine.is_waiting.then_some(&self.machine.decision)
    }

    /// Returns the state to show to players. While a function of a mod waits for an answer, the
    /// result contains the effects of that function so far. Otherwise returns the state itself.
    pub fn view(&self) -> &State {
        self.machine.view.as_deref().unwrap_or(self)
    }

    /// Returns the part of the state that a client without rules needs to show the game: the
    /// position that players see, and the open decision. The result lacks the engine's pending work
    /// and the stored data of mods, so the game cannot continue from it.
    #[must_use]
    pub fn for_display(&self) -> State {
        let EngineState { decision, is_waiting, n_dealt, n_answers, places, n_places, .. } = self.machine.clone();
        let machine =
            EngineState { decision, is_waiting, n_dealt, n_answers, places, n_places, ..EngineState::default() };
        let mut position = self.view().position.clone();
        position.memory = Default::default();
        position.parts.iter_mut().for_each(|part| part.outer_memory = Memories::default());
        State { position, machine }
    }

    /// Returns whether a turn has just begun and nothing has happened in it yet. If so, the `given`
    /// lines of a record can describe the whole state.
    pub fn is_settled(&self) -> bool {
        let fresh = |part: &TurnPart| part.tile_type.is_none() && part.completed.is_empty();
        let is_draw = |d: &Decision| matches!(d.question, Question::Draw(_) | Question::Source);
        let at_start = matches!(
            self.machine.agenda[..],
            [EngineStep::Phase { at: 0, stage: PhaseStage::Begun | PhaseStage::NoChoiceOfSource }]
        );
        let at_start = at_start && self.parts.len() == 1 && self.parts.iter().all(fresh);
        let [part, turn, _] = &self.memory;
        let forgot = part.is_empty() && turn.is_empty();
        let quiet = forgot && self.turn.as_ref().is_some_and(|t| t.part_reasons.is_empty());
        at_start
            && quiet
            && self.ending.is_none()
            && self.machine.answers.is_empty()
            && self.decision().is_some_and(is_draw)
    }

    /// Returns a hash of the work in progress, or `None` if the state is settled (see
    /// [`is_settled`](State::is_settled)). The hash is the same on every machine. It covers the
    /// turn and its parts with their stored data, the pending steps, and a pending end of the game.
    /// It also covers the answers so far to a function that asks.
    pub fn progress_hash(&self) -> Option<u64> {
        let Position { turn, parts, touched, memory: [part, turn_memory, _], .. } = &self.position;
        let EngineState { agenda, answers, secrets, .. } = &self.machine;
        // Numbers the answers backwards from the last, because a state read from a record lacks the
        // earlier answers.
        let of_call = secrets.iter().map(|secret| (self.n_answers - secret.answer, secret.seen_by));
        let of_call: Vec<_> = of_call.filter(|(n_back, _)| *n_back as usize <= answers.len()).collect();
        let going_on = (turn, parts, touched, part, turn_memory, agenda, answers, of_call);
        let mut text = format!("{going_on:?}");
        if let Some(ending) = self.ending {
            text += &format!("{ending:?}");
        }
        (!self.is_settled()).then(|| hash_text(&text))
    }

    /// Returns whether the placements of the drawn tile are stored, as a number or as a list.
    pub(crate) fn has_places(&self) -> bool {
        self.machine.n_places > 0 || !self.machine.places.is_empty()
    }

    /// Discards the placements of the drawn tile, because the board or the tile has changed.
    pub(crate) fn discard_places(&mut self) {
        self.machine.n_places = 0;
        self.machine.places.clear();
    }
}

/// The actor who answers a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Actor {
    /// A player.
    Player(Seat),
    /// Chance: a draw or a die.
    Chance,
}

/// The subject of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Question {
    /// Chance: the item to draw from the first group of the deck.
    Draw(DeckIdx),
    /// Chance: the face of a rolled die.
    Roll,
    /// The source of the next tile: the deck, or another source that a mod offers.
    Source,
    /// The placement of the drawn tile.
    Place(TileIdx),
    /// The piece to deploy, and the zone on which to deploy it.
    Deploy,
    /// The score marker that gets points.
    Marker {
        /// The number of points that the marker gets.
        points: i64,
        /// The feature that pays the points; `None` if the points come from a mod.
        feature: Option<FeatureRef>,
    },
    /// The feature whose points the core books next, among the features that are scored together.
    Order,
    /// A question that this function of a mod asks.
    Ask(FnIdx),
}

impl Question {
    /// Returns whether the question is about booking points: the score marker, or the order.
    pub const fn is_booking(self) -> bool {
        matches!(self, Question::Marker { .. } | Question::Order)
    }

    /// Returns the word for the question in the `expect decision` lines of records.
    pub const fn name(self) -> &'static str {
        match self {
            Question::Draw(_) => "draw",
            Question::Roll => "roll",
            Question::Source => "source",
            Question::Place(_) => "place",
            Question::Deploy => "deploy",
            Question::Marker { .. } => "marker",
            Question::Order => "order",
            Question::Ask(_) => "ask",
        }
    }
}

/// An answer to a decision: a small value without a text. [`option_text`](crate::option_text) makes
/// the text when a caller needs it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// To do nothing, if the player may pass.
    Pass,
    /// The drawn item, as an index among the tiles or cards (see [`Deck::holds`](crate::Deck)).
    Draw(u16),
    /// The face of the die.
    Roll(i32),
    /// A spot and a facing for the drawn tile.
    Place(Placement),
    /// A piece from the player's supply, and its zone.
    Deploy {
        /// The kind of piece.
        kind: PieceKindIdx,
        /// The zone.
        zone: ZoneRef,
    },
    /// The score marker with this number, counted from 0.
    Marker(u8),
    /// An option of a mod, as an index into [`Decision::mod_options`].
    ModOption(u16),
    /// An answer that the player keeps secret until all players of a [`Round`] have answered. The
    /// engine then asks the player again. Legal only in a round, and not among the options.
    Sealed,
}

/// The place of a decision in a round of hidden answers (see [`Call::ask_each`](crate::Call)).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Round {
    /// The number of the round's first answer in the log, counted from 0.
    pub first: u32,
    /// The players who answer after this decision, for the first time in this round.
    pub later: SeatSet,
    /// The number of the sealed answer in the log that the player now opens, counted from 0; `None`
    /// if the player answers for the first time in this round.
    pub opens: Option<u32>,
}

/// An answer to a question of the running function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RecordedAnswer {
    /// The answer; `None` if this state is redacted and the answer is hidden from a viewer.
    pub answer: Option<Answer>,
    /// The chosen option of a mod; `None` for any other answer, and if the answer is hidden.
    pub option: Option<ModOption>,
}

/// An answer that some players may not see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SecretAnswer {
    /// The number of the answer in the log, counted from 0.
    pub answer: u32,
    /// The players who may see the answer.
    pub seen_by: SeatSet,
}

/// A point at which the game waits for an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// The actor who answers.
    pub who: Actor,
    /// The subject of the decision.
    pub question: Question,
    /// The text of the question.
    pub prompt: Cow<'static, str>,
    /// The players who may see the options and the choice.
    pub seen_by: SeatSet,
    /// The place in a round of hidden answers; `None` if the decision belongs to no round.
    pub round: Option<Round>,
    /// The number of placements, if matching edges are the only condition. These placements come
    /// before `choices`, and the engine lists them on demand. 0 if `choices` contains the
    /// placements.
    pub(crate) n_places: usize,
    /// All legal answers except draws and the placements that `n_places` counts. For a question of
    /// a mod, this list contains only the pass, if the player may pass; the answers of
    /// `mod_options` are legal too. For a die, the list contains one entry for each face, and all
    /// entries are equally likely.
    pub(crate) choices: Vec<Answer>,
    /// The options of mods, to which [`Answer::ModOption`] refers.
    pub mod_options: ModOptions,
    /// The meanings of words in the texts of options; `None` if the mod that asks explains no word.
    pub(crate) meanings: Option<Arc<Meanings>>,
}

impl Default for Decision {
    fn default() -> Self {
        Decision {
            who: Actor::Chance,
            question: Question::Roll,
            prompt: Cow::Borrowed(""),
            seen_by: SeatSet::ALL,
            round: None,
            n_places: 0,
            choices: Vec::new(),
            mod_options: ModOptions::default(),
            meanings: None,
        }
    }
}

impl Decision {
    /// Returns the meaning of a word in `option`, the text of an option: the first word that the
    /// mod explains. Returns `None` if the mod explains none of the words.
    pub fn meaning(&self, option: &str) -> Option<&str> {
        let meanings = self.meanings.as_ref()?;
        option.split(' ').find_map(|word| meanings.get(word)).map(|meaning| &**meaning)
    }

    /// Returns the players who may see `answer` if the actor gives this answer.
    pub fn answer_seen_by(&self, answer: Answer) -> SeatSet {
        // In the core's own questions to players, only options of mods can be hidden, because every
        // player sees placements and deployments.
        match (self.question, answer) {
            (_, Answer::Sealed) => SeatSet::ALL,
            (Question::Ask(_) | Question::Draw(_) | Question::Roll, _) | (_, Answer::ModOption(_)) => self.seen_by,
            _ => SeatSet::ALL,
        }
    }

    /// Returns the number of legal answers. `state` is the state to which this decision belongs.
    pub fn n_options(&self, state: &State) -> usize {
        match self.question {
            Question::Draw(deck) => self.front(state, deck).len(),
            Question::Roll => self.faces().len(),
            Question::Ask(_) => self.mod_options.len() + self.choices.len(),
            _ => self.n_places + self.choices.len(),
        }
    }

    /// Returns option number `n` of [`Decision::options`], counted from 0, without listing the
    /// others; `None` if there are fewer options.
    pub fn nth(&self, ruleset: &Ruleset, state: &State, n: usize) -> Option<Answer> {
        match self.question {
            Question::Draw(deck) => self.front(state, deck).get(n).map(|s| Answer::Draw(s.item)),
            Question::Roll => self.faces().get(n).copied(),
            Question::Place(tile) if n < self.n_places => {
                state.board.nth_placement(&ruleset.catalogue.tile_set, tile, n).map(Answer::Place)
            }
            Question::Ask(_) if n < self.mod_options.len() => Some(Answer::ModOption(n as u16)),
            Question::Ask(_) => self.choices.get(n - self.mod_options.len()).copied(),
            _ => self.choices.get(n - self.n_places).copied(),
        }
    }

    /// Returns all legal answers.
    pub fn options(&self, ruleset: &Ruleset, state: &State) -> Cow<'_, [Answer]> {
        match self.question {
            Question::Place(tile) if self.n_places > 0 => {
                let places = state.board.placements(&ruleset.catalogue.tile_set, tile).into_iter().map(Answer::Place);
                places.chain(self.choices.iter().copied()).collect()
            }
            Question::Draw(deck) => self.front(state, deck).iter().map(|s| Answer::Draw(s.item)).collect(),
            Question::Roll => Cow::Owned(self.faces()),
            Question::Ask(_) => {
                let mod_options = (0..self.mod_options.len()).map(|i| Answer::ModOption(i as u16));
                mod_options.chain(self.choices.iter().copied()).collect()
            }
            _ => Cow::Borrowed(&self.choices),
        }
    }

    /// Returns the relative probability of each option of chance, as a whole number. Empty if a
    /// player answers.
    pub fn weights(&self, state: &State) -> Vec<u32> {
        match self.question {
            Question::Draw(deck) => self.front(state, deck).iter().map(|s| u32::from(s.left)).collect(),
            Question::Roll => {
                let n_of = |face: &Answer| self.choices.iter().filter(|c| *c == face).count() as u32;
                self.faces().iter().map(n_of).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns whether `choice` is legal.
    pub fn is_legal(&self, ruleset: &Ruleset, state: &State, choice: Answer) -> bool {
        match (self.question, choice) {
            (Question::Draw(deck), Answer::Draw(item)) => self.front(state, deck).iter().any(|s| s.item == item),
            (Question::Place(tile), Answer::Place(place)) if self.n_places > 0 => {
                state.board.check(&ruleset.catalogue.tile_set, place.spot, tile, place.facing).is_ok()
            }
            (Question::Ask(_), Answer::ModOption(i)) => (i as usize) < self.mod_options.len(),
            (_, Answer::Sealed) => self.round.is_some_and(|round| round.opens.is_none()),
            _ => self.choices.contains(&choice),
        }
    }

    /// Returns the different faces of the die.
    fn faces(&self) -> Vec<Answer> {
        let first = |(i, face): &(usize, &Answer)| !self.choices[..*i].contains(face);
        self.choices.iter().enumerate().filter(first).map(|(_, face)| *face).collect()
    }

    /// Returns the items that may be drawn from the deck, including the effects so far of the
    /// function that asks.
    fn front<'s>(&'s self, state: &'s State, deck: DeckIdx) -> &'s [ItemStack] {
        state.view().decks[deck.idx()].front()
    }

    /// Begins a decision without options, and reuses the memory of the earlier lists.
    pub(crate) fn begin(&mut self, who: Actor, question: Question, prompt: impl Into<Cow<'static, str>>) {
        self.who = who;
        self.question = question;
        self.prompt = prompt.into();
        self.seen_by = SeatSet::ALL;
        self.n_places = 0;
        self.choices.clear();
        self.mod_options.clear();
        self.meanings = None;
    }
}
