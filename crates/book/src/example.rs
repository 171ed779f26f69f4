//! Examples: tests with a caption, which run when the book is made.

use std::collections::BTreeSet;
use std::rc::Rc;

use art::kurbo::Point;
use art::{BoardCrop, Colour, Painter, Picture};
use board::Spot;
use diagnostic::Diagnostic;
use rules::{Award, Game, Rules, Status};
use table::{GameView, Location, SupplyKind, capitalize};
use workshop::link::{Link, MAX_CHARS_TO_COPY};
use workshop::{CaseFile, RecordOnDisk, RulesCache, fault_text};

use crate::answer;
use crate::chapter::spaced_name;

/// The beginning of each line of a caption in a test.
const CAPTION_PREFIX: &str = "# book:";

/// An example of a rulebook: a test with a caption, after it was run.
pub(crate) struct Example {
    /// The name of the test.
    pub name: String,
    /// The caption.
    pub caption: String,
    /// The rules under which the test was run.
    pub rules: Rc<Rules>,
    /// The game in its starting position, and after each answer.
    pub steps: Vec<ExampleStep>,
    /// The link that opens the game in Bastide; `None` if it would be too long.
    pub link: Option<String>,
}

/// A position of an example, which the reader can step to.
pub(crate) struct ExampleStep {
    pub game: Game,
    /// A sentence about the answer that leads to this position, without a full stop. Empty for the
    /// starting position.
    pub text: String,
}

/// Returns the caption of a test and the number of its first line, counted from 1; `None` if the
/// test has no caption.
pub(crate) fn caption_of(text: &str) -> Option<(String, usize)> {
    let comment = || text.lines().map(|line| line.trim_start_matches('\u{feff}').trim());
    let comment = comment().take_while(|line| line.starts_with('#'));
    let lines = comment.enumerate().filter_map(|(i, line)| Some((i + 1, line.strip_prefix(CAPTION_PREFIX)?.trim())));
    let lines: Vec<(usize, &str)> = lines.collect();
    let (first, _) = *lines.first()?;
    let caption = lines.iter().map(|(_, line)| *line).collect::<Vec<_>>().join(" ");
    Some((diagnostic::visible_lines(&caption).to_string(), first))
}

/// Runs a test that has a caption, and returns it as an example. Returns `None` for a test without
/// a caption.
pub(crate) fn of_case(cache: &mut RulesCache, case: &CaseFile) -> Result<Option<Example>, Vec<Diagnostic>> {
    let opened = match loader::read_text(&case.file, case.inside.as_deref(), loader::MAX_RECORD_BYTES) {
        Ok(text) if caption_of(&text).is_none() => return Ok(None),
        // If the file cannot be read, reading it again reports the reason.
        _ => RecordOnDisk::read(&case.file, case.inside.as_deref(), &mut Vec::new())?,
    };
    let Some((caption, line)) = caption_of(&opened.text) else { return Ok(None) };
    let mut problems = unchecked_numbers(&opened, &caption, line);
    let rules = opened.rules(cache)?;
    let ids: Vec<String> = opened.record.setup.mods.iter().map(|used| used.id.clone()).collect();
    // The starting position is a step too, because a test may consist of a position and its final
    // count, without an answer.
    let position = record::start_game(rules.clone(), opened.record.setup.clone());
    let mut steps: Vec<ExampleStep> =
        position.into_iter().map(|game| ExampleStep { game, text: String::new() }).collect();
    let mut text = None;
    let run = opened.replay(&rules, |moment| {
        if let Some(text) = text.replace(answer::describe_answer(&moment)) {
            steps.push(ExampleStep { game: moment.game.clone(), text });
        }
    })?;
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
    let loaded = cache.load(&ids);
    let link = loaded.map(|loaded| Link::of_game(&loaded, record::record_text(&run.game))).transpose();
    let link = link.map_err(|problem| vec![problem])?.map(|link| link.text());
    let mut texts: Vec<String> = text.into_iter().filter(|text| !text.is_empty()).collect();
    if GameView::of(&run.game).is_over() {
        texts.push("The final count follows".to_owned());
    }
    steps.push(ExampleStep { game: run.game, text: texts.join(". ") });
    let name = case.file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(Some(Example { name, caption, rules, steps, link: link.filter(|link| link.len() <= MAX_CHARS_TO_COPY) }))
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
    pub(crate) fn starting_game(&self) -> Option<&Game> {
        self.steps.first().map(|step| &step.game)
    }

    /// Returns the game after the last answer.
    pub(crate) fn final_game(&self) -> Option<&Game> {
        self.steps.last().map(|step| &step.game)
    }

    /// Returns views of all positions.
    pub(crate) fn views(&self) -> impl Iterator<Item = GameView<'_>> + Clone {
        self.steps.iter().map(|step| GameView::of(&step.game))
    }

    /// Returns the points and tokens of the players in a position, such as `Red: 8 points, 3 ×
    /// gold`. Omits everything that is zero in all positions.
    pub(crate) fn counts_text(&self, view: GameView<'_>) -> String {
        let tokens = |view: GameView<'_>, seat| {
            view.supply(seat).into_iter().filter(|item| item.kind == SupplyKind::Token).map(|item| (item.name, item.n))
        };
        let shown: BTreeSet<String> = self
            .views()
            .flat_map(|view| view.seats().flat_map(move |seat| tokens(view, seat)))
            .filter(|(_, n)| *n > 0)
            .map(|(name, _)| name)
            .collect();
        let players = view.seats().filter_map(|seat| {
            let mut parts = Vec::new();
            if self.views().any(|view| view.score(seat) != 0) {
                parts.push(points_text(view.score(seat)));
            }
            let tokens = tokens(view, seat).filter(|(name, _)| shown.contains(name));
            let times = |n| if n == 1 { "" } else { "× " };
            parts.extend(tokens.map(|(name, n)| format!("{n} {}{}", times(n), spaced_name(&name))));
            (!parts.is_empty()).then(|| format!("{}: {}", capitalize(view.name(seat)), parts.join(", ")))
        });
        players.collect::<Vec<_>>().join(" · ")
    }

    /// Returns the awards that the answers of the example caused, without awards of 0 points.
    pub(crate) fn awards(&self) -> Vec<&Award> {
        let n_before = self.starting_game().map_or(0, |game| GameView::of(game).awards().len());
        let Some(end) = self.final_game() else { return Vec::new() };
        let awards = GameView::of(end).awards().iter().skip(n_before).map(AsRef::as_ref);
        awards.filter(|award: &&Award| award.points != 0).collect()
    }

    /// Returns the part of the board that contains all changes and the tiles around them. Returns
    /// the whole board if nothing changes.
    pub(crate) fn crop(&self) -> BoardCrop {
        let (Some(first), Some(last)) = (self.starting_game(), self.final_game()) else {
            return BoardCrop::around(&[]);
        };
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
        /// The minimum distance of the middle of a disc from the edge of the picture.
        const RIM: f64 = 0.22;
        let [w, h] = part.size();
        let mut picture = Picture::new(w, h);
        let Some(view) = self.final_game().map(GameView::of) else { return picture };
        let taken = taken_places(painter, view);
        let mut n_at: Vec<(Spot, usize)> = Vec::new();
        for award in self.awards() {
            let Some(feature) = award.feature.filter(|feature| view.has_feature(*feature)) else { continue };
            let places: Vec<(Spot, [f64; 2])> = view
                .zones(feature)
                .filter_map(|zone| Some((view.tile_of_zone(zone).spot, pictures::place_of_zone(painter, view, zone)?)))
                .collect();
            let n = places.len().max(1) as f64;
            let middle = places.iter().fold([0.0; 2], |[x, y], (_, at)| [x + at[0] / n, y + at[1] / n]);
            // The points are in the middle of the feature. They cover a piece or a link only if
            // there is no other place.
            let is_taken = |at: [f64; 2]| taken.iter().any(|other| distance(at, *other) < 0.4);
            let by_place = |a: [f64; 2], b: [f64; 2]| {
                let order = is_taken(a).cmp(&is_taken(b));
                order.then_with(|| distance(a, middle).total_cmp(&distance(b, middle)))
            };
            let Some((spot, [x, y])) = places.into_iter().min_by(|a, b| by_place(a.1, b.1)) else { continue };
            let n_before = n_at.iter().filter(|(there, _)| *there == spot).count();
            n_at.push((spot, n_before));
            // Several awards on a tile are side by side, and all of them are inside the picture.
            let [x, y] = [x - part.from[0], y - part.from[1]];
            let aside = 0.42 * n_before as f64;
            let x = if x + aside > w - RIM { x - aside } else { x + aside };
            let at = Point::new(x.clamp(RIM, (w - RIM).max(RIM)), y.clamp(RIM, (h - RIM).max(RIM)));
            draw_points(
                &mut picture,
                at,
                award.points,
                Colour::from(pictures::colour_and_symbol(view, award.player).0),
            );
        }
        picture
    }
}

/// Returns the places of pieces, and the middles of links, on the board.
fn taken_places(painter: &Painter, view: GameView<'_>) -> Vec<[f64; 2]> {
    let pieces = view.pieces().filter_map(|piece| match piece.place {
        Location::Zone(zone) => pictures::place_of_zone(painter, view, zone),
        _ => None,
    });
    let links = view.links().filter_map(|zones| {
        let [a, b] = zones.map(|zone| pictures::place_of_zone(painter, view, zone));
        let (a, b) = a.zip(b)?;
        Some([(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0])
    });
    pieces.chain(links).collect()
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Returns a number of points with its unit, such as `1 point`.
pub(crate) fn points_text(points: i64) -> String {
    format!("{points} {}", if points.abs() == 1 { "point" } else { "points" })
}

/// Writes a number of points on a disc of the player's colour.
fn draw_points(picture: &mut Picture, at: Point, points: i64, colour: Colour) {
    /// The maximum width of the text, so that it stays inside the disc.
    const WIDTH: f64 = 0.27;
    let text = format!("{points:+}");
    let letters = (WIDTH / Picture::width_of(&text, 1.0)).min(0.15);
    picture.disc(at, 0.2, Colour::from([255; 3]));
    picture.disc(at, 0.18, colour);
    let left = at.x - Picture::width_of(&text, letters) / 2.0;
    let ink = if colour.brightness() > 0.62 { [0x2d, 0x26, 0x1f] } else { [255; 3] };
    picture.write(&text, left, at.y + letters / 2.0, letters, Colour::from(ink));
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
