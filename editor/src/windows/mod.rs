//! The windows that open over the board, one module each.

mod about;
mod awards;
mod big_tile;
mod breakdown;
mod chart;
mod corpus;
mod cover_cards;
mod first_steps;
mod freeze;
mod game_setup;
mod help;
mod help_rules;
mod install;
mod invite;
mod join;
mod keys;
mod link;
mod name_file;
mod new_game;
mod new_mod;
mod palette;
pub(crate) mod place;
mod playtest;
mod print;
mod puzzles;
mod remaining;
mod remove_mod;
mod restore;
mod score_track;
mod settings;
mod track;
mod welcome;

use egui::Context;

pub use big_tile::small_tile_shown_large;
pub use corpus::CorpusWindow;
pub use first_steps::first_steps;
pub use freeze::FreezeWindow;
pub use help::help;
pub use install::InstallWindow;
pub use invite::{chat, invite, replacement, undo_proposal};
pub use join::join;
pub use link::LinkWindow;
pub use name_file::NameFileWindow;
pub use new_game::NewGameWindow;
pub use new_mod::{NewModWindow, mods_folders};
pub use palette::CommandPalette;
pub(crate) use place::behind_dialogs;
pub use playtest::thumbs;
pub use print::PrintWindow;
pub use puzzles::PuzzlesWindow;
pub use remove_mod::remove_mod;
pub use restore::RestoreWindow;
pub use welcome::welcome;

use crate::ui_context::UiContext;

/// Draws the open windows that need only the game and the settings, so that guests have them, too.
pub fn over_board(ctx: &Context, cx: &mut UiContext<'_>) {
    behind_dialogs(ctx, || {
        remaining::remaining(ctx, cx);
        track::track(ctx, cx);
        breakdown::breakdown(ctx, cx);
        big_tile::big_tile(ctx, cx);
    });
    game_setup::game_setup(ctx, cx);
    keys::keys(ctx, cx);
    settings::settings(ctx, cx);
    about::about(ctx, cx);
    playtest::note(ctx, cx);
    playtest::survey(ctx, cx);
}
