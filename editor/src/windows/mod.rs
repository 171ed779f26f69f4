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

pub use about::about;
pub use big_tile::{big_tile, small_tile_shown_large};
pub use breakdown::breakdown;
pub use corpus::CorpusWindow;
pub use first_steps::first_steps;
pub use freeze::FreezeWindow;
pub use game_setup::game_setup;
pub use help::help;
pub use install::InstallWindow;
pub use invite::{chat, invite, replacement, undo_proposal};
pub use join::{JoinDraft, join};
pub use keys::keys;
pub use link::LinkWindow;
pub use name_file::NameFileWindow;
pub use new_game::NewGameWindow;
pub use new_mod::NewModWindow;
pub use palette::CommandPalette;
pub use playtest::{PlaytestDrafts, note, survey, thumbs};
pub use print::PrintWindow;
pub use puzzles::PuzzlesWindow;
pub use remaining::remaining;
pub use remove_mod::remove_mod;
pub use restore::RestoreWindow;
pub use settings::settings;
pub use track::track;
pub use welcome::welcome;

/// Returns a window that opens in the middle of the screen. It has the given width and height, in
/// points, but is never larger than the screen.
pub(crate) fn centred<'w>(ctx: &egui::Context, title: &str, [width, height]: [f32; 2]) -> egui::Window<'w> {
    let room = ctx.content_rect();
    let size = egui::vec2(width, height).min(room.size() - egui::Vec2::splat(40.0));
    let corner = room.center() - 0.5 * size;
    egui::Window::new(title.to_owned()).default_pos(corner).default_size(size).collapsible(false)
}

/// Returns the rectangle of a window with this size, in points. The window is left of the middle of
/// the screen, so that the panels on the right stay visible. If the screen is too small, the
/// rectangle is smaller.
fn beside_middle(ctx: &egui::Context, size: egui::Vec2) -> egui::Rect {
    let screen = ctx.content_rect();
    let size = size.min(screen.size() - egui::vec2(40.0, 90.0));
    let centre = screen.center() - egui::vec2(screen.width() * 0.11, 10.0);
    egui::Rect::from_center_size(centre, size)
}
