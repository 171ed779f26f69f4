//! The hooks: the places where mods' functions are called, with how their answers combine.

/// What a hook may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HookClass {
    /// Looks and returns; may neither ask nor change anything.
    Pure,
    /// Returns options; may neither ask nor change anything.
    Options,
    /// May ask and change.
    Effect,
}

/// A hook as the modding reference shows it.
#[derive(Clone, Copy, Debug)]
pub struct HookInfo {
    /// The name of the function that a mod defines.
    pub name: &'static str,
    /// Names of its parameters.
    pub params: &'static [&'static str],
    /// What it may do.
    pub class: HookClass,
    /// How the answers of several mods combine, in a few words.
    pub combine: &'static str,
    /// When it is called and what it is for.
    pub about: &'static str,
}

macro_rules! hooks {
    ($($name:ident $variant:ident ($($param:ident),*) $class:ident $combine:literal $about:literal;)*) => {
        /// A place where the engine calls mods' functions.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum Hook {
            $(#[doc = $about] $variant,)*
        }

        impl Hook {
            /// All hooks, in the order of the reference.
            pub const ALL: &'static [Hook] = &[$(Hook::$variant,)*];

            /// Returns name, parameters, class, combination and description.
            pub const fn info(self) -> HookInfo {
                match self {
                    $(Hook::$variant => HookInfo {
                        name: stringify!($name),
                        params: &[$(stringify!($param),)*],
                        class: HookClass::$class,
                        combine: $combine,
                        about: $about,
                    },)*
                }
            }
        }
    };
}

hooks! {
    setup Setup () Effect "in mod order"
        "Once, before anything is drawn: starting pieces, tokens and tiles.";
    arrange_deck ArrangeDeck (deck) Effect "in mod order"
        "Once for each deck, after setup: puts groups on top or underneath.";
    tile_sources TileSources (player) Options "lists are joined"
        "At the start of a part: other places a tile may come from than the deck. Choosing one runs its `do_` function, which calls `play_tile`.";
    filter_places FilterPlaces (tile, places) Pure "a place must pass every mod"
        "Once for each drawn tile: the places where it may lie, out of those where its edges fit. Each has `spot` and `facing`.";
    tile_placed TilePlaced (tile) Effect "in mod order"
        "After a tile was placed, before anything is deployed; also for a tile that a script has laid.";
    action_options ActionOptions (player) Options "lists are joined"
        "When a piece may be deployed: further things to do instead. Choosing one runs its `do_` function.";
    piece_targets PieceTargets (player, kind) Pure "lists are joined"
        "When a piece may be deployed: further zones for pieces of the kind, besides those that its manifest allows on the new tile.";
    filter_deploys FilterDeploys (player, options) Pure "an option must pass every mod"
        "Once for each deployment: what may be deployed where. Each option has `kind` and `zone`; those that a filter leaves out are kept.";
    piece_zones PieceZones (kind, zone) Pure "lists are joined"
        "Before a piece is put on a zone: the further zones on which it stands as well.";
    piece_placed PiecePlaced (piece) Effect "in mod order"
        "After a piece was put on a zone, a spot, a corner of spots or a space of the score track.";
    piece_left PieceLeft (left) Effect "in mod order"
        "After a piece left its place: `left.how` is `moved`, `taken` (to a player who keeps it) or `returned` (home), `left.from` the zone, spot, corner or space, or the player who kept it, `left.zones` where it stood, `left.reason`, `left.kind`, `left.owner`, and `left.piece` unless it went home.";
    piece_returned PieceReturned (returned) Effect "in mod order"
        "After a piece went home: `returned.kind`, `returned.owner`, `returned.zones` where it stood, as far as they are there still, `returned.reason` (`scored`, `tile` where what it stood on was taken up or swapped, or what the mod said); all that `piece_left` is told before it.";
    anytime_options AnytimeOptions (player) Options "lists are joined"
        "With every question of the core (source, place, deploy) to the turn's player: things that may be done at any time. Choosing one runs its `do_` function and then asks the same question afresh.";
    feature_joined FeatureJoined (feature, parts) Effect "in mod order"
        "After features became one, by a tile, a link or a change of what is laid: `parts` holds one zone of each as it was. Where a tile has joined them, `tile_placed` comes first.";
    feature_split FeatureSplit (parts, feature) Effect "in mod order"
        "After a feature came apart: `parts` are the features it is now, the second argument is the first of them.";
    is_complete IsComplete (feature) Pure "every mod must agree"
        "When the core finds a feature complete: false keeps it from being complete. It is asked again whenever completed features are scored, until it has been.";
    strength Strength (piece, feature) Pure "numbers are added"
        "When a majority is decided: what the piece weighs more (or less) than its manifest says.";
    break_tie BreakTie (feature, players) Pure "the list of the mod that comes last; a note in the log where it does not build on one that differs"
        "When several players have the majority (or one has): those of them who score; nothing for no opinion.";
    score_value ScoreValue (feature, score) Pure "stages: replace or zero (zero wins, else the replacement of the mod that comes last; a note in the log where it does not build on one that differs), then plus and minus, then double, then halve"
        "Once for each feature that is scored and each player who receives points: adds terms with `score.plus`, `score.replace` and so on. `score.player`, `score.is_final`, `score.is_complete`.";
    score_total ScoreTotal (feature, score) Pure "in mod order: each sees what the ones before it made of the award"
        "Once more for each of these awards, after the `score_value` of all mods: `score.so_far` is what it came to, and the terms that are added here change that.";
    before_scoring BeforeScoring (features) Effect "in mod order"
        "When features were completed in this part, before any of them is scored.";
    feature_completed FeatureCompleted (feature) Effect "in mod order"
        "For each feature completed in this part, scored or not, after points were booked and pieces went home.";
    scored Scored (scoring) Effect "in mod order"
        "Once after each batch of points was booked: `scoring.moves`, `scoring.features`, `scoring.is_final`, `scoring.is_loot`.";
    part_ended PartEnded () Effect "in mod order"
        "At the end of each part of a turn.";
    turn_ended TurnEnded () Effect "in mod order"
        "At the end of a turn, after its last part.";
    final_scoring FinalScoring () Effect "in mod order"
        "Once at the end of the game, after the features on the board were scored.";
    can_end_game CanEndGame () Pure "every mod must agree"
        "When the game is about to end after a turn: false plays on.";
    migrate Migrate (memory, from) Pure "each mod for itself"
        "When a saved position of another version of the mod is opened: returns the memory as this version wants it.";
    hint Hint (option) Pure "numbers are added"
        "How promising an option is, for bots that search. Never needed.";
    describe Describe (thing) Pure "lines are joined"
        "A line for the tooltip of a feature, a piece, a tile or an option; `type_of(thing)` is `Feature`, `Piece`, `Tile` or `Option`. Never needed.";
}

impl Hook {
    /// The hook whose function is called `name`.
    pub fn named(name: &str) -> Option<Hook> {
        Hook::ALL.iter().copied().find(|h| h.info().name == name)
    }
}
