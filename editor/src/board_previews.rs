//! Small pictures of the boards of stored games, for the list of recent games. A background task
//! draws one after each turn.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use art::{BoardCrop, Painter};
use egui::{Context, Id, TextureHandle};
use platform::time::SystemTime;
use platform::{fs, task};
use table::{STACK_BYTES, Snapshot};

use crate::panels::{remember, remembered};
use crate::png_texture::png_texture;

/// The maximum size of a preview, in pixels.
const MAX_SIZE: [f64; 2] = [144.0, 96.0];

/// Draws previews in the background, one at a time.
#[derive(Default)]
pub struct PreviewWriter {
    is_busy: Arc<AtomicBool>,
}

impl PreviewWriter {
    /// Starts to draw the board of `seen` into `file`. Does nothing if the previous preview is not
    /// written yet. Also does nothing in a browser, where drawing would delay frames.
    pub fn write(&self, seen: Arc<Snapshot>, painter: Arc<Painter>, file: PathBuf) {
        let is_busy = self.is_busy.clone();
        if cfg!(target_family = "wasm") || is_busy.swap(true, Ordering::AcqRel) {
            return;
        }
        let work = move || async move {
            if let Some(png) = draw(&seen, &painter)
                && let Some(folder) = file.parent()
            {
                // Without a preview, the list shows the game without a picture.
                let _ = fs::create_dir_all(folder).and_then(|()| fs::write_output(&file, png));
            }
            is_busy.store(false, Ordering::Release);
        };
        if task::spawn("preview", STACK_BYTES, work).is_err() {
            self.is_busy.store(false, Ordering::Release);
        }
    }
}

/// Returns the file with the preview of a stored game; `data` is the data folder. Returns `None` if
/// `record` names no file.
pub fn preview_of(data: &Path, record: &Path) -> Option<PathBuf> {
    let name = record.file_stem()?.to_string_lossy().into_owned();
    Some(data.join("boards").join(format!("{name}.png")))
}

/// Draws the board as a PNG file; `None` if no tile is laid or the board is too large.
fn draw(seen: &Snapshot, painter: &Painter) -> Option<Vec<u8>> {
    let tiles = pictures::laid_tiles(seen.view());
    if tiles.is_empty() {
        return None;
    }
    let [width, height] = BoardCrop::around(&tiles).size();
    let tile = (MAX_SIZE[0] / width).min(MAX_SIZE[1] / height).min(32.0);
    let board = pictures::board(painter, seen.view(), tile.ceil() as u32).ok()?;
    board.to_pixels((width * tile) as u32).ok()?.to_png().ok()
}

/// The time at which the file of a preview was last changed, and its texture. The texture is `None`
/// if the file is not a picture.
type LoadedPreview = Option<(SystemTime, Option<TextureHandle>)>;

/// Returns the texture of the preview in `file`; `None` if there is no such file or it is not a
/// picture.
pub fn texture(ctx: &Context, file: &Path) -> Option<TextureHandle> {
    let changed = fs::stamp(file).ok()?.modified?;
    let id = Id::unique("preview of a board").with(file);
    let loaded: LoadedPreview = remembered(ctx, id);
    match loaded {
        Some((at, texture)) if at == changed => texture,
        _ => {
            let texture = fs::read(file).ok().and_then(|png| png_texture(ctx, "preview", &png));
            remember(ctx, id, Some((changed, texture.clone())));
            texture
        }
    }
}
