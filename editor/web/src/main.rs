//! The window in a browser. Compiled for a browser, this program is the page. Compiled natively, it
//! builds and serves the page.

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

/// Does nothing. The page calls `page::open` after it has read its files.
#[cfg(target_family = "wasm")]
fn main() {}
