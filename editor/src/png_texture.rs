//! Pictures in PNG format as textures.

use egui::{ColorImage, Context, TextureHandle};

/// Loads a picture in PNG format. Returns `None` if the picture cannot be read.
pub fn png_texture(ctx: &Context, name: &str, png: &[u8]) -> Option<TextureHandle> {
    let image = image::load_from_memory(png).ok()?.to_rgba8();
    let size = [image.width() as usize, image.height() as usize];
    let image = ColorImage::from_rgba_unmultiplied(size, image.as_raw());
    Some(ctx.load_texture(name, image, Default::default()))
}
