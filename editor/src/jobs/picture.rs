//! Pictures of games.

use art::Painter;
use pictures::{SizeLimits, film, position_picture};
use serde::{Deserialize, Serialize};

use super::{Job, RecordedGame, Reporter};
use crate::shown_error::ShownError;

/// Draws a picture of a game, and returns the file. Reports the progress in percent.
#[derive(Serialize, Deserialize)]
pub struct PictureJob {
    /// The game.
    pub game: RecordedGame,
    /// The kind of picture.
    pub kind: PictureKind,
    /// The palette; `None` for the palette that the mods suggest.
    pub palette: Option<String>,
}

/// The kind of a picture of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PictureKind {
    /// The board at the end of the record, as PNG.
    Moment,
    /// The game from the start to the end of the record, as an animated GIF.
    Game,
}

impl PictureKind {
    /// Returns the extension of the picture's file.
    pub fn extension(self) -> &'static str {
        match self {
            PictureKind::Moment => "png",
            PictureKind::Game => "gif",
        }
    }
}

impl Job for PictureJob {
    type Report = u8;
    type Output = Vec<u8>;

    const NAME: &'static str = "picture";

    fn run(self, reporter: &Reporter<'_, u8>) -> Result<Vec<u8>, ShownError> {
        let session = self.game.open()?;
        let theme = session.loaded().theme();
        let palette = self.palette.as_deref().unwrap_or(theme.suggested_palette());
        let painter = Painter::new(session.tile_set(), theme, palette);
        match self.kind {
            PictureKind::Moment => {
                let size = SizeLimits { most: 1600, ..SizeLimits::default() };
                let picture = position_picture(&painter, session.view(), size)?;
                let [width, _] = picture.size();
                Ok(picture.to_pixels(width as u32)?.to_png()?)
            }
            PictureKind::Game => reporter.with_progress(|progress| {
                let each = &mut |n, of: usize| progress.advance_to((n * 100 / of.max(1)) as u8).is_ok();
                let drawn = film(&painter, session.game(), SizeLimits::default(), each)?;
                drawn.ok_or_else(|| ShownError::new("the animation was stopped"))
            }),
        }
    }
}
