//! Decks while a game is played: what is left, in groups whose order nobody knows.

use crate::seat_set::SeatSet;

/// How often an item is left in a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stack {
    /// The item (see [`Deck::holds`](crate::Deck)).
    pub item: u16,
    /// How many are left.
    pub left: u16,
    /// How many there were when the group was made.
    pub of: u16,
}

/// A group of a deck: items whose order is not known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Group {
    /// The items left, sorted, none with zero left.
    pub stacks: Vec<Stack>,
    /// How often the deck had been shuffled when the group was made.
    pub cycle: u32,
    /// Who may see what is in it.
    pub seen_by: SeatSet,
}

/// A deck: groups in order, drawn from the front.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeckState {
    /// The groups; none is empty.
    pub groups: Vec<Group>,
    /// How often it was shuffled.
    pub n_shuffles: u32,
}

impl DeckState {
    /// The items that may be drawn next.
    pub fn front(&self) -> &[Stack] {
        self.groups.first().map_or(&[], |g| &g.stacks)
    }

    /// How many items are left.
    pub fn len(&self) -> usize {
        self.groups.iter().flat_map(|g| &g.stacks).map(|s| s.left as usize).sum()
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// How many of `item` are left.
    pub fn count(&self, item: u16) -> usize {
        self.groups.iter().flat_map(|g| &g.stacks).filter(|s| s.item == item).map(|s| s.left as usize).sum()
    }

    /// Takes one `item` from the first group that has it.
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

    /// A group of `items`, of which equal ones become one stack.
    pub(crate) fn group(items: impl IntoIterator<Item = (u16, u16)>, cycle: u32) -> Group {
        let mut items: Vec<(u16, u16)> = items.into_iter().filter(|(_, n)| *n > 0).collect();
        items.sort_unstable();
        let mut stacks: Vec<Stack> = Vec::new();
        for (item, n) in items {
            match stacks.last_mut() {
                Some(stack) if stack.item == item => {
                    stack.left += n;
                    stack.of += n;
                }
                _ => stacks.push(Stack { item, left: n, of: n }),
            }
        }
        Group { stacks, cycle, seen_by: SeatSet::ALL }
    }

    /// Merges all groups into one whose order is new.
    pub(crate) fn shuffle(&mut self) {
        self.n_shuffles += 1;
        let items = self.groups.drain(..).flat_map(|g| g.stacks).map(|s| (s.item, s.left));
        let group = DeckState::group(items.collect::<Vec<_>>(), self.n_shuffles);
        if !group.stacks.is_empty() {
            self.groups.push(group);
        }
    }
}
