use std::fs;

use super::*;

fn change(section: LookSection, name: &str, key: &str, value: Option<&str>) -> LookChange {
    LookChange { subject: LookSubject::new(section, name), key: key.to_owned(), value: value.map(ManifestValue::text) }
}

fn land(name: &str, key: &str, value: Option<&str>) -> LookChange {
    change(LookSection::Kind, name, key, value)
}

#[test]
fn looks_are_written_into_a_theme_that_keeps_its_comments() {
    let dir = tempfile::tempdir().unwrap();
    let manifest = "[mod]\nid = \"wine\"\n[tag.cask]\non = \"tile\"\n[kind.vineyard]\nedge = \"full\"\n\
                    [kind.lake]\nedge = \"inside\"\n[piece.vintner]\nper_player = 1\n";
    fs::write(dir.path().join("mod.toml"), manifest).unwrap();
    let looks = read_looks(dir.path(), "wine").unwrap();
    let names: Vec<&str> = looks.subjects.iter().map(|subject| subject.name.as_str()).collect();
    assert_eq!(names, ["vineyard", "lake", "vintner", "cask"]);
    assert_eq!(looks.value(&looks.subjects[0], "colour"), None);
    // Removing a key does not create the file, but setting a key does.
    let file = dir.path().join("theme.toml");
    save_looks(dir.path(), &[land("vineyard", "colour", None)]).unwrap();
    assert!(!file.exists());
    let both = [land("vineyard", "colour", Some("#7d4f8c")), land("vineyard", "pattern", Some("rows"))];
    save_looks(dir.path(), &both).unwrap();
    let read = || fs::read_to_string(&file).unwrap();
    assert_eq!(read(), "[kind.vineyard]\ncolour = \"#7d4f8c\"\npattern = \"rows\"\n");
    // Comments, order and line ends stay the same.
    let by_hand = "# Looks.\r\n[tag.inn]\r\nicon = \"house\" # old\r\n\r\n# Wine.\r\n[kind.vineyard]\r\n\
                   colour = \"#fff\"   # white\r\n\r\n[board]\r\npalette = \"plain\"\r\n";
    fs::write(&file, by_hand).unwrap();
    let changes = [land("vineyard", "colour", Some("#123456")), land("lake", "style", Some("water"))];
    save_looks(dir.path(), &changes).unwrap();
    let expected = by_hand.replace("\"#fff\"", "\"#123456\"");
    let expected = expected.replace("\r\n[board]", "\r\n[kind.lake]\r\nstyle = \"water\"\r\n\r\n[board]");
    assert_eq!(read(), expected);
    // Removing the key also removes its table, because the table has no comment.
    let back = [land("vineyard", "colour", Some("#fff")), land("lake", "style", None)];
    save_looks(dir.path(), &back).unwrap();
    assert_eq!(read(), by_hand);
}

#[test]
fn pieces_and_tags_have_looks_beside_those_of_land() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("theme.toml");
    let by_hand = "# Looks.\n[tag.inn]\nicon = \"house\" # old\nsize = 0.2\n\n[board]\npalette = \"plain\"\n";
    fs::write(&file, by_hand).unwrap();
    let changes = [
        change(LookSection::Tag, "inn", "icon", Some("goblet")),
        change(LookSection::Tag, "goods", "icon.wine", Some("grapes")),
        change(LookSection::Tag, "goods", "icon.old cheese", Some("sheep")),
        change(LookSection::Piece, "vintner", "icon", Some("grapes")),
        LookChange {
            value: Some(ManifestValue::Other("0.3".to_owned())),
            ..change(LookSection::Tag, "inn", "size", None)
        },
    ];
    save_looks(dir.path(), &changes).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# Looks.\n[tag.inn]\nicon = \"goblet\" # old\nsize = 0.3\n"), "{text}");
    assert!(text.contains("[tag.goods]\nicon.wine = \"grapes\"\nicon.\"old cheese\" = \"sheep\"\n"), "{text}");
    assert!(text.contains("[piece.vintner]\nicon = \"grapes\"\n"), "{text}");
    let file_of = |text: &str| ThemeFile {
        owner: "wine".into(),
        label: "theme.toml".into(),
        text: text.to_owned(),
        icons: BTreeMap::new(),
    };
    let goods = LookSubject::new(LookSection::Tag, "goods");
    let looks = ModLooks { subjects: vec![goods.clone()], file: file_of(&text) };
    assert_eq!(looks.value(&goods, "icon.wine"), Some(ManifestValue::text("grapes")));
    let (theme, problems) = Theme::read(&[file_of(&text)], |_| Ok(()));
    assert_eq!(theme.icon("piece", "vintner", "icon"), Some(theme::builtin_icon("grapes")));
    assert_eq!(theme.icon("tag", "goods", "icon.old cheese"), Some(theme::builtin_icon("sheep")));
    assert!(problems.iter().all(|problem| problem.message.contains("palette")), "{problems:?}");
    // A preview shows only the looks of the mod's own declarations.
    let preview = looks.applied_to(&Theme::default(), |_| Ok(()));
    assert_eq!(preview.icon("tag", "goods", "icon.wine"), Some(theme::builtin_icon("grapes")));
    assert_eq!(preview.icon("piece", "vintner", "icon"), None);
    // The last word takes its key and table with it.
    let back = [
        change(LookSection::Tag, "goods", "icon.wine", None),
        change(LookSection::Tag, "goods", "icon.old cheese", None),
        change(LookSection::Piece, "vintner", "icon", None),
    ];
    save_looks(dir.path(), &back).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(!text.contains("goods") && !text.contains("vintner"), "{text}");
    // A word cannot have an icon beside one icon for the whole tag.
    let error = save_looks(dir.path(), &[change(LookSection::Tag, "inn", "icon.red", Some("star"))]).unwrap_err();
    assert!(error.to_string().contains("write it as `[tag.inn]`"), "{error}");
}

#[test]
fn a_preview_shows_unsaved_looks() {
    let file =
        ThemeFile { owner: "wine".into(), label: "theme.toml".into(), text: String::new(), icons: BTreeMap::new() };
    let mut looks = ModLooks { subjects: vec![LookSubject::new(LookSection::Kind, "vineyard")], file };
    looks.apply(&land("vineyard", "pattern", Some("dots"))).unwrap();
    looks.apply(&land("vineyard", "icon", Some("grapes"))).unwrap();
    let theme = looks.applied_to(&Theme::default(), |_| Ok(()));
    assert_eq!(theme.kind_pattern("vineyard"), Some(theme::LandPattern::Dots));
    assert_eq!(theme.icon("kind", "vineyard", "icon"), Some(theme::builtin_icon("grapes")));
    looks.file.text.push_str("kind = ");
    let error = looks.apply(&land("vineyard", "icon", None)).unwrap_err();
    assert!(matches!(error, EditError::NotToml { line: 4, .. }), "{error}");
}
