//! Progress bars.

use std::io::{IsTerminal as _, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows that `n` of `of` games or other things are done.
pub fn update_progress(bar: &ProgressBar, n: u64, of: u64) {
    bar.set_length(of);
    bar.set_position(n);
}

/// Returns a progress bar, which is visible only on a terminal.
pub fn progress_bar(n_games: u64, unit: &str) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(n_games), ProgressDrawTarget::stderr_with_hz(5));
    let style = ProgressStyle::with_template(&format!(
        "{{msg}}{{wide_bar}} {{human_pos}}/{{human_len}} {unit} in {{elapsed}}, {{per_sec}}, {{eta}} left"
    ));
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    // Shows the bar before the first game has ended, and the time while a game takes long.
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}
