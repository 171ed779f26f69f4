//! Hostile mods: malicious or mistaken mods, each in one file with its expected outcome. Also runs
//! programs under limits.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::{Seek, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::memory::status_kb;

/// The expected outcome of a hostile mod. If the variant has a text, the message of the program
/// must contain this text. If the text consists of alternatives separated by `|`, the message must
/// contain one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExpectedOutcome {
    /// The mod does not load.
    Refused(String),
    /// The mod loads, but a call of one of its functions fails, so the game stops with a fault.
    Fault(String),
    /// The mod loads and plays without harm.
    Harmless,
}

/// A hostile mod.
#[derive(Clone, Debug)]
pub struct HostileMod {
    /// The path of the mod in the folder of hostile mods, without the extension.
    pub name: String,
    /// The expected outcome of loading and playing the mod.
    pub fate: ExpectedOutcome,
    /// The expected end of the place in the message, such as `rules.rhai:3` or `rules.rhai`.
    /// Alternatives are separated by `|`. Empty if the message may name any place.
    pub at: String,
    /// Further words that the messages about loading must contain; empty if there are none.
    pub says: String,
    /// The maximum number of answers to give in the game.
    pub answers: usize,
    /// The name of the bot that plays all seats.
    pub bot: String,
    /// The ids of the mods to play with.
    pub mods: Vec<String>,
    files: Vec<WrittenFile>,
}

/// A hostile mod as written in its file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenMod {
    /// A description of the danger, for readers of the file.
    #[serde(rename = "about")]
    _about: String,
    refused: Option<String>,
    fault: Option<String>,
    #[serde(default)]
    harmless: bool,
    at: Option<String>,
    #[serde(default)]
    says: String,
    answers: Option<usize>,
    bot: Option<String>,
    mods: Option<Vec<String>>,
    /// The text of the manifest after the table `[mod]`.
    manifest: Option<String>,
    script: Option<String>,
    #[serde(default)]
    file: Vec<WrittenFile>,
}

/// A file in the mod's folder, or beside the folder if the path begins with `../`. The file
/// contains a text, bytes or a generated text, or is not a regular file.
#[derive(Clone, Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
struct WrittenFile {
    path: String,
    text: Option<String>,
    /// A generated text: `head`, the line `line` repeated `times` times, `middle`, the line
    /// `closing` repeated `times` times, and `tail`, each followed by `between`. In `line`, `{n}`
    /// is the number of the repetition, counted from 0.
    head: Option<String>,
    line: Option<String>,
    times: usize,
    middle: Option<String>,
    closing: Option<String>,
    tail: Option<String>,
    between: Option<String>,
    bytes: Option<Vec<u8>>,
    /// The size of a sparse file in bytes.
    sparse: Option<u64>,
    /// The target of the link, if the file is a link.
    link: Option<String>,
    fifo: bool,
    folder: bool,
    /// The number of copies. In path and text, `{n}` is the number of the copy, counted from 0, and
    /// `{next}` is the number of the next copy.
    copies: Option<usize>,
    mode: Option<u32>,
}

/// The mark at the end of the line that the message must name. A comment sign comes before this
/// mark.
const LINE_MARK: &str = " here";

impl HostileMod {
    /// Reads all hostile mods in `folder`, sorted by name.
    ///
    /// # Panics
    /// Panics if a mod cannot be read.
    pub fn all(folder: &Path) -> Vec<HostileMod> {
        let mut files = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(&next).unwrap().map(Result::unwrap) {
                let list = if entry.file_type().unwrap().is_dir() { &mut folders } else { &mut files };
                list.push(entry.path());
            }
        }
        files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
        files.sort();
        files.iter().map(|file| HostileMod::read(folder, file)).collect()
    }

    /// Calls `tried` with each hostile mod in `folder`, on two threads. If the environment variable
    /// `HOSTILE` is set, leaves out mods whose name does not contain its value. Returns the number
    /// of calls.
    ///
    /// # Panics
    /// Panics if there is no such mod, or if a mod cannot be read.
    pub fn for_each(folder: &Path, tried: impl Fn(&HostileMod) + Sync) -> usize {
        let wanted = std::env::var("HOSTILE").unwrap_or_default();
        let mods: Vec<HostileMod> = HostileMod::all(folder).into_iter().filter(|m| m.name.contains(&wanted)).collect();
        assert!(!mods.is_empty(), "no mod is called {wanted}");
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while let Some(hostile) = mods.get(next.fetch_add(1, Ordering::Relaxed)) {
                        tried(hostile);
                    }
                });
            }
        });
        mods.len()
    }

    /// Reads the hostile mod in `file`, which lies in `folder`.
    ///
    /// # Panics
    /// Panics if the file cannot be read, or does not contain exactly one of `refused`, `fault` and
    /// `harmless`.
    pub fn read(folder: &Path, file: &Path) -> HostileMod {
        let name = file.strip_prefix(folder).unwrap_or(file).with_extension("").to_string_lossy().into_owned();
        let text = fs::read_to_string(file).unwrap();
        let written: WrittenMod = toml::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let fate = match (written.refused, written.fault, written.harmless) {
            (Some(words), None, false) => ExpectedOutcome::Refused(words),
            (None, Some(words), false) => ExpectedOutcome::Fault(words),
            (None, None, true) => ExpectedOutcome::Harmless,
            _ => panic!("{name}: write exactly one of `refused`, `fault` and `harmless`"),
        };
        let mut files = written.file;
        let has = |path: &str, files: &[WrittenFile]| files.iter().any(|file| file.path == path);
        if !has("mod.toml", &files) {
            let manifest = format!("{}{}", plain_manifest("hostile"), written.manifest.unwrap_or_default());
            files.push(WrittenFile { path: "mod.toml".to_owned(), text: Some(manifest), ..WrittenFile::default() });
        }
        if let Some(script) = written.script {
            files.push(WrittenFile { path: "rules.rhai".to_owned(), text: Some(script), ..WrittenFile::default() });
        }
        let marked = |file: &WrittenFile| {
            let line = file.text.as_ref()?.lines().position(ends_in_mark)?;
            Some(format!("{}:{}", file.path, line + 1))
        };
        let at = written.at.or_else(|| files.iter().find_map(marked)).unwrap_or_default();
        let mods = written.mods.unwrap_or_else(|| vec!["hostile".to_owned()]);
        let bot = written.bot.unwrap_or_else(|| "random".to_owned());
        HostileMod { name, fate, at, says: written.says, answers: written.answers.unwrap_or(40), bot, mods, files }
    }

    /// Empties `library`, a folder of mods. Then writes this mod into the folder.
    ///
    /// # Panics
    /// Panics if the folder cannot be written to.
    pub fn write_into(&self, library: &Path) {
        empty(library);
        fs::create_dir_all(library.join("hostile")).unwrap();
        self.files.iter().for_each(|file| file.write_into(&library.join("hostile")));
    }

    /// Empties `library`, a folder of mods. Then writes a mod without functions into the folder for
    /// each id in the field `mods`.
    ///
    /// # Panics
    /// Panics if the folder cannot be written to.
    pub fn write_harmless_into(&self, library: &Path) {
        empty(library);
        for id in &self.mods {
            fs::create_dir_all(library.join(id)).unwrap();
            fs::write(library.join(id).join("mod.toml"), plain_manifest(id)).unwrap();
        }
    }
}

fn ends_in_mark(line: &str) -> bool {
    line.trim_end().strip_suffix(LINE_MARK).is_some_and(|rest| rest.ends_with("//") || rest.ends_with('#'))
}

fn plain_manifest(id: &str) -> String {
    format!("[mod]\nid = \"{id}\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n")
}

fn empty(library: &Path) {
    for entry in fs::read_dir(library).unwrap().map(Result::unwrap) {
        let is_folder = entry.file_type().unwrap().is_dir();
        let path = entry.path();
        if is_folder { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
    }
}

impl WrittenFile {
    fn write_into(&self, own: &Path) {
        for n in 0..self.copies.unwrap_or(1) {
            let numbered = |text: &str| match self.copies {
                Some(_) => text.replace("{n}", &n.to_string()).replace("{next}", &(n + 1).to_string()),
                None => text.to_owned(),
            };
            let path = own.join(numbered(&self.path));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            self.write_content(&path, numbered);
            if let Some(mode) = self.mode {
                fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            }
        }
    }

    fn write_content(&self, path: &Path, numbered: impl Fn(&str) -> String) {
        if let Some(text) = &self.text {
            fs::write(path, numbered(text)).unwrap();
        } else if let Some(bytes) = &self.bytes {
            fs::write(path, bytes).unwrap();
        } else if let Some(n_bytes) = self.sparse {
            File::create(path).unwrap().set_len(n_bytes).unwrap();
        } else if let Some(to) = &self.link {
            symlink(to, path).unwrap();
        } else if self.fifo {
            assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
        } else if self.folder {
            fs::create_dir_all(path).unwrap();
        } else {
            fs::write(path, self.repeated()).unwrap();
        }
    }

    /// Returns the generated text.
    fn repeated(&self) -> String {
        let between = self.between.as_deref().unwrap_or("\n");
        let line = self.line.as_deref().unwrap_or_default();
        let mut text = String::new();
        let mut add = |part: &str| {
            text.push_str(part);
            text.push_str(between);
        };
        self.head.iter().for_each(|head| add(head));
        (0..self.times).for_each(|n| add(&line.replace("{n}", &n.to_string())));
        self.middle.iter().for_each(|middle| add(middle));
        self.closing.iter().for_each(|closing| (0..self.times).for_each(|_| add(closing)));
        self.tail.iter().for_each(|tail| add(tail));
        text
    }
}

/// The result of a program run under limits.
#[derive(Debug)]
pub struct LimitedRun {
    /// The exit status; `None` if the program ran too long and was killed.
    pub status: Option<ExitStatus>,
    /// The standard output.
    pub out: Vec<u8>,
    /// The standard error.
    pub err: Vec<u8>,
    /// The peak resident memory in bytes.
    pub peak: u64,
}

impl LimitedRun {
    /// If the program was killed after its time limit, was ended by a signal, or had an exit code
    /// above 2 (as after a panic), returns a message about this. Otherwise returns `None`.
    pub fn failure_message(&self) -> Option<String> {
        match self.status {
            None => Some("ran too long and was killed".to_owned()),
            Some(status) if !matches!(status.code(), Some(0..=2)) => {
                Some(format!("ended with {status}: {}", String::from_utf8_lossy(&self.err).trim_end()))
            }
            Some(_) => None,
        }
    }
}

/// Runs a program in `folder` with `input` as standard input. Limits the program to `most_memory`
/// bytes of address space and to the time `limit`.
///
/// # Panics
/// Panics if the program cannot be started.
pub fn run_limited<S: AsRef<OsStr>>(
    program: &Path,
    args: &[S],
    input: &str,
    folder: &Path,
    most_memory: u64,
    limit: Duration,
) -> LimitedRun {
    let mut typed = tempfile::tempfile().unwrap();
    typed.write_all(input.as_bytes()).unwrap();
    typed.rewind().unwrap();
    let (out, err) = (tempfile::NamedTempFile::new().unwrap(), tempfile::NamedTempFile::new().unwrap());
    // The shell sets the memory limit and then replaces itself by the program. So the process id of
    // `child` is also that of the program.
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {}; exec \"$0\" \"$@\"", most_memory / 1024)])
        .arg(program)
        .args(args)
        .current_dir(folder)
        .env("BASTIDE_MODS", crate::mods_folder())
        .stdin(typed)
        .stdout(out.reopen().unwrap())
        .stderr(err.reopen().unwrap())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let file = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut peak = 0;
    let status = loop {
        peak = peak.max(status_kb(&file, "VmHWM:") * 1024);
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if begun.elapsed() > limit {
            child.kill().unwrap();
            child.wait().unwrap();
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    LimitedRun { status, out: fs::read(out.path()).unwrap(), err: fs::read(err.path()).unwrap(), peak }
}

/// Returns bytes as readable text. Escapes the characters that the `{:?}` format escapes, such as
/// control and direction characters, except line ends.
pub fn visible(bytes: &[u8]) -> String {
    let mut text = Vec::new();
    write!(text, "{}", String::from_utf8_lossy(bytes).escape_debug()).unwrap();
    String::from_utf8_lossy(&text).replace("\\n", "\n")
}
