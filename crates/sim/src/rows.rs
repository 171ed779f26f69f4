//! Games as lines of a file for analysis.

use serde_json::json;

use crate::game::GameResult;
use crate::plan::Plan;

/// How rows are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Values separated by commas, names in the first line.
    Csv,
    /// A JSON object a line.
    JsonLines,
}

/// The first line, with its line end; empty where the format has none.
pub fn header(format: Format, plan: &Plan) -> String {
    match format {
        Format::JsonLines => String::new(),
        Format::Csv => {
            let names = plan.setup.players.iter().map(|name| quoted(name));
            let mut columns: Vec<String> = ["game".to_owned(), "seed".to_owned()].into_iter().chain(names).collect();
            columns.extend(["winner", "turns", "decisions", "fault"].map(str::to_owned));
            if plan.with_records {
                columns.push("record".to_owned());
            }
            columns.join(",") + "\n"
        }
    }
}

/// The line of one game, with its line end. Several winners are separated by spaces.
pub fn row(format: Format, plan: &Plan, game: &GameResult) -> String {
    let names = &plan.setup.players;
    let winners: Vec<&str> = game.winners().map(|seat| names[seat].as_str()).collect();
    match format {
        Format::JsonLines => {
            let mut line = json!({
                "game": game.number,
                "seed": game.seed,
                "scores": game.scores,
                "winners": winners,
                "turns": game.n_turns,
                "decisions": game.n_answers,
            });
            if let Some(fault) = &game.fault {
                line["fault"] = json!(fault);
            }
            if let Some(record) = game.record.as_ref().filter(|_| plan.with_records) {
                line["record"] = json!(record);
            }
            line.to_string() + "\n"
        }
        Format::Csv => {
            let mut cells = vec![game.number.to_string(), game.seed.to_string()];
            cells.extend(game.scores.iter().map(i64::to_string));
            cells.extend([quoted(&winners.join(" ")), game.n_turns.to_string(), game.n_answers.to_string()]);
            cells.push(game.fault.as_deref().map_or_else(String::new, quoted));
            if plan.with_records {
                cells.push(game.record.as_deref().map_or_else(String::new, quoted));
            }
            cells.join(",") + "\n"
        }
    }
}

/// A cell of CSV, in quotes where it needs them.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_needed() {
        assert_eq!(quoted("red blue"), "red blue");
        assert_eq!(quoted("a \"b\", c"), "\"a \"\"b\"\", c\"");
    }
}
