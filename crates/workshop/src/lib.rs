//! What people make mods with, without anything that draws: drafts of tiles, manifests that are edited with everything else in them kept, what an
//! author wants to know while writing rules, tests written from a moment of play, mods packed and installed.
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

pub mod checker;
pub mod document;
mod freeze;
mod record_on_disk;
pub mod rule_text;
mod rules_cache;
mod test_bench;
mod test_runs;

pub use freeze::{About, Beginning, Expectation, Frozen, counts_of, file_name_of, free_name, why_no_name, write_test};
pub use record_on_disk::{RecordOnDisk, fault_text};
pub use rules_cache::RulesCache;
pub use script::{ReferenceEntry, ReferenceKind, Vocabulary, reference};
pub use test_bench::{FailedLine, ModTest, TestResult, Untouched, run_tests, tests_of};
pub use test_runs::{Acceptance, CaseFile, CaseRun, Failure, LineChange, run_case};
