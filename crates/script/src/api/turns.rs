//! The turn: its player, its part, and the features completed in it.

use std::sync::Arc;

use rules::Value;

use super::builder::{Api, doc};
use crate::core::Cx;
use crate::params::{AnyValue, MapOf, ModId, SettingName, VisibleText};
use crate::replies::ReplyList;
use crate::types::TurnView;

pub(super) fn add(api: &mut Api) {
    api.topic("The turn");
    api.get("player", "The player whose turn it is.", "turn.player", |cx: &mut Cx, _turn: TurnView| {
        Ok(cx.state().player())
    });
    api.get(
        "number",
        "The number of turns that have begun, including the current turn.",
        "turn.number",
        |cx: &mut Cx, _turn: TurnView| Ok(cx.state().turn().map_or(0, |turn| turn.number)),
    );
    api.get(
        "next",
        "The player of the next turn. `next_turn`, the order of play and missed turns determine this player.",
        "turn.next == player",
        |cx: &mut Cx, _turn: TurnView| Ok(cx.state().next_player()),
    );
    api.get(
        "tile",
        "The tile laid in this part; `()` until the tile is laid.",
        "if turn.tile != () && turn.tile.has(\"gold\") { }",
        |cx: &mut Cx, _turn: TurnView| Ok(cx.state().part().and_then(|part| part.tile)),
    );
    api.get(
        "tile_type",
        "The type of tile drawn or played in this part, if any.",
        "turn.tile_type.id",
        |cx: &mut Cx, _turn: TurnView| Ok(cx.state().part().and_then(|part| part.tile_type)),
    );
    api.get(
        "reason",
        "The reason for this part: `turn`, or the reason that the mod gave when it added the part.",
        "if turn.reason == \"helper\" { }",
        |cx: &mut Cx, _turn: TurnView| Ok(cx.state().part().map_or_else(|| Arc::from(""), |part| part.reason.clone())),
    );
    api.get(
        "n_parts",
        "The number of parts of this turn, including parts still to come.",
        "turn.n_parts",
        |cx: &mut Cx, _turn: TurnView| Ok(cx.state().turn().map_or(0, |turn| 1 + turn.part_reasons.len())),
    );
    api.get("deck", "The deck from which this part draws.", "turn.deck == \"land\"", |cx: &mut Cx, _turn: TurnView| {
        let deck = cx.state().part().map(|part| part.deck);
        Ok(deck.map(|deck| super::players::deck_name(cx, deck)))
    });
    api.get("is_final", "True if the final count has begun.", "turn.is_final", |cx: &mut Cx, _turn: TurnView| {
        Ok(cx.state().is_final())
    });
    api.query(
        "is_active",
        doc("id", "True if a mod is in the game.", "if is_active(\"base\") { }"),
        |cx: &mut Cx, id: ModId| Ok(cx.catalogue().mod_named(&id.0).is_some()),
    );
    api.query(
        "setting_of",
        doc(
            "id, name",
            "The value of a setting of another mod; `()` if the mod or the setting is not in the game.",
            "setting_of(\"base\", \"limit\")",
        ),
        |cx: &mut Cx, id: ModId, name: SettingName| {
            let own = cx.catalogue().mod_named(&id.0).map(|it| &cx.core.settings[it.idx()]);
            let value = own.and_then(|settings| settings.iter().find(|(n, _)| *n == *name.0));
            Ok(value.map_or(Value::Unit, |(_, value)| value.clone()))
        },
    );
    api.query(
        "parts_for",
        doc(
            "reason",
            "The number of parts that were added to this turn for this reason, including parts still to come.",
            "if parts_for(\"helper\") == 0 { extra_part(\"helper\"); }",
        ),
        |cx: &mut Cx, reason: VisibleText| {
            Ok(cx.state().turn().map_or(0, |turn| turn.part_reasons.iter().filter(|w| ***w == *reason.0).count()))
        },
    );
    api.query(
        "completed",
        doc(
            "",
            "The features completed in this part: a list of maps with `feature` and `winners`, the players with the majority on the feature.",
            "for it in completed() { for player in it.winners { } }",
        ),
        |cx: &mut Cx| {
            let completed = cx.state().part().map_or(&[][..], |part| &part.completed);
            let map = |c: &rules::CompletedFeature| {
                let winners = Value::list(c.winners.iter().map(|seat| Value::Player(*seat)));
                Value::map([("feature", Value::Feature(c.feature)), ("winners", winners)])
            };
            Ok(completed.iter().map(map).collect::<ReplyList<_>>())
        },
    );
    api.topic("Memory");
    api.method(
        "get",
        doc(
            "map, key, otherwise",
            "The value of a key in a map or a scope of `mem`; the last argument if the key is missing.",
            "mem.turn.seen = mem.turn.get(\"seen\", 0) + 1;",
        ),
        |_cx: &mut Cx, map: MapOf, key: Arc<str>, otherwise: AnyValue| {
            Ok(map.0.get(&key).filter(|value| **value != Value::Unit).cloned().unwrap_or(otherwise.0))
        },
    );
}
