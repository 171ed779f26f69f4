//! The mods whose items are drawn: their declarations under the chosen settings, and a painter.

use std::sync::Arc;

use art::{Colour, Painter};
use loader::{Loaded, SettingErrors};
use rules::{Catalogue, DeckIdx, PieceKind, RulesFactory as _};

use crate::colours::INK;

/// The maximum number of copies of tiles, cards and pieces that are printed or exported together.
/// All expansions of the base game with the pieces of six players have some 600.
const MAX_COPIES: usize = 10_000;

/// Loaded mods, of which some are printed or exported.
pub(crate) struct PrintSource<'a> {
    /// The ids of the mods to print.
    pub ids: &'a [String],
    /// The declarations of the mods under the chosen settings.
    pub catalogue: Arc<Catalogue>,
    /// Draws the items.
    pub painter: Painter,
    /// True if the items are lightened later to save ink.
    pub saves_ink: bool,
}

/// A reason why mods cannot be printed with the chosen settings and palette.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChoiceError {
    /// The theme has no such palette. Contains the name and all palettes.
    #[error("there is no palette `{}`; the palettes are {}", .0, .1.join(", "))]
    NoPalette(String, Vec<String>),
    /// The mods refuse a setting.
    #[error(transparent)]
    Settings(#[from] SettingErrors),
    /// The mods have this many tiles, cards and pieces, more than can be printed.
    #[error(
        "these mods have {0} tiles, cards and pieces; at most {MAX_COPIES} can be printed: choose fewer mods, or \
         smaller counts"
    )]
    TooMany(usize),
    /// The scripts of the mods fail under the settings. Contains the message of the failure.
    #[error("{0}")]
    Rules(String),
}

impl<'a> PrintSource<'a> {
    /// Applies settings and counts to loaded mods, and makes a painter in `palette` or, if it is
    /// `None`, in the palette that the mods suggest. `n_players` is the number of players for whom
    /// pieces are printed.
    ///
    /// # Errors
    /// Returns an error if a setting or the palette does not exist, if a value is not valid, or if
    /// the mods have too many items.
    pub fn new(
        loaded: &Loaded,
        ids: &'a [String],
        settings: &[(String, String)],
        palette: Option<&str>,
        n_players: usize,
    ) -> Result<PrintSource<'a>, ChoiceError> {
        let theme = loaded.theme();
        if let Some(palette) = palette {
            let known: Vec<String> = theme.palettes().into_iter().map(|(name, _)| name).collect();
            if !known.iter().any(|name| name == palette) {
                return Err(ChoiceError::NoPalette(palette.to_owned(), known));
            }
        }
        let catalogue = match settings {
            [] => loaded.catalogue().clone(),
            _ => {
                let values = loaded.settings_from(settings)?;
                let rules = loaded.rules(values).map_err(|failure| ChoiceError::Rules(failure.message))?;
                Arc::new(rules.catalogue().clone())
            }
        };
        let palette = palette.unwrap_or(theme.suggested_palette());
        let painter = Painter::new(&catalogue.tile_set, theme, palette);
        let source = PrintSource { ids, catalogue, painter, saves_ink: false };
        match source.n_copies(n_players) {
            n if n > MAX_COPIES => Err(ChoiceError::TooMany(n)),
            _ => Ok(source),
        }
    }

    /// Returns the number of tiles, cards and pieces of the mods to print.
    fn n_copies(&self, n_players: usize) -> usize {
        let catalogue = &self.catalogue;
        let decks = (0..=u8::MAX).map(DeckIdx).zip(&catalogue.decks);
        let items = decks.flat_map(|(idx, deck)| deck.items.iter().map(move |(item, n)| (idx, *item, usize::from(*n))));
        let printed = items.filter(|(deck, item, _)| self.prints(catalogue.item_name(*deck, *item)));
        let pieces = catalogue.pieces.iter().filter(|piece| {
            n_players > 0 && catalogue.mods.get(piece.owner.idx()).is_some_and(|owner| self.prints_mod(&owner.id))
        });
        let n_of = |piece: &PieceKind| usize::from(piece.per_player) * n_players + usize::from(piece.neutral);
        printed.map(|(.., n)| n).sum::<usize>() + pieces.map(n_of).sum::<usize>()
    }

    /// Returns an earlier version of the same mods. Applies only the settings that the earlier
    /// version accepts.
    ///
    /// # Errors
    /// Returns an error if the earlier version has no such palette.
    pub fn of_earlier(
        before: &Loaded,
        ids: &'a [String],
        settings: &[(String, String)],
        palette: Option<&str>,
    ) -> Result<PrintSource<'a>, ChoiceError> {
        let accepts = |pair: &&(String, String)| before.settings_from(std::slice::from_ref(pair)).is_ok();
        let known: Vec<(String, String)> = settings.iter().filter(accepts).cloned().collect();
        PrintSource::new(before, ids, &known, palette, 0)
    }

    /// Returns the source of items that are lightened later to save ink, if `saves_ink` is true.
    pub fn with_ink_saving(self, saves_ink: bool) -> PrintSource<'a> {
        PrintSource { saves_ink, ..self }
    }

    /// Returns the colour of text on a dark ground, which is light once ink is saved.
    pub fn text_on_dark(&self) -> Colour {
        Colour::from(if self.saves_ink { INK } else { [255; 3] })
    }

    /// Returns whether a qualified name, such as `ferries/FA`, belongs to a mod to print.
    pub fn prints(&self, name: &str) -> bool {
        name.split_once('/').is_some_and(|(owner, _)| self.prints_mod(owner))
    }

    /// Returns whether the mod `id` is to be printed.
    pub fn prints_mod(&self, id: &str) -> bool {
        self.ids.iter().any(|printed| printed == id)
    }
}
