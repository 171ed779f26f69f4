//! Watches the folders of mods and reports changed files. Recognizes the ways in which editors save
//! a file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use thiserror::Error;

use crate::library::Library;
use crate::watched::is_temporary;

/// A reason why folders cannot be watched.
#[derive(Debug, Error)]
#[error("cannot watch the folders of mods: {0}")]
pub struct WatchError(#[from] notify::Error);

/// A watcher of mod folders, which reports changed files once they have stopped changing. Make only
/// one watcher for the whole program, because systems allow few watchers.
pub struct Watcher {
    /// The channel that receives the changes; `None` if a callback receives them.
    changes: Option<Receiver<Vec<PathBuf>>>,
    messages: Sender<WatchMessage>,
}

/// A message to the thread that collects changes.
enum WatchMessage {
    System(notify::Result<Event>),
    End,
}

impl Watcher {
    /// The default time without further changes after which the watcher reports changes.
    pub const DEBOUNCE: Duration = Duration::from_millis(50);

    /// Watches the folders of `library`, including folders that do not exist yet.
    ///
    /// # Errors
    /// Returns an error if the system has no watches left or denies access to a folder.
    pub fn new(library: &Library) -> Result<Watcher, WatchError> {
        let (sender, changes) = channel();
        // Sending fails after the watcher was dropped.
        let mut watcher =
            Watcher::for_paths(library.paths(), Watcher::DEBOUNCE, move |files| drop(sender.send(files)))?;
        watcher.changes = Some(changes);
        Ok(watcher)
    }

    /// Watches `paths`. Calls `tell` on a separate thread with the changed files, sorted, once no
    /// file has changed for the time `debounce`.
    ///
    /// # Errors
    /// Returns an error as [`Watcher::new`] does.
    pub fn for_paths(
        paths: &[PathBuf],
        debounce: Duration,
        tell: impl Fn(Vec<PathBuf>) + Send + 'static,
    ) -> Result<Watcher, WatchError> {
        let (messages, heard) = channel();
        let events = messages.clone();
        let system = notify::recommended_watcher(move |event| {
            // Sending fails after the watcher was dropped.
            let _ = events.send(WatchMessage::System(event));
        })?;
        let mut folders = WatchedFolders::new(paths, system)?;
        thread::spawn(move || {
            while let Some(files) = next_changes(&heard, &mut folders, debounce) {
                tell(files);
                folders.watch_links();
            }
        });
        Ok(Watcher { changes: None, messages })
    }

    /// Returns the files changed since the last call, sorted; `None` if no file changed. Never
    /// blocks.
    pub fn try_changes(&mut self) -> Option<Vec<PathBuf>> {
        let mut files: Vec<PathBuf> = self.changes.iter().flat_map(Receiver::try_iter).flatten().collect();
        files.sort();
        files.dedup();
        (!files.is_empty()).then_some(files)
    }

    /// Waits for changes, at most for `timeout`. Returns the changed files; `None` if no file
    /// changed.
    pub fn wait(&mut self, timeout: Duration) -> Option<Vec<PathBuf>> {
        self.changes.as_ref()?.recv_timeout(timeout).ok()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.messages.send(WatchMessage::End);
    }
}

/// The maximum time for which the watcher waits until a file that is open for writing is closed.
const MAX_WRITE_TIME: Duration = Duration::from_secs(1);

/// The maximum time during which the watcher collects continuous changes before it reports them.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// Waits until a file has changed and everything is quiet again. Returns the changed files; `None`
/// if the watcher has ended.
///
/// Quiet means that no event came for the time `debounce` and, if the system reports it, that no
/// file is open for writing. Continuous changes are reported after [`MAX_WAIT`].
fn next_changes(
    heard: &Receiver<WatchMessage>,
    folders: &mut WatchedFolders,
    debounce: Duration,
) -> Option<Vec<PathBuf>> {
    let mut files = BTreeSet::new();
    let mut open: BTreeMap<PathBuf, Instant> = BTreeMap::new();
    let (mut first, mut last) = (Instant::now(), Instant::now());
    loop {
        let message = if files.is_empty() {
            heard.recv().ok()?
        } else {
            let now = Instant::now();
            open.retain(|_, written| *written + MAX_WRITE_TIME > now);
            let quiet_at = last + if open.is_empty() { debounce } else { MAX_WRITE_TIME };
            match heard.recv_timeout(quiet_at.min(first + MAX_WAIT).saturating_duration_since(now)) {
                Ok(message) => message,
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => return Some(files.into_iter().collect()),
            }
        };
        let event = match message {
            WatchMessage::End => return None,
            WatchMessage::System(event) => event,
        };
        let (now, was_empty) = (Instant::now(), files.is_empty());
        let about = event.as_ref().ok().map(|event| (event.kind, event.paths.clone()));
        if folders.collect(event, &mut files) {
            last = now;
            if was_empty {
                first = now;
            }
        }
        match about {
            // Only Linux reports when a file is closed.
            Some((EventKind::Modify(ModifyKind::Data(_)), paths)) if cfg!(target_os = "linux") => {
                open.extend(paths.into_iter().filter(|path| files.contains(path)).map(|path| (path, now)));
            }
            Some((
                EventKind::Access(AccessKind::Close(AccessMode::Write))
                | EventKind::Remove(_)
                | EventKind::Modify(ModifyKind::Name(_)),
                paths,
            )) => open.retain(|path, _| !paths.contains(path)),
            _ => {}
        }
    }
}

/// The watched folders, the system's watcher, and the links to files in other folders.
struct WatchedFolders {
    roots: Vec<PathBuf>,
    system: RecommendedWatcher,
    /// The links in the watched folders that lead to files outside these folders, by the path of
    /// the target.
    links: BTreeMap<PathBuf, PathBuf>,
}

impl WatchedFolders {
    fn new(paths: &[PathBuf], system: RecommendedWatcher) -> Result<WatchedFolders, WatchError> {
        let roots: Vec<PathBuf> = paths.iter().map(|path| canonical_path(path)).collect();
        let mut folders = WatchedFolders { roots, system, links: BTreeMap::new() };
        for root in folders.roots.clone() {
            // A deleted folder loses its watch, so its parent is watched too and reports when the
            // folder is created again.
            let parent = root.parent().filter(|p| p.is_dir() && folders.root_of(p).is_none());
            if let Some(parent) = parent {
                // If the parent cannot be watched, the folder itself is still watched.
                let _ = folders.system.watch(parent, RecursiveMode::NonRecursive);
            }
            if root.exists() {
                folders.system.watch(&root, RecursiveMode::Recursive)?;
            }
        }
        folders.watch_links();
        Ok(folders)
    }

    /// Adds the files that `event` changed to `files`, and returns whether there are any. Does not
    /// distinguish creating, changing and removing a file, because in each case the mod is loaded
    /// again.
    fn collect(&mut self, event: notify::Result<Event>, files: &mut BTreeSet<PathBuf>) -> bool {
        let mut found = Vec::new();
        let event = event.unwrap_or_else(|_| Event::new(EventKind::Other).set_flag(notify::event::Flag::Rescan));
        if event.need_rescan() {
            // The system lost events, so any file may have changed.
            self.roots.iter().for_each(|root| scan(root, &mut found));
        }
        // Reading a file also causes an event. Reacting to such an event would read the file again,
        // without end.
        if matches!(event.kind, EventKind::Access(_)) {
            return false;
        }
        let may_be_new = !matches!(event.kind, EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_)));
        for path in &event.paths {
            found.extend(self.links.get(path).cloned());
            // A parent of a watched folder also contains other files, which are ignored.
            let Some(root) = self.root_of(path) else { continue };
            if path == root && may_be_new {
                self.watch_again(path, &mut found);
            } else if is_temporary(path.strip_prefix(root).unwrap_or(path)) {
                continue;
            } else if !path.is_dir() {
                found.push(path.clone());
            } else if may_be_new {
                // Files that arrive with a new folder cause no events of their own. The watch is
                // added before the folder is searched, so that no file in between is missed.
                let _ = self.system.watch(path, RecursiveMode::Recursive);
                scan(path, &mut found);
            }
        }
        let is_any = !found.is_empty();
        files.extend(found);
        is_any
    }

    fn root_of(&self, path: &Path) -> Option<&Path> {
        self.roots.iter().map(PathBuf::as_path).find(|root| path.starts_with(root))
    }

    fn watch_again(&mut self, root: &Path, files: &mut Vec<PathBuf>) {
        // Both calls may fail: a removed folder has no watch, and a missing folder cannot be
        // watched.
        let _ = self.system.unwatch(root);
        let _ = self.system.watch(root, RecursiveMode::Recursive);
        files.push(root.to_owned());
        scan(root, files);
    }

    /// Watches the folders of link targets outside the roots, so that the watcher reports a saved
    /// target.
    fn watch_links(&mut self) {
        let mut files = Vec::new();
        self.roots.iter().for_each(|root| scan(root, &mut files));
        for link in files.into_iter().filter(|file| file.is_symlink()) {
            let Some(target) = fs::canonicalize(&link).ok().filter(|target| self.root_of(target).is_none()) else {
                continue;
            };
            if let Some(folder) = target.parent().filter(|_| !self.links.contains_key(&target)) {
                // If the folder cannot be watched, the link itself is still watched.
                let _ = self.system.watch(folder, RecursiveMode::NonRecursive);
                self.links.insert(target, link);
            }
        }
    }
}

/// Returns the path with which events refer to `path`: the canonical path. For a folder that does
/// not exist yet, returns the canonical path of its parent, joined with its name.
fn canonical_path(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    fs::canonicalize(&whole).unwrap_or_else(|_| match (whole.parent().map(fs::canonicalize), whole.file_name()) {
        (Some(Ok(parent)), Some(name)) => parent.join(name),
        _ => whole,
    })
}

/// Adds all files in `folder` and in the folders below it, except temporary files.
fn scan(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if is_temporary(Path::new(&entry.file_name())) {
            continue;
        }
        // Links are not followed, because following a link to a parent folder would never end.
        match entry.file_type() {
            Ok(sort) if sort.is_dir() => scan(&path, files),
            _ => files.push(path),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(10);

    /// Makes a folder `mods` that contains the folder of one mod.
    fn mods_folder() -> (tempfile::TempDir, PathBuf) {
        let temp = tempfile::tempdir().unwrap();
        let mods = fs::canonicalize(temp.path()).unwrap().join("mods");
        fs::create_dir_all(mods.join("x")).unwrap();
        fs::write(mods.join("x/mod.toml"), "").unwrap();
        (temp, mods)
    }

    /// Makes a folder as `mods_folder` does, and its watcher.
    fn watched() -> (tempfile::TempDir, PathBuf, Watcher) {
        let (temp, mods) = mods_folder();
        let watcher = Watcher::new(&Library::open(std::slice::from_ref(&mods))).unwrap();
        (temp, mods, watcher)
    }

    /// Waits for a change of `file`, ignoring other changes.
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
    fn fifty_saves_in_a_second_are_one_change() {
        let (_temp, mods) = mods_folder();
        let (sender, changes) = channel();
        // This is ten times the default, because a busy machine may delay the test between two
        // saves.
        let debounce = 10 * Watcher::DEBOUNCE;
        let tell = move |files| sender.send(files).unwrap();
        let _watcher = Watcher::for_paths(std::slice::from_ref(&mods), debounce, tell).unwrap();
        let file = mods.join("x/mod.toml");
        for n in 0..50 {
            fs::write(&file, format!("# {n}")).unwrap();
            thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(changes.recv_timeout(LONG), Ok(vec![file]));
        assert_eq!(changes.recv_timeout(2 * debounce), Err(RecvTimeoutError::Timeout));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_is_half_written_is_waited_for() {
        use std::io::Write as _;
        let (_temp, mods, mut watcher) = watched();
        let path = mods.join("x/mod.toml");
        let mut file = fs::File::create(&path).unwrap();
        for part in ["[mod]", "\nid = ", "\"x\"\n"] {
            file.write_all(part.as_bytes()).unwrap();
            thread::sleep(2 * Watcher::DEBOUNCE);
        }
        assert_eq!(watcher.try_changes(), None, "it is not closed yet");
        drop(file);
        assert_eq!(watcher.wait(LONG), Some(vec![path]));
    }

    #[cfg(unix)]
    #[test]
    fn saving_the_target_of_a_link_is_a_change_of_the_link() {
        let (temp, mods, _) = watched();
        let target = fs::canonicalize(temp.path()).unwrap().join("elsewhere.toml");
        fs::write(&target, "").unwrap();
        std::os::unix::fs::symlink(&target, mods.join("x/tiles.toml")).unwrap();
        let mut watcher = Watcher::new(&Library::open(std::slice::from_ref(&mods))).unwrap();
        fs::write(&target, "[tile]").unwrap();
        expect(&mut watcher, &mods.join("x/tiles.toml"));
    }

    #[test]
    fn temporary_files_have_names_of_their_own() {
        for name in [".mod.toml.swp", "mod.toml~", "#mod.toml#", "x/.git/index", "mod.toml.tmp", "4913"] {
            assert!(is_temporary(Path::new(name)), "{name}");
        }
        assert!(!is_temporary(Path::new("x/tiles/a.toml")));
    }
}
