//! Checks licences, bans and sources of dependencies against `deny.toml`. The checks need only
//! cargo.

use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn packages() -> Vec<Json> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--all-features"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Json = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

fn policy() -> toml::Table {
    std::fs::read_to_string(root().join("deny.toml")).unwrap().parse().unwrap()
}

fn texts<'t>(list: &'t toml::Value, key: &str) -> Vec<&'t str> {
    list.as_array().unwrap().iter().map(|item| item.get(key).unwrap_or(item).as_str().unwrap()).collect()
}

#[test]
fn every_crate_may_be_built_in() {
    let policy = policy();
    let allowed = texts(&policy["licenses"]["allow"], "");
    let clarified = policy["licenses"]["clarify"].as_array().unwrap();
    let banned = texts(&policy["bans"]["deny"], "crate");
    let packages = packages();
    let mut wrong = Vec::new();
    for package in &packages {
        let name = package["name"].as_str().unwrap();
        let said = clarified.iter().find(|it| it["crate"].as_str() == Some(name)).map(|it| &it["expression"]);
        let license = said.map_or(package["license"].as_str(), toml::Value::as_str).unwrap_or("none");
        if !is_allowed(license, &allowed) {
            wrong.push(format!("{name}: the licence {license}"));
        }
        if banned.contains(&name) {
            wrong.push(format!("{name} is banned"));
        }
        // Packages without a source are crates of this workspace.
        let source = package["source"].as_str().unwrap_or("ours");
        if source != "ours" && !source.starts_with("registry+https://github.com/rust-lang/crates.io-index") {
            wrong.push(format!("{name} comes from {source}"));
        }
    }
    assert!(packages.len() > 100, "only {} crates were looked at", packages.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns whether the permitted licences satisfy a licence expression.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let expression = expression.replace('/', " OR ");
    let any = |text: &str| text.split(" OR ").any(|license| allowed.contains(&license.trim()));
    expression.split(" AND ").all(|part| any(part.trim().trim_start_matches('(').trim_end_matches(')')))
}

#[test]
fn expressions_are_understood() {
    let allowed = ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"];
    for yes in
        ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR Zlib", "(MIT OR X) AND Zlib", "Apache-2.0 WITH LLVM-exception OR Y"]
    {
        assert!(is_allowed(yes, &allowed), "{yes}");
    }
    for no in ["GPL-3.0", "MIT AND GPL-3.0", "(X OR Y) AND MIT", "none", "Apache-2.0"] {
        assert!(!is_allowed(no, &allowed), "{no}");
    }
}

/// No crate of this workspace may contain `unsafe` code.
#[test]
fn unsafe_code_is_forbidden_everywhere() {
    let ours = packages().into_iter().filter(|package| package["source"].is_null());
    let manifest = |path: &Path| std::fs::read_to_string(path).unwrap().parse::<toml::Table>().unwrap();
    let lints = manifest(&root().join("Cargo.toml"))["workspace"]["lints"]["rust"]["unsafe_code"].clone();
    assert_eq!(lints.as_str(), Some("forbid"));
    for package in ours {
        let own = manifest(Path::new(package["manifest_path"].as_str().unwrap()));
        let inherits = own.get("lints").and_then(|lints| lints.get("workspace")).and_then(toml::Value::as_bool);
        assert_eq!(inherits, Some(true), "{} has lints of its own", package["name"]);
    }
}

/// Only the command and the window may use the network, but not the page. Other programs of this
/// workspace are built without network code.
#[test]
fn only_the_command_line_and_the_window_can_use_the_network() {
    let tree = |package: &str| {
        // The page is the window, built for browsers.
        let target: &[&str] = if package == "web" { &["--target", "wasm32-unknown-unknown"] } else { &[] };
        let output = Command::new(env!("CARGO"))
            .args(["tree", "--locked", "--prefix", "none", "--edges", "normal", "--package", package])
            .args(target)
            .current_dir(root())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let has_network = |package: &str| {
        let uses =
            |line: &str| ["host ", "hyper ", "axum ", "tokio ", "tungstenite "].iter().any(|it| line.starts_with(it));
        tree(package).lines().any(uses)
    };
    assert!(has_network("cli") && has_network("editor"));
    for package in ["web", "python", "door", "table", "loader", "sim"] {
        assert!(!has_network(package), "{package} can use the network");
    }
}
