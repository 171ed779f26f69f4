//! The rules, bots and results of one thread of a simulation. The thread plays one game after
//! another.

use std::rc::Rc;
use std::sync::Arc;

use record::{position, record_of, saved_setup};
use rules::{Game, Rules, RulesFactory, Setup};

use crate::calls::{FunctionCalls, FunctionCost, with_counters};
use crate::detail::GameObserver;
use crate::game::{GamePlayers, play};
use crate::plan::{Plan, PlanError};
use crate::result::GameResult;
use crate::stats::Report;
use crate::tally::Details;

/// The rules and bots of one thread, and the results of the games that it has played.
pub(crate) struct SimThread<'p> {
    plan: &'p Plan,
    rules: Rc<Rules>,
    /// The game at its first decision. Every game starts as a copy of this game.
    opening: Game,
    bots: GamePlayers,
    costs: Option<Rc<[FunctionCost]>>,
    pub report: Report,
}

impl<'p> SimThread<'p> {
    /// Makes rules and bots for `plan`.
    ///
    /// # Errors
    /// Returns an error if the rules cannot be made, or if the position of the setup cannot be
    /// built.
    pub fn new(factory: &dyn RulesFactory, plan: &'p Plan) -> Result<SimThread<'p>, PlanError> {
        let made = factory.rules(plan.settings.clone());
        let mut rules = made.map_err(|f| PlanError(format!("{}:{}:{}: {}", f.file, f.line, f.column, f.message)))?;
        let mut costs = None;
        if plan.counts_calls {
            let (counting, cells) = with_counters(&rules);
            (rules, costs) = (counting, Some(cells));
        }
        let rules = Rc::new(rules);
        let start = position(&rules, &plan.setup).map_err(|e| PlanError(e.to_string()))?;
        let bots = GamePlayers::new(plan);
        let opening = Game::from_position(rules.clone(), plan.setup.clone(), Arc::new(start));
        let mut report = Report::new(plan);
        report.details = plan.details.then(|| Details::of(rules.catalogue(), plan.players.len()));
        Ok(SimThread { plan, rules, opening, bots, costs, report })
    }

    /// Returns the game at its first decision.
    pub fn opening(&self) -> &Game {
        &self.opening
    }

    /// Returns the observer of the last game played; `None` if the plan does not collect details.
    pub(crate) fn observer(&self) -> Option<&GameObserver> {
        self.bots.watch.as_ref()
    }

    /// Plays game number `number`, adds the result to the report, and returns the result.
    pub fn play(&mut self, number: u64) -> GameResult {
        self.play_game(number).1
    }

    /// Plays game number `number`, adds the result to the report, and returns the game and the
    /// result.
    pub(crate) fn play_game(&mut self, number: u64) -> (Game, GameResult) {
        let mut game = self.opening.clone();
        game.reserve();
        let plan = self.plan;
        let seed = plan.seed_of(number);
        let mut result = play(&mut game, &mut self.bots, number, seed, plan.rotation(number));
        if plan.with_records || result.fault.is_some() {
            result.record = Some(self.record_of(&game, seed));
        }
        self.report.add(&result);
        if let (Some(watch), Some(details), None) = (&mut self.bots.watch, &mut self.report.details, &result.fault) {
            watch.add_to(details, &game, &result);
        }
        (game, result)
    }

    /// Returns the record of a game. Making the record replays the game, which changes the call
    /// counts, so this function restores the counts.
    fn record_of(&self, game: &Game, seed: u64) -> String {
        let costs = || self.costs.iter().flat_map(|c| c.iter());
        let before: Vec<_> = costs().map(|c| (c.n.get(), c.took.get())).collect();
        let setup = Setup { seed: Some(seed), ..saved_setup(game.rules().catalogue(), &self.plan.setup) };
        let record = record_of(&setup, game.log_texts());
        for (cost, (n, took)) in costs().zip(before) {
            cost.n.set(n);
            cost.took.set(took);
        }
        record
    }

    /// Returns the report. If the plan counts calls of mods' functions, the report contains the
    /// counts.
    pub fn into_report(mut self) -> Report {
        self.report.option_uses = std::mem::take(&mut self.bots.option_uses);
        self.report.thinking = std::mem::take(&mut self.bots.thinking);
        if let Some(costs) = self.costs {
            let catalogue = self.rules.catalogue();
            let named = catalogue.functions.iter().zip(costs.iter()).filter(|(_, cost)| cost.n.get() > 0);
            self.report.calls = named
                .map(|(function, cost)| FunctionCalls {
                    owner: catalogue.mods[function.owner.idx()].id.clone(),
                    function: function.name.clone(),
                    n: cost.n.get(),
                    took: cost.took.get(),
                    n_restarted: cost.n_restarted.get(),
                })
                .collect();
        }
        self.report
    }
}
