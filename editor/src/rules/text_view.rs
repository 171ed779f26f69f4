//! The text of a file: its colours, editing, and the problem at the cursor.

use std::ops::Range;
use std::sync::Arc;

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::text::CCursor;
use egui::{
    Align, EventFilter, FocusDirection, FontId, Frame, Galley, Id, Margin, PopupCloseBehavior, RichText, Role,
    ScrollArea, Stroke, TextBuffer, TextEdit, Ui, UiBuilder, WidgetInfo, vec2,
};
use platform::outside;
use table::Severity;
use workshop::document::EditContext;
use workshop::rule_text::{
    Definition, Language, complete, definition, find_declared, home_position, hover, indented, missing_hooks, name_at,
    toggle_comments, with_aligned_bracket, with_new_line,
};

use super::completion::{CompletionList, full_doc};
use super::find::{FindRequest, SearchBar};
use super::keys::TextCommand;
use super::open_file::{OpenFile, byte_of, char_of, line_of};
use super::text_layout::{FONT_SIZE, TextLayout, mark_colour};
use crate::actions::{Action, TilesAction};
use crate::command::Command;
use crate::notifications::Tone;
use crate::panels::widgets::{action_button, contains_all};
use crate::panels::{pluralized, remember, remembered};
use crate::style::tone_colour;
use crate::ui_context::UiContext;
use crate::view_state::HelpTopic;

/// The width of the gutter with line numbers and marks, in points.
const GUTTER_WIDTH: f32 = 46.0;

/// The result of drawing the text in one frame.
#[derive(Default)]
pub struct TextResponse {
    /// True if the text has the focus.
    pub has_focus: bool,
    /// True if the user requested to save the file.
    pub saves: bool,
}

/// Draws a file: a bar and notices above the text, the text, and one of its problems below.
pub fn show(ui: &mut Ui, cx: &mut UiContext<'_>, file: &mut OpenFile, command: Option<TextCommand>) -> TextResponse {
    let mut response = TextResponse::default();
    // Buttons take the focus when the user clicks them, so the text gets it back one frame later.
    if std::mem::take(&mut file.takes_focus) {
        ui.memory_mut(|memory| memory.request_focus(file.id));
    }
    // The text handles arrow keys and Tab itself, but egui ignores this in the first frame with the
    // focus. Without this call, an arrow key would then move the focus away.
    ui.memory_mut(|memory| {
        if memory.has_focus(file.id) {
            memory.move_focus(FocusDirection::None);
        }
    });
    if let Some(command) = command {
        run_command(ui, cx, file, command, &mut response);
    }
    bar(ui, cx, file, &mut response);
    conflict(ui, cx, file);
    let places = search_bar(ui, file);
    egui::Panel::bottom(file.id.with("below")).show(ui, |ui| problem_line(ui, cx, file));
    text(ui, cx, file, &places, &mut response);
    response
}

/// Draws the bar above the text: the actions on the file.
fn bar(ui: &mut Ui, cx: &mut UiContext<'_>, file: &OpenFile, response: &mut TextResponse) {
    ui.horizontal_wrapped(|ui| {
        if file.is_locked {
            ui.label("Read-only: a bundled mod.");
            let about = "Change the mod until the window closes. Restore mods… in the Mods menu undoes changes.";
            action_button(ui, cx, "Allow changes", about, Action::AllowChanges(file.document.folder().to_owned()));
            ui.separator();
        }
        let is_changed = file.document.is_changed() && !file.is_locked;
        let save = ui.add_enabled(is_changed, egui::Button::new("Save").small());
        let about = "Save the file (Ctrl+S). The running game applies it immediately.";
        response.saves |= save.on_hover_text(about).on_disabled_hover_text("No unsaved changes.").clicked();
        let path = file.document.path();
        if !file.is_locked {
            add_hook(ui, cx, file);
            looks_link(ui, cx, file);
        }
        let menu = ui.small_button(outside::OPEN_LABEL).on_hover_text(outside::OPEN_TOOLTIP);
        if menu.clicked() {
            let line = line_of(file.document.text(), file.cursor(ui.ctx()).1);
            cx.request_action(Action::OpenOutside(path.to_owned(), line as u32));
        }
        let n_errors = file.marks.iter().filter(|mark| mark.severity == Severity::Error).count();
        let n_warnings = file.marks.len() - n_errors;
        if n_errors > 0 {
            ui.colored_label(tone_colour(ui, Tone::Bad), pluralized(n_errors, "error", "errors"))
                .on_hover_text("F8: next problem. The game uses the last working rules.");
        }
        if n_warnings > 0 {
            ui.colored_label(tone_colour(ui, Tone::Changed), pluralized(n_warnings, "warning", "warnings"));
        }
        if is_changed {
            ui.weak("not saved");
        }
        ui.add(egui::Label::new(RichText::new(table::shown_path(path)).weak()).truncate());
    });
}

/// Draws a button that opens the looks of the mod, if the file is its manifest or theme.
fn looks_link(ui: &mut Ui, cx: &mut UiContext<'_>, file: &OpenFile) {
    let name = file.document.path().file_name().and_then(|name| name.to_str());
    if matches!(name, Some("mod.toml" | "theme.toml"))
        && ui.small_button(Command::Looks.info().name).on_hover_text(Command::Looks.info().about).clicked()
    {
        let folder = file.document.folder().to_owned();
        cx.request_action(Action::Tiles(TilesAction::ShowLooks(folder)));
    }
}

/// Draws a menu of the hooks that the script does not define yet.
fn add_hook(ui: &mut Ui, cx: &mut UiContext<'_>, file: &OpenFile) {
    if file.language() != Language::Rhai {
        return;
    }
    let id = Id::unique("hook search");
    // Keeps the list open when the user clicks into the search field.
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let menu = MenuButton::new(RichText::new("Add a hook").small()).config(stays);
    let (button, _) = menu.ui(ui, |ui| {
        ui.set_width(440.0_f32.min(ui.ctx().content_rect().width() * 0.7));
        ui.weak("Functions that the engine calls and this script lacks. A click adds an example at the end.");
        let mut words: String = remembered(ui.ctx(), id);
        let search = TextEdit::singleline(&mut words).id(id).desired_width(f32::INFINITY);
        ui.add(search.hint_text("tile, piece, scored, turn …")).accessible_name("Find a hook");
        ScrollArea::vertical().max_height(ui.ctx().content_rect().height() * 0.5).show(ui, |ui| {
            let hooks = missing_hooks(file.document.text());
            for hook in hooks.iter().filter(|hook| contains_all(&words, &[hook.name, &hook.doc.about])) {
                let row = ui.button(RichText::new(hook.name).monospace()).on_hover_ui(|ui| full_doc(ui, &hook.doc));
                let first = hook.doc.about.split_inclusive(". ").next().unwrap_or_default();
                ui.add(egui::Label::new(RichText::new(first).weak()).wrap().halign(Align::LEFT));
                if row.clicked() {
                    cx.request_action(Action::InsertExample(hook.snippet.clone()));
                    ui.close();
                }
            }
        });
        remember(ui.ctx(), id, words);
    });
    if button.clicked() {
        ui.ctx().memory_mut(|m| m.request_focus(id));
    }
}

/// Draws a choice between two versions, if the user and another program changed the same lines.
fn conflict(ui: &mut Ui, cx: &UiContext<'_>, file: &mut OpenFile) {
    if file.document.theirs().is_none() {
        return;
    }
    let red = tone_colour(ui, Tone::Bad);
    Frame::new().stroke(Stroke::new(1.0, red)).inner_margin(6).corner_radius(4).show(ui, |ui| {
        ui.label("Another program changed the same lines. Choose a version; Undo restores yours.");
        ui.horizontal_wrapped(|ui| {
            if ui.button("Show both").on_hover_text("Put both versions into the text, between marker lines.").clicked()
            {
                file.document.show_both();
            }
            if ui.button("Take theirs").on_hover_text("Discard your changes; Undo restores them.").clicked() {
                file.document.take_theirs();
            }
            if ui.button("Keep mine").on_hover_text("Saving overwrites the other program's changes.").clicked() {
                file.document.keep_mine();
            }
            if file.document.theirs().is_none() {
                file.changed_at = cx.time;
                file.is_checked = false;
            }
        });
    });
}

/// Draws the search bar if it is open. Returns the byte ranges of the matches.
fn search_bar(ui: &mut Ui, file: &mut OpenFile) -> Vec<Range<usize>> {
    let Some(mut find) = file.find.take() else { return Vec::new() };
    let places = find.matches(file.document.text());
    match find.show(ui, places.len()) {
        Some(FindRequest::Close) => {
            file.takes_focus = true;
            return Vec::new();
        }
        Some(FindRequest::Next(is_forward)) => {
            let (a, b) = file.cursor(ui.ctx());
            let (start, end) = (a.min(b), a.max(b));
            let next = if is_forward {
                places.iter().find(|place| place.start >= end && place.end > end).or(places.first())
            } else {
                places.iter().rev().find(|place| place.end <= start).or(places.last())
            };
            if let Some(place) = next {
                file.select(ui.ctx(), place.start, place.end);
                file.shows = Some(place.start);
            }
        }
        None => {}
    }
    file.find = Some(find);
    places
}

/// Draws the problem at the cursor. If there is none, draws a problem in the line of the cursor, or
/// else the first problem of the file.
fn problem_line(ui: &mut Ui, cx: &UiContext<'_>, file: &mut OpenFile) {
    let at = file.cursor(ui.ctx()).1;
    let text = file.document.text();
    let line = line_of(text, at);
    let here = file.marks.iter().find(|mark| (mark.bytes.start..=mark.bytes.end).contains(&at));
    let here =
        here.or_else(|| file.marks.iter().find(|mark| line_of(text, mark.bytes.start) == line)).or(file.marks.first());
    let Some(mark) = here.cloned() else {
        ui.weak(format!("line {line} · no problems in this file"));
        return;
    };
    let place = format!("line {}", line_of(text, mark.bytes.start));
    ui.horizontal_wrapped(|ui| {
        if ui.link(place).on_hover_text("Go to the problem (F8: the next one)").clicked() {
            file.goes_to = Some(mark.bytes.start);
            file.takes_focus = true;
        }
        ui.colored_label(mark_colour(ui, mark.severity), &mark.message);
        if let Some(help) = &mark.help {
            ui.label(RichText::new(help).italics());
        }
        if let Some(word) = mark.correction().filter(|_| !file.is_locked) {
            let button = ui.button(format!("Write {word}"));
            if button.on_hover_text("Replace the marked word.").clicked() {
                let mut text = file.document.text().to_owned();
                if text.get(mark.bytes.clone()).is_some() {
                    text.replace_range(mark.bytes.clone(), word);
                    let after = mark.bytes.start + word.len();
                    file.edit(text, EditContext { before: at, after, at: cx.time, is_typing: false });
                    file.goes_to = Some(after);
                    file.takes_focus = true;
                }
            }
        }
        for note in &mark.notes {
            ui.weak(note);
        }
    });
}

/// Performs the command of a key in the text.
fn run_command(
    ui: &Ui,
    cx: &mut UiContext<'_>,
    file: &mut OpenFile,
    command: TextCommand,
    response: &mut TextResponse,
) {
    let ctx = ui.ctx();
    let (from, to) = file.cursor(ctx);
    let (start, end) = (from.min(to), from.max(to));
    let edit = EditContext { before: to, after: to, at: cx.time, is_typing: false };
    match command {
        TextCommand::Save => response.saves = true,
        TextCommand::Undo | TextCommand::Redo => {
            let before = file.document.text().to_owned();
            let at = if command == TextCommand::Undo { file.document.undo() } else { file.document.redo() };
            if let Some(at) = at {
                file.note_edit(&before, cx.time);
                file.goes_to = Some(at);
            }
        }
        TextCommand::Find => {
            let selected = file.document.text().get(start..end).filter(|it| !it.is_empty() && !it.contains('\n'));
            let words = selected.map(str::to_owned).or_else(|| Some(file.find.take()?.words)).unwrap_or_default();
            file.find = Some(SearchBar { words, takes_focus: true, has_focus: false });
        }
        TextCommand::NextProblem => {
            let next = file.marks.iter().find(|mark| mark.bytes.start > to).or(file.marks.first());
            file.goes_to = next.map(|mark| mark.bytes.start);
        }
        TextCommand::Comment => {
            let changed = toggle_comments(file.language(), file.document.text(), start..end);
            replace(ui, file, changed, edit);
        }
        TextCommand::Indent | TextCommand::Outdent => {
            let changed = indented(file.language(), file.document.text(), start..end, command == TextCommand::Outdent);
            replace(ui, file, changed, edit);
        }
        TextCommand::NewLine => {
            let changed = with_new_line(file.language(), file.document.text(), start..end);
            replace(ui, file, changed, edit);
        }
        TextCommand::LineStart => file.goes_to = Some(home_position(file.document.text(), to)),
        TextCommand::Words => file.asks_words = true,
        TextCommand::NextWord | TextCommand::PreviousWord => {
            if let Some(offered) = &mut file.offered {
                offered.move_selection(command == TextCommand::NextWord);
            }
        }
        TextCommand::TakeWord => file.insert_word(ctx, None, cx.time),
        TextCommand::Definition => go_to_definition(cx, file, to),
        TextCommand::Help => {
            let words = file.document.text();
            let name = words.get(name_at(words, to)).unwrap_or_default();
            cx.view_state.help_topic = Some(match file.language() {
                Language::Toml(_) => HelpTopic::ManifestWord(name.to_owned()),
                _ => HelpTopic::ScriptWord(name.to_owned()),
            });
            cx.view_state.windows.help = true;
        }
        TextCommand::Close if file.offered.take().is_some() => {}
        TextCommand::Close => {
            file.takes_focus |= file.find.take().is_some();
        }
    }
}

/// Goes to the definition of the name at byte `at`. The definition may be in this text or in a
/// manifest of a mod in play.
fn go_to_definition(cx: &mut UiContext<'_>, file: &mut OpenFile, at: usize) {
    let text = file.document.text();
    match definition(file.language(), text, at, &file.vocabulary) {
        Some(Definition::Here(at)) => file.goes_to = Some(at),
        Some(Definition::Declared(name)) => {
            let own = file.document.folder().join("mod.toml");
            let manifests = cx.session.sources().iter().filter(|source| source.path.ends_with("mod.toml"));
            // Searches the manifest of the file's own mod first.
            let mut manifests: Vec<_> = manifests.collect();
            manifests.sort_by_key(|source| source.path != own);
            let found = manifests.iter().find_map(|source| {
                let at = find_declared(&source.text, &name)?;
                Some((source.path.clone(), line_of(&source.text, at)))
            });
            match found {
                Some((path, line)) => cx.request_action(Action::OpenFile(path, line as u32)),
                None => cx.request_action(Action::Tell(
                    Tone::Changed,
                    format!("{name} is declared by a mod that is not in this game"),
                )),
            }
        }
        None => {
            let told = "no definition here: F12 finds functions and declarations; F1 explains other names";
            cx.request_action(Action::Tell(Tone::Changed, told.to_owned()));
        }
    }
}

/// Replaces the text and the selection.
fn replace(ui: &Ui, file: &mut OpenFile, (text, selected): (String, Range<usize>), edit: EditContext) {
    file.edit(text, EditContext { after: selected.end, ..edit });
    file.select(ui.ctx(), selected.start, selected.end);
    file.follows_cursor = true;
}

/// Draws the text with its line numbers and marks, and applies the user's edits.
fn text(ui: &mut Ui, cx: &UiContext<'_>, file: &mut OpenFile, places: &[Range<usize>], response: &mut TextResponse) {
    let all = ui.available_rect_before_wrap();
    let (gutter, area) = all.split_left_right_at_x(all.left() + GUTTER_WIDTH);
    let back = ui.visuals().extreme_bg_color;
    ui.painter().rect_filled(all, 0.0, back);
    let font = FontId::monospace(FONT_SIZE);
    let (id, width, is_locked) = (file.id, area.width(), file.is_locked);
    let mut text = file.document.text().to_owned();
    let goes_to = file.goes_to.take();
    if let Some(at) = goes_to {
        file.select(ui.ctx(), at, at);
    }
    let shows = goes_to.or(file.shows.take());
    let before = file.cursor(ui.ctx()).1;
    let follows = std::mem::take(&mut file.follows_cursor);
    if file.takes_focus {
        ui.ctx().request_repaint();
    }
    let mut child = ui.new_child(UiBuilder::new().max_rect(area));
    let scroll = ScrollArea::both().id_salt(id).auto_shrink([false, false]);
    let shown = scroll.show(&mut child, |ui| {
        let painted = layout(ui, file, &text, &font);
        ui.set_width((painted.size().x + 24.0).max(width - 12.0));
        let mut layouter = |ui: &Ui, text: &dyn TextBuffer, _: f32| layout(ui, file, text.as_str(), &font);
        // Escape closes lists over the text, but the text must keep the focus. Otherwise, the next
        // key would act on the game.
        let filter = EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };
        let unchanged = text.clone();
        let mut read_only: &str = &unchanged;
        let buffer: &mut dyn TextBuffer = if is_locked { &mut read_only } else { &mut text };
        let edit = TextEdit::multiline(buffer)
            .id(id)
            .font(font.clone())
            .frame(Frame::new().inner_margin(Margin::symmetric(4, 2)));
        // The text field also fills the space below the last line, so that the user can click there
        // to set the cursor.
        let edit = edit.desired_width(f32::INFINITY).min_size(vec2(0.0, area.height() - 8.0));
        let edit = edit.desired_rows(4).event_filter(filter).layouter(&mut layouter);
        let output = edit.show(ui);
        if let Some(at) = shows.or(follows.then_some(before)) {
            let cursor = CCursor::new(char_of(&text, at));
            let rect = output.galley.pos_from_cursor(cursor).translate(output.galley_pos.to_vec2());
            ui.scroll_to_rect(rect.expand2(vec2(60.0, 0.0)), shows.map(|_| Align::Center));
        }
        output
    });
    let (output, clip) = (shown.inner, shown.inner_rect);
    ui.advance_cursor_after_rect(all);
    response.has_focus = output.response.has_focus();
    output.response.widget_info(|| WidgetInfo::labeled(Role::MultilineTextInput, true, "Text of the file"));
    let is_typed = text != file.document.text();
    if is_typed {
        let after = output.cursor_range.map_or(before, |range| byte_of(&text, range.primary.index.0));
        file.edit(text, EditContext { before, after, at: cx.time, is_typing: true });
        if let Some((text, after)) = with_aligned_bracket(file.language(), file.document.text(), after) {
            file.edit(text, EditContext { before: after, after, at: cx.time, is_typing: true });
            file.select(ui.ctx(), after, after);
        }
    }
    let look = TextLayout { galley: &output.galley, origin: output.galley_pos, clip, gutter };
    look.paint_matches(ui, file.document.text(), places);
    look.paint_line_numbers(ui, file);
    look.paint_untested(ui, cx, file);
    look.paint_marks(ui, file);
    look.paint_filters(ui, file);
    update_completions(ui, cx, file, &look, is_typed);
    if file.offered.is_none() {
        word_help(ui, file, &look, &output.response);
    }
}

/// Updates the completion list after the user typed, requested the list or moved the cursor. Draws
/// the list if it is open.
fn update_completions(ui: &Ui, cx: &UiContext<'_>, file: &mut OpenFile, look: &TextLayout<'_>, is_typed: bool) {
    let asks = std::mem::take(&mut file.asks_words);
    let (from, at) = file.cursor(ui.ctx());
    let is_beside = file.offered.as_ref().is_some_and(|it| at != it.completion.bytes.end);
    if is_typed || asks || is_beside {
        let text = file.document.text().to_owned();
        let language = file.language();
        // The list stays open while the user continues the word. It closes when the user deletes
        // the word or moves the cursor away.
        let goes_on = text
            .get(..at)
            .is_some_and(|before| before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.'));
        let wants = from == at && (asks || (is_typed && goes_on));
        let vocabulary = file.vocabulary.clone();
        let spans = file.highlighted(&text, ui.visuals(), &FontId::monospace(FONT_SIZE)).1;
        let found = wants.then(|| complete(language, &text, spans, at, &vocabulary, asks)).flatten();
        file.offered = found.map(|found| CompletionList::new(found, asks));
    }
    let Some(mut offered) = file.offered.take() else { return };
    let start = CCursor::new(char_of(file.document.text(), offered.completion.bytes.start));
    let rect = look.galley.pos_from_cursor(start).translate(look.origin.to_vec2());
    let clicked = offered.show(ui, file.id.with("words"), rect.left_bottom(), rect.height());
    file.offered = Some(offered);
    if let Some(clicked) = clicked {
        file.insert_word(ui.ctx(), Some(clicked), cx.time);
        file.takes_focus = true;
    }
}

/// Shows help about the word under the pointer when the pointer rests.
fn word_help(ui: &Ui, file: &mut OpenFile, look: &TextLayout<'_>, response: &egui::Response) {
    let rests = ui.input(|input| input.pointer.time_since_last_movement() > 0.2);
    let Some(pointer) = response.hover_pos().filter(|at| rests && look.clip.contains(*at)) else { return };
    let text = file.document.text().to_owned();
    let at = byte_of(&text, look.galley.cursor_from_pos(pointer - look.origin).index.0);
    let (language, vocabulary) = (file.language(), file.vocabulary.clone());
    let spans = file.highlighted(&text, ui.visuals(), &FontId::monospace(FONT_SIZE)).1;
    let Some((bytes, docs)) = hover(language, &text, spans, at, &vocabulary) else { return };
    let is_over = look.rect(&text, &bytes).is_some_and(|rect| rect.contains(pointer));
    let is_marked = file.marks.iter().any(|mark| mark.bytes.contains(&at));
    if is_over && !is_marked {
        response.clone().on_hover_ui_at_pointer(|ui| {
            ui.set_max_width(420.0);
            for doc in docs.iter().take(3) {
                full_doc(ui, doc);
            }
            ui.weak("F1: more in Help");
        });
    }
}

/// Lays out the text in its colours. The colours are cached.
fn layout(ui: &Ui, file: &mut OpenFile, text: &str, font: &FontId) -> Arc<Galley> {
    let visuals = ui.visuals().clone();
    let job = file.highlighted(text, &visuals, font).0.clone();
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}
