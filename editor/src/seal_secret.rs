//! The secret with which this computer seals answers in games by correspondence.

use std::io::ErrorKind;
use std::path::Path;

use platform::fs;
use table::SealSecret;

/// The name of the file that contains the secret, in the folder of games and settings.
const FILE: &str = "seal-secret";

/// Returns the secret of this computer, from a file in the folder `data`. The first call creates
/// this file.
///
/// # Errors
/// Returns an error if the file cannot be read or created, or if the system provides no random
/// numbers. A damaged file is an error too, because a new secret could not open old seals.
pub fn seal_secret(data: &Path) -> std::io::Result<SealSecret> {
    let file = data.join(FILE);
    match fs::read_to_string(&file) {
        Ok(text) => {
            let damaged = || std::io::Error::other(format!("{} is damaged", file.display()));
            return SealSecret::from_text(text.trim()).ok_or_else(damaged);
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    let secret = SealSecret(bytes);
    fs::create_dir_all(data)?;
    fs::write_new(&file, secret.text())?;
    Ok(secret)
}
