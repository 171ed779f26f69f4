//! Requirements, versions, conflicts and load order.

use super::{BASE, check, load};

fn plain(id: &str, keys: &str) -> String {
    format!("\n-- {id}/mod.toml\n[mod]\nid = \"{id}\"\nversion = \"1.0.0\"\n{keys}")
}

#[track_caller]
fn check_order(mods: &[(&str, &str)], ids: &str, expected: &str) {
    let files: String = mods.iter().map(|(id, keys)| plain(id, keys)).collect();
    let (loaded, _, shown) = load(&[BASE, &files].concat(), ids);
    assert_eq!(shown, "");
    let order: Vec<String> = loaded.unwrap().catalogue().mods.iter().map(|m| m.id.clone()).collect();
    assert_eq!(order.join(" "), expected);
}

#[test]
fn requirements_come_first_then_ids() {
    let mods = [
        ("zoo", "requires = [\"base ^1.0\"]"),
        ("ant", "requires = [\"zoo\"]"),
        ("bee", "requires = [\"base\"]\noptional = [\"cat\"]"),
        ("cat", "requires = [\"base\"]"),
    ];
    check_order(&mods, "ant", "base zoo ant");
    check_order(&mods, "zoo bee ant", "base bee zoo ant");
    check_order(&mods, "ant zoo bee", "base bee zoo ant");
    check_order(&mods, "bee cat base bee", "base cat bee");
}

#[test]
fn missing_mods() {
    check(BASE, "bsae", "error: there is no mod `bsae` (did you mean `base`?)");
    let files = [BASE, &plain("x", "requires = [\"base\", \"canals\"]"), &plain("canal", "")].concat();
    check(
        &files,
        "x",
        "x/mod.toml:4:22: error: `x` requires the mod `canals`, which was not found (did you mean `canal`?)",
    );
    check(BASE, "", "error: no mod is chosen, so there is nothing to play");
}

#[test]
fn misspelt_optional_mods() {
    let others = [plain("river", ""), plain("lake2", "")].concat();
    let with = |keys: &str| [BASE, &others, &plain("x", &format!("requires = [\"base\"]\n{keys}"))].concat();
    let told = "which was not found (did you mean `river`?)";
    for key in ["optional", "conflicts"] {
        let column = key.len() + 6;
        check(
            &with(&format!("{key} = [\"rivers ^1.0\"]")),
            "x",
            &format!("x/mod.toml:5:{column}: warning: `x` names the mod `rivers` in `{key}`, {told}"),
        );
        check(&with(&format!("{key} = [\"canals\", \"lake\", \"lake3\", \"xx\"]")), "x", "");
    }
}

#[test]
fn versions() {
    let files = [BASE, &plain("x", "requires = [\"base ^2.0\"]")].concat();
    check(&files, "x", "x/mod.toml:4:14: error: `x` requires base ^2.0, but base 1.2.0 was found");
    let files = [BASE, &plain("x", "requires = [\"base\"]\noptional = [\"y <1\"]"), &plain("y", "")].concat();
    check(&files, "x y", "x/mod.toml:5:14: error: `x` requires y <1, but y 1.0.0 was found");
    check(&files, "x", "");
}

#[test]
fn conflicts() {
    let files =
        [BASE, &plain("x", "requires = [\"base\"]\nconflicts = [\"y\", \"base <1\"]"), &plain("y", "")].concat();
    check(&files, "y x", "x/mod.toml:5:15: error: `x` cannot be played together with `y`");
    check(&files, "x", "");
}

#[test]
fn circles() {
    let files =
        [&plain("x", "requires = [\"y\"]")[..], &plain("y", "requires = [\"z\"]"), &plain("z", "requires = [\"x\"]")]
            .concat();
    let (_, _, shown) = load(&[BASE, &files].concat(), "x base");
    assert_eq!(
        shown.trim(),
        "x/mod.toml:4:14: error: mods require each other in a cycle: x -> y -> z -> x (remove one of these requirements from `requires` or `optional`)"
    );
    let files = plain("x", "requires = [\"x\", \"base\"]");
    check(
        &[BASE, &files].concat(),
        "x",
        "x/mod.toml:4:14: error: `x` requires itself (remove one of these requirements from `requires` or `optional`)",
    );
}

#[test]
fn exactly_one_game() {
    let none =
        "error: no game is among these mods: `x` (add the game to `requires`, or write `game = true` if this is one)";
    check(&plain("x", ""), "x", &format!("x/mod.toml:2:6: {none}"));
    let files = [BASE, &plain("x", "requires = [\"base\"]\ngame = true\nplayers = [1, 2]\n[deck.other]")].concat();
    check(
        &files,
        "x",
        "x/mod.toml:2:6: error: `base` and `x` are both games; only one can be played (`x` requires `base`)",
    );
}

#[test]
fn a_broken_mod_that_is_not_asked_for_does_not_disturb() {
    let files = BASE.to_owned() + "\n-- broken/mod.toml\n[mod]\nid = \"broken\"\n[[[\n-- broken/tiles.toml\nx";
    check(&files, "base", "");
    let (_, problems, _) = load(&files, "broken base");
    assert_eq!((problems.n_errors(), problems.list()[0].span.line), (2, 3));
}

#[test]
fn one_id_in_two_folders() {
    let (a, b) = (super::folder(BASE), super::folder(BASE));
    let library = crate::Library::open(&[a.path().to_owned(), b.path().to_owned()]);
    assert_eq!(library.ids(), ["base"]);
    let (loaded, problems) = library.load(&["base"]);
    let [a, b] = [a, b].map(|f| f.path().join("base").display().to_string());
    assert!(loaded.is_none());
    let help = "remove one of them, rename its folder and its id, or search for mods in only one of the two places";
    let message = format!("the mod `base` exists twice: in {a} and in {b}");
    assert_eq!(problems.to_string(), format!("error: {message} ({help})\n"));
    let library = crate::Library::open(&[a.clone().into(), a.into()]);
    assert_eq!(library.load(&["base"]).1.to_string(), "error: there is no mod `base`\n", "the folders are gone");
}

#[test]
fn a_mod_folder_is_a_library_of_one() {
    let folder = super::folder(BASE);
    let library = crate::Library::open(&[folder.path().join("base")]);
    assert_eq!(library.ids(), ["base"]);
    assert!(library.load(&["base"]).0.is_some());
}
