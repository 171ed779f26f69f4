//! The game thread: functions of mods run here, so that slow mods do not delay frames.
//!
//! The file is long because it has both sides of the thread and their tests.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};

use crate::hosted::{GuestMessage, HostedGame};
use crate::questions::{Asker, Question, Reply};
use crate::shown_error::ShownError;
use crate::table_view::{GuestRequest, TableNews};
use art::Painter;
use platform::task::{self, Task};
use platform::time::{Duration, Instant};
use table::{Revision, STACK_BYTES, Session, Snapshot, StopFlag, catch_panic};

/// A callback that the window runs when a change is done and its result is visible.
pub type DoneCallback<W> = Box<dyn FnOnce(&mut W) + Send>;

type SessionChange<W> = Box<dyn FnOnce(&mut Session) -> DoneCallback<W> + Send>;

/// Finds something in the session and delivers it to the asker.
type SessionQuery = Box<dyn FnOnce(&Session) + Send>;

/// A question that waits until the thread has no changes to carry out.
enum WaitingQuestion {
    /// A question about the position of a revision, and the sender for the reply.
    Position(Revision, Question, Sender<Reply>),
    /// A question that does not depend on the position.
    Session(SessionQuery),
}

enum Job<W> {
    /// Changes the game. The text is the busy message.
    Change(&'static str, SessionChange<W>),
    /// Answers a question.
    Question(WaitingQuestion),
    /// Paints tiles in this palette from now on; if `None`, in the palette that the mods suggest.
    Palette(Option<String>),
    /// Carries out a request of the window about guests.
    Guests(GuestRequest),
    /// Handles a message of a guest of the invitation with this number.
    #[cfg_attr(target_family = "wasm", expect(dead_code, reason = "a page cannot invite guests"))]
    Message(u64, GuestMessage),
    /// Ends the thread, even if there are other handles to it.
    End,
}

/// A report of the game thread.
pub enum ThreadReport<W> {
    /// The new snapshot of the game, and the painter of its tiles.
    Seen(Arc<Snapshot>, Arc<Painter>),
    /// News about guests.
    Table(TableNews),
    /// A change is done; the window runs this callback.
    Done(DoneCallback<W>),
    /// The reason why there is no game, or why a change failed.
    Failed(ShownError),
}

/// The time after which the window shows a busy message for work in progress.
pub const BUSY_MESSAGE_DELAY: Duration = Duration::from_millis(300);

/// The busy message and the start of the work in progress; `None` if there is no work.
type BusyState = Arc<Mutex<Option<(&'static str, Instant)>>>;

/// The window's handle to the game thread. `W` is the window, which callbacks receive.
pub struct GameThread<W: 'static> {
    handle: Arc<GameHandle<W>>,
    reports: Receiver<ThreadReport<W>>,
    busy: BusyState,
    stop: StopFlag,
    waits: bool,
    #[cfg(not(target_family = "wasm"))]
    n_invitations: std::cell::Cell<u64>,
    thread: Option<Task>,
}

/// A handle that requests changes from any thread, such as the thread of the file watcher.
pub struct GameHandle<W: 'static> {
    jobs: Sender<Job<W>>,
    /// The number of requested changes whose completion the window has not received yet.
    n_open: AtomicUsize,
    /// The number of jobs sent to the thread, not counting questions.
    n_sent: Arc<AtomicUsize>,
    /// Interrupts the question that the thread is answering, so that a change does not wait for
    /// slow mods.
    hurry: StopFlag,
}

impl<W: 'static> GameHandle<W> {
    /// Changes the game with `work`. When the result is visible, the window runs the callback that
    /// `work` returns. `what` is the busy message.
    pub fn change(&self, what: &'static str, work: impl FnOnce(&mut Session) -> DoneCallback<W> + Send + 'static) {
        self.send(Job::Change(what, Box::new(work)));
    }

    fn send(&self, job: Job<W>) {
        self.n_open.fetch_add(1, Ordering::Relaxed);
        self.n_sent.fetch_add(1, Ordering::Relaxed);
        self.hurry.request();
        // Sending fails if the thread has ended. The change is then lost, and the window learns of
        // the end from [`GameThread::next`].
        let _ = self.jobs.send(job);
    }
}

/// A handle that asks the game thread questions that do not depend on the position.
pub struct SessionAsker(Box<dyn Fn(SessionQuery)>);

impl SessionAsker {
    /// Makes a handle whose questions are never answered, for a game at another computer.
    pub fn unanswered() -> SessionAsker {
        SessionAsker(Box::new(drop))
    }

    /// Asks a question, which the game thread answers after all pending changes. No answer arrives
    /// if the question panics.
    pub fn ask<T: Send + 'static>(&self, question: impl FnOnce(&Session) -> T + Send + 'static) -> Receiver<T> {
        let (sender, answer) = channel();
        (self.0)(Box::new(move |session| drop(sender.send(question(session)))));
        answer
    }
}

impl<W: 'static> GameThread<W> {
    /// Starts the thread.
    ///
    /// - `begin` creates the session on the thread, or returns the reason why there is no session.
    /// - `palette` is the palette in which tiles are painted; if `None`, the palette that the mods
    ///   suggest.
    /// - `wake(after)` makes the window draw a frame after that time: immediately for a report or
    ///   an answer, later for the busy message.
    /// - If `waits` is true, the window waits for all requested work, so that tests are
    ///   deterministic.
    ///
    /// # Errors
    /// Returns an error if the system cannot start a thread.
    pub fn start(
        begin: impl FnOnce(&StopFlag) -> Result<(Session, DoneCallback<W>), ShownError> + Send + 'static,
        palette: Option<String>,
        wake: impl Fn(Duration) + Send + 'static,
        waits: bool,
    ) -> std::io::Result<GameThread<W>> {
        let (jobs, work) = channel();
        let (say, reports) = channel();
        let (busy, stop, hurry) = (BusyState::default(), StopFlag::default(), StopFlag::default());
        let n_sent = Arc::new(AtomicUsize::new(0));
        let mut table = ThreadState {
            say,
            busy: busy.clone(),
            stop: stop.clone(),
            n_sent: n_sent.clone(),
            n_taken: 0,
            hurry: hurry.clone(),
            wake: Box::new(wake),
            palette,
            painter: None,
        };
        let thread = task::spawn("game", STACK_BYTES, move || async move { table.run(begin, &work).await })?;
        // Opening the first game counts as the first change.
        let handle = Arc::new(GameHandle { jobs, n_open: AtomicUsize::new(1), n_sent, hurry });
        Ok(GameThread {
            handle,
            reports,
            busy,
            stop,
            waits,
            #[cfg(not(target_family = "wasm"))]
            n_invitations: std::cell::Cell::new(0),
            thread: Some(thread),
        })
    }

    /// Returns a handle for requesting changes.
    pub fn handle(&self) -> Arc<GameHandle<W>> {
        self.handle.clone()
    }

    /// Returns a handle for asking questions about the position. The thread answers them after all
    /// pending changes. It does not answer if the game is at another revision, if a change is
    /// requested during the answer, or if the answer panics.
    pub fn asker(&self) -> Asker {
        let (jobs, (sender, replies)) = (self.handle.jobs.clone(), channel());
        let ask = move |revision, question| {
            let question = WaitingQuestion::Position(revision, question, sender.clone());
            // If the thread has ended, no answer arrives.
            let _ = jobs.send(Job::Question(question));
        };
        Asker::new(ask, replies)
    }

    /// Returns a handle for asking questions that do not depend on the position.
    pub fn session_asker(&self) -> SessionAsker {
        let jobs = self.handle.jobs.clone();
        // If the thread has ended, no answer arrives.
        SessionAsker(Box::new(move |query| drop(jobs.send(Job::Question(WaitingQuestion::Session(query))))))
    }

    /// Changes the game; see [`GameHandle::change`].
    pub fn change(&self, what: &'static str, work: impl FnOnce(&mut Session) -> DoneCallback<W> + Send + 'static) {
        self.handle.change(what, work);
    }

    /// Requests something about guests.
    pub fn ask_guests(&self, request: GuestRequest) {
        self.handle.send(Job::Guests(request));
    }

    /// Returns the number of a new invitation, and a function that passes messages of its guests to
    /// the thread. A message does not interrupt a bot that thinks.
    #[cfg(not(target_family = "wasm"))]
    pub fn guest_messages(&self) -> (u64, impl Fn(GuestMessage) + Send + Sync + use<W>) {
        let (jobs, number) = (self.handle.jobs.clone(), self.n_invitations.get() + 1);
        self.n_invitations.set(number);
        // If the thread has ended, the message is lost. The window then closes and stops the
        // server.
        (number, move |message| drop(jobs.send(Job::Message(number, message))))
    }

    /// Paints tiles in `palette` from now on; if `None`, in the palette that the mods suggest.
    pub fn set_palette(&self, palette: Option<String>) {
        self.handle.send(Job::Palette(palette));
    }

    /// Returns whether a requested change is not done yet.
    pub fn has_pending_changes(&self) -> bool {
        self.handle.n_open.load(Ordering::Relaxed) > 0
    }

    /// Returns the busy message of the work in progress, and the time since the work began. Returns
    /// `None` if there is no work, or if the work began too recently for a message.
    pub fn busy_status(&self) -> Option<(&'static str, Duration)> {
        let busy = *self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        busy.map(|(what, since)| (what, since.elapsed())).filter(|(_, long)| *long >= BUSY_MESSAGE_DELAY)
    }

    /// Returns whether the window waits for all requested work, as it does in tests.
    pub fn waits(&self) -> bool {
        self.waits
    }

    /// Asks the work in progress to stop at the next point at which it can be interrupted.
    pub fn stop(&self) {
        self.stop.request();
    }

    /// Returns the next report. If changes are pending, waits for a report until `until`, or
    /// without a limit if [`waits`](Self::waits) is true. Returns `None` if no report has arrived.
    ///
    /// # Errors
    /// Returns an error if the thread has ended.
    pub fn next(&self, until: Instant) -> Result<Option<ThreadReport<W>>, ThreadEnded> {
        // The error is true if the thread has ended, and false if there is no report yet.
        let heard = match (self.has_pending_changes(), self.waits) {
            (false, _) => self.reports.try_recv().map_err(|e| e == TryRecvError::Disconnected),
            (true, waits) => {
                let until = Some(until).filter(|_| !waits);
                task::wait_for_message(&self.reports, until).map_err(|e| e == RecvTimeoutError::Disconnected)
            }
        };
        match heard {
            Ok(report) => {
                if let ThreadReport::Done(_) = report {
                    self.handle.n_open.fetch_sub(1, Ordering::Relaxed);
                }
                Ok(Some(report))
            }
            Err(false) => Ok(None),
            Err(true) => {
                self.handle.n_open.store(0, Ordering::Relaxed);
                Err(ThreadEnded)
            }
        }
    }
}

impl<W: 'static> Drop for GameThread<W> {
    fn drop(&mut self) {
        self.stop.request();
        self.handle.send(Job::End);
        if let Some(thread) = self.thread.take().filter(|_| self.waits) {
            // Waits until the thread has ended and closed its files. If `waits` is false, does not
            // wait here either, because a mod may never return.
            thread.join();
        }
    }
}

/// The error returned if the game thread has ended.
#[derive(Clone, Copy, Debug)]
pub struct ThreadEnded;

/// The state of the thread, except the session.
struct ThreadState<W: 'static> {
    say: Sender<ThreadReport<W>>,
    busy: BusyState,
    stop: StopFlag,
    n_sent: Arc<AtomicUsize>,
    /// The number of jobs taken from the queue, not counting questions.
    n_taken: usize,
    hurry: StopFlag,
    wake: Box<dyn Fn(Duration) + Send>,
    palette: Option<String>,
    painter: Option<Arc<Painter>>,
}

impl<W: 'static> ThreadState<W> {
    async fn run(
        &mut self,
        begin: impl FnOnce(&StopFlag) -> Result<(Session, DoneCallback<W>), ShownError>,
        work: &Receiver<Job<W>>,
    ) {
        self.set_busy(Some("opening the game"));
        let begun = catch_panic(|| {
            let (mut session, then) = begin(&self.stop)?;
            session.set_stop(self.stop.clone(), self.hurry.clone());
            let mut hosted = HostedGame::new(session);
            self.finish_change(&mut hosted, None, then);
            Ok(hosted)
        });
        let mut hosted = match begun.map_err(ShownError::from).flatten() {
            Ok(hosted) => hosted,
            Err(error) => return self.send_report(ThreadReport::Failed(error)),
        };
        let mut questions = VecDeque::new();
        loop {
            let job = match work.try_recv() {
                Ok(job) => job,
                Err(TryRecvError::Disconnected) => return,
                Err(TryRecvError::Empty) => match questions.pop_front() {
                    Some(question) => {
                        self.hurry.clear();
                        self.answer(hosted.session(), question);
                        task::yield_now().await;
                        continue;
                    }
                    None => match task::recv(work).await {
                        Ok(job) => job,
                        Err(_) => return,
                    },
                },
            };
            if !matches!(job, Job::Question(..) | Job::Message(..)) {
                self.n_taken += 1;
                let (n_sent, n_taken) = (self.n_sent.clone(), self.n_taken);
                // A bot stops thinking when another change is requested.
                hosted.session_mut().set_interrupt(Rc::new(move || n_sent.load(Ordering::Relaxed) > n_taken));
            }
            match job {
                Job::End => return,
                Job::Question(question) => questions.push_back(question),
                job => self.carry_out(&mut hosted, job),
            }
        }
    }

    /// Carries out a job that can change the game or its pictures.
    fn carry_out(&mut self, hosted: &mut HostedGame, job: Job<W>) {
        match job {
            Job::End | Job::Question(_) => table::never!("the loop of the thread handles this job"),
            Job::Palette(palette) => {
                self.palette = palette;
                self.run_busy("painting tiles", |table| table.finish_change(hosted, None, Box::new(|_| {})));
            }
            Job::Guests(request) => self.run_busy("waiting for guests", |table| {
                let before = hosted.session().revision();
                hosted.request(request);
                table.finish_change(hosted, Some(before), Box::new(|_| {}));
            }),
            Job::Message(number, message) => {
                let handled = catch_panic(|| {
                    let before = hosted.session().revision();
                    hosted.handle(number, message);
                    deal_chance(hosted);
                    self.publish_change(hosted, Some(before));
                });
                if let Err(panic) = handled {
                    let text = format!("a request of a guest failed: {panic}");
                    self.send_report(ThreadReport::Failed(ShownError::new(text)));
                }
            }
            Job::Change(what, change) => self.run_busy(what, |table| {
                let (before, rules) = (hosted.session().revision(), hosted.session().ruleset().clone());
                let then = change(hosted.session_mut());
                // The change may have replaced the session, so sets these flags again.
                hosted.session_mut().set_stop(table.stop.clone(), table.hurry.clone());
                let is_other = hosted.session().id() != before.session_id();
                if is_other && hosted.is_inviting() {
                    table.send_report(ThreadReport::Table(TableNews::Ended));
                }
                hosted.send_change(before, is_other);
                if !is_other && !Arc::ptr_eq(&rules, hosted.session().ruleset()) {
                    hosted.notify_new_rules();
                }
                deal_chance(hosted);
                table.finish_change(hosted, Some(before), then);
            }),
        }
    }

    /// Runs `work` with the busy message `what`. If `work` panics, reports the panic; the game
    /// continues.
    fn run_busy(&mut self, what: &'static str, work: impl FnOnce(&mut Self)) {
        self.set_busy(Some(what));
        if let Err(panic) = catch_panic(|| work(self)) {
            self.set_busy(None);
            let text = format!("{what} failed: {panic}; the game is saved: report this with the game and its mods");
            self.send_report(ThreadReport::Failed(ShownError::new(text)));
            self.send_report(ThreadReport::Done(Box::new(|_| {})));
        }
    }

    /// Sends a snapshot if the revision is no longer `before`, saves the game, and reports that the
    /// change is done.
    fn finish_change(&mut self, hosted: &mut HostedGame, before: Option<Revision>, then: DoneCallback<W>) {
        self.publish_change(hosted, before);
        self.set_busy(None);
        self.send_report(ThreadReport::Done(then));
    }

    /// Sends a snapshot if the revision is no longer `before`, and saves the game. Then sends the
    /// guests what has changed for them.
    fn publish_change(&mut self, hosted: &mut HostedGame, before: Option<Revision>) {
        let session = hosted.session_mut();
        if before != Some(session.revision()) {
            self.send_snapshot(session);
        }
        // The snapshot is sent before the game is saved, so that the window does not wait for the
        // disk.
        //
        // Each step of the branch already stores the lines that scripts printed during this step.
        // This call drops all other lines, which scripts printed while the engine tried options.
        session.take_printed_lines();
        let before = session.revision();
        session.save();
        if before != session.revision() {
            self.send_snapshot(session);
        }
        for news in hosted.deliver() {
            self.send_report(ThreadReport::Table(news));
        }
    }

    fn answer(&self, session: &Session, question: WaitingQuestion) {
        match question {
            WaitingQuestion::Position(revision, question, replies) => {
                // If the game is at another revision, the question is outdated.
                let is_current = revision == session.revision();
                let answer = is_current.then(|| catch_panic(|| question.answer(session)).ok()).flatten();
                // The answer to an interrupted question may be wrong, so it is dropped. If the
                // window still needs the answer, it asks again.
                let answer = answer.filter(|_| !self.hurry.is_requested());
                // Sending fails if the window is gone.
                let _ = replies.send(Reply { revision, question, answer });
            }
            // If the query panics, the asker learns that no answer will arrive.
            WaitingQuestion::Session(query) => drop(catch_panic(|| query(session))),
        }
        (self.wake)(Duration::ZERO);
    }

    fn send_snapshot(&mut self, session: &Session) {
        let theme = session.loaded().theme();
        let palette = self.palette.as_deref().unwrap_or(theme.suggested_palette());
        let painter = match self.painter.take() {
            Some(painter) if painter.draws(session.tile_set(), theme, palette) => painter,
            _ => Arc::new(Painter::new(session.tile_set(), theme, palette)),
        };
        self.painter = Some(painter.clone());
        self.send_report(ThreadReport::Seen(Arc::new(session.snapshot()), painter));
    }

    fn send_report(&self, report: ThreadReport<W>) {
        // Sending fails if the window is gone. The thread then ends when it waits for its next job.
        if self.say.send(report).is_ok() {
            (self.wake)(Duration::ZERO);
        }
    }

    fn set_busy(&self, what: Option<&'static str>) {
        if what.is_some() {
            self.stop.clear();
        }
        *self.busy.lock().unwrap_or_else(PoisonError::into_inner) = what.map(|what| (what, Instant::now()));
        if what.is_some() {
            (self.wake)(BUSY_MESSAGE_DELAY);
        }
    }
}

/// Deals chance immediately, unless the window is at a past position.
fn deal_chance(hosted: &mut HostedGame) {
    let before = hosted.session().revision();
    if hosted.session().is_live() {
        hosted.session_mut().deal();
        hosted.send_change(before, false);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::thread;

    use table::{Insight, Library, Setup, ZoneRef, begin_game_with_stop};

    use crate::questions::QuestionAnswer;

    use super::*;

    /// A time limit that no test reaches.
    const LONG: Duration = Duration::from_secs(20);

    type Heard = Vec<String>;

    fn started(waits: bool) -> GameThread<Heard> {
        let begin = |stop: &StopFlag| {
            let setup = Setup { seed: Some(3), ..Setup::of(&["base"], 2) };
            let session = begin_game_with_stop(&Library::builtin(), setup, stop)?;
            let then: DoneCallback<Heard> = Box::new(|heard| heard.push("begun".to_owned()));
            Ok((session, then))
        };
        GameThread::start(begin, None, |_| {}, waits).unwrap()
    }

    /// Polls until all changes are done; returns the messages and the last snapshot.
    fn hear(thread: &GameThread<Heard>) -> (Heard, Option<Arc<Snapshot>>) {
        let (mut heard, mut seen) = (Heard::new(), None);
        while thread.has_pending_changes() {
            match thread.next(Instant::now() + LONG).unwrap() {
                Some(ThreadReport::Seen(snapshot, _)) => seen = Some(snapshot),
                Some(ThreadReport::Table(news)) => panic!("{news:?}"),
                Some(ThreadReport::Done(then)) => then(&mut heard),
                Some(ThreadReport::Failed(error)) => heard.push(error.to_string()),
                None => panic!("nothing was heard"),
            }
        }
        (heard, seen)
    }

    /// Asks about the position of a revision, and returns the answer.
    fn reply(thread: &GameThread<Heard>, revision: Revision, insight: Insight) -> Option<QuestionAnswer> {
        let asker = thread.asker();
        asker.ask(revision, Question::Insight(insight));
        asker.replies.recv_timeout(LONG).unwrap().answer
    }

    fn go_back(session: &mut Session) -> DoneCallback<Heard> {
        session.go_to(0);
        Box::new(|heard| heard.push("back".to_owned()))
    }

    #[test]
    fn what_is_done_is_seen_before_it_is_told() {
        for waits in [true, false] {
            let thread = started(waits);
            let (heard, seen) = hear(&thread);
            assert_eq!(heard, ["begun"]);
            assert!(seen.unwrap().is_live());
            thread.change("going back", go_back);
            let (heard, seen) = hear(&thread);
            assert_eq!((heard, seen.unwrap().position_index()), (vec!["back".to_owned()], 0));
        }
    }

    #[test]
    fn nobody_waits_for_what_takes_long() {
        let thread = started(false);
        hear(&thread);
        let (go, gone) = channel::<()>();
        thread.change("waiting", move |_| {
            let _ = gone.recv();
            Box::new(|heard| heard.push("done".to_owned()))
        });
        let begun = Instant::now();
        assert!(matches!(thread.next(begun + Duration::from_millis(8)), Ok(None)));
        assert!(begun.elapsed() < BUSY_MESSAGE_DELAY, "a frame goes on");
        // The other thread may start late, so this polls.
        let mut busy = None;
        while busy.is_none() && begun.elapsed() < LONG {
            thread::sleep(BUSY_MESSAGE_DELAY / 4);
            busy = thread.busy_status();
        }
        assert_eq!(busy.unwrap().0, "waiting");
        go.send(()).unwrap();
        assert_eq!(hear(&thread).0, ["done"]);
        assert!(thread.busy_status().is_none());
    }

    #[test]
    fn work_that_panics_is_told_and_the_game_goes_on() {
        for waits in [true, false] {
            let thread = started(waits);
            let now = hear(&thread).1.unwrap().revision();
            let line = line!() + 1;
            thread.change("stumbling", |session| panic!("over {} answers", session.position_index()));
            let (heard, seen) = hear(&thread);
            let told = format!("stumbling failed: internal error: over 1 answers ({}:{line})", file!());
            assert!(heard.len() == 1 && heard[0].starts_with(&told), "{heard:?}");
            assert!(seen.is_none() && thread.busy_status().is_none());
            let asker = thread.session_asker();
            let answer = asker.ask(|session| -> usize { panic!("{}", session.position_index()) });
            assert!(answer.recv_timeout(LONG).is_err());
            assert_eq!(asker.ask(|session| session.position_index()).recv_timeout(LONG), Ok(1));
            // A question about something unknown panics, too.
            assert!(reply(&thread, now, Insight::AboutZone(ZoneRef(9_999))).is_none());
            assert!(reply(&thread, now, Insight::Projection(None)).is_some());
            thread.change("going back", go_back);
            assert_eq!(hear(&thread).0, ["back"]);
        }
    }

    #[test]
    fn a_game_whose_opening_panics_is_told() {
        let thread = GameThread::<Heard>::start(|_| panic!("no game"), None, |_| {}, true).unwrap();
        let Ok(Some(ThreadReport::Failed(told))) = thread.next(Instant::now() + LONG) else {
            panic!("nothing was told")
        };
        assert!(told.to_string().contains("no game"), "{told}");
    }

    #[test]
    fn work_that_is_stopped_ends_and_the_next_does_not() {
        let thread = started(false);
        hear(&thread);
        let stop = thread.stop.clone();
        for is_stopped in [true, false] {
            let stop = stop.clone();
            thread.change("waiting", move |_| {
                let begun = Instant::now();
                while !stop.is_requested() && begun.elapsed() < BUSY_MESSAGE_DELAY {
                    thread::sleep(Duration::from_millis(1));
                }
                let was_asked = stop.is_requested().to_string();
                Box::new(move |heard| heard.push(was_asked))
            });
            if is_stopped {
                while thread.busy.lock().unwrap().is_none() {
                    thread::yield_now();
                }
                thread.stop();
            }
            assert_eq!(hear(&thread).0, [is_stopped.to_string()]);
        }
    }

    #[test]
    fn questions_about_an_old_revision_are_not_answered() {
        let thread = started(false);
        let now = hear(&thread).1.unwrap().revision();
        assert!(reply(&thread, now, Insight::Projection(None)).is_some());
        thread.change("going back", go_back);
        let (_, seen) = hear(&thread);
        assert!(reply(&thread, now, Insight::Projection(None)).is_none());
        assert!(reply(&thread, seen.unwrap().revision(), Insight::Projection(None)).is_some());
        assert_eq!(thread.session_asker().ask(|session| session.position_index()).recv_timeout(LONG), Ok(0));
    }
}
