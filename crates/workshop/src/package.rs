//! Mods as zip archives. The archive of a mod always has the same bytes. All archives that are read
//! count as untrusted.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Cursor, Read as _, Write as _};
use std::path::Path;

use diagnostic::Diagnostic;
use loader::{MAX_FILES, MAX_VALUES, ReadError, is_mod_id, max_bytes_of_file, n_values, read_text, shown_path};
use platform::fs::{self, FileKind};
use toml_edit::{DocumentMut, Item};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// The maximum size of an archive, in bytes.
const MAX_ZIP_BYTES: u64 = 8 << 20;
/// The maximum number of files and folders in an archive, and of files of a mod.
const MAX_ENTRIES: usize = 2_000;
/// The maximum size, in bytes, of a file that the engine does not load, such as a test or a
/// document.
const MAX_OTHER_FILE_BYTES: u64 = 4 << 20;
/// The maximum total size of all unpacked files of a mod, in bytes.
const MAX_UNPACKED_BYTES: u64 = 32 << 20;
/// The maximum compression ratio of a file: the unpacked size divided by the packed size.
const MAX_RATIO: u64 = 200;
/// The maximum unpacked size, in bytes, of a file that may exceed [`MAX_RATIO`].
const UNSUSPICIOUS_BYTES: u64 = 64 << 10;
/// The maximum length of a file's path inside the mod, in bytes.
const MAX_NAME_BYTES: usize = 200;

/// The manifest, which every mod has.
const MANIFEST: &str = "mod.toml";

/// The folders inside the mod's folder that can contain files of the mod.
const FOLDERS: [&str; 3] = ["tiles", "icons", "tests"];

/// A mod as checked texts, from a folder, an archive or a link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Package {
    /// The id of the mod.
    pub id: String,
    /// The title of the mod.
    pub title: String,
    /// The version of the mod.
    pub version: String,
    /// The description of the mod.
    pub about: String,
    /// The names of files and subfolders that are not part of the mod, although they are in its
    /// folder or archive.
    pub left_out: Vec<String>,
    /// The texts of the mod's files, by their file names relative to the mod's folder.
    pub(crate) files: BTreeMap<String, String>,
}

/// Returns whether a file is part of a mod: a file that the engine loads, a test or documentation.
/// `name` is relative to the mod's folder.
fn is_mod_file(name: &str) -> bool {
    let ends = |ending: &str| name.rsplit_once('.').is_some_and(|(_, found)| found == ending);
    match name.split_once('/') {
        None => {
            let upper = name.to_uppercase();
            let is_licence = ["LICENSE", "LICENCE", "COPYING", "AUTHORS"].iter().any(|word| upper.starts_with(word));
            let is_read = ["mod.toml", "tiles.toml", "theme.toml", "rules.rhai"].contains(&name);
            !name.starts_with('.') && (is_read || ends("md") || ends("txt") || (is_licence && !name.contains('.')))
        }
        Some((folder, file)) => {
            let ending = match folder {
                "tiles" => "toml",
                "icons" => "svg",
                "tests" => "game",
                _ => return false,
            };
            !file.contains('/') && !file.starts_with('.') && ends(ending)
        }
    }
}

/// Makes an error about a package or a link.
pub(crate) fn package_error(message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::without_place(message).with_help(help)
}

/// The help for an archive that `bastide pack` cannot have made.
const ASK_FOR_ANOTHER: &str = "nothing was written; ask for an archive made by `bastide pack`";

impl Package {
    /// Reads a mod from its folder or from a zip archive.
    ///
    /// # Errors
    /// Returns an error if the path cannot be read, or if the mod or archive is refused.
    pub fn read(path: &Path) -> Result<Package, Diagnostic> {
        let shown = shown_path(path);
        let help = "give the path of a zip archive or of a mod's folder";
        let stamp = fs::stamp(path).map_err(|e| package_error(format!("{shown} cannot be read: {e}"), help))?;
        if stamp.kind == FileKind::Folder {
            return Package::from_folder(path);
        }
        if stamp.kind != FileKind::File {
            return Err(package_error(format!("{shown} is not a file"), help));
        }
        let bytes = fs::read_at_most(path, MAX_ZIP_BYTES).map_err(|e| match e.kind() {
            io::ErrorKind::FileTooLarge => archive_too_large(),
            _ => package_error(format!("{shown} cannot be read: {e}"), "check that it exists and that you may read it"),
        })?;
        Package::from_zip(&bytes)
    }

    /// Reads a mod from its folder. Follows symbolic links to files of the same mod.
    ///
    /// # Errors
    /// Returns an error if the folder does not contain a valid mod, or exceeds a limit. Also
    /// returns an error if a file of the mod cannot be read, or has a name that is not permitted.
    pub fn from_folder(folder: &Path) -> Result<Package, Diagnostic> {
        let mut names = BTreeSet::new();
        let mut left_out = Vec::new();
        for sub in [""].into_iter().chain(FOLDERS) {
            // The folder may be a symbolic link to a folder outside the mod. This is safe, because
            // reading its files fails below.
            for path in fs::paths_in(folder.join(sub)).take(MAX_ENTRIES + 1) {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let name = if sub.is_empty() { name.into_owned() } else { format!("{sub}/{name}") };
                match is_mod_file(&name) {
                    true => drop(names.insert(name)),
                    false if FOLDERS.contains(&name.as_str()) => {}
                    false => left_out.push(name),
                }
            }
        }
        if !names.contains(MANIFEST) {
            let message = format!("{} is not a mod: it contains no {MANIFEST}", shown_path(folder));
            return Err(package_error(message, format!("name the folder that contains {MANIFEST}")));
        }
        check_n_entries(names.len())?;
        let (mut files, mut n_bytes) = (BTreeMap::new(), 0);
        for name in names {
            check_name(&name)?;
            let path = folder.join(&name);
            let text = read_text(&path, Some(folder), max_bytes(&name)).map_err(|unreadable| {
                let help = match &unreadable {
                    ReadError::LeadsOut(_) | ReadError::LeadsNowhere => "put the file itself there instead of a link",
                    ReadError::NotText(_) => "save it as UTF-8: all files of a mod are text",
                    _ => "repair it or remove it from the folder",
                };
                package_error(format!("{} cannot be read: {unreadable}", shown_path(&path)), help)
            })?;
            n_bytes += text.len() as u64;
            files.insert(name, text);
        }
        check_total_bytes(n_bytes)?;
        left_out.sort();
        Package::from_files(files, left_out)
    }

    /// Reads a mod from the bytes of a zip archive, without writing any file. In the archive, the
    /// mod may be inside a folder.
    ///
    /// # Errors
    /// Returns an error if the archive does not contain exactly one mod, or exceeds a limit. Also
    /// returns an error if a name in the archive could lead out of the mod's folder.
    pub fn from_zip(bytes: &[u8]) -> Result<Package, Diagnostic> {
        if bytes.len() as u64 > MAX_ZIP_BYTES {
            return Err(archive_too_large());
        }
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|e| archive_error(&e))?;
        check_n_entries(archive.len())?;
        if archive.has_duplicate_names() {
            let message = "two files of the archive have the same name, so it is not clear which is meant";
            return Err(package_error(message, ASK_FOR_ANOTHER));
        }
        let names = checked_names(&mut archive)?;
        archive.validate_header_consistency().map_err(|e| archive_error(&e))?;
        let root = root_of(&names)?;
        let (mut files, mut left_out, mut n_bytes) = (BTreeMap::new(), Vec::new(), 0);
        for (i, name) in names {
            let own = name.strip_prefix(&root).filter(|own| is_mod_file(own));
            let Some(own) = own else {
                left_out.extend(Some(name).filter(|name| !name.ends_with('/')));
                continue;
            };
            // The sizes in the archive's directory may be false, so the limit also applies while
            // unpacking.
            let mut unpacked = Vec::new();
            let file = archive.by_index(i).map_err(|e| archive_error(&e))?;
            let read = file.take(max_bytes(own) + 1).read_to_end(&mut unpacked);
            read.map_err(|e| archive_error(&ZipError::Io(e)))?;
            check_file(own, unpacked.len() as u64)?;
            n_bytes += unpacked.len() as u64;
            check_total_bytes(n_bytes)?;
            let text = String::from_utf8(unpacked).map_err(|_| {
                let help = "all files of a mod are text: save this one as UTF-8 and pack the mod again";
                package_error(format!("`{own}` is not text in UTF-8"), help)
            })?;
            files.insert(own.to_owned(), text);
        }
        Package::from_files(files, left_out)
    }

    /// Reads a mod from untrusted texts. `files` contains each text by the name of its file,
    /// relative to the mod's folder. All texts must be files of a mod.
    ///
    /// # Errors
    /// Returns an error if the texts are not a mod, or if a name or size is not permitted.
    pub(crate) fn from_texts(files: BTreeMap<String, String>) -> Result<Package, Diagnostic> {
        check_n_entries(files.len())?;
        let mut n_bytes = 0;
        for (name, text) in &files {
            check_name(name)?;
            check_file(name, text.len() as u64)?;
            n_bytes += text.len() as u64;
            if !is_mod_file(name) {
                let message = format!("`{name}` is not part of a mod");
                return Err(package_error(message, "nothing was written; remove it and pack the mod again"));
            }
        }
        check_total_bytes(n_bytes)?;
        check_distinct(files.keys().map(String::as_str))?;
        if !files.contains_key(MANIFEST) {
            return Err(package_error(format!("one of the mods has no {MANIFEST}"), ASK_FOR_ANOTHER));
        }
        Package::from_files(files, Vec::new())
    }

    fn from_files(files: BTreeMap<String, String>, left_out: Vec<String>) -> Result<Package, Diagnostic> {
        for folder in FOLDERS {
            let is_in = |name: &&String| name.split_once('/').is_some_and(|(found, _)| found == folder);
            let n = files.keys().filter(is_in).count();
            if n > MAX_FILES {
                let message = format!("the mod's folder `{folder}` has {n} files, more than the limit of {MAX_FILES}");
                return Err(package_error(message, "combine some of the files, or remove some"));
            }
        }
        let text = files.get(MANIFEST).map(String::as_str).unwrap_or_default();
        if n_values(text) > MAX_VALUES {
            let message = format!("the mod's {MANIFEST} has more values than the limit of {MAX_VALUES}");
            return Err(package_error(message, "nothing was written; remove values that the mod does not need"));
        }
        let manifest: DocumentMut =
            text.trim_start_matches('\u{feff}').parse().map_err(|e: toml_edit::TomlError| {
                let message = format!("the mod's {MANIFEST} cannot be read: {}", e.message());
                package_error(message, "correct it first: `bastide check` says where the error is")
            })?;
        let word = |key: &str| {
            let found = manifest.get("mod").and_then(|table| table.get(key)).and_then(Item::as_str);
            diagnostic::visible_lines(found.unwrap_or_default()).replace('\n', " ")
        };
        let id = word("id");
        if !is_mod_id(&id) {
            let message = format!("the mod's {MANIFEST} has no valid id (`{id}`)");
            let help =
                "write `id = \"my-mod\"` below `[mod]`: lower-case letters, digits and -, beginning with a letter";
            return Err(package_error(message, help));
        }
        // The id becomes the name of a folder, so it must not be the name of a device on any
        // system.
        check_name(&id)?;
        let title = Some(word("title")).filter(|title| !title.is_empty()).unwrap_or_else(|| loader::title_of(&id));
        Ok(Package { title, version: word("version"), about: word("about"), id, left_out, files })
    }

    /// Returns the mod as a zip archive, in a folder named after its id. The same mod always gives
    /// the same bytes.
    ///
    /// # Errors
    /// Returns an error if the archive would exceed the maximum size for reading.
    pub fn to_zip(&self) -> Result<Vec<u8>, Diagnostic> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(DateTime::DEFAULT)
            .system(zip::System::Unix)
            .unix_permissions(0o644);
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in &self.files {
            let begun = archive.start_file(format!("{}/{name}", self.id), options);
            begun.and_then(|()| Ok(archive.write_all(text.as_bytes())?)).map_err(|e| archive_error(&e))?;
        }
        let bytes = archive.finish().map_err(|e| archive_error(&e))?.into_inner();
        if bytes.len() as u64 > MAX_ZIP_BYTES {
            let message = format!("the archive would have {} MB, too much to be read again", bytes.len() >> 20);
            return Err(package_error(message, "make files of the mod smaller"));
        }
        Ok(bytes)
    }

    /// Returns the names of the files and their sizes in bytes, sorted by name.
    pub fn files(&self) -> impl Iterator<Item = (&str, usize)> {
        self.files.iter().map(|(name, text)| (name.as_str(), text.len()))
    }
}

fn archive_too_large() -> Diagnostic {
    let message = format!("the archive is larger than the limit of {} MB", MAX_ZIP_BYTES >> 20);
    package_error(message, "a mod consists of text files: remove all other files")
}

/// Returns the error for an unreadable archive.
fn archive_error(error: &ZipError) -> Diagnostic {
    let message = match error {
        ZipError::InvalidArchive(why) => format!("this is not a valid zip archive: {why}"),
        ZipError::UnsupportedArchive(why) => format!("this kind of zip archive is not supported: {why}"),
        ZipError::CompressionMethodNotSupported(n) => {
            format!("the compression method of the archive is not supported (number {n})")
        }
        other => format!("the archive is damaged: {other}"),
    };
    package_error(message, "get it again, or pack the mod's folder with `bastide pack`")
}

/// Checks all entries of the archive before unpacking. Returns the index and the name of each
/// entry.
fn checked_names(archive: &mut ZipArchive<Cursor<&[u8]>>) -> Result<Vec<(usize, String)>, Diagnostic> {
    let mut names = Vec::new();
    let mut n_bytes: u64 = 0;
    for i in 0..archive.len() {
        let entry = archive.by_index_data(i).map_err(|e| archive_error(&e))?;
        let name = std::str::from_utf8(entry.name_raw())
            .map_err(|_| package_error("a name in the archive is not text in UTF-8", ASK_FOR_ANOTHER))?
            .to_owned();
        let shown = diagnostic::visible_lines(&name).into_owned();
        check_name(name.strip_suffix('/').unwrap_or(&name))?;
        if entry.encrypted() {
            return Err(package_error(format!("`{shown}` is encrypted"), "pack the mod without a password"));
        }
        // Only regular files and folders are permitted.
        let sort = entry.unix_mode().map_or(0, |mode| mode & 0o170_000);
        if entry.is_symlink() || ![0, 0o100_000, 0o040_000].contains(&sort) {
            let message = format!("`{shown}` is a link or a device; only files are read");
            return Err(package_error(message, "put the file itself into the archive instead of a link"));
        }
        if ![CompressionMethod::Stored, CompressionMethod::Deflated].contains(&entry.compression()) {
            let message = format!("the compression method of `{shown}` is not supported");
            return Err(package_error(message, "pack the mod as a usual zip archive, with the method `deflate`"));
        }
        check_file(&shown, entry.size())?;
        n_bytes = n_bytes.saturating_add(entry.size());
        if entry.size() > UNSUSPICIOUS_BYTES && entry.size() / MAX_RATIO > entry.compressed_size() {
            let message =
                format!("`{shown}` is more than {MAX_RATIO} times as large unpacked, which is too much for a mod");
            return Err(package_error(message, ASK_FOR_ANOTHER));
        }
        names.push((i, name));
    }
    check_total_bytes(n_bytes)?;
    check_distinct(names.iter().map(|(_, name)| name.as_str()))?;
    Ok(names)
}

fn check_n_entries(n: usize) -> Result<(), Diagnostic> {
    if n <= MAX_ENTRIES {
        return Ok(());
    }
    let message = format!("there are {n} files, more than the limit of {MAX_ENTRIES}");
    Err(package_error(message, "a mod has a few dozen files: remove those that are not part of it"))
}

/// Returns the maximum size of the file `name`, in bytes. If the loader reads the file, this is the
/// loader's limit. `name` is relative to the mod's folder.
fn max_bytes(name: &str) -> u64 {
    max_bytes_of_file(name).unwrap_or(MAX_OTHER_FILE_BYTES)
}

fn check_file(name: &str, n_bytes: u64) -> Result<(), Diagnostic> {
    let most = max_bytes(name);
    if n_bytes <= most {
        return Ok(());
    }
    let message = format!("`{name}` is larger than the limit of {} kB unpacked", most >> 10);
    Err(package_error(message, "a mod consists of text files: remove this file or shorten it"))
}

fn check_total_bytes(n_bytes: u64) -> Result<(), Diagnostic> {
    if n_bytes <= MAX_UNPACKED_BYTES {
        return Ok(());
    }
    let message = format!("all files together are larger than the limit of {} MB unpacked", MAX_UNPACKED_BYTES >> 20);
    Err(package_error(message, "a mod consists of text files: remove all other files"))
}

/// File names that stand for devices on some systems, such as Windows, even with an extension.
const DEVICE_NAMES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Checks that a relative name leads to a file below its folder, and to the same file on every
/// system.
///
/// # Errors
/// Returns an error that says why the name is not permitted.
fn check_name(name: &str) -> Result<(), Diagnostic> {
    let is_device = |part: &str| {
        let stem = part.split('.').next().unwrap_or(part).trim_end().to_lowercase();
        let numbered = ["com", "lpt"].iter().filter_map(|port| stem.strip_prefix(port));
        DEVICE_NAMES.contains(&stem.as_str())
            || numbered.into_iter().any(|n| n.chars().count() == 1 && n != "0" && !n.starts_with(char::is_alphabetic))
    };
    let parts: Vec<&str> = name.split('/').collect();
    let is_drive = name.chars().nth(1) == Some(':') && name.starts_with(|c: char| c.is_ascii_alphabetic());
    let why = if name.starts_with('/') || name.starts_with('\\') || is_drive {
        "begins at the root of a disk"
    } else if parts.contains(&"..") {
        "leads out of the folder of the mod"
    } else if name.contains('\\') {
        "has a backslash, which separates folders on some systems"
    } else if parts.iter().any(|part| part.is_empty() || *part == ".") {
        "has a folder without a name"
    } else if name.contains([':', '*', '?', '"', '<', '>', '|']) {
        "has a character that file names may not have on some systems"
    } else if name.chars().any(char::is_control) || diagnostic::visible_lines(name) != name {
        "has invisible characters"
    } else if parts.iter().any(|part| part.ends_with(['.', ' '])) {
        "ends in a dot or a space, which some systems drop"
    } else if parts.iter().any(|part| is_device(part)) {
        "is the name of a device on some systems"
    } else if name.len() > MAX_NAME_BYTES {
        "is too long"
    } else {
        return Ok(());
    };
    let shown: String = diagnostic::visible_lines(name).replace('\n', "\u{fffd}").chars().take(80).collect();
    let help = "nothing was written; rename the file, and pack the mod again";
    Err(package_error(format!("the name `{shown}` {why}"), help))
}

/// Checks that no two names stand for the same file on some system, for example because they differ
/// only in case. Also checks that no name stands for both a file and a folder.
fn check_distinct<'n>(names: impl Iterator<Item = &'n str>) -> Result<(), Diagnostic> {
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    for name in names {
        let plain = name.trim_end_matches('/');
        if let Some(other) = known.insert(plain.to_lowercase(), name) {
            let message = format!("`{other}` and `{name}` are the same file on some systems");
            return Err(package_error(message, "rename one of the files, and pack the mod again"));
        }
    }
    for name in known.values().filter(|name| !name.ends_with('/')) {
        let below = format!("{}/", name.to_lowercase());
        if let Some((other, _)) = known.range(below.clone()..).next().filter(|(other, _)| other.starts_with(&below)) {
            let message = format!("`{name}` is a file, but `{other}` needs it to be a folder");
            return Err(package_error(message, ASK_FOR_ANOTHER));
        }
    }
    Ok(())
}

/// Returns the folder of the only manifest in an archive, with a `/` at the end. Returns an empty
/// text if the manifest is not in a folder.
fn root_of(names: &[(usize, String)]) -> Result<String, Diagnostic> {
    let root = |name: &str| {
        name.strip_suffix(MANIFEST).filter(|root| root.is_empty() || root.ends_with('/')).map(str::to_owned)
    };
    let roots: Vec<String> = names.iter().filter_map(|(_, name)| root(name)).collect();
    match roots.as_slice() {
        [root] => Ok(root.clone()),
        [] => Err(package_error(
            format!("there is no mod in the archive: it has no {MANIFEST}"),
            format!("pack the folder that contains {MANIFEST}"),
        )),
        several => {
            let shown: Vec<String> = several.iter().take(5).map(|root| format!("{root}{MANIFEST}")).collect();
            let message = format!("there are {} mods in the archive: {}", several.len(), shown.join(", "));
            Err(package_error(message, "unpack the archive, and install each mod from its folder"))
        }
    }
}
