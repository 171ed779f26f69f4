//! Questions: the only way to learn anything from outside. Each answer is in the log, and the function runs again with it.

use std::sync::Arc;

use rules::{Holds, Meanings, ModOption, OptionPrefix, Refusal, Seat, Value};

use super::{Api, says};
use crate::convert::option_value;
use crate::core::Cx;
use crate::named_options::{AskOptions, MapOf};
use crate::params::{Any, Deck, Options};

pub(super) fn add(api: &mut Api) {
    api.topic("Questions");
    api.question(
        "ask",
        says(
            "player, prompt, options, named",
            "Asks a player to choose one of a list: words, handles, lists of handles, or options. Without `pass` a script that has nothing to ask does not call this.",
            "let zone = ask(turn.player, \"Where to?\", zones, #{ word: \"land\", pass: true });",
        ),
        |cx: &mut Cx, player: Seat, prompt: Arc<str>, options: Options, named: AskOptions| {
            let words = named.word.unwrap_or_default();
            let several = matches!(words, OptionPrefix::Several(_));
            let meanings = named.about.map_or(Ok(Meanings::new()), |about| meanings_of(&about))?;
            let chosen = cx.call.ask(player, &prompt, words, options.0, named.pass.unwrap_or(false), meanings)?;
            Ok(chosen.map_or(Value::Unit, |chosen| answer(chosen, several)))
        },
    );
    api.question(
        "roll",
        says(
            "faces, prompt",
            "Rolls a die with so many faces from 1 on, or with the faces of a list; each face is equally likely.",
            "let steps = roll([1, 1, 2, 2, 3, 3], \"How far?\");",
        ),
        |cx: &mut Cx, faces: Any, prompt: Arc<str>| {
            let faces = faces_of(&faces.0)?;
            cx.call.roll(&faces, &prompt).map(i64::from)
        },
    );
    api.question(
        "draw",
        says(
            "deck, prompt",
            "Draws a tile or card from a deck; `()` where it is empty.",
            "let card = draw(\"letters\");",
        ),
        |cx: &mut Cx, deck: Deck, prompt: Option<Arc<str>>| {
            let usual = match cx.catalogue().decks[deck.0.idx()].holds {
                Holds::Tiles => "Which tile is drawn?",
                Holds::Cards => "Which card is drawn?",
            };
            let item = cx.call.draw(deck.0, prompt.as_deref().unwrap_or(usual))?;
            Ok(item.map(|item| super::decks::item_value(cx, deck.0, item)))
        },
    );
}

fn meanings_of(about: &MapOf) -> Result<Meanings, Refusal> {
    let text = |(word, meaning): (&Arc<str>, &Value)| match meaning {
        Value::Text(text) => Ok((word.clone(), text.clone())),
        other => Err(format!("what `{word}` means is said by a text, this is {}", other.type_name()).into()),
    };
    about.0.iter().map(text).collect()
}

/// What the script gets: what was chosen, with its word where there were several.
fn answer(chosen: ModOption, several: bool) -> Value {
    match chosen.word {
        Some(word) if several => Value::Option(option_value(word, chosen.value, Value::Unit).0),
        _ => chosen.value,
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
