#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod expect;
mod position_reader;
mod position_writer;
mod record;
mod reload;
mod replay;
mod suggest;

pub use position_reader::{GivenErrors, open, position};
pub use position_writer::{given_lines, state_hash};
pub use record::{
    Entry, LogLine, RECORD_REFERENCE, RECORD_VERSION, Record, header_text, log_text, record_of, record_text, with_salt,
};
pub use reload::{LoggedAnswer, Reload, ScoreDifference, reload, reload_while, resume_point};
pub use replay::{FailedEntry, Moment, Replay, check_mods, replay, replay_while, saved_setup};
