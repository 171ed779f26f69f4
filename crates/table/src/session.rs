//! A game being played: the moment looked at, the whole line, other lines, bots, and the file it is kept in.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use board::TileSet;
use loader::{Library, Loaded, Problems};
use players::{Chance, Player, View, player_named};
use rules::{Answer, Catalogue, Dealer, Game, NotOffered, Rules, Ruleset, Seat, Setup, State, Status, Who};

use crate::branch::Branch;
use crate::keep::{CannotKeep, RecordFile};
use crate::outcome::Diverged;
use crate::revision::Revision;
use crate::shelf::{ModOnDisk, mods_on_disk};
use crate::step::{Before, Step, steps_of};

/// Whom the game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waits {
    /// A person at this seat.
    Person(Seat),
    /// A bot at this seat.
    Bot(Seat),
    /// A draw or a die.
    Chance,
    /// A mod, to be mended.
    Mod,
    /// Nobody: the game is over.
    Nobody,
}

/// A game being played.
///
/// There is one line of answers; the moment looked at may be any on it. Answering in the past goes on from there: what came after is kept
/// as a branch where a whole turn would be lost.
pub struct Session {
    pub(crate) library: Library,
    pub(crate) loaded: Rc<Loaded>,
    pub(crate) problems: Problems,
    pub(crate) game: Game,
    pub(crate) line: Vec<Step>,
    pub(crate) branches: Vec<Branch>,
    pub(crate) name: String,
    pub(crate) n_lines: usize,
    pub(crate) diverged: Option<Diverged>,
    dealer: Dealer,
    bots: Vec<Option<Box<dyn Player>>>,
    record: Option<RecordFile>,
    /// How many answers of the record's file are in force.
    n_kept: usize,
    pub(crate) trouble: Option<CannotKeep>,
    pub(crate) revision: Revision,
    /// What is on disk, looked at when somebody asks and again when files have changed.
    pub(crate) shelf: OnceCell<Rc<Vec<ModOnDisk>>>,
}

/// Where the game stands.
impl Session {
    /// A session of `game`, which is played by the rules of `loaded`.
    pub fn new(library: Library, loaded: Rc<Loaded>, game: Game) -> Session {
        let seed = game.setup().seed.unwrap_or(0);
        let line = steps_of(&game);
        let mut session = Session {
            library,
            loaded,
            problems: Problems::default(),
            game,
            line,
            branches: Vec::new(),
            name: "1".to_owned(),
            n_lines: 1,
            diverged: None,
            dealer: Dealer::new(seed),
            bots: Vec::new(),
            record: None,
            n_kept: 0,
            trouble: None,
            revision: Revision::of_new_session(),
            shelf: OnceCell::new(),
        };
        session.seat_bots();
        session
    }

    /// Makes the bots that the setup names.
    pub(crate) fn seat_bots(&mut self) {
        let setup = self.game.setup();
        let seed = setup.seed.unwrap_or(0);
        let bot = |(i, name): (usize, &String)| {
            let (_, bot) = setup.bots.iter().find(|(player, _)| player == name)?;
            player_named(bot).map(|info| (info.make)(Chance::of_seat(seed, i)))
        };
        self.bots = setup.players.iter().enumerate().map(bot).collect();
    }

    /// The game at the moment looked at.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The state at the moment looked at, as players should see it.
    pub fn view(&self) -> &State {
        self.game.state().view()
    }

    /// The rules.
    pub fn rules(&self) -> &Rc<Rules> {
        self.game.rules()
    }

    /// The plain part of the rules.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.game.rules().ruleset
    }

    /// What mods declare.
    pub fn catalogue(&self) -> &Catalogue {
        self.game.rules().catalogue()
    }

    /// Kinds, tags and tiles.
    pub fn tile_set(&self) -> &TileSet {
        &self.catalogue().tile_set
    }

    /// Who plays, by which mods and settings.
    pub fn setup(&self) -> &Setup {
        self.game.setup()
    }

    /// The mods in play.
    pub fn loaded(&self) -> &Rc<Loaded> {
        &self.loaded
    }

    /// The mods on disk.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Looks for mods elsewhere from now on; those in play stay until they are read again.
    pub fn set_library(&mut self, library: Library) {
        self.library = library;
        self.shelf.take();
        self.revision.advance();
    }

    /// All mods on disk, whether in play or not.
    pub fn mods_on_disk(&self) -> Rc<Vec<ModOnDisk>> {
        self.shelf.get_or_init(|| Rc::new(mods_on_disk(&self.library))).clone()
    }

    /// What is wrong with the mods on disk; the game goes on under the last good ones.
    pub fn problems(&self) -> &Problems {
        &self.problems
    }

    /// Identifies what is to be seen: while it is the same, nothing has changed.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The number of this session, which no other session of this process has.
    pub fn id(&self) -> u64 {
        self.revision.session_id()
    }

    /// Why the game could not be written to its file, once that happened.
    pub fn trouble(&self) -> Option<&CannotKeep> {
        self.trouble.as_ref()
    }

    /// The file in which the game is kept.
    pub fn record(&self) -> Option<&RecordFile> {
        self.record.as_ref()
    }

    /// Whether a bot plays `seat`.
    pub fn is_bot(&self, seat: Seat) -> bool {
        self.bots.get(seat.idx()).is_some_and(Option::is_some)
    }

    /// Whom the game waits for, at the moment looked at.
    pub fn waits(&self) -> Waits {
        match self.game.status() {
            Status::Fault(_) => Waits::Mod,
            Status::Over => Waits::Nobody,
            Status::Decision(d) => match d.who {
                Who::Chance => Waits::Chance,
                Who::Player(seat) if self.is_bot(seat) => Waits::Bot(seat),
                Who::Player(seat) => Waits::Person(seat),
            },
        }
    }
}

/// Answering.
impl Session {
    /// Gives an answer that is offered at the moment looked at. Returns whether another line was left for it and kept as a branch.
    pub fn answer(&mut self, choice: Answer) -> Result<bool, NotOffered> {
        let at = self.at();
        let before = Before::new(&self.game, choice);
        if let (Some(next), Some(before)) = (self.line.get(at), &before)
            && next.text == before.text()
        {
            self.go_to(at + 1);
            return Ok(false);
        }
        self.game.answer(choice)?;
        let branched = self.leave_line(at);
        if let Some(before) = before {
            let step = before.after(&self.game);
            self.keep(at, &step.text);
            self.line.push(step);
        }
        self.revision.advance();
        Ok(branched)
    }

    /// Gives the answer with this text.
    pub fn answer_text(&mut self, text: &str) -> Result<bool, NotOffered> {
        let found = rules::option_with_text(self.ruleset(), self.game.state(), text);
        match found {
            Some(choice) => self.answer(choice),
            // Let the game say what was offered.
            None => self.game.clone().answer_text(text).map(|_| false),
        }
    }

    /// Cuts the line after `at` answers. What is cut off becomes a branch where a whole turn would be lost.
    fn leave_line(&mut self, at: usize) -> bool {
        let rest = &self.line[at.min(self.line.len())..];
        let loses_a_turn = rest.first().zip(rest.last()).is_some_and(|(first, last)| last.turn > first.turn);
        if loses_a_turn {
            self.n_lines += 1;
            let name = std::mem::replace(&mut self.name, self.n_lines.to_string());
            self.branches.push(Branch { name, line: self.line.clone(), forks_at: at });
        }
        self.line.truncate(at);
        loses_a_turn
    }

    /// Answers for chance, or lets the bot answer whose turn it is. Returns whether there was something to answer.
    pub fn go_on(&mut self) -> bool {
        let choice = match self.waits() {
            Waits::Chance => self.dealer.answer(&self.game.rules().ruleset, self.game.state()),
            Waits::Bot(seat) => self.bot_choice(seat),
            _ => None,
        };
        choice.is_some_and(|choice| self.answer(choice).is_ok())
    }

    fn bot_choice(&mut self, seat: Seat) -> Option<Answer> {
        let Status::Decision(decision) = self.game.status() else { return None };
        let bot = self.bots.get_mut(seat.idx())?.as_mut()?;
        let state = self.game.state();
        let view = View { rules: self.game.rules(), state, decision };
        let n = bot.choose(&view).min(decision.n_options(state).saturating_sub(1));
        decision.nth(&self.game.rules().ruleset, state, n)
    }

    /// Answers for chance until somebody else is asked.
    pub fn deal(&mut self) {
        while self.waits() == Waits::Chance && self.go_on() {}
    }

    /// Puts a bot or a person at a seat.
    pub fn set_bot(&mut self, seat: Seat, bot: Option<&str>) {
        let mut setup = self.setup().clone();
        let Some(player) = setup.players.get(seat.idx()).cloned() else { return };
        setup.bots.retain(|(name, _)| *name != player);
        setup.bots.extend(bot.map(|bot| (player, bot.to_owned())));
        self.game.change_bots(setup.bots);
        self.seat_bots();
        self.keep_header();
        self.revision.advance();
    }
}

/// Time.
impl Session {
    /// How many answers were given at the moment looked at.
    pub fn at(&self) -> usize {
        self.game.log().len()
    }

    /// All answers of the line, those after the moment looked at included.
    pub fn line(&self) -> &[Step] {
        &self.line
    }

    /// Whether the moment looked at is the end of the line.
    pub fn is_live(&self) -> bool {
        self.at() == self.line.len()
    }

    /// Looks at the moment after `n` answers.
    pub fn go_to(&mut self, n: usize) {
        let n = n.min(self.line.len());
        if n == self.at() + 1 {
            self.game.redo();
        } else if n != self.at() {
            self.game.go_to(n);
        }
        self.revision.advance();
    }

    /// The moments at which turns begin: for each turn how many answers were given before.
    pub fn turns(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        let new = |i: usize| i == 0 || self.line[i - 1].turn != self.line[i].turn;
        (0..self.line.len()).filter(move |i| new(*i)).map(|i| (self.line[i].turn, i))
    }

    /// The turn at the moment looked at, from 1.
    pub fn turn(&self) -> u32 {
        self.view().turn().map_or(0, |t| t.number)
    }

    /// Where to look to see the last answer of a person taken back.
    pub fn undo_target(&self) -> Option<usize> {
        let by_person = |step: &Step| matches!(step.who, Who::Player(seat) if !self.is_bot(seat));
        let before = &self.line[..self.at()];
        let all_bots = (0..self.setup().players.len()).all(|i| self.is_bot(Seat(i as u8)));
        if all_bots {
            return self.turns().map(|(_, i)| i).take_while(|i| *i < self.at()).last();
        }
        before.iter().rposition(by_person)
    }

    /// Where to look to see what was taken back given again, up to the next question to a person.
    pub fn redo_target(&self) -> Option<usize> {
        let at = self.at();
        let by_person = |step: &Step| matches!(step.who, Who::Player(seat) if !self.is_bot(seat));
        let next = self.line.iter().skip(at + 1).position(by_person).map(|i| at + 1 + i);
        (at < self.line.len()).then(|| next.unwrap_or(self.line.len()))
    }

    /// Takes the answer given last back as if it had not been given: for a tile that was put down but not confirmed.
    pub fn take_back(&mut self) {
        let n = self.at().saturating_sub(1);
        if self.is_live() && self.at() > 0 {
            self.game.go_to(n);
            self.game.forget_undone();
            self.line.truncate(n);
            self.revision.advance();
        } else {
            self.go_to(n);
        }
    }

    /// Ends the line at the moment looked at, in the file too: what was taken back stays so.
    pub fn forget_rest(&mut self) {
        let at = self.at();
        if self.is_live() {
            return;
        }
        self.game.forget_undone();
        self.line.truncate(at);
        self.revision.advance();
        let n_back = self.n_kept.saturating_sub(at);
        if let Some(record) = self.record.as_mut().filter(|_| n_back > 0) {
            match record.append(&format!("back {n_back}")) {
                Ok(()) => self.n_kept = at,
                Err(trouble) => self.trouble = Some(trouble),
            }
        }
    }

    /// Other lines that were left.
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// What the line in force is called.
    pub fn line_name(&self) -> &str {
        &self.name
    }

    /// Goes to the end of another line; the one in force becomes a branch. Fails where the rules have changed so that it does not fit any
    /// more; then nothing changes.
    pub fn switch_to(&mut self, branch: usize) -> Result<(), NotOffered> {
        let Some(chosen) = self.branches.get(branch) else { return Ok(()) };
        let mut game =
            Game::from_position(self.game.rules().clone(), self.game.setup().clone(), self.game.start().clone());
        for step in &chosen.line {
            game.answer_text(&step.text)?;
        }
        let chosen = self.branches.remove(branch);
        let n_same = self.line.iter().zip(&chosen.line).take_while(|(a, b)| a.text == b.text).count();
        let left = Branch {
            name: std::mem::replace(&mut self.name, chosen.name),
            line: std::mem::take(&mut self.line),
            forks_at: n_same,
        };
        self.branches.push(left);
        self.branches.sort_by_key(|b| b.name.parse::<usize>().unwrap_or(usize::MAX));
        self.put(game);
        Ok(())
    }
}

/// The record.
impl Session {
    /// Keeps the game in `record` from now on, which holds `n_kept` answers of the line already.
    pub fn keep_in(&mut self, record: RecordFile, n_kept: usize) {
        self.record = Some(record);
        self.n_kept = n_kept;
        self.keep_line();
    }

    /// The game, up to the moment looked at, as a record.
    pub fn record_text(&self) -> String {
        self.setup().record(self.line[..self.at()].iter().map(|step| &step.text))
    }

    /// Writes the answer after `at` answers of the line.
    fn keep(&mut self, at: usize, text: &str) {
        let n_back = self.n_kept.saturating_sub(at);
        let Some(record) = &mut self.record else { return };
        let back = if n_back > 0 { record.append(&format!("back {n_back}")) } else { Ok(()) };
        match back.and_then(|()| record.append(text)) {
            Ok(()) => self.n_kept = at + 1,
            Err(trouble) => self.trouble = Some(trouble),
        }
    }

    /// Writes what of the line the file does not hold.
    fn keep_line(&mut self) {
        let texts: Vec<String> = self.line.iter().map(|s| s.text.clone()).collect();
        for (at, text) in texts.iter().enumerate().skip(self.n_kept) {
            self.keep(at, text);
        }
    }

    /// Lets the file say by which mods, settings and bots the game goes on.
    pub(crate) fn keep_header(&mut self) {
        let header = self.game.setup().header();
        let texts: Vec<&str> = self.line.iter().map(|step| step.text.as_str()).collect();
        let Some(record) = self.record.as_mut().filter(|record| record.header() != header) else { return };
        match record.set_header(&header, &texts) {
            Ok(()) => self.n_kept = texts.len(),
            Err(trouble) => self.trouble = Some(trouble),
        }
    }

    /// Goes on with `game`, which has a line of its own; looks at its end.
    pub(crate) fn put(&mut self, game: Game) {
        self.game = game;
        self.line = steps_of(&self.game);
        self.revision.advance();
        let header = self.game.setup().header();
        if let Some(record) = self.record.as_mut().filter(|_| self.n_kept > 0) {
            // Which of the answers in the file are the same does not matter: all are taken back and the new ones follow. By other mods they could
            // not be read any more.
            let is_same = record.header() == header;
            let put =
                if is_same { record.append(&format!("back {}", self.n_kept)) } else { record.begin_again(&header) };
            if let Err(trouble) = put {
                self.trouble = Some(trouble);
                return;
            }
            self.n_kept = 0;
        }
        self.keep_header();
        self.keep_line();
    }

    /// Stops writing to the file, because another game begins; returns it.
    pub(crate) fn close_record(&mut self) -> Option<RecordFile> {
        self.n_kept = 0;
        self.record.take()
    }
}
