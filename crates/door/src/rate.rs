//! Rate limits.

use platform::time::Instant;

/// Limits the rate of events with a token bucket.
pub struct RateLimit {
    burst: f64,
    per_second: f64,
    left: f64,
    since: Instant,
}

impl RateLimit {
    /// Allows `burst` events without a pause, and then `per_second` events per second.
    pub fn new(burst: u32, per_second: f64, now: Instant) -> RateLimit {
        RateLimit { burst: f64::from(burst), per_second, left: f64::from(burst), since: now }
    }

    /// Returns whether another event is allowed at `now`. Counts the event if it is allowed.
    pub fn try_take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.since);
        self.since = now;
        self.left = (self.left + passed.as_secs_f64() * self.per_second).min(self.burst);
        let allows = self.left >= 1.0;
        self.left -= if allows { 1.0 } else { 0.0 };
        allows
    }

    /// Counts another `n` events, whether they are allowed or not.
    pub fn take(&mut self, n: f64) {
        self.left -= n;
    }
}

#[cfg(test)]
mod tests {
    use platform::time::Duration;

    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_a_rate() {
        let start = Instant::now();
        let mut limit = RateLimit::new(3, 0.5, start);
        let mut n_allowed =
            |seconds: u64| (0..9).filter(|_| limit.try_take(start + Duration::from_secs(seconds))).count();
        assert_eq!([n_allowed(0), n_allowed(1), n_allowed(2), n_allowed(6), n_allowed(600)], [3, 0, 1, 2, 3]);
    }
}
