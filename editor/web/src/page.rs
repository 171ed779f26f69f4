//! The page: the window on a canvas. The browser stores its files.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use editor::{
    Action, App, LinkAction, PuzzleStage, ShownError, StartOptions, Tone, Window, action_to_open, data_folder,
};
use eframe::egui::{Context, Ui, Vec2, vec2};
use eframe::{WebOptions, WebRunner};
use js_sys::{Array, Date, Function, Promise, Uint8Array};
use platform::browser::files::{FileChange, add_supplied, mark_changed, restore, take_changes};
use platform::browser::task::{self, WorkerListener};
use platform::browser::{outside, sound};
use platform::fs;
use platform::time::{Duration, Instant, UNIX_EPOCH};
use serde_json::json;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AudioContext, AudioContextState, HtmlCanvasElement};
use workshop::bundled_mods::{ChangedFile, Originals};

/// The folder of mods: those that come with the page, and those that the user adds.
pub const MODS: &str = "/mods";

/// The folder for copies of files dropped onto the page.
const DROPPED: &str = "/tmp/dropped";

/// The longest time per frame for background work.
const SLICE: Duration = Duration::from_millis(8);

/// The size of a window that has room for all panels, in points.
const NEEDED_SIZE: Vec2 = vec2(960.0, 540.0);

/// The size of a window that has room for all panels on a tall screen, in points. On such a screen,
/// as on a phone, panels are below the board.
const NEEDED_TALL_SIZE: Vec2 = vec2(520.0, 700.0);

/// The smallest factor by which the page scales the window down on a small screen.
const MIN_SCALE: f32 = 0.6;

/// The number of frames whose times are stored. When the page has drawn this number of frames, the
/// game counts as successfully opened.
const MAX_FRAMES: usize = 200;

/// The delay before the next attempt to store files.
const RETRY_DELAY: Duration = Duration::from_secs(2);

#[wasm_bindgen]
extern "C" {
    /// Functions of the page, written in JavaScript, that the window calls.
    pub type Host;

    /// Stores changed files. Each item of `changes` is a list of three values: the file's path, its
    /// bytes (`null` if the file was removed), and the time of the change, in milliseconds since
    /// the beginning of 1970. If storing fails, rejects the promise with a message.
    #[wasm_bindgen(method)]
    fn keep(this: &Host, changes: &Array) -> Promise;

    /// Offers a file as a download.
    #[wasm_bindgen(method)]
    fn hand_over(this: &Host, name: &str, bytes: &Uint8Array);

    /// Starts a job in a worker, and calls `hear` with the bytes of each event of the job. If the
    /// worker fails, calls `hear` without bytes; the second argument is the reason. Returns a
    /// function that stops the worker.
    #[wasm_bindgen(method, catch)]
    fn work(this: &Host, job: &str, hear: &WorkerClosure) -> Result<Function, JsValue>;

    /// Shows that Bastide has stopped, with the reason `why`.
    #[wasm_bindgen(method)]
    fn fail(this: &Host, why: &str);
}

thread_local! {
    static RUNNER: RefCell<Option<WebRunner>> = const { RefCell::new(None) };
}

/// Opens the window on `canvas`.
///
/// - `mods` are the files that come with the page: a JSON object of texts by path.
/// - `kept` are the stored files.
/// - `address` is the page's address without the `#` and the text after it.
/// - `has_fingers` is true if there is no mouse.
/// - `less_motion` is true if the user has asked the system for less motion.
#[wasm_bindgen]
pub async fn open(
    canvas: HtmlCanvasElement,
    host: Host,
    mods: String,
    kept: Array,
    address: String,
    has_fingers: bool,
    less_motion: bool,
) -> Result<(), JsValue> {
    log_errors();
    outside::set_address(&address);
    let context = RefCell::new(None);
    // Without sound, the game goes on.
    sound::set_player(move |samples, rate| drop(play_sound(&mut context.borrow_mut(), samples, rate)));
    let texts: BTreeMap<String, String> =
        serde_json::from_str(&mods).map_err(|error| format!("the mods of the page cannot be read: {error}"))?;
    let originals = Originals::new(Path::new(MODS), texts.clone());
    texts.into_iter().for_each(|(path, text)| add_supplied(&Path::new(MODS).join(path), text.into_bytes()));
    kept.iter().filter_map(|file| change_of(&file.into())).for_each(restore);
    // The browser stores only files, so these folders may not exist.
    fs::create_dir_all("/tmp").map_err(|error| error.to_string())?;
    fs::create_dir_all(MODS).map_err(|error| error.to_string())?;
    let start = StartOptions {
        mods: Some(vec![PathBuf::from(MODS)]),
        data: data_folder(),
        less_motion,
        watch: true,
        survives: Some(survives),
        originals: Some(Arc::new(originals)),
        ..StartOptions::default()
    };
    let runner = WebRunner::new();
    RUNNER.set(Some(runner.clone()));
    let create: eframe::AppCreator<'static> =
        Box::new(move |cc| Ok(Box::new(Page::open(&cc.egui_ctx, start, Rc::new(host), has_fingers)?)));
    runner.start(canvas, WebOptions::default(), create).await
}

/// Plays samples in the browser. Makes the audio context at the first call, because browsers allow
/// sounds only after a click.
fn play_sound(context: &mut Option<AudioContext>, samples: &[f32], rate: u32) -> Result<(), JsValue> {
    let context = match context {
        Some(context) => context,
        None => context.insert(AudioContext::new()?),
    };
    if context.state() != AudioContextState::Running {
        // Leaves this sound out, so that it does not come late.
        let _ = context.resume()?;
        return Ok(());
    }
    let length = u32::try_from(samples.len()).unwrap_or_default();
    let buffer = context.create_buffer(1, length, rate as f32)?;
    buffer.copy_to_channel(samples, 0)?;
    let source = context.create_buffer_source()?;
    source.set_buffer(Some(&buffer));
    source.connect_with_audio_node(&context.destination())?;
    source.start()
}

/// Shows internal errors in the browser's console.
pub(crate) fn log_errors() {
    // The second call fails, but the logger of the first call stays active.
    let _ = eframe::WebLogger::init(log::LevelFilter::Error);
}

/// The file that counts consecutive failed attempts to open the same record. Each attempt during
/// which the page crashed, or was closed or reloaded, adds a line with the path of the record.
const ATTEMPTS: &str = "/data/attempts";

/// Returns whether to open a record again although the page ended while it opened this record.
/// Usually the user closed or reloaded the page at that time, so returns false only after the third
/// time in a row.
fn survives(record: &Path) -> bool {
    let line = format!("{}\n", record.display());
    let attempts = fs::read_to_string(ATTEMPTS).unwrap_or_default();
    let n = attempts.lines().filter(|known| Path::new(known) == record).count();
    let _ = fs::write(ATTEMPTS, if n == 0 { line } else { format!("{attempts}{line}") });
    n < 2
}

/// Shows the contents of `link`, the part of the page's address after the `#`.
#[wasm_bindgen]
pub fn follow(link: String) {
    let runner = RUNNER.with_borrow(Clone::clone);
    if let Some(mut page) = runner.as_ref().and_then(|runner| runner.app_mut::<Page>()) {
        page.link = Some(link);
        page.ctx.request_repaint();
    }
}

/// Returns the visible state of the window as JSON, for developers and for tests of the page.
/// Returns an empty text if no game is open yet.
#[wasm_bindgen]
pub fn state() -> String {
    let runner = RUNNER.with_borrow(Clone::clone);
    let page = runner.as_ref().and_then(|runner| runner.app_mut::<Page>());
    page.and_then(|mut page| page.state()).unwrap_or_default()
}

/// Returns the hash of the game's state at the end of a record, for comparison with other machines.
#[wasm_bindgen]
pub fn state_hash_of(record: &str) -> Result<String, JsValue> {
    let path = Path::new("/tmp/replayed.game");
    let opened = fs::write(path, record).map_err(|error| error.to_string());
    let library = table::Library::open(&[PathBuf::from(MODS)]);
    let opened = opened.and_then(|()| table::open_record(&library, path).map_err(|error| error.to_string()))?;
    if !opened.is_whole {
        return Err(opened.warnings.join("\n").into());
    }
    let game = opened.session.game();
    Ok(format!("{:016x}", record::state_hash(&game.rules().ruleset, game.state())))
}

/// Returns the milliseconds per frame of a large board, without overlays and with all of them, for
/// comparison with a native build.
#[wasm_bindgen]
pub fn frame_cost(n_frames: usize) -> Result<Vec<f64>, JsValue> {
    let read = |file: &str| fs::read_to_string(&Path::new(MODS).join("base").join(file));
    let cost = editor::frame_cost::frame_cost(&read, n_frames).map_err(|error| error.to_string())?;
    Ok(cost.to_vec())
}

/// The state of the storage of changed files.
#[derive(Default)]
struct PageStorage {
    is_writing: Cell<bool>,
    /// The result of storing files, if the window must report it: the first error, or the first
    /// success after errors. `None` if there is nothing to report.
    news: RefCell<Option<Result<(), ShownError>>>,
    fails: Cell<bool>,
    /// The time of the next attempt after a failure; `None` if the last attempt succeeded.
    retry: Cell<Option<Instant>>,
}

type WorkerClosure = Closure<dyn FnMut(Option<Vec<u8>>, Option<String>)>;

/// A worker of the page with a job. Dropping this value stops the worker.
struct PageWorker {
    end: Function,
    _hear: WorkerClosure,
}

impl PageWorker {
    fn start(host: &Host, job: &str, mut listener: WorkerListener) -> Result<PageWorker, String> {
        let hear = Closure::new(move |event: Option<Vec<u8>>, why: Option<String>| {
            listener(event.ok_or_else(|| why.unwrap_or_default()));
        });
        let none = |error| format!("this browser gives the page no workers ({})", sentence(&error));
        Ok(PageWorker { end: host.work(job, &hear).map_err(none)?, _hear: hear })
    }
}

impl Drop for PageWorker {
    fn drop(&mut self) {
        let _ = self.end.call0(&JsValue::NULL);
    }
}

struct Page {
    window: Window,
    outcome: Arc<Mutex<Option<String>>>,
    host: Rc<Host>,
    keeping: Rc<PageStorage>,
    ctx: Context,
    /// The link that `follow` received. The page shows its contents when the first game is open.
    link: Option<String>,
    /// The paths of the copies of dropped files, or the reasons why files could not be copied.
    copied: Rc<RefCell<Vec<Result<PathBuf, ShownError>>>>,
    /// The durations of the last frames without background work, in milliseconds.
    frames: Vec<f64>,
    has_fingers: bool,
}

impl Page {
    fn open(ctx: &Context, start: StartOptions, host: Rc<Host>, has_fingers: bool) -> Result<Page, ShownError> {
        let outcome = Arc::default();
        let workers = host.clone();
        task::set_worker_starter(move |job, listener| Ok(Box::new(PageWorker::start(&workers, job, listener)?)));
        let window = Window::open(ctx, start, Arc::clone(&outcome))?;
        Ok(Page {
            window,
            outcome,
            host,
            keeping: Rc::default(),
            ctx: ctx.clone(),
            link: None,
            copied: Rc::default(),
            frames: Vec::new(),
            has_fingers,
        })
    }

    /// Passes changed files to the host, which stores them, one batch after the other.
    fn pass_changes_to_host(&self, ctx: &Context) {
        let keeping = self.keeping.clone();
        if keeping.is_writing.get() || keeping.retry.get().is_some_and(|then| Instant::now() < then) {
            return;
        }
        let changes = take_changes();
        if changes.is_empty() {
            return;
        }
        let told: Array = changes.iter().map(array_of).collect();
        let done = JsFuture::from(self.host.keep(&told));
        keeping.is_writing.set(true);
        let ctx = ctx.clone();
        spawn_local(async move {
            let done = done.await;
            keeping.is_writing.set(false);
            match done {
                Ok(_) => {
                    keeping.retry.set(None);
                    if keeping.fails.replace(false) {
                        keeping.news.replace(Some(Ok(())));
                    }
                }
                Err(error) => {
                    changes.iter().for_each(|change| mark_changed(&change.path));
                    keeping.retry.set(Some(Instant::now() + RETRY_DELAY));
                    if !keeping.fails.replace(true) {
                        keeping.news.replace(Some(Err(ShownError::new(sentence(&error)))));
                    }
                    ctx.request_repaint_after(RETRY_DELAY);
                }
            }
            ctx.request_repaint();
        });
    }

    /// Starts to copy the files that the user has just dropped onto the page. Opens the dropped
    /// files whose copies are finished.
    fn open_dropped_files(&mut self, ctx: &Context) {
        for file in ctx.input_mut(|input| std::mem::take(&mut input.raw.dropped_files)) {
            let (copied, ctx) = (self.copied.clone(), ctx.clone());
            spawn_local(async move {
                let name = file.path().file_name().unwrap_or_default().to_owned();
                let path = Path::new(DROPPED).join(&name);
                let done = match file.bytes_async().await {
                    Ok(bytes) => {
                        fs::create_dir_all(DROPPED).and_then(|()| fs::write(&path, bytes)).map_err(|e| e.to_string())
                    }
                    Err(error) => Err(error),
                };
                let name = name.to_string_lossy();
                let why = |error| ShownError::new(format!("{name} cannot be read: {error}; drop a zip or a record"));
                copied.borrow_mut().push(done.map(|()| path).map_err(why));
                ctx.request_repaint();
            });
        }
        let copied = self.copied.take();
        let Some(app) = self.window.app() else { return };
        for file in copied {
            let action = match file {
                Ok(path) => action_to_open(path.as_os_str()),
                Err(error) => Action::Tell(Tone::Bad, error.to_string()),
            };
            app.act(ctx, action);
        }
    }

    /// Scales the window down on a small screen, so that everything fits. Limits the scale, so that
    /// the user can still tap tiles.
    fn scale_to_fit(&mut self, ctx: &Context) {
        let screen = ctx.content_rect().size() * ctx.zoom_factor();
        let room = if screen.y > 1.2 * screen.x { NEEDED_TALL_SIZE } else { NEEDED_SIZE };
        let fits = (screen.x / room.x).min(screen.y / room.y).clamp(MIN_SCALE, 1.0);
        if let Some(app) = self.window.app() {
            ctx.set_zoom_factor(app.settings.scale * fits);
        }
    }

    /// Notifies the user if storing files has begun to fail, or if storing works again.
    fn report_storage(&mut self, ctx: &Context) {
        let Some(app) = self.window.app() else { return };
        if self.has_fingers {
            app.use_touch();
        }
        match self.keeping.news.take() {
            Some(Ok(())) => {
                app.act(ctx, Action::Tell(Tone::Good, "all changes are saved in this browser again".to_owned()))
            }
            Some(Err(why)) => {
                let text = format!("your changes are no longer saved: {why}. To keep the game, choose Save a copy");
                app.act(ctx, Action::Tell(Tone::Bad, text));
            }
            None => {}
        }
    }

    fn state(&mut self) -> Option<String> {
        let frames = &mut self.frames.clone();
        frames.sort_by(f64::total_cmp);
        let median = frames.get(frames.len() / 2).copied().unwrap_or_default();
        let is_keeping = self.keeping.is_writing.get();
        let app: &App = self.window.app()?;
        let seen = app.snapshot();
        let view = seen.view();
        // The returned positions are in pixels of the page (CSS), not in points of the window.
        let zoom = self.ctx.zoom_factor();
        let at = move |pos: eframe::egui::Pos2| [pos.x * zoom, pos.y * zoom];
        let answer = |option: table::OptionView| {
            let pos = app.board().screen_pos_of_option(option.answer).map(at);
            json!({ "text": option.text, "label": option.label, "at": pos })
        };
        let places: BTreeMap<String, [f32; 2]> = view
            .places()
            .iter()
            .map(|it| (it.spot.to_string(), at(app.board().screen_rect_of(it.spot).center())))
            .collect();
        let state = json!({
            "mods": view.mods().iter().map(|it| &it.id).collect::<Vec<_>>(),
            "turn": seen.turn(),
            "answers": seen.position_index(),
            "is_over": view.is_over(),
            "is_live": seen.is_live(),
            "asked": view.prompt().map(|prompt| prompt.text),
            "player": view.prompt().and_then(|prompt| prompt.seat()).map(|seat| view.name(seat)),
            "is_bot": view.prompt().and_then(|prompt| prompt.seat()).is_some_and(|seat| seen.is_bot(seat)),
            "options": view.option_views().into_iter().map(answer).collect::<Vec<_>>(),
            "places": places,
            "scores": view.scores(),
            "record": seen.record_text(),
            "text": app.shown_text(),
            "n_unsaved": app.n_unsaved_texts(),
            "told": app.notifications().items().iter().map(|it| &it.text).collect::<Vec<_>>(),
            "is_asked_about_link": app.view_state().windows.link,
            "lay": app.board().screen_pos_of_confirm_button().map(at),
            "facing": app.board().facing_of_ghost().map(|facing| facing.quarters()),
            "places_to_lay": view.places().iter().map(|it| it.spot.to_string()).collect::<Vec<_>>(),
            "changed_mods": changed_mods(app),
            "restores": app.view_state().windows.restore,
            "puzzle": app.puzzle().map(|puzzle| stage_name(puzzle.stage())),
            "n_puzzles": app.n_puzzles(),
            "is_keeping": is_keeping,
            "frame_ms": median,
            "is_thinking": app.is_bot_thinking(),
            "busy": app.busy_status().map(|(what, _)| what),
            "n_balanced": app.balance().snapshot().map(|seen| seen.report.n_games),
        });
        Some(state.to_string())
    }
}

impl eframe::App for Page {
    fn ui(&mut self, ui: &mut Ui, frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        let begun = Instant::now();
        self.scale_to_fit(&ctx);
        self.open_dropped_files(&ctx);
        if self.window.app().is_some()
            && let Some((link, app)) = self.link.take().zip(self.window.app())
        {
            app.act(&ctx, Action::Link(LinkAction::LookAt(link)));
        }
        self.window.ui(ui, frame);
        self.report_storage(&ctx);
        if self.frames.len() >= MAX_FRAMES {
            self.frames.remove(0);
            let _ = fs::remove(Path::new(ATTEMPTS));
        }
        self.frames.push(begun.elapsed().as_secs_f64() * 1000.0);
        if let Some(pause) = task::run_until(Instant::now() + SLICE) {
            ctx.request_repaint_after(pause);
        }
        self.pass_changes_to_host(&ctx);
        for path in outside::take_downloads() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if let Ok(bytes) = fs::read(&path) {
                self.host.hand_over(&name, &Uint8Array::from(&bytes[..]));
            }
        }
        let failed = self.outcome.lock().ok().and_then(|mut outcome| outcome.take());
        if let Some(why) = failed {
            self.host.fail(&why);
        }
    }

    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(self)
    }
}

/// Returns the changed files of bundled mods, by mod.
fn changed_mods(app: &App) -> BTreeMap<String, Vec<String>> {
    let names = |files: Vec<ChangedFile>| files.into_iter().map(|file| file.name).collect();
    app.changed_mods().into_iter().map(|(id, files)| (id, names(files))).collect()
}

/// Returns the stage of a puzzle as a word. If the user's move is judged, also returns the number
/// of points that it loses against the best move.
fn stage_name(stage: PuzzleStage) -> (&'static str, Option<f64>) {
    match stage {
        PuzzleStage::Open => ("open", None),
        PuzzleStage::Judging => ("judging", None),
        PuzzleStage::Judged(given, _) => ("judged", Some(given.behind)),
        PuzzleStage::Shown(_) => ("shown", None),
        PuzzleStage::Failed(_) => ("failed", None),
    }
}

fn sentence(error: &JsValue) -> String {
    error.as_string().unwrap_or_else(|| format!("{error:?}"))
}

fn array_of(change: &FileChange) -> Array {
    let bytes = change.bytes.as_ref().map_or(JsValue::NULL, |bytes| Uint8Array::from(&bytes[..]).into());
    let time = change.modified.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64() * 1000.0;
    Array::of3(&change.path.to_string_lossy().as_ref().into(), &bytes, &time.into())
}

fn change_of(file: &Array) -> Option<FileChange> {
    let path = PathBuf::from(file.get(0).as_string()?);
    let bytes = file.get(1).dyn_into::<Uint8Array>().ok().map(|bytes| bytes.to_vec());
    let time = file.get(2).as_f64().filter(|time| *time >= 0.0).unwrap_or_else(Date::now);
    Some(FileChange { path, bytes, modified: UNIX_EPOCH + Duration::from_secs_f64(time / 1000.0) })
}
