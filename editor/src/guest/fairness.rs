//! The hash of the seed of all draws.

/// The hash of the seed of all draws, and what the guest knows about it.
#[derive(Default)]
pub(super) struct Fairness {
    /// The hash that the host sent first.
    pub hash: Option<String>,
    /// True if the host has sent another hash later, or a seed that does not have the hash.
    pub is_broken: bool,
    /// The record that the host sends when the game is over.
    pub record: Option<String>,
}
