//! READMEs of mods as HTML. HTML inside a README becomes text.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// A section of a README: the heading, and the Markdown below it.
pub(crate) struct Section<'t> {
    /// The text of the heading; empty for the text before the first heading of the second level.
    pub title: &'t str,
    /// The Markdown.
    pub text: String,
}

/// Splits a README into sections at headings of the second level. Omits the heading of the first
/// level.
pub(crate) fn sections(text: &str) -> Vec<Section<'_>> {
    let mut found = vec![Section { title: "", text: String::new() }];
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.trim_start().starts_with("```");
        match line.strip_prefix("## ").filter(|_| !is_code) {
            Some(title) => found.push(Section { title: title.trim(), text: String::new() }),
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

/// Returns Markdown as HTML. Raw HTML becomes text. Only links to the web and within the page stay
/// links.
pub(crate) fn to_html(markdown: &str) -> String {
    let mut n_dropped = 0;
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => None,
        Event::Start(Tag::Link { ref dest_url, .. }) if !is_kept(dest_url) => {
            n_dropped += 1;
            None
        }
        Event::End(TagEnd::Link) if n_dropped > 0 => {
            n_dropped -= 1;
            None
        }
        // The page itself uses the first three levels of headings, so all headings get the fourth.
        Event::Start(Tag::Heading { id, classes, attrs, .. }) => {
            Some(Event::Start(Tag::Heading { level: HeadingLevel::H4, id, classes, attrs }))
        }
        Event::End(TagEnd::Heading(_)) => Some(Event::End(TagEnd::Heading(HeadingLevel::H4))),
        event => Some(event),
    });
    let mut page = String::new();
    html::push_html(&mut page, events);
    page
}

fn is_kept(link: &CowStr<'_>) -> bool {
    ["https://", "http://", "#"].iter().any(|start| link.starts_with(start))
}

/// Replaces references to tests, such as (`f07`, `s13`), with the links that `link` returns.
/// Removes a reference if `link` returns `None`.
pub(crate) fn with_references(text: &str, link: impl Fn(&str) -> Option<String>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once('(') {
        let Some((inner, after)) = inside.split_once(')').filter(|(inner, _)| is_list_of_tests(inner)) else {
            result += before;
            result.push('(');
            rest = inside;
            continue;
        };
        let links: Vec<String> = inner.split('`').skip(1).step_by(2).filter_map(&link).collect();
        match links.is_empty() {
            true => result += before.trim_end_matches(' '),
            false => {
                result += before;
                result += &format!("({})", links.join(", "));
            }
        }
        rest = after;
    }
    result + rest
}

/// Returns whether a text consists of names of tests such as `f07` in backticks.
fn is_list_of_tests(text: &str) -> bool {
    let is_name = |name: &str| {
        let digits = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
        digits.len() < name.len() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    };
    let mut parts = text.split('`');
    let between =
        parts.clone().step_by(2).all(|text| text.trim().trim_matches(',').trim().is_empty() || text.trim() == "to");
    text.contains('`') && between && parts.by_ref().skip(1).step_by(2).all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_of_a_readme_becomes_text() {
        let page =
            to_html("a <script>alert(1)</script> [x](javascript:alert(1)) ![y](z.png) [web](https://e.org)\n\n<b>\n");
        assert!(!page.contains("<script") && !page.contains("javascript:") && !page.contains("<img"), "{page}");
        assert!(!page.contains("<b>") && page.contains("<a href=\"https://e.org\">web</a>"), "{page}");
    }

    #[test]
    fn references_to_tests_become_links_or_disappear() {
        let link = |name: &str| (name == "f03").then(|| "[1](#e1)".to_owned());
        let shown = |text: &str| with_references(text, link);
        assert_eq!(shown("One. (`f03`)"), "One. ([1](#e1))");
        assert_eq!(shown("Two. (`f03`, `s1`)"), "Two. ([1](#e1))");
        assert_eq!(shown("Three (`s1` to `s3`)."), "Three.");
        assert_eq!(shown("call `f(x)` (a note)"), "call `f(x)` (a note)");
    }

    #[test]
    fn a_readme_has_sections() {
        let found = sections("# Title\nintro\n## Rules\none\n```\n## no\n```\n## More\n");
        let titles: Vec<&str> = found.iter().map(|section| section.title).collect();
        assert_eq!(titles, ["", "Rules", "More"]);
        assert_eq!(found[0].text, "intro\n");
    }
}
