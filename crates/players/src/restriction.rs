//! Options that a bot may not choose. To measure the worth of these options, simulations compare
//! the restricted bot with an unrestricted bot.

use rules::{Answer, Decision, Ruleset, Seat, State, option_text};

/// The options that a bot may not choose. The default restriction forbids nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Restriction {
    /// The forbidden patterns, each a list of words.
    patterns: Vec<Vec<String>>,
}

impl Restriction {
    /// The restriction that forbids nothing.
    pub const NONE: Restriction = Restriction { patterns: Vec::new() };

    /// Parses patterns such as `deploy:field`. A pattern forbids the options whose texts contain
    /// all words of the pattern. A word also matches a longer word that continues with a character
    /// other than a letter, a digit, `_` or `-`: `field` matches `field@n2`, and `base` matches
    /// `base/K`. Returns `None` if a word of a pattern is empty.
    pub fn parse<'t>(patterns: impl IntoIterator<Item = &'t str>) -> Option<Restriction> {
        let words = |pattern: &str| {
            let words: Vec<String> = pattern.split(':').map(ToOwned::to_owned).collect();
            words.iter().all(|word| !word.is_empty()).then_some(words)
        };
        let patterns = patterns.into_iter().map(words).collect::<Option<_>>()?;
        Some(Restriction { patterns })
    }

    /// Returns whether nothing is forbidden.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Returns, for each of the `options` of a decision, whether the option is allowed. If all
    /// options are forbidden, allows all options, because the game must go on.
    pub fn allowed(&self, ruleset: &Ruleset, state: &State, decision: &Decision, options: &[Answer]) -> Vec<bool> {
        if self.is_empty() {
            return vec![true; options.len()];
        }
        let allowed: Vec<bool> =
            options.iter().map(|option| !self.matches(&option_text(ruleset, state, decision, *option))).collect();
        if allowed.contains(&true) { allowed } else { vec![true; options.len()] }
    }

    /// Returns whether an option with the text `text` matches a pattern.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let has = |word: &String| text.split_whitespace().any(|other| stands_for(word, other));
        self.patterns.iter().any(|words| words.iter().all(has))
    }
}

/// A restriction and the seat that is subject to it. A bot assumes that the other players may
/// choose every option.
pub(crate) struct SeatRestriction {
    pub seat: Seat,
    pub restriction: Restriction,
}

impl SeatRestriction {
    /// Returns the restriction of a seat.
    pub fn of(&self, seat: Seat) -> &Restriction {
        static UNRESTRICTED: Restriction = Restriction::NONE;
        if seat == self.seat { &self.restriction } else { &UNRESTRICTED }
    }
}

/// Returns whether `other` is `word`, or continues `word` with a character other than a letter, a
/// digit, `_` or `-`.
fn stands_for(word: &str, other: &str) -> bool {
    let goes_on = |next: char| next.is_alphanumeric() || matches!(next, '_' | '-');
    other.strip_prefix(word).is_some_and(|rest| rest.chars().next().is_none_or(|next| !goes_on(next)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_forbids_the_options_with_its_words() {
        let of = |pattern: &str| Restriction::parse([pattern]).unwrap();
        for (pattern, text, forbids) in [
            ("deploy", "deploy follower 0,-1 city@s", true),
            ("deploy:field", "deploy follower 0,-1 field@n2", true),
            ("deploy:field", "deploy follower 0,-1 city@s", false),
            ("field:deploy", "deploy follower 0,-1 field", true),
            ("place:180", "place 0,-1 180", true),
            ("place:18", "place 0,-1 180", false),
            ("deploy:big", "deploy big-follower 0,0 city@s", false),
            ("0", "place 0,-1 180", true),
            ("pass", "pass", true),
        ] {
            assert_eq!(of(pattern).matches(text), forbids, "{pattern}, {text}");
        }
        for wrong in [&["deploy", ""][..], &["a::b"], &[""]] {
            assert!(Restriction::parse(wrong.iter().copied()).is_none(), "{wrong:?}");
        }
        assert!(Restriction::NONE.is_empty() && !of("pass").is_empty());
    }
}
