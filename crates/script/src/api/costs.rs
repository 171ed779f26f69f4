//! The costs of queries that several topics share.

use rules::Refusal;

use crate::core::Cx;

/// The cost of a query for which the engine may call functions of mods, in units of weight.
pub(super) const NESTED_CALL_COST: usize = 100;

/// Charges the budget for visiting all pieces in play.
pub(super) fn charge_for_pieces(cx: &Cx) -> Result<(), Refusal> {
    cx.spend(cx.state().pieces().count())
}
