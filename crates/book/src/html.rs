//! The HTML page that contains a whole book.

use std::fmt::Write;

use art::{Picture, SVG_UNIT, SvgPrecision, SvgWriter};
use ink::{Progress, Stopped};

use crate::WITH_PICTURES;
use crate::exhibit::{BoardScene, DrawingEntry, Exhibit};
use crate::page::Pages;
use crate::text::{Passage, Phrase, PhraseStyle, TextTable};

const STYLE: &str = "\
svg{stroke-linecap:round;stroke-linejoin:round}\
:root{color-scheme:light dark;--page:#fbfaf7;--card:#fff;--ink:#23211c;--faint:#6f6a5f;--line:#e3dfd5;--accent:#8a3b26;--table:#e6e1d4}\
@media(prefers-color-scheme:dark){:root{--page:#1b1c1e;--card:#242629;--ink:#e8e6e1;--faint:#a09b90;--line:#3a3c40;--accent:#e08a76;--table:#33363a}}\
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 Georgia,'Times New Roman',serif}\
main{max-width:52rem;margin:0 auto;padding:2rem 1rem 4rem}h1{font-size:2.2rem;margin:0}h2{font-size:1.8rem;margin:3rem 0 .3rem;border-bottom:2px solid var(--accent)}\
h3{font-size:1.25rem;margin:2rem 0 .4rem}h4{margin:1.2rem 0 .3rem}p{margin:.4rem 0 .9rem}a{color:var(--accent)}.faint,small{color:var(--faint)}\
table{border-collapse:collapse;width:100%;margin:.6rem 0 1rem}th,td{padding:.3rem .6rem;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}th{color:var(--faint)}\
code{font-size:.9em}.scroll,pre{overflow-x:auto}@media(max-width:40rem){th,td{padding:.3rem}td:nth-child(n+4){min-width:9rem}}.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(6rem,1fr));gap:.9rem;margin:1rem 0}.tiles figure{margin:0;text-align:center}\
.tile{width:100%;display:block;border-radius:4px}figcaption{color:var(--faint)}.example{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem;margin:1.2rem 0;break-inside:avoid}\
.steps{display:flex;flex-wrap:wrap;gap:.35rem;margin:0;padding:0;border:0;min-width:0}.steps input{position:absolute;opacity:0}\
.steps label{border:1px solid var(--line);border-radius:.4rem;padding:.05rem .6rem;cursor:pointer;color:var(--accent)}.steps :checked+label{background:var(--accent);color:var(--card)}.steps :focus-visible+label{outline:2px solid var(--ink);outline-offset:1px}\
.steps::after{content:'';flex-basis:100%}.steps figure{display:none;order:1;margin:.5rem 0 0;flex:1 0 100%}.steps :checked+label+figure{display:block}.pair:checked~.end{display:block;flex:1 1 16rem;margin-right:.6rem}.pair:checked~.wide{flex-basis:100%}.story{display:none;order:2;flex:1 0 100%;margin:.5rem 0 0}.pair:checked~.story{display:block}.board,.track{width:100%;height:auto;display:block;border-radius:6px}.board{background:var(--table)}.track{margin-top:.4rem}\
.step{display:none}.steps :checked+label+figure .name{display:none}.steps :checked+label+figure .step{display:block}.counts{color:var(--ink)}.open{display:block;text-align:right}details{margin-top:.6rem}summary{cursor:pointer;color:var(--accent)}dt{font-weight:bold}dd{margin:0 0 .5rem 1.2rem}nav ol{columns:2}\
.score td{height:1.9rem;border:1px solid var(--line)}.score th{border:1px solid var(--line)}@media print{:root{--page:#fff;--card:#fff;--ink:#000;--faint:#444;--line:#bbb;--accent:#8a3b26;--table:#f1eee6}body{font-size:11pt}h2{break-before:page}h3,dt{break-after:avoid}details,.open,.steps label{display:none}.steps figure,.steps :checked+label+figure{display:none}.steps .end,.steps :checked+label+.end{display:block;flex:1 1 40%}.steps .wide,.steps :checked+label+.wide{flex-basis:100%}.story{display:block}.steps .name,.steps :checked+label+figure .name{display:inline}.steps .step,.steps :checked+label+figure .step{display:none}.scroll{overflow:visible}a{color:inherit}}";

/// The words of the link that opens an example. No-break spaces keep them on one line.
pub(crate) const OPEN: &str = "Open\u{a0}in\u{a0}Bastide";

/// The maximum number of spaces of a score track in a picture beside another one.
const SPACES_BESIDE: f64 = 10.0;
/// The maximum width of a space of the score track, in pixels.
const SPACE: f64 = 36.0;

/// Escapes the characters of a text that have a meaning in HTML.
fn escape(text: &str) -> String {
    let text = diagnostic::visible_lines(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns the page of a book.
pub(crate) fn page(book: &Pages, progress: &mut Progress<'_>) -> Result<String, Stopped> {
    let title = escape(&book.title);
    let mut writer = HtmlWriter { book, svg: SvgWriter::new(SvgPrecision::Thousandth) };
    let drawings = writer.drawings();
    let mut body = String::new();
    for (i, passage) in book.passages.iter().enumerate() {
        body += &writer.passage(passage);
        progress.end_step([WITH_PICTURES, 100], i, book.passages.len())?;
    }
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style></head><body>\
         <svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs>{}</defs>{drawings}</svg>\n\
         <main>{body}</main></body></html>\n",
        writer.svg.definitions(),
    ))
}

/// Writes the passages of a book.
struct HtmlWriter<'b> {
    book: &'b Pages,
    svg: SvgWriter,
}

impl HtmlWriter<'_> {
    fn passage(&mut self, passage: &Passage) -> String {
        match passage {
            Passage::Heading { level, text, anchor } => {
                let id = if anchor.is_empty() { String::new() } else { format!(" id=\"{anchor}\"") };
                format!("<h{level}{id}>{}</h{level}>", escape(text))
            }
            Passage::Paragraph(line) => format!("<p>{}</p>", line_text(line)),
            Passage::Note(line) => format!("<p class=faint>{}</p>", line_text(line)),
            Passage::List { first, items } => {
                let mut text = first.map_or("<ul>".to_owned(), |first| format!("<ol start=\"{first}\">"));
                for item in items {
                    let content: String = match item.as_slice() {
                        [Passage::Paragraph(line)] => line_text(line),
                        passages => passages.iter().map(|passage| self.passage(passage)).collect(),
                    };
                    let _ = write!(text, "<li>{content}</li>");
                }
                text + if first.is_some() { "</ol>" } else { "</ul>" }
            }
            Passage::Table(table) => table_text(table),
            Passage::Code(code) => format!("<pre><code>{}</code></pre>", escape(code)),
            Passage::Terms(terms) => {
                let term = |[term, meaning]: &[Vec<Phrase>; 2]| {
                    format!("<dt>{}</dt><dd>{}</dd>", line_text(term), line_text(meaning))
                };
                format!("<dl>{}</dl>", terms.iter().map(term).collect::<String>())
            }
            Passage::Contents => contents(self.book),
            Passage::Drawings(entries) => drawing_list(entries),
            Passage::Example(example) => self.example(example),
            Passage::ScoreSheet(rows) => score_sheet(rows),
            Passage::Gaps(gaps) => {
                let lines: String = gaps.iter().map(|line| format!("<li>{}</li>", escape(line))).collect();
                format!("<details><summary>Not explained yet ({})</summary><ul>{lines}</ul></details>", gaps.len())
            }
        }
    }

    /// Returns the drawings of all tiles and pieces, for the beginning of the page.
    fn drawings(&mut self) -> String {
        let mut symbols = String::new();
        for (name, picture) in &self.book.drawings.0 {
            let (id, drawing) = (drawing_id(name), self.svg.elements(picture));
            let _ = writeln!(symbols, "<symbol id=\"{id}\" viewBox=\"0 0 {SVG_UNIT} {SVG_UNIT}\">{drawing}</symbol>");
        }
        symbols
    }

    fn board(&mut self, scene: &BoardScene) -> String {
        let [w, h] = scene.size;
        let mut text = format!(
            "<svg class=\"board\" viewBox=\"0 0 {} {}\" style=\"max-width:{}px\">",
            w * SVG_UNIT,
            h * SVG_UNIT,
            (w * 72.0).round(),
        );
        for laid in &scene.tiles {
            let [x, y] = laid.at.map(|at| at * SVG_UNIT);
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "<use href=\"#{}\" width=\"1000\" height=\"1000\" transform=\"translate({x} {y}) rotate({} 500 500)\"/>",
                drawing_id(&laid.drawing),
                laid.degrees,
            );
        }
        text += &self.svg.elements(&scene.objects);
        text + "</svg>"
    }

    fn track(&mut self, picture: &Picture) -> String {
        let [w, h] = picture.size();
        format!(
            "<svg class=\"track\" viewBox=\"0 0 {} {}\" style=\"max-width:{}px\">{}</svg>",
            w * SVG_UNIT,
            h * SVG_UNIT,
            w * SPACE,
            self.svg.elements(picture),
        )
    }

    /// Returns an example with radio buttons that step through its figures. A style sheet shows the
    /// figure of the selected button, so the page needs no script.
    fn example(&mut self, example: &Exhibit) -> String {
        let (id, n) = (&example.anchor, example.steps.len());
        let mut text = format!(
            "<div class=example id=\"{id}\"><p><b>Example {number}.</b> {}</p><fieldset class=steps aria-label=\"Steps of example {number}\">",
            escape(&example.caption),
            number = example.number,
        );
        // With a single position there is nothing to choose, and its figure is always visible.
        let hidden = if n < 2 { " hidden" } else { "" };
        let _ = write!(
            text,
            "<input class=pair type=radio name=\"{id}\" id=\"{id}_0\" checked{hidden}><label for=\"{id}_0\"{hidden}>Before and after</label>"
        );
        for (k, step) in example.steps.iter().enumerate() {
            let (class, name) = match k {
                _ if n == 1 => ("end", ""),
                _ if k + 1 == n => ("end", "After"),
                _ if k == example.before => ("end", "Before"),
                _ => ("", ""),
            };
            let n_spaces = step.track.as_ref().map_or(0.0, |track| track.size()[0]);
            let wide = if n_spaces > SPACES_BESIDE { " wide" } else { "" };
            let label = if k == 0 { "Start".to_owned() } else { k.to_string() };
            let _ = write!(
                text,
                "<input type=radio name=\"{id}\" id=\"{id}_{at}\"{hidden}><label for=\"{id}_{at}\"{hidden}>{label}</label>\
                 <figure class=\"{class}{wide}\">{}{}",
                self.board(&step.board),
                step.track.as_ref().map_or_else(String::new, |picture| self.track(picture)),
                at = k + 1,
            );
            let _ = write!(
                text,
                "<figcaption><span class=name>{name}</span><span class=step>{}</span></figcaption>",
                escape(&step.text)
            );
            if !step.counts.is_empty() {
                let _ = write!(text, "<div class=counts>{}</div>", escape(&step.counts));
            }
            text += "</figure>";
        }
        let _ = write!(text, "<p class=\"story faint\">{}</p></fieldset>", escape(&example.story));
        if let Some(link) = &example.link {
            let _ = write!(text, "<a class=open href=\"{}\">{OPEN}</a>", escape(link));
        }
        text + "</div>"
    }
}

fn line_text(line: &[Phrase]) -> String {
    let mut text = String::new();
    for phrase in line {
        let words = escape(&phrase.text).replace('\n', "<br>");
        let tag = match phrase.style {
            PhraseStyle::Plain => "",
            PhraseStyle::Strong => "b",
            PhraseStyle::Emphasis => "em",
            PhraseStyle::Code => "code",
            PhraseStyle::Faint => "small",
        };
        let styled = if tag.is_empty() { words } else { format!("<{tag}>{words}</{tag}>") };
        match &phrase.link {
            Some(link) => text += &format!("<a href=\"{}\">{styled}</a>", escape(link)),
            None => text += &styled,
        }
    }
    text
}

/// Returns the list of chapters with links.
fn contents(book: &Pages) -> String {
    let chapters = book.passages.iter().filter_map(|passage| match passage {
        Passage::Heading { level: 2, text, anchor } => {
            Some(format!("<li><a href=\"#{anchor}\">{}</a></li>", escape(text)))
        }
        _ => None,
    });
    format!("<nav><ol>{}</ol></nav>", chapters.collect::<String>())
}

fn table_text(table: &TextTable) -> String {
    let cells = |row: &[Vec<Phrase>], tag: &str| -> String {
        row.iter().map(|cell| format!("<{tag}>{}</{tag}>", line_text(cell))).collect()
    };
    let rows: String = table.rows.iter().map(|row| format!("<tr>{}</tr>", cells(row, "td"))).collect();
    format!(
        "<div class=scroll><table><thead><tr>{}</tr></thead><tbody>{rows}</tbody></table></div>",
        cells(&table.heads, "th")
    )
}

/// Returns the id of a drawing. The underscore keeps it apart from ids of mods.
fn drawing_id(name: &str) -> String {
    let mut id = "drawing_".to_owned();
    for c in name.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => id.push(c),
            // The number of the character is unique, so two different names never get the same id.
            c => id += &format!("_{:x}_", c as u32),
        }
    }
    id
}

fn drawing_list(entries: &[DrawingEntry]) -> String {
    let mut text = "<div class=tiles>".to_owned();
    for entry in entries {
        let _ = write!(
            text,
            "<figure><svg class=\"tile\" viewBox=\"0 0 1000 1000\"><use href=\"#{}\"/></svg><figcaption>{}</figcaption></figure>",
            drawing_id(&entry.drawing),
            escape(&entry.label),
        );
    }
    text + "</div>"
}

/// Returns an empty table for the points of up to six players.
fn score_sheet(rows: &[String]) -> String {
    const CELLS: &str = "<td></td><td></td><td></td><td></td><td></td><td></td>";
    let mut text = format!("<div class=scroll><table class=score><tr><th>player</th>{CELLS}</tr>");
    for row in rows {
        let _ = write!(text, "<tr><th>{}</th>{CELLS}</tr>", escape(row));
    }
    text + "</table></div>"
}
