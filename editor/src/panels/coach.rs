//! The coach: a comment on the last turn of a person. It compares the turn with the best move.

use egui::{Id, Label, RichText, Sense, Ui};
use table::{Actor, AwaitedActor, Seat, Snapshot, Spot, Target};

use super::log::last_laid_before;
use super::log_rows::{RowSubject, answer_label, subject_of};
use super::widgets::{remember, remembered};
use crate::settings::HintLevel;
use crate::ui_context::UiContext;

/// The comment on a turn of a person.
#[derive(Clone, PartialEq, Default)]
struct TurnComment {
    /// The commented turn: the number of the session, the index of the turn's last answer, and the
    /// text of this answer.
    of: Option<(u64, usize, String)>,
    /// The difference, in points, between the player's lead after the best move and after this
    /// turn.
    cost: f64,
    /// The name of the player.
    name: String,
    /// The text of the best answer; empty if no answer was better.
    best: String,
    /// The spot of the tile that was placed before the best answer.
    last: Spot,
}

/// Draws the comment on the last complete turn of a person, if the coach is on. There are no
/// comments in puzzles and lessons. Hovering over the comment highlights the spot of the best move.
pub fn coach(ui: &mut Ui, cx: &mut UiContext<'_>) {
    if !cx.settings.coach || cx.hints() == HintLevel::Purist || cx.is_exercise {
        return;
    }
    let Some(comment) = comment(ui, cx) else { return };
    if comment.best.is_empty() {
        ui.weak("Coach: no move would have been better.");
        return;
    }
    let TurnComment { cost, name, best, last, .. } = comment;
    let best_move = answer_label(Some(cx.session.view()), &best, None, last);
    let text = format!("Coach: the best move, for a lead larger by {cost:.1} points: {name} {best_move}");
    let response = ui.add(Label::new(RichText::new(text).weak()).wrap().sense(Sense::hover()));
    if response.hovered()
        && let RowSubject::Spot(spot) | RowSubject::Zone(spot, _) = subject_of(&best)
    {
        cx.view_state.highlight(Target::Spot(spot));
    }
    let how = "A Medium bot compares your lead after this turn with your lead after the best move.";
    response.on_hover_text(how);
}

/// Returns the comment on the last complete turn of a person. Returns `None` if there is no such
/// turn, or if the comment is not known yet. Computes the comment once for each turn.
fn comment(ui: &Ui, cx: &mut UiContext<'_>) -> Option<TurnComment> {
    let (seat, steps) = last_turn(cx.session)?;
    let last = *steps.last()?;
    let of = Some((cx.session.id(), last, cx.session.steps().get(last)?.text.clone()));
    let id = Id::unique("comment of the coach");
    let known: TurnComment = remembered(ui.ctx(), id);
    if known.of == of {
        return Some(known);
    }
    let name = cx.session.view().name(seat).to_owned();
    let mut comment = TurnComment { of, name, ..TurnComment::default() };
    for step in steps {
        let regret = cx.insight.regret(cx.session, step)??;
        comment.cost += regret.points;
        if regret.points > 0.0 && comment.best.is_empty() {
            comment.best = regret.best;
            comment.last = last_laid_before(cx.session, step);
        }
    }
    remember(ui.ctx(), id, comment.clone());
    Some(comment)
}

/// Returns the last complete turn of a person before the current position: the seat of the person,
/// and the indices of their answers. Returns `None` if there is no such turn.
fn last_turn(session: &Snapshot) -> Option<(Seat, Vec<usize>)> {
    let line = session.steps().get(..session.position_index())?;
    let bots = &session.setup().bots;
    let is_person = |seat: Seat| !bots.iter().any(|(player, _)| player == session.view().record_name(seat));
    let is_open =
        |turn: u32, seat: Seat| turn == session.turn() && session.awaited_actor() == AwaitedActor::Person(seat);
    let last = line.iter().rev().find_map(|step| match step.who {
        Actor::Player(seat) if is_person(seat) && !is_open(step.turn, seat) => Some((seat, step.turn)),
        _ => None,
    })?;
    let is_of_it = |step: &table::Step| step.who == Actor::Player(last.0) && step.turn == last.1;
    let steps = line.iter().enumerate().filter(|(_, step)| is_of_it(step)).map(|(i, _)| i);
    Some((last.0, steps.collect()))
}
