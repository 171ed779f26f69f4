//! Pieces on features. Pieces change more often than tiles, so the board stores pieces apart from
//! tiles. Then a change to a piece copies only the pieces, which are few.

use crate::handles::{LayerIdx, ZoneRef};
use serde::{Deserialize, Serialize};

/// The end of a list of occupants.
const NO_OCCUPANT: u32 = u32::MAX;

/// A set of piece kinds, one bit for each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PieceKindSet(pub u32);

impl PieceKindSet {
    /// Returns whether the two sets share a kind.
    pub const fn intersects(self, other: PieceKindSet) -> bool {
        self.0 & other.0 != 0
    }
}

/// A zone occupied by a piece. A piece on several zones has several occupants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Occupant {
    /// The occupied zone.
    pub zone: ZoneRef,
    /// The layer of the feature for which the piece counts.
    pub layer: LayerIdx,
    /// The number of the piece; the board does not interpret it.
    pub piece: u32,
    /// The kind of the piece: the number of its bit in [`PieceKindSet`].
    pub piece_kind: u8,
    next: u32,
}

/// The occupants of one feature, stored at the root of its tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Head {
    first: u32,
    piece_kinds: PieceKindSet,
}

const EMPTY_HEAD: Head = Head { first: NO_OCCUPANT, piece_kinds: PieceKindSet(0) };

/// All occupants on the board, in a linked list for each feature of each layer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Occupancy {
    /// The heads of the lists, by layer and zone. Only the heads of roots are valid. Zones past the
    /// end are unoccupied.
    heads: Vec<Vec<Head>>,
    occupants: Vec<Occupant>,
    free: Vec<u32>,
    /// The number of occupants of each piece kind.
    n_of_piece_kind: [u16; 32],
    /// The piece kinds with at least one occupant.
    piece_kinds_in_play: PieceKindSet,
}

impl Occupancy {
    pub fn new(n_layers: usize) -> Occupancy {
        Occupancy { heads: vec![Vec::new(); n_layers], ..Occupancy::default() }
    }

    fn head(&self, l: usize, root: ZoneRef) -> Head {
        self.heads[l].get(root.0 as usize).copied().unwrap_or(EMPTY_HEAD)
    }

    fn head_mut(&mut self, l: usize, root: ZoneRef) -> &mut Head {
        let (heads, at) = (&mut self.heads[l], root.0 as usize);
        if heads.len() <= at {
            heads.resize(at + 1, EMPTY_HEAD);
        }
        &mut heads[at]
    }

    /// Returns whether a piece stands on the feature with this root.
    #[inline]
    pub(crate) fn is_occupied(&self, l: usize, root: ZoneRef) -> bool {
        self.head(l, root).first != NO_OCCUPANT
    }

    /// Returns the kinds of pieces anywhere on the board.
    #[inline]
    pub fn all_piece_kinds(&self) -> PieceKindSet {
        self.piece_kinds_in_play
    }

    /// Returns the kinds of pieces on the feature with this root.
    #[inline]
    pub fn piece_kinds(&self, layer: LayerIdx, root: ZoneRef) -> PieceKindSet {
        self.head(layer.0 as usize, root).piece_kinds
    }

    /// Iterates over the occupants of the feature with this root.
    pub fn occupants(&self, layer: LayerIdx, root: ZoneRef) -> impl Iterator<Item = &Occupant> + '_ {
        let mut at = self.head(layer.0 as usize, root).first;
        std::iter::from_fn(move || {
            let occupant = self.occupants.get(at as usize)?;
            at = occupant.next;
            Some(occupant)
        })
    }

    /// Adds an occupant to the feature with this root.
    pub fn occupy(&mut self, root: ZoneRef, layer: LayerIdx, zone: ZoneRef, piece: u32, piece_kind: u8) {
        let first = self.head(layer.0 as usize, root).first;
        let occupant = Occupant { zone, layer, piece, piece_kind, next: first };
        let at = match self.free.pop() {
            Some(at) => {
                self.occupants[at as usize] = occupant;
                at
            }
            None => {
                self.occupants.push(occupant);
                self.occupants.len() as u32 - 1
            }
        };
        let head = self.head_mut(layer.0 as usize, root);
        head.first = at;
        head.piece_kinds.0 |= 1 << piece_kind;
        self.n_of_piece_kind[piece_kind as usize] += 1;
        self.piece_kinds_in_play.0 |= 1 << piece_kind;
    }

    /// Removes all occupants of a piece from the feature with this root.
    pub fn vacate(&mut self, root: ZoneRef, layer: LayerIdx, piece: u32) {
        let l = layer.0 as usize;
        let mut before = NO_OCCUPANT;
        let mut at = self.head(l, root).first;
        let mut piece_kinds = PieceKindSet::default();
        while at != NO_OCCUPANT {
            let occupant = self.occupants[at as usize];
            if occupant.piece == piece {
                match before {
                    NO_OCCUPANT => self.head_mut(l, root).first = occupant.next,
                    _ => self.occupants[before as usize].next = occupant.next,
                }
                self.free.push(at);
                let left = &mut self.n_of_piece_kind[occupant.piece_kind as usize];
                *left -= 1;
                if *left == 0 {
                    self.piece_kinds_in_play.0 &= !(1 << occupant.piece_kind);
                }
            } else {
                piece_kinds.0 |= 1 << occupant.piece_kind;
                before = at;
            }
            at = occupant.next;
        }
        if self.has_head(l, root) {
            self.head_mut(l, root).piece_kinds = piece_kinds;
        }
    }

    fn has_head(&self, l: usize, root: ZoneRef) -> bool {
        (root.0 as usize) < self.heads[l].len()
    }

    /// Moves the occupants of the feature with root `gone` to the front of the list of the feature
    /// with root `kept`.
    pub fn join(&mut self, l: usize, kept: ZoneRef, gone: ZoneRef) {
        let moved = std::mem::replace(self.head_mut(l, gone), EMPTY_HEAD);
        let mut end = moved.first;
        while self.occupants[end as usize].next != NO_OCCUPANT {
            end = self.occupants[end as usize].next;
        }
        let head = self.head_mut(l, kept);
        head.piece_kinds.0 |= moved.piece_kinds.0;
        let rest = std::mem::replace(&mut head.first, moved.first);
        self.occupants[end as usize].next = rest;
    }

    /// Empties the list of the feature with this root. Adds the indices of its occupants to
    /// `indices`; [`Occupancy::reinsert`] accepts such an index.
    pub(crate) fn drain_into(&mut self, l: usize, root: ZoneRef, indices: &mut Vec<u32>) {
        if !self.has_head(l, root) {
            return;
        }
        let mut at = std::mem::replace(self.head_mut(l, root), EMPTY_HEAD).first;
        while at != NO_OCCUPANT {
            indices.push(at);
            at = self.occupants[at as usize].next;
        }
    }

    /// Puts the occupant with index `index` back on its zone, which must be a separate feature.
    pub(crate) fn reinsert(&mut self, l: usize, index: u32) {
        let Occupant { zone, piece_kind, .. } = self.occupants[index as usize];
        let head = self.head_mut(l, zone);
        head.piece_kinds.0 |= 1 << piece_kind;
        let rest = std::mem::replace(&mut head.first, index);
        self.occupants[index as usize].next = rest;
    }
}
