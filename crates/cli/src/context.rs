//! The parts that all commands share: the folders of mods, loading them, and the end of a command.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

use clap::Args;
use diagnostic::Diagnostic;
use loader::{Library, Loaded, builtin_mods};
use rules::{Game, Rules, SettingValue};
use workshop::bundled_mods::Originals;
use workshop::{RecordOnDisk, RulesCache};

use crate::terminal::{ColorChoice, Terminal};

/// Options that every command has.
#[derive(Args)]
pub struct Globals {
    /// Also search DIR for mods; may be repeated
    #[arg(long, global = true, value_name = "DIR", help_heading = "Global options")]
    mods_path: Vec<PathBuf>,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t, help_heading = "Global options")]
    color: ColorChoice,
}

/// The result of a command.
pub type CommandResult = Result<CommandOutcome, CliError>;

/// A record that was played, with the mods it names.
pub struct PlayedRecord {
    /// The mods.
    pub loaded: Arc<Loaded>,
    /// The rules that they make with the settings of the record.
    pub rules: Rc<Rules>,
    /// The game at its end.
    pub game: Game,
    /// True if an answer could not be given or the game failed, which was printed.
    pub has_failed: bool,
}

/// The outcome of a command that ran to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandOutcome {
    /// All is well.
    Fine,
    /// Problems were found and printed.
    Problems,
}

impl CommandOutcome {
    pub fn fine_if(is_fine: bool) -> CommandOutcome {
        if is_fine { CommandOutcome::Fine } else { CommandOutcome::Problems }
    }
}

/// A reason why a command stopped early.
#[derive(Debug)]
pub enum CliError {
    /// A problem that is not printed yet.
    Because(Diagnostic),
    /// The command line is wrong.
    Usage(Diagnostic),
    /// The problem was printed already.
    Said,
    /// Results could not be written.
    Output(io::Error),
}

impl From<Diagnostic> for CliError {
    fn from(diagnostic: Diagnostic) -> CliError {
        CliError::Because(diagnostic)
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> CliError {
        CliError::Output(error)
    }
}

/// The surroundings of a command.
pub struct Context {
    /// The terminal for output and messages.
    pub terminal: Terminal,
    /// The folders of mods, and the mods loaded so far.
    pub mods: RulesCache,
}

impl Context {
    pub fn new(globals: &Globals) -> Context {
        let terminal = Terminal::new(globals.color);
        let mut library = Library::open(&builtin_mods());
        // All bundled mods need the base game. Folders that the user names are used as they are.
        if library.folder("base").is_none() && std::env::var_os("BASTIDE_MODS").is_none() {
            library = Originals::bundled().library(library.paths().to_vec());
        }
        let mut paths = library.paths().to_vec();
        for path in &globals.mods_path {
            if !path.is_dir() {
                let message = format!("--mods-path {} is not a folder", path.display());
                terminal.say(&Diagnostic::without_place(message).as_warning());
            }
            paths.push(path.clone());
        }
        library = library.with_paths(paths);
        Context { terminal, mods: RulesCache::new(library) }
    }

    /// Returns the mods that can be found.
    pub fn library(&self) -> &Library {
        self.mods.library()
    }

    /// Returns the id of a mod given by its id or folder. A folder is searched for mods from now
    /// on.
    pub fn mod_id(&mut self, named: &str) -> String {
        let named = named.trim();
        let path = Path::new(named);
        let is_folder = path.join("mod.toml").is_file();
        let whole = if is_folder { path.canonicalize().ok() } else { None };
        let name = whole.as_ref().and_then(|p| p.file_name()).and_then(|n| n.to_str());
        match name {
            // A folder does not hide an installed mod whose id was typed.
            Some(id) if named != id || !self.library().ids().iter().any(|known| known == id) => {
                self.add_mod(path);
                id.to_owned()
            }
            _ => named.to_owned(),
        }
    }

    /// Returns the ids of mods given by ids or folders.
    pub fn mod_ids(&mut self, named: &[String]) -> Vec<String> {
        named.iter().map(|name| self.mod_id(name)).collect()
    }

    /// Adds `folder`, a mod or a folder of mods, to the searched folders.
    pub fn add_mod(&mut self, folder: &Path) {
        self.mods.add(folder);
    }

    /// Loads mods with their required mods, and prints problems.
    pub fn load(&mut self, ids: &[String]) -> Result<Arc<Loaded>, CliError> {
        let loaded = self.mods.load(ids);
        if self.tell_problems() {
            let known = self.library().ids();
            if ids.iter().any(|id| !known.contains(id)) {
                self.say_where_mods_are();
            }
        }
        loaded.ok_or(CliError::Said)
    }

    /// Prints the problems of mods that are not printed yet. Returns whether there was anything.
    pub fn tell_problems(&mut self) -> bool {
        let problems = self.mods.take_problems();
        problems.iter().for_each(|it| self.terminal.print_message(&it.render(self.terminal.colour_of_messages)));
        !problems.is_empty()
    }

    /// The rules by which a record is played; problems of its mods are printed.
    pub fn rules_of(&mut self, record: &RecordOnDisk) -> Result<Rc<Rules>, Vec<Diagnostic>> {
        let rules = record.rules(&mut self.mods);
        self.tell_problems();
        rules
    }

    /// Plays the record of a whole game; what is wrong with it, and answers that it cannot be
    /// given, are printed.
    pub fn play_record(&mut self, file: &Path) -> Result<PlayedRecord, CliError> {
        let said = |terminal: &Terminal, problems: &[Diagnostic]| {
            problems.iter().for_each(|problem| terminal.say(problem));
            CliError::Said
        };
        let mut warnings = Vec::new();
        let record = RecordOnDisk::read(file, None, &mut warnings).map_err(|p| said(&self.terminal, &p))?;
        warnings.iter().for_each(|warning| self.terminal.say(warning));
        let rules = self.rules_of(&record).map_err(|p| said(&self.terminal, &p))?;
        let ids: Vec<String> = rules.catalogue().mods.iter().map(|it| it.id.clone()).collect();
        let loaded = self.load(&ids)?;
        let run = record.replay(&rules, &mut |_: record::Moment<'_>| {}).map_err(|p| said(&self.terminal, &p))?;
        let failures: Vec<_> = run.failures.iter().filter(|failed| !failed.is_expectation).collect();
        failures.iter().for_each(|failed| self.terminal.say(&record.failure(failed)));
        Ok(PlayedRecord { loaded, rules, has_failed: !failures.is_empty(), game: run.game })
    }

    /// Prints the folders in which mods are looked for, to help a user whose mod was not found.
    fn say_where_mods_are(&self) {
        let paths: Vec<String> = self.library().paths().iter().map(|p| p.display().to_string()).collect();
        let text = format!("  help: mods are searched for in {}; add a folder with --mods-path\n", paths.join(", "));
        self.terminal.print_message(&text);
    }

    /// Returns the rules of loaded mods with `settings`.
    pub fn rules(&mut self, loaded: &Loaded, settings: Vec<SettingValue>) -> Result<Rc<Rules>, Diagnostic> {
        self.mods.rules(loaded, settings)
    }

    /// Ends the program: prints the remaining messages.
    pub fn exit_code(&self, done: CommandResult) -> ExitCode {
        match done {
            Ok(CommandOutcome::Fine) => ExitCode::SUCCESS,
            Ok(CommandOutcome::Problems) | Err(CliError::Said) => ExitCode::FAILURE,
            Err(CliError::Because(diagnostic)) => {
                self.terminal.say(&diagnostic);
                ExitCode::FAILURE
            }
            Err(CliError::Usage(diagnostic)) => {
                self.terminal.say(&diagnostic);
                ExitCode::from(2)
            }
            // The reader of our results has closed the pipe, as `head` does.
            Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(CliError::Output(error)) => {
                self.terminal.say(&Diagnostic::without_place(format!("cannot write the results: {error}")));
                ExitCode::FAILURE
            }
        }
    }
}

/// Returns a setting from the command line.
pub fn parse_setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("write a setting and its value as MOD.NAME=VALUE".to_owned()),
    }
}

/// The error for settings that cannot be.
pub fn bad_settings(mistakes: &[String]) -> CliError {
    CliError::Usage(Diagnostic::without_place(mistakes.join("; ")))
}
