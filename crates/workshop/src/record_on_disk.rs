//! Reads records from disk, and makes the rules that they need.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use diagnostic::{Diagnostic, Severity, Span, did_you_mean};
use loader::{MAX_RECORD_BYTES, ReadError, SettingError, read_text};
use platform::fs;
use players::{PERSONAS, PLAYERS, list_of_bots, player_named};
use record::{FailedEntry, Record, Replay, check_mods};
use rules::{Fault, Rules, SetupError};

use crate::rules_cache::RulesCache;

/// The maximum number of failed lines of a record that [`RecordOnDisk::failures`] describes.
const MAX_FAILURES: usize = 200;

/// A record read from a file.
pub struct RecordOnDisk {
    /// The path of the file, as the user gave it.
    pub file: String,
    /// The text of the file.
    pub text: String,
    /// The parsed record.
    pub record: Record,
}

/// Returns a description of a fault: who failed, a mod or the program, and the reason.
pub fn fault_text(fault: &Fault) -> String {
    if fault.failure.is_panic { fault.to_string() } else { format!("a mod failed: {fault}") }
}

impl RecordOnDisk {
    /// Reads a record, and adds its warnings to `warnings`. If the record is a test of a mod,
    /// `inside` must be the mod's folder. In this case, a symbolic link that leads out of this
    /// folder is an error.
    ///
    /// # Errors
    /// Returns one error if the file cannot be read. Otherwise returns all errors of the record, if
    /// there are any.
    pub fn read(
        path: &Path,
        inside: Option<&Path>,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<RecordOnDisk, Vec<Diagnostic>> {
        let file = path.display().to_string();
        let text = read_text(path, inside, MAX_RECORD_BYTES).map_err(|unreadable| {
            let cannot =
                |help: &str| Diagnostic::in_file(&file, 0, format!("cannot be read: {unreadable}")).with_help(help);
            let problem = match &unreadable {
                ReadError::NotText(e) => {
                    let valid = e.as_bytes().iter().take(e.utf8_error().valid_up_to());
                    let line = 1 + valid.filter(|byte| **byte == b'\n').count();
                    Diagnostic::in_file(&file, line, "this is not text in UTF-8")
                        .with_help("records are text files; check the path")
                }
                ReadError::NotAFile(_) => cannot("name a file, such as my-game.game"),
                _ => cannot("check the path; names of records end in .game"),
            };
            vec![problem]
        })?;
        let (record, problems) = Record::parse(&text);
        let opened = RecordOnDisk { file, text, record };
        let (doubtful, wrong): (Vec<_>, Vec<_>) = problems.into_iter().partition(|p| p.severity == Severity::Warning);
        warnings.extend(doubtful.iter().map(|p| opened.located_in_file(p)));
        if !wrong.is_empty() {
            return Err(wrong.iter().map(|p| opened.located_in_file(p)).collect());
        }
        Ok(opened)
    }

    /// Returns a copy of `problem`, a problem of this record, with the name of the record's file.
    pub fn located_in_file(&self, problem: &Diagnostic) -> Diagnostic {
        let span = Span { file: self.file.clone(), ..problem.span.clone() };
        Diagnostic { span, ..problem.clone() }
    }

    fn located_in_line(&self, line: usize, problem: &Diagnostic) -> Diagnostic {
        let mut problem = self.located_in_file(problem);
        problem.span.line = line as u32;
        problem
    }

    /// Returns the message for `failed`, a failed line of this record, with the name of the
    /// record's file.
    pub fn failure(&self, failed: &FailedEntry) -> Diagnostic {
        if failed.is_expectation {
            let message = format!("`{}` does not hold: {}", failed.text, failed.actual);
            return Diagnostic::in_file(&self.file, failed.line, message);
        }
        let help = "the rules have changed or the line is wrong: correct it, or delete it and all lines after it";
        Diagnostic::in_file(&self.file, failed.line, &failed.actual).with_help(help)
    }

    /// Describes the failed lines of a replay, like [`failure`](Self::failure). If more than 200
    /// lines failed, only counts the others.
    pub fn failures<'f>(&self, failed: impl IntoIterator<Item = &'f FailedEntry>) -> Vec<Diagnostic> {
        let mut failed = failed.into_iter();
        let mut told: Vec<Diagnostic> = failed.by_ref().take(MAX_FAILURES).map(|it| self.failure(it)).collect();
        let n_more = failed.count();
        if n_more > 0 {
            told.push(Diagnostic::in_file(&self.file, 0, format!("{n_more} more lines of this record failed")));
        }
        told
    }

    /// Returns the number of the first line that begins with `words`, counted from 1; 0 if there is
    /// no such line.
    fn line_of(&self, words: &[&str]) -> usize {
        let begins = |line: &str| line.split_whitespace().take(words.len()).eq(words.iter().copied());
        self.text.lines().position(begins).map_or(0, |i| i + 1)
    }

    /// Makes the rules of this record. Searches for missing mods near the file, and adds the
    /// folders of these mods to `cache`.
    ///
    /// # Errors
    /// Returns errors if a mod of the record is missing or cannot be loaded, or if a setting is
    /// invalid. The problems of the mods stay in `cache`; see [`RulesCache::take_problems`].
    pub fn rules(&self, cache: &mut RulesCache) -> Result<Rc<Rules>, Vec<Diagnostic>> {
        let ids: Vec<String> = self.record.setup.mods.iter().map(|m| m.id.clone()).collect();
        self.find_missing_mods(cache, &ids);
        let known = cache.library().ids();
        let line = self.line_of(&["mods"]);
        let unknown = ids.iter().filter(|id| !known.contains(id));
        let help =
            format!("put its folder into a folder of mods, or add --mods-path DIR; available: {}", known.join(", "));
        let problems: Vec<Diagnostic> = unknown
            .map(|id| Diagnostic::in_file(&self.file, line, format!("the mod {id} is not available")).with_help(&help))
            .collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        let cannot = || {
            Diagnostic::in_file(&self.file, line, "the mods of this record cannot be loaded, because they have errors")
        };
        let loaded = cache.load(&ids).ok_or_else(|| vec![cannot()])?;
        let chosen = &self.record.setup.settings;
        let settings = loaded.settings_from(chosen).map_err(|errors| {
            let line = |error: &SettingError| self.line_of(&["set", error.name()]);
            let in_file = |error: &SettingError| Diagnostic::in_file(&self.file, line(error), error.to_string());
            errors.0.iter().map(in_file).collect::<Vec<_>>()
        })?;
        cache.rules(&loaded, settings).map_err(|c| vec![c])
    }

    /// Searches for missing mods near the record, and adds their folders to `cache`. A test is in
    /// the folder of its mod, and a saved game is often beside the folders of its mods.
    fn find_missing_mods(&self, cache: &mut RulesCache, ids: &[String]) {
        let known = cache.library().ids();
        let around: Vec<PathBuf> = fs::canonicalize(&self.file)
            .map_or_else(|_| Vec::new(), |path| path.ancestors().skip(1).take(3).map(Path::to_owned).collect());
        for id in ids.iter().filter(|id| !known.contains(id)) {
            let is_it = |folder: &PathBuf| fs::is_file(&folder.join("mod.toml"));
            let itself = around.iter().find(|f| f.file_name().is_some_and(|n| n == id.as_str()) && is_it(f)).cloned();
            let beside = || around.iter().map(|folder| folder.join(id)).find(|f| is_it(f));
            if let Some(folder) = itself.or_else(beside) {
                cache.add(&folder);
            }
        }
    }

    /// Returns a warning for each mod of the record whose version or files differ from the version
    /// or files of the loaded mod.
    pub fn mod_warnings(&self, rules: &Rules) -> Vec<Diagnostic> {
        let line = self.line_of(&["mods"]);
        let problems = check_mods(rules.catalogue(), &self.record.setup);
        problems.iter().map(|p| self.located_in_line(line, p)).collect()
    }

    /// Returns a warning for each bot of the record that does not exist. Ignores programs.
    pub fn bot_warnings(&self) -> Vec<Diagnostic> {
        let is_unknown = |bot: &str| !bot.starts_with("exec:") && player_named(bot).is_none();
        let bots = self.record.setup.bots.iter().filter(|(_, bot)| is_unknown(bot));
        let warning = |(player, bot): &(String, String)| {
            let names = PLAYERS.iter().chain(PERSONAS).map(|it| &*it.name);
            let help = did_you_mean(bot, names).unwrap_or_else(|| format!("available bots: {}", list_of_bots(false)));
            let line = self.line_of(&["bot", player.as_str()]);
            Diagnostic::in_file(&self.file, line, format!("unknown bot `{bot}`")).as_warning().with_help(help)
        };
        bots.map(warning).collect()
    }

    /// Runs the record. Calls `each` with each decision and its answer, before giving the answer.
    ///
    /// # Errors
    /// Returns an error if the position of the record cannot be built.
    pub fn replay(
        &self,
        rules: &Rc<Rules>,
        each: impl FnMut(record::ReplayedDecision<'_>),
    ) -> Result<Replay, Vec<Diagnostic>> {
        let run = self.replay_while(rules, each, || true)?;
        run.ok_or_else(|| vec![Diagnostic::in_file(&self.file, 0, "the run was stopped")])
    }

    /// Runs the record as [`replay`](RecordOnDisk::replay) does, but returns `None` as soon as
    /// `goes_on` returns false.
    ///
    /// # Errors
    /// As [`replay`](RecordOnDisk::replay).
    pub fn replay_while(
        &self,
        rules: &Rc<Rules>,
        each: impl FnMut(record::ReplayedDecision<'_>),
        goes_on: impl Fn() -> bool,
    ) -> Result<Option<Replay>, Vec<Diagnostic>> {
        let line_of_setup = match self.record.setup.check_players(rules.catalogue()) {
            Err(SetupError::NoSuchPlayer { word, name }) => self.line_of(&[word, name.as_str()]),
            _ => self.line_of(&["players"]),
        };
        record::replay_while(rules.clone(), &self.record, each, goes_on).map_err(|problems| {
            let at = |p: &Diagnostic| if p.span.line == 0 { line_of_setup } else { p.span.line as usize };
            problems.iter().map(|p| self.located_in_line(at(p), p)).collect()
        })
    }
}
