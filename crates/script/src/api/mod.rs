//! The table of everything that scripts may use. The registration, the linter, the documentation
//! and the definitions all use this table.
#![expect(clippy::indexing_slicing, reason = "handles contain indices of the catalogue and the state that made them")]

mod boards;
mod borders;
mod builder;
mod corners;
mod costs;
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
mod tag_words;
mod turns;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::OnceLock;

use diagnostic::never;
use rhai::{Engine, Module};
use rules::{Hook, ReadSet};

use self::builder::Api;
use crate::core::{Core, Cx};
pub(crate) use crate::entry::{ApiEntry, EntryKind, EntrySyntax};
use crate::natives::Natives;
use crate::register::{Registry, register_native};

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
    let mut api = Api::new(Some(registry));
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
        let mut api = Api::new(None);
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
    let own = table().iter().filter(|e| e.form == EntrySyntax::Property && e.params[0].rhai_type.name == rhai_type);
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
