//! Tests with a real server and real connections.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agreement;
mod page;
mod page_guest;
mod served;
mod tables;
