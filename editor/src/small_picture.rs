//! Encodes screenshots for documents as small files with few colours.

use color_quant::NeuQuant;
use image::RgbaImage;
use image::imageops::{FilterType, resize};

/// The maximum width of a small picture, in pixels.
const MAX_WIDTH: u32 = 960;
/// The number of colours of a small picture.
const COLOURS: usize = 256;
/// The sampling factor for the choice of colours, from 1 (all pixels) to 30 (the fewest pixels).
const SAMPLING: i32 = 8;

/// Encodes a picture as a small PNG file with a palette.
///
/// # Errors
/// Returns an error if the encoder fails.
pub fn encode(picture: RgbaImage) -> Result<Vec<u8>, png::EncodingError> {
    let picture = if picture.width() > MAX_WIDTH {
        let height = (picture.height() * MAX_WIDTH).div_ceil(picture.width());
        resize(&picture, MAX_WIDTH, height, FilterType::CatmullRom)
    } else {
        picture
    };
    let colours = NeuQuant::new(SAMPLING, COLOURS, picture.as_raw());
    let indices: Vec<u8> = picture.pixels().map(|pixel| colours.index_of(&pixel.0) as u8).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, picture.width(), picture.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(colours.color_map_rgb());
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&indices)?;
    writer.finish()?;
    Ok(file)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use image::Rgba;

    use super::*;

    #[test]
    fn a_small_picture_has_few_pixels_and_looks_the_same() {
        let colour = |x: u32, y: u32| Rgba([(x / 8) as u8, (y / 4) as u8, 90, 255]);
        let large = RgbaImage::from_fn(1920, 1000, colour);
        let file = encode(large).unwrap();
        let small = image::load_from_memory(&file).unwrap().into_rgba8();
        assert_eq!(small.dimensions(), (960, 500));
        assert!(file.len() < 200_000, "{} bytes", file.len());
        for (x, y) in [(100, 100), (700, 300), (900, 480)] {
            let (found, wanted) = (small.get_pixel(x, y).0, colour(2 * x, 2 * y).0);
            let difference = found.iter().zip(wanted).map(|(a, b)| a.abs_diff(b)).max().unwrap();
            assert!(difference < 40, "{found:?} in place of {wanted:?}");
        }
    }
}
