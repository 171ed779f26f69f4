//! The results of a game if it ended now.

use rules::{Game, Status};

/// Answers with the first option as long as the game asks how to book points: which score marker
/// moves, or which feature scores first. The game books the points only after these answers.
pub fn answer_booking_questions(game: &mut Game) {
    while matches!(game.status(), Status::Decision(decision) if decision.question.is_booking()) {
        game.answer_nth(0);
    }
}

/// Books waiting points as [`answer_booking_questions`] does, then runs the whole final count. The
/// count also pays complete features that are not scored yet. Returns true if the game is then
/// over, and false if a mod has asked a question or failed.
pub fn run_final_count(game: &mut Game) -> bool {
    answer_booking_questions(game);
    if matches!(game.status(), Status::Decision(_)) {
        game.end_now();
        answer_booking_questions(game);
    }
    matches!(game.status(), Status::Over)
}
