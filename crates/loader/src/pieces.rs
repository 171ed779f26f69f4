//! Pieces with resolved names and inherited values.
#![expect(clippy::indexing_slicing, reason = "all indices come from the tables that the loader has just built")]

use board::{KindIdx, KindSet, LayerIdx, PieceKindSet};
use rules::{Catalogue, PieceKind};

use crate::declared::{KindBody, MergedDecl, PieceBody};
use crate::names::{kind_set, layer, report_unknown};
use crate::problem::{Problems, Spanned};

type WrittenPiece<'a> = MergedDecl<'a, PieceBody>;

/// Makes the pieces of a catalogue that already has kinds and settings.
pub(crate) fn resolve(
    p: &mut Problems,
    all: &Catalogue,
    kinds: &[MergedDecl<'_, KindBody>],
    pieces: &[WrittenPiece<'_>],
) -> Vec<PieceKind> {
    let chains: Vec<Vec<usize>> = (0..pieces.len()).map(|i| chain(p, pieces, i)).collect();
    let resolved = pieces.iter().enumerate().map(|(i, piece)| {
        let sources: Vec<&WrittenPiece<'_>> = chains[i].iter().map(|at| &pieces[*at]).collect();
        // Checks only the values that the piece itself declares, so that a mistake is not reported
        // again for pieces that inherit it.
        report_unknown_names(p, all, pieces, piece);
        let name = &piece.decl.name.value;
        let title = piece.decl.body.title.as_ref().filter(|title| !title.value.trim().is_empty());
        // Returns the first value of a key in the declarations of the piece and of its sources.
        macro_rules! declared {
            ($key:ident) => {
                sources.iter().find_map(|piece| piece.decl.body.$key.as_ref())
            };
        }
        PieceKind {
            name: name.clone(),
            title: title.map_or_else(|| name.replace('_', " "), |title| title.value.clone()),
            owner: piece.owner,
            per_player: declared!(per_player).map_or(0, |n| *n as u16),
            neutral: declared!(neutral).map_or(0, |n| *n as u16),
            stands_on: declared!(stands_on).map(|kinds| named_kinds(all, kinds)).unwrap_or_default(),
            lies_on: declared!(lies_on).map(|kinds| named_kinds(all, kinds)).unwrap_or_default(),
            layer: declared!(layer).and_then(|name| all.tile_set.layer_named(&name.value)).unwrap_or(LayerIdx(0)),
            strength: declared!(strength).map_or(1, |n| *n),
            blocked_by: match declared!(blocked_by) {
                Some(names) => kinds_named(pieces, &chains, names),
                // By default, a piece is blocked by the piece kind at the end of its `is` chain,
                // and by all piece kinds that count as that kind.
                None => kinds_counting_as(&chains, chains[i][chains[i].len() - 1]),
            },
            needs: declared!(needs).map_or(PieceKindSet(0), |names| kinds_named(pieces, &chains, names)),
            is: PieceKindSet(chains[i].iter().fold(0, |set, at| set | 1 << at)),
            goes_home: declared!(goes_home).is_none_or(|yes| *yes),
        }
    });
    let mut resolved: Vec<PieceKind> = resolved.collect();
    for (kind, name) in
        (0..).zip(kinds).flat_map(|(i, kind)| kind.decl.body.holds.iter().map(move |name| (KindIdx(i), name)))
    {
        let Some(held) = find(pieces, name) else {
            report_unknown(p, "piece", name, pieces.iter().map(|p| p.decl.name.value.as_str()));
            continue;
        };
        for piece in resolved.iter_mut().filter(|piece| piece.is.0 >> held & 1 == 1) {
            piece.stands_on.0 |= 1 << kind.0;
        }
    }
    resolved
}

/// Resolves names of pieces to a set of piece kinds: each named kind, and all kinds that count as
/// the named kind. Reports unknown names.
pub(crate) fn piece_kinds(p: &mut Problems, all: &Catalogue, names: &[Spanned<String>]) -> PieceKindSet {
    let mut set = PieceKindSet(0);
    for name in names {
        match all.piece_named(&name.value) {
            Some(piece) => set.0 |= all.kinds_counting_as(piece).0,
            None => report_unknown(p, "piece", name, all.pieces.iter().map(|p| p.name.as_str())),
        }
    }
    set
}

/// Returns the chain of pieces that begins with `start`: the `is` of each piece names the next
/// piece. Reports a cycle that contains `start`.
fn chain(p: &mut Problems, pieces: &[WrittenPiece<'_>], start: usize) -> Vec<usize> {
    let mut chain = vec![start];
    loop {
        let last = &pieces[chain[chain.len() - 1]];
        let Some(name) = &last.decl.body.is else { return chain };
        let Some(next) = find(pieces, name) else { return chain };
        if chain.contains(&next) {
            if next == start {
                // Reports only the `is` of this piece. The other pieces of the cycle are reported
                // when their own chains are followed.
                let range = pieces[start].decl.body.is.as_ref().map_or(name.range, |is| is.range);
                p.error(range, format!("`{}` counts as itself", name.value)).help("remove one `is` from the circle");
            }
            return chain;
        }
        chain.push(next);
    }
}

fn find(pieces: &[WrittenPiece<'_>], name: &Spanned<String>) -> Option<usize> {
    pieces.iter().position(|p| p.decl.name.value == name.value)
}

/// Returns the set of the kinds of land that `kinds` names. Ignores unknown names.
fn named_kinds(all: &Catalogue, kinds: &[Spanned<String>]) -> KindSet {
    kinds.iter().filter_map(|kind| all.tile_set.kind_named(&kind.value)).collect()
}

fn kinds_counting_as(chains: &[Vec<usize>], piece: usize) -> PieceKindSet {
    let counting = chains.iter().enumerate().filter(|(_, chain)| chain.contains(&piece));
    PieceKindSet(counting.fold(0, |set, (i, _)| set | 1 << i))
}

fn kinds_named(pieces: &[WrittenPiece<'_>], chains: &[Vec<usize>], names: &[Spanned<String>]) -> PieceKindSet {
    let kinds = names.iter().filter_map(|name| find(pieces, name)).map(|i| kinds_counting_as(chains, i));
    PieceKindSet(kinds.fold(0, |set, kind| set | kind.0))
}

/// Reports the unknown names in the declaration of `piece`.
fn report_unknown_names(p: &mut Problems, all: &Catalogue, pieces: &[WrittenPiece<'_>], piece: &WrittenPiece<'_>) {
    let body = &piece.decl.body;
    kind_set(p, &all.tile_set, body.stands_on.as_deref().unwrap_or_default());
    kind_set(p, &all.tile_set, body.lies_on.as_deref().unwrap_or_default());
    if let Some(name) = &body.layer {
        layer(p, &all.tile_set, name);
    }
    let others = body.blocked_by.iter().flatten().chain(body.needs.iter().flatten()).chain(&body.is);
    for name in others.filter(|name| find(pieces, name).is_none()) {
        report_unknown(p, "piece", name, pieces.iter().map(|p| p.decl.name.value.as_str()));
    }
}
