//! Reads one zone of a tile as written: its ports, relations and tags.

use board::{ColumnIdx, EdgeStyle, KindIdx, MergeRule, Port, PortSet, TagCarrier, TagIdx, TileSet, ZoneTag};

use crate::problem::{FileRange, Problems, Spanned};
use crate::reader::{KeyValue, Node, NodeData, range_in_text};
use diagnostic::{join_names, there_are};

/// A zone before its tile is built.
#[derive(Debug)]
pub(crate) struct ParsedZone {
    pub(crate) kind: KindIdx,
    pub(crate) ports: PortSet,
    pub(crate) range: FileRange,
    /// The zones that this zone touches; `None` if the tile does not declare them.
    pub(crate) touches: Option<RelatedZones>,
    /// The lines that end at the same place on the tile as this line; `None` if the tile does not
    /// declare them.
    pub(crate) meets: Option<RelatedZones>,
    pub(crate) tags: Vec<ZoneTag>,
}

/// The zones that a zone touches or meets.
#[derive(Debug)]
pub(crate) enum RelatedZones {
    /// All zones of the tile that the zone can touch or meet.
    All,
    /// Zones by their names on the unturned tile.
    Named(Vec<Spanned<String>>),
}

/// Reads the value of a kind on a tile: one zone or a list of zones.
pub(crate) fn read(problems: &mut Problems, tile_set: &TileSet, kind: KindIdx, node: &Node) -> Vec<ParsedZone> {
    match &node.data {
        NodeData::List(list) => list.iter().filter_map(|node| zone(problems, tile_set, kind, node)).collect(),
        _ => zone(problems, tile_set, kind, node).into_iter().collect(),
    }
}

fn zone(p: &mut Problems, tile_set: &TileSet, kind: KindIdx, node: &Node) -> Option<ParsedZone> {
    let name = &tile_set.kind(kind).name;
    let mut draft =
        ParsedZone { kind, ports: PortSet::EMPTY, range: node.range, touches: None, meets: None, tags: Vec::new() };
    match (&node.data, tile_set.kind(kind).edge) {
        (NodeData::Text(_), _) => draft.ports = ports(p, tile_set, kind, node),
        (NodeData::Bool(true), EdgeStyle::Inside) => {}
        (NodeData::Bool(false), _) => {
            p.error(node.range, format!("`{name}` cannot be false")).help("remove the key");
            return None;
        }
        (NodeData::Bool(true), edge) => {
            p.error(node.range, format!("no edge is given for `{name}`")).help(example(name, edge));
            return None;
        }
        (NodeData::Table(entries), edge) => read_table(p, tile_set, &mut draft, node, entries, edge),
        (_, EdgeStyle::Inside) => {
            node.report_mismatch(p, "true or a table");
            return None;
        }
        _ => {
            node.report_mismatch(p, "edges as a text, or a table");
            return None;
        }
    }
    Some(draft)
}

fn example(name: &str, edge: EdgeStyle) -> String {
    match edge {
        EdgeStyle::Ground => {
            format!(
                "write the half edges that it reaches, such as `{name} = \"e2-s1\"`, or `{name} = {{ inner = true }}` if it reaches none"
            )
        }
        EdgeStyle::Inside => format!("write `{name} = true`"),
        _ => format!("write its edges, such as `{name} = \"n-w\"`"),
    }
}

fn read_table(
    p: &mut Problems,
    tile_set: &TileSet,
    draft: &mut ParsedZone,
    node: &Node,
    entries: &[KeyValue],
    edge: EdgeStyle,
) {
    let kind = tile_set.kind(draft.kind);
    let (mut at, mut inner) = (None, None);
    for KeyValue { key, node } in entries {
        match key.value.as_str() {
            "at" => {
                at = Some(node);
                draft.ports = ports(p, tile_set, draft.kind, node);
            }
            "inner" => match node.data {
                NodeData::Bool(true) => inner = Some(node),
                NodeData::Bool(false) => {}
                _ => node.report_mismatch(p, "true or false"),
            },
            "touches" => draft.touches = Some(related_zones(p, node)),
            "meets" if edge != EdgeStyle::Line => {
                let help = "only kinds with `edge = \"line\"` can end on a tile";
                p.error(key.range, format!("`{}` cannot have `meets`", kind.name)).help(help);
            }
            "meets" => draft.meets = Some(related_zones(p, node)),
            name => match tile_set.tag_named(name) {
                Some(tag) if tile_set.tag(tag).on == TagCarrier::Zone => {
                    draft.tags.extend(zone_tag(p, tile_set, tag, node))
                }
                Some(_) => {
                    let help = "write it beside the kinds of the tile";
                    p.error(key.range, format!("tag `{name}` is on tiles, not on zones")).help(help);
                }
                None => {
                    let tags = tile_set.tags.iter().filter(|t| t.on == TagCarrier::Zone).map(|t| t.name.as_str());
                    let known = tags.chain(keys::ZONE.names().map(|name| -> &str { name }));
                    p.error(key.range, format!("unknown tag `{name}` on `{}`", kind.name)).suggest(name, known);
                }
            },
        }
    }
    match (at, inner, edge) {
        (Some(_), Some(inner), _) => {
            p.error(inner.range, "a zone with `inner` reaches no edge, so it cannot have `at`");
        }
        (None, None, EdgeStyle::Full | EdgeStyle::Line | EdgeStyle::Ground) => {
            p.error(node.range, format!("no edge is given for `{}`", kind.name))
                .help("write `at = \"...\"` or `inner = true`");
        }
        _ => {}
    }
}

fn related_zones(p: &mut Problems, node: &Node) -> RelatedZones {
    match &node.data {
        NodeData::Text(text) if text == "all" => RelatedZones::All,
        _ => RelatedZones::Named(node.texts(p)),
    }
}

/// Parses the value of `at` into ports: edges or half-edges, separated by `-` or spaces.
fn ports(p: &mut Problems, tile_set: &TileSet, kind: KindIdx, node: &Node) -> PortSet {
    let mut ports = PortSet::EMPTY;
    let Some(text) = node.text(p) else { return ports };
    let (name, edge) = (&tile_set.kind(kind).name, tile_set.kind(kind).edge);
    if edge == EdgeStyle::Inside {
        p.error(text.range, format!("`{name}` never reaches an edge")).help(example(name, edge));
        return ports;
    }
    let mut n_words = 0;
    let mut start = 0;
    for part in text.value.split(|c: char| c == '-' || c.is_whitespace()) {
        let range = range_in_text(&text, start..start + part.len());
        start += part.len() + 1;
        if part.is_empty() {
            continue;
        }
        n_words += 1;
        let Some(port) = Port::from_name(part) else {
            let known = if edge == EdgeStyle::Ground { &Port::NAMES[..] } else { &["n", "e", "s", "w"] };
            p.error(range, format!("`{part}` is not an edge")).help(there_are(known));
            continue;
        };
        let halves = [port.edge().ports()[0], port.edge().ports()[2]];
        let held: PortSet = match (edge, port.is_middle()) {
            (EdgeStyle::Ground, true) => halves.into_iter().collect(),
            (EdgeStyle::Ground, false) | (_, true) => [port].into_iter().collect(),
            (_, false) => {
                let letter = port.edge().letter();
                let message = format!("`{name}` cannot lie on half an edge");
                p.error(range, message).help(format!("write `{letter}` instead of `{part}`"));
                continue;
            }
        };
        if ports.intersects(held) {
            p.error(range, format!("`{part}` is listed twice"));
        }
        ports |= held;
    }
    if n_words == 0 {
        p.error(text.range, format!("no edge is given for `{name}`")).help(example(name, edge));
    }
    ports
}

/// Reads the value of a tag on a zone. Returns the values that the zone adds to the columns of its
/// feature.
pub(crate) fn zone_tag(p: &mut Problems, tile_set: &TileSet, tag: TagIdx, node: &Node) -> Vec<ZoneTag> {
    let declared = tile_set.tag(tag);
    let column = declared.first_column;
    match declared.merge {
        MergeRule::Any | MergeRule::All => match node.data {
            NodeData::Bool(truth) => Vec::from_iter(truth.then_some(ZoneTag { column, value: 1 })),
            NodeData::Int(_) => {
                let help = format!("to add numbers up, write `merge = \"sum\"` in `[tag.{}]`", declared.name);
                p.error(node.range, "expected true, found a number").help(help);
                Vec::new()
            }
            _ => {
                node.report_mismatch(p, "true");
                Vec::new()
            }
        },
        MergeRule::Sum | MergeRule::Max => {
            // `true` means 1.
            if let NodeData::Bool(true) = node.data {
                return vec![ZoneTag { column, value: 1 }];
            }
            let number = node.number(p, 0..=1_000_000);
            number.map(|n| ZoneTag { column, value: n.value as i32 }).into_iter().collect()
        }
        MergeRule::Set | MergeRule::Multiset => {
            let mut tags: Vec<ZoneTag> = Vec::new();
            for word in node.texts(p) {
                let Some(position) = tag_word_index(p, tile_set, tag, &word) else { continue };
                let column = ColumnIdx(column.0 + position as u8);
                match tags.iter_mut().find(|t| t.column == column) {
                    Some(twice) if declared.merge == MergeRule::Multiset => twice.value += 1,
                    Some(_) => {}
                    None => tags.push(ZoneTag { column, value: 1 }),
                }
            }
            tags
        }
    }
}

/// Reads the value of a tag on a whole tile. Returns the tag and its value as a number: 1 for
/// `true`, and for a word its position among the words of the tag, counted from 0. Returns `None`
/// if the tile does not carry the tag or the value is invalid.
pub(crate) fn tile_tag(p: &mut Problems, tile_set: &TileSet, tag: TagIdx, node: &Node) -> Option<(TagIdx, i32)> {
    let declared = tile_set.tag(tag);
    match &node.data {
        NodeData::Text(_) => node.text(p).and_then(|word| Some((tag, tag_word_index(p, tile_set, tag, &word)? as i32))),
        _ if !declared.values.is_empty() => {
            node.report_mismatch(p, &format!("one of {}", join_names(&declared.values)));
            None
        }
        NodeData::Bool(truth) => truth.then_some((tag, 1)),
        // The value 0 means no tag.
        NodeData::Int(_) => {
            node.number(p, -1_000_000..=1_000_000).filter(|n| n.value != 0).map(|n| (tag, n.value as i32))
        }
        _ => {
            node.report_mismatch(p, "true, a number or a word");
            None
        }
    }
}

fn tag_word_index(p: &mut Problems, tile_set: &TileSet, tag: TagIdx, word: &Spanned<String>) -> Option<usize> {
    let declared = tile_set.tag(tag);
    let position = declared.values.iter().position(|v| *v == word.value);
    if position.is_none() {
        let message = format!("tag `{}` has no word `{}`", declared.name, word.value);
        p.error(word.range, message).suggest(&word.value, declared.values.iter().map(String::as_str));
    }
    position
}
