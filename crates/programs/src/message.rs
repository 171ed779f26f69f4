//! The messages between Bastide and a bot that is a separate program. Each message is a line of
//! JSON; its field `type` names the message.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of the protocol.
pub const PROTOCOL_VERSION: u32 = 1;

/// A message to a bot. Bots must ignore unknown fields.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BotMessage {
    /// The first message. The bot replies with [`BotReply::Ready`].
    Hello {
        /// The version of the protocol.
        protocol: u32,
        /// The version of the program that sends the message.
        version: String,
    },
    /// A game begins. The bot does not reply to this message.
    Begin {
        /// The name of the player that the bot plays.
        seat: String,
        /// The names of all players, in the initial order of play.
        players: Vec<String>,
        /// The name of the player who begins; `None` if the first of `players` begins.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        begins: Option<String>,
        /// The seed for the bot's random choices. The draws do not depend on this seed.
        #[serde(default)]
        seed: u64,
        /// The mods in load order, each with `id` and `version`.
        mods: Vec<ModVersion>,
        /// The values of the settings, by qualified name such as `base.farmers`.
        #[serde(default)]
        settings: Map<String, Value>,
        /// The tiles, as `bastide tiles --json` prints them.
        #[serde(default)]
        tiles: Vec<Value>,
    },
    /// The bot must choose an option. It replies with [`BotReply::Choose`].
    Decide {
        /// The time limit in seconds; `None` for no limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seconds: Option<f64>,
        /// The state of the game, as `bastide.Game.state` returns it in Python.
        #[serde(default)]
        state: Value,
        /// The decision with its options, as `bastide.Game.decision` returns it in Python.
        #[serde(default)]
        decision: Value,
        /// All answers of the game so far as lines of a record, including draws. `null` replaces
        /// each answer that is hidden from the bot. `None` if the game began at a given position.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answers: Option<Vec<Option<String>>>,
    },
    /// The game is over. The bot does not reply to this message.
    End {
        /// The points of the players, by name.
        scores: Map<String, Value>,
        /// The names of the winners.
        winners: Vec<String>,
        /// All answers of the game, as in `decide`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answers: Option<Vec<Option<String>>>,
    },
}

/// A mod with its version.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ModVersion {
    /// The id of the mod.
    pub id: String,
    /// The version in the mod's manifest.
    #[serde(default)]
    pub version: String,
}

/// A reply of a bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BotReply {
    /// The bot is ready for games.
    Ready {
        /// The version of the protocol that the bot uses.
        protocol: u32,
        /// The name of the bot; `None` if the bot does not state a name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// The chosen option: its number, counted from 0, or its text.
    Choose {
        /// The number of the option; `None` if the bot names the option by its text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        n: Option<usize>,
        /// The text of the option; ignored if the reply contains the number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// The bot cannot continue.
    Error {
        /// The reason.
        message: String,
    },
}
