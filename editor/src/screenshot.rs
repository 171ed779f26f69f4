//! Screenshots of the window for docs and tests.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use clap::ValueEnum;
use editor::{App, Command, ShownError};
use eframe::egui::{Context, Ui, ViewportCommand};
use image::RgbaImage;
use workshop::balance::{ComparedRules, values_to_try};

use crate::{WindowArgs, small_picture};

macro_rules! views {
    // The descriptions are tokens, because `clap` does not find them in literals of a macro.
    ($($(#[$mark:ident])? $name:ident $about:tt [$($command:ident),*],)*) => {
        /// The subject of a screenshot.
        #[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
        pub enum ScreenshotView {
            $($(#[$mark])? #[doc = $about] $name,)*
        }

        impl ScreenshotView {
            /// Returns the commands that open the view.
            fn commands(self) -> &'static [Command] {
                match self {
                    $(ScreenshotView::$name => &[$(Command::$command),*],)*
                }
            }
        }
    };
}

views! {
    #[default] Play "The current position" [],
    Welcome "The board with the welcome strip" [],
    Lesson "A lesson of the guided first game" [Learn],
    Fields "Overlay: the owner of each ground" [OverlayFields],
    Owners "Overlay: the owner of each feature" [OverlayOwners],
    Odds "Overlay: the number of remaining tiles that fit each open place" [OverlayOdds],
    Values "Overlay: the current points of each piece" [OverlayValues],
    Remaining "The remaining tiles" [Remaining],
    Track "The score track" [ScoreTrack],
    Breakdown "The score sheet of the first player" [],
    Points "The board, with an explanation of the largest award on it" [],
    Palette "The list of all commands" [Palette],
    NewGame "The window for a new game" [NewGame],
    Keys "The list of all keys" [Keys],
    Settings "The settings" [Settings],
    Past "A past position, in the middle of the game" [],
    Problems "The problems of mods" [Reload, NextProblem],
    BigTile "The drawn tile, enlarged; if no tile is drawn, the last placed tile" [BigTile],
    Mods "The installed mods" [ModsPanel],
    Tests "The tests of the mods in play" [RunTests],
    Balance "Balance: win rates in bot games with the mods in play" [RunBalance],
    Sweep "Balance: the effect of all values of a setting" [],
    Compared "Balance: the current value of a setting against another value" [],
    Skill "Balance: strong bots against weak bots" [],
    Worth "Balance: bots that may use an option against bots that may not" [],
    Freeze "The window that makes a test from the current position" [Freeze],
    Trace "The calls of mod functions" [Trace],
    Console "The console, with the output of scripts" [Console],
    Tiles "The tiles of all mods" [Tiles],
    NewTile "The possible layouts of a new tile with given edges" [Tiles],
    Looks "The looks of land, pieces and tags of a mod" [Tiles],
    Designer "A tile in the designer" [Tiles],
    Patterns "The edge patterns of the tiles, and the patterns that no tile has" [Tiles],
    Print "The sheets to print" [Print],
    Rules "The rule editor" [Rules],
    Help "The help, beside the rule editor" [Rules, Help],
    HowToPlay "The rules of the game in play" [RulesOfGame],
    GameSetup "The details of the game" [GameSetup],
    Puzzles "The puzzles of the game" [Puzzles],
    Invite "The invitation of guests" [Invite],
    Playtests "The playtest beside the record of --open" [Balance],
    NewMod "The window for a new mod" [NewMod],
    OpenRecord "The window that opens a record" [OpenRecord],
    SaveCopy "The window that saves a copy of the game" [SaveCopy],
    OpenLink "The window that opens a link" [OpenLink],
    Restore "The window that restores bundled and removed mods" [RestoreMods],
    About "Version and licence" [About],
    Log "The event log and the time bar" [EventLog],
    FirstSteps "The workspace Make, with the first steps towards an expansion" [FirstSteps],
}

/// The window from its opening until its screenshot is written.
pub struct ScreenshotWindow {
    app: App,
    view: ScreenshotView,
    file: PathBuf,
    /// The record of `--open`.
    record: Option<PathBuf>,
    /// The scale of text and buttons in the settings.
    scale: f32,
    frame: u32,
    is_taken: bool,
    /// True for a small picture with few colours.
    is_small: bool,
    outcome: Arc<Mutex<Option<String>>>,
}

/// The number of frames after which the layout no longer changes.
const SETTLED_FRAMES: u32 = 8;

impl ScreenshotWindow {
    /// Prepares the screenshot of `app` that `args` requests. The window writes the picture to
    /// `file`; if writing fails, `outcome` receives the message.
    pub fn new(
        mut app: App,
        args: &WindowArgs,
        file: &Path,
        scale: f32,
        outcome: Arc<Mutex<Option<String>>>,
    ) -> ScreenshotWindow {
        app.settings.welcome = args.view == ScreenshotView::Welcome;
        app.settings.first_steps = false;
        app.settings.dark = Some(args.dark);
        app.settings.motion = false;
        app.settings.bot_pause = 1e6;
        app.settings.palette = args.palette.clone();
        app.settings.hints = args.hints.unwrap_or(app.settings.hints);
        let scale = scale * args.text_size.clamp(0.8, 2.5);
        let (view, is_small) = (args.view, args.small);
        ScreenshotWindow {
            app,
            view,
            file: file.to_owned(),
            record: args.open.clone(),
            scale,
            frame: 0,
            is_taken: false,
            is_small,
            outcome,
        }
    }

    fn prepare(&mut self, ctx: &Context) {
        match self.view {
            ScreenshotView::Past => {
                let n = self.app.snapshot().steps().len() / 2;
                self.app.act(ctx, editor::Action::GoTo(n));
            }
            ScreenshotView::Breakdown => self.app.show_breakdown(table::Seat(0)),
            ScreenshotView::Points => self.app.explain_largest_award(),
            ScreenshotView::Tiles => self.app.show_tiles_view("tiles"),
            ScreenshotView::NewTile => self.app.show_tiles_view("sketch"),
            ScreenshotView::Looks => self.app.show_tiles_view("looks"),
            ScreenshotView::Designer => self.app.show_tiles_view("designer"),
            ScreenshotView::Patterns => self.app.show_tiles_view("patterns"),
            ScreenshotView::Playtests => self.show_playtest(ctx),
            ScreenshotView::Skill => self.set_baseline(ctx, ComparedRules::Ladder),
            ScreenshotView::Worth => self.set_baseline(ctx, ComparedRules::Options(None)),
            ScreenshotView::Sweep => {
                self.compare(ctx, |name, values| ComparedRules::Sweep(name, Some(values.join(","))))
            }
            ScreenshotView::Compared => self
                // `compare` passes only settings with values.
                .compare(ctx, |name, values| ComparedRules::Setting(name, values.last().cloned().unwrap_or_default())),
            _ => {}
        }
        self.view.commands().iter().for_each(|command| self.app.run_command(ctx, *command));
    }

    /// Opens the playtest beside the record of the game.
    fn show_playtest(&mut self, ctx: &Context) {
        if let Some(file) = self.record.as_ref().map(|record| record.with_extension("playtest.json")) {
            self.app.act(ctx, editor::Action::Balance(editor::BalanceAction::AddPlaytests(file)));
        }
    }

    fn set_baseline(&mut self, ctx: &Context, against: ComparedRules) {
        self.app.act(ctx, editor::Action::Balance(editor::BalanceAction::Compare(against)));
    }

    /// Starts bot games that compare values of a setting. Chooses the setting with the most values
    /// to try.
    fn compare(&mut self, ctx: &Context, against: impl Fn(String, Vec<String>) -> ComparedRules) {
        let settings = self.app.snapshot().settings();
        let values = settings.iter().map(|(setting, now)| (setting.name.clone(), values_to_try(setting, now)));
        let values = values.filter(|(_, values)| !values.is_empty());
        if let Some((name, values)) = values.max_by_key(|(_, values)| values.len()) {
            self.set_baseline(ctx, against(name, values));
        }
    }

    /// Returns whether the screenshot can be taken: the layout is stable, no balance run is in
    /// progress, and the page to print, if the view shows one, is drawn.
    fn is_settled(&self) -> bool {
        let has_page = self.view != ScreenshotView::Print || self.app.n_pages_to_print().is_some();
        self.frame >= SETTLED_FRAMES
            && !self.app.balance().is_running()
            && !self.app.balance().playtests.is_running()
            && has_page
    }

    fn take_screenshot(&self, ctx: &Context) {
        let (file, outcome, ctx_of_end) = (self.file.clone(), self.outcome.clone(), ctx.clone());
        let is_small = self.is_small;
        ctx.request_screenshot(move |picture| {
            let pixels: Vec<u8> = picture.pixels.iter().flat_map(|p| p.to_srgba_unmultiplied()).collect();
            let (w, h) = (picture.width() as u32, picture.height() as u32);
            if let (Err(error), Ok(mut outcome)) = (save(&file, pixels, [w, h], is_small), outcome.lock()) {
                *outcome = Some(format!("{} cannot be written: {error}", file.display()));
            }
            ctx_of_end.send_viewport_cmd(ViewportCommand::Close);
        });
    }
}

/// Writes the pixels of a picture as a PNG file.
///
/// # Errors
/// Returns an error if the file cannot be written.
fn save(file: &Path, pixels: Vec<u8>, [width, height]: [u32; 2], is_small: bool) -> Result<(), ShownError> {
    let picture =
        RgbaImage::from_raw(width, height, pixels).ok_or_else(|| ShownError::new("the picture has too few pixels"))?;
    if is_small {
        return Ok(std::fs::write(file, small_picture::encode(picture)?)?);
    }
    Ok(picture.save(file)?)
}

impl eframe::App for ScreenshotWindow {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        if self.frame == 1 {
            self.prepare(&ctx);
        }
        self.app.settings.scale = self.scale;
        self.app.show(ui);
        self.frame += 1;
        if !self.is_taken && self.is_settled() {
            self.is_taken = true;
            self.take_screenshot(&ctx);
        }
        ctx.request_repaint();
    }
}
