//! The panels and their docking layout.

use egui::{Ui, WidgetText};
use egui_tiles::{
    Container, Linear, LinearDir, SimplificationOptions, TabState, Tile, TileId, Tiles, Tree, UiResponse,
};

use crate::board::BoardView;
use crate::panels::{self, PANES, Pane, PanePlace};
use crate::rules::RulesView;
use crate::tiles::TilesPane;
use crate::ui_context::UiContext;

fn panes_at(place: PanePlace) -> impl Iterator<Item = Pane> {
    PANES.iter().filter(move |info| info.place == place).map(|info| info.pane)
}

/// Returns the default layout.
pub fn default_tree() -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let [centre, dock] = [PanePlace::Centre, PanePlace::Dock].map(|place| {
        let tabs: Vec<TileId> = panes_at(place).map(|pane| tiles.insert_pane(pane)).collect();
        let front = tabs[0];
        let container = tiles.insert_tab_tile(tabs);
        if let Some(Tile::Container(Container::Tabs(tabs))) = tiles.get_mut(container) {
            tabs.set_active(front);
        }
        container
    });
    let middle = linear(&mut tiles, LinearDir::Vertical, &[(centre, 0.76), (dock, 0.24)]);
    let column =
        panes_at(PanePlace::Column).map(|pane| tiles.insert_pane(pane)).zip([0.24, 0.30, 0.46]).collect::<Vec<_>>();
    let column = linear(&mut tiles, LinearDir::Vertical, &column);
    let root = linear(&mut tiles, LinearDir::Horizontal, &[(middle, 0.77), (column, 0.23)]);
    // The log and its neighbours stay folded until the user opens them.
    tiles.set_visible(dock, false);
    Tree::new(egui::Id::unique("layout"), root, tiles)
}

fn linear(tiles: &mut Tiles<Pane>, dir: LinearDir, children: &[(TileId, f32)]) -> TileId {
    let mut linear = Linear::new(dir, children.iter().map(|(id, _)| *id).collect());
    children.iter().for_each(|(id, share)| linear.shares.set_share(*id, *share));
    tiles.insert_container(linear)
}

/// Returns the stored layout `kept`, or the default layout if `kept` does not contain each panel
/// exactly once.
pub fn tree_from(kept: Option<&serde_json::Value>) -> Tree<Pane> {
    let tree: Option<Tree<Pane>> = kept.and_then(|k| serde_json::from_value(k.clone()).ok());
    let holds = |tree: &Tree<Pane>| {
        let n = |pane: Pane| tree.tiles.tiles().filter(|t| matches!(t, Tile::Pane(p) if *p == pane)).count();
        PANES.iter().all(|info| n(info.pane) == 1)
    };
    tree.filter(holds).unwrap_or_else(default_tree)
}

/// Returns the heights, in points, of the three panels in a right column with the height `height`:
/// the drawn tile, the decision and the players, in this order. The drawn tile needs little room.
/// The players get the height that their cards can use. The decision gets the remaining height, so
/// that its choices are not cut off.
fn column_heights(height: f32, n_seats: usize) -> [f32; 3] {
    let next = (height * 0.22).clamp(60.0, 150.0);
    let question = (height * 0.36).clamp(150.0, 300.0);
    let (least, most) = panels::players_heights(n_seats, panels::MAX_HEIGHT);
    let players = (height - next - question).min(most).max(least.min(height * 0.5));
    [next, height - next - players, players]
}

/// Finds the container of the drawn tile, the decision and the players: a column beside the board
/// or, in a tall window, a row below it. Returns `None` if the user has moved panels into or out of
/// this container.
fn column(tree: &Tree<Pane>) -> Option<(TileId, LinearDir)> {
    let parent = tree.tiles.parent_of(find(tree, Pane::Prompt)?)?;
    let Some(Tile::Container(Container::Linear(linear))) = tree.tiles.get(parent) else { return None };
    let panes = panes_at(PanePlace::Column).map(|pane| find(tree, pane));
    let is_ours = linear.children.iter().map(|id| Some(*id)).eq(panes);
    is_ours.then_some((parent, linear.dir))
}

/// Divides the height of the right column among its panels by their content. Does nothing if the
/// user has moved panels into or out of the column.
pub fn fit_column(tree: &mut Tree<Pane>, n_seats: usize) {
    let Some((parent, LinearDir::Vertical)) = column(tree) else { return };
    let Some(height) = tree.tiles.rect(parent).map(|rect| rect.height()) else { return };
    if let Some(Tile::Container(Container::Linear(linear))) = tree.tiles.get_mut(parent) {
        let heights = linear.children.clone().into_iter().zip(column_heights(height, n_seats));
        heights.for_each(|(id, height)| linear.shares.set_share(id, height));
    }
}

/// Hides the column of the drawn tile, the decision and the players while a tab other than the
/// board is in front, so that this tab has more room. Does nothing if the user has moved panels
/// into or out of the column.
pub fn fold_column(tree: &mut Tree<Pane>) {
    let Some((parent, _)) = column(tree) else { return };
    tree.set_visible(parent, is_seen(tree, Pane::Board));
}

/// Returns whether a window is too narrow, compared with its height, for panels beside the board,
/// as on a phone.
pub fn is_tall(size: egui::Vec2) -> bool {
    size.y > 1.2 * size.x
}

/// Adapts the default layout to a tall window if `is_tall` is true, or to a wide window otherwise.
/// In a tall window, the panels beside the board move below it, and the tabs with the event log are
/// folded. Does nothing if the user has changed the layout.
pub fn set_tall(tree: &mut Tree<Pane>, is_tall: bool) {
    let column = [Pane::Next, Pane::Prompt, Pane::Players].map(|pane| find(tree, pane));
    let [Some(next), Some(prompt), Some(players)] = column else { return };
    let Some(beside) = tree.tiles.parent_of(prompt) else { return };
    let Some(whole) = tree.tiles.parent_of(beside) else { return };
    let (outer, inner) = if is_tall {
        (LinearDir::Vertical, LinearDir::Horizontal)
    } else {
        (LinearDir::Horizontal, LinearDir::Vertical)
    };
    let is_ours = |id: TileId, n: usize, dir: LinearDir| {
        let Some(Tile::Container(Container::Linear(linear))) = tree.tiles.get(id) else { return false };
        linear.children.len() == n && linear.dir == dir
    };
    if !is_ours(whole, 2, inner) || !is_ours(beside, 3, outer) {
        return;
    }
    for (id, dir) in [(whole, outer), (beside, inner)] {
        if let Some(Tile::Container(Container::Linear(linear))) = tree.tiles.get_mut(id) {
            linear.dir = dir;
            let children = linear.children.clone();
            let share = |child: TileId| match (child == beside, is_tall) {
                (true, true) => 0.26,
                (true, false) => 0.23,
                (false, true) if child == next => 0.36,
                (false, true) if child == prompt => 0.34,
                (false, true) if child == players => 0.3,
                (false, true) => 0.74,
                (false, false) => 0.77,
            };
            children.into_iter().for_each(|child| linear.shares.set_share(child, share(child)));
        }
    }
    if is_tall && shows_dock(tree) {
        toggle_dock(tree);
    }
}

/// Returns the node of a panel in the layout, if the layout contains the panel.
pub fn find(tree: &Tree<Pane>, pane: Pane) -> Option<TileId> {
    tree.tiles.iter().find(|(_, tile)| matches!(tile, Tile::Pane(p) if *p == pane)).map(|(id, _)| *id)
}

/// Returns the dock: the tabs below the board, including the event log. If the user has moved the
/// event log out of the tabs, returns the event log alone. Returns `None` if the layout lacks the
/// event log.
fn dock(tree: &Tree<Pane>) -> Option<TileId> {
    let log = find(tree, Pane::Log)?;
    let parent = tree.tiles.parent_of(log)?;
    let is_tabs = matches!(tree.tiles.get(parent), Some(Tile::Container(Container::Tabs(_))));
    Some(if is_tabs { parent } else { log })
}

/// Returns whether the panels below the board are shown.
pub fn shows_dock(tree: &Tree<Pane>) -> bool {
    dock(tree).is_some_and(|dock| tree.is_visible(dock))
}

/// Shows or hides the panels below the board; hidden panels take no room.
pub fn toggle_dock(tree: &mut Tree<Pane>) {
    if let Some(dock) = dock(tree) {
        let is_visible = tree.is_visible(dock);
        tree.set_visible(dock, !is_visible);
    }
}

/// Returns whether a panel is visible: it is not hidden, and its tab is in front.
pub fn is_seen(tree: &Tree<Pane>, pane: Pane) -> bool {
    find(tree, pane).is_some_and(|id| tree.active_tiles().contains(&id))
}

/// Shows a panel and brings its tab to the front.
pub fn show(tree: &mut Tree<Pane>, pane: Pane) {
    if let Some(id) = find(tree, pane) {
        tree.set_visible(id, true);
        if let Some(parent) = tree.tiles.parent_of(id) {
            tree.set_visible(parent, true);
        }
        tree.make_active(|tile, _| tile == id);
    }
}

/// Returns the title of a panel, followed by the number `n` of its items if `n` is not 0.
fn title_with_count(pane: Pane, n: usize) -> WidgetText {
    match n {
        0 => pane.title().into(),
        n => egui::RichText::new(format!("{} ({n})", pane.title())).strong().into(),
    }
}

/// Draws the panels in the docking layout, and records how the user changes the layout.
pub struct DockBehavior<'a, 'c> {
    /// The context of the panels.
    pub cx: &'a mut UiContext<'c>,
    /// The board.
    pub board: &'a mut BoardView,
    /// The rule editor.
    pub rules: &'a mut RulesView,
    /// The tiles of all mods, and the designer.
    pub tiles: &'a mut TilesPane,
    /// True if the user changed the layout in this frame.
    pub is_edited: bool,
    /// True if the user moved a divider between panels in this frame.
    pub is_resized: bool,
}

impl egui_tiles::Behavior<Pane> for DockBehavior<'_, '_> {
    fn pane_ui(&mut self, ui: &mut Ui, _id: TileId, pane: &mut Pane) -> UiResponse {
        match (&*pane, pane.draw()) {
            (_, Some(draw)) => draw(ui, self.cx),
            (Pane::Rules, None) => self.rules.show(ui, self.cx),
            (Pane::Tiles, None) => self.tiles.show(ui, self.cx),
            _ => self.board.show(ui, self.cx),
        }
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        match pane {
            Pane::Problems => {
                let session = self.cx.session;
                title_with_count(*pane, session.problems().list().len() + session.run_time_problems().len())
            }
            Pane::Changes => title_with_count(*pane, self.cx.session.changes().map_or(0, |changes| changes.list.len())),
            Pane::Rules if self.rules.n_unsaved() > 0 => format!("{} *", pane.title()).into(),
            Pane::Tests => title_with_count(*pane, self.cx.tests.n_failing()),
            Pane::Console => {
                title_with_count(*pane, self.cx.session.steps().iter().map(|step| step.printed.len()).sum())
            }
            Pane::Tiles => title_with_count(*pane, self.tiles.n_unsaved()),
            _ => pane.title().into(),
        }
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: false, ..SimplificationOptions::default() }
    }

    fn on_edit(&mut self, action: egui_tiles::EditAction) {
        self.is_edited = true;
        self.is_resized |= action == egui_tiles::EditAction::TileResized;
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        4.0
    }

    fn tab_text_color(&self, visuals: &egui::Visuals, _: &Tiles<Pane>, _: TileId, state: &TabState) -> egui::Color32 {
        if state.active { visuals.strong_text_color() } else { visuals.weak_text_color() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_beside_the_board_go_below_it_in_a_tall_window_and_back() {
        assert!(is_tall(egui::vec2(390.0, 844.0)) && !is_tall(egui::vec2(1280.0, 800.0)));
        let mut tree = default_tree();
        assert!(!shows_dock(&tree), "the log is folded until the user opens it");
        let before = serde_json::to_value(&tree).unwrap_or_default();
        toggle_dock(&mut tree);
        assert!(shows_dock(&tree));
        set_tall(&mut tree, true);
        let tall = serde_json::to_value(&tree).unwrap_or_default();
        assert_ne!(tall, before);
        assert!(!shows_dock(&tree), "a tall window has no room for the log");
        set_tall(&mut tree, true);
        assert_eq!(serde_json::to_value(&tree).unwrap_or_default(), tall, "once is enough");
        set_tall(&mut tree, false);
        assert!(!shows_dock(&tree), "the log stays folded");
        set_tall(&mut tree, true);
        assert_eq!(serde_json::to_value(&tree).unwrap_or_default(), tall);
    }

    #[test]
    fn the_question_has_room_whatever_the_number_of_players() {
        for height in [300.0, 510.0, 680.0, 1300.0] {
            for n_seats in 2..=6 {
                let [next, question, players] = column_heights(height, n_seats);
                assert!((next + question + players - height).abs() < 1.0, "{height} {n_seats}");
                assert!(question >= height * 0.25, "{height} {n_seats}: {question}");
            }
        }
        let [_, question, players] = column_heights(680.0, 2);
        assert!(question > 300.0 && players < 200.0, "two players leave the rest to the question");
    }
}
