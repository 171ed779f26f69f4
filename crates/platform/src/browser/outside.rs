//! What leaves the page: files that people want to have on their machine.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

static ADDRESS: Mutex<String> = Mutex::new(String::new());

static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// What a button is called that lets other programs have a file.
pub const OPEN: &str = "Download";

/// What that does.
pub const ABOUT_OPENING: &str = "A copy of this file, among the downloads of the browser.";

/// Whether what people choose is a copy of what they have.
pub const GIVES_COPIES: bool = true;

/// Returns the address of the page, without what stands behind its `#`.
pub fn address() -> String {
    ADDRESS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Says at which address the page is.
pub fn set_address(address: &str) {
    address.clone_into(&mut ADDRESS.lock().unwrap_or_else(PoisonError::into_inner));
}

/// Lets the browser put a file that was written among the downloads.
pub fn hand_over(path: &Path) {
    FILES.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
}

/// Does the same: in a browser no other program can be asked.
///
/// # Errors
/// Never in a browser.
pub fn open(path: &Path, _line: u32) -> Result<(), String> {
    hand_over(path);
    Ok(())
}

/// Returns the files that are to leave the page, which the page sees to.
pub fn take() -> Vec<PathBuf> {
    std::mem::take(&mut FILES.lock().unwrap_or_else(PoisonError::into_inner))
}
