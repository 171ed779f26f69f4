//! Measures the speed of the window: `cargo bench -p editor`. Compare only rows of the same run,
//! because machines are noisy. The benchmarks run without a display: they lay each frame out, draw
//! it as shapes and tessellate it, which is the processor's share of the work.
#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark fails by panicking")]

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use divan::{Bencher, black_box};
use editor::frame_cost::{ALL_OVERLAYS, HiddenWindow, N_TILES, large_board};
use editor::{Action, BalanceAction, Command, StartOptions};
use egui::Event;
use platform::fs::TempDir;
use table::Setup;

fn main() {
    divan::main();
}

fn mods() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../mods")
}

/// Returns the folder of the mods, and a window with a game between bots that has `n_tiles` tiles
/// on the board.
fn large_window(n_tiles: usize) -> (TempDir, HiddenWindow) {
    large_board(&|file| fs::read_to_string(mods().join("base").join(file)), n_tiles).unwrap()
}

fn draw_frame(window: &RefCell<HiddenWindow>) -> usize {
    window.borrow_mut().draw_frame(Vec::new())
}

fn bench_frames(bencher: Bencher<'_, '_>, commands: &[Command]) {
    let (_temp, mut window) = large_window(N_TILES);
    window.run_commands(commands);
    let window = RefCell::new(window);
    for _ in 0..10 {
        draw_frame(&window);
    }
    bencher.bench_local(|| black_box(draw_frame(&window)));
}

/// Draws a frame of a board with 300 tiles, without overlays. The goal is 4 ms.
#[divan::bench(sample_count = 200)]
fn frame_of_300_tiles(bencher: Bencher<'_, '_>) {
    bench_frames(bencher, &[]);
}

/// Draws a frame of a board with 300 tiles, with all overlays. The goal is 8 ms.
#[divan::bench(sample_count = 200)]
fn frame_of_300_tiles_with_all_overlays(bencher: Bencher<'_, '_>) {
    bench_frames(bencher, &ALL_OVERLAYS);
}

/// Draws a frame of a board with 300 tiles while the balance panel plays bot games on other
/// threads. No frame may wait for these games.
#[divan::bench(sample_count = 400)]
fn frame_of_300_tiles_beside_balance(bencher: Bencher<'_, '_>) {
    let (_temp, window) = large_window(N_TILES);
    bench_balance_frames(bencher, window);
}

/// Draws a frame of the balance panel during a run. The goal is 8 ms.
#[divan::bench(sample_count = 400)]
fn frame_of_balance(bencher: Bencher<'_, '_>) {
    let (_temp, mut window) = large_window(10);
    window.run_commands(&[Command::Balance]);
    bench_balance_frames(bencher, window);
}

fn bench_balance_frames(bencher: Bencher<'_, '_>, window: HiddenWindow) {
    let (ctx, window) = (window.ctx.clone(), RefCell::new(window));
    bencher.bench_local(|| {
        let mut window = window.borrow_mut();
        if !window.app.balance().is_running() {
            window.app.act(&ctx, Action::Balance(BalanceAction::Run));
        }
        black_box(window.draw_frame(Vec::new()))
    });
}

/// Types into a script of 500 lines, one character per frame. The goal is 4 ms.
#[divan::bench(sample_count = 200)]
fn typing_in_500_lines(bencher: Bencher<'_, '_>) {
    let (temp, mut window) = large_window(5);
    let script = temp.path().join("base/rules.rhai");
    let own = fs::read_to_string(&script).unwrap();
    let more = (0..120).map(|i| {
        format!(
            "/// Adds {i} to what it is given.\nfn add_{i}(number) {{\n    number + {i} * settings.small_city\n}}\n"
        )
    });
    fs::write(&script, format!("{own}{}", more.collect::<String>())).unwrap();
    let ctx = window.ctx.clone();
    window.app.act(&ctx, Action::OpenFile(script, 250));
    for _ in 0..10 {
        window.draw_frame(Vec::new());
    }
    let window = RefCell::new(window);
    bencher.bench_local(|| black_box(window.borrow_mut().draw_frame(vec![Event::Text("x".to_owned())])));
}

/// Returns a window with a finished bot game of the base mod.
fn whole_game(start: StartOptions) -> HiddenWindow {
    let mut setup = Setup { seed: Some(1), ..Setup::of(&["base"], 2) };
    setup.bots = setup.players.iter().map(|p| (p.clone(), "random".to_owned())).collect();
    // `at_once` is false, as in the real window: a worker paints pictures, and no frame waits for
    // them.
    let mut window = HiddenWindow::open(StartOptions { setup: Some(setup), ..start }).unwrap();
    while !window.app.snapshot().view().is_over() {
        window.draw_frame(Vec::new());
    }
    window
}

/// Opens a record of 72 turns. The goal is 30 ms together with `scrub_to_any_turn`.
#[divan::bench]
fn open_a_record_of_72_turns(bencher: Bencher<'_, '_>) {
    let temp = tempfile::tempdir().unwrap();
    let window = whole_game(StartOptions { mods: Some(vec![mods()]), ..StartOptions::default() });
    let file = temp.path().join("a.game");
    fs::write(&file, window.app.snapshot().record_text()).unwrap();
    let library = table::Library::open(&[mods()]);
    bencher.bench_local(|| table::open_record(&library, black_box(&file)).map(|o| o.session.steps().len()).unwrap());
}

/// Scrubs to any turn of a game of 72 turns, and draws the frame that shows it. The goal is 30 ms.
#[divan::bench]
fn scrub_to_any_turn(bencher: Bencher<'_, '_>) {
    let window = RefCell::new(whole_game(StartOptions { mods: Some(vec![mods()]), ..StartOptions::default() }));
    let len = window.borrow().app.snapshot().steps().len();
    let mut at = 0;
    bencher.bench_local(|| {
        let mut window = window.borrow_mut();
        let ctx = window.ctx.clone();
        at = (at + 7919) % len;
        window.app.act(&ctx, Action::GoTo(at));
        window.draw_frame(Vec::new())
    });
}

/// Measures the time from a save of a mod's file in the window until a finished game is replayed
/// under the new rules. The goal is 20 ms at the 95th percentile; the row shows the slowest of a
/// hundred saves.
#[divan::bench(sample_count = 100, sample_size = 1)]
fn own_save_to_updated_game(bencher: Bencher<'_, '_>) {
    save_to_updated_game(bencher, |window| {
        let ctx = window.ctx.clone();
        window.app.act(&ctx, Action::Saved);
    });
}

/// Measures the time from a save by another program until a finished game is replayed under the new
/// rules, including the debounce delay of the watcher. The goal is 100 ms.
#[divan::bench(sample_count = 100, sample_size = 1)]
fn other_save_to_updated_game(bencher: Bencher<'_, '_>) {
    save_to_updated_game(bencher, |_| {});
}

/// Writes a file, calls `saved`, and draws frames until the game has the new rules.
fn save_to_updated_game(bencher: Bencher<'_, '_>, saved: impl Fn(&mut HiddenWindow)) {
    let temp = tempfile::tempdir().unwrap();
    let to = temp.path().join("base");
    fs::create_dir_all(&to).unwrap();
    for file in ["mod.toml", "rules.rhai", "tiles.toml"] {
        fs::copy(mods().join("base").join(file), to.join(file)).unwrap();
    }
    let window =
        whole_game(StartOptions { mods: Some(vec![temp.path().to_owned()]), watch: true, ..StartOptions::default() });
    let window = RefCell::new(window);
    let manifest = to.join("mod.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let mut points = 1;
    bencher.bench_local(|| {
        let mut window = window.borrow_mut();
        let before = window.app.snapshot().revision();
        points = 1 + points % 7;
        fs::write(&manifest, text.replace("complete = \"tiles\"", &format!("complete = \"{points} * tiles + 1\"")))
            .unwrap();
        saved(&mut window);
        while window.app.snapshot().revision() == before {
            // Polls often, because in these benchmarks the watcher cannot wake the window.
            std::thread::sleep(std::time::Duration::from_micros(200));
            window.draw_frame(Vec::new());
        }
    });
}
