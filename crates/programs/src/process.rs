//! A running program that communicates in lines of text. Every wait has a time limit.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::program_error::ProgramError;

/// The maximum length of a line that a program writes, in bytes.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// The maximum number of unread lines of a program.
const MAX_UNREAD_LINES: usize = 64;

/// The time for the program to end by itself after Bastide has closed its input.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

/// A running program. Dropping this value ends the program.
pub struct Process {
    child: Child,
    /// The sender of lines to the program; `None` after its input has been closed.
    input: Option<Sender<String>>,
    output: Receiver<Result<String, ProgramError>>,
}

impl Process {
    /// Starts `command`; spaces separate its words. The program writes its standard error to the
    /// standard error of Bastide.
    ///
    /// # Errors
    /// Returns an error if the program or a thread cannot be started.
    pub fn start(command: &str) -> Result<Process, ProgramError> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or(ProgramError::NoCommand)?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|source| ProgramError::NotStarted { program: program.to_owned(), source })?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(ProgramError::NoPipes(program.to_owned()));
        };
        let (input, lines) = channel::<String>();
        let (say, output) = sync_channel(MAX_UNREAD_LINES);
        // If the program does not read its input, only this thread is blocked. When the program
        // ends, writing fails, and the thread ends too.
        let write = move || {
            for line in lines {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        };
        let read = move || {
            let mut reader = BufReader::new(stdout);
            loop {
                let line = read_line(&mut reader);
                let goes_on = matches!(line, Ok(Some(_)));
                // Sending fails if the [`Process`] no longer exists.
                if line.transpose().is_none_or(|line| say.send(line).is_err()) || !goes_on {
                    return;
                }
            }
        };
        let threads = [("bot input", Box::new(write) as Box<dyn FnOnce() + Send>), ("bot output", Box::new(read))];
        for (name, work) in threads {
            if let Err(error) = thread::Builder::new().name(name.to_owned()).spawn(work) {
                kill(&mut child);
                return Err(ProgramError::NoThread(error));
            }
        }
        Ok(Process { child, input: Some(input), output })
    }

    /// Sends a line, which must end in a line feed. Does nothing if the program has ended.
    pub fn send(&mut self, line: String) {
        if let Some(input) = &self.input {
            // Ignores a failure: it means that the program has ended, and the next `receive`
            // reports this.
            let _ = input.send(line);
        }
    }

    /// Returns the next line that the program writes; `None` if the program writes no line before
    /// `deadline`.
    ///
    /// # Errors
    /// Returns an error if the program has ended or its output cannot be read.
    pub fn receive(&mut self, deadline: Instant) -> Result<Option<String>, ProgramError> {
        match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => line.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(match wait_for_exit(&mut self.child) {
                Some(status) => ProgramError::Ended(status),
                None => ProgramError::OutputClosed,
            }),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        if wait_for_exit(&mut self.child).is_none() {
            kill(&mut self.child);
        }
    }
}

/// Reads a line; `None` at the end of the program's output.
fn read_line(reader: &mut impl BufRead) -> Result<Option<String>, ProgramError> {
    let mut line = Vec::new();
    match reader.take(MAX_LINE_BYTES).read_until(b'\n', &mut line) {
        Err(error) => Err(ProgramError::Unreadable(error)),
        Ok(0) => Ok(None),
        Ok(_) if line.len() as u64 >= MAX_LINE_BYTES => Err(ProgramError::LongLine),
        Ok(_) => String::from_utf8(line).map(Some).map_err(|_| ProgramError::NotUtf8),
    }
}

/// Waits up to [`EXIT_TIMEOUT`] until the program ends by itself. Returns its exit status; `None`
/// if the program is still running.
fn wait_for_exit(child: &mut Child) -> Option<std::process::ExitStatus> {
    let deadline = Instant::now() + EXIT_TIMEOUT;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
            _ => return None,
        }
    }
}

fn kill(child: &mut Child) {
    // Both calls fail only if the program has already ended.
    let _ = child.kill();
    let _ = child.wait();
}
