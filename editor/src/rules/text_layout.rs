//! The layout of a text on the screen, with painted marks: line numbers, problems, matches.

use std::ops::Range;

use egui::text::CCursor;
use egui::{Align2, Color32, FontId, Galley, Id, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};
use table::Severity;
use workshop::rule_text::{Language, outline};

use super::marks::ProblemMark;
use super::open_file::{OpenFile, char_of, line_of};
use crate::notifications::Tone;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// The size of letters, in points.
pub const FONT_SIZE: f32 = 13.0;

/// Returns the colour of marks with this severity.
pub fn mark_colour(ui: &Ui, severity: Severity) -> Color32 {
    tone_colour(ui, if severity == Severity::Error { Tone::Bad } else { Tone::Changed })
}

/// The layout of the text on the screen.
pub struct TextLayout<'g> {
    pub galley: &'g Galley,
    pub origin: Pos2,
    /// The rectangle in which the text is visible.
    pub clip: Rect,
    pub gutter: Rect,
}

impl TextLayout<'_> {
    /// Returns the indices of the visible rows. Each line of the text is one row.
    pub fn rows(&self) -> Range<usize> {
        let (top, bottom) = (self.clip.top() - self.origin.y, self.clip.bottom() - self.origin.y);
        let rows = &self.galley.rows;
        let first = rows.partition_point(|row| row.rect().bottom() < top);
        let last = rows.partition_point(|row| row.rect().top() <= bottom);
        first..last
    }

    /// Returns the rectangle of a range of the text, in points of the screen. If the range spans
    /// several lines, returns the rectangle of its part in the first line. Returns `None` if this
    /// line is not visible.
    pub fn rect(&self, text: &str, bytes: &Range<usize>) -> Option<Rect> {
        let row = line_of(text, bytes.start) - 1;
        if !self.rows().contains(&row) {
            return None;
        }
        let end = text.get(bytes.clone()).and_then(|part| part.find('\n')).map_or(bytes.end, |i| bytes.start + i);
        let at = |byte: usize| self.galley.pos_from_cursor(CCursor::new(char_of(text, byte)));
        let (start, end) = (at(bytes.start), at(end));
        let rect = Rect::from_min_max(start.min, pos2(end.right().max(start.left() + 7.0), start.bottom()));
        Some(rect.translate(self.origin.to_vec2()))
    }

    /// Shades the matches of the search.
    pub fn paint_matches(&self, ui: &Ui, text: &str, places: &[Range<usize>]) {
        let painter = ui.painter().with_clip_rect(self.clip);
        let colour = tone_colour(ui, Tone::Changed).gamma_multiply(0.25);
        for rect in places.iter().filter_map(|place| self.rect(text, place)) {
            painter.rect_filled(rect, 2.0, colour);
        }
    }

    /// Paints line numbers.
    pub fn paint_line_numbers(&self, ui: &Ui, file: &OpenFile) {
        let painter =
            ui.painter().with_clip_rect(self.gutter.with_min_y(self.clip.top()).with_max_y(self.clip.bottom()));
        let current = line_of(file.document.text(), file.cursor(ui.ctx()).1);
        for row in self.rows() {
            let Some(placed) = self.galley.rows.get(row) else { break };
            let y = self.origin.y + placed.rect().center().y;
            let colour = if row + 1 == current { ui.visuals().text_color() } else { ui.visuals().weak_text_color() };
            let at = pos2(self.gutter.right() - 6.0, y);
            painter.text(at, Align2::RIGHT_CENTER, row + 1, FontId::monospace(FONT_SIZE - 2.0), colour);
        }
    }

    /// Draws a bar in the gutter beside functions that no test calls. Draws nothing if the file has
    /// unsaved changes.
    pub fn paint_untested(&self, ui: &Ui, cx: &UiContext<'_>, file: &OpenFile) {
        let owner = file.mod_id();
        let of_mod = cx.tests.uncovered().iter().find(|it| it.owner == owner && !it.functions.is_empty());
        let Some(untouched) = of_mod.filter(|_| file.language() == Language::Rhai && !file.document.is_changed())
        else {
            return;
        };
        let text = file.document.text();
        let painter =
            ui.painter().with_clip_rect(self.gutter.with_min_y(self.clip.top()).with_max_y(self.clip.bottom()));
        for function in outline(text).iter().filter(|it| untouched.functions.contains(&it.name)) {
            let rows = line_of(text, function.bytes.start) - 1..line_of(text, function.bytes.end);
            for row in rows.start.max(self.rows().start)..rows.end.min(self.rows().end) {
                let Some(placed) = self.galley.rows.get(row) else { break };
                let line = placed.rect().translate(vec2(0.0, self.origin.y));
                let bar = Rect::from_x_y_ranges(self.gutter.left()..=self.gutter.left() + 8.0, line.y_range());
                let colour = ui.visuals().weak_text_color().gamma_multiply(0.6);
                painter.rect_filled(bar.with_max_x(bar.left() + 3.0), 0.0, colour);
                let seen = bar.intersect(painter.clip_rect());
                if ui.input(|input| input.pointer.hover_pos()).is_some_and(|at| seen.contains(at)) {
                    let response = ui.interact(seen, file.id.with(("untested", row)), Sense::hover());
                    response.on_hover_text(format!("No test calls {}.", function.name));
                }
            }
        }
    }

    /// Draws a mark in the gutter for each problem, and a wavy line below the text of the problem.
    pub fn paint_marks(&self, ui: &Ui, file: &OpenFile) {
        let text = file.document.text();
        let painter = ui.painter().with_clip_rect(self.clip);
        for (i, mark) in file.marks.iter().enumerate() {
            let Some(rect) = self.rect(text, &mark.bytes) else { continue };
            let colour = mark_colour(ui, mark.severity);
            paint_wave(&painter, rect, colour);
            let (id, line) = (file.id.with(("gutter", i)), line_of(text, mark.bytes.start));
            self.paint_gutter_mark(ui, id, mark, rect.center().y, colour, line);
            let seen = rect.intersect(self.clip);
            if ui.input(|input| input.pointer.hover_pos()).is_some_and(|at| seen.contains(at)) {
                let response = ui.interact(seen, file.id.with(("wave", i)), Sense::hover());
                response.on_hover_text(mark.sentence());
            }
        }
    }

    /// Draws the filter of each function beside it, if the manifest sets one.
    pub fn paint_filters(&self, ui: &Ui, file: &OpenFile) {
        let filters = &file.filters;
        if filters.is_empty() {
            return;
        }
        let text = file.document.text();
        let painter = ui.painter().with_clip_rect(self.clip);
        let rows = self.rows();
        for (row, line) in text.lines().enumerate().skip(rows.start).take(rows.len()) {
            let name = line.strip_prefix("fn ").and_then(|rest| rest.split('(').next()).map(str::trim);
            let Some((_, filter)) = name.and_then(|name| filters.iter().find(|(known, _)| known == name)) else {
                continue;
            };
            let Some(placed) = self.galley.rows.get(row) else { continue };
            let at = placed.rect().right_center() + self.origin.to_vec2() + vec2(18.0, 0.0);
            let words = format!("only with {filter} (mod.toml)");
            let (font, colour) = (FontId::proportional(FONT_SIZE - 1.5), ui.visuals().weak_text_color());
            painter.text(at, Align2::LEFT_CENTER, words, font, colour);
        }
    }

    fn paint_gutter_mark(&self, ui: &Ui, id: Id, mark: &ProblemMark, y: f32, colour: Color32, line: usize) {
        let centre = pos2(self.gutter.left() + 9.0, y);
        if !self.clip.y_range().contains(y) {
            return;
        }
        let is_error = mark.severity == Severity::Error;
        let response = ui.interact(Rect::from_center_size(centre, vec2(14.0, 14.0)), id, Sense::hover());
        let what = if is_error { "error" } else { "warning" };
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Label, true, format!("{what} in line {line}: {}", mark.sentence()))
        });
        // Users who do not see the colours can distinguish errors and warnings by their shapes.
        if is_error {
            ui.painter().circle_filled(centre, 5.0, colour);
        } else {
            let points = vec![centre + vec2(0.0, -5.0), centre + vec2(5.0, 4.0), centre + vec2(-5.0, 4.0)];
            ui.painter().add(Shape::convex_polygon(points, colour, Stroke::NONE));
        }
        response.on_hover_text(mark.sentence());
    }
}

/// Paints a wavy line below `rect`.
fn paint_wave(painter: &egui::Painter, rect: Rect, colour: Color32) {
    let n = ((rect.width() / 3.0).ceil() as usize).clamp(2, 400);
    let y = |i: usize| rect.bottom() - if i.is_multiple_of(2) { 0.5 } else { 2.5 };
    let points = (0..=n).map(|i| pos2(rect.left() + 3.0 * i as f32, y(i))).collect();
    painter.add(Shape::line(points, Stroke::new(1.2, colour)));
}
