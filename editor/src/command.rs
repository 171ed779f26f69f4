//! All commands of the window. Menus, shortcuts, the palette and the tests use the same table.

use egui::{Context, Key, KeyboardShortcut, Modifiers};

/// A row of the table of commands.
#[derive(Clone, Copy, Debug)]
pub struct CommandInfo {
    /// The command that the row describes.
    pub command: Command,
    /// The menu that lists the command.
    pub group: CommandMenu,
    /// The name of the command.
    pub name: &'static str,
    /// The description, one or two sentences with full stops.
    pub about: &'static str,
    /// The keys that run the command; menus show the first one.
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
    ($($group:ident $contents:literal { $($name:ident $title:literal $about:literal [$($keys:expr),*]),* $(,)? })*) => {
        /// A menu with commands.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum CommandMenu {
            $(#[doc = $contents] $group,)*
        }

        impl CommandMenu {
            /// All menus, in the order of the menu bar.
            pub const ALL: &'static [CommandMenu] = &[$(CommandMenu::$group),*];

            /// Returns the name of the menu.
            pub const fn name(self) -> &'static str {
                match self {
                    $(CommandMenu::$group => stringify!($group),)*
                }
            }
        }

        /// A command of the window.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Command {
            $($(#[doc = $about] $name,)*)*
        }

        /// All commands, menu by menu.
        pub const COMMANDS: &[CommandInfo] = &[
            $($(CommandInfo {
                command: Command::$name,
                group: CommandMenu::$group,
                name: $title,
                about: $about,
                keys: &[$($keys),*],
            },)*)*
        ];
    };
}

commands! {
    Game "Games: new, open, save." {
        NewGame "New game…" "Choose mods, players, bots and settings for a new game." [ctrl(Key::N)],
        PlayAgain "Play again" "Start another game with the same mods and players." [ctrl_shift(Key::N)],
        OpenRecord "Open record…" "Open a saved game or a test case from a file." [ctrl(Key::O)],
        BackToGame "Return to my game" "Continue the game that you left to see another game." [],
        SaveCopy "Save a copy…" "Save the game, up to the current position, to a file." [ctrl(Key::S)],
        CopyRecord "Copy record" "Copy the game, up to the current position, as text: mods, seed and moves." [ctrl(Key::L)],
        CopyLink "Copy link" "Copy the game up to the current position as a link, with mods that are not in Bastide." [],
        CopyMove "Copy my move" "Copy a link for the next player, who continues the game on another computer." [],
        CopyEmbedding "Copy embed code" "Copy HTML that shows this game on your own web page." [],
        OpenLink "Open link…" "Show the contents of a link, then open its game." [],
        Invite "Invite…" "Play with others: host this game, and let guests in your network join by a link." [],
        Join "Join…" "Play with others: take a seat at a table that another computer hosts." [],
        WriteNote "Write a note…" "Add a note to this playtest. N opens it, too." [],
        Puzzles "Puzzles…" "Make a puzzle from this position, or search the game for puzzles." [],
        FindPuzzles "Find puzzles" "Search this game for positions with one clearly best move." [],
        PictureOfMoment "Picture of this position…" "Save the board with its scores as a PNG picture." [],
        PictureOfGame "Animated GIF of the game…" "Save the game, up to the current position, as a GIF with one frame per turn." [],
        GameSetup "Game details" "Show the mods, versions, settings and seed of this game." [ctrl(Key::I)],
        Settings "Settings…" "Change the text size, colours, speed and hints." [ctrl(Key::Comma)],
        Quit "Quit" "Close the window. The game is saved." [ctrl(Key::Q)],
    }
    Move "Moves of the player." {
        Rotate "Turn the tile" "Turn the tile clockwise to the next rotation that fits." [key(Key::R)],
        RotateBack "Turn the tile back" "Turn the tile counter-clockwise." [shift(Key::R)],
        NextSpot "Next place" "Select the next place where the tile fits." [key(Key::PageDown)],
        PreviousSpot "Previous place" "Select the previous place where the tile fits." [key(Key::PageUp)],
        Confirm "Confirm" "Lay the tile, or play the highlighted choice." [key(Key::Enter)],
        Pass "Pass" "Pass, if that is allowed; otherwise start or pause the bots or the replay." [key(Key::Space)],
        TakeBack "Take back" "Close the open windows; if none is open, pick up the unconfirmed tile." [key(Key::Escape), key(Key::Backspace)],
        Answer1 "First choice" "Play the first choice in the list." [key(Key::Num1)],
        Answer2 "Second choice" "Play the second choice in the list." [key(Key::Num2)],
        Answer3 "Third choice" "Play the third choice in the list." [key(Key::Num3)],
        Answer4 "Fourth choice" "Play the fourth choice in the list." [key(Key::Num4)],
        Answer5 "Fifth choice" "Play the fifth choice in the list." [key(Key::Num5)],
        Answer6 "Sixth choice" "Play the sixth choice in the list." [key(Key::Num6)],
        Answer7 "Seventh choice" "Play the seventh choice in the list." [key(Key::Num7)],
        Answer8 "Eighth choice" "Play the eighth choice in the list." [key(Key::Num8)],
        Answer9 "Ninth choice" "Play the ninth choice in the list." [key(Key::Num9)],
    }
    Time "Undo, past positions, branches." {
        Undo "Undo" "Undo the last move of a human player." [ctrl(Key::Z)],
        Redo "Redo" "Play the undone move again." [ctrl_shift(Key::Z), ctrl(Key::Y)],
        PreviousTurn "Previous turn" "Show the previous turn." [key(Key::ArrowLeft)],
        NextTurn "Next turn" "Show the next turn." [key(Key::ArrowRight)],
        PreviousStep "Previous move" "Go back by one move." [ctrl(Key::ArrowLeft)],
        NextStep "Next move" "Go forward by one move." [ctrl(Key::ArrowRight)],
        Back10 "Ten turns back" "Go back by ten turns." [shift(Key::ArrowLeft)],
        Forward10 "Ten turns forward" "Go forward by ten turns." [shift(Key::ArrowRight)],
        GoToStart "To the start" "Show the start of the game." [key(Key::Home)],
        GoToEnd "To the end" "Return to the end of this branch, where the game continues." [key(Key::End)],
        PlayPause "Play or pause" "Start or pause the replay or the bots." [key(Key::P)],
        LetGoOn "Play on from here with bots" "At a past position: let chance and bots play on, in a new branch." [ctrl(Key::Enter)],
    }
    View "The board and its overlays." {
        ZoomIn "Zoom in" "Make tiles larger." [key(Key::Plus), key(Key::Equals), ctrl(Key::Plus), ctrl(Key::Equals)],
        ZoomOut "Zoom out" "Make tiles smaller." [key(Key::Minus), ctrl(Key::Minus)],
        Fit "Fit the board" "Show the whole board." [key(Key::Num0)],
        Zoom100 "Zoom to 100%" "Show tiles at their normal size." [ctrl(Key::Num0)],
        PanLeft "Move left" "Move the view to the left." [key(Key::A)],
        PanRight "Move right" "Move the view to the right." [key(Key::D)],
        PanUp "Move up" "Move the view up." [key(Key::W)],
        PanDown "Move down" "Move the view down." [key(Key::S)],
        BigTile "Big tile" "Show the drawn tile, or else the last placed tile, large and with its features." [key(Key::E)],
        OverlayFields "Overlay: ground" "Show the owner of each ground." [key(Key::F)],
        OverlayOwners "Overlay: owners" "Show the owner of each feature." [key(Key::O)],
        OverlayOdds "Overlay: odds" "Show the number of remaining tiles that fit each open place." [key(Key::H)],
        OverlayNames "Overlay: names" "Show the names of tiles and places." [key(Key::N)],
        OverlayValues "Overlay: values" "Show the points that each piece would score now." [key(Key::M)],
        OverlayRecent "Overlay: recent" "Show where the last ten turns were played." [key(Key::L)],
        OverlayGrid "Overlay: grid" "Show lines between the spots; the brighter lines cross at 0,0." [key(Key::G)],
        HintsLearn "Hints: Learn" "Show all help: reasons, odds and best places." [],
        HintsNormal "Hints: Normal" "Show where the tile fits and its points there; other hints on request." [],
        HintsPurist "Hints: Purist" "Show the game without any help." [],
        Coach "Coach" "Compare each of your turns with the best move." [],
        SwitchWorkspace "Play or make" "Switch between the board and the panels for rules, tiles, tests and balance." [key(Key::F2)],
        Fullscreen "Full screen" "Switch full screen on or off." [key(Key::F11)],
    }
    Windows "Windows and panels to open." {
        Palette "All commands…" "Find a command by name." [ctrl(Key::P), ctrl_shift(Key::P)],
        Remaining "Remaining tiles" "Show the remaining tiles." [key(Key::T)],
        ScoreTrack "Score track" "Show the score track and the scores turn by turn." [key(Key::K)],
        BottomDock "Log and panels" "Show or hide the log and the time bar; in Make also problems, changes, console and trace." [ctrl(Key::Backtick)],
        EventLog "Event log" "Show everything that happened in the game." [],
        Console "Console" "Show what scripts print, and evaluate expressions." [ctrl_shift(Key::Backtick)],
        Trace "Trace" "Show the mod functions that ran in this turn, with their effects and times." [],
        Rules "Rules" "Read and edit the files of mods." [ctrl(Key::E)],
        Changes "Changes" "Show how the last rule change affects this game." [],
        ModsPanel "Mods" "Show the installed mods and switch them on or off in this game." [ctrl(Key::B)],
        Tiles "Tiles" "Show the tiles of all mods: draw, edit or make one." [key(Key::F4)],
        Tests "Tests" "Show which tests of the mods in play pass or fail." [ctrl_shift(Key::T)],
        Balance "Balance" "Show win rates, game lengths and sources of points from games between bots." [],
        ResetLayout "Reset the layout" "Move all panels back to their default places." [],
    }
    Mods "Mods and their problems." {
        NewTile "New tile…" "Sketch the edges of a new tile for your own mod." [],
        Looks "Looks…" "Choose colours and icons for the land, pieces and tags of your own mod." [],
        NewMod "New mod…" "Make a small expansion from a template and add it to this game." [ctrl_shift(Key::M)],
        Install "Install a mod…" "Show the contents of a zip archive and install its mod." [],
        Print "Print…" "Save the tiles, cards and pieces of this game as a PDF, to print and cut." [],
        AllowChanges "Allow changes" "Let me change the bundled mod that is open in Rules, until the window closes." [],
        MakeBook "Make rulebook…" "Save the rules of the mods in this game, with examples, as a page or PDF." [],
        RestoreMods "Restore mods…" "Undo changes to bundled mods, and bring back removed mods and files." [],
        Freeze "Freeze this position…" "Make a test from the current position. It runs whenever a mod is saved." [ctrl(Key::T)],
        RunTests "Run all tests" "Run every test of the mods in play, in the background." [ctrl_shift(Key::Enter)],
        ReplayRecords "Replay records…" "Replay all games of a folder under the current rules, and show what changed." [],
        RunBalance "Run balance" "Let bots play games with the mods of this game, in the background." [key(Key::F5)],
        CompareFolder "Compare with a folder…" "Let bots compare the mods of this game with those in a folder." [],
        StopBalance "Stop balance" "Stop simulating and keep the results so far." [shift(Key::F5)],
        Reload "Reload mods" "Read all files of mods from disk again." [ctrl(Key::R)],
        NextProblem "Next problem" "Show the problems of mods. In Rules, F8 goes to the next one." [key(Key::F8)],
        KeepChanges "Accept the new rules" "After a rule change: play on under the new rules and clear the list of changes." [],
        KeepOldRules "Keep the old rules in this game" "After a rule change: play on under the old rules until a file changes again." [],
        StopThere "Rewind to where the new rules fit" "If the new rules do not fit this game: go back to the last move that fits." [],
        FromHere "Keep the board, apply the new rules" "If the new rules do not fit this game: play on from this board in a new record." [],
    }
    Help "Help and information." {
        Help "Help" "Show the tutorial, the reference for scripts and manifests, and the rules of each mod." [key(Key::F1)],
        Learn "Learn to play" "Play a guided first game: a tutorial of ten minutes about how to play and score." [],
        RulesOfGame "Rules of this game" "Show how to play this game: its rules, tiles and expansions." [],
        Tutorial "Modding tutorial" "Learn to make your own expansion, step by step." [],
        FirstSteps "First steps" "Show the first steps to your own expansion." [],
        Keys "Keys" "Show all keys." [key(Key::Questionmark), ctrl(Key::F1)],
        StartPage "Welcome" "Show the welcome strip with the first things to do." [],
        About "About Bastide" "Show the version and licence." [],
    }
}

impl Command {
    /// Returns the row of this command in the table.
    pub fn info(self) -> &'static CommandInfo {
        COMMANDS.iter().find(|info| info.command == self).unwrap_or(&COMMANDS[0])
    }

    /// Returns the number of the choice that the command plays, counted from 0; `None` for other
    /// commands.
    pub fn answer_number(self) -> Option<usize> {
        let first = Command::Answer1 as usize;
        let n = self as usize;
        (first..=Command::Answer9 as usize).contains(&n).then(|| n - first)
    }

    /// Returns the first key of the command as text, such as `Ctrl+Z`; empty if the command has no
    /// key.
    pub fn key_text(self, ctx: &Context) -> String {
        self.info().keys.first().map_or_else(String::new, |key| shortcut_text(ctx, key))
    }
}

/// Returns a key as text, such as `Ctrl+Z` or `?`.
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

/// Returns whether another part of the window takes this key, so that the key runs no command: a
/// focused widget, an open popup or, if `has_asking_window` is true, a window. These parts take all
/// keys except Escape, function keys and keys with Ctrl. Focused widgets and windows also take the
/// keys with Ctrl that edit text.
fn is_taken(ctx: &Context, shortcut: &KeyboardShortcut, has_asking_window: bool) -> bool {
    let number = shortcut.logical_key.name().strip_prefix('F');
    let is_function_key = number.is_some_and(|number| number.parse::<u8>().is_ok());
    let is_plain = !shortcut.modifiers.command && shortcut.logical_key != Key::Escape && !is_function_key;
    let edits = [Key::Z, Key::Y, Key::A, Key::ArrowLeft, Key::ArrowRight, Key::Enter];
    if has_asking_window || ctx.egui_wants_keyboard_input() {
        return is_plain || edits.contains(&shortcut.logical_key);
    }
    is_plain && egui::Popup::is_any_open(ctx)
}

/// Returns the commands whose keys were pressed since the last frame, and consumes the presses.
/// `has_asking_window` is true if a window is open that takes the keys of the board behind it.
pub fn pressed(ctx: &Context, has_asking_window: bool) -> Vec<Command> {
    let mut commands = Vec::new();
    // Keys with more modifiers come first, so that Ctrl+Shift+Z does not count as Ctrl+Z.
    let n_modifiers = |k: &KeyboardShortcut| usize::from(k.modifiers.shift) + usize::from(k.modifiers.command);
    let mut keys: Vec<(&KeyboardShortcut, Command)> =
        COMMANDS.iter().flat_map(|info| info.keys.iter().map(|k| (k, info.command))).collect();
    keys.sort_by_key(|(k, _)| std::cmp::Reverse(n_modifiers(k)));
    for (key, command) in keys {
        if !is_taken(ctx, key, has_asking_window) {
            // A key that was pressed twice runs its command twice.
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
