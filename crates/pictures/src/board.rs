//! Draws the board of a game as a picture.

use art::kurbo::{Affine, Line, Point, Shape as _, Vec2};
use art::{
    BoardCrop, Colour, LaidTile, Painter, Picture, PictureError, PlacedPiece, Pose, Symbol, named_colour, seat_colour,
    seat_symbol,
};
use board::{CompletionRule, EdgeStyle};
use rules::Location;
use table::{GameView, PieceView, PilePlace, PlacedTile, Seat, TagPlace, ZoneRef};

/// The colour of a piece without an owner.
const NEUTRAL: [u8; 3] = [0x8a, 0x8a, 0x8a];

/// Returns the colour and the symbol of a player.
pub fn colour_and_symbol(view: GameView<'_>, seat: Seat) -> ([u8; 3], Symbol) {
    let colour = named_colour(view.name(seat)).map_or_else(|| seat_colour(seat.idx()), |[safe, _]| safe);
    (colour, seat_symbol(seat.idx()))
}

/// The maximum number of tiles in a picture, which contains all shapes of each tile.
const MAX_TILES: usize = 5_000;

/// Draws the board with the detail that is visible if a tile is `width` pixels wide.
///
/// # Errors
/// Returns an error if the board has more than 5,000 tiles.
pub fn board(painter: &Painter, view: GameView<'_>, width: u32) -> Result<Picture, PictureError> {
    let tiles = laid_tiles(view);
    if tiles.len() > MAX_TILES {
        return Err(PictureError::TooManyTiles { n: tiles.len(), most: MAX_TILES });
    }
    let part = BoardCrop::around(&tiles);
    let mut picture = painter.board_picture(&tiles, width);
    picture.put(&objects(painter, view, part), Affine::IDENTITY);
    Ok(picture)
}

/// Returns the tiles on the board.
pub fn laid_tiles(view: GameView<'_>) -> Vec<LaidTile> {
    let laid = |it: &PlacedTile| LaidTile {
        spot: it.spot,
        tile: it.tile,
        facing: it.facing,
        complete: complete_zones(view, it),
    };
    view.tiles().into_iter().map(laid).collect()
}

/// Returns the zones of a tile on the board that belong to complete features: bit `n` stands for
/// zone `n`. Leaves out land that has no open state: grounds, and zones inside tiles that are
/// complete when they are placed.
pub fn complete_zones(view: GameView<'_>, placed: &PlacedTile) -> u32 {
    let tile_set = view.tile_set();
    let is_complete = |(n, zone): &(usize, &board::Zone)| {
        let kind = tile_set.kind(zone.kind);
        let has_open_state = match kind.edge {
            EdgeStyle::Full | EdgeStyle::Line => true,
            EdgeStyle::Inside => kind.closes == CompletionRule::Surrounded,
            EdgeStyle::Ground => false,
        };
        has_open_state && view.features_of(placed.zone(*n)).next().is_some_and(|feature| view.is_complete(feature))
    };
    let zones = &tile_set.tile(placed.tile).zones;
    zones.iter().enumerate().filter(is_complete).fold(0, |set, (n, _)| set | 1 << n)
}

/// Returns the pieces on the board, with their positions.
pub(crate) fn standing_pieces<'v>(painter: &Painter, view: GameView<'v>) -> Vec<PlacedPiece<'v>> {
    let mut pieces: Vec<(PlacedPiece<'_>, Location)> = Vec::new();
    for it in view.pieces() {
        let n_there = pieces.iter().filter(|(_, place)| *place == it.place).count();
        if let Some(at) = piece_centre(painter, view, &it, n_there) {
            let (colour, symbol) = it.owner.map_or((NEUTRAL, Symbol::None), |seat| colour_and_symbol(view, seat));
            let pose = if it.stays { Pose::Lying } else { Pose::Standing };
            pieces.push((PlacedPiece { name: it.name, pose, colour, symbol, at }, it.place));
        }
    }
    pieces.into_iter().map(|(piece, _)| piece).collect()
}

/// Returns the centre of a piece, in spots to the east and south of the north-western corner of
/// spot 0,0; `None` if the piece is not on the board. `n_there` pieces are already drawn at the
/// same place.
fn piece_centre(painter: &Painter, view: GameView<'_>, it: &PieceView<'_>, n_there: usize) -> Option<[f64; 2]> {
    let aside = 0.12 * n_there as f64;
    match it.place {
        Location::Zone(zone) => {
            let tile = view.tile_of_zone(zone);
            let places = &painter.zones(tile.tile, tile.facing).get(tile.local_index(zone))?.places;
            let free = places.get(n_there).map(|at| (at, 0.0)).or_else(|| Some((places.first()?, aside)));
            let ([x, y], aside) = free.unwrap_or((&[0.5, 0.5], aside));
            Some([f64::from(tile.spot.x) + f64::from(*x) + aside, f64::from(tile.spot.y) + f64::from(*y)])
        }
        Location::Spot(spot) => Some([f64::from(spot.x) + 0.5 + aside, f64::from(spot.y) + 0.5]),
        Location::Corner(corner) => Some([f64::from(corner.x) + aside, f64::from(corner.y)]),
        Location::Border(border) => {
            let [x, y] = border.middle().map(f64::from);
            Some([x + aside, y])
        }
        Location::Space(_) | Location::Kept(_) => None,
    }
}

/// Draws the links, piles, changed tags and pieces on this part of the board, without the tiles.
/// One unit of the picture is one spot.
pub fn objects(painter: &Painter, view: GameView<'_>, part: BoardCrop) -> Picture {
    let [w, h] = part.size();
    let mut picture = Picture::new(w, h);
    draw_links(painter, view, part, &mut picture);
    draw_piles(painter, view, part, &mut picture);
    draw_changed_tags(painter, view, part, &mut picture);
    painter.draw_pieces(&mut picture, part, &standing_pieces(painter, view));
    picture
}

/// Returns the parts of the board that pieces, piles, links, icons and buildings on tiles cover.
/// Each part is a circle with a centre, in spots to the east and south of the north-western corner
/// of spot 0,0, and a radius.
pub fn covered_circles(painter: &Painter, view: GameView<'_>) -> Vec<([f64; 2], f64)> {
    let mut circles: Vec<([f64; 2], f64)> =
        standing_pieces(painter, view).into_iter().map(|piece| (piece.at, PIECE_RADIUS)).collect();
    circles.extend(piles(view).into_iter().map(|(_, _, centre)| ([centre.x, centre.y], PILE / 2.0)));
    for zones in view.links() {
        if let Some((a, b)) = bridge(painter, view, zones) {
            // The middle may show an icon.
            circles.extend([(a, 0.06), (b, 0.06), (a.midpoint(b), 0.12)].map(|(at, radius)| ([at.x, at.y], radius)));
        }
    }
    for laid in laid_tiles(view) {
        let [left, top] = [f64::from(laid.spot.x), f64::from(laid.spot.y)];
        let icons = painter.icon_circles(laid.tile, laid.facing).into_iter();
        circles.extend(icons.map(|([x, y], radius)| ([left + x, top + y], radius)));
    }
    circles
}

/// The radius of the circle that a piece covers, in tiles.
const PIECE_RADIUS: f64 = 0.17;

/// The maximum length of a link's bridge on each side of a border, in tiles.
const BRIDGE_LENGTH: f64 = 0.22;

/// Draws links between zones as bridges. The bridge of a link across a border is short. The bridge
/// of a link within a tile also shows the theme's icon for links, if there is one for a tag of the
/// tile.
fn draw_links(painter: &Painter, view: GameView<'_>, part: BoardCrop, picture: &mut Picture) {
    let (deck, rail) = (Colour::from([0xc9, 0xa2, 0x6a]), Colour::from([0x4c, 0x35, 0x1d]));
    for zones in view.links() {
        let tiles = zones.map(|zone| view.tile_of_zone(zone));
        let Some((a, b)) = bridge(painter, view, zones) else { continue };
        let [a, b] = [a, b].map(|end| end - point(part.from).to_vec2());
        let path = Line::new(a, b).to_path(0.1);
        picture.line(path.clone(), rail, 0.095);
        picture.line(path, deck, 0.065);
        for end in [a, b] {
            picture.disc(end, 0.055, rail);
            picture.disc(end, 0.04, deck);
        }
        if tiles[0].spot == tiles[1].spot
            && let Some(tag) = painter.link_tag(tiles[0].tile)
        {
            draw_icon(picture, &painter.icon_of_link(tag), a.midpoint(b), 0.27);
        }
    }
}

/// Returns the ends of a link's bridge, in spots to the east and south of the north-western corner
/// of spot 0,0; `None` if a zone has no place for a piece.
fn bridge(painter: &Painter, view: GameView<'_>, zones: [ZoneRef; 2]) -> Option<(Point, Point)> {
    let [a, b] = zones.map(|zone| place_of_zone(painter, view, zone).map(point));
    let across = view.border_of_link(zones).map(|border| point(border.middle().map(f64::from)));
    let end = |end: Point| match across {
        Some(middle) => middle + (end - middle) * (BRIDGE_LENGTH / (end - middle).hypot()).min(1.0),
        None => end,
    };
    Some((end(a?), end(b?)))
}

/// The width of a pile's icon, in tiles.
const PILE: f64 = 0.26;

/// Returns the name, the amount and the centre of each pile, in spots to the east and south of the
/// north-western corner of spot 0,0.
fn piles(view: GameView<'_>) -> Vec<(&str, u32, Point)> {
    let mut known: Vec<PilePlace> = Vec::new();
    let mut found = Vec::new();
    for (place, name, amount) in view.piles().filter(|(_, _, amount)| *amount > 0) {
        let aside = PILE * (known.iter().filter(|there| **there == place).count() % 3) as f64;
        known.push(place);
        let centre = match place {
            PilePlace::Spot(spot) => Point::new(f64::from(spot.x) + 0.8 - aside, f64::from(spot.y) + 0.8),
            PilePlace::Border(border) => {
                let along = if border.is_west { Vec2::new(0.0, PILE - aside) } else { Vec2::new(PILE - aside, 0.0) };
                point(border.middle().map(f64::from)) + along
            }
        };
        found.push((name, amount, centre));
    }
    found
}

/// Draws the piles on spots and borders, each with its amount.
fn draw_piles(painter: &Painter, view: GameView<'_>, part: BoardCrop, picture: &mut Picture) {
    for (name, amount, centre) in piles(view) {
        let centre = centre - point(part.from).to_vec2();
        draw_icon(picture, &painter.icon_of("pile", name), centre, PILE);
        if amount > 1 {
            let text = amount.to_string();
            let badge = centre + Vec2::new(0.1, 0.1);
            picture.disc(badge, 0.08, Colour::from([0x2d, 0x26, 0x1f]));
            let left = badge.x - Picture::width_of(&text, 0.08) / 2.0;
            picture.write(&text, left, badge.y + 0.04, 0.08, Colour::from([255; 3]));
        }
    }
}

/// The width of the icon of a changed tag, in tiles.
const CHANGED_TAG: f64 = 0.2;

/// Draws the icons of tags that mods have changed. The icon of a removed tag is crossed out.
fn draw_changed_tags(painter: &Painter, view: GameView<'_>, part: BoardCrop, picture: &mut Picture) {
    let (paper, rim) = (Colour::from([0xfa, 0xf6, 0xe8]), Colour::from([0x40, 0x38, 0x30]));
    for change in view.tag_changes() {
        let middle = match change.place {
            TagPlace::Tile(spot) => Some([f64::from(spot.x) + 0.15, f64::from(spot.y) + 0.85]),
            // The icon of a zone's tag is beside the places for pieces.
            TagPlace::Zone(zone) => place_of_zone(painter, view, zone).map(|[x, y]| [x + 0.14, y + 0.12]),
        };
        let Some(middle) = middle.map(|middle| point(middle) - point(part.from).to_vec2()) else { continue };
        picture.disc(middle, CHANGED_TAG * 0.66, rim);
        picture.disc(middle, CHANGED_TAG * 0.62, paper);
        draw_icon(picture, &painter.icon_of_tag(&change.tag, change.word.as_deref()), middle, CHANGED_TAG);
        if change.is_gone {
            let half = Vec2::new(CHANGED_TAG / 2.0, -CHANGED_TAG / 2.0);
            let cross = Line::new(middle - half, middle + half).to_path(0.1);
            picture.line(cross, Colour::from([0xaa, 0x1e, 0x1e]), CHANGED_TAG * 0.12);
        }
    }
}

fn point([x, y]: [f64; 2]) -> Point {
    Point::new(x, y)
}

/// Draws an icon with the width `size`, centred at `centre`. `icon` is a picture of one unit
/// square.
fn draw_icon(picture: &mut Picture, icon: &Picture, centre: Point, size: f64) {
    let corner = centre - Vec2::new(size / 2.0, size / 2.0);
    picture.put(icon, Affine::translate(corner.to_vec2()) * Affine::scale(size));
}

/// Returns the position for the first piece in a zone, in spots to the east and south of the
/// north-western corner of spot 0,0; `None` if the zone has no place for a piece.
pub fn place_of_zone(painter: &Painter, view: GameView<'_>, zone: ZoneRef) -> Option<[f64; 2]> {
    let tile = view.tile_of_zone(zone);
    let [x, y] = *painter.zones(tile.tile, tile.facing).get(tile.local_index(zone))?.places.first()?;
    Some([f64::from(tile.spot.x) + f64::from(x), f64::from(tile.spot.y) + f64::from(y)])
}
