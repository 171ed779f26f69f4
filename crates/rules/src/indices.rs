//! Indices into the lists of a catalogue.

use serde::{Deserialize, Serialize};

macro_rules! index {
    ($(#[$doc:meta])* $name:ident($int:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        pub struct $name(pub $int);

        impl $name {
            /// Returns the position as an index.
            pub const fn idx(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index!(
    /// A mod, as a position in [`Catalogue::mods`](crate::Catalogue::mods).
    ModIdx(u8)
);
index!(
    /// A kind of piece, as a position in [`Catalogue::pieces`](crate::Catalogue::pieces).
    PieceKindIdx(u8)
);
index!(
    /// A kind of token, as a position in [`Catalogue::tokens`](crate::Catalogue::tokens).
    TokenIdx(u8)
);
index!(
    /// A kind of pile, as a position in [`Catalogue::piles`](crate::Catalogue::piles).
    PileIdx(u8)
);
index!(
    /// A deck, as a position in [`Catalogue::decks`](crate::Catalogue::decks).
    DeckIdx(u8)
);
index!(
    /// A setting, as a position in [`Catalogue::settings`](crate::Catalogue::settings).
    SettingIdx(u16)
);
index!(
    /// A script function, as a position in [`Catalogue::functions`](crate::Catalogue::functions).
    FnIdx(u16)
);
index!(
    /// A phase of a part, as a position in [`Catalogue::phases`](crate::Catalogue::phases).
    PhaseIdx(u16)
);
