//! `bastide host`: tables for guests over a network.

use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use door::TimeControl;
use host::{Code, Host, ModsWatch, Room, RoomOptions, own_address, serve};
use table::HUMAN;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::context::{CommandOutcome, CommandResult, Context, problem};
use crate::game_args::GameArgs;

/// The number of files and connections that the command asks of the system. Many systems allow a
/// program only 1,024 unless it asks for more.
const OPEN_FILES: u64 = 16_384;

/// Let guests play over a network: they open a link in a browser, or type `bastide join LINK`
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide host                                         a table for two, for guests in your network
  bastide host --players human,human,greedy --mods base,river
  bastide host --clock 10m+5s                          ten minutes each, and 5 s more per turn
  bastide host --playtest                              collect notes and times of guests who agree
  bastide host --folder tables                         open all tables of that folder again

The command prints a link for each table. Guests open it in any browser, or type `bastide join LINK`
in a terminal. They need no account and no mods: the rules run on this computer. Each game is saved
in the folder after every choice, and `bastide replay` reads it; `bastide playtests` reads what
--playtest collects. If you save a file of a mod, all guests play on under the new rules. Ctrl+C
stops the server; run the command again to continue.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Folder in which tables are saved; all tables in it open again
    ///
    /// If the folder already has tables, the command adds a new one only if you give an option of
    /// the new game, such as --players or --mods.
    #[arg(long, value_name = "DIR", default_value = "tables")]
    folder: PathBuf,
    /// Time of each seat, such as 10m or 10m+5s [default: no limit]
    ///
    /// The time after `+` is added with each further turn. If a player's time is over, the bot
    /// `greedy` plays on, so that the game does not wait for someone who has gone away.
    #[arg(long, value_name = "TIME")]
    clock: Option<TimeControl>,
    /// Collect the times, notes and survey answers of guests who agree, in CODE.playtest.json
    ///
    /// Each guest is asked once. The survey is in the manifests of the mods, as [playtest.NAME].
    #[arg(long)]
    playtest: bool,
    /// Port to listen on
    #[arg(long, value_name = "P", default_value_t = 7878)]
    port: u16,
    /// Address to listen on; 127.0.0.1 lets only this computer join
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::UNSPECIFIED))]
    address: IpAddr,
    /// Address with which the links begin [default: the address of this computer]
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let io_error = |error: std::io::Error| {
        let message = format!("cannot use {}: {error}", args.folder.display());
        problem(message).with_help("use --folder to choose a folder where you may write")
    };
    std::fs::create_dir_all(&args.folder).map_err(io_error)?;
    let known = codes_in(&args.folder).map_err(io_error)?;
    let mods_watch = ModsWatch::new(context.library()).map_err(|error| {
        let help = "restart the command after you have saved a file of a mod";
        let problem = Diagnostic::without_place(error.to_string()).with_help(help).as_warning();
        context.terminal.print_diagnostic(&problem);
    });
    let options = RoomOptions {
        programs: args.game.programs(),
        clock: args.clock,
        collects_playtest: args.playtest,
        mods_watch: mods_watch.ok(),
    };
    let mut rooms = Vec::new();
    let mut outcome = CommandOutcome::Fine;
    for code in &known {
        match Room::open(&args.folder, *code, context.library().clone(), &options) {
            Ok(room) => rooms.push(room),
            // A table that cannot be opened does not stop the other tables.
            Err(error) => {
                context.terminal.warn(format!("the table {code} cannot be opened: {error}"));
                outcome = CommandOutcome::Problems;
            }
        }
    }
    if known.is_empty() || args.game.has_game_options() || !args.game.players.is_empty() || args.clock.is_some() {
        let setup = args.game.setup(context, &[HUMAN, HUMAN])?;
        let room = Room::begin(&args.folder, context.library().clone(), setup, &options);
        rooms.push(room.map_err(problem)?);
    }
    // Fails only if the user has set a lower limit, which then stays.
    let _ = rlimit::increase_nofile_limit(OPEN_FILES);
    let runtime = Runtime::new().map_err(|error| problem(format!("cannot start a server: {error}")))?;
    let address = SocketAddr::new(args.address, args.port);
    let listener = runtime.block_on(TcpListener::bind(address)).map_err(|error| {
        let message = format!("cannot listen on {address}: {error}");
        problem(message).with_help("another program may use the port: choose one with --port")
    })?;
    let port = listener.local_addr()?.port();
    let url = args.public_url.clone().unwrap_or_else(|| format!("http://{}:{port}", own_address(args.address)));
    let url = url.trim_end_matches('/');
    let mut out = context.terminal.out();
    for room in &rooms {
        writeln!(out, "Table {}: {url}/{}", room.code(), room.code())?;
    }
    if args.playtest {
        let what = "guests who agree send notes, times and survey answers; see bastide playtests --help";
        writeln!(out, "{}", context.terminal.faint(what))?;
    }
    let how = "guests open the link in a browser, or type bastide join LINK; you can be a guest too";
    writeln!(out, "{}", context.terminal.faint(how))?;
    let place = format!("games are saved in {}; Ctrl+C stops the server", args.folder.display());
    writeln!(out, "{}", context.terminal.faint(place))?;
    out.flush()?;
    drop(out);
    runtime.block_on(serve(Host::new(rooms), listener, wait_for_stop()));
    runtime.shutdown_background();
    Ok(outcome)
}

/// Waits until the user or the system asks the program to stop.
async fn wait_for_stop() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminated.recv() => return,
                Ok(()) = tokio::signal::ctrl_c() => return,
            }
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        // If the program cannot receive signals, only the system can end it.
        std::future::pending::<()>().await;
    }
}

/// Returns the codes of the tables in a folder.
fn codes_in(folder: &Path) -> std::io::Result<Vec<Code>> {
    let mut codes = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if path.extension().is_some_and(|ending| ending == "game") {
            codes.extend(stem.parse::<Code>().ok().filter(|code| code.to_string() == stem));
        }
    }
    codes.sort();
    Ok(codes)
}
