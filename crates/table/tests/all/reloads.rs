//! A table of the effects of each kind of change to mods on a running game.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use expect_test::expect_file;
use record::state_hash;
use table::{Library, ReloadOutcome, RulesChoice, Session, Setup, begin_game};
use testkit::CopiedMod;

use crate::common::{play, texts};

/// A mod with a script, settings, tokens and a phase, played with the base game.
const TOLL: [(&str, &str); 4] = [
    (
        "mod.toml",
        "[mod]
id = \"toll\"
version = \"1.0.0\"
requires = [\"base\"]

[setting.toll]
default = 1
choices = [1, 2, 3]

[setting.rich]
default = false

[token.coin]
per_player = 2

[[phase]]
id = \"gate\"
slot = \"placed\"
",
    ),
    ("tiles.toml", "[tile]\nT1 = { count = 9, road = \"n-s\" }\nT2 = { count = 9, road = \"e-w\", city = \"n\" }\n"),
    (
        "rules.rhai",
        "fn tile_placed(tile) {
    score(turn.player, settings.toll, \"toll\");
}

fn phase_gate() {
}
",
    ),
    ("theme.toml", "[palette.dusk]\ntitle = \"Dusk\"\n"),
];

/// A change of the mods of a game.
enum ModChange {
    /// Edits a file of the mod: the name of the file, the old text and the new text.
    Edit(&'static str, &'static str, &'static str),
    /// Writes a file of the mod: the name of the file and its new text.
    Write(&'static str, &'static str),
    /// Deletes the file or folder at this path below the folder of mods.
    Delete(&'static str),
    /// Renames a file or folder below the folder of mods: the old path and the new path.
    Rename(&'static str, &'static str),
    /// Replaces this file of the mod with a folder.
    Folder(&'static str),
    /// Plays the game with these mods.
    Use(&'static [&'static str]),
}
use ModChange::{Delete, Edit, Folder, Rename, Use, Write};

const CHANGES: &[(&str, ModChange)] = &[
    ("nothing but saved", Edit("rules.rhai", "toll", "toll")),
    ("a comment", Edit("rules.rhai", "fn tile_placed", "// Who passes pays.\nfn tile_placed")),
    ("a rule that pays more", Edit("rules.rhai", "settings.toll,", "settings.toll + 1,")),
    (
        "a rule that pays later",
        Edit("rules.rhai", "fn tile_placed(tile) {", "fn tile_placed(tile) {\n    if turn.number < 9 { return; }"),
    ),
    ("a rule that fails", Edit("rules.rhai", "settings.toll,", "1 / 0,")),
    ("a rule that fails late", Edit("rules.rhai", "settings.toll,", "1 / (9 - turn.number),")),
    ("a rule that never ends", Edit("rules.rhai", "score(", "loop { }\n    score(")),
    (
        "a question that may be passed",
        Edit(
            "rules.rhai",
            "fn phase_gate() {",
            "fn phase_gate() {\n    ask(turn.player, \"Pay?\", [\"pay\"], #{ pass: true });",
        ),
    ),
    (
        "a question that may not",
        Edit(
            "rules.rhai",
            "fn phase_gate() {",
            "fn phase_gate() {\n    ask(turn.player, \"Pay?\", [\"pay\", \"run\"]);",
        ),
    ),
    ("a misspelt function", Edit("rules.rhai", "score(", "scroe(")),
    ("a misspelt hook", Edit("rules.rhai", "tile_placed", "tile_palced")),
    ("a half-written script", Write("rules.rhai", "fn tile_placed(tile) {\n    score(turn.pla")),
    ("an empty script", Write("rules.rhai", "")),
    ("a script deleted", Delete("toll/rules.rhai")),
    ("a script renamed", Rename("toll/rules.rhai", "toll/rule.rhai")),
    ("a script that is a folder", Folder("rules.rhai")),
    ("other points of the game", Edit("../base/mod.toml", "complete = \"tiles\"", "complete = \"5 * tiles\"")),
    ("a setting with another default", Edit("mod.toml", "default = 1", "default = 3")),
    ("a setting without the chosen value", Edit("mod.toml", "choices = [1, 2, 3]", "choices = [1, 3]")),
    ("a setting renamed", Edit("mod.toml", "setting.rich", "setting.wealthy")),
    ("more of a token", Edit("mod.toml", "per_player = 2", "per_player = 5")),
    ("another version", Edit("mod.toml", "1.0.0", "1.1.0")),
    ("a misspelt key", Edit("mod.toml", "per_player", "per_palyer")),
    ("a half-written manifest", Write("mod.toml", "[mod]\nid = \"to")),
    ("an empty manifest", Write("mod.toml", "")),
    ("a manifest deleted", Delete("toll/mod.toml")),
    ("another id", Edit("mod.toml", "id = \"toll\"", "id = \"tolls\"")),
    ("more copies of a tile", Edit("tiles.toml", "count = 9, road = \"n-s\"", "count = 12, road = \"n-s\"")),
    ("fewer copies than were drawn", Edit("tiles.toml", "count = 9, road = \"n-s\"", "count = 1, road = \"n-s\"")),
    ("a tile with another edge", Edit("tiles.toml", "road = \"n-s\"", "city = \"n-s\"")),
    ("a tile with an edge that is none", Edit("tiles.toml", "road = \"n-s\"", "road = \"n-q\"")),
    ("a tile renamed", Edit("tiles.toml", "T1", "T9")),
    ("a new tile", Edit("tiles.toml", "T1", "T0 = { count = 3, city = \"n\" }\nT1")),
    (
        "tiles in another order",
        Write(
            "tiles.toml",
            "[tile]\nT2 = { count = 9, road = \"e-w\", city = \"n\" }\nT1 = { count = 9, road = \"n-s\" }\n",
        ),
    ),
    ("half-written tiles", Write("tiles.toml", "[tile]\nT1 = { count = 9, ro")),
    ("tiles deleted", Delete("toll/tiles.toml")),
    ("another theme", Write("theme.toml", "[palette.dusk]\ntitle = \"Dawn\"\n")),
    ("a broken theme", Write("theme.toml", "[palette.dusk]\nground = \"gold-ish\"\n")),
    ("the folder renamed", Rename("toll", "tolls")),
    ("the folder deleted", Delete("toll")),
    ("the game deleted", Delete("base")),
    ("the mod switched off", Use(&["base"])),
    ("the mod asked for with the game", Use(&["base", "toll"])),
    ("a mod that is not there", Use(&["toll", "bridges"])),
];

/// Restores the original base game and the original mod on disk.
fn restore(base: &CopiedMod) {
    let library = base.library();
    for folder in ["base", "toll", "tolls"] {
        let _ = fs::remove_dir_all(library.join(folder));
    }
    let again = CopiedMod::of("base");
    fs::rename(again.library().join("base"), library.join("base")).unwrap();
    fs::create_dir(library.join("toll")).unwrap();
    TOLL.iter().for_each(|(name, text)| fs::write(library.join("toll").join(name), text).unwrap());
}

fn make(change: &ModChange, library: &Path) {
    let own = |name: &str| library.join("toll").join(name);
    match change {
        Edit(name, from, to) => {
            let text = fs::read_to_string(own(name)).unwrap();
            assert!(text.contains(from), "{name}: {from}");
            fs::write(own(name), text.replacen(from, to, 1)).unwrap();
        }
        Write(name, text) => fs::write(own(name), text).unwrap(),
        Delete(path) if library.join(path).is_dir() => fs::remove_dir_all(library.join(path)).unwrap(),
        Delete(path) => fs::remove_file(library.join(path)).unwrap(),
        Rename(from, to) => fs::rename(library.join(from), library.join(to)).unwrap(),
        Folder(name) => {
            fs::remove_file(own(name)).unwrap();
            fs::create_dir(own(name)).unwrap();
        }
        Use(_) => {}
    }
}

fn told(outcome: &ReloadOutcome) -> String {
    match outcome {
        ReloadOutcome::Untouched => "untouched".to_owned(),
        ReloadOutcome::Same => "same".to_owned(),
        ReloadOutcome::Changed(what) | ReloadOutcome::Diverged(what) => what.clone(),
        ReloadOutcome::Failed(problems) => {
            let list = problems.list().iter().map(ToString::to_string);
            format!("failed: {}", list.collect::<Vec<_>>().join("\n    "))
        }
        ReloadOutcome::Stopped => "stopped".to_owned(),
    }
}

/// Returns the hash of the whole position.
fn hash(session: &Session) -> u64 {
    let game = session.game();
    state_hash(&game.rules().ruleset, game.state())
}

#[test]
fn each_change_has_its_outcome_and_can_be_taken_back() {
    let base = CopiedMod::of("base");
    let library = Library::open(&[base.library().to_owned()]);
    let toll = vec!["toll".to_owned()];
    let mut shown = String::new();
    for (what, change) in CHANGES {
        restore(&base);
        let mut setup = Setup { seed: Some(5), ..Setup::of(&["toll"], 2) };
        setup.settings.push(("toll.toll".to_owned(), "2".to_owned()));
        let mut session = begin_game(&library, setup).unwrap();
        play(&mut session, 40);
        let before = (hash(&session), texts(&session));
        make(change, base.library());
        let chosen = RulesChoice::from_setup(session.setup());
        let with = |mods: Vec<String>| chosen.clone().with_mods(mods);
        let used = if let Use(ids) = change { ids.iter().map(|id| (*id).to_owned()).collect() } else { toll.clone() };
        let outcome = session.change_rules(&with(used));
        let text = told(&outcome).replace(&format!("{}/", base.library().display()), "");
        write!(shown, "{what}\n    {text}\n").unwrap();
        if let Some(fault) = session.view().fault() {
            writeln!(shown, "    stands still: {}", fault.failure.message).unwrap();
        }
        // A reload that fails, diverges or makes no difference changes neither the position nor its
        // options.
        if matches!(
            outcome,
            ReloadOutcome::Failed(_) | ReloadOutcome::Diverged(_) | ReloadOutcome::Untouched | ReloadOutcome::Same
        ) {
            assert_eq!((hash(&session), texts(&session)), before, "{what}");
        }
        restore(&base);
        let outcome = session.change_rules(&with(toll.clone()));
        assert!(session.view().fault().is_none(), "{what}, taken back");
        if (hash(&session), texts(&session)) != before {
            writeln!(shown, "    taken back: {}", told(&outcome)).unwrap();
        }
    }
    expect_file!["../reloads.txt"].assert_eq(&shown);
}

#[test]
fn what_other_mods_would_change_is_known_beforehand() {
    let base = CopiedMod::of("base");
    restore(&base);
    let library = Library::open(&[base.library().to_owned()]);
    let mut session = begin_game(&library, Setup { seed: Some(5), ..Setup::of(&["toll"], 2) }).unwrap();
    play(&mut session, 40);
    let (before, revision) = ((hash(&session), texts(&session)), session.revision());
    let without = RulesChoice::from_setup(session.setup()).with_mods(vec!["base".to_owned()]);
    let said = session.describe_effect(&without).unwrap();
    assert_eq!((hash(&session), texts(&session)), before);
    assert!(session.revision() == revision, "nothing has changed");
    let (ReloadOutcome::Changed(happened) | ReloadOutcome::Diverged(happened)) = session.change_rules(&without) else {
        panic!("the game is another one without the toll");
    };
    let why = happened.strip_prefix("diverged: ").unwrap_or(&happened);
    assert_eq!(said, format!("a move of this game would become illegal: {why}"));
    let unknown = without.clone().with_mods(vec!["nothing".to_owned()]);
    let said = session.describe_effect(&unknown).unwrap();
    assert!(said.starts_with("these mods cannot be loaded: ") && !said.contains("error:"), "{said}");
    let none = without.with_mods(Vec::new());
    assert_eq!(session.describe_effect(&none).unwrap(), "no mod is chosen, so there is nothing to play");
}

#[test]
fn a_setting_is_tried_in_a_running_game_and_goes_back() {
    let base = CopiedMod::of("base");
    restore(&base);
    let library = Library::open(&[base.library().to_owned()]);
    let mut session = begin_game(&library, Setup { seed: Some(5), ..Setup::of(&["toll"], 2) }).unwrap();
    play(&mut session, 40);
    let (before, as_it_was) = ((hash(&session), texts(&session)), RulesChoice::from_setup(session.setup()));
    let dear = as_it_was.clone().with_setting("toll.toll", Some("3".to_owned()));
    let said = session.describe_effect(&dear).unwrap();
    assert!(said.ends_with("; toll.toll is 3"), "{said}");
    let ReloadOutcome::Changed(happened) = session.change_rules(&dear) else { panic!("points are others") };
    assert_eq!((said, &*session.setup().settings), (happened, &[("toll.toll".to_owned(), "3".to_owned())][..]));
    assert_ne!(hash(&session), before.0);
    let ReloadOutcome::Changed(happened) = session.change_rules(&as_it_was) else { panic!("points are others") };
    assert!(happened.ends_with("; toll.toll has its default value again"), "{happened}");
    assert_eq!((hash(&session), texts(&session)), before);
    let ReloadOutcome::Changed(wrong) = session.change_rules(&dear.with_setting("toll.toll", Some("dear".to_owned())))
    else {
        panic!("it says what is wrong")
    };
    assert!(wrong.contains("`toll.toll = dear` is not in force: "), "{wrong}");
}
