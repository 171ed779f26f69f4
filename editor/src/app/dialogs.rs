//! The windows that open over the panels: drawing them, and closing them with a key.

use std::path::Path;

use egui::Context;

use crate::files::FileChooserWindow;
use crate::ui_context::UiContext;
use crate::windows::{
    self, CommandPalette, CorpusWindow, FreezeWindow, InstallWindow, LinkWindow, NameFileWindow, NewGameWindow,
    NewModWindow, PrintWindow, PuzzlesWindow, RestoreWindow,
};

/// The windows that keep something between frames. [`Windows`](crate::view_state::Windows) says
/// which windows are open.
#[derive(Default)]
pub(super) struct Dialogs {
    pub palette: CommandPalette,
    pub files: FileChooserWindow,
    /// True if file dialogs of the desktop may open.
    pub has_system_dialogs: bool,
    pub new_game: NewGameWindow,
    pub new_mod: NewModWindow,
    pub freeze: FreezeWindow,
    pub install: InstallWindow,
    pub print: PrintWindow,
    pub link: LinkWindow,
    pub name_file: NameFileWindow,
    pub puzzles: PuzzlesWindow,
    pub corpus: CorpusWindow,
    pub restore: RestoreWindow,
}

impl Dialogs {
    /// Draws all open windows except the palette and the choice of a file. `data` is the folder for
    /// settings and games.
    pub fn show(&mut self, ctx: &Context, cx: &mut UiContext<'_>, data: Option<&Path>) {
        windows::over_board(ctx, cx);
        windows::help(ctx, cx);
        windows::invite(ctx, cx);
        windows::join(ctx, cx);
        windows::replacement(ctx, cx);
        windows::remove_mod(ctx, cx);
        self.new_game.show(ctx, cx);
        self.new_mod.show(ctx, cx, data);
        self.freeze.show(ctx, cx);
        self.install.show(ctx, cx);
        self.print.show(ctx, cx);
        self.link.show(ctx, cx);
        self.name_file.show(ctx, cx);
        self.puzzles.show(ctx, cx);
        self.corpus.show(ctx, cx);
        self.restore.show(ctx, cx);
    }

    /// Returns whether the palette or the choice of a file is open.
    pub fn is_open(&self) -> bool {
        self.palette.is_open() || self.files.is_open()
    }
}
