//! Questions, the only functions with which a script gets input from outside the game. The log
//! stores each answer, and the function that asked then runs again from its beginning.

use std::sync::Arc;

use diagnostic::visible;
use rules::{ItemType, Meanings, ModOption, OptionPrefix, OptionValues, QuestionForm, Refusal, Seat, SeatSet, Value};

use super::builder::{Api, doc};
use crate::convert::option_value;
use crate::core::Cx;
use crate::named_options::{AskOptions, RoundOptions, SeenBy};
use crate::params::{AnyValue, DeckArgument, MapOf, OptionsArgument, SeatList, VisibleText};
use crate::replies::ReplyList;

pub(super) fn add(api: &mut Api) {
    api.topic("Questions");
    api.question(
        "ask",
        doc(
            "player, prompt, options, named",
            "Asks a player to choose one item of a list: words, handles, lists of handles, or options. The list must not be empty unless `pass` is set. Options with equal texts become one: the first of them.",
            "let zone = ask(turn.player, \"Where to?\", zones, #{ word: \"land\", pass: true });",
        ),
        |cx: &mut Cx, player: Seat, prompt: VisibleText, options: OptionsArgument, named: AskOptions| {
            let seen_by = if named.secret.unwrap_or(false) { player.into() } else { SeatSet::ALL };
            let asking = question_form(prompt, named.word, named.about, named.pass)?;
            let chosen = cx.call.ask(player, options.0, &asking, seen_by)?;
            Ok(answer(chosen, &asking))
        },
    );
    api.question(
        "ask_each",
        doc(
            "players, prompt, options, named",
            "Asks several players in turn. Their answers are hidden until all have answered. Returns the answers in the order of the players. The options are one list for all players, or a map with a list for each player's name. A record stores each answer as soon as it is given.",
            "let bids = ask_each(players(), \"Your bid?\", [0, 1, 2, 3], #{ word: \"bid\" });",
        ),
        |cx: &mut Cx, players: SeatList, prompt: VisibleText, options: AnyValue, named: RoundOptions| {
            let options_of = |seat: &Seat| Ok((*seat, options_of(cx, *seat, &options.0)?));
            let round = players.0.iter().map(options_of).collect::<Result<_, Refusal>>()?;
            let asking = question_form(prompt, named.word, named.about, named.pass)?;
            let chosen = cx.call.ask_each(round, &asking)?;
            Ok(chosen.into_iter().map(|chosen| answer(chosen, &asking)).collect::<ReplyList<_>>())
        },
    );
    api.question(
        "roll",
        doc(
            "faces, prompt",
            "Rolls a die. If `faces` is a number, the faces are 1 to that number; if it is a list, its items are the faces. Each face is equally likely.",
            "let steps = roll([1, 1, 2, 2, 3, 3], \"How far?\");",
        ),
        |cx: &mut Cx, faces: AnyValue, prompt: VisibleText| {
            let faces = faces_of(&faces.0)?;
            cx.call.roll(&faces, &prompt.0).map(i64::from)
        },
    );
    api.question(
        "draw",
        doc(
            "deck, prompt, named",
            "Draws a tile or card from a deck; returns `()` if the deck is empty. With `seen_by`, the item is hidden from all other players, also in the counts of remaining items.",
            "let card = draw(\"letters\");",
        ),
        |cx: &mut Cx, deck: DeckArgument, prompt: Option<VisibleText>, named: SeenBy| {
            let usual = match cx.catalogue().decks[deck.0.idx()].holds {
                ItemType::Tiles => "Which tile is drawn?",
                ItemType::Cards => "Which card is drawn?",
            };
            let prompt = prompt.as_ref().map_or(usual, |prompt| &prompt.0);
            let item = cx.call.draw(deck.0, prompt, named.seats())?;
            Ok(item.map(|item| super::decks::item_value(cx, deck.0, item)))
        },
    );
}

/// Returns the parts of a question that are the same for all players whom the script asks.
fn question_form(
    prompt: VisibleText,
    word: Option<OptionPrefix>,
    about: Option<MapOf>,
    pass: Option<bool>,
) -> Result<QuestionForm, Refusal> {
    let meanings = about.map_or(Ok(Meanings::new()), |about| meanings_of(&about))?;
    Ok(QuestionForm { prompt: prompt.0, words: word.unwrap_or_default(), may_pass: pass.unwrap_or(false), meanings })
}

fn meanings_of(about: &MapOf) -> Result<Meanings, Refusal> {
    let text = |(word, meaning): (&Arc<str>, &Value)| match meaning {
        Value::Text(text) => Ok((word.clone(), Arc::from(&*visible(text)))),
        other => Err(format!("the meaning of `{word}` must be a text, not {}", other.type_name()).into()),
    };
    about.0.iter().map(text).collect()
}

/// Returns the options for one player in a round of questions. `options` is one list for all
/// players, or a map that contains a list for each player's name.
fn options_of(cx: &Cx, seat: Seat, options: &Value) -> Result<OptionValues, Refusal> {
    match options {
        Value::List(list) => Ok(OptionValues::List(list.clone())),
        Value::Map(map) => {
            let name = cx.state().label(seat);
            match map.get(name) {
                Some(Value::List(list)) => Ok(OptionValues::List(list.clone())),
                Some(other) => Err(format!("the options of {name} are {}, not a list", other.type_name()).into()),
                None => Err(format!("there are no options for {name}").into()),
            }
        }
        other => {
            let what = other.type_name();
            Err(format!("a list of options, or a map of lists by the names of players, is expected here, not {what}")
                .into())
        }
    }
}

/// Returns the answer that the script receives: the value of the chosen option, or `()` if the
/// player passed. If the question has several words, returns an option that contains the chosen
/// word and the value.
fn answer(chosen: Option<ModOption>, asking: &QuestionForm) -> Value {
    match (chosen, &asking.words) {
        (None, _) => Value::Unit,
        (Some(ModOption { word: Some(word), value, .. }), OptionPrefix::Several(_)) => {
            Value::Option(option_value(word, value, Value::Unit).0)
        }
        (Some(chosen), _) => chosen.value,
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
                other => Err(format!("a face must be a number, not {}", other.type_name()).into()),
            };
            faces.iter().map(face).collect()
        }
        other => Err(format!("a number of faces or a list of them is expected here, not {}", other.type_name()).into()),
    }
}
