//! Finds the active mods and their order. Checks requirements, versions and conflicts, and that
//! exactly one mod is a game.
#![expect(clippy::indexing_slicing, reason = "the order contains only indices of found mods")]

use diagnostic::did_you_mean;
use semver::VersionReq;

use crate::manifest::{Manifest, ModReference};
use crate::problem::Problems;
use crate::topological;

/// Finds the mods `requested` and all mods that they require, and sorts them: each mod after its
/// requirements, and otherwise by id. The order of `requested` has no effect.
///
/// `manifest` reads the manifest of an existing mod; `ids` contains the ids of all existing mods.
/// Returns the mods in load order, and `true`. If a mod is missing or unreadable, or mods require
/// each other in a cycle, returns the mods that were found, and `false`.
pub(crate) fn resolve(
    problems: &mut Problems,
    requested: &[String],
    ids: &[&str],
    mut manifest: impl FnMut(&mut Problems, &str) -> Option<Manifest>,
) -> (Vec<Manifest>, bool) {
    let mut found: Vec<Manifest> = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    let mut is_whole = true;
    for id in requested.iter().filter(|id| !ids.contains(&id.as_str())) {
        problems.general_error(format!("there is no mod `{id}`")).suggest(id, ids.iter().copied());
        is_whole = false;
    }
    let mut wanted: Vec<String> = requested.iter().filter(|id| ids.contains(&id.as_str())).cloned().collect();
    while let Some(id) = wanted.pop() {
        if seen.contains(&id) {
            continue;
        }
        seen.push(id.clone());
        let Some(manifest) = manifest(problems, &id) else {
            is_whole = false;
            continue;
        };
        for requirement in &manifest.requires {
            let needed = &requirement.id;
            if ids.contains(&needed.value.as_str()) {
                wanted.push(needed.value.clone());
            } else {
                let message =
                    format!("`{}` requires the mod `{}`, which was not found", manifest.id.value, needed.value);
                problems.error(needed.range, message).suggest(&needed.value, ids.iter().copied());
                is_whole = false;
            }
        }
        warn_of_misspelt_ids(problems, &manifest, ids);
        found.push(manifest);
    }
    found.sort_by(|a, b| a.id.value.cmp(&b.id.value));
    check_versions(problems, &found);
    check_conflicts(problems, &found);
    if is_whole {
        check_games(problems, &found);
    }
    match sort(problems, &found) {
        Some(order) => {
            let mut found: Vec<Option<Manifest>> = found.into_iter().map(Some).collect();
            (order.into_iter().filter_map(|i| found[i].take()).collect(), is_whole)
        }
        None => (found, false),
    }
}

fn by_id<'a>(found: &'a [Manifest], id: &str) -> Option<&'a Manifest> {
    found.iter().find(|m| m.id.value == id)
}

/// The minimum length of an id for which to look for a similar id. All shorter ids are similar.
const MIN_MISSPELT_LENGTH: usize = 3;

/// Warns of an id in `optional` or `conflicts` that no existing mod has, if the id of an existing
/// mod is similar. Such a mod may also be absent on purpose, so other ids cause no warning. Ids
/// that differ only in the number at their end, such as `river` and `river2`, cause none either.
fn warn_of_misspelt_ids(problems: &mut Problems, manifest: &Manifest, ids: &[&str]) {
    let own = manifest.id.value.as_str();
    for (key, references) in [("optional", &manifest.optional), ("conflicts", &manifest.conflicts)] {
        for ModReference { id: named, .. } in references {
            let name = named.value.as_str();
            if name.len() < MIN_MISSPELT_LENGTH || ids.contains(&name) {
                continue;
            }
            let others = ids.iter().copied().filter(|id| *id != own && without_number(id) != without_number(name));
            if let Some(help) = did_you_mean(name, others) {
                let message = format!("`{own}` names the mod `{name}` in `{key}`, which was not found");
                problems.warning(named.range, message).help(help);
            }
        }
    }
}

/// Returns an id without the digits at its end.
fn without_number(id: &str) -> &str {
    id.trim_end_matches(|c: char| c.is_ascii_digit())
}

fn check_versions(problems: &mut Problems, found: &[Manifest]) {
    for who in found {
        for ModReference { id, version } in who.requires.iter().chain(&who.optional) {
            let Some(there) = by_id(found, &id.value).filter(|there| !version.matches(&there.version)) else {
                continue;
            };
            let message = format!(
                "`{}` requires {} {version}, but {} {} was found",
                who.id.value, id.value, id.value, there.version
            );
            let note = problems.note(there.id.range, format!("{} {}", id.value, there.version));
            problems.error(id.range, message).note(note);
        }
    }
}

fn check_conflicts(problems: &mut Problems, found: &[Manifest]) {
    for who in found {
        for ModReference { id, version } in &who.conflicts {
            if by_id(found, &id.value).is_none_or(|there| !version.matches(&there.version)) {
                continue;
            }
            let versions = if *version == VersionReq::STAR { String::new() } else { format!(" {version}") };
            let message = format!("`{}` cannot be played together with `{}`{versions}", who.id.value, id.value);
            problems.error(id.range, message);
        }
    }
}

fn check_games(problems: &mut Problems, found: &[Manifest]) {
    let games: Vec<&Manifest> = found.iter().filter(|m| m.is_game).collect();
    match games[..] {
        [] if found.is_empty() => {
            problems.general_error("no mod is chosen, so there is nothing to play");
        }
        [] => {
            let ids: Vec<&str> = found.iter().map(|m| m.id.value.as_str()).collect();
            let message = format!("no game is among these mods: {}", diagnostic::join_names(&ids));
            problems
                .error(found[0].id.range, message)
                .help("add the game to `requires`, or write `game = true` if this is one");
        }
        [_] => {}
        [first, ref more @ ..] => {
            for other in more {
                let message =
                    format!("`{}` and `{}` are both games; only one can be played", first.id.value, other.id.value);
                let note = problems.note(first.id.range, format!("`{}` is a game", first.id.value));
                let requires = |game: &Manifest| {
                    let by = found.iter().find(|m| m.requires.iter().any(|r| r.id.value == game.id.value))?;
                    Some(format!("`{}` requires `{}`", by.id.value, game.id.value))
                };
                let help: Vec<String> = [first, *other].into_iter().filter_map(requires).collect();
                let problem = problems.error(other.id.range, message).note(note);
                if !help.is_empty() {
                    problem.help(help.join(", and "));
                }
            }
        }
    }
}

/// Returns the load order, or `None` if mods require each other in a cycle.
fn sort(problems: &mut Problems, found: &[Manifest]) -> Option<Vec<usize>> {
    let at = |id: &str| found.iter().position(|m| m.id.value == id);
    let mut pairs = Vec::new();
    for (i, manifest) in found.iter().enumerate() {
        let earlier = manifest.requires.iter().chain(&manifest.optional);
        pairs.extend(earlier.filter_map(|r| at(&r.id.value)).map(|first| (first, i)));
    }
    let circle = match topological::sort(found.len(), &pairs, |i| found[i].id.value.clone()) {
        Ok(order) => return Some(order),
        Err(circle) => circle,
    };
    // In the cycle, each mod is followed by a mod that requires it. The message shows the reverse
    // order.
    let ids: Vec<&str> = circle.iter().rev().map(|i| found[*i].id.value.as_str()).collect();
    let message = match ids[..] {
        [one] => format!("`{one}` requires itself"),
        _ => format!("mods require each other in a cycle: {} -> {}", ids.join(" -> "), ids[0]),
    };
    let first = circle[circle.len() - 1];
    let next = found[circle[circle.len().saturating_sub(2)]].id.value.as_str();
    let requirement = found[first].requires.iter().chain(&found[first].optional).find(|r| r.id.value == next);
    let range = requirement.map_or(found[first].id.range, |r| r.id.range);
    let help = "remove one of these requirements from `requires` or `optional`";
    problems.error(range, message).help(help);
    None
}
