//! An independent recount of the board, which finds features by flood fill over the placed tiles
//! and links.

use std::collections::{BTreeMap, BTreeSet};

use board::{ANY_EDGE, Board, CompletionRule, Edge, FeatureRef, LayerIdx, PieceKindSet, Placement, TileIdx, ZoneRef};
use rules::{Answer, Location, PieceRef, Question, Ruleset, State};

/// Compares every feature of every layer with a flood fill. The error describes the difference.
pub fn recount(ruleset: &Ruleset, state: &State) -> Result<(), String> {
    for layer in 0..state.board.n_layers() {
        recount_layer(ruleset, state, LayerIdx(layer as u8))?;
    }
    Ok(())
}

fn all_zones(board: &Board) -> impl Iterator<Item = ZoneRef> {
    (0..board.n_zones() as u32).map(ZoneRef).filter(|zone| board.has_zone(*zone))
}

fn recount_layer(ruleset: &Ruleset, state: &State, layer: LayerIdx) -> Result<(), String> {
    let tile_set = &ruleset.catalogue.tile_set;
    let board = &state.board;
    let zones: Vec<ZoneRef> = all_zones(board).filter(|z| board.layer_includes(layer, *z)).collect();
    let mut edges: BTreeMap<ZoneRef, BTreeSet<ZoneRef>> = BTreeMap::new();
    let mut open: BTreeMap<ZoneRef, u32> = BTreeMap::new();
    for zone in &zones {
        let placed = *board.tile_at_zone(*zone);
        let shape = tile_set.tile(placed.tile);
        let ports = shape.zones[placed.local_index(*zone)].ports.turned(placed.facing);
        for port in ports.iter() {
            // Finds the neighbour by comparing spots, without the board's own index.
            let across = placed.spot.across(port.edge());
            let other = board.laid_tiles().map(|(_, t)| t).find(|t| Some(t.spot) == across);
            let Some(other) = other else {
                *open.entry(*zone).or_default() += 1;
                continue;
            };
            let mirrored = port.opposite();
            let meets =
                tile_set.tile(other.tile).zones.iter().position(|z| z.ports.turned(other.facing).contains(mirrored));
            if let Some(meets) = meets {
                edges.entry(*zone).or_default().insert(other.zone(meets));
            }
        }
        if tile_set.layers[layer.0 as usize].joins_touching {
            edges
                .entry(*zone)
                .or_default()
                .extend(board.touching_zones(tile_set, *zone).filter(|z| board.layer_includes(layer, *z)));
        }
    }
    for link in board.links().iter().filter(|_| layer.0 == 0) {
        edges.entry(link.a).or_default().insert(link.b);
        edges.entry(link.b).or_default().insert(link.a);
    }
    let mut seen: BTreeSet<ZoneRef> = BTreeSet::new();
    for zone in &zones {
        if seen.contains(zone) {
            continue;
        }
        let mut feature = BTreeSet::from([*zone]);
        let mut todo = vec![*zone];
        while let Some(next) = todo.pop() {
            for other in edges.get(&next).into_iter().flatten() {
                if feature.insert(*other) {
                    todo.push(*other);
                }
            }
        }
        compare(ruleset, state, FeatureRef { layer, anchor: *zone }, &feature, &open)?;
        seen.extend(feature);
    }
    Ok(())
}

fn compare(
    ruleset: &Ruleset,
    state: &State,
    feature: FeatureRef,
    zones: &BTreeSet<ZoneRef>,
    open: &BTreeMap<ZoneRef, u32>,
) -> Result<(), String> {
    let (tile_set, board) = (&ruleset.catalogue.tile_set, &state.board);
    let check = |what: &str, kept: i64, counted: i64| {
        if kept == counted {
            return Ok(());
        }
        Err(format!("{what} of {}: stored {kept}, counted {counted}", rules::zone_text(ruleset, state, feature.anchor)))
    };
    let kept: BTreeSet<ZoneRef> = board.zones(feature).collect();
    check("zones", kept.len() as i64, zones.len() as i64)?;
    check("the same zones", i64::from(kept == *zones), 1)?;
    check("number of zones", i64::from(board.n_zones_in(feature)), zones.len() as i64)?;
    let tiles: BTreeSet<_> = zones.iter().map(|z| board.tile_of(*z)).collect();
    check("tiles", i64::from(board.n_tiles(feature)), tiles.len() as i64)?;
    let n_open: u32 = zones.iter().filter_map(|z| open.get(z)).sum();
    check("open ports", i64::from(board.n_open(feature)), i64::from(n_open))?;
    for (c, column) in tile_set.columns.iter().enumerate() {
        let column_idx = board::ColumnIdx(c as u8);
        let values = zones.iter().map(|z| board.zone_value(tile_set, *z, column_idx));
        let counted = if column.is_max { values.max().unwrap_or(0) } else { values.sum() };
        check("tags", i64::from(board.column(feature, column_idx)), i64::from(counted))?;
    }
    if tile_set.kind(board.kind(feature.anchor)).closes == CompletionRule::Surrounded {
        let spot = board.tile_at_zone(feature.anchor).spot;
        let near = |t: &&board::PlacedTile| (t.spot.x - spot.x).abs() <= 1 && (t.spot.y - spot.y).abs() <= 1;
        let counted = board.laid_tiles().map(|(_, t)| t).filter(near).count() as i64;
        check("laid spots around", i64::from(board.n_spots(tile_set, feature)), counted)?;
    }
    let on = |(piece, it): &(PieceRef, &rules::Piece)| {
        let piece_layer = ruleset.catalogue.piece(it.kind).layer;
        matches!(it.place, Location::Zone(_))
            && state.zones_of_piece(*piece).any(|z| {
                let counts_in = if board.layer_includes(piece_layer, z) { piece_layer } else { LayerIdx(0) };
                zones.contains(&z) && counts_in == feature.layer
            })
    };
    let counted: BTreeSet<PieceRef> = state.pieces().filter(on).map(|(p, _)| p).collect();
    let kept: BTreeSet<PieceRef> = rules::pieces_on(state, feature).into_iter().map(|(p, _)| p).collect();
    check("the same pieces", i64::from(kept == counted), 1)
}

/// Checks that the open spots are the empty spots beside tiles, and that the board stores the
/// adjacent edges of each open spot correctly.
pub fn recount_open(ruleset: &Ruleset, state: &State) -> Result<(), String> {
    let (tile_set, board) = (&ruleset.catalogue.tile_set, &state.board);
    let laid: BTreeMap<_, _> = board.laid_tiles().map(|(_, t)| (t.spot, t)).collect();
    let mut open = BTreeSet::new();
    for spot in laid.keys() {
        open.extend(Edge::ALL.iter().filter_map(|e| spot.across(*e)).filter(|s| !laid.contains_key(s)));
    }
    let kept: BTreeSet<_> = board.open_spots().map(|o| o.spot).collect();
    if kept != open {
        return Err(format!("open spots: stored {kept:?}, counted {open:?}"));
    }
    for it in board.open_spots() {
        for edge in Edge::ALL {
            let near = it.spot.across(edge).and_then(|s| laid.get(&s));
            let shows =
                near.map(|t| tile_set.mirror(tile_set.tile(t.tile).turned(t.facing).edges[edge.opposite() as usize]));
            if it.required_code(edge as usize) != shows.filter(|code| *code != ANY_EDGE) {
                return Err(format!("the {} edge of open spot {} has the wrong requirement", edge.letter(), it.spot));
            }
        }
    }
    Ok(())
}

/// Checks the board's index of zones in incomplete features, its counts of complete features by
/// kind, and the index of features with pieces.
pub fn recount_complete(ruleset: &Ruleset, state: &State) -> Result<(), String> {
    let (tile_set, board) = (&ruleset.catalogue.tile_set, &state.board);
    let feature = |anchor| FeatureRef { layer: LayerIdx(0), anchor };
    for (k, kind) in tile_set.kinds.iter().enumerate() {
        let kind_idx = board::KindIdx(k as u8);
        let zones = all_zones(board).filter(|zone| board.kind(*zone) == kind_idx);
        let (complete, open): (Vec<ZoneRef>, Vec<ZoneRef>) =
            zones.partition(|zone| board.is_complete(tile_set, feature(*zone)));
        let kept = board.open_zones([kind_idx].into_iter().collect(), std::iter::empty());
        if !kept.iter().eq(open.iter().copied()) {
            return Err(format!("open zones of kind {}: stored {kept:?}, counted {open:?}", kind.name));
        }
        let features: BTreeSet<ZoneRef> = complete.iter().map(|zone| board.root(feature(*zone))).collect();
        if board.n_complete(kind_idx) != features.len() {
            let (kept, counted) = (board.n_complete(kind_idx), features.len());
            return Err(format!("complete features of kind {}: stored {kept}, counted {counted}", kind.name));
        }
    }
    for sort in 0..ruleset.catalogue.pieces.len() {
        let sorts = PieceKindSet(1 << sort);
        let on = |zone: &ZoneRef| board.piece_kinds(feature(*zone)).intersects(sorts);
        let counted: BTreeSet<ZoneRef> = all_zones(board).filter(on).map(|zone| board.root(feature(zone))).collect();
        let kept: BTreeSet<ZoneRef> =
            state.zones_with_pieces(ruleset, sorts).map(|zone| board.root(feature(zone))).collect();
        if kept != counted {
            return Err(format!("features with piece {sort}: stored {kept:?}, counted {counted:?}"));
        }
    }
    Ok(())
}

/// Checks that the preview of placing the current tile is correct, at a few of the offered places.
pub fn check_placement_previews(ruleset: &Ruleset, state: &State) -> Result<(), String> {
    let Some(decision) = state.decision() else { return Ok(()) };
    let Question::Place(tile) = decision.question else { return Ok(()) };
    let n = decision.n_options(state);
    for i in (0..n).step_by(1 + n / 8) {
        if let Some(Answer::Place(place)) = decision.nth(ruleset, state, i) {
            check_placement_preview(ruleset, state, tile, place)?;
        }
    }
    Ok(())
}

fn check_placement_preview(ruleset: &Ruleset, state: &State, tile: TileIdx, place: Placement) -> Result<(), String> {
    type VisitedZones = (Vec<usize>, BTreeSet<ZoneRef>, u32, u32, bool);
    let tile_set = &ruleset.catalogue.tile_set;
    let (before, mut board, mut touched) = (&state.board, state.board.clone(), Vec::new());
    let laid = board.place(tile_set, place.spot, tile, place.facing, &mut touched, None);
    let laid = laid.map_err(|error| format!("{tile:?} was offered at {place:?}: {error:?}"))?;
    for layer in (0..board.n_layers() as u8).map(LayerIdx) {
        let root = |zone: ZoneRef| before.root(FeatureRef { layer, anchor: zone });
        let seen = |feature: &FeatureRef| -> VisitedZones {
            let zones = board.sorted_zones(*feature);
            let (own, old) = zones.into_iter().partition::<Vec<_>, _>(|zone| board.tile_of(*zone) == laid);
            let own = own.into_iter().map(|zone| board.tile(laid).local_index(zone)).collect();
            let parts = old.into_iter().map(root).collect();
            (own, parts, board.n_open(*feature), board.n_tiles(*feature), board.is_complete(tile_set, *feature))
        };
        let done: BTreeSet<VisitedZones> = touched.iter().filter(|it| it.layer == layer).map(seen).collect();
        let said = before.preview(tile_set, layer, tile, place).into_iter();
        let said: BTreeSet<VisitedZones> = said
            .map(|it| (it.zones, it.parts.into_iter().map(root).collect(), it.n_open, it.n_tiles, it.is_complete))
            .collect();
        if done != said {
            let name = &tile_set.tile(tile).name;
            return Err(format!("{name} at {place:?}, layer {layer:?}: predicted {said:?}, actual {done:?}"));
        }
    }
    Ok(())
}
