//! Balance: games of bots in the background, a baseline that is compared after a save, a game that is opened.

use crate::common::*;
use crate::reload::watched;
use editor::{Action, BalanceAction, Command};
use egui::Key;
use egui_kittest::kittest::Queryable as _;
use testkit::CopiedMod;

fn is_shown(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

#[test]
fn games_are_played_compared_after_a_save_and_opened() {
    let base = CopiedMod::of("base");
    let mut window = watched(base.library());
    // Those that a game is played by play its balance, and these here are quick.
    for seat in [0, 1] {
        let action = Action::SetBot(table::Seat(seat), Some("random".to_owned()));
        window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
    }
    window.run_steps(3);
    let give = |window: &mut Window, action: Action| {
        window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
        window.run_steps(3);
    };
    give(&mut window, Action::Command(Command::Balance));
    assert!(is_shown(&window, "Run 200 games"));
    press(&mut window, Key::F5);
    wait_until(&mut window, "all games", |app| {
        app.balance().seen().is_some_and(|seen| seen.report.n_games == 200) && !app.balance().is_running()
    });
    window.run_steps(3);
    for text in ["Who wins", "±", "margin of the winner", "Points by what they are for", "red wins"] {
        assert!(is_shown(&window, text), "{text}");
    }
    // A game that the first player has won is opened from its bar.
    let bar = window.query_all_by_label_contains("red wins").next().unwrap().rect().center();
    click_at(&mut window, bar, egui::PointerButton::Primary);
    assert!(is_shown(&window, "Games that it won"));
    let number = app(&window).balance().seen().unwrap().games.iter().find(|game| game.winners == [0]).unwrap().clone();
    give(&mut window, Action::Balance(BalanceAction::Pin));
    let manifest = base.read("mod.toml");
    base.write("mod.toml", &manifest.replace("complete = \"tiles\"", "complete = \"5 * tiles\""));
    wait_until(&mut window, "a comparison", |app| {
        let found = app.balance().seen().and_then(|seen| seen.comparison.as_ref());
        found.is_some_and(|found| found.n_pairs == 200) && !app.balance().is_running()
    });
    window.run_steps(3);
    assert!(is_shown(&window, "These rules differ from the pinned ones."));
    assert!(is_shown(&window, "the same in every game"), "what has not changed says so");
    base.write("mod.toml", &manifest);
    wait_until(&mut window, "nothing differs", |app| {
        let found = app.balance().seen().and_then(|seen| seen.comparison.as_ref());
        found.is_some_and(|found| found.n_pairs == 200 && found.n_changed == 0) && !app.balance().is_running()
    });
    give(&mut window, Action::Balance(BalanceAction::Open(number.number)));
    wait_until(&mut window, "the game", |app| app.session().view().is_over());
    assert_eq!(session(&window).view().scores(), number.scores);
}
