//! Decks during a game: the remaining items, in groups of unknown order.

use crate::seat_set::SeatSet;
use serde::{Deserialize, Serialize};

/// The remaining copies of one item in a group of a deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ItemStack {
    /// The index of the item among the tiles or cards (see [`Deck::holds`](crate::Deck)).
    pub item: u16,
    /// The number of remaining copies.
    pub left: u16,
    /// The number of copies that the group has ever contained, including drawn copies.
    pub of: u16,
}

/// A group of a deck: items in unknown order.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Group {
    /// The remaining items, sorted by item. Each has at least one remaining copy.
    pub stacks: Vec<ItemStack>,
    /// The number of times that the deck had been shuffled when the engine made this group, or
    /// when a mod last mixed items into it.
    pub cycle: u32,
    /// The players who may see which items the group contains.
    pub seen_by: SeatSet,
}

/// A deck: a list of groups. Draws come from the first group.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DeckState {
    /// The groups from top to bottom. No group is empty.
    pub groups: Vec<Group>,
    /// The number of shuffles so far.
    pub(crate) n_shuffles: u32,
    /// The items of the open row beside the deck, in order. Items in this row are not part of the
    /// deck.
    pub row: Vec<u16>,
}

impl Group {
    /// Returns the number of remaining items, counting each copy.
    pub(crate) fn len(&self) -> usize {
        self.stacks.iter().map(|stack| usize::from(stack.left)).sum()
    }
}

impl DeckState {
    /// Returns the items that may be drawn next, which form the first group. Empty if the deck is
    /// empty.
    pub fn front(&self) -> &[ItemStack] {
        self.groups.first().map_or(&[], |g| &g.stacks)
    }

    /// Returns the number of remaining items, counting each copy.
    pub fn len(&self) -> usize {
        self.groups.iter().flat_map(|g| &g.stacks).map(|s| s.left as usize).sum()
    }

    /// Returns whether the deck is empty.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns the number of remaining copies of `item`.
    pub fn count(&self, item: u16) -> usize {
        self.groups.iter().flat_map(|g| &g.stacks).filter(|s| s.item == item).map(|s| s.left as usize).sum()
    }

    /// Takes a copy of `item` from the first group that has one. Returns false if the deck has
    /// none.
    pub(crate) fn take(&mut self, item: u16) -> bool {
        for g in 0..self.groups.len() {
            let stacks = &mut self.groups[g].stacks;
            if let Ok(i) = stacks.binary_search_by_key(&item, |s| s.item) {
                stacks[i].left -= 1;
                if stacks[i].left == 0 {
                    stacks.remove(i);
                }
                if stacks.is_empty() {
                    self.groups.remove(g);
                }
                return true;
            }
        }
        false
    }

    /// Makes a group of `items`, which are pairs of an item and its number of copies. Equal items
    /// form one stack. `cycle` is the number of shuffles of the deck so far.
    pub(crate) fn make_group(items: impl IntoIterator<Item = (u16, u16)>, cycle: u32) -> Group {
        let mut items: Vec<(u16, u16)> = items.into_iter().filter(|(_, n)| *n > 0).collect();
        items.sort_unstable();
        let mut stacks: Vec<ItemStack> = Vec::new();
        for (item, n) in items {
            match stacks.last_mut() {
                Some(stack) if stack.item == item => {
                    stack.left += n;
                    stack.of += n;
                }
                _ => stacks.push(ItemStack { item, left: n, of: n }),
            }
        }
        Group { stacks, cycle, seen_by: SeatSet::ALL }
    }

    /// Mixes `items` into the group at index `at`. The order of this group is unknown again.
    pub(crate) fn mix_into(&mut self, at: usize, items: &[u16]) {
        if items.is_empty() {
            return;
        }
        self.n_shuffles += 1;
        let Group { stacks, seen_by, .. } = &self.groups[at];
        let all = stacks.iter().map(|stack| (stack.item, stack.left)).chain(items.iter().map(|item| (*item, 1)));
        self.groups[at] = Group { seen_by: *seen_by, ..DeckState::make_group(all, self.n_shuffles) };
    }

    /// Merges all groups into one group, whose order is unknown again.
    pub(crate) fn shuffle(&mut self) {
        self.n_shuffles += 1;
        let items = self.groups.drain(..).flat_map(|g| g.stacks).map(|s| (s.item, s.left));
        let group = DeckState::make_group(items.collect::<Vec<_>>(), self.n_shuffles);
        if !group.stacks.is_empty() {
            self.groups.push(group);
        }
    }
}
