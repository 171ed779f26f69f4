//! Makes compressed archives, and the portable archive of Bastide.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};
use tar::{Builder, EntryType, Header};

use crate::payload::{Files, InstalledFile, LIBRARIES, Payload, gzip};

/// Packs files and the folders that contain them. Every entry belongs to the user root and has the
/// date `date`, in seconds since 1970.
///
/// # Errors
/// Returns an error if a path is too long for the format.
pub(crate) fn tar_gz(files: &Files, date: u64) -> Result<Vec<u8>> {
    let mut folders = BTreeSet::new();
    for path in files.keys() {
        let ends = path.match_indices('/').map(|(end, _)| end);
        folders.extend(ends.filter_map(|end| path.get(..=end)));
    }
    let mut builder = Builder::new(Vec::new());
    let mut add = |path: &str, kind, mode, bytes: &[u8]| {
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_mtime(date);
        header.set_uid(0);
        header.set_gid(0);
        header.set_size(bytes.len() as u64);
        let named = header.set_username("root").and_then(|()| header.set_groupname("root"));
        let added = named.and_then(|()| builder.append_data(&mut header, path, bytes));
        added.with_context(|| format!("{path} cannot be packed"))
    };
    for folder in folders {
        add(folder, EntryType::Directory, 0o755, &[])?;
    }
    for (path, file) in files {
        add(path, EntryType::Regular, if file.is_program { 0o755 } else { 0o644 }, &file.bytes)?;
    }
    gzip(&builder.into_inner().context("the files cannot be packed")?)
}

/// Returns the name of the folder in the portable archive.
pub fn name(payload: &Payload) -> String {
    format!("bastide-{}-{}", payload.version, payload.processor)
}

/// Makes the portable archive: one folder with all files and a script that installs them.
///
/// # Errors
/// Returns an error if a file cannot be packed.
pub fn portable(payload: &Payload, date: u64) -> Result<Vec<u8>> {
    let readme = include_str!("../data/README.txt").replace("@LIBRARIES@", &LIBRARIES.join(" "));
    let script = InstalledFile { bytes: include_bytes!("../data/install.sh").to_vec(), is_program: true };
    let mut files = payload.files.clone();
    files.insert("README.txt".to_owned(), InstalledFile::data(readme));
    files.insert("CHANGELOG.md".to_owned(), InstalledFile::data(payload.changelog.clone()));
    files.insert("install.sh".to_owned(), script);
    for (name, text) in &payload.licences {
        files.insert((*name).to_owned(), InstalledFile::data(text.clone()));
    }
    let folder = name(payload);
    tar_gz(&files.into_iter().map(|(path, file)| (format!("{folder}/{path}"), file)).collect(), date)
}
