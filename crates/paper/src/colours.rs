//! The colours of printed text and light grounds.

/// The colour of cards, discs and light spaces.
pub(crate) const CREAM: [u8; 3] = [0xf7, 0xf2, 0xe4];
/// The colour of text.
pub(crate) const INK: [u8; 3] = [0x2d, 0x26, 0x1f];
