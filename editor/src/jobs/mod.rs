//! Long work of the window as jobs. A job is a value that runs to its end. It reports progress and
//! partial results, and the window can cancel it.
//!
//! On a machine with threads, a job runs on a thread, and shares the loaded mods with the window.
//! In a page, a job runs in a worker: the same program without a window and without files. The
//! worker receives the job as text, with the texts of the mods, and sends its events as bytes.

mod balance;
mod book;
mod bot;
mod check;
mod corpus;
mod covers;
mod mod_tests;
mod picture;
mod playtests;
mod puzzles;
mod recorded_game;
mod sheets;

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use egui::Context;
use paper::Progress;
use platform::time::Duration;
use platform::{fs, task};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use table::ExpectOrDefault;
use workshop::FileTexts;

pub use self::balance::{BalanceJob, BalanceResults, ExampleJob};
pub use self::book::{BookJob, BookMade};
pub use self::bot::{BotAnswer, BotJob};
pub use self::check::CheckJob;
pub use self::corpus::{CorpusJob, CorpusReport};
pub use self::covers::{COVER_ASPECT, CoversJob, PaintedCover};
pub use self::mod_tests::{TestReport, TestSelection, TestsJob};
pub use self::picture::{PictureJob, PictureKind};
pub use self::playtests::{PlaytestResults, PlaytestsJob};
pub use self::puzzles::{FindPuzzlesJob, FoundPuzzle, SolveJob};
pub use self::recorded_game::RecordedGame;
pub use self::sheets::{SheetsJob, SheetsMade, SheetsPart, SheetsWanted};
use crate::shown_error::ShownError;

/// The interval at which the window polls a job with low priority.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Long work of the window.
pub trait Job: Into<SentJob> + Send + 'static {
    /// A report before the end: a partial result, or the progress in percent. `()` if there are
    /// none.
    type Report: Serialize + DeserializeOwned + Send + 'static;
    /// The result.
    type Output: Serialize + DeserializeOwned + Send + 'static;

    /// The name of the job's thread, for debuggers.
    const NAME: &'static str;

    /// True if the job uses all cores for a long time, so that its threads need low priority.
    const HAS_LOW_PRIORITY: bool = false;

    /// Does the work. Returns early, with any result, if the reporter says that the result is no
    /// longer wanted.
    ///
    /// # Errors
    /// Returns an error if the work fails.
    fn run(self, reporter: &Reporter<'_, Self::Report>) -> Result<Self::Output, ShownError>;

    /// Returns the files that the job reads, for a worker. The default is none.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    fn files(&self) -> Result<FileTexts, ShownError> {
        Ok(FileTexts::new())
    }
}

/// The connection of a running job to the window.
pub struct Reporter<'r, R> {
    send: &'r dyn Fn(R),
    is_wanted: &'r dyn Fn() -> bool,
}

impl<R> Reporter<'_, R> {
    /// Sends a report to the window.
    pub fn send(&self, report: R) {
        (self.send)(report);
    }

    /// Returns whether the window still wants the result.
    pub fn is_wanted(&self) -> bool {
        (self.is_wanted)()
    }
}

impl Reporter<'_, u8> {
    /// Does work whose progress is reported in percent.
    pub fn with_progress<T>(&self, work: impl FnOnce(&mut Progress<'_>) -> T) -> T {
        let (goes_on, mut report) = (|| self.is_wanted(), |percent| self.send(percent));
        work(&mut Progress::new(&goes_on, &mut report))
    }
}

/// A message from a job to the window. Every job ends with [`JobEvent::Ended`].
#[derive(Serialize, Deserialize)]
enum JobEvent<R, T> {
    Report(R),
    Ended(Result<T, ShownError>),
}

/// A running job, with reports `R` and the result `T`. Dropping this value cancels the job.
pub struct JobHandle<R, T> {
    events: Receiver<JobEvent<R, T>>,
    /// Set if the job does not wake the window, because waking takes a lock. A thread of low
    /// priority that holds the lock could delay a frame.
    polls: Option<Context>,
    /// Cancels the job when dropped; `None` if the job could not be started.
    _guard: Option<Box<dyn Any + Send>>,
}

impl<R: Send + 'static, T: Send + 'static> JobHandle<R, T> {
    /// Starts a job. The job wakes the window with every event. If the job cannot be started, it
    /// ends with an error.
    pub fn start<J: Job<Report = R, Output = T>>(ctx: &Context, job: J) -> JobHandle<R, T> {
        JobHandle::start_then(ctx, job, Ok)
    }

    /// Starts a job whose result `finish` changes, for example by writing it to a file. `finish`
    /// runs on the job's thread or, in a page, between two frames. It does not run if the job is
    /// cancelled.
    pub fn start_then<J: Job<Report = R>>(
        ctx: &Context,
        job: J,
        finish: impl FnOnce(J::Output) -> Result<T, ShownError> + Send + 'static,
    ) -> JobHandle<R, T> {
        let (say, events) = channel();
        let polls = J::HAS_LOW_PRIORITY.then(|| ctx.clone());
        let (told, wakes) = (say.clone(), (!J::HAS_LOW_PRIORITY).then(|| ctx.clone()));
        let tell = move |event| {
            // Sending fails if the job was cancelled; the event is then not needed.
            let _ = told.send(event);
            wakes.iter().for_each(Context::request_repaint);
        };
        let guard = begin(job, finish, tell);
        let guard = guard.map_err(|error| say.send(JobEvent::Ended(Err(error)))).ok();
        JobHandle { events, polls, _guard: guard }
    }
}

impl<R, T> JobHandle<R, T> {
    /// Calls `each` with every report that has arrived. Returns the result once the job has ended.
    pub fn poll(&self, each: impl FnMut(R)) -> Option<Result<T, ShownError>> {
        if let Some(ctx) = &self.polls {
            ctx.request_repaint_after(POLL_INTERVAL);
        }
        self.receive(false, each)
    }

    /// Waits for the end of the job, and returns its result; never `None`. A page never waits,
    /// because it would wait for itself.
    pub fn wait(&self, each: impl FnMut(R)) -> Option<Result<T, ShownError>> {
        self.receive(true, each)
    }

    fn receive(&self, waits: bool, mut each: impl FnMut(R)) -> Option<Result<T, ShownError>> {
        loop {
            let event = if waits { self.events.recv().map_err(TryRecvError::from) } else { self.events.try_recv() };
            match event {
                Ok(JobEvent::Report(report)) => each(report),
                Ok(JobEvent::Ended(result)) => return Some(result),
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => return Some(Err(ShownError::new("the work failed; report this"))),
            }
        }
    }
}

/// Starts a job on a thread. Returns a value that cancels the job when dropped.
#[cfg(not(target_family = "wasm"))]
fn begin<J: Job, T>(
    job: J,
    finish: impl FnOnce(J::Output) -> Result<T, ShownError> + Send + 'static,
    tell: impl Fn(JobEvent<J::Report, T>) + Send + 'static,
) -> Result<Box<dyn Any + Send>, ShownError> {
    struct StopOnDrop(table::StopFlag);

    impl Drop for StopOnDrop {
        fn drop(&mut self) {
            self.0.request();
        }
    }

    let stop = table::StopFlag::default();
    let guard = StopOnDrop(stop.clone());
    let work = move || async move {
        if J::HAS_LOW_PRIORITY {
            task::lower_priority();
        }
        let is_wanted = || !stop.is_requested();
        let made = job.run(&Reporter { send: &|report| tell(JobEvent::Report(report)), is_wanted: &is_wanted });
        if is_wanted() {
            tell(JobEvent::Ended(made.and_then(finish)));
        }
    };
    task::spawn(J::NAME, table::STACK_BYTES, work)?;
    Ok(Box::new(guard))
}

/// Starts a job in a worker of the page. Returns a value that ends the worker when dropped.
#[cfg(target_family = "wasm")]
fn begin<J: Job, T: 'static>(
    job: J,
    finish: impl FnOnce(J::Output) -> Result<T, ShownError> + 'static,
    tell: impl Fn(JobEvent<J::Report, T>) + 'static,
) -> Result<Box<dyn Any + Send>, ShownError> {
    let mut finish = Some(finish);
    let listener = move |message: Result<Vec<u8>, String>| {
        let event = message.map_or_else(|why| JobEvent::Ended(Err(ShownError::new(why))), |it| read_event::<J>(&it));
        match event {
            JobEvent::Report(report) => tell(JobEvent::Report(report)),
            // If a worker panics, the browser reports it a second time.
            JobEvent::Ended(made) => {
                if let Some(finish) = finish.take() {
                    tell(JobEvent::Ended(made.and_then(finish)));
                }
            }
        }
    };
    let worker = task::start_worker(&text_for_worker(job)?, Box::new(listener)).map_err(ShownError::new)?;
    Ok(Box::new(worker))
}

/// Defines [`SentJob`] for a list of all jobs.
macro_rules! sent_jobs {
    ($($job:ident),*) => {
        /// Any job, as it is sent to a worker.
        #[derive(Serialize, Deserialize)]
        #[expect(missing_docs, reason = "each variant has the name of its job")]
        pub enum SentJob {
            $($job($job),)*
        }

        impl SentJob {
            fn run(self, send: &dyn Fn(&[u8])) {
                match self {
                    $(SentJob::$job(job) => run_for_page(job, send),)*
                }
            }
        }

        $(impl From<$job> for SentJob {
            fn from(job: $job) -> SentJob {
                SentJob::$job(job)
            }
        })*
    };
}

sent_jobs!(
    BalanceJob,
    BookJob,
    BotJob,
    CheckJob,
    CorpusJob,
    CoversJob,
    ExampleJob,
    FindPuzzlesJob,
    PictureJob,
    PlaytestsJob,
    SheetsJob,
    SolveJob,
    TestsJob
);

/// Returns the texts of files. Omits files that cannot be read, and replaces bytes that are not
/// text.
fn texts_of_files(paths: impl IntoIterator<Item = PathBuf>) -> FileTexts {
    let text = |path: PathBuf| Some((String::from_utf8_lossy(&fs::read(&path).ok()?).into(), path));
    paths.into_iter().filter_map(text).map(|(text, path)| (path, text)).collect()
}

/// Returns a job as text, with the files that it reads.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub fn text_for_worker(job: impl Job) -> Result<String, ShownError> {
    let files = job.files()?;
    let job: SentJob = job.into();
    Ok(serde_json::to_string(&(files, job))?)
}

/// Runs a job that [`text_for_worker`] wrote. Calls `add_file` with each file that the job reads,
/// and `send` with each event to send back.
pub fn run_in_worker(text: &str, mut add_file: impl FnMut(&Path, &str), send: &dyn Fn(&[u8])) {
    match serde_json::from_str::<(FileTexts, SentJob)>(text) {
        Ok((files, job)) => {
            files.iter().for_each(|(path, text)| add_file(path, text));
            job.run(send);
        }
        Err(error) => send(&failure_event(&error.to_string())),
    }
}

fn run_for_page<J: Job>(job: J, send: &dyn Fn(&[u8])) {
    let send = |event: JobEvent<J::Report, J::Output>| send(&event_bytes(&event));
    let made = job.run(&Reporter { send: &|report| send(JobEvent::Report(report)), is_wanted: &|| true });
    send(JobEvent::Ended(made));
}

/// Returns the event of any job that failed for the reason `why`.
pub fn failure_event(why: &str) -> Vec<u8> {
    event_bytes::<(), ()>(&JobEvent::Ended(Err(ShownError::new(why))))
}

fn event_bytes<R: Serialize, T: Serialize>(event: &JobEvent<R, T>) -> Vec<u8> {
    postcard::to_stdvec(event).expect_or_default("an event can be written as bytes")
}

#[cfg(any(test, target_family = "wasm"))]
fn read_event<J: Job>(bytes: &[u8]) -> JobEvent<J::Report, J::Output> {
    postcard::from_bytes(bytes).unwrap_or_else(|error| JobEvent::Ended(Err(error.into())))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
