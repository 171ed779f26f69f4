//! Finds out which mods build on which other mods. Warns if two unrelated mods (neither builds on
//! the other) declare the same name, replace the same award or break the same tie.
#![expect(clippy::indexing_slicing, reason = "all indices come from the tables that the loader has just built")]

use std::collections::BTreeMap;

use board::KindSet;
use diagnostic::{Diagnostic, Span};
use rules::{Catalogue, Handler, Hook, ModIdx, ModInfo};

use crate::declared::Decl;
use crate::folder::ModFiles;
use crate::manifest::Manifest;
use crate::problem::Problems;

/// Returns the information about `mods` for the catalogue. `mods` are in load order.
pub(crate) fn infos(mods: &[ModFiles]) -> Vec<ModInfo> {
    let mut infos: Vec<ModInfo> = Vec::with_capacity(mods.len());
    for files in mods {
        let Manifest { id, version, api, title, about, requires, optional, .. } = &files.manifest;
        let named = requires.iter().chain(optional);
        let mut builds_on: Vec<ModIdx> = Vec::new();
        // In load order, required and optional mods come first, so their relations are already
        // known.
        for at in named.filter_map(|named| infos.iter().position(|known| known.id == named.id.value)) {
            builds_on.push(ModIdx(at as u8));
            builds_on.extend(&infos[at].builds_on);
        }
        builds_on.sort_unstable();
        builds_on.dedup();
        infos.push(ModInfo {
            id: id.value.clone(),
            version: version.to_string(),
            api: *api,
            title: title.clone(),
            about: about.clone(),
            builds_on,
            hash: files.hash,
        });
    }
    infos
}

/// Warns of names that two unrelated mods declare, perhaps with different meanings.
pub(crate) fn warn_of_shared_names(p: &mut Problems, all: &Catalogue, mods: &[ModFiles]) {
    warn_of_shared_name(p, all, mods, "kind", |m| &m.kinds);
    warn_of_shared_name(p, all, mods, "tag", |m| &m.tags);
    warn_of_shared_name(p, all, mods, "layer", |m| &m.layers);
    warn_of_shared_name(p, all, mods, "piece", |m| &m.pieces);
    warn_of_shared_name(p, all, mods, "token", |m| &m.tokens);
    warn_of_shared_name(p, all, mods, "pile", |m| &m.piles);
}

fn warn_of_shared_name<'a, B: 'a>(
    p: &mut Problems,
    all: &Catalogue,
    mods: &'a [ModFiles],
    what: &str,
    select: impl Fn(&'a Manifest) -> &'a [Decl<B>],
) {
    let mut known: BTreeMap<&str, Vec<(ModIdx, &Decl<B>)>> = BTreeMap::new();
    for (owner, files) in mods.iter().enumerate() {
        let owner = ModIdx(owner as u8);
        for decl in select(&files.manifest) {
            let name = decl.name.value.as_str();
            let same = known.entry(name).or_default();
            let is_related = same.iter().any(|(it, _)| all.are_related(*it, owner));
            if let Some((first, other)) = same.first().filter(|_| !is_related) {
                let [a, b] = [*first, owner].map(|it| &all.mods[it.idx()].id);
                let message =
                    format!("`{b}` and `{a}` both declare {what} `{name}`, and neither mod builds on the other");
                let note = p.note(other.name.range, format!("`{a}` declares it here"));
                let help = format!("add `{a}` to `optional` if this is intended, or rename the {what}");
                p.warning(decl.name.range, message).help(help).note(note);
            }
            same.push((owner, decl));
        }
    }
}

/// Warns of two unrelated mods that may set the same award to different values, or break the same
/// tie in different ways.
pub(crate) fn warn_of_awards(p: &mut Problems, all: &Catalogue, mods: &[ModFiles]) {
    let breaks = all.handlers(Hook::BreakTie).iter().collect::<Vec<_>>();
    warn_of_pairs(p, all, mods, &breaks, "break the same tie");
    let replaces = |handler: &&Handler| mods[handler.owner.idx()].calls.contains("replace");
    let replaces = all.handlers(Hook::ScoreValue).iter().filter(replaces).collect::<Vec<_>>();
    warn_of_pairs(p, all, mods, &replaces, "replace the value of the same award");
}

fn warn_of_pairs(p: &mut Problems, all: &Catalogue, mods: &[ModFiles], handlers: &[&Handler], what: &str) {
    for (i, second) in handlers.iter().enumerate() {
        let meets = |first: &&&Handler| KindSet(first.filter.kinds.0 & second.filter.kinds.0) != KindSet::default();
        let unrelated = |first: &&&Handler| !all.are_related(first.owner, second.owner);
        let Some(first) = handlers[..i].iter().filter(meets).find(unrelated) else { continue };
        let [a, b] = [first.owner, second.owner].map(|it| &all.mods[it.idx()].id);
        let function = &all.functions[second.function.idx()];
        let text = &mods[second.owner.idx()].script.text;
        let span = Span::from_word(&function.file, text, function.line, function.column);
        let help = format!("add `{a}` to `optional` of `{b}`, or the reverse, to decide which one comes last");
        let message = format!("`{a}` and `{b}` may {what} differently; `{b}` comes later and prevails");
        p.extend([Diagnostic::warning(span, message).with_help(help)]);
    }
}
