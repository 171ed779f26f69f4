//! The files that every installer contains.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use flate2::{Compression, GzBuilder};

use crate::{icon, output};

/// The Debian packages with the libraries that the window loads when it opens.
pub const LIBRARIES: [&str; 10] = [
    "libx11-6",
    "libx11-xcb1",
    "libxcursor1",
    "libxi6",
    "libxkbcommon0",
    "libxkbcommon-x11-0",
    "libgl1",
    "libglx-mesa0",
    "libgl1-mesa-dri",
    "libegl1",
];

/// A file of an installer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstalledFile {
    pub bytes: Vec<u8>,
    pub is_program: bool,
}

impl InstalledFile {
    /// Returns a file that is not executable.
    pub fn data(bytes: impl Into<Vec<u8>>) -> InstalledFile {
        InstalledFile { bytes: bytes.into(), is_program: false }
    }
}

/// Files by path.
pub type Files = BTreeMap<String, InstalledFile>;

/// The files of a version of Bastide for one processor architecture.
pub struct Payload {
    pub version: &'static str,
    /// The processor architecture of the programs, as Rust names it, such as `x86_64`.
    pub processor: &'static str,
    /// The files, with their paths relative to a prefix such as `/usr`.
    pub files: Files,
    /// The oldest version of the C library (glibc) that has all functions that the programs use.
    /// `None` if the programs require no version.
    pub c_library: Option<String>,
    /// The licences, by file name.
    pub licences: BTreeMap<&'static str, String>,
    /// The changelog.
    pub changelog: String,
}

impl Payload {
    /// Reads the programs in `programs`, and runs `bastide` for its completions and manual pages.
    ///
    /// # Errors
    /// Returns an error if a file is missing or a program fails.
    pub fn read(root: &Path, programs: &Path) -> Result<Payload> {
        let mut files = Files::new();
        let mut c_library = None;
        for name in ["bastide", "bastide-editor"] {
            let bytes = strip_program(&programs.join(name))?;
            c_library = c_library.max(newest_c_library(&bytes));
            files.insert(format!("bin/{name}"), InstalledFile { bytes, is_program: true });
        }
        let command = programs.join("bastide");
        for (shell, to) in [
            ("bash", "share/bash-completion/completions/bastide"),
            ("fish", "share/fish/vendor_completions.d/bastide.fish"),
            ("zsh", "share/zsh/site-functions/_bastide"),
        ] {
            let script = output(Command::new(&command).args(["completions", shell]))?;
            files.insert(to.to_owned(), InstalledFile::data(script));
        }
        for (name, page) in manual(&command, &programs.join("bastide-editor"))? {
            files.insert(format!("share/man/man1/{name}.gz"), InstalledFile::data(gzip(&page)?));
        }
        let drawing = read(&root.join("editor/web/static/icon.svg"))?;
        for size in [16, 32, 48, 64, 128, 256] {
            let to = format!("share/icons/hicolor/{size}x{size}/apps/bastide.png");
            files.insert(to, InstalledFile::data(icon::png(&drawing, size)?));
        }
        files.insert("share/icons/hicolor/scalable/apps/bastide.svg".to_owned(), InstalledFile::data(drawing));
        for (to, text) in [
            ("share/applications/bastide.desktop", include_str!("../data/bastide.desktop")),
            ("share/applications/bastide-link.desktop", include_str!("../data/bastide-link.desktop")),
            ("share/mime/packages/bastide.xml", include_str!("../data/bastide.xml")),
        ] {
            files.insert(to.to_owned(), InstalledFile::data(text));
        }
        let mut licences = BTreeMap::new();
        for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
            licences.insert(name, read(&root.join(name))?);
        }
        Ok(Payload {
            version: env!("CARGO_PKG_VERSION"),
            processor: std::env::consts::ARCH,
            files,
            c_library: c_library.map(|(major, minor)| format!("{major}.{minor}")),
            licences,
            changelog: read(&root.join("CHANGELOG.md"))?,
        })
    }
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))
}

/// Returns a program without symbols and debug information. Returns a script as it is.
fn strip_program(program: &Path) -> Result<Vec<u8>> {
    let cannot = || format!("{} cannot be read", program.display());
    let bytes = fs::read(program).with_context(cannot)?;
    if !bytes.starts_with(b"\x7fELF") {
        return Ok(bytes);
    }
    let folder = temporary_folder()?;
    let to = folder.path().join("program");
    output(Command::new("strip").arg("--strip-all").arg("-o").arg(&to).arg(program))?;
    fs::read(&to).with_context(cannot)
}

/// Returns the largest version of the C library that a program names, such as 2.35, if any.
fn newest_c_library(program: &[u8]) -> Option<(u32, u32)> {
    const VERSION_PREFIX: &[u8] = b"\0GLIBC_2.";
    let minors =
        program.windows(VERSION_PREFIX.len()).enumerate().filter(|(_, window)| *window == VERSION_PREFIX).filter_map(
            |(at, _)| {
                let behind = program.get(at + VERSION_PREFIX.len()..)?;
                let digits = behind.iter().take(3).take_while(|byte| byte.is_ascii_digit());
                digits.map(|digit| u32::from(digit - b'0')).reduce(|number, digit| number * 10 + digit)
            },
        );
    minors.max().map(|minor| (2, minor))
}

/// Returns the manual pages by file name.
fn manual(command: &Path, window: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let folder = temporary_folder()?;
    output(Command::new(command).arg("manual").arg(folder.path()))?;
    let cannot = "the manual pages cannot be read";
    let mut pages = BTreeMap::new();
    for entry in fs::read_dir(folder.path()).context(cannot)? {
        let entry = entry.context(cannot)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        pages.insert(name, fs::read(entry.path()).context(cannot)?);
    }
    pages.insert("bastide-editor.1".to_owned(), output(Command::new(window).arg("--manual"))?);
    Ok(pages)
}

fn temporary_folder() -> Result<tempfile::TempDir> {
    tempfile::tempdir().context("no temporary folder can be created")
}

/// Compresses bytes. The gzip header contains no date and no file name, so equal bytes give equal
/// results.
pub fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut packer = GzBuilder::new().write(Vec::new(), Compression::new(6));
    let packed = packer.write_all(bytes).and_then(|()| packer.finish());
    packed.context("the files cannot be compressed")
}
