//! Values that rules and scripts exchange: plain data and handles, free of any script language.

use std::collections::BTreeMap;
use std::sync::Arc;

use board::{Corner, FeatureRef, Placement, Spot, TileIdx, TileRef, ZoneRef};

use crate::indices::{DeckIdx, PieceKindIdx};

/// The most that can play.
pub const MAX_SEATS: usize = 8;

/// A player, by position in the order of play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Seat(pub u8);

impl Seat {
    /// The position as an index.
    pub const fn idx(self) -> usize {
        self.0 as usize
    }
}

/// A piece in play, by position in the state's table. The number is used again once the piece has gone home.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PieceRef(pub u32);

/// What a script holds, asks about, remembers or returns.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Value {
    /// Nothing.
    #[default]
    Unit,
    /// A truth.
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
    /// A sort of tile, such as the one drawn.
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
    /// A card: an item of a deck that holds no tiles, as a position in the catalogue's cards.
    Card(u16),
    /// A sort of tile with a spot and a facing where one may lie.
    Placement(TileIdx, Placement),
    /// A piece and the zone where it may be deployed (`filter_deploys`).
    Deployment(PieceKindIdx, ZoneRef),
    /// The award that `score_value` is asked about; what is known of it is [`Call::scored`](crate::Call::scored).
    Score,
    /// An option that a script offers: what it is called and what the script gets back when it is chosen.
    Option(Arc<OptionValue>),
}

/// An option of a script: its text is the word and then the handles.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OptionValue {
    /// The first word of the text; empty for handles alone.
    pub word: Arc<str>,
    /// What it is about: nothing, one handle, or a list of handles. Its texts follow the word.
    pub about: Value,
    /// What the script gets back as `choice.data`; plain data.
    pub data: Value,
}

impl Value {
    /// A text value.
    pub fn text(text: &str) -> Value {
        Value::Text(Arc::from(text))
    }

    /// A list value.
    pub fn list(values: impl IntoIterator<Item = Value>) -> Value {
        Value::List(Arc::new(values.into_iter().collect()))
    }

    /// The values of a list; nothing is an empty list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(values) => Some(values),
            Value::Unit => Some(&[]),
            _ => None,
        }
    }

    /// What sort of value it is, for messages.
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

/// What a mod remembers: names with values.
pub type Memory = BTreeMap<Arc<str>, Value>;
