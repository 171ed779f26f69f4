//! The window that prints the mods of the game: choices, a preview of the pages, and the PDF.

use std::sync::Arc;

use egui::{
    Button, Checkbox, ComboBox, Context, DragValue, Grid, Image, RichText, ScrollArea, TextureHandle, Ui, vec2,
};
use paper::{BackPlacement, Paper, PieceForm, PrintOptions};
use workshop::ConfiguredMods;

use super::place;
use super::settings::palette_row;
use crate::actions::Action;
use crate::file_choice::FilePurpose;
use crate::jobs::{JobHandle, SheetsJob, SheetsMade, SheetsPart, SheetsWanted};
use crate::notifications::Tone;
use crate::panels::widgets::{controls_row, grid_row, labelled_row, pluralized, request_on_click};
use crate::png_texture::png_texture;
use crate::shown_error::ShownError;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// The window, the user's choices and the shown page.
#[derive(Default)]
pub struct PrintWindow {
    wanted: Option<SheetsWanted>,
    /// The number of the page to show, counted from 0.
    page: usize,
    /// The page that is being drawn, if there is one.
    drawing: Option<PageDrawing>,
    /// The page drawn last, or the reason why there are no pages.
    shown: Option<(PageWanted, Result<ShownPage, ShownError>)>,
}

/// A page to draw: the choices and the number of the page.
struct PageWanted {
    sheets: SheetsWanted,
    page: usize,
}

impl PageWanted {
    fn is(&self, sheets: &SheetsWanted, page: usize) -> bool {
        let SheetsWanted { mods, ids, options } = &self.sheets;
        Arc::ptr_eq(&mods.loaded, &sheets.mods.loaded)
            && (ids, options, self.page) == (&sheets.ids, &sheets.options, page)
    }
}

struct PageDrawing {
    wanted: PageWanted,
    drawn: JobHandle<u8, SheetsMade>,
}

struct ShownPage {
    n_pages: usize,
    n_items: [usize; 2],
    picture: Option<TextureHandle>,
}

impl PrintWindow {
    /// Returns the mods to print and the user's choices. Returns `None` if the window was never
    /// open.
    pub fn wanted(&self) -> Option<&SheetsWanted> {
        self.wanted.as_ref()
    }

    /// Returns the default name of the PDF.
    fn file_name(&self) -> String {
        let first = self.wanted.as_ref().and_then(|wanted| wanted.ids.first());
        format!("{}.pdf", first.map_or("tiles", String::as_str))
    }

    /// Returns the number of pages; `None` until a page is shown.
    pub fn n_pages(&self) -> Option<usize> {
        let (_, shown) = self.shown.as_ref()?;
        shown.as_ref().ok().map(|shown| shown.n_pages)
    }

    /// Draws the window, if it is open.
    pub fn show(&mut self, ctx: &Context, cx: &mut UiContext<'_>) {
        if !cx.view_state.windows.print {
            return;
        }
        self.follow_game(cx);
        self.poll(ctx);
        let mut is_open = true;
        place::centred(ctx, "Print", [780.0, 530.0]).open(&mut is_open).vscroll(false).show(ctx, |ui| {
            ui.columns(2, |columns| {
                let height = columns[0].available_height();
                let scroll = ScrollArea::vertical().id_salt("choices").auto_shrink(false);
                scroll.show(&mut columns[0], |ui| self.choices(ui, cx, height));
                self.preview(&mut columns[1]);
            });
        });
        cx.view_state.windows.print &= is_open;
    }

    /// Uses the mods and the settings of the game. Keeps the user's other choices while the same
    /// mods are in play.
    fn follow_game(&mut self, cx: &UiContext<'_>) {
        let mods = ConfiguredMods::of(cx.session);
        match &mut self.wanted {
            Some(wanted) if wanted.mods.ids() == mods.ids() => {
                wanted.options.settings.clone_from(&mods.chosen);
                wanted.mods = mods;
            }
            _ => {
                let options = PrintOptions {
                    settings: mods.chosen.clone(),
                    n_players: cx.session.view().n_seats(),
                    ..PrintOptions::default()
                };
                self.wanted = Some(SheetsWanted { ids: mods.ids(), mods, options });
                self.page = 0;
            }
        }
    }

    /// Starts to draw the wanted page, and stores it when it is drawn.
    fn poll(&mut self, ctx: &Context) {
        if let Some(drawing) = &self.drawing {
            let Some(drawn) = drawing.drawn.poll(drop) else { return };
            let shown = drawn.map(|made| ShownPage {
                n_pages: made.n_pages,
                n_items: made.n_items,
                picture: png_texture(ctx, "page to print", &made.file),
            });
            if let Ok(shown) = &shown {
                self.page = self.page.min(shown.n_pages.saturating_sub(1));
            }
            self.shown = self.drawing.take().map(|drawing| (drawing.wanted, shown));
        }
        let (Some(sheets), page) = (&self.wanted, self.page) else { return };
        if self.shown.as_ref().is_some_and(|(shown, _)| shown.is(sheets, page)) {
            return;
        }
        let job = SheetsJob { wanted: sheets.clone(), part: SheetsPart::Page(page) };
        let drawn = JobHandle::start(ctx, job);
        self.drawing = Some(PageDrawing { wanted: PageWanted { sheets: sheets.clone(), page }, drawn });
    }

    /// Draws the choices. `height` is the height in points that the window has for them.
    fn choices(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, height: f32) {
        let Some(wanted) = &mut self.wanted else { return };
        ui.label(RichText::new("Mods").strong());
        let height = (height - 330.0).max(60.0);
        ScrollArea::vertical().id_salt("mods").max_height(height).auto_shrink([false, true]).show(ui, |ui| {
            for info in &wanted.mods.loaded.catalogue().mods {
                let mut on = wanted.ids.contains(&info.id);
                if ui.checkbox(&mut on, info.title.as_str()).on_hover_text(&info.about).changed() {
                    wanted.ids.retain(|id| *id != info.id);
                    if on {
                        wanted.ids.push(info.id.clone());
                    }
                }
            }
        });
        ui.add_space(6.0);
        Grid::new("print").num_columns(2).spacing([16.0, 8.0]).show(ui, |ui| {
            sizes(ui, &mut wanted.options);
            looks(ui, &mut wanted.options, cx);
        });
        ui.add_space(6.0);
        self.foot(ui, cx);
    }

    /// Draws the numbers of items and the button that saves the PDF. If there are no items, draws
    /// the reason.
    fn foot(&self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        let shown = self.shown.as_ref().map(|(_, shown)| shown);
        match shown {
            Some(Err(why)) => drop(ui.colored_label(tone_colour(ui, Tone::Bad), why.to_string())),
            Some(Ok(ShownPage { n_pages, n_items: [n_tiles, n_others], .. })) => {
                let others = if *n_others > 0 { format!(", {n_others} cards and pieces") } else { String::new() };
                let (tiles, pages) = (pluralized(*n_tiles, "tile", "tiles"), pluralized(*n_pages, "page", "pages"));
                ui.label(format!("{tiles}{others}, {pages}"));
            }
            None => drop(ui.weak("Drawing the first page…")),
        }
        ui.horizontal(|ui| {
            let button = Button::new(RichText::new("Save PDF…").strong()).min_size(vec2(110.0, 28.0));
            let button = ui.add_enabled(matches!(shown, Some(Ok(_))), button);
            request_on_click(cx, &button, Action::AskOutput(FilePurpose::SaveSheets, self.file_name()));
            ui.weak("Print it at its actual size (100%).");
        });
    }

    /// Draws the page and the buttons that turn pages.
    fn preview(&mut self, ui: &mut Ui) {
        let Some((_, Ok(shown))) = &self.shown else {
            if self.drawing.is_some() {
                ui.centered_and_justified(|ui| ui.spinner());
            }
            return;
        };
        let n = shown.n_pages;
        let room = ui.available_size() - vec2(0.0, 36.0);
        ui.vertical_centered(|ui| {
            if let Some(picture) = &shown.picture {
                let alt = format!("Page {}", self.page + 1);
                let page = Image::new(picture).max_size(room).alt_text(alt);
                ui.add(page);
            }
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                // Centres the row.
                ui.add_space((ui.available_width() - 210.0).max(0.0) / 2.0);
                if ui.add_enabled(self.page > 0, Button::new("Previous")).clicked() {
                    self.page -= 1;
                }
                ui.label(format!("Page {} of {n}", self.page + 1));
                if ui.add_enabled(self.page + 1 < n, Button::new("Next")).clicked() {
                    self.page += 1;
                }
            });
        });
    }
}

/// Draws the rows for the paper and for sizes.
fn sizes(ui: &mut Ui, options: &mut PrintOptions) {
    controls_row(ui, "Paper", |ui| {
        ui.selectable_value(&mut options.paper, Paper::A4, "A4");
        ui.selectable_value(&mut options.paper, Paper::Letter, "Letter");
    });
    for (name, about, length, range) in [
        ("Tile width", "The width of a tile after cutting.", &mut options.tile, 10.0..=200.0),
        ("Bleed", "The strip around each tile that is printed but cut off.", &mut options.bleed, 0.0..=10.0),
    ] {
        let field = DragValue::new(length).range(range).speed(0.1).fixed_decimals(1).suffix(" mm");
        labelled_row(ui, name, |ui| ui.add(field)).on_hover_text(about);
    }
    let title = |backs: BackPlacement| match backs {
        BackPlacement::Duplex => "On the next page",
        BackPlacement::Fold => "Below, to fold",
        BackPlacement::None => "None",
    };
    let combo = ComboBox::from_id_salt("backs").selected_text(title(options.backs)).width(170.0);
    let entries = |ui: &mut Ui| {
        for (backs, about) in [
            (BackPlacement::Duplex, "For printers that print on both sides. Turn the paper along its long edge."),
            (BackPlacement::Fold, "Fold the page in the middle, glue it, then cut."),
            (BackPlacement::None, "Only the faces."),
        ] {
            ui.selectable_value(&mut options.backs, backs, title(backs)).on_hover_text(about);
        }
    };
    labelled_row(ui, "Backs", |ui| combo.show_ui(ui, entries).response);
}

/// Draws the rows for pieces and colours.
fn looks(ui: &mut Ui, options: &mut PrintOptions, cx: &UiContext<'_>) {
    let field = DragValue::new(&mut options.n_players).range(0..=8).speed(0.05).suffix(" players");
    let about = "Also prints tokens, score track and reference card. With 0, only tiles and cards.";
    labelled_row(ui, "Pieces for", |ui| ui.add(field)).on_hover_text(about);
    let forms = |ui: &mut Ui| {
        ui.selectable_value(&mut options.pieces, PieceForm::Discs, "Discs");
        ui.selectable_value(&mut options.pieces, PieceForm::StandUps, "Stand-ups")
            .on_hover_text("Figures to fold and glue. They stand on two feet.");
    };
    grid_row(ui, "Pieces as", |ui| ui.add_enabled_ui(options.n_players > 0, |ui| ui.horizontal(forms)));
    let palettes = cx.session.loaded().theme().palettes();
    let chosen = palettes.iter().find(|(name, _)| Some(name) == options.palette.as_ref());
    let shown = chosen.map_or("Suggested by the mods", |(_, title)| title.as_str());
    palette_row(ui, ("print palette", 170.0), shown, &palettes, &mut options.palette);
    let ink = Checkbox::new(&mut options.saves_ink, "Save ink");
    grid_row(ui, "Ink", |ui| ui.add(ink)).on_hover_text("Print in light colours.");
}
