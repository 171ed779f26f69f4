//! Running lowered functions.

use std::sync::Arc;

use rules::{Call, Memory, Power, Scope, Value};

use super::natives::{MAX_PARAMS, Overload, chosen};
use super::operators::{MAX_SIZE, binary, change, room, size_of, small};
use super::{Block, Each, Expr, Op, Outcome, Own, Program, Step, Stop};
use crate::core::{Core, Cx, MAX_OPERATIONS};
use crate::handles::{is_known, text_of};
use crate::held::Held;

/// How deep lowered functions may call each other; the interpreter goes deeper.
const MAX_DEPTH: u32 = 16;
/// How many expressions one run may look at: so few that the interpreter would not yet stop either.
const MAX_STEPS: u64 = MAX_OPERATIONS / 16;
/// How many results of native functions are kept for going on; a run with more of them begins again.
const MAX_GIVEN: usize = 256;

/// How a block ended.
enum Flow {
    /// At its end, with the value of its last statement.
    End(Held),
    Return(Held),
    Break,
    Continue,
}

/// What is kept of a run that has asked.
struct Asked {
    /// The host and the function, which alone can go on with it.
    host: u64,
    function: usize,
    /// What the native functions gave up to the question, answers to earlier ones included.
    given: Vec<Held>,
}

/// Runs function number `function` of a program.
///
/// One that has asked goes on from there: the tree is run from its beginning, but native functions give at once what they gave before.
pub(crate) fn run(program: &Program, core: &Core, call: &mut Call, function: usize, args: &[Value]) -> Outcome<Held> {
    let kept = call.kept().and_then(|kept| kept.downcast_ref::<Asked>());
    let given = kept.filter(|it| it.host == core.id && it.function == function).map(|it| it.given.clone());
    if given.is_some() {
        call.resume();
    }
    let keeps = call.power == Power::Event && program.asks && !call.is_answered_at_once();
    let given = given.unwrap_or_default();
    let mut run = Run {
        program,
        cx: Cx { call: call.reborrow(), core },
        given,
        at: 0,
        keeps,
        remembered: Vec::new(),
        depth: 0,
        n_steps: 0,
    };
    // The room for variables is used again by the next run.
    let mut slots = core.slots.take();
    slots.extend(args.iter().map(|arg| Held::Plain(arg.clone())));
    let ended = run.function(function, &mut slots);
    slots.clear();
    core.slots.set(slots);
    if let (Err(Stop::Asked), true) = (&ended, run.keeps) {
        run.cx.call.suspend(Arc::new(Asked { host: core.id, function, given: run.given }));
        core.add_operations(run.n_steps);
        return ended;
    }
    let ended = ended.and_then(|value| {
        run.keep_memory()?;
        Ok(value)
    });
    if !matches!(ended, Err(Stop::Trouble)) {
        core.add_operations(run.n_steps);
    }
    ended
}

struct Run<'r> {
    program: &'r Program,
    cx: Cx<'r>,
    /// What native functions have given so far, and how many of them have been called: fewer where the run goes on from a question.
    given: Vec<Held>,
    at: usize,
    /// Whether that is worth keeping.
    keeps: bool,
    /// What was set in `mem`, in the order of setting.
    remembered: Vec<(Scope, Arc<str>, Value)>,
    depth: u32,
    n_steps: u64,
}

impl Run<'_> {
    /// Runs a function whose arguments are in its first slots.
    fn function(&mut self, number: usize, slots: &mut Vec<Held>) -> Outcome<Held> {
        let function = &self.program.functions[number];
        let body = function.body.as_ref().ok_or(Stop::Trouble)?;
        if self.depth >= MAX_DEPTH {
            return Err(Stop::Trouble);
        }
        slots.resize(function.n_slots, Held::UNIT);
        self.depth += 1;
        let flow = self.block(body, slots)?;
        self.depth -= 1;
        match flow {
            Flow::End(value) | Flow::Return(value) => Ok(value),
            Flow::Break | Flow::Continue => Err(Stop::Trouble),
        }
    }

    /// Writes what was remembered into the state, as one change for each scope. Only events may remember anything.
    fn keep_memory(&mut self) -> Outcome<()> {
        let call = &mut self.cx.call;
        if self.remembered.is_empty() || call.power != Power::Event {
            return Ok(());
        }
        for scope in [Scope::Part, Scope::Turn, Scope::Game] {
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
                small(memory.values().map(size_of))?;
                let memory = (!memory.is_empty()).then(|| Arc::new(memory));
                let owner = call.owner;
                call.change()?.set_memory(owner, scope, memory);
            }
        }
        Ok(())
    }

    /// Counts an expression or a turn of a loop.
    #[inline]
    fn count(&mut self) -> Outcome<()> {
        self.n_steps += 1;
        if self.n_steps > MAX_STEPS { Err(Stop::Trouble) } else { Ok(()) }
    }

    fn block(&mut self, block: &Block, slots: &mut [Held]) -> Outcome<Flow> {
        let mut last = Held::UNIT;
        for step in block {
            last = match step {
                Step::Do(expr) => self.expr(expr, slots)?,
                Step::Set(slot, value) => {
                    slots[*slot] = self.expr(value, slots)?;
                    Held::UNIT
                }
                Step::Change(slot, op, value) => {
                    let value = self.expr(value, slots)?;
                    change(&mut slots[*slot], *op, value)?;
                    Held::UNIT
                }
                Step::Push(slot, item) => {
                    let item = plain(self.expr(item, slots)?)?;
                    let Held::Plain(Value::List(list)) = &mut slots[*slot] else { return Err(Stop::Trouble) };
                    room(list, std::slice::from_ref(&item))?;
                    Arc::make_mut(list).push(item);
                    Held::UNIT
                }
                Step::Remember(scope, name, value) => {
                    let value = plain(self.expr(value, slots)?)?;
                    let name = text(self.expr(name, slots)?)?;
                    self.remembered.push((*scope, name, value));
                    Held::UNIT
                }
                Step::If(condition, then, otherwise) => {
                    let branch = if self.truth(condition, slots)? { then } else { otherwise };
                    match self.block(branch, slots)? {
                        Flow::End(value) => value,
                        other => return Ok(other),
                    }
                }
                Step::For(slot, list, body) => {
                    let list = list_in(self.expr(list, slots)?)?;
                    for item in list.iter() {
                        self.count()?;
                        slots[*slot] = Held::Plain(item.clone());
                        match self.block(body, slots)? {
                            Flow::End(_) | Flow::Continue => {}
                            Flow::Break => break,
                            Flow::Return(value) => return Ok(Flow::Return(value)),
                        }
                    }
                    Held::UNIT
                }
                Step::Count(slot, from, to, body) => {
                    let (from, to) = (self.number(from, slots)?, self.number(to, slots)?);
                    for n in from..to {
                        self.count()?;
                        slots[*slot] = Held::number(n);
                        match self.block(body, slots)? {
                            Flow::End(_) | Flow::Continue => {}
                            Flow::Break => break,
                            Flow::Return(value) => return Ok(Flow::Return(value)),
                        }
                    }
                    Held::UNIT
                }
                Step::While(condition, body) => {
                    while self.truth(condition, slots)? {
                        self.count()?;
                        match self.block(body, slots)? {
                            Flow::End(_) | Flow::Continue => {}
                            Flow::Break => break,
                            Flow::Return(value) => return Ok(Flow::Return(value)),
                        }
                    }
                    Held::UNIT
                }
                Step::Break => return Ok(Flow::Break),
                Step::Continue => return Ok(Flow::Continue),
                Step::Return(value) => return Ok(Flow::Return(self.expr(value, slots)?)),
            };
        }
        Ok(Flow::End(last))
    }

    fn expr(&mut self, expr: &Expr, slots: &mut [Held]) -> Outcome<Held> {
        self.count()?;
        Ok(match expr {
            Expr::Const(value) => value.clone(),
            Expr::Slot(slot) => slots[*slot].clone(),
            Expr::Property(of, name, natives) => {
                let made = self.made(of, slots)?;
                match given(of, &made, slots) {
                    Held::Plain(Value::Map(map)) => map.get(name).cloned().unwrap_or_default().into(),
                    Held::Plain(Value::List(list)) if **name == *"len" => Held::count(list.len()),
                    of => self.native(natives, &[of])?,
                }
            }
            Expr::Native(own, natives, args) => self.call(*own, natives, args, slots)?,
            Expr::Call(function, args) => {
                let mut own = Vec::with_capacity(self.program.functions[*function].n_slots);
                for arg in args {
                    own.push(self.expr(arg, slots)?);
                }
                self.function(*function, &mut own)?
            }
            Expr::Binary(op, both) => {
                let made = [self.made(&both[0], slots)?, self.made(&both[1], slots)?];
                let [a, b] = [0, 1].map(|i| given(&both[i], &made[i], slots));
                binary(&self.cx, *op, a, b)?
            }
            Expr::Not(of) => Held::truth(!self.truth(of, slots)?),
            Expr::Negative(of) => Held::number(self.number(of, slots)?.checked_neg().ok_or(Stop::Trouble)?),
            Expr::And(all) => {
                for it in all {
                    if !self.truth(it, slots)? {
                        return Ok(Held::truth(false));
                    }
                }
                Held::truth(true)
            }
            Expr::Or(all) => {
                for it in all {
                    if self.truth(it, slots)? {
                        return Ok(Held::truth(true));
                    }
                }
                Held::truth(false)
            }
            Expr::List(items) => {
                let mut list = Vec::with_capacity(items.len());
                for item in items {
                    list.push(plain(self.expr(item, slots)?)?);
                }
                room(&[], &list)?;
                Held::list(list)
            }
            Expr::Map(known, entries) => {
                let mut map = known.clone();
                for (key, value) in entries {
                    map.insert(key.clone(), plain(self.expr(value, slots)?)?);
                }
                let map = Value::Map(Arc::new(map));
                small([size_of(&map)])?;
                map.into()
            }
            Expr::Text(parts) => {
                let mut whole = String::new();
                for part in parts {
                    match self.expr(part, slots)? {
                        Held::Plain(Value::Text(text)) => whole += &text,
                        Held::Plain(Value::Int(n)) => whole += &n.to_string(),
                        Held::Plain(Value::Bool(truth)) => whole += if truth { "true" } else { "false" },
                        handle if is_known(&self.cx, &handle) => whole += &text_of(&self.cx, handle)?,
                        _ => return Err(Stop::Trouble),
                    }
                }
                if whole.len() > MAX_SIZE.bytes {
                    return Err(Stop::Trouble);
                }
                Value::Text(whole.into()).into()
            }
            Expr::Index(of, by) => {
                let (of, by) = (self.expr(of, slots)?, self.expr(by, slots)?);
                match (of, by) {
                    (Held::Plain(Value::List(list)), Held::Plain(Value::Int(at))) => {
                        let item = usize::try_from(at).ok().and_then(|at| list.get(at));
                        item.cloned().ok_or(Stop::Trouble)?.into()
                    }
                    (Held::Plain(Value::Map(map)), Held::Plain(Value::Text(key))) => {
                        map.get(&key).cloned().unwrap_or_default().into()
                    }
                    _ => return Err(Stop::Trouble),
                }
            }
            Expr::Memory(scope, name) => {
                let name = text(self.expr(name, slots)?)?;
                self.memory(*scope, &name).cloned().unwrap_or_default().into()
            }
            Expr::Remembers(scope, name) => {
                let name = text(self.expr(name, slots)?)?;
                Held::truth(self.memory(*scope, &name).is_some())
            }
            Expr::Each(each, list, slot, body) => {
                let list = list_in(self.expr(list, slots)?)?;
                self.each(*each, &list, *slot, body, slots)?
            }
            Expr::If(parts) => {
                let (condition, then, otherwise) = &**parts;
                let branch = if self.truth(condition, slots)? { then } else { otherwise };
                match self.block(branch, slots)? {
                    Flow::End(value) => value,
                    // The way out of the block would have to go on outside the expression.
                    _ => return Err(Stop::Trouble),
                }
            }
        })
    }

    /// The value of an expression that is not at hand already, as variables and constants are.
    #[inline]
    fn made(&mut self, expr: &Expr, slots: &mut [Held]) -> Outcome<Held> {
        if expr.is_simple() { Ok(Held::UNIT) } else { self.expr(expr, slots) }
    }

    fn truth(&mut self, expr: &Expr, slots: &mut [Held]) -> Outcome<bool> {
        match self.expr(expr, slots)? {
            Held::Plain(Value::Bool(truth)) => Ok(truth),
            _ => Err(Stop::Trouble),
        }
    }

    fn number(&mut self, expr: &Expr, slots: &mut [Held]) -> Outcome<i64> {
        match self.expr(expr, slots)? {
            Held::Plain(Value::Int(n)) => Ok(n),
            _ => Err(Stop::Trouble),
        }
    }

    fn memory(&self, scope: Scope, name: &str) -> Option<&Value> {
        if let Some((_, _, value)) = self.remembered.iter().rev().find(|(s, n, _)| *s == scope && **n == *name) {
            return Some(value);
        }
        self.cx.state().memory(self.cx.owner(), scope)?.get(name)
    }

    fn each(&mut self, each: Each, list: &[Value], slot: usize, body: &Block, slots: &mut [Held]) -> Outcome<Held> {
        let mut found = Vec::new();
        // To the interpreter the method and the closure are two more calls.
        self.depth += 2;
        if self.depth >= MAX_DEPTH {
            return Err(Stop::Trouble);
        }
        for item in list {
            self.count()?;
            slots[slot] = Held::Plain(item.clone());
            let value = match self.block(body, slots)? {
                Flow::End(value) | Flow::Return(value) => value,
                Flow::Break | Flow::Continue => return Err(Stop::Trouble),
            };
            if let Each::Map = each {
                found.push(plain(value)?);
                continue;
            }
            let Held::Plain(Value::Bool(passes)) = value else { return Err(Stop::Trouble) };
            match each {
                Each::Filter if passes => found.push(item.clone()),
                Each::Some | Each::All if passes == matches!(each, Each::Some) => {
                    self.depth -= 2;
                    return Ok(Held::truth(passes));
                }
                _ => {}
            }
        }
        self.depth -= 2;
        room(&[], &found)?;
        Ok(match each {
            Each::Filter | Each::Map => Held::list(found),
            Each::Some => Held::truth(false),
            Each::All => Held::truth(true),
        })
    }

    /// A native function, or what lists and maps have of their own. Variables and constants are handed over as they are.
    fn call(&mut self, own: Own, natives: &[Overload], args: &[Expr], slots: &mut [Held]) -> Outcome<Held> {
        match args {
            [] => self.native(natives, &[]),
            [a] => {
                let made = self.made(a, slots)?;
                let a = given(a, &made, slots);
                match self.own(own, a, None)? {
                    Some(value) => Ok(value),
                    None => self.native(natives, &[a]),
                }
            }
            [a, b] => {
                let made = [self.made(a, slots)?, self.made(b, slots)?];
                let (a, b) = (given(a, &made[0], slots), given(b, &made[1], slots));
                match self.own(own, a, Some(b))? {
                    Some(value) => Ok(value),
                    None => self.native(natives, &[a, b]),
                }
            }
            [a, b, c] => {
                let made = [self.made(a, slots)?, self.made(b, slots)?, self.made(c, slots)?];
                let args = [given(a, &made[0], slots), given(b, &made[1], slots), given(c, &made[2], slots)];
                self.native(natives, &args)
            }
            more => {
                let mut made = [const { Held::UNIT }; MAX_PARAMS];
                for (made, arg) in made.iter_mut().zip(more) {
                    *made = self.made(arg, slots)?;
                }
                let arg = |i: usize| more.get(i).map_or(&Held::UNIT, |arg| given(arg, &made[i], slots));
                self.native(natives, &[arg(0), arg(1), arg(2), arg(3), arg(4)][..more.len()])
            }
        }
    }

    #[inline]
    fn own(&self, own: Own, of: &Held, arg: Option<&Held>) -> Outcome<Option<Held>> {
        if own == Own::None { Ok(None) } else { self.of_its_own(own, of, arg) }
    }

    fn of_its_own(&self, own: Own, of: &Held, arg: Option<&Held>) -> Outcome<Option<Held>> {
        if let (Own::Min | Own::Max, Some(other)) = (own, arg) {
            let (Held::Plain(Value::Int(a)), Held::Plain(Value::Int(b))) = (of, other) else {
                return Err(Stop::Trouble);
            };
            return Ok(Some(Held::number(*if own == Own::Min { a.min(b) } else { a.max(b) })));
        }
        Ok(Some(match (of, own, arg) {
            (Held::Plain(Value::List(list)), Own::Len, None) => Held::count(list.len()),
            (Held::Plain(Value::List(list)), Own::IsEmpty, None) => Held::truth(list.is_empty()),
            (Held::Plain(Value::List(list)), Own::Contains, Some(wanted)) => {
                let mut found = false;
                for item in list.iter() {
                    found = binary(&self.cx, Op::Equal, &Held::Plain(item.clone()), wanted)? == Held::truth(true);
                    if found {
                        break;
                    }
                }
                Held::truth(found)
            }
            (Held::Plain(Value::Map(map)), Own::Len, None) => Held::count(map.len()),
            (Held::Plain(Value::Map(map)), Own::IsEmpty, None) => Held::truth(map.is_empty()),
            (Held::Plain(Value::Map(map)), Own::Contains, Some(Held::Plain(Value::Text(key)))) => {
                Held::truth(map.contains_key(key))
            }
            (Held::Plain(Value::List(_) | Value::Map(_)), ..) => return Err(Stop::Trouble),
            _ => return Ok(None),
        }))
    }

    fn native(&mut self, natives: &[Overload], args: &[&Held]) -> Outcome<Held> {
        if let Some(value) = self.given.get(self.at) {
            self.at += 1;
            return Ok(value.clone());
        }
        let native = chosen(natives, args).ok_or(Stop::Trouble)?;
        let value = (native.run)(&mut self.cx, args)?;
        if let Held::Plain(value @ (Value::Text(_) | Value::List(_) | Value::Map(_))) = &value {
            small([size_of(value)])?;
        }
        if self.keeps {
            self.keeps = self.at < MAX_GIVEN;
            self.given.push(value.clone());
            self.at += 1;
        }
        Ok(value)
    }
}

/// The value of an expression: where it is kept, or what was made of it.
#[inline]
fn given<'v>(expr: &'v Expr, made: &'v Held, slots: &'v [Held]) -> &'v Held {
    match expr {
        Expr::Slot(slot) => &slots[*slot],
        Expr::Const(value) => value,
        _ => made,
    }
}

/// What lists, maps and the memory can hold. The interpreter can put more into them.
fn plain(held: Held) -> Outcome<Value> {
    match held {
        Held::Plain(value) => Ok(value),
        _ => Err(Stop::Trouble),
    }
}

fn text(held: Held) -> Outcome<Arc<str>> {
    match held {
        Held::Plain(Value::Text(text)) => Ok(text),
        _ => Err(Stop::Trouble),
    }
}

fn list_in(held: Held) -> Outcome<Arc<Vec<Value>>> {
    match held {
        Held::Plain(Value::List(list)) => Ok(list),
        _ => Err(Stop::Trouble),
    }
}
