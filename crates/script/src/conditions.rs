//! Adds conditions to the functions of a script, in place of filters of earlier versions that stood
//! in the manifest.

use std::ops::Range;

use rules::{Hook, HookClass};

use crate::lex::{ScriptToken, ScriptTokenKind, lex};

/// The condition under which a filter of an earlier version did not call a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OldFilter {
    /// `only_mem`: the mod remembers something under this name.
    Memory(String),
    /// `only_hand`: the player whose turn it is holds a tile with this tag.
    Hand(String),
    /// `only_larger`: the feature has more tiles than the number that the mod remembers for its
    /// kind.
    Larger,
    /// `only_completed`: a feature was completed in this part of the turn.
    Completed,
}

/// A condition to add at the beginning of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewCondition {
    /// The name of the function.
    pub function: String,
    /// The filter that the condition replaces.
    pub filter: OldFilter,
    /// The comment that stood beside the filter, without its sign; empty for none.
    pub comment: String,
}

/// The place of a function in a script.
struct FunctionPlace {
    params: Vec<String>,
    /// The byte after the opening brace of the body.
    body: usize,
}

/// The scopes of `mem` in the order in which a filter searched them.
const SCOPES: [&str; 3] = ["part", "turn", "game"];

impl NewCondition {
    /// Adds the condition to a script. Returns the new text and the added lines; `None` if the
    /// script does not define the function exactly once, or if the condition cannot be written.
    pub fn add_to(&self, text: &str) -> Option<(String, String)> {
        let function = find(text, &self.function)?;
        let condition = self.filter.condition(text, &function.params)?;
        let statement = format!("if {condition} {{ {} }}", self.result(&function.params)?);
        let rest = text.get(function.body..)?;
        let line_end = if rest.split('\n').next()?.ends_with('\r') { "\r\n" } else { "\n" };
        let is_on_own_line = rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        let comment = match self.comment.as_str() {
            "" => String::new(),
            comment => format!("// {comment}"),
        };
        let mut new = text.to_owned();
        if is_on_own_line {
            let end = function.body + rest.find('\n')? + 1;
            let next = text.get(end..)?;
            let indent = next.len() - next.trim_start_matches([' ', '\t']).len();
            let indent = next.get(..indent).filter(|indent| !indent.is_empty()).unwrap_or("    ");
            let lines = [comment.as_str(), &statement].into_iter().filter(|line| !line.is_empty());
            let added: String = lines.map(|line| format!("{indent}{line}{line_end}")).collect();
            new.insert_str(end, &added);
            return Some((new, added.trim().to_owned()));
        }
        // A body on one line may only take a comment between signs.
        let comment = if comment.is_empty() { comment } else { format!(" /* {} */", self.comment) };
        let gap = if rest.trim_start_matches(' ').starts_with('}') && !rest.starts_with(' ') { " " } else { "" };
        new.insert_str(function.body, &format!("{comment} {statement}{gap}"));
        Some((new, statement))
    }

    /// Returns the statement that has the same effect as no call of the function. Returns `None` if
    /// the function lacks the parameter to return.
    fn result(&self, params: &[String]) -> Option<String> {
        let Some(hook) = Hook::named(&self.function).map(Hook::info) else {
            // The functions of phases.
            return Some("return;".to_owned());
        };
        Some(match (hook.name, hook.class) {
            ("filter_places" | "filter_deploys", _) => format!("return {};", params.get(1)?),
            ("is_complete" | "can_end_game", _) => "return true;".to_owned(),
            ("strength", _) => "return 0;".to_owned(),
            ("piece_targets" | "piece_zones", _) | (_, HookClass::Options) => "return [];".to_owned(),
            _ => "return;".to_owned(),
        })
    }
}

impl OldFilter {
    /// Returns the condition under which the filter did not call a function with these parameters.
    /// Returns `None` if a parameter is missing.
    fn condition(&self, text: &str, params: &[String]) -> Option<String> {
        Some(match self {
            OldFilter::Memory(name) => {
                let scopes = scopes_of(text, name);
                let tests = scopes.iter().map(|scope| format!("\"{name}\" in mem.{scope}"));
                match &tests.collect::<Vec<_>>()[..] {
                    [test] => format!("!({test})"),
                    tests => format!("!({})", tests.join(" || ")),
                }
            }
            OldFilter::Hand(tag) => format!("!hand(turn.player).some(|held| held.has(\"{tag}\"))"),
            OldFilter::Larger => {
                let feature = params.first()?;
                format!("{feature}.kind in mem.game && {feature}.n_tiles <= mem.game[{feature}.kind]")
            }
            OldFilter::Completed => "completed().is_empty()".to_owned(),
        })
    }
}

/// Returns the scopes of `mem` in which the script stores a value called `name`; all scopes if the
/// script does not write such a name.
fn scopes_of(text: &str, name: &str) -> Vec<&'static str> {
    let words = lex(text);
    let code: Vec<&str> = words.iter().filter_map(|word| text.get(word.bytes.clone())).collect();
    let quoted = format!("\"{name}\"");
    let has = |scope: &&str| {
        let is_access = |window: &[&str]| {
            let [mem, dot, found, sign, key] = window else { return false };
            (*mem, *dot, found) == ("mem", ".", scope)
                && (*sign == "." && *key == name || *sign == "[")
                && (*sign == "." || *key == quoted || !key.starts_with('"'))
        };
        code.windows(5).any(is_access)
    };
    let found: Vec<&str> = SCOPES.into_iter().filter(has).collect();
    if found.is_empty() { SCOPES.to_vec() } else { found }
}

/// Finds the function called `name`. Returns `None` if the script has none or several.
fn find(text: &str, name: &str) -> Option<FunctionPlace> {
    let words: Vec<ScriptToken> = lex(text);
    let code: Vec<&ScriptToken> = words.iter().filter(|word| word.kind != ScriptTokenKind::Comment).collect();
    let written = |n: usize| code.get(n).and_then(|word| text.get(Range::clone(&word.bytes))).unwrap_or_default();
    let mut found = (1..code.len()).filter(|n| written(*n) == name && written(n - 1) == "fn");
    let (at, None) = (found.next()?, found.next()) else { return None };
    let open = (at + 1..code.len()).find(|n| written(*n) == "{")?;
    let params = (at + 1..open).filter(|n| code.get(*n).is_some_and(|word| word.kind == ScriptTokenKind::Name));
    let params = params.map(|n| written(n).to_owned()).collect();
    Some(FunctionPlace { params, body: code.get(open)?.bytes.end })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the new text; empty if the condition cannot be added.
    fn added(function: &str, filter: OldFilter, comment: &str, text: &str) -> String {
        let condition = NewCondition { function: function.to_owned(), filter, comment: comment.to_owned() };
        condition.add_to(text).map(|(text, _)| text).unwrap_or_default()
    }

    #[test]
    fn conditions_come_first_and_everything_else_stays() {
        let text = "/// Looks.\nfn phase_look() {\n  // first\n  mem.game.scout = 1;\n}\n";
        assert_eq!(
            added("phase_look", OldFilter::Memory("scout".to_owned()), "", text),
            text.replace("  // first", "  if !(\"scout\" in mem.game) { return; }\n  // first")
        );
        assert_eq!(
            added("phase_look", OldFilter::Memory("other".to_owned()), "", text),
            text.replace(
                "  // first",
                "  if !(\"other\" in mem.part || \"other\" in mem.turn || \"other\" in mem.game) { return; }\n  // first"
            )
        );
        let larger = "fn feature_completed(road) {\r\n    x(road);\r\n}\r\n";
        assert_eq!(
            added("feature_completed", OldFilter::Larger, "than before", larger),
            larger.replace(
                "    x",
                "    // than before\r\n    if road.kind in mem.game && road.n_tiles <= mem.game[road.kind] { return; }\r\n    x"
            )
        );
        let hand = "fn tile_sources(player) { [] }";
        assert_eq!(
            added("tile_sources", OldFilter::Hand("takes".to_owned()), "", hand),
            "fn tile_sources(player) { if !hand(turn.player).some(|held| held.has(\"takes\")) { return []; } [] }"
        );
        for (function, params, result) in [
            ("filter_places", "(a, b)", "return b;"),
            ("strength", "(a, b)", "return 0;"),
            ("is_complete", "(a)", "return true;"),
            ("piece_targets", "(a, b)", "return [];"),
            ("part_ended", "()", "return;"),
        ] {
            let now = added(function, OldFilter::Completed, "why", &format!("fn {function}{params} {{}}"));
            let condition = format!("/* why */ if completed().is_empty() {{ {result} }}");
            assert_eq!(now, format!("fn {function}{params} {{ {condition} }}"));
        }
        assert_eq!(added("setup", OldFilter::Completed, "", "// fn setup() { }"), "");
        assert_eq!(added("setup", OldFilter::Completed, "", "fn setup() {} fn setup(a) {}"), "", "which one?");
    }
}
