//! The bots that are available by name.

use std::borrow::Cow;
use std::sync::Arc;

use web_time::Duration;

use crate::greedy::Greedy;
use crate::learned::LearnedValue;
use crate::persona::Persona;
use crate::player::Player;
use crate::random::Random;
use crate::restriction::Restriction;
use crate::search::{Search, SearchLimits};

/// A kind of bot: its name, its description, and the way to make such a bot.
#[derive(Clone)]
pub struct BotInfo {
    /// The name of the bot in commands and records.
    pub name: Cow<'static, str>,
    /// A description of the way the bot plays, beginning with a verb.
    pub about: Cow<'static, str>,
    kind: BotKind,
    restriction: Restriction,
}

#[derive(Clone)]
enum BotKind {
    Random,
    Greedy(Persona),
    Search(SearchLimits),
    Other(MakePlayer),
}

/// A function that makes a player from a seed.
type MakePlayer = Arc<dyn Fn(u64) -> Box<dyn Player> + Send + Sync>;

/// The word that stands for a person in place of a bot's name.
pub const HUMAN: &str = "human";

/// The players to choose from, the weakest first. `search` also exists with any number of
/// simulations or a time limit ([`player_named`]).
pub const PLAYERS: &[BotInfo] = &[
    builtin_bot("random", "chooses among all options with equal probability", BotKind::Random),
    builtin_bot(
        "novice",
        "plays like greedy, but considers only three random options of each decision",
        BotKind::Greedy(Persona::Notices(3)),
    ),
    builtin_bot(
        "greedy",
        "tries every option and compares the scores as if the game ended right after it",
        BotKind::Greedy(Persona::Plain),
    ),
    builtin_bot(
        "search:100",
        "runs a hundred simulations for each choice, without a delay",
        BotKind::Search(SearchLimits::from_simulations(100)),
    ),
    builtin_bot(
        "search",
        "runs a thousand simulations for each choice, in a moment",
        BotKind::Search(SearchLimits::from_simulations(1000)),
    ),
    builtin_bot(
        "search:10000",
        "runs ten thousand simulations for each choice, which takes seconds",
        BotKind::Search(SearchLimits::from_simulations(10_000)),
    ),
];

/// Greedy players with a one-sided taste, to test mods. `greedy+WORDS`, such as
/// `greedy+deploy:city`, is another one ([`player_named`]).
pub const PERSONAS: &[BotInfo] = &[
    builtin_bot("hoarder", "plays like greedy, but likes to hold pieces in supply", BotKind::Greedy(Persona::Hoards)),
    builtin_bot(
        "blocker",
        "plays like greedy, but likes to keep down the points of the others",
        BotKind::Greedy(Persona::Blocks),
    ),
];

/// The maximum number of simulations of a search. The search tree grows with each simulation; after
/// this number of simulations, the tree takes a few hundred megabytes.
const MAX_SIMULATIONS: u32 = 100_000;
/// The maximum number of search trees, each on a thread of its own.
const MAX_TREES: u32 = 64;
/// The maximum time limit of a search, in seconds.
const MAX_SECONDS: u32 = 60;

/// Finds the player called `name`: one of [`PLAYERS`] or [`PERSONAS`], or `search:` with a number
/// of simulations or seconds, such as `search:250` or `search:5s`. `search:1000x2` searches on two
/// threads, with 1,000 simulations on each. `novice:12` considers twelve options of each decision.
/// `greedy+deploy:city` is a greedy player that likes options with these words
/// ([`Restriction::parse`]). After the name, each `!` introduces options that the player may not
/// choose, such as `greedy!deploy:field`. Returns `None` for any other name.
pub fn player_named(name: &str) -> Option<BotInfo> {
    let mut parts = name.split('!');
    let free = find_unrestricted_player(parts.next()?)?;
    let forbidden: Vec<&str> = parts.collect();
    if forbidden.is_empty() {
        return Some(free);
    }
    let restriction = Restriction::parse(forbidden.iter().copied())?;
    let about = format!("{}; never chooses {}", free.about, forbidden.join(" or ").replace(':', " with "));
    Some(BotInfo { name: name.to_owned().into(), about: about.into(), restriction, ..free })
}

/// Finds the player called `name`, if there is one. `name` must not forbid options.
fn find_unrestricted_player(name: &str) -> Option<BotInfo> {
    if let Some(known) = PLAYERS.iter().chain(PERSONAS).find(|it| it.name == name) {
        return Some(known.clone());
    }
    let (about, kind) = if let Some(words) = name.strip_prefix("greedy+") {
        let persona = Persona::Likes(Restriction::parse(words.split('+'))?);
        let about = format!("plays like greedy, but likes {}", words.replace('+', " or ").replace(':', " with "));
        (about, BotKind::Greedy(persona))
    } else if let Some(n) = name.strip_prefix("novice:") {
        let n = whole_number(n).filter(|n| *n >= 1)?;
        let about = format!("plays like greedy, but considers only {n} random options of each decision");
        (about, BotKind::Greedy(Persona::Notices(n)))
    } else {
        let (about, limits) = parse_limits(name.strip_prefix("search:")?)?;
        (about, BotKind::Search(limits))
    };
    Some(BotInfo { name: name.to_owned().into(), about: about.into(), kind, restriction: Restriction::NONE })
}

/// Parses the limits in the name of a search, such as `250`, `5s` or `1000x2`. Also returns a
/// description of the search. Returns `None` if a limit is invalid or too large.
fn parse_limits(text: &str) -> Option<(String, SearchLimits)> {
    let (limit, n_trees) = match text.split_once('x') {
        Some((limit, n)) => (limit, whole_number(n).filter(|n| (2..=MAX_TREES).contains(n))?),
        None => (text, 1),
    };
    let most = MAX_SIMULATIONS / n_trees;
    let (about, limits) = match limit.strip_suffix('s') {
        Some(seconds) => {
            let n = whole_number(seconds).filter(|n| (1..=MAX_SECONDS).contains(n))?;
            let about = format!("runs simulations for {n} s for each choice; their number depends on the machine");
            (about, SearchLimits { n_simulations: most, time: Some(Duration::from_secs(n.into())), n_trees })
        }
        None => {
            let n = whole_number(limit).filter(|n| (1..=most).contains(n))?;
            (
                format!("runs {n} simulations for each choice"),
                SearchLimits { n_trees, ..SearchLimits::from_simulations(n) },
            )
        }
    };
    let about = if n_trees == 1 { about } else { format!("{about}, in each of {n_trees} threads") };
    Some((about, limits))
}

/// Returns the names of the bots in one line, for the message about an unknown name. Adds
/// descriptions if `explains` is true.
pub fn list_of_bots(explains: bool) -> String {
    let one = |it: &BotInfo| if explains { format!("{} ({})", it.name, it.about) } else { it.name.to_string() };
    let known: Vec<String> = PLAYERS.iter().chain(PERSONAS).map(one).collect();
    format!(
        "{}; search:250 sets the number of simulations, search:5s sets a time limit, search:1000x2 searches on two threads, novice:12 considers 12 options, greedy!deploy:field forbids deploying on fields, greedy+deploy:city likes deploying on cities",
        known.join(", ")
    )
}

/// Parses a positive whole number. Returns `None` for signs and leading zeros, so that each number
/// can be written in only one way.
fn whole_number(text: &str) -> Option<u32> {
    let is_plain = text.bytes().all(|it| it.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|_| is_plain)
}

const fn builtin_bot(name: &'static str, about: &'static str, kind: BotKind) -> BotInfo {
    BotInfo { name: Cow::Borrowed(name), about: Cow::Borrowed(about), kind, restriction: Restriction::NONE }
}

impl BotInfo {
    /// Describes a bot that is not in [`PLAYERS`]. `make` makes such a bot from a seed.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        about: impl Into<Cow<'static, str>>,
        make: impl Fn(u64) -> Box<dyn Player> + Send + Sync + 'static,
    ) -> BotInfo {
        BotInfo {
            name: name.into(),
            about: about.into(),
            kind: BotKind::Other(Arc::new(make)),
            restriction: Restriction::NONE,
        }
    }

    /// Returns a bot that searches as this one does and uses `value` in place of the value of the
    /// mods. A bot that is not a search stays as it is.
    pub fn with_value(self, name: String, value: Arc<LearnedValue>) -> BotInfo {
        let BotKind::Search(limits) = self.kind else { return self };
        let restriction = self.restriction;
        let make = move |seed| {
            Box::new(Search::new(seed, limits, restriction.clone()).with_value(value.clone())) as Box<dyn Player>
        };
        BotInfo::new(name, self.about, make)
    }

    /// Makes a bot whose random choices follow from `seed`.
    pub fn make(&self, seed: u64) -> Box<dyn Player> {
        let restriction = self.restriction.clone();
        match &self.kind {
            BotKind::Random => Box::new(Random::new(seed, restriction)),
            BotKind::Greedy(persona) => Box::new(Greedy::with_persona(seed, restriction, persona.clone())),
            BotKind::Search(limits) => Box::new(Search::new(seed, *limits, restriction)),
            BotKind::Other(make) => make(seed),
        }
    }

    /// Returns whether the player has a time limit, so that the same seed may give other answers on
    /// another machine.
    pub fn is_timed(&self) -> bool {
        matches!(self.kind, BotKind::Search(SearchLimits { time: Some(_), .. }))
    }
}

impl std::fmt::Debug for BotInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BotInfo").field("name", &self.name).finish()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_named_by_its_lines_or_its_time() {
        let of_lines = |name: &str, n: u32| {
            let limits = |it: BotInfo| if let BotKind::Search(limits) = it.kind { Some(limits) } else { None };
            assert_eq!(player_named(name).and_then(limits), Some(SearchLimits::from_simulations(n)), "{name}");
        };
        of_lines("search", 1000);
        of_lines("search:250", 250);
        of_lines("search:100000", 100_000);
        let limits = |name: &str| parse_limits(name).map(|(_, limits)| (limits.n_simulations, limits.n_trees));
        assert_eq!(limits("1000x2"), Some((1000, 2)));
        assert_eq!(limits("5sx4"), Some((25_000, 4)));
        for wrong in ["1000x1", "1000x0", "1000x65", "50001x2", "1000x", "x2"] {
            assert_eq!(limits(wrong), None, "{wrong}");
        }
        let timed = player_named("search:5s").unwrap();
        assert!(timed.is_timed());
        assert_eq!(timed.name, "search:5s");
        let wrong = ["", "Greedy", "search:", "search:0", "search:007", "search:+5", "search:100001", "search:0s"];
        for name in [
            "greedy!deploy:field",
            "search:20!pass!place:180",
            "random!deploy",
            "hoarder",
            "blocker!pass",
            "novice:12",
            "search:1000x2",
            "greedy+deploy:city+pass!deploy:field",
        ] {
            assert_eq!(player_named(name).unwrap().name, name);
        }
        let more = ["search:s", "search:61s", "search:5ms", "search:-1", "greedy:5", "novice:0", "novice:"];
        let restricted = ["greedy!", "greedy!a!", "!deploy", "greedy!a::b", "greedy+", "greedy+a::b", "random+pass"];
        for name in wrong.into_iter().chain(more).chain(restricted) {
            assert!(player_named(name).is_none(), "{name}");
        }
    }
}
