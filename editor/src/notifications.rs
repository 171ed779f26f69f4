//! What has happened to mods and files, newest last.

use std::time::Duration;

/// How a notification is to be taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tone {
    /// All is well.
    Good,
    /// Something is different.
    Changed,
    /// Something is wrong.
    Bad,
}

/// Something that has happened.
#[derive(Clone, PartialEq, Debug)]
pub struct Notification {
    /// When, since the start.
    pub at: Duration,
    /// How it is to be taken.
    pub tone: Tone,
    /// What, in a sentence.
    pub text: String,
}

/// What has happened.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Notifications {
    items: Vec<Notification>,
    /// How many of them are settled.
    n_settled: usize,
}

impl Notifications {
    /// Tells something.
    pub fn tell(&mut self, at: Duration, tone: Tone, text: impl Into<String>) {
        self.items.push(Notification { at, tone, text: text.into() });
        // Nobody reads a thousand lines; the log of the game is elsewhere.
        if self.items.len() > 200 {
            self.items.remove(0);
            self.n_settled = self.n_settled.saturating_sub(1);
        }
    }

    /// All that was told.
    pub fn items(&self) -> &[Notification] {
        &self.items
    }

    /// What was told last, if it is still news at `now`; with how long it will be. What is wrong stays for ten seconds, whatever is told after
    /// it: there is time to read it.
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

    /// What was told so far is no news any more: it was about another game, or is mended.
    pub fn settle(&mut self) {
        self.n_settled = self.items.len();
    }

    /// What was told last.
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
        notifications.tell(at(5), Tone::Good, "opened");
        assert_eq!(notifications.news(at(6)).map(|(item, left)| (item.text.as_str(), left)), Some(("opened", at(9))));
        assert!(notifications.news(at(15)).is_none());
        notifications.tell(at(16), Tone::Bad, "broken");
        assert!(notifications.news(at(40)).is_some());
        notifications.tell(at(20), Tone::Good, "saved");
        let shown = |seconds| notifications.news(at(seconds)).map(|(item, _)| item.text.as_str());
        assert_eq!((shown(25), shown(26)), (Some("broken"), Some("saved")));
        notifications.settle();
        assert!(notifications.news(at(26)).is_none());
        assert_eq!(notifications.last().map(|item| item.text.as_str()), Some("saved"));
    }
}
