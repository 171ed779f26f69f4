//! The HTML page that contains a whole book.

use std::fmt::Write;

use art::Painter;
use loader::Loaded;
use table::{GameView, capital};

use crate::chapter::{Chapter, anchor, short, spoken};
use crate::example::{Example, points_text};
use crate::summary::steps_of_turn;
use crate::tile_pictures::{TilePictures, inner};
use crate::track;

const STYLE: &str = "\
:root{color-scheme:light dark;--page:#fbfaf7;--card:#fff;--ink:#23211c;--faint:#6f6a5f;--line:#e3dfd5;--accent:#8a3b26}\
@media(prefers-color-scheme:dark){:root{--page:#1b1c1e;--card:#242629;--ink:#e8e6e1;--faint:#a09b90;--line:#3a3c40;--accent:#e08a76}}\
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 Georgia,'Times New Roman',serif}\
main{max-width:52rem;margin:0 auto;padding:2rem 1rem 4rem}h1{font-size:2.2rem;margin:0}h2{font-size:1.8rem;margin:3rem 0 .3rem;border-bottom:2px solid var(--accent)}\
h3{font-size:1.25rem;margin:2rem 0 .4rem}h4{margin:1.2rem 0 .3rem}p{margin:.4rem 0 .9rem}a{color:var(--accent)}.faint,small{color:var(--faint)}\
table{border-collapse:collapse;width:100%;margin:.6rem 0 1rem}th,td{padding:.3rem .6rem;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}th{color:var(--faint)}\
code{font-size:.9em}.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(6rem,1fr));gap:.9rem;margin:1rem 0}.tiles figure{margin:0;text-align:center}\
.tile{width:100%;display:block;border-radius:4px}figcaption{color:var(--faint)}.example{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem;margin:1.2rem 0;break-inside:avoid}\
.steps{display:flex;flex-wrap:wrap;gap:.35rem;margin:0;padding:0;border:0;min-width:0}.steps input{position:absolute;opacity:0}\
.steps label{border:1px solid var(--line);border-radius:.4rem;padding:.05rem .6rem;cursor:pointer;color:var(--accent)}.steps :checked+label{background:var(--accent);color:var(--card)}.steps :focus-visible+label{outline:2px solid var(--ink);outline-offset:1px}\
.steps::after{content:'';flex-basis:100%}.steps figure{display:none;order:1;margin:.5rem 0 0;flex:1 0 100%}.steps :checked+label+figure{display:block}.pair:checked~.end{display:block;flex:1 1 16rem}.board,.track{width:100%;height:auto;display:block;border-radius:6px}.track{margin-top:.4rem}\
.step{display:none}.steps :checked+label+figure .name{display:none}.steps :checked+label+figure .step{display:block}.counts{color:var(--ink)}.open{float:right}details{margin-top:.6rem}summary{cursor:pointer;color:var(--accent)}dt{font-weight:bold}dd{margin:0 0 .5rem 1.2rem}nav ol{columns:2}\
.score td{height:1.9rem;border:1px solid var(--line)}.score th{border:1px solid var(--line)}@media print{:root{--page:#fff;--card:#fff;--ink:#000;--faint:#444;--line:#bbb;--accent:#8a3b26}body{font-size:11pt}h2{break-before:page}h3,dt{break-after:avoid}details,.open,.steps label{display:none}.steps figure,.steps :checked+label+figure{display:none}.steps .end,.steps :checked+label+.end{display:block;flex:1 1 40%}a{color:inherit}}";

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

/// Escapes a text, and marks the parts between backquotes as code.
fn with_code(text: &str) -> String {
    let parts: Vec<String> = escaped(text).split('`').map(str::to_owned).collect();
    if parts.len().is_multiple_of(2) {
        return parts.join("`");
    }
    let code = |(i, part): (usize, &String)| if i % 2 == 0 { part.clone() } else { format!("<code>{part}</code>") };
    parts.iter().enumerate().map(code).collect()
}

/// Returns the page of a book with these chapters. The links of examples begin with `address`.
pub(crate) fn page(loaded: &Loaded, chapters: &[Chapter], address: &str) -> String {
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
        body += &chapter_page(loaded, &painter, &mut tiles, chapter, address);
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
    for step in steps_of_turn(loaded, loaded.catalogue()) {
        let _ = write!(text, "<li>{}</li>", with_code(&step));
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
            let _ = write!(text, "<td>{}</td>", with_code(cell));
        }
        text += "</tr>";
    }
    if text.is_empty() {
        return text;
    }
    let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
    format!("<table><thead><tr>{heads}</tr></thead><tbody>{text}</tbody></table>")
}

fn chapter_page(
    loaded: &Loaded,
    painter: &Painter,
    tiles: &mut TilePictures,
    chapter: &Chapter,
    address: &str,
) -> String {
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
            let _ = write!(text, "<dt>{}</dt><dd>{}", escaped(name), with_code(about));
            if !source.is_empty() {
                let _ = write!(text, " <small>Source: {}</small>", with_code(source));
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
        text += &example_figure(loaded, tiles, &anchor(&chapter.id, i), i, example, address);
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
        let _ = write!(
            text,
            "<figure>{}<figcaption>{n} × <small>{}{note}</small></figcaption></figure>",
            tiles.tile(painter, name, *tile),
            escaped(short(name)),
        );
    }
    text + "</div>"
}

/// A step of an example on the page.
struct Frame {
    /// The pictures and numbers, as HTML.
    content: String,
    /// Sentences about the answers since the frame before.
    texts: Vec<String>,
}

/// Returns the steps of an example. Answers that change neither the pictures nor the numbers have
/// no step of their own.
fn frames(loaded: &Loaded, tiles: &mut TilePictures, example: &Example) -> Vec<Frame> {
    let theme = loaded.theme();
    // The mods of an example may differ from those of the book.
    let painter = Painter::new(&example.rules.catalogue().tile_set, theme, theme.suggested_palette());
    let part = example.part();
    let none = art::Picture::new(1.0, 1.0);
    let marks = example.marks(&painter, part);
    let spaces = track::spaces(example.views());
    let mut frames: Vec<Frame> = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    for (i, step) in example.steps.iter().enumerate() {
        let view = GameView::of(&step.game);
        let marks = if i + 1 == example.steps.len() { &marks } else { &none };
        let mut content = tiles.board(&painter, view, part, marks);
        if let Some(spaces) = spaces.clone() {
            let picture = track::picture(&painter, view, spaces);
            let [w, h] = picture.size();
            let _ = write!(
                content,
                "<svg class=\"track\" viewBox=\"0 0 {} {}\" style=\"max-width:{}px\">{}</svg>",
                w * 1000.0,
                h * 1000.0,
                w * 44.0,
                inner(&picture),
            );
        }
        let counts = example.counts(view);
        if !counts.is_empty() {
            let _ = write!(content, "<div class=counts>{}</div>", escaped(&counts));
        }
        texts.extend(Some(step.text.clone()).filter(|text| !text.is_empty()));
        match frames.last_mut() {
            Some(last) if last.content == content && i + 1 < example.steps.len() => {}
            Some(last) if last.content == content => last.texts.append(&mut texts),
            _ => frames.push(Frame { content, texts: std::mem::take(&mut texts) }),
        }
    }
    frames
}

/// Returns an example with radio buttons that step through its figures. A style sheet shows the
/// figure of the selected button, so the page needs no script.
fn example_figure(
    loaded: &Loaded,
    tiles: &mut TilePictures,
    id: &str,
    i: usize,
    example: &Example,
    address: &str,
) -> String {
    let frames = frames(loaded, tiles, example);
    let n = frames.len();
    let mut text = format!(
        "<div class=example id=\"{id}\"><p><b>Example {}.</b> {}</p><fieldset class=steps aria-label=\"Steps of example {}\">",
        i + 1,
        escaped(&example.caption),
        i + 1,
    );
    // With a single position there is nothing to choose, and its figure is always visible.
    let hidden = if n < 2 { " hidden" } else { "" };
    let _ = write!(
        text,
        "<input class=pair type=radio name=\"{id}\" id=\"{id}-0\" checked{hidden}><label for=\"{id}-0\"{hidden}>Before and after</label>"
    );
    for (k, frame) in frames.iter().enumerate() {
        let (class, name) = match k {
            0 if n > 1 => (" class=end", "Before"),
            _ if k + 1 == n => (" class=end", "After"),
            _ => ("", ""),
        };
        let label = if k == 0 { "Start".to_owned() } else { k.to_string() };
        let said = frame.texts.join(". ");
        let said = if said.is_empty() { String::new() } else { format!("{}.", escaped(&said)) };
        let heading = match (k, said.is_empty()) {
            (0, true) => "Start.",
            (_, true) => "A tile is drawn.",
            _ => said.as_str(),
        };
        let _ = write!(
            text,
            "<input type=radio name=\"{id}\" id=\"{id}-{at}\"{hidden}><label for=\"{id}-{at}\"{hidden}>{label}</label>\
             <figure{class}>{}<figcaption><span class=name>{name}</span><span class=step>{heading}</span></figcaption></figure>",
            frame.content,
            at = k + 1,
        );
    }
    text += "</fieldset>";
    if let Some(link) = &example.link {
        let _ = write!(text, "<a class=open href=\"{}#{link}\">Open in Bastide</a>", escaped(address));
    }
    let awards = example.awards().into_iter().filter(|award| award.points != 0);
    let said: Vec<String> = example.after().map(GameView::of).map_or_else(Vec::new, |view| {
        let sentence = |award: &rules::Award| {
            format!(
                "{} gets {} ({}).",
                capital(view.name(award.player)),
                points_text(award.points),
                spoken(&award.reason)
            )
        };
        awards.map(sentence).collect()
    });
    let _ = write!(text, "<p class=faint>{}</p></div>", escaped(&said.join(" ")));
    text
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
