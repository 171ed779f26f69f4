#![doc = include_str!("../README.md")]

mod branch;
mod insight;
mod keep;
mod open;
mod outcome;
mod revision;
mod session;
mod shelf;
mod step;
mod take_over;
mod words;

pub use branch::Branch;
pub use insight::{Projection, SpotOdds, WhyNot, odds, project, why_not};
pub use keep::{CannotKeep, RecordFile};
pub use open::{Opened, Trouble, any_seed, begin_setup, load, open_record, unknown_bots};
pub use outcome::{Diverged, Outcome};
pub use revision::Revision;
pub use session::{Session, Waits};
pub use shelf::{ModOnDisk, mods_on_disk};
pub use step::{Step, steps_of};
pub use words::{feature_of_zone, feature_words, kinds_words, piece_place_words};
