//! Notifications to the user, in the order in which they were added.

use std::time::Duration;

use table::RulesChoice;
use workshop::DeletedTile;
use workshop::mod_files::RemovedItem;

/// The tone of a notification, which determines its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tone {
    /// Success.
    Good,
    /// A change, a warning or a hint.
    Changed,
    /// A failure.
    Bad,
}

/// The subject of a notification. Later news of the same subject replaces a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NewsSubject {
    /// The rules in the files of mods.
    Rules,
    /// Tables with guests, here or at another computer.
    Guests,
    /// Saving the game.
    Game,
    /// Saving settings and drafts.
    Settings,
}

/// A removed mod or file that the user can restore.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Removal {
    /// The removed mod or file.
    pub removed: RemovedItem,
    /// The number of the session whose game used the removed mod, and the rules of this game before
    /// the removal. `None` if no game used the mod.
    pub rules: Option<(u64, RulesChoice)>,
}

/// A change that a button beside a notification undoes.
#[derive(Clone, PartialEq, Debug)]
pub enum UndoableChange {
    /// A mod or file was removed.
    Removal(Removal),
    /// A tile was deleted from its file.
    Tile(DeletedTile),
}

impl UndoableChange {
    /// Returns the name of the removed thing, such as `my-mod/rules.rhai`.
    pub fn name(&self) -> String {
        match self {
            UndoableChange::Removal(removal) => removal.removed.name(),
            UndoableChange::Tile(tile) => format!("tile {}", tile.id),
        }
    }

    /// Returns whether both are changes of the same thing.
    fn is_same(&self, other: &UndoableChange) -> bool {
        match (self, other) {
            (UndoableChange::Removal(one), UndoableChange::Removal(other)) => one.removed == other.removed,
            _ => self == other,
        }
    }
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
    /// The subject, if later notifications can replace this one.
    pub subject: Option<NewsSubject>,
    /// The change that the text reports and that the button beside the text undoes; `None` if
    /// there is no such button.
    pub undo: Option<UndoableChange>,
}

/// The last notifications, the oldest first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Notifications {
    items: Vec<Notification>,
    /// The number of oldest notifications in `items` that [`current`](Notifications::current)
    /// skips.
    n_settled: usize,
}

impl Notifications {
    /// Adds a notification.
    pub fn notify(&mut self, at: Duration, tone: Tone, text: impl Into<String>) {
        self.add(Notification { at, tone, text: text.into(), subject: None, undo: None });
    }

    /// Adds a notification about `subject`.
    pub fn notify_about(&mut self, subject: NewsSubject, at: Duration, tone: Tone, text: impl Into<String>) {
        self.add(Notification { at, tone, text: text.into(), subject: Some(subject), undo: None });
    }

    /// Adds a notification with a button that undoes `change`.
    pub fn notify_undoable(&mut self, at: Duration, text: String, change: UndoableChange) {
        self.add(Notification { at, tone: Tone::Changed, text, subject: None, undo: Some(change) });
    }

    /// Removes the buttons that undo `change`.
    pub fn discard_undo(&mut self, change: &UndoableChange) {
        self.items.iter_mut().for_each(|item| drop(item.undo.take_if(|undo| undo.is_same(change))));
    }

    fn add(&mut self, item: Notification) {
        self.items.push(item);
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

    /// Returns the notification to show at `now`, if any, and the time until it disappears. A
    /// failure is shown for ten seconds even if other notifications follow, so that the user has
    /// time to read it, unless its subject has later news. A removal that the user can undo is
    /// shown for twenty seconds, before all others.
    pub fn current(&self, now: Duration) -> Option<(&Notification, Duration)> {
        let left = |item: &Notification, seconds: u64| {
            (item.at + Duration::from_secs(seconds)).checked_sub(now).filter(|left| !left.is_zero())
        };
        let removal = self.items.iter().rev().find(|item| item.undo.is_some());
        if let Some(left) = removal.and_then(|item| left(item, 20)) {
            return removal.zip(Some(left));
        }
        let items = self.items.get(self.n_settled..)?;
        let is_failure = |item: &&Notification| {
            item.tone == Tone::Bad && item.subject.is_none_or(|subject| self.has_failure(subject))
        };
        let wrong = items.iter().rev().find(is_failure);
        if let Some(left) = wrong.and_then(|item| left(item, 10)) {
            return wrong.zip(Some(left));
        }
        let last = items.last()?;
        Some((last, left(last, if last.tone == Tone::Good { 10 } else { 30 })?))
    }

    /// Returns whether the latest notification about `subject` is a failure. Notifications that
    /// [`current`](Notifications::current) skips do not count.
    pub fn has_failure(&self, subject: NewsSubject) -> bool {
        let items = self.items.get(self.n_settled..).unwrap_or_default();
        let latest = items.iter().rev().find(|item| item.subject == Some(subject));
        latest.is_some_and(|item| item.tone == Tone::Bad)
    }

    /// Makes [`current`](Notifications::current) skip all notifications so far. Call this when the
    /// notifications concern another game or report problems that are fixed.
    pub fn dismiss_all(&mut self) {
        self.n_settled = self.items.len();
    }

    /// Returns the newest notification, if any.
    pub fn last(&self) -> Option<&Notification> {
        self.items.last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removal_stays_until_it_is_undone() {
        let path = std::path::PathBuf::from("mods/mill");
        let removed = RemovedItem { folder: path.clone(), original: path.clone(), stored: path };
        let removal = UndoableChange::Removal(Removal { removed, rules: None });
        let at = Duration::from_secs;
        let mut notifications = Notifications::default();
        notifications.notify_undoable(at(0), "removed mill".to_owned(), removal.clone());
        notifications.notify(at(1), Tone::Bad, "broken");
        notifications.dismiss_all();
        let shown = |notifications: &Notifications, seconds| {
            notifications.current(at(seconds)).map(|(item, _)| item.text.clone())
        };
        assert_eq!(shown(&notifications, 19).as_deref(), Some("removed mill"));
        assert_eq!(shown(&notifications, 21), None);
        notifications.discard_undo(&removal);
        assert_eq!(shown(&notifications, 2), None);
    }

    #[test]
    fn what_is_long_ago_or_settled_is_no_news() {
        let at = Duration::from_secs;
        let mut notifications = Notifications::default();
        assert!(notifications.current(at(0)).is_none());
        notifications.notify(at(5), Tone::Good, "opened");
        assert_eq!(
            notifications.current(at(6)).map(|(item, left)| (item.text.as_str(), left)),
            Some(("opened", at(9)))
        );
        assert!(notifications.current(at(15)).is_none());
        notifications.notify(at(16), Tone::Bad, "broken");
        assert!(notifications.current(at(40)).is_some());
        notifications.notify(at(20), Tone::Good, "saved");
        let shown = |seconds| notifications.current(at(seconds)).map(|(item, _)| item.text.as_str());
        assert_eq!((shown(25), shown(26)), (Some("broken"), Some("saved")));
        notifications.dismiss_all();
        assert!(notifications.current(at(26)).is_none());
        assert_eq!(notifications.last().map(|item| item.text.as_str()), Some("saved"));
    }

    #[test]
    fn news_of_a_subject_replaces_its_failure() {
        let at = Duration::from_secs;
        let mut notifications = Notifications::default();
        let shown = |notifications: &Notifications, seconds| {
            notifications.current(at(seconds)).map(|(item, _)| item.text.clone())
        };
        notifications.notify_about(NewsSubject::Guests, at(0), Tone::Bad, "no host");
        notifications.notify_about(NewsSubject::Rules, at(1), Tone::Good, "applied");
        assert_eq!(shown(&notifications, 1).as_deref(), Some("no host"), "other news leaves the failure");
        notifications.notify_about(NewsSubject::Guests, at(2), Tone::Good, "guests can join");
        assert_eq!(shown(&notifications, 2).as_deref(), Some("guests can join"));
        assert!(!notifications.has_failure(NewsSubject::Guests));
        notifications.notify_about(NewsSubject::Guests, at(3), Tone::Bad, "no host");
        assert_eq!(shown(&notifications, 4).as_deref(), Some("no host"));
        assert!(notifications.has_failure(NewsSubject::Guests));
    }
}
