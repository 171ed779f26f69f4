//! The window that starts a new game: mods, players, bots, settings and seed.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use door::MAX_NAME;
use egui::containers::menu::MenuButton;
use egui::{Button, CollapsingHeader, Context, Grid, RichText, Role, ScrollArea, TextEdit, Ui};
use table::{
    DEFAULT_NAMES, MAX_SEATS, ModOnDisk, ModSelection, Problems, Session, SettingView, Setup, player_label, player_word,
};

use super::cover_cards::{CoverCard, cover_cards};
use super::place;
use crate::actions::Action;
use crate::bot_levels;
use crate::covers::Covers;
use crate::panels;
use crate::ui_context::UiContext;

/// The largest height of the columns of mods and of players, in points.
const MAX_COLUMN: f32 = 560.0;

/// The smallest width, in points, that has room for both columns side by side.
const MIN_TWO_COLUMNS: f32 = 560.0;

/// The height of everything around the columns: title, buttons and margins, in points.
const AROUND_COLUMNS: f32 = 160.0;

/// A seat of the new game.
#[derive(Clone, PartialEq, Eq, Debug)]
struct SeatDraft {
    name: String,
    bot: Option<String>,
}

/// The window and the user's choices in it.
#[derive(Default)]
pub struct NewGameWindow {
    is_open: bool,
    known: Arc<Vec<ModOnDisk>>,
    /// The id of the chosen game; empty until the mods on disk are known.
    game: String,
    /// The ids of the ticked expansions of all games, so that they are still ticked when the user
    /// returns to a game.
    ticked: Vec<String>,
    seats: Vec<SeatDraft>,
    settings: Vec<(String, String)>,
    seed: String,
    /// The combined declarations of the chosen mods, or the reason why these mods cannot be played.
    selection: Option<Result<ModSelection, Problems>>,
    /// The channel for the next `selection`, while the game thread reads the mods.
    loading: Option<Receiver<Result<ModSelection, Problems>>>,
    covers: Covers,
}

impl NewGameWindow {
    /// Draws the window, if it is open.
    pub fn show(&mut self, ctx: &Context, cx: &mut UiContext<'_>) {
        if !cx.view_state.windows.new_game {
            self.is_open = false;
            return;
        }
        if !self.is_open {
            self.begin(cx);
        }
        match cx.session.mods_on_disk() {
            Some(mods) => self.known = mods.clone(),
            None => cx.request_action(Action::LookAtDisk),
        }
        self.find_game();
        self.apply_loaded_mods(cx);
        self.covers.refresh(ctx, cx.session.library(), &self.known, cx.settings.palette.as_deref());
        let mut is_open = true;
        let mut begins = false;
        place::centred(ctx, "New game", [900.0, 560.0]).open(&mut is_open).vscroll(false).show(ctx, |ui| {
            // The columns scroll if the screen has no room for them above the buttons.
            let height = (ui.ctx().content_rect().height() - AROUND_COLUMNS).clamp(80.0, MAX_COLUMN);
            let area = |name: &str| ScrollArea::vertical().id_salt(name).max_height(height).auto_shrink([false, true]);
            if ui.available_width() < MIN_TWO_COLUMNS {
                area("mods and table").show(ui, |ui| {
                    self.mods(ui, cx);
                    ui.separator();
                    self.table(ui);
                });
            } else {
                ui.columns(2, |columns| {
                    area("mods").show(&mut columns[0], |ui| self.mods(ui, cx));
                    area("table").show(&mut columns[1], |ui| self.table(ui));
                });
            }
            ui.separator();
            begins = self.foot(ui);
        });
        if begins {
            cx.request_action(Action::Begin(Box::new(self.setup())));
            is_open = false;
        }
        cx.view_state.windows.new_game = is_open;
    }

    /// Fills the window with the mods, players and settings of the current game. If a puzzle or a
    /// lesson is on the board, uses the game that was started last instead.
    fn begin(&mut self, cx: &UiContext<'_>) {
        let last = cx.is_exercise.then(|| cx.settings.setup_of_last_game());
        let setup = last.as_ref().unwrap_or(cx.session.setup());
        self.is_open = true;
        self.game.clear();
        self.ticked = setup.mods.iter().map(|m| m.id.clone()).collect();
        self.seats = setup
            .players
            .iter()
            .map(|name| SeatDraft {
                name: player_label(name),
                bot: setup.bots.iter().find(|(player, _)| player == name).map(|(_, bot)| bot.clone()),
            })
            .collect();
        self.settings = setup.settings.clone();
        self.seed.clear();
        // Without a game, `chosen` would leave out the mods that an earlier opening has read.
        self.find_game();
        self.load(cx);
    }

    /// Reads the chosen mods on the game thread, because reading can take long.
    fn load(&mut self, cx: &UiContext<'_>) {
        let chosen = self.chosen();
        let load = move |session: &Session| ModSelection::load(session.library(), &chosen);
        self.loading = Some(cx.insight.ask(load));
    }

    /// Applies the declarations of the chosen mods when the game thread has read them. Removes
    /// settings that these mods do not accept, and adapts the number of seats.
    fn apply_loaded_mods(&mut self, cx: &UiContext<'_>) {
        let Some(selection) = self.loading.as_ref().and_then(|loading| cx.insight.poll(loading)) else { return };
        self.loading = None;
        if let Ok(selection) = &selection {
            self.settings.retain(|setting| selection.accepts(setting));
            let (least, most) = selection.n_players();
            while self.seats.len() < usize::from(least) {
                self.add_seat();
            }
            self.seats.truncate(usize::from(most));
        }
        self.selection = Some(selection);
    }

    /// Draws the games, of which one is chosen, and the expansions of this game.
    fn mods(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        let before = self.chosen();
        let known = self.known.clone();
        ui.label(RichText::new("Game").strong());
        let games: Vec<&ModOnDisk> = known.iter().filter(|it| it.is_game && it.error.is_none()).collect();
        let card = |it: &&ModOnDisk| self.card(it, Role::RadioButton, self.game == it.id, None);
        if let Some(i) = cover_cards(ui, games.iter().map(card).collect()) {
            self.game = games.get(i).map_or(String::new(), |game| game.id.clone());
        }
        ui.add_space(6.0);
        self.expansions(ui);
        let broken: Vec<_> = known.iter().filter_map(|it| Some((it, it.error.as_ref()?))).collect();
        if !broken.is_empty() {
            ui.add_space(6.0);
            ui.label(RichText::new("With problems").strong());
        }
        for (it, problem) in broken {
            ui.add_enabled(false, egui::Label::new(&it.title)).on_disabled_hover_text(problem);
        }
        if self.chosen() != before {
            self.load(cx);
        }
    }

    /// Makes the card of a mod. `required_by` is the title of a chosen mod that requires it.
    fn card(&self, it: &ModOnDisk, role: Role, is_chosen: bool, required_by: Option<&str>) -> CoverCard {
        let cover = self.covers.get(&it.id);
        CoverCard {
            title: it.title.clone(),
            n_tiles: cover.map(|(_, n)| n),
            picture: cover.map(|(picture, _)| picture),
            about: required_by.map_or(it.about.clone(), |by| format!("Required by {by}. {}", it.about)),
            role,
            is_chosen,
            is_fixed: required_by.is_some(),
        }
    }

    /// Draws the expansions of the chosen game, and two buttons that choose all or none of them.
    fn expansions(&mut self, ui: &mut Ui) {
        let known = self.known.clone();
        let is_own = |it: &&ModOnDisk| it.error.is_none() && it.id != self.game && self.is_of_game(it);
        let own: Vec<&ModOnDisk> = known.iter().filter(is_own).collect();
        ui.horizontal(|ui| {
            ui.label(RichText::new("Expansions").strong());
            if ui.add_enabled(!own.is_empty(), Button::new("All").small()).clicked() {
                let new = own.iter().map(|it| &it.id).filter(|id| !self.ticked.contains(id));
                self.ticked.extend(new.cloned().collect::<Vec<_>>());
            }
            if ui.add_enabled(!own.is_empty(), Button::new("None").small()).clicked() {
                self.ticked.retain(|id| own.iter().all(|it| it.id != *id));
            }
        });
        if own.is_empty() {
            ui.weak("This game has no expansions.");
        }
        let card = |it: &&ModOnDisk| {
            let by = known.iter().find(|k| self.ticked.contains(&k.id) && k.needs(&it.id));
            let is_chosen = by.is_some() || self.ticked.contains(&it.id);
            self.card(it, Role::CheckBox, is_chosen, by.map(|by| by.title.as_str()))
        };
        let Some(it) = cover_cards(ui, own.iter().map(card).collect()).and_then(|i| own.get(i)) else { return };
        if self.ticked.contains(&it.id) {
            self.ticked.retain(|id| *id != it.id);
        } else {
            self.ticked.push(it.id.clone());
        }
    }

    /// Finds the game of the ticked mods, as soon as the mods on disk are known.
    fn find_game(&mut self) {
        if !self.game.is_empty() {
            return;
        }
        let ticked = self.known.iter().filter(|it| self.ticked.contains(&it.id));
        let mut games = ticked.flat_map(|it| &it.with).filter(|id| self.is_game(id));
        if let Some(game) = games.next().cloned() {
            self.ticked.retain(|id| *id != game);
            self.game = game;
        }
    }

    fn is_game(&self, id: &str) -> bool {
        self.known.iter().any(|it| it.id == id && it.is_game && it.error.is_none())
    }

    /// Returns whether a mod is the chosen game or an expansion of it.
    fn is_of_game(&self, it: &ModOnDisk) -> bool {
        it.with.contains(&self.game)
    }

    /// Returns the ids of the chosen game and its ticked expansions.
    fn chosen(&self) -> Vec<String> {
        let of_game = |id: &&String| self.known.iter().find(|it| it.id == **id).is_none_or(|it| self.is_of_game(it));
        let game = Some(&self.game).filter(|game| !game.is_empty());
        game.into_iter().chain(self.ticked.iter().filter(of_game)).cloned().collect()
    }

    fn table(&mut self, ui: &mut Ui) {
        ui.label(RichText::new("Players").strong());
        let limits = match &self.selection {
            Some(Ok(selection)) => selection.n_players(),
            _ => (1, MAX_SEATS as u8),
        };
        let mut gone = None;
        Grid::new("seats").num_columns(3).show(ui, |ui| {
            let n = self.seats.len();
            for (i, seat) in self.seats.iter_mut().enumerate() {
                let name = TextEdit::singleline(&mut seat.name).char_limit(MAX_NAME).min_size(egui::vec2(120.0, 0.0));
                ui.add(name).accessible_name(format!("Name of player {}", i + 1));
                let button = Button::new(bot_levels::title(seat.bot.as_deref())).min_size(egui::vec2(76.0, 0.0));
                let (who, _) = MenuButton::from_button(button).ui(ui, |ui| {
                    ui.set_min_width(110.0);
                    if let Some(chosen) = bot_levels::choices(ui, seat.bot.as_deref()) {
                        seat.bot = chosen;
                    }
                });
                let about = seat.bot.as_deref().and_then(bot_levels::description).unwrap_or_default();
                let who = who.accessible_name(format!("Who plays seat {}", i + 1));
                if !about.is_empty() {
                    who.on_hover_text(about);
                }
                if ui.add_enabled(n > usize::from(limits.0), Button::new("Remove")).clicked() {
                    gone = Some(i);
                }
                ui.end_row();
            }
        });
        if let Some(i) = gone {
            self.seats.remove(i);
        }
        ui.horizontal(|ui| {
            let more = Button::new("Add a player");
            if ui.add_enabled(self.seats.len() < usize::from(limits.1), more).clicked() {
                self.add_seat();
            }
            ui.weak(format!("This game is for {} to {} players.", limits.0, limits.1));
        });
        ui.add_space(6.0);
        self.rules(ui);
        ui.add_space(6.0);
        ui.horizontal_wrapped(|ui| {
            let label = ui.label("Seed");
            ui.add(TextEdit::singleline(&mut self.seed).hint_text("any").desired_width(90.0)).labelled_by(label.id);
            ui.weak("The same seed gives the same draws.");
        });
    }

    fn add_seat(&mut self) {
        let is_free = |name: &&&str| self.seats.iter().all(|s| s.name != **name);
        let name = DEFAULT_NAMES
            .iter()
            .find(is_free)
            .map_or_else(|| format!("player{}", self.seats.len() + 1), |c| (*c).to_owned());
        self.seats.push(SeatDraft { name, bot: Some(bot_levels::DEFAULT_BOT.to_owned()) });
    }

    /// Draws the settings of the chosen mods.
    fn rules(&mut self, ui: &mut Ui) {
        let Some(Ok(selection)) = &self.selection else { return };
        let (settings, counts, item_counts) = (selection.settings(), selection.counts(), selection.item_counts());
        ui.label(RichText::new("Rules").strong());
        let mut last = "";
        for setting in &settings {
            let owner = setting.name.split_once('.').map_or("", |(owner, _)| owner);
            if owner != last {
                let title = self.known.iter().find(|it| it.id == owner).map_or(owner, |it| &it.title);
                ui.weak(title);
                last = owner;
            }
            self.setting(ui, setting);
        }
        CollapsingHeader::new("Number of tiles and pieces").show(ui, |ui| {
            for count in &counts {
                self.setting(ui, count);
            }
            for (title, counts) in &item_counts {
                CollapsingHeader::new(format!("{title}: each tile and card")).show(ui, |ui| {
                    counts.iter().for_each(|count| self.setting(ui, count));
                });
            }
        });
    }

    /// Draws the control of a setting. Stores its value unless it is the default.
    fn setting(&mut self, ui: &mut Ui, setting: &SettingView) {
        let name = &setting.name;
        let now = self.settings.iter().find(|(n, _)| n == name).and_then(|(_, v)| setting.default.parse_like(v));
        let before = now.unwrap_or_else(|| setting.default.clone());
        let mut value = before.clone();
        ui.horizontal(|ui| panels::setting(ui, setting, &mut value));
        if value != before {
            self.settings.retain(|(n, _)| n != name);
            if value != setting.default {
                self.settings.push((name.clone(), value.to_string()));
            }
        }
    }

    /// Draws the problem, if there is one, and the start button. Returns whether the user pressed
    /// the button.
    fn foot(&self, ui: &mut Ui) -> bool {
        let problem = self.problem();
        let mut pressed = false;
        ui.horizontal(|ui| {
            let button = Button::new(RichText::new("Begin").strong()).min_size(egui::vec2(110.0, 28.0));
            pressed = ui.add_enabled(problem.is_none(), button).clicked();
            match problem {
                Some(problem) => {
                    let first = problem.lines().next().unwrap_or_default().to_owned();
                    ui.add(egui::Label::new(first).truncate()).on_hover_text(problem);
                }
                None => {
                    let text = "The current game is saved; to open it, choose Open record… in the Game menu.";
                    ui.add(egui::Label::new(RichText::new(text).weak()).wrap());
                }
            }
        });
        pressed
    }

    fn problem(&self) -> Option<String> {
        if self.loading.is_some() {
            return Some("reading the mods…".to_owned());
        }
        match &self.selection {
            Some(Err(problems)) => return Some(problems.render(false)),
            Some(Ok(selection)) => {
                if let Err(error) = selection.check_players(&self.setup()) {
                    return Some(error.to_string());
                }
            }
            None => return Some("choose a game".to_owned()),
        }
        if !self.seed.trim().is_empty() && self.seed.trim().parse::<u64>().is_err() {
            return Some(format!("`{}` is not a seed: enter a whole number or nothing", self.seed.trim()));
        }
        None
    }

    fn setup(&self) -> Setup {
        let chosen = self.chosen();
        let mods: Vec<&str> = chosen.iter().map(String::as_str).collect();
        let bot = |s: &SeatDraft| Some((player_word(&s.name), s.bot.clone()?));
        Setup {
            players: self.seats.iter().map(|s| player_word(&s.name)).collect(),
            bots: self.seats.iter().filter_map(bot).collect(),
            settings: self.settings.clone(),
            seed: self.seed.trim().parse().ok(),
            ..Setup::of(&mods, 0)
        }
    }
}
