//! A guest on a separate thread, for programs that do other work at the same time.

use std::time::Duration;

use door::{Client, ExcursionStep, News, Request, SeatClaim};
use table::{Insight, STACK_BYTES};
use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::connection::{Connection, JoinError, catch_panics};
use crate::link::GuestLink;

/// The pauses before each attempt to reconnect, in seconds. The last one repeats.
const PAUSES: [u64; 6] = [1, 2, 4, 8, 15, 30];

/// A report of a [`RunningGuest`].
pub enum GuestReport<'c> {
    /// News of the table, and the client that has handled it.
    News(&'c Client, News),
    /// The connection is lost, for this reason. The guest connects again after this time.
    Lost(JoinError, Duration),
    /// The guest cannot join the table, or cannot return to it, for this reason. This is the last
    /// report.
    Ended(JoinError),
}

/// A guest at a table. If the connection breaks, the guest connects again and returns to its seat.
/// Dropping this value ends the connection; the seat stays taken.
pub struct RunningGuest(UnboundedSender<GuestTask>);

/// A task of a [`RunningGuest`].
enum GuestTask {
    Send(Request),
    Explore(ExcursionStep),
    Ask(Vec<Insight>),
}

impl RunningGuest {
    /// Connects to the table of `link` on a new thread. If the link has a token, the guest takes
    /// its seat. The thread calls `report` for everything that happens.
    ///
    /// # Errors
    /// Returns an error if the system cannot start a thread.
    pub fn start(
        link: GuestLink,
        report: impl FnMut(GuestReport<'_>) + Send + 'static,
    ) -> std::io::Result<RunningGuest> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (sender, tasks) = unbounded_channel();
        let seat = link.token.map(|token| return_to_seat(SeatClaim::Return(token)));
        let mut guest = GuestThread { link, report, tasks, seat, sit_number: None, n_failed: 0, has_joined: false };
        let thread = std::thread::Builder::new().name("guest".to_owned()).stack_size(STACK_BYTES);
        thread.spawn(move || runtime.block_on(guest.run()))?;
        Ok(RunningGuest(sender))
    }

    /// Sends a request to the table. The request is lost if the guest is not connected.
    pub fn request(&self, request: Request) {
        self.pass_on(GuestTask::Send(request));
    }

    /// Carries out a step of an excursion. The next report is [`News::Excursion`], also at the end
    /// of the excursion, or a refusal. The step is lost if the guest is not connected.
    pub fn explore(&self, step: ExcursionStep) {
        self.pass_on(GuestTask::Explore(step));
    }

    /// Asks questions about the game at the table; see [`Client::ask`]. The reply is
    /// [`News::Answers`]. The questions are lost if the guest is not connected.
    pub fn ask(&self, insights: Vec<Insight>) {
        self.pass_on(GuestTask::Ask(insights));
    }

    fn pass_on(&self, task: GuestTask) {
        // Sending fails if the thread has ended, which it has reported.
        let _ = self.0.send(task);
    }
}

/// Returns the request with which a guest returns to the seat of its token.
fn return_to_seat(claim: SeatClaim) -> Request {
    Request::Sit { seat: None, name: String::new(), claim }
}

/// The thread of a guest.
struct GuestThread<Report> {
    link: GuestLink,
    report: Report,
    tasks: UnboundedReceiver<GuestTask>,
    /// The request for the guest's seat, which each new connection repeats; `None` if the guest has
    /// no seat.
    seat: Option<Request>,
    /// The number of the last request for a seat in this connection.
    sit_number: Option<u32>,
    /// The number of failed attempts to connect since the last game.
    n_failed: usize,
    /// True if the table has sent a game.
    has_joined: bool,
}

impl<Report: FnMut(GuestReport<'_>)> GuestThread<Report> {
    async fn run(&mut self) {
        loop {
            let error = match Connection::open(&self.link, Client::new()).await {
                Ok(mut connection) => match catch_panics(self.play(&mut connection)).await {
                    Ok(Ok(())) => return,
                    Ok(Err(error)) | Err(error) => error,
                },
                Err(error) => error,
            };
            if !self.has_joined || !is_temporary(&error) {
                return (self.report)(GuestReport::Ended(error));
            }
            let seconds = PAUSES.get(self.n_failed).or(PAUSES.last()).copied().unwrap_or(1);
            self.n_failed += 1;
            let pause = Duration::from_secs(seconds);
            (self.report)(GuestReport::Lost(error, pause));
            // The table cannot receive requests of this time.
            let left = async { while self.tasks.recv().await.is_some() {} };
            if tokio::time::timeout(pause, left).await.is_ok() {
                return;
            }
        }
    }

    /// Passes news and requests on. Returns when the program has dropped its [`RunningGuest`].
    async fn play(&mut self, connection: &mut Connection) -> Result<(), JoinError> {
        self.sit_number = None;
        let mut is_greeted = false;
        loop {
            tokio::select! {
                news = connection.next() => {
                    let news = news?;
                    self.note_seat(&news);
                    let is_game = news == News::Game;
                    (self.report)(GuestReport::News(&connection.client, news));
                    if !is_game {
                        continue;
                    }
                    if let Some(request) = connection.client.theme_request() {
                        connection.send(&request).await?;
                    }
                    if !std::mem::replace(&mut is_greeted, true) {
                        (self.has_joined, self.n_failed) = (true, 0);
                        if let Some(sit) = self.seat.clone() {
                            self.sit_number = Some(connection.request(sit).await?);
                        }
                    }
                }
                task = self.tasks.recv() => {
                    let request = match task {
                        Some(GuestTask::Send(request)) => request,
                        Some(GuestTask::Explore(step)) => {
                            match connection.client.explore(step) {
                                Some(request) => connection.send(&request).await?,
                                None => (self.report)(GuestReport::News(&connection.client, News::Excursion)),
                            }
                            continue;
                        }
                        Some(GuestTask::Ask(insights)) => {
                            if let Some(request) = connection.client.ask(insights) {
                                connection.send(&request).await?;
                            }
                            continue;
                        }
                        None => return Ok(()),
                    };
                    let is_sit = matches!(request, Request::Sit { .. });
                    if is_sit || request == Request::Stand {
                        self.seat = Some(request.clone()).filter(|_| is_sit);
                    }
                    let number = connection.request(request).await?;
                    if is_sit {
                        self.sit_number = Some(number);
                    }
                }
            }
        }
    }

    /// Notes the seat that a new connection must request.
    fn note_seat(&mut self, news: &News) {
        match news {
            News::Seated(_, token) => self.seat = Some(return_to_seat(SeatClaim::Return(*token))),
            News::Refused(number, _) if self.sit_number == Some(*number) => self.seat = None,
            _ => {}
        }
    }
}

/// Returns whether a guest who has been at the table can return after this error.
fn is_temporary(error: &JoinError) -> bool {
    match error {
        JoinError::NoHost(..)
        | JoinError::Silent(_)
        | JoinError::Full
        | JoinError::Ended
        | JoinError::Closed(_)
        | JoinError::Client(_)
        | JoinError::Wire(_) => true,
        JoinError::Certificate(..) | JoinError::NotEncrypted(_) | JoinError::NoTable => false,
    }
}
