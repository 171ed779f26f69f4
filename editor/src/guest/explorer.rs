//! Limits the rate of a guest's requests for positions.

use egui::Context;
use platform::time::{Duration, Instant};

/// The pause between two requests for a position, because tables limit their rate.
const PAUSE: Duration = Duration::from_millis(130);

/// The position that the guest wants to see, and the time of the last request for one.
#[derive(Default)]
pub struct Explorer {
    pub wanted: Option<usize>,
    requested: Option<Instant>,
}

impl Explorer {
    /// Removes and returns the wanted position when its request may be sent. Wakes the window at
    /// this time.
    pub fn due(&mut self, ctx: &Context) -> Option<usize> {
        self.wanted?;
        let passed = self.requested.map_or(PAUSE, |requested| requested.elapsed());
        if passed < PAUSE {
            ctx.request_repaint_after(PAUSE.saturating_sub(passed));
            return None;
        }
        self.requested = Some(Instant::now());
        self.wanted.take()
    }
}
