//! Turns a position of a running game into a test of a mod. The test contains the answers that led
//! to the position, and `expect` lines that are true at the position.
#![expect(clippy::indexing_slicing, reason = "indices are numbers of answers in the replayed log")]

use std::collections::BTreeSet;

use loader::Library;
use record::{LogEntry, Record, given_lines, header_text, replay, start_game};
use rules::{Actor, DeckIdx, Game, ModUse, PieceKindIdx, Question, Setup, Status, TokenIdx, option_texts};

/// The maximum number of answers in a test that begins at the start of the game by default. After
/// more answers, the default is to begin with the position before the last turn.
const MAX_ANSWERS_FROM_START: usize = 24;

/// The first position of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestBeginning {
    /// The start of the game, so the test contains all answers.
    Start,
    /// The position before the last turn. `given` lines of the test describe this position, and the
    /// test contains only the later answers.
    Position,
}

/// The subject of an expectation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ExpectationSubject {
    /// The points that players got in the last turn.
    Points,
    /// The scores of the players.
    Scores,
    /// The open decision.
    Question,
    /// The pieces in supply.
    Home,
    /// The pieces on the board.
    Pieces,
    /// Tiles, tokens, decks, piles and hands.
    Table,
    /// Lines of the game log.
    Log,
    /// The end of the game: a fault that stopped it, or the winners.
    End,
    /// The awards of the final count and the scores, if the game ended now.
    FinalCount,
}

impl ExpectationSubject {
    /// Returns the name of the subject.
    pub const fn name(self) -> &'static str {
        match self {
            ExpectationSubject::Points => "Points of the last turn",
            ExpectationSubject::Scores => "Scores",
            ExpectationSubject::Question => "Question",
            ExpectationSubject::Home => "Pieces in supply",
            ExpectationSubject::Pieces => "Pieces on the board",
            ExpectationSubject::Table => "Tiles, tokens, decks",
            ExpectationSubject::Log => "Log",
            ExpectationSubject::End => "End",
            ExpectationSubject::FinalCount => "If the game ended here",
        }
    }
}

/// A possible expectation of the test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// The subject of the expectation.
    pub about: ExpectationSubject,
    /// The text of the line after the word `expect`.
    pub text: String,
    /// True if the expectation is selected by default.
    pub is_usual: bool,
    /// The number of answers of the game after which the expectation holds.
    at: usize,
}

/// A test under construction, made from a position of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrozenPosition {
    /// A sentence about the last turn, suggested as the title of the test.
    pub title: String,
    /// The possible expectations, by subject. Every expectation is true in the game.
    pub expectations: Vec<Expectation>,
    /// The ids of the mods in play, in load order. The author chooses the mod that gets the test.
    pub mods: Vec<String>,
    start: TestPrelude,
    position: Option<TestPrelude>,
}

/// The part of a test before its expectations: the setup, and the answers that the test can
/// contain.
#[derive(Clone, PartialEq, Eq, Debug)]
struct TestPrelude {
    setup: Setup,
    answers: Vec<String>,
    /// The number of answers in the game before the first answer of the test.
    n_before: usize,
}

impl FrozenPosition {
    /// Makes a test of the current position of `game`. `library` supplies the requirements of mods,
    /// so that the test names no mod that another mod requires.
    pub fn of(library: &Library, game: &Game) -> FrozenPosition {
        let last = LastTurn::of(game);
        let answers = game.log_texts();
        let setup = plain_setup(library, game.setup());
        let start = TestPrelude { setup, answers, n_before: 0 };
        let expectations = expectations(&last, &start.answers);
        let title = title(&last, &expectations);
        let position = Some(last.n_before).filter(|n| *n > 0).and_then(|n| prelude_from_position(&last, &start, n));
        let mods = game.rules().catalogue().mods.iter().map(|m| m.id.clone()).collect();
        let mut frozen = FrozenPosition { title, expectations, mods, start, position };
        frozen.remove_failing(game);
        frozen
    }

    /// Returns the default beginning of the test.
    pub fn default_beginning(&self) -> TestBeginning {
        if self.position.is_some() && self.start.answers.len() > MAX_ANSWERS_FROM_START {
            TestBeginning::Position
        } else {
            TestBeginning::Start
        }
    }

    /// Returns whether the test can begin with the position before the last turn.
    pub fn has_position(&self) -> bool {
        self.position.is_some()
    }

    /// Returns the text of the test. `is_wanted` says for each item of `expectations` whether to
    /// include it. The title becomes a comment at the start.
    pub fn text(&self, beginning: TestBeginning, title: &str, is_wanted: &[bool]) -> String {
        let script = match (beginning, &self.position) {
            (TestBeginning::Position, Some(position)) => position,
            _ => &self.start,
        };
        let wanted: Vec<&Expectation> =
            self.expectations.iter().zip(is_wanted).filter(|(_, wanted)| **wanted).map(|(it, _)| it).collect();
        let n_answers = script.n_before + script.answers.len();
        // If all expectations hold before the last draw, the test does not need the draw.
        let end = wanted.iter().map(|it| it.at).max().unwrap_or(n_answers);
        let title = title.trim();
        let mut text = title.lines().map(|line| format!("# {line}\n")).collect::<String>();
        text += &header_text(&script.setup);
        for n in script.n_before..=end {
            if n > script.n_before {
                text += &format!("{}\n", script.answers[n - script.n_before - 1]);
            }
            let here = wanted.iter().filter(|it| it.at == n && it.about != ExpectationSubject::FinalCount);
            here.for_each(|it| text += &format!("expect {}\n", it.text));
        }
        let mut last = wanted.iter().filter(|it| it.about == ExpectationSubject::FinalCount).peekable();
        if last.peek().is_some() {
            text += "end\n";
        }
        last.for_each(|it| text += &format!("expect {}\n", it.text));
        text
    }

    /// Removes expectations that fail when the test runs. For example, an expectation can fail if
    /// it depends on stored data of a mod, which no line of a test can express.
    fn remove_failing(&mut self, game: &Game) {
        let all = vec![true; self.expectations.len()];
        for beginning in [TestBeginning::Position, TestBeginning::Start] {
            if beginning == TestBeginning::Position && self.position.is_none() {
                continue;
            }
            let (record, problems) = Record::parse(&self.text(beginning, "", &all));
            let run = replay(game.rules().clone(), &record, |_| {}).ok().filter(|_| problems.is_empty());
            match run.map(|run| run.failures) {
                Some(failures) if failures.iter().all(|failed| failed.is_expectation) => {
                    // A test that begins with the position is useful only if all expectations hold
                    // in this test.
                    if beginning == TestBeginning::Position && !failures.is_empty() {
                        self.position = None;
                        continue;
                    }
                    let wrong: Vec<&str> = failures.iter().filter_map(|f| f.text.strip_prefix("expect ")).collect();
                    self.expectations.retain(|it| !wrong.contains(&it.text.as_str()));
                }
                _ if beginning == TestBeginning::Position => self.position = None,
                _ => self.expectations.clear(),
            }
        }
    }
}

/// Returns the setup for a test. Omits versions, bots, the seed, and mods that another mod of the
/// setup requires.
fn plain_setup(library: &Library, setup: &Setup) -> Setup {
    let available = library.available_mods();
    let brings = |id: &str, other: &str| {
        id != other && available.iter().any(|it| it.id == id && it.load_order.iter().any(|with| with == other))
    };
    let is_brought = |id: &str| setup.mods.iter().any(|used| brings(&used.id, id));
    let mods = setup.mods.iter().filter(|used| !is_brought(&used.id));
    Setup {
        mods: mods.map(|used| ModUse { id: used.id.clone(), ..ModUse::default() }).collect(),
        players: setup.players.clone(),
        begins: setup.begins.clone(),
        settings: setup.settings.clone(),
        position: setup.position.clone(),
        ..Setup::default()
    }
}

/// A game, and its last turn with an answer of a player.
struct LastTurn<'g> {
    game: &'g Game,
    /// The number of answers before the turn.
    n_before: usize,
    /// The game before the first answer of the turn.
    before: Game,
    /// The number of answers of the game up to the last answer of a player, inclusive.
    n_done: usize,
    /// The game after the last answer of a player.
    done: Game,
}

impl LastTurn<'_> {
    fn of(game: &Game) -> LastTurn<'_> {
        let mut again = Game::from_position(game.rules().clone(), game.setup().clone(), game.start().clone());
        let mut by_player = Vec::with_capacity(game.log().len());
        let mut settled = vec![again.state().is_settled()];
        for answer in game.log() {
            by_player.push(again.state().decision().is_some_and(|d| d.who != Actor::Chance));
            again.repeat(*answer);
            settled.push(again.state().is_settled());
        }
        let n_done = by_player.iter().rposition(|by| *by).map_or(game.log().len(), |last| last + 1);
        let n_before = settled.iter().take(n_done).rposition(|is| *is).unwrap_or(0);
        LastTurn { game, n_before, before: game.after(n_before), n_done, done: game.after(n_done) }
    }
}

/// Returns a test that begins with the position before the last turn, without redundant `given`
/// lines. `n` is the number of answers before that turn. Returns `None` if `given` lines cannot
/// express the position.
fn prelude_from_position(last: &LastTurn<'_>, start: &TestPrelude, n: usize) -> Option<TestPrelude> {
    let (game, state) = (&last.before, last.before.state());
    if !state.is_settled() {
        return None;
    }
    let rules = game.rules();
    let lines = given_lines(&rules.ruleset, state);
    let begins = Some(state.name(state.player()).to_owned());
    let mut setup = Setup { position: lines.clone(), begins, ..start.setup.clone() };
    let is_same = |setup: &Setup| {
        start_game(rules.clone(), setup.clone()).is_ok_and(|made| given_lines(&rules.ruleset, made.state()) == lines)
    };
    if !is_same(&setup) {
        return None;
    }
    let without_begins = Setup { begins: start.setup.begins.clone(), ..setup.clone() };
    if is_same(&without_begins) {
        setup = without_begins;
    }
    for subject in subjects(&lines) {
        let position = setup.position.iter().filter(|line| !line.starts_with(&subject)).cloned().collect();
        let shorter = Setup { position, ..setup.clone() };
        if is_same(&shorter) {
            setup = shorter;
        }
    }
    Some(TestPrelude { setup, answers: start.answers.get(n..)?.to_vec(), n_before: n })
}

/// Returns the beginnings of `given` lines that may be redundant: for a deck, its name; for other
/// subjects, such as supply and score, the whole line.
fn subjects(lines: &[String]) -> Vec<String> {
    let mut subjects: Vec<String> = Vec::new();
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let subject = match words.as_slice() {
            ["deck", name, ..] => format!("deck {name}"),
            ["supply" | "token" | "score" | "pile" | "turn", ..] => line.clone(),
            ["tile", _, "0,0", ..] => line.clone(),
            _ => continue,
        };
        if !subjects.contains(&subject) {
            subjects.push(subject);
        }
    }
    subjects
}

/// Returns every expectation about the last turn that a test can contain.
fn expectations(last: &LastTurn<'_>, answers: &[String]) -> Vec<Expectation> {
    let mut all = Vec::new();
    add_award_expectations(last, &mut all);
    add_count_expectations(last, &mut all);
    add_board_expectations(last, answers, &mut all);
    add_end_expectations(last, &mut all);
    all.retain(|it: &Expectation| !it.text.contains(['#', '\n']));
    all.sort_by_key(|it| it.about);
    let mut seen = BTreeSet::new();
    all.retain(|it| seen.insert((it.text.clone(), it.at)));
    all
}

fn expectation(about: ExpectationSubject, at: usize, is_usual: bool, text: String) -> Expectation {
    Expectation { about, text, is_usual, at }
}

/// Adds expectations of the awards and the log lines of the last turn.
fn add_award_expectations(last: &LastTurn<'_>, all: &mut Vec<Expectation>) {
    let mut game = last.before.clone();
    let mut n_awards = 0;
    for (n, answer) in last.game.log().iter().enumerate().take(last.n_done).skip(last.n_before) {
        let (awards, notes) = (game.state().awards().len(), game.state().notes().len());
        game.repeat(*answer);
        let state = game.state();
        for award in state.awards().iter().skip(awards).filter(|award| award.points != 0) {
            let text = format!("award {} {} {}", state.name(award.player), award.points, award.reason);
            all.push(expectation(ExpectationSubject::Points, n + 1, true, text));
            n_awards += 1;
        }
        for (_, note) in state.notes().iter().skip(notes) {
            all.push(expectation(ExpectationSubject::Log, n + 1, false, format!("note {note}")));
        }
    }
    if n_awards == 0 && last.n_done > 0 {
        all.push(expectation(ExpectationSubject::Points, last.n_done, false, "no award".to_owned()));
    }
}

/// Adds expectations of scores, pieces in supply, tokens and decks. If the last draw did not change
/// a value, the expectation comes before this draw, so that the test need not contain the draw.
fn add_count_expectations(last: &LastTurn<'_>, all: &mut Vec<Expectation>) {
    let (before, done, now) = (last.before.state(), last.done.state().view(), last.game.state().view());
    let catalogue = last.game.rules().catalogue();
    let n_now = last.game.log().len();
    let mut count = |about, what: String, usual: bool, of: &dyn Fn(&rules::State) -> i64| {
        let (was, is_done, is_now) = (of(before), of(done), of(now));
        let at = if is_done == is_now { last.n_done } else { n_now };
        all.push(expectation(about, at, usual || was != is_now, format!("{what} {is_now}")));
    };
    for seat in now.seats() {
        count(ExpectationSubject::Scores, format!("score {}", now.name(seat)), true, &|state| state.score(seat));
        for (k, kind) in catalogue.pieces.iter().enumerate().filter(|(_, kind)| kind.per_player > 0) {
            let what = format!("supply {} {}", now.name(seat), kind.name);
            count(ExpectationSubject::Home, what, false, &|state| {
                i64::from(state.supply(Some(seat), PieceKindIdx(k as u8)))
            });
        }
        for (t, token) in catalogue.tokens.iter().enumerate() {
            let what = format!("token {} {}", now.name(seat), token.name);
            count(ExpectationSubject::Table, what, false, &|state| {
                i64::from(state.tokens(Some(seat), TokenIdx(t as u8)))
            });
        }
    }
    for (d, deck) in catalogue.decks.iter().enumerate() {
        let left = now.deck(DeckIdx(d as u8)).len();
        all.push(expectation(ExpectationSubject::Table, n_now, false, format!("deck {} {left}", deck.name)));
    }
}

/// Adds expectations of the decision, and of the pieces, piles, hands and tiles that the last turn
/// changed.
fn add_board_expectations(last: &LastTurn<'_>, answers: &[String], all: &mut Vec<Expectation>) {
    let n_now = last.game.log().len();
    let ruleset = &last.game.rules().ruleset;
    if let Status::Decision(decision) = last.game.status() {
        let is_of_mod = matches!(decision.question, Question::Ask(_));
        let what = match decision.question {
            Question::Ask(function) => {
                let owner = ruleset.catalogue.functions[function.idx()].owner;
                ruleset.catalogue.mods[owner.idx()].id.as_str()
            }
            _ => decision.question.name(),
        };
        let who = rules::actor_text(last.game.state(), decision.who);
        // After a draw, the decision is usually the placement of the drawn tile, so the expectation
        // is not selected by default.
        let is_usual = is_of_mod || last.n_done == n_now;
        all.push(expectation(ExpectationSubject::Question, n_now, is_usual, format!("decision {who} {what}")));
        let options = option_texts(ruleset, last.game.state());
        all.push(expectation(ExpectationSubject::Question, n_now, is_of_mod, format!("options {}", options.len())));
        if is_of_mod {
            options.iter().take(12).for_each(|option| {
                all.push(expectation(ExpectationSubject::Question, n_now, false, format!("option {option}")));
            });
        }
    }
    let lines = |state: &rules::State| -> Vec<String> {
        let words = ["piece ", "pile ", "hand "];
        let lines = given_lines(ruleset, state).into_iter();
        lines.filter(|line| words.iter().any(|word| line.starts_with(word)) && !line.contains(" stock ")).collect()
    };
    let (was, is) = (lines(last.before.state()), lines(last.done.state().view()));
    for line in is.iter().filter(|line| !was.contains(line)) {
        let words: Vec<&str> = line.split(' ').take_while(|word| !["pinned", "seen"].contains(word)).take(5).collect();
        let about =
            if words.first() == Some(&"piece") { ExpectationSubject::Pieces } else { ExpectationSubject::Table };
        all.push(expectation(about, last.n_done, false, words.join(" ")));
    }
    for line in was.iter().filter(|line| line.starts_with("piece ") && !is.contains(line)) {
        let words: Vec<&str> = line.split(' ').take_while(|word| *word != "pinned").take(5).collect();
        all.push(expectation(ExpectationSubject::Pieces, last.n_done, false, format!("no {}", words.join(" "))));
    }
    let laid = answers.iter().enumerate().take(last.n_done).skip(last.n_before);
    for (n, answer) in laid.filter(|(_, answer)| answer.starts_with("place ")) {
        let Some(spot) = answer.split(' ').nth(1).and_then(|spot| rules::parse_spot(spot).ok()) else { continue };
        let board = &last.done.state().view().board;
        let Some(tile) = board.tile_at(spot).map(|tile| board.tile(tile)) else { continue };
        let text = format!("tile {} {spot} {}", ruleset.catalogue.tile_set.tile(tile.tile).name, tile.facing);
        all.push(expectation(ExpectationSubject::Table, last.n_done.max(n + 1), false, text));
    }
}

/// Adds expectations about the end of the game. If the game is not over, adds the awards and scores
/// that the final count would give now.
fn add_end_expectations(last: &LastTurn<'_>, all: &mut Vec<Expectation>) {
    let game = last.game;
    let (n_now, state) = (game.log().len(), game.state());
    match game.status() {
        Status::Fault(_) => all.push(expectation(ExpectationSubject::End, n_now, true, "fault".to_owned())),
        Status::Over => {
            all.push(expectation(ExpectationSubject::End, n_now, true, "over".to_owned()));
            let winners = state.winners().seats().map(|s| state.name(s));
            let text = format!("winner {}", winners.collect::<Vec<_>>().join(" "));
            all.push(expectation(ExpectationSubject::End, n_now, true, text));
        }
        Status::Decision(_) => {
            let mut end = last.done.clone();
            let n_awards = end.state().awards().len();
            end.end_now();
            let state = end.state();
            for award in state.awards().iter().skip(n_awards).filter(|award| award.points != 0) {
                let text = format!("award {} {} {}", state.name(award.player), award.points, award.reason);
                all.push(expectation(ExpectationSubject::FinalCount, last.n_done, false, text));
            }
            for seat in state.seats() {
                let text = format!("score {} {}", state.name(seat), state.score(seat));
                all.push(expectation(ExpectationSubject::FinalCount, last.n_done, false, text));
            }
        }
    }
}

/// Returns a sentence about the last turn, as the title of the test.
fn title(last: &LastTurn<'_>, all: &[Expectation]) -> String {
    let state = last.game.state();
    let first = |about: ExpectationSubject| all.iter().find(|it| it.about == about && it.is_usual);
    if let Some(award) = first(ExpectationSubject::Points)
        && let [_, who, _, why @ ..] = award.text.split(' ').collect::<Vec<_>>().as_slice()
    {
        // The title omits the number of points, so that the title stays true if the rule changes.
        return format!("{} gets points for {}", table::capitalize(who), why.join(" "));
    }
    if first(ExpectationSubject::Question).is_some()
        && let Status::Decision(decision) = last.game.status()
    {
        let who = rules::actor_text(state, decision.who);
        return format!("{} is asked: {}", table::capitalize(who), decision.prompt.trim_end_matches(['?', '.', '!']));
    }
    if let Some(line) = all.iter().find(|it| it.text.starts_with("piece "))
        && let [_, who, kind, _, place] = line.text.split(' ').collect::<Vec<_>>().as_slice()
    {
        let zone = place.split('@').next().unwrap_or(place);
        return format!("{} puts a {kind} on a {zone}", table::capitalize(who));
    }
    match last.game.status() {
        Status::Over => "The end of a game".to_owned(),
        _ => format!("Turn {} of a game", state.turn().map_or(1, |turn| turn.number)),
    }
}

/// Returns the number of answers and the number of expectations of a test, for a preview.
pub fn counts_of(text: &str) -> (usize, usize) {
    let (record, _) = Record::parse(text);
    let n = |is: fn(&LogEntry) -> bool| record.lines.iter().filter(|line| is(&line.entry)).count();
    (n(|entry| matches!(entry, LogEntry::Answer(_))), n(|entry| matches!(entry, LogEntry::Expect(_))))
}
