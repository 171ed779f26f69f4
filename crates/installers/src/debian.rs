//! The Debian package.

use anyhow::{Result, bail};

use crate::archive::tar_gz;
use crate::payload::{Files, InstalledFile, LIBRARIES, Payload, gzip};

/// Returns the file name of the package.
///
/// # Errors
/// Returns an error if Debian has no name for the processor.
pub fn file_name(payload: &Payload) -> Result<String> {
    Ok(format!("bastide_{}_{}.deb", version(payload), architecture(payload)?))
}

/// Makes the package.
///
/// # Errors
/// Returns an error if a file cannot be packed, or if Debian has no name for the processor.
pub fn package(payload: &Payload, date: u64) -> Result<Vec<u8>> {
    let mut files = Files::new();
    for (path, file) in &payload.files {
        // On Debian, zsh reads completions from another folder.
        let path = path.replace("zsh/site-functions", "zsh/vendor-completions");
        files.insert(format!("usr/{path}"), file.clone());
    }
    let doc = |name: &str| format!("usr/share/doc/bastide/{name}");
    files.insert(doc("copyright"), InstalledFile::data(copyright(payload)));
    files.insert(doc("changelog.gz"), InstalledFile::data(gzip(payload.changelog.as_bytes())?));
    let size = files.values().map(|file| file.bytes.len().div_ceil(1024)).sum();
    let control = Files::from([("control".to_owned(), InstalledFile::data(control(payload, size)?))]);
    let mut package = b"!<arch>\n".to_vec();
    add_member(&mut package, "debian-binary", date, b"2.0\n");
    add_member(&mut package, "control.tar.gz", date, &tar_gz(&control, date)?);
    add_member(&mut package, "data.tar.gz", date, &tar_gz(&files, date)?);
    Ok(package)
}

/// Adds a file to an `ar` archive.
fn add_member(archive: &mut Vec<u8>, name: &str, date: u64, bytes: &[u8]) {
    let header = format!("{name:<16}{date:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, "100644", bytes.len());
    archive.extend(header.into_bytes());
    archive.extend(bytes);
    // Each member must begin at an even offset.
    if bytes.len() % 2 == 1 {
        archive.push(b'\n');
    }
}

/// Returns the version in Debian's form, in which `~` marks a pre-release, so that it sorts before
/// its release.
fn version(payload: &Payload) -> String {
    payload.version.replacen('-', "~", 1)
}

fn architecture(payload: &Payload) -> Result<&'static str> {
    match payload.processor {
        "x86_64" => Ok("amd64"),
        "aarch64" => Ok("arm64"),
        "riscv64" => Ok("riscv64"),
        other => bail!("no Debian package can be made for the processor {other}"),
    }
}

/// Returns the fields of the package. `size` is in kB.
fn control(payload: &Payload, size: usize) -> Result<String> {
    let c_library = payload.c_library.as_ref().map_or("libc6".to_owned(), |least| format!("libc6 (>= {least})"));
    let depends = [&*c_library, "libgcc-s1"].into_iter().chain(LIBRARIES).collect::<Vec<_>>().join(", ");
    let (version, architecture) = (version(payload), architecture(payload)?);
    Ok(format!(
        "Package: bastide\n\
         Version: {version}\n\
         Architecture: {architecture}\n\
         Maintainer: The Bastide developers <bastide@localhost>\n\
         Installed-Size: {size}\n\
         Depends: {depends}\n\
         Recommends: libfontconfig1\n\
         Section: games\n\
         Priority: optional\n\
         Description: tile-laying games whose rules are folders of text files\n \
         Bastide plays tile-laying games of the Carcassonne family, and lets you\n \
         change their rules while you play. The package contains the window, the\n \
         command `bastide`, the base game and its expansions.\n"
    ))
}

/// Returns the copyright file in Debian's format.
fn copyright(payload: &Payload) -> String {
    let mit = payload.licences.get("LICENSE-MIT").map_or("", String::as_str);
    let holder = mit.lines().find(|line| line.starts_with("Copyright")).unwrap_or("Copyright The Bastide developers");
    let holder = holder.trim_start_matches("Copyright").trim_start_matches(" (c)").trim();
    let text: String =
        mit.lines().skip(2).map(|line| if line.is_empty() { " .\n".into() } else { format!(" {line}\n") }).collect();
    format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: Bastide\n\n\
         Files: *\n\
         Copyright: {holder}\n\
         License: Expat or Apache-2.0\n\n\
         License: Expat\n{text}\n\
         License: Apache-2.0\n \
         On Debian systems, the text of this licence is in\n \
         /usr/share/common-licenses/Apache-2.0.\n"
    )
}
