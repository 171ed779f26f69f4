//! The HTML page that contains a whole book.

use std::fmt::Write;

use art::Painter;
use loader::Loaded;
use rules::Slot;
use table::GameView;

use crate::chapter::{Chapter, anchor, spoken};
use crate::example::Example;
use crate::tile_pictures::TilePictures;

const STYLE: &str = "\
:root{color-scheme:light dark;--page:#fbfaf7;--card:#fff;--ink:#23211c;--faint:#6f6a5f;--line:#e3dfd5;--accent:#8a3b26}\
@media(prefers-color-scheme:dark){:root{--page:#1b1c1e;--card:#242629;--ink:#e8e6e1;--faint:#a09b90;--line:#3a3c40;--accent:#e08a76}}\
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 Georgia,'Times New Roman',serif}\
main{max-width:52rem;margin:0 auto;padding:2rem 1rem 4rem}h1{font-size:2.2rem;margin:0}h2{font-size:1.8rem;margin:3rem 0 .3rem;border-bottom:2px solid var(--accent)}\
h3{font-size:1.25rem;margin:2rem 0 .4rem}h4{margin:1.2rem 0 .3rem}p{margin:.4rem 0 .9rem}a{color:var(--accent)}.faint,small{color:var(--faint)}\
table{border-collapse:collapse;width:100%;margin:.6rem 0 1rem}th,td{padding:.3rem .6rem;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}th{color:var(--faint)}\
code{font-size:.9em}.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(6rem,1fr));gap:.9rem;margin:1rem 0}.tiles figure{margin:0;text-align:center}\
.tile{width:100%;display:block;border-radius:4px}figcaption{color:var(--faint)}.example{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem;margin:1.2rem 0;break-inside:avoid}\
.boards{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-end}.boards figure{margin:0;flex:1 1 14rem}.board{width:100%;height:auto;display:block;border-radius:6px}\
details{margin-top:.6rem}summary{cursor:pointer;color:var(--accent)}dt{font-weight:bold}dd{margin:0 0 .5rem 1.2rem}nav ol{columns:2}\
.score td{height:1.9rem;border:1px solid var(--line)}.score th{border:1px solid var(--line)}@media print{body{font-size:11pt}h2{break-before:page}details{display:none}a{color:inherit}}";

/// Escapes the characters of a text that have a meaning in HTML.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in diagnostic::visible_lines(text).chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            c => safe.push(c),
        }
    }
    safe
}

/// Returns the page of a book with these chapters.
pub(crate) fn page(loaded: &Loaded, chapters: &[Chapter]) -> String {
    let theme = loaded.theme();
    let painter = Painter::new(&loaded.catalogue().tile_set, theme, theme.suggested_palette());
    let mut tiles = TilePictures::default();
    let mut body = String::new();
    let titles: Vec<String> = chapters.iter().map(|chapter| escaped(&chapter.title)).collect();
    let title = titles.join(", ");
    let _ = write!(
        body,
        "<h1>{title}</h1><p class=faint>The rules. Every example of this book is a test that was run when the book was made.</p>"
    );
    body += "<nav><ol>";
    for (chapter, title) in chapters.iter().zip(&titles) {
        let _ = write!(body, "<li><a href=\"#{}\">{title}</a></li>", chapter.id);
    }
    body += "<li><a href=\"#score-sheet\">Score sheet</a></li></ol></nav>";
    body += &at_a_glance(loaded, chapters);
    for chapter in chapters {
        body += &chapter_page(loaded, &painter, &mut tiles, chapter);
    }
    body += &score_sheet(chapters);
    body += "<p class=faint>Made by Bastide, which is not affiliated with any publisher.</p>";
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style></head><body>{}<main>{body}</main></body></html>\n",
        tiles.definitions(),
    )
}

/// Returns a short summary of the rules: the order of a turn, and the points of all chapters.
fn at_a_glance(loaded: &Loaded, chapters: &[Chapter]) -> String {
    let mut text = "<h3>A turn at a glance</h3><ol>".to_owned();
    for phase in &loaded.catalogue().phases {
        let name = match phase.slot {
            Slot::Draw if phase.id == "draw" => "Draw a tile".to_owned(),
            Slot::Place if phase.id == "place" => "Place the tile".to_owned(),
            Slot::Piece if phase.id == "piece" => "Deploy a piece on the tile, if you want".to_owned(),
            Slot::Score if phase.id == "score" => "Score what was completed".to_owned(),
            _ => {
                let name = spoken(&phase.id).replace('-', " ");
                let mut letters = name.chars();
                letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
            }
        };
        let _ = write!(text, "<li>{}</li>", escaped(&name));
    }
    text += "</ol>";
    let rows: Vec<&[String; 3]> = chapters.iter().flat_map(|chapter| &chapter.points).collect();
    text += &table(["land", "points when completed", "points in the final count"], rows);
    text
}

fn table<'r, const N: usize>(heads: [&str; N], rows: impl IntoIterator<Item = &'r [String; N]>) -> String {
    let mut text = String::new();
    for row in rows {
        text += "<tr>";
        for cell in row {
            let _ = write!(text, "<td>{}</td>", escaped(cell));
        }
        text += "</tr>";
    }
    if text.is_empty() {
        return text;
    }
    let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
    format!("<table><thead><tr>{heads}</tr></thead><tbody>{text}</tbody></table>")
}

fn chapter_page(loaded: &Loaded, painter: &Painter, tiles: &mut TilePictures, chapter: &Chapter) -> String {
    let mut text = format!("<h2 id=\"{}\">{}</h2>", chapter.id, escaped(&chapter.title));
    if chapter.intro.is_empty() {
        let _ = write!(text, "<p>{}</p>", escaped(&chapter.about));
    }
    text += &chapter.intro;
    if !chapter.tiles.is_empty() || !chapter.contents.is_empty() {
        text += "<h3>Contents</h3>";
        text += &table(["what", "how many", ""], &chapter.contents);
        text += &tile_list(loaded, painter, tiles, chapter);
    }
    for (title, html) in &chapter.sections {
        let _ = write!(text, "<h3>{}</h3>{html}", escaped(title));
    }
    text += &with_heading("Points", &table(["land", "when completed", "in the final count"], &chapter.points));
    if !chapter.functions.is_empty() {
        text += "<h3>Rule by rule</h3><dl>";
        for [name, about, source] in &chapter.functions {
            let _ = write!(text, "<dt>{}</dt><dd>{}", escaped(name), escaped(about));
            if !source.is_empty() {
                let _ = write!(text, " <small>Source: {}</small>", escaped(source));
            }
            text += "</dd>";
        }
        text += "</dl>";
    }
    text += &with_heading("Settings", &table(["setting", "default", ""], &chapter.settings));
    if !chapter.examples.is_empty() {
        text += "<h3>Examples</h3>";
    }
    for (i, example) in chapter.examples.iter().enumerate() {
        text += &example_figure(loaded, tiles, &chapter.id, i, example);
    }
    text += &with_heading("Words", &table(["word", "meaning"], &chapter.glossary));
    if !chapter.unexplained.is_empty() {
        let lines: String = chapter.unexplained.iter().map(|line| format!("<li>{}</li>", escaped(line))).collect();
        let _ = write!(
            text,
            "<details><summary>Not explained yet ({})</summary><ul>{lines}</ul></details>",
            chapter.unexplained.len()
        );
    }
    text
}

fn with_heading(title: &str, content: &str) -> String {
    if content.is_empty() { String::new() } else { format!("<h3>{title}</h3>{content}") }
}

fn tile_list(loaded: &Loaded, painter: &Painter, tiles: &mut TilePictures, chapter: &Chapter) -> String {
    let n: u32 = chapter.tiles.iter().map(|(_, n)| n).sum();
    if n == 0 {
        return String::new();
    }
    let tile_set = &loaded.catalogue().tile_set;
    let start = loaded.catalogue().start.map(|start| start.tile);
    let mut text = format!("<p>{n} tiles:</p><div class=tiles>");
    for (tile, n) in &chapter.tiles {
        let name = &tile_set.tile(*tile).name;
        let note = if start == Some(*tile) { ", one of them the start tile" } else { "" };
        let short = name.split_once('/').map_or(name.as_str(), |(_, short)| short);
        let _ = write!(
            text,
            "<figure>{}<figcaption>{n} × <small>{}{note}</small></figcaption></figure>",
            tiles.tile(painter, name, *tile),
            escaped(short),
        );
    }
    text + "</div>"
}

fn example_figure(loaded: &Loaded, tiles: &mut TilePictures, id: &str, i: usize, example: &Example) -> String {
    let theme = loaded.theme();
    // An example may use other mods than the book.
    let painter = Painter::new(&example.rules.catalogue().tile_set, theme, theme.suggested_palette());
    let part = example.part();
    let none = art::Picture::new(1.0, 1.0);
    let mut boards: Vec<String> =
        example.steps.iter().map(|game| tiles.board(&painter, GameView::of(game), part, &none)).collect();
    boards.dedup();
    let last = example.steps.last().map(GameView::of);
    let end = last.map(|view| tiles.board(&painter, view, part, &example.marks(&painter, part))).unwrap_or_default();
    let mut text = format!(
        "<div class=example id=\"{}\"><p><b>Example {}.</b> {}</p><div class=boards>",
        anchor(id, i),
        i + 1,
        escaped(&example.caption),
    );
    if let Some(first) = boards.first().filter(|_| boards.len() > 1) {
        let _ = write!(text, "<figure>{first}<figcaption>before</figcaption></figure>");
    }
    let _ = write!(text, "<figure>{end}<figcaption>after</figcaption></figure></div>");
    let awards = example.awards();
    if let Some(view) = last.filter(|_| !awards.is_empty()) {
        let said = awards.iter().map(|award| {
            let points = if award.points.abs() == 1 { "point" } else { "points" };
            format!("{} gets {} {points} ({})", view.name(award.player), award.points, spoken(&award.reason))
        });
        let _ = write!(text, "<p class=faint>{}.</p>", escaped(&said.collect::<Vec<_>>().join("; ")));
    }
    if boards.len() > 2 {
        text += "<details><summary>Step by step</summary><div class=boards>";
        for (i, board) in boards.iter().enumerate() {
            let _ = write!(text, "<figure>{board}<figcaption>{} of {}</figcaption></figure>", i + 1, boards.len());
        }
        text += "</div></details>";
    }
    text + "</div>"
}

/// Returns an empty table for the points of up to six players.
fn score_sheet(chapters: &[Chapter]) -> String {
    let mut text = "<h2 id=\"score-sheet\">Score sheet</h2><table class=score><tr><th>player</th>".to_owned();
    text += &"<td></td>".repeat(6);
    text += "</tr>";
    for [land, ..] in chapters.iter().flat_map(|chapter| &chapter.points) {
        let _ = write!(text, "<tr><th>{}</th>{}</tr>", escaped(land), "<td></td>".repeat(6));
    }
    for row in ["other", "total"] {
        let _ = write!(text, "<tr><th>{row}</th>{}</tr>", "<td></td>".repeat(6));
    }
    text + "</table>"
}
