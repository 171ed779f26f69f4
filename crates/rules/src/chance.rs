//! Chance answered from a seed: what is drawn and rolled depends on the seed and on names, never on how often anybody asked.

use crate::catalogue::{DeckIdx, Holds};
use crate::decision::{Choice, Question, Who};
use crate::ruleset::Ruleset;
use crate::state::State;

/// A hash of a text (FNV-1a), the same on every machine.
pub fn hash_text(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Mixes a number into a hash (the finaliser of splitmix64).
pub(crate) fn mix(hash: u64, n: u64) -> u64 {
    let mut z = hash.wrapping_add(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Answers decisions of chance from a seed.
///
/// Each copy of a deck's item has a priority made of seed, deck, item, copy and shuffle; the smallest of the front group is drawn. So undo
/// and redo give the same tile, a die shifts no tiles, and adding a tile leaves the order of the others.
#[derive(Clone, Debug)]
pub struct Dealer {
    seed: u64,
    /// Priorities made so far, by deck and shuffle.
    decks: Vec<(DeckIdx, u32, Priorities)>,
}

#[derive(Clone, Debug, Default)]
struct Priorities {
    /// Where the copies of each item begin in `copies`; each item's are sorted.
    first: Vec<u32>,
    copies: Vec<u64>,
}

const NONE: u32 = u32::MAX;

impl Dealer {
    /// A dealer for `seed`.
    pub fn new(seed: u64) -> Dealer {
        Dealer { seed, decks: Vec::new() }
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The answer to the open decision, if it is one of chance.
    pub fn answer(&mut self, ruleset: &Ruleset, state: &State) -> Option<Choice> {
        let decision = state.decision().filter(|d| d.who == Who::Chance)?;
        match decision.question {
            Question::Draw(deck) => self.draw(ruleset, state, deck).map(Choice::Draw),
            _ => {
                let n = decision.choices.len().max(1) as u64;
                let hash = mix(mix(self.seed, hash_text("die")), u64::from(state.n_rolls));
                decision.choices.get((hash % n) as usize).copied()
            }
        }
    }

    fn draw(&mut self, ruleset: &Ruleset, state: &State, deck: DeckIdx) -> Option<u16> {
        let group = state.deck(deck).groups.first()?;
        let known = self.decks.iter().position(|(d, cycle, _)| (*d, *cycle) == (deck, group.cycle));
        let at = known.unwrap_or_else(|| {
            self.decks.push((deck, group.cycle, Priorities::default()));
            self.decks.len() - 1
        });
        let seed = self.seed;
        let priorities = &mut self.decks[at].2;
        let mut best = (u64::MAX, None);
        for stack in &group.stacks {
            let i = stack.item as usize;
            if priorities.first.get(i).is_none_or(|f| *f == NONE) {
                priorities.deal(ruleset, seed, deck, group.cycle, stack.item);
            }
            // The k-th copy to leave the group is the one with the k-th smallest priority.
            let copy = usize::from(stack.of - stack.left);
            let at = priorities.first[i] as usize + copy;
            let priority = priorities.copies.get(at).copied().unwrap_or_else(|| mix(seed, copy as u64));
            if priority <= best.0 {
                best = (priority, Some(stack.item));
            }
        }
        best.1
    }
}

impl Priorities {
    fn deal(&mut self, ruleset: &Ruleset, seed: u64, deck: DeckIdx, cycle: u32, item: u16) {
        let declared = &ruleset.catalogue.decks[deck.idx()];
        let name = match declared.holds {
            Holds::Tiles => ruleset.tile_hashes[item as usize],
            Holds::Cards => ruleset.card_hashes[item as usize],
        };
        // Any number of copies may be put into a deck while playing; they share the declared ones' priorities in turn.
        let n = declared.items.iter().find(|(i, _)| *i == item).map_or(1, |(_, n)| *n).max(1) as usize;
        if self.first.len() <= item as usize {
            self.first.resize(item as usize + 1, NONE);
        }
        self.first[item as usize] = self.copies.len() as u32;
        let base = mix(mix(mix(seed, hash_text(&declared.name)), name), u64::from(cycle));
        let from = self.copies.len();
        self.copies.extend((0..n as u64).map(|copy| mix(base, copy)));
        self.copies[from..].sort_unstable();
    }
}
