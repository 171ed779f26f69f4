//! Notifications to the user, in the order in which they were added.

use std::time::Duration;

/// The tone of a notification.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tone {
    /// Success.
    Good,
    /// A change, a warning or a hint.
    Changed,
    /// A failure.
    Bad,
}

/// A message to the user.
#[derive(Clone, PartialEq, Debug)]
pub struct Notification {
    /// The time at which the notification was added, since the start of the program.
    pub at: Duration,
    /// The tone.
    pub tone: Tone,
    /// The text.
    pub text: String,
}

/// The last notifications, the oldest first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Notifications {
    items: Vec<Notification>,
    /// The number of old notifications that [`news`](Notifications::news) no longer returns.
    n_settled: usize,
}

impl Notifications {
    /// Adds a notification.
    pub fn notify(&mut self, at: Duration, tone: Tone, text: impl Into<String>) {
        self.items.push(Notification { at, tone, text: text.into() });
        // Stores only the last 200 notifications. The event log of the game does not depend on
        // them.
        if self.items.len() > 200 {
            self.items.remove(0);
            self.n_settled = self.n_settled.saturating_sub(1);
        }
    }

    /// Returns the stored notifications.
    pub fn items(&self) -> &[Notification] {
        &self.items
    }

    /// Returns the notification to show at `now`, if any, and how much longer to show it. A failure
    /// is shown for ten seconds even if other notifications follow, so that the user has time to
    /// read it.
    pub fn news(&self, now: Duration) -> Option<(&Notification, Duration)> {
        let items = self.items.get(self.n_settled..)?;
        let left = |item: &Notification, seconds: u64| {
            (item.at + Duration::from_secs(seconds)).checked_sub(now).filter(|left| !left.is_zero())
        };
        let wrong = items.iter().rev().find(|item| item.tone == Tone::Bad);
        if let Some(left) = wrong.and_then(|item| left(item, 10)) {
            return wrong.zip(Some(left));
        }
        let last = items.last()?;
        Some((last, left(last, if last.tone == Tone::Good { 10 } else { 30 })?))
    }

    /// Makes [`news`](Notifications::news) skip all notifications so far. Call this when the
    /// notifications concern another game or report problems that are fixed.
    pub fn settle_all(&mut self) {
        self.n_settled = self.items.len();
    }

    /// Returns the last notification.
    pub fn last(&self) -> Option<&Notification> {
        self.items.last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_long_ago_or_settled_is_no_news() {
        let at = Duration::from_secs;
        let mut notifications = Notifications::default();
        assert!(notifications.news(at(0)).is_none());
        notifications.notify(at(5), Tone::Good, "opened");
        assert_eq!(notifications.news(at(6)).map(|(item, left)| (item.text.as_str(), left)), Some(("opened", at(9))));
        assert!(notifications.news(at(15)).is_none());
        notifications.notify(at(16), Tone::Bad, "broken");
        assert!(notifications.news(at(40)).is_some());
        notifications.notify(at(20), Tone::Good, "saved");
        let shown = |seconds| notifications.news(at(seconds)).map(|(item, _)| item.text.as_str());
        assert_eq!((shown(25), shown(26)), (Some("broken"), Some("saved")));
        notifications.settle_all();
        assert!(notifications.news(at(26)).is_none());
        assert_eq!(notifications.last().map(|item| item.text.as_str()), Some("saved"));
    }
}
