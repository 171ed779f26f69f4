//! Values exchanged between rules and scripts: plain data and handles, independent of any script
//! language.

use std::collections::BTreeMap;
use std::sync::Arc;

use board::{Border, Corner, FeatureRef, Placement, Spot, TileIdx, TileRef, ZoneRef};

use crate::indices::{DeckIdx, PieceKindIdx};

/// The largest number of players.
pub const MAX_SEATS: usize = 8;

/// A player, by seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Seat(pub u8);

impl Seat {
    /// Returns the position as an index.
    pub const fn idx(self) -> usize {
        self.0 as usize
    }
}

/// A piece in play, by position in the state's table. The number is reused after the piece returns
/// to supply.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PieceRef(pub u32);

/// A value that a script can hold, store or return.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Value {
    /// Nothing.
    #[default]
    Unit,
    /// A boolean.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A text.
    Text(Arc<str>),
    /// A list.
    List(Arc<Vec<Value>>),
    /// A map, ordered by key.
    Map(Arc<BTreeMap<Arc<str>, Value>>),
    /// A player.
    Player(Seat),
    /// A spot of the grid.
    Spot(Spot),
    /// A point where four spots meet.
    Corner(Corner),
    /// The edge between two spots.
    Border(Border),
    /// A tile type, such as the drawn one.
    TileType(TileIdx),
    /// A tile on the board.
    Tile(TileRef),
    /// A zone on the board.
    Zone(ZoneRef),
    /// A feature.
    Feature(FeatureRef),
    /// A piece in play.
    Piece(PieceRef),
    /// A space of the score track, from 0.
    Space(u32),
    /// A deck.
    Deck(DeckIdx),
    /// A card: an item of a deck without tiles, as a position in the catalogue's cards.
    Card(u16),
    /// A tile type with a spot and facing that fits it.
    Placement(TileIdx, Placement),
    /// A piece and a zone that it may be deployed to (`filter_deploys`).
    Deployment(PieceKindIdx, ZoneRef),
    /// The award passed to `score_value`; its content is [`Call::scored`](crate::Call::scored).
    Score,
    /// An option offered by a script: its name, and the data that the script receives when it is
    /// chosen.
    Option(Arc<OptionValue>),
}

/// An option of a script. Its text is the word and then the handles.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OptionValue {
    /// The first word of the text; empty for handles alone.
    pub word: Arc<str>,
    /// Its subject: nothing, one handle, or a list of handles, whose texts follow the word.
    pub about: Value,
    /// The data that the script receives as `choice.data`; plain data.
    pub data: Value,
}

impl Value {
    /// Makes a text.
    pub fn text(text: &str) -> Value {
        Value::Text(Arc::from(text))
    }

    /// Makes a list.
    pub fn list(values: impl IntoIterator<Item = Value>) -> Value {
        Value::List(Arc::new(values.into_iter().collect()))
    }

    /// Returns the values of a list; `Unit` counts as an empty list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(values) => Some(values),
            Value::Unit => Some(&[]),
            _ => None,
        }
    }

    /// Returns the name of its type, for messages.
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
            Value::TileType(_) => "a sort of tile",
            Value::Tile(_) => "a tile",
            Value::Zone(_) => "a zone",
            Value::Feature(_) => "a feature",
            Value::Piece(_) => "a piece",
            Value::Space(_) => "a space",
            Value::Deck(_) => "a deck",
            Value::Card(_) => "a card",
            Value::Placement(..) => "a place for a tile",
            Value::Deployment(..) => "a deployment",
            Value::Score => "an award in the making",
            Value::Option(_) => "an option",
        }
    }
}

/// The stored data of a mod: names with values.
pub type Memory = BTreeMap<Arc<str>, Value>;
