//! Parameters of native functions: types that check, convert and document themselves.
//!
//! The file is long because there are many such types; each is short and self-contained.

use std::any::TypeId;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use board::{KindIdx, LayerIdx, TagIdx, ZoneRef};
use diagnostic::{hint, visible};
use rhai::{Array, Dynamic, ImmutableString, Map};
use rules::{
    Catalogue, DeckIdx, OptionPrefix, OptionValues, PhaseIdx, PieceKindIdx, PileIdx, Refusal, Seat, TokenIdx, Value,
};

use crate::core::Cx;
use crate::handles::Handle;
use crate::replies::Reply;
use crate::script_value::ScriptValue;

/// The categories of names that mods or the language declare. A parameter may require a text to be
/// a name of one category.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum NameCategory {
    Kind,
    Tag,
    Piece,
    Token,
    Pile,
    Deck,
    Layer,
    Phase,
    /// The id of a mod.
    Mod,
    /// The name of a setting of another mod.
    Setting,
    /// The id of a tile.
    Tile,
    /// One of eight directions.
    Direction,
    /// One of four edges.
    Edge,
    /// One of four edges, or one of the eight halves of edges.
    EdgeOrHalf,
    /// The time of an extra part or of the end of the game: `now` or `after`.
    When,
    /// The reason for a part of a turn.
    PartReason,
    /// The reason why a piece left its place.
    PieceReason,
}

impl NameCategory {
    /// Returns the noun for names of this category, without an article.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            NameCategory::Kind => "kind of land",
            NameCategory::Tag => "tag",
            NameCategory::Piece => "piece",
            NameCategory::Token => "token",
            NameCategory::Pile => "pile",
            NameCategory::Deck => "deck",
            NameCategory::Layer => "layer",
            NameCategory::Phase => "phase",
            NameCategory::Mod => "mod",
            NameCategory::Setting => "setting",
            NameCategory::Tile => "tile",
            NameCategory::Direction => "direction",
            NameCategory::Edge | NameCategory::EdgeOrHalf => "edge",
            NameCategory::When => "time",
            NameCategory::PartReason | NameCategory::PieceReason => "reason",
        }
    }
}

/// The types of literals that a parameter takes, as a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LiteralTypes(u8);

impl LiteralTypes {
    pub(crate) const NONE: LiteralTypes = LiteralTypes(0);
    pub(crate) const NUMBER: LiteralTypes = LiteralTypes(1);
    pub(crate) const TRUTH: LiteralTypes = LiteralTypes(2);
    pub(crate) const TEXT: LiteralTypes = LiteralTypes(4);
    pub(crate) const LIST: LiteralTypes = LiteralTypes(8);
    pub(crate) const MAP: LiteralTypes = LiteralTypes(16);
    pub(crate) const UNIT: LiteralTypes = LiteralTypes(32);
    const ALL: LiteralTypes = LiteralTypes(63);

    /// Returns the union of both sets.
    pub(crate) const fn union(self, other: LiteralTypes) -> LiteralTypes {
        LiteralTypes(self.0 | other.0)
    }

    /// Returns whether all types of `other` are in the set.
    pub(crate) const fn contains(self, other: LiteralTypes) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A type check for a parameter.
pub(crate) type TypeCheck = fn(&ScriptValue) -> bool;

/// A type of the interpreter. The interpreter distinguishes functions with the same name by the
/// types of their parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RhaiType {
    /// The name of the type in the interpreter's definitions.
    pub name: &'static str,
    pub id: TypeId,
    /// The types of literals that have this type.
    pub literals: LiteralTypes,
    /// Returns whether a value is of this type.
    pub fits: TypeCheck,
}

impl RhaiType {
    /// Any value. The native function itself checks the value.
    pub(crate) const ANY: RhaiType = RhaiType::of::<Dynamic>("?", LiteralTypes::ALL, |_| true);
    const NUMBER: RhaiType =
        RhaiType::of::<i64>("int", LiteralTypes::NUMBER, |arg| matches!(arg, ScriptValue::Plain(Value::Int(_))));
    const TRUTH: RhaiType =
        RhaiType::of::<bool>("bool", LiteralTypes::TRUTH, |arg| matches!(arg, ScriptValue::Plain(Value::Bool(_))));
    pub(crate) const TEXT: RhaiType =
        RhaiType::of::<ImmutableString>("String", LiteralTypes::TEXT, |arg| text_in(arg).is_some());
    const LIST: RhaiType =
        RhaiType::of::<Array>("Array", LiteralTypes::LIST, |arg| matches!(arg, ScriptValue::Plain(Value::List(_))));
    pub(crate) const MAP: RhaiType =
        RhaiType::of::<Map>("Map", LiteralTypes::MAP, |arg| matches!(arg, ScriptValue::Plain(Value::Map(_))));

    /// Describes the type that the interpreter represents by `T`.
    pub(crate) const fn of<T: 'static>(name: &'static str, literals: LiteralTypes, fits: TypeCheck) -> RhaiType {
        RhaiType { name, id: TypeId::of::<T>(), literals, fits }
    }
}

/// The description of a named option, for the linter and the reference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OptionKey {
    /// The name of the option.
    pub name: &'static str,
    /// The type of the option's value, in words.
    pub takes: &'static str,
    /// The category of declared names to which the option's value must belong, if any.
    pub declared: Option<NameCategory>,
    /// The types of literals that the option takes.
    pub literals: LiteralTypes,
    /// The meaning and the default of the option.
    pub about: &'static str,
}

/// A type of parameter of native functions.
pub(crate) trait Param: Sized + 'static {
    /// The name of the type in the documentation.
    const NAME: &'static str;
    /// The type in the interpreter.
    const TYPE: RhaiType;
    /// The category of declared names to which the parameter's value must belong, if any.
    const DECLARED: Option<NameCategory> = None;
    /// The types of literals that the parameter takes.
    const LITERALS: LiteralTypes = Self::TYPE.literals;
    /// True if the parameter is optional. Only optional parameters may follow an optional
    /// parameter.
    const OPTIONAL: bool = false;
    /// The accepted keys, for a parameter that is an options map.
    const KEYS: &'static [OptionKey] = &[];

    /// Converts a value from a script to this type, or returns an error.
    fn convert(arg: &ScriptValue, cx: &Cx) -> Result<Self, Refusal>;

    /// Returns the default value of an omitted argument, or an error if the argument is required.
    fn default_if_omitted() -> Result<Self, Refusal> {
        Err(Refusal::Because(format!("{} is missing", Self::NAME)))
    }
}

/// An optional argument.
impl<P: Param> Param for Option<P> {
    const NAME: &'static str = P::NAME;
    const TYPE: RhaiType = P::TYPE;
    const DECLARED: Option<NameCategory> = P::DECLARED;
    const LITERALS: LiteralTypes = P::LITERALS;
    const OPTIONAL: bool = true;

    #[inline]
    fn convert(arg: &ScriptValue, cx: &Cx) -> Result<Self, Refusal> {
        P::convert(arg, cx).map(Some)
    }

    fn default_if_omitted() -> Result<Self, Refusal> {
        Ok(None)
    }
}

#[cold]
pub(crate) fn type_mismatch<T: Param>(arg: &ScriptValue) -> Refusal {
    let article = if T::NAME.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    Refusal::Because(format!("{article} {} is expected here, not {}", T::NAME, arg.type_name()))
}

/// Returns the texts in a list, or the text itself for a single text; `None` for other values.
fn texts_in(arg: &ScriptValue) -> Option<impl Iterator<Item = &Arc<str>>> {
    let values = match arg {
        ScriptValue::Plain(Value::List(values)) => &values[..],
        ScriptValue::Plain(value) => std::slice::from_ref(value),
        _ => return None,
    };
    fn text(value: &Value) -> Option<&Arc<str>> {
        if let Value::Text(text) = value { Some(text) } else { None }
    }
    values.iter().all(|value| text(value).is_some()).then(|| values.iter().filter_map(text))
}

/// Returns the text if the value is a text.
fn text_in(arg: &ScriptValue) -> Option<&Arc<str>> {
    match arg {
        ScriptValue::Plain(Value::Text(text)) => Some(text),
        _ => None,
    }
}

impl<H: Handle> Param for H {
    const NAME: &'static str = <H as Handle>::NAME;
    const TYPE: RhaiType = RhaiType::of::<H>(<H as Handle>::TYPE, LiteralTypes::NONE, |arg| H::of(arg).is_some());

    #[inline]
    fn convert(arg: &ScriptValue, cx: &Cx) -> Result<Self, Refusal> {
        let handle = H::of(arg).ok_or_else(|| type_mismatch::<H>(arg))?;
        if handle.exists(cx) {
            Ok(handle)
        } else {
            Err(format!("this {} is no longer in the game", <H as Handle>::NAME).into())
        }
    }
}

macro_rules! plain {
    ($type:ty, $name:literal, $rhai:ident, $held:pat => $it:expr) => {
        impl Param for $type {
            const NAME: &'static str = $name;
            const TYPE: RhaiType = RhaiType::$rhai;

            #[inline]
            fn convert(arg: &ScriptValue, _cx: &Cx) -> Result<Self, Refusal> {
                match arg {
                    $held => Ok($it),
                    _ => Err(type_mismatch::<$type>(arg)),
                }
            }
        }
    };
}

plain!(i64, "number", NUMBER, ScriptValue::Plain(Value::Int(it)) => *it);
plain!(bool, "truth value", TRUTH, ScriptValue::Plain(Value::Bool(it)) => *it);
plain!(Arc<str>, "text", TEXT, ScriptValue::Plain(Value::Text(it)) => it.clone());

/// Declares types of texts. Both the linter and the functions that take such texts check them.
macro_rules! checked_texts {
    ($($(#[$doc:meta])* $type:ident: $declared:ident;)*) => {
        $($(#[$doc])*
        pub(crate) struct $type(pub Arc<str>);

        impl Param for $type {
            const NAME: &'static str = <Arc<str> as Param>::NAME;
            const TYPE: RhaiType = RhaiType::TEXT;
            const DECLARED: Option<NameCategory> = Some(NameCategory::$declared);

            #[inline]
            fn convert(arg: &ScriptValue, cx: &Cx) -> Result<Self, Refusal> {
                <Arc<str> as Param>::convert(arg, cx).map($type)
            }
        })*
    };
}

checked_texts! {
    /// The id of a mod, which need not be in the game.
    ModId: Mod;
    /// The name of a setting of another mod.
    SettingName: Setting;
    /// The id of a tile; ids of the script's own mod need no prefix.
    TileId: Tile;
    /// A direction: n, ne, e, se, s, sw, w or nw.
    DirectionName: Direction;
    /// An edge: n, e, s or w.
    EdgeName: Edge;
    /// An edge such as n, or a half of an edge such as n1.
    PortName: EdgeOrHalf;
}

/// A text for people, in which hidden characters are made visible.
pub(crate) struct VisibleText(pub Arc<str>);

impl Param for VisibleText {
    const NAME: &'static str = <Arc<str> as Param>::NAME;
    const TYPE: RhaiType = RhaiType::TEXT;

    fn convert(arg: &ScriptValue, cx: &Cx) -> Result<Self, Refusal> {
        let text = <Arc<str> as Param>::convert(arg, cx)?;
        Ok(VisibleText(match visible(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(visible) => visible.into(),
        }))
    }
}

/// Any value that can be stored.
pub(crate) struct AnyValue(pub Value);

impl Param for AnyValue {
    const NAME: &'static str = "value";
    const TYPE: RhaiType = RhaiType::ANY;

    fn convert(arg: &ScriptValue, _cx: &Cx) -> Result<Self, Refusal> {
        arg.clone().into_plain().map(AnyValue).map_err(|what| format!("{what} cannot be used here").into())
    }
}

/// A list of any values.
pub(crate) struct List(pub Arc<Vec<Value>>);

plain!(List, "list", LIST, ScriptValue::Plain(Value::List(list)) => List(list.clone()));

/// A map that a script has made, or the map of a scope of `mem`.
pub(crate) struct MapOf(pub Arc<BTreeMap<Arc<str>, Value>>);

plain!(MapOf, "map", MAP, ScriptValue::Plain(Value::Map(map)) => MapOf(map.clone()));

/// A type of item in a list that a native function takes.
pub(crate) trait ListItem: Sized + 'static {
    /// The name of the list type, in words.
    const LIST: &'static str;
    fn item(value: &Value, cx: &Cx) -> Result<Self, Refusal>;
}

/// A list of items of one type.
pub(crate) struct ListOf<T>(pub Vec<T>);

pub(crate) type Zones = ListOf<ZoneRef>;
pub(crate) type SeatList = ListOf<Seat>;

impl<T: ListItem> Param for ListOf<T> {
    const NAME: &'static str = T::LIST;
    const TYPE: RhaiType = RhaiType::LIST;

    fn convert(arg: &ScriptValue, cx: &Cx) -> Result<Self, Refusal> {
        let List(values) = List::convert(arg, cx)?;
        items_of(&values, cx).map(ListOf)
    }
}

/// Converts each value in `values`.
pub(crate) fn items_of<T: ListItem>(values: &[Value], cx: &Cx) -> Result<Vec<T>, Refusal> {
    values.iter().map(|value| T::item(value, cx)).collect()
}

/// A zone, or the zone on which a piece stands.
impl ListItem for ZoneRef {
    const LIST: &'static str = "list of zones";

    fn item(value: &Value, cx: &Cx) -> Result<ZoneRef, Refusal> {
        match value {
            Value::Zone(zone) if zone.exists(cx) => Ok(*zone),
            Value::Piece(piece) => match cx.state().piece(*piece).map(|it| it.place) {
                Some(rules::Location::Zone(zone)) => Ok(zone),
                _ => Err("this piece stands on no zone".into()),
            },
            other => Err(Refusal::Because(format!("zones are expected here, not {}", other.type_name()))),
        }
    }
}

impl ListItem for Seat {
    const LIST: &'static str = "list of players";

    fn item(value: &Value, cx: &Cx) -> Result<Seat, Refusal> {
        Seat::convert(&ScriptValue::Plain(value.clone()), cx)
    }
}

/// A player, or `None` for no owner.
pub(crate) struct OwnerArgument(pub Option<Seat>);

impl Param for OwnerArgument {
    const NAME: &'static str = "player or ()";
    const TYPE: RhaiType = RhaiType::ANY;
    const LITERALS: LiteralTypes = LiteralTypes::UNIT;

    fn convert(arg: &ScriptValue, cx: &Cx) -> Result<Self, Refusal> {
        if *arg == ScriptValue::UNIT {
            Ok(OwnerArgument(None))
        } else {
            Seat::convert(arg, cx).map(|seat| OwnerArgument(Some(seat)))
        }
    }
}

/// A type of declaration that scripts refer to by name.
pub(crate) trait Named: Copy + 'static {
    /// The noun for declarations of this type, without an article.
    const NOUN: &'static str;
    const DECLARED: NameCategory;
    fn find(catalogue: &Catalogue, name: &str) -> Option<Self>;
    fn names(catalogue: &Catalogue) -> Vec<&str>;
}

macro_rules! named {
    ($type:ty, $what:literal, $declared:ident, |$c:ident, $name:ident| $find:expr, $names:expr) => {
        impl Named for $type {
            const NOUN: &'static str = $what;
            const DECLARED: NameCategory = NameCategory::$declared;

            fn find($c: &Catalogue, $name: &str) -> Option<Self> {
                $find
            }

            fn names($c: &Catalogue) -> Vec<&str> {
                $names.map(|n| n.as_str()).collect()
            }
        }
    };
}

named!(KindIdx, "kind", Kind, |c, name| c.tile_set.kind_named(name), c.tile_set.kinds.iter().map(|k| &k.name));
named!(TagIdx, "tag", Tag, |c, name| c.tile_set.tag_named(name), c.tile_set.tags.iter().map(|t| &t.name));
named!(LayerIdx, "layer", Layer, |c, name| c.tile_set.layer_named(name), c.tile_set.layers.iter().map(|l| &l.name));
named!(PieceKindIdx, "piece", Piece, |c, name| c.piece_named(name), c.pieces.iter().map(|p| &p.name));
named!(TokenIdx, "token", Token, |c, name| c.token_named(name), c.tokens.iter().map(|t| &t.name));
named!(PileIdx, "pile", Pile, |c, name| c.pile_named(name), c.piles.iter().map(|p| &p.name));
named!(DeckIdx, "deck", Deck, |c, name| c.deck_named(name), c.decks.iter().map(|d| &d.name));
named!(
    PhaseIdx,
    "phase",
    Phase,
    |c, name| c.phases.iter().position(|p| p.id == name).map(|i| PhaseIdx(i as u16)),
    c.phases.iter().map(|p| &p.id)
);

/// Finds the declaration called `name`.
///
/// # Errors
/// Returns an error, with a similar name if one exists, if no active mod declares `name`.
pub(crate) fn find_named<T: Named>(catalogue: &Catalogue, name: &str) -> Result<T, Refusal> {
    T::find(catalogue, name).ok_or_else(|| {
        let help = hint(name, T::names(catalogue));
        Refusal::Because(format!("no active mod declares a {} called `{name}`{help}", T::NOUN))
    })
}

/// A name that an active mod must declare.
pub(crate) struct Name<T>(pub T);

impl<T: Named> Param for Name<T> {
    const NAME: &'static str = T::NOUN;
    const TYPE: RhaiType = RhaiType::TEXT;
    const DECLARED: Option<NameCategory> = Some(T::DECLARED);

    #[inline]
    fn convert(arg: &ScriptValue, cx: &Cx) -> Result<Self, Refusal> {
        let name = text_in(arg).ok_or_else(|| type_mismatch::<Self>(arg))?;
        find_named(cx.catalogue(), name).map(Name)
    }
}

/// A name that a mod may declare. If no active mod declares the name, the field is `None`, so that
/// scripts can use names of optional mods.
pub(crate) struct OptionalName<T>(pub Option<T>);

impl<T: Named> Param for OptionalName<T> {
    const NAME: &'static str = T::NOUN;
    const TYPE: RhaiType = RhaiType::TEXT;
    const DECLARED: Option<NameCategory> = Some(T::DECLARED);

    #[inline]
    fn convert(arg: &ScriptValue, cx: &Cx) -> Result<Self, Refusal> {
        let name = text_in(arg).ok_or_else(|| type_mismatch::<Self>(arg))?;
        Ok(OptionalName(T::find(cx.catalogue(), name)))
    }
}

/// One or several names that mods may declare. Names that no active mod declares are dropped.
pub(crate) struct Names<T>(pub Vec<T>);

impl<T: Named> Param for Names<T> {
    const NAME: &'static str = T::NOUN;
    const TYPE: RhaiType = RhaiType::ANY;
    const LITERALS: LiteralTypes = LiteralTypes::TEXT.union(LiteralTypes::LIST);
    const DECLARED: Option<NameCategory> = Some(T::DECLARED);

    fn convert(arg: &ScriptValue, cx: &Cx) -> Result<Self, Refusal> {
        let texts = texts_in(arg).ok_or_else(|| type_mismatch::<Self>(arg))?;
        Ok(Names(texts.filter_map(|name| T::find(cx.catalogue(), name)).collect()))
    }
}

/// The values from which a player can choose: a list or a set of zones.
pub(crate) struct OptionsArgument(pub OptionValues);

impl Param for OptionsArgument {
    const NAME: &'static str = "list";
    const TYPE: RhaiType = RhaiType::ANY;
    const LITERALS: LiteralTypes = LiteralTypes::LIST;

    fn convert(arg: &ScriptValue, _cx: &Cx) -> Result<Self, Refusal> {
        match arg {
            ScriptValue::Zones(zones) => Ok(OptionsArgument(OptionValues::Zones(zones.clone()))),
            ScriptValue::Plain(Value::List(list)) => Ok(OptionsArgument(OptionValues::List(list.clone()))),
            _ => Err(format!("a list of options is expected here, not {}", arg.type_name()).into()),
        }
    }
}

impl Param for OptionPrefix {
    const NAME: &'static str = "text or list of texts";
    const TYPE: RhaiType = RhaiType::ANY;
    const LITERALS: LiteralTypes = LiteralTypes::TEXT.union(LiteralTypes::LIST);

    fn convert(arg: &ScriptValue, _cx: &Cx) -> Result<Self, Refusal> {
        match text_in(arg) {
            Some(word) => Ok(OptionPrefix::One(word.clone())),
            None => {
                Ok(OptionPrefix::Several(texts_in(arg).ok_or_else(|| type_mismatch::<Self>(arg))?.cloned().collect()))
            }
        }
    }
}

/// A deck, by handle or by name.
pub(crate) struct DeckArgument(pub DeckIdx);

impl Param for DeckArgument {
    const NAME: &'static str = "deck";
    const TYPE: RhaiType = RhaiType::ANY;
    const LITERALS: LiteralTypes = LiteralTypes::TEXT;
    const DECLARED: Option<NameCategory> = Some(NameCategory::Deck);

    fn convert(arg: &ScriptValue, cx: &Cx) -> Result<Self, Refusal> {
        match text_in(arg) {
            Some(_) => Name::<DeckIdx>::convert(arg, cx).map(|n| DeckArgument(n.0)),
            None => DeckIdx::convert(arg, cx).map(DeckArgument),
        }
    }
}

/// The place for a piece: zones, a spot, a corner, a border, or a space of the score track. A
/// player is also a place: the player keeps the piece.
pub(crate) struct PieceDestination {
    pub place: rules::Location,
    /// The other zones, if the piece stands on several zones; otherwise empty.
    pub more: Vec<ZoneRef>,
}

impl Param for PieceDestination {
    const NAME: &'static str = "zone, list of zones, feature (its first zone), spot, corner, border, space or player";
    const TYPE: RhaiType = RhaiType::ANY;
    const LITERALS: LiteralTypes = LiteralTypes::LIST;

    fn convert(arg: &ScriptValue, cx: &Cx) -> Result<Self, Refusal> {
        let AnyValue(value) = AnyValue::convert(arg, cx)?;
        let single = |place| PieceDestination { place, more: Vec::new() };
        match value {
            Value::Zone(zone) if zone.exists(cx) => Ok(single(rules::Location::Zone(zone))),
            Value::Feature(feature) if feature.exists(cx) => {
                Ok(single(rules::Location::Zone(crate::handles::first_zone(cx.state(), feature))))
            }
            Value::Spot(spot) => Ok(single(rules::Location::Spot(spot))),
            Value::Corner(corner) => Ok(single(rules::Location::Corner(corner))),
            Value::Border(border) => Ok(single(rules::Location::Border(border))),
            Value::Space(space) => Ok(single(rules::Location::Space(space))),
            Value::Player(seat) => Ok(single(rules::Location::Kept(seat))),
            Value::List(values) => {
                let mut zones = items_of(&values, cx)?.into_iter();
                let first = zones.next().ok_or("a piece needs at least one zone to stand on")?;
                Ok(PieceDestination { place: rules::Location::Zone(first), more: zones.collect() })
            }
            other => {
                let got = other.type_name();
                Err(format!(
                    "a zone, a list of zones, a feature, a spot, a corner, a border, a space or a player is expected here, not {got}"
                )
                .into())
            }
        }
    }
}

/// The description of one parameter of a registered function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParamInfo {
    pub name: &'static str,
    pub rhai_type: RhaiType,
    pub declared: Option<NameCategory>,
    /// The types of literals that the parameter takes.
    pub literals: LiteralTypes,
    /// True if the parameter is optional.
    pub optional: bool,
    /// The accepted keys, for a parameter that is an options map.
    pub keys: &'static [OptionKey],
}

impl ParamInfo {
    /// Describes a parameter of type `P`.
    pub const fn of<P: Param>() -> ParamInfo {
        ParamInfo {
            name: P::NAME,
            rhai_type: P::TYPE,
            declared: P::DECLARED,
            literals: P::LITERALS,
            optional: P::OPTIONAL,
            keys: P::KEYS,
        }
    }
}

/// A Rust function that scripts may call; `Args` are its parameters after the context.
pub(crate) trait Native<Args, R>: 'static {
    /// Returns the numbers of arguments that scripts may pass.
    fn arities() -> RangeInclusive<usize> {
        let params = Self::params();
        params.iter().filter(|param| !param.optional).count()..=params.len()
    }
    /// Returns the types of the parameters in the interpreter.
    fn types() -> Vec<TypeId> {
        Self::params().iter().map(|param| param.rhai_type.id).collect()
    }
    fn params() -> Vec<ParamInfo>;
    /// Calls the function. Optional arguments may be missing from `args`.
    fn call(&self, cx: &mut Cx, args: &[&ScriptValue]) -> Result<R, Refusal>;
}

macro_rules! natives {
    ($($($arg:ident $i:tt),*;)*) => {
        $(impl<F, R, $($arg),*> Native<($($arg,)*), R> for F
        where
            F: Fn(&mut Cx, $($arg),*) -> Result<R, Refusal> + 'static,
            R: Reply,
            $($arg: Param,)*
        {
            fn params() -> Vec<ParamInfo> {
                vec![$(ParamInfo::of::<$arg>()),*]
            }

            #[inline]
            #[allow(unused_variables, non_snake_case)]
            fn call(&self, cx: &mut Cx, args: &[&ScriptValue]) -> Result<R, Refusal> {
                $(let $arg = match args.get($i) {
                    Some(arg) => $arg::convert(arg, cx)?,
                    None => $arg::default_if_omitted()?,
                };)*
                self(cx, $($arg),*)
            }
        })*
    };
}

natives! {
    ;
    A 0;
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
    A 0, B 1, C 2, D 3, E 4;
}
