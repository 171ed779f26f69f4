//! The effect of changed rules on a game: the turns that score differently.

use std::collections::BTreeMap;
use std::sync::Arc;

use rules::{Award, Seat};

use crate::step::Step;

/// A turn that scores differently under the new rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangedTurn {
    /// The index in the timeline, counted from 0, of the turn's last answer with awards under the
    /// new rules. If the turn has no awards, the index of its last answer.
    pub step: usize,
    /// The number of the turn, counted from 1.
    pub turn: u32,
    /// The player of the turn.
    pub player: Seat,
    /// The players whose points in this turn differ. Each player comes with the points under the
    /// old rules, followed by the points under the new rules.
    pub points: Vec<(Seat, i64, i64)>,
    /// The awards of this turn under the old rules.
    pub old: Vec<Arc<Award>>,
    /// The awards of this turn under the new rules.
    pub new: Vec<Arc<Award>>,
}

/// The effect of changed rules on a game. Exists until the user accepts or reverts the rules, or
/// until the rules change again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleChanges {
    /// A summary in one sentence, without a full stop at the end.
    pub summary: String,
    /// The turns that score differently, in order.
    pub list: Vec<ChangedTurn>,
    /// The number of answers in the timeline right after the change of rules.
    pub(crate) n_answers: usize,
}

impl RuleChanges {
    pub(crate) fn between(summary: String, old: &[Arc<Step>], new: &[Arc<Step>]) -> RuleChanges {
        RuleChanges { summary, list: changed_turns(old, new), n_answers: new.len() }
    }
}

/// Returns the turns that score differently. Compares the answers turn by turn, not one by one,
/// because the new rules may ask a different number of questions.
fn changed_turns(old: &[Arc<Step>], new: &[Arc<Step>]) -> Vec<ChangedTurn> {
    let of_turn = |line: &[Arc<Step>], turn: u32| -> Vec<Arc<Award>> {
        line.iter().filter(|step| step.turn == turn).flat_map(|step| step.awards.clone()).collect()
    };
    let mut changes: Vec<ChangedTurn> = Vec::new();
    let mut turns: Vec<u32> = new.iter().map(|step| step.turn).collect();
    turns.dedup();
    for turn in turns {
        let (before, now) = (of_turn(old, turn), of_turn(new, turn));
        let mut points: BTreeMap<u8, (i64, i64)> = BTreeMap::new();
        before.iter().for_each(|award| points.entry(award.player.0).or_default().0 += award.points);
        now.iter().for_each(|award| points.entry(award.player.0).or_default().1 += award.points);
        let differ = points.into_iter().filter(|(_, (was, is))| was != is);
        let points: Vec<_> = differ.map(|(seat, (was, is))| (Seat(seat), was, is)).collect();
        let of_it = |step: &Arc<Step>| step.turn == turn;
        let last = new.iter().rposition(|step| of_it(step) && !step.awards.is_empty()).or(new.iter().rposition(of_it));
        if let Some((step, it)) = last.and_then(|step| Some((step, new.get(step)?))).filter(|_| !points.is_empty()) {
            changes.push(ChangedTurn { step, turn, player: it.player, points, old: before, new: now });
        }
    }
    changes
}
