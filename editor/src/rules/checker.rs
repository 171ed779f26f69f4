//! Checks the unsaved texts of a mod in a job, whenever the user pauses typing.

use std::time::Duration;

use egui::Context;
use platform::time::Instant;
use workshop::checker::{CheckRequest, CheckResult};

use crate::jobs::{CheckJob, JobHandle};
use crate::shown_error::ShownError;

/// The pause in typing after which a check begins.
const TYPING_PAUSE: Duration = Duration::from_millis(300);

/// Runs requested checks, one at a time. If requests arrive in quick succession, runs only the last
/// request.
#[derive(Default)]
pub(super) struct Checker {
    /// The request whose check has not begun, and the time of the request.
    requested: Option<(CheckRequest, Instant)>,
    /// The check in progress.
    job: Option<JobHandle<(), CheckResult>>,
    waits: bool,
}

impl Checker {
    /// Makes a checker. If `waits` is true, checks begin immediately, and
    /// [`poll`](Checker::poll) waits for them.
    pub fn new(waits: bool) -> Checker {
        Checker { waits, ..Checker::default() }
    }

    /// Requests a check.
    pub fn request_check(&mut self, ctx: &Context, request: CheckRequest) {
        self.requested = Some((request, Instant::now()));
        ctx.request_repaint_after(self.pause());
    }

    /// Starts the requested check after a pause. Returns the result of the check in progress when
    /// it has ended, or the reason why it failed.
    pub fn poll(&mut self, ctx: &Context) -> Option<Result<CheckResult, ShownError>> {
        if let Some((_, at)) = &self.requested {
            let left = self.pause().saturating_sub(at.elapsed());
            if !left.is_zero() {
                ctx.request_repaint_after(left);
            } else if self.job.is_none() {
                let request = self.requested.take().map(|(request, _)| CheckJob(request));
                self.job = request.map(|request| JobHandle::start(ctx, request));
            }
        }
        let job = self.job.as_ref()?;
        let ended = if self.waits { job.wait(drop) } else { job.poll(drop) }?;
        self.job = None;
        if self.requested.is_some() {
            ctx.request_repaint();
        }
        Some(ended)
    }

    fn pause(&self) -> Duration {
        if self.waits { Duration::ZERO } else { TYPING_PAUSE }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::sync::Arc;
    use std::thread::sleep;

    use table::Library;
    use testkit::CopiedMod;

    use super::*;

    #[test]
    fn only_the_last_of_several_requests_is_checked() {
        let base = CopiedMod::of("base");
        let ctx = Context::default();
        let mut checker = Checker::default();
        for name in ["a", "b", "c"] {
            let text = format!("fn {name}() {{}}");
            let request = CheckRequest {
                library: Library::open(&[base.library().to_owned()]),
                ids: vec!["base".to_owned()],
                id: "base".to_owned(),
                unsaved: [(base.file("rules.rhai"), Arc::from(text))].into(),
                problems: None,
            };
            checker.request_check(&ctx, request);
            assert!(checker.poll(&ctx).is_none(), "the user is typing");
        }
        let begun = Instant::now();
        let checked = loop {
            if let Some(checked) = checker.poll(&ctx) {
                break checked.unwrap();
            }
            assert!(begun.elapsed() < Duration::from_secs(20));
            sleep(Duration::from_millis(5));
        };
        assert!(begun.elapsed() >= TYPING_PAUSE);
        assert!(checked.problems.iter().any(|problem| problem.message.contains("nothing calls `c`")));
        sleep(TYPING_PAUSE);
        assert!(checker.poll(&ctx).is_none(), "one answer");
    }
}
