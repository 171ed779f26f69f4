//! Turns the formulas in manifests, which compute points, into words.

use rules::{Catalogue, Factor, Formula, Term};

/// Returns a formula in words, such as `2 for each tile and 2 for each shield`.
pub(crate) fn describe_formula(catalogue: &Catalogue, formula: &Formula) -> String {
    let mut text = String::new();
    for (i, term) in formula.terms.iter().enumerate() {
        text += match (i, term.times < 0) {
            (0, false) => "",
            (0, true) => "minus ",
            (_, false) => " and ",
            (_, true) => ", minus ",
        };
        text += &describe_term(catalogue, term);
    }
    if text.is_empty() { "nothing".to_owned() } else { text }
}

fn describe_term(catalogue: &Catalogue, term: &Term) -> String {
    let times = term.times.unsigned_abs().to_string();
    let settings = term.factors.iter().filter_map(|factor| match factor {
        Factor::Setting(setting) => catalogue.settings.get(setting.idx()),
        _ => None,
    });
    let settings: Vec<String> = settings.map(|setting| format!("the setting “{}”", setting.name)).collect();
    let counted: Vec<String> = term.factors.iter().filter_map(|factor| counted_thing(catalogue, factor)).collect();
    let number = match (settings.as_slice(), term.times.unsigned_abs()) {
        ([], _) => times,
        (settings, 1) => settings.join(" times "),
        (settings, _) => format!("{times} times {}", settings.join(" times ")),
    };
    if counted.is_empty() { number } else { format!("{number} for each {}", counted.join(" and each ")) }
}

/// Returns the noun for the objects that a factor counts, such as `tile`; `None` if the factor is a
/// setting.
fn counted_thing(catalogue: &Catalogue, factor: &Factor) -> Option<String> {
    let tile_set = &catalogue.tile_set;
    Some(match factor {
        Factor::Tiles => "tile".to_owned(),
        Factor::Zones => "segment".to_owned(),
        Factor::Spots => "tile on its own spot and around it".to_owned(),
        Factor::Tag(tag) => tile_set.tag(*tag).name.replace('_', " "),
        Factor::Touching { kinds, only_complete } => {
            let all = tile_set.kinds.iter().enumerate().filter(|(i, _)| kinds.0 >> i & 1 == 1);
            let names: Vec<String> = all.map(|(_, kind)| kind.name.replace('_', " ")).collect();
            let complete = if *only_complete { "completed " } else { "" };
            format!("{complete}{} on its border", names.join(" or "))
        }
        Factor::Setting(_) => return None,
    })
}
