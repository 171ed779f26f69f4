//! Score series: one number per turn for each player, and the lines drawn from these numbers.

use std::sync::Arc;

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, pos2};
use table::{Seat, Step};

/// The scores at the end of each turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ScoreSeries {
    /// For each turn: the number of the turn, and the number of answers in the game up to the end
    /// of the turn.
    pub turns: Vec<(u32, usize)>,
    /// One score per turn for each player.
    pub scores: Vec<Vec<i64>>,
}

/// Returns the scores of `n_seats` players at the end of each turn in `steps`.
pub fn series(steps: &[Arc<Step>], n_seats: usize) -> ScoreSeries {
    let mut series = ScoreSeries { turns: Vec::new(), scores: vec![Vec::new(); n_seats] };
    for (i, step) in steps.iter().enumerate() {
        let ends = steps.get(i + 1).is_none_or(|next| next.turn != step.turn);
        if !ends {
            continue;
        }
        series.turns.push((step.turn, i + 1));
        for (seat, row) in series.scores.iter_mut().enumerate() {
            row.push(step.scores.get(seat).copied().unwrap_or(0));
        }
    }
    series
}

impl ScoreSeries {
    /// Returns the smallest and the largest score. The smallest is at most 0. The largest is
    /// greater than the smallest by at least 1.
    pub fn range(&self) -> (i64, i64) {
        let all = || self.scores.iter().flatten().copied();
        let least = all().min().unwrap_or(0).min(0);
        (least, all().max().unwrap_or(0).max(least + 1))
    }

    /// Returns the index in `turns` of the last turn that ended within the first `at` answers.
    /// Returns 0 if no turn ended.
    pub fn turn_index_at(&self, at: usize) -> usize {
        self.turns.iter().rposition(|(_, end)| *end <= at).unwrap_or(0)
    }
}

/// Returns the vertices of the line of a player's scores in `rect`. The bottom of `rect` is the
/// score `least`, its top the score `greatest`.
pub fn points(scores: &[i64], least: i64, greatest: i64, rect: Rect) -> Vec<Pos2> {
    let span = (greatest - least).max(1) as f32;
    let n = scores.len().max(2) - 1;
    let point = |(i, score): (usize, &i64)| {
        let x = rect.left() + rect.width() * i as f32 / n as f32;
        pos2(x, rect.bottom() - rect.height() * (*score - least) as f32 / span)
    };
    scores.iter().enumerate().map(point).collect()
}

/// Paints a sparkline of the score of `seat`, with a dot at the last turn that ended within the
/// first `at` answers.
pub fn paint_sparkline(painter: &Painter, rect: Rect, series: &ScoreSeries, seat: Seat, at: usize, colour: Color32) {
    let Some(scores) = series.scores.get(seat.idx()).filter(|s| s.len() > 1) else { return };
    let (least, greatest) = series.range();
    let points = points(scores, least, greatest, rect.shrink(2.0));
    let dot = points.get(series.turn_index_at(at)).copied();
    painter.add(Shape::line(points, Stroke::new(1.5, colour)));
    if let Some(dot) = dot {
        painter.circle_filled(dot, 2.5, colour);
    }
}

/// Returns the points that `seat` got in its last turn with an award, within the first `at`
/// answers. Returns `None` if there is no such turn, or if it was more than a round ago.
pub fn last_points(steps: &[Arc<Step>], at: usize, seat: Seat, n_seats: usize) -> Option<i64> {
    let before = &steps[..at.min(steps.len())];
    let now = before.last()?.turn;
    let is_its = |step: &&Arc<Step>| step.awards.iter().any(|a| a.player == seat);
    let turn = before.iter().rev().find(is_its)?.turn;
    if now.saturating_sub(turn) as usize > n_seats {
        return None;
    }
    let of_turn = before.iter().rev().skip_while(|s| s.turn != turn).take_while(|s| s.turn == turn);
    let points = of_turn.flat_map(|s| &s.awards).filter(|a| a.player == seat).map(|a| a.points);
    Some(points.sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panels::log_rows::tests::{award, line_of, step};

    #[test]
    fn there_is_one_number_a_turn() {
        let mut steps = vec![step(1, "draw base/K"), step(1, "place 0,1 0"), step(2, "draw base/L"), step(2, "pass")];
        steps[1].scores = vec![4, 0];
        steps[3].scores = vec![4, 3];
        let series = series(&line_of(steps), 2);
        assert_eq!(series.turns, [(1, 2), (2, 4)]);
        assert_eq!(series.scores, [vec![4, 4], vec![0, 3]]);
        assert_eq!(series.range(), (0, 4));
        assert_eq!((series.turn_index_at(0), series.turn_index_at(3), series.turn_index_at(4)), (0, 0, 1));
    }

    #[test]
    fn a_line_goes_from_edge_to_edge() {
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(10.0, 20.0));
        let line = points(&[0, 5, 10], 0, 10, rect);
        assert_eq!(line, [pos2(0.0, 20.0), pos2(5.0, 10.0), pos2(10.0, 0.0)]);
        assert_eq!(points(&[3], 3, 4, rect), [pos2(0.0, 20.0)]);
        assert!(points(&[], 0, 0, rect).is_empty());
    }

    #[test]
    fn last_points_are_those_of_one_turn_within_a_round() {
        let mut steps: Vec<Step> = (1..=5).map(|turn| step(turn, "pass")).collect();
        steps[1].awards = vec![award(0, 3, "road"), award(1, 9, "road")];
        steps.insert(2, Step { awards: vec![award(0, 2, "city")], ..step(2, "pass") });
        let steps = line_of(steps);
        assert_eq!(last_points(&steps, 3, Seat(0), 2), Some(5));
        assert_eq!(last_points(&steps, 5, Seat(0), 2), Some(5));
        assert_eq!(last_points(&steps, 6, Seat(0), 2), None);
        assert_eq!(last_points(&steps, 0, Seat(0), 2), None);
    }
}
