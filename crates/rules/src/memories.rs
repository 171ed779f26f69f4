//! The stored data (`mem`) of all mods in one scope: a part of a turn, a turn or the game.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use crate::indices::ModIdx;
use crate::shared_list::{SharedList, clone_by_field};
use crate::value::Memory;

clone_by_field! {
    /// The stored data of all mods in one scope. A mod that stores nothing has no entry.
    #[derive(PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
    pub(crate) struct Memories {
        by_mod: SharedList<(ModIdx, Arc<Memory>)>,
    }
}

impl Memories {
    /// Returns the data of mod `owner`; `None` if the mod stores nothing.
    pub fn get(&self, owner: ModIdx) -> Option<&Arc<Memory>> {
        self.by_mod.iter().find(|(it, _)| *it == owner).map(|(_, memory)| memory)
    }

    /// Sets the data of mod `owner`; `None` removes the data.
    pub fn set(&mut self, owner: ModIdx, memory: Option<Arc<Memory>>) {
        let at = self.by_mod.binary_search_by_key(&owner, |(it, _)| *it);
        match (at, memory) {
            (Ok(at), Some(memory)) => self.by_mod[at].1 = memory,
            (Ok(at), None) => drop(self.by_mod.remove(at)),
            (Err(at), Some(memory)) => self.by_mod.insert(at, (owner, memory)),
            (Err(_), None) => {}
        }
    }

    /// Returns whether no mod stores anything.
    pub fn is_empty(&self) -> bool {
        self.by_mod.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    #[test]
    fn each_mod_has_its_own() {
        let mut memories = Memories::default();
        let memory = |n: i64| Some(Arc::new(Memory::from([("n".into(), Value::Int(n))])));
        for (owner, n) in [(3, 1), (1, 2), (2, 3), (1, 4)] {
            memories.set(ModIdx(owner), memory(n));
        }
        memories.set(ModIdx(2), None);
        memories.set(ModIdx(7), None);
        let all: Vec<_> = memories.by_mod.iter().map(|(owner, it)| (owner.0, it.clone())).collect();
        assert_eq!(all, [(1, memory(4).unwrap_or_default()), (3, memory(1).unwrap_or_default())]);
        assert_eq!(memories.get(ModIdx(2)), None);
        memories.set(ModIdx(1), None);
        memories.set(ModIdx(3), None);
        assert!(memories.is_empty());
    }
}
