//! Pieces with all their names looked up: what one `is` gives what it does not say itself.

use board::{KindIdx, LayerIdx, PieceKindSet};
use rules::{Catalogue, ModIdx, PieceKind, SettingIdx, SettingValue};

use crate::declared::{KindBody, Merged, PieceBody, StandsOn};
use crate::names::{kind, kind_set, layer, unknown};
use crate::problem::{At, Problems};

type Piece<'a> = Merged<'a, PieceBody>;

/// Makes the pieces of the catalogue, whose land and settings are there.
pub(crate) fn resolve(
    p: &mut Problems,
    all: &Catalogue,
    kinds: &[Merged<'_, KindBody>],
    pieces: &[Piece<'_>],
) -> Vec<PieceKind> {
    let chains: Vec<Vec<usize>> = (0..pieces.len()).map(|i| chain(p, pieces, i)).collect();
    let resolved = pieces.iter().enumerate().map(|(i, piece)| {
        let sources: Vec<&Piece<'_>> = chains[i].iter().map(|at| &pieces[*at]).collect();
        // Only the piece that says something is checked for it, so that a mistake is noted once.
        check(p, all, pieces, piece);
        PieceKind {
            name: piece.decl.name.value.clone(),
            owner: piece.owner,
            per_player: given(&sources, |b| b.per_player.as_ref()).map_or(0, |(_, n)| *n as u16),
            neutral: given(&sources, |b| b.neutral.as_ref()).map_or(0, |(_, n)| *n as u16),
            stands_on: given(&sources, |b| b.stands_on.as_ref())
                .map(|(owner, stands)| stands.iter().filter_map(|s| stand(all, owner, s)).collect())
                .unwrap_or_default(),
            lies_on: given(&sources, |b| b.lies_on.as_ref())
                .map(|(_, kinds)| kinds.iter().filter_map(|k| all.tile_set.kind_named(&k.value)).collect())
                .unwrap_or_default(),
            layer: given(&sources, |b| b.layer.as_ref())
                .and_then(|(_, name)| all.tile_set.layer_named(&name.value))
                .unwrap_or(LayerIdx(0)),
            strength: given(&sources, |b| b.strength.as_ref()).map_or(1, |(_, n)| *n),
            blocked_by: match given(&sources, |b| b.blocked_by.as_ref()) {
                Some((_, names)) => kinds_named(pieces, &chains, names),
                // By default a piece is blocked by its like: what it is at bottom, and all that is the same.
                None => kinds_counting_as(&chains, chains[i][chains[i].len() - 1]),
            },
            needs: given(&sources, |b| b.needs.as_ref())
                .map_or(PieceKindSet(0), |(_, names)| kinds_named(pieces, &chains, names)),
            is: PieceKindSet(chains[i].iter().fold(0, |set, at| set | 1 << at)),
            goes_home: given(&sources, |b| b.goes_home.as_ref()).is_none_or(|(_, yes)| *yes),
        }
    });
    let mut resolved: Vec<PieceKind> = resolved.collect();
    for (kind, name) in
        (0..).zip(kinds).flat_map(|(i, kind)| kind.decl.body.holds.iter().map(move |name| (KindIdx(i), name)))
    {
        let Some(held) = find(pieces, name) else {
            unknown(p, "piece", name, pieces.iter().map(|p| p.decl.name.value.as_str()));
            continue;
        };
        for piece in resolved.iter_mut().filter(|piece| piece.is.0 >> held & 1 == 1) {
            // What the piece says with a setting holds besides.
            piece.stands_on.push((kind, None));
        }
    }
    resolved
}

/// Returns all kinds of pieces that `names` mean: each the piece and all that `is` it. Unknown ones are noted.
pub(crate) fn piece_kinds(p: &mut Problems, all: &Catalogue, names: &[At<String>]) -> PieceKindSet {
    let mut set = PieceKindSet(0);
    for name in names {
        match all.piece_named(&name.value) {
            Some(piece) => set.0 |= all.kinds_counting_as(piece).0,
            None => unknown(p, "piece", name, all.pieces.iter().map(|p| p.name.as_str())),
        }
    }
    set
}

/// Returns the piece, what it is, what that is, and so on.
fn chain(p: &mut Problems, pieces: &[Piece<'_>], start: usize) -> Vec<usize> {
    let mut chain = vec![start];
    loop {
        let last = &pieces[chain[chain.len() - 1]];
        let Some(name) = &last.decl.body.is else { return chain };
        let Some(next) = find(pieces, name) else { return chain };
        if chain.contains(&next) {
            if next == start {
                // Each piece of the circle notes its own part of it.
                let range = pieces[start].decl.body.is.as_ref().map_or(name.range, |is| is.range);
                p.error(range, format!("`{}` is itself in a circle", name.value));
            }
            return chain;
        }
        chain.push(next);
    }
}

fn find(pieces: &[Piece<'_>], name: &At<String>) -> Option<usize> {
    pieces.iter().position(|p| p.decl.name.value == name.value)
}

/// Returns the first of `sources` that says it, with its mod.
fn given<'a, T>(sources: &[&Piece<'a>], get: impl Fn(&'a PieceBody) -> Option<&'a T>) -> Option<(ModIdx, &'a T)> {
    sources.iter().find_map(|piece| Some((piece.owner, get(&piece.decl.body)?)))
}

fn kinds_counting_as(chains: &[Vec<usize>], piece: usize) -> PieceKindSet {
    let counting = chains.iter().enumerate().filter(|(_, chain)| chain.contains(&piece));
    PieceKindSet(counting.fold(0, |set, (i, _)| set | 1 << i))
}

fn kinds_named(pieces: &[Piece<'_>], chains: &[Vec<usize>], names: &[At<String>]) -> PieceKindSet {
    let kinds = names.iter().filter_map(|name| find(pieces, name)).map(|i| kinds_counting_as(chains, i));
    PieceKindSet(kinds.fold(0, |set, kind| set | kind.0))
}

fn stand(all: &Catalogue, owner: ModIdx, stand: &StandsOn) -> Option<(KindIdx, Option<SettingIdx>)> {
    let setting = stand.setting.as_ref().map(|name| all.setting_named(owner, &name.value));
    Some((all.tile_set.kind_named(&stand.kind.value)?, setting.flatten()))
}

/// Notes the names of `piece` that mean nothing.
fn check(p: &mut Problems, all: &Catalogue, pieces: &[Piece<'_>], piece: &Piece<'_>) {
    let body = &piece.decl.body;
    for StandsOn { kind: name, setting } in body.stands_on.iter().flatten() {
        kind(p, &all.tile_set, name);
        let Some(setting) = setting else { continue };
        match all.setting_named(piece.owner, &setting.value) {
            Some(idx) if matches!(all.settings[idx.idx()].default, SettingValue::Bool(_)) => {}
            Some(_) => {
                p.error(setting.range, format!("setting `{}` is no switch", setting.value));
            }
            None => {
                let mine = all.settings.iter().filter(|s| s.owner == piece.owner).map(|s| s.name.as_str());
                unknown(p, "setting", setting, mine);
            }
        }
    }
    kind_set(p, &all.tile_set, body.lies_on.as_deref().unwrap_or_default());
    if let Some(name) = &body.layer {
        layer(p, &all.tile_set, name);
    }
    let others = body.blocked_by.iter().flatten().chain(body.needs.iter().flatten()).chain(&body.is);
    for name in others.filter(|name| find(pieces, name).is_none()) {
        unknown(p, "piece", name, pieces.iter().map(|p| p.decl.name.value.as_str()));
    }
}
