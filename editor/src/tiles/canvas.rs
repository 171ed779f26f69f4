//! The drawing area of the designer: the tile with handles on its edges, and the tools that draw on
//! it.

use egui::{Color32, Pos2, Rect, Response, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2};
use table::{Edge, Facing, TileIdx, TileSet};
use workshop::{EdgeStyle, KindIdx, edge_style, kinds_of};

use super::document::{TileDocument, Tool};
use super::shelf_view::ModTilesView;
use crate::panels::widgets::paint_picture;
use crate::ui_context::UiContext;

/// The largest distance at which the pointer grips a handle, as a fraction of the tile's side.
const GRIP_RADIUS: f32 = 0.24;

/// Draws the tools and, below them, the tile with its handles in a square of `side` points.
pub fn canvas(ui: &mut Ui, cx: &mut UiContext<'_>, document: &mut TileDocument, view: &ModTilesView, side: f32) {
    let Some(tile_set) = view.tile_set() else { return };
    tools(ui, document, tile_set);
    let (outer, _) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    let rect = outer.shrink(11.0);
    paint_tile(ui, cx, document, rect, Facing::default());
    let id = ui.scope_id().with("canvas");
    let back = ui.interact(rect, id, Sense::click_and_drag());
    let is_wrong = document.drawn.tile_set().is_none();
    back.widget_info(|| WidgetInfo::labeled(Role::Image, true, "The tile"));
    let handles = Edge::ALL.map(|edge| {
        let at = handle_position(rect, edge);
        let response =
            ui.interact(Rect::from_center_size(at, Vec2::splat(24.0)), id.with(edge as usize), Sense::click_and_drag());
        let label = format!("Edge {}", edge.letter());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
        response
    });
    handle_pointer(document, tile_set, rect, &back, &handles);
    outline_chosen(ui, document, rect);
    for (edge, response) in Edge::ALL.into_iter().zip(&handles) {
        paint_handle(ui, document, tile_set, rect, edge, response);
    }
    paint_stroke(ui, document, rect);
    if is_wrong {
        let colour = crate::style::tone_colour(ui, crate::notifications::Tone::Bad);
        ui.painter().rect_stroke(rect.expand(2.0), 2.0, Stroke::new(2.0, colour), egui::StrokeKind::Outside);
    }
    for (edge, response) in Edge::ALL.into_iter().zip(handles) {
        let drawn = document.draft.drawn_at(tile_set, edge).map_or("ground", |(_, kind)| kind);
        response.on_hover_text(format!(
            "{drawn} here. Drag to another edge to connect both edges, or to the middle to end there."
        ));
    }
}

/// Draws the buttons that select a tool.
fn tools(ui: &mut Ui, document: &mut TileDocument, tile_set: &TileSet) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        if document.tool == Tool::Choose
            && let Some(kind) = kinds_of(tile_set, &[EdgeStyle::Full, EdgeStyle::Line]).first()
        {
            document.tool = Tool::Draw(tile_set.kind(*kind).name.clone());
        }
        for (i, kind) in kinds_of(tile_set, &[EdgeStyle::Full, EdgeStyle::Line]).into_iter().enumerate() {
            let (name, style) = (tile_set.kind(kind).name.clone(), tile_set.kind(kind).edge);
            let about = match style {
                EdgeStyle::Full => {
                    format!("Draws {name} along edges: click one, or drag over several to join them (key {}).", i + 1)
                }
                _ => format!("Draws {name} from edge to edge, or to the middle, where it ends (key {}).", i + 1),
            };
            let tool = Tool::Draw(name.clone());
            if ui.selectable_label(document.tool == tool, name).on_hover_text(about).clicked() {
                document.tool = tool;
            }
        }
        let erase = ui.selectable_label(document.tool == Tool::Erase, "erase");
        if erase.on_hover_text("Erase at an edge (key E).").clicked() {
            document.tool = Tool::Erase;
        }
        for kind in kinds_of(tile_set, &[EdgeStyle::Inside]) {
            let name = tile_set.kind(kind).name.clone();
            let mut is_there = document.draft.zones.iter().any(|zone| zone.kind == name);
            let about = format!("Adds {name} to the tile, or removes it.");
            if ui.toggle_value(&mut is_there, format!("+ {name}")).on_hover_text(about).clicked() {
                document.edit("", |draft| draft.toggle_inside(tile_set, &name));
            }
        }
    });
}

/// Returns the position of an edge's handle. `rect` is the rectangle of the tile.
pub(super) fn handle_position(rect: Rect, edge: Edge) -> Pos2 {
    match edge {
        Edge::North => rect.center_top(),
        Edge::East => rect.right_center(),
        Edge::South => rect.center_bottom(),
        Edge::West => rect.left_center(),
    }
}

/// Returns the edge whose handle the pointer grips at the point `at`, if any. `rect` is the
/// rectangle of the tile.
fn edge_at(rect: Rect, at: Pos2, tool: &Tool, tile_set: &TileSet) -> Option<Edge> {
    let is_full = matches!(tool, Tool::Draw(kind) if edge_style(tile_set, kind) == Some(EdgeStyle::Full));
    let near = Edge::ALL.into_iter().map(|edge| {
        let distance = match (is_full, edge) {
            // If the land fills the edge, the pointer grips it at any point of the edge.
            (true, Edge::North) => (at.y - rect.top()).abs(),
            (true, Edge::South) => (at.y - rect.bottom()).abs(),
            (true, Edge::East) => (at.x - rect.right()).abs(),
            (true, Edge::West) => (at.x - rect.left()).abs(),
            _ => handle_position(rect, edge).distance(at),
        };
        (distance / rect.width(), edge)
    });
    let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.filter(|(distance, _)| *distance < GRIP_RADIUS).map(|(_, edge)| edge)
}

/// Handles clicks and strokes of the pointer on the tile.
fn handle_pointer(
    document: &mut TileDocument,
    tile_set: &TileSet,
    rect: Rect,
    back: &Response,
    handles: &[Response; 4],
) {
    let all = || handles.iter().chain([back]);
    let tool = document.tool.clone();
    for (edge, response) in Edge::ALL.into_iter().zip(handles) {
        if response.clicked() {
            click_edge(document, tile_set, &tool, edge);
        }
    }
    if back.clicked()
        && let Some(at) = back.interact_pointer_pos()
    {
        let unit = (at - rect.min) / rect.size();
        let zone = document
            .drawn
            .painter
            .as_ref()
            .and_then(|it| it.painter().zone_at(TileIdx(0), Facing::default(), [unit.x, unit.y]));
        let set = document.drawn.tile_set();
        document.zone = zone.zip(set).map(|(zone, set)| set.zone_name(TileIdx(0), Facing::default(), zone));
    }
    if let Some(started) = all().find(|response| response.drag_started()) {
        let origin = started.ctx.input(|i| i.pointer.press_origin());
        let own = Edge::ALL.into_iter().zip(handles).find(|(_, it)| it.drag_started()).map(|(edge, _)| edge);
        let edge = own.or_else(|| origin.and_then(|at| edge_at(rect, at, &tool, tile_set)));
        document.stroke = edge.into_iter().map(|edge| edge as usize).collect();
    }
    if let Some(at) = all().find(|response| response.dragged()).and_then(Response::interact_pointer_pos)
        && let Some(edge) = edge_at(rect, at, &tool, tile_set)
        && !document.stroke.contains(&(edge as usize))
    {
        document.stroke.push(edge as usize);
    }
    if all().any(Response::drag_stopped) {
        let stroke: Vec<Edge> = std::mem::take(&mut document.stroke).into_iter().map(Edge::from_index).collect();
        finish_stroke(document, tile_set, &tool, &stroke);
    }
}

fn click_edge(document: &mut TileDocument, tile_set: &TileSet, tool: &Tool, edge: Edge) {
    let Tool::Draw(kind) = tool else {
        return document.edit("", |draft| draft.erase(tile_set, edge));
    };
    let there = document.draft.drawn_at(tile_set, edge);
    let is_there = there.is_some_and(|(_, drawn)| drawn == kind);
    match edge_style(tile_set, kind) {
        _ if is_there => document.edit("", |draft| draft.erase(tile_set, edge)),
        Some(EdgeStyle::Full) => document.edit("", |draft| draft.join(tile_set, kind, &[edge])),
        _ => document.edit("", |draft| draft.draw_to_middle(tile_set, kind, edge)),
    }
}

/// Ends a stroke. A drawing tool draws land that connects the edges of the stroke; a line with a
/// single edge leads to the middle of the tile. The eraser erases the land at these edges.
fn finish_stroke(document: &mut TileDocument, tile_set: &TileSet, tool: &Tool, stroke: &[Edge]) {
    match (tool, stroke) {
        (_, []) => {}
        (Tool::Draw(kind), [edge]) if edge_style(tile_set, kind) == Some(EdgeStyle::Line) => {
            document.edit("", |draft| draft.draw_to_middle(tile_set, kind, *edge));
        }
        (Tool::Draw(kind), edges) => document.edit("", |draft| draft.join(tile_set, kind, edges)),
        (_, edges) => document.edit("", |draft| edges.iter().for_each(|edge| draft.erase(tile_set, *edge))),
    }
}

/// Returns the colour of handles for a kind of land. The number of the kind selects the colour,
/// because themes have no single colour for a kind.
pub(super) fn kind_colour(kind: KindIdx) -> Color32 {
    const COLOURS: [[u8; 3]; 8] = [
        [196, 120, 60],
        [235, 228, 205],
        [150, 80, 150],
        [110, 165, 80],
        [70, 130, 200],
        [200, 70, 70],
        [90, 90, 90],
        [240, 190, 60],
    ];
    let [r, g, b] = COLOURS[usize::from(kind.0) % COLOURS.len()];
    Color32::from_rgb(r, g, b)
}

fn paint_handle(ui: &Ui, document: &TileDocument, tile_set: &TileSet, rect: Rect, edge: Edge, response: &Response) {
    let painter = ui.painter();
    let at = handle_position(rect, edge);
    let rim = Stroke::new(1.5, Color32::from_gray(30));
    let drawn = document.draft.drawn_at(tile_set, edge).and_then(|(_, kind)| tile_set.kind_named(kind));
    let fill = drawn.map_or(Color32::from_gray(245), kind_colour);
    let is_met = document.stroke.contains(&(edge as usize));
    let radius = if response.hovered() || is_met { 9.0 } else { 7.0 };
    painter.circle(at, radius, fill, rim);
    // Draws two smaller dots on the halves of the edge. They have the colour of the land if the
    // land fills the edge; otherwise, they are light grey.
    let along = match edge {
        Edge::North | Edge::South => vec2(rect.width() * 0.28, 0.0),
        _ => vec2(0.0, rect.height() * 0.28),
    };
    let is_full = drawn.is_some_and(|kind| tile_set.kind(kind).edge == EdgeStyle::Full);
    for half in [at - along, at + along] {
        let fill = if is_full { fill } else { Color32::from_gray(245) };
        painter.circle(half, 3.0, fill, Stroke::new(1.0, Color32::from_gray(30)));
    }
}

/// Draws the path of the stroke while the user drags.
fn paint_stroke(ui: &Ui, document: &TileDocument, rect: Rect) {
    if document.stroke.is_empty() {
        return;
    }
    let pointer = ui.ctx().pointer_latest_pos();
    let met = document.stroke.iter().map(|edge| handle_position(rect, Edge::from_index(*edge)));
    let points: Vec<Pos2> = met.chain(pointer.map(|at| pos2(at.x, at.y))).collect();
    let colour = ui.visuals().selection.stroke.color;
    ui.painter().add(egui::Shape::line(points, Stroke::new(4.0, colour.gamma_multiply(0.8))));
}

/// Outlines the selected zone.
fn outline_chosen(ui: &Ui, document: &TileDocument, rect: Rect) {
    let Some(zone) = document.selected_zone() else { return };
    let Some(other) = &document.drawn.painter else { return };
    let shapes = other.painter().zones(TileIdx(0), Facing::default());
    for contour in shapes.get(zone).map_or(&[][..], |shape| &shape.outline) {
        let points: Vec<Pos2> =
            contour.iter().map(|[x, y]| rect.min + vec2(x * rect.width(), y * rect.height())).collect();
        ui.painter().add(egui::Shape::closed_line(points.clone(), Stroke::new(3.5, Color32::from_black_alpha(160))));
        ui.painter().add(egui::Shape::closed_line(points, Stroke::new(1.5, Color32::WHITE)));
    }
}

/// Draws the tile. If the draft has errors, or if its new picture is not ready, draws the previous
/// picture.
pub(super) fn paint_tile(ui: &Ui, cx: &mut UiContext<'_>, document: &mut TileDocument, rect: Rect, facing: Facing) {
    let ctx = ui.ctx();
    let side = rect.width();
    let new = document.drawn.painter.clone();
    let texture = new.as_ref().and_then(|it| cx.pictures.tile_by(ctx, it, TileIdx(0), facing, side));
    let texture = match (texture, &document.shown) {
        (Some(texture), shown) => {
            if facing == Facing::default() && shown.as_ref().map(|it| it.number()) != new.as_ref().map(|it| it.number())
            {
                if let Some(old) = shown {
                    cx.pictures.discard_pictures_by(old);
                }
                document.shown = new;
            }
            Some(texture)
        }
        (None, Some(shown)) => cx.pictures.tile_by(ctx, shown, TileIdx(0), facing, side),
        (None, None) => None,
    };
    paint_picture(ui.painter(), texture, rect, Color32::WHITE);
}
