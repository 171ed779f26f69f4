#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod expect;
pub mod hex;
mod line_error;
mod names;
mod position_reader;
mod position_writer;
mod record;
mod reload;
mod replay;
mod seal;
mod suggest;

pub use line_error::LineError;
pub use position_reader::{GivenErrors, position, start_game};
pub use position_writer::{given_lines, state_hash};
pub use record::{
    LogEntry, LogLine, RECORD_REFERENCE, Record, header_text, log_text, record_of, record_text, with_salt,
};
pub use reload::{LoggedAnswer, Reload, ScoreDifference, reload, reload_while, resume_point};
pub use replay::{FailedEntry, Replay, ReplayedDecision, check_mods, replay, replay_while, saved_setup};
pub use seal::{SealSecret, answers_in_rounds};
