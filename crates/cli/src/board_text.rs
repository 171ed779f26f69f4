//! Draws the board in characters: a block for each tile, with the kinds of its zones and its
//! pieces.
//!
//! A kind is drawn as the first letter of its name that no earlier kind uses, or else as a digit.
//! Therefore the kinds of any mod can be drawn.
#![expect(clippy::indexing_slicing, reason = "indices from the tile set, and cells of a grid with a fixed size")]

use std::fmt::Write;

use anstyle::{AnsiColor, Color, Style};
use board::{Corner, Edge, EdgeStyle, Facing, KindIdx, NO_ZONE, Port, Spot, TileIdx, TileSet, ZoneRef};
use table::{GameView, Location, PieceView, Seat, piece_label, zone_label};

/// The width of a tile in characters, without its frame.
const WIDTH: usize = 7;
/// The height of a tile in lines, without its frame.
const HEIGHT: usize = 3;
/// The index of the cell in the middle of a tile.
const MIDDLE: usize = WIDTH + WIDTH / 2;
/// The character for ground, if there is only one kind of ground.
const GROUND: char = '.';
/// The character for the middle of a tile if several line-shaped zones, such as roads, end there.
const CROSSING: char = '+';
/// The character for a zone with a tag.
const TAGGED: char = '*';
/// The character for a neutral piece.
const NEUTRAL: char = '@';

/// The colours of the seats, by seat number.
const SEAT_COLOURS: [AnsiColor; 8] = [
    AnsiColor::Red,
    AnsiColor::Blue,
    AnsiColor::Green,
    AnsiColor::Yellow,
    AnsiColor::Magenta,
    AnsiColor::Cyan,
    AnsiColor::BrightRed,
    AnsiColor::White,
];

/// The letters that stand for the kinds of zones and for the players.
pub struct Letters {
    kinds: Vec<char>,
    seats: Vec<char>,
}

impl Letters {
    /// Returns the letters for the kinds of zones and for the players of a game.
    pub fn of_game(view: GameView<'_>) -> Letters {
        Letters { seats: letters(view.seats().map(|s| view.name(s)), false), ..Letters::of_tiles(view.tile_set()) }
    }

    /// Returns the letters for the kinds of a tile set, without players.
    pub fn of_tiles(tile_set: &TileSet) -> Letters {
        let mut kinds = letters(tile_set.kinds.iter().map(|k| k.name.as_str()), true);
        let grounds = tile_set.kinds.iter().filter(|k| k.edge == EdgeStyle::Ground).count();
        for (letter, kind) in kinds.iter_mut().zip(&tile_set.kinds) {
            if grounds == 1 && kind.edge == EdgeStyle::Ground {
                *letter = GROUND;
            }
        }
        Letters { kinds, seats: Vec::new() }
    }

    /// Returns the letter of a player.
    pub fn seat(&self, seat: Seat) -> char {
        self.seats.get(seat.idx()).copied().unwrap_or('?')
    }

    /// Returns the meaning of the letters in one line.
    pub fn legend(&self, tile_set: &TileSet, view: Option<GameView<'_>>, colour: bool) -> String {
        let kinds = self.kinds.iter().zip(&tile_set.kinds).enumerate();
        let mut words: Vec<String> = kinds
            .map(|(i, (letter, kind))| {
                format!("{} {}", styled(*letter, kind_style(tile_set, KindIdx(i as u8)), colour), kind.name)
            })
            .collect();
        if !tile_set.tags.is_empty() {
            words.push(format!("{TAGGED} tag"));
        }
        if view.is_some_and(|view| view.pieces().any(|piece| piece.owner.is_none())) {
            words.push(format!("{NEUTRAL} neutral"));
        }
        for (view, seat) in view.into_iter().flat_map(|view| view.seats().map(move |seat| (view, seat))) {
            words.push(format!("{} {}", styled(self.seat(seat), seat_style(seat), colour), view.name(seat)));
        }
        words.join("  ")
    }
}

/// Returns lines about objects that the drawn board does not show or does not identify. The first
/// line lists neutral pieces, links, piles, and the pieces of all kinds but the first kind. The
/// second line describes the score track, if `score_track` returns a line.
pub fn board_notes(view: GameView<'_>) -> Vec<String> {
    let pieces = view.pieces().filter(|piece| !is_on_track(piece) && (piece.kind.idx() > 0 || piece.owner.is_none()));
    let pieces = pieces.map(|piece| piece_label(view, piece.piece));
    let links = view.links().map(|[a, b]| format!("{} joined with {}", zone_label(view, a), view.zone_name(b)));
    let piles = view.piles().map(|(place, name, n)| format!("{n} {name} {place}"));
    let things: Vec<String> = pieces.chain(links).chain(piles).collect();
    let board = (!things.is_empty()).then(|| format!("on the board: {}", things.join("; ")));
    board.into_iter().chain(score_track(view)).collect()
}

/// Returns a line with the score markers and pieces on the score track. Returns `None` if every
/// player has only one marker, no piece stands on the track, and the track has no dark spaces.
fn score_track(view: GameView<'_>) -> Option<String> {
    let pieces: Vec<String> = view.pieces().filter(is_on_track).map(|piece| piece_label(view, piece.piece)).collect();
    let is_plain = view.seats().all(|seat| view.markers(seat).len() == 1);
    if is_plain && pieces.is_empty() && !(0..view.track_length()).any(|space| view.is_dark(space)) {
        return None;
    }
    let space = |points: &i64| {
        let space = view.space_of(*points);
        if view.is_dark(space) { format!("{space} (dark)") } else { space.to_string() }
    };
    let markers = view.seats().map(|seat| {
        let spaces: Vec<String> = view.markers(seat).iter().map(space).collect();
        format!("{} {}", view.name(seat), spaces.join(" and "))
    });
    let stands: Vec<String> = markers.chain(pieces).collect();
    Some(format!("on the score track: {}", stands.join("; ")))
}

fn is_on_track(piece: &PieceView<'_>) -> bool {
    matches!(piece.place, Location::Space(_))
}

/// Returns a unique character for each name: the first letter of the name that no earlier name
/// uses, or else a digit. If all digits are used, further names get `?`.
fn letters<'n>(names: impl Iterator<Item = &'n str>, lower: bool) -> Vec<char> {
    let mut taken: Vec<char> = Vec::new();
    for name in names {
        let own = name.chars().filter(|c| c.is_alphabetic());
        let mut cased = own.flat_map(|c| if lower { c.to_lowercase().next() } else { c.to_uppercase().next() });
        let digit = || ('1'..='9').find(|d| !taken.contains(d));
        let letter = cased.find(|c| !taken.contains(c)).or_else(digit).unwrap_or('?');
        taken.push(letter);
    }
    taken
}

/// Returns the style of a player's pieces and name.
pub fn seat_style(seat: Seat) -> Style {
    Style::new().bold().fg_color(Some(Color::Ansi(SEAT_COLOURS[seat.idx() % SEAT_COLOURS.len()])))
}

fn kind_style(tile_set: &TileSet, kind: KindIdx) -> Style {
    let colour = match tile_set.kind(kind).edge {
        EdgeStyle::Full => AnsiColor::Yellow,
        EdgeStyle::Line => AnsiColor::White,
        EdgeStyle::Inside => AnsiColor::Magenta,
        EdgeStyle::Ground => AnsiColor::Green,
    };
    let style = Style::new().fg_color(Some(Color::Ansi(colour)));
    if tile_set.kind(kind).edge == EdgeStyle::Ground { style.dimmed() } else { style }
}

fn styled(glyph: char, style: Style, colour: bool) -> String {
    if colour { format!("{style}{glyph}{style:#}") } else { glyph.to_string() }
}

/// A tile as characters: the zone of each cell, row by row.
struct TileText {
    zones: [Option<usize>; WIDTH * HEIGHT],
    has_crossing: bool,
}

/// Returns the index of the cell on the rim of a tile that shows `port`.
fn cell_of(port: Port) -> usize {
    let (row, column) = match port.index() {
        0 => (0, 1),
        1 => (0, 3),
        2 => (0, 5),
        3 => (0, 6),
        4 => (1, 6),
        5 => (2, 6),
        6 => (2, 5),
        7 => (2, 3),
        8 => (2, 1),
        9 => (2, 0),
        10 => (1, 0),
        _ => (0, 0),
    };
    row * WIDTH + column
}

impl TileText {
    fn new(tile_set: &TileSet, tile: TileIdx, facing: Facing) -> TileText {
        let tile = tile_set.tile(tile);
        let turned = tile.turned(facing);
        let edge_style = |zone: usize| tile_set.kind(tile.zones[zone].kind).edge;
        let zone_at = |port: Port| match turned.zone_at[port.index()] {
            NO_ZONE => None,
            zone => Some(zone as usize),
        };
        // If a full zone, such as a city, covers the middle port of an edge, all ports of the edge
        // show this zone. Otherwise a port without a zone shows another zone of its edge.
        let shown_at = |port: Port| {
            let [first, middle, second] = port.edge().ports();
            let full = zone_at(middle).filter(|z| edge_style(*z) == EdgeStyle::Full);
            full.or(zone_at(port)).or(zone_at(first)).or(zone_at(second)).or(zone_at(middle))
        };
        let n_edges = |zone: usize| Edge::ALL.iter().filter(|e| zone_at(e.ports()[1]) == Some(zone)).count();
        let mut zones = [None; WIDTH * HEIGHT];
        Port::all().for_each(|port| zones[cell_of(port)] = shown_at(port));
        for (between, port) in [(2, "n1"), (4, "n2"), (2 * WIDTH + 2, "s2"), (2 * WIDTH + 4, "s1")] {
            zones[between] = Port::from_name(port).and_then(shown_at);
        }
        let all = || 0..tile.zones.len();
        let inside = |z: &usize| edge_style(*z) == EdgeStyle::Inside;
        let through = |style: EdgeStyle| all().find(|z| edge_style(*z) == style && n_edges(*z) > 1);
        let centre = all().find(inside).or_else(|| through(EdgeStyle::Line)).or_else(|| through(EdgeStyle::Full));
        zones[MIDDLE] = centre;
        for (edge, outer, inner) in [(Edge::ALL[3], WIDTH + 1, WIDTH + 2), (Edge::ALL[1], WIDTH + 5, WIDTH + 4)] {
            let shown = shown_at(edge.ports()[1]);
            zones[outer] = shown;
            // The inner cell usually shows the zone at the edge. It does not show a full zone with
            // only one edge, nor a line that ends before another zone in the middle of the tile.
            let ends_before = |z: usize| match edge_style(z) {
                EdgeStyle::Full => true,
                EdgeStyle::Line => centre.is_some_and(|c| edge_style(c) != EdgeStyle::Inside),
                EdgeStyle::Ground | EdgeStyle::Inside => false,
            };
            let reaches = |z: &usize| n_edges(*z) > 1 || !ends_before(*z);
            zones[inner] = shown.filter(reaches);
        }
        let ends = all().filter(|z| edge_style(*z) == EdgeStyle::Line && n_edges(*z) == 1).count();
        // A zone without ports takes a free inner cell, or else the cell of a zone with ports.
        for zone in all().filter(|z| tile.zones[*z].ports.is_empty() && Some(*z) != centre) {
            let inner = [MIDDLE, WIDTH + 4, WIDTH + 2, WIDTH + 5, WIDTH + 1];
            let free = inner.iter().find(|c| zones[**c].is_none());
            if let Some(cell) =
                free.or(inner[1..].iter().find(|c| zones[**c].is_some_and(|z| !tile.zones[z].ports.is_empty())))
            {
                zones[*cell] = Some(zone);
            }
        }
        let ground = all().find(|z| edge_style(*z) == EdgeStyle::Ground);
        let has_crossing = centre.is_none() && ends > 1 && zones[MIDDLE].is_none();
        zones.iter_mut().filter(|z| z.is_none()).for_each(|z| *z = ground);
        TileText { zones, has_crossing }
    }

    /// Returns the cells of a zone, sorted by their distance from the middle of the zone.
    fn cells(&self, zone: usize) -> Vec<usize> {
        let mut cells: Vec<usize> = (0..WIDTH * HEIGHT).filter(|c| self.zones[*c] == Some(zone)).collect();
        let n = cells.len().max(1) as i64;
        let row = |c: usize| (c / WIDTH) as i64;
        let column = |c: usize| (c % WIDTH) as i64;
        let rows: i64 = cells.iter().map(|c| row(*c)).sum();
        let columns: i64 = cells.iter().map(|c| column(*c)).sum();
        // The factor is 4 because a character is about twice as high as it is wide.
        let off = |c: usize| (4 * (n * row(c) - rows).pow(2) + (n * column(c) - columns).pow(2), c);
        cells.sort_by_key(|c| off(*c));
        cells
    }
}

/// A grid of characters, each with its style, on which the board is drawn.
struct Canvas {
    width: usize,
    cells: Vec<(char, Style)>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Canvas {
        Canvas { width, cells: vec![(' ', Style::new()); width * height] }
    }

    fn put(&mut self, x: usize, y: usize, glyph: char, style: Style) {
        if x < self.width
            && let Some(cell) = self.cells.get_mut(y * self.width + x)
        {
            *cell = (glyph, style);
        }
    }

    fn write(&mut self, x: usize, y: usize, text: &str, style: Style) {
        text.chars().enumerate().for_each(|(i, glyph)| self.put(x + i, y, glyph, style));
    }

    fn frame(&mut self, x: usize, y: usize, style: Style) {
        let bar: String = std::iter::repeat_n('-', WIDTH).collect();
        for dy in [0, HEIGHT + 1] {
            self.write(x, y + dy, &format!("+{bar}+"), style);
        }
        for dy in 1..=HEIGHT {
            self.put(x, y + dy, '|', style);
            self.put(x + WIDTH + 1, y + dy, '|', style);
        }
    }

    fn text(&self, colour: bool) -> String {
        let mut text = String::new();
        for row in self.cells.chunks(self.width.max(1)) {
            let end = row.iter().rposition(|(glyph, _)| *glyph != ' ').map_or(0, |i| i + 1);
            let mut style = Style::new();
            for (glyph, wanted) in &row[..end] {
                if colour && *wanted != style {
                    let _ = write!(text, "{style:#}{wanted}");
                    style = *wanted;
                }
                text.push(*glyph);
            }
            if colour {
                let _ = write!(text, "{style:#}");
            }
            text.push('\n');
        }
        text
    }
}

/// Returns the style of frames, which is fainter than the style of their content.
fn frame_style() -> Style {
    Style::new().dimmed()
}

/// Draws a tile and its frame. The upper left corner of the frame is at `x`, `y`.
fn draw_block(
    canvas: &mut Canvas,
    letters: &Letters,
    tile_set: &TileSet,
    block: &TileText,
    tile: TileIdx,
    x: usize,
    y: usize,
) {
    canvas.frame(x, y, frame_style());
    for (cell, zone) in block.zones.iter().enumerate() {
        let (glyph, style) = match zone {
            Some(zone) => {
                let kind = tile_set.tile(tile).zones[*zone].kind;
                (letters.kinds[kind.0 as usize], kind_style(tile_set, kind))
            }
            None => (' ', Style::new()),
        };
        canvas.put(x + 1 + cell % WIDTH, y + 1 + cell / WIDTH, glyph, style);
    }
    if block.has_crossing {
        canvas.put(x + 1 + MIDDLE % WIDTH, y + 1 + MIDDLE / WIDTH, CROSSING, Style::new());
    }
    for (z, zone) in tile_set.tile(tile).zones.iter().enumerate().filter(|(_, z)| !z.tags.is_empty()) {
        // If the zone has several cells, draws the mark of a tag beside the middle of the zone,
        // because the middle is for pieces.
        let cells = block.cells(z);
        if let Some(cell) = cells.get(1).or(cells.first()) {
            let style = kind_style(tile_set, zone.kind).bold();
            canvas.put(x + 1 + cell % WIDTH, y + 1 + cell / WIDTH, TAGGED, style);
        }
    }
}

/// Draws a single tile in its frame.
pub fn draw_tile(letters: &Letters, tile_set: &TileSet, tile: TileIdx, facing: Facing, colour: bool) -> String {
    let mut canvas = Canvas::new(WIDTH + 2, HEIGHT + 2);
    draw_block(&mut canvas, letters, tile_set, &TileText::new(tile_set, tile, facing), tile, 0, 0);
    canvas.text(colour)
}

/// The maximum number of spots that a drawn board spans. A larger board would be unreadable and
/// might not fit into memory.
const MAX_SPOTS: usize = 40_000;

/// Draws the board with its pieces, and coordinates at the top and on the left. `marks` are written
/// on empty spots.
pub fn draw(view: GameView<'_>, marks: &[(Spot, String)], colour: bool) -> String {
    let tile_set = view.tile_set();
    let letters = Letters::of_game(view);
    let spots = || view.tiles().into_iter().map(|t| t.spot).chain(marks.iter().map(|(spot, _)| *spot));
    let (Some(west), Some(east)) = (spots().map(|s| s.x).min(), spots().map(|s| s.x).max()) else {
        return "(the board is empty)\n".to_owned();
    };
    let (north, south) = (spots().map(|s| s.y).min().unwrap_or(0), spots().map(|s| s.y).max().unwrap_or(0));
    let n_columns = (i32::from(east) - i32::from(west) + 1) as usize;
    let n_rows = (i32::from(south) - i32::from(north) + 1) as usize;
    if n_columns.saturating_mul(n_rows) > MAX_SPOTS {
        return format!("(the board spans {n_columns} by {n_rows} spots and is too large to be drawn here)\n");
    }
    let margin = (north..=south).map(|y| y.to_string().len()).max().unwrap_or(1) + 1;
    let mut canvas = Canvas::new(margin + n_columns * (WIDTH + 1) + 1, 1 + n_rows * (HEIGHT + 1) + 1);
    let left = |x: i16| margin + (i32::from(x) - i32::from(west)) as usize * (WIDTH + 1);
    let top = |y: i16| 1 + (i32::from(y) - i32::from(north)) as usize * (HEIGHT + 1);
    for x in west..=east {
        let name = x.to_string();
        canvas.write(left(x) + (WIDTH + 2 - name.len().min(WIDTH)) / 2, 0, &name, frame_style());
    }
    for y in north..=south {
        let name = y.to_string();
        canvas.write(margin - 1 - name.len(), top(y) + 1 + HEIGHT / 2, &name, frame_style());
    }
    for (spot, mark) in marks {
        canvas.frame(left(spot.x), top(spot.y), frame_style());
        let indent = (WIDTH.saturating_sub(mark.chars().count())) / 2;
        canvas.write(left(spot.x) + 1 + indent, top(spot.y) + 1 + HEIGHT / 2, mark, Style::new().bold());
    }
    for placed in view.tiles() {
        let (x, y) = (left(placed.spot.x), top(placed.spot.y));
        let block = TileText::new(tile_set, placed.tile, placed.facing);
        draw_block(&mut canvas, &letters, tile_set, &block, placed.tile, x, y);
        let mut taken: Vec<usize> = Vec::new();
        for (owner, local) in pieces_on_tile(view, placed.spot) {
            let cells = local.map_or_else(|| vec![WIDTH - 1, 0], |zone| block.cells(zone));
            let everywhere = 0..WIDTH * HEIGHT;
            let Some(cell) = cells.into_iter().chain(everywhere).find(|c| !taken.contains(c)) else { continue };
            taken.push(cell);
            let (glyph, style) = piece_glyph(&letters, owner);
            canvas.put(x + 1 + cell % WIDTH, y + 1 + cell / WIDTH, glyph, style);
        }
    }
    let mut at_corners: Vec<Corner> = Vec::new();
    for it in view.pieces() {
        let (x, y, right, down) = match it.place {
            Location::Corner(corner) => {
                // Further pieces at the same corner are drawn beside the first, on the frame.
                let n = at_corners.iter().filter(|it| **it == corner).count();
                at_corners.push(corner);
                (corner.x, corner.y, n, 0)
            }
            Location::Border(border) if border.is_west => (border.x, border.y, 0, 1 + HEIGHT / 2),
            Location::Border(border) => (border.x, border.y, 1 + WIDTH / 2, 0),
            Location::Zone(_) | Location::Spot(_) | Location::Space(_) | Location::Kept(_) => continue,
        };
        let is_in_view = |at: i16, from: i16, to: i16| from <= at && i32::from(at) <= i32::from(to) + 1;
        if is_in_view(x, west, east) && is_in_view(y, north, south) {
            let (glyph, style) = piece_glyph(&letters, it.owner);
            canvas.put(left(x) + right, top(y) + down, glyph, style);
        }
    }
    canvas.text(colour)
}

/// Returns the character and style of a piece.
fn piece_glyph(letters: &Letters, owner: Option<Seat>) -> (char, Style) {
    match owner {
        Some(seat) => (letters.seat(seat), seat_style(seat).invert()),
        None => (NEUTRAL, Style::new().bold().invert()),
    }
}

/// Returns the owner and the zone of each piece on the tile at `spot`, once for each zone that the
/// piece occupies. The owner is `None` for a neutral piece; the zone is `None` for a piece on the
/// tile as a whole.
fn pieces_on_tile(view: GameView<'_>, spot: Spot) -> Vec<(Option<Seat>, Option<usize>)> {
    let mut found = Vec::new();
    let here = |zone: ZoneRef| Some(view.tile_of_zone(zone)).filter(|t| t.spot == spot).map(|t| t.local_index(zone));
    for it in view.pieces() {
        match it.place {
            Location::Spot(at) if at == spot => found.push((it.owner, None)),
            Location::Spot(_) | Location::Corner(_) | Location::Border(_) | Location::Space(_) | Location::Kept(_) => {}
            Location::Zone(_) => {
                found.extend(view.zones_of_piece(it.piece).filter_map(here).map(|zone| (it.owner, Some(zone))));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use board::{CompletionRule, Kind, KindSet, Layer, PortSet, Tile, Zone};

    use super::*;

    fn kind(name: &str, edge: EdgeStyle) -> Kind {
        Kind { name: name.to_owned(), edge, closes: CompletionRule::Ports }
    }

    fn ports(names: &str) -> PortSet {
        names.split(' ').filter_map(Port::from_name).collect()
    }

    fn drawn(zones: &[(u8, &str)], facing: u8) -> String {
        let kinds = vec![
            kind("wood", EdgeStyle::Full),
            kind("water", EdgeStyle::Line),
            kind("hut", EdgeStyle::Inside),
            kind("meadow", EdgeStyle::Ground),
        ];
        let layer = Layer { name: "land".into(), kinds: KindSet::ALL, joins_touching: false };
        let zones = zones.iter().map(|(kind, at)| Zone::new(KindIdx(*kind), ports(at))).collect();
        let tile = Tile { name: "t/T".into(), zones, ..Tile::default() };
        let tile_set = TileSet::new(kinds, vec![], vec![layer], vec![tile]).expect("a small land");
        draw_tile(&Letters::of_tiles(&tile_set), &tile_set, TileIdx(0), Facing::from_quarters(facing), false)
    }

    #[test]
    fn a_cap_and_a_line_through() {
        let zones = [(0, "n"), (1, "e w"), (3, "e1 w2"), (3, "e2 s1 s2 w1")];
        let expected = "\
            +-------+\n\
            |.wwwww.|\n\
            |aaaaaaa|\n\
            |.......|\n\
            +-------+\n";
        assert_eq!(drawn(&zones, 0), expected);
    }

    #[test]
    fn a_turned_corner_and_a_bend() {
        let zones = [(0, "n w"), (1, "e s"), (3, "e1 s2"), (3, "e2 s1")];
        let expected = "\
            +-------+\n\
            |.wwwwww|\n\
            |aaaawww|\n\
            |...a..w|\n\
            +-------+\n";
        assert_eq!(drawn(&zones, 1), expected);
    }

    #[test]
    fn a_crossing_and_a_house() {
        let crossing = drawn(&[(1, "e"), (1, "s"), (1, "w"), (3, "n1 n2 e1 w2"), (3, "e2 s1"), (3, "s2 w1")], 0);
        assert!(crossing.contains("|aaa+aaa|"), "{crossing}");
        let house = drawn(&[(2, ""), (1, "s"), (3, "n1 n2 e1 e2 s1 s2 w1 w2")], 0);
        assert!(house.contains("|...h...|\n|...a...|"), "{house}");
    }

    #[test]
    fn letters_do_not_clash() {
        assert_eq!(letters(["red", "rose", "r", "blue"].into_iter(), false), ['R', 'O', '1', 'B']);
    }
}
