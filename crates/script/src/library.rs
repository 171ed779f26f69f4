//! Replaces library functions that mods could misuse: sorting, and functions that make large
//! values from small ones.

use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, ImmutableString, NativeCallContext};

use crate::convert::refusal_error;
use crate::core::Core;
use crate::limits::{MAX_ARRAY, MAX_STRING};
use crate::type_names::counted;
use crate::weight::{self, ExceededLimit};

type LibraryResult<T> = Result<T, Box<EvalAltResult>>;

/// Registers safe versions of `sort`, `pad`, `split`, `replace` and similar functions, in place of
/// those in Rhai's library.
pub(crate) fn register_replacements(engine: &mut Engine, core: &Rc<Core>) {
    register_sort(engine);
    register_pad(engine, core);
    register_split(engine, core);
    register_replace(engine, core);
}

/// Registers the functions that sort a list by a function of the script.
fn register_sort(engine: &mut Engine) {
    for name in ["sort", "sort_by"] {
        engine.register_fn(name, |context: NativeCallContext, list: &mut Array, by: FnPtr| -> LibraryResult<()> {
            *list = sorted(&context, list, &by)?;
            Ok(())
        });
    }
    for name in ["order", "order_by"] {
        engine.register_fn(name, |context: NativeCallContext, list: &mut Array, by: FnPtr| -> LibraryResult<Array> {
            sorted(&context, list, &by)
        });
    }
}

/// Returns the items sorted by the function `by`. Equal items keep their order. Uses a merge sort,
/// which ends even if the results of `by` contradict each other.
///
/// # Errors
/// Returns an error if `by` fails, or if its contradictory results leave the list unsorted.
fn sorted(context: &NativeCallContext, items: &[Dynamic], by: &FnPtr) -> LibraryResult<Array> {
    let compare = |a: &Dynamic, b: &Dynamic| is_after(context, by, a, b);
    let mut order: Vec<&Dynamic> = items.iter().collect();
    let mut merged = Vec::with_capacity(order.len());
    let mut width = 1;
    while width < order.len() {
        for run in order.chunks(2 * width) {
            let (mut left, mut right) = run.split_at(width.min(run.len()));
            while let ([a, left_rest @ ..], [b, right_rest @ ..]) = (left, right) {
                if compare(a, b)? {
                    merged.push(*b);
                    right = right_rest;
                } else {
                    merged.push(*a);
                    left = left_rest;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(&mut order, &mut merged);
        merged.clear();
        width *= 2;
    }
    for (first, second) in order.iter().zip(order.iter().skip(1)) {
        if compare(first, second)? {
            let both = compare(second, first)?;
            return Err(refusal_error(contradiction(first, second, both).into(), context.call_position()));
        }
    }
    Ok(order.into_iter().cloned().collect())
}

/// Calls `by`, the argument of a function of the library, with `values`.
///
/// # Errors
/// Returns an error if `by` fails, or if it is a closure with another number of parameters.
pub(crate) fn call_argument<const N: usize>(
    context: &NativeCallContext,
    by: &FnPtr,
    values: [Dynamic; N],
) -> LibraryResult<Dynamic> {
    by.call_raw(context, None, values).map_err(|error| {
        let EvalAltResult::ErrorFunctionNotFound(signature, _) = &*error else { return error };
        if !by.is_anonymous() || !signature.starts_with(by.fn_name()) {
            return error;
        }
        let params = if N == 1 { "`|it|`" } else { "`|a, b|`" };
        let message =
            format!("the closure given to `{}` must take {}: {params}", context.fn_name(), counted(N, "parameter"));
        refusal_error(message.into(), context.call_position())
    })
}

/// Returns whether `a` comes after `b` according to the function `by`. The function may return a
/// number, which is above 0 if its first argument comes after the second. Or it may return a
/// boolean, which is true if its first argument comes first.
fn is_after(context: &NativeCallContext, by: &FnPtr, a: &Dynamic, b: &Dynamic) -> LibraryResult<bool> {
    let said = call_argument(context, by, [a.clone(), b.clone()])?;
    if let Ok(n) = said.as_int() {
        return Ok(n > 0);
    }
    match said.as_bool() {
        Ok(true) => Ok(false),
        Ok(false) => Ok(call_argument(context, by, [b.clone(), a.clone()])?.as_bool() == Ok(true)),
        Err(_) => {
            let got = crate::type_names::type_in_words(context.engine().map_type_name(said.type_name()));
            let message =
                format!("the function given to `sort` must return a number, but it returned {got}; {SORT_HELP}");
            Err(refusal_error(message.into(), context.call_position()))
        }
    }
}

const SORT_HELP: &str = "for |a, b| return a number below 0 if `a` comes first, above 0 if `b` comes first, and 0 if the order does not matter, such as \
                   `a - b`";

#[cold]
fn contradiction(a: &Dynamic, b: &Dynamic, both: bool) -> String {
    let short = |it: &Dynamic| match () {
        () if it.is_int() => Some(it.to_string()),
        () => it.read_lock::<ImmutableString>().filter(|text| text.len() <= 40).map(|text| format!("\"{}\"", *text)),
    };
    let (a, b) = short(a).zip(short(b)).unwrap_or_else(|| ("one item".to_owned(), "another".to_owned()));
    let what = match both {
        true => format!("it says that {a} comes after {b}, and that {b} comes after {a}"),
        false => format!("it says that {a} comes after {b}, but its answers about other items put {a} before {b}"),
    };
    format!("the function given to `sort` contradicts itself: {what}; {SORT_HELP}")
}

/// Registers `pad`. One call can make a list much longer, so the function charges the budget before
/// it changes the list.
fn register_pad(engine: &mut Engine, core: &Rc<Core>) {
    let core = core.clone();
    engine.register_fn("pad", move |list: &mut Array, len: i64, item: Dynamic| -> LibraryResult<()> {
        let more = usize::try_from(len).unwrap_or(0).saturating_sub(list.len());
        let weight = weight::of_dynamic(&item).map_err(ExceededLimit::error)?;
        // The interpreter checks the size of nested items afterwards.
        if more > MAX_ARRAY || more as u64 * weight > 8 * MAX_ARRAY as u64 {
            return Err(ExceededLimit::Items.error());
        }
        core.spend(more as u64 * weight)?;
        list.resize(list.len() + more, item);
        Ok(())
    });
}

/// Registers the functions that split a text. They charge the budget, because a text of a few
/// kilobytes could become thousands of texts.
fn register_split(engine: &mut Engine, core: &Rc<Core>) {
    macro_rules! split {
        ($($name:literal |$text:ident $(, $arg:ident: $type:ty)*| $parts:expr;)*) => {
            $({
                let core = core.clone();
                engine.register_fn($name, move |$text: ImmutableString $(, $arg: $type)*| -> LibraryResult<Array> {
                    core.spend(8 * $text.len() as u64)?;
                    let $text = $text.as_str();
                    Ok($parts.map(Dynamic::from).collect())
                });
            })*
        };
    }
    /// Converts a maximum number of parts to a number from 1 to the largest `usize`.
    fn max_parts(n: i64) -> usize {
        usize::try_from(n.max(1)).unwrap_or(usize::MAX)
    }
    split! {
        "to_chars" |text| text.chars();
        "split" |text| text.split_whitespace().map(ImmutableString::from);
        "split" |text, by: ImmutableString| text.split(by.as_str()).map(ImmutableString::from);
        "split" |text, by: char| text.split(by).map(ImmutableString::from);
        "split" |text, by: ImmutableString, n: i64| text.splitn(max_parts(n), by.as_str()).map(ImmutableString::from);
        "split" |text, by: char, n: i64| text.splitn(max_parts(n), by).map(ImmutableString::from);
        "split_rev" |text, by: ImmutableString| text.rsplit(by.as_str()).map(ImmutableString::from);
        "split_rev" |text, by: char| text.rsplit(by).map(ImmutableString::from);
        "split_rev" |text, by: ImmutableString, n: i64| text.rsplitn(max_parts(n), by.as_str()).map(ImmutableString::from);
        "split_rev" |text, by: char, n: i64| text.rsplitn(max_parts(n), by).map(ImmutableString::from);
    }
}

/// Registers `replace`. Each character could become thousands of characters, so the function
/// calculates the new length before it replaces anything.
fn register_replace(engine: &mut Engine, core: &Rc<Core>) {
    macro_rules! replace {
        ($($old:ty, $new:ty;)*) => {
            $({
                let core = core.clone();
                engine.register_fn("replace", move |text: &mut ImmutableString, old: $old, new: $new| -> LibraryResult<()> {
                    let (old, new) = (old.to_string(), new.to_string());
                    core.spend(8 * text.len() as u64)?;
                    // Replacing in an empty text inserts nothing, even if `old` is empty.
                    let n = if text.is_empty() { 0 } else { text.matches(old.as_str()).count() };
                    if text.len() + n * new.len() > MAX_STRING + n * old.len() {
                        return Err(ExceededLimit::Letters.error());
                    }
                    if n > 0 {
                        *text = text.replace(old.as_str(), &new).into();
                    }
                    Ok(())
                });
            })*
        };
    }
    replace! {
        ImmutableString, ImmutableString;
        ImmutableString, char;
        char, ImmutableString;
        char, char;
    }
}
