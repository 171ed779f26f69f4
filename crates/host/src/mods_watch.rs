//! A watch on the folders of mods, which all tables of a host share.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use table::{Library, WatchError, Watcher};

/// Watches the folders of mods for all tables of a host, because systems allow few watchers (Linux
/// by default 128).
#[derive(Clone)]
pub struct ModsWatch {
    n_changes: Arc<AtomicU64>,
    /// The watch ends when the last table drops it.
    _watcher: Arc<Mutex<Watcher>>,
}

impl ModsWatch {
    /// Watches the folders of `library`.
    ///
    /// # Errors
    /// Returns an error if the system has no watches left or denies access to a folder.
    pub fn new(library: &Library) -> Result<ModsWatch, WatchError> {
        let n_changes = Arc::new(AtomicU64::new(0));
        let counted = n_changes.clone();
        let tell = move |_| {
            counted.fetch_add(1, Ordering::Release);
        };
        let watcher = Watcher::for_paths(library.paths(), Watcher::DEBOUNCE, tell)?;
        Ok(ModsWatch { n_changes, _watcher: Arc::new(Mutex::new(watcher)) })
    }

    /// Returns how often files have changed since the watch began.
    pub(crate) fn n_changes(&self) -> u64 {
        self.n_changes.load(Ordering::Acquire)
    }
}
