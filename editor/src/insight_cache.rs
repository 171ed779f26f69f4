//! What is known about the moment looked at, found once when it is asked for.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use table::{Answer, PieceRef, Placement, Projection, Revision, Seat, Session, SpotOdds, odds, piece_value, project};

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
        self.at(session).projection.get_or_insert_with(|| project(session.view(), None).map(Rc::new)).clone()
    }

    /// The final count, were the game over after this answer.
    pub fn after(&mut self, session: &Session, choice: Answer) -> Option<Rc<Projection>> {
        self.at(session)
            .after
            .entry(choice)
            .or_insert_with(|| project(session.view(), Some(choice)).map(Rc::new))
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
        self.at(session).odds.get_or_insert_with(|| Rc::new(odds(session.view()))).clone()
    }

    /// Where the drawn tile may lie, by row and column; empty where something else is asked.
    pub fn places(&mut self, session: &Session) -> Rc<Vec<Placement>> {
        self.at(session).places.get_or_insert_with(|| Rc::new(session.view().places())).clone()
    }

    /// What a piece would score if the game were over now; `None` where that is not to be known.
    pub fn piece_value(&mut self, session: &Session, piece: PieceRef) -> Option<i64> {
        let projection = self.projection(session)?;
        piece_value(session.view(), &projection, piece)
    }
}
