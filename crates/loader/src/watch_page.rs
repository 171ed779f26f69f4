//! Watches the mod files of a web page. Only the page itself changes these files.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use platform::browser::files;
use platform::task;
use thiserror::Error;

use crate::library::Library;
use crate::watched::is_temporary;

/// A reason why folders cannot be watched. This error never occurs in a page.
#[derive(Debug, Error)]
#[error("cannot watch the folders of mods")]
pub struct WatchError(());

/// A watcher of mod folders, which reports changed files once they have stopped changing.
pub struct Watcher {
    changes: Receiver<Vec<PathBuf>>,
    /// Dropping this value ends the watch.
    _wanted: Arc<()>,
}

impl Watcher {
    /// The default time without further changes after which the watcher reports changes.
    pub const DEBOUNCE: Duration = Duration::from_millis(50);

    /// Watches the folders of `library`.
    ///
    /// # Errors
    /// Never fails in a page.
    pub fn new(library: &Library) -> Result<Watcher, WatchError> {
        let (say, changes) = std::sync::mpsc::channel();
        let watcher = Watcher::for_paths(library.paths(), Watcher::DEBOUNCE, move |files| drop(say.send(files)))?;
        Ok(Watcher { changes, ..watcher })
    }

    /// Watches `paths`. Calls `tell` with the changed files, sorted, once no file has changed for
    /// the time `debounce`.
    ///
    /// # Errors
    /// Never fails in a page.
    pub fn for_paths(
        paths: &[PathBuf],
        debounce: Duration,
        tell: impl Fn(Vec<PathBuf>) + Send + 'static,
    ) -> Result<Watcher, WatchError> {
        let (_, changes) = std::sync::mpsc::channel();
        let wanted = Arc::new(());
        let is_wanted = Arc::downgrade(&wanted);
        let (roots, heard) = (paths.to_vec(), files::watch());
        let is_watched = move |path: &PathBuf| {
            let below = roots.iter().find_map(|root| path.strip_prefix(root).ok());
            below.is_some_and(|below| !is_temporary(below))
        };
        let collect = move || async move {
            while let Ok(first) = task::recv(&heard).await {
                let mut files = BTreeSet::from([first]);
                while let Ok(next) = task::recv_timeout(&heard, debounce).await {
                    files.insert(next);
                }
                files.retain(&is_watched);
                if is_wanted.strong_count() == 0 {
                    return;
                }
                if !files.is_empty() {
                    tell(files.into_iter().collect());
                }
            }
        };
        task::spawn("watcher", 0, collect).map_err(|_| WatchError(()))?;
        Ok(Watcher { changes, _wanted: wanted })
    }

    /// Returns the files changed since the last call, sorted; `None` if no file changed.
    pub fn try_changes(&mut self) -> Option<Vec<PathBuf>> {
        let files: BTreeSet<PathBuf> = self.changes.try_iter().flatten().collect();
        (!files.is_empty()).then(|| files.into_iter().collect())
    }

    /// Waits for changes, at most for `timeout`. Returns the changed files; `None` if no file
    /// changed.
    pub fn wait(&mut self, timeout: Duration) -> Option<Vec<PathBuf>> {
        task::wait_for_message(&self.changes, Some(platform::time::Instant::now() + timeout)).ok()
    }
}
