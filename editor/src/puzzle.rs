//! A puzzle on the board: the user's move in it, and the search for the best move.

use std::sync::Arc;

use egui::Context;
use table::{Actor, AwaitedActor, Seat, Session, Snapshot, Step};
use workshop::puzzle::{JudgedMove, Solution};

use crate::jobs::{JobHandle, RecordedGame, SolveJob};
use crate::shown_error::ShownError;

/// The puzzle that was opened last, and its stage.
pub struct Puzzle {
    /// The number of the session in which the puzzle is played.
    session: u64,
    /// The number of answers before the position of the puzzle.
    at: usize,
    /// The player who has to find the best move.
    pub seat: Seat,
    /// The answers, in order, of the move that the author of the puzzle considers best.
    claimed: Vec<String>,
    /// Warnings for the user: the user's mods differ from the mods of the puzzle's author, or the
    /// author's move is not clearly the best with the user's mods.
    pub warnings: Vec<String>,
    /// The values of the moves, or the reason why they cannot be computed; `None` while they are
    /// unknown.
    solution: Option<Result<Solution, ShownError>>,
    /// The user's answers, in order; `None` until the user's move is complete.
    given: Option<Vec<String>>,
    /// True if the user has asked for the best move.
    is_shown: bool,
    /// The search for the solution in progress.
    solving: Option<JobHandle<(), Solution>>,
}

/// The stage of a puzzle.
#[derive(Clone, PartialEq, Debug)]
pub enum PuzzleStage {
    /// The user's move is not complete yet.
    Open,
    /// The user's move is being judged.
    Judging,
    /// The user's move is judged. The first move is the user's, the second the best; each has its
    /// value.
    Judged(JudgedMove, JudgedMove),
    /// The user has asked for the best move, which is given with its value.
    Shown(JudgedMove),
    /// The puzzle cannot be judged, for this reason.
    Failed(String),
}

impl Puzzle {
    /// Makes the puzzle at the position of `session`. `claimed` is the move that the author of the
    /// puzzle considers best.
    ///
    /// # Errors
    /// Returns an error if no player is to move.
    pub(crate) fn new(session: &Session, claimed: Vec<String>, warnings: Vec<String>) -> Result<Puzzle, ShownError> {
        let AwaitedActor::Person(seat) = session.awaited_actor() else {
            return Err(ShownError::new("this puzzle cannot be opened: no player is to move at its end"));
        };
        let (solution, given, solving) = (None, None, None);
        Ok(Puzzle {
            session: session.id(),
            at: session.position_index(),
            seat,
            claimed,
            warnings,
            solution,
            given,
            is_shown: false,
            solving,
        })
    }

    /// Returns whether this puzzle is on the board.
    pub(crate) fn is_on_board(&self, seen: &Snapshot) -> bool {
        self.session == seen.id()
    }

    /// Returns whether the user's move is complete. Decisions after this move do not belong to the
    /// puzzle.
    pub(crate) fn is_answered(&self, seen: &Snapshot) -> bool {
        seen.is_live() && seen.position_index() > self.at && seen.awaited_actor() != AwaitedActor::Person(self.seat)
    }

    /// Returns the stage of the puzzle.
    pub fn stage(&self) -> PuzzleStage {
        let solution = match &self.solution {
            Some(Err(why)) => return PuzzleStage::Failed(format!("the solution cannot be computed: {why}")),
            Some(Ok(solution)) => Some(solution),
            None => None,
        };
        let best = solution.and_then(Solution::best);
        match (&self.given, solution.zip(best)) {
            (None, _) => PuzzleStage::Open,
            (Some(_), None) => PuzzleStage::Judging,
            (Some(_), Some((_, best))) if self.is_shown => PuzzleStage::Shown(best.clone()),
            (Some(given), Some((solution, best))) => match solution.find_move(given) {
                Some(judged) => PuzzleStage::Judged(judged.clone(), best.clone()),
                None => PuzzleStage::Judging,
            },
        }
    }

    /// Returns whether the best move is known.
    pub fn is_solved(&self) -> bool {
        matches!(self.solution, Some(Ok(_)))
    }

    fn solve(&mut self, ctx: &Context, seen: &Snapshot) {
        let game = RecordedGame::until(seen, self.at);
        self.solving = Some(JobHandle::start(ctx, SolveJob { game, given: self.given.clone() }));
    }

    /// Polls the search for the solution.
    fn poll(&mut self) {
        let Some(found) = self.solving.as_ref().and_then(|solving| solving.poll(drop)) else { return };
        self.solving = None;
        if let (Ok(solution), None) = (&found, &self.solution) {
            let agrees = solution.find_move(&self.claimed).is_some_and(|claimed| claimed.behind <= 0.0);
            if !agrees || !solution.is_puzzle() {
                let text = "with your mods, the move of the puzzle's author is not clearly the best";
                self.warnings.push(text.to_owned());
            }
        }
        self.solution = Some(found);
    }

    /// Returns the best move; `None` while it is unknown.
    pub(crate) fn best_move(&self) -> Option<&JudgedMove> {
        self.solution.as_ref()?.as_ref().ok()?.best()
    }

    /// Forgets the user's move. `is_shown` is true if the user has asked for the best move. Returns
    /// the number of answers before the position of the puzzle.
    pub(crate) fn begin_again(&mut self, is_shown: bool) -> usize {
        (self.given, self.is_shown) = (None, is_shown);
        self.at
    }

    /// Starts or polls the search for the solution. When the user's move is complete, stores its
    /// answers. `seen` is the game of the puzzle.
    pub(crate) fn update(&mut self, ctx: &Context, seen: &Snapshot) {
        self.poll();
        if self.solving.is_none() && self.solution.is_none() {
            self.solve(ctx, seen);
        }
        let by_seat = |step: &&Arc<Step>| step.who == Actor::Player(self.seat);
        let answers: Vec<String> =
            seen.steps().iter().skip(self.at).take_while(by_seat).map(|step| step.text.clone()).collect();
        let is_asked = matches!(seen.awaited_actor(), AwaitedActor::Person(seat) if seat == self.seat);
        let is_settled = seen.is_live() && !answers.is_empty() && !is_asked;
        if seen.position_index() <= self.at {
            self.given = None;
        } else if is_settled && self.given.is_none() {
            self.given = Some(answers.into_iter().filter(|text| !text.starts_with("marker ")).collect());
        }
        // The search skips moves that look bad. If the user makes a skipped move, a second search
        // judges it.
        let is_unjudged = match (&self.solution, &self.given) {
            (Some(Ok(solution)), Some(given)) => solution.find_move(given).is_none(),
            _ => false,
        };
        if is_unjudged && self.solving.is_none() {
            self.solve(ctx, seen);
        }
    }
}
