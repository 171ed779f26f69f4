//! Puzzles: their solutions, and the search for puzzles in a game.

use art::Painter;
use paper::Stopped;
use serde::{Deserialize, Serialize};
use workshop::puzzle::{PuzzleCandidate, Solution, find, solve};

use super::{Job, RecordedGame, Reporter};
use crate::shown_error::ShownError;

/// The length of the longer side of a puzzle's picture, in pixels.
const PICTURE_SIZE: f64 = 240.0;

/// Computes the values of the moves at the end of a record; see [`solve`].
#[derive(Serialize, Deserialize)]
pub struct SolveJob {
    /// The game.
    pub game: RecordedGame,
    /// The answers of a move whose value is computed even if the move looks bad.
    pub given: Option<Vec<String>>,
}

/// Finds the positions in a record that are puzzles; see [`find`]. Reports the progress in percent.
#[derive(Serialize, Deserialize)]
pub struct FindPuzzlesJob {
    /// The game.
    pub game: RecordedGame,
    /// The palette of the pictures; `None` for the palette that the mods suggest.
    pub palette: Option<String>,
}

/// A puzzle, with a picture of its board.
#[derive(Serialize, Deserialize)]
pub struct FoundPuzzle {
    /// The puzzle.
    pub puzzle: PuzzleCandidate,
    /// The picture as PNG.
    pub png: Vec<u8>,
}

impl Job for SolveJob {
    type Report = ();
    type Output = Solution;

    const NAME: &'static str = "puzzle";

    fn run(self, reporter: &Reporter<'_, ()>) -> Result<Solution, ShownError> {
        let session = self.game.open()?;
        let solution = solve(session.game(), self.given.as_deref(), || reporter.is_wanted())?;
        Ok(solution.ok_or(Stopped)?)
    }
}

impl Job for FindPuzzlesJob {
    type Report = u8;
    type Output = Vec<FoundPuzzle>;

    const NAME: &'static str = "puzzles";

    fn run(self, reporter: &Reporter<'_, u8>) -> Result<Vec<FoundPuzzle>, ShownError> {
        let mut session = self.game.open()?;
        let search = |progress: &mut super::Progress<'_>| {
            find(session.game(), |percent| progress.advance_to(percent).is_ok()).ok_or(Stopped)
        };
        let found = reporter.with_progress(search)?;
        let theme = session.loaded().theme().clone();
        let palette = self.palette.as_deref().unwrap_or(theme.suggested_palette());
        let painter = Painter::new(session.tile_set(), &theme, palette);
        let with_picture = |puzzle: PuzzleCandidate| {
            session.go_to(puzzle.at);
            let picture = pictures::board(&painter, session.view(), 48)?;
            let [width, height] = picture.size();
            let width = PICTURE_SIZE * width / width.max(height).max(1.0);
            let png = picture.to_pixels(width.max(1.0) as u32)?.to_png()?;
            Ok(FoundPuzzle { puzzle, png })
        };
        found.into_iter().map(with_picture).collect()
    }
}
