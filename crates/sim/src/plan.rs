//! Plans of simulations.

use players::{BotInfo, Restriction, Rng};
use rules::{Catalogue, ModInfo, SettingValue, Setup};

/// A plan of several games with the same setup.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The mods and seats. Ignores the seed in the setup, because each game has its own seed.
    pub setup: Setup,
    /// The values of the settings, in the order of the catalogue.
    pub settings: Vec<SettingValue>,
    /// The players, in the order of seats.
    pub players: Vec<BotInfo>,
    /// True if the players move by one seat after each game, so that each player plays equally
    /// often at each seat.
    pub rotates: bool,
    /// The number of the first game.
    pub first_game: u64,
    /// The number of games.
    pub n_games: u64,
    /// The seed from which the seed of each game is derived.
    pub seed: u64,
    /// The number of consecutive games with the same seed. If it is 2 and the players of a game for
    /// two rotate, each pair of games has the same draws and swapped seats.
    pub games_per_seed: u64,
    /// The number of threads, which does not affect the results.
    pub n_threads: usize,
    /// True if each result must contain the record of its game.
    pub with_records: bool,
    /// True to collect details: options, tiles, sources of points. Collecting details takes a
    /// little time.
    pub details: bool,
    /// True to count the calls of mods' functions.
    pub counts_calls: bool,
    /// Selects the options whose uses the simulation counts. The players may choose these options,
    /// unless their own restrictions forbid them.
    pub watched: Restriction,
}

impl Plan {
    /// Plans `n_games` games on one thread with seed 1. The plan collects no details and no
    /// records, and counts no calls.
    pub fn new(setup: Setup, settings: Vec<SettingValue>, players: Vec<BotInfo>, n_games: u64) -> Plan {
        Plan {
            setup,
            settings,
            players,
            rotates: false,
            first_game: 0,
            n_games,
            seed: 1,
            games_per_seed: 1,
            n_threads: 1,
            with_records: false,
            details: false,
            counts_calls: false,
            watched: Restriction::NONE,
        }
    }

    /// Returns the number of seats by which the players are shifted in game number `number`.
    pub(crate) fn rotation(&self, number: u64) -> usize {
        if self.rotates { (number % self.players.len().max(1) as u64) as usize } else { 0 }
    }

    /// Returns the seed of game number `number`.
    pub(crate) fn seed_of(&self, number: u64) -> u64 {
        seed_of_game(self.seed, number / self.games_per_seed.max(1))
    }

    /// Returns whether bots with different names play.
    pub fn has_different_players(&self) -> bool {
        self.players.windows(2).any(|pair| matches!(pair, [a, b] if a.name != b.name))
    }

    /// Returns the name of player `number`, counted from 0. If several players have the same name,
    /// appends a number counted from 1, such as `greedy 2`.
    pub fn player_label(&self, number: usize) -> String {
        let Some(player) = self.players.get(number) else { return String::new() };
        match self.players.iter().filter(|p| p.name == player.name).count() {
            1 => player.name.to_string(),
            _ => {
                let before = self.players.iter().take(number).filter(|p| p.name == player.name).count();
                format!("{} {}", player.name, before + 1)
            }
        }
    }

    /// Describes the games exactly enough to play them again: mods with versions and hashes,
    /// settings, players, seed, and the version of this program. Each item is a label and a value.
    pub fn description(&self, catalogue: &Catalogue) -> Vec<(String, String)> {
        let of_mod = |m: &ModInfo| format!("{} {} {:016x}", m.id, m.version, m.hash);
        let settings = catalogue.settings.iter().zip(&self.settings).map(|(setting, value)| {
            let owner = catalogue.mods.get(setting.owner.idx()).map_or("", |m| m.id.as_str());
            format!("{owner}.{} {value}", setting.name)
        });
        // The values of counts, such as `base/K` and `follower`, are not in the catalogue.
        let counts = self.setup.settings.iter().filter(|(name, _)| catalogue.is_count(name));
        let settings = settings.chain(counts.map(|(name, n)| format!("{name} {n}")));
        let seats = self.setup.players.iter().zip(&self.players).map(|(name, bot)| format!("{name} {}", bot.name));
        let joined = |list: Vec<String>| list.join(", ");
        let items = [
            ("mods", joined(catalogue.mods.iter().map(of_mod).collect())),
            ("settings", joined(settings.collect())),
            ("position", joined(self.setup.position.clone())),
            ("players", joined(seats.collect())),
            ("rotation", if self.games_per_seed > 1 { "same draws".to_owned() } else { self.rotates.to_string() }),
            ("details", self.details.to_string()),
            ("seed", self.seed.to_string()),
            ("program", concat!("bastide ", env!("CARGO_PKG_VERSION")).to_owned()),
        ];
        items.map(|(what, value)| (what.to_owned(), value)).to_vec()
    }

    /// Divides the plan into `n_shards` shards of consecutive games. Returns the shard with the
    /// number `shard`, counted from 1.
    pub fn shard(&self, shard: u64, n_shards: u64) -> Plan {
        let at = |n: u64| (u128::from(self.n_games) * u128::from(n) / u128::from(n_shards.max(1))) as u64;
        let (from, to) = (at(shard.saturating_sub(1)), at(shard));
        Plan { first_game: self.first_game + from, n_games: to.saturating_sub(from), ..self.clone() }
    }
}

/// Returns the seed of game number `n` in a simulation with base seed `seed`. The record of the
/// game contains this seed.
///
/// The seed has 48 bits, so that spreadsheets and JSON readers preserve every digit.
pub fn seed_of_game(seed: u64, n: u64) -> u64 {
    Rng::derived_seed(seed, n) >> 16
}

/// A reason why a plan cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct PlanError(pub String);
