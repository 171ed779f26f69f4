//! The commands. Each module contains the arguments of a command and the function that runs it.

pub mod book;
pub mod bot;
pub mod check;
pub mod completions;
pub mod docs;
pub mod export;
pub mod host;
pub mod install;
pub mod join;
pub mod manual;
pub mod migrate;
pub mod new;
pub mod pack;
pub mod picture;
pub mod play;
pub mod playtests;
pub mod print;
pub mod puzzle;
pub mod replay;
mod replay_all;
mod replay_fair;
pub mod sim;
pub mod test;
pub mod tiles;
pub mod train;
