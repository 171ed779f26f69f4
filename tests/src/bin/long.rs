//! Runs a long session and prints its figures: `cargo run --release -p tests --bin long -- reloads
//! 1000`.

use std::process::ExitCode;

use tests::long::{LongRunStats, measure_games, measure_reloads, measure_tiles, measure_undos};

/// The permitted growth of memory after the first tenth, in kilobytes. The growth includes the log
/// of a game with many answers and the allocator's reserve.
const MAX_GROWTH_KB: u64 = 24 * 1024;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let sitting: fn(usize) -> LongRunStats = match args.first().map(String::as_str) {
        Some("tiles") => measure_tiles,
        Some("reloads") => measure_reloads,
        Some("undos") => measure_undos,
        Some("games") => measure_games,
        _ => {
            eprintln!("long tiles|reloads|undos|games N");
            return ExitCode::from(2);
        }
    };
    let Some(n) = args.get(1).and_then(|n| n.parse().ok()) else {
        eprintln!("N, the number of repetitions, is missing or not a number");
        return ExitCode::from(2);
    };
    let figures = sitting(n);
    let LongRunStats { n, seconds, early, late } = &figures;
    println!(
        "{} {n}: {seconds:.1} s, {:.2} ms each, {early} kB after a tenth, {late} kB at the end",
        args[0],
        1000.0 * seconds / *n as f64
    );
    if figures.growth() > MAX_GROWTH_KB {
        println!("memory grew by {} kB", figures.growth());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
