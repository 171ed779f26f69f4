//! The key bindings of the text in the rule editor.

use egui::{Context, Event, Key, Modifiers};

/// A command that a key triggers in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextCommand {
    /// Save the file.
    Save,
    /// Undo the last edit.
    Undo,
    /// Redo the last undone edit.
    Redo,
    /// Open the search bar.
    Find,
    /// Go to the next problem.
    NextProblem,
    /// Turn the selected lines into comments, or back.
    Comment,
    /// Indent the selected lines.
    Indent,
    /// Outdent the selected lines.
    Outdent,
    /// Begin a new line with the indentation of the current line.
    NewLine,
    /// Go to the first word of the line. If the cursor is already there, go to the beginning of the
    /// line.
    LineStart,
    /// Show the completion list.
    Words,
    /// Select the next word of the completion list.
    NextWord,
    /// Select the previous word of the completion list.
    PreviousWord,
    /// Insert the selected word of the completion list.
    TakeWord,
    /// Go to the definition of the name at the cursor.
    Definition,
    /// Show help about the name at the cursor.
    Help,
    /// Close the topmost list or bar.
    Close,
}

const COMMAND_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// The key bindings. If a key has several bindings, those with more modifiers come first.
const BINDINGS: [(Modifiers, Key, TextCommand); 14] = [
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

const CLOSE_BINDING: (Modifiers, Key, TextCommand) = (Modifiers::NONE, Key::Escape, TextCommand::Close);

/// The key bindings that apply only while the completion list is open.
const COMPLETION_BINDINGS: [(Modifiers, Key, TextCommand); 3] = [
    (Modifiers::NONE, Key::ArrowDown, TextCommand::NextWord),
    (Modifiers::NONE, Key::ArrowUp, TextCommand::PreviousWord),
    (Modifiers::NONE, Key::Tab, TextCommand::TakeWord),
];

/// The key that inserts the selected word, in addition to Tab. It applies only if the user selected
/// a word or requested the list.
const ACCEPT_BINDING: (Modifiers, Key, TextCommand) = (Modifiers::NONE, Key::Enter, TextCommand::TakeWord);

/// The state of the completion list, which determines the meaning of some keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompletionState {
    /// There is no completion list.
    Nothing,
    /// The list opened automatically while the user typed.
    Offered,
    /// The user selected a word or requested the list.
    Chosen,
}

/// Finds the commands of pressed keys. Keys and text typed in one frame take effect in the order in
/// which the user typed them.
#[derive(Default)]
pub struct TextKeys {
    /// The input events that wait for the next frame: a command key and all input after it.
    later: Vec<Event>,
}

impl TextKeys {
    /// Puts the waiting events back into the input, before the events of this frame.
    pub fn restore_waiting_events(&mut self, ctx: &Context) {
        if !self.later.is_empty() {
            ctx.input_mut(|input| input.events.splice(0..0, self.later.drain(..)).for_each(drop));
        }
    }

    /// Consumes a key pressed since the last frame, and returns its command, if any.
    pub fn take_command(&mut self, ctx: &Context, choosing: CompletionState) -> Option<TextCommand> {
        let offered = COMPLETION_BINDINGS.into_iter().filter(|_| choosing != CompletionState::Nothing);
        let chosen = [ACCEPT_BINDING].into_iter().filter(|_| choosing == CompletionState::Chosen);
        let keys: Vec<_> = offered.chain(chosen).chain(BINDINGS).chain([CLOSE_BINDING]).collect();
        self.consume_key(ctx, &keys)
    }

    /// Consumes a key pressed in the search field, and returns its command, if any.
    pub fn take_find_command(&mut self, ctx: &Context) -> Option<TextCommand> {
        self.consume_key(ctx, &[CLOSE_BINDING])
    }

    /// Consumes a pressed key, and returns its command. Returns `None` if no key with a command is
    /// pressed.
    ///
    /// The command runs before the text field handles its input. If other input precedes the key in
    /// this frame, the key must wait. It then stays for the next frame, together with all input
    /// after it.
    fn consume_key(&mut self, ctx: &Context, keys: &[(Modifiers, Key, TextCommand)]) -> Option<TextCommand> {
        let meant = |event: &Event| match event {
            Event::Key { key, pressed: true, modifiers, .. } => {
                // A binding without modifiers does not apply with Shift, because Shift extends the
                // selection.
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

/// Returns whether the text field handles an event.
fn changes_text(event: &Event) -> bool {
    match event {
        Event::Key { pressed, .. } => *pressed,
        Event::Text(_) | Event::Paste(_) | Event::Cut | Event::Ime(_) | Event::PointerButton { .. } => true,
        _ => false,
    }
}
