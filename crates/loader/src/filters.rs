//! Reads the filters of hooks and phases, and resolves the names in them.

use board::{KindSet, PieceKindSet};
use diagnostic::join_names;
use rules::{Catalogue, FILTERS, Filter, Hook};

use crate::declared::FilterBody;
use crate::names::{kind_set, pile, tile_tag, zone_tag};
use crate::pieces::piece_kinds;
use crate::problem::Problems;
use crate::reader::Fields;

/// The hook parameters to which the filters on features apply: features, things that lie on
/// features, and things that contain features.
const FEATURE_PARAMETERS: [&str; 9] =
    ["feature", "features", "parts", "zone", "piece", "left", "returned", "options", "tile"];
/// Further hooks to which the filters on features apply. These hooks concern the tile laid in the
/// running part of the turn, or the features completed in that part.
const FEATURE_HOOKS: [Hook; 3] = [Hook::ActionOptions, Hook::PieceTargets, Hook::PartEnded];

/// The hooks to which the filter `only_playing` applies. The engine calls these hooks both during
/// play and in the final count, and the filter excludes the final count.
const PLAYING_HOOKS: [Hook; 3] = [Hook::Scored, Hook::ScoreValue, Hook::ScoreTotal];

/// The hooks without filters. The engine calls these hooks for display and for saved positions, not
/// during play.
const UNFILTERED_HOOKS: [Hook; 3] = [Hook::Migrate, Hook::Hint, Hook::Describe];

/// Reads the filters of a hook, or of a phase if `hook` is `None`. If a filter does not apply to
/// the hook or phase, reports an error, because the filter would have no effect.
pub(crate) fn read(p: &mut Problems, fields: &Fields<'_>, hook: Option<Hook>) -> FilterBody {
    let body = FilterBody {
        tile_tag: fields.text(p, "only_tile_tag"),
        kinds: fields.texts(p, "only_kind"),
        pieces: fields.texts(p, "only_piece"),
        tags: fields.texts(p, "only_tag"),
        with: fields.texts(p, "only_with"),
        pile: fields.text(p, "only_pile"),
        only_playing: fields.flag(p, "only_playing").unwrap_or(false),
        only_dark: fields.flag(p, "only_dark").unwrap_or(false),
        beside: fields.texts(p, "only_beside"),
    };
    if let Some(hook) = hook.filter(|hook| UNFILTERED_HOOKS.contains(hook)) {
        for filter in FILTERS {
            if let Some(node) = fields.get(filter.name) {
                let message = format!("`{}` ignores filters", hook.info().name);
                p.error(node.range, message).help("remove the filter and test the condition in the function");
            }
        }
        return FilterBody::default();
    }
    let has = |hook: Hook, params: &[&str]| hook.info().params.iter().any(|param| params.contains(param));
    let on_features = hook.is_none_or(|hook| FEATURE_HOOKS.contains(&hook) || has(hook, &FEATURE_PARAMETERS));
    let has_piece = hook.is_some_and(|hook| has(hook, &["piece", "kind", "left", "returned", "options"]));
    let filters = [
        ("only_tile_tag", true),
        ("only_kind", on_features),
        ("only_piece", has_piece),
        ("only_tag", on_features),
        ("only_with", on_features),
        ("only_pile", on_features),
        ("only_playing", hook.is_some_and(|hook| PLAYING_HOOKS.contains(&hook))),
        ("only_dark", hook == Some(Hook::Scored)),
        ("only_beside", hook == Some(Hook::Scored)),
    ];
    let allowed: Vec<&str> =
        filters.iter().filter(|(_, makes_sense)| *makes_sense).map(|(filter, _)| *filter).collect();
    for (key, makes_sense) in filters {
        if let Some(node) = fields.get(key).filter(|_| !makes_sense) {
            let what = hook.map_or("a phase".to_owned(), |hook| {
                let info = hook.info();
                format!("`{}({})`", info.name, info.params.join(", "))
            });
            p.error(node.range, format!("{what} has nothing that this filter can test"))
                .help(format!("here you can write {}", join_names(&allowed)));
        }
    }
    body
}

/// Resolves the names of a filter and reports unknown names.
pub(crate) fn resolve(p: &mut Problems, all: &Catalogue, body: &FilterBody) -> Filter {
    let mut tags = Vec::new();
    for name in body.tags.iter().flatten() {
        tags.extend(zone_tag(p, &all.tile_set, name));
    }
    Filter {
        tile_tag: body.tile_tag.as_ref().and_then(|tag| tile_tag(p, &all.tile_set, tag)),
        kinds: body.kinds.as_ref().map_or(KindSet::ALL, |names| kind_set(p, &all.tile_set, names)),
        pieces: body.pieces.as_ref().map_or(PieceKindSet(u32::MAX), |names| piece_kinds(p, all, names)),
        tags,
        with: body.with.as_ref().map_or(PieceKindSet::default(), |names| piece_kinds(p, all, names)),
        pile: body.pile.as_ref().and_then(|name| pile(p, all, name)),
        only_playing: body.only_playing,
        only_dark: body.only_dark,
        beside: body.beside.as_ref().map_or(PieceKindSet::default(), |names| piece_kinds(p, all, names)),
    }
}
