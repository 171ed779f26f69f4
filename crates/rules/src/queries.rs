//! What a running call may ask of the engine that functions of other mods have a say in.

use board::{FeatureRef, Placement, TileIdx, ZoneRef};

use crate::call::Call;
use crate::fault::{Fault, Refusal};
use crate::hooks::Hook;
use crate::indices::PieceKindIdx;
use crate::legal_options;
use crate::scoring;
use crate::value::Seat;

impl Call<'_> {
    /// Who has the majority on a feature (see [`winners`](crate::winners)).
    pub fn winners(&mut self, feature: FeatureRef) -> Result<Vec<Seat>, Refusal> {
        self.look()?;
        let rules = self.rules.clone();
        scoring::winners(&rules, self.scratch(), feature).map_err(refused)
    }

    /// Whether the feature is complete and every mod agrees (see [`is_complete`](crate::is_complete)).
    pub fn is_complete(&mut self, feature: FeatureRef) -> Result<bool, Refusal> {
        self.look()?;
        let rules = self.rules.clone();
        scoring::is_complete(&rules, self.scratch(), feature).map_err(refused)
    }

    /// What the feature would pay `player` if the game ended now and they had the majority: nothing if it is complete and has paid for that.
    pub fn value_at_end(&mut self, feature: FeatureRef, player: Seat) -> Result<i64, Refusal> {
        self.look()?;
        let rules = self.rules.clone();
        let value = scoring::value_at_end(&rules, self.scratch(), feature, player).map_err(refused)?;
        Ok(value.map_or(0, |(points, _)| points))
    }

    /// Where a tile of this sort might be placed now, if it were the one drawn: as the board and every mod agree.
    ///
    /// Fails in `filter_places`, which is asked in the course of it.
    pub fn places(&mut self, tile: TileIdx) -> Result<Vec<Placement>, Refusal> {
        self.look()?;
        let own = &self.ruleset().catalogue.functions[self.function.idx()].name;
        if *own == Hook::FilterPlaces.info().name {
            return Err(format!("`{own}` decides about places itself; what is left of them is not known in it").into());
        }
        let rules = self.rules.clone();
        legal_options::legal_places(&rules, self.scratch(), tile).map_err(refused)
    }

    /// Whether the manifests let `player` put a piece of `kind` on `zone`; the supply is not looked at.
    pub fn may_stand(&self, player: Seat, kind: PieceKindIdx, zone: ZoneRef) -> bool {
        legal_options::may_stand(self.ruleset(), self.state(), player, kind, zone)
    }
}

/// A fault of another function becomes the reason why this one cannot go on.
#[cold]
fn refused(fault: Box<Fault>) -> Refusal {
    Refusal::Because(fault.to_string())
}
