//! Facts about a position for a learned value. No fact mentions a particular mod, so that one value
//! judges the positions of all mods.

use std::sync::Arc;

use board::{Board, CompletionRule, FeatureRef, Spot, TileSet};
use rules::{
    Actor, Catalogue, DeckIdx, ItemType, PieceKindIdx, PieceRef, ReturnTime, Rules, Seat, Stake, State, Trial,
    return_times,
};
use rustc_hash::FxHashMap;

/// The number of facts about the stake of a player in a feature.
pub const N_STAKE_FACTS: usize = 20;
/// The number of facts about a player.
pub const N_PLAYER_FACTS: usize = 11;
/// The number of remaining turns per player above which the facts do not distinguish positions. A
/// game without a deck of tiles counts as having this number of turns.
const HORIZON: f32 = 12.0;
/// The number of tiles that fit a spot, above which the spot counts as sure to be filled.
const MANY_FITTING: u32 = 40;

/// The facts about a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Facts {
    /// The facts about each stake: a feature and a player who has pieces or the majority on it.
    pub stakes: Vec<(Seat, [f32; N_STAKE_FACTS])>,
    /// The facts about each player, by seat.
    pub players: Vec<[f32; N_PLAYER_FACTS]>,
}

/// Reads the facts about positions. Remembers which tile types fit which open spots.
#[derive(Debug, Default)]
pub struct FactReader {
    /// The catalogue to which the remembered tile types belong.
    catalogue: Option<Arc<Catalogue>>,
    /// The tile types that fit, by the requirements of the spot.
    fitting: FxHashMap<u64, Vec<u16>>,
}

/// The tiles that are left in the decks.
struct TilesLeft {
    /// The number of copies of each tile type.
    n_by_type: Vec<u16>,
    n: u32,
    /// The expected number of turns that each player still has.
    n_turns: f32,
}

impl TilesLeft {
    fn new(rules: &Rules, state: &State, n_seats: usize) -> TilesLeft {
        let catalogue = rules.catalogue();
        let (mut n_by_type, mut n, mut has_deck) = (vec![0; catalogue.tile_set.tiles.len()], 0, false);
        for (deck, _) in (0..=u8::MAX).map(DeckIdx).zip(&catalogue.decks).filter(|(_, it)| it.holds == ItemType::Tiles)
        {
            has_deck = true;
            for stack in state.deck(deck).groups.iter().flat_map(|it| &it.stacks) {
                n += u32::from(stack.left);
                if let Some(of_type) = n_by_type.get_mut(usize::from(stack.item)) {
                    *of_type += stack.left;
                }
            }
        }
        let n_turns = if has_deck { n as f32 / n_seats.max(1) as f32 } else { HORIZON };
        TilesLeft { n_by_type, n, n_turns }
    }
}

impl FactReader {
    /// Returns the facts about the current position of `trial`.
    pub fn read(&mut self, trial: &mut Trial) -> Facts {
        let scores = trial.scores().to_vec();
        let stakes = trial.stakes();
        let (rules, state) = (trial.rules(), trial.state());
        let catalogue = &rules.ruleset.catalogue;
        if !self.catalogue.as_ref().is_some_and(|it| Arc::ptr_eq(it, catalogue)) {
            (self.catalogue, self.fitting) = (Some(catalogue.clone()), FxHashMap::default());
        }
        let left = TilesLeft::new(rules, state.view(), scores.len());
        let mut n_fitting = Vec::new();
        let of_stakes = stakes.iter().filter(|it| !it.awaits_scoring).flat_map(|stake| {
            let spots = SpotFacts::of(&self.counts(rules, state.view(), stake.feature, &left, &mut n_fitting));
            stake_facts(rules, state.view(), stake, &spots, &left)
        });
        Facts { stakes: of_stakes.collect(), players: player_facts(rules, state, &scores, &left) }
    }

    /// Returns, for each empty spot that `feature` faces, the number of tiles left that fit it.
    /// `known` contains the numbers of the spots counted before.
    fn counts(
        &mut self,
        rules: &Rules,
        state: &State,
        feature: FeatureRef,
        left: &TilesLeft,
        known: &mut Vec<(Spot, u32)>,
    ) -> Vec<u32> {
        let (board, tile_set) = (&state.board, &rules.catalogue().tile_set);
        let count = |spot: Spot| {
            if let Some((_, n)) = known.iter().find(|(it, _)| *it == spot) {
                return *n;
            }
            // A spot without neighbours has no requirements.
            let open = board.open_spots().find(|it| it.spot == spot);
            let n = open.map_or(left.n, |open| {
                let fitting = self.fitting.entry(open.requirements()).or_insert_with(|| {
                    let tiles = (0..).zip(&tile_set.tiles).filter(|(_, tile)| !tile.is_overlay && open.admits(tile));
                    tiles.map(|(i, _)| i).collect()
                });
                fitting.iter().filter_map(|i| left.n_by_type.get(usize::from(*i))).map(|n| u32::from(*n)).sum()
            });
            known.push((spot, n));
            n
        };
        open_spots_of(board, tile_set, feature).into_iter().map(count).collect()
    }
}

/// Lists the empty spots that must be filled before the feature is complete.
fn open_spots_of(board: &Board, tile_set: &TileSet, feature: FeatureRef) -> Vec<Spot> {
    if tile_set.kind(board.kind(feature.anchor)).closes == CompletionRule::Surrounded {
        let spot = board.tile_at_zone(feature.anchor).spot;
        return spot.surrounding_spots().filter(|it| board.tile_at(*it).is_none()).collect();
    }
    let mut found = Vec::new();
    for zone in board.zones(feature) {
        let placed = board.tile_at_zone(zone);
        let Some(on_tile) = tile_set.tile(placed.tile).zones.get(placed.local_index(zone)) else { continue };
        for port in on_tile.ports.turned(placed.facing).iter() {
            let spot = placed.spot.across(port.edge()).filter(|it| board.tile_at(*it).is_none());
            found.extend(spot.filter(|it| !found.contains(it)));
        }
    }
    found
}

/// The facts about the empty spots that a feature faces.
struct SpotFacts {
    n: f32,
    /// Grows from 0 to 1 with the number of tiles left that fit the most difficult spot.
    worst: f32,
    /// The product over all spots of a number that grows from 0 to 1 with the number of fitting
    /// tiles.
    all: f32,
    /// As `all`, but grows faster.
    all_soon: f32,
    /// 1 if no tile fits one of the spots, and 0 otherwise.
    is_dead: f32,
}

impl SpotFacts {
    fn of(n_fitting: &[u32]) -> SpotFacts {
        let share = |n: u32| n as f32 / (n as f32 + 3.0);
        // Only multiplications, so that all machines get the same numbers.
        let soon = |n: u32| 1.0 - (0..n.min(MANY_FITTING)).fold(1.0, |product: f32, _| product * 0.7);
        let least = n_fitting.iter().copied().min().unwrap_or(MANY_FITTING);
        SpotFacts {
            n: n_fitting.len() as f32,
            worst: share(least),
            all: n_fitting.iter().map(|n| share(*n)).product(),
            all_soon: n_fitting.iter().map(|n| soon(*n)).product(),
            is_dead: number(least == 0),
        }
    }
}

fn number(is_true: bool) -> f32 {
    f32::from(u8::from(is_true))
}

/// Returns the facts about the stakes of all players in one feature.
fn stake_facts(
    rules: &Rules,
    state: &State,
    stake: &Stake,
    spots: &SpotFacts,
    left: &TilesLeft,
) -> Vec<(Seat, [f32; N_STAKE_FACTS])> {
    let Stake { feature, holders, complete, at_end, .. } = *stake;
    let owners = owners_on(state, feature);
    let n_tiles = state.board.n_tiles(feature) as f32;
    let is_complete = state.board.is_complete(&rules.catalogue().tile_set, feature);
    let now = at_end.unwrap_or(0) as f32 / 10.0;
    let gain = complete.map_or(0.0, |whole| whole as f32 / 10.0 - now);
    let (may_complete, pays_at_end) = (number(complete.is_some()), number(at_end.is_some()));
    let n_holders = holders.seats().count();
    let of_seat = |seat: Seat| {
        let own = owners.iter().filter(|it| **it == seat).count();
        let holds = holders.seats().any(|it| it == seat);
        let held = number(holds);
        let facts = [
            held,
            number(holds && n_holders == 1),
            own as f32 / 2.0,
            (owners.len() - own) as f32 / 2.0,
            held * now,
            held * gain,
            (1.0 - held) * (now + gain),
            may_complete,
            pays_at_end,
            spots.n / 4.0,
            spots.worst * may_complete,
            spots.all,
            spots.all_soon * may_complete,
            spots.is_dead * may_complete,
            left.n_turns.min(HORIZON) / HORIZON,
            left.n_turns / (left.n_turns + 8.0),
            n_tiles / 8.0,
            held * gain * spots.all,
            held * gain * spots.all_soon,
            number(is_complete),
        ];
        (own > 0 || holds).then_some((seat, facts))
    };
    state.seats().filter_map(of_seat).collect()
}

/// Returns the owner of each piece on a feature.
fn owners_on(state: &State, feature: FeatureRef) -> Vec<Seat> {
    let mut pieces: Vec<u32> = state.board.occupants(feature).map(|it| it.piece).collect();
    pieces.sort_unstable();
    pieces.dedup();
    pieces.into_iter().filter_map(|it| state.piece(PieceRef(it))?.owner).collect()
}

fn player_facts(rules: &Rules, state: &State, scores: &[i64], left: &TilesLeft) -> Vec<[f32; N_PLAYER_FACTS]> {
    let view = state.view();
    let kinds = || (0..rules.catalogue().pieces.len()).map(|kind| PieceKindIdx(kind as u8));
    let supply = |seat: Seat| {
        let returning = return_times(rules, view, seat).iter().filter(|(_, it)| *it == ReturnTime::ReturnsNow).count();
        kinds().map(|kind| f32::from(view.supply(Some(seat), kind))).sum::<f32>() + returning as f32
    };
    let supplies: Vec<f32> = view.seats().map(supply).collect();
    let all: f32 = supplies.iter().sum();
    let n_others = (supplies.len() as f32 - 1.0).max(1.0);
    let is_between_turns = state.decision().is_none_or(|it| it.who == Actor::Chance);
    let moves = view.turn().map(|_| view.player());
    let soon = left.n_turns.min(HORIZON) / HORIZON;
    let of_seat = |((seat, own), score): ((Seat, &f32), &i64)| {
        let others = scores.iter().enumerate().filter(|(i, _)| *i != seat.idx());
        let lead = score - others.map(|(_, score)| *score).max().unwrap_or(0);
        [
            own / 4.0,
            number(*own < 1.0),
            number(*own <= 1.0),
            number(*own <= 2.0),
            (all - own) / n_others / 4.0,
            soon,
            left.n_turns / 36.0,
            own / 4.0 * soon,
            number(moves == Some(seat) && is_between_turns),
            number(moves == Some(seat) && !is_between_turns),
            lead as f32 / 20.0,
        ]
    };
    view.seats().zip(&supplies).zip(scores).map(of_seat).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::rc::Rc;

    use board::TileIdx;
    use loader::Library;
    use rules::{Dealer, RulesFactory, Setup, Status};

    use super::*;
    use crate::random::Rng;

    /// Plays random games and calls `each` before every choice of a player.
    fn for_each_position(mods: &[&str], mut each: impl FnMut(&mut Trial)) {
        let (loaded, problems) = Library::builtin().load(mods);
        let loaded = loaded.unwrap_or_else(|| panic!("{problems}"));
        let rules = Rc::new(loaded.rules(Rules::default_settings(loaded.catalogue())).unwrap());
        let mut game = record::start_game(rules, Setup::of(mods, 2)).unwrap();
        let (mut dealer, mut rng) = (Dealer::new(3), Rng::new(3));
        loop {
            game.deal(&mut dealer);
            let Status::Decision(decision) = game.status() else { break };
            each(&mut Trial::new(game.rules(), game.state()));
            let n = rng.below(decision.n_options(game.state()));
            game.answer_nth(n);
        }
    }

    #[test]
    fn spots_admit_the_tiles_that_the_board_can_place() {
        let mut n = 0;
        for mods in [&["base", "river"][..], &["hunters-gatherers"], &["allotments"]] {
            for_each_position(mods, |trial| {
                let (board, tile_set) = (&trial.state().view().board, &trial.rules().catalogue().tile_set);
                for (i, tile) in (0..).map(TileIdx).zip(&tile_set.tiles).filter(|(_, tile)| !tile.is_overlay) {
                    let places = board.placements(tile_set, i);
                    for open in board.open_spots() {
                        let is_place = places.iter().any(|place| place.spot == open.spot);
                        assert_eq!(open.admits(tile), is_place, "{} at {:?}", tile.name, open.spot);
                        n += 1;
                    }
                }
            });
        }
        assert!(n > 10_000, "{n}");
    }

    #[test]
    fn facts_are_finite_and_a_kept_reader_reads_the_same() {
        let (mut reader, mut n_stakes) = (FactReader::default(), 0);
        for mods in [&["base"][..], &["hunters-gatherers"], &["allotments"]] {
            for_each_position(mods, |trial| {
                let facts = reader.read(trial);
                assert_eq!(facts, FactReader::default().read(trial));
                assert_eq!(facts.players.len(), 2);
                let mut all = facts.players.iter().flatten().chain(facts.stakes.iter().flat_map(|(_, it)| it));
                assert!(all.all(|it| it.is_finite()), "{facts:?}");
                n_stakes += facts.stakes.len();
            });
        }
        assert!(n_stakes > 500, "{n_stakes}");
    }
}
