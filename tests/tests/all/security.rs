//! Compares the table of limits in SECURITY.md with the constants that the table names.

use std::fs;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Returns the value of the constant `name` in the file at `path`; `None` if there is no such
/// constant. The definition may be a number, or numbers and other constants joined by `*` or `<<`.
fn constant(path: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(root().join(path)).ok()?;
    let after = text.split_once(&format!("const {name}:"))?.1;
    let (_, expression) = after.split_once(';')?.0.split_once('=')?;
    let (_, inner) = expression.split_once('(').unwrap_or(("", expression));
    let expression = inner.trim_end_matches(')');
    let number = |text: &str| text.trim().replace('_', "").parse().ok().or_else(|| constant(path, text.trim()));
    match expression.split_once("<<") {
        Some((n, bits)) => Some(number(n)? << number(bits)?),
        None => expression.split('*').map(number).product(),
    }
}

#[test]
fn limits_are_those_of_the_code() {
    let text = fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let (_, table) = text.split_once("## Limits").unwrap();
    let mut n_rows = 0;
    let mut wrong = Vec::new();
    for line in table.lines() {
        let Some([_, what, limit, place, _]) = line.split('|').collect::<Vec<_>>().first_chunk::<5>().copied() else {
            continue;
        };
        let Some((name, path)) = place.trim().strip_prefix('`').and_then(|it| it.split_once("` in `")) else {
            continue;
        };
        n_rows += 1;
        let said: String = limit.chars().filter(char::is_ascii_digit).collect();
        let found = constant(path.trim_end_matches('`'), name);
        if found.is_none() || said.parse().ok() != found {
            wrong.push(format!("{}: the table says {}, {place} says {found:?}", what.trim(), limit.trim()));
        }
    }
    assert!(n_rows >= 10, "only {n_rows} rows name a constant");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
