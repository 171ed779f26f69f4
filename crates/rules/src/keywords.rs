//! First words of lines in records, which mean something by themselves.

/// First words of the lines of a header.
const HEADER_VERBS: [&str; 8] = ["bastide", "mods", "players", "begins", "set", "seed", "bot", "colour"];

/// First words of lines of the log that are no answers of mods.
const LOG_VERBS: [&str; 5] = ["given", "expect", "pass", "back", "end"];

/// First words of the core's own options.
const CORE_VERBS: [&str; 4] = ["draw", "roll", "place", "deploy"];

/// All first words of lines that mean something by themselves: nothing that a mod or a player names may be called so.
pub fn record_verbs() -> impl Iterator<Item = &'static str> {
    [&HEADER_VERBS[..], &LOG_VERBS, &CORE_VERBS].into_iter().flatten().copied()
}

/// Whether a line that begins with `word` belongs to the header.
pub(crate) fn is_header_verb(word: &str) -> bool {
    HEADER_VERBS.contains(&word)
}

/// Whether a record would take a line that begins with `word` for something else than an answer to a question of a mod. A header can go on until
/// there is an answer.
pub(crate) fn means_more(word: &str, is_first: bool) -> bool {
    LOG_VERBS.contains(&word) || is_first && HEADER_VERBS.contains(&word)
}
