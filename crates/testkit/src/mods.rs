//! The bundled mods, and copies of them that a test may change.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Returns the folder of the bundled mods.
pub fn mods_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods")
}

/// Writes the mod `many` into the folder of mods `library`. The mod adds `n` tiles of two types to
/// the base game.
pub fn write_many_tiles(library: &Path, n: usize) {
    let own = library.join("many");
    fs::create_dir(&own).unwrap();
    fs::write(own.join("mod.toml"), "[mod]\nid = \"many\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n").unwrap();
    let (one, other) = (n / 2, n - n / 2);
    let text = format!(
        "[tile]\nA = {{ count = {one}, road = \"n-s\" }}\nB = {{ count = {other}, city = \"n\", road = \"e-w\" }}\n"
    );
    fs::write(own.join("tiles.toml"), text).unwrap();
}

/// Returns the folder that contains the small mods for tests.
pub fn small_mods_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mods")
}

/// A copy of a mod in a temporary folder. Dropping this value removes the folder.
pub struct CopiedMod {
    temp: TempDir,
    id: String,
}

impl CopiedMod {
    /// Copies the bundled mod `id`.
    pub fn of(id: &str) -> CopiedMod {
        CopiedMod::from_folder(&mods_folder(), id)
    }

    /// Copies the small test mod `id`.
    pub fn of_tests(id: &str) -> CopiedMod {
        CopiedMod::from_folder(&small_mods_folder(), id)
    }

    fn from_folder(folder: &Path, id: &str) -> CopiedMod {
        let temp = tempfile::tempdir().unwrap();
        copy(&folder.join(id), &temp.path().join(id));
        CopiedMod { temp, id: id.to_owned() }
    }

    /// Returns the folder that contains the folder of the mod. This path can be the value of
    /// `--mods-path`.
    pub fn library(&self) -> &Path {
        self.temp.path()
    }

    /// Returns the path of a file of the mod.
    pub fn file(&self, name: &str) -> PathBuf {
        self.temp.path().join(&self.id).join(name)
    }

    /// Returns the text of a file of the mod.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap()
    }

    /// Writes a file of the mod.
    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.file(name), text).unwrap();
    }

    /// Replaces the first `from` in a file by `to`. Panics if the file does not contain `from`.
    pub fn edit(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} does not contain {from}");
        self.write(name, &text.replacen(from, to, 1));
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
