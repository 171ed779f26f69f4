#![doc = include_str!("../README.md")]

mod endgame;
mod facts;
mod greedy;
mod judge;
mod learned;
mod persona;
mod player;
mod projection;
mod random;
mod restriction;
mod search;
mod search_tree;
mod table;
mod twins;

pub use facts::{FactReader, Facts, N_PLAYER_FACTS, N_STAKE_FACTS};
pub use greedy::{Greedy, rank_options};
pub use judge::{POINT_WORTH, projected_worths};
pub use learned::{Activations, LearnedValue, LearnedValueError, Network, OUTPUT_POINTS, TrainedValueError};
pub use player::{AnswerHistory, OptionAssessment, Player, View};
pub use projection::{answer_booking_questions, run_final_count};
pub use random::{Random, Rng, draw_option};
pub use restriction::Restriction;
pub use search::{Search, SearchLimits};
pub use search_tree::leads;
pub use table::{BotInfo, HUMAN, PERSONAS, PLAYERS, list_of_bots, player_named};
