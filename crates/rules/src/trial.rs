//! Tries several answers from one position, and computes the final scores as if the game ended
//! after each answer.

use std::cell::Cell;
use std::rc::Rc;

use board::{FeatureRef, LentLayout, PieceKindSet, Scratch};
use diagnostic::never;

use crate::agenda;
use crate::call::Rules;
use crate::catalogue::Formula;
use crate::fault::Fault;
use crate::final_count::{BySeat, FinalCount};
use crate::panics::catch_panic;
use crate::scoring::{DueFormula, due_formula, evaluate, features_with_pieces, majority};
use crate::seat_set::SeatSet;
use crate::state::{Answer, Question, State};
use crate::value::Seat;

/// A copy of a position on which a caller, such as a bot, tries answers.
///
/// Going back to the first position costs almost nothing. The trial recomputes only those parts of
/// the final count that an answer has changed. Therefore a bot examines many more answers with a
/// trial than with copies of a game.
pub struct Trial {
    rules: Rc<Rules>,
    base: State,
    /// The final count at the position where the trial began; `None` until it is needed.
    base_count: Option<FinalCount>,
    state: State,
    count: FinalCount,
    is_at_base: bool,
    has_failed: bool,
    /// The first fault since the last call of `take_fault`. A trial shares this field with the
    /// trials that `fork` makes from it.
    fault: Rc<Cell<Option<Box<Fault>>>>,
    scratch: Scratch,
    is_lent: bool,
}

impl Trial {
    /// Makes a trial that begins at the position of `state`.
    pub fn new(rules: &Rc<Rules>, state: &State) -> Trial {
        Trial::from_base(rules, state.clone(), None, Rc::default())
    }

    fn from_base(
        rules: &Rc<Rules>,
        base: State,
        base_count: Option<FinalCount>,
        fault: Rc<Cell<Option<Box<Fault>>>>,
    ) -> Trial {
        Trial {
            rules: rules.clone(),
            scratch: Scratch::new(&base.board),
            state: base.clone(),
            base,
            base_count,
            count: FinalCount::default(),
            is_at_base: true,
            has_failed: false,
            fault,
            is_lent: false,
        }
    }

    /// Returns a new trial that begins at the current position and has its own copy of the board.
    pub fn fork(&mut self) -> Trial {
        self.update_count();
        Trial::from_base(&self.rules, self.state.clone(), Some(self.count.clone()), self.fault.clone())
    }

    /// Returns whether the trial began at a state equal to `state`, with the same rules object.
    pub fn has_begun_at(&self, rules: &Rc<Rules>, state: &State) -> bool {
        Rc::ptr_eq(&self.rules, rules) && self.base == *state
    }

    /// Returns to the position at which the trial began.
    pub fn reset(&mut self) {
        if self.is_at_base {
            return;
        }
        let lent: Option<LentLayout> = std::mem::take(&mut self.is_lent).then(|| self.state.board.take_lent());
        // Restores the state before it returns the layout: `view` of the old state may share the
        // layout, and the scratch can reuse only a layout that no state shares.
        self.state.clone_from(&self.base);
        if let Some(lent) = lent {
            self.scratch.give_back(lent);
        }
        (self.is_at_base, self.has_failed) = (true, false);
    }

    /// Answers the open decision with option number `n`, counted from 0. If the game then asks
    /// which score marker moves or which feature is booked first, also chooses the first option
    /// each time. The game books the points only after these answers.
    ///
    /// If a mod or the engine fails, the position stays as it was at the failure. The trial then
    /// accepts no more answers until the caller calls [`reset`](Trial::reset).
    ///
    /// # Panics
    /// Panics if the open decision has no option `n`, or no decision is open.
    pub fn answer(&mut self, n: usize) {
        let decision = self.state.decision().expect("a decision is open");
        let choice =
            decision.nth(&self.rules.ruleset, &self.state, n).expect("the decision has an option with this number");
        self.answer_with(choice);
    }

    /// Answers the open decision with the option `choice`. Then answers questions about the booking
    /// of points as [`answer`](Trial::answer) does.
    ///
    /// # Panics
    /// Panics if no decision is open.
    pub fn answer_with(&mut self, choice: Answer) {
        self.answer_only(choice);
        while let Some(decision) = self.decision().filter(|decision| decision.question.is_booking())
            && let Some(first) = decision.nth(&self.rules.ruleset, &self.state, 0)
        {
            self.apply(first);
        }
    }

    /// Answers the open decision with the option `choice`, and no question about the booking of
    /// points. Otherwise as [`answer_with`](Trial::answer_with).
    ///
    /// # Panics
    /// Panics if no decision is open.
    pub fn answer_only(&mut self, choice: Answer) {
        let decision = self.state.decision().expect("a decision is open");
        if let (true, Question::Place(tile), Answer::Place(place)) = (self.is_at_base, decision.question, choice) {
            self.scratch.lend(&mut self.state.position.board, &self.rules.catalogue().tile_set, tile, place);
            self.is_lent = true;
        }
        self.apply(choice);
    }

    fn apply(&mut self, choice: Answer) {
        self.is_at_base = false;
        let Trial { rules, state, .. } = self;
        rules.hooks.reset_budget();
        let done = catch_panic(|| agenda::answer(rules, state, choice));
        let fault = match done {
            Ok(Ok(())) => return,
            Ok(Err(fault)) => fault,
            Err(panic) => agenda::panic_fault(rules, state, panic),
        };
        self.has_failed = true;
        let first = self.fault.take().unwrap_or(fault);
        self.fault.set(Some(first));
    }

    /// Returns the open decision; `None` if the game is over, or if a mod or the engine has failed.
    pub fn decision(&self) -> Option<&crate::state::Decision> {
        self.state.decision().filter(|_| !self.has_failed)
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the current state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns whether a mod or the engine has failed since the trial was last at its first
    /// position.
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Takes the first fault since the last call of this method, if there was one in this trial or
    /// in a trial made from it with [`fork`](Trial::fork).
    pub fn take_fault(&self) -> Option<Box<Fault>> {
        self.fault.take()
    }

    /// Returns the score that each player would have if the game ended now, by seat. The scores
    /// include complete features that are not scored yet. If a mod fails, the scores may lack
    /// points of the final count.
    pub fn scores(&mut self) -> &[i64] {
        self.update_count();
        &self.count.scores[..usize::from(self.state.n_seats)]
    }

    /// Returns the score that one player would have if the game ended now.
    pub fn score(&mut self, seat: Seat) -> i64 {
        self.scores().get(seat.idx()).copied().unwrap_or(0)
    }

    /// Returns the most points that a piece deployed now could claim with one feature that has no
    /// pieces. Uses only the formula of the feature's kind of land: the formula for completion if
    /// the feature is complete, or else the formula for the final count. Returns 0 if the open
    /// decision offers no such deployment.
    pub fn best_claim(&mut self) -> i64 {
        let ruleset = &self.rules.ruleset;
        let Some(decision) = self.state.decision().filter(|it| it.question == Question::Deploy && !self.has_failed)
        else {
            return 0;
        };
        let zones = decision.options(ruleset, &self.state);
        let features = zones.iter().filter_map(|answer| match *answer {
            Answer::Deploy { kind, zone } => Some(self.state.feature_under(ruleset, kind, zone)),
            _ => None,
        });
        let mut features: Vec<FeatureRef> = features.collect();
        features.dedup();
        features.retain(|feature| self.state.board.piece_kinds(*feature) == PieceKindSet::default());
        let pays = |feature: FeatureRef| {
            let board = &self.state.board;
            let points = ruleset.points(feature.layer, board.kind(feature.anchor))?;
            let is_complete = board.is_complete(&ruleset.catalogue.tile_set, feature);
            let formula = points.complete.as_ref().filter(|_| is_complete).or(points.at_end.as_ref())?;
            evaluate(&self.rules, &mut self.state, formula, feature).ok()
        };
        features.into_iter().filter_map(pays).max().unwrap_or(0)
    }

    /// Returns the features that carry pieces and whose kind of land has a formula for points, in
    /// the order of the numbers of the pieces. Omits features that have paid. Uses only the
    /// formulas of the kinds of land: mods may pay more or less. Omits features about which a
    /// function of a mod fails.
    pub fn stakes(&mut self) -> Vec<Stake> {
        self.rules.hooks.reset_budget();
        let mut stakes = Vec::new();
        for feature in features_with_pieces(&self.rules.ruleset, &self.state) {
            match catch_panic(|| self.stake(feature)) {
                Ok(stake) => stakes.extend(stake),
                Err(panic) => never!("{panic}"),
            }
        }
        stakes
    }

    fn stake(&mut self, feature: FeatureRef) -> Option<Stake> {
        let Trial { rules, state, .. } = self;
        let points = rules.ruleset.points(feature.layer, state.board.kind(feature.anchor))?;
        let due = due_formula(rules, state, feature).ok()?;
        let is_complete = state.board.is_complete(&rules.catalogue().tile_set, feature);
        if is_complete && due.is_none() {
            return None;
        }
        let (holders, _) = majority(rules, state, feature).ok()?;
        let mut value = |formula: &Option<Formula>| {
            formula.as_ref().map(|formula| evaluate(rules, state, formula, feature)).transpose()
        };
        let (complete, at_end) = (value(&points.complete).ok()?, value(&points.at_end).ok()?);
        Some(Stake { feature, holders, complete, at_end, awaits_scoring: due == Some(DueFormula::Completed) })
    }

    fn update_count(&mut self) {
        let Trial { rules, base, base_count, state, count, .. } = self;
        let base_count = base_count.get_or_insert_with(|| {
            let mut count = FinalCount::default();
            if let Err(panic) = catch_panic(|| count.count(rules, base, None)) {
                never!("{panic}");
            }
            count
        });
        if self.has_failed {
            count.count_booked(state);
            return;
        }
        if let Err(panic) = catch_panic(|| count.count(rules, state, Some((base, base_count)))) {
            never!("{panic}");
        }
    }
}

/// A feature that carries pieces and may still pay points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stake {
    /// The feature.
    pub feature: FeatureRef,
    /// The players with the majority.
    pub holders: SeatSet,
    /// The points if the feature, as it is, were complete; `None` if it pays nothing then.
    pub complete: Option<i64>,
    /// The points in the final count; `None` if the feature pays nothing then.
    pub at_end: Option<i64>,
    /// True if the running turn has completed the feature and not scored it yet.
    pub awaits_scoring: bool,
}

impl std::fmt::Debug for Trial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scores: &BySeat = &self.count.scores;
        f.debug_struct("Trial").field("scores", scores).field("has_failed", &self.has_failed).finish_non_exhaustive()
    }
}
