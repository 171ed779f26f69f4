//! Everything that decides what may happen: what is declared, and the functions of mods.

use std::rc::Rc;
use std::sync::Arc;

use crate::call::Call;
use crate::catalogue::{Catalogue, SettingValue};
use crate::fault::{Failure, Halt};
use crate::indices::FnIdx;
use crate::ruleset::Ruleset;
use crate::value::Value;

/// Runs mods' functions. The script crate implements it; the engine knows no script language.
pub trait Hooks {
    /// Calls `function` with `args`. The call has the state, to which it does what the function does.
    ///
    /// Where the function asks and no answer is recorded, the call notes the question and the result is [`Halt::Asked`].
    fn call(&self, function: FnIdx, args: &[Value], call: &mut Call) -> Result<Value, Halt>;

    /// Takes the lines that functions have printed since the last time, for whoever looks for a mistake in them.
    fn take_lines(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Everything that decides what may happen: immutable, for one thread. A copy shares what it copies.
#[derive(Clone)]
pub struct Rules {
    /// The plain part.
    pub ruleset: Arc<Ruleset>,
    /// The functions of mods.
    pub hooks: Rc<dyn Hooks>,
}

impl Rules {
    /// Rules by `catalogue` with one value for each of its settings (see [`Rules::default_settings`]).
    pub fn new(catalogue: Arc<Catalogue>, settings: Vec<SettingValue>, hooks: Box<dyn Hooks>) -> Rules {
        Rules { ruleset: Arc::new(Ruleset::new(catalogue, settings)), hooks: Rc::from(hooks) }
    }

    /// The settings as they are when nobody says otherwise.
    pub fn default_settings(catalogue: &Catalogue) -> Vec<SettingValue> {
        catalogue.settings.iter().map(|s| s.default.clone()).collect()
    }

    /// What mods declare.
    pub fn catalogue(&self) -> &Catalogue {
        &self.ruleset.catalogue
    }
}

/// What makes rules: shared by threads, of which each makes its own.
pub trait RulesFactory: Send + Sync {
    /// What mods declare.
    fn catalogue(&self) -> &Arc<Catalogue>;

    /// Rules with one value for each setting.
    fn rules(&self, settings: Vec<SettingValue>) -> Result<Rules, Failure>;
}
