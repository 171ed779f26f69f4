//! Measures the time to compute a frame with a large board, without a display. The time includes
//! the layout, the drawing of shapes and their tessellation. The same code runs natively and in a
//! browser.

use std::io;

use egui::{Context, Event, RawInput, Rect, pos2, vec2};
use platform::fs::{self, TempDir};
use platform::time::Instant;
use table::{Library, Setup, begin_game};

use crate::app::App;
use crate::app::start::StartOptions;
use crate::command::Command;
use crate::shown_error::ShownError;

/// The number of tiles on the measured board.
pub const N_TILES: usize = 300;

/// The commands that switch on all overlays of the board.
pub const ALL_OVERLAYS: [Command; 7] = [
    Command::OverlayFields,
    Command::OverlayOwners,
    Command::OverlayOdds,
    Command::OverlayNames,
    Command::OverlayValues,
    Command::OverlayRecent,
    Command::OverlayGrid,
];

/// A window without a display.
pub struct HiddenWindow {
    /// The context in which the window is drawn.
    pub ctx: Context,
    /// The application.
    pub app: App,
    time: f64,
}

impl HiddenWindow {
    /// Opens the window without a display.
    ///
    /// # Errors
    /// Returns an error if no game can be opened.
    pub fn open(start: StartOptions) -> Result<HiddenWindow, ShownError> {
        let ctx = Context::default();
        let mut app = App::new(&ctx, start)?;
        app.settings.welcome = false;
        app.settings.bot_pause = 0.0;
        Ok(HiddenWindow { ctx, app, time: 0.0 })
    }

    /// Draws a frame with these input events; returns the number of meshes in the frame.
    pub fn draw_frame(&mut self, events: Vec<Event>) -> usize {
        self.time += 1.0 / 60.0;
        let screen_rect = Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1440.0, 900.0)));
        let input = RawInput { events, screen_rect, time: Some(self.time), ..RawInput::default() };
        let app = &mut self.app;
        let mut output = self.ctx.run_ui(input, |ui| app.show(ui));
        output.textures_delta.clear();
        self.ctx.tessellate(output.shapes, output.pixels_per_point).len()
    }

    /// Runs commands.
    pub fn run_commands(&mut self, commands: &[Command]) {
        let ctx = self.ctx.clone();
        commands.iter().for_each(|command| self.app.run_command(&ctx, *command));
    }
}

/// Opens a game between bots with `n_tiles` tiles on the board. Also returns the folder of the
/// game's mod. This mod is a copy of the base game, whose files `read` returns by name, with many
/// more copies of each tile.
///
/// # Errors
/// Returns an error if the game cannot be opened.
pub fn large_board(
    read: &dyn Fn(&str) -> io::Result<String>,
    n_tiles: usize,
) -> Result<(TempDir, HiddenWindow), ShownError> {
    let place = fs::temp_dir()?;
    let to = place.path().join("base");
    let copied = || -> io::Result<()> {
        fs::create_dir_all(&to)?;
        for file in ["mod.toml", "rules.rhai", "tiles.toml"] {
            let text = read(file)?;
            let more = if file == "tiles.toml" { text.replace("count = ", "count = 1") } else { text };
            fs::write(to.join(file), more)?;
        }
        Ok(())
    };
    copied()?;
    let paths = vec![place.path().to_owned()];
    let mut setup = Setup { seed: Some(1), ..Setup::of(&["base"], 4) };
    setup.bots = setup.players.iter().map(|p| (p.clone(), "random".to_owned())).collect();
    let mut session = begin_game(&Library::open(&paths), setup)?;
    while session.view().tiles().len() < n_tiles {
        if !session.advance() {
            return Err(ShownError::new("there are too few tiles"));
        }
    }
    let record = place.path().join("large.game");
    fs::write(&record, session.record_text())?;
    let start = StartOptions { mods: Some(paths), open: Some(record), at_once: true, ..StartOptions::default() };
    let mut window = HiddenWindow::open(start)?;
    window.run_commands(&[Command::PlayPause, Command::Fit]);
    for _ in 0..10 {
        window.draw_frame(Vec::new());
    }
    Ok((place, window))
}

/// The number of frames in one measurement. A single frame would be too short for the coarse clock
/// of a browser.
const FRAMES_PER_MEASUREMENT: u32 = 10;

/// Returns the milliseconds per frame of a large board, without overlays and with all of them. Each
/// value is the median of `n` measurements of ten frames. `read` returns the files of the base game
/// by name.
///
/// # Errors
/// Returns an error if the board cannot be opened.
pub fn frame_cost(read: &dyn Fn(&str) -> io::Result<String>, n: usize) -> Result<[f64; 2], ShownError> {
    let (_place, mut window) = large_board(read, N_TILES)?;
    Ok([&[][..], &ALL_OVERLAYS].map(|overlays| {
        window.run_commands(overlays);
        for _ in 0..10 {
            window.draw_frame(Vec::new());
        }
        let some = |_| {
            let begun = Instant::now();
            for _ in 0..FRAMES_PER_MEASUREMENT {
                window.draw_frame(Vec::new());
            }
            begun.elapsed().as_secs_f64() * 1000.0 / f64::from(FRAMES_PER_MEASUREMENT)
        };
        let mut frames: Vec<f64> = (0..n.max(1)).map(some).collect();
        frames.sort_by(f64::total_cmp);
        frames.get(frames.len() / 2).copied().unwrap_or_default()
    }))
}
