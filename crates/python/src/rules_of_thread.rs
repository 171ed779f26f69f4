//! Makes rules for each thread. Games can move between threads, but rules are bound to the thread
//! that made them.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Weak};

use loader::Loaded;
use rules::{Failure, Rules, RulesFactory, SettingValue};

/// The mods and settings from which each thread makes its rules.
pub struct Basis {
    /// The mods.
    pub loaded: Arc<Loaded>,
    /// The values of the settings, in the order of the catalogue.
    pub settings: Vec<SettingValue>,
}

thread_local! {
    static RULES_CACHE: RefCell<Vec<(Weak<Basis>, Rc<Rules>)>> = const { RefCell::new(Vec::new()) };
}

impl Basis {
    /// Returns the rules for the calling thread. Makes the rules on first use.
    ///
    /// # Errors
    /// Returns an error if a script cannot be run.
    pub fn rules(self: &Arc<Basis>) -> Result<Rc<Rules>, Failure> {
        let is_ours = |(basis, _): &&(Weak<Basis>, Rc<Rules>)| std::ptr::eq(basis.as_ptr(), Arc::as_ptr(self));
        if let Some(rules) = RULES_CACHE.with_borrow(|made| made.iter().find(is_ours).map(|(_, rules)| rules.clone())) {
            return Ok(rules);
        }
        let rules = Rc::new(self.loaded.rules(self.settings.clone())?);
        RULES_CACHE.with_borrow_mut(|made| {
            made.retain(|(basis, _)| basis.strong_count() > 0);
            made.push((Arc::downgrade(self), rules.clone()));
        });
        Ok(rules)
    }
}
