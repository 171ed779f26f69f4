//! The state of a game, plain data and cheap to copy: the position, and the decision that is open.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use board::{FeatureRef, Placement, TileIdx, ZoneRef};

use crate::decks::Stack;
use crate::indices::{DeckIdx, FnIdx, PieceKindIdx};
use crate::mod_options::{Meanings, ModOption, ModOptions};
use crate::position::{Part, Position};
use crate::ruleset::{Ruleset, hash_text};
use crate::seat_set::SeatSet;
use crate::shared::{Shared, clone_by_field};
use crate::step::{Queued, Step};
use crate::value::Seat;

/// A game at one moment, as plain data: the position, and what the engine is about to do with it.
///
/// Two states that were reached by the same answers under the same rules are equal. Whatever is
/// asked of a position is asked of a state as well, which dereferences to its own.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct State {
    pub(crate) position: Position,
    pub(crate) machine: Machine,
}

clone_by_field!(State { position, machine });

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

/// How far the engine has come: what is to be done, and the question that is open.
#[derive(PartialEq, Eq, Debug, Default)]
pub(crate) struct Machine {
    /// What is to be done, the next thing last.
    pub agenda: Vec<Step>,
    /// What the running step has caused so far.
    pub queue: Vec<Queued>,
    /// Answers recorded for the call on top of the agenda.
    pub answers: Vec<RecordedAnswer>,
    /// Answers that not everybody may see, in order.
    pub secrets: Shared<Secret>,
    /// The question that is open, if `is_waiting`.
    pub decision: Decision,
    /// True if an answer is needed.
    pub is_waiting: bool,
    /// Events since the last answer.
    pub n_events: u32,
    /// Answers of chance since the last one of a player.
    pub n_dealt: u32,
    /// Answers since the turn began.
    pub n_answers: u32,
    /// About how many bytes the notes and awards of the game take.
    pub n_bytes: usize,
    /// Where the drawn tile may lie, if mods have a say in it.
    pub places: Vec<Answer>,
    /// How many places the board has for the drawn tile, if no mod has a say in it.
    pub n_places: usize,
    /// The state as the function that asks has made it so far; absent where that is the state
    /// itself.
    pub view: Option<Box<State>>,
}

clone_by_field!(Machine {
    agenda,
    queue,
    answers,
    secrets,
    decision,
    is_waiting,
    n_events,
    n_dealt,
    n_answers,
    n_bytes,
    places,
    n_places,
    view,
});

impl State {
    /// The decision that is open.
    pub fn decision(&self) -> Option<&Decision> {
        self.machine.is_waiting.then_some(&self.machine.decision)
    }

    /// What players should see now: the state, or while a mod asks, what it has done so far.
    pub fn view(&self) -> &State {
        self.machine.view.as_deref().unwrap_or(self)
    }

    /// Returns whether nothing of the turn has happened yet, so that `given` lines can say
    /// everything.
    pub fn is_settled(&self) -> bool {
        let fresh = |part: &Part| part.tile_type.is_none() && part.completed.is_empty();
        let is_draw = |d: &Decision| matches!(d.question, Question::Draw(_) | Question::Source);
        let at_start = matches!(self.machine.agenda[..], [Step::Phase { at: 0, stage: 0 | 1 }]);
        let at_start = at_start && self.parts.len() == 1 && self.parts.iter().all(fresh);
        let [part, turn, _] = &self.memory;
        let forgot = part.is_empty() && turn.is_empty();
        let quiet = forgot && self.turn.as_ref().is_some_and(|t| t.part_reasons.is_empty());
        at_start && quiet && self.machine.answers.is_empty() && self.decision().is_some_and(is_draw)
    }

    /// Returns a hash of what is going on, the same on every machine: the parts of the turn and
    /// what is remembered for them, what is to be done and the answers of a function that asks.
    /// There is nothing to tell at a settled moment.
    pub fn progress_hash(&self) -> Option<u64> {
        let Position { turn, parts, touched, memory: [part, turn_memory, _], .. } = &self.position;
        let Machine { agenda, answers, secrets, .. } = &self.machine;
        // Counted back from now: a position that was written down has no answers before it.
        let of_call = secrets.iter().map(|secret| (self.n_answers - secret.answer, secret.seen_by));
        let of_call: Vec<_> = of_call.filter(|(n_back, _)| *n_back as usize <= answers.len()).collect();
        let going_on = (turn, parts, touched, part, turn_memory, agenda, answers, of_call);
        (!self.is_settled()).then(|| hash_text(&format!("{going_on:?}")))
    }

    /// Returns whether it is known that the drawn tile fits somewhere.
    pub(crate) fn has_places(&self) -> bool {
        self.machine.n_places > 0 || !self.machine.places.is_empty()
    }

    /// Forgets where the drawn tile fits: the board or the tile is another one.
    pub(crate) fn forget_places(&mut self) {
        self.machine.n_places = 0;
        self.machine.places.clear();
    }
}

/// Who answers a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// A player.
    Player(Seat),
    /// Chance: a draw or a die.
    Chance,
}

/// What a decision is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Chance: which item of the deck's front group is drawn.
    Draw(DeckIdx),
    /// Chance: what a die shows.
    Roll,
    /// Where the tile of the part comes from.
    Source,
    /// Where the drawn tile goes.
    Place(TileIdx),
    /// Which piece is deployed where.
    Deploy,
    /// Which score marker moves.
    Marker {
        /// By how much.
        points: i64,
        /// What pays them, where that is a feature.
        feature: Option<FeatureRef>,
    },
    /// Which of the features that are scored together is booked first.
    Order,
    /// A mod asks, in the function.
    Ask(FnIdx),
}

impl Question {
    /// Returns whether it asks how points are booked: on which score marker, or in which order.
    pub const fn is_booking(self) -> bool {
        matches!(self, Question::Marker { .. } | Question::Order)
    }

    /// Its name in `expect decision`.
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

/// One thing that may be answered: a small value, whose text is made when somebody reads it
/// (see [`option_text`](crate::option_text)).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// To do nothing.
    Pass,
    /// The item of the deck asked about.
    Draw(u16),
    /// What the die shows.
    Roll(i32),
    /// A spot and a facing for the drawn tile.
    Place(Placement),
    /// A piece from the player's supply and the zone it goes to.
    Deploy {
        /// The kind of piece.
        kind: PieceKindIdx,
        /// The zone.
        zone: ZoneRef,
    },
    /// The score marker with this number, from 0.
    Marker(u8),
    /// An option of a mod, as a position in [`Decision::mod_options`].
    ModOption(u16),
}

/// An answer that a running function has got, with what was offered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RecordedAnswer {
    /// The answer; `None` where it is hidden from whoever looks at this state.
    pub answer: Option<Answer>,
    /// What was chosen, where a mod made the options.
    pub option: Option<ModOption>,
}

/// An answer that not everybody may see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Secret {
    /// Its number, from 0.
    pub answer: u32,
    /// Who may see it.
    pub seen_by: SeatSet,
}

/// A point where the game waits for an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Who answers.
    pub who: Who,
    /// What it is about.
    pub question: Question,
    /// The question in words.
    pub prompt: Cow<'static, str>,
    /// Who may see the options and what is chosen.
    pub seen_by: SeatSet,
    /// How many placements the board has to offer, unless a mod has cut them down. They come before
    /// `choices` and are listed when somebody reads them.
    pub(crate) n_places: usize,
    /// All other legal answers but draws; of a question of a mod only whether one may pass, as
    /// every offer may be answered. Of a die all faces, each equally likely.
    pub(crate) choices: Vec<Answer>,
    /// Options of mods that [`Answer::ModOption`] points to.
    pub mod_options: ModOptions,
    /// What some words of options mean, where the mod that asks says so.
    pub(crate) meanings: Option<Arc<Meanings>>,
}

impl Default for Decision {
    fn default() -> Self {
        Decision {
            who: Who::Chance,
            question: Question::Roll,
            prompt: Cow::Borrowed(""),
            seen_by: SeatSet::ALL,
            n_places: 0,
            choices: Vec::new(),
            mod_options: ModOptions::default(),
            meanings: None,
        }
    }
}

impl Decision {
    /// What an option means, by the first of its words of which the mod that asks says it.
    pub fn meaning(&self, option: &str) -> Option<&str> {
        let meanings = self.meanings.as_ref()?;
        option.split(' ').find_map(|word| meanings.get(word)).map(|meaning| &**meaning)
    }

    /// Returns who may see that `answer` is given.
    pub fn answer_seen_by(&self, answer: Answer) -> SeatSet {
        // Where the core asks it is the offers of mods that are hidden: where a tile is laid
        // everybody sees.
        match (self.question, answer) {
            (Question::Ask(_) | Question::Draw(_) | Question::Roll, _) | (_, Answer::ModOption(_)) => self.seen_by,
            _ => SeatSet::ALL,
        }
    }

    /// How many legal answers there are. `state` is the state that holds this decision.
    pub fn n_options(&self, state: &State) -> usize {
        match self.question {
            Question::Draw(deck) => self.front(state, deck).len(),
            Question::Roll => self.faces().len(),
            Question::Ask(_) => self.mod_options.len() + self.choices.len(),
            _ => self.n_places + self.choices.len(),
        }
    }

    /// Number `n` of [`Decision::options`], without listing the others.
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

    /// All legal answers.
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

    /// How likely each option of chance is, as whole numbers; empty where a player answers.
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

    /// Returns whether `choice` may be answered.
    pub fn is_legal(&self, ruleset: &Ruleset, state: &State, choice: Answer) -> bool {
        match (self.question, choice) {
            (Question::Draw(deck), Answer::Draw(item)) => self.front(state, deck).iter().any(|s| s.item == item),
            (Question::Place(tile), Answer::Place(place)) if self.n_places > 0 => {
                state.board.check(&ruleset.catalogue.tile_set, place.spot, tile, place.facing).is_ok()
            }
            (Question::Ask(_), Answer::ModOption(i)) => (i as usize) < self.mod_options.len(),
            _ => self.choices.contains(&choice),
        }
    }

    /// The different faces of a die.
    fn faces(&self) -> Vec<Answer> {
        let first = |(i, face): &(usize, &Answer)| !self.choices[..*i].contains(face);
        self.choices.iter().enumerate().filter(first).map(|(_, face)| *face).collect()
    }

    /// What may be drawn: the deck as the asking function has left it.
    fn front<'s>(&'s self, state: &'s State, deck: DeckIdx) -> &'s [Stack] {
        state.view().decks[deck.idx()].front()
    }

    /// Makes the buffers ready for the next decision.
    pub(crate) fn begin(&mut self, who: Who, question: Question, prompt: impl Into<Cow<'static, str>>) {
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
