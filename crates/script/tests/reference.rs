//! Tests that the reference contains all hooks, and everything that the definitions contain.

#![allow(clippy::unwrap_used)]

use rules::Hook;
use script::{definitions, docs};

#[test]
fn everything_is_documented() {
    let (docs, definitions) = (docs(), definitions());
    for hook in Hook::ALL {
        assert!(docs.contains(&format!("### `{}(", hook.info().name)), "{:?}", hook);
    }
    for line in definitions.lines().filter(|line| line.starts_with("fn ")) {
        let name = line.trim_start_matches("fn ").trim_start_matches("get ").split('(').next().unwrap();
        let written = [format!("`{name}("), format!(".{name}("), format!(".{name}`")];
        assert!(written.iter().any(|w| docs.contains(w)), "{name} is not in the reference");
    }
    for name in [
        "supply(player, piece)",
        "feature.n_tiles",
        "score.halve(score",
        "ask(player, prompt, options, #{ word: ..., about: ..., pass: ..., secret: ... }?)",
        "tile.direction(tag)",
    ] {
        let name = name.replace("(score", "(reason");
        assert!(docs.contains(&format!("`{name}")), "{name}");
    }
    assert!(definitions.starts_with("module static;"));
    assert!(definitions.contains("fn get kind(feature: Feature) -> String;"));
}
