//! Work that another copy of the program can do. The other copy receives mods and a job as text,
//! and sends the result back. In a browser, the other copy is a worker of the page, so that bots,
//! balance, puzzles and pictures do not delay frames.
//!
//! All jobs are in this file, because they are sent, done and reported in the same way.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use table::ExpectOrDefault;

use ::pictures::{SizeLimits, film, position_picture};
use art::Painter;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use book::{Book, BookError, BookForm};
use paper::{Paper, PrintError, PrintOptions, Progress};
use platform::fs;
use platform::task::{self, WorkerJob};
use platform::time::{Duration, Instant};
use serde::{Deserialize, Serialize};
use table::{BotReasoning, Library, Session, Snapshot, open_record, player_named, shown_path};
use workshop::balance::{
    AblationResults, BalancePlan, BalanceSnapshot, ComparedRules, Comparison, ConfiguredMods, ExampleGame,
    ExamplePosition, GameResult, Ladder, Report, ShownRules, Sweep,
};
use workshop::puzzle::{self, PuzzleCandidate, Solution, solve};
use workshop::{CaseFile, read_text};

use crate::shown_error::ShownError;
/// The shortest interval between two reports of a balance run, except the last report.
const MIN_REPORT_INTERVAL: Duration = Duration::from_millis(120);

/// The interval at which a task that waits for a worker checks whether the result is still wanted.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// The maximum size of a mod's file that is sent to a worker, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// The length of the longer side of a puzzle's picture, in pixels.
const PUZZLE_SIZE: f64 = 240.0;

/// The width of the picture of a page to print, in pixels.
const PAGE_WIDTH: u32 = 760;

/// The message shown if the worker ended before it sent the result.
const ENDED_MESSAGE: &str = "the background worker ended without a result";

/// A job that the window sends to a worker.
#[derive(Serialize, Deserialize)]
enum RemoteJob {
    /// Find the answer of the bot that is to move at the end of this record.
    Answer(ModTexts, String),
    /// Play the games of a balance run.
    Balance(WorkerPlan),
    /// Replay an example game of a balance run.
    Show(WorkerPlan, ExampleGame, ShownRules),
    /// Draw a picture of the game of this record, in this palette.
    Picture(ModTexts, String, PictureKind, Option<String>),
    /// Compute the values of the moves at the end of this record. Moves that look bad are skipped,
    /// except the move with the listed answers, if a list is given.
    Solve(ModTexts, String, Option<Vec<String>>),
    /// Find the positions in this record that are puzzles, and draw them in this palette.
    Puzzles(ModTexts, String, Option<String>),
    /// Make a part of the sheets of the mods with these ids.
    Sheets(ModTexts, Vec<String>, PrintOptions, SheetsPart),
    /// Make the rulebook of these mods. The text is the address of the links.
    Book(ModTexts, String, BookForm),
}

/// Mods to print, with the user's choices.
#[derive(Clone, Debug)]
pub struct SheetsWanted {
    /// The loaded mods.
    pub mods: ConfiguredMods,
    /// The ids of the mods to print.
    pub ids: Vec<String>,
    /// The choices.
    pub options: PrintOptions,
}

/// The part of the sheets to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SheetsPart {
    /// The picture of the page with this number as PNG. The first page has the number 0. If there
    /// are fewer pages, the last page is drawn.
    Page(usize),
    /// All pages as PDF.
    Pdf,
}

/// A part of the sheets, with the numbers of pages and items of all sheets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetsMade {
    /// The number of pages.
    pub n_pages: usize,
    /// The number of tiles, and the number of cards and pieces together.
    pub n_items: [usize; 2],
    /// The content of the PNG or PDF file.
    pub file: Vec<u8>,
}

/// A rulebook to make.
#[derive(Clone, Debug)]
pub struct BookWanted {
    /// The mods.
    pub library: Library,
    /// The ids of the mods with a chapter.
    pub ids: Vec<String>,
    /// The address of the links that open examples.
    pub address: String,
    /// The form of the file.
    pub form: BookForm,
}

/// A finished rulebook.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookMade {
    /// The number of examples.
    pub n_examples: usize,
    /// The number of things that the book does not explain.
    pub n_unexplained: usize,
    /// The content of the file.
    pub file: Vec<u8>,
}

/// The kind of a picture of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PictureKind {
    /// The board at the end of the record, as PNG.
    Moment,
    /// The game from the start to the end of the record, as an animated GIF.
    Game,
}

impl PictureKind {
    /// Returns the extension of the picture's file.
    pub fn extension(self) -> &'static str {
        match self {
            PictureKind::Moment => "png",
            PictureKind::Game => "gif",
        }
    }
}

/// A message from a worker to the window.
#[derive(Serialize, Deserialize)]
enum WorkerMessage {
    Answer(BotAnswer),
    Balance(Box<BalanceProgress>),
    Shown(ExamplePosition),
    /// The progress of the job, in percent.
    Done(u8),
    /// The bytes of the picture's file, in Base64.
    File(String),
    Solved(Solution),
    Puzzles(Vec<(PuzzleCandidate, String)>),
    /// A part of the sheets to print: the number of pages, the numbers of items, and the bytes of
    /// the file in Base64.
    Sheets(usize, [usize; 2], String),
    /// A rulebook: the numbers of examples and of things that it does not explain, and the bytes of
    /// the file in Base64.
    Book(usize, usize, String),
    /// The reason why the job failed.
    Failed(ShownError),
}

impl WorkerMessage {
    /// Returns the message of a worker that stopped without a result.
    fn ended() -> WorkerMessage {
        WorkerMessage::Failed(ShownError::new(ENDED_MESSAGE))
    }
}

/// The answer of a bot, as the worker sends it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BotAnswer {
    /// The text of the answer.
    pub text: String,
    /// The bot's reasoning.
    pub reasoning: Option<BotReasoning>,
}

/// Mods with the content of their files.
#[derive(Serialize, Deserialize)]
struct ModTexts {
    ids: Vec<String>,
    /// The settings with values other than the defaults.
    chosen: Vec<(String, String)>,
    folders: Vec<PathBuf>,
    files: BTreeMap<PathBuf, Arc<str>>,
}

impl ModTexts {
    fn of(mods: &ConfiguredMods) -> ModTexts {
        let loaded = &mods.loaded;
        let ids = loaded.catalogue().mods.iter().map(|it| it.id.clone()).collect();
        // Uses the texts as they were read, because the files on disk may have changed since.
        let read = loaded.sources().iter().map(|source| (source.path.clone(), source.text.clone()));
        let files = loaded.folders().iter().flat_map(|folder| texts_in(folder)).chain(read).collect();
        ModTexts { ids, folders: loaded.folders().to_vec(), chosen: mods.chosen.clone(), files }
    }

    /// Returns all mods of a library, with the content of their files.
    fn all(library: &Library) -> ModTexts {
        let ids = library.ids();
        let folders: Vec<PathBuf> = ids.iter().filter_map(|id| library.folder(id)).collect();
        let files = folders.iter().flat_map(|folder| texts_in(folder)).collect();
        ModTexts { ids, folders, chosen: Vec::new(), files }
    }

    /// Returns all mods of a library, with the content of their files. The mods `ids` have their
    /// READMEs and tests.
    ///
    /// # Errors
    /// Returns an error if a README or a test cannot be read.
    fn with_tests(library: &Library, ids: &[String]) -> Result<ModTexts, ShownError> {
        let mut mods = ModTexts::all(library);
        for folder in ids.iter().filter_map(|id| library.folder(id)) {
            let readme = Some(folder.join("README.md")).filter(|file| fs::is_file(file));
            let tests = CaseFile::of_mod(&folder).into_iter().map(|case| case.file);
            for path in tests.chain(readme) {
                let text = read_text(&path, Some(&folder), MAX_BYTES);
                let text =
                    text.map_err(|error| ShownError::new(format!("{}: cannot be read: {error}", shown_path(&path))))?;
                mods.files.insert(path, text.into());
            }
        }
        ids.clone_into(&mut mods.ids);
        Ok(mods)
    }

    fn library(&self) -> Library {
        Library::open(&self.folders).with_unsaved(self.files.clone())
    }

    fn load(&self) -> Result<ConfiguredMods, ShownError> {
        let (loaded, problems) = self.library().load(&self.ids);
        let loaded = Arc::new(loaded.ok_or_else(|| ShownError::new(problems.to_string()))?);
        let settings = loaded.settings_from(&self.chosen)?;
        Ok(ConfiguredMods { loaded, settings, chosen: self.chosen.clone() })
    }
}

/// Returns the files that belong to the mod in `folder`, with their texts.
fn texts_in(folder: &Path) -> Vec<(PathBuf, Arc<str>)> {
    let entries = ["", "tiles", "icons"].map(|below| fs::read_dir(folder.join(below)));
    let paths = entries.into_iter().flatten().flatten().flatten().map(|entry| entry.path());
    let is_played = |path: &PathBuf| path.extension().is_some_and(|end| end == "toml" || end == "rhai" || end == "svg");
    // Skips a file that cannot be read; the worker reports the error when it loads the mod.
    let text = |path: PathBuf| Some((read_text(&path, Some(folder), MAX_BYTES).ok()?.into(), path));
    paths.filter(is_played).filter_map(text).map(|(text, path)| (path, text)).collect()
}

/// A [`BalancePlan`] in the form in which it is sent to a worker, with the texts of its mods.
#[derive(Serialize, Deserialize)]
struct WorkerPlan {
    mods: ModTexts,
    against: ComparedRules,
    /// The pinned mods, if they are the baseline.
    pinned: Option<ModTexts>,
    /// All mods of the library; given if the baseline may contain mods that are not in play.
    all: Option<ModTexts>,
    /// The mods in a folder, if that folder is the baseline.
    folder: Option<ModTexts>,
    players: Vec<String>,
    n_games: u64,
    seed: u64,
}

impl WorkerPlan {
    fn of(plan: &BalancePlan) -> WorkerPlan {
        let (against, pinned) = match &plan.against {
            ComparedRules::Pinned(mods) => (ComparedRules::Nothing, Some(ModTexts::of(mods))),
            against => (against.clone(), None),
        };
        WorkerPlan {
            mods: ModTexts::of(&plan.mods),
            all: matches!(against, ComparedRules::WithMod(_) | ComparedRules::Folder(_))
                .then(|| ModTexts::all(&plan.library)),
            folder: match &against {
                ComparedRules::Folder(folder) => Some(ModTexts::all(&Library::open(std::slice::from_ref(folder)))),
                _ => None,
            },
            against,
            pinned,
            players: plan.players.iter().map(|player| player.name.to_string()).collect(),
            n_games: plan.n_games,
            seed: plan.seed,
        }
    }

    fn plan(self) -> Result<BalancePlan, ShownError> {
        let pinned = self.pinned.as_ref().map(ModTexts::load).transpose()?;
        Ok(BalancePlan {
            library: self.all.as_ref().unwrap_or(&self.mods).library(),
            mods: self.mods.load()?,
            against: pinned.map_or(self.against, ComparedRules::Pinned),
            players: self.players.iter().filter_map(|name| player_named(name)).collect(),
            n_games: self.n_games,
            seed: self.seed,
        })
    }

    fn mods(&self) -> impl Iterator<Item = &ModTexts> {
        self.all.iter().chain(&self.pinned).chain(&self.folder).chain([&self.mods])
    }
}

/// The results of a balance run so far, with the games played since the previous message.
#[derive(Serialize, Deserialize)]
struct BalanceProgress {
    report: Report,
    comparison: Option<Comparison>,
    sweep: Option<Sweep>,
    matters: Option<AblationResults>,
    ladder: Option<Ladder>,
    progress: (u64, u64),
    games: Vec<GameResult>,
}

impl BalanceProgress {
    fn of(seen: BalanceSnapshot, n_said: &mut usize) -> BalanceProgress {
        let games: Vec<GameResult> = seen.games.iter().skip(*n_said).flat_map(|some| some.iter()).cloned().collect();
        *n_said = seen.games.len();
        let BalanceSnapshot { report, comparison, sweep, matters, ladder, progress, .. } = seen;
        BalanceProgress { report, comparison, sweep, matters, ladder, progress, games }
    }

    fn into_snapshot(self, games: &mut Vec<Arc<[GameResult]>>) -> BalanceSnapshot {
        let BalanceProgress { report, comparison, sweep, matters, ladder, progress, games: more } = self;
        games.push(more.into());
        BalanceSnapshot { report, comparison, sweep, matters, ladder, progress, games: games.clone() }
    }
}

impl RemoteJob {
    fn text(&self) -> String {
        serde_json::to_string(self).expect_or_default("a job can be written as JSON")
    }

    fn files(&self) -> BTreeMap<PathBuf, Arc<str>> {
        match self {
            RemoteJob::Answer(mods, _)
            | RemoteJob::Picture(mods, ..)
            | RemoteJob::Solve(mods, ..)
            | RemoteJob::Sheets(mods, ..)
            | RemoteJob::Book(mods, ..)
            | RemoteJob::Puzzles(mods, ..) => mods.files.clone(),
            RemoteJob::Balance(plan) | RemoteJob::Show(plan, ..) => {
                // The mods in play come last, so that their text is returned if the pinned mods
                // contain another text of the same file.
                plan.mods().flat_map(|mods| mods.files.clone()).collect()
            }
        }
    }

    fn run(self, say: &mut dyn FnMut(WorkerMessage)) -> Result<(), ShownError> {
        match self {
            RemoteJob::Answer(mods, record) => say(WorkerMessage::Answer(find_bot_answer(&mods.library(), &record)?)),
            RemoteJob::Show(plan, example, which) => {
                say(WorkerMessage::Shown(plan.plan()?.replay_example(&example, which)?));
            }
            RemoteJob::Picture(mods, record, drawn, palette) => {
                let session = session_of(&mods.library(), &record)?;
                let progress = &mut |percent| {
                    say(WorkerMessage::Done(percent));
                    true
                };
                let bytes = draw(&session, drawn, palette.as_deref(), progress)?.unwrap_or_default();
                say(WorkerMessage::File(BASE64_STANDARD.encode(bytes)));
            }
            RemoteJob::Solve(mods, record, given) => {
                let session = session_of(&mods.library(), &record)?;
                let solved = task::block_on(solve(session.game(), given.as_deref(), || true))?;
                say(solved.map_or_else(WorkerMessage::ended, WorkerMessage::Solved));
            }
            RemoteJob::Puzzles(mods, record, palette) => {
                let mut session = session_of(&mods.library(), &record)?;
                let found =
                    task::block_on(find_puzzles_with_pictures(&mut session, palette.as_deref(), &mut |percent| {
                        say(WorkerMessage::Done(percent));
                        true
                    }))?;
                let letters = |(found, picture): (PuzzleCandidate, Vec<u8>)| (found, BASE64_STANDARD.encode(picture));
                say(WorkerMessage::Puzzles(found.into_iter().map(letters).collect()));
            }
            RemoteJob::Sheets(mods, ids, options, part) => {
                let wanted = SheetsWanted { mods: mods.load()?, ids, options };
                let mut report = |percent| say(WorkerMessage::Done(percent));
                let made = task::block_on(make_sheets(&wanted, part, &mut Progress::new(&|| true, &mut report)))?;
                say(made.map_or_else(WorkerMessage::ended, |SheetsMade { n_pages, n_items, file }| {
                    WorkerMessage::Sheets(n_pages, n_items, BASE64_STANDARD.encode(file))
                }));
            }
            RemoteJob::Book(mods, address, form) => {
                let wanted = BookWanted { library: mods.library(), ids: mods.ids, address, form };
                let mut report = |percent| say(WorkerMessage::Done(percent));
                let made = task::block_on(make_book(&wanted, &mut Progress::new(&|| true, &mut report)))?;
                say(made.map_or_else(WorkerMessage::ended, |BookMade { n_examples, n_unexplained, file }| {
                    WorkerMessage::Book(n_examples, n_unexplained, BASE64_STANDARD.encode(file))
                }));
            }
            RemoteJob::Balance(plan) => {
                let (mut last, mut told_at, mut n_said) = (None, None::<Instant>, 0);
                let each = |seen| {
                    if told_at.is_none_or(|told_at| told_at.elapsed() >= MIN_REPORT_INTERVAL) {
                        told_at = Some(Instant::now());
                        last = None;
                        say(WorkerMessage::Balance(Box::new(BalanceProgress::of(seen, &mut n_said))));
                    } else {
                        last = Some(seen);
                    }
                };
                task::block_on(plan.plan()?.play(|| true, each))?;
                last.into_iter()
                    .for_each(|seen| say(WorkerMessage::Balance(Box::new(BalanceProgress::of(seen, &mut n_said)))));
            }
        }
        Ok(())
    }
}

fn session_of(library: &Library, record: &str) -> Result<Session, ShownError> {
    let folder = fs::temp_dir()?;
    let path = folder.path().join("sent.game");
    fs::write_whole(&path, record)?;
    Ok(open_record(library, &path)?.session)
}

/// Draws a picture of a game. Calls `progress` with the progress in percent. If `progress` returns
/// false, stops and returns `None`.
fn draw(
    session: &Session,
    drawn: PictureKind,
    palette: Option<&str>,
    progress: &mut dyn FnMut(u8) -> bool,
) -> Result<Option<Vec<u8>>, ShownError> {
    let theme = session.loaded().theme();
    let painter = Painter::new(session.tile_set(), theme, palette.unwrap_or(theme.suggested_palette()));
    match drawn {
        PictureKind::Moment => {
            let picture =
                position_picture(&painter, session.view(), SizeLimits { most: 1600, ..SizeLimits::default() });
            let [width, _] = picture.size();
            Ok(Some(picture.to_pixels(width as u32)?.to_png()?))
        }
        PictureKind::Game => {
            let mut last = 0;
            Ok(film(&painter, session.game(), SizeLimits::default(), &mut |n, of| {
                let percent = (n * 100 / of.max(1)) as u8;
                percent == std::mem::replace(&mut last, percent) || progress(percent)
            })?)
        }
    }
}

/// Finds the puzzles in a game, each with a picture of the board as PNG. Calls `progress` with the
/// progress in percent. If `progress` returns false, stops.
async fn find_puzzles_with_pictures(
    session: &mut Session,
    palette: Option<&str>,
    progress: &mut dyn FnMut(u8) -> bool,
) -> Result<Vec<(PuzzleCandidate, Vec<u8>)>, ShownError> {
    let mut last = 0;
    let each = |percent| percent == std::mem::replace(&mut last, percent) || progress(percent);
    let found = puzzle::find(session.game(), each).await.unwrap_or_default();
    let theme = session.loaded().theme().clone();
    let painter = Painter::new(session.tile_set(), &theme, palette.unwrap_or(theme.suggested_palette()));
    let mut pictured = Vec::new();
    for puzzle in found {
        session.go_to(puzzle.at);
        let picture = ::pictures::board(&painter, session.view(), 48);
        let [width, height] = picture.size();
        let width = PUZZLE_SIZE * width / width.max(height).max(1.0);
        pictured.push((puzzle, picture.to_pixels(width.max(1.0) as u32)?.to_png()?));
        task::yield_now().await;
    }
    Ok(pictured)
}

/// Makes a part of the sheets to print. Returns `None` if it is no longer wanted.
async fn make_sheets(
    wanted: &SheetsWanted,
    part: SheetsPart,
    progress: &mut Progress<'_>,
) -> Result<Option<SheetsMade>, ShownError> {
    let SheetsWanted { mods, ids, options } = wanted;
    let sheets = paper::print(&mods.loaded, ids, options)?;
    let n_pages = sheets.n_pages();
    let file = match part {
        SheetsPart::Pdf => match sheets.pdf_with_pauses(progress).await {
            Ok(file) => file,
            Err(PrintError::Stopped) => return Ok(None),
            Err(error) => return Err(error.into()),
        },
        SheetsPart::Page(page) => {
            let picture = sheets.picture(page.min(n_pages.saturating_sub(1))).unwrap_or_default();
            picture.to_pixels(PAGE_WIDTH)?.to_png()?
        }
    };
    Ok(Some(SheetsMade { n_pages, n_items: [sheets.n_tiles(), sheets.n_others()], file }))
}

/// Makes a rulebook. Returns `None` if it is no longer wanted, and the first problem as a message
/// if it cannot be made.
async fn make_book(wanted: &BookWanted, progress: &mut Progress<'_>) -> Result<Option<BookMade>, ShownError> {
    let BookWanted { library, ids, address, form } = wanted;
    let made = async {
        let book = Book::make(library, ids, address, progress).await?;
        let file = book.write(*form, Paper::A4, progress).await?;
        Ok(BookMade { n_examples: book.n_examples, n_unexplained: book.unexplained.len(), file })
    };
    match made.await {
        Ok(made) => Ok(Some(made)),
        Err(BookError::Stopped) => Ok(None),
        Err(BookError::Refused(problems)) => {
            let first = problems.first().map(ToString::to_string).unwrap_or_default();
            let more = match problems.len() {
                0 | 1 => String::new(),
                n => format!(" (and {} more)", n - 1),
            };
            Err(ShownError::new(format!("no rulebook was made: {first}{more}")))
        }
    }
}

fn find_bot_answer(library: &Library, record: &str) -> Result<BotAnswer, ShownError> {
    let mut session = session_of(library, record)?;
    let step = session.position_index();
    if !session.advance() {
        return Err(ShownError::new("no bot is to move at the end of the record"));
    }
    let seen = session.snapshot();
    let text = seen.steps().get(step).map(|step| step.text.clone()).unwrap_or_default();
    Ok(BotAnswer { text, reasoning: seen.reasoning(step).cloned() })
}

/// Returns, by path, the files of mods that a received job needs.
pub fn files_of(job: &str) -> BTreeMap<PathBuf, Arc<str>> {
    serde_json::from_str(job).map(|job: RemoteJob| job.files()).expect_or_default("a job that was sent can be read")
}

/// Runs a job that another copy of the program sent. Calls `say` with each message to send back.
pub fn run_job(job: &str, say: &mut dyn FnMut(String)) {
    let mut say =
        |said: WorkerMessage| say(serde_json::to_string(&said).expect_or_default("a message can be written as JSON"));
    let job: Result<RemoteJob, ShownError> = serde_json::from_str(job).map_err(ShownError::from);
    if let Err(error) = job.and_then(|job| job.run(&mut say)) {
        say(WorkerMessage::Failed(error));
    }
}

/// Returns a worker's message with the reason `why` of a failure. The program that starts the
/// worker sends it to the window if the worker ends without a result.
pub fn failure_message(why: &str) -> String {
    serde_json::to_string(&WorkerMessage::Failed(ShownError::new(why)))
        .expect_or_default("a message can be written as JSON")
}

fn read_message(text: &str) -> WorkerMessage {
    serde_json::from_str(text).unwrap_or_else(|error| WorkerMessage::Failed(error.into()))
}

/// A bot that thinks in a worker. Dropping this value stops the bot.
pub struct BotWorker(WorkerJob);

impl BotWorker {
    /// Starts a worker in which the bot to move thinks. Returns `None` if there are no workers.
    pub fn begin(seen: &Snapshot) -> Option<BotWorker> {
        task::spawn_worker(|| RemoteJob::Answer(ModTexts::of(&mods_of(seen)), seen.record_text()).text()).map(BotWorker)
    }

    /// Returns the answer of the bot.
    ///
    /// # Errors
    /// Returns an error if there is no answer yet, if the bot failed, or if the worker is gone.
    pub fn poll_answer(&self) -> Result<BotAnswer, NoAnswer> {
        match self.0.messages().try_recv().as_deref().map(read_message) {
            Ok(WorkerMessage::Answer(answer)) => Ok(answer),
            Ok(WorkerMessage::Failed(why)) => Err(NoAnswer::Failed(why)),
            Err(TryRecvError::Empty) => Err(NoAnswer::Pending),
            Ok(_) | Err(TryRecvError::Disconnected) => Err(NoAnswer::Cancelled),
        }
    }
}

/// The reason why a bot in a worker has not answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoAnswer {
    /// The bot is still thinking.
    Pending,
    /// No answer will come: the worker is gone, or the window no longer needs an answer.
    Cancelled,
    /// The bot failed for this reason.
    Failed(ShownError),
}

/// Plays the games of a plan in a worker if possible, otherwise on this thread; see
/// [`BalancePlan::play`]. Calls `each` with the results so far. If `goes_on` returns false, stops.
///
/// # Errors
/// Returns an error if games with these mods cannot be played.
pub async fn play(
    plan: &BalancePlan,
    goes_on: impl Fn() -> bool,
    mut each: impl FnMut(BalanceSnapshot),
) -> Result<(), ShownError> {
    let Some(worker) = worker_for(plan, RemoteJob::Balance) else {
        return Ok(plan.play(goes_on, each).await?);
    };
    let mut games = Vec::new();
    while goes_on() {
        match task::recv_timeout(worker.messages(), CHECK_INTERVAL).await.as_deref().map(read_message) {
            Ok(WorkerMessage::Balance(played)) => each(played.into_snapshot(&mut games)),
            Ok(WorkerMessage::Failed(why)) => return Err(why),
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(())
}

/// Replays an example game in a worker if possible, otherwise on this thread; see
/// [`BalancePlan::replay_example`].
///
/// # Errors
/// Returns an error if games with these mods cannot be played.
pub async fn replay_example(
    plan: &BalancePlan,
    example: &ExampleGame,
    which: ShownRules,
) -> Result<ExamplePosition, ShownError> {
    let Some(worker) = worker_for(plan, |plan| RemoteJob::Show(plan, example.clone(), which)) else {
        return Ok(plan.replay_example(example, which)?);
    };
    match task::recv(worker.messages()).await.as_deref().map(read_message) {
        Ok(WorkerMessage::Shown(shown)) => Ok(shown),
        Ok(WorkerMessage::Failed(why)) => Err(why),
        Ok(_) | Err(_) => Err(ShownError::new(ENDED_MESSAGE)),
    }
}

/// Starts a worker with a job for a plan; returns `None` if there are no workers.
fn worker_for(plan: &BalancePlan, job: impl FnOnce(WorkerPlan) -> RemoteJob) -> Option<WorkerJob> {
    task::spawn_worker(|| job(WorkerPlan::of(plan)).text())
}

/// Returns a picture of the game up to the current position, drawn in a worker if possible. Calls
/// `each` with the progress in percent. Returns `None` if `goes_on` returned false.
///
/// # Errors
/// Returns an error if the picture cannot be drawn.
pub async fn draw_picture(
    seen: &Snapshot,
    drawn: PictureKind,
    palette: Option<String>,
    goes_on: impl Fn() -> bool,
    mut each: impl FnMut(u8),
) -> Result<Option<Vec<u8>>, ShownError> {
    let job = || RemoteJob::Picture(ModTexts::of(&mods_of(seen)), seen.record_text(), drawn, palette.clone()).text();
    let Some(worker) = task::spawn_worker(job) else {
        let session = session_of(&ModTexts::of(&mods_of(seen)).library(), &seen.record_text())?;
        return draw(&session, drawn, palette.as_deref(), &mut |percent| {
            each(percent);
            goes_on()
        });
    };
    let take = |said| if let WorkerMessage::File(letters) = said { Some(bytes_of(&letters)) } else { None };
    result_of(&worker, goes_on, each, take).await
}

/// Returns the bytes that a worker sent in Base64.
fn bytes_of(letters: &str) -> Result<Vec<u8>, ShownError> {
    Ok(BASE64_STANDARD.decode(letters)?)
}

/// Waits for the result of a worker. Calls `each` with the progress in percent, and `take` with
/// every other message until it returns the result. Returns `None` if `goes_on` returned false.
async fn result_of<T>(
    worker: &WorkerJob,
    goes_on: impl Fn() -> bool,
    mut each: impl FnMut(u8),
    take: impl Fn(WorkerMessage) -> Option<Result<T, ShownError>>,
) -> Result<Option<T>, ShownError> {
    while goes_on() {
        match task::recv_timeout(worker.messages(), CHECK_INTERVAL).await.as_deref().map(read_message) {
            Ok(WorkerMessage::Done(percent)) => each(percent),
            Ok(WorkerMessage::Failed(why)) => return Err(why),
            Ok(message) => {
                if let Some(result) = take(message) {
                    return result.map(Some);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(ShownError::new(ENDED_MESSAGE)),
        }
    }
    Ok(None)
}

/// Returns the values of the moves at the end of a record, including the move with the answers
/// `given`; see [`puzzle::solve`]. Computes the values in a worker if possible. Returns `None` if
/// `goes_on` returned false.
///
/// # Errors
/// Returns an error if the values cannot be computed.
pub async fn solve_position(
    mods: &ConfiguredMods,
    record: String,
    given: Option<Vec<String>>,
    goes_on: impl Fn() -> bool,
) -> Result<Option<Solution>, ShownError> {
    let Some(worker) =
        task::spawn_worker(|| RemoteJob::Solve(ModTexts::of(mods), record.clone(), given.clone()).text())
    else {
        let session = session_of(&ModTexts::of(mods).library(), &record)?;
        return Ok(solve(session.game(), given.as_deref(), goes_on).await?);
    };
    let take = |said| if let WorkerMessage::Solved(solution) = said { Some(Ok(solution)) } else { None };
    result_of(&worker, goes_on, |_| {}, take).await
}

/// Returns the positions in a record that are puzzles, each with a picture as PNG; see
/// [`puzzle::find`]. Searches in a worker if possible. Calls `each` with the progress in percent.
/// If `each` returns false, stops.
///
/// # Errors
/// Returns an error if the record cannot be replayed or the worker fails.
pub async fn find_puzzles(
    mods: &ConfiguredMods,
    record: String,
    palette: Option<String>,
    mut each: impl FnMut(u8) -> bool,
) -> Result<Vec<(PuzzleCandidate, Vec<u8>)>, ShownError> {
    let job = || RemoteJob::Puzzles(ModTexts::of(mods), record.clone(), palette.clone()).text();
    let Some(worker) = task::spawn_worker(job) else {
        let mut session = session_of(&ModTexts::of(mods).library(), &record)?;
        return find_puzzles_with_pictures(&mut session, palette.as_deref(), &mut each).await;
    };
    let mut done = 0;
    while each(done) {
        match task::recv_timeout(worker.messages(), CHECK_INTERVAL).await.as_deref().map(read_message) {
            Ok(WorkerMessage::Done(percent)) => done = percent,
            Ok(WorkerMessage::Puzzles(found)) => {
                let with_bytes = |(found, letters): (PuzzleCandidate, String)| Ok((found, bytes_of(&letters)?));
                return found.into_iter().map(with_bytes).collect();
            }
            Ok(WorkerMessage::Failed(why)) => return Err(why),
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(ShownError::new(ENDED_MESSAGE)),
        }
    }
    Ok(Vec::new())
}

/// Makes a part of the sheets to print, in a worker if possible. Calls `each` with the progress in
/// percent. Returns `None` if `goes_on` returned false.
///
/// # Errors
/// Returns an error if the sheets cannot be made.
pub async fn sheets(
    wanted: &SheetsWanted,
    part: SheetsPart,
    goes_on: impl Fn() -> bool,
    mut each: impl FnMut(u8),
) -> Result<Option<SheetsMade>, ShownError> {
    let SheetsWanted { mods, ids, options } = wanted;
    let job = || RemoteJob::Sheets(ModTexts::of(mods), ids.clone(), options.clone(), part).text();
    let Some(worker) = task::spawn_worker(job) else {
        return make_sheets(wanted, part, &mut Progress::new(&goes_on, &mut each)).await;
    };
    let take = |said| {
        let WorkerMessage::Sheets(n_pages, n_items, letters) = said else { return None };
        Some(bytes_of(&letters).map(|file| SheetsMade { n_pages, n_items, file }))
    };
    result_of(&worker, goes_on, each, take).await
}

/// Makes a rulebook, in a worker if possible. Calls `each` with the progress in percent. Returns
/// `None` if `goes_on` returned false.
///
/// # Errors
/// Returns an error if the book cannot be made, for example because an example fails.
pub async fn book(
    wanted: &BookWanted,
    goes_on: impl Fn() -> bool,
    mut each: impl FnMut(u8),
) -> Result<Option<BookMade>, ShownError> {
    let BookWanted { library, ids, address, form } = wanted;
    let mut unreadable = None;
    let worker = task::spawn_worker(|| match ModTexts::with_tests(library, ids) {
        Ok(mods) => RemoteJob::Book(mods, address.clone(), *form).text(),
        Err(error) => {
            unreadable = Some(error);
            String::new()
        }
    });
    if let Some(error) = unreadable {
        return Err(error);
    }
    let Some(worker) = worker else { return make_book(wanted, &mut Progress::new(&goes_on, &mut each)).await };
    let take = |said| {
        let WorkerMessage::Book(n_examples, n_unexplained, letters) = said else { return None };
        Some(bytes_of(&letters).map(|file| BookMade { n_examples, n_unexplained, file }))
    };
    result_of(&worker, goes_on, each, take).await
}

/// Returns the mods in play with their settings.
pub fn mods_of(seen: &Snapshot) -> ConfiguredMods {
    ConfiguredMods {
        loaded: seen.loaded().clone(),
        settings: seen.settings().into_iter().map(|(_, value)| value).collect(),
        chosen: seen.setup().settings.clone(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use testkit::CopiedMod;
    use workshop::balance::{PLAYERS, Subject};

    fn done(job: &RemoteJob) -> Vec<WorkerMessage> {
        let mut all = Vec::new();
        run_job(&job.text(), &mut |text| all.push(read_message(&text)));
        all
    }

    fn base() -> ConfiguredMods {
        let loaded = Arc::new(Library::builtin().load(&["base"]).0.unwrap());
        let settings = loaded.settings_from(&[]).unwrap();
        ConfiguredMods { loaded, settings, chosen: Vec::new() }
    }

    #[test]
    fn a_bot_answers_elsewhere_as_here() {
        let record = "bastide 1\nmods base\nplayers red blue\nbot red search:100\nseed 7\n\ndraw base/E\n";
        let job = RemoteJob::Answer(ModTexts::of(&base()), record.to_owned());
        let [WorkerMessage::Answer(found)] = &done(&job)[..] else { panic!("no answer") };
        assert!(found.text.starts_with("place "), "{}", found.text);
        let lines: u32 = found.reasoning.as_ref().unwrap().options.iter().map(|option| option.n_simulations).sum();
        assert!((1..=100).contains(&lines), "{lines}");
        assert!(files_of(&job.text()).keys().any(|path| path.ends_with("base/icons/follower.svg")));
        // The same job gives the same result. If a person is to move, the job fails.
        assert!(matches!(&done(&job)[..], [WorkerMessage::Answer(again)] if again == found));
        let nobody = record.replace("bot red search:100\n", "");
        let said = done(&RemoteJob::Answer(ModTexts::of(&base()), nobody));
        assert!(
            matches!(&said[..], [WorkerMessage::Failed(why)] if why.to_string() == "no bot is to move at the end of the record")
        );
    }

    #[test]
    fn chance_of_bots_differs_from_turn_to_turn() {
        let mods = || ModTexts::of(&base());
        let mut record =
            "bastide 1\nmods base\nplayers red blue\nbot red random\nbot blue random\nseed 7\n\n".to_owned();
        record += "draw base/E\n";
        let first = done(&RemoteJob::Answer(mods(), record.clone()));
        let other = done(&RemoteJob::Answer(mods(), record.replace("seed 7", "seed 8")));
        let [WorkerMessage::Answer(first)] = &first[..] else { panic!("no answer") };
        let [WorkerMessage::Answer(other)] = &other[..] else { panic!("no answer") };
        assert_ne!(first.text, other.text);
    }

    #[test]
    fn pictures_are_drawn_elsewhere() {
        let record = "bastide 1\nmods base\nplayers red blue\nseed 7\n\ndraw base/E\nplace 0,-1 180\npass\n".to_owned();
        for (drawn, begins) in [(PictureKind::Moment, &b"\x89PNG"[..]), (PictureKind::Game, b"GIF89a")] {
            let said = done(&RemoteJob::Picture(ModTexts::of(&base()), record.clone(), drawn, None));
            let Some(WorkerMessage::File(letters)) = said.last() else { panic!("no file") };
            assert!(BASE64_STANDARD.decode(letters).unwrap().starts_with(begins));
        }
    }

    #[test]
    fn sheets_are_made_elsewhere_as_here() {
        let mut mods = base();
        mods.chosen = vec![("base/K".to_owned(), "9".to_owned())];
        let options = PrintOptions { settings: mods.chosen.clone(), ..PrintOptions::default() };
        let wanted = SheetsWanted { mods, ids: vec!["base".to_owned()], options: options.clone() };
        for (part, begins) in [(SheetsPart::Page(99), &b"\x89PNG"[..]), (SheetsPart::Pdf, b"%PDF")] {
            let here = task::block_on(sheets(&wanted, part, || true, |_| {})).unwrap().unwrap();
            assert!(here.file.starts_with(begins));
            let said = done(&RemoteJob::Sheets(ModTexts::of(&wanted.mods), wanted.ids.clone(), options.clone(), part));
            let Some(WorkerMessage::Sheets(n_pages, n_items, letters)) = said.last() else { panic!("no sheets") };
            assert_eq!((*n_pages, *n_items), (here.n_pages, here.n_items));
            assert_eq!(BASE64_STANDARD.decode(letters).unwrap(), here.file);
        }
    }

    #[test]
    fn a_rulebook_is_made_elsewhere_as_here() {
        let copies = [CopiedMod::of("base"), CopiedMod::of("own-ideas")];
        let library = Library::open(&copies.each_ref().map(|copy| copy.library().to_owned()));
        let address = "https://bastide.example/".to_owned();
        let wanted = BookWanted { library, ids: vec!["own-ideas".to_owned()], address, form: BookForm::Html };
        let elsewhere = || {
            let mods = ModTexts::with_tests(&wanted.library, &wanted.ids)?;
            Ok::<_, ShownError>(done(&RemoteJob::Book(mods, wanted.address.clone(), wanted.form)))
        };
        let percents = RefCell::new(Vec::new());
        let here = task::block_on(book(&wanted, || true, |percent| percents.borrow_mut().push(percent)));
        let here = here.unwrap().unwrap();
        assert!(here.n_examples == 4 && here.n_unexplained == 0 && here.file.starts_with(b"<!doctype html>"));
        let mut said = elsewhere().unwrap();
        let Some(WorkerMessage::Book(4, 0, letters)) = said.pop() else { panic!("no book") };
        assert_eq!(BASE64_STANDARD.decode(letters).unwrap(), here.file);
        let told: Vec<u8> = said.iter().map(|it| if let WorkerMessage::Done(n) = it { *n } else { 0 }).collect();
        assert_eq!(told, *percents.borrow());
        assert!(told.is_sorted() && told.len() > 10 && told.last() == Some(&100), "{told:?}");
        // It stops between two examples.
        let stopped = book(&wanted, || percents.borrow().len() < told.len() + 2, |n| percents.borrow_mut().push(n));
        assert_eq!(task::block_on(stopped), Ok(None));
        // A file that cannot be read and an example that fails are reported with their names.
        fs::write_output(&copies[1].file("README.md"), [0xff_u8]).unwrap();
        assert!(elsewhere().err().unwrap().to_string().contains("README.md"));
        fs::write_output(&copies[1].file("README.md"), "").unwrap();
        let wrong = "# book: x\nbastide 1\nmods own-ideas\nplayers red blue\n\nexpect score red 7\n";
        fs::write_output(&copies[1].file("tests/z9.game"), wrong).unwrap();
        let said = elsewhere().unwrap();
        let Some(WorkerMessage::Failed(why)) = said.last() else { panic!("a book was made") };
        let why = why.to_string();
        assert!(why.contains("z9.game:6") && why.contains("the example fails"), "{why}");
    }

    #[test]
    fn games_are_played_elsewhere_as_here() {
        let mods = ConfiguredMods { chosen: vec![("base.farmers".to_owned(), "false".to_owned())], ..base() };
        let mods = ModTexts::of(&mods).load().unwrap();
        let library = Library::builtin();
        let plan = |against: ComparedRules| BalancePlan {
            library: library.clone(),
            mods: mods.clone(),
            against,
            players: vec![PLAYERS[0].clone(); 2],
            n_games: 12,
            seed: 3,
        };
        let example = ExampleGame { game: 5, subject: Subject::End };
        let other = CopiedMod::of("base");
        other.edit("tiles.toml", "K = { count = 3", "K = { count = 9");
        // The job contains the files of the folder, because a worker cannot read the disk.
        let compared = plan(ComparedRules::Folder(other.library().to_owned()));
        let sent = files_of(&RemoteJob::Balance(WorkerPlan::of(&compared)).text());
        assert!(sent.get(&other.file("tiles.toml")).is_some_and(|text| text.contains("K = { count = 9")));
        for against in [
            ComparedRules::Nothing,
            ComparedRules::Pinned(base()),
            ComparedRules::WithMod("river".to_owned()),
            ComparedRules::Sweep("base.small_city".to_owned(), None),
            ComparedRules::Folder(other.library().to_owned()),
        ] {
            let plan = plan(against);
            let mut here = Vec::new();
            task::block_on(plan.play(|| true, |seen| here.push(seen))).unwrap();
            let (mut games, mut there) = (Vec::new(), None);
            for said in done(&RemoteJob::Balance(WorkerPlan::of(&plan))) {
                let WorkerMessage::Balance(played) = said else { panic!("nothing was played") };
                there = Some(played.into_snapshot(&mut games));
            }
            let (here, there) = (here.last().unwrap(), there.unwrap());
            let all = |seen: &BalanceSnapshot| seen.games.iter().flat_map(|some| some.to_vec()).collect::<Vec<_>>();
            assert_eq!(all(&there), all(here));
            assert_eq!((there.report.n_games, there.progress), (here.report.n_games, here.progress));
            assert_eq!(there.comparison.map(|it| it.n_changed), here.comparison.as_ref().map(|it| it.n_changed));
            assert_eq!(there.sweep.map(|it| it.values), here.sweep.as_ref().map(|it| it.values.clone()));
            let [WorkerMessage::Shown(shown)] =
                &done(&RemoteJob::Show(WorkerPlan::of(&plan), example.clone(), ShownRules::InPlay))[..]
            else {
                panic!("nothing is shown")
            };
            assert_eq!(*shown, plan.replay_example(&example, ShownRules::InPlay).unwrap());
        }
    }
}
