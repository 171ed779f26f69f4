//! The reference card: the order of a turn, the points and the words of the mods.

use art::kurbo::{Point, Rect, RoundedRect, Shape as _};
use art::{Colour, Picture};
use book::RulesSummary;

use crate::colours::{CREAM, INK};
use crate::content::wrap_text;

/// The width and height of the reference card in millimetres.
pub(crate) const REFERENCE: [f64; 2] = [95.0, 140.0];
/// The heights of letters to try in millimetres, the largest first.
const LETTERS: [f64; 6] = [2.2, 2.0, 1.8, 1.6, 1.45, 1.3];
/// The distance of the text from the edges in millimetres.
const MARGIN: f64 = 6.0;

/// A line of text on the card.
struct CardLine {
    text: String,
    /// The height of the letters, relative to that of plain text.
    scale: f64,
    /// The distance from the line above, relative to the height of plain text.
    gap: f64,
    /// The distance from the left margin in millimetres.
    indent: f64,
}

/// Draws the reference card, in millimetres. Uses the largest letters with which the whole text
/// fits. If it fits with none, leaves out the end of the text.
pub(crate) fn reference(summary: &RulesSummary) -> Picture {
    let [width, height] = REFERENCE;
    let mut picture = Picture::new(width, height);
    picture.rect(Rect::new(0.0, 0.0, width, height), Colour::from(CREAM));
    let frame = RoundedRect::new(2.5, 2.5, width - 2.5, height - 2.5, 3.0).to_path(0.01);
    picture.line(frame, Colour::from(INK).lighten(0.4), 0.4);
    let room = height - 2.0 * MARGIN;
    let needed = |lines: &[CardLine], letters: f64| lines.iter().map(|line| line.gap * letters).sum::<f64>();
    let tried = LETTERS.map(|letters| (letters, card_lines(summary, letters)));
    let fits = tried.iter().find(|(letters, lines)| needed(lines, *letters) <= room);
    let Some((letters, lines)) = fits.or(tried.last()) else { return picture };
    let mut base = MARGIN;
    for (i, line) in lines.iter().enumerate() {
        base += line.gap * letters;
        let is_last = i + 1 < lines.len() && base + 4.0 * letters > height - MARGIN;
        let text = if is_last { "… more in the rules" } else { line.text.as_str() };
        picture.write(text, MARGIN + line.indent, base, line.scale * letters, Colour::from(INK));
        if line.scale > 1.0 {
            let under = Rect::from_points(Point::new(MARGIN, base + 0.9), Point::new(width - MARGIN, base + 1.05));
            picture.rect(under, Colour::from(INK).lighten(0.4));
        }
        if is_last {
            break;
        }
    }
    picture
}

/// Breaks the text of the card into lines for letters of this height.
fn card_lines(summary: &RulesSummary, letters: f64) -> Vec<CardLine> {
    let mut all = Vec::new();
    let most = REFERENCE[0] - 2.0 * MARGIN;
    // A paragraph hangs: its further lines begin below its second letter.
    let hang = 1.5 * letters;
    let mut add = |text: &str, scale: f64, first_gap: f64| {
        for (i, line) in wrap_text(text, letters * scale, most - hang).into_iter().enumerate() {
            let (gap, indent) = if i == 0 { (first_gap, 0.0) } else { (1.55 * scale, hang) };
            all.push(CardLine { text: line, scale, gap, indent });
        }
    };
    let mut titles = summary.titles.iter();
    add(titles.next().map_or("", String::as_str), 1.6, 2.0);
    let others: Vec<&str> = titles.map(String::as_str).collect();
    if !others.is_empty() {
        add(&format!("with {}", others.join(", ")), 1.0, 2.4);
    }
    add("A turn", 1.2, 3.6);
    for (i, step) in summary.turn.iter().enumerate() {
        add(&format!("{}. {step}", i + 1), 1.0, 2.1);
    }
    if !summary.points.is_empty() {
        add("Points", 1.2, 3.6);
    }
    for [name, complete, at_end] in &summary.points {
        let text = match (complete.as_str(), at_end.as_str()) {
            ("–", at_end) => format!("{name}: {at_end} in the final count"),
            (complete, "–") => format!("{name}: {complete} when completed"),
            (complete, at_end) if complete == at_end => format!("{name}: {complete}, even if not completed"),
            (complete, at_end) => format!("{name}: {complete} when completed; {at_end} in the final count"),
        };
        add(&text, 1.0, 2.1);
    }
    if !summary.words.is_empty() {
        add("Words", 1.2, 3.6);
    }
    for [name, about] in &summary.words {
        add(&format!("{name}: {about}"), 1.0, 2.1);
    }
    all
}
