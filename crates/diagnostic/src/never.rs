//! Reports internal errors: states that the program promises never to reach.

use std::fmt::{Arguments, Debug};
use std::panic::Location;

/// Reports a state that the program promises never to reach. Use this macro if the type system
/// cannot express the promise. After the macro, return a safe value.
///
/// Debug builds and tests panic. Release builds log an error with the place of the call, and
/// continue, so that a minor bug of the program does not end a game. Mistakes in mods, records and
/// settings are not broken promises: report them as a [`Diagnostic`](crate::Diagnostic).
#[macro_export]
macro_rules! never {
    ($($message:tt)+) => {
        $crate::report_bug(::core::format_args!($($message)+))
    };
}

/// Logs `message` with the place of the caller, and panics in debug builds. [`never!`] calls this
/// function.
#[cold]
#[track_caller]
#[doc(hidden)]
pub fn report_bug(message: Arguments<'_>) {
    let place = Location::caller();
    log::error!(target: "bastide", "internal error: {message} ({}:{})", place.file(), place.line());
    #[expect(clippy::panic, reason = "developers must notice a broken promise")]
    #[expect(clippy::manual_assert, reason = "the condition is about the build, not about the caller")]
    if cfg!(debug_assertions) {
        panic!("{message}");
    }
}

/// An `Option` or `Result` that always contains a value, unless the program has a bug.
pub trait ExpectOrDefault<T> {
    /// Returns the value. If there is no value, reports the text `promise` with [`never!`] and
    /// returns the default value of `T`.
    fn expect_or_default(self, promise: &str) -> T;
}

impl<T: Default> ExpectOrDefault<T> for Option<T> {
    #[track_caller]
    fn expect_or_default(self, promise: &str) -> T {
        if self.is_none() {
            never!("{promise}");
        }
        self.unwrap_or_default()
    }
}

impl<T: Default, E: Debug> ExpectOrDefault<T> for Result<T, E> {
    #[track_caller]
    fn expect_or_default(self, promise: &str) -> T {
        match self {
            Ok(value) => value,
            Err(error) => {
                never!("{promise}: {error:?}");
                T::default()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ExpectOrDefault;

    #[test]
    #[should_panic(expected = "2 of the options are equal")]
    fn a_broken_promise_ends_a_test() {
        never!("{} of the options are equal", 2);
    }

    #[test]
    fn a_kept_promise_returns_the_value() {
        assert_eq!(Some(3).expect_or_default("there is a number"), 3);
        assert_eq!(Ok::<_, ()>(3).expect_or_default("there is a number"), 3);
    }

    #[test]
    #[should_panic(expected = "texts can be written: \"full\"")]
    fn a_missing_value_ends_a_test() {
        Err::<u8, _>("full").expect_or_default("texts can be written");
    }
}
