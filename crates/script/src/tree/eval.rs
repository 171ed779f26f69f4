//! Evaluates trees, which `lower` has made from functions of scripts.
//!
//! The file is long because it has a case for every form of statements and expressions.

use std::cmp::Ordering;
use std::sync::Arc;

use board::FeatureRef;
use rules::{Call, HookClass, Memory, ReadSet, Scope, Value};

use super::operators::{append_text, assign, binary, check_room, check_size, size_of};
use super::parts::{remove, set_part};
use super::program::Program;
use super::values::{list_in, plain, text, text_at, value_at};
use super::{Bail, Block, Builtin, Expr, IterationMethod, Op, Statement, TreeResult};
use crate::core::{Core, Cx};
use crate::memory::SCOPES;
use crate::natives::{MAX_PARAMS, Overload, find_overload};
use crate::script_value::ScriptValue;
use crate::weight;

/// The maximum nesting depth of calls in a tree. Beyond this depth, the interpreter takes over,
/// because its limit is higher.
const MAX_DEPTH: u32 = 16;

/// The largest weight of `mem` in a tree: a quarter of the limit for stored data. Beyond this
/// weight, the interpreter takes over and checks that limit.
const MAX_MEMORY_WEIGHT: u64 = 4 * 1024;

/// The way in which a block ended.
enum Flow {
    /// The block ran to its end. The value is the value of the last statement.
    End(ScriptValue),
    Return(ScriptValue),
    Break,
    Continue,
}

/// Runs function number `function` of a program, stores its changes of `mem`, and returns its
/// value.
pub(crate) fn run(
    program: &Program,
    core: &Core,
    call: &mut Call,
    function: usize,
    args: &[Value],
) -> TreeResult<ScriptValue> {
    let mut cx = Cx { call: call.reborrow(), core };
    cx.call.reads = ReadSet::NOTHING;
    let feature = |arg: &Value| if let Value::Feature(feature) = arg { Some(*feature) } else { None };
    let feature_arg = args.iter().find_map(feature);
    let mut run = TreeRun { program, cx, remembered: Vec::new(), memory_weight: None, depth: 0, feature_arg };
    let mut slots = Vec::with_capacity(program.functions[function].n_slots);
    slots.extend(args.iter().map(|arg| ScriptValue::Plain(arg.clone())));
    let value = run.run_function(function, &mut slots)?;
    run.store_memory()?;
    Ok(value)
}

struct TreeRun<'r> {
    program: &'r Program,
    cx: Cx<'r>,
    /// The values that the function has set in `mem`, in order.
    remembered: Vec<(Scope, Arc<str>, Value)>,
    /// The weight of `mem`; `None` until the function uses `mem`.
    memory_weight: Option<u64>,
    depth: u32,
    /// The first feature among the arguments of the function, if any.
    feature_arg: Option<FeatureRef>,
}

impl TreeRun<'_> {
    /// Runs function number `number` of the program. Its arguments are in the first slots.
    fn run_function(&mut self, number: usize, slots: &mut Vec<ScriptValue>) -> TreeResult<ScriptValue> {
        let function = &self.program.functions[number];
        let body = function.body.as_ref().ok_or(Bail::Interpret)?;
        if self.depth >= MAX_DEPTH {
            return Err(Bail::Interpret);
        }
        slots.resize(function.n_slots, ScriptValue::UNIT);
        self.depth += 1;
        let flow = self.run_block(body, slots)?;
        self.depth -= 1;
        match flow {
            Flow::End(value) | Flow::Return(value) => Ok(value),
            Flow::Break | Flow::Continue => Err(Bail::Interpret),
        }
    }

    /// Writes the values set in `mem` to the state, as one change for each scope. Only events may
    /// store anything.
    fn store_memory(&mut self) -> TreeResult<()> {
        let call = &mut self.cx.call;
        if self.remembered.is_empty() || call.class != HookClass::Effect {
            return Ok(());
        }
        for (_, scope) in SCOPES {
            if self.remembered.iter().all(|(s, _, _)| *s != scope) {
                continue;
            }
            let before = call.state().memory(call.owner, scope);
            let mut memory = before.map_or_else(Memory::new, |before| Memory::clone(before));
            for (_, name, value) in self.remembered.iter().filter(|(s, _, _)| *s == scope) {
                match value {
                    Value::Unit => drop(memory.remove(name)),
                    value => drop(memory.insert(name.clone(), value.clone())),
                }
            }
            if before.map_or(!memory.is_empty(), |before| **before != memory) {
                check_size(memory.values().map(size_of))?;
                let memory = (!memory.is_empty()).then(|| Arc::new(memory));
                let owner = call.owner;
                call.state_mut()?.set_memory(owner, scope, memory);
            }
        }
        Ok(())
    }

    /// Charges the budget for an expression or an iteration of a loop.
    #[inline]
    fn charge_step(&mut self) -> TreeResult<()> {
        if self.cx.core.budget.spend_tree_step() { Ok(()) } else { Err(Bail::Interpret) }
    }

    /// Charges the budget for the value of a variable.
    #[inline]
    fn charge_for(&self, value: &ScriptValue) {
        if let ScriptValue::Plain(value @ (Value::List(_) | Value::Map(_) | Value::Text(_))) = value {
            // If the charge exceeds the budget, the next expression ends the run.
            self.cx.core.budget.spend_weight(weight::of_value(value));
        }
    }

    /// Charges the budget for all of `mem`, as the interpreter does.
    fn charge_for_memory(&mut self) -> TreeResult<()> {
        self.cx.call.reads = ReadSet::ANYTHING;
        let call = &self.cx.call;
        let weight = *self.memory_weight.get_or_insert_with(|| {
            let scopes = SCOPES.iter().map(|(_, scope)| call.state().memory(call.owner, *scope));
            let held = scopes.map(|memory| memory.map_or(0, |memory| weight::of_entries(memory)));
            // Adds the approximate weight of the maps for the three scopes and of the map around
            // them.
            held.sum::<u64>() + 32
        });
        // The interpreter decides whether this weight is too large.
        if weight > MAX_MEMORY_WEIGHT {
            return Err(Bail::Interpret);
        }
        self.cx.core.budget.spend_weight(weight);
        Ok(())
    }

    fn run_block(&mut self, block: &Block, slots: &mut [ScriptValue]) -> TreeResult<Flow> {
        let mut last = ScriptValue::UNIT;
        for step in block {
            last = match step {
                Statement::Do(expr) => self.eval_expr(expr, slots)?,
                Statement::Set(slot, value) => {
                    let value = self.eval_expr(value, slots)?;
                    // The interpreter also charges for a variable to which a value is assigned.
                    self.charge_for(&slots[*slot]);
                    slots[*slot] = value;
                    ScriptValue::UNIT
                }
                Statement::Change(slot, op, value) => {
                    let value = self.eval_expr(value, slots)?;
                    self.charge_for(&slots[*slot]);
                    assign(&self.cx, &mut slots[*slot], *op, value)?;
                    ScriptValue::UNIT
                }
                Statement::Push(slot, item) => {
                    let item = plain(self.eval_expr(item, slots)?)?;
                    self.charge_for(&slots[*slot]);
                    let ScriptValue::Plain(Value::List(list)) = &mut slots[*slot] else { return Err(Bail::Interpret) };
                    check_room(list, std::slice::from_ref(&item))?;
                    Arc::make_mut(list).push(item);
                    ScriptValue::UNIT
                }
                Statement::SetPart(slot, key, op, value) => {
                    let value = plain(self.eval_expr(value, slots)?)?;
                    let key = self.eval_expr(key, slots)?;
                    self.charge_for(&slots[*slot]);
                    set_part(&self.cx, &mut slots[*slot], &key, *op, value)?;
                    ScriptValue::UNIT
                }
                Statement::Remove(slot, removal, key, into) => {
                    let key = self.eval_expr(key, slots)?;
                    self.charge_step()?;
                    self.charge_for(&slots[*slot]);
                    let removed = ScriptValue::from(remove(&mut slots[*slot], *removal, &key)?);
                    self.charge_for(&removed);
                    match into {
                        Some(into) => {
                            slots[*into] = removed;
                            ScriptValue::UNIT
                        }
                        None => removed,
                    }
                }
                Statement::Remember(scope, name, value) => {
                    let value = plain(self.eval_expr(value, slots)?)?;
                    let name = text(self.eval_expr(name, slots)?)?;
                    self.charge_for_memory()?;
                    self.memory_weight = self.memory_weight.map(|w| w + weight::of_entry(&name, &value));
                    self.remembered.push((*scope, name, value));
                    ScriptValue::UNIT
                }
                Statement::If(condition, then, otherwise) => {
                    let branch = if self.eval_bool(condition, slots)? { then } else { otherwise };
                    match self.run_block(branch, slots)? {
                        Flow::End(value) => value,
                        other => return Ok(other),
                    }
                }
                Statement::For(slot, list, body) => {
                    let list = list_in(self.eval_expr(list, slots)?)?;
                    for item in list.iter() {
                        self.charge_step()?;
                        slots[*slot] = ScriptValue::Plain(item.clone());
                        match self.run_block(body, slots)? {
                            Flow::End(_) | Flow::Continue => {}
                            Flow::Break => break,
                            Flow::Return(value) => return Ok(Flow::Return(value)),
                        }
                    }
                    ScriptValue::UNIT
                }
                Statement::Count(slot, from, to, body) => {
                    let (from, to) = (self.eval_number(from, slots)?, self.eval_number(to, slots)?);
                    for n in from..to {
                        self.charge_step()?;
                        slots[*slot] = ScriptValue::number(n);
                        match self.run_block(body, slots)? {
                            Flow::End(_) | Flow::Continue => {}
                            Flow::Break => break,
                            Flow::Return(value) => return Ok(Flow::Return(value)),
                        }
                    }
                    ScriptValue::UNIT
                }
                Statement::While(condition, body) => {
                    while self.eval_bool(condition, slots)? {
                        self.charge_step()?;
                        match self.run_block(body, slots)? {
                            Flow::End(_) | Flow::Continue => {}
                            Flow::Break => break,
                            Flow::Return(value) => return Ok(Flow::Return(value)),
                        }
                    }
                    ScriptValue::UNIT
                }
                Statement::Break => return Ok(Flow::Break),
                Statement::Continue => return Ok(Flow::Continue),
                Statement::Return(value) => return Ok(Flow::Return(self.eval_expr(value, slots)?)),
            };
        }
        Ok(Flow::End(last))
    }

    fn eval_expr(&mut self, expr: &Expr, slots: &mut [ScriptValue]) -> TreeResult<ScriptValue> {
        self.charge_step()?;
        Ok(match expr {
            Expr::Const(value) => {
                self.charge_for(value);
                value.clone()
            }
            Expr::Slot(slot) => {
                self.charge_for(&slots[*slot]);
                slots[*slot].clone()
            }
            Expr::Property(of, name, natives) => {
                let made = self.compute(of, slots)?;
                match value_at(of, &made, slots) {
                    ScriptValue::Plain(Value::Map(map)) => map.get(name).cloned().unwrap_or_default().into(),
                    ScriptValue::Plain(Value::List(list)) if **name == *"len" => ScriptValue::count(list.len()),
                    of => self.call_native(natives, &[of])?,
                }
            }
            Expr::Native(own, natives, args) => self.call(*own, natives, args, slots)?,
            Expr::Call(function, args) => {
                let mut own = Vec::with_capacity(self.program.functions[*function].n_slots);
                for arg in args {
                    own.push(self.eval_expr(arg, slots)?);
                }
                self.run_function(*function, &mut own)?
            }
            Expr::Binary(op, both) => {
                let [a, b] = &**both;
                let (made_a, made_b) = (self.compute(a, slots)?, self.compute(b, slots)?);
                binary(&self.cx, *op, value_at(a, &made_a, slots), value_at(b, &made_b, slots))?
            }
            Expr::Not(of) => ScriptValue::truth(!self.eval_bool(of, slots)?),
            Expr::Negative(of) => {
                ScriptValue::number(self.eval_number(of, slots)?.checked_neg().ok_or(Bail::Interpret)?)
            }
            Expr::And(all) => {
                for it in all {
                    if !self.eval_bool(it, slots)? {
                        return Ok(ScriptValue::truth(false));
                    }
                }
                ScriptValue::truth(true)
            }
            Expr::Or(all) => {
                for it in all {
                    if self.eval_bool(it, slots)? {
                        return Ok(ScriptValue::truth(true));
                    }
                }
                ScriptValue::truth(false)
            }
            Expr::List(items) => {
                let mut list = Vec::with_capacity(items.len());
                for item in items {
                    list.push(plain(self.eval_expr(item, slots)?)?);
                }
                check_room(&[], &list)?;
                ScriptValue::list(list)
            }
            Expr::Map(known, entries) => {
                let mut map = known.clone();
                for (key, value) in entries {
                    map.insert(key.clone(), plain(self.eval_expr(value, slots)?)?);
                }
                let map = Value::Map(Arc::new(map));
                check_size([size_of(&map)])?;
                map.into()
            }
            Expr::Text(parts) => {
                let mut whole = String::new();
                for part in parts {
                    let value = self.eval_expr(part, slots)?;
                    append_text(&self.cx, &mut whole, &value)?;
                }
                Value::Text(whole.into()).into()
            }
            Expr::Index(of, by) => {
                let (of, by) = (self.eval_expr(of, slots)?, self.eval_expr(by, slots)?);
                match (of, by) {
                    (ScriptValue::Plain(Value::List(list)), ScriptValue::Plain(Value::Int(at))) => {
                        let item = usize::try_from(at).ok().and_then(|at| list.get(at));
                        item.cloned().ok_or(Bail::Interpret)?.into()
                    }
                    (ScriptValue::Plain(Value::Map(map)), ScriptValue::Plain(Value::Text(key))) => {
                        map.get(&key).cloned().unwrap_or_default().into()
                    }
                    _ => return Err(Bail::Interpret),
                }
            }
            Expr::Memory(scope, name) => {
                let made = self.compute(name, slots)?;
                let name = text_at(name, &made, slots)?;
                self.charge_for_memory()?;
                self.memory(*scope, name).cloned().unwrap_or_default().into()
            }
            Expr::MemoryOr(scope, both) => {
                let made = self.compute(&both[0], slots)?;
                let default = plain(self.eval_expr(&both[1], slots)?)?;
                let name = text_at(&both[0], &made, slots)?;
                self.charge_for_memory()?;
                let value = self.memory(*scope, name).filter(|value| **value != Value::Unit);
                value.cloned().unwrap_or(default).into()
            }
            Expr::Remembers(scope, name) => {
                let made = self.compute(name, slots)?;
                let name = text_at(name, &made, slots)?;
                self.charge_for_memory()?;
                ScriptValue::truth(self.memory(*scope, name).is_some())
            }
            Expr::Each(each, list, (slot, captured, constants), body) => {
                // Charges twice, because the interpreter reads each captured variable twice: to
                // share it and to bind it.
                for captured in captured {
                    self.charge_for(&slots[*captured]);
                    self.charge_for(&slots[*captured]);
                }
                for constant in constants {
                    self.charge_for(constant);
                    self.charge_for(constant);
                }
                let list = list_in(self.eval_expr(list, slots)?)?;
                self.run_iteration(*each, &list, *slot, body, slots)?
            }
            Expr::If(parts) => {
                let (condition, then, otherwise) = &**parts;
                let branch = if self.eval_bool(condition, slots)? { then } else { otherwise };
                match self.run_block(branch, slots)? {
                    Flow::End(value) => value,
                    // A `return`, `break` or `continue` in the block would leave the expression
                    // around it, which a tree cannot do.
                    _ => return Err(Bail::Interpret),
                }
            }
        })
    }

    /// Computes the value of an expression. For a variable or constant, only charges the budget and
    /// returns `()`, because the caller reads the value in place with [`value_at`].
    #[inline]
    fn compute(&mut self, expr: &Expr, slots: &mut [ScriptValue]) -> TreeResult<ScriptValue> {
        match expr {
            Expr::Slot(slot) => self.charge_for(&slots[*slot]),
            Expr::Const(value) => self.charge_for(value),
            _ => return self.eval_expr(expr, slots),
        }
        Ok(ScriptValue::UNIT)
    }

    fn eval_bool(&mut self, expr: &Expr, slots: &mut [ScriptValue]) -> TreeResult<bool> {
        match self.eval_expr(expr, slots)? {
            ScriptValue::Plain(Value::Bool(truth)) => Ok(truth),
            _ => Err(Bail::Interpret),
        }
    }

    fn eval_number(&mut self, expr: &Expr, slots: &mut [ScriptValue]) -> TreeResult<i64> {
        match self.eval_expr(expr, slots)? {
            ScriptValue::Plain(Value::Int(n)) => Ok(n),
            _ => Err(Bail::Interpret),
        }
    }

    fn memory(&self, scope: Scope, name: &str) -> Option<&Value> {
        if let Some((_, _, value)) = self.remembered.iter().rev().find(|(s, n, _)| *s == scope && **n == *name) {
            return Some(value);
        }
        self.cx.state().memory(self.cx.owner(), scope)?.get(name)
    }

    fn run_iteration(
        &mut self,
        each: IterationMethod,
        list: &[Value],
        slot: usize,
        body: &Block,
        slots: &mut [ScriptValue],
    ) -> TreeResult<ScriptValue> {
        let mut found = Vec::new();
        let (mut best, mut sum) = (None, 0i64);
        // The interpreter counts the method and the closure as two more levels of calls.
        self.depth += 2;
        if self.depth >= MAX_DEPTH {
            return Err(Bail::Interpret);
        }
        for item in list {
            self.charge_step()?;
            slots[slot] = ScriptValue::Plain(item.clone());
            let value = match self.run_block(body, slots)? {
                Flow::End(value) | Flow::Return(value) => value,
                Flow::Break | Flow::Continue => return Err(Bail::Interpret),
            };
            if let IterationMethod::Map = each {
                found.push(plain(value)?);
                continue;
            }
            if let IterationMethod::Most | IterationMethod::Least | IterationMethod::Sum = each {
                let ScriptValue::Plain(Value::Int(value)) = value else { return Err(Bail::Interpret) };
                let order = best.map(|best| value.cmp(&best));
                match (each, order) {
                    (IterationMethod::Sum, _) => sum = sum.checked_add(value).ok_or(Bail::Interpret)?,
                    (_, Some(Ordering::Equal)) => found.push(item.clone()),
                    (_, None)
                    | (IterationMethod::Most, Some(Ordering::Greater))
                    | (IterationMethod::Least, Some(Ordering::Less)) => {
                        best = Some(value);
                        found = vec![item.clone()];
                    }
                    _ => {}
                }
                continue;
            }
            let ScriptValue::Plain(Value::Bool(passes)) = value else { return Err(Bail::Interpret) };
            match each {
                IterationMethod::Filter if passes => found.push(item.clone()),
                IterationMethod::Some | IterationMethod::All if passes == matches!(each, IterationMethod::Some) => {
                    self.depth -= 2;
                    return Ok(ScriptValue::truth(passes));
                }
                _ => {}
            }
        }
        self.depth -= 2;
        check_room(&[], &found)?;
        Ok(match each {
            IterationMethod::Filter | IterationMethod::Map | IterationMethod::Most | IterationMethod::Least => {
                ScriptValue::list(found)
            }
            IterationMethod::Sum => ScriptValue::number(sum),
            IterationMethod::Some => ScriptValue::truth(false),
            IterationMethod::All => ScriptValue::truth(true),
        })
    }

    /// Calls a native or built-in function. Variables and constants are passed without a copy.
    fn call(
        &mut self,
        own: Builtin,
        natives: &[Overload],
        args: &[Expr],
        slots: &mut [ScriptValue],
    ) -> TreeResult<ScriptValue> {
        match args {
            [] => self.call_native(natives, &[]),
            [a] => {
                let made = self.compute(a, slots)?;
                let a = value_at(a, &made, slots);
                match self.call_builtin(own, a, None)? {
                    Some(value) => Ok(value),
                    None => self.call_native(natives, &[a]),
                }
            }
            [a, b] => {
                let made = [self.compute(a, slots)?, self.compute(b, slots)?];
                let (a, b) = (value_at(a, &made[0], slots), value_at(b, &made[1], slots));
                match self.call_builtin(own, a, Some(b))? {
                    Some(value) => Ok(value),
                    None => self.call_native(natives, &[a, b]),
                }
            }
            [a, b, c] => {
                let made = [self.compute(a, slots)?, self.compute(b, slots)?, self.compute(c, slots)?];
                let args = [value_at(a, &made[0], slots), value_at(b, &made[1], slots), value_at(c, &made[2], slots)];
                self.call_native(natives, &args)
            }
            more => {
                let mut made = [const { ScriptValue::UNIT }; MAX_PARAMS];
                for (made, arg) in made.iter_mut().zip(more) {
                    *made = self.compute(arg, slots)?;
                }
                let arg = |i: usize| more.get(i).map_or(&ScriptValue::UNIT, |arg| value_at(arg, &made[i], slots));
                self.call_native(natives, &[arg(0), arg(1), arg(2), arg(3), arg(4)][..more.len()])
            }
        }
    }

    #[inline]
    fn call_builtin(
        &mut self,
        own: Builtin,
        of: &ScriptValue,
        arg: Option<&ScriptValue>,
    ) -> TreeResult<Option<ScriptValue>> {
        if own == Builtin::None { Ok(None) } else { self.run_builtin(own, of, arg) }
    }

    fn run_builtin(
        &mut self,
        own: Builtin,
        of: &ScriptValue,
        arg: Option<&ScriptValue>,
    ) -> TreeResult<Option<ScriptValue>> {
        if let (Builtin::Min | Builtin::Max, Some(other)) = (own, arg) {
            let (ScriptValue::Plain(Value::Int(a)), ScriptValue::Plain(Value::Int(b))) = (of, other) else {
                return Err(Bail::Interpret);
            };
            return Ok(Some(ScriptValue::number(*if own == Builtin::Min { a.min(b) } else { a.max(b) })));
        }
        Ok(Some(match (of, own, arg) {
            (ScriptValue::Plain(Value::List(list)), Builtin::Len, None) => ScriptValue::count(list.len()),
            (ScriptValue::Plain(Value::List(list)), Builtin::IsEmpty, None) => ScriptValue::truth(list.is_empty()),
            (ScriptValue::Plain(Value::List(list)), Builtin::Contains, Some(wanted)) => {
                let mut found = false;
                for item in list.iter() {
                    self.charge_step()?;
                    found = binary(&self.cx, Op::Equal, &ScriptValue::Plain(item.clone()), wanted)?
                        == ScriptValue::truth(true);
                    if found {
                        break;
                    }
                }
                ScriptValue::truth(found)
            }
            (
                ScriptValue::Plain(Value::Text(text)),
                Builtin::StartsWith | Builtin::EndsWith,
                Some(ScriptValue::Plain(Value::Text(part))),
            ) => ScriptValue::truth(match own {
                Builtin::StartsWith => text.starts_with(&**part),
                _ => text.ends_with(&**part),
            }),
            (_, Builtin::StartsWith | Builtin::EndsWith, _) => return Err(Bail::Interpret),
            (ScriptValue::Plain(Value::Map(map)), Builtin::Len, None) => ScriptValue::count(map.len()),
            (ScriptValue::Plain(Value::Map(map)), Builtin::IsEmpty, None) => ScriptValue::truth(map.is_empty()),
            (ScriptValue::Plain(Value::Map(map)), Builtin::Contains, Some(ScriptValue::Plain(Value::Text(key)))) => {
                ScriptValue::truth(map.contains_key(key))
            }
            (ScriptValue::Plain(Value::List(_) | Value::Map(_)), ..) => return Err(Bail::Interpret),
            _ => return Ok(None),
        }))
    }

    fn call_native(&mut self, natives: &[Overload], args: &[&ScriptValue]) -> TreeResult<ScriptValue> {
        let native = find_overload(natives, args).ok_or(Bail::Interpret)?;
        let of_another =
            |it: &ScriptValue| matches!(it, ScriptValue::Plain(Value::Feature(it)) if Some(*it) != self.feature_arg);
        let near = if args.first().is_some_and(|it| of_another(it)) { ReadSet::ADJACENT } else { ReadSet::NOTHING };
        self.cx.call.reads = self.cx.call.reads.union(native.reads).union(near);
        let value = (native.run)(&mut self.cx, args)?;
        if let ScriptValue::Plain(value @ (Value::Text(_) | Value::List(_) | Value::Map(_))) = &value {
            check_size([size_of(value)])?;
        }
        Ok(value)
    }
}
