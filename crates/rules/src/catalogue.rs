//! The declarations of a set of mods, as plain data. The loader makes these declarations, and the
//! engine reads them.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

use board::{ColumnIdx, Facing, KindIdx, KindSet, LayerIdx, MergeRule, PieceKindSet, TagIdx, Tile, TileIdx, TileSet};

use crate::filter::Filter;
use crate::hooks::Hook;
use crate::indices::{DeckIdx, FnIdx, ModIdx, PieceKindIdx, PileIdx, SettingIdx, TokenIdx};

/// The declarations of a set of mods. Immutable once loaded and shared by all threads.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Catalogue {
    /// The kinds of land, the tags, the layers and the tiles.
    pub tile_set: TileSet,
    /// The mods in load order: each after the mods that it requires, and otherwise by id.
    pub mods: Vec<ModInfo>,
    /// The settings of all mods.
    pub settings: Vec<Setting>,
    /// The kinds of pieces, at most 32.
    pub pieces: Vec<PieceKind>,
    /// The kinds of tokens.
    pub tokens: Vec<Token>,
    /// The kinds of piles, such as stones.
    pub piles: Vec<Pile>,
    /// The cards, which are the items of decks without tiles.
    pub cards: Vec<Card>,
    /// The decks. The first deck is the draw pile. When the draw pile is empty, the game ends after
    /// the turn, unless a mod continues the game.
    pub decks: Vec<Deck>,
    /// The start tile; `None` if the game has none.
    pub start: Option<StartTile>,
    /// The score track, around which the score markers move.
    pub track: Track,
    /// The smallest and the largest number of players.
    pub n_players: (u8, u8),
    /// The phases of one part of a turn, in the order in which they run: those of the core and
    /// those of mods.
    pub phases: Vec<Phase>,
    /// The formulas for points of features in layer 0, one entry for each kind of land.
    pub points: Vec<PointFormulas>,
    /// The formulas for points of features in further layers, one entry for each layer. Entry 0 is
    /// unused.
    pub layer_points: Vec<PointFormulas>,
    /// The connection constraints, one entry for each kind of land that has such a constraint.
    pub joining: Vec<JoinConstraint>,
    /// The option words of mods, each with the function that handles its options.
    pub options: Vec<OptionWord>,
    /// The script functions that the engine calls.
    pub functions: Vec<Function>,
    /// The functions to call for each [`Hook`], in mod order.
    pub handlers: Vec<Vec<Handler>>,
    /// The trained value of the bot `search`: that of the last mod that has one. Only bots read it,
    /// so the catalogue that guests receive lacks it.
    #[serde(skip)]
    pub search_value: Option<TrainedValue>,
}

/// The text of a trained value of the bot `search`, in the form that the crate `players` reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrainedValue {
    /// The mod to which the file belongs.
    pub owner: ModIdx,
    /// The text of the file.
    pub text: Arc<str>,
}

/// A loaded mod.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ModInfo {
    /// The id of the mod, which is the name of its folder.
    pub id: String,
    /// The semantic version of the mod, such as `1.2.0`.
    pub version: String,
    /// The version of the modding language that the manifest names with `api`. If `None`, version 1
    /// applies.
    pub api: Option<u32>,
    /// The title of the mod, for people.
    pub title: String,
    /// The description of the mod, in a sentence or two.
    pub about: String,
    /// The mods that this mod requires or names as optional, and the mods on which those mods build
    /// in turn. Sorted.
    pub builds_on: Vec<ModIdx>,
    /// A hash of the files of the mod. Two computers with the same hash use the same files.
    pub hash: u64,
}

/// A number, switch or word that players may choose before the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Setting {
    /// The mod that declares the setting.
    pub owner: ModIdx,
    /// The name of the setting, which records write as `set <mod>.<name>`.
    pub name: String,
    /// The default value. The setting accepts only values of the same type.
    pub default: SettingValue,
    /// The allowed values; empty if any value of the type (and range) is allowed.
    pub choices: Vec<SettingValue>,
    /// The smallest and the largest allowed number; `None` if there are no such limits.
    pub range: Option<(i64, i64)>,
    /// The description of the setting, for people.
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
    /// A count that the players chose for this game. Counts have no declared setting: in a list of
    /// values, they come after the values of all settings.
    Count(CountSubject, u16),
}

/// The things whose counts players may choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CountSubject {
    /// The copies of a tile or card in a deck.
    Item(DeckIdx, u16),
    /// All tiles and cards of a mod. The count multiplies the number of copies of each tile and
    /// card.
    Mod(ModIdx),
    /// The pieces of a kind that each player has; if players have none, the neutral pieces of the
    /// kind.
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
    /// The name of the kind of piece, such as `follower`.
    pub name: String,
    /// The name that players see, such as `large follower`.
    pub title: String,
    /// The first mod that declares the kind of piece.
    pub owner: ModIdx,
    /// The number of pieces that each player has in supply at the start.
    pub per_player: u16,
    /// The number of neutral pieces in supply at the start.
    pub neutral: u16,
    /// The kinds of land on which players may deploy the piece.
    pub stands_on: KindSet,
    /// The kinds of land on which the window draws the piece lying down, because the piece stays
    /// there for long. This list does not affect the rules.
    pub lies_on: KindSet,
    /// The layer in which the piece claims features. On a zone whose kind of land is not in that
    /// layer, the piece counts in layer 0.
    pub layer: LayerIdx,
    /// The weight of the piece in majorities. With weight 0, the piece claims nothing unless a mod
    /// adds to the weight.
    pub strength: i64,
    /// The kinds of pieces that prevent the deployment of this piece if they are on the feature.
    /// The list includes the piece's own kind if the manifest says so.
    pub blocked_by: PieceKindSet,
    /// The kinds of pieces of which the player must already have at least one on the feature. Empty
    /// if the piece needs no other piece.
    pub needs: PieceKindSet,
    /// The kinds of pieces as which the piece counts, including its own kind. For example, a
    /// `large` piece counts as a `follower`.
    pub is: PieceKindSet,
    /// True if the piece returns to supply when its feature is scored.
    pub goes_home: bool,
}

/// A kind of token, which players hold in any number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Token {
    /// The name of the kind of token, such as `coin`.
    pub name: String,
    /// The number of tokens in the common stock at the start; `None` if the stock is unlimited.
    pub stock: Option<u32>,
    /// The number of tokens that each player holds at the start.
    pub per_player: u32,
}

/// A kind of pile, such as stones. Mods put amounts of a pile on spots and borders.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pile {
    /// The name of the kind of pile, such as `stone`.
    pub name: String,
    /// The amount in the common stock at the start; `None` if the stock is unlimited.
    pub stock: Option<u32>,
}

/// A deck of tiles or cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Deck {
    /// The name of the deck, such as `land`.
    pub name: String,
    /// The type of the deck's items.
    pub holds: ItemType,
    /// The items at the start, each with the number of copies. All items form one group until a mod
    /// arranges the deck.
    pub items: Vec<(u16, u16)>,
}

/// The type of a deck's items.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum ItemType {
    /// Tiles. Each item is an index into [`TileSet::tiles`].
    Tiles,
    /// Cards. Each item is an index into [`Catalogue::cards`].
    Cards,
}

/// A card, which is an item of a deck without tiles.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Card {
    /// The qualified name of the card, such as `letters/walk`.
    pub name: String,
    /// The text of the card, for people.
    pub about: String,
}

/// The start tile, which does not come from a deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StartTile {
    /// The tile type. The tile lies on the spot 0,0.
    pub tile: TileIdx,
    /// The facing of the tile.
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
    /// Returns the space of a score marker that has `points` points.
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

/// A stage of a part of a turn. Every phase belongs to one slot, and the slots run in the order
/// listed here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Slot {
    /// The core draws a tile.
    Draw,
    /// Functions of mods react to the draw.
    Drawn,
    /// The player places the tile.
    Place,
    /// Functions of mods react to the placement.
    Placed,
    /// The player may deploy a piece.
    Piece,
    /// Functions of mods change connections between zones.
    Connect,
    /// The core scores completed features.
    Score,
    /// Functions of mods react to the scoring.
    Scored,
    /// The part of the turn ends.
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

/// A phase of a part of a turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Phase {
    /// The id of the phase: `draw`, `place`, `piece` or `score` for a phase of the core, or an id
    /// that a mod declares.
    pub id: String,
    /// The slot in which the phase runs.
    pub slot: Slot,
    /// The action of the phase.
    pub runs: PhaseAction,
    /// The phase runs only if this filter passes.
    pub filter: Filter,
}

/// The action of a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PhaseAction {
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

/// The formulas for points of features of one kind of land, or in one layer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PointFormulas {
    /// The formula for completion; `None` if such features are not scored during play.
    pub complete: Option<Formula>,
    /// The formula for the final count; `None` if such features pay nothing in the final count.
    pub at_end: Option<Formula>,
}

/// A constraint on how tiles with a kind of land connect to laid tiles, in addition to matching
/// edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JoinConstraint {
    /// The kind of land.
    pub kind: KindIdx,
    /// The first mod that declares the constraint.
    pub owner: ModIdx,
    /// The exact number of edges on which the tile must meet a laid tile with this kind of land;
    /// `None` if any number is allowed.
    pub n: Option<u8>,
    /// True if the tile may turn to the same side (left or right) as the laid tile that it
    /// continues, so that the two tiles form a U-turn.
    pub u_turns: bool,
}

impl JoinConstraint {
    /// Returns whether `tile` has a zone of this kind of land.
    pub(crate) fn concerns(&self, tile: &Tile) -> bool {
        tile.zones.iter().any(|zone| zone.kind == self.kind)
    }
}

/// A formula for points: a sum of products.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Formula {
    /// The products that the formula adds up.
    pub terms: Vec<Term>,
}

/// A product in a formula: a number times any number of factors.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Term {
    /// The number by which the factors are multiplied.
    pub times: i64,
    /// The factors of the product.
    pub factors: Vec<Factor>,
}

/// A factor of a term: a number counted on a feature, or the value of a setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Factor {
    /// The number of tiles of the feature.
    Tiles,
    /// The number of zones of the feature.
    Zones,
    /// The number of laid spots that score for the feature (see [`board::Layout::n_spots`]).
    Spots,
    /// The value of a tag, merged from all zones of the feature: a number, 0 or 1, or a number of
    /// words (see [`Catalogue::tag_number`]).
    Tag(TagIdx),
    /// The number of adjacent features of certain kinds of land.
    Touching {
        /// The kinds of land of the features to count.
        kinds: KindSet,
        /// True if only complete features count.
        only_complete: bool,
    },
    /// The value of a setting: a number, or 0 or 1 for a switch.
    Setting(SettingIdx),
}

/// A word with which options of a mod begin, and the mod's function `do_<word>`, which handles
/// these options.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OptionWord {
    /// The first word of the option's text.
    pub word: String,
    /// The function that the engine runs when a player chooses the option.
    pub function: FnIdx,
    /// The effect of the option, for people.
    pub about: String,
}

/// A script function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// The mod that defines the function.
    pub owner: ModIdx,
    /// The name of the function.
    pub name: String,
    /// The path of the function's file, as loaded.
    pub file: String,
    /// The line of the function's name, counted from 1; 0 if unknown.
    pub line: u32,
    /// The column of the function's name, counted from 1; 0 if unknown.
    pub column: u32,
}

/// A mod's function for a hook, with a filter that the engine tests before it runs the script.
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

    /// Returns the tile types that the mod `id` declares, without their overlay variants.
    pub fn own_tiles(&self, id: &str) -> Vec<TileIdx> {
        let is_own = |name: &str| name.split_once('/').is_some_and(|(owner, _)| owner == id);
        let tiles = self.tile_set.tiles.iter().enumerate();
        tiles.filter(|(_, it)| is_own(&it.name) && it.over.is_none()).map(|(i, _)| TileIdx(i as u16)).collect()
    }

    /// Finds the kind of piece called `name`, if there is one.
    pub fn piece_named(&self, name: &str) -> Option<PieceKindIdx> {
        self.pieces.iter().position(|p| p.name == name).map(|i| PieceKindIdx(i as u8))
    }

    /// Returns whether `name` names a count that players may choose for a game, and not a setting.
    /// The name of a count contains a slash, such as `base/K`, or is the name of a piece. The name
    /// of a setting contains a dot and no slash.
    pub fn is_count(&self, name: &str) -> bool {
        name.contains('/') || self.piece_named(name).is_some()
    }

    /// Finds the kind of token called `name`, if there is one.
    pub fn token_named(&self, name: &str) -> Option<TokenIdx> {
        self.tokens.iter().position(|t| t.name == name).map(|i| TokenIdx(i as u8))
    }

    /// Finds the kind of pile called `name`, if there is one.
    pub fn pile_named(&self, name: &str) -> Option<PileIdx> {
        self.piles.iter().position(|p| p.name == name).map(|i| PileIdx(i as u8))
    }

    /// Finds the deck called `name`, if there is one.
    pub fn deck_named(&self, name: &str) -> Option<DeckIdx> {
        self.decks.iter().position(|d| d.name == name).map(|i| DeckIdx(i as u8))
    }

    /// Returns whether `a` and `b` are the same mod, or one of them builds on the other.
    pub fn are_related(&self, a: ModIdx, b: ModIdx) -> bool {
        let builds_on = |a: ModIdx, b: ModIdx| self.mods[a.idx()].builds_on.contains(&b);
        a == b || builds_on(a, b) || builds_on(b, a)
    }

    /// Finds the mod with the id `id`, if there is one.
    pub fn mod_named(&self, id: &str) -> Option<ModIdx> {
        self.mods.iter().position(|m| m.id == id).map(|i| ModIdx(i as u8))
    }

    /// Returns the declaration of a kind of piece.
    pub fn piece(&self, kind: PieceKindIdx) -> &PieceKind {
        &self.pieces[kind.idx()]
    }

    /// Returns the kinds of pieces that count as `kind`, such as `follower` and `large` for
    /// `follower`.
    pub fn kinds_counting_as(&self, kind: PieceKindIdx) -> PieceKindSet {
        let bit = 1u32 << kind.0;
        let counting = self.pieces.iter().enumerate().filter(|(_, p)| p.is.0 & bit != 0);
        PieceKindSet(counting.fold(bit, |set, (i, _)| set | 1 << i))
    }

    /// Returns the name of item `item` of deck `deck`.
    pub fn item_name(&self, deck: DeckIdx, item: u16) -> &str {
        match self.decks[deck.idx()].holds {
            ItemType::Tiles => &self.tile_set.tile(TileIdx(item)).name,
            ItemType::Cards => &self.cards[item as usize].name,
        }
    }

    /// Finds the item of deck `deck` called `name`, if there is one.
    pub fn item_named(&self, deck: DeckIdx, name: &str) -> Option<u16> {
        match self.decks[deck.idx()].holds {
            ItemType::Tiles => self.tile_set.tile_named(name).map(|t| t.0),
            ItemType::Cards => self.cards.iter().position(|c| c.name == name).map(|i| i as u16),
        }
    }

    /// Returns the value of tag `tag` on a feature with `n_zones` zones, merged from `columns`, the
    /// values of the feature in all columns. A tag with numbers gives their sum or maximum. A tag
    /// without numbers gives 0 or 1. A tag with words gives the number of its words on the feature:
    /// for a set, each different word counts once; for a multiset, every word counts.
    pub fn tag_number(&self, tag: TagIdx, columns: &[i32], n_zones: u32) -> i64 {
        let declared = self.tile_set.tag(tag);
        let first = declared.first_column.0 as usize;
        let value = |ColumnIdx(c): ColumnIdx| i64::from(columns[c as usize]);
        match declared.merge {
            MergeRule::Sum | MergeRule::Max => value(declared.first_column),
            MergeRule::Any => i64::from(value(declared.first_column) > 0),
            MergeRule::All => i64::from(value(declared.first_column) >= i64::from(n_zones)),
            MergeRule::Set => columns[first..first + declared.values.len()].iter().filter(|n| **n > 0).count() as i64,
            MergeRule::Multiset => columns[first..first + declared.values.len()].iter().map(|n| i64::from(*n)).sum(),
        }
    }
}
