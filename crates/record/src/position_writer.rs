//! Writes positions as text: `given` lines that describe the whole position at the start of a turn.
#![expect(clippy::indexing_slicing, reason = "handles are positions in the catalogue and the state that made them")]

use std::collections::BTreeMap;

use board::{LayerIdx, MergeRule, Spot, TagCarrier, TileIdx, ZoneRef};
use diagnostic::visible_json;
use rules::{
    DeckIdx, Location, ModIdx, Piece, PieceKindIdx, PieceRef, PileIdx, PilePlace, Ruleset, Scope, SeatSet, State,
    TokenIdx, Value, feature_text, hash_text, option_texts, zone_text,
};
use serde_json::Value as Json;

/// Returns the position as `given` lines, without the word `given`. Tiles are in the order in which
/// they were laid, and pieces in the order of their numbers.
///
/// The lines describe the whole position if a turn has just begun and nothing has happened in it
/// yet (see [`State::is_settled`]). The lines do not depend on the order of declarations in mods,
/// because they refer to pieces, tokens, piles, decks and their items by name.
pub fn given_lines(ruleset: &Ruleset, state: &State) -> Vec<String> {
    let catalogue = &ruleset.catalogue;
    let tile_set = &catalogue.tile_set;
    let mut lines = Vec::new();
    if catalogue.start.is_some() && state.board.tile_at(Spot::new(0, 0)).is_none() {
        lines.push("no tile 0,0".to_owned());
    }
    for (_, t) in state.board.laid_tiles() {
        lines.push(format!("tile {} {} {}", tile_set.tile(t.tile).name, t.spot, t.facing));
    }
    write_links_and_tags(ruleset, state, &mut lines);
    for feature in state.kept_open() {
        let layer = &tile_set.layers[feature.layer.0 as usize].name;
        lines.push(format!("open {layer} {}", feature_text(ruleset, state, *feature)));
    }
    lines.extend(state.pieces().map(|(piece, it)| {
        let words = piece_words(ruleset, state, piece, it);
        format!("piece {words}{}", if it.pinned { " pinned" } else { "" })
    }));
    for seat in state.seats() {
        let name = state.name(seat);
        let markers: Vec<String> = state.markers_of(seat).iter().map(ToString::to_string).collect();
        lines.push(format!("score {name} {}", markers.join(" ")));
    }
    write_supplies(ruleset, state, &mut lines);
    write_hands(ruleset, state, &mut lines);
    write_piles(ruleset, state, &mut lines);
    write_decks(ruleset, state, &mut lines);
    write_memory(ruleset, state, &mut lines);
    if !state.order().eq(state.seats()) {
        let names: Vec<&str> = state.order().map(|seat| state.name(seat)).collect();
        lines.push(format!("order {}", names.join(" ")));
    }
    lines.extend(state.next_player_by_mod().map(|seat| format!("next {}", state.name(seat))));
    for seat in state.seats().filter(|seat| state.turns_to_miss(*seat) > 0) {
        lines.push(format!("misses {} {}", state.name(seat), state.turns_to_miss(seat)));
    }
    let number = state.turn().map_or(1, |t| t.number);
    lines.push(format!("turn {} {number}", state.name(state.player())));
    lines
}

fn write_supplies(ruleset: &Ruleset, state: &State, lines: &mut Vec<String>) {
    let catalogue = &ruleset.catalogue;
    for owner in state.seats().map(Some).chain([None]) {
        let name = owner.map_or("neutral", |seat| state.name(seat));
        for (k, kind) in sorted_by_name(&catalogue.pieces, |kind| &kind.name) {
            let n = state.supply(owner, PieceKindIdx(k as u8));
            if n > 0 || (owner.is_some() && kind.per_player > 0) || (owner.is_none() && kind.neutral > 0) {
                lines.push(format!("supply {name} {} {n}", kind.name));
            }
        }
    }
}

/// Writes the tokens of each player, and the tiles and cards in each hand.
fn write_hands(ruleset: &Ruleset, state: &State, lines: &mut Vec<String>) {
    let catalogue = &ruleset.catalogue;
    for seat in state.seats() {
        for (t, token) in sorted_by_name(&catalogue.tokens, |token| &token.name) {
            let n = state.tokens(Some(seat), TokenIdx(t as u8));
            if n != token.per_player {
                lines.push(format!("token {} {} {n}", state.name(seat), token.name));
            }
        }
        for held in state.held_items(seat) {
            let seen = seen_words(state, held.seen_by);
            lines.push(format!("hand {} {}{seen}", state.name(seat), held.item.name(catalogue)));
        }
    }
}

fn write_piles(ruleset: &Ruleset, state: &State, lines: &mut Vec<String>) {
    let catalogue = &ruleset.catalogue;
    let mut piles: Vec<(PilePlace, &str, u32)> =
        state.piles().iter().map(|(place, pile, n)| (*place, catalogue.piles[pile.idx()].name.as_str(), *n)).collect();
    piles.sort_by_key(|(place, name, _)| (place.key(), *name));
    lines.extend(piles.into_iter().map(|(place, name, n)| format!("pile {name} {place} {n}")));
    let stocks =
        sorted_by_name(&catalogue.piles, |pile| &pile.name).into_iter().filter(|(_, pile)| pile.stock.is_some());
    for (p, pile) in stocks {
        lines.push(format!("pile {} stock {}", pile.name, state.pile_stock(PileIdx(p as u8))));
    }
}

fn write_decks(ruleset: &Ruleset, state: &State, lines: &mut Vec<String>) {
    let catalogue = &ruleset.catalogue;
    for (d, declared) in sorted_by_name(&catalogue.decks, |deck| &deck.name) {
        let index = DeckIdx(d as u8);
        let deck = state.deck(index);
        if deck.groups.is_empty() {
            lines.push(format!("deck {}", declared.name));
        }
        for group in &deck.groups {
            let mut stacks: Vec<(&str, u16)> =
                group.stacks.iter().map(|s| (catalogue.item_name(index, s.item), s.left)).collect();
            stacks.sort();
            let item = |(name, left): (&str, u16)| if left == 1 { name.to_owned() } else { format!("{name}*{left}") };
            let items: Vec<String> = stacks.into_iter().map(item).collect();
            lines.push(format!("deck {} {}{}", declared.name, items.join(" "), seen_words(state, group.seen_by)));
        }
        if !deck.row.is_empty() {
            let items: Vec<&str> = deck.row.iter().map(|item| catalogue.item_name(index, *item)).collect();
            lines.push(format!("row {} {}", declared.name, items.join(" ")));
        }
    }
}

/// Writes the stored data of mods.
fn write_memory(ruleset: &Ruleset, state: &State, lines: &mut Vec<String>) {
    for (m, owner) in ruleset.catalogue.mods.iter().enumerate() {
        let memory = state.memory(ModIdx(m as u8), Scope::Game);
        let Some(map) = memory.filter(|map| !map.is_empty()) else { continue };
        // Text after a `#` would be a comment.
        let json = json_of(ruleset, state, &Value::Map(map.clone())).to_string().replace('#', "\\u0023");
        let json = visible_json(&json);
        lines.push(format!("mem {} {json}", owner.id));
    }
}

/// Returns the elements of `declared` with their indices, sorted by name.
fn sorted_by_name<T>(declared: &[T], name: impl Fn(&T) -> &String) -> Vec<(usize, &T)> {
    let mut sorted: Vec<(usize, &T)> = declared.iter().enumerate().collect();
    sorted.sort_by_key(|(_, it)| name(it).clone());
    sorted
}

/// Returns the words that name the players who may see an item, such as ` seen red`. Returns an
/// empty text if all players may see the item.
fn seen_words(state: &State, seen_by: SeatSet) -> String {
    if seen_by.includes(state.seats().collect()) {
        return String::new();
    }
    let names = state.seats().filter(|seat| seen_by.contains(*seat)).map(|seat| format!(" {}", state.name(seat)));
    format!(" seen{}", names.collect::<String>())
}

/// Returns the text of a piece in a `given` line: its owner, kind and place.
pub(crate) fn piece_words(ruleset: &Ruleset, state: &State, piece: PieceRef, it: &Piece) -> String {
    let owner = it.owner.map_or("neutral", |seat| state.name(seat));
    let kind = &ruleset.catalogue.piece(it.kind).name;
    let place = match it.place {
        Location::Spot(spot) => format!("on {spot}"),
        Location::Corner(corner) => format!("corner {corner}"),
        Location::Border(border) => format!("border {border}"),
        Location::Space(space) => format!("space {space}"),
        Location::Kept(keeper) => format!("kept {}", state.name(keeper)),
        Location::Zone(_) => {
            let zones: Vec<ZoneRef> = state.zones_of_piece(piece).collect();
            zones.iter().map(|z| zone_text(ruleset, state, *z)).collect::<Vec<_>>().join(" ")
        }
    };
    format!("{owner} {kind} {place}")
}

fn write_links_and_tags(ruleset: &Ruleset, state: &State, lines: &mut Vec<String>) {
    let tile_set = &ruleset.catalogue.tile_set;
    let mut by_tile: BTreeMap<(i16, i16), Vec<String>> = BTreeMap::new();
    let mut across: Vec<[ZoneRef; 2]> = Vec::new();
    for link in state.board.links() {
        if state.board.tile_of(link.a) != state.board.tile_of(link.b) {
            across.push([link.a, link.b]);
            continue;
        }
        let spot = state.board.tile_at_zone(link.a).spot;
        let mut names = [state.board.zone_name(tile_set, link.a), state.board.zone_name(tile_set, link.b)];
        names.sort();
        by_tile.entry((spot.y, spot.x)).or_default().extend(names);
    }
    for ((y, x), names) in by_tile {
        lines.push(format!("link {} {}", Spot::new(x, y), names.join(" ")));
    }
    let mut across: Vec<String> = across
        .into_iter()
        .map(|mut ends| {
            ends.sort_by_key(|zone| {
                let Spot { x, y } = state.board.tile_at_zone(*zone).spot;
                (y, x)
            });
            format!("link {}", ends.map(|zone| zone_text(ruleset, state, zone)).join(" "))
        })
        .collect();
    across.sort();
    lines.extend(across);
    let mut tags = Vec::new();
    for (tile, tag, value) in state.tile_tags() {
        let tag = tile_set.tag(*tag);
        let spot = state.board.tile(*tile).spot;
        let word = tag.values.get(*value as usize).filter(|_| tag.on == TagCarrier::Tile);
        tags.push(format!("tag {spot} {} {}", tag.name, word.cloned().unwrap_or_else(|| value.to_string())));
    }
    for (zone, column, value) in state.board.zone_tags() {
        let declared = tile_set.columns[column.0 as usize];
        let tag = tile_set.tag(declared.tag);
        let words = matches!(tag.merge, MergeRule::Set | MergeRule::Multiset);
        let word = declared.value.filter(|_| words).map_or(String::new(), |v| format!("={}", tag.values[v as usize]));
        tags.push(format!("tag {} {}{word} {value}", zone_text(ruleset, state, *zone), tag.name));
    }
    tags.sort();
    lines.extend(tags);
}

fn json_of(ruleset: &Ruleset, state: &State, value: &Value) -> Json {
    let catalogue = &ruleset.catalogue;
    let handle = |text: String| Json::String(format!("@{text}"));
    match value {
        Value::Bool(b) => Json::Bool(*b),
        Value::Int(n) => Json::from(*n),
        Value::Text(text) if text.starts_with('@') => handle(text.to_string()),
        Value::Text(text) => Json::String(text.to_string()),
        Value::List(list) => Json::Array(list.iter().map(|v| json_of(ruleset, state, v)).collect()),
        Value::Map(map) => Json::Object(map.iter().map(|(k, v)| (k.to_string(), json_of(ruleset, state, v))).collect()),
        Value::Player(seat) => handle(format!("player {}", state.name(*seat))),
        Value::Spot(spot) => handle(format!("spot {spot}")),
        Value::Corner(corner) => handle(format!("corner {corner}")),
        Value::Border(border) => handle(format!("border {border}")),
        Value::Tile(tile) if !state.board.is_laid(*tile) => handle("tile gone".to_owned()),
        Value::Zone(zone) if !state.board.has_zone(*zone) => handle("zone gone".to_owned()),
        Value::Feature(feature) if !state.board.has_zone(feature.anchor) => handle("feature gone".to_owned()),
        Value::Tile(tile) => handle(format!("tile {}", state.board.tile(*tile).spot)),
        Value::TileType(TileIdx(t)) => handle(format!("sort {}", catalogue.tile_set.tile(TileIdx(*t)).name)),
        Value::Zone(zone) => handle(format!("zone {}", zone_text(ruleset, state, *zone))),
        Value::Feature(feature) => {
            let LayerIdx(layer) = feature.layer;
            let name = &catalogue.tile_set.layers[layer as usize].name;
            handle(format!("feature {name} {}", feature_text(ruleset, state, *feature)))
        }
        Value::Piece(piece) => handle(piece_handle(ruleset, state, *piece)),
        Value::Space(n) => handle(format!("space {n}")),
        Value::Deck(deck) => handle(format!("deck {}", catalogue.decks[deck.idx()].name)),
        Value::Card(card) => handle(format!("card {}", catalogue.cards[*card as usize].name)),
        Value::Unit | Value::Placement(..) | Value::Deployment(..) | Value::Score | Value::Option(_) => Json::Null,
    }
}

/// Returns the text of a reference to a piece in stored data: the text of the piece, and its
/// position among the pieces with the same text. Does not use the number of the piece, because this
/// number can change when `given` lines are read.
fn piece_handle(ruleset: &Ruleset, state: &State, piece: PieceRef) -> String {
    let Some(it) = state.piece(piece) else { return "piece gone".to_owned() };
    let words = piece_words(ruleset, state, piece, it);
    let before = state.pieces().take_while(|(other, _)| *other != piece);
    let n = 1 + before.filter(|(other, it)| piece_words(ruleset, state, *other, it) == words).count();
    format!("piece {n} {words}")
}

/// Returns a hash of the position and of the pending work of the engine. The hash is the same on
/// every machine.
///
/// If the state is settled (see [`State::is_settled`]), the hash depends only on [`given_lines`].
/// So a game and the position written from that game have the same hash. Otherwise, the hash also
/// covers the turn and its parts with their stored data, the pending steps, a pending end of the
/// game, and the answers so far to the function that asks. The hash never covers past awards, notes
/// and discarded tiles.
pub fn state_hash(ruleset: &Ruleset, state: &State) -> u64 {
    let mut text = given_lines(ruleset, state).join("\n");
    text += &format!("\n{} {} {:?}", state.is_over(), state.is_final(), state.progress_hash());
    if !std::ptr::eq(state, state.view()) {
        text += &format!("\nview {:x}", state_hash(ruleset, state.view()));
    }
    if let Some(decision) = state.decision() {
        let mut options = option_texts(ruleset, state);
        options.sort();
        let seen = seen_words(state, decision.seen_by);
        text += &format!("\n{:?} {}{seen} {}", decision.who, decision.question.name(), options.join("\n"));
    }
    hash_text(&text)
}
