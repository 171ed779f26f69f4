//! Snapshots: the visible state of a session as plain values, readable on any thread while the game
//! continues.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use diagnostic::{Diagnostic, Span};
use loader::{Library, Loaded, Problems, Source};
use rules::{Fault, Seat, SeatSet, Setup};
use theme::Theme;

use crate::available_mods::ModOnDisk;
use crate::branch::Branch;
use crate::changes::RuleChanges;
use crate::reasoning::BotReasoning;
use crate::record_file::SaveError;
use crate::revision::Revision;
use crate::seen::{AwaitedActor, SeenGame};
use crate::step::Step;

/// New rules that the answers of the game do not fit, because an answer is no longer offered or a
/// mod fails.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// The turn in which the replay stopped.
    pub turn: u32,
    /// The reason why the replay stopped.
    pub reason: String,
    /// The failure of a mod's function, if it stopped the replay; otherwise `None`.
    pub problem: Option<RunTimeProblem>,
}

/// A failure of a mod's function during play.
#[derive(Clone, Debug)]
pub struct RunTimeProblem {
    /// The failure, with its place in a file if known.
    pub diagnostic: Diagnostic,
    /// The file in which the function failed; `None` if unknown.
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
                "check the divisor first, as in `if n != 0 { ... }`; the game continues when you save the file"
            }
            message if message.contains("operations") || message.contains("took longer than") => {
                "make sure that each loop ends, and use lists of features and pieces instead of all spots; the game continues when you save the file"
            }
            _ => "correct the file and save it; the game then continues",
        };
        RunTimeProblem { diagnostic: Diagnostic::error(span.unwrap_or_default(), message).with_help(help), source }
    }
}

/// The file to which a session saves its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaveLocation {
    /// The path of the file. [`Session::save`](crate::Session::save) creates the file when
    /// [`SeenGame::is_worth_saving`] is true.
    pub path: PathBuf,
    /// The path of the copy of the old file, if a rewrite has dropped a part of the file; otherwise
    /// `None`. See [`RecordFile::backup_path`](crate::RecordFile::backup_path).
    pub set_aside: Option<PathBuf>,
}

/// The visible state of a session at one revision: the game as its viewers see it, with mods, files
/// and record. A snapshot contains no rules, so reading it never calls a function of a mod.
/// Dereferences to [`SeenGame`], the game itself.
#[derive(Clone)]
pub struct Snapshot {
    pub(crate) seen: SeenGame,
    /// The only viewer, if one player has taken over the screen
    /// ([`Session::hand_over`](crate::Session::hand_over)); otherwise `None`.
    pub(crate) only_viewer: Option<Seat>,
    /// The seats of guests at other computers.
    pub(crate) guests: SeatSet,
    /// All answers of the timeline without redaction, for the record.
    pub(crate) whole_line: Vec<Arc<Step>>,
    pub(crate) branches: Vec<Arc<Branch>>,
    pub(crate) library: Library,
    pub(crate) loaded: Arc<Loaded>,
    /// The revision at which the session last read mods; see [`Snapshot::mods_revision`].
    pub(crate) loaded_at: Revision,
    pub(crate) problems: Arc<Problems>,
    pub(crate) mods_on_disk: Option<Arc<Vec<ModOnDisk>>>,
    pub(crate) misfit: Option<Divergence>,
    pub(crate) changes: Option<Arc<RuleChanges>>,
    pub(crate) kept_in: Option<SaveLocation>,
    pub(crate) reasoning: Arc<Vec<Arc<BotReasoning>>>,
    pub(crate) save_error: Option<SaveError>,
}

impl Deref for Snapshot {
    type Target = SeenGame;

    fn deref(&self) -> &SeenGame {
        &self.seen
    }
}

/// Snapshots of games at other computers.
impl Snapshot {
    /// Makes a snapshot of a game that another computer hosts, as it sends the game to a guest with
    /// the seats `own`. `before` is the guest's last snapshot of this game, if there is one. The
    /// snapshot has no files, no branches and no record.
    pub fn for_guest(seen: SeenGame, own: SeatSet, theme: Arc<Theme>, before: Option<&Snapshot>) -> Snapshot {
        // The numbers of the other computer can be equal to numbers of sessions in this process.
        let mut revision = before.map_or_else(Revision::of_new_session, |before| before.seen.revision);
        revision.advance();
        let guests = seen.view().seats().filter(|seat| !own.contains(*seat)).collect();
        Snapshot {
            only_viewer: None,
            guests,
            whole_line: seen.line.clone(),
            branches: Vec::new(),
            library: Library::open(&[]),
            loaded: Arc::new(Loaded::for_guest(seen.ruleset.catalogue.clone(), theme)),
            loaded_at: revision,
            problems: Arc::default(),
            mods_on_disk: None,
            misfit: None,
            changes: None,
            kept_in: None,
            reasoning: Arc::default(),
            save_error: None,
            seen: SeenGame { revision, ..seen },
        }
    }
}

/// Queries about viewers.
impl Snapshot {
    /// Returns the person to whom the table must be handed over
    /// ([`Session::hand_over`](crate::Session::hand_over)), because the decision is secret. `None`
    /// if no hand-over is needed.
    pub fn hand_over_to(&self) -> Option<Seat> {
        match self.awaited_actor() {
            AwaitedActor::Person(_) if self.guest_to_move().is_some() => None,
            AwaitedActor::Person(seat) if !self.state.shows_decision(self.viewers) => Some(seat),
            _ => None,
        }
    }

    /// Returns the seats of guests at other computers.
    pub fn guests(&self) -> SeatSet {
        self.guests
    }

    /// Returns the seat to move if a guest at another computer plays it; otherwise `None`.
    pub fn guest_to_move(&self) -> Option<Seat> {
        match self.awaited_actor() {
            AwaitedActor::Person(seat) if self.guests.contains(seat) => Some(seat),
            _ => None,
        }
    }

    /// Returns the only viewer, if one player has taken over the screen; otherwise `None`.
    pub fn only_viewer(&self) -> Option<Seat> {
        self.only_viewer
    }
}

/// Queries about mods.
impl Snapshot {
    /// Returns the loaded mods in play, with the theme for painting the game.
    pub fn loaded(&self) -> &Arc<Loaded> {
        &self.loaded
    }

    /// Returns the revision at which the session last read mods, with or without errors.
    pub fn mods_revision(&self) -> Revision {
        self.loaded_at
    }

    /// Returns the files of the mods in play.
    pub fn sources(&self) -> &[Source] {
        self.loaded.sources()
    }

    /// Returns the folder of a mod in play, by its position in
    /// [`GameView::mods`](crate::GameView::mods). Returns `None` if there is no such mod.
    pub fn mod_folder(&self, i: usize) -> Option<&Path> {
        self.loaded.folders().get(i).map(PathBuf::as_path)
    }

    /// Returns the library, from which the session loads mods.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Returns the mods on disk, in play or not, as the session last read them. `None` before the
    /// first call of [`Session::read_mods_on_disk`](crate::Session::read_mods_on_disk).
    pub fn mods_on_disk(&self) -> Option<&Arc<Vec<ModOnDisk>>> {
        self.mods_on_disk.as_ref()
    }

    /// Returns a bot's reasoning behind answer number `step` of the timeline, counted from 0.
    /// `None` if the answer is secret, or if there is no reasoning for it, for example because a
    /// person gave the answer.
    pub fn reasoning(&self, step: usize) -> Option<&BotReasoning> {
        let answer = self.steps().get(step).filter(|answer| !answer.is_secret)?;
        let known = self.reasoning.iter().rfind(|it| it.step == step && it.answer == answer.text)?;
        Some(known)
    }

    /// Returns the problems in the current files of the game's mods. If the files have errors, the
    /// game continues under the last version without errors.
    pub fn problems(&self) -> &Problems {
        &self.problems
    }

    /// Returns the failures of mods' functions in the current game, and under the new rules of
    /// [`divergence`](Self::divergence).
    pub fn run_time_problems(&self) -> Vec<RunTimeProblem> {
        let here = self.fault.as_deref().map(|fault| RunTimeProblem::new(fault, self.loaded.sources()));
        here.into_iter().chain(self.misfit.iter().filter_map(|misfit| misfit.problem.clone())).collect()
    }

    /// Returns the effect of the last change of rules on this game. `None` if there is no change,
    /// or after the user has accepted or reverted it.
    pub fn changes(&self) -> Option<&Arc<RuleChanges>> {
        self.changes.as_ref()
    }

    /// Returns the new rules that the answers of the game do not fit. `None` if the answers fit, or
    /// after the user has chosen how to continue.
    pub fn divergence(&self) -> Option<&Divergence> {
        self.misfit.as_ref()
    }
}

/// Queries about branches.
impl Snapshot {
    /// Returns the branches of the game.
    pub fn branches(&self) -> &[Arc<Branch>] {
        &self.branches
    }
}

/// Queries about the record.
impl Snapshot {
    /// Returns the file to which the session saves the game; `None` if the session does not save
    /// the game.
    pub fn save_location(&self) -> Option<&SaveLocation> {
        self.kept_in.as_ref()
    }

    /// Returns the error of the last attempt to save; `None` if the attempt succeeded.
    pub fn save_error(&self) -> Option<&SaveError> {
        self.save_error.as_ref()
    }

    /// Returns the header of the game's record.
    pub fn header_text(&self) -> String {
        record::header_text(self.setup())
    }

    /// Returns the game up to the current position as a record, including hidden information.
    pub fn record_text(&self) -> String {
        self.record_text_until(self.setup(), self.position_index())
    }

    /// Returns the first `n` answers of the timeline as a record with the header of `setup`,
    /// including hidden information.
    pub fn record_text_until(&self, setup: &Setup, n: usize) -> String {
        record::record_of(setup, self.whole_line.iter().take(n).map(|step| &step.text))
    }
}
