//! A watch on the folders of mods, which all tables of a host share.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use table::{Library, WatchError, Watcher, may_change_game};

/// A function that tells a table about changes. Returns false if the table has ended.
type Listener = Box<dyn Fn() -> bool + Send>;

/// Watches the folders of mods for all tables of a host, because systems allow few watchers (Linux
/// by default 128).
#[derive(Clone)]
pub struct ModsWatch {
    /// The files of mods that have changed since the watch began, in the order of the changes.
    changes: Arc<Mutex<Vec<PathBuf>>>,
    /// The functions that tell the tables about changes.
    listeners: Arc<Mutex<Vec<Listener>>>,
    /// The watch ends when the last table drops it.
    _watcher: Arc<Mutex<Watcher>>,
}

impl ModsWatch {
    /// Watches the folders of `library`.
    ///
    /// # Errors
    /// Returns an error if the system has no watches left or denies access to a folder.
    pub fn new(library: &Library) -> Result<ModsWatch, WatchError> {
        let (changes, listeners) = (Arc::<Mutex<Vec<PathBuf>>>::default(), Arc::<Mutex<Vec<Listener>>>::default());
        let (noted, told) = (changes.clone(), listeners.clone());
        // The host may store its tables in a watched folder, and their files are not files of mods.
        let tell = move |files: Vec<PathBuf>| {
            let files: Vec<PathBuf> = files.into_iter().filter(|it| may_change_game(it)).collect();
            if !files.is_empty() {
                lock(&noted).extend(files);
                lock(&told).retain(|tell| tell());
            }
        };
        let watcher = Watcher::for_paths(library.paths(), Watcher::DEBOUNCE, tell)?;
        Ok(ModsWatch { changes, listeners, _watcher: Arc::new(Mutex::new(watcher)) })
    }

    /// Calls `listener` after each further change, until it returns false.
    pub(crate) fn notify(&self, listener: impl Fn() -> bool + Send + 'static) {
        lock(&self.listeners).push(Box::new(listener));
    }

    /// Returns the number of changes since the watch began.
    pub(crate) fn n_changes(&self) -> usize {
        lock(&self.changes).len()
    }

    /// Returns the files that have changed after the first `n_changes` changes.
    pub(crate) fn changes_after(&self, n_changes: usize) -> Vec<PathBuf> {
        lock(&self.changes).iter().skip(n_changes).cloned().collect()
    }
}

/// Locks a list. A thread that panicked while it held the lock left a complete list.
fn lock<T>(list: &Mutex<Vec<T>>) -> MutexGuard<'_, Vec<T>> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;

    #[test]
    fn files_of_tables_are_no_changes_of_mods() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("tables")).unwrap();
        let watch = ModsWatch::new(&Library::open(&[folder.path().to_owned()])).unwrap();
        for name in ["ABCDEF.game", "ABCDEF.seats", "ABCDEF.playtest.json"] {
            fs::write(folder.path().join("tables").join(name), "").unwrap();
        }
        let rules = folder.path().join("rules.rhai");
        fs::write(&rules, "").unwrap();
        while watch.n_changes() == 0 {
            std::thread::sleep(Duration::from_millis(10));
        }
        let named: Vec<_> =
            watch.changes_after(0).iter().filter_map(|it| it.file_name().map(ToOwned::to_owned)).collect();
        assert_eq!(named, ["rules.rhai"]);
        assert!(watch.changes_after(1).is_empty());
    }
}
