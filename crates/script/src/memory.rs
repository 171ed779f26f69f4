//! The variable `mem`, which contains a map for each scope. The interpreter loads `mem` when a
//! script first uses it. The host stores `mem` when the call succeeds.

use std::sync::Arc;

use rhai::{Dynamic, Map};
use rules::{Call, HookClass, Memory, Refusal, Scope, Value};

use crate::convert::{dynamic_of, value_of};
use crate::weight::{self, ExceededLimit};

/// The scopes, with the names that scripts use for them.
pub(crate) const SCOPES: [(&str, Scope); 3] = [("part", Scope::Part), ("turn", Scope::Turn), ("game", Scope::Game)];

/// The largest weight of a mod's stored data in all scopes together: about 256 kB.
const MAX_WEIGHT: u64 = 16 * 1024;

/// The value of `mem` in a script: one shared map that contains a map for each scope.
pub(crate) struct Mem {
    pub shared: Dynamic,
}

impl Mem {
    /// Loads the stored data of the mod whose function runs, as the value of `mem`.
    pub fn load(call: &Call) -> Mem {
        let mut scopes = Map::new();
        for (name, scope) in SCOPES {
            let mut map = Map::new();
            for (key, value) in call.state().memory(call.owner, scope).into_iter().flat_map(|m| m.iter()) {
                map.insert(key.as_ref().into(), dynamic_of(value));
            }
            scopes.insert(name.into(), Dynamic::from_map(map));
        }
        Mem { shared: Dynamic::from_map(scopes).into_shared() }
    }

    /// Writes the script's changes of `mem` to the state. Does nothing for rules and menus, because
    /// they may not store anything.
    pub fn store(&self, call: &mut Call) -> Result<(), Refusal> {
        if call.class != HookClass::Effect {
            return Ok(());
        }
        let scopes = self.shared.read_lock::<Map>().ok_or("`mem` must be a map")?;
        for key in scopes.keys() {
            if SCOPES.iter().all(|(name, _)| *name != key.as_str()) {
                return Err(format!("`mem` has the scopes part, turn and game, not `{key}`").into());
            }
        }
        // Checks the weight here, because the interpreter checks `mem` only when the script reads
        // it, and so not after the last change.
        match weight::of_dynamic(&self.shared) {
            Ok(weight) if weight <= MAX_WEIGHT => {}
            Err(ExceededLimit::Deep) => return Err(weight::too_deep().into()),
            _ => {
                let message = "`mem` is too large: a mod can remember about 16,000 values (texts and map entries count as several)";
                return Err(format!("{message}; set values to `()` to remove them").into());
            }
        }
        let mut changes = Vec::new();
        for (name, scope) in SCOPES {
            let Some(map) = scopes.get(name) else { continue };
            let map = map.read_lock::<Map>().ok_or_else(|| format!("`mem.{name}` must be a map"))?;
            let mut memory = Memory::new();
            for (key, value) in map.iter() {
                let value = value_of(value).map_err(|what| format!("`mem.{name}.{key}` cannot store {what}"))?;
                // Storing `()` removes the entry.
                if value != Value::Unit {
                    memory.insert(Arc::from(key.as_str()), value);
                }
            }
            let before = call.state().memory(call.owner, scope);
            if before.map_or(!memory.is_empty(), |b| **b != memory) {
                changes.push((scope, (!memory.is_empty()).then(|| Arc::new(memory))));
            }
        }
        let owner = call.owner;
        for (scope, memory) in changes {
            call.state_mut()?.set_memory(owner, scope, memory);
        }
        Ok(())
    }
}
