#![doc = include_str!("../README.md")]

mod agenda;
mod call;
mod catalogue;
mod chance;
mod decision;
mod effects;
mod game;
mod hooks;
mod menus;
mod ruleset;
mod scoring;
mod setup;
mod state;
mod texts;
mod value;

pub use agenda::MAX_EVENTS;
pub use call::{Call, MAX_ASKS, Refusal, Scored};
pub use catalogue::*;
pub use chance::{Dealer, hash_text};
pub use decision::{Choice, Decision, Offer, Question, Who};
pub use game::{Game, NotOffered, Status};
pub use hooks::{Failure, Fault, Halt, Hook, HookInfo, Hooks, Power};
pub use ruleset::{Rules, RulesFactory, Ruleset};
pub use scoring::{is_complete, kind_of, pieces_on, winners};
pub use setup::{COLOURS, MAX_SEATS, ModUse, Setup};
pub use state::*;
pub use texts::*;
pub use value::{Memory, OptionValue, PieceRef, Seat, Value};
