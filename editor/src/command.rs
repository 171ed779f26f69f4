//! Everything the window can do, by name: one table for menus, shortcuts, the palette and the tests.

use egui::{Context, Key, KeyboardShortcut, Modifiers};

/// Where a command is listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Group {
    /// Games: new, open, save.
    Game,
    /// Answering the question that is asked.
    Play,
    /// Undo, scrubbing, branches.
    Time,
    /// The board and what is drawn on it.
    View,
    /// Popups and panels.
    Windows,
    /// Mods and their problems.
    Mods,
    /// Help.
    Help,
}

impl Group {
    /// Its name in menus.
    pub const fn name(self) -> &'static str {
        match self {
            Group::Game => "Game",
            Group::Play => "Play",
            Group::Time => "Time",
            Group::View => "View",
            Group::Windows => "Windows",
            Group::Mods => "Mods",
            Group::Help => "Help",
        }
    }
}

/// A row of the table of commands.
#[derive(Clone, Copy, Debug)]
pub struct CommandInfo {
    /// The command.
    pub command: Command,
    /// Where it is listed.
    pub group: Group,
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// The keys that give it; the first is shown.
    pub keys: &'static [KeyboardShortcut],
}

const fn key(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

const fn shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}

const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

const fn ctrl_shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key)
}

macro_rules! commands {
    ($($group:ident { $($name:ident $title:literal $about:literal [$($keys:expr),*]),* $(,)? })*) => {
        /// Something the window can do.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Command {
            $($(#[doc = $about] $name,)*)*
        }

        /// All commands, group by group.
        pub const COMMANDS: &[CommandInfo] = &[
            $($(CommandInfo {
                command: Command::$name,
                group: Group::$group,
                name: $title,
                about: $about,
                keys: &[$($keys),*],
            },)*)*
        ];
    };
}

commands! {
    Game {
        NewGame "New game…" "Choose mods, players, bots and settings, and begin." [ctrl(Key::N)],
        PlayAgain "Play again" "Begin another game with the same mods and players." [ctrl_shift(Key::N)],
        OpenRecord "Open record…" "Open a game, a save or a test case from a file." [ctrl(Key::O)],
        BackToGame "Back to my game" "Go on with the game that was left to look into a test, or into a game of the balance." [],
        SaveCopy "Save a copy…" "Write the game, up to the moment looked at, to a file of your choice." [ctrl(Key::S)],
        CopyRecord "Copy record" "Copy the game as text: mods, seed and answers. Paste it into a message or a test." [ctrl(Key::L)],
        CopyLink "Copy link" "Copy the game, up to the moment looked at, as a link that holds all of it: seed, answers, and the mods that not everybody has." [],
        CopyEmbedding "Copy embedding code" "Copy lines of HTML that show this board, turn by turn, on a page of yours." [],
        OpenLink "Open link…" "Show what a link holds, and open its game." [],
        Puzzles "Puzzles…" "Make a puzzle of this moment, which others solve from a link, or look for moments that are puzzles." [],
        FindPuzzles "Find puzzles" "Look for the moments of this game at which one answer is best by far." [],
        PictureOfMoment "Picture of this moment…" "Draw the board with the scores under it, as a PNG." [],
        PictureOfGame "Moving picture of the game…" "Draw the game up to the moment looked at as a GIF, a frame for each turn." [],
        GameSetup "This game" "Show mods, versions, settings and seed of this game." [ctrl(Key::I)],
        Settings "Settings…" "Theme, colours, speed and hints." [ctrl(Key::Comma)],
        Quit "Quit" "Close the window. The game is kept." [ctrl(Key::Q)],
    }
    Play {
        Rotate "Turn the tile" "Turn the tile clockwise, to the next way it fits." [key(Key::R)],
        RotateBack "Turn the tile back" "Turn the tile counter-clockwise." [shift(Key::R)],
        NextSpot "Next place" "Go to the next place where the tile fits." [key(Key::PageDown)],
        PreviousSpot "Previous place" "Go to the place before where the tile fits." [key(Key::PageUp)],
        Confirm "Confirm" "Lay the tile, or take the answer that is marked." [key(Key::Enter)],
        Pass "Pass" "Do nothing, where that may be answered; at the end of a line, go on." [key(Key::Space)],
        TakeBack "Take back" "Take the tile up again that was laid but not confirmed; close what is open." [key(Key::Escape), key(Key::Backspace)],
        Answer1 "First answer" "Give the first answer that is offered." [key(Key::Num1)],
        Answer2 "Second answer" "Give the second answer that is offered." [key(Key::Num2)],
        Answer3 "Third answer" "Give the third answer that is offered." [key(Key::Num3)],
        Answer4 "Fourth answer" "Give the fourth answer that is offered." [key(Key::Num4)],
        Answer5 "Fifth answer" "Give the fifth answer that is offered." [key(Key::Num5)],
        Answer6 "Sixth answer" "Give the sixth answer that is offered." [key(Key::Num6)],
        Answer7 "Seventh answer" "Give the seventh answer that is offered." [key(Key::Num7)],
        Answer8 "Eighth answer" "Give the eighth answer that is offered." [key(Key::Num8)],
        Answer9 "Ninth answer" "Give the ninth answer that is offered." [key(Key::Num9)],
    }
    Time {
        Undo "Undo" "Take the last answer of a person back, through the whole game." [ctrl(Key::Z)],
        Redo "Redo" "Give what was taken back again." [ctrl_shift(Key::Z), ctrl(Key::Y)],
        PreviousTurn "Previous turn" "Look at the turn before." [key(Key::ArrowLeft)],
        NextTurn "Next turn" "Look at the turn after." [key(Key::ArrowRight)],
        PreviousStep "Previous answer" "Look at the moment one answer before." [ctrl(Key::ArrowLeft)],
        NextStep "Next answer" "Look at the moment one answer later." [ctrl(Key::ArrowRight)],
        Back10 "Ten turns back" "Look ten turns back." [shift(Key::ArrowLeft)],
        Forward10 "Ten turns forward" "Look ten turns ahead." [shift(Key::ArrowRight)],
        GoToStart "To the start" "Look at the start of the game." [key(Key::Home)],
        GoToEnd "To the end" "Look at the end of the line, where the game goes on." [key(Key::End)],
        PlayPause "Play or pause" "Play the line from the moment looked at; or let bots wait." [key(Key::P)],
        LetGoOn "Let it go on from here" "In the past: let chance and bots answer from here on, in a line of its own." [ctrl(Key::Enter)],
    }
    View {
        ZoomIn "Zoom in" "Make tiles larger." [key(Key::Plus), key(Key::Equals), ctrl(Key::Plus), ctrl(Key::Equals)],
        ZoomOut "Zoom out" "Make tiles smaller." [key(Key::Minus), ctrl(Key::Minus)],
        Fit "Fit the board" "Show the whole board, with a tile's width around it." [key(Key::Num0)],
        Zoom100 "Zoom to 100 %" "Show tiles at 128 points." [ctrl(Key::Num0)],
        PanLeft "Move left" "Move the view to the left." [key(Key::A)],
        PanRight "Move right" "Move the view to the right." [key(Key::D)],
        PanUp "Move up" "Move the view up." [key(Key::W)],
        PanDown "Move down" "Move the view down." [key(Key::S)],
        BigTile "Big tile" "Show the last tile large, with its spots." [key(Key::E)],
        OverlayFields "Overlay: ground" "Show who holds which ground." [key(Key::F)],
        OverlayOwners "Overlay: owners" "Show who holds which feature." [key(Key::O)],
        OverlayOdds "Overlay: odds" "Show for each open place how many tiles left fit." [key(Key::H)],
        OverlayNames "Overlay: names" "Show the names of tiles and spots." [key(Key::N)],
        OverlayValues "Overlay: values" "Show what each piece would score now." [key(Key::M)],
        OverlayRecent "Overlay: recent" "Show where the last ten turns were played." [key(Key::L)],
        OverlayGrid "Overlay: grid" "Show the grid." [key(Key::G)],
        HintsLearn "Hints: Learn" "Show everything that helps: reasons, odds, best places." [],
        HintsNormal "Hints: Normal" "Show where a tile fits and what would be scored; the rest on demand." [],
        HintsPurist "Hints: Purist" "Show only what lies on the table." [],
        Fullscreen "Full screen" "Fill the screen with the window, or not." [key(Key::F11)],
    }
    Windows {
        Palette "All commands…" "Find a command by its name." [ctrl(Key::P), ctrl_shift(Key::P)],
        Remaining "Remaining tiles" "Show the tiles that are left." [key(Key::T)],
        ScoreTrack "Score track" "Show the score track and how scores went." [key(Key::K)],
        BottomDock "Panels below the board" "Show or hide the log, problems, changes, console and trace: hidden, the board is larger." [ctrl(Key::Backtick)],
        EventLog "Event log" "Show what has happened in the game." [],
        Console "Console" "Show what scripts print, and ask something in their words." [ctrl_shift(Key::Backtick)],
        Trace "Trace" "Show which functions of mods ran in this turn, what they did, and what they cost." [],
        Rules "Rules" "Show the texts of mods, to read and to change them." [ctrl(Key::E)],
        Changes "Changes" "Show what the last change of the rules has changed in this game." [],
        ModsPanel "Mods" "Show the mods on disk: what each brings, switched on and off in the running game." [ctrl(Key::B)],
        Tiles "Tiles" "Show the tiles of all mods, beside the board: draw one now, open one, make one." [key(Key::F4)],
        Tests "Tests" "Show the tests of the mods in play: which hold and which fail." [ctrl_shift(Key::T)],
        Balance "Balance" "Show who wins, how games go and where points come from, by games of bots." [],
        ResetLayout "Reset the layout" "Put all panels back where they were at first." [],
    }
    Mods {
        NewTile "New tile…" "Make a tile from a sketch of its edges, for a mod of your own." [],
        NewMod "New mod…" "Make a small expansion of your own from a template, and play on with it." [ctrl_shift(Key::M)],
        Install "Install a mod…" "Show what a mod in a zip archive holds, and put it among the mods." [],
        ChangeAnyway "Change anyway" "Let the bundled mod be changed whose file is open in Rules." [],
        RestoreMods "Restore mods…" "Show what was changed of the bundled mods, and bring it back." [],
        Freeze "Freeze this moment…" "Make a test of the moment looked at: what holds now has to hold whenever a mod is saved." [ctrl(Key::T)],
        RunTests "Run all tests" "Run every test of the mods in play, in the background." [ctrl_shift(Key::Enter)],
        RunBalance "Run balance" "Let bots play the mods of this game against each other, in the background." [key(Key::F5)],
        CompareFolder "Compare with a folder…" "Let bots play the mods of this game against those in a folder." [],
        StopBalance "Stop balance" "Play no more games of bots; what is known stays." [shift(Key::F5)],
        Reload "Read the mods again" "Read all files of mods again, as if they had been saved." [ctrl(Key::R)],
        NextProblem "Next problem" "Show the next problem of the mods." [key(Key::F8)],
        KeepChanges "Keep the changed rules" "After a change of the rules: go on by the new ones, and show its marks no more." [],
        RevertChanges "Go back to the rules before" "After a change of the rules: go on by the ones before, until a file changes once more." [],
        KeepOldRules "Keep the old rules" "Where changed rules do not fit the game: play on by the old ones." [],
        StopThere "Go on from where it fits" "Where changed rules do not fit: go back to the turn up to which they do." [],
        FromHere "Go on from this position" "Where changed rules do not fit: keep the board and go on under the new rules, in a new record." [],
    }
    Help {
        Help "Help" "Show everything that scripts and manifests can say, with examples, and what each mod says of itself." [key(Key::F1)],
        FirstSteps "First steps" "Show the steps that can be done first with the mod that was made last." [],
        Keys "Keys" "Show all keys." [key(Key::Questionmark), ctrl(Key::F1)],
        StartPage "Welcome" "Show what can be done first." [],
        About "About Bastide" "What this is, and which version." [],
    }
}

impl Command {
    /// The row of the table.
    pub fn info(self) -> &'static CommandInfo {
        COMMANDS.iter().find(|info| info.command == self).unwrap_or(&COMMANDS[0])
    }

    /// The answer numbered `n`, from 0, if a key gives it.
    pub fn answer_number(self) -> Option<usize> {
        let first = Command::Answer1 as usize;
        let n = self as usize;
        (first..=Command::Answer9 as usize).contains(&n).then(|| n - first)
    }

    /// Its first key as people read it, such as `Ctrl+Z`; empty where it has none.
    pub fn key_text(self, ctx: &Context) -> String {
        self.info().keys.first().map_or_else(String::new, |key| shortcut_text(ctx, key))
    }
}

/// A key as it is written on keyboards, such as `Ctrl+Z` or `?`.
pub fn shortcut_text(ctx: &Context, shortcut: &KeyboardShortcut) -> String {
    let text = ctx.format_shortcut(shortcut);
    let signs = [
        ("Questionmark", "?"),
        ("Backtick", "`"),
        ("Comma", ","),
        ("Period", "."),
        ("Slash", "/"),
        ("Plus", "+"),
        ("Minus", "-"),
    ];
    let sign = signs.iter().find_map(|(name, sign)| Some(format!("{}{sign}", text.strip_suffix(name)?)));
    sign.unwrap_or(text)
}

/// Returns whether a focused widget or an open popup takes this key itself: everything but Escape
/// and keys with Ctrl, and of these the ones that edit a text.
fn is_taken(ctx: &Context, shortcut: &KeyboardShortcut) -> bool {
    let is_plain = !shortcut.modifiers.command && shortcut.logical_key != Key::Escape;
    let edits = [Key::Z, Key::Y, Key::A, Key::ArrowLeft, Key::ArrowRight, Key::Enter];
    if ctx.egui_wants_keyboard_input() {
        return is_plain || edits.contains(&shortcut.logical_key);
    }
    is_plain && egui::Popup::is_any_open(ctx)
}

/// The commands whose keys were pressed since the last frame; the presses are used up.
pub fn pressed(ctx: &Context) -> Vec<Command> {
    let mut commands = Vec::new();
    // Keys with more modifiers first: Ctrl+Shift+Z is not Ctrl+Z.
    let n_modifiers = |k: &KeyboardShortcut| usize::from(k.modifiers.shift) + usize::from(k.modifiers.command);
    let mut keys: Vec<(&KeyboardShortcut, Command)> =
        COMMANDS.iter().flat_map(|info| info.keys.iter().map(|k| (k, info.command))).collect();
    keys.sort_by_key(|(k, _)| std::cmp::Reverse(n_modifiers(k)));
    for (key, command) in keys {
        if !is_taken(ctx, key) {
            // A key that was pressed twice gives its command twice.
            while ctx.input_mut(|i| i.consume_shortcut(key)) {
                commands.push(command);
            }
        }
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_share_a_key() {
        let keys: Vec<(KeyboardShortcut, Command)> =
            COMMANDS.iter().flat_map(|info| info.keys.iter().map(|k| (*k, info.command))).collect();
        for (i, (key, command)) in keys.iter().enumerate() {
            let other = keys[..i].iter().find(|(k, _)| k == key);
            assert!(other.is_none(), "{key:?} gives {command:?} and {other:?}");
        }
    }

    #[test]
    fn every_command_has_a_name_of_its_own_and_says_what_it_does() {
        for (i, info) in COMMANDS.iter().enumerate() {
            assert!(COMMANDS[..i].iter().all(|other| other.name != info.name), "{}", info.name);
            assert!(info.about.ends_with('.') && info.about.len() > 10, "{}", info.name);
            assert_eq!(info.command.info().name, info.name);
        }
    }
}
