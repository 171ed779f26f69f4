//! Answers chance decisions from a seed. A draw depends on the seed, on the names of the deck and
//! its items, and on the number of shuffles. A roll depends on the seed and on the number of
//! earlier rolls. Neither depends on the number of answers in the log.

use crate::catalogue::ItemType;
use crate::decks::ItemStack;
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

/// The number of orders that a dealer stores. A mod can shuffle a deck any number of times.
const MAX_ORDERS: usize = 8;

/// The order in which the dealer draws the copies in a deck after `cycle` shuffles.
#[derive(Clone, Debug)]
struct DrawOrder {
    deck: DeckIdx,
    cycle: u32,
    /// The priorities of the copies of each item, ascending.
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
    pub(crate) fn answer_to(&mut self, ruleset: &Ruleset, state: &State, decision: &Decision) -> Option<Answer> {
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
        let is_of_group = |order: &DrawOrder| (order.deck, order.cycle) == (deck, group.cycle);
        let at = self.orders.iter().position(is_of_group).unwrap_or_else(|| {
            if self.orders.len() == MAX_ORDERS {
                self.orders.remove(0);
            }
            self.orders.push(DrawOrder::new(ruleset, self.seed, deck, group.cycle));
            self.orders.len() - 1
        });
        let order = &self.orders[at];
        let priority = |stack: &ItemStack| {
            order.priority(stack).unwrap_or_else(|| priority_of_added(ruleset, self.seed, deck, group.cycle, *stack))
        };
        group.stacks.iter().min_by_key(|stack| priority(stack)).map(|stack| stack.item)
    }
}

impl DrawOrder {
    /// Computes the order of the copies that the deck declares.
    fn new(ruleset: &Ruleset, seed: u64, deck: DeckIdx, cycle: u32) -> DrawOrder {
        let declared = &ruleset.catalogue.decks[deck.idx()];
        let n_items = declared.items.iter().map(|(item, _)| *item as usize + 1).max().unwrap_or(0);
        let mut n_copies = vec![0; n_items];
        declared.items.iter().for_each(|(item, n)| n_copies[*item as usize] = *n);
        let (mut all, mut begins) = (Vec::new(), vec![0]);
        for (item, n) in (0..).zip(n_copies) {
            all.extend(priorities(item_hash(ruleset, seed, deck, cycle, item), n));
            begins.push(all.len() as u32);
        }
        DrawOrder { deck, cycle, priorities: all, begins }
    }

    /// Returns the priority of the next copy of a stack; `None` if mods have added copies, so that
    /// the stack has had more copies than the deck declares. The k-th drawn copy of an item has the
    /// k-th smallest priority of that item.
    fn priority(&self, stack: &ItemStack) -> Option<u64> {
        let item = usize::from(stack.item);
        let [begin, end] = *self.begins.get(item..item + 2)? else { return None };
        let of_item = self.priorities.get(begin as usize..end as usize)?;
        of_item.get(usize::from(stack.of - stack.left)).copied().filter(|_| usize::from(stack.of) <= of_item.len())
    }
}

/// Returns the priority of the next copy of a stack to which mods have added copies.
#[cold]
fn priority_of_added(ruleset: &Ruleset, seed: u64, deck: DeckIdx, cycle: u32, stack: ItemStack) -> u64 {
    let of_item = item_hash(ruleset, seed, deck, cycle, stack.item);
    priorities(of_item, stack.of).nth(usize::from(stack.of - stack.left)).unwrap_or_default()
}

/// Returns a hash of an item in a deck after `cycle` shuffles.
fn item_hash(ruleset: &Ruleset, seed: u64, deck: DeckIdx, cycle: u32, item: u16) -> u64 {
    let declared = &ruleset.catalogue.decks[deck.idx()];
    let name = match declared.holds {
        ItemType::Tiles => ruleset.tile_hashes[usize::from(item)],
        ItemType::Cards => ruleset.card_hashes[usize::from(item)],
    };
    mix(mix(mix(seed, hash_text(&declared.name)), u64::from(cycle)), name)
}

/// Returns the priorities of `n` copies of an item with the hash `of_item`, ascending.
fn priorities(of_item: u64, n: u16) -> impl Iterator<Item = u64> {
    let mut all: Vec<u64> = (0..u64::from(n)).map(|copy| mix(of_item, copy)).collect();
    all.sort_unstable();
    all.into_iter()
}

/// Mixes a number into a hash (the finaliser of splitmix64).
fn mix(hash: u64, n: u64) -> u64 {
    let mut z = hash.wrapping_add(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
