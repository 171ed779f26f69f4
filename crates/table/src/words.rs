//! Features in words: one way to say what something is, for tooltips, logs and readers of the screen.

use board::{FeatureRef, KindIdx, LayerIdx, TagOn, ZoneRef};
use rules::{Location, Ruleset, State, pieces_on, zone_text};

/// The feature of `zone` in `layer`, if it takes part in it.
pub fn feature_of_zone(state: &State, layer: LayerIdx, zone: ZoneRef) -> Option<FeatureRef> {
    state.board.takes_part(layer, zone).then_some(FeatureRef { layer, anchor: zone })
}

/// The names of the kinds of land of a feature, each once, such as `path and square`.
pub fn kinds_words(ruleset: &Ruleset, state: &State, feature: FeatureRef) -> String {
    let mut kinds: Vec<KindIdx> = state.board.zones(feature).map(|z| state.board.kind(z)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let names: Vec<&str> = kinds.iter().map(|k| ruleset.catalogue.tile_set.kind(*k).name.as_str()).collect();
    match feature.layer.0 {
        0 => names.join(" and "),
        // A further layer joins several kinds under a name of its own.
        _ => format!("{} ({})", ruleset.catalogue.tile_set.layers[feature.layer.0 as usize].name, names.join(", ")),
    }
}

/// A feature in a line: `city · 5 tiles · 2 shields · 1 open side · red 2, blue 1`. Tags that are not there are not said.
pub fn feature_words(ruleset: &Ruleset, state: &State, feature: FeatureRef) -> String {
    let catalogue = &ruleset.catalogue;
    let board = &state.board;
    let many = |n: i64, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
    let mut words = vec![kinds_words(ruleset, state, feature)];
    words.push(many(i64::from(board.n_tiles(feature)), "tile", "tiles"));
    let columns = board.columns(feature);
    for (i, tag) in catalogue.tile_set.tags.iter().enumerate() {
        if tag.on != TagOn::Zone {
            continue;
        }
        let first = tag.first_column.0 as usize;
        if tag.values.is_empty() {
            let n = catalogue.tag_number(board::TagIdx(i as u8), columns, board.n_zones_in(feature));
            match n {
                0 => {}
                1 => words.push(tag.name.replace('_', " ")),
                n => words.push(format!("{} × {n}", tag.name.replace('_', " "))),
            }
        } else {
            for (v, value) in tag.values.iter().enumerate() {
                match columns.get(first + v).copied().unwrap_or(0) {
                    0 => {}
                    1 => words.push(value.clone()),
                    n => words.push(format!("{value} × {n}")),
                }
            }
        }
    }
    let n_open = i64::from(board.n_open(feature));
    words.push(match n_open {
        0 if board.is_complete(&catalogue.tile_set, feature) => "complete".to_owned(),
        0 => {
            let n = 9 - i64::from(board.n_spots(&catalogue.tile_set, feature)).min(9);
            many(n, "tile missing around it", "tiles missing around it")
        }
        n => many(n, "open side", "open sides"),
    });
    let pieces = pieces_on(state, feature);
    let mut owners: Vec<(String, i64)> = Vec::new();
    for (_, piece) in &pieces {
        let owner = piece.owner.map_or("nobody's", |seat| state.name(seat)).to_owned();
        let kind = &catalogue.piece(piece.kind).name;
        let who = format!("{owner} {kind}");
        match owners.iter_mut().find(|(name, _)| *name == who) {
            Some((_, n)) => *n += 1,
            None => owners.push((who, 1)),
        }
    }
    let said: Vec<String> =
        owners.into_iter().map(|(who, n)| if n == 1 { who } else { format!("{who} × {n}") }).collect();
    words.push(if said.is_empty() { "nobody on it".to_owned() } else { said.join(", ") });
    words.join(" · ")
}

/// Where a piece is, in words.
pub fn piece_place_words(ruleset: &Ruleset, state: &State, place: Location) -> String {
    match place {
        Location::Zone(zone) => zone_text(ruleset, state, zone),
        Location::Spot(spot) => format!("on {spot}"),
        Location::Space(space) => format!("space {space}"),
    }
}
