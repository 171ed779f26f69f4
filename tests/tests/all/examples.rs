//! The examples of hooks in the reference form a mod. Checks that each hook has an example, and
//! plays whole games with the mod.

use record::start_game;
use rules::{Hook, Setup};
use tests::{load_any, play_at_random, rules};

#[test]
fn every_hook_has_an_example_that_is_played() {
    let mods = ["hook-examples"];
    let loaded = load_any(&mods);
    let script = loaded.scripts().iter().find(|script| script.owner == mods[0]).unwrap();
    for hook in Hook::ALL {
        let begins = format!("fn {}({})", hook.info().name, hook.info().params.join(", "));
        assert!(script.text.contains(&begins), "{begins}");
    }
    for seed in 0..20 {
        let setup = Setup::of(&mods, 2 + (seed % 3) as usize);
        let mut game = start_game(rules(&loaded, &setup), setup).unwrap();
        play_at_random(&mut game, seed, |_| {});
    }
}
