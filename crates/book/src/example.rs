//! Examples: tests with a caption, which run when the book is made.

use std::collections::BTreeSet;
use std::rc::Rc;

use art::kurbo::Point;
use art::{BoardCrop, Colour, Painter, Picture};
use board::Spot;
use diagnostic::Diagnostic;
use rules::{Award, Game, Rules, Status};
use table::{GameView, Location};
use workshop::{CaseFile, RecordOnDisk, RulesCache, fault_text};

/// The beginning of each line of a caption in a test.
const MARK: &str = "# book:";

/// An example.
pub(crate) struct Example {
    /// The name of the test.
    pub name: String,
    /// The caption.
    pub caption: String,
    /// The rules under which the test was run.
    pub rules: Rc<Rules>,
    /// The game in its starting position, before each answer, and at the end.
    pub steps: Vec<Game>,
}

/// Returns the caption of a test and the number of its first line, counted from 1; `None` if the
/// test has no caption.
pub(crate) fn caption_of(text: &str) -> Option<(String, usize)> {
    let comment = || text.lines().map(|line| line.trim_start_matches('\u{feff}').trim());
    let comment = comment().take_while(|line| line.starts_with('#'));
    let lines = comment.enumerate().filter_map(|(i, line)| Some((i + 1, line.strip_prefix(MARK)?.trim())));
    let lines: Vec<(usize, &str)> = lines.collect();
    let (first, _) = *lines.first()?;
    let caption = lines.iter().map(|(_, line)| *line).collect::<Vec<_>>().join(" ");
    Some((diagnostic::visible_lines(&caption).to_string(), first))
}

/// Runs a test that has a caption, and returns it as an example. Returns `None` for a test without
/// a caption.
pub(crate) fn of_case(cache: &mut RulesCache, case: &CaseFile) -> Result<Option<Example>, Vec<Diagnostic>> {
    let opened = match loader::read_text(&case.file, case.inside.as_deref(), loader::MOST_RECORD_BYTES) {
        Ok(text) if caption_of(&text).is_none() => return Ok(None),
        // If the file cannot be read, reading it again reports the reason.
        _ => RecordOnDisk::read(&case.file, case.inside.as_deref(), &mut Vec::new())?,
    };
    let Some((caption, line)) = caption_of(&opened.text) else { return Ok(None) };
    let mut problems = unchecked_numbers(&opened, &caption, line);
    let rules = opened.rules(cache)?;
    // A test may consist of a position and its final count, without an answer.
    let position = record::open(rules.clone(), opened.record.setup.clone());
    let mut steps: Vec<Game> = position.into_iter().collect();
    let run = opened.replay(&rules, |moment| steps.push(moment.game.clone()))?;
    problems.extend(run.failures.iter().map(|failed| {
        let problem = opened.failure(failed);
        let message = format!("the example fails: {}", problem.message);
        Diagnostic { message, ..problem }
    }));
    if let Status::Fault(fault) = run.game.status() {
        problems.push(Diagnostic::in_file(&opened.file, 0, format!("the example fails: {}", fault_text(fault))));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    steps.push(run.game);
    let name = case.file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(Some(Example { name, caption, rules, steps }))
}

/// Returns a problem for each number in a caption that no expectation of the test contains.
fn unchecked_numbers(opened: &RecordOnDisk, caption: &str, line: usize) -> Vec<Diagnostic> {
    let expected: BTreeSet<&str> = opened
        .text
        .lines()
        .filter(|line| line.trim_start().starts_with("expect "))
        .flat_map(|line| numbers(line.split_once(" #").map_or(line, |(line, _)| line)))
        .collect();
    let unchecked: BTreeSet<&str> = numbers(caption).filter(|number| !expected.contains(number)).collect();
    let problem = |number: &str| {
        let message = format!("the caption says {number}, which no expectation of the test contains");
        Diagnostic::in_file(&opened.file, line, message)
            .with_help("add a line `expect ...` with the number, or write the number as a word")
    };
    unchecked.into_iter().map(problem).collect()
}

fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty())
}

impl Example {
    /// Returns the game in its starting position.
    pub(crate) fn before(&self) -> Option<&Game> {
        self.steps.first()
    }

    /// Returns the awards since the first answer.
    pub(crate) fn awards(&self) -> Vec<&Award> {
        let n_before = self.before().map_or(0, |game| GameView::of(game).awards().len());
        let end = self.steps.last();
        end.map_or_else(Vec::new, |game| GameView::of(game).awards().iter().skip(n_before).map(AsRef::as_ref).collect())
    }

    /// Returns the part of the board that contains all changes and the tiles around them. Returns
    /// the whole board if nothing changes.
    pub(crate) fn part(&self) -> BoardCrop {
        let (Some(first), Some(last)) = (self.steps.first(), self.steps.last()) else { return BoardCrop::around(&[]) };
        let (before, after) = (GameView::of(first), GameView::of(last));
        let mut spots: BTreeSet<Spot> = BTreeSet::new();
        let known = pictures::laid_tiles(before);
        let all = pictures::laid_tiles(after);
        spots.extend(all.iter().filter(|tile| !known.contains(tile)).map(|tile| tile.spot));
        for award in self.awards() {
            let feature = award.feature.filter(|feature| after.has_feature(*feature));
            let zones = feature.into_iter().flat_map(|feature| after.zones(feature));
            spots.extend(zones.map(|zone| after.tile_of_zone(zone).spot));
        }
        let places =
            |view: GameView<'_>| view.pieces().map(|piece| (piece.name.to_owned(), piece.owner, piece.place)).collect();
        let (here, there): (Vec<_>, Vec<_>) = (places(before), places(after));
        let moved = here.iter().filter(|it| !there.contains(it)).chain(there.iter().filter(|it| !here.contains(it)));
        for (_, _, place) in moved {
            match place {
                Location::Zone(zone) if after.has_zone(*zone) => {
                    spots.insert(after.tile_of_zone(*zone).spot);
                }
                Location::Spot(spot) => {
                    spots.insert(*spot);
                }
                _ => {}
            }
        }
        let is_near = |a: &Spot, b: &Spot| (a.x - b.x).abs() <= 1 && (a.y - b.y).abs() <= 1;
        let near: Vec<_> =
            all.iter().filter(|tile| spots.iter().any(|spot| is_near(&tile.spot, spot))).copied().collect();
        BoardCrop::around(if near.is_empty() { &all } else { &near })
    }

    /// Draws the points of each award for a feature on that feature. The picture covers `part` of
    /// the board.
    pub(crate) fn marks(&self, painter: &Painter, part: BoardCrop) -> Picture {
        let [w, h] = part.size();
        let mut picture = Picture::new(w, h);
        let Some(view) = self.steps.last().map(GameView::of) else { return picture };
        let mut n_at: Vec<(Spot, usize)> = Vec::new();
        for award in self.awards() {
            let Some(feature) = award.feature.filter(|feature| view.has_feature(*feature)) else { continue };
            let places: Vec<(Spot, [f64; 2])> = view
                .zones(feature)
                .filter_map(|zone| Some((view.tile_of_zone(zone).spot, pictures::place_of_zone(painter, view, zone)?)))
                .collect();
            let n = places.len().max(1) as f64;
            let middle = places.iter().fold([0.0; 2], |[x, y], (_, at)| [x + at[0] / n, y + at[1] / n]);
            let far = |at: &[f64; 2]| (at[0] - middle[0]).powi(2) + (at[1] - middle[1]).powi(2);
            let Some((spot, [x, y])) = places.into_iter().min_by(|a, b| far(&a.1).total_cmp(&far(&b.1))) else {
                continue;
            };
            let n_before = n_at.iter().filter(|(there, _)| *there == spot).count();
            n_at.push((spot, n_before));
            let at = Point::new(x - part.from[0], y - part.from[1] - 0.3 * n_before as f64);
            put_points(&mut picture, at, award.points, Colour::from(pictures::look_of(view, award.player).0));
        }
        picture
    }
}

/// Writes a number of points on a disc of the player's colour.
fn put_points(picture: &mut Picture, at: Point, points: i64, colour: Colour) {
    const LETTERS: f64 = 0.15;
    let text = format!("{points:+}");
    picture.disc(at, 0.2, Colour::from([255; 3]));
    picture.disc(at, 0.18, colour);
    let left = at.x - Picture::width_of(&text, LETTERS) / 2.0;
    picture.write(&text, left, at.y + LETTERS / 2.0, LETTERS, Colour::from([255; 3]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caption_may_have_several_lines() {
        let text = "# A test.\n# book: Red scores\n# book: 4 points.\nbastide 1\n# book: no\n";
        assert_eq!(caption_of(text), Some(("Red scores 4 points.".to_owned(), 2)));
        assert_eq!(caption_of("# A test.\nbastide 1\n"), None);
    }
}
