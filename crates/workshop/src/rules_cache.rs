//! Caches rules by their mods and settings, so that many records can share them.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use diagnostic::Diagnostic;
use loader::{Library, Loaded, Problems};
use rules::{Rules, RulesFactory, SettingValue};

use crate::called_functions::CalledFunctions;

/// The mods loaded so far, and the rules made from these mods. A cache stays on one thread.
pub struct RulesCache {
    library: Library,
    /// The loaded mods, by the requested ids. `None` if these mods cannot be loaded.
    loaded: Vec<(Vec<String>, Option<Arc<Loaded>>)>,
    made: Vec<CachedRules>,
    problems: Vec<Problems>,
    watch: Box<dyn Fn(Rules) -> Rules>,
}

struct CachedRules {
    ids: Vec<String>,
    settings: Vec<SettingValue>,
    rules: Rc<Rules>,
}

impl RulesCache {
    /// Makes an empty cache that loads mods from `library`.
    pub fn new(library: Library) -> RulesCache {
        RulesCache {
            library,
            loaded: Vec::new(),
            made: Vec::new(),
            problems: Vec::new(),
            watch: Box::new(|rules| rules),
        }
    }

    /// Returns this cache with a call recorder: `called` records each function that the engine
    /// calls under rules that the cache makes from now on.
    pub fn with_call_recorder(self, called: &CalledFunctions) -> RulesCache {
        let called = called.clone();
        RulesCache { watch: Box::new(move |rules| called.watch(rules)), ..self }
    }

    /// Returns the library of mods.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Adds `folder`, a mod or a folder of mods, to the search path.
    pub fn add(&mut self, folder: &Path) {
        let paths = self.library.paths().iter().map(PathBuf::as_path).chain([folder]);
        self.library = self.library.with_paths(paths.map(Path::to_owned).collect());
    }

    /// Loads mods with their requirements. Returns `None` if the mods cannot be loaded.
    /// [`take_problems`](RulesCache::take_problems) returns the problems of the mods.
    pub fn load(&mut self, ids: &[String]) -> Option<Arc<Loaded>> {
        let mut ids = ids.to_vec();
        ids.sort();
        ids.dedup();
        if let Some((_, known)) = self.loaded.iter().find(|(known, _)| *known == ids) {
            return known.clone();
        }
        let (loaded, problems) = self.library.load(&ids);
        self.problems.extend(Some(problems).filter(|problems| !problems.is_empty()));
        let loaded = loaded.map(Arc::new);
        self.loaded.push((ids, loaded.clone()));
        loaded
    }

    /// Removes and returns the problems of the mods loaded since the last call.
    pub fn take_problems(&mut self) -> Vec<Problems> {
        std::mem::take(&mut self.problems)
    }

    /// Returns the rules of loaded mods with `settings`.
    ///
    /// # Errors
    /// Returns an error if these settings are invalid or a script cannot be compiled.
    pub fn rules(&mut self, loaded: &Loaded, settings: Vec<SettingValue>) -> Result<Rc<Rules>, Diagnostic> {
        let ids: Vec<String> = loaded.catalogue().mods.iter().map(|m| m.id.clone()).collect();
        if let Some(made) = self.made.iter().find(|it| it.ids == ids && it.settings == settings) {
            return Ok(made.rules.clone());
        }
        let rules = loaded.rules(settings.clone());
        let rules = rules.map_err(|f| Diagnostic::in_file(&f.file, f.line as usize, f.message))?;
        let rules = Rc::new((self.watch)(rules));
        self.made.push(CachedRules { ids, settings, rules: rules.clone() });
        Ok(rules)
    }
}
