//! `bastide train`: improves the bot `search` for a mod.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use loader::{Loaded, SEARCH_VALUE};
use rules::Setup;
use sim::{DEFAULT_LEVEL, ImproveProgress, Improvement, Plan, TestVerdict, improve};

use crate::commands::sim::progress::progress_bar;
use crate::context::{CliError, CommandResult, Context, finish, parse_setting, problem, usage, write_file};
use crate::game_args::parse_known_bot;
use crate::value_error::output_file;

/// Train the bot `search` for a mod: it learns from games of the bot `greedy`
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide train my-mod
  bastide train my-mod --with inns-cathedrals --games 5000
  bastide train base --out base-value.txt        do not change the folder of the mod

Bastide plays the games, trains a value of positions, and lets `search` play with it against
`search` without it. If it plays better, the value is written to `search-value.txt` in the folder
of the mod. From then on, `search` uses it in all games with the mod; in a game of several mods
with such a file, the last mod counts. Rules and scores do not change.")]
pub struct Args {
    /// Mod, by id or folder
    #[arg(value_name = "MOD")]
    named: String,
    /// Other mods to play with it, separated by commas; the mods it requires are added
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    with: Vec<String>,
    /// Change a setting of a mod, or a count; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, String)>,
    /// Number of games to learn from
    #[arg(long, short = 'n', value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Maximum number of games of the test
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    test_games: u64,
    /// Seed for draws and training
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Number of threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Start from random weights instead of the current ones
    #[arg(long)]
    fresh: bool,
    /// Write the value to FILE, even if the test does not favour it
    #[arg(long, value_name = "FILE", value_parser = output_file("txt"))]
    out: Option<PathBuf>,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let id = context.resolve_mod(&args.named);
    let named: Vec<String> = args.with.iter().chain([&args.named]).cloned().collect();
    let ids = context.resolve_mods(&named);
    let loaded = context.load(&ids)?;
    let target = match &args.out {
        Some(file) => file.clone(),
        None => folder_of_mod(context, &loaded, &id)?.join(SEARCH_VALUE),
    };
    let plan = plan(args, &ids, &loaded)?;
    let n_games = plan.n_games;
    let (playing, testing) = (progress_bar(n_games, "games"), progress_bar(args.test_games, "test games at most"));
    let found = improve(&*loaded, &plan, args.fresh, args.test_games, &mut |progress| match progress {
        ImproveProgress::Recorded(n) => playing.set_position(n),
        ImproveProgress::Trained(_) => playing.finish_and_clear(),
        ImproveProgress::Tested(n) => testing.set_position(n),
    });
    playing.finish_and_clear();
    testing.finish_and_clear();
    let found = found.map_err(problem)?;
    let mut out = context.terminal.out();
    write_report(&mut out, n_games, &found)?;
    let is_better = found.test.verdict == TestVerdict::Stronger;
    if is_better || args.out.is_some() {
        write_file(&target, found.value.to_text())?;
        writeln!(out, "wrote {}", target.display())?;
    } else {
        writeln!(out, "Nothing was written: `search` keeps its value. More --games may help, or --fresh.")?;
    }
    finish(out, true)
}

/// Returns the folder of the mod `id`, in which the value is written.
fn folder_of_mod(context: &Context, loaded: &Loaded, id: &str) -> Result<PathBuf, CliError> {
    let places = loaded.catalogue().mods.iter().zip(loaded.folders());
    let folder = places.filter(|(info, _)| info.id == id).map(|(_, folder)| folder.as_path());
    let is_on_disk = |folder: &&Path| folder.join("mod.toml").is_file();
    folder.filter(is_on_disk).map(Path::to_owned).next().ok_or_else(|| {
        let known = context.library().ids().join(", ");
        let message = format!("`{id}` has no folder to write to");
        let help = format!("name a file with --out, or one of these mods: {known}");
        problem(message).with_help(help)
    })
}

/// Plans the games to learn from: greedy players, as few as the mods allow but at least two.
fn plan(args: &Args, ids: &[String], loaded: &Loaded) -> Result<Plan, CliError> {
    let settings = loaded.settings_from(&args.settings).map_err(usage)?;
    let names: Vec<&str> = ids.iter().map(String::as_str).collect();
    let n_players = usize::from(loaded.catalogue().n_players.0).max(2);
    let greedy = parse_known_bot("greedy").map_err(problem)?;
    let setup = Setup { settings: args.settings.clone(), ..Setup::of(&names, n_players) };
    let n_threads = args.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    Ok(Plan { seed: args.seed, n_threads, ..Plan::new(setup, settings, vec![greedy; n_players], args.games) })
}

fn write_report(out: &mut impl Write, n_games: u64, found: &Improvement) -> std::io::Result<()> {
    let (report, players) = (found.report, &found.test.players);
    writeln!(
        out,
        "{} positions of {n_games} games; final scores differ from projected scores by {:.1} points, with the value by {:.1}",
        found.n_positions, report.projected, report.corrected
    )?;
    let (share, half) = (100.0 * players.win_rate(), 100.0 * players.interval(DEFAULT_LEVEL).half_width());
    let verdict = match found.test.verdict {
        TestVerdict::Stronger => "better",
        TestVerdict::NotStronger => "not clearly better",
        TestVerdict::Open => "undecided",
    };
    writeln!(
        out,
        "{} against {}: wins {share:.1}% ±{half:.1} of {} games: {verdict}",
        players.stronger, players.weaker, players.report.n_games
    )
}
