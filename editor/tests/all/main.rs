//! Tests of the window without a display.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod balance;
mod board;
mod common;
mod crashes;
mod display;
mod files;
mod guests;
mod joining;
mod learning;
mod links;
mod long;
mod making;
mod mod_files;
mod new_game;
mod opening;
mod packages;
mod pictures;
mod play;
mod printing;
mod puzzles;
mod records;
mod reload;
mod rules;
mod scores;
mod testing;
mod tiles;
mod typing;
mod workspaces;
