//! Decisions: who is asked, what for, and all that may be answered.

use std::borrow::Cow;

use board::{Placement, TileIdx, ZoneRef};

use crate::decks::Stack;
use crate::indices::{DeckIdx, FnIdx, PieceKindIdx};
use crate::mod_options::{ModOption, ModOptions};
use crate::ruleset::Ruleset;
use crate::state::State;
use crate::value::Seat;

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
    /// Which score marker moves by so many points.
    Marker(i64),
    /// A mod asks, in the function.
    Ask(FnIdx),
}

impl Question {
    /// Its name in `expect decision`.
    pub const fn name(self) -> &'static str {
        match self {
            Question::Draw(_) => "draw",
            Question::Roll => "roll",
            Question::Source => "source",
            Question::Place(_) => "place",
            Question::Deploy => "deploy",
            Question::Marker(_) => "marker",
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
    pub answer: Answer,
    /// What was chosen, where a mod made the options.
    pub option: Option<ModOption>,
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
    /// How many placements the board has to offer, unless a mod has cut them down. They come before `choices` and are listed when somebody
    /// reads them.
    pub(crate) n_places: usize,
    /// All other legal answers but draws; of a question of a mod only whether one may pass, as every offer may be answered. Of a die all faces,
    /// each equally likely.
    pub(crate) choices: Vec<Answer>,
    /// Options of mods that [`Answer::ModOption`] points to.
    pub mod_options: ModOptions,
}

impl Default for Decision {
    fn default() -> Self {
        Decision {
            who: Who::Chance,
            question: Question::Roll,
            prompt: Cow::Borrowed(""),
            n_places: 0,
            choices: Vec::new(),
            mod_options: ModOptions::default(),
        }
    }
}

impl Decision {
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

    /// Whether `choice` may be answered.
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
        self.n_places = 0;
        self.choices.clear();
        self.mod_options.clear();
    }
}
