//! Games for tests.

use table::{AwaitedActor, Library, Session, Setup, begin_game};
use testkit::CopiedMod;

/// Makes a copy of the base game that a test may change, and a library that contains it.
pub fn copy_of_base() -> (CopiedMod, Library) {
    let base = CopiedMod::of("base");
    let library = Library::open(&[base.library().to_owned()]);
    (base, library)
}

pub fn begin(library: &Library, n_bots: usize) -> Session {
    let mut setup = Setup { seed: Some(3), ..Setup::of(&["base"], 2) };
    let players = setup.players.clone();
    setup.bots = players.iter().rev().take(n_bots).map(|p| (p.clone(), "random".to_owned())).collect();
    begin_game(library, setup).unwrap()
}

/// Gives the first offered answer `n` times. Chance and bots answer in between. Saves all answers.
pub fn play(session: &mut Session, n: usize) {
    for _ in 0..n {
        while matches!(session.awaited_actor(), AwaitedActor::Chance | AwaitedActor::Bot(_)) {
            assert!(session.advance());
        }
        let Some(answer) = session.view().answers().first().copied() else { return };
        session.answer(answer).unwrap();
        session.save();
    }
}

pub fn texts(session: &Session) -> Vec<String> {
    session.steps().iter().map(|s| s.text.clone()).collect()
}
