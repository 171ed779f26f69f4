//! The engine alone: catalogues made here, with closures for the functions of mods.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod calls;
mod chance;
mod connections;
mod log;
mod positions;
mod scoring;
mod turns;

use std::sync::Arc;

use rules::{Call, Game, OptionValue, Refusal, Seat, Status, TokenIdx, Value, who_text};

/// Who is asked for what, such as `red place`, or `over`.
fn asked(game: &Game) -> String {
    match game.status() {
        Status::Decision(decision) => format!("{} {}", who_text(game.state(), decision.who), decision.question.name()),
        Status::Over => "over".to_owned(),
        Status::Fault(fault) => panic!("{fault}"),
    }
}

/// What mods have noted.
fn notes(game: &Game) -> Vec<String> {
    game.state().notes().iter().map(|(_, note)| note.to_string()).collect()
}

/// A function that notes `text` whenever it is called.
fn noting(text: &'static str) -> impl Fn(&[Value], &mut Call<'_>) -> Result<Value, Refusal> {
    move |_, call| {
        call.change()?.note(text);
        Ok(Value::Unit)
    }
}

/// Gives the turn's player tokens of the first sort.
fn give(call: &mut Call<'_>, n: u32) -> Result<(), Refusal> {
    let (state, ruleset) = call.change_by_rules()?;
    state.give(ruleset, state.player(), TokenIdx(0), n);
    Ok(())
}

/// How many tokens of the first sort a player has.
fn tokens(game: &Game, seat: u8) -> u32 {
    game.state().tokens(Some(Seat(seat)), TokenIdx(0))
}

/// An option that is only a word.
fn option(word: &str) -> Value {
    Value::Option(Arc::new(OptionValue { word: Arc::from(word), about: Value::Unit, data: Value::Unit }))
}
