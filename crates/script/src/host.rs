//! The host, which contains the compiled scripts of the mods of a game. The engine calls it to run
//! their functions.
#![expect(clippy::indexing_slicing, reason = "the catalogue assigns the indices of functions and mods")]

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use rhai::{AST, Caches, Dynamic, Engine, EvalAltResult, ImmutableString, Module, Position, Scope, Shared};
use rules::{
    Call, Catalogue, Failure, FnIdx, Halt, HookClass, Hooks, HooksMaker, Refusal, SettingValue, State, TracedCall,
    Value, catch_panic,
};

use crate::budget::HaltReason;
use crate::compile::{CompiledScript, ScriptFn, ScriptSource, compile, forbidden_constructs};
use crate::convert::{dynamic_of, value_of};
use crate::core::{CallFrame, CallNotes, Core};
use crate::engine::sandboxed_engine;
use crate::error_text::{closure_message, failure_at, halt_message, innermost, message_of, parse_failure, place_in};
use crate::scan::{scan, too_many_statements_message};
use crate::tree::{self, Bail, Program, UnsupportedConstruct, lower};
use crate::type_names::counted;

/// The maximum nesting depth of functions of mods. A function is nested if another function calls
/// it through a query such as `winners`, `value_now` or `is_complete`.
const MAX_NESTED: u32 = 4;

/// The free stack in bytes that a function needs before it starts. The deepest call within the
/// limits needs less than half of this size, which `tests/hostile.rs` checks.
const MIN_STACK_BYTES: usize = 4 << 20;

/// The compiled scripts of the mods of a game, ready to run. Each thread needs its own host.
pub struct ScriptHost {
    engine: Engine,
    core: Rc<Core>,
    /// The scripts and settings from which the host was made.
    sources: Arc<[ScriptSource]>,
    settings: Vec<SettingValue>,
    /// The compiled script of each mod.
    scripts: Vec<Script>,
    /// The script functions that the engine calls, in the order of the catalogue.
    functions: Vec<FunctionVersions>,
    /// True if functions that have a tree run as a tree (see [`crate::tree`]). False if
    /// [`use_trees`](Host::use_trees) chose the interpreter, and while the interpreter repeats a
    /// call whose tree gave up.
    uses_trees: Cell<bool>,
}

struct Script {
    file: String,
    library: Shared<Module>,
    names: Vec<String>,
    /// True if the script uses `this`.
    uses_this: bool,
    /// The interpreter's cache that maps calls to native functions. Reusing the cache for the next
    /// call makes calls twice as fast.
    caches: Cell<Option<Box<Caches>>>,
    program: Program,
}

/// The functions with one name in one script, which differ in the number of parameters.
struct FunctionVersions {
    owner: usize,
    forms: Vec<FunctionVersion>,
}

/// A function with its number of parameters, and its tree if it has one.
struct FunctionVersion {
    function: ScriptFn,
    /// The number of the function's tree in the script's program; `None` if the function has no
    /// tree.
    tree: Option<usize>,
    /// The construct in the function that a tree cannot express; `None` if there is none.
    reason: Option<UnsupportedConstruct>,
}

impl ScriptHost {
    /// Compiles `sources` for games with `settings`. `sources` has one entry for each mod, in the
    /// order of `catalogue`; the entry of a mod without a script is empty.
    ///
    /// # Errors
    /// Returns an error about the first script that cannot be parsed, is too large, contains a
    /// forbidden construct, or lacks a function named in the catalogue.
    pub fn new(
        catalogue: Arc<Catalogue>,
        sources: Arc<[ScriptSource]>,
        settings: &[SettingValue],
    ) -> Result<ScriptHost, Failure> {
        let core = Rc::new(Core::new(catalogue.clone(), settings));
        let mut engine = sandboxed_engine(&core);
        let natives = crate::api::register(&mut engine, &core);
        let mut compiled: Vec<(AST, Script)> = Vec::with_capacity(sources.len());
        for (i, source) in sources.iter().enumerate() {
            let script = compile_checked(&engine, &source.text, &source.file)?;
            if let Some(own) = core.constants.borrow_mut().get_mut(i) {
                *own = script.constants;
            }
            let library = script.ast.shared_lib().clone();
            let names = script.ast.iter_functions().map(|f| f.name.to_owned()).collect();
            let file = source.file.clone();
            let program = Program::default();
            let uses_this = script.uses_this;
            compiled.push((script.ast, Script { file, library, names, uses_this, caches: Cell::default(), program }));
        }
        let mut functions = Vec::with_capacity(catalogue.functions.len());
        for function in &catalogue.functions {
            let script = compiled.get(function.owner.idx());
            let form = |n| {
                Some(FunctionVersion {
                    function: ScriptFn::find(&script?.0, &function.name, n)?,
                    tree: None,
                    reason: None,
                })
            };
            let forms: Vec<FunctionVersion> = (0..=5).filter_map(form).collect();
            if forms.is_empty() {
                let file = script.map_or("", |(_, s)| s.file.as_str());
                let owner = catalogue.mods.get(function.owner.idx()).map_or("", |m| m.id.as_str());
                let message = format!("mod {owner} has no function `{}`", function.name);
                return Err(failure_at(message, file, Position::NONE));
            }
            functions.push(FunctionVersions { owner: function.owner.idx(), forms });
        }
        for (owner, (ast, script)) in compiled.iter_mut().enumerate() {
            let own = functions.iter_mut().filter(|f| f.owner == owner);
            let mut forms: Vec<&mut FunctionVersion> = own.flat_map(|f| &mut f.forms).collect();
            let find = |name: &str, n| {
                // Accepts only a plain function whose name and number of parameters are unique. A
                // function for one type, such as `fn int.double()`, may share both with a plain
                // function.
                let mut same = ast.iter_functions().filter(|f| f.name == name && f.params.len() == n);
                let is_plain = same.next().is_some_and(|f| f.this_type.is_none()) && same.next().is_none();
                ScriptFn::find(ast, name, n).filter(|_| is_plain)
            };
            let wanted = forms.iter().map(|f| (f.function.name.as_str(), f.function.params.len())).collect::<Vec<_>>();
            let trees = lower(&core, &natives, owner, &script.names, &find, &wanted, &mut script.program);
            for (form, tree) in forms.iter_mut().zip(trees) {
                // A script that uses `this` has no trees, because trees do not apply the higher
                // charge for operations of such a script.
                form.tree = tree.as_ref().ok().copied().filter(|_| !script.uses_this);
                form.reason = tree.err().or_else(|| script.uses_this.then(UnsupportedConstruct::this_elsewhere));
            }
        }
        let scripts = compiled.into_iter().map(|(_, script)| script).collect();
        let settings = settings.to_vec();
        Ok(ScriptHost { engine, core, sources, settings, scripts, functions, uses_trees: Cell::new(true) })
    }

    /// Chooses how to run functions that have a tree: as trees if `uses_trees` is true (the
    /// default), otherwise in the interpreter. The results are the same; tests compare them.
    pub fn use_trees(&self, uses_trees: bool) {
        self.uses_trees.set(uses_trees);
    }

    /// Returns a message about the first construct in a function that needs the interpreter; `None`
    /// if there is no such construct. A script that uses `this` anywhere has no trees, and then the
    /// message names `this`.
    pub fn interpreter_reason(&self, function: FnIdx) -> Option<Failure> {
        let FunctionVersions { owner, forms } = &self.functions[function.idx()];
        let (form, reason) = forms.iter().find_map(|form| Some((form, form.reason.as_ref()?)))?;
        let message = format!("{} needs the interpreter{}", reason.what, reason.advice());
        Some(failure_at(message, &self.scripts[*owner].file, reason.at.or_else(form.function.at)))
    }

    /// Returns the number of operations of the last outermost call, including its nested calls. If
    /// trees ran, this is an estimate that is never too low.
    pub fn n_operations(&self) -> u64 {
        self.core.budget.n_operations()
    }
}

impl Hooks for ScriptHost {
    fn call(&self, number: FnIdx, args: &[Value], call: &mut Call) -> Result<Value, Halt> {
        let function = &self.functions[number.idx()];
        let script = &self.scripts[function.owner];
        let Some(form) = function.forms.iter().find(|f| f.function.params.len() == args.len()) else {
            let ScriptFn { name, params, at, .. } = &function.forms[0].function;
            let message =
                format!("`{name}` must take {}, but it takes {}", counted(args.len(), "parameter"), params.len());
            return Err(Halt::Failed(failure_at(message, &script.file, *at)));
        };
        let depth = self.core.depth.get();
        if depth == 0 {
            self.core.budget.begin();
        } else if depth > MAX_NESTED {
            let message = "functions of mods query each other in a circle".to_owned();
            return Err(Halt::Failed(failure_at(message, &script.file, form.function.at)));
        }
        self.core.depth.set(depth + 1);
        let noting = self.core.trace.begin(number, args, call, depth);
        let n_lines = self.core.n_lines();
        // Grows the stack if necessary, because threads have stacks of different sizes.
        let run = |call: &mut Call| {
            stacker::maybe_grow(MIN_STACK_BYTES, 2 * MIN_STACK_BYTES, || self.run(script, form, args, call, depth == 0))
        };
        let mut result = run(call);
        if depth == 0 && self.core.budget.try_reset_clock() {
            self.roll_back(call, n_lines);
            result = run(call);
        }
        self.core.trace.end(noting, &result, call);
        self.core.depth.set(depth);
        result
    }

    fn returns_at_once(&self, number: FnIdx, state: &State) -> bool {
        let function = &self.functions[number.idx()];
        let [FunctionVersion { tree: Some(tree), .. }] = &*function.forms else { return false };
        // Traces contain all calls.
        let can_skip = self.uses_trees.get() && !self.core.trace.is_enabled();
        let owner = self.core.catalogue.functions[number.idx()].owner;
        can_skip && self.scripts[function.owner].program.returns_at_once(*tree, state, owner)
    }

    fn reset_budget(&self) {
        // Resets the depth, because a panic can leave an old value.
        self.core.depth.set(0);
        self.core.budget.reset_sums();
    }

    fn used_budget(&self) -> f64 {
        self.core.budget.used_share()
    }

    fn print(&self, line: &str) {
        self.core.print(line);
    }

    fn take_lines(&self) -> Vec<String> {
        self.core.take_lines()
    }

    fn set_tracing(&self, is_on: bool) -> Vec<TracedCall> {
        self.core.trace.set_enabled(is_on)
    }

    fn evaluate(&self, text: &str, call: &mut Call) -> Result<String, Halt> {
        let before = self.core.take_lines();
        let result = self.compile_console(call.owner.idx(), text).and_then(|(script, function)| {
            self.core.depth.set(1);
            self.core.budget.begin();
            let result = stacker::maybe_grow(MIN_STACK_BYTES, 2 * MIN_STACK_BYTES, || {
                self.interpret(&script, &function, &[], call)
            });
            self.core.depth.set(0);
            // Drops the position, because it refers to the text from the console and not to a file
            // of the mod.
            result.map_err(|halt| match halt {
                Halt::Failed(failure) => Halt::Failed(failure.message.into()),
                Halt::Asked => Halt::Asked,
            })
        });
        let lines = self.core.take_lines();
        before.iter().for_each(|line| self.core.print(line));
        result.map(|_| lines.join("\n"))
    }

    fn maker(&self) -> Option<HooksMaker> {
        let (catalogue, sources, settings) = (self.core.catalogue.clone(), self.sources.clone(), self.settings.clone());
        let uses_trees = self.uses_trees.get();
        Some(Box::new(move || {
            let host = ScriptHost::new(catalogue, sources, &settings)?;
            host.use_trees(uses_trees);
            Ok(Box::new(host))
        }))
    }
}

impl ScriptHost {
    /// Runs a function as a tree if the function has a tree. If there is no tree, or if the tree
    /// gives up, runs the function in the interpreter.
    fn run(
        &self,
        script: &Script,
        form: &FunctionVersion,
        args: &[Value],
        call: &mut Call,
        is_outermost: bool,
    ) -> Result<Value, Halt> {
        let (n_lines, n_operations) = (self.core.n_lines(), self.core.budget.n_operations());
        match form.tree.filter(|_| self.uses_trees.get()) {
            Some(tree) => match catch_panic(|| tree::run(&script.program, &self.core, call, tree, args)) {
                Ok(Ok(_)) if !wants_value(call) => return Ok(Value::Unit),
                Ok(Ok(value)) => {
                    if let Ok(value) = value.into_plain() {
                        return Ok(value);
                    }
                }
                Ok(Err(Bail::Asked)) => return Err(Halt::Asked),
                // If the tree panicked, the function also panics in the interpreter, which reports
                // the panic.
                Ok(Err(Bail::Interpret)) | Err(_) => {}
            },
            None => {
                let result = self.interpret(script, &form.function, args, call);
                // If nested functions ran as trees, the count of operations is an estimate, which
                // may be too high. Therefore, if an estimate has stopped the outermost function,
                // the function runs again below, without trees.
                if !(is_outermost && self.core.budget.halt_reason() == Some(HaltReason::Estimate)) {
                    return result;
                }
            }
        }
        self.roll_back(call, n_lines);
        match is_outermost {
            true => self.core.budget.reset_operations(),
            false => self.core.budget.set_n_operations(n_operations),
        }
        let used_trees = self.uses_trees.replace(false);
        let result = self.interpret(script, &form.function, args, call);
        self.uses_trees.set(used_trees);
        result
    }

    /// Undoes the changes of a call, so that it can run again. `n_lines` is the number of lines
    /// that were printed before the call.
    fn roll_back(&self, call: &mut Call, n_lines: usize) {
        call.roll_back();
        self.core.truncate_lines(n_lines);
        self.core.trace.discard_running_call();
    }

    /// Compiles an expression from the console as a function of mod `owner`. The function prints
    /// the result.
    fn compile_console(&self, owner: usize, text: &str) -> Result<(Script, ScriptFn), Halt> {
        // The braces allow statements too.
        let text = format!("fn console() {{ print({{ {text} }}) }}");
        let failed = |message: String| Halt::Failed(message.into());
        let own = compile_checked(&self.engine, &text, "").map_err(|failure| failed(failure.message))?;
        let function = ScriptFn::find(&own.ast, "console", 0);
        let function = function.ok_or_else(|| failed("this cannot be evaluated".to_owned()))?;
        // The expression can call the functions of the mod, and functions that the text itself
        // defines.
        let of_mod = &self.scripts[owner];
        let mut library = Module::clone(&of_mod.library);
        library.combine(Module::clone(own.ast.shared_lib()));
        let script = Script {
            file: of_mod.file.clone(),
            library: library.into(),
            names: of_mod.names.clone(),
            uses_this: of_mod.uses_this || own.uses_this,
            caches: Cell::default(),
            program: Program::default(),
        };
        Ok((script, function))
    }

    /// Runs a function in the interpreter.
    fn interpret(&self, script: &Script, function: &ScriptFn, args: &[Value], call: &mut Call) -> Result<Value, Halt> {
        let (state, own) = call.take_parts();
        let outer = self.core.replace_frame(Some(Box::new(CallFrame::new(state, own))));
        let outer_uses_this = self.core.budget.uses_this.replace(script.uses_this);
        let result = catch_panic(|| self.eval(script, function, args));
        self.core.budget.uses_this.set(outer_uses_this);
        let frame = self.core.replace_frame(outer);
        // A native function always returns the frame that it took.
        let Some(frame) = frame else { unreachable!("the running call was lost") };
        let CallFrame { state, own, noted } = *frame;
        call.restore_parts(state, own);
        match result {
            Ok(result) => self.finish(script, function, result, call, &noted),
            Err(panic) => Err(Halt::Failed(panic.into())),
        }
    }

    /// If the function succeeded, stores its changes of the script variable `mem` and returns its
    /// value.
    fn finish(
        &self,
        script: &Script,
        function: &ScriptFn,
        result: Result<Dynamic, Box<EvalAltResult>>,
        call: &mut Call,
        noted: &CallNotes,
    ) -> Result<Value, Halt> {
        let value = self.convert_result(script, function, result, call, noted)?;
        let failed = |message| self.failure(message, script, function, Position::NONE);
        if let Some(mem) = &noted.mem {
            mem.store(call).map_err(|refusal| match refusal {
                Refusal::Because(message) => failed(message),
                Refusal::Asked => failed("a question was asked".to_owned()),
            })?;
        }
        if !wants_value(call) {
            return Ok(Value::Unit);
        }
        value_of(&value).map_err(|what| failed(format!("`{}` cannot return {what}", function.name)))
    }

    /// Runs the body of a function as statements instead of as a function call. Running statements
    /// preserves the caches, and the positions of errors that stop a script.
    fn eval(&self, script: &Script, function: &ScriptFn, args: &[Value]) -> Result<Dynamic, Box<EvalAltResult>> {
        let mut scope = Scope::new();
        for (name, value) in function.params.iter().zip(args) {
            scope.push_dynamic(ImmutableString::clone(name), dynamic_of(value));
        }
        let mut global = self.engine.new_global_runtime_state();
        global.lib.push(script.library.clone());
        // Takes the cache out while it is in use, because functions can be nested.
        let mut caches = script.caches.take().unwrap_or_default();
        // Rhai marks this function as deprecated, but offers no other way to run statements.
        #[allow(deprecated)]
        let result = self.engine.eval_statements_raw(&mut global, &mut caches, &mut scope, &function.body);
        // Keeps the cache for the next call. Drops the entries of nested calls, because the next
        // call cannot use them.
        caches.rewind_fn_resolution_caches(1);
        script.caches.set(Some(caches));
        result
    }

    /// Converts the result of a script to the result of the call: a value, a question or a failure.
    fn convert_result(
        &self,
        script: &Script,
        function: &ScriptFn,
        result: Result<Dynamic, Box<EvalAltResult>>,
        call: &Call,
        noted: &CallNotes,
    ) -> Result<Dynamic, Halt> {
        let asked = matches!(&result, Err(error) if halt_reason(error) == Some(HaltReason::Asked));
        if call.is_unwinding() {
            if asked && !noted.swallowed {
                return Err(Halt::Asked);
            }
            let message = "the question asked here was swallowed: questions cannot be asked where errors are caught, such as in \
                           `dedup`, or in a list's function inside `try`";
            return Err(self.failure(message.to_owned(), script, function, noted.asked_at.unwrap_or(Position::NONE)));
        }
        // If the engine stopped the script, the call fails, even if the script caught the error
        // that stops it.
        match (result, self.core.budget.halt_reason()) {
            (Ok(value), None) => Ok(value),
            (result, Some(reason)) => {
                let at = result.err().map_or(Position::NONE, |error| innermost(&error).1);
                Err(self.failure(halt_message(reason, &self.core), script, function, at))
            }
            (Err(error), None) => {
                let (inner, at) = innermost(&error);
                let at = at.or_else(place_in(&function.body, inner));
                let names: Vec<&str> = script.names.iter().map(String::as_str).collect();
                let message = closure_message(&error, "").unwrap_or_else(|| message_of(inner, &self.core, &names));
                Err(self.failure(message, script, function, at))
            }
        }
    }

    fn failure(&self, message: String, script: &Script, function: &ScriptFn, at: Position) -> Halt {
        Halt::Failed(failure_at(message, &script.file, at.or_else(function.at)))
    }
}

/// Compiles a script. Returns an error if the script cannot be parsed, is too large or contains a
/// forbidden construct.
fn compile_checked(engine: &Engine, text: &str, file: &str) -> Result<CompiledScript, Failure> {
    if let Some(at) = scan(engine, text).too_many_at {
        return Err(failure_at(too_many_statements_message(), file, at));
    }
    let script = compile(engine, text, file).map_err(|error| parse_failure(&error, file))?;
    match forbidden_constructs(&script.ast).into_iter().next() {
        Some(refused) => Err(failure_at(refused.message, file, refused.at)),
        None => Ok(script),
    }
}

/// Returns whether the engine uses the return value. The engine ignores the return values of events
/// and of scoring functions, because scoring functions submit terms instead.
fn wants_value(call: &Call) -> bool {
    call.class != HookClass::Effect && call.unfinished_award().is_none()
}

/// Returns the reason why the engine stopped the script, if it did.
fn halt_reason(error: &EvalAltResult) -> Option<HaltReason> {
    match innermost(error).0 {
        EvalAltResult::ErrorTerminated(token, _) => token.clone().try_cast::<HaltReason>(),
        _ => None,
    }
}
