//! The `.game` record: readable text with one fact on each line. Saves, replays, tests and bug
//! reports are all records.

use diagnostic::{Diagnostic, Span, did_you_mean, visible_lines};
use rules::{Game, MAX_SEATS, ModUse, Setup};

use crate::seal::{read_seal, seal_text};

/// The version of the format that this program writes and reads.
pub(crate) const RECORD_VERSION: u32 = 1;

/// The reference of records, as Markdown.
pub const RECORD_REFERENCE: &str = include_str!("../docs/game.md");

/// The maximum number of problems to report for a record.
const MAX_PROBLEMS: usize = 200;
/// The maximum number of mods in a record.
const MAX_MODS: usize = 255;
/// The maximum number of settings in a record.
const MAX_SETTINGS: usize = 1000;

/// A record read from text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// The header, and the `given` lines.
    pub setup: Setup,
    /// For each `given` line in `setup`, the number of its line in the file, counted from 1.
    pub given_at: Vec<usize>,
    /// The salt after the seed; `None` if the record has no salt. Before the game, the host of a
    /// table published a hash of the seed and the salt.
    pub salt: Option<String>,
    /// The log: answers, undo steps, expectations and `end`.
    pub lines: Vec<LogLine>,
}

/// A line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogLine {
    /// The number of the line in the file, counted from 1.
    pub number: usize,
    /// The entry in the line.
    pub entry: LogEntry,
    /// True for a last line without a line end, because the line may be incomplete.
    pub may_be_torn: bool,
}

/// The content of a log line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LogEntry {
    /// An answer: the text of the chosen option.
    Answer(String),
    /// Undoes this number of answers.
    Back(usize),
    /// An expectation, without the word `expect`.
    Expect(String),
    /// Ends the game and goes to the final count immediately.
    End,
}

/// Makes an error in line `line` of a record, counted from 1; 0 means the whole record.
pub(crate) fn error(line: usize, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Span::of_line(line), message)
}

impl Record {
    /// Reads a record. Returns the record and its problems, each with its line. If one of the
    /// problems is an error, the record is unusable. Lists the first 200 problems of lines, and
    /// only counts the others.
    ///
    /// Makes hidden characters visible, so that names or answers that differ only in such
    /// characters do not look equal.
    pub fn parse(text: &str) -> (Record, Vec<Diagnostic>) {
        // Some editors begin a file with a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let text: &str = &visible_lines(text);
        let mut record = Record::default();
        let mut problems = Vec::new();
        let mut players_at = 0;
        let mut first_line = None;
        let mut has_version = false;
        let mut in_log = false;
        let mut is_begun = false;
        let n_lines = text.lines().count();
        for (i, line) in text.lines().enumerate() {
            let number = i + 1;
            let line = without_comment(line);
            if line.is_empty() {
                continue;
            }
            let first_line = *first_line.get_or_insert(number);
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let rest = rest.trim();
            if word == "players" && !in_log {
                players_at = number;
            }
            if let ("seal", false, Some(seal)) = (word, in_log, read_seal(rest)) {
                record.setup.seals.push(seal);
                continue;
            }
            let (rest, salt) = if word == "seed" { seed_and_salt(rest) } else { (rest, None) };
            if !in_log && read_header(&mut record.setup, &mut has_version, word, rest, number, &mut problems) {
                record.salt = salt.or(record.salt.take());
                continue;
            }
            if !in_log && !has_version {
                problems.insert(0, no_version(first_line));
                has_version = true;
            }
            in_log = true;
            let entry = match word {
                "given" => {
                    if is_begun {
                        let problem = error(number, "`given` after the first answer");
                        problems.push(problem.with_help("put all `given` lines before the first answer"));
                    }
                    record.setup.position.push(rest.to_owned());
                    record.given_at.push(number);
                    continue;
                }
                "expect" => LogEntry::Expect(rest.to_owned()),
                "end" if rest.is_empty() => LogEntry::End,
                "back" => match rest.parse() {
                    Ok(n) => LogEntry::Back(n),
                    Err(_) => {
                        problems.push(error(number, "`back` needs the number of answers to undo"));
                        continue;
                    }
                },
                _ => LogEntry::Answer(line.split_whitespace().collect::<Vec<_>>().join(" ")),
            };
            is_begun |= !matches!(entry, LogEntry::Expect(_));
            let may_be_torn = number == n_lines && !text.ends_with('\n');
            record.lines.push(LogLine { number, entry, may_be_torn });
        }
        let n_more = problems.len().saturating_sub(MAX_PROBLEMS);
        problems.truncate(MAX_PROBLEMS);
        if n_more > 0 {
            problems.push(error(0, format!("and {n_more} more")));
        }
        let must_say_version = !has_version && problems.is_empty();
        problems.extend(problem_of_header(&record, must_say_version, first_line.unwrap_or(1)));
        problems.extend(look_alike_warnings(&record.setup.players, players_at));
        (record, problems)
    }
}

/// Returns the first problem of the header as a whole: a line that is missing or repeated too
/// often. If `must_say_version` is true, the record has no version, which belongs to `first_line`.
fn problem_of_header(record: &Record, must_say_version: bool, first_line: usize) -> Option<Diagnostic> {
    let Setup { mods, settings, players, .. } = &record.setup;
    let problem = if must_say_version && *record == Record::default() {
        let help = format!("the first line of a record is `bastide {RECORD_VERSION}`, then `mods …` and `players …`");
        error(1, "the record is empty").with_help(help)
    } else if must_say_version {
        no_version(first_line)
    } else if let Some(problem) = misspelt_header_word(record).filter(|_| mods.is_empty() || players.is_empty()) {
        problem
    } else if mods.is_empty() {
        error(1, "the record does not say which mods it needs").with_help("add `mods base`")
    } else if mods.len() > MAX_MODS {
        error(1, format!("the record names {} mods; at most {MAX_MODS} are allowed", mods.len()))
    } else if settings.len() > MAX_SETTINGS {
        error(1, format!("the record sets {} settings; at most {MAX_SETTINGS} are allowed", settings.len()))
    } else if players.is_empty() {
        error(1, "the record names no players").with_help("add `players red blue`")
    } else {
        return None;
    };
    Some(problem)
}

/// Returns an error if the first answer is probably a misspelt line of the header.
fn misspelt_header_word(record: &Record) -> Option<Diagnostic> {
    let first = record.lines.first()?;
    let LogEntry::Answer(answer) = &first.entry else { return None };
    let word = answer.split(' ').next()?;
    let help = did_you_mean(word, ["mods", "players"])?;
    Some(error(first.number, format!("unknown word `{word}` in the header")).with_help(help))
}

/// Returns an error for a record whose first line, at `line`, is not its version.
fn no_version(line: usize) -> Diagnostic {
    let problem = error(line, format!("a record begins with `bastide {RECORD_VERSION}`"));
    problem.with_help(format!("put `bastide {RECORD_VERSION}` on the first line"))
}

/// Returns a warning for each player name that looks like another player name.
fn look_alike_warnings(players: &[String], line: usize) -> Vec<Diagnostic> {
    // Compares no names if there are too many players: this could take very long, and a later check
    // refuses the record anyway.
    let players = if players.len() > MAX_SEATS { &[] } else { players };
    let warning = |name: &String| {
        let other = diagnostic::find_look_alike(name, players.iter().map(String::as_str))?;
        let message = format!("the player name `{name}` looks like the other player name `{other}`");
        let problem = Diagnostic::warning(Span::of_line(line), message);
        Some(problem.with_help("rename one of the players, so that people can tell them apart"))
    };
    players.iter().filter_map(warning).collect()
}

/// Returns the text of a record after its header, without `given` lines.
pub fn log_text(text: &str) -> String {
    let (record, _) = Record::parse(text);
    let Some(first) = record.lines.first() else { return String::new() };
    let lines = (1..).zip(text.split_inclusive('\n')).skip(first.number - 1);
    lines.filter(|(number, _)| !record.given_at.contains(number)).map(|(_, line)| line).collect()
}

/// Splits the text after `seed` into the seed and the salt, which has 32 hexadecimal digits.
fn seed_and_salt(text: &str) -> (&str, Option<String>) {
    let is_salt = |text: &str| text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    match text.split_once(' ') {
        Some((seed, salt)) if is_salt(salt.trim()) => (seed, Some(salt.trim().to_owned())),
        _ => (text, None),
    }
}

/// Returns the line without its comment. A comment begins with a `#` at the start of the line or
/// after a space, unless this `#` begins the colour in a `colour` line.
fn without_comment(line: &str) -> &str {
    let mut before = ' ';
    for (i, c) in line.char_indices() {
        let is_colour = || {
            line.trim_start().starts_with("colour ")
                && line.get(i + 1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_hexdigit()))
        };
        if c == '#' && before.is_whitespace() && !is_colour() {
            return line.get(..i).unwrap_or(line).trim();
        }
        before = c;
    }
    line.trim()
}

/// Reads a line of the header. Returns false if the line belongs to the log instead.
fn read_header(
    setup: &mut Setup,
    has_version: &mut bool,
    word: &str,
    rest: &str,
    number: usize,
    problems: &mut Vec<Diagnostic>,
) -> bool {
    let two = || rest.split_once(' ').map(|(a, b)| (a.to_owned(), b.trim().to_owned()));
    let mut pair = |into: &mut Vec<(String, String)>, what: &str| match two() {
        Some(both) => into.push(both),
        None => problems.push(error(number, format!("`{word}` needs {what}"))),
    };
    match word {
        "bastide" => {
            *has_version = true;
            match rest.parse::<u32>() {
                Ok(RECORD_VERSION) => {}
                Ok(n) => problems.push(
                    error(
                        number,
                        format!("this record has format {n}, but this program reads format {RECORD_VERSION}"),
                    )
                    .with_help("open it with the version of Bastide that wrote it"),
                ),
                Err(_) => problems.push(error(number, format!("`bastide {rest}` is not a version of the format"))),
            }
        }
        "mods" => {
            let words = rest.split(',').filter_map(|m| m.split_whitespace().nth(1));
            if let Some(word) = words.into_iter().find(|word| !word.starts_with(|c: char| c.is_ascii_digit())) {
                let problem = error(number, format!("`{word}` is not a mod version"));
                problems.push(problem.with_help("separate mods by commas: `mods one, two`"));
            }
            setup.mods.extend(rest.split(',').map(str::trim).filter(|m| !m.is_empty()).map(|m| {
                let mut words = m.split_whitespace().map(str::to_owned);
                ModUse { id: words.next().unwrap_or_default(), version: words.next(), hash: words.next() }
            }))
        }
        "players" => setup.players.extend(rest.split_whitespace().map(str::to_owned)),
        "begins" => setup.begins = Some(rest.to_owned()),
        "set" => pair(&mut setup.settings, "a setting and its value, such as `set base.farmers false`"),
        "bot" => pair(&mut setup.bots, "a player and a bot, such as `bot blue greedy`"),
        "colour" => pair(&mut setup.colours, "a player and a colour, such as `colour blue #4477aa`"),
        "seed" => match rest.parse() {
            Ok(seed) => setup.seed = Some(seed),
            Err(_) => problems.push(
                error(number, format!("`{rest}` is not a seed").to_owned())
                    .with_help("a seed is a whole number, 0 or more"),
            ),
        },
        _ => return false,
    }
    true
}

/// Returns the header of a record and the `given` lines as text. Each line has a line end.
pub fn header_text(setup: &Setup) -> String {
    let mods: Vec<String> = setup.mods.iter().map(ToString::to_string).collect();
    let mut text = format!("bastide {RECORD_VERSION}\nmods {}\nplayers {}\n", mods.join(", "), setup.players.join(" "));
    if let Some(begins) = &setup.begins {
        text += &format!("begins {begins}\n");
    }
    let pairs = [("set", &setup.settings), ("bot", &setup.bots), ("colour", &setup.colours)];
    for (word, list) in pairs {
        list.iter().for_each(|(a, b)| text += &format!("{word} {a} {b}\n"));
    }
    if let Some(seed) = setup.seed {
        text += &format!("seed {seed}\n");
    }
    setup.seals.iter().for_each(|seal| text += &format!("seal {}\n", seal_text(seal)));
    text.push('\n');
    setup.position.iter().for_each(|line| text += &format!("given {line}\n"));
    text
}

/// Returns the text of a record with `salt` after its seed.
#[must_use]
pub fn with_salt(record: &str, salt: &str) -> String {
    let line = |line: &str| {
        let is_seed = line.starts_with("seed ");
        if is_seed { format!("{} {salt}\n", line.trim_end()) } else { line.to_owned() }
    };
    record.split_inclusive('\n').map(line).collect()
}

/// Returns the text of a record: a game that starts from `setup` and consists of `answers`.
pub fn record_of<S: AsRef<str>>(setup: &Setup, answers: impl IntoIterator<Item = S>) -> String {
    answers.into_iter().fold(header_text(setup), |text, answer| text + answer.as_ref() + "\n")
}

/// Returns the record of the game so far, as text.
pub fn record_text(game: &Game) -> String {
    record_of(game.setup(), game.log_texts())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_and_log_are_read() {
        let text = "bastide 1 # a comment\nmods base 1.0.0, gems\nplayers red blue\nset base.farmers false\nseed 7\n\n\
                    given score red 4\ndraw base/K\nplace 0,-1 90\nback 1\nexpect score red 4\n";
        let (record, problems) = Record::parse(text);
        assert_eq!(problems, []);
        assert_eq!(record.setup.mods[0].version.as_deref(), Some("1.0.0"));
        assert_eq!(record.setup.position, ["score red 4"]);
        let entries: Vec<_> = record.lines.iter().map(|l| (l.number, l.entry.clone())).collect();
        assert_eq!(entries[1], (9, LogEntry::Answer("place 0,-1 90".into())));
        assert_eq!(entries[2], (10, LogEntry::Back(1)));
        assert_eq!(record.salt, None);
        let (again, problems) = Record::parse(&with_salt(&header_text(&record.setup), &"0f".repeat(16)));
        assert_eq!((again.setup, again.salt, problems), (record.setup, Some("0f".repeat(16)), Vec::new()));
    }

    #[test]
    fn problems_name_their_line() {
        let (_, problems) = Record::parse("mods base\nplayers red\nseed 7 ff\npass\nback\ngiven score red 1\n");
        let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert!(texts[0].starts_with("line 1: error: a record begins with"), "{texts:?}");
        assert!(texts[1].starts_with("line 3: error: `7 ff` is not a seed"), "{texts:?}");
        assert!(texts[2].starts_with("line 5: error: `back` needs"), "{texts:?}");
        assert!(texts[3].starts_with("line 6: error: `given` after"), "{texts:?}");
    }

    #[test]
    fn a_missing_version_is_reported_at_the_first_line_with_text() {
        for log in ["", "draw base/K\n"] {
            let (_, problems) = Record::parse(&format!("\n# A comment.\n\nmods base\nplayers red\n{log}"));
            let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
            assert_eq!(texts.len(), 1, "{texts:?}");
            assert!(texts[0].starts_with("line 4: error: a record begins with"), "{texts:?}");
        }
    }

    #[test]
    fn misspelt_words_of_the_header_are_named() {
        let problem = |text: &str| Record::parse(text).1.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        let told = problem("bastide 1\n\nmod base\nplayers red blue\ndraw base/K\n");
        assert!(told.starts_with("line 3: error: unknown word `mod` in the header (did you mean `mods`?)"), "{told}");
        let told = problem("bastide 1\nmods base\nplayer red blue\n");
        assert!(told.starts_with("line 3: error: unknown word `player` in the header"), "{told}");
        let told = problem("bastide 1\nmods base\ndraw base/K\n");
        assert!(told.starts_with("line 1: error: the record names no players"), "{told}");
    }

    #[test]
    fn nothing_in_a_record_is_hidden() {
        let text = "bastide 1\r\nmods base\nplayers red\u{202e} bl\u{1b}[31mue\nseed 1\n\ndraw base/K\u{200b}\r\npass\rback 1\n";
        let (record, problems) = Record::parse(text);
        assert_eq!(problems, []);
        let (_, alike) = Record::parse("bastide 1\nmods base\nplayers red r\u{435}d blue\n");
        let alike: Vec<&str> = alike.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(alike, ["the player name `r\u{435}d` looks like the other player name `red`"]);
        assert_eq!(record.setup.players, ["red\u{fffd}", "bl\u{fffd}[31mue"]);
        let entries: Vec<_> = record.lines.iter().map(|l| (l.number, l.entry.clone())).collect();
        let answers = [(6, "draw base/K\u{fffd}"), (7, "pass\u{fffd}back 1")];
        assert_eq!(entries, answers.map(|(n, text)| (n, LogEntry::Answer(text.to_owned()))));
    }

    #[test]
    fn large_invalid_records_give_few_problems() {
        let head = "bastide 1\nmods base\nplayers red\n";
        let (_, problems) = Record::parse(&format!("{head}{}", "back x\n".repeat(150_000)));
        assert_eq!(problems.len(), MAX_PROBLEMS + 1);
        assert_eq!(problems[MAX_PROBLEMS].message, "and 149800 more");
        let (record, problems) = Record::parse(&format!("{head}{}", "expect x\ngiven y\n".repeat(60_000)));
        assert_eq!((record.given_at.len(), problems.len()), (60_000, 0));
        let (_, problems) = Record::parse(&format!("bastide 1\nmods {}\nplayers red\n", "a,".repeat(300_000)));
        assert_eq!(problems[0].message, "the record names 300000 mods; at most 255 are allowed");
    }

    #[test]
    fn a_line_the_file_ends_in_may_be_torn() {
        let (record, _) = Record::parse("bastide 1\nmods base\nplayers red\n\ndraw base/K\nplace 0,-1 9");
        assert_eq!(record.lines.iter().map(|l| l.may_be_torn).collect::<Vec<_>>(), [false, true]);
    }
}
