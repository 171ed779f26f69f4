//! The messages of the guest's thread to the window.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use door::{AnsweredQuestions, ChatLine, Client, Excursion, News, PlaytestView};
use egui::Context;
use host::{GuestLink, GuestReport, JoinError, RunningGuest};
use table::{InsightAnswer, SeatSet, SeenGame, is_hidden};

use crate::hosted::{remaining_times, table_seats};
use crate::table_view::TableNews;

/// The maximum number of news that wait for the next frame. The inbox drops older news, so that a
/// window that draws no frames needs little memory.
const MAX_WAITING: usize = 500;

/// News of a table at another computer.
pub enum GuestNews {
    /// News about the people at the table.
    Table(TableNews),
    /// All lines of the chat: the names of the players, and the texts.
    Chat(Vec<(String, String)>),
    /// The guest has taken the seat of this link.
    Seated(GuestLink),
    /// The answers to questions of the window.
    Answers(AnsweredQuestions),
    /// A message of the host.
    Notice(String),
    /// The playtest has changed.
    Playtest(PlaytestView),
    /// The hash of the seed of all draws.
    Committed(String),
    /// The record of the finished game, and true if its seed has the hash that the host sent first
    /// in this connection.
    Revealed(Option<String>, bool),
    /// The connection is lost, for this reason. The guest connects again after this time.
    Lost(String, Duration),
    /// The connection is over, for this reason.
    Ended(String),
}

/// A game as the table has sent it to the seats of the guest.
pub struct ReceivedGame {
    pub seen: SeenGame,
    /// The position that the guest looks at; `None` while the guest looks at the game.
    pub excursion: Option<Excursion>,
    pub own: SeatSet,
    pub theme: Option<Arc<art::Theme>>,
}

/// The messages since the last frame.
#[derive(Default)]
pub struct Inbox {
    /// The latest game; `None` if it has not changed.
    pub game: Option<ReceivedGame>,
    pub news: VecDeque<GuestNews>,
}

/// The inbox, shared by the window and the thread.
#[derive(Clone, Default)]
pub struct SharedInbox(Arc<Mutex<Inbox>>);

impl SharedInbox {
    /// Connects to the table of `link`. The thread puts its messages into this inbox, and wakes the
    /// window.
    ///
    /// # Errors
    /// Returns an error if the system cannot start a thread.
    pub fn connect(&self, link: GuestLink, ctx: &Context) -> std::io::Result<RunningGuest> {
        let (inbox, ctx, at) = (self.0.clone(), ctx.clone(), link.clone());
        RunningGuest::start(link, move |report| {
            let mut inbox = inbox.lock().unwrap_or_else(PoisonError::into_inner);
            match report {
                GuestReport::News(client, news) => inbox.add(&at, client, news),
                GuestReport::Lost(error, pause) => inbox.push(GuestNews::Lost(visible(&error.to_string()), pause)),
                GuestReport::Ended(error) => {
                    let needs_help =
                        matches!(error, JoinError::NoHost(..) | JoinError::Silent(_) | JoinError::Certificate(..));
                    let help = if needs_help { format!("; {}", error.help()) } else { String::new() };
                    inbox.push(GuestNews::Ended(visible(&format!("{error}{help}"))));
                }
            }
            ctx.request_repaint();
        })
    }

    /// Removes and returns the messages.
    pub fn take(&self) -> Inbox {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Inbox {
    fn push(&mut self, news: GuestNews) {
        if self.news.len() == MAX_WAITING {
            self.news.pop_front();
        }
        self.news.push_back(news);
    }

    fn add(&mut self, link: &GuestLink, client: &Client, news: News) {
        let news = match news {
            News::Game | News::Theme | News::Excursion => {
                let (own, theme) = (client.own_seats(), client.theme().cloned());
                let excursion = client.excursion().cloned();
                self.game = client.game().map(|seen| ReceivedGame { seen: seen.clone(), excursion, own, theme });
                return;
            }
            News::Seats => {
                let mut seats = table_seats(client.seats(), client.own_seats());
                seats.iter_mut().for_each(|seat| seat.name = seat.name.take().map(|name| visible(&name)));
                GuestNews::Table(TableNews::Seats(seats, client.n_spectators()))
            }
            News::Seated(_, token) => GuestNews::Seated(GuestLink { token: Some(token), ..link.clone() }),
            News::Refused(_, why) => GuestNews::Table(TableNews::Refused(visible(&why))),
            News::UndoProposed(by, asks) => GuestNews::Table(TableNews::UndoProposed(by, asks)),
            News::UndoEnded(declined_by) => GuestNews::Table(TableNews::UndoEnded(declined_by)),
            News::Paused(by) => GuestNews::Table(TableNews::Paused(by)),
            News::Notice(text) => GuestNews::Notice(visible(&text)),
            News::Committed => match client.commitment() {
                Some(hash) => GuestNews::Committed(hash.to_string()),
                None => return,
            },
            News::Revealed(fits) => GuestNews::Revealed(client.record_text(), fits),
            News::Chat => GuestNews::Chat(client.chat().iter().map(chat_line).collect()),
            News::Said => match client.chat().last().map(|line| (line.seat, chat_line(line))) {
                Some((seat, (name, text))) => GuestNews::Table(TableNews::Said(seat, name, text)),
                None => return,
            },
            News::Pointed(by, spot) => GuestNews::Table(TableNews::Pointed(by, spot)),
            News::Clock => match client.clock() {
                Some(clock) => GuestNews::Table(TableNews::Clock(remaining_times(clock))),
                None => return,
            },
            News::Playtest => match client.playtest() {
                Some(view) => GuestNews::Playtest(view.clone()),
                None => return,
            },
            News::Answers(mut answers) => {
                for (_, found) in &mut answers.found {
                    if let Some(InsightAnswer::Lines(lines)) = found {
                        lines.iter_mut().for_each(|line| *line = visible(line));
                    }
                }
                GuestNews::Answers(answers)
            }
            News::Done(_) => return,
        };
        self.push(news);
    }
}

fn chat_line(line: &ChatLine) -> (String, String) {
    (visible(&line.name), visible(&line.text))
}

/// Replaces invisible characters, so that no text of a stranger can pretend to be another.
fn visible(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}
