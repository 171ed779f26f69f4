//! The levels of bots, such as Easy: the names that the window shows when the user chooses who
//! plays a seat.

use egui::Ui;
use table::{PLAYERS, Seat, Snapshot};

/// A bot with a name for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BotLevel {
    /// The name in the window.
    title: &'static str,
    /// The name of the bot in commands and records.
    bot: &'static str,
    /// A sentence about the way the bot plays.
    about: &'static str,
}

/// The levels, the weakest first. Each one wins at least 65% of base games against the level
/// before (`crates/players/README.md`).
const LEVELS: [BotLevel; 5] = [
    BotLevel { title: "Beginner", bot: "novice", about: "Takes the most points now, but overlooks almost all places." },
    BotLevel { title: "Easy", bot: "novice:10", about: "Takes the most points now, but overlooks some places." },
    BotLevel { title: "Medium", bot: "greedy", about: "Takes the most points now and never looks ahead." },
    BotLevel { title: "Hard", bot: "search:20", about: "Tries out twenty continuations before each choice." },
    BotLevel { title: "Expert", bot: "search", about: "Tries out a thousand continuations before each choice." },
];

/// The name of a player who is not a bot.
const HUMAN: &str = "Human";

/// The bot of a new seat.
pub const DEFAULT_BOT: &str = LEVELS[2].bot;

/// Returns the name of a player in the window: the title of its level, or the name of a bot without
/// a level, or `Human` if `bot` is `None`.
pub fn title(bot: Option<&str>) -> &str {
    let Some(bot) = bot else { return HUMAN };
    LEVELS.iter().find(|level| level.bot == bot).map_or(bot, |level| level.title)
}

/// Returns the name of the bot that plays a seat; `None` for a human.
pub fn bot_of(session: &Snapshot, seat: Seat) -> Option<&str> {
    let name = session.view().record_name(seat);
    session.setup().bots.iter().find(|(player, _)| player == name).map(|(_, bot)| bot.as_str())
}

/// Returns a sentence about the bot called `bot`; `None` for an unknown bot.
pub fn description(bot: &str) -> Option<String> {
    match LEVELS.iter().find(|level| level.bot == bot) {
        Some(level) => Some(level.about.to_owned()),
        None => table::player_named(bot).map(|info| format!("It {}.", info.about)),
    }
}

/// Draws the entries of a menu that chooses the player of a seat: a human, a level, or another bot.
/// Returns `None` until the user clicks an entry, then `Some(None)` for a human or the name of the
/// chosen bot.
pub fn choices(ui: &mut Ui, bot: Option<&str>) -> Option<Option<String>> {
    let mut chosen = None;
    if ui.selectable_label(bot.is_none(), HUMAN).clicked() {
        chosen = Some(None);
    }
    for level in LEVELS {
        if ui.selectable_label(bot == Some(level.bot), level.title).on_hover_text(level.about).clicked() {
            chosen = Some(Some(level.bot.to_owned()));
        }
    }
    ui.menu_button("Other…", |ui| {
        for info in PLAYERS {
            let is_it = bot == Some(&*info.name);
            if ui.selectable_label(is_it, &*info.name).on_hover_text(format!("It {}.", info.about)).clicked() {
                chosen = Some(Some(info.name.to_string()));
                ui.close();
            }
        }
    });
    if chosen.is_some() {
        ui.close();
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_is_a_bot() {
        assert!(LEVELS.iter().all(|level| table::player_named(level.bot).is_some()));
        assert_eq!([title(None), title(Some("search")), title(Some("search:5s"))], [HUMAN, "Expert", "search:5s"]);
        assert_eq!(title(Some(DEFAULT_BOT)), "Medium");
    }

    #[test]
    fn every_bot_has_a_sentence() {
        assert!(description("greedy").is_some_and(|text| text.starts_with("Takes")));
        assert!(description("search:5s").is_some_and(|text| text.contains("5 s")));
        assert_eq!(description("unknown"), None);
    }
}
