//! Values in manifests and files of tiles that depend on a switch: `"field if farmers"`, `"2 if
//! rich else 1"`. The loader resolves the conditions in the tree of a file before it reads the
//! values. Therefore the functions that read values see no conditions.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::names::report_unknown;
use crate::problem::{Problems, Spanned};
use crate::reader::{KeyValue, Node, NodeData, range_in_text};

/// Keys of tables in which every value may be conditional.
const CONDITIONAL_TABLES: [&str; 1] = ["cards"];
/// Keys whose values are formulas. These values stay texts after a condition is resolved, even if
/// they look like numbers.
const FORMULA_KEYS: [&str; 2] = ["complete", "final"];
/// Keys that count copies. If no alternative of a conditional count applies, the count is 0.
const COUNT_KEYS: [&str; 2] = ["count", "cards"];

/// The settings of a mod by name. The value of a switch (a setting that is true or false) is
/// `Some`; the value of any other setting is `None`.
pub(crate) type Switches = BTreeMap<String, Option<bool>>;

/// Returns the settings that the manifest `root` declares, with the default of each switch.
pub(crate) fn switches(root: &Node) -> Switches {
    let table =
        |node: &Node, key: &str| node.table_entries().iter().find(|it| it.key.value == key).map(|it| it.node.clone());
    let settings = table(root, "setting");
    let settings = settings.iter().flat_map(Node::table_entries);
    let default = |it: &KeyValue| match table(&it.node, "default")?.data {
        NodeData::Bool(on) => Some(on),
        _ => None,
    };
    settings.map(|it| (it.key.value.clone(), default(it))).collect()
}

/// Resolves the conditions in the tree of a file with the values in `switches`, and returns the
/// resulting tree. Reports invalid conditions.
pub(crate) fn resolve_conditions<'n>(p: &mut Problems, root: &'n Node, switches: &Switches) -> Cow<'n, Node> {
    if !is_conditional(root, false) {
        return Cow::Borrowed(root);
    }
    let mut settled = root.clone();
    resolve_table(p, &mut settled, switches, None);
    Cow::Owned(settled)
}

/// Returns whether the tree `node` contains a condition. `is_allowed` is true if `node` belongs to
/// a key whose values may be conditional.
pub(crate) fn is_conditional(node: &Node, is_allowed: bool) -> bool {
    match &node.data {
        NodeData::Text(text) => is_allowed && text.contains(" if "),
        NodeData::List(list) => list.iter().any(|node| is_conditional(node, is_allowed)),
        NodeData::Table(entries) => entries.iter().any(|it| {
            let key = it.key.value.as_str();
            !matches!(key, "mod" | "setting" | "about")
                && is_conditional(&it.node, is_allowed || keys::conditional_key(key).is_some())
        }),
        _ => false,
    }
}

/// Resolves the conditions in a table. If no alternative of a conditional value applies, removes
/// the entry, or sets it to 0 if its key is in [`COUNT_KEYS`]. `around` is the key of this table if
/// all values in the table may be conditional, as in `cards`; otherwise `None`.
fn resolve_table(p: &mut Problems, node: &mut Node, switches: &Switches, around: Option<&'static str>) {
    match &mut node.data {
        NodeData::Table(entries) => entries.retain_mut(|KeyValue { key, node }| {
            if key.value == "about" || around.is_none() && matches!(key.value.as_str(), "mod" | "setting") {
                return true;
            }
            match (&node.data, keys::conditional_key(&key.value).or(around)) {
                (NodeData::Table(_), known) => {
                    resolve_table(p, node, switches, known.filter(|known| CONDITIONAL_TABLES.contains(known)));
                    true
                }
                (_, Some(known)) => resolve_value(p, node, switches, known),
                (_, None) => {
                    resolve_table(p, node, switches, None);
                    true
                }
            }
        }),
        // `[[phase]]` is a list of tables.
        NodeData::List(list) => list.iter_mut().for_each(|node| resolve_table(p, node, switches, around)),
        _ => {}
    }
}

/// Resolves the conditions in a value. Returns false if no alternative of the value applies; the
/// caller must then remove the value.
fn resolve_value(p: &mut Problems, node: &mut Node, switches: &Switches, key: &'static str) -> bool {
    match &mut node.data {
        NodeData::List(list) => {
            list.retain_mut(|node| resolve_value(p, node, switches, key));
            true
        }
        NodeData::Text(text) if text.contains(" if ") => {
            let text = Spanned { value: text.clone(), range: node.range };
            match find_alternative(p, &text, switches) {
                Some(part) => *node = parse_value(&text, part, key),
                None if COUNT_KEYS.contains(&key) => node.data = NodeData::Int(0),
                None => return false,
            }
            true
        }
        _ => true,
    }
}

/// Returns the range of the alternative in `text` that applies under `switches`, or `None` if no
/// alternative applies. If a condition is invalid, reports it and returns the alternative before
/// that condition.
fn find_alternative(p: &mut Problems, text: &Spanned<String>, switches: &Switches) -> Option<Range<usize>> {
    let mut rest = text.value.as_str();
    while let Some((value, more)) = rest.split_once(" if ") {
        let (condition, otherwise) = match more.split_once(" else ") {
            Some((condition, otherwise)) => (condition, Some(otherwise)),
            None => (more, None),
        };
        let words: Vec<&str> = condition.split_whitespace().collect();
        let (name, wanted) = match words[..] {
            [name] => (name, true),
            ["not", name] => (name, false),
            _ => {
                let help =
                    "write `<value> if <switch>`, `<value> if not <switch>` or `<value> if <switch> else <value>`";
                p.error(text.range, format!("`{}` is not a condition", condition.trim())).help(help);
                return Some(trimmed_range(text, value));
            }
        };
        let at = Spanned { value: name.to_owned(), range: range_in_text(text, trimmed_range(text, name)) };
        let on = match switches.get(name) {
            Some(Some(on)) => *on,
            Some(None) => {
                p.error(at.range, format!("setting `{name}` is not a switch"));
                return Some(trimmed_range(text, value));
            }
            None => {
                report_unknown(p, "setting", &at, switches.keys().map(String::as_str));
                return Some(trimmed_range(text, value));
            }
        };
        if on == wanted {
            return Some(trimmed_range(text, value));
        }
        rest = otherwise?;
    }
    Some(trimmed_range(text, rest))
}

/// Returns the range of `part` in the text in bytes, without surrounding spaces. `part` must be a
/// slice of the text.
fn trimmed_range(text: &Spanned<String>, part: &str) -> Range<usize> {
    let trimmed = part.trim();
    let start = trimmed.as_ptr() as usize - text.value.as_ptr() as usize;
    start..start + trimmed.len()
}

/// Parses the range `part` of a text as a value of `key`.
fn parse_value(text: &Spanned<String>, part: Range<usize>, key: &'static str) -> Node {
    let written = text.value.get(part.clone()).unwrap_or_default();
    let data = match (written.parse(), written) {
        _ if FORMULA_KEYS.contains(&key) => NodeData::Text(written.to_owned()),
        (Ok(number), _) => NodeData::Int(number),
        (_, "true") => NodeData::Bool(true),
        (_, "false") => NodeData::Bool(false),
        (_, name) => NodeData::Text(name.to_owned()),
    };
    // The range of a text includes its quotes, so this range also includes one more byte on each
    // side.
    let range = match data {
        NodeData::Text(_) => text.range.subrange(part.start..part.end + 2),
        _ => text.range,
    };
    Node { range, data }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::reader;

    /// Resolves `text` with the switch `on` set and the switch `off` unset. Compares the result and
    /// the problems with `expected`.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut p = Problems::default();
        let file = p.add_source(Path::new("f"), text.to_owned());
        let (root, _) = reader::parse(&mut p, file);
        let switches = [("on", Some(true)), ("off", Some(false)), ("number", None)];
        let switches = switches.map(|(name, on)| (name.to_owned(), on)).into_iter().collect();
        let settled = resolve_conditions(&mut p, &root, &switches);
        let mut shown = show(&settled);
        for problem in p.list() {
            shown += &format!(" {}: {problem}", problem.span.column);
        }
        assert_eq!(shown, expected, "{text}");
    }

    fn show(node: &Node) -> String {
        match &node.data {
            NodeData::Text(text) => format!("{text:?}"),
            NodeData::Int(n) => n.to_string(),
            NodeData::Bool(truth) => truth.to_string(),
            NodeData::List(list) => format!("[{}]", list.iter().map(show).collect::<Vec<_>>().join(", ")),
            NodeData::Table(entries) => {
                let entries = entries.iter().map(|it| format!("{} = {}", it.key.value, show(&it.node)));
                format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
            }
            NodeData::Other(what) => (*what).to_owned(),
        }
    }

    #[test]
    fn values_hang_on_switches() {
        check("per_player = \"2 if on else 1\"", "{per_player = 2}");
        check("per_player = \"2 if off else 1\"", "{per_player = 1}");
        check("per_player = \"2 if not on\"", "{}");
        check(
            "stands_on = [\"a if on\", \"b if off\", \"c\", \"d if off else e\"]",
            "{stands_on = [\"a\", \"c\", \"e\"]}",
        );
        check("goes_home = \"false if on\"", "{goes_home = false}");
        check("points = { complete = \"3 if on else tiles\" }", "{points = {complete = \"3\"}}");
        check("points = { complete = \"2 * tiles if off else tiles\" }", "{points = {complete = \"tiles\"}}");
        check("count = \"1 if off else 2 if off else 3 if not off\"", "{count = 3}");
        check("tile = { A = { count = \"2 if off\" } }", "{tile = {A = {count = 0}}}");
        check("cards = { walk = \"2 if off\", rest = \"2 if on\" }", "{cards = {walk = 0, rest = 2}}");
        check("phase = [{ id = \"a\", only_kind = [\"b if off\"] }]", "{phase = [{id = \"a\", only_kind = []}]}");
    }

    #[test]
    fn texts_for_people_and_what_is_no_value_are_left_alone() {
        check("about = \"only if on\"", "{about = \"only if on\"}");
        check("cards = { a = { count = 1, about = \"2 if on\" } }", "{cards = {a = {count = 1, about = \"2 if on\"}}}");
        check("edge = \"full if on\"", "{edge = \"full if on\"}");
        check("setting = { count = { default = \"a if on\" } }", "{setting = {count = {default = \"a if on\"}}}");
    }

    #[test]
    fn conditions_that_mean_nothing() {
        check("stock = \"2 if onn\"", "{stock = 2} 15: f:1:15: error: unknown setting `onn` (did you mean `on`?)");
        check("stock = \"2 if number\"", "{stock = 2} 15: f:1:15: error: setting `number` is not a switch");
        let help = "(write `<value> if <switch>`, `<value> if not <switch>` or `<value> if <switch> else <value>`)";
        check(
            "stock = \"2 if on and off\"",
            &format!("{{stock = 2}} 9: f:1:9: error: `on and off` is not a condition {help}"),
        );
    }
}
