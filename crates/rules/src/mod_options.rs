//! Options of mods. The engine checks them when a mod offers them, and makes their texts on demand.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use board::ZoneSet;

use crate::indices::FnIdx;
use crate::value::Value;

/// An option with a value. Mods offer such options; the core offers them when it asks the player
/// which feature is scored first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ModOption {
    /// The first word of its text; `None` if the value alone makes the text.
    pub word: Option<Arc<str>>,
    /// Its value, which the mod's function receives when the option is chosen.
    pub value: Value,
    /// The function to run when the option is chosen. `None` for a mod's question, which returns
    /// the value to the function that asked, and for the question which feature is scored first.
    pub run: Option<FnIdx>,
    /// True if the core asks its question again after this option.
    pub asks_again: bool,
}

/// The meanings of words in options, as texts for people, by word.
pub type Meanings = BTreeMap<Arc<str>, Arc<str>>;

/// The values to choose from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum OptionValues {
    /// Values of any type.
    List(Arc<Vec<Value>>),
    /// A set of zones. All have different texts, so the engine need not compare or copy them.
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
    /// Several words. Each forms an option with each value.
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

/// The options of mods in a decision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ModOptions {
    /// Options of mods beside the core's own.
    Beside(Vec<ModOption>),
    /// A question of a mod. Each value forms an option with each word, or alone if there are no
    /// words. The options are made on demand.
    Asked {
        /// The first words of the options' texts.
        words: OptionPrefix,
        /// The values, which are the subjects of the options.
        values: OptionValues,
    },
}

impl Default for ModOptions {
    fn default() -> ModOptions {
        ModOptions::Beside(Vec::new())
    }
}

impl ModOptions {
    /// Returns the number of options.
    pub fn len(&self) -> usize {
        match self {
            ModOptions::Beside(mod_options) => mod_options.len(),
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
            ModOptions::Beside(mod_options) => mod_options.get(i).cloned(),
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

    /// Adds an option beside the core's own and returns its number, counted from 0. Discards the
    /// options of a mod's question.
    pub(crate) fn push(&mut self, option: ModOption) -> usize {
        if let ModOptions::Asked { .. } = self {
            *self = ModOptions::default();
        }
        if let ModOptions::Beside(mod_options) = self {
            mod_options.push(option);
        }
        self.len() - 1
    }

    /// Removes all options but keeps the capacity.
    #[inline]
    pub(crate) fn clear(&mut self) {
        match self {
            ModOptions::Beside(mod_options) => mod_options.clear(),
            ModOptions::Asked { .. } => *self = ModOptions::default(),
        }
    }
}
