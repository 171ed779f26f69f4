//! The farmland on grounds: fields, some of them ploughed, that continue across the edges of tiles.
//! The fields are faint, because they are only decoration and have no meaning in the game.

use std::f32::consts::{PI, TAU};

use art::LandStyle;
use egui::epaint::Mesh;
use egui::{Color32, ColorImage, Context, Pos2, TextureHandle, TextureOptions, TextureWrapMode, Vec2, pos2, vec2};
use table::Revision;

use super::area::Areas;
use super::camera::square;
use super::noise::noise;
use super::scene::{Scene, add_area};
use crate::cached::Cached;

/// The width of the texture, in tiles. The farmland repeats after this distance.
const PERIOD: usize = 6;

/// The width of a tile in the texture, in pixels. Tiles on the screen are between a third and three
/// times as wide, so the texture needs no smaller versions, which would delay the first picture.
const PIXELS_PER_TILE: usize = 48;

/// The number of fields along the texture's edge.
const N_FIELDS: i32 = 8;

/// The width of a tile on the screen, in points, below which the farmland is too small to see.
const HIDDEN_BELOW: f32 = 16.0;

/// The farmland: its texture, and the grounds of the tiles on the board.
#[derive(Default)]
pub struct Meadow {
    texture: Option<TextureHandle>,
    /// The grounds, with coordinates in tiles, cached per revision and painter.
    grounds: Cached<(Revision, u64), Mesh>,
}

impl Meadow {
    /// Draws the farmland on all grounds. `era` is the number of the painter of tiles.
    pub fn draw(&mut self, scene: &Scene<'_>, areas: &mut Areas, era: u64) {
        if scene.camera.zoom < HIDDEN_BELOW {
            return;
        }
        let texture = self.texture.get_or_insert_with(|| load_texture(scene.screen.ctx())).id();
        let mesh = self.grounds.refresh((scene.session.revision(), era), || grounds(scene, areas));
        mesh.texture_id = texture;
        scene.board_mesh(mesh);
    }
}

/// Returns the areas of all zones of grounds.
fn grounds(scene: &Scene<'_>, areas: &mut Areas) -> Mesh {
    let mut mesh = Mesh::default();
    let tile_set = scene.view.tile_set();
    for placed in scene.view.tiles() {
        let zones = &tile_set.tile(placed.tile).zones;
        let areas = areas.of(&scene.art, placed.tile, placed.facing);
        let corner = square(placed.spot).min.to_vec2();
        for (zone, area) in zones.iter().zip(areas.iter()) {
            if scene.art.style(zone.kind) != LandStyle::Ground {
                continue;
            }
            let uv = |pos: Pos2| (pos.to_vec2() / PERIOD as f32).to_pos2();
            add_area(&mut mesh, area, corner, Color32::WHITE, uv);
        }
    }
    mesh
}

fn load_texture(ctx: &Context) -> TextureHandle {
    let options = TextureOptions { wrap_mode: TextureWrapMode::Repeat, ..TextureOptions::LINEAR };
    ctx.load_texture("farmland", image(), options)
}

fn image() -> ColorImage {
    let width = PERIOD * PIXELS_PER_TILE;
    // Converts pixels to coordinates in which a field has width 1.
    let scale = N_FIELDS as f32 / width as f32;
    let pixel = |i: usize| colour(pos2((i % width) as f32 + 0.5, (i / width) as f32 + 0.5) * scale);
    ColorImage::new([width, width], (0..width * width).map(pixel).collect())
}

/// A field of the farmland: the points that are nearer to its centre than to any other centre.
#[derive(Clone, Copy)]
struct Field {
    /// The cell of the field in the texture: its column and its row.
    cell: [i32; 2],
    middle: Pos2,
}

impl Field {
    /// Returns the field in a cell of an endless grid. The pattern of fields repeats like the
    /// texture.
    fn new(column: i32, row: i32) -> Field {
        let cell = [column.rem_euclid(N_FIELDS), row.rem_euclid(N_FIELDS)];
        let jitter = vec2(noise(cell, 1), noise(cell, 2)) * 0.7 + Vec2::splat(0.15);
        Field { cell, middle: pos2(column as f32, row as f32) + jitter }
    }

    /// Returns the brightness of the field at a point. A negative value is darker than the ground.
    fn tone(self, at: Pos2) -> f32 {
        let base = noise(self.cell, 3) * 2.0 - 1.0;
        let angle = noise(self.cell, 4) * PI;
        let along = (at - self.middle).dot(Vec2::angled(angle));
        let is_ploughed = noise(self.cell, 5) < 0.5;
        base + if is_ploughed { 0.4 * (along * 50.0).sin() } else { 0.0 }
    }
}

/// Returns the colour of the farmland at a point, in coordinates in which a field has width 1.
///
/// Fields differ only by their tone. The user could mistake lines between fields for the hedges
/// that separate grounds, which matter in the game.
fn colour(at: Pos2) -> Color32 {
    // Waves make the borders of fields slightly uneven.
    let at = at + vec2((at.y * TAU).sin(), (at.x * TAU).sin()) * 0.04;
    let (column, row) = (at.x.floor() as i32, at.y.floor() as i32);
    let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| Field::new(column + dx, row + dy)));
    let nearest = around.min_by(|a, b| a.middle.distance_sq(at).total_cmp(&b.middle.distance_sq(at)));
    let tone = nearest.map_or(0.0, |field| field.tone(at));
    if tone < 0.0 {
        Color32::from_rgba_unmultiplied(30, 60, 10, (-tone * 40.0) as u8)
    } else {
        Color32::from_rgba_unmultiplied(255, 252, 205, (tone * 50.0) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn farmland_continues_where_the_texture_repeats() {
        let width = N_FIELDS as f32;
        for i in 0..200 {
            let at = i as f32 * 0.05;
            let far = |a: Color32, b: Color32| (0..4).map(|c| a[c].abs_diff(b[c])).max();
            assert!(far(colour(pos2(at, 0.001)), colour(pos2(at, width + 0.001))) <= Some(2));
            assert!(far(colour(pos2(0.001, at)), colour(pos2(width + 0.001, at))) <= Some(2));
        }
    }

    #[test]
    fn fields_are_faint_but_visible() {
        let alphas: Vec<u8> = image().pixels.iter().map(|c| c.a()).collect();
        assert!(alphas.iter().all(|a| *a < 90), "the ground below stays visible");
        assert!(alphas.iter().any(|a| *a > 30), "fields differ");
    }
}
