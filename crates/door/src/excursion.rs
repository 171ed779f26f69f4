//! Excursions of a client: positions that the client looks at alone, beside the game.

use table::SeenGame;

use crate::protocol::Request;

/// A position that a client looks at alone: an earlier position of the game, and answers that the
/// client tries from there.
#[derive(Clone, Debug)]
pub struct Excursion {
    pub(crate) n: usize,
    pub(crate) tried: Vec<String>,
    pub(crate) seen: SeenGame,
}

impl Excursion {
    /// Returns the number of answers of the game before the tried answers.
    pub fn n_played(&self) -> usize {
        self.n
    }

    /// Returns the texts of the answers that the client tries, without draws.
    pub fn tried(&self) -> &[String] {
        &self.tried
    }

    /// Returns the position. Its steps end at this position, and no bot plays a seat there.
    pub fn game(&self) -> &SeenGame {
        &self.seen
    }
}

/// A step of an excursion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExcursionStep {
    /// Goes to the position after this number of answers of the game.
    LookAt(usize),
    /// Tries one more answer, with this text, at the position that the client looks at. If there is
    /// no excursion, begins one at the current position of the game.
    Try(String),
    /// Goes to the position before the last tried answer. Does nothing if the client has tried no
    /// answer.
    TakeBack,
    /// Returns to the game.
    End,
}

/// The excursion of a client, and its last request for one.
#[derive(Default)]
pub(crate) struct Excursions {
    /// The position that the client looks at; `None` while it looks at the game.
    pub open: Option<Excursion>,
    /// The last request, until the table replies: its number, and the contents of the request.
    requested: Option<(u32, usize, Vec<String>)>,
}

impl Excursions {
    /// Carries out a step while the game has `live` answers. Returns the request that the client
    /// must send with this number; `None` if the step needs no reply of the table.
    pub(crate) fn carry_out(&mut self, step: ExcursionStep, live: usize, number: u32) -> Option<Request> {
        // A step that follows another before the reply of the table continues from there.
        let requested = self.requested.as_ref().map(|(_, n, tried)| (*n, tried.clone()));
        let open = || self.open.as_ref().map(|it| (it.n, it.tried.clone()));
        let (n, mut tried) = requested.or_else(open).unwrap_or((live, Vec::new()));
        let (n, tried) = match step {
            ExcursionStep::LookAt(n) => (n, Vec::new()),
            ExcursionStep::Try(answer) => {
                tried.push(answer);
                (n, tried)
            }
            ExcursionStep::TakeBack => {
                tried.pop()?;
                (n, tried)
            }
            ExcursionStep::End => {
                self.end();
                return None;
            }
        };
        self.requested = Some((number, n, tried.clone()));
        Some(Request::Excursion { n: n as u32, tried })
    }

    /// Takes over the position that the table sent as the reply to a request. Returns false if the
    /// client has made another request since then.
    pub fn receive(&mut self, number: u32, seen: SeenGame) -> bool {
        let Some((_, n, tried)) = self.requested.take_if(|(requested, ..)| *requested == number) else { return false };
        self.open = Some(Excursion { n, tried, seen });
        true
    }

    /// Notes that the table has refused the request with this number.
    pub fn note_refusal(&mut self, number: u32) {
        self.requested.take_if(|(requested, ..)| *requested == number);
    }

    /// Ends the excursion.
    pub fn end(&mut self) {
        *self = Excursions::default();
    }
}
