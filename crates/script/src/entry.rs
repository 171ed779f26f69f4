//! The entries of the table of everything that scripts may use.
#![expect(clippy::indexing_slicing, reason = "entries of the one table, which tests read whole")]

use crate::params::ParamInfo;

/// The category of an entry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum EntryKind {
    /// Reads; may be used everywhere.
    Query,
    /// Submits a term of an award; for `score_value` and `score_total` only.
    Term,
    /// Changes the game; for events, phases and handlers of options only.
    Effect,
    /// Asks a player or chance; for events, phases and handlers of options only.
    Question,
}

/// The syntax of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// `name(a, b)`.
    Function,
    /// `a.name(b)`.
    Method,
    /// `a.name`.
    Property,
}

/// An entry of the table: something that scripts may use.
#[derive(Clone, Debug)]
pub(crate) struct ApiEntry {
    pub name: &'static str,
    pub kind: EntryKind,
    pub form: Form,
    /// Its topic, the heading in the documentation.
    pub topic: &'static str,
    /// The names of the parameters. The first one is the receiver of a method or property.
    pub names: Vec<&'static str>,
    pub params: Vec<ParamInfo>,
    /// Its result, in words.
    pub result: String,
    pub rhai_result: String,
    /// Its description, in a sentence or two.
    pub about: &'static str,
    pub example: &'static str,
}

impl ApiEntry {
    /// Returns whether the function accepts `n` arguments, including its receiver.
    pub fn takes(&self, n: usize) -> bool {
        n <= self.params.len() && self.params[n..].iter().all(|param| param.optional)
    }

    /// Returns the usage, such as `piece.owner`, `supply(player, piece)` or `hand(player, tag?)`. A
    /// `?` marks an optional parameter.
    pub fn usage(&self) -> String {
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
            (Form::Function, _) => format!("{}({})", self.name, list(0)),
            (Form::Method, Some(of)) => format!("{of}.{}({})", self.name, list(1)),
            (Form::Property, Some(of)) => format!("{of}.{}", self.name),
            (_, None) => self.name.to_owned(),
        }
    }
}
