//! The declarations of a set of mods as plain data. The loader fills them in, and the engine reads
//! them.

use serde::{Deserialize, Serialize};
use std::fmt;

use board::{ColumnIdx, Facing, KindIdx, KindSet, LayerIdx, Merge, PieceKindSet, TagIdx, Tile, TileIdx, TileSet};

use crate::filter::Filter;
use crate::hooks::Hook;
use crate::indices::{DeckIdx, FnIdx, ModIdx, PieceKindIdx, PileIdx, SettingIdx, TokenIdx};

/// The declarations of a set of mods. Immutable once loaded and shared by all threads.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Catalogue {
    /// Kinds, tags, layers and tiles.
    pub tile_set: TileSet,
    /// The mods in load order: each after its requirements, and otherwise by id.
    pub mods: Vec<ModInfo>,
    /// The settings of all mods.
    pub settings: Vec<Setting>,
    /// Kinds of pieces. At most 32.
    pub pieces: Vec<PieceKind>,
    /// Kinds of tokens.
    pub tokens: Vec<Token>,
    /// Kinds of piles, such as stones.
    pub piles: Vec<Pile>,
    /// Items of decks other than tiles.
    pub cards: Vec<Card>,
    /// Decks. The first is the draw pile. When it is empty, the game ends after the turn, unless a
    /// mod continues the game.
    pub decks: Vec<Deck>,
    /// The start tile, if any.
    pub start: Option<StartTile>,
    /// The score track, around which the score markers move.
    pub track: Track,
    /// The smallest and the largest number of players.
    pub n_players: (u8, u8),
    /// The phases of a part in order, those of the core and those of mods.
    pub phases: Vec<Phase>,
    /// The values of features by kind, in layer 0.
    pub points: Vec<Points>,
    /// The values of features of further layers, one entry for each layer; entry 0 is unused.
    pub layer_points: Vec<Points>,
    /// The connection constraints of those kinds of land that have one.
    pub joining: Vec<Joining>,
    /// Options of mods, each with the function that handles it.
    pub options: Vec<OptionWord>,
    /// Script functions that the engine calls.
    pub functions: Vec<Function>,
    /// The functions to call for each [`Hook`], in mod order.
    pub handlers: Vec<Vec<Handler>>,
}

/// A loaded mod.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ModInfo {
    /// Its id, the name of its folder.
    pub id: String,
    /// Its semantic version, such as `1.2.0`.
    pub version: String,
    /// The version of the modding language that its manifest names with `api`. If `None`, version 1
    /// applies.
    pub api: Option<u32>,
    /// Its title for people.
    pub title: String,
    /// Its description, in a sentence or two.
    pub about: String,
    /// The mods that it requires or names as optional, and the mods on which those build in turn;
    /// sorted.
    pub builds_on: Vec<ModIdx>,
    /// A hash of its files. If two computers have the same hash, they use the same files.
    pub hash: u64,
}

/// A number, switch or word that players may choose before the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Setting {
    /// The mod that declares the setting.
    pub owner: ModIdx,
    /// Its name; records say `set <mod>.<name>`.
    pub name: String,
    /// The default value. The setting accepts only values of the same type.
    pub default: SettingValue,
    /// The allowed values; empty if any value of the type (and range) is allowed.
    pub choices: Vec<SettingValue>,
    /// The smallest and largest allowed number; `None` if there is no such limit.
    pub range: Option<(i64, i64)>,
    /// Its description, for people.
    pub about: String,
}

/// The value of a setting.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SettingValue {
    /// A switch.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A word.
    Text(String),
    /// A count that the players chose for this game. It has no declared setting: in a list of
    /// values, counts come after the values of all settings.
    Count(CountOf, u16),
}

/// The things whose counts players may choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CountOf {
    /// The copies of a tile or card in a deck.
    Item(DeckIdx, u16),
    /// All tiles and cards of a mod. The count is a factor for the number of copies of each.
    Mod(ModIdx),
    /// The pieces of a kind that each player has, or the neutral pieces if players have none.
    Piece(PieceKindIdx),
}

impl SettingValue {
    /// Parses `text` as a value of the same type as `self`; `None` if `text` is not such a value.
    pub fn parse_like(&self, text: &str) -> Option<SettingValue> {
        match self {
            SettingValue::Bool(_) => text.parse().ok().map(SettingValue::Bool),
            SettingValue::Int(_) => text.parse().ok().map(SettingValue::Int),
            SettingValue::Text(_) => Some(SettingValue::Text(text.to_owned())),
            SettingValue::Count(of, _) => text.parse().ok().map(|n| SettingValue::Count(*of, n)),
        }
    }
}

impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingValue::Bool(b) => write!(f, "{b}"),
            SettingValue::Int(n) => write!(f, "{n}"),
            SettingValue::Text(t) => write!(f, "{t}"),
            SettingValue::Count(_, n) => write!(f, "{n}"),
        }
    }
}

/// A kind of piece.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PieceKind {
    /// Its name, such as `follower`.
    pub name: String,
    /// The first mod that declares it.
    pub owner: ModIdx,
    /// The number that each player has in supply at the start.
    pub per_player: u16,
    /// The number of neutral pieces.
    pub neutral: u16,
    /// The kinds of land on which it may be deployed.
    pub stands_on: KindSet,
    /// The kinds of land on which the window draws the piece lying down, because it stays there for
    /// long. This does not affect the rules.
    pub lies_on: KindSet,
    /// The layer in which it claims features. On a zone that takes no part in that layer, it counts
    /// in layer 0.
    pub layer: LayerIdx,
    /// Its weight in majorities. With weight 0 it claims nothing, unless a mod adds to the weight.
    pub strength: i64,
    /// The kinds of pieces that forbid its deployment if they are on the feature. They include its
    /// own kind if the manifest says so.
    pub blocked_by: PieceKindSet,
    /// Kinds of pieces: its player must have at least one piece of these kinds on the feature.
    /// Empty if it needs no other piece.
    pub needs: PieceKindSet,
    /// The kinds as which it counts, its own kind included. For example, a `large` piece counts as
    /// a `follower`.
    pub is: PieceKindSet,
    /// True if it returns to supply when its feature is scored.
    pub goes_home: bool,
}

/// A kind of token, which players hold in any number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Token {
    /// Its name, such as `coin`.
    pub name: String,
    /// The number in the common stock; `None` if unlimited.
    pub stock: Option<u32>,
    /// The number that each player holds at the start.
    pub per_player: u32,
}

/// A kind of pile: mods put amounts of it on spots and borders.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pile {
    /// Its name, such as `stone`.
    pub name: String,
    /// The number in the common stock; `None` if unlimited.
    pub stock: Option<u32>,
}

/// A deck of tiles or cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Deck {
    /// Its name, such as `land`.
    pub name: String,
    /// The type of its items.
    pub holds: Holds,
    /// Its items at the start, each with its number of copies. They form one group until a mod
    /// arranges the deck.
    pub items: Vec<(u16, u16)>,
}

/// The type of a deck's items.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Holds {
    /// Tiles: items are positions in [`TileSet::tiles`].
    Tiles,
    /// Cards: items are positions in [`Catalogue::cards`].
    Cards,
}

/// An item of a deck other than a tile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Card {
    /// Its qualified name, such as `letters/walk`.
    pub name: String,
    /// Its text, for people.
    pub about: String,
}

/// The start tile, which does not come from a deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StartTile {
    /// The tile type. The tile lies on the spot 0,0.
    pub tile: TileIdx,
    /// Its facing.
    pub facing: Facing,
}

/// The score track: a loop of spaces numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Track {
    /// The number of spaces.
    pub length: u32,
    /// The number of score markers of each player.
    pub n_markers: u8,
    /// The distance between dark spaces, of which space 0 is the first; 0 if no space is dark.
    pub dark: u32,
}

impl Track {
    /// Returns the space of a marker with this many points.
    pub fn space(&self, points: i64) -> u32 {
        points.rem_euclid(i64::from(self.length.max(1))) as u32
    }

    /// Returns whether a space is dark.
    pub fn is_dark(&self, space: u32) -> bool {
        self.dark > 0 && space.is_multiple_of(self.dark)
    }
}

impl Default for Track {
    fn default() -> Self {
        Track { length: 50, n_markers: 1, dark: 0 }
    }
}

/// A stage of a part. Every phase belongs to one slot, and the slots run in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Slot {
    /// A tile is drawn.
    Draw,
    /// Effects that follow the draw.
    Drawn,
    /// The tile is placed.
    Place,
    /// Effects that follow the placement.
    Placed,
    /// A piece is deployed.
    Piece,
    /// Connections change.
    Connect,
    /// Completed features are scored.
    Score,
    /// Effects that follow scoring.
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Phase {
    /// Its id: `draw`, `place`, `piece` and `score` for the core's, or a mod's own.
    pub id: String,
    /// The slot in which the phase runs.
    pub slot: Slot,
    /// The action of the phase.
    pub runs: Runs,
    /// The phase runs only if this filter passes.
    pub filter: Filter,
}

/// The action of a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Runs {
    /// The core draws a tile.
    Draw,
    /// The core asks for the placement of the tile.
    Place,
    /// The core offers to deploy a piece.
    Piece,
    /// The core scores completed features.
    Score,
    /// A function `phase_<id>` of a mod.
    Function {
        /// The function.
        function: FnIdx,
    },
}

/// The value of features of one kind of land, or in one layer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Points {
    /// The value on completion; `None` if such features are not scored during play.
    pub complete: Option<Formula>,
    /// The value in the final count; `None` if such features pay nothing then.
    pub at_end: Option<Formula>,
}

/// A constraint on how tiles with a kind of land connect to laid tiles, in addition to matching
/// edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Joining {
    /// The kind of land.
    pub kind: KindIdx,
    /// The first mod that declares it.
    pub owner: ModIdx,
    /// The exact number of edges on which the tile must meet a laid tile with this kind; `None` if
    /// any number is allowed.
    pub n: Option<u8>,
    /// True if a tile may turn to the same side as the laid tile to which it connects.
    pub u_turns: bool,
}

impl Joining {
    /// Returns whether `tile` has a zone of this kind of land.
    pub(crate) fn concerns(&self, tile: &Tile) -> bool {
        tile.zones.iter().any(|zone| zone.kind == self.kind)
    }
}

/// A sum of products.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Formula {
    /// The products to add up.
    pub terms: Vec<Term>,
}

/// A number times any number of factors.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Term {
    /// The number.
    pub times: i64,
    /// The factors.
    pub factors: Vec<Factor>,
}

/// A factor of a term: a number counted on a feature, or the value of a setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Factor {
    /// The number of tiles.
    Tiles,
    /// The number of zones.
    Zones,
    /// The number of laid spots that score for the feature (see [`board::Layout::n_spots`]).
    Spots,
    /// The value of a tag, merged from all zones: a number, 0 or 1, or a number of words (see
    /// [`Catalogue::tag_number`]).
    Tag(TagIdx),
    /// The number of adjacent features of some kinds.
    Touching {
        /// The kinds to count.
        kinds: KindSet,
        /// True if only complete features count.
        only_complete: bool,
    },
    /// The value of a setting: a number, or 0 or 1 for a switch.
    Setting(SettingIdx),
}

/// An option word of a mod with its handler `do_<word>`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OptionWord {
    /// The first word of the option's text.
    pub word: String,
    /// The handler.
    pub function: FnIdx,
    /// Its effect, for people.
    pub about: String,
}

/// A script function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// The mod that defines it.
    pub owner: ModIdx,
    /// Its name.
    pub name: String,
    /// The path of its file, as loaded.
    pub file: String,
    /// The line of its name, counted from 1; 0 if unknown.
    pub line: u32,
    /// The column of its name, counted from 1; 0 if unknown.
    pub column: u32,
}

/// A mod's function for a hook, with filters that are tested before any script runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Handler {
    /// The function.
    pub function: FnIdx,
    /// The mod that defines the function.
    pub owner: ModIdx,
    /// The engine calls the function only if this filter passes.
    pub filter: Filter,
}

impl Catalogue {
    /// Returns the functions for `hook`, in mod order.
    #[inline]
    pub fn handlers(&self, hook: Hook) -> &[Handler] {
        self.handlers.get(hook as usize).map_or(&[], Vec::as_slice)
    }

    /// Returns whether any mod has a function for `hook`.
    #[inline]
    pub fn has(&self, hook: Hook) -> bool {
        !self.handlers(hook).is_empty()
    }

    /// Finds the kind of piece called `name`.
    pub fn piece_named(&self, name: &str) -> Option<PieceKindIdx> {
        self.pieces.iter().position(|p| p.name == name).map(|i| PieceKindIdx(i as u8))
    }

    /// Finds the token called `name`.
    pub fn token_named(&self, name: &str) -> Option<TokenIdx> {
        self.tokens.iter().position(|t| t.name == name).map(|i| TokenIdx(i as u8))
    }

    /// Finds the pile called `name`.
    pub fn pile_named(&self, name: &str) -> Option<PileIdx> {
        self.piles.iter().position(|p| p.name == name).map(|i| PileIdx(i as u8))
    }

    /// Finds the deck called `name`.
    pub fn deck_named(&self, name: &str) -> Option<DeckIdx> {
        self.decks.iter().position(|d| d.name == name).map(|i| DeckIdx(i as u8))
    }

    /// Returns whether `a` and `b` are the same mod, or one of them builds on the other.
    pub fn are_related(&self, a: ModIdx, b: ModIdx) -> bool {
        let builds_on = |a: ModIdx, b: ModIdx| self.mods[a.idx()].builds_on.contains(&b);
        a == b || builds_on(a, b) || builds_on(b, a)
    }

    /// Finds the mod called `id`.
    pub fn mod_named(&self, id: &str) -> Option<ModIdx> {
        self.mods.iter().position(|m| m.id == id).map(|i| ModIdx(i as u8))
    }

    /// Finds the setting `name` of mod `owner`.
    pub fn setting_named(&self, owner: ModIdx, name: &str) -> Option<SettingIdx> {
        self.settings.iter().position(|s| s.owner == owner && s.name == name).map(|i| SettingIdx(i as u16))
    }

    /// Returns the kind of piece `kind`.
    pub fn piece(&self, kind: PieceKindIdx) -> &PieceKind {
        &self.pieces[kind.idx()]
    }

    /// Returns the kinds of pieces that count as `kind`, such as follower and large for `follower`.
    pub fn kinds_counting_as(&self, kind: PieceKindIdx) -> PieceKindSet {
        let bit = 1u32 << kind.0;
        let counting = self.pieces.iter().enumerate().filter(|(_, p)| p.is.0 & bit != 0);
        PieceKindSet(counting.fold(bit, |set, (i, _)| set | 1 << i))
    }

    /// Returns the name of item `item` of deck `deck`.
    pub fn item_name(&self, deck: DeckIdx, item: u16) -> &str {
        match self.decks[deck.idx()].holds {
            Holds::Tiles => &self.tile_set.tile(TileIdx(item)).name,
            Holds::Cards => &self.cards[item as usize].name,
        }
    }

    /// Finds the item of deck `deck` called `name`.
    pub fn item_named(&self, deck: DeckIdx, name: &str) -> Option<u16> {
        match self.decks[deck.idx()].holds {
            Holds::Tiles => self.tile_set.tile_named(name).map(|t| t.0),
            Holds::Cards => self.cards.iter().position(|c| c.name == name).map(|i| i as u16),
        }
    }

    /// Returns the value of tag `tag` on a feature with `n_zones` zones, merged from the columns of
    /// the feature. This is a number, 0 or 1 for a tag without a number, or a number of words: the
    /// different words of a set, or all words of a multiset.
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
