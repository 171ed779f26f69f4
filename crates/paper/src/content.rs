//! The things to print, with their pictures.

use art::kurbo::{Affine, Circle, Point, Rect, RoundedRect, Shape as _, Vec2};
use art::{Colour, Detail, Painter, Picture, Pose, seat_colour, seat_symbol};
use board::{Facing, TileIdx};
use loader::Loaded;
use rules::{COLOURS, Holds};

use crate::sheet::Paper;

/// The width and height of a card in millimetres: about half the area of a usual playing card.
pub(crate) const CARD: [f64; 2] = [44.0, 67.0];
/// The width of a disc for a piece, a token or a pile in millimetres.
pub(crate) const DISC: f64 = 18.0;
/// The maximum number of discs to print for each kind of token or pile.
const MOST_DISCS: u32 = 40;

/// A thing to print. The shorter side of its pictures is one unit long.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Item {
    /// The name, which is the same for equal copies.
    pub name: String,
    /// The group that the item belongs to before the game, such as the name of its deck or the
    /// colour of its player.
    pub group: String,
    pub face: Picture,
    pub back: Picture,
}

fn is_of(ids: &[String], name: &str) -> bool {
    name.split_once('/').is_some_and(|(owner, _)| ids.iter().any(|id| id == owner))
}

/// The text on the backs of tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BackText {
    /// The names of the tile and its deck, which help to sort tiles.
    TileAndDeck,
    /// The name of the deck. Face-down tiles of one deck look the same.
    Deck,
}

/// Returns the tiles of the mods `ids`, one item for each copy.
pub(crate) fn tiles(painter: &Painter, loaded: &Loaded, ids: &[String], text: BackText) -> Vec<Item> {
    let catalogue = loaded.catalogue();
    let mut items = Vec::new();
    for (i, tile) in catalogue.tile_set.tiles.iter().enumerate() {
        if !is_of(ids, &tile.name) || tile.over.is_some() {
            continue;
        }
        let short = tile.name.split_once('/').map_or(tile.name.as_str(), |(_, short)| short);
        let face = painter.tile(TileIdx(i as u16), Facing::default(), 0, Detail::Full);
        let mut add = |label: &str, deck: &str, group: &str, n: usize| {
            let label = if text == BackText::TileAndDeck { label } else { "" };
            let back = back(painter, label, deck);
            let item = Item { name: tile.name.clone(), group: group.to_owned(), face: face.clone(), back };
            items.extend(std::iter::repeat_n(item, n));
        };
        if catalogue.start.is_some_and(|start| usize::from(start.tile.0) == i) {
            add(&format!("{short} start"), "", "start", 1);
        }
        for deck in catalogue.decks.iter().filter(|deck| deck.holds == Holds::Tiles) {
            let copies = deck.items.iter().filter(|(item, _)| usize::from(*item) == i);
            add(short, &deck.name, &deck.name, copies.map(|(_, n)| usize::from(*n)).sum());
        }
        if tile.is_overlay {
            add(short, "", "overlays", 1);
        }
    }
    items
}

/// Returns the items of `tiles` that `before` does not contain. If `tiles` has more copies of an
/// item than `before`, returns the additional copies.
pub(crate) fn changed(tiles: Vec<Item>, before: &[Item]) -> Vec<Item> {
    let mut left: Vec<&Item> = before.iter().collect();
    let mut is_new = |item: &Item| match left.iter().position(|old| *old == item) {
        Some(i) => {
            left.swap_remove(i);
            false
        }
        None => true,
    };
    tiles.into_iter().filter(|item| is_new(item)).collect()
}

/// Returns the back of a tile. The label and the name of the deck on the back help to sort the
/// tiles later.
fn back(painter: &Painter, label: &str, deck: &str) -> Picture {
    const LETTERS: f64 = 0.06;
    let mut picture = painter.back();
    for (text, base) in [(label, 0.955), (deck, 0.1)] {
        let width = Picture::width_of(text, LETTERS);
        picture.write(text, 0.5 - width / 2.0, base, LETTERS, Colour::from([255; 3]));
    }
    picture
}

/// Returns the cards of the mods `ids`, one item for each copy.
pub(crate) fn cards(painter: &Painter, loaded: &Loaded, ids: &[String]) -> Vec<Item> {
    let catalogue = loaded.catalogue();
    let mut items = Vec::new();
    for (i, card) in catalogue.cards.iter().enumerate().filter(|(_, card)| is_of(ids, &card.name)) {
        for deck in catalogue.decks.iter().filter(|deck| deck.holds == Holds::Cards) {
            let n = deck.items.iter().filter(|(item, _)| usize::from(*item) == i).map(|(_, n)| usize::from(*n)).sum();
            let item = Item {
                name: card.name.clone(),
                group: deck.name.clone(),
                face: card_face(painter, &card.name, &card.about),
                back: card_back(painter, &deck.name),
            };
            items.extend(std::iter::repeat_n(item, n));
        }
    }
    items
}

/// The height of a card whose width is 1.
const HIGH: f64 = CARD[1] / CARD[0];

fn card_face(painter: &Painter, name: &str, about: &str) -> Picture {
    const LETTERS: f64 = 0.05;
    const LINES: usize = 12;
    let mut picture = Picture::new(1.0, HIGH);
    picture.rect(Rect::new(0.0, 0.0, 1.0, HIGH), Colour::from([0xf7, 0xf2, 0xe4]));
    picture.put(&painter.icon_of_card(name), Affine::translate((0.25, 0.12)) * Affine::scale(0.5));
    let short = name.split_once('/').map_or(name, |(_, short)| short).replace(['_', '-'], " ");
    let ink = Colour::from([0x2d, 0x26, 0x1f]);
    let height = (0.85 / Picture::width_of(&short, 1.0).max(0.1)).min(0.09);
    picture.write(&short, 0.5 - Picture::width_of(&short, height) / 2.0, 0.76, height, ink);
    for (i, line) in lines(about, LETTERS, 0.86).into_iter().take(LINES).enumerate() {
        picture.write(&line, 0.07, 0.86 + 0.075 * i as f64, LETTERS, ink);
    }
    picture
}

/// Breaks the first 100 words of a text into lines that are at most `most` wide. A longer word gets
/// a separate line. Cuts the first word of each line to 40 letters.
fn lines(text: &str, height: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    // A card has room for few words.
    for word in text.split_whitespace().take(100) {
        match lines.last_mut() {
            Some(line) if Picture::width_of(&format!("{line} {word}"), height) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.chars().take(40).collect()),
        }
    }
    lines
}

fn card_back(painter: &Painter, deck: &str) -> Picture {
    let mut picture = Picture::new(1.0, HIGH);
    picture.rect(Rect::new(0.0, 0.0, 1.0, HIGH), painter.palette().back);
    let frame = RoundedRect::new(0.07, 0.07, 0.93, HIGH - 0.07, 0.06).to_path(0.01);
    picture.line(frame, painter.palette().back_light, 0.03);
    let name = deck.replace('_', " ");
    let height = (0.7 / Picture::width_of(&name, 1.0).max(0.1)).min(0.12);
    let left = 0.5 - Picture::width_of(&name, height) / 2.0;
    picture.write(&name, left, HIGH / 2.0 + height / 2.0, height, Colour::from([255; 3]));
    picture
}

/// Returns discs for `n_players` players: the pieces of the mods `ids`, and the score markers,
/// tokens and piles of all loaded mods. Returns no discs for 0 players.
pub(crate) fn discs(painter: &Painter, loaded: &Loaded, ids: &[String], n_players: usize) -> Vec<Item> {
    let catalogue = loaded.catalogue();
    let mut items = Vec::new();
    let neutral = [0x8a, 0x8a, 0x8a];
    for piece in &catalogue.pieces {
        let owner = catalogue.mods.get(piece.owner.idx()).map_or("", |info| info.id.as_str());
        if !ids.iter().any(|id| id == owner) || n_players == 0 {
            continue;
        }
        for seat in 0..n_players {
            let colour = seat_colour(seat);
            let face = painter.piece(&piece.name, Pose::Standing, colour, seat_symbol(seat));
            let item = disc(&piece.name, COLOURS.get(seat).unwrap_or(&""), &face, Colour::from(colour));
            items.extend(std::iter::repeat_n(item, piece.per_player.into()));
        }
        let face = painter.piece(&piece.name, Pose::Standing, neutral, art::Symbol::None);
        let item = disc(&piece.name, "neutral", &face, Colour::from(neutral));
        items.extend(std::iter::repeat_n(item, piece.neutral.into()));
    }
    for seat in 0..n_players {
        let colour = Colour::from(seat_colour(seat));
        let mut marker = Picture::default();
        marker.disc(Point::new(0.5, 0.5), 0.5, colour);
        let item = disc("score marker", COLOURS.get(seat).unwrap_or(&""), &marker, colour);
        items.extend(std::iter::repeat_n(item, catalogue.track.n_markers.into()));
    }
    if n_players > 0 {
        // The catalogue does not name the mods of tokens and piles, so `ids` cannot select tokens
        // or piles.
        for token in &catalogue.tokens {
            let n = token.stock.unwrap_or(MOST_DISCS).min(MOST_DISCS) as usize;
            let item = disc(&token.name, "tokens", &painter.icon_of_token(&token.name), Colour::from(neutral));
            items.extend(std::iter::repeat_n(item, n));
        }
        for pile in &catalogue.piles {
            let n = pile.stock.unwrap_or(MOST_DISCS).min(MOST_DISCS) as usize;
            let item = disc(&pile.name, "piles", &painter.icon_of_pile(&pile.name), Colour::from(neutral));
            items.extend(std::iter::repeat_n(item, n));
        }
    }
    items
}

fn disc(name: &str, group: &str, icon: &Picture, rim: Colour) -> Item {
    let blank = || {
        let mut picture = Picture::default();
        picture.rect(Rect::new(0.0, 0.0, 1.0, 1.0), rim);
        picture.fill(Circle::new(Point::new(0.5, 0.5), 0.46).to_path(0.002), Colour::from([0xf7, 0xf2, 0xe4]));
        picture
    };
    let mut face = blank();
    face.put(icon, Affine::translate((0.16, 0.16)) * Affine::scale(0.68));
    Item { name: name.to_owned(), group: group.to_owned(), face, back: blank() }
}

/// Returns the middles of the spaces of the score track on a page of `paper`, in millimetres from
/// the upper left corner, and the width of a space. The spaces run clockwise around the page; there
/// is room for at most 200.
pub(crate) fn track_spaces(loaded: &Loaded, paper: Paper) -> (Vec<Point>, f64) {
    let [width, height] = paper.size();
    let n = loaded.catalogue().track.length.clamp(1, 200);
    let side = 2.0 * (width - 40.0) + 2.0 * (height - 40.0);
    let step = side / f64::from(n);
    let middle = |space: u32| around(f64::from(space) * step, width - 40.0, height - 40.0) + Vec2::new(20.0, 20.0);
    ((0..n).map(middle).collect(), (step * 0.92).min(22.0))
}

/// Returns the score track as one picture for a page of `paper`, in millimetres.
pub(crate) fn track(loaded: &Loaded, paper: Paper) -> Picture {
    let track = loaded.catalogue().track;
    let [width, height] = paper.size();
    let mut picture = Picture::new(width, height);
    let (spaces, size) = track_spaces(loaded, paper);
    for (space, at) in (0..).zip(spaces) {
        let square = Rect::from_center_size(at, (size, size));
        let is_dark = track.is_dark(space);
        let [paper, ink] = match is_dark {
            true => [Colour::from([0x5f, 0x51, 0x40]), Colour::from([255; 3])],
            false => [Colour::from([0xf7, 0xf2, 0xe4]), Colour::from([0x2d, 0x26, 0x1f])],
        };
        let path = square.to_rounded_rect(size * 0.12).to_path(0.01);
        picture.fill(path.clone(), paper);
        picture.line(path, Colour::from([0x2d, 0x26, 0x1f]), 0.25);
        let text = space.to_string();
        let letters = size * 0.3;
        picture.write(&text, at.x - Picture::width_of(&text, letters) / 2.0, at.y + letters / 2.0, letters, ink);
    }
    picture
}

/// Returns the point at a distance along the rim of a rectangle, clockwise from its upper left.
fn around(along: f64, width: f64, height: f64) -> Point {
    let mut rest = along;
    for (length, from, direction) in [
        (width, Point::new(0.0, 0.0), Vec2::new(1.0, 0.0)),
        (height, Point::new(width, 0.0), Vec2::new(0.0, 1.0)),
        (width, Point::new(width, height), Vec2::new(-1.0, 0.0)),
        (height, Point::new(0.0, height), Vec2::new(0.0, -1.0)),
    ] {
        if rest < length {
            return from + direction * rest;
        }
        rest -= length;
    }
    Point::new(0.0, 0.0)
}
