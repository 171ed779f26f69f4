//! Native functions by name and number of parameters, as lowered functions call them.

use std::any::TypeId;
use std::collections::HashMap;
use std::rc::Rc;

use rhai::Dynamic;
use rules::Refusal;

use crate::core::Cx;

/// The most parameters that a native function has.
pub(crate) const MAX_PARAMS: usize = 5;

/// A native function as lowered functions call it: its arguments are of the right types.
pub(crate) type NativeFn = dyn Fn(&mut Cx, &[&Dynamic]) -> Result<Dynamic, Refusal>;

/// A native function with the types of its parameters.
#[derive(Clone)]
pub(crate) struct Overload {
    types: Rc<[TypeId]>,
    /// Whether it only looks: it neither changes anything nor asks.
    pub looks: bool,
    pub run: Rc<NativeFn>,
}

/// Functions of one name and number of parameters, those without wildcards first.
pub(crate) type Overloads = Rc<[Overload]>;

impl Overload {
    fn n_wildcards(&self) -> usize {
        self.types.iter().filter(|it| **it == TypeId::of::<Dynamic>()).count()
    }

    /// Whether it takes these arguments.
    #[inline]
    pub fn takes(&self, args: &[&Dynamic]) -> bool {
        self.types.iter().zip(args).all(|(it, arg)| *it == TypeId::of::<Dynamic>() || *it == arg.type_id())
    }
}

/// All of them.
#[derive(Default)]
pub(crate) struct Natives(HashMap<(String, usize), Vec<Overload>>);

impl Natives {
    /// Adds a function. Properties are called `get$` and their name.
    pub fn add(&mut self, name: &str, types: Vec<TypeId>, looks: bool, run: Rc<NativeFn>) {
        let overloads = self.0.entry((name.to_owned(), types.len())).or_default();
        overloads.push(Overload { types: types.into(), looks, run });
        overloads.sort_by_key(Overload::n_wildcards);
    }

    /// The functions called `name` that take `n` parameters; none where there are none.
    pub fn find(&self, name: &str, n: usize) -> Overloads {
        self.0.get(&(name.to_owned(), n)).map_or_else(|| Rc::from([]), |all| all.as_slice().into())
    }
}
