//! The native half of the Python package `bastide`: a thin layer over the engine, with one module
//! for each class. Rust test programs, which `--all-targets` builds, cannot link Python, so this
//! crate is empty there.
#![cfg(not(test))]
#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)]

mod arguments;
mod arrow;
mod encoding;
mod errors;
mod game;
mod goal_search;
mod loaded_mods;
mod mods;
mod plain;
mod rules_of_thread;
mod simulation;
mod stepper;

use pyo3::prelude::*;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[pymodule]
mod _bastide {
    use env_logger::Env;
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::encoding::Encoding;
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::goal_search::GoalSearch;
    #[pymodule_export]
    use crate::mods::{Mods, bots, load, replay};
    #[pymodule_export]
    use crate::simulation::{Simulation, merge};
    #[pymodule_export]
    use crate::stepper::Stepper;

    /// Sends internal errors to standard error.
    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Fails if the program that embeds Python already has a logger. That logger then receives
        // the errors.
        let _ = env_logger::Builder::from_env(Env::default().default_filter_or("bastide=error")).try_init();
        Ok(())
    }
}
