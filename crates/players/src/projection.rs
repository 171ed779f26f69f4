//! The points that a game would pay if it ended now.

use rules::{Game, Status};

/// Takes the first option wherever the game asks how points are booked: which score marker moves
/// and which feature comes first. The points are booked only after that.
pub fn settle_booking(game: &mut Game) {
    while matches!(game.status(), Status::Decision(decision) if decision.question.is_booking()) {
        game.answer_nth(0);
    }
}

/// Books what waits for a marker to be chosen, then goes to the final count at once and through it,
/// in which what is complete and not scored yet pays as well. Returns whether the game is over;
/// else a mod asks something or has failed.
pub fn finish(game: &mut Game) -> bool {
    settle_booking(game);
    if matches!(game.status(), Status::Decision(_)) {
        game.end_now();
        settle_booking(game);
    }
    matches!(game.status(), Status::Over)
}
