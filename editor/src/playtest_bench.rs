//! The playtests that *Balance* shows: files with what people did and said, evaluated in the
//! background beside the choices of bots.

use std::path::PathBuf;
use std::sync::Arc;

use egui::Context;
use table::{Diagnostic, Revision, Snapshot};

use crate::jobs::{JobHandle, PlaytestResults, PlaytestsJob};
use crate::shown_error::ShownError;

/// The playtests that the user has chosen, and the report on them.
#[derive(Default)]
pub struct PlaytestBench {
    /// The chosen files and folders, in the order in which the user added them.
    chosen: Vec<PathBuf>,
    known: Option<Arc<PlaytestResults>>,
    run: Option<JobHandle<(), PlaytestResults>>,
    /// The revision of the mods at the start of the last evaluation.
    run_at: Option<Revision>,
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
        let job = PlaytestsJob { chosen: self.chosen.clone(), library: seen.library().clone() };
        (self.run, self.run_at) = (Some(JobHandle::start(ctx, job)), Some(seen.mods_revision()));
    }

    /// Forgets the playtests.
    pub fn close(&mut self) {
        *self = PlaytestBench::default();
    }

    /// Collects the report of the evaluation in progress.
    pub fn poll(&mut self) {
        let Some(ended) = self.run.as_ref().and_then(|run| run.poll(drop)) else { return };
        self.run = None;
        let failed = |error: ShownError| PlaytestResults {
            problems: vec![Diagnostic::without_place(error.to_string())],
            ..PlaytestResults::default()
        };
        self.known = Some(Arc::new(ended.unwrap_or_else(failed)));
    }
}
