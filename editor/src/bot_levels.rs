//! The levels of bots, such as Easy: the names that the window shows when the user chooses who
//! plays a seat.

use egui::Ui;
use table::{HUMAN, PLAYERS};

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

/// The levels, the weakest first.
const LEVELS: [BotLevel; 4] = [
    BotLevel { title: "Beginner", bot: "novice", about: "Takes the most points now, but overlooks most places." },
    BotLevel { title: "Easy", bot: "greedy", about: "Takes the most points now and never looks ahead." },
    BotLevel { title: "Medium", bot: "search:100", about: "Tries out a hundred continuations before each choice." },
    BotLevel { title: "Hard", bot: "search", about: "Tries out a thousand continuations before each choice." },
];

/// The bot of a new seat.
pub const DEFAULT_BOT: &str = LEVELS[1].bot;

/// Returns the name of a player in the window: the title of its level, or the name of a bot without
/// a level, or `human` if `bot` is `None`.
pub fn title(bot: Option<&str>) -> &str {
    let Some(bot) = bot else { return HUMAN };
    LEVELS.iter().find(|level| level.bot == bot).map_or(bot, |level| level.title)
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
    fn each_level_is_a_bot_and_the_levels_get_stronger() {
        let place = |level: &BotLevel| PLAYERS.iter().position(|info| info.name == level.bot);
        let places: Vec<Option<usize>> = LEVELS.iter().map(place).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
        assert_eq!([title(None), title(Some("search")), title(Some("search:5s"))], [HUMAN, "Hard", "search:5s"]);
    }

    #[test]
    fn every_bot_has_a_sentence() {
        assert!(description("greedy").is_some_and(|text| text.starts_with("Takes")));
        assert!(description("search:5s").is_some_and(|text| text.contains("5 s")));
        assert_eq!(description("unknown"), None);
    }
}
