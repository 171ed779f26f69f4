//! Snapshots: the visible state of a session as plain values, readable on any thread while the game
//! continues.
#![expect(clippy::indexing_slicing, reason = "the moment looked at is on the line, and handles are of the catalogue")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use board::TileSet;
use diagnostic::{Diagnostic, Span};
use loader::{Library, Loaded, Problems, Source};
use rules::{Fault, Ruleset, Seat, SeatSet, SettingValue, Setup, State, Who};

use crate::available_mods::{ModOnDisk, SettingView};
use crate::branch::Branch;
use crate::changes::Changes;
use crate::reasoning::BotReasoning;
use crate::record_file::SaveError;
use crate::revision::Revision;
use crate::step::Step;
use crate::view::GameView;

/// The actor that the game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waits {
    /// A person at this seat.
    Person(Seat),
    /// A bot at this seat.
    Bot(Seat),
    /// A draw or a die.
    Chance,
    /// A repaired mod.
    Mod,
    /// None: the game is over.
    Nobody,
}

/// New rules that the line does not fit, pending a choice.
#[derive(Clone, Debug)]
pub struct Misfit {
    /// The turn of the answer that is no longer offered.
    pub turn: u32,
    /// The reason.
    pub reason: String,
    /// The failure of a mod's function, if that is the reason.
    pub problem: Option<RunTimeProblem>,
}

/// A failure of a mod's function during play.
#[derive(Clone, Debug)]
pub struct RunTimeProblem {
    /// The failure and its place.
    pub diagnostic: Diagnostic,
    /// The file that contains it, if known.
    pub source: Option<Source>,
}

impl RunTimeProblem {
    pub(crate) fn new(fault: &Fault, sources: &[Source]) -> RunTimeProblem {
        let failure = &fault.failure;
        let source = sources.iter().find(|source| source.name == failure.file).cloned();
        let span =
            source.as_ref().map(|source| Span::from_word(&source.name, &source.text, failure.line, failure.column));
        let message = format!("{}, in {} of {}", failure.message, fault.function, fault.mods.join(" and "));
        let help = match failure.message.as_str() {
            message if message.contains("division by zero") => {
                "look before you divide, as in `if n != 0 { ... }`; when the file is saved, the game goes on"
            }
            message if message.contains("operations") || message.contains("took longer than") => {
                "see to it that each loop comes to an end, and go through lists of features and pieces instead of all spots; when the file is saved, the game goes on"
            }
            _ => "mend the file and save it: the game goes on",
        };
        RunTimeProblem { diagnostic: Diagnostic::error(span.unwrap_or_default(), message).with_help(help), source }
    }
}

/// The file that a game is saved to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptIn {
    /// Its path; the file is created with the first answer.
    pub path: PathBuf,
    /// The path of the copy made before it was rewritten, if that happened; see
    /// [`RecordFile::set_aside`](crate::RecordFile::set_aside).
    pub set_aside: Option<PathBuf>,
}

/// The visible state of a game at one revision: the current position, the whole line, players and
/// mods. It contains no rules, so reading it never runs a function of a mod.
#[derive(Clone)]
pub struct Snapshot {
    pub(crate) revision: Revision,
    pub(crate) ruleset: Arc<Ruleset>,
    /// The state as the viewers know it.
    pub(crate) state: State,
    /// The viewers; anything hidden from any of them is redacted.
    pub(crate) viewers: SeatSet,
    /// The player who looks alone, if any.
    pub(crate) looking: Option<Seat>,
    pub(crate) fault: Option<Box<Fault>>,
    pub(crate) setup: Setup,
    pub(crate) at: usize,
    /// The unredacted line, for the record.
    pub(crate) whole_line: Vec<Arc<Step>>,
    pub(crate) line: Vec<Arc<Step>>,
    pub(crate) branches: Vec<Arc<Branch>>,
    pub(crate) line_name: String,
    /// For each seat, true if a bot plays it.
    pub(crate) bots: Vec<bool>,
    pub(crate) library: Library,
    pub(crate) loaded: Arc<Loaded>,
    /// The revision at which `loaded` was read.
    pub(crate) loaded_at: Revision,
    pub(crate) problems: Arc<Problems>,
    pub(crate) mods_on_disk: Option<Arc<Vec<ModOnDisk>>>,
    pub(crate) misfit: Option<Misfit>,
    pub(crate) changes: Option<Arc<Changes>>,
    pub(crate) kept_in: Option<KeptIn>,
    pub(crate) reasoning: Arc<Vec<Arc<BotReasoning>>>,
    pub(crate) save_error: Option<SaveError>,
}

/// The position.
impl Snapshot {
    /// Returns the revision; while it is the same, nothing has changed.
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

    /// Returns the declared tiles, for painting.
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
    pub fn waits(&self) -> Waits {
        match (&self.fault, self.state.decision()) {
            (Some(_), _) => Waits::Mod,
            (None, None) => Waits::Nobody,
            (None, Some(decision)) => match decision.who {
                Who::Chance => Waits::Chance,
                Who::Player(seat) if self.is_bot(seat) => Waits::Bot(seat),
                Who::Player(seat) => Waits::Person(seat),
            },
        }
    }

    /// Returns the person to whom the table must be handed over, because other viewers must not see
    /// the decision.
    pub fn needs_hand_over(&self) -> Option<Seat> {
        match self.waits() {
            Waits::Person(seat) if !self.state.shows_decision(self.viewers) => Some(seat),
            _ => None,
        }
    }

    /// Returns the player who looks alone after a hand-over.
    pub fn looking(&self) -> Option<Seat> {
        self.looking
    }
}

/// Mods.
impl Snapshot {
    /// Returns the loaded mods in play, for painting by their theme.
    pub fn loaded(&self) -> &Arc<Loaded> {
        &self.loaded
    }

    /// Returns the revision at which mods were last read, with or without errors.
    pub fn mods_revision(&self) -> Revision {
        self.loaded_at
    }

    /// Returns the files of the mods in play.
    pub fn sources(&self) -> &[Source] {
        self.loaded.sources()
    }

    /// Returns the folder of a mod in play, by its position in [`GameView::mods`].
    pub fn mod_folder(&self, i: usize) -> Option<&Path> {
        self.loaded.folders().get(i).map(PathBuf::as_path)
    }

    /// Returns the mods on disk.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Returns the mods on disk, in play or not, as of the last reload; `None` until the session is
    /// asked for them.
    pub fn mods_on_disk(&self) -> Option<&Arc<Vec<ModOnDisk>>> {
        self.mods_on_disk.as_ref()
    }

    /// Returns a bot's reasoning behind an answer of the line, counted from 0; `None` if it was not
    /// given here or is hidden.
    pub fn reasoning(&self, step: usize) -> Option<&BotReasoning> {
        let answer = self.line().get(step).filter(|answer| !answer.is_secret)?;
        let known = self.reasoning.iter().rfind(|it| it.step == step && it.answer == answer.text)?;
        Some(known)
    }

    /// Returns the problems of the mods on disk; the game continues under the last valid ones.
    pub fn problems(&self) -> &Problems {
        &self.problems
    }

    /// Returns the failures of mods' functions: in the current game, and under rules pending a
    /// choice.
    pub fn run_time_problems(&self) -> Vec<RunTimeProblem> {
        let here = self.fault.as_deref().map(|fault| RunTimeProblem::new(fault, self.loaded.sources()));
        here.into_iter().chain(self.misfit.iter().filter_map(|misfit| misfit.problem.clone())).collect()
    }

    /// Returns the effect of the last change of rules on this game, until it is accepted or
    /// reverted.
    pub fn changes(&self) -> Option<&Arc<Changes>> {
        self.changes.as_ref()
    }

    /// Returns the new rules that the line does not fit, if a choice is pending.
    pub fn misfit(&self) -> Option<&Misfit> {
        self.misfit.as_ref()
    }
}

/// Time.
impl Snapshot {
    /// Returns the number of answers before the current position.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns all answers of the line, including those after the current position. An answer
    /// hidden from some viewer is replaced by a stand-in.
    pub fn line(&self) -> &[Arc<Step>] {
        &self.line
    }

    /// Returns whether there is anything to lose: a given position, or an answer of a player.
    pub fn is_begun(&self) -> bool {
        !self.setup.position.is_empty() || self.line.iter().any(|step| step.who != Who::Chance)
    }

    /// Returns whether the current position is the end of the line.
    pub fn is_live(&self) -> bool {
        self.at == self.line.len()
    }

    /// Iterates over the turns with the number of answers before each.
    pub fn turns(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        let line = self.line();
        let new = |i: usize| i == 0 || line[i - 1].turn != line[i].turn;
        (0..line.len()).filter(move |i| new(*i)).map(|i| (line[i].turn, i))
    }

    /// Returns the turn at the current position, from 1.
    pub fn turn(&self) -> u32 {
        self.view().turn()
    }

    fn is_by_person(&self, step: &Step) -> bool {
        matches!(step.who, Who::Player(seat) if !self.is_bot(seat))
    }

    /// Returns the position to go to for undoing the last answer of a person.
    pub fn undo_target(&self) -> Option<usize> {
        let all_bots = self.view().seats().all(|seat| self.is_bot(seat));
        if all_bots {
            return self.turns().map(|(_, i)| i).take_while(|i| *i < self.at()).last();
        }
        self.line()[..self.at()].iter().rposition(|step| self.is_by_person(step))
    }

    /// Returns the position to go to for redoing, up to the next decision of a person.
    pub fn redo_target(&self) -> Option<usize> {
        let (at, line) = (self.at(), self.line());
        let next = line.iter().skip(at + 1).position(|step| self.is_by_person(step)).map(|i| at + 1 + i);
        (at < line.len()).then(|| next.unwrap_or(line.len()))
    }

    /// Returns the branches.
    pub fn branches(&self) -> &[Arc<Branch>] {
        &self.branches
    }

    /// Returns the name of the current line.
    pub fn line_name(&self) -> &str {
        &self.line_name
    }
}

/// The record.
impl Snapshot {
    /// Returns the file that the game is saved to.
    pub fn kept_in(&self) -> Option<&KeptIn> {
        self.kept_in.as_ref()
    }

    /// Returns the error of the last attempt to save.
    pub fn save_error(&self) -> Option<&SaveError> {
        self.save_error.as_ref()
    }

    /// Returns the header of its record.
    pub fn header_text(&self) -> String {
        record::header_text(self.setup())
    }

    /// Returns the game up to the current position as a record, including hidden information.
    pub fn record_text(&self) -> String {
        self.record_text_until(self.setup(), self.at())
    }

    /// Returns the first `n` answers of the line as a record with the header of `setup`, including
    /// hidden information.
    pub fn record_text_until(&self, setup: &Setup, n: usize) -> String {
        record::record_of(setup, self.whole_line.iter().take(n).map(|step| &step.text))
    }
}
