//! What a position is worth to a player, and which options lead to the best.

use std::cmp::Reverse;

use rules::{PieceKindIdx, Rules, Seat, State, Trial, Who};

use crate::twins::first_twins;

/// A tenth of a point: worths are whole numbers of these.
pub(crate) const POINT: i64 = 10;

/// Returns what the position of a trial is worth to `me`: the scores if the game were over now, and the pieces at home.
pub(crate) fn worth(trial: &mut Trial, me: Seat) -> i64 {
    let home = worth_of_home(trial.rules(), trial.state(), me);
    let scores = trial.scores();
    let own = scores.get(me.idx()).copied().unwrap_or(0);
    // Against one opponent their point is as good as one's own, against many one cannot fight them all.
    let others = scores.iter().sum::<i64>() - own;
    let n_others = (scores.len() as i64).max(2) - 1;
    POINT * own - POINT * others / n_others + home
}

/// Returns what the pieces at home are worth to `me`, the first ones most: the last follower should not go for a single point.
pub(crate) fn worth_of_home(rules: &Rules, state: &State, me: Seat) -> i64 {
    let view = state.view();
    let kinds = (0..rules.catalogue().pieces.len()).map(|k| PieceKindIdx(k as u8));
    let worth = |kind: PieceKindIdx| (1..=i64::from(view.supply(Some(me), kind))).map(|n| 15 / n).sum::<i64>();
    kinds.map(worth).sum()
}

/// An option, and what the position after it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ranked {
    pub worth: i64,
    pub option: usize,
}

/// Judges all options of the decision at which `trial` begins, which `me` answers, by what the position after them is worth. The `n_followed` most
/// promising are judged once more, with the best of the player's own answers to the question that comes next, if it is theirs: they come first.
/// Promising is what is worth much together with what the piece would bring that could be deployed next. `bonus` is added to what an option is worth.
pub(crate) fn rank(trial: &mut Trial, me: Seat, n_followed: usize, bonus: impl Fn(usize) -> i64) -> Vec<Ranked> {
    trial.go_back();
    let Some(decision) = trial.decision() else { return Vec::new() };
    let twins = first_twins(trial.rules(), trial.state(), decision);
    // What each option is worth, and that with what it promises.
    let mut judged: Vec<(i64, i64)> = Vec::with_capacity(twins.len());
    for (option, twin) in twins.into_iter().enumerate() {
        let of_option = judged.get(twin).copied().unwrap_or_else(|| {
            trial.go_back();
            trial.answer(option);
            let worth = worth(trial, me);
            (worth, worth + POINT * trial.best_claim())
        });
        judged.push(of_option);
    }
    let promise = |option: usize| judged.get(option).map_or(0, |(_, promise)| promise.saturating_add(bonus(option)));
    let worth =
        |(option, (worth, _)): (usize, &(i64, i64))| Ranked { worth: worth.saturating_add(bonus(option)), option };
    let mut ranked: Vec<Ranked> = judged.iter().enumerate().map(worth).collect();
    ranked.sort_by_cached_key(|it| (Reverse(promise(it.option)), it.option));
    for it in ranked.iter_mut().take(n_followed) {
        let followed = worth_of_best_follow_up(trial, it.option, me);
        it.worth = followed.map_or(it.worth, |worth| worth.saturating_add(bonus(it.option)));
    }
    ranked
}

/// Returns what the position after option `n` is worth with the best of the player's own answers to the question that comes next, if it is theirs.
fn worth_of_best_follow_up(trial: &mut Trial, n: usize, me: Seat) -> Option<i64> {
    trial.go_back();
    trial.answer(n);
    let decision = trial.decision().filter(|next| next.who == Who::Player(me))?;
    let twins = first_twins(trial.rules(), trial.state(), decision);
    let mut next = trial.from_here();
    let different = (0..).zip(twins).filter(|(m, twin)| m == twin);
    let follow_ups = different.map(|(m, _)| {
        next.go_back();
        next.answer(m);
        worth(&mut next, me)
    });
    follow_ups.max()
}
