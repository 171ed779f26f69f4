//! Differences between two byte strings, so that a client receives only the changed bytes.
//!
//! A move changes the state of a game in many places. General compressors in pure Rust look back
//! only 32 to 64 kB, which is less than the state of a long game. This module finds blocks of the
//! old bytes anywhere in the new bytes.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The size of the blocks that are compared, in bytes.
const BLOCK_SIZE: usize = 16;

/// The maximum number of bytes that a patch may produce, so that a malicious patch cannot exhaust
/// the memory.
pub const MAX_BYTES: usize = 16 << 20;

/// A part of the new bytes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum DeltaPart {
    /// A range of the old bytes: its start and its length, in bytes.
    Old(u32, u32),
    /// Bytes that do not come from the old bytes.
    New(Vec<u8>),
}

/// The difference between old and new bytes, as parts of the new bytes in order.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Patch(Vec<DeltaPart>);

impl Patch {
    /// Finds the difference between `old` and `new`.
    pub fn between(old: &[u8], new: &[u8]) -> Patch {
        let mut starts: FxHashMap<&[u8], usize> = FxHashMap::default();
        for (i, block) in old.chunks_exact(BLOCK_SIZE).enumerate() {
            starts.entry(block).or_insert(i * BLOCK_SIZE);
        }
        let mut pieces = Vec::new();
        let (mut at, mut literal_from, mut old_at) = (0, 0, 0);
        while at < new.len() {
            // Most ranges of old bytes begin at the end of the previous range.
            let block = new.get(at..at + BLOCK_SIZE);
            let follows = block.is_some() && old.get(old_at..old_at + BLOCK_SIZE) == block;
            let found = if follows { Some(old_at) } else { block.and_then(|block| starts.get(block).copied()) };
            let Some(start) = found else {
                (at, old_at) = (at + 1, old_at + 1);
                continue;
            };
            // The range may begin before the block that was found, so this extends the range
            // backwards.
            let literal = new.get(literal_from..at).unwrap_or_default();
            let before = old.get(..start).unwrap_or_default();
            let n_back = literal.iter().rev().zip(before.iter().rev()).take_while(|(a, b)| a == b).count();
            let (from, new_from) = (start - n_back, at - n_back);
            if new_from > literal_from {
                pieces.push(DeltaPart::New(new.get(literal_from..new_from).unwrap_or_default().to_vec()));
            }
            let rest = old.get(from..).unwrap_or_default().iter().zip(new.get(new_from..).unwrap_or_default());
            let len = rest.take_while(|(a, b)| a == b).count();
            pieces.push(DeltaPart::Old(from as u32, len as u32));
            (at, literal_from, old_at) = (new_from + len, new_from + len, from + len);
        }
        if literal_from < new.len() {
            pieces.push(DeltaPart::New(new.get(literal_from..).unwrap_or_default().to_vec()));
        }
        Patch(pieces)
    }

    /// Returns the new bytes; `None` if the patch does not fit `old`, or if the new bytes would
    /// exceed [`MAX_EVENT_BYTES`](crate::MAX_EVENT_BYTES).
    pub fn apply(&self, old: &[u8]) -> Option<Vec<u8>> {
        let mut new = Vec::new();
        for piece in &self.0 {
            let bytes = match piece {
                DeltaPart::Old(from, len) => old.get(*from as usize..(*from as usize).checked_add(*len as usize)?)?,
                DeltaPart::New(bytes) => bytes,
            };
            if new.len() + bytes.len() > MAX_BYTES {
                return None;
            }
            new.extend_from_slice(bytes);
        }
        Some(new)
    }

    /// Returns the number of bytes in the patch that do not come from the old bytes.
    #[cfg(test)]
    fn n_new(&self) -> usize {
        self.0.iter().map(|piece| if let DeltaPart::New(bytes) = piece { bytes.len() } else { 0 }).sum()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn patches_make_the_new_bytes() {
        let mut rng = fastrand::Rng::with_seed(7);
        for round in 0..2_000 {
            // Uses few different bytes, so that blocks repeat.
            let n_letters = 1 + round % 9;
            let mut old: Vec<u8> = (0..rng.usize(0..300)).map(|_| rng.u8(0..=n_letters as u8)).collect();
            let mut new = old.clone();
            for _ in 0..rng.usize(0..6) {
                let (a, b) = (rng.usize(0..=new.len()), rng.usize(0..=new.len()));
                let added: Vec<u8> = (0..rng.usize(0..40)).map(|_| rng.u8(..)).collect();
                new.splice(a.min(b)..a.max(b).min(a.min(b) + 50), added);
            }
            if rng.bool() {
                std::mem::swap(&mut old, &mut new);
            }
            let patch = Patch::between(&old, &new);
            assert_eq!(patch.apply(&old).unwrap(), new, "round {round}");
        }
    }

    #[test]
    fn small_changes_have_small_patches() {
        let mut rng = fastrand::Rng::with_seed(1);
        let old: Vec<u8> = (0..100_000).map(|_| rng.u8(..)).collect();
        let mut new = old.clone();
        for at in [90_000, 50_000, 20, 10] {
            new.splice(at..at + 3, [1, 2, 3, 4, 5]);
        }
        let patch = Patch::between(&old, &new);
        assert_eq!(patch.apply(&old).unwrap(), new);
        assert!(patch.n_new() < 100, "{} new bytes", patch.n_new());
    }

    #[test]
    fn a_strange_patch_is_refused() {
        let piece = |from, len| Patch(vec![DeltaPart::Old(from, len); 9]);
        assert_eq!(piece(0, 5).apply(&[1, 2, 3]), None);
        assert_eq!(piece(u32::MAX, u32::MAX).apply(&[1, 2, 3]), None);
        assert_eq!(piece(0, (MAX_BYTES / 4) as u32).apply(&vec![0; MAX_BYTES / 4]), None);
    }
}
