//! The searching player: runs simulations, more of them for options with better results.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use platform::task;
use rules::{Actor, Catalogue, Failure, Fault, Rules, STACK_BYTES, Seat, State, Trial, redeal_hidden};
use web_time::{Duration, Instant};

use crate::endgame::Endgame;
use crate::judge::{Chooser, Judge};
use crate::learned::LearnedValue;
use crate::player::{OptionAssessment, Player, View};
use crate::random::Rng;
use crate::restriction::{Restriction, SeatRestriction};
use crate::search_tree::{SearchBranch, SearchTree, best_branch, root_branches};

/// The limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// The maximum number of simulations for a choice.
    pub n_simulations: u32,
    /// The time limit for a choice; `None` for no limit. If a search reaches this limit, its result
    /// depends on the speed of the machine.
    pub time: Option<Duration>,
    /// The number of search trees. Each tree grows on its own thread within these limits; the
    /// choice follows from the sum of the trees. The result does not depend on the number of cores.
    pub n_trees: u32,
}

impl SearchLimits {
    /// Limits a search to `n_simulations` simulations, without a time limit.
    pub(crate) const fn from_simulations(n_simulations: u32) -> SearchLimits {
        SearchLimits { n_simulations, time: None, n_trees: 1 }
    }
}

/// The maximum number of positions of an exact solution, for each simulation of the limit.
const POSITIONS_PER_SIMULATION: u32 = 60;
/// The maximum number of positions of an exact solution, for each second of a time limit.
const POSITIONS_PER_SECOND: f64 = 25_000.0;

/// Tree search over decisions.
///
/// A simulation begins at the root and follows the branches with the best results or the fewest
/// simulations; chance draws by its probabilities. At a new node, the simulation judges the options
/// as the greedy player does and by a learned value, and follows the most promising option. A
/// rollout then plays a few turns. The result of the simulation follows from the scores if the game
/// ended there and from the learned value. Everything hidden from the player is redealt for each
/// simulation. If few draws are left, the search solves the rest of the game exactly instead.
pub struct Search {
    rng: Rng,
    limits: SearchLimits,
    restriction: Restriction,
    /// The learned value to use in place of that of the mods.
    value: Option<Arc<LearnedValue>>,
    /// The judge of the positions of these mods; `None` before the first choice.
    judge: Option<(Arc<Catalogue>, Rc<Judge>)>,
    stops: Option<Rc<dyn Fn() -> bool>>,
    thoughts: Vec<OptionAssessment>,
    kept: Option<CachedTrees>,
    fault: Option<Box<Fault>>,
}

/// The search trees of the last choice. The next choice reuses the trees if the game is then in
/// `state`.
struct CachedTrees {
    state: State,
    trees: Vec<SearchTree>,
}

impl Search {
    /// Makes a player that searches within `limits` and is subject to `restriction`. The player's
    /// random choices follow from `seed`.
    pub fn new(seed: u64, limits: SearchLimits, restriction: Restriction) -> Search {
        Search {
            rng: Rng::new(seed),
            limits,
            restriction,
            value: None,
            judge: None,
            stops: None,
            thoughts: Vec::new(),
            kept: None,
            fault: None,
        }
    }

    /// Uses `value` in all games, in place of the value of the mods.
    pub(crate) fn with_value(self, value: Arc<LearnedValue>) -> Search {
        Search { value: Some(value), ..self }
    }

    /// Returns the judge of positions of these mods. If their trained value is not valid, records a
    /// fault and uses the built-in value.
    fn judge(&mut self, catalogue: &Arc<Catalogue>) -> Rc<Judge> {
        if let Some((_, judge)) = self.judge.as_ref().filter(|(known, _)| Arc::ptr_eq(known, catalogue)) {
            return judge.clone();
        }
        let value = match &self.value {
            Some(value) => value.clone(),
            None => LearnedValue::for_mods(catalogue).unwrap_or_else(|error| {
                let failure = Failure::from(error.to_string());
                self.fault = Some(Box::new(Fault { failure, ..Fault::default() }));
                LearnedValue::builtin()
            }),
        };
        let judge = Rc::new(Judge::with_learned_value(value));
        self.judge = Some((catalogue.clone(), judge.clone()));
        judge
    }

    /// Solves the end of the game. Returns the best option first, or `None` if the game is too long
    /// to solve.
    fn solve(
        &mut self,
        rules: &Rc<Rules>,
        state: &State,
        judge: &Judge,
        bound: &SeatRestriction,
    ) -> Option<Vec<OptionAssessment>> {
        let limits = self.limits;
        let begun = Instant::now();
        let is_late = || limits.time.is_some_and(|time| begun.elapsed() >= time / 2);
        let stops = || is_late() || self.stops.as_ref().is_some_and(|stops| stops());
        let n_positions = limits.n_simulations.saturating_mul(POSITIONS_PER_SIMULATION);
        let of_time = limits.time.map(|time| (time.as_secs_f64() * POSITIONS_PER_SECOND) as u32);
        let n_positions = of_time.map_or(n_positions, |most| n_positions.min(most));
        let mut endgame = Endgame::new(judge.lead_scale(), bound, n_positions, &stops);
        let solved = endgame.solve(rules, state, bound.seat);
        let fault = endgame.fault;
        self.fault = self.fault.take().or(fault);
        solved
    }

    fn search(&mut self, rules: &Rc<Rules>, state: &State, me: Seat) -> usize {
        let begun = Instant::now();
        let judge = self.judge(&rules.ruleset.catalogue);
        let bound = SeatRestriction { seat: me, restriction: self.restriction.clone() };
        if let Some(solved) = self.solve(rules, state, &judge, &bound) {
            self.kept = None;
            self.thoughts = solved;
            return self.thoughts.first().map_or(0, |best| best.option);
        }
        let kept = self.kept.take().filter(|kept| kept.state == *state);
        let mut trees = kept.map_or_else(Vec::new, |kept| kept.trees);
        trees.resize_with(self.limits.n_trees.max(1) as usize, SearchTree::new);
        let growth = Growth { state, bound: &bound, limits: self.limits, begun };
        let fault = growth.grow_all(rules, &judge, &mut trees, &mut self.rng, self.stops.as_deref());
        self.fault = self.fault.take().or(fault);
        let branches = root_branches(&trees);
        let Some(SearchBranch { option, .. }) = best_branch(&branches).copied() else { return 0 };
        self.thoughts = branches.iter().filter(|b| b.n_simulations > 0).map(SearchBranch::assessment).collect();
        self.thoughts.sort_by_key(|thought| (thought.option != option, std::cmp::Reverse(thought.n_simulations)));
        let mut trial = Trial::new(rules, state);
        trial.answer(option);
        if trial.decision().is_some_and(|next| next.who == Actor::Player(me)) {
            let trees = trees.into_iter().map(|tree| tree.after(option)).collect();
            self.kept = Some(CachedTrees { state: trial.state().clone(), trees });
        }
        option
    }
}

impl Player for Search {
    fn reset(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.kept = None;
        self.thoughts.clear();
    }

    fn choose(&mut self, view: &View<'_>) -> usize {
        self.thoughts.clear();
        let Actor::Player(me) = view.decision.who else { return 0 };
        if view.decision.n_options(view.state) < 2 {
            return 0;
        }
        self.search(view.rules, view.state, me)
    }

    fn take_fault(&mut self) -> Option<Box<Fault>> {
        self.fault.take()
    }

    fn move_statistics(&self) -> &[OptionAssessment] {
        &self.thoughts
    }

    fn set_stop(&mut self, stops: Rc<dyn Fn() -> bool>) {
        self.stops = Some(stops);
    }
}

/// The conditions under which the trees of one choice grow.
struct Growth<'a> {
    state: &'a State,
    bound: &'a SeatRestriction,
    limits: SearchLimits,
    begun: Instant,
}

impl Growth<'_> {
    /// Grows each of `trees`, the first one on this thread with the random numbers of `rng`, and
    /// each of the others on a thread of its own. Returns the first fault of a mod, if any.
    fn grow_all(
        &self,
        rules: &Rc<Rules>,
        judge: &Judge,
        trees: &mut [SearchTree],
        rng: &mut Rng,
        stops: Option<&dyn Fn() -> bool>,
    ) -> Option<Box<Fault>> {
        let (first, others) = trees.split_first_mut()?;
        let seeds: Vec<u64> = others.iter().map(|_| rng.next_u64()).collect();
        let is_stopped = &AtomicBool::new(false);
        let stops_here = || {
            let stops = stops.is_some_and(|stops| stops());
            is_stopped.fetch_or(stops, Ordering::Relaxed) || stops
        };
        let (mut fault, grown) = thread::scope(|scope| {
            let mut threads = Vec::new();
            for (tree, seed) in others.iter_mut().zip(&seeds) {
                let started = rules.maker().zip(judge.learned_value()).and_then(|(make_rules, value)| {
                    let grow = move || {
                        let stops = || is_stopped.load(Ordering::Relaxed);
                        let rules = Rc::new(make_rules().ok()?);
                        let judge = Judge::with_learned_value(value);
                        Some(self.grow(&rules, &judge, tree, &mut Rng::new(*seed), &stops))
                    };
                    task::spawn_scoped(scope, STACK_BYTES, grow)
                });
                threads.push(started);
            }
            let fault = self.grow(rules, judge, first, rng, &stops_here);
            let grown: Vec<_> = threads.into_iter().map(|thread| thread?.join().ok().flatten()).collect();
            (fault, grown)
        });
        for ((tree, seed), grown) in others.iter_mut().zip(seeds).zip(grown) {
            // Without a thread, as in a page, this thread grows the tree.
            let of_tree = grown.unwrap_or_else(|| self.grow(rules, judge, tree, &mut Rng::new(seed), &stops_here));
            fault = fault.or(of_tree);
        }
        fault
    }

    /// Grows `tree` within the limits, until `stops` returns true. Returns the first fault of a
    /// mod, if any.
    fn grow(
        &self,
        rules: &Rc<Rules>,
        judge: &Judge,
        tree: &mut SearchTree,
        rng: &mut Rng,
        stops: &dyn Fn() -> bool,
    ) -> Option<Box<Fault>> {
        let SeatRestriction { seat: me, restriction } = self.bound;
        let mut trial = Trial::new(rules, self.state);
        let mut fault = None;
        let stops = &|| self.limits.time.is_some_and(|time| self.begun.elapsed() >= time) || stops();
        tree.judge_root(&mut trial, judge, &Chooser { me: *me, restriction, stops });
        while !tree.is_decided(self.limits.n_simulations) && !stops() {
            match redeal_hidden(rules, self.state, (*me).into(), |n| rng.below(n)) {
                Some(dealt) => {
                    let mut trial = Trial::new(rules, &dealt);
                    tree.simulate(&mut trial, judge, self.bound, rng, stops);
                    fault = fault.or_else(|| trial.take_fault());
                }
                None => {
                    trial.reset();
                    tree.simulate(&mut trial, judge, self.bound, rng, stops);
                }
            }
        }
        fault.or_else(|| trial.take_fault())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::cell::Cell;

    use loader::Library;
    use rules::{Dealer, Game, Question, RulesFactory, Setup};

    use super::*;
    use crate::greedy::Greedy;

    /// Returns a game of the base mod after some turns, in which a player must place a tile.
    fn begun() -> Game {
        let (loaded, problems) = Library::builtin().load(&["base"]);
        let loaded = loaded.unwrap_or_else(|| panic!("{problems}"));
        let rules = Rc::new(loaded.rules(Rules::default_settings(loaded.catalogue())).unwrap());
        let mut game = record::start_game(rules, Setup::of(&["base"], 2)).unwrap();
        let mut dealer = Dealer::new(5);
        let asks_where = |game: &Game| {
            let decision = game.state().decision().unwrap();
            matches!(decision.question, Question::Place(_)) && decision.n_options(game.state()) > 5
        };
        loop {
            game.deal(&mut dealer);
            if game.state().turn().unwrap().number > 8 && asks_where(&game) {
                return game;
            }
            game.answer_nth(0);
        }
    }

    fn chosen(game: &Game, player: &mut impl Player) -> usize {
        let (rules, state) = (game.rules(), game.state());
        player.choose(&View { rules, state, decision: state.decision().unwrap() })
    }

    #[test]
    fn the_same_seed_and_lines_give_the_same_choice() {
        let game = begun();
        let limits = SearchLimits { n_simulations: 60, time: None, n_trees: 1 };
        let choices = [7, 7].map(|seed| {
            let mut player = Search::new(seed, limits, Restriction::NONE);
            (chosen(&game, &mut player), player.move_statistics().to_vec())
        });
        assert_eq!(choices[0], choices[1]);
        let (choice, thoughts) = &choices[0];
        assert_eq!(thoughts[0].option, *choice);
        // Simulations that cannot change the choice any more are skipped.
        let tried: u32 = thoughts.iter().map(|it| it.n_simulations).sum();
        let ahead = thoughts[0].n_simulations - thoughts[1].n_simulations;
        // The last simulation has made up the difference, or exceeded it by one.
        let is_just_decided = tried + ahead == 61 || tried + ahead == 62;
        assert!(tried <= 60 && (tried == 60 || is_just_decided), "{thoughts:?}");
        assert!(
            thoughts.iter().all(|it| it.chance.is_some_and(|chance| (0.0..=1.0).contains(&chance))),
            "{thoughts:?}"
        );
    }

    /// Several trees give the same choice on threads and, with rules that cannot be made again, on
    /// this thread.
    #[test]
    fn several_trees_give_the_same_choice_with_and_without_threads() {
        let game = begun();
        let limits = SearchLimits { n_trees: 3, ..SearchLimits::from_simulations(40) };
        let wrapped = Rc::new(game.rules().wrap_calls(|hooks, function, args, call| hooks.call(function, args, call)));
        assert!(game.rules().maker().is_some() && wrapped.maker().is_none());
        let choices = [game.rules(), &wrapped].map(|rules| {
            let (state, mut player) = (game.state(), Search::new(7, limits, Restriction::NONE));
            let chosen = player.choose(&View { rules, state, decision: state.decision().unwrap() });
            (chosen, player.move_statistics().to_vec())
        });
        assert_eq!(choices[0], choices[1]);
        let n_simulations: u32 = choices[0].1.iter().map(|it| it.n_simulations).sum();
        assert!((41..=120).contains(&n_simulations), "{n_simulations}");
    }

    /// A player that is stopped at once judges only one option.
    #[test]
    fn a_judgement_of_options_ends_when_it_is_told_to() {
        let game = begun();
        let mut player = Greedy::new(1, Restriction::NONE);
        chosen(&game, &mut player);
        assert!(player.move_statistics().len() > 5);
        player.set_stop(Rc::new(|| true));
        chosen(&game, &mut player);
        assert_eq!(player.move_statistics().len(), 1);
    }

    #[test]
    fn thinking_ends_when_it_is_told_to_and_when_it_is_late() {
        let game = begun();
        let mut player =
            Search::new(1, SearchLimits { n_simulations: u32::MAX, time: None, n_trees: 1 }, Restriction::NONE);
        let left = Rc::new(Cell::new(400));
        let counts = left.clone();
        player.set_stop(Rc::new(move || {
            counts.set(counts.get() - 1);
            counts.get() <= 0
        }));
        chosen(&game, &mut player);
        // The estimate of the length of the game and the judgement of each option ask as well.
        let n_simulations: u32 = player.move_statistics().iter().map(|it| it.n_simulations).sum();
        assert!((1..199).contains(&n_simulations), "{n_simulations}");
        let mut player = Search::new(
            1,
            SearchLimits { n_simulations: u32::MAX, time: Some(Duration::from_millis(5)), n_trees: 1 },
            Restriction::NONE,
        );
        assert!(chosen(&game, &mut player) < game.state().decision().unwrap().n_options(game.state()));
    }
}
