//! Drafts of tiles: the keys and values of a tile in its file, and the changes that the user can
//! draw.

use board::{
    DerivedGround, Edge, EdgeStyle, Facing, KindIdx, NonGroundZone, Port, PortSet, TagCarrier, TagIdx, Tile, TileSet,
    derive_ground,
};

use crate::toml_value::{Entries, ManifestValue};

/// A draft of a tile. It refers to kinds and tags by name, so its methods take the tile set that
/// declares these names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TileDraft {
    /// The id of the tile.
    pub id: String,
    /// The keys of the whole tile, such as `count`, `start`, `deck` and tags.
    pub keys: Entries,
    /// The zones as written in the file, without derived ground.
    pub zones: Vec<ZoneDraft>,
}

/// A zone as written in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ZoneDraft {
    /// The kind of the zone.
    pub kind: String,
    /// The keys of the zone: `at`, `inner`, `touches`, `meets` and tags.
    pub keys: Entries,
}

fn get<'e>(entries: &'e Entries, key: &str) -> Option<&'e ManifestValue> {
    entries.iter().find(|(it, _)| it == key).map(|(_, plain)| plain)
}

fn set(entries: &mut Entries, key: &str, plain: Option<ManifestValue>) {
    match (entries.iter_mut().find(|(it, _)| it == key), plain) {
        (Some((_, there)), Some(plain)) => *there = plain,
        (None, Some(plain)) => entries.push((key.to_owned(), plain)),
        (_, None) => entries.retain(|(it, _)| it != key),
    }
}

/// Returns the edge style of a kind in the tile set; `None` for an unknown kind.
pub fn edge_style(tile_set: &TileSet, kind: &str) -> Option<EdgeStyle> {
    tile_set.kind_named(kind).map(|kind| tile_set.kind(kind).edge)
}

impl ZoneDraft {
    /// Makes a zone of `kind` at `ports`, which may be empty.
    pub fn new(tile_set: &TileSet, kind: &str, ports: PortSet) -> ZoneDraft {
        let mut zone = ZoneDraft { kind: kind.to_owned(), keys: Vec::new() };
        zone.set_ports(tile_set, ports);
        zone
    }

    /// Returns whether the zone is ground.
    fn is_ground(&self, tile_set: &TileSet) -> bool {
        edge_style(tile_set, &self.kind) == Some(EdgeStyle::Ground)
    }

    /// Returns whether the zone is ground with ports.
    pub(crate) fn is_placed_ground(&self, tile_set: &TileSet) -> bool {
        self.is_ground(tile_set) && !self.ports(tile_set).is_empty()
    }

    /// Returns the ports of the zone, as its key `at` lists them. Ignores invalid words.
    pub fn ports(&self, tile_set: &TileSet) -> PortSet {
        let text = get(&self.keys, "at").and_then(ManifestValue::as_text).unwrap_or_default();
        let is_ground = self.is_ground(tile_set);
        let words = text.split(|c: char| c == '-' || c.is_whitespace()).filter_map(Port::from_name);
        words
            .flat_map(|port| match (is_ground, port.is_middle()) {
                (true, true) => vec![port.edge().ports()[0], port.edge().ports()[2]],
                _ => vec![port],
            })
            .collect()
    }

    /// Sets the ports of the zone.
    pub fn set_ports(&mut self, tile_set: &TileSet, ports: PortSet) {
        if ports == self.ports(tile_set) && (!ports.is_empty() || get(&self.keys, "at").is_none()) {
            return;
        }
        let at = (!ports.is_empty()).then(|| ManifestValue::Text(port_names(ports, self.is_ground(tile_set))));
        let is_first = get(&self.keys, "at").is_none();
        set(&mut self.keys, "at", at);
        if is_first && let Some(last) = self.keys.pop() {
            self.keys.insert(0, last);
        }
    }

    /// Returns the value of a tag of the zone; `None` if the zone does not have the tag.
    pub fn tag(&self, name: &str) -> Option<&ManifestValue> {
        get(&self.keys, name)
    }

    /// Sets the value of a tag of the zone, or removes the tag if `value` is `None`.
    pub fn set_tag(&mut self, name: &str, value: Option<ManifestValue>) {
        set(&mut self.keys, name, value);
    }

    fn plain(&self) -> ManifestValue {
        match &self.keys[..] {
            [] => ManifestValue::Bool(true),
            [(key, at @ ManifestValue::Text(_))] if key == "at" => at.clone(),
            _ => ManifestValue::Table(self.keys.clone()),
        }
    }

    fn read(kind: &str, plain: &ManifestValue) -> ZoneDraft {
        let keys = match plain {
            ManifestValue::Bool(true) => Vec::new(),
            ManifestValue::Table(entries) => entries.clone(),
            other => vec![("at".to_owned(), other.clone())],
        };
        ZoneDraft { kind: kind.to_owned(), keys }
    }
}

/// Returns the names of ports as in manifests: edges or, for ground, half-edges.
fn port_names(ports: PortSet, is_ground: bool) -> String {
    let mut names: Vec<&str> = Vec::new();
    for edge in Edge::ALL {
        let [first, middle, last] = edge.ports();
        match (is_ground, ports.contains(first), ports.contains(last)) {
            (true, true, true) => names.push(edge.letter()),
            (true, true, false) => names.push(first.name()),
            (true, false, true) => names.push(last.name()),
            (false, ..) if ports.contains(middle) => names.push(edge.letter()),
            _ => {}
        }
    }
    names.join("-")
}

/// Conversion from and to the text of the file.
impl TileDraft {
    /// Makes a draft that has only ground.
    pub fn new(id: impl Into<String>) -> TileDraft {
        TileDraft { id: id.into(), ..TileDraft::default() }
    }

    /// Makes a draft from the keys and values of a tile. If a key is the name of a kind, its value
    /// contains the zones of this kind. All other keys belong to the whole tile.
    pub fn read(tile_set: &TileSet, id: &str, entries: &Entries) -> TileDraft {
        let mut draft = TileDraft::new(id);
        for (key, plain) in entries {
            match (tile_set.kind_named(key), plain) {
                (None, _) => draft.keys.push((key.clone(), plain.clone())),
                (Some(_), ManifestValue::List(list)) => {
                    draft.zones.extend(list.iter().map(|it| ZoneDraft::read(key, it)))
                }
                (Some(_), plain) => draft.zones.push(ZoneDraft::read(key, plain)),
            }
        }
        draft
    }

    /// Returns the entries in the order of the file: `count`, `start`, other keys, zones, zones of
    /// ground.
    pub fn entries(&self, tile_set: &TileSet) -> Entries {
        let mut entries = self.keys.clone();
        entries.sort_by_key(|(key, _)| crate::manifest_edit::rank(key));
        let mut once: Vec<&str> = Vec::new();
        for zone in &self.zones {
            if !once.contains(&zone.kind.as_str()) {
                once.push(&zone.kind);
            }
        }
        once.sort_by_key(|kind| edge_style(tile_set, kind) == Some(EdgeStyle::Ground));
        for kind in once {
            let mut all: Vec<ManifestValue> =
                self.zones.iter().filter(|z| z.kind == kind).map(ZoneDraft::plain).collect();
            let plain = if all.len() == 1 { all.remove(0) } else { ManifestValue::List(all) };
            entries.push((kind.to_owned(), plain));
        }
        entries
    }

    /// Returns the changes of keys that turn the entries of `before` into the entries of this
    /// draft. `None` removes a key.
    pub fn changes_since(&self, tile_set: &TileSet, before: &TileDraft) -> Vec<(String, Option<ManifestValue>)> {
        let (old, new) = (before.entries(tile_set), self.entries(tile_set));
        let gone = old.iter().filter(|(key, _)| get(&new, key).is_none()).map(|(key, _)| (key.clone(), None));
        let other = new.iter().filter(|(key, plain)| get(&old, key) != Some(plain));
        gone.chain(other.map(|(key, plain)| (key.clone(), Some(plain.clone())))).collect()
    }

    /// Returns the number of copies: the value of `count`, or 1 without this key. `None` if `count`
    /// is not a single number.
    pub fn count(&self) -> Option<i64> {
        match get(&self.keys, "count") {
            None => Some(1),
            Some(ManifestValue::Int(n)) => Some(*n),
            Some(_) => None,
        }
    }

    /// Sets the number of copies to `n`, clamped to the range from 0 to 1000.
    pub fn set_count(&mut self, n: i64) {
        let is_said = get(&self.keys, "count").is_some();
        set(&mut self.keys, "count", (is_said || n != 1).then_some(ManifestValue::Int(n.clamp(0, 1000))));
    }

    /// Returns the value of `key` of the whole tile; `None` if the tile does not have the key.
    pub fn key(&self, key: &str) -> Option<&ManifestValue> {
        get(&self.keys, key)
    }

    /// Sets the value of a key of the whole tile, or removes the key if `value` is `None`.
    pub fn set_key(&mut self, key: &str, value: Option<ManifestValue>) {
        set(&mut self.keys, key, value);
    }

    /// Returns the text of a file that contains only this tile, for the loader.
    pub fn file_text(&self, tile_set: &TileSet) -> String {
        let (text, is_table) = crate::manifest_edit::new_tile_text(&self.id, &self.entries(tile_set));
        if is_table { format!("{text}\n") } else { format!("[tile]\n{text}\n") }
    }
}

/// Changes to the drawing.
impl TileDraft {
    /// Returns the index of the draft's zone that becomes zone number `zone` of `tile`, the tile
    /// that the loader makes from the draft. Returns `None` for derived ground.
    pub fn written_zone(&self, tile_set: &TileSet, tile: &Tile, zone: usize) -> Option<usize> {
        let this = tile.zones.get(zone)?;
        let kind = &tile_set.kind(this.kind).name;
        let is_same = |own: &ZoneDraft| own.kind == *kind && own.ports(tile_set) == this.ports;
        // Zones of the same kind without ports are in the same order in the draft and in the tile.
        let before = tile.zones.iter().take(zone);
        let n = before.filter(|other| other.kind == this.kind && other.ports == this.ports).count();
        (0..self.zones.len()).filter(|i| self.zones.get(*i).is_some_and(is_same)).nth(n)
    }

    /// Returns the index and the kind of the zone that is drawn in the middle of an edge; `None` if
    /// no zone is drawn there.
    pub fn drawn_at(&self, tile_set: &TileSet, edge: Edge) -> Option<(usize, &str)> {
        let [_, middle, _] = edge.ports();
        let holds = |zone: &ZoneDraft| is_drawn(tile_set, zone) && zone.ports(tile_set).contains(middle);
        let found = self.zones.iter().position(holds)?;
        self.zones.get(found).map(|zone| (found, zone.kind.as_str()))
    }

    /// Draws a zone of `kind` that connects `edges`. At these edges, replaces zones of other kinds,
    /// and merges zones of the same kind.
    pub fn join(&mut self, tile_set: &TileSet, kind: &str, edges: &[Edge]) {
        let ports: PortSet = edges.iter().map(|edge| edge.ports()[1]).collect();
        self.apply_change(tile_set, |draft| {
            let mut joined = ports;
            let mut first = None;
            let mut i = 0;
            while let Some(zone) = draft.zones.get_mut(i) {
                let held = zone.ports(tile_set);
                if !is_drawn(tile_set, zone) || !held.intersects(ports) {
                    i += 1;
                } else if zone.kind == kind && first.is_none() {
                    first = Some(i);
                    joined |= held;
                    i += 1;
                } else if zone.kind == kind {
                    joined |= held;
                    draft.zones.remove(i);
                } else {
                    remove_ports(tile_set, draft, &mut i, ports);
                }
            }
            match first.and_then(|i| draft.zones.get_mut(i)) {
                Some(zone) => zone.set_ports(tile_set, joined),
                None => draft.zones.push(ZoneDraft::new(tile_set, kind, ports)),
            }
        });
    }

    /// Draws a separate zone of `kind` from an edge to the middle of the tile.
    pub fn draw_to_middle(&mut self, tile_set: &TileSet, kind: &str, edge: Edge) {
        let ports: PortSet = [edge.ports()[1]].into_iter().collect();
        self.apply_change(tile_set, |draft| {
            draft.clear_ports(tile_set, ports);
            draft.zones.push(ZoneDraft::new(tile_set, kind, ports));
        });
    }

    /// Removes an edge from the zone drawn there. The edge then has ground.
    pub fn erase(&mut self, tile_set: &TileSet, edge: Edge) {
        self.apply_change(tile_set, |draft| draft.clear_ports(tile_set, [edge.ports()[1]].into_iter().collect()));
    }

    /// Removes a zone.
    pub fn remove_zone(&mut self, tile_set: &TileSet, zone: usize) {
        self.apply_change(tile_set, |draft| {
            if zone < draft.zones.len() {
                draft.zones.remove(zone);
            }
        });
    }

    /// Splits a zone into separate zones, one per edge.
    pub fn split(&mut self, tile_set: &TileSet, zone: usize) {
        self.apply_change(tile_set, |draft| {
            let Some(whole) = draft.zones.get_mut(zone) else { return };
            let ports = whole.ports(tile_set);
            let kind = whole.kind.clone();
            let single = |port: Port| -> PortSet { [port].into_iter().collect() };
            let Some(first) = ports.first() else { return };
            whole.set_ports(tile_set, single(first));
            let others = ports.iter().filter(|port| *port != first);
            let new: Vec<ZoneDraft> = others.map(|port| ZoneDraft::new(tile_set, &kind, single(port))).collect();
            for (i, part) in new.into_iter().enumerate() {
                draft.zones.insert(zone + 1 + i, part);
            }
        });
    }

    /// Removes the first zone of `kind`. If the draft has no such zone, adds a zone of `kind`
    /// without ports.
    pub fn toggle_inside(&mut self, tile_set: &TileSet, kind: &str) {
        match self.zones.iter().position(|zone| zone.kind == kind) {
            Some(zone) => self.remove_zone(tile_set, zone),
            None => {
                self.apply_change(tile_set, |draft| draft.zones.push(ZoneDraft::new(tile_set, kind, PortSet::EMPTY)))
            }
        }
    }

    /// Removes `ports` from all drawn zones.
    fn clear_ports(&mut self, tile_set: &TileSet, ports: PortSet) {
        let mut i = 0;
        while i < self.zones.len() {
            remove_ports(tile_set, self, &mut i, ports);
        }
    }

    /// Applies `change` to the draft. If the change affects the ground, also updates the zones of
    /// ground that the draft lists explicitly.
    fn apply_change(&mut self, tile_set: &TileSet, change: impl FnOnce(&mut TileDraft)) {
        let at_edges = |draft: &TileDraft| -> Vec<PortSet> {
            draft.zones.iter().filter(|zone| is_drawn(tile_set, zone)).map(|zone| zone.ports(tile_set)).collect()
        };
        let before = (self.derived_grounds(tile_set), at_edges(self));
        change(self);
        if (self.derived_grounds(tile_set), at_edges(self)) != before {
            self.fit_grounds(tile_set);
        }
    }

    /// Returns the ground that the loader would derive from the drawn zones.
    pub(crate) fn derived_grounds(&self, tile_set: &TileSet) -> Vec<DerivedGround> {
        let drawn = self.zones.iter().filter_map(|zone| {
            let edge = edge_style(tile_set, &zone.kind)?;
            (edge != EdgeStyle::Ground).then(|| NonGroundZone { edge, ports: zone.ports(tile_set) })
        });
        derive_ground(&drawn.collect::<Vec<_>>()).unwrap_or_default()
    }

    /// Updates the zones of ground that the draft lists with ports after a change to other zones.
    /// Removes these zones if they have no tags and the loader can derive them.
    fn fit_grounds(&mut self, tile_set: &TileSet) {
        let old: Vec<ZoneDraft> = self.zones.extract_if(.., |zone| zone.is_placed_ground(tile_set)).collect();
        if old.is_empty() {
            return;
        }
        let says_more = |zone: &ZoneDraft| zone.keys.iter().any(|(key, _)| tile_set.tag_named(key).is_some());
        let first = first_ground(tile_set);
        if !old.iter().any(|zone| says_more(zone) || Some(zone.kind.as_str()) != first) {
            return;
        }
        let shared = |a: PortSet, b: PortSet| a.iter().filter(|port| b.contains(*port)).count();
        let new = self.derived_grounds(tile_set);
        let kind = |ports: PortSet| {
            let like = old.iter().max_by_key(|zone| shared(zone.ports(tile_set), ports));
            like.map(|zone| zone.kind.as_str()).or(first).unwrap_or_default()
        };
        let mut zones: Vec<ZoneDraft> =
            new.iter().map(|ground| ZoneDraft::new(tile_set, kind(ground.ports), ground.ports)).collect();
        // The tags of an old zone of ground go to the new zone with which it shares the most ports.
        for zone in &old {
            let most = zones.iter_mut().max_by_key(|other| shared(zone.ports(tile_set), other.ports(tile_set)));
            let tags = zone.keys.iter().filter(|(key, _)| tile_set.tag_named(key).is_some());
            if let Some(most) = most {
                let new: Vec<_> = tags.filter(|(key, _)| most.tag(key).is_none()).cloned().collect();
                most.keys.extend(new);
            }
        }
        self.zones.extend(zones);
    }

    /// Adds the derived ground to the draft as explicit zones, so that each zone of ground can have
    /// tags. Does nothing if the draft already has ground with ports.
    pub fn write_grounds(&mut self, tile_set: &TileSet) {
        let Some(kind) = first_ground(tile_set) else { return };
        if self.zones.iter().any(|zone| zone.is_placed_ground(tile_set)) {
            return;
        }
        let grounds = self.derived_grounds(tile_set);
        self.zones.extend(grounds.into_iter().map(|ground| ZoneDraft::new(tile_set, kind, ground.ports)));
    }
}

/// Returns the kind of ground that the loader derives: the first kind of ground in the tile set.
/// `None` if no kind is ground.
pub fn first_ground(tile_set: &TileSet) -> Option<&str> {
    tile_set.kinds.iter().find(|kind| kind.edge == EdgeStyle::Ground).map(|kind| kind.name.as_str())
}

fn is_drawn(tile_set: &TileSet, zone: &ZoneDraft) -> bool {
    matches!(edge_style(tile_set, &zone.kind), Some(EdgeStyle::Full | EdgeStyle::Line))
}

/// Removes `ports` from zone `i`, if it is drawn. If the zone then has no ports left, removes the
/// zone. Afterwards, `i` is the index of the next zone.
fn remove_ports(tile_set: &TileSet, draft: &mut TileDraft, i: &mut usize, ports: PortSet) {
    if let Some(zone) = draft.zones.get_mut(*i)
        && is_drawn(tile_set, zone)
        && zone.ports(tile_set).intersects(ports)
    {
        let left: PortSet = zone.ports(tile_set).iter().filter(|port| !ports.contains(*port)).collect();
        if left.is_empty() {
            draft.zones.remove(*i);
            return;
        }
        zone.set_ports(tile_set, left);
    }
    *i += 1;
}

/// Rotation and reflection.
impl TileDraft {
    /// Turns the content of the tile clockwise by `facing`.
    pub fn turn(&mut self, tile_set: &TileSet, facing: Facing) {
        self.transform(tile_set, |port| port.turned(facing));
    }

    /// Mirrors the content of the tile, so that east becomes west.
    pub fn mirror(&mut self, tile_set: &TileSet) {
        self.transform(tile_set, mirrored);
    }

    fn transform(&mut self, tile_set: &TileSet, move_port: impl Fn(Port) -> Port) {
        let moved = |ports: PortSet| -> PortSet { ports.iter().map(&move_port).collect() };
        // The first port of a zone is part of its name, and mirroring may change the first port. So
        // the keys `touches` and `meets` need the new names.
        let derived: Vec<(String, PortSet)> = match first_ground(tile_set) {
            Some(kind) => {
                self.derived_grounds(tile_set).into_iter().map(|ground| (kind.to_owned(), ground.ports)).collect()
            }
            None => Vec::new(),
        };
        let written = self.zones.iter().map(|zone| (zone.kind.clone(), zone.ports(tile_set)));
        let known: Vec<(String, PortSet)> = written.chain(derived).filter(|(_, ports)| !ports.is_empty()).collect();
        let renamed = |name: &str| -> Option<String> {
            let old = |(kind, ports): &&(String, PortSet)| zone_name(tile_set, kind, *ports).as_deref() == Some(name);
            let (kind, ports) = known.iter().find(old)?;
            zone_name(tile_set, kind, moved(*ports))
        };
        for zone in &mut self.zones {
            let ports = moved(zone.ports(tile_set));
            zone.set_ports(tile_set, ports);
            for key in ["touches", "meets"] {
                match zone.keys.iter_mut().find(|(it, _)| it == key).map(|(_, plain)| plain) {
                    Some(ManifestValue::Text(name)) => *name = renamed(name).unwrap_or_else(|| name.clone()),
                    Some(ManifestValue::List(names)) => names.iter_mut().for_each(|plain| {
                        if let ManifestValue::Text(name) = plain {
                            *name = renamed(name).unwrap_or_else(|| name.clone());
                        }
                    }),
                    _ => {}
                }
            }
        }
    }
}

/// Returns the port at which `port` lies in the mirror image, where east becomes west.
pub(crate) fn mirrored(port: Port) -> Port {
    Port::from_index(14 - port.index())
}

/// Returns the name of a zone on its unturned tile, as in [`TileSet::zone_name`]; `None` for a zone
/// without ports or of an unknown kind.
pub(crate) fn zone_name(tile_set: &TileSet, kind: &str, ports: PortSet) -> Option<String> {
    let first = ports.first()?;
    Some(match edge_style(tile_set, kind)? {
        EdgeStyle::Ground => format!("{kind}@{}", first.name()),
        _ => format!("{kind}@{}", first.edge().letter()),
    })
}

/// Returns the tags of the tile set that belong to `on`: to zones or to whole tiles.
pub fn tags_on(tile_set: &TileSet, on: TagCarrier) -> impl Iterator<Item = TagIdx> + '_ {
    (0..tile_set.tags.len()).map(|i| TagIdx(i as u8)).filter(move |tag| tile_set.tag(*tag).on == on)
}

/// Returns the kinds with one of these edge styles, in the order of their declaration.
pub fn kinds_of(tile_set: &TileSet, styles: &[EdgeStyle]) -> Vec<KindIdx> {
    let kinds = (0..tile_set.kinds.len()).map(|i| KindIdx(i as u8));
    kinds.filter(|kind| styles.contains(&tile_set.kind(*kind).edge)).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "tests/tile_draft.rs"]
mod tests;
