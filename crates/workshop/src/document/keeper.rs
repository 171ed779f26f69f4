//! Keeping drafts without anybody waiting for the disk.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

use super::{Document, Draft, Drafts};

enum Job {
    Write(Draft),
    Forget(PathBuf),
}

/// Writes drafts on a thread of its own, in order. Dropping it waits until all are written.
pub struct DraftKeeper {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl DraftKeeper {
    /// Starts the thread. Drafts that cannot be written are tried again with the next change.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub fn start(drafts: Drafts) -> io::Result<DraftKeeper> {
        let (jobs, asked) = channel();
        let work = move || {
            for job in asked {
                let _ = match job {
                    Job::Write(draft) => drafts.write(&draft),
                    Job::Forget(path) => drafts.forget(&path),
                };
            }
        };
        let thread = thread::Builder::new().name("drafts".to_owned()).spawn(work)?;
        Ok(DraftKeeper { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Keeps what is not saved of a document; where everything is, forgets what was kept of it.
    pub fn keep(&self, document: &Document) {
        let job = document.draft().map_or_else(|| Job::Forget(document.path().to_owned()), Job::Write);
        // A thread that has ended keeps nothing.
        let _ = self.jobs.as_ref().map(|jobs| jobs.send(job));
    }
}

impl Drop for DraftKeeper {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
