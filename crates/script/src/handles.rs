//! Handles: the small values by which scripts name players, spots, tiles, zones, features, pieces and the rest.

use std::cmp::Ordering;
use std::sync::Arc;

use board::{FeatureRef, Placement, Spot, TileIdx, TileRef, ZoneRef};
use rhai::{Engine, ImmutableString};
use rules::{DeckIdx, OptionValue, PieceKindIdx, PieceRef, Seat, State, Value};

use crate::api::Sort;
use crate::core::{Core, Cx};
use crate::register::native;

/// A space of the score track.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Space(pub u32);

/// A card of a deck that holds no tiles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Card(pub u16);

/// A spot and a facing where the drawn tile may lie.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place(pub Placement);

/// A piece and the zone where it may be deployed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Deployment {
    pub kind: PieceKindIdx,
    pub zone: ZoneRef,
}

/// An option, offered or chosen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Chosen(pub Arc<OptionValue>);

/// Many zones as one value, which is cheaper than a list of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ZoneList(pub Arc<[ZoneRef]>);

/// The award that `score_value` is asked about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Score;

/// What `turn` stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TurnView;

/// What `settings` stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct SettingsView;

/// A sort of handle.
pub(crate) trait Handle: Clone + 'static {
    /// What documentation and messages call it.
    const NAME: &'static str;
    /// What the interpreter calls its type.
    const TYPE: &'static str;
    /// The handle as a value.
    fn value(&self) -> Value;
    /// Whether it still means something; handles can outlive a reload of the mods.
    fn exists(&self, cx: &Cx) -> bool;
    /// Which of two comes first: by spot from the north-west, then by zone; by seat; by number.
    fn order(&self, other: &Self, state: &State) -> Ordering;
}

/// Where a zone comes in lists: row by row from the north-west, then by its number on the tile.
pub(crate) fn zone_key(state: &State, zone: ZoneRef) -> (i16, i16, ZoneRef) {
    let spot = state.board.tile_at_zone(zone).spot;
    (spot.y, spot.x, zone)
}

/// Where a tile comes in lists.
pub(crate) fn tile_key(state: &State, tile: TileRef) -> (i16, i16) {
    let spot = state.board.tile(tile).spot;
    (spot.y, spot.x)
}

/// The first zone of a feature, by which it is ordered and called.
pub(crate) fn first_zone(state: &State, feature: FeatureRef) -> ZoneRef {
    state.board.zones(feature).min_by_key(|z| zone_key(state, *z)).unwrap_or(feature.anchor)
}

macro_rules! handle {
    ($type:ty, $name:literal, $rhai:literal, |$it:ident| $value:expr, |$me:ident, $cx:ident| $exists:expr) => {
        handle!($type, $name, $rhai, |$it| $value, |$me, $cx| $exists, |a, b, _state| a.cmp(b));
    };
    ($type:ty, $name:literal, $rhai:literal, |$it:ident| $value:expr, |$me:ident, $cx:ident| $exists:expr,
     |$a:ident, $b:ident, $state:ident| $order:expr) => {
        impl Handle for $type {
            const NAME: &'static str = $name;
            const TYPE: &'static str = $rhai;

            fn value(&self) -> Value {
                let $it = self;
                $value
            }

            #[inline]
            fn exists(&self, $cx: &Cx) -> bool {
                let $me = self;
                $exists
            }

            fn order(&self, other: &Self, $state: &State) -> Ordering {
                let ($a, $b) = (self, other);
                $order
            }
        }
    };
}

handle!(Seat, "player", "Player", |it| Value::Player(*it), |it, cx| it.0 < cx.state().n_seats);
handle!(Spot, "spot", "Spot", |it| Value::Spot(*it), |_it, _cx| true, |a, b, _s| (a.y, a.x).cmp(&(b.y, b.x)));
handle!(TileIdx, "tile type", "TileType", |it| Value::TileType(*it), |it, cx| (it.0 as usize) < cx.land().tiles.len());
handle!(
    TileRef,
    "tile",
    "Tile",
    |it| Value::Tile(*it),
    |it, cx| (it.0 as usize) < cx.state().board.tiles().len(),
    |a, b, s| tile_key(s, *a).cmp(&tile_key(s, *b))
);
handle!(
    ZoneRef,
    "zone",
    "Zone",
    |it| Value::Zone(*it),
    |it, cx| (it.0 as usize) < cx.state().board.n_zones(),
    |a, b, s| zone_key(s, *a).cmp(&zone_key(s, *b))
);
handle!(
    FeatureRef,
    "feature",
    "Feature",
    |it| Value::Feature(*it),
    |it, cx| {
        let board = &cx.state().board;
        (it.anchor.0 as usize) < board.n_zones()
            && (it.layer.0 as usize) < board.n_layers()
            && board.takes_part(it.layer, it.anchor)
    },
    |a, b, s| {
        if a.layer == b.layer && s.board.root(*a) == s.board.root(*b) {
            return Ordering::Equal;
        }
        (zone_key(s, first_zone(s, *a)), a.layer).cmp(&(zone_key(s, first_zone(s, *b)), b.layer))
    }
);
handle!(PieceRef, "piece", "Piece", |it| Value::Piece(*it), |_it, _cx| true);
handle!(Space, "space", "Space", |it| Value::Space(it.0), |_it, _cx| true);
handle!(DeckIdx, "deck", "Deck", |it| Value::Deck(*it), |it, cx| it.idx() < cx.catalogue().decks.len());
handle!(Card, "card", "Card", |it| Value::Card(it.0), |it, cx| (it.0 as usize) < cx.catalogue().cards.len());
handle!(Place, "place", "Place", |it| Value::Placement(it.0), |_it, _cx| true);
handle!(Deployment, "deployment", "Deployment", |it| Value::Deployment(it.kind, it.zone), |it, cx| (it.zone.0
    as usize)
    < cx.state().board.n_zones());
handle!(Chosen, "option", "Option", |it| Value::Option(it.0.clone()), |_it, _cx| true);
handle!(ZoneList, "set of zones", "Zones", |it| Value::list(it.0.iter().map(|zone| Value::Zone(*zone))), |_it, _cx| {
    true
});
handle!(Score, "award", "Score", |_it| Value::Score, |_it, _cx| true);
handle!(TurnView, "turn", "Turn", |_it| Value::Unit, |_it, _cx| true);
handle!(SettingsView, "settings", "Settings", |_it| Value::Unit, |_it, _cx| true);

/// Registers the types with their names, comparing and printing.
pub(crate) fn register(engine: &mut Engine, core: &std::rc::Rc<Core>) {
    macro_rules! register {
        ($($type:ty),*) => {
            $(register_one::<$type>(engine, core);)*
        };
    }
    register!(Seat, Spot, TileIdx, TileRef, ZoneRef, FeatureRef, PieceRef, Space, DeckIdx, Card, Place, Deployment);
    register!(Chosen, ZoneList, Score, TurnView, SettingsView);
}

fn register_one<H: Handle + crate::params::Param>(engine: &mut Engine, core: &std::rc::Rc<Core>) {
    engine.register_type_with_name::<H>(<H as Handle>::TYPE);
    type Test = (&'static str, fn(Ordering) -> bool);
    let tests: [Test; 6] = [
        ("==", Ordering::is_eq),
        ("!=", Ordering::is_ne),
        ("<", Ordering::is_lt),
        ("<=", Ordering::is_le),
        (">", Ordering::is_gt),
        (">=", Ordering::is_ge),
    ];
    for (name, test) in tests {
        native(engine, core, name, Sort::Query, move |cx: &mut Cx, a: H, b: H| Ok(test(a.order(&b, cx.state()))));
    }
    for name in ["to_string", "to_debug", "print", "debug"] {
        native(engine, core, name, Sort::Query, move |cx: &mut Cx, it: H| text_of(cx, &it.value()));
    }
}

/// The stable text of a handle, as options and records show it.
pub(crate) fn text_of(cx: &Cx, value: &Value) -> Result<ImmutableString, rules::Refusal> {
    let text = match value {
        Value::Placement(place) => format!("{} {}", place.spot, place.facing),
        Value::Deployment(kind, zone) => {
            let zone = rules::zone_text(&cx.frame.call.ruleset, cx.state(), *zone);
            format!("{} {zone}", cx.catalogue().piece(*kind).name)
        }
        Value::Score => "award".to_owned(),
        Value::Unit => "turn".to_owned(),
        value => rules::value_text(&cx.frame.call.ruleset, cx.state(), None, value)?,
    };
    Ok(text.into())
}
