//! Handles: the small values by which scripts refer to players, spots, tiles, zones, features,
//! pieces and so on.

use std::cmp::Ordering;
use std::sync::Arc;

use board::{Border, Corner, FeatureRef, Spot, TileIdx, TileRef, ZoneRef, ZoneSet};
use rules::{DeckIdx, PieceRef, Seat, State, Value};

use crate::core::Cx;
use crate::script_value::ScriptValue;
use crate::types::{CardRef, Deployment, Score, ScriptOption, SettingsView, TilePlacement, TrackSpace, TurnView};

/// A type of handle, such as the handle of a zone.
pub(crate) trait Handle: Clone + 'static {
    /// The name of the type in documentation and messages.
    const NAME: &'static str;
    /// The name of the type in the interpreter.
    const TYPE: &'static str;
    /// Converts the handle to a script value.
    fn into_script_value(self) -> ScriptValue;
    /// Returns the handle in a script value; `None` if the value is not a handle of this type.
    fn of(held: &ScriptValue) -> Option<Self>;
    /// Returns whether the handle is still valid. A handle can outlive the thing that it refers to,
    /// for example if a tile is removed.
    fn exists(&self, cx: &Cx) -> bool;
    /// Compares two handles. Spots, corners, borders, tiles, zones and features are ordered row by
    /// row from the north-west. Most other handles are ordered by number, such as players by seat.
    fn compare_in(&self, other: &Self, state: &State) -> Ordering;
}

/// Returns the sort key of a zone: row by row from the north-west, then by its number on the tile.
pub(crate) fn zone_key(state: &State, zone: ZoneRef) -> (i16, i16, ZoneRef) {
    let spot = state.board.tile_at_zone(zone).spot;
    (spot.y, spot.x, zone)
}

/// Returns the sort key of a tile: row by row from the north-west.
pub(crate) fn tile_key(state: &State, tile: TileRef) -> (i16, i16) {
    let spot = state.board.tile(tile).spot;
    (spot.y, spot.x)
}

/// Returns the zone of a feature that comes first, row by row from the north-west. This zone
/// determines the name of the feature and its place in lists of features.
pub(crate) fn first_zone(state: &State, feature: FeatureRef) -> ZoneRef {
    state.board.zones(feature).min_by_key(|z| zone_key(state, *z)).unwrap_or(feature.anchor)
}

macro_rules! handle {
    ($type:ty, $name:literal, $rhai:literal, $held:pat => $it:expr, |$mine:ident| $hold:expr) => {
        handle!($type, $name, $rhai, $held => $it, |$mine| $hold, |_it, _cx| true);
    };
    ($type:ty, $name:literal, $rhai:literal, $held:pat => $it:expr, |$mine:ident| $hold:expr,
     |$me:ident, $cx:ident| $exists:expr) => {
        handle!($type, $name, $rhai, $held => $it, |$mine| $hold, |$me, $cx| $exists, |a, b, _state| a.cmp(b));
    };
    ($type:ty, $name:literal, $rhai:literal, $held:pat => $it:expr, |$mine:ident| $hold:expr,
     |$me:ident, $cx:ident| $exists:expr, |$a:ident, $b:ident, $state:ident| $order:expr) => {
        impl Handle for $type {
            const NAME: &'static str = $name;
            const TYPE: &'static str = $rhai;

            #[inline]
            fn into_script_value(self) -> ScriptValue {
                let $mine = self;
                $hold
            }

            #[inline]
            fn of(held: &ScriptValue) -> Option<Self> {
                match held {
                    $held => Some($it),
                    _ => None,
                }
            }

            #[inline]
            fn exists(&self, $cx: &Cx) -> bool {
                let $me = self;
                $exists
            }

            fn compare_in(&self, other: &Self, $state: &State) -> Ordering {
                let ($a, $b) = (self, other);
                $order
            }
        }
    };
}

handle!(Seat, "player", "Player", ScriptValue::Plain(Value::Player(it)) => *it, |it| Value::Player(it).into(),
    |it, cx| it.0 < cx.state().n_seats);
handle!(Spot, "spot", "Spot", ScriptValue::Plain(Value::Spot(it)) => *it, |it| Value::Spot(it).into(), |_it, _cx| true,
    |a, b, _s| (a.y, a.x).cmp(&(b.y, b.x)));
handle!(Corner, "corner", "Corner", ScriptValue::Plain(Value::Corner(it)) => *it, |it| Value::Corner(it).into(), |_it, _cx| true,
    |a, b, _s| (a.y, a.x).cmp(&(b.y, b.x)));
handle!(Border, "border", "Border", ScriptValue::Plain(Value::Border(it)) => *it, |it| Value::Border(it).into(), |_it, _cx| true,
    |a, b, _s| (a.y, a.x, a.is_west).cmp(&(b.y, b.x, b.is_west)));
handle!(TileIdx, "tile type", "TileType", ScriptValue::Plain(Value::TileType(it)) => *it, |it| Value::TileType(it).into(),
    |it, cx| (it.0 as usize) < cx.tile_set().tiles.len());
handle!(TileRef, "tile", "Tile", ScriptValue::Plain(Value::Tile(it)) => *it, |it| Value::Tile(it).into(),
    |it, cx| cx.state().board.is_laid(*it), |a, b, s| tile_key(s, *a).cmp(&tile_key(s, *b)));
handle!(ZoneRef, "zone", "Zone", ScriptValue::Plain(Value::Zone(it)) => *it, |it| Value::Zone(it).into(),
    |it, cx| cx.state().board.has_zone(*it), |a, b, s| zone_key(s, *a).cmp(&zone_key(s, *b)));
handle!(
    FeatureRef,
    "feature",
    "Feature",
    ScriptValue::Plain(Value::Feature(it)) => *it,
    |it| Value::Feature(it).into(),
    |it, cx| {
        let board = &cx.state().board;
        board.has_zone(it.anchor)
            && (it.layer.0 as usize) < board.n_layers()
            && board.layer_includes(it.layer, it.anchor)
    },
    |a, b, s| {
        if a.layer == b.layer && s.board.root(*a) == s.board.root(*b) {
            return Ordering::Equal;
        }
        (zone_key(s, first_zone(s, *a)), a.layer).cmp(&(zone_key(s, first_zone(s, *b)), b.layer))
    }
);
handle!(PieceRef, "piece", "Piece", ScriptValue::Plain(Value::Piece(it)) => *it, |it| Value::Piece(it).into());
handle!(TrackSpace, "space", "Space", ScriptValue::Plain(Value::Space(it)) => TrackSpace(*it), |it| Value::Space(it.0).into());
handle!(DeckIdx, "deck", "Deck", ScriptValue::Plain(Value::Deck(it)) => *it, |it| Value::Deck(it).into(),
    |it, cx| it.idx() < cx.catalogue().decks.len());
handle!(CardRef, "card", "Card", ScriptValue::Plain(Value::Card(it)) => CardRef(*it), |it| Value::Card(it.0).into(),
    |it, cx| (it.0 as usize) < cx.catalogue().cards.len());
handle!(
    TilePlacement,
    "place",
    "Place",
    ScriptValue::Plain(Value::Placement(tile, at)) => TilePlacement { tile: *tile, at: *at },
    |it| Value::Placement(it.tile, it.at).into(),
    |it, cx| it.tile.exists(cx)
);
handle!(
    Deployment,
    "deployment",
    "Deployment",
    ScriptValue::Plain(Value::Deployment(kind, zone)) => Deployment { kind: *kind, zone: *zone },
    |it| Value::Deployment(it.kind, it.zone).into(),
    |it, cx| cx.state().board.has_zone(it.zone)
);
handle!(ScriptOption, "option", "Option", ScriptValue::Plain(Value::Option(it)) => ScriptOption(it.clone()), |it| Value::Option(it.0).into());
handle!(ZoneSet, "set of zones", "Zones", ScriptValue::Zones(it) => it.clone(), |it| ScriptValue::Zones(it));
handle!(Score, "award", "Score", ScriptValue::Plain(Value::Score) => Score, |_it| Value::Score.into());
handle!(TurnView, "turn", "Turn", ScriptValue::Turn => TurnView, |_it| ScriptValue::Turn);
handle!(SettingsView, "settings", "Settings", ScriptValue::Settings => SettingsView, |_it| ScriptValue::Settings);

/// Calls a macro with a list of all types of handles.
macro_rules! for_all_handles {
    ($macro:ident) => {
        $macro!(
            rules::Seat,
            board::Spot,
            board::Corner,
            board::Border,
            board::ZoneRef,
            rules::PieceRef,
            board::FeatureRef,
            board::TileRef,
            board::TileIdx,
            crate::types::TrackSpace,
            rules::DeckIdx,
            crate::types::CardRef,
            crate::types::TilePlacement,
            crate::types::Deployment,
            crate::types::ScriptOption,
            board::ZoneSet,
            crate::types::Score,
            crate::types::TurnView,
            crate::types::SettingsView
        )
    };
}
pub(crate) use for_all_handles;

/// Returns whether the value is a valid handle.
pub(crate) fn is_known(cx: &Cx, held: &ScriptValue) -> bool {
    macro_rules! is_known {
        ($($type:ty),*) => {
            $(if let Some(it) = <$type>::of(held) {
                return it.exists(cx);
            })*
        };
    }
    for_all_handles!(is_known);
    false
}

/// Compares two handles of one type; `None` for other values and for invalid handles.
pub(crate) fn compare(cx: &Cx, a: &ScriptValue, b: &ScriptValue) -> Option<Ordering> {
    macro_rules! compare {
        ($($type:ty),*) => {
            $(if let (Some(a), Some(b)) = (<$type>::of(a), <$type>::of(b)) {
                return (a.exists(cx) && b.exists(cx)).then(|| a.compare_in(&b, cx.state()));
            })*
        };
    }
    for_all_handles!(compare);
    None
}

/// Returns the stable text that options and records use for a handle.
pub(crate) fn text_of(cx: &Cx, held: ScriptValue) -> Result<Arc<str>, rules::Refusal> {
    Ok(match held {
        ScriptValue::Turn => "turn".into(),
        ScriptValue::Settings => "settings".into(),
        ScriptValue::Plain(Value::Placement(_, place)) => format!("{} {}", place.spot, place.facing).into(),
        ScriptValue::Plain(Value::Deployment(kind, zone)) => {
            let zone = rules::zone_text(cx.call.ruleset(), cx.state(), zone);
            format!("{} {zone}", cx.catalogue().piece(kind).name).into()
        }
        ScriptValue::Plain(Value::Score) => "award".into(),
        held => {
            let value = held.into_plain().map_err(|what| format!("{what} has no text"))?;
            rules::value_text(cx.call.ruleset(), cx.state(), None, &value)?.into()
        }
    })
}
