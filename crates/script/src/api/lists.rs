//! Lists: common queries that the language itself lacks.

use std::any::TypeId;

use diagnostic::never;
use rhai::{Array, Dynamic, EvalAltResult, FnPtr, NativeCallContext};

use super::builder::{Api, doc};
use crate::core::Cx;
use crate::entry::{ApiEntry, EntryKind, EntrySyntax};
use crate::library::call_argument;
use crate::limits::MAX_ARRAY;
use crate::params::{List, LiteralTypes, ParamInfo, RhaiType};
use crate::register::register_interpreted_method;
use crate::script_value::ScriptValue;
use crate::type_names::type_in_words;

pub(super) fn add(api: &mut Api) {
    api.topic("Lists");
    api.query(
        "pairs",
        doc(
            "list",
            "All pairs of items of a list, as lists of two: each item with each item after it.",
            "pairs(tile.zones(\"way\"))",
        ),
        |_cx: &mut Cx, list: List| {
            let items = list.0;
            let n = items.len() * items.len().saturating_sub(1) / 2;
            // Each pair counts as three items: its two items and the list that contains them.
            if 3 * n > MAX_ARRAY {
                return Err(format!("{} items make {n} pairs, which is too many for a list", items.len()).into());
            }
            let mut pairs = Vec::with_capacity(n);
            for (i, first) in items.iter().enumerate() {
                pairs.extend(items[i + 1..].iter().map(|second| vec![first.clone(), second.clone()]));
            }
            Ok(pairs)
        },
    );
    by_value(
        api,
        "most",
        "list",
        "The items with the greatest value, in the order of the list. In a tie, all tied items; for an empty list, an empty list.",
        "for player in players().most(|player| n_tokens(player, \"coin\")) { }",
        |context, list, by| Ok(extreme(list, &values(context, list, by)?, true).into()),
    );
    by_value(
        api,
        "least",
        "list",
        "The items with the least value, in the order of the list. In a tie, all tied items; for an empty list, an empty list.",
        "ask(player, \"Which way?\", ways.least(|way| way.n_tiles))",
        |context, list, by| Ok(extreme(list, &values(context, list, by)?, false).into()),
    );
    by_value(
        api,
        "sum",
        "number",
        "The sum of the values of all items.",
        "features_of(player, \"way\").sum(|way| way.n_tiles)",
        |context, list, by| {
            let sum = values(context, list, by)?.into_iter().try_fold(0, i64::checked_add);
            let too_large = || runtime_error(context, "the sum is too large".to_owned());
            sum.map(Dynamic::from_int).ok_or_else(too_large)
        },
    );
}

type ByValue = fn(&NativeCallContext, &Array, &FnPtr) -> Result<Dynamic, Box<EvalAltResult>>;

/// Registers a method of lists whose argument is a function that returns the value of an item.
/// Registers the method only with the interpreter, because trees implement such methods themselves.
fn by_value(
    api: &mut Api,
    name: &'static str,
    result: &str,
    about: &'static str,
    example: &'static str,
    work: ByValue,
) {
    let function = ParamInfo {
        name: "function",
        rhai_type: RhaiType::of::<FnPtr>("Fn", LiteralTypes::NONE, |arg| matches!(arg, ScriptValue::Foreign(_))),
        declared: None,
        literals: LiteralTypes::NONE,
        optional: false,
        keys: &[],
    };
    let entry = ApiEntry {
        name,
        kind: EntryKind::Query,
        form: EntrySyntax::Method,
        topic: "",
        names: vec!["list", "value"],
        params: vec![ParamInfo::of::<List>(), function],
        result: result.to_owned(),
        rhai_result: if result == "list" { "Array" } else { "int" },
        about,
        example,
    };
    api.special(entry, |to| {
        let types = [TypeId::of::<Array>(), TypeId::of::<FnPtr>()];
        register_interpreted_method(to, name, &types, move |context, args| {
            let [list, by] = args else {
                never!("`{name}` was called without exactly two arguments");
                return Ok(Dynamic::UNIT);
            };
            match (list.read_lock::<Array>(), by.read_lock::<FnPtr>()) {
                (Some(list), Some(by)) => work(context, &list, &by),
                _ => Err(runtime_error(context, format!("`{name}` needs a list and a function"))),
            }
        });
    });
}

/// Returns the value of each item, computed by the function `by`.
fn values(context: &NativeCallContext, list: &Array, by: &FnPtr) -> Result<Vec<i64>, Box<EvalAltResult>> {
    let value = |item: &Dynamic| {
        let value = call_argument(context, by, [item.clone()])?;
        value.as_int().map_err(|what| {
            runtime_error(context, format!("the value of an item must be a number, not {}", type_in_words(what)))
        })
    };
    list.iter().map(value).collect()
}

/// Returns the items of `list` with the greatest value, or with the least value if `greatest` is
/// false. `values` contains the value of each item.
fn extreme(list: &Array, values: &[i64], greatest: bool) -> Array {
    let wanted = if greatest { values.iter().max() } else { values.iter().min() };
    let items = list.iter().zip(values).filter(|(_, value)| Some(*value) == wanted);
    items.map(|(item, _)| item.clone()).collect()
}

#[cold]
fn runtime_error(context: &NativeCallContext, message: String) -> Box<EvalAltResult> {
    EvalAltResult::ErrorRuntime(message.into(), context.call_position()).into()
}
