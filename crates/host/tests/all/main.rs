//! Tests with a real server and real connections.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod page;
mod served;
mod tables;
