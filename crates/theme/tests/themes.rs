//! A theme reports all its mistakes at once, each with its place.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

use diagnostic::Diagnostic;
use theme::{Colour, ICON_GROUPS, LandPattern, Theme, ThemeFile, builtin_icon, builtin_icons};

const SVG: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="3"/></svg>"##;

fn file(owner: &str, text: &str, icons: &[(&str, &str)]) -> ThemeFile {
    let icons: BTreeMap<String, String> = icons.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect();
    ThemeFile { owner: owner.to_owned(), label: format!("{owner}/theme.toml"), text: text.to_owned(), icons }
}

/// Accepts every text that ends like an SVG.
fn check_icon(svg: &str) -> Result<(), Box<dyn Error>> {
    if svg.trim_end().ends_with("</svg>") { Ok(()) } else { Err("it ends too early".into()) }
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
colr = "#fff"
pattern = "row"
[tga.crown]
icon = "x"
[token.coin]
icon = "coyn"
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
        "colr: unknown key `colr` in kind stone (there are `style`, `colour`, `pattern`, `edge` and `icon`)",
        "\"row\": there is no pattern `row` (did you mean `rows`?)",
        "tga: unknown section `tga` (did you mean `tag`?)",
        "\"icons/crwn.svg\": there is no file `icons/crwn.svg` in the mod (did you mean `icons/crown.svg`?)",
        "\"coyn\": there is no built-in icon `coyn` (did you mean `coin`?)",
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

#[test]
fn icons_that_are_missing_have_a_help() {
    for (icon, help) in [
        ("helmet.svg", "write `icons/helmet.svg`"),
        ("icons/helmt.svg", "did you mean `icons/helmet.svg`?"),
        ("pictures/cup.png", "icons are SVG files, such as `icons/crown.svg`"),
    ] {
        let text = format!("[tag.crown]\nicon = \"{icon}\"\n");
        let found = problems(&[file("a", &text, &[("icons/helmet.svg", SVG)])]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].ends_with(&format!("({help})")), "{help}: {found:?}");
    }
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

#[test]
fn icons_are_built_in_or_files_of_the_mod() {
    let text =
        "[tag.crown]\nicon = \"crown\"\n[tag.own]\nicon = \"icons/own.svg\"\n[tag.inn]\nicon.full = \"goblet\"\n";
    let (theme, problems) = Theme::read(&[file("a", text, &[("icons/own.svg", SVG)])], check_icon);
    assert_eq!(problems, []);
    assert_eq!(theme.icon("tag", "crown", "icon"), Some(builtin_icon("crown")));
    assert_eq!(theme.icon("tag", "own", "icon"), Some(Some(SVG)));
    assert_eq!(theme.icon("tag", "inn", "icon.full"), Some(builtin_icon("goblet")));
    assert_eq!(builtin_icon("no_such"), None);
    let mut names: Vec<&str> = builtin_icons().map(|(name, _)| name).collect();
    assert!(names.len() >= 60, "{}", names.len());
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    assert!(names.iter().all(|name| builtin_icon(name).unwrap().contains("currentColor")));
}

#[test]
fn kinds_have_colours_and_patterns() {
    let of = |text: &str| Theme::read(&[file("a", text, &[])], check_icon).0;
    let theme = of(
        "[kind.vineyard]\ncolour = \"#7d4f8c\"\nedge = \"#000\"\npattern = \"rows\"\n[kind.lake]\nstyle = \"water\"\n",
    );
    assert_eq!(theme.kind_colour("vineyard"), Some(Colour::hex(0x7d4f8c)));
    assert_eq!(theme.kind_edge("vineyard"), Some(Colour::hex(0)));
    assert_eq!(theme.kind_pattern("vineyard"), Some(LandPattern::Rows));
    assert_eq!((theme.style("vineyard"), theme.kind_colour("lake"), theme.kind_pattern("lake")), (None, None, None));
    let other = theme.with_looks_of(&of("[kind.vineyard]\npattern = \"dots\"\n"), |section, name| {
        (section, name) == ("kind", "vineyard")
    });
    assert_eq!((other.kind_pattern("vineyard"), other.kind_colour("vineyard")), (Some(LandPattern::Dots), None));
    assert_eq!(other.style("lake"), theme.style("lake"), "other kinds stay");
}

/// Returns a picture of all built-in icons with their names, as SVG. Icons are drawn at 48 pixels,
/// and beside the name at 16.
fn sheet() -> String {
    const COLUMNS: usize = 9;
    let mut shapes = String::new();
    let mut y = 0;
    for group in ICON_GROUPS {
        shapes += &format!("<text x=\"8\" y=\"{}\" font-weight=\"bold\">{}</text>\n", y + 20, group.title);
        for (i, (name, svg)) in group.icons.iter().enumerate() {
            let (x, y) = (8 + i % COLUMNS * 92, y + 30 + i / COLUMNS * 80);
            for (size, dx, dy) in [(48, 6, 0), (16, 62, 32)] {
                let place = format!("<svg x=\"{}\" y=\"{}\" width=\"{size}\" height=\"{size}\"", x + dx, y + dy);
                shapes += &svg.replacen("<svg", &place, 1);
            }
            shapes += &format!("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{name}</text>\n", x + 40, y + 62);
        }
        y += 38 + group.icons.len().div_ceil(COLUMNS) * 80;
    }
    let width = 16 + COLUMNS * 92;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {y}\" width=\"{width}\" height=\"{y}\" \
         color=\"#2d261f\" fill=\"#2d261f\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{width}\" height=\"{y}\" fill=\"#a9bd6c\"/>\n{shapes}</svg>\n"
    )
}

#[test]
fn the_reference_shows_and_names_every_icon() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let file = docs.join("icons.svg");
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, sheet()).unwrap();
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), sheet(), "UPDATE_EXPECT=1 writes the picture again");
    let page = fs::read_to_string(docs.join("theme.md")).unwrap();
    for group in ICON_GROUPS {
        let names: Vec<String> = group.icons.iter().map(|(name, _)| format!("`{name}`")).collect();
        let row = format!("| {} | {} |", group.title, names.join(", "));
        assert!(page.contains(&row), "docs/theme.md has no row\n{row}");
    }
}

#[test]
fn roads_are_visible_on_snow() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods/winter/theme.toml");
    let (theme, _) = Theme::read(&[file("winter", &fs::read_to_string(path).unwrap(), &[])], check_icon);
    let palette = theme.palette("winter");
    let brightness = |colour: Colour| colour.rgb().into_iter().map(u32::from).sum::<u32>() / 3;
    let ground = brightness(palette.ground);
    assert!(ground > brightness(palette.path) + 60, "roads are darker than snow");
    assert!(brightness(palette.path) > brightness(palette.path_edge) + 40, "roads have an edge");
}
