//! Copy-on-write lists. Copies of a state share a list until one copy changes the list.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A list in the game state. Copies of the list share its items until one copy changes. The first
/// effect of a mod's function copies the state and leaves most lists unchanged, so copies must be
/// cheap. The default list is empty and needs no allocation.
#[derive(Debug)]
pub(crate) struct SharedList<T>(Option<Arc<Vec<T>>>);

impl<T: 'static> SharedList<T> {
    const EMPTY: &'static Vec<T> = &Vec::new();
}

impl<T> Clone for SharedList<T> {
    fn clone(&self) -> Self {
        SharedList(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        if !self.ptr_eq(source) {
            self.0.clone_from(&source.0);
        }
    }
}

impl<T> SharedList<T> {
    /// Returns whether `self` and `other` share one allocation, or both have none.
    fn ptr_eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        }
    }
}

impl<T: Eq + 'static> PartialEq for SharedList<T> {
    fn eq(&self, other: &Self) -> bool {
        self.ptr_eq(other) || **self == **other
    }
}

impl<T: Eq + 'static> Eq for SharedList<T> {}

impl<T> Default for SharedList<T> {
    fn default() -> Self {
        SharedList(None)
    }
}

impl<T> From<Vec<T>> for SharedList<T> {
    fn from(list: Vec<T>) -> Self {
        SharedList(Some(Arc::new(list)))
    }
}

impl<T> FromIterator<T> for SharedList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        SharedList::from(Vec::from_iter(items))
    }
}

impl<'s, T: 'static> IntoIterator for &'s SharedList<T> {
    type Item = &'s T;
    type IntoIter = std::slice::Iter<'s, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: 'static> Deref for SharedList<T> {
    type Target = Vec<T>;

    #[inline]
    fn deref(&self) -> &Vec<T> {
        self.0.as_deref().unwrap_or(Self::EMPTY)
    }
}

impl<T: Clone + 'static> DerefMut for SharedList<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        Arc::make_mut(self.0.get_or_insert_default())
    }
}

impl<T: Serialize + 'static> Serialize for SharedList<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for SharedList<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = Vec::deserialize(deserializer)?;
        Ok(if list.is_empty() { SharedList(None) } else { SharedList::from(list) })
    }
}

/// Declares a struct and implements `Clone` for it, field by field. `clone_from` does not copy a
/// list that both values already share.
macro_rules! clone_by_field {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $($(#[$field_attribute:meta])* $field_visibility:vis $field:ident: $field_type:ty),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        $visibility struct $name {
            $($(#[$field_attribute])* $field_visibility $field: $field_type),+
        }

        impl Clone for $name {
            fn clone(&self) -> Self {
                $name { $($field: self.$field.clone()),+ }
            }

            fn clone_from(&mut self, source: &Self) {
                $(self.$field.clone_from(&source.$field);)+
            }
        }
    };
}
pub(crate) use clone_by_field;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_part_when_one_changes() {
        let mut one: SharedList<u8> = SharedList::default();
        assert!(one.is_empty());
        one.push(1);
        let mut other = one.clone();
        other.push(2);
        assert_eq!((&**one, &**other), (&[1][..], &[1, 2][..]));
    }
}
