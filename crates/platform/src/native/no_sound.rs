//! Sounds are not played on this system.

/// True if this system can play sounds.
pub const CAN_PLAY: bool = false;

/// Does nothing.
pub fn play(_samples: &[f32], _rate: u32) {}
