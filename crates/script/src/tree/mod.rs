//! Running functions of mods as trees, where they keep to the plain part of the language.
//!
//! The interpreter spends a thousand machine instructions on an operation, most of them on finding out what it means. So each function is
//! lowered once to a tree in which variables have places and functions are found ([`lower`]), and the tree is run ([`eval`]). It exists for
//! speed alone: the benchmark `random_game_interpreted` tells what games cost without it, two to four times as much with expansions.
//!
//! A function has one meaning, the interpreter's. What a tree cannot say is not lowered. Whatever goes wrong while one runs (a wrong type, a
//! number too large, a refused effect, more spent than is certain to be allowed) ends the run without a word: calls are transactions, so the
//! interpreter then runs the function from its beginning and says what is wrong, and where. `tests/generated.rs` holds the two against each
//! other by programs made at random.
#![expect(clippy::indexing_slicing, reason = "slots and functions are numbered by what lowered them")]

mod eval;
mod lower;
mod operators;

use std::collections::BTreeMap;
use std::sync::Arc;

use rules::{Refusal, Scope, Value};

pub(crate) use eval::run;
pub(crate) use lower::{Unknown, lower};

use crate::natives::Overloads;
use crate::script_value::ScriptValue;

/// Why a run ended before its end.
pub(crate) enum Bail {
    /// It has asked.
    Asked,
    /// The interpreter must run the function, and say what is wrong if something is.
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

type Outcome<T> = Result<T, Bail>;

/// The functions of a script that were lowered, and those they call.
#[derive(Default)]
pub(crate) struct Program {
    functions: Vec<Function>,
}

/// A lowered function.
pub(crate) struct Function {
    /// How many places its variables need; its parameters have the first.
    n_slots: usize,
    /// Nothing while it is being lowered, or where that failed: what calls it has no tree either.
    body: Option<Block>,
}

/// Statements; the value of the last is the value of the whole.
type Block = Box<[Step]>;

/// A statement.
enum Step {
    /// An expression for its value or its effect.
    Do(Expr),
    /// Sets the variable in a slot.
    Set(usize, Expr),
    /// Adds to the variable in a slot, or does something else with it.
    Change(usize, Op, Expr),
    /// Adds an item to the list in a slot.
    Push(usize, Expr),
    /// Sets what `mem` remembers under a name.
    Remember(Scope, Expr, Expr),
    If(Expr, Block, Block),
    /// Runs the block for each item, which is put into the slot.
    For(usize, Expr, Block),
    /// The same for the numbers from the first up to but not including the second.
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
    /// A property, of a map or by a native function.
    Property(Box<Expr>, Arc<str>, Overloads),
    /// A native function or method; lists and maps have some of their own.
    Native(Own, Overloads, Box<[Expr]>),
    /// A function of the script, by its number in the program.
    Call(usize, Box<[Expr]>),
    /// An operator.
    Binary(Op, Box<[Expr; 2]>),
    Not(Box<Expr>),
    Negative(Box<Expr>),
    And(Box<[Expr]>),
    Or(Box<[Expr]>),
    List(Box<[Expr]>),
    /// A map: what of it is known, and the rest.
    Map(BTreeMap<Arc<str>, Value>, Box<[(Arc<str>, Expr)]>),
    /// A text with values in it.
    Text(Box<[Expr]>),
    Index(Box<Expr>, Box<Expr>),
    /// What `mem` remembers under a name.
    Memory(Scope, Box<Expr>),
    /// What `mem` remembers under a name, else a default.
    MemoryOr(Scope, Box<[Expr; 2]>),
    /// Whether it remembers anything under it.
    Remembers(Scope, Box<Expr>),
    /// Goes through a list; each item is put into the slot before the block is run, which sees the other slots as well.
    Each(Each, Box<Expr>, (usize, Box<[usize]>), Block),
    If(Box<(Expr, Block, Block)>),
}

/// A method that lists and maps have of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Own {
    None,
    Len,
    IsEmpty,
    Contains,
    Min,
    Max,
}

/// What going through a list is for.
#[derive(Clone, Copy)]
enum Each {
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
    /// Whether nothing that happens can change its value, and it is at hand.
    pub(super) fn is_simple(&self) -> bool {
        matches!(self, Expr::Const(_) | Expr::Slot(_))
    }

    /// Whether it only looks: it neither changes anything nor asks.
    fn looks(&self) -> bool {
        let all = |all: &[Expr]| all.iter().all(Expr::looks);
        let natives = |natives: &Overloads| natives.iter().all(|it| it.looks);
        match self {
            Expr::Const(_) | Expr::Slot(_) => true,
            Expr::Property(of, _, _) | Expr::Not(of) | Expr::Negative(of) => of.looks(),
            Expr::Memory(_, of) | Expr::Remembers(_, of) => of.looks(),
            Expr::Native(_, of, args) => natives(of) && all(args),
            Expr::Binary(_, both) | Expr::MemoryOr(_, both) => all(&**both),
            Expr::And(of) | Expr::Or(of) | Expr::List(of) | Expr::Text(of) => all(of),
            Expr::Map(_, entries) => entries.iter().all(|(_, value)| value.looks()),
            Expr::Index(of, by) => of.looks() && by.looks(),
            Expr::Each(_, of, _, block) => of.looks() && looks(block),
            Expr::If(of) => of.0.looks() && looks(&of.1) && looks(&of.2),
            Expr::Call(..) => false,
        }
    }

    /// Of the last link of a chain what stands in its brackets.
    fn own_args(&self) -> impl Iterator<Item = &Expr> {
        let (args, one) = match self {
            Expr::Native(_, _, args) => (&args[1..], None),
            Expr::Index(_, by) => (&[][..], Some(&**by)),
            _ => (&[][..], None),
        };
        args.iter().chain(one)
    }
}

fn looks(block: &Block) -> bool {
    block.iter().all(|step| matches!(step, Step::Do(expr) if expr.looks()))
}
