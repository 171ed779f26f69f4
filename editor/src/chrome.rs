//! The bars around the panels: the menu bar, the status line and the time bar. Above the time bar,
//! further bars report errors and lead back to the user's game.

use door::PlaytestView;
use egui::containers::menu::{MenuBar, MenuButton};
use egui::{Align, Button, Layout, Panel, RichText, ScrollArea, Ui};
use platform::fs;

use crate::actions::{Action, FileAction, TilesAction};
use crate::board_previews;
use crate::command::{COMMANDS, Command, CommandMenu};
use crate::notifications::{Tone, UndoableChange};
use crate::panels::widgets::{action_button, command_button, request_on_click};
use crate::panels::{self, ButtonIcon, icon_button};
use crate::settings::{HintLevel, Workspace};
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// Draws the menu bar.
pub fn menu(ui: &mut Ui, cx: &mut UiContext<'_>) {
    Panel::top("menu").show(ui, |ui| {
        MenuBar::new().ui(ui, |ui| {
            for group in CommandMenu::ALL {
                MenuButton::new(group.name()).ui(ui, |ui| {
                    // In a low window, a long menu scrolls.
                    ui.set_max_height(ui.ctx().content_rect().bottom() - ui.max_rect().top() - MENU_MARGIN);
                    ScrollArea::vertical().show(ui, |ui| entries(ui, cx, *group));
                });
            }
            // The menus also contain the commands of the items below, so the bar omits these if
            // there is no room.
            let is_wide = ui.available_width() > WIDTH_BESIDE_MENUS;
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if is_wide {
                    let key = Command::Palette.key_text(ui.ctx());
                    let find = ui.add(Button::new("Find a command").shortcut_text(key));
                    let find = find.on_hover_text(Command::Palette.info().about);
                    request_on_click(cx, &find, Action::Command(Command::Palette));
                    hints(ui, cx);
                    ui.separator();
                }
                if ui.available_width() > WORKSPACES_WIDTH {
                    workspaces(ui, cx);
                }
                if ui.available_width() > QUICK_BUTTONS_WIDTH {
                    quick_buttons(ui, cx);
                }
            });
        });
    });
}

/// Draws the entries of a menu.
fn entries(ui: &mut Ui, cx: &mut UiContext<'_>, group: CommandMenu) {
    ui.set_min_width(240.0);
    if group == CommandMenu::Game {
        recent_games(ui, cx);
    }
    let in_menu = |c: &&crate::command::CommandInfo| c.group == group && c.command.answer_number().is_none();
    COMMANDS.iter().filter(in_menu).for_each(|info| entry(ui, cx, info.command));
}

/// Draws a bar below the menus of a tall window, where the menu bar has no room for the switch
/// between the workspaces, undo, redo, the log and the search for commands.
pub fn tools(ui: &mut Ui, cx: &mut UiContext<'_>) {
    if !cx.settings.is_tall {
        return;
    }
    Panel::top("tools").show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                command_button(ui, cx, "Find a command", Command::Palette);
                ui.separator();
                workspaces(ui, cx);
                quick_buttons(ui, cx);
            });
        });
    });
}

/// The width, in points, that the hints, the search for commands, the workspaces and the buttons
/// need beside the menus.
const WIDTH_BESIDE_MENUS: f32 = 560.0;

/// The distance of a menu from the lower edge of the window, in points.
const MENU_MARGIN: f32 = 16.0;

/// The width, in points, that the switch between the two workspaces needs.
const WORKSPACES_WIDTH: f32 = 120.0;

/// The width, in points, that the buttons for undo, redo and the log need.
const QUICK_BUTTONS_WIDTH: f32 = 120.0;

/// The commands with a separator above them in menus.
const SECTION_STARTS: [Command; 18] = [
    Command::SaveCopy,
    Command::GameSetup,
    Command::Quit,
    Command::NextSpot,
    Command::Confirm,
    Command::PreviousTurn,
    Command::GoToStart,
    Command::PlayPause,
    Command::PanLeft,
    Command::BigTile,
    Command::OverlayFields,
    Command::HintsLearn,
    Command::Fullscreen,
    Command::BottomDock,
    Command::ResetLayout,
    Command::KeepChanges,
    Command::Freeze,
    Command::Reload,
];

/// Draws an entry of a menu, which runs a command.
pub fn entry(ui: &mut Ui, cx: &mut UiContext<'_>, command: Command) {
    let info = command.info();
    if SECTION_STARTS.contains(&command) {
        ui.separator();
    }
    // Every entry leaves room for a check mark, so that the names are aligned.
    let mark = egui::IdSalt::new(info.name);
    let button = Button::new((egui::Atom::custom(mark, egui::vec2(12.0, 12.0)), info.name));
    let button = button.shortcut_text(command.key_text(ui.ctx()));
    let shown = ui.add_enabled_ui(is_enabled(cx, command), |ui| button.atom_ui(ui)).inner;
    if let (Some(true), Some(rect)) = (check_mark(cx, command), shown.rect(mark)) {
        let points = [rect.left_center(), rect.center_bottom() - egui::vec2(1.5, 1.5), rect.right_top()];
        ui.painter().add(egui::Shape::line(points.to_vec(), egui::Stroke::new(2.0, ui.visuals().text_color())));
    }
    let response = shown.response.clone().on_hover_text(info.about).on_disabled_hover_text(info.about);
    if let Some(is_on) = check_mark(cx, command) {
        response.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, is_on, info.name));
    }
    if response.clicked() {
        cx.request_command(command);
        ui.close();
    }
}

/// Returns whether the menu shows a check mark for a command. The check mark means that the
/// overlay, hint level, window or setting of the command is on. Returns `None` for a command that
/// never has a check mark.
fn check_mark(cx: &UiContext<'_>, command: Command) -> Option<bool> {
    let (mut overlays, windows) = (cx.view_state.overlays, &cx.view_state.windows);
    if let Some(is_on) = overlays.toggled_by(command) {
        return Some(*is_on);
    }
    Some(match command {
        Command::HintsLearn => cx.hints() == HintLevel::Learn,
        Command::HintsNormal => cx.hints() == HintLevel::Normal,
        Command::HintsPurist => cx.hints() == HintLevel::Purist,
        Command::Coach => cx.settings.coach,
        Command::BigTile => windows.big_tile,
        Command::Remaining => windows.remaining,
        Command::ScoreTrack => windows.track,
        Command::BottomDock => cx.shows_log,
        Command::StartPage => cx.settings.welcome,
        _ => return None,
    })
}

/// Returns whether the menu enables a command. A disabled command would have no effect now.
fn is_enabled(cx: &UiContext<'_>, command: Command) -> bool {
    let session = cx.session;
    match command {
        Command::Rotate | Command::RotateBack | Command::NextSpot | Command::PreviousSpot => {
            crate::ghost_tile::tile(session).is_some()
        }
        Command::Invite | Command::Join => cfg!(not(target_family = "wasm")),
        Command::WriteNote => cx.playtest.is_some_and(PlaytestView::takes_part),
        Command::PreviousTurn
        | Command::PreviousStep
        | Command::Back10
        | Command::GoToStart
        | Command::Redo
        | Command::LetGoOn
            if cx.invitation.is_some_and(|invitation| invitation.n_guests() > 0) =>
        {
            false
        }
        Command::Undo => session.undo_target().is_some(),
        Command::Redo => session.redo_target().is_some(),
        Command::PreviousTurn | Command::PreviousStep | Command::Back10 | Command::GoToStart => {
            session.position_index() > 0
        }
        Command::NextTurn | Command::NextStep | Command::Forward10 | Command::GoToEnd | Command::LetGoOn => {
            !session.is_live()
        }
        Command::OverlayFields | Command::OverlayOwners | Command::OverlayOdds | Command::OverlayValues => {
            cx.hints() != HintLevel::Purist
        }
        Command::NextProblem => !session.problems().is_empty() || !session.run_time_problems().is_empty(),
        Command::KeepChanges => session.changes().is_some(),
        Command::KeepOldRules => session.changes().is_some() || session.divergence().is_some(),
        Command::StopThere | Command::FromHere => session.divergence().is_some(),
        _ => true,
    }
}

/// The size of the picture of a board in the list of recent games, in points.
const PREVIEW: egui::Vec2 = egui::vec2(60.0, 40.0);

fn recent_games(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let games: Vec<_> = cx.settings.games.iter().filter(|game| fs::exists(&game.path)).cloned().collect();
    ui.menu_button("Open recent", |ui| {
        ui.set_min_width(320.0);
        if games.is_empty() {
            ui.weak("No recent games");
        }
        for game in games {
            let name = game.path.file_stem().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
            let day = name.get(..10).filter(|day| day.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(&name);
            let picture = egui::IdSalt::new(&game.path);
            let atoms = (egui::Atom::custom(picture, PREVIEW), game.about.as_str());
            let shown = Button::new(atoms).right_text(RichText::new(day).weak()).atom_ui(ui);
            let texture = game.preview.as_deref().and_then(|file| board_previews::texture(ui.ctx(), file));
            if let (Some(texture), Some(rect)) = (texture, shown.rect(picture)) {
                let size = texture.size_vec2();
                let size = size * (rect.width() / size.x).min(rect.height() / size.y);
                let place = egui::Rect::from_center_size(rect.center(), size);
                panels::widgets::paint_picture(ui.painter(), Some(texture.id()), place, egui::Color32::WHITE);
            }
            if shown.response.on_hover_text(game.path.display().to_string()).clicked() {
                cx.request_action(Action::Open(game.path));
                ui.close();
            }
        }
    });
}

fn hints(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let mut chosen = cx.settings.hints;
    let combo = egui::ComboBox::from_id_salt("hints").selected_text(chosen.name()).width(84.0).show_ui(ui, |ui| {
        for level in HintLevel::ALL {
            ui.selectable_value(&mut chosen, level, level.name()).on_hover_text(level.about());
        }
    });
    ui.label("Hints:").on_hover_text(chosen.about());
    combo.response.accessible_name("Hints");
    if chosen != cx.settings.hints {
        cx.request_command(match chosen {
            HintLevel::Learn => Command::HintsLearn,
            HintLevel::Normal => Command::HintsNormal,
            HintLevel::Purist => Command::HintsPurist,
        });
    }
}

/// Draws the switch between the two workspaces.
fn workspaces(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let about = Command::SwitchWorkspace.info().about;
    let key = Command::SwitchWorkspace.key_text(ui.ctx());
    // The layout places the buttons from right to left.
    for (workspace, name) in [(Workspace::Make, "Make"), (Workspace::Play, "Play")] {
        let is_it = cx.settings.workspace == workspace;
        if ui.selectable_label(is_it, name).on_hover_text(format!("{about} ({key})")).clicked() && !is_it {
            cx.request_command(Command::SwitchWorkspace);
        }
    }
}

/// Draws buttons for the log, undo and redo. Undo and redo replace the time bar, which is hidden
/// with the log.
fn quick_buttons(ui: &mut Ui, cx: &mut UiContext<'_>) {
    ui.separator();
    let shown = ui.selectable_label(cx.shows_log, "Log");
    let shown = shown.on_hover_text(Command::BottomDock.info().about);
    request_on_click(cx, &shown, Action::Command(Command::BottomDock));
    if cx.shows_log {
        return;
    }
    for (icon, command) in [(ButtonIcon::Redo, Command::Redo), (ButtonIcon::Undo, Command::Undo)] {
        let info = command.info();
        let button = icon_button(ui, icon, info.name, info.about, is_enabled(cx, command), 20.0);
        request_on_click(cx, &button, Action::Command(command));
    }
}

/// Draws the status line: the last notification, the mods in play, and whether the game is saved.
pub fn status(ui: &mut Ui, cx: &mut UiContext<'_>) {
    Panel::bottom("status").show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let (text, about) = match (cx.session.save_error(), cx.session.save_location()) {
                    (Some(error), _) => {
                        (RichText::new("not saved").color(tone_colour(ui, Tone::Bad)), error.to_string())
                    }
                    (None, Some(kept)) => {
                        let mut about = format!("Saved after every move in {}", kept.path.display());
                        if let Some(copy) = &kept.set_aside {
                            about += &format!("\nThe game before the rules changed is saved in {}", copy.display());
                        }
                        (RichText::new("saved").weak(), about)
                    }
                    (None, None) => {
                        let about = "This game is not saved automatically. Ctrl+S saves a copy.";
                        (RichText::new("not saved").weak(), about.to_owned())
                    }
                };
                ui.label(text).on_hover_text(about);
                ui.separator();
                if let Some(invitation) = cx.invitation {
                    let text = match invitation.n_guests() {
                        1 => "inviting: 1 guest".to_owned(),
                        n => format!("inviting: {n} guests"),
                    };
                    let shows = ui.small_button(text).on_hover_text("Show the link and the seats.");
                    request_on_click(cx, &shows, Action::Command(Command::Invite));
                    ui.separator();
                }
                // Notifications get more room than permanent information.
                let width = ui.available_width() * 0.4;
                let about = "These mods are in play. The game applies your changes when you save a file of a mod.";
                let titles: Vec<&str> = cx.session.view().mods().iter().map(|m| m.title.as_str()).collect();
                ui.scope(|ui| {
                    ui.set_max_width(width);
                    let label = egui::Label::new(RichText::new(titles.join(" · ")).weak()).truncate();
                    ui.add(label.show_tooltip_when_elided(false))
                        .on_hover_text(format!("{}\n{about}", titles.join("\n")));
                });
                ui.separator();
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| last_notification(ui, cx));
            });
        });
    });
}

/// The width of the button that undoes a removal, in points, with the space beside it.
const UNDO_BUTTON_WIDTH: f32 = 60.0;

/// The width of the window, in points, below which it is taken for a phone.
const NARROW_WIDTH: f32 = 500.0;

/// Draws the busy message, or else the last notification.
pub fn last_notification(ui: &mut Ui, cx: &mut UiContext<'_>) {
    if let Some((what, long)) = &cx.busy {
        ui.spinner();
        ui.label(RichText::new(format!("{what}… {} s", long.as_secs())).strong());
        action_button(ui, cx, "Stop", "Stops as soon as possible; the game stays unchanged.", Action::Stop);
        // Another frame is drawn soon, so that the elapsed seconds are up to date.
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(250));
        return;
    }
    let Some((item, left)) = cx.notifications.current(cx.time) else {
        // A phone has neither room, nor a pointer, nor keys.
        if ui.ctx().content_rect().width() < NARROW_WIDTH {
            return;
        }
        if cx.settings.workspace == Workspace::Play
            && let Some(told) = panels::last_turn(ui, cx)
        {
            let mut about = "The turn before this one. Click for the event log.".to_owned();
            if !cx.notifications.items().is_empty() {
                about += "\n\n";
                about += &notification_history(cx);
            }
            request_on_click(cx, &told.on_hover_text(about), Action::Command(Command::BottomDock));
            return;
        }
        let text = match cx.settings.workspace {
            Workspace::Play => "Point at anything for an explanation. ? lists the keys.",
            Workspace::Make => "The game applies changes when you save a file of a mod.",
        };
        let text = RichText::new(text).weak();
        let label = ui.add(egui::Label::new(text).truncate());
        if !cx.notifications.items().is_empty() {
            label.on_hover_text(notification_history(cx));
        }
        return;
    };
    ui.ctx().request_repaint_after(left);
    let colour = tone_colour(ui, item.tone);
    let first = item.text.lines().next().unwrap_or_default();
    let label = egui::Label::new(RichText::new(first).color(colour)).truncate().show_tooltip_when_elided(false);
    let undo = item.undo.clone();
    ui.scope(|ui| {
        ui.set_max_width(ui.available_width() - if undo.is_some() { UNDO_BUTTON_WIDTH } else { 0.0 });
        ui.add(label).on_hover_text(notification_history(cx));
    });
    if let Some(change) = undo {
        // The button that undoes moves is also called Undo, so this one has another accessible
        // name.
        let button = ui.button("Undo").accessible_name(format!("Bring back {}", change.name()));
        if button.on_hover_text(format!("Brings back {}.", change.name())).clicked() {
            cx.request_action(match change {
                UndoableChange::Removal(removal) => Action::Files(FileAction::Restore(Box::new(removal))),
                UndoableChange::Tile(tile) => Action::Tiles(TilesAction::Restore(Box::new(tile))),
            });
        }
    }
}

/// Lists the last notifications, the newest first.
fn notification_history(cx: &UiContext<'_>) -> String {
    let items = cx.notifications.items().iter().rev().take(12);
    items.map(|item| format!("· {}", item.text)).collect::<Vec<_>>().join("\n")
}

/// Draws a bar above the time bar with a button that returns to the user's game. The bar is shown
/// while the user inspects a test or another game.
pub fn return_bar(ui: &mut Ui, cx: &mut UiContext<'_>) {
    if !cx.has_left_game {
        return;
    }
    Panel::bottom("way back").show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(RichText::new("You are viewing another game; yours is saved.").strong());
            command_button(ui, cx, "Return to my game", Command::BackToGame);
        });
    });
}

/// Draws the time bar: the buttons for undo and replay, and the track of turns.
pub fn time_bar(ui: &mut Ui, cx: &mut UiContext<'_>) {
    Panel::bottom("time").show(ui, |ui| panels::time_bar(ui, cx));
}

/// Draws a bar above the time bar while mods have errors and the game continues under the last
/// valid rules. The bar is at the bottom, because a new bar at the top would move the buttons that
/// the user is about to click.
pub fn banner(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let problems = cx.session.problems();
    if problems.n_errors() == 0 {
        return;
    }
    let Some(first) = problems.list().iter().find(|p| p.severity == table::Severity::Error).cloned() else { return };
    let n = problems.n_errors();
    let bad = tone_colour(ui, Tone::Bad);
    let fill = ui.visuals().panel_fill.lerp_to_gamma(bad, if ui.visuals().dark_mode { 0.2 } else { 0.12 });
    let frame = egui::Frame::new().fill(fill).inner_margin(egui::Margin::symmetric(10, 5));
    Panel::bottom("banner").frame(frame).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(RichText::new("A mod has an error. The game uses the last working rules.").color(bad).strong());
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let text = if n == 1 { "Show problem".to_owned() } else { format!("Show all {n}") };
                request_on_click(cx, &ui.button(text), Action::Command(Command::NextProblem));
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let help = first.help.as_ref().map(|h| format!(" ({h})")).unwrap_or_default();
                    let span = &first.span;
                    let place = if span.is_known() { format!("{}:{}: ", span.file, span.line) } else { String::new() };
                    let text = format!("{place}{}{help}", first.message);
                    ui.add(egui::Label::new(text.as_str()).truncate()).on_hover_text(text);
                });
            });
        });
    });
}
