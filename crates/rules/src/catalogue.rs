//! What a set of mods declares, as plain data: filled by the loader, read by the engine.

use std::fmt;

use board::{ColumnIdx, Facing, KindIdx, KindSet, LayerIdx, Merge, PieceKindSet, TagIdx, Tile, TileIdx, TileSet};

use crate::filter::Filter;
use crate::hooks::Hook;
use crate::indices::{DeckIdx, FnIdx, ModIdx, PieceKindIdx, PileIdx, SettingIdx, TokenIdx};

/// Everything a set of mods declares. Immutable once loaded; the same for all threads.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// Kinds, tags, layers and tiles.
    pub tile_set: TileSet,
    /// The mods in load order: requirements first, then by id.
    pub mods: Vec<ModInfo>,
    /// Settings of all mods.
    pub settings: Vec<Setting>,
    /// Kinds of pieces. At most 32.
    pub pieces: Vec<PieceKind>,
    /// Kinds of tokens.
    pub tokens: Vec<Token>,
    /// Kinds of piles.
    pub piles: Vec<Pile>,
    /// Items of decks that are no tiles.
    pub cards: Vec<Card>,
    /// Decks. The first is the one turns are played with; the game is over when it is empty.
    pub decks: Vec<Deck>,
    /// The tile that lies on the board at the start.
    pub start: Option<StartTile>,
    /// The score track.
    pub track: Track,
    /// How many may play, fewest and most.
    pub n_players: (u8, u8),
    /// The phases of a part in order: the core's own and those of mods.
    pub phases: Vec<Phase>,
    /// What features are worth, by kind, in layer 0.
    pub points: Vec<Points>,
    /// What features of the further layers are worth; entry 0 is unused.
    pub layer_points: Vec<Points>,
    /// How tiles with certain kinds of land go on from what is laid; only kinds that say something.
    pub joining: Vec<Joining>,
    /// Mods' own options with their handlers.
    pub options: Vec<OptionWord>,
    /// Script functions that the engine calls.
    pub functions: Vec<Function>,
    /// For each [`Hook`] the functions to call, in mod order.
    pub handlers: Vec<Vec<Handler>>,
}

/// A loaded mod.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModInfo {
    /// Its id, the name of its folder.
    pub id: String,
    /// Its version (semantic).
    pub version: String,
    /// Its title for people.
    pub title: String,
    /// What it is, in a sentence or two.
    pub about: String,
    /// The mods that it requires or names as optional, and those that these build on; sorted.
    pub builds_on: Vec<ModIdx>,
    /// A hash of its files, to tell whether two sessions play by the same text.
    pub hash: u64,
}

/// A number, switch or word that a table may choose before the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The mod it belongs to.
    pub owner: ModIdx,
    /// Its name; records say `set <mod>.<name>`.
    pub name: String,
    /// What it is when nobody says otherwise; its type is the setting's type.
    pub default: SettingValue,
    /// The allowed values; empty where any of the type (and range) will do.
    pub choices: Vec<SettingValue>,
    /// Least and greatest allowed number.
    pub range: Option<(i64, i64)>,
    /// What it does, for people.
    pub about: String,
}

/// The value of a setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SettingValue {
    /// A switch.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A word.
    Text(String),
}

impl SettingValue {
    /// Reads `text` as a value of the same type as `self`.
    pub fn parse_like(&self, text: &str) -> Option<SettingValue> {
        match self {
            SettingValue::Bool(_) => text.parse().ok().map(SettingValue::Bool),
            SettingValue::Int(_) => text.parse().ok().map(SettingValue::Int),
            SettingValue::Text(_) => Some(SettingValue::Text(text.to_owned())),
        }
    }
}

impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingValue::Bool(b) => write!(f, "{b}"),
            SettingValue::Int(n) => write!(f, "{n}"),
            SettingValue::Text(t) => write!(f, "{t}"),
        }
    }
}

/// A kind of piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceKind {
    /// Its name, such as `follower`.
    pub name: String,
    /// The mod that declares it first.
    pub owner: ModIdx,
    /// How many each player has in supply at the start.
    pub per_player: u16,
    /// How many neutral ones there are, owned by nobody.
    pub neutral: u16,
    /// Kinds of land it may be deployed on.
    pub stands_on: KindSet,
    /// Kinds of land on which it is drawn lying, because it stays there. No rule asks.
    pub lies_on: KindSet,
    /// The layer in which it claims a feature; where a zone takes no part in that layer it counts in layer 0.
    pub layer: LayerIdx,
    /// What it weighs when majorities are decided; 0 never claims anything.
    pub strength: i64,
    /// Sorts of pieces (itself included, if so declared) whose presence on the feature forbids to deploy it there.
    pub blocked_by: PieceKindSet,
    /// Sorts of pieces of which the player needs one of their own on the feature; empty for no such need.
    pub needs: PieceKindSet,
    /// What it counts as besides itself (`large` is a `follower`), itself included.
    pub is: PieceKindSet,
    /// Whether it goes home when its feature is scored.
    pub goes_home: bool,
}

/// A counted thing that players hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its name, such as `coin`.
    pub name: String,
    /// How many there are in the common stock; `None` for as many as needed.
    pub stock: Option<u32>,
    /// How many each player holds at the start.
    pub per_player: u32,
}

/// An amount that lies on spots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pile {
    /// Its name, such as `stone`.
    pub name: String,
    /// How many there are in the common stock; `None` for as many as needed.
    pub stock: Option<u32>,
}

/// A deck of tiles or cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deck {
    /// Its name, such as `tile_set`.
    pub name: String,
    /// What it holds.
    pub holds: Holds,
    /// Its items with how often each occurs, before any mod arranges it: one group.
    pub items: Vec<(u16, u16)>,
}

/// What the items of a deck are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Holds {
    /// Tiles: items are positions in [`TileSet::tiles`].
    Tiles,
    /// Cards: items are positions in [`Catalogue::cards`].
    Cards,
}

/// An item of a deck that is no tile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Card {
    /// Its name with its mod, such as `letters/walk`.
    pub name: String,
    /// What it says, for people.
    pub about: String,
}

/// The tile that lies on the board at the start. It is not in its deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StartTile {
    /// Which tile; it lies at 0,0.
    pub tile: TileIdx,
    /// How it is turned.
    pub facing: Facing,
}

/// The score track: a loop of spaces numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Track {
    /// How many spaces it has.
    pub length: u32,
    /// How many score markers each player has.
    pub n_markers: u8,
    /// Every how many spaces one is dark, from 0 on; 0 where none is.
    pub dark: u32,
}

impl Track {
    /// The space where a marker with so many points stands.
    pub fn space(&self, points: i64) -> u32 {
        points.rem_euclid(i64::from(self.length.max(1))) as u32
    }

    /// Whether a space is dark.
    pub fn is_dark(&self, space: u32) -> bool {
        self.dark > 0 && space.is_multiple_of(self.dark)
    }
}

impl Default for Track {
    fn default() -> Self {
        Track { length: 50, n_markers: 1, dark: 0 }
    }
}

/// Where in a part a phase has its place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Slot {
    /// A tile is drawn.
    Draw,
    /// The drawn tile is looked at.
    Drawn,
    /// It is placed.
    Place,
    /// What placing it brings.
    Placed,
    /// A piece is deployed.
    Piece,
    /// Connections change.
    Connect,
    /// What was completed is scored.
    Score,
    /// What scoring brings.
    Scored,
    /// The part ends.
    End,
}

impl Slot {
    /// All slots in order, with their names.
    pub const ALL: [(Slot, &'static str); 9] = [
        (Slot::Draw, "draw"),
        (Slot::Drawn, "drawn"),
        (Slot::Place, "place"),
        (Slot::Placed, "placed"),
        (Slot::Piece, "piece"),
        (Slot::Connect, "connect"),
        (Slot::Score, "score"),
        (Slot::Scored, "scored"),
        (Slot::End, "end"),
    ];
}

/// A phase of a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phase {
    /// Its id: the core's are `draw`, `place`, `piece` and `score`, a mod's is its own.
    pub id: String,
    /// Its slot.
    pub slot: Slot,
    /// What it does.
    pub runs: Runs,
    /// When it is left out without asking a mod.
    pub filter: Filter,
}

/// What a phase does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runs {
    /// The core draws a tile.
    Draw,
    /// The core has it placed.
    Place,
    /// The core offers to deploy a piece.
    Piece,
    /// The core scores what was completed.
    Score,
    /// A function `phase_<id>` of a mod.
    Function {
        /// Which.
        function: FnIdx,
    },
}

/// What a feature is worth.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Points {
    /// When it is completed; without this it is never scored while playing.
    pub complete: Option<Formula>,
    /// In the final count.
    pub at_end: Option<Formula>,
}

/// How a tile with a kind of land goes on from what is laid, beyond edges that agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Joining {
    /// The kind.
    pub kind: KindIdx,
    /// The mod that says so first.
    pub owner: ModIdx,
    /// On how many edges exactly the tile must meet a laid tile with this kind.
    pub n: Option<u8>,
    /// Whether it may turn to the same side as the tile that it joins.
    pub u_turns: bool,
}

impl Joining {
    /// Whether `tile` has the kind.
    pub(crate) fn concerns(&self, tile: &Tile) -> bool {
        tile.zones.iter().any(|zone| zone.kind == self.kind)
    }
}

/// A sum of products.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Formula {
    /// The products to add up.
    pub terms: Vec<Term>,
}

/// A number times any factors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Term {
    /// The number.
    pub times: i64,
    /// The factors.
    pub factors: Vec<Factor>,
}

/// Something that is counted on a feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Factor {
    /// Different tiles.
    Tiles,
    /// Zones.
    Zones,
    /// Laid spots that count for it (see [`board::Laid::n_spots`]).
    Spots,
    /// A tag as it is merged: a number, 0 or 1, or how many words.
    Tag(TagIdx),
    /// How many features of the kinds border it.
    Touching {
        /// Their kinds.
        kinds: KindSet,
        /// Whether only complete ones count.
        only_complete: bool,
    },
    /// A setting (a number, or 0 or 1).
    Setting(SettingIdx),
}

/// An option word of a mod with its handler `do_<word>`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionWord {
    /// The first word of the option's text.
    pub word: String,
    /// Its function.
    pub function: FnIdx,
    /// What it does, for people.
    pub about: String,
}

/// A script function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// The mod that defines it.
    pub owner: ModIdx,
    /// Its name.
    pub name: String,
    /// The file that it stands in, as the mod was loaded from.
    pub file: String,
    /// The line of its name, from 1; 0 where unknown.
    pub line: u32,
    /// The column of its name, from 1; 0 where unknown.
    pub column: u32,
}

/// A mod's function for a hook, with filters that are tested before any script runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Handler {
    /// The function.
    pub function: FnIdx,
    /// Its mod.
    pub owner: ModIdx,
    /// When it is called.
    pub filter: Filter,
}

impl Catalogue {
    /// The functions for `hook`, in mod order.
    #[inline]
    pub fn handlers(&self, hook: Hook) -> &[Handler] {
        self.handlers.get(hook as usize).map_or(&[], Vec::as_slice)
    }

    /// Whether any mod has a function for `hook`.
    #[inline]
    pub fn has(&self, hook: Hook) -> bool {
        !self.handlers(hook).is_empty()
    }

    /// The kind of piece called `name`.
    pub fn piece_named(&self, name: &str) -> Option<PieceKindIdx> {
        self.pieces.iter().position(|p| p.name == name).map(|i| PieceKindIdx(i as u8))
    }

    /// The token called `name`.
    pub fn token_named(&self, name: &str) -> Option<TokenIdx> {
        self.tokens.iter().position(|t| t.name == name).map(|i| TokenIdx(i as u8))
    }

    /// The pile called `name`.
    pub fn pile_named(&self, name: &str) -> Option<PileIdx> {
        self.piles.iter().position(|p| p.name == name).map(|i| PileIdx(i as u8))
    }

    /// The deck called `name`.
    pub fn deck_named(&self, name: &str) -> Option<DeckIdx> {
        self.decks.iter().position(|d| d.name == name).map(|i| DeckIdx(i as u8))
    }

    /// Whether one of two mods builds on the other, or they are the same.
    pub fn are_related(&self, a: ModIdx, b: ModIdx) -> bool {
        let builds_on = |a: ModIdx, b: ModIdx| self.mods[a.idx()].builds_on.contains(&b);
        a == b || builds_on(a, b) || builds_on(b, a)
    }

    /// The mod called `id`.
    pub fn mod_named(&self, id: &str) -> Option<ModIdx> {
        self.mods.iter().position(|m| m.id == id).map(|i| ModIdx(i as u8))
    }

    /// The setting `name` of mod `owner`.
    pub fn setting_named(&self, owner: ModIdx, name: &str) -> Option<SettingIdx> {
        self.settings.iter().position(|s| s.owner == owner && s.name == name).map(|i| SettingIdx(i as u16))
    }

    /// The kind of piece `kind`.
    pub fn piece(&self, kind: PieceKindIdx) -> &PieceKind {
        &self.pieces[kind.idx()]
    }

    /// Returns the kinds of pieces that count as `kind`, such as follower and large for `follower`.
    pub fn kinds_counting_as(&self, kind: PieceKindIdx) -> PieceKindSet {
        let bit = 1u32 << kind.0;
        let counting = self.pieces.iter().enumerate().filter(|(_, p)| p.is.0 & bit != 0);
        PieceKindSet(counting.fold(bit, |set, (i, _)| set | 1 << i))
    }

    /// The name of item `item` of deck `deck`.
    pub fn item_name(&self, deck: DeckIdx, item: u16) -> &str {
        match self.decks[deck.idx()].holds {
            Holds::Tiles => &self.tile_set.tile(TileIdx(item)).name,
            Holds::Cards => &self.cards[item as usize].name,
        }
    }

    /// The item of deck `deck` called `name`.
    pub fn item_named(&self, deck: DeckIdx, name: &str) -> Option<u16> {
        match self.decks[deck.idx()].holds {
            Holds::Tiles => self.tile_set.tile_named(name).map(|t| t.0),
            Holds::Cards => self.cards.iter().position(|c| c.name == name).map(|i| i as u16),
        }
    }

    /// The merged value of tag `tag` from the columns of a feature with `n_zones` zones: a number, 0 or 1, or how many different words.
    pub fn tag_number(&self, tag: TagIdx, columns: &[i32], n_zones: u32) -> i64 {
        let declared = self.tile_set.tag(tag);
        let first = declared.first_column.0 as usize;
        let value = |ColumnIdx(c): ColumnIdx| i64::from(columns[c as usize]);
        match declared.merge {
            Merge::Sum | Merge::Max => value(declared.first_column),
            Merge::Any => i64::from(value(declared.first_column) > 0),
            Merge::All => i64::from(value(declared.first_column) >= i64::from(n_zones)),
            Merge::Set => columns[first..first + declared.values.len()].iter().filter(|n| **n > 0).count() as i64,
            Merge::Multiset => columns[first..first + declared.values.len()].iter().map(|n| i64::from(*n)).sum(),
        }
    }
}
