//! `bastide play`: plays a game of people and bots in the terminal.
#![expect(clippy::indexing_slicing, reason = "cut at a place found in the same list")]

mod input;
mod session;
mod show;

use std::io::{BufRead, StdinLock, Write};
use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use record::saved_setup;
use table::{
    COLOURS, HUMAN, MAX_SEATS, Outcome as Reloaded, PlayerInfo, RecordFile, SaveError, Seat, Session as Table, Setup,
    Waits, Watcher, any_seed, list_of_bots, player_named, player_word, unknown_bots,
};
use workshop::RecordOnDisk;

use self::input::{PlayCommand, read};
use self::session::{PlaySession, cannot_save};
use crate::context::{CliError, CommandOutcome, CommandResult, Context, bad_settings, parse_setting};
use crate::sheet;
use crate::terminal::Terminal;

/// Plays in the terminal, against people or bots
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide play                                         play against a bot
  bastide play --players human,human,random --names anna,bob,bot
  bastide play --mods base --set base.farmers=false --seed 7
  bastide play --record my.game                        save the game; run it again to continue
  bastide play old.game                                continue a saved game; the file stays unchanged

At each question, type the number or the text of an option, or the place of a tile: `0,-1 90`.
Also: b board, s scores with their reasons, u undo, r redo, ? help, q quit. You can edit mods while
you play: the game reports the effect before the next question.")]
pub struct Args {
    /// Record of a game to continue
    file: Option<PathBuf>,
    /// Players in seating order: human, random, greedy, search, search:SIMULATIONS or search:5s
    /// [default: human,greedy]
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = parse_seat)]
    players: Vec<SeatKind>,
    /// Names of the players [default: colours]
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    names: Vec<String>,
    /// Mods to play, separated by commas; the mods they require are added [default: base]
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    mods: Vec<String>,
    /// Seed for draws and dice [default: random]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Set a setting of a mod; may be repeated
    #[arg(long = "set", value_name = "MOD.NAME=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, String)>,
    /// Save the game in this file; if it already has a game, continue that game
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// The kind of player in a seat.
#[derive(Clone, Debug)]
enum SeatKind {
    Human,
    Bot(PlayerInfo),
}

fn parse_seat(name: &str) -> Result<SeatKind, String> {
    let name = name.trim();
    if name == HUMAN {
        return Ok(SeatKind::Human);
    }
    player_named(name).map(SeatKind::Bot).ok_or_else(|| format!("available: {HUMAN}, {}", list_of_bots(true)))
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let table = match source(args) {
        Some(file) => continued(context, args, file)?,
        None => new_game(context, args)?,
    };
    let mut session = PlaySession::new(table, context.terminal);
    session.save();
    let mut watcher = Watcher::new(context.library()).ok();
    let mut have_changed = || watcher.as_mut().is_some_and(|w| w.try_changes().is_some());
    let terminal = context.terminal;
    let mut out = terminal.out();
    let mut input = std::io::stdin().lock();
    show::greeting(&terminal, &mut out, &session)?;
    loop {
        match session.waits() {
            Waits::Nobody => {
                show::end(&terminal, &mut out, &mut session)?;
                out.flush()?;
                session.check_saved()?;
                return Ok(CommandOutcome::Fine);
            }
            Waits::Chance | Waits::Bot(_) => {
                session.advance()?;
                show::last_steps(&terminal, &mut out, &mut session)?;
            }
            Waits::Mod => {
                show::fault(&mut out, &session)?;
                match ask(&mut out, &mut input, "> ")?.as_deref().map(str::trim) {
                    None | Some("q") => return stopped(&mut out, &mut session, CommandOutcome::Problems),
                    Some("u") => undo(&mut out, &mut session)?,
                    Some("b") => show::board(&terminal, &mut out, &session, &[])?,
                    _ => reload_mods(&terminal, &mut session, &mut out, &mut input)?,
                }
            }
            Waits::Person(seat) => {
                if have_changed() {
                    reload_mods(&terminal, &mut session, &mut out, &mut input)?;
                    continue;
                }
                show::last_steps(&terminal, &mut out, &mut session)?;
                if session.needs_hand_over() == Some(seat) {
                    if !hand_over(&terminal, &mut out, &mut input, &mut session, seat)? {
                        return stopped(&mut out, &mut session, CommandOutcome::Fine);
                    }
                    continue;
                }
                let options = show::question(&terminal, &mut out, &session)?;
                session.is_question_new = false;
                let prompt = format!("{}> ", session.view().name(seat));
                let Some(line) = ask(&mut out, &mut input, &prompt)? else {
                    return stopped(&mut out, &mut session, CommandOutcome::Fine);
                };
                // If the mods changed while the person was typing, the question may have changed
                // too.
                if have_changed() {
                    reload_mods(&terminal, &mut session, &mut out, &mut input)?;
                    if !line.trim().is_empty() {
                        writeln!(out, "`{}` was not applied: the mods changed. Read the question again.", line.trim())?;
                    }
                    continue;
                }
                let was_alone = session.looking().is_some();
                match read(&line, &options) {
                    Ok(PlayCommand::Choose(choice)) => session.choose(choice)?,
                    Ok(PlayCommand::Undo) => undo(&mut out, &mut session)?,
                    Ok(PlayCommand::Redo) => match session.redo_target() {
                        Some(n) => session.look_at(n),
                        None => writeln!(out, "There is nothing to redo.")?,
                    },
                    Ok(PlayCommand::Board) => show::board(&terminal, &mut out, &session, &options)?,
                    Ok(PlayCommand::Scores) => {
                        writeln!(out)?;
                        write!(out, "{}", sheet::score_sheet(&terminal, session.view()))?;
                        write!(out, "{}", sheet::final_table(&terminal, session.view()))?;
                    }
                    Ok(PlayCommand::Look) if session.view().n_hidden_in_hand(seat) > 0 => {
                        if !hand_over(&terminal, &mut out, &mut input, &mut session, seat)? {
                            return stopped(&mut out, &mut session, CommandOutcome::Fine);
                        }
                        writeln!(out, "\n{}", sheet::seat_line(&terminal, session.view(), seat))?;
                    }
                    Ok(PlayCommand::Look) => writeln!(out, "You already see everything that you may see.")?,
                    Ok(PlayCommand::Help) => show::help(&mut out, &session)?,
                    Ok(PlayCommand::Nothing) => session.is_question_new = true,
                    Ok(PlayCommand::Quit) => return stopped(&mut out, &mut session, CommandOutcome::Fine),
                    Err(message) => writeln!(out, "{message}")?,
                }
                if was_alone && session.looking().is_none() {
                    show::clear(&terminal, &mut out)?;
                }
            }
        }
    }
}

/// Shows a hidden hand to one player after they press Enter. Returns `false` if the player quits
/// instead.
fn hand_over(
    terminal: &Terminal,
    out: &mut impl Write,
    input: &mut StdinLock<'_>,
    session: &mut PlaySession,
    seat: Seat,
) -> std::io::Result<bool> {
    show::hand_over(terminal, out, session, seat)?;
    match ask(out, input, "Enter> ")?.as_deref().map(str::trim) {
        None | Some("q") => return Ok(false),
        Some("u") => undo(out, session)?,
        Some(_) => {
            session.hand_over(Some(seat));
            session.is_question_new = true;
        }
    }
    Ok(true)
}

/// Undoes moves back to the last decision of a person.
fn undo(out: &mut impl Write, session: &mut PlaySession) -> std::io::Result<()> {
    match session.undo_target() {
        Some(n) => session.look_at(n),
        None => writeln!(out, "There is nothing to undo.")?,
    }
    Ok(())
}

/// Prints `prompt` and reads a line. Returns `None` at the end of the input.
fn ask(out: &mut impl Write, input: &mut StdinLock<'_>, prompt: &str) -> std::io::Result<Option<String>> {
    write!(out, "{prompt}")?;
    out.flush()?;
    let mut line = Vec::new();
    // A read error means that the terminal was closed.
    let n = input.read_until(b'\n', &mut line).unwrap_or(0);
    Ok((n > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}

fn stopped(out: &mut impl Write, session: &mut PlaySession, outcome: CommandOutcome) -> CommandResult {
    writeln!(out)?;
    session.forget_rest();
    out.flush()?;
    session.check_saved()?;
    match session.kept_in() {
        Some(kept) => {
            writeln!(out, "Stopped. To continue: bastide play --record {}", kept.path.display())?;
        }
        None => {
            writeln!(out, "Stopped. The game was not saved; --record FILE saves a game so that you can continue it.")?
        }
    }
    out.flush()?;
    Ok(outcome)
}

/// Returns the record to continue, if any.
fn source(args: &Args) -> Option<PathBuf> {
    // An empty file counts as a missing one.
    let has_text = |file: &PathBuf| file.metadata().is_ok_and(|m| m.len() > 0 || !m.is_file());
    args.file.clone().or_else(|| args.record.clone().filter(has_text))
}

fn new_game(context: &mut Context, args: &Args) -> Result<Table, CliError> {
    let bot = || player_named("greedy").map_or(SeatKind::Human, SeatKind::Bot);
    let seats = if args.players.is_empty() { vec![SeatKind::Human, bot()] } else { args.players.clone() };
    let named = if args.mods.is_empty() { vec!["base".to_owned()] } else { args.mods.clone() };
    let ids = context.mod_ids(&named);
    let loaded = context.load(&ids)?;
    let settings = loaded.settings_from(&args.settings).map_err(|m| bad_settings(&m))?;
    let rules = context.rules(&loaded, settings)?;
    let names: Vec<&str> = ids.iter().map(String::as_str).collect();
    let players = names_of_players(args, seats.len())?;
    let bots = bots_of(&players, &seats);
    let setup = Setup {
        settings: args.settings.clone(),
        players,
        bots,
        seed: Some(args.seed.unwrap_or_else(any_seed)),
        ..Setup::of(&names, 0)
    };
    setup.check_players(rules.catalogue()).map_err(|m| CliError::Usage(Diagnostic::without_place(m)))?;
    let setup = saved_setup(rules.catalogue(), &setup);
    let game = record::open(rules, setup).map_err(|e| Diagnostic::without_place(e.to_string()))?;
    let mut table = Table::new(context.library().clone(), loaded, game);
    if let Some(path) = &args.record {
        table.keep_in(new_record(path, &table)?);
    }
    Ok(table)
}

/// Creates the file of a record before the first answer, so that a file that cannot be written is
/// reported at the start.
fn new_record(path: &Path, table: &Table) -> Result<RecordFile, CliError> {
    let record = if path.exists() { RecordFile::open(path) } else { RecordFile::create(path, &table.header_text()) };
    record.map_err(|e| cannot_save(&e))
}

fn names_of_players(args: &Args, n: usize) -> Result<Vec<String>, CliError> {
    let usage = |message: String| CliError::Usage(Diagnostic::without_place(message));
    if n > MAX_SEATS {
        return Err(usage(format!("{n} players, at most {MAX_SEATS} can play")));
    }
    if args.names.is_empty() {
        return Ok(COLOURS[..n].iter().map(|c| (*c).to_owned()).collect());
    }
    if args.names.len() != n {
        return Err(usage(format!("{} names for {n} players", args.names.len())));
    }
    Ok(args.names.iter().map(|name| player_word(name)).collect())
}

fn bots_of(names: &[String], seats: &[SeatKind]) -> Vec<(String, String)> {
    let bot = |(name, seat): (&String, &SeatKind)| match seat {
        SeatKind::Human => None,
        SeatKind::Bot(bot) => Some((name.clone(), bot.name.to_string())),
    };
    names.iter().zip(seats).filter_map(bot).collect()
}

/// Continues the game of the record in `file`.
fn continued(context: &mut Context, args: &Args, file: PathBuf) -> Result<Table, CliError> {
    if !args.mods.is_empty() || !args.settings.is_empty() || args.seed.is_some() || !args.names.is_empty() {
        let message = format!("{} already sets the mods, settings, names and seed", file.display());
        let help = "leave out --mods, --set, --names and --seed, or start a new record";
        return Err(CliError::Usage(Diagnostic::without_place(message).with_help(help)));
    }
    let keeps = args.record.as_ref().filter(|r| **r != file);
    if let Some(other) = keeps.filter(|r| r.exists()) {
        let message = format!("{} already exists", other.display());
        let help = format!("to continue that game: bastide play --record {}", other.display());
        return Err(Diagnostic::without_place(message).with_help(help).into());
    }
    // The record is locked before it is read.
    let kept = (args.record.is_some() && keeps.is_none()).then(|| RecordFile::open(&file));
    let mut warnings = Vec::new();
    let say_all = |context: &Context, problems: Vec<Diagnostic>| {
        problems.iter().for_each(|c| context.terminal.say(c));
        CliError::Said
    };
    let opened = RecordOnDisk::read(&file, None, &mut warnings).map_err(|c| say_all(context, c))?;
    let rules = context.rules_of(&opened).map_err(|c| say_all(context, c))?;
    let run = opened.replay(&rules, |_| {}).map_err(|c| say_all(context, c))?;
    warnings.extend(opened.other_mods(&rules));
    warnings.extend(run.warnings.iter().map(|w| opened.in_file(w)));
    let (wrong, doubtful): (Vec<_>, Vec<_>) = run.failures.iter().partition(|f| !f.is_expectation);
    warnings.extend(doubtful.into_iter().map(|f| opened.failure(f).as_warning()));
    warnings.extend(
        unknown_bots(&opened.record.setup).into_iter().map(|message| Diagnostic::without_place(message).as_warning()),
    );
    warnings.iter().for_each(|w| context.terminal.say(w));
    if !wrong.is_empty() {
        return Err(say_all(context, wrong.into_iter().map(|f| opened.failure(f)).collect()));
    }
    let setup = &opened.record.setup;
    let (n, m) = (args.players.len(), setup.players.len());
    if n > 0 && n != m {
        return Err(CliError::Usage(Diagnostic::without_place(format!(
            "--players names {n}, but the record has {m} players"
        ))));
    }
    let ids: Vec<String> = setup.mods.iter().map(|m| m.id.clone()).collect();
    let mut table = Table::new(context.library().clone(), context.load(&ids)?, run.game);
    match (kept, keeps) {
        (Some(Ok(record)), _) => table.keep_in(record),
        (Some(Err(SaveError::InUse(_))), _) => {
            let beside = RecordFile::free_name(&file);
            let message = format!("{} is being played in another window or terminal", file.display());
            let help = format!("you are playing a copy, saved in {}", beside.display());
            context.terminal.say(&Diagnostic::without_place(message).with_help(help).as_warning());
            table.keep_in(new_record(&beside, &table)?);
        }
        (Some(Err(error)), _) => return Err(cannot_save(&error)),
        (None, Some(new)) => table.keep_in(new_record(new, &table)?),
        (None, None) => {}
    }
    for (i, seat) in args.players.iter().enumerate() {
        table.set_bot(Seat(i as u8), if let SeatKind::Bot(bot) = seat { Some(&bot.name) } else { None });
    }
    Ok(table)
}

/// Reloads the mods and continues the game with the new rules.
fn reload_mods(
    terminal: &Terminal,
    session: &mut PlaySession,
    out: &mut impl Write,
    input: &mut StdinLock<'_>,
) -> Result<(), CliError> {
    out.flush()?;
    let is_stuck = session.waits() == Waits::Mod;
    match session.reload_mods() {
        Reloaded::Untouched if is_stuck => writeln!(out, "The mods have not changed.")?,
        Reloaded::Untouched => {}
        Reloaded::Same => writeln!(out, "The mods have changed; this game stays the same.")?,
        Reloaded::Changed(what) => writeln!(out, "The mods have changed: {what}.")?,
        Reloaded::Diverged(reason) => {
            writeln!(out, "The mods have changed, and this game does not fit them: {reason}.")?;
            diverged(session, out, input)?;
        }
        // This does not occur, because the terminal offers no way to stop a reload.
        Reloaded::Stopped => {}
        Reloaded::Failed(problems) => {
            terminal.print_message(&problems.render(terminal.colour_of_messages));
            writeln!(out, "The mods have changed but cannot be loaded; the game continues with the old rules.")?;
        }
    }
    session.is_told();
    session.save();
    Ok(())
}

/// Asks how to continue if the game does not fit the changed rules.
fn diverged(session: &mut PlaySession, out: &mut impl Write, input: &mut StdinLock<'_>) -> Result<(), CliError> {
    writeln!(out, "  k: keep the old rules until the mods change again")?;
    writeln!(out, "  f: continue with the new rules from the last decision that fits")?;
    writeln!(out, "  h: start a new game with the new rules from this position")?;
    loop {
        match ask(out, input, "k, f or h> ")?.as_deref().map(str::trim) {
            None | Some("k" | "") => {
                session.keep_old_rules();
                return Ok(());
            }
            Some("f") => {
                session.stop_there();
                return Ok(());
            }
            Some("h") => {
                let beside = session.kept_in().map(|kept| RecordFile::free_name(&kept.path));
                if let Err(reason) = session.continue_from_position(beside.map(RecordFile::planned)) {
                    writeln!(out, "This is not possible: {reason}")?;
                    continue;
                }
                session.save();
                if let Some(kept) = session.kept_in() {
                    writeln!(out, "The new game is saved in {}.", kept.path.display())?;
                }
                return Ok(());
            }
            Some(_) => {}
        }
    }
}
