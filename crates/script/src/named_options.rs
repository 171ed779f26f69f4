//! Named options: the map that some native functions take as their last argument, such as `#{ word:
//! "land", pass: true }`.

use board::{Border, FeatureRef, Spot, TileRef, ZoneRef};
use diagnostic::{hint, there_are};
use rules::{OptionPrefix, PieceKindIdx, PilePlace, Refusal, SeatSet, Value};

use crate::core::Cx;
use crate::params::{
    DeckArgument, LiteralTypes, MapOf, NameCategory, Names, OptionKey, Param, RhaiType, SeatList, type_mismatch,
};
use crate::script_value::ScriptValue;

/// Declares a map of named options: a struct whose fields are all optional, and its conversion from
/// a script's map.
macro_rules! named_options {
    ($($(#[$doc:meta])* $type:ident { $($key:ident: $takes:ty = $about:literal;)* })*) => {
        $($(#[$doc])*
        #[derive(Default)]
        pub(crate) struct $type {
            $(pub $key: Option<$takes>,)*
        }

        impl Param for $type {
            const NAME: &'static str = "map of options";
            const TYPE: RhaiType = RhaiType::MAP;
            const OPTIONAL: bool = true;
            const KEYS: &'static [OptionKey] = &[$(OptionKey {
                name: stringify!($key),
                takes: <$takes as Param>::NAME,
                declared: <$takes as Param>::DECLARED,
                literals: <$takes as Param>::LITERALS,
                about: $about,
            }),*];

            fn convert(arg: &ScriptValue, cx: &Cx) -> Result<Self, Refusal> {
                let ScriptValue::Plain(Value::Map(map)) = arg else { return Err(type_mismatch::<Self>(arg)) };
                let mut options = Self::default();
                for (key, value) in map.iter() {
                    match &**key {
                        $(stringify!($key) => options.$key = Some(convert_option(key, value, cx)?),)*
                        _ => return Err(unknown_key(key, Self::KEYS)),
                    }
                }
                Ok(options)
            }

            fn default_if_omitted() -> Result<Self, Refusal> {
                Ok(Self::default())
            }
        })*
    };
}

named_options! {
    /// The options of `ask`.
    AskOptions {
        word: OptionPrefix = "The text of each option begins with this word, also in records and tests. With a list of words, the player chooses a word together with an option; the answer is an option with `word` and `about`.";
        about: MapOf = "Explanations of words, shown with the options that begin with these words: `#{ card: \"Draw a letter\", points: \"Take two points\" }`.";
        pass: bool = "If true, the player may pass; the answer is then `()`. If there are no options, the player passes without being asked.";
        secret: bool = "If true, only this player sees the question and its options, and the others see the choice only after the end of the game.";
    }
    /// The options of `ask_each`.
    RoundOptions {
        word: OptionPrefix = "The text of each option begins with this word, as in `ask`.";
        about: MapOf = "Explanations of words, as in `ask`.";
        pass: bool = "If true, each player may pass; the answer is then `()`. A player without options passes without being asked.";
    }
    /// The option that names the players who may see a tile or card.
    SeenBy {
        seen_by: SeatList = "The players who may see the tile or card; by default all players.";
    }
    /// The options of `extra_part`.
    PartOptions {
        deck: DeckArgument = "The deck from which the part draws; by default the first deck of the game.";
        when: NowOrAfter = "`\"now\"`, to interrupt the current part, or `\"after\"`, the default, to follow it.";
    }
    /// The options of `end_game`.
    EndOptions {
        when: NowOrAfter = "`\"now\"`, once everything that this call causes has ended, or `\"after\"`, the default, after the turn.";
    }
    /// The options of `open_zones`.
    OpenZonesOptions {
        without: Names<PieceKindIdx> = "Leaves out features with a piece of one of these kinds, or a piece that counts as one of them.";
    }
    /// The options of `placements`.
    PlacementOptions {
        any_land: bool = "If true, the piece may stand on any land, even if no manifest allows it.";
    }
    /// The options of `take_pile`.
    TakePileOptions {
        from: PileSite = "Where to take counters from: a spot, a border, or all spots that count for a feature; by default the whole board.";
        n: i64 = "The largest number of counters to take; by default all.";
        to_stock: bool = "If true, the counters go back to the stock; otherwise they leave the game.";
    }
}

/// Converts the value of the option `key`. The message of a refusal names the option.
fn convert_option<P: Param>(key: &str, value: &Value, cx: &Cx) -> Result<P, Refusal> {
    P::convert(&ScriptValue::Plain(value.clone()), cx).map_err(|refusal| match refusal {
        Refusal::Because(message) => Refusal::Because(format!("option `{key}`: {message}")),
        asked => asked,
    })
}

#[cold]
fn unknown_key(key: &str, keys: &[OptionKey]) -> Refusal {
    let names: Vec<&str> = keys.iter().map(|key| key.name).collect();
    let help = hint(key, names.iter().copied());
    format!("there is no option `{key}` here, {}{help}", there_are(&names)).into()
}

impl SeenBy {
    /// Returns the players who may see the tile or card.
    pub(crate) fn seats(&self) -> SeatSet {
        self.seen_by.as_ref().map_or(SeatSet::ALL, |seats| seats.0.iter().copied().collect())
    }
}

/// The time of an extra part or of the end of the game: now, or after the current part or turn.
pub(crate) enum NowOrAfter {
    Now,
    After,
}

impl Param for NowOrAfter {
    const NAME: &'static str = "\"now\" or \"after\"";
    const TYPE: RhaiType = RhaiType::TEXT;
    const DECLARED: Option<NameCategory> = Some(NameCategory::When);

    fn convert(arg: &ScriptValue, _cx: &Cx) -> Result<Self, Refusal> {
        match arg {
            ScriptValue::Plain(Value::Text(word)) if **word == *"now" => Ok(NowOrAfter::Now),
            ScriptValue::Plain(Value::Text(word)) if **word == *"after" => Ok(NowOrAfter::After),
            ScriptValue::Plain(Value::Text(word)) => Err(format!("write \"now\" or \"after\", not \"{word}\"").into()),
            other => Err(type_mismatch::<Self>(other)),
        }
    }
}

/// Declares types of arguments, each of which accepts handles of several types.
macro_rules! either {
    ($(#[$doc:meta] $type:ident: $name:literal = $($a:ident($a_type:ty))|+;)*) => {
        $(#[$doc]
        pub(crate) enum $type {
            $($a($a_type),)+
        }

        impl Param for $type {
            const NAME: &'static str = $name;
            const TYPE: RhaiType = RhaiType::ANY;
            const LITERALS: LiteralTypes = LiteralTypes::NONE;

            fn convert(arg: &ScriptValue, cx: &Cx) -> Result<Self, Refusal> {
                match arg {
                    $(arg if (<$a_type as Param>::TYPE.fits)(arg) => <$a_type>::convert(arg, cx).map($type::$a),)+
                    other => Err(type_mismatch::<Self>(other)),
                }
            }
        })*
    };
}

either! {
    /// A spot, a border, or a feature with its spots, on which a pile may lie.
    PileSite: "spot, border or feature" = Spot(Spot) | Border(Border) | Feature(FeatureRef);
    /// A spot or a border, on which a pile is put.
    PileGround: "spot or border" = Spot(Spot) | Border(Border);
    /// A tile within which, or a border across which, zones are linked.
    LinkSite: "tile or border" = Tile(TileRef) | Border(Border);
    /// A thing that can carry tags.
    Tagged: "zone or tile" = Zone(ZoneRef) | Tile(TileRef);
}

impl From<PileGround> for PilePlace {
    fn from(place: PileGround) -> PilePlace {
        match place {
            PileGround::Spot(spot) => spot.into(),
            PileGround::Border(border) => border.into(),
        }
    }
}
