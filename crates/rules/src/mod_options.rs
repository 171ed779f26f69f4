//! Options that mods make: checked when they are offered, turned to text when somebody reads them.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use board::ZoneSet;

use crate::indices::FnIdx;
use crate::value::Value;

/// An option that a mod made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModOption {
    /// The first word of its text, where that is not part of its value.
    pub word: Option<Arc<str>>,
    /// What it is about: what the mod gets back when it is chosen.
    pub value: Value,
    /// The function to run when it is chosen, for options among the core's own.
    pub run: Option<FnIdx>,
    /// Whether the core's question is asked afresh afterwards.
    pub asks_again: bool,
}

/// What words of options mean, for people.
pub type Meanings = BTreeMap<Arc<str>, Arc<str>>;

/// What a mod lets somebody choose from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValues {
    /// OptionValues of any type.
    List(Arc<Vec<Value>>),
    /// Different zones, which need neither be checked nor copied.
    Zones(ZoneSet),
}

impl OptionValues {
    /// Returns how many there are.
    pub fn len(&self) -> usize {
        match self {
            OptionValues::List(values) => values.len(),
            OptionValues::Zones(zones) => zones.len(),
        }
    }

    /// Returns whether there are none.
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

/// What the texts of a mod's options begin with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum OptionPrefix {
    /// Nothing: what an option is about says everything.
    #[default]
    None,
    /// One word for all of them.
    One(Arc<str>),
    /// Several to choose from.
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModOptions {
    /// What mods put beside the core's own options.
    Beside(Vec<ModOption>),
    /// A question of a mod: each of the values with each of the words, if there are any. The options are made when somebody reads them.
    Asked {
        /// The first words of their texts.
        words: OptionPrefix,
        /// What they are about.
        values: OptionValues,
    },
}

impl Default for ModOptions {
    fn default() -> ModOptions {
        ModOptions::Beside(Vec::new())
    }
}

impl ModOptions {
    /// Returns how many there are.
    pub fn len(&self) -> usize {
        match self {
            ModOptions::Beside(mod_options) => mod_options.len(),
            ModOptions::Asked { words, values } => values.len() * words.len().max(1),
        }
    }

    /// Returns whether there are none.
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

    /// Iterates over all of them, in the order in which they are listed.
    pub fn iter(&self) -> impl Iterator<Item = ModOption> + '_ {
        (0..self.len()).filter_map(|i| self.get(i))
    }

    /// Adds one beside the core's own options and returns its number.
    pub(crate) fn push(&mut self, option: ModOption) -> usize {
        if let ModOptions::Asked { .. } = self {
            *self = ModOptions::default();
        }
        if let ModOptions::Beside(mod_options) = self {
            mod_options.push(option);
        }
        self.len() - 1
    }

    /// Forgets them all, and keeps the room.
    #[inline]
    pub(crate) fn clear(&mut self) {
        match self {
            ModOptions::Beside(mod_options) => mod_options.clear(),
            ModOptions::Asked { .. } => *self = ModOptions::default(),
        }
    }
}
