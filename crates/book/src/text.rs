//! READMEs of mods as HTML. HTML inside a README becomes text.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

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
}
