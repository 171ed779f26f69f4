//! A small tile set with made-up kinds of land, for the tests.

use board::{
    CompletionRule, EdgeStyle, Kind, KindIdx, KindSet, Layer, MergeRule, NonGroundZone, Port, PortSet, Tag, TagCarrier,
    Tile, TileSet, Zone, ZoneTag, derive_ground,
};

/// The positions of kinds in `STYLES`. Stone fills edges, tracks cross edges, moor fills the
/// remaining area, and a tower stands inside the tile.
const STONE: usize = 0;
const TRACK: usize = 1;
const MOOR: usize = 2;
const STYLES: [(&str, EdgeStyle); 5] = [
    ("stone", EdgeStyle::Full),
    ("track", EdgeStyle::Line),
    ("moor", EdgeStyle::Ground),
    ("tower", EdgeStyle::Inside),
    ("stream", EdgeStyle::Line),
];

/// Parses names of ports. The letter of an edge alone means its middle.
fn ports(names: &str) -> PortSet {
    names.split('-').filter_map(Port::from_name).collect()
}

/// Makes a tile from a text such as `stone n-w, track e`. The text can also state the moor, with
/// the zones that it touches after a colon; otherwise the moor is derived.
fn tile(name: &str, drawn: &str) -> Tile {
    let mut zones: Vec<Zone> = Vec::new();
    for part in drawn.split(", ").filter(|p| !p.is_empty()) {
        let (kind, rest) = part.split_once(' ').unwrap_or((part, ""));
        let kind = STYLES.iter().position(|(name, _)| *name == kind).unwrap();
        let (at, touches) = rest.split_once(':').unwrap_or((rest, ""));
        let mut zone = Zone::new(KindIdx(kind as u8), ports(at));
        zone.touches = touches.chars().filter_map(|c| c.to_digit(10)).fold(0, |set, z| set | 1 << z);
        zones.push(zone);
    }
    if zones.iter().all(|z| z.kind.0 as usize != MOOR) {
        let partitions: Vec<NonGroundZone> =
            zones.iter().map(|z| NonGroundZone { edge: STYLES[z.kind.0 as usize].1, ports: z.ports }).collect();
        for ground in derive_ground(&partitions).unwrap() {
            let mut zone = Zone::new(KindIdx(MOOR as u8), ground.ports);
            zone.touches = ground.touches.iter().fold(0, |set, z| set | 1 << z);
            zones.push(zone);
        }
    }
    if let Some(zone) = zones.iter_mut().find(|z| [STONE, TRACK].contains(&(z.kind.0 as usize))) {
        zone.tags.push(ZoneTag { column: board::ColumnIdx(0), value: 1 });
    }
    Tile { name: format!("test/{name}"), zones, ..Tile::default() }
}

/// Makes a tile set with the shapes that are hardest to draw.
pub fn land() -> TileSet {
    let drawn = [
        ("nothing", ""),
        ("all", "stone n-e-s-w"),
        ("one", "stone n"),
        ("corner", "stone n-w, track e-s"),
        ("band", "stone e-w, track n, track s"),
        ("bay", "stone n-e-w, track s"),
        ("two", "stone n, stone w"),
        ("four", "stone n, stone e, stone s, stone w, moor :0123"),
        ("crossing", "track n, track e, track s, track w"),
        ("fork", "track e, track s, track w, stone n"),
        ("tower", "tower, track s"),
        ("beside", "tower, track e-s, stone n-w"),
        ("bridge", "track n-s, track e-w"),
        ("over", "stone e-w, track n-s"),
        ("curves", "track n-w, track e-s"),
        ("stream", "stream n-s, track e-w"),
        ("spring", "stream e"),
        ("split", "stream n, stream e, stream s"),
        ("reach", "stone n-w, track e, track s, moor e1:0, moor e2:0, moor s1:0, moor s2:0"),
        ("gates", "stone n-w, track e, track s, moor e1:0, moor e2-s1:0, moor s2:0"),
        ("stubs", "stone n, stone s, track e, track w, moor e1:0, moor e2:1, moor w1:1, moor w2:0"),
        ("courts", "stone n-s, stone e-w, moor :01, moor :01"),
        ("hedge", "stone n, stone s, moor e1-e2:01, moor w1-w2:01"),
        ("through", "track n-s"),
        ("ends", "track n, track s"),
        ("apart", "moor n1-n2-e1, moor e2-s1-s2-w1-w2"),
    ];
    let kind = |(name, edge): (&str, EdgeStyle)| Kind { name: name.to_owned(), edge, closes: CompletionRule::Ports };
    let layer = Layer { name: "land".to_owned(), kinds: KindSet::ALL, joins_touching: false };
    let crown = Tag {
        name: "crown".to_owned(),
        about: String::new(),
        on: TagCarrier::Zone,
        merge: MergeRule::Sum,
        values: Vec::new(),
        first_column: board::ColumnIdx(0),
    };
    let tiles = drawn.iter().map(|(name, drawn)| tile(name, drawn)).collect();
    TileSet::new(STYLES.map(kind).to_vec(), vec![crown], vec![layer], tiles).unwrap()
}

/// The kinds that [`land_with_new_kinds`] adds, each with the tile whose first zone has this kind.
pub const NEW_KINDS: [(&str, EdgeStyle, &str); 4] = [
    ("vineyard", EdgeStyle::Full, "all"),
    ("lake", EdgeStyle::Full, "all"),
    ("canal", EdgeStyle::Line, "bridge"),
    ("heath", EdgeStyle::Ground, "nothing"),
];

/// Makes the tile set of [`land`] with [`NEW_KINDS`], and a tile `test/<kind>` for each of them.
pub fn land_with_new_kinds() -> TileSet {
    let land = land();
    let (mut kinds, mut tiles) = (land.kinds.clone(), land.tiles.clone());
    for (name, edge, base) in NEW_KINDS {
        let mut tile = land.tile(land.tile_named(&format!("test/{base}")).unwrap()).clone();
        tile.name = format!("test/{name}");
        tile.zones[0].kind = KindIdx(kinds.len() as u8);
        tile.zones[0].tags.clear();
        kinds.push(Kind { name: name.to_owned(), edge, closes: CompletionRule::Ports });
        tiles.push(tile);
    }
    TileSet::new(kinds, land.tags, land.layers, tiles).unwrap()
}
