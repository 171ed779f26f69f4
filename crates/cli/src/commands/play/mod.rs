//! `bastide play`: a game in the terminal, by people and bots.

pub mod input;
mod session;
pub mod show;

use std::io::{BufRead, StdinLock, Write};
use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use table::{
    AwaitedActor, HUMAN, RecordFile, ReloadOutcome as Reloaded, SaveError, Seat, Session as Table, Watcher,
    unknown_bots,
};
use workshop::RecordOnDisk;

use self::input::{PlayCommand, parse_command};
use self::session::{PlaySession, save_error};
use crate::context::{CliError, CommandOutcome, CommandResult, Context, printed, problem, usage};
use crate::game_args::{GameArgs, SeatKind};
use crate::sheet;
use crate::terminal::Terminal;

/// Play in the terminal, against people or bots
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide play                                         play against a bot
  bastide play --players human,human,random --names anna,bob,bot
  bastide play --mods base --set base.farmers=false --seed 7
  bastide play --record my.game                        save the game; run it again to continue
  bastide play old.game                                continue a saved game; the file stays unchanged

At each question, type the number or the text of an option. For a tile, you can also type its spot
and facing: `0,-1 90`. Other keys: b board, s scores with their reasons, u undo, r redo, ? help,
q quit. You can edit mods while you play: the game reports the effect before the next question.")]
pub struct Args {
    /// Saved game to continue
    file: Option<PathBuf>,
    #[command(flatten)]
    game: GameArgs,
    /// Save the game in this file; if the file already has a game, continue that game
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let table = match record_to_continue(args) {
        Some(file) => continue_record(context, args, file)?,
        None => new_game(context, args)?,
    };
    let mut session = PlaySession::new(table, context.terminal);
    session.save();
    let terminal = context.terminal;
    let watcher = Watcher::new(context.library()).ok();
    let mut game = PlayedGame { session, terminal, out: terminal.out(), input: std::io::stdin().lock(), watcher };
    show::print_greeting(&terminal, &mut game.out, &game.session)?;
    loop {
        if let Some(outcome) = game.step()? {
            return Ok(outcome);
        }
    }
}

/// A game in the terminal.
struct PlayedGame<Out> {
    session: PlaySession,
    terminal: Terminal,
    out: Out,
    input: StdinLock<'static>,
    /// Watches the mods; `None` if the system cannot watch files.
    watcher: Option<Watcher>,
}

impl<Out: Write> PlayedGame<Out> {
    /// Lets the actor to move act once. Returns the outcome of the command if the game stops.
    fn step(&mut self) -> Result<Option<CommandOutcome>, CliError> {
        match self.session.awaited_actor() {
            AwaitedActor::Nobody => {
                self.session.show_last_steps(&mut self.out)?;
                show::print_end(&self.terminal, &mut self.out, &self.session)?;
                self.out.flush()?;
                self.session.try_save()?;
                return Ok(Some(CommandOutcome::Fine));
            }
            AwaitedActor::Chance | AwaitedActor::Bot(_) => {
                self.session.advance()?;
                self.session.show_last_steps(&mut self.out)?;
            }
            AwaitedActor::Mod => {
                show::print_fault(&mut self.out, &self.session)?;
                match self.ask("> ")?.as_deref().map(str::trim) {
                    None | Some("q") => return self.save_and_stop(CommandOutcome::Problems),
                    Some("u") => self.undo()?,
                    Some("b") => show::print_board(&self.terminal, &mut self.out, &self.session, &[])?,
                    _ => self.reload_mods()?,
                }
            }
            AwaitedActor::Person(_) if self.have_mods_changed() => self.reload_mods()?,
            AwaitedActor::Person(seat) => {
                self.session.show_last_steps(&mut self.out)?;
                if self.session.hand_over_to() != Some(seat) {
                    return self.ask_person(seat);
                }
                if !self.confirm_hand_over(seat)? {
                    return self.save_and_stop(CommandOutcome::Fine);
                }
            }
        }
        Ok(None)
    }

    /// Asks the person at `seat` for a command, and carries it out. Returns the outcome of the
    /// command if the game stops.
    fn ask_person(&mut self, seat: Seat) -> Result<Option<CommandOutcome>, CliError> {
        let options = show::options(&self.session);
        if std::mem::take(&mut self.session.is_question_new) {
            show::print_question(&self.terminal, &mut self.out, &self.session, &options)?;
            show::print_option_descriptions(&mut self.out, &self.session, &options)?;
        }
        let prompt = format!("{}> ", self.session.view().name(seat));
        let Some(line) = self.ask(&prompt)? else { return self.save_and_stop(CommandOutcome::Fine) };
        // The mods may have changed while the person typed, and with them the question.
        if self.have_mods_changed() {
            let line = line.trim();
            if !line.is_empty() {
                writeln!(self.out, "`{line}` is not applied, because the mods have changed meanwhile.")?;
            }
            self.reload_mods()?;
            return Ok(None);
        }
        let was_alone = self.session.only_viewer().is_some();
        match parse_command(&line, &options) {
            Ok(PlayCommand::Choose(choice)) => self.session.choose(choice)?,
            Ok(PlayCommand::Undo) => self.undo()?,
            Ok(PlayCommand::Redo) => match self.session.redo_target() {
                Some(n) => self.session.jump_to(n),
                None => writeln!(self.out, "There is nothing to redo.")?,
            },
            Ok(PlayCommand::Board) => show::print_board(&self.terminal, &mut self.out, &self.session, &options)?,
            Ok(PlayCommand::Scores) => {
                writeln!(self.out)?;
                write!(self.out, "{}", sheet::score_sheet(&self.terminal, self.session.view()))?;
                write!(self.out, "{}", sheet::final_table(&self.terminal, self.session.view()))?;
            }
            Ok(PlayCommand::Look) if self.session.view().n_hidden_in_hand(seat) > 0 => {
                if !self.confirm_hand_over(seat)? {
                    return self.save_and_stop(CommandOutcome::Fine);
                }
                writeln!(self.out, "\n{}", sheet::seat_line(&self.terminal, self.session.view(), seat))?;
            }
            Ok(PlayCommand::Look) => writeln!(self.out, "You already see everything that you may see.")?,
            Ok(PlayCommand::Help) => show::print_help(&mut self.out, &self.session)?,
            Ok(PlayCommand::Nothing) => self.session.is_question_new = true,
            Ok(PlayCommand::Quit) => return self.save_and_stop(CommandOutcome::Fine),
            Err(message) => writeln!(self.out, "{message}")?,
        }
        if was_alone && self.session.only_viewer().is_none() {
            show::clear(&self.terminal, &mut self.out)?;
        }
        Ok(None)
    }

    /// Returns whether files of mods have changed since the last call.
    fn have_mods_changed(&mut self) -> bool {
        self.watcher.as_mut().is_some_and(|watcher| watcher.try_changes().is_some())
    }

    /// Shows a hidden hand to one player after they press Enter. Returns false if the player quits.
    fn confirm_hand_over(&mut self, seat: Seat) -> std::io::Result<bool> {
        show::print_hand_over(&self.terminal, &mut self.out, &self.session, seat)?;
        match self.ask("Enter> ")?.as_deref().map(str::trim) {
            None | Some("q") => return Ok(false),
            Some("u") => self.undo()?,
            Some(_) => {
                self.session.hand_over(Some(seat));
                self.session.is_question_new = true;
            }
        }
        Ok(true)
    }

    /// Goes back to the last decision of a person.
    fn undo(&mut self) -> std::io::Result<()> {
        match self.session.undo_target() {
            Some(n) => self.session.jump_to(n),
            None => writeln!(self.out, "There is nothing to undo.")?,
        }
        Ok(())
    }

    /// Prints `prompt` and reads a line. Returns `None` at the end of the input.
    fn ask(&mut self, prompt: &str) -> std::io::Result<Option<String>> {
        write!(self.out, "{prompt}")?;
        self.out.flush()?;
        let mut line = Vec::new();
        // A read error means that the terminal was closed.
        let n = self.input.read_until(b'\n', &mut line).unwrap_or(0);
        Ok((n > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
    }

    fn save_and_stop(&mut self, outcome: CommandOutcome) -> Result<Option<CommandOutcome>, CliError> {
        writeln!(self.out)?;
        self.session.delete_later_answers();
        self.out.flush()?;
        self.session.try_save()?;
        match self.session.save_location() {
            Some(kept) => {
                writeln!(self.out, "Stopped. To continue: bastide play --record {}", kept.path.display())?;
            }
            None => writeln!(
                self.out,
                "Stopped. The game was not saved; --record FILE saves a game so that you can continue it."
            )?,
        }
        self.out.flush()?;
        Ok(Some(outcome))
    }

    /// Reloads the mods and continues the game with the new rules.
    fn reload_mods(&mut self) -> Result<(), CliError> {
        self.out.flush()?;
        let is_stuck = self.session.awaited_actor() == AwaitedActor::Mod;
        match self.session.reload_mods() {
            Reloaded::Untouched if is_stuck => writeln!(self.out, "The mods have not changed.")?,
            Reloaded::Untouched => {}
            Reloaded::Same => writeln!(self.out, "The mods have changed; this game stays the same.")?,
            Reloaded::Changed(what) => writeln!(self.out, "The mods have changed: {what}.")?,
            Reloaded::Diverged(reason) => {
                writeln!(self.out, "The mods have changed, and this game does not fit them: {reason}.")?;
                self.resolve_divergence()?;
            }
            // The terminal offers no way to stop a reload.
            Reloaded::Stopped => {}
            Reloaded::Failed(problems) => {
                self.terminal.print_message(&problems.render(self.terminal.colour_of_messages));
                writeln!(
                    self.out,
                    "The mods have changed but cannot be loaded; the game continues with the old rules."
                )?;
            }
        }
        self.session.mark_shown();
        self.session.save();
        Ok(())
    }

    /// Asks the user how to continue a game that does not fit the changed rules.
    fn resolve_divergence(&mut self) -> Result<(), CliError> {
        writeln!(self.out, "  k: keep the old rules until the mods change again")?;
        writeln!(self.out, "  f: continue with the new rules from the last decision that fits")?;
        writeln!(self.out, "  h: start a new game with the new rules from this position")?;
        loop {
            match self.ask("k, f or h> ")?.as_deref().map(str::trim) {
                None | Some("k" | "") => self.session.keep_old_rules(),
                Some("f") => self.session.continue_to_divergence(),
                Some("h") => {
                    let beside = self.session.save_location().map(|kept| RecordFile::unused_path(&kept.path));
                    if let Err(reason) = self.session.continue_from_position(beside.map(RecordFile::planned)) {
                        writeln!(self.out, "This is not possible: {reason}")?;
                        continue;
                    }
                    self.session.save();
                    if let Some(kept) = self.session.save_location() {
                        writeln!(self.out, "The new game is saved in {}.", kept.path.display())?;
                    }
                }
                Some(_) => continue,
            }
            return Ok(());
        }
    }
}

/// Returns the record whose game is continued; `None` if a new game starts.
fn record_to_continue(args: &Args) -> Option<PathBuf> {
    // An empty file counts as missing.
    let has_text = |file: &PathBuf| file.metadata().is_ok_and(|m| m.len() > 0 || !m.is_file());
    args.file.clone().or_else(|| args.record.clone().filter(has_text))
}

fn new_game(context: &mut Context, args: &Args) -> Result<Table, CliError> {
    let setup = args.game.setup(context, &[HUMAN, "greedy"])?;
    let ids: Vec<String> = setup.mods.iter().map(|used| used.id.clone()).collect();
    let loaded = context.load(&ids)?;
    let settings = loaded.settings_from(&setup.settings).map_err(usage)?;
    let rules = context.rules(&loaded, settings)?;
    let game = record::start_game(rules, setup).map_err(problem)?;
    let mut table = Table::new(context.library().clone(), loaded, game);
    table.set_allowed_programs(args.game.programs());
    if let Some(path) = &args.record {
        table.save_to(new_record(path, &table)?);
    }
    Ok(table)
}

/// Opens or creates the file of a record before the first answer, so that an unwritable file is
/// reported at the start.
fn new_record(path: &Path, table: &Table) -> Result<RecordFile, CliError> {
    let record = if path.exists() { RecordFile::open(path) } else { RecordFile::create(path, &table.header_text()) };
    record.map_err(|e| save_error(&e))
}

/// Continues the game of the record in `file`.
fn continue_record(context: &mut Context, args: &Args, file: PathBuf) -> Result<Table, CliError> {
    if args.game.has_game_options() {
        let message = format!("{} already sets the mods, settings, names and seed", file.display());
        let help = "leave out --mods, --set, --names and --seed, or start a new record";
        return Err(usage(message).with_help(help));
    }
    let keeps = args.record.as_ref().filter(|r| **r != file);
    if let Some(other) = keeps.filter(|r| r.exists()) {
        let message = format!("{} already exists", other.display());
        let help = format!("to continue that game: bastide play --record {}", other.display());
        return Err(problem(message).with_help(help));
    }
    // Locks the record before reading it, so that no other program writes to it meanwhile.
    let kept = (args.record.is_some() && keeps.is_none()).then(|| RecordFile::open(&file));
    let mut warnings = Vec::new();
    let terminal = context.terminal;
    let opened = RecordOnDisk::read(&file, None, &mut warnings).map_err(|c| printed(&terminal, &c))?;
    let rules = context.rules_of(&opened).map_err(|c| printed(&terminal, &c))?;
    let run = opened.replay(&rules, |_| {}).map_err(|c| printed(&terminal, &c))?;
    warnings.extend(opened.mod_warnings(&rules));
    warnings.extend(run.warnings.iter().map(|w| opened.located_in_file(w)));
    let (wrong, doubtful): (Vec<_>, Vec<_>) = run.failures.iter().partition(|f| !f.is_expectation);
    warnings.extend(opened.failures(doubtful).into_iter().map(Diagnostic::as_warning));
    warnings.extend(
        unknown_bots(&opened.record.setup).into_iter().map(|message| Diagnostic::without_place(message).as_warning()),
    );
    terminal.print_diagnostics(&warnings);
    if !wrong.is_empty() {
        return Err(printed(&terminal, &opened.failures(wrong)));
    }
    let setup = &opened.record.setup;
    let (n, m) = (args.game.players.len(), setup.players.len());
    if n > 0 && n != m {
        return Err(usage(format!("--players names {n}, but the record has {m} players")));
    }
    let ids: Vec<String> = setup.mods.iter().map(|m| m.id.clone()).collect();
    let mut table = Table::new(context.library().clone(), context.load(&ids)?, run.game);
    match (kept, keeps) {
        (Some(Ok(record)), _) => table.save_to(record),
        (Some(Err(SaveError::InUse(_))), _) => {
            let beside = RecordFile::unused_path(&file);
            let message = format!("{} is being played in another window or terminal", file.display());
            let help = format!("you are playing a copy, saved in {}", beside.display());
            terminal.print_diagnostic(&Diagnostic::without_place(message).with_help(help).as_warning());
            table.save_to(new_record(&beside, &table)?);
        }
        (Some(Err(error)), _) => return Err(save_error(&error)),
        (None, Some(new)) => table.save_to(new_record(new, &table)?),
        (None, None) => {}
    }
    table.set_allowed_programs(args.game.programs());
    for (i, seat) in args.game.players.iter().enumerate() {
        table.set_bot(Seat(i as u8), if let SeatKind::Bot(bot) = seat { Some(&bot.name) } else { None });
    }
    Ok(table)
}
