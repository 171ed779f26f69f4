//! The board: zones, tiles, tile types, spots and the things on them.

use std::sync::Arc;

use board::{
    Direction, FeatureRef, KindIdx, LayerIdx, Layout, Spot, TagCarrier, TagIdx, TileIdx, TileRef, ZoneLink, ZoneRef,
};
use diagnostic::hint;
use rules::{PieceRef, PileIdx, PilePlace, ReadSet, Refusal, Value};

use super::builder::{Api, doc};
use super::costs::charge_for_pieces;
use super::tag_words::repeated;
use crate::core::Cx;
use crate::handles::is_known;
use crate::named_options::{LinkSite, PileSite};
use crate::params::{AnyValue, DirectionName, Name, OptionalName, PortName, TileId};
use crate::replies::ReplyList;

pub(super) fn add(api: &mut Api) {
    api.topic("Zones");
    zones(api);
    api.topic("Tiles");
    tiles(api);
    api.topic("Spots");
    spots(api);
}

/// Returns the tile type called `id`. An id without a prefix means a tile of the mod whose function
/// runs.
pub(super) fn tile_type(cx: &Cx, id: &str) -> Result<TileIdx, Refusal> {
    let tile_set = cx.tile_set();
    let own = || tile_set.tile_named(&format!("{}/{id}", cx.catalogue().mods[cx.owner().idx()].id));
    tile_set.tile_named(id).or_else(own).ok_or_else(|| {
        let help = hint(id, tile_set.tiles.iter().map(|t| t.name.as_str()));
        format!("no active mod has a tile called `{id}`{help}").into()
    })
}

fn feature_of(cx: &Cx, layer: LayerIdx, zone: ZoneRef) -> Option<FeatureRef> {
    cx.state().board.layer_includes(layer, zone).then_some(FeatureRef { layer, anchor: zone })
}

fn zones(api: &mut Api) {
    api.reads(ReadSet::NOTHING).get(
        "kind",
        "The kind of land of the zone.",
        "zone.kind != \"green\"",
        |cx: &mut Cx, zone: ZoneRef| {
            let kind = cx.state().board.kind(zone);
            Ok(cx.core.names.kinds[kind.0 as usize].clone())
        },
    );
    api.get("tile", "The tile that contains the zone.", "zone.tile", |cx: &mut Cx, zone: ZoneRef| {
        Ok(cx.state().board.tile_of(zone))
    });
    api.get("spot", "The spot of the zone's tile.", "zone.spot", |cx: &mut Cx, zone: ZoneRef| {
        Ok(cx.state().board.tile_at_zone(zone).spot)
    });
    api.reads(ReadSet::NOTHING).get(
        "name",
        "The name of the zone on its tile, such as `way@s`.",
        "zone.name",
        |cx: &mut Cx, zone: ZoneRef| Ok(Arc::from(cx.state().board.zone_name(cx.tile_set(), zone))),
    );
    api.get("feature", "The feature that contains the zone.", "zone.feature.is_open", |_cx: &mut Cx, zone: ZoneRef| {
        Ok(FeatureRef { layer: LayerIdx(0), anchor: zone })
    });
    api.method(
        "feature_in",
        doc(
            "zone, layer",
            "The feature that contains the zone in a layer; `()` if the zone's kind does not belong to the layer.",
            "zone.feature_in(\"water\")",
        ),
        |cx: &mut Cx, zone: ZoneRef, layer: Name<LayerIdx>| Ok(feature_of(cx, layer.0, zone)),
    );
    api.query(
        "zone_at",
        doc(
            "spot, name",
            "The zone with this name on the tile on a spot; `()` if there is none. Store the spot and the name of a zone to find the zone again after `swap_tile`, which makes handles of zones invalid, for example when an overlay is put over the tile.",
            "zone_at(mem.game.castle.spot, mem.game.castle.name)",
        ),
        |cx: &mut Cx, spot: Spot, name: Arc<str>| {
            let Some(tile) = cx.state().board.tile_at(spot) else { return Ok(None) };
            let placed = cx.state().board.tile(tile);
            let zone = cx.tile_set().zone_named(placed.tile, placed.facing, &name);
            Ok(zone.map(|zone| placed.zone(zone)))
        },
    );
    api.reads(ReadSet::NOTHING).get(
        "pieces",
        "The pieces that stand on the zone.",
        "zone.pieces",
        |cx: &mut Cx, zone: ZoneRef| {
            charge_for_pieces(cx)?;
            let state = cx.state();
            let on = state
                .pieces()
                .map(|(piece, _)| piece)
                .filter(|piece| state.zones_of_piece(*piece).any(|it| it == zone));
            Ok(on.collect::<ReplyList<_>>())
        },
    );
    api.get(
        "touching",
        "The zones that this zone borders on its tile.",
        "zone.touching",
        |cx: &mut Cx, zone: ZoneRef| Ok(cx.state().board.touching_zones(cx.tile_set(), zone).collect::<ReplyList<_>>()),
    );
    api.get(
        "meets",
        "The other zones that end at the same point inside the tile, such as roads at a crossing. The zones are not joined there.",
        "zone.meets.len()",
        |cx: &mut Cx, zone: ZoneRef| Ok(cx.state().board.meeting_zones(cx.tile_set(), zone).collect::<ReplyList<_>>()),
    );
    api.get(
        "edges",
        "The edges that the zone reaches, as the tile lies: n, e, s, w.",
        "zone.edges.len",
        |cx: &mut Cx, zone: ZoneRef| {
            let here = cx.state().board.tile_at_zone(zone);
            let ports = cx.tile_set().tile(here.tile).zones[here.local_index(zone)].ports.turned(here.facing);
            let edges = board::Edge::ALL.into_iter().filter(|edge| ports.iter().any(|port| port.edge() == *edge));
            Ok(edges.map(|edge| Arc::from(edge.letter())).collect::<ReplyList<_>>())
        },
    );
    api.get(
        "is_linked",
        "True if a link joins the zone to another zone.",
        "zone.is_linked",
        |cx: &mut Cx, zone: ZoneRef| {
            cx.spend(cx.state().board.links().len())?;
            Ok(cx.state().board.links().iter().any(|link| link.a == zone || link.b == zone))
        },
    );
    api.get(
        "links",
        "The zones, on this tile and on others, that links join to this zone.",
        "zone.links",
        |cx: &mut Cx, zone: ZoneRef| {
            cx.spend(cx.state().board.links().len())?;
            Ok(cx.state().board.links().iter().filter_map(|link| link.other_end(zone)).collect::<ReplyList<_>>())
        },
    );
    api.reads(ReadSet::NOTHING).method(
        "has",
        doc("zone, tag", "True if the zone itself has a tag.", "zone.has(\"mill\")"),
        |cx: &mut Cx, zone: ZoneRef, tag: OptionalName<TagIdx>| {
            Ok(tag.0.is_some_and(|tag| zone_values(cx, zone, tag).iter().any(|(_, n)| *n != 0)))
        },
    );
    api.method(
        "tag",
        doc(
            "zone, tag",
            "The zone's own value of a tag: a number or a word; `()` if the zone has no value. If a zone has several words, use `tags`.",
            "zone.tag(\"stones\")",
        ),
        |cx: &mut Cx, zone: ZoneRef, tag: OptionalName<TagIdx>| {
            let Some(tag) = tag.0 else { return Ok(Value::Unit) };
            let mut values = zone_values(cx, zone, tag).into_iter().filter(|(_, n)| *n != 0);
            match (values.next(), values.next()) {
                (None, _) => Ok(Value::Unit),
                (Some((None, n)), _) => Ok(Value::Int(i64::from(n))),
                (Some((Some(word), 1)), None) => Ok(Value::Text(cx.core.names.words[tag.0 as usize][word].clone())),
                _ => {
                    let name = &cx.tile_set().tag(tag).name;
                    Err(format!("this zone has several words for the tag `{name}`; `zone.tags(\"{name}\")` lists them").into())
                }
            }
        },
    );
    api.reads(ReadSet::NOTHING).method(
        "tags",
        doc(
            "zone, tag",
            "The zone's own words of a tag, in order of declaration; a word that occurs several times is repeated.",
            "zone.tags(\"goods\").contains(\"wool\")",
        ),
        |cx: &mut Cx, zone: ZoneRef, tag: OptionalName<TagIdx>| {
            let Some(tag) = tag.0 else { return Ok(ReplyList::empty()) };
            let name = |word: usize| cx.core.names.words[tag.0 as usize][word].clone();
            let words =
                zone_values(cx, zone, tag).into_iter().filter_map(|(word, n)| Some((name(word?), i64::from(n))));
            repeated(words)
        },
    );
}

/// Returns the values of a tag on a zone itself, not on its feature. For a tag with words, returns
/// a pair for each word: the index of the word and the number of its occurrences. For other tags,
/// returns one pair: `None` and the number.
fn zone_values(cx: &Cx, zone: ZoneRef, tag: TagIdx) -> Vec<(Option<usize>, i32)> {
    let tile_set = cx.tile_set();
    if tile_set.tag(tag).on == TagCarrier::Tile {
        return Vec::new();
    }
    let columns = tile_set.columns.iter().enumerate().filter(|(_, column)| column.tag == tag);
    let value = |(c, column): (usize, &board::Column)| {
        let n = cx.state().board.zone_value(tile_set, zone, board::ColumnIdx(c as u8));
        (column.value.map(usize::from), n)
    };
    columns.map(value).collect()
}

fn tiles(api: &mut Api) {
    api.get(
        "id",
        "The id of the tile's type with the id of its mod, such as `base/K`.",
        "tile.id",
        |cx: &mut Cx, tile: TileRef| {
            let tile_type = cx.state().board.tile(tile).tile;
            Ok(cx.core.names.tiles[tile_type.0 as usize].clone())
        },
    );
    api.get(
        "id",
        "The id of the tile type with the id of its mod, such as `base/K`.",
        "tile_type.id",
        |cx: &mut Cx, tile: TileIdx| Ok(cx.core.names.tiles[tile.0 as usize].clone()),
    );
    api.get("tile_type", "The type of the tile.", "tile.tile_type", |cx: &mut Cx, tile: TileRef| {
        Ok(cx.state().board.tile(tile).tile)
    });
    api.get("spot", "The spot of the tile.", "tile.spot", |cx: &mut Cx, tile: TileRef| {
        Ok(cx.state().board.tile(tile).spot)
    });
    api.get(
        "facing",
        "The facing of the tile: 0, 90, 180 or 270 degrees clockwise.",
        "tile.facing",
        |cx: &mut Cx, tile: TileRef| Ok(i64::from(cx.state().board.tile(tile).facing.degrees())),
    );
    api.get("zones", "The zones of the tile.", "tile.zones", |cx: &mut Cx, tile: TileRef| {
        Ok(cx.state().board.zones_of(cx.tile_set(), tile).collect::<ReplyList<_>>())
    });
    api.method(
        "zones",
        doc("tile, kind", "The zones of a kind on the tile.", "pairs(tile.zones(\"way\"))"),
        |cx: &mut Cx, tile: TileRef, kind: OptionalName<KindIdx>| {
            let Some(kind) = kind.0 else { return Ok(ReplyList::empty()) };
            let (board, tile_set) = (&cx.state().board, cx.tile_set());
            Ok(board.zones_of(tile_set, tile).filter(|zone| board.kind(*zone) == kind).collect::<ReplyList<_>>())
        },
    );
    api.get(
        "pieces",
        "The pieces on the tile's zones and on its spot.",
        "tile.pieces",
        |cx: &mut Cx, tile: TileRef| {
            charge_for_pieces(cx)?;
            let state = cx.state();
            let spot = state.board.tile(tile).spot;
            let on = |piece: &PieceRef| {
                let stands = state.zones_of_piece(*piece).any(|zone| state.board.tile_of(zone) == tile);
                stands || state.piece(*piece).is_some_and(|p| p.place == rules::Location::Spot(spot))
            };
            Ok(state.pieces().map(|(piece, _)| piece).filter(on).collect::<ReplyList<_>>())
        },
    );
    api.method(
        "zone_on",
        doc(
            "tile, edge",
            "The zone on an edge of the laid tile (n, e, s, w) or on half an edge (n1, n2, ...). On an edge with only ground, this is the zone of the first half; `()` if no zone is there.",
            "tile.zone_on(\"n\")",
        ),
        |cx: &mut Cx, tile: TileRef, edge: PortName| {
            let port = board::Port::from_name(&edge.0).ok_or("an edge is n, e, s or w, or a half of one such as n1")?;
            let here = cx.state().board.tile(tile);
            let zone_at = &cx.tile_set().tile(here.tile).turned(here.facing).zone_at;
            let local = match zone_at[port.index()] {
                board::NO_ZONE if port.is_middle() => zone_at[port.index() - 1],
                local => local,
            };
            Ok((local != board::NO_ZONE).then(|| here.zone(local as usize)))
        },
    );
    api.method(
        "has",
        doc("tile, tag", "True if the tile has a tag of tiles.", "if tile.has(\"gold\") { }"),
        |cx: &mut Cx, tile: TileRef, tag: OptionalName<TagIdx>| {
            Ok(tag.0.is_some_and(|tag| tile_value(cx, tile, tag).is_some()))
        },
    );
    api.method(
        "tag",
        doc(
            "tile, tag",
            "The tile's value of a tag: a number or a word; `()` if the tile has no value.",
            "tile.tag(\"circle\")",
        ),
        |cx: &mut Cx, tile: TileRef, tag: OptionalName<TagIdx>| {
            let Some(tag) = tag.0 else { return Ok(Value::Unit) };
            Ok(tag_value(cx, tag, tile_value(cx, tile, tag)))
        },
    );
    api.reads(ReadSet::NOTHING).method(
        "has",
        doc("tile_type, tag", "True if tiles of this type have a tag of tiles.", "turn.tile_type.has(\"water\")"),
        |cx: &mut Cx, tile: TileIdx, tag: OptionalName<TagIdx>| {
            Ok(tag.0.is_some_and(|tag| cx.tile_set().tile(tile).tag(tag).is_some()))
        },
    );
    api.method(
        "tag",
        doc(
            "tile_type, tag",
            "The value of a tag for tiles of this type: a number or a word; `()` if they have no value.",
            "tile_type.tag(\"turn\")",
        ),
        |cx: &mut Cx, tile: TileIdx, tag: OptionalName<TagIdx>| {
            let Some(tag) = tag.0 else { return Ok(Value::Unit) };
            Ok(tag_value(cx, tag, cx.tile_set().tile(tile).tag(tag)))
        },
    );
    api.method(
        "direction",
        doc(
            "tile, tag",
            "The direction that a tag of the tile names, turned with the tile: n, ne, e, se, s, sw, w or nw.",
            "tile.spot.step(tile.direction(\"arrow\"), 2)",
        ),
        |cx: &mut Cx, tile: TileRef, tag: Name<TagIdx>| {
            let word = tag_value(cx, tag.0, tile_value(cx, tile, tag.0));
            let named = if let Value::Text(word) = &word { Direction::from_name(word) } else { None };
            let named = named.ok_or("this tag names no direction on this tile (n, ne, e, se, s, sw, w, nw)")?;
            Ok(Arc::from(named.turned(cx.state().board.tile(tile).facing).name()))
        },
    );
    api.query(
        "tile_type",
        doc(
            "id",
            "The tile type with this id; ids of your own mod need no prefix.",
            "put_under(deck, tile_type(\"first\"))",
        ),
        |cx: &mut Cx, id: TileId| tile_type(cx, &id.0),
    );
    api.query("tiles", doc("", "All tiles on the board in the order of laying.", "tiles().len()"), |cx: &mut Cx| {
        Ok(cx.state().board.laid_tiles().map(|(tile, _)| tile).collect::<ReplyList<_>>())
    });
    api.query(
        "exists",
        doc(
            "thing",
            "True if the thing to which a handle refers still exists. It does not if its tile was removed or its piece returned. Every other use of a handle of a removed tile, zone or feature is an error.",
            "if exists(mem.game.zone) { }",
        ),
        |cx: &mut Cx, thing: AnyValue| {
            Ok(match thing.0 {
                Value::Piece(piece) => cx.state().piece(piece).is_some(),
                other => is_known(cx, &other.into()),
            })
        },
    );
    links(api);
}

fn tile_value(cx: &Cx, tile: TileRef, tag: TagIdx) -> Option<i32> {
    cx.state().tile_tag(cx.call.ruleset(), tile, tag)
}

/// Returns the value of a tag of tiles in the form that scripts receive: a word if the tag has
/// words, otherwise a number. Returns `()` if `value` is `None`.
fn tag_value(cx: &Cx, tag: TagIdx, value: Option<i32>) -> Value {
    let Some(value) = value else { return Value::Unit };
    match cx.core.names.words[tag.0 as usize].get(value.max(0) as usize) {
        Some(word) => Value::Text(word.clone()),
        None => Value::Int(i64::from(value)),
    }
}

fn links(api: &mut Api) {
    api.query(
        "links",
        doc(
            "site",
            "The links within a tile or across a border, each a list of two zones. A link across a border joins zones that reach the border from its two sides.",
            "links(tile)",
        ),
        |cx: &mut Cx, site: LinkSite| {
            let board = &cx.state().board;
            cx.spend(board.links().len())?;
            let links: Vec<ZoneLink> = match site {
                LinkSite::Tile(tile) => links_within(board).filter(|link| board.tile_of(link.a) == tile).copied().collect(),
                LinkSite::Border(border) => board.links_across(cx.tile_set(), border),
            };
            Ok(links.into_iter().map(|link| vec![link.a, link.b]).collect::<ReplyList<_>>())
        },
    );
    api.query(
        "linked_tiles_from",
        doc(
            "tile",
            "The nearest tiles with a link between two of their zones, each once. The search follows the zones of a tile in each direction, also through links between tiles, and stops at the first such tile.",
            "for there in linked_tiles_from(turn.tile) { }",
        ),
        |cx: &mut Cx, tile: TileRef| {
            // The search may visit every zone of the board.
            cx.spend(8 * cx.state().board.n_zones())?;
            Ok(linked_from(cx, tile))
        },
    );
}

/// Returns the links with both ends on the same tile.
fn links_within(board: &Layout) -> impl Iterator<Item = &ZoneLink> {
    board.links().iter().filter(|link| board.tile_of(link.a) == board.tile_of(link.b))
}

/// Follows the land from each zone of `tile` across the edges of tiles and through links between
/// tiles. Each path ends at the first zone that a link connects to another zone of the same tile.
/// Returns the tiles at which the paths end.
fn linked_from(cx: &Cx, tile: TileRef) -> Vec<TileRef> {
    let (board, tile_set) = (&cx.state().board, cx.tile_set());
    let linked: Vec<ZoneRef> = links_within(board).flat_map(|link| [link.a, link.b]).collect();
    // A zone can lead to a link inside a tile only if the feature of the zone contains the link.
    // Most tiles have no such zone, so this test makes most searches unnecessary.
    let root = |zone: ZoneRef| board.root(FeatureRef { layer: LayerIdx(0), anchor: zone });
    let roots: Vec<ZoneRef> = linked.iter().map(|zone| root(*zone)).collect();
    let mut found: Vec<TileRef> = Vec::new();
    let mut ways: Vec<ZoneRef> = board.zones_of(tile_set, tile).filter(|zone| roots.contains(&root(*zone))).collect();
    if ways.is_empty() {
        return Vec::new();
    }
    // A linear search is enough, because there are few zones.
    let mut seen = ways.clone();
    let mut at = 0;
    while let Some(zone) = ways.get(at).copied() {
        at += 1;
        let here = *board.tile_at_zone(zone);
        let ports = tile_set.tile(here.tile).zones[here.local_index(zone)].ports.turned(here.facing);
        let across = ports.iter().filter_map(|port| {
            let there = board.tile(board.neighbour(here.spot, port.edge())?);
            let local = tile_set.tile(there.tile).turned(there.facing).zone_at[port.opposite().index()];
            (local != board::NO_ZONE).then(|| there.zone(local as usize))
        });
        let links = board.links().iter().filter_map(|link| link.other_end(zone));
        let through = links.filter(|end| board.tile_of(*end) != board.tile_of(zone));
        for zone in across.chain(through) {
            let next = board.tile_of(zone);
            if next == tile || seen.contains(&zone) {
                continue;
            }
            seen.push(zone);
            if !linked.contains(&zone) {
                ways.push(zone);
            } else if !found.contains(&next) {
                found.push(next);
            }
        }
    }
    found
}

fn spots(api: &mut Api) {
    api.get("x", "The column of the spot; it grows to the east.", "spot.x", |_cx: &mut Cx, spot: Spot| {
        Ok(i64::from(spot.x))
    });
    api.get("y", "The row of the spot; it grows to the south.", "spot.y", |_cx: &mut Cx, spot: Spot| {
        Ok(i64::from(spot.y))
    });
    api.query(
        "spot",
        doc("x, y", "The spot in this column and row.", "spot(0, -1)"),
        |_cx: &mut Cx, x: i64, y: i64| match (i16::try_from(x), i16::try_from(y)) {
            (Ok(x), Ok(y)) => Ok(Spot::new(x, y)),
            _ => Err("this spot is outside the grid".into()),
        },
    );
    api.method(
        "step",
        doc(
            "spot, direction, n",
            "The spot `n` steps away in a direction: n, ne, e, se, s, sw, w or nw.",
            "tile.spot.step(\"ne\", 3)",
        ),
        |_cx: &mut Cx, spot: Spot, direction: DirectionName, n: i64| {
            let direction = Direction::from_name(&direction.0).ok_or("a direction is n, ne, e, se, s, sw, w or nw")?;
            let (dx, dy) = direction.step();
            let n = i16::try_from(n).map_err(|_| "this spot is outside the grid")?;
            let there = dx.checked_mul(n).zip(dy.checked_mul(n)).and_then(|(dx, dy)| spot.offset(dx, dy));
            there.ok_or_else(|| "this spot is outside the grid".into())
        },
    );
    api.method(
        "around",
        doc(
            "spot",
            "The eight spots around the spot, row by row from the north-west.",
            "spot.around().filter(|s| tile_at(s) != ())",
        ),
        |_cx: &mut Cx, spot: Spot| Ok(spot.surrounding_spots().collect::<ReplyList<_>>()),
    );
    api.get(
        "neighbours",
        "The spots with a tile among the eight spots around the spot, row by row from the north-west.",
        "ask(turn.player, \"Which?\", tile.spot.neighbours)",
        |cx: &mut Cx, spot: Spot| {
            let board = &cx.state().board;
            Ok(spot.surrounding_spots().filter(|there| board.tile_at(*there).is_some()).collect::<ReplyList<_>>())
        },
    );
    api.query(
        "tile_at",
        doc("spot", "The tile on a spot; `()` if no tile lies there.", "tile_at(spot) != ()"),
        |cx: &mut Cx, spot: Spot| Ok(cx.state().board.tile_at(spot)),
    );
    api.query(
        "zones_at",
        doc(
            "spot",
            "The zones of the tile on a spot; an empty list if no tile lies there.",
            "zones_at(spot).filter(|zone| zone.feature.is_open)",
        ),
        |cx: &mut Cx, spot: Spot| {
            let board = &cx.state().board;
            Ok(board.tile_at(spot).map_or(Vec::new(), |tile| board.zones_of(cx.tile_set(), tile).collect()))
        },
    );
    piles(api);
}

fn piles(api: &mut Api) {
    api.query(
        "pile",
        doc(
            "pile, site",
            "The number of counters of a pile on a spot, on a border, or on the spots that count for a feature.",
            "if pile(\"gold\", feature) > 0 { }",
        ),
        |cx: &mut Cx, pile: OptionalName<PileIdx>, site: PileSite| {
            let Some(pile) = pile.0 else { return Ok(0) };
            Ok(match site {
                PileSite::Spot(spot) => cx.state().pile(spot, pile),
                PileSite::Border(border) => cx.state().pile(border, pile),
                PileSite::Feature(feature) => {
                    super::features::spots(cx, feature)?.into_iter().map(|spot| cx.state().pile(spot, pile)).sum()
                }
            })
        },
    );
    api.reads(ReadSet::PILES).query(
        "pile_stock",
        doc("pile", "The number of counters of a pile that are left in stock.", "pile_stock(\"gold\") > 0"),
        |cx: &mut Cx, pile: OptionalName<PileIdx>| Ok(pile.0.map_or(0, |pile| cx.state().pile_stock(pile))),
    );
    api.query(
        "piles",
        doc("pile", "The spots on which counters of a pile lie, row by row from the north-west.", "piles(\"gold\")"),
        |cx: &mut Cx, pile: OptionalName<PileIdx>| {
            places_of(cx, pile.0, |place| if let PilePlace::Spot(spot) = place { Some(spot) } else { None })
        },
    );
    api.query(
        "border_piles",
        doc(
            "pile",
            "The borders on which counters of a pile lie, row by row from the north-west.",
            "border_piles(\"gold\").filter(|border| border.tiles.len() == 2)",
        ),
        |cx: &mut Cx, pile: OptionalName<PileIdx>| {
            places_of(cx, pile.0, |place| if let PilePlace::Border(border) = place { Some(border) } else { None })
        },
    );
}

/// Calls `wanted` for each place on which a pile lies, row by row. Returns a list of the results,
/// without `None`.
fn places_of<T>(cx: &Cx, pile: Option<PileIdx>, wanted: fn(PilePlace) -> Option<T>) -> Result<ReplyList<T>, Refusal>
where
    ReplyList<T>: FromIterator<T>,
{
    cx.spend(cx.state().piles().len())?;
    let piles = cx.state().piles().iter().filter(|(_, p, _)| Some(*p) == pile);
    Ok(piles.filter_map(|(place, _, _)| wanted(*place)).collect())
}
