//! Running lowered functions.

use std::sync::Arc;

use rhai::{Array, Dynamic, ImmutableString, Map};
use rules::{Memory, Power, Refusal, Scope, Value};

use super::natives::{MAX_PARAMS, Overload};
use super::{Block, Each, Expr, Op, Own, Program, Step};
use crate::convert::{dynamic_of, value_of};
use crate::core::{Core, Cx, Frame, MAX_OPERATIONS};
use crate::engine::{MAX_ARRAY, MAX_MAP, MAX_STRING};

/// How deep lowered functions may call each other; the interpreter goes deeper.
const MAX_DEPTH: u32 = 16;
/// How many expressions one run may look at: so few that the interpreter would not yet stop either.
const MAX_STEPS: u64 = MAX_OPERATIONS / 16;
/// How much a value may hold: so little that the interpreter does not mind it either.
const MAX_SIZE: Size = Size { items: MAX_ARRAY / 8, entries: MAX_MAP / 8, bytes: MAX_STRING / 4 };

/// Why a run ended before its end.
pub(crate) enum Stop {
    /// It has asked.
    Asked,
    /// The interpreter must run the function, and say what is wrong if something is.
    Trouble,
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        match refusal {
            Refusal::Asked => Stop::Asked,
            Refusal::Because(_) => Stop::Trouble,
        }
    }
}

type Outcome<T> = Result<T, Stop>;

/// How a block ended.
enum Flow {
    /// At its end, with the value of its last statement.
    End(Dynamic),
    Return(Dynamic),
    Break,
    Continue,
}

/// Runs function number `function` of a program.
pub(crate) fn run(
    program: &Program,
    core: &Core,
    frame: &mut Frame,
    function: usize,
    args: &[Value],
) -> Outcome<Dynamic> {
    let mut run = Run { program, core, frame, remembered: Vec::new(), depth: 0, n_steps: 0 };
    let ended = run.function(function, args.iter().map(dynamic_of)).and_then(|value| {
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
    core: &'r Core,
    frame: &'r mut Frame,
    /// What was set in `mem`, in the order of setting.
    remembered: Vec<(Scope, ImmutableString, Dynamic)>,
    depth: u32,
    n_steps: u64,
}

impl Run<'_> {
    fn function(&mut self, number: usize, args: impl Iterator<Item = Dynamic>) -> Outcome<Dynamic> {
        let function = &self.program.functions[number];
        let body = function.body.as_ref().ok_or(Stop::Trouble)?;
        if self.depth >= MAX_DEPTH {
            return Err(Stop::Trouble);
        }
        let mut slots: Vec<Dynamic> = Vec::with_capacity(function.n_slots);
        slots.extend(args);
        slots.resize(function.n_slots, Dynamic::UNIT);
        self.depth += 1;
        let flow = self.block(body, &mut slots)?;
        self.depth -= 1;
        match flow {
            Flow::End(value) | Flow::Return(value) => Ok(value),
            Flow::Break | Flow::Continue => Err(Stop::Trouble),
        }
    }

    /// Writes what was remembered into the state, as one change for each scope. Only events may remember anything.
    fn keep_memory(&mut self) -> Outcome<()> {
        if self.remembered.is_empty() || self.frame.call.power != Power::Event {
            return Ok(());
        }
        let owner = self.frame.call.owner;
        for scope in [Scope::Part, Scope::Turn, Scope::Game] {
            if self.remembered.iter().all(|(s, _, _)| *s != scope) {
                continue;
            }
            let before = self.frame.call.state().memory(owner, scope);
            let mut memory = before.map_or_else(Memory::new, |before| Memory::clone(before));
            for (_, name, value) in self.remembered.iter().filter(|(s, _, _)| *s == scope) {
                match value_of(value).map_err(|_| Stop::Trouble)? {
                    Value::Unit => drop(memory.remove(name.as_str())),
                    value => drop(memory.insert(Arc::from(name.as_str()), value)),
                }
            }
            if before.map_or(!memory.is_empty(), |before| **before != memory) {
                let memory = (!memory.is_empty()).then(|| Arc::new(memory));
                small(memory.iter().flat_map(|memory| memory.values()).map(|value| size_of(&dynamic_of(value))))?;
                self.frame.call.change()?.set_memory(owner, scope, memory);
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

    fn block(&mut self, block: &Block, slots: &mut [Dynamic]) -> Outcome<Flow> {
        let mut last = Dynamic::UNIT;
        for step in block {
            last = match step {
                Step::Do(expr) => self.expr(expr, slots)?,
                Step::Set(slot, value) => {
                    slots[*slot] = self.expr(value, slots)?;
                    Dynamic::UNIT
                }
                Step::Change(slot, op, value) => {
                    let value = self.expr(value, slots)?;
                    change(&mut slots[*slot], *op, value)?;
                    Dynamic::UNIT
                }
                Step::Push(slot, item) => {
                    let item = self.expr(item, slots)?;
                    let mut list = slots[*slot].write_lock::<Array>().ok_or(Stop::Trouble)?;
                    room(&list, std::slice::from_ref(&item))?;
                    list.push(item);
                    Dynamic::UNIT
                }
                Step::Remember(scope, name, value) => {
                    let value = self.expr(value, slots)?;
                    let name = text(&self.expr(name, slots)?)?;
                    self.remembered.push((*scope, name, value));
                    Dynamic::UNIT
                }
                Step::If(condition, then, otherwise) => {
                    let branch = if self.truth(condition, slots)? { then } else { otherwise };
                    match self.block(branch, slots)? {
                        Flow::End(value) => value,
                        other => return Ok(other),
                    }
                }
                Step::For(slot, list, body) => {
                    let list = self.expr(list, slots)?.into_array().map_err(|_| Stop::Trouble)?;
                    for item in list {
                        self.count()?;
                        slots[*slot] = item;
                        match self.block(body, slots)? {
                            Flow::End(_) | Flow::Continue => {}
                            Flow::Break => break,
                            Flow::Return(value) => return Ok(Flow::Return(value)),
                        }
                    }
                    Dynamic::UNIT
                }
                Step::Count(slot, from, to, body) => {
                    let (from, to) = (self.number(from, slots)?, self.number(to, slots)?);
                    for n in from..to {
                        self.count()?;
                        slots[*slot] = Dynamic::from_int(n);
                        match self.block(body, slots)? {
                            Flow::End(_) | Flow::Continue => {}
                            Flow::Break => break,
                            Flow::Return(value) => return Ok(Flow::Return(value)),
                        }
                    }
                    Dynamic::UNIT
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
                    Dynamic::UNIT
                }
                Step::Break => return Ok(Flow::Break),
                Step::Continue => return Ok(Flow::Continue),
                Step::Return(value) => return Ok(Flow::Return(self.expr(value, slots)?)),
            };
        }
        Ok(Flow::End(last))
    }

    fn expr(&mut self, expr: &Expr, slots: &mut [Dynamic]) -> Outcome<Dynamic> {
        self.count()?;
        Ok(match expr {
            Expr::Const(value) => value.clone(),
            Expr::Slot(slot) => slots[*slot].clone(),
            Expr::Property(of, name, natives) => {
                let made = self.made(of, slots)?;
                let of = given(of, &made, slots);
                match (of.read_lock::<Map>(), of.read_lock::<Array>()) {
                    (Some(map), _) => map.get(name.as_str()).cloned().unwrap_or(Dynamic::UNIT),
                    (_, Some(list)) if name == "len" => number_of(list.len()),
                    _ => self.native(natives, &[of])?,
                }
            }
            Expr::Native(own, natives, args) => self.call(*own, natives, args, slots)?,
            Expr::Call(function, args) => {
                let args: Vec<Dynamic> = args.iter().map(|arg| self.expr(arg, slots)).collect::<Outcome<_>>()?;
                self.function(*function, args.into_iter())?
            }
            Expr::Binary(op, natives, both) => {
                let made = [self.made(&both[0], slots)?, self.made(&both[1], slots)?];
                let [a, b] = [0, 1].map(|i| given(&both[i], &made[i], slots));
                match builtin(*op, a, b)? {
                    Some(value) => value,
                    None => self.native(natives, &[a, b])?,
                }
            }
            Expr::Not(of) => Dynamic::from_bool(!self.truth(of, slots)?),
            Expr::Negative(of) => Dynamic::from_int(self.number(of, slots)?.checked_neg().ok_or(Stop::Trouble)?),
            Expr::And(all) => {
                for it in all {
                    if !self.truth(it, slots)? {
                        return Ok(Dynamic::FALSE);
                    }
                }
                Dynamic::TRUE
            }
            Expr::Or(all) => {
                for it in all {
                    if self.truth(it, slots)? {
                        return Ok(Dynamic::TRUE);
                    }
                }
                Dynamic::FALSE
            }
            Expr::List(items) => {
                let items: Array = items.iter().map(|item| self.expr(item, slots)).collect::<Outcome<_>>()?;
                room(&Array::new(), &items)?;
                Dynamic::from_array(items)
            }
            Expr::Map(known, entries) => {
                let mut map = known.clone();
                for (key, value) in entries {
                    map.insert(key.as_str().into(), self.expr(value, slots)?);
                }
                let map = Dynamic::from_map(map);
                small([size_of(&map)])?;
                map
            }
            Expr::Text(natives, parts) => {
                let mut whole = String::new();
                for part in parts {
                    let part = self.expr(part, slots)?;
                    if let Some(text) = part.read_lock::<ImmutableString>() {
                        whole += &text;
                    } else if let Ok(n) = part.as_int() {
                        whole += &n.to_string();
                    } else if let Ok(truth) = part.as_bool() {
                        whole += if truth { "true" } else { "false" };
                    } else {
                        whole += &text(&self.native(natives, &[&part])?)?;
                    }
                }
                if whole.len() > MAX_SIZE.bytes {
                    return Err(Stop::Trouble);
                }
                whole.into()
            }
            Expr::Index(of, by) => {
                let (of, by) = (self.expr(of, slots)?, self.expr(by, slots)?);
                match (of.read_lock::<Array>(), of.read_lock::<Map>()) {
                    (Some(list), _) => {
                        let at = by.as_int().ok().and_then(|at| usize::try_from(at).ok());
                        at.and_then(|at| list.get(at)).cloned().ok_or(Stop::Trouble)?
                    }
                    (_, Some(map)) => map.get(text(&by)?.as_str()).cloned().unwrap_or(Dynamic::UNIT),
                    _ => return Err(Stop::Trouble),
                }
            }
            Expr::Memory(scope, name) => {
                let name = text(&self.expr(name, slots)?)?;
                self.memory(*scope, &name).unwrap_or(Dynamic::UNIT)
            }
            Expr::Remembers(scope, name) => {
                let name = text(&self.expr(name, slots)?)?;
                Dynamic::from_bool(self.memory(*scope, &name).is_some())
            }
            Expr::Each(each, list, slot, body) => {
                let list = self.expr(list, slots)?.into_array().map_err(|_| Stop::Trouble)?;
                self.each(*each, list, *slot, body, slots)?
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
    fn made(&mut self, expr: &Expr, slots: &mut [Dynamic]) -> Outcome<Dynamic> {
        if expr.is_simple() { Ok(Dynamic::UNIT) } else { self.expr(expr, slots) }
    }

    fn truth(&mut self, expr: &Expr, slots: &mut [Dynamic]) -> Outcome<bool> {
        self.expr(expr, slots)?.as_bool().map_err(|_| Stop::Trouble)
    }

    fn number(&mut self, expr: &Expr, slots: &mut [Dynamic]) -> Outcome<i64> {
        self.expr(expr, slots)?.as_int().map_err(|_| Stop::Trouble)
    }

    fn memory(&self, scope: Scope, name: &str) -> Option<Dynamic> {
        if let Some((_, _, value)) = self.remembered.iter().rev().find(|(s, n, _)| *s == scope && n == name) {
            return Some(value.clone());
        }
        let call = &self.frame.call;
        call.state().memory(call.owner, scope)?.get(name).map(dynamic_of)
    }

    fn each(&mut self, each: Each, list: Array, slot: usize, body: &Block, slots: &mut [Dynamic]) -> Outcome<Dynamic> {
        let mut found = Array::new();
        // To the interpreter the method and the closure are two more calls.
        self.depth += 2;
        if self.depth >= MAX_DEPTH {
            return Err(Stop::Trouble);
        }
        for item in list {
            self.count()?;
            slots[slot] = item;
            let value = match self.block(body, slots)? {
                Flow::End(value) | Flow::Return(value) => value,
                Flow::Break | Flow::Continue => return Err(Stop::Trouble),
            };
            if let Each::Map = each {
                found.push(value);
                continue;
            }
            let passes = value.as_bool().map_err(|_| Stop::Trouble)?;
            match each {
                Each::Filter if passes => found.push(slots[slot].clone()),
                Each::Some | Each::All if passes == matches!(each, Each::Some) => {
                    self.depth -= 2;
                    return Ok(Dynamic::from_bool(passes));
                }
                _ => {}
            }
        }
        self.depth -= 2;
        room(&Array::new(), &found)?;
        Ok(match each {
            Each::Filter | Each::Map => Dynamic::from_array(found),
            Each::Some => Dynamic::FALSE,
            Each::All => Dynamic::TRUE,
        })
    }

    /// A native function, or what lists and maps have of their own. Variables and constants are handed over as they are.
    fn call(&mut self, own: Own, natives: &[Overload], args: &[Expr], slots: &mut [Dynamic]) -> Outcome<Dynamic> {
        let mut made: [Dynamic; MAX_PARAMS] = [const { Dynamic::UNIT }; MAX_PARAMS];
        for (made, arg) in made.iter_mut().zip(args) {
            *made = self.made(arg, slots)?;
        }
        let arg = |i: usize| given(&args[i], &made[i], slots);
        if own != Own::None
            && let Some(value) = self.own(own, arg(0), args.get(1).map(|_| arg(1)))?
        {
            return Ok(value);
        }
        match args.len() {
            0 => self.native(natives, &[]),
            1 => self.native(natives, &[arg(0)]),
            2 => self.native(natives, &[arg(0), arg(1)]),
            3 => self.native(natives, &[arg(0), arg(1), arg(2)]),
            4 => self.native(natives, &[arg(0), arg(1), arg(2), arg(3)]),
            _ => self.native(natives, &[arg(0), arg(1), arg(2), arg(3), arg(4)]),
        }
    }

    fn own(&mut self, own: Own, of: &Dynamic, arg: Option<&Dynamic>) -> Outcome<Option<Dynamic>> {
        if let (Own::Min | Own::Max, Some(other)) = (own, arg) {
            let (Ok(a), Ok(b)) = (of.as_int(), other.as_int()) else { return Err(Stop::Trouble) };
            return Ok(Some(Dynamic::from_int(if own == Own::Min { a.min(b) } else { a.max(b) })));
        }
        if let Some(list) = of.read_lock::<Array>() {
            return Ok(Some(match (own, arg) {
                (Own::Len, None) => number_of(list.len()),
                (Own::IsEmpty, None) => Dynamic::from_bool(list.is_empty()),
                (Own::Contains, Some(wanted)) => {
                    let equals = self.core.natives.borrow().find("==", 2);
                    let mut found = false;
                    for item in list.iter() {
                        let same = match builtin(Op::Equal, item, wanted)? {
                            Some(same) => same,
                            None => self.native(&equals, &[item, wanted])?,
                        };
                        found = same.as_bool().map_err(|_| Stop::Trouble)?;
                        if found {
                            break;
                        }
                    }
                    Dynamic::from_bool(found)
                }
                _ => return Err(Stop::Trouble),
            }));
        }
        if let Some(map) = of.read_lock::<Map>() {
            return Ok(Some(match (own, arg) {
                (Own::Len, None) => number_of(map.len()),
                (Own::IsEmpty, None) => Dynamic::from_bool(map.is_empty()),
                (Own::Contains, Some(key)) => Dynamic::from_bool(map.contains_key(text(key)?.as_str())),
                _ => return Err(Stop::Trouble),
            }));
        }
        Ok(None)
    }

    fn native(&mut self, natives: &[Overload], args: &[&Dynamic]) -> Outcome<Dynamic> {
        let native = natives.iter().find(|it| it.takes(args)).ok_or(Stop::Trouble)?;
        let value = (native.run)(&mut Cx { frame: self.frame, core: self.core }, args)?;
        small([size_of(&value)])?;
        Ok(value)
    }
}

/// The value of an expression: where it is kept, or what was made of it.
fn given<'v>(expr: &'v Expr, made: &'v Dynamic, slots: &'v [Dynamic]) -> &'v Dynamic {
    match expr {
        Expr::Slot(slot) => &slots[*slot],
        Expr::Const(value) => value,
        _ => made,
    }
}

fn number_of(n: usize) -> Dynamic {
    Dynamic::from_int(n as i64)
}

fn text(value: &Dynamic) -> Outcome<ImmutableString> {
    value.read_lock::<ImmutableString>().map(|text| text.clone()).ok_or(Stop::Trouble)
}

/// What a value holds, itself and what is in it counted together: items of lists, entries of maps, bytes of texts.
#[derive(Clone, Copy, Default)]
struct Size {
    items: usize,
    entries: usize,
    bytes: usize,
}

fn size_of(value: &Dynamic) -> Size {
    let add =
        |a: Size, b: Size| Size { items: a.items + b.items, entries: a.entries + b.entries, bytes: a.bytes + b.bytes };
    if let Some(text) = value.read_lock::<ImmutableString>() {
        return Size { bytes: text.len(), ..Size::default() };
    }
    if let Some(list) = value.read_lock::<Array>() {
        return list.iter().map(size_of).fold(Size { items: list.len(), ..Size::default() }, add);
    }
    if let Some(map) = value.read_lock::<Map>() {
        return map.values().map(size_of).fold(Size { entries: map.len(), ..Size::default() }, add);
    }
    Size::default()
}

/// Whether all of this together is small.
fn small(sizes: impl IntoIterator<Item = Size>) -> Outcome<()> {
    let mut all = Size::default();
    for size in sizes {
        all.items += size.items;
        all.entries += size.entries;
        all.bytes += size.bytes;
        if all.items > MAX_SIZE.items || all.entries > MAX_SIZE.entries || all.bytes > MAX_SIZE.bytes {
            return Err(Stop::Trouble);
        }
    }
    Ok(())
}

/// Whether a list has room for more.
fn room(list: &Array, added: &[Dynamic]) -> Outcome<()> {
    let n = Size { items: list.len() + added.len(), ..Size::default() };
    small(std::iter::once(n).chain(list.iter().chain(added).map(size_of)))
}

/// `to = to op value`.
fn change(to: &mut Dynamic, op: Op, value: Dynamic) -> Outcome<()> {
    if let (Op::Add, true, true) = (op, to.is_array(), value.is_array()) {
        let more = value.into_array().map_err(|_| Stop::Trouble)?;
        let mut list = to.write_lock::<Array>().ok_or(Stop::Trouble)?;
        room(&list, &more)?;
        list.extend(more);
        return Ok(());
    }
    *to = builtin(op, to, &value)?.ok_or(Stop::Trouble)?;
    Ok(())
}

/// What the language itself says about an operator; nothing where native functions must tell.
fn builtin(op: Op, a: &Dynamic, b: &Dynamic) -> Outcome<Option<Dynamic>> {
    if let (Ok(a), Ok(b)) = (a.as_int(), b.as_int()) {
        let number = |n: Option<i64>| n.map(Dynamic::from_int).ok_or(Stop::Trouble);
        return Ok(Some(match op {
            Op::Add => number(a.checked_add(b))?,
            Op::Subtract => number(a.checked_sub(b))?,
            Op::Multiply => number(a.checked_mul(b))?,
            Op::Divide => number(a.checked_div(b))?,
            Op::Remainder => number(a.checked_rem(b))?,
            _ => Dynamic::from_bool(holds(op, a.cmp(&b))),
        }));
    }
    let is_comparison = !matches!(op, Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Remainder);
    if let (Some(a), Some(b)) = (a.read_lock::<ImmutableString>(), b.read_lock::<ImmutableString>()) {
        return match op {
            Op::Add if a.len() + b.len() <= MAX_SIZE.bytes => Ok(Some(format!("{}{}", a.as_str(), b.as_str()).into())),
            _ if is_comparison => Ok(Some(Dynamic::from_bool(holds(op, a.as_str().cmp(b.as_str()))))),
            _ => Err(Stop::Trouble),
        };
    }
    if let (Ok(a), Ok(b)) = (a.as_bool(), b.as_bool()) {
        return match op {
            Op::Equal => Ok(Some(Dynamic::from_bool(a == b))),
            Op::Unequal => Ok(Some(Dynamic::from_bool(a != b))),
            _ => Err(Stop::Trouble),
        };
    }
    if a.is_array() || b.is_array() || a.is_map() || b.is_map() || a.is_char() || b.is_char() {
        let (Op::Add, true, true) = (op, a.is_array(), b.is_array()) else { return Err(Stop::Trouble) };
        let (mut list, more) = (a.clone(), b.clone());
        change(&mut list, op, more)?;
        return Ok(Some(list));
    }
    match (is_comparison, a.is_unit() && b.is_unit(), a.type_id() == b.type_id()) {
        (true, true, _) => match op {
            Op::Equal => Ok(Some(Dynamic::TRUE)),
            Op::Unequal => Ok(Some(Dynamic::FALSE)),
            _ => Err(Stop::Trouble),
        },
        // Values of different sorts are never equal, and none of them is less.
        (true, _, false) => Ok(Some(Dynamic::from_bool(op == Op::Unequal))),
        (true, _, true) => Ok(None),
        (false, ..) => Err(Stop::Trouble),
    }
}

fn holds(op: Op, order: std::cmp::Ordering) -> bool {
    match op {
        Op::Equal => order.is_eq(),
        Op::Unequal => order.is_ne(),
        Op::Less => order.is_lt(),
        Op::LessOrEqual => order.is_le(),
        Op::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}
