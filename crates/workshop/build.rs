//! Lists the files of the bundled mods that are compiled into the program: rules, tiles, themes,
//! icons and READMEs, but no tests.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let mods = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../mods").canonicalize()?;
    // A new mod also changes the list of hashes in `shipped.txt`, so Cargo watches that file. If
    // Cargo watched the folder of mods instead, each new test of a mod would make Cargo compile
    // this crate again.
    println!("cargo::rerun-if-changed=src/shipped.txt");
    let mut rows = String::new();
    for file in files(&mods)? {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.strip_prefix(&mods)?.to_str().ok_or("a name is not text in UTF-8")?.replace('\\', "/");
        rows += &format!("    ({name:?}, include_str!({:?})),\n", file.display().to_string());
    }
    let out = Path::new(&env::var("OUT_DIR")?).join("bundled.rs");
    fs::write(
        out,
        format!(
            "/// The files of the bundled mods, by names such as `base/rules.rhai`.\nconst BUNDLED: &[(&str, &str)] = &[\n{rows}];\n"
        ),
    )?;
    Ok(())
}

/// Returns the files of all mods, except their tests, sorted.
fn files(mods: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for folder in fs::read_dir(mods)? {
        let folder = folder?.path();
        for below in ["", "tiles", "icons"].map(|name| folder.join(name)).iter().filter(|below| below.is_dir()) {
            for entry in fs::read_dir(below)? {
                let path = entry?.path();
                let ending = path.extension().and_then(|ending| ending.to_str());
                if matches!(ending, Some("toml" | "rhai" | "svg" | "md")) {
                    files.push(path);
                }
            }
        }
    }
    files.sort();
    Ok(files)
}
