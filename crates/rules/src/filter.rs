//! Filters in manifests. The engine tests the subject of a mod's function, such as a tile or a
//! feature, against the filter before it runs the script.

use board::{KindSet, PieceKindSet, TagIdx};
use serde::{Deserialize, Serialize};

use crate::indices::PileIdx;

/// A filter from a `[hook.*]` or `[[phase]]` table of a manifest. It limits a mod's function to
/// certain tiles, features and pieces. A subject passes if it meets all conditions; the default
/// filter has none. Conditions that a filter cannot express belong in the script.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Filter {
    /// Accepts only tiles that carry this tag; `None` accepts all tiles. Hooks about a tile test
    /// that tile. Other hooks test the tile of the running part of the turn.
    pub tile_tag: Option<TagIdx>,
    /// Accepts only features, zones or pieces on these kinds of land.
    pub kinds: KindSet,
    /// Accepts only these kinds of pieces.
    pub pieces: PieceKindSet,
    /// Accepts only features that carry at least one of these tags of zones. If empty, accepts all
    /// features.
    pub tags: Vec<TagIdx>,
    /// Accepts only features on which a piece of one of these kinds stands. If empty, accepts all
    /// features.
    pub with: PieceKindSet,
    /// Accepts only features with at least one item of this pile on a spot that counts for the
    /// feature. `None` accepts all features.
    pub pile: Option<PileIdx>,
    /// True if the filter passes only during play, and neither in the final count nor in estimates
    /// of the final count.
    pub only_playing: bool,
    /// True if the filter passes only if a score marker of the active player ends a move on a dark
    /// space.
    pub only_dark: bool,
    /// Accepts only moves in which a score marker leaves a space that contains a piece of one of
    /// these kinds. The piece must not belong to the player of the marker. If empty, accepts all
    /// moves.
    pub beside: PieceKindSet,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            tile_tag: None,
            kinds: KindSet::ALL,
            pieces: PieceKindSet(u32::MAX),
            tags: Vec::new(),
            with: PieceKindSet::default(),
            pile: None,
            only_playing: false,
            only_dark: false,
            beside: PieceKindSet::default(),
        }
    }
}

/// A filter as the modding reference shows it.
#[derive(Clone, Copy, Debug)]
pub struct FilterInfo {
    /// The key in the manifest.
    pub name: &'static str,
    /// The value that the key takes.
    pub takes: &'static str,
    /// The condition that the subject must meet.
    pub about: &'static str,
}

/// All filters, in the order of the reference.
pub const FILTERS: &[FilterInfo] = &[
    FilterInfo {
        name: "only_tile_tag",
        takes: "a tag of tiles",
        about: "The tile carries the tag. For a hook about a tile, this is that tile; for other hooks, also those about features, it is the tile of the current part of the turn. For a tile of the feature, test `feature.tiles.some(|tile| tile.has(\"hill\"))` in the function.",
    },
    FilterInfo {
        name: "only_kind",
        takes: "kinds of land",
        about: "The feature or zone is of one of these kinds, or the piece stands on land of one of these kinds. For a tile, at least one of its zones must pass this and the other filters.",
    },
    FilterInfo {
        name: "only_piece",
        takes: "pieces",
        about: "The piece is of one of these kinds, or counts as one of them.",
    },
    FilterInfo {
        name: "only_tag",
        takes: "tags of zones",
        about: "The feature carries at least one of these tags. The tags of its zones are merged first.",
    },
    FilterInfo {
        name: "only_with",
        takes: "pieces",
        about: "The feature has a piece that is of one of these kinds, or counts as one of them. The owner of the piece does not matter.",
    },
    FilterInfo {
        name: "only_pile",
        takes: "a pile",
        about: "At least one item of the pile lies on a spot that counts for the feature.",
    },
    FilterInfo {
        name: "only_playing",
        takes: "true",
        about: "The scoring takes place during play, not in the final count or in an estimate of the final count.",
    },
    FilterInfo {
        name: "only_dark",
        takes: "true",
        about: "A score marker of the active player ends a move on a dark space. If the order in which features are scored affects this, the active player chooses the order.",
    },
    FilterInfo {
        name: "only_beside",
        takes: "pieces",
        about: "A score marker leaves a space of the track on which a piece of another player or a neutral piece stands. The piece is of one of these kinds, or counts as one of them. If the order in which features are scored affects this or the points of the move, the active player chooses the order.",
    },
];
