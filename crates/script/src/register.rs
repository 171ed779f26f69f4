//! Registering native functions: with the interpreter, and with what runs without it.

use std::rc::Rc;

use rhai::{Dynamic, Engine, EvalAltResult, FuncRegistration, Module, NativeCallContext, Position, RhaiFunc, Shared};
use rules::Refusal;

use crate::api::Sort;
use crate::core::{Core, Cx, Halting};
use crate::direct::NativeFn;
use crate::params::{Native, Reply};

/// Registers `function` as `name`, with no entry in the documentation.
pub(crate) fn native<F, Args, R>(engine: &mut Engine, core: &Rc<Core>, name: &str, sort: Sort, function: F)
where
    F: Native<Args, R>,
    R: Reply,
{
    let asks = sort == Sort::Question;
    let function = directly(core, name, sort, function);
    let core = core.clone();
    engine.register_raw_fn(name, F::types(), move |context: NativeCallContext, args: &mut [&mut Dynamic]| {
        run(&core, &context, asks, |cx| with_args(args, |args| function(cx, args)))
    });
}

/// Adds `function`, which only looks, to `module` as a method that leaves its receiver alone.
///
/// The interpreter takes every other method for one that changes its receiver, and after `turn.tile.tag("x")` looks for a way to give the
/// tile back to `turn`; not finding one costs ten times as much as the method.
pub(crate) fn method<F, Args, R>(module: &mut Module, core: &Rc<Core>, name: &str, function: F)
where
    F: Native<Args, R>,
    R: Reply,
{
    let function = directly(core, name, Sort::Query, function);
    let core = core.clone();
    let func = move |context: Option<NativeCallContext>, args: &mut [&mut Dynamic]| match context {
        Some(context) => run(&core, &context, false, |cx| with_args(args, |args| function(cx, args))),
        None => Ok(Dynamic::UNIT),
    };
    let func = RhaiFunc::Pure { func: Shared::new(func), has_context: true, is_pure: true, is_volatile: true };
    FuncRegistration::new(name).in_global_namespace().set_into_module_raw(module, F::types(), func);
}

/// Makes a function known to what is run without the interpreter.
fn directly<F, Args, R>(core: &Core, name: &str, sort: Sort, function: F) -> Rc<NativeFn>
where
    F: Native<Args, R>,
    R: Reply,
{
    let run: Rc<NativeFn> = Rc::new(move |cx: &mut Cx, args: &[&Dynamic]| {
        let result = function.call(cx, args)?;
        Ok(result.reply(cx.core))
    });
    // What these two give is for the interpreter, which prints it.
    if !matches!(name, "print" | "debug") {
        core.natives.borrow_mut().add(name, F::types(), sort == Sort::Query, run.clone());
    }
    run
}

/// The arguments of the interpreter, which nothing of ours changes.
fn with_args<T>(args: &mut [&mut Dynamic], work: impl FnOnce(&[&Dynamic]) -> T) -> T {
    match args {
        [] => work(&[]),
        [a] => work(&[a]),
        [a, b] => work(&[a, b]),
        [a, b, c] => work(&[a, b, c]),
        [a, b, c, d] => work(&[a, b, c, d]),
        more => work(&more.iter().map(|it| &**it).collect::<Vec<_>>()),
    }
}

/// Runs a native function on the running call and turns a refusal into the interpreter's error.
#[inline]
pub(crate) fn run(
    core: &Core,
    context: &NativeCallContext,
    asks: bool,
    work: impl FnOnce(&mut Cx) -> Result<Dynamic, Refusal>,
) -> Result<Dynamic, Box<EvalAltResult>> {
    let at = context.call_position();
    let result = core.with(|frame| {
        if frame.call.is_unwinding() {
            // Whoever asks after a question that ended the function has caught that end.
            frame.swallowed |= asks;
            return Err(Refusal::Asked);
        }
        let result = work(&mut Cx { frame, core });
        if matches!(result, Err(Refusal::Asked)) {
            frame.asked_at = at;
        }
        result
    });
    result.map_err(|refusal| error(refusal, at))
}

/// A refusal as the interpreter's error.
#[cold]
pub(crate) fn error(refusal: Refusal, at: Position) -> Box<EvalAltResult> {
    Box::new(match refusal {
        Refusal::Asked => EvalAltResult::ErrorTerminated(Dynamic::from(Halting::Asked), at),
        Refusal::Because(message) => EvalAltResult::ErrorRuntime(message.into(), at),
    })
}
