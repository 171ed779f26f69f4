//! The script functions that the engine calls while tests run.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use rules::{ModIdx, Rules, Ruleset};

/// The functions that the engine has called under all watched rules. All clones share one list of
/// calls.
#[derive(Clone, Default)]
pub struct CalledFunctions {
    of_rules: Rc<RefCell<Vec<CalledInRules>>>,
}

/// The functions that the engine has called under one set of rules.
struct CalledInRules {
    ruleset: Arc<Ruleset>,
    is_called: Rc<RefCell<Vec<bool>>>,
}

impl CalledFunctions {
    /// Returns a copy of `rules` that records each call of a function in this value.
    pub(crate) fn watch(&self, rules: Rules) -> Rules {
        let called = CalledInRules { ruleset: rules.ruleset.clone(), is_called: Rc::default() };
        let is_called = called.is_called.clone();
        self.of_rules.borrow_mut().push(called);
        rules.wrap_calls(move |hooks, function, args, call| {
            let mut functions = is_called.borrow_mut();
            if functions.len() <= function.idx() {
                functions.resize(function.idx() + 1, false);
            }
            if let Some(called) = functions.get_mut(function.idx()) {
                *called = true;
            }
            drop(functions);
            hooks.call(function, args, call)
        })
    }

    /// Returns the called functions, each as the id of its mod and its name.
    pub fn names(&self) -> BTreeSet<(String, String)> {
        self.of_rules.borrow().iter().flat_map(CalledInRules::names).collect()
    }
}

impl CalledInRules {
    fn names(&self) -> Vec<(String, String)> {
        let catalogue = &self.ruleset.catalogue;
        let is_called = self.is_called.borrow();
        let called = catalogue.functions.iter().zip(is_called.iter()).filter(|(_, called)| **called);
        let owner = |owner: ModIdx| catalogue.mods.get(owner.idx()).map(|info| info.id.clone());
        called.filter_map(|(function, _)| Some((owner(function.owner)?, function.name.clone()))).collect()
    }
}
