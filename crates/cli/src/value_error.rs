//! The reasons why values on the command line are not valid.

use std::path::PathBuf;

use programs::ProgramError;
use sim::MAX_VALUES;
use table::{HUMAN, list_of_bots};
use thiserror::Error;

/// A reason why the value of an option is not valid. clap writes the text after the value.
#[derive(Debug, Error)]
pub enum ValueError {
    #[error("write {0}")]
    Form(&'static str),
    #[error("write a number{of} from {least} to {most}")]
    OutOfRange { of: &'static str, least: usize, most: usize },
    #[error("write a setting and its values, such as base.small_city=2..5 (at most {MAX_VALUES})")]
    NoSetting,
    #[error("{HUMAN}, or a bot; {0}")]
    NeitherHumanNorBot(Box<ValueError>),
    #[error("available bots: {}; exec:COMMAND asks a program", list_of_bots(true))]
    UnknownBot,
    #[error("available bots: {}", list_of_bots(true))]
    UnknownOwnBot,
    #[error("name a file that ends in .{0}")]
    WrongEnding(&'static str),
    #[error(transparent)]
    Program(#[from] ProgramError),
    #[error("its moves depend on the speed of the machine; give a number of simulations, such as search:250")]
    TimedBot,
}

/// Returns a parser for the path of an output file that ends in `.` and `ending`. Another ending is
/// refused, because the path may name another file of the user by mistake. Devices and pipes need
/// no ending.
pub fn output_file(ending: &'static str) -> impl Fn(&str) -> Result<PathBuf, ValueError> + Clone {
    move |text| {
        let path = PathBuf::from(text);
        let has_ending = path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
        let is_device = path.exists() && !path.is_file() && !path.is_dir();
        if has_ending || is_device { Ok(path) } else { Err(ValueError::WrongEnding(ending)) }
    }
}
