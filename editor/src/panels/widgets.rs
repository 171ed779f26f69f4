//! Widgets that several panels share, such as painted buttons, marks of seats and pictures, and
//! storage for values that panels need in later frames.

use std::path::Path;
use std::sync::Arc;

use art::kurbo::{PathEl, Point};
use art::{Pose, Symbol, seat_symbol};
use egui::{
    Align2, AsIdSalt, Button, Color32, Context, FontId, Frame, Id, Margin, Mesh, Painter, Pos2, Rect, Response, Role,
    Sense, Shape, Stroke, TextEdit, TextureId, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use egui_plot::Plot;
use table::{PieceKindIdx, Revision, Seat, Snapshot};
use workshop::mod_files::{why_not_removed, why_not_renamed};

use crate::actions::{Action, FileAction};
use crate::cached::Cached;
use crate::command::Command;
use crate::pictures::PictureSubject;
use crate::ui_context::UiContext;
use crate::view_state::FileNaming;

/// A painted icon of a button.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ButtonIcon {
    /// A bar and a triangle to the left.
    ToStart,
    /// A triangle to the left.
    Back,
    /// A triangle to the right.
    Play,
    /// Two bars.
    Pause,
    /// A triangle to the right.
    Forward,
    /// A triangle to the right and a bar.
    ToEnd,
    /// A nearly closed circular arrow, counterclockwise.
    TurnBack,
    /// A nearly closed circular arrow, clockwise.
    Turn,
    /// A half-circle arrow, counterclockwise.
    Undo,
    /// A half-circle arrow, clockwise.
    Redo,
}

/// Draws the content of a panel within a margin. `add` draws the content.
pub fn pane<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    Frame::new().inner_margin(Margin::symmetric(8, 6)).show(ui, add).inner
}

/// Draws a button with a painted icon, `side` points wide. `label` is the name of the button, and
/// `about` is its tooltip.
pub fn icon_button(ui: &mut Ui, icon: ButtonIcon, label: &str, about: &str, is_enabled: bool, side: f32) -> Response {
    let draw = |ui: &mut Ui| {
        let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, is_enabled, label));
        let look = ui.style().interact(&response);
        let (fill, stroke, radius) = (look.weak_bg_fill, look.bg_stroke, look.corner_radius);
        let colour = ui.visuals().override_text_color.unwrap_or(look.fg_stroke.color);
        ui.painter().rect(rect.shrink(0.5), radius, fill, stroke, egui::StrokeKind::Inside);
        paint_icon(ui.painter(), icon, rect.shrink(side * 0.26), colour);
        response
    };
    let response = ui.add_enabled_ui(is_enabled, draw).inner;
    response.on_hover_text(about).on_disabled_hover_text(about)
}

/// Draws a button that requests `action`; `about` is its tooltip.
pub fn action_button(ui: &mut Ui, cx: &mut UiContext<'_>, text: &str, about: &str, action: Action) {
    request_on_click(cx, &ui.button(text).on_hover_text(about), action);
}

/// Draws a button that runs a command; the tooltip is the description of the command.
pub fn command_button(ui: &mut Ui, cx: &mut UiContext<'_>, text: &str, command: Command) {
    action_button(ui, cx, text, command.info().about, Action::Command(command));
}

/// Requests `action` if the user clicked the widget of `response`.
pub fn request_on_click(cx: &mut UiContext<'_>, response: &Response, action: Action) {
    if response.clicked() {
        cx.request_action(action);
    }
}

/// Makes a button or a link open a file at a line. A click opens the file in this window. The
/// context menu offers another program.
pub fn open_on_click(response: &Response, cx: &mut UiContext<'_>, path: &Path, line: u32) {
    let response = response.clone().on_hover_text("Open in Rules. Right-click to open it in another program.");
    request_on_click(cx, &response, Action::OpenFile(path.to_owned(), line));
    response.context_menu(|ui| {
        if ui.button("Open in another program").clicked() {
            cx.request_action(Action::OpenOutside(path.to_owned(), line));
            ui.close();
        }
    });
}

/// Returns whether each word occurs in one of the texts, ignoring case.
pub fn contains_all(words: &str, texts: &[&str]) -> bool {
    words.split_whitespace().all(|word| texts.iter().any(|text| text.to_lowercase().contains(&word.to_lowercase())))
}

/// Makes a search field. The field keeps the focus after Enter; otherwise, the next keys would act
/// on the board.
pub fn search_field<'t>(text: &'t mut String, hint: impl Into<egui::WidgetText>) -> TextEdit<'t> {
    TextEdit::singleline(text).hint_text(hint.into()).return_key(None)
}

/// Draws a row of a grid: the label `name`, and the control that `add` draws. The label names the
/// control for screen readers.
pub fn labelled_row(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui) -> Response) -> Response {
    let label = ui.label(name);
    let response = add(ui).labelled_by(label.id);
    ui.end_row();
    response
}

/// Draws a row of a grid: the label `name`, and the control that `add` draws.
pub fn grid_row<R>(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.label(name);
    let control = add(ui);
    ui.end_row();
    control
}

/// Draws a row of a grid: the label `name`, and the controls that `add` draws side by side.
pub fn controls_row(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    grid_row(ui, name, |ui| ui.horizontal(add));
}

/// Converts a typed name to the name in a manifest: lower case, with `_` for spaces and hyphens.
pub fn declared_name(typed: &str) -> String {
    typed.trim().to_lowercase().replace([' ', '-'], "_")
}

/// Returns the reason why a manifest cannot declare `name`; `None` if it can. `is_taken` is true if
/// the name is declared already.
pub fn why_not_name(name: &str, is_taken: bool) -> Option<&'static str> {
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    match () {
        () if name.is_empty() => Some("Type a name first."),
        () if is_taken => Some("This name is taken."),
        () if !is_name => Some("A name begins with a letter; letters, digits and _ follow."),
        () => None,
    }
}

/// Draws the reason why a typed name cannot be declared, unless the field is empty.
pub fn name_problem(ui: &mut Ui, typed: &str, why_not: Option<&str>) {
    if let Some(why) = why_not.filter(|_| !typed.trim().is_empty()) {
        ui.weak(why);
    }
}

/// Draws the menu for renaming or deleting a file. `folder` is the folder of the
/// file's mod.
pub fn file_menu(ui: &mut Ui, cx: &mut UiContext<'_>, folder: &Path, path: &Path) {
    let is_bundled = cx.originals.is_some_and(|originals| originals.texts().contains_key(path));
    let why_bundled = is_bundled.then_some("A bundled file: without it, Bastide would use the original.");
    let why_fixed = why_locked(cx, folder).or(why_bundled);
    let mut entry = |name: &str, why_not: Option<&str>| {
        let button = ui.add_enabled(why_not.is_none(), Button::new(name));
        button.on_disabled_hover_text(why_not.unwrap_or_default()).clicked()
    };
    let why_nots = [why_fixed.or(why_not_renamed(folder, path)), why_fixed.or(why_not_removed(folder, path))];
    if entry("Rename…", why_nots[0]) {
        cx.view_state.windows.name_file = Some(FileNaming::Rename(folder.to_owned(), path.to_owned()));
    }
    if entry("Delete", why_nots[1]) {
        cx.request_action(Action::Files(FileAction::Remove(folder.to_owned(), path.to_owned())));
    }
    // The user must not have to hover over a grey entry to learn why it is grey.
    let mut reasons: Vec<&str> = why_nots.into_iter().flatten().collect();
    reasons.dedup();
    for why in reasons {
        ui.set_max_width(260.0);
        ui.add(egui::Label::new(egui::RichText::new(why).weak()).wrap());
    }
}

/// Returns the reason why the user may not change the mod in `folder`. Returns `None` if the user
/// may change it.
pub fn why_locked(cx: &UiContext<'_>, folder: &Path) -> Option<&'static str> {
    cx.is_locked(folder).then_some("Bundled mods are read-only. To edit one, open a file and choose Allow changes.")
}

/// Paints an icon into `rect`.
pub fn paint_icon(painter: &Painter, icon: ButtonIcon, rect: Rect, colour: Color32) {
    let triangle = |r: Rect, to_right: bool| {
        let (tip, base) = if to_right { (r.right(), r.left()) } else { (r.left(), r.right()) };
        let points = vec![pos2(base, r.top()), pos2(tip, r.center().y), pos2(base, r.bottom())];
        painter.add(Shape::convex_polygon(points, colour, Stroke::NONE));
    };
    let bar = |x: f32| {
        let width = rect.width() * 0.2;
        let bar = Rect::from_x_y_ranges(x - width / 2.0..=x + width / 2.0, rect.y_range());
        painter.rect_filled(bar, 1.0, colour);
    };
    let (left, right) = rect.split_left_right_at_fraction(0.3);
    match icon {
        ButtonIcon::Back => triangle(rect, false),
        ButtonIcon::Play | ButtonIcon::Forward => triangle(rect, true),
        ButtonIcon::ToStart => {
            bar(left.left() + rect.width() * 0.1);
            triangle(right, false);
        }
        ButtonIcon::ToEnd => {
            bar(rect.right() - rect.width() * 0.1);
            triangle(rect.split_left_right_at_fraction(0.7).0, true);
        }
        ButtonIcon::Pause => {
            bar(rect.left() + rect.width() * 0.22);
            bar(rect.right() - rect.width() * 0.22);
        }
        ButtonIcon::TurnBack => paint_arc(painter, rect, colour, false, 290.0),
        ButtonIcon::Turn => paint_arc(painter, rect, colour, true, 290.0),
        ButtonIcon::Undo => paint_arc(painter, rect, colour, false, 190.0),
        ButtonIcon::Redo => paint_arc(painter, rect, colour, true, 190.0),
    }
}

/// Paints an arc of `degrees` with an arrow head. The circle is open at the bottom.
fn paint_arc(painter: &Painter, rect: Rect, colour: Color32, clockwise: bool, degrees: f32) {
    let radius = rect.width() * 0.5;
    let sign = if clockwise { 1.0 } else { -1.0 };
    let at = |t: f32| {
        let angle = (-90.0 + sign * (t - 0.5) * degrees).to_radians();
        rect.center() + radius * vec2(angle.cos(), angle.sin())
    };
    let points: Vec<Pos2> = (0..=24).map(|i| at(i as f32 / 24.0 * 0.94)).collect();
    let width = (radius * 0.3).clamp(1.5, 3.0);
    painter.add(Shape::line(points, Stroke::new(width, colour)));
    let (tip, before) = (at(1.0), at(0.82));
    let along = (tip - before).normalized();
    let across = along.rot90() * radius * 0.5;
    let tip = before + along * radius * 0.85;
    painter.add(Shape::convex_polygon(vec![tip, before + across, before - across], colour, Stroke::NONE));
}

/// Returns white or near black: the colour that is easier to read on `colour`.
pub fn text_colour_on(colour: Color32) -> Color32 {
    let brightness = (2 * u32::from(colour.r()) + 5 * u32::from(colour.g()) + u32::from(colour.b())) / 8;
    if brightness > 135 { Color32::from_rgb(26, 24, 22) } else { Color32::WHITE }
}

/// Paints the mark of a seat: its colour in a double outline, and its symbol.
pub fn paint_seat_mark(painter: &Painter, centre: Pos2, radius: f32, colour: Color32, seat: Seat) {
    let rim = (radius * 0.12).max(1.0);
    painter.circle_filled(centre, radius, Color32::from_rgb(26, 24, 22));
    painter.circle_filled(centre, radius - rim, Color32::WHITE);
    painter.circle_filled(centre, radius - 1.8 * rim, colour);
    paint_symbol(painter, seat_symbol(seat.idx()), centre, radius * 0.58, text_colour_on(colour));
}

/// Paints a filled symbol with triangles from its middle. This fills the symbol, because every
/// point of its outline is visible from the middle.
pub fn paint_symbol(painter: &Painter, symbol: Symbol, centre: Pos2, radius: f32, colour: Color32) {
    let mut points: Vec<Pos2> = Vec::new();
    let path = symbol.outline(Point::new(0.0, 0.0), f64::from(radius));
    art::kurbo::flatten(path.iter(), 0.1, |element| {
        if let PathEl::MoveTo(p) | PathEl::LineTo(p) = element {
            points.push(centre + vec2(p.x as f32, p.y as f32));
        }
    });
    if points.len() < 3 {
        return;
    }
    let mut mesh = Mesh::default();
    mesh.colored_vertex(centre, colour);
    points.iter().for_each(|p| mesh.colored_vertex(*p, colour));
    let n = points.len() as u32;
    (0..n).for_each(|i| mesh.add_triangle(0, 1 + i, 1 + (i + 1) % n));
    painter.add(Shape::mesh(mesh));
    painter.add(Shape::closed_line(points, Stroke::new(0.6, colour)));
}

/// Draws the mark of a seat as a widget, `side` points wide. Its tooltip names the player and the
/// symbol.
pub fn seat_mark_ui(ui: &mut Ui, cx: &UiContext<'_>, seat: Seat, side: f32) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    paint_seat_mark(ui.painter(), rect.center(), side / 2.0, cx.colour(seat), seat);
    let name = cx.session.view().name(seat).to_owned();
    response.on_hover_text(format!("{name}: {}", seat_symbol(seat.idx()).name()))
}

/// Paints a picture into `rect`. If there is no texture yet, paints a grey rectangle.
pub fn paint_picture(painter: &Painter, texture: Option<TextureId>, rect: Rect, tint: Color32) {
    match texture {
        Some(texture) => {
            let all = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(texture, rect, all, tint);
        }
        None => {
            painter.rect_filled(rect, 2.0, Color32::from_gray(128).gamma_multiply(0.4));
        }
    }
}

/// Returns the subject of the picture of a standing piece: a piece of `seat`, or a neutral piece if
/// `seat` is `None`.
pub fn piece_subject(cx: &UiContext<'_>, kind: PieceKindIdx, seat: Option<Seat>) -> PictureSubject {
    let name = cx.session.view().piece_name(kind).to_owned();
    match seat {
        Some(seat) => PictureSubject::Piece(name, Pose::Standing, cx.rgb(seat), seat_symbol(seat.idx())),
        None => PictureSubject::Piece(name, Pose::Standing, [150, 146, 138], Symbol::None),
    }
}

/// Draws a small text in a frame, and returns its response.
pub fn chip(ui: &mut Ui, text: &str, colour: Color32) -> Response {
    let font = FontId::proportional(11.0);
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, colour);
    let size = galley.size() + vec2(10.0, 4.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    let (fill, stroke) = (colour.gamma_multiply(0.12), Stroke::new(1.0, colour.gamma_multiply(0.5)));
    ui.painter().rect(rect, size.y / 2.0, fill, stroke, egui::StrokeKind::Inside);
    ui.painter().galley(rect.min + vec2(5.0, 2.0), galley, colour);
    response
}

/// Paints `text`, cut to `width` points. Returns its painted width.
pub fn paint_truncated(
    painter: &Painter,
    at: Pos2,
    anchor: Align2,
    text: &str,
    font: FontId,
    colour: Color32,
    width: f32,
) -> f32 {
    let mut job = egui::text::LayoutJob::simple_singleline(text.to_owned(), font, colour);
    job.wrap = egui::text::TextWrapping::truncate_at_width(width.max(0.0));
    let galley = painter.layout_job(job);
    let rect = anchor.anchor_size(at, galley.size());
    let width = galley.size().x;
    painter.galley(rect.min, galley, colour);
    width
}

/// Makes a plot that the user can click, but not move or zoom. It shows no coordinates of the
/// pointer.
pub fn fixed_plot<'a>(id: impl AsIdSalt) -> Plot<'a> {
    let plot = Plot::new(id).allow_drag(false).allow_zoom(false).allow_scroll(false).allow_boxed_zoom(false);
    let plot = plot.allow_double_click_reset(false).label_formatter(|_| None);
    plot.show_x(false).show_y(false).sense(Sense::click())
}

/// Returns a number with its sign; 0 is `+0`.
pub fn signed(n: i64) -> String {
    if n < 0 { n.to_string() } else { format!("+{n}") }
}

/// Returns a number of points as text, such as `1 point`.
pub fn points_text(points: i64) -> String {
    format!("{points} {}", if points == 1 { "point" } else { "points" })
}

/// Returns a number with the noun in singular or plural, such as `1 tile` or `3 tiles`.
pub fn pluralized(n: usize, one: &str, more: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { more })
}

/// Splits the full name `mod/name` into the title of the mod and the name. If `full` has no slash,
/// the title is empty. If the mod is not in play, its id stands for the title.
pub fn mod_and_name<'t>(session: &'t Snapshot, full: &'t str) -> (&'t str, &'t str) {
    let Some((id, name)) = full.split_once('/') else { return ("", full) };
    let info = session.view().mods().iter().find(|m| m.id == id);
    (info.map_or(id, |m| m.title.as_str()), name)
}

/// Returns the result of `find`, cached until the revision of the session changes.
pub fn cached<T: Default + Send + Sync + 'static>(
    ctx: &Context,
    id: Id,
    session: &Snapshot,
    find: impl FnOnce() -> T,
) -> Arc<T> {
    let mut cached: Cached<Revision, Arc<T>> = remembered(ctx, id);
    let value = cached.refresh(session.revision(), || Arc::new(find())).clone();
    remember(ctx, id, cached);
    value
}

/// Returns the value that [`remember`] last stored under `id`; the default value if there is none.
pub fn remembered<T: Clone + Default + Send + Sync + 'static>(ctx: &Context, id: Id) -> T {
    ctx.data(|d| d.get_temp::<T>(id)).unwrap_or_default()
}

/// Stores a value under `id` for later frames.
pub fn remember<T: Clone + Send + Sync + 'static>(ctx: &Context, id: Id, value: T) {
    ctx.data_mut(|d| d.insert_temp(id, value));
}
