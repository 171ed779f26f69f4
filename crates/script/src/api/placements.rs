//! Places for tiles, and the contents of tiles that are not laid. With these queries, a script can
//! predict the effects of laying a tile.

use std::collections::BTreeMap;
use std::sync::Arc;

use board::{Edge, Facing, FeatureRef, KindIdx, LayerIdx, Preview, Spot, TileIdx, Zone};
use rules::{Refusal, Value};

use super::builder::{Api, doc};
use crate::core::Cx;
use crate::params::{EdgeName, Name, OptionalName};
use crate::replies::ReplyList;
use crate::types::TilePlacement;

pub(super) fn add(api: &mut Api) {
    api.topic("Places for tiles");
    places(api);
    undrawn(api);
}

pub(super) fn facing_of(degrees: i64) -> Result<Facing, Refusal> {
    Facing::from_degrees(degrees).ok_or_else(|| "a facing is 0, 90, 180 or 270".into())
}

fn texts(texts: impl IntoIterator<Item = String>) -> Value {
    Value::list(texts.into_iter().map(|text| Value::text(&text)))
}

fn places(api: &mut Api) {
    api.query(
        "places",
        doc(
            "tile_type",
            "The legal places for a tile now: its edges fit, `joins` and `u_turns` of its kinds of land permit the place, and no mod's `filter_places` removes it. Each place has `spot` and `facing`. `filter_places` itself cannot call this function.",
            "places(turn.tile_type).is_empty()",
        ),
        |cx: &mut Cx, tile: TileIdx| {
            cx.spend(4 * cx.state().board.n_laid())?;
            let places = cx.call.places(tile)?;
            Ok(places.into_iter().map(|at| TilePlacement { tile, at }).collect::<ReplyList<_>>())
        },
    );
    api.get(
        "spot",
        "The spot of the tile.",
        "places.filter(|place| place.spot.y < 0)",
        |_cx: &mut Cx, place: TilePlacement| Ok(place.at.spot),
    );
    api.get("facing", "The facing of the tile, in degrees.", "place.facing", |_cx: &mut Cx, place: TilePlacement| {
        Ok(i64::from(place.at.facing.degrees()))
    });
    api.get("tile_type", "The type of the tile.", "place.tile_type", |_cx: &mut Cx, place: TilePlacement| {
        Ok(place.tile)
    });
    api.get(
        "features",
        "The features as they would be with the tile placed there: a map for each feature that the tile would join, end or help to surround. Keys: `kind`, `zones` (names on the placed tile), `parts` (the features that would merge), `n_tiles`, `n_open` (open ports) and `is_complete` (without the mods' `is_complete`).",
        "place.features.filter(|it| it.is_complete || it.parts.len() > 1)",
        |cx: &mut Cx, place: TilePlacement| previews(cx, LayerIdx(0), place),
    );
    api.method(
        "features_in",
        doc(
            "place, layer",
            "The same maps as `features`, for the features of another layer.",
            "place.features_in(\"water\")",
        ),
        |cx: &mut Cx, place: TilePlacement, layer: Name<LayerIdx>| previews(cx, layer.0, place),
    );
}

/// The cost of previewing a placement, in units of weight.
const PREVIEW_COST: usize = 200;

fn previews(cx: &Cx, layer: LayerIdx, place: TilePlacement) -> Result<ReplyList<Value>, Refusal> {
    cx.spend(PREVIEW_COST)?;
    let TilePlacement { tile, at } = place;
    let value = |it: Preview| {
        let features = it.parts.iter().map(|anchor| Value::Feature(FeatureRef { layer, anchor: *anchor }));
        Value::map([
            ("kind", Value::Text(cx.core.names.kinds[it.kind.0 as usize].clone())),
            ("zones", texts(it.zones.iter().map(|zone| cx.tile_set().zone_name(tile, at.facing, *zone)))),
            ("parts", Value::list(features)),
            ("n_tiles", Value::Int(i64::from(it.n_tiles))),
            ("n_open", Value::Int(i64::from(it.n_open))),
            ("is_complete", Value::Bool(it.is_complete)),
        ])
    };
    Ok(cx.state().board.preview(cx.tile_set(), layer, tile, at).into_iter().map(value).collect())
}

fn undrawn(api: &mut Api) {
    api.query(
        "fits",
        doc(
            "tile_type, spot, facing",
            "True if a tile with this facing matches the tiles beside a spot. Ignores a tile on the spot itself and the mods' `filter_places`.",
            "fits(tile.tile_type, tile.spot, 90)",
        ),
        |cx: &mut Cx, tile: TileIdx, spot: Spot, facing: i64| {
            Ok(cx.state().board.check_edges(cx.tile_set(), spot, tile, facing_of(facing)?).is_ok())
        },
    );
    api.method(
        "edge_kind",
        doc(
            "tile_type, facing, edge",
            "The kind of land in the middle of an edge (n, e, s, w) of a tile with this facing; `()` if the edge has only ground.",
            "tile.edge_kind(place.facing, \"n\") == \"water\"",
        ),
        |cx: &mut Cx, tile: TileIdx, facing: i64, edge: EdgeName| {
            let facing = facing_of(facing)?;
            let edge = Edge::ALL.into_iter().find(|e| *e.letter() == *edge.0).ok_or("an edge is n, e, s or w")?;
            let tile = cx.tile_set().tile(tile);
            let kind = tile.kind_at(tile.turned(facing), edge.ports()[1]);
            Ok(kind.map(|kind| cx.core.names.kinds[kind.0 as usize].clone()))
        },
    );
    api.method(
        "edges",
        doc(
            "tile_type, kind, facing",
            "The edges (n, e, s, w) of a tile with this facing that have a kind of land in the middle.",
            "tile.edges(\"water\", place.facing)",
        ),
        |cx: &mut Cx, tile: TileIdx, kind: OptionalName<KindIdx>, facing: i64| {
            let facing = facing_of(facing)?;
            let tile = cx.tile_set().tile(tile);
            let has = |edge: &Edge| kind.0.is_some() && tile.kind_at(tile.turned(facing), edge.ports()[1]) == kind.0;
            let edges = Edge::ALL.into_iter().filter(has);
            Ok(edges.map(|edge| Arc::from(edge.letter())).collect::<ReplyList<_>>())
        },
    );
    api.method(
        "zones",
        doc(
            "tile_type, facing",
            "The zones of a tile with this facing, each a map: `name` (such as `way@s`), `kind`, `edges` (n, e, s, w), `touches` (names of the zones that it borders), `meets` (names of the zones that end at the same point) \
             and `tags` (for each tag, a number or a list of words).",
            "turn.tile_type.zones(place.facing).filter(|zone| zone.tags.get(\"stones\", 0) > 0)",
        ),
        |cx: &mut Cx, tile: TileIdx, facing: i64| {
            let facing = facing_of(facing)?;
            let tile_set = cx.tile_set();
            let name = |zone: usize| tile_set.zone_name(tile, facing, zone);
            let value = |(z, zone): (usize, &Zone)| {
                let ports = zone.ports.turned(facing);
                let edges = Edge::ALL.into_iter().filter(|edge| ports.iter().any(|port| port.edge() == *edge));
                Value::map([
                    ("name", Value::text(&name(z))),
                    ("kind", Value::Text(cx.core.names.kinds[zone.kind.0 as usize].clone())),
                    ("edges", texts(edges.map(|edge| edge.letter().to_owned()))),
                    ("touches", texts((0..32).filter(|other| zone.touches >> other & 1 == 1).map(name))),
                    ("meets", texts((0..32).filter(|other| zone.meets >> other & 1 == 1).map(name))),
                    ("tags", tags(cx, zone)),
                ])
            };
            Ok(tile_set.tile(tile).zones.iter().enumerate().map(value).collect::<ReplyList<_>>())
        },
    );
}

/// Returns the tags of a zone of a tile that is not laid. The value of a tag is a number, or a list
/// of words in which a word can occur several times.
fn tags(cx: &Cx, zone: &Zone) -> Value {
    let mut tags: BTreeMap<Arc<str>, Value> = BTreeMap::new();
    for it in zone.tags.iter().filter(|it| it.value != 0) {
        let column = cx.tile_set().columns[it.column.0 as usize];
        let name = Arc::from(cx.tile_set().tag(column.tag).name.as_str());
        let Some(word) = column.value else {
            tags.insert(name, Value::Int(i64::from(it.value)));
            continue;
        };
        let word = Value::Text(cx.core.names.words[column.tag.0 as usize][word as usize].clone());
        let Value::List(words) = tags.entry(name).or_insert_with(|| Value::list([])) else { continue };
        Arc::make_mut(words).extend(std::iter::repeat_n(word, it.value as usize));
    }
    Value::Map(Arc::new(tags))
}
