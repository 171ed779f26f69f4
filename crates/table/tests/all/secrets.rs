//! Tests of a table at which some players may not see everything: during play, at earlier
//! positions, after a reload and in a replay.

use table::{AwaitedActor, Library, ReloadOutcome, Seat, Session, Setup, begin_game, open_record};
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
