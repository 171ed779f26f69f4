#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test fails by panicking"))]

mod ablation;
mod calls;
mod changed_rules;
mod column_file;
mod compare;
mod detail;
mod example;
mod game;
mod html;
mod interval;
mod json;
mod ladder;
mod measure;
mod moments;
mod option_worth;
mod plan;
mod result;
mod rows;
mod run;
mod run_until;
mod shard;
mod stats;
mod summary;
mod sweep;
mod table;
mod table_file;
mod tally;

pub use ablation::{AblationResults, AblationStudy, Effect, OrderDependence, RulePart, measure_ablation};
pub use calls::FunctionCalls;
pub use column_file::{CellValue, ColumnKind, TableColumn};
pub use compare::{Arm, Comparison, Difference, Verdict, compare};
pub use example::{Example, ExampleMoment, Subject, show, show_difference};
pub use game::{MAX_ANSWERS, seed_of_game};
pub use html::{compared_page, page, swept_page};
pub use interval::{Interval, LEVEL};
pub use json::{report_json, section_json};
pub use ladder::{Ladder, Rung, ladder, rungs};
pub use measure::Measure;
pub use moments::{Bar, Histogram, Moments};
pub use option_worth::{option_patterns, option_rungs};
pub use plan::{Plan, PlanError};
pub use result::{GameDetail, GameResult};
pub use rows::{Format, RowWriter, columns, values};
pub use run::run;
pub use run_until::{LEVEL_OF_LOOK, compare_until, looks, run_until};
pub use shard::Shard;
pub use stats::{FailedGame, Measured, Report, Standing};
pub use summary::{
    Cell, Row, Section, compared, ladder_table, matters_tables, summary, swept, swept_rows, verdict_text,
};
pub use sweep::{MOST_VALUES, Sweep, sweep, sweep_values};
pub use table_file::table_file;
pub use tally::{Details, Reason, Reasons, TileTally};
