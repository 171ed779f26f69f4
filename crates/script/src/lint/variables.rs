//! Finds the literal texts that variables contain, so that the linter can check names such as
//! `kind` in `for kind in ["road", "city"] { features(kind); }`.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTFlags, ASTNode, Expr, Position, Stmt};

use super::syntax::{enclosing_function, first_call};
use crate::compile::ScriptFn;
use crate::error_text::CLOSURE_PREFIX;
use crate::params::NameCategory;
use crate::scan::{PlacedText, ScriptScan};

/// The maximum number of steps from a variable to a literal, such as from `kind` to `KINDS` to
/// `["road"]`.
const MAX_STEPS: usize = 6;

/// The methods that call a closure with the items of a list.
const ITEM_METHODS: [&str; 8] = ["all", "some", "filter", "map", "find", "find_map", "for_each", "index_of"];

/// The value of a variable, as far as the linter knows it.
#[derive(Clone)]
pub(super) enum Content {
    /// This expression.
    Of(Expr),
    /// An item of the list that this expression returns.
    ItemOf(Expr),
    /// The argument of a function with this number, counted from 0.
    Argument(usize),
    Unknown,
}

/// The function that contains a variable, as its index in the scan; `None` for constants outside
/// functions. Then the name of the variable.
pub(super) type VariableKey = (Option<usize>, String);

/// The uses of a variable with literal texts as names.
#[derive(Default)]
struct NameUses {
    /// The categories of names for which the script uses the variable.
    categories: BTreeSet<NameCategory>,
    /// The texts with which the script compares the variable. These texts need not be names.
    compared: BTreeSet<String>,
    texts: Vec<PlacedText>,
}

/// The variables of a script that contain literals.
pub(super) struct LiteralVariables<'a> {
    scanned: &'a ScriptScan,
    contents: BTreeMap<VariableKey, Vec<Content>>,
    /// The parameters of functions and closures, and the variables that functions declare.
    locals: BTreeSet<VariableKey>,
    uses: RefCell<BTreeMap<VariableKey, NameUses>>,
}

impl<'a> LiteralVariables<'a> {
    /// Collects the variables of a script.
    pub(super) fn collect(ast: &AST, scanned: &'a ScriptScan) -> LiteralVariables<'a> {
        let mut found =
            LiteralVariables { scanned, contents: BTreeMap::new(), locals: BTreeSet::new(), uses: RefCell::default() };
        let constants: BTreeSet<Position> = ast.statements().iter().map(Stmt::position).collect();
        for (i, function) in scanned.functions.iter().enumerate() {
            for (n, param) in function.params.iter().enumerate() {
                found.declare(Some(i), param, Content::Argument(n));
            }
        }
        // For each closure, the number of variables that it captures, and the list over whose items
        // it runs.
        let mut captures: BTreeMap<String, usize> = BTreeMap::new();
        let mut lists: BTreeMap<String, Option<Expr>> = BTreeMap::new();
        ast.walk(&mut |path| {
            match path.last() {
                Some(ASTNode::Stmt(Stmt::Var(it, flags, at))) => {
                    let is_outside = flags.contains(ASTFlags::CONSTANT) && constants.contains(at);
                    let function = if is_outside { None } else { enclosing_function(*at, scanned) };
                    found.declare(function, &it.0.name, Content::Of(it.1.clone()));
                }
                Some(ASTNode::Stmt(Stmt::For(it, at))) => {
                    let function = enclosing_function(*at, scanned);
                    found.declare(function, &it.0.name, Content::ItemOf(it.2.expr.clone()));
                    it.1.iter().for_each(|counter| found.declare(function, &counter.name, Content::Unknown));
                }
                Some(ASTNode::Stmt(Stmt::Assignment(it))) => {
                    if let Expr::Variable(variable, _, at) = &it.1.lhs {
                        found.assign(enclosing_function(*at, scanned), &variable.1, Content::Unknown);
                    }
                }
                Some(ASTNode::Stmt(Stmt::TryCatch(it, at))) => {
                    if let Expr::Variable(variable, ..) = &it.expr {
                        found.declare(enclosing_function(*at, scanned), &variable.1, Content::Unknown);
                    }
                }
                Some(ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)))
                    if call.name == "curry" =>
                {
                    if let Some(name) = call.args.first().and_then(closure_name) {
                        captures.insert(name, call.args.len() - 1);
                    }
                }
                Some(ASTNode::Expr(Expr::Dot(it, ..))) => {
                    if let Some(call) = first_call(&it.rhs)
                        && ITEM_METHODS.contains(&call.name.as_str())
                        && let Some(name) = call.args.first().and_then(closure_name)
                    {
                        // Equal closures have the same name, even if they run over different lists.
                        let list = if lists.contains_key(&name) { None } else { Some(it.lhs.clone()) };
                        lists.insert(name, list);
                    }
                }
                _ => {}
            }
            true
        });
        for closure in ast.iter_functions().filter(|function| function.name.starts_with(CLOSURE_PREFIX)) {
            let Some(it) = ScriptFn::find(ast, closure.name, closure.params.len()) else { continue };
            let function = enclosing_function(it.at, scanned);
            let own = it.params.iter().skip(captures.get(closure.name).copied().unwrap_or_default());
            for (i, param) in own.enumerate() {
                let list = lists.get(closure.name).cloned().flatten().filter(|_| i == 0);
                found.declare(function, param, list.map_or(Content::Unknown, Content::ItemOf));
            }
        }
        found
    }

    fn declare(&mut self, function: Option<usize>, name: &str, content: Content) {
        if function.is_some() {
            self.locals.insert((function, name.to_owned()));
        }
        self.assign(function, name, content);
    }

    fn assign(&mut self, function: Option<usize>, name: &str, content: Content) {
        self.contents.entry((function, name.to_owned())).or_default().push(content);
    }

    /// Returns the key and the content of the variable `name` at a position. Returns `None` if the
    /// script gives the variable several values, or a value that the linter does not know.
    pub(super) fn content(&self, name: &str, at: Position) -> Option<(VariableKey, &Content)> {
        let keys = [(enclosing_function(at, self.scanned), name.to_owned()), (None, name.to_owned())];
        keys.into_iter().find_map(|key| {
            let contents = self.contents.get(&key)?;
            Some((key, if let [content] = &contents[..] { content } else { &Content::Unknown }))
        })
    }

    /// Returns the literals that may be the value of an expression; none if unknown.
    fn literals<'e>(&'e self, expression: &'e Expr, n_steps: usize) -> Vec<&'e Expr> {
        let Some(n_steps) = n_steps.checked_sub(1) else { return Vec::new() };
        match expression {
            Expr::StringConstant(..) | Expr::Array(..) => vec![expression],
            Expr::Variable(it, _, at) => match self.content(&it.1, *at) {
                Some((_, Content::Of(value))) => self.literals(value, n_steps),
                Some((_, Content::ItemOf(list))) => self.items(list, n_steps),
                _ => Vec::new(),
            },
            // The first item of each pair in `for pair in [["road", 1], ["city", 2]]`.
            Expr::Index(it, ..) => {
                let Expr::IntegerConstant(i, _) = it.rhs else { return Vec::new() };
                let lists = self.literals(&it.lhs, n_steps).into_iter();
                let item = |list: &'e Expr| match list {
                    Expr::Array(items, _) => items.get(usize::try_from(i).ok()?),
                    _ => None,
                };
                lists.filter_map(item).flat_map(|item| self.literals(item, n_steps)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the literal items of the list that an expression returns.
    fn items<'e>(&'e self, list: &'e Expr, n_steps: usize) -> Vec<&'e Expr> {
        let lists = self.literals(list, n_steps).into_iter();
        let items = lists.filter_map(|list| if let Expr::Array(items, _) = list { Some(&items[..]) } else { None });
        items.flatten().flat_map(|item| self.literals(item, n_steps)).collect()
    }

    /// Returns the literal texts that a variable, or a part of a variable, contains. Returns `None`
    /// if `expression` does not begin with a variable, or the variable contains no literal texts.
    fn texts(&self, expression: &Expr) -> Option<(VariableKey, Vec<PlacedText>)> {
        let (Expr::Variable(..) | Expr::Index(..)) = expression else { return None };
        let root = root_of(expression)?;
        let (key, _) = self.content(root.0, root.1)?;
        let mut texts = Vec::new();
        for literal in self.literals(expression, MAX_STEPS) {
            let items = if let Expr::Array(items, _) = literal { &items[..] } else { std::slice::from_ref(literal) };
            texts.extend(items.iter().filter_map(placed_text));
        }
        Some((key, texts)).filter(|(_, texts)| !texts.is_empty())
    }

    /// Returns the only value that the script gives to the variable `name` at a position, if there
    /// is one.
    pub(super) fn value_of(&self, name: &str, at: Position) -> Option<&Expr> {
        match self.content(name, at) {
            Some((_, Content::Of(value))) => Some(value),
            _ => None,
        }
    }

    /// Returns whether `name` at a position is a constant outside all functions. Returns false if
    /// the function around the position declares a variable with this name.
    pub(super) fn is_constant(&self, name: &str, at: Position) -> bool {
        let is_local = || self.locals.contains(&(enclosing_function(at, self.scanned), name.to_owned()));
        self.scanned.constants.iter().any(|constant| constant == name) && !is_local()
    }

    /// Records that the script uses `expression` as a name of one of the categories `declared`.
    pub(super) fn use_as_name(&self, expression: &Expr, declared: &[NameCategory]) {
        if let Some((key, texts)) = self.texts(expression) {
            let mut uses = self.uses.borrow_mut();
            let uses = uses.entry(key).or_default();
            uses.categories.extend(declared);
            uses.texts.extend(texts);
        }
    }

    /// Records that the script compares `expression` with a text. The text need not be a name.
    pub(super) fn compare(&self, expression: &Expr, text: &str) {
        if let Some((key, _)) = self.texts(expression) {
            self.uses.borrow_mut().entry(key).or_default().compared.insert(text.to_owned());
        }
    }

    /// Returns the literal texts that variables contain and that the script uses as names, each
    /// with the categories of these names.
    pub(super) fn used_names(&self) -> Vec<(PlacedText, Vec<NameCategory>)> {
        let uses = self.uses.borrow();
        let named = uses.values().filter(|uses| !uses.categories.is_empty());
        let texts = named.flat_map(|uses| uses.texts.iter().map(move |text| (uses, text)));
        let is_name = |(uses, (text, _)): &(&NameUses, &PlacedText)| !uses.compared.contains(text);
        texts.filter(is_name).map(|(uses, text)| (text.clone(), uses.categories.iter().copied().collect())).collect()
    }
}

/// Returns the text and its place if `expression` is a literal text.
fn placed_text(expression: &Expr) -> Option<PlacedText> {
    if let Expr::StringConstant(text, at) = expression { Some((text.to_string(), *at)) } else { None }
}

/// Returns the variable at the beginning of `list[0][1]`, with its place. Returns `None` for other
/// expressions.
fn root_of(expression: &Expr) -> Option<(&str, Position)> {
    match expression {
        Expr::Variable(it, _, at) => Some((it.1.as_str(), *at)),
        Expr::Index(it, ..) => root_of(&it.lhs),
        _ => None,
    }
}

/// Returns the name of the closure, with or without captured variables, if `arg` is one.
fn closure_name(arg: &Expr) -> Option<String> {
    match arg {
        Expr::DynamicConstant(value, _) => {
            let name = value.read_lock::<rhai::FnPtr>()?.fn_name().to_owned();
            name.starts_with(CLOSURE_PREFIX).then_some(name)
        }
        // In the syntax tree, captured variables are first shared and then bound.
        Expr::Stmt(block) => block.iter().find_map(|statement| {
            let call = match statement {
                Stmt::FnCall(call, _) => call,
                Stmt::Expr(it) => match &**it {
                    Expr::FnCall(call, _) => call,
                    _ => return None,
                },
                _ => return None,
            };
            call.args.first().filter(|_| call.name == "curry").and_then(closure_name)
        }),
        _ => None,
    }
}
