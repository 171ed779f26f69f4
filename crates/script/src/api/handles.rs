//! Registers the types of handles with the interpreter: their names, comparison and printing.

use std::cmp::Ordering;

use rules::ReadSet;

use crate::core::Cx;
use crate::entry::EntryKind;
use crate::handles::{Handle, for_all_handles, text_of};
use crate::params::Param;
use crate::register::{Registry, register_interpreted, register_native};

/// Registers the types of handles with their names, their comparisons and the functions that print
/// them.
pub(crate) fn register(to: &mut Registry) {
    macro_rules! register {
        ($($type:ty),*) => {
            $(register_one::<$type>(to);)*
        };
    }
    for_all_handles!(register);
}

fn register_one<H: Handle + Param>(to: &mut Registry) {
    to.engine.register_type_with_name::<H>(<H as Handle>::TYPE);
    type Test = (&'static str, fn(Ordering) -> bool);
    let tests: [Test; 6] = [
        ("==", Ordering::is_eq),
        ("!=", Ordering::is_ne),
        ("<", Ordering::is_lt),
        ("<=", Ordering::is_le),
        (">", Ordering::is_gt),
        (">=", Ordering::is_ge),
    ];
    for (name, test) in tests {
        register_interpreted(to, name, move |cx: &mut Cx, a: H, b: H| Ok(test(a.compare_in(&b, cx.state()))));
    }
    let text = |cx: &mut Cx, it: H| text_of(cx, it.into_script_value());
    for name in ["to_string", "to_debug"] {
        register_native(to, name, EntryKind::Query, ReadSet::ANYTHING, text);
    }
    // The interpreter calls these two functions to print a value.
    for name in ["print", "debug"] {
        register_interpreted(to, name, text);
    }
}
