#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod colours;
mod content;
mod copies;
mod export;
mod pdf;
mod reference;
mod sheet;
mod source;
mod tabletop;

use art::kurbo::{Affine, Line, Rect, Shape as _};
use art::{Colour, Picture};
use book::RulesSummary;
use loader::Loaded;
use serde::{Deserialize, Serialize};

use colours::INK;
use content::{BackText, CARD_SIZE, DISC_WIDTH, PrintItem, STAND_UP};
pub use export::{ExportError, ExportForm, ExportOptions, ExportedFile, export};
pub use ink::{Paper, Progress, Stopped};
use reference::REFERENCE;
pub use sheet::{BackPlacement, Page, PageCell, layout};
pub use source::ChoiceError;
use source::PrintSource;

/// The share of white that is mixed into each colour of faces to save ink, from 0 to 1.
const WHITE_OF_FACES: f64 = 0.5;
/// The same for backs, which are mostly one dark colour.
const WHITE_OF_BACKS: f64 = 0.8;

/// The user's choices for printing mods.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PrintOptions {
    /// Settings and counts other than the defaults, such as `base/K` and `5`.
    pub settings: Vec<(String, String)>,
    /// The paper.
    pub paper: Paper,
    /// The width of a tile in millimetres.
    pub tile: f64,
    /// The bleed in millimetres: the strip around each picture that is printed but cut off.
    pub bleed: f64,
    /// The place of the backs of tiles, cards and discs.
    pub backs: BackPlacement,
    /// The number of players for whom to print pieces, tokens, piles, the score track and a
    /// reference card; with 0, none of these are printed.
    pub n_players: usize,
    /// The form of pieces.
    pub pieces: PieceForm,
    /// True for light colours, which need less ink.
    pub saves_ink: bool,
    /// The palette; `None` for the palette that the mods suggest.
    pub palette: Option<String>,
}

impl Default for PrintOptions {
    fn default() -> PrintOptions {
        PrintOptions {
            settings: Vec::new(),
            paper: Paper::A4,
            tile: 45.0,
            bleed: 1.5,
            backs: BackPlacement::Duplex,
            n_players: 0,
            pieces: PieceForm::Discs,
            saves_ink: false,
            palette: None,
        }
    }
}

/// The form of printed pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PieceForm {
    /// Discs, to lay on the tiles.
    Discs,
    /// Strips to fold in the middle and to glue, which stand on two feet.
    StandUps,
}

/// The kind of the items in a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GroupKind {
    Tiles,
    Cards,
    Discs,
    StandUps,
    /// The reference card, which does not count as an item.
    Reference,
}

impl GroupKind {
    /// Returns the name of an item, for messages.
    fn item_name(self) -> &'static str {
        match self {
            GroupKind::Tiles => "a tile",
            GroupKind::Cards => "a card",
            GroupKind::Discs => "a disc",
            GroupKind::StandUps => "a stand-up",
            GroupKind::Reference => "the reference card",
        }
    }

    fn has_backs(self) -> bool {
        !matches!(self, GroupKind::StandUps | GroupKind::Reference)
    }
}

/// Items of one size.
#[derive(Clone, PartialEq, Debug)]
struct ItemGroup {
    kind: GroupKind,
    /// The width and height of an item after cutting, in millimetres.
    cut: [f64; 2],
    items: Vec<PrintItem>,
}

/// A page of the sheets.
#[derive(Clone, PartialEq, Debug)]
enum SheetPage {
    /// Items of the group with this index.
    Items(usize, Page),
    /// One picture for the whole page, in millimetres.
    Whole(Picture),
    /// The back of a page that is printed on one side.
    Blank,
}

/// Printable sheets: pages of tiles and other items, as PDF or as pictures.
#[derive(Clone, PartialEq, Debug)]
pub struct Sheets {
    paper: Paper,
    bleed: f64,
    groups: Vec<ItemGroup>,
    pages: Vec<SheetPage>,
}

/// The reason why no sheets can be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PrintError {
    /// A setting or the palette is not valid.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// An item does not fit on a page.
    #[error("{0} does not fit on the paper; choose a smaller size or less bleed")]
    TooLarge(String),
    /// The mods have nothing to print.
    #[error("these mods have no tiles, cards or pieces to print, or nothing has changed")]
    Nothing,
    /// The PDF cannot be written.
    #[error("the PDF cannot be written: {0}")]
    Pdf(String),
    /// The sheets are no longer wanted.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Makes the sheets of the mods `ids`.
///
/// # Errors
/// Returns an error if a setting or the palette is not valid, if there is nothing to print, or if
/// an item does not fit on a page.
pub fn print(loaded: &Loaded, ids: &[String], options: &PrintOptions) -> Result<Sheets, PrintError> {
    let source = PrintSource::new(loaded, ids, &options.settings, options.palette.as_deref(), options.n_players);
    let source = source?.with_ink_saving(options.saves_ink);
    if ids.is_empty() {
        return Err(PrintError::Nothing);
    }
    let n_players = options.n_players;
    let group = |kind, cut, items| ItemGroup { kind, cut, items };
    let summary = (n_players > 0).then(|| RulesSummary::new(loaded, &source.catalogue));
    let cards = summary.iter().map(|summary| {
        let face = reference::reference(summary);
        PrintItem { name: "reference".to_owned(), group: String::new(), back: face.clone(), face }
    });
    let groups = vec![
        group(GroupKind::Tiles, [options.tile; 2], content::tiles(&source, BackText::TileAndDeck)),
        group(GroupKind::Cards, CARD_SIZE, content::cards(&source)),
        group(GroupKind::Discs, [DISC_WIDTH; 2], content::discs(&source, n_players, options.pieces)),
        group(GroupKind::StandUps, STAND_UP, content::stand_ups(&source, n_players, options.pieces)),
        group(GroupKind::Reference, REFERENCE, cards.collect()),
    ];
    let track = (n_players > 0).then(|| content::track(&source, options.paper));
    Sheets::new(groups, track, options)
}

/// Makes sheets only of the tiles that differ from the earlier version `before` of the same mods:
/// new tiles, tiles that look different, and additional copies.
///
/// # Errors
/// Returns an error as [`print()`] does.
pub fn print_since(
    loaded: &Loaded,
    ids: &[String],
    before: &Loaded,
    options: &PrintOptions,
) -> Result<Sheets, PrintError> {
    let palette = options.palette.as_deref();
    let now = PrintSource::new(loaded, ids, &options.settings, palette, 0)?;
    let before = PrintSource::of_earlier(before, ids, &options.settings, palette)?;
    let tiles =
        |source: PrintSource<'_>| content::tiles(&source.with_ink_saving(options.saves_ink), BackText::TileAndDeck);
    let items = content::changed_items(tiles(now), &tiles(before));
    let tiles = ItemGroup { kind: GroupKind::Tiles, cut: [options.tile; 2], items };
    Sheets::new(vec![tiles], None, options)
}

impl Sheets {
    /// Lays out the items on pages. The score track, if there is one, is the last page.
    fn new(mut groups: Vec<ItemGroup>, track: Option<Picture>, options: &PrintOptions) -> Result<Sheets, PrintError> {
        if groups.iter().all(|group| group.kind == GroupKind::Reference || group.items.is_empty()) {
            return Err(PrintError::Nothing);
        }
        let text = Colour::from(INK);
        let lighter = |picture: &mut Picture, white: f64| {
            if options.saves_ink {
                // Text stays dark.
                let lighten = |colour: Colour| if colour == text { colour } else { colour.lighten(white) };
                *picture = std::mem::take(picture).with_colours(lighten);
            }
        };
        for item in groups.iter_mut().filter(|group| group.kind != GroupKind::Reference).flat_map(|it| &mut it.items) {
            lighter(&mut item.face, WHITE_OF_FACES);
            lighter(&mut item.back, WHITE_OF_BACKS);
        }
        let mut pages = Vec::new();
        for (i, group) in groups.iter().enumerate() {
            let backs = if group.kind.has_backs() { options.backs } else { BackPlacement::None };
            let laid_out = layout(options.paper, group.cut, options.bleed, backs, group.items.len());
            let laid_out = laid_out.ok_or_else(|| {
                let [width, height] = group.cut;
                let name = group.kind.item_name();
                PrintError::TooLarge(format!("{name} of {width} × {height} mm with {} mm bleed", options.bleed))
            })?;
            for page in laid_out {
                push_page(&mut pages, SheetPage::Items(i, page), group.kind.has_backs(), options.backs);
            }
        }
        if let Some(mut track) = track {
            lighter(&mut track, WHITE_OF_FACES);
            push_page(&mut pages, SheetPage::Whole(track), false, options.backs);
        }
        Ok(Sheets { paper: options.paper, bleed: options.bleed, groups, pages })
    }

    /// Returns the number of pages.
    pub fn n_pages(&self) -> usize {
        self.pages.len()
    }

    /// Returns the number of tiles, each copy counted.
    pub fn n_tiles(&self) -> usize {
        self.n_items(|kind| kind == GroupKind::Tiles)
    }

    /// Returns the number of cards and pieces, each copy counted, with score markers, tokens and
    /// piles.
    pub fn n_others(&self) -> usize {
        self.n_items(|kind| !matches!(kind, GroupKind::Tiles | GroupKind::Reference))
    }

    fn n_items(&self, counts: impl Fn(GroupKind) -> bool) -> usize {
        self.groups.iter().filter(|group| counts(group.kind)).map(|group| group.items.len()).sum()
    }

    /// Returns the sheets as a PDF. `progress` ends a step after each page.
    ///
    /// # Errors
    /// Returns an error if the PDF cannot be written, or if it is no longer wanted.
    pub fn pdf(&self, progress: &mut Progress<'_>) -> Result<Vec<u8>, PrintError> {
        pdf::write(self, progress)
    }

    /// Returns a page as a picture in millimetres, counted from 0; `None` if there is no such page.
    pub fn picture(&self, page: usize) -> Option<Picture> {
        let [width, height] = self.paper.size();
        let mut picture = Picture::new(width, height);
        picture.rect(Rect::new(0.0, 0.0, width, height), Colour::from([255; 3]));
        match self.pages.get(page)? {
            SheetPage::Items(group, page) => {
                let group = self.groups.get(*group)?;
                picture.put(&self.cut_marks(page), Affine::IDENTITY);
                for cell in &page.cells {
                    let item = group.items.get(cell.item)?;
                    let drawn = if cell.is_back { &item.back } else { &item.face };
                    for (edges, place) in page.places(cell, drawn.size(), self.bleed) {
                        picture.put_within(drawn, place, edges);
                    }
                }
            }
            SheetPage::Whole(whole) => picture.put(whole, Affine::IDENTITY),
            SheetPage::Blank => {}
        }
        Some(picture)
    }

    /// Draws the lines for cutting and folding, from edge to edge of the paper. The pictures later
    /// cover parts of the lines.
    fn cut_marks(&self, page: &Page) -> Picture {
        let [width, height] = self.paper.size();
        let mut marks = Picture::new(width, height);
        let grey = Colour::from([0x77; 3]);
        let line = |from: (f64, f64), to: (f64, f64)| Line::new(from, to).to_path(0.1);
        let [vertical, horizontal] = &page.cuts;
        vertical.iter().for_each(|x| marks.line(line((*x, 0.0), (*x, height)), grey, 0.1));
        horizontal.iter().for_each(|y| marks.line(line((0.0, *y), (width, *y)), grey, 0.1));
        if let Some(y) = page.fold {
            marks.line(line((0.0, y), (width, y)), Colour::from([0; 3]), 0.2);
        }
        marks
    }
}

/// Adds a page. If sheets are printed on both sides, a page without a back begins on a new sheet of
/// paper.
fn push_page(pages: &mut Vec<SheetPage>, page: SheetPage, has_backs: bool, backs: BackPlacement) {
    if backs == BackPlacement::Duplex && !has_backs && !pages.len().is_multiple_of(2) {
        pages.push(SheetPage::Blank);
    }
    pages.push(page);
}

#[cfg(test)]
mod tests;
