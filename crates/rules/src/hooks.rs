//! The hooks: the points at which the engine calls functions of mods. Each hook defines how the
//! results of several mods combine.

/// The rights that functions have during a hook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HookClass {
    /// The function may only read the game and return a value.
    Pure,
    /// The function may only read the game and return options.
    Options,
    /// The function may ask questions and change the game.
    Effect,
}

/// A hook as the modding reference shows it.
#[derive(Clone, Copy, Debug)]
pub struct HookInfo {
    /// The name of the function that a mod defines.
    pub name: &'static str,
    /// The names of the function's parameters.
    pub params: &'static [&'static str],
    /// The rights of the function while the hook runs.
    pub class: HookClass,
    /// The type of the value that the function returns, such as `list of zones or ()`. Empty if the
    /// engine ignores this value.
    pub result: &'static str,
    /// The way in which the results of several mods combine, in a few words.
    pub combine: &'static str,
    /// The purpose of the hook, and when the engine calls it.
    pub about: &'static str,
}

impl HookInfo {
    /// Returns the value that the function must return, for messages: `a list of zones`.
    pub fn expected_result(&self) -> String {
        let all = match self.params.last() {
            Some(given) if self.name.starts_with("filter_") => format!(" (`{given}` for all of them)"),
            _ if self.class == HookClass::Options => " made by option(…)".to_owned(),
            _ => String::new(),
        };
        match self.result.trim_end_matches(" or ()") {
            "truth value" => "true or false".to_owned(),
            result => format!("a {result}{all}"),
        }
    }
}

macro_rules! hooks {
    ($($name:ident $variant:ident ($($param:ident),*) $class:ident $result:literal $combine:literal $about:literal;)*) => {
        /// A point at which the engine calls functions of mods.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum Hook {
            $(#[doc = $about] $variant,)*
        }

        impl Hook {
            /// All hooks, in the order of the reference.
            pub const ALL: &'static [Hook] = &[$(Hook::$variant,)*];

            /// Returns the description of the hook.
            pub const fn info(self) -> HookInfo {
                match self {
                    $(Hook::$variant => HookInfo {
                        name: stringify!($name),
                        params: &[$(stringify!($param),)*],
                        class: HookClass::$class,
                        result: $result,
                        combine: $combine,
                        about: $about,
                    },)*
                }
            }
        }
    };
}

hooks! {
    setup Setup () Effect "" "in mod order"
        "Once, before the first draw: puts out starting pieces, tokens and tiles.";
    arrange_deck ArrangeDeck (deck) Effect "" "in mod order"
        "Once for each deck, after `setup`: puts groups of items on top or underneath.";
    tile_sources TileSources (player) Options "list of options or ()" "lists are joined"
        "At the start of a part: returns sources of a tile other than the deck, as options. If the player chooses one of them, its `do_` function runs and calls `play_tile`.";
    filter_places FilterPlaces (drawn, places) Pure "list of places" "a place must pass every mod"
        "Once for each drawn tile: gets the places where its edges fit and returns the legal ones. Each has `spot` and `facing`.";
    tile_fits_nowhere TileFitsNowhere (drawn) Effect "" "in mod order"
        "When the drawn tile fits nowhere, before it leaves the game: gets its tile type. The tile stays if it fits afterwards: `play_tile` can give it an overlay, and changes of the board can make room for it.";
    tile_placed TilePlaced (tile) Effect "" "in mod order"
        "After a tile was placed, before a piece is deployed; also for a tile that a script laid.";
    action_options ActionOptions (player) Options "list of options or ()" "lists are joined"
        "When a piece may be deployed: returns other actions, as options, that the player may choose instead. If the player chooses one of them, its `do_` function runs.";
    piece_targets PieceTargets (player, kind) Pure "list of zones or ()" "lists are joined"
        "When a piece may be deployed: returns more zones for pieces of a kind, besides those that the manifest allows on the new tile.";
    filter_deploys FilterDeploys (player, options) Pure "list of deployments" "an option must pass every mod"
        "Once for each deployment: gets the options and returns the legal ones. Each has `kind` and `zone`. Options that the hook's filters exclude are not passed in and stay legal.";
    piece_zones PieceZones (kind, zone) Pure "list of zones or ()" "lists are joined"
        "Before a piece is put on a zone: returns further zones that the piece also occupies.";
    piece_placed PiecePlaced (piece) Effect "" "in mod order"
        "After a piece was put on a zone, a spot, a corner of spots, a border between spots or a space of the score track.";
    piece_left PieceLeft (left) Effect "" "in mod order"
        "After a piece left its place. `left.how` is `moved`, `taken` (by a player who keeps the piece) or `returned` (to its supply). `left.from` is the former zone, spot, corner, border or space, or the player who kept the piece. `left.zones` contains the former zones. The function can also read `left.reason`, `left.kind`, `left.owner` and, unless the piece was returned, `left.piece`.";
    piece_returned PieceReturned (returned) Effect "" "in mod order"
        "After a piece was returned to its supply, and after `piece_left`. The function can read `returned.kind`, `returned.owner` and `returned.zones` (the former zones that still exist). `returned.reason` is `scored`, `tile` if the tile was removed or swapped, or the reason that a mod gave.";
    anytime_options AnytimeOptions (player) Options "list of options or ()" "lists are joined"
        "With every decision of the core (source, place, deploy): returns actions, as options, that the turn's player may take at any time. If the player chooses one of them, its `do_` function runs; then the core asks the same decision again.";
    feature_joined FeatureJoined (feature, parts) Effect "" "in mod order"
        "After features merged because of a tile, a link or a change of a laid tile: `parts` contains one zone of each former feature. If a tile merged the features, `tile_placed` comes first.";
    feature_split FeatureSplit (parts, feature) Effect "" "in mod order"
        "After a feature was split: `parts` contains the new features, and the second argument is the first of them.";
    is_complete IsComplete (feature) Pure "truth value" "every mod must agree"
        "When the core finds a feature complete: returns false to keep the feature open. The hook is called again in every scoring phase, until the feature has been scored.";
    strength Strength (piece, feature) Pure "number or ()" "numbers are added"
        "When a majority is decided: returns a number, possibly negative, to add to the strength that the manifest gives the piece.";
    break_tie BreakTie (feature, players) Pure "list of players or ()" "the list of the last mod in mod order counts; the log gets a note if this mod contradicts another mod on which it does not build"
        "When one or more players have the majority: returns the players who score, or returns nothing to leave the choice to other mods. A returned player need not be among `players`.";
    score_value ScoreValue (feature, score) Pure "" "in stages: replace or zero, then plus and minus, then double, then halve; `zero` wins over any `replace`, and of several replacements the last in mod order counts; the log notes a conflict between mods that do not build on each other"
        "Once for each scored feature and each player who receives points: adds terms with `score.plus`, `score.replace` and so on. The function can read `score.player`, `score.is_final` and `score.is_complete`.";
    score_total ScoreTotal (feature, score) Pure "" "in mod order: each mod sees the result of the mods before it"
        "Once for each scored feature and each player who receives points, after the `score_value` functions of all mods: `score.so_far` is the result so far, and terms added here change it.";
    before_scoring BeforeScoring (features) Effect "" "in mod order"
        "When features were completed in this part, before any of them is scored.";
    feature_completed FeatureCompleted (feature) Effect "" "in mod order"
        "For each feature completed in this part, scored or not, after points were booked and pieces returned: `feature.pieces` lacks the returned pieces, which `before_scoring` still sees.";
    scored Scored (scoring) Effect "" "in mod order"
        "Once after each batch of points was booked. The function can read `scoring.moves`, `scoring.features`, `scoring.is_final` and `scoring.is_loot`. Points given here call it again: give them with `loot`, and return if `scoring.is_loot`.";
    part_ended PartEnded () Effect "" "in mod order"
        "At the end of each part of a turn.";
    turn_ended TurnEnded () Effect "" "in mod order"
        "At the end of a turn, after its last part.";
    before_final_scoring BeforeFinalScoring () Effect "" "in mod order"
        "Once when the game has ended, before the final count: makes last changes to the game, and may ask players. Moved pieces and changed tiles count. No part can be added any more.";
    final_scoring FinalScoring () Effect "" "in mod order"
        "Once at the end of the game, after the features on the board were scored.";
    game_winners GameWinners (players) Pure "list of players or ()" "in mod order: each mod gets the winners named so far; the log gets a note if a mod names other winners and does not build on the mod that named them"
        "At the end of the game: gets the players with the most points. Returns the winners, for example to break a tie or to decide by something other than points, or an empty list if nobody wins, as when all players lose together. Returns nothing to leave the choice to other mods.";
    can_end_game CanEndGame () Pure "truth value" "every mod must agree"
        "When the game is about to end after a turn: returns false to continue the game.";
    migrate Migrate (memory, from) Pure "value" "each mod migrates its own memory"
        "When a saved position of another version of the mod is opened: returns the memory in the form that this version uses.";
    hint Hint (option) Pure "number or ()" "numbers are added"
        "For the bot `greedy`: returns the points that the option promises. The section *What functions receive* says what `option` is. Optional.";
    describe Describe (thing) Pure "text or list of texts or ()" "lines are joined"
        "Returns a line for the tooltip of a feature, a piece, a tile or an option; `type_of(thing)` is `Feature`, `Piece`, `Tile` or `Option`. Optional.";
}

impl Hook {
    /// Returns the hook whose function is called `name`, if there is one.
    pub fn named(name: &str) -> Option<Hook> {
        Hook::ALL.iter().copied().find(|h| h.info().name == name)
    }
}
