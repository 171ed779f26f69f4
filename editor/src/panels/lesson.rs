//! The panel with a lesson of the guided first game, shown while the lesson is on the board. It
//! contains the explanation, the goal, and the list of all lessons.

use egui::{Align, Button, Frame, Layout, Margin, Panel, RichText, ScrollArea, Ui, vec2};

use super::page::page;
use super::widgets::{action_button, request_on_click};
use crate::actions::{Action, LessonAction};
use crate::command::Command;
use crate::lessons::lessons;
use crate::lessons::{LessonStage, OpenLesson};
use crate::notifications::Tone;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// The smallest and the largest width of the panel beside the board, in points.
const WIDTHS: [f32; 2] = [236.0, 300.0];

/// The width of the panel in a small window, as a fraction of the width of the window.
const WIDTH_SHARE: f32 = 0.34;

/// The height of the buttons that go to other lessons, in points.
const BUTTON_HEIGHT: f32 = 28.0;

/// The width of the window, in points, below which the panel is above the board.
const NARROW_BELOW: f32 = 600.0;

/// Draws the panel: at the left or, in a narrow window, at the top.
pub fn lesson(ui: &mut Ui, cx: &mut UiContext<'_>, open: &OpenLesson) {
    let size = ui.ctx().content_rect().size();
    let frame = Frame::new().fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(12, 8));
    if size.x < NARROW_BELOW {
        Panel::top("lesson").frame(frame).show(ui, |ui| {
            head(ui, cx, open);
            ScrollArea::vertical().id_salt("lesson").max_height(size.y * 0.2).show(ui, |ui| explanation(ui, open));
            goal(ui, cx, open);
            buttons(ui, cx, open);
        });
        return;
    }
    let [narrow, wide] = WIDTHS;
    let width = (size.x * WIDTH_SHARE).clamp(narrow, wide);
    Panel::left("lesson").frame(frame).exact_size(width).resizable(false).show(ui, |ui| {
        head(ui, cx, open);
        // The buttons stay at one place, so that a second click does not hit the list. The goal is
        // above them, so that it is visible without scrolling.
        Panel::bottom("lesson buttons").frame(Frame::NONE).show_separator_line(false).show(ui, |ui| {
            ui.add_space(6.0);
            goal(ui, cx, open);
            buttons(ui, cx, open);
        });
        ScrollArea::vertical().id_salt("lesson").auto_shrink([false, false]).show(ui, |ui| {
            explanation(ui, open);
            ui.separator();
            list(ui, cx, open);
        });
    });
}

/// Draws the name of the guided game, and the button that leaves it.
fn head(ui: &mut Ui, cx: &mut UiContext<'_>, open: &OpenLesson) {
    ui.horizontal(|ui| {
        ui.weak(format!("{} · step {} of {}", Command::Learn.info().name, open.number + 1, lessons().len()));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let about = if cx.has_left_game {
                "Returns to your game. You can continue here later."
            } else {
                "Starts a game. You can continue here later."
            };
            let button = ui.small_button("Leave").on_hover_text(about);
            request_on_click(cx, &button, Action::Lesson(LessonAction::Leave));
        });
    });
}

/// Draws the text of the lesson.
fn explanation(ui: &mut Ui, open: &OpenLesson) {
    let lesson = open.lesson;
    ui.label(RichText::new(&lesson.title).heading().strong());
    ui.add_space(2.0);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        page(ui, &lesson.text);
    });
    ui.add_space(4.0);
}

/// Draws the goal of the lesson, or the result of the user's move.
fn goal(ui: &mut Ui, cx: &mut UiContext<'_>, open: &OpenLesson) {
    let lesson = open.lesson;
    if lesson.has_goal() {
        let (title, text, tone) = match open.stage {
            LessonStage::Open | LessonStage::Checking => ("Your goal", lesson.goal.as_str(), None),
            LessonStage::Reached => ("Goal reached", lesson.done.as_str(), Some(Tone::Good)),
            LessonStage::Missed => ("Not yet", open.missed_text(cx.session), Some(Tone::Changed)),
        };
        let colour = tone.map_or(ui.visuals().strong_text_color(), |tone| tone_colour(ui, tone));
        let frame = Frame::new().stroke(egui::Stroke::new(1.5, colour)).corner_radius(6).inner_margin(8);
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.label(RichText::new(title).color(colour).strong());
            ui.label(RichText::new(text).size(15.0));
        });
    }
    if open.is_begun(cx.session) && open.stage != LessonStage::Reached {
        let about = "Go back to the position of this step.";
        action_button(ui, cx, "Undo and try again", about, Action::Lesson(LessonAction::Again));
    }
    ui.add_space(4.0);
}

/// Draws the buttons that go to other lessons. After the last lesson, a button starts a game.
fn buttons(ui: &mut Ui, cx: &mut UiContext<'_>, open: &OpenLesson) {
    let is_last = open.number + 1 == lessons().len();
    let is_done = open.stage == LessonStage::Reached || !open.lesson.has_goal();
    ui.horizontal(|ui| {
        let back = Button::new("Back").min_size(vec2(0.0, BUTTON_HEIGHT));
        let back = ui.add_enabled(open.number > 0, back);
        request_on_click(cx, &back, Action::Lesson(LessonAction::Open(open.number.saturating_sub(1))));
        let (text, action) = match (is_last, is_done) {
            (true, _) => ("Start a game", LessonAction::Play),
            (false, true) => ("Next", LessonAction::Open(open.number + 1)),
            (false, false) => ("Skip", LessonAction::Open(open.number + 1)),
        };
        let button = if is_done {
            let fill = ui.visuals().selection.bg_fill;
            Button::new(RichText::new(text).strong()).fill(fill).min_size(vec2(120.0, BUTTON_HEIGHT))
        } else {
            Button::new(text).min_size(vec2(0.0, BUTTON_HEIGHT))
        };
        let response = ui.add(button);
        let response = if is_last { response.on_hover_text("Start a base game against a bot.") } else { response };
        request_on_click(cx, &response, Action::Lesson(action));
    });
}

/// Lists the lessons, and marks the lessons whose goals the user has reached.
fn list(ui: &mut Ui, cx: &mut UiContext<'_>, open: &OpenLesson) {
    for (i, lesson) in lessons().iter().enumerate() {
        let is_done = cx.settings.lessons_done.iter().any(|name| name == lesson.name);
        let mark = RichText::new(if is_done { "done" } else { "" }).weak();
        let text = format!("{}. {}", i + 1, lesson.title);
        let button = Button::selectable(i == open.number, text).right_text(mark);
        let response = ui.add(button.min_size(vec2(ui.available_width(), 20.0)));
        request_on_click(cx, &response, Action::Lesson(LessonAction::Open(i)));
    }
}
