//! The address of the page, and downloads: the way in which a page gives files to other programs.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

static ADDRESS: Mutex<String> = Mutex::new(String::new());

static DOWNLOADS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The label of the button that gives a file to other programs.
pub const OPEN_LABEL: &str = "Download";

/// The tooltip of the button [`OPEN_LABEL`].
pub const OPEN_TOOLTIP: &str = "Saves a copy of this file to the browser's downloads.";

/// True if the page's file dialogs give copies of the user's files, not the files themselves.
pub const GIVES_COPIES: bool = true;

/// Returns the address of the page without the `#` and the part after it.
pub fn address() -> String {
    ADDRESS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Sets the address that [`address`] returns: without the `#` and the part after it.
pub fn set_address(address: &str) {
    address.clone_into(&mut ADDRESS.lock().unwrap_or_else(PoisonError::into_inner));
}

/// Adds a written file to the queue of [`take_downloads`], so that the page offers it as a
/// download.
pub fn offer_download(path: &Path) {
    DOWNLOADS.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
}

/// Offers the file as a download, because a browser cannot open other programs.
///
/// # Errors
/// Never fails in a browser.
pub fn open(path: &Path, _line: u32) -> Result<(), Infallible> {
    offer_download(path);
    Ok(())
}

/// Removes and returns the files queued for download.
pub fn take_downloads() -> Vec<PathBuf> {
    std::mem::take(&mut DOWNLOADS.lock().unwrap_or_else(PoisonError::into_inner))
}
