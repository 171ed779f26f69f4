//! The declared geometry: kinds of land, tags, layers and tile types.

use serde::{Deserialize, Serialize};
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::geometry::{Edge, Facing};
use crate::handles::{ColumnIdx, KindIdx, KindSet, LayerIdx, TagIdx, TileIdx};
use crate::sorted_map::serialize_sorted;
use crate::tile::{ANY_EDGE, NO_ZONE, Tile, TurnedTile, Zone};
use crate::zones::ZoneIndex;

/// The way in which a kind of land meets an edge of its tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum EdgeStyle {
    /// Land that fills the edge and connects through the middle port.
    Full,
    /// Land that crosses the edge in its middle, with ground on both halves.
    Line,
    /// Land that lies along halves of edges and fills the space that other kinds leave.
    Ground,
    /// Land that never reaches an edge.
    Inside,
}

/// The condition under which a feature of a kind is complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CompletionRule {
    /// No port of the feature is open.
    Ports,
    /// Tiles lie on all eight spots around the feature's tile.
    Surrounded,
}

/// A kind of land.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Kind {
    /// The name of the kind, such as `city`.
    pub name: String,
    /// The way in which the kind meets an edge.
    pub edge: EdgeStyle,
    /// The condition under which a feature of this kind is complete.
    pub closes: CompletionRule,
}

/// The type of object that carries a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TagCarrier {
    /// A zone. The value of the tag on a feature is merged from all zones of the feature.
    Zone,
    /// A whole tile.
    Tile,
}

/// The way in which the values of a tag merge on a feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum MergeRule {
    /// True if any zone has the tag.
    Any,
    /// True if every zone has the tag.
    All,
    /// The sum of the zones' numbers.
    Sum,
    /// The greatest of the zones' numbers.
    Max,
    /// The distinct words of the zones.
    Set,
    /// The words of the zones, with the number of occurrences of each word.
    Multiset,
}

/// A named property of tiles or zones.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Tag {
    /// The name of the tag, such as `shield`.
    pub name: String,
    /// The meaning of the tag, as shown to players.
    pub about: String,
    /// The type of object that carries the tag.
    pub on: TagCarrier,
    /// The way in which the tag merges on a feature.
    pub merge: MergeRule,
    /// The words that the tag accepts as values, in order of declaration; empty if its values are
    /// not words.
    pub values: Vec<String>,
    /// The first column of the tag. Word number `i` has the column `first_column + i`. Tile tags
    /// have no columns.
    pub first_column: ColumnIdx,
}

/// A number that the board stores for each feature: the merged value of one tag, or of one word of
/// a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Column {
    /// The tag to which the column belongs.
    pub tag: TagIdx,
    /// The index of the word in [`Tag::values`]; `None` for a tag without words.
    pub value: Option<u8>,
    /// True if a feature has the maximum of its zones' values, false if it has their sum.
    pub is_max: bool,
}

/// A way in which zones connect to features. A zone belongs to one feature in each layer that
/// includes its kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Layer {
    /// The name of the layer; the loader calls layer 0 `land`.
    pub name: String,
    /// The kinds of land that take part in the layer.
    pub kinds: KindSet,
    /// True if zones of one tile that touch each other are joined in this layer.
    pub joins_touching: bool,
}

/// The geometry of a set of mods: kinds, tags, layers and tile types.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TileSet {
    /// Kinds of land.
    pub kinds: Vec<Kind>,
    /// Tags.
    pub tags: Vec<Tag>,
    /// The columns of numbers that the board stores for each feature.
    pub columns: Vec<Column>,
    /// Layers. Every kind takes part in the first.
    pub layers: Vec<Layer>,
    /// Tile types. Decks contain the number of copies of each type.
    pub tiles: Vec<Tile>,
    /// The kinds with the style [`EdgeStyle::Ground`].
    pub(crate) ground: KindSet,
    /// The code that matches each edge code.
    mirrors: Vec<u8>,
    /// For each edge code, the kinds at its three ports, clockwise.
    edges: Vec<[Option<KindIdx>; 3]>,
    /// The combined type for each tile, overlay, and facing of the overlay relative to the tile.
    #[serde(serialize_with = "serialize_sorted")]
    pub(crate) overlaid: FxHashMap<(TileIdx, TileIdx, Facing), TileIdx>,
}

/// A reason why tiles do not form a tile set. The text is a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the texts say what is wrong")]
pub enum TileSetError {
    #[error("there are {0} kinds of land; at most 64 are allowed")]
    TooManyKinds(usize),
    #[error("zones have {0} tags and words of tags; at most 255 are allowed")]
    TooManyColumns(usize),
    #[error("tile {tile} has {n} zones; at most 32 are allowed")]
    TooManyZones { tile: String, n: usize },
    #[error("more than 255 different edges")]
    TooManyEdges,
    #[error("with overlays there are {0} tile types; at most 65535 are allowed")]
    TooManyTiles(usize),
}

impl TileSet {
    /// Makes a tile set. Assigns columns to `tags`, and prepares `tiles` for every facing.
    ///
    /// # Errors
    /// Returns an error if there are more than 64 kinds, 255 columns, 32 zones on a tile or 255
    /// different edges.
    pub fn new(
        kinds: Vec<Kind>,
        tags: Vec<Tag>,
        layers: Vec<Layer>,
        tiles: Vec<Tile>,
    ) -> Result<TileSet, TileSetError> {
        if kinds.len() > 64 {
            return Err(TileSetError::TooManyKinds(kinds.len()));
        }
        let mut tile_set =
            TileSet { kinds, tags, layers, tiles, mirrors: vec![0], edges: vec![[None; 3]], ..TileSet::default() };
        tile_set.lay_out_columns()?;
        tile_set.prepare_tiles()?;
        Ok(tile_set)
    }

    fn lay_out_columns(&mut self) -> Result<(), TileSetError> {
        for (i, tag) in self.tags.iter_mut().enumerate() {
            tag.first_column = ColumnIdx(self.columns.len().min(255) as u8);
            if tag.on == TagCarrier::Tile {
                continue;
            }
            let with_words = matches!(tag.merge, MergeRule::Set | MergeRule::Multiset);
            let n = if with_words { tag.values.len() } else { 1 };
            for value in 0..n {
                self.columns.push(Column {
                    tag: TagIdx(i as u8),
                    value: with_words.then_some(value as u8),
                    is_max: tag.merge == MergeRule::Max,
                });
            }
        }
        match self.columns.len() {
            0..=255 => Ok(()),
            n => Err(TileSetError::TooManyColumns(n)),
        }
    }

    fn prepare_tiles(&mut self) -> Result<(), TileSetError> {
        let kinds = (0..).map(KindIdx).zip(&self.kinds);
        self.ground = kinds.filter(|(_, kind)| kind.edge == EdgeStyle::Ground).map(|(kind, _)| kind).collect();
        let mut codes: FxHashMap<[Option<KindIdx>; 3], u8> = FxHashMap::default();
        codes.insert([None; 3], 0);
        for t in 0..self.tiles.len() {
            let mut tile = std::mem::take(&mut self.tiles[t]);
            if tile.zones.len() > 32 {
                return Err(TileSetError::TooManyZones { n: tile.zones.len(), tile: tile.name });
            }
            let mut facings = [TurnedTile::default(); 4];
            for (facing, turned) in Facing::ALL.into_iter().zip(&mut facings) {
                turned.zone_at = [NO_ZONE; 12];
                for (z, zone) in tile.zones.iter().enumerate() {
                    for port in zone.ports.turned(facing).iter() {
                        turned.zone_at[port.index()] = z as u8;
                    }
                }
                for edge in Edge::ALL {
                    let kinds = edge.ports().map(|p| tile.kind_at(turned, p));
                    if tile.any_edges && kinds == [None; 3] {
                        turned.edges[edge as usize] = ANY_EDGE;
                        continue;
                    }
                    turned.edges[edge as usize] = self.find_or_add_edge_code(&mut codes, kinds)?;
                    turned.must_match |= 0xff << (8 * edge as u32);
                }
            }
            let is_surrounded = |zone: &Zone| self.kinds[zone.kind.0 as usize].closes == CompletionRule::Surrounded;
            tile.is_surrounded = tile.zones.iter().any(is_surrounded);
            let kinds: Vec<KindIdx> = tile.zones.iter().map(|z| z.kind).collect();
            for (z, zone) in tile.zones.iter_mut().enumerate() {
                let twins = (0..kinds.len()).filter(|o| *o != z && kinds[*o] == kinds[z]);
                zone.twins = twins.fold(0, |set, o| set | 1 << o);
            }
            tile.tag_bits = tile.tags.iter().fold(0, |bits, (tag, _)| bits | 1 << (tag.0 % 64));
            tile.zone_bits = vec![0; ZoneIndex::width(self.kinds.len())];
            tile.closed.clear();
            for (z, zone) in tile.zones.iter().enumerate() {
                tile.zone_bits[ZoneIndex::kind_position(zone.kind)] |= 1 << z;
                if is_surrounded(zone) || !zone.ports.is_empty() {
                    tile.zone_bits[ZoneIndex::OPEN_POSITION] |= 1 << z;
                } else {
                    tile.closed.push(zone.kind);
                }
            }
            tile.columns = vec![0; tile.zones.len() * self.columns.len()];
            for (z, zone) in tile.zones.iter().enumerate() {
                for tag in &zone.tags {
                    tile.columns[z * self.columns.len() + tag.column.0 as usize] = tag.value;
                }
            }
            tile.facings = facings;
            self.tiles[t] = tile;
        }
        Ok(())
    }

    fn find_or_add_edge_code(
        &mut self,
        codes: &mut FxHashMap<[Option<KindIdx>; 3], u8>,
        kinds: [Option<KindIdx>; 3],
    ) -> Result<u8, TileSetError> {
        if let Some(code) = codes.get(&kinds) {
            return Ok(*code);
        }
        let mirrored = [kinds[2], kinds[1], kinds[0]];
        for new in [kinds, mirrored] {
            if let Entry::Vacant(free) = codes.entry(new) {
                let code = u8::try_from(self.edges.len()).ok().filter(|code| *code != ANY_EDGE);
                let code = code.ok_or(TileSetError::TooManyEdges)?;
                free.insert(code);
                self.edges.push(new);
                self.mirrors.push(0);
            }
        }
        let (a, b) = (codes[&kinds], codes[&mirrored]);
        self.mirrors[a as usize] = b;
        self.mirrors[b as usize] = a;
        Ok(a)
    }

    /// Returns the edge code that matches `code` on a neighbouring tile: the kinds at its three
    /// ports are those of `code` in reverse order. Returns [`ANY_EDGE`] for [`ANY_EDGE`].
    pub fn mirror(&self, code: u8) -> u8 {
        self.mirrors.get(code as usize).copied().unwrap_or(ANY_EDGE)
    }

    /// Returns the kinds at the three ports of an edge code, clockwise. The middle port of a ground
    /// edge has no kind.
    pub fn edge_kinds(&self, code: u8) -> [Option<KindIdx>; 3] {
        self.edges.get(code as usize).copied().unwrap_or_default()
    }

    /// Returns the number of edge codes, not counting [`ANY_EDGE`]. Codes are numbered from 0.
    pub fn n_edge_codes(&self) -> usize {
        self.edges.len()
    }

    /// Returns an edge code in words, such as `city`, `field-road-field` or `any`.
    pub fn edge_name(&self, code: u8) -> String {
        if code == ANY_EDGE {
            return "any".to_owned();
        }
        let kinds = self.edge_kinds(code);
        let mut names: Vec<_> = kinds.iter().flatten().map(|k| self.kind(*k).name.as_str()).collect();
        if kinds[1].is_none() && names.len() == 2 && names[0] == names[1] {
            names.pop();
        }
        if names.is_empty() { "nothing".to_owned() } else { names.join("-") }
    }

    /// Returns the tile type `idx`.
    pub fn tile(&self, idx: TileIdx) -> &Tile {
        &self.tiles[idx.0 as usize]
    }

    /// Returns the kind `idx`.
    pub fn kind(&self, idx: KindIdx) -> &Kind {
        &self.kinds[idx.0 as usize]
    }

    /// Returns the tag `idx`.
    pub fn tag(&self, idx: TagIdx) -> &Tag {
        &self.tags[idx.0 as usize]
    }

    /// Finds the tile type called `name`, such as `base/K`, if there is one.
    pub fn tile_named(&self, name: &str) -> Option<TileIdx> {
        self.tiles.iter().position(|t| t.name == name).map(|i| TileIdx(i as u16))
    }

    /// Finds the kind called `name`, if there is one.
    pub fn kind_named(&self, name: &str) -> Option<KindIdx> {
        self.kinds.iter().position(|k| k.name == name).map(|i| KindIdx(i as u8))
    }

    /// Finds the tag called `name`, if there is one.
    pub fn tag_named(&self, name: &str) -> Option<TagIdx> {
        self.tags.iter().position(|t| t.name == name).map(|i| TagIdx(i as u8))
    }

    /// Finds the layer called `name`, if there is one.
    pub fn layer_named(&self, name: &str) -> Option<LayerIdx> {
        self.layers.iter().position(|l| l.name == name).map(|i| LayerIdx(i as u8))
    }

    /// Returns the name of zone number `zone` of `tile` at `facing`, such as `city@n`, `field@e2`,
    /// `cloister` or `lake#2`.
    ///
    /// The name begins with the kind. After `@` follows the first edge of the zone in rim order or,
    /// for ground, the first half of an edge. The name of a zone without ports is its kind alone.
    /// The second such zone of the same kind has `#2`, and so on.
    pub fn zone_name(&self, tile: TileIdx, facing: Facing, zone: usize) -> String {
        let tile = self.tile(tile);
        let this = &tile.zones[zone];
        let kind = self.kind(this.kind);
        let Some(port) = this.ports.turned(facing).first() else {
            let n = tile.zones[..zone].iter().filter(|z| z.kind == this.kind && z.ports.is_empty()).count();
            return if n == 0 { kind.name.clone() } else { format!("{}#{}", kind.name, n + 1) };
        };
        match kind.edge {
            EdgeStyle::Ground => format!("{}@{}", kind.name, port.name()),
            _ => format!("{}@{}", kind.name, port.edge().letter()),
        }
    }

    /// Finds the zone of `tile` that is called `name` at `facing`, if there is one. This function
    /// is the inverse of [`TileSet::zone_name`].
    pub fn zone_named(&self, tile: TileIdx, facing: Facing, name: &str) -> Option<usize> {
        (0..self.tile(tile).zones.len()).find(|z| self.zone_name(tile, facing, *z) == name)
    }
}
