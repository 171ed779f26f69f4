//! The tests of the mods in play: passing tests, failing tests with their reasons, and the
//! functions and tiles that no test covers.

use egui::{Align, Color32, Layout, ProgressBar, RichText, ScrollArea, Sense, Ui, vec2};
use table::shown_path;
use workshop::{Acceptance, FailedLine, ModTest, TestResult, UncoveredParts};

use super::widgets::{action_button, command_button, file_menu, pane, pluralized, request_on_click};
use crate::actions::{Action, TestAction};
use crate::command::Command;
use crate::notifications::Tone;
use crate::style::tone_colour;
use crate::test_bench::{TestState, milliseconds};
use crate::ui_context::UiContext;

/// The smallest width of the list of tests, and of the details beside the list, in points.
const MIN_WIDTH: f32 = 260.0;

/// Draws the panel.
pub fn tests(ui: &mut Ui, cx: &mut UiContext<'_>) {
    pane(ui, |ui| {
        let playing: Vec<String> = cx.session.view().mods().iter().map(|info| info.id.clone()).collect();
        if !cx.tests.is_listed(&playing) {
            cx.request_action(Action::Tests(TestAction::List));
        }
        head(ui, cx);
        ui.separator();
        if cx.tests.tests().is_empty() {
            empty(ui, cx);
            return;
        }
        let width = ui.available_width();
        if width < 2.0 * MIN_WIDTH {
            list(ui, cx, &playing);
            return;
        }
        let panel = egui::Panel::left("list of tests").resizable(true).default_size(width * 0.5).min_size(MIN_WIDTH);
        panel.show(ui, |ui| list(ui, cx, &playing));
        egui::Frame::new().inner_margin(egui::Margin::symmetric(8, 0)).show(ui, |ui| details(ui, cx));
    });
}

fn empty(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let key = Command::Freeze.key_text(ui.ctx());
    ui.add_space(12.0);
    ui.vertical_centered(|ui| {
        ui.strong(format!("No tests yet. Press {key} in a game to make one."));
        ui.weak(
            "The points, scores and pieces of that position become a test of a mod. It runs whenever the mod is saved.",
        );
        request_on_click(cx, &ui.button(Command::Freeze.info().name), Action::Command(Command::Freeze));
    });
}

/// Draws the buttons that concern all tests, and the numbers of tests that pass, fail or have not
/// run.
fn head(ui: &mut Ui, cx: &mut UiContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        match cx.tests.progress() {
            Some((n_done, n_all)) if n_all > 0 => {
                action_button(ui, cx, "Stop", "Stop the test run.", Action::Tests(TestAction::Stop));
                let part = n_done as f32 / n_all as f32;
                ui.add(ProgressBar::new(part).desired_width(120.0).text(format!("{n_done} of {n_all}")));
            }
            _ => command_button(ui, cx, "Run all", Command::RunTests),
        }
        command_button(ui, cx, Command::Freeze.info().name, Command::Freeze);
        let count = |state| cx.tests.tests().iter().filter(|test| cx.tests.state(test) == state).count();
        let (green, red, not_run) = (count(TestState::Green), count(TestState::Red), count(TestState::NotRun));
        if green > 0 {
            ui.colored_label(tone_colour(ui, Tone::Good), format!("{green} green"));
        }
        if red > 0 {
            ui.colored_label(tone_colour(ui, Tone::Bad), RichText::new(format!("{red} red")).strong());
        }
        if not_run > 0 {
            ui.weak(format!("{not_run} not run"));
        }
        ui.checkbox(&mut cx.tests.view.only_failed, "Only failing").on_hover_text("Hide tests that pass.");
    });
}

/// Lists the tests by mod, and below each mod the functions and tiles that no test covers.
fn list(ui: &mut Ui, cx: &mut UiContext<'_>, playing: &[String]) {
    ScrollArea::vertical().id_salt("tests").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        // Begins with the mod that loads last, because the user is usually working on this mod.
        for id in playing.iter().rev() {
            let only_failed = cx.tests.view.only_failed;
            let of_mod: Vec<ModTest> = cx.tests.tests().iter().filter(|test| test.owner == *id).cloned().collect();
            let n_red = of_mod.iter().filter(|test| cx.tests.state(test) == TestState::Red).count();
            if of_mod.is_empty() || (only_failed && n_red == 0) {
                continue;
            }
            let title = cx.session.view().mods().iter().find(|m| m.id == *id).map_or(id.clone(), |m| m.title.clone());
            let red = if n_red > 0 { format!(" · {n_red} red") } else { String::new() };
            let header =
                RichText::new(format!("{title} · {}{red}", pluralized(of_mod.len(), "test", "tests"))).strong();
            egui::CollapsingHeader::new(header).id_salt(id).default_open(true).show(ui, |ui| {
                let shown = |test: &&ModTest| !only_failed || cx.tests.state(test) == TestState::Red;
                for test in of_mod.iter().filter(shown).cloned().collect::<Vec<_>>() {
                    row(ui, cx, &test);
                }
                let untouched = cx.tests.uncovered().iter().find(|it| it.owner == *id).cloned();
                if let Some(untouched) = untouched.filter(|_| !only_failed) {
                    untested(ui, &untouched);
                }
            });
        }
    });
}

fn row(ui: &mut Ui, cx: &mut UiContext<'_>, test: &ModTest) {
    let (state, result) = (cx.tests.state(test), cx.tests.result(test));
    let (colour, word) = status_style(ui, state);
    let took = result.map(|result| milliseconds(result.took)).unwrap_or_default();
    let about = result.map(|result| result.about.clone()).unwrap_or_default();
    let is_selected = cx.tests.view.selected.as_ref() == Some(test);
    ui.horizontal(|ui| {
        sign(ui, state, colour);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_sized(vec2(46.0, 16.0), egui::Label::new(RichText::new(took).weak().small()));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let label = ui.add(egui::Button::selectable(is_selected, test.name()).truncate());
                let hover = if about.is_empty() { word.to_owned() } else { format!("{about}\n{word}") };
                if let Some(folder) = &test.case.inside {
                    label.context_menu(|ui| file_menu(ui, cx, folder, &test.case.file));
                }
                if label.on_hover_text(hover).clicked() {
                    cx.tests.view.selected = Some(test.clone());
                    cx.tests.view.is_accepting = false;
                }
            });
        });
    });
}

/// Returns the colour and the text of a test's state.
fn status_style(ui: &Ui, state: TestState) -> (Color32, &'static str) {
    match state {
        TestState::Green => (tone_colour(ui, Tone::Good), "green: passes"),
        TestState::Red => (tone_colour(ui, Tone::Bad), "red: fails"),
        TestState::NotRun => (ui.visuals().weak_text_color(), "not run under these rules"),
    }
}

/// Draws the state of a test: a disc if it passes, a cross if it fails, a ring if it has not run.
/// Users who do not see the colours can distinguish the shapes.
fn sign(ui: &mut Ui, state: TestState, colour: Color32) {
    let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
    let (centre, stroke) = (rect.center(), egui::Stroke::new(2.0, colour));
    match state {
        TestState::Green => drop(ui.painter().circle_filled(centre, 4.5, colour)),
        TestState::NotRun => drop(ui.painter().circle_stroke(centre, 4.0, egui::Stroke::new(1.5, colour))),
        TestState::Red => {
            for side in [-1.0, 1.0] {
                let arm = vec2(4.0, 4.0 * side);
                ui.painter().line_segment([centre - arm, centre + arm], stroke);
            }
        }
    }
}

fn untested(ui: &mut Ui, untouched: &UncoveredParts) {
    let UncoveredParts { functions, tiles, n_all: (n_functions, n_tiles), .. } = untouched;
    let of_functions = format!("{n_functions} functions never called; a bar marks their lines");
    ui.add_space(3.0);
    for (names, text) in [(functions, of_functions), (tiles, format!("{n_tiles} tiles never laid"))] {
        if !names.is_empty() {
            let text = format!("Not covered: {} of {text}", names.len());
            ui.label(RichText::new(text).weak().italics().small()).on_hover_text(names.join(", "));
        }
    }
    if functions.is_empty() && tiles.is_empty() {
        ui.label(RichText::new("All functions and tiles are covered").weak().italics().small());
    }
}

/// Draws the selected test: its description, the actions on it and its failures.
fn details(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let Some(test) = cx.tests.view.selected.clone() else {
        ui.weak("Click a test to see its expected and actual values.");
        return;
    };
    ScrollArea::vertical().id_salt("test").auto_shrink(false).show(ui, |ui| {
        let state = cx.tests.state(&test);
        ui.horizontal(|ui| {
            let (colour, _) = status_style(ui, state);
            sign(ui, state, colour);
            ui.strong(test.name());
        });
        let result = cx.tests.result(&test).cloned();
        if let Some(about) = result.as_ref().map(|it| &it.about).filter(|about| !about.is_empty()) {
            ui.label(about);
        }
        ui.horizontal_wrapped(|ui| {
            let run = Action::Tests(TestAction::Run(Box::new(test.clone())));
            action_button(ui, cx, "Run", "Runs this test.", run);
            let n_answers = result.as_ref().and_then(|it| it.failures.first()).map_or(usize::MAX, |it| it.n_answers);
            let about = "Open the test where it fails. To go back, choose Return to my game in the Game menu.";
            let open = Action::Tests(TestAction::OpenAt(Box::new(test.clone()), n_answers));
            action_button(ui, cx, "Show on the board", about, open);
            let line = result.as_ref().and_then(|it| it.failures.first()).map_or(1, |it| it.line as u32);
            let file = &test.case.file;
            action_button(ui, cx, "Open file", &shown_path(file), Action::OpenFile(file.clone(), line));
            if let Some(folder) = &test.case.inside {
                ui.menu_button("…", |ui| file_menu(ui, cx, folder, &test.case.file))
                    .response
                    .accessible_name("Rename or delete this test")
                    .on_hover_text("Rename or delete");
            }
        });
        match result {
            Some(result) if result.failures.is_empty() => {
                ui.weak(format!("All met: {}", pluralized(result.n_expectations, "expectation", "expectations")));
            }
            Some(result) => failures(ui, cx, &test, &result),
            None => drop(ui.weak("Not run yet.")),
        }
    });
}

fn failures(ui: &mut Ui, cx: &mut UiContext<'_>, test: &ModTest, result: &TestResult) {
    for failure in &result.failures {
        ui.separator();
        one_failure(ui, failure);
    }
    ui.separator();
    let Some(acceptance) = &result.acceptance else {
        ui.weak("A move in this test is no longer legal, or the file cannot run: edit the file.");
        return;
    };
    if !cx.tests.view.is_accepting {
        let about = "Show the change to the file before writing it.";
        cx.tests.view.is_accepting |= ui.button("Accept as expected…").on_hover_text(about).clicked();
        return;
    }
    diff(ui, acceptance);
    ui.horizontal(|ui| {
        let accept = Action::Tests(TestAction::Accept(Box::new(test.clone())));
        request_on_click(cx, &ui.button("Write these lines"), accept);
        cx.tests.view.is_accepting &= !ui.button("Cancel").clicked();
    });
}

fn one_failure(ui: &mut Ui, failure: &FailedLine) {
    let Some((expected, actual)) = &failure.expected_and_actual else {
        ui.label(&failure.message);
        return;
    };
    let is_answer = !expected.starts_with("expect ");
    egui::Grid::new(("failure", failure.line)).num_columns(2).show(ui, |ui| {
        ui.weak(format!("line {}", failure.line));
        ui.label(RichText::new(expected).monospace());
        ui.end_row();
        ui.weak(if is_answer { "but" } else { "actual" });
        ui.add(egui::Label::new(RichText::new(actual).color(tone_colour(ui, Tone::Bad))).wrap());
        ui.end_row();
    });
}

/// Draws the lines of the test that change if the user accepts the actual values, before and after
/// the change.
fn diff(ui: &mut Ui, acceptance: &Acceptance) {
    ui.strong(pluralized(acceptance.changes.len(), "line changes", "lines change"));
    for change in &acceptance.changes {
        let line = |ui: &mut Ui, sign: &str, text: &str, tone: Tone| {
            let text = RichText::new(format!("{:>4} {sign} {text}", change.number)).monospace().size(12.0);
            ui.add(egui::Label::new(text.color(tone_colour(ui, tone))).wrap());
        };
        line(ui, "-", &change.old, Tone::Bad);
        match &change.new {
            Some(new) => line(ui, "+", new, Tone::Good),
            None => drop(ui.weak("     removed: a test cannot state what happened here")),
        }
    }
}
