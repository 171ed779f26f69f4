//! What a game would pay if it were over now.

use rules::{Game, Question, Status};

/// Moves the first score marker wherever the game asks which one moves. Points are booked only then, and whichever marker moves, the
/// player has as many.
pub fn settle_markers(game: &mut Game) {
    let asks_for_marker =
        |game: &Game| matches!(game.status(), Status::Decision(d) if matches!(d.question, Question::Marker { .. }));
    while asks_for_marker(game) {
        game.answer_nth(0);
    }
}

/// Books what waits for a marker to be chosen, then goes to the final count at once and through it. Returns whether the game is over;
/// else a mod asks something or has failed.
pub fn finish(game: &mut Game) -> bool {
    settle_markers(game);
    if matches!(game.status(), Status::Decision(_)) {
        game.end_now();
        settle_markers(game);
    }
    matches!(game.status(), Status::Over)
}
