//! The greedy player: tries every option on a copy of the game, and chooses the option after which
//! the player would have the best result if the game ended there.

use std::cmp::Reverse;
use std::rc::Rc;

use rules::{Actor, Answer, Fault, Hook, Seat, Trial, hint, option_text};

use crate::judge::{Chooser, FollowUp, Judge, POINT_WORTH, RankedOption, Ranking, overlook_options};
use crate::persona::Persona;
use crate::player::{OptionAssessment, Player, View};
use crate::random::Rng;
use crate::restriction::Restriction;

/// The number of most promising options that the player judges again, together with its answer to
/// the next question.
const N_FOLLOW_UPS: usize = 3;

/// Ranks all options of a decision by their worth to a greedy player, best first. If the same
/// player also answers the question after an option, judges the option by the best answer to that
/// question. This takes longer than [`Greedy::choose`], which looks ahead only for the most
/// promising options. Returns an empty list if chance must decide.
pub fn rank_options(view: &View<'_>) -> Vec<OptionAssessment> {
    let Actor::Player(me) = view.decision.who else { return Vec::new() };
    let mut trial = Trial::new(view.rules, view.state);
    let free = Restriction::NONE;
    let chooser = Chooser::unhurried(me, &free);
    let mut ranked = Judge::default().judge_and_rank(&mut trial, &chooser, usize::MAX);
    ranked.sort_by_key(|it| (Reverse(it.worth), it.option));
    ranked.iter().map(assessment).collect()
}

fn assessment(ranked: &RankedOption) -> OptionAssessment {
    OptionAssessment {
        option: ranked.option,
        n_simulations: 0,
        lead: ranked.worth as f64 / POINT_WORTH as f64,
        chance: None,
    }
}

/// A player that looks one choice ahead. For the most promising options, the player also judges its
/// own answers to the next question.
///
/// The player tries options on a copy of the game. It compares the scores that the players would
/// have if the game ended after the option, including the points of unfinished features. It
/// contains no code for particular mods, so it can play any mod.
pub struct Greedy {
    rng: Rng,
    restriction: Restriction,
    persona: Persona,
    stops: Rc<dyn Fn() -> bool>,
    thoughts: Vec<OptionAssessment>,
    fault: Option<Box<Fault>>,
    /// The question after the last choice, with its judged options; `None` if the player has not
    /// judged them. If that question comes next, the player reuses the judgements.
    foreseen: Option<FollowUp>,
}

impl Greedy {
    /// Makes a player that is subject to `restriction`. The player's choices among equally good
    /// options follow from `seed`.
    pub fn new(seed: u64, restriction: Restriction) -> Greedy {
        Greedy::with_persona(seed, restriction, Persona::Plain)
    }

    /// Makes a player with a taste of its own.
    pub(crate) fn with_persona(seed: u64, restriction: Restriction, persona: Persona) -> Greedy {
        Greedy {
            rng: Rng::new(seed),
            restriction,
            persona,
            stops: Rc::new(|| false),
            thoughts: Vec::new(),
            fault: None,
            foreseen: None,
        }
    }

    /// Returns the additional worth of the options of a decision; empty for a plain player.
    fn bonuses(&self, trial: &mut Trial, view: &View<'_>, me: Seat) -> Vec<i64> {
        if matches!(self.persona, Persona::Plain | Persona::Notices(_)) {
            return Vec::new();
        }
        let (ruleset, state) = (&view.rules.ruleset, view.state);
        let options = view.decision.options(ruleset, state);
        let bonus = |choice: &Answer| {
            let text = option_text(ruleset, state, view.decision, *choice);
            self.persona.bonus(trial, me, *choice, &text)
        };
        options.iter().map(bonus).collect()
    }

    /// Returns the hints of the mods for the `n` options of a decision; empty if no mod gives hints
    /// or a hint fails.
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
    fn reset(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.foreseen = None;
    }

    fn choose(&mut self, view: &View<'_>) -> usize {
        self.thoughts.clear();
        let n = view.decision.n_options(view.state);
        let Actor::Player(me) = view.decision.who else { return 0 };
        if n < 2 {
            return 0;
        }
        // Hints of mods count like points. Collects the hints before any trial, because a trial
        // resets the operation budget that all hints of a decision share.
        let hints = self.hints(view, n);
        let chooser = Chooser { me, restriction: &self.restriction, stops: &*self.stops };
        let foreseen = self.foreseen.take().filter(|it| it.trial.has_begun_at(view.rules, view.state));
        let (mut trial, mut judged) = foreseen.map_or_else(
            || {
                let mut trial = Trial::new(view.rules, view.state);
                let judged = Judge::default().judge(&mut trial, &chooser);
                (trial, judged)
            },
            |it| (it.trial, it.judged),
        );
        if let Persona::Notices(n) = self.persona {
            overlook_options(&mut judged, n as usize, &mut self.rng);
        }
        let bonuses = self.bonuses(&mut trial, view, me);
        let bonus_of = |i: usize| {
            let hint = hints.get(i).map_or(0, |hint| POINT_WORTH.saturating_mul(*hint));
            hint.saturating_add(bonuses.get(i).copied().unwrap_or(0))
        };
        let Ranking { ranked, follow_ups } =
            Judge::default().rank(&mut trial, &chooser, &judged, N_FOLLOW_UPS, bonus_of);
        self.fault = self.fault.take().or_else(|| trial.take_fault());
        let best = ranked.iter().map(|it| it.worth).max().unwrap_or(0);
        let mut of_best = ranked.iter().filter(|it| it.worth == best);
        let chosen = self.rng.below(of_best.clone().count());
        let Some(chosen) = of_best.nth(chosen) else { return 0 };
        self.foreseen = follow_ups.into_iter().find(|it| it.option == chosen.option);
        let others = ranked.iter().filter(|it| it.option != chosen.option);
        self.thoughts.extend([chosen].into_iter().chain(others).map(assessment));
        chosen.option
    }

    fn move_statistics(&self) -> &[OptionAssessment] {
        &self.thoughts
    }

    fn take_fault(&mut self) -> Option<Box<Fault>> {
        self.fault.take()
    }

    fn set_stop(&mut self, stops: Rc<dyn Fn() -> bool>) {
        self.stops = stops;
    }
}
