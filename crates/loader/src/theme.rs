//! The themes of mods, merged, with their problems among the others.

use art::{Style, Theme};
use rules::Catalogue;

use crate::folder::ModFiles;
use crate::problem::{Problems, listed};

/// Merges the themes of `mods`, in load order. What they name is looked for in `catalogue`, if there is one.
pub(crate) fn merge(p: &mut Problems, mods: &[ModFiles], catalogue: Option<&Catalogue>) -> Theme {
    let files: Vec<_> = mods.iter().filter_map(|m| m.theme.as_ref()).collect();
    let texts: Vec<_> = files.iter().map(|(_, file)| file.clone()).collect();
    let (theme, problems) = Theme::read(&texts);
    let file_of = |label: &str| files.iter().find(|(_, file)| file.label == label).map(|(idx, _)| *idx);
    for problem in problems {
        let Some(file) = file_of(&problem.label) else { continue };
        let place = file.place(problem.span.unwrap_or(0..0));
        p.error(place, problem.message).help = problem.help;
    }
    let Some(catalogue) = catalogue else { return theme };
    for name in theme.names() {
        let Some(file) = file_of(&name.label) else { continue };
        let tile_set = &catalogue.tile_set;
        let known: Vec<&str> = match name.section {
            "kind" => tile_set.kinds.iter().map(|k| k.name.as_str()).collect(),
            "tag" => tile_set.tags.iter().map(|t| t.name.as_str()).collect(),
            "piece" => catalogue.pieces.iter().map(|p| p.name.as_str()).collect(),
            "token" => catalogue.tokens.iter().map(|t| t.name.as_str()).collect(),
            "pile" => catalogue.piles.iter().map(|t| t.name.as_str()).collect(),
            _ => continue,
        };
        if !known.contains(&name.name.as_str()) {
            let message = format!("the theme draws the {} `{}`, which no mod declares", name.section, name.name);
            p.warning(file.place(name.span.clone()), message).suggest(&name.name, known);
        }
        let kind = tile_set.kind_named(&name.name).filter(|_| name.section == "kind").map(|kind| tile_set.kind(kind));
        let style = kind.and_then(|_| theme.style(&name.name));
        if let (Some(kind), Some(style)) = (kind, style)
            && !style.goes_with(kind.edge)
        {
            let fitting = Style::ALL.iter().filter(|(_, style)| style.goes_with(kind.edge)).map(|(name, _)| *name);
            let message = format!("the style of kind `{}` does not go with how it meets an edge", name.name);
            let help = format!("what goes with it is {}", listed(&fitting.collect::<Vec<_>>()));
            p.warning(file.place(name.span.clone()), message).help(help);
        }
    }
    theme
}
