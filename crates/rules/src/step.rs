//! The items of the agenda, which are steps, and the consequences of steps.

use std::sync::Arc;

use board::FeatureRef;

use crate::awards::Award;
use crate::event::Event;
use crate::indices::{DeckIdx, FnIdx, ModIdx};
use crate::value::{Seat, Value};

/// A consequence of a step. The engine runs all consequences after the step, in the order in which
/// the step caused them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Consequence {
    Event(Event),
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
pub(crate) enum Step {
    /// Calls the handlers of an event. `next` is the index of the handler to call next.
    Event {
        event: Event,
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
    /// Runs phase number `at` of the part of the turn. `stage` is the progress within this phase.
    Phase {
        at: u16,
        stage: u8,
    },
    EndPart,
    ClosePart,
    BeginTurn,
    EndTurn,
    CloseTurn,
    /// Computes, books and reports points.
    Batch(Box<Batch>),
    /// Runs a stage of the final count.
    Final {
        stage: u8,
    },
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
pub(crate) struct Batch {
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

impl Batch {
    pub fn of_features(features: Vec<FeatureRef>, is_final: bool) -> Batch {
        Batch {
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

    pub fn of_proposal(proposal: Proposal, is_loot: bool, is_final: bool) -> Batch {
        Batch { proposals: vec![proposal], is_loot, ..Batch::of_features(Vec::new(), is_final) }
    }

    pub fn choose_marker(&mut self, marker: u8) {
        if let Some(award) = self.awards.get_mut(self.asked) {
            award.marker = marker;
        }
        self.asked += 1;
    }
}
