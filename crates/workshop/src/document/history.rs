//! The undo history of a text. Undo reverts one change at a time. Consecutive typing is one change,
//! up to the end of a word or a pause.

use std::time::Duration;

/// The pause after which further typing becomes a new undo step.
const TYPING_PAUSE: Duration = Duration::from_secs(1);
/// The maximum number of stored undo steps.
const MAX_STEPS: usize = 1000;

/// The context of an edit, for undo.
#[derive(Clone, Copy, Debug, Default)]
pub struct EditContext {
    /// The cursor before the edit, in bytes.
    pub before: usize,
    /// The cursor after the edit, in bytes.
    pub after: usize,
    /// The time of the edit, from any fixed starting point.
    pub at: Duration,
    /// True if the edit is typing. Undo reverts consecutive edits by typing together.
    pub is_typing: bool,
}

/// A change at one place.
#[derive(Clone, Debug)]
struct TextChange {
    start: usize,
    removed: String,
    inserted: String,
    /// The cursor before the change, in bytes.
    before: usize,
    /// The cursor after the change, in bytes.
    after: usize,
    at: Duration,
    /// True if the change is typing, and further typing can still extend it.
    is_open: bool,
}

/// The changes of a text: changes that undo can revert, and changes that redo can restore.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    done: Vec<TextChange>,
    undone: Vec<TextChange>,
}

impl History {
    /// Records the edit that replaced the text `old` with the text `new`.
    pub(super) fn record(&mut self, old: &str, new: &str, edit: EditContext) {
        self.undone.clear();
        let change = TextChange::between(old, new, edit);
        if let Some(last) = self.done.last_mut()
            && last.is_continued_by(&change)
        {
            last.append(change);
            return;
        }
        if self.done.len() == MAX_STEPS {
            self.done.remove(0);
        }
        self.done.push(change);
    }

    /// Ends the last undo step, so that further typing becomes a new step.
    pub(super) fn close_step(&mut self) {
        if let Some(last) = self.done.last_mut() {
            last.is_open = false;
        }
    }

    /// Undoes the last change. Returns the cursor before it, or `None` if there is no change.
    pub(super) fn undo(&mut self, text: &mut String) -> Option<usize> {
        let mut change = self.done.pop()?;
        change.is_open = false;
        let before = change.before;
        replace(text, change.start, change.inserted.len(), &change.removed);
        self.undone.push(change);
        Some(before)
    }

    /// Repeats the last undone change. Returns the cursor after it, or `None` if there is none.
    pub(super) fn redo(&mut self, text: &mut String) -> Option<usize> {
        let change = self.undone.pop()?;
        let after = change.after;
        replace(text, change.start, change.removed.len(), &change.inserted);
        self.done.push(change);
        Some(after)
    }
}

fn replace(text: &mut String, start: usize, length: usize, with: &str) {
    // The text to replace is still at `start`: undo reverts the changes in reverse order, and redo
    // repeats them in their original order.
    if text.get(start..start + length).is_some() {
        text.replace_range(start..start + length, with);
    }
}

impl TextChange {
    fn between(old: &str, new: &str, edit: EditContext) -> TextChange {
        let same = |a: &u8, b: &u8| a == b;
        let start = old.bytes().zip(new.bytes()).take_while(|(a, b)| same(a, b)).count();
        let start = (0..=start).rev().find(|i| old.is_char_boundary(*i) && new.is_char_boundary(*i)).unwrap_or(0);
        let most = old.len().min(new.len()) - start;
        let end = old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(|(a, b)| same(a, b)).count();
        let is_boundary = |n: &usize| old.is_char_boundary(old.len() - n) && new.is_char_boundary(new.len() - n);
        let end = (0..=end).rev().find(is_boundary).unwrap_or(0);
        let part = |text: &str| text.get(start..text.len() - end).unwrap_or_default().to_owned();
        TextChange {
            start,
            removed: part(old),
            inserted: part(new),
            before: edit.before,
            after: edit.after,
            at: edit.at,
            is_open: edit.is_typing,
        }
    }

    /// Returns whether `next` extends this change, so that both become one undo step.
    fn is_continued_by(&self, next: &TextChange) -> bool {
        if !self.is_open || !next.is_open || next.at.saturating_sub(self.at) > TYPING_PAUSE {
            return false;
        }
        let ends_word = self.inserted.ends_with(char::is_whitespace) && !next.inserted.starts_with(char::is_whitespace);
        let types_on = self.removed.is_empty()
            && next.removed.is_empty()
            && next.start == self.start + self.inserted.len()
            && !ends_word;
        let erases_on = self.inserted.is_empty()
            && next.inserted.is_empty()
            && (next.start + next.removed.len() == self.start || next.start == self.start);
        types_on || erases_on
    }

    fn append(&mut self, next: TextChange) {
        self.inserted.push_str(&next.inserted);
        if next.start < self.start {
            self.removed.insert_str(0, &next.removed);
            self.start = next.start;
        } else {
            self.removed.push_str(&next.removed);
        }
        (self.after, self.at) = (next.after, next.at);
    }
}
