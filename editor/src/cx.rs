//! What every panel works with: it reads the session, draws, and says what is to happen.

use std::path::PathBuf;
use std::time::Duration;

use egui::{Color32, Context};
use rules::{Answer, Seat, Setup};
use table::Session;

use crate::command::Command;
use crate::insight::Insight;
use crate::look::Look;
use crate::news::News;
use crate::pictures::Pictures;
use crate::settings::{Hints, Seats, Settings};

/// Something that is to happen when the frame is drawn.
#[derive(Clone, Debug)]
pub enum Action {
    /// Give this answer.
    Answer(Answer),
    /// Give a command.
    Command(Command),
    /// Look at the moment after so many answers.
    GoTo(usize),
    /// Go to the end of the branch with this number.
    SwitchTo(usize),
    /// Let a bot, or a person, play a seat.
    SetBot(Seat, Option<String>),
    /// Begin a game.
    Begin(Box<Setup>),
    /// Open a record.
    Open(PathBuf),
    /// Let a folder of mods be chosen.
    AskForMods,
    /// Open a folder of mods, or a mod, as well.
    AddMods(PathBuf),
    /// Play on with these mods: the game is replayed under them.
    UseMods(Vec<String>),
    /// Open a file, at a line, in the program that the system has for it.
    OpenFile(PathBuf, u32),
    /// Make an expansion from a template and play with it.
    MakeMod,
}

/// What a panel works with.
pub struct Cx<'a> {
    /// The game; panels only read it.
    pub session: &'a Session,
    /// What is known about the moment looked at, found when asked for.
    pub insight: &'a mut Insight,
    /// Pictures of tiles, pieces and icons.
    pub pictures: &'a mut Pictures,
    /// What is looked at.
    pub look: &'a mut Look,
    /// What is kept between runs.
    pub settings: &'a mut Settings,
    /// What has happened to mods and files.
    pub news: &'a News,
    /// What is to happen when the frame is drawn, in order.
    pub actions: &'a mut Vec<Action>,
    /// The colour of each seat.
    pub colours: Vec<[u8; 3]>,
    /// Whether a line is being played, or bots are playing.
    pub is_playing: bool,
    /// The time of this frame since the start.
    pub time: Duration,
}

impl Cx<'_> {
    /// Lets something happen when the frame is drawn.
    pub fn act(&mut self, action: Action) {
        self.actions.push(action);
    }

    /// Gives a command when the frame is drawn.
    pub fn command(&mut self, command: Command) {
        self.actions.push(Action::Command(command));
    }

    /// How much the window helps.
    pub fn hints(&self) -> Hints {
        self.settings.hints
    }

    /// The colour of a seat.
    pub fn colour(&self, seat: Seat) -> Color32 {
        let [r, g, b] = self.rgb(seat);
        Color32::from_rgb(r, g, b)
    }

    /// The colour of a seat as red, green and blue, as pictures want it.
    pub fn rgb(&self, seat: Seat) -> [u8; 3] {
        self.colours.get(seat.idx()).copied().unwrap_or([128; 3])
    }

    /// The colour of a seat that texts on `ctx`'s background can have: some seat colours are too near to it.
    pub fn text_colour(&self, ctx: &Context, seat: Seat) -> Color32 {
        let colour = self.colour(seat);
        let brightness = (2 * u32::from(colour.r()) + 5 * u32::from(colour.g()) + u32::from(colour.b())) / 8;
        let is_dark = ctx.global_style().visuals.dark_mode;
        match (is_dark, brightness) {
            (true, ..110) => colour.lerp_to_gamma(Color32::WHITE, 0.55),
            (false, 105..) => colour.lerp_to_gamma(Color32::BLACK, if brightness > 150 { 0.5 } else { 0.25 }),
            _ => colour,
        }
    }
}

/// What the colours that players are called after look like, in a set that everybody can tell apart and in the traditional one.
const NAMED: [(&str, [u8; 3], [u8; 3]); 11] = [
    ("red", [0xd5, 0x5e, 0x00], [0xd8, 0x1f, 0x1a]),
    ("blue", [0x00, 0x72, 0xb2], [0x1f, 0x6f, 0xd0]),
    ("green", [0x00, 0x9e, 0x73], [0x1d, 0x93, 0x2c]),
    ("yellow", [0xf0, 0xe4, 0x42], [0xf2, 0xd6, 0x1d]),
    ("black", [0x1a, 0x1a, 0x1a], [0x22, 0x22, 0x22]),
    ("pink", [0xcc, 0x79, 0xa7], [0xf0, 0x82, 0xb4]),
    ("orange", [0xe6, 0x9f, 0x00], [0xf5, 0x8a, 0x1f]),
    ("white", [0xff, 0xff, 0xff], [0xff, 0xfc, 0xf0]),
    ("brown", [0x71, 0x3b, 0x17], [0x7a, 0x45, 0x20]),
    ("purple", [0x33, 0x22, 0x88], [0x70, 0x3a, 0xb5]),
    ("grey", [0x8a, 0x8a, 0x8a], [0x8a, 0x8a, 0x8a]),
];

/// The colour of each seat: what the record says, else the one that the player is called after, else the first one left.
pub fn seat_colours(setup: &Setup, seats: Seats) -> Vec<[u8; 3]> {
    let named = |name: &str| {
        let (_, safe, traditional) = NAMED.iter().find(|(n, ..)| *n == name)?;
        Some(if seats == Seats::Safe { *safe } else { *traditional })
    };
    let said = |player: &String| {
        let (_, colour) = setup.colours.iter().find(|(p, _)| p == player)?;
        named(colour).or_else(|| {
            let number = u32::from_str_radix(colour.strip_prefix('#')?, 16).ok()?;
            Some([(number >> 16) as u8, (number >> 8) as u8, number as u8])
        })
    };
    let own: Vec<Option<[u8; 3]>> = setup.players.iter().map(|p| said(p).or_else(|| named(p))).collect();
    let of_seat = |n: usize| if seats == Seats::Safe { art::seat_colour(n) } else { art::traditional_colour(n) };
    let mut free = (0..16).map(of_seat).filter(|c| !own.contains(&Some(*c)));
    own.iter().map(|c| c.unwrap_or_else(|| free.next().unwrap_or([128; 3]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_called_after_colours_have_them_and_others_get_what_is_left() {
        let setup =
            |players: &[&str]| Setup { players: players.iter().map(|p| (*p).to_owned()).collect(), ..Setup::default() };
        let colours = seat_colours(&setup(&["red", "anna", "blue"]), Seats::Safe);
        assert_eq!((colours[0], colours[2]), ([0xd5, 0x5e, 0x00], [0x00, 0x72, 0xb2]));
        assert!(colours[1] != colours[0] && colours[1] != colours[2]);
        let said = Setup { colours: vec![("anna".to_owned(), "#102030".to_owned())], ..setup(&["anna"]) };
        assert_eq!(seat_colours(&said, Seats::Traditional), [[0x10, 0x20, 0x30]]);
    }
}
