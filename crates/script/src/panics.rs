//! Catching panics: a mistake in the interpreter or in the engine that a mod brings to light becomes a fault, and nothing is printed.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether this thread is inside [`caught`].
    static CATCHES: Cell<bool> = const { Cell::new(false) };
}

/// Does some work. Where it panics, the result is what the panic said, and the process-wide hook, which would print it, does not hear of it.
///
/// Whatever the work has changed is left as it is: the caller puts it right or throws it away.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let loud = take_hook();
        set_hook(Box::new(move |panic| {
            if !CATCHES.get() {
                loud(panic);
            }
        }));
    });
    let outer = CATCHES.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    CATCHES.set(outer);
    result.map_err(|panic| said(&*panic))
}

/// What a panic says.
fn said(panic: &(dyn Any + Send)) -> String {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "something went wrong that says nothing of itself".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_what_they_say() {
        assert_eq!(caught(|| 3), Ok(3));
        assert_eq!(caught(|| -> u8 { panic!("a {}", "b") }), Err("a b".to_owned()));
        assert_eq!(caught(|| caught(|| -> u8 { panic!("inner") })), Ok(Err("inner".to_owned())));
        assert!(!CATCHES.get());
    }
}
