//! Values that rules and scripts exchange: plain data, and handles of objects in the game. These
//! values depend on no script language.

use std::cell::Cell;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

use board::{Border, Corner, FeatureRef, Placement, Spot, TileIdx, TileRef, ZoneRef};

use crate::indices::{DeckIdx, PieceKindIdx};

/// The largest number of players in a game.
pub const MAX_SEATS: usize = 8;

/// A player, as the number of the seat, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Seat(pub u8);

impl Seat {
    /// Returns the seat as an index.
    pub const fn idx(self) -> usize {
        self.0 as usize
    }
}

/// A piece in play, as an index in the state's list of pieces. After the piece returns to supply,
/// another piece may get the same index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct PieceRef(pub u32);

/// A value that a script can hold, store or return.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub enum Value {
    /// No value.
    #[default]
    Unit,
    /// A boolean.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A text.
    Text(Arc<str>),
    /// A list.
    #[serde(deserialize_with = "deserialize_nested")]
    List(Arc<Vec<Value>>),
    /// A map, ordered by key.
    #[serde(deserialize_with = "deserialize_nested")]
    Map(Arc<BTreeMap<Arc<str>, Value>>),
    /// A player.
    Player(Seat),
    /// A spot of the grid.
    Spot(Spot),
    /// A point where four spots meet.
    Corner(Corner),
    /// The edge between two spots.
    Border(Border),
    /// A tile type, such as that of the drawn tile.
    TileType(TileIdx),
    /// A tile on the board.
    Tile(TileRef),
    /// A zone on the board.
    Zone(ZoneRef),
    /// A feature.
    Feature(FeatureRef),
    /// A piece in play.
    Piece(PieceRef),
    /// A space of the score track, counted from 0.
    Space(u32),
    /// A deck.
    Deck(DeckIdx),
    /// A card, as an index into the catalogue's list of cards.
    Card(u16),
    /// A placement of a tile type: a spot and a facing for it.
    Placement(TileIdx, Placement),
    /// A kind of piece and a zone to which it may be deployed (see `filter_deploys`).
    Deployment(PieceKindIdx, ZoneRef),
    /// The award that `score_value` and `score_total` receive;
    /// [`Call::unfinished_award`](crate::Call::unfinished_award) returns its content.
    Score,
    /// An option that a script offers: a word, a subject, and the data that the script receives
    /// when the player chooses the option.
    #[serde(deserialize_with = "deserialize_nested")]
    Option(Arc<OptionValue>),
}

/// An option that a script offers. Its text consists of the word and the text of the subject.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct OptionValue {
    /// The first word of the option's text; empty if the text consists of the subject alone.
    pub word: Arc<str>,
    /// The subject of the option: nothing, a value such as a zone or a player, or a list of such
    /// values. The text of the subject follows the word.
    pub about: Value,
    /// The plain data that the script receives as `choice.data`.
    pub data: Value,
}

/// The deepest nesting of values that can be read from bytes. Scripts cannot make deeper values.
const MAX_NESTING: u32 = 32;

/// Reads a value that contains other values. Fails if the values are nested too deeply, because
/// untrusted bytes could otherwise exhaust the stack.
fn deserialize_nested<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    thread_local!(static DEPTH: Cell<u32> = const { Cell::new(0) });
    if DEPTH.get() >= MAX_NESTING {
        return Err(D::Error::custom("values are nested too deeply"));
    }
    DEPTH.set(DEPTH.get() + 1);
    let read = T::deserialize(deserializer);
    DEPTH.set(DEPTH.get() - 1);
    read
}

impl Value {
    /// Makes a text value.
    pub fn text(text: &str) -> Value {
        Value::Text(Arc::from(text))
    }

    /// Makes a list value.
    pub fn list(values: impl IntoIterator<Item = Value>) -> Value {
        Value::List(Arc::new(values.into_iter().collect()))
    }

    /// Makes a map value.
    pub fn map<'k>(entries: impl IntoIterator<Item = (&'k str, Value)>) -> Value {
        Value::Map(Arc::new(entries.into_iter().map(|(key, value)| (Arc::from(key), value)).collect()))
    }

    /// Returns the values of a list; `None` if the value is no list. `Unit` counts as an empty
    /// list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(values) => Some(values),
            Value::Unit => Some(&[]),
            _ => None,
        }
    }

    /// Returns the name of the value's type, such as `a list`, for messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Unit => "nothing",
            Value::Bool(_) => "a truth value",
            Value::Int(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
            Value::Player(_) => "a player",
            Value::Spot(_) => "a spot",
            Value::Corner(_) => "a corner",
            Value::Border(_) => "a border",
            Value::TileType(_) => "a tile type",
            Value::Tile(_) => "a tile",
            Value::Zone(_) => "a zone",
            Value::Feature(_) => "a feature",
            Value::Piece(_) => "a piece",
            Value::Space(_) => "a space",
            Value::Deck(_) => "a deck",
            Value::Card(_) => "a card",
            Value::Placement(..) => "a place for a tile",
            Value::Deployment(..) => "a deployment",
            Value::Score => "an unfinished award",
            Value::Option(_) => "an option",
        }
    }
}

/// The stored data of a mod: values by name.
pub type Memory = BTreeMap<Arc<str>, Value>;
