//! A theme reports all its mistakes at once, each with its place.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use diagnostic::Diagnostic;
use theme::{Theme, ThemeFile};

const SVG: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="3"/></svg>"##;

fn file(owner: &str, text: &str, icons: &[(&str, &str)]) -> ThemeFile {
    let icons: BTreeMap<String, String> = icons.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect();
    ThemeFile { owner: owner.to_owned(), label: format!("{owner}/theme.toml"), text: text.to_owned(), icons }
}

/// Accepts every text that ends like an SVG.
fn check_icon(svg: &str) -> Result<(), String> {
    if svg.ends_with("</svg>") { Ok(()) } else { Err("it ends too early".to_owned()) }
}

/// Returns the report of each problem: the text that it points to, the message and the help.
fn problems(files: &[ThemeFile]) -> Vec<String> {
    let (_, problems) = Theme::read(files, check_icon);
    let text = |label: &str| &files.iter().find(|f| f.label == label).unwrap().text;
    let line = |p: Diagnostic| {
        let text = text(&p.span.file);
        let at = &text[p.span.bytes(text)];
        format!("{}: {at}: {} ({})", p.span.file, p.message, p.help.unwrap_or_default())
    };
    problems.into_iter().map(line).collect()
}

#[test]
fn every_problem_is_told() {
    let text = r##"
[kind.stone]
style = "waled"
colour = "#fff"
[tga.crown]
icon = "x"
[tag.crown]
icon = "icons/crwn.svg"
place = 3
size = 7.5
[piece.walker]
icon = "icons/bad.svg"
[palette.night]
title = "Night"
ground = "black"
grund = "#000000"
smoke = 1
[board]
palette = "nigt"
"##;
    let found = problems(&[file("a", text, &[("icons/crown.svg", SVG), ("icons/bad.svg", "<svg")])]);
    let expected = [
        "\"waled\": there is no style `waled` (did you mean `walled`?)",
        "colour: unknown key `colour` in kind stone (there are `style` and `icon`)",
        "tga: unknown section `tga` (did you mean `tag`?)",
        "\"icons/crwn.svg\": there is no file `icons/crwn.svg` in the mod (did you mean `icons/crown.svg`?)",
        "3: `place` must be a text ()",
        "7.5: `size` must be a fraction of a tile from 0.05 to 1.0 ()",
        "\"icons/bad.svg\": `icons/bad.svg` cannot be drawn: it ends too early ()",
        "\"black\": `black` is not a colour (write it as `#rrggbb`)",
        "grund: unknown key `grund` in palette night (did you mean `ground`?)",
        "1: `smoke` must be true or false ()",
        "\"nigt\": there is no palette `nigt` (did you mean `night`?)",
    ];
    for expected in expected {
        assert!(found.iter().any(|f| f.starts_with(&format!("a/theme.toml: {expected}"))), "{expected}\n{found:#?}");
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    assert!(problems(&[file("a", "[kind", &[])])[0].contains("not TOML"));
    let both = problems(&[file("a", "[kind\n[tag.x]\nsize = \n[piece\n", &[])]);
    assert!(both.len() > 1 && both.iter().all(|problem| problem.contains("not TOML")), "{both:?}");
}

/// Cards and tiles belong to their mod, so two mods may use the same name.
#[test]
fn cards_tiles_and_links_have_pictures() {
    let text =
        "[card.walk]\nicon = \"icons/a.svg\"\n[tag.lake]\nlink = \"icons/a.svg\"\n[tile.A]\npicture = \"icons/a.svg\"";
    let files = [
        file("one", text, &[("icons/a.svg", SVG)]),
        file("two", "[card.walk]\nicon = \"icons/b.svg\"", &[("icons/b.svg", "<svg></svg>")]),
    ];
    let (theme, found) = Theme::read(&files, check_icon);
    assert_eq!(found, []);
    assert_eq!(theme.icon("card", "one/walk", "icon"), Some(Some(SVG)));
    assert_eq!(theme.icon("card", "two/walk", "icon"), Some(Some("<svg></svg>")));
    assert_eq!(theme.icon("tile", "one/A", "picture"), Some(Some(SVG)));
    assert_eq!(theme.icon("tile", "two/A", "picture"), None);
    assert_eq!(theme.icon("tag", "lake", "link"), Some(Some(SVG)));
    assert_eq!(theme.icon("tag", "lake", "icon"), None);
}

#[test]
fn mods_add_to_themes_and_do_not_change_them() {
    let first = "[kind.stone]\nstyle = \"walled\"\n[palette.day]\ntitle = \"Day\"\n[board]\npalette = \"day\"";
    let same = "[kind.stone]\nstyle = \"walled\"\n[palette.night]\nground = \"#000000\"\n[board]\npalette = \"night\"";
    let (theme, found) = Theme::read(&[file("a", first, &[]), file("b", same, &[])], check_icon);
    assert_eq!(found, []);
    let palettes = [("day".to_owned(), "Day".to_owned()), ("night".to_owned(), "night".to_owned())];
    assert_eq!(theme.palettes(), palettes);
    assert_eq!(theme.suggested_palette(), "night");
    assert_eq!(theme.palette("night").ground.to_string(), "#000000");
    assert_eq!(theme.names()[0].name, "stone");
    let other = file("c", "[kind.stone]\nstyle = \"wooded\"", &[]);
    let found = problems(&[file("a", first, &[]), other]);
    assert_eq!(
        found,
        [
            "c/theme.toml: \"wooded\": `c` and `a` differ in `style` of kind `stone` (a mod may add to the theme of another mod, but not change it)"
        ]
    );
    assert_eq!(Theme::default().suggested_palette(), "plain");
}
