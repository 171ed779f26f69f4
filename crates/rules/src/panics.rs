//! Catches panics, so that a bug that a mod or a record triggers becomes a message. The process
//! does not print a caught panic.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use diagnostic::visible;

thread_local! {
    /// True while this thread is inside [`catch_panic`].
    static IS_CATCHING: Cell<bool> = const { Cell::new(false) };
    /// The source line of the last panic inside [`catch_panic`], such as
    /// `crates/rules/src/agenda.rs:12`.
    static PANIC_PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A caught panic. Its text is a sentence without a full stop, with the message and the place of
/// the panic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Panic {
    panic_message: String,
    place: String,
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "internal error: {} ({})", self.panic_message, self.place)
    }
}

impl std::error::Error for Panic {}

/// Calls `work` and catches a panic in it. The process-wide panic hook does not print this panic.
///
/// If `work` panics, the changes that it has made stay. The caller must repair or discard them.
///
/// # Errors
/// Returns the panic if `work` panics.
pub fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, Panic> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let loud = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_CATCHING.get() {
                return loud(panic);
            }
            let place = panic.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
            PANIC_PLACE.set(place);
        }));
    });
    let outer = IS_CATCHING.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    IS_CATCHING.set(outer);
    result.map_err(|panic| Panic {
        panic_message: visible(&panic_message(&*panic)).into_owned(),
        place: PANIC_PLACE.take(),
    })
}

/// Returns the message of a panic.
fn panic_message(panic: &(dyn Any + Send)) -> String {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "unknown cause".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_what_they_say() {
        assert_eq!(catch_panic(|| 3), Ok(3));
        let place = file!();
        let told = |what: &str, line: u32| Err(format!("internal error: {what} ({place}:{line})"));
        let panic_message = |caught: Result<u8, Panic>| caught.map_err(|panic| panic.to_string());
        assert_eq!(panic_message(catch_panic(|| panic!("a {}", "b"))), told("a b", line!()));
        assert_eq!(catch_panic(|| catch_panic(|| panic!("inner"))).map(panic_message), Ok(told("inner", line!())));
        assert!(!IS_CATCHING.get());
    }
}
