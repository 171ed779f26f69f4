//! Checks assignments that always fail, to properties of things of the game and to constants, and
//! assignments that are lost.

use rhai::{ASTNode, Expr, Position, Stmt};
use rules::HookClass;

use super::first_walk::FirstWalk;
use super::lookup::member;
use super::syntax::{links_of, root_variable};
use super::vocabulary::Findings;
use crate::api::EntrySyntax;
use crate::docs::with_article;

/// Warns of an assignment to a property such as `tile.facing`, or to a constant of the script.
pub(super) fn check_assignment(node: &ASTNode, known: &FirstWalk, found: &mut Findings) {
    let ASTNode::Stmt(Stmt::Assignment(it)) = node else { return };
    let target = &it.1.lhs;
    check_memory(target, known, found);
    if let Some((name, at)) = root_variable(target).filter(|(name, at)| known.literals.is_constant(name, *at)) {
        let help = "declare a variable with `let` in the function, or store the value in `mem`";
        found.warn(at, format!("`{name}` is a constant and cannot be changed"), Some(help.to_owned()));
    } else if let Some((name, at, of)) = changed_property(target, known) {
        let of_type = if of == "turn" { "the turn".to_owned() } else { with_article(of) };
        let message = format!("`{name}` of {of_type} cannot be changed by an assignment");
        found.warn(at, message, Some(effect_help(of, name).to_owned()));
    }
}

/// Warns of a change of `mem` in a rule or menu, which is lost, because rules and menus may only
/// read the game.
fn check_memory(target: &Expr, known: &FirstWalk, found: &mut Findings) {
    let Some(("mem", at)) = root_variable(target) else { return };
    if let Some(hook) = known.enclosing_hook(at).filter(|hook| hook.class != HookClass::Effect) {
        let message = format!("`{}` may only look, so this change of `mem` is lost", hook.name);
        let help = "change `mem` in an event, in a phase, or in the handler of an option";
        found.warn(at, message, Some(help.to_owned()));
    }
}

/// Returns the property at the end of the left side of an assignment, with its place and the type
/// of its owner. Returns `None` if this type is unknown or has no such property.
fn changed_property<'a>(target: &'a Expr, known: &FirstWalk) -> Option<(&'a str, Position, &'static str)> {
    let Expr::Dot(it, ..) = target else { return None };
    let Some(Expr::Property(property, at)) = links_of(&it.rhs).last() else { return None };
    let of = *known.certain_receivers.get(at)?;
    let is_property = member(of, &property.2).is_some_and(|entry| entry.form == EntrySyntax::Property);
    is_property.then_some((&property.2, *at, of))
}

/// Returns the effect to use instead of an assignment to the property `name` of the type `of`.
fn effect_help(of: &str, name: &str) -> &'static str {
    match (of, name) {
        ("tile", "facing") => "write `turn_tile(tile, facing)`",
        ("tile", _) => "use an effect such as `take_up(tile)`, `lay_tile(...)` or `set_tag(tile, \"tag\", true)`",
        ("piece", _) => "use an effect such as `move_piece(piece, place)` or `return_piece(piece)`",
        ("turn", "player") => "write `next_turn(player)` or `set_order(players)`",
        _ => "only effects change the game, such as `score`, `move_piece` and `set_tag`",
    }
}
