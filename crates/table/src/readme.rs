//! The READMEs of mods: the sections that explain the rules to players.

/// The titles of README sections that are for authors of mods, not for players.
const AUTHOR_SECTIONS: [&str; 5] = ["Tests", "Options", "Sources", "Files", "How it is made"];

/// A section of a README.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadmeSection<'t> {
    /// The text of the heading; empty for the text before the first heading of the second level.
    pub title: &'t str,
    /// The Markdown below the heading.
    pub text: String,
}

/// Returns the sections of a README that are for players. Omits headings of the first level, and
/// also tables before the first section, because they list the files of the mod.
pub fn player_sections(readme: &str) -> Vec<ReadmeSection<'_>> {
    let mut found = sections(readme);
    found.retain(|section| {
        !AUTHOR_SECTIONS.contains(&section.title) && !section.title.to_lowercase().contains("certainty")
    });
    if let Some(intro) = found.first_mut().filter(|section| section.title.is_empty()) {
        let paragraphs = intro.text.split("\n\n").filter(|text| !text.trim_start().starts_with('|'));
        intro.text = paragraphs.collect::<Vec<_>>().join("\n\n");
    }
    found
}

/// Splits a README into sections at headings of the second level. Omits the heading of the first
/// level.
fn sections(text: &str) -> Vec<ReadmeSection<'_>> {
    let mut found = vec![ReadmeSection { title: "", text: String::new() }];
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.trim_start().starts_with("```");
        match line.strip_prefix("## ").filter(|_| !is_code) {
            Some(title) => found.push(ReadmeSection { title: title.trim(), text: String::new() }),
            None if !is_code && line.starts_with("# ") && found.len() == 1 => {}
            None => {
                if let Some(section) = found.last_mut() {
                    section.text += line;
                    section.text.push('\n');
                }
            }
        }
    }
    found
}

/// Replaces references to tests, such as ``(`f07`, `s13`)``, with links. `link` returns the link
/// for the name of a test. Removes references for which it returns `None`, and references to tests
/// of other mods, such as ``(`x06` and `x13` of `messages`)``.
pub fn link_references(text: &str, link: impl Fn(&str) -> Option<String>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once('(') {
        let reference = inside.split_once(')').and_then(|(inner, after)| Some((own_tests(inner)?, after)));
        let Some((tests, after)) = reference else {
            result += before;
            result.push('(');
            rest = inside;
            continue;
        };
        let links: Vec<String> = tests.iter().filter_map(|test| link(test)).collect();
        match links.is_empty() {
            true => result += before.trim_end(),
            false => {
                result += before;
                result += &format!("({})", links.join(", "));
            }
        }
        rest = after;
    }
    result + rest
}

/// Returns the names in a list of tests, such as `` `f07`, `s13` and `x01` of `messages` ``. Leaves
/// out tests of other mods. Returns `None` if the text is not a list of tests.
fn own_tests(text: &str) -> Option<Vec<String>> {
    let is_test = |name: &&str| {
        let digits = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
        digits.len() < name.len() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    };
    fn quoted(text: &str) -> Option<&str> {
        text.strip_prefix('`')?.strip_suffix('`').filter(|name| !name.contains('`'))
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut own = Vec::new();
    for part in text.split(',').map(str::trim) {
        let part = part.strip_prefix("and ").unwrap_or(part);
        let (tests, owner) = part.split_once(" of ").map_or((part, None), |(tests, owner)| (tests, Some(owner)));
        for name in tests.replace(" to ", " and ").split(" and ") {
            let name = quoted(name).filter(is_test)?;
            own.extend(owner.is_none().then(|| name.to_owned()));
        }
        if let Some(owner) = owner {
            quoted(owner)?;
        }
    }
    Some(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_to_tests_become_links_or_disappear() {
        let link = |name: &str| (name == "f03").then(|| "[1](#e1)".to_owned());
        let shown = |text: &str| link_references(text, link);
        assert_eq!(shown("One. (`f03`)"), "One. ([1](#e1))");
        assert_eq!(shown("Two. (`f03`, `s1`)"), "Two. ([1](#e1))");
        assert_eq!(shown("Three (`s1` to `s3`)."), "Three.");
        assert_eq!(shown("Four.\n  (`s1`, and `x06`\n and `f03` of `messages`)\n- five"), "Four.\n- five");
        assert_eq!(shown("Six. (`x11` and `x12` of `messages`, `f03`)"), "Six. ([1](#e1))");
        assert_eq!(shown("Seven (`a` of `b`) or (`f03` of messages)"), "Seven (`a` of `b`) or (`f03` of messages)");
        assert_eq!(shown("call `f(x)` (a note)"), "call `f(x)` (a note)");
    }

    #[test]
    fn players_read_the_rules_and_authors_the_rest() {
        let text = "# Title\nintro\n\n| file | contains |\n|---|---|\n\n## Rules\none\n```\n## no\n```\n## Tests\nx\n## More\n\
                    ## Tiles of lesser certainty\n";
        let found = player_sections(text);
        let titles: Vec<&str> = found.iter().map(|section| section.title).collect();
        assert_eq!(titles, ["", "Rules", "More"]);
        assert_eq!(found[0].text.trim(), "intro");
    }
}
