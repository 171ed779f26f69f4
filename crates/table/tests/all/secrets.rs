//! Tests of a table at which some players may not see everything: during play, at earlier
//! positions, after a reload and in a replay.

use table::{AwaitedActor, Library, ReloadOutcome, SealSecret, Seat, SeatSet, Session, Setup, begin_game, open_record};
use testkit::{CopiedMod, mods_folder, small_mods_folder};

const RED: Seat = Seat(0);
const BLUE: Seat = Seat(1);

fn library() -> Library {
    Library::open(&[mods_folder(), small_mods_folder()])
}

/// Begins a game of two players, and plays up to the question for the first bid.
fn bidding(library: &Library, bots: &[(&str, &str)]) -> Session {
    let bots = bots.iter().map(|(name, bot)| ((*name).to_owned(), (*bot).to_owned())).collect();
    let setup = Setup { seed: Some(3), bots, ..Setup::of(&["secret-bids"], 2) };
    let mut session = begin_game(library, setup).unwrap();
    session.deal();
    let answer = session.view().answers()[0];
    session.answer(answer).unwrap();
    session
}

fn last(session: &Session) -> &str {
    &session.steps()[session.position_index() - 1].text
}

/// Returns the question that the current viewer sees, and its options.
fn shown(session: &Session) -> (String, Vec<String>) {
    let view = session.view();
    (view.prompt().unwrap().text.to_owned(), view.answer_texts())
}

/// Hands the table over to `seat`, and answers for this player.
fn bid(session: &mut Session, seat: Seat, bid: &str) {
    assert_eq!(session.hand_over_to(), Some(seat));
    session.hand_over(Some(seat));
    assert_eq!(session.hand_over_to(), None);
    session.answer_text(bid).unwrap();
}

#[test]
fn persons_see_a_secret_question_one_at_a_time_and_the_answers_together() {
    let mut session = bidding(&library(), &[]);
    let hidden = ("A question hidden from some players".to_owned(), Vec::new());
    assert_eq!(session.hand_over_to(), Some(RED));
    assert_eq!(shown(&session), hidden);
    assert!(session.view().option_views().is_empty());
    session.hand_over(Some(RED));
    let offered: Vec<String> = (0..=3).map(|n| format!("bid {n}")).collect();
    assert_eq!(shown(&session), ("What do you bid for two points?".to_owned(), offered));
    session.answer_text("bid 3").unwrap();
    assert_eq!((session.only_viewer(), last(&session)), (None, "(hidden)"));
    assert_eq!(shown(&session), hidden);
    assert!(session.record_text().ends_with("bid 3\n"), "records hold everything");
    // Blue cannot find out the bid of red, neither from the list of answers nor from the effects of
    // the bid.
    session.hand_over(Some(BLUE));
    assert_eq!(last(&session), "(hidden)");
    let mut other = bidding(&library(), &[]);
    bid(&mut other, RED, "bid 0");
    other.hand_over(Some(BLUE));
    assert_ne!(session.game().state(), other.game().state());
    assert_eq!(session.game_to_try().state(), other.game_to_try().state());
    session.answer_text("bid 2").unwrap();
    let line: Vec<&str> = session.steps().iter().rev().take(2).map(|step| step.text.as_str()).collect();
    assert_eq!(line, ["bid 2", "bid 3"]);
    assert!(session.hand_over_to().is_none() && session.only_viewer().is_none());
}

/// A trace does not reveal a secret answer, even after the session has gone back to a position
/// before the answer, at which nothing is hidden.
#[test]
fn a_trace_of_later_steps_tells_no_secret() {
    let mut session = bidding(&library(), &[]);
    let before = session.position_index() - 1;
    bid(&mut session, RED, "bid 3");
    let n = session.position_index();
    session.go_to(before);
    assert_eq!(session.trace(0..before).map(|traced| traced.len()), Some(before));
    assert_eq!(session.trace(0..n), None);
    assert_eq!(session.regret(n - 1), None);
    // After all players have seen the bids, the trace contains them.
    session.go_to(n);
    bid(&mut session, BLUE, "bid 2");
    let n = session.position_index();
    session.go_to(before);
    assert_eq!(session.trace(0..n).map(|traced| traced.len()), Some(n));
}

#[test]
fn one_person_against_bots_never_hands_over_and_sees_no_bid_too_early() {
    let mut session = bidding(&library(), &[("blue", "random")]);
    assert_eq!(session.hand_over_to(), None);
    session.answer_text("bid 1").unwrap();
    assert_eq!((session.awaited_actor(), last(&session)), (AwaitedActor::Bot(BLUE), "bid 1"));
    session.advance();
    assert!(last(&session).starts_with("bid "));
    // In the next turn the bot is the first to bid.
    while !matches!(session.awaited_actor(), AwaitedActor::Person(_))
        || session.view().prompt().unwrap().asked_by.is_none()
    {
        match session.awaited_actor() {
            AwaitedActor::Person(_) => drop(session.answer(session.view().answers()[0])),
            _ => drop(session.advance()),
        }
    }
    assert_eq!(last(&session), "(hidden)");
}

#[test]
fn a_round_is_looked_back_at_and_taken_back() {
    let mut session = bidding(&library(), &[]);
    let before = session.position_index();
    bid(&mut session, RED, "bid 1");
    // Going to another position ends the hand-over.
    session.hand_over(Some(BLUE));
    session.go_to(before);
    assert_eq!((session.only_viewer(), session.hand_over_to()), (None, Some(RED)));
    assert_eq!(session.steps()[before].text, "(hidden)", "what comes after is hidden as well");
    session.go_to(before + 1);
    bid(&mut session, BLUE, "bid 3");
    let (state, record) = (session.game().state().clone(), session.record_text());
    session.go_to(before + 1);
    assert_eq!(session.hand_over_to(), Some(BLUE), "the round is going on once more");
    assert_eq!(session.steps()[before].text, "bid 1", "known is known");
    bid(&mut session, BLUE, "bid 3");
    assert_eq!((session.game().state(), session.record_text()), (&state, record));
    // A different bid replaces the first bid without making a branch, and is hidden too.
    session.go_to(before);
    bid(&mut session, RED, "bid 2");
    assert_eq!((session.is_live(), last(&session)), (true, "(hidden)"));
}

#[test]
fn mods_are_reloaded_in_the_middle_of_a_round() {
    let bids = CopiedMod::of_tests("secret-bids");
    let library = Library::open(&[mods_folder(), bids.library().to_owned()]);
    let mut session = bidding(&library, &[]);
    bid(&mut session, RED, "bid 3");
    session.hand_over(Some(BLUE));
    bids.edit("rules.rhai", "fn phase_auction", "// The same as before.\nfn phase_auction");
    assert!(matches!(session.reload_mods(), ReloadOutcome::Same));
    assert_eq!((last(&session), session.hand_over_to()), ("(hidden)", Some(BLUE)));
    bids.edit("rules.rhai", "score(best[0], 2, \"auction\")", "score(best[0], 5, \"auction\")");
    assert!(matches!(session.reload_mods(), ReloadOutcome::Same), "nothing has been scored so far");
    bid(&mut session, BLUE, "bid 0");
    session.answer_text("pass").unwrap();
    assert_eq!(session.view().scores(), [5, 0]);
}

#[test]
fn a_record_of_half_a_round_goes_on_in_secret_and_one_of_a_whole_game_shows_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("half.game");
    let mut session = bidding(&library(), &[]);
    bid(&mut session, RED, "bid 3");
    std::fs::write(&path, session.record_text()).unwrap();
    let mut again = open_record(&library(), &path).unwrap().session;
    assert_eq!(again.game().state(), session.game().state());
    assert_eq!((last(&again), again.hand_over_to()), ("(hidden)", Some(BLUE)));
    bid(&mut again, BLUE, "bid 1");
    // After the end of the game, every player sees every position.
    let at = again.position_index();
    [RED, BLUE].into_iter().for_each(|seat| again.set_bot(seat, Some("random")));
    while again.advance() {}
    assert_eq!(again.awaited_actor(), AwaitedActor::Nobody);
    [RED, BLUE].into_iter().for_each(|seat| again.set_bot(seat, None));
    again.go_to(at - 1);
    assert_eq!((again.hand_over_to(), last(&again)), (None, "bid 3"));
    assert_eq!(again.view().answer_texts().len(), 4);
}

#[test]
fn hands_that_not_everybody_may_see_are_counted_only() {
    let setup = Setup { seed: Some(5), ..Setup::of(&["secret-hands"], 2) };
    let mut session = begin_game(&library(), setup).unwrap();
    session.deal();
    let cards = |session: &Session, seat: Seat| {
        let view = session.view();
        (view.cards_in_hand(seat).map(str::to_owned).collect::<Vec<_>>(), view.n_hidden_in_hand(seat))
    };
    let unseen = |session: &Session| session.view().cards_of_deck(1).iter().map(|card| card.left).sum::<usize>();
    assert_eq!((cards(&session, RED), cards(&session, BLUE), unseen(&session)), ((vec![], 1), (vec![], 1), 5));
    assert_eq!(session.steps()[0].text, "draw (hidden)");
    session.hand_over(Some(RED));
    let (own, hidden) = cards(&session, RED);
    assert_eq!((own.len(), hidden, cards(&session, BLUE), unseen(&session)), (1, 0, (vec![], 1), 4));
    assert_eq!(session.steps()[0].text, format!("draw {}", own[0]));
    session.hand_over(None);
    assert_eq!(cards(&session, RED), (vec![], 1));
    // If only one person plays, the table shows the hand of this person.
    session.set_bot(BLUE, Some("random"));
    assert_eq!((cards(&session, RED), cards(&session, BLUE)), ((own, 0), (vec![], 1)));
}

/// The computer of a player in a game by correspondence.
struct Computer {
    seat: Seat,
    secret: SealSecret,
}

impl Computer {
    fn new(seat: Seat) -> Computer {
        Computer { seat, secret: SealSecret([seat.0 + 1; 32]) }
    }

    /// Opens the record that another player has sent. Returns the game, the warnings, and whether
    /// the player's own sealed answers could be opened.
    fn open(&self, record: &str) -> (Session, Vec<String>, bool) {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("link.game");
        std::fs::write(&file, record).unwrap();
        let opened = open_record(&library(), &file).unwrap();
        assert!(opened.is_whole, "{record}");
        let mut session = opened.session;
        session.set_guests(session.view().seats().filter(|seat| *seat != self.seat).collect());
        let could_open = session.open_seals(self.seat.into(), self.secret);
        session.deal();
        (session, opened.warnings, could_open)
    }

    /// Answers, and returns the record for the next player.
    fn answer_and_send(&self, session: &mut Session, answer: &str) -> String {
        session.answer_text(answer).unwrap();
        self.send(session)
    }

    fn send(&self, session: &mut Session) -> String {
        assert!(!session.hides_more_than_a_round());
        session.seal_answers(self.seat.into(), self.secret).unwrap();
        session.record_text()
    }
}

fn to_move(session: &Session) -> Option<Seat> {
    match session.awaited_actor() {
        AwaitedActor::Person(seat) => Some(seat),
        _ => None,
    }
}

#[test]
fn answers_of_a_round_are_sealed_in_links() {
    let [red, blue] = [RED, BLUE].map(Computer::new);
    let first = red.answer_and_send(&mut bidding(&library(), &[]), "bid 3");
    assert!(!first.contains("\nbid") && first.ends_with("sealed\n") && first.contains("\nseal "), "{first}");

    // Blue bids without knowing the bid of red, and is the last to bid.
    let (mut session, warnings, could_open) = blue.open(&first);
    assert_eq!((to_move(&session), warnings, could_open), (Some(BLUE), Vec::new(), true));
    assert_eq!(shown(&session).1, ["bid 0", "bid 1", "bid 2", "bid 3"]);
    let second = blue.answer_and_send(&mut session, "bid 2");
    assert_eq!(session.guest_to_move(), Some(RED), "red opens the sealed bid");
    assert!(session.view().opens_sealed_answer());

    let (mut session, warnings, could_open) = red.open(&second);
    assert_eq!((warnings, could_open), (Vec::new(), true));
    assert_eq!((to_move(&session), &*shown(&session).0), (Some(RED), "Thank the others?"));
    assert!(session.doubtful_seals(RED.into(), red.secret).is_empty());
    session.answer_text("thanks").unwrap();
    session.answer_text("pass").unwrap();
    session.deal();
    assert_eq!(to_move(&session), Some(BLUE));
    let third = red.send(&mut session);

    let (session, warnings, _) = blue.open(&third);
    assert_eq!((warnings, session.view().scores()), (Vec::new(), vec![2, 0]));
    assert!(session.doubtful_seals(BLUE.into(), blue.secret).is_empty());
    assert_eq!(session.setup().seals.len(), 2);
}

#[test]
fn a_changed_sealed_answer_is_noticed() {
    let [red, blue] = [RED, BLUE].map(Computer::new);
    let begun = bidding(&library(), &[]);
    let begun = begun.record_text();
    let first = red.answer_and_send(&mut bidding(&library(), &[]), "bid 1");
    let (mut session, ..) = blue.open(&first);
    let second = blue.answer_and_send(&mut session, "bid 2");

    // Red cannot open the seal with another bid.
    let (mut session, warnings, _) = red.open(&second.replacen("seal ", "# ", 1));
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("red did not give the answer that was sealed"), "{warnings:?}");
    session.answer_text("bid 3").unwrap();
    let (_, warnings, _) = blue.open(&session.record_text());
    assert!(warnings.iter().any(|it| it.contains("red did not give the answer that was sealed")), "{warnings:?}");

    // If red replaces the seal, blue's own seal does not fit any more.
    let mut other = blue.open(&red.answer_and_send(&mut bidding(&library(), &[]), "bid 3")).0;
    let mut cheated = blue.answer_and_send(&mut other, "bid 2");
    let own = |text: &str| text.lines().filter(|line| line.starts_with("seal ")).nth(1).unwrap().to_owned();
    cheated = cheated.replace(&own(&cheated), &own(&second));
    let cheated = red.send(&mut red.open(&cheated).0);
    let (session, warnings, _) = blue.open(&cheated);
    assert_eq!(warnings, Vec::<String>::new());
    assert_eq!(session.doubtful_seals(BLUE.into(), blue.secret).len(), 1);

    // Another computer cannot open the seal.
    let elsewhere = Computer { secret: SealSecret([9; 32]), ..Computer::new(RED) };
    let (session, _, could_open) = elsewhere.open(&second);
    assert!(!could_open && session.view().opens_sealed_answer());
    assert!(second.starts_with(begun.lines().next().unwrap()));
}

#[test]
fn three_players_open_their_answers_in_reverse_order() {
    let [red, blue, green] = [Seat(0), Seat(1), Seat(2)].map(Computer::new);
    let setup = Setup { seed: Some(3), ..Setup::of(&["secret-bids"], 3) };
    let mut session = begin_game(&library(), setup).unwrap();
    session.answer(session.view().answers()[0]).unwrap();
    let mut record = red.answer_and_send(&mut session, "bid 1");
    record = blue.answer_and_send(&mut blue.open(&record).0, "bid 3");
    assert!(!record.contains("bid "), "{record}");
    // An undone answer takes its seal along.
    let mut session = green.open(&record).0;
    session.answer_text("bid 1").unwrap();
    session.undo_unconfirmed();
    record = green.answer_and_send(&mut session, "bid 0");
    assert_eq!(session.guest_to_move(), Some(Seat(1)));
    let mut session = blue.open(&record).0;
    assert_eq!(to_move(&session), Some(Seat(0)));
    assert_eq!(session.view().scores(), [0; 3]);
    record = blue.send(&mut session);
    let (session, warnings, could_open) = red.open(&record);
    assert_eq!((warnings, could_open), (Vec::new(), true));
    assert_eq!((to_move(&session), &*shown(&session).0), (Some(Seat(1)), "Thank the others?"));
}

#[test]
fn only_answers_of_the_open_round_can_be_sealed() {
    let setup = Setup { seed: Some(3), ..Setup::of(&["secret-hands"], 2) };
    let mut session = begin_game(&library(), setup).unwrap();
    session.deal();
    assert!(session.hides_more_than_a_round());
    // Guests of a table cannot seal an answer.
    let mut session = bidding(&library(), &[]);
    let refused = session.answer_text("sealed").unwrap_err();
    assert_eq!(refused.answer, "sealed");
    assert!(session.doubtful_seals(SeatSet::ALL, SealSecret([1; 32])).is_empty());
}
