//! Registers native functions with the interpreter and for trees.
#![expect(clippy::indexing_slicing, reason = "tests read every entry of the table")]

use std::any::TypeId;
use std::rc::Rc;

use rhai::{Dynamic, Engine, EvalAltResult, FuncRegistration, Module, NativeCallContext, RhaiFunc, Shared};
use rules::{ReadSet, Refusal, Value};

use crate::convert::{dynamic_of_script_value, refusal_error, script_value_of};
use crate::core::{Core, Cx};
use crate::entry::EntryKind;
use crate::natives::{MAX_PARAMS, NativeFn, Natives, Overload};
use crate::params::{Native, RhaiType};
use crate::replies::Reply;
use crate::script_value::ScriptValue;
use crate::weight;

/// The places in which native functions are registered: the interpreter, and the list of functions
/// that trees may call.
pub(crate) struct Registry<'e> {
    pub engine: &'e mut Engine,
    pub core: Rc<Core>,
    /// The methods, which the interpreter receives all at once.
    pub methods: Module,
    pub natives: Natives,
}

/// Registers `function` as `name` with the interpreter and for trees, without documentation.
pub(crate) fn register_native<F, Args, R>(to: &mut Registry, name: &str, kind: EntryKind, reads: ReadSet, function: F)
where
    F: Native<Args, R>,
    R: Reply,
{
    let function = register_for_trees(&mut to.natives, name, kind, reads, function);
    let asks = kind == EntryKind::Question;
    for n in F::arities() {
        let (core, function) = (to.core.clone(), function.clone());
        to.engine.register_raw_fn(
            name,
            &F::types()[..n],
            move |context: NativeCallContext, args: &mut [&mut Dynamic]| {
                run(&core, &context, asks, |cx| with_args(args, |args| function(cx, args)))
            },
        );
    }
}

/// Registers `function` as `name` with the interpreter only.
pub(crate) fn register_interpreted<F, Args, R>(to: &mut Registry, name: &str, function: F)
where
    F: Native<Args, R>,
    R: Reply,
{
    let core = to.core.clone();
    to.engine.register_raw_fn(name, F::types(), move |context: NativeCallContext, args: &mut [&mut Dynamic]| {
        run(&core, &context, false, |cx| with_args(args, |args| function.call(cx, args).map(R::reply)))
    });
}

/// Registers `function`, which only reads, as a method that does not change its receiver.
///
/// The interpreter assumes that any other method changes its receiver. After `turn.tile.tag("x")`,
/// the interpreter would search for a way to assign the tile to `turn`. This failed search costs
/// ten times as much as the method.
pub(crate) fn register_method<F, Args, R>(to: &mut Registry, name: &str, reads: ReadSet, function: F)
where
    F: Native<Args, R>,
    R: Reply,
{
    let function = register_for_trees(&mut to.natives, name, EntryKind::Query, reads, function);
    for n in F::arities() {
        let (core, function) = (to.core.clone(), function.clone());
        register_interpreted_method(to, name, &F::types()[..n], move |context, args| {
            run(&core, context, false, |cx| with_args(args, |args| function(cx, args)))
        });
    }
}

/// Registers a method that does not change its receiver, with the interpreter only.
pub(crate) fn register_interpreted_method(
    to: &mut Registry,
    name: &str,
    types: &[TypeId],
    function: impl Fn(&NativeCallContext, &[&mut Dynamic]) -> Result<Dynamic, Box<EvalAltResult>> + 'static,
) {
    let func = move |context: Option<NativeCallContext>, args: &mut [&mut Dynamic]| match context {
        Some(context) => function(&context, args),
        None => Ok(Dynamic::UNIT),
    };
    let func = RhaiFunc::Pure { func: Shared::new(func), has_context: true, is_pure: true, is_volatile: true };
    FuncRegistration::new(name).in_global_namespace().set_into_module_raw(&mut to.methods, types, func);
}

/// Makes a function available to trees, and returns it in the form that trees call.
fn register_for_trees<F, Args, R>(
    natives: &mut Natives,
    name: &str,
    kind: EntryKind,
    reads: ReadSet,
    function: F,
) -> Rc<NativeFn>
where
    F: Native<Args, R>,
    R: Reply,
{
    let is_read_only = kind == EntryKind::Query;
    let called = name.to_owned();
    let run: Rc<NativeFn> = Rc::new(move |cx: &mut Cx, args: &[&ScriptValue]| {
        if !is_read_only {
            cx.core.trace.record_call(&called, args, &cx.call);
        }
        let reply = function.call(cx, args).map(R::reply)?;
        // Charges the budget for the result as for the value of a variable. If the budget is
        // exceeded, the next operation ends the script.
        if let ScriptValue::Plain(value @ (Value::List(_) | Value::Map(_) | Value::Text(_))) = &reply {
            cx.core.budget.spend_weight(weight::of_value(value));
        }
        Ok(reply)
    });
    let params = F::params();
    for n in F::arities() {
        let types = params[..n].iter().map(|param| param.rhai_type);
        let n_wildcards = types.clone().filter(|it| it.id == RhaiType::ANY.id).count();
        let fits = types.map(|it| it.fits).collect();
        let overload = Overload { fits, n_wildcards, is_read_only, reads, run: run.clone() };
        natives.add(name, overload);
    }
    run
}

/// Converts the interpreter's arguments and does `work` with them. Native functions do not change
/// their arguments.
fn with_args<T>(args: &[&mut Dynamic], work: impl FnOnce(&[&ScriptValue]) -> T) -> T {
    let mut held = [const { ScriptValue::UNIT }; MAX_PARAMS];
    for (held, arg) in held.iter_mut().zip(args) {
        *held = script_value_of(arg);
    }
    let [a, b, c, d, e] = &held;
    work(&[a, b, c, d, e][..args.len().min(MAX_PARAMS)])
}

/// Runs a native function on the running call and converts a refusal to the interpreter's error.
#[inline]
pub(crate) fn run(
    core: &Core,
    context: &NativeCallContext,
    asks: bool,
    work: impl FnOnce(&mut Cx) -> Result<ScriptValue, Refusal>,
) -> Result<Dynamic, Box<EvalAltResult>> {
    let at = context.call_position();
    let result = core.with_frame(|frame| {
        let call = frame.own.as_call(&mut frame.state);
        if call.is_unwinding() {
            // An earlier question of this call should have ended the function with an error. A
            // script that asks another question here has caught that error.
            frame.noted.swallowed |= asks;
            return Err(Refusal::Asked);
        }
        let result = work(&mut Cx { call, core });
        if matches!(result, Err(Refusal::Asked)) {
            frame.noted.asked_at = Some(at);
        }
        result
    });
    result.map(dynamic_of_script_value).map_err(|refusal| refusal_error(refusal, at))
}
