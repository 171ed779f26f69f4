//! Answers chance decisions from a seed. A draw depends on the seed, on the names of the deck and
//! its items, and on the number of shuffles. A roll depends on the seed and on the number of
//! earlier rolls. Neither depends on the number of answers in the log, with one exception: draws
//! among copies that mods added to a deck.

use crate::catalogue::ItemType;
use crate::indices::DeckIdx;
use crate::ruleset::{Ruleset, hash_text};
use crate::state::{Actor, Answer, Decision, Question, State};

/// Answers chance decisions from a seed.
///
/// Each copy of an item has a priority, computed from the seed, the deck, the item, the number of
/// the copy and the number of shuffles. The dealer draws the item with the smallest priority in the
/// first group of the deck. Therefore undo and redo give the same tile, and a die roll does not
/// change later draws. Adding a tile to the deck preserves the order of the other tiles.
#[derive(Clone, Debug)]
pub struct Dealer {
    seed: u64,
    /// The orders computed so far, one for each deck and number of shuffles.
    orders: Vec<DrawOrder>,
}

/// The priority of copies that mods add to a deck, beyond those that the deck declares. The dealer
/// draws these copies last in each group.
const LAST_PRIORITY: u64 = u64::MAX;

/// The order in which the dealer draws the copies in a deck after `cycle` shuffles.
#[derive(Clone, Debug)]
struct DrawOrder {
    deck: DeckIdx,
    cycle: u32,
    /// The priorities of the copies of each item, ascending, followed by [`LAST_PRIORITY`].
    priorities: Vec<u64>,
    /// For each item, the index in `priorities` at which the copies of the item begin. The last
    /// entry is the length of `priorities`.
    begins: Vec<u32>,
}

impl Dealer {
    /// Makes a dealer for `seed`.
    pub fn new(seed: u64) -> Dealer {
        Dealer { seed, orders: Vec::new() }
    }

    /// Returns the seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the answer to the open decision if chance decides; `None` if a player decides or no
    /// decision is open.
    pub fn answer(&mut self, ruleset: &Ruleset, state: &State) -> Option<Answer> {
        self.answer_to(ruleset, state.view(), state.decision()?)
    }

    /// Returns the answer to a decision if chance decides; `None` if a player decides. If a
    /// function asks, `state` must contain the effects of that function so far.
    pub fn answer_to(&mut self, ruleset: &Ruleset, state: &State, decision: &Decision) -> Option<Answer> {
        if decision.who != Actor::Chance {
            return None;
        }
        match decision.question {
            Question::Draw(deck) => self.draw(ruleset, state, deck).map(Answer::Draw),
            _ => {
                let n = decision.choices.len().max(1) as u64;
                let hash = mix(mix(self.seed, hash_text("die")), u64::from(state.n_rolls));
                decision.choices.get((hash % n) as usize).copied()
            }
        }
    }

    fn draw(&mut self, ruleset: &Ruleset, state: &State, deck: DeckIdx) -> Option<u16> {
        let group = state.deck(deck).groups.first()?;
        let known = self.orders.iter().position(|o| (o.deck, o.cycle) == (deck, group.cycle));
        let at = known.unwrap_or_else(|| {
            self.orders.push(DrawOrder::new(ruleset, self.seed, deck, group.cycle));
            self.orders.len() - 1
        });
        // The k-th drawn copy of an item in a group has the k-th smallest priority of that item.
        let DrawOrder { priorities, begins, .. } = &self.orders[at];
        let (mut least, mut first) = (LAST_PRIORITY, 0);
        for stack in &group.stacks {
            let item = usize::from(stack.item);
            let Some([begin, end]) = begins.get(item..item + 2) else { continue };
            let copy = (begin + u32::from(stack.of - stack.left)).min(end - 1);
            let priority = priorities[copy as usize];
            if priority < least {
                (least, first) = (priority, stack.item);
            }
        }
        if least != LAST_PRIORITY {
            return Some(first);
        }
        // The deck declares none of the copies left in the group, because mods have added them.
        let n = group.stacks.len() as u64;
        let hash = mix(mix(self.seed, u64::from(state.n_answers())), n);
        Some(group.stacks[(hash % n) as usize].item)
    }
}

impl DrawOrder {
    fn new(ruleset: &Ruleset, seed: u64, deck: DeckIdx, cycle: u32) -> DrawOrder {
        let declared = &ruleset.catalogue.decks[deck.idx()];
        let base = mix(mix(seed, hash_text(&declared.name)), u64::from(cycle));
        let n_items = declared.items.iter().map(|(item, _)| *item as usize + 1).max().unwrap_or(0);
        let mut n_copies = vec![0; n_items];
        declared.items.iter().for_each(|(item, n)| n_copies[*item as usize] = u64::from(*n));
        let (mut priorities, mut begins) = (Vec::new(), vec![0]);
        for (item, n) in n_copies.into_iter().enumerate() {
            let name = match declared.holds {
                ItemType::Tiles => ruleset.tile_hashes[item],
                ItemType::Cards => ruleset.card_hashes[item],
            };
            let of_item = mix(base, name);
            let begin = priorities.len();
            priorities.extend((0..n).map(|copy| mix(of_item, copy)));
            priorities[begin..].sort_unstable();
            priorities.push(LAST_PRIORITY);
            begins.push(priorities.len() as u32);
        }
        DrawOrder { deck, cycle, priorities, begins }
    }
}

/// Mixes a number into a hash (the finaliser of splitmix64).
fn mix(hash: u64, n: u64) -> u64 {
    let mut z = hash.wrapping_add(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
