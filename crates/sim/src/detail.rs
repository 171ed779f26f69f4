//! Details of a game in addition to its scores: options, the lead, tiles, and sources of points.

use std::collections::BTreeMap;
use std::rc::Rc;

use board::TileIdx;
use players::View;
use rules::{Award, AwardLine, Catalogue, FnIdx, Game, ModIdx, Question, Rules, Seat, State, Trial};

use crate::measure::win_of;
use crate::result::{GameDetail, GameResult, N_MOMENTS};
use crate::tally::Details;

/// A tile placed by a player.
#[derive(Clone, Copy, Debug)]
struct TrackedPlacement {
    tile: TileIdx,
    seat: Seat,
    turn: u32,
    /// The number of answers before the tile was placed.
    n_answers: u32,
    /// The number of tiles on the board before the tile was placed.
    n_laid: usize,
    /// The number of legal placements.
    n_places: usize,
    /// The points that the player gets in the turn of the placement and in the next two turns.
    points: i64,
}

/// The number of turns in which points count for a placed tile: the turn of the placement, and the
/// next two turns of any player.
const N_COUNTED_TURNS: u32 = 3;

/// The beginning of a turn.
#[derive(Debug)]
struct TrackedTurn {
    number: u32,
    player: Seat,
    /// The number of answers before the first decision of the turn.
    n_answers: u32,
    /// The projected scores before the first decision of the turn, by seat.
    projected: Vec<i64>,
}

/// The points that the other players lost in a turn.
#[derive(Clone, Copy, Debug)]
struct TakenPoints {
    points: i64,
    /// The number of answers before the first decision of the turn.
    n_answers: u32,
}

/// Observes games while bots play them, and collects the details of each game. One observer
/// observes many games in sequence.
#[derive(Default)]
pub(crate) struct GameObserver {
    n_options: u64,
    n_obvious: u32,
    placed: Vec<TrackedPlacement>,
    /// The turn that is being played; `None` before the first decision.
    turn: Option<TrackedTurn>,
    /// The points that players have lost in the turns of others so far, by projected scores.
    taken: i64,
    /// The turn in which players lost the most such points.
    most_taken: Option<TakenPoints>,
}

impl GameObserver {
    pub fn begin(&mut self) {
        self.n_options = 0;
        self.n_obvious = 0;
        self.placed.clear();
        (self.turn, self.taken, self.most_taken) = (None, 0, None);
    }

    /// Records a decision of the player at `seat`.
    pub(crate) fn record_decision(&mut self, view: &View<'_>, seat: Seat, n_options: usize) {
        let View { rules, state, decision } = *view;
        self.track_turn(rules, state);
        self.n_options += n_options as u64;
        self.n_obvious += u32::from(n_options == 1);
        if let Question::Place(tile) = decision.question {
            let placed = TrackedPlacement {
                tile,
                seat,
                turn: state.turn().map_or(0, |turn| turn.number),
                n_answers: state.n_answers(),
                n_laid: state.board.n_laid(),
                n_places: n_options,
                points: 0,
            };
            // The player may first choose an option of a mod that places no tile. Then the engine
            // asks for the placement again, and the second decision replaces the first.
            match self.placed.last_mut().filter(|last| last.n_laid == placed.n_laid) {
                Some(last) => *last = placed,
                None => self.placed.push(placed),
            }
        }
    }

    /// If a turn has begun, counts the points that players lost in the turn before.
    fn track_turn(&mut self, rules: &Rc<Rules>, state: &State) {
        let Some(turn) = state.turn() else { return };
        if self.turn.as_ref().is_some_and(|it| it.number == turn.number) {
            return;
        }
        let projected = Trial::new(rules, state).scores().to_vec();
        if let Some(before) = &self.turn {
            let lost = before.projected.iter().zip(&projected).enumerate();
            let lost =
                lost.filter(|(seat, _)| *seat != before.player.idx()).map(|(_, (then, now))| (then - now).max(0));
            let points = lost.sum();
            self.taken += points;
            if points > self.most_taken.map_or(0, |most| most.points) {
                self.most_taken = Some(TakenPoints { points, n_answers: before.n_answers });
            }
        }
        let (number, player, n_answers) = (turn.number, turn.player, state.n_answers());
        self.turn = Some(TrackedTurn { number, player, n_answers, projected });
    }

    /// Returns the number of answers before the turn in which players lost the most points to
    /// another player; `None` if they lost none.
    pub(crate) fn turn_of_most_taken(&self) -> Option<u32> {
        self.most_taken.map(|most| most.n_answers)
    }

    /// Finds the placement of `tile` with the most points for its player. Returns the number of
    /// answers up to and including this placement; `None` if no player placed the tile.
    pub(crate) fn best_placement(&self, tile: TileIdx) -> Option<u32> {
        let laid = self.placed.iter().filter(|placed| placed.tile == tile);
        laid.rev().max_by_key(|placed| placed.points).map(|placed| placed.n_answers + 1)
    }

    /// Returns the details of a finished game, which the seats `winners` have won.
    pub fn detail(&self, game: &Game, winners: &[usize]) -> GameDetail {
        let state = game.state();
        let holes = state.board.open_spots().filter(|open| {
            let neighbours =
                board::Edge::ALL.into_iter().filter(|edge| state.board.neighbour(open.spot, *edge).is_some());
            neighbours.count() >= 3
        });
        GameDetail {
            n_options: self.n_options,
            n_obvious: self.n_obvious,
            n_lead_changes: n_lead_changes(state),
            decided_at: decided_at(state, winners),
            comeback: comeback(state, winners),
            taken: self.taken,
            winner_leads: winner_leads(state, winners),
            n_discards: state.discarded_tiles().len() as u32,
            n_holes: holes.count() as u32,
            n_stuck: state.pieces().filter(|(_, piece)| piece.owner.is_some()).count() as u32,
        }
    }

    /// Adds the results of tiles, the sources of points, and the pieces left in play to `details`.
    pub fn add_to(&mut self, details: &mut Details, game: &Game, result: &GameResult) {
        let state = game.state();
        details.n_games += 1;
        if let Some(detail) = &result.detail {
            let moments = details.n_winner_leads.iter_mut().enumerate();
            moments.for_each(|(moment, n)| *n += u64::from(detail.winner_leads >> moment & 1));
        }
        self.add_placement_points(state);
        for placed in &self.placed {
            if let Some(tile) = details.tiles.get_mut(usize::from(placed.tile.0)) {
                let win = win_of(result, placed.seat.idx());
                tile.add(placed.seat.idx(), placed.n_places, placed.points, win, result.number);
            }
        }
        for tile in state.discarded_tiles() {
            if let Some(tile) = details.tiles.get_mut(usize::from(tile.0)) {
                tile.n_discarded += 1;
            }
        }
        let n_seats = result.scores.len();
        for seat in 0..n_seats {
            if let Some(wins) = details.wins_of_seats.get_mut(seat) {
                *wins += win_of(result, seat) as u64;
            }
        }
        self.add_point_sources(details, game, result.number);
        let kinds = details.stuck.iter_mut().enumerate();
        kinds.for_each(|(kind, n)| {
            let of_it = state.pieces().filter(|(_, p)| p.owner.is_some() && p.kind.idx() == kind);
            n.1.add(of_it.count() as i64, result.number);
        });
    }

    /// Adds to each placed tile the points that its player gets within [`N_COUNTED_TURNS`] turns.
    /// Ignores the final count.
    fn add_placement_points(&mut self, state: &State) {
        let mut next = 0;
        for award in state.awards().iter().filter(|award| !award.is_final) {
            while self.placed.get(next).is_some_and(|placed| placed.n_answers <= award.decision) {
                next += 1;
            }
            let (before, _) = self.placed.split_at_mut(next);
            let Some(turn) = before.last().map(|last| last.turn) else { continue };
            let recent = before.iter_mut().rev().take_while(|placed| placed.turn + N_COUNTED_TURNS > turn);
            recent.filter(|placed| placed.seat == award.player).for_each(|placed| placed.points += award.points);
        }
    }

    /// Adds all points of a game to `details`, by reason and by scoring rule.
    fn add_point_sources(&mut self, details: &mut Details, game: &Game, number: u64) {
        let catalogue = game.rules().catalogue();
        let mut shares: BTreeMap<(LineSource, &str), i64> = BTreeMap::new();
        let mut lands: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
        for award in game.state().awards() {
            let (playing, at_end) = if award.is_final { (0, award.points) } else { (award.points, 0) };
            let (n, m) = lands.entry(&award.reason).or_default();
            (*n, *m) = (*n + playing, *m + at_end);
            for_each_share(award, |line, share| {
                *shares.entry(((line.owner, line.function), &line.reason)).or_default() += share;
            });
        }
        for (reason, (playing, at_end)) in lands {
            details.playing.add(reason, playing, number);
            details.at_end.add(reason, at_end, number);
        }
        for ((source, reason), share) in shares {
            details.by_rule.add(&rule_name(catalogue, source, reason), share, number);
        }
    }
}

/// Returns the points of a game for each player and scoring rule, with the names of rules in
/// [`Details::by_rule`].
pub fn points_by_rule(game: &Game) -> BTreeMap<(Seat, String), i64> {
    let catalogue = game.rules().catalogue();
    let mut points = BTreeMap::new();
    for award in game.state().awards() {
        for_each_share(award, |line, share| {
            let rule = rule_name(catalogue, (line.owner, line.function), &line.reason);
            *points.entry((award.player, rule)).or_default() += share;
        });
    }
    points
}

/// Calls `each` with each line of an award and the points that the line adds.
pub(crate) fn for_each_share<'a>(award: &'a Award, mut each: impl FnMut(&'a AwardLine, i64)) {
    let mut total = 0;
    for line in &award.lines {
        let after = line.apply_to(total);
        each(line, after - total);
        total = after;
    }
}

/// The mod and the function that added a line to an award. Both are `None` for a formula.
type LineSource = (Option<ModIdx>, Option<FnIdx>);

/// Returns the name of a scoring rule, such as `base: score_value, small city` for a function or
/// `city, by its formula`.
pub(crate) fn rule_name(catalogue: &Catalogue, (owner, function): LineSource, reason: &str) -> String {
    let Some(owner) = owner.and_then(|owner| catalogue.mods.get(owner.idx())) else {
        return format!("{reason}, by its formula");
    };
    match function.and_then(|function| catalogue.functions.get(function.idx())) {
        Some(function) => format!("{}: {}, {reason}", owner.id, function.name),
        None => format!("{}: {reason}", owner.id),
    }
}

/// Returns the number of changes of the sole leader. The first sole leader does not count as a
/// change.
fn n_lead_changes(state: &State) -> u32 {
    let mut n = 0_u32;
    for_each_new_leader(state, |_| n += 1);
    n.saturating_sub(1)
}

/// Returns the part of the answers, in thousandths, after which the winner is the sole leader until
/// the end of the game. Returns 1000 if the winner never leads alone at the end, as in a tie.
fn decided_at(state: &State, winners: &[usize]) -> u32 {
    let mut since = None;
    for_each_score(state, |n_answers, scores| {
        let leads = sole_leader(scores).is_some_and(|leader| *winners == [leader]);
        since = if leads { since.or(Some(n_answers)) } else { None };
    });
    let thousandths = |n_answers: u32| u64::from(n_answers) * 1000 / u64::from(state.n_answers().max(1));
    since.map_or(1000, |n_answers| thousandths(n_answers).min(1000) as u32)
}

/// Returns the largest number of points by which a winner was behind the best other player.
fn comeback(state: &State, winners: &[usize]) -> i64 {
    let mut most = 0;
    for_each_score(state, |_, scores| {
        let best = scores.iter().copied().max().unwrap_or(0);
        let behind = winners.iter().filter_map(|seat| Some(best - scores.get(*seat)?)).max();
        most = most.max(behind.unwrap_or(0));
    });
    most
}

/// Returns the value of [`GameDetail::winner_leads`].
fn winner_leads(state: &State, winners: &[usize]) -> u32 {
    let (mut bits, mut moment, mut leads) = (0, 0, false);
    // Sets the bits of all moments up to the answer number `n_answers`.
    let mut go_to = |n_answers: u32, leads: bool| {
        while moment < N_MOMENTS && (moment + 1) * state.n_answers() <= n_answers * N_MOMENTS {
            bits |= u32::from(leads) << moment;
            moment += 1;
        }
    };
    for_each_score(state, |n_answers, scores| {
        go_to(n_answers, leads);
        leads = sole_leader(scores).is_some_and(|leader| winners.contains(&leader));
    });
    go_to(state.n_answers(), leads);
    bits
}

/// Calls `found` each time a player becomes the sole leader who was not the last sole leader.
/// `found` receives the number of answers up to this change.
pub(crate) fn for_each_new_leader(state: &State, mut found: impl FnMut(u32)) {
    let mut leader = None;
    for_each_score(state, |n_answers, scores| {
        if let Some(now) = sole_leader(scores) {
            if leader != Some(now) {
                found(n_answers);
            }
            leader = Some(now);
        }
    });
}

/// Calls `found` after each answer that brings points. `found` receives the number of answers
/// before this one, and the scores by seat after all points of this answer. All points of the final
/// count come together.
fn for_each_score(state: &State, mut found: impl FnMut(u32, &[i64])) {
    let mut scores: Vec<i64> = state.seats().map(|seat| state.score(seat)).collect();
    for award in state.awards() {
        if let Some(score) = scores.get_mut(award.player.idx()) {
            *score -= award.points;
        }
    }
    for batch in state.awards().chunk_by(|a, b| a.decision == b.decision) {
        for award in batch {
            if let Some(score) = scores.get_mut(award.player.idx()) {
                *score += award.points;
            }
        }
        found(batch.first().map_or(0, |award| award.decision), &scores);
    }
}

/// Returns the seat with the best score; `None` if several seats have it.
fn sole_leader(scores: &[i64]) -> Option<usize> {
    let best = scores.iter().max();
    let mut at_best = scores.iter().enumerate().filter(|(_, score)| Some(*score) == best).map(|(seat, _)| seat);
    at_best.next().filter(|_| at_best.next().is_none())
}
