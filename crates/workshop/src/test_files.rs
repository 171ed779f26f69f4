//! The files of tests: their names, and writing them.

use std::path::{Path, PathBuf};

use platform::fs;

use crate::file_error::FileError;
use crate::tile_files::LEADS_OUT;

/// Returns a file name for a title, with lower-case letters, digits and `_`, without extension.
/// Returns an empty name if the title has no ASCII letters or digits.
pub fn file_name_of(title: &str) -> String {
    let mut name = String::new();
    for c in title.chars().flat_map(char::to_lowercase) {
        if c.is_ascii_alphanumeric() {
            name.push(c);
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    name.truncate(60);
    name.trim_end_matches('_').to_owned()
}

/// Returns a file name for a title, without extension. The name differs from the names of all tests
/// of the mod in `folder`.
pub fn free_name(folder: &Path, title: &str) -> String {
    let name = Some(file_name_of(title)).filter(|name| !name.is_empty()).unwrap_or_else(|| "moment".to_owned());
    let is_free = |name: &String| !fs::exists(&folder.join("tests").join(format!("{name}.game")));
    let names = (1..).map(|n| if n == 1 { name.clone() } else { format!("{name}_{n}") });
    names.into_iter().find(is_free).unwrap_or(name)
}

/// Returns the reason why a test cannot have this name; `None` if the name is permitted.
pub fn why_name_refused(name: &str) -> Option<&'static str> {
    let is_fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    let is_name = begins && name.len() <= 80 && name.chars().all(is_fine);
    (!is_name).then_some("use at most 80 lower-case letters, digits, `_` and `-`, beginning with a letter or digit")
}

/// Checks that a test or another file may have this name.
///
/// # Errors
/// Returns an error if the name is not permitted.
pub(crate) fn check_name(name: &str) -> Result<(), FileError> {
    why_name_refused(name).map_or(Ok(()), |why| Err(FileError::Name { name: name.to_owned(), why }))
}

/// Writes a test to the folder `tests` of the mod in `folder`, and creates the folder if necessary.
/// Never overwrites a file. Returns the path of the test.
///
/// # Errors
/// Returns an error if the name is not permitted, or if the file exists or cannot be written.
pub fn write_test(folder: &Path, name: &str, text: &str) -> Result<PathBuf, FileError> {
    check_name(name)?;
    let tests = folder.join("tests");
    let path = tests.join(format!("{name}.game"));
    let cannot = |error| FileError::not_created(&path)(error);
    fs::create_dir_all(&tests).map_err(cannot)?;
    let is_inside = fs::canonicalize(&tests).and_then(|t| Ok(t.starts_with(fs::canonicalize(folder)?)));
    if !is_inside.map_err(cannot)? {
        return Err(FileError::refused(&path, "written", LEADS_OUT));
    }
    table::write_new(&path, text).map_err(cannot)?;
    Ok(path)
}
