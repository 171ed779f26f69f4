//! Covers of mods: small pictures of a few of their tiles and a piece, for the list of games and
//! expansions. A background task paints them one after another; each is painted once.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

use art::kurbo::{Affine, Vec2};
use art::{Detail, Painter, Picture, Pose, TileVariant, seat_colour, seat_symbol};
use egui::{ColorImage, Context, TextureHandle, TextureId, TextureOptions};
use platform::task;
use rustc_hash::FxHashMap;
use table::{Library, ModOnDisk, STACK_BYTES};
use workshop::ModCover;

/// The height of a cover as a fraction of its width.
pub const COVER_ASPECT: f32 = 0.6;

/// The width of a painted cover, in pixels.
const WIDTH: u32 = 288;

/// The size of the piece on a cover, in tile widths.
const PIECE: f64 = 0.56;

/// A finished cover.
struct Cover {
    picture: TextureHandle,
    n_tiles: usize,
}

/// A cover that the background task has painted.
struct PaintedCover {
    id: String,
    image: ColorImage,
    n_tiles: usize,
}

/// The covers of all mods on disk.
#[derive(Default)]
pub struct Covers {
    /// The mods and the palette of the covers.
    key: Option<(Arc<Vec<ModOnDisk>>, Option<String>)>,
    found: FxHashMap<String, Cover>,
    painting: Option<Receiver<PaintedCover>>,
}

impl Covers {
    /// Collects the covers that are ready. Starts to paint all covers if `mods` or the palette have
    /// changed; until then, the old covers stay. Call this once per frame while covers are shown.
    pub fn refresh(&mut self, ctx: &Context, library: &Library, mods: &Arc<Vec<ModOnDisk>>, palette: Option<&str>) {
        let is_known =
            |(of, own): &(Arc<Vec<ModOnDisk>>, Option<String>)| Arc::ptr_eq(of, mods) && own.as_deref() == palette;
        if !self.key.as_ref().is_some_and(is_known) && !mods.is_empty() {
            self.key = Some((mods.clone(), palette.map(str::to_owned)));
            let (done, painted) = channel();
            let (ctx, library, mods) = (ctx.clone(), library.clone(), mods.clone());
            let palette = palette.map(str::to_owned);
            let work = move || paint_all(ctx, library, mods, palette, done);
            // Without the task, the list shows empty covers.
            self.painting = task::spawn("covers", STACK_BYTES, work).ok().map(|_| painted);
        }
        while let Some(painting) = &self.painting {
            match painting.try_recv() {
                Ok(PaintedCover { id, image, n_tiles }) => {
                    let picture = ctx.load_texture(format!("cover of {id}"), image, TextureOptions::LINEAR);
                    self.found.insert(id, Cover { picture, n_tiles });
                }
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => self.painting = None,
            }
        }
    }

    /// Returns the picture of the mod `id`, and the number of its tiles. Returns `None` if the
    /// cover is not ready yet, or if the mod cannot be loaded.
    pub fn get(&self, id: &str) -> Option<(TextureId, usize)> {
        self.found.get(id).map(|cover| (cover.picture.id(), cover.n_tiles))
    }
}

async fn paint_all(
    ctx: Context,
    library: Library,
    mods: Arc<Vec<ModOnDisk>>,
    palette: Option<String>,
    done: Sender<PaintedCover>,
) {
    for it in mods.iter().filter(|it| it.error.is_none()) {
        if let Some(cover) = ModCover::load(&library, &it.id)
            && let Some(image) = paint(&cover, palette.as_deref())
            && done.send(PaintedCover { id: it.id.clone(), image, n_tiles: cover.n_tiles }).is_err()
        {
            return;
        }
        ctx.request_repaint();
        task::yield_now().await;
    }
}

/// Paints a cover: the middle of the four tiles, and the piece in the lower right corner.
fn paint(cover: &ModCover, palette: Option<&str>) -> Option<ColorImage> {
    let palette = palette.unwrap_or(cover.theme.suggested_palette());
    let painter = Painter::new(&cover.catalogue.tile_set, &cover.theme, palette);
    let (width, height) = (2.0, 2.0 * f64::from(COVER_ASPECT));
    let mut picture = Picture::new(width, height);
    picture.rect(art::kurbo::Rect::new(0.0, 0.0, width, height), painter.palette().table);
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
