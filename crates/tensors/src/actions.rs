//! Maps the options of a decision to actions with fixed numbers, and back.

use std::collections::BTreeSet;

use board::{NO_ZONE, PlacedTile, ZoneRef};
use rules::{Answer, Decision, Ruleset, State};

use crate::encoding::{Encoding, N_DEPLOYS};

impl Encoding {
    /// Calls `each` with the number of every offered action and the number of its option. Options
    /// without their own action number get the indexed actions in order; if there are not enough
    /// indexed actions, omits the remaining options. If the decision has an option, offers at least
    /// one action.
    pub(crate) fn for_each_action(
        &self,
        ruleset: &Ruleset,
        state: &State,
        decision: &Decision,
        mut each: impl FnMut(usize, usize),
    ) {
        let laid = state.view().part().and_then(|part| part.tile).map(|tile| state.view().board.tile(tile));
        let mut n_indexed = 0;
        let mut deployed = BTreeSet::new();
        for (option, answer) in decision.options(ruleset, state).iter().enumerate() {
            let action = match *answer {
                Answer::Pass => Some(0),
                Answer::Place(place) => {
                    let facing = usize::from(place.facing.quarters());
                    self.cell(place.spot).map(|cell| self.place_action(cell, facing))
                }
                Answer::Deploy { kind, zone } => laid
                    .and_then(|laid| self.place_on(laid, zone))
                    .map(|place| self.deploy_action(kind.idx(), place))
                    .filter(|action| deployed.insert(*action)),
                Answer::Draw(_) | Answer::Roll(_) | Answer::Marker(_) | Answer::ModOption(_) | Answer::Sealed => None,
            };
            let action = action.or_else(|| {
                n_indexed += 1;
                (n_indexed <= self.n_indexed).then(|| self.first_indexed() + n_indexed - 1)
            });
            if let Some(action) = action {
                each(action, option);
            }
        }
    }

    /// Returns the place number of a zone on the placed tile `laid`, as in the actions for
    /// deployments: the first of the zone's ports after turning the tile. For a zone without ports,
    /// the number is 12 plus its index among the tile's zones without ports. Returns `None` if the
    /// zone is on another tile or the index is too large.
    fn place_on(&self, laid: &PlacedTile, zone: ZoneRef) -> Option<usize> {
        let tile = self.catalogue.tile_set.tile(laid.tile);
        let local = usize::try_from(zone.0.checked_sub(laid.first_zone.0)?).ok()?;
        let zone = tile.zones.get(local)?;
        if zone.ports.is_empty() {
            let inner = tile.zones.iter().take(local).filter(|zone| zone.ports.is_empty()).count();
            return Some(12 + inner).filter(|place| *place < N_DEPLOYS);
        }
        let turned = tile.turned(laid.facing);
        turned.zone_at.iter().position(|it| *it != NO_ZONE && usize::from(*it) == local)
    }

    /// Writes 1 for every offered action and 0 for the others into `mask`, which has
    /// [`n_actions`](Encoding::n_actions) entries.
    pub fn write_mask(&self, ruleset: &Ruleset, state: &State, mask: &mut [u8]) {
        mask.fill(0);
        if let Some(decision) = state.decision() {
            self.for_each_action(ruleset, state, decision, |action, _| {
                if let Some(place) = mask.get_mut(action) {
                    *place = 1;
                }
            });
        }
    }

    /// Returns the number of the option that `action` encodes; `None` if the action is not offered.
    pub fn option_of(&self, ruleset: &Ruleset, state: &State, action: usize) -> Option<usize> {
        self.find_last(ruleset, state, |offered, option| (offered == action).then_some(option))
    }

    /// Returns the action for option number `option`; `None` if the option has no action.
    pub fn action_of(&self, ruleset: &Ruleset, state: &State, option: usize) -> Option<usize> {
        self.find_last(ruleset, state, |action, offered| (offered == option).then_some(action))
    }

    /// Calls `pick` with each offered action and the number of its option. Returns the last result
    /// that is not `None`.
    fn find_last(
        &self,
        ruleset: &Ruleset,
        state: &State,
        pick: impl Fn(usize, usize) -> Option<usize>,
    ) -> Option<usize> {
        let mut found = None;
        self.for_each_action(ruleset, state, state.decision()?, |action, option| {
            found = pick(action, option).or(found)
        });
        found
    }
}
