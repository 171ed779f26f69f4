#![doc = include_str!("../README.md")]

mod message;
mod player;
mod process;
mod program_error;
mod program_name;
mod serve;

pub use message::{BotMessage, BotReply, PROTOCOL_VERSION};
pub use player::program_named;
pub use program_error::ProgramError;
pub use program_name::PROGRAM_PREFIX;
pub use serve::serve;

/// The description of the protocol, for authors of bots.
pub const BOTS_REFERENCE: &str = include_str!("../docs/bots.md");
