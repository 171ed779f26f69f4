//! Indices into the lists of a catalogue.

use serde::{Deserialize, Serialize};

macro_rules! index {
    ($(#[$doc:meta])* $name:ident($int:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        pub struct $name(pub $int);

        impl $name {
            /// Returns the index as a `usize`.
            pub const fn idx(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index!(
    /// A mod, as an index into [`Catalogue::mods`](crate::Catalogue::mods).
    ModIdx(u8)
);
index!(
    /// A kind of piece, as an index into [`Catalogue::pieces`](crate::Catalogue::pieces).
    PieceKindIdx(u8)
);
index!(
    /// A kind of token, as an index into [`Catalogue::tokens`](crate::Catalogue::tokens).
    TokenIdx(u8)
);
index!(
    /// A kind of pile, as an index into [`Catalogue::piles`](crate::Catalogue::piles).
    PileIdx(u8)
);
index!(
    /// A deck, as an index into [`Catalogue::decks`](crate::Catalogue::decks).
    DeckIdx(u8)
);
index!(
    /// A setting, as an index into [`Catalogue::settings`](crate::Catalogue::settings).
    SettingIdx(u16)
);
index!(
    /// A script function, as an index into [`Catalogue::functions`](crate::Catalogue::functions).
    FnIdx(u16)
);
index!(
    /// A phase of a part of a turn, as an index into
    /// [`Catalogue::phases`](crate::Catalogue::phases).
    PhaseIdx(u16)
);
