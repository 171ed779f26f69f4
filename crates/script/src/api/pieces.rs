//! Pieces in play, with their owners and places, and the places where players may put further
//! pieces.

use std::collections::BTreeSet;
use std::sync::Arc;

use board::{KindIdx, Spot, TileRef, ZoneRef};
use rules::{Location, Piece, PieceKindIdx, PieceRef, ReadSet, Refusal, Seat, Value};

use super::builder::{Api, doc};
use super::costs::{NESTED_CALL_COST, charge_for_pieces};
use crate::convert::option_value;
use crate::core::Cx;
use crate::named_options::PlacementOptions;
use crate::params::{Name, OptionalName, Zones};
use crate::replies::ReplyList;
use crate::types::{Deployment, ScriptOption, TrackSpace};

pub(super) fn add(api: &mut Api) {
    api.topic("Pieces");
    lists(api);
    properties(api);
    kept(api);
    deploying(api);
}

/// Returns the data of a piece, or an error if the piece is not in play any more.
fn piece(cx: &Cx, piece: PieceRef) -> Result<Piece, Refusal> {
    cx.state().piece(piece).copied().ok_or_else(|| "this piece is not in play any more".into())
}

/// Returns the pieces that `passes` accepts, except pieces that players keep.
pub(super) fn all(cx: &Cx, passes: impl Fn(&Piece) -> bool) -> Result<ReplyList<PieceRef>, Refusal> {
    charge_for_pieces(cx)?;
    let stands = |piece: &Piece| !matches!(piece.place, Location::Kept(_));
    Ok(cx.state().pieces().filter(|(_, piece)| stands(piece) && passes(piece)).map(|(piece, _)| piece).collect())
}

/// Returns a function that tests whether a piece is of kind `kind` or counts as that kind. If
/// `kind` is `None`, because no active mod declares the kind, no piece passes.
pub(super) fn counts_as(cx: &Cx, kind: Option<PieceKindIdx>) -> impl Fn(&Piece) -> bool + use<> {
    let kinds = kind.map_or(0, |kind| cx.catalogue().kinds_counting_as(kind).0);
    move |piece| kinds >> piece.kind.0 & 1 == 1
}

/// Returns a function that tests whether a piece is of kind `piece`, or counts as that kind, and
/// stands on land of kind `land`. If the script omitted an argument, every piece passes the test
/// for that argument.
pub(super) fn piece_filter<'c>(
    cx: &'c Cx,
    piece: Option<OptionalName<PieceKindIdx>>,
    land: Option<OptionalName<KindIdx>>,
) -> impl Fn(&Piece) -> bool + 'c {
    let is_of_kind = piece.map(|kind| counts_as(cx, kind.0));
    move |piece| {
        let stands_on = |kind| zone_of(piece).is_some_and(|zone| Some(cx.state().board.kind(zone)) == kind);
        is_of_kind.as_ref().is_none_or(|is_of_kind| is_of_kind(piece))
            && land.as_ref().is_none_or(|kind| stands_on(kind.0))
    }
}

fn lists(api: &mut Api) {
    api.query(
        "all_pieces",
        doc(
            "piece, kind",
            "All pieces in play, except pieces that players keep. With a piece kind: only pieces that are, or count as, that kind. With a land kind: only pieces that stand on a zone of that kind. A piece on a spot, a corner, a border or the score track has no zone.",
            "all_pieces(\"runner\", \"way\").is_empty()",
        ),
        |cx: &mut Cx, piece: Option<OptionalName<PieceKindIdx>>, kind: Option<OptionalName<KindIdx>>| all(cx, piece_filter(cx, piece, kind)),
    );
    api.query(
        "pieces_of",
        doc(
            "player, piece, kind",
            "The pieces of a player in play, except pieces that players keep. With a piece kind: only pieces that are, or count as, that kind. With a land kind: only pieces that stand on a zone of that kind. A piece on a spot, a corner, a border or the score track has no zone.",
            "pieces_of(player, \"runner\", \"way\").is_empty()",
        ),
        |cx: &mut Cx, player: Seat, piece: Option<OptionalName<PieceKindIdx>>, kind: Option<OptionalName<KindIdx>>| {
            let is_such = piece_filter(cx, piece, kind);
            all(cx, |piece| piece.owner == Some(player) && is_such(piece))
        },
    );
    api.query(
        "piece_kinds",
        doc(
            "piece",
            "The kinds of piece that mods declare, in order of declaration. With a piece kind: only that kind and the kinds that count as it.",
            "piece_kinds(\"runner\").filter(|kind| supply(player, kind) > 0)",
        ),
        |cx: &mut Cx, piece: Option<OptionalName<PieceKindIdx>>| {
            let counting = |kind: Option<PieceKindIdx>| kind.map_or(0, |kind| cx.catalogue().kinds_counting_as(kind).0);
            let kinds = piece.map_or(u32::MAX, |kind| counting(kind.0));
            let names = cx.core.names.pieces.iter().enumerate();
            Ok(names.filter(|(i, _)| kinds >> i & 1 == 1).map(|(_, name)| name.clone()).collect::<ReplyList<_>>())
        },
    );
    api.query(
        "neutral_pieces",
        doc(
            "piece",
            "The neutral pieces in play that are, or count as, a kind of piece, except pieces that players keep.",
            "neutral_pieces(\"ghost\")",
        ),
        |cx: &mut Cx, kind: OptionalName<PieceKindIdx>| {
            let is_of_kind = counts_as(cx, kind.0);
            all(cx, |piece| piece.owner.is_none() && is_of_kind(piece))
        },
    );
}

fn kept(api: &mut Api) {
    api.query(
        "kept_by",
        doc(
            "player, piece",
            "The pieces that a player keeps, of any owner. With a piece kind: only pieces that are, or count as, that kind.",
            "for piece in kept_by(player) { return_piece(piece, \"freed\"); }",
        ),
        |cx: &mut Cx, player: Seat, kind: Option<OptionalName<PieceKindIdx>>| {
            charge_for_pieces(cx)?;
            let is_such = piece_filter(cx, kind, None);
            let is_kept = |piece: &Piece| piece.place == Location::Kept(player) && is_such(piece);
            Ok(cx.state().pieces().filter(|(_, piece)| is_kept(piece)).map(|(piece, _)| piece).collect::<ReplyList<_>>())
        },
    );
    api.get(
        "keeper",
        "The player who keeps the piece; `nobody` if it stands on the board or the score track.",
        "piece.keeper == player",
        |cx: &mut Cx, it: PieceRef| {
            let Location::Kept(keeper) = piece(cx, it)?.place else { return Ok(None) };
            Ok(Some(keeper))
        },
    );
}

fn properties(api: &mut Api) {
    api.reads(ReadSet::NOTHING).get(
        "kind",
        "The kind of the piece.",
        "piece.kind == \"helper\"",
        |cx: &mut Cx, it: PieceRef| Ok(cx.core.names.pieces[piece(cx, it)?.kind.idx()].clone()),
    );
    api.method(
        "is_a",
        doc("piece, kind", "True if the piece is, or counts as, a kind of piece.", "piece.is_a(\"runner\")"),
        |cx: &mut Cx, it: PieceRef, kind: OptionalName<PieceKindIdx>| Ok(counts_as(cx, kind.0)(&piece(cx, it)?)),
    );
    api.reads(ReadSet::NOTHING).get(
        "owner",
        "The owner of the piece; `nobody` for a neutral piece.",
        "piece.owner == player",
        |cx: &mut Cx, it: PieceRef| Ok(piece(cx, it)?.owner),
    );
    api.reads(ReadSet::NOTHING).get(
        "is_neutral",
        "True if the piece has no owner.",
        "piece.is_neutral",
        |cx: &mut Cx, it: PieceRef| Ok(piece(cx, it)?.owner.is_none()),
    );
    api.reads(ReadSet::NOTHING).get(
        "is_pinned",
        "True if the piece is pinned, so that it stays when its feature is scored (see `pin`).",
        "piece.is_pinned",
        |cx: &mut Cx, it: PieceRef| Ok(piece(cx, it)?.pinned),
    );
    api.get(
        "in_play",
        "True if the piece is still in play; false once it has returned to its supply.",
        "piece.in_play",
        |cx: &mut Cx, it: PieceRef| Ok(cx.state().piece(it).is_some()),
    );
    api.reads(ReadSet::NOTHING).get(
        "zone",
        "The (first) zone on which the piece stands; `()` if it stands on none.",
        "piece.zone.kind",
        |cx: &mut Cx, it: PieceRef| Ok(zone_of(&piece(cx, it)?)),
    );
    api.get("zones", "All zones on which the piece stands.", "piece.zones", |cx: &mut Cx, it: PieceRef| {
        piece(cx, it)?;
        Ok(cx.state().zones_of_piece(it).collect::<ReplyList<_>>())
    });
    api.get(
        "feature",
        "The feature for which the piece counts; `()` if it stands on no zone.",
        "piece.feature.is_open",
        |cx: &mut Cx, it: PieceRef| {
            let it = piece(cx, it)?;
            let Some(anchor) = zone_of(&it) else { return Ok(None) };
            Ok(Some(cx.state().feature_under(cx.call.ruleset(), it.kind, anchor)))
        },
    );
    api.get(
        "spot",
        "The spot on which the piece stands; `()` if it stands on a corner, a border or the score track, or if a player keeps it.",
        "piece.spot",
        |cx: &mut Cx, it: PieceRef| {
            Ok(match piece(cx, it)?.place {
                Location::Zone(zone) => Some(cx.state().board.tile_at_zone(zone).spot),
                Location::Spot(spot) => Some(spot),
                Location::Corner(_) | Location::Border(_) | Location::Space(_) | Location::Kept(_) => None::<Spot>,
            })
        },
    );
    macro_rules! place {
        ($($name:literal $variant:ident |$at:ident| $place:expr, $about:literal $example:literal;)*) => {
            $(api.get($name, $about, $example, |cx: &mut Cx, it: PieceRef| {
                let Location::$variant($at) = piece(cx, it)?.place else { return Ok(None) };
                Ok(Some($place))
            });)*
        };
    }
    place! {
        "corner" Corner |at| at, "The corner on which the piece stands, if any." "piece.corner";
        "border" Border |at| at, "The border on which the piece stands, if any." "piece.border";
        "space" Space |at| TrackSpace(at),
            "The space of the score track on which the piece stands, if any." "piece.space";
    }
}

fn zone_of(piece: &Piece) -> Option<ZoneRef> {
    if let Location::Zone(zone) = piece.place { Some(zone) } else { None }
}

fn deploying(api: &mut Api) {
    api.query(
        "deployable",
        doc(
            "player, piece, zones",
            "The zones in `zones` on which the manifests let a player put a piece. The kind of land, the pieces there, and the piece's `needs` decide. The supply does not matter.",
            "deployable(player, \"runner\", tile.zones)",
        ),
        |cx: &mut Cx, player: Seat, kind: Name<PieceKindIdx>, zones: Zones| {
            cx.spend(CANDIDATE_COST * zones.0.len())?;
            let may = |zone: &ZoneRef| cx.call.may_stand(player, kind.0, *zone);
            Ok(zones.0.into_iter().filter(may).collect::<ReplyList<_>>())
        },
    );
    api.query(
        "deployments",
        doc(
            "player, tile",
            "The deployments that the core allows a player now, in the order of the core's options: on the tile of this part, or on the tile in the second argument. Manifests, the supply, `piece_targets` and `filter_deploys` decide. Each deployment has `kind` and `zone`; pass one to `deploy`.",
            "let it = ask(player, \"A second one?\", deployments(player), #{ word: \"second\", pass: true });",
        ),
        |cx: &mut Cx, player: Seat, tile: Option<TileRef>| {
            let Some(tile) = tile.or_else(|| cx.state().part().and_then(|part| part.tile)) else {
                return Ok(ReplyList::empty());
            };
            cx.spend(NESTED_CALL_COST)?;
            let offered = cx.call.deployments(player, tile)?;
            Ok(offered.into_iter().map(|(kind, zone)| Deployment { kind, zone }).collect::<ReplyList<_>>())
        },
    );
    api.query(
        "placements",
        doc(
            "player, zones, named",
            "Options for putting a piece from a player's supply on one of the zones. A piece in `zones` stands for its zone. The land must suit the piece (`stands_on`, `holds`), unless `any_land` is true; other pieces there do not matter. Each option has `kind` and `zone`.",
            "let it = ask(player, \"Add one?\", placements(player, zones), #{ word: \"add\", pass: true });",
        ),
        |cx: &mut Cx, player: Seat, zones: Zones, named: PlacementOptions| {
            placements(cx, player, u32::MAX, &zones.0, named)
        },
    );
    api.query(
        "placements",
        doc(
            "player, piece, zones, named",
            "Works like `placements(player, zones)`, but only with pieces that are, or count as, a kind of piece.",
            "placements(player, \"runner\", zones, #{ any_land: true })",
        ),
        |cx: &mut Cx, player: Seat, kind: Name<PieceKindIdx>, zones: Zones, named: PlacementOptions| {
            let kinds = cx.catalogue().kinds_counting_as(kind.0).0;
            placements(cx, player, kinds, &zones.0, named)
        },
    );
    api.get(
        "kind",
        "The kind of the piece.",
        "options.filter(|it| it.kind == \"runner\")",
        |cx: &mut Cx, it: Deployment| Ok(cx.core.names.pieces[it.kind.idx()].clone()),
    );
    api.get(
        "zone",
        "The zone on which the piece may be deployed.",
        "options.filter(|it| it.zone.kind != \"way\")",
        |_cx: &mut Cx, it: Deployment| Ok(it.zone),
    );
    api.method(
        "is_a",
        doc("deployment, piece", "True if the piece is, or counts as, a kind of piece.", "it.is_a(\"runner\")"),
        |cx: &mut Cx, it: Deployment, kind: OptionalName<PieceKindIdx>| {
            Ok(kind.0.is_some_and(|kind| cx.catalogue().kinds_counting_as(kind).0 >> it.kind.0 & 1 == 1))
        },
    );
}

/// The cost of checking whether a kind of piece may stand on a zone, in units of weight.
const CANDIDATE_COST: usize = 16;

fn placements(
    cx: &Cx,
    player: Seat,
    kinds: u32,
    zones: &[ZoneRef],
    named: PlacementOptions,
) -> Result<Vec<ScriptOption>, Refusal> {
    let any_land = named.any_land.unwrap_or(false);
    let (state, catalogue) = (cx.state(), cx.catalogue());
    let nothing: Arc<str> = "".into();
    let mut options = Vec::new();
    for i in 0..catalogue.pieces.len() {
        let kind = PieceKindIdx(i as u8);
        if kinds >> i & 1 == 0 || state.supply(Some(player), kind) == 0 {
            continue;
        }
        cx.spend(CANDIDATE_COST * zones.len())?;
        let lands = cx.catalogue().piece(kind).stands_on;
        let mut seen = BTreeSet::new();
        let on_land = zones.iter().filter(|zone| any_land || lands.contains(state.board.kind(**zone)));
        for zone in on_land.filter(|zone| seen.insert(**zone)) {
            let about = Value::list([Value::Text(cx.core.names.pieces[i].clone()), Value::Zone(*zone)]);
            options.push(option_value(nothing.clone(), about, Value::Unit));
        }
    }
    Ok(options)
}

/// Returns the name of the piece kind that the option with the subject `about` is about. This is
/// the first text in `about` or the kind of the first piece in it, whichever comes first. Returns
/// `None` if `about` contains neither.
pub(super) fn kind_in(cx: &Cx, about: &Value) -> Option<Arc<str>> {
    let parts = about.as_list().unwrap_or(std::slice::from_ref(about));
    parts.iter().find_map(|part| match part {
        Value::Text(text) => Some(text.clone()),
        Value::Piece(piece) => cx.state().piece(*piece).map(|it| cx.core.names.pieces[it.kind.idx()].clone()),
        _ => None,
    })
}
