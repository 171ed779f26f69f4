//! Sets the pictures of a book: tiles, pieces, and examples with the board before and after.

use super::flow::{Mark, Slice};
use super::lines::{ACCENT, FAINT, INK, TABLE, TextLine, bold, plain};
use super::typeset::{GAP, TEXT, Typesetter, add_line, phrases_as_they_are};
use crate::exhibit::{BoardScene, DrawingEntry, Exhibit, ExhibitStep};
use crate::html::OPEN;
use crate::text::{Phrase, PhraseStyle};

/// The number of tiles in a row.
const TILES: usize = 7;
/// The width of the picture of a tile.
const TILE: f64 = 50.0;
/// The distance of an example's text from the bar at its left.
const BESIDE_BAR: f64 = 12.0;
/// The space between the board before and the board after, with the arrow.
const ARROW: f64 = 34.0;
/// The maximum width of a tile on the board of an example, and the maximum height of the board.
const BOARD_TILE: f64 = 52.0;
const BOARD_HEIGHT: f64 = 240.0;
/// The width of a space of the score track.
const SPACE: f64 = 24.0;

impl<'b> Typesetter<'b, '_> {
    pub(crate) fn drawings(&mut self, entries: &'b [DrawingEntry]) {
        let column = self.width / TILES as f64;
        for row in entries.chunks(TILES) {
            let first = self.left;
            let lefts = (0..TILES).map(|i| first + column * i as f64);
            let mut slice = Slice { gap: GAP, height: TILE + 2.0, keeps_next: true, ..Slice::default() };
            let mut cells: Vec<(f64, Vec<TextLine>)> = Vec::new();
            for (left, entry) in lefts.zip(row) {
                let at = [left, 0.0];
                slice.marks.push(Mark::Tile { name: &entry.drawing, at, size: TILE, degrees: 0 });
                let label = phrases_as_they_are(&entry.label);
                cells.push((left, self.lines(&label, plain(TEXT * 0.8, FAINT), column - 6.0)));
            }
            self.slices.push(slice);
            self.row(&cells, TEXT * 0.8, 0.0);
        }
    }

    /// Sets an example: its caption, the positions before and after, and the events between them. A
    /// bar at the left runs beside the whole example.
    pub(crate) fn example(&mut self, example: &'b Exhibit) {
        let first = self.slices.len();
        (self.left, self.width) = (self.left + BESIDE_BAR, self.width - BESIDE_BAR);
        let number = Phrase { text: format!("Example {}. ", example.number), style: PhraseStyle::Strong, link: None };
        let mut caption = vec![number];
        caption.extend(phrases_as_they_are(&example.caption));
        let lines = self.lines(&caption, plain(TEXT, INK), self.width);
        self.row(&[(self.left, lines)], TEXT, 0.0);
        self.boards(&example.ends());
        let mut notes = phrases_as_they_are(&format!("{} ", example.story));
        notes.extend(example.link.as_ref().map(|link| Phrase {
            text: OPEN.to_owned(),
            style: PhraseStyle::Plain,
            link: Some(link.clone()),
        }));
        let lines = self.lines(&notes, plain(TEXT * 0.85, FAINT), self.width);
        self.row(&[(self.left, lines)], TEXT * 0.85, 2.0);
        (self.left, self.width) = (self.left - BESIDE_BAR, self.width + BESIDE_BAR);
        let n = self.slices.len();
        let left = self.left;
        for (i, slice) in self.slices.iter_mut().enumerate().skip(first) {
            // Adds the gap before each slice to its height, so that the bar continues through the
            // gap.
            let gap = std::mem::take(&mut slice.gap);
            slice.height += gap;
            slice.marks.iter_mut().for_each(|mark| mark.move_down(gap));
            let bar = Mark::Fill { at: [left, 0.0], size: [2.0, slice.height], colour: ACCENT };
            slice.marks.push(bar);
            slice.keeps_next = i + 1 < n;
        }
        if let Some(slice) = self.slices.get_mut(first) {
            slice.gap = GAP * 2.0;
        }
    }

    /// Sets one or two positions side by side, with an arrow between them.
    fn boards(&mut self, ends: &[&'b ExhibitStep]) {
        let Some(first) = ends.first() else { return };
        let names: &[&str] = if ends.len() > 1 { &["Before", "After"] } else { &[""] };
        let column = (self.width - ARROW) / 2.0;
        let [w, h] = first.board.size;
        let unit = (column / w).min(BOARD_TILE).min(BOARD_HEIGHT / h);
        let height = h * unit;
        // Places the second board directly after the first one, which may be narrow.
        let next = (w * unit + ARROW).max(column * 0.6);
        let (lefts, widths) = match ends.len() {
            1 => ([self.left; 2], [self.width; 2]),
            _ => ([self.left, self.left + next], [next - 10.0, self.width - next]),
        };
        let mut slice = Slice { gap: 4.0, height: height + 2.0, ..Slice::default() };
        for (step, left) in ends.iter().zip(lefts) {
            add_board(&mut slice.marks, &step.board, [left, 0.0], unit);
        }
        if ends.len() > 1 {
            let arrow = self.lines(&phrases_as_they_are("→"), bold(18.0, ACCENT), ARROW);
            for line in &arrow {
                let x = self.left + (w * unit + next - line.width) / 2.0;
                add_line(&mut slice.marks, line, [x, height / 2.0 + 6.0], 18.0);
            }
        }
        self.slices.push(slice);
        let names = || names.iter().copied();
        let is_beside = self.tracks(names().zip(ends.iter().copied()), lefts, widths);
        let cells: Vec<(f64, Vec<TextLine>)> = names()
            .zip(ends)
            .zip(lefts.into_iter().zip(widths))
            .map(|((name, step), (left, width))| {
                let mut text = Vec::new();
                // The name is already beside the track, if the tracks are below each other.
                if is_beside {
                    let end = if step.counts.is_empty() { "" } else { "\n" };
                    text.push(Phrase { style: PhraseStyle::Faint, text: format!("{name}{end}"), link: None });
                }
                text.extend(phrases_as_they_are(&step.counts));
                (left, self.lines(&text, plain(TEXT * 0.9, INK), width))
            })
            .collect();
        self.row(&cells, TEXT * 0.9, 2.0);
    }

    /// Sets the score tracks of positions with these names: side by side, or below each other with
    /// their names if they are wide. Returns whether they are side by side.
    fn tracks(
        &mut self,
        ends: impl Iterator<Item = (&'b str, &'b ExhibitStep)>,
        lefts: [f64; 2],
        widths: [f64; 2],
    ) -> bool {
        /// The width of the names before tracks.
        const NAME: f64 = 36.0;
        let tracks: Vec<_> = ends.filter_map(|(name, step)| Some((name, step.track.as_ref()?))).collect();
        let n = tracks.iter().map(|(_, track)| track.size()[0]).fold(0.0, f64::max);
        if n == 0.0 {
            return true;
        }
        if widths.iter().all(|width| n * SPACE <= *width) {
            let mut slice = Slice { gap: 2.0, height: SPACE + 2.0, ..Slice::default() };
            let pictures = tracks.iter().zip(lefts);
            slice.marks.extend(pictures.map(|((_, picture), left)| Mark::Picture {
                picture,
                at: [left, 0.0],
                unit: SPACE,
            }));
            self.slices.push(slice);
            return true;
        }
        let unit = SPACE.min((self.width - NAME) / n);
        for (name, picture) in tracks {
            let mut slice = Slice { gap: 2.0, height: unit + 2.0, ..Slice::default() };
            for line in self.lines(&phrases_as_they_are(name), plain(TEXT * 0.8, FAINT), NAME) {
                add_line(&mut slice.marks, &line, [self.left, unit / 2.0 + TEXT * 0.3], TEXT * 0.8);
            }
            slice.marks.push(Mark::Picture { picture, at: [self.left + NAME, 0.0], unit });
            self.slices.push(slice);
        }
        false
    }
}

fn add_board<'b>(marks: &mut Vec<Mark<'b>>, scene: &'b BoardScene, at: [f64; 2], unit: f64) {
    let size = scene.size.map(|length| length * unit);
    marks.push(Mark::Clip { at, size });
    marks.push(Mark::Fill { at, size, colour: TABLE });
    for laid in &scene.tiles {
        let corner = [at[0] + laid.at[0] * unit, at[1] + laid.at[1] * unit];
        marks.push(Mark::Tile { name: &laid.drawing, at: corner, size: unit, degrees: laid.degrees });
    }
    marks.push(Mark::Picture { picture: &scene.objects, at, unit });
    marks.push(Mark::EndClip);
}

impl Mark<'_> {
    fn move_down(&mut self, by: f64) {
        match self {
            Mark::Text { at, .. }
            | Mark::Fill { at, .. }
            | Mark::Frame { at, .. }
            | Mark::Tile { at, .. }
            | Mark::Picture { at, .. }
            | Mark::Clip { at, .. }
            | Mark::Link { at, .. } => at[1] += by,
            Mark::EndClip => {}
        }
    }
}
