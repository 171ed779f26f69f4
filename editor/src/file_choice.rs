//! The choice of a file or a folder: its purpose, and its result.

use std::path::PathBuf;

use crate::jobs::PictureKind;

/// The purpose for which the user chooses a file or a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FilePurpose {
    /// A record to open.
    OpenRecord,
    /// A file for a copy of the game.
    SaveCopy,
    /// A file for the link of the game.
    SaveLink,
    /// A file for a picture of the game.
    SavePicture(PictureKind),
    /// A folder of mods to add to the library.
    AddMods,
    /// An archive from which to install a mod.
    Package,
    /// An archive to pack the mod in this folder into.
    Export(PathBuf),
    /// A file for the sheets to print.
    SaveSheets,
    /// A file for the balance results.
    SaveBalance,
    /// A file for the rulebook of the mods with these ids.
    SaveBook(Vec<String>),
    /// A folder of mods to compare with.
    CompareFolder,
    /// A folder with records to replay.
    RecordsFolder,
    /// A playtest to show.
    Playtest,
    /// A folder with playtests to show.
    PlaytestFolder,
}

/// The kind of file or folder that the user chooses.
#[cfg(not(target_family = "wasm"))]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ChooserKind {
    /// An existing file.
    Open,
    /// A file to write.
    Save,
    /// An existing folder.
    Folder,
}

/// The result of showing the chooser for one frame.
pub enum FileChoice {
    /// The user has not chosen yet.
    NotYet,
    /// The user cancelled.
    Nothing,
    /// The user chose this file or folder.
    Path(PathBuf),
}
