//! Trains the learned value of `search` from nothing: plays 4,000 base games between greedy players
//! and writes `crates/players/src/learned_value.txt`.
//!
//! `cargo run --release -p sim --example train_value [FILE] [SEED]`

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a tool for developers")]

use std::thread::available_parallelism;
use std::time::Instant;

use loader::Library;
use players::player_named;
use rules::{Rules, Setup};
use sim::{Plan, record_positions, train};

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap_or_else(|| "crates/players/src/learned_value.txt".to_owned());
    let seed = args.next().map_or(1, |it| it.parse().unwrap());
    let begun = Instant::now();
    let (loaded, problems) = Library::builtin().load(&["base"]);
    let loaded = loaded.unwrap_or_else(|| panic!("{problems}"));
    let bots = ["greedy", "greedy"].map(|name| player_named(name).unwrap()).to_vec();
    let settings = Rules::default_settings(loaded.catalogue());
    let n_threads = available_parallelism().map_or(1, usize::from);
    let plan = Plan { seed, n_threads, ..Plan::new(Setup::of(&["base"], 2), settings, bots, 4000) };
    let positions = record_positions(&loaded, &plan, &mut |_| ()).unwrap();
    println!("{} positions after {:.0} s", positions.len(), begun.elapsed().as_secs_f64());
    let value = train(&positions, 8, seed, &mut |report| println!("{report:?}"));
    std::fs::write(&path, value.to_text()).unwrap();
    println!("{path} after {:.0} s", begun.elapsed().as_secs_f64());
}
