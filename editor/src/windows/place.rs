//! The places of windows on the screen.

use egui::{Context, Id, LayerId, Order, Rect, Vec2, Window, vec2};

use crate::panels::{remember, remembered};

/// Returns a dialog: a window that opens in the middle of the screen. It has the given width and
/// height, in points, but is never larger than the screen.
pub(crate) fn centred<'w>(ctx: &Context, title: &str, [width, height]: [f32; 2]) -> Window<'w> {
    let room = ctx.content_rect();
    let size = vec2(width, height).min(room.size() - Vec2::splat(40.0));
    let corner = room.center() - 0.5 * size;
    let window = Window::new(title.to_owned()).id(dialog_id(ctx, title));
    window.default_pos(corner).default_size(size).collapsible(false)
}

/// Returns the id of a dialog. The id depends on the size that the screen had when the dialog
/// opened, because egui stores the place and the size of a window by its id.
fn dialog_id(ctx: &Context, title: &str) -> Id {
    let key = Id::unique(("dialog", title));
    let id = |screen: Vec2| key.with((screen.x as i32, screen.y as i32));
    let opened_at: Vec2 = remembered(ctx, key);
    let layer = LayerId::new(Order::Middle, id(opened_at));
    if ctx.memory(|memory| memory.areas().visible_last_frame(&layer)) {
        return id(opened_at);
    }
    let screen = ctx.content_rect().size();
    remember(ctx, key, screen);
    remember(ctx, dialog_mark(id(screen)), true);
    id(screen)
}

/// Returns the id under which egui stores that the window `id` is a dialog.
fn dialog_mark(id: Id) -> Id {
    id.with("is a dialog")
}

/// Draws things that a dialog can cover. While the pointer is over a dialog, `draw` finds no
/// pointer, because egui keeps a tooltip open as long as the pointer is over its widget, even if a
/// window covers the widget.
pub(crate) fn behind_dialogs<R>(ctx: &Context, draw: impl FnOnce() -> R) -> R {
    let is_dragging = ctx.input(|input| input.pointer.any_down() || input.pointer.any_released());
    let pos = ctx.pointer_hover_pos().filter(|_| !is_dragging);
    let layer = pos.and_then(|pos| ctx.layer_id_at(pos));
    if !layer.is_some_and(|layer| remembered(ctx, dialog_mark(layer.id))) {
        return draw();
    }
    let pointer = ctx.input_mut(|input| std::mem::take(&mut input.pointer));
    let drawn = draw();
    ctx.input_mut(|input| input.pointer = pointer);
    drawn
}

/// Returns the rectangle of a window with this size, in points. The window is left of the middle of
/// the screen, so that the panels on the right stay visible. If the screen is too small, the
/// rectangle is smaller.
pub(super) fn beside_middle(ctx: &Context, size: Vec2) -> Rect {
    let screen = ctx.content_rect();
    let size = size.min(screen.size() - vec2(40.0, 90.0));
    let centre = screen.center() - vec2(screen.width() * 0.11, 10.0);
    Rect::from_center_size(centre, size)
}
