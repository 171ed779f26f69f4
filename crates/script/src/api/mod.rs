//! The table of everything that scripts may use. The registration, the linter, the documentation
//! and the definitions all use this table.
#![expect(clippy::indexing_slicing, reason = "handles contain indices of the catalogue and the state that made them")]

mod boards;
mod borders;
mod corners;
mod decks;
mod effects;
mod features;
mod handles;
mod laying;
mod lists;
mod options;
mod overlays;
mod pieces;
mod placements;
mod players;
mod questions;
mod scoring;
mod turns;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::OnceLock;

use diagnostic::never;
use rhai::{Engine, Module};
use rules::{Hook, ReadSet};

use crate::core::{Core, Cx};
pub(crate) use crate::entry::{ApiEntry, EntryKind, EntrySyntax};
use crate::handles::Handle;
use crate::natives::Natives;
use crate::params::Native;
use crate::register::{Registry, register_method, register_native};
use crate::replies::Reply;

/// The builder of the table of entries. If `registry` is set, the builder also registers the
/// functions.
pub(crate) struct Api<'e> {
    registry: Option<Registry<'e>>,
    entries: Vec<ApiEntry>,
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

impl Api<'_> {
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
        let (result, rhai_result) = (R::name(), R::rhai_type());
        self.entries.push(ApiEntry { name, kind, form, topic, names, params, result, rhai_result, about, example });
    }

    /// Adds a query that scripts call as a function.
    pub fn query<F: Native<A, R>, A, R: Reply>(&mut self, name: &'static str, says: EntryDoc, function: F) {
        self.add(EntryKind::Query, EntrySyntax::Function, name, says, function);
    }

    /// Adds a query that scripts call as a method of its first parameter.
    pub fn method<F: Native<A, R>, A, R: Reply>(&mut self, name: &'static str, says: EntryDoc, function: F) {
        self.add(EntryKind::Query, EntrySyntax::Method, name, says, function);
    }

    /// Adds a query that scripts read as a property of its only parameter, the receiver.
    pub fn get<H, R>(
        &mut self,
        name: &'static str,
        about: &'static str,
        example: &'static str,
        function: impl Fn(&mut Cx, H) -> Result<R, rules::Refusal> + 'static,
    ) where
        H: Handle + crate::params::Param,
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
    pub fn effect<F: Native<A, R>, A, R: Reply>(&mut self, name: &'static str, says: EntryDoc, function: F) {
        self.add(EntryKind::Effect, EntrySyntax::Function, name, says, function);
    }

    /// Adds a question: a function that asks a player or chance.
    pub fn question<F: Native<A, R>, A, R: Reply>(&mut self, name: &'static str, says: EntryDoc, function: F) {
        self.add(EntryKind::Question, EntrySyntax::Function, name, says, function);
    }

    /// Adds an entry for a function that needs the interpreter. `register` registers the function.
    pub fn special(&mut self, entry: ApiEntry, register: impl FnOnce(&mut Registry)) {
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

fn build(api: &mut Api) {
    players::add(api);
    turns::add(api);
    features::add(api);
    boards::add(api);
    corners::add(api);
    borders::add(api);
    placements::add(api);
    overlays::add(api);
    pieces::add(api);
    decks::add(api);
    options::add(api);
    lists::add(api);
    scoring::add(api);
    effects::add(api);
    questions::add(api);
}

/// Registers all entries of the table with the interpreter. Returns the native functions that trees
/// may call (see [`crate::tree`]).
pub(crate) fn register(engine: &mut Engine, core: &Rc<Core>) -> Natives {
    let mut registry = Registry { engine, core: core.clone(), methods: Module::new(), natives: Natives::default() };
    handles::register(&mut registry);
    // Settings are properties of `settings`. Mods declare the names of settings.
    let names: BTreeSet<&str> = core.settings.iter().flatten().map(|(name, _)| name.as_str()).collect();
    for name in names {
        let owned = name.to_owned();
        let get = move |cx: &mut Cx, _s: crate::types::SettingsView| cx.setting(&owned);
        // Settings are constant during a game.
        register_native(&mut registry, &format!("get${name}"), EntryKind::Query, ReadSet::NOTHING, get);
    }
    let mut api = Api { registry: Some(registry), entries: Vec::new(), topic: "", next_reads: ReadSet::ANYTHING };
    build(&mut api);
    let Some(Registry { engine, methods, natives, .. }) = api.registry else {
        never!("the functions are lost");
        return Natives::default();
    };
    engine.register_global_module(methods.into());
    natives
}

/// Returns the entries of the table.
pub(crate) fn table() -> &'static [ApiEntry] {
    static TABLE: OnceLock<Vec<ApiEntry>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut api = Api { registry: None, entries: Vec::new(), topic: "", next_reads: ReadSet::ANYTHING };
        build(&mut api);
        api.entries
    })
}

/// Returns the usage of each entry called `name`, in backticks and without duplicates.
pub(crate) fn usages(name: &str) -> Vec<String> {
    let known = table().iter().filter(|e| e.name == name);
    let usages: BTreeSet<String> = known.map(|e| format!("`{}`", e.usage())).collect();
    usages.into_iter().collect()
}

/// Returns the names of all functions and methods in the table.
pub(crate) fn function_names() -> impl Iterator<Item = &'static str> {
    table().iter().filter(|e| e.form != EntrySyntax::Property).map(|e| e.name)
}

/// Returns the properties of the type that the interpreter calls `rhai_type`.
pub(crate) fn properties_of(rhai_type: &str) -> Vec<&'static str> {
    let own = table().iter().filter(|e| e.form == EntrySyntax::Property && e.params[0].rhai_type == rhai_type);
    own.map(|e| e.name).collect()
}

/// The keys of maps that the engine makes. Scripts read these keys like properties.
pub(crate) const MAP_KEYS: &[&str] = &[
    "feature", "features", "from", "how", "is_final", "is_loot", "kind", "marker", "moves", "n_open", "owner", "parts",
    "piece", "player", "points", "reason", "tags", "to", "touches", "winners", "zones",
];

/// Returns the number of parameters of the script function `name` if the engine calls it as a hook,
/// or for a phase or an option. Returns `None` for other functions.
pub(crate) fn wanted_params(name: &str) -> Option<usize> {
    match Hook::named(name) {
        Some(hook) => Some(hook.info().params.len()),
        None if name.starts_with("phase_") => Some(0),
        None if name.starts_with("do_") => Some(1),
        None => None,
    }
}
