//! The trial of a hostile mod. The engine must refuse a harmful mod, or stop it in time with a
//! message that names the place in its files. The game must then be as it was before the answer
//! that failed.

use std::fs;
use std::path::{Path, PathBuf};

use diagnostic::{Diagnostic, Severity};
use loader::{Library, Problems};
use rules::{Fault, Rules, RulesFactory};
use table::{AwaitedActor, OpenError, ReloadOutcome, Session, describe_zone};
use testkit::{ExpectedOutcome, HostileMod, mods_folder};

use crate::sitting;

/// The maximum processor time in milliseconds for loading, for one answer with all its effects, or
/// for a tooltip. A build without optimization gets twice this time.
pub const LIMIT_MS: u64 = if cfg!(debug_assertions) { 2_000 } else { 1_000 };

/// The maximum processor time for a reload, in milliseconds. A reload plays the whole game again,
/// and each answer of the game may take long.
const RELOAD_LIMIT_MS: u64 = 5 * LIMIT_MS;

/// The maximum memory of a program that loads, plays and reloads a hostile mod, in bytes.
pub const MAX_MEMORY_BYTES: u64 = 300 << 20;

const RELOAD_LABEL: &str = "a reload";

/// The number of answers before the trial saves the hostile mod over the harmless version.
const BEFORE_RELOAD: usize = 24;

/// The trial of a hostile mod, and the failed expectations.
pub struct HostileTrial<'h> {
    hostile: &'h HostileMod,
    library_folder: PathBuf,
    record: PathBuf,
    complaints: Vec<String>,
    times: Vec<(&'static str, u64)>,
}

impl<'h> HostileTrial<'h> {
    /// Loads, plays and reloads `hostile` in `folder`, which must be empty.
    ///
    /// # Panics
    /// Panics if files cannot be written or if the engine panics.
    pub fn run(hostile: &'h HostileMod, folder: &Path) -> HostileTrial<'h> {
        let library_folder = folder.join("mods");
        fs::create_dir(&library_folder).unwrap();
        let record = folder.join("kept.game");
        let mut trial = HostileTrial { hostile, library_folder, record, complaints: Vec::new(), times: Vec::new() };
        hostile.write_into(&trial.library_folder);
        if trial.load_hostile_mod() {
            trial.play();
        }
        trial.reload();
        trial
    }

    /// Returns a sentence for each failed expectation.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }

    /// Returns the longest time of each operation, in milliseconds.
    pub fn times(&self) -> &[(&'static str, u64)] {
        &self.times
    }

    fn complain(&mut self, complaint: String) {
        self.complaints.push(complaint);
    }

    /// Runs `act` and records the processor time that it takes.
    fn timed<T>(&mut self, what: &'static str, act: impl FnOnce() -> T) -> T {
        let before = processor_ms();
        let result = act();
        let took = processor_ms() - before;
        match self.times.iter_mut().find(|(known, _)| *known == what) {
            Some((_, most)) => *most = took.max(*most),
            None => self.times.push((what, took)),
        }
        if took > if what == RELOAD_LABEL { RELOAD_LIMIT_MS } else { LIMIT_MS } {
            self.complain(format!("{what} took {took} ms"));
        }
        result
    }

    fn library(&self) -> Library {
        Library::open(&[mods_folder(), self.library_folder.clone()]).with_icon_check(art::check_icon)
    }

    /// Lists all mods as the window does, then loads the hostile mod. Returns whether the hostile
    /// mod can be played.
    fn load_hostile_mod(&mut self) -> bool {
        let (library, ids) = (self.library(), self.hostile.mods.clone());
        self.timed("listing all mods", || library.available_mods());
        let problems = self.timed("check", || {
            let (loaded, mut problems) = library.load(&ids);
            let rules = loaded.and_then(|l| l.rules(Rules::default_settings(l.catalogue())).err());
            if let Some(failure) = rules {
                problems.add_failure(&failure);
            }
            problems
        });
        let text = problems.to_string();
        if !text.contains(&self.hostile.says) {
            self.complain(format!("no message says `{}`:\n{}", self.hostile.says, shortened(&text)));
        }
        let is_refused = problems.n_errors() > 0;
        match &self.hostile.fate {
            ExpectedOutcome::Refused(_) if !is_refused => {
                self.complain(format!("the mod loads, but should be refused; its problems: {}", shortened(&text)))
            }
            ExpectedOutcome::Refused(words) => {
                // An unreadable file has no line to show, so the message must name the file.
                let at = &self.hostile.at;
                let is_there =
                    |p: &Diagnostic| self.is_expected_place(&p.span.file, p.span.line) || contains_any(at, &p.message);
                if !errors(&problems).any(|p| contains_any(words, &p.to_string()) && is_there(p)) {
                    self.complain(format!("no error says `{words}` at `{}`:\n{}", self.hostile.at, shortened(&text)));
                }
            }
            _ if is_refused => self.complain(format!("the mod does not load:\n{}", shortened(&text))),
            _ => {}
        }
        !is_refused
    }

    fn is_expected_place(&self, file: &str, line: u32) -> bool {
        self.hostile.at.split('|').any(|at| file.ends_with(at) || format!("{file}:{line}").ends_with(at))
    }

    fn begin(&self) -> Result<Session, OpenError> {
        sitting::begin(&self.library(), &self.hostile.mods, &self.hostile.bot)
    }

    /// Plays until the first fault, but gives at most [`HostileMod::answers`] answers.
    fn play(&mut self) {
        let (library, ids, bot) = (self.library(), &self.hostile.mods, &self.hostile.bot);
        let mut session = match self.timed("beginning", || sitting::begin(&library, ids, bot)) {
            Ok(session) => session,
            Err(error) => return self.complain(format!("the game cannot be started: {error}")),
        };
        let mut before = (session.position_index(), Vec::new());
        for _ in 0..self.hostile.answers {
            if !matches!(session.awaited_actor(), AwaitedActor::Bot(_) | AwaitedActor::Chance) {
                break;
            }
            before = (session.position_index(), session.view().position_lines());
            self.timed("an answer", || session.advance());
            self.call_tooltip_functions(&session);
        }
        let fault = session.view().fault().cloned();
        match (fault, &self.hostile.fate) {
            (Some(fault), _) if fault.failure.is_panic => self.complain(format!("a panic: {fault}")),
            (Some(fault), _) if fault.failure.message.contains("was stopped") => {
                self.complain(format!("the time limit stopped it, not the limit of operations: {fault}"));
            }
            (Some(fault), ExpectedOutcome::Fault(words)) => {
                let Fault { failure, .. } = &fault;
                if !contains_any(words, &failure.message) || !self.is_expected_place(&failure.file, failure.line) {
                    self.complain(format!("no fault says `{words}` at `{}`: {fault}", self.hostile.at));
                }
                // If the last step of the session gave several answers, the state before the
                // failing answer is unknown.
                if before.0 + 1 == session.position_index() {
                    self.check_fault_repeats(&mut session, &before.1, &fault);
                }
            }
            (Some(fault), _) => self.complain(format!("a fault: {fault}")),
            (None, ExpectedOutcome::Fault(_)) => {
                self.complain(format!(
                    "no fault after {} answers; the game waits for {:?}",
                    session.position_index(),
                    session.awaited_actor()
                ));
            }
            (None, _) => {}
        }
    }

    /// Calls the functions that the tooltip of one zone calls.
    fn call_tooltip_functions(&mut self, session: &Session) {
        let view = session.view();
        if let Some(zone) = view.features().first().and_then(|feature| view.zones(feature.feature).next()) {
            self.timed("a tooltip", || describe_zone(view, zone));
        }
    }

    /// Checks that a fault leaves the game unchanged, and that the same answer leads to a fault in
    /// the same function.
    fn check_fault_repeats(&mut self, session: &mut Session, before: &[String], fault: &Fault) {
        let at = session.position_index();
        session.go_to(at - 1);
        if session.view().position_lines() != before {
            self.complain("the fault changed the game".to_owned());
        }
        self.timed("an answer", || session.go_to(at));
        match session.view().fault() {
            Some(again) if again.function == fault.function => {}
            Some(again) => self.complain(format!("the same answer led to another fault: {again}")),
            None => self.complain("the same answer led to no fault the second time".to_owned()),
        }
    }

    /// Plays with a harmless version of the mod, reloads with the hostile version, and then reloads
    /// with the harmless version.
    fn reload(&mut self) {
        self.hostile.write_harmless_into(&self.library_folder);
        let mut session = match self.begin() {
            Ok(session) => session,
            Err(error) => return self.complain(format!("the game with the harmless mod cannot be started: {error}")),
        };
        sitting::save_into(&mut session, &self.record);
        sitting::advance(&mut session, BEFORE_RELOAD);
        let (position, text) = (session.view().position_lines(), session.record_text());
        self.hostile.write_into(&self.library_folder);
        let outcome = self.timed(RELOAD_LABEL, || session.reload_mods());
        self.call_tooltip_functions(&session);
        if matches!((&outcome, &self.hostile.fate), (ReloadOutcome::Failed(_) | ReloadOutcome::Diverged(_), _))
            && session.view().position_lines() != position
        {
            self.complain("a failed reload changed the game".to_owned());
        }
        // If the hostile version asked new questions, the reload answered them by passing, and the
        // record stays different.
        let is_same_line =
            answers(&session.record_text()) == answers(&text) || !matches!(outcome, ReloadOutcome::Changed(_));
        self.hostile.write_harmless_into(&self.library_folder);
        session.keep_old_rules();
        session.reload_mods();
        session.save();
        if is_same_line && answers(&session.record_text()) != answers(&text) {
            self.complain(format!("after the reloads, the record differs:\n{}", session.record_text()));
        }
        if is_same_line && session.view().position_lines() != position {
            self.complain("after the reloads, the position differs".to_owned());
        }
        if let Some(error) = session.save_error() {
            self.complain(error.to_string());
        }
        let kept = fs::read_to_string(&self.record).unwrap_or_default();
        if answers(&kept) != answers(&session.record_text()) {
            self.complain("the record does not contain the answers of the game".to_owned());
        }
    }
}

/// Loads the mod `id` from these folders of mods, as `bastide check` does. Returns the processor
/// time in milliseconds.
pub fn loading_ms(paths: &[PathBuf], id: &str) -> u64 {
    let before = processor_ms();
    let library = Library::open(paths).with_icon_check(art::check_icon);
    let (loaded, problems) = library.load(&[id]);
    drop(loaded.map(|loaded| loaded.rules(Rules::default_settings(loaded.catalogue()))));
    drop(problems.to_string());
    processor_ms() - before
}

/// Returns the answers of a record that are not undone.
fn answers(text: &str) -> Vec<String> {
    let (record, _) = record::Record::parse(text);
    let mut log = Vec::new();
    for line in &record.lines {
        match &line.entry {
            record::LogEntry::Answer(text) => log.push(text.clone()),
            record::LogEntry::Back(n) => log.truncate(log.len().saturating_sub(*n)),
            _ => {}
        }
    }
    log
}

fn errors(problems: &Problems) -> impl Iterator<Item = &Diagnostic> {
    problems.list().iter().filter(|problem| problem.severity == Severity::Error)
}

fn contains_any(words: &str, text: &str) -> bool {
    words.split('|').any(|word| text.contains(word))
}

fn shortened(text: &str) -> String {
    let lines: Vec<String> = text.lines().take(4).map(|line| line.chars().take(300).collect()).collect();
    if lines.is_empty() { "no messages".to_owned() } else { lines.join("\n") }
}

/// Returns the processor time of this thread in milliseconds.
fn processor_ms() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|ns| ns.parse::<u64>().ok()).unwrap_or(0) / 1_000_000
}
