//! Questions: the only way to learn anything from outside. Each answer is in the log, and the function runs again with it.

use std::sync::Arc;

use rules::{ModOption, Refusal, Seat, Value, Values, Words};

use super::{Api, says};
use crate::convert::option_value;
use crate::core::Cx;
use crate::params::{Any, Deck, Options};

pub(super) fn add(api: &mut Api) {
    api.topic("Questions");
    api.question(
        "ask",
        says(
            "player, prompt, options",
            "Asks a player to choose one of a list: words, handles, lists of handles, or options. A script that has nothing to ask does not call this.",
            "let zone = ask(turn.player, \"Where to?\", zones);",
        ),
        |cx: &mut Cx, player: Seat, prompt: Arc<str>, options: Options| {
            ask(cx, player, &prompt, Words::None, options.0)
        },
    );
    api.question(
        "ask",
        says(
            "player, prompt, word, options",
            "The same; the text of each option begins with a word, by which records and tests know it. With a list of words each of them goes with each of the options, and the answer is an option with `word` and what it is about.",
            "let zone = ask(turn.player, \"Where to?\", \"land\", zones);",
        ),
        |cx: &mut Cx, player: Seat, prompt: Arc<str>, word: Words, options: Options| {
            ask(cx, player, &prompt, word, options.0)
        },
    );
    api.question(
        "ask_or_pass",
        says(
            "player, prompt, options",
            "Asks a player to choose one of a list or to pass, which gives `()`. Where the list is empty nobody is asked.",
            "let tile = ask_or_pass(player, \"Which?\", tiles); if tile == () { return; }",
        ),
        |cx: &mut Cx, player: Seat, prompt: Arc<str>, options: Options| {
            ask_or_pass(cx, player, &prompt, Words::None, options.0)
        },
    );
    api.question(
        "ask_or_pass",
        says(
            "player, prompt, word, options",
            "The same; the text of each option begins with a word, or one of a list of words.",
            "ask_or_pass(player, \"Move one?\", \"move\", options)",
        ),
        |cx: &mut Cx, player: Seat, prompt: Arc<str>, word: Words, options: Options| {
            ask_or_pass(cx, player, &prompt, word, options.0)
        },
    );
    api.question(
        "roll",
        says(
            "faces, why",
            "Rolls a die with so many faces from 1 on, or with the faces of a list; each face is equally likely.",
            "let steps = roll([1, 1, 2, 2, 3, 3], \"How far?\");",
        ),
        |cx: &mut Cx, faces: Any, why: Arc<str>| {
            let faces = faces_of(&faces.0)?;
            cx.call.roll(&faces, &why).map(i64::from)
        },
    );
    api.question(
        "draw",
        says("deck", "Draws a tile or card from a deck; `()` where it is empty.", "let card = draw(\"letters\");"),
        |cx: &mut Cx, deck: Deck| {
            let item = cx.call.draw(deck.0)?;
            Ok(item.map(|item| super::decks::item_value(cx, deck.0, item)))
        },
    );
}

fn ask(cx: &mut Cx, player: Seat, prompt: &str, words: Words, options: Values) -> Result<Value, Refusal> {
    let several = matches!(words, Words::Several(_));
    let offer = cx.call.ask(player, prompt, words, options, false)?;
    Ok(offer.map_or(Value::Unit, |offer| answer(offer, several)))
}

fn ask_or_pass(cx: &mut Cx, player: Seat, prompt: &str, words: Words, options: Values) -> Result<Value, Refusal> {
    let several = matches!(words, Words::Several(_));
    let offer = cx.call.ask(player, prompt, words, options, true)?;
    Ok(offer.map_or(Value::Unit, |offer| answer(offer, several)))
}

/// What the script gets: what was chosen, with its word where there were several.
fn answer(offer: ModOption, several: bool) -> Value {
    match offer.word {
        Some(chosen) if several => Value::Option(option_value(chosen, offer.value, Value::Unit).0),
        _ => offer.value,
    }
}

fn faces_of(faces: &Value) -> Result<Vec<i32>, Refusal> {
    let number = |n: i64| i32::try_from(n).map_err(|_| Refusal::from("this number is too large for a die"));
    match faces {
        Value::Int(n @ 1..=1000) => Ok((1..=*n as i32).collect()),
        Value::Int(n) => Err(format!("there is no die with {n} faces").into()),
        Value::List(faces) => {
            let face = |face: &Value| match face {
                Value::Int(n) => number(*n),
                other => Err(format!("a face is a number, this is {}", other.type_name()).into()),
            };
            faces.iter().map(face).collect()
        }
        other => {
            Err(format!("a number of faces or a list of them is wanted here, this is {}", other.type_name()).into())
        }
    }
}
