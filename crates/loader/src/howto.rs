//! Finds entries of the page "How do I ...".

/// The page "How do I ...", as Markdown. It shows the lines that a mod needs for common rules, the
/// limits of mods, and the anatomy of a game.
pub const HOWTO: &str = include_str!("../docs/howto.md");

/// The beginning of the line of an entry that lists other words for its subject.
const OTHER_WORDS: &str = "*Other words: ";

/// Words of a question that do not tell what it is about.
const FILLER: [&str; 23] = [
    "a", "an", "and", "are", "be", "can", "do", "does", "for", "how", "i", "in", "is", "it", "my", "of", "on", "or",
    "that", "the", "to", "what", "with",
];

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
        let n_before = found.len();
        for entry in entries.split("\n### ").filter(|entry| !entry.is_empty()) {
            let (own, text) = entry.split_once('\n').unwrap_or((entry, ""));
            let title = heading.strip_suffix('…').map_or_else(|| own.to_owned(), |begins| format!("{begins}{own}"));
            // Many entries need no other words: those of their titles and texts are enough.
            let others = text.lines().find_map(|line| line.strip_prefix(OTHER_WORDS)).unwrap_or_default();
            let subject = format!("{title} {others}");
            found.push(HowtoEntry { title, text: text.trim(), subject });
        }
        if found.len() == n_before {
            found.push(HowtoEntry { title: heading.to_owned(), text: before.trim(), subject: heading.to_owned() });
        }
    }
    found
}

/// Finds the entries that contain all of `words`, in any form: `discarded` contains `discard`. The
/// entries with the most words in their titles and other words come first. Ignores words such as
/// `how` and `a`, unless there are no others.
///
/// # Errors
/// If no entry contains all words, returns those of them that no entry contains. The list is empty
/// if each word alone is in an entry.
pub fn find_howto(words: &[String]) -> Result<Vec<HowtoEntry>, Vec<String>> {
    let asked: Vec<String> = words.iter().flat_map(|text| words_of(text)).collect();
    let telling: Vec<&String> = asked.iter().filter(|word| !FILLER.contains(&word.as_str())).collect();
    let asked: Vec<&String> = if telling.is_empty() { asked.iter().collect() } else { telling };
    let stems: Vec<String> = asked.iter().map(|word| stem(word)).collect();
    let mut is_known = vec![false; asked.len()];
    let mut found = Vec::new();
    for entry in howto_entries() {
        let all: Vec<String> = words_of(&entry.title).chain(words_of(entry.text)).map(|word| stem(&word)).collect();
        let subject: Vec<String> = words_of(&entry.subject).map(|word| stem(&word)).collect();
        let has: Vec<bool> = stems.iter().map(|stem| all.contains(stem)).collect();
        is_known.iter_mut().zip(&has).for_each(|(known, has)| *known |= has);
        if has.iter().all(|has| *has) {
            found.push((stems.iter().filter(|stem| subject.contains(stem)).count(), entry));
        }
    }
    if found.is_empty() {
        let unknown = asked.into_iter().zip(is_known).filter(|(_, known)| !known).map(|(word, _)| word.clone());
        return Err(unknown.collect());
    }
    found.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
    Ok(found.into_iter().map(|(_, entry)| entry).collect())
}

/// Returns the words of a text in lowercase. Names such as `take_up` are one word.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c| !is_letter(c)).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Returns the stem of a word: `cities` and `city`, or `scores`, `scored` and `scoring`, have the
/// same stem.
fn stem(word: &str) -> String {
    let endings = ["ings", "ing", "ed", "es", "s"];
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

    fn titles(words: &str) -> Vec<String> {
        let found = find_howto(&[words.to_owned()]).expect("an entry has all words");
        found.into_iter().map(|entry| entry.title).collect()
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
        ] {
            assert_eq!(titles(words).first().map(String::as_str), Some(title), "{words}");
        }
        // A title comes before a text.
        let cities = titles("largest city");
        assert!(cities[0].contains("largest city") && cities.len() > 1, "{cities:?}");
    }

    #[test]
    fn words_that_no_entry_contains() {
        let words = |text: &str| find_howto(&[text.to_owned()]).map(|found| found.len());
        assert_eq!(words("a submarine with dice"), Err(vec!["submarine".to_owned()]));
        assert_eq!(words("dice tooltip"), Err(Vec::new()));
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
