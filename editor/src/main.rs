//! `bastide-editor`: the window.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use clap::{CommandFactory as _, Parser};
use editor::frame_cost::frame_cost;
use editor::{Action, App, HintLevel, Settings, ShownError, StartOptions, Window, action_to_open, data_folder};
use eframe::egui::{ViewportBuilder, vec2};
use table::{HUMAN, Setup, list_of_bots, player_named};
use workshop::bundled_mods::Originals;

mod screenshot;
mod small_picture;

use screenshot::{ScreenshotView, ScreenshotWindow};

/// Play a tile-laying game in a window, and change its rules while you play
#[derive(Parser)]
#[command(
    name = "bastide-editor",
    version,
    after_help = "\
Examples:
  bastide-editor                                     the last game, or the base game
  bastide-editor my.game                             a saved game
  bastide-editor my-mod.zip                          a mod to install
  bastide-editor http://192.168.1.5:7878/KOMBLU      a table that another computer hosts
  bastide-editor --mods my-mod,another               a new game with these mods
  bastide-editor --screenshot board.png --open my.game --view fields --size 1600x1000

Without a display, `bastide play` plays in the terminal."
)]
struct WindowArgs {
    /// File to open: a saved game, a link, or a mod to install; or an address: a link with a game,
    /// or the link of a table to join
    #[arg(value_name = "FILE", conflicts_with = "open")]
    target: Option<OsString>,
    /// Saved game (record) to open
    #[arg(long, value_name = "RECORD")]
    open: Option<PathBuf>,
    /// Start a new game with these mods and those they require
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    mods: Vec<String>,
    /// Player of each seat: human, or a bot (random, greedy, search; search:250 for 250
    /// simulations per move, search:5s for 5 seconds per move)
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = parse_seat)]
    players: Vec<SeatChoice>,
    /// Seed for draws and dice [default: random]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Also search DIR for mods; may be repeated
    #[arg(long = "mods-path", value_name = "DIR")]
    mods_paths: Vec<PathBuf>,
    /// Save a PNG picture of the window and exit
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// Window size in points
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<(f32, f32)>,
    /// View to show in the picture of --screenshot
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    view: ScreenshotView,
    /// Hint level: learn, normal or purist
    #[arg(long, value_name = "LEVEL", value_parser = parse_hints)]
    hints: Option<HintLevel>,
    /// Pixels per point in the picture of --screenshot
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    scale: f32,
    /// Text size in the picture of --screenshot; the picture keeps its size
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    text_size: f32,
    /// Save a small picture for documents: at most 960 pixels wide, with 256 colours
    #[arg(long, requires = "screenshot")]
    small: bool,
    /// Draw the picture with the dark theme
    #[arg(long)]
    dark: bool,
    /// Open this record without a window and exit
    #[arg(long, value_name = "RECORD", hide = true)]
    try_record: Option<PathBuf>,
    /// Print the manual page and exit
    #[arg(long, hide = true)]
    manual: bool,
    /// Print the milliseconds per frame of a large board, without and with all overlays, and exit
    #[arg(long, hide = true)]
    frame_cost: bool,
    /// Palette of the tile pictures
    #[arg(long, value_name = "NAME")]
    palette: Option<String>,
}

#[derive(Clone, Debug)]
struct SeatChoice(Option<String>);

fn parse_seat(name: &str) -> Result<SeatChoice, String> {
    match name.trim() {
        HUMAN => Ok(SeatChoice(None)),
        bot if player_named(bot).is_some() => Ok(SeatChoice(Some(bot.to_owned()))),
        _ => Err(format!("available: {HUMAN}, {}", list_of_bots(false))),
    }
}

fn parse_size(text: &str) -> Result<(f32, f32), String> {
    let size = text.split_once('x').and_then(|(w, h)| Some((w.parse::<f32>().ok()?, h.parse::<f32>().ok()?)));
    size.filter(|(w, h)| (200.0..=8000.0).contains(w) && (200.0..=8000.0).contains(h))
        .ok_or_else(|| "expected a width and a height in points, such as 1600x1000".to_owned())
}

fn parse_hints(text: &str) -> Result<HintLevel, String> {
    let level = HintLevel::ALL.into_iter().find(|l| l.name().eq_ignore_ascii_case(text));
    level.ok_or_else(|| "available: learn, normal, purist".to_owned())
}

impl WindowArgs {
    /// Returns the setup of the new game that the options describe, if any.
    fn setup(&self) -> Option<Setup> {
        if self.mods.is_empty() && self.players.is_empty() && self.seed.is_none() {
            return None;
        }
        let mods: Vec<&str> =
            if self.mods.is_empty() { vec!["base"] } else { self.mods.iter().map(String::as_str).collect() };
        let seats = if self.players.is_empty() {
            vec![SeatChoice(None), SeatChoice(Some("greedy".to_owned()))]
        } else {
            self.players.clone()
        };
        let mut setup = Setup { seed: self.seed, ..Setup::of(&mods, seats.len()) };
        let bots = setup.players.iter().zip(seats).filter_map(|(name, SeatChoice(bot))| Some((name.clone(), bot?)));
        setup.bots = bots.collect();
        Some(setup)
    }
}

/// Returns whether the program survives opening a record. Opens the record in another process, for
/// at most 20 seconds.
fn survives(record: &Path) -> bool {
    const MAX_OPENING_TIME: Duration = Duration::from_secs(20);
    let Ok(program) = std::env::current_exe() else { return false };
    // The other process must find the same mods, so it gets the same `--mods-path` options.
    let mut words: Vec<OsString> = Vec::new();
    let mut given = std::env::args_os().skip(1);
    while let Some(word) = given.next() {
        if word == "--mods-path" {
            words.extend([word].into_iter().chain(given.next()));
        } else if word.to_string_lossy().starts_with("--mods-path=") {
            words.push(word);
        }
    }
    let quiet = || Stdio::null();
    let mut command = Command::new(program);
    command.args(words).arg("--try-record").arg(record).stdin(quiet()).stdout(quiet()).stderr(quiet());
    let Ok(mut child) = command.spawn() else { return false };
    let begun = Instant::now();
    while begun.elapsed() < MAX_OPENING_TIME {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            Err(_) => return false,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    false
}

/// Opens a record as the window does, and computes the final count, so that its mods run. Prints
/// nothing.
fn try_opening_record(args: &WindowArgs, record: &Path) {
    let start = StartOptions {
        mods_paths: args.mods_paths.clone(),
        originals: Some(bundled_originals()),
        ..StartOptions::default()
    };
    // This process only tests whether opening crashes. The window reports other failures itself.
    if let Ok(opened) = table::open_record(&start.library(), record) {
        let _ = table::project(opened.session.game(), None);
    }
}

/// Returns the bundled mods embedded in this program.
fn bundled_originals() -> Arc<Originals> {
    Arc::new(Originals::bundled())
}

/// Measures frames with the bundled base game.
fn bundled_frame_cost() -> Result<[f64; 2], ShownError> {
    let originals = bundled_originals();
    let (texts, folder) = (originals.texts(), originals.folder_of("base"));
    frame_cost(&|file| texts.get(&folder.join(file)).map(|text| text.to_string()).ok_or(ErrorKind::NotFound.into()), 40)
}

fn main() -> ExitCode {
    // Internal errors go to standard error. The variable RUST_LOG selects further messages.
    env_logger::init_from_env(env_logger::Env::default().default_filter_or("bastide=error"));
    match run(WindowArgs::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}", with_severity(&error));
            ExitCode::FAILURE
        }
    }
}

/// Opens the window, or performs the task of a hidden argument. On failure, returns the error
/// message.
fn run(args: WindowArgs) -> Result<(), String> {
    if args.frame_cost {
        let [plain, overlays] = bundled_frame_cost().map_err(|error| error.to_string())?;
        println!("{plain} {overlays}");
        return Ok(());
    }
    if let Some(record) = &args.try_record {
        try_opening_record(&args, record);
        return Ok(());
    }
    if args.manual {
        let printed = clap_mangen::Man::new(WindowArgs::command()).render(&mut std::io::stdout());
        return printed.map_err(|error| format!("the manual page cannot be printed: {error}"));
    }
    let (open, first_action) = match args.target.as_deref().map(action_to_open) {
        Some(Action::Open(file)) if file.extension().is_some_and(|ending| ending == "game") => (Some(file), None),
        action => (args.open.clone(), action),
    };
    let pictured = args.screenshot.is_some();
    let start = StartOptions {
        mods: None,
        mods_paths: args.mods_paths.clone(),
        open,
        first_action,
        setup: args.setup(),
        // Screenshots are made for the docs, so they must not depend on the user's settings and
        // games.
        data: if pictured { None } else { data_folder() },
        less_motion: false,
        system_dialogs: !pictured,
        at_once: pictured,
        watch: !pictured,
        survives: Some(survives),
        originals: Some(bundled_originals()),
    };
    let kept = start.data.as_deref().and_then(|folder| Settings::read(folder).size);
    let (width, height) = args.size.or(kept.map(|[w, h]| (w, h))).unwrap_or((1440.0, 900.0));
    let scale = if pictured { args.scale.clamp(0.5, 4.0) } else { 1.0 };
    let mut viewport =
        ViewportBuilder::default().with_title("Bastide").with_app_id("bastide").with_min_inner_size([640.0, 400.0]);
    viewport = viewport.with_inner_size(vec2(width, height) * scale);
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    let outcome: Arc<Mutex<Option<String>>> = Arc::default();
    let told = outcome.clone();
    let ran = eframe::run_native(
        "Bastide",
        options,
        Box::new(move |cc| match &args.screenshot {
            None => Ok(Box::new(Window::open(&cc.egui_ctx, start, told)?)),
            Some(file) => Ok(Box::new(ScreenshotWindow::new(App::new(&cc.egui_ctx, start)?, &args, file, scale, told))),
        }),
    );
    ran.map_err(|error| help_for(&error))?;
    outcome.lock().ok().and_then(|mut o| o.take()).map_or(Ok(()), Err)
}

/// Returns the message with `error: ` in front. Messages about problems of mods already begin with
/// `error: ` and stay unchanged.
fn with_severity(error: &str) -> String {
    if error.starts_with("error: ") { error.to_owned() } else { format!("error: {error}") }
}

/// Returns the reason why the window could not be opened, with help for the user.
fn help_for(error: &eframe::Error) -> String {
    match error {
        eframe::Error::AppCreation(error) => error.to_string(),
        _ => format!(
            "error: no window can be opened here: {error}\n\
             help: Linux needs a display (X11 or Wayland) and OpenGL; the README lists the packages\n\
             help: without a display, play in the terminal: cargo run --release -p cli -- play"
        ),
    }
}
