//! The keys of the text.

use egui::{Context, Event, Key, Modifiers};

/// Something that a key asks the text for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextCommand {
    /// Write it into the file.
    Save,
    /// Take the last edit back.
    Undo,
    /// Make it again.
    Redo,
    /// Look for a word.
    Find,
    /// Go to the next problem.
    NextProblem,
    /// Make comments of the lines, or no comments.
    Comment,
    /// Move the lines to the right.
    Indent,
    /// Move the lines to the left.
    Outdent,
    /// Begin a line below, as far to the right as this one.
    NewLine,
    /// Go to the first word of the line, or from there to its beginning.
    LineStart,
    /// Offer words.
    Words,
    /// Mark the next of the words that are offered.
    NextWord,
    /// Mark the one before.
    PreviousWord,
    /// Take the word that is marked.
    TakeWord,
    /// Go to where the name is defined.
    Definition,
    /// Show help about the name.
    Help,
    /// Close what is open.
    Close,
}

const COMMAND_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// The keys, those with more modifiers first.
const KEYS: [(Modifiers, Key, TextCommand); 14] = [
    (COMMAND_SHIFT, Key::Z, TextCommand::Redo),
    (Modifiers::COMMAND, Key::Z, TextCommand::Undo),
    (Modifiers::COMMAND, Key::Y, TextCommand::Redo),
    (Modifiers::COMMAND, Key::S, TextCommand::Save),
    (Modifiers::COMMAND, Key::F, TextCommand::Find),
    (Modifiers::COMMAND, Key::Slash, TextCommand::Comment),
    (Modifiers::COMMAND, Key::Space, TextCommand::Words),
    (Modifiers::NONE, Key::F8, TextCommand::NextProblem),
    (Modifiers::NONE, Key::F12, TextCommand::Definition),
    (Modifiers::NONE, Key::F1, TextCommand::Help),
    (Modifiers::SHIFT, Key::Tab, TextCommand::Outdent),
    (Modifiers::NONE, Key::Tab, TextCommand::Indent),
    (Modifiers::NONE, Key::Enter, TextCommand::NewLine),
    (Modifiers::NONE, Key::Home, TextCommand::LineStart),
];

const CLOSE: (Modifiers, Key, TextCommand) = (Modifiers::NONE, Key::Escape, TextCommand::Close);

/// The keys while words are offered.
const CHOOSING: [(Modifiers, Key, TextCommand); 3] = [
    (Modifiers::NONE, Key::ArrowDown, TextCommand::NextWord),
    (Modifiers::NONE, Key::ArrowUp, TextCommand::PreviousWord),
    (Modifiers::NONE, Key::Tab, TextCommand::TakeWord),
];

/// The key while one of them was chosen, or asked for.
const CHOSEN: (Modifiers, Key, TextCommand) = (Modifiers::NONE, Key::Enter, TextCommand::TakeWord);

/// Which words are offered, as far as keys go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choosing {
    /// None.
    Nothing,
    /// Those that what was written may mean.
    Offered,
    /// Words among which the user has chosen, or that the user has asked for.
    Chosen,
}

/// The keys of the text. What is typed faster than frames come is taken in the order in which it
/// was typed.
#[derive(Default)]
pub struct TextKeys {
    /// The events typed after a key that has to be handled first.
    later: Vec<Event>,
}

impl TextKeys {
    /// Puts back what was left for this frame.
    pub fn begin(&mut self, ctx: &Context) {
        if !self.later.is_empty() {
            ctx.input_mut(|input| input.events.splice(0..0, self.later.drain(..)).for_each(drop));
        }
    }

    /// Returns what a key asks the text for that was pressed since the last frame; it is used up.
    pub fn taken(&mut self, ctx: &Context, choosing: Choosing) -> Option<TextCommand> {
        let offered = CHOOSING.into_iter().filter(|_| choosing != Choosing::Nothing);
        let chosen = [CHOSEN].into_iter().filter(|_| choosing == Choosing::Chosen);
        let keys: Vec<_> = offered.chain(chosen).chain(KEYS).chain([CLOSE]).collect();
        self.consumed(ctx, &keys)
    }

    /// Returns what a key asks for while words to be found are typed.
    pub fn taken_by_find(&mut self, ctx: &Context) -> Option<TextCommand> {
        self.consumed(ctx, &[CLOSE])
    }

    /// Commands run before the text field handles its input. So a command key that comes after
    /// other input waits for the next frame, with all input after it.
    fn consumed(&mut self, ctx: &Context, keys: &[(Modifiers, Key, TextCommand)]) -> Option<TextCommand> {
        let meant = |event: &Event| match event {
            Event::Key { key, pressed: true, modifiers, .. } => {
                // With a modifier such as Shift, the text field handles the key: it selects.
                let fits = |(wanted, known, _): &&(Modifiers, Key, TextCommand)| {
                    known == key
                        && if wanted.is_none() { modifiers.is_none() } else { modifiers.matches_logically(*wanted) }
                };
                keys.iter().find(fits).map(|(_, _, command)| *command)
            }
            _ => None,
        };
        let command = ctx.input_mut(|input| {
            let first = input.events.iter().position(|event| meant(event).is_some())?;
            let is_before = input.events.iter().take(first).any(changes_text);
            if is_before {
                self.later = input.events.split_off(first);
                return None;
            }
            let command = meant(&input.events.remove(first));
            if let Some(next) = input.events.iter().position(|event| meant(event).is_some()) {
                self.later = input.events.split_off(next);
            }
            command
        });
        if !self.later.is_empty() {
            ctx.request_repaint();
        }
        command
    }
}

/// Returns whether the text does something about an event.
fn changes_text(event: &Event) -> bool {
    match event {
        Event::Key { pressed, .. } => *pressed,
        Event::Text(_) | Event::Paste(_) | Event::Cut | Event::Ime(_) | Event::PointerButton { .. } => true,
        _ => false,
    }
}
