//! Shows how awards follow from formulas, such as `5 tiles × 2 + 1 shield × 2`.

use board::{FeatureRef, KindSet};
use rules::{Award, Factor, TermKind};

use crate::view::GameView;

/// Returns the calculation of an award by the formula of its feature, such as
/// `5 tiles × 2 + 1 shield × 2`.
///
/// `None` if no formula of a manifest applies, or if the formula and the award give different
/// points on the current board.
pub fn formula_words(view: GameView<'_>, award: &Award) -> Option<String> {
    let line = award.lines.iter().find(|line| line.kind == TermKind::Formula)?;
    let feature = award.feature.filter(|feature| view.has_feature(*feature))?;
    let (catalogue, kind) = (view.catalogue(), view.board().kind(feature.anchor));
    let points = match feature.layer.0 {
        0 => catalogue.points.get(kind.0 as usize),
        layer => catalogue.layer_points.get(layer as usize),
    }?;
    let formula = if award.is_final { &points.at_end } else { &points.complete }.as_ref()?;
    let mut sum = 0;
    let mut words = Vec::new();
    for term in &formula.terms {
        let counted: Vec<(i64, String)> = term.factors.iter().map(|factor| counted(view, feature, *factor)).collect();
        let product = counted.iter().fold(term.times, |product, (n, _)| product.saturating_mul(*n));
        sum += product;
        if product != 0 {
            let mut parts: Vec<String> = counted.into_iter().map(|(n, name)| number_of(n, &name)).collect();
            if term.times != 1 || parts.is_empty() {
                parts.push(term.times.to_string());
            }
            words.push(parts.join(" × "));
        }
    }
    (sum == line.amount && !words.is_empty()).then(|| words.join(" + "))
}

/// Returns the value of a factor of a formula for a feature, and the name of one thing that the
/// factor counts, such as `tile`.
fn counted(view: GameView<'_>, feature: FeatureRef, factor: Factor) -> (i64, String) {
    let board = view.board();
    match factor {
        Factor::Tiles => (board.n_tiles(feature).into(), "tile".to_owned()),
        Factor::Zones => (board.n_zones_in(feature).into(), "part".to_owned()),
        Factor::Spots => (board.n_spots(view.tile_set(), feature).into(), "tile".to_owned()),
        Factor::Tag(tag) => {
            let n = view.catalogue().tag_number(tag, board.columns(feature), board.n_zones_in(feature));
            (n, view.tile_set().tag(tag).name.replace('_', " "))
        }
        Factor::Touching { kinds, only_complete } => {
            (n_touching(view, feature, kinds, only_complete), touched_name(view, kinds, only_complete))
        }
        Factor::Setting(setting) => {
            let value = view.ruleset().setting_number(setting);
            (value, String::new())
        }
    }
}

/// Describes the adjacent features that the formula of a ground feature counts, such as
/// `3 complete cities`.
pub(crate) fn describe_ground(view: GameView<'_>, feature: FeatureRef) -> Vec<String> {
    let kind = view.board().kind(feature.anchor);
    let Some(points) = view.catalogue().points.get(kind.0 as usize) else { return Vec::new() };
    let formulas = points.at_end.iter().chain(&points.complete);
    let factors = formulas.flat_map(|formula| &formula.terms).flat_map(|term| &term.factors);
    let mut words: Vec<String> = Vec::new();
    for factor in factors {
        if let Factor::Touching { kinds, only_complete } = *factor {
            let n = n_touching(view, feature, kinds, only_complete);
            let word = number_of(n, &touched_name(view, kinds, only_complete));
            if !words.contains(&word) {
                words.push(word);
            }
        }
    }
    words
}

fn n_touching(view: GameView<'_>, feature: FeatureRef, kinds: KindSet, only_complete: bool) -> i64 {
    let mut found = Vec::new();
    view.board().add_bordering(view.tile_set(), feature, kinds, &mut found);
    found.into_iter().filter(|other| !only_complete || view.is_complete(*other)).count() as i64
}

fn touched_name(view: GameView<'_>, kinds: KindSet, only_complete: bool) -> String {
    let tile_set = view.tile_set();
    let names: Vec<&str> = tile_set
        .kinds
        .iter()
        .enumerate()
        .filter(|(k, _)| kinds.contains(board::KindIdx(*k as u8)))
        .map(|(_, kind)| kind.name.as_str())
        .collect();
    format!("{}{}", if only_complete { "complete " } else { "" }, names.join(" or "))
}

/// Returns a number with its noun, such as `1 city` or `3 cities`. If `name` is empty, returns only
/// the number.
fn number_of(n: i64, name: &str) -> String {
    match (n, name) {
        (_, "") => n.to_string(),
        (1, _) => format!("1 {name}"),
        _ => match name.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{n} {stem}ies"),
            _ => format!("{n} {name}s"),
        },
    }
}
