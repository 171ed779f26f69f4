//! Reads tiles as written in files and builds them for the board: puts the zones in order and
//! derives the ground. Ground is the land that the other zones leave free.
#![expect(clippy::indexing_slicing, reason = "the tile that is being built assigns the indices of zones")]

use board::{
    EdgeStyle, KindIdx, NonGroundZone, Port, PortSet, TagCarrier, Tile, TileIdx, TileSet, Zone, derive_ground,
};

use crate::problem::{FileRange, Problems, Spanned};
use crate::reader::{Fields, KeyValue, Node, NodeData};
use crate::zones::{self, ParsedZone, RelatedZones};
use diagnostic::join_names;

/// The largest number of tile types, for one mod and for all mods together.
pub(crate) const MAX_TILES: usize = 10_000;
/// The largest number of zones on a tile.
pub(crate) const MAX_ZONES: usize = 32;

/// A tile as declared in a file. The names of its kinds and tags are not resolved yet.
#[derive(Clone, Debug)]
pub(crate) struct TileDecl {
    pub(crate) id: Spanned<String>,
    pub(crate) count: u16,
    pub(crate) start: Option<ParsedStart>,
    pub(crate) deck: Option<Spanned<String>>,
    any_edges: bool,
    /// True if the tile is an overlay, which lies over other tiles and is in no deck.
    pub(crate) is_overlay: bool,
    /// The keys that name kinds or tags, with their values.
    parts: Vec<KeyValue>,
}

/// The value of `start` on a tile, as written.
#[derive(Clone, Debug)]
pub(crate) struct ParsedStart {
    pub(crate) range: FileRange,
    /// The qualified ids of the start tiles that this tile replaces, or `any`.
    pub(crate) instead_of: Vec<Spanned<String>>,
}

/// Reads the tiles of one file.
pub(crate) fn read(problems: &mut Problems, root: &Node) -> Vec<TileDecl> {
    let all = Fields::new(problems, root, &keys::TILE_FILE, "a file of tiles", root.range);
    let entries = all.tables(problems, "tile", MAX_TILES);
    all.report_unknown(problems);
    entries.iter().map(|entry| tile(problems, entry)).collect()
}

fn tile(p: &mut Problems, entry: &KeyValue) -> TileDecl {
    let id = entry.key.clone();
    if id.value.is_empty() || !id.value.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') {
        let help = "ids of tiles are made of letters, digits, `-` and `_`";
        p.error(id.range, format!("`{}` cannot be the id of a tile", id.value)).help(help);
    }
    let fields = Fields::new(p, &entry.node, &keys::TILE, format!("tile `{}`", id.value), id.range);
    let count = fields.number(p, "count");
    // A conditional count may be zero.
    if let Some(zero) = count.filter(|c| c.value == 0 && !p.text_in(c.range).contains(" if ")) {
        p.warning(zero.range, format!("tile `{}` is in no deck: its count is 0", id.value));
    }
    let start = fields.get("start").and_then(|node| start(p, node));
    let deck = fields.text(p, "deck");
    let edges = fields.text(p, "edges");
    if let Some(other) = edges.as_ref().filter(|edges| edges.value != "any") {
        p.error(other.range, format!("`edges` cannot be \"{}\"", other.value))
            .help("write `edges = \"any\"`, or leave it out");
    }
    let is_overlay = fields.flag(p, "overlay").unwrap_or(false);
    let is_of_tiles = |e: &&KeyValue| ["count", "start", "deck", "edges"].contains(&e.key.value.as_str());
    for field in entry.node.table_entries().iter().filter(is_of_tiles).filter(|_| is_overlay) {
        let message = format!(
            "`{}` does not apply to an overlay, which lies over other tiles and is in no deck",
            field.key.value
        );
        p.error(field.key.range, message).help("leave it out");
    }
    fields.single_line_text(p, "about");
    let parts = entry.node.table_entries().iter().filter(|e| !keys::TILE.names().any(|name| name == e.key.value));
    TileDecl {
        id,
        count: count.map_or(u16::from(!is_overlay), |c| c.value as u16),
        start,
        deck,
        any_edges: edges.is_some(),
        is_overlay,
        parts: parts.cloned().collect(),
    }
}

fn start(p: &mut Problems, node: &Node) -> Option<ParsedStart> {
    match &node.data {
        NodeData::Bool(truth) => truth.then_some(ParsedStart { range: node.range, instead_of: Vec::new() }),
        NodeData::Table(_) => {
            let fields = Fields::new(p, node, &keys::START, "`start`", node.range);
            fields.report_missing_keys(p);
            let instead_of = fields.texts(p, "instead_of").unwrap_or_default();
            fields.report_unknown(p);
            Some(ParsedStart { range: node.range, instead_of })
        }
        _ => {
            node.report_mismatch(p, "true, or a table such as `{ instead_of = \"base/D\" }`");
            None
        }
    }
}

/// The names of the zones that a zone touches or meets. [`resolve_relations`] resolves them after
/// all tiles are built.
#[derive(Debug)]
pub(crate) struct UnresolvedRelation {
    zone: usize,
    relation: Relation,
    names: Vec<Spanned<String>>,
}

/// A relation between two zones of a tile.
#[derive(Clone, Copy, Debug)]
enum Relation {
    Touches,
    Meets,
}

/// Builds the tile that `decl` declares, with the kinds and tags of `tile_set`. Also returns the
/// zone names in `touches` and `meets`, for [`resolve_relations`].
pub(crate) fn build(
    p: &mut Problems,
    tile_set: &TileSet,
    mod_id: &str,
    decl: &TileDecl,
) -> (Tile, Vec<UnresolvedRelation>) {
    let name = format!("{mod_id}/{}", decl.id.value);
    let mut tile = Tile { name, any_edges: decl.any_edges, is_overlay: decl.is_overlay, ..Tile::default() };
    let mut drafts: Vec<ParsedZone> = Vec::new();
    for KeyValue { key, node } in &decl.parts {
        if let Some(kind) = tile_set.kind_named(&key.value) {
            drafts.extend(zones::read(p, tile_set, kind, node));
        } else {
            tile.tags.extend(tag(p, tile_set, decl, key, node));
        }
    }
    limit_zones(p, decl, &mut drafts);
    let ground = |kind: KindIdx| tile_set.kind(kind).edge == EdgeStyle::Ground;
    // The sort is stable, so zones of one kind keep their order. Ground zones are sorted by their
    // first port; ground zones without ports come last.
    drafts.sort_by_key(|d| match (ground(d.kind), d.ports.first()) {
        (false, _) => (0, usize::from(d.kind.0)),
        (true, Some(port)) => (1, port.index()),
        (true, None) => (2, usize::from(d.kind.0)),
    });
    check_overlaps(p, tile_set, &drafts);
    let n_drawn = drafts.iter().filter(|d| !ground(d.kind)).count();
    if decl.is_overlay {
        // An overlay has no ground of its own: it uses the ground of the tile below.
    } else if decl.any_edges || drafts[n_drawn..].iter().any(|d| !d.ports.is_empty()) {
        check_ground_is_whole(p, tile_set, decl, &drafts);
    } else {
        let derived = derive_ground_zones(tile_set, decl, &drafts[..n_drawn]);
        drafts.splice(n_drawn..n_drawn, derived);
    }
    limit_zones(p, decl, &mut drafts);
    let touches = assemble(tile_set, &mut tile, drafts);
    (tile, touches)
}

/// Reports a tile with more than [`MAX_ZONES`] zones, and drops the further zones.
fn limit_zones(p: &mut Problems, decl: &TileDecl, drafts: &mut Vec<ParsedZone>) {
    if drafts.len() > MAX_ZONES {
        let message = format!("tile `{}` has {} zones; at most {MAX_ZONES} are allowed", decl.id.value, drafts.len());
        p.error(decl.id.range, message);
        drafts.truncate(MAX_ZONES);
    }
}

fn tag(
    p: &mut Problems,
    tile_set: &TileSet,
    decl: &TileDecl,
    key: &Spanned<String>,
    node: &Node,
) -> Option<(board::TagIdx, i32)> {
    let name = key.value.as_str();
    match tile_set.tag_named(name) {
        Some(tag) if tile_set.tag(tag).on == TagCarrier::Tile => zones::tile_tag(p, tile_set, tag, node),
        Some(_) => {
            let help = format!("write it in the table of a zone, such as `{{ at = \"n\", {name} = ... }}`");
            p.error(key.range, format!("tag `{name}` is on zones, not on tiles")).help(help);
            None
        }
        None => {
            let kinds = tile_set.kinds.iter().map(|k| k.name.as_str());
            let tags = tile_set.tags.iter().filter(|t| t.on == TagCarrier::Tile).map(|t| t.name.as_str());
            let known: Vec<&str> = kinds.chain(tags).chain(keys::TILE.names().map(|name| -> &str { name })).collect();
            p.error(key.range, format!("unknown kind or tag `{name}` on tile `{}`", decl.id.value))
                .suggest(name, known);
            None
        }
    }
}

fn check_overlaps(p: &mut Problems, tile_set: &TileSet, drafts: &[ParsedZone]) {
    for (i, draft) in drafts.iter().enumerate() {
        let style = |d: &ParsedZone| tile_set.kind(d.kind).edge;
        // A full zone also covers the halves of its edges.
        let held = |d: &ParsedZone| -> PortSet {
            let whole = |port: Port| port.edge().ports();
            match style(d) {
                EdgeStyle::Full => d.ports.iter().flat_map(whole).collect(),
                _ => d.ports,
            }
        };
        if let Some(first) = drafts[..i].iter().find(|other| held(other).intersects(held(draft))) {
            let shared = held(draft).iter().find(|port| held(first).contains(*port)).map_or("", Port::name);
            let [a, b] = [draft, first].map(|d| &tile_set.kind(d.kind).name);
            let note = p.note(first.range, format!("this `{b}` covers `{shared}`"));
            p.error(draft.range, format!("`{a}` covers `{shared}`, which `{b}` already covers")).note(note);
        }
    }
}

fn check_ground_is_whole(p: &mut Problems, tile_set: &TileSet, decl: &TileDecl, drafts: &[ParsedZone]) {
    // On a tile with `edges = "any"`, an edge without a zone fits anything and needs no ground.
    let is_free = |port: &Port| {
        decl.any_edges && !drafts.iter().any(|d| port.edge().ports().iter().any(|own| d.ports.contains(*own)))
    };
    let has_ground = tile_set.kinds.iter().any(|kind| kind.edge == EdgeStyle::Ground);
    let missing: Vec<&str> = Port::all()
        .filter(|port| !port.is_middle() && has_ground && !is_free(port))
        .filter(|half| {
            let is_full = |d: &ParsedZone| tile_set.kind(d.kind).edge == EdgeStyle::Full;
            let middle = half.edge().ports()[1];
            !drafts.iter().any(|d| d.ports.contains(*half) || is_full(d) && d.ports.contains(middle))
        })
        .map(Port::name)
        .collect();
    if !missing.is_empty() {
        let message = format!("nothing lies on {} of tile `{}`", join_names(&missing), decl.id.value);
        p.error(decl.id.range, message).help("a tile that names halves of its ground must name all of them");
    }
}

/// Derives the zones of ground of a tile from its other zones, `drawn`. All derived zones have the
/// first kind of ground in the tile set.
fn derive_ground_zones(tile_set: &TileSet, decl: &TileDecl, drawn: &[ParsedZone]) -> Vec<ParsedZone> {
    let kinds = || (0..tile_set.kinds.len() as u8).map(KindIdx);
    let Some(kind) = kinds().find(|k| tile_set.kind(*k).edge == EdgeStyle::Ground) else { return Vec::new() };
    let partitions: Vec<NonGroundZone> =
        drawn.iter().map(|d| NonGroundZone { edge: tile_set.kind(d.kind).edge, ports: d.ports }).collect();
    // Deriving fails only for overlapping zones, which were reported before.
    let grounds = derive_ground(&partitions).unwrap_or_default();
    let draft = |ports| ParsedZone { kind, ports, range: decl.id.range, touches: None, meets: None, tags: Vec::new() };
    grounds.into_iter().map(|g| draft(g.ports)).collect()
}

/// Makes the zones of a tile from `drafts`. Returns the zone names in `touches` and `meets`, for
/// [`resolve_relations`].
fn assemble(tile_set: &TileSet, tile: &mut Tile, drafts: Vec<ParsedZone>) -> Vec<UnresolvedRelation> {
    let full = |d: &ParsedZone| tile_set.kind(d.kind).edge == EdgeStyle::Full;
    // A line with only one port leads to the middle of the tile.
    let is_arm = |d: &ParsedZone| tile_set.kind(d.kind).edge == EdgeStyle::Line && d.ports.len() == 1;
    let bits = |test: &dyn Fn(usize, &ParsedZone) -> bool| -> u32 {
        let hits = drafts.iter().enumerate().filter(|(i, d)| test(*i, d));
        hits.fold(0, |set, (i, _)| set | 1 << i)
    };
    let mut touches: Vec<u32> = Vec::new();
    let mut meets: Vec<u32> = Vec::new();
    for (me, draft) in drafts.iter().enumerate() {
        let is_ground = tile_set.kind(draft.kind).edge == EdgeStyle::Ground;
        touches.push(match draft.touches {
            Some(RelatedZones::All) => bits(&|i, d| i != me && full(d)),
            None if is_ground => bits(&|_, d| {
                full(d) && draft.ports.iter().any(|half| d.ports.contains(half.adjacent_edge().ports()[1]))
            }),
            _ => 0,
        });
        meets.push(match draft.meets {
            Some(RelatedZones::All) => bits(&|i, d| i != me && is_arm(d)),
            None if is_arm(draft) => bits(&|i, d| i != me && is_arm(d) && d.meets.is_none()),
            _ => 0,
        });
    }
    let mut named = Vec::new();
    for (me, draft) in drafts.into_iter().enumerate() {
        let mut zone = Zone::new(draft.kind, draft.ports);
        zone.tags = draft.tags;
        tile.zones.push(zone);
        for (relation, others) in [(Relation::Touches, draft.touches), (Relation::Meets, draft.meets)] {
            if let Some(RelatedZones::Named(names)) = others {
                named.push(UnresolvedRelation { zone: me, relation, names });
            }
        }
    }
    for (me, (touched, met)) in touches.into_iter().zip(meets).enumerate() {
        add_relation(tile, me, Relation::Touches, touched);
        add_relation(tile, me, Relation::Meets, met);
    }
    named
}

/// Records the relation between zone `me` and the zones `others`, in both directions.
fn add_relation(tile: &mut Tile, me: usize, relation: Relation, others: u32) {
    let related = |zone: &mut Zone, set: u32| match relation {
        Relation::Touches => zone.touches |= set,
        Relation::Meets => zone.meets |= set,
    };
    related(&mut tile.zones[me], others);
    for (other, zone) in tile.zones.iter_mut().enumerate() {
        if others >> other & 1 == 1 {
            related(zone, 1 << me);
        }
    }
}

/// Resolves the zone names in `touches` and `meets` of a tile. The tile must already be in the tile
/// set, which gives names to its zones.
pub(crate) fn resolve_relations(
    p: &mut Problems,
    tile_set: &mut TileSet,
    tile: TileIdx,
    others: &[UnresolvedRelation],
) {
    let unturned = board::Facing::default();
    for UnresolvedRelation { zone, relation, names } in others {
        let is_line = |z: usize| tile_set.kind(tile_set.tile(tile).zones[z].kind).edge == EdgeStyle::Line;
        let n = tile_set.tile(tile).zones.len();
        let known: Vec<(usize, String)> = (0..n)
            .filter(|z| z != zone && (matches!(relation, Relation::Touches) || is_line(*z)))
            .map(|z| (z, tile_set.zone_name(tile, unturned, z)))
            .collect();
        for name in names {
            match known.iter().find(|(_, known)| *known == name.value) {
                Some((other, _)) => add_relation(&mut tile_set.tiles[tile.0 as usize], *zone, *relation, 1 << other),
                None if p.is_full() => {
                    p.error(name.range, "");
                }
                None => {
                    let verb = if matches!(relation, Relation::Touches) { "touch" } else { "meet" };
                    let message = format!("there is no zone `{}` to {verb}", name.value);
                    p.error(name.range, message).suggest(&name.value, known.iter().map(|(_, name)| name.as_str()));
                }
            }
        }
    }
}
