//! Near misses of names.

/// The one of `names` that `name` was probably meant to be.
pub(crate) fn did_you_mean<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let far = (name.chars().count() / 3).clamp(1, 3);
    let near = names.into_iter().map(|n| (strsim::damerau_levenshtein(name, n), n));
    near.filter(|(d, n)| *d <= far && *n != name).min().map(|(_, n)| n)
}

/// `; did you mean ...` or nothing.
pub(crate) fn hint<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    did_you_mean(name, names).map_or(String::new(), |n| format!("; did you mean `{n}`?"))
}
