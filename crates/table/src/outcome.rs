//! What can come of taking over changed mods.

use std::rc::Rc;

use loader::{Loaded, Problems};
use rules::{Game, Rules, Setup};

/// What has come of taking over changed mods.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Nothing that the game is played by has changed.
    Untouched,
    /// The game is the same under the new rules.
    Same,
    /// The game goes on under the new rules; the sentence says what is different.
    Changed(String),
    /// An answer is not offered any more: somebody has to choose (see [`Session::diverged`](crate::Session::diverged)). The old rules are in force meanwhile.
    Diverged(String),
    /// The mods have errors; the old rules are in force.
    Failed(Problems),
}

/// New rules under which the line does not fit, waiting for a choice.
pub struct Diverged {
    pub(crate) loaded: Rc<Loaded>,
    pub(crate) rules: Rc<Rules>,
    pub(crate) setup: Setup,
    pub(crate) game: Game,
    /// The turn in which an answer is not offered any more.
    pub turn: u32,
    /// Why not.
    pub why: String,
}
