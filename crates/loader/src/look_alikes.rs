//! Warns of look-alikes: names that mix letters of several writing systems, and names that look
//! like another name.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::odd_letters_clause;
use unicode_security::{MixedScript, confusable_detection::skeleton};

use crate::declared::Decl;
use crate::folder::ModFiles;
use crate::problem::{Problems, Spanned};

/// Warns of declared names and words that look like another name of the same type, or that mix
/// letters of several writing systems. Ignores names of ASCII letters, because ids such as `I1` and
/// `l1` are common.
pub(crate) fn warn(p: &mut Problems, mods: &[ModFiles]) {
    let mut sorts: BTreeMap<&str, Vec<&Spanned<String>>> = BTreeMap::new();
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
    warn_of_titles(p, mods);
}

/// Warns of titles that contain no letters or digits, look like the title of another mod, or mix
/// letters of several writing systems.
fn warn_of_titles(p: &mut Problems, mods: &[ModFiles]) {
    let mut looks: BTreeMap<String, &str> = BTreeMap::new();
    for ModFiles { manifest: m, .. } in mods {
        let id = m.id.value.as_str();
        let other = *looks.entry(skeleton(&m.title.to_lowercase()).collect()).or_insert(id);
        let Some(range) = m.title_at else { continue };
        let title = &m.title;
        if !title.chars().any(char::is_alphanumeric) {
            p.warning(range, "the title has no letters").help("write a title that people can read");
        } else if other != id {
            p.warning(range, format!("the title `{title}` looks like that of the mod `{other}`"))
                .help("give the mod a title of its own");
        } else if !title.is_single_script() {
            p.warning(
                range,
                format!("the title `{title}` mixes letters of several writing systems, some of which look alike"),
            )
            .help("use letters of one writing system");
        }
    }
}

fn names<B>(decls: &[Decl<B>]) -> Vec<&Spanned<String>> {
    decls.iter().map(|decl| &decl.name).collect()
}

/// Warns of misleading names among `names`, which are names of things of one type, such as cards.
/// Reports each name once.
fn warn_of(p: &mut Problems, sort: &str, names: &[&Spanned<String>]) {
    if names.iter().all(|name| name.value.is_ascii()) {
        return;
    }
    // Of several look-alikes, all but one are reported. The exception is the name in ASCII letters
    // or, if there is none, the first name alphabetically.
    let mut looks: BTreeMap<String, &str> = BTreeMap::new();
    for name in names.iter().map(|name| name.value.as_str()) {
        let first = looks.entry(skeleton(name).collect()).or_insert(name);
        *first = std::cmp::min_by_key(*first, name, |name| (!name.is_ascii(), *name));
    }
    let mut told = BTreeSet::new();
    for Spanned { value, range } in names {
        let meant = looks.get(&skeleton(value).collect::<String>()).filter(|meant| **meant != value.as_str());
        // A name with a replacement character contained hidden characters, which the reader of the
        // file has reported.
        let is_told = value.contains(char::REPLACEMENT_CHARACTER);
        if value.is_ascii() || is_told || !told.insert(value.as_str()) {
            continue;
        }
        if let Some(meant) = meant {
            let message = format!("the {sort} `{value}` looks like `{meant}`, which is a different name");
            p.warning(*range, message).help("if they are the same, spell both the same way; if not, rename one");
        } else if let Some(odd) = odd_letters_clause(value) {
            p.warning(*range, format!("the {sort} `{value}` {odd}")).help("use letters of one writing system");
        }
    }
}
