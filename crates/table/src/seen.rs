//! A game as some of its players see it: plain data without rules, which a server can send to
//! clients.
#![expect(clippy::indexing_slicing, reason = "the current position is in the timeline")]

use std::sync::Arc;

use board::TileSet;
use rules::{Actor, Fault, Ruleset, Seat, SeatSet, SettingValue, Setup, State};
use serde::{Deserialize, Serialize};

use crate::available_mods::SettingView;
use crate::revision::Revision;
use crate::step::Step;
use crate::view::GameView;

/// The person, bot or mod author that the game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AwaitedActor {
    /// A person at this seat.
    Person(Seat),
    /// A bot at this seat.
    Bot(Seat),
    /// Chance: a draw or a roll of a die.
    Chance,
    /// The author of a mod whose function failed. The game continues when the mod is repaired.
    Mod,
    /// No actor: the game is over.
    Nobody,
}

/// A game at one revision as some players see it: the current position and all answers of the
/// timeline. `SeenGame` contains no rules, so reading it never runs a function of a mod.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeenGame {
    pub(crate) revision: Revision,
    /// The declarations of the mods in play. The crate `door` sends them separately, because they
    /// rarely change; see [`SeenGame::with_ruleset`].
    #[serde(skip)]
    pub(crate) ruleset: Arc<Ruleset>,
    /// The state as the viewers know it.
    pub(crate) state: State,
    /// The viewers. Information that is hidden from any viewer is redacted.
    pub(crate) viewers: SeatSet,
    pub(crate) fault: Option<Box<Fault>>,
    pub(crate) setup: Setup,
    pub(crate) at: usize,
    pub(crate) line: Vec<Arc<Step>>,
    pub(crate) line_name: String,
    /// For each seat, true if a bot plays it.
    pub(crate) bots: Vec<bool>,
}

/// Conversions for clients.
impl SeenGame {
    /// Returns the game without the data that clients must not receive. This data is the seed, the
    /// given position, the answers after the current position, lines that scripts printed, the
    /// stored data of mods, and the work in progress of the engine.
    pub(crate) fn for_client(mut self) -> SeenGame {
        self.state = self.state.for_display();
        self.setup = Setup { seed: None, position: Vec::new(), ..self.setup };
        self.line.truncate(self.at);
        for step in self.line.iter_mut().filter(|step| !step.printed.is_empty()) {
            Arc::make_mut(step).printed = Vec::new();
        }
        self
    }

    /// Adds the later answers of `live`, for an earlier position of the same game.
    #[must_use]
    pub fn with_later_steps(mut self, live: &SeenGame) -> SeenGame {
        self.line.extend(live.line.iter().skip(self.at).cloned());
        self
    }

    /// Returns the declarations of the mods in play.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.ruleset
    }

    /// Adds `ruleset` to a game that a client has received without declarations.
    #[must_use]
    pub fn with_ruleset(self, ruleset: Arc<Ruleset>) -> SeenGame {
        SeenGame { ruleset, ..self }
    }
}

/// Queries about the position.
impl SeenGame {
    /// Returns the revision. The session has not changed while the revision is the same.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the number of the session, unique in this process.
    pub fn id(&self) -> u64 {
        self.revision.session_id()
    }

    /// Returns a view of the current position.
    pub fn view(&self) -> GameView<'_> {
        GameView { state: &self.state, viewers: self.viewers, ruleset: &self.ruleset, fault: self.fault.as_deref() }
    }

    /// Returns the tile set of the mods in play, for painting.
    pub fn tile_set(&self) -> &TileSet {
        &self.ruleset.catalogue.tile_set
    }

    /// Returns the setup: players, mods and settings.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the settings of the mods in play with their values.
    pub fn settings(&self) -> Vec<(SettingView, SettingValue)> {
        let catalogue = &self.ruleset.catalogue;
        let settings = catalogue.settings.iter().zip(&self.ruleset.settings);
        let owner = |owner: rules::ModIdx| catalogue.mods[owner.idx()].id.as_str();
        settings.map(|(setting, value)| (SettingView::new(setting, owner(setting.owner)), value.clone())).collect()
    }

    /// Returns whether a bot plays `seat`.
    pub fn is_bot(&self, seat: Seat) -> bool {
        self.bots.get(seat.idx()).copied().unwrap_or(false)
    }

    /// Returns the actor that the game waits for at the current position.
    pub fn awaited_actor(&self) -> AwaitedActor {
        match (&self.fault, self.state.decision()) {
            (Some(_), _) => AwaitedActor::Mod,
            (None, None) => AwaitedActor::Nobody,
            (None, Some(decision)) => match decision.who {
                Actor::Chance => AwaitedActor::Chance,
                Actor::Player(seat) if self.is_bot(seat) => AwaitedActor::Bot(seat),
                Actor::Player(seat) => AwaitedActor::Person(seat),
            },
        }
    }
}

/// Queries about the timeline.
impl SeenGame {
    /// Returns the number of answers before the current position.
    pub fn position_index(&self) -> usize {
        self.at
    }

    /// Returns all answers of the timeline, including the answers after the current position. For
    /// clients of the crate `door`, the timeline ends at the current position. A placeholder
    /// replaces each answer that is hidden from any viewer.
    pub fn steps(&self) -> &[Arc<Step>] {
        &self.line
    }

    /// Returns whether the game contains anything worth saving: a given position, or an answer of a
    /// player.
    pub fn is_worth_saving(&self) -> bool {
        !self.setup.position.is_empty() || self.line.iter().any(|step| step.who != Actor::Chance)
    }

    /// Returns whether the current position is the end of the timeline.
    pub fn is_live(&self) -> bool {
        self.at == self.line.len()
    }

    /// Iterates over the numbers of the turns, each with the number of answers before the turn.
    pub fn turns(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        let line = self.steps();
        let new = |i: usize| i == 0 || line[i - 1].turn != line[i].turn;
        (0..line.len()).filter(move |i| new(*i)).map(|i| (line[i].turn, i))
    }

    /// Iterates over the positions at which a player chose, each as the number of answers before
    /// it, and the end of the timeline.
    pub fn choices(&self) -> impl Iterator<Item = usize> + '_ {
        let by_player = |i: &usize| self.line.get(*i).is_none_or(|step| step.who != Actor::Chance);
        (0..=self.line.len()).filter(by_player)
    }

    /// Returns the number of answers before the start of a turn. If `n` is 1, this is the next turn
    /// that begins after the current position; if `n` is -1, the last turn that began before it. If
    /// there is no such turn, returns the number of all answers or 0.
    pub fn turns_away(&self, n: i32) -> usize {
        let starts = self.turns().map(|(_, i)| i);
        let n_skipped = (n.unsigned_abs() as usize).saturating_sub(1);
        if n < 0 {
            let before: Vec<usize> = starts.take_while(|i| *i < self.at).collect();
            before.iter().rev().nth(n_skipped).copied().unwrap_or(0)
        } else {
            starts.skip_while(|i| *i <= self.at).nth(n_skipped).unwrap_or(self.line.len())
        }
    }

    /// Returns the turn at the current position, counted from 1; 0 before the first turn.
    pub fn turn(&self) -> u32 {
        self.view().turn()
    }

    fn is_by_person(&self, step: &Step) -> bool {
        matches!(step.who, Actor::Player(seat) if !self.is_bot(seat))
    }

    /// Returns the number of answers before the position to which Undo goes; `None` if there is
    /// nothing to undo.
    ///
    /// Undo reverts the last answer of a person before the current position, and all later answers.
    /// If only bots play, Undo goes to the last start of a turn before the current position.
    pub fn undo_target(&self) -> Option<usize> {
        let all_bots = self.view().seats().all(|seat| self.is_bot(seat));
        if all_bots {
            return self.turns().map(|(_, i)| i).take_while(|i| *i < self.position_index()).last();
        }
        self.steps()[..self.position_index()].iter().rposition(|step| self.is_by_person(step))
    }

    /// Returns the number of answers before the position to which Redo goes; `None` if there is
    /// nothing to redo.
    ///
    /// Redo goes to the next decision of a person in the timeline or, if there is none, to the end
    /// of the timeline.
    pub fn redo_target(&self) -> Option<usize> {
        let (at, line) = (self.position_index(), self.steps());
        let next = line.iter().skip(at + 1).position(|step| self.is_by_person(step)).map(|i| at + 1 + i);
        (at < line.len()).then(|| next.unwrap_or(line.len()))
    }

    /// Returns the name of the current sequence of answers: a number, like the name of a branch
    /// ([`Branch::name`](crate::Branch::name)).
    pub fn current_branch_name(&self) -> &str {
        &self.line_name
    }
}
