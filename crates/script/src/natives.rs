//! Native functions by name and number of parameters, as trees call them.

use std::collections::HashMap;
use std::rc::Rc;

use rules::{Reads, Refusal};

use crate::core::Cx;
use crate::params::Fits;
use crate::script_value::ScriptValue;

/// The most parameters that a native function has.
pub(crate) const MAX_PARAMS: usize = 5;

/// A native function as lowered functions call it.
pub(crate) type NativeFn = dyn Fn(&mut Cx, &[&ScriptValue]) -> Result<ScriptValue, Refusal>;

/// A native function with the types of its parameters.
#[derive(Clone)]
pub(crate) struct Overload {
    /// Whether values are of the types of its parameters.
    pub fits: Rc<[Fits]>,
    /// How many of its parameters take anything.
    pub n_wildcards: usize,
    /// Whether it only looks: it neither changes anything nor asks.
    pub looks: bool,
    /// What it looks at, besides what it is handed.
    pub reads: Reads,
    pub run: Rc<NativeFn>,
}

/// What functions called `name` look at, besides what they are handed. Nothing is said of most: they may look at anything.
pub(crate) fn reads_of(name: &str) -> Reads {
    match name {
        // Of a feature and the pieces on it, of what always is the same in a game, and of the award in the making.
        "get$kind" | "get$n_tiles" | "get$n_zones" | "get$n_spots" | "get$is_open" | "get$is_complete"
        | "get$layer" | "has" | "count" | "tags" | "pieces" | "get$pieces" | "has_piece_of" | "get$owner"
        | "get$owners" | "get$is_neutral" | "get$is_pinned" | "get$zone" | "players" | "get$name" | "get$number"
        | "get$player" | "get$is_final" | "get$so_far" | "plus" | "minus" | "replace" | "zero" | "double" | "halve"
        | "score" | "min" | "max" => Reads::NOTHING,
        // These say themselves which token it was.
        "n_tokens" | "holder_of" | "players_with_most" | "token_stock" => Reads::NOTHING,
        "take_pile" | "pile_stock" => Reads::PILES,
        "neighbours" => Reads::NEAR,
        // Features that border it can become complete, and one with each other while they are not.
        "n_complete" | "complete_neighbours" => Reads::COMPLETE,
        _ => Reads::ANYTHING,
    }
}

/// Functions of one name and number of parameters, those without wildcards first.
pub(crate) type Overloads = Rc<[Overload]>;

/// Which of the functions takes these arguments. One that is alone says itself what is wrong with them.
#[inline]
pub(crate) fn chosen<'o>(overloads: &'o [Overload], args: &[&ScriptValue]) -> Option<&'o Overload> {
    match overloads {
        [one] => Some(one),
        several => several.iter().find(|it| it.fits.iter().zip(args).all(|(fits, arg)| fits(arg))),
    }
}

/// All of them.
#[derive(Default)]
pub(crate) struct Natives(HashMap<(String, usize), Vec<Overload>>);

impl Natives {
    /// Adds a function. Properties are called `get$` and their name.
    pub fn add(&mut self, name: &str, overload: Overload) {
        let overloads = self.0.entry((name.to_owned(), overload.fits.len())).or_default();
        overloads.push(overload);
        overloads.sort_by_key(|it| it.n_wildcards);
    }

    /// The functions called `name` that take `n` parameters; none where there are none.
    pub fn find(&self, name: &str, n: usize) -> Overloads {
        self.0.get(&(name.to_owned(), n)).map_or_else(|| Rc::from([]), |all| all.as_slice().into())
    }
}
