//! The thread on which the game is played: mods may take their time there, and no frame waits for them.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};

use art::Painter;
use platform::task::{self, Task};
use platform::time::{Duration, Instant};
use table::{Revision, STACK, Session, Snapshot, Stop, caught};

/// What is done on the window's side once a piece of work is done and its result can be seen.
pub type Then<W> = Box<dyn FnOnce(&mut W) + Send>;

type Change<W> = Box<dyn FnOnce(&mut Session) -> Then<W> + Send>;

/// A question to the session; what it returns hands the answer over.
type Question = Box<dyn FnOnce(&Session) -> Box<dyn FnOnce()> + Send>;

enum Job<W> {
    /// Changes the game; the words say what is done.
    Change(&'static str, Change<W>),
    /// Finds something out, about this revision only where one is named.
    Question(Option<Revision>, Question),
    /// Paints in this palette from now on; in the one that the mods suggest, where none is named.
    Palette(Option<String>),
    /// Ends the thread: others may still have a handle.
    End,
}

/// What the game thread says.
pub enum Report<W> {
    /// The game looks like this now, and its tiles as this painter paints them.
    Seen(Arc<Snapshot>, Arc<Painter>),
    /// A piece of work is done; what is to be done with its result.
    Done(Then<W>),
    /// There is no game, and why.
    Failed(String),
}

/// How long work may take before people are told that something is going on.
pub const UNNOTICED: Duration = Duration::from_millis(300);

/// What the thread is doing, and since when.
type Busy = Arc<Mutex<Option<(&'static str, Instant)>>>;

/// The other end of the game thread; `W` is who asks it for something.
pub struct GameThread<W: 'static> {
    handle: Handle<W>,
    reports: Receiver<Report<W>>,
    busy: Busy,
    stop: Stop,
    waits: bool,
    thread: Option<Task>,
}

/// Asks the game thread for work from wherever it is wanted: from the thread that watches files, too.
pub struct Handle<W: 'static> {
    jobs: Sender<Job<W>>,
    /// How many changes were asked for of which the window has heard nothing.
    n_open: Arc<AtomicUsize>,
    /// How many jobs were sent.
    n_sent: Arc<AtomicUsize>,
    /// Stops questions: a change does not wait for what mods have to say.
    hurry: Stop,
}

impl<W: 'static> Clone for Handle<W> {
    fn clone(&self) -> Self {
        Handle {
            jobs: self.jobs.clone(),
            n_open: self.n_open.clone(),
            n_sent: self.n_sent.clone(),
            hurry: self.hurry.clone(),
        }
    }
}

impl<W: 'static> Handle<W> {
    /// Lets the game be changed by `work`; what it returns is done on the window's side when the change can be seen. `what` says in words
    /// what is done.
    pub fn change(&self, what: &'static str, work: impl FnOnce(&mut Session) -> Then<W> + Send + 'static) {
        self.send(Job::Change(what, Box::new(work)));
    }

    fn send(&self, job: Job<W>) {
        self.n_open.fetch_add(1, Ordering::Relaxed);
        self.n_sent.fetch_add(1, Ordering::Relaxed);
        self.hurry.ask();
        // A thread that has ended does nothing more; the window says so.
        let _ = self.jobs.send(job);
    }
}

/// Asks the game thread questions.
#[derive(Clone)]
pub struct Asker(Arc<dyn Fn(Option<Revision>, Question) + Send + Sync>);

impl Asker {
    /// Has something found out on the game thread once all changes are done; about `revision` only, where one is named. An answer about a moment
    /// may never come: where a change is asked for meanwhile, the question is dropped.
    pub fn ask<T: Send + 'static>(
        &self,
        revision: Option<Revision>,
        question: impl FnOnce(&Session) -> T + Send + 'static,
    ) -> Receiver<T> {
        let (sender, answer) = channel();
        let ask = move |session: &Session| -> Box<dyn FnOnce()> {
            let found = question(session);
            Box::new(move || drop(sender.send(found)))
        };
        (self.0)(revision, Box::new(ask));
        answer
    }
}

impl<W: 'static> GameThread<W> {
    /// Starts the thread. `begin` makes its session there, or says why there is none; its tiles are painted in `palette`. `wake` is called when
    /// there is something to be heard, or will be after the time given. Where the window `waits`, it sees nothing but finished work: tests
    /// are deterministic so.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub fn start(
        begin: impl FnOnce(&Stop) -> Result<(Session, Then<W>), String> + Send + 'static,
        palette: Option<String>,
        wake: impl Fn(Duration) + Send + 'static,
        waits: bool,
    ) -> std::io::Result<GameThread<W>> {
        let (jobs, work) = channel();
        let (say, reports) = channel();
        let (busy, stop, hurry) = (Busy::default(), Stop::default(), Stop::default());
        let n_sent = Arc::new(AtomicUsize::new(0));
        let mut table = Table {
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
        let thread = task::spawn("game", STACK, move || async move { table.run(begin, &work).await })?;
        // The first thing that is asked for is the game itself.
        let handle = Handle { jobs, n_open: Arc::new(AtomicUsize::new(1)), n_sent, hurry };
        Ok(GameThread { handle, reports, busy, stop, waits, thread: Some(thread) })
    }

    /// Returns what others ask for work by.
    pub fn handle(&self) -> Handle<W> {
        self.handle.clone()
    }

    /// Returns what questions are asked by.
    pub fn asker(&self) -> Asker {
        let jobs = self.handle.jobs.clone();
        // A thread that has ended answers nothing.
        Asker(Arc::new(move |revision, question| drop(jobs.send(Job::Question(revision, question)))))
    }

    /// See [`Handle::change`].
    pub fn change(&self, what: &'static str, work: impl FnOnce(&mut Session) -> Then<W> + Send + 'static) {
        self.handle.change(what, work);
    }

    /// Has tiles painted in `palette` from now on; in the one that the mods suggest, where none is named.
    pub fn paint_in(&self, palette: Option<String>) {
        self.handle.send(Job::Palette(palette));
    }

    /// Returns whether changes were asked for that are not done.
    pub fn is_open(&self) -> bool {
        self.handle.n_open.load(Ordering::Relaxed) > 0
    }

    /// Returns what the thread is doing, and since when, if it has been at it for long enough to be told.
    pub fn busy_with(&self) -> Option<(&'static str, Duration)> {
        let busy = *self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        busy.map(|(what, since)| (what, since.elapsed())).filter(|(_, long)| *long >= UNNOTICED)
    }

    /// Returns whether the window waits for all that it asks for, as tests do.
    pub fn waits(&self) -> bool {
        self.waits
    }

    /// Stops what is being done at the next chance.
    pub fn stop(&self) {
        self.stop.ask();
    }

    /// Returns the next thing that was said. `None` where nothing more is to be heard by `until`; a window that waits hears all that it has
    /// asked for.
    ///
    /// # Errors
    /// Where the thread has ended.
    pub fn next(&self, until: Instant) -> Result<Option<Report<W>>, Ended> {
        // Whether it has ended, where nothing is heard.
        let heard = match (self.is_open(), self.waits) {
            (false, _) => self.reports.try_recv().map_err(|e| e == TryRecvError::Disconnected),
            (true, waits) => {
                let until = Some(until).filter(|_| !waits);
                task::wait(&self.reports, until).map_err(|e| e == RecvTimeoutError::Disconnected)
            }
        };
        match heard {
            Ok(report) => {
                if let Report::Done(_) = report {
                    self.handle.n_open.fetch_sub(1, Ordering::Relaxed);
                }
                Ok(Some(report))
            }
            Err(false) => Ok(None),
            Err(true) => {
                self.handle.n_open.store(0, Ordering::Relaxed);
                Err(Ended)
            }
        }
    }
}

impl<W: 'static> Drop for GameThread<W> {
    fn drop(&mut self) {
        self.stop.ask();
        self.handle.send(Job::End);
        if let Some(thread) = self.thread.take().filter(|_| self.waits) {
            // What it had open is closed then. Whoever does not wait does not wait for a mod at the end either.
            thread.join();
        }
    }
}

/// The game thread has ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended;

/// What the thread works with.
struct Table<W: 'static> {
    say: Sender<Report<W>>,
    busy: Busy,
    stop: Stop,
    n_sent: Arc<AtomicUsize>,
    /// How many of the jobs that were sent have begun.
    n_taken: usize,
    hurry: Stop,
    wake: Box<dyn Fn(Duration) + Send>,
    palette: Option<String>,
    painter: Option<Arc<Painter>>,
}

impl<W: 'static> Table<W> {
    async fn run(&mut self, begin: impl FnOnce(&Stop) -> Result<(Session, Then<W>), String>, work: &Receiver<Job<W>>) {
        self.set_busy(Some("opening the game"));
        let begun = caught(|| {
            let (mut session, then) = begin(&self.stop)?;
            session.obey(self.stop.clone(), self.hurry.clone());
            self.show(&mut session, None, then);
            Ok(session)
        });
        let mut session = match begun.map_err(|panic| panic.to_string()).flatten() {
            Ok(session) => session,
            Err(error) => return self.tell(Report::Failed(error)),
        };
        let mut questions = VecDeque::new();
        loop {
            let job = match work.try_recv() {
                Ok(job) => job,
                Err(TryRecvError::Disconnected) => return,
                Err(TryRecvError::Empty) => match questions.pop_front() {
                    Some((revision, question)) => {
                        self.hurry.clear();
                        // Whoever has asked hears that there is no answer.
                        let _ = caught(|| self.answer(&session, revision, question));
                        task::breathe().await;
                        continue;
                    }
                    None => match task::recv(work).await {
                        Ok(job) => job,
                        Err(_) => return,
                    },
                },
            };
            if !matches!(job, Job::Question(..)) {
                self.n_taken += 1;
                let (n_sent, n_taken) = (self.n_sent.clone(), self.n_taken);
                // A bot does not think on while somebody wants something else.
                session.think_until(Rc::new(move || n_sent.load(Ordering::Relaxed) > n_taken));
            }
            match job {
                Job::End => return,
                Job::Question(revision, question) => questions.push_back((revision, question)),
                Job::Palette(palette) => {
                    self.palette = palette;
                    self.work("painting tiles", |table| table.show(&mut session, None, Box::new(|_| {})));
                }
                Job::Change(what, change) => self.work(what, |table| {
                    let before = session.revision();
                    let then = change(&mut session);
                    // It may be another session now.
                    session.obey(table.stop.clone(), table.hurry.clone());
                    // Nobody waits for chance.
                    if session.is_live() {
                        session.deal();
                    }
                    table.show(&mut session, Some(before), then);
                }),
            }
        }
    }

    /// Does a piece of work. Where it panics that is told, and the game goes on: what a mod or a record brings to light ends no sitting.
    fn work(&mut self, what: &'static str, work: impl FnOnce(&mut Self)) {
        self.set_busy(Some(what));
        if let Err(panic) = caught(|| work(self)) {
            self.set_busy(None);
            let text = format!("{what} failed: {panic}; the game is saved, report this with the game and its mods");
            self.tell(Report::Failed(text));
            self.tell(Report::Done(Box::new(|_| {})));
        }
    }

    /// Shows the game as it is now, if it is another one than `before`, and saves it.
    fn show(&mut self, session: &mut Session, before: Option<Revision>, then: Then<W>) {
        if before != Some(session.revision()) {
            self.tell_seen(session);
        }
        // Who looks at the game does not wait for the disk; what is done is kept.
        // Each answer of the line has what was printed because of it; what was only tried out is of no interest.
        session.take_printed_lines();
        let before = session.revision();
        session.save();
        if before != session.revision() {
            self.tell_seen(session);
        }
        self.set_busy(None);
        self.tell(Report::Done(then));
    }

    fn answer(&self, session: &Session, revision: Option<Revision>, question: Question) {
        // What was asked about another moment is of no use any more.
        if revision.is_none_or(|revision| revision == session.revision()) {
            let hand_over = question(session);
            // What was stopped is no answer; who still wants to know asks again.
            if revision.is_none() || !self.hurry.is_asked() {
                hand_over();
                (self.wake)(Duration::ZERO);
            }
        }
    }

    fn tell_seen(&mut self, session: &Session) {
        let theme = session.loaded().theme();
        let palette = self.palette.as_deref().unwrap_or(theme.suggested_palette());
        let painter = match self.painter.take() {
            Some(painter) if painter.draws(session.tile_set(), theme, palette) => painter,
            _ => Arc::new(Painter::new(session.tile_set(), theme, palette)),
        };
        self.painter = Some(painter.clone());
        self.tell(Report::Seen(Arc::new(session.snapshot()), painter));
    }

    fn tell(&self, report: Report<W>) {
        // A window that is gone hears nothing; the thread ends when it looks for work.
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
            (self.wake)(UNNOTICED);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::thread;

    use table::{Library, Setup, begin_setup_until};

    use super::*;

    /// How long nothing here takes.
    const LONG: Duration = Duration::from_secs(20);

    type Heard = Vec<String>;

    fn started(waits: bool) -> GameThread<Heard> {
        let begin = |stop: &Stop| {
            let setup = Setup { seed: Some(3), ..Setup::of(&["base"], 2) };
            let session = begin_setup_until(&Library::builtin(), setup, stop).map_err(|e| e.to_string())?;
            let then: Then<Heard> = Box::new(|heard| heard.push("begun".to_owned()));
            Ok((session, then))
        };
        GameThread::start(begin, None, |_| {}, waits).unwrap()
    }

    /// Hears all there is until the game is as it was asked for; returns what was told and what was seen last.
    fn hear(thread: &GameThread<Heard>) -> (Heard, Option<Arc<Snapshot>>) {
        let (mut heard, mut seen) = (Heard::new(), None);
        while thread.is_open() {
            match thread.next(Instant::now() + LONG).unwrap() {
                Some(Report::Seen(snapshot, _)) => seen = Some(snapshot),
                Some(Report::Done(then)) => then(&mut heard),
                Some(Report::Failed(error)) => heard.push(error),
                None => panic!("nothing was heard"),
            }
        }
        (heard, seen)
    }

    fn go_back(session: &mut Session) -> Then<Heard> {
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
            assert_eq!((heard, seen.unwrap().at()), (vec!["back".to_owned()], 0));
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
        assert!(begun.elapsed() < UNNOTICED, "a frame goes on");
        // It may be some time until the other thread has begun.
        let mut busy = None;
        while busy.is_none() && begun.elapsed() < LONG {
            thread::sleep(UNNOTICED / 4);
            busy = thread.busy_with();
        }
        assert_eq!(busy.unwrap().0, "waiting");
        go.send(()).unwrap();
        assert_eq!(hear(&thread).0, ["done"]);
        assert!(thread.busy_with().is_none());
    }

    #[test]
    fn work_that_panics_is_told_and_the_game_goes_on() {
        for waits in [true, false] {
            let thread = started(waits);
            let now = hear(&thread).1.unwrap().revision();
            let line = line!() + 1;
            thread.change("stumbling", |session| panic!("over {} answers", session.at()));
            let (heard, seen) = hear(&thread);
            let told =
                format!("stumbling failed: the program itself made a mistake: over 1 answers ({}:{line})", file!());
            assert!(heard.len() == 1 && heard[0].starts_with(&told), "{heard:?}");
            assert!(seen.is_none() && thread.busy_with().is_none());
            let asker = thread.asker();
            let answer = asker.ask(Some(now), |session: &Session| -> usize { panic!("{}", session.at()) });
            assert!(answer.recv_timeout(LONG).is_err());
            assert_eq!(asker.ask(Some(now), |session: &Session| session.at()).recv_timeout(LONG), Ok(1));
            thread.change("going back", go_back);
            assert_eq!(hear(&thread).0, ["back"]);
        }
    }

    #[test]
    fn a_game_whose_opening_panics_is_told() {
        let thread = GameThread::<Heard>::start(|_| panic!("no game"), None, |_| {}, true).unwrap();
        let Ok(Some(Report::Failed(told))) = thread.next(Instant::now() + LONG) else { panic!("nothing was told") };
        assert!(told.contains("no game"), "{told}");
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
                while !stop.is_asked() && begun.elapsed() < UNNOTICED {
                    thread::sleep(Duration::from_millis(1));
                }
                let was_asked = stop.is_asked().to_string();
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
    fn what_was_asked_about_another_moment_is_not_answered() {
        let thread = started(false);
        let now = hear(&thread).1.unwrap().revision();
        let asker = thread.asker();
        let n_answers = |session: &Session| session.at();
        assert!(asker.ask(Some(now), n_answers).recv_timeout(LONG).is_ok());
        thread.change("going back", go_back);
        let (_, seen) = hear(&thread);
        assert!(asker.ask(Some(now), n_answers).recv_timeout(LONG).is_err());
        assert_eq!(asker.ask(Some(seen.unwrap().revision()), n_answers).recv_timeout(LONG), Ok(0));
        assert_eq!(asker.ask(None, n_answers).recv_timeout(LONG), Ok(0));
    }
}
