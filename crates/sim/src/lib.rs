#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test fails by panicking"))]

mod calls;
mod column_file;
mod compare;
mod detail;
mod edited;
mod game;
mod html;
mod interval;
mod json;
mod ladder;
mod matters;
mod measure;
mod moments;
mod part;
mod plan;
mod result;
mod rows;
mod run;
mod stats;
mod summary;
mod table;
mod tally;
mod until;

pub use calls::FunctionCalls;
pub use column_file::{Column, Value};
pub use compare::{Arm, Comparison, Difference, Verdict, compare};
pub use game::{MAX_ANSWERS, seed_of_game};
pub use html::{compared_page, page};
pub use interval::{Interval, LEVEL};
pub use json::{report_json, section_json};
pub use ladder::{Rung, ladder};
pub use matters::{Clash, Effect, Matters, Part as RulePart, what_matters};
pub use measure::Measure;
pub use moments::{Histogram, Moments};
pub use part::Part;
pub use plan::{Plan, PlanError};
pub use result::{GameDetail, GameResult};
pub use rows::{Format, RowWriter, columns, values};
pub use run::run;
pub use stats::{FaultSeen, Measured, Report, Standing};
pub use summary::{Cell, Row, Section, compared, summary};
pub use tally::{Details, Reason, Reasons, TileTally};
pub use until::{LEVEL_OF_LOOK, compare_until, looks, run_until};
