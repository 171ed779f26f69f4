//! The editor of looks: colours and icons of the kinds of land, pieces and tags that a mod
//! declares. It fills a tab of the panel, and the designer has it as a section.

mod fields;
mod preview;

use std::path::PathBuf;
use std::sync::Arc;

use art::{Painter, Pose, Theme, check_icon};
use egui::{Button, Image, Key, Panel, Role, ScrollArea, TextEdit, Ui, Vec2, WidgetInfo, vec2};
use table::{Facing, TileSet};
use workshop::{FileError, LookChange, LookSection, LookSubject, ManifestValue, ModLooks, ModTiles};

use self::preview::{PREVIEW_SIDE, piece_picture, preview, sample_tile, tiles_with};
use super::new_land::NewLand;
use super::shelf_view::{DrawnTiles, ModTilesView};
use crate::actions::{Action, Declaration, TilesAction};
use crate::cached::Cached;
use crate::notifications::Tone;
use crate::panels::widgets::{ButtonIcon, declared_name, icon_button, name_problem, why_not_name};
use crate::pictures::{OtherPainter, PictureSubject};
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// The side of the pictures in the list of land, pieces and tags, in points.
const ROW_SIDE: f32 = 22.0;
/// The height of the list of icons in the designer, in points.
const ICONS_HEIGHT: f32 = 150.0;

/// A change of a look, with the previous value.
struct LookStep {
    before: LookChange,
    after: LookChange,
}

/// The looks of one mod, with the user's changes. The editor saves changes when the user has
/// released the pointer and finished typing a colour.
#[derive(Default)]
pub struct LookEditor {
    /// The id of the mod.
    mod_id: String,
    /// The folder of the mod.
    folder: PathBuf,
    /// The looks, with unsaved changes; `None` until they are read.
    looks: Option<ModLooks>,
    /// The icons in the folder of the mod.
    own_icons: Vec<(String, Arc<str>)>,
    /// The theme with these looks. The cache key is the text of the looks, and the address of the
    /// theme without the changes.
    theme: Cached<(String, usize), Arc<Theme>>,
    /// The painter of the tab. The cache key contains the addresses of the catalogue and the theme,
    /// and the palette.
    painter: Cached<([usize; 2], String), Option<OtherPainter>>,
    /// A tile with the chosen land, for land that no tile has yet. The cache key contains the
    /// addresses of the catalogue and the theme, and the name of the land.
    sample: Cached<([usize; 2], String), DrawnTiles>,
    /// The kind of land, piece or tag that the user changes.
    subject: Option<LookSubject>,
    /// The subject to choose when the mod declares it.
    wanted: Option<LookSubject>,
    undo: Vec<LookStep>,
    redo: Vec<LookStep>,
    unsaved: Vec<LookChange>,
    /// True if the looks were requested since the last change of the files.
    is_asked: bool,
    is_saving: bool,
    /// The colour that the user is typing: the key of the look, such as `edge`, and the text.
    typed: Option<(&'static str, String)>,
    /// The key whose icon the user chooses; `None` if the list of icons is closed.
    chooses_icon: Option<String>,
    /// The search text of the list of icons.
    words: String,
    /// The name of a new piece, as the user typed it.
    new_piece: String,
    /// The form for a new kind of land.
    new_land: NewLand,
    /// The reason why the looks cannot be read or changed.
    error: Option<String>,
}

impl LookEditor {
    /// Shows the looks of the mod of `view`. Requests them if they have not been requested yet.
    pub fn open(&mut self, cx: &mut UiContext<'_>, view: &ModTilesView) {
        if self.mod_id != view.shelf.id || self.folder != view.shelf.folder {
            let (mod_id, folder) = (view.shelf.id.clone(), view.shelf.folder.clone());
            *self = LookEditor { mod_id, folder, wanted: self.wanted.take(), ..LookEditor::default() };
        }
        if !std::mem::replace(&mut self.is_asked, true) {
            let (mod_id, folder) = (self.mod_id.clone(), self.folder.clone());
            cx.request_action(Action::Tiles(TilesAction::ReadLooks { mod_id, folder }));
        }
    }

    /// Requests the looks again, because the files may have changed.
    pub fn request_again(&mut self) {
        self.is_asked = false;
    }

    /// Chooses a kind of land, piece or tag as soon as the mod declares it.
    pub fn choose(&mut self, subject: LookSubject) {
        self.wanted = Some(subject);
    }

    /// Returns whether the mod declares `subject`.
    pub fn has(&self, subject: &LookSubject) -> bool {
        self.looks.as_ref().is_some_and(|looks| looks.subjects.contains(subject))
    }

    /// Chooses a kind of land, piece or tag if the mod declares it and it is not chosen yet.
    pub fn follow(&mut self, subject: LookSubject) {
        if self.has(&subject) && self.subject.as_ref() != Some(&subject) {
            self.select(subject);
        }
    }

    /// Sets the looks that were read from the files of a mod.
    pub fn set_looks(&mut self, mod_id: &str, looks: Result<ModLooks, FileError>) {
        if self.mod_id != mod_id || self.is_saving || !self.unsaved.is_empty() {
            return;
        }
        match looks {
            Ok(looks) => {
                self.set_read(looks);
                self.error = None;
            }
            Err(error) => self.error = Some(error.to_string()),
        }
    }

    fn set_read(&mut self, looks: ModLooks) {
        self.own_icons = looks.file.icons.iter().map(|(path, svg)| (path.clone(), Arc::from(svg.as_str()))).collect();
        self.looks = Some(looks);
    }

    /// Handles the result of saving. After an error, discards the unsaved changes and requests the
    /// looks of the files again.
    pub fn handle_saved(&mut self, mod_id: &str, saved: Result<ModLooks, FileError>) {
        if self.mod_id != mod_id {
            return;
        }
        self.is_saving = false;
        match saved {
            Ok(looks) if self.unsaved.is_empty() => self.set_read(looks),
            Ok(_) => {}
            Err(error) => {
                self.unsaved.clear();
                self.is_asked = false;
                self.error = Some(error.to_string());
            }
        }
    }

    /// Returns the theme of the mod, including unsaved changes of looks.
    pub fn theme(&mut self, shelf: &ModTiles) -> Arc<Theme> {
        let Some(looks) = self.looks.as_ref().filter(|_| self.mod_id == shelf.id) else { return shelf.theme.clone() };
        let key = (looks.file.text.clone(), Arc::as_ptr(&shelf.theme) as usize);
        self.theme.refresh(key, || Arc::new(looks.applied_to(&shelf.theme, check_icon))).clone()
    }

    fn set(&mut self, key: &str, value: Option<ManifestValue>) {
        let (Some(looks), Some(subject)) = (&self.looks, &self.subject) else { return };
        let before = LookChange { subject: subject.clone(), key: key.to_owned(), value: looks.value(subject, key) };
        let after = LookChange { value, ..before.clone() };
        if before == after {
            return;
        }
        // Undo reverts all changes of one key since the last save together, because a user who
        // drags the pointer makes many changes.
        let is_same = |change: &LookChange| change.subject == after.subject && change.key == key;
        let goes_on = self.unsaved.iter().any(is_same);
        match self.undo.last_mut().filter(|step| goes_on && is_same(&step.after)) {
            Some(step) => step.after = after.clone(),
            None => self.undo.push(LookStep { before, after: after.clone() }),
        }
        self.redo.clear();
        self.apply(after);
    }

    fn apply(&mut self, change: LookChange) {
        let Some(looks) = &mut self.looks else { return };
        match looks.apply(&change) {
            Ok(()) => {
                self.error = None;
                self.unsaved.retain(|other| other.subject != change.subject || other.key != change.key);
                self.unsaved.push(change);
            }
            Err(error) => self.error = Some(error.to_string()),
        }
    }

    fn undo(&mut self) {
        if let Some(step) = self.undo.pop() {
            self.subject = Some(step.before.subject.clone());
            self.apply(step.before.clone());
            self.redo.push(step);
        }
    }

    fn redo(&mut self) {
        if let Some(step) = self.redo.pop() {
            self.subject = Some(step.after.subject.clone());
            self.apply(step.after.clone());
            self.undo.push(step);
        }
    }

    /// Draws the section of the designer. `drawn` is the tile in the designer.
    pub fn show(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, drawn: &DrawnTiles, view: &ModTilesView) {
        self.show_error(ui);
        if !view.can_change() {
            return;
        }
        // Prefers a kind of land that the tile shows.
        let set = drawn.tile_set();
        let zones = set.and_then(|set| set.tiles.first()).into_iter().flat_map(|tile| &tile.zones);
        let shown = zones.filter_map(|zone| Some(set?.kind(zone.kind).name.as_str())).collect::<Vec<_>>();
        if !self.choose_valid_subject(&shown) {
            return;
        }
        ui.separator();
        ui.horizontal_wrapped(|ui| {
            ui.strong("Looks").on_hover_text("Looks of the land, pieces and tags that this mod declares.");
            self.history_buttons(ui);
            for subject in self.subjects() {
                let chip = ui.selectable_label(self.subject.as_ref() == Some(&subject), &subject.name);
                chip.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Look of {}", subject.name)));
                if chip.clicked() {
                    self.select(subject);
                }
            }
        });
        if let (Some(tile_set), Some(painter)) = (drawn.tile_set().or(view.tile_set()), &drawn.painter) {
            self.fields(ui, cx, tile_set, painter.painter());
            if self.chooses_icon.is_some() {
                self.icons(ui, cx, ICONS_HEIGHT);
            }
        }
        self.save_if_settled(ui, cx);
    }

    /// Draws the content of the tab: the list of land, pieces and tags on the left, and the look of
    /// the chosen one beside it.
    pub fn show_tab(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, view: &ModTilesView) {
        self.show_error(ui);
        if self.looks.is_none() {
            return;
        }
        let has_subject = self.choose_valid_subject(&[]);
        let painter = self.painter(cx, view);
        Panel::left("looks").default_size(170.0).show(ui, |ui| {
            ui.take_available_width();
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                self.list(ui, cx, view.tile_set(), painter.as_ref());
                self.add_piece(ui, cx, view);
                self.new_land.button(ui);
                if let Some((name, _)) = self.new_land.form(ui, cx, view) {
                    self.choose(LookSubject::new(LookSection::Kind, name));
                }
            });
        });
        egui::CentralPanel::default().frame(egui::Frame::new().inner_margin(egui::Margin::symmetric(10, 2))).show(
            ui,
            |ui| {
                let Some(subject) = self.subject.clone().filter(|_| has_subject) else {
                    ui.weak("This mod declares no land, pieces or tags yet.");
                    ui.weak("Add a piece or land on the left, or a tag to a tile in the designer.");
                    return;
                };
                ui.horizontal(|ui| {
                    ui.strong(format!("Look of {}", subject.name.replace('_', " ")))
                        .on_hover_text("Saved at once in theme.toml; the running game shows it.");
                    self.history_buttons(ui);
                });
                let (Some(tile_set), Some(painter)) = (view.tile_set(), &painter) else { return };
                ScrollArea::vertical().id_salt("look").auto_shrink(false).show(ui, |ui| {
                    let is_new = subject.section == LookSection::Kind
                        && tiles_with(tile_set, &subject, &view.shelf.id).is_empty();
                    match is_new {
                        true => self.show_sample(ui, cx, view, &subject.name),
                        false => preview(ui, cx, tile_set, painter, &subject, &view.shelf.id),
                    }
                    self.fields(ui, cx, tile_set, painter.painter());
                    if self.chooses_icon.is_some() {
                        let height = ui.available_height().max(ICONS_HEIGHT);
                        self.icons(ui, cx, height);
                    }
                });
            },
        );
        self.save_if_settled(ui, cx);
    }

    /// Draws a tile with land that no tile has yet.
    fn show_sample(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, view: &ModTilesView, name: &str) {
        let (Some(catalogue), Some(tile_set)) = (&view.shelf.catalogue, view.tile_set()) else { return };
        let Some(draft) = sample_tile(tile_set, name) else { return };
        let addresses = [Arc::as_ptr(catalogue) as usize, Arc::as_ptr(&view.shelf.theme) as usize];
        let before = self.sample.painter.clone();
        let drawn = self.sample.refresh((addresses, name.to_owned()), || DrawnTiles::new(&view.shelf, cx, &[&draft]));
        cx.pictures.discard_replaced(before, drawn.painter.as_ref());
        if let Some(texture) = drawn.picture(ui.ctx(), cx.pictures, 0, Facing::default(), PREVIEW_SIDE) {
            let name = name.replace('_', " ");
            ui.add(Image::new((texture, Vec2::splat(PREVIEW_SIDE))).alt_text(format!("A tile with {name}")));
        }
        ui.add_space(4.0);
    }

    fn show_error(&self, ui: &mut Ui) {
        if let Some(error) = &self.error {
            ui.colored_label(tone_colour(ui, Tone::Bad), error);
        }
    }

    fn subjects(&self) -> Vec<LookSubject> {
        self.looks.as_ref().map(|looks| looks.subjects.clone()).unwrap_or_default()
    }

    /// Chooses another subject if the mod does not declare the chosen one: a kind of land in
    /// `preferred`, or else the first subject. Returns false if the mod declares nothing.
    fn choose_valid_subject(&mut self, preferred: &[&str]) -> bool {
        let subjects = self.subjects();
        if let Some(wanted) = self.wanted.take_if(|wanted| subjects.contains(wanted)) {
            self.select(wanted);
        }
        if self.subject.as_ref().is_none_or(|subject| !subjects.contains(subject)) {
            let is_shown = |subject: &&LookSubject| preferred.contains(&subject.name.as_str());
            self.subject = subjects.iter().find(is_shown).or(subjects.first()).cloned();
            self.chooses_icon = None;
        }
        self.subject.is_some()
    }

    fn select(&mut self, subject: LookSubject) {
        // A piece without an icon is only letters, so its icons are shown at once.
        let has_icon = self.looks.as_ref().is_some_and(|looks| looks.value(&subject, "icon").is_some());
        self.chooses_icon = (subject.section == LookSection::Piece && !has_icon).then(|| "icon".to_owned());
        (self.subject, self.typed) = (Some(subject), None);
    }

    fn history_buttons(&mut self, ui: &mut Ui) {
        let (can_undo, can_redo) = (!self.undo.is_empty(), !self.redo.is_empty());
        let about = "Undo the last change of a look.";
        if icon_button(ui, ButtonIcon::Undo, "Undo in this look", about, can_undo, 20.0).clicked() {
            self.undo();
        }
        let about = "Redo the last undone change of a look.";
        if icon_button(ui, ButtonIcon::Redo, "Redo in this look", about, can_redo, 20.0).clicked() {
            self.redo();
        }
    }

    /// Returns the painter of the tab, with unsaved changes of looks. Returns `None` if the mod
    /// cannot be loaded.
    fn painter(&mut self, cx: &mut UiContext<'_>, view: &ModTilesView) -> Option<OtherPainter> {
        let (catalogue, theme) = (view.shelf.catalogue.as_ref()?, &view.shelf.theme);
        let palette = cx.settings.palette.as_deref().unwrap_or(theme.suggested_palette()).to_owned();
        let before: Option<OtherPainter> = (*self.painter).clone();
        let key = ([Arc::as_ptr(catalogue) as usize, Arc::as_ptr(theme) as usize], palette.clone());
        let painter =
            self.painter.refresh(key, || Some(OtherPainter::new(Painter::new(&catalogue.tile_set, theme, &palette))));
        cx.pictures.discard_replaced(before, painter.as_ref());
        painter.clone()
    }

    /// Draws the land, pieces and tags of the mod, each with its picture.
    fn list(
        &mut self,
        ui: &mut Ui,
        cx: &mut UiContext<'_>,
        tile_set: Option<&TileSet>,
        painter: Option<&OtherPainter>,
    ) {
        let subjects = self.subjects();
        for (section, title) in
            [(LookSection::Kind, "Land"), (LookSection::Piece, "Pieces"), (LookSection::Tag, "Tags")]
        {
            let of_section: Vec<&LookSubject> = subjects.iter().filter(|it| it.section == section).collect();
            if of_section.is_empty() {
                continue;
            }
            ui.weak(title);
            for subject in of_section {
                let picture = painter.zip(match section {
                    LookSection::Kind => {
                        tile_set.and_then(|set| tiles_with(set, subject, &self.mod_id).into_iter().next())
                    }
                    LookSection::Piece => Some(piece_picture(cx, &subject.name, Pose::Standing)),
                    LookSection::Tag => Some(PictureSubject::Tag(subject.name.clone(), None)),
                });
                let picture =
                    picture.and_then(|(painter, what)| cx.pictures.get_by_other(ui.ctx(), painter, what, ROW_SIDE));
                let name = subject.name.replace('_', " ");
                let is_chosen = self.subject.as_ref() == Some(subject);
                let button = match picture {
                    Some(picture) => Button::image_and_text(Image::new((picture, Vec2::splat(ROW_SIDE))), name),
                    None => Button::new(name),
                };
                let row = ui.add(button.selected(is_chosen).frame_when_inactive(is_chosen).min_size(vec2(150.0, 0.0)));
                row.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Look of {}", subject.name)));
                if row.clicked() {
                    self.select(subject.clone());
                }
            }
            ui.add_space(4.0);
        }
    }

    /// Draws the field for the name of a new piece, and the button that declares it.
    fn add_piece(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, view: &ModTilesView) {
        let Some(catalogue) = &view.shelf.catalogue else { return };
        ui.separator();
        let why_not = ui.horizontal(|ui| {
            let field = TextEdit::singleline(&mut self.new_piece).hint_text("new piece").desired_width(90.0);
            let field = ui.add(field).accessible_name("Name of the new piece");
            let is_entered = field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
            let name = declared_name(&self.new_piece);
            let why_not = why_not_name(&name, catalogue.pieces.iter().any(|piece| piece.name == name));
            // The new piece counts as the first piece of another mod, usually the follower.
            let like = view.first_piece_of_others();
            let button = ui.add_enabled(why_not.is_none(), Button::new("Add"));
            let about = like.as_ref().map_or_else(
                || "Declares the piece in mod.toml: one for each player.".to_owned(),
                |like| format!("Declares the piece in mod.toml: one for each player, and it counts as a {like}."),
            );
            let button = button.on_hover_text(about).on_disabled_hover_text(why_not.unwrap_or_default());
            button.widget_info(|| WidgetInfo::labeled(Role::Button, why_not.is_none(), "Add the piece"));
            if why_not.is_none() && (is_entered || button.clicked()) {
                self.new_piece.clear();
                self.choose(LookSubject::new(LookSection::Piece, name.clone()));
                let declare = TilesAction::Declare(self.folder.clone(), name, Declaration::Piece(like));
                cx.request_action(Action::Tiles(declare));
            }
            why_not
        });
        name_problem(ui, &self.new_piece, why_not.inner);
    }

    fn save_if_settled(&mut self, ui: &Ui, cx: &mut UiContext<'_>) {
        let is_changing = ui.input(|i| i.pointer.any_down()) || self.typed.is_some();
        if self.unsaved.is_empty() || self.is_saving || is_changing {
            return;
        }
        self.is_saving = true;
        let changes = std::mem::take(&mut self.unsaved);
        let (mod_id, folder) = (self.mod_id.clone(), self.folder.clone());
        cx.request_action(Action::Tiles(TilesAction::SaveLooks { mod_id, folder, changes }));
    }
}
