//! Suggestions for misspelt names.

/// The maximum length, in bytes, of a word for which to look for a similar name. Longer words are
/// not typing mistakes, and the time to compare grows with the square of the length.
const MAX_WORD_BYTES: usize = 100;
/// The maximum number of names to compare, so that a suggestion never takes noticeable time.
const MAX_NAMES: usize = 2000;

/// Returns the name in `known` that is most similar to `word` and differs from `word`. Returns
/// `None` if no such name is similar enough for a typing mistake. Compares only the first 2000
/// names.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let n = word.chars().count();
    if word.len() > MAX_WORD_BYTES {
        return None;
    }
    let allowed = (n / 3).clamp(1, 4);
    let lower = word.to_lowercase();
    let distance = |k: &str| strsim::damerau_levenshtein(&lower, &k.to_lowercase());
    // A word of a very different length cannot be close.
    let may_be = |k: &&str| *k != word && k.len() <= 2 * MAX_WORD_BYTES && k.chars().count().abs_diff(n) <= allowed;
    let near = known.into_iter().take(MAX_NAMES).filter(may_be).map(|k| (distance(k), k));
    near.filter(|(d, _)| *d <= allowed).min().map(|(_, k)| k)
}

/// Returns "did you mean `x`?" if a name in `known` is close to `word`; otherwise `None`.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, known).map(|near| format!("did you mean `{near}`?"))
}

/// Returns "; did you mean `x`?", to append to a sentence, or an empty text if no name in `known`
/// is close to `word`.
pub fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    did_you_mean(word, known).map_or(String::new(), |help| format!("; {help}"))
}

/// Returns the names in backticks, the last two joined by "and"; "nothing" if there are no names.
pub fn join_names<S: AsRef<str>>(names: &[S]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{}`", n.as_ref())).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns "there is `a`" or "there are `a` and `b`"; "there is nothing" if there are no names.
pub fn there_are<S: AsRef<str>>(names: &[S]) -> String {
    format!("there {} {}", if names.len() > 1 { "are" } else { "is" }, join_names(names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_a_number() {
        assert_eq!(there_are(&["a"]), "there is `a`");
        assert_eq!(there_are(&["a", "b", "c"]), "there are `a`, `b` and `c`");
        assert_eq!(there_are::<&str>(&[]), "there is nothing");
    }

    #[test]
    fn near_words_are_found() {
        assert_eq!(nearest("ctiy", ["city", "road"]), Some("city"));
        assert_eq!(nearest("CITY", ["city", "road"]), Some("city"));
        assert_eq!(nearest("follwer", ["follower", "planter"]), Some("follower"));
        assert_eq!(nearest("x", ["city"]), None);
        assert_eq!(nearest(&"x".repeat(1_000_000), [&*"x".repeat(999_999)]), None, "and this takes no time");
        assert_eq!(did_you_mean("ctiy", ["city"]).as_deref(), Some("did you mean `city`?"));
    }
}
