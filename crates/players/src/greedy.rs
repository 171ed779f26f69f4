//! The greedy player: tries every option on a copy and takes the one after which the game, were it
//! over, would pay best.

use std::cmp::Reverse;

use rules::{Fault, Hook, Trial, Who, hint};

use crate::judge::{FollowUp, POINT, Ranked, Ranking, judge, rank, ranked};
use crate::player::{Player, Thought, View};
use crate::random::Rng;

/// The number of best options that are judged again, with the player's own next choice.
const N_FOLLOWED: usize = 3;

/// Returns what a greedy player thinks of all options of a decision, the best first. Each is judged
/// with the player's own best next choice, where the next question is theirs: so they can be
/// compared, which takes longer than choosing one. Nothing where no player is asked.
pub fn consider(view: &View<'_>) -> Vec<Thought> {
    let Who::Player(me) = view.decision.who else { return Vec::new() };
    let mut ranked = ranked(&mut Trial::new(view.rules, view.state), me, usize::MAX);
    ranked.sort_by_key(|it| (Reverse(it.worth), it.option));
    ranked.iter().map(thought).collect()
}

fn thought(ranked: &Ranked) -> Thought {
    Thought { option: ranked.option, n_lines: 0, lead: ranked.worth as f64 / POINT as f64, chance: None }
}

/// Looks one choice ahead, and one more where the next question is its own.
///
/// It asks the rules what an option is worth: a copy is answered, and the scores are compared that
/// would come out if the game were over then, unfinished features included. So it knows of no mod
/// and plays all of them.
#[derive(Debug)]
pub struct Greedy {
    rng: Rng,
    thoughts: Vec<Thought>,
    fault: Option<Box<Fault>>,
    /// The question that follows from the last choice.
    foreseen: Option<FollowUp>,
}

impl Greedy {
    /// A player whose choices among equally good options follow from `seed`.
    pub fn new(seed: u64) -> Greedy {
        Greedy { rng: Rng::new(seed), thoughts: Vec::new(), fault: None, foreseen: None }
    }

    /// Returns the hints of mods for the options of a decision; empty if one fails.
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
        self.foreseen = None;
    }

    fn choose(&mut self, view: &View<'_>) -> usize {
        self.thoughts.clear();
        let n = view.decision.n_options(view.state);
        let Who::Player(me) = view.decision.who else { return 0 };
        if n < 2 {
            return 0;
        }
        // What a mod says of its own options counts like points. Before anything is tried: all
        // hints share what may be spent on them.
        let hints = self.hints(view, n);
        let hint_of = |i: usize| hints.get(i).map_or(0, |hint| POINT.saturating_mul(*hint));
        let foreseen = self.foreseen.take().filter(|it| it.trial.has_begun_at(view.rules, view.state));
        let (mut trial, judged) = foreseen.map_or_else(
            || {
                let mut trial = Trial::new(view.rules, view.state);
                let judged = judge(&mut trial, me);
                (trial, judged)
            },
            |it| (it.trial, it.judged),
        );
        let Ranking { ranked, follow_ups } = rank(&mut trial, me, &judged, N_FOLLOWED, hint_of);
        self.fault = self.fault.take().or_else(|| trial.take_fault());
        let best = ranked.iter().map(|it| it.worth).max().unwrap_or(0);
        let mut of_best = ranked.iter().filter(|it| it.worth == best);
        let chosen = self.rng.below(of_best.clone().count());
        let Some(chosen) = of_best.nth(chosen) else { return 0 };
        self.foreseen = follow_ups.into_iter().find(|it| it.option == chosen.option);
        let others = ranked.iter().filter(|it| it.option != chosen.option);
        self.thoughts.extend([chosen].into_iter().chain(others).map(thought));
        chosen.option
    }

    fn thoughts(&self) -> &[Thought] {
        &self.thoughts
    }

    fn take_fault(&mut self) -> Option<Box<Fault>> {
        self.fault.take()
    }
}
