//! Writes files on a separate thread, so that the window never waits for the disk. Reports a
//! lasting failure, such as a full disk, only once.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use diagnostic::never;
use platform::fs::{self, write_whole};
use platform::task::{self, Task};

/// The delay before the program retries a failed write.
const RETRY: Duration = Duration::from_secs(1);

/// A file to write or to remove, such as settings or a draft.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The content to write; `None` removes the file.
    pub text: Option<String>,
}

impl StoredFile {
    /// Writes the file completely or not at all, or removes it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written or removed.
    pub fn write(&self) -> io::Result<()> {
        let Some(text) = &self.text else {
            return match fs::remove(&self.path) {
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

/// A message that writing has begun to fail, or that it works again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WriteStatus {
    /// Writing fails; the text is the error message of the system. The thread repeats the attempt
    /// until writing succeeds.
    Fails(String),
    /// Writing works again; all waiting files have been written.
    Recovered,
}

/// Writes files on a separate thread. Dropping a `FileStore` waits until the thread has written all
/// files. If writing fails, the thread tries only once more.
pub struct FileStore {
    files: Option<Sender<StoredFile>>,
    told: Receiver<WriteStatus>,
    thread: Option<Task>,
}

impl FileStore {
    /// Starts the thread. The thread calls `wake` after each message that
    /// [`take_message`](Self::take_message) can return.
    ///
    /// # Errors
    /// Returns an error if the system cannot start a thread.
    pub fn start(wake: impl Fn() + Send + 'static) -> io::Result<FileStore> {
        let (files, asked) = channel();
        let (tell, told) = channel();
        let tell = move |keeping| {
            // Ignores an error: it means that the `FileStore` no longer exists.
            let _ = tell.send(keeping);
            wake();
        };
        let work = move || async move { write_all(&asked, &tell).await };
        let thread = task::spawn("files", rules::STACK_BYTES, work)?;
        Ok(FileStore { files: Some(files), told, thread: Some(thread) })
    }

    /// Writes or removes a file as soon as possible.
    pub fn store(&self, file: StoredFile) {
        if self.files.as_ref().is_none_or(|files| files.send(file).is_err()) {
            never!("the thread that writes files has ended");
        }
    }

    /// Returns the latest message since the last call, if there is one.
    pub fn take_message(&self) -> Option<WriteStatus> {
        self.told.try_iter().last()
    }
}

impl Drop for FileStore {
    fn drop(&mut self) {
        self.files = None;
        if let Some(thread) = self.thread.take() {
            thread.join();
        }
    }
}

/// Writes the requested files until the `FileStore` is dropped. If a file cannot be written,
/// retries after [`RETRY`].
async fn write_all(asked: &Receiver<StoredFile>, tell: &dyn Fn(WriteStatus)) {
    let mut waiting = BTreeMap::new();
    loop {
        let fails = !waiting.is_empty();
        let next = match fails {
            true => task::recv_timeout(asked, RETRY).await,
            false => task::recv(asked).await.map_err(RecvTimeoutError::from),
        };
        if let Ok(file) = &next {
            // Replaces a pending write of the same file, because its content is out of date.
            waiting.insert(file.path.clone(), file.clone());
        }
        let mut failure = None;
        waiting.retain(|_, file| file.write().map_err(|error| failure = Some(error)).is_err());
        match (fails, failure) {
            (false, Some(error)) => tell(WriteStatus::Fails(error.to_string())),
            (true, None) => tell(WriteStatus::Recovered),
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
        // A file has the name of the required folder, so the folder cannot be created.
        fs::write(&folder, "in the way").unwrap();
        let keeper = FileStore::start(|| ()).unwrap();
        let file = |text: &str| StoredFile { path: folder.join("drafts/a.toml"), text: Some(text.to_owned()) };
        keeper.store(file("one"));
        assert!(matches!(keeper.told.recv(), Ok(WriteStatus::Fails(_))));
        keeper.store(file("two"));
        fs::remove_file(&folder).unwrap();
        assert_eq!(keeper.told.recv(), Ok(WriteStatus::Recovered));
        assert_eq!(fs::read_to_string(folder.join("drafts/a.toml")).unwrap(), "two");
        keeper.store(StoredFile { text: None, ..file("") });
        drop(keeper);
        assert!(!folder.join("drafts/a.toml").exists());
    }
}
