//! `bastide sim`: many games and their statistics.

mod against;
mod files;
mod json;
mod ladder;
mod matters;
mod merge;
mod sweep;
mod text;

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;

use diagnostic::Diagnostic;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use loader::Loaded;
use players::{PlayerInfo, list_of_bots, player_named};
use rules::{MAX_SEATS, Setup};
use sim::{Format, GameResult, LEVEL, LEVEL_OF_LOOK, Part, Plan};

use crate::commands::sim::files::{Failures, RowFile, written};
use crate::context::{CliError, Context, Done, Outcome, bad_settings, parse_setting};

/// Plays many games with bots and shows statistics
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide sim --games 1000
  bastide sim --players greedy,random --rotate --games 200 --seed 7
  bastide sim --mods inns-cathedrals --detail           where points come from, tiles, holes
  bastide sim --until 1%                                until wins are known to one per cent
  bastide sim --games 10000 --out games.csv             a line for each game
  bastide sim --games 100 --out games.jsonl --records   with the record of each
  bastide sim --games 1000 --profile                    what mods' functions cost
  bastide sim --detail --html report.html               a page to be shared
  bastide sim --ladder --games 200                      how far skill goes, and what is luck
  bastide sim --what-matters --mods inns-cathedrals     what each function and tag changes
A against B, in pairs of games with the same seeds:
  bastide sim --mods inns-cathedrals --against-mods base
  bastide sim --against-set base.farmers=false
  bastide sim --against-path ../before/mods             as they were (`git worktree add ../before HEAD`)
A setting at several values, with the same seeds:
  bastide sim --sweep inns-cathedrals.inn=2..5 --mods inns-cathedrals
  bastide sim --sweep base.small_city --out curve.csv   all its values; a row for each measure and value
On several machines:
  bastide sim --games 1000000 --shard 1/4 --save 1.json
  bastide sim --merge 1.json 2.json 3.json 4.json

The same seed gives the same games, however many threads play. Numbers stand with half of their interval (`48.3% ±1.4`), which \
holds the true one in 95 of 100 simulations. A game in which a mod fails is counted apart; its record is printed, ready to be \
saved as a file and replayed.")]
pub struct Args {
    /// The mods, separated by commas; what they require is added
    #[arg(long, value_name = "A,B", value_delimiter = ',', default_value = "base")]
    mods: Vec<String>,
    /// Who plays, in the order of seats (random, greedy, search, or with a number of lines: search:250); the first begins
    #[arg(long, value_name = "A,B", value_delimiter = ',', default_value = "random,random", value_parser = parse_bot)]
    players: Vec<PlayerInfo>,
    /// Has the players move on by a seat from game to game, so that nobody always begins
    #[arg(long)]
    rotate: bool,
    /// How many games
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000)]
    games: u64,
    /// Plays until the share of wins of everybody is known so well, to either side
    #[arg(long, value_name = "PERCENT", value_parser = parse_share, conflicts_with_all = ["games", "shard", "save"])]
    until: Option<f64>,
    /// What all chance follows from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many threads; as many as there are cores where nothing is said
    #[arg(long, value_name = "T", value_parser = parse_threads)]
    threads: Option<usize>,
    /// A setting of a mod; may be given several times
    #[arg(long = "set", value_name = "MOD.NAME=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, String)>,
    /// Looks at more: options, changes of the lead, tiles, holes, where points come from
    #[arg(long)]
    detail: bool,
    /// Counts the calls of mods' functions, and the time they take
    #[arg(long)]
    profile: bool,
    /// Prints the statistics as a JSON object
    #[arg(long)]
    json: bool,
    /// Looks what each function and tag changes, which of them never change a result, and whose order matters
    #[arg(long, conflicts_with_all = ["until", "profile", "records", "keep_failures", "shard", "save", "html", "Against"])]
    what_matters: bool,
    /// Plays each of the players against the one before it, simplest first: how far skill goes, and what is luck
    #[arg(long, conflicts_with_all = ["until", "profile", "out", "keep_failures", "shard", "save", "html", "detail", "Against", "what_matters"])]
    ladder: bool,
    /// Plays with each of these values of a setting, the same games with the same seeds: 2..5, or a,b,c, or all of them
    #[arg(long, value_name = "MOD.NAME[=VALUES]", value_parser = sweep::parse_sweep, conflicts_with_all = [
        "until", "profile", "keep_failures", "shard", "save", "Against", "what_matters", "ladder", "records",
    ])]
    sweep: Option<sweep::Wanted>,
    /// Writes all of it into this file, as a page to be shared
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    html: Option<PathBuf>,
    /// Writes a row for each game into this file: .csv, .jsonl or .parquet; else the table of what was asked for
    #[arg(long, value_name = "FILE", value_parser = parse_out, help_heading = "Files")]
    out: Option<(PathBuf, Format)>,
    /// Adds the record of each game to its line
    #[arg(long, requires = "out", help_heading = "Files")]
    records: bool,
    /// Writes the record of each game that fails into this folder
    #[arg(long, value_name = "FOLDER", help_heading = "Files")]
    keep_failures: Option<PathBuf>,
    /// Plays only part I of the games, of N parts
    #[arg(long, value_name = "I/N", value_parser = parse_shard, help_heading = "Files")]
    shard: Option<(u64, u64)>,
    /// Writes the statistics into this file, for --merge
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    save: Option<PathBuf>,
    /// Plays nothing: puts together what --save has written
    #[arg(long, value_name = "FILES", num_args = 1.., help_heading = "Files", conflicts_with_all = [
        "mods", "players", "rotate", "games", "until", "seed", "threads", "settings", "detail", "profile", "out", "keep_failures",
        "shard", "Against", "html", "what_matters", "ladder", "sweep",
    ])]
    merge: Vec<PathBuf>,
    #[command(flatten)]
    against: Against,
}

/// What is different in B; everything else is as in A.
#[derive(clap::Args)]
#[group(id = "Against", multiple = true, conflicts_with_all = ["records", "keep_failures", "shard", "save", "profile"])]
struct Against {
    /// Compares with a game of these mods
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "A against B")]
    against_mods: Option<Vec<String>>,
    /// Compares with a game with this setting; may be given several times
    #[arg(long = "against-set", value_name = "MOD.NAME=VALUE", value_parser = parse_setting, help_heading = "A against B")]
    against_settings: Vec<(String, String)>,
    /// Compares with the mods of this folder; those that it has not are taken from where they are
    #[arg(long, value_name = "DIR", help_heading = "A against B")]
    against_path: Option<PathBuf>,
    /// Compares with a game of these players
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = parse_bot, help_heading = "A against B")]
    against_players: Option<Vec<PlayerInfo>>,
}

impl Against {
    fn is_any(&self) -> bool {
        let Against { against_mods, against_settings, against_path, against_players } = self;
        let is_else = against_mods.is_some() || against_path.is_some() || against_players.is_some();
        is_else || !against_settings.is_empty()
    }

    /// What is different, in words.
    fn words(&self) -> String {
        let Against { against_mods, against_settings, against_path, against_players } = self;
        let players = |list: &Vec<PlayerInfo>| list.iter().map(|it| &*it.name).collect::<Vec<_>>().join(", ");
        let mods = against_mods.iter().map(|mods| mods.join(", "));
        let settings = against_settings.iter().map(|(name, value)| format!("{name} = {value}"));
        let path = against_path.iter().map(|path| path.display().to_string());
        mods.chain(settings).chain(path).chain(against_players.iter().map(players)).collect::<Vec<_>>().join(", ")
    }
}

/// More threads than this are no machine's, and their stacks would not fit.
const MOST_THREADS: usize = 1024;

fn parse_threads(text: &str) -> Result<usize, String> {
    let n: Option<usize> = text.parse().ok();
    n.filter(|n| (1..=MOST_THREADS).contains(n)).ok_or_else(|| format!("a number from 1 to {MOST_THREADS}"))
}

/// A bot by its name, that plays alike on all machines.
pub fn parse_bot(name: &str) -> Result<PlayerInfo, String> {
    let bot = player_named(name.trim()).ok_or_else(|| format!("there is {}", list_of_bots(true)))?;
    if bot.is_timed() {
        return Err("what it plays would depend on the machine; say how many lines it tries, as search:250".to_owned());
    }
    Ok(bot)
}

fn parse_out(path: &str) -> Result<(PathBuf, Format), String> {
    let path = PathBuf::from(path);
    match Format::of_file(&path) {
        Some(format) => Ok((path, format)),
        None => Err("the name of the file says its format; it ends in .csv, .jsonl or .parquet".to_owned()),
    }
}

/// The narrowest interval that may be asked for: narrower ones take more games than anybody plays.
const LEAST_SHARE: f64 = 0.000_1;

fn parse_share(text: &str) -> Result<f64, String> {
    let percent: Option<f64> = text.trim().trim_end_matches('%').trim_end().parse().ok();
    let share = percent.map(|percent| percent / 100.0).filter(|share| (LEAST_SHARE..0.5).contains(share));
    share.ok_or_else(|| "per cent from 0.01% to 50%, such as 1%".to_owned())
}

fn parse_shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parts.filter(|(i, n)| (1..=*n).contains(i)).ok_or_else(|| "a part and how many there are, such as 1/4".to_owned())
}

/// Mods and what is to be played with them.
struct Table {
    loaded: Arc<Loaded>,
    plan: Plan,
}

impl Args {
    /// Loads the mods and plans the games.
    fn table(&self, context: &mut Context) -> Result<Table, CliError> {
        self.table_of(context, &self.mods, &self.players, &self.settings)
    }

    fn table_of(
        &self,
        context: &mut Context,
        mods: &[String],
        players: &[PlayerInfo],
        chosen: &[(String, String)],
    ) -> Result<Table, CliError> {
        if players.len() > MAX_SEATS {
            let message = format!("{} players, at most {MAX_SEATS} can play", players.len());
            return Err(CliError::Usage(Diagnostic::without_place(message)));
        }
        let ids = context.mod_ids(mods);
        let loaded = context.load(&ids)?;
        let settings = loaded.settings_from(chosen).map_err(|m| bad_settings(&m))?;
        let names: Vec<&str> = ids.iter().map(String::as_str).collect();
        let setup = Setup { settings: chosen.to_vec(), ..Setup::of(&names, players.len()) };
        let plan = Plan {
            rotates: self.rotate,
            seed: self.seed,
            n_threads: self.threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from)),
            with_records: self.records,
            details: self.detail || self.out.is_some() || self.html.is_some(),
            counts_calls: self.profile,
            ..Plan::new(setup, settings, players.to_vec(), self.games)
        };
        Ok(Table { loaded, plan })
    }

    /// How sure intervals are.
    fn level(&self) -> f64 {
        if self.until.is_some() { LEVEL_OF_LOOK } else { LEVEL }
    }
}

pub fn run(context: &mut Context, args: &Args) -> Done {
    if !args.merge.is_empty() {
        return merge::run(context, args);
    }
    if args.what_matters {
        return matters::run(context, args);
    }
    if args.ladder {
        return ladder::run(context, args);
    }
    if let Some(wanted) = &args.sweep {
        return sweep::run(context, args, wanted);
    }
    if args.against.is_any() {
        return against::run(context, args);
    }
    let Table { loaded, mut plan } = args.table(context)?;
    if let Some((shard, n_shards)) = args.shard {
        plan = plan.shard(shard, n_shards);
    }
    let bar = progress_bar(plan.n_games, "games");
    let mut rows = args.out.as_ref().map(|(path, format)| RowFile::create(path, *format, &plan)).transpose()?;
    let mut failures = args.keep_failures.as_ref().map(|folder| Failures::in_folder(folder)).transpose()?;
    let report = {
        let mut each = |game: &GameResult| {
            let is_written = rows.as_mut().is_none_or(|rows| rows.write(&plan, game));
            is_written && failures.as_mut().is_none_or(|failures| failures.keep(game))
        };
        let is_heard = args.out.is_some() || args.keep_failures.is_some();
        let each: Option<&mut dyn FnMut(&GameResult) -> bool> = if is_heard { Some(&mut each) } else { None };
        match args.until {
            Some(half) => sim::run_until(&*loaded, &plan, half, each, &mut |n, of| progress(&bar, n, of)),
            None => sim::run(&*loaded, &plan, each, &mut |n| bar.set_position(n)),
        }
    };
    bar.finish_and_clear();
    let report = report.map_err(|m| Diagnostic::without_place(m.to_string()))?;
    rows.map_or(Ok(()), RowFile::finish)?;
    failures.map_or(Ok(()), Failures::finish)?;
    if let Some(path) = &args.save {
        written(path, &Part::of(loaded.catalogue(), &plan, report.clone()).text())?;
    }
    if let Some(path) = &args.html {
        written(path, &sim::page(&args.mods.join(", "), &about(&plan), &report, &[], args.level()))?;
    }
    let interpreted = match args.profile {
        true => loaded.interpreted_functions(&plan.settings).unwrap_or_default(),
        false => Vec::new(),
    };
    let mut out = context.terminal.out_as(args.json);
    if args.json {
        json::write(&mut out, &report, &plan, args.level(), &interpreted)?;
    } else {
        let page = text::Page { terminal: &context.terminal, report: &report, level: args.level() };
        page.write(&mut out, &text::Played::of(&plan, &interpreted))?;
    }
    std::io::Write::flush(&mut out)?;
    Ok(Outcome::fine_if(report.n_faults == 0))
}

/// What was played, for a page.
fn about(plan: &Plan) -> Vec<(String, String)> {
    let players: Vec<&str> = plan.players.iter().map(|it| &*it.name).collect();
    let settings = plan.setup.settings.iter().map(|(name, value)| format!("{name} = {value}"));
    let settings = settings.collect::<Vec<_>>().join(", ");
    let pairs = [("seed", plan.seed.to_string()), ("players", players.join(", ")), ("settings", settings)];
    pairs.map(|(what, it)| (what.to_owned(), it)).to_vec()
}

fn progress(bar: &ProgressBar, n: u64, of: u64) {
    bar.set_length(of);
    bar.set_position(n);
}

/// A bar on a terminal, nothing elsewhere.
fn progress_bar(n_games: u64, unit: &str) -> ProgressBar {
    if !std::io::IsTerminal::is_terminal(&std::io::stderr()) {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(n_games), ProgressDrawTarget::stderr_with_hz(5));
    let style = ProgressStyle::with_template(&format!(
        "{{wide_bar}} {{human_pos}}/{{human_len}} {unit}, {{per_sec}}, {{eta}} to go"
    ));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
