//! Prepares examples and tiles for the HTML page and the PDF: their pictures and texts.

use std::collections::BTreeMap;

use art::kurbo::{Affine, RoundedRect, Shape as _};
use art::{BoardCrop, Colour, Detail, LaidTile, Painter, Picture, TileVariant};
use board::{Facing, TileIdx, TileSet};
use loader::Loaded;
use table::GameView;
use workshop::link::with_address;

use crate::example::Example;
use crate::track;

/// The width of a tile, in pixels, for which the drawings have enough detail.
const WIDTH: u32 = 64;

/// The drawings of tiles, pieces and tokens in the book, by name. Boards refer to them.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Drawings(pub BTreeMap<String, Picture>);

impl Drawings {
    /// Adds a drawing, unless the book has it already. Returns its name: `name`, or `name` with a
    /// number if another drawing has this name, because a theme of other mods draws it differently.
    pub(crate) fn add(&mut self, name: &str, picture: Picture) -> String {
        let mut own = name.to_owned();
        let mut n = 1;
        while self.0.get(&own).is_some_and(|known| *known != picture) {
            n += 1;
            // Names of tiles contain no space.
            own = format!("{name} {n}");
        }
        self.0.entry(own.clone()).or_insert(picture);
        own
    }
}

/// A painter that draws each tile once.
pub(crate) struct TilePainter {
    pub painter: Painter,
    /// The names of the drawings so far.
    names: BTreeMap<u16, String>,
}

impl TilePainter {
    /// Draws a tile, and returns the name of the drawing.
    pub(crate) fn add(&mut self, drawings: &mut Drawings, tile_set: &TileSet, tile: TileIdx) -> String {
        let TilePainter { painter, names } = self;
        let draw = || {
            let picture = painter.tile(tile, Facing::default(), TileVariant::default(), Detail::for_width(WIDTH));
            drawings.add(&tile_set.tile(tile).name, picture)
        };
        names.entry(tile.0).or_insert_with(draw).clone()
    }
}

/// The drawings of a book and the painters for them: one painter for each combination of tiles and
/// theme.
#[derive(Default)]
pub(crate) struct Illustrator {
    pub drawings: Drawings,
    painters: Vec<TilePainter>,
}

impl Illustrator {
    /// Calls `draw` with the painter for these tiles and this theme.
    pub(crate) fn with_painter<T>(
        &mut self,
        tile_set: &TileSet,
        loaded: &Loaded,
        draw: impl FnOnce(&mut TilePainter, &mut Drawings) -> T,
    ) -> T {
        let theme = loaded.theme();
        let palette = theme.suggested_palette();
        let known = self.painters.iter().position(|known| known.painter.draws(tile_set, theme, palette));
        let new = || TilePainter { painter: Painter::new(tile_set, theme, palette), names: BTreeMap::new() };
        let mut painter = known.map_or_else(new, |i| self.painters.swap_remove(i));
        let drawn = draw(&mut painter, &mut self.drawings);
        self.painters.push(painter);
        drawn
    }
}

/// A tile, piece or token in the contents of a chapter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DrawingEntry {
    /// The name of the drawing.
    pub drawing: String,
    /// The number of copies and the name, such as `4 × U`.
    pub label: String,
}

/// An example as the book shows it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Exhibit {
    pub anchor: String,
    /// The number of the example in its chapter, counted from 1.
    pub number: usize,
    pub caption: String,
    pub steps: Vec<ExhibitStep>,
    /// The index of the step that the book shows beside the last step.
    pub before: usize,
    /// Sentences about the events between these two steps.
    pub story: String,
    /// The address that opens the example in Bastide; `None` if it would be too long.
    pub link: Option<String>,
}

impl Exhibit {
    /// Returns the step before and the step after the events, in order; only one step if nothing
    /// visible happens.
    pub(crate) fn ends(&self) -> Vec<&ExhibitStep> {
        let before = self.steps.get(self.before).filter(|_| self.before + 1 < self.steps.len());
        before.into_iter().chain(self.steps.last()).collect()
    }
}

/// The text under the starting position.
const START: &str = "Start.";

/// A position of an example.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ExhibitStep {
    pub board: BoardScene,
    /// A part of the score track; `None` if the track does not matter.
    pub track: Option<Picture>,
    /// The points and tokens of the players.
    pub counts: String,
    /// Sentences about the answers that lead here, and about the points that they give.
    pub text: String,
}

/// A part of a board. One unit is one spot.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct BoardScene {
    pub size: [f64; 2],
    pub tiles: Vec<SceneTile>,
    /// Pieces, piles, links and points, in front of the tiles.
    pub objects: Picture,
}

/// A tile in a [`BoardScene`].
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SceneTile {
    /// The name of the drawing.
    pub drawing: String,
    /// The upper left corner.
    pub at: [f64; 2],
    /// The clockwise turn about the middle.
    pub degrees: u16,
}

/// Returns example `i` of a chapter as the book shows it. Its link begins with `address`. `loaded`
/// are the mods of the book.
pub(crate) fn exhibit(
    loaded: &Loaded,
    illustrator: &mut Illustrator,
    anchor: String,
    i: usize,
    example: &Example,
    address: &str,
) -> Exhibit {
    // An example may use other mods than the book, and other signs on its tiles.
    let loaded = example.loaded.as_deref().unwrap_or(loaded);
    let tile_set = &example.rules.catalogue().tile_set;
    let (steps, before) =
        illustrator.with_painter(tile_set, loaded, |painter, drawings| steps(painter, drawings, example));
    let first = if steps.len() > 1 { example.before() + 1 } else { 0 };
    let mut story = (first..example.steps.len()).flat_map(|i| example.sentences(i)).collect();
    Exhibit {
        anchor,
        number: i + 1,
        caption: example.caption.clone(),
        steps,
        before,
        story: sentences(&mut story),
        link: example.link.as_ref().map(|link| with_address(address, link)),
    }
}

/// Returns the steps of an example, and the step before the points. Joins the text of an answer
/// that changes neither the pictures nor the numbers to the text of the next step, or of the
/// previous step if it is the last answer.
fn steps(painter: &mut TilePainter, drawings: &mut Drawings, example: &Example) -> (Vec<ExhibitStep>, usize) {
    let part = example.crop();
    let spaces = track::spaces(example.views());
    let mut steps: Vec<ExhibitStep> = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    let (position_before, mut before) = (example.before(), 0);
    let laid_before = example.starting_game().map_or_else(Vec::new, |game| pictures::laid_tiles(GameView::of(game)));
    for (i, step) in example.steps.iter().enumerate() {
        let is_last = i + 1 == example.steps.len();
        let view = GameView::of(&step.game);
        let mut board = scene(painter, drawings, view, part, &laid_before);
        // The last picture shows all points, and each other picture only the points of its answer.
        let marks = example.marks(&painter.painter, part, if is_last { 0..=i } else { i..=i });
        board.objects.put(&marks, Affine::IDENTITY);
        texts.extend(example.sentences(i));
        let track = spaces.clone().map(|spaces| track::picture(&painter.painter, view, spaces));
        let mut new = ExhibitStep { board, track, counts: example.counts_text(view), text: String::new() };
        let shows_the_same =
            |last: &ExhibitStep| last.board == new.board && last.track == new.track && last.counts == new.counts;
        if let Some(last) = steps.last_mut().filter(|last| shows_the_same(last)) {
            if is_last {
                texts.insert(0, std::mem::take(&mut last.text));
                last.text = sentences(&mut texts);
            }
        } else {
            new.text = sentences(&mut texts);
            steps.push(new);
        }
        if i == position_before {
            before = steps.len() - 1;
        }
    }
    for (i, step) in steps.iter_mut().enumerate().filter(|(_, step)| step.text.is_empty()) {
        step.text = if i == 0 { START } else { "A tile is drawn." }.to_owned();
    }
    let before = before.min(steps.len().saturating_sub(2));
    (steps, before)
}

/// Joins texts to sentences, and empties the list `texts`.
fn sentences(texts: &mut Vec<String>) -> String {
    let mut joined = String::new();
    for text in texts.drain(..).filter(|text| !text.is_empty()) {
        let space = if joined.is_empty() { "" } else { " " };
        let end = if text.ends_with('.') { "" } else { "." };
        joined += &format!("{space}{text}{end}");
    }
    joined
}

/// Draws a part of a board. Frames the tile that was laid last, unless it is one of `laid_before`.
fn scene(
    painter: &mut TilePainter,
    drawings: &mut Drawings,
    view: GameView<'_>,
    part: BoardCrop,
    laid_before: &[LaidTile],
) -> BoardScene {
    let size = part.size();
    let mut tiles = Vec::new();
    let mut objects = Picture::new(size[0], size[1]);
    let all = pictures::laid_tiles(view);
    let newest = all.last().filter(|laid| !laid_before.iter().any(|before| before.is_same(laid))).copied();
    for laid in all {
        let at = [f64::from(laid.spot.x) - part.from[0], f64::from(laid.spot.y) - part.from[1]];
        if at.iter().zip(size).any(|(at, size)| *at <= -1.0 || *at >= size) {
            continue;
        }
        let drawing = painter.add(drawings, view.tile_set(), laid.tile);
        tiles.push(SceneTile { drawing, at, degrees: laid.facing.degrees() });
        if Some(laid) == newest {
            add_frame(&mut objects, at);
        }
    }
    objects.put(&pictures::objects(&painter.painter, view, part), Affine::IDENTITY);
    BoardScene { size, tiles, objects }
}

/// Draws a frame around the tile whose upper left corner is at `at`.
fn add_frame(picture: &mut Picture, [x, y]: [f64; 2]) {
    let frame = |inset: f64| RoundedRect::new(x + inset, y + inset, x + 1.0 - inset, y + 1.0 - inset, 0.06);
    picture.line(frame(0.035).to_path(0.001), Colour::from([255; 3]), 0.07);
    picture.line(frame(0.03).to_path(0.001), Colour::from([0x8a, 0x3b, 0x26]), 0.035);
}
