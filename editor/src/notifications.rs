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
}

impl Notifications {
    /// Tells something.
    pub fn tell(&mut self, at: Duration, tone: Tone, text: impl Into<String>) {
        self.items.push(Notification { at, tone, text: text.into() });
        // Nobody reads a thousand lines; the log of the game is elsewhere.
        if self.items.len() > 200 {
            self.items.remove(0);
        }
    }

    /// All that was told.
    pub fn items(&self) -> &[Notification] {
        &self.items
    }

    /// What was told last.
    pub fn last(&self) -> Option<&Notification> {
        self.items.last()
    }
}
