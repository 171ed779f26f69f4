//! A game being played: the moment looked at, the whole line, bots, the mods it is played by and the file it is saved in.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

use board::TileSet;
use loader::{Library, Loaded, Problems, Source};
use players::{Player, Rng, View, player_named};
use rules::{Answer, Dealer, Game, NotOffered, Seat, SettingValue, Setup, Status, Who, option_with_text};

use crate::available_mods::{ModOnDisk, SettingView, mods_on_disk};
use crate::branch::Branch;
use crate::record_file::{RecordFile, SaveError};
use crate::reload::{Diverged, Outcome, Replayed, replay_under};
use crate::revision::Revision;
use crate::step::Step;
use crate::timeline::{Given, Timeline};
use crate::view::GameView;

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
/// There is one line of answers; the moment looked at may be any on it. Answering in the past goes on from there: what came after becomes
/// a branch where a whole turn would be lost.
pub struct Session {
    revision: Revision,
    /// Changed by [`Session::change`] only.
    contents: Contents,
    dealer: Dealer,
}

/// Everything of a session that can be seen.
struct Contents {
    library: Library,
    loaded: Arc<Loaded>,
    /// When `loaded` was read.
    loaded_at: Revision,
    problems: Problems,
    timeline: Timeline,
    diverged: Option<Diverged>,
    bots: Vec<Option<Box<dyn Player>>>,
    record: Option<RecordFile>,
    save_error: Option<SaveError>,
    /// What of the game was written last.
    saved_at: Option<Revision>,
    /// What is on disk, looked at when somebody asks and again when files have changed.
    mods_on_disk: OnceCell<Arc<Vec<ModOnDisk>>>,
}

/// Where the game stands.
impl Session {
    /// Makes a session of `game`, which is played by the rules of `loaded`.
    pub fn new(library: Library, loaded: Arc<Loaded>, game: Game) -> Session {
        let revision = Revision::of_new_session();
        let contents = Contents {
            library,
            loaded,
            loaded_at: revision,
            problems: Problems::default(),
            bots: bots_of(game.setup()),
            diverged: None,
            record: None,
            save_error: None,
            saved_at: None,
            mods_on_disk: OnceCell::new(),
            timeline: Timeline::new(game),
        };
        let dealer = Dealer::new(contents.timeline.game().setup().seed.unwrap_or(0));
        Session { revision, contents, dealer }
    }

    /// The one way to change what can be seen: nobody who has looked before takes it for the same.
    fn change(&mut self) -> &mut Contents {
        self.revision.advance();
        &mut self.contents
    }

    fn game(&self) -> &Game {
        self.contents.timeline.game()
    }

    /// Identifies what is to be seen: while it is the same, nothing has changed.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the number of this session, which no other session of this process has.
    pub fn id(&self) -> u64 {
        self.revision.session_id()
    }

    /// Looks at the game, at the moment looked at.
    pub fn view(&self) -> GameView<'_> {
        GameView::of(self.game())
    }

    /// Returns the declared tiles, for whoever paints them.
    pub fn tile_set(&self) -> &TileSet {
        &self.game().rules().catalogue().tile_set
    }

    /// Returns who plays, by which mods and settings.
    pub fn setup(&self) -> &Setup {
        self.game().setup()
    }

    /// Returns the settings of the mods in play with their values.
    pub fn settings(&self) -> Vec<(SettingView, SettingValue)> {
        let rules = self.game().rules();
        let catalogue = rules.catalogue();
        let settings = catalogue.settings.iter().zip(&rules.ruleset.settings);
        let owner = |owner: rules::ModIdx| catalogue.mods[owner.idx()].id.as_str();
        settings.map(|(setting, value)| (SettingView::new(setting, owner(setting.owner)), value.clone())).collect()
    }

    /// Returns the mods in play as they were read, for whoever paints by their theme.
    pub fn loaded(&self) -> &Arc<Loaded> {
        &self.contents.loaded
    }

    /// Returns the revision at which the mods in play were read.
    pub fn mods_revision(&self) -> Revision {
        self.contents.loaded_at
    }

    /// Returns the files of the mods in play.
    pub fn sources(&self) -> &[Source] {
        self.contents.loaded.sources()
    }

    /// Returns the folder of a mod in play, by its position in [`GameView::mods`].
    pub fn mod_folder(&self, i: usize) -> Option<&Path> {
        self.contents.loaded.folders().get(i).map(|folder| folder.as_path())
    }

    /// Returns the mods on disk.
    pub fn library(&self) -> &Library {
        &self.contents.library
    }

    /// Looks for mods elsewhere from now on; those in play stay until they are read again.
    pub fn set_library(&mut self, library: Library) {
        let contents = self.change();
        contents.library = library;
        contents.look_at_disk_again();
    }

    /// Returns all mods on disk, whether in play or not, as they were when the mods were read last.
    pub fn mods_on_disk(&self) -> Arc<Vec<ModOnDisk>> {
        self.contents.mods_on_disk.get_or_init(|| Arc::new(mods_on_disk(&self.contents.library))).clone()
    }

    /// Returns what is wrong with the mods on disk; the game goes on under the last good ones.
    pub fn problems(&self) -> &Problems {
        &self.contents.problems
    }

    pub(crate) fn set_problems(&mut self, problems: Problems) {
        self.change().problems = problems;
    }

    /// Returns why the game could not be written to its file the last time that was tried.
    pub fn save_error(&self) -> Option<&SaveError> {
        self.contents.save_error.as_ref()
    }

    /// Returns the file in which the game is saved.
    pub fn record(&self) -> Option<&RecordFile> {
        self.contents.record.as_ref()
    }

    /// Returns whether a bot plays `seat`.
    pub fn is_bot(&self, seat: Seat) -> bool {
        self.contents.bots.get(seat.idx()).is_some_and(Option::is_some)
    }

    /// Returns whom the game waits for, at the moment looked at.
    pub fn waits(&self) -> Waits {
        match self.game().status() {
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
    /// Gives an answer that is offered at the moment looked at. Returns whether another line was left for it and became a branch.
    ///
    /// # Errors
    /// Where the answer is not offered; then nothing changes.
    pub fn answer(&mut self, answer: Answer) -> Result<bool, NotOffered> {
        match self.change().timeline.answer(answer)? {
            Given::AlongTheLine => Ok(false),
            Given::AtTheEnd { branched } => Ok(branched),
        }
    }

    /// Gives the answer with this text; see [`answer`](Session::answer).
    ///
    /// # Errors
    /// Where no answer with this text is offered; then nothing changes.
    pub fn answer_text(&mut self, text: &str) -> Result<bool, NotOffered> {
        let game = self.game();
        match option_with_text(&game.rules().ruleset, game.state(), text) {
            Some(answer) => self.answer(answer),
            // Let the game say what was offered.
            None => game.clone().answer_text(text).map(|_| false),
        }
    }

    /// Answers for chance, or lets the bot answer whose turn it is. Returns whether there was something to answer.
    pub fn advance(&mut self) -> bool {
        let game = self.contents.timeline.game();
        let answer = match self.waits() {
            Waits::Chance => self.dealer.answer(&game.rules().ruleset, game.state()),
            Waits::Bot(seat) => self.bot_answer(seat),
            _ => None,
        };
        answer.is_some_and(|answer| self.answer(answer).is_ok())
    }

    fn bot_answer(&mut self, seat: Seat) -> Option<Answer> {
        let Contents { bots, timeline, .. } = &mut self.contents;
        let game = timeline.game();
        let Status::Decision(decision) = game.status() else { return None };
        let bot = bots.get_mut(seat.idx())?.as_mut()?;
        let state = game.state();
        let view = View { rules: game.rules(), state, decision };
        let n = bot.choose(&view).min(decision.n_options(state).saturating_sub(1));
        if let Some(fault) = bot.take_fault() {
            game.rules().hooks.print(&fault.to_string());
        }
        decision.nth(&game.rules().ruleset, state, n)
    }

    /// Answers for chance until somebody else is asked.
    pub fn deal(&mut self) {
        while self.waits() == Waits::Chance && self.advance() {}
    }

    /// Puts a bot or a person at a seat.
    pub fn set_bot(&mut self, seat: Seat, bot: Option<&str>) {
        let mut setup = self.setup().clone();
        let Some(player) = setup.players.get(seat.idx()).cloned() else { return };
        setup.bots.retain(|(name, _)| *name != player);
        setup.bots.extend(bot.map(|bot| (player, bot.to_owned())));
        let contents = self.change();
        contents.bots = bots_of(&setup);
        contents.timeline.change_bots(setup.bots);
    }
}

/// Makes the bots that a setup names.
fn bots_of(setup: &Setup) -> Vec<Option<Box<dyn Player>>> {
    let seed = setup.seed.unwrap_or(0);
    let bot = |(i, name): (usize, &String)| {
        let (_, bot) = setup.bots.iter().find(|(player, _)| player == name)?;
        player_named(bot).map(|info| (info.make)(Rng::of_seat(seed, i)))
    };
    setup.players.iter().enumerate().map(bot).collect()
}

/// Time.
impl Session {
    /// Returns how many answers were given at the moment looked at.
    pub fn at(&self) -> usize {
        self.contents.timeline.at()
    }

    /// Returns all answers of the line, those after the moment looked at included.
    pub fn line(&self) -> &[Step] {
        self.contents.timeline.line()
    }

    /// Returns whether there is anything to lose: a position that was set up, or an answer of a player.
    pub fn is_begun(&self) -> bool {
        !self.setup().position.is_empty() || self.line().iter().any(|step| step.who != Who::Chance)
    }

    /// Returns whether the moment looked at is the end of the line.
    pub fn is_live(&self) -> bool {
        self.contents.timeline.is_live()
    }

    /// Looks at the moment after `n` answers.
    pub fn go_to(&mut self, n: usize) {
        self.change().timeline.go_to(n);
    }

    /// Returns the moments at which turns begin: for each turn how many answers were given before.
    pub fn turns(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        let line = self.line();
        let new = |i: usize| i == 0 || line[i - 1].turn != line[i].turn;
        (0..line.len()).filter(move |i| new(*i)).map(|i| (line[i].turn, i))
    }

    /// Returns the turn at the moment looked at, from 1.
    pub fn turn(&self) -> u32 {
        self.view().turn()
    }

    fn is_by_person(&self, step: &Step) -> bool {
        matches!(step.who, Who::Player(seat) if !self.is_bot(seat))
    }

    /// Returns where to look to see the last answer of a person taken back.
    pub fn undo_target(&self) -> Option<usize> {
        let all_bots = self.view().seats().all(|seat| self.is_bot(seat));
        if all_bots {
            return self.turns().map(|(_, i)| i).take_while(|i| *i < self.at()).last();
        }
        self.line()[..self.at()].iter().rposition(|step| self.is_by_person(step))
    }

    /// Returns where to look to see what was taken back given again, up to the next question to a person.
    pub fn redo_target(&self) -> Option<usize> {
        let (at, line) = (self.at(), self.line());
        let next = line.iter().skip(at + 1).position(|step| self.is_by_person(step)).map(|i| at + 1 + i);
        (at < line.len()).then(|| next.unwrap_or(line.len()))
    }

    /// Takes the answer given last back as if it had not been given: for a tile that was put down but not confirmed.
    pub fn take_back(&mut self) {
        let (n, is_live) = (self.at().saturating_sub(1), self.is_live());
        let timeline = &mut self.change().timeline;
        timeline.go_to(n);
        if is_live {
            timeline.forget_rest();
        }
    }

    /// Ends the line at the moment looked at: what was taken back stays so.
    pub fn forget_rest(&mut self) {
        if !self.is_live() {
            self.change().timeline.forget_rest();
        }
    }

    /// Returns the lines that were left.
    pub fn branches(&self) -> &[Branch] {
        self.contents.timeline.branches()
    }

    /// Returns what the line in force is called.
    pub fn line_name(&self) -> &str {
        self.contents.timeline.name()
    }

    /// Goes to the end of a branch; the line in force becomes one.
    ///
    /// # Errors
    /// Where the rules have changed so that the branch does not fit any more; then nothing changes.
    pub fn switch_to(&mut self, branch: usize) -> Result<(), NotOffered> {
        self.change().timeline.switch_to(branch)
    }
}

/// Mods that change.
impl Session {
    /// Reads the mods again and replays the game under what they say now.
    pub fn reload_mods(&mut self) -> Outcome {
        let ids: Vec<String> = self.setup().mods.iter().map(|m| m.id.clone()).collect();
        self.use_mods(&ids)
    }

    /// Reads these mods instead and replays the game under them.
    pub fn use_mods(&mut self, ids: &[String]) -> Outcome {
        let (loaded, problems) = self.contents.library.load(ids);
        let contents = self.change();
        contents.problems = problems;
        contents.look_at_disk_again();
        let Some(loaded) = loaded.map(Arc::new) else { return Outcome::Failed(contents.problems.clone()) };
        let hashes = |l: &Loaded| l.catalogue().mods.iter().map(|m| (m.id.clone(), m.hash)).collect::<Vec<_>>();
        if hashes(&loaded) == hashes(&contents.loaded) {
            // Pictures are no part of the rules.
            contents.diverged = None;
            self.set_loaded(loaded);
            return Outcome::Untouched;
        }
        match replay_under(&contents.timeline.game_at_end(), &contents.loaded, &loaded, ids) {
            Ok(Replayed::Fits(game, outcome)) => {
                contents.diverged = None;
                self.continue_under(loaded, *game);
                outcome
            }
            Ok(Replayed::Diverged(diverged, summary)) => {
                contents.diverged = Some(*diverged);
                Outcome::Diverged(summary)
            }
            Err(failure) => {
                contents.problems.add_failure(&failure);
                Outcome::Failed(contents.problems.clone())
            }
        }
    }

    fn set_loaded(&mut self, loaded: Arc<Loaded>) {
        let revision = self.revision;
        (self.contents.loaded, self.contents.loaded_at) = (loaded, revision);
    }

    /// Goes on with `game`, in which the line was replayed under `loaded`, at the moment that is looked at.
    fn continue_under(&mut self, loaded: Arc<Loaded>, game: Game) {
        let (at, is_live, old_len) = (self.at(), self.is_live(), self.line().len());
        self.set_loaded(loaded);
        let contents = self.change();
        contents.timeline.replace_game(game);
        if !is_live {
            // Questions that are new were passed: what was looked at has moved on by as many.
            let n_more = contents.timeline.line().len().saturating_sub(old_len);
            contents.timeline.go_to(at + n_more);
        }
    }

    /// Returns new rules under which the line does not fit, if a choice is open.
    pub fn diverged(&self) -> Option<&Diverged> {
        self.contents.diverged.as_ref()
    }

    /// Keeps the old rules until files change once more.
    pub fn keep_old_rules(&mut self) {
        self.change().diverged = None;
    }

    /// Goes on under the new rules from where the line stops to fit; the old line becomes a branch.
    pub fn stop_there(&mut self) {
        let contents = self.change();
        let Some(Diverged { loaded, game, .. }) = contents.diverged.take() else { return };
        contents.timeline.branch_off(game.log().len());
        contents.timeline.replace_game(game);
        self.set_loaded(loaded);
    }

    /// Goes on under the new rules with the position as it stands, which is kept in `record` from now on. The old record is left as it is.
    ///
    /// # Errors
    /// A sentence, where the position cannot be under the new rules; then nothing changes.
    pub fn continue_from_position(&mut self, record: Option<RecordFile>) -> Result<(), String> {
        let Some(diverged) = &self.contents.diverged else { return Ok(()) };
        let game = diverged.continue_from(self.game())?;
        let loaded = diverged.loaded.clone();
        let contents = self.change();
        contents.diverged = None;
        contents.record = record;
        contents.timeline.forget_branches();
        contents.timeline.replace_game(game);
        self.set_loaded(loaded);
        Ok(())
    }
}

/// The record.
impl Session {
    /// Keeps the game in `record` from now on; see [`save`](Session::save).
    pub fn keep_in(&mut self, record: RecordFile) {
        self.change().record = Some(record);
    }

    /// Brings the record, if there is one, to what the game is now; where nothing has changed nothing is written. Whoever changes the game calls
    /// this when what has become of it was shown: only an answer that was not saved can be lost.
    ///
    /// What goes wrong is in [`save_error`](Session::save_error); the next call mends it if it can be mended. Once a person is asked, what was
    /// written is on the disk.
    pub fn save(&mut self) {
        if self.contents.saved_at == Some(self.revision) && self.contents.save_error.is_none() {
            return;
        }
        let (is_begun, is_person_asked) = (self.is_begun(), matches!(self.waits(), Waits::Person(_)));
        let Contents { record, timeline, .. } = &mut self.contents;
        let Some(record) = record else { return };
        if !record.is_made() && !is_begun {
            return;
        }
        let (setup, line) = (timeline.game().setup(), timeline.line());
        let texts: Vec<&str> = line.iter().map(|step| step.text.as_str()).collect();
        let kept = record.keep(&record::header_text(setup), &texts);
        let error = kept.and_then(|()| if is_person_asked { record.sync() } else { Ok(()) }).err();
        if error != self.contents.save_error {
            self.change().save_error = error;
        }
        self.contents.saved_at = Some(self.revision);
    }

    /// Returns the header of its record.
    pub fn header_text(&self) -> String {
        record::header_text(self.setup())
    }

    /// Returns the game, up to the moment looked at, as a record.
    pub fn record_text(&self) -> String {
        record::record_of(self.setup(), self.line()[..self.at()].iter().map(|step| &step.text))
    }
}

impl Contents {
    /// Reads the mods on disk again, if somebody has asked for them.
    fn look_at_disk_again(&mut self) {
        if self.mods_on_disk.take().is_some() {
            let _ = self.mods_on_disk.set(Arc::new(mods_on_disk(&self.library)));
        }
    }
}
