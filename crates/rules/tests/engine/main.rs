//! Tests of the engine alone: the catalogues are made here, and closures replace the functions of
//! mods.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod calls;
mod chance;
mod connections;
mod log;
mod positions;
mod scoring;
mod turns;

use std::sync::Arc;

use rules::{Call, Game, OptionValue, Refusal, Seat, Status, TokenIdx, Value, actor_text};

/// Returns the open decision, such as `red place`, or `over`.
fn asked(game: &Game) -> String {
    match game.status() {
        Status::Decision(decision) => {
            format!("{} {}", actor_text(game.state(), decision.who), decision.question.name())
        }
        Status::Over => "over".to_owned(),
        Status::Fault(fault) => panic!("{fault}"),
    }
}

/// Returns the notes of mods.
fn notes(game: &Game) -> Vec<String> {
    game.state().notes().iter().map(|(_, note)| note.to_string()).collect()
}

/// Returns a function that notes `text` when it is called.
fn noting(text: &'static str) -> impl Fn(&[Value], &mut Call<'_>) -> Result<Value, Refusal> {
    move |_, call| {
        call.state_mut()?.note(text);
        Ok(Value::Unit)
    }
}

/// Gives the turn's player tokens of the first kind.
fn give(call: &mut Call<'_>, n: u32) -> Result<(), Refusal> {
    let (state, ruleset) = call.state_mut_and_ruleset()?;
    state.give_tokens(ruleset, state.player(), TokenIdx(0), n);
    Ok(())
}

/// Returns the number of a player's tokens of the first kind.
fn tokens(game: &Game, seat: u8) -> u32 {
    game.state().tokens(Some(Seat(seat)), TokenIdx(0))
}

/// Makes an option of a single word.
fn option(word: &str) -> Value {
    Value::Option(Arc::new(OptionValue { word: Arc::from(word), about: Value::Unit, data: Value::Unit }))
}
