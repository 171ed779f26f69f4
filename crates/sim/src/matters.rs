//! Which parts of mods matter: what each function and tag changes, what never changed a result, and which mods must be asked in their order.

use board::TagIdx;
use rules::{Catalogue, FnIdx, Game, Hook, ModIdx, RulesFactory, Runs, Status};

use crate::compare::{Arm, Comparison, compare};
use crate::edited::{Edit, Edited};
use crate::measure::Measure;
use crate::plan::{Plan, PlanError};
use crate::run::run;
use crate::table::Table;

/// A part of the rules that is left out to see what it does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// A function of a mod.
    Function {
        /// The mod.
        owner: String,
        /// Its name.
        name: String,
    },
    /// A tag of tiles or zones.
    Tag(String),
}

/// What leaving a part out changes.
#[derive(Clone, PartialEq, Debug)]
pub struct Effect {
    /// The part.
    pub part: Part,
    /// Pairs of games that were played with and without it.
    pub n_pairs: u64,
    /// Those with other scores.
    pub n_changed: u64,
    /// Those with other winners.
    pub n_other_winners: u64,
    /// How many more points all players together have with it, a game.
    pub points: f64,
    /// How often it was called a game; nothing for tags.
    pub calls: Option<f64>,
    /// Games that did not come to their end without it.
    pub n_faults: u64,
}

impl Effect {
    /// Returns whether it has changed a result.
    pub fn matters(&self) -> bool {
        self.n_changed + self.n_faults > 0
    }
}

/// Two mods of which the one that is asked first decides something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clash {
    /// The mods, in the order in which they are asked.
    pub mods: [String; 2],
    /// The number of the game that shows it.
    pub game: u64,
    /// How that game ended, and how the same answers end in the other order.
    pub what: String,
    /// The record of the game.
    pub record: String,
}

/// What matters and what does not.
#[derive(Clone, PartialEq, Debug)]
pub struct Matters {
    /// How many games were looked at.
    pub n_games: u64,
    /// What functions and tags change, the most important first. Those that have changed nothing were looked at in all games.
    pub effects: Vec<Effect>,
    /// Tiles that no player has ever laid.
    pub unlaid: Vec<String>,
    /// Mods whose order matters.
    pub clashes: Vec<Clash>,
}

/// How many games tell what a part changes; all of them are played only with parts that have changed nothing so far.
const FEW_GAMES: u64 = 100;

/// Plays games with and without every function and tag of the mods, and in both orders of mods that do not build on each other. `progress` gets how
/// many of the things to look at are done, and how many there are.
///
/// # Errors
/// As [`run`].
pub fn what_matters(
    factory: &dyn RulesFactory,
    plan: &Plan,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Matters, PlanError> {
    let plan = Plan { details: true, counts_calls: true, with_records: false, ..plan.clone() };
    let report = run(factory, &plan, None, &mut |_| {})?;
    let plan = Plan { details: false, counts_calls: false, ..plan };
    let catalogue = factory.catalogue();
    let (functions, tags, pairs) = (functions(catalogue), tags(catalogue), pairs(catalogue));
    let n_all = (functions.len() + tags.len() + pairs.len()) as u64;
    let mut n_done = 0;
    let mut done = || {
        n_done += 1;
        progress(n_done, n_all);
    };
    let n_games = report.n_games.max(1) as f64;
    let mut effects = Vec::new();
    for function in functions {
        let Some(it) = catalogue.functions.get(function.idx()) else { continue };
        let owner = catalogue.mods.get(it.owner.idx()).map(|m| m.id.clone()).unwrap_or_default();
        let calls = report.calls.iter().find(|call| (&call.owner, &call.function) == (&owner, &it.name));
        let calls = calls.map_or(0.0, |call| call.n as f64 / n_games);
        let part = Part::Function { owner, name: it.name.clone() };
        effects.push(match calls > 0.0 {
            true => Effect { calls: Some(calls), ..effect(factory, &plan, Edit::WithoutFunction(function), part)? },
            // What is never called changes nothing.
            false => Effect { calls: Some(0.0), ..nothing(part, report.n_games) },
        });
        done();
    }
    for tag in tags {
        let part = Part::Tag(catalogue.tile_set.tag(tag).name.clone());
        effects.push(effect(factory, &plan, Edit::WithoutTag(tag), part)?);
        done();
    }
    effects.sort_by_key(|effect| std::cmp::Reverse((effect.n_other_winners, effect.n_changed, effect.n_faults)));
    let mut clashes = Vec::new();
    for (first, second) in pairs {
        clashes.extend(clash(factory, &plan, first, second)?);
        done();
    }
    let tiles = report.details.as_ref().map(|details| details.tiles.as_slice()).unwrap_or_default();
    let start = catalogue.start.map(|start| start.tile.0);
    let of_decks = |at: u16| {
        let tiles = catalogue.decks.iter().filter(|deck| deck.holds == rules::Holds::Tiles);
        tiles.flat_map(|deck| &deck.items).any(|(item, n)| *item == at && *n > 0)
    };
    let unlaid = (0..).zip(tiles).filter(|(at, tile)| tile.n_laid() == 0 && Some(*at) != start && of_decks(*at));
    let unlaid = unlaid.map(|(_, tile)| tile.name.clone()).collect();
    Ok(Matters { n_games: report.n_games, effects, unlaid, clashes })
}

fn nothing(part: Part, n_pairs: u64) -> Effect {
    Effect { part, n_pairs, n_changed: 0, n_other_winners: 0, points: 0.0, calls: None, n_faults: 0 }
}

/// Plays with and without a part: a few games, and all of them where that changes nothing.
fn effect(factory: &dyn RulesFactory, plan: &Plan, edit: Edit, part: Part) -> Result<Effect, PlanError> {
    let without = Edited { factory, edit };
    let few = FEW_GAMES.min(plan.n_games);
    let played = |plan: &Plan| compare(Arm { factory: &without, plan }, Arm { factory, plan }, &mut |_| {});
    let mut found: Comparison = played(&Plan { n_games: few, ..plan.clone() })?;
    if found.n_changed == 0 && found.a.n_faults == 0 && plan.n_games > few {
        let rest = Plan { first_game: plan.first_game + few, n_games: plan.n_games - few, ..plan.clone() };
        found.merge(played(&rest)?);
    }
    let points = found.differences.iter().find(|difference| difference.measure == Measure::Points);
    Ok(Effect {
        n_changed: found.n_changed,
        n_other_winners: found.n_other_winners,
        points: points.map_or(0.0, |points| points.mean()),
        n_faults: found.a.n_faults.saturating_sub(found.b.n_faults),
        ..nothing(part, found.n_pairs)
    })
}

/// Functions that may change a game: those of hooks and phases, without those that only advise and describe.
fn functions(catalogue: &Catalogue) -> Vec<FnIdx> {
    let hooks = Hook::ALL.iter().filter(|hook| !matches!(hook, Hook::Hint | Hook::Describe | Hook::Migrate));
    let handlers = hooks.flat_map(|hook| catalogue.handlers(*hook)).map(|handler| handler.function);
    let phases = catalogue.phases.iter().filter_map(|phase| match phase.runs {
        Runs::Function { function } => Some(function),
        _ => None,
    });
    let mut all: Vec<FnIdx> = handlers.chain(phases).collect();
    all.sort_by_key(|function| function.idx());
    all.dedup();
    all
}

/// Tags that some tile or zone has.
fn tags(catalogue: &Catalogue) -> Vec<TagIdx> {
    let tile_set = &catalogue.tile_set;
    let is_used = |at: usize| {
        let Some(tag) = tile_set.tags.get(at) else { return false };
        let first = tag.first_column.0;
        let columns = first..first.saturating_add(tag.values.len().max(1) as u8);
        tile_set.tiles.iter().any(|tile| {
            let on_zone = tag.on != board::TagOn::Tile;
            let in_zone = |zone: &board::Zone| zone.tags.iter().any(|it| columns.contains(&it.column.0));
            tile.tags.iter().any(|(other, _)| usize::from(other.0) == at) || on_zone && tile.zones.iter().any(in_zone)
        })
    };
    (0..tile_set.tags.len()).filter(|at| is_used(*at)).map(|at| TagIdx(at as u8)).collect()
}

/// Mods that are asked by the same hook and do not build on each other.
fn pairs(catalogue: &Catalogue) -> Vec<(ModIdx, ModIdx)> {
    let n = catalogue.mods.len() as u8;
    let all = (0..n).flat_map(|a| (a + 1..n).map(move |b| (ModIdx(a), ModIdx(b))));
    let meet = |a: ModIdx, b: ModIdx| {
        let asks = |list: &[rules::Handler], owner: ModIdx| list.iter().any(|handler| handler.owner == owner);
        let hooks = Hook::ALL.iter().filter(|hook| !matches!(hook, Hook::Hint | Hook::Describe | Hook::Migrate));
        hooks.map(|hook| catalogue.handlers(*hook)).any(|list| asks(list, a) && asks(list, b))
    };
    all.filter(|(a, b)| !catalogue.are_related(*a, *b) && meet(*a, *b)).collect()
}

/// Plays games and gives the same answers where the two mods are asked the other way round. Returns the first game that ends otherwise.
fn clash(factory: &dyn RulesFactory, plan: &Plan, first: ModIdx, second: ModIdx) -> Result<Option<Clash>, PlanError> {
    let plan = Plan { with_records: true, ..plan.clone() };
    let swapped = Edited { factory, edit: Edit::Swapped(first, second) };
    let mut table = Table::new(factory, &plan)?;
    let other = Table::new(&swapped, &plan)?;
    for number in plan.first_game..plan.first_game + plan.n_games.min(FEW_GAMES) {
        let (game, result) = table.play_game(number);
        if result.fault.is_some() {
            continue;
        }
        let texts = game.log_texts();
        let what = match given_again(other.opening(), texts) {
            Ok(scores) if scores == result.scores => continue,
            Ok(scores) => format!("it ends {}, and in the other order {}", told(&result.scores), told(&scores)),
            Err(why) => format!("in the other order {why}"),
        };
        let name = |at: ModIdx| factory.catalogue().mods.get(at.idx()).map(|m| m.id.clone()).unwrap_or_default();
        let mods = [name(first), name(second)];
        return Ok(Some(Clash { mods, game: number, what, record: result.record.unwrap_or_default() }));
    }
    Ok(None)
}

fn told(scores: &[i64]) -> String {
    scores.iter().map(i64::to_string).collect::<Vec<_>>().join(" : ")
}

/// How many answers further on one is looked for that fits: two mods that ask in the other order get their answers all the same.
const LOOKS_AHEAD: usize = 8;

/// Gives answers to a game, and returns the scores that it comes to.
fn given_again(opening: &Game, mut texts: Vec<String>) -> Result<Vec<i64>, String> {
    let mut game = opening.clone();
    while let Status::Decision(decision) = game.status() {
        let prompt = decision.prompt.to_string();
        let n = texts.len().min(LOOKS_AHEAD);
        let fitting = (0..n).find(|at| texts.get(*at).is_some_and(|text| game.answer_text(text).is_ok()));
        match fitting {
            Some(at) => drop(texts.remove(at)),
            None => {
                return Err(format!("something else is asked or offered at answer {} ({prompt})", game.log().len()));
            }
        }
    }
    match game.status() {
        Status::Fault(fault) => Err(fault.to_string()),
        _ => Ok(game.state().seats().map(|seat| game.state().score(seat)).collect()),
    }
}
