//! Features: connected zones, and counts of their contents.

use std::sync::Arc;

use board::{
    CompletionRule, FeatureRef, KindIdx, KindSet, LayerIdx, PieceKindSet, Spot, TagIdx, TileRef, ZoneRef, ZoneSet,
};
use rules::{PieceKindIdx, PieceRef, ReadSet, Refusal, Seat};

use super::builder::{Api, doc};
use super::costs::{NESTED_CALL_COST, charge_for_pieces};
use super::pieces::{counts_as, piece_filter};
use super::tag_words::repeated;
use crate::core::Cx;
use crate::handles::{first_zone, tile_key, zone_key};
use crate::named_options::OpenZonesOptions;
use crate::params::{Name, Names, OptionalName};
use crate::replies::ReplyList;

pub(super) fn add(api: &mut Api) {
    api.topic("Features");
    api.query(
        "features",
        doc(
            "kind",
            "All features of a kind of land, row by row from the north-west.",
            "features(\"way\").filter(|way| way.is_open)",
        ),
        |cx: &mut Cx, kind: OptionalName<KindIdx>| {
            let Some(kind) = kind.0 else { return Ok(Vec::new()) };
            all(cx, LayerIdx(0), |cx, feature| cx.state().board.kind(feature.anchor) == kind)
        },
    );
    api.query(
        "features_in",
        doc("layer", "All features of a layer, row by row from the north-west.", "features_in(\"water\")"),
        |cx: &mut Cx, layer: OptionalName<LayerIdx>| match layer.0 {
            Some(layer) => all(cx, layer, |_, _| true),
            None => Ok(Vec::new()),
        },
    );
    api.query(
        "complete_features",
        doc(
            "kind",
            "All complete features of a kind of land, row by row from the north-west.",
            "for way in complete_features(\"way\") { }",
        ),
        |cx: &mut Cx, kind: OptionalName<KindIdx>| complete_features(cx, kind.0),
    );
    api.reads(ReadSet::COMPLETE).query(
        "n_complete",
        doc(
            "kind",
            "The number of complete features of a kind of land.",
            "score(player, n_complete(\"way\"), \"ways\");",
        ),
        |cx: &mut Cx, kind: OptionalName<KindIdx>| n_complete(cx, kind.0),
    );
    open_zones(api);
    shape(api);
    tags(api);
    people(api);
    worth(api);
}

/// Returns the features of a layer for which `passes` returns true, in order from the north-west.
/// `passes` receives a handle that refers to the feature by its root zone.
fn all(cx: &Cx, layer: LayerIdx, passes: impl Fn(&Cx, FeatureRef) -> bool) -> Result<Vec<FeatureRef>, Refusal> {
    let board = &cx.state().board;
    cx.spend(board.n_zones())?;
    Ok(in_order(cx, layer, board.roots(layer).filter(|root| passes(cx, *root))))
}

/// Returns the features of a layer with these roots, in order from the north-west. Each handle
/// refers to the feature by its first zone.
fn in_order(cx: &Cx, layer: LayerIdx, roots: impl Iterator<Item = FeatureRef>) -> Vec<FeatureRef> {
    let mut anchors: Vec<ZoneRef> = roots.map(|root| first_zone(cx.state(), root)).collect();
    anchors.sort_by_cached_key(|zone| zone_key(cx.state(), *zone));
    anchors.into_iter().map(|anchor| FeatureRef { layer, anchor }).collect()
}

/// Returns the complete features of a kind, in order from the north-west.
fn complete_features(cx: &mut Cx, kind: Option<KindIdx>) -> Result<Vec<FeatureRef>, Refusal> {
    let Some(kind) = kind else { return Ok(Vec::new()) };
    let passes = |cx: &Cx, feature: FeatureRef| {
        let board = &cx.state().board;
        board.kind(feature.anchor) == kind && board.is_complete(cx.tile_set(), feature)
    };
    let mut complete = Vec::new();
    for feature in all(cx, LayerIdx(0), passes)? {
        if is_complete(cx, feature)? {
            complete.push(feature);
        }
    }
    Ok(complete)
}

/// Returns the number of complete features of a kind. If no mod has the hook `is_complete`, counts
/// without making a list of the features, which is cheaper.
fn n_complete(cx: &mut Cx, kind: Option<KindIdx>) -> Result<usize, Refusal> {
    match kind {
        Some(kind) if !cx.catalogue().has(rules::Hook::IsComplete) => Ok(cx.state().board.n_complete(kind)),
        _ => complete_features(cx, kind).map(|features| features.len()),
    }
}

fn open_zones(api: &mut Api) {
    api.query(
        "open_zones",
        doc(
            "kinds, named",
            "All zones of incomplete features of one or several kinds, in the order in which tiles were laid. The result is a set, which `ask` accepts; for loops and filters, use its `list`.",
            "ask(turn.player, \"Where?\", open_zones([\"way\", \"yard\"], #{ without: \"ghost\" }))",
        ),
        |cx: &mut Cx, kinds: Names<KindIdx>, named: OpenZonesOptions| {
            let without = named.without.map_or(Vec::new(), |without| without.0);
            let pieces = without.iter().fold(0, |set, kind| set | cx.catalogue().kinds_counting_as(*kind).0);
            zones_of_open_features(cx, &kinds.0, PieceKindSet(pieces))
        },
    );
    api.get("len", "The number of zones in the set.", "open_zones(\"way\").len", |_cx: &mut Cx, it: ZoneSet| {
        Ok(it.len())
    });
    api.method(
        "is_empty",
        doc("zones", "True if the set contains no zones.", "if open_zones(\"way\").is_empty() { return; }"),
        |_cx: &mut Cx, it: ZoneSet| Ok(it.is_empty()),
    );
    api.get(
        "list",
        "The zones as an ordinary list, for loops and filters.",
        "for zone in open_zones(\"way\").list { }",
        |_cx: &mut Cx, it: ZoneSet| Ok(it.iter().collect::<ReplyList<_>>()),
    );
}

/// Returns the zones of all incomplete features of `kinds`, except features on which a piece of a
/// kind in `without` stands.
fn zones_of_open_features(cx: &mut Cx, kinds: &[KindIdx], without: PieceKindSet) -> Result<ZoneSet, Refusal> {
    cx.spend(cx.state().board.n_zones() / 8)?;
    let kinds = KindSet::from_iter(kinds.iter().copied());
    if cx.catalogue().has(rules::Hook::IsComplete) {
        return zones_of_open_features_by_hook(cx, kinds, without);
    }
    Ok(cx.state().board.open_zones(kinds, cx.state().zones_with_pieces(cx.call.ruleset(), without)))
}

/// Returns the same zones as [`zones_of_open_features`], but calls the hook `is_complete` to decide
/// whether a feature is complete.
fn zones_of_open_features_by_hook(cx: &mut Cx, kinds: KindSet, without: PieceKindSet) -> Result<ZoneSet, Refusal> {
    let board = &cx.state().board;
    let is_candidate = |feature: &FeatureRef| {
        kinds.contains(board.kind(feature.anchor)) && !board.piece_kinds(*feature).intersects(without)
    };
    let features: Vec<FeatureRef> = board.roots(LayerIdx(0)).filter(is_candidate).collect();
    let mut zones = Vec::new();
    for feature in features {
        if !is_complete(cx, feature)? {
            zones.extend(cx.state().board.zones(feature));
        }
    }
    Ok(zones.into_iter().collect())
}

/// Charges the budget for visiting the zones of a feature and sorting the results.
fn charge_for_visit(cx: &Cx, feature: FeatureRef) -> Result<(), Refusal> {
    cx.spend(ZONE_COST * cx.state().board.n_zones_in(feature) as usize)
}

/// Returns the zones of a feature, in order from the north-west.
fn zones(cx: &Cx, feature: FeatureRef) -> Result<Vec<ZoneRef>, Refusal> {
    charge_for_visit(cx, feature)?;
    let mut zones: Vec<ZoneRef> = cx.state().board.zones(feature).collect();
    zones.sort_unstable_by_key(|zone| zone_key(cx.state(), *zone));
    Ok(zones)
}

/// Returns the tiles of a feature, in order from the north-west.
fn tiles(cx: &Cx, feature: FeatureRef) -> Result<Vec<TileRef>, Refusal> {
    charge_for_visit(cx, feature)?;
    let board = &cx.state().board;
    let mut tiles: Vec<TileRef> = board.zones(feature).map(|zone| board.tile_of(zone)).collect();
    tiles.sort_unstable_by_key(|tile| tile_key(cx.state(), *tile));
    tiles.dedup();
    Ok(tiles)
}

pub(super) fn spots(cx: &Cx, feature: FeatureRef) -> Result<Vec<Spot>, Refusal> {
    let board = &cx.state().board;
    let mut spots: Vec<Spot> = tiles(cx, feature)?.into_iter().map(|tile| board.tile(tile).spot).collect();
    if cx.tile_set().kind(board.kind(feature.anchor)).closes == CompletionRule::Surrounded {
        let own = board.tile_at_zone(feature.anchor).spot;
        spots.extend(own.surrounding_spots().filter(|spot| board.tile_at(*spot).is_some()));
        spots.sort_unstable_by_key(|spot| (spot.y, spot.x));
        spots.dedup();
    }
    Ok(spots)
}

fn shape(api: &mut Api) {
    api.reads(ReadSet::NOTHING).get(
        "kind",
        "The kind of land of the feature.",
        "feature.kind == \"way\"",
        |cx: &mut Cx, feature: FeatureRef| {
            let kind = cx.state().board.kind(feature.anchor);
            Ok(cx.core.names.kinds[kind.0 as usize].clone())
        },
    );
    api.reads(ReadSet::NOTHING).get(
        "n_tiles",
        "The number of different tiles on which the feature lies.",
        "feature.n_tiles",
        |cx: &mut Cx, feature: FeatureRef| Ok(cx.state().board.n_tiles(feature)),
    );
    api.reads(ReadSet::NOTHING).get(
        "n_zones",
        "The number of zones of the feature.",
        "feature.n_zones",
        |cx: &mut Cx, feature: FeatureRef| Ok(cx.state().board.n_zones_in(feature)),
    );
    api.reads(ReadSet::NOTHING).get(
        "n_spots",
        "The number of spots with a tile that count for the feature: the spots of its tiles. For a kind that closes when surrounded: its own spot and the spots with a tile around it.",
        "feature.n_spots",
        |cx: &mut Cx, feature: FeatureRef| Ok(cx.state().board.n_spots(cx.tile_set(), feature)),
    );
    api.get(
        "tiles",
        "The tiles with zones of the feature, row by row from the north-west. If the kind counts the spots around a zone, these are not included: see `feature.spots`.",
        "feature.tiles",
        |cx: &mut Cx, feature: FeatureRef| tiles(cx, feature),
    );
    api.get(
        "ends",
        "The tiles with edges that fit anything (`edges = \"any\"`) at which the feature ends, each once. The feature's own tiles do not include them.",
        "score.plus(feature.ends.len(), \"abbeys\");",
        |cx: &mut Cx, feature: FeatureRef| {
            charge_for_visit(cx, feature)?;
            Ok(cx.state().board.end_tiles(cx.tile_set(), feature))
        },
    );
    api.get(
        "zones",
        "The zones of the feature, row by row from the north-west.",
        "feature.zones",
        |cx: &mut Cx, feature: FeatureRef| zones(cx, feature),
    );
    api.get(
        "spots",
        "The spots that count for the feature (see `n_spots`), row by row from the north-west.",
        "for spot in feature.spots { n += pile(\"gold\", spot); }",
        |cx: &mut Cx, feature: FeatureRef| spots(cx, feature),
    );
    api.reads(ReadSet::NOTHING).get(
        "zone",
        "The first zone of the feature, row by row from the north-west.",
        "feature.zone",
        |cx: &mut Cx, feature: FeatureRef| Ok(first_zone(cx.state(), feature)),
    );
    api.reads(ReadSet::NOTHING).get(
        "is_open",
        "True if the feature is not complete yet.",
        "feature.is_open",
        |cx: &mut Cx, feature: FeatureRef| is_complete(cx, feature).map(|complete| !complete),
    );
    api.reads(ReadSet::NOTHING).get(
        "is_complete",
        "True if the feature is complete.",
        "feature.is_complete",
        |cx: &mut Cx, feature: FeatureRef| is_complete(cx, feature),
    );
    api.reads(ReadSet::NOTHING).get(
        "layer",
        "The layer in which the zones of the feature are joined.",
        "feature.layer",
        |cx: &mut Cx, feature: FeatureRef| Ok(Arc::from(cx.tile_set().layers[feature.layer.0 as usize].name.as_str())),
    );
    api.method(
        "in_layer",
        doc(
            "feature, layer",
            "The feature of another layer that contains this feature's zones; `()` if the kind of the feature does not belong to that layer.",
            "feature.in_layer(\"water\")",
        ),
        |cx: &mut Cx, feature: FeatureRef, layer: Name<LayerIdx>| {
            let other = FeatureRef { layer: layer.0, anchor: feature.anchor };
            Ok(cx.state().board.layer_includes(layer.0, feature.anchor).then_some(other))
        },
    );
    api.method(
        "touches",
        doc("feature, spot", "True if the feature lies on the tile on this spot.", "piece.feature.touches(tile.spot)"),
        |cx: &mut Cx, feature: FeatureRef, spot: Spot| {
            charge_for_visit(cx, feature)?;
            let board = &cx.state().board;
            Ok(board.tile_at(spot).is_some_and(|tile| board.zones(feature).any(|zone| board.tile_of(zone) == tile)))
        },
    );
    api.reads(ReadSet::ADJACENT).method(
        "neighbours",
        doc(
            "feature, kind",
            "The features that the feature borders, each once. With a kind: only features of that kind.",
            "for yard in feature.neighbours(\"yard\") { }",
        ),
        |cx: &mut Cx, feature: FeatureRef, kind: Option<OptionalName<KindIdx>>| {
            let kinds = kind.map_or(KindSet::ALL, |kind| kind.0.into_iter().collect());
            charge_for_visit(cx, feature)?;
            Ok(bordering(cx, feature, kinds))
        },
    );
    api.get(
        "meets",
        "The features that the zones of this feature meet inside tiles (see `zone.meets`), each once. The list contains this feature if two of its own zones meet.",
        "for way in feature.meets { }",
        |cx: &mut Cx, feature: FeatureRef| {
            charge_for_visit(cx, feature)?;
            let (board, tile_set) = (&cx.state().board, cx.tile_set());
            let of = |anchor: ZoneRef| FeatureRef { layer: LayerIdx(0), anchor };
            let lines = board.zones(feature).flat_map(|zone| board.meeting_zones(tile_set, zone));
            let mut roots: Vec<ZoneRef> = lines.map(|zone| board.root(of(zone))).collect();
            roots.sort_unstable();
            roots.dedup();
            Ok(in_order(cx, LayerIdx(0), roots.into_iter().map(of)))
        },
    );
    api.reads(ReadSet::COMPLETE).method(
        "complete_neighbours",
        doc(
            "feature, kind",
            "The complete features of a kind that the feature borders, each once.",
            "3 * feature.complete_neighbours(\"yard\").len()",
        ),
        |cx: &mut Cx, feature: FeatureRef, kind: OptionalName<KindIdx>| {
            let Some(kind) = kind.0 else { return Ok(Vec::new()) };
            charge_for_visit(cx, feature)?;
            let kinds = KindSet::from_iter([kind]);
            let mut complete = Vec::new();
            for other in sort_features(cx, cx.state().board.complete_neighbours(cx.tile_set(), feature, kinds)) {
                if is_complete(cx, other)? {
                    complete.push(other);
                }
            }
            Ok(complete)
        },
    );
}

fn bordering(cx: &Cx, feature: FeatureRef, kinds: KindSet) -> Vec<FeatureRef> {
    let mut found = Vec::new();
    cx.state().board.add_bordering(cx.tile_set(), feature, kinds, &mut found);
    sort_features(cx, found)
}

/// Sorts features by their first zones, in order from the north-west.
fn sort_features(cx: &Cx, mut features: Vec<FeatureRef>) -> Vec<FeatureRef> {
    features.sort_by_cached_key(|feature| zone_key(cx.state(), first_zone(cx.state(), *feature)));
    features
}

/// Returns whether the feature is complete. Calls functions of mods only if a mod has the hook
/// `is_complete`.
fn is_complete(cx: &mut Cx, feature: FeatureRef) -> Result<bool, Refusal> {
    if !cx.state().board.is_complete(cx.tile_set(), feature) {
        return Ok(false);
    }
    if !cx.catalogue().has(rules::Hook::IsComplete) {
        return Ok(true);
    }
    cx.call.is_complete(feature)
}

fn tags(api: &mut Api) {
    api.reads(ReadSet::NOTHING).method(
        "has",
        doc(
            "feature, tag",
            "True if the feature has a tag after the values of its zones are merged.",
            "feature.has(\"mill\")",
        ),
        |cx: &mut Cx, feature: FeatureRef, tag: OptionalName<TagIdx>| {
            tag.0.map_or(Ok(false), |tag| Ok(number(cx, feature, tag)? != 0))
        },
    );
    api.reads(ReadSet::NOTHING).method(
        "count",
        doc(
            "feature, tag, word",
            "The merged number of a tag: a sum, a maximum, 0 or 1, or the number of words; for a tag of tiles, the number of the feature's tiles with the tag. With a word: the number of times that the word occurs.",
            "feature.count(\"goods\", \"wool\")",
        ),
        |cx: &mut Cx, feature: FeatureRef, tag: OptionalName<TagIdx>, word: Option<Arc<str>>| {
            let Some(tag) = tag.0 else { return Ok(0) };
            let Some(word) = word else { return number(cx, feature, tag) };
            Ok(words(cx, feature, tag).iter().find(|(w, _)| *w == word).map_or(0, |(_, n)| *n))
        },
    );
    api.reads(ReadSet::NOTHING).method(
        "tags",
        doc(
            "feature, tag",
            "The words of a tag on the feature, in order of declaration: for a set, each word once; for a multiset, each word as often as it occurs.",
            "for good in feature.tags(\"goods\") { give(turn.player, good, 1); }",
        ),
        |cx: &mut Cx, feature: FeatureRef, tag: OptionalName<TagIdx>| {
            let Some(tag) = tag.0 else { return Ok(ReplyList::empty()) };
            let once = cx.tile_set().tag(tag).merge == board::MergeRule::Set;
            let words = words(cx, feature, tag).into_iter();
            repeated(words.map(|(word, n)| (word, if once { n.min(1) } else { n })))
        },
    );
}

fn number(cx: &Cx, feature: FeatureRef, tag: TagIdx) -> Result<i64, Refusal> {
    if cx.tile_set().tag(tag).on == board::TagCarrier::Tile {
        // The board does not count tags of tiles for features. The value of such a tag on a feature
        // is the number of tiles that carry the tag.
        let tiles = tiles(cx, feature)?.into_iter();
        return Ok(tiles.filter(|t| cx.state().tile_tag(cx.call.ruleset(), *t, tag).is_some()).count() as i64);
    }
    let board = &cx.state().board;
    Ok(cx.catalogue().tag_number(tag, board.columns(feature), board.n_zones_in(feature)))
}

/// Returns the words of a tag on a feature, each with the number of its occurrences.
fn words(cx: &Cx, feature: FeatureRef, tag: TagIdx) -> Vec<(Arc<str>, i64)> {
    let declared = cx.tile_set().tag(tag);
    if declared.on == board::TagCarrier::Tile
        || !matches!(declared.merge, board::MergeRule::Set | board::MergeRule::Multiset)
    {
        return Vec::new();
    }
    let first = declared.first_column.0 as usize;
    let columns = cx.state().board.columns(feature);
    let words = cx.core.names.words[tag.0 as usize].iter().enumerate();
    let counted = words.map(|(i, word)| (word.clone(), i64::from(columns[first + i])));
    counted.filter(|(_, n)| *n > 0).collect()
}

/// Returns the pieces that count for a feature and for which `passes` returns true.
fn pieces(cx: &Cx, feature: FeatureRef, passes: impl Fn(&rules::Piece) -> bool) -> Vec<PieceRef> {
    let on = rules::pieces_on(cx.state(), feature).into_iter();
    on.filter(|(_, piece)| passes(piece)).map(|(piece, _)| piece).collect()
}

fn people(api: &mut Api) {
    api.reads(ReadSet::NOTHING).get(
        "pieces",
        "The pieces on the feature.",
        "feature.pieces.is_empty()",
        |cx: &mut Cx, feature: FeatureRef| Ok(pieces(cx, feature, |_| true)),
    );
    api.reads(ReadSet::NOTHING).method(
        "pieces",
        doc(
            "feature, piece",
            "The pieces on the feature that are, or count as, a kind of piece.",
            "feature.pieces(\"runner\").some(|other| other.owner == player)",
        ),
        |cx: &mut Cx, feature: FeatureRef, kind: OptionalName<PieceKindIdx>| {
            Ok(pieces(cx, feature, counts_as(cx, kind.0)))
        },
    );
    api.reads(ReadSet::NOTHING).method(
        "has_piece_of",
        doc(
            "feature, player, piece",
            "True if a player has a piece on the feature. With a piece kind: only if one of them is, or counts as, that kind.",
            "feature.has_piece_of(player, \"runner\")",
        ),
        |cx: &mut Cx, feature: FeatureRef, player: Seat, kind: Option<OptionalName<PieceKindIdx>>| {
            let is_such = piece_filter(cx, kind, None);
            Ok(!pieces(cx, feature, |piece| piece.owner == Some(player) && is_such(piece)).is_empty())
        },
    );
    api.query(
        "features_of",
        doc(
            "player, kind",
            "The features on which a player has a piece, each once, row by row from the north-west. With a kind of land: only features of that kind. A piece counts for the feature of its own layer.",
            "features_of(player, \"way\").most(|way| way.n_tiles)",
        ),
        |cx: &mut Cx, player: Seat, kind: Option<OptionalName<KindIdx>>| {
            let wanted = kind.map_or(KindSet::ALL, |kind| kind.0.into_iter().collect());
            charge_for_pieces(cx)?;
            Ok(features_of(cx, player, wanted))
        },
    );
    api.reads(ReadSet::NOTHING).get(
        "owners",
        "The players with a piece on the feature.",
        "feature.owners",
        |cx: &mut Cx, feature: FeatureRef| {
            let on = rules::pieces_on(cx.state(), feature);
            let mut owners: Vec<Seat> = on.iter().filter_map(|(_, piece)| piece.owner).collect();
            owners.sort_unstable();
            owners.dedup();
            Ok(owners)
        },
    );
    api.get(
        "winners",
        "The players with the majority on the feature; in a tie, all tied players.",
        "feature.winners.contains(player)",
        |cx: &mut Cx, feature: FeatureRef| {
            cx.spend(NESTED_CALL_COST)?;
            cx.call.majority_holders(feature)
        },
    );
}

/// Returns the features of these kinds on which a player has a piece, in order from the north-west.
fn features_of(cx: &Cx, player: Seat, kinds: KindSet) -> Vec<FeatureRef> {
    let state = cx.state();
    let mut found: Vec<(ZoneRef, FeatureRef)> = Vec::new();
    for (piece, it) in state.pieces().filter(|(_, it)| it.owner == Some(player)) {
        for anchor in state.zones_of_piece(piece).filter(|zone| kinds.contains(state.board.kind(*zone))) {
            let feature = state.feature_under(cx.call.ruleset(), it.kind, anchor);
            let root = state.board.root(feature);
            if !found.iter().any(|(other, of)| (*other, of.layer) == (root, feature.layer)) {
                found.push((root, FeatureRef { anchor: first_zone(state, feature), ..feature }));
            }
        }
    }
    let mut features: Vec<FeatureRef> = found.into_iter().map(|(_, feature)| feature).collect();
    features.sort_by_key(|feature| (zone_key(state, feature.anchor), feature.layer));
    features
}

fn worth(api: &mut Api) {
    api.method(
        "value_now",
        doc(
            "feature, player",
            "The points that the feature, with its present tiles, would pay a player if it were complete and the player had the majority. Without an argument: the points for the player whose turn it is.",
            "feature.value_now(player)",
        ),
        |cx: &mut Cx, feature: FeatureRef, player: Option<Seat>| {
            cx.spend(NESTED_CALL_COST + cx.state().board.n_zones_in(feature) as usize)?;
            let player = player.unwrap_or(cx.state().player());
            cx.call.value_now(feature, player)
        },
    );
    api.method(
        "value_at_end",
        doc(
            "feature, player",
            "The points that the formula for the final count would pay a player for the feature if the player had the majority. Without an argument: the points for the player whose turn it is. The result is 0 for a complete feature that pays on completion, because it was scored already, or will be at the end of this part.",
            "ways.most(|way| way.value_at_end(player))",
        ),
        |cx: &mut Cx, feature: FeatureRef, player: Option<Seat>| {
            cx.spend(NESTED_CALL_COST + cx.state().board.n_zones_in(feature) as usize)?;
            let player = player.unwrap_or(cx.state().player());
            cx.call.value_at_end(feature, player)
        },
    );
}

/// The cost of visiting a zone and sorting it among others, in units of weight.
const ZONE_COST: usize = 8;
