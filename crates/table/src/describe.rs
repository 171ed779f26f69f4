//! Descriptions of things on the board: one wording for tooltips, logs and screen readers.
#![expect(clippy::indexing_slicing, reason = "indices come from the tile set")]

use board::{Border, Corner, Edge, EdgeStyle, FeatureRef, KindIdx, Placement, Spot, TagCarrier, TagIdx, ZoneRef};
use rules::{Answer, Game, Location, PieceRef, Seat, Value, feature_text, option_value, piece_text, zone_text};

use crate::award_formula::describe_ground;
use crate::capitalize::capitalize;
use crate::view::GameView;

/// Returns the stable name of a zone, as in records, such as `0,-1 city@n`.
pub fn zone_label(view: GameView<'_>, zone: ZoneRef) -> String {
    zone_text(view.ruleset(), view.state(), zone)
}

/// Returns the stable name of a feature, as in records: the name of its first zone, counted row by
/// row from the north.
pub fn feature_label(view: GameView<'_>, feature: FeatureRef) -> String {
    feature_text(view.ruleset(), view.state(), feature)
}

/// Returns the stable name of a piece, as in records: its kind, place and owner.
pub fn piece_label(view: GameView<'_>, piece: PieceRef) -> String {
    piece_text(view.ruleset(), view.state(), None, piece)
}

/// Returns the kind of land of a feature. In a layer other than 0, returns the name of the layer
/// and the kinds of land in the feature, such as `waterway (lake, river)`.
fn describe_kinds(view: GameView<'_>, feature: FeatureRef) -> String {
    let (board, tile_set) = (view.board(), &view.catalogue().tile_set);
    let mut kinds: Vec<KindIdx> = board.zones(feature).map(|z| board.kind(z)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let names: Vec<&str> = kinds.iter().map(|k| tile_set.kind(*k).name.as_str()).collect();
    match feature.layer.0 {
        0 => names.join(" and "),
        // A layer other than 0 joins several kinds of land under its own name.
        _ => format!("{} ({})", tile_set.layers[feature.layer.0 as usize].name, names.join(", ")),
    }
}

/// Describes a feature in one line, without absent tags, such as
/// `city · 5 tiles · shield × 2 · 1 open side · red follower`.
pub fn describe_feature(view: GameView<'_>, feature: FeatureRef) -> String {
    let (catalogue, board) = (view.catalogue(), view.board());
    let many = |n: i64, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
    let times = |name: String, n: i64| if n == 1 { name } else { format!("{name} × {n}") };
    let mut words = vec![describe_kinds(view, feature)];
    // Ground, such as a field, scores by its adjacent features, so the description omits its size
    // and its open sides.
    let is_ground =
        feature.layer.0 == 0 && catalogue.tile_set.kind(board.kind(feature.anchor)).edge == EdgeStyle::Ground;
    match if is_ground { describe_ground(view, feature) } else { Vec::new() } {
        ground if ground.is_empty() => words.push(many(i64::from(board.n_tiles(feature)), "tile", "tiles")),
        ground => words.extend(ground),
    }
    let columns = board.columns(feature);
    for (i, tag) in catalogue.tile_set.tags.iter().enumerate() {
        if tag.on != TagCarrier::Zone {
            continue;
        }
        let first = tag.first_column.0 as usize;
        let mut say = |name: String, n: i64| words.extend((n != 0).then(|| times(name, n)));
        if tag.values.is_empty() {
            let n = catalogue.tag_number(TagIdx(i as u8), columns, board.n_zones_in(feature));
            say(tag.name.replace('_', " "), n);
        } else {
            for (v, value) in tag.values.iter().enumerate() {
                say(value.clone(), columns.get(first + v).copied().unwrap_or(0).into());
            }
        }
    }
    let n_open = i64::from(board.n_open(feature));
    words.extend((!is_ground).then(|| match n_open {
        0 if view.is_complete(feature) => "complete".to_owned(),
        0 => {
            let n = 9 - i64::from(board.n_spots(&catalogue.tile_set, feature)).min(9);
            many(n, "tile missing around it", "tiles missing around it")
        }
        n => many(n, "open side", "open sides"),
    }));
    let mut owners: Vec<(String, i64)> = Vec::new();
    for piece in view.pieces_on(feature).into_iter().filter_map(|piece| view.piece(piece)) {
        let owner = piece.owner.map_or("neutral", |seat| view.name(seat));
        let who = format!("{owner} {}", piece.title);
        match owners.iter_mut().find(|(name, _)| *name == who) {
            Some((_, n)) => *n += 1,
            None => owners.push((who, 1)),
        }
    }
    let owners: Vec<String> = owners.into_iter().map(|(who, n)| times(who, n)).collect();
    words.push(if owners.is_empty() { "unoccupied".to_owned() } else { owners.join(", ") });
    words.join(" · ")
}

/// Returns the direction from one spot to another: the nearest of eight, such as `north` or
/// `north-east`. Empty if the spots are the same.
fn direction(from: Spot, to: Spot) -> String {
    let (x, y) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    let vertical = if y < 0 { "north" } else { "south" };
    let horizontal = if x < 0 { "west" } else { "east" };
    match (x.abs(), y.abs()) {
        (0, 0) => String::new(),
        (across, down) if down > 2 * across => vertical.to_owned(),
        (across, down) if across > 2 * down => horizontal.to_owned(),
        _ => format!("{vertical}-{horizontal}"),
    }
}

/// Describes the place of a spot by a tile at it or beside it: the tile at `last`, which was placed
/// last, or the start tile at `start`. Examples are `the last tile` and `north of the start tile`.
/// A place further away has only its direction from the start tile, such as `in the north-east`,
/// because the window outlines it.
pub fn describe_place_beside(spot: Spot, last: Spot, start: Spot) -> String {
    for (tile, name) in [(last, "the last tile"), (start, "the start tile")] {
        let way = direction(tile, spot);
        if way.is_empty() {
            return name.to_owned();
        }
        if spot.x.abs_diff(tile.x) <= 1 && spot.y.abs_diff(tile.y) <= 1 {
            return format!("{way} of {name}");
        }
    }
    format!("in the {}", direction(start, spot))
}

/// Describes a spot on the board, such as `north of the last tile` or `in the north-east`.
pub(crate) fn describe_spot(view: GameView<'_>, spot: Spot) -> String {
    let tiles = view.tiles();
    let (Some(start), Some(last)) = (tiles.first(), tiles.last()) else { return "the first tile".to_owned() };
    describe_place_beside(spot, last.spot, start.spot)
}

/// Describes a zone: its kind, its side of the tile and, for a tile other than the last one, the
/// place of the tile.
pub(crate) fn describe_zone_place(view: GameView<'_>, zone: ZoneRef) -> String {
    describe_zone_with_side(view, zone, describe_zone_side(view, zone))
}

fn describe_zone_with_side(view: GameView<'_>, zone: ZoneRef, side: Option<String>) -> String {
    let side = side.map_or_else(String::new, |side| format!(", {side}"));
    let spot = view.tile_of_zone(zone).spot;
    let is_last = view.tiles().last().is_some_and(|last| last.spot == spot);
    let place = if is_last { String::new() } else { format!(", {}", describe_spot(view, spot)) };
    format!("{}{side}{place}", view.zone_kind(zone))
}

/// Describes several zones of one kind on one tile, such as `road, south and west`. Returns `None`
/// for other values.
fn describe_zones(view: GameView<'_>, list: &[Value]) -> Option<String> {
    let Some(Value::Zone(first)) = list.first() else { return None };
    let place_of = |zone: ZoneRef| (view.zone_kind(zone), view.tile_of_zone(zone).spot);
    let side = |value: &Value| match value {
        Value::Zone(zone) if place_of(*zone) == place_of(*first) => describe_zone_side(view, *zone),
        _ => None,
    };
    let sides: Vec<String> = list.iter().map(side).collect::<Option<_>>()?;
    Some(describe_zone_with_side(view, *first, Some(joined(&sides))))
}

/// Joins texts by commas, and the last two by "and".
fn joined(texts: &[String]) -> String {
    match texts {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => texts.concat(),
    }
}

/// Describes the place of a zone on its tile: the edges that the zone covers, such as
/// `north and east`. For a field that covers only part of an edge, returns the nearest corner.
/// `None` if the zone reaches no edge.
pub fn describe_zone_side(view: GameView<'_>, zone: ZoneRef) -> Option<String> {
    let placed = view.tile_of_zone(zone);
    let ports = view.tile_set().tile(placed.tile).zones.get(placed.local_index(zone))?.ports.turned(placed.facing);
    let takes = |edge: &Edge| {
        let [first, middle, last] = edge.ports();
        ports.contains(middle) || ports.contains(first) && ports.contains(last)
    };
    let edges: Vec<&str> = Edge::ALL.into_iter().filter(takes).map(edge_name).collect();
    if !edges.is_empty() {
        return Some(edges.join(" and "));
    }
    let corner = match ports.first()?.name() {
        "w2" | "n1" => "north-west",
        "n2" | "e1" => "north-east",
        "e2" | "s1" => "south-east",
        _ => "south-west",
    };
    Some(corner.to_owned())
}

/// Returns the name of an edge, such as `north`.
pub(crate) fn edge_name(edge: Edge) -> &'static str {
    match edge {
        Edge::North => "north",
        Edge::East => "east",
        Edge::South => "south",
        Edge::West => "west",
    }
}

/// Describes a point where four spots meet.
pub(crate) fn describe_corner(view: GameView<'_>, corner: Corner) -> String {
    format!("at the north-west corner of {}", describe_place(view, Spot::new(corner.x, corner.y)))
}

/// Describes the edge between two spots.
pub(crate) fn describe_border(view: GameView<'_>, border: Border) -> String {
    let Border { x, y, is_west } = border;
    let side = if is_west { "western" } else { "northern" };
    format!("at the {side} edge of {}", describe_place(view, Spot::new(x, y)))
}

/// Describes a spot as a noun, such as `the place north of the last tile`.
fn describe_place(view: GameView<'_>, spot: Spot) -> String {
    let way = describe_spot(view, spot);
    if way.starts_with("the ") { way } else { format!("the place {way}") }
}

/// Describes a value in words, without coordinates. Returns `None` for a value whose text in
/// records is clear enough.
pub(crate) fn describe_value(view: GameView<'_>, value: &Value) -> Option<String> {
    match value {
        Value::Spot(spot) | Value::Placement(_, Placement { spot, .. }) => Some(describe_spot(view, *spot)),
        Value::Corner(corner) => Some(describe_corner(view, *corner)),
        Value::Border(border) => Some(describe_border(view, *border)),
        Value::Zone(zone) => Some(describe_zone_place(view, *zone)),
        Value::Feature(feature) => Some(describe_zone_place(view, feature.anchor)),
        Value::Piece(piece) => {
            let place = view.piece(*piece).map(|piece| piece.place).and_then(|place| match place {
                Location::Zone(zone) => Some(format!(" on the {}", view.zone_kind(zone))),
                _ => None,
            });
            Some(format!("{}{}", describe_piece(view, *piece), place.unwrap_or_default()))
        }
        Value::Deployment(kind, zone) => {
            Some(format!("{} on the {}", view.piece_title(*kind), describe_zone_place(view, *zone)))
        }
        Value::List(list) => {
            let words: Option<Vec<String>> = list.iter().map(|value| describe_value(view, value)).collect();
            let words = words.filter(|words| !words.is_empty())?;
            Some(describe_zones(view, list).unwrap_or_else(|| joined(&words)))
        }
        _ => None,
    }
}

/// Describes a piece by its owner and kind, such as `red's follower`.
pub fn describe_piece(view: GameView<'_>, piece: PieceRef) -> String {
    let Some(piece) = view.piece(piece) else { return "a piece".to_owned() };
    match piece.owner {
        Some(owner) => format!("{}'s {}", view.name(owner), piece.title),
        None => format!("neutral {}", piece.title),
    }
}

/// Describes the place of a piece on the board.
pub fn describe_location(view: GameView<'_>, place: Location) -> String {
    match place {
        Location::Zone(zone) => describe_zone_place(view, zone),
        Location::Spot(spot) => describe_spot(view, spot),
        Location::Corner(corner) => describe_corner(view, corner),
        Location::Border(border) => describe_border(view, border),
        Location::Space(space) => format!("space {space}"),
        Location::Kept(keeper) => format!("kept by {}", view.name(keeper)),
    }
}

/// Describes a player in short lines, without points and supply: captured pieces, hand, turns to
/// miss, and whether the player has the next turn.
pub fn describe_player(view: GameView<'_>, seat: Seat) -> Vec<String> {
    let mut kept: Vec<(String, usize)> = Vec::new();
    for piece in view.pieces().filter(|piece| piece.place == Location::Kept(seat)) {
        let whose = piece.owner.map_or(String::new(), |owner| format!(" of {}", view.name(owner)));
        let what = format!("{}{whose}", piece.title);
        match kept.iter_mut().find(|(known, _)| *known == what) {
            Some((_, n)) => *n += 1,
            None => kept.push((what, 1)),
        }
    }
    let mut lines: Vec<String> = kept.into_iter().map(|(what, n)| format!("keeps {n} {what}")).collect();
    let tiles = view.tiles_in_hand(seat).map(|tile| view.tiles_declared().name(tile));
    let mut held: Vec<String> = tiles.chain(view.cards_in_hand(seat)).map(str::to_owned).collect();
    held.extend(Some(view.n_hidden_in_hand(seat)).filter(|n| *n > 0).map(|n| format!("{n} hidden")));
    if !held.is_empty() {
        lines.push(format!("in hand {}", held.join(", ")));
    }
    match view.turns_to_miss(seat) {
        0 => {}
        1 => lines.push("misses a turn".to_owned()),
        n => lines.push(format!("misses {n} turns")),
    }
    if view.next_player_by_mod() == Some(seat) {
        lines.push("has the next turn".to_owned());
    }
    lines
}

/// Describes the open rows beside decks, one line per row.
pub fn describe_rows(view: GameView<'_>) -> Vec<String> {
    view.rows().iter().map(|row| format!("open row beside {}: {}", row.deck, row.names.join(", "))).collect()
}

/// The engine's description of a zone, without descriptions by mods.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ZoneDescription {
    /// A line of text for each feature that contains the zone.
    pub features: Vec<String>,
    /// The pieces on these features.
    pub pieces: Vec<PieceRef>,
}

/// Describes a zone without calling mods.
pub fn describe_zone(view: GameView<'_>, zone: ZoneRef) -> ZoneDescription {
    let mut description = ZoneDescription::default();
    for feature in view.features_of(zone) {
        description.features.push(capitalize(&describe_feature(view, feature)));
        for piece in view.pieces_on(feature) {
            if !description.pieces.contains(&piece) {
                description.pieces.push(piece);
            }
        }
    }
    description
}

/// Returns the mods' descriptions of the tile of a zone, of the features of the zone, and of the
/// pieces on these features.
pub(crate) fn mod_lines_about_zone(game: &Game, zone: ZoneRef) -> Vec<String> {
    let view = GameView::of(game);
    let pieces = describe_zone(view, zone).pieces.into_iter().map(Value::Piece);
    let features = view.features_of(zone).map(Value::Feature);
    mod_descriptions(game, std::iter::once(Value::Tile(view.board().tile_of(zone))).chain(features).chain(pieces))
}

/// Returns the mods' descriptions of a piece.
pub(crate) fn mod_lines_about_piece(game: &Game, piece: PieceRef) -> Vec<String> {
    mod_descriptions(game, [Value::Piece(piece)])
}

/// Returns the mods' descriptions of an offered answer.
pub fn mod_lines_about_answer(game: &Game, answer: Answer) -> Vec<String> {
    let about = game.state().decision().map(|decision| option_value(decision, answer));
    mod_descriptions(game, about)
}

/// Returns the mods' descriptions of `things`, without repeated lines. Skips a thing if a mod fails
/// to describe it.
fn mod_descriptions(game: &Game, things: impl IntoIterator<Item = Value>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for thing in things {
        for line in rules::describe(game.rules(), game.state().view(), &thing).unwrap_or_default() {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}
