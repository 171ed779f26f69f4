//! Steps: the answers of a game with their effects, for the game log and the time bar of a user
//! interface.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use board::{Spot, TileIdx};
use rules::{
    Actor, Answer, Award, Catalogue, Decision, Game, Item, ItemType, Question, Seat, SeatSet, TokenIdx, option_text,
};

use crate::view::GameView;

/// An answer of the game, with its effects.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The player who gave the answer, or chance.
    pub who: Actor,
    /// The answer. The indices in it are valid only under the rules at the time of the answer.
    pub answer: Answer,
    /// The stable text of the answer, as in the record; see
    /// [`SeenGame::steps`](crate::SeenGame::steps) for hidden answers.
    pub text: String,
    /// The players who may see the answer; all players after the game has revealed the answer.
    pub seen_by: SeatSet,
    /// True if the answer was secret at first.
    pub is_secret: bool,
    /// The answer in words, for the game log; `None` if the answer is hidden. Also `None` for the
    /// draw of a tile if the next line of the log names the tile.
    pub label: Option<String>,
    /// The turn of the answer, counted from 1; 0 before the first turn.
    pub turn: u32,
    /// The player of the turn.
    pub player: Seat,
    /// The spot of the tile that the answer placed, if any.
    pub laid: Option<Spot>,
    /// The scores after the answer, by seat.
    pub scores: Vec<i64>,
    /// The awards that the answer caused.
    pub awards: Vec<Arc<Award>>,
    /// Lines about the effects of the answer: tiles that leave the game, tokens that change hands,
    /// and notes of mods.
    pub notes: Vec<Arc<str>>,
    /// The lines that scripts printed while the engine processed the answer.
    pub printed: Vec<Arc<str>>,
    /// True if the game is over after the answer.
    pub ends: bool,
}

impl Step {
    /// Returns the number of bytes that the printed lines occupy.
    fn printed_memory(&self) -> usize {
        self.printed.iter().map(|text| text.len() + PRINTED_LINE_OVERHEAD).sum()
    }

    /// Returns the step as `viewers` see it. Redacts the answer if it is hidden from any viewer.
    pub(crate) fn redacted_for(self: &Arc<Step>, viewers: SeatSet) -> Arc<Step> {
        if self.seen_by.includes(viewers) {
            return self.clone();
        }
        // Viewers may know that the hidden answer is a draw.
        let text = if self.who == Actor::Chance { "draw (hidden)" } else { "(hidden)" };
        let (answer, text, label) = (Answer::Pass, text.to_owned(), None);
        Arc::new(Step { answer, text, label, printed: Vec::new(), ..Step::clone(self) })
    }
}

/// Marks the answers that all players may now see. `game` must be the game after all answers of
/// `line`.
pub(crate) fn reveal(line: &mut [Arc<Step>], game: &Game) {
    for (n, step) in (0..).zip(line).filter(|(_, step)| step.seen_by != SeatSet::ALL) {
        if game.state().shows_answer(n, SeatSet::ALL) {
            Arc::make_mut(step).seen_by = SeatSet::ALL;
        }
    }
}

/// The maximum total size of the lines that scripts printed in a game, in bytes.
const MAX_PRINTED_BYTES: usize = 1 << 20;

/// The memory that a printed line needs in addition to its text, in bytes.
const PRINTED_LINE_OVERHEAD: usize = 32;

/// The text that replaces all dropped lines.
const DROPPED_LINES_TEXT: &str = "older lines were dropped";

/// Drops the oldest printed lines if the total size of all printed lines exceeds
/// [`MAX_PRINTED_BYTES`].
pub(crate) fn drop_old_lines(line: &mut [Arc<Step>]) {
    let mut n_bytes = 0;
    let mut says_so = false;
    for step in line.iter_mut().rev().filter(|step| !step.printed.is_empty()) {
        n_bytes += step.printed_memory();
        if n_bytes > MAX_PRINTED_BYTES {
            let left = if says_so { Vec::new() } else { vec![DROPPED_LINES_TEXT.into()] };
            Arc::make_mut(step).printed = left;
            says_so = true;
        }
    }
}

/// A step that is not complete yet. Contains the data that is known before the game processes the
/// answer.
pub(crate) struct PendingStep {
    step: Step,
    /// The tile or card that the answer draws; `None` if the answer is not a draw.
    drawn: Option<Item>,
    n_awards: usize,
    n_notes: usize,
    n_left_out: usize,
    /// The tokens of each player before the answer; see [`token_counts`].
    tokens: Vec<Vec<u32>>,
    /// The lines that scripts printed before the answer, without the lines that
    /// `Session::take_printed_lines` has already returned.
    printed_before: Vec<String>,
}

impl PendingStep {
    /// Prepares the step for `answer`, before `game` processes the answer. Returns `None` if there
    /// is no decision.
    pub(crate) fn new(game: &Game, answer: Answer) -> Option<PendingStep> {
        let state = game.state();
        let decision = state.decision()?;
        let text = option_text(&game.rules().ruleset, state, decision, answer);
        let laid = if let Answer::Place(place) = answer { Some(place.spot) } else { None };
        let (scores, awards, notes) = (Vec::new(), Vec::new(), Vec::new());
        let (turn, player) = (state.turn().map_or(0, |t| t.number), state.player());
        let (who, seen_by) = (decision.who, decision.answer_seen_by(answer));
        let drawn = drawn_item(game.rules().catalogue(), decision, answer);
        let label = Some(label(game, decision, answer, drawn).unwrap_or_else(|| text.clone()));
        let step = Step {
            who,
            answer,
            text,
            seen_by,
            is_secret: seen_by != SeatSet::ALL,
            label,
            turn,
            player,
            laid,
            scores,
            awards,
            notes,
            printed: Vec::new(),
            ends: false,
        };
        let printed_before = game.rules().hooks.take_lines();
        let (n_awards, n_notes, n_left_out) =
            (state.awards().len(), state.notes().len(), state.discarded_tiles().len());
        Some(PendingStep { step, drawn, n_awards, n_notes, n_left_out, tokens: token_counts(game), printed_before })
    }

    pub(crate) fn text(&self) -> &str {
        &self.step.text
    }

    /// Completes the step after `game` has processed the answer.
    pub(crate) fn complete(self, game: &Game) -> Step {
        let state = game.state();
        let PendingStep { mut step, drawn, n_awards, n_notes, n_left_out, tokens, printed_before } = self;
        let hooks = &game.rules().hooks;
        let printed = hooks.take_lines();
        // Gives the earlier lines back to the hooks, so that `Session::take_printed_lines` still
        // returns them.
        printed_before.iter().chain(&printed).for_each(|line| hooks.print(line));
        step.printed = printed.into_iter().map(Arc::from).collect();
        step.scores = GameView::of(game).scores();
        step.awards = state.awards().get(n_awards..).unwrap_or_default().to_vec();
        let catalogue = game.rules().catalogue();
        let left_out = state.discarded_tiles().get(n_left_out..).unwrap_or_default();
        if let Some(Item::Tile(tile)) = drawn
            && (left_out.contains(&tile) || state.part().is_some_and(|part| part.tile_type == Some(tile)))
        {
            step.label = None;
        }
        let tile_lines = left_out.iter().map(|tile| {
            let tile = &catalogue.tile_set.tile(*tile).name;
            format!("{tile} fits nowhere and leaves the game")
        });
        let mod_lines = state.notes().get(n_notes..).unwrap_or_default().iter().map(|(_, text)| text.clone());
        step.notes = tile_lines.chain(token_lines(game, &tokens)).map(Arc::from).chain(mod_lines).collect();
        step.ends = state.is_over();
        step
    }
}

/// Returns the tile or card that an answer draws; `None` if the answer is not a draw.
fn drawn_item(catalogue: &Catalogue, decision: &Decision, answer: Answer) -> Option<Item> {
    match (decision.question, answer) {
        (Question::Draw(deck), Answer::Draw(item)) => Some(match catalogue.decks.get(deck.idx())?.holds {
            ItemType::Tiles => Item::Tile(TileIdx(item)),
            ItemType::Cards => Item::Card(item),
        }),
        _ => None,
    }
}

/// Returns an answer in words; `None` if its stable text is clear enough.
fn label(game: &Game, decision: &Decision, answer: Answer, drawn: Option<Item>) -> Option<String> {
    let (catalogue, state) = (game.rules().catalogue(), game.state());
    match (answer, decision.question) {
        (Answer::Place(place), Question::Place(tile)) => {
            Some(format!("{} at {} {}", catalogue.tile_set.tile(tile).name, place.spot, place.facing))
        }
        (Answer::Roll(n), _) => Some(format!("the die shows {n}")),
        (Answer::Draw(_), _) => {
            let item = drawn?;
            let about = match item {
                Item::Card(card) => catalogue.cards.get(usize::from(card)).map_or("", |card| &card.about),
                Item::Tile(_) => "",
            };
            let about = if about.is_empty() { String::new() } else { format!(": {about}") };
            // Before the first turn, chance draws. Afterwards, the player of the turn draws.
            let who = state.turn().map_or("chance", |turn| state.label(turn.player));
            Some(format!("{who} draws {}{about}", item.name(catalogue)))
        }
        _ => None,
    }
}

/// Returns a list for each kind of token: the number of these tokens that each player has, by seat.
fn token_counts(game: &Game) -> Vec<Vec<u32>> {
    let state = game.state();
    let of_all = |i: usize| state.seats().map(|seat| state.tokens(Some(seat), TokenIdx(i as u8))).collect();
    (0..game.rules().catalogue().tokens.len()).map(of_all).collect()
}

/// Returns lines about the tokens that players have gained or lost. `before` contains the earlier
/// numbers from [`token_counts`].
fn token_lines(game: &Game, before: &[Vec<u32>]) -> Vec<String> {
    let state = game.state();
    let mut lines = Vec::new();
    for ((token, before), now) in game.rules().catalogue().tokens.iter().zip(before).zip(token_counts(game)) {
        let gains = state.seats().zip(now.iter().zip(before).map(|(now, before)| i64::from(*now) - i64::from(*before)));
        let gains: Vec<(&str, i64)> = gains.map(|(seat, n)| (state.label(seat), n)).filter(|(_, n)| *n != 0).collect();
        let name = &token.name;
        match (&gains[..], token.stock) {
            ([(who, 1), (from, _)] | [(from, _), (who, 1)], Some(1)) => {
                lines.push(format!("{who} takes the {name} from {from}"));
            }
            ([(who, 1)], Some(1)) => lines.push(format!("{who} takes the {name}")),
            _ => lines.extend(gains.iter().map(|(who, n)| {
                let times = if n.abs() == 1 { String::new() } else { format!(" × {}", n.abs()) };
                format!("{who} {} {name}{times}", if *n > 0 { "gets" } else { "gives up" })
            })),
        }
    }
    lines
}

/// Replays a game and returns its steps: the answers with their effects.
pub(crate) fn steps_of(game: &Game) -> Vec<Arc<Step>> {
    let mut again = Game::from_position(game.rules().clone(), game.setup().clone(), game.start().clone());
    let mut steps = Vec::with_capacity(game.log().len());
    let mut n_printed = 0;
    for answer in game.log() {
        let Some(pending) = PendingStep::new(&again, *answer) else { break };
        if again.answer(*answer).is_err() {
            break;
        }
        let step = pending.complete(&again);
        n_printed += step.printed_memory();
        steps.push(Arc::new(step));
        if n_printed > MAX_PRINTED_BYTES {
            drop_old_lines(&mut steps);
            n_printed = 0;
        }
    }
    drop_old_lines(&mut steps);
    reveal(&mut steps, &again);
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(n_lines: usize) -> Arc<Step> {
        Arc::new(Step {
            who: Actor::Chance,
            answer: Answer::Pass,
            text: String::new(),
            seen_by: SeatSet::ALL,
            is_secret: false,
            label: None,
            turn: 1,
            player: Seat(0),
            laid: None,
            scores: Vec::new(),
            awards: Vec::new(),
            notes: Vec::new(),
            printed: vec![Arc::from("x".repeat(1000)); n_lines],
            ends: false,
        })
    }

    #[test]
    fn the_oldest_printed_lines_of_a_game_are_dropped() {
        let mut line = Vec::new();
        for _ in 0..100 {
            line.push(step(0));
            line.push(step(60));
            drop_old_lines(&mut line);
        }
        let n_kept = line.iter().filter(|step| step.printed.len() == 60).count();
        assert_eq!(n_kept, MAX_PRINTED_BYTES / (60 * 1032));
        let says_so: Vec<usize> = (0..line.len()).filter(|i| line[*i].printed.len() == 1).collect();
        assert_eq!(says_so, [line.len() - 2 * n_kept - 1]);
        assert_eq!(&*line[says_so[0]].printed[0], DROPPED_LINES_TEXT);
    }
}
