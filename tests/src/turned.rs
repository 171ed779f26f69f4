//! Replays a game on a board turned by a quarter clockwise.

use std::rc::Rc;

use board::{Border, Corner, Edge, Facing, Placement, Spot};
use record::start_game;
use rules::{Answer, Decision, Game, OptionValue, State, Value};

/// Plays `game` again, with the start tiles and every answer turned clockwise by a quarter.
///
/// # Errors
/// Returns an error at the first answer that the turned game does not offer.
pub fn turned_game(game: &Game) -> Result<Game, String> {
    let mut straight = start_game(Rc::clone(game.rules()), game.setup().clone()).map_err(|e| e.to_string())?;
    let mut setup = game.setup().clone();
    setup.position = start_lines(&straight);
    let mut turned = start_game(Rc::clone(game.rules()), setup).map_err(|e| e.to_string())?;
    for (i, choice) in game.log().iter().enumerate() {
        let other =
            turned_answer(straight.state(), turned.state(), *choice).map_err(|e| format!("answer {}: {e}", i + 1))?;
        turned.answer(other).map_err(|e| format!("turned: {e}"))?;
        straight.answer(*choice).map_err(|e| e.to_string())?;
    }
    Ok(turned)
}

/// Returns the turned start tiles as lines of a record.
fn start_lines(game: &Game) -> Vec<String> {
    let tile_set = &game.rules().catalogue().tile_set;
    let line = |placed: &board::PlacedTile| {
        format!(
            "tile {} {} {}",
            tile_set.tile(placed.tile).name,
            turned_spot(placed.spot),
            turned_facing(placed.facing)
        )
    };
    game.state().board.laid_tiles().map(|(_, placed)| line(placed)).collect()
}

/// Returns the answer on the turned board that corresponds to `choice`. Zones, tiles and pieces
/// have the same numbers on both boards, because they are numbered in the order of laying.
///
/// # Errors
/// Returns an error if the turned board does not offer this answer.
fn turned_answer(straight: &State, turned: &State, choice: Answer) -> Result<Answer, String> {
    match choice {
        Answer::Place(it) => Ok(Answer::Place(turned_place(it))),
        Answer::ModOption(i) => {
            let asked = |state: &State| state.decision().cloned().ok_or("no decision is open");
            let (before, after): (Decision, Decision) = (asked(straight)?, asked(turned)?);
            let wanted = before.mod_options.get(i as usize).ok_or("no such option")?;
            let key =
                |state: &State, it: &rules::ModOption, value: &Value| (it.word.clone(), comparable_value(state, value));
            let key_before = key(straight, &wanted, &turned_value(&wanted.value));
            let found = after.mod_options.iter().position(|it| key(turned, &it, &it.value) == key_before);
            found.map(|i| Answer::ModOption(i as u16)).ok_or_else(|| format!("{wanted:?} is not offered when turned"))
        }
        other => Ok(other),
    }
}

/// Returns a value in a form that is the same on both boards. Replaces a feature with the list of
/// its zones. Sorts lists, because scripts often list objects from the north-west.
fn comparable_value(state: &State, value: &Value) -> Value {
    match value {
        Value::Feature(it) => Value::list(state.board.sorted_zones(*it).into_iter().map(Value::Zone)),
        Value::List(values) => {
            let mut values: Vec<Value> = values.iter().map(|value| comparable_value(state, value)).collect();
            values.sort();
            Value::list(values)
        }
        Value::Option(it) => Value::Option(
            OptionValue { word: it.word.clone(), about: comparable_value(state, &it.about), data: Value::Unit }.into(),
        ),
        other => other.clone(),
    }
}

fn turned_spot(it: Spot) -> Spot {
    Spot::new(-it.y, it.x)
}

fn turned_facing(it: Facing) -> Facing {
    Facing::from_quarters(it.quarters() + 1)
}

fn turned_place(it: Placement) -> Placement {
    Placement { spot: turned_spot(it.spot), facing: turned_facing(it.facing) }
}

/// Returns the value on the turned board that corresponds to `it`.
fn turned_value(it: &Value) -> Value {
    match it {
        Value::Spot(it) => Value::Spot(turned_spot(*it)),
        // Turns the point itself, not the spot that names the point: a spot's north-west corner
        // becomes its north-east corner.
        Value::Corner(it) => Value::Corner(Corner { x: 1 - it.y, y: it.x }),
        Value::Border(it) => {
            let edge = Edge::from_index(it.edge() as usize + 1);
            Value::Border(Border::from_edge(turned_spot(Spot::new(it.x, it.y)), edge).unwrap())
        }
        Value::Text(it) if **it == *"e-w" => Value::text("n-s"),
        Value::Text(it) if **it == *"n-s" => Value::text("e-w"),
        Value::Placement(tile, it) => Value::Placement(*tile, turned_place(*it)),
        Value::List(values) => Value::list(values.iter().map(turned_value)),
        Value::Option(it) => Value::Option(
            OptionValue { word: it.word.clone(), about: turned_value(&it.about), data: turned_value(&it.data) }.into(),
        ),
        other => other.clone(),
    }
}
