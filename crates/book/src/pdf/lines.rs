//! Breaks texts into lines.

use art::Colour;

use super::fonts::{Fonts, GlyphRun, Lettering, MAX_TOGETHER};
use crate::text::{Phrase, PhraseStyle};

/// The colours of texts and lines.
pub(crate) const INK: Colour = Colour { r: 0x23, g: 0x21, b: 0x1c, a: 255 };
pub(crate) const FAINT: Colour = Colour { r: 0x6f, g: 0x6a, b: 0x5f, a: 255 };
pub(crate) const ACCENT: Colour = Colour { r: 0x8a, g: 0x3b, b: 0x26, a: 255 };
/// The colour behind the tiles of a board.
pub(crate) const TABLE: Colour = Colour { r: 0xee, g: 0xea, b: 0xe0, a: 255 };
pub(crate) const RULE: Colour = Colour { r: 0xd9, g: 0xd3, b: 0xc5, a: 255 };

/// Returns the style of normal text in a size and colour.
pub(crate) fn plain(size: f64, colour: Colour) -> Lettering {
    Lettering { size, colour, is_bold: false, is_slanted: false, is_code: false }
}

/// Returns the style of bold text in a size and colour.
pub(crate) fn bold(size: f64, colour: Colour) -> Lettering {
    Lettering { is_bold: true, ..plain(size, colour) }
}

/// A line of text.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextLine {
    pub runs: Vec<PlacedRun>,
    pub width: f64,
}

/// Glyphs with their position in a line.
#[derive(Clone, Debug)]
pub(crate) struct PlacedRun {
    /// The distance from the beginning of the line.
    pub x: f64,
    pub run: GlyphRun,
    pub link: Option<String>,
}

/// Breaks phrases into lines that are at most `width` wide. Returns at least one line.
pub(crate) fn lines(fonts: &mut Fonts, phrases: &[Phrase], lettering: Lettering, width: f64) -> Vec<TextLine> {
    let mut breaker = LineBreaker { width, ..LineBreaker::default() };
    for phrase in phrases {
        let lettering = look(lettering, phrase);
        // Makes hidden characters visible and removes carriage returns.
        let text = diagnostic::visible_lines(&phrase.text).replace('\r', "");
        let mut word = String::new();
        for c in text.chars() {
            if !c.is_whitespace() && word.len() < MAX_TOGETHER {
                word.push(c);
                continue;
            }
            breaker.add(fonts, &std::mem::take(&mut word), lettering, phrase.link.as_ref());
            match c {
                '\n' => breaker.end_line(),
                // A no-break space is a part of its word.
                '\u{a0}' | '\u{202f}' => breaker.add(fonts, " ", lettering, phrase.link.as_ref()),
                c if c.is_whitespace() => breaker.space(fonts.width(" ", lettering)),
                c => word.push(c),
            }
        }
        breaker.add(fonts, &word, lettering, phrase.link.as_ref());
    }
    breaker.end_line();
    breaker.lines
}

/// Returns the style of a phrase within a text in the style `lettering`.
fn look(lettering: Lettering, phrase: &Phrase) -> Lettering {
    let styled = match phrase.style {
        PhraseStyle::Plain => lettering,
        PhraseStyle::Strong => Lettering { is_bold: true, ..lettering },
        PhraseStyle::Emphasis => Lettering { is_slanted: true, ..lettering },
        PhraseStyle::Code => Lettering { is_code: true, size: lettering.size * 0.88, ..lettering },
        PhraseStyle::Faint => Lettering { colour: FAINT, size: lettering.size * 0.88, ..lettering },
    };
    if phrase.link.is_some() { Lettering { colour: ACCENT, ..styled } } else { styled }
}

#[derive(Default)]
struct LineBreaker {
    width: f64,
    lines: Vec<TextLine>,
    line: TextLine,
    /// The current word: its runs in different styles and fonts, each with the target of its link.
    word: Vec<(GlyphRun, Option<String>)>,
    /// The space before the current word.
    space: f64,
}

impl LineBreaker {
    /// Adds a text to the current word. Cuts a text that is wider than a line.
    fn add(&mut self, fonts: &mut Fonts, text: &str, lettering: Lettering, link: Option<&String>) {
        if text.is_empty() {
            return;
        }
        let runs = fonts.runs(text, lettering);
        let width: f64 = runs.iter().map(|run| run.width).sum();
        if width <= self.width {
            self.word.extend(runs.into_iter().map(|run| (run, link.cloned())));
            return;
        }
        let (mut part, mut width) = (String::new(), 0.0);
        for c in text.chars() {
            let next = fonts.width(c.encode_utf8(&mut [0; 4]), lettering);
            if width + next > self.width && !part.is_empty() {
                let runs = fonts.runs(&std::mem::take(&mut part), lettering);
                self.word.extend(runs.into_iter().map(|run| (run, link.cloned())));
                self.end_word();
                width = 0.0;
            }
            part.push(c);
            width += next;
        }
        let rest = fonts.runs(&part, lettering);
        self.word.extend(rest.into_iter().map(|run| (run, link.cloned())));
    }

    fn space(&mut self, width: f64) {
        self.end_word();
        self.space = width;
    }

    /// Puts the current word on the line, or on a new line if there is no room for it.
    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        let width: f64 = word.iter().map(|(run, _)| run.width).sum();
        let space = std::mem::take(&mut self.space);
        if word.is_empty() {
            return;
        }
        if !self.line.runs.is_empty() && self.line.width + space + width > self.width {
            self.lines.push(std::mem::take(&mut self.line));
        } else if !self.line.runs.is_empty() {
            self.line.width += space;
        }
        for (run, link) in word {
            // A word of several parts may be wider than a line.
            if !self.line.runs.is_empty() && self.line.width + run.width > self.width {
                self.lines.push(std::mem::take(&mut self.line));
            }
            let x = self.line.width;
            self.line.width += run.width;
            self.line.runs.push(PlacedRun { x, run, link });
        }
    }

    fn end_line(&mut self) {
        self.end_word();
        self.lines.push(std::mem::take(&mut self.line));
    }
}
