//! `bastide join`: a guest at a table of another computer.
//!
//! The file is long because a guest reads, types and reconnects in one loop.

mod exploring;

use std::io::{BufRead as _, Write};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use door::{AnsweredQuestions, ChatLine, Client, ClockView, Commitment, News, Request, SeatClaim};
use host::{Connection, GuestLink, JoinError, catch_panics};
use playtest::SurveyQuestion;
use rules::parse_spot;
use table::{Answer, AwaitedActor, Insight, InsightAnswer, Seat, SeatSet, award_explanation, write_new};
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::play::input::{PlayCommand, parse_command};
use super::play::show::{self, ShownAnswers};
use crate::context::{CliError, CommandOutcome, CommandResult, Context, problem, usage};
use crate::sheet;
use crate::terminal::Terminal;

/// Join a table that another computer hosts
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide join http://192.168.1.5:7878/KOMBLU
  bastide join https://tables.example.org/KOMBLU --name Anna
  bastide join http://192.168.1.5:7878/KOMBLU --watch  watch the game without a seat
  bastide join http://192.168.1.5:7878/KOMBLU --save my.game

Type your choices as in `bastide play`. `u` proposes to undo your last choice; the others must
agree. `say hello` writes to the others. If the host runs a playtest, it asks whether you `agree`;
`note unclear` then pins a note to this moment, which only the host reads, and `clear` or `unclear`
rates the explanation of points that `why` prints. `bot greedy` lets a bot
play for you until you type `bot`. `back` shows earlier positions, and `try` lets you try choices;
only you see them, and `live` returns to the game. If the connection breaks, the command connects
again. It also prints a link with `#`, with which you can return to your seat from any computer.

A link with https:// needs a certificate that this computer trusts. If the host has made its own,
the variable SSL_CERT_FILE names the file with it.

Before the game, the host publishes a hash of the seed of all draws. After the game, it publishes
the seed, and the command prints whether the seed matches the hash. With --save,
`bastide replay my.game --fair HASH` checks every draw.")]
pub struct Args {
    /// Link that the host prints
    link: String,
    /// Your name at the table
    #[arg(long, value_name = "NAME", default_value = "guest")]
    name: String,
    /// Seat to take, such as blue [default: the first free seat]
    #[arg(long, value_name = "COLOUR", conflicts_with = "watch")]
    seat: Option<String>,
    /// Watch without taking a seat
    #[arg(long)]
    watch: bool,
    /// Save the record in FILE when the game is over
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// The pauses before each attempt to reconnect, in seconds.
const PAUSES: [u64; 6] = [1, 2, 4, 8, 15, 30];

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let link = args.link.parse::<GuestLink>().map_err(usage)?;
    let runtime = Runtime::new().map_err(|error| problem(format!("cannot connect: {error}")))?;
    let (typed, lines) = unbounded_channel();
    // The thread blocks while it reads the keyboard, so it ends only when the program exits.
    thread::spawn(move || {
        let input = std::io::stdin().lock().lines().map_while(Result::ok);
        input.map(|line| typed.send(line)).take_while(Result::is_ok).for_each(drop);
    });
    let mut guest = Guest {
        terminal: context.terminal,
        link,
        name: args.name.clone(),
        wanted: args.seat.clone(),
        watches: args.watch,
        save: args.save.clone(),
        commitment: None,
        is_over: false,
        lines,
        shown: ShownAnswers::default(),
        asked: None,
        must_consent: false,
        printed_seats: String::new(),
        is_greeted: false,
        claim: None,
        printed_consent: None,
        survey: None,
        explained: None,
        sent_thumb: None,
    };
    runtime.block_on(guest.play_with_reconnects())
}

/// A guest in the terminal.
struct Guest {
    terminal: Terminal,
    link: GuestLink,
    name: String,
    /// The colour of the seat to take; `None` for the first free seat.
    wanted: Option<String>,
    watches: bool,
    /// The file in which the record is saved when the game is over.
    save: Option<PathBuf>,
    /// The hash of the seed that the host sent first.
    commitment: Option<Commitment>,
    /// True if the end of the game has been shown.
    is_over: bool,
    lines: UnboundedReceiver<String>,
    shown: ShownAnswers,
    /// The last question that was shown: the number of earlier answers, and the options. `None` if
    /// this guest need not answer.
    asked: Option<(usize, Vec<(Answer, String)>)>,
    /// True if another player has proposed an undo that the guest must accept or decline.
    must_consent: bool,
    /// The last printed line about the seats.
    printed_seats: String,
    /// True after this connection has sent its first game.
    is_greeted: bool,
    /// The last request for a seat; `None` before the guest has requested one.
    claim: Option<SeatClaim>,
    /// The consent to the playtest that was printed last; `None` before any was printed.
    printed_consent: Option<Option<bool>>,
    /// The survey that the guest answers after the game.
    survey: Option<SurveyProgress>,
    /// The rule whose points were explained last; `None` before the guest has asked for an
    /// explanation.
    explained: Option<String>,
    /// The number of the last request that rates an explanation.
    sent_thumb: Option<u32>,
}

/// A survey that the guest answers, one question after another.
struct SurveyProgress {
    questions: Vec<SurveyQuestion>,
    /// The number of questions that the guest has answered or skipped.
    n_done: usize,
    replies: Vec<(String, String)>,
    /// The number of the request with the replies, after it was sent.
    sent: Option<u32>,
}

/// The reason why a connection is over.
enum ConnectionEnd {
    /// The guest quits, or the game is over.
    Done,
    /// The connection ended with this error.
    Lost(JoinError),
}

/// The outcome of news or of a line: true if play goes on, or an inner error if the connection
/// broke.
type StepResult = Result<Result<bool, JoinError>, CliError>;

impl Guest {
    /// Plays until the guest quits or the game is over. Connects again if the connection breaks.
    async fn play_with_reconnects(&mut self) -> CommandResult {
        let mut client = Client::new();
        let mut n_failed = 0;
        loop {
            let error = match Connection::open(&self.link, client).await {
                Ok(mut connection) => {
                    n_failed = 0;
                    let played = catch_panics(self.play(&mut connection)).await;
                    match played.unwrap_or_else(|error| Ok(ConnectionEnd::Lost(error)))? {
                        ConnectionEnd::Done => return Ok(CommandOutcome::Fine),
                        ConnectionEnd::Lost(error @ (JoinError::Ended | JoinError::Client(_))) => {
                            client = Client::new();
                            error
                        }
                        ConnectionEnd::Lost(error) => return Err(problem(error)),
                    }
                }
                Err(error @ (JoinError::NoHost(..) | JoinError::Silent(_) | JoinError::Full))
                    if self.claim.is_some() =>
                {
                    client = Client::new();
                    error
                }
                Err(error) => return Err(problem(&error).with_help(error.help())),
            };
            let Some(pause) = PAUSES.get(n_failed) else { return Err(problem(error)) };
            n_failed += 1;
            self.terminal.warn(format!("{error}; connecting again in {pause} s"));
            tokio::time::sleep(Duration::from_secs(*pause)).await;
        }
    }

    async fn play(&mut self, connection: &mut Connection) -> Result<ConnectionEnd, CliError> {
        self.is_greeted = false;
        loop {
            let step = tokio::select! {
                news = connection.next() => match news {
                    Ok(news) => self.print_news(connection, news).await?,
                    Err(error) => return Ok(ConnectionEnd::Lost(error)),
                },
                line = self.lines.recv() => self.handle_line(connection, line).await?,
            };
            match step {
                Ok(true) => {}
                Ok(false) => return Ok(ConnectionEnd::Done),
                Err(error) => return Ok(ConnectionEnd::Lost(error)),
            }
        }
    }

    /// Prints news of the table. Returns false if the game is over, and an inner error if the
    /// connection broke.
    async fn print_news(&mut self, connection: &mut Connection, news: News) -> StepResult {
        match news {
            News::Game => return self.show_game(connection).await,
            News::Excursion => self.print_excursion(connection)?,
            News::Seats if self.is_greeted => self.print_seats(connection)?,
            News::Done(number) | News::Refused(number, _) if self.has_sent_survey(number) => {
                let text =
                    if let News::Refused(_, why) = news { table::capitalize(&why) } else { "Thank you".to_owned() };
                self.print(&format!("{text}."))?;
                return Ok(Ok(false));
            }
            News::Done(number) if self.sent_thumb == Some(number) => self.print("The host has saved your opinion.")?,
            News::Seats | News::Done(_) | News::Clock | News::Theme => {}
            News::Seated(seat, token) => {
                self.link.token = Some(token);
                self.print(&format!("You play {}.", self.seat_name(connection, seat)))?;
                let link = format!("To come back from anywhere: bastide join {}", self.link);
                self.print(&self.terminal.faint(link))?;
            }
            News::Refused(_, why) => self.print(&format!("{}.", table::capitalize(&why)))?,
            News::Answers(answers) => self.print_answers(connection, &answers)?,
            News::UndoProposed(by, asks) => {
                self.must_consent = asks;
                let name = self.seat_name(connection, by);
                let asks = if asks { " Type y to agree or n to decline." } else { "" };
                self.print(&format!("{name} proposes to undo their last choice.{asks}"))?;
            }
            News::UndoEnded(declined_by) => {
                self.must_consent = false;
                match declined_by {
                    Some(seat) => self.print(&format!("{} declined the undo.", self.seat_name(connection, seat)))?,
                    None => self.print("The proposal to undo has ended.")?,
                }
            }
            News::Paused(by) => match by {
                Some(seat) => {
                    let name = self.seat_name(connection, seat);
                    self.print(&format!("{name} has paused the game. `resume` continues it."))?;
                }
                None if !self.is_greeted => {}
                None => {
                    self.print("The game continues.")?;
                    self.asked = None;
                    return self.show_game(connection).await;
                }
            },
            News::Notice(text) => self.print(&table::capitalize(&text))?,
            News::Chat if self.is_greeted => {}
            News::Chat => connection.client.chat().iter().try_for_each(|line| self.print_chat(line))?,
            News::Said => connection.client.chat().last().map_or(Ok(()), |line| self.print_chat(line))?,
            News::Playtest => self.print_playtest(connection)?,
            News::Pointed(by, spot) => {
                let name = self.seat_name(connection, by);
                self.print(&format!("{name} points at {},{}.", spot.x, spot.y))?;
            }
            News::Committed => self.take_commitment(connection)?,
            News::Revealed(fits) => {
                if let Some(game) = connection.client.game().filter(|_| !self.is_over) {
                    show::print_end(&self.terminal, &mut self.terminal.out(), game)?;
                }
                self.take_seed(connection, fits)?;
                return Ok(Ok(self.begin_survey(connection)?));
            }
        }
        Ok(Ok(true))
    }

    /// Asks the guest to agree to the playtest, or says what the guest has chosen.
    fn print_playtest(&mut self, connection: &Connection) -> Result<(), CliError> {
        let Some(view) = connection.client.playtest() else { return Ok(()) };
        if self.printed_consent.replace(view.agrees) == Some(view.agrees) {
            return Ok(());
        }
        self.print(match view.agrees {
            None => {
                "The host collects notes, times and answers to a survey, without your name. Type `agree` or `decline`."
            }
            Some(true) => {
                "The host collects your notes (`note TEXT`), times, thumbs and answers. `decline` deletes them."
            }
            Some(false) => "The host collects nothing from you.",
        })
    }

    /// Begins the survey after the game, if there is one, and if the guest takes part in the
    /// playtest and has not replied yet. Returns whether the survey began.
    fn begin_survey(&mut self, connection: &Connection) -> Result<bool, CliError> {
        let view = connection.client.playtest();
        let Some(view) = view.filter(|it| it.agrees == Some(true) && !it.has_replied && !it.survey.is_empty()) else {
            return Ok(false);
        };
        let questions = view.survey.clone();
        self.survey = Some(SurveyProgress { questions, n_done: 0, replies: Vec::new(), sent: None });
        self.print("The host asks some questions. Enter skips a question.")?;
        self.print_survey_question()?;
        Ok(true)
    }

    fn print_survey_question(&self) -> Result<(), CliError> {
        let question = self.survey.as_ref().and_then(|survey| survey.questions.get(survey.n_done));
        question.map_or(Ok(()), |question| self.print(&format!("{} ({})", question.text, question.hint())))
    }

    fn has_sent_survey(&self, number: u32) -> bool {
        self.survey.as_ref().is_some_and(|survey| survey.sent == Some(number))
    }

    /// Takes a typed line as the reply to the open question of the survey, and sends all replies
    /// after the last question. Returns the same as [`handle_line`](Guest::handle_line).
    async fn reply(&mut self, connection: &mut Connection, line: &str) -> StepResult {
        let Some(survey) = &mut self.survey else { return Ok(Ok(true)) };
        let Some(question) = survey.questions.get(survey.n_done) else { return Ok(Ok(true)) };
        if !line.trim().is_empty() {
            match question.parse(line) {
                Ok(reply) => survey.replies.push((question.id.clone(), reply.to_string())),
                Err(why) => return self.print(&format!("{}.", table::capitalize(&why.to_string()))).map(|()| Ok(true)),
            }
        }
        survey.n_done += 1;
        if survey.n_done < survey.questions.len() {
            return self.print_survey_question().map(|()| Ok(true));
        }
        if survey.replies.is_empty() {
            return Ok(Ok(false));
        }
        match connection.request(Request::Reply { replies: survey.replies.clone() }).await {
            Ok(number) => survey.sent = Some(number),
            Err(error) => return Ok(Err(error)),
        }
        Ok(Ok(true))
    }

    /// Explains points: the latest ones for `1`, those before them for `2`, and so on. Returns
    /// their rule, if there are such points.
    fn explain(&self, connection: &Connection, which: &str) -> Result<Option<String>, CliError> {
        let Some(view) = connection.client.game().map(table::SeenGame::view) else { return Ok(None) };
        let n_back = which.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        let Some(award) = n_back.and_then(|n| view.awards().iter().rev().nth(n)) else {
            let text = match view.awards().len() {
                0 => "No player has scored yet.".to_owned(),
                n => format!("Type `why` for the latest points, or a number up to {n}, such as `why 2`."),
            };
            return self.print(&text).map(|()| None);
        };
        self.print(&format!("  {}", sheet::award_line(&self.terminal, view, award)))?;
        award_explanation(view, award).iter().try_for_each(|line| self.print(&format!("      {line}")))?;
        if connection.client.playtest().is_some_and(|playtest| playtest.agrees == Some(true)) {
            self.print("Is this clear? Type `clear` or `unclear`.")?;
        }
        Ok(Some(award.reason.to_string()))
    }

    fn print_chat(&self, line: &ChatLine) -> Result<(), CliError> {
        self.print(&format!("{} says: {}", line.name, line.text))
    }

    /// Prints the hash of the seed when the host first sends it. Prints a warning if the host sends
    /// another hash on a later connection.
    fn take_commitment(&mut self, connection: &Connection) -> Result<(), CliError> {
        let Some(hash) = connection.client.commitment() else { return Ok(()) };
        let known = *self.commitment.get_or_insert(hash);
        if known != hash {
            self.terminal.warn("the host now publishes another hash of the seed: the draws may be unfair");
        } else if !self.is_greeted {
            self.print(&self.terminal.faint(format!("Hash of the seed of all draws: {hash}")))?;
        }
        Ok(())
    }

    /// Prints whether the revealed seed matches the hash from the start of the game, and saves the
    /// record. `fits` is true if the seed matches the hash that this connection received.
    fn take_seed(&self, connection: &Connection, fits: bool) -> Result<(), CliError> {
        let Some(hash) = self.commitment else { return Ok(()) };
        if fits && connection.client.commitment() == Some(hash) {
            self.print("The host has revealed the seed. It has the published hash.")?;
        } else {
            let message =
                "the seed that the host has revealed does not have the published hash: the draws may be unfair";
            self.terminal.warn(message);
        }
        let (Some(file), Some(text)) = (&self.save, connection.client.record_text()) else { return Ok(()) };
        let name = file.display();
        write_new(file, &text).map_err(|error| {
            let help = "join again with --watch and another --save FILE: the table still has the game";
            problem(format!("cannot save {name}: {error}")).with_help(help)
        })?;
        self.print(&format!("Saved {name}. To check every draw: bastide replay {name} --fair {hash}"))
    }

    /// Prints the changes of the game, and the question if this guest must answer. When a
    /// connection sends its first game, greets the guest and requests a seat instead. The result
    /// has the same meaning as that of [`print_news`](Guest::print_news).
    async fn show_game(&mut self, connection: &mut Connection) -> StepResult {
        let (terminal, own) = (self.terminal, connection.client.own_seats());
        let Some(game) = connection.client.game() else { return Ok(Ok(true)) };
        if !std::mem::replace(&mut self.is_greeted, true) {
            self.print_greeting(connection)?;
            return self.sit(connection).await;
        }
        let mut out = terminal.out();
        self.shown.unmark_from(game.position_index());
        show::print_last_steps(&terminal, &mut out, game, &mut self.shown, None, |seat| own.contains(seat))?;
        if game.awaited_actor() == AwaitedActor::Nobody {
            if !std::mem::replace(&mut self.is_over, true) {
                show::print_end(&terminal, &mut out, game)?;
            }
            // The table sends the seed after the game.
            drop(out);
            return Ok(Ok(connection.client.commitment().is_some() || self.begin_survey(connection)?));
        }
        let is_asked = matches!(game.awaited_actor(), AwaitedActor::Person(seat) if own.contains(seat));
        let options = if is_asked { show::options(game) } else { Vec::new() };
        // When a guest takes a seat, the table sends the game again, with the same question.
        let is_new = self.asked.as_ref().is_none_or(|(at, asked)| *at != game.position_index() || *asked != options);
        let mut about = Vec::new();
        if is_asked && is_new {
            show::print_question(&terminal, &mut out, game, &options)?;
            about = options.iter().map(|(choice, _)| *choice).filter(|it| matches!(it, Answer::ModOption(_))).collect();
            if let Some(clock) = connection.client.clock() {
                writeln!(out, "{}", self.terminal.faint(self.times(connection, clock)))?;
            }
            if connection.client.excursion().is_some() {
                writeln!(out, "{}", terminal.faint("You look at another position: type `live` first to choose."))?;
            }
            write!(out, "{}> ", game.view().name(own.seats().next().unwrap_or_default()))?;
            self.asked = Some((game.position_index(), options));
        } else if !is_asked {
            self.asked = None;
        }
        out.flush()?;
        drop(out);
        Ok(ask(connection, about.into_iter().map(Insight::AboutAnswer)).await)
    }

    fn print_greeting(&mut self, connection: &Connection) -> Result<(), CliError> {
        let Some(game) = connection.client.game() else { return Ok(()) };
        let mods: Vec<&str> = game.view().mods().iter().map(|info| info.title.as_str()).collect();
        self.print(&format!("Table {}: {}. Type ? for help.", self.link.code, mods.join(", ")))?;
        if self.shown.n == 0 {
            self.shown = ShownAnswers::all(game);
        }
        self.print_seats(connection)
    }

    /// Requests a seat, unless the guest only watches. Always returns true, so that play goes on.
    async fn sit(&mut self, connection: &mut Connection) -> StepResult {
        let token = self.link.token;
        if self.watches && token.is_none() {
            // A spectator sends no request, so the table does not send the game again. Enter shows
            // the board.
            return Ok(Ok(true));
        }
        let claim = match self.claim {
            Some(claim) if token.is_none() => claim,
            _ => SeatClaim::of(token).map_err(problem)?,
        };
        // If the connection breaks before the table replies, the next one repeats the request.
        self.claim = Some(claim);
        let view = connection.client.game().map(table::SeenGame::view);
        let named = |name: &String| view.and_then(|view| view.seats().find(|seat| view.name(*seat) == name.trim()));
        let seat = self.wanted.as_ref().filter(|_| token.is_none()).map(|name| named(name).unwrap_or(NO_SEAT));
        Ok(connection.request(Request::Sit { seat, name: self.name.clone(), claim }).await.map(|_| true))
    }

    /// Returns the remaining time of each seat as text.
    fn times(&self, connection: &Connection, clock: &ClockView) -> String {
        let time = |(i, ms): (usize, &u32)| {
            let seconds = ms / 1000;
            format!("{} {}:{:02}", self.seat_name(connection, Seat(i as u8)), seconds / 60, seconds % 60)
        };
        let times: Vec<String> = clock.left.iter().enumerate().map(time).collect();
        format!("Time left: {}", times.join(", "))
    }

    fn seat_name(&self, connection: &Connection, seat: Seat) -> String {
        let name = connection.client.game().map(|game| sheet::name(&self.terminal, game.view(), seat));
        let guest = connection.client.seats().get(seat.idx()).and_then(|seat| seat.name.clone());
        match (name, guest) {
            (Some(name), Some(guest)) => format!("{name} ({guest})"),
            (name, _) => name.unwrap_or_default(),
        }
    }

    fn print_seats(&mut self, connection: &Connection) -> Result<(), CliError> {
        let mut words = Vec::new();
        for (i, seat) in connection.client.seats().iter().enumerate() {
            let state = match (seat.is_bot, &seat.name, seat.is_here) {
                (true, ..) => ": bot",
                (false, None, _) => ": free",
                (false, Some(_), false) => ": away",
                (false, Some(_), true) => "",
            };
            words.push(format!("{}{state}", self.seat_name(connection, Seat(i as u8))));
        }
        let n = connection.client.n_spectators();
        let watching = if n > 0 { format!("; {n} watching") } else { String::new() };
        let text = format!("{}{watching}", words.join(", "));
        if self.printed_seats != text {
            self.printed_seats = text;
            self.print(&self.printed_seats)?;
        }
        Ok(())
    }

    /// Prints the mods' descriptions of options, or the projected scores.
    fn print_answers(&self, connection: &Connection, answers: &AnsweredQuestions) -> Result<(), CliError> {
        // The guest has asked only for the scores; descriptions are requested automatically.
        let is_of_guest = answers.found.iter().any(|(insight, _)| matches!(insight, Insight::Projection(_)));
        if let Some(why) = answers.refusal.as_ref().filter(|_| is_of_guest) {
            return self.print(&format!("{}.", table::capitalize(why)));
        }
        let is_now = |game: &&table::SeenGame| game.revision().version() == answers.at;
        let Some(view) = connection.client.game().filter(is_now).map(table::SeenGame::view) else { return Ok(()) };
        for (insight, found) in &answers.found {
            match (insight, found) {
                (Insight::AboutAnswer(answer), Some(InsightAnswer::Lines(lines))) => {
                    // The table describes only options of this version of the game.
                    let Some(text) = view.answer_text(*answer) else { continue };
                    lines.iter().try_for_each(|line| self.print(&format!("     {text}: {line}")))?;
                }
                (_, Some(InsightAnswer::Projection(Some(projection)))) => {
                    let seats = view.seats().zip(&projection.scores);
                    let scores: Vec<String> = seats
                        .map(|(seat, points)| format!("{} {points}", sheet::name(&self.terminal, view, seat)))
                        .collect();
                    self.print(&format!("If the game ended now: {}", scores.join(", ")))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn print(&self, text: &str) -> Result<(), CliError> {
        let mut out = self.terminal.out();
        writeln!(out, "{text}")?;
        Ok(out.flush()?)
    }

    /// Carries out a typed line. Returns false if the guest quits, and an inner error if the
    /// connection broke.
    async fn handle_line(&mut self, connection: &mut Connection, line: Option<String>) -> StepResult {
        let Some(line) = line else { return Ok(Ok(false)) };
        if self.survey.is_some() {
            return self.reply(connection, &line).await;
        }
        if let Some(done) = self.explore(connection, &line).await? {
            return Ok(done);
        }
        let Some(game) = connection.client.game() else { return Ok(Ok(true)) };
        let (at, own) = (game.revision().version(), connection.client.own_seats());
        let words: Vec<&str> = line.split_whitespace().collect();
        let request = match words[..] {
            ["y" | "yes"] if self.must_consent => Request::AnswerUndo { agrees: true },
            ["n" | "no"] if self.must_consent => Request::AnswerUndo { agrees: false },
            ["bot", ref bot @ ..] => match own.seats().next() {
                Some(seat) => Request::SetBot { seat, bot: bot.first().map(|bot| (*bot).to_owned()) },
                None => return self.print("Only players can let a bot play.").map(|()| Ok(true)),
            },
            ["stand"] => Request::Stand,
            ["pause"] => Request::Pause { is_paused: true },
            ["resume"] => Request::Pause { is_paused: false },
            ["say", ref text @ ..] => Request::Chat { text: text.join(" ") },
            ["agree"] => Request::Consent { agrees: true },
            ["decline"] => Request::Consent { agrees: false },
            ["note", ref text @ ..] => {
                Request::Note { n: game.position_index() as u32, about: None, text: text.join(" ") }
            }
            ["why", ref which @ ..] => {
                let rule = self.explain(connection, which.first().copied().unwrap_or("1"))?;
                self.explained = rule.or(self.explained.take());
                return Ok(Ok(true));
            }
            [said @ ("clear" | "unclear")] => match self.explained.clone() {
                Some(rule) => {
                    let sent = connection.request(Request::Thumb { rule, up: said == "clear" }).await;
                    return Ok(sent.map(|number| {
                        self.sent_thumb = Some(number);
                        true
                    }));
                }
                None => return self.print("First type `why` for an explanation.").map(|()| Ok(true)),
            },
            ["point", spot] => match parse_spot(spot) {
                Ok(spot) => Request::Point { spot },
                Err(_) => return self.print("Name a spot, such as `point 1,0`.").map(|()| Ok(true)),
            },
            _ => {
                let options = self.asked.as_ref().map_or(&[][..], |(_, options)| options);
                match parse_command(&line, options) {
                    Ok(PlayCommand::Choose(choice)) => {
                        let answer = options.iter().find(|(option, _)| *option == choice).map(|(_, text)| text.clone());
                        Request::Answer { at, answer: answer.unwrap_or_default() }
                    }
                    Ok(PlayCommand::Undo) => Request::ProposeUndo { at },
                    Ok(PlayCommand::Scores) => {
                        let mut out = self.terminal.out();
                        write!(out, "{}", sheet::score_sheet(&self.terminal, game.view()))?;
                        out.flush()?;
                        return Ok(ask(connection, [Insight::Projection(None)]).await);
                    }
                    Ok(PlayCommand::Quit) => return Ok(Ok(false)),
                    Ok(PlayCommand::Help) => return self.print(HELP).map(|()| Ok(true)),
                    Ok(PlayCommand::Board | PlayCommand::Look | PlayCommand::Redo | PlayCommand::Nothing) => {
                        let mut out = self.terminal.out();
                        if own == SeatSet::NONE || options.is_empty() {
                            show::print_board(&self.terminal, &mut out, game, &[])?;
                        } else {
                            show::print_question(&self.terminal, &mut out, game, options)?;
                        }
                        out.flush()?;
                        return Ok(Ok(true));
                    }
                    Err(_) if options.is_empty() => {
                        return self.print("It is not your turn to answer; ? shows the commands.").map(|()| Ok(true));
                    }
                    Err(error) => return self.print(&error.to_string()).map(|()| Ok(true)),
                }
            }
        };
        Ok(connection.request(request).await.map(|_| true))
    }
}

/// A seat that no game has. A guest who names an unknown colour requests this seat, so that the
/// table refuses the request.
const NO_SEAT: Seat = Seat(u8::MAX);

/// Asks the table questions about the game. Always returns true, so that play goes on.
async fn ask(connection: &mut Connection, insights: impl IntoIterator<Item = Insight>) -> Result<bool, JoinError> {
    if let Some(request) = connection.client.ask(insights) {
        connection.send(&request).await?;
    }
    Ok(true)
}

/// The commands of a guest.
const HELP: &str = "
  NUMBER, TEXT   choose an option, as in `bastide play`
  X,Y FACING     place the tile
  p              pass
  Enter, b       show the question or the board
  s              show the current scores, and the scores if the game ended now
  u              propose to undo your last choice
  bot NAME       let a bot play for you
  bot            play yourself again
  stand          give up your seat
  pause, resume  pause the game for all players, or continue it
  back, back 5   look at an earlier position; only you see it
  forward        look at the next later position
  try            try choices from the current position; only you see them
  live           return from another position to the game
  say TEXT       write to the others
  point X,Y      point at a spot; the others see it for a few seconds
  agree, decline let the host collect your notes, times and survey answers, or not
  why, why 2     explain the latest points, or the points before them
  clear, unclear say whether the last explanation is clear, if you agreed
  note TEXT      write a note about this moment to the host, if you agreed
  q              quit; your seat stays yours";
