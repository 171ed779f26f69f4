#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod analysis;
mod available_mods;
mod award_formula;
mod branch;
mod capitalize;
mod changes;
mod describe;
mod excursion;
mod file_store;
mod insight;
pub mod json;
mod open;
mod prompt;
mod readme;
mod reasoning;
mod record_file;
mod regret;
mod reload;
mod revision;
mod seals;
mod seen;
mod session;
mod snapshot;
mod step;
mod stop_flag;
mod tiles;
mod timeline;
mod trace;
mod view;

pub use analysis::{
    IllegalPlacement, PlaceValue, Projection, SpotOdds, illegal_placement_reason, odds, piece_value, project,
};
pub use available_mods::{ModOnDisk, ModSelection, SettingView};
pub use award_formula::{CountedThing, award_explanation, award_source, counted_things, formula_words, term_text};
pub use branch::Branch;
pub use capitalize::capitalize;
pub use changes::{ChangedTurn, RuleChanges};
pub use describe::{
    ZoneDescription, describe_feature, describe_location, describe_piece, describe_place_beside, describe_player,
    describe_rows, describe_zone, describe_zone_side, feature_label, mod_lines_about_answer, piece_label, zone_label,
};
pub use excursion::ExcursionError;
pub use file_store::{FileStore, StoredFile, WriteStatus};
pub use insight::{Insight, InsightAnswer};
pub use open::{
    OpenError, OpenedRecord, begin_game, begin_game_with_stop, open_record, open_record_with_stop, random_seed,
    unknown_bots,
};
pub use platform::fs::{write_new, write_whole};
pub use prompt::{OptionView, Prompt, PromptKind, Target};
pub use readme::{ReadmeSection, link_references, player_sections};
pub use reasoning::{BotReasoning, ReasonedOption};
pub use record_file::{RecordFile, SaveError};
pub use regret::{Regret, regret};
pub use reload::{ReloadOutcome, RulesChoice};
pub use revision::Revision;
pub use seen::{AwaitedActor, SeenGame};
pub use session::{DrawError, Session};
pub use snapshot::{Divergence, RunTimeProblem, SaveLocation, Snapshot};
pub use step::Step;
pub use stop_flag::StopFlag;
pub use tiles::{TagView, TilesView, ZoneView, is_part_of_pattern, kind_letters};
pub use trace::{TracedFunction, TracedStep};
pub use view::{
    CardCount, DeckView, FeatureView, GameView, PieceView, RowView, SupplyItem, SupplyKind, TagChange, TagPlace,
    TileCount,
};

/// Types and functions of other crates that belong to the interface of a table.
pub use board::{
    Border, Corner, Edge, Facing, FeatureRef, LayerIdx, PlacedTile, Placement, Spot, TileIdx, TileSet, ZoneRef,
};
pub use diagnostic::{Diagnostic, ExpectOrDefault, Severity, is_hidden, never};
pub use loader::{
    HOWTO, Library, Loaded, Problems, RECIPES, Source, TEMPLATES, TUTORIAL, Template, WatchError, Watcher,
    builtin_mods, is_mod_id, may_change_game, shown_path, title_of,
};
pub use players::{BotInfo, HUMAN, PLAYERS, list_of_bots, player_named};
pub use record::SealSecret;
pub use rules::{
    Actor, Answer, Award, AwardLine, CallEnd, DEFAULT_NAMES, Failure, Fault, Location, MAX_SEATS, ModIdx, ModInfo,
    ModUse, NotOffered, PieceKindIdx, PieceRef, PilePlace, STACK_BYTES, Seat, SeatSet, SettingValue, Setup, TermKind,
    TracedCall, catch_panic, player_label, player_word,
};
