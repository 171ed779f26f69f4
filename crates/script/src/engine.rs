//! The sandbox: an interpreter with only selected packages and with all limits set. Scripts in it
//! cannot access anything outside the game.
#![expect(clippy::indexing_slicing, reason = "the catalogue assigns the indices of functions and mods")]

use std::rc::Rc;

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage, BasicMathPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{Dynamic, Engine, EvalAltResult, EvalContext, ImmutableString, Position, def_package};

use crate::budget::MAX_OPERATIONS;
use crate::copied_roots::copied_variable;
use crate::core::Core;
use crate::limits::{MAX_ARRAY, MAX_LEVELS, MAX_MAP, MAX_STRING};
use crate::memory::Mem;
use crate::types::{SettingsView, TurnView};
use crate::weight;

def_package! {
    /// The parts of the language's library that scripts may use. The following parts are excluded:
    /// the core package (with `sleep`, `exit` and tags of values), the clock, byte arrays and bit
    /// fields.
    SafePackage(module) : ArithmeticPackage, LogicPackage, BasicMathPackage, BasicStringPackage, MoreStringPackage,
        BasicIteratorPackage, BasicFnPackage, BasicArrayPackage, BasicMapPackage
    {
        // This package adds no functions of its own. The packages above mark it as a standard
        // library.
        let _ = module;
    }
}

/// Makes an interpreter that has all limits and can compile scripts, but has neither library nor
/// native functions.
pub(crate) fn bare_engine() -> Engine {
    let mut engine = Engine::new_raw();
    engine
        .set_max_operations(MAX_OPERATIONS)
        .set_max_call_levels(MAX_LEVELS)
        .set_max_expr_depths(64, 32)
        .set_max_string_size(MAX_STRING)
        .set_max_array_size(MAX_ARRAY)
        .set_max_map_size(MAX_MAP)
        .set_max_variables(256)
        .set_max_functions(256)
        .set_max_modules(0);
    for word in ["eval", "import", "export"] {
        engine.disable_symbol(word);
    }
    engine
}

/// Returns the names of the library functions that scripts may call, each with its number of
/// arguments, for the linter.
pub(crate) fn library() -> Vec<(String, usize)> {
    let mut engine = Engine::new_raw();
    SafePackage::new().register_into_engine(&mut engine);
    engine.collect_fn_metadata(None, |f| Some((f.metadata.name.to_string(), f.metadata.num_params)), true)
}

thread_local! {
    /// The library. Each thread makes the library only once, because making it is most of the cost
    /// of an interpreter.
    static LIBRARY: SafePackage = SafePackage::new();
}

/// Makes an interpreter for the functions of one set of mods. The caller still has to register the
/// native functions.
pub(crate) fn sandboxed_engine(core: &Rc<Core>) -> Engine {
    let mut engine = bare_engine();
    LIBRARY.with(|library| {
        library.register_into_engine(&mut engine);
    });
    let printing = core.clone();
    engine.on_print(move |text| printing.print(text));
    let debugging = core.clone();
    engine.on_debug(move |text, _, at| debugging.print(&format!("{text} ({at:?})")));
    let counting = core.clone();
    engine.on_progress(move |_| counting.budget.spend_operation().map(Dynamic::from));
    crate::library::register_replacements(&mut engine, core);
    resolve_variables(&mut engine, core);
    engine
}

/// Makes `turn`, `settings`, `mem`, `nobody` and constants available everywhere. Charges the budget
/// for a variable at each use, before the script can do anything with its value. The charge is
/// necessary because large values take time, and deep values take stack.
fn resolve_variables(engine: &mut Engine, core: &Rc<Core>) {
    let core = core.clone();
    let (turn, settings) = (Dynamic::from(TurnView), Dynamic::from(SettingsView));
    let constants = core.clone();
    let global = move |name: &str| match name {
        "turn" => Ok(Some(turn.clone())),
        "settings" => Ok(Some(settings.clone())),
        "mem" => memory(&constants).map(Some),
        // `nobody` stands for the owner of neutral pieces and of tokens without a holder.
        "nobody" => Ok(Some(Dynamic::UNIT)),
        name => {
            let found = constant(&constants, name);
            found.iter().try_for_each(|value| spend(&constants, value)).map(|()| found)
        }
    };
    // Rhai marks this function as deprecated only because it may change; `Cargo.lock` fixes the
    // version of Rhai.
    #[allow(deprecated)]
    engine.on_var(move |name, index, mut context| {
        // `index` is the position of a variable of the script, counted from the last variable in
        // scope. If only the name is known, `index` is 0.
        let of_script = match index {
            0 => None,
            index => context.scope().iter_raw().nth(index - 1).map(|(_, _, value)| value),
        };
        if let Some(value) = of_script {
            if may_be_large(value) {
                charge_variable(&core, name, index, &mut context)?;
            }
            return Ok(None);
        }
        if let Some(copied) = copied_variable(name) {
            if context.scope().contains(copied) {
                charge_variable(&core, copied, 0, &mut context)?;
                return Ok(context.scope().get(copied).map(Dynamic::flatten_clone));
            }
            return Ok(global(copied)?.map(Dynamic::flatten));
        }
        let found = global(name)?;
        if found.is_none() {
            charge_variable(&core, name, 0, &mut context)?;
        }
        Ok(found)
    });
}

/// Returns whether a value can be large, because it is a text or may contain other values.
fn may_be_large(value: &Dynamic) -> bool {
    value.is_shared() || value.is_array() || value.is_map() || value.is_string() || value.is_fnptr()
}

/// Charges the budget for a variable of the script, and records the variable if closures share it.
fn charge_variable(core: &Core, name: &str, index: usize, context: &mut EvalContext) -> Result<(), Box<EvalAltResult>> {
    let scope = context.scope();
    let value = match index {
        0 => scope.get(name),
        index => scope.iter_raw().nth(index - 1).map(|(_, _, value)| value),
    };
    let Some(value) = value else { return Ok(()) };
    spend(core, value)?;
    // The tag 1 on a value marks a variable that was recorded.
    if value.is_shared() && value.tag() == 0 {
        core.note_shared(value.clone());
        if let Some(value) = context.scope_mut().get_mut(name) {
            value.set_tag(1);
        }
    }
    Ok(())
}

/// Charges the budget for reading a value, by the weight of the value.
fn spend(core: &Core, value: &Dynamic) -> Result<(), Box<EvalAltResult>> {
    core.spend(weight::of_dynamic(value).map_err(weight::ExceededLimit::error)?)
}

fn memory(core: &Rc<Core>) -> Result<Dynamic, Box<EvalAltResult>> {
    let loaded = core.with_frame(|frame| {
        if frame.call().is_unwinding() {
            return Err(rules::Refusal::Asked);
        }
        let mem = frame.noted.mem.get_or_insert_with(|| Mem::load(&frame.own.as_call(&mut frame.state)));
        Ok(mem.shared.clone())
    });
    let memory = loaded.map_err(|refusal| crate::convert::refusal_error(refusal, Position::NONE))?;
    spend(core, &memory)?;
    Ok(memory)
}

fn constant(core: &Core, name: &str) -> Option<Dynamic> {
    let mut found = None;
    // If no call is running, this function returns `None`, and the interpreter reports an unknown
    // variable.
    let _ = core.with_frame(|frame| {
        let constants = core.constants.borrow();
        let own: &[(ImmutableString, Dynamic)] = &constants[frame.own.owner.idx()];
        found = own.iter().find(|(n, _)| n == name).map(|(_, value)| value.clone());
        Ok(())
    });
    found
}
