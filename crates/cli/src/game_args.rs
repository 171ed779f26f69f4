//! The options of a new game, shared by the commands that start a game.

use record::saved_setup;
use table::{BotInfo, DEFAULT_NAMES, HUMAN, MAX_SEATS, Setup, player_named, player_word, random_seed};

use crate::context::{CliError, Context, parse_setting, plural, usage};
use crate::value_error::ValueError;

/// The command-line options of a new game.
#[derive(clap::Args)]
pub struct GameArgs {
    /// Players in seating order: human, random, novice, greedy, search, search:SIMULATIONS,
    /// search:5s or exec:PROGRAM [default: human,greedy; for `host`: human,human]
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = parse_seat)]
    pub players: Vec<SeatKind>,
    /// Names of the players [default: colours]
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    names: Vec<String>,
    /// Mods to play, separated by commas; the mods they require are added [default: base]
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    mods: Vec<String>,
    /// Seed for draws and dice [default: random]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Change a setting of a mod, or a count; may be repeated
    ///
    /// A count sets the copies of a tile or card (base/K=5), the copies of every tile and card of a
    /// mod (river/*=2), or the pieces of each player (follower=8).
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, String)>,
}

/// The player of a seat.
#[derive(Clone, Debug)]
pub enum SeatKind {
    Human,
    Bot(BotInfo),
}

fn parse_seat(name: &str) -> Result<SeatKind, ValueError> {
    let name = name.trim();
    if name == HUMAN {
        return Ok(SeatKind::Human);
    }
    parse_bot(name).map(SeatKind::Bot).map_err(|error| ValueError::NeitherHumanNorBot(error.into()))
}

/// Parses the name of a bot: one of Bastide's, or a program.
///
/// # Errors
/// Returns an error if there is no such bot.
pub fn parse_bot(name: &str) -> Result<BotInfo, ValueError> {
    match programs::program_named(name.trim()) {
        Some(bot) => Ok(bot?),
        None => player_named(name.trim()).ok_or(ValueError::UnknownBot),
    }
}

/// Parses the name of one of Bastide's bots.
///
/// # Errors
/// Returns an error with the available bots if there is no such bot.
pub fn parse_known_bot(name: &str) -> Result<BotInfo, ValueError> {
    player_named(name.trim()).ok_or(ValueError::UnknownOwnBot)
}

impl GameArgs {
    /// Returns whether the user set an option of this struct other than `--players`.
    pub fn has_game_options(&self) -> bool {
        !self.mods.is_empty() || !self.settings.is_empty() || self.seed.is_some() || !self.names.is_empty()
    }

    /// Returns the programs that the user named as players.
    pub fn programs(&self) -> Vec<BotInfo> {
        let bots = self.players.iter().filter_map(|seat| if let SeatKind::Bot(bot) = seat { Some(bot) } else { None });
        bots.filter(|bot| player_named(&bot.name).is_none()).cloned().collect()
    }

    /// Returns the setup of the game. Without `--players`, the seats are `default`.
    ///
    /// # Errors
    /// Returns an error if the mods have errors, or if the settings or players do not fit the mods.
    pub fn setup(&self, context: &mut Context, default: &[&str]) -> Result<Setup, CliError> {
        let kind = |name: &&str| player_named(name).map_or(SeatKind::Human, SeatKind::Bot);
        let seats = if self.players.is_empty() { default.iter().map(kind).collect() } else { self.players.clone() };
        let named = if self.mods.is_empty() { vec!["base".to_owned()] } else { self.mods.clone() };
        let ids = context.resolve_mods(&named);
        let loaded = context.load(&ids)?;
        let settings = loaded.settings_from(&self.settings).map_err(usage)?;
        let rules = context.rules(&loaded, settings)?;
        let names: Vec<&str> = ids.iter().map(String::as_str).collect();
        let players = self.names_of_players(seats.len())?;
        let bots = bots_of(&players, &seats);
        let setup = Setup {
            settings: self.settings.clone(),
            players,
            bots,
            seed: Some(self.seed.unwrap_or_else(random_seed)),
            ..Setup::of(&names, 0)
        };
        setup.check_players(rules.catalogue()).map_err(usage)?;
        Ok(saved_setup(rules.catalogue(), &setup))
    }

    fn names_of_players(&self, n: usize) -> Result<Vec<String>, CliError> {
        if n > MAX_SEATS {
            return Err(usage(format!("{n} players; at most {MAX_SEATS} can play")));
        }
        if self.names.is_empty() {
            return Ok(DEFAULT_NAMES.iter().take(n).map(|c| (*c).to_owned()).collect());
        }
        let n_names = self.names.len();
        if n_names != n {
            return Err(usage(format!("{n_names} name{} for {n} player{}", plural(n_names), plural(n))));
        }
        Ok(self.names.iter().map(|name| player_word(name)).collect())
    }
}

fn bots_of(names: &[String], seats: &[SeatKind]) -> Vec<(String, String)> {
    let bot = |(name, seat): (&String, &SeatKind)| match seat {
        SeatKind::Human => None,
        SeatKind::Bot(bot) => Some((name.clone(), bot.name.to_string())),
    };
    names.iter().zip(seats).filter_map(bot).collect()
}
