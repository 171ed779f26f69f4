//! Pictures of tiles, pieces and icons as textures. The window paints a few pictures itself, and a
//! background worker paints the others. All pictures are cached.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use art::{Detail, Painter, Picture, Pose, Symbol, TileVariant};
use egui::{ColorImage, Context, TextureHandle, TextureId, TextureOptions};
use platform::task;
use platform::time::{Duration, Instant};
use rustc_hash::{FxHashMap, FxHashSet};
use table::{Facing, TileIdx};

/// The subject of a picture: the tile, piece or icon that it shows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PictureSubject {
    /// A tile at a facing, with its look.
    Tile(TileIdx, Facing, TileVariant),
    /// The back of a tile.
    Back,
    /// A piece: its name, its pose, and the colour and symbol of its seat.
    Piece(String, Pose, [u8; 3], Symbol),
    /// The icon of a tag. If a word is given, the icon of the tag with this word.
    Tag(String, Option<String>),
    /// The icon of a token.
    Token(String),
    /// The icon of a pile.
    Pile(String),
    /// The icon of the card with this name, which includes the id of its mod.
    Card(String),
    /// The built-in icon with this name.
    Icon(&'static str),
    /// The icon with this SVG text.
    Svg(Arc<str>),
    /// The icon on links within tiles that have this tag.
    Link(String),
}

/// A painter other than the game's, such as one for tiles of mods that are not in play, or for
/// drafts of tiles.
#[derive(Clone, Debug)]
pub struct OtherPainter {
    number: u64,
    painter: Arc<Painter>,
}

impl OtherPainter {
    /// Wraps a painter, and gives it a unique number.
    pub fn new(painter: Painter) -> OtherPainter {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        OtherPainter { number: NEXT.fetch_add(1, Ordering::Relaxed), painter: Arc::new(painter) }
    }

    /// Returns the painter's unique number.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the painter, which also computes the shapes of zones.
    pub fn painter(&self) -> &Painter {
        &self.painter
    }
}

/// The widths in which pictures are painted, in pixels.
const WIDTHS: [u32; 9] = [24, 32, 48, 64, 96, 128, 192, 288, 512];

/// The width, in pixels, of the preview that is shown until the worker has painted the requested
/// size.
const PREVIEW_WIDTH: u32 = 32;

/// The painting time per frame after which the window paints no more pictures at the requested size
/// in this frame.
///
/// The window paints a picture at the requested size only if no size of the picture is available. A
/// tile thus appears in the frame in which it is drawn or turned. The worker paints all other
/// pictures.
const FULL_SIZE_TIME_LIMIT: Duration = Duration::from_millis(10);

/// The painting time per frame after which the window paints no more previews in this frame.
const PREVIEW_TIME_LIMIT: Duration = Duration::from_millis(60);

/// The number of different looks that copies of a tile have.
const N_LOOKS: u32 = 2;

/// A picture in one width.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct PictureKey {
    what: PictureSubject,
    /// The width, in pixels.
    width: u32,
    /// The number of the [`OtherPainter`] that paints the picture; `None` for the game's painter.
    by: Option<u64>,
}

struct PictureJob {
    painter: Arc<Painter>,
    era: u64,
    key: PictureKey,
}

struct FinishedPicture {
    era: u64,
    key: PictureKey,
    image: ColorImage,
}

/// Paints pictures on request and caches them.
pub struct Pictures {
    painter: Arc<Painter>,
    /// The number of the current painter. Pictures that arrive late from earlier painters are
    /// discarded.
    era: u64,
    textures: FxHashMap<PictureKey, TextureHandle>,
    /// The pictures by the previous painter. They are shown until the current painter has painted
    /// the same pictures.
    old: FxHashMap<PictureKey, TextureHandle>,
    asked: FxHashSet<PictureKey>,
    /// The time already spent on painting in this frame.
    spent: Duration,
    /// The worker; `None` if pictures are painted immediately, as in tests and screenshots.
    worker: Option<(Sender<PictureJob>, Receiver<FinishedPicture>)>,
}

impl Pictures {
    /// Creates the cache for pictures by `painter`; if `at_once` is true, pictures are painted
    /// immediately.
    pub fn new(painter: Arc<Painter>, ctx: &Context, at_once: bool) -> Pictures {
        let worker = (!at_once).then(|| start_worker(ctx.clone())).flatten();
        Pictures {
            painter,
            era: 0,
            textures: FxHashMap::default(),
            old: FxHashMap::default(),
            asked: FxHashSet::default(),
            spent: Duration::ZERO,
            worker,
        }
    }

    /// Returns the number of the current painter. The number changes when the painter is replaced.
    pub fn painter_number(&self) -> u64 {
        self.era
    }

    /// Returns the painter of the game. It can also compute the shapes of zones.
    pub fn painter(&self) -> &Arc<Painter> {
        &self.painter
    }

    /// Replaces the painter; all pictures are painted again.
    pub fn set_painter(&mut self, painter: Arc<Painter>) {
        self.painter = painter;
        self.era += 1;
        self.asked.clear();
        self.old = std::mem::take(&mut self.textures);
    }

    /// Collects the pictures that the worker has painted. Call this once per frame.
    pub fn collect(&mut self, ctx: &Context) {
        self.spent = Duration::ZERO;
        let Some((_, done)) = &self.worker else { return };
        while let Ok(done) = done.try_recv() {
            if done.era == self.era {
                self.textures.insert(done.key.clone(), load(ctx, &done.key, done.image));
            }
        }
    }

    /// Returns the picture of `what` for a width of `points` on the screen. Returns `None` if there
    /// is no picture yet and this frame has no time left to paint one.
    pub fn get(&mut self, ctx: &Context, what: PictureSubject, points: f32) -> Option<TextureId> {
        self.get_by(ctx, self.painter.clone(), None, what, points)
    }

    /// Returns the picture of a tile by the painter `other`, for a width of `points` on the screen.
    /// Returns `None` if there is no picture yet and this frame has no time left to paint one.
    pub fn tile_by(
        &mut self,
        ctx: &Context,
        other: &OtherPainter,
        tile: TileIdx,
        facing: Facing,
        points: f32,
    ) -> Option<TextureId> {
        self.get_by_other(ctx, other, PictureSubject::Tile(tile, facing, TileVariant::default()), points)
    }

    /// Returns the picture of `what` by the painter `other`, like [`get`](Self::get).
    pub fn get_by_other(
        &mut self,
        ctx: &Context,
        other: &OtherPainter,
        what: PictureSubject,
        points: f32,
    ) -> Option<TextureId> {
        self.get_by(ctx, other.painter.clone(), Some(other.number), what, points)
    }

    /// Discards all pictures by the painter `old` unless it is still in use, as `now`.
    pub fn discard_replaced(&mut self, old: Option<OtherPainter>, now: Option<&OtherPainter>) {
        if let Some(old) = old.filter(|old| now.is_none_or(|now| now.number != old.number)) {
            self.discard_pictures_by(&old);
        }
    }

    /// Discards all pictures by the painter `other`.
    pub fn discard_pictures_by(&mut self, other: &OtherPainter) {
        let is_other = |key: &PictureKey| key.by != Some(other.number);
        self.textures.retain(|key, _| is_other(key));
        self.old.retain(|key, _| is_other(key));
        self.asked.retain(is_other);
    }

    fn get_by(
        &mut self,
        ctx: &Context,
        painter: Arc<Painter>,
        by: Option<u64>,
        what: PictureSubject,
        points: f32,
    ) -> Option<TextureId> {
        let pixels = points * ctx.pixels_per_point();
        let width = WIDTHS.into_iter().find(|w| *w as f32 >= pixels * 0.92).unwrap_or(512);
        let key = PictureKey { what, width, by };
        if let Some(texture) = self.textures.get(&key) {
            return Some(texture.id());
        }
        let Some((jobs, _)) = &self.worker else { return Some(self.paint_now(ctx, &painter, key)) };
        let there = self.other_size(&key);
        if there.is_none() && self.spent < FULL_SIZE_TIME_LIMIT {
            return Some(self.paint_now(ctx, &painter, key));
        }
        if self.asked.insert(key.clone()) {
            // Sending fails if the worker is gone; the preview then stays.
            let _ = jobs.send(PictureJob { painter: painter.clone(), era: self.era, key: key.clone() });
        }
        let preview = |it: &mut Self| it.paint_now(ctx, &painter, PictureKey { width: PREVIEW_WIDTH, ..key });
        there.or_else(|| (self.spent < PREVIEW_TIME_LIMIT).then(|| preview(self)))
    }

    fn paint_now(&mut self, ctx: &Context, painter: &Painter, key: PictureKey) -> TextureId {
        let since = Instant::now();
        let texture = load(ctx, &key, paint(painter, &key));
        let id = texture.id();
        self.textures.insert(key, texture);
        self.spent += since.elapsed();
        id
    }

    /// Returns the same picture in the available size nearest to the requested width. If the
    /// current painter has painted no size, returns a picture by the previous painter, or a picture
    /// of the same tile before its features were complete. Returns `None` if there is none of
    /// these.
    fn other_size(&self, wanted: &PictureKey) -> Option<TextureId> {
        let mut widths = WIDTHS;
        widths.sort_by_key(|w| w.abs_diff(wanted.width));
        let find = |kept: &FxHashMap<PictureKey, TextureHandle>, what: &PictureSubject| {
            let key = |width: u32| PictureKey { what: what.clone(), width, by: wanted.by };
            widths.iter().find_map(|width| kept.get(&key(*width)).map(TextureHandle::id))
        };
        let found = find(&self.textures, &wanted.what).or_else(|| find(&self.old, &wanted.what));
        found.or_else(|| match wanted.what {
            PictureSubject::Tile(tile, facing, TileVariant { copy, .. }) => {
                find(&self.textures, &PictureSubject::Tile(tile, facing, TileVariant::of_copy(copy)))
            }
            _ => None,
        })
    }

    /// Returns a picture of a tile for a width of `points` on the screen. The number of the copy in
    /// `look` may be any number. Returns `None` in the same cases as [`get`](Self::get).
    pub fn tile(
        &mut self,
        ctx: &Context,
        tile: TileIdx,
        facing: Facing,
        look: TileVariant,
        points: f32,
    ) -> Option<TextureId> {
        let look = TileVariant { copy: look.copy % N_LOOKS, ..look };
        self.get(ctx, PictureSubject::Tile(tile, facing, look), points)
    }
}

fn load(ctx: &Context, key: &PictureKey, image: ColorImage) -> TextureHandle {
    ctx.load_texture(format!("picture {}", key.width), image, TextureOptions::LINEAR)
}

fn paint(painter: &Painter, PictureKey { what, width, .. }: &PictureKey) -> ColorImage {
    let picture: Picture = match what {
        PictureSubject::Tile(tile, facing, look) => painter.tile(*tile, *facing, *look, Detail::for_width(*width)),
        PictureSubject::Back => painter.tile_back(),
        PictureSubject::Piece(name, pose, colour, symbol) => painter.piece(name, *pose, *colour, *symbol),
        PictureSubject::Tag(tag, word) => painter.icon_of_tag(tag, word.as_deref()),
        PictureSubject::Token(token) => painter.icon_of("token", token),
        PictureSubject::Pile(pile) => painter.icon_of("pile", pile),
        PictureSubject::Card(card) => painter.icon_of("card", card),
        PictureSubject::Icon(name) => painter.builtin_icon(name),
        PictureSubject::Svg(svg) => painter.svg_icon(svg),
        PictureSubject::Link(tag) => painter.icon_of_link(tag),
    };
    // All widths are far below the limit, so the picture is never too large.
    let pixels = picture.to_pixels(*width).unwrap_or_default();
    let size = [pixels.width as usize, pixels.height as usize];
    ColorImage::from_rgba_unmultiplied(size, &pixels.rgba)
}

fn start_worker(ctx: Context) -> Option<(Sender<PictureJob>, Receiver<FinishedPicture>)> {
    let (jobs, work) = channel::<PictureJob>();
    let (done, results) = channel();
    let paint_all = move || async move {
        while let Ok(PictureJob { painter, era, key }) = task::recv(&work).await {
            let image = paint(&painter, &key);
            if done.send(FinishedPicture { era, key, image }).is_err() {
                return;
            }
            ctx.request_repaint();
            task::yield_now().await;
        }
    };
    task::spawn("painter", table::STACK_BYTES, paint_all).ok()?;
    Some((jobs, results))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use table::{Library, Setup, StopFlag, begin_game_with_stop};

    use super::*;

    #[test]
    fn a_tile_has_a_picture_in_the_frame_that_first_shows_it() {
        let session = begin_game_with_stop(&Library::builtin(), Setup::of(&["base"], 2), &StopFlag::default()).unwrap();
        let theme = session.loaded().theme();
        let painter = Arc::new(Painter::new(session.tile_set(), theme, theme.suggested_palette()));
        let ctx = Context::default();
        let mut pictures = Pictures::new(painter, &ctx, false);
        for facing in Facing::ALL {
            pictures.collect(&ctx);
            assert!(pictures.tile(&ctx, TileIdx(3), facing, TileVariant::default(), 128.0).is_some());
        }
        // If a frame has no time to paint a tile at the requested size, it shows the preview.
        pictures.collect(&ctx);
        pictures.spent = FULL_SIZE_TIME_LIMIT;
        assert!(pictures.tile(&ctx, TileIdx(4), Facing::default(), TileVariant::default(), 128.0).is_some());
        assert!(pictures.textures.contains_key(&PictureKey {
            what: PictureSubject::Tile(TileIdx(4), Facing::default(), TileVariant::default()),
            width: PREVIEW_WIDTH,
            by: None,
        }));
    }
}
