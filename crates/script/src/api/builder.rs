//! Builds the table of entries.

use rules::{ReadSet, Refusal};

use crate::core::Cx;
use crate::entry::{ApiEntry, EntryKind, EntrySyntax};
use crate::handles::Handle;
use crate::params::{Native, Param};
use crate::register::{Registry, register_method, register_native};
use crate::replies::Reply;

/// The builder of the table of entries. If `registry` is set, the builder also registers the
/// functions.
pub(crate) struct Api<'e> {
    pub registry: Option<Registry<'e>>,
    pub entries: Vec<ApiEntry>,
    topic: &'static str,
    /// The parts of the game that the function of the next entry reads (see [`reads`](Api::reads)).
    next_reads: ReadSet,
}

/// The documentation of an entry, written beside its function.
pub(crate) struct EntryDoc {
    pub params: &'static str,
    pub about: &'static str,
    pub example: &'static str,
}

/// Makes the documentation of an entry, as in `doc("player, kind", "Its effect.", "an example")`.
pub(crate) const fn doc(params: &'static str, about: &'static str, example: &'static str) -> EntryDoc {
    EntryDoc { params, about, example }
}

impl<'e> Api<'e> {
    /// Makes a builder without entries.
    pub fn new(registry: Option<Registry<'e>>) -> Api<'e> {
        Api { registry, entries: Vec::new(), topic: "", next_reads: ReadSet::ANYTHING }
    }

    /// Sets the heading under which the reference lists the following entries.
    pub fn topic(&mut self, topic: &'static str) {
        self.topic = topic;
    }

    /// Declares the parts of the game that the function of the next entry reads. `reads` need not
    /// contain the arguments of the function, nor parts that the function itself records, as
    /// `Cx::tokens` does.
    ///
    /// Without this declaration, the engine assumes that the function reads everything. Each final
    /// count must then run every mod function that calls it again.
    pub fn reads(&mut self, reads: ReadSet) -> &mut Self {
        self.next_reads = reads;
        self
    }

    fn add<F, Args, R>(&mut self, kind: EntryKind, form: EntrySyntax, name: &'static str, says: EntryDoc, function: F)
    where
        F: Native<Args, R>,
        R: Reply,
    {
        let names: Vec<&'static str> = says.params.split(", ").filter(|n| !n.is_empty()).collect();
        let params = F::params();
        debug_assert_eq!(names.len(), params.len(), "the documented parameters of `{name}` differ in number");
        let reads = std::mem::replace(&mut self.next_reads, ReadSet::ANYTHING);
        if let Some(registry) = &mut self.registry {
            match form {
                EntrySyntax::Property => register_native(registry, &format!("get${name}"), kind, reads, function),
                EntrySyntax::Method if kind == EntryKind::Query => register_method(registry, name, reads, function),
                EntrySyntax::Function | EntrySyntax::Method => register_native(registry, name, kind, reads, function),
            }
        }
        let (about, example, topic) = (says.about, says.example, self.topic);
        let (result, rhai_result) = (R::name(), R::RHAI_TYPE);
        self.entries.push(ApiEntry { name, kind, form, topic, names, params, result, rhai_result, about, example });
    }

    /// Adds a query that scripts call as a function.
    pub(crate) fn query<F: Native<A, R>, A, R: Reply>(&mut self, name: &'static str, says: EntryDoc, function: F) {
        self.add(EntryKind::Query, EntrySyntax::Function, name, says, function);
    }

    /// Adds a query that scripts call as a method of its first parameter.
    pub(crate) fn method<F: Native<A, R>, A, R: Reply>(&mut self, name: &'static str, says: EntryDoc, function: F) {
        self.add(EntryKind::Query, EntrySyntax::Method, name, says, function);
    }

    /// Adds a query that scripts read as a property of its only parameter, the receiver.
    pub fn get<H, R>(
        &mut self,
        name: &'static str,
        about: &'static str,
        example: &'static str,
        function: impl Fn(&mut Cx, H) -> Result<R, Refusal> + 'static,
    ) where
        H: Handle + Param,
        R: Reply,
    {
        let params = receiver(<H as Handle>::NAME);
        self.add(EntryKind::Query, EntrySyntax::Property, name, EntryDoc { params, about, example }, function);
    }

    /// Adds a term of an award, which scripts call as a method of `score`.
    pub fn term<F: Native<A, R>, A, R: Reply>(&mut self, name: &'static str, says: EntryDoc, function: F) {
        self.add(EntryKind::Term, EntrySyntax::Method, name, says, function);
    }

    /// Adds an effect: a function that changes the game.
    pub(crate) fn effect<F: Native<A, R>, A, R: Reply>(&mut self, name: &'static str, says: EntryDoc, function: F) {
        self.add(EntryKind::Effect, EntrySyntax::Function, name, says, function);
    }

    /// Adds a question: a function that asks a player or chance.
    pub fn question<F: Native<A, R>, A, R: Reply>(&mut self, name: &'static str, says: EntryDoc, function: F) {
        self.add(EntryKind::Question, EntrySyntax::Function, name, says, function);
    }

    /// Adds an entry for a function that needs the interpreter. `register` registers the function.
    pub(crate) fn special(&mut self, entry: ApiEntry, register: impl FnOnce(&mut Registry)) {
        debug_assert_eq!(self.next_reads, ReadSet::ANYTHING, "`{}` registers itself", entry.name);
        if let Some(registry) = &mut self.registry {
            register(registry);
        }
        self.entries.push(ApiEntry { topic: self.topic, ..entry });
    }
}

/// Returns the name that the documentation uses for the receiver of a property.
fn receiver(name: &'static str) -> &'static str {
    match name {
        "tile type" => "tile_type",
        "award" => "score",
        "option" => "choice",
        name => name,
    }
}
