//! Options of mods. The engine checks an option when a mod offers it, and makes its text on demand.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use board::ZoneSet;

use crate::indices::FnIdx;
use crate::value::Value;

/// An option that carries a value. Mods offer such options. The core offers them only when it asks
/// the player which feature is scored first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ModOption {
    /// The first word of the option's text; `None` if the value alone makes the text.
    pub word: Option<Arc<str>>,
    /// The value, which the mod's function receives when the player chooses the option.
    pub value: Value,
    /// The function that the engine runs when the player chooses the option. `None` in a mod's
    /// question, where the function that asked receives the value. Also `None` in the question
    /// which feature is scored first.
    pub run: Option<FnIdx>,
    /// True if the core asks its question again after this option.
    pub asks_again: bool,
}

/// The meanings of words in the texts of options, for people. The word is the key.
pub type Meanings = BTreeMap<Arc<str>, Arc<str>>;

/// The values from which a player chooses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum OptionValues {
    /// Values of any type.
    List(Arc<Vec<Value>>),
    /// A set of zones. All zones have different texts, so the engine need not compare these texts.
    Zones(ZoneSet),
}

impl OptionValues {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        match self {
            OptionValues::List(values) => values.len(),
            OptionValues::Zones(zones) => zones.len(),
        }
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn get(&self, i: usize) -> Option<Value> {
        match self {
            OptionValues::List(values) => values.get(i).cloned(),
            OptionValues::Zones(zones) => zones.nth(i).map(Value::Zone),
        }
    }
}

/// The first words of the texts of a mod's options.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum OptionPrefix {
    /// No prefix: the subject alone identifies the option.
    #[default]
    None,
    /// One word for all options.
    One(Arc<str>),
    /// Several words. Every word forms an option with every value.
    Several(Vec<Arc<str>>),
}

impl Deref for OptionPrefix {
    type Target = [Arc<str>];

    fn deref(&self) -> &[Arc<str>] {
        match self {
            OptionPrefix::None => &[],
            OptionPrefix::One(word) => std::slice::from_ref(word),
            OptionPrefix::Several(words) => words,
        }
    }
}

/// The options of mods in one decision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ModOptions {
    /// Options that mods add to a decision of the core.
    InCoreDecision(Vec<ModOption>),
    /// The options of a mod's question. Each value forms an option with each word, or alone if
    /// there are no words. `get` makes the options on demand.
    Asked {
        /// The first words of the options' texts.
        words: OptionPrefix,
        /// The values, which are the subjects of the options.
        values: OptionValues,
    },
}

impl Default for ModOptions {
    fn default() -> ModOptions {
        ModOptions::InCoreDecision(Vec::new())
    }
}

impl ModOptions {
    /// Returns the number of options.
    pub fn len(&self) -> usize {
        match self {
            ModOptions::InCoreDecision(mod_options) => mod_options.len(),
            ModOptions::Asked { words, values } => values.len() * words.len().max(1),
        }
    }

    /// Returns whether there are no options.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the `i`-th option; `None` if `i >= len()`.
    pub fn get(&self, i: usize) -> Option<ModOption> {
        match self {
            ModOptions::InCoreDecision(mod_options) => mod_options.get(i).cloned(),
            ModOptions::Asked { words, values } => {
                let n = words.len().max(1);
                let word = words.get(i % n).cloned();
                values.get(i / n).map(|value| ModOption { word, value, run: None, asks_again: false })
            }
        }
    }

    /// Iterates over all options in order.
    pub fn iter(&self) -> impl Iterator<Item = ModOption> + '_ {
        (0..self.len()).filter_map(|i| self.get(i))
    }

    /// Adds an option to those of a decision of the core and returns its index. If this list still
    /// contains the options of a mod's question, discards them first.
    pub(crate) fn push(&mut self, option: ModOption) -> usize {
        if let ModOptions::Asked { .. } = self {
            *self = ModOptions::default();
        }
        if let ModOptions::InCoreDecision(mod_options) = self {
            mod_options.push(option);
        }
        self.len() - 1
    }

    /// Removes all options but keeps the capacity.
    #[inline]
    pub(crate) fn clear(&mut self) {
        match self {
            ModOptions::InCoreDecision(mod_options) => mod_options.clear(),
            ModOptions::Asked { .. } => *self = ModOptions::default(),
        }
    }
}
