//! The table below the board: a cloth that is darker towards the edge of the view.

use egui::epaint::{Mesh, Vertex};
use egui::{Color32, ColorImage, Context, Shape, TextureHandle, TextureOptions, TextureWrapMode, Vec2, vec2};

use super::noise::noise;
use super::scene::{Scene, colour};

/// The width of the texture, in pixels. Also the distance, in points, after which the cloth
/// repeats.
const WIDTH: usize = 128;

/// The width of a thread, in pixels.
const THREAD_WIDTH: usize = 2;

/// The cloth, whose texture is made when it is first drawn.
#[derive(Default)]
pub struct Cloth {
    texture: Option<TextureHandle>,
}

impl Cloth {
    /// Draws the cloth in the whole view. The cloth moves with the board, but its threads keep
    /// their thickness when the user zooms.
    pub fn draw(&mut self, scene: &Scene<'_>) {
        const N: u32 = 14;
        let texture = self.texture.get_or_insert_with(|| load_texture(scene.screen.ctx()));
        let palette = scene.art.palette();
        let (light, dark) = (colour(palette.table), colour(palette.table_dark));
        let camera = &scene.camera;
        let origin = camera.to_screen(egui::Pos2::ZERO);
        let mut mesh = Mesh::with_texture(texture.id());
        for row in 0..=N {
            for column in 0..=N {
                let at = vec2(column as f32, row as f32) / N as f32;
                let far = (at - Vec2::splat(0.5)).length() * std::f32::consts::SQRT_2;
                let t = ((far - 0.25) / 0.75).clamp(0.0, 1.0);
                let soft = t * t * (3.0 - 2.0 * t);
                let pos = camera.drawn.lerp_inside(at);
                let uv = ((pos - origin) / WIDTH as f32).to_pos2();
                mesh.vertices.push(Vertex { pos, uv, color: light.lerp_to_gamma(dark, soft) });
            }
        }
        for row in 0..N {
            for column in 0..N {
                let a = row * (N + 1) + column;
                mesh.add_triangle(a, a + 1, a + N + 1);
                mesh.add_triangle(a + 1, a + N + 1, a + N + 2);
            }
        }
        scene.screen.add(Shape::mesh(mesh));
    }
}

fn load_texture(ctx: &Context) -> TextureHandle {
    let options = TextureOptions { wrap_mode: TextureWrapMode::Repeat, ..TextureOptions::LINEAR };
    let pixel = |i: usize| Color32::from_gray((brightness(i % WIDTH, i / WIDTH) * 255.0) as u8);
    let image = ColorImage::new([WIDTH, WIDTH], (0..WIDTH * WIDTH).map(pixel).collect());
    ctx.load_texture("cloth", image, options)
}

/// Returns the brightness of a pixel of the cloth. Threads cross over and under each other, and
/// each thread has its own tone.
fn brightness(x: usize, y: usize) -> f32 {
    let (column, row) = ((x / THREAD_WIDTH) as i32, (y / THREAD_WIDTH) as i32);
    let is_over = (column + row) % 2 == 0;
    let thread = if is_over { noise([column, -1], 1) } else { noise([-1, row], 2) };
    let along = if is_over { y } else { x };
    // A thread is brightest at the crossings where it is on top.
    let bow = if along % THREAD_WIDTH == 0 { 0.03 } else { 0.0 };
    0.89 + 0.045 * thread + bow + 0.03 * noise([x as i32, y as i32], 3)
}
