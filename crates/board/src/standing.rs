//! Who stands on which feature. It changes more often than what is laid, and is small, so that a copy of it costs little.

use crate::feature::Occupants;
use crate::handles::{LayerIdx, ZoneRef};

/// End of a list of stands.
const NO_STAND: u32 = u32::MAX;

/// A piece's foot on a feature: a piece on several zones has several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stand {
    /// The zone.
    pub zone: ZoneRef,
    /// The layer in which the piece counts.
    pub layer: LayerIdx,
    /// Which piece; the board gives it no meaning.
    pub piece: u32,
    /// The sort of the piece, its bit in [`Occupants`].
    pub sort: u8,
    next: u32,
}

/// What stands on one feature, kept at the root of its tree.
#[derive(Clone, Copy, Debug)]
struct Head {
    first: u32,
    occupants: Occupants,
}

const NOBODY: Head = Head { first: NO_STAND, occupants: Occupants(0) };

/// All feet on the board, in a list for each feature of each layer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    /// By layer and zone; those of roots have a meaning. Shorter than there are zones where nobody has stood on later ones.
    heads: Vec<Vec<Head>>,
    stands: Vec<Stand>,
    free: Vec<u32>,
    /// How many feet of each sort there are.
    n_of_sort: [u16; 32],
    /// Those of which there are any.
    sorts: Occupants,
}

impl Standing {
    pub fn new(n_layers: usize) -> Standing {
        Standing { heads: vec![Vec::new(); n_layers], ..Standing::default() }
    }

    fn head(&self, l: usize, root: ZoneRef) -> Head {
        self.heads[l].get(root.0 as usize).copied().unwrap_or(NOBODY)
    }

    fn head_mut(&mut self, l: usize, root: ZoneRef) -> &mut Head {
        let (heads, at) = (&mut self.heads[l], root.0 as usize);
        if heads.len() <= at {
            heads.resize(at + 1, NOBODY);
        }
        &mut heads[at]
    }

    /// Whether anybody stands on the feature with this root.
    #[inline]
    pub fn is_occupied(&self, l: usize, root: ZoneRef) -> bool {
        self.head(l, root).first != NO_STAND
    }

    /// The sorts of pieces that stand anywhere.
    #[inline]
    pub fn sorts(&self) -> Occupants {
        self.sorts
    }

    /// The sorts of pieces that stand on the feature with this root.
    #[inline]
    pub fn occupants(&self, layer: LayerIdx, root: ZoneRef) -> Occupants {
        self.head(layer.0 as usize, root).occupants
    }

    /// The feet on the feature with this root.
    pub fn stands(&self, layer: LayerIdx, root: ZoneRef) -> impl Iterator<Item = &Stand> + '_ {
        let mut at = self.head(layer.0 as usize, root).first;
        std::iter::from_fn(move || {
            let stand = self.stands.get(at as usize)?;
            at = stand.next;
            Some(stand)
        })
    }

    /// Puts a foot on the feature with this root.
    pub fn stand(&mut self, root: ZoneRef, layer: LayerIdx, zone: ZoneRef, piece: u32, sort: u8) {
        let first = self.head(layer.0 as usize, root).first;
        let stand = Stand { zone, layer, piece, sort, next: first };
        let at = match self.free.pop() {
            Some(at) => {
                self.stands[at as usize] = stand;
                at
            }
            None => {
                self.stands.push(stand);
                self.stands.len() as u32 - 1
            }
        };
        let head = self.head_mut(layer.0 as usize, root);
        head.first = at;
        head.occupants.0 |= 1 << sort;
        self.n_of_sort[sort as usize] += 1;
        self.sorts.0 |= 1 << sort;
    }

    /// Takes all feet of a piece off the feature with this root.
    pub fn leave(&mut self, root: ZoneRef, layer: LayerIdx, piece: u32) {
        let l = layer.0 as usize;
        let mut before = NO_STAND;
        let mut at = self.head(l, root).first;
        let mut occupants = Occupants::default();
        while at != NO_STAND {
            let stand = self.stands[at as usize];
            if stand.piece == piece {
                match before {
                    NO_STAND => self.head_mut(l, root).first = stand.next,
                    _ => self.stands[before as usize].next = stand.next,
                }
                self.free.push(at);
                let left = &mut self.n_of_sort[stand.sort as usize];
                *left -= 1;
                if *left == 0 {
                    self.sorts.0 &= !(1 << stand.sort);
                }
            } else {
                occupants.0 |= 1 << stand.sort;
                before = at;
            }
            at = stand.next;
        }
        if self.is_known(l, root) {
            self.head_mut(l, root).occupants = occupants;
        }
    }

    fn is_known(&self, l: usize, root: ZoneRef) -> bool {
        (root.0 as usize) < self.heads[l].len()
    }

    /// Two features became one: who stood on the one with root `gone` stands on that with root `kept` now, before those who stood there.
    pub fn join(&mut self, l: usize, kept: ZoneRef, gone: ZoneRef) {
        let moved = std::mem::replace(self.head_mut(l, gone), NOBODY);
        let mut end = moved.first;
        while self.stands[end as usize].next != NO_STAND {
            end = self.stands[end as usize].next;
        }
        let head = self.head_mut(l, kept);
        head.occupants.0 |= moved.occupants.0;
        let rest = std::mem::replace(&mut head.first, moved.first);
        self.stands[end as usize].next = rest;
    }

    /// Takes the feet off the feature with this root and adds them to `feet`, to be put back one by one.
    pub fn take(&mut self, l: usize, root: ZoneRef, feet: &mut Vec<u32>) {
        if !self.is_known(l, root) {
            return;
        }
        let mut at = std::mem::replace(self.head_mut(l, root), NOBODY).first;
        while at != NO_STAND {
            feet.push(at);
            at = self.stands[at as usize].next;
        }
    }

    /// Puts a foot that was taken back, where the zone that it stands on is a feature of its own.
    pub fn put_back(&mut self, l: usize, foot: u32) {
        let Stand { zone, sort, .. } = self.stands[foot as usize];
        let head = self.head_mut(l, zone);
        head.occupants.0 |= 1 << sort;
        let rest = std::mem::replace(&mut head.first, foot);
        self.stands[foot as usize].next = rest;
    }
}
