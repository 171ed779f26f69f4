//! The context for drawing the board, and its basic shapes.

use std::sync::Arc;

use art::Painter;
use egui::epaint::{CornerRadius, Mesh};
use egui::{Align2, Color32, FontId, Pos2, Rect, Shape, Stroke, StrokeKind, TextureId, Vec2, pos2, vec2};
use table::{FeatureRef, GameView, Snapshot};

use super::area::ZoneArea;
use super::camera::Camera;

/// The context for drawing the board in one frame.
#[derive(Clone)]
pub struct Scene<'a> {
    /// The painter of the screen, clipped to the view.
    pub screen: egui::Painter,
    /// The camera, which maps the board to the screen.
    pub camera: Camera,
    /// The snapshot of the session whose board is drawn.
    pub session: &'a Snapshot,
    /// The position, without information that is hidden from the viewers.
    pub view: GameView<'a>,
    /// The painter of tiles, with their colours and the shapes of their zones.
    pub art: Arc<Painter>,
    /// The time of this frame, in seconds since the start of the window.
    pub time: f64,
}

/// The texture coordinates of a whole texture.
pub const WHOLE_TEXTURE: Rect = Rect { min: Pos2::ZERO, max: pos2(1.0, 1.0) };

/// Returns whether two references are to the same feature, and the feature still exists.
pub fn same_feature(view: GameView<'_>, a: FeatureRef, b: FeatureRef) -> bool {
    view.has_feature(a) && view.has_feature(b) && view.root(a) == view.root(b)
}

/// Converts a colour of the palette to a colour of egui.
pub fn colour(colour: art::Colour) -> Color32 {
    Color32::from_rgba_unmultiplied(colour.r, colour.g, colour.b, colour.a)
}

/// Returns a seat's colour, adjusted so that lines in it are visible on the table.
pub fn adjusted_for_table(colour: Color32) -> Color32 {
    let brightness = (2 * u32::from(colour.r()) + 5 * u32::from(colour.g()) + u32::from(colour.b())) / 8;
    let more = if brightness < 105 { 0.5 } else { 0.3 };
    colour.lerp_to_gamma(Color32::WHITE, more)
}

/// Returns black or white, whichever is easier to read on `colour`.
pub fn text_colour_on(colour: Color32) -> Color32 {
    let is_light = super::pattern::is_light([colour.r(), colour.g(), colour.b()]);
    if is_light { Color32::from_gray(16) } else { Color32::WHITE }
}

/// The fill colour of chips and badges with text on the board.
pub const CHIP_COLOUR: Color32 = Color32::from_rgba_premultiplied(22, 24, 26, 232);

impl Scene<'_> {
    /// Draws a text on a chip centred at `middle`. Returns the rectangle of the chip.
    pub fn badge(&self, middle: Pos2, text: impl Into<String>, size: f32, fill: Color32) -> Rect {
        let ink = text_colour_on(fill);
        let galley = self.screen.layout_no_wrap(text.into(), FontId::proportional(size), ink);
        let room = galley.size() + vec2(size * 0.7, size * 0.2);
        // The chip of a single digit is a circle.
        let rect = Rect::from_center_size(middle, vec2(room.x.max(room.y), room.y));
        let round = CornerRadius::from(rect.height() / 2.0);
        let rim = Stroke::new(1.0, ink.gamma_multiply(0.7));
        self.screen.rect(rect, round, fill, rim, StrokeKind::Outside);
        let text_rect = Align2::CENTER_CENTER.anchor_size(middle, galley.size());
        self.screen.galley(text_rect.min, galley, ink);
        rect
    }

    /// Draws a frame with dark lines on both sides, so that it is visible on any background.
    pub fn frame(&self, rect: Rect, colour: Color32, width: f32) {
        let kind = StrokeKind::Middle;
        self.screen.rect_stroke(rect, 2.0, Stroke::new(width + 2.0, Color32::from_black_alpha(150)), kind);
        self.screen.rect_stroke(rect, 2.0, Stroke::new(width, colour), kind);
    }

    /// Draws a ring with dark lines on both sides.
    pub fn ring(&self, middle: Pos2, radius: f32, colour: Color32, width: f32) {
        self.screen.circle_stroke(middle, radius, Stroke::new(width + 2.0, Color32::from_black_alpha(170)));
        self.screen.circle_stroke(middle, radius, Stroke::new(width, colour));
    }

    /// Draws the two diagonals of a rectangle as a cross.
    pub fn cross(&self, rect: Rect, colour: Color32, width: f32) {
        for ends in [[rect.left_top(), rect.right_bottom()], [rect.right_top(), rect.left_bottom()]] {
            self.screen.line_segment(ends, Stroke::new(width + 2.0, Color32::from_black_alpha(120)));
            self.screen.line_segment(ends, Stroke::new(width, colour));
        }
    }

    /// Draws a whole texture into a rectangle of the screen. Multiplies its colours by `tint`.
    pub fn picture(&self, texture: TextureId, rect: Rect, tint: Color32) {
        self.screen.image(texture, rect, WHOLE_TEXTURE, tint);
    }

    /// Draws a mesh with coordinates in tiles.
    pub fn board_mesh(&self, mesh: &Mesh) {
        if mesh.is_empty() {
            return;
        }
        let mut mesh = mesh.clone();
        mesh.vertices.iter_mut().for_each(|v| v.pos = self.camera.to_screen(v.pos));
        self.screen.add(Shape::mesh(mesh));
    }
}

/// Adds the area of a zone to a mesh with coordinates in tiles. `corner` is the north-west corner
/// of the zone's tile. If the mesh has a texture, fills the area with its pattern.
pub fn fill(mesh: &mut Mesh, area: &ZoneArea, corner: Vec2, colour: Color32) {
    let is_plain = mesh.texture_id == TextureId::default();
    let uv = |pos: Pos2| {
        if is_plain { egui::epaint::WHITE_UV } else { (pos.to_vec2() * super::pattern::REPEATS_PER_EDGE).to_pos2() }
    };
    add_area(mesh, area, corner, colour, uv);
}

/// Adds the area of a zone to a mesh with coordinates in tiles. `corner` is the north-west corner
/// of the zone's tile. `uv` returns the texture coordinates for a point of the board.
pub fn add_area(mesh: &mut Mesh, area: &ZoneArea, corner: Vec2, colour: Color32, uv: impl Fn(Pos2) -> Pos2) {
    let first = mesh.vertices.len() as u32;
    mesh.vertices.extend(area.points.iter().map(|point| {
        let pos = *point + corner;
        egui::epaint::Vertex { pos, uv: uv(pos), color: colour }
    }));
    mesh.indices.extend(area.triangles.iter().map(|i| first + i));
}

/// Adds a frame of this width along the inside of a rectangle to a mesh.
pub fn add_frame(mesh: &mut Mesh, rect: Rect, width: f32, colour: Color32) {
    add_frame_sides(mesh, rect, width, colour, 0b1111);
}

/// Adds some sides of a frame along the inside of a rectangle to a mesh. Bit `n` of `sides` stands
/// for side `n`, clockwise from north.
pub fn add_frame_sides(mesh: &mut Mesh, rect: Rect, width: f32, colour: Color32, sides: u8) {
    let Rect { min, max } = rect;
    let inner = rect.shrink(width);
    let all = [
        Rect::from_min_max(min, pos2(max.x, inner.min.y)),
        Rect::from_min_max(pos2(inner.max.x, inner.min.y), pos2(max.x, inner.max.y)),
        Rect::from_min_max(pos2(min.x, inner.max.y), max),
        Rect::from_min_max(pos2(min.x, inner.min.y), pos2(inner.min.x, inner.max.y)),
    ];
    for (n, side) in all.into_iter().enumerate() {
        if sides >> n & 1 == 1 {
            mesh.add_colored_rect(side, colour);
        }
    }
}

/// Adds a dashed frame along the inside of a square to a mesh. A dash bends around each corner.
pub fn add_dashes(mesh: &mut Mesh, rect: Rect, width: f32, colour: Color32) {
    let side = rect.width();
    let n = (side / 12.0).round().clamp(3.0, 9.0);
    let step = side / n;
    for i in 0..=n as usize {
        let from = (i as f32 - 0.28) * step;
        let (a, b) = (from.max(0.0), (from + 0.56 * step).min(side));
        let Rect { min, max } = rect;
        let across = |y: f32| Rect::from_min_max(pos2(min.x + a, y), pos2(min.x + b, y + width));
        let down = |x: f32| Rect::from_min_max(pos2(x, min.y + a), pos2(x + width, min.y + b));
        for dash in [across(min.y), across(max.y - width), down(min.x), down(max.x - width)] {
            mesh.add_colored_rect(dash, colour);
        }
    }
}
