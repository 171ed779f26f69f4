//! The PDF that contains a whole book.

mod flow;
mod fonts;
mod lines;
mod pictures;
mod typeset;

use std::collections::BTreeMap;

use art::Colour;
use art::kurbo::Rect as Area;
use diagnostic::never;
use ink::{Ink, POINTS_PER_MM, Paper, Progress, Stopped, graphic, stroke};
use krilla::Document;
use krilla::action::{Action, LinkAction};
use krilla::annotation::{Annotation, LinkAnnotation, Target};
use krilla::destination::XyzDestination;
use krilla::geom::{Point, Rect, Transform};
use krilla::graphic::Graphic;
use krilla::metadata::Metadata;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::FillRule;
use krilla::surface::Surface;

use crate::page::Pages;
use crate::{BookError, WITH_PICTURES};
use flow::{Mark, PlacedSlice, paginate};
use fonts::{Fonts, GlyphRun};
use lines::{FAINT, plain};
use typeset::{Typesetter, entry_anchor, listed, phrases_as_they_are};

/// The margins of a page in points: at both sides, and at top and bottom.
const MARGINS: [f64; 2] = [64.0, 64.0];

/// The number of units in the width of a tile, to which the points of its drawing are rounded.
const GRID: f64 = 1000.0;

/// The progress, in percent, after the passages were set for the first and for the second time.
const SET_ONCE: u8 = 75;
const SET: u8 = 80;

type LaidPages<'b> = Vec<Vec<PlacedSlice<'b>>>;

/// Returns a book as a PDF.
///
/// # Errors
/// Returns an error if the PDF cannot be written.
pub(crate) fn pdf(book: &Pages, paper: Paper, progress: &mut Progress<'_>) -> Result<Vec<u8>, BookError> {
    let size = paper.size().map(|length| length * POINTS_PER_MM);
    let mut fonts = Fonts::new();
    let pages = laid_out(book, &mut fonts, size, progress)?;
    let places = Places::of(book, &pages);
    let mut document = Document::new();
    let mut writer = PageWriter { book, fonts, tiles: BTreeMap::new(), ink: Ink::default(), size };
    for (number, page) in (1..).zip(&pages) {
        let settings = PageSettings::from_wh(size[0] as f32, size[1] as f32);
        let settings = settings.ok_or_else(|| BookError::message("the paper has no size".to_owned()))?;
        let mut sheet = document.start_page_with(settings);
        let mut surface = sheet.surface();
        writer.page(&mut surface, page);
        writer.footer(&mut surface, number, places.chapter_at(number - 1));
        surface.finish();
        for link in links(page, &places) {
            sheet.add_annotation(link);
        }
        sheet.finish();
        progress.end_step([SET, 100], number - 1, pages.len())?;
    }
    document.set_outline(places.outline());
    let title = diagnostic::visible(&book.title).into_owned();
    document.set_metadata(Metadata::new().title(title).language("en".to_owned()).creator("Bastide".to_owned()));
    document.finish().map_err(|error| BookError::message(format!("the PDF cannot be written: {error:?}")))
}

/// Returns the pages. The contents name pages, so the book is set twice: the first time to find out
/// the numbers, which do not change the lengths of lines.
fn laid_out<'b>(
    book: &'b Pages,
    fonts: &mut Fonts,
    [width, height]: [f64; 2],
    progress: &mut Progress<'_>,
) -> Result<LaidPages<'b>, Stopped> {
    let mut numbers = vec![0; listed(book).count()];
    let mut pages = LaidPages::new();
    for part in [[WITH_PICTURES, SET_ONCE], [SET_ONCE, SET]] {
        let text_width = width - 2.0 * MARGINS[0];
        let (slices, left) = (Vec::new(), MARGINS[0]);
        let mut setter = Typesetter { fonts: &mut *fonts, slices, left, width: text_width, summary: None, numbers };
        for (i, passage) in book.passages.iter().enumerate() {
            setter.passage(book, passage);
            progress.end_step(part, i, book.passages.len())?;
        }
        pages = paginate(setter.slices, height - 2.0 * MARGINS[1]);
        numbers = Places::of(book, &pages).headings.iter().map(|heading| heading.page + 1).collect();
    }
    Ok(pages)
}

/// A heading that the contents list, and its place.
struct ListedHeading<'b> {
    level: u8,
    text: &'b str,
    page: usize,
    y: f64,
}

/// The places that links lead to.
struct Places<'b> {
    headings: Vec<ListedHeading<'b>>,
    /// The page and the distance from its top, for each anchor.
    anchors: BTreeMap<String, (usize, f64)>,
}

impl<'b> Places<'b> {
    fn of(book: &Pages, pages: &LaidPages<'b>) -> Places<'b> {
        let mut places = Places { headings: Vec::new(), anchors: BTreeMap::new() };
        let deepest = listed(book).map(|(level, _)| level).max().unwrap_or(2);
        for (page, placed) in pages.iter().enumerate().flat_map(|(page, all)| all.iter().map(move |it| (page, it))) {
            let y = placed.y + MARGINS[1];
            if let Some(anchor) = placed.slice.anchor {
                places.anchors.insert(format!("#{anchor}"), (page, y));
            }
            if let Some((level, text)) = placed.slice.heading.filter(|(level, _)| (2..=deepest).contains(level)) {
                places.anchors.insert(format!("#{}", entry_anchor(places.headings.len())), (page, y));
                places.headings.push(ListedHeading { level, text, page, y });
            }
        }
        places
    }

    /// Returns the title of the chapter that a page belongs to; empty before the first chapter.
    fn chapter_at(&self, page: usize) -> &'b str {
        let mut before = self.headings.iter().filter(|heading| heading.level == 2 && heading.page <= page);
        before.next_back().map_or("", |heading| heading.text)
    }

    fn outline(&self) -> Outline {
        let mut outline = Outline::new();
        let mut chapter: Option<OutlineNode> = None;
        for heading in &self.headings {
            let place = XyzDestination::new(heading.page, Point::from_xy(0.0, heading.y as f32));
            let node = OutlineNode::new(diagnostic::visible(heading.text).into_owned(), place);
            match &mut chapter {
                Some(chapter) if heading.level > 2 => chapter.push_child(node),
                _ => {
                    if let Some(finished) = chapter.replace(node) {
                        outline.push_child(finished);
                    }
                }
            }
        }
        if let Some(finished) = chapter {
            outline.push_child(finished);
        }
        outline
    }
}

/// Returns the links of a page. Links to anchors that do not exist lead nowhere.
fn links(page: &[PlacedSlice<'_>], places: &Places<'_>) -> Vec<Annotation> {
    let mut links = Vec::new();
    for placed in page {
        for mark in &placed.slice.marks {
            let Mark::Link { at: [x, y], size: [width, height], target } = mark else { continue };
            let top = y + placed.y + MARGINS[1];
            let Some(rect) = Rect::from_xywh(*x as f32, top as f32, *width as f32, *height as f32) else { continue };
            let target = match places.anchors.get(target) {
                Some((page, y)) => {
                    let place = XyzDestination::new(*page, Point::from_xy(0.0, (y - 10.0) as f32));
                    Target::Destination(place.into())
                }
                None if target.starts_with('#') => continue,
                None => Target::Action(Action::Link(LinkAction::new(target.clone()))),
            };
            links.push(Annotation::new_link(LinkAnnotation::new(rect, target), None));
        }
    }
    links
}

struct PageWriter<'b> {
    book: &'b Pages,
    fonts: Fonts,
    /// The drawings of tiles so far, which boards share.
    tiles: BTreeMap<&'b str, Graphic>,
    ink: Ink,
    /// The width and height of a page.
    size: [f64; 2],
}

impl<'b> PageWriter<'b> {
    fn page(&mut self, surface: &mut Surface<'_>, page: &[PlacedSlice<'b>]) {
        for placed in page {
            surface.push_transform(&Transform::from_translate(0.0, (placed.y + MARGINS[1]) as f32));
            for mark in &placed.slice.marks {
                self.mark(surface, mark);
            }
            surface.pop();
        }
    }

    /// Writes the chapter and the number of a page.
    fn footer(&mut self, surface: &mut Surface<'_>, number: usize, chapter: &str) {
        let y = self.size[1] - MARGINS[1] / 2.0;
        let look = plain(8.5, FAINT);
        let room = self.size[0] - 2.0 * MARGINS[0] - 40.0;
        let chapter = lines::lines(&mut self.fonts, &phrases_as_they_are(chapter), look, room);
        let number = lines::lines(&mut self.fonts, &phrases_as_they_are(&number.to_string()), look, room);
        let right = self.size[0] - MARGINS[0] - number.first().map_or(0.0, |line| line.width);
        for (line, x) in [(chapter.first(), MARGINS[0]), (number.first(), right)] {
            for placed in line.into_iter().flat_map(|line| &line.runs) {
                self.text(surface, [x + placed.x, y], &placed.run);
            }
        }
    }

    fn mark(&mut self, surface: &mut Surface<'_>, mark: &Mark<'b>) {
        match mark {
            Mark::Text { at, run } => self.text(surface, *at, run),
            Mark::Fill { at, size, colour } => fill(surface, *at, *size, *colour),
            Mark::Frame { at, size, colour } => {
                let Some(path) = rectangle(*at, *size) else { return };
                surface.set_fill(None);
                surface.set_stroke(Some(stroke(*colour, 0.7)));
                surface.draw_path(&path);
            }
            Mark::Tile { name, at, size, degrees } => self.tile(surface, name, *at, *size, *degrees),
            Mark::Picture { picture, at, unit } => {
                let Some(edges) = rectangle(*at, picture.size().map(|length| length * unit)) else { return };
                surface.push_clip_path(&edges, &FillRule::NonZero);
                surface.push_transform(&scaled(*at, *unit));
                self.ink.draw(surface, picture);
                surface.pop();
                surface.pop();
            }
            Mark::Clip { at, size } => {
                let edges = rectangle(*at, *size).or_else(|| rectangle(*at, [1.0, 1.0]));
                if let Some(edges) = edges {
                    surface.push_clip_path(&edges, &FillRule::NonZero);
                }
            }
            Mark::EndClip => surface.pop(),
            Mark::Link { .. } => {}
        }
    }

    fn text(&self, surface: &mut Surface<'_>, [x, y]: [f64; 2], run: &GlyphRun) {
        let Some(font) = self.fonts.font(run.font).filter(|_| !run.glyphs.is_empty()) else { return };
        let lettering = run.lettering;
        surface.set_fill(Some(ink::fill(lettering.colour)));
        surface.set_stroke(Some(stroke(lettering.colour, lettering.outline())));
        surface.push_transform(&Transform::from_translate(x as f32, y as f32));
        if lettering.is_slanted {
            surface.push_transform(&Transform::from_skew(-0.2, 0.0));
        }
        surface.draw_glyphs(Point::from_xy(0.0, 0.0), &run.glyphs, font, &run.text, lettering.size as f32, false);
        if lettering.is_slanted {
            surface.pop();
        }
        surface.pop();
    }

    fn tile(&mut self, surface: &mut Surface<'_>, name: &'b str, at: [f64; 2], size: f64, degrees: u16) {
        let Some(drawing) = self.book.drawings.0.get(name) else {
            never!("a book has no drawing called {name}");
            return;
        };
        let PageWriter { tiles, ink, .. } = self;
        let graphic =
            tiles.entry(name).or_insert_with(|| graphic(surface, |surface| ink.draw_rounded(surface, drawing, GRID)));
        let Some(edges) = rectangle(at, [size; 2]) else { return };
        surface.push_clip_path(&edges, &FillRule::NonZero);
        let middle = at.map(|corner| (corner + size / 2.0) as f32);
        surface.push_transform(&Transform::from_rotate_at(f32::from(degrees), middle[0], middle[1]));
        surface.push_transform(&scaled(at, size / GRID));
        surface.draw_graphic(graphic.clone());
        surface.pop();
        surface.pop();
        surface.pop();
    }
}

/// Returns a transform after which one unit has the length `unit`, and the origin lies at `at`.
fn scaled([x, y]: [f64; 2], unit: f64) -> Transform {
    Transform::from_row(unit as f32, 0.0, 0.0, unit as f32, x as f32, y as f32)
}

fn fill(surface: &mut Surface<'_>, at: [f64; 2], size: [f64; 2], colour: Colour) {
    let Some(path) = rectangle(at, size) else { return };
    surface.set_fill(Some(ink::fill(colour)));
    surface.set_stroke(None);
    surface.draw_path(&path);
}

/// Returns the outline of a rectangle; `None` if it covers nothing.
fn rectangle(at: [f64; 2], [width, height]: [f64; 2]) -> Option<krilla::geom::Path> {
    ink::rectangle(Area::new(at[0], at[1], at[0] + width, at[1] + height))
}
