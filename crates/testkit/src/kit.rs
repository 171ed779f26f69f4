//! A catalogue made in a test, with closures as the functions of mods.

use std::rc::Rc;
use std::sync::Arc;

use board::{
    ColumnIdx, CompletionRule, Edge, EdgeStyle, Facing, FeatureRef, Kind, KindIdx, KindSet, Layer, LayerIdx, MergeRule,
    PieceKindSet, Port, PortSet, Tag, TagCarrier, TagIdx, Tile, TileIdx, TileSet, Zone, ZoneTag,
};
use record::{given_lines, start_game, state_hash};
use rules::{
    Call, Card, Catalogue, Deck, Factor, Failure, Fault, Filter, FnIdx, Formula, Function, Game, Halt, Handler, Hook,
    Hooks, ItemType, ModIdx, ModInfo, OptionValues, OptionWord, Phase, PhaseAction, PieceKind, PointFormulas,
    QuestionForm, Refusal, Rules, Seat, SeatSet, Setup, Slot, StartTile, Status, Term, Token, Track, Value, find_zone,
    option_texts,
};

/// The body of a mod's function.
type Body = Box<dyn Fn(&[Value], &mut Call<'_>) -> Result<Value, Refusal>>;

struct Bodies(Vec<Body>);

impl Hooks for Bodies {
    fn call(&self, function: FnIdx, args: &[Value], call: &mut Call<'_>) -> Result<Value, Halt> {
        self.0[function.idx()](args, call).map_err(|refusal| match refusal {
            Refusal::Asked => Halt::Asked,
            Refusal::Because(message) => Halt::Failed(Failure::from(message)),
        })
    }
}

/// A builder for the declarations of a set of mods. It begins with one mod, `kit`, and the deck
/// `land`.
///
/// Declare kinds and tags before the tiles that use them, and mods in load order.
pub struct Kit {
    catalogue: Catalogue,
    kinds: Vec<Kind>,
    tags: Vec<Tag>,
    layers: Vec<Layer>,
    tiles: Vec<Tile>,
    bodies: Vec<Body>,
}

impl Default for Kit {
    fn default() -> Kit {
        Kit::new()
    }
}

impl Kit {
    /// Makes a kit with only the phases of the core.
    pub fn new() -> Kit {
        let phase = |id: &str, slot, runs| Phase { id: id.to_owned(), slot, runs, filter: Filter::default() };
        let catalogue = Catalogue {
            mods: vec![ModInfo { id: "kit".to_owned(), ..ModInfo::default() }],
            decks: vec![Deck { name: "land".to_owned(), holds: ItemType::Tiles, items: Vec::new() }],
            track: Track::default(),
            n_players: (1, 6),
            phases: vec![
                phase("draw", Slot::Draw, PhaseAction::Draw),
                phase("place", Slot::Place, PhaseAction::Place),
                phase("piece", Slot::Piece, PhaseAction::Piece),
                phase("score", Slot::Score, PhaseAction::Score),
            ],
            layer_points: vec![PointFormulas::default()],
            handlers: vec![Vec::new(); Hook::ALL.len()],
            ..Catalogue::default()
        };
        let layers = vec![Layer { name: "land".to_owned(), kinds: KindSet::ALL, joins_touching: false }];
        Kit { catalogue, kinds: Vec::new(), tags: Vec::new(), layers, tiles: Vec::new(), bodies: Vec::new() }
    }

    /// Makes a small game. A complete road pays 1 point per tile, and a complete town pays 2 points
    /// per tile. At the end of the game, both pay 1 point per tile. A complete abbey pays 9 points.
    /// At the end, an abbey pays 1 point for its tile and for each neighbour. Fields pay nothing.
    /// Each player has seven meeples.
    ///
    /// A `straight` road lies at 0,0. The deck contains an `abbey`, and four each of `straight`,
    /// `curve`, `stop` (a road that ends), `cap` (a town to the north) and `wall` (towns to the
    /// north and south).
    pub fn small() -> Kit {
        Kit::new()
            .kind("road", EdgeStyle::Line)
            .kind("town", EdgeStyle::Full)
            .kind("field", EdgeStyle::Ground)
            .kind("abbey", EdgeStyle::Inside)
            .pays("road", 1, 1)
            .pays("town", 2, 1)
            .points(
                "abbey",
                PointFormulas { complete: Some(formula(9, &[])), at_end: Some(formula(1, &[Factor::Spots])) },
            )
            .tile("straight", 4, "road e w, field")
            .tile("curve", 4, "road s w, field")
            .tile("stop", 4, "road s, field")
            .tile("cap", 4, "town n, field")
            .tile("wall", 4, "town n, town s, field")
            .tile("abbey", 1, "abbey, field")
            .start("straight")
            .piece("meeple", 7, &["road", "town", "abbey"])
    }

    /// Declares a mod. The functions declared after this call belong to this mod.
    pub fn in_mod(mut self, id: &str) -> Kit {
        self.catalogue.mods.push(ModInfo { id: id.to_owned(), ..ModInfo::default() });
        self
    }

    fn owner(&self) -> ModIdx {
        ModIdx((self.catalogue.mods.len() - 1) as u8)
    }

    /// Declares a kind of land. If `edge` is [`EdgeStyle::Inside`], a feature of this kind is
    /// complete when tiles lie on all eight spots around it.
    pub fn kind(mut self, name: &str, edge: EdgeStyle) -> Kit {
        let closes = if edge == EdgeStyle::Inside { CompletionRule::Surrounded } else { CompletionRule::Ports };
        self.kinds.push(Kind { name: name.to_owned(), edge, closes });
        self.catalogue.points.push(PointFormulas::default());
        self
    }

    fn kind_named(&self, name: &str) -> KindIdx {
        let found = self.kinds.iter().position(|kind| kind.name == name);
        KindIdx(found.unwrap_or_else(|| panic!("there is no kind {name}")) as u8)
    }

    /// Sets the points per tile that a feature of a kind pays when it is complete and at the end of
    /// the game; 0 for no points.
    pub fn pays(self, kind: &str, complete: i64, at_end: i64) -> Kit {
        let a_tile = |times| (times != 0).then(|| formula(times, &[Factor::Tiles]));
        self.points(kind, PointFormulas { complete: a_tile(complete), at_end: a_tile(at_end) })
    }

    /// Sets the formulas for the points that features of a kind pay.
    pub fn points(mut self, kind: &str, points: PointFormulas) -> Kit {
        let kind = self.kind_named(kind);
        self.catalogue.points[kind.0 as usize] = points;
        self
    }

    /// Declares a tag that gives numbers to tiles or to zones, depending on `on`. A feature has the
    /// sum of the numbers of its zones.
    pub fn tag(mut self, name: &str, on: TagCarrier) -> Kit {
        let (merge, first_column) = (MergeRule::Sum, ColumnIdx(0));
        let (name, about) = (name.to_owned(), String::new());
        self.tags.push(Tag { name, about, on, merge, values: Vec::new(), first_column });
        self
    }

    fn tag_named(&self, name: &str) -> usize {
        let found = self.tags.iter().position(|tag| tag.name == name);
        found.unwrap_or_else(|| panic!("there is no tag {name}"))
    }

    /// Declares a tile with `copies` copies in the deck `land`. `zones` is a list separated by
    /// commas. An item such as `town n e shield=1` is a zone: a kind, the ports of the zone, and
    /// tags with numbers. A zone of ground without ports is all the remaining ground of the tile
    /// and borders every other zone. The list can also contain tags of the whole tile, such as
    /// `@spring`.
    pub fn tile(mut self, name: &str, copies: u16, zones: &str) -> Kit {
        let mut tile = Tile { name: format!("kit/{name}"), ..Tile::default() };
        let mut taken = PortSet::default();
        for zone in zones.split(',').map(str::trim) {
            if let Some(tag) = zone.strip_prefix('@') {
                tile.tags.push((TagIdx(self.tag_named(tag) as u8), 1));
                continue;
            }
            let mut words = zone.split(' ');
            let kind = self.kind_named(words.next().unwrap());
            let style = self.kinds[kind.0 as usize].edge;
            let mut made = Zone::new(kind, PortSet::default());
            for word in words {
                if let Some((tag, value)) = word.split_once('=') {
                    let before = &self.tags[..self.tag_named(tag)];
                    let column = ColumnIdx(before.iter().filter(|tag| tag.on == TagCarrier::Zone).count() as u8);
                    made.tags.push(ZoneTag { column, value: value.parse().unwrap() });
                    continue;
                }
                let port = Port::from_name(word).unwrap_or_else(|| panic!("{word} is not a port"));
                made.ports.insert(port);
                taken.insert(port);
                if style == EdgeStyle::Full {
                    port.edge().ports().into_iter().for_each(|port| taken.insert(port));
                }
            }
            tile.zones.push(made);
        }
        let others = (1u32 << tile.zones.len()) - 1;
        for z in 0..tile.zones.len() {
            let style = self.kinds[tile.zones[z].kind.0 as usize].edge;
            if style == EdgeStyle::Ground && tile.zones[z].ports.is_empty() {
                let halves = Edge::ALL.into_iter().flat_map(|edge| [edge.ports()[0], edge.ports()[2]]);
                tile.zones[z].ports = halves.filter(|port| !taken.contains(*port)).collect();
                tile.zones[z].touches = others & !(1 << z);
                (0..tile.zones.len()).filter(|o| *o != z).for_each(|o| tile.zones[o].touches |= 1 << z);
            }
        }
        let idx = self.tiles.len() as u16;
        self.tiles.push(tile);
        if copies > 0 {
            self.catalogue.decks[0].items.push((idx, copies));
        }
        self
    }

    fn tile_named(&self, name: &str) -> TileIdx {
        let found = self.tiles.iter().position(|tile| tile.name == format!("kit/{name}"));
        TileIdx(found.unwrap_or_else(|| panic!("there is no tile {name}")) as u16)
    }

    /// Lays a tile at 0,0 before the game begins.
    pub fn start(mut self, tile: &str) -> Kit {
        let tile = self.tile_named(tile);
        self.catalogue.start = Some(StartTile { tile, facing: Facing::default() });
        self
    }

    /// Replaces the content of the deck `land` by these tiles, each with its number of copies.
    pub fn deck(mut self, tiles: &[(&str, u16)]) -> Kit {
        self.catalogue.decks[0].items = tiles.iter().map(|(name, n)| (self.tile_named(name).0, *n)).collect();
        self
    }

    /// Declares another deck of tiles, each with its number of copies.
    pub fn further_deck(mut self, name: &str, tiles: &[(&str, u16)]) -> Kit {
        let items = tiles.iter().map(|(tile, n)| (self.tile_named(tile).0, *n)).collect();
        self.catalogue.decks.push(Deck { name: name.to_owned(), holds: ItemType::Tiles, items });
        self
    }

    /// Declares a deck of cards, each with its number of copies.
    pub fn cards(mut self, name: &str, cards: &[(&str, u16)]) -> Kit {
        let first = self.catalogue.cards.len() as u16;
        self.catalogue
            .cards
            .extend(cards.iter().map(|(card, _)| Card { name: format!("kit/{card}"), about: String::new() }));
        let items = (first..).zip(cards).map(|(item, (_, n))| (item, *n)).collect();
        self.catalogue.decks.push(Deck { name: name.to_owned(), holds: ItemType::Cards, items });
        self
    }

    /// Declares a kind of piece. Each player has `per_player` such pieces, and can deploy them on
    /// the kinds of land in `stands_on`, but not on an occupied feature.
    pub fn piece(mut self, name: &str, per_player: u16, stands_on: &[&str]) -> Kit {
        let own = 1 << self.catalogue.pieces.len();
        let stands_on = stands_on.iter().map(|kind| self.kind_named(kind)).collect();
        self.catalogue.pieces.push(PieceKind {
            name: name.to_owned(),
            title: name.to_owned(),
            owner: self.owner(),
            per_player,
            neutral: 0,
            stands_on,
            lies_on: KindSet::default(),
            layer: LayerIdx(0),
            strength: 1,
            blocked_by: PieceKindSet(u32::MAX),
            needs: PieceKindSet::default(),
            is: PieceKindSet(own),
            goes_home: true,
        });
        self
    }

    /// Declares a token with an unlimited stock.
    pub fn token(mut self, name: &str) -> Kit {
        self.catalogue.tokens.push(Token { name: name.to_owned(), stock: None, per_player: 0 });
        self
    }

    /// Changes the declarations so far, except kinds, tags, layers and tiles.
    pub fn change(mut self, change: impl FnOnce(&mut Catalogue)) -> Kit {
        change(&mut self.catalogue);
        self
    }

    fn function(
        &mut self,
        name: String,
        body: impl Fn(&[Value], &mut Call<'_>) -> Result<Value, Refusal> + 'static,
    ) -> FnIdx {
        let owner = self.owner();
        self.catalogue.functions.push(Function { owner, name, file: String::new(), line: 0, column: 0 });
        self.bodies.push(Box::new(body));
        FnIdx((self.bodies.len() - 1) as u16)
    }

    /// Adds the function `body` for the hook `hook` to the last declared mod.
    pub fn hook(
        mut self,
        hook: Hook,
        body: impl Fn(&[Value], &mut Call<'_>) -> Result<Value, Refusal> + 'static,
    ) -> Kit {
        let function = self.function(hook.info().name.to_owned(), body);
        let handler = Handler { function, owner: self.owner(), filter: Filter::default() };
        self.catalogue.handlers[hook as usize].push(handler);
        self
    }

    /// Adds a phase to the last declared mod, after the other phases in the same slot.
    pub fn phase(
        mut self,
        id: &str,
        slot: Slot,
        body: impl Fn(&[Value], &mut Call<'_>) -> Result<Value, Refusal> + 'static,
    ) -> Kit {
        let function = self.function(format!("phase_{id}"), body);
        let at = self.catalogue.phases.partition_point(|phase| phase.slot <= slot);
        let runs = PhaseAction::Function { function };
        self.catalogue.phases.insert(at, Phase { id: id.to_owned(), slot, runs, filter: Filter::default() });
        self
    }

    /// Adds an option word to the last declared mod, and the function that runs if a player chooses
    /// this option.
    pub fn option(
        mut self,
        word: &str,
        body: impl Fn(&[Value], &mut Call<'_>) -> Result<Value, Refusal> + 'static,
    ) -> Kit {
        let function = self.function(format!("do_{word}"), body);
        self.catalogue.options.push(OptionWord { word: word.to_owned(), function, about: String::new() });
        self
    }

    /// Makes the rules.
    pub fn rules(mut self) -> Rc<Rules> {
        self.catalogue.tile_set = TileSet::new(self.kinds, self.tags, self.layers, self.tiles).unwrap();
        let settings = Rules::default_settings(&self.catalogue);
        Rc::new(Rules::new(Arc::new(self.catalogue), settings, Box::new(Bodies(self.bodies))))
    }

    /// Begins a game of `n_players`.
    pub fn game(self, n_players: usize) -> Game {
        self.game_from(n_players, &[])
    }

    /// Begins a game of `n_players` from `given` lines, written without the word `given`.
    pub fn game_from(self, n_players: usize, given: &[&str]) -> Game {
        let position = given.iter().map(|line| (*line).to_owned()).collect();
        let setup = Setup { position, ..Setup::of(&["kit"], n_players) };
        start_game(self.rules(), setup).unwrap_or_else(|e| panic!("{e}"))
    }
}

fn formula(times: i64, factors: &[Factor]) -> Formula {
    Formula { terms: vec![Term { times, factors: factors.to_vec() }] }
}

/// Asks a player to choose one of several words.
///
/// # Errors
/// Returns an error if the question has no answer yet. The calling function must also return this
/// error.
pub fn ask(call: &mut Call<'_>, who: Seat, prompt: &str, options: &[&str]) -> Result<String, Refusal> {
    Ok(ask_any(call, who, prompt, options, false)?.expect("the player cannot pass"))
}

/// Asks a player to choose one of several words or to pass. Returns `None` if the player passes.
///
/// # Errors
/// Returns an error if the question has no answer yet. The calling function must also return this
/// error.
pub fn ask_or_pass(call: &mut Call<'_>, who: Seat, prompt: &str, options: &[&str]) -> Result<Option<String>, Refusal> {
    ask_any(call, who, prompt, options, true)
}

fn ask_any(
    call: &mut Call<'_>,
    who: Seat,
    prompt: &str,
    options: &[&str],
    may_pass: bool,
) -> Result<Option<String>, Refusal> {
    let values = OptionValues::List(Arc::new(options.iter().map(|option| Value::text(option)).collect()));
    let asking = QuestionForm { prompt: prompt.into(), may_pass, ..QuestionForm::default() };
    let chosen = call.ask(who, values, &asking, SeatSet::ALL)?;
    Ok(chosen.map(|option| match option.value {
        Value::Text(text) => text.to_string(),
        other => panic!("a word was offered, not {other:?}"),
    }))
}

/// Gives these answers in order. Each answer must be the text of an option.
#[track_caller]
pub fn play(game: &mut Game, answers: &[&str]) {
    for answer in answers {
        if let Err(error) = game.answer_text(answer) {
            panic!("{error}\noffered: {:#?}", texts(game));
        }
    }
}

/// Returns the texts of all options of the open decision.
pub fn texts(game: &Game) -> Vec<String> {
    option_texts(&game.rules().ruleset, game.state())
}

/// Returns the score of the player in seat `seat`, counted from 0.
pub fn score(game: &Game, seat: u8) -> i64 {
    game.state().score(Seat(seat))
}

/// Returns the hash of the position (see [`state_hash`]).
pub fn hash(game: &Game) -> u64 {
    state_hash(&game.rules().ruleset, game.state())
}

/// Returns the state as `given` lines without the word `given`.
pub fn position(game: &Game) -> Vec<String> {
    given_lines(&game.rules().ruleset, game.state())
}

/// Returns the fault that stopped the game.
#[track_caller]
pub fn fault(game: &Game) -> Fault {
    match game.status() {
        Status::Fault(fault) => fault.clone(),
        Status::Decision(decision) => panic!("the game has no fault, but asks: {}", decision.prompt),
        Status::Over => panic!("the game has no fault and is over"),
    }
}

/// Returns the feature of the zone called `zone` of the tile at `spot` (`x,y`).
pub fn feature_at(game: &Game, spot: &str, zone: &str) -> FeatureRef {
    let anchor = find_zone(&game.rules().ruleset, game.state(), spot, zone).unwrap_or_else(|e| panic!("{e}"));
    FeatureRef { layer: LayerIdx(0), anchor }
}
