//! The game of a link, drawn as one PNG picture per turn. `board.html` shows these pictures in a
//! frame of another website. Unlike the window, it does not need WebGL.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use art::{Painter, Pixels};
use pictures::{FramePainter, SizeLimits};
use platform::browser::files::add_supplied;
use table::{Library, Session, open_record};
use wasm_bindgen::prelude::*;
use workshop::link::{Link, RECORD_FILE};

use crate::page::MODS;

/// The folder for the mods and the record of the link.
const LINK_FOLDER: &str = "/tmp/shown";

/// Returns the ids of the mods in a link, so that the page can ask the user before it runs them.
///
/// # Errors
/// Returns a message if the link cannot be read.
#[wasm_bindgen]
pub fn mods_of_link(link: &str) -> Result<Vec<String>, JsValue> {
    let link = Link::read(link).map_err(|refused| refused.message)?;
    Ok(link.mods.into_iter().map(|package| package.id).collect())
}

/// The game of a link, with the painter of its pictures.
#[wasm_bindgen]
pub struct Board {
    session: Session,
    painter: Painter,
    stage: FramePainter,
    /// The number of answers before the end of each turn.
    ends: Vec<usize>,
}

#[wasm_bindgen]
impl Board {
    /// Opens the game of a link. `mods` are the mods that come with the page: a JSON object of
    /// texts by path.
    ///
    /// # Errors
    /// Returns a message if the link or its game cannot be opened.
    pub fn open(mods: &str, link: &str) -> Result<Board, JsValue> {
        let link = Link::read(link).map_err(|refused| refused.message)?;
        let texts: BTreeMap<String, String> = serde_json::from_str(mods).map_err(|error| error.to_string())?;
        let is_brought = |path: &str| link.mods.iter().any(|package| path.split('/').next() == Some(&package.id));
        for (path, text) in texts.into_iter().filter(|(path, _)| !is_brought(path)) {
            add_supplied(&Path::new(MODS).join(path), text.into_bytes());
        }
        link.write_into(Path::new(LINK_FOLDER)).map_err(|refused| refused.message)?;
        let library = Library::open(&[PathBuf::from(MODS), PathBuf::from(LINK_FOLDER)]);
        let opened =
            open_record(&library, &Path::new(LINK_FOLDER).join(RECORD_FILE)).map_err(|error| error.to_string())?;
        if !opened.is_whole {
            return Err(opened.warnings.join("\n").into());
        }
        let session = opened.session;
        let theme = session.loaded().theme();
        let painter = Painter::new(session.tile_set(), theme, theme.suggested_palette());
        let stage = FramePainter::new(session.view(), SizeLimits { most: 1000, tile: 160 });
        let ends = session.turns().skip(1).map(|(_, begins)| begins).chain([session.position_index()]).collect();
        Ok(Board { session, painter, stage, ends })
    }

    /// Returns the number of turns.
    pub fn n_turns(&self) -> usize {
        self.ends.len()
    }

    /// Draws the board at the end of a turn, counted from 1, as PNG.
    pub fn png(&mut self, turn: usize) -> Result<Vec<u8>, JsValue> {
        if let Some(end) = self.ends.get(turn.saturating_sub(1)) {
            self.session.go_to(*end);
        }
        let drawn = self.stage.draw_position(&self.painter, self.session.view()).and_then(Pixels::to_png);
        drawn.map_err(|error| error.to_string().into())
    }

    /// Returns the name and the score of each player as text, at the position that was drawn last.
    pub fn scores(&self) -> String {
        let view = self.session.view();
        let score = |seat| format!("{} {}", view.name(seat), view.score(seat));
        view.seats().map(score).collect::<Vec<_>>().join(", ")
    }
}
