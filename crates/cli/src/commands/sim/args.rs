//! The options of `bastide sim`, and the games that they plan.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;

use loader::Loaded;
use players::BotInfo;
use rules::{MAX_SEATS, Setup};
use sim::{CHECK_LEVEL, DEFAULT_LEVEL, Plan, ReportSection, TableFormat, table_file, tables_page};

use crate::commands::sim::swept_setting::{SweptSetting, parse_sweep};
use crate::context::{CliError, Context, parse_setting, usage, write_error, write_file};
use crate::game_args;
use crate::value_error::{ValueError, output_file};

/// Play many games between bots and print statistics
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide sim --games 1000
  bastide sim --players greedy,random --rotate --games 200 --seed 7
  bastide sim --mods inns-cathedrals --detail           also measure tiles, holes and reasons
  bastide sim --until 1%                                until win rates are known to ±1%
  bastide sim --games 10000 --out games.csv             write a row per game
  bastide sim --games 100 --out games.jsonl --records   include the record of each game
  bastide sim --games 1000 --profile                    time the functions of mods
  bastide sim --detail --html report.html               write a report to share
  bastide sim --ladder --games 200                      separate skill from luck
  bastide sim --strength --games 100                    how much longer thinking helps (depth)
  bastide sim --sequential --players search:100,search  is the second bot stronger?
  bastide sim --forbid deploy:field --games 200         what deploying on fields is worth
  bastide sim --forbid --mods inns-cathedrals -n 200    what each kind of option is worth
  bastide sim --what-matters --mods inns-cathedrals     effect of each function and tag
A against B, in pairs of games with the same seeds:
  bastide sim --mods inns-cathedrals --against-mods base
  bastide sim --against-set base.farmers=false
  bastide sim --against-path ../before/mods             after `git worktree add ../before HEAD`
Several values of a setting, with the same seeds:
  bastide sim --sweep inns-cathedrals.inn=2..5 --mods inns-cathedrals
  bastide sim --sweep base.small_city --out curve.csv   all values; a row per measure and value
Values that meet goals, such as a fair first seat and few points for fields:
  bastide sim --goal red=49%..51% --goal points:field=..20% --vary base/K=0..4 --vary follower=5..8
  bastide sim --goal points=60..75 --vary base/*=1..3 --resume search.json   continues if stopped
On several machines:
  bastide sim --games 1000000 --shard 1/4 --save 1.json
  bastide sim --merge 1.json 2.json 3.json 4.json

The same seed gives the same games with any number of threads. `48.3% ±1.4` is a 95% confidence
interval. A game in which a mod fails is counted separately, and its record is printed: save the
record in a file and run `bastide replay` on it.")]
pub struct Args {
    /// Mods to play, separated by commas; the mods they require are added
    #[arg(long, value_name = "A,B", value_delimiter = ',', default_value = "base")]
    pub mods: Vec<String>,
    /// Bots in seating order: random, novice, greedy, search, search:N or exec:PROGRAM
    ///
    /// search:N runs N simulations for each choice. There are also greedy bots with a taste:
    /// hoarder (holds its pieces), blocker (keeps down the others), and greedy+WORDS, which likes
    /// options with these words, such as greedy+deploy:city. greedy!WORDS never chooses such
    /// options.
    #[arg(long, value_name = "A,B", value_delimiter = ',', default_value = "random,random", value_parser = parse_bot)]
    pub players: Vec<BotInfo>,
    /// Rotate the players through the seats from game to game
    #[arg(long)]
    pub rotate: bool,
    /// With --rotate, repeat the draws of a game until each player has had each seat
    #[arg(long, requires = "rotate")]
    pub same_draws: bool,
    /// Number of games
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Play until every win rate is known to within ±PERCENT
    #[arg(long, value_name = "PERCENT", value_parser = parse_half_width, conflicts_with_all = ["games", "shard", "save"])]
    pub until: Option<f64>,
    /// Seed for draws, dice and bots
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Number of threads [default: number of cores]
    #[arg(long, value_name = "T", value_parser = parse_threads)]
    pub threads: Option<usize>,
    /// Change a setting of a mod, or a count; may be repeated
    ///
    /// A count sets the copies of a tile or card (base/K=5), the copies of every tile and card of a
    /// mod (river/*=2), or the pieces of each player (follower=8).
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub settings: Vec<(String, String)>,
    /// Also measure options, lead changes, when games are decided, tiles, holes and reasons
    ///
    /// The report then also names findings: seats that win too often or too rarely, tiles that do
    /// not fit, and games that are decided at half time. All findings together are correct with
    /// 99.9% confidence.
    #[arg(long)]
    pub detail: bool,
    /// Count the calls of mod functions and measure their time
    #[arg(long)]
    pub profile: bool,
    /// Print the statistics as a JSON object
    #[arg(long)]
    pub json: bool,
    /// Measure the effect of each function and tag, and find mods whose order matters
    #[arg(long, conflicts_with_all = ["until", "profile", "records", "keep_failures", "shard", "save", "AgainstArgs"])]
    pub what_matters: bool,
    /// Play each bot against the next stronger one, to separate skill from luck
    ///
    /// The bots are those of --players, which must list the weakest first. If --players has fewer
    /// than two different bots, they are random, greedy and search:100.
    #[arg(long, conflicts_with_all = ["until", "profile", "records", "keep_failures", "shard", "save", "detail", "AgainstArgs", "what_matters"])]
    pub ladder: bool,
    /// Play searches with more and more simulations against each other, to measure depth
    ///
    /// `search:50` plays against `search:25`, `search:100` against `search:50`, and so on up to
    /// SIMULATIONS (default 400). In a deep game, each doubling wins clearly more than half of the
    /// games. Searches take time: begin with `--games 100`.
    #[arg(long, value_name = "SIMULATIONS", num_args = 0..=1, default_missing_value = "400", value_parser = clap::value_parser!(u32).range(50..=100_000), conflicts_with_all = [
        "until", "profile", "records", "keep_failures", "shard", "save", "detail", "AgainstArgs", "what_matters", "ladder", "players", "rotate",
    ])]
    pub strength: Option<u32>,
    /// Test whether the second of two bots is stronger, and stop as soon as this is clear
    ///
    /// The bots are those of --players. They play pairs of games with the same draws and swapped
    /// seats. The test ends when the second bot clearly wins more than half of its games, or
    /// clearly fewer than PERCENT of them (default 55%). Either verdict is wrong in at most 5% of
    /// tests. --games limits the number of games.
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, default_missing_value = "55%", value_parser = parse_win_rate, conflicts_with_all = [
        "until", "profile", "out", "keep_failures", "shard", "save", "html", "detail", "AgainstArgs", "what_matters", "ladder", "strength",
        "rotate",
    ])]
    pub sequential: Option<f64>,
    /// Measure what an option is worth: a bot plays against its copy without that option
    ///
    /// A pattern selects all options whose texts contain its words: `deploy:field` selects those
    /// with the words `deploy` and `field`. The games are played once for each pattern. Without
    /// PATTERNS, the command measures each kind of option, such as `deploy:field` and `pass`. The
    /// bot is the first one in --players other than random; if there is none, it is greedy.
    #[arg(long, value_name = "PATTERNS", value_delimiter = ',', num_args = 0..=1, default_missing_value = "", conflicts_with_all = [
        "until", "profile", "records", "keep_failures", "shard", "save", "detail", "AgainstArgs", "what_matters", "ladder", "strength",
        "sequential",
    ])]
    pub forbid: Option<Vec<String>>,
    /// Play the same games with several values of a setting or count: 2..5 or a,b,c [default: all]
    #[arg(long, value_name = "MOD.NAME[=VALUES]", value_parser = parse_sweep, conflicts_with_all = [
        "until", "profile", "keep_failures", "shard", "save", "AgainstArgs", "what_matters", "ladder", "strength", "sequential", "forbid",
        "records",
    ])]
    pub sweep: Option<SweptSetting>,
    /// Search for values of --vary for which the games meet a goal; may be repeated
    ///
    /// A goal is a name and a range: red=49%..51% (win rate of a seat), points=60..75 (of all
    /// players), points:field=15%..25% (part of all points for that reason), turns=..80, or margin,
    /// choices, options, obvious, lead_changes, decided_at, comeback, uncertain, taken, discards,
    /// holes, stuck. The best combinations play --games games that the search has not played
    /// before.
    #[arg(long, value_name = "NAME=RANGE", requires = "vary", conflicts_with_all = [
        "until", "profile", "keep_failures", "shard", "save", "AgainstArgs", "what_matters", "ladder", "strength", "sequential", "forbid",
        "sweep", "records",
    ])]
    pub goal: Vec<String>,
    /// Let --goal change a setting or count: 2..5 or a,b,c [default: all]; may be repeated
    #[arg(long, value_name = "NAME[=VALUES]", value_parser = parse_sweep, requires = "goal")]
    pub vary: Vec<SweptSetting>,
    /// Store the state of --goal in FILE, and continue from it if it exists
    #[arg(long, value_name = "FILE", requires = "goal")]
    pub resume: Option<PathBuf>,
    /// Write the results to an HTML page
    #[arg(long, value_name = "FILE", value_parser = output_file("html"), help_heading = "Files")]
    pub html: Option<PathBuf>,
    /// Write a row per game to a .csv, .jsonl or .parquet file
    ///
    /// With --sweep, --goal, --what-matters, --ladder, --strength, --forbid or --against-…, the
    /// file has the table of results instead of games.
    #[arg(long, value_name = "FILE", value_parser = parse_out, help_heading = "Files")]
    pub out: Option<(PathBuf, TableFormat)>,
    /// Include the record of each game in its row
    #[arg(long, requires = "out", help_heading = "Files")]
    pub records: bool,
    /// Write the record of each failed game to FOLDER
    #[arg(long, value_name = "FOLDER", help_heading = "Files")]
    pub keep_failures: Option<PathBuf>,
    /// Play only part I of N of the games, to share them among machines
    #[arg(long, value_name = "I/N", value_parser = parse_shard, help_heading = "Files")]
    pub shard: Option<(u64, u64)>,
    /// Write the statistics to a file for --merge
    #[arg(long, value_name = "FILE", value_parser = output_file("json"), help_heading = "Files")]
    pub save: Option<PathBuf>,
    /// Combine files written by --save instead of playing
    #[arg(long, value_name = "FILES", num_args = 1.., help_heading = "Files", conflicts_with_all = [
        "mods", "players", "rotate", "same_draws", "games", "until", "seed", "threads", "settings", "detail", "profile", "out", "keep_failures",
        "shard", "AgainstArgs", "html", "what_matters", "ladder", "strength", "sequential", "forbid", "sweep", "goal",
    ])]
    pub merge: Vec<PathBuf>,
    #[command(flatten)]
    pub against: AgainstArgs,
}

/// The options in which game B differs from game A. The other options of the command apply to both
/// games.
#[derive(clap::Args)]
#[group(id = "AgainstArgs", multiple = true, conflicts_with_all = ["records", "keep_failures", "shard", "save", "profile"])]
pub struct AgainstArgs {
    /// Compare with a game with these mods
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "A against B")]
    pub against_mods: Option<Vec<String>>,
    /// Compare with a game with this setting; may be repeated
    #[arg(long = "against-set", value_name = "MOD.NAME=VALUE", value_parser = parse_setting, help_heading = "A against B")]
    pub against_settings: Vec<(String, String)>,
    /// Compare with a game with the mods in DIR, such as an earlier version of a mod
    ///
    /// Mods that DIR does not have come from the usual folders.
    #[arg(long, value_name = "DIR", help_heading = "A against B")]
    pub against_path: Option<PathBuf>,
    /// Compare with a game between these bots
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = parse_bot, help_heading = "A against B")]
    pub against_players: Option<Vec<BotInfo>>,
}

impl AgainstArgs {
    pub fn has_any(&self) -> bool {
        let AgainstArgs { against_mods, against_settings, against_path, against_players } = self;
        let is_else = against_mods.is_some() || against_path.is_some() || against_players.is_some();
        is_else || !against_settings.is_empty()
    }

    /// Describes for a heading how game B differs from game A.
    pub fn describe(&self) -> String {
        let AgainstArgs { against_mods, against_settings, against_path, against_players } = self;
        let players = |list: &Vec<BotInfo>| list.iter().map(|it| &*it.name).collect::<Vec<_>>().join(", ");
        let mods = against_mods.iter().map(|mods| mods.join(", "));
        let settings = against_settings.iter().map(|(name, value)| format!("{name} = {value}"));
        let path = against_path.iter().map(|path| path.display().to_string());
        mods.chain(settings).chain(path).chain(against_players.iter().map(players)).collect::<Vec<_>>().join(", ")
    }
}

/// The maximum number of threads. Hardly any machine has more cores, and the stacks of more threads
/// would not fit into memory.
const MAX_THREADS: usize = 1024;

fn parse_threads(text: &str) -> Result<usize, ValueError> {
    let n: Option<usize> = text.parse().ok();
    n.filter(|n| (1..=MAX_THREADS).contains(n)).ok_or(ValueError::OutOfRange { of: "", least: 1, most: MAX_THREADS })
}

/// Parses the name of a bot or of a program. Refuses bots that have a time limit of their own.
pub fn parse_bot(name: &str) -> Result<BotInfo, ValueError> {
    let bot = game_args::parse_bot(name)?;
    if bot.is_timed() {
        return Err(ValueError::TimedBot);
    }
    Ok(bot)
}

fn parse_out(path: &str) -> Result<(PathBuf, TableFormat), ValueError> {
    let path = PathBuf::from(path);
    match TableFormat::of_file(&path) {
        Some(format) => Ok((path, format)),
        None => Err(ValueError::Form("a file name that ends in .csv, .jsonl or .parquet")),
    }
}

/// The smallest half-width of an interval that a user can request, as a fraction. Narrower
/// intervals would take too many games.
const MIN_HALF_WIDTH: f64 = 0.000_1;

fn parse_half_width(text: &str) -> Result<f64, ValueError> {
    let percent: Option<f64> = text.trim().trim_end_matches('%').trim_end().parse().ok();
    let share = percent.map(|percent| percent / 100.0).filter(|share| (MIN_HALF_WIDTH..0.5).contains(share));
    share.ok_or(ValueError::Form("a percentage from 0.01% to less than 50%, such as 1%"))
}

/// Parses the win rate of a bot that is clearly stronger.
fn parse_win_rate(text: &str) -> Result<f64, ValueError> {
    let percent: Option<f64> = text.trim().trim_end_matches('%').trim_end().parse().ok();
    let rate = percent.map(|percent| percent / 100.0).filter(|rate| (0.505..=0.95).contains(rate));
    rate.ok_or(ValueError::Form("a percentage from 50.5% to 95%, such as 55%"))
}

fn parse_shard(text: &str) -> Result<(u64, u64), ValueError> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    let parts = parts.filter(|(i, n)| (1..=*n).contains(i));
    parts.ok_or(ValueError::Form("the part and the number of parts, such as 1/4"))
}

/// Loaded mods and the games to play with them.
pub struct LoadedPlan {
    pub loaded: Arc<Loaded>,
    pub plan: Plan,
}

impl Args {
    /// Loads the mods and plans the games.
    pub fn load_plan(&self, context: &mut Context) -> Result<LoadedPlan, CliError> {
        self.load_plan_with(context, &self.mods, &self.players, &self.settings)
    }

    pub fn load_plan_with(
        &self,
        context: &mut Context,
        mods: &[String],
        players: &[BotInfo],
        chosen: &[(String, String)],
    ) -> Result<LoadedPlan, CliError> {
        if players.len() > MAX_SEATS {
            return Err(usage(format!("{} players; at most {MAX_SEATS} can play", players.len())));
        }
        let ids = context.resolve_mods(mods);
        let loaded = context.load(&ids)?;
        let settings = loaded.settings_from(chosen).map_err(usage)?;
        let names: Vec<&str> = ids.iter().map(String::as_str).collect();
        let setup = Setup { settings: chosen.to_vec(), ..Setup::of(&names, players.len()) };
        let plan = Plan {
            rotates: self.rotate,
            games_per_seed: if self.same_draws { players.len() as u64 } else { 1 },
            seed: self.seed,
            n_threads: self.threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from)),
            with_records: self.records,
            details: self.detail || self.out.is_some() || self.html.is_some(),
            counts_calls: self.profile,
            ..Plan::new(setup, settings, players.to_vec(), self.games)
        };
        Ok(LoadedPlan { loaded, plan })
    }

    /// Writes a table to the file that the user named with `--out`.
    pub fn write_table(&self, table: &ReportSection) -> Result<(), CliError> {
        let Some((path, format)) = &self.out else { return Ok(()) };
        write_file(path, table_file(table, *format).map_err(|error| write_error(path, &error))?)
    }

    /// Writes the page that `page` makes to the file that the user named with `--html`.
    pub fn write_page(&self, page: impl FnOnce() -> String) -> Result<(), CliError> {
        self.html.as_ref().map_or(Ok(()), |path| write_file(path, page()))
    }

    /// Writes the first of `tables` to the file of `--out`, and a page with all of them to the file
    /// of `--html`. `verdict` stands at the beginning of the page.
    pub fn write_tables(
        &self,
        description: &[(String, String)],
        n_games: u64,
        verdict: &str,
        tables: &[ReportSection],
    ) -> Result<(), CliError> {
        tables.first().map_or(Ok(()), |table| self.write_table(table))?;
        self.write_page(|| tables_page(&self.mods.join(", "), description, n_games, verdict, tables))
    }

    /// Returns the confidence level of the intervals in the report.
    pub fn level(&self) -> f64 {
        if self.until.is_some() { CHECK_LEVEL } else { DEFAULT_LEVEL }
    }
}
