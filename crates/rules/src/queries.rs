//! Queries that a running function makes and whose results depend on functions of other mods.

use board::{FeatureRef, Placement, TileIdx, TileRef, ZoneRef};

use crate::call::{Call, Rules};
use crate::fault::{Fault, Refusal};
use crate::hooks::Hook;
use crate::indices::PieceKindIdx;
use crate::legal_options;
use crate::position::Location;
use crate::scoring;
use crate::state::{Answer, State};
use crate::texts::zone_text;
use crate::value::{PieceRef, Seat};

impl Call<'_> {
    /// Returns the players with the majority on a feature (see
    /// [`majority_holders`](crate::majority_holders)).
    ///
    /// # Errors
    /// Returns an error if a function of a mod fails.
    pub fn majority_holders(&mut self, feature: FeatureRef) -> Result<Vec<Seat>, Refusal> {
        self.query(|rules, state| scoring::majority_holders(rules, state, feature))
    }

    /// Returns whether the feature is complete and every mod agrees (see
    /// [`is_complete`](crate::is_complete)).
    ///
    /// # Errors
    /// Returns an error if a function of a mod fails.
    pub fn is_complete(&mut self, feature: FeatureRef) -> Result<bool, Refusal> {
        self.query(|rules, state| scoring::is_complete(rules, state, feature))
    }

    /// Returns the points that the feature, with its present tiles, would pay `player` if it were
    /// complete now and `player` had the majority.
    ///
    /// # Errors
    /// Returns an error if a function of a mod fails.
    pub fn value_now(&mut self, feature: FeatureRef, player: Seat) -> Result<i64, Refusal> {
        let value = self.query(|rules, state| scoring::value_now(rules, state, feature, player))?;
        Ok(value.map_or(0, |worth| worth.points))
    }

    /// Returns the points that the formula for the final count would give `player` for the feature
    /// if `player` had the majority. Returns 0 if the feature was already scored on completion, or
    /// if a running part of the turn has yet to score it.
    ///
    /// # Errors
    /// Returns an error if a function of a mod fails.
    pub fn value_at_end(&mut self, feature: FeatureRef, player: Seat) -> Result<i64, Refusal> {
        let value = self.query(|rules, state| scoring::value_at_end(rules, state, feature, player))?;
        Ok(value.map_or(0, |worth| worth.points))
    }

    /// Returns the placements of `tile` that the board and every mod would allow if it were the
    /// drawn tile.
    ///
    /// # Errors
    /// Returns an error if a function of a mod fails. Also returns an error if the running function
    /// is a `filter_places`, because this query would call the same function again.
    pub fn places(&mut self, tile: TileIdx) -> Result<Vec<Placement>, Refusal> {
        let own = self.function_name();
        if own == Hook::FilterPlaces.info().name {
            return Err(
                format!("`{own}` itself decides which places are legal, so `places` cannot be called in it").into()
            );
        }
        self.query(|rules, state| legal_options::legal_places(rules, state, tile))
    }

    /// Returns the deployments that the core would offer `player` if the running part of the turn
    /// had just laid `tile`, in the core's order. Includes zones on other tiles if mods allow these
    /// zones.
    ///
    /// # Errors
    /// Returns an error if a function of a mod fails. Also returns an error if the running function
    /// is a `piece_targets` or `filter_deploys`, because this query would call the same function
    /// again.
    pub fn deployments(&mut self, player: Seat, tile: TileRef) -> Result<Vec<(PieceKindIdx, ZoneRef)>, Refusal> {
        let own = self.function_name();
        if [Hook::PieceTargets, Hook::FilterDeploys].iter().any(|hook| own == hook.info().name) {
            return Err(format!(
                "`{own}` itself decides which deployments are legal, so `deployments` cannot be called in it"
            )
            .into());
        }
        let mut choices = Vec::new();
        self.query(|rules, state| legal_options::deployments(rules, state, player, tile, &mut choices))?;
        let deployment = |choice| if let Answer::Deploy { kind, zone } = choice { Some((kind, zone)) } else { None };
        Ok(choices.into_iter().filter_map(deployment).collect())
    }

    /// Deploys a piece of `player` under the same conditions as the core.
    ///
    /// # Errors
    /// Returns an error if the core would not offer this deployment, or if a function of a mod
    /// fails. Also returns an error if the running function may only read the game.
    pub fn deploy(&mut self, player: Seat, kind: PieceKindIdx, zone: ZoneRef) -> Result<PieceRef, Refusal> {
        self.state_mut()?;
        let tile = self.state().board.tile_of(zone);
        if !self.deployments(player, tile)?.contains(&(kind, zone)) {
            let what = &self.ruleset().catalogue.piece(kind).name;
            let place = zone_text(self.ruleset(), self.state(), zone);
            let whose = self.state().label(player);
            return Err(format!("{whose} cannot deploy a {what} on {place} now; see `deployments`").into());
        }
        let more = self.query(|rules, state| legal_options::further_zones(rules, state, kind, zone))?;
        let (state, ruleset) = self.state_mut_and_ruleset()?;
        Ok(state.put_piece(ruleset, kind, Some(player), Location::Zone(zone), &more)?)
    }

    /// Returns whether the manifests let `player` put a piece of `kind` on `zone`. Does not check
    /// whether such a piece is left in supply.
    pub fn may_stand(&self, player: Seat, kind: PieceKindIdx, zone: ZoneRef) -> bool {
        legal_options::may_stand(self.ruleset(), self.state(), player, kind, zone)
    }

    /// Makes a query that runs functions of other mods. If one of them fails, the running function
    /// cannot continue either, so the fault becomes a refusal.
    fn query<T>(&mut self, work: impl FnOnce(&Rules, &mut State) -> Result<T, Box<Fault>>) -> Result<T, Refusal> {
        self.checked_state()?;
        let rules = self.rules.clone();
        // The functions that `work` runs only read, so no copy of the state is needed.
        work(&rules, self.state).map_err(|fault| Refusal::Because(fault.to_string()))
    }
}
