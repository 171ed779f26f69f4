//! Merges the themes of mods, and reports problems in them.

use diagnostic::{Diagnostic, Span, join_names};
use rules::Catalogue;
use theme::{IconCheck, LandStyle, Theme};

use crate::folder::ModFiles;
use crate::problem::Problems;

/// Merges the themes of `mods`, in load order. If `catalogue` is given, warns of names in the
/// themes that no mod declares, of styles that do not fit their kinds, and of keys that a style
/// ignores.
pub(crate) fn merge(
    p: &mut Problems,
    mods: &[ModFiles],
    catalogue: Option<&Catalogue>,
    check_icon: IconCheck,
) -> Theme {
    let files: Vec<_> = mods.iter().filter_map(|m| m.theme.clone()).collect();
    let (theme, problems) = Theme::read(&files, check_icon);
    p.extend(problems);
    let Some(catalogue) = catalogue else { return theme };
    for name in theme.names() {
        let tile_set = &catalogue.tile_set;
        let known: Vec<&str> = match name.section {
            "kind" => tile_set.kinds.iter().map(|k| k.name.as_str()).collect(),
            "tag" => tile_set.tags.iter().map(|t| t.name.as_str()).collect(),
            "piece" => catalogue.pieces.iter().map(|p| p.name.as_str()).collect(),
            "token" => catalogue.tokens.iter().map(|t| t.name.as_str()).collect(),
            "pile" => catalogue.piles.iter().map(|t| t.name.as_str()).collect(),
            "tile" => tile_set.tiles.iter().map(|t| t.name.as_str()).collect(),
            "card" => catalogue.cards.iter().map(|c| c.name.as_str()).collect(),
            _ => continue,
        };
        if !known.contains(&name.name.as_str()) {
            let message = format!("the theme draws the {} `{}`, which no mod declares", name.section, name.name);
            let mut unknown = Diagnostic::warning(name.span.clone(), message);
            match help_for_item(name.section, &name.name, &known) {
                Some(help) => unknown.help(help),
                None => unknown.suggest(&name.name, known),
            };
            p.extend([unknown]);
        }
        let kind = tile_set.kind_named(&name.name).filter(|_| name.section == "kind").map(|kind| tile_set.kind(kind));
        let style = kind.and_then(|_| theme.style(&name.name));
        if let (Some(kind), Some(style)) = (kind, style)
            && !style.can_draw(kind.edge)
        {
            let fitting = LandStyle::ALL.iter().filter(|(_, style)| style.can_draw(kind.edge)).map(|(name, _)| *name);
            let message =
                format!("the style of kind `{0}` does not fit the value of `edge` in `[kind.{0}]`", name.name);
            let help = format!("the fitting styles are {}", join_names(&fitting.collect::<Vec<_>>()));
            p.extend([Diagnostic::warning(name.span.clone(), message).with_help(help)]);
        }
        if let Some(style) = style {
            p.extend(name.keys.iter().filter_map(|(key, span)| ignored_key(&name.name, style, key, span)));
        }
    }
    theme
}

/// Returns help for an unknown tile or card of a theme if the theme writes the id of its mod, or if
/// another mod has this tile or card. `name` is the id of the theme's mod, `/` and the name in the
/// theme.
fn help_for_item(section: &str, name: &str, known: &[&str]) -> Option<String> {
    let (owner, written) = name.split_once('/').filter(|_| matches!(section, "card" | "tile"))?;
    let own = written.strip_prefix(owner).and_then(|item| item.strip_prefix('/'));
    if let Some(own) = own.filter(|_| known.contains(&written)) {
        return Some(format!("write `[{section}.{own}]`"));
    }
    let is_of_other_mod = |it: &&str| *it == written || it.split_once('/').is_some_and(|(_, item)| item == written);
    known.iter().any(is_of_other_mod).then(|| format!("a theme describes only the {section}s of its own mod"))
}

/// Returns a warning if land of a style ignores a key of `[kind.<name>]`.
fn ignored_key(kind: &str, style: LandStyle, key: &str, span: &Span) -> Option<Diagnostic> {
    let is_used = match key {
        "colour" | "pattern" | "edge" => style == LandStyle::Coloured,
        "icon" => matches!(style, LandStyle::Coloured | LandStyle::Icon),
        _ => true,
    };
    if is_used {
        return None;
    }
    let name = LandStyle::ALL.iter().find(|(_, it)| *it == style).map_or("", |(name, _)| *name);
    let message = format!("`{key}` has no effect: kind `{kind}` has the style `{name}`, which ignores it");
    let help = match key {
        "icon" => "the styles `coloured` and `icon` use it",
        _ => "only the style `coloured` uses it; `[palette.<name>]` has the colours of the other styles",
    };
    Some(Diagnostic::warning(span.clone(), message).with_help(help))
}
