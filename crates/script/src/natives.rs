//! The native functions that trees (see [`crate::tree`]) can call, by name and number of arguments.

use std::collections::HashMap;
use std::rc::Rc;

use rules::{ReadSet, Refusal};

use crate::core::Cx;
use crate::params::TypeCheck;
use crate::script_value::ScriptValue;

/// The maximum number of parameters of a native function.
pub(crate) const MAX_PARAMS: usize = 5;

/// A native function in the form in which trees call it.
pub(crate) type NativeFn = dyn Fn(&mut Cx, &[&ScriptValue]) -> Result<ScriptValue, Refusal>;

/// A native function and the types of its parameters.
#[derive(Clone)]
pub(crate) struct Overload {
    /// A type check for each parameter.
    pub fits: Rc<[TypeCheck]>,
    /// The number of parameters that take any value.
    pub n_wildcards: usize,
    /// True if the function only reads, that is, neither changes nor asks anything.
    pub is_read_only: bool,
    /// The parts of the game that the function reads, without its arguments.
    pub reads: ReadSet,
    pub run: Rc<NativeFn>,
}

/// Functions with the same name and number of parameters, those with the fewest wildcards first.
pub(crate) type Overloads = Rc<[Overload]>;

/// Returns the function in `overloads` that accepts these arguments, if any. If `overloads`
/// contains only one function, returns it in any case, because the function itself reports
/// unsuitable arguments.
#[inline]
pub(crate) fn find_overload<'o>(overloads: &'o [Overload], args: &[&ScriptValue]) -> Option<&'o Overload> {
    match overloads {
        [one] => Some(one),
        several => several.iter().find(|it| it.fits.iter().zip(args).all(|(fits, arg)| fits(arg))),
    }
}

/// All native functions, by name and number of parameters.
#[derive(Default)]
pub(crate) struct Natives(HashMap<(String, usize), Vec<Overload>>);

impl Natives {
    /// Adds a function. The name of a property begins with `get$`.
    pub fn add(&mut self, name: &str, overload: Overload) {
        let overloads = self.0.entry((name.to_owned(), overload.fits.len())).or_default();
        overloads.push(overload);
        overloads.sort_by_key(|it| it.n_wildcards);
    }

    /// Returns the functions called `name` with `n` parameters; empty if there are none.
    pub fn find(&self, name: &str, n: usize) -> Overloads {
        self.0.get(&(name.to_owned(), n)).map_or_else(|| Rc::from([]), |all| all.as_slice().into())
    }
}
