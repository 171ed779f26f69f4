//! Runs functions of mods as trees, if they use only simple constructs of the language.
//!
//! The interpreter spends a thousand machine instructions on an operation, most of them on
//! resolving names. Therefore each function is lowered once to a tree, in which variables have
//! slots and functions are resolved ([`lower`]), and the tree is evaluated ([`eval`]). Trees exist
//! only for speed: without them, a random game with many scripts takes five times as long
//! (benchmark `random_game_interpreted`).
//!
//! The interpreter alone defines the meaning of a function. Constructs that a tree cannot express
//! are not lowered. If a tree meets a wrong type, an overflow, a refused effect or a budget that
//! may be exceeded, its run ends silently. Because calls are transactions, the interpreter can then
//! run the function from its beginning and report the error with its place. `tests/generated.rs`
//! compares trees and the interpreter with random programs.
#![expect(clippy::indexing_slicing, reason = "lowering assigns the indices of slots and functions")]

mod eval;
mod guard;
mod lower;
mod operators;
mod parts;
mod program;
mod values;

use std::collections::BTreeMap;
use std::sync::Arc;

use rules::{Refusal, Scope, Value};

pub(crate) use eval::run;
pub(crate) use lower::{UnsupportedConstruct, lower};
pub(crate) use program::Program;

use crate::natives::Overloads;
use crate::script_value::ScriptValue;

/// A reason why the run of a tree stopped early.
pub(crate) enum Bail {
    /// The function asked a question.
    Asked,
    /// The interpreter must run the function again, and report any error.
    Interpret,
}

impl From<Refusal> for Bail {
    fn from(refusal: Refusal) -> Bail {
        match refusal {
            Refusal::Asked => Bail::Asked,
            Refusal::Because(_) => Bail::Interpret,
        }
    }
}

type TreeResult<T> = Result<T, Bail>;

/// A list of statements. The value of the last statement is the value of the block.
type Block = Box<[Statement]>;

/// A statement.
enum Statement {
    /// Evaluates an expression for its value or effect.
    Do(Expr),
    /// Sets the variable in a slot.
    Set(usize, Expr),
    /// Applies an operator to the variable in a slot.
    Change(usize, Op, Expr),
    /// Appends an item to the list in a slot.
    Push(usize, Expr),
    /// Sets an entry of the list or map in a slot, or applies an operator to the entry.
    SetPart(usize, Expr, Option<Op>, Expr),
    /// Removes an item or entry from the list or map in the first slot. Stores the removed value in
    /// the second slot, if a second slot is given.
    Remove(usize, RemovalMethod, Expr, Option<usize>),
    /// Sets an entry of `mem`.
    Remember(Scope, Expr, Expr),
    If(Expr, Block, Block),
    /// Stores each item of a list in a slot, and runs the block for each item.
    For(usize, Expr, Block),
    /// Counts from the first number up to, but not including, the second. Stores each number in a
    /// slot, and runs the block for it.
    Count(usize, Expr, Expr, Block),
    While(Expr, Block),
    Break,
    Continue,
    Return(Expr),
}

/// An expression.
enum Expr {
    Const(ScriptValue),
    Slot(usize),
    /// A property: an entry of a map, the length of a list, or the result of a native function.
    Property(Box<Expr>, Arc<str>, Overloads),
    /// A native or built-in function or method.
    Native(Builtin, Overloads, Box<[Expr]>),
    /// A function of the script, by its number in the program.
    Call(usize, Box<[Expr]>),
    /// An operator.
    Binary(Op, Box<[Expr; 2]>),
    Not(Box<Expr>),
    Negative(Box<Expr>),
    And(Box<[Expr]>),
    Or(Box<[Expr]>),
    List(Box<[Expr]>),
    /// A map: its constant entries, and its computed ones.
    Map(BTreeMap<Arc<str>, Value>, Box<[(Arc<str>, Expr)]>),
    /// A text with interpolated values.
    Text(Box<[Expr]>),
    Index(Box<Expr>, Box<Expr>),
    /// An entry of `mem`.
    Memory(Scope, Box<Expr>),
    /// An entry of `mem`, or a default value if `mem` lacks the entry.
    MemoryOr(Scope, Box<[Expr; 2]>),
    /// A test whether `mem` has an entry.
    Remembers(Scope, Box<Expr>),
    /// An iteration over a list. Stores each item in the first slot, then runs the block, which
    /// also reads the other slots and the constants.
    Each(IterationMethod, Box<Expr>, (usize, Box<[usize]>, Box<[ScriptValue]>), Block),
    If(Box<(Expr, Block, Block)>),
}

/// A built-in function or method of numbers, texts, lists and maps. `None` if the call can only
/// mean a native function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Builtin {
    None,
    Len,
    IsEmpty,
    Contains,
    Min,
    Max,
    StartsWith,
    EndsWith,
}

/// A way to remove an item from a list or an entry from a map.
#[derive(Clone, Copy)]
enum RemovalMethod {
    /// The item at an index of a list, or the entry with a key of a map.
    Remove,
    /// The last item.
    Pop,
    /// The first item.
    Shift,
}

/// The list method that iterates, such as `filter`.
#[derive(Clone, Copy)]
enum IterationMethod {
    Filter,
    Map,
    Some,
    All,
    Most,
    Least,
    Sum,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Op {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Expr {
    /// Returns whether the expression is a variable or constant, whose value is available without
    /// computing it.
    pub(super) fn is_simple(&self) -> bool {
        matches!(self, Expr::Const(_) | Expr::Slot(_))
    }

    /// Returns whether the expression only reads, that is, neither changes nor asks anything.
    fn is_read_only(&self) -> bool {
        let all = |all: &[Expr]| all.iter().all(Expr::is_read_only);
        let natives = |natives: &Overloads| natives.iter().all(|it| it.is_read_only);
        match self {
            Expr::Const(_) | Expr::Slot(_) => true,
            Expr::Property(of, _, _) | Expr::Not(of) | Expr::Negative(of) => of.is_read_only(),
            Expr::Memory(_, of) | Expr::Remembers(_, of) => of.is_read_only(),
            Expr::Native(_, of, args) => natives(of) && all(args),
            Expr::Binary(_, both) | Expr::MemoryOr(_, both) => all(&**both),
            Expr::And(of) | Expr::Or(of) | Expr::List(of) | Expr::Text(of) => all(of),
            Expr::Map(_, entries) => entries.iter().all(|(_, value)| value.is_read_only()),
            Expr::Index(of, by) => of.is_read_only() && by.is_read_only(),
            Expr::Each(_, of, _, block) => of.is_read_only() && is_read_only(block),
            Expr::If(of) => of.0.is_read_only() && is_read_only(&of.1) && is_read_only(&of.2),
            Expr::Call(..) => false,
        }
    }

    /// Returns the arguments in the last link of a chain, such as `c` in `a.b(c)`.
    fn last_link_args(&self) -> impl Iterator<Item = &Expr> {
        let (args, one) = match self {
            Expr::Native(_, _, args) => (&args[1..], None),
            Expr::Index(_, by) => (&[][..], Some(&**by)),
            _ => (&[][..], None),
        };
        args.iter().chain(one)
    }
}

fn is_read_only(block: &Block) -> bool {
    block.iter().all(|step| matches!(step, Statement::Do(expr) if expr.is_read_only()))
}
