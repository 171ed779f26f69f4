//! What all functions that scripts can call share: the running call, and what was noted while it ran.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rhai::{Dynamic, ImmutableString, Position};
use rules::{Call, Catalogue, FnIdx, Halt, Hooks, Refusal, SettingValue, State, Transaction, Value};

use crate::direct::Natives;
use crate::memory::Mem;
use crate::script_value::{ScriptValue, setting_value};

/// How many operations one call of the engine may run, those of other mods' functions that it leads to included.
pub(crate) const MAX_OPERATIONS: u64 = 500_000;
/// How many lines of `print` and `debug` are kept until somebody takes them.
const MAX_LINES: usize = 1_000;

/// Why a script is ended from outside. Scripts cannot catch it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halting {
    /// It asked, and has no answer yet.
    Asked,
    /// It ran too many operations.
    Operations,
    /// It took too long.
    Deadline,
}

/// The host while there is none.
enum Nobody {}

impl Hooks for Nobody {
    fn call(&self, _: FnIdx, _: &[Value], _: &mut Call) -> Result<Value, Halt> {
        match *self {}
    }
}

/// A call that the interpreter runs, with what was noted about it.
pub(crate) struct Frame {
    /// The state that it works on.
    pub state: State,
    /// What it is about.
    pub own: Transaction,
    /// What `mem` stands for, once the script has used it.
    pub mem: Option<Mem>,
    /// Where the open question was asked.
    pub asked_at: Position,
    /// Whether the script asked again after a question that ended it.
    pub swallowed: bool,
}

impl Frame {
    /// The call.
    pub fn call(&mut self) -> Call<'_> {
        self.own.call(&mut self.state)
    }
}

/// What every registered function holds.
pub(crate) struct Core {
    /// A number that no other host has.
    pub id: u64,
    pub catalogue: Arc<Catalogue>,
    /// The settings of each mod by name, as scripts see them.
    pub settings: Vec<Vec<(String, Value)>>,
    /// Constants of each mod that are no plain values (lists and maps), found by name.
    pub constants: RefCell<Vec<Vec<(ImmutableString, Dynamic)>>>,
    pub names: Names,
    /// What lowered functions may call.
    pub natives: RefCell<Natives>,
    /// The call that the interpreter runs. It is taken out while a native function works on it, so that nothing is ever borrowed twice.
    frame: Cell<Option<Box<Frame>>>,
    /// The host itself, for queries in which other mods have a say.
    pub host: RefCell<Weak<dyn Hooks>>,
    /// How deep calls of the engine are nested.
    pub depth: Cell<u32>,
    /// Empty, with room for the variables of a lowered function.
    pub slots: Cell<Vec<ScriptValue>>,
    n_operations: Cell<u64>,
    until: Cell<Option<Instant>>,
    pub time_limit: Cell<Duration>,
    pub halted: Cell<Option<Halting>>,
    lines: RefCell<Vec<String>>,
}

/// Names of the catalogue as scripts get them, made once.
pub(crate) struct Names {
    pub kinds: Vec<Arc<str>>,
    pub pieces: Vec<Arc<str>>,
    pub tiles: Vec<Arc<str>>,
    pub cards: Vec<Arc<str>>,
    pub decks: Vec<Arc<str>>,
    /// For each tag its words.
    pub words: Vec<Vec<Arc<str>>>,
}

impl Core {
    pub fn new(catalogue: Arc<Catalogue>, settings: &[SettingValue]) -> Core {
        let mut by_mod: Vec<Vec<(String, Value)>> = vec![Vec::new(); catalogue.mods.len()];
        for (setting, value) in catalogue.settings.iter().zip(settings) {
            by_mod[setting.owner.idx()].push((setting.name.clone(), setting_value(value)));
        }
        fn strings<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<Arc<str>> {
            names.into_iter().map(|n| n.as_str().into()).collect()
        }
        let tile_set = &catalogue.tile_set;
        let names = Names {
            kinds: strings(tile_set.kinds.iter().map(|k| &k.name)),
            pieces: strings(catalogue.pieces.iter().map(|p| &p.name)),
            tiles: strings(tile_set.tiles.iter().map(|t| &t.name)),
            cards: strings(&catalogue.cards),
            decks: strings(catalogue.decks.iter().map(|d| &d.name)),
            words: tile_set.tags.iter().map(|t| strings(&t.values)).collect(),
        };
        static IDS: AtomicU64 = AtomicU64::new(0);
        let no_host: Weak<Nobody> = Weak::new();
        Core {
            id: IDS.fetch_add(1, Ordering::Relaxed),
            constants: RefCell::new(vec![Vec::new(); catalogue.mods.len()]),
            settings: by_mod,
            names,
            natives: RefCell::default(),
            catalogue,
            frame: Cell::new(None),
            host: RefCell::new(no_host),
            depth: Cell::new(0),
            slots: Cell::default(),
            n_operations: Cell::new(0),
            until: Cell::new(None),
            time_limit: Cell::new(Duration::from_secs(2)),
            halted: Cell::new(None),
            lines: RefCell::new(Vec::new()),
        }
    }

    /// Puts a frame in its place and returns the one that was there.
    pub fn exchange(&self, frame: Option<Box<Frame>>) -> Option<Box<Frame>> {
        self.frame.replace(frame)
    }

    /// Works on the running call.
    #[inline]
    pub fn with<T>(&self, work: impl FnOnce(&mut Frame) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let mut frame = self.frame.take().ok_or_else(|| Refusal::from("no game is being played here"))?;
        let result = work(&mut frame);
        self.frame.set(Some(frame));
        result
    }

    /// The host, for queries in which other mods have a say.
    pub fn hooks(&self) -> Result<Rc<dyn Hooks>, Refusal> {
        self.host.borrow().upgrade().ok_or_else(|| Refusal::from("no game is being played here"))
    }

    /// Begins counting anew.
    pub fn begin_count(&self) {
        self.n_operations.set(0);
        self.until.set(None);
        self.halted.set(None);
    }

    /// Counts an operation of the interpreter and says whether it must end.
    ///
    /// The interpreter's own count does not include what callbacks of lists run, and errors of callbacks can be swallowed; this count
    /// includes everything, and once it is over every later operation ends too.
    #[inline]
    pub fn count(&self) -> Option<Halting> {
        let n = self.n_operations.get() + 1;
        self.n_operations.set(n);
        if n & 0xff == 0 { self.check(n) } else { self.halted.get() }
    }

    /// How many operations were counted.
    pub fn n_operations(&self) -> u64 {
        self.n_operations.get()
    }

    /// Forgets what was counted since there were `n` operations, and that it was too much.
    pub fn go_back_to(&self, n: u64) {
        self.n_operations.set(n);
        self.halted.set(None);
    }

    /// Counts what ran without the interpreter.
    pub fn add_operations(&self, n: u64) {
        self.n_operations.set(self.n_operations.get() + n);
    }

    #[cold]
    fn check(&self, n: u64) -> Option<Halting> {
        if self.halted.get().is_none() {
            // The clock is first read here, so that short calls never read it.
            let now = Instant::now();
            let until = self.until.get().unwrap_or_else(|| {
                let until = now + self.time_limit.get();
                self.until.set(Some(until));
                until
            });
            if n > MAX_OPERATIONS {
                self.halted.set(Some(Halting::Operations));
            } else if now >= until {
                self.halted.set(Some(Halting::Deadline));
            }
        }
        self.halted.get()
    }

    /// Keeps a line of `print` or `debug`.
    pub fn print(&self, line: &str) {
        let mut lines = self.lines.borrow_mut();
        if lines.len() < MAX_LINES {
            lines.push(line.to_owned());
        }
    }

    /// How many lines wait to be taken.
    pub fn n_lines(&self) -> usize {
        self.lines.borrow().len()
    }

    /// Forgets all lines but the first `n`.
    pub fn forget_lines(&self, n: usize) {
        self.lines.borrow_mut().truncate(n);
    }

    /// Takes the lines printed so far.
    pub fn take_lines(&self) -> Vec<String> {
        std::mem::take(&mut self.lines.borrow_mut())
    }
}

/// What a native function works with.
pub(crate) struct Cx<'a> {
    /// The running call.
    pub call: Call<'a>,
    pub core: &'a Core,
}

impl Cx<'_> {
    /// A setting of the mod whose function runs.
    pub fn setting(&self, name: &str) -> Result<Value, Refusal> {
        let own = &self.core.settings[self.owner().idx()];
        match own.iter().find(|(n, _)| n == name) {
            Some((_, value)) => Ok(value.clone()),
            None => Err(format!("this mod has no setting `{name}`").into()),
        }
    }

    /// The state as the script has made it so far.
    #[inline]
    pub fn state(&self) -> &State {
        self.call.state()
    }

    /// Kinds, tags, layers and tiles.
    #[inline]
    pub fn tile_set(&self) -> &board::TileSet {
        &self.core.catalogue.tile_set
    }

    /// What mods declare.
    #[inline]
    pub fn catalogue(&self) -> &Catalogue {
        &self.core.catalogue
    }

    /// The mod whose function runs.
    pub fn owner(&self) -> rules::ModIdx {
        self.call.owner
    }
}
