//! Games in links: copying a link, and opening a link after the user confirms.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use egui::Context;
use platform::{fs, outside};
use table::{Actor, AwaitedActor, Diagnostic, Library, Seat, SeatSet, Session, Step};
use workshop::link::{Link, LinkSummary, MAX_CHARS_TO_COPY, RECORD_FILE};

use super::App;
use super::start::{record_news, store_in_new_record};
use crate::actions::LinkAction;
use crate::files::deliver_file;
use crate::games::Games;
use crate::guest;
use crate::notifications::Tone;
use crate::seal_secret::seal_secret;
use crate::shown_error::ShownError;

impl App {
    /// Performs an action on links.
    pub(super) fn act_on_links(&mut self, ctx: &Context, action: LinkAction) {
        match action {
            LinkAction::Copy => self.copy_link(ctx, false),
            LinkAction::CopyMove => self.copy_move(),
            LinkAction::Embed => self.copy_embedding(ctx),
            LinkAction::LookAt(text) if guest::is_link(&text) => self.propose_to_join(&text),
            LinkAction::LookAt(text) => self.inspect_link(text),
            LinkAction::Open(link) if link.solution.is_some() => self.open_puzzle(*link),
            LinkAction::Open(link) => self.open_link(*link),
            LinkAction::Write(file) => self.write_link(&file),
        }
    }

    /// Returns a link of the game up to the current position, with the mods in play that are not
    /// bundled. In a game by correspondence, the link is for the player to move.
    fn link_of_game(&self) -> Result<Link, Diagnostic> {
        let plays = self.correspondent().map(|seat| self.snapshot.view().record_name(seat).to_owned());
        Ok(Link::of_game(self.snapshot.loaded(), self.snapshot.record_text())?.for_player(plays))
    }

    /// Returns the link of the game. If there is none, notifies the user.
    fn link_or_notify(&mut self) -> Option<Link> {
        self.ok_or_notify_refused(self.link_of_game())
    }

    /// Returns the player to move, if a person plays this player on another computer by
    /// correspondence.
    pub(super) fn correspondent(&self) -> Option<Seat> {
        self.snapshot.guest_to_move().filter(|_| self.play.invitation.is_none())
    }

    /// Copies a link with which the next player continues the game on another computer. From then
    /// on, this window plays only the seats of the person who has moved.
    fn copy_move(&mut self) {
        if self.is_exercise() || self.has_guests() {
            return self.notify(Tone::Changed, "only your own game without guests can be played by links");
        }
        let (ctx, data, is_paused) = (self.frames.ctx.clone(), self.store.data.clone(), self.play.is_paused);
        let work = move |session: &mut Session| hand_over_to_next(session, data.as_deref(), is_paused);
        self.run_on_game_thread("copying your move", work, move |app, handed| match handed {
            Ok(()) => app.copy_link(&ctx, true),
            Err(why) => app.notify(Tone::Changed, why),
        });
    }

    /// Copies the link of the game; `is_move` is true if the user sends it to the next player.
    fn copy_link(&mut self, ctx: &Context, is_move: bool) {
        let Some(link) = self.link_or_notify() else { return };
        let text = link.text();
        let n_letters = text.len();
        if n_letters > MAX_CHARS_TO_COPY {
            self.dialogs.link.offer_file(n_letters);
            self.view_state.windows.link = true;
            return;
        }
        ctx.copy_text(format!("{}#{text}", self.settings.address_of_links()));
        let hint = self.opening_hint();
        if let Some(seat) = self.correspondent().filter(|_| is_move) {
            let player = self.snapshot.view().name(seat);
            let text = format!("copied your move as a link, {n_letters} characters: send it to {player}. {hint}");
            return self.notify(Tone::Good, text);
        }
        let ids: Vec<&str> = link.mods.iter().map(|package| package.id.as_str()).collect();
        let mods = if ids.is_empty() { String::new() } else { format!(" and the mods {}", ids.join(", ")) };
        let text = format!("copied a link, {n_letters} characters, with the game up to here{mods}. {hint}");
        self.notify(Tone::Good, text);
    }

    /// Copies HTML that shows the board in a frame on another website.
    fn copy_embedding(&mut self, ctx: &Context) {
        let Some(link) = self.link_or_notify().map(|link| link.text()) else { return };
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
                format!("To open it, choose Open link…, or a browser if Bastide runs at {address} (see Settings)")
            }
            false => format!("It opens at {address}"),
        }
    }

    fn write_link(&mut self, file: &Path) {
        let written = self.link_of_game().and_then(|link| {
            let cannot = |e| Diagnostic::without_place(format!("{} cannot be written: {e}", file.display()));
            fs::write_output(file, link.text()).map_err(cannot)
        });
        if self.ok_or_notify_refused(written).is_some() {
            self.notify(Tone::Good, deliver_file(file));
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
        let (opened_file, plays) = (file.clone(), link.plays.clone());
        let work = move |session: &mut Session| {
            link.write_into(&folder).map_err(|refused| ShownError::new(refused.message))?;
            let library = games.library_for(&file, &home);
            let opened = session.open_other_record(&library, &file)?;
            *session = opened.session;
            store_in_new_record(session, Some(&Games::with_mods(&data, library.paths())));
            let plays = plays.map(|player| player_to_move(session, &player)).transpose();
            Ok::<_, ShownError>((record_news(opened.warnings, opened.end), plays))
        };
        self.replace_game("opening a link", work, move |app, opened| {
            let Some((news, plays)) = app.ok_or_notify(opened) else { return };
            app.show_other_game();
            app.notify(Tone::Good, "opened the game of a link; its mods are separate from yours");
            match plays {
                Ok(Some(seat)) => app.play_by_correspondence(seat),
                Ok(None) => {}
                Err(why) => app.notify(Tone::Changed, why),
            }
            news.into_iter().for_each(|(tone, text)| app.notify(tone, text));
            app.add_recent_game(Some(&opened_file));
            app.rewatch_mods();
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
        let read = move || Link::read(&text).and_then(with_summary);
        self.read_in_background(READING_A_LINK, read, App::show_link);
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
        let read = read.map_err(|problem| ShownError::without_place(&problem));
        if let Err(refused) = &read {
            self.notify(Tone::Bad, refused);
        }
        self.dialogs.link.show_contents(read);
    }

    /// Lets this window play only `seat` from now on, in a game that came in a link. Opens the
    /// sealed answers of this player.
    fn play_by_correspondence(&mut self, seat: Seat) {
        let (player, data) = (self.snapshot.view().name(seat).to_owned(), self.store.data.clone());
        let work = move |session: &mut Session| {
            session.set_guests(other_persons(session, seat.into()));
            data.map_or_else(Vec::new, |data| open_seals(session, seat, &data))
        };
        self.run_on_game_thread("opening a link", work, move |app, warnings| {
            app.notify(Tone::Good, format!("you play {player}: after your move, choose Copy my move in the Game menu"));
            warnings.into_iter().for_each(|warning| app.notify(Tone::Changed, warning));
        });
    }
}

/// Returns the seats of persons that are not in `own`.
fn other_persons(session: &Session, own: SeatSet) -> SeatSet {
    session.view().seats().filter(|seat| !session.is_bot(*seat) && !own.contains(*seat)).collect()
}

/// Returns the seat of the player with this name in records.
///
/// # Errors
/// Returns an error if another player is to move, for example under other mods.
fn player_to_move(session: &Session, player: &str) -> Result<Seat, ShownError> {
    match session.awaited_actor() {
        AwaitedActor::Person(seat) if session.view().record_name(seat) == player => Ok(seat),
        _ => {
            let why =
                format!("with your mods, {player} is not to move at the end of this link, so you play all players");
            Err(ShownError::new(why))
        }
    }
}

/// Opens the sealed answers of `seat`, and answers for chance up to the next decision of a player.
/// Returns warnings about answers that cannot be opened or that this computer did not seal.
fn open_seals(session: &mut Session, seat: Seat, data: &Path) -> Vec<String> {
    if session.setup().seals.is_empty() {
        return Vec::new();
    }
    let secret = match seal_secret(data) {
        Ok(secret) => secret,
        Err(error) => return vec![format!("your sealed answers cannot be opened: {error}")],
    };
    let mut warnings = Vec::new();
    if !session.open_seals(seat.into(), secret) {
        let why = "it was sealed on another computer, or an earlier answer was changed";
        warnings
            .push(format!("your sealed answer cannot be opened: {why}. Open this link where you sealed the answer"));
    }
    session.deal();
    warnings.extend(session.doubtful_seals(seat.into(), secret).into_iter().map(|n| {
        let why = "or you sealed your answer on another computer";
        format!("before answer {}, which you sealed, an answer was changed, {why}", n + 1)
    }));
    warnings
}

/// Leaves the next decision to the player to move, who is at another computer: the window then
/// plays only the seats of the person who has moved. Seals the answers that the next player may not
/// see yet; the secret for this is in the folder `data`. If the game is over, changes nothing.
/// `is_paused` is true if the user has paused the bots.
///
/// # Errors
/// Returns an error if this person must still choose, if no person is to move, or if something in
/// the game is hidden that cannot be sealed.
fn hand_over_to_next(session: &mut Session, data: Option<&Path>, is_paused: bool) -> Result<(), ShownError> {
    if !session.is_live() {
        return Err(ShownError::new("go to the end of the game first: press End"));
    }
    if session.hides_more_than_a_round() {
        let why = "this game hides something from its players, which a link would show: use Invite… instead";
        return Err(ShownError::new(why));
    }
    let next = match session.awaited_actor() {
        AwaitedActor::Person(seat) => seat,
        AwaitedActor::Nobody => return Ok(()),
        AwaitedActor::Bot(_) if is_paused => {
            return Err(ShownError::new("the bots are paused: press P so that they move"));
        }
        AwaitedActor::Bot(_) | AwaitedActor::Chance => return Err(ShownError::new("wait until the bots have moved")),
        AwaitedActor::Mod => return Err(ShownError::new("the game waits until a mod is repaired")),
    };
    let own = match session.guests() {
        SeatSet::NONE => {
            let moved = |step: &Arc<Step>| if let Actor::Player(seat) = step.who { Some(seat) } else { None };
            let moved = session.steps().iter().rev().filter_map(moved).find(|seat| !session.is_bot(*seat));
            SeatSet::from(moved.ok_or_else(|| ShownError::new("make your move first"))?)
        }
        others => session.view().seats().filter(|seat| !others.contains(*seat)).collect(),
    };
    if own.contains(next) {
        return Err(ShownError::new("make your move first: it is still your turn"));
    }
    if session.asks_in_round() {
        let cannot = |why: &dyn Display| ShownError::new(format!("your answer cannot be sealed: {why}"));
        let data = data.ok_or_else(|| cannot(&"there is no folder for games and settings"))?;
        let secret = seal_secret(data).map_err(|error| cannot(&error))?;
        session.seal_answers(own, secret)?;
    }
    session.set_guests(other_persons(session, own));
    Ok(())
}

/// The busy message while the program reads a link.
const READING_A_LINK: &str = "reading the link";

fn with_summary(link: Link) -> Result<(Link, LinkSummary), Diagnostic> {
    let summary = link.summary()?;
    Ok((link, summary))
}
