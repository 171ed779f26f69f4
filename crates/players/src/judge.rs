//! The worth of a position to a player, and a ranking of options by that worth.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::sync::Arc;

use rules::{Actor, DeckIdx, ItemType, PieceKindIdx, ReturnTime, Rules, Seat, State, Trial, return_times};

use crate::facts::FactReader;
use crate::learned::LearnedValue;
use crate::random::Rng;
use crate::restriction::Restriction;
use crate::twins::first_equivalents;

/// The worth of one point. Worths are whole numbers, in tenths of a point.
pub const POINT_WORTH: i64 = 10;
/// The worth of a player's first piece of a kind in supply, in tenths of a point. The second piece
/// of this kind adds half as much, the third piece a third, and so on.
const ONLY_PIECE_WORTH: i64 = 40;
/// The cost of a piece that stays on the board to the end, in tenths of a point. The cost is an
/// estimate of the points that the piece could earn elsewhere.
const BOUND_PIECE_COST: i64 = 60;
/// The number of remaining turns per player below which pieces lose worth. The worth of a piece is
/// then proportional to the remaining turns.
const HORIZON: i64 = 12;

/// Judges positions and options: by the scores if the game ended now, or also by a learned value.
#[derive(Default)]
pub(crate) struct Judge {
    /// The learned value, with the reader of its facts; `None` to judge by the scores alone.
    learned: Option<(Arc<LearnedValue>, RefCell<FactReader>)>,
}

impl Judge {
    /// Returns a judge that also uses `learned`.
    pub(crate) fn with_learned_value(learned: Arc<LearnedValue>) -> Judge {
        Judge { learned: Some((learned, RefCell::default())) }
    }

    /// Returns the learned value; `None` if this judge judges by the scores alone.
    pub(crate) fn learned_value(&self) -> Option<Arc<LearnedValue>> {
        self.learned.as_ref().map(|(value, _)| value.clone())
    }

    /// Returns the lead that counts as a win probability of 0.75, in tenths of a point.
    pub(crate) fn lead_scale(&self) -> f64 {
        self.learned.as_ref().map_or(1.0, |(value, _)| f64::from(value.lead)) * POINT_WORTH as f64
    }

    /// Returns the worth of a trial's position to the player `me`, in tenths of a point. This is
    /// the lead over the average of the other players if the game ended now, plus the worth of the
    /// player's pieces, plus the correction by the learned value.
    fn worth(&self, trial: &mut Trial, me: Seat) -> i64 {
        let corrections = self.corrections(trial);
        worth(trial, me) + lead_over_average(corrections.into_iter(), me)
    }

    /// Returns the worth of a trial's position to each player, in tenths of a point and by seat.
    /// This is the score if the game ended now, plus the worth of the player's pieces, plus the
    /// correction by the learned value.
    pub(crate) fn worths(&self, trial: &mut Trial) -> Vec<i64> {
        let (mut worths, corrections) = (projected_worths(trial), self.corrections(trial));
        worths.iter_mut().zip(corrections).for_each(|(worth, more)| *worth += more);
        worths
    }

    /// Returns the corrections by the learned value, in tenths of a point and by seat; empty
    /// without a learned value, and if the game is over.
    fn corrections(&self, trial: &mut Trial) -> Vec<i64> {
        let learned = self.learned.as_ref().filter(|_| trial.decision().is_some());
        let Some((value, reader)) = learned else { return Vec::new() };
        let points = value.corrections(&reader.borrow_mut().read(trial));
        points.into_iter().map(|points| (points * POINT_WORTH as f32) as i64).collect()
    }
}

/// Returns the lead of `me` over the average of the other players.
fn lead_over_average(by_seat: impl ExactSizeIterator<Item = i64> + Clone, me: Seat) -> i64 {
    let own = by_seat.clone().nth(me.idx()).unwrap_or(0);
    let n_others = (by_seat.len() as i64).max(2) - 1;
    own - (by_seat.sum::<i64>() - own) / n_others
}

/// Returns the worth of a trial's position to the player `me` without a learned value, in tenths of
/// a point.
pub(crate) fn worth(trial: &mut Trial, me: Seat) -> i64 {
    let pieces = worth_of_pieces(trial.rules(), trial.state(), me);
    lead_over_average(trial.scores().iter().map(|score| POINT_WORTH * score), me) + pieces
}

/// Returns the score of each player if the game ended now plus the worth of the player's pieces, in
/// tenths of a point and by seat. This is what a learned value corrects.
pub fn projected_worths(trial: &mut Trial) -> Vec<i64> {
    let scores = trial.scores().to_vec();
    let worth = |(seat, score): (Seat, &i64)| POINT_WORTH * score + worth_of_pieces(trial.rules(), trial.state(), seat);
    trial.state().seats().zip(&scores).map(worth).collect()
}

/// Returns the worth of the pieces of `me`, in tenths of a point. This is the worth of the pieces
/// in supply minus the cost of the pieces that stay on the board to the end. Therefore a bot does
/// not deploy its last follower for a single point, nor its first follower on land that pays only
/// in the final count. Pieces that return when complete features are scored count as in supply.
/// Near the end of the game, pieces are worth less.
pub(crate) fn worth_of_pieces(rules: &Rules, state: &State, me: Seat) -> i64 {
    let view = state.view();
    let prospects = return_times(rules, view, me);
    let n_with = |wanted: ReturnTime| prospects.iter().filter(move |(_, it)| *it == wanted);
    let kinds = (0..rules.catalogue().pieces.len()).map(|k| PieceKindIdx(k as u8));
    let n_home = |kind: PieceKindIdx| {
        let returning = n_with(ReturnTime::ReturnsNow).filter(|(it, _)| *it == kind).count();
        i64::from(view.supply(Some(me), kind)) + returning as i64
    };
    let home: i64 = kinds.flat_map(|kind| 1..=n_home(kind)).map(|n| ONLY_PIECE_WORTH / n).sum();
    let bound = BOUND_PIECE_COST * n_with(ReturnTime::StaysToEnd).count() as i64;
    (home - bound) * turns_left(rules, view) / HORIZON
}

/// Estimates the number of turns that each player still has, at most [`HORIZON`], from the number
/// of tiles that are left. In a game without a deck of tiles, returns [`HORIZON`].
fn turns_left(rules: &Rules, state: &State) -> i64 {
    let decks = rules.catalogue().decks.iter().enumerate().filter(|(_, deck)| deck.holds == ItemType::Tiles);
    let n_tiles = decks.map(|(deck, _)| state.deck(DeckIdx(deck as u8)).len()).reduce(|sum, n| sum + n);
    let n_turns = n_tiles.map(|n| n as i64 / (state.seats().count() as i64).max(1));
    n_turns.map_or(HORIZON, |n| n.min(HORIZON))
}

/// An option, and the worth of the position after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RankedOption {
    pub worth: i64,
    pub option: usize,
}

/// An option, and a judgement of the position right after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct JudgedOption {
    /// The worth of the position.
    worth: i64,
    /// The worth plus the most points that a piece deployed next could claim, in tenths of a point.
    promise: i64,
    /// True if the same player also answers the next question.
    goes_on: bool,
    /// The number of the first equivalent option; the number of the option itself if no earlier
    /// option is equivalent.
    twin: usize,
    /// True if the player's restriction permits the option.
    is_allowed: bool,
}

/// Forbids all options but `n` random ones of those that are allowed.
pub(crate) fn overlook_options(judged: &mut [JudgedOption], n: usize, rng: &mut Rng) {
    let mut allowed: Vec<&mut JudgedOption> = judged.iter_mut().filter(|it| it.is_allowed).collect();
    while allowed.len() > n {
        let overlooked = allowed.swap_remove(rng.below(allowed.len()));
        overlooked.is_allowed = false;
    }
}

/// The player who answers a decision.
#[derive(Clone, Copy)]
pub(crate) struct Chooser<'a> {
    pub me: Seat,
    pub restriction: &'a Restriction,
    /// Returns true when the player must choose among the options judged so far.
    pub stops: &'a dyn Fn() -> bool,
}

impl<'a> Chooser<'a> {
    /// Returns a player who is never told to stop.
    pub(crate) fn unhurried(me: Seat, restriction: &'a Restriction) -> Chooser<'a> {
        Chooser { me, restriction, stops: &|| false }
    }
}

/// The options of a decision, ranked.
#[derive(Debug, Default)]
pub(crate) struct Ranking {
    /// The allowed options, the most promising first.
    pub ranked: Vec<RankedOption>,
    /// The follow-up questions: one for each option that was judged again by the best answer to the
    /// next question. Equivalent options share one entry.
    pub follow_ups: Vec<FollowUp>,
}

/// The question that the player must answer after an option, with its judged options.
#[derive(Debug)]
pub(crate) struct FollowUp {
    pub option: usize,
    twin: usize,
    /// A trial that begins at that question.
    pub trial: Trial,
    /// The judged options of that question.
    pub judged: Vec<JudgedOption>,
}

impl Judge {
    /// Judges all options of the decision at which `trial` begins, each option by the position
    /// right after it. When the chooser is told to stop, the options that are not judged yet are
    /// not allowed, unless no allowed option is judged yet.
    pub fn judge(&self, trial: &mut Trial, chooser: &Chooser<'_>) -> Vec<JudgedOption> {
        let Chooser { me, restriction, stops } = *chooser;
        trial.reset();
        let Some(decision) = trial.decision() else { return Vec::new() };
        let options = decision.options(&trial.rules().ruleset, trial.state()).into_owned();
        let twins = first_equivalents(trial.rules(), trial.state(), decision, &options);
        let allowed = restriction.allowed(&trial.rules().ruleset, trial.state(), decision, &options);
        let mut judged: Vec<JudgedOption> = Vec::with_capacity(twins.len());
        let (mut has_allowed, mut is_stopped) = (false, false);
        for ((choice, twin), is_allowed) in options.into_iter().zip(twins).zip(allowed) {
            is_stopped = is_stopped || has_allowed && stops();
            if is_stopped {
                judged.push(JudgedOption { worth: 0, promise: 0, goes_on: false, twin, is_allowed: false });
                continue;
            }
            has_allowed |= is_allowed;
            let known = judged.get(twin).map(|judged| JudgedOption { is_allowed, ..*judged });
            let of_option = known.unwrap_or_else(|| {
                trial.reset();
                trial.answer_with(choice);
                let worth = self.worth(trial, me);
                let goes_on = trial.decision().is_some_and(|next| next.who == Actor::Player(me));
                JudgedOption { worth, promise: worth + POINT_WORTH * trial.best_claim(), goes_on, twin, is_allowed }
            });
            judged.push(of_option);
        }
        judged
    }

    /// Ranks those of the `judged` options that are allowed. Judges the `n_followed` most promising
    /// options again by the best answer to the next question, if the chooser also answers that one.
    /// Adds `bonus` to the worth of each option.
    pub(crate) fn rank(
        &self,
        trial: &mut Trial,
        chooser: &Chooser<'_>,
        judged: &[JudgedOption],
        n_followed: usize,
        bonus: impl Fn(usize) -> i64,
    ) -> Ranking {
        let with_bonus = |option: usize, worth: i64| worth.saturating_add(bonus(option));
        let mut options: Vec<(usize, JudgedOption)> =
            judged.iter().copied().enumerate().filter(|(_, it)| it.is_allowed).collect();
        options.sort_by_cached_key(|(option, it)| (Reverse(with_bonus(*option, it.promise)), *option));
        let mut follow_ups: Vec<FollowUp> = Vec::new();
        let mut worth_followed = |option: usize, twin: usize| {
            let known = follow_ups.iter().position(|known| known.twin == twin);
            let at = known.unwrap_or_else(|| {
                trial.reset();
                trial.answer(option);
                let mut trial = trial.fork();
                let judged = self.judge(&mut trial, chooser);
                follow_ups.push(FollowUp { option, twin, trial, judged });
                follow_ups.len() - 1
            });
            follow_ups.get(at)?.judged.iter().filter(|it| it.is_allowed).map(|it| it.worth).max()
        };
        let mut ranked = Vec::with_capacity(options.len());
        for (place, (option, it)) in options.into_iter().enumerate() {
            let followed = if place < n_followed && it.goes_on { worth_followed(option, it.twin) } else { None };
            ranked.push(RankedOption { worth: with_bonus(option, followed.unwrap_or(it.worth)), option });
        }
        Ranking { ranked, follow_ups }
    }

    /// Judges and ranks the allowed options of the decision at which `trial` begins.
    pub(crate) fn judge_and_rank(
        &self,
        trial: &mut Trial,
        chooser: &Chooser<'_>,
        n_followed: usize,
    ) -> Vec<RankedOption> {
        let judged = self.judge(trial, chooser);
        self.rank(trial, chooser, &judged, n_followed, |_| 0).ranked
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::rc::Rc;

    use loader::Library;
    use rules::{Dealer, RulesFactory, Setup, Status};

    use super::*;

    /// Plays a game, and checks that equivalent options have the same worth if the bot judges them
    /// separately.
    fn twins_are_worth_the_same(mods: &[&str], seed: u64) {
        let (loaded, problems) = Library::builtin().load(mods);
        let loaded = loaded.unwrap_or_else(|| panic!("{problems}"));
        let rules = Rc::new(loaded.rules(Rules::default_settings(loaded.catalogue())).unwrap());
        let mut game = record::start_game(rules, Setup::of(mods, 2)).unwrap();
        let (mut dealer, mut rng) = (Dealer::new(seed), Rng::new(seed));
        loop {
            game.deal(&mut dealer);
            let Status::Decision(decision) = game.status() else { break };
            let Actor::Player(me) = decision.who else { break };
            let mut trial = Trial::new(game.rules(), game.state());
            let judged = Judge::default().judge(&mut trial, &Chooser::unhurried(me, &Restriction::NONE));
            for (option, it) in judged.iter().enumerate().filter(|(option, it)| it.twin != *option) {
                trial.reset();
                trial.answer(option);
                let turn = game.state().turn().unwrap().number;
                let choice = decision.nth(&game.rules().ruleset, game.state(), option);
                assert_eq!(
                    worth(&mut trial, me),
                    it.worth,
                    "{mods:?}, seed {seed}, turn {turn}, {choice:?} of {:?}",
                    decision.prompt
                );
            }
            let n = rng.below(judged.len());
            game.answer_nth(n);
        }
        assert!(game.state().is_over());
    }

    #[test]
    fn options_that_come_to_the_same_are_worth_the_same() {
        for seed in 0..3 {
            twins_are_worth_the_same(&["base"], seed);
            twins_are_worth_the_same(&["hunters-gatherers"], seed);
            twins_are_worth_the_same(
                &["base", "inns-cathedrals", "builders-traders", "king-baron", "gold-mines"],
                seed,
            );
            twins_are_worth_the_same(&["base", "mage-witch", "robbers", "messages", "ferries", "crop-circles"], seed);
        }
    }
}
