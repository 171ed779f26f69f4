//! Other programs of this machine.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The label of the button that opens a file in another program.
pub const OPEN_LABEL: &str = "In another program";

/// The tooltip of the button [`OPEN_LABEL`].
pub const OPEN_TOOLTIP: &str = "Opens this file in its default program. This window shows what you save there.";

/// True if file dialogs give copies of the user's files, not the files themselves.
pub const GIVES_COPIES: bool = false;

/// Returns an empty text: outside a browser the program has no address.
pub fn address() -> String {
    String::new()
}

/// Does nothing: the file is already in the folder that the user chose.
pub fn offer_download(_path: &Path) {}

/// No program was found that opens a file or a folder.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoProgram {
    /// Contains the folder.
    #[error("no program was found that shows the folder {}", .0.display())]
    ForFolder(PathBuf),
    /// Contains the file and the line.
    #[error("no program was found to open {}, line {}; open it in your text editor", .0.display(), .1)]
    ForFile(PathBuf, u32),
}

/// Opens a file in the system's default program. If the environment variable `EDITOR_AT` names a
/// program (such as `code -g`), that program gets `file:line` instead.
///
/// # Errors
/// Returns an error if the program cannot be started.
pub fn open(path: &Path, line: u32) -> Result<(), NoProgram> {
    let at = format!("{}:{}", path.display(), line.max(1));
    let mut command = match std::env::var("EDITOR_AT") {
        Ok(words) if !words.trim().is_empty() => {
            let mut words = words.split_whitespace().map(str::to_owned);
            let mut command = Command::new(words.next().unwrap_or_default());
            command.args(words).arg(&at);
            command
        }
        _ => {
            let opener = if cfg!(target_os = "macos") {
                "open"
            } else if cfg!(windows) {
                "explorer"
            } else {
                "xdg-open"
            };
            let mut command = Command::new(opener);
            command.arg(path);
            command
        }
    };
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.spawn().map(drop).map_err(|_| match path.is_dir() {
        true => NoProgram::ForFolder(path.to_owned()),
        false => NoProgram::ForFile(path.to_owned(), line.max(1)),
    })
}
