//! The texts of a book: phrases and passages, which the HTML page and the PDF show. READMEs of mods
//! become passages; HTML inside a README becomes text.

use diagnostic::ExpectOrDefault as _;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

use crate::exhibit::{DrawingEntry, Exhibit};

/// The maximum depth of lists within lists. Deeper lists become paragraphs of the list around them.
const MAX_DEPTH: usize = 6;

/// A part of a line, in one style.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Phrase {
    pub text: String,
    pub style: PhraseStyle,
    /// The address that the phrase links to; `#` begins the anchor of a passage in this book.
    pub link: Option<String>,
}

/// The look of a phrase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum PhraseStyle {
    #[default]
    Plain,
    Strong,
    Emphasis,
    Code,
    /// Fainter letters.
    Faint,
}

/// A passage of a book.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Passage {
    Heading {
        /// 1 for the title of the book, 2 for a chapter, 3 for a section, 4 within a section.
        level: u8,
        text: String,
        /// The name that links use; empty if no link leads here.
        anchor: String,
    },
    Paragraph(Vec<Phrase>),
    /// A paragraph in fainter letters.
    Note(Vec<Phrase>),
    List {
        /// The first number; `None` for bullets.
        first: Option<u64>,
        items: Vec<Vec<Passage>>,
    },
    Table(TextTable),
    /// Lines of code, shown unchanged.
    Code(String),
    /// Terms with their explanations.
    Terms(Vec<[Vec<Phrase>; 2]>),
    /// The list of chapters.
    Contents,
    /// Pictures of tiles or pieces with their names and numbers.
    Drawings(Vec<DrawingEntry>),
    Example(Box<Exhibit>),
    /// An empty table for the points of the players, with these rows.
    ScoreSheet(Vec<String>),
    /// A sentence for each name or function that the book does not explain yet.
    Gaps(Vec<String>),
}

/// A table of texts. Each cell is a list of phrases.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct TextTable {
    pub heads: Vec<Vec<Phrase>>,
    pub rows: Vec<Vec<Vec<Phrase>>>,
}

impl TextTable {
    /// Makes a table with these headings and rows. Parts of a cell between backquotes become code.
    pub(crate) fn of<'r, const N: usize>(
        heads: [&str; N],
        rows: impl IntoIterator<Item = &'r [String; N]>,
    ) -> TextTable {
        let cells = |row: &[String; N]| row.iter().map(|cell| phrases(cell)).collect();
        TextTable {
            heads: heads.iter().map(|head| phrases(head)).collect(),
            rows: rows.into_iter().map(cells).collect(),
        }
    }
}

/// Returns a text in fainter letters.
pub(crate) fn faint(text: String) -> Phrase {
    Phrase { text, style: PhraseStyle::Faint, link: None }
}

/// Returns a phrase in fainter letters, unless it is code.
pub(crate) fn fainter(phrase: Phrase) -> Phrase {
    if phrase.style == PhraseStyle::Plain { faint(phrase.text) } else { phrase }
}

/// Returns a text as phrases. The parts between backquotes become code.
pub(crate) fn phrases(text: &str) -> Vec<Phrase> {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return vec![Phrase { text: text.to_owned(), ..Phrase::default() }];
    }
    let style = |i: usize| if i.is_multiple_of(2) { PhraseStyle::Plain } else { PhraseStyle::Code };
    let phrase = |(i, part): (usize, &&str)| Phrase { text: (*part).to_owned(), style: style(i), link: None };
    parts.iter().enumerate().filter(|(_, part)| !part.is_empty()).map(phrase).collect()
}

/// Returns the text of phrases without their styles.
pub(crate) fn plain(phrases: &[Phrase]) -> String {
    phrases.iter().map(|phrase| phrase.text.as_str()).collect()
}

/// Returns the passages of a Markdown text. Raw HTML becomes text. Keeps only links to the web and
/// within the book.
pub(crate) fn passages(markdown: &str) -> Vec<Passage> {
    let mut reader = MarkdownReader::default();
    reader.levels.push(Vec::new());
    Parser::new_ext(markdown, Options::ENABLE_TABLES).for_each(|event| reader.read(event));
    reader.end_paragraph();
    reader.levels.into_iter().next().expect_or_default("the reader closes no level but those of list items")
}

/// Collects passages from the events of the Markdown parser, without recursion, because a README
/// may nest lists to any depth.
#[derive(Default)]
struct MarkdownReader {
    /// The passages so far: first the passages outside of lists, then the passages of each open
    /// list item.
    levels: Vec<Vec<Passage>>,
    /// The open lists: the first number and the finished items.
    lists: Vec<(Option<u64>, Vec<Vec<Passage>>)>,
    /// The number of open lists that are nested too deep and become paragraphs.
    n_too_deep: usize,
    /// The phrases of the current paragraph, heading or cell.
    line: Vec<Phrase>,
    n_strong: usize,
    n_emphasis: usize,
    links: Vec<Option<String>>,
    /// The current block of code.
    code: Option<String>,
    /// The current table; the last row is not finished.
    table: Option<TextTable>,
}

impl MarkdownReader {
    fn read(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.add(&text),
            Event::Code(text) => self.add_styled(&text, PhraseStyle::Code),
            Event::SoftBreak => self.add(" "),
            Event::HardBreak => self.add("\n"),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        // A new block ends the paragraph before it.
        let is_text = matches!(tag, Tag::Paragraph | Tag::Heading { .. } | Tag::HtmlBlock);
        if is_text || matches!(tag, Tag::CodeBlock(_) | Tag::List(_) | Tag::Item | Tag::Table(_)) {
            self.end_paragraph();
        }
        match tag {
            Tag::CodeBlock(_) => self.code = Some(String::new()),
            Tag::List(first) if self.lists.len() < MAX_DEPTH => self.lists.push((first, Vec::new())),
            Tag::List(_) => self.n_too_deep += 1,
            Tag::Item if self.n_too_deep == 0 => self.levels.push(Vec::new()),
            Tag::Table(_) => self.table = Some(TextTable::default()),
            Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.rows.push(Vec::new());
                }
            }
            Tag::Strong => self.n_strong += 1,
            Tag::Emphasis => self.n_emphasis += 1,
            Tag::Link { dest_url, .. } => {
                self.links.push(Some(dest_url).filter(is_kept).map(CowStr::into_string));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.end_paragraph(),
            TagEnd::Heading(_) => {
                // Headings of READMEs get level 4, because the book itself uses levels 1 to 3.
                let text = plain(&std::mem::take(&mut self.line));
                self.put(Passage::Heading { level: 4, text, anchor: String::new() });
            }
            TagEnd::CodeBlock => {
                if let Some(code) = self.code.take() {
                    self.put(Passage::Code(code));
                }
            }
            TagEnd::Item => {
                self.end_paragraph();
                if self.n_too_deep == 0
                    && let (Some(item), Some((_, items))) = (self.levels.pop(), self.lists.last_mut())
                {
                    items.push(item);
                }
            }
            TagEnd::List(_) if self.n_too_deep > 0 => self.n_too_deep -= 1,
            TagEnd::List(_) => {
                if let Some((first, items)) = self.lists.pop() {
                    self.put(Passage::List { first, items });
                }
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.line);
                if let Some(table) = &mut self.table {
                    table.rows.last_mut().unwrap_or(&mut table.heads).push(cell);
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.put(Passage::Table(table));
                }
            }
            TagEnd::Strong => self.n_strong = self.n_strong.saturating_sub(1),
            TagEnd::Emphasis => self.n_emphasis = self.n_emphasis.saturating_sub(1),
            TagEnd::Link => drop(self.links.pop()),
            _ => {}
        }
    }

    fn put(&mut self, passage: Passage) {
        if let Some(level) = self.levels.last_mut() {
            level.push(passage);
        }
    }

    fn end_paragraph(&mut self) {
        let line = std::mem::take(&mut self.line);
        if line.iter().any(|phrase| !phrase.text.trim().is_empty()) {
            self.put(Passage::Paragraph(line));
        }
    }

    fn add(&mut self, text: &str) {
        if let Some(code) = &mut self.code {
            code.push_str(text);
            return;
        }
        let style = match (self.n_strong, self.n_emphasis) {
            (0, 0) => PhraseStyle::Plain,
            (0, _) => PhraseStyle::Emphasis,
            _ => PhraseStyle::Strong,
        };
        self.add_styled(text, style);
    }

    fn add_styled(&mut self, text: &str, style: PhraseStyle) {
        let link = self.links.last().cloned().flatten();
        match self.line.last_mut() {
            Some(last) if last.style == style && last.link == link => last.text.push_str(text),
            _ => self.line.push(Phrase { text: text.to_owned(), style, link }),
        }
    }
}

fn is_kept(link: &CowStr<'_>) -> bool {
    ["https://", "http://", "#"].iter().any(|start| link.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrase(text: &str, style: PhraseStyle) -> Phrase {
        Phrase { text: text.to_owned(), style, link: None }
    }

    #[test]
    fn html_and_links_of_a_readme_become_text() {
        let read = passages("a <b> [x](javascript:1) ![y](z.png) [web](https://e.org)\n\n<script>\n");
        let web = Phrase { link: Some("https://e.org".to_owned()), ..phrase("web", PhraseStyle::Plain) };
        let first = vec![phrase("a <b> x y ", PhraseStyle::Plain), web];
        let second = vec![phrase("<script>\n", PhraseStyle::Plain)];
        assert_eq!(read, [Passage::Paragraph(first), Passage::Paragraph(second)]);
    }

    #[test]
    fn lists_and_tables_keep_their_form() {
        let read = passages("- **one** `f`\n  - two\n- three\n\n| a | b |\n|---|---|\n| 1 | 2 |\n");
        let plain = |text| phrase(text, PhraseStyle::Plain);
        let inner = Passage::List { first: None, items: vec![vec![Passage::Paragraph(vec![plain("two")])]] };
        let one = vec![phrase("one", PhraseStyle::Strong), plain(" "), phrase("f", PhraseStyle::Code)];
        let items = vec![vec![Passage::Paragraph(one), inner], vec![Passage::Paragraph(vec![plain("three")])]];
        let table = TextTable {
            heads: vec![vec![plain("a")], vec![plain("b")]],
            rows: vec![vec![vec![plain("1")], vec![plain("2")]]],
        };
        assert_eq!(read, [Passage::List { first: None, items }, Passage::Table(table)]);
    }

    #[test]
    fn deep_lists_become_paragraphs() {
        let deep: String = (0..10_000).map(|depth| format!("{}- x\n", "  ".repeat(depth.min(100)))).collect();
        let mut read = passages(&deep);
        let mut depth = 0;
        while let Some(Passage::List { mut items, .. }) = read.pop() {
            depth += 1;
            read = items.pop().unwrap_or_default();
        }
        assert_eq!(depth, MAX_DEPTH);
    }
}
