//! Starts games from setups and from records on disk.
#![expect(clippy::indexing_slicing, reason = "a node contains the indices of other nodes of its record")]

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use diagnostic::{Diagnostic, Severity};
use loader::{Library, Loaded, MAX_RECORD_BYTES, Problems, ReadError, SettingErrors, read_text, shown_path};
use platform::time::{SystemTime, UNIX_EPOCH};
use players::{list_of_bots, player_named};
use record::{GivenErrors, LogEntry, Record, check_mods, replay_while, saved_setup};
use rules::{Failure, Rules, RulesFactory, Setup, SetupError};

use crate::reload::accepted_settings;
use crate::session::Session;
use crate::stop_flag::StopFlag;

/// A reason why a game cannot be started or opened.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OpenError {
    /// The mods have errors.
    #[error("{}", .0.list().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Mods(Problems),
    /// The mods refuse chosen settings.
    #[error(transparent)]
    Settings(#[from] SettingErrors),
    /// The scripts of the mods fail under the chosen settings.
    #[error("{}:{}:{}: {}", .0.file, .0.line, .0.column, .0.message)]
    Rules(Failure),
    /// The mods cannot be played with these players.
    #[error(transparent)]
    Players(#[from] SetupError),
    /// The game cannot start at the position of the setup.
    #[error(transparent)]
    Position(#[from] GivenErrors),
    /// The record cannot be read. Contains its file and the reason.
    #[error("{0}: {1}")]
    Unreadable(String, String),
    /// Messages about lines of the record, each with its place.
    #[error("{}", .0.join("\n"))]
    Record(Vec<String>),
}

/// An opened record, as a session.
pub struct OpenedRecord {
    /// The game at the end of the record, or before the first answer that does not fit the rules.
    /// The session has already answered for chance, up to the next decision of a player.
    pub session: Session,
    /// Warnings about the record.
    pub warnings: Vec<String>,
    /// True if every answer of the record fits the rules.
    pub is_whole: bool,
    /// The line of the answer before which the game ends, and the reason why this answer does not
    /// fit the rules; `None` if every answer fits. One of the warnings says the same.
    pub end: Option<(usize, String)>,
}

/// Returns a random seed below one million, which is short enough to be read aloud.
pub fn random_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |d| d.as_nanos() as u64);
    players::Rng::new(now).next_u64() % 1_000_000
}

/// Returns a message for each unknown bot of a setup. A person plays the bot's seat instead.
pub fn unknown_bots(setup: &Setup) -> Vec<String> {
    let unknown = setup.bots.iter().filter(|(_, bot)| player_named(bot).is_none());
    let said = |(player, bot): &(String, String)| {
        format!("unknown bot `{bot}`, so a person plays {player}; available bots: {}", list_of_bots(false))
    };
    unknown.map(said).collect()
}

/// Loads the mods of a setup.
fn load(library: &Library, setup: &Setup) -> Result<(Arc<Loaded>, Problems), OpenError> {
    let ids: Vec<String> = setup.mods.iter().map(|m| m.id.clone()).collect();
    let (loaded, problems) = library.load(&ids);
    let Some(loaded) = loaded else { return Err(OpenError::Mods(problems)) };
    Ok((Arc::new(loaded), problems))
}

/// Makes the rules of loaded mods with these settings. Each setting is a name and a value.
fn rules_of(loaded: &Loaded, settings: &[(String, String)]) -> Result<Rc<Rules>, OpenError> {
    let settings = loaded.settings_from(settings)?;
    let rules = loaded.rules(settings).map_err(OpenError::Rules)?;
    Ok(Rc::new(rules))
}

/// Starts the game of a setup, and answers for chance up to the first decision of a player.
///
/// # Errors
/// Returns an error if the mods have errors, or if the setup's players, settings or position do not
/// fit the mods.
pub fn begin_game(library: &Library, setup: Setup) -> Result<Session, OpenError> {
    begin_game_with_stop(library, setup, &StopFlag::default())
}

/// Starts a game as [`begin_game`] does, with `stop` as the session's stop flag.
///
/// # Errors
/// As [`begin_game`].
pub fn begin_game_with_stop(library: &Library, setup: Setup, stop: &StopFlag) -> Result<Session, OpenError> {
    let (loaded, problems) = load(library, &setup)?;
    let rules = rules_of(&loaded, &setup.settings)?;
    setup.check_players(rules.catalogue())?;
    let seed = Some(setup.seed.unwrap_or_else(random_seed));
    let setup = saved_setup(rules.catalogue(), &Setup { seed, ..setup });
    let game = record::start_game(rules, setup)?;
    let mut session = Session::new(library.clone(), loaded, game);
    session.set_stop(stop.clone(), StopFlag::default());
    session.set_problems(problems);
    session.deal();
    Ok(session)
}

/// Opens the game of the record in the file `path`, and goes to the end of the game. If an answer
/// of the record does not fit the rules, the game ends before this answer, and a warning gives the
/// reason.
///
/// # Errors
/// Returns an error if the file cannot be read or is not a record, or if the mods of the record
/// have errors. Also returns an error if the players or the position of the record do not fit the
/// mods.
pub fn open_record(library: &Library, path: &Path) -> Result<OpenedRecord, OpenError> {
    open_record_with_stop(library, path, &StopFlag::default())
}

/// Opens a record as [`open_record`] does, with `stop` as the session's stop flag.
///
/// # Errors
/// As [`open_record`]. Also returns an error if `stop` is set before the record is open.
pub fn open_record_with_stop(library: &Library, path: &Path, stop: &StopFlag) -> Result<OpenedRecord, OpenError> {
    let file = shown_path(path);
    let text = read_text(path, None, MAX_RECORD_BYTES).map_err(|unreadable| {
        let reason = match unreadable {
            ReadError::NotText(_) => "this is not text in UTF-8; a record is a text file".to_owned(),
            other => format!("cannot be read: {other}"),
        };
        OpenError::Unreadable(file.clone(), reason)
    })?;
    open_text_with_stop(library, &file, &text, stop)
}

/// Opens the text of a record as [`open_record_with_stop`] opens a file. Messages call the record
/// `file`.
fn open_text_with_stop(library: &Library, file: &str, text: &str, stop: &StopFlag) -> Result<OpenedRecord, OpenError> {
    let (record, problems) = Record::parse(text);
    let said = |p: &Diagnostic| {
        let help = p.help.as_ref().map(|h| format!(" ({h})")).unwrap_or_default();
        format!("{file}:{}: {}{help}", p.span.line.max(1), p.message)
    };
    let wrong: Vec<String> = problems.iter().filter(|p| p.severity == Severity::Error).map(said).collect();
    if !wrong.is_empty() {
        return Err(OpenError::Record(wrong));
    }
    let mut warnings: Vec<String> = problems.iter().map(said).collect();
    let (loaded, load_problems) = load(library, &record.setup)?;
    // A setting that the mods refuse stays in the record, because the user may be editing the mods.
    let (accepted, refused) = accepted_settings(&loaded, &record.setup.settings);
    let rules = rules_of(&loaded, &accepted)?;
    warnings.extend(refused);
    warnings.extend(check_mods(rules.catalogue(), &record.setup).iter().map(said));
    let run = replay_while(rules, &record, |_| {}, || !stop.is_requested());
    let run = run.map_err(|p| OpenError::Record(p.iter().map(said).collect()))?;
    let stopped = || OpenError::Unreadable(file.to_owned(), "stopped while opening".to_owned());
    let run = run.ok_or_else(stopped)?;
    warnings.extend(unknown_bots(&record.setup));
    warnings.extend(run.warnings.iter().map(said));
    warnings.extend(run.failures.iter().map(|f| {
        let what = if f.is_expectation { format!("`{}` does not hold: ", f.text) } else { String::new() };
        format!("{file}:{}: {what}{}", f.line, f.actual)
    }));
    let end = run.failures.iter().find(|f| !f.is_expectation).map(|f| (f.line, f.actual.clone()));
    let mut session = Session::new(library.clone(), loaded, run.game);
    session.set_stop(stop.clone(), StopFlag::default());
    session.set_problems(load_problems);
    let (branches, is_limited) = other_branches(&record);
    if is_limited {
        warnings.push(format!("{file}: only the last branches are shown, because the record undoes very many answers"));
    }
    session.restore_branches(&branches);
    session.deal();
    Ok(OpenedRecord { session, warnings, is_whole: end.is_none(), end })
}

/// The maximum number of answers in all branches together that are restored from a record.
const MAX_BRANCH_ANSWERS: usize = 50_000;

/// An answer of a record, as a node of the tree of its branches.
struct AnswerNode<'r> {
    answer: &'r str,
    /// The answer before; `None` for the start of the game.
    before: Option<usize>,
    /// True if no branch goes on after this answer.
    is_last: bool,
}

/// Returns the branches of a record: the answers before each undo, from the start of the game.
/// Omits a branch if another branch or the final game begins with all its answers. If the branches
/// have more than [`MAX_BRANCH_ANSWERS`] answers, returns only the last branches, and true.
fn other_branches(record: &Record) -> (Vec<Vec<String>>, bool) {
    let start = AnswerNode { answer: "", before: None, is_last: true };
    let (mut nodes, mut at, mut left) = (vec![start], 0, Vec::new());
    let mut after: HashMap<(usize, &str), usize> = HashMap::new();
    for entry in record.lines.iter().map(|line| &line.entry) {
        match entry {
            LogEntry::Answer(answer) => {
                let before = at;
                at = *after.entry((before, answer)).or_insert(nodes.len());
                if at == nodes.len() {
                    nodes[before].is_last = false;
                    nodes.push(AnswerNode { answer, before: Some(before), is_last: true });
                }
            }
            LogEntry::Back(n) => {
                left.push(at);
                for _ in 0..*n {
                    let Some(before) = nodes[at].before else { break };
                    at = before;
                }
            }
            LogEntry::Expect(_) | LogEntry::End => {}
        }
    }
    let mut n_answers = 0;
    let mut branches = Vec::new();
    let mut seen = HashSet::from([at]);
    for end in left.into_iter().rev().filter(|end| nodes[*end].is_last) {
        if !seen.insert(end) {
            continue;
        }
        let before = |node: &usize| nodes[*node].before;
        let path: Vec<usize> = std::iter::successors(Some(end), before).take(MAX_BRANCH_ANSWERS + 1).collect();
        n_answers += path.len();
        if n_answers > MAX_BRANCH_ANSWERS {
            break;
        }
        branches.push(path.into_iter().rev().skip(1).map(|node| nodes[node].answer.to_owned()).collect());
    }
    branches.reverse();
    (branches, n_answers > MAX_BRANCH_ANSWERS)
}

impl Session {
    /// Starts another game with mods of the same library and with the same [`StopFlag`].
    ///
    /// # Errors
    /// As [`begin_game`].
    pub fn begin_another(&self, setup: Setup) -> Result<Session, OpenError> {
        begin_game_with_stop(self.library(), setup, self.stop_flag())
    }

    /// Opens a record of another game with the mods of `library` and with the same [`StopFlag`].
    ///
    /// # Errors
    /// As [`open_record`].
    pub fn open_other_record(&self, library: &Library, record: &Path) -> Result<OpenedRecord, OpenError> {
        open_record_with_stop(library, record, self.stop_flag())
    }

    /// Opens the text of a record with the mods of `library` and with the same [`StopFlag`].
    /// Messages call the record `name`.
    ///
    /// # Errors
    /// As [`open_record`], except that no file is read.
    pub fn open_record_text(&self, library: &Library, name: &str, text: &str) -> Result<OpenedRecord, OpenError> {
        open_text_with_stop(library, name, text, self.stop_flag())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn branches(log: &str) -> Vec<Vec<String>> {
        other_branches(&Record::parse(&format!("bastide 1\nmods base\nplayers red blue\n{log}")).0).0
    }

    #[test]
    fn branches_are_the_answers_before_each_undo() {
        assert_eq!(branches("a\nb\nback 1\nc\n"), [["a", "b"]]);
        assert_eq!(branches("a\nb\nback 2\na\nb\nc\n"), [[""; 0]; 0]);
        assert_eq!(branches("a\nb\nback 1\nc\nback 9\nd\n"), [["a", "b"], ["a", "c"]]);
        assert_eq!(branches("a\nb\nc\nback 1\nback 1\nback 1\n"), [["a", "b", "c"]]);
    }

    #[test]
    fn branches_of_a_long_record_are_limited() {
        let undos: String = (0..5_000).map(|i| format!("back 1\nb{i}\n")).collect();
        let branches = branches(&format!("{}{undos}", "a\n".repeat(20_000)));
        assert_eq!(branches.iter().map(Vec::len).collect::<Vec<_>>(), [20_000, 20_000]);
        assert_eq!(branches[1].last().unwrap(), "b4998");
    }
}
