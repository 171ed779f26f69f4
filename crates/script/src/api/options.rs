//! Options that scripts offer, and the chosen option that they receive.

use std::sync::Arc;

use rules::Value;

use super::builder::{Api, doc};
use crate::convert::option_value;
use crate::core::Cx;
use crate::params::AnyValue;
use crate::types::ScriptOption;
use crate::weight;

/// The cost of each unit of weight of a value that a script puts into an option.
const HELD_VALUE_COST: usize = 4;

pub(super) fn add(api: &mut Api) {
    api.topic("Options");
    api.query(
        "option",
        doc(
            "word, about, data",
            "Makes an option from a word and, if given, the handle or list of handles that the option is about. The option's text is the word, then the texts of the handles. Of several options with equal texts, only the first is offered. Only the script sees the data, as `choice.data`.",
            "option(\"move\", ends, #{ tile: tile })",
        ),
        |cx: &mut Cx, word: Arc<str>, about: Option<AnyValue>, data: Option<AnyValue>| {
            let value = |value: Option<AnyValue>| value.map_or(Value::Unit, |value| value.0);
            let (about, data) = (value(about), value(data));
            // Charges the budget for everything in the option, because the engine copies the option
            // whenever the script receives it again.
            cx.spend(HELD_VALUE_COST * (weight::of_value(&about) + weight::of_value(&data)) as usize)?;
            if holds_option(&about) || holds_option(&data) {
                return Err("an option cannot contain another option; pass the other option's `about`, such as `choice.about`".into());
            }
            Ok(option_value(word, about, data))
        },
    );
    api.get("word", "The word of the option.", "if choice.word == \"keep\" { }", |_cx: &mut Cx, it: ScriptOption| {
        Ok(it.0.word.clone())
    });
    api.get(
        "about",
        "The handle or list of handles that the option is about.",
        "choice.about",
        |_cx: &mut Cx, it: ScriptOption| Ok(it.0.about.clone()),
    );
    api.get(
        "data",
        "The data of the option.",
        "relink(choice.data.tile, [choice.about])",
        |_cx: &mut Cx, it: ScriptOption| Ok(it.0.data.clone()),
    );
    api.get(
        "kind",
        "The kind of piece that the option is about.",
        "place_piece(choice.kind, turn.player, choice.zone)",
        |cx: &mut Cx, it: ScriptOption| Ok(super::pieces::kind_in(cx, &it.0.about)),
    );
    macro_rules! first {
        ($($name:literal $variant:ident $about:literal $example:literal;)*) => {
            $(api.get($name, $about, $example, |_cx: &mut Cx, it: ScriptOption| {
                let about = &it.0.about;
                let mut parts = about.as_list().unwrap_or(std::slice::from_ref(about)).iter();
                Ok(parts.find(|part| matches!(part, Value::$variant(..))).cloned())
            });)*
        };
    }
    first! {
        "player" Player "The first player that the option is about." "choice.player";
        "piece" Piece "The first piece that the option is about." "return_piece(choice.piece, \"called\");";
        "zone" Zone "The first zone that the option is about." "choice.zone";
        "feature" Feature "The first feature that the option is about." "choice.feature";
        "tile" Tile "The first tile that the option is about." "choice.tile";
        "tile_type" TileType "The first tile type that the option is about." "play_tile(choice.tile_type);";
        "spot" Spot "The first spot that the option is about." "choice.spot";
        "space" Space "The first space of the score track that the option is about." "choice.space";
        "card" Card "The first card that the option is about." "choice.card";
    }
}

/// Returns whether a value is an option or contains an option. An option must not contain another
/// option, because its text could then become arbitrarily long.
fn holds_option(value: &Value) -> bool {
    match value {
        Value::Option(_) => true,
        Value::List(list) => list.iter().any(holds_option),
        Value::Map(map) => map.values().any(holds_option),
        _ => false,
    }
}
