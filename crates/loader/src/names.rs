//! Resolves the names in manifests to declarations in the catalogue. Reports unknown names with
//! suggestions.

use board::{KindIdx, KindSet, LayerIdx, TagCarrier, TagIdx, TileSet};
use rules::{Catalogue, PileIdx};

use crate::problem::{Problems, Spanned};

/// Reports that no declaration of type `what`, such as `kind`, is called `name`. Suggests similar
/// names among `known`.
pub(crate) fn report_unknown<'a>(
    p: &mut Problems,
    what: &str,
    name: &Spanned<String>,
    known: impl Iterator<Item = &'a str>,
) {
    p.error(name.range, format!("unknown {what} `{}`", name.value)).suggest(&name.value, known);
}

/// Returns `meant`, the meaning of `name`. Reports the name as unknown if `meant` is `None`.
fn or_report_unknown<'a, T>(
    p: &mut Problems,
    what: &str,
    name: &Spanned<String>,
    meant: Option<T>,
    known: impl Iterator<Item = &'a str>,
) -> Option<T> {
    if meant.is_none() {
        report_unknown(p, what, name, known);
    }
    meant
}

/// Resolves kinds by name and reports unknown names.
pub(crate) fn kind_set(p: &mut Problems, tile_set: &TileSet, names: &[Spanned<String>]) -> KindSet {
    names.iter().filter_map(|name| kind(p, tile_set, name)).collect()
}

/// The words for places of pieces that are not kinds of land. Only scripts put pieces on such
/// places.
const NON_KIND_PLACES: [&str; 5] = ["border", "corner", "player", "spot", "tile"];

/// Resolves a kind by name, or reports it as unknown.
pub(crate) fn kind(p: &mut Problems, tile_set: &TileSet, name: &Spanned<String>) -> Option<KindIdx> {
    if tile_set.kind_named(&name.value).is_none() && NON_KIND_PLACES.contains(&name.value.as_str()) {
        let help = "leave it out: scripts put pieces there with `place_piece`, see `bastide docs howto`";
        p.error(name.range, format!("`{}` is not a kind", name.value)).help(help);
        return None;
    }
    or_report_unknown(p, "kind", name, tile_set.kind_named(&name.value), tile_set.kinds.iter().map(|k| k.name.as_str()))
}

/// Resolves a layer by name, or reports it as unknown.
pub(crate) fn layer(p: &mut Problems, tile_set: &TileSet, name: &Spanned<String>) -> Option<LayerIdx> {
    or_report_unknown(
        p,
        "layer",
        name,
        tile_set.layer_named(&name.value),
        tile_set.layers.iter().map(|l| l.name.as_str()),
    )
}

/// Resolves a tile tag by name, or reports it as unknown.
pub(crate) fn tile_tag(p: &mut Problems, tile_set: &TileSet, name: &Spanned<String>) -> Option<TagIdx> {
    let found = tile_set.tag_named(&name.value);
    match found {
        Some(tag) if tile_set.tag(tag).on == TagCarrier::Tile => return found,
        Some(_) => {
            p.error(name.range, format!("tag `{}` is on zones, not on tiles", name.value));
        }
        None => {
            let known = tile_set.tags.iter().filter(|t| t.on == TagCarrier::Tile).map(|t| t.name.as_str());
            report_unknown(p, "tile tag", name, known);
        }
    }
    None
}

/// Resolves a zone tag by name, or reports it as unknown.
pub(crate) fn zone_tag(p: &mut Problems, tile_set: &TileSet, name: &Spanned<String>) -> Option<TagIdx> {
    let tag = tile_set.tag_named(&name.value).filter(|tag| tile_set.tag(*tag).on == TagCarrier::Zone);
    let known = tile_set.tags.iter().filter(|t| t.on == TagCarrier::Zone).map(|t| t.name.as_str());
    or_report_unknown(p, "tag of zones", name, tag, known)
}

/// Resolves a pile by name, or reports it as unknown.
pub(crate) fn pile(p: &mut Problems, all: &Catalogue, name: &Spanned<String>) -> Option<PileIdx> {
    or_report_unknown(p, "pile", name, all.pile_named(&name.value), all.piles.iter().map(|pile| pile.name.as_str()))
}
