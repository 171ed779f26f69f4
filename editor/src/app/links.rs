//! Games in links: copying a link, and opening a link after the user confirms.

use std::path::{Path, PathBuf};

use egui::Context;
use platform::{fs, outside};
use table::{Diagnostic, Library, Session};
use workshop::link::{Link, LinkSummary, MAX_CHARS_TO_COPY, RECORD_FILE};

use super::App;
use super::start::store_in_new_record;
use crate::files::FilePurpose;
use crate::games::Games;
use crate::notifications::Tone;

/// An action on links, which a panel or a window requests.
#[derive(Clone, Debug)]
pub enum LinkAction {
    /// Copy the game, up to the current position, as a link.
    Copy,
    /// Copy the HTML that shows the board on another website.
    Embed,
    /// Show the window in which the user enters a link.
    Ask,
    /// Show the contents of the link with this text.
    LookAt(String),
    /// Open the game or puzzle in a link.
    Open(Box<Link>),
    /// Ask for the file to which to write the link of the game.
    AsFile,
    /// Write the link of the game to this file.
    Write(PathBuf),
}

impl App {
    /// Performs an action on links.
    pub(super) fn act_on_links(&mut self, ctx: &Context, action: LinkAction) {
        match action {
            LinkAction::Copy => self.copy_link(ctx),
            LinkAction::Embed => self.copy_embedding(ctx),
            LinkAction::Ask => {
                self.dialogs.link.show_field();
                self.view_state.windows.link = true;
            }
            LinkAction::LookAt(text) => self.inspect_link(text),
            LinkAction::Open(link) if link.solution.is_some() => self.open_puzzle(*link),
            LinkAction::Open(link) => self.open_link(*link),
            LinkAction::Write(file) => self.write_link(&file),
            LinkAction::AsFile => self.dialogs.files.ask(FilePurpose::SaveLink, self.store.data.as_deref()),
        }
    }

    /// Returns a link of the game up to the current position, with the mods in play that are not
    /// bundled.
    fn link_of_game(&self) -> Result<Link, Diagnostic> {
        Link::of_game(self.snapshot.loaded(), self.snapshot.record_text())
    }

    fn copy_link(&mut self, ctx: &Context) {
        match self.link_of_game() {
            Ok(link) => {
                let text = link.text();
                if text.len() > MAX_CHARS_TO_COPY {
                    self.dialogs.link.offer_file(text.len());
                    self.view_state.windows.link = true;
                    return;
                }
                let n_letters = text.len();
                ctx.copy_text(format!("{}#{text}", self.settings.address_of_links()));
                let ids: Vec<&str> = link.mods.iter().map(|package| package.id.as_str()).collect();
                let mods = if ids.is_empty() { String::new() } else { format!(" and the mods {}", ids.join(", ")) };
                let text = format!(
                    "copied a link, {n_letters} characters, with the game up to here{mods}. {}",
                    self.opening_hint()
                );
                self.notify(Tone::Good, text);
            }
            Err(refused) => self.notify_refused(&refused),
        }
    }

    /// Copies HTML that shows the board in a frame on another website.
    fn copy_embedding(&mut self, ctx: &Context) {
        let link = match self.link_of_game() {
            Ok(link) => link.text(),
            Err(refused) => return self.notify_refused(&refused),
        };
        let board = self.settings.address_of_board();
        let title = "A game of Bastide";
        ctx.copy_text(format!(
            "<iframe src=\"{board}#{link}\" title=\"{title}\" width=\"640\" height=\"560\" loading=\"lazy\"></iframe>"
        ));
        self.notify(Tone::Good, format!("copied embed code for your page; the code loads {board}"));
    }

    /// Returns a sentence that tells the user how to open a copied link.
    pub(super) fn opening_hint(&self) -> String {
        let address = self.settings.address_of_links();
        match outside::address().is_empty() {
            true => {
                format!(
                    "To open it, choose Open link… in the Game menu, or use a browser if Bastide runs at {address} (see Settings)"
                )
            }
            false => format!("It opens at {address}"),
        }
    }

    fn write_link(&mut self, file: &Path) {
        let written = self.link_of_game().and_then(|link| {
            let cannot = |e| Diagnostic::without_place(format!("{} cannot be written: {e}", file.display()));
            fs::write_output(file, link.text()).map_err(cannot)
        });
        match written {
            Ok(()) => {
                outside::offer_download(file);
                self.notify(Tone::Good, format!("saved {}", file.display()));
            }
            Err(refused) => self.notify_refused(&refused),
        }
    }

    /// Opens the game in a link, with the link's mods in a separate folder.
    fn open_link(&mut self, link: Link) {
        let Some(data) = self.store.data.clone() else {
            self.notify(Tone::Bad, "this link cannot be opened: there is no folder for games and settings");
            return;
        };
        let games = Games::new(&data);
        let folder = games.folder_of_link(&link.text());
        let (file, home) = (folder.join(RECORD_FILE), self.mods.home.clone());
        let opened_file = file.clone();
        let work = move |session: &mut Session| {
            link.write_into(&folder).map_err(|refused| refused.message)?;
            let library = games.library_for(&file, &home);
            let opened = session.open_other_record(&library, &file).map_err(|error| error.to_string())?;
            *session = opened.session;
            store_in_new_record(session, Some(&Games::with_mods(&data, library.paths())));
            Ok::<_, String>(opened.warnings)
        };
        self.replace_game("opening a link", work, move |app, opened| match opened {
            Ok(warnings) => {
                app.notifications.dismiss_all();
                app.notify(Tone::Good, "opened the game of a link; its mods are separate from yours");
                warnings.into_iter().for_each(|warning| app.notify(Tone::Changed, warning));
                app.reset_view();
                app.play.is_playing = false;
                app.add_recent_game(Some(&opened_file));
                app.rewatch_mods();
            }
            Err(error) => app.notify(Tone::Bad, error),
        });
    }

    /// Returns the mods for the record in `file`. For a record that came in a link, the mods of
    /// that link replace the user's mods with the same ids.
    pub(super) fn library_for(&self, file: &Path) -> Library {
        match self.store.data.as_deref().map(Games::new) {
            Some(games) => games.library_for(file, &self.mods.home),
            None => self.mods.home.clone(),
        }
    }

    /// Reads a link in the background, then shows its contents or the reason why it cannot be
    /// opened.
    fn inspect_link(&mut self, text: String) {
        self.dialogs.link.show_reading(text.clone());
        self.view_state.windows.link = true;
        self.read_in_background(READING_A_LINK, move || read_link(&text), App::show_link);
    }

    /// Reads the link in a file in the background, then shows its contents or the reason why it
    /// cannot be opened.
    pub(super) fn inspect_link_file(&mut self, file: &Path) {
        let file = file.to_owned();
        self.dialogs.link.show_reading(String::new());
        self.view_state.windows.link = true;
        self.read_in_background(READING_A_LINK, move || Link::read_file(&file).and_then(with_summary), App::show_link);
    }

    fn show_link(&mut self, read: Result<(Link, LinkSummary), Diagnostic>) {
        if let Err(refused) = &read {
            self.notify_refused(refused);
        }
        self.dialogs.link.show_contents(read);
    }
}

/// The busy message while the program reads a link.
const READING_A_LINK: &str = "reading the link";

fn read_link(text: &str) -> Result<(Link, LinkSummary), Diagnostic> {
    Link::read(text).and_then(with_summary)
}

fn with_summary(link: Link) -> Result<(Link, LinkSummary), Diagnostic> {
    let summary = link.summary()?;
    Ok((link, summary))
}
