//! Draws pictures as pixels.

use kurbo::{BezPath, PathEl, Point, Rect};
use theme::Colour;
use tiny_skia as skia;

use crate::picture::{Paint, Picture, Shape};

/// The maximum number of pixels of a picture. Each copy of such a picture takes 96 MB of memory.
/// The limit is high enough for the largest board of `bastide picture`, 4,000 by 4,000 pixels, with
/// its scores.
pub const MAX_PIXELS: u64 = 24_000_000;

/// The maximum number of pixels of a sheet of tiles. This limit is higher than [`MAX_PIXELS`],
/// because the user chooses the size of a sheet with options. The size of a board depends on a
/// record, which may come from a stranger.
pub(crate) const MAX_SHEET_PIXELS: u64 = 200_000_000;

/// A reason why a picture cannot be drawn as pixels. The text is a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the texts say what is wrong")]
pub enum PictureError {
    #[error("{width} by {height} pixels are too many: at most {} million are drawn", most / 1_000_000)]
    TooLarge { width: u64, height: u64, most: u64 },
    #[error("{n} tiles are too many: at most {most} are drawn in one picture")]
    TooManyTiles { n: usize, most: usize },
    #[error("a picture without pixels")]
    NoPixels,
    #[error("a picture with too few pixels")]
    TooFewPixels,
    #[error("{0}")]
    Encoder(String),
}

/// Returns an error if a picture of this size has more than `most` pixels.
fn check_size(width: u64, height: u64, most: u64) -> Result<(), PictureError> {
    if width.saturating_mul(height) <= most {
        return Ok(());
    }
    Err(PictureError::TooLarge { width, height, most })
}

/// Pixels, row by row from the top left.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pixels {
    /// The number of pixels in a row.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// Red, green, blue and straight alpha of each pixel, 8 bits each.
    pub rgba: Vec<u8>,
}

impl Pixels {
    /// Encodes the pixels as a PNG file.
    ///
    /// # Errors
    /// Returns an error if the picture has no pixels or the encoder fails.
    pub fn to_png(self) -> Result<Vec<u8>, PictureError> {
        let size = skia::IntSize::from_wh(self.width, self.height).ok_or(PictureError::NoPixels)?;
        let mut data = self.rgba;
        for pixel in data.chunks_exact_mut(4) {
            let (rgb, a) = pixel.split_at_mut(3);
            rgb.iter_mut().for_each(|c| *c = ((u16::from(*c) * u16::from(a[0]) + 127) / 255) as u8);
        }
        let map = skia::Pixmap::from_vec(data, size).ok_or(PictureError::TooFewPixels)?;
        map.encode_png().map_err(|error| PictureError::Encoder(error.to_string()))
    }

    /// Returns a picture of one colour.
    ///
    /// # Errors
    /// Returns an error if the picture has more than [`MAX_PIXELS`].
    pub fn plain(width: u64, height: u64, colour: Colour) -> Result<Pixels, PictureError> {
        Pixels::sheet(width, height, colour, MAX_PIXELS)
    }

    /// Returns a picture of one colour, or an error if it would have more than `most` pixels.
    pub(crate) fn sheet(width: u64, height: u64, colour: Colour, most: u64) -> Result<Pixels, PictureError> {
        check_size(width, height, most)?;
        let pixel = [colour.r, colour.g, colour.b, colour.a];
        let rgba = pixel.repeat(width as usize * height as usize);
        Ok(Pixels { width: width as u32, height: height as u32, rgba })
    }

    /// Stacks sheets from top to bottom. The background has the colour of the first sheet's top
    /// left corner.
    ///
    /// # Errors
    /// Returns an error if the result has more than 200 million pixels.
    pub fn stack_vertically(sheets: &[Pixels]) -> Result<Pixels, PictureError> {
        let width = sheets.iter().map(|s| u64::from(s.width)).max().unwrap_or(0);
        let height = sheets.iter().map(|s| u64::from(s.height)).sum();
        let corner = sheets.first().and_then(|s| s.rgba.get(..3)).map_or([255; 3], |c| [c[0], c[1], c[2]]);
        let mut all = Pixels::sheet(width, height, corner.into(), MAX_SHEET_PIXELS)?;
        let mut y = 0;
        for sheet in sheets {
            all.paste(sheet, 0, y);
            y += sheet.height;
        }
        Ok(all)
    }

    /// Draws `other` over these pixels with its top left corner at `x`, `y`. Cuts off the parts of
    /// `other` beyond the edges.
    pub fn paste(&mut self, other: &Pixels, x: u32, y: u32) {
        for row in 0..other.height.min(self.height.saturating_sub(y)) {
            for column in 0..other.width.min(self.width.saturating_sub(x)) {
                let from = (row * other.width + column) as usize * 4;
                let to = ((y + row) * self.width + x + column) as usize * 4;
                let a = u32::from(other.rgba[from + 3]);
                for c in 0..3 {
                    let (new, old) = (u32::from(other.rgba[from + c]), u32::from(self.rgba[to + c]));
                    self.rgba[to + c] = ((new * a + old * (255 - a) + 127) / 255) as u8;
                }
                let old = u32::from(self.rgba[to + 3]);
                self.rgba[to + 3] = (a + old * (255 - a) / 255) as u8;
            }
        }
    }
}

impl Picture {
    /// Draws the picture `width` pixels wide, on a transparent background.
    ///
    /// # Errors
    /// Returns an error if the result has more than [`MAX_PIXELS`].
    pub fn to_pixels(&self, width: u32) -> Result<Pixels, PictureError> {
        let [w, h] = self.size();
        let width = width.max(1);
        let height = ((f64::from(width) * h / w).round() as u32).max(1);
        check_size(width.into(), height.into(), MAX_PIXELS)?;
        let mut map = skia::Pixmap::new(width, height).ok_or(PictureError::NoPixels)?;
        let scale = f64::from(width) / w;
        for shape in self.shapes() {
            match shape.clip {
                Some(clip) => draw_clipped(&mut map, shape, scale, clip),
                None => draw(&mut map, shape, scale, (0, 0)),
            }
        }
        let mut rgba = map.take();
        for pixel in rgba.chunks_exact_mut(4).filter(|p| p[3] != 255 && p[3] != 0) {
            let a = u32::from(pixel[3]);
            pixel[..3].iter_mut().for_each(|c| *c = ((u32::from(*c) * 255 + a / 2) / a).min(255) as u8);
        }
        Ok(Pixels { width, height, rgba })
    }
}

/// Draws a shape at `scale` pixels per unit on `map`, which begins at pixel `from` of the whole
/// picture.
fn draw(map: &mut skia::Pixmap, shape: &Shape, scale: f64, from: (i32, i32)) {
    let Some(path) = skia_path(&shape.path) else { return };
    let transform = skia::Transform::from_row(scale as f32, 0.0, 0.0, scale as f32, -from.0 as f32, -from.1 as f32);
    let mut paint = skia::Paint { anti_alias: true, ..skia::Paint::default() };
    match shape.paint {
        Paint::Fill(colour) => {
            paint.set_color(skia_colour(colour));
            map.fill_path(&path, &paint, skia::FillRule::Winding, transform, None);
        }
        Paint::Line { colour, width } => {
            paint.set_color(skia_colour(colour));
            let stroke = skia::Stroke {
                width: width as f32,
                line_cap: skia::LineCap::Round,
                line_join: skia::LineJoin::Round,
                ..skia::Stroke::default()
            };
            map.stroke_path(&path, &paint, &stroke, transform, None);
        }
        Paint::Soft { colour, centre, radius } => {
            let at = |middle: f64, from: i32| middle * scale - f64::from(from);
            draw_soft_disc(map, colour, at(centre.x, from.0), at(centre.y, from.1), radius * scale);
        }
    }
}

/// Draws the part of a shape within `clip`, rounded to whole pixels. The rounding ensures that two
/// shapes cut at the same line meet without a gap.
fn draw_clipped(map: &mut skia::Pixmap, shape: &Shape, scale: f64, clip: Rect) {
    let seen = Rect::new(0.0, 0.0, f64::from(map.width()), f64::from(map.height()));
    let within = clip.scale_from_origin(scale).intersect(seen);
    let (from, to) = (within.origin().round(), Point::new(within.x1, within.y1).round());
    let (x, y) = (from.x as i32, from.y as i32);
    let Some(mut part) = skia::Pixmap::new((to.x - from.x) as u32, (to.y - from.y) as u32) else { return };
    draw(&mut part, shape, scale, (x, y));
    map.draw_pixmap(x, y, part.as_ref(), &skia::PixmapPaint::default(), skia::Transform::identity(), None);
}

/// Draws a circle of colour that fades outwards. Tiles have many such circles, and drawing them as
/// gradients would be much slower.
fn draw_soft_disc(map: &mut skia::Pixmap, colour: Colour, x: f64, y: f64, radius: f64) {
    let (width, height) = (map.width() as usize, map.height() as usize);
    let range = |middle: f64, end: usize| {
        let clamp = |n: f64| n.clamp(0.0, end as f64) as usize;
        clamp(middle - radius)..clamp(middle + radius + 1.0)
    };
    let rows = range(y, height);
    for row in rows {
        let dy = row as f64 + 0.5 - y;
        for column in range(x, width) {
            let dx = column as f64 + 0.5 - x;
            let near = 1.0 - (dx * dx + dy * dy).sqrt() / radius;
            if near <= 0.0 {
                continue;
            }
            let a = (f64::from(colour.a) * near * 256.0 / 255.0) as u32;
            let at = (row * width + column) * 4;
            let pixel = &mut map.data_mut()[at..at + 4];
            for (old, new) in pixel.iter_mut().zip([colour.r, colour.g, colour.b, 255]) {
                *old = ((u32::from(*old) * (256 - a) + u32::from(new) * a + 128) >> 8).min(255) as u8;
            }
        }
    }
}

fn skia_colour(c: Colour) -> skia::Color {
    skia::Color::from_rgba8(c.r, c.g, c.b, c.a)
}

fn skia_path(path: &BezPath) -> Option<skia::Path> {
    let mut builder = skia::PathBuilder::new();
    for element in path.elements() {
        match *element {
            PathEl::MoveTo(p) => builder.move_to(p.x as f32, p.y as f32),
            PathEl::LineTo(p) => builder.line_to(p.x as f32, p.y as f32),
            PathEl::QuadTo(a, p) => builder.quad_to(a.x as f32, a.y as f32, p.x as f32, p.y as f32),
            PathEl::CurveTo(a, b, p) => {
                builder.cubic_to(a.x as f32, a.y as f32, b.x as f32, b.y as f32, p.x as f32, p.y as f32)
            }
            PathEl::ClosePath => builder.close(),
        }
    }
    builder.finish()
}
