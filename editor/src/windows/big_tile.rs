//! A large tile with the names of its zones and the places for pieces. It opens automatically if
//! the tile is too small on the board.

use art::{TileVariant, ZoneShape};
use egui::{
    Align2, Color32, Context, FontId, Id, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, Window, pos2,
    vec2,
};
use table::{Answer, Facing, OptionView, PlacedTile, Spot, TagView, Target, TileIdx, ZoneRef};

use super::place;
use crate::actions::Action;
use crate::ghost_tile;
use crate::panels::choices::open_options;
use crate::panels::tags::tags_ui;
use crate::panels::widgets::{mod_and_name, paint_picture, piece_subject, request_on_click};
use crate::ui_context::UiContext;
use crate::view_state::{SmallTile, Windows};

/// The side of the tile, in points.
const SIDE: f32 = 300.0;

/// The size of the tile when it opens automatically: the largest side in points, and the side as a
/// fraction of the board's height.
const AUTOMATIC_SIDE: (f32, f32) = (250.0, 0.48);

/// The width of a place for a piece, in points.
const SPOT_WIDTH: f32 = 34.0;

/// The tile that the window shows large.
#[derive(Clone, Copy)]
struct BigTile {
    tile: TileIdx,
    facing: Facing,
    /// The placed tile, if it is on the board.
    placed: Option<PlacedTile>,
}

/// Draws the window if the user has opened it. Otherwise, draws a large tile if the tile is too
/// small on the board for the marks of its choices. Does not draw this tile if another window is
/// open, or if the user has closed it at the current position.
pub fn big_tile(ctx: &Context, cx: &mut UiContext<'_>) {
    if cx.view_state.windows.big_tile {
        tile_with_text(ctx, cx);
        return;
    }
    if let Some(small) = small_tile_shown_large(cx) {
        auto_opened_tile(ctx, cx, small);
    }
}

/// Returns the small tile that is drawn large automatically; `None` if there is none, if a window
/// is open, or if the user has closed the large view.
pub fn small_tile_shown_large(cx: &UiContext<'_>) -> Option<SmallTile> {
    let is_wanted = cx.view_state.windows == Windows::default();
    let is_closed = cx.view_state.closed_at == Some(cx.session.revision());
    cx.view_state.small_tile.filter(|_| is_wanted && !is_closed)
}

/// Draws the large tile without the window, in a corner of the board.
fn auto_opened_tile(ctx: &Context, cx: &mut UiContext<'_>, small: SmallTile) {
    let Some(big) = drawn_tile(cx) else { return };
    let (most, part) = AUTOMATIC_SIDE;
    let side = (small.board.height() * part).clamp(120.0, most);
    let spots: Vec<Spot> = cx.session.view().tiles().iter().map(|tile| tile.spot).collect();
    let Some(rect) = best_corner(small, vec2(side + 14.0, side + 46.0), &spots) else { return };
    let mut is_open = true;
    let window = Window::new("Where?").id(Id::unique("tile by itself")).open(&mut is_open).fixed_pos(rect.min);
    window.fixed_size(Vec2::splat(side + 14.0)).collapsible(false).show(ctx, |ui| {
        picture(ui, cx, big, side, false);
    });
    if !is_open {
        cx.view_state.closed_at = Some(cx.session.revision());
    }
}

/// Returns the rectangle of a large view of `size` in a corner of the board. Prefers a corner
/// beside the small tile, then one where the view covers the fewest tiles, then one far from the
/// small tile. `spots` are the spots of all tiles on the board.
fn best_corner(small: SmallTile, size: Vec2, spots: &[Spot]) -> Option<Rect> {
    let room = small.board.shrink(10.0);
    let corners = [Align2::RIGHT_BOTTOM, Align2::LEFT_BOTTOM, Align2::LEFT_TOP, Align2::RIGHT_TOP];
    let rects = corners.map(|corner| corner.align_size_within_rect(size, room));
    let tile_on = |spot: &Spot| {
        let (x, y) = (f32::from(spot.x) - f32::from(small.spot.x), f32::from(spot.y) - f32::from(small.spot.y));
        small.tile.translate(vec2(x, y) * small.tile.width())
    };
    let n_covered = |rect: &Rect| spots.iter().filter(|spot| tile_on(spot).intersects(*rect)).count();
    let key = |rect: &Rect| (rect.intersects(small.tile), n_covered(rect));
    let distance = |rect: &Rect| (rect.center() - small.tile.center()).length();
    rects.into_iter().min_by(|a, b| key(a).cmp(&key(b)).then(distance(b).total_cmp(&distance(a))))
}

/// Draws the tile with its name, its tags and its zones.
fn tile_with_text(ctx: &Context, cx: &mut UiContext<'_>) {
    let mut is_open = true;
    let window = Window::new("Tile").open(&mut is_open).resizable(false).collapsible(false);
    window.default_pos(place::beside_middle(ctx, vec2(540.0, 340.0)).min).show(ctx, |ui| {
        let Some(big) = drawn_tile(cx) else {
            ui.weak("No tile on the board, and none drawn.");
            return;
        };
        ui.horizontal_top(|ui| {
            let pointed = picture(ui, cx, big, SIDE, true);
            ui.vertical(|ui| {
                ui.set_width(210.0);
                about(ui, cx, big, pointed);
            });
        });
    });
    cx.view_state.windows.big_tile &= is_open;
}

/// Returns the drawn tile if it is not placed yet. Otherwise, returns the tile of this part of the
/// turn or, if there is none, the last placed tile. Returns `None` if there is no tile.
fn drawn_tile(cx: &UiContext<'_>) -> Option<BigTile> {
    if let Some(tile) = ghost_tile::tile(cx.session) {
        return Some(BigTile { tile, facing: cx.view_state.facing, placed: None });
    }
    let view = cx.session.view();
    // When the user deploys a piece, the tile of this part of the turn may not be the last placed
    // tile.
    let placed = view.tile_of_part().or_else(|| view.tiles().last().map(|t| **t))?;
    Some(BigTile { tile: placed.tile, facing: placed.facing, placed: Some(placed) })
}

/// Draws the tile, `side` points wide. Returns the zone under the pointer, if any. If `with_names`
/// is false, shows the name of this zone only.
fn picture(ui: &mut Ui, cx: &mut UiContext<'_>, big: BigTile, side: f32, with_names: bool) -> Option<usize> {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    let name = cx.session.view().tiles_declared().name(big.tile);
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Tile {name}, large")));
    let complete = big.placed.map_or(0, |placed| pictures::complete_zones(cx.session.view(), &placed));
    let look = TileVariant { copy: 0, complete };
    let texture = cx.pictures.tile(ui.ctx(), big.tile, big.facing, look, side);
    paint_picture(ui.painter(), texture, rect, Color32::WHITE);
    let painter = cx.pictures.painter().clone();
    let zones = painter.zones(big.tile, big.facing);
    let on_tile = |p: Pos2| [(p.x - rect.left()) / side, (p.y - rect.top()) / side];
    let over = response.hover_pos().and_then(|p| painter.zone_at(big.tile, big.facing, on_tile(p)));
    for (z, zone) in zones.iter().enumerate() {
        outline(ui, zone, rect, over == Some(z));
    }
    for (z, zone) in zones.iter().enumerate().filter(|(z, _)| with_names || over == Some(*z)) {
        let name = cx.session.view().tiles_declared().zone_name(big.tile, big.facing, z);
        draw_zone_name(ui, zone, rect, &name, over == Some(z));
    }
    if let (Some(placed), Some(z)) = (big.placed, over) {
        cx.view_state.highlight(Target::Zone(placed.zone(z)));
    }
    if let Some(placed) = big.placed {
        spots(ui, cx, placed, zones, rect);
    }
    over
}

fn point(rect: Rect, [x, y]: [f32; 2]) -> Pos2 {
    rect.min + vec2(x, y) * rect.width()
}

fn outline(ui: &Ui, zone: &ZoneShape, rect: Rect, is_over: bool) {
    for contour in &zone.outline {
        let points: Vec<Pos2> = contour.iter().map(|p| point(rect, *p)).collect();
        let (dark, light) =
            (Color32::from_black_alpha(170), Color32::from_white_alpha(if is_over { 255 } else { 215 }));
        let width = if is_over { 5.5 } else { 3.2 };
        ui.painter().add(Shape::closed_line(points.clone(), Stroke::new(width, dark)));
        ui.painter().add(Shape::closed_line(points, Stroke::new(width * 0.5, light)));
    }
}

/// Draws the name of a zone on a dark plate, below the place for a piece.
fn draw_zone_name(ui: &Ui, zone: &ZoneShape, rect: Rect, name: &str, is_over: bool) {
    let Some(place) = zone.places.first() else { return };
    let size = if is_over { 13.0 } else { 11.5 };
    let galley = ui.painter().layout_no_wrap(name.to_owned(), FontId::proportional(size), Color32::WHITE);
    let plate = galley.size() + vec2(8.0, 3.0);
    let centre = point(rect, *place) + vec2(0.0, 22.0);
    let half = plate / 2.0;
    let centre = centre.clamp(rect.min + half, rect.max - half);
    let plate = Rect::from_center_size(centre, plate);
    ui.painter().rect_filled(plate, 4.0, Color32::from_black_alpha(190));
    ui.painter().galley(plate.min + vec2(4.0, 1.5), galley, Color32::WHITE);
}

/// Draws the options of the open decision that belong to zones of this tile. A click chooses an
/// option.
fn spots(ui: &mut Ui, cx: &mut UiContext<'_>, placed: PlacedTile, zones: &[ZoneShape], rect: Rect) {
    let all = open_options(ui.ctx(), cx);
    let here = |zone: ZoneRef| cx.session.view().tile_of_zone(zone).spot == placed.spot;
    let of_tile: Vec<(ZoneRef, usize)> = all
        .iter()
        .enumerate()
        .filter_map(|(i, shown)| match shown.first_target() {
            Some(Target::Zone(zone)) if here(*zone) => Some((*zone, i)),
            _ => None,
        })
        .collect();
    let centre = |(k, (zone, _)): (usize, &(ZoneRef, usize))| {
        let place = zones.get(placed.local_index(*zone)).and_then(|z| z.places.first()).copied().unwrap_or([0.5, 0.5]);
        let n = of_tile.iter().filter(|(z, _)| z == zone).count();
        let k = of_tile[..k].iter().filter(|(z, _)| z == zone).count();
        point(rect, place) + vec2((k as f32 - (n - 1) as f32 / 2.0) * SPOT_WIDTH, -4.0)
    };
    let mut centres: Vec<Pos2> = of_tile.iter().enumerate().map(centre).collect();
    spread(&mut centres, SPOT_WIDTH + 1.0, rect.shrink(SPOT_WIDTH / 2.0));
    for ((_, i), centre) in of_tile.iter().zip(centres) {
        option_button(ui, cx, &all[*i], centre, *i);
    }
}

/// Moves points apart until any two have a distance of at least `apart`. Keeps the points within
/// `room`, so that they may remain closer.
fn spread(points: &mut [Pos2], apart: f32, room: Rect) {
    for _ in 0..80 {
        let mut has_moved = false;
        for i in 0..points.len() {
            for j in 0..i {
                let between = points[i] - points[j];
                if between.length() < apart - 0.5 {
                    // Moves points at one place in different directions.
                    let way = if between.length() > 0.01 { between.normalized() } else { Vec2::angled(i as f32) };
                    let push = way * (apart - between.length()) * 0.5;
                    points[i] += push;
                    points[j] -= push;
                    has_moved = true;
                }
            }
        }
        points.iter_mut().for_each(|p| *p = p.clamp(room.min, room.max));
        if !has_moved {
            return;
        }
    }
}

/// Draws an option that belongs to a zone. `i` is its index among all options; it determines the
/// key of the option.
fn option_button(ui: &mut Ui, cx: &mut UiContext<'_>, shown: &OptionView, centre: Pos2, i: usize) {
    let rect = Rect::from_center_size(centre, Vec2::splat(SPOT_WIDTH));
    let response = ui.interact(rect, ui.scope_id().with(("spot", i)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Large: {}", shown.label)));
    let is_over = response.hovered() || response.has_focus();
    let rim = Stroke::new(if is_over { 3.0 } else { 1.5 }, Color32::WHITE);
    ui.painter().circle(centre, 17.0, Color32::from_black_alpha(if is_over { 170 } else { 110 }), rim);
    if let Answer::Deploy { kind, .. } = shown.answer {
        let what = piece_subject(cx, kind, cx.session.view().asked_seat());
        let texture = cx.pictures.get(ui.ctx(), what, 26.0);
        paint_picture(ui.painter(), texture, Rect::from_center_size(centre, Vec2::splat(26.0)), Color32::WHITE);
    } else {
        let font = FontId::proportional(14.0);
        ui.painter().text(pos2(centre.x, centre.y), Align2::CENTER_CENTER, i + 1, font, Color32::WHITE);
    }
    if i < 9 && matches!(shown.answer, Answer::Deploy { .. }) {
        let at = centre + vec2(12.0, -11.0);
        ui.painter().circle(at, 7.0, Color32::from_gray(20), Stroke::new(1.0, Color32::WHITE));
        ui.painter().text(at, Align2::CENTER_CENTER, i + 1, FontId::proportional(10.5), Color32::WHITE);
    }
    if is_over {
        shown.targets.iter().for_each(|t| cx.view_state.highlight(t.clone()));
    }
    request_on_click(cx, &response, Action::Answer(shown.answer));
    response.on_hover_text(format!("{}\n{}", shown.label, shown.about));
}

/// Draws the name, the mod, the tags, and each zone with the zones that it touches.
fn about(ui: &mut Ui, cx: &mut UiContext<'_>, big: BigTile, pointed: Option<usize>) {
    let session = cx.session;
    let view = session.view();
    let tiles = view.tiles_declared();
    let name = tiles.name(big.tile);
    ui.strong(name);
    ui.weak(mod_and_name(session, name).0);
    ui.label(match big.placed {
        Some(placed) => format!("lies at {}, turned {}°", placed.spot, placed.facing),
        None => format!("not placed yet, turned {}°", big.facing),
    });
    tags_ui(ui, cx, &tiles.tags(big.tile));
    ui.separator();
    for (z, zone) in tiles.zones(big.tile, big.facing).into_iter().enumerate() {
        let tags: Vec<String> = zone.tags.iter().map(TagView::label).collect();
        let tags = if tags.is_empty() { String::new() } else { format!(" ({})", tags.join(", ")) };
        let text = egui::RichText::new(format!("{}{tags}", zone.name));
        let label = ui.label(if pointed == Some(z) { text.strong() } else { text });
        if !zone.touches.is_empty() {
            ui.indent(("touches", z), |ui| ui.small(format!("touches {}", zone.touches.join(", "))));
        }
        let Some(placed) = big.placed else { continue };
        if label.hovered() {
            cx.view_state.highlight(Target::Zone(placed.zone(z)));
        }
        if let Some(feature) = view.feature_of(placed.zone(z)) {
            label.on_hover_text(table::describe_feature(view, feature));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// Returns the corner of a board of 1000 by 600 points that a large view of 250 by 280 points
    /// takes: `NW`, `NE`, `SE` or `SW`. Tiles are 50 points wide. `small` is the spot of the small
    /// tile, counted from the north-western corner of the board, and `others` are further tiles.
    fn corner(small: (i16, i16), others: &[(i16, i16)]) -> &'static str {
        let board = Rect::from_min_size(pos2(30.0, 40.0), vec2(1000.0, 600.0));
        let tile =
            Rect::from_min_size(board.min + vec2(f32::from(small.0), f32::from(small.1)) * 50.0, Vec2::splat(50.0));
        let spots: Vec<Spot> = others.iter().chain([&small]).map(|(x, y)| Spot::new(*x, *y)).collect();
        let small = SmallTile { spot: Spot::new(small.0, small.1), tile, board };
        let rect = best_corner(small, vec2(250.0, 280.0), &spots).unwrap();
        assert!(board.contains_rect(rect), "{rect}");
        match (rect.center().x < board.center().x, rect.center().y < board.center().y) {
            (true, true) => "NW",
            (false, true) => "NE",
            (false, false) => "SE",
            (true, false) => "SW",
        }
    }

    #[test]
    fn the_large_view_takes_the_corner_that_hides_least() {
        // If no corner has tiles, it is the corner farthest from the small tile.
        assert_eq!([corner((8, 5), &[]), corner((11, 5), &[])], ["SE", "SW"]);
        assert_eq!([corner((8, 6), &[]), corner((11, 6), &[])], ["NE", "NW"]);
        // Corners with tiles come last, the corner with the fewest tiles first.
        assert_eq!(corner((8, 5), &[(17, 10), (18, 10)]), "NE");
        assert_eq!(corner((8, 5), &[(17, 10), (18, 10), (17, 2)]), "SW");
        assert_eq!(corner((8, 5), &[(17, 10), (18, 10), (17, 2), (1, 10), (2, 10), (1, 1), (2, 1)]), "NE");
        // The small tile stays visible, even if all other corners hide more tiles.
        let three_corners: Vec<(i16, i16)> = (15..19).flat_map(|x| [(x, 1), (x, 10), (x - 14, 10)]).collect();
        assert_eq!(corner((9, 5), &three_corners), "NW");
        assert_ne!(corner((2, 2), &three_corners), "NW");
    }

    #[test]
    fn spots_do_not_hide_each_other() {
        let room = Rect::from_min_size(pos2(0.0, 0.0), vec2(230.0, 230.0));
        let mut points = vec![pos2(20.0, 20.0); 9];
        points.extend([pos2(21.0, 30.0), pos2(200.0, 200.0), pos2(210.0, 205.0)]);
        spread(&mut points, 35.0, room);
        for (i, a) in points.iter().enumerate() {
            assert!(room.contains(*a), "{a:?}");
            assert!(points[..i].iter().all(|b| (*a - *b).length() > 30.0), "{points:?}");
        }
    }
}
