//! Performs commands and actions.

use std::path::Path;

use egui::{Context, ViewportCommand};
use table::{Answer, AwaitedActor, Session};

use super::App;
use crate::actions::{Action, BalanceAction, LinkAction, RestoreAction};
use crate::command::{Command, CommandMenu};
use crate::file_choice::FilePurpose;
use crate::ghost_tile;
use crate::jobs::PictureKind;
use crate::layout;
use crate::notifications::Tone;
use crate::panels::Pane;
use crate::settings::{HintLevel, LastGame, Workspace};
use crate::table_view::GuestRequest;
use crate::test_bench::TestSelection;
use crate::view_state::{HelpTopic, Overlays, ViewMove, Windows};

impl App {
    /// Performs an action that a panel requested.
    pub fn act(&mut self, ctx: &Context, action: Action) {
        match action {
            Action::Answer(choice) => self.answer(choice),
            Action::Command(command) => self.run_command(ctx, command),
            Action::GoTo(n) => self.go_to_position(n),
            Action::SwitchTo(branch) => self.switch_to_branch(branch),
            Action::Invite(address) => self.invite(address),
            Action::ReplaceGame(replaces) => self.answer_replacement(replaces),
            Action::Guests(request) => self.act_on_guests(request),
            Action::Join(link) => self.join(&link),
            Action::SetBot(seat, _) if self.snapshot.guests().contains(seat) => {
                self.notify(Tone::Changed, "a guest plays this seat: free it in Invite… first");
            }
            Action::HandOver(seat) => self.change_game("handing over", move |session| session.hand_over(seat)),
            Action::SetBot(seat, bot) => {
                self.change_game("replacing a player", move |session| session.set_bot(seat, bot.as_deref()));
            }
            Action::Begin(setup) => self.begin(*setup),
            Action::Open(path) => self.open(path),
            Action::AskInput(wanted) => self.dialogs.files.ask(wanted, self.store.data.as_deref()),
            Action::AskOutput(wanted, name) => self.dialogs.files.ask_output(wanted, &name),
            Action::AddMods(path) => {
                self.add_mods(path);
                self.show_pane(Pane::Mods);
            }
            Action::PlayBy(chosen) => self.reload(Some(chosen)),
            Action::LookAtDisk => self.change_game("looking for mods", Session::read_mods_on_disk),
            Action::Stop => {
                if !self.stop_reading() && !self.stop_thinker() && !self.stop_drawing() {
                    self.thread.stop();
                }
            }
            Action::OpenFile(path, line) => self.open_text(&path, line),
            Action::OpenOutside(path, line) => self.open_outside(&path, line),
            Action::InsertExample(example) => self.insert_example(ctx, &example),
            Action::Saved => self.apply_saved(),
            Action::Tell(tone, text) => self.notify(tone, text),
            Action::Keep(file) => self.queue_file(file),
            Action::MakeMod(wanted) => self.make_mod(*wanted),
            Action::DrawTile(name) => self.replace_draw(name),
            Action::Package(action) => self.act_on_packages(action),
            Action::Print(file) => self.write_sheets(ctx, file),
            Action::MakeBook(ids, file) => self.make_book(ctx, ids, file),
            Action::Link(action) => self.act_on_links(ctx, action),
            Action::Files(action) => self.act_on_files(action),
            Action::Puzzle(action) => self.act_on_puzzles(ctx, action),
            Action::Lesson(action) => self.act_on_lessons(action),
            Action::Restore(action) => self.act_on_originals(action),
            Action::Draw(drawn, file) => self.draw_game(ctx, drawn, file),
            Action::AllowChanges(folder) => self.unlock_mod(folder),
            Action::Tests(action) => self.act_on_tests(ctx, action),
            Action::Corpus(action) => self.act_on_corpus(ctx, action),
            Action::Balance(action) => self.act_on_balance(ctx, action),
            Action::Tiles(action) => self.act_on_tiles(action),
        }
        ctx.request_repaint();
    }

    /// Runs a command.
    pub fn run_command(&mut self, ctx: &Context, command: Command) {
        if self.panes.tiles.handle_command(command, self.is_anything_open(ctx)) {
            return;
        }
        let view = &mut self.view_state;
        if let Some(is_open) = view.windows.toggled_by(command) {
            *is_open = !*is_open;
        } else if let Some(is_on) = view.overlays.toggled_by(command) {
            *is_on = !*is_on;
            self.hide_help_from_purists();
        } else if let Some(moved) = ViewMove::requested_by(command) {
            view.moves.push(moved);
        } else if let Some(pane) = Pane::shown_by(command) {
            self.show_pane(pane);
        } else {
            match command.info().group {
                CommandMenu::Game => self.run_game_command(ctx, command),
                CommandMenu::Move => self.run_move_command(ctx, command),
                CommandMenu::Time => self.run_time_command(command),
                CommandMenu::View => self.run_view_command(ctx, command),
                CommandMenu::Windows => self.run_windows_command(ctx, command),
                CommandMenu::Mods => self.run_mods_command(ctx, command),
                CommandMenu::Help => self.run_help_command(command),
            }
        }
    }

    fn run_game_command(&mut self, ctx: &Context, command: Command) {
        let seen = self.snapshot.clone();
        match command {
            Command::PlayAgain => {
                let setup = LastGame::from_setup(seen.setup()).setup();
                self.begin(if self.is_exercise() { self.settings.setup_of_last_game() } else { setup });
            }
            Command::OpenRecord => self.dialogs.files.ask(FilePurpose::OpenRecord, self.store.data.as_deref()),
            Command::BackToGame => self.return_to_game(),
            Command::SaveCopy => self.dialogs.files.ask_output(FilePurpose::SaveCopy, "my.game"),
            Command::CopyRecord => {
                ctx.copy_text(seen.record_text());
                self.notify(Tone::Good, "copied the game as text");
            }
            Command::PictureOfMoment => self.ask_picture_path(PictureKind::Moment),
            Command::PictureOfGame => self.ask_picture_path(PictureKind::Game),
            Command::CopyEmbedding => self.act_on_links(ctx, LinkAction::Embed),
            Command::CopyMove => self.act_on_links(ctx, LinkAction::CopyMove),
            Command::CopyLink => self.act_on_links(ctx, LinkAction::Copy),
            Command::OpenLink => {
                self.dialogs.link.show_field();
                self.view_state.windows.link = true;
            }
            Command::FindPuzzles => {
                self.view_state.windows.puzzles = true;
                self.dialogs.puzzles.start_search(ctx, &seen, self.settings.palette.clone());
            }
            Command::Join => self.ask_to_join(),
            Command::WriteNote => self.begin_note(),
            Command::Quit => ctx.send_viewport_cmd(ViewportCommand::Close),
            _ => table::never!("no code runs the command {command:?}"),
        }
    }

    fn run_move_command(&mut self, ctx: &Context, command: Command) {
        let seen = self.snapshot.clone();
        if let Some(n) = command.answer_number() {
            if let Some(shown) = seen.view().option_views().get(n) {
                self.answer(shown.answer);
            }
            return;
        }
        let (insight, view) = (&mut self.insight, &mut self.view_state);
        match command {
            Command::Rotate => ghost_tile::rotate(&seen, insight, view, true),
            Command::RotateBack => ghost_tile::rotate(&seen, insight, view, false),
            Command::NextSpot => ghost_tile::choose_next_spot(&seen, insight, view, true),
            Command::PreviousSpot => ghost_tile::choose_next_spot(&seen, insight, view, false),
            Command::Confirm => self.confirm(),
            Command::Pass => self.pass(),
            // If menus or lists of egui are open, closes only these.
            Command::TakeBack if egui::Popup::is_any_open(ctx) => egui::Popup::close_all(ctx),
            Command::TakeBack => self.close_or_cancel(),
            _ => table::never!("no code runs the command {command:?}"),
        }
    }

    fn run_time_command(&mut self, command: Command) {
        let at = self.snapshot.position_index();
        match command {
            Command::Undo if self.has_guests() => self.act_on_guests(GuestRequest::ProposeUndo),
            Command::Undo => self.go_to_if_some(self.snapshot.undo_target()),
            Command::Redo => self.go_to_if_some(self.snapshot.redo_target()),
            Command::PreviousTurn => self.go_to_position(self.snapshot.turns_away(-1)),
            Command::NextTurn => self.go_to_position(self.snapshot.turns_away(1)),
            Command::Back10 => self.go_to_position(self.snapshot.turns_away(-10)),
            Command::Forward10 => self.go_to_position(self.snapshot.turns_away(10)),
            Command::PreviousStep => self.go_to_position(at.saturating_sub(1)),
            Command::NextStep => self.go_to_position(at + 1),
            Command::GoToStart => self.go_to_position(0),
            Command::GoToEnd => self.go_to_position(usize::MAX),
            Command::PlayPause => self.play.is_paused = !self.play.is_paused,
            Command::LetGoOn => self.answer_and_continue(),
            _ => table::never!("no code runs the command {command:?}"),
        }
    }

    fn run_view_command(&mut self, ctx: &Context, command: Command) {
        match command {
            Command::HintsLearn => self.set_hints(HintLevel::Learn),
            Command::HintsNormal => self.set_hints(HintLevel::Normal),
            Command::HintsPurist => self.set_hints(HintLevel::Purist),
            Command::Coach => self.settings.coach = !self.settings.coach,
            Command::SwitchWorkspace => self.switch_workspace(),
            Command::Fullscreen => {
                let is_full = ctx.input(|i| i.viewport().fullscreen.unwrap_or(false));
                ctx.send_viewport_cmd(ViewportCommand::Fullscreen(!is_full));
            }
            _ => table::never!("no code runs the command {command:?}"),
        }
    }

    fn run_windows_command(&mut self, ctx: &Context, command: Command) {
        match command {
            Command::Palette => self.dialogs.palette.toggle(),
            Command::BottomDock if self.has_cards(ctx) => self.settings.shows_log = !self.settings.shows_log,
            Command::BottomDock => {
                layout::toggle_dock(&mut self.panes.tree);
                self.store_layout();
            }
            Command::EventLog if self.has_cards(ctx) => self.settings.shows_log = true,
            Command::EventLog => self.show_pane(Pane::Log),
            Command::Rules => self.show_rules(),
            Command::Tiles => {
                self.panes.tiles.capture_keys();
                self.show_pane(Pane::Tiles);
            }
            Command::ResetLayout => {
                self.panes.tree = layout::default_tree();
                self.settings.layout = None;
                self.settings.is_resized = false;
                self.settings.is_tall = false;
            }
            _ => table::never!("no code runs the command {command:?}"),
        }
    }

    fn run_mods_command(&mut self, ctx: &Context, command: Command) {
        match command {
            Command::NewTile => {
                let guide = self.settings.guide.as_ref();
                self.panes.tiles.begin_sketch(guide.map(|guide| guide.id.as_str()));
                self.show_pane(Pane::Tiles);
            }
            Command::Looks => {
                let guide = self.settings.guide.as_ref();
                self.panes.tiles.begin_looks(guide.map(|guide| guide.id.as_str()));
                self.show_pane(Pane::Tiles);
            }
            Command::Install => self.dialogs.files.ask(FilePurpose::Package, None),
            Command::MakeBook => self.ask_book_of_game(),
            Command::RestoreMods => self.act_on_originals(RestoreAction::LookAt),
            Command::AllowChanges => {
                if let Some(folder) = self.panes.rules.shown_folder().map(Path::to_owned) {
                    self.unlock_mod(folder);
                }
            }
            Command::Freeze => self.freeze(),
            Command::RunTests => {
                self.show_pane(Pane::Tests);
                self.run_tests(ctx, TestSelection::All(Vec::new()));
            }
            Command::RunBalance => {
                self.show_pane(Pane::Balance);
                self.act_on_balance(ctx, BalanceAction::Run);
            }
            Command::CompareFolder => {
                self.show_pane(Pane::Balance);
                self.dialogs.files.ask(FilePurpose::CompareFolder, None);
            }
            Command::StopBalance => self.benches.balance.stop(),
            Command::Reload => self.reload(None),
            Command::KeepChanges => self.change_game("accepting the new rules", Session::accept_changes),
            Command::KeepOldRules => self.keep_old_rules(),
            Command::StopThere => self.change_game("rewinding", Session::continue_to_divergence),
            Command::FromHere => self.continue_from_position(),
            _ => table::never!("no code runs the command {command:?}"),
        }
    }

    fn run_help_command(&mut self, command: Command) {
        match command {
            Command::Learn => self.open_next_lesson(),
            Command::RulesOfGame => self.open_help(HelpTopic::RulesOfGame),
            Command::Tutorial => self.open_help(HelpTopic::Tutorial),
            Command::FirstSteps => {
                self.settings.first_steps = true;
                if self.settings.guide.is_none() {
                    self.settings.workspace = Workspace::Make;
                }
                self.show_pane(Pane::Board);
            }
            Command::StartPage => self.settings.welcome = !self.settings.welcome,
            _ => table::never!("no code runs the command {command:?}"),
        }
    }

    /// Opens the help at a topic.
    fn open_help(&mut self, topic: HelpTopic) {
        self.view_state.help_topic = Some(topic);
        self.view_state.windows.help = true;
    }

    fn set_hints(&mut self, hints: HintLevel) {
        self.settings.hints = hints;
        self.hide_help_from_purists();
        if hints == HintLevel::Purist {
            self.view_state.windows.remaining = false;
        }
    }

    /// At the hint level Purist, hides the overlays that help the player.
    fn hide_help_from_purists(&mut self) {
        if self.settings.hints == HintLevel::Purist {
            let overlays = self.view_state.overlays;
            self.view_state.overlays =
                Overlays { fields: false, owners: false, odds: false, values: false, ..overlays };
        }
    }

    fn go_to_if_some(&mut self, target: Option<usize>) {
        if let Some(n) = target {
            self.go_to_position(n);
        }
    }

    /// Places the tile on the chosen spot, or else on the spot under the pointer. If the tile
    /// cannot be placed there, chooses the next legal spot.
    ///
    /// If there is no tile to place and a person is to move, submits the highlighted answer. If no
    /// person is to move, starts or pauses the replay or the bots.
    fn confirm(&mut self) {
        let seen = self.snapshot.clone();
        // At the end of the branch, the bot places its own tile. At a past position, the user may
        // move in place of the bot.
        if matches!(seen.awaited_actor(), AwaitedActor::Bot(_)) && seen.is_live() {
            return self.pass();
        }
        if ghost_tile::tile(&seen).is_none() {
            // If no answer is highlighted, Enter does not pass, because a player could press it by
            // accident. Space is the key for passing.
            return match (seen.awaited_actor(), self.view_state.preview) {
                (AwaitedActor::Person(_), Some(marked)) => self.answer(marked),
                (AwaitedActor::Person(_), None) if self.can_pass() => self.notify(
                    Tone::Changed,
                    "nothing is selected: press a number, click a choice, or press Space to pass",
                ),
                (AwaitedActor::Person(_), None) => {
                    self.notify(Tone::Changed, "nothing is selected: press a number or click a choice");
                }
                _ => self.pass(),
            };
        }
        match ghost_tile::placement(&seen, &mut self.insight, &self.view_state) {
            Some(choice) => self.answer(choice),
            None => ghost_tile::choose_next_spot(&seen, &mut self.insight, &mut self.view_state, true),
        }
    }

    /// Returns whether passing is one of the choices.
    fn can_pass(&self) -> bool {
        self.snapshot.view().option_views().iter().any(|s| s.answer == Answer::Pass)
    }

    /// Passes if a person is to move and may pass. Does nothing if a person is to move at the end
    /// of the branch and may not pass. In all other cases, starts or pauses the replay or the bots.
    fn pass(&mut self) {
        match self.snapshot.awaited_actor() {
            AwaitedActor::Person(_) if self.can_pass() => self.answer(Answer::Pass),
            AwaitedActor::Person(_) if self.snapshot.is_live() => {}
            _ => self.play.is_paused = !self.play.is_paused,
        }
    }

    /// Runs the command of a key. While the board is hidden, the keys of the Move menu, Undo and
    /// Redo do not change the game, because the user may press them in another panel. While the
    /// rule editor shows a file, the key of [`Command::SaveCopy`] saves this file instead, and the
    /// key that closes windows gives the text the focus.
    pub(super) fn run_key_command(&mut self, ctx: &Context, command: Command) {
        // In a playtest, N writes a note, as on the page of guests.
        let command = if command == Command::OverlayNames && self.takes_part() { Command::WriteNote } else { command };
        let is_seen = |pane| self.is_seen(pane);
        let acts_on_game =
            command.info().group == CommandMenu::Move || matches!(command, Command::Undo | Command::Redo);
        if command == Command::SaveCopy && is_seen(Pane::Rules) && !self.panes.rules.is_empty() {
            self.panes.rules.request_save();
        } else if !acts_on_game || is_seen(Pane::Board) {
            self.run_command(ctx, command);
        } else if !self.panes.tiles.handle_command(command, self.is_anything_open(ctx)) && command == Command::TakeBack
        {
            egui::Popup::close_all(ctx);
            if self.close_windows() && self.is_seen(Pane::Rules) {
                self.panes.rules.request_focus();
            }
        }
    }

    /// Closes the first of these elements that is open: the explanation of awards; windows; the
    /// large view of a small tile; the details of a clicked piece; the tooltip of a pinned feature.
    ///
    /// If none of them is open, picks up the unconfirmed tile. If there is no such tile, discards
    /// the spot that the user chose with keys or a tap.
    fn close_or_cancel(&mut self) {
        if !std::mem::take(&mut self.view_state.explained).is_empty() || self.close_windows() {
            return;
        }
        if self.view_state.small_tile.is_some() && self.view_state.closed_at != Some(self.snapshot.revision()) {
            self.view_state.closed_at = Some(self.snapshot.revision());
            return;
        }
        if self.view_state.piece.take().is_some() || self.view_state.pinned.take().is_some() {
            return;
        }
        let session = &self.snapshot;
        let is_proposal = session.is_live() && matches!(session.awaited_actor(), AwaitedActor::Person(_));
        let laid = session.position_index().checked_sub(1).and_then(|i| session.steps()[i].laid);
        if is_proposal && laid.is_some() {
            self.pick_up_tile();
        } else {
            self.view_state.chosen = None;
        }
    }

    /// Returns whether a window is open that takes the keys of the board behind it.
    pub(super) fn has_modal_window(&self) -> bool {
        self.view_state.windows.needs_keys() || self.view_state.help_has_keys || self.dialogs.is_open()
    }

    /// Returns whether any window, menu or list is open.
    pub(super) fn is_anything_open(&self, ctx: &Context) -> bool {
        self.view_state.windows != Windows::default() || self.dialogs.is_open() || egui::Popup::is_any_open(ctx)
    }

    /// Closes all open windows; returns whether any were open.
    pub(super) fn close_windows(&mut self) -> bool {
        let windows = std::mem::take(&mut self.view_state.windows);
        let was_open = windows != Windows::default() || self.dialogs.is_open();
        self.dialogs.palette.close();
        self.dialogs.files.close();
        was_open
    }
}
