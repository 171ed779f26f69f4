//! The tile designer: tiles made from a sketch, drawn, saved and played, without loss of work.

use std::fs;
use std::path::Path;

use crate::common::*;
use editor::{App, Command, StartOptions};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use testkit::CopiedMod;
use workshop::ManifestValue;

fn command(window: &mut Window, command: Command) {
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), command);
    window.run_steps(6);
}

/// Opens a window with a copy of the base game, so that the test can make mods beside the copy.
fn on_copy(base: &CopiedMod, data: Option<&Path>) -> Window {
    let mods = Some(vec![base.library().to_owned()]);
    open(StartOptions { mods, data: data.map(Path::to_owned), ..game(&["base"], 2, 0) }, 1400.0, 900.0)
}

/// Opens a window with a game under a copy of the base mod, and makes a new mod in it.
fn with_new_mod(base: &CopiedMod) -> Window {
    let mut window = on_copy(base, None);
    command(&mut window, Command::NewMod);
    click(&mut window, "Make it");
    window
}

pub fn type_into(window: &mut Window, label: &str, text: &str) {
    let field = |window: &Window| window.get_by_role_and_label(egui::accesskit::Role::TextInput, label).rect().center();
    let at = field(window);
    click_at(window, at, egui::PointerButton::Primary);
    press_with(window, Modifiers::COMMAND, Key::A);
    window.event(egui::Event::Text(text.to_owned()));
    window.run_steps(4);
}

/// Makes a new mod and opens a sketched tile of it in the designer.
fn sketched(window: &mut Window, edges: &str, layout: &str) {
    command(window, Command::NewMod);
    click(window, "Make it");
    command(window, Command::NewTile);
    type_into(window, "Edges", edges);
    click(window, &format!("Layout {layout}"));
}

#[test]
fn a_tile_goes_from_a_sketch_into_the_running_game() {
    let base = CopiedMod::of("base");
    let mut window = on_copy(&base, None);
    sketched(&mut window, "CFRR", "one city n · one road s-w");
    let drawn = app(&window).tiles().shown_draft().expect("the designer is open").clone();
    assert_eq!((drawn.id.as_str(), drawn.count()), ("CFRR", Some(1)));
    click(&mut window, "+");
    assert!(window.query_all_by_label_contains("4 different rotations").next().is_some());
    assert!(window.query_all_by_label_contains("The same tile exists: base/K").next().is_some());
    press_with(&mut window, Modifiers::COMMAND, Key::S);
    window.run_steps(4);
    let file = base.library().join("my-mod/tiles.toml");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.ends_with("\nCFRR = { count = 2, city = \"n\", road = \"s-w\" }\n"), "{text}");
    assert_eq!(app(&window).tiles().n_unsaved(), 0);
    // The running game contains the tile without further steps.
    click(&mut window, "Draw it now");
    let tile = session(&window).view().tile_to_place().expect("the new tile is the tile to place");
    assert_eq!(session(&window).view().tiles_declared().name(tile), "my-mod/CFRR");
    press(&mut window, Key::PageDown);
    press(&mut window, Key::Enter);
    let laid = session(&window).view().tiles().iter().any(|placed| placed.tile == tile);
    assert!(laid, "the keys of the board place the tile");
}

/// The list of tiles is drawn while the rules in play still have the tile, and the other way round.
#[test]
fn a_deleted_tile_can_be_brought_back() {
    let base = CopiedMod::of("base");
    let mut window = on_copy(&base, None);
    sketched(&mut window, "CFRR", "one city n · one road s-w");
    press_with(&mut window, Modifiers::COMMAND, Key::S);
    window.run_steps(4);
    let file = base.library().join("my-mod/tiles.toml");
    let with_tile = fs::read_to_string(&file).unwrap();
    assert!(with_tile.contains("CFRR"));
    click(&mut window, "Delete…");
    click(&mut window, "Delete it");
    wait_until(&mut window, "the game without the tile", |app| {
        app.snapshot().tile_set().tile_named("my-mod/CFRR").is_none()
    });
    assert!(!fs::read_to_string(&file).unwrap().contains("CFRR"));
    // The old rules still have the tile, but the files do not.
    command(&mut window, Command::KeepOldRules);
    wait_until(&mut window, "the old rules", |app| app.snapshot().tile_set().tile_named("my-mod/CFRR").is_some());
    click(&mut window, "Bring back tile CFRR");
    wait_until(&mut window, "the tile", |app| {
        app.notifications().items().iter().any(|it| it.text == "restored tile CFRR")
    });
    assert_eq!(fs::read_to_string(&file).unwrap(), with_tile);
    assert!(window.query_by_label("Bring back tile CFRR").is_none());
}

#[test]
fn what_is_drawn_can_be_taken_back_and_the_game_stays_as_it_is() {
    let base = CopiedMod::of("base");
    let mut window = on_copy(&base, None);
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    sketched(&mut window, "CFRR", "one city n · one road s-w");
    let at = session(&window).position_index();
    assert_eq!(session(&window).view().tiles().len(), 2, "a placed tile could be picked up");
    let drawn = |window: &Window| app(window).tiles().shown_draft().unwrap().clone();
    let before = drawn(&window);
    // Draws a city along the north and the east, then a field in its place.
    click(&mut window, "city");
    window.get_by_label("Edge e").click();
    window.run_steps(4);
    assert_eq!(drawn(&window).zones.len(), 3, "a second city: separate strokes are not joined");
    window.drag_at(window.get_by_label("Edge n").rect().center());
    window.run_steps(2);
    window.hover_at(window.get_by_label("Edge e").rect().center());
    window.run_steps(2);
    window.drop_at(window.get_by_label("Edge e").rect().center());
    window.run_steps(4);
    let joined = drawn(&window);
    let text = joined.zones.iter().map(|zone| format!("{}: {:?}", zone.kind, zone.keys)).collect::<Vec<_>>();
    assert!(text.iter().any(|zone| zone.contains("\"n-e\"")), "{text:?}");
    press(&mut window, Key::R);
    assert_ne!(drawn(&window), joined, "turned");
    for _ in 0..3 {
        press_with(&mut window, Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(drawn(&window), before);
    press_with(&mut window, Modifiers::COMMAND, Key::Y);
    assert_eq!(drawn(&window).zones.len(), 3);
    press(&mut window, Key::Escape);
    press(&mut window, Key::Space);
    assert_eq!(session(&window).position_index(), at, "no move was undone in the game");
}

#[test]
fn a_tile_of_a_mod_is_opened_from_all_tiles_and_changed() {
    let base = CopiedMod::of("base");
    let before = base.read("tiles.toml");
    let mut window = on_copy(&base, None);
    command(&mut window, Command::Tiles);
    type_into(&mut window, "Find tiles", "base/M");
    click(&mut window, "Tile base/M");
    click(&mut window, "Open in the designer");
    click(&mut window, "+");
    click(&mut window, "Save tile");
    let after = base.read("tiles.toml");
    let lines = before.lines().zip(after.lines()).filter(|(a, b)| a != b).map(|(_, b)| b).collect::<Vec<_>>();
    assert_eq!(lines, ["M = { count = 3, city = { at = \"n-w\", shield = 1 } }"]);
    assert_eq!(before.lines().count(), after.lines().count());
}

#[test]
fn a_copied_tile_names_the_land_that_its_new_mod_lacks() {
    let base = CopiedMod::of("base");
    let folder = base.library().join("marshes");
    fs::create_dir(&folder).unwrap();
    let manifest = "[mod]\nid = \"marshes\"\nversion = \"1.0.0\"\napi = 1\nrequires = [\"base\"]\n";
    fs::write(folder.join("mod.toml"), format!("{manifest}\n[kind.marsh]\nedge = \"full\"\n")).unwrap();
    fs::write(folder.join("tiles.toml"), "[tile]\npond = { marsh = \"n\", road = \"s\" }\n").unwrap();
    let mut window = with_new_mod(&base);
    command(&mut window, Command::Tiles);
    type_into(&mut window, "Find tiles", "marshes/pond");
    click(&mut window, "Tile marshes/pond");
    click(&mut window, "Copy into My mod");
    let draft = app(&window).tiles().shown_draft().expect("the copy is open");
    assert_eq!((draft.id.as_str(), draft.zones.len()), ("pond", 1), "the road is left");
    let told = &app(&window).notifications().last().unwrap().text;
    assert!(told.starts_with("My mod does not know marsh, so the copy has no such land"), "{told}");
}

#[test]
fn drafts_outlive_the_window() {
    let (base, data) = (CopiedMod::of("base"), tempfile::tempdir().unwrap());
    let mut window = on_copy(&base, Some(data.path()));
    sketched(&mut window, "RFRF", "one road n-s");
    click(&mut window, "+");
    let drawn = app(&window).tiles().shown_draft().unwrap().clone();
    // The draft is stored soon, before the window closes.
    let file = data.path().join("drafts/tiles.json");
    let kept = || fs::read_to_string(&file).unwrap_or_default();
    wait_until(&mut window, "the draft", |_| kept().contains("count = 2"));
    drop(window);
    let mut window = on_copy(&base, Some(data.path()));
    assert_eq!(app(&window).tiles().n_unsaved(), 1);
    command(&mut window, Command::Tiles);
    click(&mut window, "my-mod/RFRF *");
    assert_eq!(app(&window).tiles().shown_draft(), Some(&drawn));
    click(&mut window, "Save tile");
    wait_until(&mut window, "the draft to go", |_| !file.exists());
}

#[test]
fn a_tag_is_declared_where_it_is_needed() {
    let base = CopiedMod::of("base");
    let mut window = on_copy(&base, None);
    sketched(&mut window, "RFRF", "one road n-s");
    type_into(&mut window, "Tag of the tile", "gate");
    click(&mut window, "Declare gate");
    wait_until(&mut window, "the tag", |app| app.tiles().shown_draft().is_some_and(|tile| tile.key("gate").is_some()));
    let manifest = fs::read_to_string(base.library().join("my-mod/mod.toml")).unwrap();
    assert!(manifest.ends_with("\n[tag.gate]\non = \"tile\"\n"), "{manifest}");
    click(&mut window, "Save tile");
    let text = fs::read_to_string(base.library().join("my-mod/tiles.toml")).unwrap();
    assert!(text.contains("gate = true"), "{text}");
    assert!(session(&window).problems().is_empty());
}

#[test]
fn a_tile_that_another_program_has_changed_is_asked_about() {
    let base = CopiedMod::of("base");
    let mut window = on_copy(&base, None);
    command(&mut window, Command::Tiles);
    type_into(&mut window, "Find tiles", "base/K");
    click(&mut window, "Tile base/K");
    click(&mut window, "Open in the designer");
    click(&mut window, "+");
    base.edit("tiles.toml", "K = { count = 3,", "K = { count = 7,");
    click(&mut window, "Save tile");
    assert!(base.read("tiles.toml").contains("K = { count = 7,"), "nothing is overwritten");
    click(&mut window, "Take theirs");
    assert_eq!(app(&window).tiles().shown_draft().unwrap().key("count"), Some(&ManifestValue::Int(7)));
    press_with(&mut window, Modifiers::COMMAND, Key::Z);
    click(&mut window, "Save tile");
    assert!(base.read("tiles.toml").contains("K = { count = 4,"));
    // Changes elsewhere in the file are no conflict.
    base.edit("tiles.toml", "X = { count = 1,", "X = { count = 2,");
    click(&mut window, "+");
    click(&mut window, "Save tile");
    let text = base.read("tiles.toml");
    assert!(text.contains("K = { count = 5,") && text.contains("X = { count = 2,"), "{text}");
}

#[test]
fn what_is_no_tile_says_why_and_is_not_saved() {
    let base = CopiedMod::of("base");
    let before = base.read("tiles.toml");
    let mut window = on_copy(&base, None);
    command(&mut window, Command::Tiles);
    type_into(&mut window, "Find tiles", "base/E");
    click(&mut window, "Tile base/E");
    click(&mut window, "Open in the designer");
    let at = window.get_by_label("Text of the tile").rect().center();
    click_at(&mut window, at, egui::PointerButton::Primary);
    press_with(&mut window, Modifiers::COMMAND, Key::A);
    window.event(egui::Event::Text("E = { count = 5, city = \"n\", rode = \"s\" }".to_owned()));
    window.run_steps(4);
    assert!(window.query_all_by_label_contains("unknown kind or tag `rode` on tile `E`").next().is_some());
    click(&mut window, "Save tile");
    assert!(window.query_all_by_label_contains("not saved, because this is not a valid tile").next().is_some());
    assert_eq!(base.read("tiles.toml"), before);
}

#[test]
fn the_pattern_map_leads_to_a_tile_that_is_missing() {
    let base = CopiedMod::of("base");
    let mut window = on_copy(&base, None);
    command(&mut window, Command::Tiles);
    click(&mut window, "Patterns");
    assert!(window.query_all_by_label_contains("17 patterns (of 24").next().is_some());
    click(&mut window, "only missing");
    click(&mut window, "Pattern CRCR: 0 tiles");
    assert!(window.query_all_by_label_contains("New mod…").next().is_some(), "the user must make a mod first");
}

#[test]
fn an_open_tile_follows_its_file() {
    let base = CopiedMod::of("base");
    let mut window = on_copy(&base, None);
    command(&mut window, Command::Tiles);
    type_into(&mut window, "Find tiles", "base/K");
    click(&mut window, "Tile base/K");
    click(&mut window, "Open in the designer");
    base.edit("tiles.toml", "K = { count = 3,", "K = { count = 7,");
    command(&mut window, Command::Reload);
    assert_eq!(app(&window).tiles().shown_draft().unwrap().count(), Some(7));
    assert_eq!(app(&window).tiles().n_unsaved(), 0);
}

/// Makes a mod with two kinds of land that have no look, and opens a tile with one of them.
fn with_new_land(base: &CopiedMod) -> Window {
    let mut window = with_new_mod(base);
    let folder = base.library().join("my-mod");
    let manifest = fs::read_to_string(folder.join("mod.toml")).unwrap();
    let kinds = "[kind.vineyard]\nedge = \"full\"\n\n[kind.lake]\nedge = \"full\"\n";
    fs::write(folder.join("mod.toml"), format!("{manifest}\n{kinds}")).unwrap();
    let tiles = fs::read_to_string(folder.join("tiles.toml")).unwrap_or_default();
    let header = if tiles.contains("[tile]") { "" } else { "[tile]\n" };
    let new = "slope = { count = 1, vineyard = \"n-w\", lake = \"s\" }\n";
    fs::write(folder.join("tiles.toml"), format!("{tiles}{header}{new}")).unwrap();
    command(&mut window, Command::Reload);
    assert!(session(&window).problems().is_empty(), "{:?}", session(&window).problems());
    command(&mut window, Command::Tiles);
    type_into(&mut window, "Find tiles", "my-mod/slope");
    click(&mut window, "Tile my-mod/slope");
    click(&mut window, "Open in the designer");
    window.run_steps(6);
    window
}

#[test]
fn new_land_has_a_look_of_its_own_that_can_be_changed() {
    let base = CopiedMod::of("base");
    let mut window = with_new_land(&base);
    let file = base.library().join("my-mod/theme.toml");
    let read = || fs::read_to_string(&file).unwrap_or_default();
    let says = |window: &Window, text: &str| window.query_all_by_label_contains(text).next().is_some();
    assert!(says(&window, "Look of vineyard") && !file.exists());
    // The colour is shown before it is saved, and saved when the user leaves the field.
    type_into(&mut window, "Colour of the land", "#336699");
    press(&mut window, Key::Enter);
    wait_until(&mut window, "the colour", |_| read() == "[kind.vineyard]\ncolour = \"#336699\"\n");
    click(&mut window, "Look of lake");
    click(&mut window, "none…");
    type_into(&mut window, "Search icons", "fish");
    click(&mut window, "Icon fish");
    wait_until(&mut window, "the icon", |_| read().ends_with("\n[kind.lake]\nicon = \"fish\"\n"));
    // The running game has the new look without further steps.
    let colour = |app: &App| app.snapshot().loaded().theme().kind_colour("vineyard").map(|it| it.to_string());
    wait_until(&mut window, "the reload", |app| colour(app).as_deref() == Some("#336699"));
    click(&mut window, "Undo in this look");
    wait_until(&mut window, "the icon to go", |_| !read().contains("lake"));
    click(&mut window, "Undo in this look");
    wait_until(&mut window, "the colour to go", |_| !read().contains("vineyard"));
    click(&mut window, "Redo in this look");
    wait_until(&mut window, "the colour again", |_| read().contains("#336699"));
    // Text that is no colour is not saved.
    type_into(&mut window, "Colour of the land", "#33");
    press(&mut window, Key::Enter);
    window.run_steps(4);
    assert!(read().contains("#336699"));
}

#[test]
fn a_piece_is_made_and_gets_its_icon_without_a_line_of_text() {
    let base = CopiedMod::of("base");
    let mut window = with_new_mod(&base);
    command(&mut window, Command::Looks);
    let why_not = "A name begins with a letter; letters, digits and _ follow.";
    assert!(window.query_by_label(why_not).is_none());
    type_into(&mut window, "Name of the new piece", "Harbour master!");
    assert!(window.query_by_label(why_not).is_some());
    type_into(&mut window, "Name of the new piece", "Wine seller");
    assert!(window.query_by_label(why_not).is_none());
    click(&mut window, "Add the piece");
    wait_until(&mut window, "the piece", |app| app.snapshot().view().pieces_of_mod("my-mod") == ["wine_seller"]);
    let manifest = fs::read_to_string(base.library().join("my-mod/mod.toml")).unwrap();
    assert!(manifest.ends_with("\n[piece.wine_seller]\nis = \"follower\"\nper_player = 1\n"), "{manifest}");
    // The icons of a piece without an icon are open.
    window.run_steps(6);
    type_into(&mut window, "Search icons", "grapes");
    click(&mut window, "Icon grapes");
    let file = base.library().join("my-mod/theme.toml");
    let read = || fs::read_to_string(&file).unwrap_or_default();
    wait_until(&mut window, "the icon", |_| read() == "[piece.wine_seller]\nicon = \"grapes\"\n");
    let has_icon = |app: &App| app.snapshot().loaded().theme().icon("piece", "wine_seller", "icon").is_some();
    wait_until(&mut window, "the reload", has_icon);
    click(&mut window, "Undo in this look");
    wait_until(&mut window, "the icon to go", |app| read().is_empty() && !has_icon(app));
}

#[test]
fn tags_have_looks_that_are_reached_from_their_manifest() {
    let base = CopiedMod::of("base");
    let mut window = with_new_mod(&base);
    let folder = base.library().join("my-mod");
    let manifest = fs::read_to_string(folder.join("mod.toml")).unwrap();
    let tags =
        "[tag.cask]\non = \"tile\"\n[tag.goods]\non = \"zone\"\nmerge = \"set\"\nvalues = [\"wine\", \"cheese\"]\n";
    fs::write(folder.join("mod.toml"), format!("{manifest}\n{tags}")).unwrap();
    command(&mut window, Command::Reload);
    assert!(session(&window).problems().is_empty(), "{:?}", session(&window).problems());
    let open = editor::Action::OpenFile(folder.join("mod.toml"), 1);
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), open);
    window.run_steps(6);
    click(&mut window, "Looks…");
    window.run_steps(6);
    click(&mut window, "Look of cask");
    click(&mut window, "letters…");
    click(&mut window, "Icon barrel");
    let read = || fs::read_to_string(folder.join("theme.toml")).unwrap_or_default();
    wait_until(&mut window, "the icon", |_| read() == "[tag.cask]\nicon = \"barrel\"\n");
    // A tag with words has an icon for each word.
    click(&mut window, "Look of goods");
    window.query_all_by_label("letters…").nth(1).expect("the first word").click();
    window.run_steps(4);
    type_into(&mut window, "Search icons", "grapes");
    click(&mut window, "Icon grapes");
    wait_until(&mut window, "the icon of the word", |_| read().ends_with("\n[tag.goods]\nicon.wine = \"grapes\"\n"));
    let icon = |app: &App| app.snapshot().loaded().theme().icon("tag", "goods", "icon.wine").is_some();
    wait_until(&mut window, "the reload", icon);
}

#[test]
fn the_help_shows_icons_as_pictures_and_inserts_their_names() {
    let base = CopiedMod::of("base");
    let mut window = with_new_mod(&base);
    let theme = base.library().join("my-mod/theme.toml");
    fs::write(&theme, "").unwrap();
    let open = editor::Action::OpenFile(theme.clone(), 1);
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), open);
    window.run_steps(4);
    command(&mut window, Command::Help);
    type_into(&mut window, "Search the help", "grapes");
    window.get_by_label_contains("Manifests (").click();
    window.run_steps(4);
    click(&mut window, "Icon grapes");
    window.run_steps(4);
    press_with(&mut window, Modifiers::COMMAND, Key::S);
    wait_until(&mut window, "the saved file", |_| fs::read_to_string(&theme).unwrap() == "\"grapes\"");
}

fn edges(window: &Window) -> String {
    let field = window.get_by_role_and_label(egui::accesskit::Role::TextInput, "Edges");
    egui_kittest::kittest::NodeT::accesskit_node(&field).value().unwrap_or_default()
}

#[test]
fn a_new_tile_begins_without_the_last_sketch() {
    let base = CopiedMod::of("base");
    let mut window = with_new_mod(&base);
    command(&mut window, Command::NewTile);
    type_into(&mut window, "Edges", "RFRF");
    assert_eq!(edges(&window), "RFRF");
    command(&mut window, Command::NewTile);
    assert_eq!(edges(&window), "");
    // Beginning a tile also empties the sketch.
    type_into(&mut window, "Edges", "RFRF");
    click(&mut window, "Layout one road n-s");
    click(&mut window, "New tile");
    assert_eq!(edges(&window), "");
}

#[test]
fn a_sketch_is_painted_by_clicks_and_suggests_missing_edges() {
    let base = CopiedMod::of("base");
    let mut window = with_new_mod(&base);
    command(&mut window, Command::NewTile);
    // Nothing is typed yet, but the tab offers edges that no tile has.
    click(&mut window, "Edges CRCR");
    assert_eq!(edges(&window), "CRCR");
    click(&mut window, "Clear");
    click(&mut window, "Sketch edge n");
    assert_eq!(edges(&window), "CFFF", "the first land is chosen");
    click(&mut window, "Paint road");
    click(&mut window, "Sketch edge s");
    click(&mut window, "Sketch edge w");
    assert_eq!(edges(&window), "CFRR");
    click(&mut window, "Sketch edge w");
    assert_eq!(edges(&window), "CFRF", "a second click clears the edge");
    click(&mut window, "Layout one city n · one road s");
    assert_eq!(app(&window).tiles().shown_draft().unwrap().id, "CFRF");
}

#[test]
fn new_land_is_added_without_a_line_of_text() {
    let base = CopiedMod::of("base");
    let mut window = with_new_mod(&base);
    command(&mut window, Command::NewTile);
    click(&mut window, "New land…");
    type_into(&mut window, "Name of the new land", "Wine hill");
    click(&mut window, "Add the land");
    let has = |app: &App, name: &str| app.snapshot().tile_set().kind_named(name).is_some();
    wait_until(&mut window, "the land", |app| has(app, "wine_hill"));
    let manifest = fs::read_to_string(base.library().join("my-mod/mod.toml")).unwrap();
    let lines = "\n[kind.wine_hill]\nedge = \"full\"\npoints = { complete = \"2 * tiles\", final = \"tiles\" }\nholds = [\"follower\"]\n";
    assert!(manifest.ends_with(lines), "{manifest}");
    // The new land is chosen, so a click on an edge paints it.
    window.run_steps(6);
    click(&mut window, "Sketch edge n");
    click(&mut window, "Layout one wine hill n");
    click(&mut window, "Save tile");
    wait_until(&mut window, "the tile", |app| {
        app.snapshot().view().tiles_declared().of_mod("my-mod").count() > 1 && app.tiles().n_unsaved() == 0
    });
    assert!(session(&window).problems().is_empty(), "{:?}", session(&window).problems());
    // The looks offer the same form, and then show the look of the new land.
    command(&mut window, Command::Looks);
    click(&mut window, "New land…");
    type_into(&mut window, "Name of the new land", "city");
    let is_grey = |window: &Window| {
        let button = window.get_by_label("Add the land");
        egui_kittest::kittest::NodeT::accesskit_node(&button).is_disabled()
    };
    assert!(is_grey(&window), "the base game has a city");
    type_into(&mut window, "Name of the new land", "canal");
    click(&mut window, "line");
    click(&mut window, "Add the land");
    wait_until(&mut window, "the canal", |app| has(app, "canal"));
    window.run_steps(6);
    assert!(window.query_all_by_label("Look of canal").count() == 2, "the row and the heading");
    assert!(window.query_by_label("A tile with canal").is_some(), "a picture, although no tile has a canal");
}

#[test]
fn a_new_mod_becomes_the_mod_for_new_tiles() {
    let base = CopiedMod::of("base");
    let mut window = with_new_mod(&base);
    command(&mut window, Command::NewTile);
    let target = |window: &Window| {
        let combo = window.get_by_role_and_label(egui::accesskit::Role::ComboBox, "For the mod");
        egui_kittest::kittest::NodeT::accesskit_node(&combo).value().unwrap_or_default()
    };
    assert_eq!(target(&window), "My mod");
    click(&mut window, "New mod…");
    click(&mut window, "Make it");
    window.run_steps(6);
    assert_eq!(target(&window), "My mod 2");
}

#[test]
fn the_looks_follow_tags_and_zones_that_the_user_selects() {
    let base = CopiedMod::of("base");
    let mut window = with_new_land(&base);
    let says = |window: &Window, text: &str| window.query_all_by_label(text).next().is_some();
    assert!(says(&window, "Pattern") && says(&window, "Tags of the tile"), "the look of the vineyard");
    type_into(&mut window, "Tag of the tile", "cask");
    click(&mut window, "Declare cask");
    wait_until(&mut window, "the tag", |app| app.snapshot().tile_set().tag_named("cask").is_some());
    window.run_steps(6);
    assert!(says(&window, "Hidden") && !says(&window, "Pattern"), "the look of the tag");
    // A click on the lake in the south selects its zone, and shows the look of the land.
    let tile = window.get_by_label("The tile").rect();
    click_at(&mut window, tile.center_bottom() - egui::vec2(24.0, 24.0), egui::PointerButton::Primary);
    window.run_steps(4);
    assert!(says(&window, "Pattern") && says(&window, "Tags of the zone"));
    click(&mut window, "cask");
    window.run_steps(4);
    assert!(says(&window, "Hidden"), "the name of the tag leads to its look");
}
