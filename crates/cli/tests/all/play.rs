//! `bastide play` as its users run it: output, saved games, and mods that change during a game.

use std::fs;

use crate::common::{TerminalGame, bastide, bastide_with, folder, small_mods, written};

#[test]
fn a_game_of_bots_is_played_to_its_end_and_kept() {
    let dir = folder();
    let args = ["play", "--players", "random,random", "--seed", "9", "--record", "bots.game"];
    let ran = bastide(dir.path(), &args).expect(0);
    assert!(ran.out.contains("The game is over.") && ran.out.contains("wins"), "{}", ran.out);
    let replayed = bastide(dir.path(), &["replay", "bots.game", "--json"]).expect(0).json_lines();
    assert_eq!(replayed.last().unwrap()["over"], true);
    let again = bastide(dir.path(), &args).expect(2);
    assert!(again.err.contains("bots.game"), "the seed is the record's: {}", again.err);
}

#[test]
fn a_person_can_play_undo_and_go_on_later() {
    let dir = folder();
    let args = ["play", "--players", "human,random", "--seed", "5", "--record", "g.game"];
    let ran = bastide_with(dir.path(), &args, "?\nnonsense\n1\n1\nb\ns\nu\nr\n1\nu\n2\nq\n").expect(0);
    assert!(ran.out.contains("Where does the tile go?") && ran.out.contains("is not offered here"), "{}", ran.out);
    let text = fs::read_to_string(dir.path().join("g.game")).unwrap();
    assert!(text.contains("bot blue random\n") && text.contains("seed 5\n") && text.contains("\nback "), "{text}");
    let before = bastide(dir.path(), &["replay", "g.game", "--json"]).expect(0).json_lines();
    assert_eq!(before[before.len() - 2]["who"], "red");
    // If a record ends in the middle of an answer, as after a crash, that line is dropped and the
    // game continues.
    fs::write(dir.path().join("g.game"), format!("{text}pas")).unwrap();
    let ran = bastide_with(dir.path(), &["play", "--record", "g.game"], "1\nq\n").expect(0);
    assert!(ran.err.contains("incomplete"), "{}", ran.err);
    let grown = fs::read_to_string(dir.path().join("g.game")).unwrap();
    assert!(grown.starts_with(&text) && grown.len() > text.len() && !grown.contains("pas\n"), "{grown}");
    bastide(dir.path(), &["replay", "g.game"]).expect(0);
    // Playing without --record does not change the record. The game stops at the end of the input.
    bastide_with(dir.path(), &["play", "g.game"], "1\n").expect(0);
    assert_eq!(fs::read_to_string(dir.path().join("g.game")).unwrap(), grown);
    // With --record, the game continues in a copy.
    bastide_with(dir.path(), &["play", "g.game", "--record", "copy.game"], "q\n").expect(0);
    bastide(dir.path(), &["replay", "copy.game"]).expect(0);
    bastide(dir.path(), &["play", "g.game", "--record", "copy.game"]).expect(1);
}

#[test]
fn what_only_one_may_see_is_shown_after_handing_over() {
    let dir = folder();
    let bids = format!("{}/secret-bids", small_mods());
    let args = ["play", "--mods", &bids, "--players", "human,human", "--seed", "5", "--record", "g.game"];
    let ran = bastide_with(dir.path(), &args, "1\n\nbid 3\n\nbid 2\nq\n").expect(0);
    let (before, after) = ran.out.split_once("Hand over to red").unwrap();
    assert!(!before.contains("bid 3"), "{}", ran.out);
    let (red, after) = after.split_once("Hand over to blue").unwrap();
    assert!(red.contains("What do you bid") && red.contains("bid 3"), "{}", ran.out);
    let (blue, after) = after.split_once("red: bid 3").unwrap();
    assert!(blue.contains("What do you bid") && after.contains("blue: bid 2"), "shown together: {}", ran.out);
    let text = fs::read_to_string(dir.path().join("g.game")).unwrap();
    assert!(text.contains("\nbid 3\nbid 2\n"), "{text}");
    let replay = ["replay", "g.game", "--json", "--mods-path", &small_mods()];
    let replayed = bastide(dir.path(), &replay).expect(0).json_lines();
    assert!(replayed.iter().any(|line| line["answer"] == "bid 3"), "the replay shows the secret answer");
}

#[test]
fn half_a_round_of_secret_answers_is_gone_on_with() {
    let dir = folder();
    let bids = format!("{}/secret-bids", small_mods());
    let args = ["play", "--mods", &bids, "--players", "human,human", "--seed", "5", "--record", "g.game"];
    let first = bastide_with(dir.path(), &args, "1\n\nbid 3\nq\n").expect(0);
    let (_, after) = first.out.split_once("Hand over to blue").unwrap();
    assert!(!after.contains("bid"), "{after}");
    let again = ["play", "--record", "g.game", "--mods-path", &small_mods()];
    let second = bastide_with(dir.path(), &again, "\nbid 1\nq\n").expect(0);
    let (before, after) = second.out.split_once("Hand over to blue").unwrap();
    assert!(!before.contains("bid 3") && after.contains("red: bid 3"), "{}", second.out);
}

#[test]
fn a_person_among_bots_is_not_asked_to_hand_over_and_sees_what_bots_bid_when_all_have() {
    let dir = folder();
    let bids = format!("{}/secret-bids", small_mods());
    let alone = ["play", "--mods", &bids, "--players", "human,random,random", "--seed", "5"];
    let ran = bastide_with(dir.path(), &alone, "1\nbid 3\nq\n").expect(0);
    assert!(!ran.out.contains("Hand over"), "only one person plays: {}", ran.out);
    let (before, after) = ran.out.split_once("blue: (hidden)").unwrap();
    assert!(!before.contains("blue: bid") && after.contains("blue: bid"), "{}", ran.out);
}

#[test]
fn a_hidden_draw_is_shown_to_its_player_alone() {
    let dir = folder();
    let tiles = format!("{}/secret-tiles", small_mods());
    let args = ["play", "--mods", &tiles, "--players", "human,human", "--seed", "5"];
    let ran = bastide_with(dir.path(), &args, "\nq\n").expect(0);
    let (before, after) = ran.out.split_once("Hand over to red").unwrap();
    assert!(!before.contains("draws"), "{}", ran.out);
    assert_eq!(after.matches("chance draws base/").count(), 2, "only red's two tiles, once: {}", ran.out);
}

#[test]
fn a_hidden_hand_is_looked_at_alone() {
    let dir = folder();
    let hands = format!("{}/secret-hands", small_mods());
    let args = ["play", "--mods", &hands, "--players", "human,human", "--seed", "5"];
    let ran = bastide_with(dir.path(), &args, "l\n\nq\n").expect(0);
    let (before, after) = ran.out.split_once("Hand over to red").unwrap();
    assert!(before.contains("in hand 1 hidden") && !before.contains("secret-hands/"), "{}", ran.out);
    assert!(after.contains("in hand secret-hands/") && after.contains("in hand 1 hidden"), "{}", ran.out);
    let base = bastide_with(dir.path(), &["play", "--players", "human,human"], "l\nq\n").expect(0);
    assert!(base.out.contains("You already see everything that you may see."), "{}", base.out);
}

#[test]
fn a_mod_that_fails_is_counted_and_waits_for_mending() {
    let dir = folder();
    bastide(dir.path(), &["new", "faulty", "--template", "scoring"]).expect(0);
    let script = dir.path().join("faulty/rules.rhai");
    let text = fs::read_to_string(&script).unwrap();
    fs::write(&script, text.replace("score.plus(settings.bonus", "score.plus(1 / (feature.n_zones - feature.n_zones)"))
        .unwrap();
    let ran = bastide(dir.path(), &["sim", "--mods", "./faulty", "--games", "30"]).expect(1);
    assert!(ran.out.contains("did not finish") && ran.out.contains("rules.rhai:"), "{}", ran.out);
    let record = &ran.out[ran.out.find("\nbastide 1\n").unwrap() + 1..];
    let file = written(&dir, "fault.game", record);
    let replayed = bastide(dir.path(), &["replay", &file]).expect(1);
    assert!(replayed.err.contains("rules.rhai:") && replayed.err.contains("fix the mod"), "{}", replayed.err);
    // Once the mod is fixed, the same record can be replayed. `--any-version` is needed, because
    // the record names the hashes of the earlier files.
    fs::write(&script, text).unwrap();
    bastide(dir.path(), &["replay", &file, "--any-version"]).expect(0);
}

#[test]
fn mods_may_be_changed_while_a_game_is_played() {
    let dir = folder();
    bastide(dir.path(), &["new", "live", "--template", "scoring"]).expect(0);
    let manifest = dir.path().join("live/mod.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let play = ["play", "--mods", "./live", "--players", "human,random", "--seed", "4", "--record", "live.game"];
    let mut table = TerminalGame::start(dir.path(), &play);
    table.type_until("1", "red> ");
    fs::write(&manifest, text.replace("only_kind", "only_knid")).unwrap();
    table.type_until("", "cannot be loaded; the game continues with the old rules");
    fs::write(&manifest, text.replace("default = 2 ", "default = 3 ")).unwrap();
    table.type_until("", "The mods have changed; this game stays the same");
    let err = table.quit();
    assert!(err.contains("only_kind"), "what is wrong is shown: {err}");
    // The record contains the hashes of the current files.
    bastide(dir.path(), &["replay", "live.game", "--mods-path", "live"]).expect(0);
}

#[test]
fn a_game_that_changed_mods_do_not_fit_can_go_on() {
    let dir = folder();
    bastide(dir.path(), &["new", "live", "--template", "scoring"]).expect(0);
    let play = ["play", "--mods", "./live", "--players", "human,random", "--seed", "4", "--record", "live.game"];
    let mut table = TerminalGame::start(dir.path(), &play);
    table.type_until("1", "red> ");
    table.type_until("1", "red> ");
    // Removes tiles from the deck, among them the first one drawn, so that the record no longer
    // fits.
    let manifest = dir.path().join("live/mod.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text + "\n[deck.land]\nwithout = [\"base/D\", \"base/V\", \"base/U\", \"base/K\"]\n").unwrap();
    table.type_until("", "does not fit them");
    table.type_until("f", "red> ");
    table.type_until("1", "red> ");
    table.quit();
    bastide(dir.path(), &["replay", "live.game", "--mods-path", "live"]).expect(0);
    assert!(dir.path().join("live.1.game").is_file(), "a copy of the old record exists");
}

#[test]
fn what_scripts_print_and_note_is_shown() {
    let dir = folder();
    bastide(dir.path(), &["new", "wells", "--template", "scoring"]).expect(0);
    let script = dir.path().join("wells/rules.rhai");
    let text = fs::read_to_string(&script).unwrap();
    fs::write(
        &script,
        format!("{text}\nfn tile_placed(tile) {{ print(\"laid \" + tile.spot); note(\"a tile more\"); }}\n"),
    )
    .unwrap();
    let args = ["play", "--mods", "./wells", "--players", "human,human", "--seed", "4", "--record", "w.game"];
    let shown = bastide_with(dir.path(), &args, "1\nq\n").expect(0).out;
    assert!(shown.contains("print: laid ") && shown.contains("a tile more"), "{shown}");
    let shown = bastide(dir.path(), &["replay", "w.game", "--mods-path", "wells"]).expect(0).out;
    assert!(shown.contains("print: laid ") && shown.contains("a tile more"), "{shown}");
}

/// All expansions are played with two mods whose pieces stand on spots, corners and edges and are
/// kept by players: no script of an expansion may expect that a piece stands on land.
#[test]
fn expansions_play_with_pieces_anywhere() {
    let dir = folder();
    let small = small_mods();
    let mods = "builders-traders,crop-circles,ferries,flying-machines,gold-mines,inns-cathedrals,king-baron,mage-witch,\
                messages,robbers,river,winter,pieces-on-points,kept-pieces";
    let args = ["sim", "--games", "24", "--players", "random,random,random", "--mods-path", &small, "--mods", mods];
    let ran = bastide(dir.path(), &args).expect(0);
    assert!(ran.out.contains("24 games (seed 1)"), "{}", ran.out);
}
