//! Covers of mods: small pictures of a few of their tiles and a piece.

use art::kurbo::{Affine, Rect, Vec2};
use art::{Detail, Painter, Picture, Pose, TileVariant, seat_colour, seat_symbol};
use egui::ColorImage;
use serde::{Deserialize, Serialize};
use table::Library;
use workshop::{FileTexts, ModCover, search_path, texts_of_library};

use super::{Job, Reporter};
use crate::shown_error::ShownError;

/// The height of a cover as a fraction of its width.
pub const COVER_ASPECT: f32 = 0.6;

/// The width of a painted cover, in pixels.
const WIDTH: u32 = 288;

/// The size of the piece on a cover, in tile widths.
const PIECE: f64 = 0.56;

/// Paints the covers of mods, one after another. Omits mods that cannot be loaded.
#[derive(Serialize, Deserialize)]
pub struct CoversJob {
    /// The library with the mods.
    #[serde(with = "search_path")]
    pub library: Library,
    /// The ids of the mods.
    pub ids: Vec<String>,
    /// The palette; `None` for the palette that each mod suggests.
    pub palette: Option<String>,
}

/// A painted cover.
#[derive(PartialEq, Debug, Serialize, Deserialize)]
pub struct PaintedCover {
    /// The id of the mod.
    pub id: String,
    /// The picture.
    pub image: ColorImage,
    /// The number of tiles that the mod adds to the game.
    pub n_tiles: usize,
}

impl Job for CoversJob {
    type Report = PaintedCover;
    type Output = ();

    const NAME: &'static str = "covers";

    fn run(self, reporter: &Reporter<'_, PaintedCover>) -> Result<(), ShownError> {
        for id in self.ids.into_iter().take_while(|_| reporter.is_wanted()) {
            if let Some(cover) = ModCover::load(&self.library, &id)
                && let Some(image) = paint(&cover, self.palette.as_deref())
            {
                reporter.send(PaintedCover { id, image, n_tiles: cover.n_tiles });
            }
        }
        Ok(())
    }

    fn files(&self) -> Result<FileTexts, ShownError> {
        Ok(texts_of_library(&self.library))
    }
}

/// Paints a cover: the middle of the four tiles, and the piece in the lower right corner. Returns
/// `None` if the picture cannot be rendered.
fn paint(cover: &ModCover, palette: Option<&str>) -> Option<ColorImage> {
    let palette = palette.unwrap_or(cover.theme.suggested_palette());
    let painter = Painter::new(&cover.catalogue.tile_set, &cover.theme, palette);
    let (width, height) = (2.0, 2.0 * f64::from(COVER_ASPECT));
    let mut picture = Picture::new(width, height);
    picture.rect(Rect::new(0.0, 0.0, width, height), painter.palette().table);
    for (i, placed) in cover.tiles.iter().enumerate() {
        let Some((tile, facing)) = placed else { continue };
        let corner = Vec2::new((i % 2) as f64, (i / 2) as f64 - (2.0 - height) / 2.0);
        picture
            .put_clipped(&painter.tile(*tile, *facing, TileVariant::default(), Detail::for_width(WIDTH / 2)), corner);
    }
    if let Some(piece) = &cover.piece {
        let place = Affine::translate((width - PIECE - 0.08, height - PIECE - 0.06)) * Affine::scale(PIECE);
        let colour = seat_colour(0);
        picture.put(&painter.piece(piece, Pose::Standing, colour, seat_symbol(0)), place);
    }
    let pixels = picture.to_pixels(WIDTH).ok()?;
    let size = [pixels.width as usize, pixels.height as usize];
    Some(ColorImage::from_rgba_unmultiplied(size, &pixels.rgba))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_mod_has_a_cover_of_its_own() {
        let library = Library::builtin();
        let mut seen: Vec<Vec<egui::Color32>> = Vec::new();
        for id in library.ids() {
            let image = paint(&ModCover::load(&library, &id).unwrap(), None).unwrap();
            assert_eq!(image.size, [WIDTH as usize, (WIDTH as f32 * COVER_ASPECT).round() as usize], "{id}");
            assert!(image.pixels.iter().all(|pixel| pixel.a() == 255), "{id}");
            assert!(!seen.contains(&image.pixels), "{id}");
            seen.push(image.pixels);
        }
        assert!(seen.len() > 15);
    }
}
