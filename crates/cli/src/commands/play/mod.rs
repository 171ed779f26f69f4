//! `bastide play`: a game in the terminal, by people and bots.

mod input;
mod session;
mod show;

use std::io::{BufRead, StdinLock, Write};
use std::path::PathBuf;
use std::rc::Rc;

use loader::Watcher;
use players::{HUMAN, PLAYERS, PlayerInfo, player_named};
use rules::{COLOURS, Game, MAX_SEATS, Record, Reload, Setup, Status, Who, reload, saved_setup};
use table::{RecordFile, any_seed};

use self::input::{Command, read};
use self::session::{Session, cannot_keep};
use crate::context::{Context, Done, Outcome, Stop, bad_settings, parse_setting};
use crate::records::{self, Opened};
use crate::sheet;
use crate::terminal::Complaint;

/// Plays in the terminal, against people or bots
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide play                                         you against a bot
  bastide play --players human,human,random --names anna,bob,bot
  bastide play --mods base --set base.farmers=false --seed 7
  bastide play --record my.game                        kept line by line; the same command goes on with it
  bastide play old.game                                goes on from a record, which is left as it is

At each question type the number of an option, its text, or for a tile where it goes: `0,-1 90`. Also: b board, s scores with \
their reasons, u undo, r redo, ? help, q quit. Mods may be changed while you play: what that changes is said before the next \
question.")]
pub struct Args {
    /// A record to go on from
    file: Option<PathBuf>,
    /// Who plays, in the order of seats: human, or a bot (random, greedy)
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = parse_seat)]
    players: Vec<SeatKind>,
    /// The names of the players; colours where nothing is said
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    names: Vec<String>,
    /// The mods, separated by commas; what they require is added [default: base]
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    mods: Vec<String>,
    /// What draws and dice follow from; another one each time where nothing is said
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// A setting of a mod; may be given several times
    #[arg(long = "set", value_name = "MOD.NAME=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, String)>,
    /// Keeps the game in this file; goes on with it where it is there
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// Who sits at a seat.
#[derive(Clone, Copy, Debug)]
enum SeatKind {
    Human,
    Bot(PlayerInfo),
}

fn parse_seat(name: &str) -> Result<SeatKind, String> {
    let name = name.trim();
    if name == HUMAN {
        return Ok(SeatKind::Human);
    }
    player_named(name).copied().map(SeatKind::Bot).ok_or_else(|| {
        let bots: Vec<String> = PLAYERS.iter().map(|p| format!("{} ({})", p.name, p.about)).collect();
        format!("there is {HUMAN}, {}", bots.join(", "))
    })
}

pub fn run(context: &mut Context, args: &Args) -> Done {
    let mut session = match source(args) {
        Some(file) => continued(context, args, file)?,
        None => new_game(context, args)?,
    };
    let mut watcher = Watcher::new(&context.library()).ok();
    let terminal = context.terminal;
    let mut out = terminal.out();
    let mut input = std::io::stdin().lock();
    show::greeting(&terminal, &mut out, &session)?;
    loop {
        match session.game.status() {
            Status::Over => {
                show::end(&terminal, &mut out, &mut session)?;
                return Ok(Outcome::Fine);
            }
            Status::Fault(fault) => {
                writeln!(out, "\nA mod failed: {fault}")?;
                writeln!(out, "The game waits: mend the mod and press Enter. u takes back, q quits.")?;
                match ask(&mut out, &mut input, "> ")?.as_deref().map(str::trim) {
                    None | Some("q") => return Ok(stopped(&mut out, &session, Outcome::Problems)?),
                    Some("u") => {
                        session.undo()?;
                    }
                    _ => take_over_changes(context, &mut session, &mut out)?,
                }
            }
            Status::Decision(decision) => {
                let Who::Player(seat) = decision.who else {
                    session.deal()?;
                    show::last_steps(&terminal, &mut out, &mut session)?;
                    continue;
                };
                if session.is_bot(seat) {
                    session.let_bot_move(seat)?;
                    show::last_steps(&terminal, &mut out, &mut session)?;
                    continue;
                }
                if watcher.as_mut().is_some_and(|w| w.try_changes().is_some()) {
                    take_over_changes(context, &mut session, &mut out)?;
                    continue;
                }
                show::last_steps(&terminal, &mut out, &mut session)?;
                let options = show::question(&terminal, &mut out, &session)?;
                session.is_question_new = false;
                let prompt = format!("{}> ", session.game.state().name(seat));
                let Some(line) = ask(&mut out, &mut input, &prompt)? else {
                    return Ok(stopped(&mut out, &session, Outcome::Fine)?);
                };
                // The question may be another one since it was shown.
                if watcher.as_mut().is_some_and(|w| w.try_changes().is_some()) {
                    take_over_changes(context, &mut session, &mut out)?;
                    continue;
                }
                match read(&line, &options) {
                    Ok(Command::Choose(choice)) => session.answer(choice)?,
                    Ok(Command::Undo) => {
                        if !session.undo()? {
                            writeln!(out, "There is nothing to take back.")?;
                        }
                    }
                    Ok(Command::Redo) => {
                        if !session.redo()? {
                            writeln!(out, "There is nothing to do again.")?;
                        }
                    }
                    Ok(Command::Board) => show::board(&terminal, &mut out, &session, &options)?,
                    Ok(Command::Scores) => {
                        let view = session.game.state().view();
                        writeln!(out)?;
                        write!(out, "{}", sheet::score_sheet(&terminal, &session.game.rules().ruleset, view))?;
                        write!(out, "{}", sheet::final_table(&terminal, view))?;
                    }
                    Ok(Command::Help) => show::help(&mut out)?,
                    Ok(Command::Nothing) => session.is_question_new = true,
                    Ok(Command::Quit) => return Ok(stopped(&mut out, &session, Outcome::Fine)?),
                    Err(message) => writeln!(out, "{message}")?,
                }
            }
        }
    }
}

/// Asks for a line; `None` at the end of the input.
fn ask(out: &mut impl Write, input: &mut StdinLock<'_>, prompt: &str) -> std::io::Result<Option<String>> {
    write!(out, "{prompt}")?;
    out.flush()?;
    let mut line = Vec::new();
    // A terminal that cannot be read is a terminal that was closed.
    let n = input.read_until(b'\n', &mut line).unwrap_or(0);
    Ok((n > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}

fn stopped(out: &mut impl Write, session: &Session, outcome: Outcome) -> std::io::Result<Outcome> {
    writeln!(out)?;
    match session.record_path() {
        Some(path) => writeln!(out, "Stopped. `bastide play --record {}` goes on from here.", path.display())?,
        None => writeln!(out, "Stopped. (With --record FILE a game is kept and can be gone on with.)")?,
    }
    out.flush()?;
    Ok(outcome)
}

/// The record to go on from, if any.
fn source(args: &Args) -> Option<PathBuf> {
    args.file.clone().or_else(|| args.record.clone().filter(|r| r.exists()))
}

fn new_game(context: &mut Context, args: &Args) -> Result<Session, Stop> {
    let bot = || player_named("greedy").copied().map_or(SeatKind::Human, SeatKind::Bot);
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
    setup.check_players(rules.catalogue()).map_err(|m| Stop::Usage(Complaint::new(m)))?;
    let setup = saved_setup(rules.catalogue(), &setup);
    let game = Game::new(rules, setup).map_err(|e| Complaint::new(e.to_string()))?;
    let record = args.record.as_ref().map(|path| RecordFile::create(path, &game.setup().header())).transpose();
    let record = record.map_err(|e| cannot_keep(&e))?;
    Ok(Session::new(game, &seats, record))
}

fn names_of_players(args: &Args, n: usize) -> Result<Vec<String>, Stop> {
    let usage = |message: String| Stop::Usage(Complaint::new(message));
    if n > MAX_SEATS {
        return Err(usage(format!("{n} players, at most {MAX_SEATS} can play")));
    }
    if args.names.is_empty() {
        return Ok(COLOURS[..n].iter().map(|c| (*c).to_owned()).collect());
    }
    if args.names.len() != n {
        return Err(usage(format!("{} names for {n} players", args.names.len())));
    }
    let is_odd = |name: &&String| name.is_empty() || name.contains(char::is_whitespace) || name.contains('#');
    match args.names.iter().find(is_odd) {
        Some(odd) => Err(usage(format!("`{odd}` cannot be a name: names are single words, without #"))),
        None => Ok(args.names.clone()),
    }
}

fn bots_of(names: &[String], seats: &[SeatKind]) -> Vec<(String, String)> {
    let bot = |(name, seat): (&String, &SeatKind)| match seat {
        SeatKind::Human => None,
        SeatKind::Bot(bot) => Some((name.clone(), bot.name.to_owned())),
    };
    names.iter().zip(seats).filter_map(bot).collect()
}

/// Goes on with the record in `file`.
fn continued(context: &mut Context, args: &Args, file: PathBuf) -> Result<Session, Stop> {
    if !args.mods.is_empty() || !args.settings.is_empty() || args.seed.is_some() || !args.names.is_empty() {
        let message = format!("{} says its mods, settings, names and seed itself", file.display());
        let help = "leave --mods, --set, --names and --seed out, or begin a new record";
        return Err(Stop::Usage(Complaint::new(message).help(help)));
    }
    let keeps = args.record.as_ref().filter(|r| **r != file);
    if let Some(other) = keeps.filter(|r| r.exists()) {
        let message = format!("{} is there already", other.display());
        let help = format!("`bastide play --record {}` goes on with it", other.display());
        return Err(Complaint::new(message).help(help).into());
    }
    let mut warnings = Vec::new();
    let say_all = |context: &Context, complaints: Vec<Complaint>| {
        complaints.iter().for_each(|c| context.terminal.say(c));
        Stop::Said
    };
    let opened = records::open(&file, &mut warnings).map_err(|c| say_all(context, c))?;
    let rules = opened.rules(context).map_err(|c| say_all(context, c))?;
    let run = opened.replay(&rules, |_| {}).map_err(|c| say_all(context, c))?;
    warnings.extend(opened.other_mods(&rules));
    warnings.extend(run.warnings.iter().map(|w| opened.complaint(w)));
    let (wrong, doubtful): (Vec<_>, Vec<_>) = run.failures.iter().partition(|f| !f.is_expectation);
    warnings.extend(doubtful.into_iter().map(|f| opened.failure(f).warning()));
    warnings.iter().for_each(|w| context.terminal.say(w));
    if !wrong.is_empty() {
        return Err(say_all(context, wrong.into_iter().map(|f| opened.failure(f)).collect()));
    }
    let seats = seats_of(&opened.record.setup, args)?;
    let is_torn = !run.warnings.is_empty();
    let game = run.game;
    let record = match (&args.record, keeps) {
        (Some(_), None) => Some(RecordFile::go_on(&file, &opened.text, is_torn).map_err(|e| cannot_keep(&e))?),
        (_, Some(new)) => Some(RecordFile::create(new, &game.setup().header()).map_err(|e| cannot_keep(&e))?),
        (None, None) => None,
    };
    let n_kept = if keeps.is_some() { 0 } else { n_answers(&opened, is_torn) };
    let mut session = Session::new(game, &seats, record);
    session.write_from(n_kept)?;
    Ok(session)
}

/// How many answers the log of the file comes to.
fn n_answers(opened: &Opened, is_torn: bool) -> usize {
    let Record { lines, .. } = &opened.record;
    let whole = lines.iter().filter(|l| !(is_torn && l.may_be_torn));
    whole.fold(0, |n: usize, line| match line.entry {
        rules::Entry::Answer(_) => n + 1,
        rules::Entry::Back(back) => n.saturating_sub(back),
        rules::Entry::Expect(_) | rules::Entry::End => n,
    })
}

/// Who sits where, by the record or by the command.
fn seats_of(setup: &Setup, args: &Args) -> Result<Vec<SeatKind>, Stop> {
    if args.players.is_empty() {
        let bot = |name: &String| setup.bots.iter().find(|(player, _)| player == name).map(|(_, bot)| bot);
        let seat = |name: &String| bot(name).and_then(|b| player_named(b)).copied();
        return Ok(setup.players.iter().map(|n| seat(n).map_or(SeatKind::Human, SeatKind::Bot)).collect());
    }
    let (n, m) = (args.players.len(), setup.players.len());
    if n != m {
        return Err(Stop::Usage(Complaint::new(format!("--players names {n}, but the record has {m} players"))));
    }
    Ok(args.players.clone())
}

/// Loads the mods again and goes on by what they say now.
fn take_over_changes(context: &mut Context, session: &mut Session, out: &mut impl Write) -> Result<(), Stop> {
    out.flush()?;
    context.forget_loaded();
    let setup = session.game.setup().clone();
    let ids: Vec<String> = setup.mods.iter().map(|m| m.id.clone()).collect();
    let Ok(loaded) = context.load(&ids) else {
        writeln!(out, "The mods have changed and cannot be loaded; the game goes on by the old rules.")?;
        return Ok(());
    };
    let rules = match loaded.settings_from(&setup.settings) {
        Ok(settings) => context.rules(&loaded, settings).map_err(|c| c.to_string()),
        Err(mistakes) => Err(mistakes.join("; ")),
    };
    let outcome = rules.and_then(|rules| reload(&session.game, Rc::clone(&rules), setup));
    match outcome {
        Ok(Reload::Diverged { answer, turn, why, .. }) => {
            writeln!(
                out,
                "The mods have changed, and this game does not fit them: turn {turn}, answer {}: {why}",
                answer + 1
            )?;
            writeln!(out, "It goes on by the old rules until they are changed again.")?;
        }
        Ok(outcome) => {
            writeln!(out, "The mods have changed: {}.", outcome.summary())?;
            session.replace(outcome.into_game())?;
        }
        Err(message) => {
            writeln!(out, "The mods have changed and cannot be used: {message}. The game goes on by the old rules.")?
        }
    }
    Ok(())
}
