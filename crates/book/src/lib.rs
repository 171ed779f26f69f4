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
mod names;
mod page;
mod pdf;
mod summary;
mod text;
mod track;

use std::path::Path;

use diagnostic::Diagnostic;
pub use ink::Progress;
use ink::{Paper, Stopped};
use loader::Library;
use serde::{Deserialize, Serialize};
use workshop::RulesCache;

pub use chapter::n_copies;
pub use names::short_name;
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
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

/// The reason why a book cannot be made.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum BookError {
    /// The book is no longer wanted.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Problems of the mods or of the file.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Refused(Vec<Diagnostic>),
}

impl BookError {
    fn message(message: String) -> BookError {
        BookError::Refused(vec![Diagnostic::without_place(message)])
    }

    /// Returns the problems.
    pub fn into_problems(self) -> Vec<Diagnostic> {
        match self {
            BookError::Stopped(stopped) => vec![Diagnostic::without_place(stopped.to_string())],
            BookError::Refused(problems) => problems,
        }
    }
}

/// The progress, in percent, after the examples were run.
const WITH_EXAMPLES: u8 = 50;
/// The progress, in percent, after the examples were drawn.
const WITH_PICTURES: u8 = 70;

impl Book {
    /// Makes the book of the mods `ids`, with a chapter for each of them. Mods that they require
    /// are loaded but have no chapter. Each example has a link that opens it in Bastide; `address`
    /// is the part of the link before the `#`, or `bastide:` for the installed program.
    /// `progress` ends a step after each example.
    ///
    /// # Errors
    /// Returns the problems if a mod cannot be loaded, a README cannot be read, an example fails,
    /// or a caption has a number that no expectation contains.
    pub fn make(
        library: &Library,
        ids: &[String],
        address: &str,
        progress: &mut Progress<'_>,
    ) -> Result<Book, BookError> {
        let mut cache = RulesCache::new(library.clone());
        let Some(loaded) = cache.load(ids) else {
            let problems = cache.take_problems();
            return Err(BookError::Refused(problems.iter().flat_map(|problems| problems.list().to_vec()).collect()));
        };
        let mut problems = Vec::new();
        let mut chapters = Vec::new();
        for (i, id) in ids.iter().enumerate() {
            let part = [i, i + 1].map(|i| (usize::from(WITH_EXAMPLES) * i / ids.len()) as u8);
            match chapter::of_mod(&mut cache, &loaded, id, part, progress) {
                Ok(chapter) => chapters.push(chapter),
                Err(BookError::Refused(found)) => problems.extend(found),
                Err(stopped) => return Err(stopped),
            }
        }
        if !problems.is_empty() {
            return Err(BookError::Refused(problems));
        }
        Ok(Book {
            n_examples: chapters.iter().map(|chapter| chapter.examples.len()).sum(),
            unexplained: chapters.iter().flat_map(|chapter| chapter.unexplained.clone()).collect(),
            pages: page::pages(&loaded, chapters, address, progress)?,
        })
    }

    /// Returns the file of the book in this form. `paper` is the paper of a PDF. `progress` ends a
    /// step after each passage and each page.
    ///
    /// # Errors
    /// Returns an error if a PDF cannot be written, or if the book is no longer wanted.
    pub fn to_bytes(&self, form: BookForm, paper: Paper, progress: &mut Progress<'_>) -> Result<Vec<u8>, BookError> {
        match form {
            BookForm::Html => Ok(html::page(&self.pages, progress)?.into_bytes()),
            BookForm::Pdf => pdf::pdf(&self.pages, paper, progress),
        }
    }
}

#[cfg(test)]
mod tests;
