//! The playtests that *Balance* shows: files with what people did and said, evaluated in the
//! background beside the choices of bots.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use egui::Context;
use platform::task;
use table::{Diagnostic, Library, Revision, STACK_BYTES, Snapshot, player_named};
use workshop::RulesCache;
use workshop::balance::ReportSection;
use workshop::playtests::{DEFAULT_BOT_GAMES, PlaytestReport, RemarkList, read_playtests};

/// The bot that the window compares people with.
const BOT: &str = "greedy";

/// The playtests that the user has chosen, and the report on them.
#[derive(Default)]
pub struct PlaytestBench {
    /// The chosen files and folders, in the order in which the user added them.
    chosen: Vec<PathBuf>,
    known: Option<Arc<PlaytestResults>>,
    run: Option<Receiver<PlaytestResults>>,
    /// The revision of the mods at the start of the last evaluation.
    run_at: Option<Revision>,
}

/// The report on the chosen playtests.
pub struct PlaytestResults {
    /// The number of files that were read.
    pub n_files: usize,
    /// True if the files contain nothing that people did or said.
    pub is_empty: bool,
    /// The tables.
    pub tables: Vec<ReportSection>,
    /// The lists of slow choices, notes and replies.
    pub remarks: Vec<RemarkList>,
    /// The files that cannot be read, and the records that do not fit the mods.
    pub problems: Vec<Diagnostic>,
}

impl PlaytestResults {
    /// Reads the playtests of files and folders, and evaluates them with the mods of `library`.
    fn of(chosen: &[PathBuf], library: Library) -> PlaytestResults {
        let (files, mut problems) = read_playtests(chosen);
        let report = player_named(BOT).map_or_else(PlaytestReport::default, |bot| {
            PlaytestReport::new(&files, &mut RulesCache::new(library), &bot, DEFAULT_BOT_GAMES, &mut problems)
        });
        PlaytestResults {
            n_files: files.len(),
            is_empty: report.is_empty(),
            tables: report.tables(BOT),
            remarks: report.remarks(),
            problems,
        }
    }
}

impl PlaytestBench {
    /// Returns whether the user has chosen playtests.
    pub fn is_open(&self) -> bool {
        !self.chosen.is_empty()
    }

    /// Returns the report; `None` before the first evaluation has ended.
    pub fn results(&self) -> Option<&Arc<PlaytestResults>> {
        self.known.as_ref()
    }

    /// Returns whether an evaluation is in progress.
    pub fn is_running(&self) -> bool {
        self.run.is_some()
    }

    /// Returns whether the mods were reloaded since the last evaluation.
    pub fn is_stale(&self, seen: &Snapshot) -> bool {
        self.run_at.is_some_and(|at| at != seen.mods_revision())
    }

    /// Adds a file or a folder, and evaluates all chosen playtests.
    pub fn add(&mut self, ctx: &Context, seen: &Snapshot, path: PathBuf) {
        if !self.chosen.contains(&path) {
            self.chosen.push(path);
        }
        self.evaluate(ctx, seen);
    }

    /// Evaluates the chosen playtests with the mods now in the library.
    pub fn evaluate(&mut self, ctx: &Context, seen: &Snapshot) {
        let (say, report) = channel();
        let (chosen, library, ctx) = (self.chosen.clone(), seen.library().clone(), ctx.clone());
        let work = move || async move {
            task::lower_priority();
            // Sending fails if the user has closed the playtests; the report is then not needed.
            let _ = say.send(PlaytestResults::of(&chosen, library));
            ctx.request_repaint();
        };
        if task::spawn("playtests", STACK_BYTES, work).is_ok() {
            (self.run, self.run_at) = (Some(report), Some(seen.mods_revision()));
        }
    }

    /// Forgets the playtests.
    pub fn close(&mut self) {
        *self = PlaytestBench::default();
    }

    /// Collects the report of the evaluation in progress.
    pub fn poll(&mut self) {
        let Some(run) = &self.run else { return };
        match run.try_recv() {
            Ok(known) => (self.known, self.run) = (Some(Arc::new(known)), None),
            Err(TryRecvError::Empty) => {}
            // The evaluation has panicked; its message has already been printed.
            Err(TryRecvError::Disconnected) => self.run = None,
        }
    }
}
