//! The limits for what mods may add to a game.

/// The maximum number of parts that mods may add to a turn.
pub(crate) const MAX_PARTS: usize = 64;

/// The maximum number of entries in each growing list of a game, such as notes or piles. Real games
/// need far fewer entries, and lists of this length fit in memory.
pub(crate) const MAX_THINGS: usize = 1 << 16;

/// The maximum number of items in an open row.
pub(crate) const MAX_ROW: usize = 100;

/// The maximum size of the notes and awards of a game, in bytes. Guests receive the whole game in
/// one message of at most 16 MB, so a game must stay well below that.
pub(crate) const MAX_BYTES_OF_GAME: usize = 8 << 20;
