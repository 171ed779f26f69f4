//! Long sessions in the window. They are short unless the variable `LONG` sets their length. They
//! print the memory in use, which is meaningful only if a single test runs in the process.

use std::fs;
use std::time::Instant;

use crate::common::*;
use crate::reload::{last_scores, watched};
use editor::{StartOptions, Tone};
use testkit::{CopiedMod, held_memory_kb, mods_folder, write_many_tiles};

/// Returns the number of repetitions: the value of `LONG`, or else `short`.
fn times(short: usize) -> usize {
    std::env::var("LONG").ok().and_then(|n| n.parse().ok()).unwrap_or(short)
}

/// Prints the duration of a session of `n` repetitions, and the memory early in the session and at
/// its end.
fn tell(what: &str, n: usize, begun: Instant, early: u64) {
    let (took, late) = (begun.elapsed().as_secs_f64(), held_memory_kb());
    let [early, late] = [early, late].map(|kilobytes| kilobytes as f64 / 1024.0);
    eprintln!("{what}: {n} in {took:.0} s; {early:.0} MB after a tenth, {late:.0} MB in the end");
}

#[test]
fn many_tiles() {
    let n = times(40);
    let temp = tempfile::tempdir().unwrap();
    write_many_tiles(temp.path(), n);
    let mods = Some(vec![mods_folder(), temp.path().to_owned()]);
    let mut window =
        open(StartOptions { mods, data: Some(temp.path().join("data")), ..game(&["many"], 2, 2) }, 1400.0, 900.0);
    let n_laid = |window: &Window| session(window).view().tiles().len();
    let (begun, mut early) = (Instant::now(), 0);
    while !session(&window).view().is_over() {
        let before = session(&window).steps().len();
        window.run_steps(1);
        if early == 0 && n_laid(&window) > n / 10 {
            early = held_memory_kb();
        }
        let now = session(&window);
        assert!(now.steps().len() > before || now.view().is_over(), "nobody answers: {:?}", now.awaited_actor());
    }
    assert!(n_laid(&window) > n, "{} tiles", n_laid(&window));
    tell("tiles in the window", n_laid(&window), begun, early);
}

#[test]
fn many_reloads() {
    let n = times(6);
    let base = CopiedMod::of("base");
    let mut window = watched(base.library());
    let manifest = base.file("mod.toml");
    let usual = fs::read_to_string(&manifest).unwrap();
    let dear = usual
        .replace("complete = \"tiles\"", "complete = \"5 * tiles\"")
        .replace("complete = \"2 *", "complete = \"9 *");
    let (begun, mut early, scores) = (Instant::now(), 0, last_scores(&window));
    for i in 0..n {
        fs::write(&manifest, if i % 2 == 0 { &dear } else { &usual }).unwrap();
        wait_until(&mut window, "the change", |app| {
            (app.snapshot().steps().last().unwrap().scores == scores) == (i % 2 == 1)
        });
        if i == n / 10 {
            early = held_memory_kb();
        }
    }
    assert!(app(&window).notifications().items().iter().all(|news| news.tone != Tone::Bad));
    tell("reloads in the window", n, begun, early);
}
