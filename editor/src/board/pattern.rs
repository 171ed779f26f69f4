//! Fill patterns of areas: symbols, stripes and dots. They distinguish the areas of different
//! owners.

use art::Symbol;
use art::kurbo::{Point, Shape};
use egui::{Color32, ColorImage, Context, TextureHandle, TextureId, TextureOptions, TextureWrapMode};
use rustc_hash::FxHashMap;

/// The fill of an area.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum FillPattern {
    /// Dots, for an area without an owner.
    Dots,
    /// The colour and symbol of a single owner.
    Owner([u8; 3], Symbol),
    /// Diagonal stripes in the colours of several owners.
    Stripes(Vec<[u8; 3]>),
}

/// The number of times that a pattern repeats along the edge of a tile.
pub const REPEATS_PER_EDGE: f32 = 2.0;

/// The width of a pattern in pixels.
const WIDTH: usize = 64;

/// Patterns as textures. A texture is made when it is first used.
#[derive(Default)]
pub struct FillPatterns {
    kept: FxHashMap<FillPattern, TextureHandle>,
}

impl FillPatterns {
    /// Returns the texture of a pattern.
    pub fn texture(&mut self, ctx: &Context, pattern: &FillPattern) -> TextureId {
        if let Some(texture) = self.kept.get(pattern) {
            return texture.id();
        }
        let options = TextureOptions { wrap_mode: TextureWrapMode::Repeat, ..TextureOptions::LINEAR };
        let texture = ctx.load_texture(format!("{pattern:?}"), image(pattern), options);
        let id = texture.id();
        self.kept.insert(pattern.clone(), texture);
        id
    }
}

fn image(pattern: &FillPattern) -> ColorImage {
    let pixel = |i: usize| colour(pattern, i % WIDTH, i / WIDTH);
    ColorImage::new([WIDTH, WIDTH], (0..WIDTH * WIDTH).map(pixel).collect())
}

fn colour(pattern: &FillPattern, x: usize, y: usize) -> Color32 {
    let rgba = |[r, g, b]: [u8; 3], alpha: f32| Color32::from_rgba_unmultiplied(r, g, b, (alpha * 255.0) as u8);
    match pattern {
        FillPattern::Dots => {
            // When the pattern repeats, the two dots form an even grid.
            let far = |cx: f32, cy: f32| (x as f32 + 0.5 - cx).hypot(y as f32 + 0.5 - cy);
            let inside = (7.0 - far(16.0, 16.0).min(far(48.0, 48.0))).clamp(0.0, 1.0);
            rgba([255, 255, 255], 0.08 + 0.55 * inside)
        }
        FillPattern::Owner(rgb, symbol) => {
            let ink = if is_light(*rgb) { [0; 3] } else { [255; 3] };
            rgba(*rgb, 0.46).blend(rgba(ink, 0.5 * pixel_coverage(*symbol, x, y)))
        }
        FillPattern::Stripes(owners) => {
            let n = owners.len().max(1);
            // Divides the width of the pattern, which is half a tile, equally between the owners.
            let at = (x + y) % WIDTH * n / WIDTH;
            owners.get(at).map_or(Color32::TRANSPARENT, |rgb| rgba(*rgb, 0.62))
        }
    }
}

/// Returns the fraction of the pixel at `x`, `y` that is inside the symbol, from 0 to 1.
fn pixel_coverage(symbol: Symbol, x: usize, y: usize) -> f32 {
    let outline = symbol.outline(Point::new(32.0, 32.0), 13.0);
    let parts = [0.25, 0.75];
    let is_inside = |dx: f64, dy: f64| outline.contains(Point::new(x as f64 + dx, y as f64 + dy));
    parts.iter().flat_map(|dx| parts.map(|dy| f32::from(is_inside(*dx, dy)) / 4.0)).sum()
}

/// Returns whether black text is easier to read than white text on this colour.
pub fn is_light([r, g, b]: [u8; 3]) -> bool {
    2 * u32::from(r) + 5 * u32::from(g) + u32::from(b) > 8 * 140
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stripes_have_the_colours_of_all_owners() {
        let owners = vec![[255, 0, 0], [0, 0, 255], [0, 255, 0]];
        let stripes = image(&FillPattern::Stripes(owners));
        let mut colours = stripes.pixels.clone();
        colours.sort_unstable_by_key(|c| c.to_array());
        colours.dedup();
        assert_eq!(colours.len(), 3);
    }

    #[test]
    fn every_symbol_can_be_seen_on_its_colour() {
        for symbol in Symbol::ALL {
            let pattern = image(&FillPattern::Owner([0, 0x72, 0xb2], symbol));
            assert_ne!(pattern.pixels[32 * WIDTH + 32], pattern.pixels[0], "{symbol:?}");
        }
    }
}
