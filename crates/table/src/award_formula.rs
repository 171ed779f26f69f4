//! Calculations of awards by formulas, such as `5 tiles × 2 + 1 shield × 2`.

use board::{CompletionRule, FeatureRef, KindSet, Spot, TagIdx, ZoneRef};
use rules::{Award, AwardLine, Factor, Formula, TermKind};

use crate::view::GameView;

/// Returns the calculation of an award's points as lines: the formula with numbers and its result,
/// and each change of the points with its mod.
pub fn award_explanation(view: GameView<'_>, award: &Award) -> Vec<String> {
    let words = formula_of(view, award).and_then(|(.., amount)| {
        let words = formula_words(view, award)?;
        Some(format!("{words} = {amount}"))
    });
    let is_told = |line: &&AwardLine| words.is_none() || line.kind != TermKind::Formula;
    let line = |line: &AwardLine| {
        let source = award_source(view, award, line.owner.map(|owner| owner.idx()));
        let reason = if line.kind == TermKind::Formula { "" } else { &*line.reason };
        format!("{}  ({source})", term_text(line.kind, line.amount, reason))
    };
    let lines = award.lines.iter().filter(is_told).map(line).collect::<Vec<String>>();
    words.into_iter().chain(lines).collect()
}

/// Returns the source of a line of an award as text: the title of the mod with index `owner` or, if
/// `owner` is `None`, a text about the award's formula.
pub fn award_source(view: GameView<'_>, award: &Award, owner: Option<usize>) -> String {
    match owner.and_then(|owner| view.mods().get(owner)) {
        Some(info) => info.title.clone(),
        None => format!("formula for {}", award.reason),
    }
}

/// Returns the effect and the reason of a line of an award, such as `+2 wine` or `small city: 2
/// points`. If `reason` is empty, returns only the effect.
pub fn term_text(kind: TermKind, amount: i64, reason: &str) -> String {
    let effect = match kind {
        TermKind::Formula => amount.to_string(),
        TermKind::Replace => format!("{amount} {}", if amount == 1 { "point" } else { "points" }),
        TermKind::Zero => "no points".to_owned(),
        TermKind::Add => format!("{amount:+}"),
        TermKind::Double => "×2".to_owned(),
        TermKind::Halve => "÷2".to_owned(),
    };
    match kind {
        _ if reason.is_empty() => effect,
        TermKind::Replace | TermKind::Zero => format!("{reason}: {effect}"),
        _ => format!("{effect} {reason}"),
    }
}

/// Returns the calculation of an award by the formula of its feature, such as
/// `5 tiles × 2 + 1 shield × 2`.
///
/// `None` if no formula of a manifest applies, or if the formula and the award give different
/// points on the current board.
pub fn formula_words(view: GameView<'_>, award: &Award) -> Option<String> {
    let (feature, formula, amount) = formula_of(view, award)?;
    let mut sum = 0;
    let mut words = Vec::new();
    for term in &formula.terms {
        let counted: Vec<(i64, String)> =
            term.factors.iter().map(|factor| count_factor(view, feature, *factor)).collect();
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
    (sum == amount && !words.is_empty()).then(|| words.join(" + "))
}

/// Returns the feature of an award, its formula, and the points that the award contains for the
/// formula; `None` if no formula of a manifest applies.
fn formula_of<'g>(view: GameView<'g>, award: &Award) -> Option<(FeatureRef, &'g Formula, i64)> {
    let line = award.lines.iter().find(|line| line.kind == TermKind::Formula)?;
    let feature = award.feature.filter(|feature| view.has_feature(*feature))?;
    let (catalogue, kind) = (view.catalogue(), view.board().kind(feature.anchor));
    let points = match feature.layer.0 {
        0 => catalogue.points.get(kind.0 as usize),
        layer => catalogue.layer_points.get(layer as usize),
    }?;
    let formula = if award.is_final { &points.at_end } else { &points.complete }.as_ref()?;
    Some((feature, formula, line.amount))
}

/// An object on the board that a formula counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountedThing {
    /// The tile on a spot.
    Tile(Spot),
    /// A zone of the feature.
    Zone(ZoneRef),
    /// A feature that touches the feature of the award.
    Feature(FeatureRef),
}

/// Returns the objects on the board that the formula of an award counts. Each factor of the formula
/// that counts something gives one list: for a city, first the tiles and then the shields.
///
/// Empty if [`formula_words`] returns `None`.
pub fn counted_things(view: GameView<'_>, award: &Award) -> Vec<Vec<CountedThing>> {
    let Some((feature, formula, _)) = formula_of(view, award) else { return Vec::new() };
    if formula_words(view, award).is_none() {
        return Vec::new();
    }
    let mut lists: Vec<Vec<CountedThing>> = Vec::new();
    for factor in formula.terms.iter().flat_map(|term| &term.factors) {
        let list = things(view, feature, *factor);
        if !list.is_empty() && !lists.contains(&list) {
            lists.push(list);
        }
    }
    lists
}

/// Returns the objects that a factor of a formula counts for a feature, from north to south and
/// from west to east.
fn things(view: GameView<'_>, feature: FeatureRef, factor: Factor) -> Vec<CountedThing> {
    let spot = |zone: ZoneRef| view.tile_of_zone(zone).spot;
    let mut zones: Vec<ZoneRef> = view.zones(feature).collect();
    zones.sort_by_key(|zone| (spot(*zone).y, spot(*zone).x, *zone));
    let is_surrounded = view.tile_set().kind(view.board().kind(feature.anchor)).closes == CompletionRule::Surrounded;
    match factor {
        Factor::Spots if is_surrounded => {
            let centre = spot(feature.anchor);
            let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| Spot::new(centre.x + x, centre.y + y)));
            around.filter(|spot| view.tile_at(*spot).is_some()).map(CountedThing::Tile).collect()
        }
        Factor::Tiles | Factor::Spots => {
            let mut spots: Vec<Spot> = zones.into_iter().map(spot).collect();
            spots.dedup();
            spots.into_iter().map(CountedThing::Tile).collect()
        }
        Factor::Zones => zones.into_iter().map(CountedThing::Zone).collect(),
        Factor::Tag(tag) => zones.into_iter().filter(|z| has_tag(view, *z, tag)).map(CountedThing::Zone).collect(),
        Factor::Touching { kinds, only_complete } => {
            let mut found = touching(view, feature, kinds, only_complete);
            found.sort_by_key(|other| (spot(other.anchor).y, spot(other.anchor).x, other.anchor));
            found.into_iter().map(CountedThing::Feature).collect()
        }
        Factor::Setting(_) => Vec::new(),
    }
}

/// Returns whether a zone on the board currently has a tag, including changes by mods.
fn has_tag(view: GameView<'_>, zone: ZoneRef, tag: TagIdx) -> bool {
    let (tile_set, placed) = (view.tile_set(), view.tile_of_zone(zone));
    let is_of_tag = |column: &board::ColumnIdx| {
        tile_set.columns.get(usize::from(column.0)).is_some_and(|declared| declared.tag == tag)
    };
    let declared =
        tile_set.tile(placed.tile).zones.get(placed.local_index(zone)).into_iter().flat_map(|zone| &zone.tags);
    let changed = || view.board().zone_tags().iter().filter(|(other, column, _)| *other == zone && is_of_tag(column));
    let is_unchanged = |column: &board::ColumnIdx| changed().all(|(_, other, _)| other != column);
    declared.filter(|it| is_of_tag(&it.column)).any(|it| it.value != 0 && is_unchanged(&it.column))
        || changed().any(|(.., value)| *value != 0)
}

/// Returns the value of a factor of a formula for a feature, and the name of one object that the
/// factor counts, such as `tile`.
fn count_factor(view: GameView<'_>, feature: FeatureRef, factor: Factor) -> (i64, String) {
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
    touching(view, feature, kinds, only_complete).len() as i64
}

/// Returns the features of these kinds that touch a feature. If `only_complete` is true, omits
/// incomplete features.
fn touching(view: GameView<'_>, feature: FeatureRef, kinds: KindSet, only_complete: bool) -> Vec<FeatureRef> {
    let mut found = Vec::new();
    view.board().add_bordering(view.tile_set(), feature, kinds, &mut found);
    found.retain(|other| !only_complete || view.is_complete(*other));
    found
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

/// Formats a number with its noun, such as `1 city` or `3 cities`. If `name` is empty, returns only
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
