//! The native half of the Python package `bastide`: a thin shell over the engine, one module a
//! class.
// Rust test programs, which `--all-targets` builds, cannot link Python, so this crate is empty
// there.
#![cfg(not(test))]
#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)]

mod arguments;
mod arrow;
mod encoding;
mod errors;
mod game;
mod mods;
mod plain;
mod rules_of_thread;
mod simulation;
mod stepper;
mod views;

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
    use crate::mods::{Mods, bots, load, replay};
    #[pymodule_export]
    use crate::simulation::{Simulation, merge};
    #[pymodule_export]
    use crate::stepper::Stepper;

    /// Sends internal errors to standard error.
    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        // The program that embeds Python may have a logger.
        let _ = env_logger::Builder::from_env(Env::default().default_filter_or("bastide=error")).try_init();
        Ok(())
    }
}
