//! Near misses of names.

/// Returns the one of `known` that `word` was probably meant to be; never `word` itself.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (word.chars().count() / 3).clamp(1, 4);
    let lower = word.to_lowercase();
    let distance = |k: &str| strsim::damerau_levenshtein(&lower, &k.to_lowercase());
    let near = known.into_iter().filter(|k| *k != word).map(|k| (distance(k), k));
    near.filter(|(d, _)| *d <= allowed).min().map(|(_, k)| k)
}

/// Returns "did you mean `x`?" where one of `known` is near to `word`.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, known).map(|near| format!("did you mean `{near}`?"))
}

/// Returns "; did you mean `x`?", to be put behind a sentence, or nothing.
pub fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    did_you_mean(word, known).map_or(String::new(), |help| format!("; {help}"))
}

/// Returns the names in backticks, the last two joined by "and".
pub fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{}`", n.as_ref())).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found() {
        assert_eq!(nearest("ctiy", ["city", "road"]), Some("city"));
        assert_eq!(nearest("CITY", ["city", "road"]), Some("city"));
        assert_eq!(nearest("follwer", ["follower", "planter"]), Some("follower"));
        assert_eq!(nearest("x", ["city"]), None);
        assert_eq!(did_you_mean("ctiy", ["city"]).as_deref(), Some("did you mean `city`?"));
    }
}
