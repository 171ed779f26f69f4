//! The greedy player: tries every option on a copy and takes the one after which the game, were it over, would pay best.

use std::cmp::Reverse;
use std::rc::Rc;

use rules::{Fault, Game, Hook, PieceKindIdx, Rules, Seat, Setup, State, Status, Who, hint};

use crate::player::{Player, View};
use crate::projection::{finish, settle_markers};
use crate::random::Rng;

/// How many of the best options are looked at once more, with the player's own next choice.
const N_FOLLOWED: usize = 8;

/// A tenth of a point: worths are whole numbers of these.
const POINT: i64 = 10;

/// Looks one choice ahead, and one more where the next question is its own.
///
/// It asks the rules what an option is worth: the copy is answered, goes to the final count at once, and the scores that come out, unfinished
/// features included, are compared. So it knows of no mod and plays all of them.
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
        let mut trial = Trial::new(view.rules, view.state, me);
        let worth = |trial: &mut Trial, i: usize| trial.worth(&[i]).saturating_add(hint_of(i));
        let mut worths: Vec<(i64, usize)> = (0..n).map(|i| (worth(&mut trial, i), i)).collect();
        worths.sort_by_key(|(worth, i)| (Reverse(*worth), *i));
        for (worth, i) in worths.iter_mut().take(N_FOLLOWED) {
            *worth = trial.worth_of_best_follow_up(*i).map_or(*worth, |w| w.saturating_add(hint_of(*i)));
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

/// A copy of the game on which options are tried.
struct Trial {
    game: Game,
    me: Seat,
}

impl Trial {
    fn new(rules: &Rc<Rules>, state: &State, me: Seat) -> Trial {
        // A copy needs no names of mods and players: the state knows who plays.
        let game = Game::from_position(rules.clone(), Setup::default(), Rc::new(state.clone()));
        Trial { game, me }
    }

    /// Plays these answers, and moves a marker wherever one is to be chosen: what an answer brings is booked only then.
    fn play(&mut self, answers: &[usize]) {
        self.game.go_to(0);
        for n in answers {
            self.game.answer_nth(*n);
            settle_markers(&mut self.game);
        }
    }

    /// What the position after these answers is worth to the player.
    fn worth(&mut self, answers: &[usize]) -> i64 {
        self.play(answers);
        let home = self.worth_of_home();
        // A mod that fails in the final count will fail there; what was booked before counts all the same.
        finish(&mut self.game);
        let view = self.game.state().view();
        let own = view.score(self.me);
        // Against one opponent their point is as good as one's own, against many one cannot fight them all.
        let others: i64 = view.seats().filter(|s| *s != self.me).map(|s| view.score(s)).sum();
        let n_others = i64::from(view.n_seats).max(2) - 1;
        POINT * own - POINT * others / n_others + home
    }

    /// Pieces at home are worth something, the first ones most: the last follower should not go for a single point.
    fn worth_of_home(&self) -> i64 {
        let rules = self.game.rules();
        let view = self.game.state().view();
        let kinds = (0..rules.catalogue().pieces.len()).map(|k| PieceKindIdx(k as u8));
        let worth = |kind: PieceKindIdx| (1..=i64::from(view.supply(Some(self.me), kind))).map(|n| 15 / n).sum::<i64>();
        kinds.map(worth).sum()
    }

    /// The worth of option `n` with the best of the player's own answers to the question that comes next, if it is theirs.
    fn worth_of_best_follow_up(&mut self, n: usize) -> Option<i64> {
        self.play(&[n]);
        let Status::Decision(decision) = self.game.status() else { return None };
        if decision.who != Who::Player(self.me) {
            return None;
        }
        let n_options = decision.n_options(self.game.state());
        (0..n_options).map(|m| self.worth(&[n, m])).max()
    }
}
