//! The reasons why an external program cannot play.

use std::io;
use std::process::ExitStatus;

use diagnostic::visible;
use thiserror::Error;

use crate::message::PROTOCOL_VERSION;
use crate::program_name::{MAX_SECONDS, PROGRAM_PREFIX};

/// A reason why an external program cannot play. The text is a sentence without a full stop; most
/// texts call the program `it`.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the texts say what is wrong")]
pub enum ProgramError {
    #[error("the time limit for a choice must be 1 to {MAX_SECONDS} s, not {0} s")]
    LimitOutOfRange(u32),
    #[error("the time limit for a choice must be a whole number of seconds, such as 5s, not {0}")]
    NotWholeSeconds(String),
    #[error("the command contains control characters")]
    ControlCharacters,
    #[error("name a program after `{PROGRAM_PREFIX}`, such as {PROGRAM_PREFIX}./mybot")]
    NoCommand,
    #[error("`{program}` cannot be started: {source}")]
    NotStarted { program: String, source: io::Error },
    #[error("`{0}` has no input and output")]
    NoPipes(String),
    #[error("a thread cannot be started: {0}")]
    NoThread(io::Error),
    #[error("it ended ({0})")]
    Ended(ExitStatus),
    #[error("it closed its output")]
    OutputClosed,
    #[error("its output cannot be read: {0}")]
    Unreadable(io::Error),
    #[error("it wrote a line of more than one megabyte")]
    LongLine,
    #[error("it wrote a line that is not UTF-8")]
    NotUtf8,
    #[error("it did not answer{} within {seconds} s", to.map_or(String::new(), |to| format!(" `{to}`")))]
    Silent { to: Option<&'static str>, seconds: u64 },
    #[error("it speaks version {0} of the protocol; this is version {PROTOCOL_VERSION}")]
    Version(u32),
    #[error("it says: {}", visible(.0))]
    Says(String),
    #[error("it sent `{sent}` where `{due}` was due")]
    OutOfTurn { sent: &'static str, due: &'static str },
    #[error("it wrote `{}` before it was asked; each `decide` has one answer", visible(.0))]
    Unasked(String),
    #[error("it wrote `{}`, which is not a message of the protocol: {error}", visible(line))]
    NotAMessage { line: String, error: serde_json::Error },
    #[error("its choice has neither `n` nor `text`")]
    EmptyChoice,
    #[error("it chose option {n}, but options are numbered from 0 to {last}")]
    NoSuchOption { n: usize, last: usize },
    #[error("it chose `{}`, which is not an option", visible(.0))]
    NotAnOption(String),
}
