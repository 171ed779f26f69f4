//! The items to print, with their pictures.

use art::kurbo::{Affine, BezPath, Circle, Point, Rect, RoundedRect, Shape as _, Vec2};
use art::{Colour, Detail, Painter, Picture, Pose, TileVariant, named_colour, seat_colour, seat_symbol};
use board::{Facing, TileIdx};
use book::{n_copies, short_name};
use rules::{Catalogue, DEFAULT_NAMES, ItemType};

use crate::PieceForm;
use crate::colours::{CREAM, INK};
use crate::source::PrintSource;
use ink::Paper;

/// The width and height of a card in millimetres: about half the area of a usual playing card.
pub(crate) const CARD_SIZE: [f64; 2] = [44.0, 67.0];
/// The width of a disc for a piece, a token or a pile in millimetres.
pub(crate) const DISC_WIDTH: f64 = 18.0;
/// The maximum number of discs to print for each kind of token or pile.
const MAX_DISCS: u32 = 40;

/// An item to print, such as a tile, a card or a disc. The shorter side of its pictures is one unit
/// long.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PrintItem {
    /// The name. All copies of an item have the same name.
    pub name: String,
    /// The group that the item belongs to before the game, such as the name of its deck or the
    /// colour of its player.
    pub group: String,
    pub face: Picture,
    pub back: Picture,
}

/// The text on the backs of tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BackText {
    /// The names of the mod, the tile and its deck, which help to sort tiles.
    TileAndDeck,
    /// The name of the deck. Face-down tiles of one deck look the same.
    Deck,
}

/// Returns the tiles of the mods to print, one item for each copy.
pub(crate) fn tiles(source: &PrintSource<'_>, text: BackText) -> Vec<PrintItem> {
    let PrintSource { catalogue, painter, .. } = source;
    let mut items = Vec::new();
    for (i, tile) in (0..).zip(&catalogue.tile_set.tiles) {
        if !source.prints(&tile.name) || tile.over.is_some() {
            continue;
        }
        // The label on the back: the id of the mod and the name of the tile.
        let name = tile.name.replacen('/', " ", 1);
        let face = painter.tile(TileIdx(i), Facing::default(), TileVariant::default(), Detail::Full);
        let mut add = |label: &str, deck: &str, group: &str, n: usize| {
            let label = if text == BackText::TileAndDeck { label } else { "" };
            let back = back(source, label, deck);
            let item = PrintItem { name: tile.name.clone(), group: group.to_owned(), face: face.clone(), back };
            items.extend(std::iter::repeat_n(item, n));
        };
        if catalogue.start.is_some_and(|start| start.tile.0 == i) {
            add(&format!("{name} start"), "", "start", 1);
        }
        for deck in catalogue.decks.iter().filter(|deck| deck.holds == ItemType::Tiles) {
            add(&name, &deck.name, &deck.name, n_copies(deck, i));
        }
        if tile.is_overlay {
            add(&name, "", "overlays", 1);
        }
    }
    items
}

/// Returns the items of `tiles` that `before` does not contain. If `tiles` has more copies of an
/// item than `before`, returns the additional copies.
pub(crate) fn changed_items(tiles: Vec<PrintItem>, before: &[PrintItem]) -> Vec<PrintItem> {
    let mut left: Vec<&PrintItem> = before.iter().collect();
    let mut is_new = |item: &PrintItem| match left.iter().position(|old| *old == item) {
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
fn back(source: &PrintSource<'_>, label: &str, deck: &str) -> Picture {
    let mut picture = source.painter.tile_back();
    for (text, base) in [(label, 0.945), (deck, 0.1)] {
        write_centred(&mut picture, text, [0.5, base], [0.86, 0.045], source.text_on_dark());
    }
    picture
}

/// Writes a text centred at `x` above the line at `base`. The letters are `height` high, or smaller
/// if the text would be wider than `most`.
pub(crate) fn write_centred(
    picture: &mut Picture,
    text: &str,
    [x, base]: [f64; 2],
    [most, height]: [f64; 2],
    ink: Colour,
) {
    let height = (most / Picture::width_of(text, 1.0)).min(height);
    picture.write(text, x - Picture::width_of(text, height) / 2.0, base, height, ink);
}

/// Returns the cards of the mods to print, one item for each copy.
pub(crate) fn cards(source: &PrintSource<'_>) -> Vec<PrintItem> {
    let PrintSource { catalogue, painter, .. } = source;
    let mut items = Vec::new();
    for (i, card) in (0..).zip(&catalogue.cards).filter(|(_, card)| source.prints(&card.name)) {
        for deck in catalogue.decks.iter().filter(|deck| deck.holds == ItemType::Cards) {
            let item = PrintItem {
                name: card.name.clone(),
                group: deck.name.clone(),
                face: card_face(painter, &card.name, &card.about),
                back: card_back(source, &deck.name),
            };
            items.extend(std::iter::repeat_n(item, n_copies(deck, i)));
        }
    }
    items
}

/// The height of a card whose width is 1.
const CARD_HEIGHT: f64 = CARD_SIZE[1] / CARD_SIZE[0];

fn card_face(painter: &Painter, name: &str, about: &str) -> Picture {
    const LETTER_HEIGHT: f64 = 0.05;
    const MAX_LINES: usize = 12;
    let mut picture = Picture::new(1.0, CARD_HEIGHT);
    picture.rect(Rect::new(0.0, 0.0, 1.0, CARD_HEIGHT), Colour::from(CREAM));
    picture.put(&painter.icon_of("card", name), Affine::translate((0.25, 0.12)) * Affine::scale(0.5));
    let short = short_name(name).replace(['_', '-'], " ");
    let ink = Colour::from(INK);
    write_centred(&mut picture, &short, [0.5, 0.76], [0.85, 0.09], ink);
    for (i, line) in wrap_text(about, LETTER_HEIGHT, 0.86).into_iter().take(MAX_LINES).enumerate() {
        picture.write(&line, 0.07, 0.86 + 0.075 * i as f64, LETTER_HEIGHT, ink);
    }
    picture
}

/// Breaks the first 100 words of a text into lines that are at most `most` wide. A longer word gets
/// a separate line. Cuts the first word of each line to 40 letters.
pub(crate) fn wrap_text(text: &str, height: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    // A card has room for only a few words.
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

fn card_back(source: &PrintSource<'_>, deck: &str) -> Picture {
    let painter = &source.painter;
    let mut picture = Picture::new(1.0, CARD_HEIGHT);
    picture.rect(Rect::new(0.0, 0.0, 1.0, CARD_HEIGHT), painter.palette().back);
    let frame = RoundedRect::new(0.07, 0.07, 0.93, CARD_HEIGHT - 0.07, 0.06).to_path(0.01);
    picture.line(frame, painter.palette().back_light, 0.03);
    let name = deck.replace('_', " ");
    write_centred(&mut picture, &name, [0.5, CARD_HEIGHT / 2.0 + 0.05], [0.7, 0.1], source.text_on_dark());
    picture
}

/// The figure of a piece, with its number of copies.
struct Figure {
    name: String,
    /// The colour of the player, or `neutral`.
    group: &'static str,
    picture: Picture,
    colour: Colour,
    n: usize,
}

/// The grey of items without an owner.
const NEUTRAL: [u8; 3] = [0x8a, 0x8a, 0x8a];

/// Returns the default name of the player at seat `seat`, such as `red`, and the player's colour.
fn colour_of(seat: usize) -> (&'static str, [u8; 3]) {
    let name = DEFAULT_NAMES.get(seat).copied().unwrap_or_default();
    (name, named_colour(name).map_or_else(|| seat_colour(seat), |[safe, _]| safe))
}

/// Returns the pieces of the mods to print, for `n_players` players.
fn figures(source: &PrintSource<'_>, n_players: usize) -> Vec<Figure> {
    let PrintSource { catalogue, painter, .. } = source;
    let mut figures = Vec::new();
    for piece in &catalogue.pieces {
        let owner = catalogue.mods.get(piece.owner.idx()).map_or("", |info| info.id.as_str());
        if !source.prints_mod(owner) || n_players == 0 {
            continue;
        }
        let mut add = |group, colour: [u8; 3], symbol, n: u16| {
            let picture = painter.piece(&piece.name, Pose::Standing, colour, symbol);
            figures.push(Figure { name: piece.name.clone(), group, picture, colour: colour.into(), n: n.into() });
        };
        for seat in 0..n_players {
            let (name, colour) = colour_of(seat);
            add(name, colour, seat_symbol(seat), piece.per_player);
        }
        add("neutral", NEUTRAL, art::Symbol::None, piece.neutral);
    }
    figures
}

/// Returns the stand-ups for `n_players` players: the pieces of the mods to print. Returns none
/// unless `form` is [`PieceForm::StandUps`]. A stand-up is a strip with two pictures, to fold in
/// the middle, and a foot at each end.
pub(crate) fn stand_ups(source: &PrintSource<'_>, n_players: usize, form: PieceForm) -> Vec<PrintItem> {
    let figures = if form == PieceForm::StandUps { figures(source, n_players) } else { Vec::new() };
    let copies = |figure: &Figure| {
        let face = stand_up(figure, source.text_on_dark());
        let item = PrintItem { name: figure.name.clone(), group: figure.group.to_owned(), back: face.clone(), face };
        std::iter::repeat_n(item, figure.n)
    };
    figures.iter().flat_map(copies).collect()
}

/// The width and height of the strip of a stand-up in millimetres.
pub(crate) const STAND_UP: [f64; 2] = [20.0, 2.0 * (PANEL + FOOT)];
/// The height of a picture of a stand-up in millimetres.
const PANEL: f64 = 24.0;
/// The height of a foot of a stand-up in millimetres.
const FOOT: f64 = 8.0;

/// Draws the strip of a stand-up, in millimetres. The upper half is upside down, so that both
/// pictures are upright after folding.
fn stand_up(figure: &Figure, text_on_dark: Colour) -> Picture {
    let [width, height] = STAND_UP;
    let mut strip = Picture::new(width, height);
    strip.rect(Rect::new(0.0, 0.0, width, height), Colour::from(CREAM));
    let mut half = Picture::new(width, height / 2.0);
    half.rect(Rect::new(0.0, PANEL, width, PANEL + FOOT), figure.colour);
    half.put(&figure.picture, Affine::translate((1.0, PANEL - width + 1.0)) * Affine::scale(width - 2.0));
    let ink = if figure.colour.brightness() > 0.62 { Colour::from(INK) } else { text_on_dark };
    let text = format!("{} {}", figure.name.replace(['_', '-'], " "), figure.group);
    write_centred(&mut half, &text, [width / 2.0, PANEL + FOOT / 2.0 + 0.8], [width - 3.0, 1.6], ink);
    // The fold of the foot.
    half.line(dashes(PANEL, width), Colour::from(INK), 0.15);
    strip.put(&half, Affine::translate((0.0, height / 2.0)));
    strip.put(&half, Affine::translate((width, height / 2.0)) * Affine::scale(-1.0));
    strip.line(dashes(height / 2.0, width), Colour::from(INK), 0.15);
    strip
}

/// Returns a dashed line at `y` from the left to the right edge.
fn dashes(y: f64, width: f64) -> BezPath {
    let mut path = BezPath::new();
    let mut x = 0.0;
    while x < width {
        path.move_to((x, y));
        path.line_to(((x + 1.2).min(width), y));
        x += 2.4;
    }
    path
}

/// Returns the discs for `n_players` players: score markers, tokens and piles of all loaded mods.
/// If `form` is [`PieceForm::Discs`], adds the pieces of the mods to print. Returns no discs for 0
/// players.
pub(crate) fn discs(source: &PrintSource<'_>, n_players: usize, form: PieceForm) -> Vec<PrintItem> {
    let PrintSource { catalogue, painter, .. } = source;
    let mut items = Vec::new();
    if n_players == 0 {
        return items;
    }
    let figures = if form == PieceForm::Discs { figures(source, n_players) } else { Vec::new() };
    for figure in figures {
        let item = disc(&figure.name, figure.group, &figure.picture, figure.colour);
        items.extend(std::iter::repeat_n(item, figure.n));
    }
    for seat in 0..n_players {
        let (name, colour) = colour_of(seat);
        let colour = Colour::from(colour);
        let mut marker = Picture::default();
        marker.disc(Point::new(0.5, 0.5), 0.5, Colour::from(INK).lighten(0.3));
        marker.disc(Point::new(0.5, 0.5), 0.47, colour);
        let item = disc("score marker", name, &marker, colour);
        items.extend(std::iter::repeat_n(item, catalogue.track.n_markers.into()));
    }
    // The catalogue does not name the mods of tokens and piles, so the ids of the mods to print
    // cannot select tokens or piles.
    let mut add_stock = |name: &str, group: &str, icon: Picture, stock: Option<u32>| {
        let item = disc(name, group, &icon, Colour::from(NEUTRAL));
        items.extend(std::iter::repeat_n(item, stock.unwrap_or(MAX_DISCS).min(MAX_DISCS) as usize));
    };
    for token in &catalogue.tokens {
        add_stock(&token.name, "tokens", painter.icon_of("token", &token.name), token.stock);
    }
    for pile in &catalogue.piles {
        add_stock(&pile.name, "piles", painter.icon_of("pile", &pile.name), pile.stock);
    }
    items
}

fn disc(name: &str, group: &str, icon: &Picture, rim: Colour) -> PrintItem {
    let blank = || {
        let mut picture = Picture::default();
        picture.rect(Rect::new(0.0, 0.0, 1.0, 1.0), rim);
        let middle = Point::new(0.5, 0.5);
        picture.fill(Circle::new(middle, 0.46).to_path(0.002), Colour::from(CREAM));
        // Without this line, the edge of a white disc would be invisible.
        picture.line(Circle::new(middle, 0.492).to_path(0.002), Colour::from(INK).lighten(0.3), 0.012);
        picture
    };
    let mut face = blank();
    face.put(icon, Affine::translate((0.16, 0.16)) * Affine::scale(0.68));
    PrintItem { name: name.to_owned(), group: group.to_owned(), face, back: blank() }
}

/// Returns the centres of the spaces of the score track on a page of `paper`, and the width of a
/// space. Centres are in millimetres from the upper left corner. The spaces run clockwise around
/// the page; there is room for at most 200.
pub(crate) fn track_spaces(catalogue: &Catalogue, paper: Paper) -> (Vec<Point>, f64) {
    let [width, height] = paper.size();
    let n = catalogue.track.length.clamp(1, 200);
    let side = 2.0 * (width - 40.0) + 2.0 * (height - 40.0);
    let step = side / f64::from(n);
    let middle =
        |space: u32| point_on_rim(f64::from(space) * step, width - 40.0, height - 40.0) + Vec2::new(20.0, 20.0);
    ((0..n).map(middle).collect(), (step * 0.92).min(22.0))
}

/// Returns the score track as one picture for a page of `paper`, in millimetres.
pub(crate) fn track(source: &PrintSource<'_>, paper: Paper) -> Picture {
    let catalogue = &source.catalogue;
    let track = catalogue.track;
    let [width, height] = paper.size();
    let mut picture = Picture::new(width, height);
    let (spaces, size) = track_spaces(catalogue, paper);
    for (space, at) in (0..).zip(spaces) {
        let square = Rect::from_center_size(at, (size, size));
        let is_dark = track.is_dark(space);
        let [paper, ink] = match is_dark {
            true => [Colour::from([0x5f, 0x51, 0x40]), source.text_on_dark()],
            false => [Colour::from(CREAM), Colour::from(INK)],
        };
        let path = square.to_rounded_rect(size * 0.12).to_path(0.01);
        picture.fill(path.clone(), paper);
        picture.line(path, Colour::from(INK), 0.25);
        let text = space.to_string();
        let letters = size * 0.3;
        picture.write(&text, at.x - Picture::width_of(&text, letters) / 2.0, at.y + letters / 2.0, letters, ink);
    }
    picture
}

/// Returns the point at the distance `along` on the rim of a rectangle, clockwise from its upper
/// left corner.
fn point_on_rim(along: f64, width: f64, height: f64) -> Point {
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
