//! The window that replays all records of a folder under the current rules, and shows which results
//! have changed since an earlier run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use egui::{Button, Context, Grid, ProgressBar, RichText, ScrollArea, Ui};
use table::{Library, Revision};
use workshop::corpus::{CorpusTotals, RecordResult, ReplayedRecord};

use super::place;
use crate::actions::{Action, CorpusAction};
use crate::file_choice::FilePurpose;
use crate::jobs::{CorpusJob, CorpusReport, JobHandle};
use crate::notifications::Tone;
use crate::panels::widgets::request_on_click;
use crate::shown_error::ShownError;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// The window, the folder of records and the results.
#[derive(Default)]
pub struct CorpusWindow {
    folder: Option<PathBuf>,
    run: Option<CorpusRun>,
    /// The revision of the mods at the start of the last run.
    run_at: Option<Revision>,
    /// The results of the last run.
    results: BTreeMap<PathBuf, RecordResult>,
    /// The replays with which the next run is compared: those of the first run of this folder, or
    /// of the run that the user chose. `None` before the first run has ended.
    baseline: Option<BTreeMap<PathBuf, ReplayedRecord>>,
    /// True if `results` were compared with `baseline`.
    is_compared: bool,
    error: Option<ShownError>,
}

/// A run in progress.
struct CorpusRun {
    job: JobHandle<CorpusReport, ()>,
    n_all: usize,
}

impl CorpusWindow {
    /// Returns the totals of the last run; `None` while a run is in progress and before the first
    /// one.
    pub fn totals(&self) -> Option<CorpusTotals> {
        (self.run.is_none() && !self.results.is_empty()).then(|| self.count())
    }

    fn count(&self) -> CorpusTotals {
        let mut totals = CorpusTotals::default();
        self.results.values().for_each(|result| totals.add(result));
        totals
    }

    /// Replays the records of a folder. Forgets the results of another folder.
    pub fn choose(&mut self, ctx: &Context, library: &Library, mods: Revision, folder: PathBuf) {
        if self.folder.as_ref() != Some(&folder) {
            *self = CorpusWindow { folder: Some(folder), ..CorpusWindow::default() };
        }
        self.start(ctx, library, mods);
    }

    fn start(&mut self, ctx: &Context, library: &Library, mods: Revision) {
        let Some(folder) = self.folder.clone() else { return };
        let job = JobHandle::start(ctx, CorpusJob { folder, library: library.clone() });
        self.run = Some(CorpusRun { job, n_all: 0 });
        (self.run_at, self.is_compared, self.error) = (Some(mods), self.baseline.is_some(), None);
        self.results.clear();
    }

    /// Collects the results of the run in progress.
    fn poll(&mut self) {
        let Some(CorpusRun { job, n_all }) = &mut self.run else { return };
        let ended = job.poll(|report| match report {
            CorpusReport::Found(n) => *n_all = n,
            CorpusReport::Replayed(file, result) => {
                let before = self.baseline.as_ref().and_then(|baseline| baseline.get(&file));
                let result = match *result {
                    RecordResult::Replays(now, _) | RecordResult::Fails(_, Some(now)) => {
                        RecordResult::compare(now, before)
                    }
                    failed @ RecordResult::Fails(_, None) => failed,
                };
                self.results.insert(file, result);
            }
        });
        if let Some(ended) = ended {
            self.run = None;
            self.error = ended.err();
            if self.baseline.is_none() {
                self.use_as_baseline();
            }
        }
    }

    fn use_as_baseline(&mut self) {
        let replayed = |(file, result): (&PathBuf, &RecordResult)| Some((file.clone(), result.replayed()?.clone()));
        self.baseline = Some(self.results.iter().filter_map(replayed).collect());
    }

    /// Draws the window, if it is open; otherwise stops the run.
    pub fn show(&mut self, ctx: &Context, cx: &mut UiContext<'_>) {
        if !cx.view_state.windows.corpus {
            self.run = None;
            return;
        }
        self.poll();
        let mut is_open = true;
        place::centred(ctx, "Replay records", [640.0, 460.0]).open(&mut is_open).show(ctx, |ui| self.body(ui, cx));
        cx.view_state.windows.corpus &= is_open;
    }

    fn body(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        ui.label("Replays all games of a folder under the current rules.");
        ui.weak("Change the rules and replay again: the table shows what ends differently.");
        ui.horizontal_wrapped(|ui| {
            request_on_click(cx, &ui.button("Choose folder…"), Action::AskInput(FilePurpose::RecordsFolder));
            let Some(folder) = &self.folder else { return };
            let can_start = self.run.is_none();
            let again = ui.add_enabled(can_start, Button::new("Replay again"));
            request_on_click(cx, &again, Action::Corpus(CorpusAction::Replay(folder.clone())));
            let about = "Compare the next runs with these results instead of the first ones.";
            let has_results = can_start && !self.results.is_empty();
            if ui.add_enabled(has_results, Button::new("Compare with these")).on_hover_text(about).clicked() {
                self.use_as_baseline();
            }
        });
        if let Some(folder) = &self.folder {
            ui.weak(table::shown_path(folder));
        }
        ui.separator();
        if let Some(error) = &self.error {
            ui.colored_label(tone_colour(ui, Tone::Bad), error.to_string());
        }
        let totals = self.count();
        if let Some(run) = &self.run {
            let stops = ui.horizontal(|ui| {
                let stops = ui.button("Stop").clicked();
                let share = self.results.len() as f32 / run.n_all.max(1) as f32;
                ui.add(ProgressBar::new(share).text(format!("{} of {}", self.results.len(), run.n_all)));
                stops
            });
            if stops.inner {
                self.run = None;
            }
        } else if !self.results.is_empty() {
            ui.strong(totals.text(self.is_compared));
            if self.run_at != Some(cx.session.mods_revision()) {
                let text = "The mods were reloaded since this replay: replay again.";
                ui.colored_label(tone_colour(ui, Tone::Changed), text);
            }
        }
        self.table(ui, cx);
    }

    /// Draws the results, failed records first, then changed ones.
    fn table(&self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        let mut rows: Vec<(&PathBuf, &RecordResult)> = self.results.iter().collect();
        rows.sort_by_key(|(_, result)| match result {
            RecordResult::Fails(..) => 0,
            RecordResult::Replays(_, differences) if !differences.is_empty() => 1,
            RecordResult::Replays(..) => 2,
        });
        ScrollArea::both().auto_shrink(false).show(ui, |ui| {
            Grid::new("records").striped(true).num_columns(3).show(ui, |ui| {
                for (file, result) in rows {
                    self.row(ui, cx, file, result);
                    ui.end_row();
                }
            });
        });
    }

    fn row(&self, ui: &mut Ui, cx: &mut UiContext<'_>, file: &Path, result: &RecordResult) {
        let below = self.folder.as_ref().and_then(|folder| file.strip_prefix(folder).ok()).unwrap_or(file);
        let about = "Open the record at the first difference; Return to my game brings you back.";
        let link = ui.link(below.display().to_string()).on_hover_text(about);
        let at = result.first_difference().unwrap_or(usize::MAX);
        request_on_click(cx, &link, Action::Corpus(CorpusAction::Open(file.to_owned(), at)));
        match result {
            RecordResult::Fails(problems, _) => {
                ui.label(RichText::new("failed").color(tone_colour(ui, Tone::Bad)));
                ui.label(problems.first().map_or("", |problem| problem.message.as_str()));
            }
            RecordResult::Replays(replayed, differences) if differences.is_empty() => {
                ui.weak(if self.is_compared { "same" } else { "replayed" });
                ui.weak(format!("{}; winners: {}", replayed.scores_text(), replayed.winners_text()));
            }
            RecordResult::Replays(_, differences) => {
                ui.label(RichText::new("changed").color(tone_colour(ui, Tone::Changed)));
                ui.vertical(|ui| {
                    differences.iter().for_each(|difference| drop(ui.label(difference.text())));
                });
            }
        }
    }
}
