//! The names that a script may use, from the manifests of the mods it knows of.

use script::Vocabulary;

use crate::declared::Decl;
use crate::manifest::Manifest;

/// The names that mod `own` declares, and those that it may mention: of `known` mods, or whatever it likes where these are not all known.
pub(crate) fn vocabulary(own: &Manifest, known: Option<&[&Manifest]>) -> Vocabulary {
    let mut words = Vocabulary {
        phases: names(&own.phases).collect(),
        options: names(&own.options).collect(),
        settings: names(&own.settings).collect(),
        ..Vocabulary::default()
    };
    for manifest in known.unwrap_or_default() {
        words.all_phases.extend(names(&manifest.phases));
        words.kinds.extend(names(&manifest.kinds));
        words.tags.extend(names(&manifest.tags));
        words.layers.extend(names(&manifest.layers));
        words.pieces.extend(names(&manifest.pieces));
        words.tokens.extend(names(&manifest.tokens));
        words.piles.extend(names(&manifest.piles));
        words.decks.extend(names(&manifest.decks));
    }
    if known.is_some() {
        words.all_phases.extend(["draw", "place", "piece", "score"].map(str::to_owned));
        words.layers.push("land".to_owned());
    }
    words
}

fn names<B>(decls: &[Decl<B>]) -> impl Iterator<Item = String> {
    decls.iter().map(|decl| decl.name.value.clone())
}
