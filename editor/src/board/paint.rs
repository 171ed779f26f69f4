//! Paints the tiles and everything on them.

use art::Symbol;
use egui::epaint::Mesh;
use egui::{Color32, Pos2, Rect, Shape, Stroke, TextureId, Vec2, vec2};
use rustc_hash::FxHashMap;
use table::{PieceRef, PilePlace, Spot};

use super::board_cache::{BoardCache, Figure, piece_position};
use super::camera::{middle, square};
use super::scene::{CHIP_COLOUR, Scene, WHOLE_TEXTURE, add_frame, add_frame_sides, colour, text_colour_on};
use crate::panels::widgets::paint_symbol;
use crate::pictures::PictureSubject;
use crate::ui_context::UiContext;

/// The width of a tile on the screen, in points, below which the board omits rims, shadows and the
/// icons of changed tags, because they would be too small to see.
const PLAIN_BELOW: f32 = 22.0;

/// The maximum length, in tiles, of each half of a bridge that crosses a border.
const MAX_BRIDGE_HALF: f32 = 0.22;

/// Quads grouped by texture, so that tiles with the same picture are drawn together.
#[derive(Default)]
struct QuadsByTexture {
    numbers: FxHashMap<TextureId, usize>,
    meshes: Vec<Mesh>,
}

impl QuadsByTexture {
    fn add(&mut self, texture: TextureId, rect: Rect) {
        let number = *self.numbers.entry(texture).or_insert(self.meshes.len());
        if number == self.meshes.len() {
            self.meshes.push(Mesh::with_texture(texture));
        }
        self.meshes[number].add_rect_with_uv(rect, WHOLE_TEXTURE, Color32::WHITE);
    }
}

/// Draws all visible tiles, with shadows and a dark rim along the outline of the board. The last
/// placed tile is slightly raised; if `with_last` is false, it is not drawn.
pub fn draw_tiles(scene: &Scene<'_>, cx: &mut UiContext<'_>, cache: &BoardCache, with_last: bool) {
    let camera = &scene.camera;
    let tiles = scene.view.tiles();
    let ctx = scene.screen.ctx();
    let ground = colour(scene.art.palette().ground);
    let rim = colour(scene.art.palette().rim).gamma_multiply(0.3);
    let is_plain = camera.zoom < PLAIN_BELOW;
    let (mut shadows, mut rims, mut flat) = (Mesh::default(), Mesh::default(), Mesh::default());
    let mut sheets = QuadsByTexture::default();
    let width = (camera.zoom * 0.007).max(0.7);
    for (i, placed) in tiles.iter().enumerate() {
        let rect = camera.spot_rect(placed.spot);
        // The last tile is drawn after this loop, above all other tiles.
        if !camera.drawn.intersects(rect) || i + 1 == tiles.len() {
            continue;
        }
        match cx.pictures.tile(ctx, placed.tile, placed.facing, cache.look(i), camera.zoom) {
            Some(texture) => sheets.add(texture, rect),
            None => flat.add_colored_rect(rect, ground),
        }
        let free_edges = cache.free_edges.get(i).copied().unwrap_or_default();
        if !is_plain && free_edges != 0 {
            for (down, grow, alpha) in [(0.05, 0.05, 26), (0.025, 0.012, 70)] {
                let shadow = rect.translate(vec2(0.0, camera.zoom * down)).expand(camera.zoom * grow);
                shadows.add_colored_rect(shadow, Color32::from_black_alpha(alpha));
            }
            add_frame_sides(&mut rims, rect, width, rim, free_edges);
        }
    }
    let meshes = [shadows, flat].into_iter().chain(sheets.meshes).chain([rims]);
    scene.screen.extend(meshes.filter(|m| !m.is_empty()).map(Shape::mesh));
    if with_last {
        draw_last_tile(scene, cx, cache, 0.0);
    }
}

/// Draws the last placed tile. `height` is its height over the board; it falls from 1 to 0 while
/// the tile drops.
pub fn draw_last_tile(scene: &Scene<'_>, cx: &mut UiContext<'_>, cache: &BoardCache, height: f32) {
    let tiles = scene.view.tiles();
    let Some(placed) = tiles.last().filter(|t| scene.camera.is_visible(t.spot)) else { return };
    let zoom = scene.camera.zoom;
    // A single tile is the start tile, which no player has placed, so it is not raised.
    let lift = if tiles.len() > 1 { zoom * 0.014 } else { 0.0 };
    let rect = scene.camera.spot_rect(placed.spot);
    for (grow, alpha) in [(0.03, 30), (0.018, 45), (0.006, 60)] {
        let shadow = rect.translate(vec2(0.0, zoom * (0.03 + 0.16 * height))).expand(zoom * (grow + 0.05 * height));
        scene.screen.rect_filled(shadow, zoom * 0.03, Color32::from_black_alpha(alpha));
    }
    // Expands the tile with its height, so that it always covers its spot.
    let rect = rect.expand(lift + zoom * 0.13 * height).translate(vec2(0.0, -zoom * 0.12 * height));
    let look = cache.look(tiles.len() - 1);
    match cx.pictures.tile(scene.screen.ctx(), placed.tile, placed.facing, look, zoom) {
        Some(texture) => scene.picture(texture, rect, Color32::WHITE),
        None => {
            scene.screen.rect_filled(rect, 0.0, colour(scene.art.palette().ground));
        }
    }
    let mut rim = Mesh::default();
    add_frame(&mut rim, rect, (zoom * 0.008).max(0.8), colour(scene.art.palette().rim).gamma_multiply(0.35));
    scene.screen.add(Shape::mesh(rim));
}

/// Draws corner marks on each player's last tile, except an unconfirmed tile, which has a frame.
pub fn draw_corner_marks(scene: &Scene<'_>, cx: &UiContext<'_>, cache: &BoardCache) {
    let zoom = scene.camera.zoom;
    let is_marked = |spot: &Spot| scene.camera.is_visible(*spot) && cache.proposal != Some(*spot);
    for (seat, spot) in cache.last_laid.iter().rev().filter(|(_, spot)| is_marked(spot)) {
        let rect = scene.camera.spot_rect(*spot).shrink(zoom * 0.025);
        let arm = (zoom * 0.13).max(4.0);
        let width = (zoom * 0.026).clamp(1.5, 5.0);
        let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()];
        let inwards = [vec2(1.0, 1.0), vec2(-1.0, 1.0), vec2(-1.0, -1.0), vec2(1.0, -1.0)];
        // A white outline separates the seat's colour from the colours of the tile; a very light
        // colour has a black one.
        let seat_colour = cx.colour(*seat);
        let is_very_light = seat_colour.intensity() > 0.75;
        let rim = if is_very_light { Color32::from_gray(16) } else { Color32::WHITE }.gamma_multiply(0.85);
        for (stroke, more) in [(Stroke::new(width + 2.0, rim), 1.0), (Stroke::new(width, seat_colour), 0.0)] {
            for (corner, inward) in corners.iter().zip(inwards) {
                let end = arm + more;
                let points = vec![*corner + vec2(inward.x * end, 0.0), *corner, *corner + vec2(0.0, inward.y * end)];
                scene.screen.add(Shape::line(points, stroke));
            }
        }
    }
}

/// The smallest width of a piece, in pixels, at which the user can recognise its kind and seat.
const MIN_PIECE_WIDTH: f32 = 17.0;

/// The width of a piece, in pixels, below which it shows the symbol of its seat enlarged.
const SMALL_PIECE_WIDTH: f32 = 30.0;

/// Returns the width of a piece in points. `zoom` is the width of a tile in points.
pub fn figure_size(zoom: f32, pixels_per_point: f32) -> f32 {
    // On small tiles, a piece is narrower than its tile, so that pieces do not hide each other.
    let least = (MIN_PIECE_WIDTH / pixels_per_point).min(zoom * 0.9);
    (zoom * 0.34).clamp(least, 150.0)
}

/// Returns the rectangle of a piece, in points of the screen.
pub fn figure_rect(scene: &Scene<'_>, figure: &Figure) -> Rect {
    let size = figure_size(scene.camera.zoom, scene.screen.ctx().pixels_per_point());
    Rect::from_center_size(scene.camera.to_screen(figure.middle), Vec2::splat(size))
}

/// Draws all visible pieces except those for which `is_moving` returns true.
pub fn draw_figures(
    scene: &Scene<'_>,
    cx: &mut UiContext<'_>,
    cache: &BoardCache,
    is_moving: impl Fn(PieceRef) -> bool,
) {
    for figure in cache.figures.iter().filter(|figure| !is_moving(figure.piece)) {
        let rect = figure_rect(scene, figure);
        if scene.camera.drawn.intersects(rect) {
            draw_piece(scene, cx, &figure.what, rect, 1.0);
        }
    }
}

/// Draws a piece, or a disc until the picture of the piece is ready. On a small piece, enlarges the
/// symbol of its seat.
pub fn draw_piece(scene: &Scene<'_>, cx: &mut UiContext<'_>, what: &PictureSubject, rect: Rect, opacity: f32) {
    let PictureSubject::Piece(name, pose, [r, g, b], symbol) = what else { return };
    let ctx = scene.screen.ctx();
    let is_small = rect.width() * ctx.pixels_per_point() < SMALL_PIECE_WIDTH;
    let shown =
        if is_small { PictureSubject::Piece(name.clone(), *pose, [*r, *g, *b], Symbol::None) } else { what.clone() };
    let fill = Color32::from_rgb(*r, *g, *b);
    let ink = if *symbol == Symbol::None { Color32::BLACK } else { text_colour_on(fill) };
    match cx.pictures.get(ctx, shown, rect.width()) {
        Some(texture) => scene.picture(texture, rect, Color32::WHITE.gamma_multiply(opacity)),
        None => {
            let radius = rect.width() * 0.42;
            scene.screen.circle(rect.center(), radius, fill.gamma_multiply(opacity), Stroke::new(1.2, ink));
        }
    }
    if is_small && *symbol != Symbol::None {
        let chest = rect.center() + vec2(0.0, rect.height() * 0.1);
        paint_symbol(&scene.screen, *symbol, chest, rect.width() * 0.17, ink.gamma_multiply(opacity));
    }
}

/// Draws the piles on spots and borders.
pub fn draw_piles(scene: &Scene<'_>, cx: &mut UiContext<'_>) {
    let size = (scene.camera.zoom * 0.3).clamp(9.0, 96.0);
    let piles: Vec<(PilePlace, &str, u32)> = scene.view.piles().collect();
    for (i, (place, name, amount)) in piles.iter().enumerate() {
        let is_visible = match place {
            PilePlace::Spot(spot) => scene.camera.is_visible(*spot),
            PilePlace::Border(border) => border.spots().any(|spot| scene.camera.is_visible(spot)),
        };
        if *amount == 0 || !is_visible {
            continue;
        }
        let n_before = piles[..i].iter().filter(|(other, _, n)| other == place && *n > 0).count();
        let across = 0.26 * (n_before % 3) as f32;
        let place = match place {
            PilePlace::Spot(spot) => square(*spot).min + vec2(0.8 - across, 0.8),
            PilePlace::Border(border) => {
                let along = if border.is_west { vec2(0.0, 0.26 - across) } else { vec2(0.26 - across, 0.0) };
                middle(*border) + along
            }
        };
        let middle = scene.camera.to_screen(place);
        let rect = Rect::from_center_size(middle, Vec2::splat(size));
        let what = PictureSubject::Pile((*name).to_owned());
        scene.screen.circle_filled(middle + vec2(0.0, size * 0.05), size * 0.46, Color32::from_black_alpha(90));
        if let Some(texture) = cx.pictures.get(scene.screen.ctx(), what, size) {
            scene.picture(texture, rect, Color32::WHITE);
        }
        if scene.camera.zoom >= 40.0 {
            let text = amount.to_string();
            scene.badge(rect.right_bottom() - vec2(size * 0.1, size * 0.15), text, size * 0.36, CHIP_COLOUR);
        }
    }
}

/// Draws links between zones.
///
/// - A link within a tile is a dotted line with an icon, if a tag of the tile has an icon for
///   links. Otherwise it is a bridge.
/// - A link across a border is a short bridge over the border.
/// - Any other link between tiles is a dashed line.
pub fn draw_links(scene: &Scene<'_>, cx: &mut UiContext<'_>) {
    let width = scene.camera.zoom * 0.05;
    for zones in scene.view.links() {
        let tiles = zones.map(|zone| *scene.view.tile_of_zone(zone));
        let spots = tiles.map(|tile| tile.spot);
        let across = scene.view.border_of_link(zones).map(middle);
        let ends = zones.map(|zone| {
            let end = piece_position(&scene.art, scene.view, zone, 0);
            let end = across.map_or(end, |middle| {
                let way = end - middle;
                middle + way * (MAX_BRIDGE_HALF / way.length()).min(1.0)
            });
            scene.camera.to_screen(end)
        });
        if !scene.camera.drawn.intersects(Rect::from_two_pos(ends[0], ends[1]).expand(scene.camera.zoom)) {
            continue;
        }
        if let Some(tag) = scene.art.link_tag(tiles[0].tile).filter(|_| spots[0] == spots[1]) {
            draw_link(scene, cx, ends, scene.camera.spot_rect(spots[0]).center(), PictureSubject::Link(tag.to_owned()));
            continue;
        }
        let (deck, rail) = (Color32::from_rgb(0xc9, 0xa2, 0x6a), Color32::from_rgb(0x4c, 0x35, 0x1d));
        if spots[0] == spots[1] || across.is_some() {
            scene.screen.line_segment(ends, Stroke::new(width * 1.9, rail));
            scene.screen.line_segment(ends, Stroke::new(width * 1.3, deck));
            draw_planks(scene, ends, width, rail);
        } else {
            for (width, colour) in [(width * 1.3, rail), (width * 0.8, deck)] {
                let dash = scene.camera.zoom * 0.12;
                scene.screen.extend(Shape::dashed_line(&ends, Stroke::new(width, colour), dash, dash));
            }
        }
        for end in ends {
            scene.screen.circle(end, width, deck, Stroke::new(width * 0.3, rail));
        }
    }
}

/// Draws a dotted line from `a` to `b`, bent towards `bend`, with a picture in its middle.
fn draw_link(scene: &Scene<'_>, cx: &mut UiContext<'_>, [a, b]: [Pos2; 2], bend: Pos2, what: PictureSubject) {
    let zoom = scene.camera.zoom;
    let at = |t: f32| {
        (a.to_vec2() * (1.0 - t) * (1.0 - t) + bend.to_vec2() * 2.0 * t * (1.0 - t) + b.to_vec2() * t * t).to_pos2()
    };
    let n = 11;
    for i in 0..=n {
        let radius = (zoom * 0.018).max(1.0);
        let rim = Stroke::new((radius * 0.4).max(0.5), Color32::from_black_alpha(170));
        scene.screen.circle(at(i as f32 / n as f32), radius, Color32::WHITE, rim);
    }
    let size = zoom * 0.27;
    let rect = Rect::from_center_size(at(0.5), Vec2::splat(size));
    if let Some(texture) = cx.pictures.get(scene.screen.ctx(), what, size) {
        scene.picture(texture, rect, Color32::WHITE);
    }
}

fn draw_planks(scene: &Scene<'_>, [a, b]: [Pos2; 2], width: f32, colour: Color32) {
    let along = b - a;
    let n = (along.length() / (width * 1.4)).floor().clamp(1.0, 24.0) as usize;
    let across = along.normalized().rot90() * width * 0.65;
    for i in 1..n {
        let at = a + along * (i as f32 / n as f32);
        scene.screen.line_segment([at - across, at + across], Stroke::new((width * 0.16).max(0.6), colour));
    }
}

/// Draws the icons of tags that changed during play. The icon of a removed tag is crossed out.
pub fn draw_changed_tags(scene: &Scene<'_>, cx: &mut UiContext<'_>, cache: &BoardCache) {
    let size = (scene.camera.zoom * 0.2).clamp(8.0, 64.0);
    for change in &cache.changes {
        let middle = scene.camera.to_screen(change.middle);
        if scene.camera.zoom < PLAIN_BELOW || !scene.camera.drawn.contains(middle) {
            continue;
        }
        let paper = Color32::from_rgba_unmultiplied(250, 246, 232, 225);
        let rim = Stroke::new(1.0, Color32::from_black_alpha(190));
        scene.screen.circle(middle, size * 0.62, paper, rim);
        let rect = Rect::from_center_size(middle, Vec2::splat(size));
        if let Some(texture) = cx.pictures.get(scene.screen.ctx(), change.what.clone(), size) {
            scene.picture(texture, rect, Color32::WHITE);
        }
        if change.is_gone {
            let ends = [rect.left_bottom(), rect.right_top()];
            scene.screen.line_segment(ends, Stroke::new((size * 0.12).max(1.5), Color32::from_rgb(170, 30, 30)));
        }
    }
}

/// After a rule change, draws the old and the new points of each turn that scores differently.
pub fn draw_changed_points(scene: &Scene<'_>) {
    let amber = Color32::from_rgb(240, 190, 90);
    let size = (scene.camera.zoom * 0.16).clamp(10.0, 15.0);
    for change in scene.session.changes().iter().flat_map(|changes| &changes.list) {
        let mut features = change.new.iter().chain(&change.old).filter_map(|award| award.feature);
        let Some(feature) = features.find(|feature| scene.view.has_feature(*feature)) else { continue };
        let middle = scene.camera.to_screen(piece_position(&scene.art, scene.view, feature.anchor, 0));
        if change.step < scene.session.position_index() && scene.camera.drawn.contains(middle) {
            let (old, new) = change.points.iter().fold((0, 0), |sum, (_, old, new)| (sum.0 + old, sum.1 + new));
            scene.badge(middle, format!("{old} » {new}"), size, amber);
        }
    }
}

/// Draws a frame and the player's name on each spot at which a player points, in a game with
/// guests.
pub fn pointings(scene: &Scene<'_>, cx: &UiContext<'_>) {
    let Some(table) = cx.table else { return };
    for (seat, name, spot) in table.points() {
        let (rect, colour) = (scene.camera.spot_rect(spot), cx.colour(seat));
        scene.frame(rect, colour, 4.0);
        scene.badge(rect.center(), name, 14.0, colour);
        // Requests frames so that the mark disappears after a few seconds.
        scene.screen.ctx().request_repaint_after(std::time::Duration::from_millis(200));
    }
}
