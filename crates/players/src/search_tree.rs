//! The tree of a search: the positions that simulations have reached, with their results.
#![expect(clippy::indexing_slicing, reason = "nodes and branches are positions in the lists of the one tree")]

use rules::{Actor, Question, Seat, Trial};

use crate::judge::{Chooser, Judge, POINT_WORTH, RankedOption, worth};
use crate::player::OptionAssessment;
use crate::random::{Rng, draw_option};
use crate::restriction::{Restriction, SeatRestriction};

/// The number of best options of the root decision that the search judges again before the
/// simulations, each by the player's best answer to the next question.
const N_FOLLOW_UPS_AT_ROOT: usize = 12;
/// The number of best options that the search judges again at each decision below the root (see
/// [`N_FOLLOW_UPS_AT_ROOT`]).
const N_FOLLOW_UPS_BELOW_ROOT: usize = 3;
/// The number of turns of a rollout.
const ROLLOUT_TURNS: u32 = 2;
/// The maximum number of options judged in each choice of a rollout. For a deployment, all options
/// are judged.
const ROLLOUT_OPTIONS: usize = 4;
/// The difference of worth that halves an option's share of the exploration, as a part of the lead
/// that counts as a win probability of 0.75.
const HALVING_DIFFERENCE: f64 = 2.0 / 15.0;
/// The exploration constant.
const EXPLORATION: f64 = 0.35;
/// The weight of the prior, as a number of simulations.
const PRIOR_WEIGHT: f64 = 3.0;
/// Progressive widening: a node with `n` simulations tries `WIDENING.0 + WIDENING.1 * sqrt(n)`
/// branches.
const WIDENING: (f64, f64) = (3.0, 0.6);

/// A search tree: a node for each position that simulations have reached before their rollouts.
pub(crate) struct SearchTree {
    nodes: Vec<SearchNode>,
    /// The number of the node of the current position.
    root: usize,
}

/// Returns the branches of the roots of `trees`, with the sums over all trees.
pub(crate) fn root_branches(trees: &[SearchTree]) -> Vec<SearchBranch> {
    let mut sums: Vec<SearchBranch> = Vec::new();
    for branch in trees.iter().flat_map(|tree| &tree.nodes[tree.root].branches) {
        match sums.iter_mut().find(|sum| sum.option == branch.option) {
            Some(sum) => {
                sum.n_simulations += branch.n_simulations;
                sum.sum += branch.sum;
                sum.lead += branch.lead;
            }
            None => sums.push(*branch),
        }
    }
    sums
}

/// Returns the branch with the most simulations; `None` if there are no branches.
pub(crate) fn best_branch(branches: &[SearchBranch]) -> Option<&SearchBranch> {
    let key = |branch: &SearchBranch| (branch.n_simulations, (branch.estimated_result() * 1e9) as i64);
    // Of equal branches, the first one.
    branches.iter().rev().max_by_key(|branch| key(branch))
}

/// A position in which a player or chance chooses.
#[derive(Default)]
struct SearchNode {
    /// The player who chooses; `None` for chance, and before the options are judged.
    seat: Option<Seat>,
    /// For a player: the options, the most promising first. For chance: the draws so far.
    branches: Vec<SearchBranch>,
    n_simulations: u32,
}

/// An option of a player, or a draw of chance.
#[derive(Clone, Copy, Default)]
pub(crate) struct SearchBranch {
    pub option: usize,
    node: Option<usize>,
    pub n_simulations: u32,
    /// The sum of the results of this branch's simulations for the player who chooses. Each result
    /// is from 0 (lost) to 1 (won).
    sum: f64,
    /// The sum of the leads of the player who chooses, over this branch's simulations, in tenths of
    /// a point.
    lead: i64,
    /// The expected result before any simulation, from 0 to 1.
    prior: f64,
    /// The weight of the exploration term, from the branch's estimated worth. The weights of the
    /// ranked branches add up to 1; a branch added later has 0.
    share: f64,
}

impl SearchBranch {
    /// Returns the player's assessment of the option.
    pub fn assessment(&self) -> OptionAssessment {
        let n = f64::from(self.n_simulations.max(1));
        OptionAssessment {
            option: self.option,
            n_simulations: self.n_simulations,
            lead: self.lead as f64 / (n * POINT_WORTH as f64),
            chance: Some(self.sum / n),
        }
    }
}

/// Estimates the win probability, from 0 to 1, from a lead. A lead of `scale` counts as 0.75. Both
/// are in tenths of a point.
pub(crate) fn win_probability(lead: i64, scale: f64) -> f64 {
    let lead = lead as f64;
    0.5 + 0.5 * lead / (lead.abs() + scale)
}

/// Makes the branches for these options. A lead of `scale` tenths of a point counts as a win
/// probability of 0.75.
fn branches(ranked: &[RankedOption], scale: f64) -> Vec<SearchBranch> {
    let mut ranked = ranked.to_vec();
    ranked.sort_by_key(|it| std::cmp::Reverse(it.worth));
    let best = ranked.first().map_or(0, |it| it.worth);
    let weight = |it: &RankedOption| 1.0 / (1.0 + (best - it.worth) as f64 / (HALVING_DIFFERENCE * scale));
    let sum: f64 = ranked.iter().map(weight).sum();
    let branch = |it: &RankedOption| SearchBranch {
        option: it.option,
        prior: win_probability(it.worth, scale),
        share: weight(it) / sum,
        ..SearchBranch::default()
    };
    ranked.iter().map(branch).collect()
}

impl SearchTree {
    /// Makes a tree with only a root, whose options are not judged yet.
    pub fn new() -> SearchTree {
        SearchTree { nodes: vec![SearchNode::default()], root: 0 }
    }

    /// Judges the options of the root, unless they are judged. When the chooser is told to stop,
    /// the root lacks the options that are not judged yet.
    /// `trial` is at the position of the root.
    pub fn judge_root(&mut self, trial: &mut Trial, judge: &Judge, chooser: &Chooser<'_>) {
        let root = &mut self.nodes[self.root];
        if root.branches.is_empty() {
            let ranked = judge.judge_and_rank(trial, chooser, N_FOLLOW_UPS_AT_ROOT);
            (root.seat, root.branches) = (Some(chooser.me), branches(&ranked, judge.lead_scale()));
        }
    }

    /// Returns whether more simulations are pointless: the root has at least `n_simulations`
    /// simulations, or no other branch can overtake the leading branch within that number.
    pub fn is_decided(&self, n_simulations: u32) -> bool {
        self.nodes[self.root].is_decided(n_simulations)
    }

    /// Returns the tree of the position after the option `option` of the root. The tree is new if
    /// no simulation has followed the option.
    pub fn after(self, option: usize) -> SearchTree {
        let chosen = self.nodes[self.root].branches.iter().find(|branch| branch.option == option);
        match chosen.and_then(|branch| branch.node) {
            Some(root) => SearchTree { root, ..self },
            None => SearchTree::new(),
        }
    }

    /// Runs one simulation from the root. `trial` is at the position of the root. If `stops`
    /// returns true, a new node lacks the options that are not judged yet.
    pub fn simulate(
        &mut self,
        trial: &mut Trial,
        judge: &Judge,
        bound: &SeatRestriction,
        rng: &mut Rng,
        stops: &dyn Fn() -> bool,
    ) {
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut at = self.root;
        while let Some(decision) = trial.decision() {
            let n_options = decision.n_options(trial.state());
            let option = match decision.who {
                Actor::Chance => draw_option(trial, rng),
                _ if n_options == 0 => break,
                _ if n_options == 1 => 0,
                Actor::Player(seat) => {
                    let is_new = self.nodes[at].branches.is_empty();
                    if is_new {
                        let chooser = Chooser { me: seat, restriction: bound.of(seat), stops };
                        let ranked = judge.judge_and_rank(&mut trial.fork(), &chooser, N_FOLLOW_UPS_BELOW_ROOT);
                        let node = &mut self.nodes[at];
                        (node.seat, node.branches) = (Some(seat), branches(&ranked, judge.lead_scale()));
                    }
                    let chosen = self.nodes[at].select_branch();
                    path.push((at, chosen));
                    // Each simulation redeals hidden tiles and cards. Therefore this node may have
                    // fewer options now than in the simulation that made it.
                    let option = self.nodes[at].branches[chosen].option.min(n_options - 1);
                    if is_new {
                        trial.answer(option);
                        break;
                    }
                    option
                }
            };
            at = self.child(at, option);
            trial.answer(option);
        }
        play_rollout(trial, bound, rng);
        let leads = leads(&judge.worths(trial));
        for (node, branch) in path {
            let node = &mut self.nodes[node];
            let lead = node.seat.and_then(|seat| leads.get(seat.idx())).copied().unwrap_or(0);
            node.n_simulations += 1;
            let branch = &mut node.branches[branch];
            branch.n_simulations += 1;
            branch.sum += win_probability(lead, judge.lead_scale());
            branch.lead += lead;
        }
    }

    /// Returns the number of the node that follows node number `at` after `option`. Makes this node
    /// if it does not exist.
    fn child(&mut self, at: usize, option: usize) -> usize {
        let new = self.nodes.len();
        let branches = &mut self.nodes[at].branches;
        let known = branches.iter().position(|branch| branch.option == option);
        let i = known.unwrap_or_else(|| {
            branches.push(SearchBranch { option, ..SearchBranch::default() });
            branches.len() - 1
        });
        let node = *branches[i].node.get_or_insert(new);
        if node == new {
            self.nodes.push(SearchNode::default());
        }
        node
    }
}

impl SearchBranch {
    /// Returns the estimated result of the branch, from 0 to 1.
    fn estimated_result(&self) -> f64 {
        (self.sum + PRIOR_WEIGHT * self.prior) / (f64::from(self.n_simulations) + PRIOR_WEIGHT)
    }
}

impl SearchNode {
    /// Returns whether no other branch can overtake the leading branch within `n_simulations`.
    fn is_decided(&self, n_simulations: u32) -> bool {
        let (mut most, mut next) = (0, 0);
        for branch in &self.branches {
            next = next.max(branch.n_simulations.min(most));
            most = most.max(branch.n_simulations);
        }
        most - next > n_simulations.saturating_sub(self.n_simulations) || self.n_simulations >= n_simulations
    }

    /// Returns the number of the branch that the next simulation follows.
    fn select_branch(&self) -> usize {
        let root = f64::from(self.n_simulations).sqrt();
        let width = (WIDENING.0 + WIDENING.1 * root) as usize;
        let value = |branch: &SearchBranch| {
            branch.estimated_result()
                + EXPLORATION * branch.share * (root + 1.0) / (1.0 + f64::from(branch.n_simulations))
        };
        let mut best = (0, f64::MIN);
        for (i, branch) in self.branches.iter().enumerate().take(width) {
            let value = value(branch);
            if value > best.1 {
                best = (i, value);
            }
        }
        best.0
    }
}

/// Plays the turns of a rollout.
fn play_rollout(trial: &mut Trial, bound: &SeatRestriction, rng: &mut Rng) {
    let turn = |trial: &Trial| trial.state().turn().map_or(0, |turn| turn.number);
    let until = turn(trial) + ROLLOUT_TURNS;
    while let Some(decision) = trial.decision() {
        let option = match decision.who {
            Actor::Chance if turn(trial) >= until => return,
            Actor::Chance => draw_option(trial, rng),
            Actor::Player(seat) => rollout_choice(trial, seat, bound.of(seat), rng),
        };
        trial.answer(option);
    }
}

/// Returns the option with the best position right after it (the rollout policy). If there are more
/// than `ROLLOUT_OPTIONS` options, judges only `ROLLOUT_OPTIONS` random options. For a deployment,
/// judges all options.
fn rollout_choice(trial: &mut Trial, seat: Seat, restriction: &Restriction, rng: &mut Rng) -> usize {
    let Some(decision) = trial.decision() else { return 0 };
    let n = decision.n_options(trial.state());
    if n < 2 {
        return 0;
    }
    let is_wide = n > ROLLOUT_OPTIONS && !matches!(decision.question, Question::Deploy);
    let allowed: Option<Vec<usize>> = (!restriction.is_empty()).then(|| {
        let (ruleset, state) = (&trial.rules().ruleset, trial.state());
        let allowed = restriction.allowed(ruleset, state, decision, &decision.options(ruleset, state));
        (0..n).zip(allowed).filter(|(_, it)| *it).map(|(option, _)| option).collect()
    });
    let n = allowed.as_ref().map_or(n, Vec::len);
    let nth = |i: usize| allowed.as_ref().and_then(|allowed| allowed.get(i)).copied().unwrap_or(i);
    let mut next = trial.fork();
    let options = 0..if is_wide { ROLLOUT_OPTIONS.min(n) } else { n };
    let judged = options.map(|i| {
        let option = nth(if is_wide { rng.below(n) } else { i });
        next.reset();
        next.answer(option);
        (worth(&mut next, seat), option)
    });
    judged.max_by_key(|(worth, option)| (*worth, std::cmp::Reverse(*option))).map_or(0, |(_, option)| option)
}

/// Returns each player's lead over the best other player, by seat. The lead of a player who plays
/// alone is the whole worth.
pub fn leads(worths: &[i64]) -> Vec<i64> {
    let best_other = |seat: usize| worths.iter().enumerate().filter(|(i, _)| *i != seat).map(|(_, w)| *w).max();
    worths.iter().enumerate().map(|(seat, worth)| worth - best_other(seat).unwrap_or(0)).collect()
}
