//! Sounds, played by the page.

use std::cell::RefCell;

/// True if this system can play sounds.
pub const CAN_PLAY: bool = true;

/// Plays samples from -1 to 1, given their rate.
type SoundPlayer = Box<dyn Fn(&[f32], u32)>;

thread_local! {
    static PLAYER: RefCell<Option<SoundPlayer>> = const { RefCell::new(None) };
}

/// Sets the function that plays sounds. The page calls it once.
pub fn set_player(play: impl Fn(&[f32], u32) + 'static) {
    PLAYER.with(|player| *player.borrow_mut() = Some(Box::new(play)));
}

/// Plays samples from -1 to 1, `rate` samples per second. Does nothing if the page has set no
/// player.
pub fn play(samples: &[f32], rate: u32) {
    PLAYER.with(|player| {
        if let Some(play) = &*player.borrow() {
            play(samples, rate);
        }
    });
}
