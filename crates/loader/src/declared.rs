//! Typed declarations of mods. The names of other declarations in them are not yet resolved.

use board::{CompletionRule, EdgeStyle, MergeRule, TagCarrier};
use rules::{Hook, ModIdx, SettingValue, Slot};

use crate::formula::ParsedFormula;
use crate::problem::Spanned;
use crate::reader::KeyValue;

/// A declaration with its name, such as `[kind.city]`. `B` is the type of the content.
#[derive(Clone, Debug)]
pub(crate) struct Decl<B> {
    pub(crate) name: Spanned<String>,
    pub(crate) about: String,
    /// The content. If two mods declare the same name, their contents must be equal.
    pub(crate) body: B,
}

/// A declaration and the first mod that made it.
pub(crate) struct MergedDecl<'a, B> {
    pub(crate) owner: ModIdx,
    pub(crate) decl: &'a Decl<B>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct KindBody {
    pub(crate) edge: EdgeStyle,
    pub(crate) closes: CompletionRule,
    /// The exact number of edges at which this kind on a new tile must connect to this kind on laid
    /// tiles; `None` for any number.
    pub(crate) joins: Option<u8>,
    /// True if this kind on a new tile may form a U-turn: it may bend to the same side as on the
    /// laid tile to which it connects.
    pub(crate) u_turns: bool,
    /// The pieces that may stand on this kind, in addition to the pieces whose own declaration
    /// names this kind.
    pub(crate) holds: Vec<Spanned<String>>,
    pub(crate) points: PointsBody,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct PointsBody {
    pub(crate) complete: Option<ParsedFormula>,
    pub(crate) at_end: Option<ParsedFormula>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LayerBody {
    pub(crate) kinds: Vec<Spanned<String>>,
    pub(crate) joins_touching: bool,
    pub(crate) points: PointsBody,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TagBody {
    pub(crate) on: TagCarrier,
    pub(crate) merge: MergeRule,
    pub(crate) values: Vec<Spanned<String>>,
}

/// The declaration of a piece. A missing key is inherited from the piece that `is` names, or has a
/// default.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct PieceBody {
    pub(crate) title: Option<Spanned<String>>,
    pub(crate) per_player: Option<i64>,
    pub(crate) neutral: Option<i64>,
    pub(crate) stands_on: Option<Vec<Spanned<String>>>,
    pub(crate) lies_on: Option<Vec<Spanned<String>>>,
    pub(crate) layer: Option<Spanned<String>>,
    pub(crate) strength: Option<i64>,
    pub(crate) blocked_by: Option<Vec<Spanned<String>>>,
    pub(crate) needs: Option<Vec<Spanned<String>>>,
    pub(crate) is: Option<Spanned<String>>,
    pub(crate) goes_home: Option<bool>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TokenBody {
    pub(crate) stock: Option<u32>,
    pub(crate) per_player: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PileBody {
    pub(crate) stock: Option<u32>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct DeckBody {
    /// True if the deck holds cards, false if it holds tiles. `None` if the mod only removes items
    /// and does not declare the type of the items.
    pub(crate) holds_cards: Option<bool>,
    pub(crate) cards: Vec<CardBody>,
    pub(crate) without: Vec<Spanned<String>>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CardBody {
    pub(crate) name: Spanned<String>,
    pub(crate) count: u16,
    pub(crate) about: String,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SettingBody {
    pub(crate) default: SettingValue,
    pub(crate) choices: Vec<SettingValue>,
    pub(crate) range: Option<(i64, i64)>,
}

/// The score track. A missing number has a default.
#[derive(Clone, Default, Debug)]
pub(crate) struct TrackBody {
    pub(crate) length: Option<Spanned<i64>>,
    pub(crate) n_markers: Option<Spanned<i64>>,
    pub(crate) dark: Option<Spanned<i64>>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PhaseBody {
    pub(crate) slot: Slot,
    pub(crate) after: Vec<Spanned<String>>,
    pub(crate) before: Vec<Spanned<String>>,
    pub(crate) filter: FilterBody,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct HookBody {
    pub(crate) hook: Hook,
    pub(crate) filter: FilterBody,
}

/// The filters of a function (see [`rules::Filter`]).
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct FilterBody {
    pub(crate) tile_tag: Option<Spanned<String>>,
    pub(crate) kinds: Option<Vec<Spanned<String>>>,
    pub(crate) pieces: Option<Vec<Spanned<String>>>,
    pub(crate) tags: Option<Vec<Spanned<String>>>,
    pub(crate) with: Option<Vec<Spanned<String>>>,
    pub(crate) pile: Option<Spanned<String>>,
    pub(crate) only_playing: bool,
    pub(crate) only_dark: bool,
    pub(crate) beside: Option<Vec<Spanned<String>>>,
}

/// The tables `[add.kind.*]` and `[add.piece.*]` of a mod.
#[derive(Clone, Debug, Default)]
pub(crate) struct Additions {
    pub(crate) kinds: Vec<Decl<KindAddition>>,
    pub(crate) pieces: Vec<Decl<PieceAddition>>,
}

#[derive(Clone, Debug)]
pub(crate) struct KindAddition {
    pub(crate) points: PointsBody,
    pub(crate) holds: Vec<Spanned<String>>,
    /// Tags for the zones of the kind. A zone that declares one of these tags itself keeps its own
    /// value.
    pub(crate) tags: Vec<KeyValue>,
}

#[derive(Clone, Debug)]
pub(crate) struct PieceAddition {
    pub(crate) per_player: u16,
    pub(crate) neutral: u16,
    pub(crate) stands_on: Vec<Spanned<String>>,
    pub(crate) blocked_by: Vec<Spanned<String>>,
}

impl Additions {
    /// Returns whether the mod adds tags to the zones of any kind of land.
    pub(crate) fn adds_tags(&self) -> bool {
        self.kinds.iter().any(|decl| !decl.body.tags.is_empty())
    }
}
