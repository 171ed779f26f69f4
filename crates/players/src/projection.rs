//! The results of a game if it ended now.

use rules::{Game, Status};

/// Takes the first option whenever the game asks how points are booked: which score marker moves
/// and which feature comes first. The points are booked only after that.
pub fn settle_booking(game: &mut Game) {
    while matches!(game.status(), Status::Decision(decision) if decision.question.is_booking()) {
        game.answer_nth(0);
    }
}

/// Books points that wait for the choice of a marker, then runs the whole final count, in which
/// complete features not yet scored pay as well. Returns whether the game is over; otherwise a mod
/// has asked or failed.
pub fn finish(game: &mut Game) -> bool {
    settle_booking(game);
    if matches!(game.status(), Status::Decision(_)) {
        game.end_now();
        settle_booking(game);
    }
    matches!(game.status(), Status::Over)
}
