//! Examples: tests with a caption, which run when the book is made.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::sync::Arc;

use art::kurbo::Point;
use art::{BoardCrop, Colour, LaidTile, Painter, Picture};
use board::{FeatureRef, Spot};
use diagnostic::Diagnostic;
use loader::Loaded;
use rules::{Award, Game, Rules, Status};
use table::{GameView, Location, Seat, SupplyKind, capitalize};
use workshop::link::{Link, MAX_CHARS_TO_COPY};
use workshop::{CaseFile, RecordOnDisk, RulesCache, fault_text};

use crate::answer;
use crate::names::spaced_name;

/// The maximum number of answers of an example. The book draws the board after each answer.
const MAX_ANSWERS: usize = 200;

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
    /// The mods with which the test was run; `None` if they cannot be loaded again.
    pub loaded: Option<Arc<Loaded>>,
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
    let mut n_answers = 0;
    let run = opened.replay(&rules, |moment| {
        n_answers += 1;
        if n_answers > MAX_ANSWERS {
            return;
        }
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
    if n_answers > MAX_ANSWERS {
        let message = format!("the example has {n_answers} answers: at most {MAX_ANSWERS} are allowed in a book");
        let help = "begin the test at a later position with `given` lines, or remove its caption";
        problems.push(Diagnostic::in_file(&opened.file, line, message).with_help(help));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let loaded = cache.load(&ids);
    let link = loaded.as_ref().map(|loaded| Link::of_game(loaded, record::record_text(&run.game))).transpose();
    let link = link.map_err(|problem| vec![problem])?.map(|link| link.text());
    // A test without answers has no text.
    steps.push(ExampleStep { game: run.game, text: text.unwrap_or_default() });
    let name = case.file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let link = link.filter(|link| link.len() <= MAX_CHARS_TO_COPY);
    Ok(Some(Example { name, caption, rules, loaded, steps, link }))
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
    /// Returns the game in its starting position. Returns `None` if the example has no steps.
    pub(crate) fn starting_game(&self) -> Option<&Game> {
        self.steps.first().map(|step| &step.game)
    }

    /// Returns the game after the last answer. Returns `None` if the example has no steps.
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

    /// Returns the view of position `i`; `None` if the example has fewer positions.
    fn view(&self, i: usize) -> Option<GameView<'_>> {
        self.steps.get(i).map(|step| GameView::of(&step.game))
    }

    /// Returns the awards that the answer before position `i` caused, without awards of 0 points.
    fn awards(&self, i: usize) -> impl Iterator<Item = &Award> {
        let n_before = i.checked_sub(1).and_then(|i| self.view(i)).map(|view| view.awards().len());
        // Nothing has happened before the starting position.
        let awards = n_before.zip(self.view(i)).map(|(n, view)| view.awards().iter().skip(n));
        awards.into_iter().flatten().map(AsRef::as_ref).filter(|award: &&Award| award.points != 0)
    }

    /// Returns sentences about the answer before position `i` and the points that it gave.
    pub(crate) fn sentences(&self, i: usize) -> Vec<String> {
        let (Some(step), Some(view)) = (self.steps.get(i), self.view(i)) else { return Vec::new() };
        let award = |award: &Award| {
            let who = capitalize(view.name(award.player));
            format!("{who} gets {} ({})", points_text(award.points), spaced_name(&award.reason))
        };
        let has_count = |view: GameView<'_>| view.awards().iter().any(|award| award.is_final);
        let is_counted = |view: GameView<'_>| view.is_over() || has_count(view);
        let was_counted = i.checked_sub(1).and_then(|i| self.view(i)).is_none_or(is_counted);
        let mut texts = vec![step.text.clone()];
        texts.extend(self.awards(i).filter(|award| !award.is_final).map(award));
        if is_counted(view) && !was_counted {
            texts.push(if has_count(view) { "The final count follows" } else { "The game ends" }.to_owned());
        }
        texts.extend(self.awards(i).filter(|award| award.is_final).map(award));
        texts.retain(|text| !text.is_empty());
        texts
    }

    /// Returns the position that the book shows beside the last one: the position before the tile
    /// that leads to the first points. If the points go only to pieces that were deployed on this
    /// tile, returns the position just before the points instead, so that the picture shows the
    /// pieces. If no points change, returns the position before the tile that leads to the first
    /// tokens, to the last change of pieces, or before the last tile.
    pub(crate) fn before(&self) -> usize {
        let n_tiles: Vec<usize> = self.views().map(|view| view.tiles().len()).collect();
        // The position before the last tile up to position `end`.
        let placed_until = |end: usize| (0..end).rev().find(|i| n_tiles.get(*i) < n_tiles.get(*i + 1));
        let first_change = |numbers: Vec<String>| {
            numbers.windows(2).position(|pair| pair.first() != pair.last()).map(|before| before + 1)
        };
        let points = self.views().map(|view| format!("{:?}", view.scores())).collect();
        let tokens = || self.views().map(|view| self.counts_text(view)).collect();
        let pieces: Vec<_> = self.views().map(pieces_of).collect();
        let moved = || pieces.windows(2).rposition(|pair| pair.first() != pair.last()).map(|before| before + 1);
        let Some(changed) = first_change(points).or_else(|| first_change(tokens())).or_else(moved) else {
            return placed_until(self.steps.len().saturating_sub(1)).unwrap_or(0);
        };
        match placed_until(changed) {
            Some(before) if !self.deploys_scorer(before, changed) => before,
            _ => changed - 1,
        }
    }

    /// Returns whether a feature pays points in position `scored` only because of pieces that were
    /// deployed after position `before`.
    fn deploys_scorer(&self, before: usize, scored: usize) -> bool {
        let (Some(then), Some(now)) = (self.view(before), self.view(scored - 1)) else { return false };
        let stood = pieces_of(then);
        let paid = self.awards(scored).filter_map(|award| Some((award.player, award.feature?)));
        paid.filter(|(_, feature)| now.has_feature(*feature)).any(|(player, feature)| {
            let zones: Vec<_> = now.zones(feature).map(Location::Zone).collect();
            let mut own = now.pieces().filter(|it| it.owner == Some(player) && zones.contains(&it.place)).peekable();
            own.peek().is_some() && own.all(|it| !stood.contains(&(it.name, it.owner, it.place)))
        })
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
        spots.extend(all.iter().filter(|tile| !known.iter().any(|known| known.is_same(tile))).map(|tile| tile.spot));
        for i in 0..self.steps.len() {
            for (view, feature) in self.awards(i).filter_map(|award| self.paid_feature(i, award)) {
                spots.extend(view.zones(feature).map(|zone| view.tile_of_zone(zone).spot));
            }
        }
        let (here, there) = (pieces_of(before), pieces_of(after));
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
        let is_near = |a: &Spot, b: &Spot| a.x.abs_diff(b.x) <= 1 && a.y.abs_diff(b.y) <= 1;
        let near: Vec<_> =
            all.iter().filter(|tile| spots.iter().any(|spot| is_near(&tile.spot, spot))).copied().collect();
        crop_between_tiles(if near.is_empty() { &all } else { &near }, &all)
    }

    /// Returns the feature that pays an award of position `i`, in the view of this position; `None`
    /// if the points do not come from a feature on the board.
    fn paid_feature(&self, i: usize, award: &Award) -> Option<(GameView<'_>, FeatureRef)> {
        let view = self.view(i)?;
        Some((view, award.feature.filter(|feature| view.has_feature(*feature))?))
    }

    /// Draws the points of each award for a feature on that feature, for the picture of the last of
    /// the positions `shown`. Only awards of these positions are drawn. The picture covers `part`
    /// of the board.
    pub(crate) fn marks(&self, painter: &Painter, part: BoardCrop, shown: RangeInclusive<usize>) -> Picture {
        let [w, h] = part.size();
        let mut picture = Picture::new(w, h);
        let Some(view) = self.view(*shown.end()) else { return picture };
        for ([x, y], award) in self.discs(painter, view, shown) {
            let colour = Colour::from(pictures::colour_and_symbol(view, award.player).0);
            draw_points(&mut picture, Point::new(x - part.from[0], y - part.from[1]), award.points, colour);
        }
        picture
    }

    /// Returns the awards of the positions `shown` with the middles of their discs on the board of
    /// `view`.
    fn discs(&self, painter: &Painter, view: GameView<'_>, shown: RangeInclusive<usize>) -> Vec<([f64; 2], &Award)> {
        let mut taken = pictures::covered_circles(painter, view);
        let mut discs = Vec::new();
        for (i, award) in shown.flat_map(|i| self.awards(i).map(move |award| (i, award))) {
            let Some((then, feature)) = self.paid_feature(i, award) else { continue };
            let Some(at) = place_for_disc(painter, then, feature, &taken) else { continue };
            taken.push((at, DISC));
            discs.push((at, award));
        }
        discs
    }
}

/// Returns the name, the owner and the place of each piece in play.
fn pieces_of(view: GameView<'_>) -> Vec<(&str, Option<Seat>, Location)> {
    view.pieces().map(|piece| (piece.name, piece.owner, piece.place)).collect()
}

/// Returns the rectangle around the tiles `shown`, which are some of the tiles `all`. No tile is
/// cut: a side beyond which further tiles lie has no margin. If only a single row lies there, the
/// rectangle includes it.
fn crop_between_tiles(shown: &[LaidTile], all: &[LaidTile]) -> BoardCrop {
    /// The maximum width and height after including a row.
    const MAX_SPOTS: i32 = 5;
    let range =
        |of: fn(&LaidTile) -> i32| [shown.iter().map(of).min().unwrap_or(0), shown.iter().map(of).max().unwrap_or(0)];
    // Tiles may lie so far apart that the distance needs more bits than a coordinate.
    let at = |tile: &LaidTile| [tile.spot.x, tile.spot.y].map(i32::from);
    let beyond_x = |x, y| rows_beyond(all.iter().map(at), x, y);
    let beyond_y = |x, y| rows_beyond(all.iter().map(at).map(|[x, y]| [y, x]), y, x);
    let with_last_row = |[least, most]: [i32; 2], [before, after]: [i32; 2]| {
        let least = if before == 1 && most - least + 1 < MAX_SPOTS { least - 1 } else { least };
        [least, if after == 1 && most - least + 1 < MAX_SPOTS { most + 1 } else { most }]
    };
    let (mut x, mut y) = (range(|tile| tile.spot.x.into()), range(|tile| tile.spot.y.into()));
    // Including a row may bring other rows into reach.
    for _ in 0..MAX_SPOTS {
        x = with_last_row(x, beyond_x(x, y));
        y = with_last_row(y, beyond_y(x, y));
    }
    let with_margin = |[least, most]: [i32; 2], beyond: [i32; 2]| {
        let [before, after] = beyond.map(|n| if n > 0 { 0.0 } else { BoardCrop::MARGIN });
        [f64::from(least) - before, f64::from(most) + 1.0 + after]
    };
    let [left, right] = with_margin(x, beyond_x(x, y));
    let [top, bottom] = with_margin(y, beyond_y(x, y));
    BoardCrop { from: [left, top], to: [right, bottom] }
}

/// Returns how many rows of tiles lie before and after the range `along`, in or beside the range
/// `across`. Each tile has a position along this axis and a position across it.
fn rows_beyond(tiles: impl Iterator<Item = [i32; 2]>, [least, most]: [i32; 2], [first, last]: [i32; 2]) -> [i32; 2] {
    let near = tiles.filter(|[_, across]| (first - 1..=last + 1).contains(across));
    near.fold([0, 0], |[before, after], [along, _]| [before.max(least - along), after.max(along - most)])
}

/// The radius of a disc with points, in tiles.
const DISC: f64 = 0.2;

/// Returns the middle of a disc with the points of a feature, so that the disc covers none of the
/// circles `taken`. Prefers the places of pieces, then other points of the feature, then the
/// corners of its tiles. If nothing is free, returns the place that is farthest from the circles.
/// Returns `None` if the feature has no place at all.
fn place_for_disc(
    painter: &Painter,
    view: GameView<'_>,
    feature: FeatureRef,
    taken: &[([f64; 2], f64)],
) -> Option<[f64; 2]> {
    let (mut places, mut inside, mut corners) = (Vec::new(), Vec::new(), Vec::new());
    for zone in view.zones(feature) {
        let tile = view.tile_of_zone(zone);
        let (local, corner) = (tile.local_index(zone), [tile.spot.x, tile.spot.y].map(f64::from));
        let on_board = |[x, y]: [f32; 2]| [corner[0] + f64::from(x), corner[1] + f64::from(y)];
        let shape = painter.zones(tile.tile, tile.facing).get(local);
        places.extend(shape.into_iter().flat_map(|shape| shape.places.iter().map(|place| on_board(*place))));
        let steps = || (2..=8).map(|n| n as f32 / 10.0);
        let grid = steps().flat_map(|x| steps().map(move |y| [x, y]));
        let own = grid.filter(|at| painter.zone_at(tile.tile, tile.facing, *at) == Some(local));
        inside.extend(own.map(on_board));
        corners.extend([[0.2, 0.2], [0.8, 0.2], [0.2, 0.8], [0.8, 0.8]].map(on_board));
    }
    let n = places.len().max(1) as f64;
    let middle = places.iter().fold([0.0; 2], |[x, y], at| [x + at[0] / n, y + at[1] / n]);
    let room = |at: &[f64; 2]| {
        let rooms = taken.iter().map(|(other, radius)| distance(*at, *other) - radius - DISC);
        rooms.fold(f64::INFINITY, f64::min)
    };
    let nearest = |places: &[[f64; 2]]| {
        let free = places.iter().filter(|at| room(at) > -0.02).copied();
        free.min_by(|a, b| distance(*a, middle).total_cmp(&distance(*b, middle)))
    };
    let farthest = || {
        let all = corners.iter().chain(&places).copied();
        all.max_by(|a, b| room(a).total_cmp(&room(b)))
    };
    nearest(&places).or_else(|| nearest(&inside)).or_else(farthest)
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
    picture.disc(at, DISC, Colour::from([255; 3]));
    picture.disc(at, 0.18, colour);
    let left = at.x - Picture::width_of(&text, letters) / 2.0;
    let ink = if colour.brightness() > 0.62 { [0x2d, 0x26, 0x1f] } else { [255; 3] };
    picture.write(&text, left, at.y + letters / 2.0, letters, Colour::from(ink));
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use loader::Library;
    use testkit::mods_folder;

    use super::*;

    #[test]
    fn discs_cover_no_piece_link_or_sign() {
        let mut cache = RulesCache::new(Library::builtin());
        let mut n = 0;
        for id in ["base", "ferries", "hunters-gatherers", "inns-cathedrals", "gold-mines"] {
            for case in CaseFile::of_mod(&mods_folder().join(id)) {
                let Some(example) = of_case(&mut cache, &case).unwrap() else { continue };
                let loaded = example.loaded.clone().unwrap();
                let painter = Painter::new(&example.rules.catalogue().tile_set, loaded.theme(), "");
                let last = example.steps.len() - 1;
                let view = example.view(last).unwrap();
                let mut taken = pictures::covered_circles(&painter, view);
                for (at, _) in example.discs(&painter, view, 0..=last) {
                    let is_free = |(other, radius): &([f64; 2], f64)| distance(at, *other) > radius + DISC - 0.05;
                    assert!(taken.iter().all(is_free), "{id} {}: {at:?} {taken:?}", example.name);
                    taken.push((at, DISC));
                    n += 1;
                }
            }
        }
        assert!(n > 25, "{n} discs");
    }

    #[test]
    fn a_crop_has_no_margin_beside_further_tiles() {
        let at = |x, y| LaidTile {
            spot: Spot { x, y },
            tile: board::TileIdx(0),
            facing: board::Facing::default(),
            complete: 0,
        };
        let row: Vec<LaidTile> = (0..8).map(|x| at(x, 0)).collect();
        let crop = |shown: &[LaidTile]| {
            let BoardCrop { from, to } = crop_between_tiles(shown, &row);
            [from[0], to[0]]
        };
        assert_eq!(crop(&row[3..5]), [3.0, 5.0]);
        assert_eq!(crop(&row[1..4]), [-0.25, 4.0], "includes a single row at the end");
        assert_eq!(crop(&row), [-0.25, 8.25]);
    }

    #[test]
    fn tiles_may_lie_at_the_ends_of_the_grid() {
        let at = |x, y| LaidTile {
            spot: Spot { x, y },
            tile: board::TileIdx(0),
            facing: board::Facing::default(),
            complete: 0,
        };
        let all = [at(i16::MIN, i16::MAX), at(i16::MAX, i16::MIN)];
        assert_eq!(crop_between_tiles(&all, &all).from[0], f64::from(i16::MIN) - BoardCrop::MARGIN);
        assert_eq!(crop_between_tiles(&all[..1], &all).to[1], f64::from(i16::MAX) + 1.0 + BoardCrop::MARGIN);
    }

    #[test]
    fn a_caption_may_have_several_lines() {
        let text = "# A test.\n# book: Red scores\n# book: 4 points.\nbastide 1\n# book: no\n";
        assert_eq!(caption_of(text), Some(("Red scores 4 points.".to_owned(), 2)));
        assert_eq!(caption_of("# A test.\nbastide 1\n"), None);
    }
}
