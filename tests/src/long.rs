//! Long sessions. Measures the cost of many tiles, reloads, undo steps and games, and checks that
//! memory does not grow with their number.

use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use loader::Library;
use record::start_game;
use rules::Setup;
use table::{AwaitedActor, ReloadOutcome, Session};
use testkit::{CopiedMod, held_memory_kb, mods_folder, write_many_tiles};

use crate::{EXPANSIONS, load, play_at_random, rules, sitting};

/// The measured figures of a long session.
#[derive(Clone, Debug)]
pub struct LongRunStats {
    /// The number of repetitions; for [`measure_tiles`], the number of placed tiles.
    pub n: usize,
    /// The duration of the session, in seconds.
    pub seconds: f64,
    /// The memory in use after a tenth of the session, in kilobytes.
    pub early: u64,
    /// The memory in use at the end, in kilobytes.
    pub late: u64,
}

impl LongRunStats {
    /// Runs `act` `n` times, and measures the duration and the memory.
    fn measure(n: usize, mut act: impl FnMut(usize)) -> LongRunStats {
        let begun = Instant::now();
        let mut early = 0;
        for i in 0..n {
            act(i);
            if i == n / 10 {
                early = held_memory_kb();
            }
        }
        LongRunStats { n, seconds: begun.elapsed().as_secs_f64(), early, late: held_memory_kb() }
    }

    /// Returns the growth of memory after the first tenth, in kilobytes.
    pub fn growth(&self) -> u64 {
        self.late.saturating_sub(self.early)
    }
}

/// Makes a session of these mods after some answers, with its record in `folder`.
fn session(library: &Library, ids: &[&str], folder: &Path, n_answers: usize) -> Session {
    let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    let mut session = sitting::begin(library, &ids, "random").unwrap_or_else(|e| panic!("{e}"));
    sitting::save_into(&mut session, &folder.join("long.game"));
    sitting::advance(&mut session, n_answers);
    session
}

/// Plays a game to its end with `n` extra tiles. Reads the board after every answer, as the window
/// does.
///
/// # Panics
/// Panics if the mods do not load, or if the game does not end.
pub fn measure_tiles(n: usize) -> LongRunStats {
    let temp = tempfile::tempdir().unwrap();
    write_many_tiles(temp.path(), n);
    let library = Library::open(&[mods_folder(), temp.path().to_owned()]);
    let mut session = session(&library, &["many"], temp.path(), 0);
    let mut figures = LongRunStats::measure(n, |_| {
        let n_laid = session.view().tiles().len();
        while session.view().tiles().len() == n_laid && session.advance() {
            assert!(session.view().scores().len() == 2 && session.view().features().len() < 100_000);
            session.save();
        }
    });
    while session.advance() {}
    assert_eq!(session.awaited_actor(), AwaitedActor::Nobody, "{:?}", session.view().fault());
    // A tile that fits nowhere is discarded.
    figures.n = session.view().tiles().len();
    figures
}

/// Saves a script `n` times during a game, alternating between two versions that score differently.
///
/// # Panics
/// Panics if a reload fails, or if the same version gives different scores.
pub fn measure_reloads(n: usize) -> LongRunStats {
    let base = CopiedMod::of("base");
    let temp = tempfile::tempdir().unwrap();
    let library = Library::open(&[base.library().to_owned()]);
    let mut session = session(&library, &["base"], temp.path(), 150);
    let script = base.read("rules.rhai");
    let other = script.replace("score.replace(", "score.replace(7 + ");
    let mut scores = [None, None];
    LongRunStats::measure(n, |i| {
        base.write("rules.rhai", if i % 2 == 0 { &other } else { &script });
        let outcome = session.reload_mods();
        session.save();
        assert!(matches!(outcome, ReloadOutcome::Changed(_) | ReloadOutcome::Same), "{outcome:?}");
        let now = session.view().scores();
        assert_eq!(*scores[i % 2].get_or_insert_with(|| now.clone()), now);
    })
}

/// Goes back to a random position and then to the end again, `n` times.
///
/// # Panics
/// Panics if the game differs afterwards.
pub fn measure_undos(n: usize) -> LongRunStats {
    let temp = tempfile::tempdir().unwrap();
    let library = Library::open(&[mods_folder()]);
    let mut session = session(&library, &["base", "inns-cathedrals", "builders-traders"], temp.path(), 300);
    let before = session.view().position_lines();
    let mut dice = crate::Rng::new(1);
    let figures = LongRunStats::measure(n, |_| {
        let end = session.steps().len();
        session.go_to(dice.below(end + 1));
        if dice.below(2) == 0 {
            session.undo_target().into_iter().for_each(|to| session.go_to(to));
        }
        session.redo_target().into_iter().for_each(|to| session.go_to(to));
        session.go_to(end);
        session.save();
    });
    assert_eq!(session.view().position_lines(), before);
    figures
}

/// Plays `n` random games, divided equally among all sets of three expansions.
///
/// # Panics
/// Panics if a mod fails or the engine panics. Prints a short record that fails in the same way.
pub fn measure_games(n: usize) -> LongRunStats {
    let mut sets = Vec::new();
    for (i, a) in EXPANSIONS.iter().enumerate() {
        for (j, b) in EXPANSIONS.iter().enumerate().skip(i + 1) {
            sets.extend(EXPANSIONS[j + 1..].iter().map(|c| [*a, *b, *c]));
        }
    }
    // All games of a set are played in a row, so that each set is loaded only once.
    let a_set = n.div_ceil(sets.len());
    let mut playing: Option<(usize, Setup, Rc<rules::Rules>)> = None;
    LongRunStats::measure(n, |i| {
        let set = i / a_set;
        if playing.as_ref().is_none_or(|(known, ..)| *known != set) {
            let setup = Setup::of(&sets[set], 2 + i % 3);
            playing = Some((set, setup.clone(), rules(&load(&sets[set]), &setup)));
        }
        if let Some((_, setup, rules)) = &playing {
            let mut game = start_game(rules.clone(), setup.clone()).unwrap_or_else(|e| panic!("{e}"));
            play_at_random(&mut game, i as u64, |_| {});
        }
    })
}
