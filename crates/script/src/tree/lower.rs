//! Lowering: converts the interpreter's syntax tree to a tree that can run directly, if possible.
//!
//! The file is long because it handles every form of the language: it lowers the form or gives the
//! reason why it cannot.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use rhai::{
    ASTFlags, Array, Dynamic, Expr as Syntax, FlowControl, FnCallExpr, FnPtr, Ident, ImmutableString, Map,
    OpAssignment, Position, Stmt,
};
use rules::{Scope, Value};

use super::guard::Guard;
use super::program::{LoweredFunction, Program};
use super::{Block, Builtin, Expr, IterationMethod, Op, RemovalMethod, Statement};
use crate::compile::{RESERVED, ScriptFn};
use crate::convert::value_of;
use crate::copied_roots::copied_variable;
use crate::core::Core;
use crate::memory::SCOPES;
use crate::natives::{MAX_PARAMS, Natives, Overloads};
use crate::script_value::ScriptValue;

/// The description of a construct in which the interpreter's order of evaluation matters.
const ORDER: &str = "a change or a question among the arguments of a chain or of `mem`";
/// The description of a loop with a second variable, its counter.
const COUNTING_LOOP: &str = "a loop with a counter";
/// The description of an assignment inside an expression, where the order of evaluation matters.
const ASSIGNMENT_INSIDE: &str = "an assignment within an expression or a closure";
/// The description of a change of `mem` that a tree cannot make.
const PART_OF_MEMORY: &str = "a change of `mem` other than `mem.<scope>.<name> = ...`";
/// The description of a closure that may read the list over which it runs.
const LIST_IN_MEMORY: &str = "a closure over a list in `mem`";
/// The description of a change of a nested list or map, which a tree cannot make.
const PART_OF_PART: &str = "an assignment to an item of a nested list or map";
/// The description of a change of a value that is not in a variable.
const PART_OF_RESULT: &str = "an assignment to a part of a value that is not a variable";
/// The description of a change of a list within a closure.
const CHANGE_INSIDE: &str = "a change of a list or map within an expression or a closure, or of a constant";
/// The description of a closure in a variable.
const STORED_FUNCTION: &str = "a function stored in a variable, not written in the brackets of `filter`, `map`, `some`, `all`, `most`, `least` or `sum`,";
/// The description of a closure whose variable has two meanings.
const CAPTURED: &str = "a closure that uses the list on which it runs, or a variable with the name of a constant,";
/// The description of a function that uses `this`.
const THIS: &str = "a script that uses `this` in any function";
/// The description of constants of types that trees do not have.
const LETTER: &str = "a character in single quotes, or a constant of another type";
/// The description of a function with many variables.
const TOO_MANY_VARIABLES: &str = "a function with more than 64 variables";
/// The maximum number of variables of a lowered function. With more, the function comes near the
/// interpreter's limit, so the interpreter runs it and checks the limit.
const MAX_SLOTS: usize = 64;
/// The maximum nesting depth of functions while they are lowered: lowering a function also lowers
/// the functions that it calls. The limit bounds the stack that loading a script needs.
const MAX_NESTED: usize = 24;

/// A construct that only the interpreter can run, and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct UnsupportedConstruct {
    /// The description of the construct in messages.
    pub what: Cow<'static, str>,
    pub at: Position,
}

/// The slot of a closure's parameter, the slots of the variables that it captures, and the
/// constants that it uses.
type ClosureSlots = (usize, Box<[usize]>, Box<[ScriptValue]>);

type Lowered<T> = Result<T, UnsupportedConstruct>;

/// Makes the reason why a construct cannot be lowered. The innermost enclosing expression or
/// statement adds the position.
fn unsupported(what: impl Into<Cow<'static, str>>) -> UnsupportedConstruct {
    UnsupportedConstruct { what: what.into(), at: Position::NONE }
}

/// The description of a closure outside a call that iterates over a list.
const CLOSURE: &str =
    "a function that is not written in the brackets of `filter`, `map`, `some`, `all`, `most`, `least` or `sum`";

impl UnsupportedConstruct {
    /// Returns advice on other ways to write the construct.
    pub(crate) fn advice(&self) -> &'static str {
        match &*self.what {
            CLOSURE | STORED_FUNCTION => "; write the closure in such brackets, or use a `for` loop",
            LIST_IN_MEMORY => "; copy the list into a variable first: `let list = mem.game.list;`",
            PART_OF_MEMORY => {
                "; copy the value into a variable, change the variable, and assign it to `mem.<scope>.<name>`"
            }
            PART_OF_PART => "; read the inner list or map into a variable, change the variable, and store it again",
            PART_OF_RESULT => "; store the value in a variable, and change the variable",
            ASSIGNMENT_INSIDE | CHANGE_INSIDE => "; write a `for` loop, and the change as a statement of its own",
            COUNTING_LOOP => "; count in a variable: `let n = 0; for it in list { n += 1; }`",
            ORDER => "; store the result in a variable first: `let choice = ask(...);`",
            THIS => "; give the function a parameter and write the parameter instead",
            LETTER => "; write a text in double quotes",
            CAPTURED => "; give the variable another name, or copy the list: `let copy = list;`",
            TOO_MANY_VARIABLES => "; move a part into a function of its own",
            "`switch`" => "; write `if ... else if ...`",
            "`??`" => "; write `if it != () { it } else { ... }`",
            "`?.` or `?[`" => "; test `it != ()` first",
            "`try`" => "; test first whether the values are there, such as `if it != () { ... }`",
            "`do`" => "; write `while true { ... if done { break; } }`",
            "`break` with a value" => "; set a variable, and write `break;`",
            "a block by itself" | "a block within an expression" => "; move the block into a function of its own",
            "`.insert`" => "; make a new list with `push`, or write `map.key = value;`",
            "`.keys`" | "`.values`" => "; keep the keys in a list of their own",
            "`.sort`" | "`.reduce`" | "`.for_each`" | "`.find`" | "`.index_of`" | "`.retain`" | "`.find_map`"
            | "`.drain`" | "`.dedup`" | "`.zip`" | "`.reverse`" | "`.append`" | "`.truncate`" | "`.extract`" => {
                "; write a `for` loop, or `filter`, `map`, `some`, `all`, `most`, `least` or `sum`"
            }
            _ => "; if the function is called often, keep this in a function that is called less often",
        }
    }

    /// Returns the reason why no function of a script with `this` runs as a tree.
    pub(crate) fn this_elsewhere() -> UnsupportedConstruct {
        unsupported(THIS)
    }

    /// Sets the position, unless a more exact one is known.
    fn or_at(self, at: Position) -> UnsupportedConstruct {
        UnsupportedConstruct { at: self.at.or_else(at), ..self }
    }
}

/// The state of lowering a script.
struct Lowering<'s> {
    core: &'s Core,
    natives: &'s Natives,
    /// The index of the mod that owns the script.
    owner: usize,
    /// Finds a function of the script by its name and number of parameters.
    find: &'s dyn Fn(&str, usize) -> Option<ScriptFn>,
    /// Names of all functions of the script.
    names: &'s [String],
    program: &'s mut Program,
    /// The functions that are lowered or being lowered, by name and number of parameters. The value
    /// is the number of the function in the program, or the reason why the function cannot be
    /// lowered.
    known: HashMap<(String, usize), Lowered<usize>>,
    /// The number of functions that are being lowered.
    depth: usize,
}

/// Lowers the functions in `wanted` and the functions that they call. `wanted` contains the name
/// and the number of parameters of each function. Returns for each function in `wanted` its number
/// in the program, or the reason why only the interpreter can run it.
pub(crate) fn lower(
    core: &Core,
    natives: &Natives,
    owner: usize,
    names: &[String],
    find: &dyn Fn(&str, usize) -> Option<ScriptFn>,
    wanted: &[(&str, usize)],
    program: &mut Program,
) -> Vec<Lowered<usize>> {
    let mut lowering = Lowering { core, natives, owner, find, names, program, known: HashMap::new(), depth: 0 };
    let numbers: Vec<Lowered<usize>> = wanted.iter().map(|(name, n)| lowering.function(name, *n)).collect();
    // A recursive call assumes that the function being lowered gets a body. If the function has no
    // body in the end, the call cannot be lowered.
    let lowered = |n: &usize| program.functions[*n].body.is_some();
    let check = |number: Lowered<usize>| match number {
        Ok(n) if !lowered(&n) => Err(unsupported("a function that it calls")),
        number => number,
    };
    numbers.into_iter().map(check).collect()
}

impl Lowering<'_> {
    fn function(&mut self, name: &str, n_params: usize) -> Lowered<usize> {
        let key = (name.to_owned(), n_params);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let overloaded = || unsupported(format!("`{name}` with versions for different types"));
        let form = (self.find)(name, n_params).ok_or_else(overloaded)?;
        if self.depth == MAX_NESTED {
            return Err(unsupported(format!("functions that call each other more than {MAX_NESTED} deep")));
        }
        let number = self.program.functions.len();
        self.program.functions.push(LoweredFunction { n_slots: 0, body: None, guard: None });
        self.known.insert(key.clone(), Ok(number));
        self.depth += 1;
        let lowered = self.body(&form);
        self.depth -= 1;
        match lowered {
            Ok(function) => self.program.functions[number] = function,
            Err(reason) => {
                self.known.insert(key, Err(reason.clone()));
                return Err(reason);
            }
        }
        Ok(number)
    }

    fn body(&mut self, form: &ScriptFn) -> Lowered<LoweredFunction> {
        let mut scope = FunctionLowering {
            lowering: self,
            visible: Vec::new(),
            constants: Vec::new(),
            n_slots: 0,
            in_expression: 0,
        };
        for param in &form.params {
            scope.declare(param);
        }
        let body = scope.block(&form.body)?;
        let n_slots = scope.n_slots;
        if n_slots > MAX_SLOTS {
            Err(unsupported(TOO_MANY_VARIABLES))
        } else {
            Ok(LoweredFunction { n_slots, guard: Guard::of(&body), body: Some(body) })
        }
    }
}

/// The state of lowering a function. `visible` contains its variables with their slots, the
/// innermost last.
struct FunctionLowering<'l, 's> {
    lowering: &'l mut Lowering<'s>,
    visible: Vec<(ImmutableString, usize)>,
    /// The slots whose values the script may not change.
    constants: Vec<usize>,
    n_slots: usize,
    /// The number of expressions around the current block. A block within an expression may not set
    /// variables, because arguments of the expression are read in place, without a copy.
    in_expression: usize,
}

/// One link of a chain such as `a.b(c)[d]`.
enum ChainLink<'e> {
    Property(&'e ImmutableString),
    Method(&'e FnCallExpr),
    Index(&'e Syntax),
}

/// The beginning of a chain, such as `a` in `a.b(c)[d]`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ChainRoot {
    Slot(usize),
    Memory,
    Elsewhere,
}

impl FunctionLowering<'_, '_> {
    fn declare(&mut self, name: &ImmutableString) -> usize {
        let slot = self.n_slots;
        self.n_slots += 1;
        self.visible.push((name.clone(), slot));
        slot
    }

    fn slot(&self, name: &str) -> Option<usize> {
        self.visible.iter().rev().find(|(n, _)| n == name).map(|(_, slot)| *slot)
    }

    fn natives(&self, name: &str, n: usize) -> Overloads {
        self.lowering.natives.find(name, n)
    }

    fn block(&mut self, statements: &[Stmt]) -> Lowered<Block> {
        let outer = self.visible.len();
        let steps: Lowered<Vec<Statement>> = statements.iter().map(|s| self.step(s)).collect();
        self.visible.truncate(outer);
        Ok(steps?.into())
    }

    fn step(&mut self, statement: &Stmt) -> Lowered<Statement> {
        self.lower_step(statement).map_err(|reason| reason.or_at(statement.position()))
    }

    fn lower_step(&mut self, statement: &Stmt) -> Lowered<Statement> {
        Ok(match statement {
            // An empty statement has a value, too: `()`.
            Stmt::Noop(_) => Statement::Do(Expr::Const(ScriptValue::UNIT)),
            Stmt::Expr(expr) => match self.change_of_list(expr)? {
                Some(change) => change,
                None => Statement::Do(self.expr(expr)?),
            },
            Stmt::FnCall(call, _) => Statement::Do(self.call(call)?),
            Stmt::Var(var, flags, _) => {
                // In the initial value of a variable, the variable's name still has its earlier
                // meaning.
                let removal = self.removal(&var.1)?;
                let value = if removal.is_none() { Some(self.expr(&var.1)?) } else { None };
                let slot = self.declare(&var.0.name);
                if flags.contains(ASTFlags::CONSTANT) {
                    self.constants.push(slot);
                }
                match (removal, value) {
                    (Some((from, removal, key)), _) => Statement::Remove(from, removal, key, Some(slot)),
                    (None, Some(value)) => Statement::Set(slot, value),
                    (None, None) => return Err(unsupported("this declaration")),
                }
            }
            Stmt::Assignment(assignment) => self.assignment(&assignment.0, &assignment.1.lhs, &assignment.1.rhs)?,
            Stmt::If(flow, _) => {
                let (condition, then, otherwise) = self.branches(flow)?;
                Statement::If(condition, then, otherwise)
            }
            Stmt::For(header, _) => {
                let (name, counter, flow) = &**header;
                if counter.is_some() {
                    return Err(unsupported(COUNTING_LOOP));
                }
                let range = self.range(&flow.expr)?;
                let list = if range.is_none() { Some(self.expr(&flow.expr)?) } else { None };
                let outer = self.visible.len();
                let slot = self.declare(&name.name);
                let body = self.block(flow.body.statements())?;
                self.visible.truncate(outer);
                match (range, list) {
                    (Some((from, to)), _) => Statement::Count(slot, from, to, body),
                    (None, Some(list)) => Statement::For(slot, list, body),
                    (None, None) => return Err(unsupported("this loop")),
                }
            }
            Stmt::While(flow, _) => {
                let condition = match &flow.expr {
                    Syntax::Unit(_) => Expr::Const(ScriptValue::truth(true)),
                    condition => self.expr(condition)?,
                };
                Statement::While(condition, self.block(flow.body.statements())?)
            }
            Stmt::BreakLoop(None, flags, _) if flags.contains(ASTFlags::BREAK) => Statement::Break,
            Stmt::BreakLoop(None, _, _) => Statement::Continue,
            Stmt::Return(value, flags, _) if !flags.contains(ASTFlags::BREAK) => match value {
                Some(value) => Statement::Return(self.expr(value)?),
                None => Statement::Return(Expr::Const(ScriptValue::UNIT)),
            },
            other => return Err(unsupported(statement_name(other))),
        })
    }

    /// Lowers `list.push(item)` and removals such as `list.remove(0)` as whole statements; returns
    /// `None` for other expressions. Does not lower them within a larger expression, because the
    /// order of reads would matter there.
    fn change_of_list(&mut self, expr: &Syntax) -> Lowered<Option<Statement>> {
        if let Some((from, removal, key)) = self.removal(expr)? {
            return Ok(Some(Statement::Remove(from, removal, key, None)));
        }
        let Ok((base, links)) = chain(expr) else { return Ok(None) };
        let [ChainLink::Method(call)] = &links[..] else { return Ok(None) };
        let slot = variable_of(base).and_then(|name| self.slot(name));
        let (Some(slot), "push", [item]) = (slot, call.name.as_str(), &call.args[..]) else { return Ok(None) };
        if self.in_expression > 0 || self.constants.contains(&slot) || self.is_own("push") {
            return Err(unsupported(CHANGE_INSIDE));
        }
        Ok(Some(Statement::Push(slot, self.expr(item)?)))
    }

    /// Lowers `list.remove(index)`, `map.remove(key)`, `list.pop()` and `list.shift()` of a
    /// variable. Returns the slot of the variable, the way to remove, and the index or key; `None`
    /// for other expressions.
    fn removal(&mut self, expr: &Syntax) -> Lowered<Option<(usize, RemovalMethod, Expr)>> {
        let Ok((base, links)) = chain(expr) else { return Ok(None) };
        let [ChainLink::Method(call)] = &links[..] else { return Ok(None) };
        let Some(slot) = variable_of(base).and_then(|name| self.slot(name)) else { return Ok(None) };
        let name = call.name.as_str();
        let (removal, key) = match (name, &call.args[..]) {
            ("remove", [key]) => (RemovalMethod::Remove, Some(key)),
            ("pop", []) => (RemovalMethod::Pop, None),
            ("shift", []) => (RemovalMethod::Shift, None),
            _ => return Ok(None),
        };
        if self.in_expression > 0 || self.constants.contains(&slot) || self.is_own(name) {
            return Err(unsupported(CHANGE_INSIDE));
        }
        let key = key.map_or(Ok(Expr::Const(ScriptValue::UNIT)), |key| self.expr(key))?;
        Ok(Some((slot, removal, key)))
    }

    /// Returns whether the script has a function of this name. The script's own functions take
    /// precedence over native functions.
    fn is_own(&self, name: &str) -> bool {
        self.lowering.names.iter().any(|own| own == name)
    }

    /// Returns the start and the exclusive end if the expression is a range such as `1..5`.
    fn range(&mut self, expr: &Syntax) -> Lowered<Option<(Expr, Expr)>> {
        let number = |n: i64| Expr::Const(ScriptValue::number(n));
        match expr {
            Syntax::FnCall(call, _) if call.name == ".." && call.args.len() == 2 => {
                Ok(Some((self.expr(&call.args[0])?, self.expr(&call.args[1])?)))
            }
            Syntax::DynamicConstant(value, _) => {
                Ok(value.read_lock::<Range<i64>>().map(|range| (number(range.start), number(range.end))))
            }
            _ => Ok(None),
        }
    }

    fn branches(&mut self, flow: &FlowControl) -> Lowered<(Expr, Block, Block)> {
        let condition = self.expr(&flow.expr)?;
        Ok((condition, self.block(flow.body.statements())?, self.block(flow.branch.statements())?))
    }

    fn assignment(&mut self, op: &OpAssignment, to: &Syntax, value: &Syntax) -> Lowered<Statement> {
        if self.in_expression > 0 {
            return Err(unsupported(ASSIGNMENT_INSIDE));
        }
        let value = self.expr(value)?;
        let change = match op.get_op_assignment_info() {
            Some((.., syntax)) => Some(operator(syntax).ok_or_else(|| unsupported(format!("`{syntax}=`")))?),
            None => None,
        };
        if let Some(name) = variable_of(to) {
            let slot = self.slot(name).ok_or_else(|| unsupported(format!("an assignment to `{name}`")))?;
            return Ok(match change {
                Some(op) => Statement::Change(slot, op, value),
                None => Statement::Set(slot, value),
            });
        }
        let (base, links) = chain(to)?;
        match (self.memory_scope(base, links.first()), &links[..], change) {
            (Some(scope), [_, key], None) => Ok(Statement::Remember(scope, self.memory_key(key)?, value)),
            (Some(_), ..) => Err(unsupported(PART_OF_MEMORY)),
            (None, [link], change) => {
                let slot = variable_of(base).and_then(|name| self.slot(name));
                let slot = slot.filter(|slot| !self.constants.contains(slot));
                let slot = slot.ok_or_else(|| unsupported(PART_OF_RESULT))?;
                let key = match link {
                    ChainLink::Property(name) => Expr::Const(text_const(name)),
                    ChainLink::Index(key) => self.expr(key)?,
                    ChainLink::Method(_) => return Err(unsupported("this assignment")),
                };
                Ok(Statement::SetPart(slot, key, change, value))
            }
            (None, ..) => Err(unsupported(PART_OF_PART)),
        }
    }

    /// Returns the scope if a chain begins with a scope of `mem`, such as `mem.turn`.
    fn memory_scope(&self, base: &Syntax, first: Option<&ChainLink<'_>>) -> Option<Scope> {
        let is_memory = variable_of(base) == Some("mem") && self.slot("mem").is_none();
        match first {
            Some(ChainLink::Property(name)) if is_memory => {
                SCOPES.iter().find(|(scope, _)| *scope == name.as_str()).map(|(_, scope)| *scope)
            }
            _ => None,
        }
    }

    /// Lowers `mem.turn.name`, `mem.turn[name]` or `mem.turn.get(name, default)`.
    fn memory(&mut self, scope: Scope, link: &ChainLink<'_>) -> Lowered<Expr> {
        match link {
            ChainLink::Method(call) if call.name == "get" && !self.is_own("get") => {
                let [key, default] = &call.args[..] else { return Err(unsupported("`get` with other arguments")) };
                let both = [self.expr(key)?, self.expr(default)?];
                // The interpreter evaluates both arguments before it reads `mem`.
                if both.iter().all(Expr::is_read_only) {
                    Ok(Expr::MemoryOr(scope, Box::new(both)))
                } else {
                    Err(unsupported(ORDER))
                }
            }
            link => Ok(Expr::Memory(scope, Box::new(self.memory_key(link)?))),
        }
    }

    fn memory_key(&mut self, link: &ChainLink<'_>) -> Lowered<Expr> {
        match link {
            ChainLink::Property(name) => Ok(Expr::Const(text_const(name))),
            ChainLink::Index(key) => self.expr(key),
            ChainLink::Method(call) => Err(unsupported(format!("`mem.<scope>.{}`", call.name))),
        }
    }

    fn exprs<'e>(&mut self, all: impl IntoIterator<Item = &'e Syntax>) -> Lowered<Box<[Expr]>> {
        all.into_iter().map(|it| self.expr(it)).collect()
    }

    fn expr(&mut self, expr: &Syntax) -> Lowered<Expr> {
        self.lower_expr(expr).map_err(|reason| reason.or_at(expr.position()))
    }

    fn lower_expr(&mut self, expr: &Syntax) -> Lowered<Expr> {
        Ok(match expr {
            Syntax::Unit(_) => Expr::Const(ScriptValue::UNIT),
            Syntax::BoolConstant(value, _) => Expr::Const(ScriptValue::truth(*value)),
            Syntax::IntegerConstant(value, _) => Expr::Const(ScriptValue::number(*value)),
            Syntax::StringConstant(text, _) => Expr::Const(text_const(text)),
            Syntax::DynamicConstant(value, _) => Expr::Const(plain(value)?.into()),
            Syntax::Variable(..) => self.variable(variable_of(expr).ok_or_else(|| unsupported("this name"))?)?,
            Syntax::Array(items, _) => Expr::List(self.exprs(items.iter())?),
            Syntax::Map(parts, _) => {
                let entry = |(key, value): &(Ident, Syntax)| Ok((key.name.as_str().into(), self.expr(value)?));
                let known = parts.1.iter().map(|(key, value)| Ok((key.as_str().into(), plain(value)?)));
                let known = known.collect::<Lowered<_>>()?;
                Expr::Map(known, parts.0.iter().map(entry).collect::<Lowered<_>>()?)
            }
            Syntax::InterpolatedString(parts, _) => Expr::Text(self.exprs(parts.iter())?),
            Syntax::And(all, _) => Expr::And(self.exprs(all.iter())?),
            Syntax::Or(all, _) => Expr::Or(self.exprs(all.iter())?),
            Syntax::FnCall(call, _) => self.call(call)?,
            Syntax::Dot(..) | Syntax::Index(..) => self.chain(expr)?,
            Syntax::Stmt(block) => match block.statements() {
                [Stmt::If(flow, _)] => {
                    self.in_expression += 1;
                    let lowered = self.branches(flow);
                    self.in_expression -= 1;
                    Expr::If(Box::new(lowered?))
                }
                [Stmt::Share(_), ..] => return Err(unsupported(CLOSURE)),
                [statement] => return Err(unsupported(statement_name(statement)).or_at(statement.position())),
                _ => return Err(unsupported("a block within an expression")),
            },
            Syntax::ThisPtr(_) => return Err(unsupported(THIS)),
            Syntax::Coalesce(..) => return Err(unsupported("`??`")),
            _ => return Err(unsupported("this expression")),
        })
    }

    fn variable(&mut self, name: &str) -> Lowered<Expr> {
        if let Some(slot) = self.slot(name) {
            return Ok(Expr::Slot(slot));
        }
        match name {
            "turn" => return Ok(Expr::Const(ScriptValue::Turn)),
            "nobody" => return Ok(Expr::Const(ScriptValue::UNIT)),
            _ => {}
        }
        let constant = self.constant(name).ok_or_else(|| unsupported(format!("`{name}`")))?;
        Ok(Expr::Const(plain(&constant)?.into()))
    }

    /// Returns the value of the constant `name` at the top of the script, if there is one.
    fn constant(&self, name: &str) -> Option<Dynamic> {
        let constants = self.lowering.core.constants.borrow();
        let own = constants.get(self.lowering.owner)?;
        own.iter().find(|(n, _)| n == name).map(|(_, value)| value.clone())
    }

    /// Lowers a function call or an operator.
    fn call(&mut self, call: &FnCallExpr) -> Lowered<Expr> {
        if call.capture_parent_scope || !call.namespace.is_empty() || call.args.len() > MAX_PARAMS {
            return Err(unsupported(format!("this call of `{}`", call.name)));
        }
        let (name, args) = (call.name.as_str(), &call.args[..]);
        if call.op_token.is_some() || name == "contains" {
            let own = || unsupported(format!("`{name}`, which the script redefines,"));
            return if self.is_own(name) { Err(own()) } else { self.operator(name, args) };
        }
        if self.is_own(name) {
            let function = self.lowering.function(name, args.len())?;
            return Ok(Expr::Call(function, self.exprs(args)?));
        }
        let natives = self.natives(name, args.len());
        let own = match (name, args.len()) {
            ("min", 2) => Builtin::Min,
            ("max", 2) => Builtin::Max,
            _ if natives.is_empty() => return Err(unsupported(format!("`{name}`"))),
            _ => Builtin::None,
        };
        Ok(Expr::Native(own, natives, self.exprs(args)?))
    }

    fn operator(&mut self, name: &str, args: &[Syntax]) -> Lowered<Expr> {
        match (name, args) {
            ("!", [of]) => Ok(Expr::Not(Box::new(self.expr(of)?))),
            ("-", [of]) => Ok(Expr::Negative(Box::new(self.expr(of)?))),
            // `key in mem.turn`
            ("contains", [of, key]) => {
                if let Ok((base, links)) = chain(of)
                    && let (Some(scope), 1) = (self.memory_scope(base, links.first()), links.len())
                {
                    let key = self.expr(key)?;
                    // The interpreter reads `mem` before it evaluates the key.
                    return if key.is_read_only() {
                        Ok(Expr::Remembers(scope, Box::new(key)))
                    } else {
                        Err(unsupported(ORDER))
                    };
                }
                Ok(Expr::Native(Builtin::Contains, self.natives("contains", 2), self.exprs(args)?))
            }
            (name, [a, b]) => {
                let op = operator(name).ok_or_else(|| unsupported(format!("`{name}`")))?;
                let both = Box::new([self.expr(a)?, self.expr(b)?]);
                Ok(Expr::Binary(op, both))
            }
            (name, _) => Err(unsupported(format!("`{name}`"))),
        }
    }

    fn chain(&mut self, expr: &Syntax) -> Lowered<Expr> {
        let (base, links) = chain(expr)?;
        let mut links = &links[..];
        let root = match variable_of(base) {
            _ if is_copied(base) => ChainRoot::Elsewhere,
            _ if self.memory_scope(base, links.first()).is_some() => ChainRoot::Memory,
            Some(name) => self.slot(name).map_or(ChainRoot::Elsewhere, ChainRoot::Slot),
            None => ChainRoot::Elsewhere,
        };
        let mut value = if let Some(scope) = self.memory_scope(base, links.first()) {
            let value = self.memory(scope, links.get(1).ok_or_else(|| unsupported("a scope of `mem` as a whole"))?)?;
            links = &links[2..];
            value
        } else if variable_of(base) == Some("settings") && self.slot("settings").is_none() {
            let Some(ChainLink::Property(name)) = links.first() else {
                return Err(unsupported("`settings` as a whole"));
            };
            links = &links[1..];
            let own = &self.lowering.core.settings[self.lowering.owner];
            let setting = own
                .iter()
                .find(|(n, _)| n == name.as_str())
                .ok_or_else(|| unsupported(format!("`settings.{name}`")))?;
            Expr::Const(setting.1.clone().into())
        } else {
            self.expr(base)?
        };
        // The interpreter evaluates all arguments of a chain before its base. If the order could
        // make a difference, the function is left to the interpreter.
        let mut changed = !value.is_read_only();
        let mut is_first = value.is_simple();
        for link in links {
            value = match link {
                ChainLink::Property(name) => {
                    let natives = self.natives(&format!("get${name}"), 1);
                    Expr::Property(Box::new(value), name.as_str().into(), natives)
                }
                ChainLink::Index(index) => Expr::Index(Box::new(value), Box::new(self.expr(index)?)),
                ChainLink::Method(call) => self.method(value, call, root)?,
            };
            if !value.last_link_args().all(|arg| arg.is_simple() || !changed && arg.is_read_only() || is_first) {
                return Err(unsupported(ORDER));
            }
            changed |= !value.is_read_only();
            is_first = false;
        }
        Ok(value)
    }

    fn method(&mut self, of: Expr, call: &FnCallExpr, root: ChainRoot) -> Lowered<Expr> {
        let name = call.name.as_str();
        if call.args.len() >= MAX_PARAMS || self.is_own(name) {
            return Err(unsupported(format!("`.{name}` with too many arguments, or redefined by the script")));
        }
        let each = match name {
            "filter" => Some(IterationMethod::Filter),
            "map" => Some(IterationMethod::Map),
            "some" => Some(IterationMethod::Some),
            "all" => Some(IterationMethod::All),
            "most" => Some(IterationMethod::Most),
            "least" => Some(IterationMethod::Least),
            "sum" => Some(IterationMethod::Sum),
            _ => None,
        };
        if let (Some(each), [of_each]) = (each, &call.args[..]) {
            let (slots, block) = self.closure(of_each, root)?;
            return Ok(Expr::Each(each, Box::new(of), slots, block));
        }
        let own = match (name, call.args.len()) {
            ("len", 0) => Builtin::Len,
            ("is_empty", 0) => Builtin::IsEmpty,
            ("contains", 1) => Builtin::Contains,
            ("starts_with", 1) => Builtin::StartsWith,
            ("ends_with", 1) => Builtin::EndsWith,
            _ => Builtin::None,
        };
        let natives = self.natives(name, 1 + call.args.len());
        if own == Builtin::None && natives.is_empty() {
            return Err(unsupported(format!("`.{name}`")));
        }
        let mut args = vec![of];
        for arg in &call.args {
            args.push(self.expr(arg)?);
        }
        Ok(Expr::Native(own, natives, args.into()))
    }

    /// Lowers a closure that is written directly in the brackets of a call. Returns the slots and
    /// constants that it uses, and its body.
    fn closure(&mut self, expr: &Syntax, root: ChainRoot) -> Lowered<(ClosureSlots, Block)> {
        let (pointer, captured) = match expr {
            Syntax::DynamicConstant(pointer, _) => (pointer, &[][..]),
            // In the syntax tree, captured variables are first shared and then bound.
            Syntax::Stmt(block) => match block.statements() {
                [Stmt::Share(_), Stmt::FnCall(bind, _)] if bind.name == "curry" => match &bind.args[..] {
                    [Syntax::DynamicConstant(pointer, _), captured @ ..] => (pointer, captured),
                    _ => return Err(unsupported(CLOSURE)),
                },
                _ => return Err(unsupported(CLOSURE)),
            },
            _ => return Err(unsupported(STORED_FUNCTION)),
        };
        let pointer = pointer.read_lock::<FnPtr>().ok_or_else(|| unsupported(CLOSURE))?;
        // The interpreter locks the start of a chain while the chain runs, unless the chain starts
        // with a copy. So a function that reads `mem` in a closure over a list in `mem` fails.
        if !pointer.is_anonymous() || !pointer.curry().is_empty() || root == ChainRoot::Memory {
            return Err(unsupported(if root == ChainRoot::Memory { LIST_IN_MEMORY } else { CLOSURE }));
        }
        let form = (self.lowering.find)(pointer.fn_name(), captured.len() + 1)
            .ok_or_else(|| unsupported("a closure with the wrong number of parameters"))?;
        let (mut inside, mut constants) = (Vec::new(), Vec::<ScriptValue>::new());
        for (param, variable) in form.params.iter().zip(captured) {
            let name = variable_of(variable).ok_or_else(|| unsupported(CLOSURE))?;
            // `turn` and `nobody` are known everywhere and need no slot.
            if self.slot(name).is_none() && matches!(name, "turn" | "nobody") {
                continue;
            }
            if let (None, Some(constant)) = (self.slot(name), self.constant(name)) {
                constants.push(plain(&constant)?.into());
                continue;
            }
            let slot = self.slot(name).ok_or_else(|| unsupported(format!("`{name}` in a closure")))?;
            // Inside a closure, reserved names keep their global meaning.
            if root == ChainRoot::Slot(slot) || RESERVED.contains(&name) || self.constant(name).is_some() {
                return Err(unsupported(CAPTURED));
            }
            inside.push((param.clone(), slot));
        }
        let captured = inside.iter().map(|(_, slot)| *slot).collect();
        let outer = std::mem::replace(&mut self.visible, inside);
        let slot = self.declare(form.params.last().ok_or_else(|| unsupported(CLOSURE))?);
        self.in_expression += 1;
        let body = self.block(&form.body);
        self.in_expression -= 1;
        self.visible = outer;
        Ok(((slot, captured, constants.into()), body?))
    }
}

fn text_const(text: &str) -> ScriptValue {
    Value::text(text).into()
}

/// Converts a constant to a value. Leaves closures and constants that contain a character such as
/// `'a'` to the interpreter, because trees have only texts.
fn plain(constant: &Dynamic) -> Lowered<Value> {
    fn has_letters(value: &Dynamic) -> bool {
        value.is_char()
            || value.read_lock::<Array>().is_some_and(|list| list.iter().any(has_letters))
            || value.read_lock::<Map>().is_some_and(|map| map.values().any(has_letters))
    }
    match value_of(constant) {
        Ok(value) if !has_letters(constant) => Ok(value),
        _ => Err(unsupported(if constant.is_fnptr() { CLOSURE } else { LETTER })),
    }
}

/// Returns the name of a variable if the expression is a variable.
fn variable_of(expr: &Syntax) -> Option<&str> {
    match expr {
        Syntax::Variable(variable, _, _) if variable.2.is_empty() => {
            Some(copied_variable(&variable.1).unwrap_or(&variable.1))
        }
        _ => None,
    }
}

/// Returns whether an expression is a copy of a variable at the start of a chain.
fn is_copied(expr: &Syntax) -> bool {
    matches!(expr, Syntax::Variable(variable, ..) if copied_variable(&variable.1).is_some())
}

/// Splits a chain into its base and its links.
fn chain(expr: &Syntax) -> Lowered<(&Syntax, Vec<ChainLink<'_>>)> {
    let mut links = Vec::new();
    let (base, mut rest, mut flags, mut is_index) = match expr {
        Syntax::Dot(pair, flags, _) => (&pair.lhs, &pair.rhs, *flags, false),
        Syntax::Index(pair, flags, _) => (&pair.lhs, &pair.rhs, *flags, true),
        _ => return Err(unsupported("this expression")),
    };
    loop {
        if flags.contains(ASTFlags::NEGATED) {
            return Err(unsupported("`?.` or `?[`"));
        }
        // If the chain continues, the right side contains the rest of the chain, and the left side
        // of that rest is the next link.
        let (link, next) = match rest {
            Syntax::Dot(pair, flags_there, _) if !flags.contains(ASTFlags::BREAK) => {
                (&pair.lhs, Some((&pair.rhs, *flags_there, false)))
            }
            Syntax::Index(pair, flags_there, _) if !flags.contains(ASTFlags::BREAK) => {
                (&pair.lhs, Some((&pair.rhs, *flags_there, true)))
            }
            last => (last, None),
        };
        links.push(match link {
            index if is_index => ChainLink::Index(index),
            Syntax::Property(property, _) => ChainLink::Property(&property.2),
            Syntax::MethodCall(call, _) => ChainLink::Method(call),
            _ => return Err(unsupported("this chain")),
        });
        match next {
            Some(next) => (rest, flags, is_index) = next,
            None => return Ok((base, links)),
        }
    }
}

/// Returns the name of a statement for messages.
fn statement_name(statement: &Stmt) -> &'static str {
    match statement {
        Stmt::Switch(..) => "`switch`",
        Stmt::TryCatch(..) => "`try`",
        Stmt::Do(..) => "`do`",
        Stmt::Block(..) => "a block by itself",
        Stmt::Return(..) => "`throw`",
        Stmt::BreakLoop(..) => "`break` with a value",
        Stmt::Share(..) => "a variable that a closure shares",
        _ => "this statement",
    }
}

fn operator(name: &str) -> Option<Op> {
    Some(match name {
        "+" => Op::Add,
        "-" => Op::Subtract,
        "*" => Op::Multiply,
        "/" => Op::Divide,
        "%" => Op::Remainder,
        "==" => Op::Equal,
        "!=" => Op::Unequal,
        "<" => Op::Less,
        "<=" => Op::LessOrEqual,
        ">" => Op::Greater,
        ">=" => Op::GreaterOrEqual,
        _ => return None,
    })
}
