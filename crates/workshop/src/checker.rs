//! Checks the unsaved texts of a mod.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use diagnostic::Diagnostic;
use loader::Library;
use rules::catch_panic;
use script::Vocabulary;
use serde::{Deserialize, Serialize};

use crate::configured_mods::search_path;

/// A request for a check.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckRequest {
    /// The library of mods.
    #[serde(with = "search_path")]
    pub library: Library,
    /// The ids of the mods to load together for the check.
    pub ids: Vec<String>,
    /// The id of the mod that the user is editing.
    pub id: String,
    /// The unsaved texts, by the paths of their files.
    pub unsaved: BTreeMap<PathBuf, Arc<str>>,
    /// The problems of the mods on disk, if the game has just loaded these mods. If `None`, the
    /// check loads the mods.
    pub problems: Option<Vec<Diagnostic>>,
}

/// The result of a check.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CheckResult {
    /// The id of the mod that the user is editing.
    pub id: String,
    /// The checked texts, by the paths of their files.
    pub unsaved: BTreeMap<PathBuf, Arc<str>>,
    /// The problems that the mods would have after saving the checked texts.
    pub problems: Vec<Diagnostic>,
    /// The names that the script of the mod can use; `None` if the manifest of the mod cannot be
    /// read.
    pub vocabulary: Option<Vocabulary>,
}

impl CheckRequest {
    /// Runs the check on the current thread. Does not call functions of mods.
    pub fn check(self) -> CheckResult {
        let CheckRequest { library, ids, id, unsaved, problems } = self;
        let library = library.with_unsaved(unsaved.clone());
        // If loading panics, the result has no problems. The user sees the panic after saving the
        // texts.
        let problems =
            problems.unwrap_or_else(|| catch_panic(|| library.load(&ids).1).unwrap_or_default().list().to_vec());
        let vocabulary = catch_panic(|| library.vocabulary(&id, &ids)).ok().flatten();
        CheckResult { id, unsaved, problems, vocabulary }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use testkit::CopiedMod;

    use super::*;

    fn request(base: &CopiedMod, text: &str) -> CheckRequest {
        CheckRequest {
            library: Library::open(&[base.library().to_owned()]),
            ids: vec!["base".to_owned()],
            id: "base".to_owned(),
            unsaved: [(base.file("rules.rhai"), Arc::from(text))].into(),
            problems: None,
        }
    }

    #[test]
    fn what_is_not_saved_is_checked_as_if_it_were() {
        let base = CopiedMod::of("base");
        let checked = request(&base, "fn score_valu(feature, score) {}").check();
        let told: Vec<String> = checked.problems.iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|it| it.contains("rules.rhai:1:4: error: nothing calls `score_valu`")), "{told:?}");
        assert!(checked.vocabulary.is_some_and(|words| words.tags.contains(&"shield".to_owned())));
        assert!(request(&base, "").check().problems.iter().all(|p| !p.span.file.ends_with("rules.rhai")));
    }
}
