//! Finds the names that a script may use. Mods declare these names in their manifests.

use std::path::Path;

use board::TagCarrier;
use script::Vocabulary;

use crate::declared::Decl;
use crate::folder::{self, TextOverrides};
use crate::implicit_switches::IMPLICIT_SWITCHES;
use crate::manifest::Manifest;
use crate::problem::Problems;

/// Returns the names that the script of `own` may use: the names of all `loaded` mods and of the
/// mods that `own` names as optional. If `is_whole` is false, a mod or manifest could not be read,
/// and the script may use any name.
pub(crate) fn vocabulary_of<'a>(
    own: &Manifest,
    texts: &TextOverrides,
    loaded: &[Manifest],
    is_whole: bool,
    on_disk: &[&str],
    folder_of: impl Fn(&str) -> Option<&'a Path>,
) -> Vocabulary {
    let mut ignored = Problems::default();
    let absent = own.optional.iter().map(|r| &r.id.value).filter(|id| loaded.iter().all(|m| m.id.value != **id));
    // If an optional mod is not on disk, its names are unknown, so any name may be valid.
    let absent: Option<Vec<Manifest>> =
        absent.map(|id| Some(folder::read_manifest(&mut ignored, texts, folder_of(id)?, id)?.0)).collect();
    let mut words = match absent.filter(|_| is_whole) {
        Some(absent) => vocabulary(own, Some(&loaded.iter().chain(&absent).collect::<Vec<_>>())),
        None => vocabulary(own, None),
    };
    let named = own.requires.iter().chain(&own.optional).chain(&own.conflicts).map(|other| other.id.value.clone());
    words.mods = on_disk.iter().map(|id| (*id).to_owned()).chain(named).collect();
    words
}

/// Returns the names that mod `own` declares, and the names of the mods in `known`, which its
/// script may also use. If `known` is `None`, the script may use any name.
fn vocabulary(own: &Manifest, known: Option<&[&Manifest]>) -> Vocabulary {
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
        let of_zones = manifest.tags.iter().filter(|tag| tag.body.on == TagCarrier::Zone);
        words.zone_tags.extend(of_zones.map(|tag| tag.name.value.clone()));
        words.layers.extend(names(&manifest.layers));
        words.pieces.extend(names(&manifest.pieces));
        words.tokens.extend(names(&manifest.tokens));
        words.piles.extend(names(&manifest.piles));
        words.decks.extend(names(&manifest.decks));
        // Includes the switches that mods get without declaring them.
        let settings = names(&manifest.settings).chain(IMPLICIT_SWITCHES.iter().map(|switch| switch.name.to_owned()));
        words.settings_of.insert(manifest.id.value.clone(), settings.collect());
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
