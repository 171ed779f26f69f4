//! Finds entries of the page "How do I ...".

use std::collections::{BTreeSet, HashSet};

use diagnostic::nearest;

/// The page "How do I ...", as Markdown. It shows the lines that a mod needs for common rules, the
/// limits of mods, and the anatomy of a game.
pub const HOWTO: &str = include_str!("../docs/howto.md");

/// The beginning of the line of an entry that lists other words for its subject.
const OTHER_WORDS: &str = "*Other words: ";

/// Words of a question that do not tell what it is about.
const FILLER: [&str; 59] = [
    "a", "all", "an", "and", "are", "as", "at", "be", "but", "by", "can", "could", "do", "does", "for", "from", "get",
    "gets", "has", "have", "he", "her", "his", "how", "i", "if", "in", "into", "is", "it", "its", "make", "may", "me",
    "my", "of", "on", "or", "she", "should", "so", "somebody", "someone", "that", "the", "their", "then", "there",
    "they", "this", "to", "want", "was", "what", "when", "which", "who", "will", "with",
];

/// The maximum number of entries that a search finds.
const MAX_FOUND: usize = 13;

/// An entry of [`HOWTO`], or a section without entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HowtoEntry {
    /// The title, with the heading of the section if it begins the sentence: `A tile that has a
    /// mark`.
    pub title: String,
    /// The text without the heading.
    pub text: &'static str,
    /// The title and the other words.
    subject: String,
}

/// Returns the entries of [`HOWTO`], in the order of the page.
pub fn howto_entries() -> Vec<HowtoEntry> {
    let mut found = Vec::new();
    for section in HOWTO.split("\n## ").skip(1) {
        let (heading, text) = section.split_once('\n').unwrap_or((section, ""));
        let (before, entries) = text.split_once("\n### ").unwrap_or((text, ""));
        let mut add = |title: String, text: &'static str| {
            // Many entries need no other words: those of their titles and texts are enough.
            let others = text.lines().find_map(|line| line.strip_prefix(OTHER_WORDS)).unwrap_or_default();
            let subject = format!("{title} {others}");
            found.push(HowtoEntry { title, text: text.trim(), subject });
        };
        if entries.is_empty() {
            add(heading.to_owned(), before);
        }
        for entry in entries.split("\n### ").filter(|entry| !entry.is_empty()) {
            let (own, text) = entry.split_once('\n').unwrap_or((entry, ""));
            add(heading.strip_suffix('…').map_or_else(|| own.to_owned(), |begins| format!("{begins}{own}")), text);
        }
    }
    found
}

/// The result of a search in [`HOWTO`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundHowto {
    /// The found entries, the best first; at most 13. Empty if no entry contains any of the words.
    pub entries: Vec<HowtoEntry>,
    /// The words that no entry contains, each with the similar word that the search used instead.
    pub unknown: Vec<(String, Option<String>)>,
}

/// Finds the entries that fit `words` best. A word counts in any form: `discarded` contains
/// `discard`. A rare word counts more than a common one, and a word in the title or the other words
/// of an entry more than one in its text. Ignores words such as `how` and `a`. A word that no entry
/// contains is replaced by a similar one.
pub fn find_howto(words: &[String]) -> FoundHowto {
    let asked = words.iter().flat_map(|text| words_of(text)).filter(|word| !FILLER.contains(&word.as_str()));
    let entries: Vec<EntryWords> = howto_entries().into_iter().map(EntryWords::new).collect();
    let words_of_subjects: BTreeSet<String> = entries.iter().flat_map(|it| words_of(&it.entry.subject)).collect();
    let mut unknown = Vec::new();
    let mut stems: Vec<String> = Vec::new();
    for word in asked {
        let own = stem(&word);
        if entries.iter().any(|it| it.all.contains(&own)) {
            stems.push(own);
            continue;
        }
        let similar = nearest(&word, words_of_subjects.iter().map(String::as_str)).map(str::to_owned);
        stems.extend(similar.as_deref().map(stem));
        unknown.push((word, similar));
    }
    let weight = |stem: &String| {
        let n = entries.iter().filter(|it| it.all.contains(stem)).count();
        (1.0 + entries.len() as f64 / n as f64).ln()
    };
    let weights: Vec<f64> = stems.iter().map(weight).collect();
    let mean_length = entries.iter().map(|it| it.all.len()).sum::<usize>() as f64 / entries.len() as f64;
    let worth = |it: &EntryWords| -> f64 {
        // A long text contains many words by accident.
        let of_text = 1.0 / (1.0 + it.all.len() as f64 / mean_length);
        let of_word = |stem: &String| match () {
            () if it.subject.contains(stem) => 1.0,
            () if it.all.contains(stem) => of_text,
            () => 0.0,
        };
        stems.iter().zip(&weights).map(|(stem, weight)| of_word(stem) * weight).sum()
    };
    let mut ranked: Vec<(f64, HowtoEntry)> = entries.into_iter().map(|it| (worth(&it), it.entry)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let best = ranked.first().map_or(0.0, |(worth, _)| *worth);
    let near = ranked.into_iter().filter(|(worth, _)| *worth > 0.0 && *worth >= best / 4.0);
    FoundHowto { entries: near.take(MAX_FOUND).map(|(_, entry)| entry).collect(), unknown }
}

/// An entry with the stems of its words.
struct EntryWords {
    entry: HowtoEntry,
    /// The stems of the title and the other words.
    subject: HashSet<String>,
    /// The stems of the title and the text.
    all: HashSet<String>,
}

impl EntryWords {
    fn new(entry: HowtoEntry) -> EntryWords {
        let stems = |text: &str| -> HashSet<String> { words_of(text).map(|word| stem(&word)).collect() };
        let subject = stems(&entry.subject);
        let all = stems(entry.text).union(&subject).cloned().collect();
        EntryWords { entry, subject, all }
    }
}

/// Returns the words of a text in lowercase. Names such as `take_up` are one word.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c| !is_letter(c)).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Returns the stem of a word: `cities` and `city`, or `scores`, `scored` and `scoring`, have the
/// same stem.
fn stem(word: &str) -> String {
    let endings = ["ings", "ing", "ions", "ion", "ed", "es", "s"];
    let cut = endings.into_iter().find_map(|ending| word.strip_suffix(ending).filter(|rest| rest.len() > 1));
    let stem = cut.unwrap_or(word);
    let stem = stem.strip_suffix('e').filter(|rest| rest.len() > 1).unwrap_or(stem);
    let mut letters: Vec<char> = stem.chars().collect();
    // A doubled consonant before an ending, as in `betting`.
    if letters.len() > 2 && letters.last() == letters.get(letters.len() - 2) {
        letters.pop();
    }
    if let Some(last) = letters.last_mut().filter(|last| **last == 'y') {
        *last = 'i';
    }
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(words: &str) -> FoundHowto {
        find_howto(&[words.to_owned()])
    }

    fn titles(words: &str) -> Vec<String> {
        find(words).entries.into_iter().map(|entry| entry.title).collect()
    }

    #[test]
    fn words_that_authors_look_for() {
        for (words, title) in [
            ("dice", "roll a die"),
            ("meeple", "A piece that players deploy"),
            ("How do I remove a tile?", "A tile that is removed from the board"),
            ("team", "Points shared by the players of a team"),
            ("partners", "Points shared by the players of a team"),
            ("balance", "find out what a rule is worth (balance)"),
            ("bots", "help bots answer it"),
            ("goods", "Land that carries a heap of something"),
            ("big", "A piece that counts as a follower"),
            ("discard", "A tile that fits nowhere, and is not discarded"),
            ("draft", "A tile that lies open in a row beside the deck"),
            ("trading", "let players trade"),
            ("bets", "ask all players at once"),
            ("shuffle", "A tile that goes back into a group of the deck"),
            ("solo", "let one player play alone (solo)"),
            ("tooltip", "Land that shows a line in its tooltip"),
            ("take_up", "A tile that is removed from the board"),
            ("processor time", "Limits"),
            ("draw again", "A tile that goes under the deck, so that its player draws again"),
            ("dead end", "A tile that has land of kinds that exist"),
            ("phantom", "A piece that is deployed as a second one"),
            ("tollbooth", "A piece that is put between two tiles"),
            ("wheel", "roll a die"),
            ("catapult", "A piece that removes (eats) the pieces on its tile"),
            ("vineyard", "Points besides those of the formula"),
            ("bridge", "A tile that lies over another tile"),
        ] {
            assert_eq!(titles(words).first().map(String::as_str), Some(title), "{words}");
        }
        // A title comes before a text.
        let cities = titles("largest city");
        assert!(cities[0].contains("largest city") && cities.len() > 1, "{cities:?}");
    }

    /// Questions in the words of authors. The entry must be among the first three, which the
    /// command prints whole.
    #[test]
    fn questions_of_authors() {
        for (question, title) in [
            ("add a new tile", "A tile that has land of kinds that exist"),
            ("extra turn", "A turn in which a player plays again"),
            ("extra turn for a completed road", "A turn in which a player plays again"),
            ("remove a tile from the board", "A tile that is removed from the board"),
            ("turn a tile by 90 degrees", "A tile that is turned or rotated during the game"),
            ("cover a tile with another", "A tile that players may put over another tile"),
            ("put a tile on top of another", "A tile that players may put over another tile"),
            ("bonus points when a city is closed", "Points for a completed feature, with or without pieces"),
            ("symbol on a tile", "A tile that has a mark"),
            ("end the game early", "end the game before all tiles are drawn"),
            ("forbid placing a tile beside a city", "A tile that must not lie somewhere"),
            ("neutral figure that wanders", "A piece that moves"),
            ("majority of goods wins points", "have one holder of a title"),
            ("first player to reach 50 points wins", "end the game"),
            ("lose points", "Points at once, for anything"),
            ("skip a turn", "A turn in which a player misses a turn"),
            ("knights that count twice", "A piece that is stronger somewhere"),
            ("follower counts twice", "A piece that is stronger somewhere"),
            ("follower worth two", "A piece that is stronger somewhere"),
            ("turn a laid tile", "A tile that is turned or rotated during the game"),
            ("tile rotation", "A tile that is turned or rotated during the game"),
            ("flip tile around", "A tile that is turned or rotated during the game"),
            ("symbol on tile scores points", "A tile that has a mark on one of its zones"),
            ("choose between two tiles", "play a tile that my rule has chosen, such as one of two drawn"),
            ("neutral figure moves around the board", "A piece that moves"),
            ("neutral figure", "A piece that belongs to no player"),
            ("optional rule", "switch off a rule of the script"),
            ("play in pairs", "Points shared by the players of a team"),
            ("first player to do something gets a bonus once", "remember something"),
            ("replace an old tile by another", "A tile that replaces a tile on the board"),
            ("negative points", "Points at once, for anything"),
            ("color of a terrain", "Land that has a look of its own (colour, pattern, picture, icon, glyph)"),
            ("timer countdown for a turn", "Limits"),
            ("a player who finishes a city gets to play one more time", "A turn in which a player plays again"),
            ("no follower on a city beside a river", "A piece that must not be deployed somewhere"),
            ("follower may not stand next to a lake", "A piece that must not be deployed somewhere"),
            ("city that touches a lake", "Land that borders other land"),
            ("steal points from another player", "Points taken from what another player gets"),
            ("points taken from the leader", "Points taken from what another player gets"),
            ("when somebody closes a road he should get another go", "A turn in which a player plays again"),
        ] {
            let found = titles(question);
            let is_near = found.iter().take(3).any(|it| it == title);
            assert!(is_near, "{question}: {found:#?}");
        }
    }

    #[test]
    fn words_that_no_entry_contains() {
        let found = find("a submarine with dice");
        assert_eq!(found.unknown, [("submarine".to_owned(), None)]);
        assert_eq!(found.entries[0].title, "roll a die");
        assert_eq!(find("submarine").entries, []);
        assert_eq!(find("the").entries, []);
        let found = find("extr trun");
        let similar = |word: &str, known: &str| (word.to_owned(), Some(known.to_owned()));
        assert_eq!(found.unknown, [similar("extr", "extra"), similar("trun", "turn")]);
        assert_eq!(found.entries[0].title, "A turn in which a player plays again");
        assert_eq!(howto_entries().len(), HOWTO.matches("\n### ").count() + 5);
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for forms in [["city", "cities"], ["score", "scoring"], ["bet", "betting"], ["tie", "ties"], ["pass", "passes"]]
        {
            assert_eq!(stem(forms[0]), stem(forms[1]));
        }
        assert_ne!(stem("bot"), stem("both"));
    }
}
