//! Draws the icon of the program as pixels.

use anyhow::{Context as _, Result, bail};
use tiny_skia::{Color, FillRule, Paint, Pixmap, Shader, Transform};
use usvg::{Group, Node, Options, Tree};

/// Draws an SVG of plain colours as a square PNG.
///
/// # Errors
/// Returns an error if the SVG is not valid, or contains anything but paths in plain colours.
pub fn png(svg: &str, size: u32) -> Result<Vec<u8>> {
    let tree = Tree::from_str(svg, &Options::default()).context("the icon is not valid")?;
    let mut map = Pixmap::new(size, size).context("an icon needs a size")?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let scale = Transform::from_scale(size as f32 / width, size as f32 / height);
    draw(tree.root(), scale, &mut map)?;
    map.encode_png().context("the icon cannot be written")
}

fn draw(group: &Group, scale: Transform, map: &mut Pixmap) -> Result<()> {
    for node in group.children() {
        let path = match node {
            Node::Group(group) => {
                draw(group, scale, map)?;
                continue;
            }
            Node::Path(path) => path,
            _ => bail!("the icon contains a picture or a text, but may contain paths only"),
        };
        let transform = scale.pre_concat(path.abs_transform());
        if let Some(fill) = path.fill() {
            let paint = solid_paint(fill.paint(), fill.opacity().get())?;
            map.fill_path(path.data(), &paint, FillRule::Winding, transform, None);
        }
        if let Some(stroke) = path.stroke() {
            let paint = solid_paint(stroke.paint(), stroke.opacity().get())?;
            map.stroke_path(path.data(), &paint, &stroke.to_tiny_skia(), transform, None);
        }
    }
    Ok(())
}

fn solid_paint(paint: &usvg::Paint, opacity: f32) -> Result<Paint<'static>> {
    let usvg::Paint::Color(colour) = paint else {
        bail!("the icon contains a gradient or a pattern, but may have plain colours only");
    };
    let alpha = (opacity * 255.0).round() as u8;
    let shader = Shader::SolidColor(Color::from_rgba8(colour.red, colour.green, colour.blue, alpha));
    Ok(Paint { shader, anti_alias: true, ..Paint::default() })
}
