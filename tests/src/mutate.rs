//! Mutates the texts of the repository's mods with edits and accidents that are typical of authors.
//! A fuzzer's bytes choose the mutations, so that every input is useful.

use std::fs;
use std::path::Path;

use testkit::mods_folder;

/// Choices that a fuzzer's bytes determine. When the bytes are used up, every choice is the first
/// option.
pub struct Choices<'b>(&'b [u8]);

impl<'b> Choices<'b> {
    /// Makes a source of choices from a fuzzer's bytes.
    pub fn new(bytes: &'b [u8]) -> Choices<'b> {
        Choices(bytes)
    }

    /// Returns whether there are bytes left.
    pub fn has_bytes_left(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns a number below `n`, which must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        let mut number = 0;
        let mut most = 1;
        while most < n {
            let Some((first, rest)) = self.0.split_first() else { break };
            number = number * 256 + usize::from(*first);
            most *= 256;
            self.0 = rest;
        }
        number % n
    }

    /// Returns one of `items`, which must not be empty.
    pub fn choose<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len())]
    }
}

/// Numbers that replace a word of a line.
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "255",
    "256",
    "65536",
    "1000000",
    "9223372036854775807",
    "-9223372036854775808",
    "1e9",
    "0.5",
];
/// Texts and other values that replace a word of a line.
const TEXTS: [&str; 14] = [
    "\"\"",
    "\"base\"",
    "\"../x\"",
    "\"n-e-s-w\"",
    "\"city\"",
    "\"tiles * tiles\"",
    "\"\\u001b[2J\"",
    "[]",
    "{}",
    "true",
    "[[]]",
    "\"a b\"",
    "\"ä\"",
    "()",
];
/// Characters that are inserted beside a word of a line.
const INSERTIONS: [&str; 18] =
    ["\n", "{", "}", "[", "]", "(", ")", "\"", "#", "//", "/*", "=", ",", " ", "\r\n", "\u{feff}", "\u{202e}", "\0"];

/// Returns all files of this repository's mods whose names end in `ending`: their paths and texts,
/// sorted by path.
///
/// # Panics
/// Panics if there are no such files.
pub fn texts_of(ending: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![mods_folder(), Path::new(env!("CARGO_MANIFEST_DIR")).join("mods")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push((path.to_string_lossy().into_owned(), fs::read_to_string(path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "there are no files ending in {ending}");
    found
}

/// Repeats a piece of `text` until one more copy would make the result longer than `most` bytes.
/// The copies are equal, or each copy has a different number after its last word, so that no name
/// occurs twice.
pub fn repeated(choices: &mut Choices<'_>, text: &str, most: usize) -> String {
    let from = text.floor_char_boundary(choices.below(text.len().max(1)));
    let longest = *choices.choose(&[8, 200]);
    let length = 1 + choices.below(longest);
    let to = text.ceil_char_boundary((from + length).min(text.len()));
    let piece = &text[from..to];
    let word_end = piece.rfind(|c: char| c.is_ascii_alphanumeric()).map(|at| at + 1);
    let word_end = word_end.filter(|_| choices.below(2) == 0);
    let mut long = text[..from].to_owned();
    for n in 0.. {
        let number = word_end.map_or(String::new(), |_| n.to_string());
        if piece.is_empty() || long.len() + piece.len() + number.len() + (text.len() - to) > most {
            break;
        }
        let (before, after) = piece.split_at(word_end.unwrap_or(0));
        long += before;
        long += &number;
        long += after;
    }
    long + &text[to..]
}

/// Changes `text` up to six times. Some changes insert lines of `others`.
pub fn mutated(choices: &mut Choices<'_>, text: &str, others: &[(String, String)]) -> String {
    let mut text = text.to_owned();
    for _ in 0..=choices.below(6) {
        if !choices.has_bytes_left() {
            break;
        }
        text = mutated_once(choices, &text, others);
    }
    text
}

fn mutated_once(choices: &mut Choices<'_>, text: &str, others: &[(String, String)]) -> String {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let at = choices.below(lines.len());
    match choices.below(12) {
        // Deletes, duplicates or swaps lines, or inserts lines of another file.
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at]),
        2 => {
            let other = choices.below(lines.len());
            lines.swap(at, other);
        }
        3 => {
            let other: Vec<&str> = choices.choose(others).1.split('\n').collect();
            let first = choices.below(other.len());
            let n = 1 + choices.below(4);
            let end = (first + n).min(other.len());
            lines.splice(at..at, other[first..end].iter().copied());
        }
        // Cuts the file off.
        4 => return cut(text, choices.below(text.len() + 1)).to_owned(),
        // Removes, replaces or reverses a word of the line, or inserts characters beside it.
        kind => {
            let words = words_of(lines[at]);
            if words.is_empty() {
                return text.to_owned();
            }
            let (start, end) = *choices.choose(&words);
            let (before, word, after) = (&lines[at][..start], &lines[at][start..end], &lines[at][end..]);
            let new = match kind {
                5 => String::new(),
                6 => (*choices.choose(&NUMBERS)).to_owned(),
                7 => (*choices.choose(&TEXTS)).to_owned(),
                8 => format!("{word}{}", choices.choose(&INSERTIONS)),
                9 => format!("{}{word}", choices.choose(&INSERTIONS)),
                10 => word.chars().rev().collect(),
                _ => {
                    let line = choices.choose(others).1.lines().nth(choices.below(200)).unwrap_or_default().to_owned();
                    let theirs = words_of(&line);
                    let (s, e) = if theirs.is_empty() { (0, 0) } else { *choices.choose(&theirs) };
                    line[s..e].to_owned()
                }
            };
            let line = format!("{before}{new}{after}");
            let mut all: Vec<&str> = lines.clone();
            all[at] = &line;
            return all.join("\n");
        }
    }
    lines.join("\n")
}

/// Returns the first `end` bytes of `text`, or fewer bytes if `end` is inside a character.
fn cut(text: &str, end: usize) -> &str {
    let end = (0..=end).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

/// Returns the byte ranges of the words of a line: names, numbers and single punctuation
/// characters.
fn words_of(line: &str) -> Vec<(usize, usize)> {
    let mut words: Vec<(usize, usize)> = Vec::new();
    let mut last_was_word = false;
    for (i, c) in line.char_indices() {
        let is_word = c.is_alphanumeric() || c == '_';
        match words.last_mut() {
            Some((_, end)) if is_word && last_was_word => *end = i + c.len_utf8(),
            _ if c.is_whitespace() => {}
            _ => words.push((i, i + c.len_utf8())),
        }
        last_was_word = is_word;
    }
    words
}
