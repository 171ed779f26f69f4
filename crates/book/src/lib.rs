#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod answer;
mod chapter;
mod example;
mod formula;
mod html;
mod markdown;
mod summary;
mod tile_pictures;
mod track;

use std::sync::Arc;

use diagnostic::Diagnostic;
use loader::{Library, Loaded};
use workshop::RulesCache;

use chapter::Chapter;
pub use summary::RulesSummary;

/// A finished rulebook of one or more mods.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    /// The page, as HTML.
    pub html: String,
    /// The number of examples in the book.
    pub n_examples: usize,
    /// A sentence for each name or function of the mods that the book does not explain.
    pub unexplained: Vec<String>,
}

/// Makes the book of the mods `ids`, with a chapter for each of them. Mods that they require are
/// loaded but have no chapter. Each example has a link that opens it in Bastide; `address` is the
/// part of the link before the `#`.
///
/// # Errors
/// Returns the problems if a mod cannot be loaded, a README cannot be read, an example fails, or a
/// caption has a number that no expectation contains.
pub fn book(library: &Library, ids: &[String], address: &str) -> Result<Book, Vec<Diagnostic>> {
    let mut cache = RulesCache::new(library.clone());
    let Some(loaded) = cache.load(ids) else {
        let problems = cache.take_problems();
        return Err(problems.iter().flat_map(|problems| problems.list().to_vec()).collect());
    };
    let mut problems = Vec::new();
    let mut chapters = Vec::new();
    for id in ids {
        match chapter::of_mod(&mut cache, &loaded, id) {
            Ok(chapter) => chapters.push(chapter),
            Err(found) => problems.extend(found),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(bound(&loaded, &chapters, address))
}

fn bound(loaded: &Arc<Loaded>, chapters: &[Chapter], address: &str) -> Book {
    Book {
        html: html::page(loaded, chapters, address),
        n_examples: chapters.iter().map(|chapter| chapter.examples.len()).sum(),
        unexplained: chapters.iter().flat_map(|chapter| chapter.unexplained.clone()).collect(),
    }
}

#[cfg(test)]
mod tests;
