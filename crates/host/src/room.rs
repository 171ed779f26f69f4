//! Rooms: tables with their own threads, and with records and seats on disk.

use std::fmt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::response::Response;
use door::{
    ClientId, Event, MAX_REQUEST_BYTES, NumberedRequest, SavedClock, SavedTable, Table, TimeControl, decode, encode,
};
use table::{
    AwaitedActor, BotInfo, Library, OpenError, RecordFile, STACK_BYTES, SaveError, Session, Setup, TileSet, begin_game,
    open_record, write_whole,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc as async_mpsc};

use crate::mods_watch::ModsWatch;
use crate::page::{self, Artwork, SharedArtwork};
use crate::playtest_file::{PlaytestFile, PlaytestFileError};

/// The pause between two answers of bots, so that guests can follow the game.
const BOT_PAUSE: Duration = Duration::from_millis(400);

/// The pause after which a table tries again to save what it could not save.
const SAVE_RETRY: Duration = Duration::from_secs(1);

/// The maximum number of waiting messages for a guest. The host disconnects a guest with more
/// waiting messages.
const MAX_WAITING_MESSAGES: usize = 512;

/// The maximum number of connections to one table.
const MAX_CONNECTIONS: usize = 64;

/// The maximum number of requests of a connection that wait for the table. The host reads the next
/// request of this guest after the table has handled an earlier one, so that a busy table needs
/// little memory.
const MAX_WAITING_REQUESTS: usize = 8;

/// The code of a table: six letters that are easy to read aloud.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code([u8; 6]);

impl Code {
    /// Returns a random code.
    pub fn random() -> Code {
        let letter = |letters: &[u8]| letters.get(fastrand::usize(..letters.len())).copied().unwrap_or(b'A');
        // Alternating consonants and vowels are easy to read aloud and form few real words.
        Code(std::array::from_fn(|i| letter(if i % 2 == 0 { b"BDFGKLMNPRSTVZ" } else { b"AEIOU" })))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|letter| write!(f, "{}", char::from(*letter)))
    }
}

impl FromStr for Code {
    type Err = ();

    fn from_str(text: &str) -> Result<Code, ()> {
        let letters: [u8; 6] = text.to_ascii_uppercase().into_bytes().try_into().map_err(|_| ())?;
        if letters.iter().all(u8::is_ascii_uppercase) { Ok(Code(letters)) } else { Err(()) }
    }
}

/// A reason why a table cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenRoomError {
    /// The game cannot be started or its record cannot be read.
    #[error("{0}")]
    Game(OpenError),
    /// An answer of the record does not fit the rules. The texts are the messages about the record.
    #[error("{}; the record is unchanged: restore the mods with which it was played", .0.join("\n"))]
    Unfit(Vec<String>),
    /// The record is in use, or cannot be read or written.
    #[error("{0}")]
    Save(SaveError),
    /// The file with the seats cannot be read.
    #[error("{0}: {1}")]
    Seats(PathBuf, String),
    /// The file with the playtest cannot be read.
    #[error("{0}: {1}")]
    Playtest(PathBuf, PlaytestFileError),
    /// The system cannot start a thread.
    #[error("the system cannot start a thread: {0}")]
    Thread(std::io::Error),
}

/// The options of a room, beside its game.
#[derive(Clone, Default)]
pub struct RoomOptions {
    /// The external programs that may play as bots.
    pub programs: Vec<BotInfo>,
    /// The time of each seat in a new game; `None` for no limit.
    pub clock: Option<TimeControl>,
    /// True if the room collects a playtest from the guests who agree, in `CODE.playtest.json`.
    pub collects_playtest: bool,
    /// The watch on the folders of mods, which rooms can share. `None` makes a watch for this room.
    pub mods_watch: Option<ModsWatch>,
}

/// A message to the thread that owns the table of a room.
pub struct RoomMessage(Message);

enum Message {
    Connect(ClientId, async_mpsc::Sender<Vec<u8>>, SharedArtwork),
    Bytes(ClientId, Vec<u8>, OwnedSemaphorePermit),
    Disconnect(ClientId),
    /// Some time has passed, which the clock of the table must learn, or a file of a mod has
    /// changed.
    Tick,
    End,
}

/// The connections of a room. Passes messages to the table, and events to the guests. The thread
/// that owns the table calls the functions of this type.
#[derive(Default)]
pub struct Guests {
    connections: Vec<(ClientId, async_mpsc::Sender<Vec<u8>>)>,
    /// The artwork of the tiles, which the server sends to pages.
    artwork: SharedArtwork,
}

impl Guests {
    /// Handles a message. Returns false if the message ends the table.
    pub fn handle(&mut self, table: &mut Table, RoomMessage(message): RoomMessage) -> bool {
        table.set_time(Instant::now());
        match message {
            Message::Connect(client, sender, artwork) => {
                self.artwork = artwork;
                self.connections.push((client, sender));
                table.connect(client);
            }
            Message::Bytes(client, bytes, _handled) => match decode::<NumberedRequest>(&bytes, MAX_REQUEST_BYTES) {
                Ok(request) => table.handle(client, request),
                Err(_) => self.disconnect(table, client),
            },
            Message::Disconnect(client) => self.disconnect(table, client),
            // The table has its time from the start of this function.
            Message::Tick => {}
            Message::End => return false,
        }
        true
    }

    fn disconnect(&mut self, table: &mut Table, client: ClientId) {
        let n = self.connections.len();
        self.connections.retain(|(id, _)| *id != client);
        if self.connections.len() < n {
            table.disconnect(client);
        }
    }

    /// Sends the events of the table to their clients. Returns the events for [`ClientId::LOCAL`].
    /// Save the game before you call this function.
    pub fn deliver(&mut self, table: &mut Table) -> Vec<Event> {
        // Pages that receive the events will request pictures of the mods now in play.
        self.artwork.set_mods(table.session().loaded());
        let (mut local, mut too_slow) = (Vec::new(), Vec::new());
        for (client, event) in table.take_events() {
            if client == ClientId::LOCAL {
                local.push(event);
                continue;
            }
            let Some((_, sender)) = self.connections.iter().find(|(id, _)| *id == client) else { continue };
            if sender.try_send(encode(&event)).is_err() {
                too_slow.push(client);
            }
        }
        if !too_slow.is_empty() {
            too_slow.into_iter().for_each(|client| self.disconnect(table, client));
            local.extend(self.deliver(table));
        }
        local
    }
}

/// A function that passes messages to the thread that owns the table.
type SendMessage = Box<dyn Fn(RoomMessage) + Send + Sync>;

/// A table with guests, on its own thread.
pub struct Room {
    code: Code,
    send: SendMessage,
    artwork: SharedArtwork,
    connections: Arc<Semaphore>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Room {
    /// Starts a new game. Stores its record as `CODE.game` and its seats as `CODE.seats` in
    /// `folder`.
    ///
    /// # Errors
    /// Returns an error if the mods have errors, if the setup does not fit them, or if the record
    /// or the thread cannot be created.
    pub fn begin(folder: &Path, library: Library, setup: Setup, options: &RoomOptions) -> Result<Room, OpenRoomError> {
        let code = loop {
            let code = Code::random();
            if !folder.join(format!("{code}.game")).exists() {
                break code;
            }
        };
        let file = folder.join(format!("{code}.game"));
        let clock = options.clock.map(|clock| SavedClock::new(clock, setup.players.len()));
        let new = SavedTable { clock, ..SavedTable::default() };
        let programs = options.programs.clone();
        Room::start(code, folder, new, options, move || {
            let mut session = begin_game(&library, setup).map_err(OpenRoomError::Game)?;
            session.set_allowed_programs(programs);
            let record = RecordFile::create(&file, &session.header_text()).map_err(OpenRoomError::Save)?;
            session.save_to(record);
            Ok(session)
        })
    }

    /// Opens the game `CODE.game` in a folder, as it was when the host stopped. The clock of
    /// `options` has no effect, because the game keeps its own clock.
    ///
    /// # Errors
    /// Returns an error if the record or the seats cannot be read, if the record is in use, or if
    /// an answer of the record does not fit the rules. Also returns an error if the room collects a
    /// playtest and cannot read it.
    pub fn open(folder: &Path, code: Code, library: Library, options: &RoomOptions) -> Result<Room, OpenRoomError> {
        let file = folder.join(format!("{code}.game"));
        let programs = options.programs.clone();
        Room::start(code, folder, SavedTable::default(), options, move || {
            let opened = open_record(&library, &file).map_err(OpenRoomError::Game)?;
            // Playing on would undo all answers from here on, also those of the next start.
            if !opened.is_whole {
                return Err(OpenRoomError::Unfit(opened.warnings));
            }
            let mut session = opened.session;
            session.set_allowed_programs(programs);
            session.save_to(RecordFile::open(&file).map_err(OpenRoomError::Save)?);
            Ok(session)
        })
    }

    /// Starts the thread of a room. If the folder does not contain a file with the seats, the table
    /// begins with `new`. `open` makes the session on the thread.
    fn start(
        code: Code,
        folder: &Path,
        new: SavedTable,
        options: &RoomOptions,
        open: impl FnOnce() -> Result<Session, OpenRoomError> + Send + 'static,
    ) -> Result<Room, OpenRoomError> {
        let seats_file = folder.join(format!("{code}.seats"));
        let playtest_file = PlaytestFile::beside(&folder.join(format!("{code}.game")));
        let (collects_playtest, mods_watch) = (options.collects_playtest, options.mods_watch.clone());
        let (messages, received) = channel::<RoomMessage>();
        let (say, opened) = channel();
        let n_waiting = Arc::new(AtomicUsize::new(0));
        let waiting = n_waiting.clone();
        let send = move |message| {
            n_waiting.fetch_add(1, Ordering::Relaxed);
            // Sending fails if the room has ended. In this case, the connections of its guests end
            // too.
            messages.send(RoomMessage(message)).is_ok()
        };
        let to_room = send.clone();
        let run = move || {
            let begun = || {
                let saved = read_seats(&seats_file)?.unwrap_or(new);
                let unreadable = |why| OpenRoomError::Playtest(playtest_file.path().to_owned(), why);
                let playtest = collects_playtest.then(|| playtest_file.read().map_err(unreadable)).transpose()?;
                Ok((open()?, saved, playtest))
            };
            let (mut session, saved, playtest) = match begun() {
                Ok(begun) => begun,
                Err(error) => return drop(say.send(Err(error))),
            };
            let interrupted = waiting.clone();
            // A bot stops thinking when a message is waiting.
            session.set_interrupt(Rc::new(move || interrupted.load(Ordering::Relaxed) > 0));
            let watch = mods_watch.or_else(|| ModsWatch::new(session.library()).ok());
            if let Some(watch) = &watch {
                watch.notify(move || to_room(Message::Tick));
            }
            let mut table = Table::new(session, saved);
            if let Some(playtest) = playtest {
                table.collect_playtest(playtest);
            }
            let mut room = RoomThread {
                table,
                seats_file,
                saved: SavedTable::default(),
                playtest_file,
                n_changes: watch.as_ref().map_or(0, ModsWatch::n_changes),
                watch,
                guests: Guests::default(),
                waiting,
            };
            // The thread that called `start` waits for this message.
            drop(say.send(Ok(())));
            room.run(&received);
        };
        let thread = std::thread::Builder::new().name(format!("table {code}")).stack_size(STACK_BYTES).spawn(run);
        let thread = thread.map_err(OpenRoomError::Thread)?;
        match opened.recv() {
            Ok(Ok(())) => {
                let send = move |RoomMessage(message)| {
                    send(message);
                };
                Ok(Room::new(code, Box::new(send), Some(thread)))
            }
            Ok(Err(error)) => Err(error),
            Err(_) => Err(OpenRoomError::Thread(std::io::Error::other("the table's thread has ended"))),
        }
    }

    fn new(code: Code, send: SendMessage, thread: Option<JoinHandle<()>>) -> Room {
        let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        Room { code, send, artwork: SharedArtwork::default(), connections, thread: Mutex::new(thread) }
    }

    /// Returns the code of the table.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Makes a room with a random code for a table that another thread owns. `send` passes messages
    /// to that thread, which handles them with [`Guests`].
    pub fn of_thread(send: impl Fn(RoomMessage) + Send + Sync + 'static) -> Room {
        Room::new(Code::random(), Box::new(send), None)
    }

    fn send(&self, message: Message) {
        (self.send)(RoomMessage(message));
    }

    /// Connects a client. Returns a channel that receives the encoded events for this client. The
    /// channel closes if the table disconnects the client.
    pub(crate) fn connect(&self, client: ClientId) -> async_mpsc::Receiver<Vec<u8>> {
        let (sender, events) = async_mpsc::channel(MAX_WAITING_MESSAGES);
        self.send(Message::Connect(client, sender, self.artwork.clone()));
        events
    }

    /// Counts a connection until the result is dropped; `None` if the table has too many.
    pub(crate) fn take_connection(&self) -> Option<OwnedSemaphorePermit> {
        self.connections.clone().try_acquire_owned().ok()
    }

    /// Returns the way of a client's requests to the table.
    pub(crate) fn requests_of(&self, client: ClientId) -> Requests<'_> {
        Requests { room: self, client, unhandled: Arc::new(Semaphore::new(MAX_WAITING_REQUESTS)) }
    }

    /// Tells the thread that owns the table that some time has passed.
    pub(crate) fn tick(&self) {
        self.send(Message::Tick);
    }

    /// Disconnects a client.
    pub(crate) fn disconnect(&self, client: ClientId) {
        self.send(Message::Disconnect(client));
    }

    /// Returns the artwork of the table's tiles. `tile_set` contains the tiles of a client's game;
    /// `None` if the mods now in play have other tiles.
    pub(crate) fn artwork(&self, tile_set: &TileSet) -> Option<Artwork> {
        self.artwork.of_tiles(tile_set)
    }

    /// Returns a picture for the table's page.
    pub(crate) fn picture(&self, key: &str, name: &str) -> Response {
        page::picture(self.artwork.latest().as_ref(), key, name)
    }
}

/// The requests of a client, which wait if the table has not handled earlier ones.
pub(crate) struct Requests<'r> {
    room: &'r Room,
    client: ClientId,
    unhandled: Arc<Semaphore>,
}

impl Requests<'_> {
    /// Passes an encoded request on to the table.
    pub async fn send(&mut self, bytes: Vec<u8>) {
        // The semaphore is never closed.
        if let Ok(handled) = self.unhandled.clone().acquire_owned().await {
            self.room.send(Message::Bytes(self.client, bytes, handled));
        }
    }
}

impl Room {
    /// Ends the table and its connections, and waits until its thread ends. No data is lost,
    /// because the table saves after every change.
    pub(crate) fn end(&self) {
        self.send(Message::End);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Err(_)) = thread.map(JoinHandle::join) {
            table::never!("the thread of table {} has panicked", self.code);
        }
    }
}

impl Drop for Room {
    /// Ends the table, and waits until its thread ends.
    fn drop(&mut self) {
        self.end();
    }
}

/// The thread of a room.
struct RoomThread {
    table: Table,
    seats_file: PathBuf,
    /// The data of the table that this thread stored last.
    saved: SavedTable,
    playtest_file: PlaytestFile,
    watch: Option<ModsWatch>,
    /// The number of changes of [`ModsWatch`] that the game of this thread contains.
    n_changes: usize,
    guests: Guests,
    waiting: Arc<AtomicUsize>,
}

impl RoomThread {
    /// Handles messages until the room ends. Sleeps until the next message or the next due work, so
    /// that a table that waits for a person needs no processor time.
    fn run(&mut self, messages: &Receiver<RoomMessage>) {
        let (mut next_bot, mut retry) = (Instant::now(), None);
        loop {
            let due = self.next_bot_answer(next_bot).into_iter().chain(self.table.next_deadline()).chain(retry).min();
            let received = match due {
                Some(due) => messages.recv_timeout(due.saturating_duration_since(Instant::now())),
                None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match received {
                Ok(message) => {
                    self.waiting.fetch_sub(1, Ordering::Relaxed);
                    if !self.guests.handle(&mut self.table, message) {
                        return;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.table.set_time(Instant::now());
            // Runs after every message, so that many requests delay neither new rules nor bots.
            let changed = self.watch.as_ref().map_or_else(Vec::new, |watch| watch.changes_after(self.n_changes));
            self.n_changes += changed.len();
            if !self.table.session().is_up_to_date(&changed) {
                self.table.reload();
            }
            let is_due = self.next_bot_answer(next_bot).is_some_and(|due| due <= Instant::now());
            if is_due && self.table.advance() {
                next_bot = Instant::now() + BOT_PAUSE;
            }
            retry = if self.save() { None } else { Some(Instant::now() + SAVE_RETRY) };
            self.guests.deliver(&mut self.table);
        }
    }

    /// Returns the time of the next answer of chance or a bot; `None` if neither is to move. Chance
    /// answers immediately, but a bot only after the pause that ends at `next_bot`.
    fn next_bot_answer(&self, next_bot: Instant) -> Option<Instant> {
        let is_chance = self.table.session().awaited_actor() == AwaitedActor::Chance;
        self.table.can_advance().then(|| if is_chance { Instant::now() } else { next_bot })
    }

    /// Saves the game, the playtest and the seats, before any guest receives a change. Returns
    /// whether everything is saved.
    fn save(&mut self) -> bool {
        self.table.save();
        self.playtest_file.save(&mut self.table);
        let is_saved = self.table.session().save_error().is_none() && self.playtest_file.failure().is_none();
        let saved = self.table.saved();
        if saved == self.saved {
            return is_saved;
        }
        let written = serde_json::to_string(&saved)
            .map_err(std::io::Error::from)
            .and_then(|text| write_whole(&self.seats_file, &text));
        match written {
            Ok(()) => self.saved = saved,
            Err(error) => {
                self.table.notify(format!("the host cannot save the seats: {error}"));
                return false;
            }
        }
        is_saved
    }
}

/// Reads the seats and everything else that is stored beside the record; `None` if there is no
/// file.
fn read_seats(file: &Path) -> Result<Option<SavedTable>, OpenRoomError> {
    let wrong = |why: String| OpenRoomError::Seats(file.to_owned(), why);
    match std::fs::read(file) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| wrong(error.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(wrong(error.to_string())),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use door::Client;
    use testkit::mods_folder;

    use super::*;

    #[test]
    fn a_guest_who_reads_nothing_is_disconnected() {
        let session = begin_game(&Library::open(&[mods_folder()]), Setup::of(&["base"], 2)).unwrap();
        let (mut table, mut guests) = (Table::new(session, SavedTable::default()), Guests::default());
        let [(reading, mut read), (idle, unread)] = [1, 2].map(|id| {
            let (sender, events) = async_mpsc::channel(MAX_WAITING_MESSAGES);
            let connect = Message::Connect(ClientId(id), sender, SharedArtwork::default());
            guests.handle(&mut table, RoomMessage(connect));
            table.handle(ClientId(id), Client::new().hello());
            (ClientId(id), events)
        });
        let mut n_read = 0;
        for n in 0..2 * MAX_WAITING_MESSAGES {
            table.notify(n.to_string());
            guests.deliver(&mut table);
            while read.try_recv().is_ok() {
                n_read += 1;
            }
        }
        assert!(n_read > 2 * MAX_WAITING_MESSAGES);
        assert!(guests.connections.iter().map(|(id, _)| *id).eq([reading]), "{idle:?} is still connected");
        assert!(unread.is_closed() && unread.len() == MAX_WAITING_MESSAGES);
    }
}
