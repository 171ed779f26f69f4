//! Parses the line that a person types at a decision.

use rules::{TextError, parse_facing, parse_spot};
use table::{Answer, Facing, Placement, Spot};
use thiserror::Error;

/// A command that the person typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayCommand {
    Choose(Answer),
    Undo,
    Redo,
    Board,
    Scores,
    Look,
    Help,
    Quit,
    Nothing,
}

/// A reason why a typed line is not a command.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum InputError {
    #[error("You cannot pass here.")]
    CannotPass,
    #[error("There is no option {n}; {}.", match last {
        0 => "there are no options now".to_owned(),
        last => format!("options go from 1 to {last}"),
    })]
    NoSuchOption { n: usize, last: usize },
    #[error("`{0}` is not offered here. Type the number of an option, or ? for help.")]
    NotOffered(String),
    #[error("`{text}` may be {}; type more words or a number.", options.join(", or "))]
    Ambiguous { text: String, options: Vec<String> },
    #[error("Type the spot and the facing of the tile: `0,-1 90`.")]
    Usage,
    #[error("No tile is placed now.")]
    NoTile,
    #[error("The tile does not fit at {0}.")]
    DoesNotFit(Spot),
    #[error("At {spot} the tile fits with facing {}; type one of them.", facings.join(", "))]
    NeedsFacing { spot: Spot, facings: Vec<String> },
    #[error("With facing {facing} the tile does not fit at {spot}, but with {}.", facings.join(", "))]
    OtherFacing { facing: Facing, spot: Spot, facings: Vec<String> },
    #[error(transparent)]
    Text(#[from] TextError),
}

/// Parses a line that a person typed at a decision with the given `options`. A typed number names
/// an option by its place in `options`, counted from 1.
///
/// # Errors
/// Returns an error if the line is not a command and does not name one option.
pub fn parse_command(line: &str, options: &[(Answer, String)]) -> Result<PlayCommand, InputError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let text = words.join(" ");
    if let Some((choice, _)) = options.iter().find(|(_, option)| *option == text) {
        return Ok(PlayCommand::Choose(*choice));
    }
    match text.as_str() {
        "" => return Ok(PlayCommand::Nothing),
        "u" | "undo" => return Ok(PlayCommand::Undo),
        "r" | "redo" => return Ok(PlayCommand::Redo),
        "b" | "board" => return Ok(PlayCommand::Board),
        "s" | "scores" => return Ok(PlayCommand::Scores),
        "l" | "look" => return Ok(PlayCommand::Look),
        "?" | "h" | "help" => return Ok(PlayCommand::Help),
        "q" | "quit" | "exit" => return Ok(PlayCommand::Quit),
        "p" => {
            let pass = options.iter().find(|(choice, _)| *choice == Answer::Pass);
            return pass.map(|(choice, _)| PlayCommand::Choose(*choice)).ok_or(InputError::CannotPass);
        }
        _ => {}
    }
    if let Ok(n) = text.parse::<usize>() {
        let option = n.checked_sub(1).and_then(|i| options.get(i));
        let choice = option.map(|(choice, _)| PlayCommand::Choose(*choice));
        return choice.ok_or(InputError::NoSuchOption { n, last: options.len() });
    }
    if words.first().is_some_and(|first| first.contains(',') || *first == "place") {
        return parse_placement(words.strip_prefix(&["place"]).unwrap_or(&words), options);
    }
    let fitting: Vec<&(Answer, String)> =
        options.iter().filter(|(_, option)| words.iter().all(|w| option.contains(w))).collect();
    match fitting.as_slice() {
        [(choice, _)] => Ok(PlayCommand::Choose(*choice)),
        [] => Err(InputError::NotOffered(text)),
        several => {
            let options = several.iter().map(|(_, option)| option.clone()).take(6).collect();
            Err(InputError::Ambiguous { text, options })
        }
    }
}

/// Parses a placement: `x,y facing`, or `x,y` alone if the tile fits there with only one facing.
fn parse_placement(words: &[&str], options: &[(Answer, String)]) -> Result<PlayCommand, InputError> {
    let places = || {
        options.iter().filter_map(|(choice, _)| match choice {
            Answer::Place(place) => Some(*place),
            _ => None,
        })
    };
    let (spot, facing): (_, Option<Facing>) = match words {
        [spot] => (parse_spot(spot)?, None),
        [spot, facing] => (parse_spot(spot)?, Some(parse_facing(facing)?)),
        _ => return Err(InputError::Usage),
    };
    let here: Vec<Placement> = places().filter(|p| p.spot == spot).collect();
    let facings = || here.iter().map(|p| p.facing.to_string()).collect();
    match (here.as_slice(), facing) {
        ([], _) if places().next().is_none() => Err(InputError::NoTile),
        ([], _) => Err(InputError::DoesNotFit(spot)),
        ([only], None) => Ok(PlayCommand::Choose(Answer::Place(*only))),
        (_, None) => Err(InputError::NeedsFacing { spot, facings: facings() }),
        (_, Some(facing)) => match here.iter().find(|p| p.facing == facing) {
            Some(place) => Ok(PlayCommand::Choose(Answer::Place(*place))),
            None => Err(InputError::OtherFacing { facing, spot, facings: facings() }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: i16, y: i16, quarters: u8) -> Answer {
        Answer::Place(Placement { spot: Spot::new(x, y), facing: Facing::from_quarters(quarters) })
    }

    fn options() -> Vec<(Answer, String)> {
        let texts = ["place 0,1 0", "place 0,1 90", "place 2,0 270", "take it", "take all", "pass"];
        let choices = [at(0, 1, 0), at(0, 1, 1), at(2, 0, 3), Answer::ModOption(0), Answer::ModOption(1), Answer::Pass];
        choices.into_iter().zip(texts.map(str::to_owned)).collect()
    }

    fn chosen(line: &str) -> Answer {
        match parse_command(line, &options()) {
            Ok(PlayCommand::Choose(choice)) => choice,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn options_have_several_names() {
        assert_eq!(chosen("2\n"), at(0, 1, 1));
        assert_eq!(chosen(" place  0,1 90"), at(0, 1, 1));
        assert_eq!(chosen("0,1 90"), at(0, 1, 1));
        assert_eq!(chosen("2,0"), at(2, 0, 3));
        assert_eq!(chosen("all"), Answer::ModOption(1));
        assert_eq!(chosen("p"), Answer::Pass);
    }

    #[test]
    fn what_is_not_clear_is_said() {
        let error = |line: &str| parse_command(line, &options()).expect_err(line).to_string();
        assert!(error("0,1").contains("0, 90"));
        assert!(error("2,0 90").contains("but with 270"));
        assert!(error("5,5 0").contains("does not fit"));
        assert!(error("take").contains("take it, or take all"));
        assert!(error("7").contains("from 1 to 6"));
        assert!(error("x").contains("not offered"));
        assert!(error("0,q").contains("spot"));
        assert_eq!(parse_command("  \n", &options()), Ok(PlayCommand::Nothing));
        assert_eq!(parse_command("u", &options()), Ok(PlayCommand::Undo));
    }
}
