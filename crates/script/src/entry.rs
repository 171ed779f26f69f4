//! The entries of the table of everything that scripts may use.
#![expect(clippy::indexing_slicing, reason = "tests read every entry of the table")]

use crate::params::ParamInfo;

/// The category of an entry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum EntryKind {
    /// An entry that only reads the game. Every script function may use a query.
    Query,
    /// An entry that submits a term of an award. Only `score_value` and `score_total` may use a
    /// term.
    Term,
    /// An entry that changes the game. Only events, phases and handlers of options may use an
    /// effect.
    Effect,
    /// An entry that asks a player or chance. Only events, phases and handlers of options may use a
    /// question.
    Question,
}

/// The syntax with which scripts use an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EntrySyntax {
    /// `name(a, b)`.
    Function,
    /// `a.name(b)`.
    Method,
    /// `a.name`.
    Property,
}

/// A function, method or property that scripts may use, as an entry of the table.
#[derive(Clone, Debug)]
pub(crate) struct ApiEntry {
    pub name: &'static str,
    pub kind: EntryKind,
    pub form: EntrySyntax,
    /// The topic of the entry, which is its heading in the reference.
    pub topic: &'static str,
    /// The names of the parameters. The first one is the receiver of a method or property.
    pub names: Vec<&'static str>,
    pub params: Vec<ParamInfo>,
    /// The type of the result in words; empty if the entry has no result.
    pub result: String,
    pub rhai_result: &'static str,
    /// The description of the entry, in a sentence or two.
    pub about: &'static str,
    pub example: &'static str,
}

impl ApiEntry {
    /// Returns whether the function accepts `n` arguments. The receiver of a method counts as an
    /// argument.
    pub fn takes(&self, n: usize) -> bool {
        n <= self.params.len() && self.params[n..].iter().all(|param| param.optional)
    }

    /// Returns the usage of the entry, such as `piece.owner`, `supply(player, piece)` or
    /// `hand(player, tag?)`. A `?` marks an optional parameter.
    pub(crate) fn usage(&self) -> String {
        let param = |i: usize| match &self.params[i] {
            ParamInfo { keys: [], optional: false, .. } => self.names[i].to_owned(),
            ParamInfo { keys: [], .. } => format!("{}?", self.names[i]),
            ParamInfo { keys, .. } => {
                let keys: Vec<String> = keys.iter().map(|key| format!("{}: ...", key.name)).collect();
                format!("#{{ {} }}?", keys.join(", "))
            }
        };
        let list = |from: usize| (from..self.names.len()).map(param).collect::<Vec<_>>().join(", ");
        match (self.form, self.names.first()) {
            (EntrySyntax::Function, _) => format!("{}({})", self.name, list(0)),
            (EntrySyntax::Method, Some(of)) => format!("{of}.{}({})", self.name, list(1)),
            (EntrySyntax::Property, Some(of)) => format!("{of}.{}", self.name),
            (_, None) => self.name.to_owned(),
        }
    }
}
