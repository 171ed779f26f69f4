use std::fs;

use super::*;

fn change(kind: &str, key: &'static str, value: Option<&str>) -> LookChange {
    LookChange { kind: kind.to_owned(), key, value: value.map(ManifestValue::text) }
}

#[test]
fn looks_are_written_into_a_theme_that_keeps_its_comments() {
    let dir = tempfile::tempdir().unwrap();
    let manifest = "[mod]\nid = \"wine\"\n[kind.vineyard]\nedge = \"full\"\n[kind.lake]\nedge = \"inside\"\n";
    fs::write(dir.path().join("mod.toml"), manifest).unwrap();
    let looks = read_land_looks(dir.path(), "wine").unwrap();
    assert_eq!((looks.kinds.join(" "), looks.value("vineyard", "colour")), ("vineyard lake".to_owned(), None));
    // Removing a key does not create the file, but setting a key does.
    let file = dir.path().join("theme.toml");
    save_land_looks(dir.path(), &[change("vineyard", "colour", None)]).unwrap();
    assert!(!file.exists());
    let both = [change("vineyard", "colour", Some("#7d4f8c")), change("vineyard", "pattern", Some("rows"))];
    save_land_looks(dir.path(), &both).unwrap();
    let read = || fs::read_to_string(&file).unwrap();
    assert_eq!(read(), "[kind.vineyard]\ncolour = \"#7d4f8c\"\npattern = \"rows\"\n");
    // Comments, order and line ends stay the same.
    let by_hand = "# Looks.\r\n[tag.inn]\r\nicon = \"house\" # old\r\n\r\n# Wine.\r\n[kind.vineyard]\r\n\
                   colour = \"#fff\"   # white\r\n\r\n[board]\r\npalette = \"plain\"\r\n";
    fs::write(&file, by_hand).unwrap();
    let changes = [change("vineyard", "colour", Some("#123456")), change("lake", "style", Some("water"))];
    save_land_looks(dir.path(), &changes).unwrap();
    let expected = by_hand.replace("\"#fff\"", "\"#123456\"");
    let expected = expected.replace("\r\n[board]", "\r\n[kind.lake]\r\nstyle = \"water\"\r\n\r\n[board]");
    assert_eq!(read(), expected);
    // Removing the key also removes its table, because the table has no comment.
    let back = [change("vineyard", "colour", Some("#fff")), change("lake", "style", None)];
    save_land_looks(dir.path(), &back).unwrap();
    assert_eq!(read(), by_hand);
}

#[test]
fn a_preview_shows_unsaved_looks() {
    let file =
        ThemeFile { owner: "wine".into(), label: "theme.toml".into(), text: String::new(), icons: BTreeMap::new() };
    let mut looks = LandLooks { kinds: vec!["vineyard".to_owned()], file };
    looks.apply(&change("vineyard", "pattern", Some("dots"))).unwrap();
    looks.apply(&change("vineyard", "icon", Some("grapes"))).unwrap();
    let theme = looks.applied_to(&Theme::default(), |_| Ok(()));
    assert_eq!(theme.kind_pattern("vineyard"), Some(theme::LandPattern::Dots));
    assert_eq!(theme.icon("kind", "vineyard", "icon"), Some(theme::builtin_icon("grapes")));
    looks.file.text.push_str("kind = ");
    let error = looks.apply(&change("vineyard", "icon", None)).unwrap_err();
    assert!(matches!(error, EditError::NotToml { line: 4, .. }), "{error}");
}
