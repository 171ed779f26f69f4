//! The keys of the text.

use egui::{Context, Key, KeyboardShortcut, Modifiers};

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
const CHOOSING: [(Modifiers, Key, TextCommand); 4] = [
    (Modifiers::NONE, Key::ArrowDown, TextCommand::NextWord),
    (Modifiers::NONE, Key::ArrowUp, TextCommand::PreviousWord),
    (Modifiers::NONE, Key::Tab, TextCommand::TakeWord),
    (Modifiers::NONE, Key::Enter, TextCommand::TakeWord),
];

/// Returns what the keys ask for that were pressed since the last frame; they are used up.
pub fn taken(ctx: &Context, is_choosing: bool) -> Vec<TextCommand> {
    let choosing = CHOOSING.into_iter().filter(|_| is_choosing);
    consumed(ctx, choosing.chain(KEYS).chain([CLOSE]))
}

/// Returns what they ask for while words to be found are typed.
pub fn taken_by_find(ctx: &Context) -> Vec<TextCommand> {
    consumed(ctx, [CLOSE])
}

fn consumed(ctx: &Context, keys: impl IntoIterator<Item = (Modifiers, Key, TextCommand)>) -> Vec<TextCommand> {
    let mut commands = Vec::new();
    for (modifiers, key, command) in keys {
        while ctx.input_mut(|input| input.consume_shortcut(&KeyboardShortcut::new(modifiers, key))) {
            commands.push(command);
        }
    }
    commands
}
