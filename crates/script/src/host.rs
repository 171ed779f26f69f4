//! The host: compiled scripts of all mods of a table, and running their functions for the engine.

use std::cell::Cell;
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::time::Duration;

use rhai::{
    AST, ASTNode, Caches, Dynamic, Engine, EvalAltResult, ImmutableString, Module, Position, Scope, Shared, Stmt,
};
use rules::{Call, Catalogue, Failure, FnIdx, Halt, HookClass, Hooks, SettingValue, Value};

use crate::compile::{ScriptSource, compile};
use crate::convert::{dynamic_of, value_of};
use crate::core::{Core, Frame, Halting};
use crate::direct::{self, Program, Stop, lower};
use crate::error_text::{failure_at, halting, innermost, message_of, parse_failure};

/// How deep functions of mods may ask about what other functions decide (`winners`, `value`, `is_complete`).
const MAX_NESTED: u32 = 4;

/// The functions of a table's mods, ready to run in one thread.
pub struct Host {
    inner: Rc<Inner>,
}

/// What the host holds. Native functions reach it weakly, so that they can ask what other mods have a say in.
pub(crate) struct Inner {
    engine: Engine,
    core: Rc<Core>,
    /// Compiled scripts, by mod.
    scripts: Vec<Script>,
    /// The script functions that the engine calls, by number: those of the name, with any number of parameters.
    functions: Vec<Function>,
    /// Whether functions that were lowered run without the interpreter.
    runs_directly: Cell<bool>,
}

struct Script {
    file: String,
    library: Shared<Module>,
    names: Vec<String>,
    /// Where the interpreter remembers which native function a call means. Kept from call to call, which makes calls twice as fast.
    caches: Cell<Option<Box<Caches>>>,
    /// What of it can be run without the interpreter.
    program: Program,
}

struct Function {
    owner: usize,
    forms: Vec<Form>,
}

/// A function with a certain number of parameters.
pub(crate) struct Form {
    name: String,
    pub params: Vec<ImmutableString>,
    pub body: Vec<Stmt>,
    at: Position,
    /// Its number in the script's program, if it can be run without the interpreter.
    direct: Option<usize>,
}

impl Form {
    fn find(ast: &AST, name: &str, n_params: usize) -> Option<Form> {
        let defined = ast.shared_lib().get_script_fn(name, n_params)?;
        // The interpreter does not show a function's statements but in a walk; so the function is looked at alone.
        let mut alone = Module::new();
        alone.set_script_fn(defined.clone());
        let mut body = Vec::new();
        AST::new([], alone).walk(&mut |path| {
            if let [ASTNode::Stmt(statement)] = path {
                body.push(Stmt::clone(statement));
            }
            true
        });
        let params = defined.params.iter().cloned().collect();
        Some(Form { name: name.to_owned(), params, body, at: defined.body.start_position(), direct: None })
    }
}

impl Host {
    /// Compiles `scripts`, one for each mod of `catalogue` in its order (empty where a mod has none), for a table with `settings`.
    pub fn new(
        catalogue: Arc<Catalogue>,
        scripts: &[ScriptSource],
        settings: &[SettingValue],
    ) -> Result<Host, Failure> {
        let core = Rc::new(Core::new(catalogue.clone(), settings));
        let mut engine = crate::engine::full(&core);
        let mut compiled: Vec<(AST, Script)> = Vec::with_capacity(scripts.len());
        for (i, source) in scripts.iter().enumerate() {
            let script = compile(&mut engine, &source.text, &source.file)
                .map_err(|error| parse_failure(&error, &source.file))?;
            if let Some(own) = core.constants.borrow_mut().get_mut(i) {
                *own = script.constants;
            }
            let library = script.ast.shared_lib().clone();
            let names = script.ast.iter_functions().map(|f| f.name.to_owned()).collect();
            let file = source.file.clone();
            let program = Program::default();
            compiled.push((script.ast, Script { file, library, names, caches: Cell::default(), program }));
        }
        let mut functions = Vec::with_capacity(catalogue.functions.len());
        for function in &catalogue.functions {
            let script = compiled.get(function.owner.idx());
            let form = |n| Form::find(&script?.0, &function.name, n);
            let forms: Vec<Form> = (0..=5).filter_map(form).collect();
            if forms.is_empty() {
                let file = script.map_or("", |(_, s)| s.file.as_str());
                let owner = catalogue.mods.get(function.owner.idx()).map_or("", |m| m.id.as_str());
                let message = format!("mod {owner} has no function `{}`", function.name);
                return Err(failure_at(message, file, Position::NONE));
            }
            functions.push(Function { owner: function.owner.idx(), forms });
        }
        for (owner, (ast, script)) in compiled.iter_mut().enumerate() {
            let own = functions.iter_mut().filter(|f| f.owner == owner);
            let mut forms: Vec<&mut Form> = own.flat_map(|f| &mut f.forms).collect();
            let find = |name: &str, n| {
                // A method of a certain type is another thing than a function of its name.
                let mut same = ast.iter_functions().filter(|f| f.name == name && f.params.len() == n);
                let is_plain = same.next().is_some_and(|f| f.this_type.is_none()) && same.next().is_none();
                Form::find(ast, name, n).filter(|_| is_plain)
            };
            let wanted: Vec<(&str, usize)> = forms.iter().map(|f| (f.name.as_str(), f.params.len())).collect();
            let numbers = lower(&core, owner, &script.names, &find, &wanted, &mut script.program);
            forms.iter_mut().zip(numbers).for_each(|(form, number)| form.direct = number);
        }
        let scripts = compiled.into_iter().map(|(_, script)| script).collect();
        let inner = Rc::new(Inner { engine, core, scripts, functions, runs_directly: Cell::new(true) });
        let weak: Weak<Inner> = Rc::downgrade(&inner);
        *inner.core.host.borrow_mut() = weak;
        Ok(Host { inner })
    }

    /// Stops functions that take longer than `limit`. This is an emergency stop: it never enters a log.
    pub fn set_time_limit(&self, limit: Duration) {
        self.inner.core.time_limit.set(limit);
    }

    /// Whether functions that can do without the interpreter run without it, as they do at first. The results are the same; tests hold the
    /// two ways against each other.
    pub fn run_directly(&self, directly: bool) {
        self.inner.runs_directly.set(directly);
    }

    /// Whether a function can do without the interpreter.
    pub fn runs_without_interpreter(&self, function: FnIdx) -> bool {
        self.inner.functions[function.idx()].forms.iter().all(|form| form.direct.is_some())
    }
}

impl Hooks for Host {
    fn call(&self, function: FnIdx, args: &[Value], call: &mut Call) -> Result<Value, Halt> {
        self.inner.call(function, args, call)
    }

    fn take_lines(&self) -> Vec<String> {
        self.inner.core.take_lines()
    }
}

impl Hooks for Inner {
    fn call(&self, function: FnIdx, args: &[Value], call: &mut Call) -> Result<Value, Halt> {
        let function = &self.functions[function.idx()];
        let script = &self.scripts[function.owner];
        let Some(form) = function.forms.iter().find(|f| f.params.len() == args.len()) else {
            let form = &function.forms[0];
            let message =
                format!("`{}` must take {} parameters, it takes {}", form.name, args.len(), form.params.len());
            return Err(Halt::Failed(failure_at(message, &script.file, form.at)));
        };
        let depth = self.core.depth.get();
        if depth == 0 {
            self.core.begin_count();
        } else if depth > MAX_NESTED {
            let message = "functions ask about what each other decide, in a circle".to_owned();
            return Err(Halt::Failed(failure_at(message, &script.file, form.at)));
        }
        // Scoring functions submit their terms; what they return means nothing. Neither does what events return.
        let wants_value = call.power != HookClass::Event && call.scored().is_none();
        if let Some(number) = form.direct.filter(|_| self.runs_directly.get()) {
            let (n_lines, n_operations) = (self.core.n_lines(), self.core.n_operations());
            self.core.depth.set(depth + 1);
            let ended = direct::run(&script.program, &self.core, call, number, args);
            self.core.depth.set(depth);
            match ended {
                Ok(_) if !wants_value => return Ok(Value::Unit),
                Ok(value) => {
                    if let Ok(value) = value.into_plain() {
                        return Ok(value);
                    }
                }
                Err(Stop::Asked) => return Err(Halt::Asked),
                Err(Stop::Trouble) => {}
            }
            // The interpreter knows better, or at least what to say about it.
            if !call.begin_again() {
                let message = "the call cannot begin again".to_owned();
                return Err(Halt::Failed(failure_at(message, &script.file, form.at)));
            }
            self.core.forget_lines(n_lines);
            self.core.go_back_to(n_operations);
        }
        let (state, own) = call.lend();
        let frame = Box::new(Frame { state, own, mem: None, asked_at: Position::NONE, swallowed: false });
        let outer = self.core.exchange(Some(frame));
        self.core.depth.set(depth + 1);
        let result = self.run(script, form, args);
        self.core.depth.set(depth);
        let frame = self.core.exchange(outer);
        // A native function always puts back what it took.
        let Some(frame) = frame else { unreachable!("the running call was lost") };
        let Frame { state, own, mem, asked_at, swallowed } = *frame;
        call.give_back(state, own);
        let value = self.judge(script, form, result, call, asked_at, swallowed)?;
        if let Some(mem) = mem {
            let failed = |message| self.failed(message, script, form, Position::NONE);
            mem.store(call).map_err(failed)?;
        }
        if !wants_value {
            return Ok(Value::Unit);
        }
        value_of(&value)
            .map_err(|what| self.failed(format!("`{}` cannot return {what}", form.name), script, form, Position::NONE))
    }
}

impl Inner {
    /// Runs the body of a function.
    ///
    /// The body is run as statements and not as a function call: errors that end a script keep their position only so, and the caches
    /// can be kept.
    fn run(&self, script: &Script, form: &Form, args: &[Value]) -> Result<Dynamic, Box<EvalAltResult>> {
        let mut scope = Scope::new();
        for (name, value) in form.params.iter().zip(args) {
            scope.push_dynamic(ImmutableString::clone(name), dynamic_of(value));
        }
        let mut global = self.engine.new_global_runtime_state();
        global.lib.push(script.library.clone());
        // Taken out while it is used: functions can be nested.
        let mut caches = script.caches.take().unwrap_or_default();
        // Deprecated only in name: there is no other way to run statements.
        #[allow(deprecated)]
        let result = self.engine.eval_statements_raw(&mut global, &mut caches, &mut scope, &form.body);
        // A function that has asked runs again soon. What deeper levels have remembered means nothing to the next call.
        caches.rewind_fn_resolution_caches(1);
        script.caches.set(Some(caches));
        result
    }

    /// What the end of a script means.
    fn judge(
        &self,
        script: &Script,
        form: &Form,
        result: Result<Dynamic, Box<EvalAltResult>>,
        call: &Call,
        asked_at: Position,
        swallowed: bool,
    ) -> Result<Dynamic, Halt> {
        let asked = matches!(&result, Err(error) if halted(error) == Some(Halting::Asked));
        if call.is_unwinding() {
            if asked && !swallowed {
                return Err(Halt::Asked);
            }
            let message = "the question asked here was swallowed: questions cannot be asked where errors are caught, such as in a \
                           sort, or in a list's function inside `try`";
            return Err(self.failed(message.to_owned(), script, form, asked_at));
        }
        // An emergency stop that was swallowed still counts.
        match (result, self.core.halted.get()) {
            (Ok(value), None) => Ok(value),
            (Ok(_), Some(why)) => Err(self.failed(halting(why, &self.core), script, form, Position::NONE)),
            (Err(error), _) => {
                let (inner, at) = innermost(&error);
                let names: Vec<&str> = script.names.iter().map(String::as_str).collect();
                Err(self.failed(message_of(inner, &self.core, &names), script, form, at))
            }
        }
    }

    fn failed(&self, message: String, script: &Script, form: &Form, at: Position) -> Halt {
        Halt::Failed(failure_at(message, &script.file, at.or_else(form.at)))
    }
}

/// Why a script was ended from outside, if it was.
fn halted(error: &EvalAltResult) -> Option<Halting> {
    match innermost(error).0 {
        EvalAltResult::ErrorTerminated(token, _) => token.clone().try_cast::<Halting>(),
        _ => None,
    }
}
