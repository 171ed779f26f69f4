//! Look-alikes: names in letters of several scripts, and names that can be mistaken for others.

use std::collections::{BTreeMap, BTreeSet};

use unicode_security::{GeneralSecurityProfile, MixedScript, confusable_detection::skeleton};

use crate::declared::Decl;
use crate::folder::ModFiles;
use crate::problem::{At, Problems};

/// Returns the reason why the letters of `name` are suspicious, if any: a clause to append to the
/// name.
pub(crate) fn odd_letters(name: &str) -> Option<&'static str> {
    if name.is_ascii() {
        return None;
    }
    if !name.is_single_script() {
        return Some("mixes letters of several scripts, which can look like other letters");
    }
    let is_usual = |c: char| c.is_ascii() || c.identifier_allowed();
    (!name.chars().all(is_usual)).then_some("has letters that are not used in names")
}

/// Returns the one of `others` that `name` can be mistaken for, never `name` itself. Of two plain
/// names the second one alphabetically is reported, of a plain name and another the other.
pub(crate) fn taken_for<'a>(name: &str, others: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let look: String = skeleton(name).collect();
    let is_to_blame = |other: &str| (name.is_ascii(), other) < (other.is_ascii(), name);
    let looks_alike = |other: &&str| *other != name && is_to_blame(other) && skeleton(other).eq(look.chars());
    others.into_iter().find(looks_alike)
}

/// Warns of declared names and words that can be mistaken for others of their kind, or mix letters
/// of several scripts. Plain letters are not reported: ids such as `I1` and `l1` are common.
pub(crate) fn warn(p: &mut Problems, mods: &[ModFiles]) {
    let mut sorts: BTreeMap<&str, Vec<&At<String>>> = BTreeMap::new();
    for ModFiles { manifest: m, tiles, .. } in mods {
        let words = m.tags.iter().flat_map(|tag| &tag.body.values);
        let cards = m.decks.iter().flat_map(|deck| &deck.body.cards).map(|card| &card.name);
        sorts.entry("word").or_default().extend(words);
        sorts.entry("card").or_default().extend(cards);
        sorts.entry("tile").or_default().extend(tiles.iter().map(|tile| &tile.id));
        for (sort, names) in [
            ("kind", names(&m.kinds)),
            ("tag", names(&m.tags)),
            ("layer", names(&m.layers)),
            ("piece", names(&m.pieces)),
            ("token", names(&m.tokens)),
            ("pile", names(&m.piles)),
            ("deck", names(&m.decks)),
            ("option", names(&m.options)),
            ("setting", names(&m.settings)),
        ] {
            sorts.entry(sort).or_default().extend(names);
        }
    }
    sorts.iter().for_each(|(sort, names)| warn_of(p, sort, names));
}

fn names<B>(decls: &[Decl<B>]) -> Vec<&At<String>> {
    decls.iter().map(|decl| &decl.name).collect()
}

/// Warns of names of one kind, each once.
fn warn_of(p: &mut Problems, sort: &str, names: &[&At<String>]) {
    if names.iter().all(|name| name.value.is_ascii()) {
        return;
    }
    // Of look-alikes, the plain name or else the first alphabetically is not reported.
    let mut looks: BTreeMap<String, &str> = BTreeMap::new();
    for name in names.iter().map(|name| name.value.as_str()) {
        let first = looks.entry(skeleton(name).collect()).or_insert(name);
        *first = std::cmp::min_by_key(*first, name, |name| (!name.is_ascii(), *name));
    }
    let mut told = BTreeSet::new();
    for At { value, range } in names {
        let meant = looks.get(&skeleton(value).collect::<String>()).filter(|meant| **meant != value.as_str());
        // Hidden characters were reported and replaced.
        let is_told = value.contains(char::REPLACEMENT_CHARACTER);
        if value.is_ascii() || is_told || !told.insert(value.as_str()) {
            continue;
        }
        if let Some(meant) = meant {
            let message = format!("the {sort} `{value}` looks like `{meant}`, which is another one");
            p.warning(*range, message).help("if the same is meant, write both alike; else call it otherwise");
        } else if let Some(odd) = odd_letters(value) {
            p.warning(*range, format!("the {sort} `{value}` {odd}")).help("write it with letters of one script");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_are_found() {
        // The second letter is Cyrillic.
        let cyrillic = "b\u{430}se";
        assert_eq!(taken_for(cyrillic, ["river", "base"]), Some("base"));
        assert_eq!(taken_for("base", ["river", cyrillic]), None, "the plain one is not to blame");
        assert_eq!((taken_for("riverl", ["river1"]), taken_for("river1", ["riverl"])), (Some("river1"), None));
        assert_eq!(taken_for("base", ["base", "bases"]), None);
        assert!(odd_letters(cyrillic).is_some());
    }

    #[test]
    fn honest_names_are_not_odd() {
        for name in ["base", "größe", "игра", "森", "jeu-d-été", "παιχνίδι"] {
            assert_eq!(odd_letters(name), None, "{name}");
        }
    }
}
