#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test fails by panicking"))]

mod ablation;
mod calls;
mod changed_rules;
mod column_file;
mod compare;
mod detail;
mod example;
mod findings;
mod game;
mod goal;
mod goal_search;
mod html;
mod improve;
mod interval;
mod json;
mod ladder;
mod measure;
mod moments;
mod option_worth;
mod plan;
mod report_table;
mod result;
mod rows;
mod rule_part;
mod run;
mod run_until;
mod sequential;
mod shard;
mod stats;
mod summary;
mod sweep;
mod table;
mod table_file;
mod tally;
mod thinking;
mod training;

pub use ablation::{AblationResults, AblationStudy, OrderDependence, RuleEffect, measure_ablation};
pub use calls::FunctionCalls;
pub use column_file::{CellValue, ColumnKind, TableColumn};
pub use compare::{Arm, Comparison, Difference, Verdict, compare};
pub use detail::points_by_rule;
pub use example::{ExampleGame, ExamplePosition, Subject, replay_difference, replay_example};
pub use findings::{FINDINGS, findings_table};
pub use game::MAX_ANSWERS;
pub use goal::{Goal, GoalError, GoalSubject, GoalVerdict, goal_names};
pub use goal_search::{
    Compromise, GoalProgress, GoalResults, GoalSearch, GoalStateError, GoalTask, PlanOf, Varied, search_goals,
};
pub use html::{compared_page, page, swept_page, tables_page};
pub use improve::{ImproveProgress, Improvement, improve};
pub use interval::{DEFAULT_LEVEL, Interval};
pub use json::{goal_json, report_json, section_json};
pub use ladder::{Ladder, LadderPair, ladder_plans, play_ladder, strength_plans};
pub use measure::Measure;
pub use moments::{Bar, Histogram, Moments};
pub use option_worth::{option_patterns, option_plans};
pub use plan::{Plan, PlanError, seed_of_game};
pub use report_table::{ReportCell, ReportRow, ReportSection};
pub use result::{GameDetail, GameResult, N_MOMENTS};
pub use rows::{RowWriter, TableFormat, columns, values};
pub use rule_part::RulePart;
pub use run::run;
pub use run_until::{CHECK_LEVEL, compare_until, run_until, schedule_of_checks};
pub use sequential::{PairResults, SequentialRun, SequentialTest, TestVerdict, run_sequential};
pub use shard::{Shard, ShardError};
pub use stats::{FailedGame, MeasureStats, Report, Standing, merge_into};
pub use summary::{
    ablation_tables, comparison_table, goal_table, ladder_table, summary, sweep_tables, swept_rows, verdict_text,
};
pub use sweep::{MAX_VALUES, Sweep, ValuesError, listed_values, sweep, sweep_values};
pub use table_file::table_file;
pub use tally::{Details, OptionUse, ReasonPoints, ReasonTotals, TileTally};
pub use thinking::ThinkingTime;
pub use training::{RecordedGames, RecordedPosition, TrainingReport, TrainingStart, record_positions, train};
