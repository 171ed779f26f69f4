//! Measures the cost of calls of script functions, both as trees and in the interpreter: `cargo run
//! --release -p script --example cost`.

#![allow(clippy::unwrap_used)]

#[path = "../tests/table/mod.rs"]
mod table;

use std::rc::Rc;
use std::time::Instant;

use board::{FeatureRef, LayerIdx, ZoneRef};
use record::start_game;
use rules::{Hook, HookClass, ModIdx, Rules, Seat, Setup, Transaction, UnfinishedAward, Value};

fn main() {
    let scoring = [
        ("empty", ""),
        ("a number", "feature.n_tiles + 1;"),
        (
            "two comparisons of kinds",
            "if feature.kind == \"green\" || feature.kind == \"nothing\" { score.zero(\"x\"); }",
        ),
        (
            "a rich feature",
            "let rich = (feature.kind == \"way\" && feature.has(\"stones\")) || feature.has(\"goods\");
             if !rich { return; } if score.is_final { score.zero(\"open\"); return; }
             score.plus(feature.n_tiles + feature.count(\"stones\"), \"rich\");",
        ),
        (
            "a small one by a setting",
            "if feature.kind == \"way\" && score.is_complete && feature.n_tiles == 1 && settings.limit == 3 { score.replace(feature.n_tiles + feature.count(\"stones\"), \"small\"); }",
        ),
        ("a loop of 20", "let n = 0; for i in 0..20 { n += feature.n_tiles; }"),
        ("mem", "let n = mem.game.n;"),
    ];
    println!("   directly  interpreted");
    for (name, body) in scoring {
        let text = format!("fn score_value(feature, score) {{ {body} }}");
        print_costs(&text, Hook::ScoreValue, &format!("score_value: {name}"));
    }
    let events = [("empty", ""), ("an effect", "give(turn.player, \"coin\", 1);"), ("mem", "mem.game.n = 1;")];
    for (name, body) in events {
        let text = format!("fn setup() {{ {body} }}");
        print_costs(&text, Hook::Setup, &format!("event: {name}"));
    }
    let begin = Instant::now();
    for _ in 0..100 {
        table::host("fn setup() { }").unwrap();
    }
    println!("{:7.0} us  Host::new with inspect", begin.elapsed().as_secs_f64() * 1e4);
}

fn print_costs(text: &str, hook: Hook, name: &str) {
    let [directly, interpreted] = [true, false].map(|directly| cost(text, hook, directly));
    println!("{directly:7.0} ns {interpreted:7.0} ns  {name}");
}

/// Returns the shortest measured time of a call in nanoseconds. Runs a tree if `directly` is true,
/// otherwise the interpreter.
fn cost(text: &str, hook: Hook, directly: bool) -> f64 {
    let is_scoring = hook == Hook::ScoreValue;
    let (catalogue, host) = table::host(text).unwrap();
    host.use_trees(directly);
    let settings = Rules::default_settings(&catalogue);
    let rules = Rc::new(Rules::new(catalogue.clone(), settings, Box::new(host)));
    let game = start_game(rules.clone(), Setup::of(&["probe"], 2)).map_err(|_| "given").unwrap();
    let mut state = game.state().clone();
    let handler = &catalogue.handlers(hook)[0];
    let feature = FeatureRef { layer: LayerIdx(0), anchor: ZoneRef(0) };
    let scored = UnfinishedAward { is_complete: true, ..UnfinishedAward::of(feature, Seat(0)) };
    let args = [Value::Feature(feature), Value::Score];
    const ROUND: u32 = 3_000;
    let mut best = f64::MAX;
    for _ in 0..100 {
        let begin = Instant::now();
        for _ in 0..ROUND {
            let power = if is_scoring { HookClass::Pure } else { HookClass::Effect };
            let mut own = Transaction::new(Rules::clone(&rules), ModIdx(0), handler.function, power);
            if is_scoring {
                own = own.with_award(scored);
            }
            let args = if is_scoring { &args[..] } else { &[] };
            let result = rules.hooks.call(handler.function, args, &mut own.as_call(&mut state));
            assert!(result.is_ok());
        }
        best = best.min(begin.elapsed().as_secs_f64() * 1e9 / f64::from(ROUND));
    }
    best
}
