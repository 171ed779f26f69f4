//! The items of the agenda, which are steps, and the consequences of steps.

use std::sync::Arc;

use board::FeatureRef;

use crate::awards::Award;
use crate::event::RuleEvent;
use crate::indices::{DeckIdx, FnIdx, ModIdx};
use crate::value::{Seat, Value};

/// A consequence of a step. The engine runs all consequences after the step, in the order in which
/// the step caused them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Consequence {
    Event(RuleEvent),
    /// Points that a mod proposes. If `feature` is given, the engine ignores `points` and computes
    /// the points that the feature would pay the player in the final count.
    Award {
        player: Seat,
        points: i64,
        reason: Arc<str>,
        owner: ModIdx,
        function: Option<FnIdx>,
        is_loot: bool,
        feature: Option<FeatureRef>,
    },
    /// A part of the turn that runs before anything else continues.
    Part {
        reason: Arc<str>,
        deck: DeckIdx,
    },
}

/// A step that the engine has yet to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum EngineStep {
    /// Calls the handlers of an event. `next` is the index of the handler to call next.
    Event {
        event: RuleEvent,
        next: u16,
    },
    /// Runs the function of a chosen option.
    Call {
        function: FnIdx,
        arg: Value,
    },
    /// Begins a part of the turn within the running part.
    BeginPart {
        reason: Arc<str>,
        deck: DeckIdx,
    },
    /// Runs phase number `at` of the part of the turn.
    Phase {
        at: u16,
        stage: PhaseStage,
    },
    EndPart,
    ClosePart,
    BeginTurn,
    EndTurn,
    CloseTurn,
    /// Computes, books and reports points.
    Batch(Box<ScoringBatch>),
    /// Runs a stage of the final count.
    Final(FinalStage),
}

/// The progress within a phase of the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PhaseStage {
    /// The phase begins.
    Begun,
    /// `draw`: the player had no choice of source for the tile.
    NoChoiceOfSource,
    /// `draw`: the tile comes from the deck, because the player chose the deck, or because an
    /// earlier tile of this part of the turn was discarded or given back.
    FromDeck,
    /// `draw` and `place`: mods were called about a tile that fits nowhere.
    FitsNowhere,
    /// `score`: mods were called about the features that are about to be scored.
    BeforeScoring,
    /// `score`: the features are scored.
    Scored,
}

/// The next stage of the final count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FinalStage {
    /// Scores the features.
    Features,
    /// Calls the functions `final_scoring`.
    Functions,
    /// Names the winners and ends the game.
    Winners,
}

/// Points that a mod proposes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Proposal {
    pub player: Seat,
    pub points: i64,
    pub reason: Arc<str>,
    pub owner: ModIdx,
    pub function: Option<FnIdx>,
    pub feature: Option<FeatureRef>,
}

/// Points that the engine computes, books and reports together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ScoringBatch {
    pub stage: ScoringStage,
    pub is_final: bool,
    pub is_loot: bool,
    pub features: Vec<FeatureRef>,
    pub proposals: Vec<Proposal>,
    pub awards: Vec<Award>,
    /// The number of awards, counted from the first, for which the score marker is already chosen.
    pub asked: usize,
    /// The features whose points the player has chosen to book first, in this order.
    pub order: Vec<FeatureRef>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ScoringStage {
    Compute,
    Markers,
    Order,
    Book,
}

impl ScoringBatch {
    pub(crate) fn of_features(features: Vec<FeatureRef>, is_final: bool) -> ScoringBatch {
        ScoringBatch {
            stage: ScoringStage::Compute,
            is_final,
            is_loot: false,
            features,
            proposals: Vec::new(),
            awards: Vec::new(),
            asked: 0,
            order: Vec::new(),
        }
    }

    pub(crate) fn of_proposal(proposal: Proposal, is_loot: bool, is_final: bool) -> ScoringBatch {
        ScoringBatch { proposals: vec![proposal], is_loot, ..ScoringBatch::of_features(Vec::new(), is_final) }
    }

    pub(crate) fn choose_marker(&mut self, marker: u8) {
        if let Some(award) = self.awards.get_mut(self.asked) {
            award.marker = marker;
        }
        self.asked += 1;
    }
}
