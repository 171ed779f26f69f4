//! Sorts the phases of a part of the turn: by slot, then by `after` and `before`, then by id.
#![expect(clippy::indexing_slicing, reason = "all indices come from the tables that the loader has just built")]

use std::collections::BTreeMap;

use rules::{Filter, FnIdx, ModIdx, Phase, PhaseAction, Slot};

use crate::declared::{Decl, PhaseBody};
use crate::problem::{FileRange, Problems, Spanned};
use crate::topological;

/// A phase that a mod declares, with its function.
pub(crate) struct ModPhase<'a> {
    pub(crate) owner: ModIdx,
    pub(crate) decl: &'a Decl<PhaseBody>,
    pub(crate) function: FnIdx,
    pub(crate) filter: Filter,
}

const CORE: [(&str, Slot, PhaseAction); 4] = [
    ("draw", Slot::Draw, PhaseAction::Draw),
    ("place", Slot::Place, PhaseAction::Place),
    ("piece", Slot::Piece, PhaseAction::Piece),
    ("score", Slot::Score, PhaseAction::Score),
];

/// Sorts the phases of the core and of mods. In each slot, the phase of the core comes first,
/// except that phases of mods with `before` can precede it.
///
/// Reports an unknown phase in `before` or `after`. Does not report the phase if `exists_elsewhere`
/// returns true for its name, because a mod that is not in play then declares it.
pub(crate) fn sort(
    problems: &mut Problems,
    mods: &[String],
    declared: &[ModPhase<'_>],
    exists_elsewhere: impl Fn(&str) -> bool,
) -> Vec<Phase> {
    let mut phases: Vec<Phase> = CORE
        .into_iter()
        .map(|(id, slot, runs)| Phase { id: id.to_owned(), slot, runs, filter: Filter::default() })
        .collect();
    let mut places: Vec<Option<&ModPhase<'_>>> = vec![None; CORE.len()];
    for phase in declared {
        let name = &phase.decl.name;
        if let Some(at) = phases.iter().position(|p| p.id == name.value) {
            if let Some(first) = places[at] {
                let [a, b] = [first.owner, phase.owner].map(|m| &mods[m.idx()]);
                let note = problems.note(first.decl.name.range, format!("the phase of `{a}`"));
                let message = match a == b {
                    true => format!("phase `{}` is declared twice", name.value),
                    false => format!("phase `{}` is declared by `{a}` and by `{b}`", name.value),
                };
                problems.error(name.range, message).note(note);
            }
            continue;
        }
        let (runs, filter) = (PhaseAction::Function { function: phase.function }, phase.filter.clone());
        phases.push(Phase { id: name.value.clone(), slot: phase.decl.body.slot, runs, filter });
        places.push(Some(phase));
    }

    let index: BTreeMap<&str, usize> = phases.iter().enumerate().map(|(i, phase)| (phase.id.as_str(), i)).collect();
    let mut wishes: Vec<(usize, usize, FileRange)> = Vec::new();
    for (me, phase) in places.iter().enumerate() {
        let Some(phase) = phase else { continue };
        let mut wish = |problems: &mut Problems, name: &Spanned<String>, is_after: bool| {
            let Some(other) = index.get(name.value.as_str()).copied() else {
                if !exists_elsewhere(&name.value) {
                    let known = phases.iter().map(|p| p.id.as_str());
                    let message = format!("no installed mod has a phase `{}`", name.value);
                    problems.warning(name.range, message).suggest(&name.value, known);
                }
                return;
            };
            let (first, second) = if is_after { (other, me) } else { (me, other) };
            if phases[first].slot > phases[second].slot {
                let message = format!(
                    "`{}` is in slot `{}`, and so cannot be {} `{}` in slot `{}`",
                    phases[me].id,
                    slot_name(phases[me].slot),
                    if is_after { "after" } else { "before" },
                    name.value,
                    slot_name(phases[other].slot),
                );
                problems.error(name.range, message);
            } else {
                wishes.push((first, second, name.range));
            }
        };
        phase.decl.body.after.iter().for_each(|name| wish(problems, name, true));
        phase.decl.body.before.iter().for_each(|name| wish(problems, name, false));
    }
    let pairs: Vec<(usize, usize)> = wishes.iter().map(|(first, second, _)| (*first, *second)).collect();
    match topological::sort(phases.len(), &pairs, |i| (phases[i].slot, places[i].is_some(), phases[i].id.clone())) {
        Ok(order) => order.into_iter().map(|i| phases[i].clone()).collect(),
        Err(circle) => {
            let ids: Vec<&str> = circle.iter().map(|i| phases[*i].id.as_str()).collect();
            let message = format!("phases wait for each other in a cycle: {} -> {}", ids.join(" -> "), ids[0]);
            let of_circle = |(first, second): (usize, usize)| circle.contains(&first) && circle.contains(&second);
            if let Some((_, _, range)) = wishes.iter().find(|(first, second, _)| of_circle((*first, *second))) {
                problems.error(*range, message);
            }
            phases
        }
    }
}

fn slot_name(slot: Slot) -> &'static str {
    Slot::ALL.iter().find(|(s, _)| *s == slot).map_or("", |(_, name)| name)
}
