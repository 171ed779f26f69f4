//! Excursions of a guest in the terminal: earlier positions, and choices that the guest tries.

use std::io::Write as _;

use door::{Client, Excursion, ExcursionStep};
use host::{Connection, JoinError};

use super::super::play::input::{PlayCommand, parse_command};
use super::super::play::show;
use super::Guest;
use crate::context::CliError;
use crate::sheet;

impl Guest {
    /// Carries out a typed line that is a step of an excursion. Returns `None` if the line is
    /// another command, and otherwise the same as [`handle_line`](Guest::handle_line).
    pub(super) async fn explore(
        &mut self,
        connection: &mut Connection,
        line: &str,
    ) -> Result<Option<Result<bool, JoinError>>, CliError> {
        let Some(step) = excursion_step(&connection.client, line) else { return Ok(None) };
        Ok(Some(match connection.client.explore(step) {
            Some(request) => connection.send(&request).await.map(|()| true),
            None if connection.client.excursion().is_some() => {
                self.print("There is no tried choice to take back.")?;
                Ok(true)
            }
            None => {
                // Shows the question of the game again.
                self.asked = None;
                self.show_game(connection).await?
            }
        }))
    }

    /// Prints the position that the guest looks at, with its options.
    pub(super) fn print_excursion(&self, connection: &Connection) -> Result<(), CliError> {
        let Some(excursion) = connection.client.excursion() else { return Ok(()) };
        let (game, mut out) = (excursion.game(), self.terminal.out());
        let options = show::options(game);
        if options.is_empty() {
            show::print_board(&self.terminal, &mut out, game, &[])?;
        } else {
            show::print_question(&self.terminal, &mut out, game, &options)?;
        }
        let scores: Vec<String> = game
            .view()
            .seats()
            .map(|seat| format!("{} {}", sheet::name(&self.terminal, game.view(), seat), game.view().score(seat)))
            .collect();
        let live = connection.client.game().map(table::SeenGame::choices);
        let n_later = live.map_or(0, |choices| choices.filter(|n| *n > excursion.n_played()).count());
        let place = match (excursion.tried().len(), n_later) {
            (0, 0) => "The current position".to_owned(),
            (0, 1) => "1 choice ago".to_owned(),
            (0, n) => format!("{n} choices ago"),
            (1, _) => "After 1 tried choice; draws are made up".to_owned(),
            (n, _) => format!("After {n} tried choices; draws are made up"),
        };
        let text = format!("{place}: {}. Only you see this; `live` returns to the game.", scores.join(", "));
        writeln!(out, "{}", self.terminal.faint(text))?;
        write!(out, "explore> ")?;
        Ok(out.flush()?)
    }
}

/// Returns the step of an excursion that the typed line means; `None` if the line is another
/// command.
fn excursion_step(client: &Client, line: &str) -> Option<ExcursionStep> {
    let (game, excursion) = (client.game()?, client.excursion());
    let at = excursion.map_or(game.position_index(), Excursion::n_played);
    let words: Vec<&str> = line.split_whitespace().collect();
    let step = match words[..] {
        ["back", ref n @ ..] => {
            let n = n.first().and_then(|n| n.parse::<usize>().ok()).unwrap_or(1).max(1);
            // With tried choices, one step goes back to the position before all of them.
            let n = if excursion.is_some_and(|it| !it.tried().is_empty()) { n - 1 } else { n };
            let earlier: Vec<usize> = game.choices().take_while(|it| *it < at).collect();
            ExcursionStep::LookAt(if n == 0 { at } else { earlier.iter().rev().nth(n - 1).copied().unwrap_or(0) })
        }
        ["forward"] => match game.choices().find(|it| *it > at) {
            Some(later) if excursion.is_some() => ExcursionStep::LookAt(later),
            _ => ExcursionStep::End,
        },
        ["try"] => ExcursionStep::LookAt(at),
        ["live"] => ExcursionStep::End,
        _ => {
            let excursion = excursion?;
            let options = show::options(excursion.game());
            match parse_command(line, &options) {
                Ok(PlayCommand::Choose(choice)) => {
                    let (_, text) = options.into_iter().find(|(option, _)| *option == choice)?;
                    ExcursionStep::Try(text)
                }
                Ok(PlayCommand::Undo) => ExcursionStep::TakeBack,
                Ok(PlayCommand::Nothing | PlayCommand::Board | PlayCommand::Look) => {
                    ExcursionStep::LookAt(excursion.n_played())
                }
                _ => return None,
            }
        }
    };
    Some(step)
}
