//! Reduces an SVG to the shapes and groups that make an icon. Removes everything else before the
//! SVG library reads the text, so that the removed text costs no time or memory.

use std::collections::BTreeMap;

use usvg::roxmltree::{Document, Node, ParsingOptions};

use crate::icon_error::IconError;
use crate::icon_limits::{MAX_ATTRIBUTES, MAX_BYTES, MAX_DEPTH, MAX_NAMESPACES, MAX_NUMBERS};

/// The maximum number of nodes in an SVG, such as elements, texts and comments.
const MAX_NODES: u32 = 5000;
/// The maximum estimated size of an SVG, in bytes, after every `use` is expanded.
const MAX_BYTES_USED: usize = 1 << 20;
/// The maximum total size of style sheets, in bytes. The limit is needed because the SVG library
/// compares each rule with each element.
const MAX_STYLE_BYTES: usize = 16 << 10;
/// The largest number in a path and in [`MEASURES`]. The limit is needed because the SVG library
/// computes the outline of each line, which takes long for large curves.
const MAX_NUMBER: f64 = 100_000.0;
/// The attributes with lengths, coordinates and transforms.
const MEASURES: [&str; 22] = [
    "cx",
    "cy",
    "fx",
    "fy",
    "gradientTransform",
    "height",
    "r",
    "rx",
    "ry",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-miterlimit",
    "stroke-width",
    "transform",
    "viewBox",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
];
/// Elements that are removed and never drawn. They can refer to each other and to files, so the
/// cost of drawing them has no limit.
const REMOVED_ELEMENTS: [&str; 11] =
    ["image", "text", "foreignObject", "script", "pattern", "mask", "clipPath", "marker", "filter", "animate", "set"];

/// Returns `svg` without the elements in [`REMOVED_ELEMENTS`] and without references to filters.
///
/// # Errors
/// Returns an error if `svg` is not valid XML, declares entities or exceeds a limit for icons.
pub(crate) fn sanitize_svg(svg: &str) -> Result<String, IconError> {
    if svg.len() > MAX_BYTES {
        return Err(IconError::TooLarge);
    }
    if svg.contains("<!ENTITY") {
        return Err(IconError::Entities);
    }
    if svg.matches("xmlns").count() > MAX_NAMESPACES {
        return Err(IconError::Namespaces);
    }
    check_attributes(svg)?;
    // A document type is allowed: many programs write one, and without entities it has no effect.
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(svg, options)?;
    let named = document.descendants().filter_map(|node| Some((node.attribute("id")?, node)));
    let mut left =
        Allowance { bytes: MAX_BYTES_USED, numbers: MAX_NUMBERS, style_bytes: MAX_STYLE_BYTES, named: named.collect() };
    left.deduct_node(document.root_element(), 0)?;
    let mut shapes = String::with_capacity(svg.len());
    let mut end = 0;
    for node in document.root_element().descendants() {
        let (cut, filter) = match is_removed(node) {
            true => (Some(node.range()), None),
            // The SVG library does not draw an element whose filter is missing. Therefore the
            // reference to a removed filter is removed too.
            false => (None, node.attributes().find(|a| a.name() == "filter").map(|a| a.range())),
        };
        // Skips a range that lies within an element that was already removed.
        if let Some(range) = cut.or(filter).filter(|range| range.start >= end) {
            shapes += svg.get(end..range.start).unwrap_or_default();
            end = range.end;
        }
    }
    shapes += svg.get(end..).unwrap_or_default();
    Ok(shapes)
}

/// Checks in one pass, before the SVG is parsed, that no element has too many attributes and that
/// the document type contains no declarations.
fn check_attributes(svg: &str) -> Result<(), IconError> {
    let mut rest = svg;
    while let Some((_, tag)) = rest.split_once('<') {
        let skipped = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")];
        rest = match skipped.iter().find(|(begin, _)| tag.starts_with(begin)) {
            Some((_, end)) => tag.split_once(end).map_or("", |(_, after)| after),
            None => after_tag(tag)?,
        };
    }
    Ok(())
}

/// Returns the text after a tag. `text` begins right after the `<` of the tag. Returns an error if
/// the tag has too many attributes, or is a document type with declarations.
fn after_tag(text: &str) -> Result<&str, IconError> {
    let mut quote = None;
    let mut n_attributes = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            // An `=` inside quotes counts too, so that unbalanced quotes cannot hide attributes.
            b'=' => n_attributes += 1,
            b'"' | b'\'' if quote.is_none() => quote = Some(byte),
            _ if quote == Some(byte) => quote = None,
            // Refuses declarations in a document type, because they may contain unbalanced quotes.
            b'[' if quote.is_none() && text.starts_with('!') => {
                return Err(IconError::Declarations);
            }
            b'>' if quote.is_none() => return Ok(text.get(at + 1..).unwrap_or_default()),
            _ => {}
        }
        if n_attributes > MAX_ATTRIBUTES {
            return Err(IconError::Attributes);
        }
    }
    Ok("")
}

fn is_removed(node: Node<'_, '_>) -> bool {
    node.is_element() && REMOVED_ELEMENTS.contains(&node.tag_name().name())
}

/// The remaining limits of an icon: bytes, numbers in path data, and bytes of style sheets. `named`
/// contains the elements with an id, to which a `use` element can refer.
struct Allowance<'a> {
    bytes: usize,
    numbers: usize,
    style_bytes: usize,
    named: BTreeMap<&'a str, Node<'a, 'a>>,
}

impl<'a> Allowance<'a> {
    /// Subtracts the count of numbers in a path from the allowance. Returns an error if there are
    /// too many numbers, or if a number exceeds [`MAX_NUMBER`].
    fn deduct_numbers(&mut self, path: &str) -> Result<(), IconError> {
        self.numbers = self.numbers.checked_sub(numbers_in(path).count()).ok_or(IconError::Numbers)?;
        check_numbers(path)
    }

    /// Subtracts the size of `node` and its children from the allowance, with every `use` expanded.
    /// Returns an error if the size exceeds the allowance or the elements are nested too deep.
    fn deduct_node(&mut self, node: Node<'a, 'a>, depth: usize) -> Result<(), IconError> {
        if depth > MAX_DEPTH {
            return Err(IconError::Nesting);
        }
        if !node.is_element() || is_removed(node) {
            return Ok(());
        }
        if node.tag_name().name() == "style" {
            let n = node.text().map_or(0, str::len);
            self.style_bytes = self.style_bytes.checked_sub(n).ok_or(IconError::StyleSheets)?;
            let rules = node.text().unwrap_or_default().split('}').filter_map(|rule| rule.split_once('{'));
            rules.map(|(_, declarations)| declarations).try_for_each(check_declarations)?;
        }
        let own = 16 + node.attributes().map(|a| a.name().len() + a.value().len()).sum::<usize>();
        self.bytes = self.bytes.checked_sub(own).ok_or(IconError::ExpandedUses)?;
        for attribute in node.attributes().filter(|a| matches!(a.name(), "d" | "points")) {
            self.deduct_numbers(attribute.value())?;
        }
        for attribute in node.attributes() {
            match attribute.name() {
                "style" => check_declarations(attribute.value())?,
                name if MEASURES.contains(&name) => check_numbers(attribute.value())?,
                _ => {}
            }
        }
        for child in node.children() {
            self.deduct_node(child, depth + 1)?;
        }
        if node.tag_name().name() == "use" {
            let target =
                |a: usvg::roxmltree::Attribute<'a, 'a>| self.named.get(a.value().trim().strip_prefix('#')?).copied();
            let targets: Vec<Node<'a, 'a>> =
                node.attributes().filter(|a| a.name() == "href").filter_map(target).collect();
            for target in targets {
                self.deduct_node(target, depth + 1)?;
            }
        }
        Ok(())
    }
}

/// Returns an error if a number in `text` exceeds [`MAX_NUMBER`].
fn check_numbers(text: &str) -> Result<(), IconError> {
    if numbers_in(text).any(|number| number > MAX_NUMBER) { Err(IconError::FarShapes) } else { Ok(()) }
}

/// Returns an error if a number in the declarations of a style exceeds [`MAX_NUMBER`]. Ignores
/// colours such as `#336699`.
fn check_declarations(text: &str) -> Result<(), IconError> {
    let words = text.split(|c: char| c.is_whitespace() || ";:,()".contains(c));
    words.filter(|word| !word.contains('#')).try_for_each(check_numbers)
}

/// Iterates over the numbers in a text, such as the data of a path, without their signs.
fn numbers_in(text: &str) -> impl Iterator<Item = f64> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, number) = rest.split_at_checked(rest.find(|c: char| c.is_ascii_digit() || c == '.')?)?;
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let mut end = digits(number);
        if let Some(fraction) = number.get(end..).and_then(|after| after.strip_prefix('.')) {
            end += 1 + digits(fraction);
        }
        if let Some(exponent) = number.get(end..).and_then(|after| after.strip_prefix(['e', 'E'])) {
            let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            let n_digits = digits(unsigned);
            // In `2em`, the letter belongs to a unit.
            end += if n_digits == 0 { 0 } else { 1 + exponent.len() - unsigned.len() + n_digits };
        }
        let (number, after) = number.split_at_checked(end)?;
        rest = after;
        // A lone full stop is no number.
        Some(number.parse().unwrap_or(0.0))
    })
}
