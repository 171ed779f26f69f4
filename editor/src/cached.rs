//! A value that is cached until its key changes. The window caches most values that it computes
//! from the game.

use std::ops::{Deref, DerefMut};

/// A value computed for a key, and computed again when the key changes.
///
/// If the value depends on the game, its key must contain the session's
/// [`Revision`](table::Revision).
#[derive(Clone, Debug)]
pub struct Cached<K, V> {
    key: Option<K>,
    value: V,
}

impl<K: PartialEq, V> Cached<K, V> {
    /// Returns the value for `key`. If no value for `key` is cached, calls `find` to compute it.
    pub fn refresh(&mut self, key: K, find: impl FnOnce() -> V) -> &mut V {
        if self.key.as_ref() != Some(&key) {
            self.value = find();
            self.key = Some(key);
        }
        &mut self.value
    }

    /// Returns the value if it is cached for `key`.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        (self.key.as_ref() == Some(key)).then_some(&mut self.value)
    }
}

impl<K, V: Default> Default for Cached<K, V> {
    fn default() -> Self {
        Cached { key: None, value: V::default() }
    }
}

impl<K, V> Deref for Cached<K, V> {
    type Target = V;

    fn deref(&self) -> &V {
        &self.value
    }
}

impl<K, V> DerefMut for Cached<K, V> {
    fn deref_mut(&mut self) -> &mut V {
        &mut self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_once_for_each_key() {
        let mut cached: Cached<(u64, &str), usize> = Cached::default();
        let mut n = 0;
        for key in [(1, "a"), (1, "a"), (1, "b"), (2, "b"), (2, "b")] {
            cached.refresh(key, || {
                n += 1;
                n
            });
        }
        assert_eq!((n, *cached), (3, 3));
    }
}
