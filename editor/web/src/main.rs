//! The window in a browser: on a machine this program makes the page and serves it; built for a browser it is the page.

#[cfg(target_family = "wasm")]
mod board;
#[cfg(not(target_family = "wasm"))]
mod build;
#[cfg(target_family = "wasm")]
mod page;
#[cfg(not(target_family = "wasm"))]
mod serve;
#[cfg(target_family = "wasm")]
mod worker;

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    build::main()
}

/// The page calls `page::open` when it has read its files.
#[cfg(target_family = "wasm")]
fn main() {}
