//! Watching the folders of mods: which files changed, however editors save them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::event::ModifyKind;
use notify::{EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, DebouncedEvent, Debouncer, RecommendedCache, new_debouncer};
use thiserror::Error;

use crate::library::Library;

/// Why folders cannot be watched.
#[derive(Debug, Error)]
#[error("cannot watch the folders of mods: {0}")]
pub struct WatchError(#[from] notify::Error);

/// Tells when files of mods change. Make one for the whole program: systems allow few.
pub struct Watcher {
    roots: Vec<PathBuf>,
    changes: Receiver<DebounceEventResult>,
    debouncer: Debouncer<RecommendedWatcher, RecommendedCache>,
}

impl Watcher {
    /// How long files have to be quiet before a change is reported, unless it is said otherwise.
    pub const DEBOUNCE: Duration = Duration::from_millis(50);

    /// Watches the folders of `library`, those that are not there yet included.
    ///
    /// # Errors
    /// Where the system has no more watches to give, or does not let a folder be watched.
    pub fn new(library: &Library) -> Result<Watcher, WatchError> {
        Watcher::with(library.paths(), Watcher::DEBOUNCE, || {})
    }

    /// Watches `paths`; `wake` is called from another thread when there may be changes, so that a window can draw itself anew.
    ///
    /// # Errors
    /// As [`Watcher::new`].
    pub fn with(
        paths: &[PathBuf],
        debounce: Duration,
        wake: impl Fn() + Send + 'static,
    ) -> Result<Watcher, WatchError> {
        let (sender, changes) = channel();
        let roots: Vec<PathBuf> = paths.iter().map(|path| absolute(path)).collect();
        let ours = roots.clone();
        let debouncer = new_debouncer(debounce, None, move |result: DebounceEventResult| {
            // Reading a file is an event too: we would wake ourselves for ever. Parents of our folders hold other things as well.
            let is_ours = |path: &PathBuf| ours.iter().any(|root| path.starts_with(root));
            let is_change = |e: &DebouncedEvent| {
                !matches!(e.kind, EventKind::Access(_)) && (e.need_rescan() || e.paths.iter().any(is_ours))
            };
            let result = result.map(|events| events.into_iter().filter(is_change).collect::<Vec<_>>());
            if !result.as_ref().is_ok_and(Vec::is_empty) && sender.send(result).is_ok() {
                wake();
            }
        })?;
        let mut watcher = Watcher { roots, changes, debouncer };
        for root in watcher.roots.clone() {
            // A folder that is deleted takes its watch with it; its parent tells when it is made again.
            let parent = root.parent().filter(|p| p.is_dir() && watcher.root_of(p).is_none());
            if let Some(parent) = parent {
                // Where the parent may not be watched, the folder itself still is.
                let _ = watcher.debouncer.watch(parent, RecursiveMode::NonRecursive);
            }
            if root.exists() {
                watcher.debouncer.watch(&root, RecursiveMode::Recursive)?;
            }
        }
        Ok(watcher)
    }

    /// Returns the files that changed since the last call, sorted; `None` where none did. Returns at once.
    pub fn try_changes(&mut self) -> Option<Vec<PathBuf>> {
        let mut files = Vec::new();
        while let Ok(result) = self.changes.try_recv() {
            self.collect(result, &mut files);
        }
        sorted(files)
    }

    /// Waits until files change, at most for `timeout`.
    pub fn wait(&mut self, timeout: Duration) -> Option<Vec<PathBuf>> {
        let end = Instant::now() + timeout;
        loop {
            let mut files = self.try_changes().unwrap_or_default();
            if !files.is_empty() {
                return Some(files);
            }
            match self.changes.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(result) => self.collect(result, &mut files),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
            files.extend(self.try_changes().unwrap_or_default());
            if !files.is_empty() {
                return sorted(files);
            }
        }
    }

    /// Adds the files that `result` is about. What exactly happened to a file does not matter: it is read again.
    fn collect(&mut self, result: DebounceEventResult, files: &mut Vec<PathBuf>) {
        let Ok(events) = result else {
            // Something was lost, nobody knows what.
            self.roots.iter().for_each(|root| scan(root, files));
            return;
        };
        for event in events {
            if event.need_rescan() {
                self.roots.iter().for_each(|root| scan(root, files));
            }
            let may_be_new = !matches!(event.kind, EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_)));
            for path in &event.paths {
                let Some(root) = self.root_of(path) else { continue };
                if path == root && may_be_new {
                    let root = root.to_owned();
                    self.watch_again(&root, files);
                } else if is_temporary(path.strip_prefix(root).unwrap_or(path)) {
                    continue;
                } else if !path.is_dir() {
                    files.push(path.clone());
                } else if may_be_new {
                    // Files that came with a new folder have no events of their own.
                    scan(path, files);
                }
            }
        }
    }

    fn root_of(&self, path: &Path) -> Option<&Path> {
        self.roots.iter().map(PathBuf::as_path).find(|root| path.starts_with(root))
    }

    fn watch_again(&mut self, root: &Path, files: &mut Vec<PathBuf>) {
        // Either may fail: a folder that is gone has no watch any more, and one that is gone again is watched when it comes back.
        let _ = self.debouncer.unwatch(root);
        let _ = self.debouncer.watch(root, RecursiveMode::Recursive);
        files.push(root.to_owned());
        scan(root, files);
    }
}

fn sorted(mut files: Vec<PathBuf>) -> Option<Vec<PathBuf>> {
    files.sort();
    files.dedup();
    (!files.is_empty()).then_some(files)
}

/// Events name files by their true path; for a folder that is not there yet that of its parent has to do.
fn absolute(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    fs::canonicalize(&whole).unwrap_or_else(|_| match (whole.parent().map(fs::canonicalize), whole.file_name()) {
        (Some(Ok(parent)), Some(name)) => parent.join(name),
        _ => whole,
    })
}

/// All files in `folder` and below.
fn scan(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if is_temporary(Path::new(&entry.file_name())) {
            continue;
        }
        // A link to a folder above would never end.
        match entry.file_type() {
            Ok(sort) if sort.is_dir() => scan(&path, files),
            _ => files.push(path),
        }
    }
}

/// Returns whether editors and tools make such files for themselves: hidden ones, backups, and what is renamed when saving is done.
fn is_temporary(below_root: &Path) -> bool {
    below_root.iter().any(|name| {
        let name = name.to_string_lossy();
        // `4913` is what vim makes to see whether it may write in the folder.
        let ends = ["~", ".tmp", ".swp", ".swx", ".bak", ".part", ".orig", "___"];
        name.starts_with(['.', '#']) || ends.iter().any(|end| name.ends_with(end)) || name == "4913"
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(10);

    /// Returns a folder `mods` with one mod in a folder of its own, and its watcher.
    fn watched() -> (tempfile::TempDir, PathBuf, Watcher) {
        let temp = tempfile::tempdir().unwrap();
        let mods = fs::canonicalize(temp.path()).unwrap().join("mods");
        fs::create_dir_all(mods.join("x")).unwrap();
        fs::write(mods.join("x/mod.toml"), "").unwrap();
        let watcher = Watcher::new(&Library::open(std::slice::from_ref(&mods))).unwrap();
        (temp, mods, watcher)
    }

    /// Waits for a change of `file`, whatever else changes meanwhile.
    fn expect(watcher: &mut Watcher, file: &Path) {
        let end = Instant::now() + LONG;
        while Instant::now() < end {
            let files = watcher.wait(end - Instant::now()).unwrap_or_default();
            assert!(
                !files.iter().any(|f| f.extension().is_some_and(|x| x == "tmp")),
                "temporary files count: {files:?}"
            );
            if files.iter().any(|f| f == file) {
                return;
            }
        }
        panic!("no change of {} was reported", file.display());
    }

    #[test]
    fn saving_by_rename_is_a_change_of_the_file_and_reading_is_none() {
        let (_temp, mods, mut watcher) = watched();
        let file = mods.join("x/mod.toml");
        fs::write(mods.join("x/mod.toml.tmp"), "new").unwrap();
        fs::rename(mods.join("x/mod.toml.tmp"), &file).unwrap();
        expect(&mut watcher, &file);
        while watcher.wait(Duration::from_millis(300)).is_some() {}
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(watcher.wait(Duration::from_millis(300)), None);
        assert_eq!(watcher.try_changes(), None);
    }

    #[test]
    fn new_folders_and_deleted_files_are_seen() {
        let (_temp, mods, mut watcher) = watched();
        fs::create_dir_all(mods.join("y/tiles")).unwrap();
        fs::write(mods.join("y/tiles/a.toml"), "").unwrap();
        expect(&mut watcher, &mods.join("y/tiles/a.toml"));
        fs::write(mods.join("y/tiles/b.toml"), "").unwrap();
        expect(&mut watcher, &mods.join("y/tiles/b.toml"));
        let file = mods.join("x/mod.toml");
        fs::remove_file(&file).unwrap();
        expect(&mut watcher, &file);
        fs::write(&file, "again").unwrap();
        expect(&mut watcher, &file);
    }

    #[test]
    fn the_root_may_be_deleted_and_made_again() {
        let (_temp, mods, mut watcher) = watched();
        fs::remove_dir_all(&mods).unwrap();
        expect(&mut watcher, &mods);
        fs::create_dir_all(mods.join("x")).unwrap();
        fs::write(mods.join("x/mod.toml"), "").unwrap();
        expect(&mut watcher, &mods.join("x/mod.toml"));
        fs::write(mods.join("x/rules.rhai"), "").unwrap();
        expect(&mut watcher, &mods.join("x/rules.rhai"));
    }

    #[test]
    fn temporary_files_have_names_of_their_own() {
        for name in [".mod.toml.swp", "mod.toml~", "#mod.toml#", "x/.git/index", "mod.toml.tmp", "4913"] {
            assert!(is_temporary(Path::new(name)), "{name}");
        }
        assert!(!is_temporary(Path::new("x/tiles/a.toml")));
    }
}
