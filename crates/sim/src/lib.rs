#![doc = include_str!("../README.md")]

mod calls;
mod game;
mod plan;
mod rows;
mod run;
mod stats;

pub use calls::FunctionCalls;
pub use game::{GameResult, MAX_ANSWERS};
pub use plan::{Plan, PlanError};
pub use rows::{Format, header, row};
pub use run::run;
pub use stats::{FaultSeen, Report, SeatStats};
