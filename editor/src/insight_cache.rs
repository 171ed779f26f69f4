//! What is known about the moment looked at, found once when it is asked for.

use std::rc::Rc;

use board::{FeatureRef, Placement};
use rules::{Answer, Location, PieceRef, Seat};
use rustc_hash::FxHashMap;
use table::{Projection, Revision, Session, SpotOdds, odds, project};

use crate::cached::Cached;

/// What was found about one moment.
#[derive(Debug, Default)]
struct Found {
    projection: Option<Option<Rc<Projection>>>,
    after: FxHashMap<Answer, Option<Rc<Projection>>>,
    odds: Option<Rc<Vec<SpotOdds>>>,
    places: Option<Rc<Vec<Placement>>>,
}

/// Finds things out about the moment looked at when they are asked for, each once.
#[derive(Debug, Default)]
pub struct InsightCache {
    found: Cached<Revision, Found>,
}

impl InsightCache {
    fn at(&mut self, session: &Session) -> &mut Found {
        self.found.refresh(session.revision(), Found::default)
    }

    /// The final count, were the game over now.
    pub fn projection(&mut self, session: &Session) -> Option<Rc<Projection>> {
        self.at(session).projection.get_or_insert_with(|| project(session.game(), None).map(Rc::new)).clone()
    }

    /// The final count, were the game over after this answer.
    pub fn after(&mut self, session: &Session, choice: Answer) -> Option<Rc<Projection>> {
        self.at(session)
            .after
            .entry(choice)
            .or_insert_with(|| project(session.game(), Some(choice)).map(Rc::new))
            .clone()
    }

    /// How many points more than now `seat` would have at the end after this answer.
    pub fn gain(&mut self, session: &Session, seat: Seat, choice: Answer) -> Option<i64> {
        let now = self.projection(session)?;
        let then = self.after(session, choice)?;
        Some(then.scores[seat.idx()] - now.scores[seat.idx()])
    }

    /// What may still come to each open spot.
    pub fn odds(&mut self, session: &Session) -> Rc<Vec<SpotOdds>> {
        self.at(session).odds.get_or_insert_with(|| Rc::new(odds(session.view(), session.ruleset()))).clone()
    }

    /// Where the drawn tile may lie, by row and column; empty where something else is asked.
    pub fn places(&mut self, session: &Session) -> Rc<Vec<Placement>> {
        self.at(session).places.get_or_insert_with(|| Rc::new(places(session))).clone()
    }

    /// What a piece would score if the game were over now; `None` where that is not to be known.
    pub fn piece_value(&mut self, session: &Session, piece: PieceRef) -> Option<i64> {
        let projection = self.projection(session)?;
        let state = session.view();
        let it = state.piece(piece)?;
        let (owner, Location::Zone(_)) = (it.owner?, it.place) else { return None };
        let zones = state.zones_of_piece(piece).collect::<Vec<_>>();
        let board = &state.board;
        let stands_on = |feature: FeatureRef| {
            let root = board.root(feature);
            zones.iter().any(|z| {
                board.takes_part(feature.layer, *z)
                    && board.root(FeatureRef { layer: feature.layer, anchor: *z }) == root
            })
        };
        let of_it = projection.awards.iter().filter(|a| a.player == owner && a.feature.is_some_and(stands_on));
        Some(of_it.map(|a| a.points).sum())
    }
}

fn places(session: &Session) -> Vec<Placement> {
    let state = session.game().state();
    let Some(decision) = state.decision() else { return Vec::new() };
    let options = decision.options(session.ruleset(), state);
    let place = |c: &Answer| if let Answer::Place(p) = c { Some(*p) } else { None };
    let mut places: Vec<Placement> = options.iter().filter_map(place).collect();
    places.sort_by_key(|p| (p.spot.y, p.spot.x, p.facing.quarters()));
    places
}
