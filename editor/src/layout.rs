//! The panels and where they are docked.

use egui::{Ui, WidgetText};
use egui_tiles::{
    Container, Linear, LinearDir, SimplificationOptions, TabState, Tile, TileId, Tiles, Tree, UiResponse,
};
use serde::{Deserialize, Serialize};

use crate::board::BoardView;
use crate::panels;
use crate::ui_context::UiContext;

/// A panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pane {
    /// The board.
    Board,
    /// The drawn tile and the bag.
    Next,
    /// The players.
    Players,
    /// What is asked.
    Prompt,
    /// What has happened in the game.
    Log,
    /// What is wrong with mods.
    Problems,
    /// The mods on disk.
    Mods,
}

impl Pane {
    /// Its name on its tab.
    pub const fn title(self) -> &'static str {
        match self {
            Pane::Board => "Board",
            Pane::Next => "Next tile",
            Pane::Players => "Players",
            Pane::Prompt => "Question",
            Pane::Log => "Event log",
            Pane::Problems => "Problems",
            Pane::Mods => "Mods",
        }
    }
}

/// The layout that people find at first.
pub fn default_tree() -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let board = tiles.insert_pane(Pane::Board);
    let log = tiles.insert_pane(Pane::Log);
    let problems = tiles.insert_pane(Pane::Problems);
    let mods = tiles.insert_pane(Pane::Mods);
    let below = tiles.insert_tab_tile(vec![log, problems, mods]);
    if let Some(Tile::Container(Container::Tabs(tabs))) = tiles.get_mut(below) {
        tabs.set_active(log);
    }
    let middle = linear(&mut tiles, LinearDir::Vertical, &[(board, 0.8), (below, 0.2)]);
    let next = tiles.insert_pane(Pane::Next);
    let players = tiles.insert_pane(Pane::Players);
    let prompt = tiles.insert_pane(Pane::Prompt);
    let right = linear(&mut tiles, LinearDir::Vertical, &[(next, 0.24), (prompt, 0.30), (players, 0.46)]);
    let root = linear(&mut tiles, LinearDir::Horizontal, &[(middle, 0.77), (right, 0.23)]);
    Tree::new(egui::Id::unique("layout"), root, tiles)
}

fn linear(tiles: &mut Tiles<Pane>, dir: LinearDir, children: &[(TileId, f32)]) -> TileId {
    let mut linear = Linear::new(dir, children.iter().map(|(id, _)| *id).collect());
    children.iter().for_each(|(id, share)| linear.shares.set_share(*id, *share));
    tiles.insert_container(linear)
}

/// A kept layout; the default one where it does not hold every panel once.
pub fn tree_from(kept: Option<&serde_json::Value>) -> Tree<Pane> {
    let tree: Option<Tree<Pane>> = kept.and_then(|k| serde_json::from_value(k.clone()).ok());
    let all = [Pane::Board, Pane::Next, Pane::Players, Pane::Prompt, Pane::Log, Pane::Problems, Pane::Mods];
    let holds = |tree: &Tree<Pane>| {
        let n = |pane: Pane| tree.tiles.tiles().filter(|t| matches!(t, Tile::Pane(p) if *p == pane)).count();
        all.iter().all(|pane| n(*pane) == 1)
    };
    tree.filter(holds).unwrap_or_else(default_tree)
}

/// Finds the tile of a panel.
pub fn find(tree: &Tree<Pane>, pane: Pane) -> Option<TileId> {
    tree.tiles.iter().find(|(_, tile)| matches!(tile, Tile::Pane(p) if *p == pane)).map(|(id, _)| *id)
}

/// Shows or hides a panel; what is hidden takes no room.
pub fn toggle(tree: &mut Tree<Pane>, pane: Pane) {
    if let Some(id) = find(tree, pane) {
        let is_visible = tree.is_visible(id);
        tree.set_visible(id, !is_visible);
        if !is_visible {
            show(tree, pane);
        }
    }
}

/// Shows a panel and brings its tab to the front.
pub fn show(tree: &mut Tree<Pane>, pane: Pane) {
    if let Some(id) = find(tree, pane) {
        tree.set_visible(id, true);
        tree.make_active(|tile, _| tile == id);
    }
}

/// Draws the panels.
pub struct Docked<'a, 'c> {
    /// What the panels work with.
    pub cx: &'a mut UiContext<'c>,
    /// The board.
    pub board: &'a mut BoardView,
    /// Set where the layout was changed by hand.
    pub is_edited: bool,
}

impl egui_tiles::Behavior<Pane> for Docked<'_, '_> {
    fn pane_ui(&mut self, ui: &mut Ui, _id: TileId, pane: &mut Pane) -> UiResponse {
        match pane {
            Pane::Board => self.board.show(ui, self.cx),
            Pane::Next => panels::next_tile(ui, self.cx),
            Pane::Players => panels::players(ui, self.cx),
            Pane::Prompt => panels::prompt(ui, self.cx),
            Pane::Log => panels::log(ui, self.cx),
            Pane::Problems => panels::problems(ui, self.cx),
            Pane::Mods => panels::mods(ui, self.cx),
        }
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        match pane {
            Pane::Problems => match self.cx.session.problems().list().len() {
                0 => pane.title().into(),
                n => egui::RichText::new(format!("Problems ({n})")).strong().into(),
            },
            _ => pane.title().into(),
        }
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: false, ..SimplificationOptions::default() }
    }

    fn on_edit(&mut self, _: egui_tiles::EditAction) {
        self.is_edited = true;
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        4.0
    }

    fn tab_text_color(&self, visuals: &egui::Visuals, _: &Tiles<Pane>, _: TileId, state: &TabState) -> egui::Color32 {
        if state.active { visuals.strong_text_color() } else { visuals.weak_text_color() }
    }
}
