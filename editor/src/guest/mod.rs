//! The window as a guest at a table of another computer.
//!
//! The guest sees a snapshot made from the game that the table sends, drawn by the same board and
//! cards as the window's own game. The host runs the rules and the scripts of mods.

mod actions;
mod explorer;
mod exploring;
mod fairness;
mod inbox;
mod lobby;
mod questions;
mod screen;

use std::sync::Arc;

use art::Painter;
use door::{PlaytestView, Request};
use egui::{Context, Ui};
use host::{GuestLink, RunningGuest};
use platform::time::{Duration, Instant};
use table::{AwaitedActor, SeatSet, Snapshot};

use self::explorer::Explorer;
use self::fairness::Fairness;
use self::inbox::{GuestNews, ReceivedGame, SharedInbox};
use self::lobby::Lobby;
use self::questions::GuestQuestions;
use crate::balance_bench::BalanceBench;
use crate::board::BoardView;
use crate::files::FileChooserWindow;
use crate::game_thread::SessionAsker;
use crate::insight_cache::InsightCache;
use crate::notifications::{Notifications, Tone};
use crate::pictures::Pictures;
use crate::settings::Settings;
use crate::shown_error::ShownError;
use crate::table_view::{ExcursionView, TableNews, TableView};
use crate::test_bench::TestBench;
use crate::view_state::{ViewMove, ViewState};
use crate::windows::CommandPalette;

/// The outcome of a frame at a table.
pub enum GuestOutcome {
    /// The window stays at the table.
    Stays,
    /// The window leaves the table. If the guest did not choose so, the text is the reason.
    Leaves(Option<String>),
}

/// Returns whether a text is the link of a table.
pub fn is_link(text: &str) -> bool {
    text.parse::<GuestLink>().is_ok()
}

/// The game that the table has sent.
struct GuestGame {
    snapshot: Arc<Snapshot>,
    /// The version of the game at the table, which requests name.
    at: u64,
    /// The number of answers of the game at the table.
    n_answers: usize,
    /// True if the game at the table is over.
    is_over: bool,
    /// The excursion of the guest; `None` while `snapshot` shows the game at the table.
    excursion: Option<ExcursionView>,
    insight: InsightCache,
    questions: GuestQuestions,
    pictures: Pictures,
}

/// A table at another computer, at which this window is a guest. Dropping it ends the connection;
/// the seat of the guest stays taken.
pub struct GuestTable {
    link: GuestLink,
    connection: RunningGuest,
    inbox: SharedInbox,
    /// The game; `None` before it has arrived with its theme.
    game: Option<GuestGame>,
    table: TableView,
    playtest: Option<PlaytestView>,
    /// The consent that the guest has given in this window; `None` before.
    given_consent: Option<bool>,
    /// The reason why the connection is lost, and the time of the next attempt; `None` while the
    /// guest is connected.
    lost: Option<(String, Instant)>,
    /// The reason why the connection is over.
    ended: Option<String>,
    fairness: Fairness,
    lobby: Lobby,
    /// True if the window with details of the table is open.
    shows_details: bool,
    /// True after the survey was offered at the end of the game.
    has_offered_survey: bool,
    /// The version of the game that the guest has answered last.
    answered: Option<u64>,
    explorer: Explorer,
    leaves: bool,
    notifications: Notifications,
    view_state: ViewState,
    board: BoardView,
    palette: CommandPalette,
    files: FileChooserWindow,
    tests: TestBench,
    balance: BalanceBench,
    started: Instant,
    at_once: bool,
}

impl GuestTable {
    /// Connects to the table of a link. If `at_once` is true, each frame waits for its pictures.
    ///
    /// # Errors
    /// Returns an error if the text is not the link of a table, or if the system cannot start a
    /// thread.
    pub fn join(link: &str, ctx: &Context, at_once: bool) -> Result<GuestTable, ShownError> {
        let link: GuestLink = link.parse()?;
        let inbox = SharedInbox::default();
        let connection = inbox.connect(link.clone(), ctx);
        let connection = connection.map_err(|error| ShownError::new(format!("cannot connect: {error}")))?;
        Ok(GuestTable {
            connection,
            inbox,
            game: None,
            table: TableView::default(),
            playtest: None,
            given_consent: None,
            lost: None,
            ended: None,
            fairness: Fairness::default(),
            lobby: Lobby::new(link.token.is_some()),
            shows_details: false,
            has_offered_survey: false,
            answered: None,
            explorer: Explorer::default(),
            leaves: false,
            notifications: Notifications::default(),
            view_state: ViewState { moves: vec![ViewMove::Fit], ..ViewState::default() },
            board: BoardView::default(),
            palette: CommandPalette::default(),
            files: FileChooserWindow::default(),
            tests: TestBench::default(),
            balance: BalanceBench::default(),
            started: Instant::now(),
            at_once,
            link,
        })
    }

    /// Returns the game as the guest sees it; `None` before it has arrived.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.game.as_ref().map(|game| &*game.snapshot)
    }

    /// Returns the people at the table.
    pub fn table(&self) -> &TableView {
        &self.table
    }

    /// Returns the playtest that the table collects, if it collects one.
    pub fn playtest(&self) -> Option<&PlaytestView> {
        self.playtest.as_ref()
    }

    /// Returns the board.
    pub fn board(&self) -> &BoardView {
        &self.board
    }

    /// Returns the notifications at the table.
    pub fn notifications(&self) -> &Notifications {
        &self.notifications
    }

    /// Returns the reason why the connection is lost; `None` while the guest is connected.
    pub fn lost(&self) -> Option<&str> {
        self.lost.as_ref().map(|(why, _)| why.as_str())
    }

    fn notify(&mut self, tone: Tone, text: impl Into<String>) {
        self.notifications.notify(self.started.elapsed(), tone, text);
    }

    fn request(&mut self, request: Request) {
        if self.lost.is_some() {
            return self.notify(Tone::Changed, "not sent: the connection is lost");
        }
        self.connection.request(request);
    }

    /// Sends the questions that the frame has asked about the game at the table.
    fn send_questions(&mut self, ctx: &Context) {
        if let Some(game) = self.game.as_mut().filter(|game| game.excursion.is_none() && self.lost.is_none()) {
            let insights = game.questions.due(ctx, game.snapshot.revision());
            if !insights.is_empty() {
                self.connection.ask(insights);
            }
        }
    }

    /// Draws a frame.
    pub fn show(&mut self, ui: &mut Ui, settings: &mut Settings, has_fingers: bool) -> GuestOutcome {
        let ctx = ui.ctx().clone();
        self.receive(&ctx, settings);
        if let Some(why) = self.ended.take() {
            return GuestOutcome::Leaves(Some(why));
        }
        self.run_keys(&ctx, settings);
        self.request_wanted_position(&ctx);
        let actions = self.draw(ui, settings, has_fingers);
        self.send_questions(&ctx);
        for action in actions {
            self.act(&ctx, settings, action);
        }
        self.view_state.highlighted = std::mem::take(&mut self.view_state.next_highlighted);
        if self.leaves { GuestOutcome::Leaves(None) } else { GuestOutcome::Stays }
    }

    /// Takes over what has arrived since the last frame.
    fn receive(&mut self, ctx: &Context, settings: &mut Settings) {
        let inbox = self.inbox.take();
        if let Some(received) = inbox.game {
            self.receive_game(received, ctx, settings);
        }
        for news in inbox.news {
            self.receive_news(news, settings);
        }
        if let Some(game) = &mut self.game {
            game.insight.begin_frame();
            game.pictures.collect(ctx);
        }
        self.give_consent_again();
        let is_over = self.game.as_ref().is_some_and(|game| game.is_over);
        if is_over && self.playtest.as_ref().is_some_and(PlaytestView::has_survey) && !self.has_offered_survey {
            self.has_offered_survey = true;
            self.view_state.windows.survey = true;
        }
    }

    fn receive_game(&mut self, received: ReceivedGame, ctx: &Context, settings: &Settings) {
        let ReceivedGame { seen: live, excursion, own, theme } = received;
        // The first game arrives before its theme, without which it cannot be drawn.
        let Some(theme) = theme else { return };
        if self.lost.take().is_some() {
            self.notifications.dismiss_all();
            self.notify(Tone::Good, "connected again");
        }
        let (at, n_answers, is_over) = (live.revision().version(), live.position_index(), live.view().is_over());
        let is_asked = matches!(live.awaited_actor(), AwaitedActor::Person(seat) if own.contains(seat));
        let before = self.game.as_ref().map(|game| &*game.snapshot);
        let shown = excursion.as_ref().map(|it| {
            let (n_played, n_tried) = (it.n_played(), it.tried().len());
            ExcursionView { n_played, n_tried, is_asked }
        });
        // In an excursion, the guest moves for all players.
        let (seen, own) = match excursion {
            Some(it) if it.tried().is_empty() => (it.game().clone().with_later_steps(&live), SeatSet::ALL),
            Some(it) => (it.game().clone(), SeatSet::ALL),
            None => (live, own),
        };
        let has_changed = before.is_none_or(|before| before.position_index() != seen.position_index());
        let snapshot = Arc::new(Snapshot::for_guest(seen, own, theme.clone(), before));
        let palette = settings.palette.as_deref().unwrap_or(theme.suggested_palette());
        let new_painter = || Arc::new(Painter::new(snapshot.tile_set(), &theme, palette));
        match &mut self.game {
            Some(game) => {
                if !game.pictures.painter().draws(snapshot.tile_set(), &theme, palette) {
                    game.pictures.set_painter(new_painter());
                }
                (game.snapshot, game.at, game.n_answers) = (snapshot, at, n_answers);
                (game.is_over, game.excursion) = (is_over, shown);
            }
            None => {
                let pictures = Pictures::new(new_painter(), ctx, self.at_once);
                let (asker, questions) = GuestQuestions::new();
                // A frame never waits for another computer.
                let insight = InsightCache::new(asker, SessionAsker::unanswered(), Some(Duration::ZERO));
                let excursion = shown;
                self.game =
                    Some(GuestGame { snapshot, at, n_answers, is_over, excursion, insight, questions, pictures });
            }
        }
        if has_changed {
            (self.view_state.chosen, self.view_state.preview) = (None, None);
        }
    }

    fn receive_news(&mut self, news: GuestNews, settings: &mut Settings) {
        match news {
            GuestNews::Table(news) => {
                let Some(game) = &self.game else {
                    // The names of players in notifications come from the game.
                    if let TableNews::Seats(seats, n_spectators) = news {
                        (self.table.seats, self.table.n_spectators) = (seats, n_spectators);
                    }
                    return;
                };
                if matches!(news, TableNews::Refused(_)) {
                    self.lobby.note_refusal();
                    self.answered = None;
                }
                let told = self.table.apply(news, game.snapshot.view());
                told.into_iter().for_each(|text| self.notify(Tone::Changed, text));
            }
            GuestNews::Chat(lines) => self.table.chat = lines,
            GuestNews::Seated(link) => {
                settings.table_link = link.to_string();
                self.link = link;
                self.lobby.close();
            }
            GuestNews::Answers(answers) => {
                let is_current = |game: &&GuestGame| game.at == answers.at && game.excursion.is_none();
                if let Some(game) = self.game.as_ref().filter(is_current) {
                    game.questions.answer(game.snapshot.revision(), answers);
                }
            }
            GuestNews::Notice(text) => self.notify(Tone::Changed, text),
            GuestNews::Playtest(playtest) => self.playtest = Some(playtest),
            GuestNews::Committed(hash) => {
                let first = self.fairness.hash.get_or_insert_with(|| hash.clone());
                if *first != hash {
                    self.fairness.is_broken = true;
                    self.notify(Tone::Bad, "the host now shows another hash of the seed: the draws may be unfair");
                }
            }
            GuestNews::Revealed(record, fits) => {
                self.fairness.record = record;
                if !fits {
                    self.fairness.is_broken = true;
                    self.notify(Tone::Bad, "the seed of the host does not have the hash: the draws may be unfair");
                }
            }
            GuestNews::Lost(why, pause) => {
                self.lost = Some((why, Instant::now() + pause));
                self.table.proposal = None;
            }
            GuestNews::Ended(why) => self.ended = Some(why),
        }
    }

    /// A spectator who connects again has agreed or declined before.
    fn give_consent_again(&mut self) {
        if let (Some(playtest), Some(agrees)) = (&mut self.playtest, self.given_consent)
            && playtest.agrees.is_none()
            && self.lost.is_none()
            && !self.lobby.is_returning()
        {
            playtest.agrees = Some(agrees);
            self.connection.request(Request::Consent { agrees });
        }
    }

    /// Returns the note that replaces the question; `None` if the guest is to move or the game is
    /// over.
    fn waiting_text(&self, snapshot: &Snapshot) -> Option<String> {
        let view = snapshot.view();
        if let Some(seat) = self.table.paused_by.filter(|_| self.excursion().is_none() && !view.is_over()) {
            return Some(format!("{} has paused the game.", view.name(seat)));
        }
        Some(match snapshot.awaited_actor() {
            AwaitedActor::Person(seat) if !snapshot.guests().contains(seat) => return None,
            AwaitedActor::Nobody => return None,
            AwaitedActor::Person(seat) => {
                let player = view.name(seat);
                match self.table.guest(seat) {
                    Some((name, true)) => format!("{name} ({player}) is choosing."),
                    Some((name, false)) => format!("{name} ({player}) is away."),
                    None => format!("Waiting for a guest to take the seat {player}."),
                }
            }
            AwaitedActor::Bot(seat) => format!("{} (a bot) is choosing.", view.name(seat)),
            AwaitedActor::Chance => "A tile is drawn.".to_owned(),
            AwaitedActor::Mod => "The game waits until the host repairs a mod.".to_owned(),
        })
    }

    /// Returns the time until the next attempt to connect; `None` while the guest is connected.
    fn next_attempt(&self) -> Option<Duration> {
        let (_, at) = self.lost.as_ref()?;
        Some(at.saturating_duration_since(Instant::now()))
    }
}
