//! Prepares examples and tiles for the HTML page and the PDF: their pictures and texts.

use std::collections::BTreeMap;

use art::kurbo::{Affine, RoundedRect, Shape as _};
use art::{BoardCrop, Colour, Detail, LaidTile, Painter, Picture};
use board::{Facing, TileIdx};
use loader::Loaded;
use rules::Award;
use table::{GameView, capitalize};

use crate::chapter::spaced_name;
use crate::example::{Example, points_text};
use crate::track;

/// The width of a tile, in pixels, for which the drawings have enough detail.
const WIDTH: u32 = 64;

/// The drawings of all tiles in the book, by the name of the tile. Boards refer to them.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct TileDrawings(pub BTreeMap<String, Picture>);

impl TileDrawings {
    /// Draws a tile, unless the book has its drawing already.
    pub(crate) fn add(&mut self, painter: &Painter, name: &str, tile: TileIdx) {
        if !self.0.contains_key(name) {
            let picture = painter.tile(tile, Facing::default(), 0, Detail::for_width(WIDTH));
            self.0.insert(name.to_owned(), picture);
        }
    }
}

/// A tile in the contents of a chapter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TileEntry {
    /// The name of the drawing.
    pub tile: String,
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
    /// Sentences about the points that the players get; empty if there are none.
    pub awards: String,
    /// The address that opens the example in Bastide; `None` if it would be too long.
    pub link: Option<String>,
}

/// A position of an example.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ExhibitStep {
    pub board: BoardScene,
    /// A part of the score track; `None` if the track does not matter.
    pub track: Option<Picture>,
    /// The points and tokens of the players.
    pub counts: String,
    /// A sentence about the answers that lead here.
    pub text: String,
}

impl ExhibitStep {
    /// Returns whether this step has the same pictures and numbers as `other`.
    fn shows_the_same(&self, other: &ExhibitStep) -> bool {
        self.board == other.board && self.track == other.track && self.counts == other.counts
    }
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
    pub tile: String,
    /// The upper left corner.
    pub at: [f64; 2],
    /// The clockwise turn about the middle.
    pub degrees: u16,
}

/// Returns example `i` of a chapter as the book shows it. Its link begins with `address`.
pub(crate) fn exhibit(
    loaded: &Loaded,
    tiles: &mut TileDrawings,
    anchor: String,
    i: usize,
    example: &Example,
    address: &str,
) -> Exhibit {
    let awards = example.awards().into_iter();
    let awards: Vec<String> = example.final_game().map(GameView::of).map_or_else(Vec::new, |view| {
        let sentence = |award: &Award| {
            let who = capitalize(view.name(award.player));
            format!("{who} gets {} ({}).", points_text(award.points), spaced_name(&award.reason))
        };
        awards.map(sentence).collect()
    });
    Exhibit {
        anchor,
        number: i + 1,
        caption: example.caption.clone(),
        steps: steps(loaded, tiles, example),
        awards: awards.join(" "),
        link: example.link.as_ref().map(|link| format!("{address}#{link}")),
    }
}

/// Returns the steps of an example. Joins the text of an answer that changes neither the pictures
/// nor the numbers to the text of the next step, or of the previous step if it is the last answer.
fn steps(loaded: &Loaded, tiles: &mut TileDrawings, example: &Example) -> Vec<ExhibitStep> {
    let theme = loaded.theme();
    // An example may use other mods than the book.
    let painter = Painter::new(&example.rules.catalogue().tile_set, theme, theme.suggested_palette());
    let part = example.crop();
    let spaces = track::spaces(example.views());
    let mut steps: Vec<ExhibitStep> = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    let laid_before = example.starting_game().map_or_else(Vec::new, |game| pictures::laid_tiles(GameView::of(game)));
    for (i, step) in example.steps.iter().enumerate() {
        let is_last = i + 1 == example.steps.len();
        let view = GameView::of(&step.game);
        let mut board = scene(&painter, tiles, view, part, &laid_before);
        if is_last {
            board.objects.put(&example.marks(&painter, part), Affine::IDENTITY);
        }
        texts.extend(Some(step.text.clone()).filter(|text| !text.is_empty()));
        let track = spaces.clone().map(|spaces| track::picture(&painter, view, spaces));
        let mut new = ExhibitStep { board, track, counts: example.counts_text(view), text: String::new() };
        if let Some(last) = steps.last_mut().filter(|last| last.shows_the_same(&new)) {
            if is_last {
                texts.insert(0, std::mem::take(&mut last.text));
                last.text = sentences(&mut texts);
            }
            continue;
        }
        new.text = sentences(&mut texts);
        steps.push(new);
    }
    for (i, step) in steps.iter_mut().enumerate().filter(|(_, step)| step.text.is_empty()) {
        step.text = if i == 0 { "Start." } else { "A tile is drawn." }.to_owned();
    }
    steps
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
    painter: &Painter,
    drawings: &mut TileDrawings,
    view: GameView<'_>,
    part: BoardCrop,
    laid_before: &[LaidTile],
) -> BoardScene {
    let size = part.size();
    let mut tiles = Vec::new();
    let mut objects = Picture::new(size[0], size[1]);
    let all = pictures::laid_tiles(view);
    let newest = all.last().filter(|laid| !laid_before.contains(laid)).copied();
    for laid in all {
        let at = [f64::from(laid.spot.x) - part.from[0], f64::from(laid.spot.y) - part.from[1]];
        if at.iter().zip(size).any(|(at, size)| *at <= -1.0 || *at >= size) {
            continue;
        }
        let name = &view.tile_set().tile(laid.tile).name;
        drawings.add(painter, name, laid.tile);
        tiles.push(SceneTile { tile: name.clone(), at, degrees: laid.facing.degrees() });
        if Some(laid) == newest {
            add_frame(&mut objects, at);
        }
    }
    objects.put(&pictures::objects(painter, view, part), Affine::IDENTITY);
    BoardScene { size, tiles, objects }
}

/// Draws a frame around the tile whose upper left corner is at `at`.
fn add_frame(picture: &mut Picture, [x, y]: [f64; 2]) {
    let frame = |inset: f64| RoundedRect::new(x + inset, y + inset, x + 1.0 - inset, y + 1.0 - inset, 0.06);
    picture.line(frame(0.035).to_path(0.001), Colour::from([255; 3]), 0.07);
    picture.line(frame(0.03).to_path(0.001), Colour::from([0x8a, 0x3b, 0x26]), 0.035);
}
