//! Exporting a mod as a zip archive, and installing it.

use std::fs;

use crate::common::*;
use editor::{Action, PackageAction, StartOptions};
use egui_kittest::kittest::Queryable as _;
use testkit::CopiedMod;

fn act(window: &mut Window, action: Action) {
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
    window.run_steps(5);
}

fn is_shown(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

#[test]
fn a_mod_is_packed_and_installed_elsewhere() {
    let (base, barons) = (CopiedMod::of("base"), CopiedMod::of("king-baron"));
    let temp = tempfile::tempdir().unwrap();
    let start = StartOptions { mods: Some(vec![base.library().to_owned()]), ..game(&["base"], 2, 0) };
    let mut window = open(start, 1024.0, 600.0);
    let zip = temp.path().join("barons.zip");
    act(&mut window, Action::Package(PackageAction::Export(barons.library().join("king-baron"), zip.clone())));
    assert!(app(&window).notifications().last().unwrap().text.contains("saved "));
    act(&mut window, Action::Package(PackageAction::LookAt(zip.clone())));
    for text in ["Install a mod", "king-baron", "kinds of tiles", "mod.toml", "use the network"] {
        assert!(is_shown(&window, text), "{text}");
    }
    assert!(!base.library().join("king-baron").exists(), "nothing is written before the user agrees");
    click(&mut window, "Install");
    window.run_steps(4);
    assert!(base.library().join("king-baron/mod.toml").exists());
    assert!(!app(&window).view_state().windows.install);

    // Installing a changed version names the installed one and backs it up.
    barons.edit("mod.toml", "version = \"1.", "version = \"9.");
    act(&mut window, Action::Package(PackageAction::LookAt(barons.library().join("king-baron"))));
    assert!(is_shown(&window, "is installed. 9."), "the versions are shown");
    window.query_all_by_label_contains("Replace 1.").next().expect("a button").click();
    window.run_steps(5);
    assert_eq!(fs::read_dir(base.library().join(".replaced")).unwrap().count(), 1);
}

#[test]
fn an_archive_that_could_do_harm_is_refused_in_the_window() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("evil.zip");
    fs::write(&path, b"PK nothing of use").unwrap();
    let mut window = open(game(&["base"], 2, 0), 1024.0, 600.0);
    act(&mut window, Action::Package(PackageAction::LookAt(path)));
    let news = app(&window).notifications().last().unwrap();
    assert!(news.text.contains("not a valid zip archive") && news.text.contains("bastide pack"), "{news:?}");
    assert!(!app(&window).view_state().windows.install);
}

#[test]
fn a_rulebook_is_saved_or_a_message_names_the_failing_example() {
    let (base, ideas) = (CopiedMod::of("base"), CopiedMod::of("own-ideas"));
    let temp = tempfile::tempdir().unwrap();
    let mods = [base.library(), ideas.library()].map(ToOwned::to_owned).to_vec();
    let start = StartOptions { mods: Some(mods), ..game(&["base"], 2, 0) };
    let mut window = open(start, 1024.0, 600.0);
    let ids = vec!["own-ideas".to_owned()];
    for (name, begin) in [("ideas.html", "<!doctype html>"), ("ideas.pdf", "%PDF")] {
        let file = temp.path().join(name);
        act(&mut window, Action::MakeBook(ids.clone(), file.clone()));
        assert!(fs::read(&file).unwrap().starts_with(begin.as_bytes()));
        assert!(app(&window).notifications().last().unwrap().text.contains("4 examples"));
    }
    let mut examples = fs::read_dir(ideas.file("tests")).unwrap().map(|entry| entry.unwrap().path());
    let example = examples.find(|path| fs::read_to_string(path).unwrap().contains("# book:")).unwrap();
    let changed = fs::read_to_string(&example).unwrap() + "\nexpect score red 999\n";
    fs::write(&example, changed).unwrap();
    let file = temp.path().join("broken.html");
    act(&mut window, Action::MakeBook(ids, file.clone()));
    let news = &app(&window).notifications().last().unwrap().text;
    let name = example.file_name().unwrap().to_str().unwrap();
    assert!(news.contains("the example fails") && news.contains(name) && !file.exists(), "{news}");
}
