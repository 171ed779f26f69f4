//! Code that all commands share: finds and loads mods, replays records, and prints the error of a
//! failed command.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

use clap::Args;
use diagnostic::Diagnostic;
use loader::{Library, Loaded, builtin_mods, shown_path};
use platform::fs;
use rules::{Game, Rules, SettingValue};
use workshop::bundled_mods::Originals;
use workshop::{RecordOnDisk, RulesCache};

use crate::terminal::{ColorChoice, Terminal};
use crate::value_error::ValueError;

/// Returns the ending of a noun after the number `n`: nothing for 1, otherwise `s`.
pub fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// Returns a number and a noun, in the plural unless the number is 1.
pub fn counted(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", plural(n))
}

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

/// The game of a record, with the mods that the record names.
pub struct PlayedRecord {
    /// The loaded mods.
    pub loaded: Arc<Loaded>,
    /// The game after the last answer of the record, or before the answer that failed.
    pub game: Game,
    /// True if an answer of the record was not among the options. The failure was printed.
    pub has_failed: bool,
}

/// The outcome of a command that ran to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandOutcome {
    /// The command found no problems.
    Fine,
    /// The command found problems and printed them.
    Problems,
}

impl CommandOutcome {
    pub fn fine_if(is_fine: bool) -> CommandOutcome {
        if is_fine { CommandOutcome::Fine } else { CommandOutcome::Problems }
    }
}

/// Writes the rest of a command's results. Returns the outcome of the command.
pub fn finish(mut out: impl io::Write, is_fine: bool) -> CommandResult {
    out.flush()?;
    Ok(CommandOutcome::fine_if(is_fine))
}

/// A reason why a command stopped early.
#[derive(Debug)]
pub enum CliError {
    /// A problem that is not printed yet.
    Problem(Diagnostic),
    /// The command line is wrong.
    Usage(Diagnostic),
    /// The problem was printed already.
    AlreadyPrinted,
    /// Results could not be written.
    Output(io::Error),
}

impl CliError {
    /// Adds the help to an error that is not printed yet.
    pub fn with_help(self, help: impl Into<String>) -> CliError {
        match self {
            CliError::Problem(diagnostic) => CliError::Problem(diagnostic.with_help(help)),
            CliError::Usage(diagnostic) => CliError::Usage(diagnostic.with_help(help)),
            CliError::AlreadyPrinted | CliError::Output(_) => self,
        }
    }
}

impl From<Diagnostic> for CliError {
    fn from(diagnostic: Diagnostic) -> CliError {
        CliError::Problem(diagnostic)
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> CliError {
        CliError::Output(error)
    }
}

/// The context in which a command runs: its terminal and its mods.
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
        // If the base game is missing, adds the bundled mods, because all other mods need the base
        // game. If `BASTIDE_MODS` is set, the user has chosen the folders, so nothing is added.
        if library.folder("base").is_none() && std::env::var_os("BASTIDE_MODS").is_none_or(|paths| paths.is_empty()) {
            library = Originals::bundled().library(library.paths().to_vec());
        }
        let mut paths = library.paths().to_vec();
        for path in &globals.mods_path {
            if !path.is_dir() {
                terminal.warn(format!("--mods-path {} is not a folder", path.display()));
            }
            paths.push(path.clone());
        }
        library = library.with_paths(paths);
        Context { terminal, mods: RulesCache::new(library) }
    }

    /// Returns the library of all mods in the searched folders.
    pub fn library(&self) -> &Library {
        self.mods.library()
    }

    /// Returns the id of the mod that the user named by its id or its folder. If the user named a
    /// folder, adds the folder to the searched folders.
    pub fn resolve_mod(&mut self, named: &str) -> String {
        let named = named.trim();
        let path = Path::new(named);
        let is_folder = path.join("mod.toml").is_file();
        let whole = if is_folder { path.canonicalize().ok() } else { None };
        let name = whole.as_ref().and_then(|p| p.file_name()).and_then(|n| n.to_str());
        match name {
            // The id of an installed mod takes precedence over a folder with the same name.
            Some(id) if named != id || !self.library().ids().iter().any(|known| known == id) => {
                self.mods.add(path);
                id.to_owned()
            }
            _ => {
                self.warn_of_other_copy(named, whole.as_deref());
                named.to_owned()
            }
        }
    }

    /// Warns if an installed mod takes precedence over the mod in `folder`, which has the same id.
    fn warn_of_other_copy(&mut self, id: &str, folder: Option<&Path>) {
        let installed = self.library().folder(id).and_then(|folder| folder.canonicalize().ok());
        if let (Some(folder), Some(installed)) = (folder, installed)
            && folder != installed
        {
            let message = format!("`{id}` is the installed mod in {}, not the folder ./{id}", installed.display());
            let help = format!("for the folder, write ./{id}");
            self.terminal.print_diagnostic(&Diagnostic::without_place(message).with_help(help).as_warning());
        }
    }

    /// Returns the error for the name of a mod that does not exist.
    pub fn unknown_mod(&self, named: &str) -> CliError {
        let help = format!("the mods are {}; name a mod by its id or its folder", self.library().ids().join(", "));
        problem(format!("there is no mod {named}")).with_help(help)
    }

    /// Returns the ids of the mods that the user named by their ids or folders.
    pub fn resolve_mods(&mut self, named: &[String]) -> Vec<String> {
        named.iter().map(|name| self.resolve_mod(name)).collect()
    }

    /// Loads mods together with the mods that they require, and prints their problems.
    ///
    /// # Errors
    /// Returns an error if the mods cannot be loaded; the cause was printed.
    pub fn load(&mut self, ids: &[String]) -> Result<Arc<Loaded>, CliError> {
        let loaded = self.mods.load(ids);
        if self.print_problems() {
            self.terminal.print_message(&self.help_for_missing(ids));
        }
        loaded.ok_or(CliError::AlreadyPrinted)
    }

    /// Prints the problems of mods that were not printed yet. Returns whether there were any.
    pub fn print_problems(&mut self) -> bool {
        let problems = self.mods.take_problems();
        problems.iter().for_each(|it| self.terminal.print_message(&it.render(self.terminal.colour_of_messages)));
        !problems.is_empty()
    }

    /// Returns the rules for a record. Prints the problems of the record's mods.
    ///
    /// # Errors
    /// Returns the problems of the record if its rules cannot be made.
    pub fn rules_of(&mut self, record: &RecordOnDisk) -> Result<Rc<Rules>, Vec<Diagnostic>> {
        let rules = record.rules(&mut self.mods);
        self.print_problems();
        rules
    }

    /// Replays a record up to its end, or to the first answer that is not among the options. Prints
    /// that answer and the problems of the record.
    ///
    /// # Errors
    /// Returns an error if the record cannot be read, or if its mods cannot be loaded.
    pub fn play_record(&mut self, file: &Path) -> Result<PlayedRecord, CliError> {
        let terminal = self.terminal;
        let mut warnings = Vec::new();
        let record = RecordOnDisk::read(file, None, &mut warnings).map_err(|p| printed(&terminal, &p))?;
        terminal.print_diagnostics(&warnings);
        let rules = self.rules_of(&record).map_err(|p| printed(&terminal, &p))?;
        let ids: Vec<String> = rules.catalogue().mods.iter().map(|it| it.id.clone()).collect();
        let loaded = self.load(&ids)?;
        let run =
            record.replay(&rules, &mut |_: record::ReplayedDecision<'_>| {}).map_err(|p| printed(&terminal, &p))?;
        let failures: Vec<_> = run.failures.iter().filter(|failed| !failed.is_expectation).collect();
        failures.iter().for_each(|failed| terminal.print_diagnostic(&record.failure(failed)));
        Ok(PlayedRecord { loaded, has_failed: !failures.is_empty(), game: run.game })
    }

    /// Returns a line of help for the first of `ids` that is not in the library. If the id is a
    /// folder, the line says that the folder has no mod.toml, or names a file that looks like it.
    /// Otherwise, the line lists the searched folders. Returns an empty text if no mod is missing.
    pub fn help_for_missing(&self, ids: &[String]) -> String {
        let known = self.library().ids();
        let Some(missing) = ids.iter().find(|id| !known.contains(id)) else { return String::new() };
        let paths: Vec<String> = self.library().paths().iter().map(|p| p.display().to_string()).collect();
        let in_library = self.library().paths().iter().map(|path| path.join(missing));
        let folder = [PathBuf::from(missing)].into_iter().chain(in_library).find(|path| path.is_dir());
        let help = match folder {
            Some(folder) => help_for_folder(&folder),
            None => format!("Bastide looks for mods in {}; add a folder with --mods-path", paths.join(", ")),
        };
        format!("  help: {help}\n")
    }

    /// Makes the rules of loaded mods with `settings`, or returns rules that were made before.
    pub fn rules(&mut self, loaded: &Loaded, settings: Vec<SettingValue>) -> Result<Rc<Rules>, Diagnostic> {
        self.mods.rules(loaded, settings)
    }

    /// Prints the error of a command, unless it was already printed. Returns the exit code.
    pub fn finish(&self, done: CommandResult) -> ExitCode {
        match done {
            Ok(CommandOutcome::Fine) => ExitCode::SUCCESS,
            Ok(CommandOutcome::Problems) | Err(CliError::AlreadyPrinted) => ExitCode::FAILURE,
            Err(CliError::Problem(diagnostic)) => {
                self.terminal.print_diagnostic(&diagnostic);
                ExitCode::FAILURE
            }
            Err(CliError::Usage(diagnostic)) => {
                self.terminal.print_diagnostic(&diagnostic);
                ExitCode::from(2)
            }
            // The program that reads the results has closed the pipe, as `head` does.
            Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(CliError::Output(error)) => {
                let message = format!("cannot write the results: {error}");
                self.terminal.print_diagnostic(&Diagnostic::without_place(message));
                ExitCode::FAILURE
            }
        }
    }
}

/// Returns help for a folder without `mod.toml`. Names a file that looks like the manifest, or the
/// only mod in the folder.
fn help_for_folder(folder: &Path) -> String {
    let is_manifest = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_lowercase();
        ["mod.toml", "mods.toml", "mod.toml.txt"].contains(&name.as_str())
    };
    let paths: Vec<PathBuf> = fs::paths_in(folder).collect();
    let inner: Vec<&PathBuf> = paths.iter().filter(|path| path.join("mod.toml").is_file()).collect();
    match (paths.iter().find(|path| is_manifest(path)), &inner[..]) {
        (Some(path), _) => format!("rename {} to mod.toml", shown_path(path)),
        (None, [inner]) => format!("the mod is in the folder {}", shown_path(inner)),
        (None, _) => format!("the folder {} has no mod.toml", shown_path(folder)),
    }
}

/// Parses a setting from the command line: its name and its value.
pub fn parse_setting(text: &str) -> Result<(String, String), ValueError> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err(ValueError::Form("a setting and its value as MOD.NAME=VALUE, or a count as MOD/TILE=N or PIECE=N")),
    }
}

/// Returns the error with which a command stops because of `error`.
pub fn problem(error: impl Display) -> CliError {
    CliError::Problem(Diagnostic::without_place(error.to_string()))
}

/// Returns the error for a command line that is wrong because of `error`.
pub fn usage(error: impl Display) -> CliError {
    CliError::Usage(Diagnostic::without_place(error.to_string()))
}

/// Returns the error for the option `option` of the command line, such as `--sweep`.
pub fn option_error(option: &str, error: impl Display) -> CliError {
    usage(format!("{option}: {error}"))
}

/// Prints the problems that stop a command, and returns the error of the command.
pub fn printed(terminal: &Terminal, problems: &[Diagnostic]) -> CliError {
    terminal.print_diagnostics(problems);
    CliError::AlreadyPrinted
}

/// Returns the error for a file or folder that cannot be written.
pub fn write_error(path: &Path, error: &io::Error) -> CliError {
    problem(format!("cannot write {}: {error}", path.display()))
}

/// Writes a file.
pub fn write_file(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), CliError> {
    fs::write_output(path, bytes).map_err(|error| write_error(path, &error))
}

/// Writes the file that the user can name with `--out`.
pub fn write_out(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), CliError> {
    write_file(path, bytes).map_err(|error| error.with_help("name another file with --out"))
}
