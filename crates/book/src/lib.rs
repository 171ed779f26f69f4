#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod answer;
mod chapter;
mod example;
mod exhibit;
mod formula;
mod html;
mod page;
mod pdf;
mod summary;
mod text;
mod track;

use std::path::Path;
use std::sync::Arc;

use diagnostic::Diagnostic;
use ink::Paper;
use loader::{Library, Loaded};
use workshop::RulesCache;

use chapter::Chapter;
use page::Pages;
pub use summary::RulesSummary;

/// A finished rulebook of one or more mods.
#[derive(Clone, PartialEq, Debug)]
pub struct Book {
    pages: Pages,
    /// The number of examples in the book.
    pub n_examples: usize,
    /// A sentence for each name or function of the mods that the book does not explain.
    pub unexplained: Vec<String>,
}

/// The form of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookForm {
    /// One HTML page, which needs no other file.
    Html,
    /// A PDF with page numbers.
    Pdf,
}

impl BookForm {
    /// Returns the form for the extension of a file name; `None` if it is neither `.html` nor
    /// `.pdf`.
    pub fn of_file(file: &Path) -> Option<BookForm> {
        let ending = file.extension()?.to_str()?;
        match ending.to_ascii_lowercase().as_str() {
            "html" => Some(BookForm::Html),
            "pdf" => Some(BookForm::Pdf),
            _ => None,
        }
    }
}

/// Makes the book of the mods `ids`, with a chapter for each of them. Mods that they require are
/// loaded but have no chapter. Each example has a link that opens it in Bastide; `address` is the
/// part of the link before the `#`.
///
/// # Errors
/// Returns the problems if a mod cannot be loaded, a README cannot be read, or an example fails.
/// Returns a problem also if a caption has a number that no expectation contains.
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
    Ok(assemble_book(&loaded, chapters, address))
}

fn assemble_book(loaded: &Arc<Loaded>, chapters: Vec<Chapter>, address: &str) -> Book {
    Book {
        n_examples: chapters.iter().map(|chapter| chapter.examples.len()).sum(),
        unexplained: chapters.iter().flat_map(|chapter| chapter.unexplained.clone()).collect(),
        pages: page::pages(loaded, chapters, address),
    }
}

impl Book {
    /// Returns the file of the book in this form. `paper` is the paper of a PDF.
    ///
    /// # Errors
    /// Returns a message if a PDF cannot be written.
    pub fn to_bytes(&self, form: BookForm, paper: Paper) -> Result<Vec<u8>, String> {
        match form {
            BookForm::Html => Ok(html::page(&self.pages).into_bytes()),
            BookForm::Pdf => pdf::pdf(&self.pages, paper),
        }
    }
}

#[cfg(test)]
mod tests;
