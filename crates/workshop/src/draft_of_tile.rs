//! Makes drafts of existing tiles. A draft omits everything that the loader derives: ground, and
//! the zones that touch or meet by default.

use std::collections::BTreeSet;

use board::{Edge, EdgeStyle, MergeRule, Tile, TileSet};

use crate::tile_draft::{TileDraft, ZoneDraft, first_ground, zone_name};
use crate::toml_value::ManifestValue;

impl TileDraft {
    /// Makes a draft of a tile, with its zones and tags. The count, deck and description are
    /// missing, because `tile` does not contain them. Omits ground that the loader derives, and
    /// default values of the keys `touches` and `meets`. The id of the draft is the name of the
    /// tile without the id of the mod.
    pub fn of_tile(tile_set: &TileSet, tile: &Tile) -> TileDraft {
        let id = tile.name.split_once('/').map_or(tile.name.as_str(), |(_, id)| id);
        let mut draft = TileDraft::new(id);
        let number = |n: i32| if n == 1 { ManifestValue::Bool(true) } else { ManifestValue::Int(i64::from(n)) };
        if tile.any_edges {
            draft.keys.push(("edges".to_owned(), ManifestValue::text("any")));
        }
        if tile.is_overlay {
            draft.keys.push(("overlay".to_owned(), ManifestValue::Bool(true)));
        }
        for (tag, value) in &tile.tags {
            let declared = tile_set.tag(*tag);
            let word = usize::try_from(*value).ok().and_then(|i| declared.values.get(i));
            draft.keys.push((declared.name.clone(), word.map_or_else(|| number(*value), ManifestValue::text)));
        }
        for zone in &tile.zones {
            let mut written = ZoneDraft::new(tile_set, &tile_set.kind(zone.kind).name, zone.ports);
            if zone.ports.is_empty() && tile_set.kind(zone.kind).edge != EdgeStyle::Inside {
                written.keys.push(("inner".to_owned(), ManifestValue::Bool(true)));
            }
            for tag in &zone.tags {
                add_tag(tile_set, &mut written, tag);
            }
            draft.zones.push(written);
        }
        draft.write_relations(tile_set, tile);
        draft.remove_derivable_grounds(tile_set);
        draft
    }

    /// Writes the keys `touches` and `meets` of each zone for which they differ from the defaults.
    fn write_relations(&mut self, tile_set: &TileSet, tile: &Tile) {
        let usual = |zone: usize| -> u32 {
            let Some(this) = tile.zones.get(zone) else { return 0 };
            let is_ground = tile_set.kind(this.kind).edge == EdgeStyle::Ground;
            let lies_beside = |other: &board::Zone| {
                tile_set.kind(other.kind).edge == EdgeStyle::Full
                    && this.ports.iter().any(|half| {
                        let is_first = half == half.edge().ports()[0];
                        let beside = Edge::from_index(half.edge() as usize + if is_first { 3 } else { 1 });
                        other.ports.contains(beside.ports()[1])
                    })
            };
            let beside = tile.zones.iter().enumerate().filter(|(_, other)| is_ground && lies_beside(other));
            beside.fold(0, |set, (i, _)| set | 1 << i)
        };
        let n = tile.zones.len();
        let usual: Vec<u32> = (0..n).map(usual).collect();
        let both = |a: usize, b: usize| {
            let has = |a: usize, b: usize| usual.get(a).is_some_and(|set| set >> b & 1 == 1);
            has(a, b) || has(b, a)
        };
        let names: Vec<String> = (0..n).map(|z| unturned_zone_name(tile_set, tile, z)).collect();
        for (a, zone) in tile.zones.iter().enumerate() {
            let is_ground = tile_set.kind(zone.kind).edge == EdgeStyle::Ground;
            let touched: Vec<usize> = (0..n).filter(|b| zone.touches >> b & 1 == 1).collect();
            let is_usual = (0..n).all(|b| both(a, b) == touched.contains(&b));
            // Writes each relation only once: at a zone of ground or, between other zones, at the
            // later zone.
            let says = is_ground || touched.iter().any(|b| *b < a && !both(a, *b));
            if is_usual || !says {
                continue;
            }
            let is_full =
                |b: &usize| tile.zones.get(*b).is_some_and(|it| tile_set.kind(it.kind).edge == EdgeStyle::Full);
            let all_full = (0..n).filter(|b| *b != a).filter(is_full).all(|b| touched.contains(&b));
            let plain = if is_ground && all_full && touched.iter().all(is_full) {
                ManifestValue::text("all")
            } else {
                let list: Vec<ManifestValue> =
                    touched.iter().filter_map(|b| names.get(*b)).map(ManifestValue::text).collect();
                ManifestValue::List(list)
            };
            if let Some(written) = self.zones.get_mut(a) {
                written.keys.push(("touches".to_owned(), plain));
            }
        }
        let is_arm = |z: &board::Zone| tile_set.kind(z.kind).edge == EdgeStyle::Line && z.ports.len() == 1;
        for (a, zone) in tile.zones.iter().enumerate() {
            let usual = (0..n).filter(|b| *b != a && is_arm(zone) && tile.zones.get(*b).is_some_and(is_arm));
            if usual.fold(0u32, |set, b| set | 1 << b) == zone.meets {
                continue;
            }
            let met = (0..n).filter(|b| zone.meets >> b & 1 == 1).filter_map(|b| names.get(b)).map(ManifestValue::text);
            let plain = ManifestValue::List(met.collect());
            if let Some(written) = self.zones.get_mut(a) {
                written.keys.push(("meets".to_owned(), plain));
            }
        }
    }

    /// Removes the zones of ground from the draft, if the loader can derive all of them.
    fn remove_derivable_grounds(&mut self, tile_set: &TileSet) {
        let first = first_ground(tile_set);
        let says_nothing = |zone: &&ZoneDraft| zone.keys.len() == 1 && Some(zone.kind.as_str()) == first;
        let placed: Vec<&ZoneDraft> = self.zones.iter().filter(|zone| zone.is_placed_ground(tile_set)).collect();
        let derived = self.derived_grounds(tile_set);
        let follows = |zone: &&ZoneDraft| derived.iter().any(|ground| ground.ports == zone.ports(tile_set));
        let all = placed.len() == derived.len() && placed.iter().all(|zone| says_nothing(zone) && follows(zone));
        if all && self.key("edges").is_none() {
            self.zones.retain(|zone| !zone.is_placed_ground(tile_set));
        }
    }

    /// Removes tags and kinds of zones that the tile set does not declare. Of the keys of the whole
    /// tile, keeps only declared tags, `count`, `edges` and `overlay`. Returns the names of the
    /// removed kinds, sorted.
    pub fn remove_undeclared(&mut self, tile_set: &TileSet) -> BTreeSet<String> {
        let is_known = |key: &str| tile_set.tag_named(key).is_some();
        self.keys.retain(|(key, _)| ["count", "edges", "overlay"].contains(&key.as_str()) || is_known(key));
        let removed = self.zones.extract_if(.., |zone| tile_set.kind_named(&zone.kind).is_none());
        let removed = removed.map(|zone| zone.kind).collect();
        for zone in &mut self.zones {
            zone.keys.retain(|(key, _)| ["at", "inner", "touches", "meets"].contains(&key.as_str()) || is_known(key));
        }
        removed
    }
}

/// Returns the name of a zone on its unturned tile, such as `city@n`.
fn unturned_zone_name(tile_set: &TileSet, tile: &Tile, zone: usize) -> String {
    let Some(this) = tile.zones.get(zone) else { return String::new() };
    let kind = &tile_set.kind(this.kind).name;
    zone_name(tile_set, kind, this.ports).unwrap_or_else(|| {
        let before = tile.zones.iter().take(zone).filter(|it| it.kind == this.kind && it.ports.is_empty()).count();
        if before == 0 { kind.clone() } else { format!("{kind}#{}", before + 1) }
    })
}

/// Adds a tag to a zone, in the form that the declaration of the tag requires.
fn add_tag(tile_set: &TileSet, zone: &mut ZoneDraft, tag: &board::ZoneTag) {
    let Some(column) = tile_set.columns.get(usize::from(tag.column.0)) else { return };
    let declared = tile_set.tag(column.tag);
    let word = column.value.and_then(|i| declared.values.get(usize::from(i)));
    let plain = match (word, declared.merge) {
        (Some(word), _) => {
            let mut words = match zone.tag(&declared.name) {
                Some(ManifestValue::List(words)) => words.clone(),
                Some(other) => vec![other.clone()],
                None => Vec::new(),
            };
            words.extend((0..tag.value.max(1)).map(|_| ManifestValue::text(word)));
            if words.len() == 1 { words.remove(0) } else { ManifestValue::List(words) }
        }
        (None, MergeRule::Any | MergeRule::All) => ManifestValue::Bool(true),
        (None, _) => ManifestValue::Int(i64::from(tag.value)),
    };
    zone.set_tag(&declared.name, Some(plain));
}
