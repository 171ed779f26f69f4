//! A small table on which tests run scripts: one mod, one laid tile, two players.

#![allow(dead_code, clippy::unwrap_used)]

use std::rc::Rc;
use std::sync::Arc;

use board::{
    ColumnIdx, CompletionRule, EdgeStyle, Facing, Kind, KindIdx, KindSet, Layer, LayerIdx, MergeRule, PieceKindSet,
    Port, PortSet, Tag, TagCarrier, TagIdx, Tile, TileIdx, TileSet, Zone, ZoneTag,
};
use record::start_game;
use rules::{
    Card, Catalogue, Deck, DeckIdx, Factor, Failure, Fault, Filter, FnIdx, Formula, Function, Game, Handler, Hook,
    ItemType, ModIdx, ModInfo, OptionWord, Phase, PhaseAction, PieceKind, Pile, PointFormulas, Rules, Setting,
    SettingValue, Setup, Slot, StartTile, Status, Term, Token, Track,
};
use script::{ScriptHost, ScriptSource, Vocabulary, inspect};

pub const FILE: &str = "mods/probe/rules.rhai";

pub fn source(text: &str) -> ScriptSource {
    ScriptSource { owner: "probe".to_owned(), file: FILE.to_owned(), text: text.to_owned() }
}

fn ports(names: &str) -> PortSet {
    names.split(' ').filter_map(Port::from_name).collect()
}

fn tile_set() -> TileSet {
    let kind = |name: &str, edge| Kind { name: name.to_owned(), edge, closes: CompletionRule::Ports };
    let kinds = vec![kind("way", EdgeStyle::Line), kind("green", EdgeStyle::Ground)];
    let tag = |name: &str, on, merge, values: &[&str]| Tag {
        name: name.to_owned(),
        about: String::new(),
        on,
        merge,
        values: values.iter().map(|v| (*v).to_owned()).collect(),
        first_column: ColumnIdx(0),
    };
    let tags = vec![
        tag("stones", TagCarrier::Zone, MergeRule::Sum, &[]),
        tag("goods", TagCarrier::Zone, MergeRule::Multiset, &["nuts", "wool"]),
        tag("arrow", TagCarrier::Tile, MergeRule::Any, &["n", "ne", "e", "se", "s", "sw", "w", "nw"]),
    ];
    let layers = vec![Layer { name: "land".to_owned(), kinds: KindSet::ALL, joins_touching: false }];
    let mut way = Zone::new(KindIdx(0), ports("n s"));
    // The columns are stones, nuts and wool.
    way.tags = vec![ZoneTag { column: ColumnIdx(0), value: 2 }, ZoneTag { column: ColumnIdx(2), value: 1 }];
    way.touches = 0b110;
    let mut east = Zone::new(KindIdx(1), ports("n2 e1 e2 s1"));
    east.touches = 0b001;
    let mut west = Zone::new(KindIdx(1), ports("s2 w1 w2 n1"));
    west.touches = 0b001;
    let straight = Tile {
        name: "probe/S".to_owned(),
        zones: vec![way, east, west],
        tags: vec![(TagIdx(2), 1)],
        ..Tile::default()
    };
    let ends = Tile {
        name: "probe/L".to_owned(),
        zones: vec![
            Zone::new(KindIdx(0), ports("n")),
            Zone::new(KindIdx(0), ports("s")),
            Zone::new(KindIdx(1), ports("n1 n2 e1 e2 s1 s2 w1 w2")),
        ],
        ..Tile::default()
    };
    TileSet::new(kinds, tags, layers, vec![straight, ends]).unwrap()
}

pub fn catalogue(text: &str) -> Catalogue {
    let inspection = inspect(&source(text), &Vocabulary::default());
    let owner = ModIdx(0);
    let mut functions: Vec<Function> = Vec::new();
    let mut handlers = vec![Vec::new(); Hook::ALL.len()];
    let mut phases = vec![
        Phase { id: "draw".to_owned(), slot: Slot::Draw, runs: PhaseAction::Draw, filter: Filter::default() },
        Phase { id: "place".to_owned(), slot: Slot::Place, runs: PhaseAction::Place, filter: Filter::default() },
        Phase { id: "piece".to_owned(), slot: Slot::Piece, runs: PhaseAction::Piece, filter: Filter::default() },
        Phase { id: "score".to_owned(), slot: Slot::Score, runs: PhaseAction::Score, filter: Filter::default() },
    ];
    let mut options = Vec::new();
    for name in inspection.functions.iter().map(|f| f.name.clone()) {
        let function = FnIdx(functions.len() as u16);
        if let Some(hook) = Hook::named(&name) {
            handlers[hook as usize].push(Handler { function, owner, filter: Filter::default() });
        } else if let Some(id) = name.strip_prefix("phase_") {
            let runs = PhaseAction::Function { function };
            phases.push(Phase { id: id.to_owned(), slot: Slot::End, runs, filter: Filter::default() });
        } else if let Some(word) = name.strip_prefix("do_") {
            options.push(OptionWord { word: word.to_owned(), function, about: String::new() });
        } else {
            continue;
        }
        functions.push(Function { owner, name, file: "test.rhai".to_owned(), line: 0, column: 0 });
    }
    let piece = |name: &str, per_player, neutral, is: u32| PieceKind {
        name: name.to_owned(),
        title: name.to_owned(),
        owner,
        per_player,
        neutral,
        stands_on: KindSet::from_iter([KindIdx(0)]),
        lies_on: KindSet::default(),
        layer: LayerIdx(0),
        strength: 1,
        // As in the loader, the name of a kind of piece includes all kinds that count as that kind.
        blocked_by: PieceKindSet(if is & 1 == 1 { 0b101 } else { is }),
        needs: PieceKindSet::default(),
        is: PieceKindSet(is),
        goes_home: true,
    };
    let setting = |name: &str, default| Setting {
        owner,
        name: name.to_owned(),
        default,
        choices: Vec::new(),
        range: None,
        about: String::new(),
    };
    let tiles = Term { times: 1, factors: vec![Factor::Tiles] };
    let worth = PointFormulas {
        complete: Some(Formula { terms: vec![tiles.clone()] }),
        at_end: Some(Formula { terms: vec![tiles] }),
    };
    Catalogue {
        tile_set: tile_set(),
        mods: vec![ModInfo { id: "probe".to_owned(), ..ModInfo::default() }],
        settings: vec![setting("generous", SettingValue::Bool(true)), setting("limit", SettingValue::Int(3))],
        pieces: vec![piece("runner", 3, 0, 0b01), piece("ghost", 0, 1, 0b10), piece("giant", 1, 0, 0b101)],
        tokens: vec![Token { name: "coin".to_owned(), stock: Some(5), per_player: 0 }],
        piles: vec![Pile { name: "gold".to_owned(), stock: Some(4) }],
        cards: ["A", "B"].map(|card| Card { name: format!("probe/{card}"), about: format!("what {card} says") }).into(),
        decks: vec![
            Deck { name: "land".to_owned(), holds: ItemType::Tiles, items: vec![(0, 3), (1, 2)] },
            Deck { name: "cards".to_owned(), holds: ItemType::Cards, items: vec![(0, 2), (1, 1)] },
        ],
        start: Some(StartTile { tile: TileIdx(0), facing: Facing::default() }),
        track: Track { dark: 5, ..Track::default() },
        n_players: (1, 6),
        phases,
        points: vec![worth, PointFormulas::default()],
        layer_points: vec![PointFormulas::default()],
        joining: Vec::new(),
        options,
        functions,
        handlers,
        search_value: None,
    }
}

pub fn host(text: &str) -> Result<(Arc<Catalogue>, ScriptHost), Failure> {
    let catalogue = Arc::new(catalogue(text));
    let settings = Rules::default_settings(&catalogue);
    let host = ScriptHost::new(catalogue.clone(), [source(text)].into(), &settings)?;
    Ok((catalogue, host))
}

/// Returns a game in which the script's `setup` has run. Checks that `setup` has the same result as
/// a tree and in the interpreter.
pub fn game(text: &str) -> Game {
    let tree = game_run(text, true);
    let interpreted = game_run(text, false);
    assert_eq!(played(&tree), played(&interpreted), "{text}");
    let hash = |game: &Game| record::state_hash(&game.rules().ruleset, game.state());
    assert_eq!(hash(&tree), hash(&interpreted), "{text}");
    let options = |game: &Game| rules::option_texts(&game.rules().ruleset, game.state());
    assert_eq!(options(&tree), options(&interpreted), "{text}");
    tree
}

pub fn game_run(text: &str, uses_trees: bool) -> Game {
    let (catalogue, host) = host(text).unwrap();
    host.use_trees(uses_trees);
    let settings = Rules::default_settings(&catalogue);
    let rules = Rc::new(Rules::new(catalogue, settings, Box::new(host)));
    start_game(rules, Setup::of(&["probe"], 2)).map_err(|_| "given").unwrap()
}

/// Runs `body` as `setup` and returns its notes, or its failure.
pub fn run(body: &str) -> Result<Vec<String>, Failure> {
    played(&game(&format!("fn setup() {{\n{body}\n}}")))
}

/// Returns the notes of mods, or the fault.
pub fn played(game: &Game) -> Result<Vec<String>, Failure> {
    match game.status() {
        Status::Fault(fault) => Err(Fault::clone(fault).failure),
        _ => Ok(game.state().notes().iter().map(|(_, note)| note.to_string()).collect()),
    }
}

/// Returns the value of an expression, as text.
pub fn value(expression: &str) -> String {
    run(&format!("note(`${{{expression}}}`);")).unwrap().remove(0)
}

/// Runs `body`, which must fail, and returns the failure.
pub fn failure(body: &str) -> Failure {
    run(body).expect_err("this must fail")
}

pub const CARDS: DeckIdx = DeckIdx(1);
