//! Rulebooks.

use book::{Book, BookError, BookForm};
use paper::Paper;
use platform::fs;
use serde::{Deserialize, Serialize};
use table::{Library, shown_path};
use workshop::{CaseFile, FileTexts, read_text, search_path, texts_of_library};

use super::{Job, Reporter};
use crate::shown_error::ShownError;

/// The maximum size of a README or a test that is sent to a worker, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// Makes the rulebook of mods. Reports the progress in percent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BookJob {
    /// The mods.
    #[serde(with = "search_path")]
    pub library: Library,
    /// The ids of the mods with a chapter.
    pub ids: Vec<String>,
    /// The address of the links that open examples.
    pub address: String,
    /// The form of the file.
    pub form: BookForm,
}

/// A finished rulebook.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BookMade {
    /// The number of examples.
    pub n_examples: usize,
    /// The number of things that the book does not explain.
    pub n_unexplained: usize,
    /// The content of the file.
    pub file: Vec<u8>,
}

impl Job for BookJob {
    type Report = u8;
    type Output = BookMade;

    const NAME: &'static str = "rulebook";

    fn run(self, reporter: &Reporter<'_, u8>) -> Result<BookMade, ShownError> {
        let BookJob { library, ids, address, form } = self;
        let made = reporter.with_progress(|progress| {
            let book = Book::make(&library, &ids, &address, progress)?;
            let file = book.to_bytes(form, Paper::A4, progress)?;
            Ok(BookMade { n_examples: book.n_examples, n_unexplained: book.unexplained.len(), file })
        });
        made.map_err(|error: BookError| {
            let problems = error.into_problems();
            let first = problems.first().map(ToString::to_string).unwrap_or_default();
            let more = match problems.len() {
                0 | 1 => String::new(),
                n => format!(" (and {} more)", n - 1),
            };
            ShownError::new(format!("no rulebook was made: {first}{more}"))
        })
    }

    fn files(&self) -> Result<FileTexts, ShownError> {
        let mut files = texts_of_library(&self.library);
        for folder in self.ids.iter().filter_map(|id| self.library.folder(id)) {
            let readme = Some(folder.join("README.md")).filter(|file| fs::is_file(file));
            let tests = CaseFile::of_mod(&folder).into_iter().map(|case| case.file);
            for path in tests.chain(readme) {
                let text = read_text(&path, Some(&folder), MAX_BYTES);
                let text =
                    text.map_err(|error| ShownError::new(format!("{}: cannot be read: {error}", shown_path(&path))))?;
                files.insert(path, text.into());
            }
        }
        Ok(files)
    }
}
