//! The data that all native functions share, such as the running call, the budget and the printed
//! lines.
#![expect(clippy::indexing_slicing, reason = "the catalogue assigns the indices of functions and mods")]

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use diagnostic::visible;
use rhai::{Dynamic, EvalAltResult, ImmutableString, Position};
use rules::{Call, Catalogue, ReadSet, Refusal, Seat, SettingValue, State, TokenIdx, Transaction, Value};

use crate::budget::Budget;
use crate::memory::Mem;
use crate::script_value::setting_value;
use crate::trace::Trace;

/// The maximum number of characters to store of each `print` or `debug` line.
const MAX_PRINTED_LETTERS: usize = 1_000;

/// The maximum size in bytes of the stored `print` and `debug` lines. The caller of the engine
/// removes the stored lines after each answer of a player, with [`Core::take_lines`].
const MAX_PRINTED_BYTES: usize = 64 << 10;

/// The number of bytes to count for each stored line, in addition to the bytes of its text.
const PRINTED_LINE_OVERHEAD: usize = 32;

/// The state, the transaction and the notes of a call that the interpreter runs.
pub(crate) struct CallFrame {
    /// The state that the call reads and changes.
    pub state: State,
    /// The transaction of the call.
    pub own: Transaction,
    /// The notes about the call.
    pub noted: CallNotes,
}

/// Notes about a call while the interpreter runs it.
#[derive(Default)]
pub(crate) struct CallNotes {
    /// The value of `mem`; `None` until the script uses `mem`.
    pub mem: Option<Mem>,
    /// The place in the script that asked the open question; `None` if no question is open.
    pub asked_at: Option<Position>,
    /// True if the script asked a question, caught the error that should then end the function, and
    /// asked another question.
    pub swallowed: bool,
    /// The variables of the script that closures share. Dropping the notes empties these variables.
    shared: Vec<Dynamic>,
}

impl Drop for CallNotes {
    /// Empties the variables that closures share. Otherwise, a closure stored in one of its own
    /// shared variables would never be freed.
    fn drop(&mut self) {
        for mut variable in self.shared.drain(..) {
            let held = variable.write_lock::<Dynamic>().map(|mut held| std::mem::take(&mut *held));
            drop(held);
        }
    }
}

impl CallFrame {
    /// Makes a frame for a call that is about to run.
    pub fn new(state: State, own: Transaction) -> CallFrame {
        CallFrame { state, own, noted: CallNotes::default() }
    }

    /// Returns the call, through which functions read and change the game.
    pub fn call(&mut self) -> Call<'_> {
        self.own.as_call(&mut self.state)
    }
}

/// The data that all registered functions share.
pub(crate) struct Core {
    pub catalogue: Arc<Catalogue>,
    /// For each mod, its settings with their names and the values that scripts see.
    pub settings: Vec<Vec<(String, Value)>>,
    /// For each mod, the constants at the top of its script with their names. The compiler replaces
    /// uses of most constants by their values. The interpreter looks up the others here: lists and
    /// maps.
    pub constants: RefCell<Vec<Vec<(ImmutableString, Dynamic)>>>,
    pub names: CatalogueNames,
    /// The call that the interpreter runs. A native function takes the call out while it works, so
    /// that the call is never borrowed twice.
    frame: Cell<Option<Box<CallFrame>>>,
    /// The nesting depth of the running call: the number of calls from the engine to script
    /// functions that are running now.
    pub depth: Cell<u32>,
    /// The budget of the running outermost call and its nested calls.
    pub budget: Budget,
    /// The record of function calls, which is empty unless tracing is switched on.
    pub trace: Trace,
    printed: RefCell<PrintBuffer>,
}

/// The stored lines of `print` and `debug`, which [`Core::take_lines`] removes.
#[derive(Default)]
struct PrintBuffer {
    lines: Vec<String>,
    n_bytes: usize,
}

impl PrintBuffer {
    /// Adds a line, cut if it is long. If the buffer is full, adds a note instead and drops all
    /// later lines.
    fn add(&mut self, line: &str) {
        if self.n_bytes > MAX_PRINTED_BYTES {
            return;
        }
        let mut letters = line.chars();
        let mut short: String = letters.by_ref().take(MAX_PRINTED_LETTERS).collect();
        if letters.next().is_some() {
            short.push('\u{2026}');
        }
        let line = visible(&short).into_owned();
        self.n_bytes += line.len() + PRINTED_LINE_OVERHEAD;
        let is_kept = self.n_bytes <= MAX_PRINTED_BYTES;
        self.lines.push(if is_kept { line } else { "further lines were dropped".to_owned() });
    }
}

/// The names in the catalogue, converted once to the form that scripts receive.
pub(crate) struct CatalogueNames {
    pub kinds: Vec<Arc<str>>,
    pub pieces: Vec<Arc<str>>,
    pub tiles: Vec<Arc<str>>,
    pub cards: Vec<Arc<str>>,
    pub decks: Vec<Arc<str>>,
    /// For each tag, the words that can be its value.
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
        let names = CatalogueNames {
            kinds: strings(tile_set.kinds.iter().map(|k| &k.name)),
            pieces: strings(catalogue.pieces.iter().map(|p| &p.name)),
            tiles: strings(tile_set.tiles.iter().map(|t| &t.name)),
            cards: strings(catalogue.cards.iter().map(|c| &c.name)),
            decks: strings(catalogue.decks.iter().map(|d| &d.name)),
            words: tile_set.tags.iter().map(|t| strings(&t.values)).collect(),
        };
        Core {
            constants: RefCell::new(vec![Vec::new(); catalogue.mods.len()]),
            settings: by_mod,
            names,
            catalogue,
            frame: Cell::new(None),
            depth: Cell::new(0),
            budget: Budget::default(),
            trace: Trace::default(),
            printed: RefCell::default(),
        }
    }

    /// Replaces the frame of the running call by `frame`, and returns the old frame, if there was
    /// one.
    pub(crate) fn replace_frame(&self, frame: Option<Box<CallFrame>>) -> Option<Box<CallFrame>> {
        self.frame.replace(frame)
    }

    /// Calls `work` with the frame of the running call. Returns an error if no call is running.
    #[inline]
    pub(crate) fn with_frame<T>(&self, work: impl FnOnce(&mut CallFrame) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let mut taken = BorrowedFrame { frame: self.frame.take(), from: &self.frame };
        work(taken.frame.as_mut().ok_or("no game is being played here")?)
    }

    /// Records a variable that closures share, so that the variable is emptied when the call ends.
    pub(crate) fn note_shared(&self, variable: Dynamic) {
        let _ = self.with_frame(|frame| {
            frame.noted.shared.push(variable);
            Ok(())
        });
    }

    /// Charges the budget for reading, copying or making a value of weight `weight`.
    pub fn spend(&self, weight: u64) -> Result<(), Box<EvalAltResult>> {
        match self.budget.spend_weight(weight) {
            None => Ok(()),
            Some(reason) => Err(EvalAltResult::ErrorTerminated(Dynamic::from(reason), Position::NONE).into()),
        }
    }

    /// Stores a line of `print` or `debug`.
    pub fn print(&self, line: &str) {
        self.printed.borrow_mut().add(line);
    }

    /// Returns the number of stored lines of `print` and `debug`.
    pub fn n_lines(&self) -> usize {
        self.printed.borrow().lines.len()
    }

    /// Discards all stored lines except the first `n`.
    pub(crate) fn truncate_lines(&self, n: usize) {
        let mut printed = self.printed.borrow_mut();
        if n < printed.lines.len() {
            printed.lines.truncate(n);
            printed.n_bytes = printed.lines.iter().map(|line| line.len() + PRINTED_LINE_OVERHEAD).sum();
        }
    }

    /// Removes the stored lines of `print` and `debug`, and returns them.
    pub fn take_lines(&self) -> Vec<String> {
        self.printed.take().lines
    }
}

/// A borrowed frame. Dropping this value puts the frame back, even after a panic.
struct BorrowedFrame<'c> {
    frame: Option<Box<CallFrame>>,
    from: &'c Cell<Option<Box<CallFrame>>>,
}

impl Drop for BorrowedFrame<'_> {
    fn drop(&mut self) {
        self.from.set(self.frame.take());
    }
}

/// The context of a native function.
pub(crate) struct Cx<'a> {
    /// The running call.
    pub call: Call<'a>,
    pub core: &'a Core,
}

impl Cx<'_> {
    /// Returns the number of copies of a token that a player holds, or the stock if `player` is
    /// `None`. Records that the running function has read this number.
    pub fn tokens(&mut self, player: Option<Seat>, token: TokenIdx) -> u32 {
        self.call.reads = self.call.reads.union(ReadSet::token(token));
        self.state().tokens(player, token)
    }

    /// Returns the value of setting `name` of the mod whose function runs.
    pub fn setting(&self, name: &str) -> Result<Value, Refusal> {
        let own = &self.core.settings[self.owner().idx()];
        match own.iter().find(|(n, _)| n == name) {
            Some((_, value)) => Ok(value.clone()),
            None => Err(format!("this mod has no setting `{name}`").into()),
        }
    }

    /// Charges the budget for work on `n` things, as for a value of weight `n`. Call this method
    /// before the work.
    ///
    /// # Errors
    /// Returns an error if the budget is exceeded. The failure of the function then names the
    /// exceeded limit.
    pub fn spend(&self, n: usize) -> Result<(), Refusal> {
        match self.core.budget.spend_weight(n as u64) {
            None => Ok(()),
            Some(_) => Err("this does too much".into()),
        }
    }

    /// Returns the state with the effects of the script so far.
    #[inline]
    pub fn state(&self) -> &State {
        self.call.state()
    }

    /// Returns the tile set of the game: the kinds of land, tags, layers and tile types.
    #[inline]
    pub fn tile_set(&self) -> &board::TileSet {
        &self.core.catalogue.tile_set
    }

    /// Returns the declarations of the active mods.
    #[inline]
    pub fn catalogue(&self) -> &Catalogue {
        &self.core.catalogue
    }

    /// Returns the mod whose function runs.
    pub fn owner(&self) -> rules::ModIdx {
        self.call.owner
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use rhai::Array;

    use super::*;

    #[test]
    fn printed_lines_are_limited() {
        let mut printed = PrintBuffer::default();
        printed.add(&"\u{e9}".repeat(MAX_PRINTED_LETTERS));
        printed.add(&"x".repeat(MAX_PRINTED_LETTERS + 1));
        let n_letters: Vec<usize> = printed.lines.iter().map(|line| line.chars().count()).collect();
        assert_eq!(n_letters, [MAX_PRINTED_LETTERS, MAX_PRINTED_LETTERS + 1]);
        for _ in 0..100_000 {
            printed.add("");
        }
        assert_eq!(printed.lines.last().map(String::as_str), Some("further lines were dropped"));
        assert!(printed.lines.len() < MAX_PRINTED_BYTES / PRINTED_LINE_OVERHEAD);
    }

    #[test]
    fn what_closures_share_is_freed() {
        let witness = Rc::new(());
        let mut shared = Dynamic::from_array(vec![Dynamic::from(witness.clone())]).into_shared();
        let itself = shared.clone();
        if let Some(mut list) = shared.write_lock::<Array>() {
            list.push(itself);
        }
        let mut noted = CallNotes::default();
        noted.shared.push(shared);
        assert_eq!(Rc::strong_count(&witness), 2);
        drop(noted);
        assert_eq!(Rc::strong_count(&witness), 1);
    }
}
