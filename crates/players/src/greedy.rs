//! The greedy player: tries every option on a copy and takes the one after which the game, were it over, would pay best.

use std::cmp::Reverse;

use rules::{Fault, Hook, PieceKindIdx, Rules, Seat, State, Trial, Who, hint};

use crate::player::{Player, View};
use crate::random::Rng;
use crate::twins::first_twins;

/// How many of the best options are looked at once more, with the player's own next choice.
const N_FOLLOWED: usize = 8;

/// A tenth of a point: worths are whole numbers of these.
const POINT: i64 = 10;

/// Looks one choice ahead, and one more where the next question is its own.
///
/// It asks the rules what an option is worth: a copy is answered, and the scores are compared that would come out if the game were over then,
/// unfinished features included. So it knows of no mod and plays all of them.
#[derive(Clone, Debug)]
pub struct Greedy {
    rng: Rng,
    fault: Option<Box<Fault>>,
}

impl Greedy {
    /// A player whose choices among equally good options follow from `seed`.
    pub fn new(seed: u64) -> Greedy {
        Greedy { rng: Rng::new(seed), fault: None }
    }

    /// What mods say of the options of a decision; nothing of any where one fails.
    fn hints(&mut self, view: &View<'_>, n: usize) -> Vec<i64> {
        if !view.rules.catalogue().has(Hook::Hint) {
            return Vec::new();
        }
        let choices = (0..n).filter_map(|i| view.decision.nth(&view.rules.ruleset, view.state, i));
        let hints: Result<Vec<i64>, _> = choices.map(|choice| hint(view.rules, view.state, choice)).collect();
        hints.unwrap_or_else(|fault| {
            self.fault = Some(fault);
            Vec::new()
        })
    }
}

impl Player for Greedy {
    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    fn choose(&mut self, view: &View<'_>) -> usize {
        let n = view.decision.n_options(view.state);
        let Who::Player(me) = view.decision.who else { return 0 };
        if n < 2 {
            return 0;
        }
        // What a mod says of its own options counts like points. Before anything is tried: all hints share what may be spent on them.
        let hints = self.hints(view, n);
        let hint_of = |i: usize| hints.get(i).map_or(0, |hint| POINT.saturating_mul(*hint));
        let mut trial = Trial::new(view.rules, view.state);
        let twins = first_twins(view.rules, view.state, view.decision);
        let mut worths: Vec<(i64, usize)> = Vec::with_capacity(n);
        for (i, twin) in twins.into_iter().enumerate() {
            let worth = match worths.get(twin) {
                Some((worth, _)) => *worth,
                None => {
                    trial.go_back();
                    trial.answer(i);
                    worth(&mut trial, me)
                }
            };
            worths.push((worth, i));
        }
        worths.iter_mut().for_each(|(worth, i)| *worth = worth.saturating_add(hint_of(*i)));
        worths.sort_by_key(|(worth, i)| (Reverse(*worth), *i));
        for (worth, i) in worths.iter_mut().take(N_FOLLOWED) {
            *worth = worth_of_best_follow_up(&mut trial, *i, me).map_or(*worth, |w| w.saturating_add(hint_of(*i)));
        }
        let best = worths.iter().map(|(worth, _)| *worth).max().unwrap_or(0);
        let n_best = worths.iter().filter(|(worth, _)| *worth == best).count();
        let chosen = self.rng.below(n_best);
        worths.iter().filter(|(worth, _)| *worth == best).nth(chosen).map_or(0, |(_, i)| *i)
    }

    fn take_fault(&mut self) -> Option<Box<Fault>> {
        self.fault.take()
    }
}

/// What a position is worth to `me`: the scores if the game were over now, and the pieces at home.
fn worth(trial: &mut Trial, me: Seat) -> i64 {
    let home = worth_of_home(trial.rules(), trial.state(), me);
    let scores = trial.scores();
    let own = scores.get(me.idx()).copied().unwrap_or(0);
    // Against one opponent their point is as good as one's own, against many one cannot fight them all.
    let others = scores.iter().sum::<i64>() - own;
    let n_others = (scores.len() as i64).max(2) - 1;
    POINT * own - POINT * others / n_others + home
}

/// Pieces at home are worth something, the first ones most: the last follower should not go for a single point.
fn worth_of_home(rules: &Rules, state: &State, me: Seat) -> i64 {
    let view = state.view();
    let kinds = (0..rules.catalogue().pieces.len()).map(|k| PieceKindIdx(k as u8));
    let worth = |kind: PieceKindIdx| (1..=i64::from(view.supply(Some(me), kind))).map(|n| 15 / n).sum::<i64>();
    kinds.map(worth).sum()
}

/// What the position after option `n` is worth with the best of the player's own answers to the question that comes next, if it is theirs.
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
