//! Files that are kept without anybody waiting for the disk, or hearing of a full one with every change.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use platform::fs::{self, write_whole};
use platform::task::{self, Task};

/// After how long what could not be written is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// A file that is to hold something: settings, a draft.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptFile {
    /// The file.
    pub path: PathBuf,
    /// What it is to hold; nothing where it is to be gone.
    pub text: Option<String>,
}

impl KeptFile {
    /// Writes it, whole or not at all, or removes it.
    ///
    /// # Errors
    /// Where the folder cannot be written to.
    pub fn write(&self) -> io::Result<()> {
        let Some(text) = &self.text else {
            return match fs::remove_file(&self.path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        };
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        write_whole(&self.path, text)
    }
}

/// What has become of keeping files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Keeping {
    /// They cannot be written any more, which the system explains; it is tried again until they can.
    Fails(String),
    /// What could not be written is kept now.
    GoesOn,
}

/// Writes files on a thread of its own, in order. Dropping it waits until all are written, but not for a disk that is full.
pub struct FileKeeper {
    files: Option<Sender<KeptFile>>,
    told: Receiver<Keeping>,
    thread: Option<Task>,
}

impl FileKeeper {
    /// Starts the thread. It calls `wake` when there is something to be heard.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub fn start(wake: impl Fn() + Send + 'static) -> io::Result<FileKeeper> {
        let (files, asked) = channel();
        let (tell, told) = channel();
        let tell = move |keeping| {
            // Nobody hears of it any more once the window is closed.
            let _ = tell.send(keeping);
            wake();
        };
        let work = move || async move { write_all(&asked, &tell).await };
        let thread = task::spawn("files", rules::STACK, work)?;
        Ok(FileKeeper { files: Some(files), told, thread: Some(thread) })
    }

    /// Writes a file as soon as the disk lets it.
    pub fn keep(&self, file: KeptFile) {
        // A thread that has ended keeps nothing.
        let _ = self.files.as_ref().map(|files| files.send(file));
    }

    /// Returns what there is to be told since it was asked last.
    pub fn heard(&self) -> Option<Keeping> {
        self.told.try_iter().last()
    }
}

impl Drop for FileKeeper {
    fn drop(&mut self) {
        self.files = None;
        if let Some(thread) = self.thread.take() {
            thread.join();
        }
    }
}

/// Writes what is asked for until nobody asks any more.
async fn write_all(asked: &Receiver<KeptFile>, tell: &dyn Fn(Keeping)) {
    let mut waiting = BTreeMap::new();
    loop {
        let fails = !waiting.is_empty();
        let next = match fails {
            true => task::recv_timeout(asked, RETRY).await,
            false => task::recv(asked).await.map_err(RecvTimeoutError::from),
        };
        if let Ok(file) = &next {
            // What waits to be written of the same file is out of date.
            waiting.insert(file.path.clone(), file.clone());
        }
        let mut failure = None;
        waiting.retain(|_, file| file.write().map_err(|error| failure = Some(error)).is_err());
        match (fails, failure) {
            (false, Some(error)) => tell(Keeping::Fails(error.to_string())),
            (true, None) => tell(Keeping::GoesOn),
            _ => {}
        }
        if next == Err(RecvTimeoutError::Disconnected) {
            return;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_cannot_be_written_is_told_and_written_later() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("data");
        // A file stands where the folder is to be.
        fs::write(&folder, "in the way").unwrap();
        let keeper = FileKeeper::start(|| ()).unwrap();
        let file = |text: &str| KeptFile { path: folder.join("drafts/a.toml"), text: Some(text.to_owned()) };
        keeper.keep(file("one"));
        assert!(matches!(keeper.told.recv(), Ok(Keeping::Fails(_))));
        keeper.keep(file("two"));
        fs::remove_file(&folder).unwrap();
        assert_eq!(keeper.told.recv(), Ok(Keeping::GoesOn));
        assert_eq!(fs::read_to_string(folder.join("drafts/a.toml")).unwrap(), "two");
        keeper.keep(KeptFile { text: None, ..file("") });
        drop(keeper);
        assert!(!folder.join("drafts/a.toml").exists());
    }
}
