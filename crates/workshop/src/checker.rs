//! Checks the unsaved texts of a mod on a separate thread, whenever the user pauses typing.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use loader::{Library, Problems};
use platform::task;
use rules::catch_panic;
use script::Vocabulary;

/// The pause in typing after which a check begins.
pub const TYPING_PAUSE: Duration = Duration::from_millis(300);

/// A request for a check.
#[derive(Clone, Debug)]
pub struct CheckRequest {
    /// The library of mods.
    pub library: Library,
    /// The ids of the mods to load together for the check.
    pub ids: Vec<String>,
    /// The id of the mod that the user is editing.
    pub id: String,
    /// The unsaved texts, by the paths of their files.
    pub unsaved: BTreeMap<PathBuf, Arc<str>>,
    /// The problems of the mods on disk, if the game has just loaded these mods. If `None`, the
    /// check loads the mods.
    pub problems: Option<Problems>,
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct CheckResult {
    /// The id of the mod that the user is editing.
    pub id: String,
    /// The checked texts, by the paths of their files.
    pub unsaved: BTreeMap<PathBuf, Arc<str>>,
    /// The problems that the mods would have after saving the checked texts.
    pub problems: Problems,
    /// The names that the script of the mod can use; `None` if the manifest of the mod cannot be
    /// read.
    pub vocabulary: Option<Vocabulary>,
}

impl CheckRequest {
    /// Runs the check on the current thread. Does not call functions of mods.
    pub fn check(self) -> CheckResult {
        let CheckRequest { library, ids, id, unsaved, problems } = self;
        let library = library.with_unsaved(unsaved.clone());
        // If loading panics, the result has no problems. The user sees the panic after saving the
        // texts.
        let problems = problems.unwrap_or_else(|| catch_panic(|| library.load(&ids).1).unwrap_or_default());
        let vocabulary = catch_panic(|| library.vocabulary(&id, &ids)).ok().flatten();
        CheckResult { id, unsaved, problems, vocabulary }
    }
}

/// Runs requested checks on a separate thread. If requests arrive in quick succession, runs only
/// the last request.
pub struct Checker {
    requests: Sender<CheckRequest>,
    found: Receiver<CheckResult>,
    n_open: usize,
    waits: bool,
}

impl Checker {
    /// Starts the thread. The thread begins a check when no request has arrived for the duration
    /// `quiet`, and calls `wake` after the check.
    ///
    /// If `waits` is true, [`poll_result`](Checker::poll_result) blocks until all requested checks
    /// are done. In this case, `quiet` must be zero, so that every request gets a result.
    ///
    /// # Errors
    /// Returns an error if the system cannot start the thread.
    pub fn start(quiet: Duration, waits: bool, wake: impl Fn() + Send + 'static) -> std::io::Result<Checker> {
        let (requests, asked) = channel::<CheckRequest>();
        let (say, found) = channel();
        let work = move || async move {
            while let Ok(mut request) = task::recv(&asked).await {
                while !quiet.is_zero() {
                    match task::recv_timeout(&asked, quiet).await {
                        Ok(later) => request = later,
                        Err(RecvTimeoutError::Timeout) => break,
                        Err(RecvTimeoutError::Disconnected) => return,
                    }
                }
                if say.send(request.check()).is_err() {
                    return;
                }
                wake();
            }
        };
        task::spawn("checker", rules::STACK_BYTES, work)?;
        Ok(Checker { requests, found, n_open: 0, waits })
    }

    /// Requests a check.
    pub fn request_check(&mut self, request: CheckRequest) {
        // If the thread has ended, the request is lost, so `poll_result` must not wait for it.
        self.n_open += usize::from(self.requests.send(request).is_ok());
    }

    /// Returns the latest result that arrived since the last call; `None` if no result arrived.
    pub fn poll_result(&mut self) -> Option<CheckResult> {
        let mut last = None;
        if self.waits {
            while self.n_open > 0 {
                last = task::wait_for_message(&self.found, None).ok().or(last);
                self.n_open -= 1;
            }
        }
        last.into_iter().chain(self.found.try_iter()).last()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use testkit::CopiedMod;

    use super::*;

    fn request(base: &CopiedMod, text: &str) -> CheckRequest {
        CheckRequest {
            library: Library::open(&[base.library().to_owned()]),
            ids: vec!["base".to_owned()],
            id: "base".to_owned(),
            unsaved: [(base.file("rules.rhai"), Arc::from(text))].into(),
            problems: None,
        }
    }

    #[test]
    fn what_is_not_saved_is_checked_as_if_it_were() {
        let base = CopiedMod::of("base");
        let checked = request(&base, "fn score_valu(feature, score) {}").check();
        let told = checked.problems.to_string();
        assert!(told.contains("rules.rhai:1:4: error: nothing calls `score_valu`"), "{told}");
        assert!(checked.vocabulary.is_some_and(|words| words.tags.contains(&"shield".to_owned())));
        assert!(request(&base, "").check().problems.list().iter().all(|p| !p.span.file.ends_with("rules.rhai")));
    }

    #[test]
    fn only_the_last_of_several_requests_is_checked() {
        let base = CopiedMod::of("base");
        let (woken, wakes) = channel();
        let mut checker =
            Checker::start(Duration::from_millis(50), false, move || woken.send(()).unwrap_or_default()).unwrap();
        for name in ["a", "b", "c"] {
            checker.request_check(request(&base, &format!("fn {name}() {{}}")));
        }
        wakes.recv_timeout(Duration::from_secs(20)).unwrap();
        let checked = checker.poll_result().unwrap();
        assert!(checked.problems.to_string().contains("nothing calls `c`"));
        assert!(wakes.recv_timeout(Duration::from_millis(100)).is_err(), "one answer");
    }
}
