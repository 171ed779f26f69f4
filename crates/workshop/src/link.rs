//! Links: web addresses that contain a game or a puzzle, packed into letters after the `#`. A link
//! contains the record, and the mods that are not bundled.
//!
//! Links are untrusted. `Link::read` limits the sizes while unpacking, and checks the mods in the
//! same way as mods in archives.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use diagnostic::{Diagnostic, ExpectOrDefault, visible_lines};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use loader::{Loaded, MAX_RECORD_BYTES};
use platform::fs;
use record::Record;
use rules::{Setup, player_label};
use serde::{Deserialize, Serialize};

use crate::package::{Package, package_error as link_error};

/// The first characters after the `#`, which name the version of the format.
const FORMAT_PREFIX: &str = "b1.";

/// The default address of links. `cargo web serve` serves the page at this address.
pub const DEFAULT_ADDRESS: &str = "http://localhost:8080/";

/// The scheme of the addresses that a desktop passes to Bastide. The link follows the colon.
pub const SCHEME: &str = "bastide:";

/// Returns the address of a link: `begin`, a `#` and the link; without the `#` if `begin` is
/// [`SCHEME`].
pub fn with_address(begin: &str, link: &str) -> String {
    let mark = if begin == SCHEME { "" } else { "#" };
    format!("{begin}{mark}{link}")
}

/// The maximum length of a link that the window offers to copy, in characters, because many
/// programs cut off longer links. If a link would be longer, the window saves the game as a file
/// instead.
pub const MAX_CHARS_TO_COPY: usize = 16_000;

/// The maximum length of a link to read, in bytes.
const MAX_BYTES_TO_READ: usize = 2 << 20;

/// The maximum size of an unpacked link, in bytes.
const MAX_UNPACKED_BYTES: u64 = 8 << 20;

/// The maximum number of mods in a link.
const MAX_MODS: usize = 64;

/// The name of the record's file in the folder of an opened link.
pub const RECORD_FILE: &str = "link.game";

/// The bundled mods, each with the hash of its files. Links do not contain these mods.
const BUNDLED_HASHES: &str = include_str!("shipped.txt");

/// Returns whether a mod with this id and hash is bundled.
pub fn is_bundled(id: &str, hash: u64) -> bool {
    let line = format!("{id} {hash:016x}");
    BUNDLED_HASHES.lines().any(|shipped| shipped == line)
}

/// The maximum number of answers in the solution of a puzzle.
const MAX_ANSWERS: usize = 16;
/// The maximum length of an answer in the solution of a puzzle, in bytes.
const MAX_ANSWER_BYTES: usize = 200;

/// A game or a puzzle, with the mods that are part of the link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The mods that are part of the link, sorted by id.
    pub mods: Vec<Package>,
    /// The text of the record.
    pub record: String,
    /// For a puzzle, the answers of the best move at the end of the record; `None` for a game.
    pub solution: Option<Vec<String>>,
    /// For a game by correspondence, the record's word for the player to move, whom the person who
    /// opens the link plays; `None` otherwise.
    pub plays: Option<String>,
}

/// The summary of a link that the user sees before opening it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkSummary {
    /// The ids of the mods with which the game is played.
    pub mods: Vec<String>,
    /// The number of players.
    pub n_players: usize,
    /// The number of answers in the record.
    pub n_answers: usize,
    /// The name of the player whom the user plays by correspondence, as people see it; `None` if
    /// the user plays all persons.
    pub plays: Option<String>,
}

/// The serialized form of a link.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PackedLink {
    /// The files of each mod, by id and name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    mods: BTreeMap<String, BTreeMap<String, String>>,
    record: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    solution: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    plays: Option<String>,
}

/// The help for a link that is incomplete, damaged or unreadable.
const COPY_AGAIN: &str = "copy the whole link once more, or ask for the game as a file";
/// The help for a link that the command *Copy link* of the window cannot have produced.
const ASK_FOR_ANOTHER: &str = "nothing was opened; ask for a link made by *Copy link*";

impl Link {
    /// Makes a link from a record and the mods in these folders. Omits the tests and `.md` files of
    /// the mods.
    ///
    /// # Errors
    /// Returns an error if a mod cannot be read.
    pub fn new(folders: &[&Path], record: String) -> Result<Link, Diagnostic> {
        let mut mods = Vec::new();
        for folder in folders {
            let mut package = Package::from_folder(folder)?;
            package.files.retain(|name, _| !name.starts_with("tests/") && !name.ends_with(".md"));
            mods.push(package);
        }
        mods.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(Link { mods, record, solution: None, plays: None })
    }

    /// Makes a link from a record and those mods in play that are not bundled.
    ///
    /// # Errors
    /// Returns an error if a mod cannot be read.
    pub fn of_game(loaded: &Loaded, record: String) -> Result<Link, Diagnostic> {
        let mods = loaded.catalogue().mods.iter().zip(loaded.folders());
        let brought = mods.filter(|(info, _)| !is_bundled(&info.id, info.hash));
        let folders: Vec<&Path> = brought.map(|(_, folder)| folder.as_path()).collect();
        Link::new(&folders, record)
    }

    /// Makes the link a puzzle: the player to move at the end of the record must find `answers`.
    pub fn with_solution(self, answers: Vec<String>) -> Link {
        Link { solution: Some(answers), ..self }
    }

    /// Makes the link a move of a game by correspondence. The person who opens it plays the player
    /// `plays`, who is to move at the end of the record. The name is the one in the record.
    pub fn for_player(self, plays: Option<String>) -> Link {
        Link { plays, ..self }
    }

    /// Returns the link as text: the part of the address after the `#`. The text consists of
    /// letters, digits, `-`, `_` and a dot.
    pub fn text(&self) -> String {
        let mods = self.mods.iter().map(|package| (package.id.clone(), package.files.clone())).collect();
        let packed = PackedLink {
            mods,
            record: self.record.clone(),
            solution: self.solution.clone(),
            plays: self.plays.clone(),
        };
        let json = serde_json::to_vec(&packed).expect_or_default("texts can be written as JSON");
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
        let bytes =
            packer.write_all(&json).and_then(|()| packer.finish()).expect_or_default("writing to memory cannot fail");
        format!("{FORMAT_PREFIX}{}", BASE64_URL_SAFE_NO_PAD.encode(bytes))
    }

    /// Reads a link from an address with `#`, or from the part of an address after the `#`.
    ///
    /// # Errors
    /// Returns an error if the text is not a link, or if the content of the link is not permitted.
    /// Also returns an error if the link is damaged, too large or of a later version.
    pub fn read(text: &str) -> Result<Link, Diagnostic> {
        let text = text.trim();
        let text = text.split_once('#').map_or(text, |(_, behind)| behind);
        if text.len() > MAX_BYTES_TO_READ {
            let message = format!("the link has {} letters, more than the limit of {MAX_BYTES_TO_READ}", text.len());
            return Err(link_error(message, "ask for the game and its mods as files"));
        }
        let Some(letters) = text.strip_prefix(FORMAT_PREFIX) else {
            let is_later = text
                .strip_prefix('b')
                .and_then(|rest| rest.split_once('.'))
                .is_some_and(|(n, _)| !n.is_empty() && n.len() < 4 && n.bytes().all(|byte| byte.is_ascii_digit()));
            return Err(if is_later {
                link_error(
                    "the link was made by a later version of Bastide",
                    "get that version, or ask for the game as a file",
                )
            } else {
                link_error(format!("this is not a link of Bastide: it has no `#{FORMAT_PREFIX}…`"), COPY_AGAIN)
            });
        };
        // Mail programs may break a link into several lines.
        let letters: String = letters.chars().filter(|letter| !letter.is_whitespace()).collect();
        let damaged = || link_error("the link is damaged: some of its letters are missing or changed", COPY_AGAIN);
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(letters).map_err(|_| damaged())?;
        let mut json = Vec::new();
        let unpacked = ZlibDecoder::new(&bytes[..]).take(MAX_UNPACKED_BYTES + 1).read_to_end(&mut json);
        if json.len() as u64 > MAX_UNPACKED_BYTES {
            let message = format!(
                "the link has more than {} MB unpacked, which is too large for a game",
                MAX_UNPACKED_BYTES >> 20
            );
            return Err(link_error(message, ASK_FOR_ANOTHER));
        }
        unpacked.map_err(|_| damaged())?;
        let Ok(packed) = serde_json::from_slice::<PackedLink>(&json) else {
            return Err(link_error("the link does not contain a game", ASK_FOR_ANOTHER));
        };
        Link::unpack(packed)
    }

    /// Reads the link in a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, and in the same cases as [`read`](Link::read).
    pub fn read_file(path: &Path) -> Result<Link, Diagnostic> {
        let cannot = |e| link_error(format!("{} cannot be read: {e}", loader::shown_path(path)), COPY_AGAIN);
        Link::read(&loader::read_text(path, None, MAX_BYTES_TO_READ as u64).map_err(cannot)?)
    }

    fn unpack(packed: PackedLink) -> Result<Link, Diagnostic> {
        if packed.mods.len() > MAX_MODS {
            let message = format!("the link contains {} mods, more than the limit of {MAX_MODS}", packed.mods.len());
            return Err(link_error(message, ASK_FOR_ANOTHER));
        }
        if packed.record.len() as u64 > MAX_RECORD_BYTES {
            let message = format!("the record in the link is larger than the limit of {} MB", MAX_RECORD_BYTES >> 20);
            return Err(link_error(message, ASK_FOR_ANOTHER));
        }
        let is_short = |answers: &Vec<String>| {
            (1..=MAX_ANSWERS).contains(&answers.len()) && answers.iter().all(|text| text.len() <= MAX_ANSWER_BYTES)
        };
        if packed.solution.as_ref().is_some_and(|answers| !is_short(answers)) {
            return Err(link_error("the solution of the link's puzzle is empty or too long", ASK_FOR_ANOTHER));
        }
        let mut mods = Vec::new();
        for (id, files) in packed.mods {
            let package = Package::from_texts(files)?;
            if package.id != id {
                let message = format!("the mod `{}` of the link calls itself `{}`", visible_lines(&id), package.id);
                return Err(link_error(message, ASK_FOR_ANOTHER));
            }
            mods.push(package);
        }
        let link = Link { mods, record: packed.record, solution: packed.solution, plays: packed.plays };
        let setup = link.setup()?;
        if let Some(player) = link.plays.as_ref().filter(|player| !setup.players.contains(player)) {
            let message =
                format!("the link is for the player `{}`, whom its game does not have", visible_lines(player));
            return Err(link_error(message, ASK_FOR_ANOTHER));
        }
        let is_played = |package: &Package| setup.mods.iter().any(|used| used.id == package.id);
        match link.mods.iter().find(|package| !is_played(package)) {
            Some(package) => {
                let message = format!("the link contains the mod `{}`, which its game does not use", package.id);
                Err(link_error(message, ASK_FOR_ANOTHER))
            }
            None => Ok(link),
        }
    }

    fn setup(&self) -> Result<Setup, Diagnostic> {
        self.parse_record().map(|record| record.setup)
    }

    fn parse_record(&self) -> Result<Record, Diagnostic> {
        let (record, problems) = Record::parse(&self.record);
        match problems.iter().find(|problem| problem.severity == diagnostic::Severity::Error) {
            Some(problem) => {
                let message = format!("line {} of the link's record: {}", problem.span.line.max(1), problem.message);
                Err(link_error(message, ASK_FOR_ANOTHER))
            }
            None => Ok(record),
        }
    }

    /// Parses the record and returns its summary.
    ///
    /// # Errors
    /// Returns an error if the record cannot be read.
    pub fn summary(&self) -> Result<LinkSummary, Diagnostic> {
        let record = self.parse_record()?;
        let is_answer = |line: &&record::LogLine| matches!(line.entry, record::LogEntry::Answer(_));
        Ok(LinkSummary {
            n_answers: record.lines.iter().filter(is_answer).count(),
            n_players: record.setup.players.len(),
            plays: self.plays.as_deref().map(player_label),
            mods: record.setup.mods.into_iter().map(|used| used.id).collect(),
        })
    }

    /// Writes the mods and the record to `folder`, and creates the folder if necessary. If the
    /// folder already contains other versions of these mods, moves the old versions to `.replaced`
    /// in the folder.
    ///
    /// # Errors
    /// Returns a message if a file cannot be written.
    pub fn write_into(&self, folder: &Path) -> Result<(), Diagnostic> {
        let cannot = |e| Diagnostic::without_place(format!("{} cannot be written: {e}", loader::shown_path(folder)));
        fs::create_dir_all(folder).map_err(cannot)?;
        for package in &self.mods {
            let there = Package::from_folder(&folder.join(&package.id)).ok();
            if there.is_none_or(|there| there.files != package.files) {
                package.install(folder, true)?;
            }
        }
        fs::write_whole(&folder.join(RECORD_FILE), &self.record).map_err(cannot)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use expect_test::expect_file;
    use loader::Library;
    use testkit::CopiedMod;

    use super::*;

    const GAME: &str = "bastide 1\nmods base\nplayers red blue\nseed 7\n\ndraw base/E\n";

    fn packed(mods: &[(&str, &[(&str, &str)])], record: &str) -> String {
        let texts = |files: &&[(&str, &str)]| files.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect();
        let mods = mods.iter().map(|(id, files)| ((*id).to_owned(), texts(files))).collect();
        letters(
            &serde_json::to_vec(&PackedLink { mods, record: record.to_owned(), solution: None, plays: None }).unwrap(),
        )
    }

    fn letters(json: &[u8]) -> String {
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
        packer.write_all(json).unwrap();
        format!("{FORMAT_PREFIX}{}", BASE64_URL_SAFE_NO_PAD.encode(packer.finish().unwrap()))
    }

    fn refusal(text: &str) -> String {
        Link::read(text).unwrap_err().message
    }

    #[test]
    fn a_game_comes_back_with_the_mods_that_it_brings() {
        let base = CopiedMod::of("base");
        let link = Link::new(&[&base.library().join("base")], GAME.to_owned()).unwrap();
        let text = link.text();
        assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)));
        assert!(text.len() < MAX_CHARS_TO_COPY, "the base game has {} letters", text.len());
        let broken = format!("https://somewhere/else/?a=b#{}\n {}", &text[..80], &text[80..]);
        for text in [text.clone(), format!(" https://somewhere/#{text}\n"), broken] {
            assert_eq!(Link::read(&text).unwrap(), link);
        }
        let puzzle = link.clone().with_solution(vec!["place 0,-1 180".to_owned(), "pass".to_owned()]);
        assert_eq!(Link::read(&puzzle.text()).unwrap(), puzzle);
        let summary = LinkSummary { mods: vec!["base".to_owned()], n_players: 2, n_answers: 1, plays: None };
        assert_eq!(link.summary().unwrap(), summary);
        let move_of_red = link.clone().for_player(Some("blue".to_owned()));
        assert_eq!(Link::read(&move_of_red.text()).unwrap(), move_of_red);
        assert_eq!(move_of_red.summary().unwrap().plays.as_deref(), Some("blue"));
        let stranger = link.clone().for_player(Some("nobody".to_owned()));
        assert_eq!(refusal(&stranger.text()), "the link is for the player `nobody`, whom its game does not have");
        let place = tempfile::tempdir().unwrap();
        link.write_into(&place.path().join("new")).unwrap();
        let library = Library::open(&[place.path().join("new")]);
        assert!(library.load(&["base"]).0.is_some());
        // The user's changes to a mod survive opening the link again: the changed mod moves to
        // `.replaced`.
        let rules = place.path().join("new/base/rules.rhai");
        std::fs::write(&rules, "// mine").unwrap();
        link.write_into(&place.path().join("new")).unwrap();
        assert_ne!(std::fs::read_to_string(&rules).unwrap(), "// mine");
        let aside = std::fs::read_dir(place.path().join("new/.replaced")).unwrap().flatten().next().unwrap().path();
        assert_eq!(std::fs::read_to_string(aside.join("rules.rhai")).unwrap(), "// mine");
    }

    #[test]
    fn bad_links_are_refused_with_a_reason() {
        let manifest = "[mod]\nid = \"evil\"\n";
        let evil = GAME.replace("mods base", "mods base, evil");
        let good = packed(&[("evil", &[("mod.toml", manifest)])], &evil);
        assert!(Link::read(&good).is_ok());
        assert!(refusal("https://somewhere/").contains("this is not a link of Bastide"));
        assert!(refusal("#b2.AAAA").contains("later version"));
        assert!(refusal(&good[..good.len() - 4]).contains("some of its letters are missing"));
        assert!(refusal(&format!("{FORMAT_PREFIX}{}", "\u{e9}".repeat(9))).contains("damaged"));
        assert!(
            refusal(&format!("#{FORMAT_PREFIX}{}", "A".repeat(MAX_BYTES_TO_READ))).contains("more than the limit of")
        );
        let bomb = letters(&vec![b' '; MAX_UNPACKED_BYTES as usize + 1]);
        assert!(refusal(&bomb).contains("more than 8 MB unpacked"));
        assert!(refusal(&letters(b"[]")).contains("does not contain a game"));
        assert!(refusal(&letters(br#"{"record":"","run":"x"}"#)).contains("does not contain a game"));
        assert!(refusal(&packed(&[], "nonsense")).contains("of the link's record"));
        let link = Link::new(&[], GAME.to_owned()).unwrap();
        for solution in [Vec::new(), vec!["pass".to_owned(); MAX_ANSWERS + 1], vec!["x".repeat(MAX_ANSWER_BYTES + 1)]] {
            assert!(refusal(&link.clone().with_solution(solution).text()).contains("is empty or too long"));
        }
        for (name, said) in [
            ("../../mods/base/mod.toml", "leads out of the folder"),
            ("/etc/passwd", "begins at the root"),
            ("rules.rhai/x", "is not part of a mod"),
            ("run.sh", "is not part of a mod"),
        ] {
            let link = packed(&[("evil", &[("mod.toml", manifest), (name, "")])], &evil);
            assert!(refusal(&link).contains(said), "{name}: {}", refusal(&link));
        }
        assert!(refusal(&packed(&[("base", &[("mod.toml", manifest)])], GAME)).contains("calls itself `evil`"));
        assert!(refusal(&packed(&[("evil", &[("rules.rhai", "")])], &evil)).contains("has no mod.toml"));
        assert!(refusal(&packed(&[("evil", &[("mod.toml", manifest)])], GAME)).contains("does not use"));
    }

    #[test]
    fn the_list_of_mods_that_come_with_the_program_is_true() {
        let library = Library::builtin();
        let mut shipped = String::new();
        for id in library.ids() {
            let loaded = library.load(&[&id]).0.unwrap();
            let info = loaded.catalogue().mods.iter().find(|info| info.id == id).unwrap();
            shipped += &format!("{id} {:016x}\n", info.hash);
        }
        expect_file!["shipped.txt"].assert_eq(&shipped);
        let (id, hash) = BUNDLED_HASHES.lines().next().and_then(|line| line.split_once(' ')).unwrap();
        let hash = u64::from_str_radix(hash, 16).unwrap();
        assert!(is_bundled(id, hash) && !is_bundled(id, hash ^ 1));
    }
}
