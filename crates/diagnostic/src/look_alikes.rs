//! Names that can be mistaken for other names.

use unicode_security::{GeneralSecurityProfile, MixedScript, confusable_detection::skeleton};

/// Returns a clause to append to `name` if its letters are suspicious, such as "has letters that
/// are not used in names". Otherwise returns `None`.
pub fn odd_letters_clause(name: &str) -> Option<&'static str> {
    if name.is_ascii() {
        return None;
    }
    if !name.is_single_script() {
        return Some("mixes letters of several writing systems, some of which look alike");
    }
    let is_usual = |c: char| c.is_ascii() || c.identifier_allowed();
    (!name.chars().all(is_usual)).then_some("has letters that are not used in names")
}

/// Returns the first of `others` that looks the same as `name` and that `name` imitates, if any. Of
/// two names that look the same, the imitation is the name that is not plain ASCII. If both names
/// are plain ASCII or neither is, the imitation is the later name in the alphabet.
pub fn find_look_alike<'a>(name: &str, others: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let look: String = skeleton(name).collect();
    let is_to_blame = |other: &str| (name.is_ascii(), other) < (other.is_ascii(), name);
    let looks_alike = |other: &&str| *other != name && is_to_blame(other) && skeleton(other).eq(look.chars());
    others.into_iter().find(looks_alike)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_are_found() {
        // The second letter is Cyrillic.
        let cyrillic = "b\u{430}se";
        assert_eq!(find_look_alike(cyrillic, ["river", "base"]), Some("base"));
        assert_eq!(find_look_alike("base", ["river", cyrillic]), None, "the plain one is not to blame");
        assert_eq!(
            (find_look_alike("riverl", ["river1"]), find_look_alike("river1", ["riverl"])),
            (Some("river1"), None)
        );
        assert_eq!(find_look_alike("base", ["base", "bases"]), None);
        assert!(odd_letters_clause(cyrillic).is_some());
    }

    #[test]
    fn honest_names_are_not_odd() {
        for name in ["base", "größe", "игра", "森", "jeu-d-été", "παιχνίδι"] {
            assert_eq!(odd_letters_clause(name), None, "{name}");
        }
    }
}
